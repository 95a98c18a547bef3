"""The floor of a front: a copy of the committed state, those who follow it here, and a connection to the house."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from croupier.floor.fronts import protocol
from croupier.floor.fronts.copied_state import CopiedState
from croupier.floor.house.writer import HouseAway, HouseStopped
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.records.commands import Answer, CameFrom, HouseCommand, Named
from croupier.floor.records.streams import CASHIER
from croupier.journal.store import Store
from croupier.ledger import accounts

_LOG = logging.getLogger("croupier.server")
AGAIN = 0.05
"""Seconds between two attempts to reach the house."""
COUNTED_EVERY = 1.0
"""Seconds between two looks at how many live connections there are."""


_GONE = "The house is being started again."


class HouseGone(HouseAway):
    """The house cannot be reached from this front; it is being started again."""


class Front(LiveFloor):
    """The live side of a house in a process of its own. It shows what the house has committed, and judges nothing."""

    house: CopiedState

    def __init__(self, name: str, door: Path, open_reader: Callable[[], Store]) -> None:
        """`door` is the Unix socket of the house."""
        copied = CopiedState()
        super().__init__(name, copied)
        self.house = copied
        self.open_live_side(copied.clocks, copied.phases, open_reader)
        self._door = door
        self._line: protocol.Line[protocol.FromHouse] | None = None
        self._numbers = itertools.count(1)
        self._answers: dict[int, Callable[[Answer | HouseStopped], None]] = {}
        """What gets the answer of each command that is under way."""
        self._replies: dict[int, asyncio.Future[protocol.Replied]] = {}
        self._ended = asyncio.Event()
        self.met = asyncio.Event()
        """Set once the house has told everything."""
        self._is_met = False

    @property
    def is_behind(self) -> bool:
        return True

    def now(self) -> int:
        return self.house.now()

    # ---------------------------------------------------------------- the house

    async def follow(self) -> None:
        """Follow the house until cancelled, and meet it again after it was gone."""
        counting = asyncio.create_task(self._count())
        try:
            while True:
                self._ended.clear()
                with contextlib.suppress(OSError):
                    await self._connect()
                    await self._ended.wait()
                await asyncio.sleep(AGAIN)
        finally:
            counting.cancel()

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        _, line = await loop.create_unix_connection(
            lambda: protocol.Line[protocol.FromHouse](protocol.FROM_HOUSE, self._take, self._lost), str(self._door)
        )
        self._line = line

    async def _count(self) -> None:
        """Tell the house how many live connections there are, where that has changed."""
        told: tuple[protocol.Line[protocol.FromHouse] | None, int] = (None, 0)
        while True:
            await asyncio.sleep(COUNTED_EVERY)
            if self._is_met and self._line is not None and told != (self._line, self.watching):
                told = (self._line, self.watching)
                self._line.send(protocol.framed(protocol.Watching(self.watching)))

    def _lost(self) -> None:
        """Tell those who wait that the house is gone: the same id tells later what was done."""
        self._line, self._is_met = None, False
        answers, replies = tuple(self._answers.values()), tuple(self._replies.values())
        self._answers.clear()
        self._replies.clear()
        for answered in answers:
            answered(HouseGone(_GONE))
        for future in replies:
            if not future.done():
                future.set_exception(HouseGone(_GONE))
        self._ended.set()

    def _take(self, message: protocol.FromHouse) -> None:
        match message:
            case protocol.News():
                self._hear(message)
            case protocol.Answered(number=number, answer=answer):
                if (answered := self._answers.pop(number, None)) is not None:
                    answered(HouseAway("The house has stopped.") if answer is None else answer)
            case protocol.Replied(number=number):
                if (called := self._replies.pop(number, None)) is not None and not called.done():
                    called.set_result(message)

    def _hear(self, news: protocol.News) -> None:
        """Take over what has changed, then tell those who follow it: the answers come after."""
        self.house.apply(news)
        if news.is_whole:
            if self.met.is_set():
                _LOG.warning("the house is back")
            self._is_met = True
            self.met.set()
        self.tell(news.streams)
        if news.is_whole:
            self.broadcast.tell_accounts()
            return
        booked = news.balances if CASHIER in news.streams else ()
        players = {account.removeprefix(accounts.player("")) for account in booked}
        for player in players.union(() if news.people is None else news.people.play):
            self.broadcast.tell_account(player)

    # ---------------------------------------------------------------- asking

    async def ask(
        self, command: HouseCommand, command_id: str | None = None, personal: Named | CameFrom | None = None
    ) -> Answer:
        assert personal is None, "what is personal goes to the house over HTTP"
        promised: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def answered(answer: Answer | HouseStopped) -> None:
            if promised.done():
                return
            if isinstance(answer, Answer):
                promised.set_result(answer)
            else:
                promised.set_exception(answer)

        self.forward(command, command_id or self.new_id(), answered)
        return await promised

    def forward(
        self, command: HouseCommand, command_id: str, answered: Callable[[Answer | HouseStopped], None]
    ) -> None:
        line, number = self._house_line(), next(self._numbers)
        self._answers[number] = answered
        line.send(protocol.framed(protocol.Ask(number, command_id, command)))

    async def call(self, call: protocol.Call) -> protocol.Replied:
        """Let the house answer a request; raises HouseGone where it cannot."""
        line, number = self._house_line(), next(self._numbers)
        promised: asyncio.Future[protocol.Replied] = asyncio.get_running_loop().create_future()
        self._replies[number] = promised
        line.send(protocol.framed(msgspec.structs.replace(call, number=number)))
        return await promised

    def _house_line(self) -> protocol.Line[protocol.FromHouse]:
        if self._line is None or not self._is_met:
            raise HouseGone(_GONE)
        return self._line

    def use(self, session: str) -> None:
        """Tell the house that a session was used."""
        if self._line is not None and self._is_met:
            self._line.send(protocol.framed(protocol.Used(session)))

    def stop(self) -> None:
        """End every live connection and the one to the house."""
        self._leave_all()
        if self._line is not None:
            self._line.close()
        self.past.close()
