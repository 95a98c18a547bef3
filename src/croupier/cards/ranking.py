"""The ranking of Hands: five cards, the best five of six or seven, and three.

`_judge_five` and `_judge_three` say what the documents say, for a Hand laid out by its faces. The rest makes
them fast: cards are summed into one integer that counts each face and each suit, and the Strength of that integer is
judged once and cached (fewer than eighty thousand entries). Hands that differ only in suits share one entry.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from enum import IntEnum
from itertools import combinations
from typing import NewType

from croupier.cards.cards import DECK, SUITS, Card, face, face_name, face_names, suit


class Rank(IntEnum):
    """The ranking list of Five-card Hands, lowest first."""

    ODD_CARDS = 0
    PAIR = 1
    TWO_PAIRS = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


class ThreeCardRank(IntEnum):
    """The ranking list of three-card Hands, lowest first; here a Straight ranks above a Flush."""

    ODD_CARDS = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5


Strength = NewType("Strength", int)
"""A Hand's place in its ranking: the higher one wins, equal ones stand off. Three- and five-card ones do not compare.

The rank stands above bit 20, below it the faces that break a tie, four bits each, the first to be compared on top."""

_RANKS = tuple(Rank)
_THREE_CARD_RANKS = tuple(ThreeCardRank)


def strength(rank: Rank | ThreeCardRank, *faces: int) -> Strength:
    """Return the least Strength of a rank with these faces first: `strength(Rank.PAIR, 4)` is a pair of 4s."""
    ties = 0
    for shift, each in zip(range(16, -1, -4), faces, strict=False):
        ties |= each << shift
    return Strength(rank << 20 | ties)


def rank(strength: Strength) -> Rank:
    """Return the line of the five-card ranking list."""
    return _RANKS[strength >> 20]


def three_card_rank(strength: Strength) -> ThreeCardRank:
    """Return the line of the three-card ranking list."""
    return _THREE_CARD_RANKS[strength >> 20]


def slug(rank: Rank | ThreeCardRank) -> str:
    """Return the rank's stable word in scripts and journals: "four_of_a_kind"."""
    return rank.name.lower()


# What the documents say.


def _judge_five(faces: Sequence[int], one_suit: bool) -> Strength:
    """Return the Strength of five cards by their faces, in any order, and whether they share a suit."""
    groups, counts = _grouped(faces)
    top = _top_of_sequence(faces)
    if one_suit and top:
        return strength(Rank.ROYAL_FLUSH if top == 14 else Rank.STRAIGHT_FLUSH, top)
    if counts == (4, 1):
        return strength(Rank.FOUR_OF_A_KIND, *groups)
    if counts == (3, 2):
        return strength(Rank.FULL_HOUSE, *groups)
    if one_suit:
        return strength(Rank.FLUSH, *groups)
    if top:
        return strength(Rank.STRAIGHT, top)
    if counts == (3, 1, 1):
        return strength(Rank.THREE_OF_A_KIND, *groups)
    if counts == (2, 2, 1):
        return strength(Rank.TWO_PAIRS, *groups)
    if counts == (2, 1, 1, 1):
        return strength(Rank.PAIR, *groups)
    return strength(Rank.ODD_CARDS, *groups)


def _judge_three(faces: Sequence[int], one_suit: bool) -> Strength:
    """Return the Strength of three cards by their faces, in any order, and whether they share a suit."""
    groups, counts = _grouped(faces)
    top = _top_of_sequence(faces)
    if one_suit and top:
        return strength(ThreeCardRank.STRAIGHT_FLUSH, top)
    if counts == (3,):
        return strength(ThreeCardRank.THREE_OF_A_KIND, *groups)
    if top:
        return strength(ThreeCardRank.STRAIGHT, top)
    if one_suit:
        return strength(ThreeCardRank.FLUSH, *groups)
    if counts == (2, 1):
        return strength(ThreeCardRank.PAIR, *groups)
    return strength(ThreeCardRank.ODD_CARDS, *groups)


def _grouped(faces: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the different faces in the order in which a tie compares them, and how often each occurs."""
    often = Counter(faces)
    groups = sorted(often, key=lambda each: (often[each], each), reverse=True)
    return tuple(groups), tuple(often[each] for each in groups)


def _top_of_sequence(faces: Sequence[int]) -> int:
    """Return the highest card if the faces are in sequence, else 0; an Ace under the lowest cards counts as 1."""
    ordered = sorted(faces)
    lowest = ordered[0]
    if ordered == list(range(lowest, lowest + len(ordered))):
        return ordered[-1]
    if ordered == [*range(2, len(ordered) + 1), 14]:
        return len(ordered)
    return 0


# The fast path. A card's weight has three bits for each face above four bits for each suit, so that a sum of
# weights holds the counts of both. A suit's count starts high enough that the card which completes a flush carries
# into the suit's fourth bit.

_FACE_BITS, _SUIT_BITS = 3, 4
_ABOVE_SUITS = _SUIT_BITS * len(SUITS)
_FLUSH_BITS = 0x8888
_FIVE_TO_FLUSH = 0x3333
_THREE_TO_FLUSH = 0x5555

_DIGITS = tuple(1 << _FACE_BITS * (each - 2) for each in range(2, 15))
_DIGIT: dict[Card, int] = {card: _DIGITS[face(card) - 2] for card in DECK}
_WEIGHT: dict[Card, int] = {
    card: _DIGIT[card] << _ABOVE_SUITS | 1 << _SUIT_BITS * SUITS.index(suit(card)) for card in DECK
}
_weight = _WEIGHT.__getitem__
_SUIT_OF_FLUSH: dict[int, str] = {8 << _SUIT_BITS * at: each for at, each in enumerate(SUITS)}


class _Strengths(dict[int, Strength]):
    """From the count of each face to the Strength of the best Hand in it, judged when it is first asked for."""

    def __init__(self, judge: Callable[[Sequence[int], bool], Strength], size: int, one_suit: bool) -> None:
        super().__init__()
        self._judge, self._size, self._one_suit = judge, size, one_suit

    def __missing__(self, counts: int) -> Strength:
        # The count of each face is an octal digit, and at most seven cards are counted: dividing by seven leaves how
        # many they are.
        if counts % 7 == self._size:
            faces = [each for each in range(2, 15) for _ in range(counts >> _FACE_BITS * (each - 2) & 7)]
            best = self._judge(faces, self._one_suit)
        else:
            # The best Hand leaves out at least one of the cards, and what is left is looked up in the same way.
            best = max([self[counts - digit] for digit in _DIGITS if counts & 7 * digit])
        self[counts] = best
        return best


_MIXED_FIVE = _Strengths(_judge_five, 5, one_suit=False)
_SUITED_FIVE = _Strengths(_judge_five, 5, one_suit=True)
_MIXED_THREE = _Strengths(_judge_three, 3, one_suit=False)
_SUITED_THREE = _Strengths(_judge_three, 3, one_suit=True)


def best_five(cards: Sequence[Card]) -> Strength:
    """Return the Five-card Hand: the highest ranking five of five, six or seven different cards."""
    if not 5 <= len(cards) <= 7:
        raise ValueError(f"A Five-card Hand is chosen from five, six or seven cards, not {len(cards)}.")
    total = sum(map(_weight, cards), _FIVE_TO_FLUSH)
    flush = total & _FLUSH_BITS
    if flush:
        # With five of one suit among seven cards neither four of a kind nor a full house fits beside them, so the
        # cards of that suit alone decide.
        of_suit = _SUIT_OF_FLUSH[flush]
        return _SUITED_FIVE[sum(_DIGIT[card] for card in cards if card[1] == of_suit)]
    return _MIXED_FIVE[total >> _ABOVE_SUITS]


def five_card(cards: Sequence[Card]) -> Strength:
    """Return what exactly five different cards are worth."""
    if len(cards) != 5:
        raise ValueError(f"This Hand has five cards, not {len(cards)}.")
    return best_five(cards)


def three_card(cards: Sequence[Card]) -> Strength:
    """Return what exactly three different cards are worth in the three-card ranking."""
    if len(cards) != 3:
        raise ValueError(f"This Hand has three cards, not {len(cards)}.")
    total = sum(map(_weight, cards), _THREE_TO_FLUSH)
    strengths = _SUITED_THREE if total & _FLUSH_BITS else _MIXED_THREE
    return strengths[total >> _ABOVE_SUITS]


def cards_of_best(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the five cards that make the Five-card Hand, in the order in which they are given.

    Where several fives are worth the same, those that come first are taken.
    """
    best = best_five(cards)
    return next(five for five in combinations(cards, 5) if best_five(five) == best)


def holds(wanted: Rank, cards: Sequence[Card]) -> bool:
    """Return whether any five of these cards make exactly that rank, even where another five rank higher."""
    best = rank(best_five(cards))
    if best <= wanted:
        return best == wanted
    return any(rank(five_card(five)) == wanted for five in combinations(cards, 5))


# Names for people.


def five_card_name(strength: Strength) -> str:
    """Return a Five-card Hand in words: "Full House, Kings over Jacks"."""
    first, second = strength >> 16 & 15, strength >> 12 & 15
    match rank(strength):
        case Rank.ROYAL_FLUSH:
            return "Royal Flush"
        case Rank.STRAIGHT_FLUSH:
            return f"Straight Flush, {face_name(first)} high"
        case Rank.FOUR_OF_A_KIND:
            return f"Four {face_names(first)}"
        case Rank.FULL_HOUSE:
            return f"Full House, {face_names(first)} over {face_names(second)}"
        case Rank.FLUSH:
            return f"Flush, {face_name(first)} high"
        case Rank.STRAIGHT:
            return f"Straight, {face_name(first)} high"
        case Rank.THREE_OF_A_KIND:
            return f"Three {face_names(first)}"
        case Rank.TWO_PAIRS:
            return f"Two Pairs, {face_names(first)} and {face_names(second)}"
        case Rank.PAIR:
            return f"Pair of {face_names(first)}"
        case Rank.ODD_CARDS:
            return f"{face_name(first)} high"


def three_card_name(strength: Strength) -> str:
    """Return a three-card Hand in words: "Straight, Three high"."""
    first = strength >> 16 & 15
    match three_card_rank(strength):
        case ThreeCardRank.STRAIGHT_FLUSH:
            return f"Straight Flush, {face_name(first)} high"
        case ThreeCardRank.THREE_OF_A_KIND:
            return f"Three {face_names(first)}"
        case ThreeCardRank.STRAIGHT:
            return f"Straight, {face_name(first)} high"
        case ThreeCardRank.FLUSH:
            return f"Flush, {face_name(first)} high"
        case ThreeCardRank.PAIR:
            return f"Pair of {face_names(first)}"
        case ThreeCardRank.ODD_CARDS:
            return f"{face_name(first)} high"
