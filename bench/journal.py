"""Measures the durable house on SQLite: `python -m bench.journal [--json] [--sync-ms 0 1 5]`.

Commands a second at 64 busy tables through the writer, each answered after its commit; against one bare durable commit
a command, which writes the very same rows in the same manner (write-ahead log, `synchronous=FULL`) and judges nothing;
against the same as SQLite commits where nobody has told it otherwise (rollback journal); and against a commit of one
small row. Beside them the two halves of the house's own work, each alone: on a store that
writes nothing (no disk, however fast, lets it judge more than that), and the same rows 64 commands a commit, judged by
nobody (however fast it judged, one writer would not write more than that). Making up what people do next is timed on
neither side. What is compared runs in turns within one process, and the ratios are taken turn by turn. How long the
disk takes to say that data is on it is measured beside it (four KiB appended, then fsync): that alone decides what a
bare commit costs. `--sync-ms` lets every commit take so much longer, as on a disk that is slower to say so.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Batch
from croupier.testing.load import TABLES, Rate, bare_commits, judging_alone, through_the_writer

TURNS, SECONDS_A_TURN = 5, 1.0
TARGET = 5.0


class Turn(NamedTuple):
    """What each did a second, in one turn."""

    house: float
    bare: float
    rollback: float
    small: float
    judging: float
    together: float


class Report(NamedTuple):
    """Medians over the turns."""

    sync_ms: float
    """Added to every commit."""
    fsync_us: float
    """What the disk itself takes for four KiB more in a file."""
    house_a_second: float
    bare_a_second: float
    rollback_a_second: float
    small_a_second: float
    judging_a_second: float
    together_a_second: float
    house_to_bare: float
    house_to_rollback: float
    house_to_small: float
    judging_to_bare: float
    """The most that any disk could make of `house_to_bare`."""
    together_to_bare: float
    """The most that judging for nothing could make of it."""


class Slow(SqliteStore):
    """A store whose commits take longer."""

    def __init__(self, url: str, seconds: float, journal: str = "WAL") -> None:
        super().__init__(url)
        self.seconds = seconds
        self._db.execute(f"PRAGMA journal_mode = {journal}")

    def write(self, batch: Batch) -> None:
        """Write the batch, then wait."""
        super().write(batch)
        if self.seconds:
            time.sleep(self.seconds)


# ---------------------------------------------------------------- what is compared


@contextmanager
def small_commits(file: Path, wait: float) -> Iterator[Rate]:
    """Measure commits of one small row: how often the disk can confirm a write."""
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE small (n INTEGER PRIMARY KEY)")

    def run(seconds: float) -> float:
        done = 0
        started = time.perf_counter()
        while (took := time.perf_counter() - started) < seconds:
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT INTO small DEFAULT VALUES")
            db.execute("COMMIT")
            if wait:
                time.sleep(wait)
            done += 1
        return done / took

    try:
        yield run
    finally:
        db.close()


def fsync_microseconds(file: Path, times: int = 300) -> float:
    """Measure the median time of an fsync after appending four KiB."""
    block, took = secrets.token_bytes(4096), []
    with file.open("wb", buffering=0) as appended:
        for _ in range(times):
            appended.write(block)
            started = time.perf_counter()
            os.fsync(appended.fileno())
            took.append(time.perf_counter() - started)
    return median(took) * 1e6


# ---------------------------------------------------------------- measuring


def measure(turns: int, sync_ms: float) -> Report:
    """Measure the house, bare commits and small commits in turns, on this machine, now."""
    wait = sync_ms / 1000
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        house = through_the_writer(Slow(f"sqlite:///{folder / 'house.db'}", wait))
        bare = bare_commits(Slow(f"sqlite:///{folder / 'bare.db'}", wait))
        rollback = bare_commits(Slow(f"sqlite:///{folder / 'rollback.db'}", wait, "DELETE"))
        small = small_commits(folder / "small.db", wait)
        together = bare_commits(Slow(f"sqlite:///{folder / 'together.db'}", wait), TABLES)
        runs = [stack.enter_context(each) for each in (house, bare, rollback, small, judging_alone(), together)]
        for run in runs:
            run(SECONDS_A_TURN / 4)  # the first commands fill caches
        measured = [Turn(*(run(SECONDS_A_TURN) for run in runs)) for _ in range(turns)]
        fsync_us = fsync_microseconds(folder / "appended")
    return Report(
        sync_ms=sync_ms,
        fsync_us=fsync_us,
        house_a_second=median(turn.house for turn in measured),
        bare_a_second=median(turn.bare for turn in measured),
        rollback_a_second=median(turn.rollback for turn in measured),
        small_a_second=median(turn.small for turn in measured),
        judging_a_second=median(turn.judging for turn in measured),
        together_a_second=median(turn.together for turn in measured),
        house_to_bare=median(turn.house / turn.bare for turn in measured),
        house_to_rollback=median(turn.house / turn.rollback for turn in measured),
        house_to_small=median(turn.house / turn.small for turn in measured),
        judging_to_bare=median(turn.judging / turn.bare for turn in measured),
        together_to_bare=median(turn.together / turn.bare for turn in measured),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.journal", description="Measure the durable house.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"how often each is measured ({TURNS})")
    parser.add_argument("--sync-ms", type=float, nargs="+", default=[0.0], help="let every commit take longer by (0)")
    asked = parser.parse_args(arguments)
    reports = [measure(asked.turns, sync_ms) for sync_ms in asked.sync_ms]
    if asked.json:
        print(json.dumps({"target": TARGET, "measured": [found._asdict() for found in reports]}, indent=2))
        return 0
    for found in reports:
        print(_text(found))
    return 0


def _text(found: Report) -> str:
    slower = f", every commit {found.sync_ms:g} ms longer" if found.sync_ms else ""
    house = f"the house does {{:.1f}} times as many, {TARGET:g} are wanted"
    bare = "{:.1f} times bare commits with the log"
    rows = (
        (found.house_a_second, "durable commands: judged, hashed, entered, committed together, answered", ""),
        (found.bare_a_second, "bare commits of the same rows, with the same log", house.format(found.house_to_bare)),
        (found.rollback_a_second, "the same as SQLite commits by default", house.format(found.house_to_rollback)),
        (found.small_a_second, "commits of one small row, with the log", f"{found.house_to_small:.1f} times as many"),
        (found.judging_a_second, "judged, nothing written", bare.format(found.judging_to_bare)),
        (found.together_a_second, f"written {TABLES} a commit, nothing judged", bare.format(found.together_to_bare)),
    )
    head = f"SQLite, {TABLES} busy tables; an fsync takes {found.fsync_us:.0f} µs{slower}"
    lines = (f"{rate:>8,.0f} a second  {what}{': ' if ratio else ''}{ratio}" for rate, what, ratio in rows)
    return "\n".join((head, *lines))


if __name__ == "__main__":
    sys.exit(main())
