"""Live play over one WebSocket: messages in, messages out, and steps at a table, which HTTP takes in here too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeAlias, assert_never

import msgspec
from litestar import WebSocket
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from croupier.floor.duties.permissions import Post
from croupier.floor.house.writer import HouseAway, HouseStopped
from croupier.floor.live.broadcast import PIT
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.live.watcher import Watcher
from croupier.floor.people.assignments import refusal
from croupier.floor.people.authorization import BadRequest, NotAllowed, command_for
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer, HouseCommand
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
    line, over = line_of(socket), asyncio.get_running_loop().create_future()
    conversation = Conversation(line, floor, watcher, over, is_within_rate, note_command)
    try:
        line.listen(conversation.heard, over)
        await over
    finally:
        floor.broadcast.leave(watcher)
        conversation.end()
        closing.cancel()


class Conversation:
    """The messages of a client, answered one after the other. A command that the client may give goes straight to the
    house, and its answer straight back; for everything else there is a task.
    """

    def __init__(
        self,
        line: LiveSocket,
        floor: LiveFloor,
        watcher: Watcher,
        over: asyncio.Future[None],
        is_within_rate: Callable[[], bool],
        note_command: Callable[[], None],
    ) -> None:
        """`over` ends the connection: it gets the exception of a message that cannot be answered."""
        self._line, self._floor, self._watcher, self._over = line, floor, watcher, over
        self._is_within_rate, self._note_command = is_within_rate, note_command
        self._answering: asyncio.Task[None] | None = None

    def heard(self, text: str) -> None:
        """Answer a message, even one that cannot be read."""
        try:
            self._take(text)
        except Exception as wrong:  # noqa: BLE001  the connection ends with it, and no other one
            self._fail(wrong)

    def end(self) -> None:
        """Answer nothing more."""
        if self._answering is not None:
            self._answering.cancel()

    def _take(self, text: str) -> None:
        if self._watcher.closed:
            self._line.go_on()
        elif not self._is_within_rate():
            self._say_soon(_wrong(_reference(text), "too_fast", "Too many messages: wait a second."))
        elif isinstance(message := _read(text), AnswerMessage):
            self._say_soon(message)
        elif isinstance(message, messages.GiveCommand) and (asked := self._asked(message)) is not None:
            self._note_command()
            self._forward(message, asked)
        else:
            self._answering = asyncio.create_task(self._answer(message))

    def _asked(self, message: messages.GiveCommand) -> HouseCommand | None:
        """Return the command of a message that needs no more than the house's answer."""
        person = self._watcher.person
        if person is None or not person.may(messages.TAKES[messages.GiveCommand]) or not _is_id(message.id):
            return None
        return command_at_table(self._floor, person, message.table, message.command)

    def _forward(self, message: messages.GiveCommand, asked: HouseCommand) -> None:
        assert self._watcher.person is not None, "a command takes a session"
        command_id = f"{self._watcher.person.name}:{message.id}"
        try:
            self._floor.forward(asked, command_id, partial(self._answered, message.id))
        except HouseStopped as stopped:
            self._answered(message.id, stopped)

    def _answered(self, reference: str | None, answer: Answer | HouseStopped) -> None:
        """Send an answer; those of other clients follow in the same turn, whatever becomes of this one."""
        try:
            if isinstance(answer, Answer):
                self._say(answer_message(reference, answer))
            elif isinstance(answer, HouseAway):
                self._say(_wrong(reference, AWAY_CODE, away_message(answer)))
            else:
                self._fail(answer)
        except Exception as wrong:  # noqa: BLE001  the connection ends with it, and no other one
            self._fail(wrong)

    async def _answer(self, message: messages.AnyMessage) -> None:
        try:
            refused = await _not_allowed(self._floor, self._watcher, message)
            self._say(refused or await _done(self._floor, self._watcher, message, self._note_command))
        except (HouseAway, StoreLost) as wrong:
            self._say(_wrong(message.id, AWAY_CODE, away_message(wrong)))
        except Exception as wrong:  # noqa: BLE001  the connection ends with it
            self._fail(wrong)

    def _say_soon(self, answer: AnswerMessage) -> None:
        """Answer in the next turn of the loop: a client with a thousand wrong messages does not hold up the others."""
        asyncio.get_running_loop().call_soon(self._say, answer)

    def _say(self, answer: Reply) -> None:
        if answer is not None:
            self._floor.broadcast.answer(self._watcher, answer)
        self._line.go_on()

    def _fail(self, wrong: Exception) -> None:
        if not self._over.done():
            self._over.set_exception(wrong)


async def _close(socket: Socket, watcher: Watcher) -> None:
    """Close the connection when the server ends it, with the reason."""
    await watcher.ended.wait()
    if watcher.locked:
        await socket.close(HELD_BACK, "The session is locked.")
    else:
        await socket.close(SIGNED_OUT, "The session is over.")


def _read(text: str) -> messages.AnyMessage | AnswerMessage:
    """Read a message; return the answer to one that cannot be read."""
    if len(text) > LONGEST:
        return _wrong(None, "bad_request", "The message is too long.")
    try:
        message: messages.AnyMessage = _MESSAGES.decode(text)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as wrong:
        return _wrong(_reference(text), "bad_request", _unreadable(wrong))
    return message


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


def _is_id(reference: str) -> bool:
    return 1 <= len(reference) <= LONGEST_ID


async def _command(floor: LiveFloor, person: Person | None, message: messages.GiveCommand) -> AnswerMessage:
    assert person is not None, "a command takes a session"
    if not _is_id(message.id):
        return _wrong(message.id, "bad_request", f"id: every command carries an id of 1 to {LONGEST_ID} characters.")
    try:
        answer = await step_at_table(floor, person, message.table, message.command, message.id)
    except HTTPException as refused:
        code = getattr(refused, "code", "refused")
        return _wrong(message.id, str(code), refused.detail)
    return answer_message(message.id, answer)


async def step_at_table(floor: LiveFloor, person: Person, name: str, step: Step, command_id: str) -> Answer:
    """Carry out a step that a person sent over HTTP or over the live connection; raises ApiError."""
    if (allowed := command_at_table(floor, person, name, step)) is not None:
        return await floor.ask(allowed, f"{person.name}:{command_id}")
    table, person = table_named(floor, name), _now(floor, person)
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


def command_at_table(floor: LiveFloor, person: Person, name: str, step: Step) -> HouseCommand | None:
    """Return the command of a step that a person may take now; None where an answer has to say why not."""
    table, person = floor.table(name), _now(floor, person)
    if table is None or refusal(person, name, table.config):
        return None
    try:
        return command_for(person, table, _with_id(floor, person, table, step))
    except (NotAllowed, BadRequest, ApiError):
        return None


def _now(floor: LiveFloor, person: Person) -> Person:
    """Return a person as they are now: a live connection knows them as they were when it was opened."""
    return floor.house.shown_people.persons.get(person.name, person)


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
