# ruff: noqa: C901 - a kernel is one loop nest; cut up, it would pass a hundred arrays around
"""The decision on the flop, and turns that make a flop of two suits two and two.

Sums over the turn and Bets on it (`streets`) are put together for every flop and kind of Hole Cards, judged, and added
up for each of the 169 starting hands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.kernels.cards.shapes import (
    FACES,
    HOLES,
    JOINT,
    OO,
    PAIRS,
    TWOS,
    TYPES,
    Holes,
    Joint,
    Pairs,
    Shapes,
    four_at,
    three_at,
)
from croupier.lab.kernels.enumerate.rivers import add_off_rows, add_row
from croupier.lab.kernels.enumerate.streets import Bets, River, SumTables, Tally, Weights, class_of_type, weigh
from croupier.lab.kernels.runtime.compiler import Ints, kernel, part, zeros


class FlopWork(NamedTuple):
    """What every thread reads on flops: the sums, the Bets on the turn, and what a Bet on the flop has to gain."""

    tables: SumTables
    bets: Bets
    at_stake: int
    cross: bool
    """Whether there is a decision on the turn as well."""


class FlopSums(NamedTuple):
    """What one thread adds up on flops, for each kind of Hole Cards: `[channel, kind]`, the last one counts Bets."""

    value: Ints
    """Room for one flop."""
    later: Ints
    bet: Ints
    total: Ints
    bets: Ints
    both: Ints
    even: Ints


def flop_sums(channels: int, kinds: int) -> FlopSums:
    """Return empty sums."""
    return FlopSums(
        zeros((channels, kinds)),
        zeros((channels + 1, kinds)),
        zeros(kinds),
        zeros((channels, kinds)),
        zeros((channels + 1, kinds)),
        zeros((channels + 1, kinds)),
        zeros(kinds),
    )


@part
def _keep(ways: int, kept: FlopSums, cross: bool) -> None:
    """Add one flop's values, Bets and later Bets to the sums; `kept.bet` is 1 where a Bet is placed."""
    channels, kinds = kept.value.shape
    for ch in range(channels):
        for kind in range(kinds):
            kept.total[ch, kind] += ways * kept.value[ch, kind]
            kept.bets[ch, kind] += ways * kept.bet[kind] * kept.value[ch, kind]
    for kind in range(kinds):
        kept.bets[channels, kind] += ways * kept.bet[kind]
    if cross:
        for ch in range(channels + 1):
            for kind in range(kinds):
                kept.both[ch, kind] += ways * kept.bet[kind] * kept.later[ch, kind]


@part
def _judge(at_stake: int, ways: int, kept: FlopSums, free: Ints) -> None:
    """Mark where a Bet gains; Hole Cards that lie on the flop count zero."""
    channels, kinds = kept.value.shape
    for kind in range(kinds):
        kept.bet[kind] = free[kind] if kept.value[0, kind] > at_stake else 0
        kept.even[kind] += ways * free[kind] if kept.value[0, kind] == at_stake else 0
    for ch in range(channels):
        for kind in range(kinds):
            kept.value[ch, kind] *= free[kind]


@kernel
def flop_rainbow(first: int, last: int, work: FlopWork, kept: FlopSums) -> None:
    """Judge flops of three different suits, seen by every pair of Hole Cards."""
    shapes, turns, bets = work.tables.shapes, work.tables.turns, work.bets
    pairs, boards, holes, cross = shapes.pairs, shapes.boards, shapes.holes, work.cross
    channels = turns.plain.shape[1]
    fourth = np.zeros((channels + 1, PAIRS), np.int64)
    free = np.zeros(HOLES, np.int64)
    for flop in range(first, last):
        a, b, c = boards.faces3[flop, 0], boards.faces3[flop, 1], boards.faces3[flop, 2]
        in_first, in_second, in_third = pairs.at[b, c], pairs.at[a, c], pairs.at[a, b]
        lying = 1 << (4 * a) | 1 << (4 * b + 1) | 1 << (4 * c + 2)
        for hole in range(HOLES):
            free[hole] = 1 - ((lying >> holes.cards[hole, 0] | lying >> holes.cards[hole, 1]) & 1)
        for ch in range(channels):
            plain = turns.plain[flop, ch]
            one, two, three = turns.one[in_first, a, ch], turns.one[in_second, b, ch], turns.one[in_third, c, ch]
            for hole in range(HOLES):
                kept.value[ch, hole] = (
                    plain[holes.pair[hole]]
                    + one[holes.type_of[0, hole]]
                    + two[holes.type_of[1, hole]]
                    + three[holes.type_of[2, hole]]
                )
        ways = boards.ways3[flop]
        _judge(work.at_stake, ways, kept, free)
        if cross:
            fourth[:, :] = 0
            for face in range(FACES):
                row = bets.plain[boards.add3[flop, face]]
                for ch in range(channels + 1):
                    for pair in range(PAIRS):
                        fourth[ch, pair] += row[ch, pair]
            for ch in range(channels + 1):
                one, two, three = bets.one[in_first, a, ch], bets.one[in_second, b, ch], bets.one[in_third, c, ch]
                for hole in range(HOLES):
                    kept.later[ch, hole] = (
                        fourth[ch, holes.pair[hole]]
                        + one[holes.type_of[0, hole]]
                        + two[holes.type_of[1, hole]]
                        + three[holes.type_of[2, hole]]
                    )
            # A card of the fourth suit that the Player holds cannot be the Turn Card.
            for hole in range(HOLES):
                if not kept.bet[hole]:
                    continue
                for place in range(2):
                    card = holes.cards[hole, place]
                    if card & 3 == 3:
                        row = bets.plain[boards.add3[flop, card >> 2]]
                        for ch in range(channels + 1):
                            kept.later[ch, hole] -= row[ch, holes.pair[hole]]
        _keep(ways, kept, cross)


@kernel
def tally_holes(holes: Holes, kept: FlopSums, sums: Tally) -> None:
    """Add sums by pairs of Hole Cards to those by starting hand."""
    for hole in range(HOLES):
        _tally_kind(hole, holes.hand[hole], 1, kept, sums)


@part
def _tally_kind(kind: int, hand: int, weight: int, kept: FlopSums, sums: Tally) -> None:
    channels = kept.value.shape[0]
    for ch in range(channels):
        sums.total[hand, ch] += weight * kept.total[ch, kind]
    for ch in range(channels + 1):
        sums.bet[hand, ch] += weight * kept.bets[ch, kind]
        sums.both[hand, ch] += weight * kept.both[ch, kind]
    sums.even[hand] += weight * kept.even[kind]


@kernel
def bet_two_two(pair: int, shapes: Shapes, river: River, second: Ints, sums: Tally) -> None:
    """Judge boards of four with these two cards of one suit and two of another: `second[x]` adds up over the turn.

    The turn is the other card of the second suit than x.
    """
    pairs, boards, joints, channels = shapes.pairs, shapes.boards, shapes.joint, river.plain.shape[1]
    bet = np.zeros(JOINT, second.dtype)
    a, b = boards.twos[pair, 0], boards.twos[pair, 1]
    faces = pairs.at[a, b]
    second[:, :, :] = 0
    for other in range(TWOS):
        c, d = boards.twos[other, 0], boards.twos[other, 1]
        board = boards.add3[boards.add2[faces, c], d]
        plain, one, two = river.plain[board], river.two[pairs.at[c, d], pair], river.two[faces, other]
        lying = 1 << a | 1 << b | 1 << (FACES + c) | 1 << (FACES + d)
        for joint in range(JOINT):
            worth = plain[0, joints.pair[joint]] + one[0, joints.type_of[0, joint]] + two[0, joints.type_of[1, joint]]
            free = not (lying >> joints.first[joint] | lying >> joints.second[joint]) & 1
            bet[joint] = 1 if worth > 0 and free else 0
            if worth == 0 and free:
                suited, unsuited, with_suit, without = _joint_weights(joint, pairs, joints)
                sums.even[with_suit] += 24 * suited
                sums.even[without] += 24 * unsuited
        for ch in range(channels):
            for joint in range(JOINT):
                worth = (
                    plain[ch, joints.pair[joint]]
                    + one[ch, joints.type_of[0, joint]]
                    + two[ch, joints.type_of[1, joint]]
                )
                worth *= bet[joint]
                second[c, ch, joint] += worth
                second[d, ch, joint] += worth
        for joint in range(JOINT):
            second[c, channels, joint] += bet[joint]
            second[d, channels, joint] += bet[joint]
    for joint in range(JOINT):
        suited, unsuited, with_suit, without = _joint_weights(joint, pairs, joints)
        for ch in range(channels + 1):
            total = 0
            for x in range(FACES):
                total += second[x, ch, joint]
            sums.bet[with_suit, ch] += 12 * suited * total
            sums.bet[without, ch] += 12 * unsuited * total


@part
def _joint_weights(joint: int, pairs: Pairs, joints: Joint) -> tuple[int, int, int, int]:
    """Return how many Hole Cards of this kind are suited and how many not, and their starting hands."""
    pair = joints.pair[joint]
    x, y = pairs.high[pair], pairs.low[pair]
    one, two = joints.first[joint] // FACES, joints.second[joint] // FACES
    with_suit, without = x * FACES + y, y * FACES + x
    if one == 2 and two == 2:
        return (0, 1, with_suit, without) if x == y else (2, 2, with_suit, without)
    if one == two:
        return 1, 0, with_suit, without
    return 0, 2 if two == 2 else 1, with_suit, without


@kernel
def flop_two_one(pair: int, work: FlopWork, second: Ints, kept: FlopSums) -> None:
    """Judge flops of two suits, with these two faces of the first; `second` is what `bet_two_two` made for them."""
    shapes, turns, bets = work.tables.shapes, work.tables.turns, work.bets
    pairs, boards, joints, cross = shapes.pairs, shapes.boards, shapes.joint, work.cross
    channels = turns.plain.shape[1]
    same = np.zeros((channels + 1, TYPES), bets.two.dtype)
    free = np.zeros(JOINT, np.int64)
    a, b = boards.twos[pair, 0], boards.twos[pair, 1]
    faces = pairs.at[a, b]
    for x in range(FACES):
        flop = boards.add2[faces, x]
        lying = 1 << a | 1 << b | 1 << (FACES + x)
        for joint in range(JOINT):
            free[joint] = 1 - ((lying >> joints.first[joint] | lying >> joints.second[joint]) & 1)
        for ch in range(channels):
            plain, one, two = turns.plain[flop, ch], turns.two[pair, x, ch], turns.one[faces, x, ch]
            for joint in range(JOINT):
                kept.value[ch, joint] = (
                    plain[joints.pair[joint]] + one[joints.type_of[0, joint]] + two[joints.type_of[1, joint]]
                )
        _judge(work.at_stake, 1, kept, free)
        if cross:
            same[:, :] = 0
            for turn in range(FACES):
                if turn not in (a, b):
                    low, high = min(a, turn), max(b, turn)
                    add_row(same, bets.three[three_at(low, a + b + turn - low - high, high), x])
                # Two other suits hold this face; cards of the Player among them are taken off below.
                row = bets.two[pairs.at[x, turn], pair]
                for ch in range(channels + 1):
                    for place in range(TYPES):
                        same[ch, place] += 2 * row[ch, place]
            for ch in range(channels + 1):
                for joint in range(JOINT):
                    kept.later[ch, joint] = same[ch, joints.type_of[0, joint]] + second[x, ch, joint]
            for joint in range(JOINT):
                if not kept.bet[joint]:
                    continue
                for card in (joints.first[joint], joints.second[joint]):
                    if card >= 26:
                        row = bets.two[pairs.at[x, card - 26], pair]
                        for ch in range(channels + 1):
                            kept.later[ch, joint] -= row[ch, joints.type_of[0, joint]]
        _keep(1, kept, cross)


@kernel
def tally_joint(pairs: Pairs, joints: Joint, kept: FlopSums, sums: Tally) -> None:
    """Add sums by what two suits see to those by starting hand; a flop of two suits has twelve pairs of suits."""
    for joint in range(JOINT):
        suited, unsuited, with_suit, without = _joint_weights(joint, pairs, joints)
        _tally_kind(joint, with_suit, 12 * suited, kept, sums)
        _tally_kind(joint, without, 12 * unsuited, kept, sums)


@kernel
def flop_one_suit(work: FlopWork, w: Weights, sums: Tally) -> None:
    """Judge flops of one suit."""
    pairs, boards = work.tables.shapes.pairs, work.tables.shapes.boards
    turns, bets, at_stake, cross = work.tables.turns, work.bets, work.at_stake, work.cross
    channels = turns.plain.shape[1]
    same = np.zeros((channels + 1, TYPES), bets.two.dtype)
    for triple in range(boards.triples.shape[0]):
        a, b, c = boards.triples[triple, 0], boards.triples[triple, 1], boards.triples[triple, 2]
        flop = boards.add2[pairs.at[a, b], c]
        weigh(1 << a | 1 << b | 1 << c, 0, 0, 0, pairs, w)
        if cross:
            same[:, :] = 0
            for turn in range(FACES):
                add_off_rows(same, bets.three[triple, turn], turn, 3)
                if turn < a:
                    add_row(same, bets.four[four_at(turn, a, b, c)])
                elif a < turn < b:
                    add_row(same, bets.four[four_at(a, turn, b, c)])
                elif b < turn < c:
                    add_row(same, bets.four[four_at(a, b, turn, c)])
                elif turn > c:
                    add_row(same, bets.four[four_at(a, b, c, turn)])
        for place in range(TYPES):
            pair = pairs.of_type[place]
            unsuited = 4 * w.unsuited[place]
            suited = 4 * w.suited[place - OO] if place >= OO else 0
            with_suit, without = pairs.high[pair] * FACES + pairs.low[pair], class_of_type(place, pairs)
            gain = turns.plain[flop, 0, pair] + turns.three[triple, 0, place]
            if gain == at_stake:
                sums.even[without] += unsuited
                sums.even[with_suit] += suited
            for ch in range(channels):
                value = turns.plain[flop, ch, pair] + turns.three[triple, ch, place]
                sums.total[without, ch] += unsuited * value
                sums.total[with_suit, ch] += suited * value
                if gain > at_stake:
                    sums.bet[without, ch] += unsuited * value
                    sums.bet[with_suit, ch] += suited * value
            if gain > at_stake:
                sums.bet[without, channels] += unsuited
                sums.bet[with_suit, channels] += suited
                if cross:
                    for ch in range(channels + 1):
                        sums.both[without, ch] += unsuited * same[ch, place]
                        sums.both[with_suit, ch] += suited * same[ch, place]
