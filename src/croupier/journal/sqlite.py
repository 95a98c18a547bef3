"""The embedded store: SQLite through the standard library, write-ahead log, every commit on disk before it counts."""

from __future__ import annotations

import fcntl
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from croupier.journal.records import GENESIS, Record, StreamName
from croupier.journal.store import (
    SCHEMA_VERSION,
    AccountName,
    Answered,
    Batch,
    Head,
    LedgerRow,
    Posting,
    Shared,
    Snapshot,
    StoreError,
    StoreFailed,
)

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    stream TEXT NOT NULL, seq INTEGER NOT NULL CHECK (seq > 0), type TEXT NOT NULL, version INTEGER NOT NULL,
    at INTEGER NOT NULL, command TEXT NOT NULL, data BLOB NOT NULL, hash BLOB NOT NULL,
    PRIMARY KEY (stream, seq)) WITHOUT ROWID;
CREATE TABLE heads (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE accounts (
    account TEXT PRIMARY KEY, balance INTEGER NOT NULL, overdrawable INTEGER NOT NULL,
    CHECK (balance >= 0 OR overdrawable)) WITHOUT ROWID;
CREATE TABLE postings (
    entry INTEGER NOT NULL, stream TEXT NOT NULL, seq INTEGER NOT NULL, account TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0));
CREATE INDEX postings_entry ON postings (entry);
CREATE TABLE answers (id TEXT PRIMARY KEY, body BLOB NOT NULL, answer BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE decks (
    "table" TEXT NOT NULL, round INTEGER NOT NULL, deal INTEGER NOT NULL, deck BLOB NOT NULL,
    PRIMARY KEY ("table", round, deal)) WITHOUT ROWID;
CREATE TABLE snapshots (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL, data BLOB NOT NULL)
    WITHOUT ROWID;
CREATE TRIGGER records_stay BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
CREATE TRIGGER records_remain BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'records are never removed'); END;
"""


def sqlite_path(url: str) -> str:
    """The file of a `sqlite:///…` address; three slashes and a relative path, four and an absolute one."""
    path = url.removeprefix("sqlite:///")
    if path == url or not path:
        raise StoreError(f"{url} is no SQLite address: write sqlite:/// and a file, as in sqlite:///croupier.db.")
    return path


class SqliteStore:
    """One file; one writer."""

    is_shared = False

    def __init__(self, url: str, *, create: bool = True, read_only: bool = False) -> None:
        self.url = url
        path = sqlite_path(url)
        self._lock = None if read_only else _only_writer(path)
        exists = Path(path).exists()
        if not exists and (read_only or not create):
            raise StoreError(f"There is no database {path}.")
        try:
            mode = "ro" if read_only else "rwc"
            self._db = sqlite3.connect(
                f"file:{path}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False, timeout=5.0
            )
            if not read_only:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = FULL")
                self._prepare()
            self._check_schema(path)
        except sqlite3.Error as wrong:
            raise StoreError(f"The database {path} cannot be used: {wrong}.") from None
        found = self._db.execute("SELECT coalesce(max(entry), 0) FROM postings").fetchone()
        self._entry = int(found[0])

    def _prepare(self) -> None:
        """Make the tables in a new file."""
        if self._db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]:
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            if not self._db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]:
                for statement in _statements(_SCHEMA):
                    self._db.execute(statement)
                self._db.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _check_schema(self, path: str) -> None:
        try:
            row = self._db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        except sqlite3.Error:
            row = None
        if row is None:
            raise StoreError(f"The database {path} is none of ours: it has no schema version.")
        if int(row[0]) > SCHEMA_VERSION:
            raise StoreError(
                f"The database {path} has schema {row[0]}; this program knows up to {SCHEMA_VERSION}: use a newer one."
            )

    # ---------------------------------------------------------------- writing

    def own(self, table: str) -> bool:
        """Every table: the file has one writer."""
        return bool(table)

    def begin(self, streams: Sequence[StreamName], accounts: Sequence[AccountName]) -> Shared:
        """Nobody else writes to this file, so this is only what the house knows already."""
        held = self.balances()
        return Shared({name: self.head(name) for name in streams}, {}, {name: held.get(name, 0) for name in accounts})

    def abandon(self) -> None:
        """Nothing was begun: the transaction starts with `write`."""

    def write(self, batch: Batch) -> None:
        db = self._db
        try:
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as wrong:
            raise StoreError(f"{self.url}: nothing was written, the database does not take it: {wrong}.") from None
        try:
            self._write(batch)
        except sqlite3.Error as wrong:
            self._roll_back()
            raise StoreFailed(f"{self.url}: nothing of this was written: {wrong}.") from None
        try:
            db.execute("COMMIT")
        except sqlite3.Error as wrong:
            self._roll_back()
            raise StoreFailed(f"{self.url}: the commit failed, so the server stops: {wrong}.") from None

    def _write(self, batch: Batch) -> None:
        db = self._db
        if batch.opened_accounts:
            db.executemany("INSERT INTO accounts VALUES (?, 0, ?)", list(batch.opened_accounts.items()))
        if batch.records:
            db.executemany(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(r.stream, r.seq, r.type, r.version, r.at, r.command, r.data, r.hash) for r in batch.records],
            )
            heads = {r.stream: (r.stream, r.seq, r.hash) for r in batch.records}
            db.executemany("INSERT OR REPLACE INTO heads VALUES (?, ?, ?)", list(heads.values()))
        if batch.entries:
            self._post(batch.entries)
        if batch.answers:
            db.executemany("INSERT INTO answers VALUES (?, ?, ?)", [(a.id, a.body, a.answer) for a in batch.answers])
        if batch.decks:
            db.executemany(
                "INSERT INTO decks VALUES (?, ?, ?, ?)", [(d.table, d.round, d.deal, d.deck) for d in batch.decks]
            )
        if batch.snapshots:
            db.executemany(
                "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)",
                [(s.stream, s.seq, s.hash, s.data) for s in batch.snapshots],
            )

    def _post(self, entries: Sequence[LedgerRow]) -> None:
        rows = []
        totals: Counter[AccountName] = Counter()
        for entry in entries:
            self._entry += 1
            for posting in entry.postings:
                rows.append((self._entry, entry.stream, entry.seq, posting.account, posting.amount))
                totals[posting.account] += posting.amount
        self._db.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?)", rows)
        self._db.executemany(
            "UPDATE accounts SET balance = balance + ? WHERE account = ?",
            [(amount, account) for account, amount in totals.items() if amount],
        )

    def _roll_back(self) -> None:
        try:
            self._db.execute("ROLLBACK")
        except sqlite3.Error:
            # A failed commit may have ended the transaction already; there is nothing left to roll back then.
            return

    # ---------------------------------------------------------------- reading

    def head(self, stream: StreamName) -> Head:
        row = self._db.execute("SELECT seq, hash FROM heads WHERE stream = ?", (stream,)).fetchone()
        return Head(row[0], row[1]) if row else Head(0, GENESIS)

    def streams(self) -> Sequence[StreamName]:
        return [row[0] for row in self._db.execute("SELECT stream FROM heads ORDER BY stream")]

    def read(self, stream: StreamName, after: int = 0) -> Iterator[Record]:
        rows = self._db.execute(
            "SELECT stream, seq, type, version, at, command, data, hash FROM records WHERE stream = ? AND seq > ? "
            "ORDER BY seq",
            (stream, after),
        )
        for row in rows:
            yield Record(*row)

    def answers(self, commands: Sequence[str]) -> Mapping[str, Answered]:
        found: dict[str, Answered] = {}
        for start in range(0, len(commands), 500):
            some = commands[start : start + 500]
            marks = ",".join("?" * len(some))
            for row in self._db.execute(f"SELECT id, body, answer FROM answers WHERE id IN ({marks})", some):  # noqa: S608  only marks
                found[row[0]] = Answered(*row)
        return found

    def balances(self) -> Mapping[AccountName, int]:
        return dict(self._db.execute("SELECT account, balance FROM accounts ORDER BY account"))

    def overdrawable(self) -> Mapping[AccountName, bool]:
        rows = self._db.execute("SELECT account, overdrawable FROM accounts ORDER BY account")
        return {account: bool(may) for account, may in rows}

    def entries(self, after: int = 0) -> Iterator[tuple[int, LedgerRow]]:
        rows = self._db.execute(
            "SELECT entry, stream, seq, account, amount FROM postings WHERE entry > ? ORDER BY entry, rowid", (after,)
        )
        number, where, postings = 0, ("", 0), list[Posting]()
        for entry, stream, seq, account, amount in rows:
            if entry != number and postings:
                yield number, LedgerRow(*where, tuple(postings))
                postings = []
            number, where = entry, (stream, seq)
            postings.append(Posting(account, amount))
        if postings:
            yield number, LedgerRow(*where, tuple(postings))

    def deck(self, table: str, number: int, deal: int) -> bytes | None:
        row = self._db.execute(
            'SELECT deck FROM decks WHERE "table" = ? AND round = ? AND deal = ?', (table, number, deal)
        ).fetchone()
        return row[0] if row else None

    def snapshot(self, stream: StreamName) -> Snapshot | None:
        row = self._db.execute("SELECT stream, seq, hash, data FROM snapshots WHERE stream = ?", (stream,)).fetchone()
        return Snapshot(*row) if row else None

    def backup(self, target: str) -> None:
        if Path(target).exists():
            raise StoreError(f"{target} exists already; a backup does not overwrite anything.")
        try:
            copy = sqlite3.connect(target)
            with copy:
                self._db.backup(copy)
            copy.close()
        except sqlite3.Error as wrong:
            raise StoreError(f"The backup to {target} failed: {wrong}.") from None

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            self._lock.close()


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
    """The statements of a schema; a trigger's own semicolon ends with END."""
    statement = ""
    for line in script.strip().splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
