# ruff: noqa: C901 - a kernel is one loop nest; cut up, it would pass a hundred arrays around
"""Boards on which one suit can make a flush, counted in one sweep from the weakest Hand to the strongest.

Used for boards of five suited cards, for Dealers who qualify with a flush or more, and as the second opinion on
`flushes`.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.lab.kernels.cards.ranking import RankTables
from croupier.lab.kernels.cards.shapes import FACES, OO, PAIRS, SO, TYPES, Channels, Pairs, Shapes, channel_value
from croupier.lab.kernels.runtime.compiler import Ints, kernel, part, zeros

LEVELS = 96  # more than any board has strengths; the last one stays empty
ALL = 15  # the place, beside the thirteen faces, of what holds any cards
TOP = LEVELS


class Scratch(NamedTuple):
    """Room for one thread to count one board in."""

    moved: Ints
    """[strengths below, face] -> pairs that moved and hold one certain card of the face (of the suit, or of the others
    where those matter); at the last place all that moved. At TOP those that moved above full houses and fours."""
    values: Ints
    """[channel, strengths below, face]: what the channel gains by it; linear, so that a Hand's own cards are taken
    off."""
    above: Ints
    above_off: Ints
    high: Ints
    high_off: Ints
    gone: Ints
    """Cards of the suit -> pairs that moved from among the Dealer's Hands that do not qualify."""
    losses: Ints
    upward: Ints
    rank: Ints
    short: Ints
    """For each type with a flush: what beats it, what beats or equals it, its rank, who does not qualify."""
    wins: Ints
    at_most: Ints
    strength: Ints
    with_suited: Ints
    with_off: Ints
    short_suited: Ints
    short_off: Ints
    left: Ints
    """How many cards of each face are left in the other suits."""
    free: Ints
    """The faces left in the suit, ascending."""
    entry_key: Ints
    entry_kind: Ints
    entry_first: Ints
    entry_second: Ints


class Order(NamedTuple):
    """What every pair of faces makes on every board by faces."""

    keys: Ints
    valid: Ints
    level_of: Ints
    rank_of: Ints


class FlushWork(NamedTuple):
    """What one thread works with on boards that may hold a flush: tables, room, and its own sums."""

    shapes: Shapes
    ranks: RankTables
    order: Order
    plain: Ints
    """[board by faces, channel, pair of faces]"""
    short_of: Ints
    """[board by faces, pair of faces] -> the Dealer's Hands that do not qualify."""
    channels: Channels
    scratch: Scratch
    extra: Ints
    """[channel, type]: what a flush adds to the plain count of one board."""
    three: Ints
    four: Ints


def scratch(channels: int) -> Scratch:
    """Return empty room for one thread."""
    lanes = (zeros((TOP + 1, 16), 32), zeros((channels, LEVELS, 16), 32))
    small = (*(zeros(16, 32) for _ in range(5)), *(zeros(TYPES, 32) for _ in range(4)))
    sizes = (TYPES, TYPES, TYPES, FACES, FACES, FACES, FACES, FACES, FACES, 128, 128, 128, 128)
    return Scratch(*lanes, *small, *(zeros(size) for size in sizes))


BOTH, ONE, NONE = 0, 1, 2  # kinds of an entry: two cards of the suit, one with any other, none


@part
def flush_entries(mask: int, size: int, free: int, t: RankTables, s: Scratch) -> int:
    """List the Hole Cards that make a flush on this board, in order of strength; return how many entries."""
    count = 0
    if size == 5:
        s.entry_key[0], s.entry_kind[0] = t.flush[mask], NONE
        count = 1
    for i in range(free):
        high = 1 << s.free[i]
        for j in range(-1 if size >= 4 else 0, i):
            if j < 0:
                key, kind, second = t.flush[mask | high], ONE, -1
            else:
                key, kind, second = t.flush[mask | high | 1 << s.free[j]], BOTH, s.free[j]
            at = count
            while at > 0 and s.entry_key[at - 1] > key:
                s.entry_key[at], s.entry_kind[at] = s.entry_key[at - 1], s.entry_kind[at - 1]
                s.entry_first[at], s.entry_second[at] = s.entry_first[at - 1], s.entry_second[at - 1]
                at -= 1
            s.entry_key[at], s.entry_kind[at] = key, kind
            s.entry_first[at], s.entry_second[at] = s.free[i], second
            count += 1
    return count


@part
def _below(below: int, x: int, y: int, x_suited: bool, y_suited: bool, s: Scratch) -> int:
    """Return the Hands below that hold neither of two cards."""
    with_x = s.with_suited[x] if x_suited else s.with_off[x]
    return int(below - with_x - (s.with_suited[y] if y_suited else s.with_off[y]))


@part
def _sweep_faces(start: int, end: int, size: int, mask: int, keys: Ints, pairs: Pairs, below: int, s: Scratch) -> int:
    """Sweep one strength of Hands without a flush: their wins, then their count, then what they beat or equal."""
    for at in range(start, end):
        pair = keys[at] & 127
        x, y = pairs.high[pair], pairs.low[pair]
        s.wins[OO + pair] = _below(below, x, y, False, False, s)
        s.strength[OO + pair] = keys[at] >> 7
        if size == 3:
            for place in (SO + FACES * x + y, SO + FACES * y + x):
                s.strength[place] = keys[at] >> 7
            s.wins[SO + FACES * x + y] = _below(below, x, y, True, False, s)
            s.wins[SO + FACES * y + x] = _below(below, y, x, True, False, s)
    for at in range(start, end):
        pair = keys[at] & 127
        x, y = pairs.high[pair], pairs.low[pair]
        if x == y:
            below += s.left[x] * (s.left[x] - 1) // 2
            s.with_off[x] += s.left[x] - 1
        else:
            below += s.left[x] * s.left[y]
            s.with_off[x] += s.left[y]
            s.with_off[y] += s.left[x]
        if size == 3:
            if not mask >> x & 1:
                below += s.left[y]
                s.with_suited[x] += s.left[y]
                s.with_off[y] += 1
            if x != y and not mask >> y & 1:
                below += s.left[x]
                s.with_suited[y] += s.left[x]
                s.with_off[x] += 1
    for at in range(start, end):
        pair = keys[at] & 127
        x, y = pairs.high[pair], pairs.low[pair]
        s.at_most[OO + pair] = _below(below, x, y, False, False, s) + 1
        if size == 3:
            s.at_most[SO + FACES * x + y] = _below(below, x, y, True, False, s) + 1
            s.at_most[SO + FACES * y + x] = _below(below, y, x, True, False, s) + 1
    return below


@part
def _place_flush(at: int, target: Ints, below: int, s: Scratch) -> None:
    """Write for every type of Hole Cards that makes this flush how many Hands are below it, and its strength."""
    x, y, kind = s.entry_first[at], s.entry_second[at], s.entry_kind[at]
    if kind == BOTH:
        place = x * (x - 1) // 2 + y
        target[place] = _below(below, x, y, True, True, s)
        s.strength[place] = s.entry_key[at]
    elif kind == ONE:
        for face in range(FACES):
            place = SO + FACES * x + face
            target[place] = _below(below, x, face, True, False, s)
            s.strength[place] = s.entry_key[at]
    else:
        for high in range(FACES):
            for low in range(high + 1):
                place = OO + high * (high + 1) // 2 + low
                target[place] = _below(below, high, low, False, False, s)
                s.strength[place] = s.entry_key[at]


@part
def _sweep_flush(start: int, end: int, below: int, others: int, s: Scratch) -> int:
    """Sweep one strength of flushes: their wins, then their count, then what they beat or equal."""
    for at in range(start, end):
        _place_flush(at, s.wins, below, s)
    for at in range(start, end):
        x, y, kind = s.entry_first[at], s.entry_second[at], s.entry_kind[at]
        if kind == BOTH:
            below += 1
            s.with_suited[x] += 1
            s.with_suited[y] += 1
        else:
            left = 1 if kind == ONE else others - 1
            below += others if kind == ONE else others * left // 2
            if kind == ONE:
                s.with_suited[x] += others
            for face in range(FACES):
                s.with_off[face] += left
    for at in range(start, end):
        _place_flush(at, s.at_most, below + 1, s)
    return below


@part
def _keep_short(below: int, s: Scratch) -> int:
    """Keep how many Hands do not qualify, by the card that they hold; return all of them."""
    for face in range(FACES):
        s.short_suited[face], s.short_off[face] = s.with_suited[face], s.with_off[face]
    return below


@part
def _set_extra(
    place: int, pair: int, x: int, y: int, x_suited: bool, y_suited: bool, short: int, board: int, w: FlushWork
) -> None:
    """Write every channel of one type of Hole Cards, less the plain count."""
    s, lacking = w.scratch, 0
    if w.channels.qualifies_from:
        with_x = s.short_suited[x] if x_suited else s.short_off[x]
        lacking = short - with_x - (s.short_suited[y] if y_suited else s.short_off[y])
        if s.strength[place] < w.channels.qualifies_from:
            lacking += 1
    for ch in range(w.extra.shape[0]):
        value = channel_value(ch, s.strength[place], s.wins[place], s.at_most[place], lacking, w.channels)
        w.extra[ch, place] = value - w.plain[board, ch, pair]


@kernel
def count_any_board(mask: int, size: int, board: int, w: FlushWork) -> None:
    """Write every channel for every type of Hole Cards on a board with `size` cards of one suit, less the plain count.

    `w.scratch.left` holds what the board leaves of each face in the other suits.
    """
    s, pairs, keys, valid = w.scratch, w.shapes.pairs, w.order.keys[board], w.order.valid[board]
    free = others = 0
    for face in range(FACES):
        others += s.left[face]
        if not mask >> face & 1:
            s.free[free] = face
            free += 1
    s.with_suited[:] = 0
    s.with_off[:] = 0
    entries = flush_entries(mask, size, free, w.ranks, s)
    below, short = 0, 0
    least = w.channels.qualifies_from
    open_ = least > 0
    at_face = at_entry = 0
    if size == 5:
        at_face = valid
    while at_face < valid or at_entry < entries:
        # Hands without a flush and flushes come in one order of strength, and never share a strength.
        face_key = keys[at_face] >> 7 if at_face < valid else 1 << 30
        flush_key = s.entry_key[at_entry] if at_entry < entries else 1 << 30
        if open_ and min(face_key, flush_key) >= least:
            short = _keep_short(below, s)
            open_ = False
        if face_key < flush_key:
            end = at_face
            while end < valid and keys[end] >> 7 == face_key:
                end += 1
            below = _sweep_faces(at_face, end, size, mask, keys, pairs, below, s)
            at_face = end
        else:
            end = at_entry
            while end < entries and s.entry_key[end] == flush_key:
                end += 1
            below = _sweep_flush(at_entry, end, below, others, s)
            at_entry = end
    if open_:
        short = _keep_short(below, s)
    w.extra[:, :] = 0
    for i in range(free):
        x = s.free[i]
        for j in range(i):
            y = s.free[j]
            _set_extra(x * (x - 1) // 2 + y, pairs.at[x, y], x, y, True, True, short, board, w)
        for y in range(FACES):
            if s.left[y]:
                _set_extra(SO + FACES * x + y, pairs.at[x, y], x, y, True, False, short, board, w)
    for pair in range(PAIRS):
        x, y = pairs.high[pair], pairs.low[pair]
        if s.left[x] and s.left[y] and (x != y or s.left[x] >= 2):
            _set_extra(OO + pair, pair, x, y, False, False, short, board, w)
