"""The house's side of its fronts: commands in, news of every commit and then its answers out."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Iterable

from croupier.floor.fronts.protocol import (
    FROM_FRONT,
    Answered,
    Ask,
    Call,
    FromFront,
    Line,
    Replied,
    Used,
    Watching,
    framed,
)
from croupier.floor.fronts.state_news import StateNews
from croupier.floor.house.writer import HouseStopped
from croupier.floor.live.floor import Floor

_LOG = logging.getLogger("croupier.server")

UNREAD_MOST = 64 * 2**20
"""Bytes that a front may leave unread; past that its connection is ended, and it begins anew."""


FINISHES_WITHIN = 2.0
"""Seconds that what was asked may take when the house closes."""


class FrontDoor:
    """The fronts of one house. All of them follow every commit; each gets the answers to what it asked."""

    def __init__(self, floor: Floor, reply: Callable[[Call], Awaitable[Replied]], used: Callable[[str], None]) -> None:
        """`reply` answers a request over HTTP, `used` notes that a session was used."""
        self._floor, self._reply, self._used = floor, reply, used
        self._news = StateNews(floor)
        self._lines: dict[Line[FromFront], int] = {}
        """The fronts, and how many live connections each has."""
        self._working: set[asyncio.Task[None]] = set()
        self._server: asyncio.AbstractServer | None = None
        floor.followers.append(self)

    @property
    def watching(self) -> int:
        """Return how many live connections the fronts have."""
        return sum(self._lines.values())

    async def open(self, listening: socket.socket) -> None:
        """Take fronts at a Unix socket."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(self._meet, sock=listening)

    async def close(self) -> None:
        """Finish what was asked, then end every connection."""
        if self._server is not None:
            self._server.close()
        if self._working:
            await asyncio.wait(self._working, timeout=FINISHES_WITHIN)
        for task in tuple(self._working):
            task.cancel()
        for line in tuple(self._lines):
            line.close()

    def _meet(self) -> Line[FromFront]:
        return _FrontLine(self)

    def welcome(self, line: Line[FromFront]) -> None:
        """Send a front everything, and from now on what changes."""
        self._lines[line] = 0
        line.send(framed(self._news.whole()))

    def part(self, line: Line[FromFront]) -> None:
        """Forget a front; what it has asked is done, and nobody waits for the answer."""
        self._lines.pop(line, None)

    def told(self, streams: Iterable[str]) -> None:
        """Send news of a commit to every front; called before its answers are given."""
        news = self._news.since(streams)
        if not self._lines:
            return
        frame = framed(news)
        for line in tuple(self._lines):
            if line.unread > UNREAD_MOST:
                _LOG.warning("a front did not read what the house sent, and begins anew")
                line.abort()
            else:
                line.send(frame)

    def take(self, line: Line[FromFront], message: FromFront) -> None:
        """Do what a front asks."""
        match message:
            case Ask():
                self._work(self._answer(line, message))
            case Call():
                self._work(self._respond(line, message))
            case Used(session=session):
                self._used(session)
            case Watching(connections=connections):
                self._lines[line] = connections

    def _work(self, doing: Awaitable[None]) -> None:
        task = asyncio.ensure_future(doing)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def _answer(self, line: Line[FromFront], asked: Ask) -> None:
        try:
            answer = await self._floor.ask(asked.command, asked.id)
        except HouseStopped:
            line.send(framed(Answered(asked.number, None)))
        else:
            line.send(framed(Answered(asked.number, answer)))

    async def _respond(self, line: Line[FromFront], call: Call) -> None:
        line.send(framed(await self._reply(call)))


class _FrontLine(Line[FromFront]):
    """The connection of one front."""

    def __init__(self, door: FrontDoor) -> None:
        super().__init__(FROM_FRONT, lambda message: door.take(self, message), lambda: door.part(self))
        self._door = door

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._door.welcome(self)
