"""What one command changes: collected while it is judged, put into effect by `HouseState.apply`."""

from __future__ import annotations

import msgspec

from croupier.floor.house.memory.player_memory import Memory
from croupier.floor.people.people import People
from croupier.floor.records.committed_decks import Deck
from croupier.floor.records.facts import TableArchived
from croupier.floor.records.tables import DealKey, EditionFrom, Table, TermsFrom
from croupier.jackpots.link import Link
from croupier.jackpots.linked_tables import AtLink, Met
from croupier.journal.records import Record
from croupier.journal.store import Cut, Head, LedgerRow, NameRow, Origin, SealedDeck
from croupier.money import Money
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms


class Meeting(msgspec.Struct, frozen=True):
    """Events of a table whose effect on a link waits until the link is locked."""

    link: str
    table: str
    terms: Terms
    state: Round
    """What the events have led to."""
    events: tuple[Met, ...]
    at: AtLink


class SeldomChanges(msgspec.Struct):
    """Changes that few commands make: to tables and their terms, and to the names of people."""

    opened: list[Table] = []
    begun: dict[str, TermsFrom] = {}
    """Terms with which a Round has begun, by table."""
    terms: dict[str, TermsFrom] = {}
    """Terms of the next Round, by table."""
    editions: dict[str, tuple[EditionFrom, ...]] = {}
    """Versions of the rulebook on a table's calendar."""
    closed: dict[str, bool] = {}
    """Tables that were closed (True) or opened again."""
    archived: list[tuple[TableArchived, Cut]] = []
    names: dict[str, NameRow] = {}
    erased: list[str] = []
    """People whose rows leave the directory."""
    origin: Origin | None = None
    """Where a new session was opened."""


class Changes(msgspec.Struct):
    """Changes to tables, links, people, accounts and the journal; by name, where a field does not say otherwise."""

    rounds: dict[str, Round] = {}
    decks_in_play: dict[str, dict[DealKey, Deck]] = {}
    links: dict[str, Link] = {}
    meetings: list[Meeting] = []
    """What is entered on links that are not locked yet; `links` then holds what is expected of it."""
    people: People | None = None
    memory: Memory | None = None
    seldom: SeldomChanges | None = None
    heads: dict[str, Head] = {}
    """Where each stream stands that was written to."""
    stood: dict[str, int] = {}
    """Where a stream stood that was read and not written to."""
    records: list[Record] = []
    entries: list[LedgerRow] = []
    moved: dict[str, Money] = {}
    """The sum of the entries, by account."""
    sealed_decks: list[SealedDeck] = []
    opened_decks: list[SealedDeck] = []
