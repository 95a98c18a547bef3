"""The cage: balances and payments."""

from __future__ import annotations

import msgspec

from croupier.floor.server.wire.texts import Amount, CommandId, PersonText
from croupier.floor.views.account_views import Consent


class PaymentRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Money for chips, or chips for money."""

    id: CommandId
    player: PersonText
    amount: Amount


class PlayerBalance(msgspec.Struct, frozen=True, kw_only=True):
    """A player and what they hold in chips."""

    player: str
    balance: str
    logged_in: bool
    enrolled: bool


class Cashier(msgspec.Struct, frozen=True, kw_only=True):
    """Players by part of a name, and the payments that players were asked to confirm."""

    players: list[PlayerBalance]
    more: int
    """How many players were found beyond those listed."""
    payments: list[Consent]
    alone_up_to: str | None
    """The amount that one person may pay alone; null where none is set."""
