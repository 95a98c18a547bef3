"""Measures that take two people: proposed by one, signed by another."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Iterable
from functools import partial
from typing import Annotated, TypeAlias

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import Body, FromPath, SkipValidation
from msgspec.structs import replace

from croupier.floor.duties.permissions import Action
from croupier.floor.house.handlers.proposals import SIGNED
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.live.floor import Floor
from croupier.floor.people.assignments import refusal, refusal_on
from croupier.floor.people.people import Person
from croupier.floor.people.second_signature import signed, waiting
from croupier.floor.records import commands, refusals
from croupier.floor.records.people_facts import MeasureProposed
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheSessions
from croupier.floor.server.errors import ApiError, answered
from croupier.floor.server.guard import note, refuse, refuse_elsewhere
from croupier.floor.server.openapi import WAITS
from croupier.floor.server.payments import check_covered, outcome, pay
from croupier.floor.server.wire.measures import Declining, Outcome, Proposal
from croupier.floor.views.dealer_steps import WaitingHandOver
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, ReopenLink
from croupier.jackpots.decide import decide_link
from croupier.jackpots.linked_tables import informed
from croupier.journal.store import Store
from croupier.money import show
from croupier.rounds import refusal as rules
from croupier.rounds.commands import CorrectCards
from croupier.rounds.decide import decide
from croupier.structs import extended


async def propose(
    floor: Floor,
    by: Person,
    words: str,
    second: Action,
    measure: commands.Measure,
    command_id: str = "",
    personal: commands.Named | None = None,
) -> Response[Outcome]:
    """Give the first signature; sent again under the same id, it is the same proposal.

    `words` go on record and name people by their ids. `personal` is the name of a person who is to be enrolled.
    """
    key = hashlib.sha256(f"{by.name}:{command_id}".encode()).hexdigest()[:16] if command_id else secrets.token_hex(8)
    known = floor.house.shown_people.proposals.get(key)
    if known is None:
        _check_link(floor, measure)
        check_covered(floor, measure)
        asked = commands.ProposeMeasure(proposal=key, by=by.name, words=words, second=second, measure=measure)
        answer = await floor.ask(asked, personal=personal)
        if not answer.accepted:
            raise ApiError(429 if answer.code == "too_many" else 409, answer.code, answer.message)
    elif known.measure != measure:
        what = "This command id was used for another proposal; nothing was done."
        raise ApiError(409, refusals.Code.ID_REUSED.value, what)
    told = Proposal(
        id=key, by=by.name, words=words, second=second, seconds=0, may_sign=False, mine=True, declined_by="", why=""
    )
    return Response(told, status_code=202)


def _check_link(floor: Floor, measure: commands.Measure) -> None:
    """Refuse at the first signature what the second one could not bring about on a link."""
    if not isinstance(measure, ChangeParameters | AdjustMeter):
        return
    link, shown = floor.house.shown_links.get(measure.link), floor.house.shown
    if link is None:
        return
    if not link.closed:
        what = "The link must be closed before its parameters or its meter are changed: close it, then propose."
        raise ApiError(409, rules.Code.LINK_OPEN.value, what)
    as_signed = replace(measure, second="?")
    verdict = decide_link(lambda table: shown[table].terms if table in shown else None, link, as_signed)
    # Rounds in play end by themselves, perhaps before the second signature.
    if isinstance(verdict, rules.Refusal) and verdict.code is not rules.Code.ROUNDS_IN_PLAY:
        raise ApiError(409, verdict.code.value, verdict.message)


LAPSED_KEPT = 3_600_000_000
"""Microseconds for which a proposer reads that nobody signed."""
Lapsed: TypeAlias = dict[str, MeasureProposed]
TheLapsed: TypeAlias = SkipValidation[NamedDependency[Lapsed]]


async def _note_lapsed(floor: Floor, lapsed: Lapsed, now: int) -> None:
    """Keep the proposals whose time is over: the house forgets them when the next one is made."""
    for key, proposal in floor.house.shown_people.proposals.items():
        # One that was signed in its last moment may not be closed yet.
        if proposal.until <= now and key not in lapsed and await floor.past_answer(SIGNED + key) is None:
            lapsed[key] = proposal
    for key in [key for key, proposal in lapsed.items() if proposal.until + LAPSED_KEPT <= now]:
        del lapsed[key]


@get("/api/proposals", opt={"action": Action.COUNTERSIGN})
async def proposals(floor: TheFloor, person: ThePerson, lapsed: TheLapsed) -> list[Proposal]:
    """List what waits for a second signature that this person may give, and what they proposed themselves: also what
    was declined of it, or was not signed in time.
    """
    now = microseconds()
    await _note_lapsed(floor, lapsed, now)
    handed = {waits.measure.table for waits in _waiting(floor) if isinstance(waits.measure, commands.HandOverTable)}
    expected: dict[str, str | None] = {}
    if handed:
        look = partial(_expected_trays, floor, handed)
        expected = await asyncio.to_thread(floor.past.reading, look)

    def told(waits: MeasureProposed, declined_by: str = "", why: str = "", *, is_lapsed: bool = False) -> Proposal:
        measure, tray = waits.measure, None
        if isinstance(measure, commands.HandOverTable):
            tray = WaitingHandOver(to=measure.to, count=show(measure.count), expected=expected.get(measure.table))
        return extended(
            Proposal,
            waits,
            id=waits.proposal,
            seconds=max((waits.until - now) // 1_000_000, 0),
            lapsed=is_lapsed,
            may_sign=not declined_by and not is_lapsed and _may_sign(floor, person, waits, now),
            mine=waits.by == person.name,
            declined_by=declined_by,
            why=why,
            hand_over=tray,
        )

    declined = [
        told(ended.proposal, ended.by, ended.words)
        for ended in floor.house.shown_people.declined.values()
        if ended.proposal.by == person.name and ended.proposal.until > now
    ]
    waits_here = (waits for waits in _waiting(floor) if person.may(waits.second) or waits.by == person.name)
    unsigned = [told(proposal, is_lapsed=True) for proposal in lapsed.values() if proposal.by == person.name]
    return [*(told(waits) for waits in waits_here), *declined, *unsigned]


def _expected_trays(floor: Floor, tables: Iterable[str], store: Store) -> dict[str, str | None]:
    """Return what the house expects in the trays of tables; None where one was never counted."""
    return {table: floor.table_people.expected(store, table, floor.now()) for table in tables}


@post("/api/proposals/{key:str}/sign", opt={"action": Action.COUNTERSIGN}, status_code=200, responses={202: WAITS})
async def sign(floor: TheFloor, sessions: TheSessions, person: ThePerson, key: FromPath[str]) -> Response[Outcome]:
    """Give the second signature and carry the proposal out; both names go on record. A player may have to confirm."""
    proposal = _found(floor, key)
    if proposal.by not in floor.house.shown_people.persons:
        raise ApiError(409, "unknown_person", f"{proposal.by}, who proposed it, may no longer log in: propose it anew.")
    if not person.may(proposal.second):
        await refuse(floor, person, proposal.second, f"sign {proposal.words}")
    await refuse_elsewhere(floor, person, elsewhere(floor, person, proposal.measure), f"sign {proposal.words}")
    try:
        command = signed(proposal, person, floor.house.shown_people, microseconds())
    except refusals.Refused as wrong:
        await note(floor, person, wrong.code, f"sign {proposal.words}")
        raise ApiError(409, wrong.code, str(wrong)) from None
    if (beyond := _beyond_role(floor, command)) is not None:  # it waits for a person who may
        await note(floor, person, beyond.code, f"sign {proposal.words}")
        raise ApiError(409, beyond.code, beyond.message)
    # First what was signed for, under the proposal's own id, so that it is done once whatever happens in between. A
    # person's ids begin with their name, and no name has a slash.
    if isinstance(command, commands.BuyIn | commands.CashOut):
        told = await pay(floor, sessions, command, SIGNED + key)
    else:
        told = outcome(await floor.ask(command, SIGNED + key))
    code = told.content.code if isinstance(told.content, commands.Answer) else ""
    # Else another signature was first, or the proposal was closed meanwhile.
    if code not in (refusals.Code.ID_REUSED, refusals.Code.UNKNOWN_PROPOSAL):
        await floor.ask(commands.SettleMeasure(proposal=key, by=person.name))
    return told


@post("/api/proposals/{key:str}/withdraw", opt={"action": Action.WITHDRAW}, status_code=200)
async def withdraw(floor: TheFloor, person: ThePerson, key: FromPath[str]) -> Response[commands.Answer]:
    """Take back what this person proposed; nobody can sign it any more."""
    _found(floor, key)
    return answered(await floor.ask(commands.WithdrawMeasure(proposal=key, by=person.name)))


@post("/api/proposals/{key:str}/decline", opt={"action": Action.COUNTERSIGN}, status_code=200)
async def decline(
    floor: TheFloor, person: ThePerson, key: FromPath[str], data: Annotated[Declining, Body()]
) -> Response[commands.Answer]:
    """Decline what this person could sign, and tell its proposer why; nobody can sign it any more."""
    proposal = _found(floor, key)
    if not person.may(proposal.second):
        await refuse(floor, person, proposal.second, f"decline {proposal.words}")
    await refuse_elsewhere(floor, person, elsewhere(floor, person, proposal.measure), f"decline {proposal.words}")
    return answered(await floor.ask(commands.DeclineMeasure(proposal=key, by=person.name, words=data.words.strip())))


def _found(floor: Floor, key: str) -> MeasureProposed:
    """Return a proposal that waits; raises ApiError."""
    proposal = next((waits for waits in _waiting(floor) if waits.proposal == key), None)
    if proposal is None:
        raise ApiError(404, "unknown_proposal", "No proposal of that number waits: it was closed, or its time is over.")
    return proposal


def _may_sign(floor: Floor, person: Person, proposal: MeasureProposed, now: int) -> bool:
    """Return whether this person may be the second one, as `sign` judges it."""
    people = floor.house.shown_people
    is_gone = proposal.by not in people.persons
    if is_gone or not person.may(proposal.second) or elsewhere(floor, person, proposal.measure):
        return False
    try:
        command = signed(proposal, person, people, now)
    except refusals.Refused:
        return False
    return _beyond_role(floor, command) is None


def _beyond_role(floor: Floor, measure: commands.Measure) -> rules.Refusal | None:
    """Return why the rules take a higher role for a correction of cards than its two people have."""
    match measure:
        case commands.AtTable(table=name, command=CorrectCards() as correction) if name in floor.house.shown:
            refused = refused_correction(floor, floor.house.shown[name], correction)
            return refused if refused is not None and refused.code is rules.Code.NOT_AUTHORISED else None
        case _:
            return None


def refused_correction(floor: Floor, table: Table, correction: CorrectCards) -> rules.Refusal | None:
    """Return why cards cannot be corrected as the round stands."""
    link = None if table.config.link is None else floor.house.shown_links.get(table.config.link)
    verdict = decide(table.terms, table.round, informed(link, (table.name, table.round.number), correction))
    return verdict if isinstance(verdict, rules.Refusal) else None


Placed: TypeAlias = (
    commands.Measure | commands.CancelEdition | commands.CloseTable | commands.ReopenTable | CloseLink | ReopenLink
)


def elsewhere(floor: Floor, person: Person, measure: Placed) -> str:
    """Return why a measure is outside a person's assignment; empty where it is not."""
    shown = floor.house.shown
    match measure:
        case commands.EnrolPerson() | commands.BuyIn() | commands.CashOut():
            return ""
        case commands.OpenTable():
            return refusal(person, measure.table, measure.config)
        case AdjustMeter() | ChangeParameters() | commands.OpenLink() | CloseLink() | ReopenLink():
            return refusal_on(person, measure.link, ((table.name, table.config) for table in shown.values()))
        case _:
            name = measure.table
            return refusal(person, name, shown[name].config) if name in shown else ""


def _waiting(floor: Floor) -> list[MeasureProposed]:
    return waiting(floor.house.shown_people, microseconds())
