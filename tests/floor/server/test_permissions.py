"""Who may do what: every route, every socket message and every step at a table against the one declared table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple, get_args

import httpx
import msgspec
import pytest
from litestar import get
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.routes import HTTPRoute, WebSocketRoute
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from croupier.floor.duties.permissions import MATRIX, MAY, PIT, STAFF, Action, Condition, Post
from croupier.floor.people.authorization import ACTIONS
from croupier.floor.people.people import token_hash
from croupier.floor.records.commands import AssignPerson
from croupier.floor.server.app import BUNDLES, make_app
from croupier.floor.server.guard import COOKIE, CSRF_HEADER
from croupier.floor.server.live_connection import SIGNED_OUT
from croupier.floor.server.login.auth import TRIES, Sessions
from croupier.floor.server.quotas import RateLimit
from croupier.floor.server.routes.access.sessions import PAGES
from croupier.floor.server.settings import Settings
from croupier.floor.server.wire.messages import MESSAGES, PUBLIC_MESSAGES, TAKES, AnyMessage
from croupier.floor.server.wire.sessions import Page
from croupier.scripts.parse import _FIELDS
from tests.floor.serving import Live, Served, quiet

PUBLIC = {
    "GET /verify.py",
    *(f"GET {path}" for path in BUNDLES),
    "POST /api/login",
    "POST /api/guest",
    "GET /api/games",
    "GET /api/incidents",
    "GET /api/games/{game:str}",
    "GET /api/games/{game:str}/readings",
    "GET /api/games/{game:str}/against/{other:str}",
    "GET /api/lobby",
    "GET /health",
    "GET /ready",
    "GET /api/checkpoint",
    "GET /api/links/{name:str}/ladder",
    "GET /api/links/{name:str}/hits",
    "GET /metrics",
    "WS /api/live",
    "WS /api/feed/live",
    "GET /api/schema",
    "GET /api/schema/openapi.json",
    "GET /api/me",
    "GET /api/schema/{path:str}",
    "GET /api/schema/openapi.yaml",
}
"""Routes without a lock, each on purpose: a new one fails here until somebody writes it down."""

PASSWORD = "a long password"
_IDS = count(1)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    settings = Settings(requests_per_second=10_000)
    with pytest.MonkeyPatch.context() as patched, Served(tmp_path_factory.mktemp("doors"), settings=settings) as served:
        # Everything is asked within a minute, and every refusal is looked for.
        patched.setattr("croupier.floor.house.refusal_log.KEPT_A_MINUTE", 100_000)
        served.enrol("eve", Post.DEALER, PASSWORD)
        yield served


def doors(served: Served) -> Iterator[tuple[str, str, HTTPRouteHandler | WebsocketRouteHandler]]:
    """Every door of the server: method, path, handler; pages of the browser client are files, not doors."""
    for route in served.app.routes:
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
    """In the OpenAPI description, with a sentence that says what it is for and what it answers; files are not."""
    with served.http() as client:
        paths = client.get("/api/schema/openapi.json").json()["paths"]
    for method, path, _ in doors(served):
        if method == "WS" or path.startswith("/api/schema") or path in ("/verify.py", *BUNDLES):
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
            assert answer.status_code < 500, f"{method} {path}: {answer.text}"
            if refused:
                assert answer.json()["message"] == f"{post.who} may not {action.value.replace('_', ' ')}."
                # A name that nobody has may still be somebody's: it is in no record.
                recorded = address.replace("/people/nobody", "/people/unknown")
                what = {"person": post.value, "action": action.value, "what": f"{method} {recorded}"}
                assert {key: refusals(served)[-1][key] for key in what} == what


ELSEWHERE = "H1"
"""A table in another pit than the one to which staff are assigned here."""


@pytest.mark.parametrize("post", sorted(STAFF))
def test_the_conditions_of_the_matrix_hold_at_every_door(tmp_path: Path, post: Post) -> None:
    """Cell by cell: where the matrix says `assigned`, a person who works in another pit is refused, and on record."""
    tables = {"T1": quiet(), ELSEWHERE: replace(quiet(), pit="high")}
    with Served(tmp_path, tables, settings=Settings(requests_per_second=10_000)) as served, served.http(post) as client:
        served.ask(AssignPerson(name=post.value, by="operator test", pits=("main",)))
        closed = []
        for method, path, handler in doors(served):
            action = handler.opt.get("action")
            if method == "GET" or path == "/api/logout" or not isinstance(action, Action) or post not in MAY[action]:
                continue
            address = path.replace("{name:str}", "main" if "/links/" in path else ELSEWHERE)
            # A route that answers a repeated id first reads its body before it looks at the assignment.
            body = {"id": path} if handler.opt.get("checks_assignment") else {"do": "open", "id": path}
            answer = client.request(method, address.replace("{key:str}", "x"), json=body)
            is_refused = answer.json().get("code") == "not_assigned"
            named = "/tables/{name" in path or "/links/{name" in path
            is_step = path == "/api/tables/{name:str}/commands"
            wanted = named and (is_step or Condition.ASSIGNED in MATRIX[action].conditions)
            assert is_refused == wanted, f"{post} at {method} {path}: {answer.status_code} {answer.text}"
            if is_refused:
                closed.append(path)
                assert answer.status_code == 403
                told = refusals(served)[-1]
                assert (told["person"], told["action"]) == (post.value, "not_assigned")
        assert len(closed) == len(set(closed)) == (23 if post in MAY[Action.OPEN_TABLES] else 14 if post in PIT else 13)
        for do in ACTIONS:
            told = served.step(post, do, ELSEWHERE)
            assert told["code"] == "not_assigned", f"{post}: {do} at {ELSEWHERE}"
            assert served.step(post, do, "T1").get("code") != "not_assigned"


FOREIGN = {
    "GET /api/academy/introductions/{game:str}",
    "POST /api/academy/drills/{key:str}/answer", "POST /api/academy/exams/{key:str}/sittings",
    "GET /api/academy/sittings/{key:str}", "POST /api/academy/sittings/{key:str}/answers",
    "POST /api/academy/sittings/{key:str}/end", "GET /api/academy/sittings/{key:str}/certificate",
    "POST /api/academy/exams/{key:str}/withdraw", "GET /api/academy/exams/{key:str}/results",
    "POST /api/tables/{name:str}/edition", "POST /api/tables/{name:str}/edition/cancel",
    "GET /api/tables/{name:str}", "POST /api/tables/{name:str}/commands", "GET /api/links/{name:str}",
    "POST /api/consents/{key:str}/confirm", "POST /api/consents/{key:str}/decline",
    "POST /api/proposals/{key:str}/sign", "POST /api/proposals/{key:str}/withdraw",
    "POST /api/proposals/{key:str}/decline",
    "POST /api/people/{name:str}/sign-out", "POST /api/people/{name:str}/assign", "DELETE /api/people/{name:str}",
    "POST /api/people/{name:str}/reset", "POST /api/people/{name:str}/second-factor/remove",
    "POST /api/people/{name:str}/erase",
    "GET /api/people/{name:str}/sessions", "DELETE /api/people/{name:str}/sessions/{key:str}",
    "DELETE /api/sessions/{key:str}",
    "GET /api/tables/{name:str}/rounds", "GET /api/tables/{name:str}/rounds/{number:int}",
    "GET /api/tables/{name:str}/rounds/{number:int}/values", "POST /api/tables/{name:str}/buy-in",
    "POST /api/tables/{name:str}/chips-out", "POST /api/tables/{name:str}/colour-change",
    "POST /api/tables/{name:str}/hand-over", "POST /api/tables/{name:str}/award-paid",
    "POST /api/tables/{name:str}/ruling-done", "POST /api/tables/{name:str}/tray-count",
    "GET /api/tables/{name:str}/rounds/{number:int}/record", "GET /api/tables/{name:str}/rounds/{number:int}/receipt",
    "POST /api/tables/{name:str}/terms",
    "POST /api/tables/{name:str}/close", "POST /api/tables/{name:str}/reopen", "POST /api/links/{name:str}/close",
    "POST /api/links/{name:str}/reopen", "POST /api/links/{name:str}/adjust", "POST /api/links/{name:str}/parameters",
    "POST /api/tables/{name:str}/correct", "GET /api/tables/{name:str}/layout", "POST /api/tables/{name:str}/ready",
    "GET /api/tables/{name:str}/procedure", "POST /api/tables/{name:str}/reconstruction",
    "POST /api/tables/{name:str}/preview", "GET /api/tables/{name:str}/practice", "GET /api/tables/{name:str}/edge",
    "POST /api/tables/{name:str}/call", "POST /api/tables/{name:str}/call/answer",
    "GET /api/tables/{name:str}/rounds/{number:int}/dispute-pack", "POST /api/disputes/{key:str}/notes",
    "POST /api/disputes/{key:str}/decide", "POST /api/disputes/{key:str}/close",
}  # fmt: skip
"""Routes whose address holds an id, each asked here with one that is not there: a new one fails until it is listed."""


ASKING = {Post.PLAYER, Post.SHIFT_MANAGER, Post.ADMINISTRATOR, Post.CAGE, Post.DEALER, Post.EXAMINER}
"""Posts that together have every action on something with an id."""
WITH_ID = (
    *("/terms", "/close", "/reopen", "/cancel", "/commands", "/buy-in", "/chips-out", "/colour-change"),
    *("/award-paid", "/ruling-done", "/tray-count", "/answer", "/sittings", "/answers", "/end", "/withdraw"),
)
"""Ends of addresses whose body begins with the id of the command."""


def test_an_id_that_is_not_there_opens_nothing(served: Served, record_property: Callable[[str, object], None]) -> None:
    """Every door with an id in its address, counted: those who may go in find nothing of that id."""
    bodies: dict[str, dict[str, object]] = {
        "/terms": {"limits": {"ante": ["1.00", "2.00"]}}, "/assign": {}, "/correct": {"cards": {}},
        "/commands": {"do": "open"}, "/adjust": {"amount": "1.00", "cause": "A test."},
        "/edition": {"edition": "mbs-megalink-holdem@10", "at": "2030-01-31T06:00:00Z"},
        "/chips-out": {"player": "eve", "amount": "1.00"},
        "/colour-change": {"player": "eve", "amount": "1.00", "chip": "1.00"},
        "/buy-in": {"box": 1, "amount": "1.00"}, "/hand-over": {"to": "eve", "count": "1.00"},
        "/award-paid": {"award": 1}, "/ruling-done": {"ruling": 1}, "/tray-count": {"count": "1.00"},
        "/cancel": {"edition": "mbs-megalink-holdem@10"},
        "/answers": {"number": 0}, "/decline": {"words": "x"},
        "/notes": {"id": "n", "words": "x"}, "/decide": {"id": "d", "outcome": "upheld", "words": "x"},
        "/parameters": {"reset": "1.00", "contribution": "0.10"}, "/preview": {"incident": "late_error"},
    }  # fmt: skip
    asked, cells = set(), 0
    for method, path, handler in doors(served):
        action = handler.opt.get("action")
        if "{" not in path or path == "/api/tables/{name:str}/call/end" or not isinstance(action, Action):
            continue
        address = path.replace("{name:str}", "nobody").replace("{number:int}", "7").replace("{key:str}", "foreign")
        end = path[path.rindex("/") :]
        body = {
            **bodies.get(end, {}),
            **({"id": path} if end in WITH_ID else {}),
        }
        for post in MAY[action] & ASKING:
            with served.http(post) as client:
                answer = client.request(method, address, json=body if method == "POST" else None)
            assert answer.status_code in (404, 409), f"{post} at {method} {path}: {answer.status_code} {answer.text}"
            assert answer.json()["code"].startswith("unknown_"), f"{post} at {method} {path}: {answer.text}"
            cells += 1
        asked.add(f"{method} {path}")
    assert asked == FOREIGN
    record_property("routes with an id", len(asked))
    record_property("unknown ids asked for", cells)
    record_property("escapes", 0)


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
    verified and settlements confirmed by people where scripts have none, and scripts say their terms at the beginning.
    """
    own = {"deal", "turn", "verify_award", "deny_award", "change_terms", "close_table", "reopen_table"}
    own |= {"confirm_acts", "enter_act", "resolve_mispay", "note_mispay"}
    assert set(ACTIONS) == {*_FIELDS, *own}


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
    assert set(MESSAGES) == {
        "watch_table", "watch_pit", "watch_link", "unwatch_table", "unwatch_pit", "unwatch_link", "command", "ping",
    }  # fmt: skip
    assert {*PUBLIC_MESSAGES, *TAKES} == set(get_args(AnyMessage))
    with served.live(Post.PLAYER) as live:
        told = live.ask({"type": "become_administrator", "id": "1"})
        assert (told["accepted"], told["code"]) == (False, "bad_request")


def test_without_a_session_a_socket_shows_links_and_nothing_else(served: Served) -> None:
    """A meter hangs on the wall for everybody; tables, the pit and commands take a session."""
    with served.live() as live:
        command = {"type": "command", "table": "T1", "command": {"do": "open"}}
        for message in ({"type": "watch_table", "table": "T1", "after": 0}, {"type": "watch_pit"}, command):
            assert live.ask({**message, "id": "1"})["code"] == "log_in_first"
        # Fields of another message do not open its door.
        for odd in (
            {"type": "watch_table", "table": "T1", "link": "-", "after": 0},
            {"type": "watch_pit", "pit": True, "link": "-"},
            {"type": "watch", "table": "T1", "link": "-", "after": 0},
            {"type": "watch_link", "link": "main", "table": "T1"},
        ):
            assert live.ask({**odd, "id": "1"})["code"] == "bad_request"
        live.send({"type": "watch_link", "link": "main"})
        assert live.receive()["type"] == "link"


@pytest.mark.parametrize("post", Post)
def test_everybody_may_watch(served: Served, post: Post) -> None:
    """Action WATCH is everybody's; the whole floor is for staff and those who look after them."""
    assert post in MAY[Action.WATCH]
    with served.live(post) as live:
        for message, kind in (({"table": "T1"}, "table"), ({"link": "main"}, "link")):
            live.send({"type": f"watch_{kind}", **message})
            assert live.receive()["type"] == kind
        live.send({"type": "watch_pit", "id": "p"})
        told = live.receive()
        if post in MAY[Action.WATCH_FLOOR]:
            assert told["type"] == "pit"
        else:
            assert (told["type"], told["code"]) == ("answer", "not_allowed")


def test_a_page_of_somebody_else_gets_no_session_on_a_socket(served: Served) -> None:
    """A browser sends the cookie along; the page that it comes from has to be ours."""
    cookie = f"{COOKIE}={served.tokens[Post.PLAYER]}"
    for origin, code in (("http://elsewhere.example", "log_in_first"), (f"http://{served.address}", None)):
        with Live(served.address, {"Cookie": cookie, "Origin": origin}) as live:
            live.send({"type": "watch_table", "table": "T1"})
            assert live.receive().get("code") == code


# ---------------------------------------------------------------- the whole matrix, counted


class Others(NamedTuple):
    """Ids of things that belong to somebody else, for doors that take one."""

    session: str
    consent: str
    proposal: str


@pytest.fixture(scope="module")
def others(served: Served) -> Others:
    """A session and a payment of the player olga, and a proposal of the pit manager."""
    served.run(Sessions(served.floor).enrol("olga", Post.PLAYER, ""))
    token, _ = served.run(Sessions(served.floor).open_session(served.floor.house.shown_people.persons["olga"]))
    consent = served.pay("buy-in", "olga", "50.00").json()["consent"]
    with served.http(Post.PIT_MANAGER) as client:
        wanted = {"amount": "1.00", "cause": "A test."}
        client.post("/api/links/main/close", json={"id": "closed"})
        proposal = client.post("/api/links/main/adjust", json=wanted).json()["id"]
        client.post("/api/links/main/reopen", json={"id": "reopened"})
    return Others(token_hash(token), consent, proposal)


def of_others(others: Others, post: Post | None) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Requests with an id of somebody else: method, address, and with what they may be answered."""
    closed = (401,) if post is None else (403,)
    plays, enrols = post is Post.PLAYER, post is Post.ADMINISTRATOR
    yield "DELETE", f"/api/sessions/{others.session}", (401,) if post is None else (404,)
    for word in ("confirm", "decline"):
        yield "POST", f"/api/consents/{others.consent}/{word}", (404,) if plays else closed
    yield "DELETE", f"/api/people/player/sessions/{others.session}", (404,) if enrols else closed
    if post is not Post.PIT_MANAGER:  # the one who made it
        may = post in MAY[Action.WITHDRAW]
        yield "POST", f"/api/proposals/{others.proposal}/withdraw", (409,) if may else closed
    if post is not Post.SHIFT_MANAGER:  # the one who may sign it
        mine = post is Post.PIT_MANAGER
        yield "POST", f"/api/proposals/{others.proposal}/sign", (409,) if mine else closed


MESSAGE_FIELDS: dict[str, dict[str, object]] = {
    "watch_table": {"table": "T1"}, "unwatch_table": {"table": "T1"}, "watch_link": {"link": "main"},
    "unwatch_link": {"link": "main"}, "watch_pit": {}, "unwatch_pit": {}, "ping": {},
    "command": {"table": "T1", "command": {"do": "report", "incident": "late_error"}},
}  # fmt: skip
"""Every message with what it takes: a new one fails here until it is listed."""


def message_is_closed(kind: str, post: Post | None) -> bool:
    """By the declared table."""
    action = {str(message.__struct_config__.tag): action for message, action in TAKES.items()}.get(kind)
    if action is None:
        return False
    return post is None or post not in MAY[Action.REPORT if kind == "command" else action]


@pytest.mark.parametrize("post", [None, *Post], ids=lambda post: "nobody" if post is None else post.value)
def test_every_cell_of_the_matrix(
    served: Served, others: Others, post: Post | None, record_property: Callable[[str, object], None]
) -> None:
    """Every route, every message, every step at a table and every id of others, asked by every role and by nobody: what
    is declared open is not closed, and what is not declared is closed. The counts stand at the end of the run.
    """
    cells: Counter[str] = Counter()
    with served.http(post) as client, served.live(post) as live:
        for method, path, handler in doors(served):
            if method == "WS" or path == "/api/logout":
                continue
            address = path.replace("{name:str}", "nobody").replace("{number:int}", "1").replace("{key:str}", "x")
            address = re.sub(r"\{\w+:str\}", "x", address)
            answer = client.request(method, address, json={} if method in ("POST", "PUT") else None)
            code = "" if answer.headers["content-type"] != "application/json" else code_of(answer)
            action = handler.opt.get("action")
            if not isinstance(action, Action):
                assert path.startswith("/api/schema") or f"{method} {path}" in PUBLIC
                assert code not in ("not_allowed", "closed"), f"{post} at {method} {path}"
            elif post is None:
                assert (answer.status_code, code) == (401, "log_in_first"), f"{method} {path}"
            else:
                assert (code == "not_allowed") == (post not in MAY[action]), f"{post} at {method} {path}: {answer.text}"
            cells["routes"] += 1
        for kind, fields in MESSAGE_FIELDS.items():
            live.send({"type": kind, "id": kind, **fields})
            live.send({"type": "ping", "id": "after"})
            told = []
            while (one := live.receive()).get("id") != "after":
                told.append(one.get("code"))
            is_closed = bool({"log_in_first", "not_allowed"} & set(told))
            assert is_closed == message_is_closed(kind, post), f"{post}: {kind}"
            cells["messages"] += 1
        for do in ACTIONS:
            code = code_of(client.post("/api/tables/T1/commands", json={"do": do, "id": f"cell-{next(_IDS)}"}))
            sent = {"type": "command", "table": "T1", "id": f"cell-{next(_IDS)}", "command": {"do": do}}
            wanted = post is None or not may_step(post, do)
            for said in (code, live.ask(sent).get("code")):
                assert (said in ("log_in_first", "not_allowed")) == wanted, f"{post}: {do}"
                cells["steps"] += 1
        for method, address, statuses in of_others(others, post):
            answer = client.request(method, address)
            assert answer.status_code in statuses, f"{post} at {method} {address}: {answer.status_code} {answer.text}"
            cells["ids of others"] += 1
    assert set(MESSAGE_FIELDS) == set(MESSAGES)
    for what, number in cells.items():
        record_property(what, number)
    record_property("escapes", 0)


def code_of(answer: httpx.Response) -> str:
    """The code of a refusal; empty where the answer is not one."""
    told = answer.json()
    return str(told.get("code", "")) if isinstance(told, dict) else ""


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
    served.enrol("mallory", Post.DEALER, PASSWORD)
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
            live.send({"type": "watch_table", "table": "T1"})
            assert live.receive()["type"] == "table"
            assert client.post("/api/logout").status_code == 200
            with pytest.raises(ConnectionClosed) as closed:
                live.ask({"type": "ping"})
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == SIGNED_OUT
        assert client.get("/api/me").status_code == 401


@pytest.mark.parametrize("post", Post)
def test_a_session_names_the_pages_that_its_person_may_open(served: Served, post: Post) -> None:
    """Each page goes with one action, so no client keeps a list of its own."""
    with served.http(post) as client:
        told = client.get("/api/me").json()
    assert told["pages"] == [page for page, action in PAGES.items() if post in MAY[action]]
    assert told["home"] in {*told["pages"], "tables", "display"}


def test_every_page_has_its_action() -> None:
    """A page of the wire that nobody decided about would be closed to everybody."""
    assert set(PAGES) == set(Page)


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
    served.enrol("victor", Post.DEALER, PASSWORD)
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
        live.receive()
    return None if closed.value.rcvd is None else closed.value.rcvd.code


def test_a_session_ends_by_itself(tmp_path_factory: pytest.TempPathFactory) -> None:
    """After its time it lets nobody in, and the connections that came in with it are closed."""
    settings = Settings(session_hours=5 / 3600)
    with Served(tmp_path_factory.mktemp("hours"), settings=settings) as served:
        token, _ = served.run(Sessions(served.floor).open_session(served.person(Post.PLAYER)))
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
    monkeypatch.setattr("croupier.floor.server.login.auth.SESSIONS_MOST", 3)
    served.enrol("walter", Post.DEALER, PASSWORD)
    with served.http() as client, served.http(Post.ADMINISTRATOR) as office:
        tokens = [log_in(client, name="walter").json()["token"] for _ in range(5)]
        client.cookies.clear()
        held = [client.get("/api/me", headers={"authorization": f"Bearer {token}"}).status_code for token in tokens]
        assert held == [401, 401, 200, 200, 200]
        known = {person["name"]: person for person in office.get("/api/people").json()}
        assert (known["walter"]["post"], known["walter"]["sessions"]) == ("dealer", 3)


def test_a_program_whose_session_is_over_is_told_so_when_it_comes_back(served: Served) -> None:
    """It shows a token; a page with a cookie of yesterday still shows the meter."""
    with Live(served.address, {"Authorization": "Bearer 1.of-yesterday"}) as live:
        assert closed_with(live) == SIGNED_OUT
    with Live(served.address, {"Cookie": f"{COOKIE}=1.of-yesterday"}) as live:
        live.send({"type": "watch_link", "link": "main"})
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
