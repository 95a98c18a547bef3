"""Tables and links opened, closed and changed, and measures that take two people."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, post
from litestar.params import Body, FromPath, SkipValidation
from msgspec.structs import replace

from croupier.floor.duties.permissions import Action
from croupier.floor.history.award_payments import paid_on
from croupier.floor.house.handlers.tables import edition_terms
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.live.floor import Floor
from croupier.floor.people.authorization import amount_in, cards_in, changed_terms
from croupier.floor.people.people import Person
from croupier.floor.people.second_signature import why_two
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    CancelEdition,
    ChangeTerms,
    CloseTable,
    ConfirmAwardPaid,
    HandOverTable,
    OpenLink,
    OpenTable,
    ReopenTable,
    ScheduleEdition,
    TableConfig,
)
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheTable, link_named
from croupier.floor.server.errors import ApiError, answered, strict_body
from croupier.floor.server.guard import refuse_elsewhere
from croupier.floor.server.openapi import DONE, WAITS
from croupier.floor.server.payments import outcome
from croupier.floor.server.routes.pit.proposals import elsewhere, propose, refused_correction
from croupier.floor.server.settings import read_links, read_tables
from croupier.floor.server.wire import measures as wire
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, ReopenLink
from croupier.money import show
from croupier.rounds.commands import CorrectCards
from croupier.rulebooks.vocabulary import Role

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# ---------------------------------------------------------------- tables and links


@post("/api/tables", opt={"action": Action.OPEN_TABLES}, status_code=200, responses={202: WAITS})
async def open_table(
    floor: TheFloor, person: ThePerson, data: Annotated[SkipValidation[wire.NewTable], Body()]
) -> Response[wire.Outcome]:
    """Open a table with these terms; limits above the bound take two people."""
    data = strict_body(data, wire.NewTable)
    (table,) = read_tables([{**msgspec.to_builtins(data.terms), "name": data.name}])
    if table.config.physical and not table.config.staffed:
        raise ApiError(400, "bad_request", "staffed: real cards are dealt by a dealer, so a dealer runs the table.")
    command = OpenTable(table=table.table, config=table.config, by=person.name)
    words = f"Open table {table.table} in pit {table.config.pit} with {_terms(command.config, {})}"
    return await _by_enough(floor, person, data.id, words, command)


@post("/api/tables/{name:str}/terms", opt={"action": Action.OPEN_TABLES}, status_code=200, responses={202: WAITS})
async def change_terms(
    floor: TheFloor, person: ThePerson, name: FromPath[str], data: Annotated[wire.ChangedTerms, Body()]
) -> Response[wire.Outcome]:
    """Change limits, the jackpot bet or lines of the stakeboard, from the next round on."""
    command = changed_terms(name, person, msgspec.to_builtins(data))
    shown = floor.house.shown.get(name)
    before = {} if shown is None else {bet: dict(rows) for bet, rows in shown.latest.pay_tables.items()}
    words = f"Table {name} plays with {_terms(command, before)} from its next round on"
    return await _by_enough(floor, person, data.id, words, command)


@post("/api/tables/{name:str}/close", opt={"action": Action.OPEN_TABLES, "checks_assignment": True}, status_code=200)
async def close_table(
    floor: TheFloor, person: ThePerson, name: FromPath[str], data: Annotated[wire.Measure, Body()]
) -> Response[Answer]:
    """Close a table: a round in play is played to its end, and no further round begins."""
    return await _asked(floor, person, data.id, CloseTable(table=name, by=person.name))


@post("/api/tables/{name:str}/reopen", opt={"action": Action.OPEN_TABLES, "checks_assignment": True}, status_code=200)
async def reopen_table(
    floor: TheFloor, person: ThePerson, name: FromPath[str], data: Annotated[wire.Measure, Body()]
) -> Response[Answer]:
    """Reopen a table: rounds begin again."""
    return await _asked(floor, person, data.id, ReopenTable(table=name, by=person.name))


@post("/api/links", opt={"action": Action.SEED_LINKS}, status_code=202, responses={200: DONE})
async def open_link(
    floor: TheFloor, person: ThePerson, data: Annotated[wire.NewLink, Body()]
) -> Response[wire.Outcome]:
    """Propose a link; the House pays what its meter starts from, so another person signs."""
    (link,) = read_links([msgspec.to_builtins(data)])
    house = floor.house
    begun = [table.terms.currency for table in house.shown.values()]
    begun += [running.parameters.currency for running in house.shown_links.values()]
    parameters = replace(link.parameters, currency=begun[0]) if begun else link.parameters
    command = OpenLink(link=link.link, meter=link.meter, parameters=parameters, by=person.name)
    words = f"Start the link {link.link} at {show(link.meter)}, {_grows(data)}"
    return await _by_enough(floor, person, data.id, words, command)


@post("/api/links/{name:str}/close", opt={"action": Action.RUN_LINKS, "checks_assignment": True}, status_code=200)
async def close_link(
    floor: TheFloor, person: ThePerson, name: FromPath[str], data: Annotated[wire.Measure, Body()]
) -> Response[Answer]:
    """Close a link: it takes no jackpot bets until it is reopened."""
    return await _asked(floor, person, data.id, CloseLink(link=name, by=person.name))


@post("/api/links/{name:str}/reopen", opt={"action": Action.RUN_LINKS, "checks_assignment": True}, status_code=200)
async def reopen_link(
    floor: TheFloor, person: ThePerson, name: FromPath[str], data: Annotated[wire.Measure, Body()]
) -> Response[Answer]:
    """Reopen a link: it takes jackpot bets again."""
    return await _asked(floor, person, data.id, ReopenLink(link=name, by=person.name))


# ---------------------------------------------------------------- four eyes: the first signature


@post("/api/links/{name:str}/adjust", opt={"action": Action.SEED_LINKS}, status_code=202)
async def adjust_meter(
    floor: TheFloor, person: ThePerson, name: FromPath[str], data: Annotated[wire.Adjustment, Body()]
) -> Response[wire.Outcome]:
    """Propose to correct a meter; another person who seeds links signs."""
    sign, size = ("-" if data.amount.startswith("-") else ""), amount_in("amount", data.amount.removeprefix("-"))
    link_named(floor, name)
    amount = -size if sign else size
    words = f"Correct the meter of {name} by {sign if size else ''}{show(size)}: {data.cause}"
    measure = AdjustMeter(link=name, by=person.name, second="", amount=amount, cause=data.cause)
    return await propose(floor, person, words, Action.SEED_LINKS, measure)


@post("/api/links/{name:str}/parameters", opt={"action": Action.SEED_LINKS}, status_code=202)
async def change_parameters(
    floor: TheFloor, person: ThePerson, name: FromPath[str], data: Annotated[wire.NewParameters, Body()]
) -> Response[wire.Outcome]:
    """Propose how the jackpot grows from now on; another person who seeds links signs."""
    running = link_named(floor, name)
    (link,) = read_links([{**msgspec.to_builtins(data), "name": name, "meter": "0.00"}])
    words = f"The link {name} {_grows(data)}"
    parameters = replace(link.parameters, currency=running.parameters.currency)
    measure = ChangeParameters(link=name, by=person.name, second="", parameters=parameters)
    return await propose(floor, person, words, Action.SEED_LINKS, measure)


@post("/api/tables/{name:str}/correct", opt={"action": Action.DEAL}, status_code=202)
async def correct_cards(
    floor: TheFloor, person: ThePerson, table: TheTable, data: Annotated[wire.Correction, Body()]
) -> Response[wire.Outcome]:
    """Propose what really lies on the felt of a table with real cards; another person of the pit signs."""
    name = table.name
    if not table.config.physical:
        raise ApiError(409, "not_a_persons", "At this table the program deals: cards cannot be entered or corrected.")
    cards = cards_in(data.cards)
    words = f"At {name} lie " + ", ".join(
        f"{place} {text} (entered: {_entered(table, place)})" for place, text in data.cards.items()
    )
    correction = CorrectCards(by=person.post.role or Role.DEALER, who=person.name, second="", cards=cards)
    _check_can_be_corrected(floor, table, correction)
    measure = AtTable(table=name, command=correction, round=table.round.number)
    return await propose(floor, person, words, Action.SIGN, measure)


def _entered(table: Table, place: str) -> str:
    """Return the cards that are on record at a place of the felt; "-" where there are none."""
    state = table.round
    at = {"community": state.community, "dealer": state.dealer} | {str(box.number): box.cards for box in state.boxes}
    return " ".join(str(card) for card in at.get(place, ())) or "-"


def _check_can_be_corrected(floor: Floor, table: Table, correction: CorrectCards) -> None:
    """Refuse at the first signature what no second signature could bring about."""
    signed = replace(correction, second=f"second of {correction.who}", by=Role.SHIFT_MANAGER)
    refused = refused_correction(floor, table, signed)
    if refused is not None:
        raise ApiError(409, refused.code.value, refused.message, tuple(refused.rules))


@post("/api/tables/{name:str}/hand-over", opt={"action": Action.DEAL, "refuses": (404,)}, status_code=202)
async def hand_over(
    floor: TheFloor, person: ThePerson, table: TheTable, data: Annotated[wire.HandOver, Body()]
) -> Response[wire.Outcome]:
    """Propose to hand a table over to another dealer, with the count of the tray; a person of the pit signs."""
    to = floor.house.directory.id_of(data.to)
    dealer = None if to is None else floor.house.shown_people.persons.get(to)
    if dealer is None or not dealer.may(Action.DEAL) or dealer.name == person.name:
        raise ApiError(404, "unknown_person", f"There is no other dealer called {data.to[:40]}.")
    count = amount_in("count", data.count)
    words = f"{person.name} hands {table.name} over to {dealer.name} with {show(count)} in the tray"
    command = HandOverTable(table=table.name, count=count, to=dealer.name, by=person.name)
    return await propose(floor, person, words, Action.SIGN, command)


@post("/api/tables/{name:str}/award-paid", opt={"action": Action.DEAL, "refuses": (404,)}, status_code=200)
async def award_paid(
    floor: TheFloor, person: ThePerson, table: TheTable, data: Annotated[wire.PaidAward, Body()]
) -> Response[Answer]:
    """Record that an award which is signed for has been paid out to its player; a second time is refused."""
    look = partial(floor.award_payments.case_of, table=table, award=data.award)
    case = await asyncio.to_thread(floor.past.reading, look)
    if case is None:
        raise ApiError(404, "award_not_due", f"No award {data.award} of {table.name} is signed for.")
    command = ConfirmAwardPaid(
        table=table.name,
        award=case.case,
        round=case.round,
        box=case.line.box,
        amount=paid_on(case),
        by=person.name,
        from_tray=data.from_tray,
    )
    return answered(await floor.ask(command, f"{person.name}:{data.id}"))


@post("/api/tables/{name:str}/edition", opt={"action": Action.OPEN_TABLES}, status_code=202)
async def schedule_edition(
    floor: TheFloor, person: ThePerson, table: TheTable, data: Annotated[wire.NewEdition, Body()]
) -> Response[wire.Outcome]:
    """Propose another version of a table's rule document from a moment on; another manager signs."""
    try:
        moment = datetime.fromisoformat(data.at)
        at = (moment - EPOCH) // timedelta(microseconds=1)  # a TypeError without a zone
    except (TypeError, ValueError, OverflowError):
        raise ApiError(400, "bad_request", "at: write a moment with its zone, as in 2026-12-01T06:00:00Z.") from None
    command = ScheduleEdition(table=table.name, edition=data.edition, at=at, by=person.name)
    edition_terms(table, data.edition)
    words = f"Table {table.name} plays by {data.edition} from {moment.isoformat(' ', 'minutes')} on"
    await refuse_elsewhere(floor, person, elsewhere(floor, person, command), words)
    return await propose(floor, person, words, Action.OPEN_TABLES, command)


@post("/api/tables/{name:str}/edition/cancel", opt={"action": Action.OPEN_TABLES}, status_code=200)
async def cancel_edition(
    floor: TheFloor, person: ThePerson, table: TheTable, data: Annotated[wire.CancelledEdition, Body()]
) -> Response[Answer]:
    """Take a version that waits for its moment off a table's calendar."""
    command = CancelEdition(table=table.name, edition=data.edition, by=person.name)
    await refuse_elsewhere(floor, person, elsewhere(floor, person, command), f"CancelEdition {table.name}")
    return answered(await floor.ask(command, f"{person.name}:{data.id}"))


async def _asked(
    floor: Floor, person: Person, command_id: str, command: CloseTable | ReopenTable | CloseLink | ReopenLink
) -> Response[Answer]:
    """Ask the house; an id that was answered gets its answer also where the person no longer works."""
    outside = elsewhere(floor, person, command)
    if outside and (earlier := await floor.past_answer(f"{person.name}:{command_id}")) is not None:
        return answered(earlier)
    place = command.table if isinstance(command, CloseTable | ReopenTable) else command.link
    await refuse_elsewhere(floor, person, outside, f"{type(command).__name__} {place}")
    return answered(await floor.ask(command, f"{person.name}:{command_id}"))


_SECOND = {OpenLink: Action.SEED_LINKS, OpenTable: Action.OPEN_TABLES, ChangeTerms: Action.OPEN_TABLES}
"""What the second person needs to be allowed."""


async def _by_enough(
    floor: Floor, by: Person, command_id: str, words: str, command: OpenLink | OpenTable | ChangeTerms
) -> Response[wire.Outcome]:
    """Carry it out at once, or propose it where it takes two people."""
    await refuse_elsewhere(floor, by, elsewhere(floor, by, command), words)
    if why_two(floor.house.shown_people, command, microseconds()):
        return await propose(floor, by, words, _SECOND[type(command)], command, command_id)
    return outcome(await floor.ask(command, f"{by.name}:{command_id}"))


def _terms(terms: TableConfig | ChangeTerms, before: Mapping[str, Mapping[str, str]]) -> str:
    """Write terms in words for the person who signs: of the stakeboard, the lines that change."""
    said = [f"{bet} {show(least)} to {show(most)}" for bet, (least, most) in terms.limits.items()]
    if isinstance(terms, ChangeTerms) and terms.jackpot_bet is not None:
        said.append(f"jackpot bet {show(terms.jackpot_bet)}")
    for bet, rows in terms.pay_tables.items():
        changed = [(line, pays) for line, pays in rows.items() if before.get(bet, {}).get(line) != pays]
        said += [f"{bet} for {line.replace('_', ' ')} {pays}" for line, pays in changed]
    return ", ".join(said) or "the rulebook's limits"


def _grows(data: wire.NewParameters) -> str:
    """Say in words how a jackpot grows, for the person who signs."""
    cap = f" and stops at {data.cap}" if data.cap is not None else ""
    shares = f"takes {data.contribution} of every jackpot bet, {data.reserve} of it into the reserve"
    return f"resets to {data.reset}, {shares}{cap}"
