"""Advice: the exact value of each choice in one position, and what every other choice costs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import lcm

import msgspec
import numpy as np

from croupier.cards import DECK, Card
from croupier.cards.cards import refuse_repeats
from croupier.lab.bets.stakes import (
    BadStake,
    SideStakes,
    flop_award_worth,
    own_cards_units,
    refuse_bad_stakes,
    starting_hand_worth,
)
from croupier.lab.kernels.cards.ranking import rank_tables
from croupier.lab.kernels.cards.shapes import Channels
from croupier.lab.kernels.enumerate.positions import count_out_flop, count_out_turn
from croupier.lab.kernels.runtime.compiler import Ints, add_up, in_threads, workers, zeros
from croupier.lab.model.card_places import PLACE
from croupier.lab.model.game import Choice, Game, LabError, Structure, Units
from croupier.lab.solve import called_boards, holdem, own_cards
from croupier.lab.solve.enumeration import DEALERS, RIVERS, TURNS
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, BetName

__all__ = ["Advice", "BadPosition", "BadStake", "Option", "SideStakes", "advise", "prepare"]


class BadPosition(LabError):
    """Cards with which no decision is due."""


class Option(msgspec.Struct, frozen=True):
    """One choice: what the round is worth with it in units of Ante, and how much less than with the best."""

    choice: str
    value: Units
    cost: Units


class Advice(msgspec.Struct, frozen=True):
    """The choices in one position, the best first."""

    game: str
    hand: tuple[Card, ...]
    board: tuple[Card, ...]
    options: tuple[Option, ...]
    counted: tuple[BetName, ...] = ()
    """The Bets that the values count; a Bet that comes to the same either way may be left out."""

    @property
    def best(self) -> str:
        return self.options[0].choice


def advise(
    game: Game,
    hand: Sequence[Card],
    board: Sequence[Card] = (),
    placed: Collection[str] = (),
    *,
    beside: SideStakes | None = None,
) -> Advice:
    """Return the best choice with these own cards and Community Cards.

    advise(game(table_terms("rws-multilink-holdem")), parse_cards("Ks Qs"), parse_cards("Js 3h 2d")).best is "turn".

    Values are of the whole round, every later choice made as well as possible. `placed` names earlier optional Bets
    (the Turn Bet, when the River Bet is asked about); Bets that must have been placed count anyway. `beside` is staked
    beside the Ante: a Bonus or a jackpot Bet that a fold would lose can change the first choice. Raises BadPosition,
    BadStake or BadCard.

    Threads may call it at the same time. The first call loads or compiles the kernels, and the first question about two
    Hole Cards without a board solves the whole game; `prepare` does both ahead. Then an answer takes well under a tenth
    of a second.
    """
    refuse_repeats((*hand, *board))
    if len(hand) != game.own_cards:
        raise BadPosition(f"{game.name} deals {game.own_cards} cards to a Player, not {len(hand)}.")
    choice = next((each for each in game.choices if each.community == len(board)), None)
    if choice is None:
        when = " or ".join(str(each.community) for each in game.choices)
        raise BadPosition(f"{game.name} decides with {when} Community Cards in sight, not with {len(board)}.")
    _refuse_placed(game, placed)
    if beside is not None:
        refuse_bad_stakes(game, beside)
    values = _values(game, choice, tuple(PLACE[card] for card in hand), tuple(PLACE[card] for card in board), placed)
    sides = _add_side_stakes(game, choice, hand, board, beside, values) if beside is not None else ()
    best = max(values.values())
    # Where choices are worth the same, the one without a Bet counts as the better one.
    order = sorted(values, key=lambda name: (-values[name], name == choice.bet))
    return Advice(
        game.name,
        tuple(hand),
        tuple(board),
        tuple(Option(name, values[name], best - values[name]) for name in order),
        (ANTE_BET, *(each.bet for each in game.choices), *sides),
    )


def prepare(game: Game) -> None:
    """Load what advice on any position of this game needs, so that no later question waits for it."""
    cards = DECK[::7]
    own = game.own_cards
    unit = game.terms.jackpot_bet
    beside = None if unit is None else SideStakes(unit, {JACKPOT_BET: unit})
    for choice in game.choices:
        advise(game, cards[:own], cards[own : own + choice.community], beside=beside)


def _refuse_placed(game: Game, placed: Collection[str]) -> None:
    known = [each.bet for each in game.choices]
    strange = sorted(set(placed) - set(known))
    if strange:
        raise BadPosition(f'{game.name} has no bet "{strange[0]}" that a choice places: it has {", ".join(known)}.')


def _add_side_stakes(
    game: Game,
    choice: Choice,
    hand: Sequence[Card],
    board: Sequence[Card],
    beside: SideStakes,
    values: dict[str, Units],
) -> tuple[BetName, ...]:
    """Add the stakes beside the Ante to the choice that may lose them; return the Bets that were added."""
    if choice is not game.choices[0]:
        return ()
    places = tuple(PLACE[card] for card in hand)
    if game.decides_on_own_cards:
        units = own_cards_units(game, beside)
        found = own_cards.hand_value(game, places, units)
        values[choice.bet], values[choice.otherwise] = found.play, found.fold
        return tuple(units)
    if game.structure is Structure.STREETS:
        played, folded = starting_hand_worth(game, beside, holdem.STARTING_HANDS[holdem.starting_hand(*places)])
        values[choice.bet] += played
        values[choice.otherwise] += folded
        return tuple(beside.stakes)
    if JACKPOT_BET in beside.stakes and called_boards.matters(game):
        rest = called_boards.finished([PLACE[card] for card in board])
        boards = [(*board, *(DECK[at] for at in pair)) for pair in rest if not set(pair) & set(places)]
        values[choice.bet] += flop_award_worth(game, beside, hand, boards)
        return (JACKPOT_BET,)
    return ()


def _values(
    game: Game, choice: Choice, hand: tuple[int, ...], board: tuple[int, ...], placed: Collection[str]
) -> dict[str, Units]:
    if not board:
        return _at_first(game, choice, hand)
    if game.structure is Structure.FLOP_FIRST:
        ante, later = _after_flop(game, hand, board)
        whole = DEALERS * RIVERS * TURNS
        call = (ante + choice.times * sum(later, Fraction(0))) / whole
        return {choice.otherwise: Fraction(-1), choice.bet: call}
    flop, turn, river = game.choices
    if choice is turn:
        ante, later = _after_flop(game, hand, board)
        whole = DEALERS * RIVERS * TURNS
        gain = sum(later, Fraction(0))
        on_river = sum((each for each in later if each > 0), Fraction(0))
        check = (ante + flop.times * gain + river.times * on_river) / whole
        return {turn.otherwise: check, turn.bet: check + turn.times * gain / whole}
    ante, gain = _after_turn(game, hand, board)
    whole = DEALERS * RIVERS
    staked = flop.times + (turn.times if turn.bet in placed else 0)
    check = (ante + staked * gain) / whole
    return {river.otherwise: check, river.bet: check + river.times * gain / whole}


def position_values(game: Game, choice: Choice, hand: tuple[int, ...], board: tuple[int, ...]) -> tuple[Units, Units]:
    """Return what the Bet and the other choice are worth on a board, dealt out card by card."""
    values = _values(game, choice, hand, board, ())
    return values[choice.bet], values[choice.otherwise]


def _at_first(game: Game, choice: Choice, hand: tuple[int, ...]) -> dict[str, Units]:
    """Return the values before any Community Card; with Hole Cards the whole game is solved the first time."""
    if game.decides_on_own_cards:
        found = own_cards.hand_value(game, hand)
    else:
        found = holdem.hand_value(game, holdem.starting_hand(*hand))
    return {choice.otherwise: found.fold, choice.bet: found.play}


# ---------------------------------------------------------------- counted out, card by card


def _channels(game: Game) -> tuple[Channels, int]:
    """Return a channel for a unit of a later Bet and one for the Ante, and the scale that makes the Ante whole."""
    scale = lcm(*(amount.denominator for amount in game.ante_on_win))
    paid = [int(scale * amount) for amount in game.ante_on_win]
    ranks = len(paid)
    return Channels(
        np.array([[1] * ranks, paid], np.int64),
        np.array([[0] * ranks, paid], np.int64),
        np.array([-1, -scale], np.int64),
        game.qualifies_from,
        game.tie_first,
    ), scale


def _lying(board: tuple[int, ...], hand: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Return the board as a mask for each suit, and the unseen cards."""
    masks = zeros(4)
    for card in board:
        masks[card % 4] |= 1 << card // 4
    unseen = [card for card in range(52) if card not in (*board, *hand)]
    left = zeros(len(unseen))
    left[:] = unseen
    return masks, left


def _after_flop(game: Game, hand: tuple[int, ...], board: tuple[int, ...]) -> tuple[Fraction, list[Fraction]]:
    """Return what the Ante gains in all deals, and what a unit of a later Bet gains for each Turn Card."""
    channels, scale = _channels(game)
    masks, left = _lying(board, hand)
    first, second = hand
    step = workers()

    def work(target: Ints, start: int) -> None:
        count_out_flop(start, step, first, second, masks.copy(), left, rank_tables(), channels, target)

    sums = add_up(in_threads(lambda: zeros((len(left), 2)), work, range(step)))
    return Fraction(int(sums[:, 1].sum()), scale), [Fraction(int(each)) for each in sums[:, 0]]


def _after_turn(game: Game, hand: tuple[int, ...], board: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    channels, scale = _channels(game)
    masks, left = _lying(board, hand)
    target = zeros(2)
    first, second = hand
    count_out_turn(first, second, masks, left, rank_tables(), channels, zeros(len(left) - 1), target)
    return Fraction(int(target[1]), scale), Fraction(int(target[0]))
