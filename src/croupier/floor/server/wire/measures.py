"""What people who run the house send: tables, links, terms, corrections; and proposals that take two people."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.floor.duties.permissions import Action
from croupier.floor.records.commands import Answer
from croupier.floor.server.wire.texts import Amount, CommandId, NewName, PersonText
from croupier.floor.views.dealer_steps import WaitingHandOver

Pays: TypeAlias = Annotated[str, msgspec.Meta(max_length=40)]


class NewTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms of a table to open, as in the settings file."""

    game: str
    dealing: str | UnsetType | None = UNSET
    boxes: int | UnsetType | None = UNSET
    limits: dict[str, tuple[Amount, Amount]] | UnsetType = UNSET
    jackpot_bet: Amount | UnsetType = UNSET
    pay_tables: dict[str, dict[str, Pays]] | UnsetType = UNSET
    rulings: dict[str, str] | UnsetType = UNSET
    link: str | UnsetType | None = UNSET
    currency: str | UnsetType | None = UNSET
    physical: bool | UnsetType = UNSET
    staffed: bool | UnsetType = UNSET
    betting_seconds: int | UnsetType = UNSET
    deciding_seconds: int | UnsetType = UNSET
    pause_seconds: int | UnsetType = UNSET
    confirms: str | UnsetType = UNSET
    pit: str | UnsetType = UNSET


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to open: its name, and its terms as in the settings file."""

    id: CommandId
    name: NewName
    terms: NewTerms


class Measure(msgspec.Struct, forbid_unknown_fields=True):
    """A measure at a table or a link."""

    id: CommandId


class Adjustment(msgspec.Struct, forbid_unknown_fields=True):
    """By how much a meter is corrected, and why."""

    amount: Amount
    cause: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class NewParameters(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """How the jackpot grows from now on."""

    reset: Amount
    contribution: Amount
    reserve: Amount = "0"
    cap: Amount | None = None


class NewLink(NewParameters, kw_only=True, forbid_unknown_fields=True):
    """A link to open: what its meter starts from, and how it grows."""

    id: CommandId
    name: NewName
    meter: Amount


class ChangedTerms(msgspec.Struct, forbid_unknown_fields=True):
    """What is different at a table from the next round on; the rest stays as it is."""

    id: CommandId
    limits: dict[str, tuple[Amount, Amount]] = {}
    jackpot_bet: Amount | None = None
    pay_tables: dict[str, dict[str, Pays]] = {}
    confirms: str | None = None
    box_limits: dict[str, Amount] = {}
    """By the number of a box: the most that may lie there as Ante; "0.00" for no limit but the table's."""


class HandOver(msgspec.Struct, forbid_unknown_fields=True):
    """The count of the tray, and the dealer who takes the table over."""

    to: PersonText
    count: Amount


class PaidAward(msgspec.Struct, forbid_unknown_fields=True):
    """An award that the dealer has paid out: its number on the link."""

    id: CommandId
    award: int
    from_tray: bool = False
    """Chips of the table's own tray were given; else the cage paid, or the pit brought the chips."""


class ConfirmedRuling(msgspec.Struct, forbid_unknown_fields=True):
    """A ruling that the dealer has carried out: the number of its event at the table."""

    id: CommandId
    ruling: int


class TrayCount(msgspec.Struct, forbid_unknown_fields=True):
    """The chips in the tray at the beginning of a shift."""

    id: CommandId
    count: Amount


class NewEdition(msgspec.Struct, forbid_unknown_fields=True):
    """Another version of a table's rule document, and the moment from which rounds begin by it."""

    edition: Annotated[str, msgspec.Meta(max_length=80)]
    at: Annotated[str, msgspec.Meta(max_length=40)]
    """As in 2026-12-01T06:00:00Z."""


class CancelledEdition(msgspec.Struct, forbid_unknown_fields=True):
    """The version that waits at a table and is not put in force."""

    id: CommandId
    edition: Annotated[str, msgspec.Meta(max_length=80)]


class Correction(msgspec.Struct, forbid_unknown_fields=True):
    """What really lies on the felt, place by place, as in {"community": "Ah Kd 2c"}."""

    cards: dict[str, Pays]


class ConsentAsked(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that its player is asked to confirm."""

    consent: str
    player: str
    amount: str
    words: str


class Declining(msgspec.Struct, forbid_unknown_fields=True):
    """Why a proposal is declined."""

    words: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A measure that waits for its second person."""

    id: str
    by: str
    words: str
    second: Action
    """The action that the second person needs."""
    seconds: int
    """How long it still waits; 0 in the answer to the proposal itself."""
    may_sign: bool
    """The reader may give the second signature, or decline."""
    mine: bool
    """The reader proposed it, and may withdraw it while it waits."""
    declined_by: str
    """Another person has declined it; empty while it waits."""
    why: str
    """The words of the person who declined it."""
    hand_over: WaitingHandOver | None = None
    """The count of the tray beside what the house expects there, where a table is handed over."""
    lapsed: bool = False
    """Nobody signed it in time; only its proposer reads it then, for an hour."""


Outcome: TypeAlias = Answer | Proposal | ConsentAsked
"""What comes of a request that may take two people or the player's word."""
