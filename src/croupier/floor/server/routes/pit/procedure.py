"""The Dealer's procedure at a table, and what a report would lead to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import Body, SkipValidation
from msgspec.structs import replace

from croupier.floor.duties.permissions import Action
from croupier.floor.history.given_rulings import given_rulings
from croupier.floor.history.table_people import Seated, patron
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.live.floor import Floor
from croupier.floor.people.assignments import left_table
from croupier.floor.people.authorization import checked_facts, command_for
from croupier.floor.people.people import Person
from croupier.floor.people.second_signature import waiting
from croupier.floor.records.commands import AtTable
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheTable
from croupier.floor.server.errors import strict_body
from croupier.floor.server.wire.refusal import Refusal
from croupier.floor.server.wire.steps import FeltBody, ReportDraft
from croupier.floor.views.dealer_steps import (
    BoxSeat,
    Preview,
    Procedure,
    preview_view,
    procedure_view,
    walk_away_preview,
)
from croupier.journal.store import Store
from croupier.ledger import accounts
from croupier.money import show
from croupier.rounds import refusal
from croupier.rounds.commands import ReportIncident
from croupier.rounds.reconstruction.answer import Finding, find
from croupier.rulebooks.vocabulary import BoxNo, Incident


@get("/api/tables/{name:str}/procedure", opt={"action": Action.DEAL})
async def procedure(floor: TheFloor, table: TheTable, person: ThePerson) -> Procedure:
    """Return the Dealer's next step at this table, what may be reported now, and what its bank has won or lost."""
    assert person.post.role is not None, "only staff deal"
    bank = floor.house.shown_balances.get(accounts.bank(table.name), 0)
    told = procedure_view(table, bank, person.post.role, waiting(floor.house.shown_people, microseconds()))
    others = [each for each in floor.house.shown.values() if each.name != table.name]
    look = partial(_with_people, floor, table, person, told, others)
    return await asyncio.to_thread(floor.past.reading, look)


def _with_people(
    floor: Floor, table: Table, person: Person, told: Procedure, others: list[Table], store: Store
) -> Procedure:
    """Add what the journal tells of the people at the table, and where else this person deals."""
    known = floor.table_people
    waits = told.hand_overs
    if waits:
        expected = known.expected(store, table.name, floor.now())
        waits = tuple(replace(each, expected=expected) for each in waits)
    return replace(
        told,
        hand_overs=waits,
        handed_over=known.handed_over(store, table.name),
        rulings=tuple(given_rulings(store, table.name, known.carried_out(store, table.name))),
        counted=not table.config.staffed or known.expected(store, table.name, floor.now()) is not None,
        left=left_table(person, table.name),
        deals_at=tuple(name for name, dealer in known.dealers(store, others).items() if dealer == person.name),
        payments=floor.award_payments.of(store, floor.house.shown_people, table),
        seats=tuple(_seats(floor, table, known.seats(store, table.name))) if table.config.physical else (),
    )


def _seats(floor: Floor, table: Table, last: Mapping[BoxNo, Seated]) -> Iterator[BoxSeat]:
    """Show who sits at each box: the last player who bet or bought in there, until they take their chips away."""
    balances = floor.house.shown_balances
    for box in table.round.boxes:
        anonymous = patron(table.name, box.number)
        held = balances.get(accounts.player(anonymous), 0)
        newest = last.get(box.number)
        if newest is None:
            player = box.seated or (anonymous if held else "")
        elif newest.took_chips and not balances.get(accounts.player(newest.player), 0):
            player = box.seated or ""
        else:
            player = box.seated or newest.player
        if player:
            chips = show(balances.get(accounts.player(player), 0))
            yield BoxSeat(box=box.number, player=player, balance=chips, anonymous=player == anonymous)


@post("/api/tables/{name:str}/preview", opt={"action": Action.REPORT}, status_code=200)
async def preview(
    table: TheTable, person: ThePerson, data: Annotated[SkipValidation[ReportDraft], Body()]
) -> Preview | Refusal:
    """Preview what a report would lead to; nothing is changed.

    `looked` names boxes whose Players have looked at their cards, where it has not been entered yet.
    """
    draft = strict_body(data, ReportDraft)
    if draft.incident == Incident.WALKED_AWAY:
        return _told(walk_away_preview(table, draft.player if isinstance(draft.player, str) else ""))
    sent = {**msgspec.to_builtins(draft), "do": "report"}
    looked = sent.pop("looked")
    asked = command_for(person, table, sent)
    assert isinstance(asked, AtTable)
    assert isinstance(asked.command, ReportIncident)
    return _told(preview_view(table, asked.command, looked))


def _told(found: Preview | refusal.Refusal) -> Preview | Refusal:
    if isinstance(found, refusal.Refusal):
        return Refusal(accepted=False, code=found.code.value, message=found.message, rules=tuple(found.rules))
    return found


@post("/api/tables/{name:str}/reconstruction", opt={"action": Action.REPORT}, status_code=200)
async def reconstruction(table: TheTable, data: Annotated[SkipValidation[FeltBody], Body()]) -> Finding:
    """Compute which layouts the facts of a dealing error allow, and what each means in money; nothing is changed."""
    facts = checked_facts(table, msgspec.to_builtins(strict_body(data, FeltBody)))
    return await asyncio.to_thread(find, table.terms, table.round, facts)
