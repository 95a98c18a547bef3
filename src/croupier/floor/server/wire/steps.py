"""A step of a round script, as a client sends it. The rules of each step are checked where it is parsed."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.floor.server.wire.texts import CommandId

Boxes: TypeAlias = list[int] | int | UnsetType | None
Text: TypeAlias = str | UnsetType | None
Flag: TypeAlias = bool | UnsetType
Meant: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**53)] | UnsetType | None

Do: TypeAlias = Literal[
    "bet",
    "withdraw",
    "examine",
    "handle",
    "walk_away",
    "decide",
    "choose",
    "refuse_reveal",
    "prove",
    "open",
    "close_bets",
    "deal",
    "turn",
    "confirm_acts",
    "enter_act",
    "resolve_mispay",
    "note_mispay",
    "report",
    "rule",
    "restrict",
    "view_hand",
    "jackpot_mode",
    "verify_award",
    "deny_award",
    "change_terms",
    "close_table",
    "reopen_table",
]


class PileBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards that lie at one place after a dealing error, as in `As ??`."""

    cards: Annotated[str, msgspec.Meta(max_length=200)]
    ordered: bool = True
    """They are written in the order in which they came there."""


class FeltBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a deal that went wrong."""

    incident: Annotated[str, msgspec.Meta(max_length=60)]
    piles: dict[str, PileBody]
    """By place: box numbers, `dealer`, `community`, `burn`."""
    together: list[list[tuple[str, int]]] = []
    """Cards that were drawn together in an unknown order, each by its place and its number there, from 0."""
    at: int | None = None
    """The card, from 0, with which it went wrong, where that is known."""
    slips: int = 1


class StepFields(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of all steps; a step that lacks one it needs is refused."""

    player: Text = UNSET
    """Whom a person of the staff acts for; a player acts for themselves."""
    box: int | UnsetType | None = UNSET
    boxes: Boxes = UNSET
    bet: str | UnsetType = UNSET
    amount: str | UnsetType = UNSET
    noticed: Flag = UNSET
    choice: str | UnsetType = UNSET
    option: str | UnsetType = UNSET
    decision: str | UnsetType = UNSET
    incident: str | UnsetType = UNSET
    count: int | UnsetType | None = UNSET
    dealer: Flag = UNSET
    community: Flag = UNSET
    reconstructible: bool | UnsetType | None = UNSET
    correct: Flag = UNSET
    affected: Boxes = UNSET
    mode: str | UnsetType = UNSET
    tables: list[str] | UnsetType = UNSET
    cards: dict[str, str] | UnsetType | None = UNSET
    """By place, as in {"1": "Ah Kh"}."""
    text: Text = UNSET
    felt: FeltBody | UnsetType | None = UNSET
    """With `rule`: the facts of the cards that were in front of the person who rules."""
    award: int | UnsetType = UNSET
    """The number of the award, as the link shows it."""
    limits: dict[str, tuple[str, str]] | UnsetType | None = UNSET
    jackpot_bet: str | UnsetType | None = UNSET
    pay_tables: dict[str, dict[str, str]] | UnsetType | None = UNSET
    confirms: str | UnsetType | None = UNSET
    acts: list[int] | UnsetType = UNSET
    """Numbers of the acts of a settlement that were done as due."""
    act: int | UnsetType = UNSET
    did: str | UnsetType = UNSET
    """`take` or `pay`: what was really done in an act."""
    put_right: Flag = UNSET
    """With `resolve_mispay`: whether the chips were put right, or the mispay stands."""
    earlier: int | UnsetType = UNSET
    """With `note_mispay`: the round that was mispaid."""
    overpaid: Flag = UNSET
    """With `note_mispay`: whether the player had too much, or too little."""
    link: Flag = UNSET
    by: Text = UNSET
    """Ignored: the server says who asks."""
    who: Text = UNSET
    """Ignored, like `by`."""
    note: str | UnsetType = UNSET
    comment: str | UnsetType = UNSET


class Step(StepFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step at a table."""

    do: Do
    round: Meant = UNSET
    """The round that the sender saw; at another round the step is refused."""
    decided: Meant = UNSET
    """With `decide`: how many decisions the box had made."""


class Waiting(msgspec.Struct, frozen=True):
    """Players for whom a deal still waits."""

    players: int


class TableCommand(Step, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step at a table, over HTTP; the same id is carried out once."""

    id: CommandId


class ReportDraft(StepFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report that is not made yet."""

    do: Literal["report"] | UnsetType = UNSET
    looked: list[int] = []
    """Boxes whose players have looked at their cards, where no person has entered it yet."""
