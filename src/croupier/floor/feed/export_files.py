"""Files of a bulk export: one for each table, as CSV or as Parquet."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import msgspec

from croupier.floor.feed.export_tables import FORMAT, TABLES, Column, Kind, Value, export_tables
from croupier.journal.store import Store

ROWS = 50_000
"""Rows of a group in a Parquet file."""
MANIFEST = "export.json"


class BadExport(ValueError):
    """An export cannot be written; the message is one sentence."""


class FileKind(StrEnum):
    """The kind of file."""

    CSV = "csv"
    PARQUET = "parquet"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What an export holds."""

    format: str = FORMAT
    kind: FileKind
    made_at: str
    rows: dict[str, int]
    columns: dict[str, list[Column]]


class _Rows(Protocol):
    def write(self, row: Sequence[Value]) -> None: ...

    def close(self) -> None: ...


def write_export(store: Store, folder: Path, kind: FileKind, made_at: str) -> Manifest:
    """Write every table of an export into an empty folder; raises BadExport."""
    if folder.exists() and any(folder.iterdir()):
        raise BadExport(f"{folder} is not empty: name a new folder.")
    opened = _opener(kind)
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as files:
        rows = {}
        for table, columns in TABLES.items():
            rows[table] = opened(folder / f"{table}.{kind.value}", columns)
            files.callback(rows[table].close)
        counts = export_tables(store, lambda table, row: rows[table].write(row))
    told = Manifest(
        kind=kind, made_at=made_at, rows=counts, columns={table: list(columns) for table, columns in TABLES.items()}
    )
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n")
    return told


def _opener(kind: FileKind) -> Callable[[Path, Sequence[Column]], _Rows]:
    if kind is FileKind.CSV:
        return _Csv
    try:
        import pyarrow.parquet  # noqa: PLC0415, F401  an optional dependency
    except ImportError:
        raise BadExport("Parquet needs pyarrow: pip install 'croupier[export]'.") from None
    return _Parquet


class _Csv:
    """A CSV file with a header; money is whole cents."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._file = path.open("x", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow([column.name for column in columns])

    def write(self, row: Sequence[Value]) -> None:
        self._writer.writerow(["" if value is None else _safe(value) for value in row])

    def close(self) -> None:
        self._file.close()


def _safe(value: str | int) -> str | int:
    """Keep a text from being taken for a formula by a spreadsheet."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


class _Parquet:
    """A Parquet file; money is whole cents, moments are UTC with microseconds."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        import pyarrow as pa  # noqa: PLC0415  an optional dependency
        from pyarrow import parquet  # noqa: PLC0415

        types = {
            Kind.TEXT: pa.string(),
            Kind.WHOLE: pa.int64(),
            Kind.CENTS: pa.int64(),
            Kind.MOMENT: pa.timestamp("us", tz="UTC"),
        }
        self._schema = pa.schema([(column.name, types[column.kind]) for column in columns])
        self._make = pa.RecordBatch.from_arrays
        self._array = pa.array
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._columns: list[list[Value]] = [[] for _ in columns]

    def write(self, row: Sequence[Value]) -> None:
        for column, value in zip(self._columns, row, strict=True):
            column.append(value)
        if len(self._columns[0]) >= ROWS:
            self._flush()

    def _flush(self) -> None:
        arrays = [
            self._array(column, type=field.type) for column, field in zip(self._columns, self._schema, strict=True)
        ]
        self._writer.write_batch(self._make(arrays, schema=self._schema))
        for column in self._columns:
            column.clear()

    def close(self) -> None:
        if self._columns[0]:
            self._flush()
        self._writer.close()
