"""Who may do what: every route, every socket message and every step at a table against the one declared table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

import httpx
import msgspec
import pytest
from litestar import get
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.routes import HTTPRoute, WebSocketRoute
from websockets.exceptions import ConnectionClosed

from croupier.floor.asking import ACTIONS
from croupier.floor.posts import MAY, STAFF, Action, Post
from croupier.floor.server.app import make_app
from croupier.floor.server.doors import COOKIE, CSRF_HEADER, TRIES, Doors, RateLimit
from croupier.floor.server.live import MESSAGES, SIGNED_OUT
from croupier.floor.server.settings import Settings
from croupier.scripts.parse import _FIELDS
from tests.floor.serving import Live, Served

PUBLIC = {
    "POST /api/login",
    "POST /api/guest",
    "GET /api/games",
    "GET /api/games/{game:str}",
    "GET /api/games/{game:str}/readings",
    "GET /api/games/{game:str}/against/{other:str}",
    "GET /api/lobby",
    "GET /health",
    "GET /ready",
    "GET /metrics",
    "WS /api/live",
    "GET /api/schema",
    "GET /api/schema/openapi.json",
    "GET /api/me",
    "GET /api/schema/{path:str}",
    "GET /api/schema/openapi.yaml",
}
"""Doors without a lock, each on purpose: a new one fails here until somebody writes it down."""

PASSWORD = "a long password"
_IDS = count(1)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("permissions"), settings=Settings(requests_per_second=10_000)) as served:
        served.run(Doors(served.floor).enrol("eve", Post.DEALER, PASSWORD))
        yield served


def doors(served: Served) -> Iterator[tuple[str, str, HTTPRouteHandler | WebsocketRouteHandler]]:
    """Every door of the server: method, path, handler; pages of the browser client are files, not doors."""
    for route in make_app(served.floor, Settings()).routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                for method in sorted(handler.http_methods - {"OPTIONS", "HEAD"}):
                    if "{file_path" not in route.path and route.path != "/":
                        yield method, route.path, handler
        elif isinstance(route, WebSocketRoute):
            yield "WS", route.path, route.route_handler


def refusals(served: Served) -> list[dict[str, object]]:
    """What the people's record says of refusals."""
    found = [record for record in served.records("people") if record.type == "AccessRefused"]
    return [msgspec.json.decode(record.data) for record in found]


# ---------------------------------------------------------------- routes


def test_every_door_names_its_action_or_is_public_on_purpose(served: Served) -> None:
    """Default deny: a door that names nothing is closed to everybody, and does not go unnoticed here."""
    public = set()
    for method, path, handler in doors(served):
        if handler.opt.get("public"):
            public.add(f"{method} {path}")
        else:
            assert isinstance(handler.opt.get("action"), Action), f"{method} {path} names no action"
    assert public == PUBLIC


def test_every_door_is_described(served: Served) -> None:
    """In the OpenAPI description, with a sentence that says what it is for and what it answers."""
    with served.http() as client:
        paths = client.get("/api/schema/openapi.json").json()["paths"]
    for method, path, _ in doors(served):
        if method == "WS" or path.startswith("/api/schema"):
            continue
        told = paths.get(re.sub(r":\w+\}", "}", path), {}).get(method.lower())
        assert told is not None, f"{method} {path} is not described"
        assert told.get("description") or told.get("summary"), f"{method} {path} says nothing of itself"
        assert any(code.startswith("2") for code in told["responses"]), f"{method} {path} does not say what it answers"


def test_every_action_is_in_the_table() -> None:
    """What is not listed is allowed to nobody, so nothing is left out by oversight."""
    assert set(MAY) == set(Action)


@pytest.mark.parametrize("post", Post)
def test_every_door_opens_to_those_who_may_and_to_nobody_else(served: Served, post: Post) -> None:
    """A refusal is 403 not_allowed and stands on the record with person, action and door."""
    with served.http(post) as client:
        for method, path, handler in doors(served):
            action = handler.opt.get("action")
            if not isinstance(action, Action) or path == "/api/logout":
                continue
            address = path.replace("{name:str}", "nobody").replace("{number:int}", "1").replace("{key:str}", "x")
            answer = client.request(method, address, json={} if method in ("POST", "PUT") else None)
            refused = answer.status_code == 403 and answer.json()["code"] == "not_allowed"
            assert refused == (post not in MAY[action]), f"{post} at {method} {path}: {answer.status_code}"
            assert answer.status_code < 500
            if refused:
                what = {"person": post.value, "action": action.value, "what": f"{method} {address}"}
                assert {key: refusals(served)[-1][key] for key in what} == what


def test_nobody_comes_in_without_logging_in(served: Served) -> None:
    """Whoever has no session is sent to log in, whatever the door."""
    with served.http() as client:
        for method, path, handler in doors(served):
            if not handler.opt.get("public"):
                answer = client.request(
                    method,
                    path.replace("{name:str}", "T1").replace("{number:int}", "1").replace("{key:str}", "x"),
                    json={},
                )
                assert (answer.status_code, answer.json()["code"]) == (401, "log_in_first"), path


def test_a_door_that_names_nothing_is_closed(served: Served) -> None:
    """The guard does not ask who it is: nobody passes."""

    @get("/nameless", sync_to_thread=False)
    def nameless() -> str:
        return "in"

    async def knock() -> httpx.Response:
        app = make_app(served.floor, Settings())
        app.register(nameless)
        transport = httpx.ASGITransport(app)  # type: ignore[arg-type]  # the same protocol in other words
        async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
            token = served.tokens[Post.ADMINISTRATOR]
            return await client.get("/nameless", headers={"authorization": f"Bearer {token}"})

    answer = served.run(knock())
    assert (answer.status_code, answer.json()["code"]) == (403, "closed")


# ---------------------------------------------------------------- steps at a table


def may_step(post: Post, do: str) -> bool:
    """By the declared table; staff do a player's steps for him under an action of their own."""
    action = ACTIONS[do]
    if action is Action.PLAY and post in STAFF:
        action = Action.BET_FOR_A_PLAYER
    return post in MAY[action]


def test_every_step_of_a_round_script_has_its_action() -> None:
    """A step that is in no list is no step; `deal` and `turn` are the dealer's, with real cards, awards are
    verified by people where scripts have none, and scripts say their terms at the beginning.
    """
    assert set(ACTIONS) == {*_FIELDS, "deal", "turn", "verify_award", "change_terms", "close_table", "reopen_table"}


@pytest.mark.parametrize("post", Post)
def test_every_step_is_open_to_those_who_may(served: Served, post: Post) -> None:
    """Over HTTP and over the socket alike, and each refusal is on the record."""
    before = len(refusals(served))
    expected = 0
    with served.http(post) as client, served.live(post) as live:
        for do in ACTIONS:
            step = {"do": do, "id": f"step-{next(_IDS)}"}
            answer = client.post("/api/tables/T1/commands", json=step)
            told = live.ask({"type": "command", "table": "T1", "id": f"step-{next(_IDS)}", "command": {"do": do}})
            by_http = (answer.status_code, answer.json().get("code")) == (403, "not_allowed")
            assert by_http == (told.get("code") == "not_allowed") == (not may_step(post, do)), f"{post}: {do}"
            expected += 2 * (not may_step(post, do))
    assert len(refusals(served)) - before == expected


def test_a_player_decides_for_his_own_boxes_only(served: Served) -> None:
    """Whoever is not seated at a box does not speak for it."""
    served.step(Post.DEALER, "open")
    for do, more in (("decide", {"choice": "fold"}), ("choose", {"option": "return"}), ("prove", {})):
        assert served.step(Post.PLAYER, do, "T1", box=2, **more)["code"] == "not_allowed"


def test_a_player_cannot_say_who_he_is(served: Served) -> None:
    """The server says who asks: a name, a role and a rank that a client sends count for nothing."""
    sent = {"player": "eve", "by": "shift_manager", "box": 1, "bet": "ante", "amount": "25.00"}
    assert served.step(Post.PLAYER, "bet", "T1", **sent)["accepted"]
    placed = msgspec.json.decode(served.records("table/T1")[-1].data)
    assert (placed["player"], placed.get("by")) == ("player", None)


def test_a_ruling_carries_the_name_of_whoever_gave_it(served: Served) -> None:
    """Not the name that was sent."""
    served.step(Post.DEALER, "open")
    assert served.step(Post.DEALER, "report", incident="uncovered", text="The lights went out.")["accepted"]
    assert served.step(Post.SHIFT_MANAGER, "rule", decision="void", who="somebody else", text="Enough.")["accepted"]
    given = next(record for record in served.records("table/T1") if record.type == "RulingGiven")
    assert msgspec.json.decode(given.data)["who"] == Post.SHIFT_MANAGER.value


# ---------------------------------------------------------------- the socket


def test_every_message_is_listed_and_others_are_refused(served: Served) -> None:
    """A message of an unknown type is answered, and nothing is done."""
    assert set(MESSAGES) == {"watch", "unwatch", "command", "ping"}
    with served.live(Post.PLAYER) as live:
        told = live.ask({"type": "become_administrator", "id": "1"})
        assert (told["accepted"], told["code"]) == (False, "bad_request")


def test_without_a_session_a_socket_shows_links_and_nothing_else(served: Served) -> None:
    """A meter hangs on the wall for everybody; tables, the pit and commands take a session."""
    with served.live() as live:
        for message in ({"type": "watch", "table": "T1"}, {"type": "watch", "pit": True}, {"type": "command"}):
            assert live.ask({**message, "id": "1"})["code"] == "log_in_first"
        live.send({"type": "watch", "link": "main"})
        assert live.receive()["type"] == "link"


@pytest.mark.parametrize("post", Post)
def test_everybody_may_watch(served: Served, post: Post) -> None:
    """Action WATCH is everybody's."""
    assert post in MAY[Action.WATCH]
    with served.live(post) as live:
        for message, kind in (({"table": "T1"}, "table"), ({"link": "main"}, "link"), ({"pit": True}, "pit")):
            live.send({"type": "watch", **message})
            assert live.receive()["type"] == kind


def test_a_page_of_somebody_else_gets_no_session_on_a_socket(served: Served) -> None:
    """A browser sends the cookie along; the page that it comes from has to be ours."""
    cookie = f"{COOKIE}={served.tokens[Post.PLAYER]}"
    for origin, code in (("http://elsewhere.example", "log_in_first"), (f"http://{served.address}", None)):
        with Live(served.address, {"Cookie": cookie, "Origin": origin}) as live:
            live.send({"type": "watch", "table": "T1"})
            assert live.receive().get("code") == code


# ---------------------------------------------------------------- coming in


def log_in(client: httpx.Client, password: str = PASSWORD, name: str = "eve") -> httpx.Response:
    return client.post("/api/login", json={"name": name, "password": password})


def test_a_log_in_sets_a_cookie_that_no_script_and_no_other_page_can_use(served: Served) -> None:
    """HttpOnly, SameSite=Strict, and Secure where the server stands behind HTTPS."""
    with served.http() as client:
        cookie = log_in(client).headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "secure" not in cookie
        assert client.get("/api/me").json()["name"] == "eve"


def test_behind_https_cookies_are_secure(tmp_path_factory: pytest.TempPathFactory) -> None:
    """`secure_cookies` of the settings."""
    settings = Settings(secure_cookies=True, demo=True)
    with Served(tmp_path_factory.mktemp("secure"), settings=settings) as served, served.http() as client:
        assert "secure" in client.post("/api/guest").headers["set-cookie"].lower()


def test_a_cookie_alone_changes_nothing(served: Served) -> None:
    """CSRF: what changes something needs the secret that only our own page knows; the refusal is on the record."""
    with served.http() as client:
        csrf = log_in(client).json()["csrf"]
        step = {"do": "close_bets", "id": f"csrf-{next(_IDS)}"}
        for headers in ({}, {CSRF_HEADER: "wrong"}, {CSRF_HEADER: ""}):
            answer = client.post("/api/tables/T1/commands", json=step, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "csrf")
            assert refusals(served)[-1]["action"] == "csrf"
        answer = client.post("/api/tables/T1/commands", json=step, headers={CSRF_HEADER: csrf})
        assert answer.status_code in (200, 409)


def test_wrong_passwords_lock_the_door_and_are_on_the_record(served: Served) -> None:
    """After five tries the right password does not help either; another name is not concerned."""
    served.run(Doors(served.floor).enrol("mallory", Post.DEALER, PASSWORD))
    before = len(refusals(served))
    with served.http() as client:
        for _ in range(TRIES):
            assert log_in(client, "wrong", "mallory").status_code == 401
        locked = log_in(client, PASSWORD, "mallory")
        assert (locked.status_code, locked.json()["code"]) == (429, "locked_out")
        assert log_in(client).status_code == 200
    noted = refusals(served)[before:]
    assert [(one["person"], one["action"]) for one in noted] == [("mallory", "log_in")] * (TRIES + 1)
    assert noted[-1]["what"] == "locked out"


def test_an_unknown_name_is_answered_like_a_wrong_password(served: Served) -> None:
    """Nobody learns who exists."""
    with served.http() as client:
        unknown, wrong = log_in(client, name="nobody-of-that-name"), log_in(client, "wrong")
        assert (unknown.status_code, unknown.content) == (wrong.status_code, wrong.content)


def test_whoever_has_no_password_cannot_log_in_with_an_empty_one(served: Served) -> None:
    """People enrolled without a password, such as guests, have their session and nothing else."""
    with served.http() as client:
        assert log_in(client, "", Post.AUDITOR.value).status_code == 401


def test_logging_out_ends_the_session_and_its_sockets_at_once(served: Served) -> None:
    """The token is worth nothing any more, and an open socket is closed."""
    with served.http() as client:
        token = log_in(client).json()["token"]
    with served.http() as client:
        client.headers["authorization"] = f"Bearer {token}"
        with Live(served.address, {"Authorization": f"Bearer {token}"}) as live:
            live.send({"type": "watch", "table": "T1"})
            assert live.receive()["type"] == "table"
            assert client.post("/api/logout").status_code == 200
            with pytest.raises(ConnectionClosed) as closed:
                live.ask({"type": "ping"})
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == SIGNED_OUT
        assert client.get("/api/me").status_code == 401


def test_a_stranger_who_asks_who_he_is_is_nobody(served: Served) -> None:
    """A page asks before anybody has logged in, or with a cookie that is worth nothing any more: that is no error."""
    nobody: dict[str, object] = {"name": None, "post": None, "csrf": "", "may": [], "demo": False}
    with served.http() as client:
        assert client.get("/api/me").json() == nobody
        csrf = log_in(client).json()["csrf"]
        assert client.get("/api/me").json()["name"] == "eve"
        cookie = client.cookies[COOKIE]
        assert client.post("/api/logout", headers={CSRF_HEADER: csrf}).status_code == 200
        stale = client.get("/api/me", headers={"cookie": f"{COOKIE}={cookie}"})
        assert (stale.status_code, stale.json()) == (200, nobody)


def test_a_program_with_a_token_that_is_worth_nothing_is_told_to_log_in(served: Served) -> None:
    """It believes that it has a session, so nobody is no answer to it."""
    with served.http() as client:
        answer = client.get("/api/me", headers={"authorization": "Bearer worthless"})
        assert (answer.status_code, answer.json()["code"]) == (401, "log_in_first")


def test_an_administrator_revokes_the_sessions_of_somebody(served: Served) -> None:
    """All of them; and whoever is removed cannot come back."""
    served.run(Doors(served.floor).enrol("victor", Post.DEALER, PASSWORD))
    with served.http() as client, served.http(Post.ADMINISTRATOR) as office:
        client.headers["authorization"] = f"Bearer {log_in(client, name='victor').json()['token']}"
        assert client.get("/api/me").status_code == 200
        assert office.post("/api/people/victor/sign-out").json()["sessions"] == 1
        assert client.get("/api/me").status_code == 401
        assert log_in(client, name="victor").status_code == 200
        assert office.delete("/api/people/victor").status_code == 200
        assert log_in(client, name="victor").status_code == 401
        assert office.delete(f"/api/people/{Post.ADMINISTRATOR.value}").status_code == 409


def closed_with(live: Live) -> int | None:
    """The code with which a connection is closed."""
    with pytest.raises(ConnectionClosed) as closed:
        live.receive(60)
    return None if closed.value.rcvd is None else closed.value.rcvd.code


def test_a_session_ends_by_itself(tmp_path_factory: pytest.TempPathFactory) -> None:
    """After its time it lets nobody in, and the connections that came in with it are closed."""
    settings = Settings(session_hours=5 / 3600)
    with Served(tmp_path_factory.mktemp("hours"), settings=settings) as served:
        token, _ = served.run(Doors(served.floor).open_session(served.person(Post.PLAYER)))
        bearer = {"Authorization": f"Bearer {token}"}
        with Live(served.address, bearer) as live:
            assert closed_with(live) == SIGNED_OUT
        with served.http() as client:
            assert client.get("/api/tables", headers=bearer).status_code == 401


@pytest.mark.parametrize("shift", [-1, 1, 100_000])
def test_nobody_makes_his_session_younger(served: Served, shift: int) -> None:
    """The moment that a token begins with is part of what its hash is taken of."""
    opened, _, secret = served.tokens[Post.PLAYER].partition(".")
    with served.http() as client:
        for forged in (f"{int(opened) + shift}.{secret}", secret, f".{secret}", f"²{opened}.{secret}", f"9e9.{secret}"):
            bearer = {b"authorization": f"Bearer {forged}".encode()}
            assert client.get("/api/tables", headers=bearer).status_code == 401


def test_of_too_many_sessions_the_oldest_are_closed(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that nobody fills the house's memory by logging in."""
    monkeypatch.setattr("croupier.floor.server.doors.SESSIONS_MOST", 3)
    served.run(Doors(served.floor).enrol("walter", Post.DEALER, PASSWORD))
    with served.http() as client, served.http(Post.ADMINISTRATOR) as office:
        tokens = [log_in(client, name="walter").json()["token"] for _ in range(5)]
        client.cookies.clear()
        held = [client.get("/api/me", headers={"authorization": f"Bearer {token}"}).status_code for token in tokens]
        assert held == [401, 401, 200, 200, 200]
        assert {"name": "walter", "post": "dealer", "sessions": 3} in office.get("/api/people").json()


def test_a_program_whose_session_is_over_is_told_so_when_it_comes_back(served: Served) -> None:
    """It shows a token; a page with a cookie of yesterday still shows the meter."""
    with Live(served.address, {"Authorization": "Bearer 1.of-yesterday"}) as live:
        assert closed_with(live) == SIGNED_OUT
    with Live(served.address, {"Cookie": f"{COOKIE}=1.of-yesterday"}) as live:
        live.send({"type": "watch", "link": "main"})
        assert live.receive()["type"] == "link"


def test_nobody_is_called_so_that_his_ids_could_be_anothers(served: Served) -> None:
    """A command's id is kept behind the name of whoever gave it, and a colon."""
    with served.http(Post.ADMINISTRATOR) as office:
        for name, status in (("eve:2", 409), ("eve/2", 409), ("eve.2", 201)):
            new = {"name": name, "post": "player", "password": PASSWORD}
            assert office.post("/api/people", json=new).status_code == status


def test_tokens_and_passwords_are_not_kept(served: Served) -> None:
    """What lies on disk are hashes: neither lets anybody in."""
    with served.http() as client:
        token = log_in(client).json()["token"]
    kept = b"".join(record.data for record in served.records("people"))
    assert token.encode() not in kept
    assert PASSWORD.encode() not in kept


def test_too_many_requests_are_told_to_wait() -> None:
    """Each for himself, and a burst is forgiven."""
    limit = RateLimit(0.001, burst=3)
    assert [limit.allows("ana") for _ in range(5)] == [True, True, True, False, False]
    assert limit.allows("ben")


def test_too_many_log_ins_from_one_address_are_told_to_wait(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever the names."""
    settings = Settings(log_ins_per_minute=3, demo=True)
    with Served(tmp_path_factory.mktemp("limit"), settings=settings) as served, served.http() as client:
        assert [client.post("/api/guest").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
