"""Journals of every landed schema are upgraded, forward only; servers of two releases share a database meanwhile."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from croupier.cli import run
from croupier.floor.audit.audit import audit
from croupier.floor.feed.events import START, Feed
from croupier.floor.records.commands import OpenDispute, OpenTable, TableConfig, TakeTable
from croupier.floor.records.refusals import Code
from croupier.floor.records.upcasters import VERSIONS
from croupier.journal import postgres_schema
from croupier.journal.checkpoint import Anchor
from croupier.journal.migration import migrate, plan
from croupier.journal.store import SCHEMA_VERSION, Store
from croupier.journal.store_address import open_store
from croupier.testing.crowd import LINK
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.house_builder import eventually
from tests.floor.played_house import NOW, Play
from tests.stores import PostgresPlace

HERE = Path(__file__).parent
LANDED = {"first-release": 1, "looks-with-cards": 3, "before-the-feed": 3}
"""Folders of landed journals, and their schemas."""


def unpacked(folder: str, target: Path) -> str:
    file = target / f"{folder}.db"
    file.write_bytes(gzip.decompress((HERE / folder / "house.db.gz").read_bytes()))
    return f"sqlite:///{file}"


@pytest.mark.parametrize("folder", LANDED)
def test_a_landed_journal_is_planned_for_upgraded_and_sound(folder: str, tmp_path: Path) -> None:
    """A dry run changes nothing; the upgrade keeps every record, and the feed has them all."""
    url = unpacked(folder, tmp_path)
    before = (tmp_path / f"{folder}.db").read_bytes()
    told = plan(url, VERSIONS)
    assert (told.schema, told.wanted, len(told.steps)) == (LANDED[folder], SCHEMA_VERSION, SCHEMA_VERSION - told.schema)
    assert told.seconds > 0
    assert (tmp_path / f"{folder}.db").read_bytes() == before
    migrate(url)
    now = plan(url, VERSIONS)
    assert (now.is_current, now.records, now.earlier, now.seconds) == (True, told.records, told.earlier, 0.0)
    store = open_store(url, read_only=True)
    assert audit(store).differences == ()
    assert list(store.problems()) == []
    assert len(store.feed(0, 10**6)) == told.records
    store.close()


def test_earlier_versions_of_events_are_counted(tmp_path: Path) -> None:
    """They are raised when they are read, and lie on disk as they were written."""
    told = plan(unpacked("first-release", tmp_path), VERSIONS)
    assert {(each.type, each.version) for each in told.earlier} == {
        (kind, 1) for kind in ("AwardClaimed", "ClaimsEntered", "HandExamined", "RoundOpened", "TableOpened")
    }
    later = plan(unpacked("before-the-feed", tmp_path), VERSIONS)
    assert {(each.type, each.version) for each in later.earlier} == {("CasePaid", 1)}


def test_a_journal_of_the_third_schema_plays_on(tmp_path: Path) -> None:
    store = open_store(unpacked("before-the-feed", tmp_path))
    was = json.loads((HERE / "before-the-feed" / "audit.json").read_text(encoding="utf-8"))
    found = audit(store, anchors=msgspec.convert(was["heads"], dict[str, Anchor]))
    assert (found.differences, found.events, found.rounds) == ((), was["events"], was["rounds"])
    assert store.balances() == was["balances"]
    Play(store, 5, ids="later").play(60)
    assert audit(store).differences == ()
    store.close()


def test_there_is_no_way_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that knows only an earlier schema says so, and changes nothing."""
    url = unpacked("before-the-feed", tmp_path)
    migrate(url)
    monkeypatch.setattr("croupier.journal.sql.SCHEMA_VERSION", 3)
    monkeypatch.setattr("croupier.journal.sqlite.STEPS", ())
    with pytest.raises(Exception, match="has schema 4; this program knows up to 3"):
        open_store(url)


def test_the_command_says_how_long_and_then_does_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = unpacked("before-the-feed", tmp_path)
    assert run(["migrate", "--database", url, "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "Schema 3 of 4, 2,009 records." in said
    assert "The upgrade takes about" in said
    assert run(["migrate", "--database", url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["done"] is True
    assert run(["migrate", "--database", url]) == 0
    assert "There is nothing to upgrade." in capsys.readouterr().out
    assert run(["migrate", "--database", f"sqlite:///{tmp_path / 'none.db'}"]) == 2


# ---------------------------------------------------------------- two releases on one PostgreSQL


@pytest.fixture
def older(postgres: PrivatePostgres) -> Iterator[tuple[PostgresPlace, Store]]:
    """A database of the third schema, which a server of that release has open.

    That release writes the same eight columns of a record, and names its connections without a version.
    """
    place = PostgresPlace(postgres)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("croupier.journal.postgres.STEPS", postgres_schema.STEPS[:3])
        patched.setattr("croupier.journal.sql.SCHEMA_VERSION", 3)
        joined = "&" if "?" in place.url else "?"
        store = open_store(f"{place.url}{joined}application_name=croupier")
    yield place, store
    store.close()


def test_the_upgrade_of_a_shared_store_is_estimated(older: tuple[PostgresPlace, Store]) -> None:
    place, store = older
    Play(store, 3).play(20)
    told = plan(place.url, VERSIONS)
    assert (told.schema, len(told.steps)) == (3, 1)
    assert told.seconds > 0
    assert plan(place.url, VERSIONS).schema == 3


def test_servers_of_two_releases_play_on_while_one_is_upgraded(older: tuple[PostgresPlace, Store]) -> None:
    """Nothing is lost: the feed tells what both wrote, once, and the audit is clean; then the new one takes over."""
    place, old_store = older
    old = Play(old_store, 3, ids="old")
    old.play(40)
    new_store = place.open(create=False)  # it upgrades the schema, under the feet of the other
    new = Play(new_store, 4, ids="new")
    assert not any(table.ours for table in new.house.tables.values())
    assert new.do(OpenTable(table="N1", config=TableConfig(game="sun-casino-holdem", link=LINK)))[0].accepted
    playing = threading.Thread(target=old.play, args=(60,))
    playing.start()
    for _ in range(60):
        table = new.house.tables["N1"]
        new.do(new.crowd.at_table(table.name, table.terms, table.round))
    playing.join()
    disputed = OpenDispute(dispute="d", table="N1", round=1, by="pit", words="Why?", until=NOW + 10**12)
    assert new.do(disputed)[0].code == Code.OLDER_SERVER
    old_store.close()
    assert eventually(lambda: new.do(disputed)[0].accepted)  # PostgreSQL ends a connection a moment later
    for name in [name for name, table in new.house.tables.items() if not table.ours]:
        assert new.do(TakeTable(table=name))[0].accepted
    new.play(40)
    assert audit(new_store).differences == ()
    placed = new_store.feed(0, 10**6)
    assert [each.position for each in placed] == sorted({each.position for each in placed})
    every = {(str(row[0]), int(str(row[1]))) for row in new_store.rows("records")}
    assert {(each.record.stream, each.record.seq) for each in placed} == every
    feed = Feed(lambda: place.open(create=False, read_only=True))
    page = feed.page(START, 5000)
    assert {"table/N1", "table/T1"} <= {event.stream for event in page.events}
    feed.close()
    new_store.close()
