"""What the pit changes at a table: limits, jackpot bet and stakeboard from the next round on, closing and opening."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.house.transaction import Transaction
from croupier.floor.live.clocks import on_expiry, phase_of
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    ChangeTerms,
    CloseTable,
    OpenTable,
    ReopenTable,
    TableConfig,
)
from croupier.floor.records.tables import Table
from croupier.journal.store import Batch, Store
from croupier.ledger.entries import Entry
from croupier.money import MOST, ToOne, money
from croupier.rounds.commands import DecideHand, GiveRuling, OpenRound, PlaceBet, ReportIncident, RoundCommand
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import Incident, Limits, Role
from tests.floor.house_builder import HOLDEM, ask, at, bets, buy_in, do, house, open_link, open_table, play_out
from tests.floor.serving import Served, quiet
from tests.stores import Place, PostgresPlace, SqlitePlace

HIGH = {"ante": (money("50.00"), money("900.00"))}


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("postgres"))


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    opened = place.open()
    yield opened
    opened.close()


def furnished(store: Store) -> House:
    """A table on a link, a player with chips."""
    running = house(store)
    open_link(running)
    open_table(running, "T1")
    buy_in(running, "ana")
    return running


def again(store: Store) -> House:
    """The same house after a start."""
    return house(store)


def bet(house: House, amount: str) -> Answer:
    return ask(house, AtTable(table="T1", command=PlaceBet(player="ana", box=1, bet="ante", amount=money(amount))))


def ante(table: Table) -> Limits:
    return table.terms.limits["ante"]


# ---------------------------------------------------------------- other terms


def test_a_round_in_play_ends_on_the_terms_it_began_with(store: Store) -> None:
    """Limits changed while bets are open hold from the next round on, also for a house that has started again."""
    running = furnished(store)
    at(running, "T1", OpenRound())
    do(running, ChangeTerms(table="T1", by="maria", limits=HIGH))
    for current in (running, again(store)):
        assert ante(current.tables["T1"]).minimum < money("50.00")
        coming = current.tables["T1"].coming
        assert coming is not None
        assert coming.terms.limits["ante"] == Limits(*HIGH["ante"])
    assert bet(running, "20.00").accepted
    at(running, "T1", *bets("ana", ante="20.00")[2:])
    play_out(running, "T1")
    at(running, "T1", OpenRound())
    for current in (running, again(store)):
        assert ante(current.tables["T1"]) == Limits(*HIGH["ante"])
        assert current.tables["T1"].coming is None
    assert bet(running, "20.00").code == "under_minimum"
    assert bet(running, "60.00").accepted
    assert audit(store).differences == ()


def test_the_last_change_before_a_round_counts_and_the_rest_stays(store: Store) -> None:
    """Each change names what it changes; several before one round add up."""
    running = furnished(store)
    do(running, ChangeTerms(table="T1", by="maria", limits=HIGH))
    do(running, ChangeTerms(table="T1", by="maria", jackpot_bet=money("10.00")))
    do(running, ChangeTerms(table="T1", by="tan", limits={"ante": (money("30.00"), money("900.00"))}))
    at(running, "T1", *bets("ana", ante="30.00", jackpot="10.00"))
    play_out(running, "T1")
    table = again(store).tables["T1"]
    assert ante(table).minimum == money("30.00")
    assert table.terms.jackpot_bet == money("10.00")
    assert audit(store).differences == ()


def test_another_stakeboard_pays_from_the_next_round_on(store: Store) -> None:
    """A line of a pay table is changed as the stakeboard would be."""
    running = house(store)
    do(running, OpenTable(table="T1", config=TableConfig(game=HOLDEM)))
    at(running, "T1", OpenRound())
    do(running, ChangeTerms(table="T1", by="maria", pay_tables={"bonus": {"aces": "25 to 1"}}))
    before = dict(again(store).tables["T1"].terms.book.side_bets[0].table.rows)
    assert ask(running, AtTable(table="T1", command=ReportIncident(incident=Incident.UNCOVERED, text="No"))).accepted
    at(running, "T1", GiveRuling(by=Role.SHIFT_MANAGER, decision="void", who="tan", text="Enough."), OpenRound())
    after = dict(again(store).tables["T1"].terms.book.side_bets[0].table.rows)
    assert {line: (before[line], after[line]) for line in before if before[line] != after[line]} == {
        "aces": (ToOne(30), ToOne(25))
    }
    assert audit(store).differences == ()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (ChangeTerms(table="T1", by="maria"), "no_change"),
        (ChangeTerms(table="T1", by="maria", limits={"ante": (money("50.00"), money("10.00"))}), "bad_terms"),
        (ChangeTerms(table="T1", by="maria", limits={"ante": (0, money("10.00"))}), "bad_terms"),
        (ChangeTerms(table="T1", by="maria", limits={"flop": (100, 200)}), "bad_terms"),
        (ChangeTerms(table="T1", by="maria", jackpot_bet=-100), "bad_terms"),
        (ChangeTerms(table="T1", by="maria", pay_tables={"jackpot": {"flush": "50.00"}}), "of_the_link"),
        (ChangeTerms(table="T1", by="maria", pay_tables={"nothing": {"flush": "1 to 1"}}), "bad_terms"),
        (ChangeTerms(table="T1", by="maria", pay_tables={"bonus": {"aces": "10001 to 1"}}), "bad_terms"),
        (
            ChangeTerms(
                table="T1",
                by="maria",
                limits={"bonus": (100, MOST // 10)},
                pay_tables={"bonus": {"aces": "11 to 1"}},
            ),
            "bad_terms",
        ),
        (ChangeTerms(table="T9", by="maria", limits=HIGH), "unknown_table"),
        (ReopenTable(table="T1", by="maria"), "table_open"),
        (CloseTable(table="T9", by="maria"), "unknown_table"),
    ],
)
def test_what_makes_no_sense_is_refused(
    tmp_path: Path, change: ChangeTerms | CloseTable | ReopenTable, code: str
) -> None:
    """And nothing of it is kept."""
    store = SqlitePlace(tmp_path).open()
    running = furnished(store)
    before = running.heads["house"]
    assert ask(running, change).code == code
    assert running.heads["house"] == before
    assert running.tables["T1"].coming is None
    store.close()


# ---------------------------------------------------------------- closed


def test_a_closed_table_plays_its_round_to_the_end_and_begins_no_other(store: Store) -> None:
    """It stays closed over a start, and opens again."""
    running = furnished(store)
    at(running, "T1", *bets("ana"))
    do(running, CloseTable(table="T1", by="maria"))
    assert ask(running, CloseTable(table="T1", by="tan")).code == "table_closed"
    play_out(running, "T1")
    assert running.tables["T1"].round.stage is Stage.SETTLED
    assert ask(running, AtTable(table="T1", command=OpenRound())).code == "table_closed"
    running = again(store)
    assert ask(running, AtTable(table="T1", command=OpenRound())).code == "table_closed"
    do(running, ReopenTable(table="T1", by="maria"))
    at(running, "T1", *bets("ana"))
    assert running.tables["T1"].round.number == 2
    assert audit(store).differences == ()


def test_the_clock_of_a_closed_table_opens_no_round(store: Store) -> None:
    """While a round is in play the clock goes on; then it stands until the table is opened again."""
    running = furnished(store)
    do(running, CloseTable(table="T1", by="maria"))
    table = running.tables["T1"]
    assert phase_of(table) is None
    assert list(on_expiry(table)) == []
    do(running, ReopenTable(table="T1", by="maria"))
    assert phase_of(table) is not None
    at(running, "T1", OpenRound())
    do(running, CloseTable(table="T1", by="maria"))
    phase = phase_of(table)
    assert phase is not None
    assert phase.name == "betting"


# ---------------------------------------------------------------- the audit


def test_an_audit_finds_a_round_at_a_closed_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that did not ask whether the table is open."""
    store = SqlitePlace(tmp_path).open()
    running = furnished(store)
    do(running, CloseTable(table="T1", by="maria"))
    monkeypatch.setattr("croupier.floor.house.round_play._begin_round", lambda _, table: table)
    at(running, "T1", OpenRound())
    found = audit(store).differences
    assert any("closed" in difference.what for difference in found), found
    store.close()


def test_an_audit_finds_a_bet_outside_the_new_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that played on with the old ones: the opening of its Round does not name the terms in force."""
    store = SqlitePlace(tmp_path).open()
    running = furnished(store)
    do(running, ChangeTerms(table="T1", by="maria", limits=HIGH))
    monkeypatch.setattr("croupier.floor.house.round_play._begin_round", lambda _, table: table)
    commands: tuple[RoundCommand, ...] = (OpenRound(),)
    at(running, "T1", *commands)
    assert bet(running, "20.00").accepted
    found = audit(store).differences
    assert any("RoundOpened: rulebook is" in difference.what for difference in found), found
    store.close()


@pytest.mark.parametrize("kind", ["TermsChanged", "TableClosed"])
def test_an_audit_finds_a_change_that_is_said_to_be_earlier_or_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The answer says where the table stood, so that the round cannot be another."""
    store = SqlitePlace(tmp_path).open()
    running = furnished(store)
    record = Transaction.record

    def lying(transaction: Transaction, stream: str, fact: msgspec.Struct, moved: Entry | None = None) -> None:
        record(transaction, stream, replace(fact, after=lie) if type(fact).__name__ == kind else fact, moved)

    for number in (1, 2):
        at(running, "T1", *bets("ana"))
        play_out(running, "T1")
        lie = number - 1 if number == 1 else number + 1
        monkeypatch.setattr(Transaction, "record", lying)
        if kind == "TermsChanged":
            do(running, ChangeTerms(table="T1", by="maria", jackpot_bet=money("5.00")))
        else:
            do(running, CloseTable(table="T1", by="maria"))
        monkeypatch.undo()
        if kind == "TableClosed":
            do(running, ReopenTable(table="T1", by="maria"))
    found = [difference.what for difference in audit(store).differences]
    assert sum("was changed after round" in what for what in found) >= 2, found
    store.close()


# ---------------------------------------------------------------- at the doors


def test_a_table_that_opens_while_the_house_runs_is_on_the_floor_at_once(tmp_path: Path) -> None:
    """Whoever follows the floor sees it, and where nobody deals its clock counts down to its first round."""
    with Served(tmp_path) as served, served.live(Post.PIT_MANAGER) as live:
        live.send({"type": "watch_pit"})
        assert live.ask({"type": "ping", "id": "here"})["type"] == "pong"
        served.ask(OpenTable(table="T9", config=TableConfig(game=HOLDEM)))
        seen = live.receive()
        while seen.get("table") != "T9":
            seen = live.receive()
        assert (seen["type"], seen["round"]) == ("pit", 0)
        assert msgspec.convert(seen["clock"], dict[str, object])["phase"] == "pause"


def test_everybody_at_the_table_is_told(tmp_path: Path) -> None:
    """Over HTTP and over the socket; whoever watches sees what comes, and that the table is closed."""
    with Served(tmp_path, {"T1": quiet()}) as served, served.http(Post.SHIFT_MANAGER) as shift:
        with served.live(Post.DISPLAY) as live:
            live.send({"type": "watch_table", "table": "T1"})
            assert live.receive()["coming"] is None
            told = shift.post("/api/tables/T1/terms", json={"id": "1", "limits": {"ante": ["50.00", "900.00"]}})
            assert told.json()["accepted"]
            seen = live.receive()
            assert isinstance(seen["coming"], dict)
            assert seen["coming"]["limits"]["ante"] == ["50.00", "900.00"]
            assert shift.post("/api/tables/T1/close", json={"id": "2"}).json()["accepted"]
            assert live.receive()["closed"] is True
        assert served.step(Post.DEALER, "open")["code"] == "table_closed"
        lobby = shift.get("/api/tables").json()
        assert [(line["closed"], line["coming"]["limits"]["ante"][0]) for line in lobby] == [(True, "50.00")]
        with served.live(Post.PIT_MANAGER) as live:
            sent = {"type": "command", "id": "3", "table": "T1", "command": {"do": "reopen_table"}}
            assert live.ask(sent)["accepted"]
            sent = {"do": "change_terms", "limits": {"ante": ["60.00", "900.00"]}}
            assert live.ask({"type": "command", "id": "4", "table": "T1", "command": sent})["accepted"]
        assert served.step(Post.DEALER, "open")["accepted"]
        view = shift.get("/api/tables/T1").json()
        assert view["limits"]["ante"] == ["60.00", "900.00"]
        assert served.step(Post.SHIFT_MANAGER, "change_terms", limits={"ante": "many"})["code"] == "bad_request"
        assert served.step(Post.SHIFT_MANAGER, "change_terms", pay_tables={"ante": 3})["code"] == "bad_request"
        assert shift.post("/api/tables/T9/close", json={"id": "5"}).json()["code"] == "unknown_table"


# ---------------------------------------------------------------- what is shown


def test_nobody_is_shown_what_is_not_on_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """While commands are judged and written, whoever looks sees tables and meters as they were before."""
    running = furnished(store)
    at(running, "T1", *bets("ana"))
    meter, seq = running.shown_links["main"], running.shown["T1"].seq
    write = store.write
    seen: list[tuple[int, str]] = []

    def slow(batch: Batch) -> None:
        seen.append((running.shown["T1"].seq, running.shown["T1"].round.stage.value))
        assert running.tables["T1"].round != running.shown["T1"].round
        assert running.shown_links["main"] == meter
        write(batch)

    monkeypatch.setattr(store, "write", slow)
    at(running, "T1", DecideHand(box=1, choice="flop"))
    assert seen == [(seq, "playing")]
    assert running.shown["T1"].seq == running.heads["table/T1"].seq > seq
    assert running.shown["T1"].round == running.tables["T1"].round
    monkeypatch.undo()
    do(running, CloseTable(table="T1", by="maria"))
    assert running.shown["T1"].closed
