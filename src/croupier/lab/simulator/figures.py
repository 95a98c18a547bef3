"""Figures of a simulation: means with errors, covariances, histogram, rows; beside the exact values where known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

import msgspec

from croupier.cards import ThreeCardRank, slug
from croupier.lab.analysis import analyze
from croupier.lab.kernels.cards.lookup import orders
from croupier.lab.kernels.enumerate.three_card import HANDS
from croupier.lab.model.game import Game, Structure
from croupier.lab.simulator.outcome_counts import BASE, OutcomeSummary
from croupier.lab.simulator.runner import Run
from croupier.lab.solve.holdem import STARTING_HANDS
from croupier.rulebooks.vocabulary import JACKPOT_BET


class Figure(msgspec.Struct, frozen=True):
    """One figure as seen, with its standard error, and its exact value where that is known."""

    name: str
    value: float
    error: float
    exact: float | None = None

    @property
    def sigmas(self) -> float | None:
        """Return the standard errors between the two; a share uses the error of its exact value."""
        if self.exact is None:
            return None
        if not self.error:
            return 0.0 if self.value == self.exact else float("inf")
        return (self.value - self.exact) / self.error


class Figures(msgspec.Struct, frozen=True):
    """Everything that a simulation has shown."""

    game: str
    strategy: str
    careless: float
    seed: int
    rounds: int
    means: tuple[Figure, ...]
    """The base result, then every Bet in units of its stake."""
    deviations: dict[str, float]
    covariances: dict[str, dict[str, float]]
    shares: tuple[Figure, ...]
    """Each decision, rows of side Bets, awards, pairs and suited cards: the share of all rounds."""
    histogram: dict[str, int]
    """The base result in units of Ante as a fraction, and how often it came."""

    @property
    def farthest(self) -> float:
        """Return the most standard errors that any figure is away from its exact value."""
        known = [abs(each.sigmas) for each in (*self.means, *self.shares) if each.sigmas is not None]
        return max(known, default=0.0)


def figures(run: Run, meter: Fraction = Fraction(0), *, compare: bool = True) -> Figures:
    """Return what a run has shown, beside the exact values where its strategy is the best one."""
    seen = run.seen(meter)
    exact = exact_values(run.game, meter) if compare and run.job.strategy.is_optimal else {}
    moments = seen.moments
    means = [
        Figure(name, float(moments.mean(at)), moments.error(at), _float(exact.get(f"mean of {name}")))
        for at, name in enumerate(seen.columns)
    ]
    shares = [_share(name, count, seen.rounds, exact.get(name)) for name, count in _counted(seen)]
    shares += [_share(name, count, seen.rounds, chance) for name, count, chance in marginals(seen)]
    return Figures(
        game=run.job.game,
        strategy=run.job.strategy.name,
        careless=run.job.strategy.careless,
        seed=run.job.seed,
        rounds=seen.rounds,
        means=tuple(means),
        deviations={name: moments.deviation(at) for at, name in enumerate(seen.columns)},
        covariances={
            one: {two: float(moments.covariance(a, b)) for b, two in enumerate(seen.columns)}
            for a, one in enumerate(seen.columns)
        },
        shares=tuple(shares),
        histogram={str(net): count for net, count in seen.histogram().items()},
    )


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _share(name: str, count: int, rounds: int, exact: Fraction | None) -> Figure:
    share = count / rounds
    chance = share if exact is None else float(exact)
    return Figure(name, share, sqrt(chance * (1 - chance) / rounds), _float(exact))


def _counted(seen: OutcomeSummary) -> list[tuple[str, int]]:
    """List everything whose share is shown, with how many rounds had it."""
    found = [(f"rounds with {name}", count) for name, count in seen.decisions.items()]
    for bet, rows in seen.side_rows.items():
        found += [(f"{bet}: {row}", count) for row, count in rows.items()]
    if seen.game.terms.jackpot_bet is not None:
        found += [(f"{JACKPOT_BET}: {row}", count) for row, count in seen.award_rows.items()]
    return found


def marginals(seen: OutcomeSummary) -> list[tuple[str, int, Fraction]]:
    """Return counts and exact shares that any fair deal shows whatever is played."""
    if seen.game.structure is Structure.THREE_CARDS:
        ranks = Counter(orders().three_rank_of[orders().three].tolist())
        return [
            (f"dealt {name}", seen.ranks.get(name, 0), Fraction(ranks[rank], HANDS))
            for rank, name in ((rank, slug(rank)) for rank in ThreeCardRank)
        ]
    by_hand = seen.hands.sum(axis=1)
    pairs = sum(int(by_hand[hand.number]) for hand in STARTING_HANDS if hand.ways == 6)
    suited = sum(int(by_hand[hand.number]) for hand in STARTING_HANDS if hand.ways == 4)
    return [("dealt a pair", pairs, Fraction(78, 1326)), ("dealt suited", suited, Fraction(312, 1326))]


def exact_values(game: Game, meter: Fraction) -> Mapping[str, Fraction]:
    """Return the lab's figures under the simulator's names."""
    found = analyze(game.terms)
    solved = found.solved
    exact = {f"mean of {BASE}": solved.ev}
    exact |= {f"rounds with {name}": chance for name, chance in solved.decisions.items()}
    for name, side in found.sides.items():
        exact[f"mean of {name}"] = side.ev
        exact |= {f"{name}: {row}": chance for row, chance in side.paid.items()}
    if found.jackpot is not None:
        jackpot = msgspec.structs.replace(found.jackpot, meter=meter)
        exact[f"mean of {JACKPOT_BET}"] = jackpot.expected(meter) / jackpot.bet - 1
        exact |= {f"{JACKPOT_BET}: {row}": chance for row, chance in jackpot.probabilities.items()}
    return exact
