"""Who comes in: sessions by cookie or bearer token, CSRF, lock-out, and one guard that denies by default."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeAlias, TypeVar
from urllib.parse import unquote, urlsplit

from litestar import Response
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers.base import BaseRouteHandler

from croupier.floor.house import FAULT
from croupier.floor.people import Person, Session, password_fits, sealed_password, token_hash
from croupier.floor.posts import Action, Post
from croupier.floor.requests import Answer, CloseSession, EnrolPerson, NoteRefusal, OpenSession
from croupier.floor.running import Floor

P = ParamSpec("P")
T = TypeVar("T")
Connection: TypeAlias = ASGIConnection[BaseRouteHandler, Person | None, object, State]

COOKIE = "croupier_session"
CSRF_HEADER = "x-csrf"
TRIES, LOCKED_FOR = 5, 900.0
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
OTHER_PAGE = "The request does not come from our own page."
SESSIONS_MOST = 200
"""Sessions of one person."""
SOON = 15
"""Tenths of a second after which what another server has written is known here."""
LONGEST_MOMENT = 12
REMEMBERED = 10_000
"""Of so many names and addresses the doors remember how often they knocked; the longest silent are forgotten first."""


class Refused(HTTPException):
    """A refusal with a stable code, one sentence, and the paragraphs."""

    def __init__(self, status: int, code: str, message: str, rules: tuple[str, ...] = ()) -> None:
        super().__init__(status_code=status, detail=message)
        self.code, self.rules = code, rules


class Doors:
    """Log-ins and sessions of one floor."""

    def __init__(
        self,
        floor: Floor,
        *,
        requests_per_second: float = 100.0,
        log_ins_per_minute: float = 300.0,
        session_hours: float = 24.0,
    ) -> None:
        self.floor = floor
        self._session_seconds = session_hours * 3600
        self.requests = RateLimit(requests_per_second)
        self.log_ins = RateLimit(log_ins_per_minute / 60.0, burst=log_ins_per_minute)
        self._failures: dict[str, deque[float]] = {}
        # Of their own: whoever tries passwords holds up nobody who looks something up.
        self._scribes = ThreadPoolExecutor(2, thread_name_prefix="passwords")
        self._nobodys_secret = sealed_password(secrets.token_urlsafe(16), secrets.token_bytes(16))

    async def close(self) -> None:
        """Nobody proves himself any more."""
        self._scribes.shutdown(wait=False, cancel_futures=True)

    def session_of(self, token: str | None) -> tuple[Person, Session] | None:
        """Who stands behind a token; None where it is unknown, revoked or too old."""
        if not token or self.seconds_left(token) <= 0:
            return None
        people = self.floor.house.shown_people
        session = people.sessions.get(token_hash(token))
        person = people.persons.get(session.person) if session is not None else None
        return None if person is None or session is None else (person, session)

    async def session_soon(self, token: str | None) -> tuple[Person, Session] | None:
        """As `session_of`. Where several servers share a house another may have opened it a moment ago, and a token
        that could be one is looked for again until its record must be here.
        """
        found = self.session_of(token)
        if found is None and token and self.floor.house.store.is_shared and self.seconds_left(token) > 0:
            for _ in range(SOON):
                await asyncio.sleep(0.1)
                if (found := self.session_of(token)) is not None:
                    break
        return found

    def seconds_left(self, token: str) -> float:
        """Until a session ends by itself. Its token begins with the moment when it was opened; what is kept is the hash
        of the whole, so nobody makes himself a younger one.
        """
        opened, dot, _ = token.partition(".")
        if not dot or not opened.isascii() or not opened.isdigit() or len(opened) > LONGEST_MOMENT:
            return 0.0
        return int(opened) + self._session_seconds - time.time()

    async def enrol(self, name: str, post: Post, password: str) -> None:
        """Somebody may log in from now on; an empty password lets nobody in."""
        if ":" in name:
            # His name and a colon stand before the ids of his commands; with two colons they might be another's.
            raise Refused(409, "bad_name", "A person's name has no colon.")
        secret = await self._slowly(sealed_password, password, secrets.token_bytes(16)) if password else ""
        answer = await self.floor.ask(EnrolPerson(name=name, post=post, secret=secret))
        if not answer.accepted:
            raise Refused(409, answer.code, answer.message)

    async def log_in(self, name: str, password: str, came_from: str) -> tuple[Person, str, str]:
        """A session's token and CSRF secret for whoever proves himself."""
        failures = self._recent_failures(f"{came_from} {name}")
        if len(failures) >= TRIES:
            await self.floor.ask(NoteRefusal(person=name[:40], action="log_in", what="locked out"))
            raise Refused(429, "locked_out", "Too many wrong passwords: try again in a quarter of an hour.")
        person = self.floor.house.shown_people.persons.get(name)
        # A name that nobody has takes as long as one with a wrong password, so that time tells nothing.
        secret = person.secret if person is not None and person.secret else self._nobodys_secret
        failures.append(time.monotonic())  # before the slow part, so that many at once do not slip through
        if not await self._slowly(password_fits, password, secret) or person is None:
            await self.floor.ask(NoteRefusal(person=name[:40], action="log_in", what="wrong name or password"))
            raise Refused(401, "wrong_password", "This name and this password do not fit.")
        failures.clear()
        token, csrf = await self.open_session(person)
        return person, token, csrf

    async def _slowly(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What takes long on purpose, off the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._scribes, partial(work, *given, **named))

    def _recent_failures(self, key: str) -> deque[float]:
        failures = self._failures.pop(key, None) or deque()
        now = time.monotonic()
        while failures and failures[0] < now - LOCKED_FOR:
            failures.popleft()
        if len(self._failures) >= REMEMBERED:
            del self._failures[next(iter(self._failures))]
        self._failures[key] = failures
        return failures

    async def open_session(self, person: Person) -> tuple[str, str]:
        """A fresh token for somebody who has proved himself; of too many sessions the oldest are closed."""
        sessions = self.floor.house.shown_people.sessions
        held = [key for key, session in sessions.items() if session.person == person.name]
        for oldest in held[: max(0, len(held) - SESSIONS_MOST + 1)]:
            await self._close(oldest)
        token, csrf = f"{int(time.time())}.{secrets.token_urlsafe(32)}", secrets.token_urlsafe(16)
        await self.floor.ask(OpenSession(person=person.name, token_hash=token_hash(token), csrf=csrf))
        return token, csrf

    async def log_out(self, token: str) -> None:
        await self._close(token_hash(token))

    async def sign_out(self, name: str) -> int:
        """Revoke every session of somebody; how many there were."""
        held = [key for key, session in self.floor.house.shown_people.sessions.items() if session.person == name]
        for key in held:
            await self._close(key)
        return len(held)

    async def _close(self, session: str) -> None:
        await self.floor.ask(CloseSession(token_hash=session))
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
    if answer.code == FAULT:
        return Response(answer, status_code=500)
    return Response(answer, status_code=200 if answer.accepted else 409)


def token_in(headers: Mapping[str, str], cookies: Mapping[str, str]) -> tuple[str | None, bool]:
    """The token of a request, and whether a browser sent it by itself."""
    bearer = headers.get("authorization", "")
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip(), False
    return cookies.get(COOKIE), True


def is_our_own_page(headers: Mapping[str, str]) -> bool:
    """A browser says which page opens a socket; whoever says nothing is no browser."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Default deny: a door that names no action is closed; one that names an action opens to those who may."""
    doors: Doors = connection.app.state.doors
    token, by_cookie = token_in(connection.headers, connection.cookies)
    found = await doors.session_soon(token)
    connection.scope["user"] = found[0] if found else None
    came_from = connection.client.host if connection.client else ""
    if not doors.requests.allows(found[0].name if found else f"from/{came_from}"):
        raise Refused(429, "too_fast", "Too many requests: wait a second.")
    if not str(connection.scope.get("path", "")).isprintable():
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
    what = f"{connection.scope.get('method', 'GET')} {connection.scope.get('path', '')}"
    if by_cookie and changes:
        sent = connection.headers.get(CSRF_HEADER, "")
        if not secrets.compare_digest(sent.encode(), session.csrf.encode()):
            await note(doors.floor, person, "csrf", what)
            raise Refused(403, "csrf", OTHER_PAGE)
    if not person.may(action):
        await refuse(doors.floor, person, action, what)


async def refuse(floor: Floor, person: Person, action: Action, what: str) -> None:
    """Put on the record that somebody asked for what his post may not, and say so."""
    await note(floor, person, action.value, what)
    post = person.post.value.replace("_", " ")
    raise Refused(403, "not_allowed", f"A {post} may not {action.value.replace('_', ' ')}.")


async def note(floor: Floor, person: Person, action: str, what: str) -> None:
    """On the record: who asked for what, and was refused."""
    # What somebody sent may hold anything; the record holds what can be printed.
    plain = "".join(char if char.isprintable() else "?" for char in what[:200])
    await floor.ask(NoteRefusal(person=person.name, action=action, what=plain))
