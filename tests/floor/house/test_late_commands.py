"""A command is meant for a round and a decision: one that comes late is refused by name, never applied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.floor.duties.permissions import Post
from croupier.floor.records.commands import AssignPerson, AtTable
from croupier.journal.store import Store
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet, ReportIncident
from croupier.rulebooks.vocabulary import Role
from tests.floor.house_builder import ask, at, bets, buy_in, do, house, open_link, open_table, play_out
from tests.floor.serving import Served, quiet
from tests.stores import SqlitePlace

BET = PlaceBet(player="ana", box=1, bet="ante", amount=5000)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = SqlitePlace(tmp_path).open()
    yield store
    store.close()


def test_a_bet_for_a_round_that_is_over_does_not_reach_the_next(store: Store) -> None:
    """Sent in round 1, on its way until round 2 is open."""
    floor = house(store)
    open_link(floor)
    open_table(floor, "T1")
    buy_in(floor, "ana")
    at(floor, "T1", *bets("ana"))
    play_out(floor, "T1")
    at(floor, "T1", OpenRound())
    late = ask(floor, AtTable(table="T1", command=BET, round=1))
    assert (late.code, late.message) == ("another_round", "The command is for round 1, and table T1 is at round 2.")
    assert floor.tables["T1"].round.boxes[0].stakes == ()
    do(floor, AtTable(table="T1", command=BET, round=2))


def test_opening_twice_opens_once(store: Store) -> None:
    """Both consoles saw round 0; the second command is meant for what is over."""
    floor = house(store)
    open_table(floor, "T1", link=None)
    buy_in(floor, "ana")
    do(floor, AtTable(table="T1", command=OpenRound(), round=0))
    at(floor, "T1", BET, CloseBets(), DecideHand(box=1, choice="fold"))
    assert ask(floor, AtTable(table="T1", command=OpenRound(), round=0)).code == "another_round"


def test_a_check_for_the_turn_does_not_check_the_river(store: Store) -> None:
    """The same word, another decision."""
    floor = house(store)
    open_table(floor, "T1", link=None)
    buy_in(floor, "ana")
    at(floor, "T1", OpenRound(), BET, CloseBets(), DecideHand(box=1, choice="flop"))
    check = DecideHand(box=1, choice="check")
    do(floor, AtTable(table="T1", command=check, round=1, decided=1))
    late = ask(floor, AtTable(table="T1", command=check, round=1, decided=1))
    assert late.code == "another_decision"
    assert late.message == "The command is for decision 2 of box 1, which is at 3."
    assert floor.tables["T1"].round.boxes[0].choices == ("flop", "check")


def test_what_waits_for_its_ruling_is_not_reported_again(store: Store) -> None:
    """rws-multilink-holdem 5.14: two consoles report the same draw; another fact of it is another report."""
    floor = house(store)
    open_table(floor, "T1", link=None)
    buy_in(floor, "ana")
    at(floor, "T1", OpenRound(), BET, CloseBets())
    drawn = ReportIncident(incident="simultaneous_draw", boxes=(1,))
    do(floor, AtTable(table="T1", command=drawn, round=1))
    again = ask(floor, AtTable(table="T1", command=replace(drawn, by=Role.PIT_SUPERVISOR), round=1))
    assert again.code == "already_reported"
    assert len(floor.tables["T1"].round.awaiting) == 1
    do(floor, AtTable(table="T1", command=replace(drawn, boxes=(1,), community=True), round=1))


def test_an_id_that_was_answered_gets_its_answer_before_anything_is_asked_of_the_person(tmp_path: Path) -> None:
    """The box was the player's when he decided; the round is over when he asks again: no 403, no record of one."""
    with Served(tmp_path) as served:
        assert served.step(Post.DEALER, "open")["accepted"]
        assert served.step(Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")["accepted"]
        assert served.step(Post.DEALER, "close_bets")["accepted"]
        decide = {"id": "once", "do": "decide", "box": 1, "choice": "fold", "round": 1, "decided": 0}
        with served.http(Post.PLAYER) as client:
            first = client.post("/api/tables/T1/commands", json=decide)
            assert first.json()["accepted"]
            assert served.step(Post.DEALER, "open")["accepted"]
            again = client.post("/api/tables/T1/commands", json=decide)
            assert (again.status_code, again.json()) == (first.status_code, first.json())
            other = client.post("/api/tables/T1/commands", json={**decide, "id": "another"})
            assert other.status_code == 403
            for field in ("round", "decided"):
                odd = client.post("/api/tables/T1/commands", json={**decide, "id": "odd", "box": 9, field: "1"})
                assert (odd.status_code, odd.json()["code"]) == (400, "bad_request")
        refusals = [record for record in served.records("people") if record.type == "AccessRefused"]
        assert len(refusals) == 1


def test_an_id_that_was_answered_gets_its_answer_where_the_person_no_longer_works(tmp_path: Path) -> None:
    """The dealer opened the round and was then assigned to another table: the same id is not an attempt to act here."""
    with Served(tmp_path, {"T1": quiet(), "T2": quiet()}) as served, served.http(Post.DEALER) as client:
        sent = {"id": "once", "do": "open"}
        first = client.post("/api/tables/T1/commands", json=sent)
        assert first.json()["accepted"]
        assert served.ask(AssignPerson(name=Post.DEALER.value, by="operator test", tables=("T2",))).accepted
        again = client.post("/api/tables/T1/commands", json=sent)
        assert (again.status_code, again.json()) == (first.status_code, first.json())
        other = client.post("/api/tables/T1/commands", json={**sent, "id": "another"})
        assert (other.status_code, other.json()["code"]) == (403, "not_assigned")
        assert [record.type for record in served.records("people")].count("AccessRefused") == 1


@pytest.mark.parametrize("place", ["tables/T1", "links/main"])
def test_a_manager_who_was_assigned_elsewhere_since_gets_the_answer_again(tmp_path: Path, place: str) -> None:
    """The table and its link were closed by the manager before; another id is refused, and that is on record."""
    night = replace(quiet(), pit="night", link=None)
    with Served(tmp_path, {"T1": quiet(), "T2": night}) as served, served.http(Post.PIT_MANAGER) as client:
        first = client.post(f"/api/{place}/close", json={"id": "once"})
        assert first.json()["accepted"]
        assert served.ask(AssignPerson(name=Post.PIT_MANAGER.value, by="operator test", pits=("night",))).accepted
        again = client.post(f"/api/{place}/close", json={"id": "once"})
        assert (again.status_code, again.json()) == (first.status_code, first.json())
        other = client.post(f"/api/{place}/reopen", json={"id": "another"})
        assert (other.status_code, other.json()["code"]) == (403, "not_assigned")
        assert [record.type for record in served.records("people")].count("AccessRefused") == 1
