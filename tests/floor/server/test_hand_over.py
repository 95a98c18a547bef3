"""A table handed from one dealer to another: the count of the tray and the names of two people go on record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.people.people import People, Person, evolve_people
from croupier.floor.records.people_facts import TableHandedOver
from croupier.journal.store_address import open_store
from tests.floor.serving import Served, quiet

PASSWORD = "a long password"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    tables = {"T1": quiet(), "T2": quiet(), "Alone": quiet(staffed=False)}
    with Served(tmp_path_factory.mktemp("hand-over"), tables) as served:
        served.enrol("eve", Post.DEALER, PASSWORD)
        yield served


def hand_over(served: Served, to: str, count: str = "1250.00", table: str = "T1") -> dict[str, object]:
    with served.http(Post.DEALER) as client:
        told: dict[str, object] = client.post(f"/api/tables/{table}/hand-over", json={"to": to, "count": count}).json()
        return told


def test_a_shift_is_handed_over_with_its_count_and_two_names(served: Served) -> None:
    """The dealer counts 1,250.00 and names eve; the supervisor signs; the record holds all of it and is audited."""
    proposal = hand_over(served, "eve")
    with served.http(Post.PIT_SUPERVISOR) as supervisor:
        assert supervisor.post(f"/api/proposals/{proposal['id']}/sign", json={}).json()["accepted"]
    record = served.records("people")[-2]
    assert record.type == "TableHandedOver"
    for said in ('"count":125000', '"table":"T1"', '"by":"dealer"', '"second":"pit_supervisor"'):
        assert said in record.data.decode()
    store = open_store(served.floor.house.store.url, create=False, read_only=True)
    try:
        assert [str(difference) for difference in audit(store).differences] == []
    finally:
        store.close()


@pytest.mark.parametrize("to", ["dealer", "player", "nobody"])
def test_a_table_is_handed_to_another_dealer(served: Served, to: str) -> None:
    """Not to oneself, not to a player, not to a stranger."""
    assert hand_over(served, to, table="T2")["code"] == "unknown_person"


def test_a_table_without_a_dealer_has_no_shift(served: Served) -> None:
    """It runs by itself: the house refuses what was signed for."""
    proposal = hand_over(served, "eve", table="Alone")
    with served.http(Post.PIT_SUPERVISOR) as supervisor:
        assert supervisor.post(f"/api/proposals/{proposal['id']}/sign", json={}).json()["code"] == "no_hand_over"


def sign(served: Served, proposal: dict[str, object]) -> None:
    with served.http(Post.PIT_SUPERVISOR) as supervisor:
        assert supervisor.post(f"/api/proposals/{proposal['id']}/sign", json={}).json()["accepted"]


def test_who_has_handed_a_table_over_takes_no_step_there_until_it_comes_back(tmp_path: Path) -> None:
    """Over HTTP and over a connection that was open before, also after a restart; the supervisor keeps the authority,
    and the tray that the house expects stands beside the next count."""
    tables = {"T1": quiet(physical=True), "T2": quiet(physical=True)}
    with Served(tmp_path, tables) as served:
        served.enrol("eve", Post.DEALER, PASSWORD)
        with served.live(Post.DEALER) as live:
            sign(served, hand_over(served, "eve", "1000.00"))
            told = live.ask({"type": "command", "id": "x", "table": "T1", "command": {"do": "open"}})
        assert (told["code"], "dealer has handed table T1 over" in str(told["message"])) == ("not_assigned", True)
        assert served.step(Post.DEALER, "open", "T2")["accepted"], "another table is not meant"
        assert served.step(Post.PIT_SUPERVISOR, "open")["accepted"]
    with Served(tmp_path, tables) as served:
        assert served.step(Post.DEALER, "close_bets")["code"] == "not_assigned"
        bet = {"player": "player", "box": 1, "bet": "ante", "amount": "25.00"}
        assert served.step(Post.DEALER, "bet", "T1", **bet)["code"] == "not_assigned"
        with served.http(Post.DEALER) as dealer, served.http(Post.PIT_SUPERVISOR) as supervisor:
            buy_in = {"id": "b", "box": 2, "amount": "100.00"}
            assert dealer.post("/api/tables/T1/buy-in", json=buy_in).json()["code"] == "not_assigned"
            assert "handed table T1 over" in dealer.get("/api/tables/T1/procedure").json()["left"]
            assert supervisor.post("/api/tables/T1/buy-in", json=buy_in).status_code == 200
            assert dealer.post("/api/tables/T1/hand-over", json={"to": "eve", "count": "1.00"}).status_code == 403
            back = supervisor.post("/api/tables/T1/hand-over", json={"to": "dealer", "count": "890.00"}).json()
            told = dealer.get("/api/tables/T1/procedure").json()
            assert told["hand_overs"] == [{"to": "dealer", "count": "890.00", "expected": "900.00"}]
        with served.http(Post.SHIFT_MANAGER) as manager, served.live(Post.DEALER) as live:
            live.send({"type": "watch_table", "table": "T1"})
            assert live.receive()["may"] == []
            (waits,) = manager.get("/api/proposals").json()
            assert waits["hand_over"] == {"to": "dealer", "count": "890.00", "expected": "900.00"}
            assert manager.post(f"/api/proposals/{back['id']}/sign", json={}).json()["accepted"]
            assert "bet" in str(live.receive()["may"]), "a console that is open follows the hand-over"
        with served.http(Post.DEALER) as dealer:
            told = dealer.get("/api/tables/T1/procedure").json()
        assert (told["left"], told["handed_over"]["count"], told["handed_over"]["expected"]) == ("", "890.00", "900.00")
        assert served.step(Post.DEALER, "bet", "T1", **bet)["accepted"]
        assert served.floor.house.people.persons["eve"].handed_over == ("T1",), "who dealt it before has left it"
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", create=False, read_only=True)
    assert [str(difference) for difference in audit(store).differences] == []
    store.close()


def test_the_person_who_takes_over_does_not_sign_for_it(served: Served) -> None:
    """A supervisor who is to deal is a party to the hand-over: another person of the pit signs."""
    key = hand_over(served, "pit_supervisor", table="T2")["id"]
    with served.http(Post.PIT_SUPERVISOR) as supervisor, served.http(Post.SHIFT_MANAGER) as manager:
        (waits,) = [told for told in supervisor.get("/api/proposals").json() if told["id"] == key]
        assert waits["may_sign"] is False
        refused = supervisor.post(f"/api/proposals/{key}/sign", json={}).json()
        assert (refused["code"], "takes a table over" in refused["message"]) == ("two_people", True)
        assert manager.post(f"/api/proposals/{key}/sign", json={}).json()["accepted"]


def test_the_first_count_of_a_shift_is_what_the_next_one_is_compared_with(tmp_path: Path) -> None:
    """The house asks for the float until it is counted; the buy-in after it leaves the tray with less."""
    with Served(tmp_path, {"T1": quiet(physical=True), "Alone": quiet(staffed=False)}) as served:
        served.enrol("eve", Post.DEALER, PASSWORD)
        with served.http(Post.DEALER) as dealer:
            assert dealer.get("/api/tables/T1/procedure").json()["counted"] is False
            assert dealer.get("/api/tables/Alone/procedure").json()["counted"] is True, "it has no tray to count"
            count = {"id": "count", "count": "2000.00"}
            assert dealer.post("/api/tables/Alone/tray-count", json=count).json()["code"] == "no_hand_over"
            below = dealer.post("/api/tables/T1/tray-count", json={"id": "below", "count": "-1.00"}).json()
            assert below["code"] == "bad_request"
            assert dealer.post("/api/tables/T1/tray-count", json={**count, "id": "first"}).json()["accepted"]
            told = dealer.get("/api/tables/T1/procedure").json()
            assert (told["counted"], told["handed_over"]) == (True, None)
            dealer.post("/api/tables/T1/buy-in", json={"id": "b", "box": 2, "amount": "100.00"})
        proposal = hand_over(served, "eve", "1890.00")
        with served.http(Post.DEALER) as dealer:
            (waits,) = dealer.get("/api/tables/T1/procedure").json()["hand_overs"]
        assert (waits["count"], waits["expected"]) == ("1890.00", "1900.00")
        sign(served, proposal)
        with served.http(Post.PIT_SUPERVISOR) as pit:
            told = pit.get("/api/tables/T1/procedure").json()
        assert (told["handed_over"]["expected"], told["counted"]) == ("1900.00", True)
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", create=False, read_only=True)
    assert [str(difference) for difference in audit(store).differences] == []
    store.close()


def test_a_hand_over_of_an_earlier_release_holds_nobody_off() -> None:
    """Its record does not say when it was: both dealers may deal, as they could then."""
    people = People(persons={name: Person(name, Post.DEALER, "") for name in ("dealer", "eve")})
    earlier = TableHandedOver(table="T1", count=0, to="eve", by="dealer", second="pit_supervisor")
    assert evolve_people(people, earlier) == people
    assert evolve_people(people, replace(earlier, at=1)).persons["dealer"].handed_over == ("T1",)
