"""Decisions as bits: for every flop and every turn up to the names of suits, one bit for each pair of Hole Cards.

A set of Community Cards is looked up by its number among all sets: which class it is of, and which exchange of suits
brings it there. The same exchange is made with the Hole Cards, and their bit says whether the Bet is placed.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from croupier.lab.kernels.cards.ranking import RankTables
from croupier.lab.kernels.cards.shapes import HOLES, Boards, Pairs
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.decide.rules_of_thumb import sort_of
from croupier.lab.kernels.enumerate.positions import flop_value, turn_value
from croupier.lab.kernels.enumerate.streets import River, Turns
from croupier.lab.kernels.runtime.compiler import Ints, kernel, natural, part, whole, zeros

WIDTH = 168
"""Bytes that hold one bit for each of the 1,326 pairs of Hole Cards, rounded up to whole words."""
EXCHANGES = 24
FLOPS, TURNS = 22_100, 270_725


class Places(NamedTuple):
    """Where the bits of certain cards lie; the same for every game."""

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
    """The number of two Hole Cards, in either order."""
    high = max(first, second)
    return (high * (high - 1) >> 1) + first + second - high


@part
def _sorted(cards: Ints, size: int, target: Ints) -> None:
    for at in range(size):
        card = cards[at]
        place = at
        while place > 0 and target[place - 1] > card:
            target[place] = target[place - 1]
            place -= 1
        target[place] = card


@part
def _number(cards: Ints, size: int, threes: Ints, fours: Ints) -> int:
    """The number of a set in ascending order among all of its size."""
    low = threes[cards[2]] + cards[1] * (cards[1] - 1) // 2 + cards[0]
    return int(low + fours[cards[3]]) if size == 4 else int(low)


@kernel
def _place(size: int, classes: Ints, moved: Ints, threes: Ints, fours: Ints, found: Ints) -> None:
    """For every set of cards its class and an exchange of suits; several may do, and all of them do alike."""
    cards, ordered = np.zeros(4, np.int64), np.zeros(4, np.int64)
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
            _sorted(cards, size, ordered)
            found[_number(ordered, size, threes, fours)] = at * EXCHANGES + exchange


@kernel
def _move(moved: Ints, holes: Ints) -> None:
    for exchange in range(EXCHANGES):
        for two in range(1, 52):
            for one in range(two):
                holes[exchange, hole_at(one, two)] = hole_at(moved[exchange, one], moved[exchange, two])


@cache
def places() -> Places:
    """Made once in a process."""
    moved, holes = zeros((EXCHANGES, 52)), natural((EXCHANGES, HOLES), 16)
    threes, fours = zeros(52, 32), zeros(52, 32)
    for exchange, order in enumerate(permutations(range(4))):
        moved[exchange] = [card // 4 * 4 + order[card % 4] for card in range(52)]
    _move(moved, holes)
    threes[:] = [card * (card - 1) * (card - 2) // 6 for card in range(52)]
    fours[:] = [card * (card - 1) * (card - 2) * (card - 3) // 24 for card in range(52)]
    flop, turn = natural(FLOPS, 32), natural(TURNS, 32)
    _place(3, canonical(3)[0], moved, threes, fours, flop)
    _place(4, canonical(4)[0], moved, threes, fours, turn)
    return Places(flop, turn, holes, threes, fours)


@part
def flop_at(a: int, b: int, c: int, p: Places) -> int:
    """The number of three cards, in any order."""
    low, high = min(a, b), max(a, b)
    mid = max(low, min(high, c))
    low, high = min(low, c), max(high, c)
    return whole(p.threes[high] + (mid * (mid - 1) >> 1) + low)


@part
def turn_at(a: int, b: int, c: int, d: int, p: Places) -> int:
    """The number of four cards, in any order."""
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    low, x = min(a, c), max(a, c)
    y, high = min(b, d), max(b, d)
    x, y = min(x, y), max(x, y)
    return whole(p.fours[high] + p.threes[y] + (x * (x - 1) >> 1) + low)


@part
def bit(bits: Ints, place: int, hole: int, p: Places) -> int:
    """The bit of two Hole Cards on the cards of a place."""
    row = place // np.uint32(EXCHANGES)
    moved = p.moved[place - row * np.uint32(EXCHANGES), hole]
    return whole(bits[row, moved >> 3] >> (moved & 7) & 1)


@part
def _put(bits: Ints, row: int, hole: int) -> None:
    bits[row, hole >> 3] |= 1 << (hole & 7)


# ---------------------------------------------------------------- the best decisions


@kernel
def best_flops(
    first: int, last: int, flops: Ints, at_stake: int, pairs: Pairs, boards: Boards, turns: Turns, bits: Ints
) -> None:
    """A bit wherever a Bet on the flop gains."""
    of_suit, others = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for at in range(first, last):
        flop = flops[at]
        for two in range(1, 52):
            if two in (flop[0], flop[1], flop[2]):
                continue
            for one in range(two):
                if one in (flop[0], flop[1], flop[2]):
                    continue
                if flop_value(0, one, two, flop, pairs, boards, turns, of_suit, others) > at_stake:
                    _put(bits, at, hole_at(one, two))


@kernel
def best_turns(first: int, last: int, fours: Ints, pairs: Pairs, boards: Boards, river: River, bits: Ints) -> None:
    """A bit wherever a Bet on the turn gains."""
    of_suit, others = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for at in range(first, last):
        four = fours[at]
        for two in range(1, 52):
            if two in (four[0], four[1], four[2], four[3]):
                continue
            for one in range(two):
                if one in (four[0], four[1], four[2], four[3]):
                    continue
                if turn_value(0, one, two, four, pairs, boards, river, of_suit, others) > 0:
                    _put(bits, at, hole_at(one, two))


# ---------------------------------------------------------------- rules of thumb


@kernel
def sorted_bits(first: int, last: int, lying: Ints, size: int, bet: Ints, t: RankTables, bits: Ints) -> None:
    """A bit wherever the sort of the position, as a person sees it, is one that bets: `bet` by the number of a sort."""
    masks = np.zeros(8, np.int64)
    for at in range(first, last):
        taken = 0
        for place in range(size):
            taken |= 1 << lying[at, place]
        for two in range(1, 52):
            if taken >> two & 1:
                continue
            for one in range(two):
                if not taken >> one & 1 and bet[sort_of(one, two, lying[at], size, t, masks)]:
                    _put(bits, at, hole_at(one, two))
