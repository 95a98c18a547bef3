"""Open a store by its address: an embedded file, or a database that several servers share."""

from __future__ import annotations

from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Store, StoreError


def open_store(url: str, *, create: bool = True, read_only: bool = False) -> Store:
    """Open the store at `sqlite:///…` or `postgresql://…`; create, upgrade and check its schema."""
    kind = url.partition(":")[0]
    if kind == "sqlite":
        return SqliteStore(url, create=create, read_only=read_only)
    if kind in ("postgresql", "postgres"):
        try:
            from croupier.journal.postgres import PostgresStore  # noqa: PLC0415  psycopg is an optional dependency
        except ImportError:
            raise StoreError("PostgreSQL needs psycopg: pip install 'croupier[postgres]'.") from None
        return PostgresStore(url, create=create, read_only=read_only)
    raise StoreError(f"{url} is not a database address: write sqlite:///croupier.db or postgresql://user@host/name.")
