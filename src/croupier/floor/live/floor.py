"""The running floor: people's requests go to the writer, and what came of them goes to everybody who watches."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Protocol

import msgspec

from croupier.floor.history.award_payments import AwardPayments
from croupier.floor.history.pit_figures import FloorTally
from croupier.floor.history.played_rounds import to_prove
from croupier.floor.history.table_people import TablePeople
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import HouseClock, microseconds
from croupier.floor.house.witness import Witness
from croupier.floor.house.writer import HouseStopped, Reply, Writer, give
from croupier.floor.live.clocks import Clocks
from croupier.floor.live.command_figures import CommandFigures
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.live.phases import Phases
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer, CameFrom, HouseCommand, Named, NoteClockStep, Request
from croupier.floor.records.committed_decks import Chance, Drawn
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.refusals import Code
from croupier.floor.records.streams import PEOPLE
from croupier.floor.records.tables import Table
from croupier.floor.views.round_views import RoundRecord
from croupier.journal.store import Store
from croupier.journal.store_address import open_store

_LOG = logging.getLogger("croupier.floor")

AWAY = "the database is away"
"""Why no command can be taken while the house waits for its database."""

OUR_FAULT = "Internal error. Nothing was changed; the error was logged."


def our_fault(reference: str) -> str:
    """Tell a person that something failed, with the reference under which the log has it."""
    return f"{OUR_FAULT} Reference: {reference}."


CLOCK_LOOK = 1.0
"""Seconds between two looks at the machine's clock."""


def os_chance() -> Chance:
    """Make a chance from the entropy of the operating system."""
    return Chance(Drawn(secrets.token_bytes).below, secrets.token_bytes)


class Follower(Protocol):
    """A copy of the house in another process, and those who watch it there."""

    @property
    def watching(self) -> int:
        """Return how many live connections there are."""

    def told(self, streams: Iterable[str]) -> None:
        """Take note that a commit has changed these streams; called before its answers are given."""


class _PassedOn:
    """A promise whose answer is passed on at once."""

    def __init__(self, given: Callable[[Answer | HouseStopped], None]) -> None:
        self._given = given

    def done(self) -> bool:
        return False

    def set_result(self, result: Answer, /) -> None:
        self._given(result)

    def set_exception(self, exception: HouseStopped, /) -> None:
        self._given(exception)


class Floor(LiveFloor):
    """One server's floor: a house, its writer, its watchers and its clocks."""

    def __init__(
        self,
        store: Store,
        *,
        chance: Chance | None = None,
        name: str = "croupier",
        clock: Callable[[], int] = microseconds,
        runs: Callable[[str], bool] | None = None,
        witness: Witness | None = None,
        keys: Keys = NO_KEYS,
    ) -> None:
        """`runs` says which tables this server takes where several share a store; without it, all that are free. `keys`
        seal decks in play.
        """
        self._clock, self.witness = clock, witness
        house = House(store, chance or os_chance(), runs=runs, keys=keys)
        super().__init__(name, house)
        self.house: House = house
        self.house.forget_leftovers(clock())
        self._loop = asyncio.get_running_loop()
        self.followers: list[Follower] = []
        self._moved_callbacks: list[Callable[[str], None]] = []
        self.stopped = asyncio.Event()
        self.failure: BaseException | None = None
        self.figures = CommandFigures()
        self.clocks = Clocks(self.house, self.ask, self._clock_restarted)
        self.on_table_moved(self.clocks.look)
        self.phases = Phases(self.house, self.now)
        self.on_table_moved(self.phases.look)
        self.open_live_side(self.clocks, self.phases, lambda: open_store(store.url, create=False, read_only=True))
        self._news: list[tuple[dict[str, int], int, int]] = []
        """What commits have changed and the loop does not know yet; the writer's thread appends, the loop takes."""
        self.tally = FloorTally(self.past)
        self.table_people = TablePeople()
        self.award_payments = AwardPayments()
        for link, running in self.house.shown_links.items():
            self.tally.note_meter(link, running.cents, self.now())
        self.writer = Writer(
            self.house,
            deliver=self._deliver,
            answered=self._answered,
            failed=self._failed,
            moved=self._moved,
            back=self._back,
            clock=clock,
        )

    def proved_record(self, person: Person, table: Table, number: int) -> RoundRecord:
        """Return a round's record for this person, with proofs against the witness's checkpoints where it has any."""
        record = self.past.record_for(person, table, number)
        if self.witness is None:
            return record
        store = open_store(self.house.store.url, create=False, read_only=True)
        try:
            return msgspec.structs.replace(record, witness=self.witness.inclusion(store, to_prove(record)))
        finally:
            store.close()

    @property
    def is_behind(self) -> bool:
        return self.house.store.is_shared

    def problem(self) -> str:
        """Say why no command can be taken or no clock runs; empty where all is well."""
        if self.failure is not None:
            return "the house has stopped"
        if not self.writer.is_alive:
            return "the writer has ended"
        if self.writer.away is not None:
            return AWAY
        if self.clocks.ended:
            return "the clocks have ended"
        return ""

    # ---------------------------------------------------------------- asking

    async def ask(
        self, command: HouseCommand, command_id: str | None = None, personal: Named | CameFrom | None = None
    ) -> Answer:
        """Send a command to the house and return its answer, after it is durable."""
        request, started = Request(command_id or self.new_id(), command, self.now(), personal), perf_counter()
        promised: asyncio.Future[Answer] = self._loop.create_future()
        self.writer.promise(request, promised)
        return self._noted(request, started, await promised)

    def forward(
        self, command: HouseCommand, command_id: str, answered: Callable[[Answer | HouseStopped], None]
    ) -> None:
        request, started = Request(command_id, command, self.now()), perf_counter()

        def given(answer: Answer | HouseStopped) -> None:
            answered(self._noted(request, started, answer) if isinstance(answer, Answer) else answer)

        self.writer.promise(request, _PassedOn(given))

    def _noted(self, request: Request, started: float, answer: Answer) -> Answer:
        """Enter an answer among the figures; of an internal error say no more than its reference."""
        self.figures.answered(request.command, started, answer)
        if answer.code != Code.FAULT:
            return answer
        # What our own code says of itself may hold anything, a card too: it stays on the record of answers.
        kind = type(request.command).__name__
        _LOG.error("an internal error stopped one command", extra={"command": kind, "id": request.id})
        return Answer(accepted=False, code=Code.FAULT.value, message=our_fault(request.id))

    def now(self) -> int:
        """Return the house's time in microseconds since 1970, UTC."""
        return self._clock()

    async def watch_clock(self) -> None:
        """Put every step of the machine's clock on record, as long as the server runs."""
        while isinstance(self._clock, HouseClock):
            self._clock()
            for step in self._clock.take_steps():
                _LOG.warning("the machine's clock was set", extra={"seconds": step.by / 1e6})
                await self.ask(NoteClockStep(server=self.name, by=step.by, followed=step.is_followed))
            await asyncio.sleep(CLOCK_LOOK)

    # ---------------------------------------------------------------- telling

    def _deliver(self, replies: Sequence[Reply]) -> None:
        """Wake the loop once for all who wait, after the news; called by the writer's thread after a commit."""
        news, self._news = self._news, []
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hand_out, news, replies)

    def _hand_out(self, news: Sequence[tuple[dict[str, int], int, int]], replies: Sequence[Reply]) -> None:
        """Tell watchers what has changed, then answer: nobody has an answer before its news."""
        try:
            for told in news:
                self._tell(*told)
        finally:
            give(replies)

    def _answered(self, requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        """Note what a commit changed, to be told with its answers; called by the writer's thread after it."""
        heads: dict[str, int] = {}
        accepted = 0
        for answer in answers:
            heads.update(answer.heads)
            heads.update(answer.stood)
            accepted += answer.accepted
        self._news.append((heads, accepted, len(requests) - accepted))

    def _moved(self, streams: frozenset[str]) -> None:
        """Publish what another server has changed, and the tables it concerns; called by the writer's thread."""
        self._loop.call_soon_threadsafe(self._tell, dict.fromkeys(streams, 0), 0, 0)

    def _back(self) -> None:
        """Show the house as read anew after the database was away; called by the writer's thread."""
        self.past.connect_anew()
        self._loop.call_soon_threadsafe(self._tell_everybody)

    def _tell_everybody(self) -> None:
        """Send all watchers the present state, and say which tables another server has taken."""
        self.clocks.begin_anew()
        ours = [table.name for table in self.house.shown.values() if table.ours]
        self.broadcast.let_go(set(ours))
        streams = (*(f"table/{name}" for name in ours), *(f"link/{name}" for name in self.house.shown_links), PEOPLE)
        self._tell(dict.fromkeys(streams, 0), 0, 0)
        self.broadcast.tell_accounts()

    def _failed(self, why: BaseException) -> None:
        self.failure = why
        self._loop.call_soon_threadsafe(self.stopped.set)

    def _tell(self, heads: Mapping[str, int], accepted: int, refused: int) -> None:
        self.counts["accepted"] += accepted
        self.counts["refused"] += refused
        for stream in heads:
            kind, _, name = stream.partition("/")
            if kind == "table":
                for moved in self._moved_callbacks:
                    moved(name)
            elif kind == "link":
                self.tally.note_meter(name, self.house.shown_links[name].cents, self.now())
        self.tell(heads)
        for follower in self.followers:
            follower.told(heads)

    def _clock_restarted(self, name: str) -> None:
        """Show the clock of a table that counts down the same phase once more."""
        stream = f"table/{name}"
        self.broadcast.publish(stream)
        for follower in self.followers:
            follower.told((stream,))

    @property
    def watching(self) -> int:
        """Return how many live connections there are, those of the fronts too."""
        return super().watching + sum(follower.watching for follower in self.followers)

    def on_table_moved(self, callback: Callable[[str], None]) -> None:
        """Register a callback for tables that have moved; clocks and bots use it."""
        self._moved_callbacks.append(callback)

    async def stop(self) -> None:
        """Answer what has been asked, then close."""
        self._leave_all()
        await asyncio.to_thread(self.writer.close)
        if self.witness is not None:
            await asyncio.to_thread(self.witness.stop)
        self.past.close()
        self.house.store.close()
