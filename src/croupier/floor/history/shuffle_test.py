"""Is every order of the deck equally likely? Counts over many shuffles, each held against what chance would give.

Every count has an exact expectation, and each test comes down to one figure: by how many standard deviations what was
counted differs from it. A fair shuffle stays within a few; a bad one does not, given enough shuffles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial, sqrt
from typing import TypeAlias

import msgspec

from croupier.cards import DECK, Card

Shuffle: TypeAlias = Callable[[], Sequence[Card]]

SIZE = len(DECK)
SUSPICIOUS = 6.0
"""Standard deviations: a fair shuffle goes beyond once in a thousand million tests."""

PLACES = ((0, 1), (0, SIZE - 1), (SIZE // 2, SIZE // 2 + 1), (SIZE - 2, SIZE - 1))
"""Pairs of places whose cards are counted together."""

_NUMBER = {card: number for number, card in enumerate(DECK)}


class Result(msgspec.Struct, frozen=True):
    """One test: what was counted, and how far it is from fair."""

    name: str
    deviations: float
    """Standard deviations from what is expected; below 0 it is more even than chance."""

    @property
    def is_fair(self) -> bool:
        return abs(self.deviations) < SUSPICIOUS


class Counts:
    """What is counted, shuffle by shuffle."""

    def __init__(self) -> None:
        self.shuffles = 0
        self._places = [[0] * SIZE for _ in range(SIZE)]
        self._pairs = [[0] * (SIZE * SIZE) for _ in PLACES]
        self._runs: Counter[int] = Counter()
        self._fixed: Counter[int] = Counter()
        self._seen: set[int] = set()
        self.repeated = 0
        self._follows: Counter[int] = Counter()
        self._last: tuple[int, ...] = ()

    def add(self, deck: Sequence[Card]) -> None:
        """Count one more shuffle."""
        order = tuple(_NUMBER[card] for card in deck)
        self.shuffles += 1
        for counted, number in zip(self._places, order, strict=True):
            counted[number] += 1
        for counted, (one, other) in zip(self._pairs, PLACES, strict=True):
            counted[order[one] * SIZE + order[other]] += 1
        self._runs[1 + sum(a > b for a, b in pairwise(order))] += 1
        self._fixed[sum(place == number for place, number in enumerate(order))] += 1
        key = hash(order)
        self.repeated += key in self._seen
        self._seen.add(key)
        if self._last:
            self._follows[sum(a == b for a, b in zip(order, self._last, strict=True))] += 1
        self._last = order

    def results(self) -> list[Result]:
        """Compute the result of every test."""
        n = self.shuffles
        cells = [count for counted in self._places for count in counted]
        # Rows and columns are both fixed sums, which takes a degree of freedom from each and scales the statistic.
        places = chi_square(cells, n / SIZE) * (SIZE - 1) / SIZE
        found = [Result("each card at each place", deviations(places, (SIZE - 1) ** 2))]
        for counted, (one, other) in zip(self._pairs, PLACES, strict=True):
            pairs = [counted[a * SIZE + b] for a in range(SIZE) for b in range(SIZE) if a != b]
            statistic = chi_square(pairs, n / (SIZE * (SIZE - 1)))
            found.append(Result(f"pairs at places {one + 1} and {other + 1}", deviations(statistic, len(pairs) - 1)))
        found.append(_held_against("ascending runs", self._runs, n, runs_expected))
        found.append(_held_against("cards at their own place", self._fixed, n, fixed_expected))
        found.append(_held_against("cards that stay from one deck to the next", self._follows, n - 1, fixed_expected))
        found.append(Result("decks seen before", 1e9 if self.repeated else 0.0))
        return found


def judged(shuffle: Shuffle, count: int, progress: Callable[[int], None] | None = None) -> list[Result]:
    """Run every test over a number of shuffles."""
    counts = Counts()
    for index in range(count):
        counts.add(shuffle())
        if progress is not None and index % 1000 == 999:
            progress(index + 1)
    return counts.results()


# ---------------------------------------------------------------- what a fair shuffle gives


def runs_expected(runs: int) -> float:
    """Return the share of orders with this number of ascending runs: Euler's numbers over all orders."""
    euler = sum((-1) ** i * comb(SIZE + 1, i) * (runs - i) ** SIZE for i in range(runs))
    return float(Fraction(euler, factorial(SIZE)))


def fixed_expected(fixed: int) -> float:
    """Return the share of orders that leave this number of cards in place."""
    left = SIZE - fixed
    moved = sum((-1) ** i * factorial(left) // factorial(i) for i in range(left + 1))
    return float(Fraction(comb(SIZE, fixed) * moved, factorial(SIZE)))


def _held_against(name: str, counted: Counter[int], n: int, expected: Callable[[int], float]) -> Result:
    """Compare counts of few values with what is expected; rare values are taken together."""
    cells, rare_count, rare_expected = [], 0, 0.0
    for value in range(SIZE + 1):
        share = expected(value) * n
        if share >= 10:
            cells.append((counted[value], share))
        else:
            rare_count += counted[value]
            rare_expected += share
    if rare_expected >= 1:
        cells.append((rare_count, rare_expected))
    statistic = sum((count - share) ** 2 / share for count, share in cells)
    return Result(name, deviations(statistic, max(len(cells) - 1, 1)))


def chi_square(counted: Iterable[int], expected: float) -> float:
    """Sum the squared differences, in units of the expected count."""
    return sum((count - expected) ** 2 for count in counted) / expected


def deviations(statistic: float, freedom: int) -> float:
    """Convert a chi-square statistic to standard deviations of a normal one (Wilson and Hilferty)."""
    scale = 2 / (9 * freedom)
    root: float = (statistic / freedom) ** (1 / 3)
    return (root - (1 - scale)) / sqrt(scale)
