"""What the server writes down for operators: one line an event, never a card, a password or a token."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import MutableMapping
from datetime import UTC, datetime

from litestar.types import ASGIApp, Message, Receive, Scope, Send

_LOG = logging.getLogger("croupier.server")

FIELDS = ("client", "method", "path", "status", "ms", "kind", "where", "command", "port", "code", "account")
"""All that a line may hold beside its time, level, logger and message: names of our own, chosen one by one."""


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        told: MutableMapping[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
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


class Logged:
    """Every request in one line: what was asked, how it was answered, how long it took."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) == "lifespan" or not _LOG.isEnabledFor(logging.INFO):
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            # The path alone: what stands behind its question mark may be a token.
            client = scope.get("client")
            told = {
                "client": client[0] if client else "",
                "method": scope.get("method", "LIVE"),
                "path": scope["path"],
                "status": status,
                "ms": round(1000 * (time.perf_counter() - started), 1),
            }
            _LOG.info("request", extra=told)
