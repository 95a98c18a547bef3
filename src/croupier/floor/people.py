"""People of the house: who they are, and how they prove it."""

from __future__ import annotations

import hashlib
import hmac
from typing import TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from croupier.floor.facts import Fact
from croupier.floor.posts import MAY, Action, Post
from croupier.floor.requests import Measure

PersonName: TypeAlias = str

STANDS_FOR = 900_000_000
"""Microseconds that a proposal waits for its second signature."""


class Person(msgspec.Struct, frozen=True):
    """Somebody who may log in."""

    name: PersonName
    post: Post
    secret: str
    """Salt and scrypt hash; empty where nobody can log in with a password."""

    def may(self, action: Action) -> bool:
        return self.post in MAY[action]


class Session(msgspec.Struct, frozen=True):
    """A log-in that can be revoked at any time; only the hash of its token is kept."""

    person: PersonName
    csrf: str


# ---------------------------------------------------------------- what happens to people


class PersonEnrolled(Fact, frozen=True):
    """Somebody may log in from now on."""

    name: PersonName
    post: Post
    secret: str


class PersonRemoved(Fact, frozen=True):
    """Somebody may no longer log in; his sessions are closed."""

    name: PersonName


class SessionOpened(Fact, frozen=True):
    """Somebody has logged in."""

    token_hash: str
    person: PersonName
    csrf: str


class SessionClosed(Fact, frozen=True):
    """A session is over, by its owner or by revocation."""

    token_hash: str


class AccessRefused(Fact, frozen=True):
    """Somebody asked for what his post may not."""

    person: PersonName
    action: str
    what: str


class MeasureProposed(Fact, frozen=True):
    """The first of two people has signed for a measure."""

    proposal: str
    by: PersonName
    words: str
    second: Action
    measure: Measure
    until: int
    """How long it waits for its second signature (microseconds since 1970, UTC)."""


class MeasureSettled(Fact, frozen=True):
    """The second of them has; what came of it stands where the measure concerns."""

    proposal: str
    by: PersonName


PeopleFact: TypeAlias = (
    PersonEnrolled | PersonRemoved | SessionOpened | SessionClosed | AccessRefused | MeasureProposed | MeasureSettled
)


class People(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody the house knows, who is logged in, and what waits for a second signature."""

    persons: dict[PersonName, Person] = {}
    sessions: dict[str, Session] = {}
    proposals: dict[str, MeasureProposed] = {}


def evolve_people(people: People, fact: PeopleFact) -> People:
    """(state, event) -> state."""
    match fact:
        case PersonEnrolled(name=name, post=post, secret=secret):
            return replace(people, persons={**people.persons, name: Person(name, post, secret)})
        case PersonRemoved(name=name):
            persons = {k: p for k, p in people.persons.items() if k != name}
            sessions = {k: s for k, s in people.sessions.items() if s.person != name}
            return replace(people, persons=persons, sessions=sessions)
        case SessionOpened(token_hash=token_hash, person=person, csrf=csrf):
            return replace(people, sessions={**people.sessions, token_hash: Session(person, csrf)})
        case SessionClosed(token_hash=token_hash):
            left = {k: s for k, s in people.sessions.items() if k != token_hash}
            return replace(people, sessions=left)
        case AccessRefused():
            return people
        case MeasureProposed(proposal=key, until=until):
            # Each waits equally long, so whatever was over when this one came can be forgotten.
            waiting = {k: p for k, p in people.proposals.items() if p.until > until - STANDS_FOR}
            return replace(people, proposals={**waiting, key: fact})
        case MeasureSettled(proposal=key):
            return replace(people, proposals={k: p for k, p in people.proposals.items() if k != key})
        case _:
            assert_never(fact)


# ---------------------------------------------------------------- secrets

_SCRYPT_COST = 2**14


def sealed_password(password: str, salt: bytes) -> str:
    """A password as it is kept: scrypt with its own salt."""
    digest = hashlib.scrypt(password.encode(), salt=salt, n=_SCRYPT_COST, r=8, p=1)
    return f"{salt.hex()}:{digest.hex()}"


def password_fits(password: str, secret: str) -> bool:
    """Compared in constant time; nobody fits an empty secret."""
    salt, _, digest = secret.partition(":")
    if not digest:
        return False
    return hmac.compare_digest(sealed_password(password, bytes.fromhex(salt)), secret)


def token_hash(token: str) -> str:
    """What is kept of a session's token."""
    return hashlib.sha256(token.encode()).hexdigest()
