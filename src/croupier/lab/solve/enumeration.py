"""Counts every deal of a game on Hole Cards and Community Cards: runs the kernels on all cores, in order.

Integers in, integers out; what the channels mean is said by whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable
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
from croupier.lab.kernels.enumerate.flops import Kept
from croupier.lab.kernels.runtime.compiler import Ints, room, share, zeros
from croupier.lab.progress import Progress, quietly

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
    river: streets.River
    turns: streets.Turns
    sums: Sums


@cache
def order() -> rivers.Order:
    """What every pair of faces makes on every board by faces; the same for every game."""
    table = (BY_FACES, PAIRS)
    made = rivers.Order(zeros(table, 32), zeros(BY_FACES, 32), zeros(table, 32), zeros(table, 32))
    known, ranks = shapes.shapes(), rank_tables()
    _in_parts(
        BY_FACES,
        lambda first, last: rank_patterns.order_by_faces(first, last, known.boards.faces5, known.pairs, ranks, *made),
    )
    return made


def _in_parts(size: int, work: Callable[[int, int], object], parts: int = 16) -> None:
    step = -(-size // parts)
    share(lambda: None, lambda _, first: work(first, min(size, first + step)), range(0, size, step))


def count(channels: Channels, *, at_stake: int = 0, streets_later: bool, progress: Progress = quietly) -> Counted:
    """Every sum of these channels; a Bet on the flop is placed where channel 0 gains more than `at_stake`.

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
    turns = _turns(river, three_faces)
    progress("decisions on the turn", 0.7)
    bets = _no_bets(size, 8 * two.itemsize, streets_later)
    rivers = _bet_on_river(river, bets, size) if streets_later else []
    progress("decisions on the flop", 0.85)
    flops, later = _bet_on_flop(river, turns, bets, size, at_stake, streets_later)
    rivers += later
    progress("done", 1.0)
    return Counted(
        channels=channels,
        at_stake=at_stake,
        river=river,
        turns=turns,
        sums=Sums(
            total=_added([each.total for each in flops]),
            flop_bets=_added([each.bet for each in flops]),
            river_bets=_added([each.bet for each in rivers]),
            both_bets=_added([each.both for each in flops]),
            even_flops=_added([each.even for each in flops]),
            even_rivers=_added([each.even for each in rivers]),
        ),
    )


def _by_faces(channels: Channels) -> tuple[Ints, Ints, Ints, Ints]:
    """Boards of five by faces alone, how many Dealer's Hands do not qualify on them, boards of four, and flops."""
    known, ordered, size = shapes.shapes(), order(), len(channels.lose)
    pairs, boards = known.pairs, known.boards
    five, short_of = room((BY_FACES, size, PAIRS), _bits(channels, RIVERS)), zeros((BY_FACES, PAIRS), 32)
    _in_parts(
        BY_FACES,
        lambda first, last: rank_patterns.count_by_faces(
            first, last, boards.faces5, pairs, ordered.keys, ordered.valid, channels, five, short_of
        ),
    )
    four = room((len(boards.faces4), size, PAIRS), _bits(channels, RIVERS))
    _in_parts(
        len(four),
        lambda first, last: rank_patterns.fewer_by_faces(first, last, boards.faces4, boards.add4, pairs, five, four),
    )
    three = room((len(boards.faces3), size, PAIRS))
    rank_patterns.fewer_by_faces(0, len(three), boards.faces3, boards.add3, pairs, four, three)
    return five, short_of, four, three


class _Room(msgspec.Struct, frozen=True):
    """What one thread counts flush boards in: sums that several threads add to are its own until the end."""

    scratch: flush_sweep.Scratch
    extra: Ints
    three: Ints
    four: Ints


def _with_flushes(channels: Channels, plain: Ints, short_of: Ints, progress: Progress) -> tuple[Ints, Ints, Ints]:
    """Boards of four with two, three and four cards of a suit: what flushes add, summed over the river."""
    known, ranks, ordered = shapes.shapes(), rank_tables(), order()
    pairs, boards = known.pairs, known.boards
    size, bits = len(channels.lose), _bits(channels, RIVERS)
    two = room((PAIRS, TWOS, size, TYPES), bits)
    pieces = FACES + 1 + PAIRS
    quick = channels.qualifies_from < FLUSH << 20

    def own() -> _Room:
        three, four = zeros((TRIPLES, FACES, size, TYPES), bits), zeros((QUADS, size, TYPES), bits)
        return _Room(flush_sweep.scratch(size), room((size, TYPES), bits), three, four)

    def any_boards(own: _Room, suited: int, off: int, two_of: Ints) -> None:
        rivers.count_any_suited(
            suited,
            off,
            pairs,
            boards,
            ranks,
            ordered,
            plain,
            channels,
            own.scratch,
            own.extra,
            two_of,
            own.three,
            own.four,
        )

    def work(own: _Room, piece: int) -> None:
        progress("boards with a flush in sight", 0.15 + 0.45 * piece / pieces)
        off = piece - FACES - 1
        s, extra, three, four = own.scratch, own.extra, own.three, own.four
        if piece == FACES:
            any_boards(own, 5, 0, two[0])
        elif piece < FACES and quick:
            rivers.count_four_suited(
                piece, pairs, boards, ranks, ordered, plain, short_of, channels, s, extra, three, four
            )
        elif piece < FACES:
            any_boards(own, 4, piece, two[0])
        elif quick:
            rivers.count_three_suited(off, pairs, boards, ordered, plain, short_of, channels, s, extra, two[off], three)
        else:
            any_boards(own, 3, off, two[off])

    owns = share(own, work, range(pieces))
    return two, _added([each.three for each in owns]), _added([each.four for each in owns])


def _turns(river: streets.River, plain: Ints) -> streets.Turns:
    """From boards of four to flops."""
    known = shapes.shapes()
    pairs, boards = known.pairs, known.boards
    size, bits = plain.shape[1], 8 * plain.itemsize
    one, two = room((PAIRS, FACES, size, TYPES), bits), room((TWOS, FACES, size, TYPES), bits)
    three = room((TRIPLES, size, TYPES), bits)

    def work(_: None, piece: int) -> None:
        if piece < PAIRS:
            streets.turn_one(river.two[piece], one[piece])
        elif piece < PAIRS + TWOS:
            streets.turn_two(piece - PAIRS, pairs, boards, river, two[piece - PAIRS])
        else:
            streets.turn_three(0, TRIPLES, boards, river, three)

    share(lambda: None, work, range(PAIRS + TWOS + 1))
    return streets.Turns(plain, one, two, three)


def _no_bets(size: int, bits: int, streets_later: bool) -> streets.Bets:
    """Room for what is bet on the turn; none where nothing is."""
    rows = (len(shapes.shapes().boards.faces4), PAIRS, PAIRS, TRIPLES, QUADS)
    rests = ((PAIRS,), (TWOS, TYPES), (FACES, TYPES), (FACES, TYPES), (TYPES,))
    kept = size + 1 if streets_later else 0
    return streets.Bets(
        *(room((row if kept else 0, *rest[:-1], kept, rest[-1]), bits) for row, rest in zip(rows, rests, strict=True))
    )


def _added(parts: list[Ints]) -> Ints:
    """What several threads have counted, together."""
    whole, *others = parts
    for other in others:
        whole += other
    return whole


def _bits(channels: Channels, boards: int) -> int:
    """Bits that are enough for the sums over that many boards, corrections included."""
    largest = max(int(np.abs(each).max()) for each in (channels.win, channels.off, channels.lose))
    # Sums over the turn are always of 64 bits, so that one compiled kernel serves every game.
    return 32 if 4 * largest * DEALERS * boards < 2**31 else 64


def _bet_on_river(river: streets.River, bets: streets.Bets, size: int) -> list[streets.Tally]:
    known = shapes.shapes()

    class Own(msgspec.Struct):
        """What one thread adds up by type, and by starting hand."""

        weights: streets.Weights
        values: Ints
        suited: Ints
        sums: streets.Tally

    def own() -> Own:
        weights = streets.Weights(zeros(TYPES), zeros(PAIRS))
        values, suited = zeros((size + 1, TYPES)), zeros((size + 1, PAIRS))
        return Own(weights, values, suited, streets.tally(size))

    def work(own: Own, piece: int) -> None:
        kept = (own.weights, own.values, own.suited, own.sums.even)
        if piece < PAIRS:
            weights, *rest = kept
            streets.bet_two_one_one(
                piece, known.pairs, known.boards, river, weights, bets.two[piece], bets.one[piece], *rest
            )
        elif piece < PAIRS + FACES:
            part = piece - PAIRS
            weights, *rest = kept
            step = TRIPLES // FACES
            streets.bet_three_one(
                part * step, part * step + step, known.pairs, known.boards, river, weights, bets.three, *rest
            )
        elif piece == PAIRS + FACES:
            weights, *rest = kept
            streets.bet_four(0, QUADS, known.pairs, known.boards, river, weights, bets.four, *rest)
        else:
            streets.bet_rainbow(0, len(known.boards.faces4), known.pairs, known.boards, river, bets.plain, own.sums)

    owns = share(own, work, range(PAIRS + FACES + 2))
    for each in owns:
        streets.tally_types(each.values, each.suited, each.sums.bet, known.pairs)
    return [each.sums for each in owns]


def _bet_on_flop(
    river: streets.River, turns: streets.Turns, bets: streets.Bets, size: int, at_stake: int, streets_later: bool
) -> tuple[list[streets.Tally], list[streets.Tally]]:
    known = shapes.shapes()
    rainbow = len(known.boards.faces3)
    parts = 13

    def own() -> _OnFlop:
        weights = streets.Weights(zeros(TYPES), zeros(PAIRS))
        second = room((FACES, size + 1, JOINT), 8 * bets.two.itemsize)
        by_hole, by_joint = flops.kept(size, HOLES), flops.kept(size, JOINT)
        return _OnFlop(streets.tally(size), streets.tally(size), weights, second, by_hole, by_joint)

    def work(own: _OnFlop, piece: int) -> None:
        how = (at_stake, streets_later)
        if piece < TWOS:
            lying = (piece, known.pairs, known.boards, known.joint)
            if streets_later:
                flops.bet_two_two(*lying, river, own.second, own.rivers)
            flops.flop_two_one(*lying, turns, bets, own.second, *how, own.by_joint)
        elif piece < TWOS + parts:
            step = rainbow // parts
            first = (piece - TWOS) * step
            where = (first, first + step, known.pairs, known.boards, known.holes)
            flops.flop_rainbow(*where, turns, bets, *how, own.by_hole)
        else:
            flops.flop_one_suit(0, TRIPLES, known.pairs, known.boards, turns, bets, *how, own.weights, own.flops)

    owns = share(own, work, range(TWOS + parts + 1))
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
    by_hole: Kept
    by_joint: Kept
