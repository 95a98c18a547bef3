"""Casino Hold'em's flops that may still make an award of the board: where it matters whether a Hand was called.

Only three cards of one suit within a straight can become a straight flush on the board, so these flops are few, and
each position on them is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from croupier.cards import DECK, Card
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.model.game import Game, Structure, Units
from croupier.lab.solve import holdem
from croupier.lab.solve.enumeration import RIVERS, TURNS
from croupier.rulebooks.vocabulary import Participants

STRAIGHTS = tuple(frozenset((top - down) % 13 for down in range(5)) for top in range(3, 13))
"""The faces of every straight, the Ace low in the first."""
DEALS = 22_100 * 1_176
"""Flops, and Hole Cards beside one."""
LATER = TURNS * RIVERS // 2
"""Pairs of a Turn and a River Card, their order aside."""


class Position(msgspec.Struct, frozen=True):
    """Two Hole Cards on a flop that may still make an award of the board."""

    probability: Fraction
    hand: tuple[Card, ...]
    call: Units
    boards: tuple[tuple[Card, ...], ...]
    """The boards that make one, of 1,081 that may follow."""


def matters(game: Game) -> bool:
    """Return whether a fold loses an award here that depends on the flop."""
    book = game.terms.book.jackpot
    shared = any(award.shared for award in book.awards)
    return game.structure is Structure.FLOP_FIRST and shared and book.participants is Participants.CALLED_HANDS


def finished(flop: Sequence[int]) -> list[tuple[int, int]]:
    """Return Turn and River Cards, by places in the deck, that make a straight flush of the flop."""
    suit = flop[0] % 4
    if any(card % 4 != suit for card in flop):
        return []
    faces = frozenset(card // 4 for card in flop)
    missing = {tuple(sorted(straight - faces)) for straight in STRAIGHTS if faces <= straight}
    return [(4 * low + suit, 4 * high + suit) for low, high in sorted(missing)]


def positions(game: Game) -> tuple[Position, ...]:
    """Return every such position up to the names of suits."""
    wanted = holdem.key(game)
    found = _FOUND.get(wanted)
    if found is None:
        _FOUND.clear()
        found = _FOUND[wanted] = tuple(_positions(game))
    return found


_FOUND: dict[holdem.Key, tuple[Position, ...]] = {}
"""Positions of the last game asked about."""


def _positions(game: Game) -> Iterator[Position]:
    lookup = holdem.Lookup(game)
    flops, ways = canonical(3)
    for flop, count in zip(flops.tolist(), ways.tolist(), strict=True):
        rest = [(pair, tuple(DECK[card] for card in (*flop, *pair))) for pair in finished(flop)]
        if not rest:
            continue
        chance = Fraction(count, DEALS)
        left = [card for card in range(52) if card not in flop]
        for at, two in enumerate(left):
            for one in left[:at]:
                boards = tuple(board for pair, board in rest if one not in pair and two not in pair)
                if boards:
                    call = Fraction(lookup.value((one, two), flop), -lookup.layout.fold)
                    yield Position(chance, (DECK[one], DECK[two]), call, boards)
