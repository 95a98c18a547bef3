"""A dealer calls the pit to a table, and somebody answers; nothing of it is money, so none of it is journalled."""

from __future__ import annotations

import time
from typing import TypeAlias

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.params import FromPath

from croupier.floor.duties.permissions import Action
from croupier.floor.live.floor import Floor
from croupier.floor.people.people import Person
from croupier.floor.server.auth import Refused, table_of
from croupier.floor.views.table_views import Json

HttpRequest: TypeAlias = Request[Person | None, object, State]


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody of the pit is wanted at a table."""

    table: str
    by: str
    since: float
    coming: str = ""
    """Who has said that he comes."""


Calls: TypeAlias = dict[str, Call]


@get("/api/calls", opt={"action": Action.DEAL})
async def calls(state: State) -> list[Json]:
    """Every table whose dealer has called."""
    now = time.monotonic()
    found = sorted(_calls(state).values(), key=lambda call: call.since)
    return [
        {"table": call.table, "by": call.by, "seconds": int(now - call.since), "coming": call.coming} for call in found
    ]


@post("/api/tables/{name:str}/call", opt={"action": Action.DEAL}, status_code=200)
async def call_the_pit(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """The dealer asks for a supervisor."""
    floor = state.floor
    assert isinstance(floor, Floor)
    table_of(floor, name)
    _calls(state)[name] = Call(table=name, by=_person(request).name, since=time.monotonic())
    return {"table": name}


@post("/api/tables/{name:str}/call/answer", opt={"action": Action.SIGN}, status_code=200)
async def answer_a_call(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """Somebody of the pit is on the way; the dealer sees who."""
    call = _calls(state).get(name)
    if call is None:
        raise Refused(404, "unknown_call", f"Nobody has called from {name[:40]}.")
    _calls(state)[name] = msgspec.structs.replace(call, coming=_person(request).name)
    return {"table": name}


@post("/api/tables/{name:str}/call/end", opt={"action": Action.DEAL}, status_code=200)
async def end_a_call(state: State, name: FromPath[str]) -> Json:
    """Nobody is wanted any more."""
    _calls(state).pop(name, None)
    return {"table": name}


CALL_ROUTES = (calls, call_the_pit, answer_a_call, end_a_call)


def _calls(state: State) -> Calls:
    found = state.calls
    assert isinstance(found, dict)
    return found


def _person(request: HttpRequest) -> Person:
    person = request.scope["user"]
    assert isinstance(person, Person)
    return person
