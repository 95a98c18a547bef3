"""How many servers one link carries: `python -m bench.link_queue [--tables 64] [--batches 60]`.

All tables of one link commit one batch after another, because the order of awards is the order of one meter. A house
on a private PostgreSQL plays batches of several sizes; measured is how long each holds the link's row and how long a
batch takes in all. A queue is then simulated from these times: N servers that are always busy, each with its own
interpreter, take turns at the row; the database has enough cores. Left out is that more connections cost one database
more.
"""

from __future__ import annotations

import argparse
import heapq
import random
import sys
import time
from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

import psycopg

from croupier.floor.house.house import House
from croupier.floor.records.commands import Request
from croupier.journal.postgres import PostgresStore
from croupier.journal.store import Batch, Shared
from croupier.testing.crowd import Crowd, opening, rich_chance
from croupier.testing.private_postgres import PrivatePostgres

PEOPLE = 200
SERVERS = (1, 2, 4, 8)
SIZES = (1, 4, 16, 64)
"""Commands that share a commit."""

SIMULATED = 2_000
"""Batches of each simulated server."""


class Turn(NamedTuple):
    """One batch: seconds that it held the link's row (0 where it did not touch the link), and all others."""

    held: float
    apart: float


class Watched(PostgresStore):
    """A store that notes when it holds the row of a link."""

    since = 0.0
    held = 0.0

    def begin(self, streams: Sequence[str], accounts: Sequence[str], watched: Sequence[str] = ()) -> Shared:
        shared = super().begin(streams, accounts, watched)
        # The row is held from its SELECT on, a moment before `begin` returns: its answer is part of one round trip.
        self.since = time.perf_counter() if any(stream.startswith("link/") for stream in streams) else 0.0
        return shared

    def write(self, batch: Batch) -> None:
        super().write(batch)
        if self.since:
            self.held += time.perf_counter() - self.since
            self.since = 0.0


def measure(size: int, tables: int, batches: int, server: PrivatePostgres, name: str) -> list[Turn]:
    """Play batches of this many commands, each at another table."""
    with psycopg.connect(server.url(), autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {name}".encode())
    store = Watched(f"{server.url()}&options=-csearch_path%3D{name}")
    chance = random.Random(1)
    house, crowd = House(store, rich_chance(chance, 0.02)), Crowd(chance, PEOPLE, trouble=0.002)
    house.process([Request(f"open-{n}", command, 1) for n, command in enumerate(opening(tables, PEOPLE))])
    turns, asked, at = [], 0, 0
    for number in range(batches + batches // 4):
        names = list(house.tables)
        chosen = [house.tables[names[(at + n) % len(names)]] for n in range(size)]
        at += size
        requests = [
            Request(f"q-{asked + n}", crowd.at_table(table.name, table.terms, table.round), 1)
            for n, table in enumerate(chosen)
        ]
        asked += size
        store.held = 0.0
        started = time.perf_counter()
        house.process(requests)
        took = time.perf_counter() - started
        if number >= batches // 4:  # the first ones warm up
            turns.append(Turn(store.held, took - store.held))
    store.close()
    return turns


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
    parser.add_argument("--batches", type=int, default=60)
    asked = parser.parse_args()
    print("commands   row held     of the    row held a    batches      servers: times one (row held)")
    print("a commit   a commit     batch     command       without it")
    with PrivatePostgres() as server:
        for size in SIZES:
            turns = measure(size, asked.tables, asked.batches, server, f"queue_{size}")
            held, apart = mean(turn.held for turn in turns), mean(turn.apart for turn in turns)
            free = sum(not turn.held for turn in turns) / len(turns)
            one = simulate(turns, 1)[0]
            runs = [(servers, *simulate(turns, servers)) for servers in SERVERS]
            said = "  ".join(f"{servers}: {rate / one:.2f} ({busy:.0%})" for servers, rate, busy in runs)
            print(
                f"{size:>8} {held * 1000:>8.2f} ms {held / (held + apart):>9.0%} {held / size * 1e6:>9.0f} µs "
                f"{free:>10.0%}     {said}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
