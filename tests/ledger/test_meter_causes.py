"""The meter: whatever raises or lowers it has a name, the cap overflows, the reserve pays, the last hits are kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.history.link_figures import figures
from croupier.floor.records.commands import OpenLink
from croupier.floor.records.facts import LinkFact, LinkOpened
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, ReopenLink
from croupier.jackpots.events import AwardsLocked, AwardsReversed, ContributionReversed, MeterAdjusted
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import LAST_HITS, Link, new_link
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Store
from croupier.money import money
from tests.floor.house_builder import (
    ROYAL,
    STRAIGHT_FLUSH,
    ask,
    at,
    balance,
    bets,
    buy_in,
    checked_books,
    do,
    house,
    open_link,
    open_table,
    play_out,
)
from tests.floor.played_house import Play

FACTS = msgspec.json.Decoder(LinkFact)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = SqliteStore(f"sqlite:///{tmp_path / 'house.db'}")
    yield opened
    opened.close()


def history(store: Store) -> Iterator[tuple[LinkFact, Link]]:
    """Every event of the link, and the link after it."""
    link: Link | None = None
    for record in store.read("link/main"):
        fact = FACTS.decode(record.data)
        if isinstance(fact, LinkOpened):
            link = new_link(fact.meter, fact.parameters)
        else:
            assert link is not None
            link = evolve_link(link, fact)
        yield fact, link


# ---------------------------------------------------------------- causes


def test_a_meter_that_falls_names_its_cause(store: Store) -> None:
    """An award that names its winners, a bet that went back, an award unwound, or a correction by two people in words:
    over an evening with everything in it, nothing else ever lowers the display.
    """
    play = Play(store, seed=23, rich=1.0)
    play.play(2500)
    play.do(CloseLink(link="main", by="ines"))
    fell: set[str] = set()
    for (_, before), (event, after) in pairwise(history(store)):
        if after.meter * before.scale >= before.meter * after.scale:
            continue
        fell.add(type(event).__name__)
        match event:
            case AwardsLocked(awards=awards, taken=taken):
                assert sum(award.from_meter for award in awards) * after.scale == taken
                for case in (after.case(award.case) for award in awards):
                    assert case is not None
                    assert case.claim.player
                    assert all(award.rules for award in case.claim.awards)
            case ContributionReversed(table=table, round=number):
                assert store.head(f"table/{table}").seq
                assert number > 0
            case MeterAdjusted(by=by, second=second, cause=cause):
                assert by != second
                assert cause
            case AwardsReversed():
                pass
            case _:
                pytest.fail(f"{event} lowered the meter")
        assert after.balances
    assert {"AwardsLocked", "ContributionReversed"} <= fell


def test_a_correction_without_a_cause_is_refused(store: Store) -> None:
    """Also with two people and a closed link."""
    running = house(store)
    open_link(running)
    do(running, CloseLink(link="main", by="ines"))
    before = running.links["main"]
    for cause, code in (("", "no_cause"), ("The display was a cent ahead.", "")):
        asked = AdjustMeter(link="main", by="ines", second="jon", amount=-1, cause=cause)
        assert ask(running, asked).code == code
    assert running.links["main"].cents == before.cents - 1
    assert figures(store, "main").conserved


def test_parameters_do_not_change_while_rounds_of_the_link_are_in_play(store: Store) -> None:
    """Closed, and two people; a hand that was dealt before still plays for what was shown."""
    running = house(store)
    open_link(running)
    open_table(running, "T1")
    buy_in(running, "ana")
    at(running, "T1", *bets("ana"))
    do(running, CloseLink(link="main", by="ines"))
    parameters = Parameters(reset=money("1000.00"), contribution=Rate(1, 7))
    change = ChangeParameters(link="main", by="ines", second="jon", parameters=parameters)
    assert ask(running, change).code == "rounds_in_play"
    play_out(running, "T1")
    do(running, change)
    assert running.links["main"].parameters == parameters
    do(running, ReopenLink(link="main", by="jon"))


# ---------------------------------------------------------------- cap, overflow, reserve


def test_past_the_cap_it_overflows_and_a_reset_takes_reserve_and_overflow_first(store: Store) -> None:
    """rws-multilink-holdem 4.2: a royal flush takes the whole meter; the base value comes from what was kept for it,
    then from the House. Not a cent is made or lost on the way.
    """
    running = house(store, {}, ROYAL)
    parameters = Parameters(reset=money("500.00"), contribution=Rate(1, 5), reserve=Rate(1, 10), cap=money("1000.50"))
    do(running, OpenLink(link="main", meter=money("1000.00"), parameters=parameters))
    open_table(running, "T1")
    buy_in(running, "ana")
    for _ in range(2):
        at(running, "T1", *bets("ana"))
        if running.tables["T1"].round.number == 1:
            play_out(running, "T1")
    link = running.links["main"]
    assert (link.cents, link.overflow_cents, link.reserve_cents) == (money("1000.50"), money("1.50"), money("1.00"))
    play_out(running, "T1")
    after = running.links["main"]
    assert [hit.amount for hit in after.last_hits] == [money("1000.50")]
    shown = figures(store, "main")
    assert (shown.hits, shown.wins) == (1, "1000.50")
    # The new meter: the base value, and what had overflowed.
    assert after.cents == money("501.50")
    assert (after.overflow, after.reserve) == (0, 0)
    # The House pays the base value but for the hidden reserve.
    assert after.topped_up == money("499.00") * after.scale
    assert after.balances
    assert shown.conserved
    assert shown.ledger_agrees
    assert balance(running, "link/main/pool") == after.cents
    checked_books(store)
    assert audit(store).is_clean


# ---------------------------------------------------------------- hits


def test_the_last_twenty_five_hits_are_kept_and_all_are_counted(store: Store) -> None:
    """The newest last; who, where, with what, and how much."""
    rounds = LAST_HITS + 3
    running = house(store, *([STRAIGHT_FLUSH] * rounds))
    open_link(running)
    open_table(running, "T1")
    buy_in(running, "ana", "100000.00")
    amounts = []
    for _ in range(rounds):
        before = running.links["main"].cents
        at(running, "T1", *bets("ana"))
        play_out(running, "T1")
        amounts.append(running.links["main"].last_hits[-1].amount)
        assert amounts[-1] <= before
    found = figures(store, "main")
    assert found.hits == rounds
    assert len(found.last_hits) == LAST_HITS == 25
    hits = running.links["main"].last_hits
    assert [hit.amount for hit in hits] == amounts[-LAST_HITS:]
    assert {(hit.player, hit.table, hit.hand) for hit in hits} == {("ana", "T1", "straight_flush")}
    assert [hit.round for hit in hits] == list(range(rounds - LAST_HITS + 1, rounds + 1))
