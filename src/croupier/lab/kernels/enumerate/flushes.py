# ruff: noqa: C901, PLR0912, PLR0915 - a kernel is one loop nest; cut up, it would pass a hundred arrays around
"""What a flush adds to the plain count on boards where one suit can make one, for every type of Hole Cards.

A pair of Hole Cards that makes a flush *moves* up in the order. So a Hand without a flush loses to every pair that
moved, among them those that it used to beat or equal: those that stood below each strength are counted. Hands with a
flush are few, and counted from the top. `flush_sweep` counts the same without this step.
"""

from __future__ import annotations

from croupier.lab.kernels.cards.ranking import FLUSH, FULL, ROYAL, STRAIGHT_FLUSH
from croupier.lab.kernels.cards.shapes import DEALERS, FACES, OO, PAIRS, SO, Channels
from croupier.lab.kernels.enumerate.flush_sweep import ALL, BOTH, ONE, TOP, FlushWork, Scratch, flush_entries
from croupier.lab.kernels.runtime.compiler import Ints, inlined, kernel, part, unsigned


@part
def _fill_values(levels: int, under: int, rank_of: Ints, channels: Channels, count: int, s: Scratch) -> None:
    """Write what each channel gains at each strength without a flush when pairs move above it.

    Pairs below turn from wins into losses, those at the same strength from ties; a Dealer's Hand that did not qualify
    now does. Ranks above a flush lose to straight flushes alone.
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
    """Return how many strengths of this board do not qualify."""
    for at in range(valid):
        if keys[at] >> 7 >= least:
            return int(level_of[keys[at] & 127])
    return int(level_of[keys[valid - 1] & 127]) + 1


@part
def _reset(levels: int, s: Scratch) -> None:
    for level in range(levels + 1):
        for face in range(16):
            s.moved[level, face] = 0


@part
def _accumulate(levels: int, s: Scratch) -> None:
    """Turn what moved at each strength into what moved below it."""
    width = s.moved.shape[1]
    for level in range(1, levels + 1):
        for face in range(width):
            s.moved[level, face] += s.moved[level - 1, face]


@part
def _clear_board_cards(mask: int, extra: Ints) -> None:
    """Set types that hold a card of the board to zero."""
    for ch in range(extra.shape[0]):
        for x in range(FACES):
            if mask >> x & 1:
                for y in range(FACES):
                    extra[ch, SO + FACES * x + y] = 0
                    if y < x:
                        extra[ch, x * (x - 1) // 2 + y] = 0
                    elif y > x:
                        extra[ch, y * (y - 1) // 2 + x] = 0


@inlined
def _flush_values(last: int, plain: Ints, w: FlushWork) -> None:
    """Write the channels of types with a flush, less the plain count."""
    s, channels, extra, pairs = w.scratch, w.channels, w.extra, w.shapes.pairs
    for ch in range(extra.shape[0]):
        for place in range(last):
            rank, short = unsigned(s.rank[place]), s.short[place]
            value = channels.win[ch, rank] * (DEALERS - s.upward[place] - short) + channels.off[ch, rank] * short
            extra[ch, place] = value + channels.lose[ch] * s.losses[place] - plain[ch, pairs.of_type[place]]


@kernel
def count_three_board(mask: int, board: int, w: FlushWork) -> None:
    """Count as `count_any_board` does for three cards of the suit: the pairs of two suited cards move."""
    s, extra, pairs, channels = w.scratch, w.extra, w.shapes.pairs, w.channels
    keys, valid, level_of, rank_of = (
        w.order.keys[board],
        w.order.valid[board],
        w.order.level_of[board],
        w.order.rank_of[board],
    )
    plain, short_of = w.plain[board], w.short_of[board]
    free = _free_faces(mask, s)
    levels = level_of[keys[valid - 1] & 127] + 1
    _reset(levels, s)
    for i in range(free):
        x = unsigned(s.free[i])
        for j in range(i):
            y = unsigned(s.free[j])
            level = unsigned(level_of[pairs.at[x, y]] + 1)
            s.moved[level, x] += 1
            s.moved[level, y] += 1
            s.moved[level, ALL] += 1
    _accumulate(levels, s)
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
    _flush_values(SO, plain, w)

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
    _clear_board_cards(mask, extra)


@inlined
def _short_of_flush(
    x: int, y: int, kind: int, pair: int, level_of: Ints, short_of: Ints, under: int, s: Scratch
) -> int:
    """Return the Dealer's Hands that do not qualify against a flush, after the pairs with a suited card moved."""
    own = 1 if level_of[pair] < under else 0
    held = s.gone[y] if kind == BOTH else s.moved[under, y]
    return int(short_of[pair] - (s.moved[under, ALL] - s.gone[x] - held + own))


@kernel
def count_four_board(mask: int, board: int, w: FlushWork) -> None:
    """Count as `count_any_board` does for four cards of the suit: every pair with a suited card moves."""
    s, extra, pairs, channels = w.scratch, w.extra, w.shapes.pairs, w.channels
    keys, valid, level_of, rank_of = (
        w.order.keys[board],
        w.order.valid[board],
        w.order.level_of[board],
        w.order.rank_of[board],
    )
    plain, short_of = w.plain[board], w.short_of[board]
    free = _free_faces(mask, s)
    levels = level_of[keys[valid - 1] & 127] + 1
    _reset(levels, s)
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
    _accumulate(levels, s)

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

    entries = flush_entries(mask, 4, free, w.ranks, s)
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
    _flush_values(OO, plain, w)

    _fill_values(levels, under, rank_of, channels, extra.shape[0], s)
    for ch in range(extra.shape[0]):
        for pair in range(PAIRS):
            level = unsigned(level_of[pair])
            own = s.values[ch, level, pairs.high[pair]] + s.values[ch, level, pairs.low[pair]]
            extra[ch, OO + pair] = s.values[ch, level, ALL] - own
        for x in range(FACES):
            if s.left[x] < 2:
                extra[ch, OO + x * (x + 1) // 2 + x] = 0
    _clear_board_cards(mask, extra)
