"""Rows of the database in the order of their keys, each converted to its type with care: any of them may be forged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

import msgspec

from croupier.floor.audit.findings import Findings
from croupier.journal.store import Row

T = TypeVar("T")

_A_PIECE = 256
"""Rows that are read at a time."""


class HeadRow(msgspec.Struct, array_like=True):
    """Where a stream stands."""

    stream: str
    seq: int
    hash: bytes


class PostingRow(msgspec.Struct, array_like=True):
    """One side of an entry."""

    stream: str
    seq: int
    account: str
    amount: int


def row_as(row: Row, kind: type[T]) -> T | None:
    """Convert a row to its type; None where a column has another type."""
    try:
        return msgspec.convert(row, kind, builtin_types=(bytes,))
    except msgspec.ValidationError:
        return None


def rows_as(rows: list[Row], kind: type[T]) -> Sequence[T | None]:
    """Convert rows to their type; None in the place of each that has a column of another type."""
    try:
        return msgspec.convert(rows, list[kind], builtin_types=(bytes,))  # type: ignore[valid-type]  # a type at run time
    except msgspec.ValidationError:
        return [row_as(row, kind) for row in rows]


class OrderedRows:
    """Rows in the order of their keys, taken by key as another ordered reading comes to them."""

    def __init__(self, name: str, rows: Iterable[Row], columns: int, findings: Findings) -> None:
        self.name, self.findings, self._columns = name, findings, columns
        self._rows = iter(rows)
        self._ahead: list[Row] = []
        """Rows that have been read; those from `_at` on have not been taken."""
        self._at = 0

    def take(self, key: Row) -> Row | None:
        """Return the one row of this key; rows before it belong to no event."""
        while (row := self._next()) is not None and (found := row[: self._columns]) <= key:
            self._at += 1
            if found == key:
                return row
            self._report_orphan(row)
        return None

    def take_all(self, key: Row) -> list[Row]:
        """Return all rows of this key."""
        rows = []
        while (row := self.take(key)) is not None:
            rows.append(row)
        return rows

    def take_these(self, wanted: list[Row]) -> bool:
        """Take these rows where they are the next ones; return whether they are."""
        end = self._at + len(wanted)
        if end > len(self._ahead):
            self._ahead = [*self._ahead[self._at :], *islice(self._rows, _A_PIECE)]
            self._at, end = 0, len(wanted)
        if self._ahead[self._at : end] != wanted:
            return False
        self._at = end
        return True

    def finish(self) -> None:
        """Report the rows that are left."""
        while (row := self._next()) is not None:
            self._at += 1
            self._report_orphan(row)

    def close(self) -> None:
        """Let go of the rows that have not been read."""
        self._rows = iter(())

    def _next(self) -> Row | None:
        if self._at == len(self._ahead):
            self._ahead, self._at = list(islice(self._rows, _A_PIECE)), 0
        return self._ahead[self._at] if self._ahead else None

    def _report_orphan(self, row: Row) -> None:
        place = " ".join(str(part) for part in row[: self._columns])
        self.findings.add(self.name, 0, f"{place} belongs to no event.")
