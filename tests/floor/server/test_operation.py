"""Operation: health, readiness, figures, logs, settings, a clear word where something is wrong, and a quick stop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect as connected
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.cards import DECK
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.live.watcher import UNREAD, Watcher
from croupier.floor.records.commands import Answer, Request
from croupier.floor.records.refusals import Code
from croupier.floor.server.process.serve import _started
from croupier.floor.server.process.startup import in_words
from croupier.floor.server.settings import BadSettings, read_settings
from croupier.money import money, show
from tests.floor.server.test_client import free_port, serve
from tests.floor.serving import HeldLine, Served
from tests.patience import PATIENCE

DOCS = Path(__file__).parents[3] / "docs"


# ---------------------------------------------------------------- slow watchers


def test_a_slow_watcher_gets_the_latest_state_instead_of_holding_others_up() -> None:
    """Nothing waits for it but its answers; then the state of each topic that it missed, once."""

    async def watch() -> list[bytes]:
        line = HeldLine(room=3)
        watcher = Watcher(None, line)
        watcher.fresh = lambda topic: f"fresh {topic}".encode()
        for number in range(500):
            watcher.put("table/T1", f"T1 {number}".encode())
        watcher.put("link/main", b"main")
        watcher.answer(b"an answer")
        line.room = 2
        watcher.catch_up()
        watcher.put("link/main", b"main again")
        line.room = 10
        watcher.catch_up()
        watcher.put("table/T1", b"T1 500")
        return line.sent

    got = asyncio.run(watch())
    assert got[:5] == [b"T1 0", b"T1 1", b"T1 2", b"an answer", b"fresh table/T1"]
    assert got[5:] == [b"fresh link/main", b"T1 500"]


def test_whoever_asks_and_never_reads_is_disconnected() -> None:
    """The answers do not fill the memory."""

    async def ask() -> bool:
        watcher = Watcher(None, HeldLine(room=0))
        for _ in range(UNREAD + 1):
            watcher.answer(b"x")
        return watcher.closed

    assert asyncio.run(ask())


def test_a_watcher_who_does_not_read_does_not_hold_up_the_table(tmp_path: Path) -> None:
    """His socket is full; the dealer's commands are answered all the same."""
    with Served(tmp_path) as served, socket.create_connection(("127.0.0.1", served.port)) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        token = served.tokens[Post.PLAYER]
        say_hello(deaf, served.address, token)
        say(deaf, b'{"type":"watch_table","table":"T1"}')
        for _ in range(40):
            for _ in range(20):
                served.run(publish(served, "table/T1"))
            started = time.monotonic()
            served.step(Post.DEALER, "open")
            assert time.monotonic() - started < PATIENCE / 10


def test_whoever_unwatches_hears_no_more_of_it(tmp_path: Path) -> None:
    """Of the table, the link and the pit, each by itself; the others go on."""
    with Served(tmp_path) as served, served.live(Post.PIT_SUPERVISOR) as live:
        assert served.step(Post.DEALER, "open")["accepted"]
        topics: dict[str, dict[str, str]] = {"table": {"table": "T1"}, "link": {"link": "main"}, "pit": {}}
        for kind, watched in topics.items():
            live.send({"type": f"watch_{kind}", **watched})
            assert live.receive()["type"] == kind
        followed = {"patch", "link", "pit"}

        def moves(box: int) -> None:
            assert served.step(Post.PLAYER, "bet", box=box, bet="ante", amount="25.00")["accepted"]
            served.run(publish(served, "link/main"))

        for box, (kind, watched) in enumerate(topics.items(), start=1):
            moves(box)
            assert {live.receive()["type"] for _ in followed} == followed
            live.send({"type": f"unwatch_{kind}", **watched})
            assert live.ask({"type": "ping", "id": kind})["type"] == "pong"
            followed.discard("patch" if kind == "table" else kind)
        moves(4)
        live.send({"type": "ping", "id": "after"})
        assert live.receive() == {"type": "pong", "id": "after"}


def test_what_did_not_change_is_not_sent(tmp_path: Path) -> None:
    """A table or a line of the floor that stands as before costs its followers nothing."""
    with Served(tmp_path) as served, served.live(Post.PIT_SUPERVISOR) as live:
        for kind, watched in (("table", {"table": "T1"}), ("pit", {})):
            live.send({"type": f"watch_{kind}", **watched})
            assert live.receive()["type"] == kind
        served.run(publish(served, "table/T1", "pit/T1", "table/T1", "pit/T1"))
        live.send({"type": "ping", "id": "after"})
        assert live.receive() == {"type": "pong", "id": "after"}


def test_what_the_cashier_books_shows_on_the_players_own_screens(tmp_path: Path) -> None:
    """And on nobody else's."""
    with Served(tmp_path) as served, served.live(Post.PLAYER) as own, served.live(Post.DEALER) as other:
        name = served.person(Post.PLAYER).name
        held = served.floor.house.balances[f"player/{name}"]
        for live in (own, other):
            assert live.ask({"type": "ping", "id": "here"})["type"] == "pong"
        sold = served.pay("buy-in", name, "25.00")
        told = own.receive()
        assert (told["type"], told["balance"]) == ("account", show(held))
        asked = msgspec.convert(told["consents"], list[dict[str, object]])[0]
        assert (asked["kind"], asked["amount"], asked["by"], asked["state"]) == ("buy_in", "25.00", "cage", "waiting")
        assert served.confirm(sold).json()["accepted"]
        while (told := own.receive())["balance"] != show(held + money("25.00")) or told["consents"]:
            assert told["type"] == "account"
        while own.ask({"type": "ping", "id": "drained"})["type"] != "pong":
            pass
        for live in (own, other):
            live.send({"type": "ping", "id": "after"})
            assert live.receive() == {"type": "pong", "id": "after"}


def test_who_has_left_follows_nothing(tmp_path: Path) -> None:
    """Also when what he asked for comes only after he has gone."""
    with Served(tmp_path) as served:

        async def come_and_go() -> tuple[set[str], int]:
            watcher, before, broadcast = Watcher(None, HeldLine(room=9)), served.floor.watching, served.floor.broadcast
            broadcast.join(watcher)
            broadcast.follow(watcher, "link/main")
            broadcast.leave(watcher)
            broadcast.follow(watcher, "link/main")
            broadcast.publish("link/main")
            return watcher.follows, served.floor.watching - before

        assert served.run(come_and_go()) == (set(), 0)


def say_hello(deaf: socket.socket, address: str, token: str) -> None:
    """The beginning of a live connection, by hand."""
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    hello = (
        f"GET /api/live HTTP/1.1\r\nHost: {address}\r\n{bearer}Upgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    deaf.sendall(hello.encode())
    assert b"101" in deaf.recv(200)


def say(deaf: socket.socket, frame: bytes) -> None:
    deaf.sendall(bytes([0x81, 0x80 | len(frame), 0, 0, 0, 0]) + frame)


async def publish(served: Served, *topics: str) -> None:
    for topic in topics:
        served.floor.broadcast.publish(topic)


# ---------------------------------------------------------------- health, readiness, figures


def test_health_readiness_and_figures(tmp_path: Path) -> None:
    """For a machine that asks: alive, taking commands, and how much of what."""
    with Served(tmp_path) as served, served.http() as client:
        assert client.get("/health").json()["status"] == "ok"
        assert client.get("/ready").json() == {"status": "ready", "tables": 1, "alarms": {}}
        served.step(Post.DEALER, "open")
        figures = client.get("/metrics").text
        assert 'croupier_tables{stage="betting"} 1' in figures
        assert 'croupier_meter_cents{link="main"} 500000' in figures
        served.floor.failure = RuntimeError("the disk is full")
        assert client.get("/ready").status_code == 503
        assert client.get("/health").status_code == 200
        served.floor.failure = None


def test_a_fault_of_ours_tells_nothing_of_what_it_was_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of an exception may hold a card: whoever asked hears that it was our fault, and 500."""

    def faulty(house: House, requests: list[Request]) -> list[Answer]:
        return [Answer(accepted=False, code=Code.FAULT.value, message="KeyError: 'Ah'") for _ in requests]

    with Served(tmp_path) as served:
        monkeypatch.setattr(House, "process", faulty)
        with served.http(Post.DEALER) as client:
            answer = client.post("/api/tables/T1/commands", json={"do": "open", "id": "1"})
            assert answer.status_code == 500
            assert "Ah" not in answer.text
        monkeypatch.undo()


# ---------------------------------------------------------------- settings


def test_the_examples_work() -> None:
    """One file and one environment."""
    settings = read_settings(DOCS / "example-config.toml", {})
    assert [table.table for table in settings.tables] == ["Orchid", "Felt"]
    told = dict(re.findall(r"^export (\w+)=(.*)$", (DOCS / "example-environment.sh").read_text(), re.MULTILINE))
    settings = read_settings(DOCS / "example-config.toml", told)
    assert (settings.port, settings.secure_cookies, settings.log_json) == (8080, True, True)
    assert read_settings(DOCS / "example-config.toml", told, port=9).port == 9


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("port = 'x'", "port"),
        ("prot = 1", "prot"),
        ("port = 0", "port"),
        ("port = 70000", "port"),
        ("requests_per_second = 0", "requests_per_second"),
        ("log_ins_per_minute = nan", "log_ins_per_minute"),
        ("session_hours = -1", "session_hours"),
        ("[[tables]]\ngame = 'x'", "name"),
        ("[[tables]]\nname = 'T'\ngame = 'sun-casino-holdem'\nlimit = 3", "limit"),
        ("[[tables]]\nname = 'T'\ngame = 'sun-casino-holdem'\nlimits = {ante = ['x', '1.00']}", "tables.T"),
        ("[[links]]\nname = 'L'\nmeter = '1'\nreset = '1.00'", "links.L"),
        ("[[links]]\nname = 'L'\nmeter = '1.00'\nreset = '1.00'\ncontribution = 'much'", "much"),
        ("tables = 3", "tables"),
        ("no toml", "house.toml"),
    ],
)
def test_a_wrong_setting_is_named(text: str, names: str, tmp_path: Path) -> None:
    """In one sentence."""
    (tmp_path / "house.toml").write_text(text)
    with pytest.raises(BadSettings, match=re.escape(names)):
        read_settings(tmp_path / "house.toml", {})


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("CROUPIER_PORT", "abc", "'abc' is not a port from 1 to 65535."),
        ("CROUPIER_SECURE_COOKIES", "yes", "'yes' is neither true nor false."),
        ("CROUPIER_SESSION_HOURS", "-1", "'-1' is not a number above 0."),
    ],
)
def test_a_wrong_setting_of_the_environment_is_named_as_it_stands_there(name: str, value: str, says: str) -> None:
    """Whoever set it looks for that name, and for words that he knows."""
    with pytest.raises(BadSettings, match=re.escape(f"{name}: {says}")):
        read_settings(DOCS / "example-config.toml", {name: value})


def run_serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "croupier", "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def is_one_clear_line(done: subprocess.CompletedProcess[str], about: str) -> bool:
    return done.returncode == 2 and done.stderr.count("\n") == 1 and about in done.stderr


def test_bad_input_is_one_clear_line(tmp_path: Path) -> None:
    """Exit code 2: a port in use, a wrong file, a database that is another's or none."""
    database = f"sqlite:///{tmp_path / 'house.db'}"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert is_one_clear_line(run_serve("--database", database, "--port", port), port)
    (tmp_path / "house.toml").write_text("port = 'x'")
    assert is_one_clear_line(run_serve("--config", str(tmp_path / "house.toml")), "port")
    assert is_one_clear_line(run_serve("--config", str(tmp_path / "nothing.toml")), "nothing.toml")
    assert is_one_clear_line(run_serve("--database", "mysql://x"), "mysql")
    (tmp_path / "other.db").write_text("this is no database, but a text that is long enough to be looked at")
    assert is_one_clear_line(run_serve("--database", f"sqlite:///{tmp_path / 'other.db'}"), "other.db")
    assert is_one_clear_line(run_serve("--host", "no.such.host.invalid", "--database", database), "no.such.host")


# ---------------------------------------------------------------- a running server


def test_a_server_stops_quickly_and_its_logs_hold_no_card_and_no_secret(tmp_path: Path) -> None:
    """With live connections open; every line of its log is JSON."""
    (tmp_path / "house.toml").write_text(
        'demo = true\nlog_json = true\n[[tables]]\nname = "T1"\ngame = "sun-casino-holdem"\nbetting_seconds = 1\n'
        "deciding_seconds = 2\npause_seconds = 1\n"
    )
    port = free_port()
    server = serve(tmp_path, port)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
            token = client.post("/api/guest").json()["token"]
            client.post("/api/login", json={"name": "admin", "password": "a secret word"})
            again = run_serve("--database", f"sqlite:///{tmp_path / 'house.db'}", "--port", str(free_port()))
            assert is_one_clear_line(again, "in use")
            bearer = {"Authorization": f"Bearer {token}"}
            with connect(f"ws://127.0.0.1:{port}/api/live", additional_headers=bearer) as live:
                live.send('{"type":"watch_table","table":"T1"}')
                until = time.monotonic() + 8
                while time.monotonic() < until:
                    live.recv(timeout=PATIENCE)
                server.send_signal(signal.SIGTERM)
                assert server.wait(PATIENCE) == 0
    finally:
        server.kill()
        server.wait()
    lines = (tmp_path / "errors").read_text().splitlines()
    assert [json.loads(line)["path"] for line in lines if '"path"' in line]
    for line in lines:
        told = json.loads(line)
        assert told.keys() >= {"at", "level", "message"}
        assert token not in line
        assert "a secret word" not in line
        words = re.findall(r"\w+", line)
        assert not any(card in words for card in DECK)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_told_to_stop_has_nothing_to_complain_of(number: signal.Signals, tmp_path: Path) -> None:
    """Ctrl-C no more than a supervisor's signal: browsers are told to come back, and no line is an error."""
    (tmp_path / "house.toml").write_text(
        'demo = true\nlog_json = true\n[[tables]]\nname = "T1"\ngame = "sun-casino-holdem"\n'
    )
    port = free_port()
    server = serve(tmp_path, port)
    try:
        with connect(f"ws://127.0.0.1:{port}/api/live") as live:
            live.send('{"type":"ping"}')
            live.recv(timeout=PATIENCE)
            server.send_signal(number)
            with pytest.raises(ConnectionClosed) as closed:
                live.recv(timeout=PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        assert server.wait(PATIENCE) == 0
    finally:
        server.kill()
        server.wait()
    lines = (tmp_path / "errors").read_text().splitlines()
    assert not [line for line in lines if json.loads(line)["level"] not in ("debug", "info")]


def test_a_server_stops_whoever_is_connected_and_does_not_read(tmp_path: Path) -> None:
    """A thousand idle connections, and one that is deaf and has its socket full: they do not hold the server."""
    (tmp_path / "house.toml").write_text(
        'demo = true\nlog_json = true\nrequests_per_second = 1000000\n[[tables]]\nname = "T1"\n'
        'game = "sun-casino-holdem"\n'
    )
    port = free_port()
    server = serve(tmp_path, port)

    async def hold() -> int:
        async with contextlib.AsyncExitStack() as held:
            for _ in range(1000):
                await held.enter_async_context(connected(f"ws://127.0.0.1:{port}/api/live", open_timeout=PATIENCE))
            with socket.create_connection(("127.0.0.1", port)) as deaf:
                say_hello(deaf, f"127.0.0.1:{port}", "")
                for _ in range(2000):
                    say(deaf, b'{"type":"watch_link","link":"nobody"}')
                server.send_signal(signal.SIGTERM)
                return await asyncio.to_thread(server.wait, 60)

    try:
        assert asyncio.run(hold()) == 0
    finally:
        server.kill()
        server.wait()


def test_a_thread_that_does_not_end_does_not_hold_the_server() -> None:
    """Somebody searches a year of rounds while the server is told to stop."""
    script = (
        "import asyncio, time\n"
        "from croupier.floor.server.process.http_server import leave_within\n"
        "async def main():\n"
        "    asyncio.get_running_loop().run_in_executor(None, time.sleep, 3600)\n"
        "    leave_within(0.2, lambda: 7)\n"
        "asyncio.run(main())\n"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=PATIENCE, check=False).returncode == 7


def test_a_start_prints_every_address(tmp_path: Path) -> None:
    """Whoever somebody is, he finds where to go: tables, dealer, pit, display, rules, API."""
    start = _started(read_settings(None, {}, demo=True, host="0.0.0.0", port=8123), None)
    text = "\n".join(in_words(start))
    home = "http://127.0.0.1:8123"
    for address in ("/", "/#/dealer/Felt", "/#/pit", "/#/rounds", "/#/audit", "/#/display/main", "/#/rules"):
        assert re.search(rf"{re.escape(home + address)}(\s|$)", text), address
    for address in ("/api/schema", "/health", "/ready", "/metrics"):
        assert re.search(rf"{re.escape(home + address)}(\s|$)", text), address
    assert "croupier-demo" in text
    assert "0.0.0.0" not in text


def test_a_start_that_listens_everywhere_says_where_a_phone_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the machine's address in its network; in no network, and where only this machine can come in, nothing."""
    for host, own, says in (
        ("0.0.0.0", "192.0.2.7", "http://192.0.2.7:8123/"),
        ("0.0.0.0", "", ""),
        ("127.0.0.1", "192.0.2.7", ""),
    ):
        monkeypatch.setattr("croupier.floor.server.process.startup._own_address", lambda own=own: own)
        start = _started(read_settings(None, {}, demo=True, host=host, port=8123), None)
        assert start.network == says
        assert ("From a phone" in "\n".join(in_words(start))) is bool(says)


def test_a_start_without_the_browser_client_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The printed addresses would lead nowhere, and nobody would know why."""
    for pages, says in ((tmp_path / "none", True), (tmp_path, False)):
        (tmp_path / "index.html").write_text("<!doctype html>")
        monkeypatch.setattr("croupier.floor.server.app.STATIC", pages)
        said = in_words(_started(read_settings(None, {}, demo=True), None))
        assert any("web/build.py" in line for line in said) is says


def test_a_first_start_says_the_administrators_password_as_a_line_of_json(tmp_path: Path) -> None:
    """For a program that starts a server: one line, there when it listens; the second start knows him already."""
    port, database = str(free_port()), f"sqlite:///{tmp_path / 'house.db'}"
    ours = [sys.executable, "-m", "croupier", "serve", "--json", "--database", database, "--port", port]
    for is_first in (True, False):
        with subprocess.Popen(ours, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            told = json.loads(server.stdout.readline())
            try:
                assert told["address"] == f"http://127.0.0.1:{port}/"
                assert httpx.get(told["ready"]).status_code == 200
                assert ("first" in told) is is_first
                if is_first:
                    first = told["first"]
                    log_in = {"name": first["names"][0], "password": first["password"]}
                    assert httpx.post(f"{told['address']}api/login", json=log_in).status_code in (200, 201)
            finally:
                server.terminate()
            assert server.stdout.read() == ""


def test_what_is_no_request_is_refused_in_our_words(served_once: Served) -> None:
    """The same form as every refusal: a code and a sentence, no word of a framework."""
    with served_once.http(Post.PIT_MANAGER) as client:
        json_text = {"content-type": "application/json"}
        for answer, status, code in (
            (client.get("/api/nothing"), 404, "unknown_address"),
            (client.get("/no/such/page"), 404, "unknown_address"),
            (client.delete("/api/tables"), 405, "wrong_method"),
            (client.post("/api/links", content=b'{"name":', headers=json_text), 400, "bad_request"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
            assert "path" not in answer.json()["message"]


@pytest.fixture
def served_once(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path) as served:
        yield served
