"""What the floor offers and does by itself at each moment: screens, bots, clocks and the dealer's procedure ask the
judge, whatever the house reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.live.bots import Bot
from croupier.floor.live.clocks import on_expiry
from croupier.floor.people.people import Person
from croupier.floor.records.commands import AtTable, BuyIn, CloseTable, OpenTable, TableConfig
from croupier.floor.views.dealer_steps import Preview, procedure_view, walk_away_preview
from croupier.floor.views.table_views import Move, Withdrawal, live_view, table_view
from croupier.jackpots.commands import CloseLink, ReopenLink
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Store
from croupier.money import money
from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    WalkAway,
)
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import Incident, Role
from tests.floor.house_builder import HOLDEM, ask, at, buy_in, do, house, open_link, open_table

ANA, DEALER = Person("ana", Post.PLAYER, ""), Person("dora", Post.DEALER, "")
NO_RIVER, LATE_FOLD = {"river-after-check": "a"}, {"late-fold": "a"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = SqliteStore(f"sqlite:///{tmp_path / 'house.db'}")
    yield opened
    opened.close()


def opened(store: Store, rulings: Mapping[str, str], *commands: RoundCommand) -> House:
    """A house with one table without a link, and these commands there, all of them accepted."""
    running = house(store)
    ask(running, OpenTable(table="T1", config=TableConfig(game=HOLDEM, rulings=dict(rulings))))
    for player in ("ana", "bot"):
        ask(running, BuyIn(player=player, amount=money("10000.00")))
    for command in (OpenRound(), *commands):
        assert ask(running, AtTable(table="T1", command=command)).accepted, command
    return running


ANTE = PlaceBet(player="ana", box=1, bet="ante", amount=1000)
CHECKED = (ANTE, CloseBets(), DecideHand(box=1, choice="flop"), DecideHand(box=1, choice="check"))


def test_a_players_screen_lists_everything_that_he_may_do(store: Store) -> None:
    """rws-multilink-holdem 5.1, 5.2, 3.9, 5.5: bets with their bounds, withdrawals and moves; staff see none."""
    running = opened(store, {}, ANTE)
    seen = table_view(running.tables["T1"], ANA)
    bets = {(bet.box, bet.bet): (bet.least, bet.most) for bet in seen.bets}
    assert bets[1, "ante"] == ("0.01", "490.00")
    assert bets[1, "bonus"] == ("5.00", "500.00")
    assert (1, "jackpot") not in bets
    assert seen.withdrawals == (Withdrawal(box=1, bet="ante", amount="10.00", stays_live=False, rules=()),)
    assert seen.moves == (Move(do="walk_away", box=None, option=None, rules=()),)
    staff = table_view(running.tables["T1"], DEALER)
    assert (staff.choices, staff.bets, staff.withdrawals, staff.moves) == ((), (), (), ())


@pytest.mark.parametrize(
    ("rulings", "choices"),
    [({}, ["check", "river"]), (NO_RIVER, ["check"]), (LATE_FOLD, ["check", "river", "fold"])],
    ids=["in force", "river-after-check a", "late-fold a"],
)
def test_the_dealer_is_told_what_a_box_may_choose(store: Store, rulings: Mapping[str, str], choices: list[str]) -> None:
    """rws-multilink-holdem 1.3.c, 1.17, river-after-check and late-fold: as its player is."""
    table = opened(store, rulings, *CHECKED).tables["T1"]
    decision = procedure_view(table, 0).decision
    assert decision is not None
    assert (decision.bet, list(decision.choices), decision.choices_of) == ("river", choices, {"1": choices})
    assert [choice.choice for choice in table_view(table, ANA).choices] == choices


@pytest.mark.parametrize("rulings", [{}, NO_RIVER, LATE_FOLD], ids=["in force", "river-after-check a", "late-fold a"])
def test_a_bot_plays_on_whatever_the_house_reads(store: Store, rulings: Mapping[str, str]) -> None:
    """rws-multilink-holdem 1.3.c, 1.17, river-after-check and late-fold: nothing that it asks for is refused."""
    running, bot = opened(store, rulings), Bot("bot", 1, Random(3))
    for number in range(12):
        while running.tables["T1"].round.stage not in (Stage.SETTLED, Stage.VOID):
            table = running.tables["T1"]
            acts = list(bot.acts(table, 0)) or [CloseBets()]
            assert all(ask(running, AtTable(table="T1", command=act)).accepted for act in acts), acts
        assert running.tables["T1"].round.number == number + 1
        assert ask(running, AtTable(table="T1", command=OpenRound())).accepted


def test_a_bot_bets_at_no_closed_table(store: Store) -> None:
    """Its bets are open still, and the pit has closed it."""
    running, bot = opened(store, {}), Bot("bot", 1, Random(3))
    assert list(bot.acts(running.tables["T1"], 0))
    assert ask(running, CloseTable(table="T1", by="max")).accepted
    assert not list(bot.acts(running.tables["T1"], 0))


def test_a_bot_leaves_a_box_to_the_person_who_had_it(store: Store) -> None:
    """For half of the time to bet, in the next round alone; an empty box is taken at once."""
    running, bot = opened(store, {}, PlaceBet(player="ana", box=1, bet="ante", amount=1000)), Bot("bot", 1, Random(3))
    assert not list(bot.acts(running.tables["T1"], 0)), "the box is taken"
    half = running.tables["T1"].config.betting_seconds / 2
    for is_held in (True, False):
        for command in (CloseBets(), WalkAway(player="ana"), OpenRound()):
            assert ask(running, AtTable(table="T1", command=command)).accepted, command
        assert bool(list(bot.acts(running.tables["T1"], half - 1))) is not is_held
        assert list(bot.acts(running.tables["T1"], half))
        other = PlaceBet(player="ana", box=2, bet="ante", amount=1000)
        assert ask(running, AtTable(table="T1", command=other)).accepted


def test_a_clock_walks_each_player_away_once(store: Store) -> None:
    """rws-multilink-holdem 5.5: whoever has still to decide when time is up, once each."""
    running = opened(store, {}, ANTE, PlaceBet(player="ana", box=2, bet="ante", amount=1000), CloseBets())
    assert list(on_expiry(running.tables["T1"])) == [WalkAway(player="ana")]


def bets_of(running: House, table: str) -> set[str]:
    """What the player's own screen offers to bet at a table."""
    seen = live_view(running, running.shown[table], ANA)
    return {bet.bet for bet in seen.bets}


def test_no_jackpot_bet_is_offered_while_the_link_is_closed(store: Store) -> None:
    """rws-multilink-holdem 3.8, 5.17.2: the screen asks the judge, who asks the link."""
    running = house(store)
    open_link(running)
    open_table(running, "T1")
    buy_in(running, "ana")
    at(running, "T1", OpenRound(), ANTE)
    jackpot = AtTable(table="T1", command=PlaceBet(player="ana", box=1, bet="jackpot", amount=500))
    assert bets_of(running, "T1") == {"ante", "bonus", "jackpot"}
    do(running, CloseLink(link="main", by="max"))
    assert bets_of(running, "T1") == {"ante", "bonus"}
    assert ask(running, jackpot).code == "link_closed"
    do(running, ReopenLink(link="main", by="max"))
    assert bets_of(running, "T1") == {"ante", "bonus", "jackpot"}
    do(running, jackpot)


def test_no_bet_is_offered_to_a_player_whom_another_table_has_barred(store: Store) -> None:
    """mbs-megalink-holdem 5.9, bar-scope: barred at T1, so T2's screen offers nothing, until the bar is lifted."""
    running = house(store)
    for name in ("T1", "T2"):
        open_table(running, name, "mbs-megalink-holdem", link=None)
    buy_in(running, "ana")
    at(running, "T2", OpenRound())
    at(running, "T1", OpenRound(), ANTE, CloseBets())
    assert bets_of(running, "T2") == {"ante"}
    at(running, "T1", ReportIncident(incident=Incident.NOT_CONFIDENTIAL, player="ana"))
    at(running, "T1", GiveRuling(by=Role.SHIFT_MANAGER, decision="prohibit"))
    assert bets_of(running, "T2") == set()
    assert ask(running, AtTable(table="T2", command=ANTE)).code == "player_prohibited"
    at(running, "T1", GiveRuling(by=Role.SHIFT_MANAGER, decision="allow", player="ana"))
    assert bets_of(running, "T2") == {"ante"}


def test_what_goes_back_is_told_before_the_settlement(store: Store) -> None:
    """rws-multilink-holdem 5.3.1, 5.3.2: a Flop of 30.00 on an Ante of 10.00 gives 10.00 back, one of 15.00 nothing."""
    small = PlaceBet(player="bot", box=2, bet="ante", amount=1000)
    flops = (
        DecideHand(box=1, choice="flop", amount=3000, noticed=False),
        DecideHand(box=2, choice="flop", amount=1500, noticed=False),
    )
    running = opened(store, {}, ANTE, small, CloseBets(), *flops)
    told = procedure_view(running.tables["T1"], 0).chip_notes
    assert [(note.box, note.bet, note.back, note.rules[:2]) for note in told] == [
        (1, "flop", "10.00", ("5.3", "5.3.1")),
        (2, "flop", "0.00", ("5.3", "5.3.2")),
    ]


def test_a_player_who_leaves_with_a_decision_to_make_is_reported_at_the_console(store: Store) -> None:
    """rws-multilink-holdem 5.5: the rulebook folds the Hand, as the preview says; then no player is left."""
    running = opened(store, {}, ANTE)
    assert "walked_away" not in [each.incident for each in procedure_view(running.tables["T1"], 0).incidents]
    assert ask(running, AtTable(table="T1", command=CloseBets())).accepted
    first = procedure_view(running.tables["T1"], 0).incidents[0]
    assert (first.incident, first.do, first.asks, first.rules[0]) == ("walked_away", "walk_away", ["player"], "5.5")
    for player, says in (("", "say which player"), ("eve", "eve has no bet on the table")):
        refused = walk_away_preview(running.tables["T1"], player)
        assert isinstance(refused, Refusal)
        assert says in refused.message
    told = walk_away_preview(running.tables["T1"], "ana")
    assert isinstance(told, Preview)
    assert (told.rules, told.money["1"].lost) == (("5.5",), "10.00")
    assert ask(running, AtTable(table="T1", command=WalkAway(player="ana"))).accepted
    assert "walked_away" not in [each.incident for each in procedure_view(running.tables["T1"], 0).incidents]
