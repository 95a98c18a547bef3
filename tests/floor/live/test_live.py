"""Live play over a socket: coming back after a break, and clients that say what is not so."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice

import msgspec
import pytest

from croupier.floor.duties.permissions import Post
from croupier.floor.history.played_rounds import Search
from croupier.floor.people.people import Person
from croupier.floor.records.commands import OpenLink
from croupier.floor.records.tables import Table
from croupier.floor.server.live_connection import MISSED
from croupier.floor.server.settings import Settings
from croupier.floor.server.telemetry.logs import PlainLines
from croupier.floor.server.telemetry.metrics import metrics_text
from croupier.floor.views.round_views import RoundLine, TableEvent
from croupier.jackpots.parameters import Parameters, Rate
from croupier.money import money
from tests.floor.serving import Live, Served
from tests.patience import PATIENCE


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("live"), settings=Settings(requests_per_second=10_000)) as served:
        yield served


def watched(live: Live, **message: object) -> tuple[dict[str, object], dict[str, object]]:
    """What was missed, and the state that follows."""
    live.send({"type": "watch_table", "table": "T1", **message})
    missed, state = live.receive(), live.receive()
    assert (missed["type"], state["type"]) == ("missed", "table")
    return missed, state


def seqs(missed: dict[str, object]) -> list[object]:
    events = missed["events"]
    assert isinstance(events, list)
    return [event["seq"] for event in events]


def test_what_happens_while_the_record_is_read_is_not_lost(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything up to the state that is told is in what was missed, and nothing after it, however fast it moves."""
    assert served.step(Post.DEALER, "open")["accepted"]
    since, boxes = served.floor.past.since, iter((1, 2, 3))

    def meanwhile(table: Table, after: int, person: Person | None, most: int) -> list[TableEvent] | None:
        found = since(table, after, person, most)
        box = next(boxes, None)
        if box is not None:
            assert served.step(Post.PLAYER, "bet", box=box, bet="ante", amount="25.00")["accepted"]
        return found

    monkeypatch.setattr(served.floor.past, "since", meanwhile)
    with served.live(Post.PLAYER) as live:
        missed, state = watched(live, after=0)
    seq = state["seq"]
    assert isinstance(seq, int)
    assert missed["all"] is True
    assert seqs(missed) == list(range(1, seq + 1))
    assert next(boxes, None) is None


def test_a_number_beyond_the_end_is_not_answered_with_all_is_well(served: Served) -> None:
    """Whoever has seen more than there is looks at a house that was put back to an earlier moment."""
    assert served.step(Post.DEALER, "open")["accepted"]
    with served.live(Post.PLAYER) as live:
        _, state = watched(live, after=0)
        seq = state["seq"]
        assert isinstance(seq, int)
        missed, again = watched(live, after=seq)
        assert (seqs(missed), missed["all"], again["seq"]) == ([], True, seq)
        for beyond in (seq + 1, 2**62 - 1):
            missed, _ = watched(live, after=beyond)
            assert (seqs(missed), missed["all"]) == ([], False)


def test_too_many_events_are_not_told(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it says so."""
    assert MISSED == 500
    monkeypatch.setattr("croupier.floor.server.live_connection.MISSED", 1)
    assert served.step(Post.DEALER, "open")["accepted"]
    with served.live(Post.PLAYER) as live:
        missed, _ = watched(live, after=0)
    assert (seqs(missed), missed["all"]) == ([], False)


@pytest.mark.parametrize("after", [-1, "7", True, 1.5, 2**62, []])
def test_what_is_no_number_of_an_event_is_refused(served: Served, after: object) -> None:
    """And not taken for none."""
    with served.live(Post.PLAYER) as live:
        told = live.ask({"type": "watch_table", "id": "w", "table": "T1", "after": after})
    assert (told["id"], told["code"]) == ("w", "bad_request")


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({"type": "watch_table", "table": "Atlantis"}, "no table Atlantis"),
        ({"type": "watch_link", "link": "Atlantis"}, "no link Atlantis"),
    ],
)
def test_what_cannot_be_watched_is_named(served: Served, message: dict[str, object], says: str) -> None:
    """With the id of whoever asked."""
    with served.live(Post.PLAYER) as live:
        told = live.ask({"id": "w", **message})
    assert (told["id"], told["code"]) == ("w", "unknown_topic")
    assert says in str(told["message"])


def test_every_tab_of_a_person_is_told_and_an_id_acts_once_in_all_of_them(served: Served) -> None:
    """Two tabs send the same command: it is done once, both are answered alike, both see it."""
    assert served.step(Post.DEALER, "open")["accepted"]
    bet = {"do": "bet", "box": 3, "bet": "ante", "amount": "25.00"}
    with served.live(Post.PLAYER) as first, served.live(Post.PLAYER) as second:
        for tab in (first, second):
            tab.send({"type": "watch_table", "table": "T1"})
            assert tab.receive()["type"] == "table"
        answers = [tab.ask({"type": "command", "id": "one", "table": "T1", "command": bet}) for tab in (first, second)]
        assert answers[0] == answers[1]
        assert answers[0]["accepted"] is True
    assert sum(record.type == "BetPlaced" for record in served.records("table/T1")) == 1


def test_the_id_of_somebody_else_is_not_his(served: Served) -> None:
    """Each has ids of his own: nobody gets another's answer, or keeps him from asking."""
    assert served.step(Post.DEALER, "open", id="same")["accepted"]
    told = served.step(Post.PLAYER, "bet", id="same", box=3, bet="ante", amount="25.00")
    assert told["accepted"] is True


def test_whoever_looks_for_too_much_holds_nobody_up(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """His own further searches are refused until one has ended; others look, and come back after a break."""
    assert served.step(Post.DEALER, "open")["accepted"]
    rounds, found = served.floor.past.rounds, threading.Event()

    def slow(table: Table, search: Search, person: Person) -> list[RoundLine]:
        if search.hand == "rare":
            assert found.wait(PATIENCE)
        return rounds(table, search, person)

    monkeypatch.setattr(served.floor.past, "rounds", slow)
    with ThreadPoolExecutor(8) as people, served.http(Post.PLAYER) as player, served.http(Post.AUDITOR) as auditor:
        looking = [people.submit(player.get, "/api/tables/T1/rounds?hand=rare") for _ in range(8)]
        refused = [done.result() for done in islice(as_completed(looking), 5)]
        assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(429, "too_fast")}
        assert auditor.get("/api/tables/T1/rounds").status_code == 200
        with served.live(Post.PLAYER) as live:
            assert seqs(watched(live, after=0)[0])
        found.set()
        assert sorted(done.result().status_code for done in looking) == [200] * 3 + [429] * 5
        assert player.get("/api/tables/T1/rounds?hand=rare").status_code == 200


@pytest.mark.parametrize("url", ["postgresql://ana:secretword@127.0.0.1:1/none", "sqlite:////no/such/folder/house.db"])
def test_an_audit_that_cannot_read_its_journal_says_so_in_one_sentence(url: str) -> None:
    """To whoever asked for it; nothing but the server's own lines goes to the log, and no password anywhere."""
    command = [sys.executable, "-m", "croupier.floor.server.workers.audit"]
    done = subprocess.run(command, input=url + "\n", capture_output=True, text=True, check=True)
    assert done.stderr == ""
    told = msgspec.json.decode(done.stdout)
    assert told["failed"].endswith(".")
    assert "secretword" not in done.stdout


def test_a_log_line_is_one_line_whatever_was_sent() -> None:
    """Nobody writes lines of his own into it, or colours the terminal."""
    record = logging.LogRecord("croupier.server", logging.ERROR, "", 0, "a fault of ours", None, None)
    record.path = "/a\ncroupier: all is well\x1b[2J"
    assert PlainLines().format(record) == "croupier: a fault of ours path=/a?croupier: all is well?[2J"


def test_a_links_name_is_written_as_prometheus_wants_it(served: Served) -> None:
    """Quotation marks and backslashes do not end it."""
    parameters = Parameters(reset=money("1.00"), contribution=Rate(1, 5))
    assert served.ask(OpenLink(link='the "big" \\ one', meter=money("2.00"), parameters=parameters)).accepted
    assert 'croupier_meter_cents{link="the \\"big\\" \\\\ one"} 200.0\n' in metrics_text(served.floor)
