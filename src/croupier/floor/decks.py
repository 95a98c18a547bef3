"""Decks that can be proved: shuffled from chance that comes in as an argument, committed to first, opened after."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from croupier.cards import BadCard, Shoe, parse_cards, shuffled
from croupier.journal.records import ChainBroken

RandomBelow: TypeAlias = Callable[[int], int]
RandomBytes: TypeAlias = Callable[[int], bytes]

SALT_BYTES = 32
_WORDS = 1 << 16
"""How many different words two bytes make."""
_SHUFFLE_BYTES = 128
"""For the 51 draws of a shuffle, and a few to spare."""


class Chance(msgspec.Struct, frozen=True):
    """Where chance comes from: the operating system in a house, a seed in a test."""

    below: RandomBelow
    token: RandomBytes


class Drawn:
    """Numbers from random bytes, each of 0 to n-1 equally often. Bytes are asked for once a shuffle, not once a card:
    every asking lets other threads run, and a busy server would be slow to shuffle. What a shuffle leaves is dropped,
    so that nothing of the next deck lies in memory before it is made.
    """

    __slots__ = ("_at", "_bytes", "_last", "_token")

    def __init__(self, token: RandomBytes) -> None:
        self._token = token
        self._bytes, self._at, self._last = b"", 0, 0

    def below(self, number: int) -> int:
        """A shuffle asks for ever smaller numbers, so one that is not smaller begins another."""
        assert 0 < number <= _WORDS, "two bytes are enough for a deck"
        if number >= self._last:
            self._bytes = b""
        self._last = number
        fair = _WORDS - _WORDS % number
        while True:
            if self._at + 2 > len(self._bytes):
                self._bytes, self._at = self._token(_SHUFFLE_BYTES), 0
            drawn = self._bytes[self._at] << 8 | self._bytes[self._at + 1]
            self._at += 2
            # Words past the last whole multiple would give some numbers once more often than others.
            if drawn < fair:
                return drawn % number


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
    """A deck read back from disk; raises ChainBroken where it is none, and says nothing of its cards."""
    try:
        text = msgspec.json.decode(data, type=SealedText)
        return Deck(Shoe(parse_cards(text.cards)), text.salt)
    except (msgspec.MsgspecError, UnicodeError, BadCard):
        raise ChainBroken("A sealed deck is not what was written.") from None
