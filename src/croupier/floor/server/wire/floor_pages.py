"""Small lists of the floor's pages: calls to the pit, bars, duties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from croupier.floor.duties.permissions import Action, Condition, Post
from croupier.rounds.state import Stage


class CallView(msgspec.Struct, frozen=True, kw_only=True):
    """A table whose dealer has called for the pit."""

    table: str
    by: str
    seconds: int
    """Since the call."""
    coming: str
    """Who is on the way; empty until a person answers."""


class CalledTable(msgspec.Struct, frozen=True, kw_only=True):
    """The table of a call."""

    table: str


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """A player who may not play on: at which table that was ruled, where it holds, and who may lift it."""

    player: str
    table: str
    game: str
    operator: str
    everywhere: bool
    rules: tuple[str, ...]
    by: str
    may: bool
    """The reader may lift it."""


Lamp: TypeAlias = Literal["mispay", "ruling", "jackpot", "stuck", "playing", "betting", "rest", "closed", "away"]
"""How a table stands, the most urgent first."""


class LockedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table on a locked page: where it is in its round, and whether it needs a person."""

    table: str
    game: str
    lamp: Lamp
    stage: Stage
    seconds: int
    """How long it has been in its phase."""
    boxes: int
    taken: list[int]
    """The numbers of the boxes with chips."""


class LockedFloor(msgspec.Struct, frozen=True, kw_only=True):
    """What a page of the pit shows while its session is locked: tables, and how much waits for the reader."""

    tables: list[LockedTable]
    calls: int
    """Tables that call for the pit, and nobody is on the way."""
    proposals: int
    """Proposals that the reader's post may sign."""
    alarms: int
    """Break-glass accounts in use."""
    voided: list[str]
    """When rounds of the last hours became void, the latest first, without those that the reader made void."""


class DutyLine(msgspec.Struct, frozen=True, kw_only=True):
    """One action: who may take it, on which conditions."""

    action: Action
    means: str
    posts: list[Post]
    conditions: list[Condition]


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What one person may do alone, by the names of the settings."""

    limits: str
    payments: str
    consent_seconds: str
    own_account_hours: str
    stakeboards: bool
    """What bets pay is changed by two people."""


class DutyTable(msgspec.Struct, frozen=True, kw_only=True):
    """Who may do what, on which conditions, with the bounds in force."""

    posts: list[Post]
    actions: list[DutyLine]
    conditions: Mapping[str, str]
    """What each condition says."""
    bounds: Bounds | None
