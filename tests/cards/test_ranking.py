"""The ranking of Hands, by the paragraphs that give it."""

from itertools import pairwise

import pytest

from croupier.cards import (
    Rank,
    Strength,
    ThreeCardRank,
    best_five,
    cards_of_best,
    five_card,
    five_card_name,
    holds,
    parse_cards,
    rank,
    slug,
    strength,
    three_card,
    three_card_name,
    three_card_rank,
)


def five(text: str) -> Strength:
    return five_card(parse_cards(text))


def best(text: str) -> Strength:
    return best_five(parse_cards(text))


def three(text: str) -> Strength:
    return three_card(parse_cards(text))


# fmt: off
RWS_LIST = [
    ("Ad Kd Qd Jd Td", Rank.ROYAL_FLUSH,     "royal_flush",     "Royal Flush"),
    ("Qc Jc Tc 9c 8c", Rank.STRAIGHT_FLUSH,  "straight_flush",  "Straight Flush, Queen high"),
    ("Kc Kh Kd Ks Jh", Rank.FOUR_OF_A_KIND,  "four_of_a_kind",  "Four Kings"),
    ("Kc Kh Kd Js Jh", Rank.FULL_HOUSE,      "full_house",      "Full House, Kings over Jacks"),
    ("Kh Jh 9h 5h 2h", Rank.FLUSH,           "flush",           "Flush, King high"),
    ("5c 4d 3c 2h As", Rank.STRAIGHT,        "straight",        "Straight, Five high"),
    ("Qs Qh Qd 8h 3d", Rank.THREE_OF_A_KIND, "three_of_a_kind", "Three Queens"),
    ("7s 7h 4c 4h Jd", Rank.TWO_PAIRS,       "two_pairs",       "Two Pairs, Sevens and Fours"),
    ("Tc Th Kd 6h 3s", Rank.PAIR,            "pair",            "Pair of Tens"),
    ("Qc Th 6d 4s 2h", Rank.ODD_CARDS,       "odd_cards",       "Queen high"),
]
MBS_LIST = [
    ("Ad Kd Qd Jd Td", Rank.ROYAL_FLUSH,     "3.11.1",  "Royal Flush"),
    ("Jc Tc 9c 8c 7c", Rank.STRAIGHT_FLUSH,  "3.11.2",  "Straight Flush, Jack high"),
    ("Ac Ah Ad As Jh", Rank.FOUR_OF_A_KIND,  "3.11.3",  "Four Aces"),
    ("Kc Kh Kd As Ah", Rank.FULL_HOUSE,      "3.11.4",  "Full House, Kings over Aces"),
    ("Jh 8h 6h 5h 2h", Rank.FLUSH,           "3.11.5",  "Flush, Jack high"),
    ("9c 8d 7c 6h 5s", Rank.STRAIGHT,        "3.11.6",  "Straight, Nine high"),
    ("Ts Th Tc 6h 3d", Rank.THREE_OF_A_KIND, "3.11.7",  "Three Tens"),
    ("Qs Qh 6c 6h 3d", Rank.TWO_PAIRS,       "3.11.8",  "Two Pairs, Queens and Sixes"),
    ("Ac Ah 8d 6h 5s", Rank.PAIR,            "3.11.9",  "Pair of Aces"),
    ("Qc Th 6d 5s 2h", Rank.ODD_CARDS,       "3.11.10", "Queen high"),
]
THREE_CARD_LIST = [
    ("Ah Kh Qh", ThreeCardRank.STRAIGHT_FLUSH,  "straight_flush",  "Straight Flush, Ace high"),
    ("Qs Qh Qc", ThreeCardRank.THREE_OF_A_KIND, "three_of_a_kind", "Three Queens"),
    ("Ac Kd Qc", ThreeCardRank.STRAIGHT,        "straight",        "Straight, Ace high"),
    ("3c 2h Ad", ThreeCardRank.STRAIGHT,        "straight",        "Straight, Three high"),
    ("Kc Jc 9c", ThreeCardRank.FLUSH,           "flush",           "Flush, King high"),
    ("Tc Th Ks", ThreeCardRank.PAIR,            "pair",            "Pair of Tens"),
    ("6s 4h 2d", ThreeCardRank.ODD_CARDS,       "odd_cards",       "Six high"),
]
# fmt: on


@pytest.mark.parametrize(("cards", "expected", "word", "name"), RWS_LIST)
def test_each_line_of_the_rws_ranking_list(cards: str, expected: Rank, word: str, name: str) -> None:
    """rws-multilink-holdem 3.1.2, rws-progressive-holdem 3.1.2: the list's own examples."""
    assert rank(five(cards)) is expected
    assert slug(expected) == word
    assert five_card_name(five(cards)) == name


def test_the_rws_ranking_list_descends() -> None:
    """rws-multilink-holdem 3.1.2: each example beats the next one."""
    assert all(five(higher[0]) > five(lower[0]) for higher, lower in pairwise(RWS_LIST))


@pytest.mark.parametrize(("cards", "expected", "paragraph", "name"), MBS_LIST)
def test_each_line_of_the_mbs_ranking_list(cards: str, expected: Rank, paragraph: str, name: str) -> None:
    """mbs-megalink-holdem 3.11.1 to 3.11.10: each paragraph's own example."""
    assert rank(five(cards)) is expected, paragraph
    assert five_card_name(five(cards)) == name


def test_the_mbs_ranking_list_descends() -> None:
    """mbs-megalink-holdem 3.11: each example beats the next one."""
    assert all(five(higher[0]) > five(lower[0]) for higher, lower in pairwise(MBS_LIST))


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("Ah Kh Qh Jh 9h", "2c 2d 2h 3c 3d"),
        ("Ac Kd Qh Js Tc", "7h 5h 4h 3h 2h"),
        ("Ac Ad Ah Ks Qc", "5c 4d 3h 2s Ac"),
        ("Ac Ad Kh Ks Qc", "2c 2d 2h 4s 3c"),
        ("Ac Ad Kh Qs Jc", "3c 3d 2h 2s 4c"),
        ("Ac Kd Qh Js 9c", "2c 2d 5h 4s 3c"),
        ("Ac Ad Ah Ks Kc", "2c 2d 2h 2s 3c"),
        ("Ac Ad Ah As Kc", "5h 4h 3h 2h Ah"),
        ("Kh Qh Jh Th 9h", "Ac Kc Qc Jc Tc"),
    ],
)
def test_the_lowest_of_a_rank_beats_the_highest_of_the_rank_below(lower: str, higher: str) -> None:
    """rws-multilink-holdem 3.1.2: the rank decides before any card value."""
    assert five(higher) > five(lower)


def test_suits_never_decide() -> None:
    """rws-multilink-holdem 3.1.1, sun-casino-holdem Count Down: no suit ranks above another."""
    assert five("Ah Kh Qh Jh Th") == five("Ac Kc Qc Jc Tc")
    assert five("As Kd 9c 7c 2h") == five("Ac Kh 9s 7d 2d")


def test_the_ace_is_low_only_in_the_five_high_sequence() -> None:
    """rws-multilink-holdem 3.1.1: 5-4-3-2-A is a Straight, a sequence around the corner is not."""
    assert rank(five("5c 4d 3c 2h As")) is Rank.STRAIGHT
    assert rank(five("4c 3d 2c Ah Ks")) is Rank.ODD_CARDS
    assert rank(five("3c 2d Ac Kh Qs")) is Rank.ODD_CARDS
    assert five_card_name(five("4c 3d 2c Ah Ks")) == "Ace high"
    assert five("Ac 5d 4c 3h 2h") < five("6c 5d 4c 3h 2h")


def test_higher_straights_beat_lower_ones() -> None:
    """rws-multilink-holdem 3.1.3.a: King high over Jack high."""
    assert five("Kc Qd Jc Th 9s") > five("Jc Td 9c 8h 7s")


def test_equal_pairs_are_decided_by_the_next_card() -> None:
    """rws-multilink-holdem 3.1.3.b: 5-5-K-10-2 over 5-5-Q-J-10."""
    assert five("5c 5d Kc Th 2s") > five("5h 5s Qc Jd Tc")


def test_odd_cards_are_compared_from_the_top() -> None:
    """rws-multilink-holdem 3.1.3.c: A-K-J-5-2 over A-K-10-6-4."""
    assert five("Ac Kd Jc 5h 2s") > five("Ah Ks Tc 6d 4c")


def test_the_same_rank_is_no_stand_off_while_a_card_differs() -> None:
    """Reading stand-off-by-category (rws-multilink-holdem 1.28, 3.15): 5-5 with a King beats 5-5 with a Queen."""
    assert rank(five("5c 5d Kc 3h 2s")) is rank(five("5h 5s Qc 3d 2c"))
    assert five("5c 5d Kc 3h 2s") > five("5h 5s Qc 3d 2c")


def test_the_same_rank_and_cards_stand_off() -> None:
    """mbs-megalink-holdem 3.12.1."""
    assert five("Ac Kd Jc 5h 2s") == five("Ad Kh Js 5c 2c")


def test_two_pairs_compare_the_high_pair_then_the_low_pair_then_the_odd_card() -> None:
    """mbs-megalink-holdem 3.12.2."""
    assert five("Qs Qh 3c 3h 2d") > five("Js Jh Tc Th Ad")
    assert five("Qs Qh 7c 7h 2d") > five("Qc Qd 6c 6h Ad")
    assert five("Qs Qh 7c 7h 4d") > five("Qc Qd 7d 7s 3d")
    assert five("Qs Qh 7c 7h 4d") == five("Qc Qd 7d 7s 4c")


def test_one_pair_compares_the_pair_then_three_cards_from_the_top() -> None:
    """mbs-megalink-holdem 3.12.3."""
    assert five("8s 8h 4c 3h 2d") > five("7s 7h Ac Kh Qd")
    assert five("8s 8h Ac 3h 2d") > five("8c 8d Kc Qh Jd")
    assert five("8s 8h Ac 9h 2d") > five("8c 8d Ad 7h 6d")
    assert five("8s 8h Ac 9h 3d") > five("8c 8d Ad 9c 2c")
    assert five("8s 8h Ac 9h 3d") == five("8c 8d Ad 9c 3c")


def test_the_five_high_sequence_is_the_lowest() -> None:
    """mbs-megalink-holdem 3.12.4: any sequence with a 6 in it or above beats 5-4-3-2-A, suited or not."""
    assert five("6c 5d 4c 3h 2s") > five("Ac 5h 4d 3c 2c")
    assert five("6c 5c 4c 3c 2c") > five("Ah 5h 4h 3h 2h")


def test_full_houses_compare_the_triple_first() -> None:
    """mbs-megalink-holdem 3.12.5: then the pair; both equal is a stand-off."""
    assert five("8c 8d 8h 2c 2d") > five("7c 7d 7h Ac Ad")
    assert five("8c 8d 8h 3c 3d") > five("8c 8d 8h 2c 2d")
    assert five("8c 8d 8h 3c 3d") == five("8c 8d 8h 3h 3s")


def test_the_pair_decides_after_equal_triples_wherever_the_triple_lies() -> None:
    """Reading full-house-shared-trips (mbs-megalink-holdem 3.12.5): K-K-K-Q-Q over K-K-K-5-5 on K K 5 Q 2."""
    board = "Ks Kd 5c Qd 2h"
    assert five_card_name(best(f"{board} Kh Qs")) == "Full House, Kings over Queens"
    assert five_card_name(best(f"{board} Kc 5s")) == "Full House, Kings over Fives"
    assert best(f"{board} Kh Qs") > best(f"{board} Kc 5s")


def test_equal_sequences_stand_off() -> None:
    """mbs-megalink-holdem 3.12.6: 8 to Queen against 8 to Queen, suited or not."""
    assert five("8c 9d Tc Jh Qs") == five("8d 9c Td Js Qh")
    assert five("8c 9c Tc Jc Qc") == five("8d 9d Td Jd Qd")


def test_four_of_a_kind_and_three_of_a_kind_compare_their_other_cards_last() -> None:
    """mbs-megalink-holdem 3.12, with the four or three on the board the remaining cards decide."""
    assert five("8c 8d 8h 8s 3c") > five("7c 7d 7h 7s Ac")
    assert five("8c 8d 8h 8s 3c") > five("8c 8d 8h 8s 2c")
    assert five("8c 8d 8h Ks 3c") > five("8c 8d 8h Qs Jc")
    assert five("8c 8d 8h Ks 3c") > five("8c 8d 8h Ks 2c")


def test_flushes_compare_card_by_card() -> None:
    """sun-casino-holdem Count Down: the highest card first, then the second and so on."""
    assert five("Ah 9h 5h 3h 2h") > five("Kc Qc Jc Tc 8c")
    assert five("Ah 9h 5h 4h 2h") > five("Ac 9c 5c 3c 2c")
    assert five("Ah 9h 5h 4h 3h") > five("Ac 9c 5c 4c 2c")


def test_the_steel_wheel_is_the_lowest_straight_flush() -> None:
    """Reading steel-wheel (rws-multilink-holdem 3.1.1): a straight flush, never a royal, and under all the others."""
    wheel = five("5c 4c 3c 2c Ac")
    assert rank(wheel) is Rank.STRAIGHT_FLUSH
    assert five_card_name(wheel) == "Straight Flush, Five high"
    assert wheel == strength(Rank.STRAIGHT_FLUSH, 5)
    assert wheel < five("6h 5h 4h 3h 2h")


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Ah Kh Qh Jh Th 9h 8h", "Royal Flush"),
        ("Kh Qh Jh Th 9h Ac Ad", "Straight Flush, King high"),
        ("Ah 2h 3h 4h 5h Kh Qh", "Straight Flush, Five high"),
        ("6h 2h 3h 4h 5h Ah Kh", "Straight Flush, Six high"),
        ("7c 7d 7h 7s 2c 2d 2h", "Four Sevens"),
        ("Kc Kd Kh 4c 4d 4h 2s", "Full House, Kings over Fours"),
        ("3c 3d 3h Ac Ad Kh Ks", "Full House, Threes over Aces"),
        ("Ah 9h 7h 5h 2h 9c 9d", "Flush, Ace high"),
        ("2c 3d 4h 5s 6c 7d 7h", "Straight, Seven high"),
        ("Ac 2d 3h 4s 5c Kd Kh", "Straight, Five high"),
        ("Tc Jd Qh Ks Ac 2d 3h", "Straight, Ace high"),
        ("Ac Ad Kh Ks 3c 3d 2h", "Two Pairs, Aces and Kings"),
        ("6c 6d 6h Ks 9c 7d 2h", "Three Sixes"),
        ("6c 6d Ah Ks 9c 7d 2h", "Pair of Sixes"),
        ("Kc Jd 9h 8s 6c 4d 2h", "King high"),
    ],
)
def test_the_best_five_of_seven(cards: str, name: str) -> None:
    """rws-multilink-holdem 1.10, sun-casino-holdem How to Play 4: any five of the seven make the Five-card Hand."""
    assert five_card_name(best(cards)) == name


def test_a_third_pair_is_only_a_side_card() -> None:
    """mbs-megalink-holdem 3.12.2: beside Aces and Kings the highest card left counts, even out of a pair."""
    assert best("Ac Ad Kh Ks 3c 3d 2h") == five("Ac Ad Kh Ks 3c")
    assert best("Ac Ad Kh Ks 3c 3d Qh") == five("Ac Ad Kh Ks Qh")


def test_six_cards_are_judged_too() -> None:
    """rws-progressive-holdem 4.2: a hand may be looked at after six cards."""
    assert best("Ah Kh Qh Jh 2c Th") == five("Ah Kh Qh Jh Th")
    assert best("2c 2d 3h 3s 4c 4d") == five("4c 4d 3h 3s 2c")


def test_whole_numbers_of_cards_only() -> None:
    """A Hand with too few or too many cards is an error of the caller, and says so."""
    with pytest.raises(ValueError, match="five cards, not 7"):
        five("Ah Kh Qh Jh Th 9h 8h")
    with pytest.raises(ValueError, match="five, six or seven cards, not 4"):
        best("Ah Kh Qh Jh")
    with pytest.raises(ValueError, match="five, six or seven cards, not 8"):
        best("Ah Kh Qh Jh Th 9h 8h 7h")
    with pytest.raises(ValueError, match="three cards, not 5"):
        three("Ah Kh Qh Jh Th")


def test_a_hand_may_hold_two_ranks_that_are_paid() -> None:
    """round-script, rws-progressive-holdem 4.2: any five of the seven that meet a line count."""
    both = parse_cards("9h Th Jh Qh Kh Ah 2c")
    assert holds(Rank.ROYAL_FLUSH, both)
    assert holds(Rank.STRAIGHT_FLUSH, both)
    royal_only = parse_cards("Th Jh Qh Kh Ah Ac Ad")
    assert holds(Rank.ROYAL_FLUSH, royal_only)
    assert not holds(Rank.STRAIGHT_FLUSH, royal_only)
    assert not holds(Rank.FOUR_OF_A_KIND, royal_only)


def test_a_hand_holds_four_of_a_kind() -> None:
    """rws-progressive-holdem 4.2: with five, six or seven cards."""
    assert holds(Rank.FOUR_OF_A_KIND, parse_cards("8c 8d 8h 8s 2c"))
    assert holds(Rank.FOUR_OF_A_KIND, parse_cards("8c 8d 8h 8s 2c 2d 2h"))
    assert not holds(Rank.FOUR_OF_A_KIND, parse_cards("8c 8d 8h 7s 2c 2d 2h"))
    assert holds(Rank.FULL_HOUSE, parse_cards("8c 8d 8h 8s 2c 2d"))


@pytest.mark.parametrize(("cards", "expected", "word", "name"), THREE_CARD_LIST)
def test_each_line_of_the_three_card_list(cards: str, expected: ThreeCardRank, word: str, name: str) -> None:
    """rws-multilink-three-card 3.1.2: the list's own examples."""
    assert three_card_rank(three(cards)) is expected
    assert slug(expected) == word
    assert three_card_name(three(cards)) == name


def test_the_three_card_list_descends() -> None:
    """rws-multilink-three-card 3.1.2: a Straight above a Flush, three of a kind above both."""
    assert all(three(higher[0]) > three(lower[0]) for higher, lower in pairwise(THREE_CARD_LIST))


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("Ac Ad Ah", "3h 2h Ah"),
        ("Ac Kd Qc", "2c 2d 2h"),
        ("Ah Kh Jh", "3c 2d Ah"),
        ("Ac Ad Kc", "5h 3h 2h"),
        ("Ac Kd Jc", "2c 2d 3h"),
    ],
)
def test_the_lowest_of_a_three_card_rank_beats_the_highest_below(lower: str, higher: str) -> None:
    """rws-multilink-three-card 3.1.2: the rank decides before any card value."""
    assert three(higher) > three(lower)


def test_a_three_card_ace_is_low_only_in_three_two_ace() -> None:
    """rws-multilink-three-card 3.1.1: the lowest Straight; 2-A-K is none."""
    assert three("3c 2h Ad") == strength(ThreeCardRank.STRAIGHT, 3)
    assert three("3c 2h Ad") < three("4c 3h 2d")
    assert three("Ac Kd Qc") == strength(ThreeCardRank.STRAIGHT, 14)
    assert three_card_rank(three("2c Ah Kd")) is ThreeCardRank.ODD_CARDS
    assert three("3h 2h Ah") < three("4h 3h 2h")


def test_three_card_straights_pairs_and_odd_cards_compare_by_value() -> None:
    """rws-multilink-three-card 3.1.3.a, b and c."""
    assert three("Kc Qd Jc") > three("Jc Td 9c")
    assert three("5c 5d Kc") > three("5h 5s Qc")
    assert three("Ac Kd Jc") > three("Ah Ks Tc")


def test_three_card_suits_never_decide() -> None:
    """rws-multilink-three-card 3.1.1: equal cards of other suits stand off."""
    assert three("Kc Jc 9c") == three("Kh Jh 9h")
    assert three("Tc Th Ks") == three("Td Ts Kc")


@pytest.mark.parametrize(
    ("cards", "qualifies"),
    [
        *(("Qc 3d 2h", True), ("Kc 4d 2h", True), ("Jc Td 9h", True), ("2c 2d 3h", True), ("7h 4h 2h", True)),
        *(("Jc Td 8h", False), ("4c 3d 2h", True), ("5c 3d 2h", False)),
    ],
)
def test_queen_high_is_a_place_in_the_ranking(cards: str, qualifies: bool) -> None:
    """Reading queen-high (rws-multilink-three-card 1.18): Q-3-2 and all above it, with a Queen or without."""
    assert three("Qc 3d 2h") == strength(ThreeCardRank.ODD_CARDS, 12, 3, 2)
    assert (three(cards) >= strength(ThreeCardRank.ODD_CARDS, 12)) is qualifies


def test_a_pair_of_fours_is_a_place_in_the_ranking() -> None:
    """sun-casino-holdem How to Play 4: the Dealer qualifies with a pair of 4s or better."""
    fours = strength(Rank.PAIR, 4)
    assert best("4c 4d 2h 3s 5c 7d 8h") >= fours
    assert best("4c 4d 2h 3s 7c 8d 9h") >= fours
    assert best("3c 3d Ah Ks 9c 7d 5h") < fours
    assert best("Ac Kd Jh 9s 7c 5d 3h") < fours


@pytest.mark.parametrize(
    ("dealt", "five"),
    [
        ("Ac Js Ad 7h 7d 2c 3s", "Ac Js Ad 7h 7d"),
        ("2c 3d Ts Js Qs Ks As", "Ts Js Qs Ks As"),
        ("9c 9d 9h 9s Ah Kd 2c", "9c 9d 9h 9s Ah"),
        ("Ah 5d 4c 3s 2h 2d", "Ah 5d 4c 3s 2h"),
    ],
)
def test_the_five_cards_that_make_the_best_hand_are_named_in_the_order_dealt(dealt: str, five: str) -> None:
    """A hand of six or seven cards is worth what these five are worth."""
    assert cards_of_best(parse_cards(dealt)) == tuple(parse_cards(five))
