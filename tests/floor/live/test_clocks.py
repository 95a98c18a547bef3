"""The server's clock at tables that run by themselves: what follows when time is up, and what never follows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.live import clocks
from croupier.floor.live.clocks import APART, APART_AT_MOST, Clocks, Phase, on_expiry, phase_of, standing_orders
from croupier.floor.live.floor import os_chance
from croupier.floor.people.people import Person
from croupier.floor.records.commands import AtTable, CloseTable, OpenTable, TableConfig
from croupier.floor.records.tables import Table
from croupier.floor.views.table_views import table_view
from croupier.journal.store import Store
from croupier.money import money
from croupier.rounds.choices import lawful_choices
from croupier.rounds.commands import CloseBets, DecideHand, ExamineHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.state import Stage
from croupier.rulebooks.documents.editions import GAMES
from tests.floor.house_builder import ask, at, buy_in, do, house
from tests.floor.serving import Served, quiet
from tests.stores import SqlitePlace


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = SqlitePlace(tmp_path).open()
    yield opened
    opened.close()


def dealt(store: Store, game: str) -> House:
    """Somebody has bet at a table that runs by itself, and goes away."""
    running = House(store, os_chance())
    do(running, OpenTable(table="T1", config=TableConfig(game=game)))
    buy_in(running, "ana")
    at(running, "T1", OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=money("50.00")), CloseBets())
    return running


@pytest.mark.parametrize("game", GAMES)
def test_when_time_is_up_an_absent_player_is_treated_as_the_rules_say(store: Store, game: str) -> None:
    """Nobody decides for him: that he walked away is on the record, and the round goes on to its end by the book."""
    running = dealt(store, game)
    table = running.tables["T1"]
    for _ in range(20):
        if table.round.stage is not Stage.PLAYING:
            break
        asked = [*on_expiry(table), *standing_orders(table)]
        assert asked, "a table without staff waits for nobody for ever"
        for command in asked:
            do(running, AtTable(table="T1", command=command))
    assert table.round.stage is Stage.SETTLED
    told = [record.type for record in store.read("table/T1")]
    assert "IncidentReported" in told or "WalkedAway" in told, told
    (ante,) = [line for line in table.round.lines if line.bet == "ante"]
    assert ante.outcome.value == ("returned" if game == "mbs-megalink-holdem" else "lose")
    assert ante.rules


def test_nobody_has_bet_so_the_betting_goes_on(store: Store) -> None:
    """Time alone closes no bets."""
    running = house(store)
    do(running, OpenTable(table="T1", config=TableConfig(game=GAMES[0])))
    at(running, "T1", OpenRound())
    assert list(on_expiry(running.tables["T1"])) == []


def test_after_a_start_every_clock_begins_anew(store: Store) -> None:
    """An outage of ours costs nobody a decision: he has all his time again, and some seconds more where many tables
    start at once, never less.
    """
    dealt(store, GAMES[0])
    again = house(store)
    for number in range(2, 5):
        do(again, OpenTable(table=f"T{number}", config=TableConfig(game=GAMES[0])))
    asked: list[AtTable | CloseTable] = []

    async def start() -> list[float]:
        async def ask(command: AtTable | CloseTable) -> None:
            asked.append(command)

        clocks = Clocks(again, ask, lambda _: None)
        running = asyncio.create_task(clocks.run())
        await asyncio.sleep(0)
        ends = [clocks._clocks[f"T{number}"].ends for number in range(1, 5)]
        now = asyncio.get_running_loop().time()
        left = clocks.left("T1")
        assert left is not None
        assert left.left <= left.of
        running.cancel()
        return [end - now for end in ends]

    phase = phase_of(again.tables["T1"])
    assert phase is not None
    assert phase.name == "deciding"
    left = asyncio.run(start())
    assert left[0] > phase.seconds - 1
    assert left[1] < left[2] < left[3] < left[1] + 1
    assert asked == []
    assert APART * 1000 < APART_AT_MOST


def test_a_clock_goes_on_while_the_house_is_read_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another server was first the writer begins again with no table at all: time is up in that very moment, the
    players are asked nothing less and nothing else, and the clock begins again.
    """
    running = dealt(store, GAMES[0])
    before = list(on_expiry(running.tables["T1"]))
    assert before
    monkeypatch.setattr(running, "tables", {})
    asked: list[RoundCommand] = []

    async def time_is_up() -> tuple[object, object]:
        async def ask(command: AtTable | CloseTable) -> None:
            assert isinstance(command, AtTable)
            asked.append(command.command)

        clocks = Clocks(running, ask, lambda _: None)
        clocks.look("T1")
        first = clocks._clocks["T1"]
        await clocks._time_is_up("T1", first.phase)
        return first, clocks._clocks["T1"]

    first, again = asyncio.run(time_is_up())
    assert asked == before
    assert again is not first


# ---------------------------------------------------------------- numbers that no clock counts


@pytest.mark.parametrize("field", ["betting_seconds", "deciding_seconds", "pause_seconds"])
@pytest.mark.parametrize("seconds", [0, -5, 3601, 10**400])
def test_seconds_that_no_clock_counts_are_refused(tmp_path: Path, field: str, seconds: int) -> None:
    """At the edge, with the field and what it may be."""
    store = SqlitePlace(tmp_path).open()
    config = msgspec.convert({"game": "rws-multilink-holdem", field: seconds}, TableConfig)
    answer = ask(house(store), OpenTable(table="T1", config=config))
    assert (answer.code, answer.message) == ("bad_terms", f"{field} is a number of seconds from 1 to 3600.")
    store.close()


def test_a_clock_that_fails_takes_its_own_table_out_of_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal of an earlier release may hold any number: that table is closed with an alarm, the others play on."""

    def breaking(table: Table) -> Phase | None:
        if table.name == "T1":
            raise OverflowError("int too large to convert to float")
        return phase_of(table)

    monkeypatch.setattr(clocks, "phase_of", breaking)
    quick = replace(quiet(staffed=False), betting_seconds=1, pause_seconds=1)
    with Served(tmp_path, {"T1": quick, "T2": quick}) as served:

        async def start() -> asyncio.Task[None]:
            return asyncio.create_task(served.floor.clocks.run())

        running = served.run(start())
        until = time.monotonic() + 60
        shown = served.floor.house.shown
        while (not shown["T1"].closed or not shown["T2"].round.number) and time.monotonic() < until:
            time.sleep(0.05)
        assert shown["T1"].closed
        assert shown["T2"].round.number
        with served.http(Post.PIT_MANAGER) as client:
            ready = client.get("/ready")
            assert ready.status_code == 200
            assert set(ready.json()["alarms"]) == {"T1"}
        assert not served.floor.clocks.ended
        running.get_loop().call_soon_threadsafe(running.cancel)


def test_a_server_without_clocks_or_writer_is_not_ready(tmp_path: Path) -> None:
    """`/ready` watches both."""
    with Served(tmp_path) as served, served.http(Post.PIT_MANAGER) as client:
        assert client.get("/ready").status_code == 200
        served.floor.clocks.ended = True
        stopped = client.get("/ready")
        assert (stopped.status_code, stopped.json()["problem"]) == (503, "the clocks have ended")
        served.floor.clocks.ended = False


def test_the_deal_comes_once_every_player_with_a_bet_is_ready(store: Store) -> None:
    """Two people and a bot have bet: nobody waits for the bot, and the last of the two starts the deal."""
    running = house(store)
    do(running, OpenTable(table="T1", config=TableConfig(game=GAMES[0])))
    at(running, "T1", OpenRound())
    for box, player in enumerate(("ana", "ben", "bot"), start=1):
        buy_in(running, player)
        at(running, "T1", PlaceBet(player=player, box=box, bet="ante", amount=money("50.00")))
    asked: list[AtTable | CloseTable] = []

    async def play() -> list[int]:
        async def ask(command: AtTable | CloseTable) -> None:
            asked.append(command)

        clocks = Clocks(running, ask, lambda _: None)
        clocks.always_ready.add("bot")
        clocks.look("T1")
        waiting = [clocks.ready("T1", "eve"), clocks.ready("T1", "ana"), clocks.ready("T1", "ana")]
        await asyncio.sleep(0)
        assert asked == [], "ben has not said so, and eve has no bet"
        waiting.append(clocks.ready("T1", "ben"))
        for _ in range(3):
            await asyncio.sleep(0)
        return waiting

    assert asyncio.run(play()) == [2, 1, 1, 0]
    assert asked == [AtTable(table="T1", command=CloseBets())]


LATE = {
    "rws-multilink-holdem": "fold",
    "rws-multilink-three-card": "fold",
    "mbs-megalink-holdem": None,
    "rws-progressive-holdem": "fold",
    "sun-casino-holdem": "fold",
}
"""What is decided for a player whose time is up at the first decision; None where the hand leaves the round."""


@pytest.mark.parametrize("game", GAMES)
def test_a_player_is_told_what_follows_when_time_is_up(store: Store, game: str) -> None:
    """The view marks the choice that the clock makes, and that is the one that follows."""
    running = dealt(store, game)
    table = running.tables["T1"]
    ana = Person("ana", Post.PLAYER, secret="")
    marked = [choice.choice for choice in table_view(table, ana).choices if choice.when_late]
    assert marked == ([LATE[game]] if LATE[game] else [])
    for _ in range(3):
        for commands in (on_expiry, standing_orders):
            for command in commands(running.tables["T1"]):
                do(running, AtTable(table="T1", command=command))
    made = [r for r in store.read("table/T1") if r.type == "HandDecided"]
    assert bool(made) == bool(LATE[game])


def test_a_player_who_has_looked_does_not_get_the_wagers_back(store: Store) -> None:
    """mbs-megalink-holdem 5.11 is for a player who is not there: to look at a bad hand and to wait is no better than to
    fold it, so a table without staff folds it, and says so beforehand.
    """
    running = dealt(store, "mbs-megalink-holdem")
    box = next(lawful.box for lawful in lawful_choices(running.tables["T1"].terms, running.tables["T1"].round))
    at(running, "T1", ExamineHand(player="ana", box=box))
    table = running.tables["T1"]
    ana = Person("ana", Post.PLAYER, secret="")
    assert [choice.choice for choice in table_view(table, ana).choices if choice.when_late] == ["fold"]
    assert list(on_expiry(table)) == [DecideHand(box=box, choice="fold")]


LOST = {
    "rws-multilink-holdem": ["50.00", "150.00", "150.00"],
    "rws-multilink-three-card": ["50.00"],
    "mbs-megalink-holdem": ["", "", ""],
    "rws-progressive-holdem": ["50.00", "150.00", "150.00"],
    "sun-casino-holdem": ["50.00"],
}
"""What a player with an Ante of 50.00 loses when time is up at each decision."""


@pytest.mark.parametrize("game", GAMES)
def test_a_player_is_told_what_they_lose_when_time_is_up(store: Store, game: str) -> None:
    """At every decision, also where the choices have no fold (rws-multilink-holdem 5.5)."""
    running = dealt(store, game)
    ana = Person("ana", Post.PLAYER, secret="")
    told = []
    while choices := table_view(running.tables["T1"], ana).choices:
        told.append(choices[0].loses_when_late)
        check = next((c.choice for c in choices if c.choice == "check"), None)
        bet = next(c.choice for c in choices if c.bet)
        at(running, "T1", DecideHand(box=choices[0].box, choice=check or bet))
    assert told == LOST[game]


def test_a_player_with_two_hands_is_told_what_both_lose(store: Store) -> None:
    """rws-multilink-holdem 5.5: a player who lets the time of the second hand run out is away, and the first one is
    folded at the next decision too.
    """
    running = House(store, os_chance())
    do(running, OpenTable(table="T1", config=TableConfig(game="rws-multilink-holdem")))
    buy_in(running, "ana")
    antes = [PlaceBet(player="ana", box=box, bet="ante", amount=money("50.00")) for box in (3, 4)]
    at(running, "T1", OpenRound(), *antes, CloseBets())
    ana = Person("ana", Post.PLAYER, secret="")

    def told() -> dict[int, str]:
        return {c.box: c.loses_when_late for c in table_view(running.tables["T1"], ana).choices}

    assert told() == {3: "50.00", 4: "50.00"}
    at(running, "T1", DecideHand(box=4, choice="flop"))
    assert told() == {3: "200.00"}
    for command in on_expiry(running.tables["T1"]):
        do(running, AtTable(table="T1", command=command))
    lost = [line.staked for line in running.tables["T1"].round.lines if line.outcome.value == "lose"]
    assert sum(lost) == money("200.00")


def test_a_folded_hand_is_not_lost_again(store: Store) -> None:
    """rws-multilink-holdem 5.5: beside a hand that was looked at and folded, time up costs the other one alone."""
    running = House(store, os_chance())
    do(running, OpenTable(table="T1", config=TableConfig(game="rws-multilink-holdem")))
    buy_in(running, "ana")
    antes = [PlaceBet(player="ana", box=box, bet="ante", amount=money("50.00")) for box in (3, 4)]
    looked = ExamineHand(player="ana", box=4)
    at(running, "T1", OpenRound(), *antes, CloseBets(), looked, DecideHand(box=4, choice="fold"))
    choices = table_view(running.tables["T1"], Person("ana", Post.PLAYER, secret="")).choices
    assert {c.box: c.loses_when_late for c in choices} == {3: "50.00"}


def test_a_table_without_staff_does_not_wait_a_second_time(store: Store) -> None:
    """sun-silent: the game leaves an absent player to management, whose standing order follows at once."""
    running = dealt(store, "sun-casino-holdem")

    async def play() -> None:
        async def ask(command: AtTable | CloseTable) -> None:
            do(running, command)

        clocks = Clocks(running, ask, lambda _: None)
        phase = phase_of(running.tables["T1"])
        assert phase is not None
        await clocks._act("T1", phase)

    asyncio.run(play())
    assert running.tables["T1"].round.awaiting == ()
    assert "HandDecided" in {record.type for record in store.read("table/T1")}
