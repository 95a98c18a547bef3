"""The feed of events for other systems: pages that wait for the next event, and a live connection."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, TypeAlias

import msgspec
from litestar import get, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import QueryParameter, SkipValidation

from croupier.floor.duties.permissions import Action
from croupier.floor.feed.events import PAGE_MOST, START, BadCursor, Feed, FeedPage
from croupier.floor.people.people import token_hash
from croupier.floor.server.dependencies import TheLiveFloor, TheSessions
from croupier.floor.server.displayed_names import AS_RECORDED
from croupier.floor.server.guard import note, token_in
from croupier.floor.server.live_connection import HELD_BACK, SIGNED_OUT, Socket
from croupier.journal.store import StoreError

WAIT_MOST = 30
"""Seconds that a request may wait for the next event."""
POLL = 0.2
"""Seconds between two looks for new events."""
BAD_CURSOR = 4009
"""The close code of a connection whose cursor the feed cannot go on from."""
NOT_ALLOWED = 4003
"""The close code where the post does not allow it."""

TheFeed: TypeAlias = SkipValidation[NamedDependency[Feed]]
Cursor: TypeAlias = Annotated[str, QueryParameter(max_length=40, description="Of the last event; 0 for the first")]


@get("/api/feed", opt={"action": Action.FOLLOW_EVENTS, AS_RECORDED: True, "refuses": (409,)})
async def feed_page(
    feed: TheFeed,
    cursor: Cursor = START,
    limit: Annotated[int, QueryParameter(ge=1, le=PAGE_MOST)] = 500,
    wait: Annotated[int, QueryParameter(ge=0, le=WAIT_MOST, description="Seconds to wait for the next event")] = 0,
) -> FeedPage:
    """Return the events of the house after a cursor, in the order in which they were committed.

    Keep `cursor` of the answer together with what you made of its events, and send it next: nothing is lost or doubled.
    """
    until = asyncio.get_running_loop().time() + wait
    while True:
        page = await asyncio.to_thread(feed.page, cursor, limit)
        if page.cursor != cursor or asyncio.get_running_loop().time() >= until:
            return page
        await asyncio.sleep(POLL)


@websocket("/api/feed/live", opt={"public": True})
async def feed_live(socket: Socket, floor: TheLiveFloor, sessions: TheSessions, feed: TheFeed) -> None:
    """Send pages of the feed as they come. The first message of the client is its cursor."""
    shown, _ = token_in(socket.headers, socket.cookies)
    token = shown or ""
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect):
        found = sessions.session_of(token)
        held = None if found is None else sessions.held_back(*found)
        if found is None or held is not None:
            await socket.close(*((SIGNED_OUT, "The session is over.") if held is None else (HELD_BACK, held[1])))
            return
        person = found[0]
        if not person.may(Action.FOLLOW_EVENTS):
            await note(floor, person, Action.FOLLOW_EVENTS.value, "WS /api/feed/live")
            await socket.close(NOT_ALLOWED, f"{person.post.who} may not follow events.")
            return
        cursor = (await socket.receive_text())[:40]
        listening = asyncio.create_task(socket.receive_text())
        try:
            while not listening.done() and (now := sessions.session_of(token)) is not None:
                sessions.idle.use(token_hash(token), *now)
                page = await asyncio.to_thread(feed.page, cursor, PAGE_MOST)
                if page.cursor == cursor:
                    await asyncio.wait([listening], timeout=POLL)
                    continue
                cursor = page.cursor
                await socket.send_text(msgspec.json.encode(page).decode())
            await socket.close(SIGNED_OUT, "The session is over, or the client sent a second message.")
        except BadCursor as wrong:
            await socket.close(BAD_CURSOR, str(wrong)[:100])
        except StoreError:
            await socket.close(1013, "The database is away. Connect again.")
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
