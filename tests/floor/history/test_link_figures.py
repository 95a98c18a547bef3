"""The figures of a link, each from its own records: what came in, what went back, what was paid, day by day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import msgspec
import pytest

from croupier.floor.history.link_figures import day_of, figures, trial_balance
from croupier.floor.records.facts import LinkFact, LinkOpened
from croupier.jackpots.events import (
    AnyLinkEvent,
    AwardLocked,
    AwardsLocked,
    AwardsReversed,
    CasePaid,
    ClaimsEntered,
    Contributed,
    ContributionReversed,
    LinkClosed,
    MeterAdjusted,
    ParametersChanged,
    RoundForgotten,
)
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.records import GENESIS, Record, chain_hash
from croupier.journal.store import Batch, LedgerRow, Store, StoreError
from croupier.rounds.commands import PaidLine
from croupier.rounds.events import AwardClaimed, AwardPaid, BetSettled, Outcome
from tests.stores import SqlitePlace

MORNING, _ = day_of(date(2026, 11, 16))
HOUR = 3_600_000_000
QUARTER = Parameters(reset=500_00, contribution=Rate(1, 4))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = SqlitePlace(tmp_path).open()
    yield store
    store.close()


def happened(store: Store, *facts: tuple[int, LinkFact]) -> None:
    """These events on the link, each at its hour of the day."""
    records, before = [], GENESIS
    for seq, (hour, fact) in enumerate(facts, 1):
        kind, at, data = type(fact).__name__, MORNING + hour * HOUR, msgspec.json.encode(fact)
        before = chain_hash(before, "link/main", seq, kind, 1, at, f"c{seq}", data)
        records.append(Record("link/main", seq, kind, 1, at, f"c{seq}", data, before))
    store.write(Batch(records=records))


def opened(parameters: Parameters = QUARTER) -> LinkOpened:
    return LinkOpened(meter=1000_00, parameters=parameters)


def bet(number: int = 1, units: int = 500, **more: int) -> Contributed:
    """A jackpot Bet of 5.00 at a rate of a quarter, in units of a quarter of a cent."""
    return Contributed(table="T1", round=number, box=1, units=units, **more)


def test_a_bet_that_went_back_is_out_of_the_in_meter_whatever_the_rate_was_by_then(store: Store) -> None:
    """5.00 counted at a quarter; since then the rate is a seventh and a cent has 28 units."""
    finer = msgspec.structs.replace(QUARTER, contribution=Rate(1, 7))
    back = ContributionReversed(table="T1", round=1, box=1, units=500 * 7)
    changed = ParametersChanged(by="max", second="eva", parameters=finer)
    happened(store, (0, opened()), (1, bet()), (2, LinkClosed(by="max")), (3, changed), (4, back))
    found = figures(store, "main", (MORNING, MORNING + 24 * HOUR))
    assert (found.in_meter, found.contributed, found.display) == ("0.00", "0.00", "1000.00")
    assert (found.increment, found.reserve_rate, found.closed) == ("1/7", "0", True)
    assert found.day is not None
    assert (found.day.contributions, found.day.contributions_returned, found.day.adds_up) == ("1.25", "1.25", True)


def test_bets_count_until_they_can_go_back_no_more(store: Store) -> None:
    """A table's next Round makes them final; those of other tables wait on."""
    elsewhere = Contributed(table="T2", round=1, box=1, units=500)
    back = ContributionReversed(table="T2", round=1, box=1, units=500)
    forgotten = RoundForgotten(table="T1", round=1)
    happened(store, (0, opened()), (1, bet()), (1, elsewhere), (2, forgotten), (3, bet(2)), (4, back))
    assert figures(store, "main").in_meter == "10.00"


def test_the_bet_is_known_from_the_reserve_where_the_meter_takes_nothing(store: Store) -> None:
    """A link whose visible share is nothing, and one that takes nothing at all."""
    hidden = Parameters(reset=0, contribution=Rate(0), reserve=Rate(1, 10))
    happened(store, (0, opened(hidden)), (1, bet(units=0, reserve=500)))
    assert figures(store, "main").in_meter == "5.00"


def test_a_day_has_its_own_sums_and_its_own_ends(store: Store) -> None:
    """The link opens yesterday; the day begins at midnight and ends before the next."""
    happened(
        store,
        (-1, opened()),
        (0, bet(1)),
        (12, MeterAdjusted(by="max", second="eva", units=4 * 7, cause="A display was seven cents behind.")),
        (23, bet(2)),
        (24, bet(3)),
    )
    found = figures(store, "main", (MORNING, MORNING + 24 * HOUR))
    day = found.day
    assert day is not None
    assert (day.since, day.until) == ("2026-11-16T00:00:00.000+00:00", "2026-11-17T00:00:00.000+00:00")
    assert (day.opening.meter, day.closing.meter) == ("1000.00", "1002.57")
    assert (day.seeded, day.contributions, day.paid) == ("0.00", "2.50", "0.00")
    assert (day.top_ups, day.corrections) == ("0.00", "0.07"), "a correction is not a top-up"
    assert (found.top_ups, found.corrections) == ("0.00", "0.07")
    assert [(cause.by, cause.second, cause.amount, cause.at[:13]) for cause in day.adjustments] == [
        ("max", "eva", "0.07", "2026-11-16T12")
    ]
    assert day.adds_up
    assert (found.seeded, found.contributed, found.in_meter, found.display) == ("1000.00", "3.75", "15.00", "1003.82")
    yesterday = figures(store, "main", (MORNING - 24 * HOUR, MORNING)).day
    assert yesterday is not None
    assert (yesterday.opening.meter, yesterday.closing.meter, yesterday.seeded) == ("0.00", "1000.00", "1000.00")
    assert yesterday.adds_up


def test_what_is_set_aside_stands_between_the_meters_of_a_day(store: Store) -> None:
    """Opening meter + what came in − what was set aside = closing meter: the lines of the day add up as printed."""
    happened(store, (0, opened()), (1, bet(1)), (2, bet(2, reserve=100)))
    day = figures(store, "main", (MORNING, MORNING + 24 * HOUR)).day
    assert day is not None
    assert (day.seeded, day.contributions, day.aside, day.closing.meter) == ("1000.00", "2.75", "0.25", "1002.50")
    assert day.adds_up


def paid(number: int, *cents: int, from_meter: Sequence[bool] = ()) -> tuple[AnyLinkEvent, ...]:
    """One winner's awards, claimed, locked and paid; those of the meter take from it, the others are the House's."""
    claim = AwardClaimed(
        round=number, box=2, player="ana", staked=500, counts=500, units=1, awards=(), named="", collected=True
    )
    marks = [*from_meter, *([True] * (len(cents) - len(from_meter)))]
    lines = tuple(
        PaidLine(hand=f"hand {amount}", pays="", amount=amount, from_meter=mark)
        for amount, mark in zip(cents, marks, strict=True)
    )
    taken = 4 * sum(line.amount for line in lines if line.from_meter)
    awards = tuple(
        AwardPaid(round=number, box=2, player="ana", hand=line.hand, pays="", amount=line.amount,
                  from_meter=line.from_meter, rules=())
        for line in lines
    )  # fmt: skip
    settled = BetSettled(round=number, box=2, player="ana", bet="jackpot", outcome=Outcome.WIN, staked=500,
                         won=sum(cents), returned=0, rules=(), because="")  # fmt: skip
    return (
        ClaimsEntered(table="T1", round=number, claims=(claim,)),
        AwardsLocked(table="T1", round=number, awards=(AwardLocked(number, lines),), taken=taken),
        CasePaid(case=number, table="T1", round=number, awards=awards, line=settled),
    )


def test_hits_are_what_the_meter_paid_and_was_not_taken_back(store: Store) -> None:
    """The newest first; an award that the House pays is none, nor one that was reversed."""
    reversed_ = AwardsReversed(table="T1", round=2)
    happened(
        store,
        (0, opened()),
        *((1, event) for event in paid(1, 100_00, 7_00, from_meter=[True, False])),
        *((2, event) for event in paid(2, 50_00)),
        (3, reversed_),
        *((4, event) for event in paid(3, 20_00)),
    )
    found = figures(store, "main", (MORNING + 2 * HOUR, MORNING + 24 * HOUR))
    assert found.day is not None
    assert (found.day.opening.meter, found.day.paid, found.day.closing.meter) == ("900.00", "20.00", "880.00")
    assert found.day.adds_up
    assert [(hit.round, hit.box, hit.player, hit.hand, hit.amount) for hit in found.last_hits] == [
        (3, 2, "ana", "hand 2000", "20.00"),
        (1, 2, "ana", "hand 10000", "100.00"),
    ]
    assert (found.hits, found.wins, found.paid) == (2, "120.00", "120.00")
    assert found.display == "880.00"


@pytest.mark.parametrize("account", ["pool", "reserve", "overflow"])
def test_the_ledger_agrees_only_where_all_three_accounts_do(store: Store, account: str) -> None:
    """Meter, hidden reserve and overflow, each in whole cents."""
    capped = Parameters(reset=0, contribution=Rate(1, 4), reserve=Rate(1, 10), cap=1000_50)
    happened(store, (0, opened(capped)), (1, bet(units=1000, reserve=1000, overflow=1500)))
    held = {"pool": 1000_50, "reserve": 50, "overflow": 75}
    names = {f"link/main/{name}": amount for name, amount in held.items()}
    postings = tuple(names.items())
    house = ("house/top-ups/main", -sum(names.values()))
    accounts = {**dict.fromkeys(names, False), house[0]: True}
    store.write(Batch(entries=[LedgerRow("link/main", 1, (*postings, house))], opened_accounts=accounts))
    assert figures(store, "main").ledger_agrees
    found = figures(store, "main", (MORNING, MORNING + 24 * HOUR))
    assert (found.pool_account, found.in_meter, found.cap) == ("1000.50", "5.00", "1000.50")
    assert found.day is not None
    closing = found.day.closing
    assert (closing.meter, closing.reserve, closing.overflow) == ("1000.50", "0.50", "0.75")
    assert (found.day.contributions, found.day.adds_up) == ("1.75", True)
    off = ((f"link/main/{account}", 1), (house[0], -1))
    store.write(Batch(entries=[LedgerRow("link/main", 2, off)]))
    assert not figures(store, "main").ledger_agrees


def test_a_link_that_is_not_there_is_named(store: Store) -> None:
    with pytest.raises(StoreError, match='no link "main"'):
        figures(store, "main")


def test_every_account_stands_in_one_group_of_the_trial_balance(store: Store) -> None:
    """Whatever a player, a table or a link is called."""
    held = {
        "player/bank": 1, "player/ana": 20, "table/player/layout": 300, "table/T1/bank": -4_000,
        "link/main/pool": 50_000, "house/top-ups/main": -600_000, "cashier/cash": 553_679,
    }  # fmt: skip
    store.write(
        Batch(
            entries=[LedgerRow("cashier", 1, tuple(held.items()))],
            opened_accounts=dict.fromkeys(held, True),
        )
    )
    found = trial_balance(store)
    assert (found.players, found.layouts, found.banks) == ("0.21", "3.00", "-40.00")
    assert (found.links, found.house, found.cash, found.sum) == ("500.00", "-6000.00", "5536.79", "0.00")
    assert found.balances
    assert list(found.accounts) == sorted(held)
