"""The plain solver: every pair of Hole Cards ranked on each of 134,459 classes of boards.

A hundred times slower than `flushes` and `streets`; only the ranking of seven cards is shared with them.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np

from croupier.lab.kernels.cards.ranking import RankTables, cards_strength, rank_tables
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.runtime.compiler import Ints, empty, in_chunks, kernel, part, sum_chunks, zeros

HOLES, CLASSES = 1_326, 169
GAIN, ANTE, FLOP, RIVER, FLOP_BETS, RIVER_BETS, COLUMNS = range(7)


@part
def pair_at(one: int, two: int) -> int:
    """Return the number of two cards, the lower first."""
    return two * (two - 1) // 2 + one


@kernel
def rank_boards(
    first: int, last: int, boards: Ints, ways: Ints, pays: Ints, t: RankTables, gains: Ints, sums: Ints
) -> None:
    """Write for each board and pair of Hole Cards the Dealer's Hands it beats less those that beat it.

    `pays` is the Ante on a win, by rank; its results are added up for each starting hand.
    """
    keys = np.zeros(1_081, np.int64)
    left, with_card, masks = np.zeros(47, np.int64), np.zeros(52, np.int64), np.zeros(4, np.int64)
    below_of = np.zeros(HOLES, np.int64)
    for board in range(first, last):
        masks[:] = 0
        taken = 0
        for card in boards[board]:
            masks[card & 3] |= 1 << (card >> 2)
            taken |= 1 << card
        at = 0
        for card in range(52):
            if not taken >> card & 1:
                left[at] = card
                at += 1
        at = 0
        for i in range(47):
            for j in range(i):
                one, two = left[j], left[i]
                masks[one & 3] |= 1 << (one >> 2)
                masks[two & 3] |= 1 << (two >> 2)
                strength = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
                masks[one & 3] ^= 1 << (one >> 2)
                masks[two & 3] ^= 1 << (two >> 2)
                keys[at] = strength << 12 | one << 6 | two
                at += 1
        keys.sort()
        with_card[:] = 0
        gains[board, :] = 0
        below = start = 0
        while start < 1_081:
            strength = keys[start] >> 12
            end = start
            while end < 1_081 and keys[end] >> 12 == strength:
                one, two = keys[end] >> 6 & 63, keys[end] & 63
                below_of[pair_at(one, two)] = below - with_card[one] - with_card[two]
                end += 1
            for at in range(start, end):
                with_card[keys[at] >> 6 & 63] += 1
                with_card[keys[at] & 63] += 1
            below += end - start
            for at in range(start, end):
                one, two = keys[at] >> 6 & 63, keys[at] & 63
                pair = pair_at(one, two)
                wins = below_of[pair]
                losses = 990 - (below - with_card[one] - with_card[two] + 1)
                gains[board, pair] = wins - losses
                high, low = two >> 2, one >> 2
                hand = high * 13 + low if one & 3 == two & 3 else low * 13 + high
                # Each board comes in twenty orders of flop, Turn Card and River Card.
                sums[hand, 0] += 20 * ways[board] * (wins - losses)
                sums[hand, 1] += 20 * ways[board] * (pays[strength >> 20] * wins - losses)
            start = end


@part
def _renamed(masks: Ints, order: Ints) -> int:
    """Put the suits in descending order of their masks; return how they were renamed."""
    for suit in range(4):
        order[suit] = suit
    for i in range(1, 4):
        j = i
        while j > 0 and masks[order[j - 1]] < masks[order[j]]:
            order[j - 1], order[j] = order[j], order[j - 1]
            j -= 1
    # Suit `order[k]` becomes suit k; a renaming is numbered as the permutations of four come in order.
    to = 0
    for suit in range(4):
        for k in range(4):
            if order[k] == suit:
                to = to * 4 + k
    return to


@part
def _key(masks: Ints, order: Ints) -> int:
    return int(masks[order[0]] << 39 | masks[order[1]] << 26 | masks[order[2]] << 13 | masks[order[3]])


@kernel
def keys_of(boards: Ints, keys: Ints) -> None:
    """Write the key of every board that stands for its class."""
    masks, order = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for at in range(boards.shape[0]):
        masks[:] = 0
        for card in boards[at]:
            masks[card & 3] |= 1 << (card >> 2)
        _renamed(masks, order)
        keys[at] = _key(masks, order)


@kernel
def add_next_card(
    first: int, last: int, boards: Ints, keys: Ints, order_of: Ints, renaming: Ints, after: Ints, before: Ints
) -> None:
    """Sum over the next Community Card; `keys` of the larger boards are sorted, `order_of` gives their boards."""
    masks, order = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for at in range(first, last):
        before[at, :] = 0
        taken = 0
        for card in boards[at]:
            taken |= 1 << card
        for more in range(52):
            if taken >> more & 1:
                continue
            masks[:] = 0
            for card in boards[at]:
                masks[card & 3] |= 1 << (card >> 2)
            masks[more & 3] |= 1 << (more >> 2)
            renamed = renaming[_renamed(masks, order)]
            larger = order_of[np.searchsorted(keys, _key(masks, order))]
            for pair in range(HOLES):
                before[at, pair] += after[larger, renamed[pair]]


@kernel
def tally_bets(
    boards: Ints, ways: Ints, values: Ints, orders: int, pair_hands: Ints, gains: int, bets: int, sums: Ints
) -> None:
    """Add the gains and the number of Bets that gain, for each starting hand."""
    for at in range(boards.shape[0]):
        for pair in range(HOLES):
            if values[at, pair] > 0:
                hand = pair_hands[pair]
                sums[hand, gains] += orders * ways[at] * values[at, pair]
                sums[hand, bets] += orders * ways[at]


@cache
def _renaming() -> Ints:
    """Return `[renaming, pair] -> pair`; a renaming is the four suits' new names as digits of base 4."""
    table = zeros((256, HOLES), 32)
    for names in permutations(range(4)):
        number = ((names[0] * 4 + names[1]) * 4 + names[2]) * 4 + names[3]
        for one, two in combinations(range(52), 2):
            a, b = (card // 4 * 4 + names[card % 4] for card in (one, two))
            low, high = min(a, b), max(a, b)
            table[number, two * (two - 1) // 2 + one] = high * (high - 1) // 2 + low
    return table


def solve_plainly(pays: list[int]) -> Ints:
    """Return `[169, column]`: a later Bet's gain, the Ante's result, and what Bets on flop and turn gain."""
    five, five_ways = canonical(5)
    four, four_ways = canonical(4)
    three, three_ways = canonical(3)
    t = rank_tables()
    amounts = zeros(len(pays))
    amounts[:] = pays
    gains = empty((len(five), HOLES), 16)

    def rank(sums: Ints, first: int, last: int) -> None:
        rank_boards(first, last, five, five_ways, amounts, t, gains, sums)

    sums = sum_chunks((CLASSES, COLUMNS), len(five), 256, rank)
    rivers, turns = empty((len(four), HOLES), 32), empty((len(three), HOLES), 32)
    _add(four, five, gains, rivers)
    _add(three, four, rivers, turns)
    hands = zeros(HOLES)
    for one, two in combinations(range(52), 2):
        high, low = two // 4, one // 4
        hands[two * (two - 1) // 2 + one] = high * 13 + low if one % 4 == two % 4 else low * 13 + high
    tally_bets(four, four_ways, rivers, 4, hands, RIVER, RIVER_BETS, sums)
    tally_bets(three, three_ways, turns, 1, hands, FLOP, FLOP_BETS, sums)
    return sums


def _add(smaller: Ints, larger: Ints, after: Ints, before: Ints) -> None:
    keys = zeros(len(larger))
    keys_of(larger, keys)
    order = np.argsort(keys)
    in_order = keys[order]

    renaming = _renaming()

    def work(first: int, last: int) -> None:
        add_next_card(first, last, smaller, in_order, order, renaming, after, before)

    in_chunks(len(smaller), -(-len(smaller) // 64), work)
