"""Bounds of what one person may do alone: settings of the house, on record since they were put in force."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from croupier.money import Money, money

HOUR = 3_600_000_000
"""Microseconds."""


class Duties(msgspec.Struct, frozen=True, kw_only=True):
    """What takes a second person or the player's own word, and for how long it waits."""

    limits: Money = money("5000.00")
    """A limit or jackpot bet above this is set by two people."""
    payments: Money = money("10000.00")
    """A buy-in or cash-out above this is done by two people."""
    consent_seconds: int = 120
    """How long a payment waits for the player's own word."""
    own_account_hours: int = 24
    """How long a person and an account that they enrolled cannot be the two people of one measure."""
    stakeboards: bool = False
    """What bets pay, and the jackpot bet, are changed by two people. Records of earlier releases do not have it."""


STANDARD = Duties(stakeboards=True)
"""What a house begins with."""


class Consent(StrEnum):
    """What the player of a payment has said to it."""

    GIVEN = "given"
    """The player confirmed it in a session of their own."""
    ABSENT = "absent"
    """The player had no open session, so the cage acted alone."""
