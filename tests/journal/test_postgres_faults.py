"""What can go wrong with a PostgreSQL: one clear line each, nothing half-written, and everything answered is there."""

from __future__ import annotations

import resource
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.records.commands import BuyIn, CloseSession
from croupier.journal import postgres
from croupier.journal.postgres import PostgresStore
from croupier.journal.store import StoreError, StoreFailed
from croupier.journal.store_address import open_store
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.played_house import Play
from tests.stores import PostgresPlace

MEGABYTE = 2**20
WAL_FILE = 16 * MEGABYTE
"""PostgreSQL writes its log in files of this size."""


@pytest.fixture
def place(postgres: PrivatePostgres) -> PostgresPlace:
    return PostgresPlace(postgres)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else's lock is waited for only a moment."""
    monkeypatch.setattr(postgres, "PATIENCE_MS", 50)


def stopped(act: Callable[[], object]) -> str:
    """What a server says that has to stop, in one line."""
    with pytest.raises(StoreError) as said:
        act()
    message = str(said.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def is_whole(url: str) -> int:
    """The audit finds nothing; how many commands were answered."""
    store = open_store(url, read_only=True)
    report = audit(store)
    store.close()
    assert report.is_clean, report.differences
    return report.commands


# ---------------------------------------------------------------- no room


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Whatever is started meanwhile is refused by the operating system when it writes a file beyond this size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def start_with_room_for(server: PrivatePostgres, size: int) -> None:
    server.stop()
    with files_of_at_most(size):
        server.start()


def wordy() -> CloseSession:
    """A command that takes half a megabyte, so that a disk is soon full."""
    return CloseSession(token_hash=secrets.token_hex(MEGABYTE // 4))


def test_tables_that_cannot_grow_stop_the_server_and_lose_nothing() -> None:
    """No room for the tables: the transaction is gone whole; with room again, the house goes on where it was."""
    with PrivatePostgres() as server:
        start_with_room_for(server, WAL_FILE + MEGABYTE)
        play = Play(open_store(server.url()))
        play.play(20)

        def fill() -> None:
            for _ in range(200):
                play.do(wordy())

        assert "nothing was written: could not extend file" in stopped(fill)
        answered = len(play.asked)
        play.store.close()
        assert is_whole(server.url()) == answered
        server.stop()
        server.start()
        again = Play(open_store(server.url()))
        again.asked = play.asked
        again.do(wordy())
        again.store.close()
        assert is_whole(server.url()) == answered + 1


def test_a_log_that_cannot_be_written_stops_everything_and_loses_nothing() -> None:
    """No room for PostgreSQL's own log: it goes down, and comes back with all that was answered."""
    with PrivatePostgres() as server:
        PostgresStore(server.url()).close()
        with psycopg.connect(server.url()) as db:
            found = db.execute("SELECT pg_current_wal_lsn() - '0/0'").fetchone()
        assert found is not None
        start_with_room_for(server, int(found[0]) % WAL_FILE + MEGABYTE)
        play = Play(open_store(server.url()))
        play.play(20)

        def fill() -> None:
            for _ in range(200):
                play.do(wordy())

        assert "the connection was lost" in stopped(fill)
        answered = len(play.asked)
        play.store.close()
        server.crash()  # one that cannot write its log may never stop in order
        server.start()
        assert is_whole(server.url()) == answered
        again = Play(open_store(server.url()))
        again.asked = play.asked
        again.play(10)
        again.store.close()
        assert is_whole(server.url()) == answered + 10


# ---------------------------------------------------------------- locked


@contextmanager
def holding(place: PostgresPlace, *statements: str) -> Iterator[None]:
    """Somebody else's transaction, open meanwhile."""
    with psycopg.connect(place.url) as other:
        for statement in statements:
            other.execute(statement.encode())
        yield
        other.rollback()


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("table", ["heads", "answers", "accounts", "records", "postings"])
def test_somebody_who_locks_a_table_stops_the_server_and_loses_nothing(place: PostgresPlace, table: str) -> None:
    """The command is not answered, and not half done."""
    play = Play(place.open())
    play.play(20)
    answered = len(play.asked)
    with holding(place, f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"):
        said = stopped(lambda: play.do(BuyIn(player="p1", amount=100)))
    assert said.endswith("canceling statement due to lock timeout.")
    play.store.close()
    assert is_whole(place.url) == answered


@pytest.mark.usefixtures("impatient")
def test_a_schema_that_somebody_is_making_is_waited_for_and_then_named(place: PostgresPlace) -> None:
    """Another server brings the schema up and does not come to an end."""
    with holding(place, f"SELECT pg_advisory_xact_lock({postgres.SCHEMA_LOCK})"):
        said = stopped(place.open)
    assert said.startswith("The database postgresql://")
    assert said.endswith("cannot be used: canceling statement due to lock timeout.")
    assert place.raw("SELECT to_regclass('records')") == [(None,)]


# ---------------------------------------------------------------- read-only


def test_a_read_only_database_is_named_and_can_be_read(place: PostgresPlace) -> None:
    """As a standby is: a server cannot use it, an auditor can."""
    play = Play(place.open())
    play.play(20)
    play.store.close()
    standby = place.url.replace("options=", "options=-cdefault_transaction_read_only%3Don%20")
    said = stopped(lambda: open_store(standby))
    assert said.endswith("is read-only, as a standby is: a server cannot use it.")
    assert is_whole(standby) == len(play.asked)


def test_a_role_that_may_only_read_is_named_and_can_read(place: PostgresPlace) -> None:
    """The administrator has given it no more."""
    play = Play(place.open())
    play.play(20)
    play.store.close()
    schema = place.url.rpartition("%3D")[2]
    place.raw("DROP ROLE IF EXISTS visitor")
    place.raw("CREATE ROLE visitor LOGIN")
    try:
        with psycopg.connect(place.url, autocommit=True) as db:
            db.execute(f"GRANT USAGE ON SCHEMA {schema} TO visitor".encode())
            db.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO visitor".encode())
        visitor = place.url.replace("croupier@", "visitor@")
        said = stopped(lambda: open_store(visitor))
        assert said.endswith("can only be read by this role: a server cannot use it.")
        assert is_whole(visitor) == len(play.asked)
    finally:
        place.raw("DROP OWNED BY visitor")
        place.raw("DROP ROLE visitor")


# ---------------------------------------------------------------- gone


def test_a_server_that_goes_down_between_two_commands_is_named() -> None:
    """The next command is not answered; after the restart everything answered is there, and nothing else."""
    with PrivatePostgres() as server:
        play = Play(open_store(server.url()))
        play.play(20)
        answered = len(play.asked)
        server.stop()
        with pytest.raises(StoreFailed) as said:
            play.do(BuyIn(player="p1", amount=100))
        assert "the connection was lost and nothing was written" in str(said.value)
        assert "\n" not in str(said.value)
        assert "cannot be reached" in stopped(lambda: open_store(server.url()))
        server.start()
        assert is_whole(server.url()) == answered
