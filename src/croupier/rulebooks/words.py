"""The smallest words of a rulebook: what cites, who may, and the names of Bets and boxes."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

import msgspec

from croupier.rulebooks.citation import Para

Rules: TypeAlias = tuple[Para, ...]
BetName: TypeAlias = str
BoxNo: TypeAlias = int
Choice: TypeAlias = str

ANTE_BET: BetName = "ante"
JACKPOT_BET: BetName = "jackpot"
"""Two Bets that every one of the documents has, under these names."""
FOLD: Choice = "fold"


class Word(msgspec.Struct, frozen=True, kw_only=False, cache_hash=True):
    """A declared thing: compared by value, never changed."""


class Role(IntEnum):
    """Who may rule; a higher one may always act for a lower one, so roles compare."""

    DEALER = 1
    PIT_SUPERVISOR = 2
    PIT_MANAGER = 3
    SHIFT_MANAGER = 4

    @property
    def slug(self) -> str:
        return self.name.lower()

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").title()
