# ruff: noqa: C901, PLR0912, PLR0915 - a kernel is one loop nest
"""Lines of a jackpot table that cards make, counted over every deal.

A line is its rank, how many Community Cards it counts from the first, and three yes-or-no questions. The lines that a
deal makes together are one mask, bit by bit in the order of the table. Deals that cannot make any are not counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.kernels.cards.ranking import FOUR, ROYAL, RankTables, cards_strength
from croupier.lab.kernels.runtime.compiler import Ints, kernel, part

ROYAL_RUN = 0b1111100000000
WHEEL_RUN = 0b1000000001111


class Lines(NamedTuple):
    """The lines of a table, each by its place."""

    rank: Ints
    own: Ints
    community: Ints
    with_own_card: Ints
    any_five: Ints


@part
def _holds(rank: int, a: int, b: int, c: int, d: int) -> bool:
    """Return whether any five of these cards make exactly this royal flush, straight flush or four of a kind."""
    if rank == FOUR:
        return a & b & c & d != 0
    for suit in range(4):
        mask = a if suit == 0 else b if suit == 1 else c if suit == 2 else d
        if rank == ROYAL:
            if mask & ROYAL_RUN == ROYAL_RUN:
                return True
            continue
        if mask & WHEEL_RUN == WHEEL_RUN:
            return True
        for low in range(8):
            if mask >> low & 31 == 31:
                return True
    return False


@kernel
def lines_made(own: Ints, community: Ints, lines: Lines, t: RankTables, masks: Ints) -> int:
    """Return the mask of lines that these cards make; `masks` is room for eight numbers."""
    found = 0
    masks[:] = 0
    shown = 0
    for card in own:
        masks[card & 3] |= 1 << (card >> 2)
    # Streets come in order, so the lines are asked for in order of the Community Cards they count.
    for street in range(2, 6):
        while shown < street and shown < community.shape[0]:
            card = community[shown]
            masks[card & 3] |= 1 << (card >> 2)
            masks[4 + (card & 3)] |= 1 << (card >> 2)
            shown += 1
        if shown < street:
            break
        mine = his = -1
        for line in range(lines.rank.shape[0]):
            if lines.community[line] != street:
                continue
            a, b, c, d = masks[4], masks[5], masks[6], masks[7]
            if lines.own[line]:
                a, b, c, d = masks[0], masks[1], masks[2], masks[3]
            if lines.any_five[line] and lines.rank[line] >= FOUR:
                made = _holds(lines.rank[line], a, b, c, d)
            else:
                made = cards_strength(a, b, c, d, t) >> 20 == lines.rank[line]
            if made and lines.with_own_card[line] and street == 5:
                if mine < 0:
                    mine = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
                    his = cards_strength(masks[4], masks[5], masks[6], masks[7], t)
                made = mine > his
            if made:
                found |= 1 << line
    return found


@kernel
def count_flops(
    first: int, last: int, flops: Ints, ways: Ints, least: int, lines: Lines, t: RankTables, counts: Ints
) -> None:
    """Count lines on at most three Community Cards: `[starting hand, mask]` over every flop."""
    own, masks, lying = np.zeros(2, np.int64), np.zeros(8, np.int64), np.zeros(4, np.int64)
    for flop in range(first, last):
        a, b, c = flops[flop, 0], flops[flop, 1], flops[flop, 2]
        lying[:] = 0
        for card in flops[flop]:
            lying[card & 3] |= 1 << (card >> 2)
        for two in range(1, 52):
            if two in (a, b, c):
                continue
            for one in range(two):
                if one in (a, b, c):
                    continue
                high, low = two >> 2, one >> 2
                hand = high * 13 + low if one & 3 == two & 3 else low * 13 + high
                for suit in range(4):  # numba takes a second to compile how a slice that does not fit is reported
                    masks[suit] = lying[suit]
                masks[one & 3] |= 1 << low
                masks[two & 3] |= 1 << high
                if cards_strength(masks[0], masks[1], masks[2], masks[3], t) >> 20 >= least:
                    own[0], own[1] = one, two
                    counts[hand, lines_made(own, flops[flop], lines, t, masks)] += ways[flop]


@kernel
def count_boards(
    first: int, last: int, boards: Ints, ways: Ints, least: int, lines: Lines, t: RankTables, counts: Ints
) -> None:
    """Count lines on up to five: `[starting hand, mask]` over every board and order of its last two cards."""
    early = ROYAL + 1  # below this rank no line looks at fewer than all five, and their order does not matter
    for line in range(lines.rank.shape[0]):
        if lines.community[line] < 5:
            early = min(early, lines.rank[line])
    own, masks = np.zeros(2, np.int64), np.zeros(8, np.int64)
    board, order = np.zeros(4, np.int64), np.zeros(5, np.int64)
    for at in range(first, last):
        board[:] = 0
        taken = 0
        for place in range(5):
            card = boards[at, place]
            board[card & 3] |= 1 << (card >> 2)
            taken |= 1 << card
        b0, b1, b2, b3 = board[0], board[1], board[2], board[3]
        twice = b0 & b1 | b2 & b3 | (b0 | b1) & (b2 | b3)
        flush_suit = -1
        for suit in range(4):
            count = 0
            for face in range(13):
                count += board[suit] >> face & 1
            if count >= 3:
                flush_suit = suit
        if least >= FOUR and twice == 0 and flush_suit < 0:
            continue
        thrice = b0 & b1 & (b2 | b3) | b2 & b3 & (b0 | b1)
        whole = cards_strength(b0, b1, b2, b3, t) >> 20 >= least
        if not lines.own.any() and not whole:
            continue
        for two in range(1, 52):
            if taken >> two & 1:
                continue
            for one in range(two):
                if taken >> one & 1:
                    continue
                high, low = two >> 2, one >> 2
                hand = high * 13 + low if one & 3 == two & 3 else low * 13 + high
                if least >= FOUR and not whole:
                    # A four of a kind needs three on the board, or two and a pair; a straight flush a suited card.
                    fours = thrice >> high & 1 or thrice >> low & 1 or (high == low and twice >> high & 1)
                    if not fours and flush_suit not in (one & 3, two & 3):
                        continue
                board[one & 3] |= 1 << (one >> 2)
                board[two & 3] |= 1 << (two >> 2)
                strength = cards_strength(board[0], board[1], board[2], board[3], t)
                board[0], board[1], board[2], board[3] = b0, b1, b2, b3
                if strength >> 20 < least:
                    continue
                own[0], own[1] = one, two
                if strength >> 20 < early:
                    counts[hand, lines_made(own, boards[at], lines, t, masks)] += 20 * ways[at]
                    continue
                for river in range(5):
                    for turn in range(5):
                        if turn == river:
                            continue
                        seen = 0
                        for place in range(5):
                            if place not in (turn, river):
                                order[seen] = boards[at, place]
                                seen += 1
                        order[3], order[4] = boards[at, turn], boards[at, river]
                        counts[hand, lines_made(own, order, lines, t, masks)] += ways[at]


@kernel
def count_three_and_two(
    first: int, last: int, hands: Ints, ways: Ints, lines: Lines, t: RankTables, counts: Ints
) -> None:
    """Count lines of three own cards with two Community Cards: `[mask]` over every deal."""
    community, masks = np.zeros(2, np.int64), np.zeros(8, np.int64)
    for at in range(first, last):
        a, b, c = hands[at, 0], hands[at, 1], hands[at, 2]
        for two in range(1, 52):
            if two in (a, b, c):
                continue
            for one in range(two):
                if one in (a, b, c):
                    continue
                community[0], community[1] = one, two
                counts[lines_made(hands[at], community, lines, t, masks)] += ways[at]
