"""The doors of one's own account: password, second factor, sessions; and what an administrator does about others'."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, TypeAlias

import msgspec
from litestar import Request, delete, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath

from croupier.floor.duties.permissions import Action
from croupier.floor.history.qr_code import qr_svg
from croupier.floor.live.floor import Floor
from croupier.floor.people.passwords import LONGEST, PUBLIC_PASSWORD, weakness
from croupier.floor.people.people import Person, Session, token_hash
from croupier.floor.records.commands import Answer, ChangeSecret, EnrolFactor, RemoveFactor, UnlockSession
from croupier.floor.records.keys import BadKeys
from croupier.floor.server.auth import Doors, Refused, token_in
from croupier.floor.server.second_factor import (
    address_of,
    new_recovery_codes,
    new_secret,
    recovery_hash,
    sealed_factor,
    step_of,
)
from croupier.floor.views.table_views import Json
from croupier.journal.store import Origin

HttpRequest: TypeAlias = Request[Person | None, object, State]
Password: TypeAlias = Annotated[str, msgspec.Meta(max_length=LONGEST)]
Code: TypeAlias = Annotated[str, msgspec.Meta(max_length=40)]

_PROPOSED_MOST = 1000
"""Second factors that wait for their first code; the oldest is forgotten first."""


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    """Another password for oneself."""

    old: Password
    new: Password


class Proving(msgspec.Struct, forbid_unknown_fields=True):
    """The password again."""

    password: Password


class ProvingTwice(msgspec.Struct, forbid_unknown_fields=True):
    """The password again, and a code of the second factor."""

    password: Password
    code: Code


class FirstCode(msgspec.Struct, forbid_unknown_fields=True):
    """The first code of a new device."""

    code: Code


def house_words(floor: Floor, server: str, name: str) -> Iterator[str]:
    """Words that a stranger tries first for this person: their name, and what the house calls its things."""
    yield from (name, *name.replace("-", " ").replace("_", " ").replace(".", " ").split(), server)
    yield from floor.house.shown
    yield from floor.house.shown_links


def check_new_password(state: State, name: str, password: str) -> None:
    """A password that is easy to guess is not taken; a demonstration has one that everybody knows."""
    if state.settings.demo and password == PUBLIC_PASSWORD:
        return
    why = weakness(password, house_words(state.floor, state.settings.name, name))
    if why:
        raise Refused(400, "weak_password", why)


def _person(request: HttpRequest) -> Person:
    person = request.scope["user"]
    assert isinstance(person, Person)
    return person


def _name(doors: Doors, person: Person) -> str:
    return doors.floor.house.directory.name_of(person.name)


def _own_session(request: HttpRequest) -> str:
    token, _ = token_in(request.headers, request.cookies)
    return token_hash(token or "")


def came_from(request: HttpRequest) -> str:
    """The address of a client."""
    return request.client.host if request.client else ""


def _done(answer: Answer) -> None:
    if not answer.accepted:
        raise Refused(409, answer.code, answer.message)


# ---------------------------------------------------------------- one's own password


@post(
    "/api/password",
    opt={"action": Action.OWN_ACCOUNT, "though": ("change_password_first", "second_factor_first")},
    status_code=200,
)
async def change_password(state: State, request: HttpRequest, data: Annotated[NewPassword, Body()]) -> Json:
    """Choose another password; every other session of one's own ends."""
    doors: Doors = state.doors
    person = _person(request)
    await doors.check_password(person, data.old, came_from(request), "change_password")
    if data.new == data.old:
        raise Refused(400, "weak_password", "The new password is the old one.")
    check_new_password(state, _name(doors, person), data.new)
    secret = await doors.sealed(data.new)
    asked = ChangeSecret(name=person.name, secret=secret, by=person.name, keeps=_own_session(request))
    _done(await doors.floor.ask(asked))
    return {"name": person.name}


@post("/api/unlock", opt={"action": Action.OWN_ACCOUNT, "though": ("session_locked",)}, status_code=200)
async def unlock(state: State, request: HttpRequest, data: Annotated[Proving, Body()]) -> Json:
    """Go on with a session that was locked because nobody used it."""
    doors: Doors = state.doors
    person = _person(request)
    if person.break_glass and not person.secret:
        raise Refused(409, "password_used", f"The password of {person.name} was used: it has to be reset.")
    await doors.check_password(person, data.password, came_from(request), "unlock")
    _done(await doors.floor.ask(UnlockSession(token_hash=_own_session(request))))
    return {"name": person.name}


# ---------------------------------------------------------------- one's own sessions


def session_json(doors: Doors, key: str, session: Session, own: str, origin: Origin) -> Json:
    """A session as its owner and an administrator see it."""
    used = session.used
    if session.used and not session.locked:
        seen = doors.time.now() - doors.idle.unused_seconds(key, session)
        used = max(used, int(seen * 1_000_000)) if key in doors.idle.known else used
    return {
        "id": key,
        "opened": _moment(session.opened),
        "used": _moment(used),
        "address": origin.came_from,
        "browser": origin.browser,
        "locked": session.locked,
        "this": key == own,
    }


def _moment(at: int) -> str | None:
    """A moment in UTC; None where an earlier release did not keep it."""
    return datetime.fromtimestamp(at / 1_000_000, UTC).isoformat(timespec="seconds") if at else None


async def _sessions(doors: Doors, name: str, own: str) -> list[Json]:
    held = {key: s for key, s in doors.floor.house.shown_people.sessions.items() if s.person == name}
    origins = await _origins(doors.floor, held)
    return [session_json(doors, key, session, own, origins[key]) for key, session in held.items()]


async def _origins(floor: Floor, sessions: Mapping[str, Session]) -> Mapping[str, Origin]:
    """Where sessions were opened; an earlier release kept that in its records."""
    known = await asyncio.to_thread(floor.past.origins)
    return {key: known.get(key) or Origin(key, s.came_from, s.browser) for key, s in sessions.items()}


async def _end(doors: Doors, name: str, key: str, by: str) -> Json:
    session = doors.floor.house.shown_people.sessions.get(key)
    if session is None or session.person != name:
        raise Refused(404, "unknown_session", "There is no such session.")
    await doors.close_session(key, by)
    return {"id": key}


@get("/api/sessions", opt={"action": Action.OWN_ACCOUNT})
async def own_sessions(state: State, request: HttpRequest) -> list[Json]:
    """One's own sessions: when each was opened and last used, from where, and with what."""
    return await _sessions(state.doors, _person(request).name, _own_session(request))


@delete("/api/sessions/{key:str}", opt={"action": Action.OWN_ACCOUNT}, status_code=200)
async def end_own_session(state: State, request: HttpRequest, key: FromPath[str]) -> Json:
    """Sign out one of one's own sessions, wherever it is."""
    person = _person(request)
    return await _end(state.doors, person.name, key, person.name)


@post("/api/sessions/use", opt={"action": Action.OWN_ACCOUNT}, status_code=200, sync_to_thread=False)
def use_session() -> Json:
    """Say that somebody sits before the page: the session is not locked. Every command says so as well."""
    return {"used": True}


# ---------------------------------------------------------------- one's own second factor


@post("/api/second-factor", opt={"action": Action.OWN_ACCOUNT, "though": ("second_factor_first",)}, status_code=200)
async def propose_factor(state: State, request: HttpRequest, data: Annotated[Proving, Body()]) -> Json:
    """Begin with a second factor: a secret for an authenticator program, as text and as a QR code (SVG)."""
    doors: Doors = state.doors
    person = _person(request)
    if person.factor:
        raise Refused(409, "factor_exists", f"{person.name} has a second factor already: remove it first.")
    await doors.check_password(person, data.password, came_from(request), "second_factor")
    proposed = doors.proposed_factors
    proposed.pop(person.name, None)
    if len(proposed) >= _PROPOSED_MOST:
        del proposed[next(iter(proposed))]
    proposed[person.name] = secret = new_secret()
    address = address_of(secret, _name(doors, person))
    return {"secret": secret, "address": address, "qr": qr_svg(address)}


@post(
    "/api/second-factor/confirm",
    opt={"action": Action.OWN_ACCOUNT, "though": ("second_factor_first",)},
    status_code=200,
)
async def confirm_factor(state: State, request: HttpRequest, data: Annotated[FirstCode, Body()]) -> Json:
    """The device has given its first code: it counts from now on. The recovery codes are told this once."""
    doors: Doors = state.doors
    person = _person(request)
    secret = doors.proposed_factors.get(person.name)
    if secret is None:
        raise Refused(409, "no_factor", "Begin with the QR code first.")
    step = step_of(secret, data.code.replace(" ", ""), doors.time.wall())
    if step is None:
        raise Refused(400, "wrong_code", "This code does not fit: is the clock of the device right?")
    codes = new_recovery_codes()
    try:
        sealed = sealed_factor(doors.keys, person.name, secret)
    except BadKeys as wrong:
        raise Refused(409, "no_key", str(wrong)) from None
    hashes = tuple(recovery_hash(person.name, code) for code in codes)
    _done(await doors.floor.ask(EnrolFactor(name=person.name, sealed=sealed, recovery=hashes, step=step)))
    doors.proposed_factors.pop(person.name, None)
    return {"recovery": list(codes)}


@post("/api/second-factor/remove", opt={"action": Action.OWN_ACCOUNT}, status_code=200)
async def remove_own_factor(state: State, request: HttpRequest, data: Annotated[ProvingTwice, Body()]) -> Json:
    """Do without a second factor from now on, or make room for another device."""
    doors: Doors = state.doors
    person = _person(request)
    if not person.factor:
        raise Refused(409, "no_factor", f"{person.name} has no second factor.")
    await doors.check_password(person, data.password, came_from(request), "second_factor")
    await doors.proved(person, data.code)
    _done(await doors.floor.ask(RemoveFactor(name=person.name, by=person.name)))
    return {"name": person.name}


# ---------------------------------------------------------------- what an administrator does


def _known(state: State, name: str) -> Person:
    doors: Doors = state.doors
    return doors.floor.house.shown_people.persons[doors.id_of(name)]


@post("/api/people/{name:str}/reset", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def reset_password(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """Give a person a password that works once, told only here; all their sessions end."""
    doors: Doors = state.doors
    person, by = _known(state, name), _person(request).name
    if person.name == by:
        raise Refused(409, "not_oneself", "Change your own password with the old one.")
    password = secrets.token_urlsafe(12)
    secret = await doors.sealed(password)
    # The password of a break-glass account works once as it is, and in an emergency there is no time to choose another.
    _done(await doors.floor.ask(ChangeSecret(name=person.name, secret=secret, by=by, once=not person.break_glass)))
    return {"name": name, "password": password}


@post("/api/people/{name:str}/second-factor/remove", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def remove_factor(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """Take a lost device from a person: they log in with the password alone until they set up another."""
    person, by = _known(state, name).name, _person(request).name
    if person == by:
        raise Refused(409, "not_oneself", "Remove your own second factor with a code of it.")
    _done(await state.doors.floor.ask(RemoveFactor(name=person, by=by)))
    return {"name": name}


@get("/api/people/{name:str}/sessions", opt={"action": Action.ENROL_PEOPLE})
async def sessions_of(state: State, request: HttpRequest, name: FromPath[str]) -> list[Json]:
    """The sessions of a person."""
    return await _sessions(state.doors, _known(state, name).name, _own_session(request))


@delete("/api/people/{name:str}/sessions/{key:str}", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def end_session(state: State, request: HttpRequest, name: FromPath[str], key: FromPath[str]) -> Json:
    """End one session of a person."""
    return await _end(state.doors, _known(state, name).name, key, _person(request).name)


# ---------------------------------------------------------------- alarms


@get("/api/alarms", opt={"action": Action.SEE_FIGURES})
async def alarms(state: State) -> list[Json]:
    """Break-glass accounts that were used, until an administrator has given each another password."""
    people = state.floor.house.shown_people
    found: list[Json] = []
    for person in people.persons.values():
        if person.alarm:
            held = {key: session for key, session in people.sessions.items() if session.person == person.name}
            last = max(held, key=lambda key: held[key].opened, default=None)
            origins = await _origins(state.floor, held)
            found.append(
                {
                    "kind": "break_glass",
                    "name": person.name,
                    "post": person.post.value,
                    "at": _moment(person.alarm),
                    "address": "" if last is None else origins[last].came_from,
                    "logged_in": last is not None,
                }
            )
    return found


CREDENTIAL_ROUTES = (
    change_password, unlock, own_sessions, end_own_session, use_session, propose_factor, confirm_factor,
    remove_own_factor, reset_password, remove_factor, sessions_of, end_session, alarms,
)  # fmt: skip
