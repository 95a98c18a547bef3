"""The running floor: people's requests go to the writer, and what came of them goes to everybody who watches."""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

import msgspec

from croupier.floor.history.played_rounds import Past, to_prove
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import HouseClock, microseconds
from croupier.floor.house.witness import Witness
from croupier.floor.house.writer import Reply, Writer, give
from croupier.floor.live.broadcast import Broadcast
from croupier.floor.live.clocks import Clocks
from croupier.floor.live.command_figures import CommandFigures
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer, CameFrom, HouseCommand, Named, NoteClockStep, Request
from croupier.floor.records.committed_decks import Chance, Drawn
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.refusals import Code
from croupier.floor.records.streams import PEOPLE, PLAYERS
from croupier.floor.records.tables import Table
from croupier.floor.views.account_views import asked_players
from croupier.floor.views.round_views import RoundRecord
from croupier.jackpots.link import Case
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


class Floor:
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
        self.name, self._clock, self.witness = name, clock, witness
        self.house = House(store, chance or os_chance(), runs=runs, keys=keys)
        self.house.forget_leftovers(clock())
        self._loop = asyncio.get_running_loop()
        self._cases_told: dict[str, tuple[Case, ...]] = {}
        self._links_closed: set[str] = set()
        self._bars_told = self.house.shown_memory.bars
        self._moved_callbacks: list[Callable[[str], None]] = []
        self._asked: set[str] = set()
        """Players who have been told that a payment waits for them."""
        self._ids = itertools.count(1)
        self._boot = secrets.token_hex(6)
        self.stopped = asyncio.Event()
        self.failure: BaseException | None = None
        self.counts = {"accepted": 0, "refused": 0, "break_glass": 0}
        self.figures = CommandFigures()
        self.clocks = Clocks(self.house, self.ask, lambda name: self.broadcast.publish(f"table/{name}"))
        self.on_table_moved(self.clocks.look)
        self.broadcast = Broadcast(self.house, self.clocks)
        self._news: list[tuple[dict[str, int], int, int]] = []
        """What commits have changed and the loop does not know yet; the writer's thread appends, the loop takes."""
        self.past = Past(self.house, lambda: open_store(store.url, create=False, read_only=True))
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
        request = Request(command_id or self.new_id(), command, self.now(), personal)
        promised: asyncio.Future[Answer] = self._loop.create_future()
        started = perf_counter()
        self.writer.promise(request, promised)
        answer = await promised
        self.figures.answered(command, started, answer)
        if answer.code != Code.FAULT:
            return answer
        # What our own code says of itself may hold anything, a card too: it stays on the record of answers.
        _LOG.error("an internal error stopped one command", extra={"command": type(command).__name__, "id": request.id})
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

    async def past_answer(self, command_id: str) -> Answer | None:
        """Read the answer to an earlier command; None where this id was never used."""
        return await asyncio.to_thread(self.past.answered, command_id)

    def new_id(self) -> str:
        """Make an id for a command of the server itself."""
        return f"{self.name}-{self._boot}-{next(self._ids)}"

    def table(self, name: str) -> Table | None:
        """Return a table of this server, as it is on disk."""
        table = self.house.shown.get(name)
        return table if table is not None and table.ours else None

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
                self.broadcast.publish(f"pit/{name}")
                self.broadcast.publish(stream)
            elif kind == "link":
                self.broadcast.publish_meter(stream)
                self._publish_awards(name)
                self._publish_closing(name)
            elif kind == "account":
                self.broadcast.tell_account(name)
            elif stream == PLAYERS:
                self._publish_bars()
            elif stream == PEOPLE:
                self.broadcast.names_changed()
                self._disconnect_revoked()
                self._tell_consents()

    def _tell_consents(self) -> None:
        """Tell players who are asked about a payment, and those whose question is over."""
        people = self.house.shown_people
        asked = asked_players(people, self._clock()) if people.consents else set()
        for player in asked ^ self._asked:
            self.broadcast.tell_account(player)
        self._asked = asked

    def _publish_awards(self, link: str) -> None:
        """Publish tables whose awards have changed, and the accounts of the players who claim them."""
        cases = self.house.shown_links[link].cases
        before = self._cases_told.get(link, ())
        if cases == before:
            return
        self._cases_told[link] = cases
        moved = set(cases) ^ set(before)
        for table in {case.table for case in moved}:
            if table in self.house.shown:
                self.broadcast.publish(f"table/{table}")
        for player in {case.claim.player for case in moved}:
            self.broadcast.tell_account(player)

    def _publish_closing(self, link: str) -> None:
        """Publish the tables of a link that was closed or opened again, because other Bets may be placed there now."""
        if self.house.shown_links[link].closed == (link in self._links_closed):
            return
        self._links_closed ^= {link}
        for name, table in self.house.shown.items():
            if table.config.link == link:
                self.broadcast.publish(f"table/{name}")

    def _publish_bars(self) -> None:
        """Publish every table after a Player was barred or let in again: other Bets may be placed there now."""
        bars = self.house.shown_memory.bars
        if bars == self._bars_told:
            return
        self._bars_told = bars
        for name in self.house.shown:
            self.broadcast.publish(f"table/{name}")

    def on_table_moved(self, callback: Callable[[str], None]) -> None:
        """Register a callback for tables that have moved; clocks and bots use it."""
        self._moved_callbacks.append(callback)

    # ---------------------------------------------------------------- watching

    @property
    def watching(self) -> int:
        return len(self.broadcast.watchers)

    def disconnect(self, session: str) -> None:
        """Remove the watchers of a revoked session."""
        for watcher in list(self.broadcast.watchers):
            if watcher.session == session:
                self.broadcast.leave(watcher)

    def is_watching(self, session: str) -> bool:
        """Return whether a session has a live connection to this server."""
        return any(watcher.session == session for watcher in self.broadcast.watchers)

    def _disconnect_revoked(self) -> None:
        """Remove the watchers of sessions that this or another server has ended or locked."""
        sessions = self.house.shown_people.sessions
        for watcher in [one for one in self.broadcast.watchers if one.person is not None]:
            session = sessions.get(watcher.session)
            if session is None or session.locked:
                watcher.locked = session is not None
                self.broadcast.leave(watcher)

    async def stop(self) -> None:
        """Answer what has been asked, then close."""
        for watcher in list(self.broadcast.watchers):
            self.broadcast.leave(watcher)
        await asyncio.to_thread(self.writer.close)
        if self.witness is not None:
            await asyncio.to_thread(self.witness.stop)
        self.past.close()
        self.house.store.close()
