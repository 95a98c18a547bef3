"""Messages that the server sends over the live connection."""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.floor.records.commands import Answer
from croupier.floor.views.account_views import Account
from croupier.floor.views.award_views import LinkView
from croupier.floor.views.round_views import TableEvent
from croupier.floor.views.table_patches import TablePatch
from croupier.floor.views.table_views import PhaseTime, ServerClock, TableView
from croupier.floor.views.terms_views import FloorTable
from croupier.structs import extended


class TableMessage(TableView, frozen=True, kw_only=True, tag="table"):
    """A table that the client watches: the whole view, at first and where the client could not follow its changes."""

    seq: int
    clock: ServerClock | None
    phase: PhaseTime
    version: int
    """Of this view; the next patch names it."""


class PitMessage(FloorTable, frozen=True, kw_only=True, tag="pit"):
    """One line of the floor, for staff."""

    clock: ServerClock | None


class LinkMessage(LinkView, frozen=True, kw_only=True, tag="link"):
    """A link that the client watches, at most four times a second."""


class AccountMessage(Account, frozen=True, kw_only=True, tag="account"):
    """A player's own account: when their chips at a watched table move, the cage has booked or asks about a payment."""


class MissedMessage(msgspec.Struct, frozen=True, kw_only=True, tag="missed"):
    """The events since the one that the client saw last."""

    table: str
    after: int
    events: list[TableEvent]
    all: bool
    """False where they are too many, or the house has been put back to a moment before."""


class AnswerMessage(Answer, frozen=True, kw_only=True, tag="answer"):
    """The answer to a message of the client; with `table` and no id, a table is no longer run here."""

    id: str | None
    table: str | UnsetType = UNSET


class Pong(msgspec.Struct, frozen=True, kw_only=True, tag="pong"):
    """The answer to a ping."""

    id: str | None


ServerMessage: TypeAlias = (
    TableMessage | TablePatch | PitMessage | LinkMessage | AccountMessage | MissedMessage | AnswerMessage | Pong
)


def answer_message(reference: str | None, answer: Answer, table: str | UnsetType = UNSET) -> AnswerMessage:
    """Write the house's answer as a message."""
    return extended(AnswerMessage, answer, id=reference, table=table)
