"""Backup and restore: one portable file that carries a journal from any store to any other, made while it is in use."""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import GenericAlias

import msgspec

from croupier.floor.facts import LinkOpened
from croupier.floor.following import ENCODE, LINK_FACTS
from croupier.floor.tables import VERSIONS
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.journal.records import Record, sealed_state
from croupier.journal.store import SCHEMA_VERSION, TABLES, Row, Store

FORMAT = "croupier-backup-1"
_BLOBS = ("data", "hash", "body", "answer", "deck")
_NUMBERS = ("seq", "version", "at", "balance", "overdrawable", "amount", "round", "deal")


def _kind(column: str) -> type:
    if column in _BLOBS:
        return bytes
    return int if column in _NUMBERS else str


_ROWS = {
    table: msgspec.json.Decoder(GenericAlias(tuple, (str, *map(_kind, columns)))) for table, columns in TABLES.items()
}


class _Start(msgspec.Struct):
    format: str
    schema: int
    at: int
    tables: dict[str, tuple[str, ...]]


class _End(msgspec.Struct):
    rows: dict[str, int]
    sha256: str
    """Over every line before this one."""


class BadBackup(Exception):
    """The file is no whole backup; the message is one sentence."""


def back_up(store: Store, target: Path, at: int, progress: Callable[[int], None] | None = None) -> Mapping[str, int]:
    """Everything of one moment into a new file, which is there whole or not at all; how many rows of what."""
    if target.exists():
        raise BadBackup(f"{target} exists already; a backup does not overwrite anything.")
    unfinished = target.with_name(f"{target.name}.unfinished")
    counts = dict.fromkeys(TABLES, 0)
    try:
        with unfinished.open("wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=5, mtime=0, filename="") as out, store.reading():
                digest = hashlib.sha256()
                start = _Start(FORMAT, SCHEMA_VERSION, at, dict(TABLES))
                for line in _lines(store, start, counts, progress):
                    out.write(line)
                    digest.update(line)
                out.write(ENCODE(_End(counts, digest.hexdigest())) + b"\n")
            raw.flush()
            os.fsync(raw.fileno())
        unfinished.rename(target)
        _sync(target.parent)
    except OSError as wrong:
        raise BadBackup(f"{target} cannot be written: {wrong.strerror}.") from None
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return counts


def _lines(
    store: Store, start: _Start, counts: dict[str, int], progress: Callable[[int], None] | None
) -> Iterator[bytes]:
    yield ENCODE(start) + b"\n"
    for table in TABLES:
        for row in store.rows(table):
            counts[table] += 1
            yield ENCODE((table, *row)) + b"\n"
            if progress is not None:
                progress(1)


def restore(source: Path, store: Store) -> Mapping[str, int]:
    """A backup into an empty store, in one transaction: everything or nothing."""
    reading = _Reading(source)
    links = _Links()
    rows = {table: reading.rows_of(table, links) for table in TABLES}
    try:
        store.fill(rows, links)
    finally:
        reading.close()
    return reading.counts


class _Reading:
    """A backup, line by line, its tables in their order."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.counts = dict.fromkeys(TABLES, 0)
        self._digest = hashlib.sha256()
        try:
            self._file = gzip.open(source, "rb")  # noqa: SIM115  closed by whoever reads
            first = self._file.readline()
        except (OSError, EOFError, zlib.error):
            raise BadBackup(f"{source} is no backup, or cannot be read.") from None
        try:
            start = msgspec.json.decode(first, type=_Start)
        except msgspec.MsgspecError:
            raise BadBackup(f"{source} is no backup.") from None
        if start.format != FORMAT or start.schema > SCHEMA_VERSION:
            raise BadBackup(f"{source} is a backup that a newer program made ({start.format}, schema {start.schema}).")
        self._digest.update(first)
        self._line = self._next()

    def close(self) -> None:
        self._file.close()

    def _next(self) -> bytes:
        try:
            line = self._file.readline()
        except (OSError, EOFError, zlib.error):
            raise BadBackup(f"{self.source} is damaged or ends too early.") from None
        if not line:
            raise BadBackup(f"{self.source} ends too early.")
        return line

    def rows_of(self, table: str, links: _Links) -> Iterator[Row]:
        tag = f'["{table}",'.encode()
        while self._line.startswith(tag):
            self._digest.update(self._line)
            row = self._row(table)
            if table == "records":
                links.enter(row)
            self.counts[table] += 1
            yield row
            self._line = self._next()
        if table == list(TABLES)[-1]:
            self._finish()

    def _row(self, table: str) -> Row:
        try:
            row: Row = _ROWS[table].decode(self._line)
        except msgspec.MsgspecError:
            raise BadBackup(f"{self.source}: row {self.counts[table] + 1} of {table} cannot be read.") from None
        return row[1:]

    def _finish(self) -> None:
        """The last line says what all the others were."""
        try:
            end = msgspec.json.decode(self._line, type=_End)
        except msgspec.MsgspecError:
            raise BadBackup(f"{self.source} does not end as a backup ends.") from None
        if end.rows != self.counts or end.sha256 != self._digest.hexdigest():
            raise BadBackup(f"{self.source} is damaged: its lines are not those that were written.")


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
            fact = LINK_FACTS.decode(VERSIONS.raised(record))
            if isinstance(fact, LinkOpened):
                self._links[name] = new_link(fact.meter, fact.parameters)
            else:
                self._links[name] = evolve_link(self._links[name], fact)
        except (msgspec.MsgspecError, KeyError):
            raise BadBackup(f"{stream} {record.seq} of the backup cannot be read.") from None
        self[name] = sealed_state(record.hash, ENCODE(self._links[name]))


def _sync(folder: Path) -> None:
    """The new name is on disk too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
