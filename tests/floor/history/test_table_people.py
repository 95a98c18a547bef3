"""The people at a table, as the journal tells: after a restart the console knows who sits where and who took over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from croupier.floor.duties.permissions import Post
from tests.floor.serving import Served, quiet

_IDS = count(1)
TABLES = {"T1": quiet(physical=True), "T2": quiet(physical=True), "Alone": quiet(staffed=False)}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, TABLES) as served:
        served.enrol("eve", Post.DEALER, "a long password")
        yield served


def chips(served: Served, kind: str, **body: object) -> None:
    with served.http(Post.DEALER) as client:
        told = client.post(f"/api/tables/T1/{kind}", json={"id": f"c{next(_IDS)}", "amount": "100.00", **body})
        assert told.status_code == 200, told.text


def procedure(served: Served, table: str = "T1", post: Post = Post.DEALER) -> dict[str, object]:
    with served.http(post) as client:
        told: dict[str, object] = client.get(f"/api/tables/{table}/procedure").json()
        return told


def seats(served: Served) -> dict[int, str]:
    found = procedure(served)["seats"]
    assert isinstance(found, list)
    return {seat["box"]: seat["player"] for seat in found}


def hand_over(served: Served, to: str, table: str = "T1") -> None:
    with served.http(Post.DEALER) as dealer, served.http(Post.PIT_SUPERVISOR) as supervisor:
        proposal = dealer.post(f"/api/tables/{table}/hand-over", json={"to": to, "count": "900.00"}).json()
        assert supervisor.post(f"/api/proposals/{proposal['id']}/sign", json={}).json()["accepted"]


def test_who_bought_in_and_who_took_over_outlive_the_server(tmp_path: Path) -> None:
    """A named player and a patron without an account who have not bet, and the hand-over, are there after a restart."""
    with Served(tmp_path, TABLES) as served:
        served.enrol("eve", Post.DEALER, "a long password")
        chips(served, "buy-in", box=2, player="player")
        chips(served, "buy-in", box=5)
        hand_over(served, "eve")
        before = seats(served), procedure(served)["handed_over"]
    with Served(tmp_path, TABLES) as served:
        assert (seats(served), procedure(served)["handed_over"]) == before
    assert before[0] == {2: "player", 5: "T1 box 5"}
    assert isinstance(before[1], dict)
    assert before[1]["to"] == "eve"


def test_a_player_who_takes_all_chips_away_leaves_the_box(served: Served) -> None:
    """Part of the chips is not enough; a bet after that is what counts."""
    chips(served, "buy-in", box=3)
    chips(served, "chips-out", box=3, player="T1 box 3", amount="40.00")
    assert seats(served)[3] == "T1 box 3"
    chips(served, "chips-out", box=3, player="T1 box 3", amount="60.00")
    assert 3 not in seats(served)
    chips(served, "buy-in", box=3, player="player")
    assert served.step(Post.DEALER, "open")["accepted"]
    assert served.step(Post.DEALER, "bet", player="T1 box 3", box=3, bet="ante", amount="25.00")["code"]
    assert served.step(Post.DEALER, "bet", player="player", box=3, bet="ante", amount="25.00")["accepted"]
    assert seats(served)[3] == "player"


def test_a_dealer_of_two_tables_is_named_at_both(served: Served) -> None:
    """Until a round is over or the table is handed over; a person of the pit who opens another is not that dealer."""
    assert procedure(served)["deals_at"] == []
    assert served.step(Post.DEALER, "open", "T1")["accepted"]
    assert procedure(served, "T2")["deals_at"] == ["T1"]
    assert procedure(served, "T2", Post.PIT_MANAGER)["deals_at"] == []
    assert served.step(Post.DEALER, "open", "T2")["accepted"]
    with served.http(Post.PIT_SUPERVISOR) as pit:
        dealers = {line["table"]: line["dealer"] for line in pit.get("/api/figures").json()["tables"]}
        assert dealers == {"T1": "dealer", "T2": "dealer", "Alone": ""}
        hand_over(served, "eve", "T2")
        dealers = {line["table"]: line["dealer"] for line in pit.get("/api/figures").json()["tables"]}
        assert dealers["T2"] == "eve"
    assert procedure(served, "T1")["deals_at"] == []
