"""What serves people in one process: the house as it is on disk, those who follow it, and a way to ask it."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from croupier.floor.history.played_rounds import Past
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.house.writer import HouseStopped
from croupier.floor.live.broadcast import Broadcast
from croupier.floor.live.clocks import TableClocks
from croupier.floor.live.phases import PhaseMoments
from croupier.floor.records.commands import Answer, CameFrom, HouseCommand, Named
from croupier.floor.records.streams import PEOPLE, PLAYERS
from croupier.floor.records.tables import Table
from croupier.floor.views.account_views import asked_players
from croupier.jackpots.link import Case
from croupier.journal.store import Store


class LiveFloor(ABC):
    """The live side of a house: what has changed goes to everybody who watches it, each as they may see it."""

    house: CommittedState

    def __init__(self, name: str, house: CommittedState) -> None:
        self.name = name
        self.house = house
        self._cases_told: dict[str, tuple[Case, ...]] = {}
        self._links_closed: set[str] = set()
        self._bars_told = house.shown_memory.bars
        self._asked: set[str] = set()
        """Players who have been told that a payment waits for them."""
        self.counts = {"accepted": 0, "refused": 0, "break_glass": 0}
        """Answers of the house, and log-ins to break-glass accounts."""
        self._ids = itertools.count(1)
        self._boot = secrets.token_hex(6)

    def open_live_side(self, clocks: TableClocks, phases: PhaseMoments, open_reader: Callable[[], Store]) -> None:
        """Begin to take watchers; `open_reader` opens the store for those who look back."""
        self.broadcast = Broadcast(self.house, clocks, phases)
        self.past = Past(self.house, open_reader)

    @property
    @abstractmethod
    def is_behind(self) -> bool:
        """Whether another process may have opened a session that is not known here yet."""

    @abstractmethod
    async def ask(
        self, command: HouseCommand, command_id: str | None = None, personal: Named | CameFrom | None = None
    ) -> Answer:
        """Send a command to the house and return its answer, after it is durable."""

    @abstractmethod
    def forward(
        self, command: HouseCommand, command_id: str, answered: Callable[[Answer | HouseStopped], None]
    ) -> None:
        """Send a command to the house. `answered` gets its answer, after it is durable, in the turn of the loop that
        tells its news: no task waits for it. Raises HouseStopped.
        """

    @abstractmethod
    def now(self) -> int:
        """Return the house's time in microseconds since 1970, UTC."""

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

    def tell(self, streams: Iterable[str]) -> None:
        """Tell watchers what has changed on these streams, and on the tables and accounts that it concerns."""
        for stream in streams:
            kind, _, name = stream.partition("/")
            if kind == "table":
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
                self.broadcast.people_changed()
                self._tell_consents()

    def _tell_consents(self) -> None:
        """Tell players who are asked about a payment, and those whose question is over."""
        people = self.house.shown_people
        asked = asked_players(people, self.now()) if people.consents else set()
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

    # ---------------------------------------------------------------- watching

    @property
    def watching(self) -> int:
        """Return how many live connections there are."""
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

    def _leave_all(self) -> None:
        """End every live connection."""
        for watcher in list(self.broadcast.watchers):
            self.broadcast.leave(watcher)
