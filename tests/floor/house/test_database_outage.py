"""A PostgreSQL that goes and comes back: the servers wait for it and go on, and nothing is lost, doubled or shared."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.house.writer import HouseAway, Writer
from croupier.floor.records.commands import AtTable, BuyIn, Request, TakeTable
from croupier.journal.store import StoreFailed, StoreLost
from croupier.journal.store_address import open_store
from croupier.rounds.commands import OpenRound
from croupier.rulebooks.documents.editions import GAMES
from croupier.testing.fault_proxy import Cut, Wire
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.house_builder import ask, balance, buy_in, checked_books, do, eventually, house, open_link, open_table
from tests.floor.server.test_two_serve import Serving
from tests.floor.serving import Live, Served, quiet
from tests.patience import PATIENCE
from tests.stores import PostgresPlace


@pytest.fixture
def postgres_of_our_own() -> Iterator[PrivatePostgres]:
    """One that may be stopped, since no other test uses it."""
    with PrivatePostgres() as server:
        yield server


@pytest.fixture
def place(postgres: PrivatePostgres) -> PostgresPlace:
    return PostgresPlace(postgres)


def a_house(url: str, *tables: str, runs: Callable[[str], bool] | None = None) -> House:
    floor = house(open_store(url), runs=runs)
    if "main" not in floor.links:
        open_link(floor)
    for name in tables:
        open_table(floor, name)
    return floor


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_restart_costs_nothing_that_was_answered(postgres_of_our_own: PrivatePostgres) -> None:
    """Commands before, during and after; whatever was not answered is sent again under its id and acts once."""
    floor = a_house(postgres_of_our_own.url(), "T1")
    back, failures = threading.Event(), queue.SimpleQueue[BaseException]()
    writer = Writer(floor, back=back.set, failed=failures.put)
    writer.submit(Request("one", BuyIn(player="ana", amount=100), microseconds())).result(PATIENCE)
    postgres_of_our_own.crash()
    with pytest.raises(HouseAway):
        writer.submit(Request("two", BuyIn(player="ana", amount=10), microseconds())).result(PATIENCE)
    assert writer.away is not None
    postgres_of_our_own.start()
    assert back.wait(PATIENCE)
    for name, amount in (("one", 100), ("two", 10), ("two", 10), ("three", 1)):
        request = Request(name, BuyIn(player="ana", amount=amount), microseconds())
        assert writer.submit(request).result(PATIENCE).accepted
    assert writer.submit(Request("deal", AtTable(table="T1", command=OpenRound()), 1)).result(PATIENCE).accepted
    writer.close()
    assert failures.empty()
    assert balance(floor, "player/ana") == 111
    assert audit(floor.store).differences == ()
    checked_books(floor.store)
    floor.store.close()


@pytest.mark.parametrize("cut", list(Cut))
def test_a_command_in_flight_gets_its_true_answer_or_none(place: PostgresPlace, cut: Cut) -> None:
    """The commit was done and its answer lost: the answer is looked up. It was not done: the sender hears so."""
    wire = Wire(place.url)
    floor = a_house(wire.url, "T1")
    writer = Writer(floor)
    wire.cut = cut
    asked = Request("unsure", BuyIn(player="ana", amount=777), microseconds())
    if cut is Cut.AFTER_COMMIT:
        assert writer.submit(asked).result(PATIENCE).accepted
    else:
        with pytest.raises(HouseAway, match="not done"):
            writer.submit(asked).result(PATIENCE)
    assert wire.cuts == 1
    until(lambda: writer.away is None)
    assert writer.submit(asked).result(PATIENCE).accepted
    assert floor.tables["T1"].ours
    writer.close()
    assert balance(floor, "player/ana") == 777
    checked_books(floor.store)
    floor.store.close()
    wire.close()


def test_the_tables_are_this_servers_again_at_once(place: PostgresPlace) -> None:
    """PostgreSQL may not have noticed that the connection is gone, and hold its locks on: the old session is ended."""
    floor = a_house(place.url, "T1")
    # A second way to the same session: the old connection stays open, as behind a network that swallows everything.
    lost = floor.store.__dict__["_db"]
    another = open_store(place.url)
    floor.store.__dict__["_db"] = another.__dict__["_db"]
    floor.come_back(microseconds())
    assert floor.tables["T1"].ours
    with pytest.raises(psycopg.Error):
        lost.execute("SELECT 1")
    do(floor, BuyIn(player="ana", amount=5))
    floor.store.close()


def test_a_table_that_another_server_has_taken_is_let_go(place: PostgresPlace) -> None:
    """No split brain: the one that was away writes nothing there, and says who runs it."""
    first = a_house(place.url, "T1", "T2")
    second = house(open_store(place.url), runs=lambda _: False)
    first.store.__dict__["_db"].close()
    assert eventually(lambda: ask(second, TakeTable(table="T1")).accepted)
    with pytest.raises(StoreLost):
        ask(first, AtTable(table="T1", command=OpenRound()))
    first.come_back(microseconds())
    assert not first.tables["T1"].ours
    assert first.tables["T2"].ours
    assert not first.shown["T1"].ours
    assert ask(first, AtTable(table="T1", command=OpenRound())).code == "table_elsewhere"
    assert ask(second, AtTable(table="T1", command=OpenRound())).accepted
    assert ask(first, AtTable(table="T2", command=OpenRound())).accepted
    checked_books(first.store)
    first.store.close()
    second.store.close()


def test_free_tables_are_left_to_their_own_servers_for_a_while(place: PostgresPlace) -> None:
    """After a restart each server takes what it had; a server that runs whatever is free waits some seconds first."""
    first = a_house(place.url, "T1", runs=lambda name: name == "T1")
    second = house(open_store(place.url))
    assert not second.tables["T1"].ours
    for floor in (first, second):
        floor.store.__dict__["_db"].close()
    now = microseconds()
    second.come_back(now)
    second.collect(now + 1_000_000)
    assert not second.tables["T1"].ours
    first.come_back(now + 2_000_000)
    assert first.tables["T1"].ours
    first.store.close()
    assert eventually(lambda: not second.collect(now + 11_000_000) and second.tables["T1"].ours)
    second.store.close()


def test_a_database_that_comes_back_without_what_was_written_stops_the_server(place: PostgresPlace) -> None:
    """As after a switch to a copy that lagged behind: what was answered is not silently forgotten."""
    floor = a_house(place.url, "T1")
    buy_in(floor, "ana")
    place.raw("ALTER TABLE records DISABLE TRIGGER USER")
    place.raw("DELETE FROM records WHERE stream = 'cashier' AND seq = 1")
    place.raw("UPDATE heads SET seq = 0 WHERE stream = 'cashier'")
    floor.store.__dict__["_db"].close()
    with pytest.raises(StoreFailed, match="^cashier: record 1, which was written before"):
        floor.come_back(microseconds())
    floor.store.close()


def test_whoever_watches_stays_and_catches_up(tmp_path: Path, postgres_of_our_own: PrivatePostgres) -> None:
    """Not ready, 503 with Retry-After, the same live connection, and everything goes on when the database is back."""
    tables = {"T1": quiet()}
    with Served(tmp_path, tables, url=postgres_of_our_own.url()) as served, served.live(Post.DEALER) as live:
        live.send({"type": "watch_table", "table": "T1"})
        assert live.receive()["stage"] != "betting"
        postgres_of_our_own.stop()
        with served.http(Post.DEALER) as client:
            command = {"do": "open", "id": "o1"}
            refused = client.post("/api/tables/T1/commands", json=command)
            assert (refused.status_code, refused.json()["code"]) == (503, "away")
            assert refused.headers["retry-after"] == "1"
            ready = client.get("/ready")
            assert (ready.status_code, ready.json()["status"]) == (503, "away")
            assert client.get("/health").status_code == 200
            past = client.get("/api/tables/T1/rounds")
            assert (past.status_code, past.headers["retry-after"]) == (503, "1")
            assert in_flight(live) == "away"
            postgres_of_our_own.start()
            until(lambda: client.get("/ready").status_code == 200)
            assert client.get("/api/tables/T1/rounds").json() == []
            assert client.post("/api/tables/T1/commands", json=command).json()["accepted"]
        while (told := live.receive()).get("stage") != "betting":
            assert told["type"] in ("table", "answer")
        heard_from_another_server(served, postgres_of_our_own.url(), live)


def in_flight(live: Live) -> object:
    """The code of an answer over the live connection."""
    return live.ask({"type": "command", "id": "c1", "table": "T1", "command": {"do": "open"}})["code"]


def heard_from_another_server(served: Served, url: str, live: Live) -> None:
    """The listening thread has come back too: what another server writes to the link is told."""
    live.send({"type": "watch_link", "link": "main"})
    assert live.receive()["meter"] == "5000.00"
    other = house(open_store(url), runs=lambda _: False)
    open_table(other, "T9", link="main")
    buy_in(other, "zoe")
    assert served.floor.problem() == ""
    assert served.floor.writer.__dict__["_listener"].is_alive()
    other.store.close()


def test_a_server_plays_on_after_a_restart_and_stops_while_its_database_is_away(
    tmp_path: Path, postgres_of_our_own: PrivatePostgres
) -> None:
    """The whole program: its tables run by themselves before and after, and SIGTERM ends it within five seconds."""
    url = postgres_of_our_own.url()
    open_store(url).close()
    server = Serving(tmp_path, "alone", {"A1": GAMES[0]}, url)
    try:
        until(lambda: _rounds(url) >= 1)
        postgres_of_our_own.stop()
        until(lambda: "the database is away" in server.said())
        time.sleep(1.0)
        postgres_of_our_own.start()
        before = _rounds(url)
        until(lambda: _rounds(url) >= before + 2)
        assert server.process.poll() is None, server.said()
        postgres_of_our_own.stop()
        until(lambda: server.said().count("the database is away") == 2)
        told = time.monotonic()
        server.process.terminate()
        assert server.process.wait(PATIENCE) == 0, server.said()
        assert time.monotonic() - told < 5
        assert "Traceback" not in server.said()
    finally:
        server.process.kill()
        server.process.wait()
    postgres_of_our_own.start()
    store = open_store(url, read_only=True)
    assert audit(store).differences == ()
    store.close()


def _rounds(url: str) -> int:
    """Rounds that table A1 has begun, by what lies on disk."""
    store = open_store(url, read_only=True)
    try:
        return sum(record.type == "RoundOpened" for record in store.read("table/A1"))
    finally:
        store.close()


def test_a_database_that_stays_away_is_said_again(
    place: PostgresPlace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In the log, every half minute, while the server goes on trying; a command is not kept waiting as long."""
    floor, tries = a_house(place.url, "T1"), list[int]()

    def still_away(at: int) -> None:
        tries.append(at)
        raise StoreLost("it does not answer.")

    monkeypatch.setattr(floor, "come_back", still_away)
    monkeypatch.setattr("croupier.floor.house.writer.SAID_AGAIN", 0.2)
    monkeypatch.setattr("croupier.floor.house.writer.IN_DOUBT", 0.1)
    monkeypatch.setattr("croupier.floor.house.writer.LONGEST_WAIT", 0.1)
    writer = Writer(floor)
    floor.store.__dict__["_db"].close()
    with pytest.raises(HouseAway, match="does not answer"):
        writer.submit(Request("one", BuyIn(player="ana", amount=100), microseconds())).result(PATIENCE)
    until(lambda: caplog.text.count("the database has been away for") >= 2)
    assert len(tries) > 3
    with pytest.raises(HouseAway):
        writer.submit(Request("two", BuyIn(player="ana", amount=100), microseconds()))
    writer.close()
    floor.store.close()
