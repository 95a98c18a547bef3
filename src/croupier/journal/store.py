"""A store: one transaction for each batch of records, entries, answers, decks and snapshots, and its values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, LiteralString, TypeAlias, TypeGuard

import msgspec
from msgspec.structs import astuple

from croupier.journal.records import GENESIS, Record, StreamName

AccountName: TypeAlias = str

SCHEMA_VERSION = 4

Row: TypeAlias = tuple[str | int | bytes, ...]

TABLES: Mapping[str, tuple[str, ...]] = {
    "records": ("stream", "seq", "type", "version", "at", "command", "data", "hash"),
    "heads": ("stream", "seq", "hash"),
    "accounts": ("account", "balance", "overdrawable"),
    "postings": ("stream", "seq", "account", "amount"),
    "answers": ("chain", "seq", "id", "body", "answer", "hash"),
    "decks": ("table", "round", "deal", "deck"),
    "snapshots": ("stream", "seq", "hash", "data"),
    "names": ("person", "name", "salt", "canonical", "skeleton"),
}
"""The tables of a journal and their columns. Audits and backups read rows sorted by columns, texts by code points."""

ORIGINS = "origins"
COLUMNS: Mapping[str, tuple[str, ...]] = {**TABLES, ORIGINS: ("session", "came_from", "browser")}
"""The tables of a journal, and the one that is in no backup."""

NAMES = "names"
"""The one table outside the chains, so that its rows can be erased."""
NAMED_SINCE = 3
"""The first schema with that table."""


class StoreError(Exception):
    """The store cannot be used; the message is one sentence that says what and where."""


class StoreFailed(StoreError):
    """A commit failed: its result on disk is unknown, so the server stops."""


class StoreLost(StoreFailed):
    """The connection to a shared store is gone, and every lock with it.

    `reopen` may restore it; the kept answers then show whether a pending commit was done.
    """


class StoreConflict(StoreError):
    """Another server was first: nothing was written, and the caller may try again."""


Posting: TypeAlias = tuple[AccountName, int]
"""One side of an entry: money comes to an account, or leaves it."""


class LedgerRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A balanced entry and the record that it belongs to; an account appears in it once."""

    stream: StreamName
    seq: int
    postings: tuple[Posting, ...]


class Answered(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A command's answer, kept so that the same id gives the same answer.

    Answers are chained like records; each server has a chain of its own.
    """

    chain: StreamName
    seq: int
    id: str
    body: bytes
    """Hash of what was asked."""
    answer: bytes
    hash: bytes


class SealedDeck(msgspec.Struct, frozen=True, array_like=True):
    """The sealed deck of a deal."""

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


class NameRow(msgspec.Struct, frozen=True, array_like=True):
    """The name of a person whom the records know by an id. No two rows have the same form of a name."""

    person: str
    name: str
    salt: bytes
    """Of the commitment to the name that the enrolment holds."""
    canonical: str
    """The name without regard to case and spacing, or the id where the name is free for another person."""
    skeleton: str
    """The look of the name, or the id where the name is free."""


class Origin(msgspec.Struct, frozen=True, array_like=True):
    """Where a session was opened: kept as long as the session, and in no record."""

    session: str
    came_from: str
    browser: str


class Cut(msgspec.Struct, frozen=True):
    """What was archived: the records and postings of a table up to `seq`, and its decks up to `round`."""

    table: str
    stream: StreamName
    seq: int
    round: int


class Batch(msgspec.Struct):
    """Everything that one transaction writes."""

    records: list[Record] = []
    entries: list[LedgerRow] = []
    answers: list[Answered] = []
    decks: list[SealedDeck] = []
    opened_decks: list[SealedDeck] = []
    """Decks whose Round is over, in the place of what was sealed."""
    snapshots: list[Snapshot] = []
    links: dict[str, bytes] = {}
    """The state of each link that moved, for the other servers of a shared store."""
    opened_accounts: dict[AccountName, bool] = {}
    """New accounts, and whether each may be overdrawn (accounts of the House)."""

    archived: list[Cut] = []
    """What leaves the database in the same transaction."""

    names: dict[str, NameRow] = {}
    """By person: new names, and names whose forms have changed."""
    erased: list[str] = []
    """People whose names leave the database for good, before new names come."""
    origins: dict[str, Origin] = {}
    """By session."""
    ended: list[str] = []
    """Sessions whose origins leave the database."""

    @property
    def is_personal(self) -> bool:
        return bool(self.names or self.erased or self.origins or self.ended)

    @property
    def is_empty(self) -> bool:
        journal = self.records or self.answers or self.entries or self.decks or self.snapshots
        return not (journal or self.is_personal)


class Placed(msgspec.Struct, frozen=True, array_like=True):
    """A record at its place in the order in which the records of all streams were committed."""

    position: int
    record: Record


class Head(msgspec.Struct, frozen=True, gc=False):
    """Where a stream stands."""

    seq: int
    hash: bytes


class Shared(msgspec.Struct, frozen=True):
    """What other servers may have changed since this one last looked; what was locked is so until the next `write`."""

    heads: Mapping[StreamName, Head]
    records: Sequence[Record]
    """What came to links, in their order."""
    balances: Mapping[AccountName, int]
    """Of the accounts that there are."""


NO_LINKS: Mapping[StreamName, int] = {}

FOREVER = 2**62


class Span(msgspec.Struct, frozen=True, array_like=True):
    """Rows whose first column, a text, stands from `since` on and before `until`; an empty text is not a bound."""

    since: str = ""
    until: str = ""


EVERYTHING = Span()


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A search for rounds of a table."""

    since: int = 0
    """Opened at this microsecond or later."""
    until: int = FOREVER
    """Opened before this microsecond."""
    account: AccountName = ""
    """Rounds that moved money of this account."""
    skip: int = 0
    limit: int = 50


OF_AWARDS: LiteralString = (
    "type IN ('ClaimsEntered', 'ClaimsVerified', 'AwardsLocked', 'AwardSigned', 'CasePaid', 'CaseDenied', "
    "'AwardsPaid', 'AwardsHandedOver', 'AwardsReversed')"
)
"""Events of a link that concern award cases: few among many, so that an index with these words finds them."""

RECORD_COLUMNS: LiteralString = "stream, seq, type, version, at, command, data, hash"
_ROUNDS: LiteralString = """
SELECT r.stream, r.seq, r.type, r.version, r.at, r.command, r.data, r.hash FROM records r
WHERE r.stream = ? AND r.type = 'RoundOpened' AND r.at >= CAST(? AS bigint) AND r.at < CAST(? AS bigint)
AND (CAST(? AS text) = '' OR EXISTS (
    SELECT 1 FROM postings p WHERE p.account = ? AND p.account >= 'player/' AND p.account < 'player0'
    AND p.stream = r.stream AND p.seq > r.seq AND p.seq < coalesce(
        (SELECT min(n.seq) FROM records n WHERE n.stream = r.stream AND n.type = 'RoundOpened' AND n.seq > r.seq),
        9000000000000000000)))
ORDER BY r.seq DESC LIMIT ? OFFSET ?
"""

_MOVED: LiteralString = """
SELECT coalesce(sum(p.amount), 0) FROM postings p JOIN records r ON r.stream = p.stream AND r.seq = p.seq
WHERE p.account = ? AND p.account >= 'player/' AND p.account < 'player0' AND r.at >= CAST(? AS bigint)
"""

_MOVED_IN_STREAM: LiteralString = """
SELECT coalesce(sum(p.amount), 0) FROM postings p JOIN records r ON r.stream = p.stream AND r.seq = p.seq
WHERE p.stream = ? AND p.account = ? AND r.at > CAST(? AS bigint) AND r.at <= CAST(? AS bigint)
"""

_MOVED_IN_ROUNDS: LiteralString = """
SELECT o.stream, o.seq, o.type, o.version, o.at, o.command, o.data, o.hash, m.type, m.moved FROM (
    SELECT p.stream AS stream, (
        SELECT max(n.seq) FROM records n WHERE n.stream = p.stream AND n.type = 'RoundOpened' AND n.seq < p.seq
    ) AS opening, r.type AS type, sum(p.amount) AS moved
    FROM postings p JOIN records r ON r.stream = p.stream AND r.seq = p.seq
    WHERE p.account = ? AND p.account >= 'player/' AND p.account < 'player0'
    AND p.stream >= 'table/' AND p.stream < 'table0'
    GROUP BY 1, 2, 3
) m JOIN records o ON o.stream = m.stream AND o.seq = m.opening
"""

_MOVED_ON_LINKS: LiteralString = """
SELECT r.stream, r.seq, r.type, r.version, r.at, r.command, r.data, r.hash, p.amount
FROM postings p JOIN records r ON r.stream = p.stream AND r.seq = p.seq
WHERE p.account = ? AND p.account >= 'player/' AND p.account < 'player0' AND p.stream >= 'link/' AND p.stream < 'link0'
"""
_FIELDS = len(TABLES["records"])


class Store(ABC):
    """An embedded or shared database. Used by one thread at a time.

    What a store does not override is so where one server alone writes to it.
    """

    url: str
    is_shared: ClassVar[bool] = False
    """Other servers may write to it too."""

    # ---------------------------------------------------------------- other servers

    def own(self, table: str) -> bool:
        """Take a table for this server alone; False where another server has it."""
        return bool(table)

    def begin(
        self,
        streams: Sequence[StreamName],
        accounts: Sequence[AccountName],
        watched: Sequence[StreamName] = (),
        links: Mapping[StreamName, int] = NO_LINKS,  # noqa: ARG002  there is no other writer
    ) -> Shared:
        """Begin a transaction of a shared store on these streams and accounts, and return their present state.

        Links are locked last. Streams that are only watched are read, not locked. `links` are those of which later
        records are read than these.
        """
        held = self.balances()
        heads = {name: self.head(name) for name in (*watched, *streams)}
        return Shared(heads, (), {name: held[name] for name in accounts if name in held})

    def abandon(self) -> None:  # noqa: B027  one writer begins with `write`
        """Roll back what was begun."""

    def has_older_servers(self) -> bool:
        """Return whether a server of an earlier release has this shared store open: it cannot read what is new."""
        return False

    @property
    def is_lost(self) -> bool:
        """Whether the connection is known to be gone."""
        return False

    def reopen(self) -> None:  # noqa: B027  a file has no connection to lose
        """Connect a shared store anew, holding no table; raises StoreError where it cannot be used yet."""

    def links(self) -> Mapping[str, bytes]:
        """Return the present state of each link that servers share; empty where one server knows them."""
        return {}

    def listen(self, seconds: float = 1.0) -> Iterator[frozenset[StreamName]]:  # noqa: ARG002  there is no other writer
        """Yield the streams that servers share and a commit of any server moves; an empty set after `seconds` without.

        Called in a thread of its own.
        """
        return iter(())

    def upgrade_seconds(self, sample: int) -> float:  # noqa: ARG002  a file is copied aside
        """Estimate how long an upgrade of a shared store takes, on a copy of so many records that is thrown away."""
        return 0.0

    # ---------------------------------------------------------------- writing

    @abstractmethod
    def write(self, batch: Batch) -> None:
        """Write the batch, durable when this returns; raises StoreFailed where that is not certain."""

    @abstractmethod
    def fill(self, rows: Mapping[str, Iterable[Row]], links: Mapping[str, bytes]) -> None:
        """Fill an empty store with these rows in one transaction; `links` as in a batch, for a shared store."""

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def _insert(self, table: str, rows: Sequence[Row], *, replace: bool = False) -> None:
        """Insert rows, or put them in the place of those with their keys."""

    @abstractmethod
    def _write_journal(self, batch: Batch) -> None:
        """Write records, entries and answers, where their streams stand after them, and the balances of accounts."""

    @abstractmethod
    def _remove(self, cuts: Sequence[Cut]) -> None:
        """Remove what is in archives, with the guard off within this transaction alone."""

    @abstractmethod
    def _erase(self, batch: Batch) -> None:
        """Delete the names of erased people and the origins of sessions that ended."""

    def _write(self, batch: Batch) -> None:
        """Write a batch within a transaction."""
        if batch.opened_accounts:
            opened = sorted(batch.opened_accounts.items())
            self._insert("accounts", [(account, 0, int(may)) for account, may in opened])
        self._write_journal(batch)
        self._put("decks", batch.decks)
        self._put("decks", batch.opened_decks, replace=True)
        self._put("snapshots", batch.snapshots, replace=True)
        if batch.archived:
            self._remove(batch.archived)
        if batch.is_personal:
            self._erase(batch)
            self._put(NAMES, batch.names.values(), replace=True)
            self._put(ORIGINS, batch.origins.values())

    def _put(self, table: str, written: Collection[msgspec.Struct], *, replace: bool = False) -> None:
        if written:
            self._insert(table, [astuple(each) for each in written], replace=replace)

    # ---------------------------------------------------------------- reading

    @abstractmethod
    def _ask(self, statement: LiteralString, *values: str | int) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a query, in which each value is a question mark; raises StoreError."""

    @abstractmethod
    def read(self, stream: StreamName, after: int = 0, limit: int | None = None) -> Iterator[Record]: ...

    @abstractmethod
    def answers(self, commands: Sequence[str]) -> Mapping[str, Answered]: ...

    @abstractmethod
    def postings(self, stream: StreamName, seqs: Sequence[int]) -> Mapping[int, Mapping[AccountName, int]]:
        """Return the entries by record; a record that moves no money has none."""

    @abstractmethod
    def feed(self, after: int, limit: int) -> Sequence[Placed]:
        """Return the records of all streams after a position, in the order in which they were committed.

        No record that is committed later has a position before one that was returned.
        """

    @abstractmethod
    def newest(self) -> Placed | None:
        """Return the record that was committed last; None in an empty journal."""

    @abstractmethod
    def schema(self) -> int:
        """Return the version of the schema."""

    @abstractmethod
    def names(self, persons: Sequence[str] | None = None) -> Sequence[NameRow]:
        """Return the names of these people, or of all."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """Read at one moment, while others go on writing."""

    @abstractmethod
    def rows(self, table: str, span: Span = EVERYTHING) -> Iterator[Row]:
        """Return the rows of one of `TABLES`, all or those of a span."""

    @abstractmethod
    def problems(self) -> Iterator[str]:
        """Return what the database finds wrong with itself: damage, a constraint or a guard that is gone."""

    def head(self, stream: StreamName) -> Head:
        rows = self._ask("SELECT seq, hash FROM heads WHERE stream = ?", stream)
        return Head(*rows[0]) if rows else Head(0, GENESIS)

    def streams(self) -> Sequence[StreamName]:
        # A shared store reserves a head before its first record.
        return [row[0] for row in self._ask("SELECT stream FROM heads WHERE seq > 0 ORDER BY stream")]

    def rounds(self, stream: StreamName, wanted: Wanted) -> Sequence[Record]:
        """Return the records that open a table's rounds, the newest first."""
        account = wanted.account
        found = self._ask(_ROUNDS, stream, wanted.since, wanted.until, account, account, wanted.limit, wanted.skip)
        return [Record(*row) for row in found]

    def awards(self, stream: StreamName, after: int = 0) -> Iterator[Record]:
        """Return the records of a link that concern award cases, the oldest first."""
        of = f"SELECT {RECORD_COLUMNS} FROM records WHERE stream = ? AND seq > ? AND {OF_AWARDS} ORDER BY seq"  # noqa: S608
        return (Record(*row) for row in self._ask(of, stream, after))

    def event_counts(self) -> Mapping[tuple[str, int], int]:
        """Return how many records there are, by type and version."""
        rows = self._ask("SELECT type, version, count(*) FROM records GROUP BY type, version")
        return {(kind, version): count for kind, version, count in rows}

    def moved_since(self, account: AccountName, at: int) -> int:
        """Return what moved on the account of a player from a microsecond on."""
        rows = self._ask(_MOVED, account, at)
        return int(rows[0][0])

    def moved_in_stream(self, stream: StreamName, account: AccountName, after: int, until: int) -> int:
        """Return what records of one stream moved on an account after a microsecond, up to another."""
        rows = self._ask(_MOVED_IN_STREAM, stream, account, after, until)
        return int(rows[0][0])

    def moved_in_rounds(self, account: AccountName) -> Sequence[tuple[Record, str, int]]:
        """Return what moved on the account of a player at tables: the record that opened the round, a type of event,
        and the sum of its entries.
        """
        rows = self._ask(_MOVED_IN_ROUNDS, account)
        return [(Record(*row[:_FIELDS]), row[_FIELDS], int(row[_FIELDS + 1])) for row in rows]

    def moved_on_links(self, account: AccountName) -> Sequence[tuple[Record, int]]:
        """Return the records of links that moved the account of a player, each with its amount."""
        return [(Record(*row[:_FIELDS]), int(row[_FIELDS])) for row in self._ask(_MOVED_ON_LINKS, account)]

    def balances(self) -> Mapping[AccountName, int]:
        return dict(self._ask("SELECT account, balance FROM accounts ORDER BY account"))

    def overdrawable(self) -> Mapping[AccountName, bool]:
        rows = self._ask("SELECT account, overdrawable FROM accounts ORDER BY account")
        return {account: bool(may) for account, may in rows}

    def deck(self, table: str, number: int, deal: int) -> bytes | None:
        of = 'SELECT deck FROM decks WHERE "table" = ? AND round = ? AND deal = ?'
        return next((row[0] for row in self._ask(of, table, number, deal)), None)

    def snapshot(self, stream: StreamName) -> Snapshot | None:
        rows = self._ask("SELECT stream, seq, hash, data FROM snapshots WHERE stream = ?", stream)
        return Snapshot(*rows[0]) if rows else None

    def origins(self) -> Mapping[str, Origin]:
        """Return where sessions were opened, by the hash of their tokens."""
        return {row[0]: Origin(*row) for row in self._ask("SELECT session, came_from, browser FROM origins")}


class SharedStore(Store):
    """A store that several servers write to. A transaction of theirs may lock links after a part of it is written."""

    is_shared = True

    @abstractmethod
    def extend(self, written: Batch, links: Mapping[StreamName, int]) -> Shared:
        """Write a part of what was begun; in the same round trip lock links, and read later records than these."""

    @abstractmethod
    def take_free(self, accounts: Sequence[AccountName]) -> Mapping[AccountName, int] | None:
        """Lock further accounts without waiting, after links; None where another server holds one of them."""


def is_shared(store: Store) -> TypeGuard[SharedStore]:
    """Return whether other servers may write to a store too."""
    return store.is_shared
