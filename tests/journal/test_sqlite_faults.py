"""What can go wrong with a file: one clear line each, and nothing half-written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.backups.backup import back_up
from croupier.floor.house.writer import HouseStopped, Writer
from croupier.floor.records.commands import BuyIn, Request
from croupier.journal import sql, sqlite
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Batch, LedgerRow, StoreError, StoreFailed
from tests.floor.played_house import NOW, Play
from tests.patience import PATIENCE


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else's lock is waited for only a moment."""
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)


def played(file: Path, commands: int = 60) -> Play:
    play = Play(SqliteStore(f"sqlite:///{file}"))
    play.play(commands)
    return play


def refused(url: str, *, create: bool = True, read_only: bool = False) -> str:
    with pytest.raises(StoreError) as wrong:
        SqliteStore(url, create=create, read_only=read_only)
    message = str(wrong.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def is_whole(file: Path) -> int:
    """The audit finds nothing; how many commands were answered."""
    store = SqliteStore(f"sqlite:///{file}", read_only=True)
    report = audit(store)
    store.close()
    assert report.is_clean, report.differences
    return report.commands


# ---------------------------------------------------------------- opening


def test_a_file_that_is_no_database_is_left_as_it_is(file: Path) -> None:
    """Not even a header is written into it."""
    file.write_text("Dear diary, today I won at cards.\n" * 50, encoding="utf-8")
    before = file.read_bytes()
    assert "file is not a database" in refused(f"sqlite:///{file}")
    assert file.read_bytes() == before


def test_a_database_of_somebody_else_is_left_as_it_is(file: Path) -> None:
    """Its tables stay alone."""
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    assert "not a Croupier database" in refused(f"sqlite:///{file}")
    with sqlite3.connect(file) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    other.close()


def test_a_directory_is_no_database(tmp_path: Path) -> None:
    """And no lock file is left beside it."""
    (tmp_path / "folder").mkdir()
    assert refused(f"sqlite:///{tmp_path / 'folder'}") == f"{tmp_path / 'folder'} is a directory, not a database."
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Nothing is made on the way."""
    assert f"there is no directory {tmp_path / 'nowhere'}" in refused(f"sqlite:///{tmp_path / 'nowhere' / 'a.db'}")


def test_a_file_that_is_not_there_is_not_made_by_a_reader(file: Path) -> None:
    """Nor where making it was not asked for."""
    assert refused(f"sqlite:///{file}", read_only=True) == f"There is no database {file}."
    assert refused(f"sqlite:///{file}", create=False) == f"There is no database {file}."
    assert not file.exists()


@pytest.mark.parametrize(
    ("value", "says"), [("5", "use a newer one"), ("0", "not a Croupier database"), ("one", "not a Croupier database")]
)
def test_a_schema_that_is_not_ours_is_named(file: Path, value: str, says: str) -> None:
    """Newer, impossible, or no number at all."""
    SqliteStore(f"sqlite:///{file}").close()
    with sqlite3.connect(file) as db:
        db.execute("UPDATE meta SET value = ?", (value,))
    db.close()
    assert says in refused(f"sqlite:///{file}")


NEXT_STEP = "ALTER TABLE decks ADD COLUMN note TEXT;\nCREATE TABLE notes (note TEXT);\n"


def test_an_older_schema_is_brought_up(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next release adds a step; a file of this one is brought up with what it holds, and once. A reader reads it as
    it is.
    """
    play = played(file)
    play.store.close()
    with monkeypatch.context() as newer:
        newer.setattr(sqlite, "STEPS", (*sqlite.STEPS, NEXT_STEP))
        newer.setattr(sql, "SCHEMA_VERSION", 5)
        reader = SqliteStore(f"sqlite:///{file}", read_only=True)
        assert list(reader.problems()) == []
        reader.close()
        for _ in range(2):
            store = SqliteStore(f"sqlite:///{file}")
            assert store.head("answers").seq == len(play.asked)
            assert store._db.execute("SELECT value FROM meta").fetchall() == [("5",)]
            assert [problem for problem in store.problems() if "declared" in problem] == []
            store._db.execute("SELECT decks.note, notes.note FROM decks, notes")
            store.close()
    assert "has schema 5; this program knows up to 4" in refused(f"sqlite:///{file}")


def test_a_step_that_fails_leaves_the_schema_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a step or nothing."""
    play = played(file)
    play.store.close()
    with monkeypatch.context() as newer:
        newer.setattr(sqlite, "STEPS", (*sqlite.STEPS, NEXT_STEP + "INSERT INTO nowhere VALUES (1);"))
        newer.setattr(sql, "SCHEMA_VERSION", 5)
        assert "cannot be created or upgraded: no such table: nowhere" in refused(f"sqlite:///{file}")
    assert is_whole(file) == len(play.asked)


def test_a_python_with_an_old_sqlite_is_told_so(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is made."""
    monkeypatch.setattr(sqlite, "_OLDEST", (99, 0, 0))
    assert "must be 3.33 or newer" in refused(f"sqlite:///{file}")
    assert not file.exists()


def test_a_posting_to_an_account_that_is_not_there_stops_the_server(file: Path) -> None:
    """Money does not vanish into a misspelt name."""
    store = SqliteStore(f"sqlite:///{file}")
    posting = LedgerRow("table/T1", 1, (("ana", -5), ("bank", 5)))
    with pytest.raises(StoreFailed, match="an account of a posting is missing"):
        store.write(Batch(entries=[posting], opened_accounts={"ana": True}))
    assert (list(store.rows("accounts")), list(store.rows("postings"))) == ([], [])
    store.close()


def test_two_servers_never_write_to_one_file(file: Path) -> None:
    """The second is told; when the first has ended, it may."""
    first = SqliteStore(f"sqlite:///{file}")
    assert "in use by another server" in refused(f"sqlite:///{file}")
    reader = SqliteStore(f"sqlite:///{file}", read_only=True)
    reader.close()
    first.close()
    SqliteStore(f"sqlite:///{file}").close()


def test_a_failed_opening_lets_the_lock_go(file: Path) -> None:
    """Whoever repairs the file need not restart anything else."""
    file.write_bytes(b"no database" * 100)
    assert str(file) in refused(f"sqlite:///{file}")
    file.unlink()
    store = SqliteStore(f"sqlite:///{file}")
    assert file.read_bytes().startswith(b"SQLite format 3")
    store.close()


def test_a_locked_database_is_named(file: Path) -> None:
    """Another program holds it: opening waits a moment and then says so."""
    SqliteStore(f"sqlite:///{file}").close()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("PRAGMA journal_mode = DELETE")
    other.execute("BEGIN EXCLUSIVE")
    assert "database is locked" in refused(f"sqlite:///{file}")
    other.close()


@pytest.fixture
def somebody() -> Iterator[Path]:
    """A folder that anybody may read; where the tests run as root, they go on as nobody."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_read_only_file_is_named_and_can_be_read(somebody: Path) -> None:
    """A server cannot use it, an auditor can."""
    file = somebody / "house.db"
    played(file).store.close()
    file.chmod(0o444)
    somebody.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        assert "cannot be written: Permission denied" in refused(f"sqlite:///{file}")
        is_whole(file)
    finally:
        if root:
            os.seteuid(0)
        somebody.chmod(0o755)


# ---------------------------------------------------------------- writing


def test_somebody_who_locks_the_file_stops_the_server_and_loses_nothing(file: Path) -> None:
    """The command is not answered, and not half done."""
    play = played(file)
    done = len(play.asked)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="nothing was written: the database refused it: database is locked"):
        play.do(BuyIn(player="p1", amount=100))
    other.execute("ROLLBACK")
    other.close()
    play.store.close()
    assert is_whole(file) == done


def test_a_full_disk_stops_the_server_and_loses_nothing(file: Path) -> None:
    """SQLite may use no more pages: the transaction is gone whole, what was answered is there."""
    play = played(file)
    store = play.store
    assert isinstance(store, SqliteStore)
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFailed, match="disk is full"):
        play.play(10_000)
    done = len(play.asked)
    store.close()
    assert is_whole(file) == done
    again = Play(SqliteStore(f"sqlite:///{file}"))
    assert again.house.heads["answers"].seq == done
    again.store.close()


FILLS_THE_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import StoreError
from tests.floor.played_house import Play
play = Play(SqliteStore(f"sqlite:///{sys.argv[1]}"))
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, resource.RLIM_INFINITY))
try:
    while True:
        play.do(play.some())
        print(len(play.asked), flush=True)
except StoreError as wrong:
    print(f"stopped: {wrong}", file=sys.stderr)
    sys.exit(3)
"""


def test_a_file_that_cannot_grow_stops_the_server_and_loses_nothing(file: Path) -> None:
    """The operating system itself refuses to write on: every answered command is there after a restart."""
    command = [sys.executable, "-c", FILLS_THE_DISK, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 3, done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("stopped: sqlite:///")
    answered = int(done.stdout.split()[-1])
    assert answered > 50
    SqliteStore(f"sqlite:///{file}").close()
    assert is_whole(file) >= answered


def test_a_torn_write_ahead_log_leaves_an_earlier_commit_whole(tmp_path: Path) -> None:
    """However much of its end is missing or damaged, the database is at some commit, with everything of it."""
    file = tmp_path / "house.db"
    play = played(file, 40)
    store = play.store
    assert isinstance(store, SqliteStore)
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store._db.execute("PRAGMA wal_autocheckpoint = 0")
    before = len(play.asked)
    play.play(40)
    random = Random(4)
    log = Path(f"{file}-wal").read_bytes()
    found = set()
    for number in range(25):
        torn = tmp_path / f"torn-{number}.db"
        shutil.copy(file, torn)
        data = bytearray(log[: random.randrange(len(log))])
        if number % 3 == 0 and data:
            data[random.randrange(len(data))] ^= 0xFF
        Path(f"{torn}-wal").write_bytes(data)
        commands = is_whole(torn)
        assert before <= commands <= len(play.asked)
        found.add(commands)
    store.close()
    assert len(found) > 5


# ---------------------------------------------------------------- the writer


def test_a_failed_commit_stops_the_writer_for_good(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits is told, whoever comes later too; nothing that was not certain was answered."""
    play = played(file)
    done = len(play.asked)
    told: list[BaseException] = []
    writer = Writer(play.house, failed=told.append)
    assert writer.submit(Request("good", BuyIn(player="p1", amount=100), NOW)).result().accepted

    def failing(_: object) -> None:
        raise StoreFailed("the commit failed, so the server stops: disk I/O error.")

    monkeypatch.setattr(play.store, "write", failing)
    waiting = [writer.submit(Request(f"bad{n}", BuyIn(player="p1", amount=100), NOW)) for n in range(5)]
    for future in waiting:
        with pytest.raises(HouseStopped, match="disk I/O error"):
            future.result(timeout=PATIENCE)
    assert isinstance(told[0], StoreFailed)
    monkeypatch.undo()
    with pytest.raises(HouseStopped):
        writer.submit(Request("late", BuyIn(player="p1", amount=100), NOW)).result(timeout=PATIENCE)
    play.store.close()
    assert is_whole(file) == done + 1


def test_a_failed_sync_is_a_failed_commit(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's own commit raises: the store says that it failed, and has rolled back."""
    play = played(file)
    done = len(play.asked)
    store = play.store
    assert isinstance(store, SqliteStore)

    class Failing:
        """A connection whose commits fail, as after a failed fsync."""

        def __init__(self, db: sqlite3.Connection) -> None:
            self.db = db

        def __getattr__(self, name: str) -> object:
            return getattr(self.db, name)

        def execute(self, statement: str, values: Sequence[str | int | bytes] = ()) -> sqlite3.Cursor:
            if statement == "COMMIT":
                raise sqlite3.OperationalError("disk I/O error")
            return self.db.execute(statement, values)

    real = store._db
    monkeypatch.setattr(store, "_db", Failing(real))
    with pytest.raises(StoreFailed, match="the commit failed, so the server stops: disk I/O error"):
        play.do(BuyIn(player="p1", amount=100))
    monkeypatch.undo()
    assert not real.in_transaction
    store.close()
    assert is_whole(file) == done


# ---------------------------------------------------------------- one writer, one owner


def test_no_second_name_of_a_file_lets_a_second_server_in(file: Path) -> None:
    """A symbolic or hard link is the same house; there is no lock file beside it that somebody could remove."""
    store = SqliteStore(f"sqlite:///{file}")
    soft, hard = file.with_name("soft.db"), file.with_name("hard.db")
    soft.symlink_to(file)
    hard.hardlink_to(file)
    assert [path.name for path in file.parent.iterdir() if "lock" in path.name] == []
    for name in (file, soft, hard):
        assert "in use by another server" in refused(f"sqlite:///{name}")
    store.close()
    SqliteStore(f"sqlite:///{soft}").close()


def test_a_new_file_is_its_owners_alone(file: Path) -> None:
    """Decks in play, people and money: nobody else on the machine reads them."""
    before = os.umask(0)
    try:
        store = SqliteStore(f"sqlite:///{file}")
        store.write(Batch(records=[]))
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
        back_up(store, file.with_name("house.backup"), 0)
        store.close()
    finally:
        os.umask(before)
    assert modes
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(file.with_name("house.backup").stat().st_mode) == 0o600
