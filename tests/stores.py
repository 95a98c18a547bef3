"""Empty databases of both kinds for tests, and a way into them past the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import LiteralString, Protocol, TypeAlias

import psycopg

from croupier.journal.sqlite import sqlite_path
from croupier.journal.store import Store
from croupier.journal.store_address import open_store
from croupier.testing.private_postgres import PrivatePostgres

Opened: TypeAlias = Callable[[], Store]

_NUMBERS = count(1)


class Place(Protocol):
    """Where a store may be opened, and what a stranger may do there."""

    url: str
    kind: str

    def open(self, *, create: bool = True, read_only: bool = False) -> Store: ...

    def raw(self, statement: LiteralString) -> Sequence[tuple[object, ...]]:
        """A statement past the store."""


@contextmanager
def opened_at(place: Place) -> Iterator[Opened]:
    """One more store at this place whenever it is asked for; all are closed in the end."""
    with ExitStack() as stores:
        yield lambda: stores.enter_context(closing(place.open()))


class SqlitePlace:
    """A file that does not exist yet."""

    kind = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.url = f"sqlite:///{folder / f'croupier-{next(_NUMBERS)}.db'}"

    def open(self, *, create: bool = True, read_only: bool = False) -> Store:
        return open_store(self.url, create=create, read_only=read_only)

    def raw(self, statement: LiteralString) -> Sequence[tuple[object, ...]]:
        db = sqlite3.connect(sqlite_path(self.url), isolation_level=None)
        try:
            return db.execute(statement).fetchall()
        finally:
            db.close()


class PostgresPlace:
    """An empty schema of its own: as good as a database, and made in a moment."""

    kind = "postgresql"

    def __init__(self, server: PrivatePostgres) -> None:
        schema = f"house_{next(_NUMBERS)}"
        self.server_url = server.url()
        with psycopg.connect(self.server_url, autocommit=True) as db:
            db.execute(psycopg.sql.SQL("CREATE SCHEMA {}").format(psycopg.sql.Identifier(schema)))
        self.url = f"{self.server_url}&options=-csearch_path%3D{schema}"

    def open(self, *, create: bool = True, read_only: bool = False) -> Store:
        return open_store(self.url, create=create, read_only=read_only)

    def raw(self, statement: LiteralString) -> Sequence[tuple[object, ...]]:
        with psycopg.connect(self.url, autocommit=True) as db:
            cursor = db.execute(statement)
            return cursor.fetchall() if cursor.description else []
