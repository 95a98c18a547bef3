"""Small lists of the floor's pages: calls to the pit, bars, duties."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.floor.duties.permissions import Action, Condition, Post


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


class DutyTable(msgspec.Struct, frozen=True, kw_only=True):
    """Who may do what, on which conditions, with the bounds in force."""

    posts: list[Post]
    actions: list[DutyLine]
    conditions: Mapping[str, str]
    """What each condition says."""
    bounds: Bounds | None
