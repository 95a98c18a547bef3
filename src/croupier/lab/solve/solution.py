"""The solution of a game: exact values, decisions and results of the Ante with the Bets that decisions add to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from math import sqrt

import msgspec

from croupier.cards import Card
from croupier.lab.model.game import Game, Units
from croupier.lab.progress import Progress, no_progress

__all__ = ["EvenDecision", "HandValue", "Solution", "solve"]


class HandValue(msgspec.Struct):
    """One kind of Hand at its first decision: what playing on and folding are worth, in units of Ante."""

    name: str
    cards: tuple[Card, ...]
    ways: int
    """Deals that are of this kind."""
    play: Units
    fold: Units
    played: bool = False
    """Whether it is played; where both are worth the same it is folded."""

    def __post_init__(self) -> None:
        self.played = self.play > self.fold

    @property
    def value(self) -> Units:
        return self.play if self.played else self.fold


class EvenDecision(msgspec.Struct, frozen=True):
    """Positions whose choices are worth exactly the same; they count as check, or fold."""

    decision: str
    positions: int
    probability: Fraction


class Solution(msgspec.Struct, dict=True):
    """The best play of one game, and what it comes to."""

    game: Game
    find_results: Callable[[], Mapping[Units, Fraction]]
    ev: Units
    """Won for each unit of Ante; negative."""
    square: Units
    """The mean of the squared result."""
    decisions: Mapping[str, Fraction]
    """Choice -> the share of rounds in which it is made: folding, and every Bet."""
    hands: tuple[HandValue, ...]
    indifferent: tuple[EvenDecision, ...]

    @cached_property
    def results(self) -> Mapping[Units, Fraction]:
        """Return every result of a round, in units of Ante, with its probability."""
        found = self.find_results()
        assert sum(found.values()) == 1
        assert sum(net * chance for net, chance in found.items()) == self.ev
        return found

    @property
    def house_edge(self) -> float:
        return float(-self.ev)

    @property
    def average_wager(self) -> Fraction:
        """Return the Ante with what decisions add to it, on average."""
        return 1 + sum((choice.times * self.decisions[choice.bet] for choice in self.game.choices), Fraction(0))

    @property
    def element_of_risk(self) -> float:
        """Return the loss in proportion to all that is staked."""
        return float(-self.ev / self.average_wager)

    @property
    def variance(self) -> Fraction:
        return self.square - self.ev**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)


def solve(game: Game, progress: Progress = no_progress) -> Solution:
    """Find the best play of the Ante and its later Bets alone; only here are the kernels loaded."""
    # numba and the kernels cost half a second to load, which only those who ask for figures should spend.
    if game.decides_on_own_cards:
        from croupier.lab.solve import own_cards  # noqa: PLC0415

        return own_cards.solve(game)
    from croupier.lab.solve import holdem  # noqa: PLC0415

    return holdem.solve(game, progress)
