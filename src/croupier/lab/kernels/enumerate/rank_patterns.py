# ruff: noqa: C901 - a kernel is one loop nest
"""Boards by their faces alone, as if no flush existed: the plain part of every count."""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.cards.ranking import RankTables, faces_strength
from croupier.lab.kernels.cards.shapes import FACES, PAIRS, Channels, Pairs, channel_value
from croupier.lab.kernels.runtime.compiler import Ints, kernel


@kernel
def order_by_faces(
    first: int,
    last: int,
    faces5: Ints,
    pairs: Pairs,
    t: RankTables,
    keys: Ints,
    valid: Ints,
    level_of: Ints,
    rank_of: Ints,
) -> None:
    """Order for each board by faces every pair of faces by what it makes: its strength above seven bits.

    `level_of[board, pair]` is how many strengths are below its own, 95 where the board leaves no such pair;
    `rank_of[board, level]` is the rank at that level.
    """
    for board in range(first, last):
        once = twice = thrice = four = 0
        for place in range(5):
            bit = 1 << faces5[board, place]
            four |= thrice & bit
            thrice |= twice & bit
            twice |= once & bit
            once |= bit
        count = 0
        if not (four and faces5[board, 0] == faces5[board, 4]):
            for pair in range(PAIRS):
                m1, m2, m3, m4 = once, twice, thrice, four
                bit = 1 << pairs.high[pair]
                if m4 & bit:
                    continue
                m4 |= m3 & bit
                m3 |= m2 & bit
                m2 |= m1 & bit
                m1 |= bit
                bit = 1 << pairs.low[pair]
                if m4 & bit:
                    continue
                m4 |= m3 & bit
                m3 |= m2 & bit
                m2 |= m1 & bit
                m1 |= bit
                key, at = faces_strength(m1, m2, m3, m4, t) << 7 | pair, count
                # Put in its place as it comes: numba's own sort takes longer to compile than all of this.
                while at > 0 and keys[board, at - 1] > key:
                    keys[board, at] = keys[board, at - 1]
                    at -= 1
                keys[board, at] = key
                count += 1
        valid[board] = count
        level_of[board, :] = 95
        level, before = -1, -1
        for at in range(count):
            strength = keys[board, at] >> 7
            if strength != before:
                level += 1
                before = strength
            level_of[board, keys[board, at] & 127] = level
            rank_of[board, level] = strength >> 20


@kernel
def count_by_faces(
    first: int,
    last: int,
    faces5: Ints,
    pairs: Pairs,
    keys: Ints,
    valid: Ints,
    channels: Channels,
    plain: Ints,
    short_of: Ints,
) -> None:
    """Count every channel for every pair of faces on every board by faces, as if no flush existed.

    `short_of[board, pair]` is how many of the Dealer's Hands then do not qualify.
    """
    left, with_face, unqualified_with = np.zeros(FACES, np.int64), np.zeros(FACES, np.int64), np.zeros(FACES, np.int64)
    wins, at_most = np.zeros(PAIRS, np.int64), np.zeros(PAIRS, np.int64)
    for board in range(first, last):
        plain[board, :, :] = 0
        if valid[board] == 0:
            continue
        left[:] = 4
        for place in range(5):
            left[faces5[board, place]] -= 1
        with_face[:] = 0
        below = unqualified = 0
        open_ = channels.qualifies_from > 0
        start = 0
        while start < valid[board]:
            strength = keys[board, start] >> 7
            if open_ and strength >= channels.qualifies_from:
                unqualified = below
                for face in range(FACES):
                    unqualified_with[face] = with_face[face]
                open_ = False
            end = start
            while end < valid[board] and keys[board, end] >> 7 == strength:
                pair = keys[board, end] & 127
                wins[pair] = below - with_face[pairs.high[pair]] - with_face[pairs.low[pair]]
                end += 1
            for at in range(start, end):
                pair = keys[board, at] & 127
                x, y = pairs.high[pair], pairs.low[pair]
                if x == y:
                    below += left[x] * (left[x] - 1) // 2
                    with_face[x] += left[x] - 1
                else:
                    below += left[x] * left[y]
                    with_face[x] += left[y]
                    with_face[y] += left[x]
            for at in range(start, end):
                pair = keys[board, at] & 127
                at_most[pair] = below - with_face[pairs.high[pair]] - with_face[pairs.low[pair]] + 1
            start = end
        if open_:
            unqualified = below
            for face in range(FACES):
                unqualified_with[face] = with_face[face]
        for at in range(valid[board]):
            strength, pair = keys[board, at] >> 7, keys[board, at] & 127
            short = 0
            if channels.qualifies_from:
                short = unqualified - unqualified_with[pairs.high[pair]] - unqualified_with[pairs.low[pair]]
                if strength < channels.qualifies_from:
                    short += 1
                short_of[board, pair] = short
            for ch in range(channels.lose.shape[0]):
                plain[board, ch, pair] = channel_value(ch, strength, wins[pair], at_most[pair], short, channels)


@kernel
def fewer_by_faces(first: int, last: int, faces: Ints, add: Ints, pairs: Pairs, after: Ints, before: Ints) -> None:
    """Sum over the next Community Card, by faces: each face counts as often as the cards leave it."""
    size = faces.shape[1]
    for board in range(first, last):
        before[board, :, :] = 0
        for face in range(FACES):
            left = 4
            for place in range(size):
                if faces[board, place] == face:
                    left -= 1
            if left == 0:
                continue
            row = add[board, face]
            for ch in range(before.shape[1]):
                for pair in range(PAIRS):
                    before[board, ch, pair] += left * after[row, ch, pair]
                for low in range(FACES):
                    pair = pairs.at[face, low]
                    before[board, ch, pair] -= after[row, ch, pair]
                pair = pairs.at[face, face]
                before[board, ch, pair] -= after[row, ch, pair]
