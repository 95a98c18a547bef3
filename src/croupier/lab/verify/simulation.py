"""Simulation as the second opinion on a solved game: rounds dealt at random and settled by themselves."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from croupier.lab.kernels.runtime.compiler import Ints, sum_chunks
from croupier.lab.simulator import decision_tables, jobs
from croupier.lab.simulator.outcome_counts import OutcomeSummary
from croupier.lab.simulator.strategies import OPTIMAL, named
from croupier.lab.solve.solution import Solution

SHARD = 50_000
SIGMAS = 3.2905
"""Standard errors on either side that hold the truth 999 times of 1,000."""


class Simulated(msgspec.Struct, frozen=True):
    """What the rounds came to."""

    rounds: int
    seed: int
    ev: float
    ev_error: float
    """Half the interval that holds the true value in 999 of 1,000 simulations."""
    standard_deviation: float
    average_wager: float
    bets: tuple[tuple[str, float], ...]
    results: dict[Fraction, int]
    """Rounds that came to each result of Ante and later Bets, in Antes."""
    awards: dict[str, int]
    """Rounds that were paid each award."""

    def holds(self, ev: Fraction) -> bool:
        return abs(self.ev - float(ev)) <= self.ev_error


def simulate(solved: Solution, rounds: int, seed: int = 1, meter: Fraction = Fraction(0)) -> Simulated:
    """Play this many rounds of the best play; this meter decides which award pays more.

    The same seed gives the same rounds on any number of cores.
    """
    game = solved.game
    table = decision_tables.table(game, named(game, OPTIMAL))

    def work(counts: Ints, first: int, last: int) -> None:
        jobs.play_rounds(game, table, seed, first, last, counts)

    seen = OutcomeSummary(game, sum_chunks(jobs.size(game), rounds, SHARD, work), meter)
    often = {choice.bet: seen.decisions[choice.bet] / rounds for choice in game.choices}
    return Simulated(
        rounds=rounds,
        seed=seed,
        ev=float(seen.moments.mean(0)),
        ev_error=SIGMAS * seen.moments.error(0),
        standard_deviation=seen.moments.deviation(0),
        average_wager=1 + sum(choice.times * often[choice.bet] for choice in game.choices),
        bets=tuple(often.items()),
        results=seen.histogram(),
        awards=seen.award_rows if game.terms.jackpot_bet is not None else {},
    )
