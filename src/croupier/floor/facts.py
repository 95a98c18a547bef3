"""What happens at a house beside rounds and meters: tables opened, decks sealed and opened, cash and chips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from croupier.floor.requests import TableConfig
from croupier.jackpots.link import AnyLinkEvent, Parameters
from croupier.money import Money
from croupier.rounds.commands import PlayerName
from croupier.rounds.events import RoundEvent


class Fact(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """Something that happened at the house."""


class LinkOpened(Fact, frozen=True):
    """A link starts."""

    meter: Money
    parameters: Parameters


class TableOpened(Fact, frozen=True):
    """A table opens with these terms."""

    table: str
    config: TableConfig


class TermsChanged(Fact, frozen=True):
    """A table plays on other terms from the Round after this one on."""

    table: str
    by: str
    after: int
    """The number of the last Round on the terms before."""
    limits: Mapping[str, tuple[Money, Money]] = {}
    jackpot_bet: Money | None = None
    pay_tables: Mapping[str, Mapping[str, str]] = {}


class TableClosed(Fact, frozen=True):
    """No Round begins at a table after this one."""

    table: str
    by: str
    after: int


class TableReopened(Fact, frozen=True):
    """Rounds begin at a table again after this one."""

    table: str
    by: str
    after: int


class DeckCommitted(Fact, frozen=True):
    """The deck of a deal is fixed; its commitment is published before bets are."""

    round: int
    deal: int
    commitment: str


class DeckOpened(Fact, frozen=True):
    """After the settlement everybody may see the deck, and check it against its commitment."""

    round: int
    deal: int
    deck: str
    salt: str


class BoughtIn(Fact, frozen=True):
    """Money came over the counter."""

    player: PlayerName
    amount: Money


class CashedOut(Fact, frozen=True):
    """Money went over the counter."""

    player: PlayerName
    amount: Money


HouseFact: TypeAlias = TableOpened | TermsChanged | TableClosed | TableReopened
LinkFact: TypeAlias = AnyLinkEvent | LinkOpened
TableFact: TypeAlias = RoundEvent | DeckCommitted | DeckOpened
CashierFact: TypeAlias = BoughtIn | CashedOut
