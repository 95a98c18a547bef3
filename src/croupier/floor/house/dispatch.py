"""Which handler carries out which command."""

from __future__ import annotations

from typing import assert_never

from croupier.floor.house.handlers import (
    archives,
    cashier,
    credentials,
    links,
    people,
    proposals,
    rounds,
    server_notes,
    sessions,
    tables,
)
from croupier.floor.house.transaction import Transaction
from croupier.floor.records.commands import (
    Answer,
    ArchiveTable,
    AskConsent,
    AssignPerson,
    AtTable,
    BuyIn,
    CashOut,
    ChangeSecret,
    ChangeTerms,
    CloseSession,
    CloseTable,
    CollectAwards,
    CountRefusals,
    EnrolFactor,
    EnrolPerson,
    ErasePerson,
    FoundHouse,
    LockSession,
    MarkBreakGlass,
    NoteClockStep,
    NoteRefusal,
    OnLink,
    OpenLink,
    OpenSession,
    OpenTable,
    ProposeMeasure,
    RemoveFactor,
    RemovePerson,
    ReopenTable,
    ResealSecret,
    SetDuties,
    SettleConsent,
    SettleMeasure,
    TakeTable,
    UnlockSession,
    UseSession,
)
from croupier.jackpots.commands import LinkAsked


def carry_out(transaction: Transaction) -> Answer:
    """Carry out the command of a transaction; raises Refused."""
    _hand_over(transaction)
    transaction.check_funds()
    changes = transaction.changes
    heads = {stream: head.seq for stream, head in changes.heads.items()}
    return Answer(accepted=True, heads=heads, stood=changes.stood)


def _hand_over(transaction: Transaction) -> None:  # noqa: C901, PLR0912, PLR0915  one case for each command
    command = transaction.request.command
    match command:
        case AtTable():
            rounds.command_table(transaction, command)
        case LinkAsked():
            links.command_link(transaction, command)
        case BuyIn():
            cashier.buy_in(transaction, command)
        case CashOut():
            cashier.cash_out(transaction, command)
        case AskConsent():
            cashier.ask_consent(transaction, command)
        case SettleConsent():
            cashier.settle_consent(transaction, command)
        case OpenTable():
            tables.open_table(transaction, command)
        case ChangeTerms():
            tables.change_terms(transaction, command)
        case CloseTable():
            tables.close_table(transaction, command)
        case ReopenTable():
            tables.reopen_table(transaction, command)
        case TakeTable():
            tables.take_table(transaction, command)
        case ArchiveTable():
            archives.archive_table(transaction, command)
        case OpenLink():
            links.open_link(transaction, command)
        case OnLink():
            links.report_fault(transaction, command)
        case CollectAwards():
            links.collect_awards(transaction, command)
        case EnrolPerson():
            people.enrol_person(transaction, command)
        case AssignPerson():
            people.assign_person(transaction, command)
        case RemovePerson():
            people.remove_person(transaction, command)
        case ErasePerson():
            people.erase_person(transaction, command)
        case ProposeMeasure():
            proposals.propose_measure(transaction, command)
        case SettleMeasure():
            proposals.settle_measure(transaction, command)
        case SetDuties():
            proposals.set_duties(transaction, command)
        case ChangeSecret():
            credentials.change_secret(transaction, command)
        case ResealSecret():
            credentials.reseal_secret(transaction, command)
        case EnrolFactor():
            credentials.enrol_factor(transaction, command)
        case RemoveFactor():
            credentials.remove_factor(transaction, command)
        case MarkBreakGlass():
            credentials.mark_break_glass(transaction, command)
        case OpenSession():
            sessions.open_session(transaction, command)
        case UseSession():
            sessions.use_session(transaction, command)
        case LockSession():
            sessions.lock_session(transaction, command)
        case UnlockSession():
            sessions.unlock_session(transaction, command)
        case CloseSession():
            sessions.close_session(transaction, command)
        case FoundHouse():
            server_notes.found_house(transaction, command)
        case NoteRefusal():
            server_notes.note_refusal(transaction, command)
        case CountRefusals():
            server_notes.count_refusals(transaction, command)
        case NoteClockStep():
            server_notes.note_clock_step(transaction, command)
        case _:
            assert_never(command)
