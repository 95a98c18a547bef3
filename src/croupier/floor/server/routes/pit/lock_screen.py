"""What a locked page of the pit still shows: where a person is needed, and nothing of any person."""

from __future__ import annotations

import asyncio

from litestar import get

from croupier.floor.duties.permissions import Action
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.live.floor import Floor
from croupier.floor.people.second_signature import waiting
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson
from croupier.floor.server.routes.pit.calls import TheCalls
from croupier.floor.server.wire.floor_pages import Lamp, LockedFloor, LockedTable
from croupier.floor.views.terms_views import is_closed
from croupier.rounds.state import Stage


@get("/api/lock-screen", opt={"action": Action.WATCH_FLOOR, "though": ("session_locked",)})
async def lock_screen(floor: TheFloor, person: ThePerson, open_calls: TheCalls) -> LockedFloor:
    """Show the tables and how much waits: no name of a person, no card, no amount, no words of a report."""
    people = floor.house.shown_people
    ours = [table for table in floor.house.shown.values() if table.ours]
    figures = await asyncio.to_thread(floor.tally.figures, ours, floor.now())
    return LockedFloor(
        tables=[_table(floor, table) for table in floor.house.shown.values()],
        calls=sum(not call.coming for call in open_calls.values()) if person.may(Action.DEAL) else 0,
        proposals=sum(
            person.may(proposal.second) and proposal.by != person.name for proposal in waiting(people, microseconds())
        ),
        alarms=sum(bool(other.alarm) for other in people.persons.values()),
        voided=[each.at for each in figures.voided if each.by != person.name],
    )


def _table(floor: Floor, table: Table) -> LockedTable:
    phase = floor.phases.of(table)
    state = table.round
    is_stuck = phase.alarm_after is not None and phase.seconds >= phase.alarm_after
    return LockedTable(
        table=table.name,
        game=table.config.game.partition("@")[0],
        lamp=_lamp(floor.house, table, is_stuck=is_stuck),
        stage=state.stage,
        seconds=int(phase.seconds),
        boxes=len(state.boxes),
        taken=[box.number for box in state.boxes if box.stakes] if table.ours else [],
    )


def _lamp(house: CommittedState, table: Table, *, is_stuck: bool) -> Lamp:
    """Return how a table stands: what takes a person before all else, as on the wall of the pit."""
    if not table.ours:
        return "away"
    state, link = table.round, house.shown_links.get(table.config.link or "")
    if state.mispay is not None:
        return "mispay"
    if any(asked.role is not None for asked in state.awaiting):
        return "ruling"
    if link is not None and any(case.is_open and case.table == table.name for case in link.cases):
        return "jackpot"
    if is_stuck:
        return "stuck"
    if state.stage is Stage.PLAYING:
        return "playing"
    if is_closed(table):
        return "closed"
    return "betting" if state.stage is Stage.BETTING else "rest"
