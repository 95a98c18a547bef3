"""Rounds that have been played: one line each, step by step, and as a record that checks itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.floor.house.witness import Inclusion
from croupier.floor.records.committed_decks import CardProof
from croupier.floor.records.facts import TableFact
from croupier.floor.views.award_views import AwardHistoryView, AwardStep
from croupier.floor.views.table_views import Line, TableView
from croupier.money import Money
from croupier.rounds.state import Stage
from croupier.rulebooks.terms import Pin


class RoundLine(msgspec.Struct, frozen=True, kw_only=True):
    """A round in one line of a list."""

    table: str
    game: str
    edition: str
    round: int
    at: str
    stage: Stage
    players: tuple[str, ...]
    bets: tuple[str, ...]
    hands: tuple[str, ...]
    """Of the players, as far as they were shown."""
    staked: str
    won: str
    returned: str
    from_meter: str
    """Of what was won, the part that the jackpot's meter paid."""
    mispaid: str
    """What mispays that stand left with the players beyond what was due; below zero what the players lack."""


class DeckView(msgspec.Struct, frozen=True, kw_only=True):
    """A deal's commitment and, once the round is over, as much of its deck as the viewer may see."""

    deal: int
    commitment: str
    by_card: bool
    deck: str | None
    """The whole deck, for people who may audit."""
    salt: str | None
    cards: tuple[CardProof, ...] | None
    """Single cards, each with its proof."""


class AwardPaidView(msgspec.Struct, frozen=True, kw_only=True):
    """An award that was paid in a round."""

    box: int
    player: str
    hand: str
    pays: str
    amount: str
    rules: tuple[str, ...]
    from_meter: bool
    """The jackpot's meter paid it, and not the house."""


StepEvent: TypeAlias = TableFact | AwardStep
"""Amounts in events are whole cents."""


class RoundStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a round: what happened, and the table as the viewer saw it then."""

    seq: int
    """0 for what happened to an award."""
    at: str
    event: StepEvent
    view: TableView


class Eyes(msgspec.Struct, frozen=True, kw_only=True):
    """A player or a post whose view of a round can be asked for, with `as_player` or `as_post`."""

    kind: Literal["player", "post"]
    name: str


class PlayedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round step by step."""

    table: str
    game: str
    edition: str
    missing: str
    """Why the round can be shown and not judged again: its rulebook is not installed as it was; empty where it is."""
    round: int
    stage: Stage
    at: str
    decks: list[DeckView]
    lines: list[Line]
    awards: list[AwardPaidView]
    cases: list[AwardHistoryView]
    steps: list[RoundStep]
    may_export: bool
    """The viewer may have the record of the round."""
    viewers: list[Eyes]
    """People and posts whose view of the round the reader may take."""


class TableEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a table by its number, as the viewer may see it."""

    seq: int
    at: str
    event: TableFact


# ---------------------------------------------------------------- the record


class DealStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the dealing procedure."""

    step: int
    order: list[str]
    each: int
    times: int


class RecordRules(msgspec.Struct, frozen=True, kw_only=True):
    """What the bets of a round were settled by: limits in cents, pay tables and readings."""

    limits: Mapping[str, tuple[Money, Money]]
    jackpot_bet: Money | None
    pay_tables: Mapping[str, Mapping[str, str]]
    readings: Mapping[str, str]


class RecordedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A record of the journal; its hash is over its content and the hash before."""

    stream: str
    seq: int
    type: str
    version: int
    at: int
    """Microseconds since 1970, UTC."""
    command: str
    data: str | UnsetType = UNSET
    hash: str
    digest: str | UnsetType = UNSET
    """In place of `data`, where another player saw the cards in private."""
    before: str | UnsetType = UNSET
    """The hash that the record is chained to; on records of a link."""


class RecordedDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck that was committed to card by card: whole, or single cards with their proofs."""

    deal: int
    deck: str | UnsetType = UNSET
    salt: str | UnsetType = UNSET
    cards: tuple[CardProof, ...] | UnsetType = UNSET


class RecordedAward(msgspec.Struct, frozen=True, kw_only=True):
    """How an award of the round stands."""

    award: int
    box: int
    state: str


class RoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over, as a file that `verify.py` checks with Python alone."""

    format: str
    table: str
    game: str
    rulebook: Pin
    """The edition by which it was played, with the content hash of its rulebook and of the table's own settings."""
    round: int
    physical: bool
    dealing: str
    procedure: list[DealStep]
    rules: RecordRules
    before: str
    records: list[RecordedEvent]
    decks: list[RecordedDeck]
    awards: list[RecordedAward]
    on_the_link: list[RecordedEvent]
    witness: list[Inclusion] | UnsetType = UNSET
    """Proofs against signed checkpoints, where the house has a witness."""
