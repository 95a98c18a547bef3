"""Rules of thumb: positions sorted by what a person sees at a glance, and what betting gains in each sort.

A person sees what the own cards have made of the board (nothing, a pair, more), whether four cards stand to a flush or
to a straight that two faces would complete, and one card: the pair's, or else the higher of the own cards.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.compiling import Ints, kernel, part
from croupier.lab.kernels.positions import flop_value, turn_value
from croupier.lab.kernels.ranking import PAIR, RankTables, cards_strength
from croupier.lab.kernels.shapes import FACES, Boards, Pairs
from croupier.lab.kernels.streets import River, Turns

MADE, SORTS = 3, 3 * 2 * 2 * 13
GAIN, BEST, COUNT = range(3)


@kernel
def sort_of(first: int, second: int, board: Ints, size: int, t: RankTables, masks: Ints) -> int:
    """The number of a position's sort; `masks` is room for eight numbers."""
    masks[:] = 0
    for at in range(size):
        masks[board[at] & 3] |= 1 << (board[at] >> 2)
    masks[4:] = masks[:4]
    alone = cards_strength(masks[0], masks[1], masks[2], masks[3], t) >> 20
    lying = masks[0] | masks[1] | masks[2] | masks[3]
    masks[first & 3] |= 1 << (first >> 2)
    masks[second & 3] |= 1 << (second >> 2)
    strength = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
    with_own = strength >> 20
    made = 0
    if with_own > alone:
        made = 1 if with_own == PAIR else 2
    flush = 0
    for suit in (first & 3, second & 3):
        rest, count = masks[suit], 0
        while rest:
            rest &= rest - 1
            count += 1
        if count == 4:
            flush = 1
    faces = masks[0] | masks[1] | masks[2] | masks[3]
    completing = 0
    for face in range(FACES):
        if t.straight[faces | 1 << face] and not t.straight[lying | 1 << face]:
            completing += 1
    straight = 1 if completing >= 2 and t.straight[faces] == 0 else 0
    card = (strength >> 16 & 15) - 2 if made == 1 else max(first, second) >> 2
    return ((made * 2 + flush) * 2 + straight) * FACES + card


@part
def _tally(sort: int, value: int, at_stake: int, ways: int, sums: Ints) -> None:
    gain = value - at_stake
    sums[sort, 0] += ways * gain
    sums[sort, 1] += ways * max(gain, 0)
    sums[sort, 2] += ways


@kernel
def sort_flops(
    first: int,
    last: int,
    flops: Ints,
    ways: Ints,
    at_stake: int,
    live: Ints,
    pairs: Pairs,
    boards: Boards,
    turns: Turns,
    t: RankTables,
    sums: Ints,
) -> None:
    """For each sort, what betting on the flop gains, what betting where it is best gains, and how many positions.

    Starting hands that are not `live` were folded before.
    """
    masks, of_suit, others = np.zeros(8, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    for at in range(first, last):
        flop = flops[at]
        for two in range(1, 52):
            if two in (flop[0], flop[1], flop[2]):
                continue
            for one in range(two):
                if one in (flop[0], flop[1], flop[2]) or not live[one, two]:
                    continue
                value = flop_value(0, one, two, flop, pairs, boards, turns, of_suit, others)
                _tally(sort_of(one, two, flop, 3, t, masks), value, at_stake, ways[at], sums)


@kernel
def sort_turns(
    first: int,
    last: int,
    fours: Ints,
    ways: Ints,
    live: Ints,
    pairs: Pairs,
    boards: Boards,
    river: River,
    t: RankTables,
    sums: Ints,
) -> None:
    """The same on the turn, for the first four Community Cards in any order."""
    masks, of_suit, others = np.zeros(8, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    for at in range(first, last):
        four = fours[at]
        for two in range(1, 52):
            if two in (four[0], four[1], four[2], four[3]):
                continue
            for one in range(two):
                if one in (four[0], four[1], four[2], four[3]) or not live[one, two]:
                    continue
                value = turn_value(0, one, two, four, pairs, boards, river, of_suit, others)
                _tally(sort_of(one, two, four, 4, t, masks), value, 0, ways[at], sums)
