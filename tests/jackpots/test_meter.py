"""The meter: what raises it, what an award takes from it, and what a returned Bet takes back."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.jackpots.decide import due
from croupier.jackpots.events import AwardsReversed, ClaimsEntered, ContributionReversed
from croupier.jackpots.evolve import evolve_link, evolve_link_all
from croupier.jackpots.link import CaseState, contribution_of, new_link
from croupier.jackpots.parameters import Parameters, Rate
from croupier.rounds.events import AwardClaimed
from croupier.rulebooks.terms import table_terms
from tests.scripting import (
    Step,
    award,
    bet,
    close_bets,
    decide,
    decides,
    jackpot,
    line,
    open_round,
    refuse_reveal,
    replay,
    report,
    rule,
    table,
)

HOLDEM, VERSION_6, THREE_CARD = "rws-multilink-holdem", "rws-progressive-holdem", "rws-multilink-three-card"
both_games = pytest.mark.parametrize("game", [HOLDEM, VERSION_6])

ROYAL = {"box_1": "Ah Kh", "community": "Qh Jh Th 2c 3d"}
STRAIGHT_FLUSH = {"box_1": "9h 8h", "community": "Qh Jh Th 2c 3d"}
NOTHING = {"box_1": "9h 4c", "community": "Qh Jd 2s 3c 3d"}


def joined(box: int = 1, *, at: str | None = None) -> list[Step]:
    """Ante and jackpot Bet on one box."""
    return [bet(box, "ante", "10.00", at=at), bet(box, "jackpot", "5.00", at=at)]


# ---------------------------------------------------------------- contributions


@both_games
@pytest.mark.parametrize(
    ("share", "meter"), [("0.20", "100003.00"), ("0.00", "100000.00"), ("1", "100015.00"), ("0.333333333", "100004.99")]
)
def test_every_accepted_jackpot_bet_raises_the_meter(game: str, share: str, meter: str) -> None:
    """rws-multilink-holdem 1.20, contribution-time; rws-progressive-holdem 1.20: three Bets of 5."""
    result = replay(
        table(game),
        jackpot(contribution=share),
        *(joined(box) for box in (1, 2, 3)),
        close_bets(),
        *(decide(box, "fold") for box in (1, 2, 3)),
    )
    assert result.meter == meter


@both_games
def test_a_jackpot_bet_counts_when_bets_close(game: str) -> None:
    """rws-multilink-holdem 1.20, contribution-time (c); rws-progressive-holdem 1.20: not when it is placed."""
    assert replay(table(game), jackpot(), joined()).meter == "100000.00"
    assert replay(table(game), jackpot(), joined(), close_bets()).meter == "100001.00"


@both_games
def test_contributions_are_never_rounded(game: str) -> None:
    """rws-multilink-holdem 1.20; rws-progressive-holdem 1.20: three thirds of a cent make a cent, in any number of
    rounds."""
    rounds: list[Step] = []
    for _ in range(3):
        rounds += [*joined(), close_bets(), decide(1, "fold"), open_round(cards=NOTHING)]
    result = replay(
        table(game, jackpot_bet="5.00", cards=NOTHING), jackpot("100.00", contribution="0.000666667"), rounds
    )
    exact = Fraction("100.00") + 3 * 5 * Fraction("0.000666667")
    assert exact > Fraction("100.01")
    assert result.meter == "100.01"


# ---------------------------------------------------------------- awards and the reset value


def test_a_share_of_the_meter_is_rounded_down_and_the_rest_stays() -> None:
    """rws-multilink-holdem 4.2, award-rounding: 10% of 123,456.78 is 12,345.67."""
    result = replay(
        table(HOLDEM, cards=STRAIGHT_FLUSH),
        jackpot("123456.78", contribution="0.00"),
        [*joined(), close_bets(), decide(1, "fold")],
    )
    assert result.awards() == [award("straight_flush", "12345.67", pays="10%")]
    assert result.meter == "111111.11"


def test_a_share_is_taken_of_fractions_of_a_cent_too() -> None:
    """rws-multilink-holdem 4.2, award-rounding: a royal flush pays whole cents; what is finer stays over the reset."""
    result = replay(
        table(HOLDEM, cards=ROYAL),
        jackpot("100.00", reset="50.00", contribution="0.0019"),
        [*joined(), close_bets(), decide(1, "fold")],
        [open_round(cards=NOTHING), *joined(), close_bets(), decide(1, "fold")],
    )
    assert result.awards() == [award("royal_flush", "100.00")]
    assert result.meter == "50.01"


@pytest.mark.parametrize(
    ("meter", "letter", "paid", "left"),
    [
        ("500000.00", "a", "50000.00", "200000.00"),
        ("500000.00", "b", "50000.00", "450000.00"),
        ("500000.00", "c", "50000.00", "450000.00"),
        ("200000.00", "b", "20000.00", "180000.00"),
        ("200000.00", "c", "20000.00", "200000.00"),
    ],
)
def test_what_an_award_below_the_whole_does_to_the_meter(meter: str, letter: str, paid: str, left: str) -> None:
    """rws-multilink-holdem 1.20, 4.5.1, partial-award-reset: (a) resets, (b) lowers, (c) lowers down to the reset."""
    result = replay(
        table(HOLDEM, rulings={"partial-award-reset": letter}, cards=STRAIGHT_FLUSH),
        jackpot(meter, reset="200000.00", contribution="0.00"),
        [*joined(), close_bets(), decide(1, "fold")],
    )
    assert result.awards() == [award("straight_flush", paid)]
    assert result.meter == left


@pytest.mark.parametrize(
    ("community", "letter", "paid", "left"),
    [
        ("Kh Qh Jh Th 2c", "b", "100000.00", "300000.00"),
        ("Kh Qh Jh 2c Th", "b", "20000.00", "380000.00"),
        ("Kh Qh Jh 2c Th", "a", "20000.00", "200000.00"),
        ("Kh Qh Jh Th 2c", "c", "100000.00", "300000.00"),
    ],
    ids=["25% lowers", "5% lowers", "5% resets under (a)", "25% stays above the reset under (c)"],
)
def test_a_quarter_and_a_twentieth_of_the_meter(community: str, letter: str, paid: str, left: str) -> None:
    """rws-progressive-holdem 1.20, 4.2, partial-award-reset: royal flushes on the turn and on the river."""
    result = replay(
        table(VERSION_6, rulings={"partial-award-reset": letter}, box_1="Ah 4c", community=community),
        jackpot("400000.00", reset="200000.00", contribution="0.00"),
        [*joined(), close_bets(), *decides(1, "flop", "check", "check")],
    )
    assert result.awards()[0].amount == paid
    assert result.meter == left


def test_any_share_that_the_stakeboard_names_is_taken() -> None:
    """rws-multilink-holdem 4.2: a House that pays 7.5% for a straight flush pays 37,500 of 500,000."""
    result = replay(
        table(HOLDEM, pay_tables={"jackpot": {"straight_flush": "7.5%"}}, cards=STRAIGHT_FLUSH),
        jackpot("500000.00", contribution="0.00"),
        [*joined(), close_bets(), decide(1, "fold")],
    )
    assert result.awards() == [award("straight_flush", "37500.00")]
    assert result.meter == "462500.00"


def test_a_bet_that_goes_back_takes_all_of_its_contribution_back() -> None:
    """rws-multilink-holdem 1.20, contribution-time: a visible fifth, a hidden twentieth, and what was past the cap."""
    parameters = Parameters(reset=50_000_00, contribution=Rate(1, 5), reserve=Rate(1, 20), cap=100_000_40)
    link = new_link(100_000_00, parameters)
    made = contribution_of(link, "T1", 1, 1, 5_00)
    after = evolve_link(link, made)
    assert (after.cents, after.overflow_cents, after.reserve_cents) == (100_000_40, 60, 25)
    back = ContributionReversed(
        table="T1", round=1, box=1, units=made.units, reserve=made.reserve, overflow=made.overflow
    )
    assert evolve_link(after, back) == link


def test_an_award_unwound_gives_back_what_it_drew_from_reserve_and_overflow() -> None:
    """rws-multilink-holdem 1.20, post-settlement-window: the whole meter was won, the hidden reserve bore part of the
    reset value, and what had come past the cap was put on top; unwound, all of it is where it was."""
    parameters = Parameters(reset=50_000_00, contribution=Rate(1, 5), reserve=Rate(1, 20), cap=100_000_00)
    link = new_link(100_000_00, parameters)
    for box in (1, 2):
        link = evolve_link(link, contribution_of(link, "T2", 1, box, 500_00))
    royal = next(award for award in table_terms(HOLDEM, linked=True).book.jackpot.awards if award.is_major)
    claim = AwardClaimed(round=1, box=1, player="ana", staked=500, counts=500, units=1, awards=(royal,), named="royal")
    link = evolve_link(link, ClaimsEntered(table="T1", round=1, claims=(claim,)))
    won = evolve_link_all(link, due({"T1": table_terms(HOLDEM, linked=True)}.get, link))
    assert (won.cents, won.reserve_cents, won.overflow_cents) == (50_000_00 + 200_00, 0, 0)
    assert won.balances
    assert won.cases[0].state is CaseState.PAID
    unwound = evolve_link(won, AwardsReversed(table="T1", round=1))
    assert (unwound.cents, unwound.reserve_cents, unwound.overflow_cents) == (100_000_00, 50_00, 200_00)
    assert unwound.balances


@both_games
def test_the_meter_rises_again_from_the_reset_value(game: str) -> None:
    """rws-multilink-holdem 1.20; rws-progressive-holdem 1.20: won, reset, and on under the same rule."""
    result = replay(
        table(game, cards=ROYAL),
        jackpot(),
        [*joined(), close_bets(), *decides(1, "flop", "check", "check")],
        [open_round(cards=NOTHING), *joined(), close_bets(), decide(1, "fold")],
    )
    assert result.line(1, "jackpot") == line("win", won="100001.00", returned="0.00")
    assert result.meter == "50001.00"


# ---------------------------------------------------------------- Bets that go back


def test_a_contribution_stays_while_its_own_bet_does() -> None:
    """rws-multilink-holdem 1.20, 4.3, refusal-later-bets (a): Flop, Turn and River go back to who does not show; the
    jackpot Bet is lost, and what it added stays."""
    result = replay(
        table(HOLDEM, rulings={"refusal-later-bets": "a"}, cards=NOTHING),
        jackpot(),
        [*joined(), close_bets(), decide(1, "flop"), refuse_reveal(1), *decides(1, "check", "check")],
    )
    assert result.line(1, "flop") == line("returned", returned="20.00", rules="4.3")
    assert result.line(1, "jackpot") == line("lose", rules="4.3")
    assert result.meter == "100001.00"


@both_games
def test_a_void_round_takes_its_contributions_back(game: str) -> None:
    """rws-multilink-holdem 5.21, contribution-time; rws-progressive-holdem 5.21: the meter is as it was."""
    result = replay(table(game), jackpot(), joined(1), joined(2), close_bets(), report("foreign_card"))
    assert result.line(1, "jackpot") == line("returned", returned="5.00", rules="5.21 5.8.1")
    assert result.meter == "100000.00"


@both_games
def test_an_invalidated_hand_takes_only_its_own_contribution_back(game: str) -> None:
    """rws-multilink-holdem 5.15, contribution-time; rws-progressive-holdem 5.15: the other box's stays."""
    result = replay(
        table(game),
        jackpot(),
        [*joined(1), *joined(2), close_bets()],
        report("wrong_box_count", by="pit_supervisor", box=1, reconstructible=False),
        decide(2, "fold"),
    )
    assert result.line(1, "jackpot") == line("returned", returned="5.00", rules="5.15")
    assert result.line(2, "jackpot") == line("lose")
    assert result.meter == "100001.00"


def test_a_bet_returned_beside_a_winner_is_out_of_the_award() -> None:
    """rws-multilink-holdem 5.15, 4.2, contribution-time: what goes back is not in the meter that pays."""
    result = replay(
        table(HOLDEM, box_1="2s 2d", box_2="Ah Kh", community="Qh Jh Th 2c 3d"),
        jackpot(),
        [*joined(1), *joined(2), close_bets()],
        report("wrong_box_count", by="pit_supervisor", box=1, reconstructible=False),
        decides(2, "fold"),
    )
    assert result.awards() == [award("royal_flush", "100001.00", box=2)]
    assert result.meter == "50000.00"


def test_what_an_award_has_taken_since_does_not_come_back() -> None:
    """rws-multilink-holdem 5.21, contribution-time: after the meter was paid out there is nothing left to take back."""
    result = replay(
        table(HOLDEM, cards=ROYAL),
        table(HOLDEM, cards=NOTHING),
        jackpot(),
        [*joined(at="T1"), close_bets(at="T1"), *joined(at="T2"), close_bets(at="T2")],
        [decide(1, "fold", at="T1"), report("foreign_card", at="T2")],
    )
    assert result.awards(at="T1") == [award("royal_flush", "100002.00")]
    assert result.line(1, "jackpot", at="T2") == line("returned", returned="5.00")
    assert result.meter == "50000.00"


@both_games
def test_reopening_a_round_unwinds_its_award_and_its_contribution(game: str) -> None:
    """rws-multilink-holdem 5.8.7, post-settlement-window; rws-progressive-holdem 5.8.7: a paid jackpot needs the shift
    manager, then ledger and meter are as if the Round had not been."""
    result = replay(
        table(game, cards=ROYAL),
        jackpot(),
        [*joined(), close_bets(), *decides(1, "flop", "check", "check")],
        report("wrong_dealer_count", by="pit_supervisor", reconstructible=False),
        rule("reopen", by="shift_manager"),
    )
    assert result.status() == "void"
    assert result.awards() == []
    assert result.line(1, "jackpot") == line("returned", returned="5.00", won="0.00")
    assert result.meter == "100000.00"
    assert result.net("ana") == "0.00"


@both_games
def test_a_reopened_round_pays_again_to_those_who_stay(game: str) -> None:
    """rws-multilink-holdem 5.15, post-settlement-window; rws-progressive-holdem 5.15: box 2 is cancelled after the
    settlement, box 1 is paid from the meter without box 2's contribution."""
    result = replay(
        table(game, cards=ROYAL | {"box_2": "9c 4c"}),
        jackpot(),
        [*joined(1), *joined(2), close_bets()],
        *(decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 2)),
        report("wrong_box_count", by="shift_manager", box=2, reconstructible=False),
    )
    assert result.status() == "settled"
    assert result.awards()[0].amount == "100001.00"
    assert len(result.awards()) == 1
    assert result.line(2, "jackpot") == line("returned", rules="5.15")
    assert result.meter == "50000.00"


def test_an_award_is_unwound_after_another_has_been_paid() -> None:
    """rws-multilink-holdem 4.5.1, 5.8.7, post-settlement-window: T1 took 100,000 and T2 90,000, and T2 has begun its
    next Round; T1's is void afterwards, and what it took is on the meter again."""
    cards = {"community": "9c 8c 7c 2h 3d", "box_1": "Jc Tc"}
    result = replay(
        *(table(HOLDEM, cards=cards) for _ in range(2)),
        jackpot("1000000.00", contribution="0.00"),
        *([*joined(at=at), close_bets(at=at), decide(1, "fold", at=at)] for at in ("T1", "T2")),
        open_round(at="T2"),
        report("wrong_dealer_count", by="shift_manager", reconstructible=False, at="T1"),
    )
    assert result.status(at="T1") == "void"
    assert result.awards(at="T2") == [award("straight_flush", "90000.00")]
    assert result.meter == "910000.00"


def test_an_award_that_was_unwound_has_taken_nothing() -> None:
    """rws-multilink-holdem 5.21, 5.8.7, contribution-time: T1's award is unwound, T3's stands and has taken T2's
    contribution with it."""
    unwound = [
        report("wrong_dealer_count", by="pit_supervisor", reconstructible=False, at="T1"),
        rule("reopen", by="shift_manager", at="T1"),
    ]
    tables = [table(HOLDEM, cards=ROYAL), table(HOLDEM, cards=NOTHING), table(HOLDEM, cards=ROYAL)]
    start = [*joined(at="T1"), close_bets(at="T1"), decide(1, "fold", at="T1"), *joined(at="T2"), close_bets(at="T2")]
    early = replay(*tables, jackpot(), start, unwound, report("foreign_card", at="T2"))
    assert early.meter == "100000.00"
    third = [*joined(at="T3"), close_bets(at="T3"), decide(1, "fold", at="T3")]
    released = rule("release_award", by="shift_manager", at="T3")
    late = replay(*tables, jackpot(), start, unwound, third, released, report("foreign_card", at="T2"))
    assert late.awards(at="T3") == [award("royal_flush", "100002.00")]
    assert late.meter == "50000.00"


# ---------------------------------------------------------------- one link, several games


def test_tables_of_several_games_share_one_meter() -> None:
    """rws-multilink-holdem 4.2, rws-progressive-holdem 4.2, rws-multilink-three-card 4.4, link-scope: each pays by its
    own table from the same meter."""
    result = replay(
        table(HOLDEM, cards=STRAIGHT_FLUSH),
        table(VERSION_6, box_1="Ah 4c", community="Kh Qh Jh Th 2c"),
        table(THREE_CARD, box_1="9h 8h 7h", community="6h 5h", dealer="As Kd 3c"),
        jackpot("100000.00", contribution="0.00"),
        [*joined(at="T1"), close_bets(at="T1"), decide(1, "fold", at="T1")],
        [*joined(at="T2"), close_bets(at="T2"), *decides(1, "flop", "check", "check", at="T2")],
        [*joined(at="T3"), close_bets(at="T3"), decide(1, "fold", at="T3")],
    )
    assert result.awards(at="T1") == [award("straight_flush", "10000.00", pays="10%", rules="4.2")]
    assert result.awards(at="T2") == [award("royal_flush_on_turn", "22500.00", pays="25%", rules="4.2")]
    assert result.awards(at="T3") == [award("straight_flush", "6750.00", pays="10%", rules="4.4")]
    assert result.meter == "60750.00"


def test_without_a_link_no_jackpot_bet_is_offered() -> None:
    """rws-multilink-holdem 3.8: a table on no link has no coin spot to light."""
    result = replay(table(HOLDEM), bet(1, "ante", "10.00"), bet(1, "jackpot", "5.00"))
    assert result.codes == ["no_jackpot"]
