"""A dealer calls the pit to a table, and a supervisor answers; no money moves, so nothing is journalled."""

from __future__ import annotations

import time
from typing import TypeAlias

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from croupier.floor.duties.permissions import Action
from croupier.floor.server.dependencies import ThePerson, TheTable
from croupier.floor.server.errors import ApiError
from croupier.floor.server.wire.floor_pages import CalledTable, CallView
from croupier.structs import extended


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call for the pit to a table."""

    table: str
    by: str
    since: float
    coming: str = ""
    """Who is on the way."""


Calls: TypeAlias = dict[str, Call]
TheCalls: TypeAlias = SkipValidation[NamedDependency[Calls]]


@get("/api/calls", opt={"action": Action.DEAL})
async def calls(open_calls: TheCalls) -> list[CallView]:
    """List the tables whose dealer has called, the longest wait first."""
    now = time.monotonic()
    found = sorted(open_calls.values(), key=lambda call: call.since)
    return [extended(CallView, call, seconds=int(now - call.since)) for call in found]


@post("/api/tables/{name:str}/call", opt={"action": Action.DEAL}, status_code=200)
async def call_the_pit(table: TheTable, person: ThePerson, open_calls: TheCalls) -> CalledTable:
    """Call a supervisor to the table."""
    open_calls[table.name] = Call(table=table.name, by=person.name, since=time.monotonic())
    return CalledTable(table=table.name)


@post("/api/tables/{name:str}/call/answer", opt={"action": Action.SIGN}, status_code=200)
async def answer_a_call(person: ThePerson, open_calls: TheCalls, name: FromPath[str]) -> CalledTable:
    """Tell the dealer who is on the way."""
    call = open_calls.get(name)
    if call is None:
        raise ApiError(404, "unknown_call", f"There is no open call from {name[:40]}.")
    open_calls[name] = msgspec.structs.replace(call, coming=person.name)
    return CalledTable(table=name)


@post("/api/tables/{name:str}/call/end", opt={"action": Action.DEAL}, status_code=200)
async def end_a_call(open_calls: TheCalls, name: FromPath[str]) -> CalledTable:
    """End the call."""
    open_calls.pop(name, None)
    return CalledTable(table=name)
