"""Durations and sizes counted in buckets, cheap enough to take one of every command."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper ends of the buckets of a duration."""

SIZES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 512.0)
"""Upper ends of the buckets of a number of commands."""


class Timings:
    """How often a value fell into each bucket. One thread observes; another may read."""

    __slots__ = ("_bounds", "_counts", "total")

    def __init__(self, bounds: tuple[float, ...] = SECONDS) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        """Sum of everything observed."""

    def observe(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    @property
    def count(self) -> int:
        return sum(self._counts)

    def buckets(self) -> Iterator[tuple[str, float]]:
        """Yield each upper end with how many values were at most that, as Prometheus counts them."""
        so_far = 0
        for bound, count in zip((*map(str, self._bounds), "+Inf"), tuple(self._counts), strict=True):
            so_far += count
            yield bound, float(so_far)
