"""Live play over one WebSocket: messages in, messages out, and nobody held up by a slow one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec
from litestar import Response, WebSocket
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from croupier.floor.people import Person
from croupier.floor.requests import Answer
from croupier.floor.running import PIT, Floor, Watcher
from croupier.floor.showing import Json

Socket: TypeAlias = WebSocket[Person | None, object, State]

LONGEST = 16_384
"""Bytes of one message from a client."""

MISSED = 500
"""So many events at most are told to whoever comes back."""

SIGNED_OUT = 4001
"""The close code of a connection whose session is over."""

MESSAGES = {
    "watch": "follow a table, the pit or a link: its state comes at once, then whenever it moves",
    "unwatch": "follow it no longer",
    "command": "a step at a table, as on the HTTP door",
    "ping": "is anybody there",
}
"""Every message that a client may send. Links are for everybody; the rest takes a session, and what a command takes is
asked of its own action.
"""

AtTable = Callable[[Floor, Person, str, dict[str, object]], Awaitable[Response[Answer]]]


async def live_connection(
    socket: Socket, floor: Floor, watcher: Watcher, at_table: AtTable, may_ask: Callable[[], bool]
) -> None:
    """Serve one connection until it ends; whoever asks faster than he may is told to wait."""
    floor.join(watcher)
    sending = asyncio.create_task(_send(socket, floor, watcher))
    try:
        while not watcher.closed:
            text = await socket.receive_text()
            if may_ask():
                answer = await _answer(floor, watcher, text, at_table)
            else:
                answer = _wrong(_reference(text), "too_fast", "Too many messages: wait a second.")
            if answer is not None:
                watcher.answer(msgspec.json.encode(answer))
    finally:
        floor.leave(watcher)
        sending.cancel()


async def _send(socket: Socket, floor: Floor, watcher: Watcher) -> None:
    async for message in watcher.messages(lambda topic: floor.snapshot(topic, watcher.person)):
        await socket.send_text(message.decode())
    await socket.close(SIGNED_OUT, "The session is over.")


async def _answer(floor: Floor, watcher: Watcher, text: str, at_table: AtTable) -> dict[str, object] | None:
    """What a message comes to; a message that makes no sense is answered, never fatal."""
    if len(text) > LONGEST:
        return _wrong(None, "bad_request", "The message is too long.")
    try:
        sent = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return _wrong(None, "bad_request", "The message is no JSON.")
    if not isinstance(sent, dict):
        return _wrong(None, "bad_request", "A message is a JSON object.")
    reference = sent.get("id") if isinstance(sent.get("id"), str) else None
    match sent.get("type"):
        case "watch":
            return await _watch(floor, watcher, sent, reference)
        case "unwatch":
            floor.unfollow(watcher, f"table/{sent.get('table')}")
            floor.unfollow(watcher, f"link/{sent.get('link')}")
            if sent.get("pit") is True:
                floor.unfollow(watcher, PIT)
            return None
        case "command":
            return await _command(floor, watcher, sent, reference, at_table)
        case "ping":
            return {"type": "pong", "id": reference}
    return _wrong(reference, "bad_request", f"type: it is one of {', '.join(MESSAGES)}.")


async def _watch(
    floor: Floor, watcher: Watcher, sent: dict[str, object], reference: str | None
) -> dict[str, object] | None:
    """Follow a table, the pit or a link: its state comes at once, then whenever it moves. Whoever says after which
    event of a table he was away gets what he missed first, unless that is more than he can want to read.
    """
    table, link = sent.get("table"), sent.get("link")
    if watcher.person is None and not isinstance(link, str):
        return _wrong(reference, "log_in_first", "Log in to watch a table.")
    if sent.get("pit") is True:
        floor.follow(watcher, PIT)
        for name in [table.name for table in floor.house.shown.values() if table.ours]:
            watcher.put(f"pit/{name}", floor.snapshot(f"pit/{name}", watcher.person))
        return None
    if isinstance(table, str) and floor.table(table) is not None:
        after = sent.get("after")
        if after is not None and (not isinstance(after, int) or isinstance(after, bool) or not 0 <= after < 2**62):
            return _wrong(reference, "bad_request", "after: the number of the last event that was seen.")
        if after is not None:
            missed = await _missed(floor, table, after, watcher.person)
            told = {"type": "missed", "table": table, "after": after, "events": missed or [], "all": missed is not None}
            watcher.put(f"table/{table}", msgspec.json.encode(told))
        floor.follow(watcher, f"table/{table}")
        watcher.put(f"table/{table}", floor.snapshot(f"table/{table}", watcher.person))
        return None
    if isinstance(link, str) and link in floor.house.shown_links:
        floor.follow(watcher, f"link/{link}")
        watcher.put(f"link/{link}", floor.snapshot(f"link/{link}", watcher.person))
        return None
    for what in ("table", "link"):
        if isinstance(asked := sent.get(what), str):
            return _wrong(reference, "unknown_topic", f"There is no {what} {asked[:40]}.")
    return _wrong(reference, "unknown_topic", "A table, a link or, for the whole floor, pit: true is watched.")


async def _missed(floor: Floor, table: str, after: int, person: Person | None) -> list[Json] | None:
    """Every event from one that was seen up to the state that is told next; None where they are too many, or where the
    house's own record does not go as far: it has been put back to an earlier moment.
    """
    events: list[Json] = []
    # The table may move while its record is read, so that is read on until the two meet.
    while after + len(events) < (held := floor.house.shown[table]).seq:
        more = await asyncio.to_thread(floor.past.since, held, after + len(events), person, MISSED - len(events))
        if not more:
            return None
        events.extend(more)
    return None if after > held.seq else events[: held.seq - after]


async def _command(
    floor: Floor, watcher: Watcher, sent: dict[str, object], reference: str | None, at_table: AtTable
) -> dict[str, object]:
    if watcher.person is None:
        return _wrong(reference, "log_in_first", "Log in first.")
    table, command = sent.get("table"), sent.get("command")
    if not isinstance(table, str) or not isinstance(command, dict):
        return _wrong(reference, "bad_request", "A command names its table and carries a command object.")
    try:
        response = await at_table(floor, watcher.person, table, {**command, "id": sent.get("id")})
    except HTTPException as refused:
        code = getattr(refused, "code", "refused")
        return _wrong(reference, str(code), refused.detail)
    answer = msgspec.to_builtins(response.content)
    return {"type": "answer", "id": reference, **answer}


def _reference(text: str) -> str | None:
    try:
        return msgspec.json.decode(text[:LONGEST], type=_Referring).id
    except (msgspec.DecodeError, RecursionError):
        return None


class _Referring(msgspec.Struct):
    id: str | None = None


def _wrong(reference: str | None, code: str, message: str) -> dict[str, object]:
    return {"type": "answer", "id": reference, "accepted": False, "code": code, "message": message, "rules": []}
