"""Limits that players set for themselves: held at every table, over restarts, and judged again by the audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from random import Random

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.people.own_limits import COOLING_OFF, DEMO_CHIPS, DEMO_TIMES, MINUTE, REST, Bound, Play
from croupier.floor.records.commands import (
    AcknowledgeCheck,
    Answer,
    AtTable,
    BuyIn,
    CashOut,
    EnrolPerson,
    FoundHouse,
    HouseCommand,
    OpenTable,
    Request,
    SetLimits,
    TableConfig,
    TakeDemoChips,
)
from croupier.floor.records.refusals import Code
from croupier.journal.store import Store
from croupier.ledger import accounts
from croupier.money import Money, money
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.dealing import decision_due
from croupier.rounds.state import Stage
from croupier.testing.private_postgres import PrivatePostgres
from tests.effort import effort
from tests.floor.house_builder import HOLDEM, ROYAL, ChosenDecks, buy_in, house, two_servers
from tests.stores import PostgresPlace, SqlitePlace, opened_at

NOON = 1_700_000_000_000_000
_IDS = count(1)


class Evening:
    """A house with ana, who has 1,000.00, and a clock that the test sets."""

    def __init__(self, store: Store, *decks: Mapping[str, str], demonstration: bool = False) -> None:
        self.house, self.now = house(store, *decks), NOON
        self.must(FoundHouse(demonstration=demonstration))
        self.must(OpenTable(table="T1", config=TableConfig(game=HOLDEM)))
        self.must(OpenTable(table="T2", config=TableConfig(game=HOLDEM)))
        self.must(EnrolPerson(name="ana", post=Post.PLAYER, secret=""))
        self.must(EnrolPerson(name="dee", post=Post.DEALER, secret=""))
        self.must(BuyIn(player="ana", amount=money("1000.00")))

    def ask(self, command: HouseCommand) -> Answer:
        return self.house.process([Request(f"evening-{next(_IDS)}", command, self.now)])[0]

    def must(self, command: HouseCommand) -> None:
        answer = self.ask(command)
        assert answer.accepted, f"{command}: {answer.message}"

    def at(self, command: RoundCommand, table: str = "T1") -> Answer:
        return self.ask(AtTable(table=table, command=command))

    def bet(self, amount: str, table: str = "T1") -> Answer:
        """An Ante in a Round of its own, or added to one that takes bets."""
        if self.house.tables[table].round.stage is not Stage.BETTING:
            assert self.at(OpenRound(), table).accepted
        return self.at(PlaceBet(player="ana", box=1, bet="ante", amount=money(amount)), table)

    def fold(self, table: str = "T1") -> None:
        assert self.at(CloseBets(), table).accepted
        assert self.at(DecideHand(box=1, choice="fold"), table).accepted

    @property
    def held(self) -> Money:
        return self.house.balances[accounts.player("ana")]

    @property
    def play(self) -> Play:
        return self.house.people.play["ana"]

    def differences(self) -> list[str]:
        return [str(difference) for difference in audit(self.house.store).differences]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with opened_at(SqlitePlace(tmp_path)) as opened:
        yield Evening(opened())


def test_a_wager_beyond_the_loss_limit_is_refused_at_every_table(evening: Evening) -> None:
    """What a Bet may lose counts when it is staked, and the sentence has both figures."""
    evening.must(SetLimits(person="ana", loss=money("100.00")))
    assert evening.bet("60.00").accepted
    refused = evening.bet("50.00", "T2")
    assert (refused.code, refused.message) == (
        Code.LOSS_LIMIT,
        "With this bet you could have lost 110.00 in this session, and your limit is 100.00.",
    )
    assert evening.bet("40.00", "T2").accepted
    assert evening.held == money("900.00")
    assert evening.differences() == []


def test_a_decision_is_a_wager_too(evening: Evening) -> None:
    """With 60.00 of 100.00 staked a Flop Bet of 120.00 is refused, and folding is not."""
    evening.must(SetLimits(person="ana", loss=money("100.00")))
    assert evening.bet("60.00").accepted
    assert evening.at(CloseBets()).accepted
    assert evening.at(DecideHand(box=1, choice="flop")).code == Code.LOSS_LIMIT
    assert evening.at(DecideHand(box=1, choice="fold")).accepted


def test_a_decision_that_cannot_be_paid_is_refused_before_cards_follow(tmp_path: Path) -> None:
    """Else whether it is refused would tell whether it wins: the winnings come with the same command."""
    with opened_at(SqlitePlace(tmp_path)) as opened:
        evening = Evening(opened(), ROYAL)
        evening.must(CashOut(player="ana", amount=money("850.00")))
        assert evening.bet("50.00").accepted
        assert evening.at(CloseBets()).accepted
        assert evening.at(DecideHand(box=1, choice="flop")).accepted
        assert evening.held == 0
        assert evening.at(DecideHand(box=1, choice="check")).accepted
        assert evening.at(DecideHand(box=1, choice="river")).code == Code.INSUFFICIENT_FUNDS


def test_chips_that_are_bought_or_cashed_out_are_neither_won_nor_lost(evening: Evening) -> None:
    """Nor do they count when the Round is over."""
    evening.must(SetLimits(person="ana", loss=money("100.00")))
    assert evening.bet("90.00").accepted
    evening.must(BuyIn(player="ana", amount=money("500.00")))
    assert evening.bet("20.00").code == Code.LOSS_LIMIT
    evening.must(CashOut(player="ana", amount=money("800.00")))
    assert evening.bet("10.00").accepted
    evening.fold()
    assert evening.play.lost(evening.held) == money("100.00")
    assert evening.bet("10.00").code == Code.LOSS_LIMIT
    assert evening.differences() == []


def test_bets_that_lay_there_when_the_session_began_belong_to_it(evening: Evening) -> None:
    """What comes back of them is not taken for a win."""
    assert evening.bet("60.00").accepted
    evening.must(SetLimits(person="ana", loss=money("100.00")))
    assert evening.bet("40.00", "T2").accepted
    assert evening.play.base == money("1000.00")
    assert evening.bet("10.00", "T2").code == Code.LOSS_LIMIT


def test_after_the_time_limit_the_round_is_finished_and_no_new_bet_taken(evening: Evening) -> None:
    """Six hours without a bet begin another session."""
    evening.must(SetLimits(person="ana", minutes=60))
    assert evening.bet("50.00").accepted
    evening.now += 59 * MINUTE
    assert evening.bet("50.00").accepted
    evening.now += MINUTE
    refused = evening.bet("50.00")
    assert refused.code == Code.TIME_LIMIT
    assert refused.message == "Your time limit of 60 min is over. You may bet again after 6 hours without a bet."
    evening.fold()
    evening.now += REST
    assert evening.bet("50.00").accepted
    assert evening.differences() == []


def test_a_reality_check_is_acknowledged_before_the_next_bet(evening: Evening) -> None:
    """It says how long and how much; the Round in play goes on without it."""
    evening.must(SetLimits(person="ana", check=30))
    assert evening.ask(AcknowledgeCheck(person="ana")).code == Code.NO_SESSION
    assert evening.bet("50.00").accepted
    evening.now += 31 * MINUTE
    evening.fold()
    refused = evening.bet("50.00")
    assert refused.code == Code.REALITY_CHECK
    assert "31 min ago, and you have lost 50.00 since" in refused.message
    evening.must(AcknowledgeCheck(person="ana"))
    assert evening.bet("50.00").accepted
    evening.now += 30 * MINUTE
    assert evening.bet("50.00").code == Code.REALITY_CHECK
    assert evening.differences() == []


@pytest.mark.parametrize(
    ("before", "asked", "after"),
    [
        (Bound(), 100, Bound(100)),
        (Bound(100), 50, Bound(50)),
        (Bound(100), 200, Bound(100, 200, NOON + COOLING_OFF)),
        (Bound(100), 0, Bound(100, 0, NOON + COOLING_OFF)),
        (Bound(100, 200, NOON + 5), 200, Bound(100, 200, NOON + 5)),
        (Bound(100, 200, NOON + 5), 300, Bound(100, 300, NOON + COOLING_OFF)),
        (Bound(100, 200, NOON + 5), 100, Bound(100)),
        (Bound(100, 200, NOON), 150, Bound(150)),
        (Bound(100, 0, NOON), 150, Bound(150)),
    ],
)
def test_stricter_at_once_and_looser_after_a_day(before: Bound, asked: int, after: Bound) -> None:
    """Raised and removed limits hold on for a day; asking for what waits does not make it wait longer."""
    assert before.set_to(asked, NOON) == after


def test_a_raised_limit_holds_for_another_day(evening: Evening) -> None:
    """And then the new one does, without a word from anybody."""
    evening.must(SetLimits(person="ana", loss=money("50.00")))
    evening.must(SetLimits(person="ana", loss=money("200.00")))
    assert evening.bet("60.00").code == Code.LOSS_LIMIT
    evening.now += COOLING_OFF
    assert evening.bet("60.00").accepted
    evening.must(SetLimits(person="ana", loss=money("30.00")))
    assert evening.bet("10.00").code == Code.LOSS_LIMIT
    assert evening.differences() == []


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (SetLimits(person="ana", loss=-1), Code.BAD_LIMIT),
        (SetLimits(person="ana", minutes=1441), Code.BAD_LIMIT),
        (SetLimits(person="dee", loss=100), Code.BAD_LIMIT),
        (SetLimits(person="nobody", loss=100), Code.UNKNOWN_PERSON),
        (TakeDemoChips(person="ana"), Code.DEMO_CHIPS),
    ],
)
def test_what_is_not_a_limit_is_refused(evening: Evening, command: HouseCommand, code: Code) -> None:
    """Nothing is recorded."""
    assert evening.ask(command).code == code


def test_a_restart_keeps_limits_and_session(tmp_path: Path) -> None:
    """From the records alone."""
    place = SqlitePlace(tmp_path)
    with opened_at(place) as opened:
        evening = Evening(opened())
        evening.must(SetLimits(person="ana", loss=money("100.00"), minutes=60, check=20))
        assert evening.bet("60.00").accepted
        before = evening.play
    with opened_at(place) as opened:
        again = House(opened(), ChosenDecks(iter(())).chance)
        assert again.people.play["ana"] == before


def test_demo_chips_are_bounded_and_have_an_entry_of_their_own(tmp_path: Path) -> None:
    """Only for a player with few chips, ten times a day, out of the house's own account."""
    with opened_at(SqlitePlace(tmp_path)) as opened:
        evening = Evening(opened(), demonstration=True)
        assert evening.ask(TakeDemoChips(person="ana")).code == Code.DEMO_CHIPS
        for taken in range(1, DEMO_TIMES + 1):
            evening.must(CashOut(player="ana", amount=evening.held))
            evening.must(TakeDemoChips(person="ana"))
            assert evening.house.balances[accounts.DEMO_CHIPS] == -taken * DEMO_CHIPS
        evening.must(CashOut(player="ana", amount=evening.held))
        assert evening.ask(TakeDemoChips(person="ana")).code == Code.DEMO_CHIPS
        evening.now += COOLING_OFF
        evening.must(TakeDemoChips(person="ana"))
        assert evening.differences() == []


def test_servers_of_one_house_hold_the_same_limit(postgres: PrivatePostgres) -> None:
    """Set at one, held at the other, with what was staked at both."""
    with opened_at(PostgresPlace(postgres)) as opened:
        one, other = two_servers(opened)
        numbers = count(1)

        def ask(running: House, command: HouseCommand) -> Answer:
            return running.process([Request(f"servers-{next(numbers)}", command, NOON)])[0]

        def ante(table: str, amount: str) -> AtTable:
            return AtTable(table=table, command=PlaceBet(player="cy", box=1, bet="ante", amount=money(amount)))

        assert ask(one, EnrolPerson(name="cy", post=Post.PLAYER, secret="")).accepted
        buy_in(one, "cy")
        for running, table in ((one, "T1"), (other, "T2")):
            assert ask(running, AtTable(table=table, command=OpenRound())).accepted
        assert ask(one, SetLimits(person="cy", loss=money("100.00"))).accepted
        assert ask(other, ante("T2", "60.00")).accepted
        assert ask(one, ante("T1", "50.00")).code == Code.LOSS_LIMIT
        assert ask(one, ante("T1", "40.00")).accepted
        assert [str(difference) for difference in audit(one.store).differences] == []


def test_the_audit_finds_a_wager_beyond_a_limit(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that did not hold the limit has it in its records."""
    evening.must(SetLimits(person="ana", loss=money("100.00")))
    monkeypatch.setattr("croupier.floor.house.own_limit_check.check_loss", lambda *_: None)
    assert evening.bet("120.00").accepted
    (found,) = evening.differences()
    assert "ana was beyond a limit" in found
    assert "lost 120.00" in found


@pytest.mark.parametrize("seed", range(effort(6)))
def test_no_session_loses_more_than_its_limit(tmp_path: Path, seed: int) -> None:
    """Over random play, payments, limits and hours: no wager leaves a loss beyond the limit of that moment, where chips
    on layouts count as lost. A limit that is lowered may lie below what is staked already, and only below that.
    """
    random = Random(seed)
    with opened_at(SqlitePlace(tmp_path)) as opened:
        evening = Evening(opened())
        evening.must(SetLimits(person="ana", loss=money("150.00"), check=random.choice((0, 45))))
        refused = 0
        for _ in range(60):
            evening.now += random.choice((1, MINUTE, 20 * MINUTE, REST))
            before = evening.held
            answer = evening.ask(_anything(random, evening))
            refused += answer.code == Code.LOSS_LIMIT
            play, limit = evening.play, evening.play.loss.at(evening.now)
            if evening.held < before and answer.accepted and play.is_running(evening.now) and limit:
                staked = any(answer.heads.get(f"table/{table}") for table in ("T1", "T2"))
                assert not staked or play.lost(evening.held) <= limit
        assert refused, "the limit was reached"
        assert evening.differences() == []


def _anything(random: Random, evening: Evening) -> HouseCommand:
    """Something that ana or the house may do now."""
    table = random.choice(("T1", "T2"))
    state, terms = evening.house.tables[table].round, evening.house.tables[table].terms
    kind = random.random()
    if kind < 0.06:
        return SetLimits(person="ana", loss=money(random.choice(("0.00", "80.00", "150.00", "400.00"))))
    if kind < 0.12:
        return BuyIn(player="ana", amount=money("100.00"))
    if kind < 0.16:
        return AcknowledgeCheck(person="ana")
    if state.stage is Stage.BETTING:
        if kind < 0.6 or not state.box(1).stakes:
            amount = money(random.choice(("10.00", "30.00", "90.00")))
            return AtTable(table=table, command=PlaceBet(player="ana", box=1, bet="ante", amount=amount))
        return AtTable(table=table, command=CloseBets())
    due = decision_due(terms, state) if state.stage is Stage.PLAYING else None
    if due is not None:
        choice = random.choice((due[0].bet, due[0].otherwise))
        return AtTable(table=table, command=DecideHand(box=1, choice=choice))
    return AtTable(table=table, command=OpenRound())
