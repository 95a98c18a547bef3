"""An audit in several processes says what one in a single process says, of whole journals and of changed ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.cli import run
from croupier.floor.audit.audit import audit
from croupier.floor.audit.parallel import divided
from croupier.journal.sqlite import sqlite_path
from croupier.testing.crowd import Crowd
from tests.floor.played_house import Play
from tests.floor.tamperer import audited_in_shares, change
from tests.stores import Place, PostgresPlace, SqlitePlace


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("postgres"))


def test_two_processes_come_to_what_one_comes_to(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure, on either store; it does not begin again in one process."""
    play = Play(place.open(), 38, rich=1.0)
    play.play(200)
    reader = place.open(read_only=True)
    seen: list[tuple[int, int]] = []
    in_one = audit(reader)
    assert in_one.is_clean
    monkeypatch.setattr("croupier.floor.audit.audit._Audit.run", lambda _: pytest.fail("one process did it"))
    assert audit(reader, processes=2, progress=lambda done, total: seen.append((done, total))) == in_one
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][1] == 2 * in_one.events + in_one.commands
    reader.close()
    play.store.close()


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_shares_prove_whatever_people_did(tmp_path: Path, seed: int) -> None:
    """Faults of the whole link, awards across tables and rulings among them, in two shares and in four."""
    play = Play(SqlitePlace(tmp_path).open(), seed, rich=0.8)
    play.crowd = Crowd(play.random, 12, boxes=4, trouble=0.3)
    play.play(400)
    in_one = audit(play.store)
    assert in_one.is_clean
    assert audited_in_shares(play.store) == in_one
    assert audited_in_shares(play.store, count=4) == in_one
    play.store.close()


CHANGES = {
    "a balance": "UPDATE accounts SET balance = balance + 1 WHERE account = 'player/p1'",
    "an answer": "DELETE FROM answers WHERE seq = 9",
    "records of two tables": "UPDATE records SET at = at + 1 WHERE stream IN ('table/T1', 'table/T3') AND seq % 7 = 3",
    "an entry that belongs nowhere": "INSERT INTO postings VALUES ('table/T2', 99999, 'player/p1', 5)",
    "the end of a table": "DELETE FROM records WHERE stream = 'table/T2' AND seq > 20",
}


@pytest.mark.parametrize("statement", CHANGES.values(), ids=CHANGES)
def test_what_differs_is_said_as_one_process_says_it(statement: str, tmp_path: Path) -> None:
    """The same differences in the same order."""
    place = SqlitePlace(tmp_path)
    play = Play(place.open(), 5, rich=1.0)
    play.play(120)
    play.store.close()
    change(sqlite_path(place.url), statement)
    store = place.open(read_only=True)
    in_one = audit(store)
    assert not in_one.is_clean
    assert audited_in_shares(store) is None
    assert audit(store, processes=2) == in_one
    store.close()


def test_tables_are_divided_by_their_records(tmp_path: Path) -> None:
    """The largest first, each to the share with the fewest records; every table is in one share."""
    store = SqlitePlace(tmp_path).open()
    for tables, shares in (
        ({"T1": 10, "T2": 10, "T3": 20}, [{"T3"}, {"T1", "T2"}]),
        ({"T1": 90, "T2": 10}, [{"T1"}, {"T2"}]),
        ({"T1": 1, "T2": 1, "T3": 1}, [{"T1", "T3"}, {"T2"}]),
    ):
        assert [share.tables for share in divided(store, tables, 2)] == shares
    assert [len(share.tables) for share in divided(store, {f"T{n}": 100 for n in range(64)}, 4)] == [16] * 4
    store.close()


def test_the_command_line_takes_a_number_of_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = SqlitePlace(tmp_path)
    play = Play(place.open(), 5)
    play.play(60)
    play.store.close()
    assert run(("audit", "--database", place.url, "--processes", "2")) == 0
    assert "No difference" in capsys.readouterr().out
