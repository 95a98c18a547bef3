"""Decks that can be proved: shuffled from chance that comes in as an argument, committed to first, opened after."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from struct import Struct
from typing import TypeAlias

import msgspec

from croupier.cards import BadCard, Card, Shoe, arrange, parse_cards, shuffled
from croupier.floor.records.keys import Keys, open_sealed, seal, sealed_with
from croupier.journal.records import ChainBroken

RandomBelow: TypeAlias = Callable[[int], int]
RandomBytes: TypeAlias = Callable[[int], bytes]

SALT_BYTES = 32
_WORDS = 1 << 16
"""The number of values of two bytes."""
_IN_WORDS = Struct(">64H")
"""The words for the 51 draws of a shuffle, and a few to spare."""
_LEAVES, _NO_CARD = 64, "0" * 64
"""The tree over a deck has room for 64 leaves; those after the last card are zeros."""
_SALT = tuple(hashlib.sha256(f"croupier salt {at} ".encode()) for at in range(_LEAVES))
_CARD = tuple(hashlib.sha256(f"croupier card {at} ".encode()) for at in range(_LEAVES))
_NODE = hashlib.sha256(b"croupier node ")
"""The beginnings of what is hashed for a tree: going on from a copy takes less time than a new hash."""


_SEALED = b"\x01"
"""A sealed deck begins with it, and JSON never does."""

DeckPlace: TypeAlias = tuple[str, int, int]
"""Table, Round and deal of a deck."""


class Chance(msgspec.Struct, frozen=True):
    """Where chance comes from: the operating system in a house, a seed in a test."""

    below: RandomBelow
    token: RandomBytes


class Drawn:
    """Numbers from random bytes, each of 0 to n-1 equally often. Bytes are asked for once a shuffle, not once a card:
    every asking lets other threads run, and a busy server would be slow to shuffle. What a shuffle leaves is dropped,
    so that nothing of the next deck lies in memory before it is made.
    """

    __slots__ = ("_last", "_token", "_words")

    def __init__(self, token: RandomBytes) -> None:
        self._token, self._last = token, 0
        self._words: Iterator[int] = iter(())

    def below(self, number: int) -> int:
        """Draw a number below this one; one that is not smaller than the last begins a new shuffle."""
        assert 0 < number <= _WORDS, "two bytes are enough for a deck"
        if number >= self._last:
            self._words = iter(())
        self._last = number
        # Words past the last whole multiple would give some numbers once more often than others.
        fair = _WORDS - _WORDS % number
        while True:
            for drawn in self._words:
                if drawn < fair:
                    return drawn % number
            self._words = iter(_IN_WORDS.unpack(self._token(_IN_WORDS.size)))


class SealedText(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deck as it lies on disk."""

    cards: str
    salt: str
    by_card: bool = False


class CardProof(msgspec.Struct, frozen=True):
    """One card of a deck with everything that leads from it to the commitment, and nothing of any other card."""

    position: int
    """In the dealing order, from 0."""
    card: Card
    salt: str
    path: tuple[str, ...]
    """The neighbours on the way to the root, the lowest first."""


class Deck:
    """A shuffled deck with the salt that seals it. Committed to card by card, its salt is the seed of the cards' own
    salts; earlier releases committed to the whole deck with one salt.
    """

    __slots__ = ("_levels", "by_card", "cards", "known_commitment", "salt", "shoe")

    def __init__(self, shoe: Shoe, salt: str, *, by_card: bool) -> None:
        self.shoe, self.salt, self.by_card = shoe, salt, by_card
        self.cards = " ".join(shoe)
        self._levels: list[list[str]] = []
        self.known_commitment = ""
        """The commitment where it has been computed from these very cards and this salt before."""

    def __repr__(self) -> str:
        return "Deck(sealed)"

    @property
    def commitment(self) -> str:
        """What is published before bets open: the root of the tree over the cards, or SHA-256 over salt and cards."""
        if not self.known_commitment:
            # Of the tree only its root is kept: a house with many decks in play has other uses for the memory.
            root = (self._levels or self._tree())[-1][0] if self.by_card else _digest(f"{self.salt} {self.cards}")
            self.known_commitment = root
        return self.known_commitment

    @property
    def sealed(self) -> SealedText:
        return SealedText(self.cards, self.salt, self.by_card)

    def proof(self, position: int) -> CardProof:
        """Open the card at one position."""
        assert self.by_card, "a deck that was committed to as a whole is opened as a whole"
        path, at = [], position
        if not self._levels:
            self._levels = self._tree()
        for level in self._levels[:-1]:
            path.append(level[at ^ 1])
            at //= 2
        return CardProof(position, self.shoe[position], _digest(f"croupier salt {position} {self.salt}"), tuple(path))

    def look_salt(self, box: int) -> str:
        """Return the salt that earlier releases gave to a look at a box; empty for a deck that is opened as a whole."""
        return _digest(f"croupier look {box} {self.salt}") if self.by_card else ""

    def _tree(self) -> list[list[str]]:
        """Return the levels of the tree, leaves first."""
        # Every Round has a tree of 157 hashes, so they are made without a call around each.
        seed = self.salt.encode()
        leaves = []
        for card, salt, leaf in zip(self.shoe, _SALT, _CARD, strict=False):
            salted, hashed = salt.copy(), leaf.copy()
            salted.update(seed)
            hashed.update(f"{card} {salted.hexdigest()}".encode())
            leaves.append(hashed.hexdigest())
        levels, used = [leaves + [_NO_CARD] * (_LEAVES - len(leaves))], len(leaves)
        for empty in _EMPTY_NODES:
            below, used = levels[-1], (used + 1) // 2
            level = []
            for at in range(0, 2 * used, 2):
                node = _NODE.copy()
                node.update(f"{below[at]} {below[at + 1]}".encode())
                level.append(node.hexdigest())
            levels.append(level + [empty] * (len(below) // 2 - used))
        return levels


class ShownDeck(Deck):
    """A deck in play to which the reader has no key: the cards and salts that its Round has shown so far."""

    __slots__ = ("_commitment", "_salts")

    def __init__(self, cards: Mapping[int, Card], salts: Mapping[int, str], commitment: str) -> None:
        super().__init__(arrange(cards), "", by_card=True)
        self._salts, self._commitment = salts, commitment

    @property
    def commitment(self) -> str:
        return self._commitment

    def look_salt(self, box: int) -> str:
        return self._salts.get(box, "")


def new_deck(chance: Chance) -> Deck:
    """Shuffle a deck and draw its salt."""
    return Deck(shuffled(chance.below), chance.token(SALT_BYTES).hex(), by_card=True)


def sealed_deck(keys: Keys, place: DeckPlace, text: bytes) -> bytes:
    """Encrypt a deck in play with the server's key; return it unchanged where the server has none."""
    return _SEALED + seal(keys, _purpose(place), text) if keys.current else text


def is_sealed(data: bytes, keys: Keys) -> bool:
    """Return whether a deck is sealed with a key that is not among these."""
    return data.startswith(_SEALED) and sealed_with(data[1:]) not in keys.known


def opened_deck(keys: Keys, place: DeckPlace, data: bytes) -> Deck:
    """Read a deck back from disk, in play or not.

    Raises BadKeys where its key is missing or it was changed, and ChainBroken where it is not a deck.
    """
    return unsealed(open_sealed(keys, _purpose(place), data[1:]) if data.startswith(_SEALED) else data)


def _purpose(place: DeckPlace) -> str:
    table, number, deal = place
    return f"deck/{table}/{number}/{deal}"


def unsealed(data: bytes) -> Deck:
    """Read a deck whose Round is over; raises ChainBroken where it is not one, and does not say its cards."""
    try:
        text = msgspec.json.decode(data, type=SealedText)
        return Deck(Shoe(parse_cards(text.cards)), text.salt, by_card=text.by_card)
    except (msgspec.MsgspecError, UnicodeError, BadCard):
        raise ChainBroken("A sealed deck is not what was written.") from None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _empty_nodes() -> tuple[str, ...]:
    """Return the node above no card, for each level above the leaves."""
    nodes = [_NO_CARD]
    while 2 ** len(nodes) <= _LEAVES:
        nodes.append(_digest(f"croupier node {nodes[-1]} {nodes[-1]}"))
    return tuple(nodes[1:])


_EMPTY_NODES = _empty_nodes()
