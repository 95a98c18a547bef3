"""The ledger: every event that moves money is one balanced entry, and accounts stand for what they are named after."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.floor.audit.audit import audit
from croupier.floor.records.commands import AtTable, BuyIn, CashOut, OpenLink, OpenTable, TableConfig
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, ReopenLink
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Store
from croupier.ledger import accounts
from croupier.ledger.entries import Entry, TableAccounts, cashier_entry, entry, seed_entry
from croupier.money import money
from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    WithdrawBet,
)
from croupier.rounds.events import BetSettled, Outcome, RoundReopened
from croupier.rounds.state import Round, Stage, new_table
from croupier.rulebooks.vocabulary import Incident, Role
from tests.floor.house_builder import STRAIGHT_FLUSH, ask, house
from tests.floor.played_house import Play


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return SqliteStore(f"sqlite:///{tmp_path / 'house.db'}")


# ---------------------------------------------------------------- entries


def test_an_entry_that_does_not_balance_is_none() -> None:
    """It cannot even be made."""
    with pytest.raises(AssertionError, match="off by 1"):
        Entry((("player/ana", -100), ("table/T1/layout", 101)))


def test_where_no_money_moves_there_is_no_entry() -> None:
    """Postings of nothing are left out, and an entry of none is no entry."""
    assert entry({"player/ana": 0, "table/T1/bank": 0}) is None
    moved = entry({"player/ana": -5, "table/T1/bank": 0, "table/T1/layout": 5})
    assert moved is not None
    assert moved.postings == (("player/ana", -5), ("table/T1/layout", 5))


def test_cash_and_seed() -> None:
    """What comes over the counter is owed to the player; what a meter starts from is the House's."""
    assert cashier_entry("ana", 500) == Entry((("cashier/cash", -500), ("player/ana", 500)))
    assert cashier_entry("ana", -500) == Entry((("cashier/cash", 500), ("player/ana", -500)))
    assert seed_entry("main", 7) == Entry((("link/main/pool", 7), ("house/top-ups/main", -7)))


def settled(number: int, bet: str = "ante", staked: int = 1000, won: int = 1000, returned: int = 1000) -> BetSettled:
    return BetSettled(
        round=number,
        box=1,
        player="ana",
        bet=bet,
        outcome=Outcome.WIN,
        staked=staked,
        won=won,
        returned=returned,
        rules=(),
        because="",
    )


def test_a_reopened_round_takes_back_its_own_lines_only() -> None:
    """An earlier round's award that was paid meanwhile stays paid."""
    before: Round = new_table(5)
    before = Round(
        boxes=before.boxes, number=6, stage=Stage.SETTLED, lines=(settled(5, bet="jackpot", won=0), settled(6))
    )
    undone = TableAccounts("T1", "main").round_entry(before, RoundReopened(number=6, rules=()))
    assert undone == Entry((("table/T1/layout", 1000), ("player/ana", -2000), ("table/T1/bank", 1000)))


def test_accounts_of_the_house_may_stand_below_nothing_and_no_others() -> None:
    """Cash owed, top-ups and banks."""
    names = ("ana", "house", "bank")
    below = [accounts.CASH, accounts.top_ups("main"), accounts.bank("T1")]
    never = [*map(accounts.player, names), accounts.layout("T1"), *accounts.of_link("main")[:4]]
    assert all(map(accounts.may_be_overdrawn, below))
    assert not any(map(accounts.may_be_overdrawn, never))


def test_no_name_reaches_into_another_kind_of_account() -> None:
    """A player called `x/bank` would be one that may be overdrawn: such a name holds no chips of the House."""
    assert accounts.player("x/bank") != accounts.bank("x")
    assert not accounts.may_be_overdrawn(accounts.player("x/bank"))


# ---------------------------------------------------------------- accounts in a running house


def test_a_layout_holds_what_lies_on_it_and_a_pool_what_its_display_shows(store: Store) -> None:
    """After every command of a busy house, whatever people did."""
    play = Play(store, seed=3)
    for _ in range(400):
        play.do(play.some())
        held, link = play.house.balances, play.house.links["main"]
        assert sum(held.values()) == 0
        assert held[accounts.pool("main")] == link.cents
        assert held.get(accounts.reserve("main"), 0) == link.reserve_cents
        assert held.get(accounts.overflow("main"), 0) == link.overflow_cents
        assert held.get(accounts.payable("main"), 0) == 0
        for table in play.house.tables.values():
            state = table.round
            lies = sum(stake.amount for box in state.boxes for stake in box.stakes) if state.is_open else 0
            claimed = sum(claim.staked for claim in state.claims)
            assert held.get(accounts.layout(table.name), 0) == lies + claimed
    store.close()


def test_a_bet_moves_chips_to_the_layout_and_back(store: Store) -> None:
    """Placed, withdrawn, placed again, lost or won: players and banks together hold what was bought in."""
    h = house(store)
    ask(h, OpenLink(link="main", meter=money("1000.00"), parameters=_parameters()))
    ask(h, OpenTable(table="T1", config=TableConfig(game="rws-multilink-holdem", link="main")))
    ask(h, BuyIn(player="ana", amount=money("100.00")))
    bet = AtTable(table="T1", command=PlaceBet(player="ana", box=1, bet="ante", amount=1000))
    assert ask(h, AtTable(table="T1", command=OpenRound())).accepted
    assert ask(h, bet).accepted
    assert (h.balances["player/ana"], h.balances["table/T1/layout"]) == (9000, 1000)
    assert ask(h, AtTable(table="T1", command=WithdrawBet(player="ana", box=1, bet="ante"))).accepted
    assert (h.balances["player/ana"], h.balances["table/T1/layout"]) == (10000, 0)
    assert ask(h, bet).accepted
    assert ask(h, AtTable(table="T1", command=CloseBets())).accepted
    assert ask(h, AtTable(table="T1", command=DecideHand(box=1, choice="fold"))).accepted
    assert (h.balances["player/ana"], h.balances["table/T1/layout"], h.balances["table/T1/bank"]) == (9000, 0, 1000)
    store.close()


def test_a_redeal_gives_a_call_back_from_the_layout(store: Store) -> None:
    """sun-casino-holdem Rules ¶3: the Call leaves the layout, the Antes lie there still, and nobody has won."""
    h = house(store, game="sun-casino-holdem")
    ask(h, OpenTable(table="T1", config=TableConfig(game="sun-casino-holdem")))
    for player in ("ana", "ben"):
        ask(h, BuyIn(player=player, amount=money("1000.00")))
    ana, ben = (
        PlaceBet(player=player, box=box, bet="ante", amount=50_00) for box, player in enumerate(("ana", "ben"), 1)
    )
    call = DecideHand(box=1, choice="call")
    commands: tuple[RoundCommand, ...] = (OpenRound(), ana, ben, CloseBets(), call)
    for command in commands:
        answer = ask(h, AtTable(table="T1", command=command))
        assert answer.accepted, answer
    names = ("player/ana", "player/ben", "table/T1/layout")
    assert [h.balances[name] for name in names] == [850_00, 950_00, 200_00]
    misdeal = ReportIncident(incident=Incident.WRONG_DEALER_COUNT, by=Role.DEALER)
    assert ask(h, AtTable(table="T1", command=misdeal)).accepted
    assert h.tables["T1"].round.deals == 1
    assert [h.balances[name] for name in names] == [950_00, 950_00, 100_00]
    assert "table/T1/bank" not in h.balances
    assert audit(store).differences == ()
    store.close()


def test_nobody_bets_or_cashes_out_what_he_does_not_have(store: Store) -> None:
    """The command is refused with both figures, and nothing of it is done."""
    h = house(store)
    ask(h, OpenTable(table="T1", config=TableConfig(game="rws-multilink-holdem")))
    ask(h, BuyIn(player="ana", amount=900))
    ask(h, AtTable(table="T1", command=OpenRound()))
    head = h.heads["table/T1"]
    answer = ask(h, AtTable(table="T1", command=PlaceBet(player="ana", box=1, bet="ante", amount=1000)))
    assert (answer.code, answer.message) == ("insufficient_funds", "ana holds 9.00 and would be short by 1.00.")
    assert h.heads["table/T1"] == head
    assert ask(h, CashOut(player="ana", amount=901)).code == "insufficient_funds"
    assert ask(h, CashOut(player="ana", amount=900)).accepted
    assert h.balances["player/ana"] == 0
    store.close()


@pytest.mark.parametrize("amount", [0, -5])
def test_the_cashier_takes_and_gives_more_than_nothing(store: Store, amount: int) -> None:
    """Nothing and less than nothing are refused."""
    h = house(store)
    assert ask(h, BuyIn(player="ana", amount=amount)).code == "no_amount"
    assert ask(h, CashOut(player="ana", amount=amount)).code == "no_amount"
    store.close()


def test_no_account_grows_beyond_what_a_database_can_count(store: Store) -> None:
    """A slip of the finger at the cashier must not stop the house."""
    h = house(store)
    assert ask(h, BuyIn(player="ana", amount=10**16)).code == "too_much"
    assert ask(h, BuyIn(player="ana", amount=10**40)).code == "too_much"
    assert ask(h, BuyIn(player="ana", amount=100)).accepted
    store.close()


# ---------------------------------------------------------------- the link's accounts


def _parameters(reset: str = "500.00", cap: str | None = None) -> Parameters:
    most = None if cap is None else money(cap)
    return Parameters(reset=money(reset), contribution=Rate(1, 5), reserve=Rate(1, 10), cap=most)


def test_an_award_goes_from_the_pool_to_the_player(store: Store) -> None:
    """rws-multilink-holdem 4.2: a straight flush takes 10% of the meter; the pool falls by exactly that."""
    h = house(store, STRAIGHT_FLUSH)
    ask(h, OpenLink(link="main", meter=money("1000.00"), parameters=_parameters()))
    ask(h, OpenTable(table="T1", config=TableConfig(game="rws-multilink-holdem", link="main")))
    ask(h, BuyIn(player="ana", amount=money("100.00")))
    ask(h, AtTable(table="T1", command=OpenRound()))
    for bet, amount in (("ante", 1000), ("jackpot", 500)):
        assert ask(h, AtTable(table="T1", command=PlaceBet(player="ana", box=1, bet=bet, amount=amount))).accepted
    assert ask(h, AtTable(table="T1", command=CloseBets())).accepted
    assert h.balances["link/main/pool"] == money("1001.00")
    assert h.balances["link/main/reserve"] == 50
    for choice in ("flop", "turn", "river"):
        assert ask(h, AtTable(table="T1", command=DecideHand(box=1, choice=choice))).accepted
    assert h.balances["link/main/pool"] == money("900.90")
    assert h.balances["link/main/payable"] == 0
    assert h.links["main"].hits == 1
    store.close()


def test_returned_jackpot_bets_take_their_contribution_back(store: Store) -> None:
    """rws-multilink-holdem 5.8.2: a void round leaves pool, reserve and bank as they were."""
    h = house(store)
    ask(h, OpenLink(link="main", meter=money("1000.00"), parameters=_parameters(cap="1000.50")))
    ask(h, OpenTable(table="T1", config=TableConfig(game="rws-multilink-holdem", link="main")))
    ask(h, BuyIn(player="ana", amount=money("100.00")))
    before = dict(h.balances)
    ask(h, AtTable(table="T1", command=OpenRound()))
    for bet, amount in (("ante", 1000), ("jackpot", 500)):
        ask(h, AtTable(table="T1", command=PlaceBet(player="ana", box=1, bet=bet, amount=amount)))
    ask(h, AtTable(table="T1", command=CloseBets()))
    assert h.balances["link/main/pool"] == money("1000.50")
    assert h.balances["link/main/overflow"] == 50
    exposed = ReportIncident(incident=Incident.CARDS_EXPOSED, by=Role.DEALER, count=2, boxes=(1,))
    assert ask(h, AtTable(table="T1", command=exposed)).accepted
    assert h.tables["T1"].round.stage is Stage.VOID
    assert {name: amount for name, amount in h.balances.items() if amount} == before
    store.close()


def test_a_barred_backer_s_chips_leave_the_layout_at_the_settlement(store: Store) -> None:
    """mbs-megalink-holdem 5.9, 3.4.2, reading backer-returned b: until then they lie on the felt; an audit agrees."""
    h = house(store)
    ask(h, OpenTable(table="T1", config=TableConfig(game="mbs-megalink-holdem")))
    for player in ("ana", "ben"):
        ask(h, BuyIn(player=player, amount=money("100.00")))
    commands: tuple[RoundCommand, ...] = (
        OpenRound(),
        PlaceBet(player="ana", box=1, bet="ante", amount=3000),
        PlaceBet(player="ben", box=1, bet="ante", amount=2000),
        CloseBets(),
        ReportIncident(incident=Incident.NOT_CONFIDENTIAL, player="ben"),
        GiveRuling(by=Role.SHIFT_MANAGER, decision="prohibit"),
    )
    for command in commands:
        assert ask(h, AtTable(table="T1", command=command)).accepted
    assert h.balances["table/T1/layout"] == 5000
    assert h.balances["player/ben"] == 8000
    assert ask(h, AtTable(table="T1", command=DecideHand(box=1, choice="fold"))).accepted
    assert h.balances["table/T1/layout"] == 0
    assert (h.balances["player/ana"], h.balances["player/ben"]) == (7000, 10000)
    assert audit(store).differences == ()
    store.close()


def test_bets_that_close_together_do_not_carry_the_meter_past_its_cap(store: Store) -> None:
    """rws-multilink-holdem 1.20: three Bets of 1.00 each to the meter, and room for 1.50 below the cap."""
    h = house(store)
    ask(h, OpenLink(link="main", meter=money("999.00"), parameters=_parameters(cap="1000.50")))
    ask(h, OpenTable(table="T1", config=TableConfig(game="rws-multilink-holdem", link="main")))
    ask(h, BuyIn(player="ana", amount=money("100.00")))
    ask(h, AtTable(table="T1", command=OpenRound()))
    for box in (1, 2, 3):
        for bet, amount in (("ante", 1000), ("jackpot", 500)):
            ask(h, AtTable(table="T1", command=PlaceBet(player="ana", box=box, bet=bet, amount=amount)))
    ask(h, AtTable(table="T1", command=CloseBets()))
    assert h.balances["link/main/pool"] == money("1000.50")
    assert h.balances["link/main/overflow"] == money("1.50")
    assert h.links["main"].balances
    store.close()


def test_parameters_and_meter_change_only_closed_and_by_two(store: Store) -> None:
    """The House's correction is a top-up with a cause; finer rates need finer units, and no cent moves for it."""
    h = house(store)
    ask(h, OpenLink(link="main", meter=money("1000.00"), parameters=_parameters()))
    finer = Parameters(reset=money("500.00"), contribution=Rate(1, 7), reserve=Rate(1, 13))
    change = ChangeParameters(link="main", by="ines", second="jon", parameters=finer)
    assert ask(h, change).code == "link_open"
    assert ask(h, CloseLink(link="main", by="ines")).accepted
    alone = ChangeParameters(link="main", by="ines", second="ines", parameters=finer)
    assert ask(h, alone).code == "two_people"
    other_money = ChangeParameters(link="main", by="ines", second="jon", parameters=replace(finer, currency="ZAR"))
    assert ask(h, other_money).code == "bad_parameters"
    assert ask(h, change).accepted
    assert h.links["main"].scale == 10 * 7 * 13
    assert h.balances["link/main/pool"] == h.links["main"].cents == money("1000.00")
    wrong = AdjustMeter(link="main", by="ines", second="jon", amount=-200_000, cause="Too much.")
    assert ask(h, wrong).code == "no_amount"
    right = AdjustMeter(link="main", by="ines", second="jon", amount=-1, cause="Display was a cent ahead.")
    assert ask(h, right).accepted
    assert h.balances["house/top-ups/main"] == -99_999
    assert ask(h, ReopenLink(link="main", by="jon")).accepted
    store.close()


@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(reset=-1, contribution=Rate(1, 5)),
        Parameters(reset=0, contribution=Rate(1, 0)),
        Parameters(reset=0, contribution=Rate(-1, 5)),
        Parameters(reset=0, contribution=Rate(3, 5), reserve=Rate(1, 2)),
        Parameters(reset=100, contribution=Rate(1, 5), cap=99),
    ],
)
def test_parameters_that_make_no_sense_are_refused(store: Store, parameters: Parameters) -> None:
    """Shares are shares of a bet, and a meter can stand at its reset value."""
    h = house(store)
    assert ask(h, OpenLink(link="main", meter=100, parameters=parameters)).code == "bad_parameters"
    assert "main" not in h.links
    store.close()
