"""Busy tables on a disk: commands a second that a house makes durable there, and bare commits that the disk takes.

Both write the very same rows in the same manner. The house judges them first and commits together what has come in
meanwhile; the bare loop commits one command at a time and judges nothing. Making up what people do next is timed on
neither side.
"""

from __future__ import annotations

import asyncio
import queue
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from random import Random
from typing import TypeAlias, TypeVar

from croupier.floor.house.house import House
from croupier.floor.house.writer import Reply, Writer, give
from croupier.floor.records.commands import HouseCommand, Request
from croupier.floor.records.committed_decks import Chance, Drawn
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Batch, Store
from croupier.testing.crowd import Crowd, opening

TABLES, PEOPLE = 64, 256

T = TypeVar("T")
Rate: TypeAlias = Callable[[float], float]
"""Measures for a number of seconds, and returns the rate a second."""


class Capturing(SqliteStore):
    """A store in memory that keeps what was written to it."""

    def __init__(self) -> None:
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        super().__init__("sqlite:///captured", connection=memory)
        self.written: list[Batch] = []

    def write(self, batch: Batch) -> None:
        """Write the batch and remember it."""
        super().write(batch)
        self.written.append(batch)


class Forgetful(Capturing):
    """A store that takes a floor's opening and writes nothing of what comes after it."""

    def write(self, batch: Batch) -> None:
        """Write the first batch and drop the others."""
        if not self.written:
            super().write(batch)


class BusyFloor:
    """Busy tables, each with a person who always has a next command."""

    def __init__(self, store: Store, tables: int = TABLES, people: int = PEOPLE) -> None:
        self.house = House(store, Chance(Drawn(secrets.token_bytes).below, secrets.token_bytes))
        self.crowd = Crowd(Random(1), people, trouble=0.0)  # noqa: S311  what people do is not a secret
        self.count = 0
        self.house.process([self.request(command) for command in opening(tables, people)])
        self.tables = list(self.house.tables.values())

    def request(self, command: HouseCommand) -> Request:
        """Make a request with an id of its own."""
        self.count += 1
        return Request(f"bench-{self.count:012d}", command, 1_790_000_000_000_000 + self.count)

    def next_commands(self) -> list[Request]:
        """Make one command at each table."""
        return [self.request(self.crowd.at_table(t.name, t.terms, t.round)) for t in self.tables]


@contextmanager
def through_the_writer(store: Store) -> Iterator[Rate]:
    """Measure durable commands a second: a client at each table waits for its answer before it goes on.

    The answers of a commit come all at once, as a server brings them.
    """
    floor = BusyFloor(store)
    loop = asyncio.new_event_loop()
    delivered: queue.SimpleQueue[Sequence[Reply]] = queue.SimpleQueue()
    writer = Writer(floor.house, deliver=delivered.put)

    def answered(requests: Sequence[Request]) -> None:
        for request in requests:
            writer.promise(request, loop.create_future())
        waiting = len(requests)
        while waiting:
            replies = delivered.get()
            give(replies)
            waiting -= len(replies)

    try:
        yield _rate(floor.next_commands, answered)
    finally:
        writer.close()
        loop.close()
        store.close()


@contextmanager
def judging_alone() -> Iterator[Rate]:
    """Measure commands a second where nothing is written: judged, hashed, entered and answered."""
    with closing(Forgetful()) as store:
        floor = BusyFloor(store)
        yield _rate(floor.next_commands, floor.house.process)


@contextmanager
def bare_commits(store: Store, together: int = 1) -> Iterator[Rate]:
    """Measure how fast rows are written in durable commits of `together` commands; making them is not timed."""

    def written(some: Sequence[Batch]) -> None:
        for batch in some:
            store.write(batch)

    with closing(store), closing(Capturing()) as kept:
        batches = _written_by_a_house(kept, together)
        store.write(next(batches))
        rate = _rate(lambda: [next(batches) for _ in range(TABLES // together)], written)
        yield lambda seconds: together * rate(seconds)


def _written_by_a_house(store: Capturing, together: int) -> Iterator[Batch]:
    """Return what a house writes for `together` commands at a time, so that a bare loop can write the same."""
    floor = BusyFloor(store)
    while True:
        commands = floor.next_commands()
        for start in range(0, len(commands), together):
            floor.house.process(commands[start : start + together])
        yield from store.written
        store.written.clear()


def _rate(made: Callable[[], Sequence[T]], done_with: Callable[[Sequence[T]], object]) -> Rate:
    def run(seconds: float) -> float:
        done, took = 0, 0.0
        while took < seconds:
            some = made()
            started = time.perf_counter()
            done_with(some)
            took += time.perf_counter() - started
            done += len(some)
        return done / took

    return run
