"""Whoever changes a journal is found out: a hundred random changes here, ten thousand in a report run."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from croupier.floor.audit.audit import Audited, audit
from croupier.floor.house.house import House
from croupier.floor.live.floor import os_chance
from croupier.journal.records import ChainBroken
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import StoreError
from croupier.testing.private_postgres import PrivatePostgres
from tests.effort import effort
from tests.floor.played_house import Play
from tests.floor.tamperer import Tamperer, audited, copy_of, small_journal, small_snapshots, tamper, tamper_witnessed


def test_every_change_is_found(tmp_path: Path) -> None:
    """Edits, flipped bits, deletions, swaps, doubles, truncations, and changes whose hashes and entries were redone."""
    tried, missed = tamper(effort(90), seed=4, folder=tmp_path)
    assert missed == []
    assert len(tried) == 8


def test_every_change_is_found_with_a_checkpoint_at_hand(tmp_path: Path) -> None:
    """Also those that leave a journal which agrees with itself: cut tails, forged appends, rewritten times."""
    tried, missed = tamper_witnessed(effort(45), seed=6, folder=tmp_path)
    assert missed == []
    assert len(tried) == 12


def test_every_change_is_found_in_postgresql_too(tmp_path: Path, postgres: PrivatePostgres) -> None:
    tried, missed = tamper_witnessed(effort(10), seed=7, folder=tmp_path, server=postgres)
    assert missed == []
    assert len(tried) > 6


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> sqlite3.Connection:
    with small_snapshots():
        return small_journal(tmp_path_factory.mktemp("journal"))


def changed(base: sqlite3.Connection, *statements: str) -> Audited:
    db = copy_of(base)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    for (declared,) in base.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(declared)
    with small_snapshots():
        report = audited(db)
    db.close()
    return report


def test_an_untouched_journal_is_clean(base: sqlite3.Connection) -> None:
    """Or the others would prove nothing."""
    assert changed(base).differences == ()


def test_an_amount_that_pays_more_is_named_with_what_it_should_be(base: sqlite3.Connection) -> None:
    """Hashes, head, entry and balances all redone: only judging the round again finds it, and says where and how."""
    tamperer = Tamperer(base, seed=1)
    tamperer.kinds = tuple(kind for kind in tamperer.kinds if kind[0].startswith("pay more"))
    _, what, db = tamperer.one()
    with small_snapshots():
        report = audited(db)
    stream, seq, kind, field = what.split()[:4]
    named = [d for d in report.differences if d.where == stream and d.seq == int(seq)]
    assert any(f"{kind}: {field} is " in d.what and "and judged again" in d.what for d in named), report.differences


@pytest.mark.parametrize(
    ("statement", "where", "says"),
    [
        ("UPDATE accounts SET balance = balance + 1 WHERE account = 'player/p1'", "accounts", "player/p1 holds"),
        ("INSERT INTO accounts VALUES ('player/nobody', 0, 0)", "accounts", "player/nobody is in no entry"),
        ("UPDATE accounts SET overdrawable = 1 WHERE account = 'player/p1'", "accounts", "may be overdrawn"),
        ("DELETE FROM heads WHERE stream = 'cashier'", "cashier", "the stream's head stands at 0"),
        ("DELETE FROM records WHERE stream = 'cashier' AND seq = 3", "cashier", "the next one found is 4"),
        ("DELETE FROM answers WHERE seq = 9", "answers", "the answer is missing, the next one found is 10"),
        (
            "DELETE FROM decks WHERE \"table\" = 'T1' AND round = 1",
            "table/T1",
            "the deck of round 1, deal 0, is missing",
        ),
        ("INSERT INTO decks VALUES ('T1', 9999, 0, x'00')", "decks", "T1 9999 0 belongs to no event"),
        ("DELETE FROM snapshots", "snapshots", "has none of its last"),
        ("INSERT INTO postings VALUES ('cashier', 999, 'player/p1', 5)", "postings", "belongs to no event"),
        ("INSERT INTO heads VALUES ('table/T99', 4, x'00')", "table/T99", "it has a head and no records"),
    ],
)
def test_a_difference_says_where_and_what(base: sqlite3.Connection, statement: str, where: str, says: str) -> None:
    """One sentence with the place."""
    report = changed(base, statement)
    assert any(difference.where == where and says in difference.what for difference in report.differences), report


def test_a_trigger_that_is_gone_is_named(base: sqlite3.Connection) -> None:
    """The guard that keeps honest programs from changing records."""
    db = copy_of(base)
    db.execute("DROP TRIGGER records_stay")
    with small_snapshots():
        report = audited(db)
    assert [str(d) for d in report.differences] == [
        "database: records_stay is not declared as this program declares it."
    ]


def test_a_whole_earlier_journal_is_found_only_by_what_was_written_down(base: sqlite3.Connection) -> None:
    """Refusals cut off the end, the head put back: true but too short, and a note of the heads says so."""
    before = changed(base).heads
    last, _ = before["answers"]
    cut = last - 2
    statements = (
        f"DELETE FROM answers WHERE seq > {cut}",
        f"UPDATE heads SET seq = {cut}, hash = (SELECT hash FROM answers WHERE seq = {cut}) WHERE stream = 'answers'",
    )
    assert changed(base, *statements).is_clean
    db = copy_of(base)
    for statement in statements:
        db.execute(statement)
    with small_snapshots():
        report = audit(SqliteStore("sqlite:///memory", connection=db, read_only=True), anchors=before)
    assert [d.what for d in report.differences] == [f"the stream ends here and once stood at {last}."]


def test_a_rewritten_journal_is_found_by_what_was_written_down(base: sqlite3.Connection) -> None:
    """Another hash where one was noted: whoever rewrote everything could not rewrite that."""
    heads = changed(base).heads
    for stream in ("cashier", "answers"):
        seq, _ = heads[stream]
        noted = {**heads, stream: (seq, "00" * 32)}
        with small_snapshots():
            report = audit(SqliteStore("sqlite:///memory", connection=copy_of(base), read_only=True), anchors=noted)
        assert [str(d) for d in report.differences] == [
            f"{stream} {seq}: its hash is not the one that was written down."
        ]


def test_a_journal_put_in_the_place_of_another_is_found_by_what_was_written_down(
    base: sqlite3.Connection, tmp_path: Path
) -> None:
    """An empty one has nothing that differs from itself; every stream that was written down is missed in it."""
    heads = changed(base).heads
    empty = SqliteStore(f"sqlite:///{tmp_path / 'empty.db'}")
    assert audit(empty).is_clean
    found = {d.where: d.what for d in audit(empty, anchors=heads).differences}
    empty.close()
    assert found.keys() == heads.keys()
    assert found["cashier"] == f"it once stood at {heads['cashier'][0]} and has no records."
    assert found["answers"] == f"it once stood at {heads['answers'][0]} and has no answers."


def test_a_damaged_file_is_a_difference_and_no_crash(tmp_path: Path) -> None:
    """Bytes overwritten anywhere in the file, or its end cut off: found, or nothing of the journal was touched."""
    file = tmp_path / "house.db"
    store = SqliteStore(f"sqlite:///{file}")
    Play(store, seed=2).play(60)
    rows = {table: list(store.rows(table)) for table in ("records", "postings", "answers", "accounts", "decks")}
    store.close()
    whole = file.read_bytes()
    random = Random(6)
    found = 0
    for number in range(40):
        damaged = tmp_path / f"damaged-{number}.db"
        data = bytearray(whole)
        if number % 4 == 0:
            del data[random.randrange(1, len(data)) :]
        else:
            place = random.randrange(100, len(data) - 40)
            data[place : place + 40] = random.randbytes(40)
        damaged.write_bytes(data)
        try:
            reader = SqliteStore(f"sqlite:///{damaged}", read_only=True)
        except StoreError:
            found += 1
            continue
        report = audit(reader)
        with suppress(StoreError, ChainBroken):  # and nothing else: whoever starts on it is told in one line
            House(reader, os_chance())
        if report.is_clean:
            assert {table: list(reader.rows(table)) for table in rows} == rows
        found += not report.is_clean
        reader.close()
    assert found > 20
