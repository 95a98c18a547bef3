"""Tables: the lists, one table, and steps at it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import Body, FromPath, SkipValidation
from msgspec.structs import replace

from croupier.floor.duties.permissions import Action, Post
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.people.assignments import refusal
from croupier.floor.people.authorization import BadRequest, NotAllowed, command_for
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheSettings, TheTable, table_named
from croupier.floor.server.errors import ApiError, answered, strict_body
from croupier.floor.server.guard import refuse, refuse_elsewhere
from croupier.floor.server.wire.rulebooks import PrintedRow, PrintedTable
from croupier.floor.server.wire.steps import Step, TableCommand, Waiting
from croupier.floor.views.table_views import TableView, live_view
from croupier.floor.views.terms_views import FloorTable, Lobby, floor_tables, lobby, terms_view
from croupier.ledger import accounts
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
    return await step_at_table(floor, person, name, sent, sent.id)


@post("/api/tables/{name:str}/ready", opt={"action": Action.PLAY}, status_code=200)
async def ready(floor: TheFloor, table: TheTable, person: ThePerson) -> Waiting:
    """Say that you need no more time to bet; the table deals once every player with a bet has said so."""
    return Waiting(players=floor.clocks.ready(table.name, person.name))


async def step_at_table(floor: LiveFloor, person: Person, name: str, step: Step, command_id: str) -> Response[Answer]:
    """Carry out a step that a person sent over HTTP or over the live connection; raises ApiError."""
    table = table_named(floor, name)
    elsewhere, what = refusal(person, name, table.config), f"{name}: {step.do}"
    # The box, or the table, may have been theirs when they asked: an id that was answered gets the same answer.
    if elsewhere:
        if (earlier := await floor.past_answer(f"{person.name}:{command_id}")) is not None:
            return answered(earlier)
        await refuse_elsewhere(floor, person, elsewhere, what)
    try:
        asked = command_for(person, table, _with_id(floor, person, table, step))
    except NotAllowed as wrong:
        if (earlier := await floor.past_answer(f"{person.name}:{command_id}")) is not None:
            return answered(earlier)
        await refuse(floor, person, wrong.action, what)
        raise
    except BadRequest as wrong:
        raise ApiError(400, "bad_request", str(wrong)) from None
    answer = await floor.ask(asked, f"{person.name}:{command_id}")
    return answered(answer)


def _with_id(floor: LiveFloor, person: Person, table: Table, step: Step) -> dict[str, object]:
    """Return the fields of a step; where a person of the staff names a player, with the player's id."""
    sent: dict[str, object] = msgspec.to_builtins(step)
    sent.pop("id", None)
    player = sent.get("player")
    if person.post is Post.PLAYER or not isinstance(player, str) or not player:
        return sent
    found, house = floor.house.directory.id_of(player), floor.house
    if found is None and (
        accounts.player(player) in house.shown_balances or any(player in box.players for box in table.round.boxes)
    ):
        found = player  # a bot, or a person of an earlier release who was removed
    if found is None:
        raise ApiError(404, "unknown_person", f"There is no player called {player[:40]}.")
    return {**sent, "player": found}


TABLE_ROUTES = (public_tables, tables, one_table, layout, ready, command)
