"""People of the house: who they are, and how they prove it.

How a password is kept is in `passwords`; what may be asked about credentials is judged in `credentials`.
"""

from __future__ import annotations

import hashlib
from typing import TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from croupier.floor.duties.bounds import Duties
from croupier.floor.duties.permissions import MAY, Action, Post
from croupier.floor.records.commands import Measure, Payment
from croupier.floor.records.facts import Fact

PersonName: TypeAlias = str

STANDS_FOR = 900_000_000
"""Microseconds that a proposal waits for its second signature."""


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who may log in."""

    name: PersonName
    post: Post
    secret: str
    """Scrypt hash with its salt and cost; empty where nobody can log in with a password."""
    must_change: bool = False
    """The password was made by somebody else: it opens nothing but its own change."""
    factor: str = ""
    """The secret of the second factor, sealed with the server's key; empty without one."""
    recovery: tuple[str, ...] = ()
    """Hashes of the recovery codes that were not used yet."""
    step: int = 0
    """The time step of the last code that was used: neither it nor an earlier one is taken again."""
    break_glass: bool = False
    """For emergencies: a log-in raises an alarm and uses up the password."""
    alarm: int = 0
    """When the break-glass account was used (microseconds since 1970, UTC); 0 once it has another password."""
    made_by: PersonName = ""
    """The person who last gave this account its password, other than its owner; empty where an operator did."""
    made_at: int = 0
    pits: tuple[str, ...] = ()
    """Where this person works; with neither pits nor tables, everywhere."""
    tables: tuple[str, ...] = ()

    def may(self, action: Action) -> bool:
        return self.post in MAY[action]


def sees_names(person: Person | None) -> bool:
    """Whether a person may know who else plays: staff, those who check, and those who enrol people."""
    return person is not None and person.post not in (Post.PLAYER, Post.DISPLAY)


class Session(msgspec.Struct, frozen=True, omit_defaults=True):
    """A log-in that can be revoked at any time; only the hash of its token is kept."""

    person: PersonName
    csrf: str
    opened: int = 0
    """Microseconds since 1970, UTC; 0 where an earlier release opened it and did not say."""
    used: int = 0
    """Likewise, when it was last noted as used."""
    came_from: str = ""
    browser: str = ""
    locked: bool = False
    """It was left unused for too long: it asks for the password again."""


# ---------------------------------------------------------------- what happens to people


class HouseFounded(Fact, frozen=True):
    """What kind of house this is, for good: a demonstration, or not."""

    demonstration: bool


class PersonEnrolled(Fact, frozen=True):
    """A person may log in from now on."""

    name: PersonName
    post: Post
    secret: str
    by: PersonName = ""
    second: PersonName = ""
    """The second person, for everybody but players."""
    at: int = 0
    """When that was (microseconds since 1970, UTC); 0 in records of earlier releases."""
    commitment: str = ""
    """To the name, which is in the directory; empty where the id is the name."""


class SecretChanged(Fact, frozen=True):
    """A person has another password; the sessions of the old one are closed."""

    name: PersonName
    secret: str
    by: PersonName
    at: int = 0
    once: bool = False
    """It has to be changed at the next log-in."""
    keeps: str = ""
    """The session in which a person changed their own password: it goes on."""


class SecretResealed(Fact, frozen=True):
    """A password is kept at a higher cost from now on; it is still the same one."""

    name: PersonName
    before: str
    """Hash of the secret as it was kept before."""
    secret: str


class FactorEnrolled(Fact, frozen=True):
    """A person proves themself with a second factor from now on."""

    name: PersonName
    sealed: str
    recovery: tuple[str, ...]
    step: int
    """The time step of the code that proved the device: it is used."""


class FactorRemoved(Fact, frozen=True):
    """A person has no second factor any more."""

    name: PersonName
    by: PersonName


class BreakGlassMarked(Fact, frozen=True):
    """An account is for emergencies from now on, or no longer."""

    name: PersonName
    marked: bool
    by: PersonName


class PersonAssigned(Fact, frozen=True):
    """A person works in these pits and at these tables alone; where none are named, everywhere."""

    name: PersonName
    by: PersonName
    pits: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()


class PersonRemoved(Fact, frozen=True):
    """A person may no longer log in; their sessions are closed."""

    name: PersonName
    by: PersonName = ""
    at: int = 0


class PersonErased(Fact, frozen=True):
    """The name of a person who was removed has left the directory; the records keep the id."""

    name: PersonName
    by: PersonName
    at: int


class SessionOpened(Fact, frozen=True):
    """Somebody has logged in."""

    token_hash: str
    person: PersonName
    csrf: str
    at: int = 0
    came_from: str = ""
    """Only in records of earlier releases, as the browser."""
    browser: str = ""
    step: int = 0
    """The time step of the code that was used; 0 without one."""
    recovery: str = ""
    """Hash of the recovery code that was used."""
    break_glass: bool = False
    """It is an emergency: the alarm is raised, and the password is used up."""


class SessionUsed(Fact, frozen=True):
    """A session is in use; noted now and then, so that every server of a house knows."""

    token_hash: str
    at: int


class SessionLocked(Fact, frozen=True):
    """A session was left unused for too long."""

    token_hash: str


class SessionUnlocked(Fact, frozen=True):
    """The person has given the password again."""

    token_hash: str
    at: int


class SessionClosed(Fact, frozen=True):
    """A session is over, by its owner or by revocation."""

    token_hash: str
    by: PersonName = ""


class AccessRefused(Fact, frozen=True):
    """Somebody asked for what his post may not."""

    person: PersonName
    action: str
    what: str


class RefusalsCounted(Fact, frozen=True):
    """So much more was refused to a person than is kept of it."""

    person: PersonName
    """Empty of strangers."""
    action: str
    """What AccessRefused calls it; `command` of commands that the rules refused."""
    count: int
    since: int
    until: int


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


class ClockStepped(Fact, frozen=True):
    """The clock of a server's machine was set; the house's own time runs on evenly and approaches it."""

    server: str
    by: int
    """Microseconds; below zero where it was set back."""
    followed: bool = False
    """The step was too great to approach: the house's time made it too."""


CredentialFact: TypeAlias = (
    SecretResealed | FactorEnrolled | FactorRemoved | BreakGlassMarked | SessionUsed | SessionLocked | SessionUnlocked
)


class DutiesSet(Fact, frozen=True):
    """These bounds of what one person may do alone are in force."""

    duties: Duties
    by: PersonName


class ConsentAsked(Fact, frozen=True):
    """The cage has asked a player whether a payment is right."""

    consent: str
    payment: Payment
    until: int
    """How long it waits for the player's word (microseconds since 1970, UTC)."""


class ConsentSettled(Fact, frozen=True):
    """The player has confirmed a payment, which stands in the cashier's stream, or has declined it."""

    consent: str
    by: PersonName
    given: bool


PeopleFact: TypeAlias = (
    HouseFounded
    | PersonEnrolled
    | SecretChanged
    | CredentialFact
    | PersonRemoved
    | PersonErased
    | SessionOpened
    | SessionClosed
    | AccessRefused
    | RefusalsCounted
    | MeasureProposed
    | MeasureSettled
    | ClockStepped
    | PersonAssigned
    | DutiesSet
    | ConsentAsked
    | ConsentSettled
)


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A payment of which a player has been asked."""

    payment: Payment
    until: int
    given: bool | None = None
    """What the player said; None before."""


CONSENTS_KEPT = 900_000_000
"""Microseconds that a payment of which a player was asked is kept for the cage to look at."""


class People(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody the house knows, who is logged in, and what waits for a second signature."""

    persons: dict[PersonName, Person] = {}
    sessions: dict[str, Session] = {}
    proposals: dict[str, MeasureProposed] = {}
    duties: Duties | None = None
    """Bounds of what one person may do alone; None before a server has put any in force."""
    consents: dict[str, Asking] = {}
    """Payments of which players were asked, the oldest first."""
    paired: bool = False
    """A person who may sign for new staff has been removed: from then on nobody enrols staff alone."""
    erased: tuple[PersonName, ...] = ()
    """People whose names were erased."""
    demonstration: bool | None = None
    """Whether this is a demonstration house; None where an earlier release began it and did not say."""


def evolve_people(people: People, fact: PeopleFact) -> People:
    """(state, event) -> state."""
    match fact:
        case PersonEnrolled(name=name, post=post, secret=secret, by=by, at=at):
            # What an earlier release recorded leaves the state that its own snapshots hold.
            enrolled = Person(name, post, secret, made_by=by if at else "", made_at=at)
            return replace(people, persons={**people.persons, name: enrolled})
        case PersonAssigned() | DutiesSet() | ConsentAsked() | ConsentSettled():
            return _evolve_duties(people, fact)
        case HouseFounded(demonstration=demonstration):
            return replace(people, demonstration=demonstration)
        case SecretChanged(name=name, secret=secret, by=by, at=at, once=once, keeps=keeps):
            sessions = {k: s for k, s in people.sessions.items() if s.person != name or k == keeps}
            changed = _changed(people, name, secret=secret, must_change=once, alarm=0)
            if at and by != name:
                changed = _changed(changed, name, made_by=by, made_at=at)
            return replace(changed, sessions=sessions)
        case PersonRemoved(name=name, at=at):
            persons = {k: p for k, p in people.persons.items() if k != name}
            sessions = {k: s for k, s in people.sessions.items() if s.person != name}
            removed = people.persons.get(name)
            paired = people.paired or (at > 0 and removed is not None and removed.may(Action.SIGN_ENROLMENTS))
            return replace(people, persons=persons, sessions=sessions, paired=paired)
        case PersonErased(name=name):
            return replace(people, erased=(*people.erased, name))
        case SessionOpened(token_hash=token_hash, person=name):
            at = fact.at
            session = Session(name, fact.csrf, opened=at, used=at, came_from=fact.came_from, browser=fact.browser)
            return replace(_proved(people, fact), sessions={**people.sessions, token_hash: session})
        case SessionClosed(token_hash=token_hash):
            left = {k: s for k, s in people.sessions.items() if k != token_hash}
            return replace(people, sessions=left)
        case AccessRefused() | RefusalsCounted() | ClockStepped():
            return people
        case MeasureProposed(proposal=key, until=until):
            # Each waits equally long, so whatever was over when this one came can be forgotten.
            waiting = {k: p for k, p in people.proposals.items() if p.until > until - STANDS_FOR}
            return replace(people, proposals={**waiting, key: fact})
        case MeasureSettled(proposal=key):
            return replace(people, proposals={k: p for k, p in people.proposals.items() if k != key})
        case _:
            return _evolve_credentials(people, fact)


def _evolve_credentials(people: People, fact: CredentialFact) -> People:
    match fact:
        case SecretResealed(name=name, secret=secret):
            return _changed(people, name, secret=secret)
        case FactorEnrolled(name=name, sealed=sealed, recovery=recovery, step=step):
            return _changed(people, name, factor=sealed, recovery=recovery, step=step)
        case FactorRemoved(name=name):
            return _changed(people, name, factor="", recovery=(), step=0)
        case BreakGlassMarked(name=name, marked=marked):
            return _changed(people, name, break_glass=marked)
        case SessionUsed(token_hash=token_hash, at=at):
            return _session(people, token_hash, used=at)
        case SessionLocked(token_hash=token_hash):
            return _session(people, token_hash, locked=True)
        case SessionUnlocked(token_hash=token_hash, at=at):
            return _session(people, token_hash, locked=False, used=at)
        case _:
            assert_never(fact)


def _changed(people: People, name: PersonName, **fields: object) -> People:
    changed = replace(people.persons[name], **fields)
    return replace(people, persons={**people.persons, name: changed})


def _evolve_duties(people: People, fact: PersonAssigned | DutiesSet | ConsentAsked | ConsentSettled) -> People:
    match fact:
        case PersonAssigned(name=name, pits=pits, tables=tables):
            assigned = replace(people.persons[name], pits=pits, tables=tables)
            return replace(people, persons={**people.persons, name: assigned})
        case DutiesSet(duties=duties):
            return replace(people, duties=duties)
        case ConsentAsked(consent=key, payment=payment, until=until):
            kept = {k: asking for k, asking in people.consents.items() if asking.until > until - CONSENTS_KEPT}
            return replace(people, consents={**kept, key: Asking(payment=payment, until=until)})
        case ConsentSettled(consent=key, given=given):
            said = replace(people.consents[key], given=given)
            return replace(people, consents={**people.consents, key: said})
        case _:
            assert_never(fact)


# ---------------------------------------------------------------- secrets

_SCRYPT_COST = 2**14


def _session(people: People, token_hash: str, **fields: object) -> People:
    session = people.sessions.get(token_hash)
    if session is None:
        return people
    return replace(people, sessions={**people.sessions, token_hash: replace(session, **fields)})


def _proved(people: People, fact: SessionOpened) -> People:
    """What a log-in uses up: a code, a recovery code, the password of a break-glass account."""
    person = people.persons.get(fact.person)
    if person is None or not (fact.step or fact.recovery or fact.break_glass):
        return people
    left = tuple(code for code in person.recovery if code != fact.recovery)
    used = replace(person, step=max(person.step, fact.step), recovery=left)
    if fact.break_glass:
        used = replace(used, secret="", alarm=fact.at)
    return replace(people, persons={**people.persons, person.name: used})


def token_hash(token: str) -> str:
    """What is kept of a session's token."""
    return hashlib.sha256(token.encode()).hexdigest()
