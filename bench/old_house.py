"""Measures a house that has played for long: `python -m bench.old_house [--events 1000000] [--json]`.

Sixty-four tables of all five games on one link play until the journal holds so many events. On the way the states of
the tables and of the link are measured as a snapshot would hold them, and the memory of the process. Then the house is
killed with SIGKILL and started again, in a process of its own, and its start is timed from the outside.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from croupier.journal.sqlite import SqliteStore
from croupier.testing.crowd import LINK
from croupier.testing.load import BusyFloor

EVENTS = 1_000_000
LOOKS = 10
STARTS = 3
TARGET_SECONDS = 5.0

_ENCODE = msgspec.json.Encoder().encode

_START = """
import secrets, sys, time
began = time.perf_counter()
from croupier.floor.records.committed_decks import Chance
from croupier.floor.house.house import House
from croupier.journal.store_address import open_store
house = House(open_store(sys.argv[1]), Chance(secrets.randbelow, secrets.token_bytes))
print(len(house.tables), time.perf_counter() - began)
"""


class Look(NamedTuple):
    """The house at one moment."""

    events: int
    rounds_a_table: int
    largest_table: int
    """Bytes of the largest state that any table had since the last look."""
    largest_link: int
    memory_kib: int


class Report(NamedTuple):
    """What an old house is like."""

    looks: list[Look]
    events: int
    file_mib: float
    start_seconds: float
    """Of the whole process: Python, our code, the database, the house ready for its first command."""


# ---------------------------------------------------------------- an old house


def grow_old(url: str, events: int, looks: int) -> list[Look]:
    """Play until the journal holds so many events; what each look saw."""
    floor = BusyFloor(SqliteStore(url))
    seen: list[Look] = []
    table = link = 0
    while (held := _events(floor)) < events:
        floor.house.process(floor.next_commands())
        table = max(table, *(len(_ENCODE(playing.round)) for playing in floor.tables[held % 7 :: 7]))
        link = max(link, len(_ENCODE(floor.house.links[LINK])))
        if held >= events * (len(seen) + 1) // (looks + 1):
            rounds = sum(playing.round.number for playing in floor.tables) // len(floor.tables)
            seen.append(Look(held, rounds, table, link, _memory()))
            table = link = 0
    return seen


def _events(floor: BusyFloor) -> int:
    return sum(head.seq for stream, head in floor.house.heads.items() if not stream.startswith("answers"))


def _memory() -> int:
    """Return the resident memory of this process, in KiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def played(url: str, events: int, looks: int) -> list[Look]:
    """Let the house grow old in a process that then kills itself with SIGKILL."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "wb") as told:
            told.write(_ENCODE(grow_old(url, events, looks)))
            told.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        seen = told.read()
    os.waitpid(child, 0)
    return msgspec.json.decode(seen, type=list[Look])


def started(url: str) -> float:
    """Measure the seconds until a new process has the house ready."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", _START, url], capture_output=True, text=True, check=True)  # noqa: S603
    took = time.perf_counter() - began
    assert done.stdout.split()[0] == "64", done.stdout
    return took


# ---------------------------------------------------------------- measuring


def measure(events: int, looks: int = LOOKS) -> Report:
    """Measure an old house, on this machine, now."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as name:
        file = Path(name) / "house.db"
        url = f"sqlite:///{file}"
        seen = played(url, events, looks)
        starts = [started(url) for _ in range(STARTS)]
        store = SqliteStore(url)
        held = sum(1 for _ in store.rows("records"))
        store.close()
        return Report(seen, held, file.stat().st_size / 2**20, median(starts))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.old_house", description="Measure a house that has played long."
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--events", type=int, default=EVENTS, help=f"in the journal ({EVENTS:,})")
    asked = parser.parse_args(arguments)
    found = measure(asked.events)
    if asked.json:
        print(json.dumps({**found._asdict(), "looks": [look._asdict() for look in found.looks]}, indent=2))
        return 0
    print(f"{'events':>10} {'rounds a table':>15} {'largest table':>14} {'largest link':>13} {'memory':>10}")
    for look in found.looks:
        print(
            f"{look.events:10,} {look.rounds_a_table:15,} {look.largest_table:12,} B {look.largest_link:11,} B "
            f"{look.memory_kib:8,} K"
        )
    print(
        f"Start after a kill with {found.events:,} events ({found.file_mib:,.0f} MiB): {found.start_seconds:.2f} s "
        f"from nothing to the first command (target {TARGET_SECONDS:g} s)."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
