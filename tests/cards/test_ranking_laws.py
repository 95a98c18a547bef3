"""The ranking as a whole: every Hand counted, two other judges asked, and what may never matter."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from croupier.cards import (
    DECK,
    Card,
    Rank,
    Strength,
    ThreeCardRank,
    best_five,
    five_card,
    holds,
    rank,
    three_card,
    three_card_rank,
)
from croupier.cards.ranking import _judge_five, _judge_three
from tests.effort import effort

FIVE_CARD_COUNTS = {
    Rank.ROYAL_FLUSH: 4,
    Rank.STRAIGHT_FLUSH: 36,
    Rank.FOUR_OF_A_KIND: 624,
    Rank.FULL_HOUSE: 3_744,
    Rank.FLUSH: 5_108,
    Rank.STRAIGHT: 10_200,
    Rank.THREE_OF_A_KIND: 54_912,
    Rank.TWO_PAIRS: 123_552,
    Rank.PAIR: 1_098_240,
    Rank.ODD_CARDS: 1_302_540,
}
THREE_CARD_COUNTS = {
    ThreeCardRank.STRAIGHT_FLUSH: 48,
    ThreeCardRank.THREE_OF_A_KIND: 52,
    ThreeCardRank.STRAIGHT: 720,
    ThreeCardRank.FLUSH: 1_096,
    ThreeCardRank.PAIR: 3_744,
    ThreeCardRank.ODD_CARDS: 16_440,
}


def faces(cards: Iterable[Card]) -> list[int]:
    return ["23456789TJQKA".index(card[0]) + 2 for card in cards]


def one_suit(cards: Iterable[Card]) -> bool:
    return len({card[1] for card in cards}) == 1


def test_every_five_card_hand_is_counted() -> None:
    """rws-multilink-holdem 3.1.2: all 2,598,960 Hands fall into the known counts, and into 7462 different strengths."""
    strengths = Counter(map(five_card, combinations(DECK, 5)))
    assert sum(strengths.values()) == 2_598_960
    assert len(strengths) == 7462
    counts: Counter[Rank] = Counter()
    for each, times in strengths.items():
        counts[rank(each)] += times
    assert counts == FIVE_CARD_COUNTS


def test_every_three_card_hand_is_counted() -> None:
    """rws-multilink-three-card 3.1.2: all 22,100 Hands fall into the known counts."""
    strengths = Counter(map(three_card, combinations(DECK, 3)))
    assert sum(strengths.values()) == 22_100
    # Three different faces can be had in 286 ways, 12 of them in sequence, so 274 are a flush or odd cards.
    assert len(strengths) == 12 + 13 + 12 + 274 + 13 * 12 + 274
    counts: Counter[ThreeCardRank] = Counter()
    for each, times in strengths.items():
        counts[three_card_rank(each)] += times
    assert counts == THREE_CARD_COUNTS


def test_every_three_card_hand_is_what_the_plain_definition_says() -> None:
    """The quick way and the plain one are the same ranking."""
    assert all(three_card(hand) == _judge_three(faces(hand), one_suit(hand)) for hand in combinations(DECK, 3))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_best_five_are_what_the_plain_definition_says(size: int) -> None:
    """The quick way equals the highest of all choices of five, each judged plainly."""
    chance = random.Random(f"plain definition, {size} cards")
    for _ in range(2_000):
        hand = chance.sample(DECK, size)
        assert best_five(hand) == max(_judge_five(faces(five), one_suit(five)) for five in combinations(hand, 5))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_best_five_of_cards_from_one_suit_are_what_the_plain_definition_says(size: int) -> None:
    """Every choice of faces within a suit: where a flush and a straight flush meet."""
    hearts = [card for card in DECK if card[1] == "h"]
    for hand in combinations(hearts, size):
        assert best_five(hand) == max(_judge_five(faces(five), True) for five in combinations(hand, 5))


@cache
def all_strengths() -> tuple[Strength, ...]:
    """The 7462 different strengths, highest first, one Hand of each made from its faces."""
    unsuited = {
        _judge_five(five, False) for five in combinations_with_replacement(range(2, 15), 5) if len(set(five)) > 1
    }
    suited = {_judge_five(five, True) for five in combinations(range(2, 15), 5)}
    return tuple(sorted(unsuited | suited, reverse=True))


@pytest.mark.parametrize("part", range(2))
def test_hands_of_seven_against_an_independent_judge(part: int) -> None:
    """phevaluator numbers the 7462 strengths from 1, the royal flush: its number must be our place, every time.

    Two parts of 125,000 Hands; an effort of 4 makes a million. Its published bounds give the rank of each number, so
    the rank is compared as well.
    """
    ours = all_strengths()
    assert len(ours) == 7462
    chance = random.Random(f"seven cards, part {part}")
    for _ in range(effort(60_000)):
        hand = chance.sample(DECK, 7)
        score = evaluate_cards(*hand)
        found = best_five(hand)
        assert found == ours[score - 1], hand
        assert rank(found) is rank_of_score(score), hand


def rank_of_score(score: int) -> Rank:
    last_of_rank = (1, 10, 166, 322, 1599, 1609, 2467, 3325, 6185, 7462)
    return next(each for each, last in zip(sorted(Rank, reverse=True), last_of_rank, strict=True) if score <= last)


@pytest.mark.parametrize("size", [5, 6])
def test_hands_of_five_and_six_against_an_independent_judge(size: int) -> None:
    """Twenty thousand Hands of each, in the same way."""
    ours = all_strengths()
    chance = random.Random(f"{size} cards")
    for _ in range(20_000):
        hand = chance.sample(DECK, size)
        assert best_five(hand) == ours[evaluate_cards(*hand) - 1], hand


def hands(size: int, cards: Sequence[Card] = DECK) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(cards), min_size=size, max_size=size, unique=True)


SUIT_NAMINGS = [dict(zip("cdhs", new, strict=True)) for new in permutations("cdhs")]


def renamed(cards: Sequence[Card], naming: dict[str, str]) -> list[Card]:
    return [Card(card[0] + naming[card[1]]) for card in cards]


@given(st.integers(5, 7).flatmap(hands), st.randoms(use_true_random=False), st.sampled_from(SUIT_NAMINGS))
def test_neither_the_order_of_cards_nor_the_names_of_suits_matter(
    cards: list[Card], chance: random.Random, naming: dict[str, str]
) -> None:
    """rws-multilink-holdem 3.1.1: suits are equal; and a Hand is a set of cards."""
    other = renamed(cards, naming)
    chance.shuffle(other)
    assert best_five(other) == best_five(cards)


@given(hands(3), st.randoms(use_true_random=False), st.sampled_from(SUIT_NAMINGS))
def test_neither_order_nor_suit_names_matter_to_three_cards(
    cards: list[Card], chance: random.Random, naming: dict[str, str]
) -> None:
    """rws-multilink-three-card 3.1.1."""
    other = renamed(cards, naming)
    chance.shuffle(other)
    assert three_card(other) == three_card(cards)


@given(hands(7))
def test_more_cards_never_make_a_hand_worse(cards: list[Card]) -> None:
    """rws-multilink-holdem 1.10: five of seven are at least as good as five of the first six, or the first five."""
    assert best_five(cards) >= best_five(cards[:6]) >= best_five(cards[:5])


@given(hands(7) | hands(7, DECK[-20:]) | hands(7, [card for card in DECK if card[1] in "ch"]), st.sampled_from(Rank))
def test_a_hand_holds_a_rank_exactly_if_five_of_its_cards_make_it(cards: list[Card], wanted: Rank) -> None:
    """The short cut of `holds` answers as the plain definition does, also among few faces and among two suits."""
    plain = any(rank(five_card(five)) is wanted for five in combinations(cards, 5))
    assert holds(wanted, cards) is plain
