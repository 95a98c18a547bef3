"""What rules of thumb lose, found again from the sentences on the card."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import msgspec
import numpy as np

from croupier.cards import DECK, Card, three_card
from croupier.lab.kernels.cards.ranking import rank_tables
from croupier.lab.kernels.check import paired_rounds
from croupier.lab.kernels.runtime.compiler import Ints, in_threads, zeros
from croupier.lab.model.card_places import suit_pattern
from croupier.lab.model.game import Game, Structure, Units, rank_name
from croupier.lab.play.strategy import Strategy
from croupier.lab.solve import holdem
from croupier.lab.solve.solution import Solution
from croupier.lab.verify.card_reader import bets, folded_hands
from croupier.lab.verify.random_rounds import SIGMAS
from croupier.lab.verify.starting_hands import whole_pays

SHARD = 10_000
ROUNDS = 300
"""Times that a choice in which the two ways differ is dealt out."""


class RuleCost(msgspec.Struct, frozen=True):
    """Mean loss in Antes a round, with half an interval that holds the truth 9,999 times of 10,000."""

    mean: float
    half: float
    how: str

    def holds(self, exact: Fraction) -> bool:
        return abs(float(exact) - self.mean) <= self.half + 1e-12


def rule_cost(solved: Solution, play: Strategy, deals: int, seed: int = 5) -> RuleCost:
    """Compare the rules as they are written with the best play, on this many deals with Hole Cards."""
    game = solved.game
    by_streets = game.structure is Structure.STREETS
    _, found = holdem.any_counts_of(game)
    scale, pays, times = whole_pays(game)
    live, lost = holdem.live_hands(solved), zeros(deals)
    cards = _dealt(deals, seed)

    def work(_: None, first: int) -> None:
        here = slice(first, first + SHARD)
        how = (ROUNDS, seed + first, by_streets, live, times, pays, scale, game.qualifies_from, game.tie_first)
        chosen = _by_the_card(game, play, cards[here])
        paired_rounds.rule_losses(cards[here], chosen, *how, found.tables, rank_tables(), lost[here])

    in_threads(lambda: None, work, range(0, deals, SHARD))
    each = lost / (ROUNDS * scale)
    half = SIGMAS * float(each.std()) / sqrt(deals)
    how = f"the sentences and the best play on the same {deals:,} deals, differences dealt out, seed {seed}"
    return RuleCost(float(each.mean()), half, how)


def _dealt(deals: int, seed: int) -> Ints:
    """Deal two Hole Cards, a flop and a Turn Card, this many times."""
    random = np.random.default_rng(seed)
    found = zeros((deals, paired_rounds.SEEN))
    for place in range(paired_rounds.SEEN):
        card = random.integers(0, len(DECK) - place, deals)
        # A place among the cards that are left, told by stepping over those that are not.
        for gone in np.sort(found[:, :place], axis=1).T:
            card += card >= gone
        found[:, place] = card
    return found


def _by_the_card(game: Game, play: Strategy, cards: Ints) -> Ints:
    """Return what the sentences choose, decision by decision."""
    chosen = zeros((len(cards), 3))
    own = cards[:, :2]
    for at, choice in enumerate(game.choices):
        says = [rule.says for rule in play.rules if rule.decision == choice.bet]
        if choice.community:
            chosen[:, at] = bets(says, own, cards[:, 2 : 2 + choice.community])
        else:
            folded = folded_hands(says[0])
            plays = np.array([hand.name not in folded for hand in holdem.STARTING_HANDS])
            chosen[:, at] = [plays[holdem.starting_hand(one, two)] for one, two in own.tolist()]
    return chosen


# ---------------------------------------------------------------- 3 Card Poker


class Hand(msgspec.Struct, frozen=True):
    """Three cards, how many Hands differ from them only in the names of suits, and what playing them is worth."""

    cards: tuple[Card, ...]
    ways: int
    play: Units


def every_hand(game: Game) -> tuple[Hand, ...]:
    """Count every Hand of three cards against every one of the Dealer's, one by one."""
    everything = list(combinations(range(len(DECK)), 3))
    held = np.array([sum(1 << card for card in three) for three in everything])
    strengths = np.array([three_card(tuple(DECK[at] for at in three)) for three in everything])
    alike: Counter[tuple[str, ...]] = Counter()
    first: dict[tuple[str, ...], int] = {}
    for at, three in enumerate(everything):
        sort = suit_pattern(DECK[card] for card in three)
        alike[sort] += 1
        first.setdefault(sort, at)
    found = []
    for sort, at in first.items():
        mine = int(strengths[at])
        left = strengths[held & held[at] == 0]
        # The Dealer's Hands that are settled alike: lower, equal or higher, and qualified or not.
        kinds = 2 * (np.sign(left - mine) + 1) + (left >= game.qualifies_from)
        total = Fraction(0)
        for kind, count in enumerate(np.bincount(kinds).tolist()):
            if count:
                total += count * _net(game, mine, int(left[np.argmax(kinds == kind)]))
        assert len(left) == comb(len(DECK) - 3, 3)
        found.append(Hand(tuple(DECK[card] for card in everything[at]), alike[sort], total / len(left)))
    assert sum(alike.values()) == comb(len(DECK), 3)
    return tuple(found)


def _net(game: Game, mine: int, his: int) -> Units:
    """Return Ante, Play and what is paid on the Ante."""
    (choice,) = game.choices
    line, (fate, ante, later) = rank_name(game.structure, mine), game.compare(mine, his)
    paid = sum((side.net(line, fate) for side in game.sides if side.on_ante), Fraction(0))
    return ante + choice.times * later + paid
