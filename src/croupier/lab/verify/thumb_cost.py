"""What the rules of thumb lose, a second time: the card's sentences and the best play on the same cards."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, lcm, sqrt

import msgspec
import numpy as np

from croupier.cards import DECK, Card, three_card
from croupier.lab.kernels.cards.ranking import rank_tables
from croupier.lab.kernels.cards.shapes import shapes
from croupier.lab.kernels.check import paired_rounds
from croupier.lab.kernels.runtime.compiler import Ints, share, zeros
from croupier.lab.model.game import Game, Structure, Units, rank_name
from croupier.lab.play.strategy import Strategy
from croupier.lab.solve import holdem
from croupier.lab.solve.solution import Solved
from croupier.lab.verify.card_reader import NAMES, bets, folded_hands
from croupier.lab.verify.random_rounds import SIGMAS

SHARD = 10_000
ROUNDS = 300
"""So often a choice in which the two ways differ is dealt out."""
_AT: dict[str, int] = {card: at for at, card in enumerate(DECK)}


class Lost(msgspec.Struct, frozen=True):
    """On average, in Antes a round, with half an interval that holds the truth 9,999 times of 10,000."""

    mean: float
    half: float
    how: str

    def holds(self, exact: Fraction) -> bool:
        return abs(float(exact) - self.mean) <= self.half + 1e-12


def lost_by_rules(solved: Solved, play: Strategy, deals: int, seed: int = 5) -> Lost:
    """The rules as they are written against the best play, on so many deals with Hole Cards."""
    game = solved.game
    known, by_streets = shapes(), game.structure is Structure.STREETS
    _, found = holdem.counted(game, whole=holdem.is_counted_whole(game))
    scale = lcm(*(amount.denominator for amount in game.ante_on_win))
    pays, times = zeros(len(game.ante_on_win)), zeros(3)
    pays[:] = [int(scale * amount) for amount in game.ante_on_win]
    times[: len(game.choices)] = [choice.times for choice in game.choices]
    live, lost = _live(solved), zeros(deals)
    cards = _dealt(deals, seed)

    def work(_: None, first: int) -> None:
        here = slice(first, first + SHARD)
        how = (ROUNDS, seed + first, by_streets, live, times, pays, scale, game.qualifies_from, game.tie_first)
        tables = (known.pairs, known.boards, found.river, found.turns, rank_tables())
        paired_rounds.lost_by(cards[here], _by_the_card(game, play, cards[here]), *how, *tables, lost[here])

    share(lambda: None, work, range(0, deals, SHARD))
    each = lost / (ROUNDS * scale)
    half = SIGMAS * float(each.std()) / sqrt(deals)
    how = f"the sentences and the best play on the same {deals:,} deals, differences dealt out, seed {seed}"
    return Lost(float(each.mean()), half, how)


def _dealt(deals: int, seed: int) -> Ints:
    """Two Hole Cards, a flop and a Turn Card, so many times."""
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
    """What the sentences choose, decision by decision."""
    chosen = zeros((len(cards), 3))
    own = cards[:, :2]
    for at, choice in enumerate(game.choices):
        says = [rule.says for rule in play.rules if rule.decision == choice.bet]
        if choice.community:
            chosen[:, at] = bets(says, own, cards[:, 2 : 2 + choice.community])
        else:
            folded = folded_hands(says[0])
            plays = zeros((len(DECK), len(DECK)))
            for one, two in combinations(range(len(DECK)), 2):
                plays[one, two] = plays[two, one] = _name(one, two) not in folded
            chosen[:, at] = plays[own[:, 0], own[:, 1]]
    return chosen


def _name(one: int, two: int) -> str:
    high, low = max(one, two) // 4, min(one, two) // 4
    return NAMES[high] + NAMES[low] + ("" if high == low else "s" if one % 4 == two % 4 else "o")


def _live(solved: Solved) -> Ints:
    live = zeros((len(DECK), len(DECK)))
    for one, two in combinations(range(len(DECK)), 2):
        live[one, two] = int(solved.hands[holdem.starting_hand(one, two)].played)
    return live


# ---------------------------------------------------------------- 3 Card Poker


class Hand(msgspec.Struct, frozen=True):
    """Three cards, how many others differ in the names of suits alone, and what playing them is worth."""

    cards: tuple[Card, ...]
    ways: int
    play: Units


def every_hand(game: Game) -> tuple[Hand, ...]:
    """Every Hand of three cards against every one of the Dealer's, counted one by one."""
    everything = list(combinations(range(len(DECK)), 3))
    held = np.array([sum(1 << card for card in three) for three in everything])
    strengths = np.array([three_card(tuple(DECK[at] for at in three)) for three in everything])
    alike: Counter[tuple[str, ...]] = Counter()
    first: dict[tuple[str, ...], int] = {}
    for at, three in enumerate(everything):
        sort = tuple(sorted("".join(NAMES[card // 4] for card in three if card % 4 == suit) for suit in range(4)))
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
    """Ante, Play and what is paid on the Ante."""
    (choice,) = game.choices
    line, fate = rank_name(game.structure, mine), game.fate(mine, his)
    paid = sum((side.net(line, fate) for side in game.sides if side.on_ante), Fraction(0))
    return game.ante(mine, his) + choice.times * game.later_bets(mine, his) + paid
