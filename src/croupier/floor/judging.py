"""Whom each command of the house concerns, and what it answers."""

from __future__ import annotations

from typing import assert_never

from croupier.floor.linked import at_table, collect, on_link, rule_payment, run_link, take_table, verify_award
from croupier.floor.openings import about_measures, about_people, at_the_cashier, change_table, open_link, open_table
from croupier.floor.requests import (
    AdjustMeter,
    Answer,
    AtTable,
    BuyIn,
    CashOut,
    ChangeParameters,
    ChangeTerms,
    CloseLink,
    CloseSession,
    CloseTable,
    CollectAwards,
    EnrolPerson,
    NoteRefusal,
    OnLink,
    OpenLink,
    OpenSession,
    OpenTable,
    ProposeMeasure,
    ReleaseAward,
    RemovePerson,
    ReopenLink,
    ReopenTable,
    RuleDealOrder,
    SettleMeasure,
    TakeTable,
    VerifyAward,
)
from croupier.floor.working import Work


def carry_out(work: Work) -> Answer:
    """Do what the request asks, or raise Refused; nothing is kept before `keep`."""
    command = work.request.command
    match command:
        case AtTable():
            at_table(work, command)
        case BuyIn() | CashOut():
            at_the_cashier(work, command)
        case OpenTable():
            open_table(work, command)
        case ChangeTerms() | CloseTable() | ReopenTable():
            change_table(work, command)
        case EnrolPerson() | RemovePerson() | OpenSession() | CloseSession() | NoteRefusal():
            about_people(work, command)
        case ProposeMeasure() | SettleMeasure():
            about_measures(work, command)
        case OpenLink():
            open_link(work, command)
        case OnLink():
            on_link(work, command)
        case CollectAwards(link=link):
            collect(work, link)
        case TakeTable(table=name):
            take_table(work, name)
        case ReleaseAward() | RuleDealOrder():
            rule_payment(work, command)
        case VerifyAward():
            verify_award(work, command)
        case CloseLink() | ReopenLink() | ChangeParameters() | AdjustMeter():
            run_link(work, command)
        case _:
            assert_never(command)
    work.check_funds()
    heads = {stream: head.seq for stream, head in work.heads.items()}
    return Answer(accepted=True, heads=heads, stood=work.stood)
