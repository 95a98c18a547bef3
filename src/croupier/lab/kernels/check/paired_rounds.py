"""Two ways to play on the same cards: what the best choices win more than given ones.

Only the best choices come from the sums. Where the two ways differ, the rest of the round is dealt at random and
ranked.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.cards.ranking import RankTables, cards_strength
from croupier.lab.kernels.enumerate.positions import flop_value, turn_value
from croupier.lab.kernels.enumerate.streets import SumTables
from croupier.lab.kernels.runtime.compiler import Ints, kernel, part

SEEN = 6
"""Cards known at most: two Hole Cards, the flop and the Turn Card."""


@part
def _deal_out(
    known: int,
    left: Ints,
    deal: Ints,
    pays: Ints,
    scale: int,
    qualifies_from: int,
    tie_first: bool,
    t: RankTables,
    masks: Ints,
    came: Ints,
) -> None:
    """Deal the rest of a round of which `known` cards are known: write an Ante's result, and a later Bet's."""
    size = 52 - known
    missing = 9 - known
    for place in range(missing):
        other = np.random.randint(place, size)
        left[place], left[other] = left[other], left[place]
    masks[:] = 0
    for place in range(2, known):
        masks[deal[place] & 3] |= 1 << (deal[place] >> 2)
    for place in range(missing - 2):
        masks[left[place] & 3] |= 1 << (left[place] >> 2)
    for suit in range(4):
        masks[4 + suit] = masks[suit]
    for place in range(2):
        masks[deal[place] & 3] |= 1 << (deal[place] >> 2)
        his_card = left[missing - 2 + place]
        masks[4 + (his_card & 3)] |= 1 << (his_card >> 2)
    mine = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
    his = cards_strength(masks[4], masks[5], masks[6], masks[7], t)
    came[0], came[1] = pays[mine >> 20], 1
    if his < qualifies_from and not (tie_first and mine == his):
        came[1] = 0
    elif mine < his:
        came[0], came[1] = -scale, -1
    elif mine == his:
        came[0], came[1] = 0, 0


@kernel
def rule_losses(
    deals: Ints,
    chosen: Ints,
    rounds: int,
    seed: int,
    by_streets: bool,
    live: Ints,
    times: Ints,
    pays: Ints,
    scale: int,
    qualifies_from: int,
    tie_first: bool,
    tables: SumTables,
    t: RankTables,
    lost: Ints,
) -> None:
    """Write for each deal how much less the given choices win than the best, in parts of an Ante over all rounds.

    A choice is weighed on what is known when it is made, the first one with those that follow it. With decisions by
    streets `live` are the starting hands that the best play does not fold.
    """
    np.random.seed(seed)
    left, masks, came = np.zeros(52, np.int64), np.zeros(8, np.int64), np.zeros(2, np.int64)
    board, room, best = np.zeros(4, np.int64), np.zeros(8, np.int64), np.zeros(3, np.int64)
    # Known when each choice is made; the first one is weighed with the later ones, so on the cards of those.
    known = np.array([6, 5, 6]) if by_streets else np.array([5, 0, 0])
    for at in range(deals.shape[0]):
        deal, given = deals[at], chosen[at]
        one, two = min(deal[0], deal[1]), max(deal[0], deal[1])
        for place in range(4):
            board[place] = deal[2 + place]
        on_flop = flop_value(0, one, two, board, tables, room)
        if by_streets:
            best[0] = live[one, two]
            best[1] = 1 if on_flop > 0 else 0
            best[2] = 1 if turn_value(0, one, two, board, tables, room) > 0 else 0
        else:
            best[0] = 1 if on_flop > -scale * 47 * 46 * 990 else 0
        for which in range(3):
            if best[which] == given[which] or known[which] == 0:
                continue
            if which and not (best[0] and given[0]):
                continue
            size = 0
            for card in range(52):
                taken = False
                for place in range(known[which]):
                    taken = taken or deal[place] == card
                if not taken:
                    left[size] = card
                    size += 1
            total = 0
            player = best if best[0] else given
            for _ in range(rounds):
                _deal_out(known[which], left, deal, pays, scale, qualifies_from, tie_first, t, masks, came)
                if which:
                    total += scale * times[which] * came[1]
                else:
                    staked = times[0] + (times[1] * player[1] + times[2] * player[2] if by_streets else 0)
                    total += came[0] + scale * staked * came[1] + scale
            lost[at] += total if best[which] else -total
