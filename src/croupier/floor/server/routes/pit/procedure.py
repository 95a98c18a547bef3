"""The Dealer's procedure at a table, and what a report would lead to."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import Body, SkipValidation

from croupier.floor.duties.permissions import Action
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.people.authorization import checked_facts, command_for
from croupier.floor.people.second_signature import waiting
from croupier.floor.records.commands import AtTable
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheTable
from croupier.floor.server.errors import ApiError, strict_body
from croupier.floor.server.wire.refusal import Refusal
from croupier.floor.server.wire.steps import FeltBody, ReportDraft
from croupier.floor.views.dealer_steps import Preview, Procedure, preview_view, procedure_view
from croupier.ledger import accounts
from croupier.rounds import refusal
from croupier.rounds.commands import ReportIncident
from croupier.rounds.reconstruction.answer import Finding, find
from croupier.rounds.reconstruction.layouts import BadFacts


@get("/api/tables/{name:str}/procedure", opt={"action": Action.DEAL})
async def procedure(floor: TheFloor, table: TheTable, person: ThePerson) -> Procedure:
    """Return the Dealer's next step at this table, what may be reported now, and what its bank has won or lost."""
    assert person.post.role is not None, "only staff deal"
    bank = floor.house.shown_balances.get(accounts.bank(table.name), 0)
    return procedure_view(table, bank, person.post.role, waiting(floor.house.shown_people, microseconds()))


@post("/api/tables/{name:str}/preview", opt={"action": Action.REPORT}, status_code=200)
async def preview(
    table: TheTable, person: ThePerson, data: Annotated[SkipValidation[ReportDraft], Body()]
) -> Preview | Refusal:
    """Preview what a report would lead to; nothing is changed.

    `looked` names boxes whose Players have looked at their cards, where it has not been entered yet.
    """
    sent = {**msgspec.to_builtins(strict_body(data, ReportDraft)), "do": "report"}
    looked = sent.pop("looked")
    asked = command_for(person, table, sent)
    assert isinstance(asked, AtTable)
    assert isinstance(asked.command, ReportIncident)
    found = preview_view(table, asked.command, looked)
    if isinstance(found, refusal.Refusal):
        return Refusal(accepted=False, code=found.code.value, message=found.message, rules=tuple(found.rules))
    return found


@post("/api/tables/{name:str}/reconstruction", opt={"action": Action.REPORT}, status_code=200)
async def reconstruction(table: TheTable, data: Annotated[SkipValidation[FeltBody], Body()]) -> Finding:
    """Compute which layouts the facts of a dealing error allow, and what each means in money; nothing is changed."""
    facts = checked_facts(table, msgspec.to_builtins(strict_body(data, FeltBody)))
    try:
        return await asyncio.to_thread(find, table.terms, table.round, facts)
    except BadFacts as wrong:
        raise ApiError(400, "bad_request", str(wrong)) from None


PROCEDURE_ROUTES = (procedure, preview, reconstruction)
