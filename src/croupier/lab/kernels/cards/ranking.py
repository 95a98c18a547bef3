"""Strengths of Hands from bit masks: bit 0 is the Two, bit 12 the Ace; the strengths are those of `croupier.cards`."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from croupier.lab.kernels.runtime.compiler import Ints, kernel, zeros

ODD, PAIR, TWO_PAIRS, TRIPS, STRAIGHT, FLUSH, FULL, FOUR, STRAIGHT_FLUSH, ROYAL = range(10)
RANKS = 13
MASKS = 1 << RANKS
HANDS_OF_THREE = 22_100


class RankTables(NamedTuple):
    """Tables by a mask of faces."""

    top: Ints
    """The highest face as its place, -1 for the empty mask."""
    five: Ints
    """The highest faces, at most five, four bits each, the highest on top."""
    straight: Ints
    """The top face (2 to 14) of the highest sequence of five, 0 without one."""
    flush: Ints
    """The strength of the best five of one suit, 0 with fewer than five."""


@kernel
def _fill(top: Ints, five: Ints, straight: Ints, flush: Ints) -> None:
    for mask in range(MASKS):
        top[mask] = -1
        faces, shift, count = 0, 16, 0
        for place in range(RANKS - 1, -1, -1):
            if mask >> place & 1:
                if top[mask] < 0:
                    top[mask] = place
                count += 1
                if shift >= 0:
                    faces |= (place + 2) << shift
                    shift -= 4
        five[mask] = faces
        best = 0
        for low in range(RANKS - 4):
            if mask >> low & 31 == 31:
                best = low + 6
        if best == 0 and mask & 15 == 15 and mask >> 12 & 1:
            best = 5
        straight[mask] = best
        if count < 5:
            flush[mask] = 0
        elif best == 14:
            flush[mask] = ROYAL << 20 | 14 << 16
        elif best:
            flush[mask] = STRAIGHT_FLUSH << 20 | best << 16
        else:
            flush[mask] = FLUSH << 20 | faces


@cache
def rank_tables() -> RankTables:
    """Return the tables; filled once in a process."""
    tables = RankTables(*(zeros(MASKS, 32) for _ in range(4)))
    _fill(*tables)
    return tables


@kernel
def faces_strength(once: int, twice: int, thrice: int, four: int, t: RankTables) -> int:
    """Return the best five cards where no flush is possible; the masks say which faces occur at least that often."""
    if four:
        quad = int(t.top[four])
        kicker = int(t.top[once & ~(1 << quad)])
        return FOUR << 20 | (quad + 2) << 16 | (kicker + 2) << 12
    if thrice:
        three = int(t.top[thrice])
        pairs = twice & ~(1 << three)
        if pairs:
            return FULL << 20 | (three + 2) << 16 | (int(t.top[pairs]) + 2) << 12
    if t.straight[once]:
        return STRAIGHT << 20 | int(t.straight[once]) << 16
    if thrice:
        three = int(t.top[thrice])
        return TRIPS << 20 | (three + 2) << 16 | (int(t.five[once & ~(1 << three)]) >> 12) << 8
    if twice:
        high = int(t.top[twice])
        rest = twice & ~(1 << high)
        if rest:
            low = int(t.top[rest])
            kicker = int(t.top[once & ~(1 << high) & ~(1 << low)])
            return TWO_PAIRS << 20 | (high + 2) << 16 | (low + 2) << 12 | (kicker + 2) << 8
        return PAIR << 20 | (high + 2) << 16 | (int(t.five[once & ~(1 << high)]) >> 8) << 4
    return ODD << 20 | int(t.five[once])


@kernel
def cards_strength(a: int, b: int, c: int, d: int, t: RankTables) -> int:
    """Return the best five of up to seven cards, given as one mask of faces for each suit."""
    best = int(t.flush[a] | t.flush[b] | t.flush[c] | t.flush[d])  # at most one suit holds five of seven cards
    if best:
        return best
    ab, cd = a | b, c | d
    both_ab, both_cd = a & b, c & d
    return faces_strength(ab | cd, both_ab | both_cd | (ab & cd), (both_ab & cd) | (both_cd & ab), both_ab & both_cd, t)


@kernel
def three_strength(first: int, second: int, third: int) -> int:
    """Return the strength of three cards; a card is four times its face's place plus its suit."""
    x, y, z = first // 4, second // 4, third // 4
    if x < y:
        x, y = y, x
    if y < z:
        y, z = z, y
    if x < y:
        x, y = y, x
    one_suit = first % 4 == second % 4 == third % 4
    in_sequence = 0
    if x == y + 1 and y == z + 1:
        in_sequence = x + 2
    elif x == 12 and y == 1 and z == 0:
        in_sequence = 3
    if in_sequence:
        return (5 if one_suit else 3) << 20 | in_sequence << 16
    if x == z:
        return 4 << 20 | (x + 2) << 16
    if one_suit:
        return 2 << 20 | (x + 2) << 16 | (y + 2) << 12 | (z + 2) << 8
    if x == y:
        return 1 << 20 | (x + 2) << 16 | (z + 2) << 12
    if y == z:
        return 1 << 20 | (y + 2) << 16 | (x + 2) << 12
    return (x + 2) << 16 | (y + 2) << 12 | (z + 2) << 8


@kernel
def _deal_three(cards: Ints, strengths: Ints) -> None:
    at = 0
    for third in range(2, 52):
        for second in range(1, third):
            for first in range(second):
                cards[at, 0], cards[at, 1], cards[at, 2] = first, second, third
                strengths[at] = three_strength(first, second, third)
                at += 1


@cache
def hands_of_three() -> tuple[Ints, Ints]:
    """Return every Hand of three cards in the order of its number, and its strength."""
    cards, strengths = zeros((HANDS_OF_THREE, 3), 8), zeros(HANDS_OF_THREE, 32)
    _deal_three(cards, strengths)
    return cards, strengths
