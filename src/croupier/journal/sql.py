"""What the stores have in common: the same tables, written and read by the same statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, LiteralString

import msgspec
from msgspec.structs import astuple

from croupier.journal.records import GENESIS, Record, StreamName
from croupier.journal.store import (
    NAMES,
    SCHEMA_VERSION,
    TABLES,
    AccountName,
    Batch,
    Cut,
    Head,
    LedgerRow,
    Origin,
    Row,
    Snapshot,
    StoreError,
    Wanted,
)

ORIGINS = "origins"
COLUMNS: Mapping[str, tuple[str, ...]] = {**TABLES, ORIGINS: ("session", "came_from", "browser")}
"""The tables of a journal, and the one that is in no backup."""
_KEYS = {"heads": ("stream",), "decks": ("table", "round", "deal"), "snapshots": ("stream",), NAMES: ("person",)}
"""Of tables whose rows are replaced."""

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


def quoted(columns: Sequence[str]) -> str:
    """List columns in a statement."""
    return ", ".join(f'"{column}"' for column in columns)


def replacing(table: str) -> str:
    """Return the end of an INSERT that puts each row in the place of the one with its key."""
    key = _KEYS[table]
    changed = ", ".join(f'"{column}" = excluded."{column}"' for column in COLUMNS[table] if column not in key)
    return f" ON CONFLICT ({quoted(key)}) DO UPDATE SET {changed}"


def check_version(version: int, name: str, *, read_only: bool) -> None:
    """Raise StoreError for a schema that cannot be used; 0 and less where there is none."""
    if version <= 0:
        raise StoreError(f"The database {name} is not a Croupier database: it has no schema version.")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"The database {name} has schema {version}; this program knows up to {SCHEMA_VERSION}: use a newer one."
        )
    if version < SCHEMA_VERSION and not read_only:
        raise StoreError(f"The database {name} has schema {version}; start a server to upgrade it.")


def moved_heads(batch: Batch) -> list[Row]:
    """Return where the streams and chains of a batch stand after it."""
    heads: dict[StreamName, Row] = {r.stream: (r.stream, r.seq, r.hash) for r in batch.records}
    heads.update((a.chain, (a.chain, a.seq, a.hash)) for a in batch.answers)
    return list(heads.values())


def posted(entries: Sequence[LedgerRow]) -> tuple[list[Row], list[tuple[AccountName, int]]]:
    """Return the postings of entries, and what they sum to by account, in the order of names."""
    rows: list[Row] = []
    totals: dict[AccountName, int] = {}
    for entry in entries:
        stream, seq = entry.stream, entry.seq
        for account, amount in entry.postings:
            rows.append((stream, seq, account, amount))
            totals[account] = totals.get(account, 0) + amount
    return rows, sorted((account, amount) for account, amount in totals.items() if amount)


class SqlStore(ABC):
    """A store in a database; what each kind of database does in its own way is abstract here."""

    # ---------------------------------------------------------------- writing

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

    def head(self, stream: StreamName) -> Head:
        rows = self._ask("SELECT seq, hash FROM heads WHERE stream = ?", stream)
        return Head(*rows[0]) if rows else Head(0, GENESIS)

    def streams(self) -> Sequence[StreamName]:
        # A shared store reserves a head before its first record.
        return [row[0] for row in self._ask("SELECT stream FROM heads WHERE seq > 0 ORDER BY stream")]

    def rounds(self, stream: StreamName, wanted: Wanted) -> Sequence[Record]:
        account = wanted.account
        found = self._ask(_ROUNDS, stream, wanted.since, wanted.until, account, account, wanted.limit, wanted.skip)
        return [Record(*row) for row in found]

    def awards(self, stream: StreamName, after: int = 0) -> Iterator[Record]:
        of = f"SELECT {RECORD_COLUMNS} FROM records WHERE stream = ? AND seq > ? AND {OF_AWARDS} ORDER BY seq"  # noqa: S608
        return (Record(*row) for row in self._ask(of, stream, after))

    def event_counts(self) -> Mapping[tuple[str, int], int]:
        rows = self._ask("SELECT type, version, count(*) FROM records GROUP BY type, version")
        return {(kind, version): count for kind, version, count in rows}

    def moved_since(self, account: AccountName, at: int) -> int:
        rows = self._ask(_MOVED, account, at)
        return int(rows[0][0])

    def moved_in_rounds(self, account: AccountName) -> Sequence[tuple[Record, str, int]]:
        rows = self._ask(_MOVED_IN_ROUNDS, account)
        return [(Record(*row[:_FIELDS]), row[_FIELDS], int(row[_FIELDS + 1])) for row in rows]

    def moved_on_links(self, account: AccountName) -> Sequence[tuple[Record, int]]:
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
        return {row[0]: Origin(*row) for row in self._ask("SELECT session, came_from, browser FROM origins")}
