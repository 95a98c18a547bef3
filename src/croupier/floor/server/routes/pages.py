"""What the browser's pages ask for besides play: read only, and nothing that the rules have not turned."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath

from croupier.floor.duties.permissions import Action
from croupier.floor.live.floor import Floor
from croupier.floor.people.authorization import BadRequest, NotAllowed, command_for
from croupier.floor.people.people import Person
from croupier.floor.records.commands import AtTable
from croupier.floor.records.tables import Table
from croupier.floor.server.auth import Refused, table_of
from croupier.floor.views.dealer_steps import preview_json, procedure_json
from croupier.floor.views.table_views import Json, public_lobby
from croupier.ledger import accounts
from croupier.money import show
from croupier.rounds.commands import PlayerName, ReportIncident
from croupier.rulebooks.books import UnknownGame, declare
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET

HttpRequest: TypeAlias = Request[Person | None, object, State]
Readings: TypeAlias = dict[str, Json]


def _floor(state: State) -> Floor:
    floor = state.floor
    assert isinstance(floor, Floor)
    return floor


@get("/api/lobby", opt={"public": True})
async def public_tables(state: State) -> Json:
    """What stands at the door: the tables, their limits, how many boxes are taken; the links."""
    house = _floor(state).house
    return {"demo": state.settings.demo, "tables": public_lobby(house), "links": sorted(house.shown_links)}


@get("/api/games/{game:str}/readings", opt={"public": True}, sync_to_thread=False)
def readings(game: FromPath[str]) -> Readings:
    """Where the document is silent: the question, and the answer in force."""
    try:
        book = declare(game)
    except UnknownGame as wrong:
        raise Refused(404, "unknown_game", str(wrong)) from None
    found: Readings = {}
    for name, reading in readings_of(game).items():
        letters = book.readings.chosen(name).split("+")
        found[name] = {
            "question": reading.question,
            "meaning": " ".join(reading.options[letter] for letter in letters if letter in reading.options),
        }
    return found


@get("/api/tables/{name:str}/layout", opt={"action": Action.WATCH})
async def layout(state: State, name: FromPath[str]) -> list[Json]:
    """What is printed on the felt of this table: what each bet pays for which Hand."""
    book = table_of(_floor(state), name).terms.book
    tables = [(side.bet, side.table) for side in book.side_bets]
    if book.showdown.ante_table is not None:
        tables.insert(0, (ANTE_BET, book.showdown.ante_table))
    printed: list[Json] = [
        {"of": bet, "rows": [_row(hand, pays) for hand, pays in table.rows], "rules": list(table.rules)}
        for bet, table in tables
    ]
    jackpot = book.jackpot
    awards = [_row(award.hand, award.pays) for award in jackpot.awards]
    return [*printed, {"of": JACKPOT_BET, "rows": awards, "rules": list(jackpot.rules)}]


def _row(hand: str, pays: object) -> Json:
    return {"hand": hand, "pays": str(pays)}


@get("/api/tables/{name:str}/procedure", opt={"action": Action.DEAL})
async def procedure(state: State, name: FromPath[str]) -> Json:
    """The Dealer's next step at this table, what may be reported there now, and what its bank has won or lost."""
    bank = _floor(state).house.shown_balances.get(accounts.bank(name), 0)
    return {**procedure_json(table_of(_floor(state), name)), "bank": show(bank)}


@post("/api/tables/{name:str}/preview", opt={"action": Action.REPORT}, status_code=200)
async def preview(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[dict[str, object], Body()]
) -> Json:
    """What a report would lead to, before anybody makes it; nothing happens. `looked` names boxes whose Players have
    looked at their cards, where nobody has entered it yet.
    """
    table, person = table_of(_floor(state), name), request.scope["user"]
    assert isinstance(person, Person)
    said = data.pop("looked", [])
    if not isinstance(said, list) or not all(isinstance(box, int) for box in said):
        raise Refused(400, "bad_request", "looked: a list of boxes, as in [1, 3].")
    try:
        asked = command_for(person, table, {**data, "do": "report"})
    except (BadRequest, NotAllowed) as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    assert isinstance(asked, AtTable)
    assert isinstance(asked.command, ReportIncident)
    return preview_json(table, asked.command, said)


@get("/api/bars", opt={"action": Action.SEE_FIGURES})
async def bars(state: State, request: HttpRequest) -> list[Json]:
    """Players who may not play on: at which table that was ruled, where it holds, and who lifts it there."""
    person = request.scope["user"]
    assert isinstance(person, Person)
    return [_bar(table, player, person) for table in _floor(state).house.shown.values() for player in _barred(table)]


def _barred(table: Table) -> tuple[PlayerName, ...]:
    return table.round.standing.prohibited


def _bar(table: Table, player: PlayerName, person: Person) -> Json:
    authority, role = table.terms.book.authority, person.post.role
    return {
        "player": player,
        "table": table.name,
        "game": table.terms.book.document.id,
        "operator": table.terms.book.document.operator,
        "everywhere": authority.bars_in_the_house,
        "rules": list(authority.prohibited),
        "by": authority.uncovered_by.slug,
        "may": role is not None and role >= authority.uncovered_by,
    }


PAGE_ROUTES = (public_tables, readings, layout, procedure, preview, bars)
