"""Limits on connections and headers on every answer, before any route."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from collections.abc import Sequence
from typing import ClassVar

import h11
import uvicorn
from litestar.enums import ScopeType
from litestar.types import ASGIApp, BeforeMessageSendHookHandler, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from croupier.floor.server.websocket_frames import LiveSocket

LONGEST_BODY = 65_536
"""Bytes of one request, and of one message on a socket."""

ASKED_WITHIN = 20.0
"""Seconds within which a request must be complete, headers and body; then its connection is closed."""

FILES_WANTED, FILES_OF_OUR_OWN = 65_536, 100
"""Open files that the server asks for, and those that it keeps for itself; each connection is one."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
}
"""On every answer, pages and errors too: no script of another site runs in our pages, and no page frames them."""

BEHIND_HTTPS = {"Strict-Transport-Security": "max-age=31536000"}

LIVE_PATHS = ("/health", "/ready", "/metrics")
"""Addresses whose answers are never cached."""
A_YEAR = "public, max-age=31536000, immutable"


def on_every_answer(*, secure: bool) -> BeforeMessageSendHookHandler:
    """Return a hook that puts our headers on every answer; the framework's own would leave out pages and errors."""
    wanted = HEADERS | (BEHIND_HTTPS if secure else {})
    always = [(name.lower().encode(), value.encode()) for name, value in wanted.items()]

    async def put(message: Message, scope: Scope) -> None:
        if message["type"] == "http.response.start":
            is_page = any(
                name == b"content-type" and value.startswith(b"text/html") for name, value in message["headers"]
            )
            kept = (b"cache-control", _kept(scope, message["status"], is_page=is_page).encode())
            message["headers"] = [*message["headers"], *always, kept]

    return put


def _kept(scope: Scope, status: int, *, is_page: bool) -> str:
    """Return how long a browser may keep an answer.

    A file that is asked for by its hash is kept for a year, pages and other files until they change, answers of the API
    never.
    """
    if scope["path"].startswith("/api/") or scope["path"] in LIVE_PATHS:
        return "no-store"
    is_by_hash = re.fullmatch(rb"[0-9a-f]{12}", scope["query_string"]) is not None
    return A_YEAR if is_by_hash and status == 200 and not is_page else "no-cache"


class HeadAsGet:
    """Serve HEAD as GET; the server beneath leaves out the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") == "HEAD":
            scope = {**scope, "method": "GET"}  # type: ignore[assignment]  # the same kind of scope
        await self._app(scope, receive, send)


class OneLength:
    """Refuse a request that gives its length twice, and close its connection: a proxy may see another end, and what
    follows would pass as another client's request.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        lengths = [name for name, _ in scope.get("headers", ()) if name in (b"content-length", b"transfer-encoding")]
        if scope["type"] != ScopeType.HTTP or len(lengths) < 2:
            await self._app(scope, receive, send)
            return
        said = b"A request gives its length once."
        headers = [(b"content-length", b"%d" % len(said)), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": 400, "headers": headers})
        await send({"type": "http.response.body", "body": said, "more_body": False})


class PromptRequests(H11Protocol):
    """HTTP requests, each complete within some seconds: half a request does not hold a connection."""

    room: ClassVar[int] = FILES_WANTED
    """Connections at once, live ones too."""
    _giving_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if len(self.connections) > self.room:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait_for_the_rest()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        super().connection_lost(exc)

    def _wait_for_the_rest(self) -> None:
        """Wait for the rest of a request; not for a complete one, nor for a live connection."""
        is_live = self.transport.get_protocol() is not self
        if not is_live and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._wait()
        else:
            self._wait_no_longer()

    def _wait(self) -> None:
        if self._giving_up is None:
            self._giving_up = self.loop.call_later(ASKED_WITHIN, self.transport.abort)

    def _wait_no_longer(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None


def room_for_connections() -> int:
    """Raise the limit of open files as far as allowed, and return how many connections fit into it."""
    if sys.platform == "win32":
        return FILES_WANTED
    import resource  # noqa: PLC0415  not on every system

    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if most == resource.RLIM_INFINITY else min(most, FILES_WANTED)
    if least != resource.RLIM_INFINITY and least < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
            least = wanted
    return FILES_WANTED if least == resource.RLIM_INFINITY else max(1, least - FILES_OF_OUR_OWN)


def listening_config(app: ASGIApp, trusted_proxies: Sequence[str] = ()) -> uvicorn.Config:
    """Configure how the server listens.

    Only these proxies are believed about the address behind them; the last address that is not one of theirs is the
    client's.
    """
    return uvicorn.Config(
        OneLength(app),
        http=PromptRequests,
        ws=LiveSocket,
        ws_max_size=LONGEST_BODY,
        # As with answers over HTTP: the length of a compressed message could tell the secrets in it.
        ws_per_message_deflate=False,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
