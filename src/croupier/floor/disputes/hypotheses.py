"""What-if questions about a round that is over: one fact is changed, and the engine judges the round again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.cards import Shoe
from croupier.jackpots.events import CaseDenied, CasePaid
from croupier.jackpots.link import Link
from croupier.jackpots.linked_tables import Happened, Tables, act
from croupier.money import BadMoney, Money, money, show
from croupier.rounds.choices import lawful_choices
from croupier.rounds.commands import (
    ChooseOption,
    DecideHand,
    ExamineHand,
    GiveRuling,
    HandleHand,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    TurnCards,
)
from croupier.rounds.dealing import CardsToTurn, dealers_work, decision_due
from croupier.rounds.events import BetSettled, RoundReopened
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Stage, new_table
from croupier.rulebooks.description.phrases import words
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import FOLD, BetKind, BetName, BoxNo, Choice
from croupier.structs import extended

USUAL, OTHERWISE = money("50.00"), money("100.00")
"""The amount of a changed bet where the reader names none: the second where the bet was the first."""
_CHANGE = re.compile(r"\s*(?:box\s+)?(?P<box>[0-9]{1,2})[ :]+(?P<bet>[a-z_]{1,20})[ :=]+(?P<amount>[0-9.]{1,15})\s*")
_MOST = 24
"""Questions of one page."""

CHECK = "check"

LineKey: TypeAlias = tuple[BoxNo, str, BetName]


class BadQuestion(ValueError):
    """A what-if question that cannot be put; the message is one sentence."""


class Changed(msgspec.Struct, frozen=True):
    """A bet of another amount, as a reader asks for it."""

    box: BoxNo
    bet: BetName
    amount: Money


class HypotheticalLine(msgspec.Struct, frozen=True, kw_only=True):
    """One bet as the engine would have settled it."""

    box: BoxNo
    player: str
    bet: BetName
    outcome: str
    staked: Money
    won: Money
    returned: Money
    rules: tuple[str, ...]
    because: str


class Hypothesis(msgspec.Struct, frozen=True, kw_only=True):
    """A question, and the engine's answer: never what happened."""

    question: str
    stage: Stage
    lines: tuple[HypotheticalLine, ...] = ()
    nets: Mapping[str, Money] = {}
    refused: tuple[str, ...] = ()
    """What the engine would have refused of what was then asked."""
    waits: str = ""
    """What the round would still wait for."""


class PlayedCommands(msgspec.Struct, frozen=True, kw_only=True):
    """A round as it was asked for, and what it was dealt from."""

    table: str
    number: int
    terms: Terms
    commands: tuple[RoundCommand, ...]
    decks: Mapping[int, Shoe]
    """By deal; empty at a table with real cards, whose dealer entered them."""
    link: Link | None = None


def parse_change(text: str) -> Changed:
    """Read a changed bet, as in `1 ante 50.00`; raises BadQuestion."""
    found = _CHANGE.fullmatch(text)
    try:
        if found is None:
            raise BadMoney
        return Changed(int(found["box"]), found["bet"], money(found["amount"]))
    except BadMoney:
        raise BadQuestion(
            f"{text[:40]!r} is not a changed bet: write box, bet and amount, as in 1 ante 50.00."
        ) from None


def hypotheses(
    played: PlayedCommands, settled: Sequence[BetSettled], wanted: Sequence[Changed] = ()
) -> list[Hypothesis] | str:
    """Answer the questions that this round raises, and those that a reader asks; raises BadQuestion.

    Where the engine does not come to the recorded lines from the commands of this round alone, no question is answered
    and the reason is returned: the round rests on something before it.
    """
    if _by_key(_Judged(played, played.commands).lines) != _by_key(settled):
        return "This round rests on what happened before it at this table, so no question is answered from it alone."
    questions = [*_asked(played, wanted), *_raised(played)]
    return [_answer(played, question, commands) for question, commands in questions[:_MOST]]


def _by_key(lines: Sequence[BetSettled]) -> dict[LineKey, tuple[str, Money, Money, Money]]:
    """Return the lines that do not depend on the meter, to compare two settlements."""
    return {
        (line.box, line.player, line.bet): (line.outcome.value, line.staked, line.won, line.returned)
        for line in lines
        if line.bet != "jackpot"
    }


# ---------------------------------------------------------------- questions

Question: TypeAlias = tuple[str, tuple[RoundCommand, ...]]


def _asked(played: PlayedCommands, wanted: Sequence[Changed]) -> Iterator[Question]:
    for change in wanted:
        found = [
            (at, command)
            for at, command in enumerate(played.commands)
            if isinstance(command, PlaceBet) and (command.box, command.bet) == (change.box, change.bet)
        ]
        if not found:
            raise BadQuestion(f"Nobody placed {change.bet} on box {change.box} in round {played.number}.")
        yield _with_amount(played, *found[0], change.amount)


def _with_amount(played: PlayedCommands, at: int, placed: PlaceBet, amount: Money) -> Question:
    what = f"What if the {placed.bet} on box {placed.box} had been {show(amount)} instead of {show(placed.amount)}?"
    changed = replace(placed, amount=amount)
    return what, (*played.commands[:at], changed, *played.commands[at + 1 :])


def _raised(played: PlayedCommands) -> Iterator[Question]:
    """Yield the questions that irregularities, decisions and stakes of the round raise, in this order."""
    commands = played.commands
    for at, command in enumerate(commands):
        if isinstance(command, ReportIncident):
            yield from _about_incident(commands, at, command)
    for at, command in enumerate(commands):
        if isinstance(command, DecideHand):
            yield from _decided_otherwise(played, at, command)
    entries = {bet.name for bet in played.terms.book.bets if bet.kind is BetKind.ENTRY}
    for at, command in enumerate(commands):
        if isinstance(command, PlaceBet) and command.bet in entries:
            yield _with_amount(played, at, command, OTHERWISE if command.amount == USUAL else USUAL)


def _decided_otherwise(played: PlayedCommands, at: int, made: DecideHand) -> Iterator[Question]:
    """Yield a fold instead of a bet or a check where it was lawful, and the first other choice instead of a fold."""
    before = played.commands[:at]
    others = [choice for choice in _lawful(_Judged(played, before), made.box) if choice != made.choice]
    later = [c for c in played.commands[at + 1 :] if not (isinstance(c, DecideHand) and c.box == made.box)]
    if made.choice == FOLD and others:
        on = replace(made, choice=others[0], amount=None)
        then = f"What if box {made.box} had not folded but chosen {words(others[0])}, and checked where it could?"
        yield then, _checking(played, (*before, on), later, made.box)
    elif FOLD in others:
        then = f"What if box {made.box} had folded instead of {words(made.choice)}?"
        yield then, (*before, replace(made, choice=FOLD, amount=None), *later)


def _checking(
    played: PlayedCommands, before: tuple[RoundCommand, ...], later: Sequence[RoundCommand], box: BoxNo
) -> tuple[RoundCommand, ...]:
    """Return the commands with a check of this box wherever one is due."""
    judged, asked = _Judged(played, before), list(before)
    for command in (*later, None):
        while CHECK in _lawful(judged, box):
            check = DecideHand(box=box, choice=CHECK)
            judged.ask(check)
            asked.append(check)
        if command is not None:
            judged.ask(command)
            asked.append(command)
    return tuple(asked)


def _lawful(judged: _Judged, box: BoxNo) -> list[Choice]:
    state = judged.tables.rounds[judged.played.table]
    return [lawful.choice for lawful in lawful_choices(judged.played.terms, state) if lawful.box == box]


def _about_incident(commands: tuple[RoundCommand, ...], at: int, report: ReportIncident) -> Iterator[Question]:
    what, before, after = f"“{words(report.incident)}”", commands[:at], commands[at + 1 :]
    unseen = tuple(c for c in before if not isinstance(c, ExamineHand | HandleHand))
    if unseen != before:
        yield f"What if {what} had come before a player looked at a hand?", (*unseen, report, *after)
    seen = {c.box for c in before if isinstance(c, ExamineHand)}
    players = {c.box: c.player for c in reversed(before) if isinstance(c, PlaceBet)}
    looks = [ExamineHand(player=player, box=box) for box, player in sorted(players.items()) if box not in seen]
    if looks:
        yield f"What if {what} had come after every player had looked?", (*before, *looks, report, *after)
    # What answered the report has nothing to answer without it.
    rest = tuple(c for c in after if not isinstance(c, GiveRuling | ChooseOption))
    yield f"What if {what} had not been reported?", (*before, *rest)


# ---------------------------------------------------------------- answers


def _answer(played: PlayedCommands, question: str, commands: tuple[RoundCommand, ...]) -> Hypothesis:
    judged = _Judged(played, commands)
    nets: dict[str, Money] = {}
    for line in judged.lines:
        nets[line.player] = nets.get(line.player, 0) + line.won + line.returned - line.staked
    return Hypothesis(
        question=question,
        stage=judged.tables.rounds[played.table].stage,
        lines=tuple(
            extended(HypotheticalLine, line, outcome=line.outcome.value)
            for line in sorted(judged.lines, key=lambda line: (line.box, line.player))
        ),
        nets=nets,
        refused=tuple(judged.refused),
        waits=judged.waits,
    )


class _Judged:
    """Commands of one round, judged one after another as the house, the replay and the audit judge them."""

    def __init__(self, played: PlayedCommands, commands: Sequence[RoundCommand]) -> None:
        self.played = played
        before = replace(new_table(played.terms.boxes), number=played.number - 1)
        self.tables = Tables(terms={played.table: played.terms}, rounds={played.table: before}, link=played.link)
        self.lines: list[BetSettled] = []
        self.refused: list[str] = []
        self.waits = ""
        for command in commands:
            self.ask(command)
        self._waiting()

    def ask(self, command: RoundCommand) -> None:
        table, terms = self.played.table, self.played.terms
        if isinstance(command, ExamineHand) and self.played.decks:
            state = self.tables.rounds[table]
            shoe = self.played.decks.get(state.deals)
            if shoe is not None and state.dealt:
                cards = tuple(shoe[at] for at in state.ordinals(str(command.box)))
                command = replace(command, cards=cards, from_deck=True)
        if not self._enter(act(self.tables, table, command)):
            return
        while (work := dealers_work(terms, self.tables.rounds[table])) is not None:
            if not self.played.decks:
                return  # the dealer entered what was turned
            todo: RoundCommand
            if isinstance(work, CardsToTurn):
                shoe = self.played.decks.get(self.tables.rounds[table].deals)
                if shoe is None:
                    self.waits = "another deck: the cards would have been dealt again"
                    return
                todo = TurnCards(cards={place: tuple(shoe[at] for at in of) for place, of in work.places.items()})
            else:
                todo = work
            if not self._enter(act(self.tables, table, todo)):
                return

    def _enter(self, answer: Happened | Refusal) -> bool:
        if isinstance(answer, Refusal):
            self.refused.append(answer.message)
            return False
        self.tables = answer.tables
        for _, event in answer.events:
            if isinstance(event, RoundReopened):
                self.lines.clear()
            elif isinstance(event, BetSettled) and event.round == self.played.number:
                self.lines.append(event)
        self.lines += [event.line for event in answer.link_events if isinstance(event, CasePaid | CaseDenied)]
        return True

    def _waiting(self) -> None:
        """Say what the round waits for at the end of the commands."""
        state = self.tables.rounds[self.played.table]
        if self.waits or state.stage not in (Stage.BETTING, Stage.PLAYING):
            return
        due = decision_due(self.played.terms, state)
        if state.awaiting:
            waits = state.awaiting[0]
            who = "the players" if waits.role is None else f"a {waits.role.title} or above"
            self.waits = f"{who}, after {words(waits.report.incident)}"
        elif due is not None:
            boxes = ", ".join(map(str, due[1]))
            self.waits = f"a decision of box {boxes}: {' or '.join(map(words, due[0].choices))}"
        else:
            self.waits = "bets" if state.stage is Stage.BETTING else "cards that were not dealt in the round"
