"""Cards: their text, and what people read."""

import json

import pytest

from croupier.cards import DECK, BadCard, card, face, face_name, face_names, parse_cards, show, suit


def test_the_deck_has_52_different_cards_in_a_fixed_order() -> None:
    """rws-multilink-holdem 2.2.1, mbs-megalink-holdem 2.1: one deck of 52; the order is part of replaying a script."""
    assert len(set(DECK)) == len(DECK) == 52
    assert DECK[:5] == ("2c", "2d", "2h", "2s", "3c")
    assert DECK[-5:] == ("Ks", "Ac", "Ad", "Ah", "As")


def test_a_card_is_read_from_rank_and_suit() -> None:
    """The very string of the deck, so that equal cards are one object."""
    assert all(card(text) is text for text in DECK)
    assert card("Ah Kh"[:2]) is DECK[-2]
    assert parse_cards("Qh  Jh\tTh") == ("Qh", "Jh", "Th")
    assert parse_cards("") == ()


def test_a_card_is_its_own_json() -> None:
    """Nothing to convert on the wire."""
    assert json.loads(json.dumps(card("Ah"))) == card("Ah")


@pytest.mark.parametrize("text", ["", "A", "1h", "10h", "ah", "AH", "hA", "A♥", "Ahh", "Xx", " Ah"])
def test_any_other_text_is_not_a_card(text: str) -> None:
    """The refusal names the text and says how a card is written."""
    with pytest.raises(BadCard) as refused:
        card(text)
    assert str(refused.value).startswith(f"'{text}' is not a card: write the rank")


def test_a_card_named_twice_is_refused() -> None:
    """Reading example-typos: one deck, so the second of two equal cards is a misprint."""
    with pytest.raises(BadCard, match="Qs is named twice"):
        parse_cards("Qs Qh Qs 8h 3d")


def test_one_bad_card_among_good_ones_is_named() -> None:
    """Not the whole text, but the part that is wrong."""
    with pytest.raises(BadCard, match=r"^'Zh' is not a card"):
        parse_cards("Ah Zh Kh")


def test_people_see_suit_symbols_and_a_ten() -> None:
    """As the documents print cards."""
    assert show(parse_cards("Ah Kd Tc 2s")) == "A♥ K♦ 10♣ 2♠"


def test_the_ace_is_the_highest_face() -> None:
    """rws-multilink-holdem 3.1.1, mbs-megalink-holdem 3.3.1: Ace, King, Queen, Jack, 10 down to 2."""
    assert [face(card(rank + "c")) for rank in "AKQJT98765432"] == list(range(14, 1, -1))


def test_a_card_knows_its_suit() -> None:
    """c d h s."""
    assert [suit(each) for each in parse_cards("2c 2d 2h 2s")] == ["c", "d", "h", "s"]


def test_faces_have_names_one_and_many() -> None:
    """ "Sixes" is the only plural that is not a plain s."""
    assert [face_name(each) for each in (14, 13, 12, 11, 10, 6, 2)] == [
        "Ace",
        "King",
        "Queen",
        "Jack",
        "Ten",
        "Six",
        "Two",
    ]
    assert [face_names(each) for each in (14, 13, 10, 6, 2)] == ["Aces", "Kings", "Tens", "Sixes", "Twos"]
