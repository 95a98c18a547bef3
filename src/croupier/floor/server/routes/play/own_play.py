"""A player's own play: rounds and receipts, limits, reality checks, and demonstration chips."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

from litestar import get, post
from litestar.params import Body, FromPath
from msgspec import UNSET

from croupier.floor.duties.permissions import Action
from croupier.floor.history.own_rounds import OwnRounds, OwnSearch, own_rounds
from croupier.floor.history.played_rounds import NotTheirs
from croupier.floor.live.floor import Floor
from croupier.floor.people.authorization import amount_in
from croupier.floor.people.people import Person
from croupier.floor.records.commands import AcknowledgeCheck, HouseCommand, SetLimits, TakeDemoChips
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import HttpRequest, TheFloor, ThePerson, TheTable
from croupier.floor.server.errors import ApiError, require_accepted
from croupier.floor.server.guard import address_of, note
from croupier.floor.server.routes.records import rounds
from croupier.floor.server.wire.own_play import NewLimits, Receipt
from croupier.floor.views.account_views import Account, account_view
from croupier.floor.views.moments import moment_text
from croupier.floor.views.round_views import PlayedRound, RoundRecord
from croupier.floor.views.table_views import Line
from croupier.money import Money, money, show
from croupier.structs import extended


@get("/api/play/rounds", opt={"action": Action.PLAY})
async def my_rounds(
    floor: TheFloor,
    person: ThePerson,
    searches: rounds.TheSearches,
    request: HttpRequest,
    since: rounds.Moment = "",
    until: rounds.Moment = "",
    game: rounds.Text = "",
    skip: rounds.Skip = 0,
    limit: rounds.Limit = 20,
) -> OwnRounds:
    """List your own rounds at every table, the newest first, with sums by game and by session of play."""
    begin, end = rounds.moment_in(since, rounds.OLDEST), rounds.moment_in(until, rounds.NEWEST)
    search = OwnSearch(player=person.name, since=begin, until=end, game=game, skip=skip, limit=limit)
    look = partial(own_rounds, tables=dict(floor.house.shown), search=search)
    return await searches.find(person.name, address_of(request), partial(floor.past.reading, look))


@get("/api/tables/{name:str}/rounds/{number:int}/receipt", opt={"action": Action.PLAY})
async def receipt(floor: TheFloor, table: TheTable, person: ThePerson, number: FromPath[int]) -> Receipt:
    """Return the receipt of a round of your own that is over: its lines, and where the journal has it."""
    try:
        record = await asyncio.to_thread(floor.proved_record, person, table, number)
    except NotTheirs as wrong:
        await note(floor, person, Action.PLAY.value, f"receipt of round {number} at {table.name[:40]}")
        raise ApiError(403, "not_allowed", str(wrong)) from None
    played = await asyncio.to_thread(floor.past.round, table, number, person)
    return _receipt(floor, person, table, record, played)


def _mispaid(line: Line) -> Money:
    """Return what mispays that stand left with the player beyond what was due."""
    over = [each.over for each in line.let_stand]
    return sum(-money(text[1:]) if text.startswith("-") else money(text) for text in over)


def _receipt(floor: Floor, person: Person, table: Table, record: RoundRecord, played: PlayedRound) -> Receipt:
    lines = [line for line in played.lines if line.player == person.name]
    staked = sum(money(line.staked) for line in lines)
    returned = sum(money(line.won) + money(line.returned) + _mispaid(line) for line in lines)
    last = record.records[-1]
    proofs = record.witness if record.witness is not UNSET else []
    covering = [each.checkpoint for each in proofs if any(proof.stream == last.stream for proof in each.proofs)]
    return extended(
        Receipt,
        played,
        house=floor.name,
        player=person.name,
        table=table.name,
        rulebook=record.rulebook.sha256,
        lines=lines,
        awards=[award for award in played.awards if award.player == person.name],
        staked=show(staked),
        returned=show(returned),
        net=show(returned - staked),
        record=f"{last.stream} {last.seq}",
        hash=last.hash,
        checkpoint=f"{covering[0].says().number} {covering[0].hash}" if covering else "",
        printed=moment_text(floor.now()),
    )


@post("/api/play/limits", opt={"action": Action.PLAY}, status_code=200)
async def set_limits(floor: TheFloor, person: ThePerson, data: Annotated[NewLimits, Body()]) -> Account:
    """Set your own limits. Stricter ones hold at once, looser ones after a day."""
    loss = amount_in("loss", data.loss)
    return await _asked(floor, person, SetLimits(person=person.name, loss=loss, minutes=data.minutes, check=data.check))


@post("/api/play/check", opt={"action": Action.PLAY}, status_code=200)
async def acknowledge(floor: TheFloor, person: ThePerson) -> Account:
    """Acknowledge the reality check: you have seen how long you have played, and what it came to."""
    return await _asked(floor, person, AcknowledgeCheck(person=person.name))


@post("/api/play/demo-chips", opt={"action": Action.PLAY}, status_code=200)
async def take_demo_chips(floor: TheFloor, person: ThePerson) -> Account:
    """Take more chips, where the house is a demonstration and you have few left."""
    return await _asked(floor, person, TakeDemoChips(person=person.name))


async def _asked(floor: Floor, person: Person, command: HouseCommand) -> Account:
    require_accepted(await floor.ask(command))
    floor.broadcast.tell_account(person.name)
    return account_view(floor.house, person)
