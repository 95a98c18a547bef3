"""Statements and rows that the stores have in common."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.journal.records import StreamName
from croupier.journal.store import COLUMNS, NAMES, SCHEMA_VERSION, AccountName, Batch, LedgerRow, Row, StoreError

_KEYS = {"heads": ("stream",), "decks": ("table", "round", "deal"), "snapshots": ("stream",), NAMES: ("person",)}
"""Of tables whose rows are replaced."""


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
