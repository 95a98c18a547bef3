"""What solving a game gives: exact values, decisions and results of the Ante with the Bets that decisions add to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from math import sqrt

from croupier.cards import Card
from croupier.lab.model.game import Game, Structure, Units
from croupier.lab.progress import Progress, quietly


class HandValue:
    """One kind of Hand at its first decision: what playing on and folding are worth, in units of Ante."""

    __slots__ = ("cards", "fold", "name", "play", "played", "ways")

    def __init__(self, name: str, cards: tuple[Card, ...], ways: int, play: Units, fold: Units) -> None:
        self.name, self.cards, self.ways = name, cards, ways
        """How many of the deals are of this kind."""
        self.play, self.fold = play, fold
        self.played = play > fold
        """Where both are worth the same the Hand is folded."""

    @property
    def value(self) -> Units:
        return self.play if self.played else self.fold


class Indifferent:
    """Decisions whose choices are worth exactly the same; they count as check, or fold."""

    __slots__ = ("decision", "positions", "probability")

    def __init__(self, decision: str, positions: int, probability: Fraction) -> None:
        self.decision, self.positions, self.probability = decision, positions, probability


class Solved:
    """The best play of one game, and what it comes to."""

    def __init__(
        self,
        game: Game,
        *,
        results: Callable[[], Mapping[Units, Fraction]],
        ev: Units,
        square: Units,
        decisions: Mapping[str, Fraction],
        hands: tuple[HandValue, ...],
        indifferent: tuple[Indifferent, ...],
    ) -> None:
        self.game = game
        self.ev = ev
        """Won for each unit of Ante; negative."""
        self.square = square
        """The mean of the squared result."""
        self.decisions = decisions
        """How often each choice is made in a round: folding, and every Bet."""
        self.hands = hands
        self.indifferent = indifferent
        self._results = results

    @cached_property
    def results(self) -> Mapping[Units, Fraction]:
        """Every result of a round, in units of Ante, with its probability."""
        found = self._results()
        assert sum(found.values()) == 1
        assert sum(net * chance for net, chance in found.items()) == self.ev
        return found

    @property
    def house_edge(self) -> float:
        return float(-self.ev)

    @property
    def average_wager(self) -> Fraction:
        """The Ante with what decisions add to it, on average."""
        return 1 + sum((choice.times * self.decisions[choice.bet] for choice in self.game.choices), Fraction(0))

    @property
    def element_of_risk(self) -> float:
        """The loss in proportion to all that is staked."""
        return float(-self.ev / self.average_wager)

    @property
    def variance(self) -> Fraction:
        return self.square - self.ev**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)


def solve(game: Game, progress: Progress = quietly) -> Solved:
    """The best play of the Ante and its later Bets alone; kernels are loaded only here."""
    # numba and the kernels cost half a second to load, which only those who ask for figures should spend.
    if game.structure is Structure.THREE_CARDS:
        from croupier.lab.solve import three_card  # noqa: PLC0415

        return three_card.solve(game)
    from croupier.lab.solve import holdem  # noqa: PLC0415

    return holdem.solve(game, progress)
