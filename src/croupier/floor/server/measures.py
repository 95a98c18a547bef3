"""The doors of those who run the house: tables and links opened and closed, and measures that take two people."""

from __future__ import annotations

import secrets
from typing import Annotated, TypeAlias

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath
from msgspec.structs import replace

from croupier.cards import BadCard, Card, parse_cards
from croupier.floor.asking import BadRequest, changed_terms
from croupier.floor.house import ID_REUSED
from croupier.floor.people import MeasureProposed, Person
from croupier.floor.posts import Action
from croupier.floor.requests import (
    AdjustMeter,
    Answer,
    AtTable,
    ChangeParameters,
    CloseLink,
    CloseTable,
    HouseCommand,
    OpenLink,
    OpenTable,
    ProposeMeasure,
    ReopenLink,
    ReopenTable,
    SettleMeasure,
)
from croupier.floor.requests import Measure as SignedFor
from croupier.floor.running import Floor
from croupier.floor.server.doors import Refused, answered, note, refuse
from croupier.floor.server.settings import BadSettings, read_links, read_tables
from croupier.floor.showing import Json
from croupier.floor.signing import CannotSign, signed, waiting
from croupier.floor.writer import microseconds
from croupier.money import BadMoney, money, show
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


@post("/api/tables", opt={"action": Action.OPEN_TABLES}, status_code=200)
async def open_table(state: State, request: HttpRequest, data: Annotated[NewTable, Body()]) -> Response[Answer]:
    """A table opens with these terms."""
    try:
        (table,) = read_tables([{**data.terms, "name": data.name}])
    except BadSettings as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    return await _asked(state, request, data.id, OpenTable(table=table.table, config=table.config))


@post("/api/tables/{name:str}/terms", opt={"action": Action.OPEN_TABLES}, status_code=200)
async def change_terms(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[NewTerms, Body()]
) -> Response[Answer]:
    """Other limits, another jackpot bet or other lines of the stakeboard, from the next round on."""
    try:
        command = changed_terms(name, _person(request), msgspec.to_builtins(data))
    except BadRequest as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    return await _asked(state, request, data.id, command)


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


@post("/api/links", opt={"action": Action.RUN_LINKS}, status_code=200)
async def open_link(state: State, request: HttpRequest, data: Annotated[NewLink, Body()]) -> Response[Answer]:
    """A link opens; the House pays what its meter starts from."""
    try:
        (link,) = read_links([msgspec.to_builtins(data)])
    except BadSettings as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    return await _asked(state, request, data.id, OpenLink(link=link.link, meter=link.meter, parameters=link.parameters))


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


@post("/api/links/{name:str}/adjust", opt={"action": Action.RUN_LINKS}, status_code=202)
async def adjust_meter(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[Adjustment, Body()]
) -> Json:
    """Propose to correct a meter; somebody else who runs links signs."""
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
    return await _proposed(state, by, words, Action.RUN_LINKS, measure)


@post("/api/links/{name:str}/parameters", opt={"action": Action.RUN_LINKS}, status_code=202)
async def change_parameters(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[NewParameters, Body()]
) -> Json:
    """Propose how the jackpot grows from now on; somebody else who runs links signs."""
    by, running = _person(request), _floor(state).house.shown_links.get(name)
    if running is None:
        raise Refused(404, "unknown_link", f"There is no link {name[:40]}.")
    try:
        (link,) = read_links([{**msgspec.to_builtins(data), "name": name, "meter": "0.00"}])
    except BadSettings as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    words = f"The link {name} resets to {data.reset} and takes {data.contribution} of every jackpot bet"
    parameters = replace(link.parameters, currency=running.parameters.currency)
    measure = ChangeParameters(link=name, by=by.name, second="", parameters=parameters)
    return await _proposed(state, by, words, Action.RUN_LINKS, measure)


@post("/api/tables/{name:str}/correct", opt={"action": Action.DEAL}, status_code=202)
async def correct_cards(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[Correction, Body()]
) -> Json:
    """Propose what really lies on the felt of a table with real cards; somebody of the pit signs."""
    by = _person(request)
    table = _floor(state).table(name)
    if table is None:
        raise Refused(404, "unknown_table", f"There is no table {name[:40]}.")
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
    return await _proposed(state, by, words, Action.SIGN, AtTable(table=name, command=correction))


# ---------------------------------------------------------------- four eyes: the second signature


@get("/api/proposals", opt={"action": Action.SIGN})
async def proposals(state: State) -> list[Json]:
    """What waits for a second signature."""
    return [_shown(proposal) for proposal in _waiting(state)]


@post("/api/proposals/{key:str}/sign", opt={"action": Action.SIGN}, status_code=200)
async def sign(state: State, request: HttpRequest, key: FromPath[str]) -> Response[Answer]:
    """The second signature: it is done, and both names are on the record."""
    person, floor = _person(request), _floor(state)
    proposal = next((waits for waits in _waiting(state) if waits.proposal == key), None)
    if proposal is None:
        raise Refused(404, "unknown_proposal", "Nothing of that number waits for a signature.")
    if not person.may(proposal.second):
        await refuse(floor, person, proposal.second, f"sign {proposal.words}")
    try:
        command = signed(proposal, person)
    except CannotSign as wrong:
        await note(floor, person, wrong.code, f"sign {proposal.words}")
        raise Refused(409, wrong.code, str(wrong)) from None
    # First what was signed for, under the proposal's own id, so that it is done once whatever happens in between. A
    # person's ids begin with his name, and no name has a slash.
    answer = await floor.ask(command, f"proposal/{key}")
    if answer.code != ID_REUSED:  # then another person's signature was first
        await floor.ask(SettleMeasure(proposal=key, by=person.name))
    return answered(answer)


MEASURE_ROUTES = (
    open_table, change_terms, close_table, reopen_table, open_link, close_link, reopen_link, adjust_meter,
    change_parameters, correct_cards, proposals, sign,
)  # fmt: skip


async def _proposed(state: State, by: Person, words: str, second: Action, measure: SignedFor) -> Json:
    key = secrets.token_hex(8)
    asked = ProposeMeasure(proposal=key, by=by.name, words=words, second=second, measure=measure)
    answer = await _floor(state).ask(asked)
    if not answer.accepted:
        raise Refused(429, answer.code, answer.message)
    return {"id": key, "by": by.name, "words": words, "second": second.value}


def _shown(proposal: MeasureProposed) -> Json:
    return {
        "id": proposal.proposal,
        "by": proposal.by,
        "words": proposal.words,
        "second": proposal.second.value,
    }


def _waiting(state: State) -> list[MeasureProposed]:
    return waiting(_floor(state).house.shown_people, microseconds())


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
