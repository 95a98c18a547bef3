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
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.params import Body, FromPath
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler

from croupier import __version__
from croupier.floor.asking import BadRequest, NotAllowed, command_for
from croupier.floor.people import Person, token_hash
from croupier.floor.posts import Action, Post
from croupier.floor.requests import Answer, BuyIn, CashOut, RemovePerson
from croupier.floor.running import OUR_FAULT, Floor, Watcher
from croupier.floor.server.calling import CALL_ROUTES
from croupier.floor.server.checking import CHECKING_ROUTES, Recount
from croupier.floor.server.doors import COOKIE, Doors, Refused, answered, guard, is_our_own_page, refuse, token_in
from croupier.floor.server.live import SIGNED_OUT, live_connection
from croupier.floor.server.measures import MEASURE_ROUTES
from croupier.floor.server.metrics import metrics_text
from croupier.floor.server.pages import PAGE_ROUTES
from croupier.floor.server.practice import PRACTICE_ROUTES, Coach
from croupier.floor.server.rounds import ROUND_ROUTES, Searches
from croupier.floor.server.settings import Settings
from croupier.floor.server.threshold import LONGEST_BODY, on_every_answer
from croupier.floor.showing import Json, account_json, link_json, lobby, table_view, terms_json
from croupier.floor.tables import Table
from croupier.floor.writer import HouseStopped
from croupier.money import BadMoney, money
from croupier.rulebooks.books import GAMES, UnknownGame, declare
from croupier.rulebooks.citing import paragraphs
from croupier.rulebooks.comparing import facts

_LOG = logging.getLogger("croupier.server")
STATIC = Path(__file__).parent / "static"

HttpRequest: TypeAlias = Request[Person | None, object, State]
Socket: TypeAlias = WebSocket[Person | None, object, State]


class LogIn(msgspec.Struct, forbid_unknown_fields=True):
    """Who comes in."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    password: Annotated[str, msgspec.Meta(max_length=200)]


class Enrol(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody new."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    post: Post
    password: Annotated[str, msgspec.Meta(min_length=8, max_length=200)]


class AtTheCashier(msgspec.Struct, forbid_unknown_fields=True):
    """Money for chips, or chips for money."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    player: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    amount: str


def _floor(state: State) -> Floor:
    floor = state.floor
    assert isinstance(floor, Floor)
    return floor


def _person(request: HttpRequest) -> Person:
    person = request.scope["user"]
    assert isinstance(person, Person)
    return person


def _table(state: State, name: str) -> Table:
    table = _floor(state).table(name)
    if table is None:
        raise Refused(404, "unknown_table", f"There is no table {name[:40]}.")
    return table


# ---------------------------------------------------------------- coming in


@post("/api/login", opt={"public": True}, status_code=200)
async def log_in(state: State, request: HttpRequest, data: Annotated[LogIn, Body()]) -> Response[Json]:
    """Log in with a name and a password."""
    _may_knock(state, request)
    person, token, csrf = await state.doors.log_in(data.name, data.password, _came_from(request))
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
    token, csrf = await state.doors.open_session(person)
    return _welcome(state, person, token, csrf)


def _came_from(request: HttpRequest) -> str:
    return request.client.host if request.client else ""


def _may_knock(state: State, request: HttpRequest) -> None:
    if not state.doors.log_ins.allows(_came_from(request)):
        raise Refused(429, "too_fast", "Too many people come in from there: wait a minute.")


def _welcome(state: State, person: Person, token: str, csrf: str) -> Response[Json]:
    cookie = Cookie(
        key=COOKIE, value=token, httponly=True, samesite="strict", secure=state.settings.secure_cookies, path="/"
    )
    return Response({"name": person.name, "post": person.post.value, "csrf": csrf, "token": token}, cookies=[cookie])


@post("/api/logout", opt={"action": Action.WATCH}, status_code=200)
async def log_out(state: State, request: HttpRequest) -> Response[Json]:
    """The session is over at once."""
    token, _ = token_in(request.headers, request.cookies)
    assert token is not None
    await state.doors.log_out(token)
    return Response({"ok": True}, cookies=[Cookie(key=COOKIE, value="", max_age=0, path="/")])


@get("/api/me", opt={"public": True})
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
    return {
        "name": person.name,
        "post": person.post.value,
        "csrf": session.csrf,
        "may": sorted(action.value for action in Action if person.may(action)),
        "demo": state.settings.demo,
        **({"account": account_json(_floor(state).house, person)} if person.post is Post.PLAYER else {}),
    }


# ---------------------------------------------------------------- tables and links


@get("/api/tables", opt={"action": Action.WATCH})
async def tables(state: State) -> list[Json]:
    """The lobby."""
    return lobby(_floor(state).house)


@get("/api/tables/{name:str}", opt={"action": Action.WATCH})
async def one_table(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """A table as one may see it."""
    table = _table(state, name)
    return {"terms": terms_json(table), **table_view(table, _person(request))}


@post("/api/tables/{name:str}/commands", opt={"action": Action.WATCH}, status_code=200)
async def command(
    state: State, request: HttpRequest, name: FromPath[str], data: Annotated[dict[str, object], Body()]
) -> Response[Answer]:
    """A step of a round script, by whoever may; `id` makes it act once."""
    return await at_table(_floor(state), _person(request), name, data)


async def at_table(floor: Floor, person: Person, name: str, sent: dict[str, object]) -> Response[Answer]:
    table = floor.table(name)
    if table is None:
        raise Refused(404, "unknown_table", f"There is no table {name[:40]}.")
    command_id = sent.get("id")
    if not isinstance(command_id, str) or not 1 <= len(command_id) <= 100:
        raise Refused(400, "bad_request", "id: every command carries an id of 1 to 100 characters.")
    try:
        asked = command_for(person, table, sent)
    except NotAllowed as wrong:
        await refuse(floor, person, wrong.action, f"{name}: {sent.get('do')}")
        raise
    except BadRequest as wrong:
        raise Refused(400, "bad_request", str(wrong)) from None
    answer = await floor.ask(asked, f"{person.name}:{command_id}")
    return answered(answer)


@get("/api/links/{name:str}", opt={"action": Action.WATCH})
async def one_link(state: State, name: FromPath[str]) -> Json:
    """The meter, the last hits, what waits."""
    link = _floor(state).house.shown_links.get(name)
    if link is None:
        raise Refused(404, "unknown_link", f"There is no link {name[:40]}.")
    return link_json(name, link)


# ---------------------------------------------------------------- the cashier and people


@post("/api/cashier/buy-in", opt={"action": Action.RUN_CASHIER}, status_code=200)
async def buy_in(state: State, request: HttpRequest, data: Annotated[AtTheCashier, Body()]) -> Response[Answer]:
    """A player gives money for chips."""
    return await _cash(state, request, data, buying=True)


@post("/api/cashier/cash-out", opt={"action": Action.RUN_CASHIER}, status_code=200)
async def cash_out(state: State, request: HttpRequest, data: Annotated[AtTheCashier, Body()]) -> Response[Answer]:
    """A player gives chips for money."""
    return await _cash(state, request, data, buying=False)


async def _cash(state: State, request: HttpRequest, data: AtTheCashier, *, buying: bool) -> Response[Answer]:
    floor = _floor(state)
    try:
        amount = money(data.amount)
    except BadMoney as wrong:
        raise Refused(400, "bad_request", f"amount: {wrong}") from None
    if data.player not in floor.house.shown_people.persons:
        raise Refused(404, "unknown_person", f"There is nobody called {data.player[:40]}.")
    asked = BuyIn(player=data.player, amount=amount) if buying else CashOut(player=data.player, amount=amount)
    answer = await floor.ask(asked, f"{_person(request).name}:{data.id}")
    if answer.accepted:
        floor.tell_account(data.player)
    return answered(answer)


@post("/api/people", opt={"action": Action.ENROL_PEOPLE}, status_code=201)
async def enrol(state: State, data: Annotated[Enrol, Body()]) -> Json:
    """Somebody may log in from now on."""
    await state.doors.enrol(data.name, data.post, data.password)
    return {"name": data.name, "post": data.post.value}


@get("/api/people", opt={"action": Action.ENROL_PEOPLE})
async def people(state: State) -> list[Json]:
    """Everybody who may log in, and how many sessions each has."""
    known = _floor(state).house.shown_people
    held = Counter(session.person for session in known.sessions.values())
    return [{"name": p.name, "post": p.post.value, "sessions": held[p.name]} for p in known.persons.values()]


@post("/api/people/{name:str}/sign-out", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def sign_out(state: State, name: FromPath[str]) -> Json:
    """Every session of somebody is over at once."""
    _known(state, name)
    return {"name": name, "sessions": await state.doors.sign_out(name)}


@delete("/api/people/{name:str}", opt={"action": Action.ENROL_PEOPLE}, status_code=200)
async def remove(state: State, request: HttpRequest, name: FromPath[str]) -> Json:
    """Somebody may no longer log in."""
    _known(state, name)
    if name == _person(request).name:
        raise Refused(409, "not_oneself", "Nobody removes himself: the house would have no administrator.")
    await state.doors.sign_out(name)
    await _floor(state).ask(RemovePerson(name=name))
    return {"name": name}


def _known(state: State, name: str) -> None:
    if name not in _floor(state).house.shown_people.persons:
        raise Refused(404, "unknown_person", f"There is nobody called {name[:40]}.")


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


@get("/ready", opt={"public": True}, sync_to_thread=False)
def ready(state: State) -> Response[Json]:
    """Commands are taken."""
    floor = _floor(state)
    if floor.failure is not None:
        return Response({"status": "stopped"}, status_code=503)
    return Response({"status": "ready", "tables": len(floor.house.shown)})


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
    if found is None and not by_cookie:
        # A page may show a meter with a cookie of yesterday; a program that shows a token believes that it is worth
        # something, and would wait for ever.
        await socket.close(SIGNED_OUT, "The session is over.")
        return
    watcher = Watcher(found[0], token_hash(token)) if found else Watcher(None)
    ending = asyncio.get_running_loop().call_later(doors.seconds_left(token), floor.leave, watcher) if found else None
    try:
        with contextlib.suppress(WebSocketDisconnect):
            who = found[0].name if found else f"from/{socket.client.host if socket.client else ''}"
            await live_connection(socket, floor, watcher, at_table, lambda: doors.requests.allows(who))
    finally:
        if ending is not None:
            ending.cancel()


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


def _plainly(status: int, code: str, message: str) -> Response[Json]:
    return Response({"accepted": False, "code": code, "message": message, "rules": []}, status_code=status)


def _fault(request: HttpRequest, wrong: Exception) -> Response[Json]:
    """Our own fault is told as one; what it was goes to the log, by its kind and place, without what it was about."""
    place = wrong.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f"{Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
    if isinstance(wrong, RecursionError) and where.startswith("msgspec"):
        return _plainly(400, "bad_request", "The request is wrong: it is nested too deeply.")
    _LOG.error("a fault of ours", extra={"kind": type(wrong).__name__, "where": where, "path": request.scope["path"]})
    return _plainly(500, "fault", OUR_FAULT)


ROUTES = (
    log_in, guest, log_out, me, tables, one_table, command, one_link, buy_in, cash_out, enrol, people, sign_out,
    remove, games, one_game, health, ready, metrics, live, *ROUND_ROUTES, *MEASURE_ROUTES,
    *PAGE_ROUTES, *PRACTICE_ROUTES, *CHECKING_ROUTES, *CALL_ROUTES,
)  # fmt: skip


UNCOMPRESSED = ["^/api", "^/health", "^/ready", "^/metrics"]
"""The pages alone go compressed: an answer's length must tell nothing of the session's secrets in it."""


def is_client_built() -> bool:
    """Whether there are pages for browsers; a fresh copy of the sources has none yet."""
    return (STATIC / "index.html").is_file()


def make_app(floor: Floor, settings: Settings) -> Litestar:
    """The server of one floor."""
    doors = Doors(
        floor,
        requests_per_second=settings.requests_per_second,
        log_ins_per_minute=settings.log_ins_per_minute,
        session_hours=settings.session_hours,
    )
    coach, recount, searches = Coach(), Recount(), Searches()
    routes: list[ControllerRouterHandler] = [*ROUTES]
    if is_client_built():
        routes.append(create_static_files_router(path="/", directories=[STATIC], html_mode=True, opt={"public": True}))
    return Litestar(
        route_handlers=routes,
        guards=[guard],
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
        on_shutdown=[coach.close, recount.close, searches.close, doors.close],
        openapi_config=OpenAPIConfig(
            title="Croupier",
            version=__version__,
            openapi_router=Router("/api/schema", route_handlers=[], opt={"public": True}),
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
            Exception: _fault,
        },
    )
