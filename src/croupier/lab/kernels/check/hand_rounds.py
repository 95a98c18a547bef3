# ruff: noqa: C901, PLR0915 - a kernel is one loop nest; cut up, it would pass a hundred arrays around
"""Random rounds of one starting hand: decided as the sums say, dealt and ranked card by card.

Only choices come from the sums, so a wrong sum shows.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.cards.ranking import RankTables, cards_strength
from croupier.lab.kernels.enumerate.positions import flop_value, turn_value
from croupier.lab.kernels.enumerate.streets import SumTables
from croupier.lab.kernels.runtime.compiler import Ints, kernel

BEST, PLAYED, LEAVING_FLOP, LEAVING_TURN, BET_ON_FLOP, BET_ON_TURN, WAYS = range(7)
"""Ways to play: the best; playing on whatever comes; leaving with every Bet on the flop or on the turn where staying is
bad. Then how often a Bet is placed on either.
"""
DEALT = 7


@kernel
def play_hand(
    first: int,
    second: int,
    rounds: int,
    seed: int,
    by_streets: bool,
    leaving: bool,
    times: Ints,
    pays: Ints,
    scale: int,
    qualifies_from: int,
    tie_first: bool,
    ante: Ints,
    tables: SumTables,
    t: RankTables,
    sums: Ints,
) -> None:
    """Add results, and their squares, in parts of an Ante: `sums[way, 0]` and `sums[way, 1]`.

    `pays` is the Ante on a win by rank, `ante` the channels' parts in the Ante's result, both times `scale`.
    """
    np.random.seed(seed)
    left, masks = np.zeros(50, np.int64), np.zeros(8, np.int64)
    four, room, results = np.zeros(4, np.int64), np.zeros(8, np.int64), np.zeros(WAYS, np.int64)
    at = 0
    for card in range(52):
        if card not in (first, second):
            left[at] = card
            at += 1
    channels = ante.shape[0]
    for _ in range(rounds):
        for place in range(DEALT):
            other = np.random.randint(place, 50)
            left[place], left[other] = left[other], left[place]
        masks[:] = 0
        for place in range(5):
            masks[left[place] & 3] |= 1 << (left[place] >> 2)
        for suit in range(4):
            masks[4 + suit] = masks[suit]
        masks[first & 3] |= 1 << (first >> 2)
        masks[second & 3] |= 1 << (second >> 2)
        for place in range(5, 7):
            masks[4 + (left[place] & 3)] |= 1 << (left[place] >> 2)
        mine = cards_strength(masks[0], masks[1], masks[2], masks[3], t)
        his = cards_strength(masks[4], masks[5], masks[6], masks[7], t)
        won, later = pays[mine >> 20], 1
        if his < qualifies_from and not (tie_first and mine == his):
            later = 0
        elif mine < his:
            won, later = -scale, -1
        elif mine == his:
            won, later = 0, 0
        for place in range(4):
            four[place] = left[place]
        gain = flop_value(0, first, second, four, tables, room)
        results[:] = 0
        if not by_streets:
            # What decides is the whole result of a Call, against the Ante that a fold loses.
            called = gain > -scale * 47 * 46 * 990
            results[PLAYED] = won + scale * times[0] * later
            results[BEST] = results[PLAYED] if called else -scale
            results[BET_ON_FLOP] = 1 if called else 0
        else:
            on_turn = turn_value(0, first, second, four, tables, room)
            staked = times[0] + (times[1] if gain > 0 else 0)
            whole = staked + (times[2] if on_turn > 0 else 0)
            result = won + scale * whole * later
            results[BEST], results[PLAYED] = result, won + scale * times[0] * later
            results[BET_ON_FLOP], results[BET_ON_TURN] = 1 if gain > 0 else 0, 1 if on_turn > 0 else 0
            if leaving:
                worth = scale * staked * gain
                for ch in range(channels):
                    worth += ante[ch] * flop_value(ch, first, second, four, tables, room)
                for place in range(3, 50):
                    four[3] = left[place]
                    after = turn_value(0, first, second, four, tables, room)
                    if after > 0:
                        worth += scale * times[2] * after
                results[LEAVING_FLOP] = result if worth > 0 else 0
                four[3] = left[3]
                worth = scale * whole * on_turn
                for ch in range(channels):
                    worth += ante[ch] * turn_value(ch, first, second, four, tables, room)
                results[LEAVING_TURN] = result if worth > 0 else 0
        for way in range(WAYS):
            sums[way, 0] += results[way]
            sums[way, 1] += results[way] * results[way]
