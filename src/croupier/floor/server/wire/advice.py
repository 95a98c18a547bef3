"""Practice: what each choice is worth, and what a game takes on average."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.floor.server.workers.advice import Worth

AdviceState: TypeAlias = Literal["ready", "loading", "missing"]


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """What the House keeps on average at a table with the best play."""

    state: AdviceState
    message: str | UnsetType = UNSET
    """Why it is missing."""
    edge: float | UnsetType = UNSET
    """Of the ante."""
    risk: float | UnsetType = UNSET
    """Of all that is staked."""
    sides: Mapping[str, float] | UnsetType = UNSET
    """Of each side bet."""


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """The value of each choice of one box."""

    box: int
    board: int
    """How many community cards lie face up."""
    uncounted: list[str]
    """Bets of the box that the values do not count."""
    options: tuple[Worth, ...] | UnsetType = UNSET
    """The best first."""
    counted: tuple[str, ...] | UnsetType = UNSET
    wrong: str | UnsetType = UNSET
    """Why the lab has no answer."""


class Practice(msgspec.Struct, frozen=True, kw_only=True):
    """The value of each choice that the player has to make now."""

    state: AdviceState
    message: str | UnsetType = UNSET
    round: int | UnsetType = UNSET
    boxes: list[Position]


class DecisionValue(msgspec.Struct, frozen=True, kw_only=True):
    """What each choice was worth when a decision of a played round was made."""

    seq: int
    """Of the step that made it."""
    box: int
    choice: str
    ante: str
    options: tuple[Worth, ...]
    """The best first; empty where the lab has no answer."""
    cost: float | None
    """How much less than the best choice it was worth, in antes; null where that is not known."""


class RoundValues(msgspec.Struct, frozen=True, kw_only=True):
    """The value of each decision of a played round whose hand the reader may know."""

    state: AdviceState
    message: str | UnsetType = UNSET
    decisions: list[DecisionValue]
