"""Backup and restore: one portable file that carries a journal from any store to any other, made while it is in use."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import GenericAlias
from typing import IO, TypeAlias, cast

import msgspec

from croupier.floor.backups import encryption
from croupier.floor.records.codec import encode, link_fact
from croupier.floor.records.facts import LinkOpened
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.journal.records import Record, sealed_state
from croupier.journal.store import NAMED_SINCE, NAMES, SCHEMA_VERSION, TABLES, Row, Store

FORMAT = "croupier-backup-1"
PRIVATE = 0o600
"""The mode of new files: a backup holds sealed decks and password hashes."""
_GZIP = b"\x1f\x8b"
_TOLD_EVERY = 5000
"""Lines between two words of progress."""
_BLOBS = ("data", "hash", "body", "answer", "deck", "salt")
_NUMBERS = ("seq", "version", "at", "balance", "overdrawable", "amount", "round", "deal")


def _kind(column: str) -> type:
    if column in _BLOBS:
        return bytes
    return int if column in _NUMBERS else str


ROWS = {
    table: msgspec.json.Decoder(GenericAlias(tuple, (str, *map(_kind, columns)))) for table, columns in TABLES.items()
}


class _Start(msgspec.Struct):
    format: str
    schema: int
    at: int
    tables: dict[str, tuple[str, ...]]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds, in figures that a restored database can be held against."""

    rows: dict[str, int]
    heads: dict[str, tuple[int, str]] = {}
    """Where every stream stands: the record, and its hash in hexadecimal. Empty in backups of earlier releases."""
    balances: str = ""
    """SHA-256 over every account and what it holds; empty in backups of earlier releases."""
    made: int = 0
    """The microsecond that it is of; 0 where it is of no file."""
    nameless: bool = False
    """The names of people were left out."""


class _End(Manifest, frozen=True, kw_only=True):
    sha256: str
    """Over every line before this one."""


class BadBackup(Exception):
    """The file is not a complete backup; the message is one sentence."""


class _Figures:
    """Heads and balances, taken from rows as they pass."""

    def __init__(self) -> None:
        self.heads: dict[str, tuple[int, str]] = {}
        self._balances = hashlib.sha256()

    def enter(self, table: str, row: Row) -> None:
        if table == "heads":
            stream, seq, last = row
            assert isinstance(last, bytes)
            # A shared store reserves a head before its first record.
            if seq:
                self.heads[str(stream)] = (int(seq), last.hex())
        elif table == "accounts":
            self._balances.update(encode(row[:2]) + b"\n")

    def manifest(self, rows: Mapping[str, int], made: int = 0, *, nameless: bool = False) -> Manifest:
        balances = self._balances.hexdigest()
        return Manifest(rows=dict(rows), heads=self.heads, balances=balances, made=made, nameless=nameless)


def manifest_of(store: Store) -> Manifest:
    """Compute the manifest that a backup of this store would have."""
    figures, counts = _Figures(), dict.fromkeys(TABLES, 0)
    for table in TABLES:
        for row in store.rows(table):
            counts[table] += 1
            figures.enter(table, row)
    return figures.manifest(counts)


Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done, and of how much."""


def back_up(
    store: Store,
    target: Path,
    at: int,
    progress: Callable[[int], None] | None = None,
    openers: encryption.Lockers = (),
    *,
    nameless: bool = False,
) -> Mapping[str, int]:
    """Everything of one moment into a new file, which is there whole or not at all; how many rows of what. Encrypted
    where anything is named that opens it. `nameless` leaves out the names of people.
    """
    counts = dict.fromkeys((table for table in TABLES if not (nameless and table == NAMES)), 0)
    with new_file(target, openers) as out, store.reading():
        digest, figures = hashlib.sha256(), _Figures()
        start = _Start(FORMAT, SCHEMA_VERSION, at, {table: TABLES[table] for table in counts})
        for line in _lines(store, start, counts, figures, progress):
            out.write(line)
            digest.update(line)
        told = figures.manifest(counts, at, nameless=nameless)
        end = _End(**msgspec.structs.asdict(told), sha256=digest.hexdigest())
        out.write(encode(end) + b"\n")
    return counts


@contextmanager
def new_file(
    target: Path, openers: encryption.Lockers = (), with_key: Callable[[encryption.FileKey], None] | None = None
) -> Iterator[IO[bytes]]:
    """Open a new compressed file, readable by its owner alone; it gets its name only when it is whole.

    It is encrypted where `openers` are given, and `with_key` then receives the file's own key.
    """
    if target.exists():
        raise BadBackup(f"{target} already exists: name another file.")
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "wb") as raw:
            os.fchmod(raw.fileno(), PRIVATE)  # one that was left behind may have had another mode
            sealed = encryption.EncryptedWriter(raw, openers) if openers else None
            if sealed is not None and with_key is not None:
                with_key(sealed.key)
            fileobj: IO[bytes] = raw if sealed is None else cast(IO[bytes], sealed)
            with gzip.GzipFile(fileobj=fileobj, mode="wb", compresslevel=5, mtime=0, filename="") as out:
                yield cast(IO[bytes], out)
            if sealed is not None:
                sealed.finish()
            raw.flush()
            os.fsync(raw.fileno())
        unfinished.rename(target)
        _sync(target.parent)
    except OSError as wrong:
        raise BadBackup(f"{target} cannot be written: {wrong.strerror}.") from None
    finally:
        with suppress(OSError):
            unfinished.unlink()


def _lines(
    store: Store,
    start: _Start,
    counts: dict[str, int],
    figures: _Figures,
    progress: Callable[[int], None] | None,
) -> Iterator[bytes]:
    yield encode(start) + b"\n"
    for table in counts:
        for row in store.rows(table):
            counts[table] += 1
            figures.enter(table, row)
            yield encode((table, *row)) + b"\n"
            if progress is not None:
                progress(1)


def restore(source: Path, store: Store, openers: encryption.Openers = (), progress: Progress | None = None) -> Manifest:
    """Restore a backup into an empty store, in one transaction."""
    reading = _Reading(source, openers, progress)
    links = _Links()
    rows = {table: reading.rows_of(table, links.enter) for table in TABLES}
    try:
        store.fill(rows, links)
    finally:
        reading.close()
    return reading.manifest


def check_opens(source: Path, openers: encryption.Openers) -> None:
    """Check that the file begins as a backup and opens with one of these; raises BadBackup."""
    _Reading(source, openers).close()


def check_backup(source: Path, openers: encryption.Openers = (), progress: Progress | None = None) -> Manifest:
    """Read a backup from end to end without restoring it."""
    reading = _Reading(source, openers, progress)
    try:
        for table in TABLES:
            for _ in reading.rows_of(table):
                pass
    finally:
        reading.close()
    return reading.manifest


def is_backup(file: Path) -> bool:
    """Return whether the file begins as a backup does, plain or encrypted."""
    try:
        with file.open("rb") as opened:
            return opened.read(2) == _GZIP or encryption.is_encrypted(file)
    except OSError:
        return False


@contextmanager
def compressed_file(source: Path, openers: encryption.Openers) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file that `new_file` wrote: its content, and the file itself, whose position shows the progress."""
    with ExitStack() as opened:
        try:
            raw = opened.enter_context(source.open("rb"))
            inner: IO[bytes] = raw
            if encryption.is_encrypted(source):
                inner = cast(IO[bytes], io.BufferedReader(encryption.EncryptedReader(raw, openers), encryption.CHUNK))
            content = opened.enter_context(gzip.GzipFile(fileobj=inner, mode="rb"))
        except OSError:
            raise BadBackup(f"{source} is not a backup, or cannot be read.") from None
        except (encryption.BadKey, encryption.BadSeal) as wrong:
            raise BadBackup(f"{source}: {wrong}") from None
        yield cast(IO[bytes], content), raw


class _Reading:
    """A backup, line by line, its tables in their order."""

    def __init__(self, source: Path, openers: encryption.Openers = (), progress: Progress | None = None) -> None:
        self.source = source
        self.counts = dict.fromkeys(TABLES, 0)
        self._digest, self._figures = hashlib.sha256(), _Figures()
        self._progress, self._lines = progress, 0
        self._closing = ExitStack()
        self._file, self._raw = self._closing.enter_context(compressed_file(source, openers))
        try:
            try:
                first = self._file.readline()
            except (OSError, EOFError, zlib.error):
                raise BadBackup(f"{source} is not a backup, or cannot be read.") from None
            except encryption.BadSeal as wrong:
                raise BadBackup(f"{source} is damaged: {wrong}") from None
            try:
                start = msgspec.json.decode(first, type=_Start)
            except msgspec.MsgspecError:
                raise BadBackup(f"{source} is not a backup.") from None
            if start.format != FORMAT or start.schema > SCHEMA_VERSION:
                newer = f"{start.format}, schema {start.schema}"
                raise BadBackup(f"{source} is a backup that a newer program made ({newer}).")
            self.at, self._nameless = start.at, start.schema >= NAMED_SINCE and NAMES not in start.tables
            self._size = source.stat().st_size
            self._digest.update(first)
            self._line = self._next()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._closing.close()

    @property
    def manifest(self) -> Manifest:
        return self._figures.manifest(self.counts, self.at, nameless=self._nameless)

    def _next(self) -> bytes:
        line = self._read_line()
        if not line:
            raise BadBackup(f"{self.source} ends too early.")
        self._lines += 1
        if self._progress is not None and not self._lines % _TOLD_EVERY:
            self._progress(self._raw.tell(), self._size)
        return line

    def _read_line(self) -> bytes:
        try:
            return self._file.readline()
        except (OSError, EOFError, zlib.error):
            raise BadBackup(f"{self.source} is damaged or ends too early.") from None
        except encryption.BadSeal as wrong:
            raise BadBackup(f"{self.source} is damaged: {wrong}") from None

    def rows_of(self, table: str, enter: Callable[[Row], None] | None = None) -> Iterator[Row]:
        """Yield the rows of a table; `enter` gets those of records."""
        tag = f'["{table}",'.encode()
        while self._line.startswith(tag):
            self._digest.update(self._line)
            row = self._row(table)
            if table == "records" and enter is not None:
                enter(row)
            self._figures.enter(table, row)
            self.counts[table] += 1
            yield row
            self._line = self._next()
        if table == list(TABLES)[-1]:
            self._finish()

    def _row(self, table: str) -> Row:
        try:
            row: Row = ROWS[table].decode(self._line)
        except msgspec.MsgspecError:
            raise BadBackup(f"{self.source}: row {self.counts[table] + 1} of {table} cannot be read.") from None
        return row[1:]

    def _finish(self) -> None:
        """Compare the last line, which sums up the file, with what was read."""
        try:
            end = msgspec.json.decode(self._line, type=_End)
        except msgspec.MsgspecError:
            raise BadBackup(f"{self.source} is damaged: its last line is not that of a backup.") from None
        found = self.manifest
        told_heads, told_balances = end.heads or found.heads, end.balances or found.balances
        # A backup of an earlier release, or one without names, says nothing of a table that it does not have.
        told_rows = {**dict.fromkeys(TABLES, 0), **end.rows}
        as_told = (told_rows, told_heads, told_balances) == (found.rows, found.heads, found.balances)
        if not as_told or end.sha256 != self._digest.hexdigest():
            raise BadBackup(f"{self.source} is damaged: its lines do not match its last line, which sums them up.")
        if self._read_line():
            raise BadBackup(f"{self.source} is damaged: more lines follow its last line.")


class _Links(dict[str, bytes]):
    """The state of each link, made from its records as they pass; servers of a shared store read it from there."""

    def __init__(self) -> None:
        super().__init__()
        self._links: dict[str, Link] = {}

    def enter(self, row: Row) -> None:
        stream = str(row[0])
        kind, _, name = stream.partition("/")
        if kind != "link":
            return
        record = msgspec.convert(row, Record, builtin_types=(bytes,))
        try:
            fact = link_fact(record)
            if isinstance(fact, LinkOpened):
                self._links[name] = new_link(fact.meter, fact.parameters)
            else:
                self._links[name] = evolve_link(self._links[name], fact)
        except (msgspec.MsgspecError, KeyError):
            raise BadBackup(f"{stream} {record.seq} of the backup cannot be read.") from None
        self[name] = sealed_state(record.hash, encode(self._links[name]))


def _sync(folder: Path) -> None:
    """Sync the folder, so that the file's new name is on disk too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
