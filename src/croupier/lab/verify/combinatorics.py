"""Great hands counted on paper: how many boards make one of two certain Hole Cards, without dealing any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import comb

from croupier.cards import Card, Rank
from croupier.lab.model.deck import PLACE
from croupier.lab.solve.solution import HandValue
from croupier.rulebooks.vocabulary import Award

ROYAL = range(8, 13)
LEFT = 50


def high_hands(award: Award, hands: Iterable[HandValue]) -> Fraction:
    """How often one of these starting hands, and so many Community Cards, hold this royal flush, straight flush or four
    of a kind; of all deals.
    """
    boards = comb(LEFT, award.community)
    return sum((Fraction(hand.ways * _boards(award, hand.cards), 1_326 * boards) for hand in hands), Fraction(0))


def _boards(award: Award, cards: tuple[Card, ...]) -> int:
    own = frozenset(PLACE[card] for card in cards)
    shown = award.community
    if award.rank is Rank.FOUR_OF_A_KIND:
        # Two fours at once would need more cards than there are.
        return sum(_with({4 * face + suit for suit in range(4)} - own, 0, shown) for face in range(13))
    if award.rank is Rank.ROYAL_FLUSH:
        needs = ({4 * face + suit for face in ROYAL} - own for suit in range(4))
        # Where an own card must take part, a royal flush on the board alone is none of the Player's.
        return sum(_with(need, 0, shown) for need in needs if not (award.with_own_card and len(need) == len(ROYAL)))
    assert award.rank is Rank.STRAIGHT_FLUSH
    return sum(_with(need, gone, shown) for need, gone in _straight_flushes(own))


def _with(need: set[int], gone: int, shown: int) -> int:
    """Boards that hold all of these, and nothing of so many others."""
    return comb(LEFT - len(need) - gone, shown - len(need)) if len(need) <= shown else 0


def _straight_flushes(own: frozenset[int]) -> Iterator[tuple[set[int], int]]:
    """What each may still need, told apart by the highest of its suit: the next higher card must not be there too."""
    for suit in range(4):
        for top in range(3, 12):
            faces = [(top - down) % 13 for down in range(5)]
            above = 4 * (top + 1) + suit
            if top == 11:
                yield {4 * face + suit for face in faces} - own, 0
            elif above not in own:
                yield {4 * face + suit for face in faces} - own, 1
