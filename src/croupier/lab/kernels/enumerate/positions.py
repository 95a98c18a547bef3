"""Sums of two Hole Cards on one flop or turn, looked up or counted out.

Looking up reads the sums of `flushes` and `streets`. Counting out deals every card that may still come and ranks seven
cards; it does not use those sums.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.cards.ranking import RankTables, cards_strength, faces_strength
from croupier.lab.kernels.cards.shapes import FACES, OO, SO, Channels, channel_value, four_at, three_at, two_at
from croupier.lab.kernels.enumerate.streets import SumTables
from croupier.lab.kernels.runtime.compiler import Ints, inlined, kernel, part


@inlined
def hole_type(first: int, second: int, suit: int) -> int:
    """Return the type of two Hole Cards as a suit sees them."""
    x, y = first >> 2, second >> 2
    if first & 3 == suit and second & 3 == suit:
        return two_at(min(x, y), max(x, y))
    if first & 3 == suit:
        return SO + FACES * x + y
    if second & 3 == suit:
        return SO + FACES * y + x
    high, low = max(x, y), min(x, y)
    return OO + high * (high + 1) // 2 + low


@inlined
def split_suit(cards: Ints, size: int, suit: int, room: Ints) -> int:
    """Write the faces of a suit, ascending, to `room[:4]` and the others to `room[4:]`; return how many are of it."""
    count, rest = 0, 4
    for at in range(size):
        face = cards[at] >> 2
        if cards[at] & 3 == suit:
            place = count
            while place > 0 and room[place - 1] > face:
                room[place] = room[place - 1]
                place -= 1
            room[place] = face
            count += 1
        else:
            room[rest] = face
            rest += 1
    return count


@inlined
def flop_value(ch: int, first: int, second: int, flop: Ints, tables: SumTables, room: Ints) -> int:
    """Return a channel summed over turn, river and Dealer; `room` holds eight numbers to work in."""
    pairs, boards, turns = tables.shapes.pairs, tables.shapes.boards, tables.turns
    faces = boards.add2[pairs.at[flop[0] >> 2, flop[1] >> 2], flop[2] >> 2]
    value = int(turns.plain[faces, ch, pairs.at[first >> 2, second >> 2]])
    for suit in range(4):
        count = split_suit(flop, 3, suit, room)
        if count == 0:
            continue
        kind = hole_type(first, second, suit)
        if count == 1:
            value += int(turns.one[pairs.at[room[4], room[5]], room[0], ch, kind])
        elif count == 2:
            value += int(turns.two[two_at(room[0], room[1]), room[4], ch, kind])
        else:
            value += int(turns.three[three_at(room[0], room[1], room[2]), ch, kind])
    return value


@inlined
def turn_value(ch: int, first: int, second: int, four: Ints, tables: SumTables, room: Ints) -> int:
    """Return a channel summed over river and Dealer, on the first four Community Cards in any order."""
    pairs, boards, river = tables.shapes.pairs, tables.shapes.boards, tables.river
    faces = boards.add2[pairs.at[four[0] >> 2, four[1] >> 2], four[2] >> 2]
    value = int(river.plain[boards.add3[faces, four[3] >> 2], ch, pairs.at[first >> 2, second >> 2]])
    for suit in range(4):
        count = split_suit(four, 4, suit, room)
        if count < 2:
            continue
        kind = hole_type(first, second, suit)
        if count == 2:
            value += int(river.two[pairs.at[room[4], room[5]], two_at(room[0], room[1]), ch, kind])
        elif count == 3:
            value += int(river.three[three_at(room[0], room[1], room[2]), room[4], ch, kind])
        else:
            value += int(river.four[four_at(room[0], room[1], room[2], room[3]), ch, kind])
    return value


@kernel
def position_value(ch: int, size: int, first: int, second: int, lying: Ints, tables: SumTables, room: Ints) -> int:
    """Return a channel summed over all cards to come, on the first three or four of the Community Cards `lying`."""
    if size == 3:
        return flop_value(ch, first, second, lying, tables, room)
    return turn_value(ch, first, second, lying, tables, room)


@part
def _put(card: int, masks: Ints) -> None:
    masks[card & 3] ^= 1 << (card >> 2)


@part
def _strength_with(first: int, second: int, masks: Ints, t: RankTables) -> int:
    _put(first, masks)
    _put(second, masks)
    strength = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
    _put(first, masks)
    _put(second, masks)
    return strength


@part
def _strength(a: int, b: int, c: int, d: int, flush_suit: int, t: RankTables) -> int:
    """Rank as `cards_strength` does, with the only suit that can make a flush known; -1 where none can."""
    if flush_suit >= 0:
        flush = int(t.flush[a if flush_suit == 0 else b if flush_suit == 1 else c if flush_suit == 2 else d])
        if flush:
            return flush
    ab, cd = a | b, c | d
    both_ab, both_cd = a & b, c & d
    return faces_strength(ab | cd, both_ab | both_cd | (ab & cd), (both_ab & cd) | (both_cd & ab), both_ab & both_cd, t)


@part
def _flush_suit(masks: Ints) -> int:
    """Return the suit of which three or more cards lie on the board, -1 without one."""
    for suit in range(4):
        rest, count = masks[suit], 0
        while rest:
            rest &= rest - 1
            count += 1
        if count >= 3:
            return suit
    return -1


@kernel
def count_out_board(
    first: int, second: int, masks: Ints, left: Ints, t: RankTables, channels: Channels, target: Ints
) -> None:
    """Add every channel for these Hole Cards on the complete board of `masks`; `left` are the Dealer's 45 cards."""
    mine = _strength_with(first, second, masks, t)
    flush_suit = _flush_suit(masks)
    wins = ties = unqualified = 0
    for i in range(left.shape[0]):
        _put(left[i], masks)
        a, b, c, d = masks[0], masks[1], masks[2], masks[3]
        _put(left[i], masks)
        for j in range(i):
            bit, suit = 1 << (left[j] >> 2), left[j] & 3
            his = _strength(
                a | (bit if suit == 0 else 0),
                b | (bit if suit == 1 else 0),
                c | (bit if suit == 2 else 0),
                d | (bit if suit == 3 else 0),
                flush_suit,
                t,
            )
            wins += his < mine
            ties += his == mine
            unqualified += his < channels.qualifies_from
    for ch in range(channels.lose.shape[0]):
        target[ch] += channel_value(ch, mine, wins, wins + ties, unqualified, channels)


@part
def _without(left: Ints, gone: int, rest: Ints) -> None:
    at = 0
    for card in left:
        if card != gone:
            rest[at] = card
            at += 1


@kernel
def count_out_turn(
    first: int, second: int, masks: Ints, left: Ints, t: RankTables, channels: Channels, rest: Ints, target: Ints
) -> None:
    """Add every channel summed over the river; `masks` holds four Community Cards, `left` the 46 unseen."""
    for river in left:
        _without(left, river, rest)
        _put(river, masks)
        count_out_board(first, second, masks, rest, t, channels, target)
        _put(river, masks)


@kernel
def count_out_flop(
    start: int,
    step: int,
    first: int,
    second: int,
    masks: Ints,
    left: Ints,
    t: RankTables,
    channels: Channels,
    target: Ints,
) -> None:
    """Add for each Turn Card every channel summed over the river; `left` are the 47 unseen cards.

    Either of two cards may be the Turn Card, so each pair is counted once, by every `step`th later card from `start`.
    """
    rest, value = np.zeros(left.shape[0] - 2, np.int64), np.zeros(target.shape[1], np.int64)
    for i in range(start, left.shape[0], step):
        for j in range(i):
            at = 0
            for place in range(left.shape[0]):
                if place not in (i, j):
                    rest[at] = left[place]
                    at += 1
            _put(left[i], masks)
            _put(left[j], masks)
            value[:] = 0
            count_out_board(first, second, masks, rest, t, channels, value)
            _put(left[i], masks)
            _put(left[j], masks)
            for ch in range(value.shape[0]):
                target[i, ch] += value[ch]
                target[j, ch] += value[ch]


@kernel
def compare_hands(one: Ints, two: Ints, left: Ints, t: RankTables, counts: Ints) -> None:
    """Count over every board how often the first two Hole Cards win, equal and lose against the others."""
    masks = counts[3:7]
    masks[:] = 0
    size = left.shape[0]
    for a in range(size):
        _put(left[a], masks)
        for b in range(a):
            _put(left[b], masks)
            for c in range(b):
                _put(left[c], masks)
                for d in range(c):
                    _put(left[d], masks)
                    for e in range(d):
                        _put(left[e], masks)
                        mine = _strength_with(one[0], one[1], masks, t)
                        his = _strength_with(two[0], two[1], masks, t)
                        counts[0 if mine > his else 1 if mine == his else 2] += 1
                        _put(left[e], masks)
                    _put(left[d], masks)
                _put(left[c], masks)
            _put(left[b], masks)
        _put(left[a], masks)
