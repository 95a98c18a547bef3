"""No drift: many contributions come to exactly what the rates say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.jackpots.parameters import Rate
from tests.ledger.drift import Drift, drift


def test_a_million_contributions_at_awkward_rates_come_to_the_exact_sum() -> None:
    """Meter, hidden reserve and the ledger's pool, with the rates changed ten times on the way: difference 0."""
    for drifting in drift(1_000_000, seed=7):
        assert drifting.differs() == 0
    assert drifting.count == 1_000_000


def test_a_cent_too_much_would_be_seen() -> None:
    """The comparison itself is exact: a difference of one unit of the finest is a difference."""
    drifting = Drift(seed=1)
    drifting.contribute(1_000, (Rate(7, 33), Rate(1, 7)))
    assert drifting.differs() == 0
    drifting.meter += Fraction(1, drifting.link.scale)
    assert drifting.differs() == Fraction(1, drifting.link.scale)


@pytest.mark.parametrize("rate", [Rate(1, 3), Rate(7, 33), Rate(1_999, 9_973)])
def test_a_share_is_exact_in_units_of_its_denominator(rate: Rate) -> None:
    """And cannot be had in units that are too coarse for it."""
    for amount in range(1, 300):
        assert Fraction(rate.units(amount, rate.denominator), rate.denominator) == Fraction(
            rate.numerator * amount, rate.denominator
        )
    with pytest.raises(AssertionError, match="multiple of the denominator"):
        rate.units(1, rate.denominator - 1)
