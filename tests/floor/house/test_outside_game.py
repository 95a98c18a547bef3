"""A game from outside the package on the floor: five cards each, no community cards, on a link with a built-in game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path

import msgspec
import pytest

from croupier import verify
from croupier.cards import DECK, Card, parse_cards
from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import AUDITOR
from croupier.floor.history.played_rounds import Past
from croupier.floor.house.house import House
from croupier.floor.live.bots import worth_betting
from croupier.floor.records.commands import OpenTable, TableConfig
from croupier.floor.views.table_views import hands_shown
from croupier.jackpots.commands import SignAward
from croupier.journal.store import Store
from croupier.money import money
from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    ExamineHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    TurnCards,
)
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import Incident, Role
from tests.editions import HARBOUR, HARBOUR_1, installed
from tests.floor.house_builder import (
    HOLDEM,
    ROYAL,
    ChosenDecks,
    at,
    balance,
    bets,
    buy_in,
    checked_books,
    deck,
    do,
    open_link,
    open_table,
    play_out,
)
from tests.floor.serving import Served, quiet
from tests.stores import SqlitePlace

TRIPS = {"1": "9c 9d 9h Ks 2c", "dealer": "Ah Ad 7c 5s 3h"}
POOR = {"1": "Jc 9d 7h 5s 2d", "dealer": "Ah Kd 7c 5c 3h"}
ROYAL_DEALT = {"1": "Ah Kh Qh Jh Th", "dealer": "2c 2d 7h 8d 4c"}


@pytest.fixture(scope="module", autouse=True)
def harbour() -> Iterator[None]:
    """The game is installed for these tests alone."""
    with installed(HARBOUR_1):
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The journal of a new house."""
    opened = SqlitePlace(tmp_path).open()
    yield opened
    opened.close()


def opened_house(store: Store, *decks: tuple[Card, ...]) -> House:
    """A house with a link, whose decks are these."""
    floor = House(store, ChosenDecks(chain(decks, repeat(tuple(DECK)))).chance)
    open_link(floor)
    for player in ("ana", "ben"):
        buy_in(floor, player)
    return floor


def stage(floor: House, table: str) -> Stage:
    return floor.tables[table].round.stage


def turn_entered(floor: House, table: str, lying: Mapping[str, str]) -> None:
    """The Dealer of a table with real cards does the work that is next, and enters what was turned."""
    left = {place: list(parse_cards(cards)) for place, cards in lying.items()}
    playing = floor.tables[table]
    while (work := dealers_work(playing.terms, floor.tables[table].round)) is not None:
        if isinstance(work, CardsToTurn):
            shown = {to: tuple(left[to].pop(0) for _ in places) for to, places in work.places.items()}
            at(floor, table, TurnCards(cards=shown))
        else:
            at(floor, table, work)


def test_it_is_played_beside_a_built_in_game_and_audits_clean(store: Store) -> None:
    """harbour-stud 4.3, 3.8.1, 4.8, 5.16: call, fold, the meter won and signed for, irregularities, real cards."""
    stud = (deck(cards, HARBOUR) for cards in (TRIPS, POOR, ROYAL_DEALT, TRIPS, TRIPS))
    floor = opened_house(store, *stud, deck(ROYAL, HOLDEM))
    do(floor, OpenTable(table="T1", config=TableConfig(game=HARBOUR, link="main", staffed=True)))
    open_table(floor, "T3", HOLDEM)
    do(floor, OpenTable(table="T2", config=TableConfig(game=HARBOUR, dealing="shuffler", link="main", physical=True)))
    playing = floor.tables["T1"]

    at(floor, "T1", *bets("ana"), ExamineHand(player="ana", box=1))
    assert worth_betting(playing, playing.round.boxes[0])
    at(floor, "T1", DecideHand(box=1, choice="call"))
    assert stage(floor, "T1") is Stage.SETTLED
    assert hands_shown(playing, playing.round) == ("Three Nines",)
    assert balance(floor, "player/ana") == money("10045.00"), "Ante 3 to 1 and Call 1 to 1, less the jackpot bet"

    at(floor, "T1", *bets("ana"), ExamineHand(player="ana", box=1))
    assert not worth_betting(playing, playing.round.boxes[0])
    at(floor, "T1", DecideHand(box=1, choice="fold"))
    assert balance(floor, "player/ana") == money("10030.00")

    at(floor, "T1", *bets("ana"), ExamineHand(player="ana", box=1), DecideHand(box=1, choice="call"))
    (case,) = floor.links["main"].open_cases
    assert (case.table, case.claim.awards[0].hand) == ("T1", "royal_flush")
    for who in ("pit one", "pit two"):
        do(floor, SignAward(table="T1", award=case.number, by=who))
    assert floor.links["main"].open_cases == ()
    won = money("1000000.00") + money("1015.00")
    assert balance(floor, "player/ana") == money("10030.00") + won, "the meter, Ante 100 to 1, Call 1 to 1, less 5.00"

    damaged = ReportIncident(incident="card_damaged", boxes=(1,), text="wet")
    at(floor, "T1", *bets("ana"), damaged)
    assert stage(floor, "T1") is Stage.VOID
    at(floor, "T1", *bets("ana"), ExamineHand(player="ana", box=1), damaged)
    at(floor, "T1", GiveRuling(by=Role.PIT_SUPERVISOR, decision="replaced"))
    at(floor, "T1", ReportIncident(incident=Incident.TECHNICAL_INTERRUPTION))
    assert stage(floor, "T1") is Stage.VOID, "nothing lies face up, so no outcome is established"

    at(floor, "T3", *bets("ben"))
    play_out(floor, "T3")
    at(floor, "T2", OpenRound(), PlaceBet(player="ben", box=1, bet="ante", amount=money("10.00")), CloseBets())
    turn_entered(floor, "T2", {})
    at(floor, "T2", DecideHand(box=1, choice="call"))
    turn_entered(floor, "T2", TRIPS)
    assert stage(floor, "T2") is Stage.SETTLED
    assert hands_shown(floor.tables["T2"], floor.tables["T2"].round) == ("Three Nines",)

    checked_books(store)
    assert audit(store).differences == ()
    record = json.loads(msgspec.json.encode(Past(floor, lambda: store).record(playing, 1, AUDITOR)))
    checked = verify.check(record)
    assert checked.problems == []
    assert f"This file does not know the rules of {HARBOUR}@1: the bets were not settled again" in checked.notes


def test_five_hidden_cards_leave_the_comparison_open_at_once(store: Store) -> None:
    """harbour-stud 5.6: against a royal flush of the Dealer's another one stands off, so the round is void."""
    floor = opened_house(store)
    do(floor, OpenTable(table="T1", config=TableConfig(game=HARBOUR, link="main", physical=True)))
    at(floor, "T1", OpenRound(), PlaceBet(player="ben", box=1, bet="ante", amount=money("10.00")), CloseBets())
    turn_entered(floor, "T1", {})
    at(floor, "T1", DecideHand(box=1, choice="call"))
    at(floor, "T1", TurnCards(cards={"dealer": parse_cards("Ah Kh Qh Jh Th")}))
    at(floor, "T1", ReportIncident(incident=Incident.TECHNICAL_INTERRUPTION))
    assert stage(floor, "T1") is Stage.VOID


def test_people_see_it_over_the_network(tmp_path: Path) -> None:
    """The terms say that hands stand alone, the dealer's list names its own incident, the player sees five cards."""
    chance = ChosenDecks(repeat(deck(TRIPS, HARBOUR))).chance
    with Served(tmp_path, {"T1": quiet(HARBOUR), "T2": quiet(HOLDEM)}, chance=chance) as served:
        told = [
            served.step(Post.DEALER, "open", "T1"),
            served.step(Post.PLAYER, "bet", "T1", box=1, bet="ante", amount="50.00"),
            served.step(Post.DEALER, "close_bets", "T1"),
            served.step(Post.PLAYER, "examine", "T1", box=1),
        ]
        assert all(answer["accepted"] for answer in told), told
        with served.http(Post.PLAYER) as player:
            tables = {each["table"]: each for each in player.get("/api/tables").json()}
            assert [tables[name]["board"] for name in ("T1", "T2")] == [0, 5]
            (box,) = (each for each in player.get("/api/tables/T1").json()["boxes"] if each["box"] == 1)
            assert sorted(box["cards"]) == sorted(TRIPS["1"].split())
            assert box["hand"] == "Three Nines"
        with served.http(Post.DEALER) as dealer:
            procedure = dealer.get("/api/tables/T1/procedure").json()
            assert procedure["steps"][1]["says"].endswith("the Dealer, five times over")
            offered = {each["incident"]: each for each in procedure["incidents"]}
            assert offered["card_damaged"]["rules"] == ["5.16"]
        assert served.step(Post.PLAYER, "decide", "T1", box=1, choice="call")["accepted"]
        with served.http() as anyone:
            game = anyone.get(f"/api/games/{HARBOUR}").json()
            facts = {(fact["dimension"], fact["about"]): fact["says"] for fact in game["facts"]}
            assert facts["Jackpot hands", "flush"] == "75.00: 5 own cards"
