"""The 52 cards of the one deck that every document plays with: their text, their faces, their names for people."""

from collections.abc import Iterable
from sys import intern
from typing import NewType

Card = NewType("Card", str)
"""Rank then suit, as in "Ah" or "Tc": a plain string, so that a card is its own JSON."""

FACES = "23456789TJQKA"
SUITS = "cdhs"

DECK: tuple[Card, ...] = tuple(Card(intern(rank + suit)) for rank in FACES for suit in SUITS)

_KNOWN: dict[str, Card] = {card: card for card in DECK}
_FACE: dict[Card, int] = {card: FACES.index(card[0]) + 2 for card in DECK}
_SHOWN: dict[Card, str] = {
    card: card[0].replace("T", "10") + {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[card[1]] for card in DECK
}
_FACE_NAMES = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")


class BadCard(ValueError):
    """The text is not a card of the deck, or a card cannot stand there; the message is one sentence."""


def card(text: str) -> Card:
    """Return the card that this text names."""
    known = _KNOWN.get(text)
    if known is None:
        raise BadCard(
            f"{text[:40]!r} is not a card: write the rank (A K Q J T 9 to 2) and the suit (c d h s), as in Ah."
        )
    return known


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards that a text names, with spaces between them; one deck holds each card only once."""
    cards = tuple([_KNOWN.get(each) or card(each) for each in text.split()])
    if len(set(cards)) < len(cards):
        refuse_repeats(cards)
    return cards


def refuse_repeats(cards: Iterable[Card]) -> None:
    """Raise BadCard where a card is named twice."""
    seen: set[Card] = set()
    for each in cards:
        if each in seen:
            raise BadCard(f"{each} is named twice, and the deck holds it only once.")
        seen.add(each)


def show(cards: Iterable[Card]) -> str:
    """Return cards as people write them: "A♥ 10♣"."""
    return " ".join(_SHOWN[each] for each in cards)


def face(card: Card) -> int:
    """Return the face in the ranking of cards: 2 to 10, Jack 11, Queen 12, King 13, Ace 14."""
    return _FACE[card]


def suit(card: Card) -> str:
    """Return the suit: c, d, h or s. All suits have the same rank."""
    return card[1]


def face_name(face: int) -> str:
    """Return the name of a face: "King" for 13, "Six" for 6."""
    assert 2 <= face <= 14, face
    return _FACE_NAMES[face - 2]


def face_names(face: int) -> str:
    """Return the plural of a face: "Kings" for 13, "Sixes" for 6."""
    name = face_name(face)
    return name + ("es" if name.endswith("x") else "s")
