"""The matrix of posts and actions, for the browser's page on duties; and players who are barred."""

from __future__ import annotations

from litestar import get

from croupier.floor.duties.duties_page import bounds
from croupier.floor.duties.permissions import MATRIX, Action, Condition, Post
from croupier.floor.people.people import Person
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson
from croupier.floor.server.wire.floor_pages import Bar, Bounds, DutyLine, DutyTable
from croupier.rounds.commands import PlayerName


@get("/api/duties", opt={"action": Action.SEE_DUTIES})
async def duties(floor: TheFloor) -> DutyTable:
    """Return who may do what, on which conditions, with the bounds in force."""
    in_force = floor.house.shown_people.duties
    return DutyTable(
        posts=list(Post),
        actions=[
            DutyLine(
                action=action,
                means=action.means,
                posts=[post for post in Post if post in duty.posts],
                conditions=list(duty.conditions),
            )
            for action, duty in MATRIX.items()
        ],
        conditions={condition.value: condition.means for condition in Condition},
        bounds=None if in_force is None else Bounds(stakeboards=in_force.stakeboards, **bounds(in_force)),
    )


@get("/api/bars", opt={"action": Action.SEE_FIGURES})
async def bars(floor: TheFloor, person: ThePerson) -> list[Bar]:
    """List players who may not play on: at which table that was ruled, where it holds, and who may lift it."""
    tables = floor.house.shown.values()
    return [_bar(table, player, person) for table in tables for player in table.round.standing.prohibited]


def _bar(table: Table, player: PlayerName, person: Person) -> Bar:
    authority, role = table.terms.book.authority, person.post.role
    return Bar(
        player=player,
        table=table.name,
        game=table.terms.book.document.id,
        operator=table.terms.book.document.operator,
        everywhere=authority.bars_in_the_house,
        rules=authority.prohibited,
        by=authority.uncovered_by.slug,
        may=role is not None and role >= authority.uncovered_by,
    )
