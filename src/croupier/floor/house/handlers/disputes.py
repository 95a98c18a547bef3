"""Disputes of rounds: opened, noted, decided and closed."""

from __future__ import annotations

from croupier.floor.house.transaction import Transaction
from croupier.floor.people.disputes import NOTES_MOST, WORDS_MOST, Dispute
from croupier.floor.records.commands import CloseDispute, DecideDispute, NoteDispute, OpenDispute
from croupier.floor.records.people_facts import DisputeClosed, DisputeDecided, DisputeNoted, DisputeOpened
from croupier.floor.records.refusals import Code, Refused
from croupier.structs import extended


def open_dispute(transaction: Transaction, asked: OpenDispute) -> None:
    """Open the case of a dispute."""
    if asked.dispute in transaction.house.people.disputes or not asked.by or asked.round < 1:
        raise Refused(Code.BAD_DISPUTE, "A dispute has a number of its own, a round and a person who opens it.")
    transaction.check_readers("disputes")
    if asked.until <= transaction.request.at:
        raise Refused(Code.BAD_DISPUTE, "The deadline of a dispute lies in the future.")
    if asked.table not in transaction.house.tables:
        raise Refused(Code.UNKNOWN_TABLE, f"There is no table {asked.table[:40]}.")
    for case in transaction.house.people.disputes.values():
        if (case.table, case.round, case.player) == (asked.table, asked.round, asked.player) and not case.closed:
            raise Refused(Code.DISPUTE_OPEN, "A dispute of this round and player is open already: add a note to it.")
    transaction.enter_people(extended(DisputeOpened, asked, words=_words(asked.words), at=transaction.request.at))


def note_dispute(transaction: Transaction, asked: NoteDispute) -> None:
    """Add a note to the case of a dispute."""
    case = _open_case(transaction, asked.dispute)
    if len(case.notes) >= NOTES_MOST:
        raise Refused(Code.TOO_MANY, f"The case has {NOTES_MOST} notes already.")
    transaction.enter_people(extended(DisputeNoted, asked, words=_words(asked.words), at=transaction.request.at))


def decide_dispute(transaction: Transaction, asked: DecideDispute) -> None:
    """Decide a dispute, once."""
    case = _open_case(transaction, asked.dispute)
    if case.outcome is not None:
        raise Refused(Code.DISPUTE_DECIDED, f"The dispute was decided already: {case.outcome.value}.")
    transaction.enter_people(extended(DisputeDecided, asked, words=_words(asked.words), at=transaction.request.at))


def close_dispute(transaction: Transaction, asked: CloseDispute) -> None:
    """Close the case of a dispute that is decided."""
    case = _open_case(transaction, asked.dispute)
    if case.outcome is None:
        raise Refused(Code.NOT_DECIDED, "A dispute is decided before its case is closed.")
    words = asked.words.strip()[:WORDS_MOST]
    transaction.enter_people(extended(DisputeClosed, asked, words=words, at=transaction.request.at))


def _open_case(transaction: Transaction, number: str) -> Dispute:
    case = transaction.house.people.disputes.get(number)
    if case is None:
        raise Refused(Code.UNKNOWN_DISPUTE, "There is no dispute of that number.")
    if case.closed:
        raise Refused(Code.DISPUTE_CLOSED, "The case of this dispute is closed.")
    return case


def _words(text: str) -> str:
    words = text.strip()
    if not words or len(words) > WORDS_MOST:
        raise Refused(Code.BAD_DISPUTE, f"A dispute and its notes have between 1 and {WORDS_MOST} characters.")
    return words
