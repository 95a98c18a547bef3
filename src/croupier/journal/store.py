"""What a store does: one transaction a batch, records, entries, answers, decks and snapshots together or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias

import msgspec

from croupier.journal.records import Record, StreamName

AccountName: TypeAlias = str

SCHEMA_VERSION = 1

Row: TypeAlias = tuple[str | int | bytes, ...]

TABLES: Mapping[str, tuple[str, ...]] = {
    "records": ("stream", "seq", "type", "version", "at", "command", "data", "hash"),
    "heads": ("stream", "seq", "hash"),
    "accounts": ("account", "balance", "overdrawable"),
    "postings": ("stream", "seq", "account", "amount"),
    "answers": ("chain", "seq", "id", "body", "answer", "hash"),
    "decks": ("table", "round", "deal", "deck"),
    "snapshots": ("stream", "seq", "hash", "data"),
}
"""All that a journal consists of, column by column: what an audit reads, what a backup carries from one store to
another. Rows come in the order of their columns, texts by their code points.
"""


class StoreError(Exception):
    """The store cannot be used; the message is one sentence with what and where."""


class StoreFailed(StoreError):
    """A commit failed: what is on disk is not known, so the server stops instead of guessing."""


class StoreConflict(StoreError):
    """Another server was first: nothing was written, and it may be tried again from what is there now."""


class Posting(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One side of an entry: money comes to an account, or leaves it."""

    account: AccountName
    amount: int


class LedgerRow(msgspec.Struct, frozen=True, array_like=True):
    """A balanced entry and the record that it belongs to; an account appears in it once."""

    stream: StreamName
    seq: int
    postings: tuple[Posting, ...]


class Answered(msgspec.Struct, frozen=True, array_like=True):
    """A command's answer, kept so that the same id gives the same answer. Answers are chained like records, so that
    none can be changed or removed unnoticed; each server has a chain of its own.
    """

    chain: StreamName
    seq: int
    id: str
    body: bytes
    """Hash of what was asked."""
    answer: bytes
    hash: bytes


class SealedDeck(msgspec.Struct, frozen=True, array_like=True):
    """The deck of a deal that nobody may see yet."""

    table: str
    round: int
    deal: int
    deck: bytes


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """A stream's state after a record, so that a start need not replay everything."""

    stream: StreamName
    seq: int
    hash: bytes
    """Of the record it stands after."""
    data: bytes


class Batch(msgspec.Struct):
    """Everything that one transaction writes."""

    records: list[Record] = []
    entries: list[LedgerRow] = []
    answers: list[Answered] = []
    decks: list[SealedDeck] = []
    snapshots: list[Snapshot] = []
    links: dict[str, bytes] = {}
    """The state of each link that moved, for the other servers of a shared store."""
    opened_accounts: dict[AccountName, bool] = {}
    """New accounts, and whether each may be overdrawn (accounts of the House)."""

    @property
    def is_empty(self) -> bool:
        return not (self.records or self.answers or self.entries or self.decks or self.snapshots)


class Head(msgspec.Struct, frozen=True):
    """Where a stream stands."""

    seq: int
    hash: bytes


class Shared(msgspec.Struct, frozen=True):
    """What other servers may have changed since this one last looked, locked until the next `write`."""

    heads: Mapping[StreamName, Head]
    links: Mapping[str, bytes]
    """The state of each link, as JSON."""
    balances: Mapping[AccountName, int]
    """Of the accounts that there are."""


FOREVER = 2**62


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which rounds of a table somebody looks for."""

    since: int = 0
    """Opened at this microsecond or later."""
    until: int = FOREVER
    """Opened before this microsecond."""
    account: AccountName = ""
    """Rounds that moved money of this account."""
    skip: int = 0
    limit: int = 50


class Store(Protocol):
    """An embedded or shared database. Used by one thread at a time."""

    url: str
    is_shared: bool
    """Other servers may write to it too."""

    def own(self, table: str) -> bool:
        """Take a table for this server alone; False where another server has it."""

    def begin(
        self, streams: Sequence[StreamName], accounts: Sequence[AccountName], watched: Sequence[StreamName] = ()
    ) -> Shared:
        """Of a shared store: begin a transaction that will write to these, and see them as they are now; streams that
        are only watched are seen, not locked.
        """

    def write(self, batch: Batch) -> None:
        """All of it, durable when this returns; raises StoreFailed where that is not certain."""

    def abandon(self) -> None:
        """Nothing came of what was begun."""

    def head(self, stream: StreamName) -> Head: ...

    def streams(self) -> Sequence[StreamName]: ...

    def read(self, stream: StreamName, after: int = 0, limit: int | None = None) -> Iterator[Record]: ...

    def rounds(self, stream: StreamName, wanted: Wanted) -> Sequence[Record]:
        """The records that open a table's rounds, the newest first."""

    def answers(self, commands: Sequence[str]) -> Mapping[str, Answered]: ...

    def balances(self) -> Mapping[AccountName, int]: ...

    def overdrawable(self) -> Mapping[AccountName, bool]: ...

    def links(self) -> Mapping[str, bytes]:
        """The state of each link that servers share, as it is now; none in an embedded store."""

    def deck(self, table: str, number: int, deal: int) -> bytes | None: ...

    def snapshot(self, stream: StreamName) -> Snapshot | None: ...

    def reading(self) -> AbstractContextManager[None]:
        """Everything read within is of one moment, while others write on."""

    def rows(self, table: str) -> Iterator[Row]:
        """Every row of one of `TABLES`."""

    def problems(self) -> Iterator[str]:
        """What the database finds wrong with itself: damage, a constraint or a guard that is gone."""

    def fill(self, rows: Mapping[str, Iterable[Row]], links: Mapping[str, bytes]) -> None:
        """All these rows into an empty store, in one transaction; `links` as in a batch, for a shared store."""

    def listen(self, seconds: float = 1.0) -> Iterator[frozenset[StreamName]]:
        """The streams that commits of any server move, as they happen; nothing when nothing has moved for so long. Used
        by a thread of its own.
        """

    def close(self) -> None: ...
