"""Bots at free seats: they bet, look and decide by a short rule, for demonstration and for load. A box that a person
had in the last round is left to that person for half of the time to bet: manners, and no rule of a document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from croupier.cards import Rank, ThreeCardRank, best_five, face, five_card, rank, strength, three_card
from croupier.floor.records.tables import Table
from croupier.rounds.choices import LawfulChoice, lawful_choices, may_examine
from croupier.rounds.commands import DecideHand, ExamineHand, PlaceBet, RoundCommand
from croupier.rounds.state import Box, Stage
from croupier.rulebooks.vocabulary import ANTE_BET, BetKind, HandKind


class Bot:
    """A player who is always there. Its chance comes from outside, so that a run can be repeated."""

    def __init__(self, name: str, box: int, random: Random) -> None:
        self.name, self.box, self._random = name, box, random
        self._left_to = 0
        """The round in which another player is to find the box free; 0 before the first."""

    def acts(self, table: Table, seconds: float) -> Iterator[RoundCommand]:
        """Yield what the bot does at this moment of its table; `seconds` have passed since its phase began."""
        state = table.round
        if state.box(self.box).seated not in (None, self.name):
            self._left_to = state.number + 1
        if state.awaiting or self.name in state.absent:
            return
        match state.stage:
            case Stage.BETTING:
                is_held = state.number == self._left_to and seconds < table.config.betting_seconds / 2
                if not table.closed and not state.box(self.box).stakes and not is_held:
                    yield from self._bets(table)
            case Stage.PLAYING:
                box = state.box(self.box)
                choices = [lawful for lawful in lawful_choices(table.terms, state) if lawful.box == self.box]
                if not choices or box.seated != self.name:
                    return
                if self.name in box.seen_by:
                    yield DecideHand(box=self.box, choice=self._choice(table, box, choices))
                elif may_examine(table.terms, state, box, self.name):
                    yield ExamineHand(player=self.name, box=self.box)
            case _:
                return

    def _bets(self, table: Table) -> Iterator[RoundCommand]:
        limits = table.terms.limits[ANTE_BET]
        ante = min(limits.minimum * self._random.choice((1, 1, 2, 3, 5)), limits.maximum)
        yield PlaceBet(player=self.name, box=self.box, bet=ANTE_BET, amount=ante)
        for bet in table.terms.book.bets:
            if bet.kind is BetKind.SIDE and self._random.random() < 0.3:
                amount = table.terms.limits[bet.name].minimum
                yield PlaceBet(player=self.name, box=self.box, bet=bet.name, amount=amount)
            jackpot_bet = None if table.round.standing.jackpot_suspended else table.terms.jackpot_bet
            if bet.kind is BetKind.JACKPOT and jackpot_bet is not None and self._random.random() < 0.6:
                yield PlaceBet(player=self.name, box=self.box, bet=bet.name, amount=jackpot_bet)

    def _choice(self, table: Table, box: Box, choices: Sequence[LawfulChoice]) -> str:
        bet = next((lawful.choice for lawful in choices if lawful.bet is not None), None)
        if bet is not None and worth_betting(table, box):
            return bet
        return next(lawful.choice for lawful in choices if lawful.bet is None)


def worth_betting(table: Table, box: Box) -> bool:
    """Decide by a short rule, good enough that a bot looks like a player."""
    cards, community = box.cards, table.round.community
    if table.terms.book.showdown.hand is HandKind.THREE_CARDS:
        return three_card(cards) >= strength(ThreeCardRank.ODD_CARDS, 12, 6, 4)
    if table.terms.book.showdown.hand is HandKind.FIVE_CARDS:
        return five_card(cards) >= strength(Rank.ODD_CARDS, 14, 13, 11, 8, 3)
    high, low = sorted((face(card) for card in cards), reverse=True)
    if not community:
        return high >= 11 or high == low or low >= 7 or (high - low <= 2 and high >= 8)
    made = rank(best_five((*cards, *community)))
    if made >= Rank.TWO_PAIRS:
        return True
    board = max(face(card) for card in community)
    paired = any(face(card) == face(other) for card in cards for other in community) or high == low
    if table.terms.book.fold.loses == (ANTE_BET,):
        return paired or high >= 10 or high > board
    return paired and max(high, low) >= 8
