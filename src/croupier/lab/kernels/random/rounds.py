"""Random rounds, played by decisions in bits, and counted by outcome.

An outcome is one number: what was chosen, what became of the Hand, its rank, the lines of side Bets and of the jackpot
table that its cards made. Outcomes are only counted here; the rulebook's terms price them afterwards, so every sum is
exact.

A few hundred rounds are played at a time, one step for all of them before the next, so that lookups wait for memory
together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.kernels.cards.lookup import FLUSH_MADE, FLUSH_NEEDS, Orders, five_of, flushed, suit_bit
from croupier.lab.kernels.cards.ranking import RankTables
from croupier.lab.kernels.decide.decision_bits import EXCHANGES, WIDTH, Places, flop_at, hole_at, turn_at
from croupier.lab.kernels.enumerate.awards import Lines, lines_made
from croupier.lab.kernels.random.philox import DEALING, ERRING, deal, high_half, low_half, words
from croupier.lab.kernels.runtime.compiler import Ints, as_int64, kernel, part, unsigned_zeros, zeros

WON, STOOD_OFF, BEATEN, UNQUALIFIED = range(4)
"""Fates of a Hand that was played; the last: the Dealer's Hand does not qualify."""
FATES, RANKS, HANDS = 4, 10, 169
FOLDED = 0
"""The first choice; the others are 1, plus 1 and 2 for a Bet on the flop and one on the turn."""
BATCH = 512


class Table(NamedTuple):
    """A game for the kernel: its decisions in bits, and the classes of its cards."""

    hole: Ints
    """[1326], or [22100] for three cards: whether the first decision places its Bet."""
    flop: Ints
    turn: Ints
    """[class of cards, words]: the same for the flop and the turn."""
    careless: Ints
    """[decision]: how many of 2**32 decisions are taken the other way."""
    qualifies_from: int
    """The first place in the order that plays for the Dealer."""
    tie_first: bool
    kind_of: Ints
    """[1326] -> what side Bets see in two Hole Cards."""
    side_of: Ints
    """[kind, kind] -> the number of the side Bets' lines, by the own kind and the Dealer's."""
    sides: int
    lines: Lines
    least: int
    """The first place in the order that may make a line of the jackpot table."""
    of_five: bool
    """Every line looks at the own cards with the first Community Cards, five together."""
    by_rank: Ints
    """[rank of those five] -> the lines that they make."""
    choices: int
    """How many ways through the decisions there are."""


class Batch(NamedTuple):
    """Room for one thread to play a few hundred rounds in."""

    cards: Ints
    """[place in the deal, round]"""
    ones: Ints
    twos: Ints
    """The words of chance that they are dealt from."""
    hole: Ints
    dealers: Ints
    """The numbers of two Hole Cards and of the Dealer's two."""
    board: Ints
    suits: Ints
    place: Ints
    room: Ints
    """Where decisions lie: by the Community Cards, and then by the bit."""
    late: Ints
    later: Ints
    """Whether a Bet is placed on the flop, and on the turn."""
    how: Ints
    """The way through the decisions."""
    mine: Ints
    his: Ints
    wrong: Ints
    asked: Ints
    mask: Ints
    """Rounds whose Hand is high enough for the jackpot table, and the lines that each makes."""
    made: Ints


def batch() -> Batch:
    """Return empty room for one thread."""
    bits = {"late": 8, "later": 8, "how": 8, "wrong": 8, "place": 32, "room": 32, "ones": 64, "twos": 64}
    rows = {name: unsigned_zeros(BATCH, bits.get(name, 16)) for name in Batch._fields if name not in ("cards", "made")}
    return Batch(cards=unsigned_zeros((9, BATCH), 8), made=zeros(8), **{**rows, "asked": unsigned_zeros(BATCH + 1, 16)})


class Common(NamedTuple):
    """Tables that are the same for every game."""

    hand_of: Ints
    """[1326] -> the number of the starting hand."""
    places: Places
    orders: Orders
    ranks: RankTables


@part
def outcome_at(how: int, fate: int, rank: int, side: int, mask: int, g: Table) -> int:
    """Return the number of an outcome."""
    return (((mask * g.choices + how) * FATES + fate) * RANKS + rank) * g.sides + side


@part
def fate_of(mine: int, his: int, g: Table) -> int:
    """Return what becomes of a played Hand, computed without branches."""
    even = as_int64(mine == his)
    short = as_int64(his < g.qualifies_from) * (1 - even * g.tie_first)
    return 3 * short + (1 - short) * (2 * as_int64(mine < his) + even)


@part
def _mistakes(seed: int, number: int, g: Table) -> int:
    """Return which decisions of this round are taken the other way, bit by bit."""
    one, two = words(seed, number, ERRING, 0)
    found = 1 if high_half(one) < g.careless[0] else 0
    found |= 2 if low_half(one) < g.careless[1] else 0
    return found | (4 if high_half(two) < g.careless[2] else 0)


@part
def _err(seed: int, first: int, size: int, g: Table, wrong: Ints) -> None:
    if g.careless[0] == 0 and g.careless[1] == 0 and g.careless[2] == 0:
        wrong[:size] = 0
    else:
        for at in range(size):
            wrong[at] = _mistakes(seed, first + at, g)


@part
def holes_of(cards: Ints, own: int, size: int, found: Ints) -> None:
    """Write the numbers of two cards from row `own` on."""
    for at in range(size):
        found[at] = hole_at(cards[own, at], cards[own + 1, at])


@part
def boards_of(cards: Ints, first: int, size: int, o: Orders, board: Ints, suits: Ints) -> None:
    """Write the faces of five Community Cards from row `first` on as a number, and their count by suit."""
    for at in range(size):
        board[at] = o.pair_at[cards[first, at] >> 2, cards[first + 1, at] >> 2]
    for at in range(size):
        board[at] = o.add2[board[at], cards[first + 2, at] >> 2]
    for at in range(size):
        board[at] = o.add3[board[at], cards[first + 3, at] >> 2]
    for at in range(size):
        board[at] = o.add4[board[at], cards[first + 4, at] >> 2]
    for at in range(size):
        early = suit_bit(cards[first, at]) + suit_bit(cards[first + 1, at]) + suit_bit(cards[first + 2, at])
        suits[at] = early + suit_bit(cards[first + 3, at]) + suit_bit(cards[first + 4, at]) + FLUSH_NEEDS


@part
def rank_two(cards: Ints, own: int, first: int, board: Ints, suits: Ints, size: int, o: Orders, found: Ints) -> None:
    """Write the order of two cards from row `own` on with five Community Cards from row `first` on."""
    for at in range(size):
        found[at] = o.plain[board[at], o.pair_at[cards[own, at] >> 2, cards[own + 1, at] >> 2]]
    for at in range(size):
        made = suits[at] + suit_bit(cards[own, at]) + suit_bit(cards[own + 1, at]) & FLUSH_MADE
        if made:
            found[at] = flushed(made, cards, own, 2, first, at, o)


@part
def threes_of(cards: Ints, own: int, size: int, p: Places, found: Ints) -> None:
    """Write the numbers of three cards from row `own` on."""
    for at in range(size):
        found[at] = flop_at(cards[own, at], cards[own + 1, at], cards[own + 2, at], p)


@part
def flops_of(cards: Ints, first: int, size: int, p: Places, found: Ints) -> None:
    """Write the class and the exchange of suits of three Community Cards, each step in a loop of its own."""
    threes_of(cards, first, size, p, found)
    for at in range(size):
        found[at] = p.flop[found[at]]


@part
def turns_of(cards: Ints, first: int, size: int, p: Places, found: Ints) -> None:
    """Write the class and the exchange of suits of four Community Cards."""
    for at in range(size):
        found[at] = turn_at(cards[first, at], cards[first + 1, at], cards[first + 2, at], cards[first + 3, at], p)
    for at in range(size):
        found[at] = p.turn[found[at]]


@part
def bits_of(bits: Ints, after: int, place: Ints, hole: Ints, size: int, p: Places, room: Ints, found: Ints) -> None:
    """Write decisions by the places of Community Cards; `after` rows of bits come before."""
    for at in range(size):
        row = place[at] // np.uint32(EXCHANGES)
        moved = np.uint32(p.moved[place[at] - row * np.uint32(EXCHANGES), hole[at]])
        room[at] = (row + np.uint32(after)) * np.uint32(8 * WIDTH) + moved
    flat = bits.reshape(-1)
    for at in range(size):
        found[at] = flat[room[at] >> np.uint32(3)] >> (room[at] & np.uint32(7)) & 1


@part
def lines_of(cards: Ints, own: int, count: int, first: int, last: int, at: int, g: Table, c: Common, made: Ints) -> int:
    """Return the lines that one round's cards make: `count` own ones from row `own`, Community Cards from `first`."""
    if g.of_five:
        one, two = cards[own, at], cards[own + 1, at]
        three = cards[own + 2, at] if count == 3 else cards[first + 2, at]
        five = five_of(one, two, three, cards[first, at], cards[first + 1, at], c.orders)
        return as_int64(g.by_rank[c.orders.rank_of[five]])
    return lines_made(cards[own : own + count, at], cards[first:last, at], g.lines, c.ranks, made)


@part
def _lines(size: int, own: int, first: int, last: int, high: Ints, g: Table, c: Common, b: Batch) -> None:
    """Write the lines that rounds make; only Hands that are high enough are asked."""
    count = 0
    for at in range(size):
        b.mask[at] = 0
        b.asked[count] = at
        count += as_int64(high[at] >= g.least)
    for each in range(count):
        at = b.asked[each]
        b.mask[at] = lines_of(b.cards, 0, own, first, last, at, g, c, b.made)


@part
def _show_down(seed: int, start: int, size: int, g: Table, c: Common, b: Batch) -> None:
    """Deal hold'em rounds: both Hands, what side Bets look at, the decision on the flop."""
    deal(seed, start, size, DEALING, 9, b.ones, b.twos, b.cards)
    _err(seed, start, size, g, b.wrong)
    holes_of(b.cards, 0, size, b.hole)
    holes_of(b.cards, 2, size, b.dealers)
    boards_of(b.cards, 4, size, c.orders, b.board, b.suits)
    rank_two(b.cards, 0, 4, b.board, b.suits, size, c.orders, b.mine)
    rank_two(b.cards, 2, 4, b.board, b.suits, size, c.orders, b.his)
    flops_of(b.cards, 4, size, c.places, b.place)
    bits_of(g.flop, 0, b.place, b.hole, size, c.places, b.room, b.late)


@part
def _count(size: int, g: Table, c: Common, b: Batch, outcomes: Ints, hands: Ints) -> None:
    """Count hold'em rounds by outcome; a folded Hand has no rank."""
    o = c.orders
    _lines(size, 2, 4, 9, b.mine, g, c, b)
    for at in range(size):
        own, mine, how = b.hole[at], as_int64(b.mine[at]), as_int64(b.how[at])
        live = min(how, 1)
        fate, rank = live * fate_of(mine, as_int64(b.his[at]), g), live * as_int64(o.rank_of[mine])
        side = as_int64(g.side_of[g.kind_of[own], g.kind_of[b.dealers[at]]])
        outcomes[outcome_at(how, fate, rank, side, as_int64(b.mask[at]), g)] += 1
        hands[c.hand_of[own] * g.choices + how] += 1


@kernel
def play_streets(seed: int, first: int, last: int, g: Table, c: Common, b: Batch, outcomes: Ints, hands: Ints) -> None:
    """Play rounds with decisions by streets: count outcomes, and starting hands by what was chosen."""
    for start in range(first, last, BATCH):
        size = min(BATCH, last - start)
        _show_down(seed, start, size, g, c, b)
        turns_of(b.cards, 4, size, c.places, b.place)
        bits_of(g.turn, 0, b.place, b.hole, size, c.places, b.room, b.later)
        for at in range(size):
            wrong = b.wrong[at]
            late, later = b.late[at] ^ (wrong >> 1 & 1), b.later[at] ^ (wrong >> 2 & 1)
            b.how[at] = (g.hole[b.hole[at]] ^ (wrong & 1)) * (1 + late + 2 * later)
        _count(size, g, c, b, outcomes, hands)


@kernel
def play_flop_first(
    seed: int, first: int, last: int, g: Table, c: Common, b: Batch, outcomes: Ints, hands: Ints
) -> None:
    """Play rounds with one decision on the flop."""
    for start in range(first, last, BATCH):
        size = min(BATCH, last - start)
        _show_down(seed, start, size, g, c, b)
        for at in range(size):
            b.how[at] = b.late[at] ^ (b.wrong[at] & 1)
        _count(size, g, c, b, outcomes, hands)


@kernel
def play_three(seed: int, first: int, last: int, g: Table, c: Common, b: Batch, outcomes: Ints, hands: Ints) -> None:
    """Play rounds on three cards; the rank of the own cards is counted for folded Hands too."""
    p, o, cards = c.places, c.orders, b.cards
    for start in range(first, last, BATCH):
        size = min(BATCH, last - start)
        deal(seed, start, size, DEALING, 8, b.ones, b.twos, cards)
        _err(seed, start, size, g, b.wrong)
        for at in range(size):
            b.mine[at] = five_of(cards[0, at], cards[1, at], cards[2, at], cards[6, at], cards[7, at], o)
        _lines(size, 3, 6, 8, b.mine, g, c, b)
        for at in range(size):
            hand = flop_at(cards[0, at], cards[1, at], cards[2, at], p)
            mine = as_int64(o.three[hand])
            his = as_int64(o.three[flop_at(cards[3, at], cards[4, at], cards[5, at], p)])
            how = as_int64(g.hole[hand] ^ (b.wrong[at] & 1))
            rank = as_int64(o.three_rank_of[mine])
            outcomes[outcome_at(how, how * fate_of(mine, his, g), rank, 0, as_int64(b.mask[at]), g)] += 1
            hands[rank * g.choices + how] += 1
