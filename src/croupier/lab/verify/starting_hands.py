"""Every starting hand played again at random, with the decisions of a solved game: a second opinion hand by hand."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt

from croupier.lab.kernels.cards.ranking import rank_tables
from croupier.lab.kernels.check import hand_rounds
from croupier.lab.kernels.runtime.compiler import Ints, in_threads, zeros
from croupier.lab.model.card_places import PLACE
from croupier.lab.model.game import Game, Structure
from croupier.lab.solve import holdem
from croupier.lab.solve.holdem import STARTING_HANDS, StartingHand
from croupier.lab.solve.solution import Solution

SIGMAS = 5.0
"""Standard errors on either side that miss the truth less than once in a million: a sheet has hundreds of these."""


class HandSamples:
    """What this many rounds of each starting hand came to."""

    def __init__(self, rounds: int, seed: int, scale: int, sums: Ints) -> None:
        self.rounds, self.seed = rounds, seed
        self._scale, self._sums = scale, sums

    def mean(self, hand: StartingHand, way: int) -> tuple[float, float]:
        """Return the mean with its standard error; Antes, or how often a Bet is placed."""
        unit = 1 if way in (hand_rounds.BET_ON_FLOP, hand_rounds.BET_ON_TURN) else self._scale
        total, square = (int(each) for each in self._sums[hand.number, way])
        mean = total / self.rounds
        variance = max(0.0, square / self.rounds - mean**2)
        return mean / unit, sqrt(variance / self.rounds) / unit

    def whole(self, way: int, solved: Solution, *, folded: bool = True) -> tuple[float, float]:
        """Return the mean over all starting hands, folded ones with the Ante lost, and its standard error."""
        mean = variance = 0.0
        for hand, value in zip(STARTING_HANDS, solved.hands, strict=True):
            part = hand.ways / 1_326
            if folded and solved.game.structure is Structure.STREETS and not value.played:
                mean -= part
                continue
            own, error = self.mean(hand, way)
            mean += part * own
            variance += (part * error) ** 2
        return mean, sqrt(variance)

    @cached_property
    def how(self) -> str:
        return f"{self.rounds:,} rounds of each starting hand dealt and ranked, seed {self.seed}"


def whole_pays(game: Game) -> tuple[int, Ints, Ints]:
    """Return parts of an Ante that make every amount whole, what the Ante pays by rank in them, and Bets' multiples."""
    scale = lcm(*(amount.denominator for amount in game.ante_on_win))
    pays, times = zeros(len(game.ante_on_win)), zeros(3)
    pays[:] = [int(scale * amount) for amount in game.ante_on_win]
    times[: len(game.choices)] = [choice.times for choice in game.choices]
    return scale, pays, times


def sample_hands(
    solved: Solution, rounds: int, *, leaving: bool = False, seed: int = 1, only: Collection[str] | None = None
) -> HandSamples:
    """Play this many rounds of each starting hand, or of those named; the same on any number of cores."""
    game = solved.game
    asked, found = holdem.any_counts_of(game)
    by_streets = game.structure is Structure.STREETS
    scale, pays, times = whole_pays(game)
    ante = holdem.ante_parts(game, asked, scale) if by_streets else zeros(1)
    sums = zeros((len(STARTING_HANDS), hand_rounds.WAYS, 2))

    def work(_: None, number: int) -> None:
        first, second = (PLACE[card] for card in STARTING_HANDS[number].cards)
        how = (by_streets, leaving, times, pays, scale, game.qualifies_from, game.tie_first, ante)
        seeded = seed * len(STARTING_HANDS) + number
        hand_rounds.play_hand(first, second, rounds, seeded, *how, found.tables, rank_tables(), sums[number])

    in_threads(lambda: None, work, [hand.number for hand in STARTING_HANDS if only is None or hand.name in only])
    return HandSamples(rounds, seed, scale, sums)


def holds(exact: Fraction | float, found: tuple[float, float]) -> bool:
    """Return whether the exact value lies in the interval."""
    mean, error = found
    return abs(float(exact) - mean) <= SIGMAS * error + 1e-12


def shown(found: tuple[float, float]) -> str:
    """Return "0.123456 ± 0.001000"."""
    mean, error = found
    return f"{mean:.6f} ± {SIGMAS * error:.6f}"
