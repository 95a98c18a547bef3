"""The doors of those who run the house: tables and links opened and closed, and measures that take two people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from litestar import Request, Response, post
from litestar.datastructures import State
from litestar.params import Body, FromPath
from msgspec.structs import replace

from croupier.cards import BadCard, Card, parse_cards
from croupier.floor.duties.permissions import Action
from croupier.floor.house.writer import microseconds
from croupier.floor.live.floor import Floor
from croupier.floor.people.authorization import BadRequest, changed_terms
from croupier.floor.people.people import Person
from croupier.floor.people.proposals import why_two
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    ChangeTerms,
    CloseTable,
    HouseCommand,
    OpenLink,
    OpenTable,
    ReopenTable,
)
from croupier.floor.server.auth import Refused, answered, refuse_elsewhere, table_of
from croupier.floor.server.documented_refusals import DONE, WAITS
from croupier.floor.server.payments import Outcome, outcome
from croupier.floor.server.routes.proposals import elsewhere, propose
from croupier.floor.server.settings import BadSettings, read_links, read_tables
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, ReopenLink
from croupier.money import BadMoney, Money, money, show
from croupier.rounds.commands import CorrectCards
from croupier.rulebooks.vocabulary import Role

HttpRequest: TypeAlias = Request[Person | None, object, State]
Id: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Name: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[^/\x00-\x1f]*[^/. \x00-\x1f][^/\x00-\x1f]*$")
]
Amount: TypeAlias = Annotated[str, msgspec.Meta(max_length=30)]


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to open: its name, and its terms as in the settings file."""

    id: Id
    name: Name
    terms: dict[str, object]


class NewLink(msgspec.Struct, forbid_unknown_fields=True):
    """A link to open: what its meter starts from, and how it grows."""

    id: Id
    name: Name
    meter: Amount
    reset: Amount
    contribution: Amount
    reserve: Amount = "0"
    cap: Amount | None = None


class Measure(msgspec.Struct, forbid_unknown_fields=True):
    """Something done to a table or a link."""

    id: Id


class Adjustment(msgspec.Struct, forbid_unknown_fields=True):
    """By how much a meter is corrected, and why."""

    amount: Amount
    cause: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class NewParameters(msgspec.Struct, forbid_unknown_fields=True):
    """How the jackpot grows from now on."""

    reset: Amount
    contribution: Amount
    reserve: Amount = "0"
    cap: Amount | None = None


class NewTerms(msgspec.Struct, forbid_unknown_fields=True):
    """What is different at a table from the next round on; the rest stays as it is."""

    id: Id
    limits: dict[str, tuple[Amount, Amount]] = {}
    jackpot_bet: Amount | None = None
    pay_tables: dict[str, dict[str, Annotated[str, msgspec.Meta(max_length=40)]]] = {}


class Correction(msgspec.Struct, forbid_unknown_fields=True):
    """What really lies on the felt, place by place, as in {"community": "Ah Kd 2c"}."""

    cards: dict[str, Annotated[str, msgspec.Meta(max_length=40)]]


# ---------------------------------------------------------------- tables and links


@post("/api/tables", opt={"action": Action.OPEN_TABLES}, status_code=200, responses={202: WAITS})
async def open_table(state: State, request: HttpRequest, data: Annotated[NewTable, Body()]) -> Response[Outcome]:
    """A table opens with these terms; limits above the bound take two people."""
    try:
        (table,) = read_tables([{**data.terms, "name": data.name}])
    except BadSettings as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    command = OpenTable(table=table.table, config=table.config, by=_person(request).name)
    words = f"Open table {table.table} in pit {table.config.pit} with {_limits(command.config.limits)}"
    return await _by_enough(state, request, data.id, words, command)


@post("/api/tables/{name:str}/terms", opt={"action": Action.OPEN_TABLES}, status_code=200, responses={202: WAITS})
async def change_terms(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[NewTerms, Body()]
) -> Response[Outcome]:
    """Other limits, another jackpot bet or other lines of the stakeboard, from the next round on."""
    try:
        command = changed_terms(name, _person(request), msgspec.to_builtins(data))
    except BadRequest as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    words = f"Table {name} plays with {_limits(command.limits, command.jackpot_bet)} from its next round on"
    return await _by_enough(state, request, data.id, words, command)


@post("/api/tables/{name:str}/close", opt={"action": Action.OPEN_TABLES}, status_code=200)
async def close_table(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[Measure, Body()]
) -> Response[Answer]:
    """No further round begins at the table; one in play is played to its end."""
    return await _asked(state, request, data.id, CloseTable(table=name, by=_person(request).name))


@post("/api/tables/{name:str}/reopen", opt={"action": Action.OPEN_TABLES}, status_code=200)
async def reopen_table(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[Measure, Body()]
) -> Response[Answer]:
    """Rounds begin at the table again."""
    return await _asked(state, request, data.id, ReopenTable(table=name, by=_person(request).name))


@post("/api/links", opt={"action": Action.SEED_LINKS}, status_code=202, responses={200: DONE})
async def open_link(state: State, request: HttpRequest, data: Annotated[NewLink, Body()]) -> Response[Outcome]:
    """Propose a link; the House pays what its meter starts from, so another person signs."""
    try:
        (link,) = read_links([msgspec.to_builtins(data)])
    except BadSettings as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    by, house = _person(request).name, _floor(state).house
    begun = [table.terms.currency for table in house.shown.values()]
    begun += [running.parameters.currency for running in house.shown_links.values()]
    parameters = replace(link.parameters, currency=begun[0]) if begun else link.parameters
    command = OpenLink(link=link.link, meter=link.meter, parameters=parameters, by=by)
    words = f"Start the link {link.link} at {show(link.meter)}, {_grows(data)}"
    return await _by_enough(state, request, data.id, words, command)


@post("/api/links/{name:str}/close", opt={"action": Action.RUN_LINKS}, status_code=200)
async def close_link(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[Measure, Body()]
) -> Response[Answer]:
    """The link takes no jackpot bets until it is opened again."""
    return await _asked(state, request, data.id, CloseLink(link=name, by=_person(request).name))


@post("/api/links/{name:str}/reopen", opt={"action": Action.RUN_LINKS}, status_code=200)
async def reopen_link(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[Measure, Body()]
) -> Response[Answer]:
    """The link takes jackpot bets again."""
    return await _asked(state, request, data.id, ReopenLink(link=name, by=_person(request).name))


# ---------------------------------------------------------------- four eyes: the first signature


@post("/api/links/{name:str}/adjust", opt={"action": Action.SEED_LINKS}, status_code=202)
async def adjust_meter(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[Adjustment, Body()]
) -> Response[Outcome]:
    """Propose to correct a meter; another person who seeds links signs."""
    by = _person(request)
    try:
        amount = money(data.amount.removeprefix("-")) * (-1 if data.amount.startswith("-") else 1)
    except BadMoney as wrong:
        raise Refused(400, "bad_request", f"amount: {wrong}") from None
    if name not in _floor(state).house.shown_links:
        raise Refused(404, "unknown_link", f"There is no link {name[:40]}.")
    sign = "-" if amount < 0 else ""
    words = f"Correct the meter of {name} by {sign}{show(abs(amount))}: {data.cause}"
    measure = AdjustMeter(link=name, by=by.name, second="", amount=amount, cause=data.cause)
    return await propose(_floor(state), by, words, Action.SEED_LINKS, measure)


@post("/api/links/{name:str}/parameters", opt={"action": Action.SEED_LINKS}, status_code=202)
async def change_parameters(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[NewParameters, Body()]
) -> Response[Outcome]:
    """Propose how the jackpot grows from now on; another person who seeds links signs."""
    by, running = _person(request), _floor(state).house.shown_links.get(name)
    if running is None:
        raise Refused(404, "unknown_link", f"There is no link {name[:40]}.")
    try:
        (link,) = read_links([{**msgspec.to_builtins(data), "name": name, "meter": "0.00"}])
    except BadSettings as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    words = f"The link {name} {_grows(data)}"
    parameters = replace(link.parameters, currency=running.parameters.currency)
    measure = ChangeParameters(link=name, by=by.name, second="", parameters=parameters)
    return await propose(_floor(state), by, words, Action.SEED_LINKS, measure)


@post("/api/tables/{name:str}/correct", opt={"action": Action.DEAL}, status_code=202)
async def correct_cards(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[Correction, Body()]
) -> Response[Outcome]:
    """Propose what really lies on the felt of a table with real cards; another person of the pit signs."""
    by = _person(request)
    table = table_of(_floor(state), name)
    if not table.config.physical:
        raise Refused(409, "not_a_persons", "At this table the program deals: nobody enters or corrects cards.")
    cards: dict[str, tuple[Card, ...]] = {}
    for place, text in data.cards.items():
        try:
            cards[place] = parse_cards(text)
        except BadCard as wrong:
            raise Refused(400, "bad_request", f"cards.{place[:20]}: {wrong}") from None
    words = f"At {name} lie " + ", ".join(f"{place} {text}" for place, text in data.cards.items())
    correction = CorrectCards(by=by.post.role or Role.DEALER, who=by.name, second="", cards=cards)
    return await propose(_floor(state), by, words, Action.SIGN, AtTable(table=name, command=correction))


MEASURE_ROUTES = (
    open_table, change_terms, close_table, reopen_table, open_link, close_link, reopen_link, adjust_meter,
    change_parameters, correct_cards,
)  # fmt: skip


def _floor(state: State) -> Floor:
    floor = state.floor
    assert isinstance(floor, Floor)
    return floor


def _person(request: HttpRequest) -> Person:
    person = request.scope["user"]
    assert isinstance(person, Person)
    return person


async def _asked(state: State, request: HttpRequest, command_id: str, command: HouseCommand) -> Response[Answer]:
    answer = await _floor(state).ask(command, f"{_person(request).name}:{command_id}")
    return answered(answer)


_SECOND = {OpenLink: Action.SEED_LINKS, OpenTable: Action.OPEN_TABLES, ChangeTerms: Action.OPEN_TABLES}
"""What the second person needs to be allowed."""


async def _by_enough(
    state: State, request: HttpRequest, command_id: str, words: str, command: OpenLink | OpenTable | ChangeTerms
) -> Response[Outcome]:
    """Done at once, or proposed where it takes two people."""
    floor, by = _floor(state), _person(request)
    await refuse_elsewhere(floor, by, elsewhere(floor, by, command), words)
    if why_two(floor.house.shown_people, command, microseconds()):
        return await propose(floor, by, words, _SECOND[type(command)], command, command_id)
    return outcome(await floor.ask(command, f"{by.name}:{command_id}"))


def _limits(limits: Mapping[str, tuple[Money, Money]], jackpot_bet: Money | None = None) -> str:
    """Limits in words, for the person who signs."""
    said = [f"{bet} {show(least)} to {show(most)}" for bet, (least, most) in limits.items()]
    if jackpot_bet is not None:
        said.append(f"jackpot bet {show(jackpot_bet)}")
    return ", ".join(said) or "the rulebook's limits"


def _grows(data: NewLink | NewParameters) -> str:
    """How a jackpot grows in words, for the person who signs."""
    cap = f" and stops at {data.cap}" if data.cap is not None else ""
    shares = f"takes {data.contribution} of every jackpot bet, {data.reserve} of it into the reserve"
    return f"resets to {data.reset}, {shares}{cap}"
