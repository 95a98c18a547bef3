"""Shoes: arranged for a script, shuffled for a table."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, BadCard, Card, Shoe, ShoeExhausted, arrange, card, parse_cards, shuffled


def test_a_shoe_gives_its_cards_by_their_place_in_the_dealing_order() -> None:
    """From 0 to its length, in order."""
    shoe = Shoe(parse_cards("Ah 2c Td"))
    assert [shoe[0], shoe[1], shoe[2]] == ["Ah", "2c", "Td"]
    assert list(shoe) == ["Ah", "2c", "Td"]
    assert len(shoe) == 3


def test_a_shoe_that_runs_out_says_so() -> None:
    """rws-multilink-holdem 5.8.4: too few cards to complete a Round of play has a consequence, so it has a name."""
    with pytest.raises(ShoeExhausted, match="The shoe holds 3 cards, so it has no card number 4"):
        Shoe(parse_cards("Ah 2c Td"))[3]


def test_nothing_is_dealt_from_the_bottom() -> None:
    """A negative place is an error, not the last card."""
    with pytest.raises(IndexError, match="starts at 0"):
        Shoe(DECK)[-1]


def test_a_shoe_holds_each_card_once() -> None:
    """rws-multilink-holdem 5.8.3: an excess card makes a wrong deck."""
    with pytest.raises(BadCard, match="Ah is named twice"):
        Shoe((*DECK, card("Ah")))


def test_a_shoe_holds_only_cards_of_the_deck() -> None:
    """rws-multilink-holdem 5.8.1: a card that is not of the set does not belong there; and an empty shoe is none."""
    with pytest.raises(BadCard, match="'Jk' is not a card of the deck"):
        Shoe([*DECK[:51], Card("Jk")])
    with pytest.raises(BadCard, match="at least one card"):
        Shoe(())


def test_a_printed_shoe_hides_its_cards() -> None:
    """What the rules have not turned yet must not come out through a log."""
    assert repr(Shoe(DECK)) == "<Shoe of 52 cards>"


def test_an_arranged_shoe_has_the_named_cards_in_place_and_the_rest_in_deck_order() -> None:
    """round-script: what is not named is any other card of the deck, and always the same one."""
    shoe = arrange({1: card("2c"), 3: card("As"), 51: card("2d")})
    assert [shoe[at] for at in range(5)] == ["2h", "2c", "2s", "As", "3c"]
    assert shoe[51] == "2d"
    assert set(shoe) == set(DECK)


def test_an_arranged_shoe_may_be_short() -> None:
    """A shoe that runs out is arranged with its size."""
    assert list(arrange({1: card("Ah")}, size=3)) == ["2c", "Ah", "2d"]
    assert list(arrange({0: card("Ah")}, size=2, rest=parse_cards("Ah Kh"))) == ["Ah", "Kh"]


def test_an_arrangement_that_cannot_be_is_refused() -> None:
    """One card in two places, a place that the shoe does not have, too few cards."""
    with pytest.raises(BadCard, match="Ah is named twice"):
        arrange({0: card("Ah"), 1: card("Ah")})
    with pytest.raises(BadCard, match="Ah cannot be card number 53: the shoe holds 52 cards"):
        arrange({52: card("Ah")})
    with pytest.raises(BadCard, match="cannot be card number 0"):
        arrange({-1: card("Ah")})
    with pytest.raises(BadCard, match="52 different cards cannot fill a shoe of 53"):
        arrange({}, size=53)


@given(st.dictionaries(st.integers(0, 51), st.sampled_from(DECK)).filter(lambda d: len(set(d.values())) == len(d)))
def test_every_arrangement_is_a_full_deck(places: dict[int, Card]) -> None:
    """All 52 cards, each once, the named ones where they were named."""
    shoe = arrange(places)
    assert set(shoe) == set(DECK)
    assert len(shoe) == 52
    assert all(shoe[at] == named for at, named in places.items())


def test_the_shuffle_is_unbiased() -> None:
    """Over all 120 courses that chance can take with five cards, each of the 120 orders comes out exactly once."""
    five = DECK[:5]
    orders: Counter[tuple[Card, ...]] = Counter()
    for course in product(range(5), range(4), range(3), range(2)):
        by_range = dict(zip((5, 4, 3, 2), course, strict=True))
        orders[tuple(shuffled(by_range.pop, five))] += 1
        assert not by_range, "each range is asked for once"
    assert len(orders) == 120
    assert set(orders.values()) == {1}


def test_a_shuffle_holds_the_whole_deck_and_leaves_the_deck_alone() -> None:
    """52 cards, and the fixed order of the deck is untouched."""
    before = tuple(DECK)
    shoe = shuffled(lambda n: 0)
    assert set(shoe) == set(DECK)
    assert tuple(shoe) != before
    assert before == DECK
