"""Links as people watch them, and the figures of the floor."""

from __future__ import annotations

import asyncio
from functools import partial

from litestar import get
from litestar.params import FromPath
from msgspec.structs import replace

from croupier.floor.duties.permissions import Action
from croupier.floor.history.link_figures import HitTime, hit_times
from croupier.floor.history.pit_figures import FloorFigures
from croupier.floor.live.floor import Floor
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson, link_named
from croupier.floor.views.award_views import Ladder, LinkView, link_ladders, link_view
from croupier.journal.store import Store


@get("/api/links/{name:str}", opt={"action": Action.WATCH})
async def one_link(floor: TheFloor, person: ThePerson, name: FromPath[str]) -> LinkView:
    """Return the meter, the awards that are locked or wait, and the last hits."""
    link_named(floor, name)
    return link_view(floor.house, name, person)


@get("/api/links/{name:str}/ladder", opt={"public": True})
async def ladder(floor: TheFloor, name: FromPath[str]) -> list[Ladder]:
    """Return what the jackpot bet pays in each game of the link, with what each line is worth now."""
    link_named(floor, name)
    return link_ladders(floor.house, name)


@get("/api/links/{name:str}/hits", opt={"public": True})
async def hits(floor: TheFloor, name: FromPath[str]) -> list[HitTime]:
    """Return when the last major awards of the link were paid, the newest first."""
    link_named(floor, name)
    return await asyncio.to_thread(floor.past.reading, partial(hit_times, link=name))


@get("/api/figures", opt={"action": Action.SEE_FIGURES})
async def floor_figures(floor: TheFloor) -> FloorFigures:
    """Return win, handle and pace of this server's tables over the last hours, and the meters of the links."""
    tables = [table for table in floor.house.shown.values() if table.ours]
    figures = await asyncio.to_thread(floor.tally.figures, tables, floor.now())
    return await asyncio.to_thread(floor.past.reading, partial(_with_people, floor, figures, tables))


def _with_people(floor: Floor, figures: FloorFigures, tables: list[Table], store: Store) -> FloorFigures:
    """Add who deals, and which awards are to be paid, as the journal has it now."""
    dealers, people = floor.table_people.dealers(store, tables), floor.house.shown_people
    paid = {table.name: floor.award_payments.of(store, people, table) for table in tables}
    lines = (replace(each, dealer=dealers.get(each.table, ""), payments=paid[each.table]) for each in figures.tables)
    return replace(figures, tables=tuple(lines))
