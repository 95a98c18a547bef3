"""What people ask of a link: rulings about the order of awards, signatures, denials, and the House's own measures."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from croupier.jackpots.parameters import Parameters
from croupier.money import Money
from croupier.rulebooks.vocabulary import Role


class LinkAsked(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """Something asked of a link; it becomes events, or a Refusal."""


class ReleaseAward(LinkAsked, frozen=True):
    """The awards of a table that wait for another table are locked now."""

    table: str
    by: Role


class RuleDealOrder(LinkAsked, frozen=True):
    """Whose Hands were dealt first is determined."""

    table: str
    by: Role
    tables: tuple[str, ...]


class SignAward(LinkAsked, frozen=True):
    """A person of the pit signs for one award of a staffed table; two different people have to."""

    table: str
    award: int
    by: str


class DenyAward(LinkAsked, frozen=True):
    """A claim does not prove right: it is denied, with the reason in words."""

    table: str
    award: int
    by: Role
    who: str
    text: str


class CloseLink(LinkAsked, frozen=True):
    """The link takes no jackpot Bets until it is opened again."""

    link: str
    by: str


class ReopenLink(LinkAsked, frozen=True):
    """The link takes jackpot Bets again."""

    link: str
    by: str


class ChangeParameters(LinkAsked, frozen=True):
    """Two people change how the jackpot grows, while the link is closed."""

    link: str
    by: str
    second: str
    parameters: Parameters


class AdjustMeter(LinkAsked, frozen=True):
    """Two people correct the meter, with the cause in their words, while the link is closed."""

    link: str
    by: str
    second: str
    amount: Money
    cause: str


AwardCommand: TypeAlias = ReleaseAward | RuleDealOrder | SignAward | DenyAward
"""About awards, asked at a table."""
LinkCommand: TypeAlias = AwardCommand | CloseLink | ReopenLink | ChangeParameters | AdjustMeter
