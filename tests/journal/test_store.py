"""What every store does, run on both kinds: all or nothing, nothing lost, nothing changed, one clear line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.journal.records import GENESIS, Record, answer_hash, chain_hash, checked
from croupier.journal.store import TABLES, Answered, Batch, Head, LedgerRow, SealedDeck, Snapshot, Store, StoreError
from croupier.journal.store_address import open_store
from croupier.testing.private_postgres import PrivatePostgres
from tests.stores import Place, PostgresPlace, SqlitePlace


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("postgres"))


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    opened = place.open()
    yield opened
    opened.close()


def record(stream: str, seq: int, data: bytes = b"{}", before: bytes = GENESIS) -> Record:
    link = chain_hash(before, stream, seq, "Something", 1, 1_700_000_000_000_000, f"c{seq}", data)
    return Record(stream, seq, "Something", 1, 1_700_000_000_000_000, f"c{seq}", data, link)


def chain(stream: str, count: int) -> list[Record]:
    records: list[Record] = []
    for seq in range(1, count + 1):
        records.append(record(stream, seq, f'{{"n":{seq}}}'.encode(), records[-1].hash if records else GENESIS))
    return records


def answered(seq: int, name: str, before: bytes = GENESIS) -> Answered:
    return Answered("answers", seq, name, b"b" * 32, b"{}", answer_hash(before, "answers", seq, name, b"b" * 32, b"{}"))


def entry(stream: str, seq: int, **amounts: int) -> LedgerRow:
    return LedgerRow(stream, seq, tuple(amounts.items()))


def whole_batch() -> Batch:
    records = chain("table/T1", 3)
    return Batch(
        records=records,
        entries=[entry("table/T1", 1, cash=-500, ana=500), entry("table/T1", 2, ana=-200, bank=200)],
        answers=[answered(1, "c1")],
        decks=[SealedDeck("T1", 1, 0, b"\x00sealed\xff")],
        snapshots=[Snapshot("table/T1", 3, records[-1].hash, b"state")],
        opened_accounts={"cash": True, "ana": False, "bank": True},
    )


# ---------------------------------------------------------------- writing and reading


def test_everything_written_is_read_back_also_after_reopening(place: Place) -> None:
    """Records, heads, balances, answers, decks and snapshots."""
    batch = whole_batch()
    first = place.open()
    first.write(batch)
    first.close()
    store = place.open(create=False)
    assert list(checked(store.read("table/T1"))) == batch.records
    assert list(store.read("table/T1", after=2)) == batch.records[2:]
    assert store.head("table/T1") == Head(3, batch.records[-1].hash)
    assert store.head("table/T2") == Head(0, GENESIS)
    assert list(store.streams()) == ["answers", "table/T1"]
    assert dict(store.balances()) == {"ana": 300, "bank": 200, "cash": -500}
    assert dict(store.overdrawable()) == {"ana": False, "bank": True, "cash": True}
    assert store.answers(["c1", "c9"]) == {"c1": batch.answers[0]}
    assert store.deck("T1", 1, 0) == b"\x00sealed\xff"
    assert store.deck("T1", 1, 1) is None
    assert store.snapshot("table/T1") == batch.snapshots[0]
    assert store.snapshot("table/T2") is None
    assert list(store.problems()) == []
    store.close()


def test_a_long_stream_is_read_in_order_and_whole(store: Store) -> None:
    """More records than a page of the reader holds."""
    records = chain("link/main", 5001)
    store.write(Batch(records=records))
    assert list(store.read("link/main")) == records
    assert list(store.read("link/main", after=10, limit=2500)) == records[10:2510]
    assert list(store.read("link/main", limit=2000)) == records[:2000]
    assert len(list(checked(store.read("link/main", after=4000), before=records[3999].hash, seq=4000))) == 1001


def test_a_later_snapshot_takes_the_place_of_the_earlier(store: Store) -> None:
    """A stream has one snapshot."""
    store.write(Batch(snapshots=[Snapshot("table/T1", 3, b"h" * 32, b"old")]))
    store.write(Batch(snapshots=[Snapshot("table/T1", 9, b"i" * 32, b"new")]))
    assert store.snapshot("table/T1") == Snapshot("table/T1", 9, b"i" * 32, b"new")


def test_rows_come_by_code_points_and_are_the_same_in_every_store(tmp_path: Path, postgres: PrivatePostgres) -> None:
    """A backup of one store fills another, row for row."""
    names = ["table/Z", "table/a", "table/é", "table/🂡", "table/B b", "table/ß"]
    batch = whole_batch()
    batch.records += [record(name, 1) for name in names]
    source = SqlitePlace(tmp_path).open()
    source.write(batch)
    shared, copy = PostgresPlace(postgres).open(), SqlitePlace(tmp_path).open()
    shared.fill({table: source.rows(table) for table in TABLES}, {"main": b"state"})
    copy.fill({table: shared.rows(table) for table in TABLES}, {})
    for table in TABLES:
        rows = list(source.rows(table))
        assert rows == sorted(rows)
        assert [tuple(row) for row in shared.rows(table)] == rows
        assert list(copy.rows(table)) == rows
    assert dict(shared.links()) == {"main": b"state"}
    for store in (source, shared, copy):
        store.close()


def test_nothing_is_filled_over_what_is_there(store: Store) -> None:
    """A restore goes into an empty store only."""
    store.write(whole_batch())
    with pytest.raises(StoreError, match="is not empty"):
        store.fill({"records": [("table/T9", 1, "x", 1, 1, "c", b"", b"")]}, {})
    assert store.head("table/T9").seq == 0


def test_a_restore_that_breaks_off_leaves_nothing(store: Store) -> None:
    """The rows of a damaged backup end in the middle."""

    def rows() -> Iterator[tuple[str | int | bytes, ...]]:
        yield ("table/T1", 1, "x", 1, 1, "c", b"", b"")
        raise ValueError("torn")

    with pytest.raises(ValueError, match="torn"):
        store.fill({"records": rows()}, {})
    assert list(store.rows("records")) == []
    store.write(whole_batch())


def test_what_is_read_within_is_of_one_moment(place: Place, store: Store) -> None:
    """An audit reads while the house writes on."""
    store.write(whole_batch())
    reader = place.open(read_only=True)
    with reader.reading():
        assert len(list(reader.rows("records"))) == 3
        store.write(Batch(records=[record("table/T2", 1)]))
        assert len(list(reader.rows("records"))) == 3
        assert "table/T2" not in reader.streams()
        with reader.reading():  # a part of it is of the same moment
            assert len(list(reader.rows("records"))) == 3
        assert len(list(reader.rows("records"))) == 3
    assert len(list(reader.rows("records"))) == 4
    reader.close()


# ---------------------------------------------------------------- all or nothing


def refuses(store: Store, batch: Batch, *, like: str = "nothing was written") -> None:
    """The batch is refused whole, and the store is as it was."""
    before = {table: list(store.rows(table)) for table in TABLES}
    with pytest.raises(StoreError, match=like):
        store.write(batch)
    assert {table: list(store.rows(table)) for table in TABLES} == before


def test_an_overdraft_is_impossible_in_the_database_too(store: Store) -> None:
    """The house checks funds first; were it wrong, the constraint would stop the whole batch."""
    store.write(whole_batch())
    refuses(store, Batch(records=[record("table/T2", 1)], entries=[entry("table/T2", 1, ana=-301, bank=301)]))
    store.write(Batch(records=[record("table/T2", 1)], entries=[entry("table/T2", 1, ana=-300, bank=300)]))
    assert store.balances()["ana"] == 0


def test_a_place_in_a_stream_is_given_once(store: Store) -> None:
    """Two records with one number: the second batch is refused whole."""
    store.write(whole_batch())
    refuses(store, Batch(records=[record("table/T9", 1), record("table/T1", 3, b"other")]))


def test_a_command_is_answered_once(store: Store) -> None:
    """A second answer for one command id is refused with all that comes with it."""
    store.write(whole_batch())
    refuses(store, Batch(records=[record("table/T9", 1)], answers=[answered(2, "c1", b"x" * 32)]))


def test_a_posting_of_nothing_is_refused(store: Store) -> None:
    """An entry moves money."""
    store.write(whole_batch())
    refuses(store, Batch(records=[record("table/T9", 1)], entries=[entry("table/T9", 1, ana=0)]))


def test_records_are_never_changed_or_removed(place: Place, store: Store) -> None:
    """Not even by somebody who writes to the database past the program."""
    store.write(whole_batch())
    for statement in ("UPDATE records SET data = '' WHERE seq = 2", "DELETE FROM records WHERE seq = 3"):
        with pytest.raises(Exception, match="records are never"):
            place.raw(statement)
    assert len(list(checked(store.read("table/T1")))) == 3


def test_a_guard_that_is_gone_is_named(place: Place, store: Store) -> None:
    """Whoever wants to edit records must first take the trigger away, and that shows."""
    if place.kind == "sqlite":
        place.raw("DROP TRIGGER records_stay")
    else:
        place.raw("ALTER TABLE records DISABLE TRIGGER records_stay")
    found = list(store.problems())
    assert len(found) == 1
    assert "records_stay" in found[0]


# ---------------------------------------------------------------- opening


def only_line(place: Place, **how: bool) -> str:
    """What opening says: one line, and no password in it."""
    with pytest.raises(StoreError) as said:
        place.open(**how)
    assert "\n" not in str(said.value)
    return str(said.value)


def test_a_store_that_is_not_there_is_not_made_unasked(place: Place) -> None:
    """An audit or a restore names an existing database."""
    assert "There is no database" in (line := only_line(place, create=False)) or "is empty" in line
    read = only_line(place, read_only=True)
    assert "There is no database" in read or "is not a Croupier database" in read


def test_somebody_elses_database_is_left_alone(place: Place) -> None:
    """It has tables, and none of them is ours."""
    place.raw("CREATE TABLE guests (name TEXT)")
    assert "not a Croupier database" in only_line(place)
    place.raw("CREATE TABLE meta (colour TEXT)")
    assert "not a Croupier database" in only_line(place) or "cannot be used" in only_line(place)
    assert place.raw("SELECT * FROM guests") == []


def test_a_newer_schema_is_refused(place: Place) -> None:
    """A newer program has been here; this one touches nothing."""
    place.open().close()
    place.raw("UPDATE meta SET value = '99' WHERE key = 'schema'")
    assert "has schema 99; this program knows up to 4: use a newer one" in only_line(place)
    assert "has schema 99" in only_line(place, read_only=True)


def test_a_reader_cannot_write(place: Place) -> None:
    """An audit opens the store for reading."""
    place.open().close()
    reader = place.open(read_only=True)
    with pytest.raises(StoreError):
        reader.write(whole_batch())
    assert list(reader.streams()) == []
    reader.close()


@pytest.mark.parametrize("url", ["mysql://host/db", "croupier.db", "", "sqlite:", "sqlite://x.db"])
def test_an_address_that_is_none_is_named(url: str) -> None:
    """The line says how addresses are written."""
    with pytest.raises(StoreError, match="address"):
        open_store(url)


def test_a_table_is_owned_by_its_server(store: Store) -> None:
    """Taking one's own table again changes nothing."""
    assert store.own("T1")
    assert store.own("T1")


def test_what_is_begun_and_abandoned_leaves_nothing(store: Store) -> None:
    """A batch of refused commands touches streams that do not exist."""
    store.write(whole_batch())
    before = {table: list(store.rows(table)) for table in TABLES}
    shared = store.begin(["link/none", "table/T1"], ["ana", "nobody"], watched=["answers", "house"])
    assert shared.heads["table/T1"].seq == 3
    assert shared.heads["link/none"] == Head(0, GENESIS)
    assert shared.heads["answers"].seq == 1
    assert dict(shared.balances) == {"ana": 300}
    store.abandon()
    assert {table: list(store.rows(table)) for table in TABLES} == before
    store.begin(["link/none"], [])
    store.write(Batch(answers=[answered(2, "c2", b"x" * 32)]))
    assert list(store.streams()) == ["answers", "table/T1"]
    assert "link/none" not in [row[0] for row in store.rows("heads")]
