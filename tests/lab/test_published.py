"""Published figures, met to the last digit that is published."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.lab.bets import jackpot, side_bets
from croupier.lab.model.game import game
from croupier.lab.model.variants import changed_terms
from croupier.lab.solve.solution import Solution, solve


def solved(name: str, *changes: str) -> Solution:
    return solve(game(changed_terms(name, changes)))


@pytest.mark.parametrize("name", ["rws-multilink-holdem", "mbs-megalink-holdem", "rws-progressive-holdem"])
def test_hold_em_with_the_ante_paid_from_a_straight(name: str) -> None:
    """House edge 2.037%, average wager 3.8181, element of risk 0.5335%."""
    found = solved(name)
    assert f"{100 * found.house_edge:.3f}" == "2.037"
    assert f"{float(found.average_wager):.4f}" == "3.8181"
    assert f"{100 * found.element_of_risk:.4f}" == "0.5335"
    assert found.ev == Fraction(-578107733, 28381438800)
    assert [hand.name for hand in found.hands if not hand.played] == ["32o", "42o", "52o", "62o", "72o"]


def test_hold_em_with_the_ante_paid_from_a_flush() -> None:
    """House edge 5.5935%."""
    found = solved("rws-multilink-holdem", "showdown.ante_pays_from=flush")
    assert f"{100 * found.house_edge:.4f}" == "5.5935"


def test_the_published_standard_deviation_leaves_folded_hands_out() -> None:
    """Published: 3.500839. The true one is 3.507271.

    The published one forgets the lost Ante of folded hands among the squares (and keeps it in the mean), and bets where
    betting and checking are worth exactly the same. Without the fold alone it would be 3.500814; the 7,260 positions on
    which the River Bet is even make up the rest.
    """
    found = solved("rws-multilink-holdem")
    assert f"{found.standard_deviation:.6f}" == "3.507271"
    without_folds = float(found.variance - found.decisions["fold"]) ** 0.5
    assert f"{without_folds:.6f}" == "3.500814"
    assert {each.decision: each.positions for each in found.indifferent} == {"flop": 0, "turn": 0, "river": 7_260}


def test_the_bonus_on_hole_cards() -> None:
    """Return 91.46%, exact -13873/162435."""
    found = solved("rws-multilink-holdem")
    figures = side_bets.figures(found.game.side("bonus"), found)
    assert figures.ev == Fraction(-13873, 162435)
    assert f"{100 * float(1 + figures.ev):.2f}" == "91.46"


def test_a_bonus_that_is_lost_with_the_hand() -> None:
    """Reading bonus-on-loss a: about 35%, as the readings say."""
    found = solved("mbs-megalink-holdem", "rulings.bonus-on-loss=a")
    figures = side_bets.figures(found.game.side("bonus"), found)
    assert f"{-100 * float(figures.ev):.1f}" == "34.9"


def test_three_card_poker() -> None:
    """Ante and Play 3.37%, Q-6-4 is the lowest hand played; Pair Plus 5.57%."""
    found = solved("rws-multilink-three-card")
    assert f"{100 * found.house_edge:.2f}" == "3.37"
    assert f"{100 * found.element_of_risk:.2f}" == "2.01"
    assert found.decisions["play"] == Fraction(149, 221)
    figures = side_bets.figures(found.game.side("pair_plus"), found)
    assert f"{-100 * float(figures.ev):.2f}" == "5.57"


def test_casino_hold_em() -> None:
    """With 100/20/10/3/2/1: 2.16%, 82% of hands are called."""
    found = solved("sun-casino-holdem")
    assert f"{100 * found.house_edge:.2f}" == "2.16"
    assert f"{100 * float(found.decisions['call']):.0f}" == "82"


@pytest.mark.parametrize("name", ["rws-multilink-holdem", "mbs-megalink-holdem", "rws-multilink-three-card"])
def test_awards_on_five_cards_are_as_likely_as_five_card_hands(name: str) -> None:
    """One royal flush in 649,740, and so on down the list."""
    figures = jackpot.figures(solved(name))
    expected = {
        "royal_flush": Fraction(4, 2_598_960),
        "straight_flush": Fraction(36, 2_598_960),
        "four_of_a_kind": Fraction(624, 2_598_960),
        "full_house": Fraction(3_744, 2_598_960),
        "flush": Fraction(5_108, 2_598_960),
        "straight": Fraction(10_200, 2_598_960),
    }
    assert figures.probabilities == {award.hand: expected[award.hand] for award in figures.jackpot.awards}
    assert figures.meter_share == Fraction(4, 2_598_960) + Fraction(36, 25_989_600)


def test_every_result_with_its_chance_adds_up_to_the_value() -> None:
    """The exact distribution of the base game, of all three shapes of play."""
    for name in ("rws-multilink-holdem", "sun-casino-holdem", "rws-multilink-three-card"):
        found = solved(name)
        assert sum(found.results.values()) == 1
        assert sum(net * chance for net, chance in found.results.items()) == found.ev
        assert sum(net**2 * chance for net, chance in found.results.items()) == found.square
