"""Whom each command of the house concerns, and what it answers."""

from __future__ import annotations

from typing import assert_never

from croupier.floor.house.cuts import archive_table
from croupier.floor.house.handlers.cashier import at_the_cage
from croupier.floor.house.handlers.credentials import about_credentials
from croupier.floor.house.handlers.links import about_link, at_table, collect, on_link, take_table
from croupier.floor.house.handlers.openings import (
    about_duties,
    about_measures,
    about_people,
    about_table,
    open_link,
)
from croupier.floor.house.transaction import Work
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


def carry_out(work: Work) -> Answer:
    """Do what the request asks, or raise Refused; nothing is kept before `keep`."""
    command = work.request.command
    match command:
        case AtTable():
            at_table(work, command)
        case LinkAsked():
            about_link(work, command)
        case BuyIn() | CashOut() | AskConsent() | SettleConsent():
            at_the_cage(work, command)
        case OpenTable() | ChangeTerms() | CloseTable() | ReopenTable():
            about_table(work, command)
        case (
            FoundHouse()
            | EnrolPerson()
            | ChangeSecret()
            | RemovePerson()
            | ErasePerson()
            | OpenSession()
            | CloseSession()
            | NoteRefusal()
            | NoteClockStep()
            | CountRefusals()
        ):
            about_people(work, command)
        case (
            ResealSecret()
            | EnrolFactor()
            | RemoveFactor()
            | MarkBreakGlass()
            | UseSession()
            | LockSession()
            | UnlockSession()
        ):
            about_credentials(work, command)
        case ProposeMeasure() | SettleMeasure():
            about_measures(work, command)
        case AssignPerson() | SetDuties():
            about_duties(work, command)
        case ArchiveTable():
            archive_table(work, command)
        case OpenLink():
            open_link(work, command)
        case OnLink():
            on_link(work, command)
        case CollectAwards(link=link):
            collect(work, link)
        case TakeTable(table=name):
            take_table(work, name)
        case _:
            assert_never(command)
    work.check_funds()
    heads = {stream: head.seq for stream, head in work.heads.items()}
    return Answer(accepted=True, heads=heads, stood=work.stood)
