"""People: enrol, assign, sign out, remove, erase; and what an administrator does about their credentials."""

from __future__ import annotations

import secrets
from collections import Counter
from typing import Annotated

from litestar import Response, delete, get, post
from litestar.params import Body, FromPath

from croupier.floor.duties.permissions import MAY, Action, Post
from croupier.floor.live.floor import Floor
from croupier.floor.people.assignments import is_assignable
from croupier.floor.people.directory import is_id, is_released
from croupier.floor.people.people import Person
from croupier.floor.people.second_signature import why_two
from croupier.floor.records import commands
from croupier.floor.server.dependencies import HttpRequest, TheFloor, ThePerson, TheSessions, TheSettings
from croupier.floor.server.displayed_names import AS_RECORDED
from croupier.floor.server.errors import ApiError, answered, require_accepted
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.openapi import WAITS
from croupier.floor.server.routes.access.account import check_new_password, end_of_session, origins_of, sessions_view
from croupier.floor.server.routes.pit.proposals import propose
from croupier.floor.server.wire import people as wire
from croupier.floor.server.wire.measures import Outcome
from croupier.floor.server.wire.sessions import PersonName, SessionId, SessionView
from croupier.floor.views.moments import moment_text
from croupier.structs import extended

NOT_ONESELF: tuple[wire.AccountAct, ...] = ("remove", "reset_password", "remove_second_factor")
"""What an administrator does to every account but their own."""


@post("/api/people", opt={"action": Action.ENROL_PEOPLE}, status_code=201, responses={202: WAITS})
async def enrol(
    floor: TheFloor,
    sessions: TheSessions,
    settings: TheSettings,
    person: ThePerson,
    data: Annotated[wire.NewPerson, Body()],
) -> Response[wire.EnrolledPerson | Outcome]:
    """Enrol a person, who may log in from now on; for every post but players it is proposed to a second person."""
    check_new_password(floor, settings, data.name, data.password)
    command, named = await sessions.enrolment(data.name, data.post, data.password, person.name)
    if why_two(floor.house.shown_people, command, floor.now()):
        words = f"Enrol {command.name} as {data.post.value.replace('_', ' ')}"
        told = await propose(floor, person, words, Action.SIGN_ENROLMENTS, command, personal=named)
        return Response(told.content, status_code=202)
    require_accepted(await floor.ask(command, personal=named))
    return Response(wire.EnrolledPerson(name=data.name, post=data.post), status_code=201)


@post("/api/people/{name:str}/assign", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def assign(
    floor: TheFloor,
    sessions: TheSessions,
    person: ThePerson,
    name: FromPath[str],
    data: Annotated[wire.Assignment, Body()],
) -> Response[commands.Answer]:
    """Let a person work in these pits and at these tables alone; elsewhere they are refused."""
    assigned = commands.AssignPerson(name=sessions.id_of(name), by=person.name, pits=data.pits, tables=data.tables)
    return answered(await floor.ask(assigned))


@get("/api/people", opt={"action": Action.ENROL_PEOPLE, AS_RECORDED: True})
async def people(floor: TheFloor, person: ThePerson) -> list[wire.KnownPerson]:
    """List every person who may log in, the id by which records know them, and how many sessions each has."""
    known, directory = floor.house.shown_people, floor.house.directory
    held = Counter(session.person for session in known.sessions.values())
    return [
        extended(
            wire.KnownPerson,
            p,
            name=directory.name_of(p.name),
            id=p.name,
            sessions=held[p.name],
            second_factor=bool(p.factor),
            alarm=bool(p.alarm),
            assignable=is_assignable(p),
            may=[act for act in NOT_ONESELF if p.name != person.name],
        )
        for p in known.persons.values()
    ]


@get("/api/posts", opt={"action": Action.ENROL_PEOPLE})
async def posts(floor: TheFloor, person: ThePerson) -> list[wire.PostLine]:
    """List the posts in which a person can be enrolled, and who gives the second signature for each."""
    return [wire.PostLine(post=post, signed_by=_second_for(floor, person, post)) for post in Post]


def _second_for(floor: Floor, person: Person, post: Post) -> list[Post]:
    asked = commands.EnrolPerson(name="", post=post, secret="", by=person.name)
    if not why_two(floor.house.shown_people, asked, floor.now()):
        return []
    return [other for other in Post if other in MAY[Action.SIGN_ENROLMENTS]]


@post("/api/people/{name:str}/sign-out", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def sign_out(sessions: TheSessions, person: ThePerson, name: FromPath[str]) -> wire.SignedOut:
    """End every session of a person at once."""
    return wire.SignedOut(name=name, sessions=await sessions.sign_out(sessions.id_of(name), person.name))


@delete("/api/people/{name:str}", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def remove(floor: TheFloor, sessions: TheSessions, person: ThePerson, name: FromPath[str]) -> PersonName:
    """Remove a person, who may no longer log in; one who holds chips, bets or a claim cashes out first."""
    removed = sessions.id_of(name)
    if removed == person.name:
        raise ApiError(409, "not_oneself", "You cannot remove yourself: the house would have no administrator.")
    require_accepted(await floor.ask(commands.RemovePerson(name=removed, by=person.name)))
    return PersonName(name=name)


@get("/api/removed-people", opt={"action": Action.ENROL_PEOPLE, AS_RECORDED: True})
async def removed_people(floor: TheFloor) -> list[wire.RemovedPerson]:
    """List every person who may no longer log in and whose name is still known."""
    directory = floor.house.directory
    removed = [row.person for row in directory.names.values() if is_released(row)]
    return [wire.RemovedPerson(name=directory.name_of(person), id=person) for person in removed]


@post("/api/people/{name:str}/erase", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def erase(floor: TheFloor, person: ThePerson, name: FromPath[str]) -> wire.ErasedPerson:
    """Erase the name of a person who was removed, for good; every record keeps the id."""
    erased = floor.house.directory.id_of(name)
    if erased is None:
        raise ApiError(404, "unknown_person", f"There is no person called {name[:40]}.")
    if not is_id(erased):
        raise ApiError(409, "name_in_records", f"{name[:40]} stands in the records themselves and cannot be erased.")
    require_accepted(await floor.ask(commands.ErasePerson(name=erased, by=person.name)))
    return wire.ErasedPerson(id=erased)


# ---------------------------------------------------------------- credentials


def _known(sessions: Sessions, name: str) -> Person:
    return sessions.floor.house.shown_people.persons[sessions.id_of(name)]


@post("/api/people/{name:str}/reset", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def reset_password(
    floor: TheFloor, sessions: TheSessions, person: ThePerson, name: FromPath[str]
) -> wire.OneTimePassword:
    """Give a person a password that works once, shown only here; all their sessions end."""
    other = _known(sessions, name)
    if other.name == person.name:
        raise ApiError(409, "not_oneself", "Change your own password with the old one.")
    password = secrets.token_urlsafe(12)
    secret = await sessions.sealed(password)
    # The password of a break-glass account works once as it is, and in an emergency there is no time to choose another.
    changed = commands.ChangeSecret(name=other.name, secret=secret, by=person.name, once=not other.break_glass)
    require_accepted(await floor.ask(changed))
    return wire.OneTimePassword(name=name, password=password)


@post("/api/people/{name:str}/second-factor/remove", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def remove_factor(floor: TheFloor, sessions: TheSessions, person: ThePerson, name: FromPath[str]) -> PersonName:
    """Take a lost device from a person: they log in with the password alone until they set up another."""
    other = _known(sessions, name).name
    if other == person.name:
        raise ApiError(409, "not_oneself", "Remove your own second factor with a code of it.")
    require_accepted(await floor.ask(commands.RemoveFactor(name=other, by=person.name)))
    return PersonName(name=name)


@get("/api/people/{name:str}/sessions", opt={"action": Action.ENROL_PEOPLE})
async def sessions_of(sessions: TheSessions, request: HttpRequest, name: FromPath[str]) -> list[SessionView]:
    """List the sessions of a person."""
    return await sessions_view(sessions, _known(sessions, name).name, request)


@delete("/api/people/{name:str}/sessions/{key:str}", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def end_session(sessions: TheSessions, person: ThePerson, name: FromPath[str], key: FromPath[str]) -> SessionId:
    """End one session of a person."""
    return await end_of_session(sessions, _known(sessions, name).name, key, person.name)


@get("/api/alarms", opt={"action": Action.SEE_FIGURES})
async def alarms(floor: TheFloor) -> list[wire.Alarm]:
    """List break-glass accounts that were used, until an administrator has given each another password."""
    people = floor.house.shown_people
    found = []
    for person in people.persons.values():
        if person.alarm:
            held = {key: session for key, session in people.sessions.items() if session.person == person.name}
            last = max(held, key=lambda key: held[key].opened, default=None)
            origins = await origins_of(floor, held)
            found.append(
                wire.Alarm(
                    kind="break_glass",
                    name=person.name,
                    post=person.post,
                    at=moment_text(person.alarm),
                    address="" if last is None else origins[last].came_from,
                    logged_in=last is not None,
                )
            )
    return found
