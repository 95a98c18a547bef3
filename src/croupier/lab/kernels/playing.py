"""Rounds dealt at random, played by decisions in bits, and counted by what became of them.

A round's outcome is one number: what was chosen, what became of the Hand, its rank, the lines of side Bets and of the
jackpot table that its cards made. Counting outcomes is all that happens here; what each is worth in money is looked up
afterwards in the rulebook's terms, so every sum is exact and no payoff is known to this module.

Rounds are played a few hundred at a time, one step for all of them before the next: every lookup then has others to
wait with, which is worth more than anything else on a machine whose memory is slower than its arithmetic.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from croupier.lab.kernels.awards import Lines, lines_made
from croupier.lab.kernels.chance import ERRING, deal_eight, deal_nine, words
from croupier.lab.kernels.compiling import Ints, kernel, natural, part, whole, zeros
from croupier.lab.kernels.decisions import Places, bit, flop_at, hole_at, turn_at
from croupier.lab.kernels.orders import FLUSH_MADE, FLUSH_NEEDS, Orders, board_at, flushed, suit_bit
from croupier.lab.kernels.ranking import RankTables

WON, STOOD_OFF, BEATEN, UNQUALIFIED = range(4)
"""What becomes of a Hand that was played; the last: the Dealer's Hand does not qualify."""
FATES, RANKS, HANDS = 4, 10, 169
FOLDED = 0
"""The first choice; the others are 1, and 1 and 2 more for a Bet on the flop and one on the turn."""
BATCH = 512


class Table(NamedTuple):
    """What the kernel needs to know of a game: its decisions in bits, and how cards are told apart."""

    hole: Ints
    """[1326], or [22100] for three cards: whether the first decision places its Bet."""
    flop: Ints
    turn: Ints
    """[class of cards, words]: the same for the flop and the turn."""
    careless: Ints
    """[decision]: of 2**32 decisions so many are taken the other way."""
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
    reach: int
    """How many Community Cards its lines count at most."""
    choices: int
    """How many ways through the decisions there are."""


class Batch(NamedTuple):
    """Room for one thread to play a few hundred rounds in."""

    cards: Ints
    """[place in the deal, round]"""
    deck: Ints
    eight: Ints
    """The deck again, looked at by eight cards."""
    hole: Ints
    board: Ints
    suits: Ints
    flop: Ints
    turn: Ints
    mine: Ints
    his: Ints
    wrong: Ints
    made: Ints


def batch() -> Batch:
    """Room for one thread."""
    eight = natural(8)
    return Batch(
        cards=natural((9, BATCH), 8),
        deck=cast(Ints, eight.view("u1")),
        eight=eight,
        hole=natural(BATCH, 16),
        board=natural(BATCH, 16),
        suits=zeros(BATCH),
        flop=natural(BATCH, 32),
        turn=natural(BATCH, 32),
        mine=natural(BATCH, 16),
        his=natural(BATCH, 16),
        wrong=natural(BATCH, 8),
        made=zeros(8),
    )


class Common(NamedTuple):
    """Tables that are the same for every game."""

    hand_of: Ints
    """[1326] -> the number of the starting hand."""
    places: Places
    orders: Orders
    ranks: RankTables


@part
def outcome_at(how: int, fate: int, rank: int, side: int, mask: int, g: Table) -> int:
    """The number of an outcome."""
    return (((mask * g.choices + how) * FATES + fate) * RANKS + rank) * g.sides + side


@part
def fate_of(mine: int, his: int, g: Table) -> int:
    """What becomes of a played Hand; without branches, which no machine could foresee."""
    even = whole(mine == his)
    short = whole(his < g.qualifies_from) * (1 - even * g.tie_first)
    return 3 * short + (1 - short) * (2 * whole(mine < his) + even)


@part
def _mistakes(seed: int, number: int, g: Table) -> int:
    """Which of the decisions of this round are taken the other way, bit by bit."""
    one, two = words(seed, number, ERRING, 0)
    found = 0
    if np.int64(one >> np.uint64(32)) < g.careless[0]:
        found |= 1
    if np.int64(one & np.uint64(0xFFFFFFFF)) < g.careless[1]:
        found |= 2
    if np.int64(two >> np.uint64(32)) < g.careless[2]:
        found |= 4
    return found


@part
def _err(seed: int, first: int, size: int, g: Table, wrong: Ints) -> None:
    if g.careless[0] == 0 and g.careless[1] == 0 and g.careless[2] == 0:
        wrong[:size] = 0
    else:
        for at in range(size):
            wrong[at] = _mistakes(seed, first + at, g)


@part
def _rank_two(cards: Ints, own: int, board: Ints, suits: Ints, size: int, o: Orders, found: Ints) -> None:
    """The order of two cards from row `own` on with five Community Cards."""
    for at in range(size):
        one, two = cards[own, at], cards[own + 1, at]
        found[at] = o.plain[board[at], o.pair_at[one >> 2, two >> 2]]
        made = suits[at] + suit_bit(one) + suit_bit(two) & FLUSH_MADE
        if made:
            found[at] = flushed(made, cards, own, 2, 4, at, o)


@part
def lines_of(cards: Ints, own: int, count: int, first: int, last: int, at: int, g: Table, c: Common, made: Ints) -> int:
    """The lines that one round's cards make: `count` own ones from row `own` on, Community Cards from `first` on."""
    o = c.orders
    # Most Hands that are high enough became so on cards that no line counts, and asking once is quicker than by line.
    if count == 2 and g.reach == 3:
        x, y, z = cards[first, at], cards[first + 1, at], cards[first + 2, at]
        one, two = cards[own, at], cards[own + 1, at]
        suits = suit_bit(one) + suit_bit(two) + suit_bit(x) + suit_bit(y) + suit_bit(z) + FLUSH_NEEDS
        if o.five[board_at(one, two, x, y, z, o)] < g.least and suits & FLUSH_MADE == 0:
            return 0
    return lines_made(cards[own : own + count, at], cards[first:last, at], g.lines, c.ranks, made)


@part
def _deal_two(seed: int, start: int, size: int, g: Table, c: Common, b: Batch) -> None:
    """A batch of rounds on two Hole Cards: dealt, their places looked up, both Hands ranked."""
    p, o, cards = c.places, c.orders, b.cards
    for at in range(size):
        deal_nine(seed, start + at, b.deck, b.eight, cards, at)
    _err(seed, start, size, g, b.wrong)
    for at in range(size):
        x, y, z, u, v = cards[4, at], cards[5, at], cards[6, at], cards[7, at], cards[8, at]
        b.flop[at] = p.flop[flop_at(x, y, z, p)]
        b.hole[at] = hole_at(cards[0, at], cards[1, at])
        b.board[at] = board_at(x, y, z, u, v, o)
        b.suits[at] = suit_bit(x) + suit_bit(y) + suit_bit(z) + suit_bit(u) + suit_bit(v) + FLUSH_NEEDS
    _rank_two(cards, 0, b.board, b.suits, size, o, b.mine)
    _rank_two(cards, 2, b.board, b.suits, size, o, b.his)


@kernel
def play_streets(seed: int, first: int, last: int, g: Table, c: Common, b: Batch, outcomes: Ints, hands: Ints) -> None:
    """Rounds with decisions by streets: outcomes by their number, and starting hands by what was chosen."""
    p, o = c.places, c.orders
    cards, hole, flop, turn, mine, his, wrong = b.cards, b.hole, b.flop, b.turn, b.mine, b.his, b.wrong
    for start in range(first, last, BATCH):
        size = min(BATCH, last - start)
        _deal_two(seed, start, size, g, c, b)
        for at in range(size):
            turn[at] = p.turn[turn_at(cards[4, at], cards[5, at], cards[6, at], cards[7, at], p)]
        for at in range(size):
            own, dealers = hole[at], hole_at(cards[2, at], cards[3, at])
            live = g.hole[own] ^ (wrong[at] & 1)
            late = bit(g.flop, flop[at], own, p) ^ (wrong[at] >> 1 & 1)
            later = bit(g.turn, turn[at], own, p) ^ (wrong[at] >> 2 & 1)
            how = live * (1 + late + 2 * later)
            fate, rank = live * fate_of(mine[at], his[at], g), live * o.rank_of[mine[at]]
            mask = 0
            if mine[at] >= g.least:
                mask = lines_of(cards, 0, 2, 4, 9, at, g, c, b.made)
            outcomes[outcome_at(how, fate, rank, g.side_of[g.kind_of[own], g.kind_of[dealers]], mask, g)] += 1
            hands[c.hand_of[own] * g.choices + how] += 1


@kernel
def play_flop_first(
    seed: int, first: int, last: int, g: Table, c: Common, b: Batch, outcomes: Ints, hands: Ints
) -> None:
    """Rounds with one decision on the flop."""
    p, o = c.places, c.orders
    cards, hole, flop, mine, his, wrong = b.cards, b.hole, b.flop, b.mine, b.his, b.wrong
    for start in range(first, last, BATCH):
        size = min(BATCH, last - start)
        _deal_two(seed, start, size, g, c, b)
        for at in range(size):
            own, dealers = hole[at], hole_at(cards[2, at], cards[3, at])
            how = bit(g.flop, flop[at], own, p) ^ (wrong[at] & 1)
            fate, rank = how * fate_of(mine[at], his[at], g), how * o.rank_of[mine[at]]
            mask = 0
            if mine[at] >= g.least:
                mask = lines_of(cards, 0, 2, 4, 9, at, g, c, b.made)
            outcomes[outcome_at(how, fate, rank, g.side_of[g.kind_of[own], g.kind_of[dealers]], mask, g)] += 1
            hands[c.hand_of[own] * g.choices + how] += 1


@kernel
def play_three(seed: int, first: int, last: int, g: Table, c: Common, b: Batch, outcomes: Ints, hands: Ints) -> None:
    """Rounds on three cards; the rank of the own cards is known of folded Hands too."""
    p, o = c.places, c.orders
    cards, five, wrong = b.cards, b.mine, b.wrong
    for start in range(first, last, BATCH):
        size = min(BATCH, last - start)
        for at in range(size):
            deal_eight(seed, start + at, b.deck, b.eight, cards, at)
        _err(seed, start, size, g, wrong)
        for at in range(size):
            x, y, z, u, v = cards[0, at], cards[1, at], cards[2, at], cards[6, at], cards[7, at]
            five[at] = o.five[board_at(x, y, z, u, v, o)]
            suits = suit_bit(x) + suit_bit(y) + suit_bit(z) + suit_bit(u) + suit_bit(v) + FLUSH_NEEDS & FLUSH_MADE
            if suits:
                five[at] = flushed(suits, cards, 0, 3, 6, at, o)
        for at in range(size):
            hand = flop_at(cards[0, at], cards[1, at], cards[2, at], p)
            mine = o.three[hand]
            his = o.three[flop_at(cards[3, at], cards[4, at], cards[5, at], p)]
            how = g.hole[hand] ^ (wrong[at] & 1)
            rank = o.three_rank_of[mine]
            mask = 0
            if five[at] >= g.least:
                mask = lines_of(cards, 0, 3, 6, 8, at, g, c, b.made)
            outcomes[outcome_at(how, how * fate_of(mine, his, g), rank, 0, mask, g)] += 1
            hands[rank * g.choices + how] += 1
