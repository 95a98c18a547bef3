# ruff: noqa: C901, PLR0912, PLR0915 - a kernel is one loop nest; cut up, it would pass a hundred arrays around
"""Boards on which one suit can make a flush: what that adds to the plain count, for every type of Hole Cards.

A pair of Hole Cards that makes a flush *moves* up in the order. So a Hand without a flush loses to every pair that
moved, among them those that it used to beat or equal: counting how many of those stood below each strength is all it
takes. Hands with a flush are few, and counted from the top. `count_any_board` does the same without that thought, in
one sweep from the bottom; it serves boards of five suited cards, Dealers who qualify with a flush or more, and as the
second opinion.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.lab.kernels.compiling import Ints, kernel, part, unsigned, zeros
from croupier.lab.kernels.ranking import FLUSH, FULL, ROYAL, STRAIGHT_FLUSH, RankTables
from croupier.lab.kernels.shapes import (
    DEALERS,
    FACES,
    OO,
    PAIRS,
    QUADS,
    SO,
    TRIPLES,
    TYPES,
    Boards,
    Channels,
    Pairs,
    channel_value,
    four_at,
    three_at,
    two_at,
)

LEVELS = 96  # more than any board has strengths; the last one stays empty
ALL = 15  # the place, beside the thirteen faces, of what holds any cards
TOP = LEVELS


class Order(NamedTuple):
    """What every pair of faces makes on every board by faces."""

    keys: Ints
    valid: Ints
    level_of: Ints
    rank_of: Ints


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


def scratch(channels: int) -> Scratch:
    """Room for one thread."""
    lanes = (zeros((TOP + 1, 16), 32), zeros((channels, LEVELS, 16), 32))
    small = (*(zeros(16, 32) for _ in range(5)), *(zeros(TYPES, 32) for _ in range(4)))
    sizes = (TYPES, TYPES, TYPES, FACES, FACES, FACES, FACES, FACES, FACES, 128, 128, 128, 128)
    return Scratch(*lanes, *small, *(zeros(size) for size in sizes))


BOTH, ONE, NONE = 0, 1, 2  # kinds of an entry: two cards of the suit, one with any other, none


@part
def _flush_entries(mask: int, size: int, free: int, t: RankTables, s: Scratch) -> int:
    """Hole Cards that make a flush on this board, in the order of its strength; returns how many entries."""
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
def _sweep_faces(start: int, end: int, size: int, mask: int, keys: Ints, pairs: Pairs, below: int, s: Scratch) -> int:
    """One strength of Hands without a flush: their wins, then their count, then what they beat or equal."""
    for at in range(start, end):
        pair = keys[at] & 127
        x, y = pairs.high[pair], pairs.low[pair]
        s.wins[OO + pair] = below - s.with_off[x] - s.with_off[y]
        s.strength[OO + pair] = keys[at] >> 7
        if size == 3:
            if not mask >> x & 1:
                s.wins[SO + FACES * x + y] = below - s.with_suited[x] - s.with_off[y]
                s.strength[SO + FACES * x + y] = keys[at] >> 7
            if x != y and not mask >> y & 1:
                s.wins[SO + FACES * y + x] = below - s.with_suited[y] - s.with_off[x]
                s.strength[SO + FACES * y + x] = keys[at] >> 7
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
        s.at_most[OO + pair] = below - s.with_off[x] - s.with_off[y] + 1
        if size == 3:
            s.at_most[SO + FACES * x + y] = below - s.with_suited[x] - s.with_off[y] + 1
            s.at_most[SO + FACES * y + x] = below - s.with_suited[y] - s.with_off[x] + 1
    return below


@part
def _sweep_flush(start: int, end: int, below: int, others: int, s: Scratch) -> int:
    """One strength of flushes: their wins, then their count, then what they beat or equal."""
    for step in range(2):
        for at in range(start, end):
            x, y, kind = s.entry_first[at], s.entry_second[at], s.entry_kind[at]
            if kind == BOTH:
                place = x * (x - 1) // 2 + y
                if step == 0:
                    s.wins[place] = below - s.with_suited[x] - s.with_suited[y]
                    s.strength[place] = s.entry_key[at]
                else:
                    s.at_most[place] = below - s.with_suited[x] - s.with_suited[y] + 1
            elif kind == ONE:
                for face in range(FACES):
                    place = SO + FACES * x + face
                    if step == 0:
                        s.wins[place] = below - s.with_suited[x] - s.with_off[face]
                        s.strength[place] = s.entry_key[at]
                    else:
                        s.at_most[place] = below - s.with_suited[x] - s.with_off[face] + 1
            else:
                for high in range(FACES):
                    for low in range(high + 1):
                        place = OO + high * (high + 1) // 2 + low
                        if step == 0:
                            s.wins[place] = below - s.with_off[high] - s.with_off[low]
                            s.strength[place] = s.entry_key[at]
                        else:
                            s.at_most[place] = below - s.with_off[high] - s.with_off[low] + 1
        if step == 1:
            break
        for at in range(start, end):
            x, y, kind = s.entry_first[at], s.entry_second[at], s.entry_kind[at]
            if kind == BOTH:
                below += 1
                s.with_suited[x] += 1
                s.with_suited[y] += 1
            elif kind == ONE:
                below += others
                s.with_suited[x] += others
                for face in range(FACES):
                    s.with_off[face] += 1
            else:
                below += others * (others - 1) // 2
                for face in range(FACES):
                    s.with_off[face] += others - 1
    return below


@kernel
def count_any_board(
    mask: int,
    size: int,
    keys: Ints,
    valid: int,
    plain: Ints,
    pairs: Pairs,
    t: RankTables,
    channels: Channels,
    s: Scratch,
    extra: Ints,
) -> None:
    """Every channel for every type of Hole Cards on a board with `size` cards of one suit, less the plain count.

    `s.left` holds what the board leaves of each face in the other suits.
    """
    free = 0
    for face in range(FACES):
        if not mask >> face & 1:
            s.free[free] = face
            free += 1
    others = 0
    for face in range(FACES):
        others += s.left[face]
    s.with_suited[:] = 0
    s.with_off[:] = 0
    entries = _flush_entries(mask, size, free, t, s)
    below, short = 0, 0
    least = channels.qualifies_from
    open_ = least > 0
    at_face = at_entry = 0
    if size == 5:
        at_face = valid
    while at_face < valid or at_entry < entries:
        # Hands without a flush and flushes come in one order of strength, and never share a strength.
        face_key = keys[at_face] >> 7 if at_face < valid else 1 << 30
        flush_key = s.entry_key[at_entry] if at_entry < entries else 1 << 30
        if open_ and min(face_key, flush_key) >= least:
            short = below
            s.short_suited[:] = s.with_suited
            s.short_off[:] = s.with_off
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
        short = below
        s.short_suited[:] = s.with_suited
        s.short_off[:] = s.with_off
    extra[:, :] = 0
    for ch in range(extra.shape[0]):
        for i in range(free):
            x = s.free[i]
            for j in range(i):
                place = x * (x - 1) // 2 + s.free[j]
                lacking = 0
                if least:
                    lacking = short - s.short_suited[x] - s.short_suited[s.free[j]]
                    if s.strength[place] < least:
                        lacking += 1
                value = channel_value(ch, s.strength[place], s.wins[place], s.at_most[place], lacking, channels)
                extra[ch, place] = value - plain[ch, pairs.at[x, s.free[j]]]
            for face in range(FACES):
                if s.left[face] == 0:
                    continue
                place = SO + FACES * x + face
                lacking = 0
                if least:
                    lacking = short - s.short_suited[x] - s.short_off[face]
                    if s.strength[place] < least:
                        lacking += 1
                value = channel_value(ch, s.strength[place], s.wins[place], s.at_most[place], lacking, channels)
                extra[ch, place] = value - plain[ch, pairs.at[x, face]]
        for pair in range(PAIRS):
            x, y = pairs.high[pair], pairs.low[pair]
            if s.left[x] == 0 or s.left[y] == 0 or (x == y and s.left[x] < 2):
                continue
            place = OO + pair
            lacking = 0
            if least:
                lacking = short - s.short_off[x] - s.short_off[y]
                if s.strength[place] < least:
                    lacking += 1
            value = channel_value(ch, s.strength[place], s.wins[place], s.at_most[place], lacking, channels)
            extra[ch, place] = value - plain[ch, pair]


# ---------------------------------------------------------------- the quick way


@part
def _fill_values(levels: int, under: int, rank_of: Ints, channels: Channels, count: int, s: Scratch) -> None:
    """What each channel gains at each strength of Hands without a flush when pairs move above them.

    Those that used to lie below turn from wins into losses, those at the same strength from ties; a Dealer's Hand that
    did not qualify now does. What ranks above a flush loses to straight flushes alone.
    """
    least = channels.qualifies_from
    # A width that the compiler does not know is one that it does not unroll, and so uses wide instructions for.
    width = s.moved.shape[1]
    # No views of arrays in here: each would be counted, and cost more than the loop over it.
    for ch in range(count):
        lose = channels.lose[ch]
        for level in range(levels):
            rank = unsigned(rank_of[level])
            win, off = channels.win[ch, rank], channels.off[ch, rank]
            below, up_to = (TOP, TOP) if rank >= FULL else (level, level + 1)
            if least == 0:
                for face in range(width):
                    s.values[ch, level, face] = lose * s.moved[up_to, face] - win * s.moved[below, face]
            elif level < under:
                for face in range(width):
                    tied = s.moved[up_to, face] - s.moved[below, face] if channels.tie_first else 0
                    gone = s.moved[under, face]
                    s.values[ch, level, face] = off * (tied - gone) + lose * gone
            else:
                for face in range(width):
                    gone = s.moved[under, face]
                    lost = lose * s.moved[up_to, face] - off * gone
                    s.values[ch, level, face] = lost - win * (s.moved[below, face] - gone)


@part
def _free_faces(mask: int, s: Scratch) -> int:
    free = 0
    for face in range(16):
        s.high[face] = 0
        s.high_off[face] = 0
        s.above[face] = 0
        s.above_off[face] = 0
        s.moved[TOP, face] = 0
        if face < FACES and not mask >> face & 1:
            s.free[free] = face
            free += 1
    return free


@part
def _levels_under(keys: Ints, valid: int, level_of: Ints, least: int) -> int:
    """How many strengths of this board do not qualify."""
    for at in range(valid):
        if keys[at] >> 7 >= least:
            return int(level_of[keys[at] & 127])
    return int(level_of[keys[valid - 1] & 127]) + 1


@part
def _empty(levels: int, s: Scratch) -> None:
    for level in range(levels + 1):
        for face in range(16):
            s.moved[level, face] = 0


@part
def _pile_up(levels: int, s: Scratch) -> None:
    """From what moved at each strength to what moved below it."""
    width = s.moved.shape[1]
    for level in range(1, levels + 1):
        for face in range(width):
            s.moved[level, face] += s.moved[level - 1, face]


@part
def _take_away(mask: int, extra: Ints) -> None:
    """Cards that lie on the board are nobody's."""
    for ch in range(extra.shape[0]):
        for x in range(FACES):
            if mask >> x & 1:
                for y in range(FACES):
                    extra[ch, SO + FACES * x + y] = 0
                    if y < x:
                        extra[ch, x * (x - 1) // 2 + y] = 0
                    elif y > x:
                        extra[ch, y * (y - 1) // 2 + x] = 0


@part
def _flush_values(
    first: int, last: int, plain: Ints, pairs: Pairs, channels: Channels, s: Scratch, extra: Ints
) -> None:
    """The channels of types with a flush, less the plain count."""
    for ch in range(extra.shape[0]):
        for place in range(first, last):
            rank, short = unsigned(s.rank[place]), s.short[place]
            value = channels.win[ch, rank] * (DEALERS - s.upward[place] - short) + channels.off[ch, rank] * short
            extra[ch, place] = value + channels.lose[ch] * s.losses[place] - plain[ch, pairs.of_type[place]]


@kernel
def count_three_board(
    mask: int,
    keys: Ints,
    valid: int,
    level_of: Ints,
    rank_of: Ints,
    plain: Ints,
    short_of: Ints,
    pairs: Pairs,
    channels: Channels,
    s: Scratch,
    extra: Ints,
) -> None:
    """As `count_any_board` for three cards of the suit: the pairs of two suited cards move."""
    free = _free_faces(mask, s)
    levels = level_of[keys[valid - 1] & 127] + 1
    _empty(levels, s)
    for i in range(free):
        x = unsigned(s.free[i])
        for j in range(i):
            y = unsigned(s.free[j])
            level = unsigned(level_of[pairs.at[x, y]] + 1)
            s.moved[level, x] += 1
            s.moved[level, y] += 1
            s.moved[level, ALL] += 1
    _pile_up(levels, s)
    least = channels.qualifies_from
    under = _levels_under(keys, valid, level_of, least) if least else 0

    # Full houses and fours of a kind stand above a flush, and none of them holds two suited cards.
    high = 0
    at = valid - 1
    while at >= 0 and keys[at] >> 27 >= FULL:
        pair = keys[at] & 127
        x, y = pairs.high[pair], pairs.low[pair]
        high += s.left[x] * (s.left[x] - 1) // 2 if x == y else s.left[x] * s.left[y]
        if not mask >> x & 1:
            high += s.left[y]
            s.high[x] += s.left[y]
        if x != y and not mask >> y & 1:
            high += s.left[x]
            s.high[y] += s.left[x]
        at -= 1

    above = 0
    for top in range(14, 4, -1):
        run = 31 << (top - 6) if top > 5 else 0b1000000001111
        if mask & ~run:
            continue
        rest = run ^ mask
        y = 0
        while not rest >> y & 1:
            y += 1
        x = y + 1
        while not rest >> x & 1:
            x += 1
        place = x * (x - 1) // 2 + y
        s.losses[place] = above - s.above[x] - s.above[y]
        s.rank[place] = ROYAL if top == 14 else STRAIGHT_FLUSH
        above += 1
        s.above[x] += 1
        s.above[y] += 1
        s.moved[TOP, x] += 1
        s.moved[TOP, y] += 1
    s.moved[TOP, ALL] = above
    for i in range(free - 1, -1, -1):
        x = unsigned(s.free[i])
        for j in range(i - 1, -1, -1):
            y = unsigned(s.free[j])
            if s.moved[TOP, ALL]:
                both = mask | 1 << x | 1 << y
                if both == (both & -both) * 31 or both == 0b1000000001111:
                    continue
            place = unsigned(x * (x - 1) // 2 + y)
            s.losses[place] = above - s.above[x] - s.above[y] + high - s.high[x] - s.high[y]
            s.rank[place] = FLUSH
            above += 1
            s.above[x] += 1
            s.above[y] += 1
    for high_face in range(FACES):
        for low_face in range(high_face):
            place = high_face * (high_face - 1) // 2 + low_face
            s.upward[place] = s.losses[place]
            s.short[place] = 0
            if least:
                pair = pairs.at[high_face, low_face]
                own = 1 if level_of[pair] < under else 0
                held = s.moved[under, high_face] + s.moved[under, low_face]
                s.short[place] = short_of[pair] - (s.moved[under, ALL] - held + own)
    _flush_values(0, SO, plain, pairs, channels, s, extra)

    _fill_values(levels, under, rank_of, channels, extra.shape[0], s)
    for ch in range(extra.shape[0]):
        for x in range(FACES):
            for y in range(FACES):
                level = unsigned(level_of[pairs.at[x, y]])
                extra[ch, SO + FACES * x + y] = s.values[ch, level, ALL] - s.values[ch, level, x]
        for pair in range(PAIRS):
            extra[ch, OO + pair] = s.values[ch, unsigned(level_of[pair]), ALL]
        for x in range(FACES):
            if s.left[x] < 2:
                extra[ch, OO + x * (x + 1) // 2 + x] = 0
    _take_away(mask, extra)


@part
def _short_of_flush(
    x: int, y: int, kind: int, pair: int, level_of: Ints, short_of: Ints, under: int, s: Scratch
) -> int:
    """The Dealer's Hands that do not qualify against a flush, once the pairs with a suited card have moved."""
    own = 1 if level_of[pair] < under else 0
    held = s.gone[y] if kind == BOTH else s.moved[under, y]
    return int(short_of[pair] - (s.moved[under, ALL] - s.gone[x] - held + own))


@kernel
def count_four_board(
    mask: int,
    keys: Ints,
    valid: int,
    level_of: Ints,
    rank_of: Ints,
    plain: Ints,
    short_of: Ints,
    pairs: Pairs,
    t: RankTables,
    channels: Channels,
    s: Scratch,
    extra: Ints,
) -> None:
    """As `count_any_board` for four cards of the suit: every pair with a suited card moves."""
    free = _free_faces(mask, s)
    levels = level_of[keys[valid - 1] & 127] + 1
    _empty(levels, s)
    least = channels.qualifies_from
    under = _levels_under(keys, valid, level_of, least) if least else 0
    s.gone[:] = 0
    for i in range(free):
        x = unsigned(s.free[i])
        for j in range(i):
            level = unsigned(level_of[pairs.at[x, unsigned(s.free[j])]] + 1)
            s.moved[level, ALL] += 1
            if level <= under:
                s.gone[x] += 1
                s.gone[s.free[j]] += 1
        for y in range(FACES):
            level = unsigned(level_of[pairs.at[x, y]] + 1)
            s.moved[level, ALL] += s.left[y]
            s.moved[level, y] += 1
            if level <= under:
                s.gone[x] += s.left[y]
    _pile_up(levels, s)

    others = high = 0
    for face in range(FACES):
        others += s.left[face]
    at = valid - 1
    while at >= 0 and keys[at] >> 27 >= FULL:
        pair = keys[at] & 127
        x, y = pairs.high[pair], pairs.low[pair]
        if x == y:
            high += s.left[x] * (s.left[x] - 1) // 2
            s.high_off[x] += s.left[x] - 1
        else:
            high += s.left[x] * s.left[y]
            s.high_off[x] += s.left[y]
            s.high_off[y] += s.left[x]
        at -= 1

    entries = _flush_entries(mask, 4, free, t, s)
    above = 0
    end = entries
    while end > 0:
        key = s.entry_key[end - 1]
        rank = key >> 20
        on_top = high if rank < FULL else 0
        start = end - 1
        while start > 0 and s.entry_key[start - 1] == key:
            start -= 1
        # What lies above is asked for twice, before and after this strength is counted in.
        before = above
        for at in range(start, end):
            x, y = s.entry_first[at], s.entry_second[at]
            if s.entry_kind[at] == BOTH:
                above += 1
                s.losses[x * (x - 1) // 2 + y] = before - s.above[x] - s.above[y] + on_top
            else:
                above += others
                for face in range(FACES):
                    beaten_by = on_top - s.high_off[face] if on_top else 0
                    s.losses[SO + FACES * x + face] = before - s.above[x] - s.above_off[face] + beaten_by
        for at in range(start, end):
            x, y = s.entry_first[at], s.entry_second[at]
            if s.entry_kind[at] == BOTH:
                s.above[x] += 1
                s.above[y] += 1
            else:
                s.above[x] += others
                for face in range(FACES):
                    s.above_off[face] += 1
        for at in range(start, end):
            x, y = s.entry_first[at], s.entry_second[at]
            if s.entry_kind[at] == BOTH:
                place = x * (x - 1) // 2 + y
                s.upward[place] = above - s.above[x] - s.above[y] + 1 + on_top
                s.rank[place] = rank
            else:
                for face in range(FACES):
                    place = SO + FACES * x + face
                    beaten_by = on_top - s.high_off[face] if on_top else 0
                    s.upward[place] = above - s.above[x] - s.above_off[face] + 1 + beaten_by
                    s.rank[place] = rank
        if rank >= FULL:
            s.moved[TOP, ALL] = above
            for face in range(FACES):
                s.moved[TOP, face] = s.above_off[face]
        end = start
    for place in range(OO):
        s.short[place] = 0
    if least:
        for x in range(FACES):
            for y in range(FACES):
                pair = pairs.at[x, y]
                s.short[SO + FACES * x + y] = _short_of_flush(x, y, ONE, pair, level_of, short_of, under, s)
                if y < x:
                    short = _short_of_flush(x, y, BOTH, pair, level_of, short_of, under, s)
                    s.short[x * (x - 1) // 2 + y] = short
    _flush_values(0, OO, plain, pairs, channels, s, extra)

    _fill_values(levels, under, rank_of, channels, extra.shape[0], s)
    for ch in range(extra.shape[0]):
        for pair in range(PAIRS):
            level = unsigned(level_of[pair])
            own = s.values[ch, level, pairs.high[pair]] + s.values[ch, level, pairs.low[pair]]
            extra[ch, OO + pair] = s.values[ch, level, ALL] - own
        for x in range(FACES):
            if s.left[x] < 2:
                extra[ch, OO + x * (x + 1) // 2 + x] = 0
    _take_away(mask, extra)


# ---------------------------------------------------------------- added up over the river


@part
def add_row(target: Ints, source: Ints) -> None:
    """The next card is one certain card of the suit."""
    for ch in range(target.shape[0]):
        for place in range(TYPES):
            target[ch, place] += source[ch, place]


@part
def add_off_rows(target: Ints, source: Ints, face: int, left: int) -> None:
    """The next card is one of the `left` cards of this face in the other suits, less those the Player holds."""
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
    """A board of three suited cards and two others goes to every board of four that lacks one of its cards."""
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
    """The same for four suited cards and one other."""
    a, b, c, d = boards.quads[quad, 0], boards.quads[quad, 1], boards.quads[quad, 2], boards.quads[quad, 3]
    add_row(three[three_at(a, b, c), x], extra)
    add_row(three[three_at(a, b, d), x], extra)
    add_row(three[three_at(a, c, d), x], extra)
    add_row(three[three_at(b, c, d), x], extra)
    add_off_rows(four[quad], extra, x, 3)


@part
def _spread_five(quint: int, boards: Boards, extra: Ints, four: Ints) -> None:
    """The same for five suited cards."""
    row = boards.quints[quint]
    a, b, c, d, e = row[0], row[1], row[2], row[3], row[4]
    add_row(four[four_at(a, b, c, d)], extra)
    add_row(four[four_at(a, b, c, e)], extra)
    add_row(four[four_at(a, b, d, e)], extra)
    add_row(four[four_at(a, c, d, e)], extra)
    add_row(four[four_at(b, c, d, e)], extra)


@part
def _board_of(suited: Ints, first: int, second: int, pairs: Pairs, boards: Boards) -> tuple[int, int]:
    """The number by faces of these faces of one suit with the others, and the mask of the suit."""
    mask = 0
    for face in suited:
        mask |= 1 << face
    board = pairs.at[suited[0], suited[1]]
    board = boards.add2[board, suited[2]]
    if suited.shape[0] == 3:
        return boards.add4[boards.add3[board, first], second], mask
    board = boards.add3[board, suited[3]]
    return boards.add4[board, suited[4] if suited.shape[0] == 5 else first], mask


@kernel
def count_three_suited(
    off: int,
    pairs: Pairs,
    boards: Boards,
    order: Order,
    plain: Ints,
    short_of: Ints,
    channels: Channels,
    s: Scratch,
    extra: Ints,
    two: Ints,
    three: Ints,
) -> None:
    """Boards of three cards of a suit and these two others, added up over the river.

    `two[pair of the suit]` gets the boards of four that lack a card of the suit, `three[triple, face]` those that lack
    one of the others.
    """
    x, y = pairs.high[off], pairs.low[off]
    s.left[:] = 3
    s.left[x] -= 1
    s.left[y] -= 1
    two[:, :, :] = 0
    for triple in range(TRIPLES):
        board, mask = _board_of(boards.triples[triple], x, y, pairs, boards)
        count_three_board(
            mask,
            order.keys[board],
            order.valid[board],
            order.level_of[board],
            order.rank_of[board],
            plain[board],
            short_of[board],
            pairs,
            channels,
            s,
            extra,
        )
        _spread_three(triple, x, y, boards, extra, two, three)


@kernel
def count_four_suited(
    x: int,
    pairs: Pairs,
    boards: Boards,
    t: RankTables,
    order: Order,
    plain: Ints,
    short_of: Ints,
    channels: Channels,
    s: Scratch,
    extra: Ints,
    three: Ints,
    four: Ints,
) -> None:
    """Boards of four cards of a suit and one other, added up over the river."""
    s.left[:] = 3
    s.left[x] -= 1
    for quad in range(QUADS):
        board, mask = _board_of(boards.quads[quad], x, x, pairs, boards)
        count_four_board(
            mask,
            order.keys[board],
            order.valid[board],
            order.level_of[board],
            order.rank_of[board],
            plain[board],
            short_of[board],
            pairs,
            t,
            channels,
            s,
            extra,
        )
        _spread_four(quad, x, boards, extra, three, four)


@kernel
def count_any_suited(
    size: int,
    off: int,
    pairs: Pairs,
    boards: Boards,
    t: RankTables,
    order: Order,
    plain: Ints,
    channels: Channels,
    s: Scratch,
    extra: Ints,
    two: Ints,
    three: Ints,
    four: Ints,
) -> None:
    """Boards of three, four or five cards of a suit, whatever qualifies; `off` is the pair or face of the others."""
    x, y = (pairs.high[off], pairs.low[off]) if size == 3 else (off, off)
    s.left[:] = 3
    if size < 5:
        s.left[x] -= 1
    if size == 3:
        s.left[y] -= 1
        two[:, :, :] = 0
    suited = boards.triples if size == 3 else boards.quads if size == 4 else boards.quints
    for at in range(suited.shape[0]):
        board, mask = _board_of(suited[at], x, y, pairs, boards)
        count_any_board(mask, size, order.keys[board], order.valid[board], plain[board], pairs, t, channels, s, extra)
        if size == 3:
            _spread_three(at, x, y, boards, extra, two, three)
        elif size == 4:
            _spread_four(at, x, boards, extra, three, four)
        else:
            _spread_five(at, boards, extra, four)
