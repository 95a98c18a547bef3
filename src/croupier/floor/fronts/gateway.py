"""The house's side of its fronts: commands in, news of every commit and then its answers out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Awaitable, Callable, Iterable

from croupier.floor.fronts import protocol
from croupier.floor.fronts.state_news import StateNews
from croupier.floor.house.writer import HouseStopped
from croupier.floor.live.floor import Floor
from croupier.floor.records.commands import Answer

_LOG = logging.getLogger("croupier.server")

UNREAD_MOST = 64 * 2**20
"""Bytes that a front may leave unread; past that its connection is ended, and it begins anew."""
FINISHES_WITHIN = 2.0
"""Seconds that what was asked may take when the house closes."""


class FrontDoor:
    """The fronts of one house. All of them follow every commit; each gets the answers to what it asked."""

    def __init__(
        self, floor: Floor, reply: Callable[[protocol.Call], Awaitable[protocol.Replied]], used: Callable[[str], None]
    ) -> None:
        """`reply` answers a request over HTTP, `used` notes that a session was used."""
        self._floor, self._reply, self._used = floor, reply, used
        self._news = StateNews(floor)
        self._lines: dict[protocol.Line[protocol.FromFront], int] = {}
        """The fronts, and how many live connections each has."""
        self._working: set[asyncio.Task[None]] = set()
        self._unanswered = 0
        """Commands of fronts that the house has not answered yet."""
        self._all_answered = asyncio.Event()
        self._all_answered.set()
        self._server: asyncio.AbstractServer | None = None
        floor.followers.append(self)

    @property
    def watching(self) -> int:
        """Return how many live connections the fronts have."""
        return sum(self._lines.values())

    async def open(self, listening: socket.socket) -> None:
        """Take fronts at a Unix socket."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(lambda: _FrontLine(self), sock=listening)

    async def close(self) -> None:
        """Finish what was asked, then end every connection."""
        if self._server is not None:
            self._server.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FINISHES_WITHIN):
                await self._all_answered.wait()
                if self._working:
                    await asyncio.wait(self._working)
        for task in tuple(self._working):
            task.cancel()
        for line in tuple(self._lines):
            line.close()

    def welcome(self, line: protocol.Line[protocol.FromFront]) -> None:
        """Send a front everything, and from now on what changes."""
        self._lines[line] = 0
        line.send(protocol.framed(self._news.whole()))

    def part(self, line: protocol.Line[protocol.FromFront]) -> None:
        """Forget a front; what it has asked is done, and nobody waits for the answer."""
        self._lines.pop(line, None)

    def told(self, streams: Iterable[str]) -> None:
        """Send news of a commit to every front; called before its answers are given."""
        news = self._news.since(streams)
        if not self._lines:
            return
        frame = protocol.framed(news)
        for line in tuple(self._lines):
            if line.unread > UNREAD_MOST:
                _LOG.warning("a front did not read what the house sent, and begins anew")
                line.abort()
            else:
                line.send(frame)

    def take(self, line: protocol.Line[protocol.FromFront], message: protocol.FromFront) -> None:
        """Do what a front asks."""
        match message:
            case protocol.Ask():
                self._ask(line, message)
            case protocol.Call():
                self._respond_later(line, message)
            case protocol.Used(session=session):
                self._used(session)
            case protocol.Watching(connections=connections):
                self._lines[line] = connections

    def _ask(self, line: protocol.Line[protocol.FromFront], asked: protocol.Ask) -> None:
        """Forward a command to the house, and its answer to the front."""
        number = asked.number

        def answered(answer: Answer | HouseStopped) -> None:
            line.send(protocol.framed(protocol.Answered(number, answer if isinstance(answer, Answer) else None)))
            self._unanswered -= 1
            if not self._unanswered:
                self._all_answered.set()

        self._unanswered += 1
        self._all_answered.clear()
        try:
            self._floor.forward(asked.command, asked.id, answered)
        except HouseStopped as stopped:
            answered(stopped)

    def _respond_later(self, line: protocol.Line[protocol.FromFront], call: protocol.Call) -> None:
        task = asyncio.create_task(self._respond(line, call))
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def _respond(self, line: protocol.Line[protocol.FromFront], call: protocol.Call) -> None:
        line.send(protocol.framed(await self._reply(call)))


class _FrontLine(protocol.Line[protocol.FromFront]):
    """The connection of one front."""

    def __init__(self, door: FrontDoor) -> None:
        super().__init__(protocol.FROM_FRONT, lambda message: door.take(self, message), lambda: door.part(self))
        self._door = door

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._door.welcome(self)
