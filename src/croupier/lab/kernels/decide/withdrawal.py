# ruff: noqa: C901, PLR0912, PLR0915 - a kernel is one loop nest; cut up, it would pass a hundred arrays around
"""Withdrawal in the middle of a round: what it is worth to take every Bet back after bad cards."""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.cards.shapes import four_at, three_at, two_at
from croupier.lab.kernels.cards.suit_classes import share_of_suits
from croupier.lab.kernels.enumerate.positions import flop_value, hole_type, split_suit
from croupier.lab.kernels.enumerate.streets import SumTables
from croupier.lab.kernels.runtime.compiler import Ints, kernel

FLOP, FLOP_LEAVING, TURN, TURN_LEAVING = range(4)
MOST = 1_176
"""Pairs of Hole Cards that a flop leaves."""


@kernel
def count_withdrawals(
    first: int, last: int, flops: Ints, ante: Ints, times: Ints, live: Ints, tables: SumTables, sums: Ints
) -> None:
    """Add over every flop and turn of a live Hand the value of playing on, and of leaving where that is negative.

    `ante` are the channels' parts in the Ante's result, `times` the three Bets' multiples. Deals that differ only in
    the names of suits are looked at once.
    """
    pairs, boards, river = tables.shapes.pairs, tables.shapes.boards, tables.river
    room, four, keys = np.zeros(8, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    channels = ante.shape[0]
    low, high, ways = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    staked, values = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    suits, size, kinds = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    row, column = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for at in range(first, last):
        flop = flops[at]
        a, b, c = flop[0], flop[1], flop[2]
        count = 0
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
                gain = flop_value(0, one, two, flop, tables, room)
                value = times[0] * gain
                for ch in range(channels):
                    value += ante[ch] * flop_value(ch, one, two, flop, tables, room)
                low[count], high[count] = one, two
                ways[count] = share_of_suits(keys[0], keys[1], keys[2], keys[3])
                staked[count] = times[0] + (times[1] if gain > 0 else 0)
                values[count] = value + (times[1] * gain if gain > 0 else 0)
                count += 1
        four[0], four[1], four[2] = a, b, c
        by_faces = boards.add2[pairs.at[a >> 2, b >> 2], c >> 2]
        for turn in range(52):
            if turn in (a, b, c):
                continue
            four[3] = turn
            board = boards.add3[by_faces, turn >> 2]
            # Which suits may still make a flush is the same for all Hole Cards: at most two have two cards or more.
            found = 0
            for suit in range(4):
                cards = split_suit(four, 4, suit, room)
                if cards < 2:
                    continue
                suits[found], size[found], column[found] = suit, cards, 0
                if cards == 2:
                    row[found], column[found] = pairs.at[room[4], room[5]], two_at(room[0], room[1])
                elif cards == 3:
                    row[found], column[found] = three_at(room[0], room[1], room[2]), room[4]
                else:
                    row[found] = four_at(room[0], room[1], room[2], room[3])
                found += 1
            for hand in range(count):
                one, two = low[hand], high[hand]
                if turn in (one, two):
                    continue
                pair = pairs.at[one >> 2, two >> 2]
                for k in range(found):
                    kinds[k] = hole_type(one, two, suits[k])
                later = worth = 0
                for ch in range(channels):
                    value = int(river.plain[board, ch, pair])
                    for k in range(found):
                        if size[k] == 2:
                            value += int(river.two[row[k], column[k], ch, kinds[k]])
                        elif size[k] == 3:
                            value += int(river.three[row[k], column[k], ch, kinds[k]])
                        else:
                            value += int(river.four[row[k], ch, kinds[k]])
                    if ch == 0:
                        later = value
                    worth += ante[ch] * value
                worth += staked[hand] * later
                if later > 0:
                    worth += times[2] * later
                    values[hand] += times[2] * later
                sums[2] += ways[hand] * worth
                sums[3] += ways[hand] * max(worth, 0)
        for hand in range(count):
            sums[0] += ways[hand] * values[hand]
            sums[1] += ways[hand] * max(values[hand], 0)
