"""Durable commands a second on PostgreSQL, against a bare psycopg loop that sends the same statements.

Both run in turns on one private server: the house plays a stretch at 64 busy tables, then the loop writes the very same
batches to a schema of its own. Whatever slows the machine slows both.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

import psycopg

from croupier.floor.house.house import House
from croupier.floor.records.commands import HouseCommand, Request
from croupier.journal.postgres import PostgresStore
from croupier.journal.store import NO_LINKS, Answered, Batch, Shared
from croupier.testing.crowd import Crowd, opening, rich_chance
from croupier.testing.private_postgres import PrivatePostgres

TABLES, PEOPLE = 64, 200
TARGET = 0.5


class Call(NamedTuple):
    """What one batch asked of the store."""

    begun: tuple[Sequence[str], Sequence[str], Sequence[str], Mapping[str, int]]
    extended: tuple[Batch, Mapping[str, int]] | None
    """What was written before links were locked, and these links; None where none was."""
    ids: Sequence[str]
    batch: Batch


class Recorder(PostgresStore):
    """A store that keeps what it is asked, for the bare loop."""

    calls: list[Call]
    _begun: tuple[Sequence[str], Sequence[str], Sequence[str], Mapping[str, int]] = ((), (), (), NO_LINKS)
    _extended: tuple[Batch, Mapping[str, int]] | None = None
    _ids: Sequence[str] = ()

    def begin(
        self,
        streams: Sequence[str],
        accounts: Sequence[str],
        watched: Sequence[str] = (),
        links: Mapping[str, int] = NO_LINKS,
    ) -> Shared:
        self._begun, self._extended = (streams, accounts, watched, links), None
        return super().begin(streams, accounts, watched, links)

    def extend(self, written: Batch, links: Mapping[str, int]) -> Shared:
        self._extended = (written, links)
        return super().extend(written, links)

    def answers(self, commands: Sequence[str]) -> Mapping[str, Answered]:
        self._ids = commands
        return super().answers(commands)

    def write(self, batch: Batch) -> None:
        super().write(batch)
        self.calls.append(Call(self._begun, self._extended, self._ids, batch))


class Measured(NamedTuple):
    """Commands a second, and the ratio turn by turn."""

    house: float
    bare: float
    ratio: float


def measure(turns: int = 7, batches: int = 40, server: PrivatePostgres | None = None) -> Measured:
    """Measure the house and the bare loop, and compare them."""
    if server is None:
        with PrivatePostgres() as own:
            return measure(turns, batches, own)
    with psycopg.connect(server.url(), autocommit=True) as db:
        db.execute("CREATE SCHEMA house")
        db.execute("CREATE SCHEMA bare")
    store = Recorder(f"{server.url()}&options=-csearch_path%3Dhouse")
    bare = PostgresStore(f"{server.url()}&options=-csearch_path%3Dbare")
    store.calls = []
    chance = random.Random(1)
    running, crowd = House(store, rich_chance(chance, 0.02)), Crowd(chance, PEOPLE, trouble=0.002)
    play = _Play(running, crowd)
    play.ask(opening(TABLES, PEOPLE))
    _write(bare, store.calls)
    rates = []
    for _ in range(turns):
        store.calls = []
        done, seconds = play.stretch(batches)
        started = time.perf_counter()
        _write(bare, store.calls)
        rates.append((done / seconds, done / (time.perf_counter() - started)))
    store.close()
    bare.close()
    ours, theirs = zip(*rates, strict=True)
    return Measured(median(ours), median(theirs), median(house / bare for house, bare in rates))


class _Play:
    """One command at each table, again and again."""

    def __init__(self, house: House, crowd: Crowd) -> None:
        self.house, self.crowd, self.asked = house, crowd, 0

    def ask(self, commands: Sequence[HouseCommand]) -> float:
        """Return the seconds that the house takes for these commands."""
        requests = [Request(f"bench-{self.asked + n}", command, 1) for n, command in enumerate(commands)]
        self.asked += len(requests)
        started = time.perf_counter()
        self.house.process(requests)
        return time.perf_counter() - started

    def stretch(self, batches: int) -> tuple[int, float]:
        before, seconds = self.asked, 0.0
        for _ in range(batches):
            tables = self.house.tables.values()
            seconds += self.ask([self.crowd.at_table(table.name, table.terms, table.round) for table in tables])
        return self.asked - before, seconds


def _write(store: PostgresStore, calls: Sequence[Call]) -> None:
    for call in calls:
        store.answers(call.ids)
        store.begin(*call.begun)
        if call.extended is not None:
            store.extend(*call.extended)
        store.write(call.batch)


if __name__ == "__main__":
    found = measure()
    print(f"durable commands a second on PostgreSQL, {TABLES} tables  {found.house:>10,.0f}")
    print(f"bare psycopg loop with the same statements           {found.bare:>10,.0f}")
    print(f"ratio (target {TARGET})                                    {found.ratio:>10.2f}")
