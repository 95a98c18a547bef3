"""A figure and the same figure found a second way."""

from __future__ import annotations

from fractions import Fraction

import msgspec


class Check(msgspec.Struct, frozen=True):
    """One figure, found a second time."""

    figure: str
    found: str
    again: str
    how: str
    agrees: bool


Checks = dict[str, Check]
"""By the figure's place in the sheet: `base.ev`, `side.bonus.aces`, `jackpot.royal_flush`."""


def exact_check(figure: str, found: Fraction, again: Fraction, how: str) -> Check:
    """Compare two exact figures, which must be the same."""
    return Check(figure, str(found), str(again), how, found == again)
