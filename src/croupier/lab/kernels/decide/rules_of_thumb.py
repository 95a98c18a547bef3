"""Positions told apart by what a person sees at a glance, and what betting gains in each pattern.

A person sees what the own cards have made of the board (no pair, a pair, more), whether four cards stand to a flush or
some face would complete a straight, whether the board shows a pair or threatens (with three of a suit that the own
cards lack, or four to a straight), how many board cards are higher than the own pair, and the faces of the own cards.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.cards.ranking import PAIR, RankTables, cards_strength
from croupier.lab.kernels.cards.shapes import FACES
from croupier.lab.kernels.enumerate.positions import position_value
from croupier.lab.kernels.enumerate.streets import SumTables
from croupier.lab.kernels.runtime.compiler import Ints, inlined, kernel, part

FLUSH_DRAW, OPEN, STRAIGHT_DRAW, PAIRED, THREAT, LOW = 1, 2, 4, 8, 16, 32
"""What is seen of a Hand that has made nothing: four to a flush, two faces or any that would complete a straight, a
pair or more on the board, a board that threatens, a lower card that is below every board card."""
SIGHTS, HIGHER = 64, 5
PAIRS_FROM = SIGHTS * FACES * FACES
MORE_FROM = PAIRS_FROM + 2 * HIGHER * FACES * 4
PATTERNS = MORE_FROM + FACES * 4
GAIN, BEST, COUNT = range(3)


@part
def _ones(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inlined
def pattern_of(  # noqa: C901 - a kernel: what is seen, one thing after the other
    first: int, second: int, board: Ints, size: int, t: RankTables, masks: Ints
) -> int:
    """Return the number of a position's pattern; `masks` is room for eight numbers."""
    masks[:] = 0
    for at in range(size):
        masks[board[at] & 3] |= 1 << (board[at] >> 2)
    for suit in range(4):
        masks[4 + suit] = masks[suit]
    alone = cards_strength(masks[0], masks[1], masks[2], masks[3], t) >> 20
    lying = masks[0] | masks[1] | masks[2] | masks[3]
    masks[first & 3] |= 1 << (first >> 2)
    masks[second & 3] |= 1 << (second >> 2)
    strength = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
    flush = threat = 0
    for suit in range(4):
        if suit in (first & 3, second & 3):
            if _ones(masks[suit]) == 4:
                flush = 1
        elif _ones(masks[suit]) >= 3:
            threat = 1
    faces = masks[0] | masks[1] | masks[2] | masks[3]
    completing = 0
    if t.straight[faces] == 0:
        for face in range(FACES):
            if t.straight[lying | 1 << face]:
                threat = 1
            elif t.straight[faces | 1 << face]:
                completing += 1
    two_ended = 1 if completing >= 2 else 0
    high, low = max(first, second) >> 2, min(first, second) >> 2
    rank = strength >> 20
    if rank <= alone:
        seen = flush * FLUSH_DRAW + two_ended * OPEN + threat * THREAT
        if completing:
            seen += STRAIGHT_DRAW
        if alone >= PAIR:
            seen += PAIRED
        if lying & ((1 << (low + 1)) - 1) == 0:
            seen += LOW
        return (seen * FACES + high) * FACES + low
    if rank == PAIR:
        paired = (strength >> 16 & 15) - 2
        higher = _ones(lying >> (paired + 1))
        return PAIRS_FROM + (((threat * HIGHER + higher) * FACES + paired) * 2 + flush) * 2 + two_ended
    return MORE_FROM + (high * 2 + flush) * 2 + two_ended


def describe_pattern(pattern: int) -> tuple[int, bool, bool, int]:
    """Return 0, 1 or 2 for no pair, a pair or more made; four to a flush; an open straight draw; and the face of the
    pair, or else of the higher own card.
    """
    if pattern < PAIRS_FROM:
        seen, faces = divmod(pattern, FACES * FACES)
        return 0, bool(seen & FLUSH_DRAW), bool(seen & OPEN), faces // FACES
    made, rest = (1, pattern - PAIRS_FROM) if pattern < MORE_FROM else (2, pattern - MORE_FROM)
    return made, bool(rest // 2 % 2), bool(rest % 2), rest // 4 % FACES


@kernel
def tally_patterns(
    first: int,
    last: int,
    lying: Ints,
    ways: Ints,
    at_stake: int,
    live: Ints,
    tables: SumTables,
    t: RankTables,
    sums: Ints,
) -> None:
    """Add for each pattern what betting gains, what betting where it is best gains, and how many positions there are.

    The decision is on the flop, or on the first four Community Cards in any order. Starting hands that are not `live`
    were folded before.
    """
    masks, room, size = np.zeros(8, np.int64), np.zeros(8, np.int64), lying.shape[1]
    for at in range(first, last):
        taken = 0
        for card in lying[at]:
            taken |= 1 << card
        for two in range(1, 52):
            if taken >> two & 1:
                continue
            for one in range(two):
                if taken >> one & 1 or not live[one, two]:
                    continue
                gain = position_value(0, size, one, two, lying[at], tables, room) - at_stake
                pattern = pattern_of(one, two, lying[at], size, t, masks)
                sums[pattern, 0] += ways[at] * gain
                sums[pattern, 1] += ways[at] * max(gain, 0)
                sums[pattern, 2] += ways[at]
