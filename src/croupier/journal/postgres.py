"""The shared store: PostgreSQL through psycopg 3. What servers share is locked while one of them writes to it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from itertools import chain, count, repeat
from typing import Any, LiteralString, TypeAlias

import psycopg
from msgspec.structs import astuple
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from croupier.journal.postgres_arrays import PACKED, Column, big_integers, byte_strings, register, texts
from croupier.journal.postgres_schema import STEPS, problems
from croupier.journal.records import GENESIS, Record, StreamName
from croupier.journal.sql import check_version, moved_heads, posted, replacing
from croupier.journal.store import (
    COLUMNS,
    EVERYTHING,
    NAMED_SINCE,
    NAMES,
    NO_LINKS,
    RECORD_COLUMNS,
    SCHEMA_VERSION,
    TABLES,
    AccountName,
    Answered,
    Batch,
    Cut,
    Head,
    NameRow,
    Placed,
    Row,
    Shared,
    SharedStore,
    Span,
    StoreConflict,
    StoreError,
    StoreFailed,
    StoreLost,
)

_OLDEST = 130000
PATIENCE_MS = 60_000
"""Milliseconds to wait for another server's lock."""
_SESSION_ENDS_WITHIN = 5.0
"""Seconds that PostgreSQL may take to end a connection that was lost."""
APPLICATION, _APPLICATION_BEFORE = f"croupier {SCHEMA_VERSION}", "croupier"
"""How connections name themselves: servers of the releases before the fourth schema said no version."""
_PAGE, _SMALL_PAGE = 2000, 250
"""Rows that are fetched at a time: fewer of a span, since an audit reads those of all tables side by side."""
_NUMBERS = count(1)
"""For names of cursors: several may read the same table at once."""
_LINK, _TABLE = "link/", "table/"

_FEED: LiteralString = f"SELECT position, {RECORD_COLUMNS} FROM records WHERE position > ? ORDER BY position LIMIT ?"  # noqa: S608

_SEEN: LiteralString = "SELECT stream, seq, hash FROM heads WHERE stream = ANY(%b)"
_LOCK: LiteralString = f"{_SEEN} ORDER BY stream FOR UPDATE"
_COME: LiteralString = (
    "SELECT r.stream, r.seq, r.type, r.version, r.at, r.command, r.data, r.hash FROM unnest(%b, %b) AS k (name, after) "
    "JOIN records r ON r.stream = k.name AND r.seq > k.after ORDER BY r.stream, r.seq"
)
"""What came to streams after the records that are known."""
_READ: LiteralString = "SELECT account, balance FROM accounts WHERE account = ANY(%b)"
_HELD: LiteralString = f"{_READ} ORDER BY account FOR UPDATE"
_TAKEN: LiteralString = f"{_HELD} SKIP LOCKED"

_Cursor: TypeAlias = psycopg.Cursor[tuple[Any, ...]]
_TYPES = {
    "seq": "int8", "version": "int4", "at": "int8", "data": "bytea", "hash": "bytea", "balance": "int8",
    "overdrawable": "int2", "amount": "int8", "body": "bytea", "answer": "bytea", "round": "int8", "deal": "int8",
    "deck": "bytea", "salt": "bytea",
}  # fmt: skip
"""The columns that are not text."""
_PACKS = {table: [PACKED[_TYPES.get(column, "text")] for column in COLUMNS[table]] for table in COLUMNS}


def _insert(table: str) -> sql.Composed:
    """Build one prepared statement for any number of rows: one array for each column."""
    arrays = sql.SQL(", ").join(
        sql.SQL("%b::{}[]").format(sql.Identifier(_TYPES.get(column, "text"))) for column in COLUMNS[table]
    )
    return sql.SQL("INSERT INTO {} SELECT * FROM unnest({})").format(sql.Identifier(table), arrays)


def _select(table: str, span: Span = EVERYTHING) -> tuple[sql.Composed, tuple[str, ...]]:
    """Return the statement that reads a table in its order, and its values."""
    columns = sql.SQL(", ").join(sql.Identifier(column) for column in TABLES[table])
    first = sql.Identifier(TABLES[table][0])
    bounds = [(sql.SQL("{} >= %s").format(first), span.since), (sql.SQL("{} < %s").format(first), span.until)]
    where = sql.SQL(" AND ").join(bound for bound, value in bounds if value)
    of = sql.SQL(" WHERE ") + where if span.since or span.until else sql.SQL("")
    statement = sql.SQL("SELECT {0} FROM {1}{2} ORDER BY {0}").format(columns, sql.Identifier(table), of)
    return statement, tuple(value for _, value in bounds if value)


# As bytes, put together once: psycopg knows a statement again by its bytes.
_INSERT = {table: _insert(table).as_bytes() for table in COLUMNS}
_REPLACE = {table: _INSERT[table] + replacing(table).encode() for table in ("heads", "decks", "snapshots", NAMES)}
_INSERT["accounts"] += b" ON CONFLICT DO NOTHING"  # another server may have opened it
_KEEP_LINKS = (
    b"INSERT INTO links SELECT * FROM unnest(%b::text[], %b::bytea[]) "
    b"ON CONFLICT (link) DO UPDATE SET state = excluded.state"
)
_WRITE = b"WITH a AS (%s), b AS (%s), c AS (%s), d AS (%s), e AS (%s) SELECT post(%%b::text[], %%b::int8[])" % (
    _INSERT["records"],
    _INSERT["postings"],
    _INSERT["answers"],
    _REPLACE["heads"],
    _KEEP_LINKS,
)
"""What nearly every batch writes, as one statement: each statement more is a cost of its own while a link is locked."""

_TRY_AGAIN = (errors.UniqueViolation, errors.DeadlockDetected, errors.SerializationFailure)
"""Errors where another server was first; the transaction is certainly rolled back."""


class PostgresStore(SharedStore):
    """One connection, which holds the locks of this server's tables: losing it loses them too."""

    def __init__(self, url: str, *, create: bool = True, read_only: bool = False) -> None:
        self.url = url
        self._shown = shown_url(url)
        self._read_only = read_only
        self._lost: set[tuple[int, str]] = set()
        self._open(create=create)

    def _open(self, *, create: bool) -> None:
        self._known: set[StreamName] = set()
        self._new: list[StreamName] = []
        """Streams without a record whose places this transaction has locked."""
        self._told: set[StreamName] = set()
        """Streams that this transaction has moved, for the other servers."""
        self._owned: set[str] = set()
        read_only = self._read_only
        self._db = self._connected()
        try:
            with self._asking("used"):
                self._check_server(read_only=read_only)
                self._set_up(read_only=read_only)
                if not read_only:
                    self._bring_up(create=create)
                check_version(self._version() or 0, self._shown, read_only=read_only)
                if not read_only:
                    self._check_rights()
                found = self._db.execute("SELECT current_schema()").fetchone()
                self._schema = str(found[0]) if found else ""
                self._channel = f"croupier {self._schema}"[:60]
                self._session = self._own_session()
        except BaseException:
            self.close()
            raise

    def _own_session(self) -> tuple[int, str]:
        """Return this connection's process and start time; process numbers repeat."""
        found = self._db.execute(
            "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()"
        ).fetchone()
        assert found is not None, "a connection sees itself"
        return int(found[0]), str(found[1])

    def reopen(self) -> None:
        self._lost.add(self._session)
        self.close()
        self._open(create=False)
        with self._asking("used"):
            for session in tuple(self._lost):
                self._end_session(session)
                self._lost.discard(session)

    def _end_session(self, session: tuple[int, str]) -> None:
        """End the lost connection on PostgreSQL's side, where it may still hold this server's tables."""
        until = time.monotonic() + _SESSION_ENDS_WITHIN
        while self._db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = %s AND backend_start = %s::timestamptz",
            session,
        ).fetchone():
            if time.monotonic() > until:
                raise StoreError(f"The database {self._shown} does not end the connection that was lost.")
            time.sleep(0.02)

    # ---------------------------------------------------------------- opening

    def _connected(self) -> psycopg.Connection:
        try:
            asked = conninfo_to_dict(self.url)
            ours: dict[str, str] = {
                "connect_timeout": "10",
                "application_name": APPLICATION,
                "keepalives_idle": "10",
                "keepalives_interval": "5",
                "keepalives_count": "3",
                "tcp_user_timeout": "30000",
            }
            ours.update({name: str(value) for name, value in asked.items() if value is not None})
            db = psycopg.connect(make_conninfo("", **ours), autocommit=True)
            register(db)
            return db
        except psycopg.Error as wrong:
            kind = StoreLost if isinstance(wrong, psycopg.OperationalError) else StoreError
            raise kind(f"The database {self._shown} cannot be reached: {_one_line(wrong)}.") from None

    def _check_server(self, *, read_only: bool) -> None:
        db = self._db
        if db.info.server_version < _OLDEST:
            raise StoreError(f"{self._shown} is PostgreSQL {db.info.server_version // 10000}; it must be 13 or newer.")
        encoding = db.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise StoreError(f"The database {self._shown} keeps text as {encoding}; it must be UTF8.")
        if not read_only and db.execute("SHOW transaction_read_only").fetchone() != ("off",):
            raise StoreError(f"The database {self._shown} is read-only, as a standby is: a server cannot use it.")
        if db.execute("SHOW fsync").fetchone() != ("on",):
            raise StoreError(f"{self._shown} runs with fsync off, so commits may be lost; switch it on.")

    def _set_up(self, *, read_only: bool) -> None:
        """Make commits durable, and end the transaction of a server that hangs."""
        db = self._db
        for setting in (
            sql.SQL("SET idle_in_transaction_session_timeout = '30s'"),
            sql.SQL("SET lock_timeout = {}").format(PATIENCE_MS),
            sql.SQL("SET client_min_messages = warning"),
            # A batch finds its rows by their keys, in the order of names: also by a plan of when a table was small.
            sql.SQL("SET enable_seqscan = off"),
            sql.SQL("SET jit = off"),
        ):
            db.execute(setting)
        held = db.execute("SHOW synchronous_commit").fetchone()
        if held is not None and held[0] in ("off", "local"):
            db.execute("SET synchronous_commit = on")
        if read_only:
            db.execute("SET default_transaction_read_only = on")
            db.execute("SET idle_in_transaction_session_timeout = 0")

    def _bring_up(self, *, create: bool) -> None:
        """Create the tables in an empty database or upgrade an older one; servers that start together take turns."""
        db = self._db
        with db.transaction():
            db.execute("SELECT pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))
            version = self._version()
            if version is None:
                found = db.execute(
                    "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
                ).fetchone()
                if found is None or found[0]:
                    return  # the check that follows says what is wrong
                if not create:
                    raise StoreError(f"The database {self._shown} is empty.")
                version = 0
            for step in STEPS[version:]:
                db.execute(step)
            if version < len(STEPS):
                db.execute(
                    "INSERT INTO meta VALUES ('schema', %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                    (str(len(STEPS)),),
                )

    def _version(self) -> int | None:
        try:
            with self._db.transaction():
                found = self._db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        except (errors.UndefinedTable, errors.UndefinedColumn, errors.InsufficientPrivilege):
            return None
        return int(found[0]) if found is not None and str(found[0]).isdecimal() else None

    def _check_rights(self) -> None:
        """Raise StoreError at the start where the role may only read."""
        found = self._db.execute(
            "SELECT has_table_privilege('records', 'INSERT') AND has_table_privilege('accounts', 'INSERT, UPDATE') "
            "AND has_table_privilege('heads', 'INSERT, UPDATE') "
            "AND has_table_privilege('names', 'INSERT, UPDATE, DELETE')"
        ).fetchone()
        if found != (True,):
            raise StoreError(f"The database {self._shown} can only be read by this role: a server cannot use it.")

    # ---------------------------------------------------------------- writing

    def own(self, table: str) -> bool:
        """Take an advisory lock, which PostgreSQL drops with the connection of a dead server."""
        if table not in self._owned:
            with self._asking("used"):
                key = advisory_key(f"{self._schema}/{table}")
                found = self._db.execute("SELECT pg_try_advisory_lock(%s)", (key,)).fetchone()
            if found is None or not found[0]:
                return False
            self._owned.add(table)
        return True

    def begin(
        self,
        streams: Sequence[StreamName],
        accounts: Sequence[AccountName],
        watched: Sequence[StreamName] = (),
        links: Mapping[StreamName, int] = NO_LINKS,
    ) -> Shared:
        try:
            with self._db.pipeline():
                self._db.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
                self._new, self._told = [], set()
                # Every server takes its locks in the same order, so that none waits in a circle: streams that are not
                # of links, accounts, links.
                heads = self._lock_heads([name for name in streams if not name.startswith(_LINK)])
                held = self._db.execute(_HELD, (texts(accounts),), binary=True)
                heads += self._lock_heads([name for name in streams if name.startswith(_LINK)])
                seen = self._db.execute(_SEEN, (texts(watched),), binary=True)
                come = self._come(links)
            return self._shared(chain(seen, *heads), come, held)
        except psycopg.Error as wrong:
            raise self._failed(wrong, sent_commit=False) from None

    def extend(self, written: Batch, links: Mapping[StreamName, int]) -> Shared:
        try:
            with self._db.pipeline():
                self._write(written)
                self._new = []
                locked = self._lock_heads(sorted(links))
                come = self._come(links)
            return self._shared(chain(*locked), come)
        except psycopg.Error as wrong:
            raise self._failed(wrong, sent_commit=False) from None

    def _lock_heads(self, streams: Sequence[StreamName]) -> list[_Cursor]:
        """Lock the places of streams, in the order of their names; one without a record gets a place first."""
        missing = [name for name in streams if name not in self._known]
        if missing:
            self._db.execute(
                "INSERT INTO heads SELECT name, 0, %b FROM unnest(%b) AS name ORDER BY name ON CONFLICT DO NOTHING",
                (GENESIS, texts(missing)),
            )
            self._new += missing
        return [self._db.execute(_LOCK, (texts(streams),), binary=True)] if streams else []

    def _come(self, links: Mapping[StreamName, int]) -> _Cursor | None:
        """Read what came to links, after they are locked: a later statement sees what the last server has left."""
        if not links:
            return None
        return self._db.execute(_COME, (texts(list(links)), big_integers(list(links.values()))), binary=True)

    def _shared(self, rows: Iterable[tuple[Any, ...]], come: _Cursor | None, held: _Cursor | None = None) -> Shared:
        """Return where streams stand, what came to links, and balances."""
        heads = {stream: Head(seq, last) for stream, seq, last in rows}
        self._known.update(name for name in self._new if heads[name].seq)
        self._new = [name for name in self._new if not heads[name].seq]
        records = [] if come is None else [Record(*row) for row in come]
        return Shared(heads, records, {} if held is None else dict(held.fetchall()))

    def take_free(self, accounts: Sequence[AccountName]) -> Mapping[AccountName, int] | None:
        try:
            with self._db.pipeline():
                taken = self._db.execute(_TAKEN, (texts(accounts),), binary=True)
                found = self._db.execute(_READ, (texts(accounts),), binary=True)
            held: dict[AccountName, int] = dict(taken.fetchall())
            return held if len(held) == len(found.fetchall()) else None
        except psycopg.Error as wrong:
            raise self._failed(wrong, sent_commit=False) from None

    def abandon(self) -> None:
        with self._asking("used"):
            # Not by `execute`: psycopg would forget all prepared statements, as if a table might have gone.
            done = self._db.pgconn.exec_(b"ROLLBACK")
            if done.status != psycopg.pq.ExecStatus.COMMAND_OK:
                raise psycopg.OperationalError(done.error_message.decode(errors="replace"))

    def write(self, batch: Batch) -> None:
        """Send the batch with its commit; where the answer is lost, the outcome is unknown."""
        db, committed = self._db, None
        try:
            with db.pipeline():
                if db.info.transaction_status is psycopg.pq.TransactionStatus.IDLE:
                    db.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
                    self._new, self._told = [], set()
                self._write(batch)
                committed = db.execute("COMMIT", prepare=False)
                self._tell()
        except psycopg.Error as wrong:
            if committed is None or committed.statusmessage != "COMMIT":
                raise self._failed(wrong, sent_commit=True) from None
        if committed.statusmessage != "COMMIT":
            raise StoreFailed(f"{self._shown}: the commit was refused, so the server stops.")
        if batch.erased:
            self._scrub()

    def _tell(self) -> None:
        """Tell other servers which streams have moved.

        After the commit, not within it: PostgreSQL lets one transaction after another notify, and a lock for that would
        be held until the disk has the commit. A server that is not told looks every second.
        """
        if self._told:
            self._db.execute(
                "SELECT pg_notify(%b, name) FROM unnest(%b) AS name",
                (self._channel, texts([name[:2000] for name in sorted(self._told)])),
            )

    def _scrub(self) -> None:
        """Rewrite the table without its dead rows; where it is locked, PostgreSQL's own vacuum does so later."""
        with suppress(psycopg.Error):
            self._db.execute("VACUUM FULL names")

    def _write_journal(self, batch: Batch) -> None:
        if not (batch.records or batch.entries or batch.answers or batch.links or self._new):
            return
        postings, totals = posted(batch.entries)
        rows = {
            "records": [astuple(record) for record in batch.records],
            "postings": postings,
            "answers": [astuple(answer) for answer in batch.answers],
            "heads": moved_heads(batch),
        }
        columns = [column for table, written in rows.items() for column in _columns(table, written)]
        links = (texts(list(batch.links)), byte_strings(list(batch.links.values())))
        names, amounts = zip(*totals, strict=True) if totals else ((), ())
        self._db.execute(_WRITE, (*columns, *links, texts(names), big_integers(amounts)))
        moved = {record.stream for record in batch.records}
        unmoved = set(self._new) - {*moved, *(answer.chain for answer in batch.answers)}
        if unmoved:
            self._db.execute("DELETE FROM heads WHERE stream = ANY(%b) AND seq = 0", (texts(sorted(unmoved)),))
        # Of a table only its own server tells people.
        self._told.update(stream for stream in moved if not stream.startswith(_TABLE))

    def _erase(self, batch: Batch) -> None:
        self._db.execute("DELETE FROM names WHERE person = ANY(%b)", (texts(batch.erased),))
        self._db.execute("DELETE FROM origins WHERE session = ANY(%b)", (texts(batch.ended),))

    def _remove(self, cuts: Sequence[Cut]) -> None:
        db = self._db  # the first statement locks other servers out
        db.execute("ALTER TABLE records DISABLE TRIGGER records_stay")
        for cut in cuts:
            db.execute("DELETE FROM records WHERE stream = %s AND seq <= %s", (cut.stream, cut.seq))
            db.execute("DELETE FROM postings WHERE stream = %s AND seq <= %s", (cut.stream, cut.seq))
            db.execute('DELETE FROM decks WHERE "table" = %s AND round <= %s', (cut.table, cut.round))
        db.execute("ALTER TABLE records ENABLE TRIGGER records_stay")

    def _insert(self, table: str, rows: Sequence[Row], *, replace: bool = False) -> None:
        self._db.execute((_REPLACE if replace else _INSERT)[table], _columns(table, rows))

    def _failed(self, wrong: psycopg.Error, *, sent_commit: bool) -> StoreError:
        """Return what an error of PostgreSQL means for the server."""
        said = _one_line(wrong)
        if self._went():
            known = "whether it was done is not known" if sent_commit else "nothing was written"
            return StoreLost(f"{self._shown}: the connection was lost and {known}: {said}.")
        kind = StoreConflict if isinstance(wrong, _TRY_AGAIN) else StoreFailed
        return kind(f"{self._shown}: nothing was written: {said}.")

    def has_older_servers(self) -> bool:
        rows = self._ask(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = ? LIMIT 1",
            _APPLICATION_BEFORE,
        )
        return bool(rows)

    @property
    def is_lost(self) -> bool:
        return self._db.closed

    def _went(self) -> bool:
        """Roll a failed transaction back, and return whether the connection is lost."""
        if not self._db.closed:
            try:
                # psycopg forgets its prepared statements with this: some may not have been prepared.
                self._db.rollback()
            except psycopg.Error:
                self._db.close()
        return self._db.closed

    def fill(self, rows: Mapping[str, Iterable[Row]], links: Mapping[str, bytes]) -> None:
        db = self._db
        with self._asking("filled"), db.transaction():
            db.execute("LOCK TABLE heads IN EXCLUSIVE MODE")
            found = db.execute("SELECT count(*) FROM heads").fetchone()
            if found is None or found[0]:
                raise StoreError(f"{self._shown} is not empty: restore into an empty database.")
            for table, all_of_it in rows.items():
                types = [_TYPES.get(column, "text") for column in TABLES[table]]
                columns = sql.SQL(", ").join(map(sql.Identifier, TABLES[table]))
                into = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(sql.Identifier(table), columns)
                with db.cursor() as cursor, cursor.copy(into) as copy:
                    copy.set_types(types)
                    for row in all_of_it:
                        copy.write_row(row)
            db.execute(_KEEP_LINKS, (texts(list(links)), byte_strings(list(links.values()))))

    # ---------------------------------------------------------------- reading

    def _ask(self, statement: LiteralString, *values: str | int) -> Sequence[tuple[Any, ...]]:
        with self._asking("read"):
            return self._db.execute(statement.replace("?", "%s"), values, binary=True).fetchall()

    def read(self, stream: StreamName, after: int = 0, limit: int | None = None) -> Iterator[Record]:
        of: LiteralString = f"SELECT {RECORD_COLUMNS} FROM records WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?"  # noqa: S608
        left = limit
        while left is None or left > 0:
            page = _PAGE if left is None else min(left, _PAGE)
            rows = self._ask(of, stream, after, page)
            for row in rows:
                yield Record(*row)
            if len(rows) < page:
                return
            after = rows[-1][1]
            left = None if left is None else left - page

    def feed(self, after: int, limit: int) -> Sequence[Placed]:
        rows = self._ask(_FEED, after, limit)
        if rows and rows[-1][0] - after != len(rows):
            # A position is missing: its transaction is still running, or was rolled back. Once every transaction that
            # runs now has ended, what is still missing will never come.
            self._await_others()
            rows = self._ask(_FEED, after, limit)
        return [Placed(row[0], Record(*row[1:])) for row in rows]

    def schema(self) -> int:
        return self._version() or 0

    def upgrade_seconds(self, sample: int) -> float:
        """Number and index a copy of some records, which only this connection sees."""
        (records,) = self._ask("SELECT count(*) FROM records")[0]
        with self._asking("read"):
            self._db.execute("SET default_transaction_read_only = off")
            try:
                with self._db.transaction(force_rollback=True):
                    self._db.execute("CREATE TEMP TABLE sample AS SELECT * FROM records LIMIT %s", (sample,))
                    began = time.perf_counter()
                    self._db.execute("ALTER TABLE sample ADD COLUMN placed bigint")
                    self._db.execute(
                        "UPDATE sample SET placed = p.n FROM (SELECT stream, seq, row_number() OVER "
                        "(ORDER BY at, stream, seq) AS n FROM sample) AS p "
                        "WHERE sample.stream = p.stream AND sample.seq = p.seq"
                    )
                    self._db.execute("CREATE UNIQUE INDEX ON sample (placed)")
                    seconds = time.perf_counter() - began
            finally:
                self._db.execute("SET default_transaction_read_only = on")
        return seconds * max(1.0, int(records) / sample)

    def newest(self) -> Placed | None:
        rows = self._ask(f"SELECT position, {RECORD_COLUMNS} FROM records ORDER BY position DESC LIMIT 1")  # noqa: S608
        return Placed(rows[0][0], Record(*rows[0][1:])) if rows else None

    def _await_others(self) -> None:
        """Wait until each transaction that writes now has ended; raises StoreError after a minute."""
        (latest,) = self._ask("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")[0]
        until = time.monotonic() + PATIENCE_MS / 1000
        while self._ask("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")[0][0] < latest:
            if time.monotonic() > until:
                raise StoreError(f"A transaction on {self._shown} does not end, so events after it cannot be told.")
            time.sleep(0.01)

    def answers(self, commands: Sequence[str]) -> Mapping[str, Answered]:
        try:
            rows = self._db.execute(
                "SELECT chain, seq, id, body, answer, hash FROM answers WHERE id = ANY(%b)",
                (texts(commands),),
                binary=True,
            ).fetchall()
        except psycopg.Error as wrong:  # a batch begins with this question
            raise self._failed(wrong, sent_commit=False) from None
        return {row[2]: Answered(*row) for row in rows}

    def postings(self, stream: StreamName, seqs: Sequence[int]) -> Mapping[int, Mapping[AccountName, int]]:
        with self._asking("read"):
            rows = self._db.execute(
                "SELECT seq, account, amount FROM postings WHERE stream = %s AND seq = ANY(%s::bigint[]) "
                "ORDER BY seq, account",
                (stream, list(seqs)),
                binary=True,
            ).fetchall()
        found: dict[int, dict[AccountName, int]] = {}
        for seq, account, amount in rows:
            found.setdefault(seq, {})[account] = amount
        return found

    def links(self) -> Mapping[str, bytes]:
        return dict(self._ask("SELECT link, state FROM links ORDER BY link"))

    def names(self, persons: Sequence[str] | None = None) -> Sequence[NameRow]:
        wants_all = persons is None
        with self._asking("read"):
            if wants_all and (self._version() or 0) < NAMED_SINCE:
                return []
            rows = self._db.execute(
                "SELECT person, name, salt, canonical, skeleton FROM names WHERE %s OR person = ANY(%s::text[]) "
                "ORDER BY person",
                (wants_all, list(persons or ())),
                binary=True,
            ).fetchall()
        return [NameRow(*row) for row in rows]

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._asking("read"):
            if self._db.info.transaction_status is not psycopg.pq.TransactionStatus.IDLE:
                yield  # a part of what another reading sees
                return
            self._db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                yield
            finally:
                if not self._db.closed:
                    self._db.execute("ROLLBACK")

    def rows(self, table: str, span: Span = EVERYTHING) -> Iterator[Row]:
        with self._asking("read"):
            if table == NAMES and (self._version() or 0) < NAMED_SINCE:
                return  # a database of an earlier release, which an auditor reads as it is
        idle = self._db.info.transaction_status is psycopg.pq.TransactionStatus.IDLE
        with (
            self.reading() if idle else nullcontext(),
            self._db.cursor(f"rows_{next(_NUMBERS)}", binary=True) as cursor,
        ):
            cursor.itersize = _SMALL_PAGE if span.until else _PAGE
            yield from cursor.execute(*_select(table, span))

    def problems(self) -> Iterator[str]:
        with self._asking("read"):
            yield from problems(self._db, self._version() or 0)

    def listen(self, seconds: float = 1.0) -> Generator[frozenset[StreamName], None, None]:
        """Yield the streams of the house, its people, cashier and links that commits move; an empty set after `seconds`
        without one.

        It has a connection of its own, so another thread may listen while this store is written to.
        """
        with self._connected() as db:
            try:
                db.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
                while True:
                    moved = {notice.payload for notice in db.notifies(timeout=seconds, stop_after=1)}
                    moved.update(notice.payload for notice in db.notifies(timeout=0))
                    yield frozenset(moved)
            except psycopg.Error as wrong:
                # Said without a look at the other connection, which another thread uses.
                raise StoreLost(f"The database {self._shown} cannot be listened to: {_one_line(wrong)}.") from None

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _asking(self, verb: str) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as wrong:
            kind = StoreLost if self._went() else StoreError
            raise kind(f"The database {self._shown} cannot be {verb}: {_one_line(wrong)}.") from None


def _columns(table: str, rows: Sequence[Row]) -> list[Column]:
    """Pack rows of a table by its columns."""
    columns: Iterable[Sequence[Any]] = zip(*rows, strict=True) if rows else repeat((), len(_PACKS[table]))
    return [packs(column) for packs, column in zip(_PACKS[table], columns, strict=True)]


def advisory_key(name: str) -> int:
    """Return a number for an advisory lock."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)


SCHEMA_LOCK = advisory_key("croupier schema")
"""Held while a server creates or upgrades the tables."""


def shown_url(url: str) -> str:
    """Return an address without its password, for logs."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        return "postgresql://…"
    where = parts.get("host") or "localhost"
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{where}{port}/{parts.get('dbname') or ''}"


def _one_line(wrong: psycopg.Error) -> str:
    """Return PostgreSQL's message in one line, without its full stop and its hint."""
    said = (line.strip() for line in (wrong.diag.message_primary or str(wrong)).splitlines())
    return "; ".join(line for line in said if line and not line.endswith("?")).rstrip(".") or type(wrong).__name__
