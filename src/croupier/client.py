"""A client of a running house: log in, watch tables and meters, give commands. It reconnects after a break.

    async with await Client.log_in("http://127.0.0.1:8000", "ana", "croupier-demo") as client:
        async for table in client.watch("Orchid"):
            if table.stage == "betting":
                print(await client.command("Orchid", "bet", box=3, bet="ante", amount="25.00"))

After a break it sends the number of the last event it saw, and the next state carries what happened meanwhile. The
house sends a table whole and then what changes; the client puts them together, and asks again where one is missing.
Every command carries an id. Where the connection breaks before the answer, the client sends the same command again with
the same id, and the house does it once. The client knows no rule: the house says what is open.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Coroutine
from types import TracebackType
from typing import Self, TypeAlias
from urllib.parse import quote, urlsplit

import msgspec
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from croupier.client_types import (
    Account,
    Answer,
    Box,
    Choice,
    Clock,
    Dealer,
    Event,
    Factor,
    Line,
    Me,
    Meter,
    Move,
    Place,
    Placeable,
    Session,
    Stake,
    TableState,
    Withdrawal,
)

__all__ = [
    "Account",
    "Answer",
    "Box",
    "Choice",
    "Client",
    "Clock",
    "Dealer",
    "Event",
    "Factor",
    "HeldBack",
    "Line",
    "Me",
    "Meter",
    "Move",
    "Place",
    "Placeable",
    "Refused",
    "Session",
    "SignedOut",
    "Stake",
    "Table",
    "Withdrawal",
]

LONGEST_WAIT = 5.0
"""Seconds between two attempts to reconnect, at most."""

SIGNED_OUT = 4001
AWAY = "away"
"""The code of an answer while the house cannot reach its database."""
HELD_BACK = 4002

_WATCH = "croupier-watch"
"""Prefix of the ids of watch requests, so that a refusal finds its topic."""

BREAKS_TOLD = 10
"""Breaks of which the client keeps the missed events, for a slow reader."""


AGAIN = 1.0
"""Seconds before a request is repeated that the house could not answer."""


class Refused(Exception):
    """The house refuses: a stable code, one sentence and the paragraphs."""

    def __init__(self, status: int, code: str, message: str, rules: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.status: int = status
        self.code: str = code
        self.rules: tuple[str, ...] = rules


class SignedOut(Exception):
    """The session is over: log in again."""


class HeldBack(Exception):
    """The session may do nothing for now: it was locked while idle, or a password must be chosen first."""


class Table(TableState, frozen=True, kw_only=True):
    """A table and its round as one may see them."""

    missed: tuple[Event, ...] = ()
    """What happened while the connection was lost, on the first state after it is back."""
    missed_all: bool = True
    """Whether `missed` is complete; after a long absence it is not, and the rounds can be looked up."""

    def box(self, number: int) -> Box:
        """Return a box by its number on the felt; the first is 1."""
        if not 1 <= number <= len(self.boxes):
            raise IndexError(f"{self.table} has boxes 1 to {len(self.boxes)}, and no box {number}.")
        return self.boxes[number - 1]


class _Missed(msgspec.Struct, frozen=True):
    events: tuple[Event, ...]
    all: bool


class _Entered(msgspec.Struct, frozen=True):
    token: str
    name: str


State: TypeAlias = dict[str, object]
"""A table or a link as the house sends it; never changed in place."""


def _patched(state: State, patch: State) -> State:
    """Return a table after a change: its fields replace those of the table, its boxes those with their numbers."""
    changes = {field: value for field, value in patch.items() if field not in ("type", "after", "boxes")}
    boxes = msgspec.convert(patch.get("boxes", []), list[State])
    if boxes:
        changed = {box["box"]: box for box in boxes}
        changes["boxes"] = [changed.get(box["box"], box) for box in msgspec.convert(state["boxes"], list[State])]
    return {**state, **changes}


class _Topic:
    """The latest state of one watched table or link."""

    def __init__(self) -> None:
        self.latest: State | None = None
        self.shown: State | None = None
        """The state that its reader saw last."""
        self.has_gap = False
        """A change has come that does not follow the latest state: the house is asked for the whole."""
        self.news = asyncio.Condition()
        self.count = 0
        self.refused: Refused | None = None
        self.missed: dict[int, _Missed] = {}
        """The events missed in a break, by the count of the state after it."""


class Client:
    """One person's connection to a house."""

    def __init__(self, address: str, token: str, name: str = "") -> None:
        """Connect to `address`, as in http://127.0.0.1:8000, with the token of a log-in."""
        parts = urlsplit(address)
        self.address: str = address.rstrip("/")
        self.name: str = name
        self._token = token
        self._live = f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}/api/live"
        self._topics: dict[tuple[str, str], _Topic] = {}
        self._unanswered: dict[str, tuple[str, asyncio.Future[Answer]]] = {}
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self.breaks = 0
        """How often the connection was lost."""
        self._asking_again: set[asyncio.Task[None]] = set()

    # ---------------------------------------------------------------- coming in and leaving

    @classmethod
    async def log_in(cls, address: str, name: str, password: str, code: str = "") -> Client:
        """Log in, with a code where the person has a second factor; raises Refused or ConnectionError."""
        sent: dict[str, object] = {"name": name, "password": password, **({"code": code} if code else {})}
        return await cls._entered(address, "login", sent)

    @classmethod
    async def as_guest(cls, address: str) -> Client:
        """Log in as a guest with demo chips, at a demonstration house."""
        return await cls._entered(address, "guest", {})

    @classmethod
    async def _entered(cls, address: str, how: str, sent: dict[str, object]) -> Client:
        told = await asyncio.to_thread(_http, "POST", f"{_server(address)}/api/{how}", "", sent)
        session = msgspec.convert(told, _Entered)
        return cls(address, session.token, session.name)

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._stay(), name=f"croupier client {self.name}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None
    ) -> None:
        assert self._task is not None
        for asking in self._asking_again:
            asking.cancel()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError, SignedOut, HeldBack):
            await self._task

    async def get(self, path: str) -> object:
        """Return the answer of any address under /api; raises Refused."""
        return await asyncio.to_thread(_http, "GET", f"{self.address}{path}", self._token)

    async def tables(self) -> list[Place]:
        """Return the tables of the lobby."""
        return msgspec.convert(await self.get("/api/tables"), list[Place])

    async def me(self) -> Me:
        """Return the person, their permissions and a player's chips."""
        return msgspec.convert(await self.get("/api/me"), Me)

    # ---------------------------------------------------------------- the person's account

    async def post(self, path: str, **sent: object) -> dict[str, object]:
        """Post to any address under /api; raises Refused."""
        told = await asyncio.to_thread(_http, "POST", f"{self.address}{path}", self._token, sent)
        return msgspec.convert(told, dict[str, object])

    async def change_password(self, old: str, new: str) -> None:
        """Change the password; every other session of the person ends."""
        await self.post("/api/password", old=old, new=new)

    async def unlock(self, password: str) -> None:
        """Unlock a locked session; enter the client again afterwards if its connection was closed."""
        await self.post("/api/unlock", password=password)

    async def sessions(self) -> list[Session]:
        """Return the caller's own sessions."""
        return msgspec.convert(await self.get("/api/sessions"), list[Session])

    async def end_session(self, session: str) -> None:
        """Sign out one of the person's own sessions, by its id."""
        await asyncio.to_thread(_http, "DELETE", f"{self.address}/api/sessions/{session}", self._token)

    async def propose_factor(self, password: str) -> Factor:
        """Begin a second factor; it counts after `confirm_factor` with its first code."""
        return msgspec.convert(await self.post("/api/second-factor", password=password), Factor)

    async def confirm_factor(self, code: str) -> list[str]:
        """Confirm a second factor by its first code; the answer is the recovery codes, shown once."""
        told = await self.post("/api/second-factor/confirm", code=code)
        return msgspec.convert(told["recovery"], list[str])

    async def remove_factor(self, password: str, code: str) -> None:
        """Remove the second factor."""
        await self.post("/api/second-factor/remove", password=password, code=code)

    async def reset_password(self, name: str) -> str:
        """Reset a person's password, as an administrator; the answer is shown once and must be changed at log-in."""
        return str((await self.post(f"/api/people/{quote(name, safe='')}/reset"))["password"])

    # ---------------------------------------------------------------- commands

    async def command(self, table: str, do: str, command_id: str | None = None, **fields: object) -> Answer:
        """Send a step at a table, as in `command("Orchid", "bet", box=3, bet="ante", amount="25.00")`.

        It is sent until it is answered, and done once however often it is sent. A refusal by the rules is an answer
        too. At a watched table it is meant for the round and the decision seen last, and refused at any other.
        """
        self._must_be_open()
        key = command_id or secrets.token_hex(12)
        fields = {**self._meant_for(table, do, fields), **fields}
        message = {"type": "command", "id": key, "table": table, "command": {"do": do, **fields}}
        text = msgspec.json.encode(message).decode()
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._unanswered[key] = (text, answer)
        await self._send(text)
        try:
            return await self._until(answer)
        finally:
            self._unanswered.pop(key, None)

    def _meant_for(self, table: str, do: str, fields: dict[str, object]) -> dict[str, object]:
        """Add the round and the decision that this client saw last at the table."""
        topic = self._topics.get(("table", table))
        if topic is None or topic.shown is None:
            return {}
        seen = msgspec.convert(topic.shown, Table)
        meant: dict[str, object] = {"round": seen.round}
        for box in seen.boxes if do == "decide" else ():
            if box.box == fields.get("box"):
                meant["decided"] = len(box.choices)
        return meant

    async def _until(self, answer: asyncio.Future[Answer]) -> Answer:
        assert self._task is not None
        either: set[asyncio.Future[Answer] | asyncio.Task[None]] = {answer, self._task}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            self._raise_if_held()
            raise SignedOut("The session is over, so the command was not answered.")
        return answer.result()

    # ---------------------------------------------------------------- watching

    async def watch(self, table: str) -> AsyncIterator[Table]:
        """Yield the table now and after every change; a slow reader gets only the latest state.

        Raises Refused where there is no such table.
        """
        async for told, missed in self._follow("table", table):
            state = msgspec.convert(told, Table)
            if missed:
                events = tuple(event for one in missed for event in one.events)
                state = replace(state, missed=events, missed_all=all(one.all for one in missed))
            yield state

    async def watch_link(self, link: str) -> AsyncIterator[Meter]:
        """Yield the meter now and after every change; raises Refused where there is no such link."""
        async for told, _ in self._follow("link", link):
            yield msgspec.convert(told, Meter)

    async def _follow(self, kind: str, name: str) -> AsyncIterator[tuple[State, list[_Missed]]]:
        self._must_be_open()
        key = (kind, name)
        topic = self._topics.get(key)
        if topic is None:
            topic = self._topics[key] = _Topic()
            await self._send(self._watching(key))
        seen = 0
        while True:
            async with topic.news:
                while topic.count == seen:
                    self._raise_if_over()
                    if topic.refused is not None:
                        raise topic.refused
                    await topic.news.wait()
                missed = [told for count, told in topic.missed.items() if count > seen]
                seen = topic.count
                latest = topic.latest
            assert latest is not None
            topic.shown = latest
            yield latest, missed

    def _must_be_open(self) -> None:
        if self._task is None:
            raise RuntimeError("The client has no connection yet: use it in `async with`.")

    def _raise_if_over(self) -> None:
        if self._task is not None and self._task.done():
            self._raise_if_held()
            raise SignedOut("The session is over: log in again.")

    def _raise_if_held(self) -> None:
        """Raise HeldBack where the session is valid but locked, so that the caller unlocks it."""
        assert self._task is not None
        if self._task.done() and not self._task.cancelled() and isinstance(self._task.exception(), HeldBack):
            raise HeldBack(str(self._task.exception()))

    def _watching(self, key: tuple[str, str]) -> str:
        """Return the request to watch, after a break from the last event seen."""
        latest = self._topics[key].latest or {}
        told = {"after": latest["seq"]} if "seq" in latest else {}
        kind, name = key
        return json.dumps({"type": f"watch_{kind}", "id": f"{_WATCH} {kind} {name}", kind: name, **told})

    async def _is_refused(self, key: tuple[str, str], wrong: Refused) -> None:
        """Raise the refusal of a topic that was never seen; ask again for one that was.

        A house that has just restarted may not have all its tables yet, or may limit requests.
        """
        topic = self._topics.get(key)
        if topic is None:
            return
        if topic.latest is None and wrong.code not in ("too_fast", AWAY):
            del self._topics[key]
            async with topic.news:
                topic.refused = wrong
                topic.news.notify_all()
            return
        self._later(self._watch_again(key))

    def _later(self, asking: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(asking)
        self._asking_again.add(task)
        task.add_done_callback(self._asking_again.discard)

    async def _command_again(self, reference: str) -> None:
        """Send the command again under the same id after a moment, since the house could not reach its database."""
        await asyncio.sleep(AGAIN)
        if reference in self._unanswered:
            await self._send(self._unanswered[reference][0])

    async def _watch_again(self, key: tuple[str, str]) -> None:
        await asyncio.sleep(AGAIN)
        await self._send(self._watching(key))

    # ---------------------------------------------------------------- the connection

    async def _send(self, text: str) -> None:
        """Send now, or when the connection is back."""
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(text)

    async def _stay(self) -> None:
        """Keep the connection open for as long as the client lives."""
        wait = 0.1
        try:
            while True:
                try:
                    headers = {"Authorization": f"Bearer {self._token}"}
                    async with connect(self._live, additional_headers=headers, open_timeout=10) as socket:
                        wait = 0.1
                        try:
                            await self._listen(socket)
                        finally:
                            self.breaks += 1
                except ConnectionClosed as closed:
                    if closed.rcvd is not None and closed.rcvd.code == SIGNED_OUT:
                        raise SignedOut("The session is over: log in again.") from None
                    if closed.rcvd is not None and closed.rcvd.code == HELD_BACK:
                        raise HeldBack(closed.rcvd.reason) from None
                except (OSError, InvalidHandshake, TimeoutError):
                    pass
                finally:
                    self._socket = None
                await asyncio.sleep(wait * (0.5 + secrets.randbelow(1000) / 1000))
                wait = min(wait * 2, LONGEST_WAIT)
        finally:
            await self._wake_all()

    async def _listen(self, socket: ClientConnection) -> None:
        for key in self._topics:
            await socket.send(self._watching(key))
        for text, _ in list(self._unanswered.values()):
            await socket.send(text)
        self._socket = socket
        async for message in socket:
            await self._hear(message if isinstance(message, bytes) else message.encode())
        raise ConnectionClosed(None, None)

    async def _hear(self, message: bytes) -> None:
        told = msgspec.json.decode(message)
        kind = told.get("type")
        if kind == "answer":
            reference = told.get("id") or ""
            waiting = self._unanswered.get(reference)
            if waiting is None and (reference.startswith(_WATCH) or told.get("table")):
                _, what, name = reference.split(" ", 2) if reference else ("", "table", told["table"])
                await self._is_refused((what, name), Refused(404, told.get("code", ""), told.get("message", "")))
            elif waiting is not None and told.get("code") == AWAY:
                self._later(self._command_again(reference))
            elif waiting is not None and not waiting[1].done():
                waiting[1].set_result(msgspec.convert(told, Answer))
        elif kind == "missed":
            topic = self._topics.get(("table", told.get("table", "")))
            if topic is not None:
                async with topic.news:
                    topic.missed[topic.count + 1] = msgspec.convert(told, _Missed)
                    for old in sorted(topic.missed)[:-BREAKS_TOLD]:
                        del topic.missed[old]
        elif kind in ("table", "patch", "link"):
            topic = self._topics.get(("link", told["link"]) if kind == "link" else ("table", told["table"]))
            if topic is not None:
                await self._take(topic, told)

    async def _take(self, topic: _Topic, told: State) -> None:
        """Take a new state, or a change of the one before; ask for the whole where the change follows another."""
        if told["type"] != "patch":
            topic.has_gap = False
        elif topic.has_gap:
            return
        elif topic.latest is None or topic.latest["version"] != told["after"]:
            topic.has_gap = True
            await self._send(self._watching(("table", str(told["table"]))))
            return
        else:
            assert topic.latest is not None
            told = _patched(topic.latest, told)
        async with topic.news:
            topic.latest, topic.count = told, topic.count + 1
            topic.news.notify_all()

    async def _wake_all(self) -> None:
        for topic in self._topics.values():
            async with topic.news:
                topic.news.notify_all()


# ---------------------------------------------------------------- HTTP with the standard library


def _server(address: str) -> str:
    """Return the address without a trailing slash."""
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConnectionError(f'"{address}" is not an address of a server: write it as in http://127.0.0.1:8000.')
    return address.rstrip("/")


class _Refusal(msgspec.Struct):
    code: str = ""
    message: str = ""
    rules: tuple[str, ...] = ()


def _http(method: str, url: str, token: str = "", body: dict[str, object] | None = None) -> object:
    headers = {} if body is None else {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310  as asked
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310  as above
            told: object = json.load(answer)
            return told
    except urllib.error.HTTPError as wrong:
        with wrong:
            text = wrong.read()
        try:
            said = msgspec.json.decode(text, type=_Refusal)
        except (msgspec.MsgspecError, UnicodeDecodeError):  # another kind of server refuses
            said = _Refusal()
        raise Refused(wrong.code, said.code, said.message or str(wrong.reason), said.rules) from None
    except urllib.error.URLError as wrong:
        raise ConnectionError(f"{url} cannot be reached: {wrong.reason}.") from None
    except ValueError:
        raise ConnectionError(f"{url} is not a Croupier server: it does not send JSON.") from None
