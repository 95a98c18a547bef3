"""A player's own account: the balance, and payments that wait for the player's word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.people.own_limits import MINUTE, Bound, Play
from croupier.floor.people.people import Asking, People, Person
from croupier.floor.records.commands import BuyIn
from croupier.floor.views.moments import moment_text
from croupier.money import Money, show
from croupier.structs import extended

ConsentState: TypeAlias = Literal["waiting", "confirmed", "declined", "unanswered"]


class Consent(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that a player was asked to confirm."""

    id: str
    kind: Literal["buy_in", "cash_out"]
    player: str
    amount: str
    by: str
    second: str
    state: ConsentState
    seconds: int
    """How long it still waits."""


class OwnLimit(msgspec.Struct, frozen=True, kw_only=True):
    """A limit of a player's own: an amount, or minutes; empty for none."""

    now: str
    later: str
    """The looser limit that waits; null in `since` where none does."""
    since: str | None
    """When it takes the place of `now`."""


class SessionOfPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The session of play of a player with limits."""

    since: str
    minutes: int
    net: str
    """Won or lost so far; chips on tables count as lost."""
    left: str | None
    """What may still be staked; null without a loss limit."""
    ends: int | None
    """Seconds until the time limit, 0 where it is over; null without one."""
    check: int | None
    """Seconds until the next reality check, 0 where it is due; null without one."""


class OwnLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits that a player has set for their own play, and the session that runs."""

    loss: OwnLimit
    minutes: OwnLimit
    check: OwnLimit
    session: SessionOfPlay | None


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has in chips, those on tables not counted, and the payments to confirm."""

    player: str
    balance: str
    consents: list[Consent]
    limits: OwnLimits


def account_view(house: CommittedState, person: Person) -> Account:
    """Return a player's own balance, and payments that wait for the player to confirm."""
    held: Money = house.shown_balances.get(f"player/{person.name}", 0)
    now = microseconds()
    return Account(
        player=person.name,
        balance=show(held),
        consents=[
            consent_view(key, asking, now)
            for key, asking in house.shown_people.consents.items()
            if asking.payment.player == person.name and is_waiting(asking, now)
        ],
        limits=limits_view(house.shown_people.play.get(person.name, Play()), held, now),
    )


def limits_view(play: Play, held: Money, now: int) -> OwnLimits:
    """Show a player's own limits, and the session of play where one runs."""
    return OwnLimits(
        loss=_limit(play.loss, now, show),
        minutes=_limit(play.minutes, now, str),
        check=_limit(play.check, now, str),
        session=_session(play, held, now) if play.is_running(now) and play.is_limited(now) else None,
    )


def _limit(bound: Bound, now: int, words: Callable[[int], str]) -> OwnLimit:
    waits, held = bound.waits(now), bound.at(now)
    return OwnLimit(
        now=words(held) if held else "",
        later=words(bound.later) if waits and bound.later else "",
        since=moment_text(bound.since) if waits else None,
    )


def _session(play: Play, held: Money, now: int) -> SessionOfPlay:
    lost, limit = play.lost(held), play.loss.at(now)
    return SessionOfPlay(
        since=moment_text(play.begun),
        minutes=(now - play.begun) // MINUTE,
        net=show(-lost),
        left=show(max(0, limit - lost)) if limit else None,
        ends=_seconds(play.ends(now), now),
        check=_seconds(play.check_due(now), now),
    )


def _seconds(moment: int | None, now: int) -> int | None:
    return None if moment is None else max(0, moment - now) // 1_000_000


def is_waiting(asking: Asking, now: int) -> bool:
    """Return whether a payment waits for its player to confirm."""
    return asking.given is None and asking.until > now


def asked_players(people: People, now: int) -> set[str]:
    """Return the players who have a payment to confirm."""
    return {asking.payment.player for asking in people.consents.values() if is_waiting(asking, now)}


def consent_view(key: str, asking: Asking, now: int) -> Consent:
    """Show a payment to confirm, as the player and the cage see it."""
    payment = asking.payment
    state: ConsentState = "waiting" if asking.until > now else "unanswered"
    if asking.given is not None:
        state = "confirmed" if asking.given else "declined"
    return extended(
        Consent,
        payment,
        id=key,
        kind="buy_in" if isinstance(payment, BuyIn) else "cash_out",
        amount=show(payment.amount),
        state=state,
        seconds=max(0, asking.until - now) // 1_000_000,
    )
