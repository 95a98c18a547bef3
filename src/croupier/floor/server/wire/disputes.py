"""Disputes of rounds: what people send, and their cases as they are shown."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from croupier.floor.people.disputes import WORDS_MOST
from croupier.floor.records.commands import DisputeOutcome
from croupier.floor.server.wire.texts import CommandId, PersonText

Words: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=WORDS_MOST)]


class NewDispute(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A round that is disputed, why, and within how many days it has to be decided."""

    id: CommandId
    table: PersonText
    round: Annotated[int, msgspec.Meta(ge=1, le=10**9)]
    words: Words
    player: Annotated[str, msgspec.Meta(max_length=40)] = ""
    days: Annotated[int, msgspec.Meta(ge=1, le=365)] = 14


class NewDisputeNote(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A note for the case of a dispute."""

    id: CommandId
    words: Words


class DisputeDecision(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a dispute is decided, and why."""

    id: CommandId
    outcome: DisputeOutcome
    words: Words


class DisputeClosing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The end of a case."""

    id: CommandId
    words: Annotated[str, msgspec.Meta(max_length=WORDS_MOST)] = ""


class CaseNote(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a case."""

    at: str
    by: str
    what: str
    words: str


class DisputeCase(msgspec.Struct, frozen=True, kw_only=True):
    """The case of a dispute."""

    id: str
    table: str
    round: int
    player: str
    status: Literal["open", "decided", "closed"]
    outcome: DisputeOutcome | None
    until: str
    overdue: bool
    notes: list[CaseNote]
    may_decide: bool
    """Whether the reader may decide it, or close it."""
