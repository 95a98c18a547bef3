"""The embedded store: SQLite through the standard library, write-ahead log, every commit on disk before it counts."""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import IO
from urllib.parse import quote

from msgspec.structs import astuple

from croupier.journal.records import GENESIS, Record, StreamName
from croupier.journal.store import (
    SCHEMA_VERSION,
    TABLES,
    AccountName,
    Answered,
    Batch,
    Head,
    LedgerRow,
    Row,
    Shared,
    Snapshot,
    StoreError,
    StoreFailed,
    Wanted,
)

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    stream TEXT NOT NULL, seq INTEGER NOT NULL CHECK (seq > 0), type TEXT NOT NULL, version INTEGER NOT NULL,
    at INTEGER NOT NULL, command TEXT NOT NULL, data BLOB NOT NULL, hash BLOB NOT NULL,
    PRIMARY KEY (stream, seq));
CREATE TABLE heads (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE accounts (
    account TEXT PRIMARY KEY, balance INTEGER NOT NULL, overdrawable INTEGER NOT NULL,
    CHECK (balance >= 0 OR overdrawable)) WITHOUT ROWID;
CREATE TABLE postings (
    stream TEXT NOT NULL, seq INTEGER NOT NULL, account TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (stream, seq, account)) WITHOUT ROWID;
CREATE TABLE answers (
    chain TEXT NOT NULL, seq INTEGER NOT NULL CHECK (seq > 0), id TEXT PRIMARY KEY, body BLOB NOT NULL,
    answer BLOB NOT NULL, hash BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE decks (
    "table" TEXT NOT NULL, round INTEGER NOT NULL, deal INTEGER NOT NULL, deck BLOB NOT NULL,
    PRIMARY KEY ("table", round, deal));
CREATE TABLE snapshots (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL, data BLOB NOT NULL)
    WITHOUT ROWID;
CREATE INDEX rounds ON records (stream, seq, at) WHERE type = 'RoundOpened';
CREATE INDEX postings_of ON postings (account, stream, seq) WHERE account >= 'player/' AND account < 'player0';
CREATE TRIGGER records_stay BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
CREATE TRIGGER records_remain BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'records are never removed'); END;
"""

STEPS: tuple[str, ...] = (_SCHEMA,)
"""From each version of the schema to the next: a file that is behind is brought up when a server opens it."""

_OLDEST = (3, 33, 0)
PATIENCE = 5.0
"""Seconds to wait for somebody else who has locked the file."""


def sqlite_path(url: str) -> str:
    """The file of a `sqlite:///…` address; three slashes and a relative path, four and an absolute one."""
    path = url.removeprefix("sqlite:///")
    if path == url or not path:
        raise StoreError(f"{url} is no SQLite address: write sqlite:/// and a file, as in sqlite:///croupier.db.")
    return path


class SqliteStore:
    """One file; one writer."""

    is_shared = False

    def __init__(
        self, url: str, *, create: bool = True, read_only: bool = False, connection: sqlite3.Connection | None = None
    ) -> None:
        self.url = url
        path = sqlite_path(url)
        if sqlite3.sqlite_version_info < _OLDEST:
            raise StoreError(f"This Python has SQLite {sqlite3.sqlite_version}; 3.33 is the oldest that will do.")
        if connection is None:
            self._lock, self._db = _opened(path, create=create, read_only=read_only)
        else:
            self._lock, self._db = None, connection
        try:
            if not read_only:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = FULL")
                # Streams grow at many places at once: pages that change again and again are copied back less often.
                self._db.execute("PRAGMA wal_autocheckpoint = 8000")
                self._bring_up(path)
            self._check_schema(path)
        except sqlite3.Error as wrong:
            self.close()
            raise StoreError(f"The database {path} cannot be used: {wrong}.") from None
        except BaseException:
            self.close()
            raise

    def _bring_up(self, path: str) -> None:
        """Make the tables in a new file, bring an older one up: all of it or nothing."""
        if not 0 <= self._version() < len(STEPS):
            return  # it is as it should be, or the check that follows says what is wrong
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for statement in (part for step in STEPS[self._version() :] for part in _statements(step)):
                self._db.execute(statement)
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('schema', ?)", (str(len(STEPS)),))
            self._db.execute("COMMIT")
        except sqlite3.Error as wrong:
            self._roll_back()
            raise StoreError(f"The database {path} cannot be made or brought up: {wrong}.") from None

    def _version(self) -> int:
        """Of the schema: 0 in an empty file, below nothing where it is none of ours."""
        objects = self._objects()
        if not objects:
            return 0
        row = None
        if "meta" in objects:
            row = self._db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        return int(row[0]) if row is not None and str(row[0]).isdecimal() and int(row[0]) else -1

    def _objects(self) -> dict[str, str]:
        """Tables and triggers, and how each was declared."""
        return dict(self._db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))

    def _check_schema(self, path: str) -> None:
        version = self._version()
        if version <= 0:
            raise StoreError(f"The database {path} is none of ours: it has no schema version.")
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"The database {path} has schema {version}; this program knows up to {SCHEMA_VERSION}: use a newer one."
            )
        if version < SCHEMA_VERSION:
            raise StoreError(f"The database {path} has schema {version}; a server must bring it up first.")

    # ---------------------------------------------------------------- writing

    def own(self, table: str) -> bool:
        """Every table: the file has one writer."""
        return bool(table)

    def begin(
        self, streams: Sequence[StreamName], accounts: Sequence[AccountName], watched: Sequence[StreamName] = ()
    ) -> Shared:
        """Nobody else writes to this file, so this is only what the house knows already."""
        held = self.balances()
        heads = {name: self.head(name) for name in (*watched, *streams)}
        return Shared(heads, {}, {name: held[name] for name in accounts if name in held})

    def abandon(self) -> None:
        """Nothing was begun: the transaction starts with `write`."""

    def write(self, batch: Batch) -> None:
        self._in_one_transaction(batch, {})

    def _in_one_transaction(self, batch: Batch, rows: Mapping[str, Iterable[Row]]) -> None:
        db = self._db
        try:
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as wrong:
            raise StoreError(f"{self.url}: nothing was written, the database does not take it: {wrong}.") from None
        try:
            self._write(batch)
            for table, all_of_it in rows.items():
                self._insert(table, all_of_it)
        except sqlite3.Error as wrong:
            self._roll_back()
            raise StoreFailed(f"{self.url}: nothing of this was written: {wrong}.") from None
        except BaseException:
            self._roll_back()
            raise
        try:
            db.execute("COMMIT")
        except sqlite3.Error as wrong:
            self._roll_back()
            raise StoreFailed(f"{self.url}: the commit failed, so the server stops: {wrong}.") from None

    def _write(self, batch: Batch) -> None:
        if batch.opened_accounts:
            opened = [(account, 0, int(may)) for account, may in batch.opened_accounts.items()]
            self._insert("accounts", opened)
        heads: dict[StreamName, Row] = {}
        if batch.records:
            self._insert("records", [astuple(record) for record in batch.records])
            heads.update((r.stream, (r.stream, r.seq, r.hash)) for r in batch.records)
        if batch.entries:
            self._post(batch.entries)
        if batch.answers:
            self._insert("answers", [astuple(answer) for answer in batch.answers])
            last = batch.answers[-1]
            heads[last.chain] = (last.chain, last.seq, last.hash)
        if heads:
            self._insert("heads", heads.values(), "INSERT OR REPLACE")
        if batch.decks:
            self._insert("decks", [astuple(deck) for deck in batch.decks])
        if batch.snapshots:
            self._insert("snapshots", [astuple(snapshot) for snapshot in batch.snapshots], "INSERT OR REPLACE")

    def _post(self, entries: Sequence[LedgerRow]) -> None:
        rows: list[Row] = []
        totals: dict[AccountName, int] = {}
        for entry in entries:
            stream, seq = entry.stream, entry.seq
            for account, amount in map(astuple, entry.postings):
                rows.append((stream, seq, account, amount))
                totals[account] = totals.get(account, 0) + amount
        self._insert("postings", rows)
        moved = [(account, amount) for account, amount in totals.items() if amount]
        for some in _portions(moved):
            found = self._db.execute(_move(len(some)), tuple(chain.from_iterable(some))).rowcount
            if found != len(some):
                raise sqlite3.IntegrityError("an account of a posting is missing")

    def _insert(self, table: str, rows: Iterable[Row], how: str = "INSERT") -> None:
        """Many rows a statement: every statement lets other threads run, and a busy one is slow to give way again."""
        for some in _portions(rows):
            self._db.execute(_inserted(how, table, len(some)), tuple(chain.from_iterable(some)))

    def _roll_back(self) -> None:
        try:
            self._db.execute("ROLLBACK")
        except sqlite3.Error:
            # A failed commit may have ended the transaction already; there is nothing left to roll back then.
            return

    def fill(self, rows: Mapping[str, Iterable[Row]], links: Mapping[str, bytes]) -> None:  # noqa: ARG002  for shared stores
        if self._db.execute("SELECT count(*) FROM heads").fetchone()[0]:
            raise StoreError(f"{self.url} is not empty; nothing is restored over what is there.")
        self._in_one_transaction(Batch(), rows)

    # ---------------------------------------------------------------- reading

    def head(self, stream: StreamName) -> Head:
        with self._asking():
            row = self._db.execute("SELECT seq, hash FROM heads WHERE stream = ?", (stream,)).fetchone()
        return Head(row[0], row[1]) if row else Head(0, GENESIS)

    def streams(self) -> Sequence[StreamName]:
        with self._asking():
            return [row[0] for row in self._db.execute("SELECT stream FROM heads ORDER BY stream")]

    def read(self, stream: StreamName, after: int = 0, limit: int | None = None) -> Iterator[Record]:
        with self._asking():
            for row in self._db.execute(
                "SELECT stream, seq, type, version, at, command, data, hash FROM records WHERE stream = ? AND seq > ? "
                "ORDER BY seq LIMIT ?",
                (stream, after, -1 if limit is None else limit),
            ):
                yield Record(*row)

    def rounds(self, stream: StreamName, wanted: Wanted) -> Sequence[Record]:
        of = (stream, wanted.since, wanted.until, wanted.account, wanted.account, wanted.limit, wanted.skip)
        with self._asking():
            return [Record(*row) for row in self._db.execute(_ROUNDS, of)]

    def answers(self, commands: Sequence[str]) -> Mapping[str, Answered]:
        found: dict[str, Answered] = {}
        for start in range(0, len(commands), 500):
            some = commands[start : start + 500]
            marks = ",".join("?" * len(some))
            statement = f"SELECT chain, seq, id, body, answer, hash FROM answers WHERE id IN ({marks})"  # noqa: S608  only marks
            with self._asking():
                found.update((row[2], Answered(*row)) for row in self._db.execute(statement, some))
        return found

    def balances(self) -> Mapping[AccountName, int]:
        with self._asking():
            return dict(self._db.execute("SELECT account, balance FROM accounts ORDER BY account"))

    def overdrawable(self) -> Mapping[AccountName, bool]:
        with self._asking():
            rows = self._db.execute("SELECT account, overdrawable FROM accounts ORDER BY account")
            return {account: bool(may) for account, may in rows}

    def links(self) -> Mapping[str, bytes]:
        """A file has one server, which knows its links."""
        return {}

    def deck(self, table: str, number: int, deal: int) -> bytes | None:
        with self._asking():
            row = self._db.execute(
                'SELECT deck FROM decks WHERE "table" = ? AND round = ? AND deal = ?', (table, number, deal)
            ).fetchone()
        return row[0] if row else None

    def snapshot(self, stream: StreamName) -> Snapshot | None:
        with self._asking():
            row = self._db.execute(
                "SELECT stream, seq, hash, data FROM snapshots WHERE stream = ?", (stream,)
            ).fetchone()
        return Snapshot(*row) if row else None

    @contextmanager
    def reading(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN")
            yield
            self._db.execute("ROLLBACK")
        except sqlite3.Error as wrong:
            self._roll_back()
            raise StoreError(f"The database {sqlite_path(self.url)} cannot be read: {wrong}.") from None
        except BaseException:
            self._roll_back()
            raise

    def rows(self, table: str) -> Iterator[Row]:
        with self._asking():
            yield from self._db.execute(_SELECT[table])

    def problems(self) -> Iterator[str]:
        with self._asking():
            declared = self._objects()
            for name, statement in _declared(STEPS).items():
                if declared.get(name) != statement:
                    yield f"{name} is not declared as this program declares it."
            if list(self._db.execute("SELECT key, value FROM meta")) != [("schema", str(SCHEMA_VERSION))]:
                yield "meta does not say this schema and nothing else."
            for (found,) in self._db.execute("PRAGMA integrity_check(5)"):
                if found != "ok":
                    yield f"SQLite finds damage: {found}."

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """A damaged file is said in one sentence, wherever it is read."""
        try:
            yield
        except sqlite3.Error as wrong:
            raise StoreError(f"The database {sqlite_path(self.url)} cannot be read: {wrong}.") from None

    def listen(self, seconds: float = 1.0) -> Iterator[frozenset[StreamName]]:  # noqa: ARG002  nobody else writes
        return iter(())

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            self._lock.close()


_ROUNDS = """
SELECT r.stream, r.seq, r.type, r.version, r.at, r.command, r.data, r.hash FROM records r
WHERE r.stream = ? AND r.type = 'RoundOpened' AND r.at >= ? AND r.at < ? AND (? = '' OR EXISTS (
    SELECT 1 FROM postings p WHERE p.account = ? AND p.account >= 'player/' AND p.account < 'player0'
    AND p.stream = r.stream AND p.seq > r.seq AND p.seq < coalesce(
        (SELECT min(n.seq) FROM records n WHERE n.stream = r.stream AND n.type = 'RoundOpened' AND n.seq > r.seq),
        9000000000000000000)))
ORDER BY r.seq DESC LIMIT ? OFFSET ?
"""
_MOST_ROWS, _STEP = 256, 16
"""So many rows a statement at most; fewer go in whole steps and then the rest, so that there are only some thirty
statements for each table and every one is prepared once.
"""
_KEPT_STATEMENTS = 512
"""Prepared ones, each for a table and a number of rows."""


def _portions(rows: Iterable[Row]) -> Iterator[Sequence[Row]]:
    """The rows in as few portions as there are prepared sizes for: one or two, and one more for each 256."""
    left = iter(rows)
    while some := list(islice(left, _MOST_ROWS)):
        whole = len(some) - len(some) % _STEP
        if whole:
            yield some[:whole]
        if whole < len(some):
            yield some[whole:]


@cache
def _inserted(how: str, table: str, rows: int) -> str:
    marks = f"({', '.join('?' * len(TABLES[table]))})"
    return f"{how} INTO {table} VALUES {', '.join([marks] * rows)}"


@cache
def _move(accounts: int) -> str:
    marks = ", ".join(["(?, ?)"] * accounts)
    return f"UPDATE accounts SET balance = balance + column2 FROM (VALUES {marks}) WHERE account = column1"  # noqa: S608


_SELECT = {
    table: "SELECT {0} FROM {1} ORDER BY {0}".format(", ".join(f'"{column}"' for column in columns), table)  # noqa: S608
    for table, columns in TABLES.items()
}


def _opened(path: str, *, create: bool, read_only: bool) -> tuple[IO[bytes] | None, sqlite3.Connection]:
    """The file, and the lock that makes this its only writer."""
    file = Path(path)
    if file.is_dir():
        raise StoreError(f"{path} is a directory, not a database.")
    if not file.exists() and (read_only or not create):
        raise StoreError(f"There is no database {path}.")
    if not file.parent.is_dir():
        raise StoreError(f"The database {path} cannot be made: there is no directory {file.parent}.")
    lock = None if read_only else _only_writer(path)
    mode = "ro" if read_only else "rwc"
    try:
        return lock, sqlite3.connect(
            f"file:{quote(path)}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=PATIENCE,
            cached_statements=_KEPT_STATEMENTS,
        )
    except sqlite3.Error as wrong:
        if lock is not None:
            lock.close()
        raise StoreError(f"The database {path} cannot be opened: {wrong}.") from None


def _only_writer(path: str) -> IO[bytes]:
    """A lock that the operating system drops with the process: two servers never write to one file."""
    try:
        lock = Path(f"{path}.lock").open("wb")  # noqa: SIM115  held open as long as the store is
    except OSError as wrong:
        raise StoreError(f"The database {path} cannot be written: {wrong.strerror}.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(f"The database {path} is in use by another server.") from None
    return lock


def _statements(script: str) -> Iterator[str]:
    """The statements of a schema, each on lines of its own; a trigger's own semicolon ends with END."""
    statement = ""
    for line in script.strip().splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@cache
def _declared(steps: tuple[str, ...]) -> Mapping[str, str]:
    """Tables, indexes and triggers as these steps leave them, each with its declaration."""
    empty = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for statement in (part for step in steps for part in _statements(step)):
            empty.execute(statement)
        return dict(empty.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    finally:
        empty.close()
