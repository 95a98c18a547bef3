"""Awards of several tables, worked out by hand from the documents before they were replayed."""

from __future__ import annotations

from tests.scripting import (
    Played,
    Step,
    bet,
    choose,
    close_bets,
    decide,
    decides,
    examine,
    jackpot,
    open_round,
    replay,
    report,
    rule,
    table,
)

HOLDEM, VERSION_6, MBS = "rws-multilink-holdem", "rws-progressive-holdem", "mbs-megalink-holdem"
MILLION = jackpot("1000000.00", reset="200000.00", contribution="0.20")
ROYAL = {"box_1": "Ah Kh", "community": "Qh Jh Th 2c 3d", "dealer": "4s 5d"}
STRAIGHT_FLUSH = {"box_1": "9h 8h", "community": "7h 6h 5h 2c 3d", "dealer": "4s Td"}
NOTHING = {"box_1": "9h 4c", "community": "Qh Jd 2s 3c 3d", "dealer": "As Kd"}


def dealt(at: str) -> list[Step]:
    """One box with an Ante and a jackpot Bet of 5.00, which puts 1.00 on the meter."""
    return [bet(1, "ante", "10.00", at=at), bet(1, "jackpot", "5.00", at=at), close_bets(at=at)]


def played_out(at: str) -> list[Step]:
    return decides(1, "flop", "check", "check", at=at)


def paid(played: Played, *tables: str) -> list[str]:
    """What the awards of these tables came to."""
    return [award.amount for at in tables for award in played.awards(at=at)]


def test_two_awards_wait_for_a_third_table_and_a_new_round_raises_them() -> None:
    """rws-multilink-holdem 4.5.2, 4.2, displayed-value: four Bets are on the meter when T1's fold lets T2 take a tenth
    of 1,000,004.00 and T3 the rest; T3's next Round wins a tenth of the reset value."""
    result = replay(
        *(table(HOLDEM, cards=cards) for cards in (NOTHING, STRAIGHT_FLUSH, ROYAL)),
        MILLION,
        [*dealt("T1"), *dealt("T2"), *dealt("T3"), *played_out("T3"), *played_out("T2")],
        [open_round(at="T3", cards=STRAIGHT_FLUSH), *dealt("T3"), decide(1, "fold", at="T1"), *played_out("T3")],
    )
    assert paid(result, "T2", "T3") == ["100000.40", "900003.60"]
    assert [award.amount for award in result.awards(number=2, at="T3")] == ["20000.00"]
    assert result.meter == "180000.00"


def test_a_hand_given_back_at_its_players_choice_holds_nobody_up() -> None:
    """rws-multilink-holdem 5.10.3, 4.5.2, contribution-time: T1's only jackpot Bet is returned with its 1.00, so T2's
    royal flush has its turn although T1 plays on."""
    result = replay(
        table(HOLDEM, cards=NOTHING),
        table(HOLDEM, cards=ROYAL),
        MILLION,
        [bet(2, "ante", "10.00", at="T1"), *dealt("T1"), *dealt("T2"), *played_out("T2")],
        [report("cards_exposed", count=1, boxes=[1], at="T1"), choose(1, "return", at="T1")],
    )
    assert (paid(result, "T2"), result.status(at="T1"), result.meter) == (["1000001.00"], "open", "200000.00")


def test_a_released_award_that_is_unwound_leaves_the_meter_to_the_earlier_table() -> None:
    """rws-multilink-holdem 4.5.2, 5.8.7: T2 is released and paid everything, and its Round is void afterwards; T1 wins
    the whole meter without T2's 1.00."""
    result = replay(
        *(table(HOLDEM, cards=ROYAL) for _ in range(2)),
        MILLION,
        [*dealt("T1"), *dealt("T2"), *played_out("T2"), rule("release_award", by="shift_manager", at="T2")],
        report("wrong_dealer_count", by="shift_manager", reconstructible=False, at="T2"),
        played_out("T1"),
    )
    assert (paid(result, "T1", "T2"), result.meter) == (["1000001.00"], "200000.00")


def test_a_frozen_value_above_the_meter_is_paid_all_the_same() -> None:
    """rws-multilink-holdem 5.17.1: T1's royal flush is paid the 1,000,002.00 registered before the fault, although
    T2's straight flush has taken a tenth of the meter since; then the meter is at its reset value."""
    result = replay(
        table(HOLDEM, cards=ROYAL),
        table(HOLDEM, cards=STRAIGHT_FLUSH),
        MILLION,
        [*dealt("T2"), *dealt("T1"), examine(1, at="T1"), report("jackpot_malfunction", at="T1")],
        [*played_out("T2"), *played_out("T1")],
    )
    assert (paid(result, "T2", "T1"), result.meter) == (["100000.20", "1000002.00"], "200000.00")


def test_a_royal_flush_on_the_turn_and_one_on_the_river() -> None:
    """rws-progressive-holdem 4.2, 4.5, award-rounding: 25% of 1,000,002.00, then 5% of what is left, rounded down."""
    result = replay(
        table(VERSION_6, cards=ROYAL | {"community": "Qh Jh 2c Th 3d"}),
        table(VERSION_6, cards=ROYAL | {"community": "Qh Jh 2c 3d Th"}),
        MILLION,
        [*dealt("T1"), *dealt("T2"), *played_out("T2"), *played_out("T1")],
    )
    assert (paid(result, "T1", "T2"), result.meter) == (["250000.50", "37500.07"], "712501.43")


def test_a_table_that_pays_by_entry_does_not_wait_for_those_that_do() -> None:
    """mbs-megalink-holdem 3.14, rws-multilink-holdem 4.5.2: T3's straight flush waits for T1; T2 is entered and paid
    the whole meter, so that T3 wins a tenth of the reset value."""
    result = replay(
        *(table(game, cards=cards) for game, cards in ((HOLDEM, NOTHING), (MBS, ROYAL), (HOLDEM, STRAIGHT_FLUSH))),
        MILLION,
        [*dealt("T1"), *dealt("T3"), *dealt("T2"), *played_out("T3"), *played_out("T2"), decide(1, "fold", at="T1")],
    )
    assert (paid(result, "T2", "T3"), result.meter) == (["1000003.00", "20000.00"], "180000.00")


def test_one_of_two_pooled_hands_is_cancelled_after_the_payment() -> None:
    """mbs-megalink-holdem 3.15.1, 5.7, contribution-time: 95,000.19 each; then box 1 held a wrong number of cards, and
    box 3 alone takes a tenth of 1,000,001.00."""
    cards = {"community": "9c 8c 7c 2d 3s", "box_1": "Jc Tc", "box_3": "6c 5c", "dealer": "4s Kh"}
    steps = [
        *(bet(box, kind, amount) for box in (1, 3) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))),
        close_bets(),
        *(decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 3)),
    ]
    before = replay(table(MBS, cards=cards), MILLION, steps)
    assert ([award.amount for award in before.awards()], before.meter) == (["95000.19", "95000.19"], "810001.62")
    cancelled = report("wrong_box_count", by="shift_manager", box=1, reconstructible=False)
    after = replay(table(MBS, cards=cards), MILLION, steps, cancelled)
    assert [(award.box, award.amount) for award in after.awards()] == [(3, "100000.10")]
    assert after.meter == "900000.90"
