"""What happens to the limits that players set for themselves, and to their sessions of play."""

from __future__ import annotations

from typing import TypeAlias

from croupier.floor.records.facts import Fact
from croupier.money import Money


class LimitsSet(Fact, frozen=True):
    """A player has set limits for their own play; 0 for none. A stricter one is in force at once."""

    person: str
    at: int
    """Microseconds since 1970, UTC; so in every fact of this module."""
    loss: Money = 0
    minutes: int = 0
    """The longest session of play."""
    check: int = 0
    """Minutes between two reality checks."""


class PlayBegun(Fact, frozen=True):
    """A player with limits has placed the first Bet of a session of play."""

    person: str
    at: int
    base: Money
    """What the player had before that Bet: in chips, and on layouts."""


class PlayNoted(Fact, frozen=True):
    """A player with limits still bets; noted once a minute at most."""

    person: str
    at: int


class PlayFunded(Fact, frozen=True):
    """A player with limits has bought chips, or has cashed some out, during a session of play."""

    person: str
    at: int
    amount: Money
    """Below zero where chips were cashed out."""


class CheckAcknowledged(Fact, frozen=True):
    """A player has seen how long they have played, and what they have won or lost."""

    person: str
    at: int


class DemoChipsTaken(Fact, frozen=True):
    """A player of a demonstration house has taken more demonstration chips."""

    person: str
    at: int
    amount: Money


PlayFact: TypeAlias = LimitsSet | PlayBegun | PlayNoted | PlayFunded | CheckAcknowledged | DemoChipsTaken
