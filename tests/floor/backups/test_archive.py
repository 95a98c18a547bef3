"""Archives: records leave the database when they are in a file, the house plays on, and the audit follows them."""

from __future__ import annotations

import itertools
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from croupier.floor.audit.audit import audit
from croupier.floor.backups import archive as archives
from croupier.floor.backups.archive import Archived, BadArchive, archive, audit_with_archives, read_rows
from croupier.floor.backups.backup import back_up, restore
from croupier.floor.backups.encryption import new_identity
from croupier.floor.history.export import AUDITOR
from croupier.floor.history.link_figures import trial_balance
from croupier.floor.history.played_rounds import NoSuchRound, Past
from croupier.floor.house.house import House
from croupier.floor.house.memory.cuts import pack_round, unpack_round
from croupier.floor.records.codec import encode
from croupier.floor.records.commands import Answer, ArchiveTable, HouseCommand, Request
from croupier.floor.records.facts import TableArchived
from croupier.floor.records.streams import table_stream
from croupier.floor.server.routes.records.audit import audit_report
from croupier.journal.records import GENESIS, Record, expected_hash
from croupier.journal.sqlite import SqliteStore, sqlite_path
from croupier.journal.store import Cut, Store, StoreFailed
from croupier.testing.crowd import rich_chance
from croupier.testing.private_postgres import PrivatePostgres
from tests.effort import effort
from tests.floor.played_house import NOW, Play
from tests.floor.tamperer import Tamperer, small_journal, small_snapshots
from tests.stores import Place, PostgresPlace, SqlitePlace, opened_at

DAY = 86_400_000_000
FIRST = datetime.fromtimestamp(NOW // 1_000_000, UTC).date()
IDENTITY = new_identity()


class Days(Play):
    """A crowd that plays for days."""

    def __init__(self, store: Store, seed: int = 1) -> None:
        self.now = NOW
        super().__init__(store, seed, rich=1.0)

    def do(self, *commands: HouseCommand) -> list[Answer]:
        self.now += 1_000_000
        requests = [Request(f"c{len(self.asked) + n}", c, self.now) for n, c in enumerate(commands, 1)]
        answers = self.house.process(requests)
        self.asked.extend(zip(requests, answers, strict=True))
        return answers

    def days(self, count: int, commands: int = 120) -> None:
        for _ in range(count):
            self.play(commands)
            self.now += DAY

    def again(self, store: Store) -> None:
        """The house is started again, on what is on disk."""
        self.store, self.house = store, House(store, self.chance)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    server: PrivatePostgres = request.getfixturevalue("postgres")
    return PostgresPlace(server)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "archives").mkdir()
    return tmp_path / "archives"


IDS = itertools.count()


def archived(house: House, days: int, folder: Path, **more: object) -> list[Archived]:
    """Everything before this many days after the first."""
    return archive(
        house,
        FIRST + timedelta(days=days),
        folder,
        by="operator test",
        at=lambda: NOW + 100 * DAY,
        command_id=lambda: f"archive-{next(IDS)}",
        **more,  # type: ignore[arg-type]  # openers alone
    )


def rows(store: Store) -> dict[str, int]:
    return {table: sum(1 for _ in store.rows(table)) for table in ("records", "postings", "decks")}


def differences(store: Store, folder: Path | None = None) -> list[str]:
    report = audit(store) if folder is None else audit_with_archives(store, folder, (IDENTITY,))
    return [str(difference) for difference in report.differences]


@pytest.mark.parametrize("seed", range(1, 1 + effort(1)))
def test_closed_days_leave_and_the_house_plays_on(place: Place, folder: Path, seed: int) -> None:
    """Audited before, after, with and without the files, after more play, more archives and a new start."""
    with opened_at(place) as opened:
        play = Days(opened(), seed)
        play.days(3)
        before, balances = rows(play.store), dict(play.store.balances())
        heads = audit(play.store).heads
        written = archived(play.house, 2, folder)
        assert written
        after = rows(play.store)
        assert before["records"] - after["records"] == sum(each.records for each in written) - len(written)
        assert after["postings"] < before["postings"]
        assert after["decks"] < before["decks"]
        assert dict(play.store.balances()) == balances
        report = audit(play.store)
        assert [str(d) for d in report.differences] == []
        assert set(report.archived) == {table_stream(each.table) for each in written}
        whole = audit_with_archives(play.store, folder)
        assert [str(d) for d in whole.differences] == []
        assert whole.archived == {}
        assert whole.events == before["records"] + len(written)
        held = audit_with_archives(play.store, folder, anchors=heads)
        assert held.is_clean
        play.days(2)
        assert differences(play.store) == []
        assert differences(play.store, folder) == []
        again = archived(play.house, 4, folder)
        assert {each.table for each in again} & {each.table for each in written}
        play.store.close()
        play.again(opened())
        play.days(1)
        assert differences(play.store) == []
        assert differences(play.store, folder) == []


def test_a_house_without_sound_snapshots_starts_from_the_cut(folder: Path, tmp_path: Path) -> None:
    """What was written down when the records left is enough."""
    place = SqlitePlace(tmp_path)
    with opened_at(place) as opened:
        play = Days(opened())
        play.days(2)
        archived(play.house, 1, folder)
        rounds = {name: table.round for name, table in play.house.tables.items()}
        play.store.close()
        place.raw("UPDATE snapshots SET data = x'00' WHERE stream LIKE 'table/%'")
        play.again(opened())
        assert {name: table.round for name, table in play.house.tables.items()} == rounds
        play.days(1)


def test_a_round_is_never_parted_and_the_last_one_stays(folder: Path, tmp_path: Path) -> None:
    """Even where everything is old: what is in play, or could still be unwound, is in the database."""
    with opened_at(SqlitePlace(tmp_path)) as opened:
        play = Days(opened())
        play.days(2)
        archived(play.house, 1000, folder)
        for name, table in play.house.tables.items():
            left = list(play.store.read(table_stream(name)))
            if table.archived:
                assert left[0].type == "RoundOpened"
                assert left[0].seq == table.archived[-1].seq + 1
                assert sum(record.type == "RoundOpened" for record in left) == 1
        assert differences(play.store) == []
        assert archived(play.house, 1000, folder) == []
        play.days(1)
        assert differences(play.store, folder) == []


def test_an_archived_round_is_looked_for_and_its_file_named(folder: Path, tmp_path: Path) -> None:
    """The first that is left is shown and exported whole."""
    with opened_at(SqlitePlace(tmp_path)) as opened:
        play = Days(opened())
        play.days(3)
        past = Past(play.house, lambda: play.store)
        (each, *_) = sorted(archived(play.house, 2, folder), key=lambda one: -one.last_round)
        table = play.house.tables[each.table]
        for number in (each.first_round, each.last_round):
            with pytest.raises(NoSuchRound, match=f"Round {number} at {each.table} is archived, in {each.file}."):
                past.record(table, number, AUDITOR)
        first_left = (
            past.record(table, each.last_round + 1, AUDITOR) if table.round.number > each.last_round + 1 else None
        )
        if first_left is not None:
            assert first_left.before == table.archived[-1].hash
        assert past.since(table, 0, None, 10_000) is None


def test_a_backup_of_what_is_left_restores(folder: Path, tmp_path: Path) -> None:
    """Into a database that audits by itself, and with the archives."""
    with opened_at(SqlitePlace(tmp_path)) as opened, opened_at(SqlitePlace(tmp_path)) as other:
        play = Days(opened())
        play.days(2)
        archived(play.house, 1, folder)
        back_up(play.store, tmp_path / "house.backup", NOW)
        copy = other()
        restore(tmp_path / "house.backup", copy)
        assert differences(copy) == []
        assert differences(copy, folder) == []


def test_archives_may_be_encrypted_for_a_key_that_is_not_here(folder: Path, tmp_path: Path) -> None:
    """The writer reads them again all the same; the audit needs the key."""
    with opened_at(SqlitePlace(tmp_path)) as opened:
        play = Days(opened())
        play.days(2)
        written = archived(play.house, 1, folder, openers=(IDENTITY.recipient,))
        assert all((folder / each.file).stat().st_mode & 0o777 == 0o600 for each in written)
        assert differences(play.store, folder) == []
        report = audit_with_archives(play.store, folder)
        assert report.difference_count == len(written)
        assert "it is encrypted" in str(report.differences[0])


# ---------------------------------------------------------------- nothing leaves that is not safe


def broken_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)


def torn_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is on disk is not what was written."""
    verify = archives._verify

    def torn(store: Store, file: Path, *more: object) -> None:
        data = file.read_bytes()
        file.write_bytes(data[:-9] + bytes((data[-9] ^ 1,)) + data[-8:])
        verify(store, file, *more)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(archives, "_verify", torn)


def other_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is whole, and holds something else."""
    read = archives.read_rows

    def other(file: Path, openers: object = ()) -> Iterator[tuple[str, tuple[str | int | bytes, ...]]]:
        for name, row in read(file, openers):  # type: ignore[arg-type]  # as it was called
            yield name, (*row[:-1], 1) if name == "postings" else row

    monkeypatch.setattr(archives, "read_rows", other)


@pytest.mark.parametrize("wrong", [broken_sync, torn_file, other_row])
def test_nothing_leaves_before_its_file_is_safe(
    wrong: Callable[[pytest.MonkeyPatch], None], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not on disk, damaged there, or not the same: one sentence, and the database is as it was."""
    with opened_at(SqlitePlace(tmp_path)) as opened:
        play = Days(opened())
        play.days(2)
        before = rows(play.store)
        with monkeypatch.context() as patched:
            wrong(patched)
            with pytest.raises(BadArchive):
                archived(play.house, 1, folder)
        assert rows(play.store) == before
        assert differences(play.store) == []


@pytest.mark.parametrize("change", ["seq", "hash", "again", "unknown"])
def test_the_house_refuses_a_cut_that_is_none(change: str, folder: Path, tmp_path: Path) -> None:
    """In the middle of a round, at another record, twice, or at a table that is not there."""
    with opened_at(SqlitePlace(tmp_path)) as opened:
        play = Days(opened())
        play.days(2)
        (each, *_) = archived(play.house, 1, folder)
        fact = play.house.tables[each.table].archived[-1]
        left = list(play.store.read(table_stream(each.table)))
        seq, last, table = {
            "seq": (left[1].seq, left[1].hash.hex(), each.table),
            "hash": (next(r.seq for r in left[1:] if r.type == "RoundOpened") - 1, "00", each.table),
            "again": (fact.seq, fact.hash, each.table),
            "unknown": (fact.seq, fact.hash, "T9"),
        }[change]
        asked = ArchiveTable(table=table, by="x", before="2026-11-15", seq=seq, hash=last, file="f", sha256="")
        before = rows(play.store)
        (answer,) = play.do(asked)
        assert answer.code in ("bad_archive", "unknown_table")
        assert rows(play.store) == before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda file: file.unlink(), "it is not in"),
        (lambda file: file.write_bytes(file.read_bytes()[:-1] + b"x"), "it is not the file that was written."),
    ],
)
def test_a_missing_or_changed_archive_is_found(
    change: Callable[[Path], None], says: str, folder: Path, tmp_path: Path
) -> None:
    """And the rest is audited as far as it can be seen."""
    with opened_at(SqlitePlace(tmp_path)) as opened:
        play = Days(opened())
        play.days(2)
        (each, *_) = archived(play.house, 1, folder)
        change(folder / each.file)
        report = audit_with_archives(play.store, folder)
        assert report.difference_count == 1
        assert says in str(report.differences[0])
        assert list(report.archived) == [table_stream(each.table)]


def test_records_that_leave_without_a_word_are_missed(folder: Path, tmp_path: Path) -> None:
    """Somebody removes more than was archived, past the guard."""
    place = SqlitePlace(tmp_path)
    with opened_at(place) as opened:
        play = Days(opened())
        play.days(3)
        (each, *_) = archived(play.house, 1, folder)
        assert list(play.store.problems()) == []
        with pytest.raises(Exception, match="never removed"):
            place.raw("DELETE FROM records WHERE stream LIKE 'table/%'")
        play.store.close()
        place.raw("DROP TRIGGER records_remain")
        stream = table_stream(each.table)
        assert stream == "table/T1"
        place.raw(
            "DELETE FROM records WHERE stream = 'table/T1' "
            "AND seq = (SELECT min(seq) FROM records WHERE stream = 'table/T1')"
        )
        found = differences(opened())
        assert any("records_remain" in one for one in found)
        assert any(one.startswith("table/T1") and "missing" in one for one in found)


def test_what_was_written_down_is_held_against_the_archive(folder: Path, tmp_path: Path) -> None:
    """A file of another house, with the same name, is not the one on record; nor is one that ends elsewhere."""
    with opened_at(SqlitePlace(tmp_path)) as opened:
        play = Days(opened())
        play.days(2)
        (each, *_) = archived(play.house, 1, folder)
        found = list(read_rows(folder / each.file))
        assert sum(name == "records" for name, _ in found) == each.records
        whole = audit_with_archives(play.store, folder)
        fact = play.house.tables[each.table].archived[-1]
        assert whole.is_clean
        assert sum(fact.carried.values()) == 0
        assert fact.after == each.last_round


# ---------------------------------------------------------------- forgery


def forge(place: Place, change: Callable[[TableArchived], TableArchived]) -> None:
    """Change the first fact that says what has left, and make the chain of the house's stream anew."""
    db = sqlite3.connect(sqlite_path(place.url), isolation_level=None)
    (guard,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'records_stay'").fetchone()
    db.execute("DROP TRIGGER records_stay")
    before, is_changed = GENESIS, False
    found = db.execute(
        "SELECT stream, seq, type, version, at, command, data, hash FROM records WHERE stream = 'house' ORDER BY seq"
    )
    for record in [Record(*row) for row in found.fetchall()]:
        data = record.data
        if record.type == "TableArchived" and not is_changed:
            data, is_changed = encode(change(msgspec.json.decode(data, type=TableArchived))), True
        before = expected_hash(before, replace(record, data=data))
        db.execute(
            "UPDATE records SET data = ?, hash = ? WHERE stream = 'house' AND seq = ?", (data, before, record.seq)
        )
    db.execute("UPDATE heads SET hash = ? WHERE stream = 'house'", (before,))
    db.execute(guard)
    db.close()
    assert is_changed


def moved_elsewhere(fact: TableArchived) -> TableArchived:
    first, second = list(fact.carried)[:2]
    amounts = {**fact.carried, first: fact.carried[first] + 1, second: fact.carried[second] - 1}
    return replace(fact, carried=amounts)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (moved_elsewhere, "moves other amounts"),
        (
            lambda fact: replace(fact, state=pack_round(replace(unpack_round(fact.state), number=fact.after + 1))),
            "otherwise",
        ),
        (lambda fact: replace(fact, state=b"none"), "otherwise"),
        (lambda fact: replace(fact, hash="00" * 32), "does not end with record"),
        (lambda fact: replace(fact, sha256="00" * 32), "is not the file that was written"),
        (lambda fact: replace(fact, link_seq=fact.link_seq + 10_000), "the link had come to"),
    ],
    ids=["amounts", "state", "no state", "hash", "file", "link"],
)
def test_a_forged_word_on_what_has_left_is_found(
    change: Callable[[TableArchived], TableArchived], says: str, folder: Path, tmp_path: Path
) -> None:
    """With every hash of the chain made anew: by the sums, by what follows, by the answer, or by the archive."""
    place = SqlitePlace(tmp_path)
    with opened_at(place) as opened:
        play = Days(opened())
        play.days(3)
        archived(play.house, 2, folder)
        play.store.close()
        forge(place, change)
        store = opened()
        found = differences(store, folder)
        assert any(says in one for one in found), found
        assert differences(store)


def test_random_changes_of_what_is_left_are_found(folder: Path, tmp_path: Path) -> None:
    """With the archives all of them; without, all but what a link did before its tables' records begin."""
    with small_snapshots():
        small_journal(tmp_path)
        store = SqliteStore(f"sqlite:///{tmp_path / 'house.db'}")
        assert archived(House(store, rich_chance(Random(1), 1.0)), 1000, folder)
        store.close()
        file, base = sqlite3.connect(tmp_path / "house.db"), sqlite3.connect(":memory:", isolation_level=None)
        file.backup(base)
        file.close()
        tamperer = Tamperer(base, 7)
        for _ in range(effort(20)):
            kind, what, db = tamperer.one()
            changed = SqliteStore("sqlite:///memory", connection=db, read_only=True)
            assert differences(changed, folder), f"{kind}: {what}"
            assert differences(changed) or what.startswith("link/"), f"{kind}: {what}"
            db.close()
        base.close()


def test_a_commit_that_fails_leaves_records_and_guard_in_place(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However far the transaction had come; the file that was written is named, and moved away by a person."""
    place = SqlitePlace(tmp_path)
    with opened_at(place) as opened:
        play = Days(opened())
        play.days(2)
        before, remove = rows(play.store), SqliteStore._remove

        def fails(store: SqliteStore, cuts: Sequence[Cut]) -> None:
            remove(store, cuts)
            raise sqlite3.OperationalError("disk I/O error")

        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "_remove", fails)
            with pytest.raises(StoreFailed, match="nothing was written"):
                archived(play.house, 1, folder)
        play.store.close()
        play.again(opened())
        assert rows(play.store) == before
        assert list(play.store.problems()) == []
        assert differences(play.store) == []
        with pytest.raises(BadArchive, match="an interrupted run or another house left it. Move it away."):
            archived(play.house, 1, folder)
        next(folder.iterdir()).unlink()
        assert archived(play.house, 1, folder)
        assert differences(play.store, folder) == []


def test_the_page_of_the_audit_says_what_it_has_not_seen(folder: Path, tmp_path: Path) -> None:
    with opened_at(SqlitePlace(tmp_path)) as opened:
        play = Days(opened())
        play.days(2)
        written = archived(play.house, 1, folder)
        told = audit_report("", "", audit(play.store), trial_balance(play.store), ())
        assert (told.clean, told.archived) == (True, sum(each.records for each in written))
