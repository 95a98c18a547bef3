"""Names in answers: what the house knows by an id, a person reads by name."""

from __future__ import annotations

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.people.people import Person

AS_RECORDED = "as_recorded"
"""The option of a route whose answer keeps the ids: its hashes are over them, or it tells names and ids itself."""


class AnswerNames:
    """Puts names in place of ids into the answers of the API, as far as their reader may know them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        floor: LiveFloor = scope["litestar_app"].state.floor
        start: HTTPResponseStartEvent | None = None

        async def put(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message  # its length is known when the body is
                return
            if start is not None and message["type"] == "http.response.body":
                # No answer of ours comes in several parts.
                if not message["more_body"] and not scope["route_handler"].opt.get(AS_RECORDED):
                    reader = scope.get("user")
                    known = reader if isinstance(reader, Person) else None
                    message["body"] = floor.house.directory.told(known, message["body"])
                    kept = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
                    start["headers"] = [*kept, (b"content-length", b"%d" % len(message["body"]))]
                await send(start)
                start = None
            await send(message)

        await self._app(scope, receive, put)
