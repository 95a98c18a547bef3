"""Decisions as bits: for every flop and turn up to the names of suits, one bit for each pair of Hole Cards.

A set of Community Cards is looked up by its number: its class, and the exchange of suits that leads there. The bit of
the Hole Cards after the same exchange says whether the Bet is placed.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from croupier.lab.kernels.cards.ranking import RankTables
from croupier.lab.kernels.cards.shapes import HOLES
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.decide.rules_of_thumb import pattern_of
from croupier.lab.kernels.enumerate.positions import position_value
from croupier.lab.kernels.enumerate.streets import SumTables
from croupier.lab.kernels.runtime.compiler import Ints, as_int64, kernel, part, unsigned_zeros, zeros

WIDTH = 168
"""Bytes that hold one bit for each of the 1,326 pairs of Hole Cards, in whole words."""
EXCHANGES = 24
FLOPS, TURNS = 22_100, 270_725


class Places(NamedTuple):
    """Where the bits of cards lie; the same for every game."""

    flop: Ints
    """[number of the three cards] -> 24 times their class plus the exchange of suits that brings them there."""
    turn: Ints
    moved: Ints
    """[exchange, pair of Hole Cards] -> the pair with its suits exchanged."""
    threes: Ints
    fours: Ints
    """[card] -> how many sets of that many cards have only lower ones."""


@kernel
def hole_at(first: int, second: int) -> int:
    """Return the number of two Hole Cards, in either order."""
    high = max(first, second)
    return (high * (high - 1) >> 1) + first + second - high


@part
def flop_at(a: int, b: int, c: int, p: Places) -> int:
    """Return the number of three cards, in any order."""
    low, high = min(a, b), max(a, b)
    mid = max(low, min(high, c))
    low, high = min(low, c), max(high, c)
    return as_int64(p.threes[high] + (mid * (mid - 1) >> 1) + low)


@part
def turn_at(a: int, b: int, c: int, d: int, p: Places) -> int:
    """Return the number of four cards, in any order."""
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    low, x = min(a, c), max(a, c)
    y, high = min(b, d), max(b, d)
    x, y = min(x, y), max(x, y)
    return as_int64(p.fours[high] + p.threes[y] + (x * (x - 1) >> 1) + low)


@kernel
def _place(classes: Ints, moved: Ints, p: Places, found: Ints) -> None:
    """Write for every set of cards its class and an exchange of suits; of several that lead there any will do."""
    cards, size = np.zeros(4, np.int64), classes.shape[1]
    back = np.zeros(EXCHANGES, np.int64)
    for exchange in range(EXCHANGES):
        for other in range(EXCHANGES):
            undone = True
            for suit in range(4):
                undone = undone and moved[other, moved[exchange, suit]] == suit
            if undone:
                back[exchange] = other
    for at in range(classes.shape[0]):
        for exchange in range(EXCHANGES):
            for place in range(size):
                cards[place] = moved[back[exchange], classes[at, place]]
            a, b, c, d = cards[0], cards[1], cards[2], cards[3]
            found[flop_at(a, b, c, p) if size == 3 else turn_at(a, b, c, d, p)] = at * EXCHANGES + exchange


@kernel
def _move(moved: Ints, holes: Ints) -> None:
    for exchange in range(EXCHANGES):
        for two in range(1, 52):
            for one in range(two):
                holes[exchange, hole_at(one, two)] = hole_at(moved[exchange, one], moved[exchange, two])


@cache
def places() -> Places:
    """Return the tables; made once in a process."""
    moved, holes = zeros((EXCHANGES, 52)), unsigned_zeros((EXCHANGES, HOLES), 16)
    threes, fours = zeros(52, 32), zeros(52, 32)
    for exchange, order in enumerate(permutations(range(4))):
        moved[exchange] = [card // 4 * 4 + order[card % 4] for card in range(52)]
    _move(moved, holes)
    threes[:] = [card * (card - 1) * (card - 2) // 6 for card in range(52)]
    fours[:] = [card * (card - 1) * (card - 2) * (card - 3) // 24 for card in range(52)]
    found = Places(unsigned_zeros(FLOPS, 32), unsigned_zeros(TURNS, 32), holes, threes, fours)
    _place(canonical(3)[0], moved, found, found.flop)
    _place(canonical(4)[0], moved, found, found.turn)
    return found


@part
def _put(bits: Ints, row: int, hole: int) -> None:
    bits[row, hole >> 3] |= 1 << (hole & 7)


@kernel
def best_bits(first: int, last: int, lying: Ints, at_stake: int, tables: SumTables, bits: Ints) -> None:
    """Set a bit wherever a Bet on these three or four Community Cards gains."""
    room, size = np.zeros(8, np.int64), lying.shape[1]
    for at in range(first, last):
        taken = 0
        for card in lying[at]:
            taken |= 1 << card
        for two in range(1, 52):
            if taken >> two & 1:
                continue
            for one in range(two):
                if not taken >> one & 1 and position_value(0, size, one, two, lying[at], tables, room) > at_stake:
                    _put(bits, at, hole_at(one, two))


@kernel
def pattern_bits(first: int, last: int, lying: Ints, bet: Ints, t: RankTables, bits: Ints) -> None:
    """Set a bit wherever the position's pattern, as a person sees it, is one that bets: `bet` by its number."""
    masks, size = np.zeros(8, np.int64), lying.shape[1]
    for at in range(first, last):
        taken = 0
        for card in lying[at]:
            taken |= 1 << card
        for two in range(1, 52):
            if taken >> two & 1:
                continue
            for one in range(two):
                if not taken >> one & 1 and bet[pattern_of(one, two, lying[at], size, t, masks)]:
                    _put(bits, at, hole_at(one, two))
