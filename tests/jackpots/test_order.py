"""Whose award comes first: within one table, and between the tables of a link."""

from __future__ import annotations

import pytest

from tests.scripting import (
    Played,
    Step,
    award,
    bet,
    close_bets,
    decide,
    decides,
    jackpot,
    line,
    open_round,
    replay,
    report,
    rule,
    table,
    walk_away,
)

HOLDEM, VERSION_6, MBS = "rws-multilink-holdem", "rws-progressive-holdem", "mbs-megalink-holdem"
both_games = pytest.mark.parametrize("game", [HOLDEM, VERSION_6])

ROYAL = {"box_1": "Ah Kh", "community": "Qh Jh Th 2c 3d"}
NOTHING = {"box_1": "9h 4c", "community": "Qh Jd 2s 3c 3d"}
MILLION = jackpot("1000000.00", reset="200000.00", contribution="0.00")


def joined(box: int = 1, *, at: str | None = None) -> list[Step]:
    """Ante and jackpot Bet on one box."""
    return [bet(box, "ante", "10.00", at=at), bet(box, "jackpot", "5.00", at=at)]


def dealt(at: str, box: int = 1) -> list[Step]:
    """A table whose one box is dealt and has to decide."""
    return [*joined(box, at=at), close_bets(at=at)]


def played_out(at: str, box: int = 1) -> list[Step]:
    return decides(box, "flop", "check", "check", at=at)


# ---------------------------------------------------------------- one table: 4.5.1


def two_winners(royal: int, straight_flush: int, letter: str = "a", player: str | None = None) -> Played:
    cards = {"community": "Qd Jd Td 2c 3s", f"box_{royal}": "Ad Kd", f"box_{straight_flush}": "9d 8d"}
    bets = [bet(box, kind, amount, player=player) for box in sorted((royal, straight_flush))
            for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))]  # fmt: skip
    folds = [decide(box, "fold") for box in (royal, straight_flush)]
    return replay(table(HOLDEM, rulings={"major-order": letter}, cards=cards), MILLION, bets, close_bets(), folds)


def test_winners_of_one_table_are_paid_clockwise() -> None:
    """rws-multilink-holdem 4.5.1, major-order (a): straight flush first, then the royal flush takes what is left."""
    result = two_winners(royal=5, straight_flush=2)
    assert result.awards() == [
        award("straight_flush", "100000.00", box=2, rules="4.2 4.5 4.5.1"),
        award("royal_flush", "900000.00", box=5, rules="4.2 4.5 4.5.1"),
    ]
    assert result.line(5, "jackpot") == line("win", rules="4.2 4.5.1")
    assert result.meter == "200000.00"


def test_clockwise_whatever_the_rank() -> None:
    """rws-multilink-holdem 4.5.1, major-order (a): royal flush first, then 10% of the reset value."""
    result = two_winners(royal=2, straight_flush=5)
    assert result.awards() == [award("royal_flush", "1000000.00", box=2), award("straight_flush", "20000.00", box=5)]
    assert result.meter == "180000.00"


@pytest.mark.parametrize(("royal", "straight_flush"), [(2, 5), (5, 2)])
def test_the_royal_flush_last_where_the_house_reads_it_so(royal: int, straight_flush: int) -> None:
    """rws-multilink-holdem 4.5.1, major-order (b): in both seatings 100,000 and 900,000."""
    result = two_winners(royal, straight_flush, letter="b")
    assert result.line(straight_flush, "jackpot") == line("win", won="100000.00")
    assert result.line(royal, "jackpot") == line("win", won="900000.00")
    assert result.meter == "200000.00"


def test_two_boxes_of_one_player_are_two_winners() -> None:
    """rws-multilink-holdem 4.5.1, 3.8.1, major-order: both are paid, one after the other."""
    result = two_winners(royal=2, straight_flush=1, player="ana")
    assert [paid.amount for paid in result.awards()] == ["100000.00", "900000.00"]
    assert {paid.player for paid in result.awards()} == {"ana"}


def test_two_straight_flushes_run_the_meter_down() -> None:
    """rws-multilink-holdem 4.5.1, displayed-value: 10%, then 10% of what is left."""
    result = replay(
        table(HOLDEM, community="9c 8c 7c 2h 3d", box_1="Jc Tc", box_4="6c 5c"),
        MILLION,
        [*joined(1), *joined(4), close_bets(), decide(1, "fold"), decide(4, "fold")],
    )
    assert [paid.amount for paid in result.awards()] == ["100000.00", "90000.00"]
    assert result.meter == "810000.00"


def test_fixed_awards_beside_a_royal_flush_need_no_order() -> None:
    """rws-multilink-holdem 4.2, 4.5: a minor award is paid at once and in full."""
    result = replay(
        table(HOLDEM, community="Qd Jd Td 2c 3s", box_1="4d 5d", box_2="Ad Kd"),
        MILLION,
        [*joined(1), *joined(2), close_bets(), decide(1, "fold"), decide(2, "fold")],
    )
    assert result.line(1, "jackpot") == line("win", won="100.00")
    assert result.line(2, "jackpot") == line("win", won="1000000.00")


# ---------------------------------------------------------------- several tables: 4.5.2


def two_royals(game: str, *rest: Step, letter: str = "b", contribution: str = "0.00") -> Played:
    """T1 is dealt first, T2 reveals first; both hold a royal flush."""
    rulings = {"simultaneous-tables": letter}
    return replay(
        table(game, rulings=rulings, cards=ROYAL),
        table(game, rulings=rulings, cards=ROYAL),
        jackpot("1000000.00", reset="200000.00", contribution=contribution),
        dealt("T1"),
        dealt("T2"),
        played_out("T2"),
        rest,
    )


@both_games
def test_a_win_waits_for_an_earlier_deal(game: str) -> None:
    """rws-multilink-holdem 4.5.2, simultaneous-tables (b); rws-progressive-holdem 4.5: all but the award is settled."""
    result = two_royals(game)
    assert result.status(at="T2") == "open"
    assert result.awaiting(at="T2")[0]["what"] == "award"
    assert result.line(1, "flop", at="T2") == line("win")
    assert result.line(1, "jackpot", at="T2") is None
    assert result.meter == "1000000.00"


@both_games
def test_the_first_dealt_is_paid_first_whoever_reveals_first(game: str) -> None:
    """rws-multilink-holdem 4.5.2, simultaneous-tables (b), displayed-value; rws-progressive-holdem 4.5: T1 gets the
    meter, T2 the reset value."""
    result = two_royals(game, *played_out("T1"))
    assert result.awards(at="T1")[0].amount == "1000000.00"
    assert result.awards(at="T2")[0].amount == "200000.00"
    assert result.status(at="T2") == "settled"
    assert result.meter == "200000.00"


def test_contributions_since_are_in_what_the_second_gets() -> None:
    """rws-multilink-holdem 4.5.2, simultaneous-tables, displayed-value: a third table bets while T2 waits."""
    result = replay(
        *(table(HOLDEM, cards=ROYAL) for _ in range(2)),
        table(HOLDEM, cards=NOTHING),
        jackpot("1000000.00", reset="200000.00"),
        [*dealt("T1"), *dealt("T2"), *played_out("T2"), *played_out("T1")],
        [*dealt("T3"), decide(1, "fold", at="T3")],
    )
    assert result.awards(at="T1") == [award("royal_flush", "1000002.00")]
    assert result.awards(at="T2") == [award("royal_flush", "200000.00")]
    assert result.meter == "200001.00"
    waited = replay(
        *(table(HOLDEM, cards=ROYAL) for _ in range(2)),
        table(HOLDEM, cards=NOTHING),
        jackpot("1000000.00", reset="200000.00"),
        [*dealt("T1"), *dealt("T2"), *played_out("T2"), *dealt("T3"), decide(1, "fold", at="T3"), *played_out("T1")],
    )
    assert waited.awards(at="T1") == [award("royal_flush", "1000003.00")]
    assert waited.awards(at="T2") == [award("royal_flush", "200000.00")]


@both_games
@pytest.mark.parametrize("letter", ["a", "c"])
def test_without_waiting_the_first_claim_is_paid_first(game: str, letter: str) -> None:
    """rws-multilink-holdem 4.5.2, simultaneous-tables (a, c); rws-progressive-holdem 4.5: nothing else is unpaid when
    T2 wins."""
    result = two_royals(game, *played_out("T1"), letter=letter)
    assert result.awards(at="T2")[0].amount == "1000000.00"
    assert result.awards(at="T1")[0].amount == "200000.00"


@both_games
def test_an_earlier_deal_without_a_win_releases_the_award(game: str) -> None:
    """rws-multilink-holdem 4.5.2; rws-progressive-holdem 4.5: as soon as T1 is settled without a major award."""
    result = replay(
        table(game, cards=NOTHING),
        table(game, cards=ROYAL),
        MILLION,
        [*dealt("T1"), *dealt("T2"), *played_out("T2"), *played_out("T1")],
    )
    assert result.awards(at="T2")[0].amount == "1000000.00"
    assert result.status(at="T2") == "settled"


@both_games
@pytest.mark.parametrize("what", ["void", "later", "no_jackpot_bet"])
def test_what_cannot_win_before_is_not_waited_for(game: str, what: str) -> None:
    """rws-multilink-holdem 4.5.2, simultaneous-tables; rws-progressive-holdem 4.5: a void Round, a Round dealt later
    and a Round without a jackpot Bet do not hold an award up."""
    first = [bet(1, "ante", "10.00", at="T1"), close_bets(at="T1")] if what == "no_jackpot_bet" else dealt("T1")
    order = [*dealt("T2"), *first] if what == "later" else [*first, *dealt("T2")]
    void = [report("foreign_card", at="T1")] if what == "void" else []
    result = replay(table(game, cards=NOTHING), table(game, cards=ROYAL), MILLION, order, played_out("T2"), void)
    assert result.awards(at="T2")[0].amount == "1000000.00"


def test_a_folded_hand_of_version_6_is_not_waited_for() -> None:
    """rws-progressive-holdem 4.5, 3.11.2.a: after the fold only community awards are left, which are fixed."""
    result = replay(
        table(VERSION_6, cards=NOTHING | {"box_2": "4d 5s"}),
        table(VERSION_6, cards=ROYAL),
        MILLION,
        [*dealt("T2"), bet(2, "ante", "10.00", at="T1"), *dealt("T1"), decide(1, "fold", at="T1")],
        played_out("T2"),
    )
    assert result.awards(at="T2")[0].amount == "1000000.00"
    waiting = replay(
        table(VERSION_6, cards=NOTHING | {"box_2": "4d 5s"}),
        table(VERSION_6, cards=ROYAL),
        MILLION,
        [bet(2, "ante", "10.00", at="T1"), *dealt("T1"), *dealt("T2"), decide(1, "fold", at="T1"), *played_out("T2")],
    )
    assert waiting.awards(at="T2")[0].amount == "1000000.00"


def test_a_folded_hand_of_multi_link_is_waited_for() -> None:
    """rws-multilink-holdem 4.5.2, 3.11.2.a: a folded Hand may still win the meter until its Round is settled."""
    result = replay(
        table(HOLDEM, cards=NOTHING | {"box_2": "4d 5s"}),
        table(HOLDEM, cards=ROYAL),
        MILLION,
        [bet(2, "ante", "10.00", at="T1"), *dealt("T1"), *dealt("T2"), decide(1, "fold", at="T1"), *played_out("T2")],
    )
    assert result.awaiting(at="T2")[0]["what"] == "award"


@both_games
def test_tables_play_on_while_an_award_waits(game: str) -> None:
    """rws-multilink-holdem 4.5.2; rws-progressive-holdem 4.5: T2 opens its next Round; the award of the first is paid
    when its turn comes, from the meter as it is then."""
    result = two_royals(
        game,
        open_round(at="T2", cards=NOTHING),
        *dealt("T2"),
        decide(1, "fold", at="T2"),
        *played_out("T1"),
        contribution="0.20",
    )
    assert result.codes == []
    assert result.awards(at="T1")[0].amount == "1000003.00"
    assert result.awards(at="T2")[0].amount == "200000.00"
    assert result.status(at="T2") == "settled"
    assert result.status(at="T2", number=2) == "settled"
    assert result.line(1, "jackpot", at="T2", number=2) == line("lose")


# ---------------------------------------------------------------- rulings about the order


@both_games
def test_the_shift_manager_releases_a_waiting_award(game: str) -> None:
    """rws-multilink-holdem 4.5.2, simultaneous-tables, house-level; rws-progressive-holdem 4.5: T2 is paid the whole
    meter, T1 the reset value; a payment once made is final."""
    result = two_royals(game, rule("release_award", by="shift_manager", at="T2"), *played_out("T1"))
    assert result.awards(at="T2")[0].amount == "1000000.00"
    assert result.awards(at="T1")[0].amount == "200000.00"


@both_games
@pytest.mark.parametrize("by", ["dealer", "pit_supervisor", "pit_manager"])
def test_a_lower_role_releases_nothing_and_orders_nothing(game: str, by: str) -> None:
    """rws-multilink-holdem 4.5.2, house-level; rws-progressive-holdem 4.5: the order of payment is the shift
    manager's."""
    result = two_royals(
        game, rule("release_award", by=by, at="T2"), rule("deal_order", by=by, at="T2", tables=["T2", "T1"])
    )
    assert result.codes == ["not_authorised", "not_authorised"]
    assert {"4.5.2" if game == HOLDEM else "4.5", "house-level"} <= set(result.refusals[0].rules)
    assert result.awaiting(at="T2")[0]["what"] == "award"


@pytest.mark.parametrize(("game", "paragraph"), [(MBS, "3.14"), ("sun-casino-holdem", "Rules ¶5")])
def test_the_order_is_the_shift_managers_in_every_house(game: str, paragraph: str) -> None:
    """mbs-megalink-holdem 3.14, sun-casino-holdem Rules ¶5, house-level: a Pit Manager is refused, he is not."""
    ordered = [rule("deal_order", by=by, at="T1", tables=["T2", "T1"]) for by in ("pit_manager", "shift_manager")]
    result = replay(table(game), table(game), MILLION, ordered)
    assert result.codes == ["not_authorised"]
    assert paragraph in result.refusals[0].rules


@both_games
def test_the_house_determines_whose_hands_were_dealt_first(game: str) -> None:
    """rws-multilink-holdem 4.5.2; rws-progressive-holdem 4.5: T2 first after all, so it is paid at once."""
    result = two_royals(game, rule("deal_order", by="shift_manager", at="T1", tables=["T2", "T1"]), *played_out("T1"))
    assert result.awards(at="T2")[0].amount == "1000000.00"
    assert result.awards(at="T1")[0].amount == "200000.00"


def test_a_table_that_the_ruling_does_not_name_keeps_its_place() -> None:
    """rws-multilink-holdem 4.5.2: T1, T2, T3 were dealt so; T3 before T1 makes it T3, T2, T1, and T1 waits for T2."""
    tables = [table(HOLDEM, cards=cards) for cards in (ROYAL, NOTHING, ROYAL)]
    steps = [*dealt("T1"), *dealt("T2"), *dealt("T3"), *played_out("T3"), *played_out("T1")]
    steps[-1:-1] = [rule("deal_order", by="shift_manager", at="T1", tables=["T3", "T1"])]
    waiting = replay(*tables, MILLION, steps)
    assert waiting.awards(at="T3") == [award("royal_flush", "1000000.00")]
    assert [waits["what"] for waits in waiting.awaiting(at="T1")] == ["award"]
    paid = replay(*tables, MILLION, steps, decide(1, "fold", at="T2"))
    assert paid.awards(at="T1") == [award("royal_flush", "200000.00")]


def test_an_order_of_deals_names_each_table_once() -> None:
    """rws-multilink-holdem 4.5.2: anything else is no order, so T2 waits on."""
    result = two_royals(HOLDEM, rule("deal_order", by="shift_manager", at="T1", tables=["T2", "T1", "T2"]))
    assert result.codes == ["fact_missing"]
    assert "4.5.2" in result.refusals[0].rules
    assert result.awaiting(at="T2")[0]["what"] == "award"


@both_games
def test_nothing_waits_to_be_released(game: str) -> None:
    """rws-multilink-holdem 4.5.2; rws-progressive-holdem 4.5: the opposite, with no award open."""
    result = replay(table(game), MILLION, dealt("T1"), rule("release_award", by="shift_manager"))
    assert result.codes == ["nothing_awaited"]


# ---------------------------------------------------------------- mixed links, reopening


def test_each_winner_goes_by_his_own_document() -> None:
    """rws-multilink-holdem 4.5.2, mbs-megalink-holdem 3.14, simultaneous-tables: MBS is paid on entry and does not wait
    for the earlier-dealt RWS table; RWS waits for the earlier-dealt MBS table."""
    entered = replay(
        table(HOLDEM, cards=ROYAL),
        table(MBS, cards=ROYAL),
        MILLION,
        [*dealt("T1"), *dealt("T2"), *played_out("T2"), *played_out("T1")],
    )
    assert entered.awards(at="T2")[0].amount == "1000000.00"
    assert entered.awards(at="T1")[0].amount == "200000.00"
    waiting = replay(
        table(MBS, cards=ROYAL),
        table(HOLDEM, cards=ROYAL),
        MILLION,
        [*dealt("T1"), *dealt("T2"), *played_out("T2")],
    )
    assert waiting.awaiting(at="T2")[0]["what"] == "award"


def test_a_reopened_round_keeps_its_place_in_the_order_of_deals() -> None:
    """rws-multilink-holdem 4.5.2, 5.15, post-settlement-window: T1 was dealt first and is not put behind T2."""
    result = replay(
        table(HOLDEM, cards=ROYAL | {"box_2": "4d 5s"}),
        table(HOLDEM, cards=NOTHING),
        MILLION,
        [bet(2, "ante", "10.00", at="T1"), *dealt("T1"), *dealt("T2")],
        [decide(box, choice, at="T1") for choice in ("flop", "check", "check") for box in (1, 2)],
        report("wrong_box_count", by="shift_manager", box=2, reconstructible=False, at="T1"),
    )
    assert result.status(at="T1") == "settled"
    assert result.awards(at="T1") == [award("royal_flush", "1000000.00")]


def test_a_reopened_round_waits_for_the_deals_before_it() -> None:
    """rws-multilink-holdem 4.5.2, 5.15, post-settlement-window: T1 was dealt before T2 and is still in play, whatever a
    third table has begun since."""
    third = [*dealt("T3"), decide(1, "fold", at="T3"), open_round(at="T3")]
    result = replay(
        table(HOLDEM, cards=NOTHING),
        table(HOLDEM, cards=ROYAL | {"box_2": "4d 5s"}),
        table(HOLDEM, cards=NOTHING),
        MILLION,
        [*dealt("T1"), bet(2, "ante", "10.00", at="T2"), *dealt("T2"), *third],
        [decide(box, choice, at="T2") for choice in ("flop", "check", "check") for box in (1, 2)],
        report("wrong_box_count", by="shift_manager", box=2, reconstructible=False, at="T2"),
    )
    assert result.line(2, "ante", at="T2") == line("returned", rules="5.15")
    assert [waits["what"] for waits in result.awaiting(at="T2")] == ["award"]
    assert result.meter == "1000000.00"


def test_a_reopened_round_waits_for_no_round_that_is_over() -> None:
    """rws-multilink-holdem 4.5.2, 5.15, post-settlement-window: T1 was dealt before T2, has won nothing and has begun
    no new Round yet; T2 is paid again at once."""
    result = replay(
        table(HOLDEM, cards=NOTHING),
        table(HOLDEM, cards=ROYAL | {"box_2": "4d 5s"}),
        MILLION,
        [*dealt("T1"), bet(2, "ante", "10.00", at="T2"), *dealt("T2"), decide(1, "fold", at="T1")],
        [decide(box, choice, at="T2") for choice in ("flop", "check", "check") for box in (1, 2)],
        report("wrong_box_count", by="shift_manager", box=2, reconstructible=False, at="T2"),
    )
    assert result.line(2, "ante", at="T2") == line("returned", rules="5.15")
    assert result.awards(at="T2") == [award("royal_flush", "1000000.00")]


def test_an_award_that_waits_is_gone_with_its_cancelled_hand() -> None:
    """rws-multilink-holdem 5.15, 4.5.2, post-settlement-window: T2's royal flush waits for T1; its Hand turns out to
    hold a wrong number of cards, so T1's end pays nobody."""
    result = replay(
        table(HOLDEM, cards=NOTHING),
        table(HOLDEM, cards=ROYAL),
        MILLION,
        [*dealt("T1"), *dealt("T2"), *played_out("T2")],
        report("wrong_box_count", by="shift_manager", box=1, reconstructible=False, at="T2"),
        decide(1, "fold", at="T1"),
    )
    assert result.line(1, "jackpot", at="T2") == line("returned", won="0.00", returned="5.00", rules="5.15")
    assert result.awards(at="T2") == []
    assert result.meter == "1000000.00"


def test_an_award_that_waits_is_paid_once_whatever_is_reported_meanwhile() -> None:
    """rws-multilink-holdem 4.5.2, 5.19: a late error is noted at T2 while its award waits for T1."""
    noted = two_royals(HOLDEM, report("late_error", at="T2"))
    assert [waits["what"] for waits in noted.awaiting(at="T2")] == ["award"]
    result = two_royals(HOLDEM, report("late_error", at="T2"), decide(1, "fold", at="T1"))
    assert [paid.amount for paid in (*result.awards(at="T1"), *result.awards(at="T2"))] == ["1000000.00", "200000.00"]


def test_an_award_that_waited_is_held_for_a_winner_who_has_left() -> None:
    """rws-multilink-holdem 5.5, 4.5.2, walk-away-after-flop: T2's winner walks away, T2 begins its next Round, and the
    award is paid in the Round that won it with the notice that it is held."""
    for steps in ([], [open_round(at="T2")]):
        result = replay(
            table(HOLDEM, cards=NOTHING),
            table(HOLDEM, cards=ROYAL),
            MILLION,
            [*dealt("T1"), *dealt("T2"), walk_away("ana", at="T2"), *steps, decide(1, "fold", at="T1")],
        )
        assert result.awards(at="T2") == [award("royal_flush", "1000000.00")]
        assert "ana has left; the award is held for them." in result.notices(at="T2")


def test_a_round_reopened_elsewhere_releases_no_award() -> None:
    """rws-multilink-holdem 4.5.2, 5.15, post-settlement-window: T2's award waits for T1 although T2 has begun its next
    Round and T3's has been reopened."""
    third = [bet(2, "ante", "10.00", at="T3"), *dealt("T3")]
    result = replay(
        table(HOLDEM, cards=NOTHING),
        table(HOLDEM, cards=ROYAL),
        table(HOLDEM, cards=NOTHING | {"box_2": "4d 5s"}),
        MILLION,
        [*dealt("T1"), *dealt("T2"), *third, *played_out("T2"), open_round(at="T2")],
        [decide(box, choice, at="T3") for choice in ("flop", "check", "check") for box in (1, 2)],
        report("wrong_box_count", by="shift_manager", box=2, reconstructible=False, at="T3"),
    )
    assert result.line(2, "ante", at="T3") == line("returned", rules="5.15")
    assert [waits["what"] for waits in result.awaiting(at="T2")] == ["award"]
    assert result.meter == "1000000.00"


def test_the_second_winner_cites_why_the_first_was_paid_before_him() -> None:
    """mbs-megalink-holdem 3.14: entered second, paid from the reset value; the first was before nobody."""
    both = [table(MBS, name=name, cards=ROYAL) for name in ("T1", "T2")]
    result = replay(*both, MILLION, dealt("T1"), dealt("T2"), played_out("T2"), played_out("T1"))
    assert result.awards(at="T2") == [award("royal_flush", "1000000.00")]
    assert "3.14" not in result.awards(at="T2")[0].rules
    assert result.awards(at="T1") == [award("royal_flush", "200000.00", rules="3.14")]
    assert result.line(1, "jackpot", at="T1") == line("win", rules="4.2 3.14")
