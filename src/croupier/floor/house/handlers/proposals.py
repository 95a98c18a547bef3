"""Proposals: measures that wait for a second person, and the bounds above which a measure takes two."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.floor.house.handlers.links import check_new_link
from croupier.floor.house.handlers.people import check_new_person
from croupier.floor.house.handlers.tables import check_new_terms
from croupier.floor.house.memory.state import HouseState
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.people import STANDS_FOR
from croupier.floor.people.second_signature import (
    WAITING_MOST,
    check_decline,
    check_new_measure,
    check_two_people,
    check_withdrawal,
    waiting,
)
from croupier.floor.records.commands import (
    ChangeTerms,
    DeclineMeasure,
    EnrolPerson,
    OpenLink,
    ProposeMeasure,
    Request,
    SetDuties,
    SettleMeasure,
    WithdrawMeasure,
)
from croupier.floor.records.people_facts import (
    DutiesSet,
    MeasureDeclined,
    MeasureProposed,
    MeasureSettled,
    MeasureWithdrawn,
)
from croupier.floor.records.refusals import Code, Refused
from croupier.journal.store import Answered
from croupier.structs import extended

SIGNED = "proposal/"
"""What the id of a command begins with that a proposal asked for; the proposal's number follows."""


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
        case ChangeTerms() as measure:
            check_new_terms(transaction, measure)
    if asked.proposal in people.proposals or not asked.by:
        raise Refused(Code.BAD_PROPOSAL, "A proposal has a number of its own and a person who makes it.")
    check_new_measure(people, asked.measure, now)
    transaction.enter_people(extended(MeasureProposed, asked, until=now + STANDS_FOR))


def settle_measure(transaction: Transaction, asked: SettleMeasure) -> None:
    """Drop a proposal that its second person has signed for."""
    people = transaction.house.people
    waits = people.proposals.get(asked.proposal)
    if waits is None:
        raise Refused(Code.UNKNOWN_PROPOSAL, "No proposal of that number waits for a signature.")
    check_two_people(people, waits.by, asked.by, transaction.request.at)
    transaction.enter_people(extended(MeasureSettled, asked))


def withdraw_measure(transaction: Transaction, asked: WithdrawMeasure) -> None:
    """Drop a proposal that the person who made it takes back."""
    check_withdrawal(transaction.house.people, asked.proposal, asked.by)
    transaction.check_readers("the end of a proposal")
    transaction.enter_people(extended(MeasureWithdrawn, asked))


def decline_measure(transaction: Transaction, asked: DeclineMeasure) -> None:
    """Drop a proposal that a person who could have signed it declines, and keep the words for its proposer."""
    check_decline(transaction.house.people, asked.proposal, asked.by, asked.words)
    transaction.check_readers("the end of a proposal")
    transaction.enter_people(extended(MeasureDeclined, asked))


def set_duties(transaction: Transaction, asked: SetDuties) -> None:
    """Put the bounds of what one person may do alone in force."""
    duties = asked.duties
    if min(duties.limits, duties.payments, duties.own_account_hours) < 0 or duties.consent_seconds < 1:
        raise Refused(Code.BAD_DUTIES, "Bounds of duties are not below 0, and a consent waits at least 1 second.")
    transaction.enter_people(extended(DutiesSet, asked))


def check_waits(house: HouseState, request: Request, judged: Sequence[Answered]) -> None:
    """Refuse to carry out a proposal that was closed, and to close one that is carried out; `judged` are the answers
    that are about to be written.
    """
    command = request.command
    if request.id.startswith(SIGNED) and request.id.removeprefix(SIGNED) not in house.people.proposals:
        raise Refused(Code.UNKNOWN_PROPOSAL, "This proposal was withdrawn or declined; nothing was done.")
    if type(command) is not WithdrawMeasure and type(command) is not DeclineMeasure:
        return
    carried_out = SIGNED + command.proposal
    if any(answer.id == carried_out for answer in judged) or house.store.answers([carried_out]):
        raise Refused(Code.SIGNED_ALREADY, "Another person has signed this proposal already.")
