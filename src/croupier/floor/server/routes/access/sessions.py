"""Log-in, log-out, and who is logged in."""

from __future__ import annotations

import secrets
from typing import Annotated

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import Body
from msgspec.structs import replace

from croupier.floor.duties.permissions import Action, Post
from croupier.floor.people.people import Person
from croupier.floor.records.commands import BuyIn
from croupier.floor.server.dependencies import HttpRequest, TheFloor, TheSessions, TheSettings
from croupier.floor.server.errors import ApiError
from croupier.floor.server.guard import COOKIE, address_of, client_host, token_in
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.settings import Settings
from croupier.floor.server.wire.sessions import Home, LoggedIn, LoggedOut, LogIn, Me, Nobody, Page
from croupier.floor.views.account_views import account_view
from croupier.floor.views.moments import moment_text
from croupier.money import money

HOMES: dict[Post, Home] = {
    Post.PIT_SUPERVISOR: "pit",
    Post.PIT_MANAGER: "pit",
    Post.SHIFT_MANAGER: "pit",
    Post.SURVEILLANCE: "pit",
    Post.AUDITOR: "rounds",
    Post.ADMINISTRATOR: "people",
    Post.CAGE: "cage",
    Post.DISPLAY: "display",
    Post.EXAMINER: "academy",
    Post.LEARNER: "academy",
}
"""The page on which each post begins; every other post begins at the tables."""
PAGES: dict[Page, Action] = {
    Page.TABLE: Action.WATCH,
    Page.DEALER: Action.DEAL,
    Page.PIT: Action.WATCH_FLOOR,
    Page.ROUNDS: Action.WATCH,
    Page.MY_ROUNDS: Action.PLAY,
    Page.RECEIPT: Action.PLAY,
    Page.REPLAY: Action.WATCH,
    Page.AUDIT: Action.AUDIT,
    Page.DISPUTES: Action.HANDLE_DISPUTES,
    Page.ACADEMY: Action.TRAIN,
    Page.PEOPLE: Action.ENROL_PEOPLE,
    Page.CAGE: Action.RUN_CASHIER,
    Page.ACCOUNT: Action.OWN_ACCOUNT,
    Page.DUTIES: Action.SEE_DUTIES,
}
"""What a person must be allowed to do for each page to be of use."""


@post("/api/login", opt={"public": True, "refuses": (401,)}, status_code=200)
async def log_in(
    sessions: TheSessions, settings: TheSettings, request: HttpRequest, data: Annotated[LogIn, Body()]
) -> Response[LoggedIn]:
    """Log in with a name and a password."""
    _check_log_in_rate(sessions, request)
    browser = request.headers.get("user-agent", "")
    person, token, csrf = await sessions.log_in(
        data.name, data.password, address_of(request), code=data.code, browser=browser
    )
    return _logged_in(sessions, settings, person, token, csrf)


@post("/api/guest", opt={"public": True}, status_code=200)
async def guest(
    floor: TheFloor, sessions: TheSessions, settings: TheSettings, request: HttpRequest
) -> Response[LoggedIn]:
    """Log in as a guest with demo chips, where the house is a demonstration."""
    if not settings.demo:
        raise ApiError(403, "no_guests", "This house takes no guests: log in.")
    _check_log_in_rate(sessions, request)
    name = f"guest-{secrets.token_hex(3)}"
    await sessions.enrol(name, Post.PLAYER, "")
    person = floor.house.shown_people.persons[name]
    await floor.ask(BuyIn(player=name, amount=money("1000.00")))
    token, csrf = await sessions.open_session(
        person, came_from=client_host(request), browser=request.headers.get("user-agent", "")
    )
    return _logged_in(sessions, settings, person, token, csrf)


def _check_log_in_rate(sessions: Sessions, request: HttpRequest) -> None:
    if not sessions.log_ins.allows(address_of(request)):
        raise ApiError(429, "too_fast", "Too many log-ins from this address. Wait a minute.")


def _logged_in(sessions: Sessions, settings: Settings, person: Person, token: str, csrf: str) -> Response[LoggedIn]:
    cookie = Cookie(key=COOKIE, value=token, httponly=True, samesite="strict", secure=settings.secure_cookies, path="/")
    name = sessions.floor.house.directory.name_of(person.name)
    return Response(LoggedIn(name=name, post=person.post, csrf=csrf, token=token), cookies=[cookie])


@post(
    "/api/logout",
    opt={"action": Action.WATCH, "though": ("session_locked", "change_password_first", "second_factor_first")},
    status_code=200,
)
async def log_out(sessions: TheSessions, request: HttpRequest) -> Response[LoggedOut]:
    """End the session at once."""
    token, _ = token_in(request.headers, request.cookies)
    assert token is not None
    await sessions.log_out(token)
    return Response(LoggedOut(ok=True), cookies=[Cookie(key=COOKIE, value="", max_age=0, path="/")])


@get("/api/me", opt={"public": True, "refuses": (401,)})
async def me(floor: TheFloor, sessions: TheSessions, settings: TheSettings, request: HttpRequest) -> Me | Nobody:
    """Tell who is logged in and what they may do; without a session the name is null, and `may` is empty."""
    token, by_cookie = token_in(request.headers, request.cookies)
    found = sessions.session_of(token)
    if found is None:
        # A page asks before a person has logged in; a program that sends a token believes that it is valid.
        if not by_cookie:
            raise ApiError(401, "log_in_first", "Log in first.")
        return Nobody(name=None, post=None, csrf="", may=[], demo=settings.demo)
    person, session = found
    held = sessions.held_back(person, session)
    told = Me(
        name=person.name,
        post=person.post,
        csrf=session.csrf,
        may=sorted(action for action in Action if person.may(action)),
        demo=settings.demo,
        held=None if held is None else held[0],
        second_factor=bool(person.factor),
        home=HOMES.get(person.post, "tables"),
        pages=[page for page, action in PAGES.items() if person.may(action)],
        guest=person.post is Post.PLAYER and not person.secret,
        idle=settings.security.idle_seconds(person),
        since=moment_text(session.opened),
    )
    is_open_player = person.post is Post.PLAYER and not held
    return replace(told, account=account_view(floor.house, person)) if is_open_player else told
