"""Places of cards in the deck, and sets of cards that differ only in the names of suits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.cards import DECK, Card

PLACE: Mapping[Card, int] = {card: at for at, card in enumerate(DECK)}
"""Card -> its place in the deck: four times its face plus its suit, the Two of clubs at 0."""


def suit_pattern(cards: Iterable[Card]) -> tuple[str, ...]:
    """Return the faces of each suit, sorted: the same for cards that differ only in the names of suits."""
    held = list(cards)
    return tuple(sorted("".join(sorted(card[0] for card in held if card[1] == suit)) for suit in "cdhs"))
