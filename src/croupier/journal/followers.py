"""Followers of the feed: how far each outside system has been told, kept beside the records and not among them."""

from __future__ import annotations

import sqlite3
from typing import Protocol

from croupier.journal.sqlite import PATIENCE, sqlite_path
from croupier.journal.store import StoreError


class Followers(Protocol):
    """The durable cursor of each follower."""

    def cursor(self, name: str) -> str | None:
        """Return how far a follower was told; None for a new one."""

    def keep(self, name: str, cursor: str) -> None:
        """Keep how far a follower was told, durable when this returns."""

    def owns(self, name: str) -> bool:
        """Return whether this server is the one that tells this follower."""

    def close(self) -> None: ...


def open_followers(url: str) -> Followers:
    """Open the cursors of a house's followers; raises StoreError."""
    if url.startswith("sqlite:"):
        return SqliteFollowers(url)
    # As for the store: psycopg is needed only where a house has PostgreSQL.
    from croupier.journal.postgres_followers import PostgresFollowers  # noqa: PLC0415

    return PostgresFollowers(url)


_CURSOR = "SELECT cursor FROM followers WHERE name = ?"
_KEEP = "INSERT INTO followers VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor"


class SqliteFollowers:
    """A second connection of the one server that writes the file."""

    def __init__(self, url: str) -> None:
        self._path = sqlite_path(url)
        try:
            self._db = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error as wrong:
            raise StoreError(f"The database {self._path} cannot be used: {wrong}.") from None

    def cursor(self, name: str) -> str | None:
        try:
            row = self._db.execute(_CURSOR, (name,)).fetchone()
        except sqlite3.Error as wrong:
            raise StoreError(f"The database {self._path} cannot be read: {wrong}.") from None
        return None if row is None else str(row[0])

    def keep(self, name: str, cursor: str) -> None:
        try:
            self._db.execute(_KEEP, (name, cursor))
        except sqlite3.Error as wrong:
            raise StoreError(f"The database {self._path} cannot be written: {wrong}.") from None

    def owns(self, name: str) -> bool:
        return bool(name)

    def close(self) -> None:
        self._db.close()
