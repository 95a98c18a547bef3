"""Who comes in: sessions by cookie or bearer token, CSRF, lock-out, and one guard that denies by default."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeAlias, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from litestar import Response
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.handlers.base import BaseRouteHandler
from litestar.params import QueryParameter
from msgspec.structs import replace

from croupier.floor.duties.permissions import MATRIX, Action, Condition, Post
from croupier.floor.house.handlers.credentials import secret_hash
from croupier.floor.live.floor import Floor
from croupier.floor.people.assignments import refusal, refusal_on
from croupier.floor.people.directory import enrolment
from croupier.floor.people.names import canonical
from croupier.floor.people.passwords import COST, is_below, password_fits, sealed_password, unknown_secret
from croupier.floor.people.people import Person, Session, token_hash
from croupier.floor.records.commands import (
    Answer,
    CameFrom,
    CloseSession,
    EnrolPerson,
    Named,
    NoteRefusal,
    OpenSession,
    ResealSecret,
)
from croupier.floor.records.keys import NO_KEYS, BadKeys, Keys
from croupier.floor.records.people_facts import PersonName
from croupier.floor.records.refusals import Code
from croupier.floor.records.tables import Table
from croupier.floor.server.idle_lock import IdleLock
from croupier.floor.server.quotas import AtOnce, address_key
from croupier.floor.server.second_factor import opened_factor, recovery_hash, step_of
from croupier.floor.server.security import Security
from croupier.floor.server.time_source import TimeSource

_LOG = logging.getLogger("croupier.server")
P = ParamSpec("P")
T = TypeVar("T")
H = TypeVar("H")
U = TypeVar("U")
A = TypeVar("A")
Connection: TypeAlias = ASGIConnection[BaseRouteHandler, Person | None, object, State]

LONGEST_PART = 250
"""Characters between two slashes of an address; no file system has longer names."""
COOKIE = "croupier_session"
CSRF_HEADER = "x-csrf"
TRIES, LOCKED_FOR = 5, 900.0
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
OTHER_PAGE = "The request does not come from our own page."
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
REMEMBERED = 10_000
"""Of so many names and addresses the doors remember how often they knocked; the longest silent are forgotten first."""


class Refused(HTTPException):
    """A refusal with a stable code, one sentence, and the paragraphs."""

    def __init__(self, status: int, code: str, message: str, rules: tuple[str, ...] = ()) -> None:
        super().__init__(status_code=status, detail=message)
        self.code, self.rules = code, rules


class Proof(msgspec.Struct, frozen=True):
    """What a person gave beside the password: the time step of a code, or the hash of a recovery code."""

    step: int = 0
    recovery: str = ""


class Doors:
    """Log-ins and sessions of one floor."""

    def __init__(
        self,
        floor: Floor,
        *,
        requests_per_second: float = 100.0,
        log_ins_per_minute: float = 300.0,
        session_hours: float = 24.0,
        security: Security | None = None,
        keys: Keys = NO_KEYS,
        cost: int = COST,
        time_source: TimeSource | None = None,
        sockets_per_person: int = 100,
        sockets_per_address: int = 2000,
    ) -> None:
        """`cost` is scrypt's, of every password that is sealed here; a demonstration has no secret to protect."""
        self.floor, self.keys, self._cost = floor, keys, cost
        self.security = security or Security()
        self.time = time_source or TimeSource()
        self.idle = IdleLock(floor, self.security, self.time)
        self.proposed_factors: dict[str, str] = {}
        """By person: a second factor whose device has not given its first code yet."""
        self._hashing = 0
        self.sockets_of_person, self.sockets_of_address = AtOnce(sockets_per_person), AtOnce(sockets_per_address)
        self._waiting = AtOnce(WAITING_MOST)
        self._session_seconds = session_hours * 3600
        self.requests = RateLimit(requests_per_second)
        self.log_ins = RateLimit(log_ins_per_minute / 60.0, burst=log_ins_per_minute)
        self._failures: dict[str, deque[float]] = {}
        # Of their own: whoever tries passwords holds up nobody who looks something up.
        self._scribes = ThreadPoolExecutor(2, thread_name_prefix="passwords")
        self._nobodys_secret = unknown_secret(secrets.token_bytes(16), secrets.token_bytes(64), cost)

    async def close(self) -> None:
        """Nobody proves himself any more."""
        await self.idle.close()
        self._scribes.shutdown(wait=False, cancel_futures=True)

    def session_of(self, token: str | None) -> tuple[Person, Session] | None:
        """Who stands behind a token; None where it is unknown, revoked or too old."""
        if not token or self.seconds_left(token) <= 0:
            return None
        people = self.floor.house.shown_people
        session = people.sessions.get(token_hash(token))
        person = people.persons.get(session.person) if session is not None else None
        return None if person is None or session is None else (person, session)

    async def session_soon(self, token: str | None, came_from: str) -> tuple[Person, Session] | None:
        """The session of a token that is not known here. Where several servers share a house another may have opened it
        a moment ago, and a token of this moment is looked for until its record must be here: a few at a time for each
        address, so that forged ones cost nothing.
        """
        age = self._session_seconds - self.seconds_left(token) if token else FRESH
        if not self.floor.house.store.is_shared or not -FRESH < age < FRESH or not self._waiting.enter(came_from):
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
        """Until a session ends by itself. Its token begins with the moment when it was opened; what is kept is the hash
        of the whole, so nobody makes himself a younger one.
        """
        opened, dot, _ = token.partition(".")
        if not dot or not opened.isascii() or not opened.isdigit() or len(opened) > LONGEST_MOMENT:
            return 0.0
        left = int(opened) + self._session_seconds - self.time.now()
        return left if left <= self._session_seconds + CLOCKS_APART else 0.0

    def held_back(self, person: Person, session: Session) -> tuple[str, str] | None:
        """Why a session opens nothing but its own way out of this: a code and a sentence."""
        if session.locked:
            return "session_locked", "The session was not used for a while: give the password again."
        if person.must_change:
            return "change_password_first", "This password works once: choose your own first."
        if self.security.needs_factor(person):
            return "second_factor_first", f"{person.post.who} needs a second factor: set it up first."
        return None

    async def enrol(self, name: str, post: Post, password: str) -> None:
        """An account of the house's own making, whose name is its id: nobody logs in with an empty password."""
        secret = await self.sealed(password) if password else ""
        answer = await self.floor.ask(EnrolPerson(name=name, post=post, secret=secret))
        if not answer.accepted:
            raise Refused(409, answer.code, answer.message)

    async def enrolment(self, name: str, post: Post, password: str, by: str) -> tuple[EnrolPerson, Named]:
        """What to ask of the house so that a person may log in, and the name that goes beside it."""
        if ":" in name:
            # His name and a colon stand before the ids of his commands; with two colons they might be another's.
            raise Refused(409, "bad_name", "A person's name has no colon.")
        # The house looks as well, and its answer goes on record: only here can the other name be told.
        other = self.floor.house.directory.taken_for(name)
        if other == name:
            raise Refused(409, "person_exists", f"There is already a person called {name}.")
        if other is not None:
            says = f"{name} would be taken for {other}, who is enrolled: choose another name."
            raise Refused(409, "name_clash", says)
        return enrolment(name, post, await self.sealed(password) if password else "", by)

    def id_of(self, typed: str) -> PersonName:
        """The id of a person who is enrolled, by name or id; refused where there is none."""
        found = self.floor.house.directory.id_of(typed)
        if found is None or found not in self.floor.house.shown_people.persons:
            raise Refused(404, "unknown_person", f"There is nobody called {typed[:40]}.")
        return found

    def has_open_session(self, name: str) -> bool:
        """Whether a person is logged in anywhere. Sessions of earlier releases do not say when they were opened."""
        now = self.floor.now()
        sessions = self.floor.house.shown_people.sessions
        return any(
            session.opened + self._session_seconds * 1_000_000 > now or self.floor.is_watching(key)
            for key, session in sessions.items()
            if session.person == name
        )

    async def sealed(self, password: str) -> str:
        """A password as it is kept."""
        return await self._slowly(sealed_password, password, secrets.token_bytes(16), self._cost)

    async def log_in(
        self, name: str, password: str, came_from: str, *, code: str = "", browser: str = ""
    ) -> tuple[Person, str, str]:
        """A session's token and CSRF secret for the person who proves who they are."""
        person = self.floor.house.shown_people.persons.get(self.floor.house.directory.id_of(name) or "")
        # What a stranger typed may be a name, and names are in no record.
        who = "" if person is None else person.name
        failures = self._recent_failures(f"{came_from} {canonical(who or name)}")
        await self._may_try(failures, who, "log_in")
        failures.append(time.monotonic())  # before the slow part, so that many at once do not slip through
        if not await self._fits(password, person) or person is None:
            await self.floor.ask(NoteRefusal(person=who, action="log_in", what="wrong name or password"))
            raise Refused(401, "wrong_password", "This name and this password do not fit.")
        if person.factor and not code:
            if failures:
                failures.pop()  # the password was right: nothing was guessed
            raise Refused(401, "code_needed", "Give the code of your second factor as well.")
        proof = await self.proved(person, code) if person.factor else Proof()
        failures.clear()
        if is_below(person.secret, self._cost) and not person.break_glass:
            await self._reseal(person, password)
        token, csrf = await self.open_session(person, came_from=came_from, browser=browser, proof=proof)
        return person, token, csrf

    async def check_password(self, person: Person, password: str, came_from: str, action: str) -> None:
        """Ask a person who is logged in for the password again; it is counted like a log-in."""
        failures = self._recent_failures(f"{address_key(came_from)} {canonical(person.name)}")
        await self._may_try(failures, person.name, action)
        failures.append(time.monotonic())
        if not await self._fits(password, person):
            await self.floor.ask(NoteRefusal(person=person.name, action=action, what="wrong password"))
            raise Refused(403, "wrong_password", "This is not your password.")
        failures.clear()

    async def proved(self, person: Person, code: str) -> Proof:
        """What a code proves; guesses are counted for the name, wherever they come from."""
        failures = self._recent_failures(f"code/{person.name}")
        await self._may_try(failures, person.name, "second_factor")
        failures.append(time.monotonic())
        recovery = recovery_hash(person.name, code)
        if recovery in person.recovery:
            failures.clear()
            return Proof(recovery=recovery)
        try:
            secret = opened_factor(self.keys, person.name, person.factor)
        except BadKeys as wrong:
            raise Refused(409, "no_key", str(wrong)) from None
        step = step_of(secret, code.replace(" ", ""), self.time.wall())
        if step is None:
            await self.floor.ask(NoteRefusal(person=person.name, action="second_factor", what="wrong code"))
            raise Refused(401, "wrong_code", "This code does not fit.")
        if step <= person.step:
            raise Refused(401, "code_used", "This code was used already: wait for the next one.")
        failures.clear()
        return Proof(step=step)

    async def _may_try(self, failures: deque[float], person: PersonName, action: str) -> None:
        if len(failures) >= TRIES:
            await self.floor.ask(NoteRefusal(person=person, action=action, what="locked out"))
            raise Refused(429, "locked_out", "Too many wrong passwords: try again in a quarter of an hour.")

    async def _fits(self, password: str, person: Person | None) -> bool:
        """A name that nobody has takes as long as one with a wrong password, so that time tells nothing."""
        secret = person.secret if person is not None and person.secret else self._nobodys_secret
        fits = await self._slowly(password_fits, password, secret)
        if not fits and is_below(secret, self._cost):
            await self._slowly(password_fits, password, self._nobodys_secret)
        return fits

    async def _reseal(self, person: Person, password: str) -> None:
        """Keep a password at today's cost; where it was changed meanwhile, the house refuses."""
        secret = await self.sealed(password)
        await self.floor.ask(ResealSecret(name=person.name, before=secret_hash(person.secret), secret=secret))

    async def _slowly(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What takes long on purpose, off the loop."""
        if self._hashing >= HASHES_MOST:
            raise Refused(429, "too_fast", "Too many people log in at this moment: try again in a few seconds.")
        self._hashing += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._scribes, partial(work, *given, **named))
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
        """A fresh token for a person who has proved who they are; of too many sessions the oldest are closed."""
        sessions = self.floor.house.shown_people.sessions
        held = [key for key, session in sessions.items() if session.person == person.name]
        for oldest in held[: max(0, len(held) - SESSIONS_MOST + 1)]:
            await self.close_session(oldest)
        token, csrf = f"{int(self.time.now())}.{secrets.token_urlsafe(32)}", secrets.token_urlsafe(16)
        proof = proof or Proof()
        asked = OpenSession(
            person=person.name,
            token_hash=token_hash(token),
            csrf=csrf,
            step=proof.step,
            recovery=proof.recovery,
        )
        plain = "".join(char for char in browser if char.isprintable())[:LONGEST_BROWSER]
        answer = await self.floor.ask(asked, personal=CameFrom(came_from, plain))
        if not answer.accepted:
            raise Refused(401, answer.code, answer.message)
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
        """A session is over; whoever watches with it is disconnected."""
        await self.floor.ask(CloseSession(token_hash=session, by=by))
        self.floor.disconnect(session)


class RateLimit:
    """So many a second for each who knocks, and a burst after a silence."""

    def __init__(self, per_second: float, burst: float | None = None) -> None:
        self._rate, self._burst = per_second, burst or 5 * per_second
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, key: str) -> bool:
        """One more, now."""
        now = time.monotonic()
        left, since = self._left.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        if len(self._left) >= REMEMBERED:
            del self._left[next(iter(self._left))]
        self._left[key] = (left - 1 if left >= 1 else left, now)
        return left >= 1


def answered(answer: Answer) -> Response[Answer]:
    """The house's answer at the HTTP door: done, refused, or a fault of ours."""
    if answer.code == Code.FAULT:
        return Response(answer, status_code=500)
    return Response(answer, status_code=200 if answer.accepted else 409)


def table_of(floor: Floor, name: str) -> Table:
    """A table that this server runs; refused where another server does, or where there is none of that name."""
    table = floor.table(name)
    if table is not None:
        return table
    if name in floor.house.shown:
        raise Refused(409, "table_elsewhere", f"Table {name} is run by another server.")
    raise Refused(404, "unknown_table", f"There is no table {name[:40]}.")


def token_in(headers: Mapping[str, str], cookies: Mapping[str, str]) -> tuple[str | None, bool]:
    """The token of a request, and whether a browser sent it by itself."""
    bearer = headers.get("authorization", "")
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip(), False
    return cookies.get(COOKIE), True


def address_of(connection: ASGIConnection[H, U, A, State]) -> str:
    """Where a connection comes from, as limits count it."""
    return address_key(connection.client.host) if connection.client else ""


def is_our_own_page(headers: Mapping[str, str]) -> bool:
    """A browser says which page opens a socket; whoever says nothing is no browser."""
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Default deny: a door that names no action is closed; one that names an action opens to those who may."""
    doors: Doors = connection.app.state.doors
    token, by_cookie = token_in(connection.headers, connection.cookies)
    found, came_from = doors.session_of(token), address_of(connection)
    if not doors.requests.allows(found[0].name if found else f"from/{came_from}"):
        raise Refused(429, "too_fast", "Too many requests: wait a second.")
    if found is None and token:
        found = await doors.session_soon(token, came_from)
    connection.scope["user"] = found[0] if found else None
    path = str(connection.scope.get("path", ""))
    parts = path.split("/")
    if not path.isprintable() or any(len(part) > LONGEST_PART for part in parts) or _is_odd(connection, parts):
        raise Refused(404, "unknown_address", "There is nothing at this address.")
    if not unquote(connection.scope.get("query_string", b"").decode("latin-1")).isprintable():
        # No name, hand or moment has such characters, and not every database takes them.
        raise Refused(400, "bad_request", "What stands behind the question mark cannot be printed.")
    changes = connection.scope.get("method", "GET") not in SAFE_METHODS
    if changes and by_cookie and not is_our_own_page(connection.headers):
        # Log-ins too: nobody is logged in as somebody else by a page that he happens to visit.
        raise Refused(403, "csrf", OTHER_PAGE)
    if handler.opt.get("public"):
        return
    action = handler.opt.get("action")
    if not isinstance(action, Action):
        raise Refused(403, "closed", "This door is closed.")
    if found is None:
        raise Refused(401, "log_in_first", "Log in first.")
    person, session = found
    what = f"{connection.scope.get('method', 'GET')} {_path(doors.floor, connection)}"
    if by_cookie and changes:
        sent = connection.headers.get(CSRF_HEADER, "")
        if not secrets.compare_digest(sent.encode(), session.csrf.encode()):
            await note(doors.floor, person, "csrf", what)
            raise Refused(403, "csrf", OTHER_PAGE)
    # A page asks for news by itself; what it changes, a person does, and a program does everything on purpose.
    await _hold_back(doors, handler, token or "", found, by_a_person=changes or not by_cookie)
    if not person.may(action):
        await refuse(doors.floor, person, action, what)
    if changes and Condition.ASSIGNED in MATRIX[action].conditions:
        await refuse_elsewhere(doors.floor, person, _outside(doors.floor, person, connection), what)


def _is_odd(connection: Connection, parts: list[str]) -> bool:
    """Whether a number in an address is written in another way than with its own digits, as in `+1` or `１`."""
    numbers = (value for value in connection.path_params.values() if isinstance(value, int))
    return any(str(number) not in parts for number in numbers)


def _path(floor: Floor, connection: Connection) -> str:
    """An address as it goes on record: a person is named there by the id."""
    path, name = str(connection.scope.get("path", "")), str(connection.path_params.get("name", ""))
    if not path.startswith("/api/people/") or not name:
        return path
    return path.replace(f"/{name}", f"/{floor.house.directory.id_of(name) or 'unknown'}", 1)


async def _hold_back(
    doors: Doors, handler: BaseRouteHandler, token: str, found: tuple[Person, Session], *, by_a_person: bool
) -> None:
    """Refuse a session that is locked or whose password must be changed first; note one that is in use."""
    key, (person, session) = token_hash(token), found
    if doors.idle.is_over(key, person, session):
        await doors.idle.lock(key)
        session = replace(session, locked=True)
    held = doors.held_back(person, session)
    if held is not None and held[0] not in handler.opt.get("though", ()):
        raise Refused(423 if session.locked else 403, *held)
    if not session.locked and by_a_person:
        doors.idle.use(key, person, session)


def _outside(floor: Floor, person: Person, connection: Connection) -> str:
    """Why the table or link of an address is outside a person's assignment; empty where it is not."""
    name, shown = str(connection.path_params.get("name", "")), floor.house.shown
    path = str(connection.scope.get("path", ""))
    if path.startswith("/api/tables/") and name in shown:
        return refusal(person, name, shown[name].config)
    if path.startswith("/api/links/"):
        return refusal_on(person, name, ((table.name, table.config) for table in shown.values()))
    return ""


def known_query(connection: Connection, handler: BaseRouteHandler) -> None:
    """Refuse a query parameter that the route does not take; a misspelt one would be ignored, and more found than was
    asked for. Files of the client are named with a hash of their content behind the question mark.
    """
    query = connection.scope.get("query_string", b"").decode("latin-1")
    if not query or not isinstance(handler, HTTPRouteHandler) or handler.opt.get("any_query"):
        return
    known = query_names(handler)
    for name, _ in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no query parameters"
            raise Refused(400, "bad_request", f'Unknown query parameter "{name[:40]}": this address {takes}.')


def query_names(handler: BaseRouteHandler) -> list[str]:
    """The query parameters that a route declares, in its own order."""
    fields = handler.parsed_fn_signature.parameters
    return [name for name, field in fields.items() if isinstance(field.kwarg_definition, QueryParameter)]


async def refuse(floor: Floor, person: Person, action: Action, what: str) -> None:
    """Put on the record that somebody asked for what his post may not, and say so."""
    await note(floor, person, action.value, what)
    raise Refused(403, "not_allowed", f"{person.post.who} may not {action.value.replace('_', ' ')}.")


async def refuse_elsewhere(floor: Floor, person: Person, why: str, what: str) -> None:
    """Put on the record that a person of the staff acted outside their assignment, and say so; empty where not."""
    if why:
        await note(floor, person, "not_assigned", what)
        raise Refused(403, "not_assigned", why)


async def note(floor: Floor, person: Person, action: str, what: str) -> None:
    """On the record: who asked for what, and was refused."""
    # What somebody sent may hold anything; the record holds what can be printed.
    plain = "".join(char if char.isprintable() else "?" for char in what[:200])
    await floor.ask(NoteRefusal(person=person.name, action=action, what=plain))
