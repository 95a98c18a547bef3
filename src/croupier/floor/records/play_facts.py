"""What happens to the limits that players set for themselves, and to their sessions of play."""

from __future__ import annotations

from typing import TypeAlias

from croupier.floor.records.facts import Fact
from croupier.money import Money


class OfPlay(Fact, frozen=True):
    """A fact of a player's own play."""

    person: str
    at: int
    """Microseconds since 1970, UTC."""


class LimitsSet(OfPlay, frozen=True):
    """A player has set limits for their own play; 0 for none. A stricter one is in force at once."""

    loss: Money = 0
    minutes: int = 0
    """The longest session of play."""
    check: int = 0
    """Minutes between two reality checks."""


class PlayBegun(OfPlay, frozen=True):
    """A player with limits has placed the first Bet of a session of play."""

    base: Money
    """What the player had before that Bet: in chips, and on layouts."""


class PlayNoted(OfPlay, frozen=True):
    """A player with limits still bets; noted once a minute at most."""


class PlayFunded(OfPlay, frozen=True):
    """A player with limits has bought chips, or has cashed some out, during a session of play."""

    amount: Money
    """Below zero where chips were cashed out."""


class CheckAcknowledged(OfPlay, frozen=True):
    """A player has seen how long they have played, and what they have won or lost."""


class DemoChipsTaken(OfPlay, frozen=True):
    """A player of a demonstration house has taken more demonstration chips."""

    amount: Money


PlayFact: TypeAlias = LimitsSet | PlayBegun | PlayNoted | PlayFunded | CheckAcknowledged | DemoChipsTaken
