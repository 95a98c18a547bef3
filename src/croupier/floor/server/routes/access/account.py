"""One's own account: password, second factor, sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated

from litestar import delete, get, post
from litestar.params import Body, FromPath

from croupier.floor.duties.permissions import Action
from croupier.floor.history.qr_code import qr_svg
from croupier.floor.live.floor import Floor
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.people.passwords import PUBLIC_PASSWORD, weakness
from croupier.floor.people.people import Person, Session, token_hash
from croupier.floor.records.commands import ChangeSecret, EnrolFactor, RemoveFactor, UnlockSession
from croupier.floor.server.dependencies import HttpRequest, TheFloor, ThePerson, TheSessions, TheSettings
from croupier.floor.server.errors import ApiError, require_accepted
from croupier.floor.server.guard import client_host, token_in
from croupier.floor.server.login import second_factor
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.settings import Settings
from croupier.floor.server.wire import sessions as wire
from croupier.journal.store import Origin

_PROPOSED_MOST = 1000
"""Second factors that wait for their first code; the oldest is forgotten first."""


def house_words(floor: Floor, server: str, name: str) -> Iterator[str]:
    """Yield words that are easy to guess for this person: their name, and the names of the server, tables and links."""
    yield from (name, *name.replace("-", " ").replace("_", " ").replace(".", " ").split(), server)
    yield from floor.house.shown
    yield from floor.house.shown_links


def check_new_password(floor: Floor, settings: Settings, name: str, password: str) -> None:
    """Raise ApiError for a password that is easy to guess; a demonstration has one that everybody knows."""
    if settings.demo and password == PUBLIC_PASSWORD:
        return
    why = weakness(password, house_words(floor, settings.name, name))
    if why:
        raise ApiError(400, "weak_password", why)


def _name(sessions: Sessions, person: Person) -> str:
    return sessions.floor.house.directory.name_of(person.name)


def _own_session(request: HttpRequest) -> str:
    token, _ = token_in(request.headers, request.cookies)
    return token_hash(token or "")


@post(
    "/api/password",
    opt={"action": Action.OWN_ACCOUNT, "though": ("change_password_first", "second_factor_first")},
    status_code=200,
)
async def change_password(
    floor: TheFloor,
    sessions: TheSessions,
    settings: TheSettings,
    person: ThePerson,
    request: HttpRequest,
    data: Annotated[wire.NewPassword, Body()],
) -> wire.PersonName:
    """Choose another password; every other session of the person ends."""
    await sessions.check_password(person, data.old, client_host(request), "change_password")
    if data.new == data.old:
        raise ApiError(400, "weak_password", "The new password is the old one.")
    check_new_password(floor, settings, _name(sessions, person), data.new)
    secret = await sessions.sealed(data.new)
    asked = ChangeSecret(name=person.name, secret=secret, by=person.name, keeps=_own_session(request))
    require_accepted(await floor.ask(asked))
    return wire.PersonName(name=person.name)


@post("/api/unlock", opt={"action": Action.OWN_ACCOUNT, "though": ("session_locked",)}, status_code=200)
async def unlock(
    floor: TheFloor,
    sessions: TheSessions,
    person: ThePerson,
    request: HttpRequest,
    data: Annotated[wire.PasswordProof, Body()],
) -> wire.PersonName:
    """Unlock a session that was locked because it was not used."""
    if person.break_glass and not person.secret:
        raise ApiError(409, "password_used", f"The password of {person.name} was used: it has to be reset.")
    await sessions.check_password(person, data.password, client_host(request), "unlock")
    require_accepted(await floor.ask(UnlockSession(token_hash=_own_session(request))))
    return wire.PersonName(name=person.name)


def _session_view(sessions: Sessions, key: str, session: Session, own: str, origin: Origin) -> wire.SessionView:
    used = session.used
    if session.used and not session.locked:
        seen = sessions.time.now() - sessions.idle.unused_seconds(key, session)
        used = max(used, int(seen * 1_000_000)) if key in sessions.idle.known else used
    return wire.SessionView(
        id=key,
        opened=moment(session.opened),
        used=moment(used),
        address=origin.came_from,
        browser=origin.browser,
        locked=session.locked,
        this=key == own,
    )


def moment(at: int) -> str | None:
    """Write a moment in UTC; None where an earlier release did not keep it."""
    return datetime.fromtimestamp(at / 1_000_000, UTC).isoformat(timespec="seconds") if at else None


async def sessions_view(sessions: Sessions, name: str, request: HttpRequest) -> list[wire.SessionView]:
    """List the sessions of a person, as the person and an administrator see them."""
    held = {key: s for key, s in sessions.floor.house.shown_people.sessions.items() if s.person == name}
    origins, own = await origins_of(sessions.floor, held), _own_session(request)
    return [_session_view(sessions, key, session, own, origins[key]) for key, session in held.items()]


async def origins_of(floor: LiveFloor, sessions: Mapping[str, Session]) -> Mapping[str, Origin]:
    """Return where each session was opened; an earlier release kept that in its records."""
    known = await asyncio.to_thread(floor.past.origins)
    return {key: known.get(key) or Origin(key, s.came_from, s.browser) for key, s in sessions.items()}


async def end_of_session(sessions: Sessions, name: str, key: str, by: str) -> wire.SessionId:
    """End a session of this person; raises ApiError where it is not theirs."""
    session = sessions.floor.house.shown_people.sessions.get(key)
    if session is None or session.person != name:
        raise ApiError(404, "unknown_session", "There is no such session.")
    await sessions.close_session(key, by)
    return wire.SessionId(id=key)


@get("/api/sessions", opt={"action": Action.OWN_ACCOUNT})
async def own_sessions(sessions: TheSessions, person: ThePerson, request: HttpRequest) -> list[wire.SessionView]:
    """List your own sessions: when each was opened and last used, from where, and with which browser."""
    return await sessions_view(sessions, person.name, request)


@delete("/api/sessions/{key:str}", opt={"action": Action.OWN_ACCOUNT}, status_code=200)
async def end_own_session(sessions: TheSessions, person: ThePerson, key: FromPath[str]) -> wire.SessionId:
    """Sign out one of your own sessions, on any device."""
    return await end_of_session(sessions, person.name, key, person.name)


@post("/api/sessions/use", opt={"action": Action.OWN_ACCOUNT}, status_code=200, sync_to_thread=False)
def use_session() -> wire.SessionUsed:
    """Note that a person uses the page, so that the session is not locked. Every command is noted as well."""
    return wire.SessionUsed(used=True)


@post("/api/second-factor", opt={"action": Action.OWN_ACCOUNT, "though": ("second_factor_first",)}, status_code=200)
async def propose_factor(
    sessions: TheSessions, person: ThePerson, request: HttpRequest, data: Annotated[wire.PasswordProof, Body()]
) -> wire.Factor:
    """Begin with a second factor: a secret for an authenticator program, as text and as a QR code (SVG)."""
    if person.factor:
        raise ApiError(409, "factor_exists", f"{person.name} has a second factor already: remove it first.")
    await sessions.check_password(person, data.password, client_host(request), "second_factor")
    proposed = sessions.proposed_factors
    proposed.pop(person.name, None)
    if len(proposed) >= _PROPOSED_MOST:
        del proposed[next(iter(proposed))]
    proposed[person.name] = secret = second_factor.new_secret()
    address = second_factor.address_of(secret, _name(sessions, person))
    return wire.Factor(secret=secret, address=address, qr=qr_svg(address))


@post(
    "/api/second-factor/confirm",
    opt={"action": Action.OWN_ACCOUNT, "though": ("second_factor_first",)},
    status_code=200,
)
async def confirm_factor(
    floor: TheFloor, sessions: TheSessions, person: ThePerson, data: Annotated[wire.FirstCode, Body()]
) -> wire.RecoveryCodes:
    """Confirm a second factor with its first code; it is needed from now on. Recovery codes are shown only here."""
    secret = sessions.proposed_factors.get(person.name)
    if secret is None:
        raise ApiError(409, "no_factor", "Begin with the QR code first.")
    step = second_factor.step_of(secret, data.code.replace(" ", ""), sessions.time.wall())
    if step is None:
        raise ApiError(400, "wrong_code", "This code does not fit: is the clock of the device right?")
    codes = second_factor.new_recovery_codes()
    sealed = second_factor.sealed_factor(sessions.keys, person.name, secret)
    hashes = tuple(second_factor.recovery_hash(person.name, code) for code in codes)
    require_accepted(await floor.ask(EnrolFactor(name=person.name, sealed=sealed, recovery=hashes, step=step)))
    sessions.proposed_factors.pop(person.name, None)
    return wire.RecoveryCodes(recovery=codes)


@post("/api/second-factor/remove", opt={"action": Action.OWN_ACCOUNT}, status_code=200)
async def remove_own_factor(
    floor: TheFloor,
    sessions: TheSessions,
    person: ThePerson,
    request: HttpRequest,
    data: Annotated[wire.FactorProof, Body()],
) -> wire.PersonName:
    """Do without a second factor from now on, or make room for another device."""
    if not person.factor:
        raise ApiError(409, "no_factor", f"{person.name} has no second factor.")
    await sessions.check_password(person, data.password, client_host(request), "second_factor")
    await sessions.proved(person, data.code)
    require_accepted(await floor.ask(RemoveFactor(name=person.name, by=person.name)))
    return wire.PersonName(name=person.name)
