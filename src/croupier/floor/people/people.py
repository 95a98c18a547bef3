"""People of the house: who they are, and how they prove it.

How a password is kept is in `passwords`; what may be asked about credentials is judged in `credentials`.
"""

from __future__ import annotations

import hashlib
from typing import assert_never

import msgspec
from msgspec.structs import replace

from croupier.floor.duties.bounds import Duties
from croupier.floor.duties.permissions import MAY, Action, Post
from croupier.floor.people.disputes import Dispute, evolve_dispute
from croupier.floor.people.learners import Academy, evolve_academy
from croupier.floor.people.own_limits import Play, evolve_play
from croupier.floor.records import people_facts as facts
from croupier.floor.records.commands import Payment
from croupier.floor.records.play_facts import PlayFact
from croupier.floor.records.refusals import Code, Refused

STANDS_FOR = 900_000_000
"""Microseconds that a proposal waits for its second signature."""


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person who may log in."""

    name: facts.PersonName
    post: Post
    secret: str
    """Scrypt hash with its salt and cost; empty where nobody can log in with a password."""
    must_change: bool = False
    """Another person set the password: it must be changed before anything else."""
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
    made_by: facts.PersonName = ""
    """The person who last gave this account its password, other than its owner; empty where an operator did."""
    made_at: int = 0
    pits: tuple[str, ...] = ()
    """Where this person works; with neither pits nor tables, everywhere."""
    tables: tuple[str, ...] = ()
    deals: tuple[str, ...] = ()
    """Tables that this person has taken over, and not handed over since."""
    handed_over: tuple[str, ...] = ()
    """Tables that this person has handed over, and not taken over since."""

    def may(self, action: Action) -> bool:
        return self.post in MAY[action]


def sees_names(person: Person | None) -> bool:
    """Return whether a person may know who else plays or learns: staff, those who check, examine and enrol people."""
    return person is not None and person.post not in (Post.PLAYER, Post.DISPLAY, Post.CHIP_READER, Post.LEARNER)


class Session(msgspec.Struct, frozen=True, omit_defaults=True):
    """A log-in that can be revoked at any time; only the hash of its token is kept."""

    person: facts.PersonName
    csrf: str
    opened: int = 0
    """Microseconds since 1970, UTC; 0 where an earlier release opened it and did not say."""
    used: int = 0
    """Likewise, when it was last noted as used."""
    came_from: str = ""
    browser: str = ""
    locked: bool = False
    """It was left unused for too long: it asks for the password again."""


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A payment of which a player has been asked."""

    payment: Payment
    until: int
    given: bool | None = None
    """What the player said; None before."""


class PaidOut(msgspec.Struct, frozen=True):
    """Who has said that an award is paid out, and when (microseconds since 1970, UTC)."""

    by: facts.PersonName
    at: int


CONSENTS_KEPT = 900_000_000
"""Microseconds that a payment of which a player was asked is kept for the cage to look at."""


class Declined(msgspec.Struct, frozen=True):
    """A proposal that was declined: by whom, and why. Its proposer reads it until the proposal would have ended."""

    proposal: facts.MeasureProposed
    by: facts.PersonName
    words: str


class People(msgspec.Struct, frozen=True, kw_only=True):
    """Persons, sessions, proposals, consents and the bounds in force."""

    persons: dict[facts.PersonName, Person] = {}
    sessions: dict[str, Session] = {}
    proposals: dict[str, facts.MeasureProposed] = {}
    declined: dict[str, Declined] = {}
    """By number, and forgotten like the proposals."""
    duties: Duties | None = None
    """Bounds of what one person may do alone; None before a server has put any in force."""
    consents: dict[str, Asking] = {}
    """Payments of which players were asked, the oldest first."""
    paired: bool = False
    """A person who may sign for new staff has been removed: from then on nobody enrols staff alone."""
    erased: tuple[facts.PersonName, ...] = ()
    """People whose names were erased."""
    demonstration: bool | None = None
    """Whether this is a demonstration house; None where an earlier release began it and did not say."""
    academy: Academy = Academy()
    """What learners were asked, their records, exams and sittings."""
    disputes: dict[str, Dispute] = {}
    """Disputed rounds by the number of the case, the oldest first."""
    play: dict[facts.PersonName, Play] = {}
    """Limits that players have set for themselves, and their sessions of play."""
    paid_out: dict[str, PaidOut] = {}
    """Awards that dealers have said to be paid out, by table and number (`award_key`)."""


def award_key(table: str, award: int) -> str:
    """Return the key of an award among those that are paid out."""
    return f"{table}/{award}"


def known_person(people: People, name: facts.PersonName) -> Person:
    """Return a person by id; raises Refused where there is none."""
    person = people.persons.get(name)
    if person is None:
        raise Refused(Code.UNKNOWN_PERSON, f"There is no {name}.")
    return person


def evolve_people(people: People, fact: facts.PeopleFact) -> People:  # noqa: C901  one case for each fact
    """Fold a fact into the state of the people."""
    if isinstance(fact, facts.DisputeFact):
        case_ = evolve_dispute(people.disputes.get(fact.dispute), fact)
        return replace(people, disputes={**people.disputes, fact.dispute: case_})
    if isinstance(fact, facts.AcademyFact):
        return replace(people, academy=evolve_academy(people.academy, fact))
    if isinstance(fact, PlayFact):
        own = evolve_play(people.play.get(fact.person, Play()), fact)
        return replace(people, play={**people.play, fact.person: own})
    match fact:
        case facts.PersonEnrolled(name=name, post=post, secret=secret, by=by, at=at):
            # What an earlier release recorded leaves the state that its own snapshots hold.
            enrolled = Person(name, post, secret, made_by=by if at else "", made_at=at)
            return replace(people, persons={**people.persons, name: enrolled})
        case facts.PersonAssigned() | facts.DutiesSet() | facts.ConsentAsked() | facts.ConsentSettled():
            return _evolve_duties(people, fact)
        case facts.HouseFounded(demonstration=demonstration):
            return replace(people, demonstration=demonstration)
        case facts.SecretChanged(name=name, secret=secret, by=by, at=at, once=once, keeps=keeps):
            sessions = {k: s for k, s in people.sessions.items() if s.person != name or k == keeps}
            changed = _changed(people, name, secret=secret, must_change=once, alarm=0)
            if at and by != name:
                changed = _changed(changed, name, made_by=by, made_at=at)
            return replace(changed, sessions=sessions)
        case facts.PersonRemoved(name=name, at=at):
            persons = {k: p for k, p in people.persons.items() if k != name}
            sessions = {k: s for k, s in people.sessions.items() if s.person != name}
            removed = people.persons.get(name)
            paired = people.paired or (at > 0 and removed is not None and removed.may(Action.SIGN_ENROLMENTS))
            play = {k: p for k, p in people.play.items() if k != name}
            return replace(people, persons=persons, sessions=sessions, paired=paired, play=play)
        case facts.PersonErased(name=name):
            return replace(people, erased=(*people.erased, name))
        case facts.SessionOpened(token_hash=token_hash, person=name):
            at = fact.at
            session = Session(name, fact.csrf, opened=at, used=at, came_from=fact.came_from, browser=fact.browser)
            return replace(_proved(people, fact), sessions={**people.sessions, token_hash: session})
        case facts.SessionClosed(token_hash=token_hash):
            left = {k: s for k, s in people.sessions.items() if k != token_hash}
            return replace(people, sessions=left)
        case facts.AccessRefused() | facts.RefusalsCounted() | facts.ClockStepped():
            return people
        case facts.RulingCarriedOut() | facts.TrayCounted():
            return people
        case facts.TableHandedOver(at=at):
            return _handed_over(people, fact) if at else people
        case facts.AwardPaidOut(table=table, award=award, by=by, at=at):
            return replace(people, paid_out={**people.paid_out, award_key(table, award): PaidOut(by, at)})
        case facts.MeasureProposed() | facts.MeasureSettled() | facts.MeasureWithdrawn() | facts.MeasureDeclined():
            return _evolve_proposals(people, fact)
        case _:
            return _evolve_credentials(people, fact)


def _evolve_proposals(
    people: People,
    fact: facts.MeasureProposed | facts.MeasureSettled | facts.MeasureWithdrawn | facts.MeasureDeclined,
) -> People:
    key = fact.proposal
    if isinstance(fact, facts.MeasureProposed):
        # Each waits equally long, so whatever was over when this one came can be forgotten.
        since = fact.until - STANDS_FOR
        waiting = {k: p for k, p in people.proposals.items() if p.until > since}
        declined = {k: d for k, d in people.declined.items() if d.proposal.until > since}
        return replace(people, proposals={**waiting, key: fact}, declined=declined)
    left = {k: p for k, p in people.proposals.items() if k != key}
    if isinstance(fact, facts.MeasureDeclined) and key in people.proposals:
        told = Declined(people.proposals[key], fact.by, fact.words)
        return replace(people, proposals=left, declined={**people.declined, key: told})
    return replace(people, proposals=left)


def _handed_over(people: People, fact: facts.TableHandedOver) -> People:
    """Give a table to the person who takes it over, and take it from those who dealt it."""
    table, persons = fact.table, dict(people.persons)
    for name, person in people.persons.items():
        if name == fact.to:
            left = tuple(other for other in person.handed_over if other != table)
            persons[name] = replace(person, deals=_with(person.deals, table), handed_over=left)
        elif name == fact.by or table in person.deals:
            deals = tuple(other for other in person.deals if other != table)
            persons[name] = replace(person, deals=deals, handed_over=_with(person.handed_over, table))
    return replace(people, persons=persons)


def _with(tables: tuple[str, ...], table: str) -> tuple[str, ...]:
    return tables if table in tables else (*tables, table)


def _evolve_credentials(people: People, fact: facts.CredentialFact) -> People:
    match fact:
        case facts.SecretResealed(name=name, secret=secret):
            return _changed(people, name, secret=secret)
        case facts.FactorEnrolled(name=name, sealed=sealed, recovery=recovery, step=step):
            return _changed(people, name, factor=sealed, recovery=recovery, step=step)
        case facts.FactorRemoved(name=name):
            return _changed(people, name, factor="", recovery=(), step=0)
        case facts.BreakGlassMarked(name=name, marked=marked):
            return _changed(people, name, break_glass=marked)
        case facts.SessionUsed(token_hash=token_hash, at=at):
            return _session(people, token_hash, used=at)
        case facts.SessionLocked(token_hash=token_hash):
            return _session(people, token_hash, locked=True)
        case facts.SessionUnlocked(token_hash=token_hash, at=at):
            return _session(people, token_hash, locked=False, used=at)
        case _:
            assert_never(fact)


def _changed(people: People, name: facts.PersonName, **fields: object) -> People:
    changed = replace(people.persons[name], **fields)
    return replace(people, persons={**people.persons, name: changed})


def _evolve_duties(
    people: People, fact: facts.PersonAssigned | facts.DutiesSet | facts.ConsentAsked | facts.ConsentSettled
) -> People:
    match fact:
        case facts.PersonAssigned(name=name, pits=pits, tables=tables):
            return _changed(people, name, pits=pits, tables=tables)
        case facts.DutiesSet(duties=duties):
            return replace(people, duties=duties)
        case facts.ConsentAsked(consent=key, payment=payment, until=until):
            kept = {k: asking for k, asking in people.consents.items() if asking.until > until - CONSENTS_KEPT}
            return replace(people, consents={**kept, key: Asking(payment=payment, until=until)})
        case facts.ConsentSettled(consent=key, given=given):
            said = replace(people.consents[key], given=given)
            return replace(people, consents={**people.consents, key: said})
        case _:
            assert_never(fact)


def _session(people: People, token_hash: str, **fields: object) -> People:
    session = people.sessions.get(token_hash)
    if session is None:
        return people
    return replace(people, sessions={**people.sessions, token_hash: replace(session, **fields)})


def _proved(people: People, fact: facts.SessionOpened) -> People:
    """Use up what a log-in used: a code, a recovery code, the password of a break-glass account."""
    person = people.persons.get(fact.person)
    if person is None or not (fact.step or fact.recovery or fact.break_glass):
        return people
    left = tuple(code for code in person.recovery if code != fact.recovery)
    used = replace(person, step=max(person.step, fact.step), recovery=left)
    if fact.break_glass:
        used = replace(used, secret="", alarm=fact.at)
    return replace(people, persons={**people.persons, person.name: used})


def token_hash(token: str) -> str:
    """Return what is kept of a session's token."""
    return hashlib.sha256(token.encode()).hexdigest()
