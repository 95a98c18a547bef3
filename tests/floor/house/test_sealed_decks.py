"""Decks in play cannot be read in the database: the server's key opens them, and after the round every audit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.backups.backup import back_up
from croupier.floor.backups.restore_drill import drill
from croupier.floor.house.house import House
from croupier.floor.records.commands import AtTable
from croupier.floor.records.committed_decks import DeckPlace, unsealed
from croupier.floor.records.keys import NO_KEYS, Keys, key_id, keys_of
from croupier.floor.records.tables import Table
from croupier.journal.records import ChainBroken
from croupier.journal.sqlite import sqlite_path
from croupier.journal.store import Store
from croupier.rounds.commands import OpenRound
from croupier.rounds.state import Stage
from tests.floor.played_house import NOW, Play
from tests.floor.server.test_client import free_port
from tests.patience import PATIENCE
from tests.stores import Place, PostgresPlace, SqlitePlace

FIRST, SECOND = bytes(range(32)), bytes(range(1, 33))
KEYS = keys_of(FIRST)
OVER = (Stage.IDLE, Stage.SETTLED, Stage.VOID)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    found: Place = SqlitePlace(tmp_path)
    if request.param == "postgresql":
        found = PostgresPlace(request.getfixturevalue("postgres"))
    with closed_in_the_end(found):
        yield found


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Iterator[Place]:
    found = SqlitePlace(tmp_path)
    with closed_in_the_end(found):
        yield found


@contextmanager
def closed_in_the_end(place: Place) -> Iterator[None]:
    """Every store that was opened at a place is closed when its test is over."""
    with ExitStack() as stores, pytest.MonkeyPatch.context() as patched:
        plain = place.open

        def opened(*, create: bool = True, read_only: bool = False) -> Store:
            return stores.enter_context(closing(plain(create=create, read_only=read_only)))

        patched.setattr(place, "open", opened)
        yield


def playing(house: House) -> list[Table]:
    """Tables with a round in play."""
    return [table for table in house.tables.values() if table.round.stage not in OVER and not table.config.physical]


def in_play(place: Place, keys: Keys = KEYS) -> Play:
    """A house with rounds that are over, and with others in play at which hands were looked at and cards turned."""
    play = Play(place.open(), 38, keys=keys, rich=0.0)
    play.play(300)
    while len(playing(play.house)) < 3:
        play.play(1)
    return play


def decks_on_disk(store: Store) -> dict[DeckPlace, bytes]:
    found: dict[DeckPlace, bytes] = {}
    for table, number, deal, deck in store.rows("decks"):
        assert isinstance(number, int)
        assert isinstance(deal, int)
        assert isinstance(deck, bytes)
        found[str(table), number, deal] = deck
    return found


def is_open(data: bytes) -> bool:
    try:
        unsealed(data)
    except ChainBroken:
        return False
    return True


def test_a_deck_in_play_is_not_readable_and_one_of_a_round_that_is_over_is(place: Place) -> None:
    """Neither cards nor seed of a deck in play stand anywhere in the database."""
    play = in_play(place)
    in_rounds = {(t.name, t.round.number, deal) for t in playing(play.house) for deal in range(t.round.deals + 1)}
    on_disk = decks_on_disk(play.store)
    assert in_rounds
    assert len(on_disk) > len(in_rounds)
    assert {at for at, data in on_disk.items() if not is_open(data)} == in_rounds
    live = [deck for table in playing(play.house) for deck in table.decks.values()]
    if place.kind == "sqlite":
        path = Path(sqlite_path(place.url))
        raw = path.read_bytes() + path.with_name(f"{path.name}-wal").read_bytes()
    else:
        raw = b"".join(bytes(cell) for row in play.store.rows("decks") for cell in row if isinstance(cell, bytes))
    for deck in live:
        assert deck.cards.encode() not in raw
        assert deck.cards[:20].encode() not in raw
        assert deck.salt.encode() not in raw


def test_the_audit_needs_no_key_and_opens_more_with_it(place: Place) -> None:
    """Without the key rounds in play are judged by what they have shown; what has been revealed is held to its deck."""
    play = in_play(place)
    hidden = sum(1 for data in decks_on_disk(play.store).values() if not is_open(data))
    without, with_it = audit(play.store), audit(play.store, keys=KEYS)
    assert (without.differences, without.sealed) == ((), hidden)
    assert (with_it.differences, with_it.sealed) == ((), 0)


def test_a_sealed_deck_that_was_changed_or_exchanged_is_found_with_the_key(on_sqlite: Place) -> None:
    """It opens for its own table, round and deal alone."""
    place, play = on_sqlite, in_play(on_sqlite)
    play.store.close()
    sealed = "(SELECT deck FROM decks WHERE substr(deck, 1, 1) = x'01' LIMIT 1)"
    place.raw(f"UPDATE decks SET deck = {sealed} WHERE substr(deck, 1, 1) = x'01'")
    with_it = audit(place.open(read_only=True), keys=KEYS)
    assert any("is not the one that was committed to" in str(found) for found in with_it.differences)


def test_a_deck_that_stays_sealed_after_its_round_is_found_without_a_key(on_sqlite: Place) -> None:
    """Nobody hides the deck of a round that is over behind a key that nobody has."""
    place, play = on_sqlite, in_play(on_sqlite)
    play.store.close()
    first = "(SELECT min(rowid) FROM decks WHERE substr(deck, 1, 1) = x'7b')"
    place.raw(f"UPDATE decks SET deck = CAST(x'01' || randomblob(80) AS BLOB) WHERE rowid = {first}")
    assert any("still sealed" in str(found) for found in audit(place.open(read_only=True)).differences)


def test_a_house_goes_on_after_a_restart_with_its_key_and_with_a_new_one_before_it(place: Place) -> None:
    """Rotation: the new key seals from now on, and the old one is needed until the rounds that it sealed are over."""
    play = in_play(place)
    play.store.close()
    both = keys_of(SECOND, FIRST)
    again = Play(place.open(), 39, keys=both, ids="d", rich=0.0)
    assert not again.house.unopened
    began = {table.name: table.round.number for table in playing(again.house)}
    while any(again.house.tables[name].round.number == number for name, number in began.items()):
        again.play(20)
    named = {bytes(data[1:5]).hex() for data in decks_on_disk(again.store).values() if not is_open(data)}
    assert named == {key_id(SECOND)}
    assert audit(again.store, keys=both).differences == ()
    again.store.close()
    assert not House(place.open(), again.chance, keys=keys_of(SECOND)).unopened


def test_without_its_key_a_round_is_refused_and_not_guessed(place: Place) -> None:
    play = in_play(place)
    play.store.close()
    lost = Play(place.open(), 39, keys=NO_KEYS, ids="e")
    assert set(lost.house.unopened) == {table.name for table in playing(lost.house)}
    assert all(key_id(FIRST) in why for why in lost.house.unopened.values())


def test_a_house_without_a_key_plays_as_before(place: Place) -> None:
    """A demonstration on PostgreSQL, a simulation: decks lie open, and a key may come later."""
    play = in_play(place, NO_KEYS)
    assert all(is_open(data) for data in decks_on_disk(play.store).values())
    play.store.close()
    later = Play(place.open(), 39, keys=KEYS, ids="f", rich=0.0)
    later.play(200)
    assert audit(later.store).differences == ()


def test_a_backup_keeps_decks_sealed_and_the_drill_needs_no_key(on_sqlite: Place, tmp_path: Path) -> None:
    back_up(in_play(on_sqlite).store, tmp_path / "house.backup", NOW)
    assert drill(tmp_path / "house.backup").problems == ()


def test_a_server_whose_key_is_gone_says_so_and_does_not_start(on_sqlite: Place) -> None:
    """One sentence with the key's id; exit code 2, and nothing is dealt."""
    place = on_sqlite
    play = Play(place.open(), 38, keys=KEYS, rich=0.0)
    table = next(name for name, table in play.house.tables.items() if not table.config.physical)
    play.do(AtTable(table=table, command=OpenRound()))
    play.store.close()
    command = [sys.executable, "-m", "croupier", "serve", "--database", place.url, "--port", str(free_port())]
    environment = {**os.environ, "CROUPIER_KEY": SECOND.hex()}
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment)
    assert done.returncode == 2
    assert key_id(FIRST) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_production_house_on_postgresql_does_not_start_without_a_key(place: Place) -> None:
    """A SQLite house makes its own; servers that share a database are given the same."""
    if place.kind == "sqlite":
        return
    command = [sys.executable, "-m", "croupier", "serve", "--database", place.url, "--port", str(free_port())]
    environment = {name: value for name, value in os.environ.items() if name != "CROUPIER_KEY"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment)
    assert (done.returncode, "no key to seal decks" in done.stderr) == (2, True)
