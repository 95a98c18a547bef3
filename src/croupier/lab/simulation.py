"""Simulation: the second opinion on a solved game, from rounds dealt at random and settled by themselves."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm, sqrt

import msgspec

from croupier.cards import DECK, ThreeCardRank, slug
from croupier.lab import holdem
from croupier.lab.counting import DEALERS, RIVERS, TURNS
from croupier.lab.games import Game, Structure
from croupier.lab.kernels import dealing
from croupier.lab.kernels.compiling import Ints, share, zeros
from croupier.lab.kernels.ranking import rank_tables
from croupier.lab.kernels.shapes import shapes
from croupier.lab.kernels.three_card import HANDS
from croupier.lab.solving import Solved
from croupier.rulebooks.vocabulary import Fate

SHARD = 50_000
SIGMAS = 3.2905
"""Half the width of an interval that holds the truth 999 times of 1,000, in standard errors."""
_AT: dict[str, int] = {card: at for at, card in enumerate(DECK)}


class Simulated(msgspec.Struct, frozen=True):
    """What the rounds came to."""

    rounds: int
    seed: int
    ev: float
    ev_error: float
    """Half the interval that holds the true value in 999 of 1,000 simulations."""
    standard_deviation: float
    average_wager: float
    bets: tuple[tuple[str, float], ...]

    def holds(self, ev: Fraction) -> bool:
        return abs(self.ev - float(ev)) <= self.ev_error


def simulate(solved: Solved, rounds: int, seed: int = 1) -> Simulated:
    """So many rounds of the best play; the same seed gives the same rounds on any number of cores."""
    game = solved.game
    scale = _scale(game)
    sums = _sums(solved, rounds, seed, scale)
    mean = int(sums[dealing.NET]) / rounds / scale
    square = int(sums[dealing.SQUARE]) / rounds / scale**2
    deviation = sqrt(square - mean**2)
    bets = [int(each) / rounds for each in sums[dealing.FIRST : dealing.FIRST + len(game.choices)]]
    return Simulated(
        rounds=rounds,
        seed=seed,
        ev=mean,
        ev_error=SIGMAS * deviation / sqrt(rounds),
        standard_deviation=deviation,
        average_wager=int(sums[dealing.WAGER]) / rounds,
        bets=tuple((choice.bet, often) for choice, often in zip(game.choices, bets, strict=True)),
    )


def _scale(game: Game) -> int:
    paid = [*game.ante_on_win, *(amount for side in game.sides if side.on_ante for amount in side.pays.values())]
    return lcm(*(amount.denominator for amount in paid))


def _sums(solved: Solved, rounds: int, seed: int, scale: int) -> Ints:
    game = solved.game
    pays = zeros(len(game.ante_on_win))
    pays[:] = [int(scale * amount) for amount in game.ante_on_win]
    play = {
        Structure.THREE_CARDS: _three,
        Structure.STREETS: _streets,
        Structure.FLOP_FIRST: _flop_first,
    }[game.structure](solved, seed, scale, pays)

    def work(sums: Ints, first: int) -> None:
        play(first, min(rounds, first + SHARD), sums)

    parts = share(lambda: zeros(dealing.SUMS), work, range(0, rounds, SHARD))
    return sum(parts[1:], start=parts[0])


Play = Callable[[int, int, Ints], None]
"""The rounds from one number up to another, added to sums."""


def _three(solved: Solved, seed: int, scale: int, pays: Ints) -> Play:
    game = solved.game
    plays, bonus = _plays(solved), _bonus(game, scale)
    (choice,) = game.choices
    rule = (game.qualifies_from, game.tie_first)
    return lambda first, last, sums: dealing.play_three(
        seed, first, last, plays, choice.times, scale, pays, bonus, *rule, sums
    )


def _streets(solved: Solved, seed: int, scale: int, pays: Ints) -> Play:
    game = solved.game
    known, (_, found) = shapes(), holdem.counted(game)
    times, live = zeros(3), zeros((52, 52))
    times[:] = [choice.times for choice in game.choices]
    for two in range(52):
        for one in range(two):
            live[one, two] = int(solved.hands[holdem.starting_hand(one, two)].played)
    return lambda first, last, sums: dealing.play_streets(
        seed,
        first,
        last,
        live,
        times,
        scale,
        pays,
        game.qualifies_from,
        game.tie_first,
        known.pairs,
        known.boards,
        found.river,
        found.turns,
        rank_tables(),
        sums,
    )


def _flop_first(solved: Solved, seed: int, scale: int, pays: Ints) -> Play:
    game = solved.game
    known, (asked, found) = shapes(), holdem.counted(game)
    (choice,) = game.choices
    folded = -asked.scale * DEALERS * RIVERS * TURNS
    return lambda first, last, sums: dealing.play_flop_first(
        seed,
        first,
        last,
        folded,
        choice.times,
        scale,
        pays,
        game.qualifies_from,
        game.tie_first,
        known.pairs,
        known.boards,
        found.turns,
        rank_tables(),
        sums,
    )


def _plays(solved: Solved) -> Ints:
    """By the number of the Hand, whether it is played: the class it belongs to decides."""
    by_class = {_suits(tuple(_AT[card] for card in hand.cards)): hand.played for hand in solved.hands}
    plays = zeros(HANDS)
    at = 0
    for third in range(2, 52):
        for second in range(1, third):
            for first in range(second):
                plays[at] = int(by_class[_suits((first, second, third))])
                at += 1
    return plays


def _suits(cards: tuple[int, ...]) -> tuple[int, ...]:
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card % 4] |= 1 << card // 4
    return tuple(sorted(masks))


def _bonus(game: Game, scale: int) -> Ints:
    """What the payouts on the Ante bring: `[played, stood off, beaten or folded; rank]`."""
    found = zeros((4, len(ThreeCardRank)))
    for row, fate in enumerate((None, Fate.STOOD_OFF, Fate.BEATEN, Fate.FOLDED)):
        for rank in ThreeCardRank:
            found[row, rank] = sum(int(scale * side.net(slug(rank), fate)) for side in game.sides if side.on_ante)
    return found
