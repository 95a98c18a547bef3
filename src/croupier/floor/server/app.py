"""The doors: every route with the action it takes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import Counter
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from litestar import Litestar, MediaType, Request, Response, Router, WebSocket, delete, get, post, websocket
from litestar.config.compression import CompressionConfig
from litestar.datastructures import Cookie, State
from litestar.exceptions import HTTPException, ValidationException, WebSocketDisconnect
from litestar.handlers import HTTPRouteHandler
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.params import Body, FromPath
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler

from croupier import __version__
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.house.writer import HouseAway, HouseStopped
from croupier.floor.live.floor import AWAY, OUR_FAULT, Floor, Watcher
from croupier.floor.people.assignments import refusal
from croupier.floor.people.authorization import BadRequest, NotAllowed, command_for
from croupier.floor.people.directory import is_id, is_released
from croupier.floor.people.passwords import COST
from croupier.floor.people.people import Person, token_hash
from croupier.floor.people.proposals import why_two
from croupier.floor.records.commands import Answer, AssignPerson, BuyIn, ErasePerson, RemovePerson
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.tables import Table
from croupier.floor.server.auth import (
    COOKIE,
    Doors,
    Refused,
    address_of,
    answered,
    guard,
    is_our_own_page,
    known_query,
    refuse,
    refuse_elsewhere,
    table_of,
    token_in,
)
from croupier.floor.server.displayed_names import AS_RECORDED, AnswerNames
from croupier.floor.server.documented_refusals import WAITS, describe
from croupier.floor.server.http_limits import LONGEST_BODY, on_every_answer
from croupier.floor.server.live import (
    AWAY_CODE,
    AWAY_MESSAGE,
    HELD_BACK,
    SIGNED_OUT,
    TOO_MANY,
    live_connection,
)
from croupier.floor.server.metrics import metrics_text
from croupier.floor.server.routes.account import CREDENTIAL_ROUTES, came_from, check_new_password
from croupier.floor.server.routes.advice import PRACTICE_ROUTES, Coach
from croupier.floor.server.routes.audit import CHECKING_ROUTES, Recount
from croupier.floor.server.routes.calls import CALL_ROUTES
from croupier.floor.server.routes.cashier import CASHIER_ROUTES
from croupier.floor.server.routes.duties import DUTY_ROUTES
from croupier.floor.server.routes.measures import MEASURE_ROUTES
from croupier.floor.server.routes.pages import PAGE_ROUTES
from croupier.floor.server.routes.proposals import PROPOSAL_ROUTES, propose
from croupier.floor.server.routes.rounds import ROUND_ROUTES, Searches
from croupier.floor.server.settings import Settings
from croupier.floor.views.table_views import Json, account_json, link_json, live_view, lobby, terms_json
from croupier.journal.store import StoreLost
from croupier.ledger import accounts
from croupier.money import money
from croupier.rulebooks.books import GAMES, UnknownGame, declare
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.comparison import facts

_LOG = logging.getLogger("croupier.server")
STATIC = Path(__file__).parent / "static"
NOT_READY = ResponseSpec(
    dict[str, str], generate_examples=False, description="Commands are not taken: why, in `problem`."
)
RETRY_AFTER = 1
"""Seconds after which a client asks again while the database is away."""

HttpRequest: TypeAlias = Request[Person | None, object, State]
Socket: TypeAlias = WebSocket[Person | None, object, State]


class LogIn(msgspec.Struct, forbid_unknown_fields=True):
    """Who comes in."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    password: Annotated[str, msgspec.Meta(max_length=200)]
    code: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """Of the second factor, or a recovery code, where the person has one."""


class Enrol(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody new."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    post: Post
    password: Annotated[str, msgspec.Meta(max_length=200)]


class Assignment(msgspec.Struct, forbid_unknown_fields=True):
    """Where a person works; with neither pits nor tables, everywhere."""

    pits: Annotated[tuple[str, ...], msgspec.Meta(max_length=100)] = ()
    tables: Annotated[tuple[str, ...], msgspec.Meta(max_length=1000)] = ()


def _floor(state: State) -> Floor:
    floor = state.floor
    assert isinstance(floor, Floor)
    return floor


def _person(request: HttpRequest) -> Person:
    person = request.scope["user"]
    assert isinstance(person, Person)
    return person


# ---------------------------------------------------------------- coming in


@post("/api/login", opt={"public": True, "refuses": (401,)}, status_code=200)
async def log_in(state: State, request: HttpRequest, data: Annotated[LogIn, Body()]) -> Response[Json]:
    """Log in with a name and a password."""
    _may_knock(state, request)
    browser = request.headers.get("user-agent", "")
    person, token, csrf = await state.doors.log_in(
        data.name, data.password, address_of(request), code=data.code, browser=browser
    )
    return _welcome(state, person, token, csrf)


@post("/api/guest", opt={"public": True}, status_code=200)
async def guest(state: State, request: HttpRequest) -> Response[Json]:
    """In a demonstration anybody may sit down, with demo chips."""
    if not state.settings.demo:
        raise Refused(403, "no_guests", "This house takes no guests: log in.")
    _may_knock(state, request)
    name = f"guest-{secrets.token_hex(3)}"
    await state.doors.enrol(name, Post.PLAYER, "")
    person = _floor(state).house.shown_people.persons[name]
    await _floor(state).ask(BuyIn(player=name, amount=money("1000.00")))
    token, csrf = await state.doors.open_session(
        person, came_from=came_from(request), browser=request.headers.get("user-agent", "")
    )
    return _welcome(state, person, token, csrf)


def _may_knock(state: State, request: HttpRequest) -> None:
    if not state.doors.log_ins.allows(address_of(request)):
        raise Refused(429, "too_fast", "Too many people come in from there: wait a minute.")


def _welcome(state: State, person: Person, token: str, csrf: str) -> Response[Json]:
    cookie = Cookie(
        key=COOKIE, value=token, httponly=True, samesite="strict", secure=state.settings.secure_cookies, path="/"
    )
    name = _floor(state).house.directory.name_of(person.name)
    return Response({"name": name, "post": person.post.value, "csrf": csrf, "token": token}, cookies=[cookie])


@post(
    "/api/logout",
    opt={"action": Action.WATCH, "though": ("session_locked", "change_password_first", "second_factor_first")},
    status_code=200,
)
async def log_out(state: State, request: HttpRequest) -> Response[Json]:
    """The session is over at once."""
    token, _ = token_in(request.headers, request.cookies)
    assert token is not None
    await state.doors.log_out(token)
    return Response({"ok": True}, cookies=[Cookie(key=COOKIE, value="", max_age=0, path="/")])


@get("/api/me", opt={"public": True, "refuses": (401,)})
async def me(state: State, request: HttpRequest) -> Json:
    """Who one is, and what one may do; a stranger is nobody, with null for a name, and may nothing."""
    token, by_cookie = token_in(request.headers, request.cookies)
    found = state.doors.session_of(token)
    if found is None:
        # A page asks before anybody has logged in; a program that shows a token believes that it is worth something.
        if not by_cookie:
            raise Refused(401, "log_in_first", "Log in first.")
        return {"name": None, "post": None, "csrf": "", "may": [], "demo": state.settings.demo}
    person, session = found
    held = state.doors.held_back(person, session)
    return {
        "name": person.name,
        "post": person.post.value,
        "csrf": session.csrf,
        "may": sorted(action.value for action in Action if person.may(action)),
        "demo": state.settings.demo,
        "held": None if held is None else held[0],
        "second_factor": bool(person.factor),
        "idle": state.settings.security.idle_seconds(person),
        **({"account": account_json(_floor(state).house, person)} if person.post is Post.PLAYER and not held else {}),
    }


# ---------------------------------------------------------------- tables and links


@get("/api/tables", opt={"action": Action.WATCH})
async def tables(state: State, request: HttpRequest) -> list[Json]:
    """The lobby."""
    return lobby(_floor(state).house, _person(request))


@get("/api/tables/{name:str}", opt={"action": Action.WATCH})
async def one_table(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """A table as one may see it."""
    table = table_of(_floor(state), name)
    return {"terms": terms_json(table), **live_view(_floor(state).house, table, _person(request))}


@post("/api/tables/{name:str}/commands", opt={"action": Action.WATCH}, status_code=200)
async def command(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[dict[str, object], Body()]
) -> Response[Answer]:
    """A step of a round script, by whoever may; `id` makes it act once."""
    return await at_table(_floor(state), _person(request), name, data)


async def at_table(floor: Floor, person: Person, name: str, sent: dict[str, object]) -> Response[Answer]:
    table = table_of(floor, name)
    command_id = sent.get("id")
    elsewhere, what = refusal(person, name, table.config), f"{name}: {sent.get('do')}"
    if not isinstance(command_id, str) or not 1 <= len(command_id) <= 100:
        await refuse_elsewhere(floor, person, elsewhere, what)
        raise Refused(400, "bad_request", "id: every command carries an id of 1 to 100 characters.")
    # The box, or the table, may have been theirs when they asked: an id that was answered gets the same answer.
    if elsewhere:
        if (earlier := await _answer_before(floor, person, command_id)) is not None:
            return earlier
        await refuse_elsewhere(floor, person, elsewhere, what)
    try:
        asked = command_for(person, table, _by_id(floor, person, table, sent))
    except NotAllowed as wrong:
        if (earlier := await _answer_before(floor, person, command_id)) is not None:
            return earlier
        await refuse(floor, person, wrong.action, what)
        raise
    except BadRequest as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    answer = await floor.ask(asked, f"{person.name}:{command_id}")
    return answered(answer)


async def _answer_before(floor: Floor, person: Person, command_id: str) -> Response[Answer] | None:
    """What this person was answered under this id before; None where it is new."""
    earlier = await asyncio.to_thread(floor.past.answered, f"{person.name}:{command_id}")
    return None if earlier is None else answered(earlier)


def _by_id(floor: Floor, person: Person, table: Table, sent: dict[str, object]) -> dict[str, object]:
    """What a person of the staff sends, with the id of the player whom they name."""
    player = sent.get("player")
    if person.post is Post.PLAYER or not isinstance(player, str) or not player:
        return sent
    found, house = floor.house.directory.id_of(player), floor.house
    if found is None and (
        accounts.player(player) in house.shown_balances or any(player in box.players for box in table.round.boxes)
    ):
        found = player  # a bot, or a person of an earlier release who was removed
    if found is None:
        raise Refused(404, "unknown_person", f"There is no player called {player[:40]}.")
    return {**sent, "player": found}


@get("/api/links/{name:str}", opt={"action": Action.WATCH})
async def one_link(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """The meter, the awards that are locked or wait, the last hits."""
    if name not in _floor(state).house.shown_links:
        raise Refused(404, "unknown_link", f"There is no link {name[:40]}.")
    return link_json(_floor(state).house, name, _person(request))


# ---------------------------------------------------------------- people


@post("/api/people", opt={"action": Action.ENROL_PEOPLE}, status_code=201, responses={202: WAITS})
async def enrol(state: State, request: HttpRequest, data: Annotated[Enrol, Body()]) -> Response[Json]:
    """A person may log in from now on; everybody but a player takes a second person, and is proposed."""
    floor, by = _floor(state), _person(request)
    check_new_password(state, data.name, data.password)
    command, named = await state.doors.enrolment(data.name, data.post, data.password, by.name)
    if why_two(floor.house.shown_people, command, floor.now()):
        words = f"Enrol {command.name} as {data.post.value.replace('_', ' ')}"
        told = await propose(floor, by, words, Action.SIGN_ENROLMENTS, command, personal=named)
        return Response(msgspec.to_builtins(told.content), status_code=202)
    answer = await floor.ask(command, personal=named)
    if not answer.accepted:
        raise Refused(409, answer.code, answer.message)
    return Response({"name": data.name, "post": data.post.value}, status_code=201)


@post("/api/people/{name:str}/assign", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def assign(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[Assignment, Body()]
) -> Response[Answer]:
    """A person works in these pits and at these tables alone, and is refused elsewhere."""
    person, by = state.doors.id_of(name), _person(request).name
    return answered(await _floor(state).ask(AssignPerson(name=person, by=by, pits=data.pits, tables=data.tables)))


@get("/api/people", opt={"action": Action.ENROL_PEOPLE, AS_RECORDED: True})
async def people(state: State) -> list[Json]:
    """Everybody who may log in, the id by which records know them, and how many sessions each has."""
    known, directory = _floor(state).house.shown_people, _floor(state).house.directory
    held = Counter(session.person for session in known.sessions.values())
    return [
        {
            "name": directory.name_of(p.name),
            "id": p.name,
            "post": p.post.value,
            "sessions": held[p.name],
            "second_factor": bool(p.factor),
            "break_glass": p.break_glass,
            "alarm": bool(p.alarm),
            "pits": list(p.pits),
            "tables": list(p.tables),
        }
        for p in known.persons.values()
    ]


@post("/api/people/{name:str}/sign-out", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def sign_out(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """Every session of a person is over at once."""
    person = state.doors.id_of(name)
    return {"name": name, "sessions": await state.doors.sign_out(person, _person(request).name)}


@delete("/api/people/{name:str}", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def remove(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """A person may no longer log in; one who holds chips, bets or a claim cashes out first."""
    person, by = state.doors.id_of(name), _person(request).name
    if person == by:
        raise Refused(409, "not_oneself", "Nobody removes himself: the house would have no administrator.")
    answer = await _floor(state).ask(RemovePerson(name=person, by=by))
    if not answer.accepted:
        raise Refused(409, answer.code, answer.message)
    return {"name": name}


@get("/api/removed-people", opt={"action": Action.ENROL_PEOPLE, AS_RECORDED: True})
async def removed_people(state: State) -> list[Json]:
    """Everybody who may no longer log in and whose name is still known."""
    directory = _floor(state).house.directory
    removed = [row.person for row in directory.names.values() if is_released(row)]
    return [{"name": directory.name_of(person), "id": person} for person in removed]


@post("/api/people/{name:str}/erase", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def erase(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """The name of a person who was removed is gone for good; every record keeps the id."""
    floor = _floor(state)
    person = floor.house.directory.id_of(name)
    if person is None:
        raise Refused(404, "unknown_person", f"There is nobody called {name[:40]}.")
    if not is_id(person):
        raise Refused(409, "name_in_records", f"{name[:40]} stands in the records themselves and cannot be erased.")
    answer = await floor.ask(ErasePerson(name=person, by=_person(request).name))
    if not answer.accepted:
        raise Refused(409, answer.code, answer.message)
    return {"id": person}


# ---------------------------------------------------------------- rules


@get("/api/games", opt={"public": True}, sync_to_thread=False)
def games() -> list[Json]:
    """The five games."""
    return [
        {"game": game, "title": declare(game).document.title, "operator": declare(game).document.operator}
        for game in GAMES
    ]


@get("/api/games/{game:str}", opt={"public": True}, sync_to_thread=False)
def one_game(game: FromPath[str]) -> Json:
    """A rulebook, dimension by dimension, and every paragraph in our words."""
    try:
        book = declare(game)
    except UnknownGame as wrong:
        raise Refused(404, "unknown_game", str(wrong)) from None
    return {
        "game": game,
        "title": book.document.title,
        "operator": book.document.operator,
        "facts": msgspec.to_builtins(facts(book)),
        "paragraphs": {
            number: {"text": paragraph.text, "kind": paragraph.kind} for number, paragraph in paragraphs(game).items()
        },
    }


# ---------------------------------------------------------------- operation


@get("/health", opt={"public": True}, sync_to_thread=False)
def health() -> Json:
    """The process is alive."""
    return {"status": "ok", "version": __version__}


@get("/ready", opt={"public": True}, sync_to_thread=False, responses={503: NOT_READY})
def ready(state: State) -> Response[Json]:
    """Commands are taken."""
    floor = _floor(state)
    problem = floor.problem()
    if problem == AWAY:
        told = {"status": "away", "problem": problem}
        return Response(told, status_code=503, headers={"Retry-After": str(RETRY_AFTER)})
    if problem:
        return Response({"status": "stopped", "problem": problem}, status_code=503)
    alarms = dict(floor.clocks.failed)
    return Response({"status": "ready", "tables": len(floor.house.shown), "alarms": alarms})


@get("/api/checkpoint", opt={"public": True, "refuses": (404,)}, sync_to_thread=False)
def checkpoint(state: State) -> Response[Json]:
    """Return the last checkpoint of the journal that this server has signed, for anybody to keep."""
    witness = _floor(state).witness
    if witness is None or witness.last is None:
        raise Refused(404, "no_witness", "This server makes no checkpoints: it has no place to keep them.")
    return Response(msgspec.to_builtins(witness.last.published))


@get("/metrics", opt={"public": True}, media_type=MediaType.TEXT, sync_to_thread=False)
def metrics(state: State) -> str:
    """Prometheus text."""
    return metrics_text(_floor(state))


@websocket("/api/live", opt={"public": True})
async def live(socket: Socket, state: State) -> None:
    """Live play: subscribe to tables and links, give commands, resume after a break."""
    doors, floor = state.doors, _floor(state)
    shown, by_cookie = token_in(socket.headers, socket.cookies)
    token = shown or ""
    await socket.accept()
    # After the last wait before it joins: a session that ends from now on takes this connection with it.
    found = doors.session_of(token) if is_our_own_page(socket.headers) else None
    held = doors.held_back(*found) if found else None
    if held is not None:
        found = None
    if found is None and not by_cookie:
        # A page may show a meter with a cookie of yesterday; a program that shows a token believes that it is worth
        # something, and would wait for ever.
        if held is not None:
            await socket.close(HELD_BACK, held[1])
        else:
            await socket.close(SIGNED_OUT, "The session is over.")
        return
    came_from, name = address_of(socket), found[0].name if found else None
    turned_away = _no_room(doors, came_from, name)
    if turned_away:
        await socket.close(TOO_MANY, turned_away)
        return
    watcher = Watcher(found[0], token_hash(token)) if found else Watcher(None)
    watcher.follows_most = state.settings.watches_per_socket
    ending = asyncio.get_running_loop().call_later(doors.seconds_left(token), floor.leave, watcher) if found else None
    try:
        with contextlib.suppress(WebSocketDisconnect):
            who = name or f"from/{came_from}"

            def used() -> None:
                now = doors.session_of(token)
                if now is not None:
                    doors.idle.use(token_hash(token), *now)

            def may_ask() -> bool:
                if found and not by_cookie:
                    used()  # a page asks whether the server is there by itself; a program does everything on purpose
                return bool(doors.requests.allows(who))

            async def step(floor: Floor, person: Person, name: str, sent: dict[str, object]) -> Response[Answer]:
                used()
                return await at_table(floor, person, name, sent)

            await live_connection(socket, floor, watcher, step, may_ask)
    finally:
        if ending is not None:
            ending.cancel()
        doors.sockets_of_address.leave(came_from)
        if name is not None:
            doors.sockets_of_person.leave(name)


def _no_room(doors: Doors, came_from: str, name: str | None) -> str:
    """Why one more live connection is too much; otherwise it is counted."""
    if not doors.sockets_of_address.enter(came_from):
        most = doors.sockets_of_address.most
        return f"There are {most} live connections from your address already: close one first."
    if name is not None and not doors.sockets_of_person.enter(name):
        doors.sockets_of_address.leave(came_from)
        return f"You have {doors.sockets_of_person.most} live connections already: close one first."
    return ""


# ---------------------------------------------------------------- errors


def _refused(_: HttpRequest, wrong: Refused) -> Response[Json]:
    body = {"accepted": False, "code": wrong.code, "message": wrong.detail, "rules": list(wrong.rules)}
    return Response(body, status_code=wrong.status_code)


def _invalid(_: HttpRequest, wrong: ValidationException) -> Response[Json]:
    extra = wrong.extra if isinstance(wrong.extra, list) else []
    what = "; ".join(str(item.get("message", "")) for item in extra if isinstance(item, dict)) or "cannot be read"
    if what == "'data'":  # the framework's word for a body that is not there
        what = "it has no body"
    return _plainly(400, "bad_request", f"The request is wrong: {what}.")


_PLAINLY = {
    400: ("bad_request", "The request cannot be read."),
    404: ("unknown_address", "There is nothing at this address."),
    405: ("wrong_method", "This address is asked in another way."),
    413: ("too_long", "The request is too long."),
}
"""What the server's own framework refuses, in our words."""


def _http(_: HttpRequest, wrong: HTTPException) -> Response[Json]:
    code, message = _PLAINLY.get(wrong.status_code, ("http", wrong.detail or "This cannot be done."))
    return _plainly(wrong.status_code, code, message)


def _stopped(_: HttpRequest, __: HouseStopped) -> Response[Json]:
    """A commit has failed, and whether it reached the disk is not certain: the same id settles it."""
    return _plainly(503, "stopped", "The house has stopped: send it again, with the same id, when it is back.")


def _away(_: HttpRequest, __: HouseAway | StoreLost) -> Response[Json]:
    """The database cannot be reached just now; the house waits for it."""
    body = {"accepted": False, "code": AWAY_CODE, "message": AWAY_MESSAGE, "rules": []}
    return Response(body, status_code=503, headers={"Retry-After": str(RETRY_AFTER)})


def _plainly(status: int, code: str, message: str) -> Response[Json]:
    return Response({"accepted": False, "code": code, "message": message, "rules": []}, status_code=status)


def _fault(request: HttpRequest, wrong: Exception) -> Response[Json]:
    """Our own fault is told as one; what it was goes to the log, by its kind and place, without what it was about."""
    place = wrong.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f"{Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
    if isinstance(wrong, UnicodeDecodeError):
        return _plainly(400, "bad_request", "The request is wrong: it is not UTF-8 text.")
    if isinstance(wrong, RecursionError) and where.startswith("msgspec"):
        return _plainly(400, "bad_request", "The request is wrong: it is nested too deeply.")
    _LOG.error("a fault of ours", extra={"kind": type(wrong).__name__, "where": where, "path": request.scope["path"]})
    return _plainly(500, "fault", OUR_FAULT)


ROUTES = (
    log_in, guest, log_out, me, tables, one_table, command, one_link, enrol, people, sign_out, assign,
    remove, removed_people, erase, games, one_game, health, ready, checkpoint, metrics, live,
    *ROUND_ROUTES, *MEASURE_ROUTES,
    *PROPOSAL_ROUTES, *CASHIER_ROUTES, *DUTY_ROUTES, *PAGE_ROUTES, *PRACTICE_ROUTES, *CHECKING_ROUTES, *CALL_ROUTES,
    *CREDENTIAL_ROUTES,
)  # fmt: skip
for _route in ROUTES:
    if isinstance(_route, HTTPRouteHandler):
        describe(_route)


UNCOMPRESSED = ["^/api", "^/health", "^/ready", "^/metrics"]
"""The pages alone go compressed: an answer's length must tell nothing of the session's secrets in it."""


def is_client_built() -> bool:
    """Whether there are pages for browsers; a fresh copy of the sources has none yet."""
    return (STATIC / "index.html").is_file()


def make_app(floor: Floor, settings: Settings, *, keys: Keys = NO_KEYS, cost: int = COST) -> Litestar:
    """The server of one floor; `cost` is scrypt's, of every password that is set."""
    doors = Doors(
        floor,
        requests_per_second=settings.requests_per_second,
        log_ins_per_minute=settings.log_ins_per_minute,
        session_hours=settings.session_hours,
        security=settings.security,
        keys=keys,
        cost=cost,
        sockets_per_person=settings.sockets_per_person,
        sockets_per_address=settings.sockets_per_address,
    )
    coach, recount = Coach(), Recount()
    searches = Searches(of_one_person=settings.searches_per_person, of_one_address=settings.searches_per_address)
    routes: list[ControllerRouterHandler] = [*ROUTES]
    if is_client_built():
        files: dict[str, object] = {"public": True, "any_query": True}
        routes.append(create_static_files_router(path="/", directories=[STATIC], html_mode=True, opt=files))
    return Litestar(
        route_handlers=routes,
        guards=[guard, known_query],
        middleware=[DefineMiddleware(AnswerNames, floor=floor)],
        compression_config=CompressionConfig(backend="gzip", exclude=UNCOMPRESSED),
        state=State(
            {
                "floor": floor,
                "doors": doors,
                "settings": settings,
                "coach": coach,
                "recount": recount,
                "searches": searches,
                "calls": {},
            }
        ),
        on_startup=[doors.idle.begin],
        on_shutdown=[coach.close, recount.close, searches.close, doors.close],
        openapi_config=OpenAPIConfig(
            title="Croupier",
            version=__version__,
            openapi_router=Router("/api/schema", route_handlers=[], opt={"public": True}, include_in_schema=False),
            render_plugins=[JsonRenderPlugin(path=["/", "/openapi.json"]), YamlRenderPlugin(path="/openapi.yaml")],
        ),
        before_send=[on_every_answer(secure=settings.secure_cookies)],
        request_max_body_size=LONGEST_BODY,
        logging_config=None,
        exception_handlers={
            Refused: _refused,
            ValidationException: _invalid,
            HTTPException: _http,
            HouseStopped: _stopped,
            HouseAway: _away,
            StoreLost: _away,
            Exception: _fault,
        },
    )
