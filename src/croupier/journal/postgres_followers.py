"""Followers of the feed in the shared store: one of the servers tells each, and all know how far."""

from __future__ import annotations

import psycopg

from croupier.journal.postgres import advisory_key, shown_url
from croupier.journal.store import StoreError, StoreLost

_KEEP = "INSERT INTO followers VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor"


class PostgresFollowers:
    """A connection of its own, which holds the locks of the followers that this server tells."""

    def __init__(self, url: str) -> None:
        self._shown = shown_url(url)
        self._owned: set[str] = set()
        try:
            self._db = psycopg.connect(url, autocommit=True, application_name="croupier")
        except psycopg.Error as wrong:
            raise StoreLost(f"The database {self._shown} cannot be reached: {type(wrong).__name__}.") from None

    def cursor(self, name: str) -> str | None:
        rows = self._ask("SELECT cursor FROM followers WHERE name = %s", name)
        return None if not rows else str(rows[0][0])

    def keep(self, name: str, cursor: str) -> None:
        try:
            self._db.execute(_KEEP, (name, cursor))
        except psycopg.Error as wrong:
            raise self._failed(wrong) from None

    def owns(self, name: str) -> bool:
        if name not in self._owned:
            schema = str(self._ask("SELECT current_schema()")[0][0])
            key = advisory_key(f"{schema}/follower/{name}")
            if self._ask("SELECT pg_try_advisory_lock(%s)", key) == [(True,)]:
                self._owned.add(name)
        return name in self._owned

    def close(self) -> None:
        self._db.close()

    def _ask(self, statement: str, *values: str | int) -> list[tuple[object, ...]]:
        try:
            return list(self._db.execute(statement.encode(), values).fetchall())
        except psycopg.Error as wrong:
            raise self._failed(wrong) from None

    def _failed(self, wrong: psycopg.Error) -> StoreError:
        kind = StoreLost if self._db.closed else StoreError
        return kind(f"The database {self._shown} cannot be used: {type(wrong).__name__}.")
