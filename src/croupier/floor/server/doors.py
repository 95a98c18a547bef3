"""Who comes in: sessions by cookie or bearer token, CSRF, lock-out, and one guard that denies by default."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict, deque
from collections.abc import Mapping
from typing import TypeAlias

from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers.base import BaseRouteHandler

from croupier.floor.people import Person, Session, password_fits, sealed_password, token_hash
from croupier.floor.posts import Action, Post
from croupier.floor.requests import CloseSession, EnrolPerson, NoteRefusal, OpenSession
from croupier.floor.running import Floor

Connection: TypeAlias = ASGIConnection[BaseRouteHandler, Person | None, object, State]

COOKIE = "croupier_session"
CSRF_HEADER = "x-csrf"
TRIES, LOCKED_FOR = 5, 900.0
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class Refused(HTTPException):
    """A refusal with a stable code, one sentence, and the paragraphs."""

    def __init__(self, status: int, code: str, message: str, rules: tuple[str, ...] = ()) -> None:
        super().__init__(status_code=status, detail=message)
        self.code, self.rules = code, rules


class Doors:
    """Log-ins and sessions of one floor."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self._failures: defaultdict[str, deque[float]] = defaultdict(deque)

    def session_of(self, token: str | None) -> tuple[Person, Session] | None:
        """Who stands behind a token; None where it is unknown or revoked."""
        people = self.floor.house.people
        session = people.sessions.get(token_hash(token)) if token else None
        person = people.persons.get(session.person) if session is not None else None
        return None if person is None or session is None else (person, session)

    async def enrol(self, name: str, post: Post, password: str) -> None:
        """Somebody may log in from now on; an empty password lets nobody in."""
        secret = sealed_password(password, secrets.token_bytes(16)) if password else ""
        answer = await self.floor.ask(EnrolPerson(name=name, post=post, secret=secret))
        if not answer.accepted:
            raise Refused(409, answer.code, answer.message)

    async def log_in(self, name: str, password: str, came_from: str) -> tuple[Person, str, str]:
        """A session's token and CSRF secret for whoever proves himself."""
        key = f"{came_from} {name}"
        failures = self._failures[key]
        now = time.monotonic()
        while failures and failures[0] < now - LOCKED_FOR:
            failures.popleft()
        if len(failures) >= TRIES:
            raise Refused(429, "locked_out", "Too many wrong passwords: try again in a quarter of an hour.")
        person = self.floor.house.people.persons.get(name)
        if person is None or not password_fits(password, person.secret):
            failures.append(now)
            await self.floor.ask(NoteRefusal(person=name[:40], action="log_in", what="wrong name or password"))
            raise Refused(401, "wrong_password", "This name and this password do not fit.")
        failures.clear()
        token, csrf = await self.open_session(person)
        return person, token, csrf

    async def open_session(self, person: Person) -> tuple[str, str]:
        """A fresh token for somebody who has proved himself."""
        token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(16)
        await self.floor.ask(OpenSession(person=person.name, token_hash=token_hash(token), csrf=csrf))
        return token, csrf

    async def log_out(self, token: str) -> None:
        await self.floor.ask(CloseSession(token_hash=token_hash(token)))


def token_in(headers: Mapping[str, str], cookies: Mapping[str, str]) -> tuple[str | None, bool]:
    """The token of a request, and whether a browser sent it by itself."""
    bearer = headers.get("authorization", "")
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip(), False
    return cookies.get(COOKIE), True


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Default deny: a door that names no action is closed; one that names an action opens to those who may."""
    doors: Doors = connection.app.state.doors
    token, by_cookie = token_in(connection.headers, connection.cookies)
    found = doors.session_of(token)
    connection.scope["user"] = found[0] if found else None
    if handler.opt.get("public"):
        return
    action = handler.opt.get("action")
    if not isinstance(action, Action):
        raise Refused(403, "closed", "This door is closed.")
    if found is None:
        raise Refused(401, "log_in_first", "Log in first.")
    person, session = found
    method = connection.scope.get("method", "GET")
    if by_cookie and method not in SAFE_METHODS:
        sent = connection.headers.get(CSRF_HEADER, "")
        if not secrets.compare_digest(sent, session.csrf):
            raise Refused(403, "csrf", "The request does not come from our own page.")
    if not person.may(action):
        await refuse(doors.floor, person, action, connection.scope.get("path", ""))


async def refuse(floor: Floor, person: Person, action: Action, what: str) -> None:
    """Put on the record that somebody asked for what his post may not, and say so."""
    await floor.ask(NoteRefusal(person=person.name, action=action.value, what=what[:200]))
    post = person.post.value.replace("_", " ")
    raise Refused(403, "not_allowed", f"A {post} may not {action.value.replace('_', ' ')}.")
