"""How many servers one link carries: `python -m bench.link_queue [--tables 64] [--batches 60]`.

The order of awards is the order of one meter, so the servers of a link take turns at its row. A house on a private
PostgreSQL plays batches of several sizes: six boxes a table, all with an ante, two of three with the jackpot bet, half
with each side bet, and no awards. Measured is how long each batch holds the link's row, from before the statement that
locks it to the end of the commit, and how long the batch takes in all: processor time of the server's thread and of its
PostgreSQL process, without the disk's. A queue is then simulated from these times: N servers that are always busy, each
with its own interpreter, take turns at the row; the database has enough cores. Left out is that more connections cost
one database more.
"""

from __future__ import annotations

import argparse
import heapq
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import ClassVar, NamedTuple

from croupier.floor.house.house import House
from croupier.floor.records.codec import link_fact
from croupier.floor.records.commands import AtTable, Request
from croupier.floor.records.facts import LinkOpened
from croupier.floor.records.streams import link_stream
from croupier.jackpots.evolve import evolve_link
from croupier.journal.postgres import PostgresStore
from croupier.journal.records import Record
from croupier.journal.store import NO_LINKS, Batch, Shared
from croupier.rounds.choices import lawful_choices
from croupier.rounds.commands import CloseBets, DecideHand, ExamineHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, BetKind
from croupier.testing.crowd import LINK, Crowd, opening, rich_chance
from croupier.testing.private_postgres import PrivatePostgres

BOXES = 6
SERVERS = (1, 2, 4, 8)
SIZES = {1: 16, 4: 8, 16: 2, 64: 1}
"""Commands that share a commit, and batches of so many in a turn."""

PLAYED = 0.8
"""The share of decisions that are not a fold."""

MOVED = 20
"""Events of other servers that a link has had between its reading and its lock: about as many as seven bring."""

WARM_UP = 90
"""Batches of half the tables, before anything is measured."""

CLOCK_OF_A_PROCESS = 2
"""The kernel's number for the clock of a process that counts all of its processor time."""

SIMULATED = 2_000
"""Batches of each simulated server."""

SHARES = {BetKind.JACKPOT: 0.67, BetKind.SIDE: 0.5}
"""The share of boxes that place such a bet beside the ante."""


class Turn(NamedTuple):
    """One batch: seconds that it held the link's row (0 where it did not lock it), and all others."""

    held: float
    apart: float


class Guests(Crowd):
    """People who fill a table: each box places what it means to, then bets are closed."""

    def _bet(self, name: str, terms: Terms, state: Round) -> RoundCommand:
        for number in range(1, min(self.boxes, terms.boxes) + 1):
            box, player = state.box(number), self._regular(name, number)
            wishes = random.Random(f"{name} {state.number} {number}")
            for bet in terms.book.bets:
                wanted = bet.name == ANTE_BET or wishes.random() < SHARES.get(bet.kind, 0.0)
                if wanted and not box.has(bet.name):
                    least = terms.limits[bet.name].minimum if bet.name in terms.limits else 0
                    amount = terms.jackpot_bet if bet.kind is BetKind.JACKPOT else least
                    return PlaceBet(player=player, box=number, bet=bet.name, amount=amount or 500)
        return CloseBets()

    def _decide(self, terms: Terms, state: Round) -> RoundCommand:
        """Look at every Hand, and play four of five."""
        for area in state.boxes:
            if area.seated is not None and area.seated not in area.seen_by and lawful_choices(terms, state):
                return ExamineHand(player=area.seated, box=area.number)
        choices = lawful_choices(terms, state)
        if not choices:
            return OpenRound()
        plays = [own for own in choices if own.choice != "fold"] if self.random.random() < PLAYED else []
        own = self.random.choice(plays or list(choices))
        return DecideHand(box=own.box, choice=own.choice)


class Watched(PostgresStore):
    """A store that notes how much time passes while it holds the row of a link."""

    held = 0.0
    latest: ClassVar[deque[Record]] = deque(maxlen=MOVED)
    """The last records of the link."""
    moves: Callable[[], object] = int
    """Follows the link while it is locked, as where other servers have moved it since it was read."""
    _since: float | None = None

    def now(self) -> float:
        """Return the processor time that this thread and its connection's process have used so far, in seconds.

        They work in turns, so that the sum is what both take on a machine without other work.
        """
        return time.thread_time() + time.clock_gettime((~self._db.info.backend_pid << 3) | CLOCK_OF_A_PROCESS)

    def begin(
        self,
        streams: Sequence[str],
        accounts: Sequence[str],
        watched: Sequence[str] = (),
        links: Mapping[str, int] = NO_LINKS,
    ) -> Shared:
        self._since = self.now() if any(stream.startswith("link/") for stream in streams) else None
        return super().begin(streams, accounts, watched, links)

    def extend(self, written: Batch, links: Mapping[str, int]) -> Shared:
        with self._db.pipeline() as pipeline:
            self._write(written)
            pipeline.sync()  # so that the time of the lock begins with it
            self._since = self.now()
            shared = super().extend(Batch(), links)
        self.moves()
        return shared

    def write(self, batch: Batch) -> None:
        super().write(batch)
        self._note()
        self.latest.extend(record for record in batch.records if record.stream == link_stream(LINK))

    def _tell(self) -> None:
        """Count the time until the row is free; other servers hear of it after that."""
        with self._db.pipeline() as pipeline:
            pipeline.sync()
        self._note()
        super()._tell()

    def _note(self) -> None:
        if self._since is not None:
            self.held += self.now() - self._since
            self._since = None


class Floor:
    """A house on one link, whose tables are at different moments of their rounds."""

    def __init__(self, store: Watched, tables: int) -> None:
        self.store, self.chance, self.asked, self.rounds = store, random.Random(1), 0, 0
        people = tables * BOXES
        self.house = House(store, rich_chance(self.chance, 0.0))
        self.crowd = Guests(self.chance, people, boxes=BOXES, trouble=0.0005)
        opened = opening(tables, people)
        self.house.process([Request(f"open-{n}", command, 1) for n, command in enumerate(opened)])
        store.moves = self.follow
        for _ in range(WARM_UP):
            self.play(tables // 2)
        self.rounds, self.asked_before = 0, self.asked

    def follow(self) -> None:
        """Fold events again that other servers may have brought meanwhile; the house goes on from where it was."""
        link = self.house.links[LINK]
        for record in self.store.latest:
            if not isinstance(fact := link_fact(record), LinkOpened):
                link = evolve_link(link, fact)

    def play(self, size: int) -> Turn:
        """Play a batch of one command at each of so many tables."""
        tables = self.chance.sample(list(self.house.tables.values()), size)
        commands = [self.crowd.at_table(table.name, table.terms, table.round) for table in tables]
        requests = [Request(f"q-{self.asked + n}", command, 1) for n, command in enumerate(commands)]
        self.asked += size
        self.rounds += sum(isinstance(command, AtTable) and type(command.command) is OpenRound for command in commands)
        self.store.held = 0.0
        started = self.store.now()
        self.house.process(requests)
        return Turn(self.store.held, self.store.now() - started - self.store.held)


def simulate(turns: Sequence[Turn], servers: int, seed: int = 1) -> tuple[float, float]:
    """Return batches a second of all servers together, always busy, and the share of time that the row is held."""
    chance = random.Random(seed)
    ready = [(0.0, number) for number in range(servers)]
    heapq.heapify(ready)
    free, held, ends = 0.0, 0.0, 0.0
    for _ in range(SIMULATED * servers):
        at, number = heapq.heappop(ready)
        turn = chance.choice(turns)
        if turn.held:
            starts = max(at, free)
            free = starts + turn.held
            held += turn.held
            at = free
        at += turn.apart
        ends = max(ends, at)
        heapq.heappush(ready, (at, number))
    return SIMULATED * servers / ends, held / ends


def main() -> int:
    """Print what was measured and what follows from it."""
    parser = argparse.ArgumentParser(description="The queue at one link.")
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--batches", type=int, default=60, help="of the largest size")
    asked = parser.parse_args()
    turns: dict[int, list[Turn]] = {size: [] for size in SIZES}
    with PrivatePostgres() as server:
        store = Watched(server.url())
        floor = Floor(store, asked.tables)
        for _ in range(asked.batches):
            # In turns, and more of the small ones, few of which lock the row.
            for size, batches in SIZES.items():
                turns[size] += [floor.play(size) for _ in range(batches)]
        store.close()
    print(f"{asked.tables} tables, {(floor.asked - floor.asked_before) / floor.rounds:.0f} commands a round")
    print("commands   row held     of the    batches      servers: times one (row held)")
    print("a commit   a commit     time      without it")
    for size, each in turns.items():
        held = [turn.held for turn in each if turn.held]
        share = sum(held) / sum(sum(turn) for turn in each)
        one = simulate(each, 1)[0]
        runs = [(servers, *simulate(each, servers)) for servers in SERVERS]
        said = "  ".join(f"{servers}: {rate / one:.2f} ({busy:.0%})" for servers, rate, busy in runs)
        print(f"{size:>8} {mean(held) * 1000:>8.2f} ms {share:>9.1%} {1 - len(held) / len(each):>9.0%}       {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
