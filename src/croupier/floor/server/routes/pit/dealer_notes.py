"""What a dealer puts on record beside the steps: a tray that is counted, a ruling that is carried out."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Response, post
from litestar.params import Body

from croupier.floor.duties.permissions import Action
from croupier.floor.history.given_rulings import given_rulings
from croupier.floor.people.authorization import amount_in
from croupier.floor.records.commands import Answer, ConfirmRuling, CountTray
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheTable
from croupier.floor.server.errors import ApiError, answered
from croupier.floor.server.wire import measures as wire
from croupier.journal.store import Store


@post("/api/tables/{name:str}/ruling-done", opt={"action": Action.DEAL, "refuses": (404, 409)}, status_code=200)
async def ruling_done(
    floor: TheFloor, person: ThePerson, table: TheTable, data: Annotated[wire.ConfirmedRuling, Body()]
) -> Response[Answer]:
    """Record that a ruling of the table's newest round is carried out; a second time is refused."""

    def look(store: Store) -> dict[int, str]:
        carried_out = floor.table_people.carried_out(store, table.name)
        return {each.number: each.carried_out_by for each in given_rulings(store, table.name, carried_out)}

    rulings = await asyncio.to_thread(floor.past.reading, look)
    by = rulings.get(data.ruling)
    if by is None:
        raise ApiError(404, "unknown_ruling", f"The round at {table.name} has no ruling {data.ruling}.")
    if by and by != person.name:
        raise ApiError(409, "ruling_done", f"The ruling is carried out already: {by} confirmed it.")
    command = ConfirmRuling(table=table.name, ruling=data.ruling, by=person.name)
    return answered(await floor.ask(command, f"{person.name}:{data.id}"))


@post("/api/tables/{name:str}/tray-count", opt={"action": Action.DEAL}, status_code=200)
async def tray_count(
    floor: TheFloor, person: ThePerson, table: TheTable, data: Annotated[wire.TrayCount, Body()]
) -> Response[Answer]:
    """Record the chips in the tray at the beginning of a shift, from which the next count is expected."""
    command = CountTray(table=table.name, count=amount_in("count", data.count), by=person.name)
    return answered(await floor.ask(command, f"{person.name}:{data.id}"))
