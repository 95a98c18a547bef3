"""What an upgrade of a journal will do and how long it will take, measured on a part of it that is copied aside."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from croupier.journal.records import Versions
from croupier.journal.sqlite import STEPS, sqlite_path, statements
from croupier.journal.store import SCHEMA_VERSION, Store
from croupier.journal.store_address import open_store

STEP_WORDS: Sequence[str] = (
    "the tables of a journal",
    "indexes of awards and of answers in order",
    "names of people apart from the records, origins of sessions",
    "a place in one order for every record, followers of the feed",
)
"""What each version of the schema brings."""
SAMPLE = 20_000
"""Records that are copied aside and upgraded to estimate the time."""


class EarlierEvents(msgspec.Struct, frozen=True):
    """Records of one type that an earlier release wrote; they are read as today's and never rewritten."""

    type: str
    version: int
    now: int
    count: int


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What an upgrade of one journal does."""

    schema: int
    wanted: int = SCHEMA_VERSION
    steps: tuple[str, ...]
    records: int
    seconds: float
    """An estimate; servers wait for the database so long."""
    earlier: tuple[EarlierEvents, ...]

    @property
    def is_current(self) -> bool:
        return self.schema == self.wanted


def plan(url: str, versions: Versions) -> Plan:
    """Look at a journal without changing it; raises StoreError."""
    store = open_store(url, create=False, read_only=True)
    try:
        schema = store.schema()
        counts = store.event_counts()
        records = sum(counts.values())
        earlier = [
            EarlierEvents(kind, version, versions.of(kind), count)
            for (kind, version), count in sorted(counts.items())
            if version < versions.of(kind)
        ]
        seconds = 0.0 if schema >= SCHEMA_VERSION else _estimate(url, store, schema, records)
    finally:
        store.close()
    return Plan(
        schema=schema,
        steps=tuple(STEP_WORDS[schema:SCHEMA_VERSION]),
        records=records,
        seconds=seconds,
        earlier=tuple(earlier),
    )


def migrate(url: str) -> None:
    """Upgrade a journal to the schema of this release, in one transaction; raises StoreError."""
    open_store(url, create=False).close()


def _estimate(url: str, store: Store, schema: int, records: int) -> float:
    """Upgrade a part of the journal aside, and scale the time to the whole."""
    if not url.startswith("sqlite:"):
        return store.upgrade_seconds(SAMPLE)
    with tempfile.TemporaryDirectory() as folder:
        db = sqlite3.connect(Path(folder) / "sample.db", isolation_level=None)
        try:
            copied = _copy(db, sqlite_path(url), schema)
            began = time.perf_counter()
            db.execute("BEGIN IMMEDIATE")
            for statement in (part for step in STEPS[schema:] for part in statements(step)):
                db.execute(statement)
            db.execute("COMMIT")
            seconds = time.perf_counter() - began
        finally:
            db.close()
    return seconds * max(1.0, records / max(1, copied))


def _copy(db: sqlite3.Connection, source: str, schema: int) -> int:
    """Copy the first records and answers of a journal into an empty one of its own schema."""
    for statement in (part for step in STEPS[:schema] for part in statements(step)):
        db.execute(statement)
    db.execute("ATTACH DATABASE ? AS journal", (f"file:{source}?mode=ro",))
    taken: Mapping[str, int] = {
        table: db.execute(f"INSERT INTO main.{table} SELECT * FROM journal.{table} LIMIT {SAMPLE}").rowcount  # noqa: S608
        for table in ("records", "answers")
    }
    db.execute("DETACH DATABASE journal")
    return taken["records"]
