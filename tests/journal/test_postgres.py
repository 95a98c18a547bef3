"""What only the shared store has: locks, owners, notices, connections that are lost, servers that cannot be used."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import LiteralString

import psycopg
import pytest

from croupier.floor.house.house import House
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    BuyIn,
    HouseCommand,
    OpenLink,
    OpenTable,
    Request,
    TableConfig,
)
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal import postgres, sql
from croupier.journal.postgres import PostgresStore, shown_url
from croupier.journal.postgres_arrays import PACKED
from croupier.journal.postgres_schema import STEPS
from croupier.journal.records import GENESIS
from croupier.journal.store import NAMES, TABLES, Batch, Row, Snapshot, Store, StoreConflict, StoreError, StoreFailed
from croupier.journal.store_address import open_store
from croupier.rounds.commands import DecideHand, OpenRound
from croupier.rounds.dealing import decision_due
from croupier.testing.fault_proxy import Cut, Wire
from croupier.testing.private_postgres import PrivatePostgres, wheel_folders
from tests.floor.house_builder import (
    HOLDEM,
    ROYAL,
    STRAIGHT_FLUSH,
    at,
    balance,
    bets,
    buy_in,
    checked_books,
    do,
    eventually,
    house,
    open_link,
    open_table,
    play_out,
)
from tests.journal.test_store import answered, record, whole_batch
from tests.stores import PostgresPlace, SqlitePlace


@pytest.fixture
def place(postgres: PrivatePostgres) -> PostgresPlace:
    return PostgresPlace(postgres)


@pytest.fixture
def store(place: PostgresPlace) -> Iterator[PostgresStore]:
    opened = PostgresStore(place.url)
    yield opened
    opened.close()


@pytest.fixture
def another(place: PostgresPlace, store: PostgresStore) -> Iterator[PostgresStore]:
    opened = PostgresStore(place.url)
    yield opened
    opened.close()


# ---------------------------------------------------------------- sharing


def test_a_table_is_one_servers_until_its_connection_ends(store: PostgresStore, another: PostgresStore) -> None:
    """A dead server's tables are free at once."""
    assert store.own("T1")
    assert not another.own("T1")
    assert another.own("T2")
    store.close()
    assert eventually(lambda: another.own("T1"))


def test_houses_in_two_schemas_do_not_know_each_other(store: PostgresStore, postgres: PrivatePostgres) -> None:
    """Two houses in one database each have their table T1."""
    assert store.own("T1")
    elsewhere = PostgresStore(PostgresPlace(postgres).url)
    assert elsewhere.own("T1")
    elsewhere.close()


def test_who_begins_second_waits_and_sees_what_the_first_did(store: PostgresStore, another: PostgresStore) -> None:
    """Heads, what came to the link and balances, as the first left them."""
    store.write(whole_batch())
    first = record("link/main", 1)
    store.begin(["link/main"], ["ana"])
    seen, waiting = [], Event()

    def second() -> None:
        waiting.set()
        seen.append(another.begin(["link/main"], ["ana"], watched=["house"], links={"link/main": 0}))
        another.abandon()

    thread = Thread(target=second)
    thread.start()
    waiting.wait()
    thread.join(0.3)
    assert thread.is_alive(), "the second server waits"
    store.write(Batch(records=[first, record("house", 1)], links={"main": b"after"}))
    thread.join(10)
    assert seen[0].heads["link/main"].seq == 1
    assert seen[0].heads["house"].seq == 1
    assert list(seen[0].records) == [first]
    assert dict(seen[0].balances) == {"ana": 300}


def test_servers_that_touch_different_things_do_not_wait(store: PostgresStore, another: PostgresStore) -> None:
    """Other links and other players go on."""
    store.begin(["link/main"], ["ana"], watched=["house"])
    another.begin(["link/other", "cashier"], ["ben"], watched=["house", "link/main"])
    another.write(Batch(records=[record("link/other", 1)]))
    store.write(Batch(records=[record("link/main", 1)]))
    assert list(store.streams()) == ["link/main", "link/other"]


def test_commits_are_told_to_whoever_listens(store: PostgresStore, another: PostgresStore) -> None:
    """The streams that servers share and that moved, also by another server; nothing of what was rolled back."""
    listening = another.listen(0.2)
    assert next(listening) == frozenset()
    store.begin(["link/none"], [])
    store.abandon()
    store.write(Batch(records=[record("link/main", 1), record("table/T1", 1)]))
    heard: set[str] = set()
    for moved in listening:
        if not moved:
            break
        heard |= moved
    assert heard == {"link/main"}
    listening.close()


def test_the_second_of_two_answers_is_told_to_try_again(store: PostgresStore, another: PostgresStore) -> None:
    """Nothing of its batch is written, and its store goes on."""
    store.write(Batch(answers=[answered(1, "once")]))
    with pytest.raises(StoreConflict, match="nothing was written"):
        another.write(Batch(records=[record("table/T1", 1)], answers=[answered(2, "once")]))
    another.write(Batch(records=[record("table/T1", 1)]))
    assert another.head("table/T1").seq == 1


def test_a_store_goes_on_however_often_it_was_told_to_try_again(store: PostgresStore, another: PostgresStore) -> None:
    """psycopg prepares a statement that it has often sent; one that came after the failed one was never prepared."""
    store.write(Batch(answers=[answered(1, "once")]))
    for number in range(1, 12):
        with pytest.raises(StoreConflict):
            another.write(Batch(answers=[answered(2, "once")], snapshots=[Snapshot("table/T1", 1, GENESIS, b"x")]))
        another.write(Batch(records=[record("table/T1", number)]))
    assert another.head("table/T1").seq == 11


def test_accounts_are_taken_without_waiting_after_a_link(store: PostgresStore, another: PostgresStore) -> None:
    """All of those that there are, or none where another server holds one."""
    store.write(whole_batch())
    store.begin([], ["ana"])
    another.begin(["link/main"], [])
    assert another.take_free(["ana", "nobody"]) is None
    assert another.take_free(["nobody"]) == {}
    store.abandon()
    assert another.take_free(["ana", "nobody"]) == {"ana": 300}
    another.abandon()


def test_a_first_part_is_seen_with_the_second_alone(store: PostgresStore, another: PostgresStore) -> None:
    """It is written before the link is locked, and gone where the transaction is abandoned."""
    store.write(Batch(records=[record("link/main", 1)]))
    for is_kept in (False, True):
        store.begin([], [])
        shared = store.extend(Batch(records=[record("table/T1", 1)]), {"link/main": 0})
        assert (shared.heads["link/main"].seq, [found.seq for found in shared.records]) == (1, [1])
        assert another.head("table/T1").seq == 0
        if is_kept:
            store.write(Batch(records=[record("link/main", 2)]))
        else:
            store.abandon()
    assert [another.head(stream).seq for stream in ("table/T1", "link/main")] == [1, 2]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("text", ["", "ana", "Ünïcode", "x" * 5000]),
        ("bytea", [b"", b"\0", bytes(range(256)) * 20]),
        ("int8", [0, -1, 2**62, -(2**63)]),
        ("int4", [0, -1, 2**31 - 1]),
        ("int2", [1, 0, -(2**15)]),
        ("text", []),
        ("int8", []),
    ],
)
def test_columns_arrive_as_they_were_packed(
    store: PostgresStore, kind: str, values: Sequence[str] | Sequence[bytes] | Sequence[int]
) -> None:
    """In their order, with none missing."""
    found = store._db.execute("SELECT unnest(%b), pg_typeof(%b)::text", (PACKED[kind](values), PACKED[kind](values)))
    names = {"text": "text", "bytea": "bytea", "int8": "bigint", "int4": "integer", "int2": "smallint"}
    assert found.fetchall() == [(value, f"{names[kind]}[]") for value in values]


def test_a_posting_to_an_account_that_is_not_there_is_refused(store: PostgresStore) -> None:
    """Money does not vanish into a misspelt name."""
    batch = whole_batch()
    del batch.opened_accounts["bank"]
    with pytest.raises(StoreFailed, match="an account of a posting is missing"):
        store.write(batch)
    assert [list(store.rows(table)) for table in TABLES] == [[] for _ in TABLES]


def test_records_cannot_be_truncated(place: PostgresPlace, store: PostgresStore) -> None:
    """The one way around row triggers has a trigger too."""
    store.write(whole_batch())
    with pytest.raises(psycopg.Error, match="records are never"):
        place.raw("TRUNCATE records")
    place.raw("ALTER TABLE accounts DROP CONSTRAINT never_overdrawn")
    assert ["never_overdrawn" in problem or "balance >= 0" in problem for problem in store.problems()] == [True]


_GUTTED = "CREATE OR REPLACE FUNCTION {}{} LANGUAGE plpgsql AS 'BEGIN RETURN{}; END'"
_REWIRED = "DROP TRIGGER {0} ON records; CREATE TRIGGER {0} {1} FOR EACH {2} EXECUTE FUNCTION records_stay()"


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        (_GUTTED.format("records_stay", "() RETURNS trigger", " NEW"), "function records_stay"),
        (_GUTTED.format("post", "(names text[], amounts bigint[]) RETURNS void", ""), "function post"),
        (
            _REWIRED.format("records_stay", "BEFORE UPDATE OF version OR DELETE ON records", "ROW"),
            "trigger records_stay",
        ),
        (
            _REWIRED.format("records_stay", "BEFORE UPDATE OR DELETE ON records", "ROW WHEN (false)"),
            "trigger records_stay",
        ),
        (_REWIRED.format("records_remain", "BEFORE INSERT ON records", "ROW"), "trigger records_remain"),
        ("ALTER TABLE records ENABLE REPLICA TRIGGER records_remain", "trigger records_remain"),
        ("ALTER TABLE answers DROP CONSTRAINT answers_seq_check", "answers has lost its constraint"),
        ("ALTER TABLE postings DROP CONSTRAINT postings_amount_check", "postings has lost its constraint"),
        ("ALTER TABLE decks DROP CONSTRAINT decks_pkey", "decks has lost its constraint"),
    ],
)
def test_a_guard_that_no_longer_guards_is_named(
    place: PostgresPlace, store: PostgresStore, statement: LiteralString, named: str
) -> None:
    """It has its name still, and does nothing, or less than it did."""
    assert list(store.problems()) == []
    place.raw(statement)
    (found,) = store.problems()
    assert named in found


# ---------------------------------------------------------------- connections that are lost


def test_a_lost_connection_stops_the_server_and_leaves_nothing(place: PostgresPlace, store: PostgresStore) -> None:
    """The administrator ends it between two statements."""
    store.begin(["link/main"], [])
    place.raw(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'croupier%' "
        "AND state = 'idle in transaction'"
    )
    with pytest.raises(StoreFailed, match="the connection was lost"):
        store.write(whole_batch())
    with pytest.raises(StoreError, match="cannot be read"):
        store.head("table/T1")
    with pytest.raises(StoreFailed, match="nothing was written"):
        store.begin([], [])
    with PostgresPlaceOpened(place) as again:
        assert [list(again.rows(table)) for table in TABLES] == [[] for _ in TABLES]


class PostgresPlaceOpened:
    """A store for the length of a with statement."""

    def __init__(self, place: PostgresPlace) -> None:
        self.store = PostgresStore(place.url)

    def __enter__(self) -> PostgresStore:
        return self.store

    def __exit__(self, *_: object) -> None:
        self.store.close()


def back_again(url: str) -> House:
    """A server after its restart; it has its tables when PostgreSQL has noticed that the earlier connection is gone."""
    restarted = house(open_store(url))
    assert eventually(lambda: not restarted.collect(1) and all(table.ours for table in restarted.tables.values()))
    return restarted


@pytest.mark.parametrize("cut", list(Cut))
def test_a_commit_whose_answer_is_lost_was_done_or_not_and_is_never_done_twice(place: PostgresPlace, cut: Cut) -> None:
    """The server stops; after the restart the command's id tells, and sending it again comes to the same."""
    wire = Wire(place.url)
    running = house(open_store(wire.url))
    open_link(running, contribution=Rate(1, 5))
    open_table(running, "T1")
    buy_in(running, "ana")
    wire.cut = cut
    with pytest.raises(StoreFailed, match="the connection was lost and whether it was done is not known"):
        do(running, BuyIn(player="ana", amount=777), "unsure")
    assert wire.cuts == 1
    with pytest.raises(StoreFailed):
        do(running, BuyIn(player="ana", amount=1))
    wire.cut = None
    restarted = back_again(wire.url)
    was_done = "unsure" in restarted.store.answers(["unsure"])
    assert was_done is (cut is Cut.AFTER_COMMIT)
    assert balance(restarted, "player/ana") == 1_000_000 + (777 if was_done else 0)
    do(restarted, BuyIn(player="ana", amount=777), "unsure")
    assert balance(restarted, "player/ana") == 1_000_777
    at(restarted, "T1", *bets("ana"))
    play_out(restarted, "T1")
    checked_books(restarted.store)
    restarted.store.close()
    wire.close()


def test_rounds_cut_at_every_commit_come_out_as_rounds_that_were_not(place: PostgresPlace) -> None:
    """Every command of a round is cut, in turn before and after its commit, and sent again after a restart."""
    wire = Wire(place.url)
    running = house(open_store(wire.url))
    open_link(running, contribution=Rate(7, 33))
    open_table(running, "T1")
    buy_in(running, "ana")
    for number, command in enumerate(bets("ana")):
        wire.cut = (Cut.BEFORE_COMMIT, Cut.AFTER_COMMIT)[number % 2]
        with pytest.raises(StoreFailed):
            do(running, AtTable(table="T1", command=command), f"cut-{number}")
        wire.cut = None
        running = back_again(wire.url)
        do(running, AtTable(table="T1", command=command), f"cut-{number}")
    assert balance(running, "table/T1/layout") == 1500
    assert running.links["main"].contributed == 500 * 7 * running.links["main"].scale // 33
    play_out(running, "T1")
    checked_books(running.store)
    running.store.close()
    wire.close()


# ---------------------------------------------------------------- servers that cannot be used


def line(url: str) -> str:
    """What opening says, in one line."""
    with pytest.raises(StoreError) as said:
        open_store(url)
    assert "\n" not in str(said.value)
    return str(said.value)


def test_an_unreachable_server_is_named() -> None:
    """The address without its password, and why."""
    said = line("postgresql://croupier:s3cret@127.0.0.1:1/house")
    assert said.startswith("The database postgresql://127.0.0.1:1/house cannot be reached: ")
    assert "?" not in said
    assert "refused" in said
    assert "s3cret" not in said


def test_a_wrong_password_or_database_is_named(postgres: PrivatePostgres) -> None:
    """PostgreSQL's own words."""
    assert 'database "nothing" does not exist' in line(postgres.url("nothing"))
    assert 'role "mallory" does not exist' in line(postgres.url().replace("croupier@", "mallory@"))


def test_an_address_that_cannot_be_read_is_named() -> None:
    """No password is shown where the address is garbled either."""
    assert "cannot be reached" in (said := line("postgresql://user:s3cret@host:port/name"))
    assert "s3cret" not in said
    assert shown_url("postgresql://user:s3cret@[::/name") == "postgresql://…"


def test_a_password_is_asked_for_and_checked() -> None:
    """A server that asks for passwords: the right one opens, a wrong one is one line."""
    with PrivatePostgres() as server:
        with psycopg.connect(server.url(), autocommit=True) as db:
            db.execute("CREATE ROLE floor LOGIN PASSWORD 'right'")
            db.execute("CREATE DATABASE floor OWNER floor")
        rules = server.folder / "data" / "pg_hba.conf"
        rules.write_text("local all croupier trust\nlocal all floor scram-sha-256\n", encoding="utf-8")
        with psycopg.connect(server.url(), autocommit=True) as db:
            db.execute("SELECT pg_reload_conf()")
        address = server.url("floor").replace("croupier@", "floor:{}@")
        said = line(address.format("wrong"))
        assert 'password authentication failed for user "floor"' in said
        assert "wrong" not in said
        open_store(address.format("right")).close()


def test_a_server_that_does_not_keep_its_word_is_refused() -> None:
    """Without fsync a commit is a promise that nobody keeps; other encodings lose letters."""
    with PrivatePostgres(settings=("fsync=off",)) as server:
        assert "runs with fsync off" in line(server.url())
    with PrivatePostgres() as server:
        with psycopg.connect(server.url(), autocommit=True) as db:
            db.execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0")
        assert "keeps text as SQL_ASCII; it must be UTF8" in line(server.url("ascii"))


def test_commits_are_durable_whatever_the_server_is_set_to(place: PostgresPlace) -> None:
    """Somebody has switched synchronous_commit off for everybody."""
    careless = place.url.replace("options=", "options=-csynchronous_commit%3Doff%20")
    store = PostgresStore(careless)
    assert store._db.execute("SHOW synchronous_commit").fetchone() == ("on",)
    store.close()


def test_an_older_schema_is_brought_up(place: PostgresPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next release adds a step; a database of this one is brought up with what it holds, and once."""
    first = PostgresStore(place.url)
    first.write(whole_batch())
    first.close()
    steps = (*STEPS, "ALTER TABLE decks ADD COLUMN note text; CREATE TABLE notes (note text)")
    with monkeypatch.context() as newer:
        newer.setattr(postgres, "STEPS", steps)
        newer.setattr(sql, "SCHEMA_VERSION", 5)
        for _ in range(2):
            store = PostgresStore(place.url)
            assert len(list(store.read("table/T1"))) == 3
            store.close()
        assert place.raw("SELECT value FROM meta") == [("5",)]
        assert place.raw("SELECT count(*) FROM notes") == [(0,)]
    assert "has schema 5; this program knows up to 4" in line(place.url)


def test_a_step_that_fails_leaves_the_schema_as_it_was(place: PostgresPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a step or nothing."""
    PostgresStore(place.url).close()
    monkeypatch.setattr(postgres, "STEPS", (*STEPS, "CREATE TABLE notes (note text); SELECT 1 / 0"))
    monkeypatch.setattr(sql, "SCHEMA_VERSION", 5)
    assert "division by zero" in line(place.url)
    assert place.raw("SELECT value FROM meta") == [("4",)]
    assert place.raw("SELECT to_regclass('notes')") == [(None,)]


def test_servers_that_start_together_make_one_schema(place: PostgresPlace) -> None:
    """Eight at once in an empty database."""
    stores: list[PostgresStore] = []
    threads = [Thread(target=lambda: stores.append(PostgresStore(place.url))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 8
    for store in stores:
        store.close()


def test_without_psycopg_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an optional dependency."""
    monkeypatch.setitem(sys.modules, "croupier.journal.postgres", None)
    assert "pip install 'croupier[postgres]'" in line("postgresql://host/name")


@pytest.mark.parametrize("programs", list(wheel_folders()), ids=lambda folder: folder.parent.name)
def test_the_servers_of_the_wheel_will_do(programs: Path) -> None:
    """Where the machine has none; a crash in the middle loses nothing that was committed."""
    with PrivatePostgres(programs) as server:
        store = open_store(server.url())
        store.write(whole_batch())
        assert list(store.problems()) == []
        server.crash()
        with pytest.raises(StoreError):
            store.write(Batch(records=[record("table/T2", 1, before=GENESIS)]))
        server.start()
        again = open_store(server.url())
        assert len(list(again.read("table/T1"))) == 3
        again.close()


def test_play_on_both_stores_writes_the_same_rows(place: PostgresPlace, tmp_path: Path) -> None:
    """The same commands with the same chance: every record, entry, answer, deck and snapshot is the same."""
    stores = [SqlitePlace(tmp_path).open(), place.open()]
    for store in stores:
        _play_sixty_rounds(store)
    for table in TABLES:
        ours, theirs = ([_without_chain(table, row) for row in store.rows(table)] for store in stores)
        assert sorted(ours) == sorted(theirs)
        assert ours or table == NAMES  # nobody was enrolled
    for store in stores:
        store.close()


def _play_sixty_rounds(store: Store) -> None:
    running, ids = house(store, ROYAL, STRAIGHT_FLUSH), count(1)

    def asked(command: HouseCommand) -> Answer:
        return running.process([Request(f"command {next(ids)}", command, 1_700_000_000_000_000)])[0]

    parameters = Parameters(reset=10**7, contribution=Rate(7, 33), reserve=Rate(1, 7), cap=100_010_000)
    asked(OpenLink(link="main", meter=10**8, parameters=parameters))
    for table, player in (("T1", "ana"), ("T2", "ben")):
        asked(OpenTable(table=table, config=TableConfig(game=HOLDEM, link="main")))
        asked(BuyIn(player=player, amount=10**6))
    for number in range(60):
        table, player = (("T1", "ana"), ("T2", "ben"))[number % 2]
        assert all(asked(AtTable(table=table, command=command)).accepted for command in bets(player))
        assert asked(AtTable(table=table, command=OpenRound())).code == "round_is_open"
        playing = running.tables[table]
        while (due := decision_due(playing.terms, playing.round)) is not None:
            asked(AtTable(table=table, command=DecideHand(box=1, choice=due[0].bet)))


def _without_chain(table: str, row: Row) -> Row:
    """An answer is chained to those of its own server, whose chain has another name in a shared store."""
    if table == "answers":
        return row[1:5]
    return ("answers", row[1]) if table == "heads" and str(row[0]).startswith("answers") else tuple(row)
