"""Random rounds settled bet by bet in plain Python.

Only the choices come from the solved game. `Game.settle` settles every Bet; tests hold it against the engine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from random import Random

import msgspec

from croupier.cards import DECK, Card
from croupier.lab.bets import jackpot
from croupier.lab.kernels.cards.ranking import rank_tables
from croupier.lab.kernels.decide import rules_of_thumb
from croupier.lab.kernels.runtime.compiler import zeros
from croupier.lab.model.card_places import PLACE, suit_pattern
from croupier.lab.model.game import Game, Structure, Units
from croupier.lab.play.exploits import OWN_CARD, own_card_values
from croupier.lab.play.strategy import Strategy
from croupier.lab.solve import holdem
from croupier.lab.solve.enumeration import DEALERS, RIVERS, TURNS
from croupier.lab.solve.solution import HandValue, Solution
from croupier.rulebooks.pay_lines import side_line
from croupier.rulebooks.vocabulary import ANTE_BET, BetName

SIGMAS = 3.8906
"""Standard errors on either side that hold the truth 9,999 times of 10,000."""


class Mean(msgspec.Struct):
    """A mean with its sum and the sum of its squares."""

    count: int = 0
    total: float = 0.0
    square: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.square += value * value

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        return sqrt(max(0.0, self.square / self.count - self.mean**2)) if self.count else 0.0

    @property
    def error(self) -> float:
        return SIGMAS * self.deviation / sqrt(self.count) if self.count else 0.0


class Sampled:
    """What the rounds came to: counts of events and means of amounts, by name."""

    def __init__(self, rounds: int, seed: int) -> None:
        self.rounds, self.seed = rounds, seed
        self.counts: defaultdict[str, int] = defaultdict(int)
        self.means: defaultdict[str, Mean] = defaultdict(Mean)

    def holds_chance(self, name: str, exact: Fraction) -> bool:
        """Return whether the count is likely where this is each round's probability."""
        expected = float(exact) * self.rounds
        spread = SIGMAS * sqrt(max(0.0, expected * (1 - float(exact)))) + SIGMAS**2 / 2
        return abs(self.counts[name] - expected) <= spread

    def holds_mean(self, name: str, exact: Fraction | float) -> bool:
        return abs(self.means[name].mean - float(exact)) <= self.means[name].error + 1e-12


class _Tally(msgspec.Struct, frozen=True):
    """What the settled Bets of a round come to."""

    result: float
    counted: list[str]
    """Events, by name."""
    measured: list[tuple[str, float]]
    """Amounts, by the name of their mean."""


class _Player:
    """Plays the best choices of one solved game on random cards."""

    def __init__(self, solved: Solution, rules: Strategy | None, random: Random) -> None:
        self.solved, self.game, self.random = solved, solved.game, random
        self.three = self.game.structure is Structure.THREE_CARDS
        self.rules = dict(rules.bets_with) if rules is not None else {}
        self.room, self.board = zeros(8), zeros(4)
        self.by_own_card = own_card_values(solved)
        self._tallies: dict[tuple[tuple[BetName, Units], ...], _Tally] = {}
        self.figures: jackpot.JackpotFigures | None = None
        self.meter = Fraction(0)
        if self.three:
            self.by_suits = {suit_pattern(hand.cards): hand for hand in solved.hands}
        else:
            self.lookup = holdem.Lookup(self.game)

    def deal(self) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
        own, board = (3, 2) if self.three else (2, 5)
        cards = self.random.sample(DECK, 2 * own + board)
        return tuple(cards[:own]), tuple(cards[own : 2 * own]), tuple(cards[2 * own :])

    def hand(self, own: tuple[Card, ...]) -> HandValue:
        if self.three:
            return self.by_suits[suit_pattern(own)]
        return self.solved.hands[holdem.starting_hand(PLACE[own[0]], PLACE[own[1]])]

    def tallied(self, net: Mapping[BetName, Units]) -> _Tally:
        """Return what Bets so settled come to; few of the thousands of rounds differ in that."""
        settled = tuple(net.items())
        found = self._tallies.get(settled)
        if found is None:
            found = self._tallies[settled] = _tallied(self.game, net)
        return found

    def choose(self, own: tuple[Card, ...], community: tuple[Card, ...], seen: Sampled) -> dict[str, bool]:
        """Return what the best play bets if the Hand is played on."""
        if self.three:
            return {self.game.choices[0].bet: self.hand(own).played}
        places = PLACE[own[0]], PLACE[own[1]]
        board = [PLACE[card] for card in community[:4]]
        on_flop = self.lookup.value(places, board[:3])
        whole = self.lookup.layout.scale * DEALERS * RIVERS
        if self.game.structure is Structure.FLOP_FIRST:
            (call,) = self.game.choices
            gain = on_flop + whole * TURNS
            self._by_thumb(call.bet, 1, places, board[:3], gain / (whole * TURNS), seen)
            return {call.bet: gain > 0}
        flop, turn, river = self.game.choices
        on_turn = self.lookup.value(places, board)
        if self.hand(own).played:
            self._by_thumb(turn.bet, turn.times, places, board[:3], on_flop / (whole * TURNS), seen)
            self._by_thumb(river.bet, river.times, places, board, on_turn / whole, seen)
        else:
            for bet in self.rules:
                seen.means[f"thumb {bet}"].add(0.0)
        return {flop.bet: self.hand(own).played, turn.bet: on_flop > 0, river.bet: on_turn > 0}

    def _by_thumb(
        self, bet: str, times: int, own: tuple[int, int], board: list[int], gain: float, seen: Sampled
    ) -> None:
        """Add what a rule of thumb loses here against the best choice."""
        if bet in self.rules:
            self.board[: len(board)] = board
            pattern = int(rules_of_thumb.pattern_of(*own, self.board, len(board), rank_tables(), self.room))
            seen.means[f"thumb {bet}"].add(abs(times * gain) if self.rules[bet][pattern] != (gain > 0) else 0.0)


def sample(
    solved: Solution,
    rounds: int,
    rules: Strategy | None = None,
    figures: jackpot.JackpotFigures | None = None,
    seed: int = 1,
) -> Sampled:
    """Play this many rounds; `figures` give the meter that decides which award pays more."""
    seen = Sampled(rounds, seed)
    player = _Player(solved, rules, Random(seed))  # noqa: S311 - a sample, not a deck that players bet on
    player.figures = figures
    player.meter = Fraction(0) if figures is None else figures.reference_meter
    for _ in range(rounds):
        _play(player, seen)
    return seen


def _play(player: _Player, seen: Sampled) -> None:
    game = player.game
    own, dealer, community = player.deal()
    chosen = player.choose(own, community, seen)
    folded = any(choice.otherwise == "fold" and not chosen[choice.bet] for choice in game.choices)
    net = game.settle(own, dealer, community, chosen)
    tally = player.tallied(net)
    for name in tally.counted:
        seen.counts[name] += 1
    for name, amount in tally.measured:
        seen.means[name].add(amount)
    for side in game.sides:
        seen.means[f"bet {side.name}"].add(float(net[side.name]))
        if net[side.name] > 0:
            seen.counts[f"row {side.name} {side_line(side.declared, own, dealer)}"] += 1
            seen.counts[f"won {side.name}"] += 1
    if game.structure is not Structure.FLOP_FIRST:
        worth = player.by_own_card[PLACE[own[0]] // 4]
        seen.means[OWN_CARD].add(tally.result if worth > 0 else 0.0)
        seen.means["leaving at first"].add(0.0 if player.hand(own).value < 0 else tally.result)
    if game.structure is Structure.STREETS:
        _play_exploits(player, own, dealer, community, chosen, seen)
    _claim(player, own, community, folded, seen)


def _tallied(game: Game, net: Mapping[BetName, Units]) -> _Tally:
    """Return what Bets so settled count, whatever the cards were."""
    times = {ANTE_BET: 1, **{choice.bet: choice.times for choice in game.choices}}
    payouts = {side.name for side in game.sides if side.on_ante}
    result = sum((net[bet] for bet in net if bet in times or bet in payouts), Fraction(0))
    counted = [f"result {result}"]
    measured = [("ev", float(result)), ("wager", float(sum(times[bet] for bet in net if bet in times)))]
    for choice in game.choices:
        if choice.bet in net:
            counted.append(f"placed {choice.bet}")
        elif choice.otherwise == "fold":
            counted.append("placed fold")
    for bet in net:
        if bet in times:
            value = net[bet] / times[bet]
            counted.append(f"lies {bet}")
            measured += [(f"bet {bet}", float(value)), (f"hits {bet}", 1.0 if value > 0 else 0.0)]
            if value > 0:
                counted += [f"paid {bet} {value}", f"won {bet}"]
    return _Tally(float(result), counted, measured)


def _play_exploits(
    player: _Player,
    own: tuple[Card, ...],
    dealer: tuple[Card, ...],
    community: tuple[Card, ...],
    chosen: dict[str, bool],
    seen: Sampled,
) -> None:
    """Play the same cards without looking, and with the smallest chip on bad Hands."""
    flop, turn, river = player.game.choices
    blind = player.game.settle(own, dealer, community, {flop.bet: True, turn.bet: False, river.bet: False})
    seen.means["never looking"].add(float(blind[ANTE_BET] + blind[flop.bet]))
    later = blind[flop.bet] / flop.times
    gains = int(player.lookup.counted.sums.total[holdem.starting_hand(PLACE[own[0]], PLACE[own[1]]), 0]) > 0
    staked = flop.times * gains + turn.times * chosen[turn.bet] + river.times * chosen[river.bet]
    seen.means["the smallest chip"].add(float(blind[ANTE_BET] + staked * later))


def _claim(player: _Player, own: tuple[Card, ...], community: tuple[Card, ...], folded: bool, seen: Sampled) -> None:
    """Count the lines that a Hand so played may claim, and those of them that are paid."""
    book = player.game.terms.book.jackpot
    mask = jackpot.lines_met(book, own, community)
    if mask:
        mask = jackpot.claimable(book, mask, folded=folded)
        for at, award in enumerate(book.awards):
            if mask >> at & 1:
                seen.counts[f"award {award.hand}"] += 1
        if player.figures is not None:
            for hand in jackpot.lines_paid(book, mask, player.figures.amounts, player.meter):
                seen.counts[f"paid award {hand}"] += 1
