"""The house's clock: the time of day, without the steps that a machine's clock makes.

A step of the machine's clock would reverse records, end or prolong what waits for a signature, and put a bet into two
gaming days. The house's clock runs on evenly instead and approaches the new time slowly; the step goes on record.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import msgspec

from croupier.journal.records import Record
from croupier.journal.store import Store

Clock: TypeAlias = Callable[[], int]
"""Microseconds, of the day or of an uptime."""

SECOND = 1_000_000
STEP = 2 * SECOND
"""Microseconds between the machine's clock and the expected time above which it is a step, and not drift."""
SLEW = 20
"""Seconds in which the house's clock approaches the machine's by one second."""
FOLLOWED_FROM = 6 * 3600 * SECOND
"""Microseconds of a step above which the house follows at once: approaching it would take days."""


def microseconds() -> int:
    """Return the time of day of the machine: microseconds since 1970, UTC."""
    return time.time_ns() // 1000


def uptime() -> int:
    """Return a time that never steps. On Linux it also counts the time in which the machine slept."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return (time.monotonic_ns() if boot is None else time.clock_gettime_ns(boot)) // 1000


class Step(msgspec.Struct, frozen=True):
    """A step that was seen."""

    by: int
    """Microseconds; below zero where the machine's clock was set back."""
    is_followed: bool


class HouseClock:
    """Microseconds since 1970, UTC, without steps."""

    def __init__(self, wall: Clock = microseconds, steady: Clock = uptime, last: int = 0) -> None:
        """`last` is the time of the latest record: a house does not begin before it ended."""
        self._wall, self._steady, self._lock = wall, steady, threading.Lock()
        self._read, self._seen = wall(), steady()
        """The machine's clock and the uptime at the last look."""
        behind = last - self._read
        self.steps: list[Step] = []
        if behind > STEP:
            self.steps.append(Step(-behind, behind > FOLLOWED_FROM))
        self._now = last if 0 < behind <= FOLLOWED_FROM else self._read

    def __call__(self) -> int:
        """Return the time now, and note a step of the machine's clock since the last look."""
        with self._lock:
            return self._look()

    def _look(self) -> int:
        wall, steady = self._wall(), self._steady()
        passed = max(0, steady - self._seen)
        step = wall - (self._read + passed)
        self._read, self._seen = wall, steady
        self._now += passed
        if abs(step) > STEP:
            is_followed = abs(step) > FOLLOWED_FROM
            self.steps.append(Step(step, is_followed))
            if is_followed:
                self._now = wall
                return wall
        away = wall - self._now
        # Never faster or slower than the slew, so that time neither stands still nor runs back.
        self._now += max(-(passed // SLEW), min(away, passed // SLEW))
        return self._now

    def take_steps(self) -> list[Step]:
        """Return the steps since the last call."""
        with self._lock:
            taken, self.steps = self.steps, []
        return taken


def latest_record(store: Store) -> int:
    """Return the time of the latest record of any stream; 0 where there is none."""
    return max((record.at for stream in store.streams() for record in _last(store, stream)), default=0)


def _last(store: Store, stream: str) -> Iterable[Record]:
    return store.read(stream, max(0, store.head(stream).seq - 1), 1)


def evenly(records: Iterable[Record]) -> Iterator[tuple[Record, int]]:
    """Return each record of a stream with a time that does not run back where a machine's clock once did."""
    now = 0
    for record in records:
        now = record.at if now - record.at > FOLLOWED_FROM else max(now, record.at)
        yield record, now
