"""What is asked about credentials and sessions: judged by the house, and recovered from its events by the audit."""

from __future__ import annotations

import hashlib
from typing import assert_never

from croupier.floor.house.transaction import Refused, Work
from croupier.floor.people.people import People, Person, evolve_people
from croupier.floor.records.commands import (
    AboutCredentials,
    EnrolFactor,
    HouseCommand,
    LockSession,
    MarkBreakGlass,
    OpenSession,
    RemoveFactor,
    ResealSecret,
    UnlockSession,
    UseSession,
)
from croupier.floor.records.people_facts import (
    BreakGlassMarked,
    CredentialFact,
    FactorEnrolled,
    FactorRemoved,
    PeopleFact,
    SecretResealed,
    SessionLocked,
    SessionOpened,
    SessionUnlocked,
    SessionUsed,
)
from croupier.floor.records.streams import PEOPLE


def secret_hash(secret: str) -> str:
    """Which secret a password was held against, without the secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def about_credentials(work: Work, asked: AboutCredentials) -> None:
    """Secrets, second factors, break-glass accounts, and sessions that are used, locked and unlocked."""
    people, now = work.house.people, work.request.at
    fact: PeopleFact
    match asked:
        case ResealSecret(name=name, before=before, secret=secret):
            if secret_hash(_person(people, name).secret) != before:
                raise Refused("secret_changed", f"The password of {name} was changed meanwhile.")
            fact = SecretResealed(name=name, before=before, secret=secret)
        case EnrolFactor(name=name, sealed=sealed, recovery=recovery, step=step):
            if _person(people, name).factor:
                raise Refused("factor_exists", f"{name} has a second factor already: remove it first.")
            fact = FactorEnrolled(name=name, sealed=sealed, recovery=recovery, step=step)
        case RemoveFactor(name=name, by=by):
            if not _person(people, name).factor:
                raise Refused("no_factor", f"{name} has no second factor.")
            fact = FactorRemoved(name=name, by=by)
        case MarkBreakGlass(name=name, marked=marked, by=by):
            if _person(people, name).break_glass == marked:
                which = "is a break-glass account already" if marked else "is not a break-glass account"
                raise Refused("break_glass", f"{name} {which}.")
            fact = BreakGlassMarked(name=name, marked=marked, by=by)
        case UseSession(token_hash=token_hash):
            _session(people, token_hash)
            fact = SessionUsed(token_hash=token_hash, at=now)
        case LockSession(token_hash=token_hash):
            _session(people, token_hash, locked=False)
            fact = SessionLocked(token_hash=token_hash)
        case UnlockSession(token_hash=token_hash):
            _session(people, token_hash, locked=True)
            fact = SessionUnlocked(token_hash=token_hash, at=now)
        case _:
            assert_never(asked)
    work.people = evolve_people(people, fact)
    work.record(PEOPLE, fact)


def session_opened(people: People, asked: OpenSession, at: int) -> SessionOpened:
    """A log-in. A code is used once, on whichever server: of two log-ins with the same code one is judged first."""
    person = _person(people, asked.person)
    if asked.step and asked.step <= person.step:
        raise Refused("code_used", "This code was used already: wait for the next one.")
    if asked.recovery and asked.recovery not in person.recovery:
        raise Refused("code_used", "This recovery code was used already.")
    if person.break_glass and not person.secret:
        raise Refused("password_used", f"The password of {person.name} was used: it has to be reset.")
    return SessionOpened(
        token_hash=asked.token_hash,
        person=asked.person,
        csrf=asked.csrf,
        at=at,
        came_from=asked.came_from,
        browser=asked.browser,
        step=asked.step,
        recovery=asked.recovery,
        break_glass=person.break_glass,
    )


def _person(people: People, name: str) -> Person:
    person = people.persons.get(name)
    if person is None:
        raise Refused("unknown_person", f"There is no {name}.")
    return person


def _session(people: People, token_hash: str, *, locked: bool | None = None) -> None:
    session = people.sessions.get(token_hash)
    if session is None:
        raise Refused("unknown_session", "There is no such session.")
    if locked is not None and session.locked != locked:
        raise Refused("session_locked", f"The session is {'not locked' if locked else 'locked already'}.")


def asked_about_credentials(fact: CredentialFact | SessionOpened) -> HouseCommand:
    """What was asked, as its event tells it."""
    match fact:
        case SecretResealed(name=name, before=before, secret=secret):
            return ResealSecret(name=name, before=before, secret=secret)
        case FactorEnrolled(name=name, sealed=sealed, recovery=recovery, step=step):
            return EnrolFactor(name=name, sealed=sealed, recovery=recovery, step=step)
        case FactorRemoved(name=name, by=by):
            return RemoveFactor(name=name, by=by)
        case BreakGlassMarked(name=name, marked=marked, by=by):
            return MarkBreakGlass(name=name, marked=marked, by=by)
        case SessionOpened():
            return OpenSession(
                person=fact.person,
                token_hash=fact.token_hash,
                csrf=fact.csrf,
                came_from=fact.came_from,
                browser=fact.browser,
                step=fact.step,
                recovery=fact.recovery,
            )
        case SessionUsed(token_hash=token_hash):
            return UseSession(token_hash=token_hash)
        case SessionLocked(token_hash=token_hash):
            return LockSession(token_hash=token_hash)
        case SessionUnlocked(token_hash=token_hash):
            return UnlockSession(token_hash=token_hash)
        case _:
            assert_never(fact)
