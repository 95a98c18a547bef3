"""Rows of the database in the order of their keys, each converted to its type with care: any of them may be forged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from croupier.floor.audit.findings import Findings
from croupier.journal.store import Row

T = TypeVar("T")


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


class OrderedRows:
    """Rows in the order of their keys, taken by key as another ordered reading comes to them."""

    def __init__(self, name: str, rows: Iterable[Row], columns: int, findings: Findings) -> None:
        self.name, self.findings, self._columns = name, findings, columns
        self._rows = iter(rows)
        self._next = next(self._rows, None)

    def take(self, key: Row) -> Row | None:
        """Return the one row of this key; rows before it belong to no event."""
        while (row := self._next) is not None:
            found = row[: self._columns]
            if found == key:
                self._next = next(self._rows, None)
                return row
            if not found < key:
                break
            self._report_orphan()
        return None

    def take_all(self, key: Row) -> list[Row]:
        """Return all rows of this key."""
        rows = []
        while (row := self.take(key)) is not None:
            rows.append(row)
        return rows

    def finish(self) -> None:
        """Report the rows that are left."""
        while self._next is not None:
            self._report_orphan()

    def _report_orphan(self) -> None:
        assert self._next is not None
        place = " ".join(str(part) for part in self._next[: self._columns])
        self.findings.add(self.name, 0, f"{place} belongs to no event.")
        self._next = next(self._rows, None)
