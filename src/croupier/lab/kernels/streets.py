# ruff: noqa: C901 - a kernel is one loop nest; cut up, it would pass a hundred arrays around
"""Decisions on the flop and on the turn: where a Bet gains, and everything that is kept of a deal with it or without.

What a decision sees is a board and two Hole Cards. Sums over the cards still to come are at hand from the counting of
boards (`flushes`, `faces`); here they are put together, compared with what the other choice is worth, and added up for
each of the 169 starting hands: over all deals, over those with a Bet on the flop, with one on the turn, with both. The
last channel of a sum with a Bet counts the decisions themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.kernels.compiling import Ints, kernel, part, zeros
from croupier.lab.kernels.flushes import add_off_rows, add_row
from croupier.lab.kernels.shapes import (
    CLASSES,
    FACES,
    HOLES,
    JOINT,
    OO,
    PAIRS,
    QUADS,
    SO,
    TWOS,
    TYPES,
    Boards,
    Holes,
    Joint,
    Pairs,
    four_at,
    three_at,
    two_at,
)


class River(NamedTuple):
    """Sums over the River Card, by the four cards before it."""

    plain: Ints
    """[1820 by faces, channel, pair of faces]"""
    two: Ints
    """[pair of faces of other suits, two of the suit, channel, type]"""
    three: Ints
    four: Ints


class Turns(NamedTuple):
    """Sums over the Turn and River Cards, by the flop."""

    plain: Ints
    """[455 by faces, channel, pair of faces]"""
    one: Ints
    """[pair of faces of other suits, one of the suit, channel, type]"""
    two: Ints
    three: Ints


class Bets(NamedTuple):
    """The same as `River`, but zero wherever no Bet is placed on the turn; the last channel counts the Bets."""

    plain: Ints
    two: Ints
    one: Ints
    """[pair of faces of other suits, one of the suit, channel, type]: summed over the second card of the suit."""
    three: Ints
    four: Ints


class Tally(NamedTuple):
    """What one thread has added up, for each starting hand."""

    total: Ints
    """[169, channel]: over all deals; on the flop only."""
    bet: Ints
    """[169, channel + 1]: over deals with a Bet."""
    both: Ints
    """[169, channel + 1]: over deals with a Bet on the flop and one on the turn."""
    even: Ints
    """[169]: decisions on which both choices are worth the same."""


def tally(channels: int) -> Tally:
    """Nothing added up yet."""
    sizes = ((CLASSES, channels), (CLASSES, channels + 1), (CLASSES, channels + 1), (CLASSES,))
    return Tally(*(zeros(size) for size in sizes))


# ---------------------------------------------------------------- from the river back to the flop


@kernel
def turn_one(two: Ints, one: Ints) -> None:
    """Flops with one card of the suit: both cards to come must be of it."""
    one[:, :, :] = 0
    for high in range(1, FACES):
        for low in range(high):
            add_row(one[high], two[two_at(low, high)])
            add_row(one[low], two[two_at(low, high)])


@kernel
def turn_two(pair: int, pairs: Pairs, boards: Boards, river: River, target: Ints) -> None:
    """Flops with these two cards of the suit and one other."""
    target[:, :, :] = 0
    a, b = boards.twos[pair, 0], boards.twos[pair, 1]
    for face in range(FACES):
        for turn in range(FACES):
            if turn not in (a, b):
                low, high = min(a, turn), max(b, turn)
                triple = three_at(low, a + b + turn - low - high, high)
                add_row(target[face], river.three[triple, face])
            add_off_rows(target[face], river.two[pairs.at[face, turn], pair], turn, 2 if turn == face else 3)


@kernel
def turn_three(first: int, last: int, boards: Boards, river: River, target: Ints) -> None:
    """Flops of one suit."""
    for triple in range(first, last):
        target[triple, :, :] = 0
        for face in range(FACES):
            add_off_rows(target[triple], river.three[triple, face], face, 3)
    for quad in range(QUADS):
        for left_out in range(4):
            rest = [0, 0, 0]
            at = 0
            for place in range(4):
                if place != left_out:
                    rest[at] = boards.quads[quad, place]
                    at += 1
            triple = three_at(rest[0], rest[1], rest[2])
            if first <= triple < last:
                add_row(target[triple], river.four[quad])


# ---------------------------------------------------------------- how many Hole Cards are of a type


class Weights(NamedTuple):
    """How many pairs of Hole Cards a board leaves of each type; of those without a suited card, the suited apart."""

    unsuited: Ints
    suited: Ints


@part
def weigh(mask: int, others: int, first: int, second: int, pairs: Pairs, w: Weights) -> None:
    """The board has these faces of the suit and `others` cards of different other suits, first and second."""
    for high in range(FACES):
        for low in range(high):
            free = not (mask >> high & 1 or mask >> low & 1)
            w.unsuited[high * (high - 1) // 2 + low] = 1 if free else 0
    for y in range(FACES):
        left = 3
        if others > 0 and first == y:
            left -= 1
        if others > 1 and second == y:
            left -= 1
        for x in range(FACES):
            w.unsuited[SO + FACES * x + y] = 0 if mask >> x & 1 else left
    for pair in range(PAIRS):
        x, y = pairs.high[pair], pairs.low[pair]
        left_x = left_y = 3
        suited = 3
        if others > 0:
            left_x -= first == x
            left_y -= first == y
            suited -= first in (x, y)
        if others > 1:
            left_x -= second == x
            left_y -= second == y
            suited -= second in (x, y)
        if x == y:
            w.unsuited[OO + pair] = left_x * (left_x - 1) // 2
            w.suited[pair] = 0
        else:
            w.unsuited[OO + pair] = left_x * left_y - suited
            w.suited[pair] = suited


@part
def _class_of_type(place: int, pairs: Pairs) -> int:
    """The starting hand of a type's unsuited part; two suited cards are of course suited."""
    pair = pairs.of_type[place]
    x, y = pairs.high[pair], pairs.low[pair]
    return int(x * FACES + y if place < SO else y * FACES + x)


@kernel
def tally_types(values: Ints, suited: Ints, target: Ints, pairs: Pairs) -> None:
    """From sums by type to sums by starting hand."""
    for ch in range(values.shape[0]):
        for place in range(TYPES):
            target[_class_of_type(place, pairs), ch] += values[ch, place]
        for pair in range(PAIRS):
            x, y = pairs.high[pair], pairs.low[pair]
            target[x * FACES + y, ch] += suited[ch, pair]


# ---------------------------------------------------------------- the decision on the turn


@part
def _bet_on_river(
    ways: int,
    plain: Ints,
    extra: Ints,
    pairs: Pairs,
    w: Weights,
    bets: Ints,
    values: Ints,
    suited: Ints,
    even: Ints,
) -> None:
    """One board of four as one suit sees it: `bets` keeps the sums where a Bet gains."""
    channels = extra.shape[0]
    for place in range(TYPES):
        value = plain[0, pairs.of_type[place]] + extra[0, place]
        count = w.unsuited[place]
        if place >= OO:
            count += w.suited[place - OO]
        bets[channels, place] = 1 if value > 0 and count > 0 else 0
        if value == 0 and count > 0:
            even[_class_of_type(place, pairs)] += ways * w.unsuited[place]
            if place >= OO:
                pair = place - OO
                even[pairs.high[pair] * FACES + pairs.low[pair]] += ways * w.suited[pair]
    for ch in range(channels):
        for place in range(TYPES):
            value = plain[ch, pairs.of_type[place]] + extra[ch, place]
            bets[ch, place] = value if bets[channels, place] else 0
    for ch in range(channels + 1):
        for place in range(TYPES):
            values[ch, place] += ways * w.unsuited[place] * bets[ch, place]
        for pair in range(PAIRS):
            suited[ch, pair] += ways * w.suited[pair] * bets[ch, OO + pair]


@kernel
def bet_two_one_one(
    off: int,
    pairs: Pairs,
    boards: Boards,
    river: River,
    w: Weights,
    bets: Ints,
    one: Ints,
    values: Ints,
    suited: Ints,
    even: Ints,
) -> None:
    """Boards of four with two cards of a suit and these two of different other suits."""
    x, y = pairs.high[off], pairs.low[off]
    one[:, :, :] = 0
    for pair in range(TWOS):
        a, b = boards.twos[pair, 0], boards.twos[pair, 1]
        board = boards.add3[boards.add2[pairs.at[a, b], x], y]
        weigh(1 << a | 1 << b, 2, x, y, pairs, w)
        # Each board of four is dealt with any of its cards as the Turn Card.
        ways = 4 * (12 if x == y else 24)
        _bet_on_river(ways, river.plain[board], river.two[off, pair], pairs, w, bets[pair], values, suited, even)
        add_row(one[a], bets[pair])
        add_row(one[b], bets[pair])


@kernel
def bet_three_one(
    first: int,
    last: int,
    pairs: Pairs,
    boards: Boards,
    river: River,
    w: Weights,
    bets: Ints,
    values: Ints,
    suited: Ints,
    even: Ints,
) -> None:
    """Boards of four with three cards of a suit."""
    for triple in range(first, last):
        a, b, c = boards.triples[triple, 0], boards.triples[triple, 1], boards.triples[triple, 2]
        for x in range(FACES):
            board = boards.add3[boards.add2[pairs.at[a, b], c], x]
            weigh(1 << a | 1 << b | 1 << c, 1, x, 0, pairs, w)
            _bet_on_river(
                4 * 12, river.plain[board], river.three[triple, x], pairs, w, bets[triple, x], values, suited, even
            )


@kernel
def bet_four(
    first: int,
    last: int,
    pairs: Pairs,
    boards: Boards,
    river: River,
    w: Weights,
    bets: Ints,
    values: Ints,
    suited: Ints,
    even: Ints,
) -> None:
    """Boards of four of one suit."""
    for quad in range(first, last):
        a, b, c, d = boards.quads[quad, 0], boards.quads[quad, 1], boards.quads[quad, 2], boards.quads[quad, 3]
        board = boards.add3[boards.add2[pairs.at[a, b], c], d]
        weigh(1 << a | 1 << b | 1 << c | 1 << d, 0, 0, 0, pairs, w)
        _bet_on_river(4 * 4, river.plain[board], river.four[quad], pairs, w, bets[quad], values, suited, even)


@kernel
def bet_rainbow(first: int, last: int, pairs: Pairs, boards: Boards, river: River, bets: Ints, sums: Tally) -> None:
    """Boards of four different suits: only faces matter."""
    channels = river.plain.shape[1]
    left = np.zeros(FACES, np.int64)
    for board in range(first, last):
        left[:] = 4
        for place in range(4):
            left[boards.faces4[board, place]] -= 1
        ways = 4 * boards.ways4[board]
        for pair in range(PAIRS):
            x, y = pairs.high[pair], pairs.low[pair]
            suited = 0
            if x == y:
                unsuited = left[x] * (left[x] - 1) // 2
            else:
                for place in range(4):
                    if boards.faces4[board, place] not in (x, y):
                        suited += 1
                unsuited = left[x] * left[y] - suited
            value = river.plain[board, 0, pair]
            bet = value > 0 and unsuited + suited > 0
            if value == 0:
                sums.even[y * FACES + x] += ways * unsuited
                sums.even[x * FACES + y] += ways * suited
            for ch in range(channels):
                bets[board, ch, pair] = river.plain[board, ch, pair] if bet else 0
            bets[board, channels, pair] = 1 if bet else 0
            if bet:
                for ch in range(channels + 1):
                    sums.bet[y * FACES + x, ch] += ways * unsuited * bets[board, ch, pair]
                    sums.bet[x * FACES + y, ch] += ways * suited * bets[board, ch, pair]


# ---------------------------------------------------------------- the decision on the flop


class Kept(NamedTuple):
    """What one thread adds up on flops, for each kind of Hole Cards: `[channel, kind]`, the last one counts Bets."""

    value: Ints
    """Room for one flop."""
    later: Ints
    bet: Ints
    total: Ints
    bets: Ints
    both: Ints
    even: Ints


def kept(channels: int, kinds: int) -> Kept:
    """Nothing added up yet."""
    return Kept(
        zeros((channels, kinds)),
        zeros((channels + 1, kinds)),
        zeros(kinds),
        zeros((channels, kinds)),
        zeros((channels + 1, kinds)),
        zeros((channels + 1, kinds)),
        zeros(kinds),
    )


@part
def _keep(ways: int, kept: Kept, cross: bool) -> None:
    """One flop's values, Bets and later Bets, added to what is kept; `kept.bet` is 1 where a Bet is placed."""
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
def _judge(at_stake: int, ways: int, kept: Kept, free: Ints) -> None:
    """Where a Bet gains; cards that lie on the flop are nobody's Hole Cards."""
    channels, kinds = kept.value.shape
    for kind in range(kinds):
        kept.bet[kind] = free[kind] if kept.value[0, kind] > at_stake else 0
        kept.even[kind] += ways * free[kind] if kept.value[0, kind] == at_stake else 0
    for ch in range(channels):
        for kind in range(kinds):
            kept.value[ch, kind] *= free[kind]


@kernel
def flop_rainbow(
    first: int,
    last: int,
    pairs: Pairs,
    boards: Boards,
    holes: Holes,
    turns: Turns,
    bets: Bets,
    at_stake: int,
    cross: bool,
    kept: Kept,
) -> None:
    """Flops of three different suits, seen by every pair of Hole Cards."""
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
        _judge(at_stake, ways, kept, free)
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
def tally_holes(holes: Holes, kept: Kept, sums: Tally) -> None:
    """From sums by pairs of Hole Cards to sums by starting hand."""
    for hole in range(HOLES):
        _tally_kind(hole, holes.hand[hole], 1, kept, sums)


@part
def _tally_kind(kind: int, hand: int, weight: int, kept: Kept, sums: Tally) -> None:
    channels = kept.value.shape[0]
    for ch in range(channels):
        sums.total[hand, ch] += weight * kept.total[ch, kind]
    for ch in range(channels + 1):
        sums.bet[hand, ch] += weight * kept.bets[ch, kind]
        sums.both[hand, ch] += weight * kept.both[ch, kind]
    sums.even[hand] += weight * kept.even[kind]


@kernel
def bet_two_two(
    pair: int, pairs: Pairs, boards: Boards, joints: Joint, river: River, second: Ints, sums: Tally
) -> None:
    """Boards of four with these two cards of one suit and two of another: `second[x]` adds up over the turn.

    The turn is the other card of the second suit than x.
    """
    channels = river.plain.shape[1]
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
    """How many Hole Cards of this kind are suited and how many not, and their starting hands."""
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
def flop_two_one(
    pair: int,
    pairs: Pairs,
    boards: Boards,
    joints: Joint,
    turns: Turns,
    bets: Bets,
    second: Ints,
    at_stake: int,
    cross: bool,
    kept: Kept,
) -> None:
    """Flops of two suits, with these two faces of the first; `second` is what `bet_two_two` has made for them."""
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
        _judge(at_stake, 1, kept, free)
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
def tally_joint(pairs: Pairs, joints: Joint, kept: Kept, sums: Tally) -> None:
    """From sums by what two suits see to sums by starting hand; a flop of two suits comes in twelve pairs of suits."""
    for joint in range(JOINT):
        suited, unsuited, with_suit, without = _joint_weights(joint, pairs, joints)
        _tally_kind(joint, with_suit, 12 * suited, kept, sums)
        _tally_kind(joint, without, 12 * unsuited, kept, sums)


@kernel
def flop_one_suit(
    first: int,
    last: int,
    pairs: Pairs,
    boards: Boards,
    turns: Turns,
    bets: Bets,
    at_stake: int,
    cross: bool,
    w: Weights,
    sums: Tally,
) -> None:
    """Flops of one suit."""
    channels = turns.plain.shape[1]
    same = np.zeros((channels + 1, TYPES), bets.two.dtype)
    for triple in range(first, last):
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
            with_suit, without = pairs.high[pair] * FACES + pairs.low[pair], _class_of_type(place, pairs)
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
