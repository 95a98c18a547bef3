"""Contributions at awkward rates, one by one, against exact rationals: meter, reserve and ledger must not drift.

`python -m tests.ledger.drift --count 100000000` counts so many.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from random import Random

from croupier.jackpots.events import ParametersChanged, RoundForgotten
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, contribution_of, new_link
from croupier.jackpots.parameters import Parameters, Rate
from croupier.ledger import accounts
from croupier.ledger.entries import link_entry

AWKWARD = (
    (Rate(7, 33), Rate(1, 7)),
    (Rate(1, 3), Rate(2, 13)),
    (Rate(1_999, 9_973), Rate(1, 9_967)),
    (Rate(3, 1_000), Rate(0)),
    (Rate(1, 97), Rate(89, 101)),
)
A_ROUND = 7
LEDGER_EVERY = 50


class Drift:
    """What the link says, and what exact arithmetic says."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.link: Link = new_link(12_345, Parameters(reset=0, contribution=AWKWARD[0][0], reserve=AWKWARD[0][1]))
        self.meter = Fraction(12_345)
        self.reserve = Fraction(0)
        self.pool = 12_345
        self.count = 0

    def differs(self) -> Fraction:
        """By how much of a cent anything is off."""
        scale = self.link.scale
        off = abs(self.meter - Fraction(self.link.meter, scale)) + abs(
            self.reserve - Fraction(self.link.reserve, scale)
        )
        return off + abs(self.pool - self.link.cents) + (0 if self.link.balances else 1)

    def contribute(self, count: int, rates: tuple[Rate, Rate]) -> None:
        """So many bets at these rates; the exact sum is taken from the bets alone."""
        share, hidden = rates
        parameters = Parameters(reset=0, contribution=share, reserve=hidden)
        link = evolve_link(self.link, ParametersChanged(by="a", second="b", parameters=parameters))
        amounts = [self.random.randrange(1, 100_000) for _ in range(997)]
        total = 0
        before = link
        for number in range(count):
            amount = amounts[number % 997]
            total += amount
            link = evolve_link(link, contribution_of(link, "T1", number // A_ROUND, number % A_ROUND, amount))
            if number % A_ROUND == A_ROUND - 1:
                link = evolve_link(link, RoundForgotten(table="T1", round=number // A_ROUND))
            if number % LEDGER_EVERY == 0:
                self._post(before, link)
                before = link
        self._post(before, link)
        self.link, self.count = link, self.count + count
        self.meter += Fraction(share.numerator, share.denominator) * total
        self.reserve += Fraction(hidden.numerator, hidden.denominator) * total

    def _post(self, before: Link, after: Link) -> None:
        event = contribution_of(after, "T1", 0, 0, 0)
        moved = link_entry("main", before, after, event)
        if moved is not None:
            self.pool += dict(moved.postings).get(accounts.pool("main"), 0)


def drift(count: int, seed: int, pieces: int = 10) -> Iterator[Drift]:
    """The count after each piece, the rates changing on the way."""
    drifting = Drift(seed)
    for piece in range(pieces):
        drifting.contribute(count // pieces, AWKWARD[piece % len(AWKWARD)])
        yield drifting


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ledger.drift", description="Contributions without drift.")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    started = time.monotonic()
    worst = Fraction(0)
    for drifting in drift(asked.count, asked.seed, 100):
        worst = max(worst, drifting.differs())
    sys.stdout.write(
        f"{drifting.count:,} contributions, units of 1/{drifting.link.scale} cent, difference {worst}, "
        f"{time.monotonic() - started:.0f} s\n"
    )
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
