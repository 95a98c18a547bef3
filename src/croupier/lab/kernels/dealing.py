"""Rounds dealt at random and played by the solved decisions, settled with the ranking of seven cards.

Chance is a counter that is stirred: card `n` of round `r` of a seed is the same number wherever and in whatever order
it is dealt, so that one worker and a hundred add up to the same sums.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.compiling import Ints, kernel, part
from croupier.lab.kernels.positions import flop_value, turn_value
from croupier.lab.kernels.ranking import RankTables, cards_strength, three_strength
from croupier.lab.kernels.shapes import Boards, Pairs
from croupier.lab.kernels.streets import River, Turns

NET, SQUARE, WAGER, FIRST, SECOND, THIRD, SUMS = range(7)


@part
def _stirred(seed: int, counter: int) -> int:
    """Sixty-three bits of a counter under a seed, as SplitMix64 stirs them."""
    z = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(counter + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(1))  # type: ignore[return-value]  # compiled, an integer


@kernel
def deal(seed: int, number: int, count: int, cards: Ints, deck: Ints) -> None:
    """The first cards of one round's shuffled deck."""
    for at in range(52):
        deck[at] = at
    for at in range(count):
        # Of 2**63 numbers fewer than 52 are left over; they favour no card by anything that could ever be seen.
        pick = at + _stirred(seed, number * 16 + at) % (52 - at)
        deck[at], deck[pick] = deck[pick], deck[at]
        cards[at] = deck[at]


@part
def _masks(own: Ints, community: Ints, masks: Ints) -> None:
    masks[:] = 0
    for card in own:
        masks[card & 3] |= 1 << (card >> 2)
    for card in community:
        masks[card & 3] |= 1 << (card >> 2)


@part
def _settle(mine: int, his: int, staked: int, scale: int, pays: Ints, qualifies_from: int, tie_first: bool) -> int:
    """The result of Ante and later Bets, in units of Ante times the scale; `pays` is the Ante on a win, by rank."""
    if his < qualifies_from and not (tie_first and mine == his):
        return int(pays[mine >> 20])
    if mine > his:
        return int(pays[mine >> 20]) + scale * staked
    return -scale * (1 + staked) if mine < his else 0


@part
def _tally(net: int, staked: int, sums: Ints) -> None:
    sums[0] += net
    sums[1] += net * net
    sums[2] += 1 + staked


@kernel
def play_streets(
    seed: int,
    first: int,
    last: int,
    live: Ints,
    times: Ints,
    scale: int,
    pays: Ints,
    qualifies_from: int,
    tie_first: bool,
    pairs: Pairs,
    boards: Boards,
    river: River,
    turns: Turns,
    t: RankTables,
    sums: Ints,
) -> None:
    """Rounds with decisions by streets."""
    cards, deck, masks = np.zeros(9, np.int64), np.zeros(52, np.int64), np.zeros(4, np.int64)
    of_suit, others = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for number in range(first, last):
        deal(seed, number, 9, cards, deck)
        one, two = min(cards[0], cards[1]), max(cards[0], cards[1])
        if not live[one, two]:
            _tally(-scale, 0, sums)
            continue
        staked = times[0]
        sums[3] += 1
        if flop_value(0, one, two, cards[4:7], pairs, boards, turns, of_suit, others) > 0:
            staked += times[1]
            sums[4] += 1
        if turn_value(0, one, two, cards[4:8], pairs, boards, river, of_suit, others) > 0:
            staked += times[2]
            sums[5] += 1
        _masks(cards[0:2], cards[4:9], masks)
        mine = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
        _masks(cards[2:4], cards[4:9], masks)
        his = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
        _tally(_settle(mine, his, staked, scale, pays, qualifies_from, tie_first), staked, sums)


@kernel
def play_flop_first(
    seed: int,
    first: int,
    last: int,
    at_stake: int,
    times: int,
    scale: int,
    pays: Ints,
    qualifies_from: int,
    tie_first: bool,
    pairs: Pairs,
    boards: Boards,
    turns: Turns,
    t: RankTables,
    sums: Ints,
) -> None:
    """Rounds with one decision on the flop."""
    cards, deck, masks = np.zeros(9, np.int64), np.zeros(52, np.int64), np.zeros(4, np.int64)
    of_suit, others = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for number in range(first, last):
        deal(seed, number, 9, cards, deck)
        if flop_value(0, cards[0], cards[1], cards[4:7], pairs, boards, turns, of_suit, others) <= at_stake:
            _tally(-scale, 0, sums)
            continue
        sums[3] += 1
        _masks(cards[0:2], cards[4:9], masks)
        mine = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
        _masks(cards[2:4], cards[4:9], masks)
        his = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
        _tally(_settle(mine, his, times, scale, pays, qualifies_from, tie_first), times, sums)


@kernel
def play_three(
    seed: int,
    first: int,
    last: int,
    plays: Ints,
    times: int,
    scale: int,
    pays: Ints,
    bonus: Ints,
    qualifies_from: int,
    tie_first: bool,
    sums: Ints,
) -> None:
    """Rounds on three cards; `plays` by the number of the Hand, `bonus` by rank: played, stood off, beaten, folded."""
    cards, deck = np.zeros(6, np.int64), np.zeros(52, np.int64)
    for number in range(first, last):
        deal(seed, number, 6, cards, deck)
        own = np.sort(cards[0:3])
        at = own[2] * (own[2] - 1) * (own[2] - 2) // 6 + own[1] * (own[1] - 1) // 2 + own[0]
        mine = three_strength(own[0], own[1], own[2])
        if not plays[at]:
            _tally(-scale + bonus[3, mine >> 20], 0, sums)
            continue
        sums[3] += 1
        his = three_strength(cards[3], cards[4], cards[5])
        net = _settle(mine, his, times, scale, pays, qualifies_from, tie_first)
        fate = 0
        if his >= qualifies_from or (tie_first and mine == his):
            fate = 1 if mine == his else 2 if mine < his else 0
        _tally(net + bonus[fate, mine >> 20], times, sums)
