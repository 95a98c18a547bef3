"""A PostgreSQL server of the test session's own, started by whoever asks for it first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.journal.private_postgres import PrivatePostgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[PrivatePostgres]:
    """A server on a socket in a temporary folder."""
    with PrivatePostgres() as server:
        yield server
