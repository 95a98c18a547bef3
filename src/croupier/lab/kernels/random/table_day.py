"""A table of several boxes: every Hand of every Round against one Dealer's.

Results in money are looked up in tables made from the rulebook's terms. A Hand that wins a share of the meter is only
noted, with its Round: the link pays it.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.lab.kernels.cards.lookup import five_of
from croupier.lab.kernels.random.philox import (
    DEALING,
    ERRING,
    HANDLING,
    SEATING,
    deal,
    high_half,
    low_half,
    words,
    words_of,
)
from croupier.lab.kernels.random.rounds import (
    BEATEN,
    FATES,
    RANKS,
    Common,
    Table,
    bits_of,
    boards_of,
    fate_of,
    flops_of,
    holes_of,
    lines_of,
    rank_two,
    threes_of,
    turns_of,
)
from croupier.lab.kernels.runtime.compiler import Ints, as_int64, kernel, part, unsigned_zeros, zeros

THREE, STREETS, FLOP_FIRST = range(3)
ROUNDS, VOIDS, HANDS, TABLE_NET, SIDE_NET, STAKED, JACKPOT_BETS, FIXED_AWARDS, MISPAID, MISPAID_COST, DAY = range(11)
"""Sums of a day; money in cents, as the Players see it."""
AT, BOX, MASK, FOLDED, HIT = range(5)
"""A Hand that wins a share of the meter: its Round, its box, the lines, and whether it was folded."""
SITS, PLAYS, TAKES_JACKPOT, TAKES_SIDE, SEAT = range(5)
"""A Player for an hour: box, strategy, and which Bets they take."""
MOST_BOXES, MOST_AN_HOUR = 16, 600
CARDS = 52


class Room(NamedTuple):
    """Room for one thread to play in, an hour at a time."""

    cards: Ints
    """[place in the deal, Round]: each box's cards in turn, the Dealer's, the Community Cards."""
    seats: Ints
    """[SITS …, seat]"""
    chose: Ints
    """[seat, Round]: the way through the decisions."""
    paid: Ints
    """[seat, Round]: whether a beaten Ante was paid by mistake."""
    ones: Ints
    twos: Ints
    handled: Ints
    erred: Ints
    """Words of chance: for the cards, for the Dealer's errors, for each seat's mistakes."""
    hole: Ints
    dealers: Ints
    board: Ints
    suits: Ints
    place: Ints
    flop: Ints
    turn: Ints
    late: Ints
    later: Ints
    mine: Ints
    high: Ints
    his: Ints
    """As in `playing.Batch`, for one seat after the other."""
    made: Ints


def room() -> Room:
    """Return empty room for one thread."""
    bits = {"late": 8, "later": 8, "place": 32, "flop": 32, "turn": 32, "ones": 64, "twos": 64}
    of_rounds = ("ones", "twos", *Room._fields[Room._fields.index("hole") : -1])
    return Room(
        cards=unsigned_zeros((CARDS, MOST_AN_HOUR), 8),
        seats=zeros((SEAT, MOST_BOXES)),
        chose=unsigned_zeros((MOST_BOXES, MOST_AN_HOUR), 8),
        paid=unsigned_zeros((MOST_BOXES, MOST_AN_HOUR), 8),
        handled=unsigned_zeros((2 + MOST_BOXES // 2, MOST_AN_HOUR)),
        erred=unsigned_zeros((2 * MOST_BOXES, MOST_AN_HOUR)),
        made=zeros(8),
        **{name: unsigned_zeros(MOST_AN_HOUR, bits.get(name, 16)) for name in of_rounds},
    )


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
    """[lines of side Bets, or rank of three cards; folded or fate] -> side Bets, in cents."""
    award: Ints
    """[mask, folded] -> fixed awards in cents, -1 where a share of the meter is won."""
    ante: int
    staked: Ints
    """[choice] -> all that is staked on the Ante and after it, in cents."""
    side_stake: int


@part
def _seat_players(seed: int, hour: int, f: Felt, seats: Ints) -> int:
    """Draw who sits at the table for an hour; return how many do."""
    count = 0
    for box in range(f.boxes):
        one, two = words(seed, hour, SEATING, box)
        if high_half(one) >= f.occupied:
            continue
        seats[0, count] = box
        who = 0
        while who < f.mix.shape[0] - 1 and low_half(one) >= f.mix[who]:
            who += 1
        seats[1, count] = who
        seats[2, count] = 1 if high_half(two) < f.takes_jackpot else 0
        seats[3, count] = 1 if low_half(two) < f.takes_side else 0
        count += 1
    return count


@part
def _draw(seed: int, first: int, size: int, purpose: int, attempt: int, row: int, found: Ints, r: Room) -> None:
    """Write two words of each Round of an hour into two rows."""
    words_of(seed, first, size, purpose, attempt, r.ones, r.twos)
    for at in range(size):
        found[row, at], found[row + 1, at] = r.ones[at], r.twos[at]


@part
def _prepare(seed: int, first: int, size: int, seated: int, f: Felt, r: Room) -> None:
    """Deal the cards of an hour, and draw the words that decide who errs."""
    own, shared = (3, 2) if f.kind == 0 else (2, 5)
    deal(seed, first, size, DEALING, own * (seated + 1) + shared, r.ones, r.twos, r.cards)
    if f.void > 0:
        _draw(seed, first, size, HANDLING, 0, 0, r.handled, r)
    if f.mispaid > 0:
        for four in range((f.boxes + 3) // 4):
            _draw(seed, first, size, HANDLING, 1 + four, 2 + 2 * four, r.handled, r)
    for seat in range(seated):
        if f.careless[r.seats[1, seat], 0] > 0:
            _draw(seed, first, size, ERRING, r.seats[0, seat], 2 * seat, r.erred, r)


@part
def _mistakes(who: int, seat: int, at: int, f: Felt, erred: Ints) -> int:
    """Return which decisions of a Hand are taken the other way, bit by bit."""
    if f.careless[who, 0] == 0:
        return 0
    one, two = erred[2 * seat, at], erred[2 * seat + 1, at]
    found = 1 if high_half(one) < f.careless[who, 0] else 0
    found |= 2 if low_half(one) < f.careless[who, 1] else 0
    return found | (4 if high_half(two) < f.careless[who, 2] else 0)


@part
def _is_mispaid(box: int, at: int, f: Felt, handled: Ints) -> bool:
    """Return whether a beaten Ante is paid by mistake; two random words serve four boxes."""
    word = handled[2 + (box >> 1), at]
    return (low_half(word) if box & 1 == 0 else high_half(word)) < f.mispaid


@part
def _deal_and_rank(seed: int, first: int, size: int, seated: int, f: Felt, c: Common, r: Room) -> None:
    """Deal an hour's Rounds and rank the Dealer's Hands."""
    _prepare(seed, first, size, seated, f, r)
    dealer, shown = (3 * seated, 3 * (seated + 1)) if f.kind == 0 else (2 * seated, 2 * (seated + 1))
    if f.kind == 0:
        threes_of(r.cards, dealer, size, c.places, r.place)
        for at in range(size):
            r.his[at] = c.orders.three[r.place[at]]
        return
    boards_of(r.cards, shown, size, c.orders, r.board, r.suits)
    rank_two(r.cards, dealer, shown, r.board, r.suits, size, c.orders, r.his)
    holes_of(r.cards, dealer, size, r.dealers)
    flops_of(r.cards, shown, size, c.places, r.flop)
    if f.kind == 1:
        turns_of(r.cards, shown, size, c.places, r.turn)


@part
def _choose(seat: int, size: int, seated: int, f: Felt, c: Common, r: Room) -> None:
    """Write one Player's Hands of an hour (`mine`, `high` for the jackpot table, `place`) and choices."""
    who, p = r.seats[1, seat], c.places
    careless = f.careless[who, 0] > 0
    if f.kind == 0:
        own, shown = 3 * seat, 3 * (seated + 1)
        threes_of(r.cards, own, size, p, r.place)
        for at in range(size):
            r.mine[at] = c.orders.three[r.place[at]]
            r.chose[seat, at] = f.hole[who, r.place[at]]
        for at in range(size):
            r.high[at] = five_of(
                r.cards[own, at],
                r.cards[own + 1, at],
                r.cards[own + 2, at],
                r.cards[shown, at],
                r.cards[shown + 1, at],
                c.orders,
            )
        if careless:
            for at in range(size):
                r.chose[seat, at] ^= _mistakes(who, seat, at, f, r.erred) & 1
        return
    holes_of(r.cards, 2 * seat, size, r.hole)
    rank_two(r.cards, 2 * seat, 2 * (seated + 1), r.board, r.suits, size, c.orders, r.mine)
    for at in range(size):
        r.high[at] = r.mine[at]
    bits_of(f.flop, who * f.flop.shape[1], r.flop, r.hole, size, p, r.place, r.late)
    if f.kind == 1:
        bits_of(f.turn, who * f.turn.shape[1], r.turn, r.hole, size, p, r.place, r.later)
    for at in range(size):
        wrong = _mistakes(who, seat, at, f, r.erred) if careless else 0
        if f.kind == 2:
            r.chose[seat, at] = r.late[at] ^ (wrong & 1)
        else:
            late, later = r.late[at] ^ (wrong >> 1 & 1), r.later[at] ^ (wrong >> 2 & 1)
            r.chose[seat, at] = (f.hole[who, r.hole[at]] ^ (wrong & 1)) * (1 + late + 2 * later)


@part
def _play_hour(
    seed: int,
    first: int,
    hour: int,
    size: int,
    f: Felt,
    g: Table,
    c: Common,
    r: Room,
    day: Ints,
    bets: Ints,
    hits: Ints,
) -> tuple[int, int]:
    """Play `size` Rounds of an hour from the number `first` on."""
    o, cards, seats = c.orders, r.cards, r.seats
    own, shared = (3, 2) if f.kind == 0 else (2, 5)
    found = 0
    bets[:size] = 0
    seated = _seat_players(seed, hour, f, seats)
    if seated == 0:
        return 0, 0
    _deal_and_rank(seed, first, size, seated, f, c, r)
    shown = own * (seated + 1)
    for at in range(size):
        if f.void > 0 and high_half(r.handled[0, at]) < f.void:
            bets[at] = -1
            day[1] += 1
        else:
            day[0] += 1
    for seat in range(seated):
        _choose(seat, size, seated, f, c, r)
        hands = net = sides = staked = 0
        for at in range(size):
            r.paid[seat, at] = 0
            if bets[at] < 0:
                continue
            mine, how = as_int64(r.mine[at]), as_int64(r.chose[seat, at])
            live = min(how, 1)
            fate = live * fate_of(mine, as_int64(r.his[at]), g)
            rank = as_int64(o.three_rank_of[mine]) if f.kind == 0 else live * as_int64(o.rank_of[mine])
            hands += 1
            net += f.base[(how * FATES + fate) * RANKS + rank]
            staked += f.staked[how]
            if seats[3, seat]:
                lines = rank if f.kind == 0 else as_int64(g.side_of[g.kind_of[r.hole[at]], g.kind_of[r.dealers[at]]])
                sides += f.side[lines, live * (fate + 1)]
                staked += f.side_stake
            if f.mispaid > 0 and fate == BEATEN and live and _is_mispaid(seats[0, seat], at, f, r.handled):
                r.paid[seat, at] = 1
                day[8] += 1
                day[9] += 2 * f.ante
            if seats[2, seat]:
                day[6] += 1
                bets[at] += 1
                if r.high[at] >= g.least:
                    mask = lines_of(cards, own * seat, own, shown, shown + shared, at, g, c, r.made)
                    paid = f.award[mask, 1 - live]
                    if paid >= 0:
                        day[7] += paid
                    elif found < hits.shape[0]:
                        hits[found, 0], hits[found, 1] = at, seats[0, seat]
                        hits[found, 2], hits[found, 3] = mask, 1 - live
                        found += 1
        day[2] += hands
        day[3] += net
        day[4] += sides
        day[5] += staked
    return seated, found


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
    r: Room,
    day: Ints,
    bets: Ints,
    hits: Ints,
) -> tuple[int, int]:
    """Play Rounds of one table, hour after hour; return how many sat there in the last hour, and meter hits.

    `bets` takes the jackpot Bets of each Round, -1 where it is void: then every Bet goes back, with its contribution.
    `r` holds who sat, the cards, and what was chosen.
    """
    found = seated = 0
    for start in range(0, rounds, each_hour):
        size = min(each_hour, rounds - start)
        now = hour + start // each_hour
        seated, more = _play_hour(seed, first + start, now, size, f, g, c, r, day, bets[start:], hits[found:])
        for hit in range(found, found + more):
            hits[hit, 0] += start
        found += more
    return seated, found
