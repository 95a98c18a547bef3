"""The embedded store: SQLite through the standard library, write-ahead log, every commit on disk before it counts."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import msgspec

from croupier.journal.records import Record, StreamName
from croupier.journal.sql import check_version, moved_heads, posted, quoted, replacing
from croupier.journal.store import (
    COLUMNS,
    EVERYTHING,
    NAMED_SINCE,
    NAMES,
    OF_AWARDS,
    ORIGINS,
    RECORD_COLUMNS,
    TABLES,
    AccountName,
    Answered,
    Batch,
    Cut,
    NameRow,
    Placed,
    Row,
    Span,
    Store,
    StoreError,
    StoreFailed,
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
"""
_REMAIN = """\
CREATE TRIGGER records_remain BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'records are never removed'); END;
"""

_SECOND = f"""
CREATE INDEX awards ON records (stream, seq) WHERE {OF_AWARDS};
CREATE UNIQUE INDEX answers_in_order ON answers (chain, seq);
"""

_THIRD = """
CREATE TABLE names (
    person TEXT PRIMARY KEY, name TEXT NOT NULL, salt BLOB NOT NULL, canonical TEXT NOT NULL UNIQUE,
    skeleton TEXT NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE origins (session TEXT PRIMARY KEY, came_from TEXT NOT NULL, browser TEXT NOT NULL) WITHOUT ROWID;
"""

_FOURTH = """
CREATE TABLE followers (name TEXT PRIMARY KEY, cursor TEXT NOT NULL) WITHOUT ROWID;
"""

STEPS: tuple[str, ...] = (_SCHEMA + _REMAIN, _SECOND, _THIRD, _FOURTH)
"""From each version of the schema to the next: a server upgrades an older file when it opens it."""

PRIVATE = 0o600
"""The mode of new files: a database holds decks in play, people and money."""
_OLDEST = (3, 33, 0)
PATIENCE = 5.0
"""Seconds to wait for another process that has locked the file."""


def sqlite_path(url: str) -> str:
    """Return the file of a `sqlite:///…` address: three slashes for a relative path, four for an absolute one."""
    path = url.removeprefix("sqlite:///")
    if path == url or not path:
        raise StoreError(f"{url} is not a SQLite address: write sqlite:/// and a file, as in sqlite:///croupier.db.")
    return path


class SqliteStore(Store):
    """One file with one writer."""

    def __init__(
        self, url: str, *, create: bool = True, read_only: bool = False, connection: sqlite3.Connection | None = None
    ) -> None:
        self.url = url
        path = sqlite_path(url)
        if sqlite3.sqlite_version_info < _OLDEST:
            raise StoreError(f"This Python has SQLite {sqlite3.sqlite_version}; it must be 3.33 or newer.")
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
                self._scrub()  # a server that ended in an erasure has left the name in the log
            check_version(self._version(), path, read_only=read_only)
        except (sqlite3.Error, UnicodeDecodeError) as wrong:
            self.close()
            raise StoreError(f"The database {path} cannot be used: {wrong}.") from None
        except BaseException:
            self.close()
            raise

    def _bring_up(self, path: str) -> None:
        """Create the tables in a new file or upgrade an older one, in one transaction."""
        if not 0 <= self._version() < len(STEPS):
            return  # it is as it should be, or the check that follows says what is wrong
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for statement in (part for step in STEPS[self._version() :] for part in statements(step)):
                self._db.execute(statement)
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('schema', ?)", (str(len(STEPS)),))
            self._db.execute("COMMIT")
        except sqlite3.Error as wrong:
            self._roll_back()
            raise StoreError(f"The database {path} cannot be created or upgraded: {wrong}.") from None

    def _version(self) -> int:
        """Return the schema version: 0 in an empty file, negative where it is not a Croupier database."""
        objects = self._objects()
        if not objects:
            return 0
        row = None
        if "meta" in objects:
            row = self._db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        return int(row[0]) if row is not None and str(row[0]).isdecimal() and int(row[0]) else -1

    def schema(self) -> int:
        """Return the version of the schema."""
        return self._version()

    def _objects(self) -> dict[str, str]:
        """Return the declarations of tables and triggers."""
        return dict(self._db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))

    # ---------------------------------------------------------------- writing

    def write(self, batch: Batch) -> None:
        self._in_one_transaction(batch, {})

    def _in_one_transaction(self, batch: Batch, rows: Mapping[str, Iterable[Row]]) -> None:
        db = self._db
        try:
            # What leaves a page is overwritten; only here, since it costs time where many rows leave.
            db.execute(f"PRAGMA secure_delete = {int(batch.is_personal)}")
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as wrong:
            raise StoreError(f"{self.url}: nothing was written: the database refused it: {wrong}.") from None
        try:
            self._write(batch)
            for table, all_of_it in rows.items():
                self._insert(table, all_of_it)
        except sqlite3.Error as wrong:
            self._roll_back()
            raise StoreFailed(f"{self.url}: nothing was written: {wrong}.") from None
        except BaseException:
            self._roll_back()
            raise
        try:
            db.execute("COMMIT")
        except sqlite3.Error as wrong:
            self._roll_back()
            raise StoreFailed(f"{self.url}: the commit failed, so the server stops: {wrong}.") from None
        if batch.erased:
            self._scrub()

    def _scrub(self) -> None:
        """Copy the log into the file and empty it, so that no earlier page is left.

        While a backup or an audit reads, this waits for the next start.
        """
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _erase(self, batch: Batch) -> None:
        if batch.erased:
            self._rewrite(NAMES, set(batch.erased))
            self._rewrite(ORIGINS, set(batch.ended))
        self._db.executemany("DELETE FROM origins WHERE session = ?", [(session,) for session in batch.ended])

    def _rewrite(self, table: str, without: set[str]) -> None:
        """Write the table anew, since the unused part of a page may still hold a copy of a deleted row."""
        kept = [row for row in self._db.execute(f"SELECT * FROM {table}") if row[0] not in without]  # noqa: S608  ours
        self._db.execute(f"DELETE FROM {table}")  # noqa: S608
        self._insert(table, kept)

    def _remove(self, cuts: Sequence[Cut]) -> None:
        self._db.execute("DROP TRIGGER records_remain")
        for cut in cuts:
            self._db.execute("DELETE FROM records WHERE stream = ? AND seq <= ?", (cut.stream, cut.seq))
            self._db.execute("DELETE FROM postings WHERE stream = ? AND seq <= ?", (cut.stream, cut.seq))
            self._db.execute('DELETE FROM decks WHERE "table" = ? AND round <= ?', (cut.table, cut.round))
        self._db.execute(_REMAIN)

    def _write_journal(self, batch: Batch) -> None:
        self._put("records", batch.records)
        if batch.entries:
            postings, totals = posted(batch.entries)
            self._insert("postings", postings)
            self._move(totals)
        self._put("answers", batch.answers)
        if heads := moved_heads(batch):
            self._insert("heads", heads, replace=True)

    def _move(self, amounts: Sequence[tuple[AccountName, int]]) -> None:
        for some in _portions(amounts):
            found = self._db.execute(_moving(len(some)), tuple(chain.from_iterable(some))).rowcount
            if found != len(some):
                raise sqlite3.IntegrityError("an account of a posting is missing")

    def _insert(self, table: str, rows: Iterable[Row], *, replace: bool = False) -> None:
        """Insert many rows with one statement, since each statement gives way to other threads."""
        for some in _portions(rows):
            self._db.execute(_inserted(table, len(some), replace=replace), tuple(chain.from_iterable(some)))

    def _roll_back(self) -> None:
        try:
            self._db.execute("ROLLBACK")
        except sqlite3.Error:
            # A failed commit may have ended the transaction already; there is nothing left to roll back then.
            return

    def fill(self, rows: Mapping[str, Iterable[Row]], links: Mapping[str, bytes]) -> None:  # noqa: ARG002  for shared stores
        if self._db.execute("SELECT count(*) FROM heads").fetchone()[0]:
            raise StoreError(f"{self.url} is not empty: restore into an empty database.")
        self._in_one_transaction(Batch(), rows)

    # ---------------------------------------------------------------- reading

    def _ask(self, statement: str, *values: str | int) -> Sequence[tuple[Any, ...]]:
        with self._asking():
            return self._db.execute(statement, values).fetchall()

    def read(self, stream: StreamName, after: int = 0, limit: int | None = None) -> Iterator[Record]:
        with self._asking():
            for row in self._db.execute(
                f"SELECT {RECORD_COLUMNS} FROM records WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?",  # noqa: S608
                (stream, after, -1 if limit is None else limit),
            ):
                yield Record(*row)

    def feed(self, after: int, limit: int) -> Sequence[Placed]:
        # One writer, and rows leave only at the front: the numbers of rows are the order of commits.
        of = f"SELECT rowid, {RECORD_COLUMNS} FROM records WHERE rowid > ? ORDER BY rowid LIMIT ?"  # noqa: S608
        return [Placed(row[0], Record(*row[1:])) for row in self._ask(of, after, limit)]

    def newest(self) -> Placed | None:
        rows = self._ask(f"SELECT rowid, {RECORD_COLUMNS} FROM records ORDER BY rowid DESC LIMIT 1")  # noqa: S608
        return Placed(rows[0][0], Record(*rows[0][1:])) if rows else None

    def answers(self, commands: Sequence[str]) -> Mapping[str, Answered]:
        found: dict[str, Answered] = {}
        for start in range(0, len(commands), 500):
            some = commands[start : start + 500]
            marks = ",".join("?" * len(some))
            statement = f"SELECT chain, seq, id, body, answer, hash FROM answers WHERE id IN ({marks})"  # noqa: S608  only marks
            with self._asking():
                found |= {row[2]: Answered(*row) for row in self._db.execute(statement, some)}
        return found

    def postings(self, stream: StreamName, seqs: Sequence[int]) -> Mapping[int, Mapping[AccountName, int]]:
        found: dict[int, dict[AccountName, int]] = {}
        with self._asking():
            for seq in seqs:
                of = "SELECT account, amount FROM postings WHERE stream = ? AND seq = ? ORDER BY account"
                entry = dict(self._db.execute(of, (stream, seq)))
                if entry:
                    found[seq] = entry
        return found

    def names(self, persons: Sequence[str] | None = None) -> Sequence[NameRow]:
        found = map(_name_row, self.rows(NAMES))
        return [row for row in found if persons is None or row.person in persons]

    @contextmanager
    def reading(self) -> Iterator[None]:
        if self._db.in_transaction:  # a part of what another reading sees
            yield
            return
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

    def rows(self, table: str, span: Span = EVERYTHING) -> Iterator[Row]:
        with self._asking():
            if table == NAMES and self._version() < NAMED_SINCE:
                return  # a file of an earlier release, which an auditor reads as it is
            yield from self._db.execute(*selection(table, span))

    def problems(self) -> Iterator[str]:
        with self._asking():
            declared = self._objects()
            version = self._version()
            known = _declared(STEPS[:version])
            for name, statement in known.items():
                if declared.get(name) != statement:
                    yield f"{name} is not declared as this program declares it."
            # SQLite's own tables are for its statistics.
            for name in sorted(name for name in set(declared) - set(known) if not name.startswith("sqlite_")):
                yield f"{name} is declared, and this program does not declare it."
            if list(self._db.execute("SELECT key, value FROM meta")) != [("schema", str(version))]:
                yield "meta does not hold exactly this schema version."
            for (found,) in self._db.execute("PRAGMA integrity_check(5)"):
                if found != "ok":
                    yield f"SQLite finds damage: {found}."

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Report a damaged file in one sentence."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as wrong:
            raise StoreError(f"The database {sqlite_path(self.url)} cannot be read: {wrong}.") from None

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            self._lock.close()


_MOST_ROWS, _STEP = 256, 16
"""Rows of a statement at most, and the step of smaller ones: about thirty prepared statements for each table."""
_KEPT_STATEMENTS = 512
"""Prepared statements in the cache."""


def _portions(rows: Iterable[Row]) -> Iterator[Sequence[Row]]:
    """Yield the rows in portions of the prepared sizes."""
    left = iter(rows)
    while some := list(islice(left, _MOST_ROWS)):
        whole = len(some) - len(some) % _STEP
        if whole:
            yield some[:whole]
        if whole < len(some):
            yield some[whole:]


@cache
def _inserted(table: str, rows: int, *, replace: bool) -> str:
    marks = f"({', '.join('?' * len(COLUMNS[table]))})"
    # OR FAIL: a row that is refused ends the transaction anyway, so SQLite need not copy each page before a statement.
    return f"INSERT OR FAIL INTO {table} VALUES {', '.join([marks] * rows)}{replacing(table) if replace else ''}"  # noqa: S608


@cache
def _moving(accounts: int) -> str:
    marks = ", ".join(["(?, ?)"] * accounts)
    return f"UPDATE accounts SET balance = balance + column2 FROM (VALUES {marks}) WHERE account = column1"  # noqa: S608


def selection(table: str, span: Span) -> tuple[str, tuple[str, ...]]:
    """Return the statement that reads a table in its order, and its values."""
    columns = TABLES[table]
    bounds = {f'"{columns[0]}" >= ?': span.since, f'"{columns[0]}" < ?': span.until}
    where = " AND ".join(bound for bound, value in bounds.items() if value)
    statement = f"SELECT {quoted(columns)} FROM {table}{f' WHERE {where}' if where else ''} ORDER BY {quoted(columns)}"  # noqa: S608
    return statement, tuple(value for value in bounds.values() if value)


def _name_row(row: Row) -> NameRow:
    return msgspec.convert(row, NameRow, builtin_types=(bytes,))


def _opened(path: str, *, create: bool, read_only: bool) -> tuple[IO[bytes] | None, sqlite3.Connection]:
    """Open the file, and take the lock of its only writer."""
    file = Path(path)
    if file.is_dir():
        raise StoreError(f"{path} is a directory, not a database.")
    if not file.exists() and (read_only or not create):
        raise StoreError(f"There is no database {path}.")
    if not file.parent.is_dir():
        raise StoreError(f"The database {path} cannot be created: there is no directory {file.parent}.")
    lock = None if read_only else _only_writer(path)
    how = _reading(path) if read_only else "mode=rwc"
    try:
        return lock, sqlite3.connect(
            f"file:{quote(path)}?{how}",
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


def _reading(path: str) -> str:
    """Return the mode in which a reader opens a file.

    SQLite makes files beside it; where it may not, a file that no server has open is read as immutable.
    """
    beside = (Path(f"{path}{suffix}") for suffix in ("-wal", "-shm"))
    if os.access(Path(path).parent, os.W_OK, effective_ids=True) or any(file.exists() for file in beside):
        return "mode=ro"
    return "mode=ro&immutable=1"


def _only_writer(path: str) -> IO[bytes]:
    """Lock the file against a second writer; the operating system drops the lock with the process.

    The lock is on the file itself, so a second name for it does not help. A new file is readable by its owner only.
    """
    try:
        # Held open as long as the store is, and closed after it: closing it earlier would drop SQLite's own locks.
        lock = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE), "r+b")
    except OSError as wrong:
        raise StoreError(f"The database {path} cannot be written: {wrong.strerror}.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(f"The database {path} is in use by another server.") from None
    return lock


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a schema; a trigger's own semicolon ends with END."""
    statement = ""
    for line in script.strip().splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@cache
def _declared(steps: tuple[str, ...]) -> Mapping[str, str]:
    """Return the tables, indexes and triggers that these steps declare."""
    empty = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for statement in (part for step in steps for part in statements(step)):
            empty.execute(statement)
        return dict(empty.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    finally:
        empty.close()
