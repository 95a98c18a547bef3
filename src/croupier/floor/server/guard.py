"""The guard: every request is refused unless its route is public or names an action that the person may take."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TypeAlias, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.handlers.base import BaseRouteHandler
from litestar.params import QueryParameter
from msgspec.structs import replace

from croupier.floor.duties.permissions import MATRIX, Action, Condition
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.people.assignments import refusal, refusal_on
from croupier.floor.people.people import Person, Session, token_hash
from croupier.floor.records.commands import NoteRefusal
from croupier.floor.server.errors import ApiError
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.quotas import address_key

H = TypeVar("H")
U = TypeVar("U")
A = TypeVar("A")
Connection: TypeAlias = ASGIConnection[BaseRouteHandler, Person | None, object, State]

COOKIE = "croupier_session"
CSRF_HEADER = "x-csrf"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
OTHER_PAGE = "The request does not come from our own page."
LONGEST_PART = 250
"""Characters between two slashes of an address; no file system has longer names."""


def token_in(headers: Mapping[str, str], cookies: Mapping[str, str]) -> tuple[str | None, bool]:
    """Return the token of a request, and whether it is read from the cookie, which a browser sends by itself."""
    bearer = headers.get("authorization", "")
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip(), False
    return cookies.get(COOKIE), True


def address_of(connection: ASGIConnection[H, U, A, State]) -> str:
    """Return the address of a connection as limits count it."""
    return address_key(connection.client.host) if connection.client else ""


def client_host(connection: ASGIConnection[H, U, A, State]) -> str:
    """Return the address of a client as sessions record it."""
    return connection.client.host if connection.client else ""


def is_our_own_page(headers: Mapping[str, str]) -> bool:
    """Return whether a request comes from a page of this server; only browsers send an origin."""
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Deny by default: a route opens only if it is public, or if the person may take the action that it names."""
    sessions: Sessions = connection.app.state.sessions
    token, by_cookie = token_in(connection.headers, connection.cookies)
    found, came_from = sessions.session_of(token), address_of(connection)
    if not sessions.requests.allows(found[0].name if found else f"from/{came_from}"):
        raise ApiError(429, "too_fast", "Too many requests: wait a second.")
    if found is None and token:
        found = await sessions.awaited_session(token, came_from)
    connection.scope["user"] = found[0] if found else None
    path = str(connection.scope.get("path", ""))
    parts = path.split("/")
    if not path.isprintable() or any(len(part) > LONGEST_PART for part in parts) or _is_odd(connection, parts):
        raise ApiError(404, "unknown_address", "There is nothing at this address.")
    if not unquote(connection.scope.get("query_string", b"").decode("latin-1")).isprintable():
        # No name, hand or moment has such characters, and not every database takes them.
        raise ApiError(400, "bad_request", "The query string contains control characters.")
    changes = connection.scope.get("method", "GET") not in SAFE_METHODS
    if changes and by_cookie and not is_our_own_page(connection.headers):
        # Log-ins too: a page of another site must not log a visitor in as another person.
        raise ApiError(403, "csrf", OTHER_PAGE)
    if handler.opt.get("public"):
        return
    action = handler.opt.get("action")
    if not isinstance(action, Action):
        raise ApiError(403, "closed", "This route names no action and is closed.")
    if found is None:
        raise ApiError(401, "log_in_first", "Log in first.")
    person, session = found
    what = f"{connection.scope.get('method', 'GET')} {_path(sessions.floor, connection)}"
    if by_cookie and changes:
        sent = connection.headers.get(CSRF_HEADER, "")
        if not secrets.compare_digest(sent.encode(), session.csrf.encode()):
            await note(sessions.floor, person, "csrf", what)
            raise ApiError(403, "csrf", OTHER_PAGE)
    # A page polls by itself; a person makes the changes, and a program sends every request on purpose.
    await _hold_back(sessions, handler, token or "", found, by_a_person=changes or not by_cookie)
    if not person.may(action):
        await refuse(sessions.floor, person, action, what)
    # A route that answers a repeated id first checks the assignment by itself.
    if changes and not handler.opt.get("checks_assignment") and Condition.ASSIGNED in MATRIX[action].conditions:
        await refuse_elsewhere(sessions.floor, person, _outside(sessions.floor, person, connection), what)


def _is_odd(connection: Connection, parts: list[str]) -> bool:
    """Return whether a number in an address is written other than with its own digits, as in `+1` or `１`."""
    numbers = (value for value in connection.path_params.values() if isinstance(value, int))
    return any(str(number) not in parts for number in numbers)


def _path(floor: LiveFloor, connection: Connection) -> str:
    """Return an address as it goes on record: it names a person by the id."""
    path, name = str(connection.scope.get("path", "")), str(connection.path_params.get("name", ""))
    if not path.startswith("/api/people/") or not name:
        return path
    return path.replace(f"/{name}", f"/{floor.house.directory.id_of(name) or 'unknown'}", 1)


async def _hold_back(
    sessions: Sessions, handler: BaseRouteHandler, token: str, found: tuple[Person, Session], *, by_a_person: bool
) -> None:
    """Refuse a session that is locked or whose password must be changed first; note one that is in use."""
    key, (person, session) = token_hash(token), found
    if sessions.idle.is_over(key, person, session):
        await sessions.idle.lock(key)
        session = replace(session, locked=True)
    held = sessions.held_back(person, session)
    if held is not None and held[0] not in handler.opt.get("though", ()):
        raise ApiError(423 if session.locked else 403, *held)
    if not session.locked and by_a_person:
        sessions.idle.use(key, person, session)


def _outside(floor: LiveFloor, person: Person, connection: Connection) -> str:
    """Return why the table or link of an address is outside a person's assignment; empty where it is not."""
    name, shown = str(connection.path_params.get("name", "")), floor.house.shown
    path = str(connection.scope.get("path", ""))
    if path.startswith("/api/tables/") and name in shown:
        return refusal(person, name, shown[name].config)
    if path.startswith("/api/links/"):
        return refusal_on(person, name, ((table.name, table.config) for table in shown.values()))
    return ""


def known_query(connection: Connection, handler: BaseRouteHandler) -> None:
    """Refuse a query parameter that the route does not take: a misspelt one would be ignored, and a search would find
    too much. Files of the browser client carry a hash of their content as their query.
    """
    query = connection.scope.get("query_string", b"").decode("latin-1")
    if not query or not isinstance(handler, HTTPRouteHandler) or handler.opt.get("any_query"):
        return
    known = query_names(handler)
    for name, _ in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no query parameters"
            raise ApiError(400, "bad_request", f'Unknown query parameter "{name[:40]}": this address {takes}.')


def query_names(handler: BaseRouteHandler) -> list[str]:
    """List the query parameters that a route declares, in its own order."""
    fields = handler.parsed_fn_signature.parameters
    return [name for name, field in fields.items() if isinstance(field.kwarg_definition, QueryParameter)]


async def refuse(floor: LiveFloor, person: Person, action: Action, what: str) -> None:
    """Record that a person asked for what their post may not do, and raise ApiError."""
    await note(floor, person, action.value, what)
    raise ApiError(403, "not_allowed", f"{person.post.who} may not {action.value.replace('_', ' ')}.")


async def refuse_elsewhere(floor: LiveFloor, person: Person, why: str, what: str) -> None:
    """Record that a person acted outside their assignment, and raise ApiError; `why` is empty where they did not."""
    if why:
        await note(floor, person, "not_assigned", what)
        raise ApiError(403, "not_assigned", why)


async def note(floor: LiveFloor, person: Person, action: str, what: str) -> None:
    """Record who asked for what and was refused."""
    # A request may hold anything; the record holds what can be printed.
    plain = "".join(char if char.isprintable() else "?" for char in what[:200])
    await floor.ask(NoteRefusal(person=person.name, action=action, what=plain))
