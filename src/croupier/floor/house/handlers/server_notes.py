"""What the servers of a house put on record by themselves: its kind, refusals, and steps of a machine's clock."""

from __future__ import annotations

from croupier.floor.house.transaction import Transaction
from croupier.floor.records.commands import CountRefusals, FoundHouse, NoteClockStep, NoteRefusal
from croupier.floor.records.people_facts import AccessRefused, ClockStepped, HouseFounded, RefusalsCounted
from croupier.floor.records.refusals import Code, Refused
from croupier.structs import extended


def found_house(transaction: Transaction, asked: FoundHouse) -> None:
    """Record whether this is a demonstration house; once."""
    if transaction.house.people.demonstration is not None:
        raise Refused(Code.HOUSE_FOUNDED, "What kind of house this is was settled when it began.")
    transaction.enter_people(extended(HouseFounded, asked))


def note_refusal(transaction: Transaction, asked: NoteRefusal) -> None:
    """Record that a person asked for what their post may not do."""
    transaction.enter_people(extended(AccessRefused, asked))


def count_refusals(transaction: Transaction, asked: CountRefusals) -> None:
    """Record how many refusals of a person were not kept."""
    transaction.enter_people(extended(RefusalsCounted, asked))


def note_clock_step(transaction: Transaction, asked: NoteClockStep) -> None:
    """Record that the clock of a server's machine was set."""
    transaction.enter_people(extended(ClockStepped, asked))
