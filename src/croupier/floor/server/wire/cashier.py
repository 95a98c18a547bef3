"""The cage: balances and payments."""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.floor.server.wire.texts import Amount, CommandId, PersonText
from croupier.floor.views.account_views import Consent


class PaymentRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Money for chips, or chips for money."""

    id: CommandId
    player: PersonText
    amount: Amount


class TableBuyIn(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Money that a dealer takes at a table for chips."""

    id: CommandId
    box: Annotated[int, msgspec.Meta(ge=1, le=20)]
    amount: Amount
    player: str = ""
    """A player who is known by name; empty for a patron without an account, who is known by table and box."""


class TableChips(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Chips that a player takes away from a table."""

    id: CommandId
    player: PersonText
    amount: Amount
    box: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Where they sit; a player who takes all their chips away no longer does."""


class NewColour(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Chips of a player, and the value of those that they are changed into."""

    id: CommandId
    player: PersonText
    amount: Amount
    chip: Amount


class SeatedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """The player of a box, and what they hold in chips."""

    player: str
    balance: str


class PlayerBalance(SeatedPlayer, frozen=True, kw_only=True):
    """A player and what they hold in chips."""

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
