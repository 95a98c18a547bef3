"""The limit of one box, set by the pit: from the next round on, offered and judged alike, kept over a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer, AtTable, ChangeTerms
from croupier.floor.records.refusals import Code
from croupier.floor.views.table_views import live_view
from croupier.money import money
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet
from croupier.rounds.refusal import Code as RuleCode
from tests.floor.house_builder import ChosenDecks, ask, at, buy_in, do, house, open_table
from tests.stores import Opened, SqlitePlace, opened_at

ANA = Person("ana", Post.PLAYER, "")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    with opened_at(SqlitePlace(tmp_path)) as opened:
        yield opened


def limit(floor: House, **boxes: str) -> Answer:
    limits = {box.removeprefix("box_"): money(most) for box, most in boxes.items()}
    return ask(floor, ChangeTerms(table="T1", by="max", box_limits=limits))


def bet(floor: House, box: int, amount: str) -> Answer:
    return ask(floor, AtTable(table="T1", command=PlaceBet(player="ana", box=box, bet="ante", amount=money(amount))))


def most(floor: House, box: int) -> str:
    """What ana is offered as Ante on a box."""
    view = live_view(floor, floor.shown["T1"], ANA)
    return next(bet.most for bet in view.bets if (bet.box, bet.bet) == (box, "ante"))


def next_round(floor: House) -> None:
    at(floor, "T1", CloseBets(), DecideHand(box=2, choice="fold"), OpenRound())


def test_a_limited_box_takes_less_than_the_table(opened: Opened) -> None:
    """From the next round on; what is offered is what is taken, and the audit judges the same."""
    floor = house(opened())
    open_table(floor, "T1", link=None)
    buy_in(floor, "ana")
    at(floor, "T1", OpenRound())
    assert limit(floor, box_2="100.00").accepted
    assert bet(floor, 2, "150.00").accepted, "the round in play goes on as it began"
    next_round(floor)
    assert (most(floor, 2), most(floor, 3)) == ("100.00", "500.00")
    refused = bet(floor, 2, "150.00")
    assert (refused.code, refused.message) == (
        RuleCode.OVER_MAXIMUM,
        "Box 2: ante 150.00 is over the maximum of 100.00; at most 100.00 may be placed.",
    )
    assert bet(floor, 2, "60.00").accepted
    assert bet(floor, 2, "60.00").code == RuleCode.OVER_MAXIMUM
    assert most(floor, 2) == "40.00"
    assert bet(floor, 3, "150.00").accepted
    assert [str(difference) for difference in audit(floor.store).differences] == []


def test_a_restart_keeps_the_limit_and_the_pit_lifts_it(opened: Opened) -> None:
    """Zero is no limit but the table's."""
    floor = house(opened())
    open_table(floor, "T1", link=None)
    assert limit(floor, box_2="100.00").accepted
    floor = House(floor.store, ChosenDecks(iter(())).chance)
    assert floor.tables["T1"].latest.box_limits == {"2": money("100.00")}
    assert limit(floor, box_2="0.00").accepted
    assert floor.tables["T1"].latest.box_limits == {}


@pytest.mark.parametrize("boxes", [{"box_9": "10.00"}, {"box_x": "10.00"}, {"box_0": "10.00"}])
def test_a_box_that_is_not_there_is_not_limited(opened: Opened, boxes: dict[str, str]) -> None:
    """Nothing is recorded."""
    floor = house(opened())
    open_table(floor, "T1", link=None)
    assert limit(floor, **boxes).code == Code.BAD_TERMS


def test_a_box_is_not_limited_below_the_least_ante(opened: Opened) -> None:
    """Nobody could bet there; nor is the least Ante raised above what a box may hold."""
    floor = house(opened())
    open_table(floor, "T1", link=None)
    refused = limit(floor, box_2="1.00")
    assert (refused.code, refused.message) == (
        Code.BAD_TERMS,
        (
            "Box 2 cannot be limited to 1.00: the table's least Ante is 10.00. "
            "Leave the field empty for the table's own limit."
        ),
    )
    assert limit(floor, box_2="10.00").accepted
    raised = {"ante": (money("20.00"), money("500.00"))}
    assert ask(floor, ChangeTerms(table="T1", by="max", limits=raised)).code == Code.BAD_TERMS
    assert limit(floor, box_2="0.00").accepted
    assert ask(floor, ChangeTerms(table="T1", by="max", limits=raised)).accepted


def test_the_audit_finds_a_bet_above_the_limit_of_its_box(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that forgot the limit has it in its records."""
    floor = house(opened())
    open_table(floor, "T1", link=None)
    buy_in(floor, "ana")
    do(floor, ChangeTerms(table="T1", by="max", box_limits={"2": money("100.00")}))
    at(floor, "T1", OpenRound())
    monkeypatch.setattr("croupier.floor.house.round_play._completed", lambda _, __, command: command)
    assert bet(floor, 2, "150.00").accepted
    (found,) = [str(difference) for difference in audit(floor.store).differences]
    assert "over the maximum of 100.00" in found
