"""Tables: the lists, one table, and steps at it."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import Body, FromPath, SkipValidation
from msgspec.structs import replace

from croupier.floor.duties.permissions import Action
from croupier.floor.records.commands import Answer
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheSettings, TheTable
from croupier.floor.server.errors import answered, strict_body
from croupier.floor.server.live_connection import step_at_table
from croupier.floor.server.wire.rulebooks import PrintedRow, PrintedTable
from croupier.floor.server.wire.steps import TableCommand, Waiting
from croupier.floor.views.table_views import TableView, live_view
from croupier.floor.views.terms_views import FloorTable, Lobby, floor_tables, lobby, terms_view
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, Rulebook


@get("/api/lobby", opt={"public": True})
async def public_tables(floor: TheFloor, settings: TheSettings) -> Lobby:
    """Return the public lobby: the tables, their limits, how many boxes are taken; the links."""
    return lobby(floor.house, demo=settings.demo)


@get("/api/tables", opt={"action": Action.WATCH})
async def tables(floor: TheFloor, person: ThePerson) -> list[FloorTable]:
    """List every table in one line."""
    return floor_tables(floor.house, person)


@get("/api/tables/{name:str}", opt={"action": Action.WATCH})
async def one_table(floor: TheFloor, table: TheTable, person: ThePerson) -> TableView:
    """Return a table as the person may see it."""
    return replace(live_view(floor.house, table, person), terms=terms_view(table))


@get("/api/tables/{name:str}/layout", opt={"action": Action.WATCH})
async def layout(table: TheTable) -> list[PrintedTable]:
    """Return what is printed on the felt of this table: what each bet pays for which Hand."""
    return printed_tables(table.terms.book)


def printed_tables(book: Rulebook) -> list[PrintedTable]:
    """Return the pay tables of a rulebook as the layout has them."""
    tables = [(side.bet, side.table) for side in book.side_bets]
    if book.showdown.ante_table is not None:
        tables.insert(0, (ANTE_BET, book.showdown.ante_table))
    printed = [
        PrintedTable(of=bet, rows=[_row(hand, pays) for hand, pays in table.rows], rules=table.rules)
        for bet, table in tables
    ]
    jackpot = book.jackpot
    awards = [_row(award.hand, award.pays) for award in jackpot.awards]
    return [*printed, PrintedTable(of=JACKPOT_BET, rows=awards, rules=jackpot.rules)]


def _row(hand: str, pays: object) -> PrintedRow:
    return PrintedRow(hand=hand, pays=str(pays))


@post("/api/tables/{name:str}/commands", opt={"action": Action.WATCH}, status_code=200)
async def command(
    floor: TheFloor, person: ThePerson, name: FromPath[str], data: Annotated[SkipValidation[TableCommand], Body()]
) -> Response[Answer]:
    """Carry out a step of a round script, once for each `id`."""
    sent = strict_body(data, TableCommand)
    return answered(await step_at_table(floor, person, name, sent, sent.id))


@post("/api/tables/{name:str}/ready", opt={"action": Action.PLAY}, status_code=200)
async def ready(floor: TheFloor, table: TheTable, person: ThePerson) -> Waiting:
    """Say that you need no more time to bet; the table deals once every player with a bet has said so."""
    return Waiting(players=floor.clocks.ready(table.name, person.name))
