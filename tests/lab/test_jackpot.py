"""The jackpot Bet: chances, what a fold costs, and the meter from which it is fair."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.lab.bets import jackpot
from croupier.lab.model.game import game
from croupier.lab.model.variants import changed_terms
from croupier.lab.solve.holdem import STARTING_HANDS
from croupier.lab.solve.solution import Solution, solve


def solved(name: str, *changes: str) -> Solution:
    return solve(game(changed_terms(name, changes)))


def test_the_break_even_meter_gives_back_exactly_what_is_staked() -> None:
    """Whatever the table: expected at the break-even meter is the Bet itself."""
    for name in ("rws-multilink-holdem", "rws-progressive-holdem", "sun-casino-holdem", "rws-multilink-three-card"):
        figures = jackpot.figures(solved(name))
        even = figures.break_even_meter
        assert even is not None
        assert figures.expected(even) == figures.bet
        assert figures.fixed_return + figures.meter_share * even / figures.bet == 1


def test_royal_flushes_by_street() -> None:
    """rws-progressive-holdem 4.2: of 21 royal flushes in seven cards one is made on the flop, five more on the turn.

    The river has the other fifteen, of which the one that lies whole on the board is the community's; the five folded
    starting hands hold no two cards of a royal flush.
    """
    figures = jackpot.figures(solved("rws-progressive-holdem"), meter=Fraction(100_000_000))
    flop = Fraction(4, 2_598_960)
    chances = figures.probabilities
    assert chances["royal_flush_on_flop"] == flop
    assert chances["royal_flush_on_turn"] == 5 * flop
    assert chances["community_royal_flush"] == flop
    assert chances["royal_flush_on_river"] == 14 * flop


def test_the_greatest_amount_alone_is_paid_so_the_meter_decides_between_lines() -> None:
    """Reading v6-jackpot-hand d: below a meter of 30,000.00 the straight flush's 1,500.00 beats five per cent."""
    low = jackpot.figures(solved("rws-progressive-holdem"), meter=Fraction(2_000_000))
    high = jackpot.figures(solved("rws-progressive-holdem"), meter=Fraction(4_000_000))
    assert low.probabilities["royal_flush_on_river"] < high.probabilities["royal_flush_on_river"]
    assert low.made == high.made


def test_a_fold_leaves_the_community_awards_alone() -> None:
    """rws-progressive-holdem 3.11.2.a: a folded 7-2 can still meet what lies on the board."""
    known = game(changed_terms("rws-progressive-holdem"))
    number = next(hand.number for hand in STARTING_HANDS if hand.name == "72o")
    live = jackpot.mask_chances(known, number, folded=False)
    folded = jackpot.mask_chances(known, number, folded=True)
    assert folded[0] > live[0]
    community = sum(1 << at for at, award in enumerate(known.terms.book.jackpot.awards) if not award.own)
    assert all(mask & ~community == 0 for mask in folded)


def test_several_units_play_for_the_fixed_awards_alone() -> None:
    """mbs-megalink-holdem 3.5.3.1: two units need twice the meter."""
    found = solved("mbs-megalink-holdem")
    one, two = jackpot.figures(found), jackpot.figures(found, units=2)
    assert one.break_even_meter is not None
    assert two.break_even_meter == 2 * one.break_even_meter
    assert one.fixed_return == two.fixed_return


def test_a_multiple_that_is_multiplied_twice() -> None:
    """Reading for-1-multiple b: five units return five times as much for each unit."""
    found = solved("mbs-megalink-holdem", "rulings.for-1-multiple=b")
    assert jackpot.figures(found, units=5).fixed_return == 5 * jackpot.figures(found).fixed_return


def test_shared_awards_are_worth_less_to_each() -> None:
    """sun-casino-holdem Progressive Jackpot ¶1: three Bets share the board's royal flush."""
    found = solved("sun-casino-holdem")
    assert jackpot.figures(found, participants=3).meter_share == jackpot.figures(found).meter_share / 3


def test_own_hands_of_a_stakeboard() -> None:
    """sun-casino-holdem Progressive Jackpot ¶2: a flush of seven cards pays 100.00, called or not."""
    found = solved("sun-casino-holdem", "pay_tables.jackpot.flush=100.00")
    chance = jackpot.figures(found).made["flush"]
    assert chance == Fraction(4_047_644, 133_784_560)


@pytest.mark.parametrize("line", ["straight_flush", "flush"])
def test_a_line_struck_from_the_table_is_not_paid(line: str) -> None:
    found = jackpot.figures(solved("rws-multilink-holdem", f"pay_tables.jackpot.{line}=none"))
    assert line not in found.probabilities
