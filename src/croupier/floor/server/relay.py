"""Requests that come in at a front and are answered by the house."""

from __future__ import annotations

import asyncio
import re

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Message, Receive, Scope, Send

from croupier.floor.fronts.front import Front, HouseGone
from croupier.floor.fronts.protocol import Call, Header, Replied
from croupier.floor.server.errors import AWAY_CODE, GONE_MESSAGE, RETRY_AFTER
from croupier.floor.server.http_limits import HEADERS, LONGEST_BODY
from croupier.floor.server.wire.operation import NotReady
from croupier.floor.server.wire.refusal import Refusal

_READS = re.compile(r"/api/(rounds|figures/mispays|tables/[^/]+/rounds(/[0-9]+)?)")
"""Addresses of what a front reads from the journal by itself."""
_OF_THE_HOUSE = ("/ready", "/metrics")


def is_served_here(method: str, path: str) -> bool:
    """Return whether a front answers by itself: pages, its own health, and what it reads from the journal."""
    if method not in ("GET", "HEAD"):
        return False
    if path.startswith("/api"):
        return _READS.fullmatch(path) is not None
    return path not in _OF_THE_HOUSE


class HouseRelay:
    """Serves live connections and what it can read here; every other request goes to the house."""

    def __init__(self, app: ASGIApp, front: Front) -> None:
        self._app, self._front = app, front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or is_served_here(scope["method"], scope["path"]):
            await self._app(scope, receive, send)
            return
        try:
            replied = await self._front.call(await _call(scope, receive))
        except HouseGone:
            replied = _gone(scope["path"])
        await send({"type": "http.response.start", "status": replied.status, "headers": replied.headers})
        await send({"type": "http.response.body", "body": replied.body, "more_body": False})


async def _call(scope: HTTPScope, receive: Receive) -> Call:
    """Read a request; of a body that is too long only as much as shows it."""
    body, more = b"", True
    while more and len(body) <= LONGEST_BODY:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message["body"]
        more = message["more_body"]
    return Call(
        number=0,
        method=scope["method"],
        scheme=scope["scheme"],
        path=scope["path"],
        raw_path=scope["raw_path"],
        query=scope["query_string"],
        headers=list(scope["headers"]),
        body=body,
        client=scope["client"],
        server=scope["server"],
    )


def _gone(path: str) -> Replied:
    """Answer 503 while the house is being started again."""
    if path == "/ready":
        body = msgspec.json.encode(NotReady(status="away", problem="the house is being started again"))
    else:
        body = msgspec.json.encode(Refusal(accepted=False, code=AWAY_CODE, message=GONE_MESSAGE, rules=()))
    said = {**HEADERS, "Content-Type": "application/json", "Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"}
    headers: list[Header] = [(name.lower().encode(), value.encode()) for name, value in said.items()]
    return Replied(0, 503, [*headers, (b"content-length", b"%d" % len(body))], body)


class RelayedCalls:
    """Answers the requests of fronts with the application of the house."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, call: Call) -> Replied:
        """Answer one request."""
        status, body = 0, bytearray()
        headers: list[Header] = []
        given = False

        async def receive() -> HTTPReceiveMessage:
            nonlocal given
            if given:
                await asyncio.Event().wait()  # the front waits for its answer, whatever its client does
            given = True
            return {"type": "http.request", "body": call.body, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers.extend(message["headers"])
            elif message["type"] == "http.response.body":
                body.extend(message["body"])

        scope: dict[str, object] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": call.method,
            "scheme": call.scheme,
            "path": call.path,
            "raw_path": call.raw_path,
            "query_string": call.query,
            "root_path": "",
            "headers": call.headers,
            "client": call.client,
            "server": call.server,
            "state": {},
            "extensions": None,
        }
        try:
            await self._app(scope, receive, send)  # type: ignore[arg-type]  # a scope as the web server makes it
        except Exception:  # noqa: BLE001  the application has logged it; as the web server does, it becomes a 500
            return Replied(call.number, 500, [(b"content-length", b"0")], b"")
        return Replied(call.number, status or 500, headers, bytes(body))
