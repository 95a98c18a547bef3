"""How a jackpot grows: the base value, and the shares of every jackpot Bet, exact."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from croupier.money import Money


class Rate(msgspec.Struct, frozen=True, array_like=True):
    """A share of every jackpot Bet, exact."""

    numerator: int
    denominator: int = 1

    def units(self, amount: Money, scale: int) -> int:
        """Return this share of an amount in meter units, exactly."""
        units, rest = divmod(amount * self.numerator * scale, self.denominator)
        assert not rest, "the scale is a multiple of the denominator"
        return units


NOTHING = Rate(0)


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """What the House sets: the base value, the visible and the hidden share of every Bet, and a cap of the display."""

    reset: Money
    contribution: Rate
    reserve: Rate = NOTHING
    cap: Money | None = None
    currency: str = "SGD"
    """Every table of the link plays in it, even where its game has another currency."""


def rate(share: Fraction) -> Rate:
    """Make a rate from a fraction."""
    return Rate(share.numerator, share.denominator)
