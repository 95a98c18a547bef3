"""Log-ins and sessions: passwords, second factors, tokens, lock-out."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

import msgspec

from croupier.floor.duties.permissions import Post
from croupier.floor.house.handlers.credentials import secret_hash
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.people.directory import enrolment
from croupier.floor.people.names import canonical
from croupier.floor.people.passwords import COST, is_below, password_fits, sealed_password, unknown_secret
from croupier.floor.people.people import Person, Session, token_hash
from croupier.floor.records import commands
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.people_facts import PersonName
from croupier.floor.server.errors import ApiError, require_accepted
from croupier.floor.server.login.idle_lock import IdleLock
from croupier.floor.server.login.second_factor import opened_factor, recovery_hash, step_of
from croupier.floor.server.login.time_source import TimeSource
from croupier.floor.server.quotas import REMEMBERED, AtOnce, RateLimit, address_key
from croupier.floor.server.settings import Settings
from croupier.floor.server.wire.sessions import Held

_LOG = logging.getLogger("croupier.server")
P = ParamSpec("P")
T = TypeVar("T")

TRIES, LOCKED_FOR = 5, 900.0
SESSIONS_MOST = 200
"""Sessions of one person."""
SOON = 15
"""Tenths of a second after which what another server has written is known here."""
FRESH = 10.0
"""Seconds within which a token was given out whose session may still be on its way from another server."""
WAITING_MOST = 8
"""Unknown tokens from one address that are waited for at once."""
LONGEST_MOMENT = 12
CLOCKS_APART = 300
"""Seconds by which two servers' clocks may differ; a token from further in the future was made by a wrong clock."""
HASHES_MOST = 64
"""Passwords that may wait to be tried; two are tried at a time, each with 128 MiB of memory."""
LONGEST_BROWSER = 120


class Proof(msgspec.Struct, frozen=True):
    """What a person gave beside the password: the time step of a code, or the hash of a recovery code."""

    step: int = 0
    recovery: str = ""


class Sessions:
    """Log-ins and sessions of one floor."""

    def __init__(
        self,
        floor: LiveFloor,
        settings: Settings | None = None,
        *,
        keys: Keys = NO_KEYS,
        cost: int = COST,
        time_source: TimeSource | None = None,
        idle: type[IdleLock] = IdleLock,
    ) -> None:
        """Serve the sessions of a floor; `cost` is scrypt's, and low in a demonstration, whose passwords are public.

        `idle` says who looks after unused sessions.
        """
        self.floor, self.keys, self._cost = floor, keys, cost
        settings = settings or Settings()
        self.security = settings.security
        self.time = time_source or TimeSource()
        self.idle = idle(floor, self.security, self.time)
        self.proposed_factors: dict[str, str] = {}
        """By person: a second factor whose device has not given its first code yet."""
        self._hashing = 0
        self.sockets_of_person = AtOnce(settings.sockets_per_person)
        self.sockets_of_address = AtOnce(settings.sockets_per_address)
        self._waiting = AtOnce(WAITING_MOST)
        self._session_seconds = settings.session_hours * 3600
        self.requests = RateLimit(settings.requests_per_second)
        self.log_ins = RateLimit(settings.log_ins_per_minute / 60.0, burst=settings.log_ins_per_minute)
        self._failures: dict[str, deque[float]] = {}
        # Threads of their own: trying passwords does not hold up searches.
        self._hashers = ThreadPoolExecutor(2, thread_name_prefix="passwords")
        self._unknown_secret = unknown_secret(secrets.token_bytes(16), secrets.token_bytes(64), cost)

    async def close(self) -> None:
        """Stop the idle lock and the hashing threads."""
        await self.idle.close()
        self._hashers.shutdown(wait=False, cancel_futures=True)

    def session_of(self, token: str | None) -> tuple[Person, Session] | None:
        """Return the person and the session of a token; None where it is unknown, revoked or too old."""
        return None if not token or self.seconds_left(token) <= 0 else self.session_known_by(token_hash(token))

    def session_known_by(self, key: str) -> tuple[Person, Session] | None:
        """Return the person and the session that is kept under the hash of its token, however old it is."""
        people = self.floor.house.shown_people
        session = people.sessions.get(key)
        person = people.persons.get(session.person) if session is not None else None
        return None if person is None or session is None else (person, session)

    async def awaited_session(self, token: str | None, came_from: str) -> tuple[Person, Session] | None:
        """Wait for the session of a fresh token that is not known here yet.

        Where several servers share a house, another server may have opened it a moment ago: its record arrives within
        seconds. Few tokens of one address wait at a time, so that forged ones cost little.
        """
        age = self._session_seconds - self.seconds_left(token) if token else FRESH
        if not self.floor.is_behind or not -FRESH < age < FRESH or not self._waiting.enter(came_from):
            return None
        try:
            for _ in range(SOON):
                await asyncio.sleep(0.1)
                if (found := self.session_of(token)) is not None:
                    return found
        finally:
            self._waiting.leave(came_from)
        return None

    def seconds_left(self, token: str) -> float:
        """Return the seconds until a session ends by itself.

        Its token begins with the moment when it was opened; the hash of the whole token is kept, so a client cannot
        make it younger.
        """
        opened, dot, _ = token.partition(".")
        if not dot or not opened.isascii() or not opened.isdigit() or len(opened) > LONGEST_MOMENT:
            return 0.0
        left = int(opened) + self._session_seconds - self.time.now()
        return left if left <= self._session_seconds + CLOCKS_APART else 0.0

    def held_back(self, person: Person, session: Session) -> tuple[Held, str] | None:
        """Return a code and a sentence where a session must be unlocked or set up first; None where it need not."""
        if session.locked:
            return "session_locked", "The session was not used for a while: give the password again."
        if person.must_change:
            return "change_password_first", "This password works once: choose your own first."
        if self.security.needs_factor(person):
            return "second_factor_first", f"{person.post.who} needs a second factor: set it up first."
        return None

    async def enrol(self, name: str, post: Post, password: str) -> None:
        """Enrol an account that the house makes itself, whose name is its id; an empty password opens nothing."""
        secret = await self.sealed(password) if password else ""
        require_accepted(await self.floor.ask(commands.EnrolPerson(name=name, post=post, secret=secret)))

    async def enrolment(
        self, name: str, post: Post, password: str, by: str
    ) -> tuple[commands.EnrolPerson, commands.Named]:
        """Build the command that enrols a person, and the name beside it; raises ApiError for a bad or taken name."""
        if ":" in name:
            # A name and a colon stand before the ids of a person's commands; with two colons they might be another's.
            raise ApiError(409, "bad_name", "A person's name has no colon.")
        # The house looks as well, and its answer goes on record: only here can the other name be told.
        other = self.floor.house.directory.taken_for(name)
        if other == name:
            raise ApiError(409, "person_exists", f"There is already a person called {name}.")
        if other is not None:
            says = f"{name} would be taken for {other}, who is enrolled: choose another name."
            raise ApiError(409, "name_clash", says)
        return enrolment(name, post, await self.sealed(password) if password else "", by)

    def id_of(self, typed: str) -> PersonName:
        """Return the id of an enrolled person by name or id; raises ApiError where there is none."""
        found = self.floor.house.directory.id_of(typed)
        if found is None or found not in self.floor.house.shown_people.persons:
            raise ApiError(404, "unknown_person", f"There is no person called {typed[:40]}.")
        return found

    def has_open_session(self, name: str) -> bool:
        """Return whether a person is logged in. Sessions of earlier releases do not say when they were opened."""
        now = self.floor.now()
        sessions = self.floor.house.shown_people.sessions
        return any(
            session.opened + self._session_seconds * 1_000_000 > now or self.floor.is_watching(key)
            for key, session in sessions.items()
            if session.person == name
        )

    async def sealed(self, password: str) -> str:
        """Return a password in the form in which it is kept."""
        return await self._hashed(sealed_password, password, secrets.token_bytes(16), self._cost)

    async def log_in(
        self, name: str, password: str, came_from: str, *, code: str = "", browser: str = ""
    ) -> tuple[Person, str, str]:
        """Check name, password and code, and open a session.

        Returns the person, the session's token and its CSRF secret; raises ApiError.
        """
        person = self.floor.house.shown_people.persons.get(self.floor.house.directory.id_of(name) or "")
        # What a stranger typed may be a name, and names are in no record.
        who = "" if person is None else person.name
        failures = self._recent_failures(f"{came_from} {canonical(who or name)}")
        await self._refuse_locked_out(failures, who, "log_in")
        failures.append(time.monotonic())  # before the slow part, so that many at once do not slip through
        if not await self._fits(password, person) or person is None:
            await self.floor.ask(commands.NoteRefusal(person=who, action="log_in", what="wrong name or password"))
            raise ApiError(401, "wrong_password", "Wrong name or password.")
        if person.factor and not code:
            if failures:
                failures.pop()  # the password was right: nothing was guessed
            raise ApiError(401, "code_needed", "Give the code of your second factor as well.")
        proof = await self.proved(person, code) if person.factor else Proof()
        failures.clear()
        if is_below(person.secret, self._cost) and not person.break_glass:
            # At today's cost; where the password was changed meanwhile, the house refuses.
            secret, before = await self.sealed(password), secret_hash(person.secret)
            await self.floor.ask(commands.ResealSecret(name=person.name, before=before, secret=secret))
        token, csrf = await self.open_session(person, came_from=came_from, browser=browser, proof=proof)
        return person, token, csrf

    async def check_password(self, person: Person, password: str, came_from: str, action: str) -> None:
        """Ask a person who is logged in for the password again; it is counted like a log-in."""
        failures = self._recent_failures(f"{address_key(came_from)} {canonical(person.name)}")
        await self._refuse_locked_out(failures, person.name, action)
        failures.append(time.monotonic())
        if not await self._fits(password, person):
            await self.floor.ask(commands.NoteRefusal(person=person.name, action=action, what="wrong password"))
            raise ApiError(403, "wrong_password", "This is not your password.")
        failures.clear()

    async def proved(self, person: Person, code: str) -> Proof:
        """Return what a code proves; wrong codes are counted for the name, wherever they come from."""
        failures = self._recent_failures(f"code/{person.name}")
        await self._refuse_locked_out(failures, person.name, "second_factor")
        failures.append(time.monotonic())
        recovery = recovery_hash(person.name, code)
        if recovery in person.recovery:
            failures.clear()
            return Proof(recovery=recovery)
        secret = opened_factor(self.keys, person.name, person.factor)
        step = step_of(secret, code.replace(" ", ""), self.time.wall())
        if step is None:
            await self.floor.ask(commands.NoteRefusal(person=person.name, action="second_factor", what="wrong code"))
            raise ApiError(401, "wrong_code", "This code does not fit.")
        if step <= person.step:
            raise ApiError(401, "code_used", "This code was used already: wait for the next one.")
        failures.clear()
        return Proof(step=step)

    async def _refuse_locked_out(self, failures: deque[float], person: PersonName, action: str) -> None:
        if len(failures) >= TRIES:
            await self.floor.ask(commands.NoteRefusal(person=person, action=action, what="locked out"))
            raise ApiError(429, "locked_out", "Too many wrong passwords: try again in a quarter of an hour.")

    async def _fits(self, password: str, person: Person | None) -> bool:
        """Check a password. An unknown name takes as long as a wrong password, so that time reveals nothing."""
        secret = person.secret if person is not None and person.secret else self._unknown_secret
        fits = await self._hashed(password_fits, password, secret)
        if not fits and is_below(secret, self._cost):
            await self._hashed(password_fits, password, self._unknown_secret)
        return fits

    async def _hashed(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Run a hash function, slow on purpose, on a thread; raises ApiError where too many are running."""
        if self._hashing >= HASHES_MOST:
            raise ApiError(429, "too_fast", "Too many people log in at this moment: try again in a few seconds.")
        self._hashing += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._hashers, partial(work, *given, **named))
        finally:
            self._hashing -= 1

    def _recent_failures(self, key: str) -> deque[float]:
        failures = self._failures.pop(key, None) or deque()
        now = time.monotonic()
        while failures and failures[0] < now - LOCKED_FOR:
            failures.popleft()
        if len(self._failures) >= REMEMBERED:
            del self._failures[next(iter(self._failures))]
        self._failures[key] = failures
        return failures

    async def open_session(
        self, person: Person, *, came_from: str = "", browser: str = "", proof: Proof | None = None
    ) -> tuple[str, str]:
        """Open a session for a person who has proved who they are; close their oldest where they have too many."""
        sessions = self.floor.house.shown_people.sessions
        held = [key for key, session in sessions.items() if session.person == person.name]
        for oldest in held[: max(0, len(held) - SESSIONS_MOST + 1)]:
            await self.close_session(oldest)
        token, csrf = f"{int(self.time.now())}.{secrets.token_urlsafe(32)}", secrets.token_urlsafe(16)
        proof = proof or Proof()
        asked = commands.OpenSession(
            person=person.name, token_hash=token_hash(token), csrf=csrf, step=proof.step, recovery=proof.recovery
        )
        plain = "".join(char for char in browser if char.isprintable())[:LONGEST_BROWSER]
        answer = await self.floor.ask(asked, personal=commands.CameFrom(came_from, plain))
        if not answer.accepted:
            raise ApiError(401, answer.code, answer.message)
        if person.break_glass:
            self.floor.counts["break_glass"] += 1
            _LOG.warning(
                "a break-glass account was used", extra={"account": self.floor.house.directory.name_of(person.name)}
            )
        return token, csrf

    async def log_out(self, token: str) -> None:
        await self.close_session(token_hash(token))

    async def sign_out(self, name: str, by: str) -> int:
        """Revoke every session of a person, and return how many there were.

        Each answer brings what other servers have recorded before it, so their sessions are found at the next look.
        """
        closed = 0
        while held := [key for key, open_ in self.floor.house.shown_people.sessions.items() if open_.person == name]:
            for key in held:
                await self.close_session(key, by)
            closed += len(held)
        return closed

    async def close_session(self, session: str, by: str = "") -> None:
        """End a session, and disconnect its live connections."""
        await self.floor.ask(commands.CloseSession(token_hash=session, by=by))
        self.floor.disconnect(session)
