"""A player's own account: the balance, and payments that wait for the player's word."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.floor.house.shown_state import CommittedState
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.people.people import Asking, People, Person
from croupier.floor.records.commands import BuyIn
from croupier.money import Money, show

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


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has in chips, those on tables not counted, and the payments to confirm."""

    player: str
    balance: str
    consents: list[Consent]


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
    )


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
    return Consent(
        id=key,
        kind="buy_in" if isinstance(payment, BuyIn) else "cash_out",
        player=payment.player,
        amount=show(payment.amount),
        by=payment.by,
        second=payment.second,
        state=state,
        seconds=max(0, asking.until - now) // 1_000_000,
    )
