"""Ranking of seven cards by two lookups: what the faces make, and what a suit makes.

Every strength has a place in one order, so that a Hand is a small number; equal Hands have equal numbers.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, cast

import numpy as np

from croupier.lab.kernels.cards.ranking import MASKS, RankTables, faces_strength, hands_of_three, rank_tables
from croupier.lab.kernels.cards.shapes import BY_FACES, FACES, PAIRS, Boards, Pairs, shapes
from croupier.lab.kernels.runtime.compiler import Ints, as_int64, kernel, part, zeros

SUITS = (0x1, 0x10, 0x100, 0x1000)
FLUSH_NEEDS, FLUSH_MADE = 0x3333, 0x8888
"""Added to the count of a suit's cards in its four bits, 3 sets the highest bit from five cards on."""


class Orders(NamedTuple):
    """The place of every Hand in the order of all."""

    pair_at: Ints
    add2: Ints
    add3: Ints
    add4: Ints
    """The numbers of faces, card by card, as in `Boards`."""
    plain: Ints
    """[five Community Cards by faces, two Hole Cards by faces] -> order, without a flush."""
    five: Ints
    """[five cards by faces] -> order, without a flush."""
    flush: Ints
    """[mask of faces of one suit] -> order, 0 with fewer than five."""
    three: Ints
    """[number of three cards] -> order in the ranking of three cards."""
    rank_of: Ints
    """[order] -> rank."""
    three_rank_of: Ints


@kernel
def _fill(boards: Boards, pairs: Pairs, t: RankTables, plain: Ints, five: Ints) -> None:
    seen = np.zeros(FACES, np.int64)
    for board in range(BY_FACES):
        for pair in range(PAIRS + 1):
            seen[:] = 0
            for place in range(5):
                seen[boards.faces5[board, place]] += 1
            if pair < PAIRS:
                seen[pairs.high[pair]] += 1
                seen[pairs.low[pair]] += 1
            once = twice = thrice = four = 0
            possible = True
            for face in range(FACES):
                possible = possible and seen[face] <= 4
                once |= (1 if seen[face] >= 1 else 0) << face
                twice |= (1 if seen[face] >= 2 else 0) << face
                thrice |= (1 if seen[face] >= 3 else 0) << face
                four |= (1 if seen[face] >= 4 else 0) << face
            found = faces_strength(once, twice, thrice, four, t) if possible else 0
            if pair < PAIRS:
                plain[board, pair] = found
            else:
                five[board] = found


@cache
def strengths() -> tuple[Ints, Ints]:
    """Return every strength of five cards in order, and every one of three; both begin with 0."""
    _, _, _, known, known_three = _made()
    return known, known_three


@cache
def _made() -> tuple[Ints, Ints, Ints, Ints, Ints]:
    plain, five, three = zeros((BY_FACES, PAIRS)), zeros(BY_FACES), hands_of_three()[1]
    known = shapes()
    _fill(known.boards, known.pairs, rank_tables(), plain, five)
    flush = rank_tables().flush
    every = np.unique(np.concatenate([[0], plain.ravel(), five, flush[:MASKS]]))
    return plain, five, three, cast(Ints, every), cast(Ints, np.unique(np.concatenate([[0], three])))


@cache
def orders() -> Orders:
    """Return the lookup tables; made once in a process."""
    plain, five, three, every, every_three = _made()
    known = shapes()

    def small(values: Ints, bits: int = 16) -> Ints:
        return cast(Ints, np.ascontiguousarray(values.astype(f"u{bits // 8}")))

    return Orders(
        pair_at=small(known.pairs.at),
        add2=small(known.boards.add2),
        add3=small(known.boards.add3),
        add4=small(known.boards.add4),
        plain=small(np.searchsorted(every, plain)),
        five=small(np.searchsorted(every, five)),
        flush=small(np.searchsorted(every, rank_tables().flush[:MASKS])),
        three=small(np.searchsorted(every_three, three)),
        rank_of=small(every >> 20, 8),
        three_rank_of=small(every_three >> 20, 8),
    )


def order_of(strength: int, *, three: bool) -> int:
    """Return the first place in the order that is not below this strength."""
    return int(np.searchsorted(strengths()[1 if three else 0], strength))


@part
def suit_bit(card: int) -> int:
    """Return one card in its suit's four bits."""
    return 1 << ((card & 3) << 2)


@part
def board_at(a: int, b: int, c: int, d: int, e: int, o: Orders) -> int:
    """Return the number of five cards by faces."""
    return as_int64(o.add4[o.add3[o.add2[o.pair_at[a >> 2, b >> 2], c >> 2], d >> 2], e >> 2])


@part
def five_of(a: int, b: int, c: int, d: int, e: int, o: Orders) -> int:
    """Return the order of five cards."""
    if ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3 == 0:
        return as_int64(o.flush[1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (d >> 2) | 1 << (e >> 2)])
    return as_int64(o.five[board_at(a, b, c, d, e, o)])


@part
def flushed(made: int, cards: Ints, own: int, count: int, first: int, at: int, o: Orders) -> int:
    """Return the order of a flush in the suit whose bit is set: `count` cards from row `own`, the rest from `first`."""
    suit = 0 if made & 0x8 else 1 if made & 0x80 else 2 if made & 0x800 else 3
    mask = 0
    for place in range(own, own + count):
        if cards[place, at] & 3 == suit:
            mask |= 1 << (cards[place, at] >> 2)
    for place in range(first, first + 7 - count if count == 2 else first + 2):
        if cards[place, at] & 3 == suit:
            mask |= 1 << (cards[place, at] >> 2)
    return as_int64(o.flush[mask])
