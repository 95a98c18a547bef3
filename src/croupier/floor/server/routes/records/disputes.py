"""Disputes of rounds: the list, the events of a case, and the pack of a round."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import closing
from typing import Annotated

from litestar import MediaType, Response, get, post
from litestar.params import Body, FromPath, QueryParameter

from croupier.floor.disputes.evidence import ProvedRound, evidence
from croupier.floor.disputes.hypotheses import Changed, parse_change
from croupier.floor.disputes.pack import file_name, pack
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.live.floor import Floor
from croupier.floor.people.disputes import Dispute
from croupier.floor.people.people import Person
from croupier.floor.records.commands import CloseDispute, DecideDispute, NoteDispute, OpenDispute
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheTable, table_named
from croupier.floor.server.displayed_names import AS_RECORDED
from croupier.floor.server.errors import ApiError, require_found
from croupier.floor.server.wire import disputes as wire
from croupier.floor.views.moments import moment_text
from croupier.journal.store_address import open_store
from croupier.ledger import accounts
from croupier.rounds.commands import PlayerName
from croupier.structs import extended

DAY = 86_400_000_000
"""Microseconds."""


@get("/api/disputes", opt={"action": Action.HANDLE_DISPUTES})
async def disputes(floor: TheFloor, person: ThePerson) -> list[wire.DisputeCase]:
    """List the disputes of the house: open ones first, those with the nearest deadline before the others."""
    cases = floor.house.shown_people.disputes.values()
    found = sorted(cases, key=lambda case: (case.closed, case.outcome is not None, case.until))
    return [_case(floor, person, case) for case in found]


@post("/api/disputes", opt={"action": Action.HANDLE_DISPUTES, "refuses": (404,)}, status_code=201)
async def open_dispute(
    floor: TheFloor, person: ThePerson, data: Annotated[wire.NewDispute, Body()]
) -> wire.DisputeCase:
    """Open the case of a round that is disputed."""
    table = table_named(floor, data.table)
    if data.round > table.round.number:
        raise ApiError(404, "unknown_round", f"Table {table.name} has not played round {data.round}.")
    # Sent again under the same id, it is the same case.
    number = hashlib.sha256(f"{person.name}:{data.id}".encode()).hexdigest()[:12]
    known = floor.house.shown_people.disputes.get(number)
    if known is not None and (known.table, known.round) == (table.name, data.round):
        return _case(floor, person, known)
    command = OpenDispute(
        dispute=number,
        table=table.name,
        round=data.round,
        by=person.name,
        words=data.words,
        until=floor.now() + data.days * DAY,
        player=_player(floor, table, data.player.strip()),
    )
    return await _changed(floor, person, data.id, command)


def _player(floor: Floor, table: Table, typed: str) -> PlayerName:
    """Return the player of a dispute: by name, by id, or by the box of one without an account; raises ApiError."""
    if not typed:
        return ""
    house = floor.house
    known = house.directory.id_of(typed)
    person = house.shown_people.persons.get(known or typed)
    if known is not None and (person is None or person.post is Post.PLAYER):
        return known
    for name in (typed, f"{table.name} {typed.lower()}"):
        if accounts.player(name) in house.shown_balances:
            return name
    raise ApiError(404, "unknown_person", f"There is no player called {typed[:40]}.")


@post("/api/disputes/{key:str}/notes", opt={"action": Action.HANDLE_DISPUTES}, status_code=200)
async def note_dispute(
    floor: TheFloor, person: ThePerson, key: FromPath[str], data: Annotated[wire.NewDisputeNote, Body()]
) -> wire.DisputeCase:
    """Write a note into the case of a dispute."""
    command = NoteDispute(dispute=key, by=person.name, words=data.words)
    return await _changed(floor, person, data.id, command)


@post("/api/disputes/{key:str}/decide", opt={"action": Action.DECIDE_DISPUTES}, status_code=200)
async def decide_dispute(
    floor: TheFloor, person: ThePerson, key: FromPath[str], data: Annotated[wire.DisputeDecision, Body()]
) -> wire.DisputeCase:
    """Decide a dispute, with the reason; a round that is paid stays paid."""
    command = DecideDispute(dispute=key, by=person.name, outcome=data.outcome, words=data.words)
    return await _changed(floor, person, data.id, command)


@post("/api/disputes/{key:str}/close", opt={"action": Action.DECIDE_DISPUTES}, status_code=200)
async def close_dispute(
    floor: TheFloor, person: ThePerson, key: FromPath[str], data: Annotated[wire.DisputeClosing, Body()]
) -> wire.DisputeCase:
    """Close the case of a dispute that is decided."""
    command = CloseDispute(dispute=key, by=person.name, words=data.words)
    return await _changed(floor, person, data.id, command)


@get(
    "/api/tables/{name:str}/rounds/{number:int}/dispute-pack",
    opt={"action": Action.HANDLE_DISPUTES, AS_RECORDED: True},
    media_type=MediaType.HTML,
)
async def dispute_pack(
    floor: TheFloor,
    table: TheTable,
    person: ThePerson,
    number: FromPath[int],
    what_if: Annotated[str, QueryParameter(max_length=40, description="A changed bet, as in 1 ante 50.00")] = "",
) -> Response[str]:
    """Return the dispute pack of a round that is over: one page that needs no network and checks itself.

    It holds the cards that the person has seen; for people who may audit, the whole deck. The witness signs it.
    """
    wanted = [parse_change(what_if)] if what_if else []
    page = await asyncio.to_thread(_packed, floor, person, table, number, wanted)
    headers = {"Content-Disposition": f'attachment; filename="{file_name(table.name, number)}"'}
    return Response(page, media_type=MediaType.HTML, headers=headers)


def _packed(floor: Floor, person: Person, table: Table, number: int, wanted: Sequence[Changed]) -> str:
    proved = ProvedRound(table, floor.proved_record(person, table, number))
    with closing(open_store(floor.house.store.url, create=False, read_only=True)) as store:
        told = evidence(store, floor.house, floor.past, proved, by=person.name, at=floor.now(), wanted=wanted)
    return pack(told, None if floor.witness is None else floor.witness.sign)


async def _changed(
    floor: Floor, person: Person, key: str, command: OpenDispute | NoteDispute | DecideDispute | CloseDispute
) -> wire.DisputeCase:
    """Ask the house, under the id that the client gave, and return the case as it is then."""
    require_found(await floor.ask(command, f"{person.name}:{key}"))
    return _case(floor, person, floor.house.shown_people.disputes[command.dispute])


def _case(floor: Floor, person: Person, case: Dispute) -> wire.DisputeCase:
    return extended(
        wire.DisputeCase,
        case,
        status=case.status,
        until=moment_text(case.until),
        overdue=case.status == "open" and case.until < floor.now(),
        notes=[extended(wire.CaseNote, note, at=moment_text(note.at)) for note in case.notes],
        may_decide=person.may(Action.DECIDE_DISPUTES) and not case.closed,
    )
