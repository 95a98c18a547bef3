"""Players' own limits: set, and acknowledged; and more chips for the players of a demonstration."""

from __future__ import annotations

from croupier.floor.duties.permissions import Post
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.own_limits import DEMO_CHIPS, Play, check_demo_chips, check_limits
from croupier.floor.people.people import known_person
from croupier.floor.records.commands import AcknowledgeCheck, SetLimits, TakeDemoChips
from croupier.floor.records.play_facts import CheckAcknowledged, DemoChipsTaken, LimitsSet
from croupier.floor.records.refusals import Code, Refused
from croupier.ledger.entries import demo_entry
from croupier.structs import extended


def set_limits(transaction: Transaction, asked: SetLimits) -> None:
    """Set a player's own limits."""
    _check_player(transaction, asked.person)
    fact = extended(LimitsSet, asked, at=transaction.request.at)
    check_limits(fact)
    transaction.enter_people(fact)


def acknowledge_check(transaction: Transaction, asked: AcknowledgeCheck) -> None:
    """Record that a player has seen how they stand."""
    _check_player(transaction, asked.person)
    play, now = transaction.people.play.get(asked.person, Play()), transaction.request.at
    if not play.is_running(now):
        raise Refused(Code.NO_SESSION, "No session of play with limits is running.")
    transaction.enter_people(CheckAcknowledged(person=asked.person, at=now))


def take_demo_chips(transaction: Transaction, asked: TakeDemoChips) -> None:
    """Give a player of a demonstration house more chips."""
    _check_player(transaction, asked.person)
    if not transaction.people.demonstration:
        raise Refused(Code.DEMO_CHIPS, "Only a demonstration house gives chips away.")
    now = transaction.request.at
    check_demo_chips(transaction.people.play.get(asked.person, Play()), transaction.held(asked.person), now)
    fact = DemoChipsTaken(person=asked.person, at=now, amount=DEMO_CHIPS)
    transaction.enter_people(fact, demo_entry(asked.person, DEMO_CHIPS))


def _check_player(transaction: Transaction, name: str) -> None:
    if known_person(transaction.house.people, name).post is not Post.PLAYER:
        raise Refused(Code.BAD_LIMIT, f"{name} is not a player.")
    transaction.check_readers("limits")
