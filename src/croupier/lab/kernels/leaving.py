"""Leaving a round in the middle: what it is worth to take every Bet back where the cards have turned out badly."""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.boards import share_of_suits
from croupier.lab.kernels.compiling import Ints, kernel
from croupier.lab.kernels.positions import flop_value, turn_value
from croupier.lab.kernels.shapes import Boards, Pairs
from croupier.lab.kernels.streets import River, Turns

FLOP, FLOP_LEAVING, TURN, TURN_LEAVING = range(4)


@kernel
def count_leaving(
    first: int,
    last: int,
    flops: Ints,
    ante: Ints,
    times: Ints,
    live: Ints,
    pairs: Pairs,
    boards: Boards,
    river: River,
    turns: Turns,
    sums: Ints,
) -> None:
    """Over every flop and turn of a Hand that is live: the value of playing on, and of leaving where that is negative.

    `ante` are the channels' parts in the Ante's result, `times` the three Bets' multiples. Deals that differ only in
    the names of suits are looked at once.
    """
    of_suit, others, four = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    keys = np.zeros(4, np.int64)
    channels = ante.shape[0]
    for at in range(first, last):
        flop = flops[at]
        a, b, c = flop[0], flop[1], flop[2]
        for two in range(1, 52):
            if two in (a, b, c):
                continue
            for one in range(two):
                if one in (a, b, c) or not live[one, two]:
                    continue
                keys[:] = 0
                for place in range(3):
                    keys[flop[place] & 3] |= 1 << (13 + (flop[place] >> 2))
                keys[one & 3] |= 1 << (one >> 2)
                keys[two & 3] |= 1 << (two >> 2)
                if not keys[0] >= keys[1] >= keys[2] >= keys[3]:
                    continue
                ways = share_of_suits(keys[0], keys[1], keys[2], keys[3])
                gain = flop_value(0, one, two, flop, pairs, boards, turns, of_suit, others)
                value = times[0] * gain
                for ch in range(channels):
                    value += ante[ch] * flop_value(ch, one, two, flop, pairs, boards, turns, of_suit, others)
                staked = times[0]
                if gain > 0:
                    value += times[1] * gain
                    staked += times[1]
                four[0], four[1], four[2] = a, b, c
                for turn in range(52):
                    if turn in (a, b, c) or turn in (one, two):
                        continue
                    four[3] = turn
                    later = turn_value(0, one, two, four, pairs, boards, river, of_suit, others)
                    worth = staked * later
                    for ch in range(channels):
                        worth += ante[ch] * turn_value(ch, one, two, four, pairs, boards, river, of_suit, others)
                    if later > 0:
                        worth += times[2] * later
                        value += times[2] * later
                    sums[2] += ways * worth
                    sums[3] += ways * max(worth, 0)
                sums[0] += ways * value
                sums[1] += ways * max(value, 0)
