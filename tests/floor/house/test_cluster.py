"""Several servers, one store: one meter, one balance, each table with one server, nothing paid twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.house.writer import Writer
from croupier.floor.people.people import Person
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    BuyIn,
    CashOut,
    ChangeTerms,
    CloseTable,
    CollectAwards,
    EnrolPerson,
    OnLink,
    OpenTable,
    RemovePerson,
    Request,
    TableConfig,
    TakeTable,
)
from croupier.floor.views.terms_views import floor_tables
from croupier.jackpots.commands import CloseLink, ReleaseAward, RuleDealOrder
from croupier.jackpots.link import CaseState
from croupier.jackpots.parameters import Rate
from croupier.journal.store import Batch
from croupier.money import money
from croupier.rounds.commands import ExamineHand, OpenRound, PlaceBet, ReportIncident
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import Incident, Role
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.house_builder import (
    HOLDEM,
    NOTHING,
    ROYAL,
    STRAIGHT_FLUSH,
    ask,
    at,
    balance,
    bets,
    buy_in,
    checked_books,
    do,
    eventually,
    house,
    open_link,
    open_table,
    play_out,
    two_servers,
)
from tests.stores import Opened, PostgresPlace, SqlitePlace, opened_at

FAULT = ReportIncident(incident=Incident.JACKPOT_MALFUNCTION, by=Role.SHIFT_MANAGER)
AUDITOR = Person("oto", Post.AUDITOR, "")
NOW = 1_700_000_000_000_001


@pytest.fixture
def place(postgres: PrivatePostgres) -> PostgresPlace:
    return PostgresPlace(postgres)


@pytest.fixture
def opened(place: PostgresPlace) -> Iterator[Opened]:
    with opened_at(place) as opened:
        yield opened


Two = Callable[..., tuple[House, House]]


@pytest.fixture
def two(opened: Opened) -> Two:
    """Two servers: the first runs T1, the second T2, on one link."""
    return partial(two_servers, opened)


# ---------------------------------------------------------------- one of everything


def test_a_table_has_one_server(two: Two) -> None:
    """The other knows its terms, and sends people away."""
    one, other = two()
    answer = ask(other, AtTable(table="T1", command=OpenRound()))
    assert (answer.accepted, answer.code) == (False, "table_elsewhere")
    assert ask(other, OpenTable(table="T1", config=TableConfig(game="sun-casino-holdem"))).code == "table_exists"
    at(one, "T1", OpenRound())


def test_one_meter_whoever_adds_to_it(two: Two) -> None:
    """Contributions at tables of both servers; the pool is the meter in cents."""
    one, other = two(contribution=Rate(7, 33))
    for _ in range(3):
        at(one, "T1", *bets("ana"))
        play_out(one, "T1")
        at(other, "T2", *bets("ben"))
        play_out(other, "T2")
    other.collect(NOW)
    one.collect(NOW)
    assert one.links["main"] == other.links["main"]
    added = 6 * 500 * 7 * one.links["main"].scale // 33
    assert one.links["main"].contributed == added
    assert balance(one, "link/main/pool") == one.links["main"].cents
    checked_books(one.store)
    assert sum(other.store.balances().values()) == 0


@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "not kept"])
def test_an_id_that_another_server_answers_meanwhile_has_one_answer(
    two: Two, monkeypatch: pytest.MonkeyPatch, *, is_kept: bool
) -> None:
    """The second server has looked the id up before the first answers it, and would refuse: the chips are gone."""
    one, other = two()
    buy_in(one, "eve", "100.00")
    leaving = CashOut(player="eve", amount=money("100.00"))
    look_up, first = other._answered_before, list[Answer]()

    def overtaken(requests: Sequence[Request]) -> dict[str, tuple[bytes, Answer]]:
        found = look_up(requests)
        if not first:
            first.append(do(one, leaving, "same"))
        return found

    monkeypatch.setattr(other, "_answered_before", overtaken)
    monkeypatch.setattr(other._refusals, "keeps", lambda *_: is_kept)
    assert [ask(other, leaving, "same")] == first
    assert balance(one, "player/eve") == 0


def test_a_player_has_one_balance(two: Two) -> None:
    """What lies on a layout at one server cannot be bet at another."""
    one, other = two()
    buy_in(one, "eve", "100.00")
    at(one, "T1", OpenRound(), PlaceBet(player="eve", box=1, bet="ante", amount=money("60.00")))
    at(other, "T2", OpenRound())
    bet = AtTable(table="T2", command=PlaceBet(player="eve", box=1, bet="ante", amount=money("60.00")))
    assert ask(other, bet).code == "insufficient_funds"
    assert ask(other, CashOut(player="eve", amount=money("40.01"))).code == "insufficient_funds"
    do(other, CashOut(player="eve", amount=money("40.00")))
    assert balance(one, "player/eve") == 0


def test_what_one_server_opens_the_others_know(two: Two) -> None:
    """Tables, links and people."""
    one, other = two()
    open_table(one, "T9")
    do(one, EnrolPerson(name="mia", post=Post.DEALER, secret="x"))
    other.collect(NOW)
    assert not other.tables["T9"].ours
    assert "mia" in other.people.persons
    do(other, CloseLink(link="main", by="mia"))
    at(one, "T9", OpenRound())
    assert ask(one, AtTable(table="T9", command=PlaceBet(player="ana", box=1, bet="jackpot", amount=500))).code == (
        "link_closed"
    )


# ---------------------------------------------------------------- awards across servers


def test_the_earlier_deal_is_paid_first_though_another_server_runs_it(two: Two) -> None:
    """rws-multilink-holdem 4.5.2: T1 was dealt before T2; T2 is done first, and waits."""
    one, other = two(ROYAL, STRAIGHT_FLUSH)
    at(one, "T1", *bets("ana"))
    at(other, "T2", *bets("ben"))
    play_out(other, "T2")
    assert [case.round for case in other.links["main"].open_cases] == [("T2", 1)]
    before = balance(one, "player/ben")
    play_out(one, "T1")
    link = one.links["main"]
    assert [(hit.table, hit.amount) for hit in link.last_hits] == [("T1", 100_000_000), ("T2", 2_000_000)]
    assert balance(one, "player/ben") == before + 2_000_000, "paid at once, whichever server runs the table"
    assert other.collect(NOW) == []
    assert [case.state for case in other.links["main"].cases_of(("T2", 1))] == [CaseState.PAID]
    assert balance(one, "link/main/payable") == 0
    assert balance(one, "link/main/pool") == other.links["main"].cents == 18_000_000
    checked_books(one.store)


def test_an_award_of_another_servers_table_is_paid_with_the_command_that_lets_it(two: Two) -> None:
    """T2's award waits for T1; T1's server ends the round, and ben is paid in the same transaction."""
    one, other = two(NOTHING, STRAIGHT_FLUSH)
    at(one, "T1", *bets("ana"))
    at(other, "T2", *bets("ben"))
    play_out(other, "T2")
    before = balance(one, "player/ben")
    play_out(one, "T1")
    assert balance(one, "player/ben") == before + 10_000_000
    assert do(other, CollectAwards(link="main")).heads == {}
    at(other, "T2", OpenRound(), PlaceBet(player="ben", box=1, bet="ante", amount=5000))
    checked_books(one.store)


def test_a_server_notices_by_itself(two: Two) -> None:
    """Its writer hears of the other's commit, without a command: the award of its own table is paid."""
    one, other = two(NOTHING, STRAIGHT_FLUSH)
    at(one, "T1", *bets("ana"))
    at(other, "T2", *bets("ben"))
    play_out(other, "T2")
    before = balance(one, "player/ben")
    told: list[frozenset[str]] = []
    failures: list[BaseException] = []
    writer = Writer(other, moved=told.append, failed=failures.append)
    play_out(one, "T1")
    assert eventually(lambda: any("link/main" in moved for moved in told) or bool(failures))
    writer.close()
    assert failures == []
    assert balance(one, "player/ben") == before + 10_000_000
    assert [case.state for case in other.shown_links["main"].cases_of(("T2", 1))] == [CaseState.PAID]


def test_a_server_that_hears_nothing_notices_that_a_link_has_moved(two: Two) -> None:
    """The meter that it shows goes on, though nobody tells it of the other's commits; and only when it has moved."""
    one, other = two(NOTHING, STRAIGHT_FLUSH)
    at(one, "T1", *bets("ana"))
    other.collect(NOW)
    assert "link/main" in other.collected
    other.collected.clear()
    other.collect(NOW)
    assert other.collected == set()


def test_staff_of_one_server_rule_on_the_order_of_all(two: Two) -> None:
    """rws-multilink-holdem 4.5: whose Hands were dealt first, with tables of two servers in it."""
    one, other = two(ROYAL, STRAIGHT_FLUSH)
    at(one, "T1", *bets("ana"))
    at(other, "T2", *bets("ben"))
    do(other, RuleDealOrder(table="T2", by=Role.SHIFT_MANAGER, tables=("T2", "T1")))
    assert other.links["main"].dealt == (("T2", 1), ("T1", 1))
    play_out(other, "T2")
    assert [hit.amount for hit in other.links["main"].last_hits] == [10_000_000]
    assert ask(other, ReleaseAward(table="T1", by=Role.SHIFT_MANAGER)).code == "table_elsewhere"


# ---------------------------------------------------------------- faults of the whole link


def _one_server(tmp_path: Path, *decks: Mapping[str, str]) -> House:
    alone = house(SqlitePlace(tmp_path).open(), *decks)
    open_link(alone, contribution=Rate(1, 5))
    open_table(alone, "T1")
    open_table(alone, "T2")
    for player in ("ana", "ben"):
        buy_in(alone, player)
    return alone


@pytest.mark.parametrize(("first", "second"), [(ROYAL, ROYAL), (STRAIGHT_FLUSH, ROYAL), (NOTHING, STRAIGHT_FLUSH)])
@pytest.mark.parametrize("looked", [("T1", "T2"), ("T1",), ("T2",)])
def test_a_fault_of_the_link_is_the_same_on_two_servers_as_on_one(
    two: Two, tmp_path: Path, first: Mapping[str, str], second: Mapping[str, str], looked: tuple[str, ...]
) -> None:
    """rws-multilink-holdem 5.16, 5.17.1: whoever has looked goes on and is paid from the meter as registered then,
    one after the other; whoever has not is void."""
    one, other = two(first, second, contribution=Rate(1, 5))
    alone = _one_server(tmp_path, first, second)
    runs = {"T1": (one, "ana"), "T2": (other, "ben")}
    for table, (server, player) in runs.items():
        for running in (server, alone):
            at(running, table, *bets(player))
            if table in looked:
                at(running, table, ExamineHand(player=player, box=1))
    do(one, OnLink(link="main", report=FAULT))
    do(alone, OnLink(link="main", report=FAULT))
    for table in ("T2", "T1"):
        server = runs[table][0]
        server.collect(NOW)
        play_out(server, table)
        play_out(alone, table)
    for server in (one, other):
        server.collect(NOW)
    shared, single = one.links["main"], alone.links["main"]
    assert not shared.faults
    assert shared.last_hits == single.last_hits
    assert (shared.meter, shared.paid, shared.topped_up) == (single.meter, single.paid, single.topped_up)
    for table, (server, player) in runs.items():
        assert server.tables[table].round == alone.tables[table].round
        assert balance(one, f"player/{player}") == balance(alone, f"player/{player}")
    checked_books(one.store)
    alone.store.close()


def test_nobody_is_paid_before_every_server_has_met_the_fault(two: Two) -> None:
    """T2 won and waits for T1; the fault is reported at T1's server, and T2's has not met it yet."""
    one, other = two(NOTHING, STRAIGHT_FLUSH)
    at(one, "T1", *bets("ana"), ExamineHand(player="ana", box=1))
    at(other, "T2", *bets("ben"), ExamineHand(player="ben", box=1))
    play_out(other, "T2")
    do(one, OnLink(link="main", report=FAULT))
    play_out(one, "T1")
    assert [case.round for case in one.links["main"].open_cases] == [("T2", 1)]
    other.collect(NOW)
    assert [hit.amount for hit in other.links["main"].last_hits] == [10_000_000]
    assert balance(one, "link/main/payable") == 0


def test_only_faults_of_the_jackpot_are_reported_on_a_link(two: Two) -> None:
    """Another incident is one of a table."""
    one, _ = two()
    report = ReportIncident(incident=Incident.TECHNICAL_INTERRUPTION, by=Role.SHIFT_MANAGER)
    assert ask(one, OnLink(link="main", report=report)).code == "not_of_the_link"
    boxes = ReportIncident(incident=Incident.JACKPOT_MALFUNCTION, by=Role.SHIFT_MANAGER, boxes=(99,))
    assert ask(one, OnLink(link="main", report=boxes)).code == "unknown_box"
    assert not one.links["main"].faults


def test_a_table_that_opens_after_a_fault_has_none_to_carry_out(two: Two) -> None:
    """The audit asks for it only at tables that were there when it was reported."""
    one, other = two()
    at(one, "T1", *bets("ana"), ExamineHand(player="ana", box=1))
    at(other, "T2", *bets("ben"), ExamineHand(player="ben", box=1))
    do(one, OnLink(link="main", report=FAULT))
    opening = OpenTable(table="T3", config=TableConfig(game=HOLDEM, link="main"))
    assert one.process([Request("later", opening, NOW)])[0].accepted
    at(one, "T3", OpenRound())
    other.collect(NOW)
    assert audit(one.store).differences == ()


# ---------------------------------------------------------------- servers that go


def test_each_of_three_servers_carries_a_fault_out_at_its_own_tables(two: Two, opened: Opened) -> None:
    """Two faults: the second server has met both before the third has met the first."""
    one, other = two()
    third = house(opened(), runs=lambda name: name == "T3")
    open_table(third, "T3")
    for floor, table in ((other, "T2"), (third, "T3")):
        at(floor, table, OpenRound())
    for _ in range(2):
        do(one, OnLink(link="main", report=FAULT))
        assert other.collect(NOW) == ["main"]
    assert [fault.tables for fault in other.links["main"].faults] == [("T3",), ("T3",)]
    assert other.collect(NOW) == []
    assert third.collect(NOW) == ["main"]
    assert third.links["main"].faults == ()
    for table in ("T1", "T2", "T3"):
        reports = [record for record in one.store.read(f"table/{table}") if record.type == "IncidentReported"]
        assert len(reports) == 2, table
    assert audit(one.store).differences == ()


def test_a_dead_servers_table_is_taken_over_as_it_was_left(two: Two) -> None:
    """A round in flight goes on at the other server, with the deck that was sealed for it."""
    one, other = two(ROYAL)
    at(one, "T1", *bets("ana"), ExamineHand(player="ana", box=1))
    assert ask(other, TakeTable(table="T1")).code == "table_elsewhere"
    left = one.tables["T1"].round
    one.store.close()
    assert eventually(lambda: ask(other, TakeTable(table="T1")).accepted)
    do(other, TakeTable(table="T1"))
    assert other.tables["T1"].round == left
    play_out(other, "T1")
    assert other.tables["T1"].round.stage is Stage.SETTLED
    assert [hit.amount for hit in other.links["main"].last_hits] == [100_000_000]
    assert ask(other, TakeTable(table="T7")).code == "unknown_table"
    checked_books(other.store)


def test_a_table_that_a_standby_has_taken_stays_in_the_lobby_of_the_server_that_comes_back(
    two: Two, opened: Opened
) -> None:
    """With its terms as they were last changed, and marked; where its Round stands is known at the other server."""
    one, other = two()
    do(one, ChangeTerms(table="T1", by="max", limits={"ante": (500, 60000)}))
    one.store.close()
    assert eventually(lambda: ask(other, TakeTable(table="T1")).accepted)
    at(other, "T1", *bets("ana"))
    again = house(opened(), runs=lambda name: name == "T1")
    assert not again.tables["T1"].ours
    told = {line.table: line for line in floor_tables(again, AUDITOR)}
    assert set(told) == {"T1", "T2"}
    taken = told["T1"]
    assert (taken.elsewhere, taken.stage, taken.round, taken.seats) == (True, None, None, ())
    assert (taken.link, taken.game, taken.closed) == ("main", "rws-multilink-holdem", False)
    assert taken.limits == {**told["T2"].limits, "ante": ("5.00", "600.00")}
    do(other, CloseTable(table="T1", by="max"))
    open_table(other, "T3")
    again.collect(NOW)
    told = {line.table: line for line in floor_tables(again, AUDITOR)}
    assert (told["T1"].closed, told["T3"].elsewhere) == (True, True)
    other.store.close()
    assert eventually(lambda: again.collect(NOW) == [] and again.tables["T1"].ours)
    assert [line.elsewhere for line in floor_tables(again, AUDITOR)] == [False, True, True]


def test_a_server_that_comes_back_runs_its_tables_again(two: Two, opened: Opened) -> None:
    """It takes what it is told to run, and nothing of the others."""
    one, other = two()
    at(one, "T1", *bets("ana"))
    left = one.tables["T1"].round
    one.store.close()
    again = house(opened(), runs=lambda name: name == "T1")
    assert eventually(lambda: again.collect(NOW) == [] and again.tables["T1"].ours)
    assert again.tables["T1"].round == left
    assert not again.tables["T2"].ours
    play_out(again, "T1")
    at(other, "T2", OpenRound())


def test_a_server_that_comes_back_too_soon_takes_its_tables_when_they_are_free(two: Two, opened: Opened) -> None:
    """The connection of its earlier life has not ended yet."""
    one, _ = two()
    at(one, "T1", *bets("ana"))
    again = house(opened(), runs=lambda name: name == "T1")
    assert not again.tables["T1"].ours
    again.collect(NOW)
    assert not again.tables["T1"].ours
    left = one.tables["T1"].round
    one.store.close()
    assert eventually(lambda: again.collect(NOW) == [] and again.tables["T1"].ours)
    assert again.tables["T1"].round == left
    assert not again.tables["T2"].ours
    play_out(again, "T1")
    checked_books(again.store)


# ---------------------------------------------------------------- the same command at two servers


def test_a_command_sent_to_two_servers_acts_once(two: Two) -> None:
    """The second gives the first one's answer; with another body it is refused."""
    one, other = two()
    first = do(one, BuyIn(player="eve", amount=500), "once")
    assert do(other, BuyIn(player="eve", amount=500), "once") == first
    assert ask(other, BuyIn(player="eve", amount=501), "once").code == "id_reused"
    assert balance(one, "player/eve") == 500


def test_a_command_sent_to_two_servers_at_the_same_time_acts_once(two: Two) -> None:
    """Twenty ids, each at both servers at once."""
    one, other = two()
    answers: list[list[object]] = [[], []]

    def send(number: int, server: House) -> None:
        for k in range(20):
            answers[number].append(do(server, BuyIn(player="eve", amount=500), f"both-{k}"))

    threads = [Thread(target=send, args=(number, server)) for number, server in enumerate((one, other))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers[0] == answers[1]
    assert balance(one, "player/eve") == 20 * 500


def test_a_server_that_was_second_judges_again(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two commands with one id that share no lock: the second finds the first one's answer, and did nothing."""
    one, other = two()
    open_table(one, "U1", link=None)
    open_table(other, "U2", link=None)
    write, beaten = one.store.write, list[Answer]()

    def write_second(batch: Batch) -> None:
        if not beaten:
            beaten.append(do(other, AtTable(table="U2", command=OpenRound()), "same"))
        write(batch)

    monkeypatch.setattr(one.store, "write", write_second)
    assert ask(one, AtTable(table="U1", command=OpenRound()), "same").code == "id_reused"
    assert one.tables["U1"].round.stage is Stage.IDLE
    assert one.store.head("table/U1").seq == 0
    at(one, "U1", OpenRound())
    at(one, "T1", *bets("ana"))


def test_a_damaged_state_of_the_link_is_passed_over(two: Two, place: PostgresPlace) -> None:
    """The records hold everything that it held."""
    one, other = two(contribution=Rate(1, 5))
    at(one, "T1", *bets("ana"))
    place.raw("UPDATE links SET state = convert_to(replace(convert_from(substr(state, 33), 'UTF8'), '1', '2'), 'UTF8')")
    other.collect(NOW)
    at(other, "T2", *bets("ben"))
    assert other.links["main"].contributed == 2 * 100 * other.links["main"].scale
    one.collect(NOW)
    assert one.links["main"] == other.links["main"]


@pytest.mark.parametrize("bad", ["zero\0", "", "x" * 201, "line\nbreak"])
def test_text_that_a_database_cannot_keep_is_refused_and_stops_nothing(two: Two, bad: str) -> None:
    """An id or a name with a zero character."""
    one, _ = two()
    assert ask(one, BuyIn(player="eve", amount=500), bad or "\0").code == "unfit"
    if "\0" in bad:
        assert ask(one, BuyIn(player=bad, amount=500)).code == "unfit"
        assert ask(one, CloseLink(link=bad, by="mia")).code == "unfit"
        assert ask(one, AtTable(table="T1", command=PlaceBet(player=bad, box=1, bet="ante", amount=1))).code == "unfit"
    do(one, BuyIn(player="eve", amount=500))


def test_a_winner_whom_a_server_did_not_know_of_is_shown_what_he_holds(two: Two) -> None:
    """T2 claims after the first server has looked; the first one's command pays, and knows ben's whole balance."""
    one, other = two(NOTHING, STRAIGHT_FLUSH)
    at(one, "T1", *bets("ana"))
    at(other, "T2", *bets("ben"))
    play_out(other, "T2")
    assert not one.links["main"].open_cases
    play_out(one, "T1")
    held = one.store.balances()["player/ben"]
    assert held > 10_000_000
    assert one.balances["player/ben"] == one.shown_balances["player/ben"] == held


def test_a_person_with_bets_at_a_table_of_another_server_is_not_removed(two: Two) -> None:
    """The other server knows it from the record, with every chip on the layout; so it does of a name that is new."""
    one, other = two()
    do(one, EnrolPerson(name="kim", post=Post.PLAYER, secret=""))
    buy_in(one, "kim", "10.00")
    at(one, "T1", OpenRound(), PlaceBet(player="kim", box=1, bet="ante", amount=money("10.00")))
    answer = ask(other, RemovePerson(name="kim"))
    assert (answer.code, answer.message) == (
        "holds_chips", "kim has bets at table T1 and cannot be removed: cash out first.",
    )  # fmt: skip
    at(other, "T2", OpenRound(), PlaceBet(player="ben", box=1, bet="ante", amount=money("10000.00") // 100))
    assert ask(one, EnrolPerson(name="ben", post=Post.PLAYER, secret="")).code == "name_holds_money"
    do(other, EnrolPerson(name="lee", post=Post.PLAYER, secret=""))
    do(one, RemovePerson(name="lee"))
