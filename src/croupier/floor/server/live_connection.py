"""Live play over one WebSocket: messages in, messages out, and steps at a table, which HTTP takes in here too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias, assert_never

import msgspec
from litestar import WebSocket
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from croupier.floor.duties.permissions import Post
from croupier.floor.house.writer import HouseAway
from croupier.floor.live.broadcast import PIT
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.live.watcher import Watcher
from croupier.floor.people.assignments import refusal
from croupier.floor.people.authorization import BadRequest, NotAllowed, command_for
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import table_named
from croupier.floor.server.errors import AWAY_CODE, ApiError, away_message
from croupier.floor.server.guard import refuse, refuse_elsewhere
from croupier.floor.server.websocket_frames import LINE, LiveSocket
from croupier.floor.server.wire import messages
from croupier.floor.server.wire.steps import Step
from croupier.floor.views.live_messages import AnswerMessage, MissedMessage, Pong, answer_message
from croupier.floor.views.round_views import TableEvent
from croupier.journal.store import StoreLost
from croupier.ledger import accounts

Socket: TypeAlias = WebSocket[Person | None, object, State]

LONGEST = 16_384
"""Bytes of one message from a client."""

LONGEST_ID = 100
"""Characters of a command's id."""

MISSED = 500
"""Most events that a client receives after a break."""

_MESSAGES = msgspec.json.Decoder(messages.AnyMessage)

SIGNED_OUT = 4001
"""The close code of a connection whose session is over."""
HELD_BACK = 4002
"""The close code of a connection whose session is locked, or opens nothing yet; its token is still good."""
TOO_MANY = 4029
"""The close code where a person or an address has too many live connections."""

Reply: TypeAlias = AnswerMessage | Pong | None


def line_of(socket: Socket) -> LiveSocket:
    """Return the way on which messages go straight to and from the client."""
    line: LiveSocket = socket.scope["state"][LINE]
    return line


async def live_connection(
    socket: Socket,
    floor: LiveFloor,
    watcher: Watcher,
    is_within_rate: Callable[[], bool],
    note_command: Callable[[], None],
) -> None:
    """Serve one connection until it ends; ask a client that sends too fast to wait.

    `note_command` is called before each command is carried out.
    """
    floor.broadcast.join(watcher)
    closing = asyncio.create_task(_close(socket, watcher))
    try:
        # A task of its own: each message would otherwise wake all that the framework has put around this connection.
        await asyncio.create_task(_converse(line_of(socket), floor, watcher, is_within_rate, note_command))
    finally:
        floor.broadcast.leave(watcher)
        closing.cancel()


async def _converse(
    line: LiveSocket,
    floor: LiveFloor,
    watcher: Watcher,
    is_within_rate: Callable[[], bool],
    note_command: Callable[[], None],
) -> None:
    """Answer the messages of a client one after the other, until it has gone or the server ends the connection."""
    while not watcher.closed and (text := await line.receive_text()) is not None:
        answer: Reply
        if is_within_rate():
            answer = await _answer(floor, watcher, text, note_command)
        else:
            answer = _wrong(_reference(text), "too_fast", "Too many messages: wait a second.")
        if answer is not None:
            floor.broadcast.answer(watcher, answer)


async def _close(socket: Socket, watcher: Watcher) -> None:
    """Close the connection when the server ends it, with the reason."""
    await watcher.ended.wait()
    if watcher.locked:
        await socket.close(HELD_BACK, "The session is locked.")
    else:
        await socket.close(SIGNED_OUT, "The session is over.")


async def _answer(floor: LiveFloor, watcher: Watcher, text: str, note_command: Callable[[], None]) -> Reply:
    """Answer a message, even one that cannot be read."""
    if len(text) > LONGEST:
        return _wrong(None, "bad_request", "The message is too long.")
    try:
        message = _MESSAGES.decode(text)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as wrong:
        return _wrong(_reference(text), "bad_request", _unreadable(wrong))
    try:
        return await _not_allowed(floor, watcher, message) or await _done(floor, watcher, message, note_command)
    except (HouseAway, StoreLost) as wrong:
        return _wrong(message.id, AWAY_CODE, away_message(wrong))


async def _not_allowed(floor: LiveFloor, watcher: Watcher, message: messages.AnyMessage) -> AnswerMessage | None:
    """Return a refusal where this client may not send this message; all but public messages take an action."""
    if isinstance(message, messages.PUBLIC_MESSAGES):
        return None
    if watcher.person is None:
        return _wrong(message.id, "log_in_first", "Log in first.")
    action = messages.TAKES[type(message)]
    if not watcher.person.may(action):
        try:
            await refuse(floor, watcher.person, action, str(message.__struct_config__.tag))
        except HTTPException as refused:
            return _wrong(message.id, "not_allowed", refused.detail)
    return None


async def _done(
    floor: LiveFloor, watcher: Watcher, message: messages.AnyMessage, note_command: Callable[[], None]
) -> Reply:
    if (refused := _too_many(watcher, message)) is not None:
        return refused
    match message:
        case messages.WatchTable():
            return await _watch_table(floor, watcher, message)
        case messages.WatchPit():
            floor.broadcast.follow(watcher, PIT)
        case messages.WatchLink(link=link):
            if link not in floor.house.shown_links:
                return _wrong(message.id, "unknown_topic", f"There is no link {link[:40]}.")
            floor.broadcast.follow(watcher, f"link/{link}")
        case messages.UnwatchTable(table=table):
            floor.broadcast.unfollow(watcher, f"table/{table}")
        case messages.UnwatchLink(link=link):
            floor.broadcast.unfollow(watcher, f"link/{link}")
        case messages.UnwatchPit():
            floor.broadcast.unfollow(watcher, PIT)
        case messages.GiveCommand():
            note_command()
            return await _command(floor, watcher.person, message)
        case messages.Ping():
            return Pong(id=message.id)
        case _:
            assert_never(message)
    return None


def _too_many(watcher: Watcher, message: messages.AnyMessage) -> AnswerMessage | None:
    """Return a refusal where this connection may not watch one thing more."""
    match message:
        case messages.WatchTable(table=table):
            topic = f"table/{table}"
        case messages.WatchLink(link=link):
            topic = f"link/{link}"
        case messages.WatchPit():
            topic = PIT
        case _:
            return None
    if topic in watcher.follows or len(watcher.follows) < watcher.follows_most:
        return None
    said = f"This connection already watches {watcher.follows_most} tables and links. Unwatch one first."
    return _wrong(message.id, "too_many", said)


def _unreadable(wrong: Exception) -> str:
    """Say in one sentence why a message cannot be read."""
    if isinstance(wrong, msgspec.ValidationError):
        return f"The message is wrong: {wrong}. Its type is one of {', '.join(messages.MESSAGES)}."
    return "The message is not JSON."


async def _watch_table(floor: LiveFloor, watcher: Watcher, message: messages.WatchTable) -> AnswerMessage | None:
    """Watch a table; a client that names the last event it saw first receives what it missed, up to a limit."""
    table = message.table
    if floor.table(table) is None:
        if table in floor.house.shown:
            return _wrong(message.id, "table_elsewhere", f"Table {table} is run by another server.")
        return _wrong(message.id, "unknown_topic", f"There is no table {table[:40]}.")
    if message.after is not None:
        missed = await _missed(floor, table, message.after, watcher.person)
        told = MissedMessage(table=table, after=message.after, events=missed or [], all=missed is not None)
        floor.broadcast.answer(watcher, told)
    floor.broadcast.follow(watcher, f"table/{table}")
    return None


async def _missed(floor: LiveFloor, table: str, after: int, person: Person | None) -> list[TableEvent] | None:
    """List the events after one that the client saw, up to the state that it receives next.

    None where they are too many, or where the house's own record ends earlier because it was restored.
    """
    events: list[TableEvent] = []
    # The table may move while its record is read, so that is read on until the two meet.
    while after + len(events) < (held := floor.house.shown[table]).seq:
        more = await asyncio.to_thread(floor.past.since, held, after + len(events), person, MISSED - len(events))
        if not more:
            return None
        events.extend(more)
    return None if after > held.seq else events[: held.seq - after]


async def _command(floor: LiveFloor, person: Person | None, message: messages.GiveCommand) -> AnswerMessage:
    assert person is not None, "a command takes a session"
    if not 1 <= len(message.id) <= LONGEST_ID:
        return _wrong(message.id, "bad_request", f"id: every command carries an id of 1 to {LONGEST_ID} characters.")
    try:
        answer = await step_at_table(floor, person, message.table, message.command, message.id)
    except HTTPException as refused:
        code = getattr(refused, "code", "refused")
        return _wrong(message.id, str(code), refused.detail)
    return answer_message(message.id, answer)


async def step_at_table(floor: LiveFloor, person: Person, name: str, step: Step, command_id: str) -> Answer:
    """Carry out a step that a person sent over HTTP or over the live connection; raises ApiError."""
    table = table_named(floor, name)
    # A live connection knows the person as they were when it was opened.
    person = floor.house.shown_people.persons.get(person.name, person)
    elsewhere, what = refusal(person, name, table.config), f"{name}: {step.do}"
    # The box, or the table, may have been theirs when they asked: an id that was answered gets the same answer.
    if elsewhere:
        if (earlier := await floor.past_answer(f"{person.name}:{command_id}")) is not None:
            return earlier
        await refuse_elsewhere(floor, person, elsewhere, what)
    try:
        asked = command_for(person, table, _with_id(floor, person, table, step))
    except NotAllowed as wrong:
        if (earlier := await floor.past_answer(f"{person.name}:{command_id}")) is not None:
            return earlier
        await refuse(floor, person, wrong.action, what)
        raise
    except BadRequest as wrong:
        raise ApiError(400, "bad_request", str(wrong)) from None
    return await floor.ask(asked, f"{person.name}:{command_id}")


def _with_id(floor: LiveFloor, person: Person, table: Table, step: Step) -> dict[str, object]:
    """Return the fields of a step; where a person of the staff names a player, with the player's id."""
    sent: dict[str, object] = msgspec.to_builtins(step)
    sent.pop("id", None)
    player = sent.get("player")
    if person.post is Post.PLAYER or not isinstance(player, str) or not player:
        return sent
    found, house = floor.house.directory.id_of(player), floor.house
    if found is None and (
        accounts.player(player) in house.shown_balances or any(player in box.players for box in table.round.boxes)
    ):
        found = player  # a bot, or a person of an earlier release who was removed
    if found is None:
        raise ApiError(404, "unknown_person", f"There is no player called {player[:40]}.")
    return {**sent, "player": found}


def _reference(text: str) -> str | None:
    try:
        return msgspec.json.decode(text[:LONGEST], type=_Referring).id
    except (msgspec.DecodeError, RecursionError):
        return None


class _Referring(msgspec.Struct):
    id: str | None = None


def _wrong(reference: str | None, code: str, message: str) -> AnswerMessage:
    return AnswerMessage(id=reference, accepted=False, code=code, message=message, rules=())
