"""Flush boards added up over the River Card: every board of five counts for each board of four in it."""

from __future__ import annotations

from croupier.lab.kernels.cards.shapes import (
    FACES,
    OO,
    QUADS,
    SO,
    TRIPLES,
    TYPES,
    Boards,
    Shapes,
    four_at,
    three_at,
    two_at,
)
from croupier.lab.kernels.enumerate.flush_sweep import FlushWork, count_any_board
from croupier.lab.kernels.enumerate.flushes import count_four_board, count_three_board
from croupier.lab.kernels.runtime.compiler import Ints, inlined, kernel, part


@part
def add_row(target: Ints, source: Ints) -> None:
    """Add the sums after one more card of the suit."""
    for ch in range(target.shape[0]):
        for place in range(TYPES):
            target[ch, place] += source[ch, place]


@inlined
def add_off_rows(target: Ints, source: Ints, face: int, left: int) -> None:
    """Add the sums after one of the `left` cards of this face in other suits, less those the Player holds."""
    for ch in range(target.shape[0]):
        for place in range(TYPES):
            target[ch, place] += left * source[ch, place]
        for suited in range(FACES):
            place = SO + FACES * suited + face
            target[ch, place] -= source[ch, place]
        for low in range(face + 1):
            place = OO + face * (face + 1) // 2 + low
            target[ch, place] -= source[ch, place]
        for high in range(face, FACES):
            place = OO + high * (high + 1) // 2 + face
            target[ch, place] -= source[ch, place]


@part
def _spread_three(triple: int, x: int, y: int, boards: Boards, extra: Ints, two: Ints, three: Ints) -> None:
    """Add a board of three suited cards and two others to every board of four that lacks one of its cards."""
    a, b, c = boards.triples[triple, 0], boards.triples[triple, 1], boards.triples[triple, 2]
    add_row(two[two_at(a, b)], extra)
    add_row(two[two_at(a, c)], extra)
    add_row(two[two_at(b, c)], extra)
    if x == y:
        add_off_rows(three[triple, x], extra, x, 2)
    else:
        add_off_rows(three[triple, x], extra, y, 3)
        add_off_rows(three[triple, y], extra, x, 3)


@part
def _spread_four(quad: int, x: int, boards: Boards, extra: Ints, three: Ints, four: Ints) -> None:
    """Add a board of four suited cards and one other."""
    a, b, c, d = boards.quads[quad, 0], boards.quads[quad, 1], boards.quads[quad, 2], boards.quads[quad, 3]
    add_row(three[three_at(a, b, c), x], extra)
    add_row(three[three_at(a, b, d), x], extra)
    add_row(three[three_at(a, c, d), x], extra)
    add_row(three[three_at(b, c, d), x], extra)
    add_off_rows(four[quad], extra, x, 3)


@part
def _spread_five(quint: int, boards: Boards, extra: Ints, four: Ints) -> None:
    """Add a board of five suited cards."""
    row = boards.quints[quint]
    a, b, c, d, e = row[0], row[1], row[2], row[3], row[4]
    add_row(four[four_at(a, b, c, d)], extra)
    add_row(four[four_at(a, b, c, e)], extra)
    add_row(four[four_at(a, b, d, e)], extra)
    add_row(four[four_at(a, c, d, e)], extra)
    add_row(four[four_at(b, c, d, e)], extra)


@part
def _board_of(suited: Ints, first: int, second: int, shapes: Shapes) -> tuple[int, int]:
    """Return the number by faces of these suited faces with the others, and the mask of the suit."""
    boards, mask = shapes.boards, 0
    for face in suited:
        mask |= 1 << face
    board = boards.add2[shapes.pairs.at[suited[0], suited[1]], suited[2]]
    if suited.shape[0] == 3:
        return boards.add4[boards.add3[board, first], second], mask
    board = boards.add3[board, suited[3]]
    return boards.add4[board, suited[4] if suited.shape[0] == 5 else first], mask


@kernel
def count_three_suited(off: int, w: FlushWork, two: Ints) -> None:
    """Count boards of three cards of a suit and these two others, and add them up over the river.

    `two[pair of the suit]` gets the boards of four that lack a card of the suit, `w.three[triple, face]` those that
    lack one of the others.
    """
    x, y = w.shapes.pairs.high[off], w.shapes.pairs.low[off]
    w.scratch.left[:] = 3
    w.scratch.left[x] -= 1
    w.scratch.left[y] -= 1
    two[:, :, :] = 0
    for triple in range(TRIPLES):
        board, mask = _board_of(w.shapes.boards.triples[triple], x, y, w.shapes)
        count_three_board(mask, board, w)
        _spread_three(triple, x, y, w.shapes.boards, w.extra, two, w.three)


@kernel
def count_four_suited(x: int, w: FlushWork) -> None:
    """Count boards of four cards of a suit and one other, and add them up over the river."""
    w.scratch.left[:] = 3
    w.scratch.left[x] -= 1
    for quad in range(QUADS):
        board, mask = _board_of(w.shapes.boards.quads[quad], x, x, w.shapes)
        count_four_board(mask, board, w)
        _spread_four(quad, x, w.shapes.boards, w.extra, w.three, w.four)


@kernel
def count_five_suited(w: FlushWork) -> None:
    """Count boards of five cards of a suit, and add them up over the river."""
    w.scratch.left[:] = 3
    for quint in range(w.shapes.boards.quints.shape[0]):
        board, mask = _board_of(w.shapes.boards.quints[quint], 0, 0, w.shapes)
        count_any_board(mask, 5, board, w)
        _spread_five(quint, w.shapes.boards, w.extra, w.four)


@kernel
def count_any_suited(size: int, off: int, w: FlushWork, two: Ints) -> None:
    """Count boards of three or four cards of a suit, whatever qualifies; `off` is the pair or face of others."""
    boards, left = w.shapes.boards, w.scratch.left
    x, y = (w.shapes.pairs.high[off], w.shapes.pairs.low[off]) if size == 3 else (off, off)
    left[:] = 3
    left[x] -= 1
    if size == 3:
        left[y] -= 1
        two[:, :, :] = 0
    suited = boards.triples if size == 3 else boards.quads
    for at in range(suited.shape[0]):
        board, mask = _board_of(suited[at], x, y, w.shapes)
        count_any_board(mask, size, board, w)
        if size == 3:
            _spread_three(at, x, y, boards, w.extra, two, w.three)
        else:
            _spread_four(at, x, boards, w.extra, w.three, w.four)
