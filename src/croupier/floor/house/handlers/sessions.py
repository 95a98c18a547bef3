"""Sessions: opened, used, locked, unlocked and closed."""

from __future__ import annotations

from croupier.floor.house.transaction import Transaction
from croupier.floor.people.people import known_person
from croupier.floor.records import commands, people_facts
from croupier.floor.records.refusals import Code, Refused
from croupier.journal.store import Origin
from croupier.structs import extended


def open_session(transaction: Transaction, asked: commands.OpenSession) -> None:
    """Log a person in. A code is used once, on any server: of two log-ins with the same code, one is judged first."""
    person = known_person(transaction.house.people, asked.person)
    if asked.step and asked.step <= person.step:
        raise Refused(Code.CODE_USED, "This code was already used: wait for the next one.")
    if asked.recovery and asked.recovery not in person.recovery:
        raise Refused(Code.CODE_USED, "This recovery code was already used.")
    if person.break_glass and not person.secret:
        raise Refused(Code.PASSWORD_USED, f"The password of {person.name} was used: it has to be reset.")
    origin = transaction.request.personal
    if isinstance(origin, commands.CameFrom):
        transaction.seldom.origin = Origin(asked.token_hash, origin.address, origin.browser)
    transaction.enter_people(
        extended(people_facts.SessionOpened, asked, at=transaction.request.at, break_glass=person.break_glass)
    )


def close_session(transaction: Transaction, asked: commands.CloseSession) -> None:
    """End a session."""
    transaction.enter_people(extended(people_facts.SessionClosed, asked))


def use_session(transaction: Transaction, asked: commands.UseSession) -> None:
    """Record that a session is in use."""
    _check_session(transaction, asked.token_hash)
    transaction.enter_people(extended(people_facts.SessionUsed, asked, at=transaction.request.at))


def lock_session(transaction: Transaction, asked: commands.LockSession) -> None:
    """Lock a session that was not used for too long."""
    _check_session(transaction, asked.token_hash, locked=False)
    transaction.enter_people(extended(people_facts.SessionLocked, asked))


def unlock_session(transaction: Transaction, asked: commands.UnlockSession) -> None:
    """Unlock a session whose person has given the password again."""
    _check_session(transaction, asked.token_hash, locked=True)
    transaction.enter_people(extended(people_facts.SessionUnlocked, asked, at=transaction.request.at))


def _check_session(transaction: Transaction, token_hash: str, *, locked: bool | None = None) -> None:
    session = transaction.house.people.sessions.get(token_hash)
    if session is None:
        raise Refused(Code.UNKNOWN_SESSION, "There is no such session.")
    if locked is not None and session.locked != locked:
        raise Refused(Code.SESSION_LOCKED, f"The session is {'not locked' if locked else 'already locked'}.")
