"""Slow, plain twins of the kernels: the same counts in plain Python, from the ranking of cards and the rulebook.

Only tests run them; readers learn from them what a kernel counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import msgspec

from croupier.cards import DECK, Card, best_five, three_card
from croupier.lab.model.card_places import suit_pattern
from croupier.lab.model.game import Game, Units


class Outcomes(msgspec.Struct, frozen=True):
    """The Dealer's Hands against one Hand, by what they do to it."""

    wins: int
    ties: int
    losses: int
    unqualified: int
    """Hands that do not qualify; they are among the other three as well."""


def unseen(*seen: Sequence[Card]) -> list[Card]:
    """Return the cards that are in none of these."""
    gone = {card for cards in seen for card in cards}
    return [card for card in DECK if card not in gone]


def count_dealers(own: Sequence[Card], community: Sequence[Card], qualifies_from: int = 0) -> Outcomes:
    """Count every pair of Hole Cards the Dealer may hold on a complete board."""
    mine = best_five((*own, *community))
    return _counted(
        mine, (best_five((*dealer, *community)) for dealer in combinations(unseen(own, community), 2)), qualifies_from
    )


def count_three_card_dealers(own: Sequence[Card], qualifies_from: int = 0) -> Outcomes:
    """Count every three cards the Dealer may hold."""
    return _counted(three_card(own), (three_card(dealer) for dealer in combinations(unseen(own), 3)), qualifies_from)


def count_five_card_dealers(own: Sequence[Card], qualifies_from: int = 0) -> Outcomes:
    """Count every five cards the Dealer may hold, without Community Cards."""
    return _counted(best_five(own), map(best_five, hands_beside(own, 5)), qualifies_from)


def hands_beside(own: Sequence[Card], size: int) -> Iterator[tuple[Card, ...]]:
    """Yield every Hand of that many cards that the Dealer may hold beside an own one."""
    return combinations(unseen(own), size)


def _counted(mine: int, dealers: Iterable[int], qualifies_from: int) -> Outcomes:
    wins = ties = losses = unqualified = 0
    for his in dealers:
        wins += his < mine
        ties += his == mine
        losses += his > mine
        unqualified += his < qualifies_from
    return Outcomes(wins, ties, losses, unqualified)


def board_values(game: Game, own: Sequence[Card], community: Sequence[Card]) -> tuple[Units, Units]:
    """Return what the Ante and a unit of a later Bet bring on a complete board, over all of the Dealer's Hands."""
    antes = laters = Fraction(0)
    mine = best_five((*own, *community))
    for dealer in combinations(unseen(own, community), 2):
        _, ante, later = game.compare(mine, best_five((*dealer, *community)))
        antes, laters = antes + ante, laters + later
    return antes, laters


def turn_values(game: Game, own: Sequence[Card], four: Sequence[Card]) -> tuple[Units, Units]:
    """Return the same on four Community Cards, over every River Card."""
    ante = later = Fraction(0)
    for river in unseen(own, four):
        on_board = board_values(game, own, (*four, river))
        ante, later = ante + on_board[0], later + on_board[1]
    return ante, later


def starting_hands() -> int:
    """Count two Hole Cards up to the names of suits."""
    return len({suit_pattern(cards) for cards in combinations(DECK, 2)})


def flops() -> int:
    """Count flops up to the names of suits."""
    return len({suit_pattern(cards) for cards in combinations(DECK, 3)})
