"""A player's own rounds, limits and receipts."""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.floor.people.own_limits import MINUTES_MOST
from croupier.floor.server.wire.texts import Amount
from croupier.floor.views.round_views import AwardPaidView
from croupier.floor.views.table_views import Line
from croupier.rounds.state import Stage

Minutes = Annotated[int, msgspec.Meta(ge=0, le=MINUTES_MOST)]


class NewLimits(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Limits that a player sets for their own play; 0 for none. Stricter ones hold at once, looser ones after a day."""

    loss: Amount = "0.00"
    minutes: Minutes = 0
    """The longest session of play."""
    check: Minutes = 0
    """Minutes between two reality checks."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What a round came to for one player, and where the journal has it."""

    house: str
    player: str
    table: str
    game: str
    edition: str
    rulebook: str
    """Content hash of the rulebook by which the round was played."""
    round: int
    at: str
    stage: Stage
    lines: list[Line]
    awards: list[AwardPaidView]
    staked: str
    returned: str
    net: str
    record: str
    """The place in the journal of the round's last record, as in `table/T1 120`."""
    hash: str
    """Of that record: it covers every record before it."""
    checkpoint: str
    """The signed checkpoint that covers it, by its number and root; empty where none does yet."""
    printed: str
    """When the receipt was made."""
