"""Counting of every deal with Hole Cards: kernels called in turn, their sums added up.

Integers in, integers out; the caller says what the channels mean.
"""

from __future__ import annotations

from functools import cache

import msgspec
import numpy as np

from croupier.lab.kernels.cards import shapes
from croupier.lab.kernels.cards.ranking import FLUSH, rank_tables
from croupier.lab.kernels.cards.shapes import (
    BY_FACES,
    FACES,
    HOLES,
    JOINT,
    PAIRS,
    QUADS,
    TRIPLES,
    TWOS,
    TYPES,
    Channels,
)
from croupier.lab.kernels.enumerate import flops, flush_sweep, rank_patterns, rivers, streets
from croupier.lab.kernels.enumerate.flops import FlopSums
from croupier.lab.kernels.runtime.compiler import Ints, add_up, empty, in_chunks, in_threads, zeros
from croupier.lab.progress import Progress, no_progress

PARTS = 16
"""Chunks into which the boards by faces are cut."""
HOLE_CARDS = 1_326
FLOPS = 19_600
"""Flops that two Hole Cards leave."""
TURNS, RIVERS, DEALERS = 47, 46, shapes.DEALERS
DEALS = FLOPS * TURNS * RIVERS * DEALERS
"""For two Hole Cards: flop, Turn Card, River Card and the Dealer's two, the order of the first three aside."""


class Sums(msgspec.Struct, frozen=True):
    """What the kernels have added up for each starting hand; `[169, channel]`, the last one counts decisions."""

    total: Ints
    flop_bets: Ints
    river_bets: Ints
    both_bets: Ints
    even_flops: Ints
    even_rivers: Ints


class Counted(msgspec.Struct, frozen=True):
    """The sums over cards to come, for any position, and what follows from them."""

    channels: Channels
    at_stake: int
    tables: streets.SumTables
    sums: Sums


@cache
def order() -> flush_sweep.Order:
    """Return what every pair of faces makes on every board by faces; the same for every game."""
    table = (BY_FACES, PAIRS)
    made = flush_sweep.Order(zeros(table, 32), zeros(BY_FACES, 32), zeros(table, 32), zeros(table, 32))
    known, ranks = shapes.shapes(), rank_tables()
    in_chunks(
        BY_FACES,
        PARTS,
        lambda first, last: rank_patterns.order_by_faces(first, last, known.boards.faces5, known.pairs, ranks, *made),
    )
    return made


def count(channels: Channels, *, at_stake: int = 0, streets_later: bool, progress: Progress = no_progress) -> Counted:
    """Count every sum of these channels; a Bet on the flop is placed where channel 0 gains more than `at_stake`.

    With `streets_later` there is a decision on the turn as well.
    """
    size = len(channels.lose)
    progress("ordering hands", 0.0)
    order()
    progress("boards by faces", 0.05)
    plain, short_of, four_faces, three_faces = _by_faces(channels)
    progress("boards with a flush in sight", 0.15)
    two, three, four = _with_flushes(channels, plain, short_of, progress)
    river = streets.River(four_faces, two, three, four)
    progress("flops", 0.6)
    tables = streets.SumTables(shapes.shapes(), river, _turns(river, three_faces))
    progress("decisions on the turn", 0.7)
    bets = _no_bets(size, 8 * two.itemsize, streets_later)
    on_turn = _bet_on_river(river, bets, size) if streets_later else []
    progress("decisions on the flop", 0.85)
    on_flop, later = _bet_on_flop(flops.FlopWork(tables, bets, at_stake, streets_later), size)
    on_turn += later
    progress("done", 1.0)
    return Counted(
        channels=channels,
        at_stake=at_stake,
        tables=tables,
        sums=Sums(
            total=add_up([each.total for each in on_flop]),
            flop_bets=add_up([each.bet for each in on_flop]),
            river_bets=add_up([each.bet for each in on_turn]),
            both_bets=add_up([each.both for each in on_flop]),
            even_flops=add_up([each.even for each in on_flop]),
            even_rivers=add_up([each.even for each in on_turn]),
        ),
    )


def _by_faces(channels: Channels) -> tuple[Ints, Ints, Ints, Ints]:
    """Return boards of five by faces, the Dealer's Hands that do not qualify on them, boards of four, and flops."""
    known, ordered, size = shapes.shapes(), order(), len(channels.lose)
    pairs, boards = known.pairs, known.boards
    five, short_of = empty((BY_FACES, size, PAIRS), _bits(channels, RIVERS)), zeros((BY_FACES, PAIRS), 32)
    in_chunks(
        BY_FACES,
        PARTS,
        lambda first, last: rank_patterns.count_by_faces(
            first, last, boards.faces5, pairs, ordered.keys, ordered.valid, channels, five, short_of
        ),
    )
    four = empty((len(boards.faces4), size, PAIRS), _bits(channels, RIVERS))
    in_chunks(
        len(four),
        PARTS,
        lambda first, last: rank_patterns.fewer_by_faces(first, last, boards.faces4, boards.add4, pairs, five, four),
    )
    three = empty((len(boards.faces3), size, PAIRS))
    rank_patterns.fewer_by_faces(0, len(three), boards.faces3, boards.add3, pairs, four, three)
    return five, short_of, four, three


def _with_flushes(channels: Channels, plain: Ints, short_of: Ints, progress: Progress) -> tuple[Ints, Ints, Ints]:
    """Count boards of four with two, three and four cards of a suit: what flushes add, summed over the river."""
    size, bits = len(channels.lose), _bits(channels, RIVERS)
    two = empty((PAIRS, TWOS, size, TYPES), bits)
    pieces = FACES + 1 + PAIRS
    quick = channels.qualifies_from < FLUSH << 20

    def own() -> flush_sweep.FlushWork:
        return flush_sweep.FlushWork(
            shapes=shapes.shapes(),
            ranks=rank_tables(),
            order=order(),
            plain=plain,
            short_of=short_of,
            channels=channels,
            scratch=flush_sweep.scratch(size),
            extra=empty((size, TYPES), bits),
            three=zeros((TRIPLES, FACES, size, TYPES), bits),
            four=zeros((QUADS, size, TYPES), bits),
        )

    def work(own: flush_sweep.FlushWork, piece: int) -> None:
        progress("boards with a flush in sight", 0.15 + 0.45 * piece / pieces)
        off = piece - FACES - 1
        if piece == FACES:
            rivers.count_five_suited(own)
        elif piece < FACES and quick:
            rivers.count_four_suited(piece, own)
        elif piece < FACES:
            rivers.count_any_suited(4, piece, own, two[0])
        elif quick:
            rivers.count_three_suited(off, own, two[off])
        else:
            rivers.count_any_suited(3, off, own, two[off])

    owns = in_threads(own, work, range(pieces))
    return two, add_up([each.three for each in owns]), add_up([each.four for each in owns])


def _turns(river: streets.River, plain: Ints) -> streets.Turns:
    """Sum boards of four to flops."""
    known = shapes.shapes()
    size, bits = plain.shape[1], 8 * plain.itemsize
    one, two = empty((PAIRS, FACES, size, TYPES), bits), empty((TWOS, FACES, size, TYPES), bits)
    three = empty((TRIPLES, size, TYPES), bits)

    def work(_: None, piece: int) -> None:
        if piece < PAIRS:
            streets.turn_one(river.two[piece], one[piece])
        elif piece < PAIRS + TWOS:
            streets.turn_two(piece - PAIRS, known, river, two[piece - PAIRS])
        else:
            streets.turn_three(known.boards, river, three)

    in_threads(lambda: None, work, range(PAIRS + TWOS + 1))
    return streets.Turns(plain, one, two, three)


def _no_bets(size: int, bits: int, streets_later: bool) -> streets.Bets:
    """Return room for Bets on the turn; none where there is no such decision."""
    rows = (len(shapes.shapes().boards.faces4), PAIRS, PAIRS, TRIPLES, QUADS)
    rests = ((PAIRS,), (TWOS, TYPES), (FACES, TYPES), (FACES, TYPES), (TYPES,))
    kept = size + 1 if streets_later else 0
    return streets.Bets(
        *(empty((row if kept else 0, *rest[:-1], kept, rest[-1]), bits) for row, rest in zip(rows, rests, strict=True))
    )


def _bits(channels: Channels, boards: int) -> int:
    """Return enough bits for the sums over that many boards, corrections included."""
    largest = max(int(np.abs(each).max()) for each in (channels.win, channels.off, channels.lose))
    # Sums over the turn are always of 64 bits, so that one compiled kernel serves every game.
    return 32 if 4 * largest * DEALERS * boards < 2**31 else 64


def _bet_on_river(river: streets.River, bets: streets.Bets, size: int) -> list[streets.Tally]:
    known = shapes.shapes()

    def own() -> tuple[streets.TurnWork, streets.Tally]:
        weights, sums = streets.Weights(zeros(TYPES), zeros(PAIRS)), streets.tally(size)
        values, suited = zeros((size + 1, TYPES)), zeros((size + 1, PAIRS))
        return streets.TurnWork(known, river, weights, values, suited, sums.even), sums

    def work(own: tuple[streets.TurnWork, streets.Tally], piece: int) -> None:
        by_type, sums = own
        if piece < PAIRS:
            streets.bet_two_one_one(piece, by_type, bets.two[piece], bets.one[piece])
        elif piece < PAIRS + FACES:
            step = TRIPLES // FACES
            first = (piece - PAIRS) * step
            streets.bet_three_one(first, first + step, by_type, bets.three)
        elif piece == PAIRS + FACES:
            streets.bet_four(by_type, bets.four)
        else:
            streets.bet_rainbow(known, river, bets.plain, sums)

    owns = in_threads(own, work, range(PAIRS + FACES + 2))
    for by_type, sums in owns:
        streets.tally_types(by_type.values, by_type.suited, sums.bet, known.pairs)
    return [sums for _, sums in owns]


def _bet_on_flop(to_judge: flops.FlopWork, size: int) -> tuple[list[streets.Tally], list[streets.Tally]]:
    known, river = to_judge.tables.shapes, to_judge.tables.river
    parts = 13
    step = len(known.boards.faces3) // parts

    def own() -> _OnFlop:
        weights = streets.Weights(zeros(TYPES), zeros(PAIRS))
        second = empty((FACES, size + 1, JOINT), 8 * to_judge.bets.two.itemsize)
        by_hole, by_joint = flops.flop_sums(size, HOLES), flops.flop_sums(size, JOINT)
        return _OnFlop(streets.tally(size), streets.tally(size), weights, second, by_hole, by_joint)

    def work(own: _OnFlop, piece: int) -> None:
        if piece < TWOS:
            if to_judge.cross:
                flops.bet_two_two(piece, known, river, own.second, own.rivers)
            flops.flop_two_one(piece, to_judge, own.second, own.by_joint)
        elif piece < TWOS + parts:
            first = (piece - TWOS) * step
            flops.flop_rainbow(first, first + step, to_judge, own.by_hole)
        else:
            flops.flop_one_suit(to_judge, own.weights, own.flops)

    owns = in_threads(own, work, range(TWOS + parts + 1))
    for each in owns:
        flops.tally_joint(known.pairs, known.joint, each.by_joint, each.flops)
        flops.tally_holes(known.holes, each.by_hole, each.flops)
    return [each.flops for each in owns], [each.rivers for each in owns]


class _OnFlop(msgspec.Struct, frozen=True):
    """What one thread adds up on flops, and of the turns that make them two and two."""

    flops: streets.Tally
    rivers: streets.Tally
    weights: streets.Weights
    second: Ints
    by_hole: FlopSums
    by_joint: FlopSums
