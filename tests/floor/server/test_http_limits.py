"""What every connection meets before the doors: headers, lengths, times, and pages of somebody else."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from litestar.routes import HTTPRoute
from websockets.exceptions import ConnectionClosed

from croupier.floor.duties.permissions import MAY, Action, Post
from croupier.floor.house.writer import HouseStopped
from croupier.floor.server import http_limits
from croupier.floor.server.app import is_client_built
from croupier.floor.server.guard import COOKIE, CSRF_HEADER, is_our_own_page, query_names
from croupier.floor.server.http_limits import BEHIND_HTTPS, FILES_OF_OUR_OWN, HEADERS, LONGEST_BODY, PromptRequests
from croupier.floor.server.settings import BadSettings, Settings, read_links
from tests.floor.serving import Served
from tests.patience import PATIENCE

PASSWORD = "a long password"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    settings = Settings(requests_per_second=10_000, demo=True)
    with Served(tmp_path_factory.mktemp("threshold"), settings=settings) as served:
        served.enrol("eve", Post.DEALER, PASSWORD)
        yield served


# ---------------------------------------------------------------- headers


@pytest.mark.parametrize("path", ["/", "/app.js", "/health", "/api/me", "/api/tables", "/api/nowhere", "/nowhere"])
def test_every_answer_carries_our_headers(served: Served, path: str) -> None:
    """Pages and errors too: it is the page that somebody would frame, and a script in it that would do harm."""
    with served.http() as client:
        answer = client.get(path)
    if path in ("/", "/app.js"):
        assert answer.status_code == (200 if is_client_built() else 404)
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value]
    assert "strict-transport-security" not in answer.headers
    assert "server" not in answer.headers


def test_nothing_that_somebody_was_told_is_kept_by_a_browser(served: Served) -> None:
    """Files that are asked for by their hash are kept, since another version has another hash."""
    with served.http(Post.PLAYER) as client:
        assert client.get("/api/me").headers["cache-control"] == "no-store"
        assert client.post("/api/guest").headers["cache-control"] == "no-store"
        assert client.get("/").headers["cache-control"] == "no-cache"
        assert client.get("/nowhere.js?1").headers["cache-control"] == "no-cache"
        if is_client_built():
            assert "immutable" in client.get("/app.js?0123456789ab").headers["cache-control"]
            for path in ("/?x", "/?0123456789ab", "/index.html?x", "/app.js", "/app.js?1"):
                assert client.get(path).headers["cache-control"] == "no-cache", path


def test_behind_https_browsers_are_told_to_stay_there(tmp_path_factory: pytest.TempPathFactory) -> None:
    """`secure_cookies` says that the server stands behind HTTPS."""
    with Served(tmp_path_factory.mktemp("https"), settings=Settings(secure_cookies=True)) as served:
        with served.http() as client:
            answer = client.get("/health")
        assert {name: answer.headers[name] for name in BEHIND_HTTPS} == BEHIND_HTTPS


def test_whoever_asks_for_the_headers_alone_gets_them(served: Served) -> None:
    """Monitors ask so."""
    with served.http() as client:
        whole, head = client.get("/ready"), client.head("/ready")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == str(len(whole.content))


# ---------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize("path", ["/index.html%00.py", "/api/tables/T1%0a", "/%1b[2J"])
def test_an_address_with_unprintable_characters_leads_nowhere(served: Served, path: str) -> None:
    """It is nobody's name, and it would make a mess of a log."""
    with served.http(Post.PLAYER) as client:
        answer = client.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_address")


@pytest.mark.parametrize("path", ["/..%2f..%2fapp.py", "/%2e%2e/%2e%2e/app.py", "/..%5capp.py", "/%2fetc%2fpasswd"])
def test_no_address_leads_out_of_the_pages(served: Served, path: str) -> None:
    """However it is written."""
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as plain:
        plain.sendall(f"GET {path} HTTP/1.1\r\nHost: {served.address}\r\nConnection: close\r\n\r\n".encode())
        assert b" 404 " in plain.makefile("rb").readline()


def test_a_request_that_gives_its_length_in_two_ways_ends_the_connection(served: Served) -> None:
    """Another request behind it is not answered, whoever a proxy took it for."""
    twice = "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"
    asked = f"POST /api/login HTTP/1.1\r\nHost: {served.address}\r\n{twice}\r\n0\r\n\r\n"
    behind = f"GET /health HTTP/1.1\r\nHost: {served.address}\r\n\r\n"
    with raw(served) as plain:
        plain.sendall((asked + behind).encode())
        told = plain.makefile("rb").read()
    assert told.startswith(b"HTTP/1.1 400 ")
    assert told.endswith(b"A request gives its length once.")


def test_a_request_that_is_nested_without_end_is_refused(served: Served) -> None:
    """As one that makes no sense, not as a fault of ours."""
    body = b'{"id": "deep", "do": ' + b"[" * 20_000 + b"]" * 20_000 + b"}"
    with served.http(Post.PLAYER) as client:
        answer = client.post("/api/tables/T1/commands", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


FILLED = {
    "key": "1",
    "name": "T1",
    "number": "1",
    "game": "sun-casino-holdem",
    "other": "rws-multilink-holdem",
    "path": "-",
}
POSTS = (Post.PLAYER, Post.SHIFT_MANAGER, Post.ADMINISTRATOR, Post.CAGE, Post.AUDITOR, Post.EXAMINER)
"""Together they may ask everything."""


def test_an_unknown_query_parameter_is_refused_at_every_address(served: Served) -> None:
    """One misspelt would be ignored, and more found than was asked for. The sentence names it and the known ones; the
    client's own files may have anything behind the question mark.
    """
    asked = 0
    for route in served.app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            if "GET" not in handler.http_methods or handler.opt.get("any_query"):
                continue
            path = re.sub(r"\{(\w+):\w+\}", lambda place: FILLED[place[1]], route.path)
            action = handler.opt.get("action")
            post = next(post for post in POSTS if not isinstance(action, Action) or post in MAY[action])
            with served.http(post) as client:
                answer = client.get(f"{path}?playr=ana&limit=1")
            assert answer.status_code == 400, path
            known = query_names(handler)
            takes = f"takes {', '.join(known)}" if known else "takes no query parameters"
            assert answer.json()["message"] == f'Unknown query parameter "playr": this address {takes}.'
            asked += 1
    assert asked > 25
    with served.http() as client:
        assert client.get("/nowhere.js?anything").json()["code"] == "unknown_address"


@pytest.mark.parametrize("query", ["limt=5", "since=2024-05-01&untill=2024-05-02", "LIMIT=5", "limit=5&=", "%6Cimt"])
def test_a_misspelt_search_is_refused(served: Served, query: str) -> None:
    """Wherever in the address it stands, and however it is written; after the session was looked at."""
    with served.http(Post.AUDITOR) as client:
        answer = client.get(f"/api/rounds?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
        assert client.get("/api/rounds?%6Cimit=5").status_code == 200
    with served.http() as stranger:
        assert stranger.get(f"/api/rounds?{query}").status_code == 401


def test_a_change_takes_no_query_parameters(served: Served) -> None:
    """What is to be changed stands in the body."""
    with served.http(Post.DEALER) as client:
        answer = client.post("/api/tables/T1/commands?do=open", json={"id": "q1", "do": "open"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_a_request_without_a_body_is_told_so(served: Served) -> None:
    """In our words."""
    with served.http(Post.PLAYER) as client:
        answer = client.post("/api/tables/T1/commands")
    assert answer.status_code == 400
    assert answer.json()["message"] == "The request is wrong: it has no body."


def test_what_is_too_long_is_not_read(served: Served) -> None:
    """A request is refused; on a socket, where it cannot be read to its end, the connection is closed."""
    with served.http() as client:
        answer = client.post("/api/login", content=b"x" * (LONGEST_BODY + 1))
        assert (answer.status_code, answer.json()["code"]) == (413, "too_long")
    with served.live() as live:
        live.send("x" * LONGEST_BODY)
        with pytest.raises(ConnectionClosed) as closed:
            live.receive(PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_a_command_whose_commit_failed_is_to_be_sent_again(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is on disk is not certain, so nobody says that nothing was done."""

    async def stopped(*_: object) -> None:
        raise HouseStopped("the disk is full")

    monkeypatch.setattr(served.floor, "ask", stopped)
    sent = {"id": "s1", "do": "bet", "box": 1, "bet": "ante", "amount": "25.00"}
    with served.http(Post.PLAYER) as client:
        answer = client.post("/api/tables/T1/commands", json=sent)
    assert (answer.status_code, answer.json()["code"]) == (503, "stopped")
    assert "same id" in answer.json()["message"]
    assert "disk" not in answer.text


# ---------------------------------------------------------------- pages of somebody else


def test_nobody_is_logged_in_by_a_page_of_somebody_else(served: Served) -> None:
    """A form on any page could send this without asking, and what one then does would be done as somebody else."""
    form = {"origin": "https://evil.example", "content-type": "text/plain"}
    with served.http() as client:
        for door in ("/api/login", "/api/guest"):
            answer = client.post(door, content=f'{{"name": "eve", "password": "{PASSWORD}"}}', headers=form)
            assert (answer.status_code, answer.json()["code"]) == (403, "csrf")
            assert not answer.cookies
        ours = client.post(
            "/api/login",
            json={"name": "eve", "password": PASSWORD},
            headers={"origin": f"http://{served.address}"},
        )
        assert ours.status_code == 200


def test_a_page_of_somebody_else_does_nothing_with_a_cookie(served: Served) -> None:
    """Not even with the CSRF secret; a program that shows its token is no page."""
    with served.client({}) as client:
        told = client.post("/api/login", json={"name": "eve", "password": PASSWORD}).json()
        assert COOKIE in client.cookies
        evil = {"origin": "https://evil.example", CSRF_HEADER: told["csrf"]}
        assert client.post("/api/logout", headers=evil).json()["code"] == "csrf"
        assert client.post("/api/logout", headers={**evil, "origin": "null"}).json()["code"] == "csrf"
        assert client.get("/api/me").json()["name"] == "eve"
        bearer = {"origin": "https://evil.example", "authorization": f"Bearer {told['token']}"}
        assert client.post("/api/logout", headers=bearer).status_code == 200


# ---------------------------------------------------------------- who takes up room


def raw(served: Served, *, unread: bool = False) -> socket.socket:
    """A connection by hand."""
    plain = socket.socket()
    if unread:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    plain.settimeout(PATIENCE)
    plain.connect(("127.0.0.1", served.port))
    return plain


def hello(served: Served, plain: socket.socket, token: str = "") -> None:
    """The beginning of a live connection."""
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    asked = (
        f"GET /api/live HTTP/1.1\r\nHost: {served.address}\r\n{bearer}Upgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    plain.sendall(asked.encode())
    assert b"101" in plain.recv(12)


def frame(opcode: int, data: bytes) -> bytes:
    """A short frame of a client, masked with zeros."""
    return bytes([0x80 | opcode, 0x80 | len(data), 0, 0, 0, 0]) + data


def test_whoever_pings_and_never_reads_is_disconnected(served: Served) -> None:
    """Without a session, too: what is to be sent to him is not piled up."""
    with raw(served, unread=True) as deaf:
        hello(served, deaf)
        with pytest.raises(ConnectionError):
            deaf.sendall(frame(9, b"x" * 125) * 1_000_000)


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{",
        b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    ],
)
def test_a_request_that_trickles_in_is_given_up(served: Served, monkeypatch: pytest.MonkeyPatch, begun: bytes) -> None:
    """Nobody holds a connection by saying half of what he wants, letter by letter."""
    monkeypatch.setattr(http_limits, "ASKED_WITHIN", 0.5)
    with raw(served) as slow:
        slow.sendall(begun)
        slow.settimeout(0.1)
        until = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < until, "it is still connected"
            try:
                if begun:
                    slow.sendall(b"a")
                if not slow.recv(4096):
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break


def test_a_request_that_is_whole_and_a_live_connection_take_the_time_they_need(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what is half said is given up."""
    monkeypatch.setattr(http_limits, "ASKED_WITHIN", 0.2)
    with served.live() as live:
        time.sleep(1.0)  # five times as long as a request may take
        assert live.ask({"type": "ping", "id": "p"}) == {"type": "pong", "id": "p"}


def test_when_the_house_is_full_nobody_more_comes_in_and_nobody_inside_notices(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And when somebody has left there is room again."""
    with contextlib.ExitStack() as inside, served.live() as live:
        assert live.ask({"type": "ping", "id": "in"})["type"] == "pong"
        monkeypatch.setattr(PromptRequests, "room", len(served.server.server_state.connections) + 2)
        for _ in range(2):
            inside.enter_context(raw(served))
        with raw(served) as outside, contextlib.suppress(ConnectionError):
            assert outside.recv(1) == b""
        assert live.ask({"type": "ping", "id": "still in"})["type"] == "pong"
        inside.close()
        until = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(httpx.TransportError), served.http() as client:
                assert client.get("/health").status_code == 200
                break
            assert time.monotonic() < until, "nobody is let in any more"
            time.sleep(0.05)


@pytest.mark.skipif(sys.platform == "win32", reason="other systems have no such limit")
def test_a_server_takes_as_many_connections_as_the_system_lets_it() -> None:
    """A shell allows a process few files unless it asks for more."""
    check = (
        "import resource\n"
        "from croupier.floor.server.http_limits import room_for_connections\n"
        "most = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 4000)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (150, most))\n"
        "print(most, room_for_connections(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    most, room, files = map(int, done.stdout.split())
    assert (room, files) == (most - FILES_OF_OUR_OWN, most)


def test_a_live_connection_that_is_gone_is_not_kept_for_what_it_has_not_read(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who neither reads nor answers is not waited for, however much is on its way to him."""
    monkeypatch.setattr(served.server.config, "ws_ping_interval", 1.0)
    monkeypatch.setattr(served.server.config, "ws_ping_timeout", 1.0)
    before = served.floor.watching
    with raw(served, unread=True) as deaf:
        hello(served, deaf, served.tokens[Post.PLAYER])
        for ours in served.server.server_state.connections:
            # So that little is on its way in the machine, and the rest in our hands.
            ours.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        until = time.monotonic() + PATIENCE
        deaf.settimeout(1.0)
        try:
            while time.monotonic() < until:
                deaf.sendall(frame(1, b'{"type": "watch_table", "table": "T1"}') * 100)
        except (TimeoutError, ConnectionError):
            pass
        while served.floor.watching > before:
            assert time.monotonic() < until, "he is still watching"
            time.sleep(0.05)


# ---------------------------------------------------------------- requests that were faults once


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/tables/T1/commands", b'{"id":"\xff\xfe"}', 400),
        ("/api/login", b'{"name":"\xff"}', 400),
        ("/api/links", '{"id":"x","name":"l","meter":"1.00","reset":"1.00","contribution":"²"}'.encode(), 400),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(tmp_path: Path, path: str, body: bytes, status: int) -> None:
    """Bytes that are not UTF-8, digits that are not ASCII."""
    with Served(tmp_path) as served, served.http(Post.SHIFT_MANAGER) as client:
        told = client.post(path, content=body, headers={"content-type": "application/json"})
        assert (told.status_code, told.json()["code"]) == (status, "bad_request")


@pytest.mark.parametrize("path", ["/api/tables/" + "a" * 256, "/" + "a" * 256, "/assets/" + "a" * 3000])
def test_a_name_longer_than_any_file_leads_nowhere(tmp_path: Path, path: str) -> None:
    with Served(tmp_path) as served, served.http(Post.PLAYER) as client:
        assert client.get(path).status_code == 404


def test_a_page_whose_origin_is_no_address_is_not_ours() -> None:
    """A bracket that never closes."""
    assert not is_our_own_page({"origin": "http://[::1", "host": "127.0.0.1"})


@pytest.mark.parametrize("path", ["/ready", "/health", "/metrics"])
def test_nobody_keeps_what_tells_of_this_moment(tmp_path: Path, path: str) -> None:
    with Served(tmp_path) as served, served.http(Post.PLAYER) as client:
        assert client.get(path).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("number", ["１", "٣", "+1", "1_0", "01", " 1", "²", "1e0"])
def test_a_number_in_an_address_is_written_with_its_own_digits(served: Served, number: str) -> None:
    """So that each round has one address, and digits of other scripts are not numbers."""
    with served.http(Post.AUDITOR) as client:
        answer = client.get(f"/api/tables/T1/rounds/{number}")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_address")
        assert client.get("/api/tables/T1/rounds/7").json()["code"] == "unknown_round"


@pytest.mark.parametrize("share", ["0.", ".2", "²", "0.²", "٠.٢", "+0.2", "0.2_0", "1.1", "1e-1", "0." + "1" * 10, ""])
def test_a_share_is_written_with_plain_digits(share: str) -> None:
    """And is not finer than a billionth, so that no meter counts in parts without end."""
    with pytest.raises(BadSettings):
        read_links([{"name": "l", "meter": "1.00", "reset": "1.00", "contribution": share}])
