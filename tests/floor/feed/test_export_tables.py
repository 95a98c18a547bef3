"""The bulk export: DuckDB over its Parquet files and the ledger agree to the cent; CSV holds the same."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import msgspec
import pytest

from croupier.cli import run
from croupier.floor.feed.export_files import MANIFEST, BadExport, FileKind, write_export
from croupier.floor.feed.export_tables import DAY, TABLES
from croupier.floor.history.link_figures import trial_balance
from croupier.floor.records.commands import Answer, HouseCommand, Request
from croupier.journal.store import Store
from croupier.journal.store_address import open_store
from tests.floor.played_house import NOW, Play

DAYS = 30


class Month(Play):
    """A house that plays a month: each command is a little later than the one before."""

    now = NOW

    def do(self, *commands: HouseCommand) -> list[Answer]:
        requests = []
        for command in commands:
            self.now += 60_000_000
            requests.append(Request(f"m{self.now}", command, self.now))
        answers = self.house.process(requests)
        self.asked.extend(zip(requests, answers, strict=True))
        return answers


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('month') / 'house.db'}")
    month = Month(store, 17)
    for day in range(DAYS):
        month.now = NOW + day * DAY
        month.play(50)
    yield store
    store.close()


@pytest.fixture(scope="module")
def folder(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "parquet"
    write_export(store, folder, FileKind.PARQUET, "2026-11-18T00:00:00+00:00")
    return folder


def asked(folder: Path, question: str) -> list[tuple[object, ...]]:
    """An answer of DuckDB over the files."""
    with duckdb.connect() as db:
        for table in TABLES:
            db.execute(f"CREATE VIEW {table} AS SELECT * FROM '{folder / table}.parquet'")
        found: list[tuple[object, ...]] = db.execute(question).fetchall()
        return found


def test_every_account_is_the_sum_of_its_entries(store: Store, folder: Path) -> None:
    """To the cent, account by account; and all of them sum to zero."""
    found = asked(folder, "SELECT account, sum(amount)::BIGINT FROM entries GROUP BY account")
    sums = {row[0]: row[1] for row in found}
    assert sums == {account: held for account, held in store.balances().items() if account in sums}
    assert all(held == 0 for account, held in store.balances().items() if account not in sums)
    assert asked(folder, "SELECT sum(amount)::BIGINT FROM entries") == [(0,)]
    assert trial_balance(store).balances


def test_what_players_won_is_what_the_ledger_moved(store: Store, folder: Path) -> None:
    """Bets, buy-ins and cash-outs make up every player's account, less what lies on boxes of rounds in play."""
    (lines,) = asked(folder, "SELECT sum(won + returned - staked)::BIGINT FROM bets")[0]
    assert isinstance(lines, int)
    at_cage = -sum(held for account, held in store.balances().items() if account.startswith("cash"))
    held = sum(held for account, held in store.balances().items() if account.startswith("player/"))
    layouts = sum(held for account, held in store.balances().items() if account.endswith("/layout"))
    waiting = asked(folder, "SELECT count(*) FROM events WHERE type = 'ClaimsEntered'")[0][0]
    ended = asked(folder, "SELECT count(*) FROM events WHERE type IN ('CasePaid', 'CaseDenied', 'AwardsReversed')")[0][
        0
    ]
    assert waiting == ended or layouts >= 0
    assert held == at_cage + lines - layouts


def test_meters_add_up_to_the_bets(folder: Path) -> None:
    """By table and over a month of days."""
    question = """
        SELECT m.wagered = b.wagered AND m.paid = b.paid AND m.back = b.back FROM
        (SELECT "table", sum(wagered) wagered, sum(paid) paid, sum(wagers_returned) back FROM meters GROUP BY 1) m
        JOIN (SELECT "table", sum(staked) FILTER (outcome <> 'returned') wagered,
              sum(won + returned) FILTER (outcome <> 'returned') paid,
              coalesce(sum(staked) FILTER (outcome = 'returned'), 0) back FROM bets GROUP BY 1) b USING ("table")"""
    assert asked(folder, question) == [(True,)] * 5
    assert asked(folder, "SELECT count(DISTINCT day) FROM meters") == [(DAYS,)]
    rounds = asked(folder, "SELECT count(*) FROM rounds WHERE result = 'settled'")
    assert rounds == asked(folder, "SELECT sum(games_played)::BIGINT FROM meters")


def test_events_are_every_record_that_other_systems_are_told(store: Store, folder: Path) -> None:
    told = asked(folder, "SELECT count(*), count(DISTINCT (stream, seq)) FROM events")[0]
    assert told[0] == told[1]
    tables = sum(store.head(stream).seq for stream in store.streams() if stream.startswith("table/"))
    assert asked(folder, "SELECT count(*) FROM events WHERE stream LIKE 'table/%'") == [(tables,)]


def test_csv_holds_the_same_rows(store: Store, folder: Path, tmp_path: Path) -> None:
    told = write_export(store, tmp_path / "csv", FileKind.CSV, "2026-11-18T00:00:00+00:00")
    for table, columns in TABLES.items():
        with (tmp_path / "csv" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert rows[0] == [column.name for column in columns]
        assert len(rows) - 1 == told.rows[table] == asked(folder, f"SELECT count(*) FROM {table}")[0][0]
    manifest = json.loads((tmp_path / "csv" / MANIFEST).read_text(encoding="utf-8"))
    assert manifest == msgspec.to_builtins(told)


def test_the_command_writes_a_new_folder(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out"
    assert run(["export", str(target), "--database", store.url, "--format", "csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"]["rounds"] > 0
    assert run(["export", str(target), "--database", store.url]) == 2
    assert "is not empty" in capsys.readouterr().err
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(BadExport, match=r"croupier\[export\]"):
        write_export(store, tmp_path / "none", FileKind.PARQUET, "")
