"""Decks that can be proved: shuffled from chance that comes in as an argument, committed to first, opened after."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from croupier.cards import Shoe, parse_cards, shuffled

RandomBelow: TypeAlias = Callable[[int], int]
RandomBytes: TypeAlias = Callable[[int], bytes]

SALT_BYTES = 32


class Chance(msgspec.Struct, frozen=True):
    """Where chance comes from: the operating system in a house, a seed in a test."""

    below: RandomBelow
    token: RandomBytes


class SealedText(msgspec.Struct, frozen=True):
    """A deck as it lies on disk until it is opened."""

    cards: str
    salt: str


class Deck:
    """A shuffled deck with the salt that seals it."""

    __slots__ = ("cards", "salt", "shoe")

    def __init__(self, shoe: Shoe, salt: str) -> None:
        self.shoe, self.salt = shoe, salt
        self.cards = " ".join(shoe)

    def __repr__(self) -> str:
        return "Deck(sealed)"

    @property
    def commitment(self) -> str:
        """SHA-256 over the salt and the cards, as text: what is published before bets open."""
        return hashlib.sha256(f"{self.salt} {self.cards}".encode()).hexdigest()

    @property
    def sealed(self) -> SealedText:
        return SealedText(self.cards, self.salt)


def new_deck(chance: Chance) -> Deck:
    """A fresh shuffle and a fresh salt."""
    return Deck(shuffled(chance.below), chance.token(SALT_BYTES).hex())


def unsealed(data: bytes) -> Deck:
    """A deck read back from disk."""
    text = msgspec.json.decode(data, type=SealedText)
    return Deck(Shoe(parse_cards(text.cards)), text.salt)
