"""A served house for tests: a real server on a free port, one person of every post, and a way behind the counter."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import httpx
import msgspec
import uvicorn
from litestar import Litestar
from litestar.types import ASGIApp
from websockets.sync.client import ClientConnection, connect

from croupier.floor.duties.permissions import Post
from croupier.floor.fronts.front import Front
from croupier.floor.fronts.gateway import FrontDoor
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.live.floor import Floor
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer, BuyIn, HouseCommand, OpenLink, OpenTable, SetDuties, TableConfig
from croupier.floor.records.committed_decks import Chance
from croupier.floor.records.keys import keys_of
from croupier.floor.server.front_app import make_front_app
from croupier.floor.server.http_limits import HeadAsGet, listening_config
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.process.serve import used_sessions
from croupier.floor.server.relay import HouseRelay, RelayedCalls
from croupier.floor.server.settings import Settings
from croupier.floor.server.telemetry.logs import Logged, RequestFigures
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.records import Record
from croupier.journal.store_address import open_store
from croupier.money import money
from tests.applications import IDLE, make_app
from tests.patience import PATIENCE

T = TypeVar("T")
_IDS = count(1)

CHEAP = 2**4
"""scrypt's cost in tests: many people log in, and none of their passwords is a secret."""
KEYS = keys_of(bytes(range(32)))

THROUGH_A_FRONT = bool(os.environ.get("CROUPIER_TEST_FRONTS"))
"""Whether people of every served house come in at a front."""

QUIET = 3600
"""Seconds on every clock of a test table: nothing happens by itself."""


def quiet(game: str = "rws-multilink-holdem", *, physical: bool = False, staffed: bool = True) -> TableConfig:
    """A table at which only people act."""
    return TableConfig(
        game=game,
        link="main",
        physical=physical,
        staffed=staffed,
        betting_seconds=QUIET,
        deciding_seconds=QUIET,
        pause_seconds=QUIET,
    )


@contextmanager
def application(floor: Floor, settings: Settings, requests: RequestFigures) -> Iterator[Litestar]:
    """An application of this house, for the next house after it."""
    made = make_app(floor, settings, keys=KEYS, cost=CHEAP, requests=requests)
    yield made
    IDLE.append(made)


class Served:
    """A house, served: `http` and `live` come in by the front door, `ask` and `records` look behind the counter."""

    def __init__(
        self,
        folder: Path,
        tables: dict[str, TableConfig] | None = None,
        *,
        settings: Settings | None = None,
        chance: Chance | None = None,
        url: str | None = None,
        fronts: bool = THROUGH_A_FRONT,
        clock: Callable[[], int] = microseconds,
    ) -> None:
        """With a file of its own in `folder`, or at a database that others may share; with `fronts` people come in at
        a front, whose copy of the house is another than the house.
        """
        self._folder, self._fronts = folder, fronts and url is None
        self._url = url or f"sqlite:///{folder / 'house.db'}"
        self._tables = {"T1": quiet()} if tables is None else tables
        self._settings, self._chance, self._clock = settings or Settings(), chance, clock
        self._ready = threading.Event()
        self._wrong: BaseException | None = None
        self.tokens: dict[Post, str] = {}

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run, name="served", daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE), "the server has started"
        if self._wrong is not None:
            raise self._wrong
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the server has stopped"

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as wrong:  # noqa: BLE001  it is raised where the test waits
            self._wrong = wrong
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.floor = Floor(open_store(self._url), chance=self._chance, keys=KEYS, clock=self._clock)
        await self._furnish()
        # With its protocol named, so that asyncio sends small answers at once.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.bind(("127.0.0.1", 0))
        self.port: int = listening.getsockname()[1]
        requests = RequestFigures()
        with application(self.floor, self._settings, requests) as made:
            self.app = made
            logged: ASGIApp = Logged(HeadAsGet(made), requests)
            if self._fronts:
                await self._serve_front(made, logged, listening)
                return
            self.server = uvicorn.Server(listening_config(logged, self._settings.trusted_proxies))
            serving = asyncio.create_task(self.server.serve(sockets=[listening]))
            while not self.server.started:  # noqa: ASYNC110  uvicorn sets a flag
                await asyncio.sleep(0.001)
            self._ready.set()
            await serving
        await self.floor.stop()

    async def _serve_front(self, app: Litestar, logged: ASGIApp, listening: socket.socket) -> None:
        async with app.lifespan():
            self.sessions: Sessions = app.state.sessions
            self.door = FrontDoor(self.floor, RelayedCalls(logged), used_sessions(self.floor, self.sessions))
            self._door_path = self._folder / "door"
            await self._open_door()
            reader = partial(open_store, self._url, create=False, read_only=True)
            self.front = Front("front", self._door_path, reader)
            self.front.house.keys = KEYS
            following = asyncio.create_task(self.front.follow())
            await self.front.met.wait()
            served = HouseRelay(
                Logged(HeadAsGet(make_front_app(self.front, self._settings, reader)), RequestFigures()), self.front
            )
            self.server = uvicorn.Server(listening_config(served, self._settings.trusted_proxies))
            serving = asyncio.create_task(self.server.serve(sockets=[listening]))
            while not self.server.started:  # noqa: ASYNC110  uvicorn sets a flag
                await asyncio.sleep(0.01)
            self._ready.set()
            await serving
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            self.front.stop()
            await self.door.close()
        await self.floor.stop()

    async def _furnish(self) -> None:
        floor, doors = self.floor, Sessions(self.floor, cost=CHEAP)
        if floor.house.people.duties != self._settings.duties:
            await floor.ask(SetDuties(duties=self._settings.duties, by="server croupier"))
        if "main" not in floor.house.links:
            parameters = Parameters(reset=money("1000.00"), contribution=Rate(1, 5))
            await floor.ask(OpenLink(link="main", meter=money("5000.00"), parameters=parameters))
        for name, config in self._tables.items():
            if name not in floor.house.tables:
                answer = await floor.ask(OpenTable(table=name, config=config))
                assert answer.accepted, answer.message
        for post in Post:
            if post.value not in floor.house.people.persons:
                await doors.enrol(post.value, post, "")
                if post is Post.PLAYER:
                    await floor.ask(BuyIn(player=post.value, amount=money("100000.00")))
            self.tokens[post], _ = await doors.open_session(self.person(post))

    async def _open_door(self) -> None:
        self._door_path.unlink(missing_ok=True)
        at = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        at.bind(str(self._door_path))
        await self.door.open(at)

    async def _break_line(self) -> None:
        line = self.front._line
        assert line is not None, "the front follows the house"
        line.abort()
        while self.front._line is line:  # noqa: ASYNC110  the loop ends the connection in its next turn
            await asyncio.sleep(0)

    async def _close_door(self) -> None:
        await self.door.close()
        while self.front._line is not None:  # noqa: ASYNC110  as above
            await asyncio.sleep(0.001)
        self._door_path.unlink(missing_ok=True)

    def break_line(self) -> None:
        """End the connection between front and house; the front connects again by itself."""
        self.run(self._break_line())

    def close_door(self) -> None:
        """Take the house away from its front."""
        self.run(self._close_door())

    def open_door(self) -> None:
        """Give the house back."""
        self.run(self._open_door())

    # ---------------------------------------------------------------- behind the counter

    def person(self, post: Post) -> Person:
        """Whoever holds this post; he is named after it."""
        return self.floor.house.people.persons[post.value]

    def enrol(self, name: str, post: Post, password: str) -> None:
        """Past every door."""
        self.run(Sessions(self.floor, cost=CHEAP).enrol(name, post, password))

    def run(self, coroutine: Coroutine[object, object, T]) -> T:
        """On the server's own loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    def ask(self, command: HouseCommand) -> Answer:
        """Past every door."""
        return self.run(self.floor.ask(command))

    def records(self, stream: str) -> Sequence[Record]:
        """What lies on disk."""
        store = open_store(self._url, read_only=True)
        try:
            return list(store.read(stream))
        finally:
            store.close()

    # ---------------------------------------------------------------- by the front door

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def http(self, post: Post | None = None) -> httpx.Client:
        """A client of somebody who is logged in, or of nobody."""
        return self.client({} if post is None else {"authorization": f"Bearer {self.tokens[post]}"})

    def client(self, headers: Mapping[str, str]) -> httpx.Client:
        """A client with these headers. It reads no certificates, which would take longer than most requests."""
        return httpx.Client(base_url=f"http://{self.address}", headers=headers, timeout=PATIENCE, verify=False)

    def step(self, post: Post, do: str, table: str = "T1", **fields: object) -> dict[str, object]:
        """A step at a table with an id of its own, and what it was answered."""
        with self.http(post) as client:
            sent = {"do": do, "id": f"served-{next(_IDS)}", **fields}
            told = client.post(f"/api/tables/{table}/commands", json=sent).json()
        assert isinstance(told, dict)
        return told

    def pay(self, kind: str, player: str, amount: str, **more: object) -> httpx.Response:
        """A buy-in or cash-out by the cage, under an id of its own."""
        with self.http(Post.CAGE) as client:
            sent = {"player": player, "amount": amount, "id": f"paid-{next(_IDS)}", **more}
            return client.post(f"/api/cashier/{kind}", json=sent)

    def confirm(self, paid: httpx.Response, post: Post = Post.PLAYER) -> httpx.Response:
        """The player confirms what the cage has asked."""
        assert paid.status_code == 202, paid.text
        with self.http(post) as client:
            return client.post(f"/api/consents/{paid.json()['consent']}/confirm")

    def live(self, post: Post | None = None) -> Live:
        """A live connection of somebody who is logged in, or of nobody."""
        return Live(self.address, {} if post is None else {"Authorization": f"Bearer {self.tokens[post]}"})


class HeldLine:
    """A line that takes so many messages and keeps them."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.sent: list[bytes] = []
        self.takes_again: Callable[[], None] | None = None

    def send_message(self, message: bytes) -> bool:
        if not self.room:
            return False
        self.room -= 1
        self.sent.append(message)
        return True


class Live:
    """One live connection."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        self._connect = connect(f"ws://{address}/api/live", additional_headers=headers, open_timeout=PATIENCE)

    def __enter__(self) -> Self:
        self.connection: ClientConnection = self._connect.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._connect.__exit__(kind, value, at)

    def send(self, message: object) -> None:
        self.connection.send(msgspec.json.encode(message).decode())

    def receive(self, seconds: float = PATIENCE) -> dict[str, object]:
        told = msgspec.json.decode(self.connection.recv(timeout=seconds))
        assert isinstance(told, dict)
        return told

    def ask(self, message: object) -> dict[str, object]:
        """The answer to a message; what else comes meanwhile is passed over."""
        self.send(message)
        while (told := self.receive()).get("type") not in ("answer", "pong"):
            pass
        return told
