"""What the server writes down for operators: one line an event, never a card, a password or a token."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, MutableMapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TypeAlias

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from croupier.floor.house.timings import Timings

_LOG = logging.getLogger("croupier.server")

Span: TypeAlias = Callable[[Scope, str], AbstractContextManager[None]]
HEADER = b"x-request-id"
"""On every answer: the id under which the log has the request."""
_GIVEN_ID = re.compile(rb"[0-9A-Za-z-]{8,64}")
_REQUEST: ContextVar[str] = ContextVar("request", default="")

FIELDS = ("client", "method", "path", "status", "ms", "kind", "where", "command", "id", "port", "code", "account")
"""All that a line may hold beside its time, level, logger and message: names of our own, chosen one by one."""


def request_id() -> str:
    """Return the id of the request that is being answered; empty outside of one."""
    return _REQUEST.get()


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        told: MutableMapping[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if named := request_id():
            told["request"] = named
        told.update((field, getattr(record, field)) for field in FIELDS if hasattr(record, field))
        if record.exc_info is not None and record.exc_info[0] is not None:
            # The kind of fault, not its words: they may hold whatever was in hand.
            told["kind"] = record.exc_info[0].__name__
        return json.dumps(told)


class PlainLines(logging.Formatter):
    """A record for a terminal; of a fault its kind, not its words."""

    def format(self, record: logging.LogRecord) -> str:
        more = " ".join(f"{field}={_plain(getattr(record, field))}" for field in FIELDS if hasattr(record, field))
        kind = "" if record.exc_info is None or record.exc_info[0] is None else record.exc_info[0].__name__
        return " ".join(part for part in (f"croupier: {record.getMessage()}", more, kind) if part)


def _plain(value: object) -> str:
    """Replace characters that would begin a new line or colour the terminal: part of the text may come from outside."""
    return "".join(char if char.isprintable() else "?" for char in str(value))


def set_up_logs(*, json_wanted: bool) -> None:
    """Log warnings as text, or everything as JSON, on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if json_wanted else PlainLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    # Requests that are not HTTP are answered as such, and are not worth a line each.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    # That a connection is gone the house says itself.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    logging.getLogger("croupier").setLevel(logging.INFO if json_wanted else logging.WARNING)


class RequestFigures:
    """Requests over HTTP since the start: how long they took, and how many had each status."""

    def __init__(self) -> None:
        self.seconds = Timings()
        self.statuses: Counter[int] = Counter({500: 0})
        """0 where the connection ended before an answer. Internal errors are shown from the start, for the alarm."""


class Logged:
    """Every request in one line: its id, what was asked, how it was answered, how long it took."""

    def __init__(self, app: ASGIApp, figures: RequestFigures, span: Span | None = None) -> None:
        """`span` makes the trace of a request."""
        self._app, self._figures, self._span = app, figures, span

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) == "lifespan":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        named = _id_of(scope)
        _REQUEST.set(named)
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (HEADER, named.encode())]
            await send(message)

        try:
            with contextlib.nullcontext() if self._span is None else self._span(scope, named):
                await self._app(scope, receive, noted)
        finally:
            seconds = time.perf_counter() - started
            if "method" in scope:
                self._figures.seconds.observe(seconds)
                self._figures.statuses[status] += 1
            if _LOG.isEnabledFor(logging.INFO):
                _log_request(scope, status, seconds)


def _id_of(scope: Scope) -> str:
    """Return the id that a proxy gave the request, where it is one, or a new one."""
    given = next((value for name, value in scope.get("headers", ()) if name == HEADER), b"")
    return given.decode("ascii") if _GIVEN_ID.fullmatch(given) else secrets.token_hex(8)


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    # The path alone: what stands behind its question mark may be a token.
    client = scope.get("client")
    told = {
        "client": client[0] if client else "",
        "method": scope.get("method", "LIVE"),
        "path": scope["path"],
        "status": status,
        "ms": round(1000 * seconds, 1),
    }
    _LOG.info("request", extra=told)
