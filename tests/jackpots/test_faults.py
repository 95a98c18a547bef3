"""Faults of the jackpot system: Rounds that are void, Rounds that are paid from the value registered before."""

from __future__ import annotations

import pytest

from tests.scripting import (
    Step,
    award,
    bet,
    close_bets,
    decide,
    decides,
    examine,
    jackpot,
    line,
    open_round,
    replay,
    report,
    table,
)

HOLDEM, VERSION_6 = "rws-multilink-holdem", "rws-progressive-holdem"
both_games = pytest.mark.parametrize("game", [HOLDEM, VERSION_6])

ROYAL = {"box_1": "Ah Kh", "community": "Qh Jh Th 2c 3d"}
NOTHING = {"box_1": "9h 4c", "community": "Qh Jd 2s 3c 3d"}
FAULT = "jackpot_malfunction"


def dealt(at: str = "T1", *, looked: bool = False) -> list[Step]:
    steps = [bet(1, "ante", "10.00", at=at), bet(1, "jackpot", "5.00", at=at), close_bets(at=at)]
    return [*steps, examine(1, at=at)] if looked else steps


def played_out(at: str = "T1") -> list[Step]:
    return decides(1, "flop", "check", "check", at=at)


def test_each_table_of_a_failed_link_goes_by_its_own_state() -> None:
    """rws-multilink-holdem 5.16, 5.17.1, jackpot-fault (b): T1 only dealt is void, T2 has looked and goes on; two
    straight flushes there run the registered value down."""
    result = replay(
        table(HOLDEM, cards=NOTHING),
        table(HOLDEM, community="9c 8c 7c 2h 3d", box_1="Jc Tc", box_2="6c 5c"),
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        dealt("T1"),
        [bet(2, "ante", "10.00", at="T2"), bet(2, "jackpot", "5.00", at="T2"), *dealt("T2", looked=True)],
        report(FAULT, link=True),
        [decide(1, "fold", at="T2"), decide(2, "fold", at="T2")],
    )
    assert result.status(at="T1") == "void"
    assert result.line(1, "ante", at="T1") == line("returned", rules="5.16 5.21")
    assert [paid.amount for paid in result.awards(at="T2")] == ["100000.00", "90000.00"]
    assert result.meter == "810000.00"


@both_games
def test_the_rounds_of_one_fault_share_the_registered_value(game: str) -> None:
    """rws-multilink-holdem 5.17.1, 4.5.2, jackpot-fault; rws-progressive-holdem 5.17.1, 4.5: two tables that both
    looked and both win are paid one after the other from one value."""
    result = replay(
        *(table(game, cards=ROYAL) for _ in range(2)),
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        [*dealt("T1", looked=True), *dealt("T2", looked=True), report(FAULT, link=True)],
        [*played_out("T1"), *played_out("T2")],
    )
    assert result.awards(at="T1")[0].amount == "1000000.00"
    assert result.awards(at="T2")[0].amount == "200000.00"
    assert result.meter == "200000.00"


@both_games
def test_a_table_that_is_void_takes_nothing_from_the_registered_value(game: str) -> None:
    """rws-multilink-holdem 5.16, 5.17.1; rws-progressive-holdem 5.16, 5.17.1: T1's Bet was registered before the fault,
    and only goes back after it."""
    result = replay(
        table(game, cards=NOTHING),
        table(game, cards=ROYAL),
        jackpot(),
        [*dealt("T1"), *dealt("T2", looked=True), report(FAULT, link=True), *played_out("T2")],
    )
    assert result.awards(at="T2")[0].amount == "100002.00"


@both_games
def test_a_frozen_round_is_paid_what_was_registered_before_the_fault(game: str) -> None:
    """rws-multilink-holdem 5.17.1; rws-progressive-holdem 5.17.1: what other tables bet since stays on the meter."""
    result = replay(
        table(game, cards=ROYAL),
        table(game, cards=NOTHING),
        jackpot(),
        [*dealt("T1", looked=True), report(FAULT, at="T1")],
        [*dealt("T2"), decide(1, "fold", at="T2")],
        played_out("T1"),
    )
    assert result.awards(at="T1")[0].amount == "100001.00"
    assert result.meter == "50001.00"


@both_games
def test_another_tables_next_round_leaves_the_registered_value_alone(game: str) -> None:
    """rws-multilink-holdem 5.17.1; rws-progressive-holdem 5.17.1: T2 has begun a new Round before T1's is shown."""
    result = replay(
        table(game, cards=ROYAL),
        table(game, cards=NOTHING),
        jackpot(),
        [*dealt("T1", looked=True), report(FAULT, at="T1")],
        [*dealt("T2"), decide(1, "fold", at="T2"), open_round(at="T2")],
        played_out("T1"),
    )
    assert result.awards(at="T1")[0].amount == "100001.00"
    assert result.meter == "50001.00"


@both_games
def test_a_frozen_award_that_waits_for_its_turn_keeps_its_value(game: str) -> None:
    """rws-multilink-holdem 5.17.1, 4.5.2; rws-progressive-holdem 5.17.1, 4.5: T2's royal flush waits for T1, which was
    dealt before; T2 begins its next Round meanwhile, and T3 bets on."""
    result = replay(
        table(game, cards=NOTHING),
        table(game, cards=ROYAL),
        table(game, cards=NOTHING),
        jackpot(),
        [*dealt("T1"), *dealt("T2", looked=True), report(FAULT, at="T2"), *played_out("T2"), open_round(at="T2")],
        [*dealt("T3"), decide(1, "fold", at="T3")],
        decide(1, "fold", at="T1"),
    )
    assert result.awards(at="T2")[0].amount == "100002.00"
    assert result.meter == "50001.00"


@both_games
def test_without_a_fault_the_same_round_is_paid_the_running_meter(game: str) -> None:
    """rws-multilink-holdem 4.5.2; rws-progressive-holdem 4.5: the opposite of a frozen value."""
    result = replay(
        table(game, cards=ROYAL),
        table(game, cards=NOTHING),
        jackpot(),
        [*dealt("T1", looked=True), *dealt("T2"), decide(1, "fold", at="T2"), *played_out("T1")],
    )
    assert result.awards(at="T1")[0].amount == "100002.00"


@both_games
def test_the_next_round_is_not_paid_from_the_registered_value(game: str) -> None:
    """rws-multilink-holdem 5.17.1, 5.17.2; rws-progressive-holdem 5.17.1, 5.17.2: restored, the meter runs."""
    restore: Step = {"do": "jackpot_mode", "mode": "restore", "by": "shift_manager", "table": "T1"}
    result = replay(
        table(game, cards=NOTHING),
        jackpot(),
        [*dealt("T1", looked=True), report(FAULT), *played_out("T1"), restore, open_round(cards=ROYAL), *dealt("T1")],
        played_out("T1"),
    )
    assert result.awards(number=2)[0].amount == "100002.00"


@both_games
def test_a_table_that_never_opened_takes_no_jackpot_bets_after_the_links_fault(game: str) -> None:
    """rws-multilink-holdem 5.17.2; rws-progressive-holdem 5.17.2: the fault is its own as well."""
    result = replay(
        table(game, cards=NOTHING),
        table(game, opened=False),
        jackpot(),
        [*dealt("T1"), report(FAULT, link=True), open_round(at="T2")],
        [bet(1, "ante", "10.00", at="T2"), bet(1, "jackpot", "5.00", at="T2")],
    )
    assert result.codes == ["jackpot_bets_suspended"]


@both_games
def test_a_fault_of_one_table_leaves_the_others_alone(game: str) -> None:
    """rws-multilink-holdem 5.16, jackpot-fault (b); rws-progressive-holdem 5.16: T2 plays and bets on."""
    result = replay(
        table(game, cards=NOTHING),
        table(game, cards=ROYAL),
        jackpot(),
        [*dealt("T1"), report(FAULT, at="T1"), *dealt("T2"), *played_out("T2")],
    )
    assert result.status(at="T1") == "void"
    assert result.codes == []
    assert result.awards(at="T2")[0].amount == "100001.00"


@both_games
def test_only_the_round_of_the_fault_is_paid_what_was_registered_then(game: str) -> None:
    """rws-multilink-holdem 5.17.1, jackpot-fault (b); rws-progressive-holdem 5.17.1: T1 goes on with the value of the
    fault, while T2 wins the running meter, its own contribution included."""
    result = replay(
        table(game, cards=NOTHING),
        table(game, cards=ROYAL),
        jackpot(),
        [*dealt("T1", looked=True), report(FAULT, at="T1"), *dealt("T2")],
        [decide(1, "fold", at="T1"), *played_out("T2")],
    )
    assert result.awards(at="T2")[0].amount == "100002.00"


@both_games
def test_a_fault_of_one_table_is_one_of_all_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 5.16, jackpot-fault (a); rws-progressive-holdem 5.16: T2, which nobody reported, is void."""
    result = replay(
        *(table(game, rulings={"jackpot-fault": "a"}, cards=NOTHING) for _ in range(2)),
        jackpot(),
        [*dealt("T1"), *dealt("T2"), report(FAULT, at="T1")],
    )
    assert result.status(at="T1") == "void"
    assert result.status(at="T2") == "void"


@both_games
def test_a_frozen_round_that_is_reopened_is_paid_the_registered_value_again(game: str) -> None:
    """rws-multilink-holdem 5.17.1, 5.15, post-settlement-window; rws-progressive-holdem likewise: box 2 is cancelled
    after the settlement, box 1's award is unwound and paid once more from the same value."""
    result = replay(
        table(game, cards=ROYAL | {"box_2": "4d 5s"}),
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        [bet(2, "ante", "10.00"), *dealt("T1", looked=True), report(FAULT)],
        [decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 2)],
        report("wrong_box_count", by="shift_manager", box=2, reconstructible=False),
    )
    assert [paid.amount for paid in result.awards()] == ["1000000.00"]
    assert result.meter == "200000.00"


def test_a_frozen_value_above_the_live_meter_is_made_good_by_the_house() -> None:
    """rws-multilink-holdem 5.17.1: another table empties the meter in between; the frozen Round is paid all the same,
    and the meter never falls below nothing."""
    result = replay(
        *(table(HOLDEM, cards=ROYAL) for _ in range(2)),
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        [*dealt("T2"), *dealt("T1", looked=True), report(FAULT, at="T1"), *played_out("T2"), *played_out("T1")],
    )
    assert result.awards(at="T2") == [award("royal_flush", "1000000.00")]
    assert result.awards(at="T1") == [award("royal_flush", "1000000.00")]
    assert result.meter == "200000.00"
