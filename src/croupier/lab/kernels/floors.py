# ruff: noqa: PLR0915 - a kernel is one loop nest
"""A table of several boxes, an evening at a time: every Hand of every Round against one Dealer's.

What a Round comes to in money is looked up in tables made from the rulebook's terms. A Hand that wins a share of the
meter is only noted here, with its Round: the link pays it, as it does on a floor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.kernels.chance import DEALING, ERRING, HANDLING, SEATING, deal_many, words
from croupier.lab.kernels.compiling import Ints, kernel, part, whole
from croupier.lab.kernels.decisions import bit, flop_at, hole_at, turn_at
from croupier.lab.kernels.orders import FLUSH_MADE, FLUSH_NEEDS, board_at, flushed, suit_bit
from croupier.lab.kernels.playing import BEATEN, FATES, RANKS, Common, Table, fate_of, lines_of

THREE, STREETS, FLOP_FIRST = range(3)
ROUNDS, VOIDS, HANDS, TABLE_NET, SIDE_NET, STAKED, JACKPOT_BETS, FIXED_AWARDS, MISPAID, MISPAID_COST, DAY = range(11)
"""What is added up over a day; money in cents, as the Players see it."""
AT, BOX, MASK, FOLDED, HIT = range(5)
"""A Hand that wins a share of the meter: its Round, its box, the lines, and whether it was folded."""


class Felt(NamedTuple):
    """A kind of table: its game, its people and what their Bets are worth."""

    kind: int
    boxes: int
    hole: Ints
    flop: Ints
    turn: Ints
    """[strategy, ...]: the decisions of each kind of player, as in `Table`."""
    careless: Ints
    """[strategy, decision]: of 2**32 decisions so many are taken the other way."""
    mix: Ints
    """[strategy]: of 2**32 players so many follow this one or one before it."""
    occupied: int
    takes_jackpot: int
    takes_side: int
    """Of 2**32 boxes, players and players so many."""
    void: int
    mispaid: int
    """Of 2**32 Rounds and beaten Hands so many are void, or are paid by mistake."""
    base: Ints
    """[choice, fate, rank] -> Ante, later Bets and payouts on the Ante, in cents."""
    side: Ints
    """[lines of side Bets, folded or fate] -> side Bets, in cents."""
    three_side: Ints
    """[rank of three cards, folded or fate] -> the same where side Bets look at three cards."""
    award: Ints
    """[mask, folded] -> fixed awards in cents, -1 where a share of the meter is won."""
    ante: int
    staked: Ints
    """[choice] -> all that is staked on the Ante and after it, in cents."""
    side_stake: int


@part
def _high(word: int) -> int:
    return whole(np.uint64(word) >> np.uint64(32))


@part
def _low(word: int) -> int:
    return whole(np.uint64(word) & np.uint64(0xFFFFFFFF))


@part
def _sit_down(seed: int, hour: int, f: Felt, sits: Ints, plays: Ints, jackpot: Ints, side: Ints) -> int:
    """Who sits at the table for an hour; returns how many do."""
    count = 0
    for box in range(f.boxes):
        one, two = words(seed, hour, SEATING, box)
        if _high(one) >= f.occupied:
            continue
        sits[count] = box
        plays[count] = 0
        while plays[count] < f.mix.shape[0] - 1 and _low(one) >= f.mix[plays[count]]:
            plays[count] += 1
        jackpot[count] = 1 if _high(two) < f.takes_jackpot else 0
        side[count] = 1 if _low(two) < f.takes_side else 0
        count += 1
    return count


@part
def _wrong(seed: int, number: int, box: int, careless: Ints) -> int:
    """Which decisions of a Hand are taken the other way, bit by bit."""
    if careless[0] == 0:
        return 0
    one, two = words(seed, number, ERRING, box)
    found = 1 if _high(one) < careless[0] else 0
    found |= 2 if _low(one) < careless[1] else 0
    return found | (4 if _high(two) < careless[2] else 0)


@part
def _chosen(kind: int, cards: Ints, own: int, shown: int, wrong: int, who: int, f: Felt, c: Common) -> int:
    """The way through its decisions that a Hand takes."""
    if kind == 0:
        hand = flop_at(cards[own, 0], cards[own + 1, 0], cards[own + 2, 0], c.places)
        return whole(f.hole[who, hand] ^ (wrong & 1))
    hole = hole_at(cards[own, 0], cards[own + 1, 0])
    x, y, z, u = cards[shown, 0], cards[shown + 1, 0], cards[shown + 2, 0], cards[shown + 3, 0]
    late = bit(f.flop[who], c.places.flop[flop_at(x, y, z, c.places)], hole, c.places)
    if kind == 2:
        return late ^ (wrong & 1)
    live = whole(f.hole[who, hole] ^ (wrong & 1))
    later = bit(f.turn[who], c.places.turn[turn_at(x, y, z, u, c.places)], hole, c.places)
    return live * (1 + (late ^ (wrong >> 1 & 1)) + 2 * (later ^ (wrong >> 2 & 1)))


@part
def _order(kind: int, cards: Ints, own: int, shown: int, c: Common) -> int:
    """The place of a Hand in the order of its game."""
    if kind == 0:
        return whole(c.orders.three[flop_at(cards[own, 0], cards[own + 1, 0], cards[own + 2, 0], c.places)])
    o = c.orders
    x, y, z, u, v = (
        cards[shown, 0],
        cards[shown + 1, 0],
        cards[shown + 2, 0],
        cards[shown + 3, 0],
        cards[shown + 4, 0],
    )
    one, two = cards[own, 0], cards[own + 1, 0]
    suits = suit_bit(x) + suit_bit(y) + suit_bit(z) + suit_bit(u) + suit_bit(v) + suit_bit(one) + suit_bit(two)
    made = suits + FLUSH_NEEDS & FLUSH_MADE
    if made:
        return flushed(made, cards, own, 2, shown, 0, o)
    return whole(o.plain[board_at(x, y, z, u, v, o), o.pair_at[one >> 2, two >> 2]])


@part
def _five(cards: Ints, own: int, shown: int, c: Common) -> int:
    """The place of three own cards with two Community Cards in the order of five."""
    x, y, z, u, v = cards[own, 0], cards[own + 1, 0], cards[own + 2, 0], cards[shown, 0], cards[shown + 1, 0]
    made = suit_bit(x) + suit_bit(y) + suit_bit(z) + suit_bit(u) + suit_bit(v) + FLUSH_NEEDS & FLUSH_MADE
    if made:
        return flushed(made, cards, own, 3, shown, 0, c.orders)
    return whole(c.orders.five[board_at(x, y, z, u, v, c.orders)])


@kernel
def deal_round(seed: int, number: int, kind: int, seated: int, eight: Ints, deck: Ints, cards: Ints) -> None:
    """The cards of one Round: each box's in turn, then the Dealer's, then the Community Cards."""
    own, shared = (3, 2) if kind == 0 else (2, 5)
    deal_many(seed, number, DEALING, own * (seated + 1) + shared, deck, eight, cards[:, 0])


@kernel
def look_at(
    seed: int,
    number: int,
    hour: int,
    f: Felt,
    c: Common,
    eight: Ints,
    deck: Ints,
    cards: Ints,
    seats: Ints,
) -> int:
    """One Round as `play_day` plays it: who sits where (`seats`, the last row what he chooses) and the cards."""
    own = 3 if f.kind == 0 else 2
    seated = _sit_down(seed, hour, f, seats[0], seats[1], seats[2], seats[3])
    if seated:
        deal_round(seed, number, f.kind, seated, eight, deck, cards)
    for seat in range(seated):
        who = seats[1, seat]
        wrong = _wrong(seed, number, seats[0, seat], f.careless[who])
        seats[4, seat] = _chosen(f.kind, cards, own * seat, own * (seated + 1), wrong, who, f, c)
    return seated


@kernel
def is_void(seed: int, number: int, f: Felt) -> bool:
    """Whether the Dealer's error makes a Round void."""
    return f.void > 0 and _high(words(seed, number, HANDLING, 0)[0]) < f.void


@kernel
def play_day(
    seed: int,
    first: int,
    hour: int,
    rounds: int,
    each_hour: int,
    f: Felt,
    g: Table,
    c: Common,
    eight: Ints,
    deck: Ints,
    cards: Ints,
    seats: Ints,
    made: Ints,
    day: Ints,
    bets: Ints,
    hits: Ints,
) -> int:
    """So many Rounds of one table from the number `first` on; returns how many Hands won a share of the meter.

    `bets` takes the jackpot Bets of each Round, `seats` is room for who sits and what he does. Void Rounds come to
    nothing: every Bet goes back, and its contribution with it.
    """
    own, shared = (3, 2) if f.kind == 0 else (2, 5)
    found = seated = 0
    for at in range(rounds):
        number = first + at
        if at % each_hour == 0:
            seated = _sit_down(seed, hour + at // each_hour, f, seats[0], seats[1], seats[2], seats[3])
        bets[at] = 0
        if seated == 0:
            continue
        if is_void(seed, number, f):
            day[1] += 1
            continue
        deal_round(seed, number, f.kind, seated, eight, deck, cards)
        dealer, shown = own * seated, own * (seated + 1)
        his = _order(f.kind, cards, dealer, shown, c)
        day[0] += 1
        for seat in range(seated):
            mine, place = _order(f.kind, cards, own * seat, shown, c), own * seat
            who = seats[1, seat]
            wrong = _wrong(seed, number, seats[0, seat], f.careless[who])
            how = _chosen(f.kind, cards, place, shown, wrong, who, f, c)
            fate = fate_of(mine, his, g) if how else 0
            rank = c.orders.three_rank_of[mine] if f.kind == 0 else c.orders.rank_of[mine]
            day[2] += 1
            day[3] += f.base[(how * FATES + fate) * RANKS + (rank if how or f.kind == 0 else 0)]
            day[5] += f.staked[how]
            if seats[3, seat]:
                became = fate + 1 if how else 0
                if f.kind == 0:
                    day[4] += f.three_side[rank, became]
                else:
                    kind = g.kind_of[hole_at(cards[place, 0], cards[place + 1, 0])]
                    other = g.kind_of[hole_at(cards[dealer, 0], cards[dealer + 1, 0])]
                    day[4] += f.side[g.side_of[kind, other], became]
                day[5] += f.side_stake
            errs = f.mispaid > 0 and how > 0 and fate == BEATEN
            if errs and _low(words(seed, number, HANDLING, 1 + seats[0, seat])[0]) < f.mispaid:
                day[8] += 1
                day[9] += 2 * f.ante
            if seats[2, seat]:
                day[6] += 1
                bets[at] += 1
                high = _five(cards, place, shown, c) if f.kind == 0 else mine
                if high >= g.least:
                    mask = lines_of(cards, place, own, shown, shown + shared, 0, g, c, made)
                    folded = 0 if how else 1
                    paid = f.award[mask, folded]
                    if paid >= 0:
                        day[7] += paid
                    elif found < hits.shape[0]:
                        hits[found, 0], hits[found, 1], hits[found, 2], hits[found, 3] = (
                            at,
                            seats[0, seat],
                            mask,
                            folded,
                        )
                        found += 1
    return found
