"""Credentials: passwords, second factors and break-glass accounts."""

from __future__ import annotations

import hashlib

from croupier.floor.house.transaction import Transaction
from croupier.floor.people.people import known_person
from croupier.floor.records import people_facts
from croupier.floor.records.commands import ChangeSecret, EnrolFactor, MarkBreakGlass, RemoveFactor, ResealSecret
from croupier.floor.records.refusals import Code, Refused
from croupier.structs import extended


def secret_hash(secret: str) -> str:
    """Name the secret that a password was compared with, without telling it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def change_secret(transaction: Transaction, asked: ChangeSecret) -> None:
    """Give a person another password."""
    known_person(transaction.house.people, asked.name)
    transaction.enter_people(extended(people_facts.SecretChanged, asked, at=transaction.request.at))


def reseal_secret(transaction: Transaction, asked: ResealSecret) -> None:
    """Keep the same password at a higher cost."""
    if secret_hash(known_person(transaction.house.people, asked.name).secret) != asked.before:
        raise Refused(Code.SECRET_CHANGED, f"The password of {asked.name} was changed meanwhile.")
    transaction.enter_people(extended(people_facts.SecretResealed, asked))


def enrol_factor(transaction: Transaction, asked: EnrolFactor) -> None:
    """Give a person a second factor."""
    if known_person(transaction.house.people, asked.name).factor:
        raise Refused(Code.FACTOR_EXISTS, f"{asked.name} already has a second factor: remove it first.")
    transaction.enter_people(extended(people_facts.FactorEnrolled, asked))


def remove_factor(transaction: Transaction, asked: RemoveFactor) -> None:
    """Remove a person's second factor."""
    if not known_person(transaction.house.people, asked.name).factor:
        raise Refused(Code.NO_FACTOR, f"{asked.name} has no second factor.")
    transaction.enter_people(extended(people_facts.FactorRemoved, asked))


def mark_break_glass(transaction: Transaction, asked: MarkBreakGlass) -> None:
    """Make an account one for emergencies, or an ordinary one again."""
    if known_person(transaction.house.people, asked.name).break_glass == asked.marked:
        which = "is already a break-glass account" if asked.marked else "is not a break-glass account"
        raise Refused(Code.BREAK_GLASS, f"{asked.name} {which}.")
    transaction.enter_people(extended(people_facts.BreakGlassMarked, asked))
