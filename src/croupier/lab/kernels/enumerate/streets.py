"""Sums from the river back to the flop, and the decision on the turn.

Sums over the cards to come (`rivers`, `rank_patterns`) are put together for every board and pair of Hole Cards,
compared with what the other choice is worth, and added up for each of the 169 starting hands: over all deals, over
those with a Bet on the flop, with one on the turn, with both. The last channel of a sum with a Bet counts decisions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.kernels.cards.shapes import (
    CLASSES,
    FACES,
    OO,
    PAIRS,
    QUADS,
    SO,
    TRIPLES,
    TWOS,
    TYPES,
    Boards,
    Pairs,
    Shapes,
    three_at,
    two_at,
)
from croupier.lab.kernels.enumerate.rivers import add_off_rows, add_row
from croupier.lab.kernels.runtime.compiler import Ints, kernel, part, zeros


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


class SumTables(NamedTuple):
    """The sums over cards to come, with the numbers that stand for cards."""

    shapes: Shapes
    river: River
    turns: Turns


class Bets(NamedTuple):
    """Sums as in `River`, zero wherever no Bet is placed on the turn; the last channel counts the Bets."""

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
    """Return empty sums."""
    sizes = ((CLASSES, channels), (CLASSES, channels + 1), (CLASSES, channels + 1), (CLASSES,))
    return Tally(*(zeros(size) for size in sizes))


# ---------------------------------------------------------------- from the river back to the flop


@kernel
def turn_one(two: Ints, one: Ints) -> None:
    """Sum flops with one card of the suit: both cards to come must be of it."""
    one[:, :, :] = 0
    for high in range(1, FACES):
        for low in range(high):
            add_row(one[high], two[two_at(low, high)])
            add_row(one[low], two[two_at(low, high)])


@kernel
def turn_two(pair: int, shapes: Shapes, river: River, target: Ints) -> None:
    """Sum flops with these two cards of the suit and one other."""
    target[:, :, :] = 0
    a, b = shapes.boards.twos[pair, 0], shapes.boards.twos[pair, 1]
    for face in range(FACES):
        for turn in range(FACES):
            if turn not in (a, b):
                low, high = min(a, turn), max(b, turn)
                triple = three_at(low, a + b + turn - low - high, high)
                add_row(target[face], river.three[triple, face])
            add_off_rows(target[face], river.two[shapes.pairs.at[face, turn], pair], turn, 2 if turn == face else 3)


@kernel
def turn_three(boards: Boards, river: River, target: Ints) -> None:
    """Sum flops of one suit over the Turn Card."""
    for triple in range(TRIPLES):
        target[triple, :, :] = 0
        for face in range(FACES):
            add_off_rows(target[triple], river.three[triple, face], face, 3)
    for quad in range(QUADS):
        a, b, c, d = boards.quads[quad, 0], boards.quads[quad, 1], boards.quads[quad, 2], boards.quads[quad, 3]
        add_row(target[three_at(a, b, c)], river.four[quad])
        add_row(target[three_at(a, b, d)], river.four[quad])
        add_row(target[three_at(a, c, d)], river.four[quad])
        add_row(target[three_at(b, c, d)], river.four[quad])


# ---------------------------------------------------------------- how many Hole Cards are of a type


class Weights(NamedTuple):
    """How many pairs of Hole Cards a board leaves of each type; of those without a suited card, the suited apart."""

    unsuited: Ints
    suited: Ints


@part
def weigh(mask: int, others: int, first: int, second: int, pairs: Pairs, w: Weights) -> None:
    """Count the Hole Cards left of each type on a board with these faces of the suit and up to two others."""
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
def class_of_type(place: int, pairs: Pairs) -> int:
    """Return the starting hand of a type's unsuited part; two cards of the suit are suited."""
    pair = pairs.of_type[place]
    x, y = pairs.high[pair], pairs.low[pair]
    return int(x * FACES + y if place < SO else y * FACES + x)


@kernel
def tally_types(values: Ints, suited: Ints, target: Ints, pairs: Pairs) -> None:
    """Add sums by type to those by starting hand."""
    for ch in range(values.shape[0]):
        for place in range(TYPES):
            target[class_of_type(place, pairs), ch] += values[ch, place]
        for pair in range(PAIRS):
            x, y = pairs.high[pair], pairs.low[pair]
            target[x * FACES + y, ch] += suited[ch, pair]


# ---------------------------------------------------------------- the decision on the turn


class TurnWork(NamedTuple):
    """What one thread works with on boards of four: tables, room for weights, and sums by type of Hole Cards."""

    shapes: Shapes
    river: River
    weights: Weights
    values: Ints
    """[channel + 1, type]"""
    suited: Ints
    """[channel + 1, pair of faces]: Hole Cards of one suit among those without a card of the board's suit."""
    even: Ints
    """[169]"""


@part
def _bet_on_river(ways: int, plain: Ints, extra: Ints, bets: Ints, work: TurnWork) -> None:
    """Judge one board of four as one suit sees it: `bets` keeps the sums where a Bet gains."""
    channels, pairs, w = extra.shape[0], work.shapes.pairs, work.weights
    for place in range(TYPES):
        value = plain[0, pairs.of_type[place]] + extra[0, place]
        count = w.unsuited[place]
        if place >= OO:
            count += w.suited[place - OO]
        bets[channels, place] = 1 if value > 0 and count > 0 else 0
        if value == 0 and count > 0:
            work.even[class_of_type(place, pairs)] += ways * w.unsuited[place]
            if place >= OO:
                pair = place - OO
                work.even[pairs.high[pair] * FACES + pairs.low[pair]] += ways * w.suited[pair]
    for ch in range(channels):
        for place in range(TYPES):
            value = plain[ch, pairs.of_type[place]] + extra[ch, place]
            bets[ch, place] = value if bets[channels, place] else 0
    for ch in range(channels + 1):
        for place in range(TYPES):
            work.values[ch, place] += ways * w.unsuited[place] * bets[ch, place]
        for pair in range(PAIRS):
            work.suited[ch, pair] += ways * w.suited[pair] * bets[ch, OO + pair]


@kernel
def bet_two_one_one(off: int, work: TurnWork, bets: Ints, one: Ints) -> None:
    """Judge boards of four with two cards of a suit and these two of different other suits."""
    pairs, boards = work.shapes.pairs, work.shapes.boards
    x, y = pairs.high[off], pairs.low[off]
    one[:, :, :] = 0
    for pair in range(TWOS):
        a, b = boards.twos[pair, 0], boards.twos[pair, 1]
        board = boards.add3[boards.add2[pairs.at[a, b], x], y]
        weigh(1 << a | 1 << b, 2, x, y, pairs, work.weights)
        # Each board of four is dealt with any of its cards as the Turn Card.
        ways = 4 * (12 if x == y else 24)
        _bet_on_river(ways, work.river.plain[board], work.river.two[off, pair], bets[pair], work)
        add_row(one[a], bets[pair])
        add_row(one[b], bets[pair])


@kernel
def bet_three_one(first: int, last: int, work: TurnWork, bets: Ints) -> None:
    """Judge boards of four with three cards of a suit."""
    pairs, boards = work.shapes.pairs, work.shapes.boards
    for triple in range(first, last):
        a, b, c = boards.triples[triple, 0], boards.triples[triple, 1], boards.triples[triple, 2]
        for x in range(FACES):
            board = boards.add3[boards.add2[pairs.at[a, b], c], x]
            weigh(1 << a | 1 << b | 1 << c, 1, x, 0, pairs, work.weights)
            _bet_on_river(4 * 12, work.river.plain[board], work.river.three[triple, x], bets[triple, x], work)


@kernel
def bet_four(work: TurnWork, bets: Ints) -> None:
    """Judge boards of four of one suit."""
    pairs, boards = work.shapes.pairs, work.shapes.boards
    for quad in range(QUADS):
        a, b, c, d = boards.quads[quad, 0], boards.quads[quad, 1], boards.quads[quad, 2], boards.quads[quad, 3]
        board = boards.add3[boards.add2[pairs.at[a, b], c], d]
        weigh(1 << a | 1 << b | 1 << c | 1 << d, 0, 0, 0, pairs, work.weights)
        _bet_on_river(4 * 4, work.river.plain[board], work.river.four[quad], bets[quad], work)


@kernel
def bet_rainbow(shapes: Shapes, river: River, bets: Ints, sums: Tally) -> None:
    """Judge boards of four different suits: only faces matter."""
    pairs, boards, channels = shapes.pairs, shapes.boards, river.plain.shape[1]
    left = np.zeros(FACES, np.int64)
    for board in range(boards.faces4.shape[0]):
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
