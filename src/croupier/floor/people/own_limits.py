"""Limits that a player sets for their own play: a loss, a time, and when to be shown how they stand.

A session of play begins with a Bet and ends after six hours without one. What a Bet may lose counts when it is staked:
a loss limit is a smaller purse. A stricter limit holds at once; one that is raised or removed holds on for a day.
"""

from __future__ import annotations

from typing import assert_never

import msgspec
from msgspec.structs import replace

from croupier.floor.records import play_facts as facts
from croupier.floor.records.refusals import Code, Refused
from croupier.money import MOST, Money, show

MINUTE = 60_000_000
"""Microseconds."""
COOLING_OFF = 24 * 60 * MINUTE
"""How long a limit still holds after its player has raised or removed it."""
REST = 6 * 60 * MINUTE
"""Microseconds without a Bet after which a session of play is over."""
MINUTES_MOST = 24 * 60
"""The longest limit of time, and between two reality checks."""

DEMO_CHIPS: Money = 1000_00
"""What a player of a demonstration house takes at a time."""
DEMO_BELOW: Money = 200_00
"""Only a player with fewer chips takes more."""
DEMO_TIMES = 10
"""How often within a day."""


class Bound(msgspec.Struct, frozen=True, omit_defaults=True):
    """One limit, and the looser one that waits; 0 for none."""

    now: int = 0
    later: int = 0
    since: int = 0
    """The moment from which `later` holds; 0 where no other limit waits."""

    def at(self, moment: int) -> int:
        """Return the limit that holds at a moment."""
        return self.later if self.since and moment >= self.since else self.now

    def set_to(self, asked: int, moment: int) -> Bound:
        """Return the limit after its player has asked for another: stricter at once, looser after a day."""
        held = self.at(moment)
        if asked == held or (asked and (not held or asked < held)):
            return Bound(asked)
        if self.since > moment and asked == self.later:
            return self  # it waits already
        return Bound(held, asked, moment + COOLING_OFF)

    def waits(self, moment: int) -> bool:
        """Return whether a looser limit waits for its moment."""
        return self.since > moment


class Play(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player's limits, and their session of play as far as it is on record."""

    loss: Bound = Bound()
    minutes: Bound = Bound()
    check: Bound = Bound()
    begun: int = 0
    """When the session began; 0 before the first one of a player with limits."""
    noted: int = 0
    """When the player was last noted to bet."""
    base: Money = 0
    """What the player had when the session began, and has bought since."""
    checked: int = 0
    """When the player last acknowledged how they stand."""
    demo: tuple[int, ...] = ()
    """When the player took demonstration chips, within a day."""

    def is_limited(self, moment: int) -> bool:
        """Return whether any limit holds at a moment."""
        return bool(self.loss.at(moment) or self.minutes.at(moment) or self.check.at(moment))

    def is_running(self, moment: int) -> bool:
        """Return whether a Bet at this moment belongs to the session on record."""
        return bool(self.begun) and moment - self.noted < REST

    def ends(self, moment: int) -> int | None:
        """Return when the player's time is over; None without a limit of time."""
        minutes = self.minutes.at(moment)
        return self.begun + minutes * MINUTE if minutes else None

    def check_due(self, moment: int) -> int | None:
        """Return when the player has to be told how they stand; None where they have not asked for it."""
        minutes = self.check.at(moment)
        return max(self.begun, self.checked) + minutes * MINUTE if minutes else None

    def lost(self, held: Money) -> Money:
        """Return what the session has cost, with what lies on layouts; below zero where the player has won."""
        return self.base - held


def evolve_play(play: Play, fact: facts.PlayFact) -> Play:
    """Fold a fact into a player's limits and session."""
    match fact:
        case facts.LimitsSet(loss=loss, minutes=minutes, check=check, at=at):
            return replace(
                play,
                loss=play.loss.set_to(loss, at),
                minutes=play.minutes.set_to(minutes, at),
                check=play.check.set_to(check, at),
            )
        case facts.PlayBegun(at=at, base=base):
            return replace(play, begun=at, noted=at, base=base, checked=0)
        case facts.PlayNoted(at=at):
            return replace(play, noted=at)
        case facts.PlayFunded(amount=amount):
            return replace(play, base=play.base + amount)
        case facts.CheckAcknowledged(at=at):
            return replace(play, checked=at)
        case facts.DemoChipsTaken(at=at, amount=amount):
            taken = (*(moment for moment in play.demo if at - moment < COOLING_OFF), at)
            return replace(play, demo=taken, base=play.base + amount)
        case _:
            assert_never(fact)


def check_limits(asked: facts.LimitsSet) -> None:
    """Refuse limits that cannot be kept."""
    if not 0 <= asked.loss <= MOST:
        raise Refused(Code.BAD_LIMIT, f"A loss limit is between 0.01 and {show(MOST)}, or 0.00 for none.")
    if not 0 <= asked.minutes <= MINUTES_MOST or not 0 <= asked.check <= MINUTES_MOST:
        raise Refused(Code.BAD_LIMIT, f"Limits of time are between 1 and {MINUTES_MOST} minutes, or 0 for none.")


def check_time(play: Play, held: Money, moment: int) -> None:
    """Refuse a new Bet after the player's time, or before they have acknowledged how they stand."""
    ends, due = play.ends(moment), play.check_due(moment)
    if ends is not None and moment >= ends:
        limit, rest = play.minutes.at(moment), REST // (60 * MINUTE)
        says = f"Your time limit of {limit} min is over. You may bet again after {rest} hours without a bet."
        raise Refused(Code.TIME_LIMIT, says)
    if due is not None and moment >= due:
        minutes, lost = (moment - play.begun) // MINUTE, play.lost(held)
        stands = f"lost {show(lost)}" if lost > 0 else f"won {show(-lost)}"
        says = f"Your limits began to count {minutes} min ago, and you have {stands} since. Confirm it to bet again."
        raise Refused(Code.REALITY_CHECK, says)


def check_loss(play: Play, held: Money, moment: int) -> None:
    """Refuse a Bet with which the player, who holds so much after it, could lose more than their limit."""
    limit = play.loss.at(moment)
    if limit and play.lost(held) > limit:
        could = f"With this bet you could have lost {show(play.lost(held))} in this session"
        raise Refused(Code.LOSS_LIMIT, f"{could}, and your limit is {show(limit)}.")


def check_demo_chips(play: Play, held: Money, moment: int) -> None:
    """Refuse demonstration chips to a player who has enough, or has taken them too often."""
    if held >= DEMO_BELOW:
        says = f"You hold {show(held)}: take more chips when you have less than {show(DEMO_BELOW)}."
        raise Refused(Code.DEMO_CHIPS, says)
    if len([taken for taken in play.demo if moment - taken < COOLING_OFF]) >= DEMO_TIMES:
        says = f"You have taken demo chips {DEMO_TIMES} times within a day: come back tomorrow."
        raise Refused(Code.DEMO_CHIPS, says)
