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
from croupier.floor.server.dependencies import TheFloor, ThePerson, link_named
from croupier.floor.views.award_views import Ladder, LinkView, link_ladders, link_view


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
    dealers = await asyncio.to_thread(floor.past.reading, partial(floor.table_people.dealers, tables=tables))
    lines = tuple(replace(line, dealer=dealers.get(line.table, "")) for line in figures.tables)
    return replace(figures, tables=lines)
