"""Proposals: measures that wait for a second person, and the bounds above which a measure takes two."""

from __future__ import annotations

from croupier.floor.house.handlers.links import check_new_link
from croupier.floor.house.handlers.people import check_new_person
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.people import STANDS_FOR
from croupier.floor.people.second_signature import WAITING_MOST, check_two_people, waiting
from croupier.floor.records.commands import EnrolPerson, OpenLink, ProposeMeasure, SetDuties, SettleMeasure
from croupier.floor.records.people_facts import DutiesSet, MeasureProposed, MeasureSettled
from croupier.floor.records.refusals import Code, Refused
from croupier.structs import extended


def propose_measure(transaction: Transaction, asked: ProposeMeasure) -> None:
    """Keep a measure that its first person has signed for."""
    people, now = transaction.house.people, transaction.request.at
    if len(waiting(people, now)) >= WAITING_MOST:
        raise Refused(Code.TOO_MANY, "Too many measures already wait for a signature.")
    match asked.measure:  # what could never be done does not wait for a signature
        case EnrolPerson() as measure:
            check_new_person(transaction, measure)
        case OpenLink() as measure:
            check_new_link(transaction, measure)
    if asked.proposal in people.proposals or not asked.by:
        raise Refused(Code.BAD_PROPOSAL, "A proposal has a number of its own and a person who makes it.")
    transaction.enter_people(extended(MeasureProposed, asked, until=now + STANDS_FOR))


def settle_measure(transaction: Transaction, asked: SettleMeasure) -> None:
    """Drop a proposal that its second person has signed for."""
    people = transaction.house.people
    waits = people.proposals.get(asked.proposal)
    if waits is None:
        raise Refused(Code.UNKNOWN_PROPOSAL, "No proposal of that number waits for a signature.")
    check_two_people(people, waits.by, asked.by, transaction.request.at)
    transaction.enter_people(extended(MeasureSettled, asked))


def set_duties(transaction: Transaction, asked: SetDuties) -> None:
    """Put the bounds of what one person may do alone in force."""
    duties = asked.duties
    if min(duties.limits, duties.payments, duties.own_account_hours) < 0 or duties.consent_seconds < 1:
        raise Refused(Code.BAD_DUTIES, "Bounds of duties are not below 0, and a consent waits at least 1 second.")
    transaction.enter_people(extended(DutiesSet, asked))
