"""The feed: one order of all events, resumed anywhere; webhooks that tell every event at least once, signed."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import get_args

import msgspec
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.floor.duties.permissions import Post
from croupier.floor.feed import event_names
from croupier.floor.feed.events import START, BadCursor, Feed
from croupier.floor.feed.webhooks import (
    FOLLOWER,
    MOMENT,
    SIGNATURE,
    BadWebhook,
    Webhook,
    WebhookSettings,
    check_webhooks,
    signature,
)
from croupier.floor.records import facts
from croupier.floor.records.people_facts import PeopleFact
from croupier.floor.server.settings import BadSettings, Settings, read_settings
from croupier.journal.followers import open_followers
from croupier.journal.store import Store
from croupier.journal.store_address import open_store
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.house_builder import eventually
from tests.floor.played_house import Play
from tests.floor.serving import Served
from tests.patience import PATIENCE
from tests.stores import Place, PostgresPlace, SqlitePlace


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    server: PrivatePostgres = request.getfixturevalue("postgres")
    return PostgresPlace(server)


def every_record(store: Store) -> set[tuple[str, int]]:
    return {(str(row[0]), int(str(row[1]))) for row in store.rows("records")}


def walked(feed: Feed, limit: int) -> Iterator[tuple[str, int]]:
    cursor = START
    while True:
        page = feed.page(cursor, limit)
        yield from ((event.stream, event.seq) for event in page.events)
        if page.cursor == cursor:
            return
        cursor = page.cursor


# ---------------------------------------------------------------- one order


def test_every_record_comes_once_and_in_the_order_of_its_stream(place: Place) -> None:
    """Whatever the size of a page; what other systems are not told is passed over."""
    store = place.open()
    Play(store, 3).play(60)
    feed = Feed(lambda: place.open(create=False, read_only=True))
    told = {
        (row[0], row[1])
        for row in store.rows("records")
        if event_names.event_name(str(row[0]), str(row[2])) is not None
    }
    for limit in (1, 7, 5000):
        found = list(walked(feed, limit))
        assert len(found) == len(set(found))
        assert set(found) == told
        for stream in {stream for stream, _ in found}:
            seqs = [seq for name, seq in found if name == stream]
            assert seqs == sorted(seqs)
    feed.close()
    store.close()


def test_the_order_is_that_of_the_commits(place: Place) -> None:
    """Events of one command stand together, and commands in the order in which they were answered."""
    store = place.open()
    play = Play(store, 3)
    play.play(60)
    position = {request.id: at for at, (request, _) in enumerate(play.asked)}
    placed = [each.record.command for each in store.feed(0, 100_000)]
    numbers = [position[command] for command in placed if command in position]
    assert numbers == sorted(numbers)
    assert {each.record.command for each in store.feed(0, 100_000)} >= {r.id for r in play.accepted()} & set(placed)
    store.close()


def test_a_cursor_of_another_journal_is_refused(place: Place) -> None:
    store = place.open()
    Play(store, 3).play(20)
    feed = Feed(lambda: place.open(create=False, read_only=True))
    page = feed.page(START, 5)
    position, _, known = page.cursor.partition(".")
    assert feed.page(page.cursor, 5).events
    for wrong in ("", "x", "5", "-1", f"{position}.{'0' * 16}", f"{10**9}.{known}", f"0.{known}"):
        with pytest.raises(BadCursor):
            feed.page(wrong)
    feed.close()
    store.close()


def test_a_transaction_that_is_still_running_is_waited_for(postgres: PrivatePostgres) -> None:
    """Positions are drawn before the commit: one that is missing may still come, and is not passed over."""
    place = PostgresPlace(postgres)
    store = place.open()
    Play(store, 3).play(10)
    last = store.newest()
    assert last is not None
    insert = (
        "INSERT INTO records (stream, seq, type, version, at, command, data, hash) "
        "VALUES (%s, 1, 'x', 1, 1, 'c', '{}', 'h')"
    )
    reader = place.open(create=False, read_only=True)
    with psycopg.connect(place.url) as slow, psycopg.connect(place.url, autocommit=True) as quick:
        slow.execute(insert, ("table/slow",))  # it has drawn the earlier position
        quick.execute(insert, ("table/quick",))
        found: list[str] = []
        asking = threading.Thread(
            target=lambda: found.extend(each.record.stream for each in reader.feed(last.position, 10))
        )
        asking.start()
        asking.join(0.3)
        assert asking.is_alive()
        slow.commit()
        asking.join(PATIENCE)
    assert found == ["table/slow", "table/quick"]
    with psycopg.connect(place.url) as gone:
        gone.execute(insert, ("table/gone",))
        gone.rollback()
    with psycopg.connect(place.url, autocommit=True) as after:
        after.execute(insert, ("table/after",))
    assert [each.record.stream for each in reader.feed(last.position, 10)][-1] == "table/after"
    reader.close()
    store.close()


def test_every_fact_has_a_word_or_is_kept_back_on_purpose() -> None:
    """Accounts, sessions and passwords are told to nobody."""

    def names(union: object) -> set[str]:
        return {name for each in get_args(union) for name in (names(each) if get_args(each) else {each.__name__})}

    assert names(facts.TableFact) == set(event_names.GAME)
    assert names(facts.LinkFact) == set(event_names.PROGRESSIVE)
    assert names(facts.HouseFact) == set(event_names.DEVICE)
    assert names(facts.CashierFact) == set(event_names.CASH)
    assert names(facts.PlayerFact) == set(event_names.PATRON)
    assert set(event_names.OFFICE) < names(PeopleFact)
    secret = {"PersonEnrolled", "SecretChanged", "SecretResealed", "FactorEnrolled", "SessionOpened", "MeasureProposed"}
    assert not secret & set(event_names.OFFICE)


def test_the_page_lists_the_vocabulary() -> None:
    """docs/feed.md, name by name."""
    page = (Path(__file__).parents[3] / "docs" / "feed.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `([a-z_.]+)` \| `(\w+)` \|", page, re.MULTILINE))
    tables = [getattr(event_names, each) for each in ("GAME", "PROGRESSIVE", "DEVICE", "CASH", "PATRON", "OFFICE")]
    assert told == {(name, kind) for table in tables for kind, name in table.items()}


# ---------------------------------------------------------------- over HTTP and on a socket


def test_pages_and_the_live_connection_tell_the_same(tmp_path: Path) -> None:
    """A long poll waits for the next event; a post without the duty is refused."""
    with Served(tmp_path) as served, served.http(Post.AUDITOR) as auditor:
        served.step(Post.DEALER, "open")
        first = auditor.get("/api/feed", params={"limit": 3}).json()
        assert first["more"]
        rest = auditor.get("/api/feed", params={"cursor": first["cursor"], "limit": 5000}).json()
        both = [*first["events"], *rest["events"]]
        assert both[0]["name"] == "progressive.added"
        headers = {"Authorization": f"Bearer {served.tokens[Post.AUDITOR]}"}
        with connect(f"ws://{served.address}/api/feed/live", additional_headers=headers) as socket:
            socket.send(START)
            told: list[object] = []
            while len(told) < len(both):
                told += msgspec.json.decode(socket.recv(timeout=PATIENCE))["events"]
            assert told == both
            served.step(Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")
            (live,) = msgspec.json.decode(socket.recv(timeout=PATIENCE))["events"]
            assert live["name"] == "game.wagered"
        waited = auditor.get("/api/feed", params={"cursor": rest["cursor"], "wait": 5}).json()
        assert [event["name"] for event in waited["events"]] == ["game.wagered"]
        assert auditor.get("/api/feed", params={"cursor": "9.x"}).json()["code"] == "bad_cursor"
        for post, code in ((Post.DEALER, 4003), (None, 4001)):
            headers = {} if post is None else {"Authorization": f"Bearer {served.tokens[post]}"}
            with connect(f"ws://{served.address}/api/feed/live", additional_headers=headers) as socket:
                with pytest.raises(ConnectionClosed) as closed:
                    socket.recv(timeout=PATIENCE)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == code


# ---------------------------------------------------------------- webhooks


class Receiver:
    """An outside system: it refuses the first pages, and takes the later ones."""

    def __init__(self, refuses: int = 0) -> None:
        receiver = self
        self.left, self.taken, self.headers = refuses, [], []  # type: int, list[tuple[str, int]], list[dict[str, str]]
        self.bodies: list[bytes] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if receiver.left:
                    receiver.left -= 1
                    self.send_response(302 if receiver.left % 2 else 500)
                    self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                    self.end_headers()
                    return
                page = msgspec.json.decode(body)
                receiver.taken += [(event["stream"], event["seq"]) for event in page["events"]]
                receiver.headers.append(dict(self.headers))
                receiver.bodies.append(body)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                return

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/events"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text("a secret of the house\n", encoding="utf-8")
    return file


def test_a_webhook_tells_every_event_in_order_and_signed(
    place: Place, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on where it stopped, over refusals and redirects, which it does not follow."""
    monkeypatch.setattr("croupier.floor.feed.webhooks.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("croupier.floor.feed.webhooks.LONGEST_PAUSE", 0.02)
    monkeypatch.setattr("croupier.floor.feed.webhooks.POLL", 0.01)
    store = place.open()
    play = Play(store, 3)
    play.play(30)
    receiver = Receiver(refuses=3)
    settings = WebhookSettings(name="erp", url=receiver.url, secret_file=str(secret), begins="start", events=50)
    feed = Feed(lambda: place.open(create=False, read_only=True))
    expected = list(walked(feed, 5000))
    for part in range(2):
        webhook = Webhook(settings, feed, lambda: open_followers(place.url))
        webhook.start()
        wanted = len(expected)
        assert eventually(lambda: len(receiver.taken) >= wanted)  # noqa: B023  asked at once
        webhook.stop()
        assert webhook.failures == (3 if part == 0 else 0)
        assert receiver.taken == expected
        play.play(10)
        expected = list(walked(feed, 5000))
    last = receiver.headers[-1]
    assert last[FOLLOWER] == "erp"
    assert last[SIGNATURE] == signature(b"a secret of the house", last[MOMENT], receiver.bodies[-1])
    feed.close()
    receiver.close()
    store.close()


def test_a_follower_begins_now_and_hears_what_it_asked_for(place: Place, secret: Path) -> None:
    store = place.open()
    play = Play(store, 3)
    receiver = Receiver()
    settings = WebhookSettings(name="cms", url=receiver.url, secret_file=str(secret), names=("cash.", "game.started"))
    feed = Feed(lambda: place.open(create=False, read_only=True))
    webhook = Webhook(settings, feed, lambda: open_followers(place.url))
    followers = open_followers(place.url)
    assert webhook.tell(followers) is False
    play.play(200)
    while webhook.tell(followers):
        pass
    started = {
        (r.stream, r.seq) for t in play.house.tables for r in store.read(f"table/{t}") if r.type == "RoundOpened"
    }
    cash = {(stream, seq) for stream, seq in receiver.taken if stream == "cashier"}
    assert started <= set(receiver.taken)
    assert set(receiver.taken) == started | cash
    followers.close()
    feed.close()
    receiver.close()
    store.close()


def test_two_servers_do_not_tell_the_same_follower(postgres: PrivatePostgres) -> None:
    """The second one takes over when the first is gone."""
    place = PostgresPlace(postgres)
    store = place.open()
    one, other = open_followers(place.url), open_followers(place.url)
    assert one.owns("erp")
    assert one.owns("erp")
    assert not other.owns("erp")
    one.keep("erp", "7.0123456789abcdef")
    one.close()
    assert eventually(lambda: other.owns("erp"))
    assert other.cursor("erp") == "7.0123456789abcdef"
    other.close()
    store.close()


def test_webhooks_come_from_the_settings_alone(tmp_path: Path, secret: Path) -> None:
    """Each mistake is one sentence."""
    file = tmp_path / "settings.toml"
    good = f'[[webhooks]]\nname = "erp"\nurl = "https://erp.example/in"\nsecret_file = "{secret}"\n'
    file.write_text(good, encoding="utf-8")
    (found,) = read_settings(file, {}).webhooks
    assert (found.name, found.begins) == ("erp", "now")
    (tmp_path / "short").write_text("short", encoding="utf-8")
    for wrong in (
        good.replace("https://erp.example/in", "file:///etc/passwd"),
        good.replace("https://erp.example/in", "http://user:word@host/"),
        good.replace('"erp"', '"E R P"'),
        good.replace(str(secret), str(tmp_path / "none")),
        good.replace(str(secret), str(tmp_path / "short")),
        good + good,
        good + 'more = "x"\n',
    ):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(BadSettings, match=r"^webhooks"):
            read_settings(file, {})
    with pytest.raises(BadWebhook):
        check_webhooks((found, found))
    assert Settings().webhooks == ()


def test_the_served_house_tells_its_followers(tmp_path: Path, secret: Path) -> None:
    receiver = Receiver()
    settings = Settings(
        webhooks=(WebhookSettings(name="erp", url=receiver.url, secret_file=str(secret), begins="start"),)
    )
    with Served(tmp_path, settings=settings) as served:
        served.step(Post.DEALER, "open")
        assert eventually(lambda: ("table/T1", 1) in receiver.taken)
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", read_only=True)
    assert set(receiver.taken) <= every_record(store)
    store.close()
    receiver.close()
