"""The running floor: people's requests go to the writer, and what came of them goes to everybody who watches."""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence

import msgspec

from croupier.floor.duties.permissions import Post
from croupier.floor.history.pit_figures import FloorTally
from croupier.floor.history.played_rounds import Past, to_prove
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import HouseClock, microseconds
from croupier.floor.house.witness import Witness
from croupier.floor.house.writer import Reply, Writer, give
from croupier.floor.live.clocks import Clocks
from croupier.floor.live.phases import Phases
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer, CameFrom, HouseCommand, Named, NoteClockStep, Request
from croupier.floor.records.committed_decks import Chance, Drawn
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.refusals import Code
from croupier.floor.records.streams import PEOPLE, PLAYERS
from croupier.floor.records.tables import Table
from croupier.floor.views.account_views import account_view, asked_players
from croupier.floor.views.award_views import link_view
from croupier.floor.views.live_messages import (
    AccountMessage,
    LinkMessage,
    PitMessage,
    ServerMessage,
    TableMessage,
    answer_message,
)
from croupier.floor.views.round_views import RoundRecord
from croupier.floor.views.structs import extended
from croupier.floor.views.table_views import ServerClock, live_view, viewer_key
from croupier.floor.views.terms_views import floor_table
from croupier.jackpots.link import Case
from croupier.journal.store import Store
from croupier.journal.store_address import open_store

_LOG = logging.getLogger("croupier.floor")

AWAY = "the database is away"
"""Why no command can be taken while the house waits for its database."""

OUR_FAULT = "Internal error. Nothing was changed; the error was logged."

CLOCK_LOOK = 1.0
"""Seconds between two looks at the machine's clock."""
QUEUE = 64
"""Messages that may wait for a slow watcher; past that the watcher gets a fresh state instead."""


WATCHES_MOST = 1000
"""Tables and links that one connection follows, where nothing else is set."""

PIT = "pit"
"""Who follows this follows every table's line in the lobby."""

UNREAD = 1000
"""Answers that may wait for a watcher; past that it is disconnected."""


def os_chance() -> Chance:
    """Make a chance from the entropy of the operating system."""
    return Chance(Drawn(secrets.token_bytes).below, secrets.token_bytes)


class Watcher:
    """A connection that follows tables and links."""

    def __init__(self, person: Person | None, session: str = "") -> None:
        """`session` is the hash of the token of the connection."""
        self.person, self.session = person, session
        self.follows: set[str] = set()
        """Tables and links by their topics, and the whole floor as `PIT`."""
        self.follows_most = WATCHES_MOST
        self._waiting: deque[bytes] = deque()
        self._stale: set[str] = set()
        self._wake = asyncio.Event()
        self.closed = False
        self.locked = False
        """It was closed because its session was locked, not because that is over."""

    def answer(self, message: bytes) -> None:
        """Queue an answer, however slow the watcher is; one that asks and never reads is disconnected."""
        self._waiting.append(message)
        if len(self._waiting) > UNREAD:
            self.close()
        self._wake.set()

    def put(self, topic: str, message: bytes) -> None:
        """Queue a message for this watcher; a slow one loses messages of a topic, never its latest state."""
        if len(self._waiting) >= QUEUE:
            self._stale.add(topic)
        else:
            self._waiting.append(message)
        self._wake.set()

    def close(self) -> None:
        self.closed = True
        self._wake.set()

    async def messages(self, snapshot: Callable[[str], bytes]) -> AsyncIterator[bytes]:
        """Yield what to send, in order; `snapshot` makes a fresh message of a topic whose messages were dropped."""
        while not self.closed:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting and not self.closed:
                yield self._waiting.popleft()
            while self._stale and not self.closed:
                yield snapshot(self._stale.pop())


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
        self._watchers: set[Watcher] = set()
        self._followers: dict[str, dict[Watcher, None]] = {}
        """Who follows what: a table that moves does not ask everybody on the floor."""
        self.link_pause = 0.25
        """Seconds between two messages about one meter."""
        self._links_told: dict[str, float] = {}
        self._cases_told: dict[str, tuple[Case, ...]] = {}
        self._links_closed: set[str] = set()
        self._bars_told = self.house.shown_memory.bars
        self._links_waiting: dict[str, asyncio.TimerHandle] = {}
        self._moved_callbacks: list[Callable[[str], None]] = []
        self._asked: set[str] = set()
        """Players who have been told that a payment waits for them."""
        self._ids = itertools.count(1)
        self._boot = secrets.token_hex(6)
        self.stopped = asyncio.Event()
        self.failure: BaseException | None = None
        self.counts = {"accepted": 0, "refused": 0, "break_glass": 0}
        self.clocks = Clocks(self.house, self.ask, lambda name: self.publish(f"table/{name}"))
        self.on_table_moved(self.clocks.look)
        self.phases = Phases(self.house, self.now)
        self.on_table_moved(self.phases.look)
        self.past = Past(self.house, lambda: open_store(store.url, create=False, read_only=True))
        self.tally = FloorTally(self.past)
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
        self.writer.promise(request, promised)
        answer = await promised
        if answer.code != Code.FAULT:
            return answer
        # What our own code says of itself may hold anything, a card too: it stays on the record of answers.
        _LOG.error("an internal error stopped one command", extra={"command": type(command).__name__})
        return Answer(accepted=False, code=Code.FAULT.value, message=OUR_FAULT)

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
        """Wake the loop once for all who wait; called by the writer's thread after a commit."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(give, replies)

    def _answered(self, requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        """Publish what a commit changed; called by the writer's thread after it."""
        heads: dict[str, int] = {}
        accepted = 0
        for answer in answers:
            heads.update(answer.heads)
            heads.update(answer.stood)
            accepted += answer.accepted
        self._loop.call_soon_threadsafe(self._tell, heads, accepted, len(requests) - accepted)

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
        for topic in [topic for topic in self._followers if topic.startswith("table/")]:
            if topic.removeprefix("table/") not in ours:
                self._let_go(topic)
        streams = (*(f"table/{name}" for name in ours), *(f"link/{name}" for name in self.house.shown_links), PEOPLE)
        self._tell(dict.fromkeys(streams, 0), 0, 0)
        for watcher in self._watchers:
            if watcher.person is not None and watcher.person.post is Post.PLAYER:
                self.tell_account(watcher.person.name)

    def _let_go(self, topic: str) -> None:
        """Tell the followers of a table that another server runs it now, and end their subscription."""
        name = topic.removeprefix("table/")
        told = Answer(accepted=False, code="table_elsewhere", message=f"Table {name} is run by another server.")
        message = msgspec.json.encode(answer_message(None, told, name))
        for watcher in tuple(self._followers.get(topic, ())):
            watcher.answer(message)
            self.unfollow(watcher, topic)

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
                self.publish(f"pit/{name}")
                self.publish(stream)
            elif kind == "link":
                self.tally.note_meter(name, self.house.shown_links[name].cents, self.now())
                self._publish_link(stream)
                self._publish_awards(name)
                self._publish_closing(name)
            elif kind == "account":
                self.tell_account(name)
            elif stream == PLAYERS:
                self._publish_bars()
            elif stream == PEOPLE:
                self._disconnect_revoked()
                self._tell_consents()

    def _tell_consents(self) -> None:
        """Tell players who are asked about a payment, and those whose question is over."""
        people = self.house.shown_people
        asked = asked_players(people, self._clock()) if people.consents else set()
        for player in asked ^ self._asked:
            self.tell_account(player)
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
                self.publish(f"table/{table}")
        for player in {case.claim.player for case in moved}:
            self.tell_account(player)

    def _publish_closing(self, link: str) -> None:
        """Publish the tables of a link that was closed or opened again, because other Bets may be placed there now."""
        if self.house.shown_links[link].closed == (link in self._links_closed):
            return
        self._links_closed ^= {link}
        for name, table in self.house.shown.items():
            if table.config.link == link:
                self.publish(f"table/{name}")

    def _publish_bars(self) -> None:
        """Publish every table after a Player was barred or let in again: other Bets may be placed there now."""
        bars = self.house.shown_memory.bars
        if bars == self._bars_told:
            return
        self._bars_told = bars
        for name in self.house.shown:
            self.publish(f"table/{name}")

    def _publish_link(self, topic: str) -> None:
        """Publish a meter at once, then at most once per `link_pause` however fast it moves."""
        now = self._loop.time()
        due = self._links_told.get(topic, -self.link_pause) + self.link_pause
        if now < due and topic not in self._links_waiting:
            self._links_waiting[topic] = self._loop.call_at(due, self._link_due, topic)
        elif now >= due:
            self._links_told[topic] = now
            self.publish(topic)

    def _link_due(self, topic: str) -> None:
        self._links_waiting.pop(topic, None)
        self._links_told[topic] = self._loop.time()
        self.publish(topic)

    def on_table_moved(self, callback: Callable[[str], None]) -> None:
        """Register a callback for tables that have moved; clocks and bots use it."""
        self._moved_callbacks.append(callback)

    def publish(self, topic: str) -> None:
        """Send the state of a topic to its watchers, each as they may see it; encoded once for equal views."""
        encoded: dict[str, bytes] = {}
        signers = self._signers(topic)
        for watcher in self._followers.get(PIT if topic.startswith("pit/") else topic, ()):
            key = viewer_key(watcher.person, signers)
            if key not in encoded:
                encoded[key] = self.snapshot(topic, watcher.person)
            watcher.put(topic, encoded[key])

    def _signers(self, topic: str) -> set[str]:
        """Return the people who have signed for open awards that a topic shows."""
        kind, _, name = topic.partition("/")
        table = self.house.shown.get(name) if kind == "table" else None
        link = self.house.shown_links.get(name if kind == "link" else "" if table is None else table.config.link or "")
        return set() if link is None else {person for case in link.open_cases for person in case.signed}

    def tell_account(self, player: str) -> None:
        """Show a player, on their own screens only, what the cashier has just booked."""
        topic = f"account/{player}"
        for watcher in self._watchers:
            if watcher.person is not None and watcher.person.name == player:
                watcher.put(topic, self.snapshot(topic, watcher.person))

    def snapshot(self, topic: str, person: Person | None) -> bytes:
        """Encode a topic's state as a message."""
        kind, _, name = topic.partition("/")
        return msgspec.json.encode(self._message(kind, name, person))

    def _message(self, kind: str, name: str, person: Person | None) -> ServerMessage:
        if kind == "link":
            return extended(LinkMessage, link_view(self.house, name, person))
        if kind == "account":
            assert person is not None, "a person sees only their own account"
            return extended(AccountMessage, account_view(self.house, person))
        table = self.house.shown[name]
        if kind == "pit":
            return extended(PitMessage, floor_table(table), clock=self.clock_of(name))
        view = live_view(self.house, table, person)
        return extended(
            TableMessage,
            msgspec.structs.replace(view, seq=table.seq, clock=self.clock_of(name), phase=self.phases.of(table)),
        )

    def clock_of(self, table: str) -> ServerClock | None:
        """Return the server's clock of a table that runs by itself; staffed tables have none."""
        return self.clocks.left(table)

    # ---------------------------------------------------------------- watching

    def join(self, watcher: Watcher) -> None:
        self._watchers.add(watcher)

    def leave(self, watcher: Watcher) -> None:
        watcher.close()
        self._watchers.discard(watcher)
        for topic in tuple(watcher.follows):
            self.unfollow(watcher, topic)

    def follow(self, watcher: Watcher, topic: str) -> None:
        """Follow a topic from now on, unless the watcher has left."""
        if watcher in self._watchers:
            watcher.follows.add(topic)
            self._followers.setdefault(topic, {})[watcher] = None

    def unfollow(self, watcher: Watcher, topic: str) -> None:
        watcher.follows.discard(topic)
        followers = self._followers.get(topic)
        if followers is not None:
            followers.pop(watcher, None)
            if not followers:
                del self._followers[topic]

    @property
    def watching(self) -> int:
        return len(self._watchers)

    def disconnect(self, session: str) -> None:
        """Remove the watchers of a revoked session."""
        for watcher in list(self._watchers):
            if watcher.session == session:
                self.leave(watcher)

    def is_watching(self, session: str) -> bool:
        """Return whether a session has a live connection to this server."""
        return any(watcher.session == session for watcher in self._watchers)

    def _disconnect_revoked(self) -> None:
        """Remove the watchers of sessions that this or another server has ended or locked."""
        sessions = self.house.shown_people.sessions
        for watcher in [one for one in self._watchers if one.person is not None]:
            session = sessions.get(watcher.session)
            if session is None or session.locked:
                watcher.locked = session is not None
                self.leave(watcher)

    async def stop(self) -> None:
        """Answer what has been asked, then close."""
        for watcher in list(self._watchers):
            self.leave(watcher)
        await asyncio.to_thread(self.writer.close)
        if self.witness is not None:
            await asyncio.to_thread(self.witness.stop)
        self.past.close()
        self.house.store.close()
