"""Which handler carries out which command."""

from __future__ import annotations

from typing import assert_never

from croupier.floor.house.handlers import (
    academy,
    archives,
    cashier,
    credentials,
    disputes,
    links,
    own_limits,
    people,
    proposals,
    rounds,
    server_notes,
    sessions,
    tables,
)
from croupier.floor.house.transaction import Transaction
from croupier.floor.records import commands
from croupier.jackpots.commands import LinkAsked


def carry_out(transaction: Transaction) -> commands.Answer:
    """Carry out the command of a transaction; raises Refused."""
    _hand_over(transaction)
    transaction.check_funds()
    changes = transaction.changes
    heads = {stream: head.seq for stream, head in changes.heads.items()}
    return commands.Answer(accepted=True, heads=heads, stood=changes.stood)


def _hand_over(transaction: Transaction) -> None:  # noqa: C901, PLR0912, PLR0915  one case for each command
    command = transaction.request.command
    match command:
        case commands.AtTable():
            rounds.command_table(transaction, command)
        case LinkAsked():
            links.command_link(transaction, command)
        case commands.BuyIn():
            cashier.buy_in(transaction, command)
        case commands.CashOut():
            cashier.cash_out(transaction, command)
        case commands.ChangeColour():
            cashier.change_colour(transaction, command)
        case commands.AskConsent():
            cashier.ask_consent(transaction, command)
        case commands.SettleConsent():
            cashier.settle_consent(transaction, command)
        case commands.OpenTable():
            tables.open_table(transaction, command)
        case commands.ScheduleEdition():
            tables.schedule_edition(transaction, command)
        case commands.CancelEdition():
            tables.cancel_edition(transaction, command)
        case commands.ChangeTerms():
            tables.change_terms(transaction, command)
        case commands.CloseTable():
            tables.close_table(transaction, command)
        case commands.ReopenTable():
            tables.reopen_table(transaction, command)
        case commands.TakeTable():
            tables.take_table(transaction, command)
        case commands.ArchiveTable():
            archives.archive_table(transaction, command)
        case commands.OpenLink():
            links.open_link(transaction, command)
        case commands.OnLink():
            links.report_fault(transaction, command)
        case commands.CollectAwards():
            links.collect_awards(transaction, command)
        case commands.EnrolPerson():
            people.enrol_person(transaction, command)
        case commands.AssignPerson():
            people.assign_person(transaction, command)
        case commands.RemovePerson():
            people.remove_person(transaction, command)
        case commands.ErasePerson():
            people.erase_person(transaction, command)
        case commands.ProposeMeasure():
            proposals.propose_measure(transaction, command)
        case commands.SettleMeasure():
            proposals.settle_measure(transaction, command)
        case commands.WithdrawMeasure():
            proposals.withdraw_measure(transaction, command)
        case commands.DeclineMeasure():
            proposals.decline_measure(transaction, command)
        case commands.SetDuties():
            proposals.set_duties(transaction, command)
        case commands.ChangeSecret():
            credentials.change_secret(transaction, command)
        case commands.ResealSecret():
            credentials.reseal_secret(transaction, command)
        case commands.EnrolFactor():
            credentials.enrol_factor(transaction, command)
        case commands.RemoveFactor():
            credentials.remove_factor(transaction, command)
        case commands.MarkBreakGlass():
            credentials.mark_break_glass(transaction, command)
        case commands.OpenSession():
            sessions.open_session(transaction, command)
        case commands.UseSession():
            sessions.use_session(transaction, command)
        case commands.LockSession():
            sessions.lock_session(transaction, command)
        case commands.UnlockSession():
            sessions.unlock_session(transaction, command)
        case commands.CloseSession():
            sessions.close_session(transaction, command)
        case commands.FoundHouse():
            server_notes.found_house(transaction, command)
        case commands.NoteRefusal():
            server_notes.note_refusal(transaction, command)
        case commands.CountRefusals():
            server_notes.count_refusals(transaction, command)
        case commands.HandOverTable():
            people.hand_over_table(transaction, command)
        case commands.ConfirmAwardPaid():
            links.confirm_award_paid(transaction, command)
        case commands.ConfirmRuling():
            people.confirm_ruling(transaction, command)
        case commands.CountTray():
            people.count_tray(transaction, command)
        case commands.NoteClockStep():
            server_notes.note_clock_step(transaction, command)
        case commands.OpenDispute():
            disputes.open_dispute(transaction, command)
        case commands.NoteDispute():
            disputes.note_dispute(transaction, command)
        case commands.DecideDispute():
            disputes.decide_dispute(transaction, command)
        case commands.CloseDispute():
            disputes.close_dispute(transaction, command)
        case commands.SetLimits():
            own_limits.set_limits(transaction, command)
        case commands.AcknowledgeCheck():
            own_limits.acknowledge_check(transaction, command)
        case commands.TakeDemoChips():
            own_limits.take_demo_chips(transaction, command)
        case commands.AskDrill():
            academy.ask_drill(transaction, command)
        case commands.AnswerDrill():
            academy.answer_drill(transaction, command)
        case commands.SetExam():
            academy.set_exam(transaction, command)
        case commands.WithdrawExam():
            academy.withdraw_exam(transaction, command)
        case commands.BeginSitting():
            academy.begin_sitting(transaction, command)
        case commands.AnswerSitting():
            academy.answer_sitting(transaction, command)
        case commands.EndSitting():
            academy.end_sitting(transaction, command)
        case _:
            assert_never(command)
