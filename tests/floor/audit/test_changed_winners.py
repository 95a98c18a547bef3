"""A changed winner is found although every hash was made anew: `verify.py` settles the bets itself."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from croupier import verify
from croupier.cards import Card
from croupier.floor.history.export import AUDITOR
from croupier.floor.history.played_rounds import Past
from croupier.floor.records.commands import OpenTable, TableConfig
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet, TurnCards
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rulebooks.documents.editions import GAMES
from tests.floor.forgeries import first, forged
from tests.floor.house_builder import HOLDEM, at, buy_in, do, house, open_link
from tests.floor.played_house import Play
from tests.stores import SqlitePlace

Events = list[dict[str, object]]
COMMANDS = 1200
THREE_CARD = "rws-multilink-three-card"

OTHERWISE: dict[str, list[tuple[str, int, int]]] = {
    "win": [("lose", 0, 0), ("stand_off", 0, 1), ("win", 2, 1)],
    "lose": [("win", 1, 1), ("stand_off", 0, 1), ("returned", 0, 1)],
    "stand_off": [("win", 1, 1), ("lose", 0, 0)],
    "returned": [("win", 1, 1), ("lose", 0, 0)],
}
"""For each outcome others that add up: how many times the stake is won, and how many times it goes back."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[verify.Json]:
    """Rounds of every game, whole."""
    store = SqlitePlace(tmp_path_factory.mktemp("crowd")).open()
    play = Play(store, 11)
    play.play(COMMANDS)
    past = Past(play.house, lambda: store)
    found = [
        json.loads(msgspec.json.encode(past.record(table, number, AUDITOR)))
        for table in play.house.tables.values()
        for number in range(1, table.round.number)
    ]
    store.close()
    return found


def test_every_line_that_is_changed_is_found(records: list[verify.Json]) -> None:
    """Each line of each round, with each other outcome that adds up, in all five games."""
    changed: Counter[str] = Counter()
    for record in records:
        assert verify.check(record).problems == []
        kinds = [entry["type"] for entry in record["records"]]
        for place, kind in enumerate(kinds):
            if kind != "BetSettled" or "RoundReopened" in kinds[place:]:
                continue
            line = json.loads(record["records"][place]["data"])
            if not line["staked"] or line["bet"] == "jackpot" or line["round"] != record["round"]:
                continue
            for outcome, won, back in OTHERWISE[line["outcome"]]:
                new = (outcome, won * line["staked"] + (line["won"] if won == 2 else 0), back * line["staked"])

                def change(events: Events, place: int = place, new: tuple[str, int, int] = new) -> None:
                    events[place].update(outcome=new[0], won=new[1], returned=new[2])

                problems = verify.check(forged(record, change)).problems
                assert any("; the record says that it" in problem for problem in problems), (line, new)
                changed[record["game"]] += 1
    assert set(changed) == set(GAMES)
    assert all(count > 100 for count in changed.values())


def test_a_line_that_is_left_out_or_added_is_found(records: list[verify.Json]) -> None:
    """An Ante Bonus has no stake, so only the cards tell that its line is missing, or should not be there."""
    found = 0
    for record in records:
        lines = [json.loads(entry["data"]) for entry in record["records"] if entry["type"] == "BetSettled"]
        if record["game"] != THREE_CARD or any(entry["type"] == "RoundReopened" for entry in record["records"]):
            continue

        def left_out(events: Events) -> None:
            events.remove(next(event for event in events if event.get("bet") == "ante_bonus"))

        def added(events: Events) -> None:
            line = first(events, "BetSettled")
            bonus = {**line, "bet": "ante_bonus", "outcome": "win", "staked": 0, "won": 5000, "returned": 0}
            events.insert(events.index(line), bonus)

        forgery, says = (
            (left_out, "and the record has no line of it")
            if any(line["bet"] == "ante_bonus" for line in lines)
            else (added, "has a line and no right to one")
        )
        if lines:
            problems = verify.check(forged(record, forgery)).problems
            assert any(says in problem for problem in problems), problems
            found += 1
    assert found > 5


def test_cards_that_a_dealer_entered_otherwise_are_found(tmp_path: Path) -> None:
    """At a table with real cards there is no deck to hold them against, but the lines no longer follow from them."""
    store = SqlitePlace(tmp_path).open()
    floor = house(store)
    open_link(floor)
    do(floor, OpenTable(table="T1", config=TableConfig(game=HOLDEM, link="main", physical=True)))
    buy_in(floor, "ana")
    at(floor, "T1", OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=50_00), CloseBets())
    lie = {"1": ["Kc", "Kd"], "dealer": ["Qs", "Jh"], "community": ["2c", "7d", "9h", "3s", "4c"]}
    for choice in ("flop", "check", "check", ""):
        while (work := dealers_work(floor.tables["T1"].terms, floor.tables["T1"].round)) is not None:
            if isinstance(work, CardsToTurn):
                shown = {to: tuple(Card(lie[to].pop(0)) for _ in places) for to, places in work.places.items()}
                at(floor, "T1", TurnCards(cards=shown))
            else:
                at(floor, "T1", work)
        if choice:
            at(floor, "T1", DecideHand(box=1, choice=choice))
    record = json.loads(msgspec.json.encode(Past(floor, lambda: store).record(floor.tables["T1"], 1, AUDITOR)))
    store.close()
    honest = verify.check(record)
    assert (honest.problems, honest.settled) == ([], 2)
    assert "Real cards lay on this table: what was turned is what the dealer entered" in honest.notes

    def other_cards(events: Events) -> None:
        for event in events:
            cards = event.get("cards")
            if event["type"] == "CardsTurned" and isinstance(cards, dict) and "1" in cards:
                cards["1"] = ["5c", "6d"]

    problems = verify.check(forged(record, other_cards)).problems
    assert any("ante of ana on box 1" in problem for problem in problems), problems
