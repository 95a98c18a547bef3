"""Commands at a table, from betting to the settlement."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.floor.house.handlers.links import report_everywhere
from croupier.floor.house.round_play import check_rulebook, play
from croupier.floor.house.transaction import Transaction
from croupier.floor.records.commands import AtTable
from croupier.floor.records.refusals import Code, Refused
from croupier.jackpots.linked_tables import spreads
from croupier.rounds.commands import CorrectCards, DealCards, DecideHand, ReportIncident, TurnCards
from croupier.rounds.state import Round
from croupier.rulebooks.vocabulary import Role

_OF_REAL_CARDS = (TurnCards, DealCards, CorrectCards)


def command_table(transaction: Transaction, asked: AtTable) -> None:
    """Carry out a command at a table; a fault of the whole link is carried out at all of its tables."""
    table = transaction.table(asked.table)
    check_rulebook(table.terms)
    command = asked.command
    _check_is_for_now(transaction.round(table), asked)
    if not table.config.physical and type(command) in _OF_REAL_CARDS:
        raise Refused(Code.NOT_A_PERSONS, "At this table the program deals: people do not enter or correct cards.")
    if type(command) is ReportIncident and spreads(table.terms, command) and table.config.link is not None:
        report_everywhere(transaction, table.config.link, command)
        return
    play(transaction, table, command)


def _check_is_new(state: Round, report: ReportIncident) -> None:
    """Refuse a report that the Round waits for an answer to already: two consoles, or a button pressed twice."""
    facts = replace(report, by=Role.DEALER, award_paid=False)
    if any(facts == replace(awaited.report, by=Role.DEALER, award_paid=False) for awaited in state.awaiting):
        what = "The same was reported already, and the round waits for the answer to it."
        raise Refused(Code.ALREADY_REPORTED, what)


def _check_is_for_now(state: Round, asked: AtTable) -> None:
    """Refuse a late command, so that it never hits the next Round or the next decision."""
    if asked.round is not None and asked.round != state.number:
        what = f"The command is for round {asked.round}, and table {asked.table} is at round {state.number}."
        raise Refused(Code.ANOTHER_ROUND, what)
    command = asked.command
    if type(command) is ReportIncident:
        _check_is_new(state, command)
    if asked.decided is None or type(command) is not DecideHand or not 1 <= command.box <= len(state.boxes):
        return
    made = len(state.box(command.box).choices)
    if made != asked.decided:
        what = f"The command is for decision {asked.decided + 1} of box {command.box}, which is at {made + 1}."
        raise Refused(Code.ANOTHER_DECISION, what)
