"""A ruling reaches the dealer: what was ruled, by whom, and in whose words; an order of cards says where they go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.floor.duties.permissions import Post
from tests.floor.people.test_four_eyes import step
from tests.floor.serving import Served, quiet

ORDER = "card 1 to Box 2, card 2 to Box 1"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, {"T1": quiet(physical=True)}) as served:
        step(served, Post.DEALER, "open")
        for box in (1, 2):
            step(served, Post.PLAYER, "bet", box=box, bet="ante", amount="25.00")
        step(served, Post.DEALER, "close_bets")
        step(served, Post.DEALER, "deal")
        yield served


def rulings(served: Served) -> list[dict[str, object]]:
    with served.http(Post.DEALER) as client:
        told: list[dict[str, object]] = client.get("/api/tables/T1/procedure").json()["rulings"]
        return told


def test_the_order_of_cards_drawn_together_reaches_the_dealer(served: Served) -> None:
    """rws-multilink-holdem 5.14.1: with the order, the boxes of the report, and the name of who ruled."""
    step(served, Post.DEALER, "report", incident="simultaneous_draw", boxes=[1, 2])
    with served.http(Post.PIT_SUPERVISOR) as pit:
        (awaited,) = pit.get("/api/tables/T1").json()["awaiting"]
    assert (awaited["answer"], awaited["named"]) == ("card_order", [1, 2])
    refused = served.step(Post.PIT_SUPERVISOR, "rule", decision="card_order")
    assert (refused["code"], str(refused["message"]).startswith("Say where each card goes")) == ("bad_request", True)
    assert rulings(served) == []
    step(served, Post.PIT_SUPERVISOR, "rule", decision="card_order", text=ORDER)
    (ruling,) = rulings(served)
    assert (ruling["decision"], ruling["by"], ruling["who"]) == ("card_order", "pit_supervisor", "pit_supervisor")
    assert ruling["text"] == ORDER


def test_a_ruling_on_what_no_paragraph_covers_reaches_the_dealer(served: Served) -> None:
    """rws-multilink-holdem 5.23: the shift manager lets the round stand; the next round has nothing of it."""
    step(served, Post.DEALER, "report", incident="uncovered", text="A player walked away.")
    step(served, Post.SHIFT_MANAGER, "rule", decision="stand", text="Called away.")
    (ruling,) = rulings(served)
    assert (ruling["decision"], ruling["who"], ruling["text"]) == ("stand", "shift_manager", "Called away.")
    for box in (1, 2):
        step(served, Post.PLAYER, "decide", box=box, choice="fold")
    step(served, Post.DEALER, "open")
    assert rulings(served) == []


def test_who_has_carried_a_ruling_out_is_on_record(served: Served) -> None:
    """The dealer confirms it once for every console; another person's confirmation says whose was first."""
    step(served, Post.DEALER, "report", incident="simultaneous_draw", boxes=[1, 2])
    step(served, Post.PIT_SUPERVISOR, "rule", decision="card_order", text=ORDER)
    (ruling,) = rulings(served)
    assert ruling["carried_out_by"] == ""

    def confirm(post: Post, number: object) -> dict[str, object]:
        with served.http(post) as client:
            body = {"id": f"{post}{number}", "ruling": number}
            told: dict[str, object] = client.post("/api/tables/T1/ruling-done", json=body).json()
            return told

    assert confirm(Post.DEALER, 999)["code"] == "unknown_ruling"
    assert confirm(Post.DEALER, ruling["number"])["accepted"]
    assert confirm(Post.DEALER, ruling["number"])["accepted"], "the same id gets the same answer"
    again = confirm(Post.PIT_SUPERVISOR, ruling["number"])
    assert (again["code"], "dealer confirmed it" in str(again["message"])) == ("ruling_done", True)
    (told,) = rulings(served)
    assert told["carried_out_by"] == "dealer"
    (record,) = [record for record in served.records("people") if record.type == "RulingCarriedOut"]
    assert f'"ruling":{ruling["number"]}' in record.data.decode()
