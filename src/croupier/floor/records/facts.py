"""What happens at a house beside rounds and meters: tables opened, decks sealed and opened, cash and chips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from croupier.floor.records.commands import Paid, TableConfig
from croupier.floor.records.committed_decks import Deck
from croupier.jackpots.events import AnyLinkEvent
from croupier.jackpots.parameters import Parameters
from croupier.money import Money
from croupier.rounds.commands import Confirming, PlayerName
from croupier.rounds.events import RoundEvent
from croupier.rulebooks.terms import Pin


class Fact(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """Something that happened at the house."""


class LinkOpened(Fact, frozen=True):
    """A link starts."""

    meter: Money
    parameters: Parameters
    by: str = ""
    second: str = ""


class TableOpened(Fact, frozen=True):
    """A table opens with these terms."""

    table: str
    config: TableConfig
    by: str = ""
    second: str = ""
    rulebook: Pin | None = None
    """None in records of releases that knew one version of each document."""


class TermsChanged(Fact, frozen=True):
    """A table plays on other terms from the Round after this one on."""

    table: str
    by: str
    after: int
    """The number of the last Round on the terms before."""
    limits: Mapping[str, tuple[Money, Money]] = {}
    jackpot_bet: Money | None = None
    pay_tables: Mapping[str, Mapping[str, str]] = {}
    confirms: Confirming | None = None
    box_limits: Mapping[str, Money] = {}
    second: str = ""
    rulebook: Pin | None = None


class EditionScheduled(Fact, frozen=True):
    """From a moment on the Rounds of a table are begun by another version of its rule document."""

    table: str
    edition: str
    at: int
    by: str
    second: str
    rulebook: Pin


class EditionCancelled(Fact, frozen=True):
    """A version that waited for its moment is not put in force."""

    table: str
    edition: str
    by: str


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


class TableArchived(Fact, frozen=True):
    """A table's records up to this one are in a file and no longer in the database. What is needed to go on without
    them, and to hold the file against, stands here.
    """

    table: str
    by: str
    before: str
    after: int
    """The number of the last Round that has left."""
    seq: int
    hash: str
    file: str
    sha256: str
    link_seq: int
    """How far the link had come, as the answers to the commands that have left say; 0 without a link."""
    carried: Mapping[str, Money]
    """What the records that have left moved on each account, all in all."""
    state: bytes
    """The table's Round after the last of them, as compressed JSON."""


class DeckCommitted(Fact, frozen=True):
    """The deck of a deal is fixed; its commitment is published before bets are."""

    round: int
    deal: int
    commitment: str
    by_card: bool = False
    """The commitment is the root over single cards, which can be opened one by one; otherwise a hash over them all."""

    @classmethod
    def of(cls, number: int, deal: int, deck: Deck) -> DeckCommitted:
        """Make the fact that a deck is committed to."""
        return cls(round=number, deal=deal, commitment=deck.commitment, by_card=deck.by_card)


class DeckOpened(Fact, frozen=True):
    """The Round has ended, so cards of its deck may be checked against the commitment. A deck that was committed to as
    a whole stands here. Of one that was committed to card by card, which stays in the store, each person is shown the
    cards that they saw, and the audit checks all.
    """

    round: int
    deal: int
    deck: str = ""
    salt: str = ""

    @classmethod
    def of(cls, number: int, deal: int, deck: Deck) -> DeckOpened:
        """Make the fact that a deck is opened."""
        if deck.by_card:
            return cls(round=number, deal=deal)
        return cls(round=number, deal=deal, deck=deck.cards, salt=deck.salt)


class BoughtIn(Paid, Fact, frozen=True):
    """Money came over the counter, or over a table."""


class CashedOut(Paid, Fact, frozen=True):
    """Money went over the counter, or chips left a table with their player."""


class ColourChanged(Fact, frozen=True):
    """Chips of a player were changed into chips of another value at a table."""

    player: PlayerName
    amount: Money
    chip: Money
    table: str
    by: str


class PlayerNoted(Fact, frozen=True):
    """A Player has had their one Round of Bets under the minimum on this gaming day."""

    operator: str
    player: PlayerName
    day: int
    table: str
    round: int


class NoteTakenBack(Fact, frozen=True):
    """That Round was reopened, so it does not count until it is settled again."""

    operator: str
    player: PlayerName
    day: int
    table: str
    round: int


class PlayerBarred(Fact, frozen=True):
    """A Player may play no further at any table of the operator."""

    operator: str
    player: PlayerName
    table: str
    round: int


class BarLifted(Fact, frozen=True):
    """The table that barred a Player lets them play again."""

    operator: str
    player: PlayerName
    table: str
    round: int


TableChange: TypeAlias = (
    TermsChanged | EditionScheduled | EditionCancelled | TableClosed | TableReopened | TableArchived
)
HouseFact: TypeAlias = TableOpened | TableChange
LinkFact: TypeAlias = AnyLinkEvent | LinkOpened
TableFact: TypeAlias = RoundEvent | DeckCommitted | DeckOpened
CashierFact: TypeAlias = BoughtIn | CashedOut | ColourChanged
PlayerFact: TypeAlias = PlayerNoted | NoteTakenBack | PlayerBarred | BarLifted
