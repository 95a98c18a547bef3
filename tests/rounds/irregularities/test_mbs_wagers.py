"""MBS Megalink Hold'em 3.5.3.1, 5.6, 5.11, 5.13 and 5.14: what a wager comes to, and that its line says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    withdraw,
)

GAME = "mbs-megalink-holdem"
LIMITS = {"ante": ["10.00", "500.00"], "bonus": ["5.00", "100.00"]}
TRIPS = {"community": "2c 7c 9d 3d 4h", "dealer": "Kd Qs", "box_1": "7s 7h"}
BEATEN = {**TRIPS, "dealer": "9s 9h"}
QUADS = {"community": "7d 7c 2s 4h 9d", "dealer": "Ad Kd", "box_1": "7s 7h"}
STRAIGHT_FLUSH = {"community": "9c 8c 7c 2d 2h", "dealer": "Ad Kd", "box_1": "Jc Tc"}


def played(
    cards: Mapping[str, str],
    *steps: Step | Sequence[Step],
    pay_tables: Mapping[str, Mapping[str, str]] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Played:
    """ana has an Ante of 50 on box 1; the steps follow, bets first."""
    return replay(
        jackpot("100000.00", contribution="0.00"),
        table(GAME, limits=LIMITS, jackpot_bet="5.00", pay_tables=pay_tables, rulings=rulings, cards=cards),
        bet(1, "ante", "50.00"),
        *steps,
    )


# ---------------------------------------------------------------- 5.14 after a ruling


@pytest.mark.parametrize(
    ("cards", "outcome", "won", "returned"),
    [(TRIPS, "win", "500.00", "600.00"), (BEATEN, "lose", "0.00", "100.00")],
    ids=["wins", "loses"],
)
def test_a_wrong_size_that_stands_still_counts_to_the_maximum_only(
    cards: Mapping[str, str], outcome: str, won: str, returned: str
) -> None:
    """mbs-megalink-holdem 5.14: the Gaming Shift Manager lets a Turn of 600 stand, and the maximum is 500."""
    result = played(
        cards,
        close_bets(),
        decide(1, "flop"),
        decide(1, "turn", amount="600.00", noticed=False),
        decide(1, "check"),
        rule("stand", by="shift_manager"),
    )
    assert result.line(1, "turn") == line(outcome, staked="600.00", won=won, returned=returned, rules="5.14")


def test_a_wrong_size_within_the_maximum_counts_as_it_lies_when_it_stands() -> None:
    """mbs-megalink-holdem 6.1: no paragraph cuts a Flop of 150 on an Ante of 50 once it was ruled to stand."""
    result = played(
        TRIPS,
        close_bets(),
        decide(1, "flop", amount="150.00", noticed=False),
        decides(1, "check", "check"),
        rule("stand", by="shift_manager"),
    )
    assert result.line(1, "flop") == line("win", staked="150.00", won="150.00", returned="150.00")


# ---------------------------------------------------------------- 3.5.3.1: one to five units


@pytest.mark.parametrize(("units", "amount"), [(1, "100.00"), (2, "200.00"), (5, "500.00")])
def test_a_payment_the_stakeboard_fixes_is_multiplied_too(units: int, amount: str) -> None:
    """mbs-megalink-holdem 3.5.3.1: the payment for four of a kind is multiplied, in odds or in money."""
    result = played(
        QUADS,
        bet(1, "jackpot", f"{5 * units}.00"),
        close_bets(),
        decide(1, "fold"),
        pay_tables={"jackpot": {"four_of_a_kind": "100.00"}},
    )
    assert result.awards() == [award("four_of_a_kind", amount, pays="100.00")]


def test_a_share_of_the_meter_is_not_multiplied_and_says_so() -> None:
    """mbs-megalink-holdem 3.5.3.1: five units on a straight flush still take one tenth."""
    five = played(STRAIGHT_FLUSH, bet(1, "jackpot", "25.00"), close_bets(), decide(1, "fold"))
    assert five.awards() == [award("straight_flush", "10000.00", rules="4.2 3.5.3.1")]
    assert five.line(1, "jackpot") == line("win", won="10000.00", rules="4.2 3.5.3.1")
    one = played(STRAIGHT_FLUSH, bet(1, "jackpot", "5.00"), close_bets(), decide(1, "fold"))
    assert [paid.rules for paid in one.awards()] == [("4.2",)]


def test_the_surplus_of_a_winning_jackpot_wager_comes_back_with_its_reason() -> None:
    """mbs-megalink-holdem 3.5.3, reading jackpot-amount-wrong: of 8.00 five count, three come back."""
    result = played(QUADS, bet(1, "jackpot", "8.00", noticed=False), close_bets(), decide(1, "fold"))
    found = result.line(1, "jackpot")
    assert found == line("win", won="2000.00", returned="3.00", rules="4.2 3.5.3 jackpot-amount-wrong")
    assert found is not None
    assert found.because.endswith("the rest goes back.")


# ---------------------------------------------------------------- 5.6: taken off too late


@pytest.mark.parametrize(("cards", "outcome"), [(TRIPS, "win"), (BEATEN, "lose")], ids=["wins", "loses"])
def test_a_wager_taken_off_after_closing_names_the_paragraph_that_keeps_it(
    cards: Mapping[str, str], outcome: str
) -> None:
    """mbs-megalink-holdem 5.6: it is won or lost, and its line cites why; the wagers left in place do not."""
    result = played(cards, close_bets(), decide(1, "flop"), withdraw(1, "flop"), decides(1, "turn", "check"))
    assert result.line(1, "flop") == line(outcome, staked="100.00", rules="5.6 withdrawn-late-mbs")
    turn = result.line(1, "turn")
    assert turn is not None
    assert "5.6" not in turn.rules


@pytest.mark.parametrize("cards", [QUADS, TRIPS], ids=["wins", "loses"])
def test_a_jackpot_wager_taken_off_after_closing_names_it_as_well(cards: Mapping[str, str]) -> None:
    """mbs-megalink-holdem 5.6: the jackpot wager is one of them."""
    result = played(cards, bet(1, "jackpot", "5.00"), close_bets(), withdraw(1, "jackpot"), decide(1, "fold"))
    found = result.line(1, "jackpot")
    assert found is not None
    assert "5.6" in found.rules


# ---------------------------------------------------------------- 5.11 with the reading that settles the Bonus


def test_a_bonus_settled_for_an_absent_player_cites_the_reading() -> None:
    """mbs-megalink-holdem 5.11, reading walk-away-bonus c: the Ante goes back and the Bonus is paid."""
    result = played(TRIPS, bet(1, "bonus", "10.00"), close_bets(), walk_away("ana"), rulings={"walk-away-bonus": "c"})
    assert result.line(1, "ante") == line("returned", returned="50.00", rules="5.11")
    assert result.line(1, "bonus") == line("win", won="30.00", rules="4.1.1 5.11 walk-away-bonus")


# ---------------------------------------------------------------- 5.13: the house remembers, not the table


def one_small_ante(name: str, amount: str = "5.00") -> list[Step]:
    """ana bets under the minimum of 10 at this table, unnoticed, and folds."""
    small = bet(1, "ante", amount, noticed=False, at=name)
    return [open_round(at=name, cards=TRIPS), small, close_bets(at=name), decide(1, "fold", at=name)]


def test_an_ante_under_the_minimum_at_another_table_of_the_house_goes_back() -> None:
    """mbs-megalink-holdem 5.13, reading under-min-memory b: the one time was at the first table."""
    both = [table(GAME, name=name, limits=LIMITS, opened=False) for name in ("T1", "T2")]
    result = replay(*both, one_small_ante("T1"), one_small_ante("T2"), one_small_ante("T1"))
    assert result.line(1, "ante", at="T1") == line("lose", staked="5.00", returned="0.00", rules="5.13")
    assert result.line(1, "ante", at="T2") == line("returned", returned="5.00", rules="5.13 under-min-memory")
    assert result.line(1, "ante", at="T1", number=2) == line("returned", returned="5.00", rules="5.13")
    assert result.net("ana") == "-5.00"


def test_who_is_remembered_elsewhere_may_bet_enough_and_join_the_jackpot() -> None:
    """mbs-megalink-holdem 5.13, reading under-min-memory b: only wagers under the minimum go back."""
    both = [table(GAME, name=name, limits=LIMITS, opened=False) for name in ("T1", "T2")]
    enough = [bet(1, "ante", "10.00", at="T2"), bet(1, "jackpot", "5.00", at="T2")]
    rest = [close_bets(at="T2"), decide(1, "fold", at="T2")]
    result = replay(jackpot(), *both, one_small_ante("T1"), open_round(at="T2", cards=TRIPS), enough, rest)
    assert result.codes == []
    assert result.line(1, "ante", at="T2") == line("lose", staked="10.00", returned="0.00")
    assert result.line(1, "jackpot", at="T2") == line("lose", staked="5.00")


def test_a_round_opened_before_the_first_was_settled_knows_nothing_of_it() -> None:
    """mbs-megalink-holdem 5.13: only future wagers go back, and these lay on the layout already."""
    both = [table(GAME, name=name, limits=LIMITS, opened=False) for name in ("T1", "T2")]
    first, second = one_small_ante("T1"), one_small_ante("T2")
    result = replay(*both, first[:2], second[:2], first[2:], second[2:])
    assert result.line(1, "ante", at="T2") == line("lose", staked="5.00", returned="0.00", rules="5.13")


def test_a_wager_placed_after_the_first_was_settled_goes_back_in_a_round_opened_before() -> None:
    """mbs-megalink-holdem 5.13: the wager is a future one, whenever its round was opened."""
    both = [table(GAME, name=name, limits=LIMITS, opened=False) for name in ("T1", "T2")]
    first, second = one_small_ante("T1"), one_small_ante("T2")
    result = replay(*both, second[:1], first, second[1:])
    assert result.line(1, "ante", at="T2") == line("returned", returned="5.00", rules="5.13 under-min-memory")


def test_a_table_of_another_house_does_not_remember() -> None:
    """mbs-megalink-holdem 5.13: the RWS document settles an Ante under the minimum as it lies, whatever came before."""
    other = table("rws-multilink-holdem", name="T2", limits=LIMITS, opened=False)
    result = replay(
        table(GAME, name="T1", limits=LIMITS, opened=False), other, one_small_ante("T1"), one_small_ante("T2")
    )
    assert result.line(1, "ante", at="T2") == line("lose", staked="5.00", returned="0.00", rules="5.2.1")


def test_what_is_unwound_at_one_table_is_not_remembered_at_the_next() -> None:
    """mbs-megalink-holdem 5.13 with 5.3: a round that turns out void was not the one time."""
    both = [table(GAME, name=name, limits=LIMITS, opened=False) for name in ("T1", "T2")]
    void = report("wrong_dealer_count", reconstructible=False, by="pit_supervisor", at="T1")
    result = replay(*both, one_small_ante("T1"), void, one_small_ante("T2"))
    assert result.status(at="T1") == "void"
    assert result.line(1, "ante", at="T2") == line("lose", staked="5.00", returned="0.00", rules="5.13")
