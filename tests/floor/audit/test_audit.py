"""audit, backup, restore, export, figures and trial-balance: on both kinds of store, and from the command line."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from croupier import verify
from croupier.cli import run
from croupier.floor.audit.audit import audit
from croupier.floor.backups.backup import BadBackup, back_up, restore
from croupier.floor.history.export import BadChoice, chosen, exported
from croupier.floor.history.link_figures import day_of, exactly, figures, trial_balance
from croupier.floor.house.house import House
from croupier.floor.records.commands import AtTable, BuyIn
from croupier.journal.sqlite import sqlite_path
from croupier.journal.store import TABLES, Store, StoreError
from croupier.journal.store_address import open_store
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet
from croupier.testing.crowd import Crowd
from tests.floor.played_house import NOW, Play
from tests.stores import Place, PostgresPlace, SqlitePlace


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("postgres"))


def played(place: Place, commands: int = 200, seed: int = 38) -> Play:
    play = Play(place.open(), seed, rich=1.0)
    play.play(commands)
    return play


def all_rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    return {table: [tuple(row) for row in store.rows(table)] for table in TABLES}


@pytest.fixture
def evening(tmp_path: Path) -> str:
    """A SQLite house that has played, with awards paid; its address."""
    place = SqlitePlace(tmp_path)
    play = played(place, 260)
    assert play.house.links["main"].hits
    play.store.close()
    return place.url


# ---------------------------------------------------------------- the audit


def test_a_busy_house_audits_clean(place: Place) -> None:
    """Everything that people did at five games, on either store; the report counts it."""
    play = played(place, 300)
    seen: list[tuple[int, int]] = []
    report = audit(play.store, progress=lambda done, total: seen.append((done, total)))
    assert report.differences == ()
    assert report.commands == len(play.asked)
    assert report.events == sum(head.seq for name, head in play.house.heads.items() if not name.startswith("answers"))
    assert report.rounds == sum(table.round.number for table in play.house.tables.values())
    assert report.meters == {"main": play.house.links["main"].cents}
    assert seen[-1][0] == seen[-1][1] == 2 * report.events + report.commands
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    play.store.close()


def test_an_audit_sees_one_moment_while_the_house_runs_on(place: Place) -> None:
    """Commands that come in meanwhile are not half in it."""
    play = played(place, 60)
    before = len(play.asked)
    reader = place.open(read_only=True)

    seen: set[int] = set()

    def meanwhile(done: int, _: int) -> None:
        if done // 50 not in seen:
            seen.add(done // 50)
            play.do(play.some(), BuyIn(player="p1", amount=100))

    report = audit(reader, progress=meanwhile)
    assert len(play.asked) > before + 4
    assert report.differences == ()
    assert report.commands == before
    assert audit(reader).commands == len(play.asked)
    reader.close()
    play.store.close()


@pytest.mark.parametrize("trouble", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_people_do_the_audit_comes_to_the_same(tmp_path: Path, seed: int, trouble: float) -> None:
    """No event, however it came about, is a difference by itself."""
    place = SqlitePlace(tmp_path)
    play = Play(place.open(), seed, rich=0.8)
    play.crowd = Crowd(play.random, 12, boxes=4, trouble=trouble)
    play.play(500)
    assert audit(play.store).differences == ()
    play.store.close()


# ---------------------------------------------------------------- the command line


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(arguments) == code
    said = capsys.readouterr()
    return said.out if code in (0, 1) else said.err


def test_audit_says_that_nothing_differs(evening: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In words and as JSON; the exit code is 0."""
    assert "No difference" in told(capsys, "audit", "--database", evening)
    report = json.loads(told(capsys, "audit", "--database", evening, "--json"))
    assert report["clean"] is True
    assert report["differences"] == []
    assert set(report["heads"]) >= {"answers", "cashier", "house", "link/main", "table/T1"}


def test_audit_says_which_event_differs_and_exits_with_1(evening: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line a difference."""
    db = sqlite3.connect(sqlite_path(evening))
    db.execute("UPDATE accounts SET balance = balance - 5 WHERE account = 'player/p1'")
    db.commit()
    db.close()
    said = told(capsys, "audit", "--database", evening, code=1)
    assert "DIFFERS  accounts: player/p1 holds" in said
    assert said.endswith("1 difference.\n")
    report = json.loads(told(capsys, "audit", "--database", evening, "--json", code=1))
    assert report["difference_count"] == 1


def test_audit_holds_a_journal_against_an_earlier_one(
    evening: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The earlier JSON, kept elsewhere, pins every stream."""
    earlier = tmp_path / "earlier.json"
    earlier.write_text(told(capsys, "audit", "--database", evening, "--json"), encoding="utf-8")
    assert "No difference" in told(capsys, "audit", "--database", evening, "--heads", str(earlier))
    heads = json.loads(earlier.read_text(encoding="utf-8"))["heads"]
    heads["table/T1"][1] = "ab" * 32
    earlier.write_text(json.dumps(heads), encoding="utf-8")
    said = told(capsys, "audit", "--database", evening, "--heads", str(earlier), code=1)
    assert "its hash is not the one that was written down" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("audit", "--database", "sqlite:///nowhere.db"), "There is no database nowhere.db."),
        (("audit", "--database", "mysql://x"), "is not a database address"),
        (("figures", "--database", "{}", "other"), 'There is no link "other"'),
        (("figures", "--database", "{}", "main", "--day", "yesterday"), "is not a day: write it as in 2026-11-15"),
        (("audit", "--database", "{}", "--export", "x.json"), "--export and --rounds go together"),
        (("audit", "--database", "{}", "--for", "ana"), "--for goes with --export"),
        (("audit", "--database", "{}", "--export", "x.json", "--rounds", "T1"), "does not name rounds"),
        (("audit", "--database", "{}", "--export", "x.json", "--rounds", "T9:1"), 'There is no table "T9"'),
        (("audit", "--database", "{}", "--export", "x.json", "--rounds", "T1:999"), "has not played round 999"),
        (("audit", "--database", "{}", "--export", "x.json", "--rounds", "T1:5-2"), "is not a span"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    evening: str, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    """Exit code 2, and no file is made."""
    said = told(capsys, *(argument.replace("{}", evening) for argument in arguments), code=2)
    assert said.startswith("croupier: ")
    assert says in said
    assert said.count("\n") == 1
    assert not Path("x.json").exists()


# ---------------------------------------------------------------- export


def test_an_exported_round_checks_itself(evening: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The stand-alone verifier passes it; terms, entries, the link and the paragraphs in our words are in it."""
    file = tmp_path / "round.json"
    assert "1 round is in" in told(capsys, "audit", "--database", evening, "--export", str(file), "--rounds", "T1:2")
    record = verify.read(file.read_text(encoding="utf-8"))
    assert verify.check(record).problems == []
    assert record["terms"]["game"] == "rws-multilink-holdem@2"
    assert all(sum(entry["postings"].values()) == 0 for entry in record["entries"])
    cited = {rule for entry in record["records"] for rule in json.loads(entry["data"]).get("rules", [])}
    assert set(record["paragraphs"]) == cited
    assert all(len(words) > 20 for words in record["paragraphs"].values())
    assert "already exists" in told(
        capsys, "audit", "--database", evening, "--export", str(file), "--rounds", "T1:2", code=2
    )


def test_a_round_is_exported_for_a_player(evening: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the ledger and the paragraphs, and without the cards that the player has not seen."""
    file = tmp_path / "round.json"
    told(capsys, "audit", "--database", evening, "--export", str(file), "--rounds", "T1:2", "--for", "nobody")
    record = verify.read(file.read_text(encoding="utf-8"))
    assert verify.check(record).problems == []
    assert record["entries"]
    assert all("deck" not in deck and len(deck["cards"]) < 52 for deck in record["decks"])
    looks = [json.loads(entry["data"]) for entry in record["records"] if entry["type"] == "HandExamined"]
    assert looks
    assert not any("cards" in look for look in looks)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda entries: entries[0]["postings"].update({"player/p9": 5}), "does not sum to zero"),
        (lambda entries: entries[0].update(seq=entries[0]["seq"] + 1_000_000), "belongs to no record of this round"),
        (lambda entries: entries.reverse(), "not in the order of the records"),
        (lambda entries: entries.pop(), "on the layout, where 0.00 lie"),
        (
            lambda entries: entries.append({"seq": entries[-1]["seq"] + 1, "postings": {"player/p1": 7, "cash": -7}}),
            "the ledger moved",
        ),
    ],
)
def test_entries_of_an_export_that_were_changed_are_found(
    evening: str, change: Callable[[list[dict[str, object]]], None], says: str
) -> None:
    """They stand beside the chain, so they are held against what the records say was staked, won and returned."""
    store = open_store(evening, read_only=True)
    record = dict(exported(store, [("T1", 2)]))
    store.close()
    assert verify.check(record).net
    assert verify.check(record).problems == []
    entries = record["entries"]
    assert isinstance(entries, list)
    change(entries)
    assert any(says in problem for problem in verify.check(record).problems)


def test_several_rounds_are_several_records_that_check_themselves(
    evening: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of one table or of several."""
    store = open_store(evening, read_only=True)
    data = exported(store, chosen(["T1:1-3", "T5:1, T5:2"]))
    store.close()
    rounds = data["rounds"]
    assert isinstance(rounds, list)
    assert [(record["table"], record["round"]) for record in rounds] == [
        ("T1", 1), ("T1", 2), ("T1", 3), ("T5", 1), ("T5", 2),
    ]  # fmt: skip
    file = tmp_path / "rounds.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert verify.main([str(file)]) == 0
    out = capsys.readouterr().out
    assert out.count("Everything holds.") == 4
    assert out.count("What was checked holds. Not checked: the amount of 10% of the meter for p4 on box 1;") == 1
    rounds[3]["records"][4]["hash"] = rounds[3]["records"][5]["hash"]
    file.write_text(json.dumps(data), encoding="utf-8")
    assert "does not carry the hash" in told(capsys, "verify", str(file), code=1)


def test_a_round_in_play_is_not_exported(place: Place) -> None:
    """Its deck is sealed: nobody sees it before the settlement, an auditor neither."""
    play = Play(place.open())
    for command in (OpenRound(), PlaceBet(player="p1", box=1, bet="ante", amount=1000), CloseBets()):
        assert play.do(AtTable(table="T1", command=command))[0].accepted
    reader = place.open(read_only=True)
    with pytest.raises(BadChoice, match="has not ended"):
        exported(reader, [("T1", 1)])
    assert play.do(AtTable(table="T1", command=DecideHand(box=1, choice="fold")))[0].accepted
    assert exported(reader, [("T1", 1)])["round"] == 1
    reader.close()
    play.store.close()


# ---------------------------------------------------------------- backup and restore


def other_kind(place: Place, tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    if place.kind == "postgresql":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("postgres"))


def test_a_backup_of_either_store_is_restored_into_either(
    place: Place, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Row for row the same, audited clean, and the house goes on from there."""
    play = played(place, 150)
    counts = back_up(play.store, tmp_path / "backup.gz", NOW)
    assert counts["answers"] == len(play.asked)
    for there in (other_kind(place, tmp_path, request), SqlitePlace(tmp_path)):
        store = there.open()
        assert restore(tmp_path / "backup.gz", store).rows == counts
        assert all_rows(store) == all_rows(play.store)
        assert audit(store).differences == ()
        store.close()
        again = there.open()
        house = House(again, play.chance)
        assert {name: table.round for name, table in house.tables.items()} == {
            name: table.round for name, table in play.house.tables.items()
        }
        assert house.links == play.house.links
        request_of_old, answer = play.asked[-1]
        assert house.process([request_of_old]) == [answer]
        again.close()
    play.store.close()


def test_a_backup_is_of_one_moment_while_the_house_runs_on(place: Place, tmp_path: Path) -> None:
    """What comes in while it is written is not half in it."""
    play = played(place, 60)
    before = len(play.asked)
    reader = place.open(read_only=True)
    written = 0

    def meanwhile(count: int) -> None:
        nonlocal written
        written += count
        if written % 40 == 0:
            play.do(play.some())

    counts = back_up(reader, tmp_path / "backup.gz", NOW, meanwhile)
    assert counts["answers"] == before < len(play.asked)
    copy = SqlitePlace(tmp_path).open()
    restore(tmp_path / "backup.gz", copy)
    assert audit(copy).differences == ()
    for store in (copy, reader, play.store):
        store.close()


def cut(data: bytes) -> bytes:
    return data[:-200]


def flipped(data: bytes) -> bytes:
    lines = gzip.decompress(data).split(b"\n")
    lines[40] = lines[40].replace(b"a", b"b", 1)
    return gzip.compress(b"\n".join(lines))


def shortened(data: bytes) -> bytes:
    lines = gzip.decompress(data).split(b"\n")
    del lines[30]
    return gzip.compress(b"\n".join(lines))


def without_its_end(data: bytes) -> bytes:
    return gzip.compress(b"\n".join(gzip.decompress(data).split(b"\n")[:-2]) + b"\n")


@pytest.mark.parametrize("damage", [cut, flipped, shortened, without_its_end, lambda _: b"no backup", lambda _: b""])
def test_a_damaged_backup_restores_nothing(
    place: Place, evening: str, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    """Everything or nothing, and one line."""
    store = open_store(evening, read_only=True)
    back_up(store, tmp_path / "backup.gz", NOW)
    store.close()
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(damage((tmp_path / "backup.gz").read_bytes()))
    there = place.open()
    with pytest.raises((BadBackup, StoreError)) as wrong:
        restore(damaged, there)
    assert "\n" not in str(wrong.value)
    assert all(rows == [] for rows in all_rows(there).values())
    there.close()


def test_backup_and_restore_from_the_command_line(
    evening: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is overwritten: neither a file nor a database with something in it."""
    file, there = str(tmp_path / "b.gz"), f"sqlite:///{tmp_path / 'restored.db'}"
    assert "events and" in told(capsys, "backup", "--database", evening, file)
    assert "already exists" in told(capsys, "backup", "--database", evening, file, code=2)
    assert "No difference" in told(capsys, "restore", "--database", there, file)
    assert "is not empty" in told(capsys, "restore", "--database", there, file, code=2)
    assert json.loads(told(capsys, "audit", "--database", there, "--json"))["clean"]
    assert [path.name for path in tmp_path.glob("*.unfinished")] == []


# ---------------------------------------------------------------- figures


def test_figures_and_the_reconciliation_of_a_day(evening: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every sum is the link's own, to the last part of a cent, and the ledger's pool is the display."""
    store = open_store(evening, read_only=True)
    day = datetime.fromtimestamp(NOW / 1_000_000, UTC).date()
    found = figures(store, "main", day_of(day))
    assert found.conserved
    assert found.ledger_agrees
    assert found.hits == len(found.last_hits) > 0
    assert found.day is not None
    assert found.day.adds_up
    assert found.day.opening.meter == "0.00"
    assert found.day.closing.meter.startswith(found.display)
    assert found.day.seeded == found.seeded == "123456.78"
    empty = figures(store, "main", day_of(date(2020, 1, 1))).day
    assert empty is not None
    assert (empty.adds_up, empty.contributions, empty.closing.meter) == (True, "0.00", "0.00")
    store.close()
    said = told(capsys, "figures", "--database", evening, "main", "--day", day.isoformat())
    for words in ("In-meter", "Hidden reserve", "Overflow past the cap", "Last hits", "The day adds up."):
        assert words in said
    assert json.loads(told(capsys, "figures", "--database", evening, "--json"))["link"] == "main"


def test_a_pool_that_is_not_the_display_is_said(evening: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1."""
    db = sqlite3.connect(sqlite_path(evening))
    db.execute("UPDATE accounts SET balance = balance + 1 WHERE account = 'link/main/pool'")
    db.commit()
    db.close()
    assert "DIFFERS" in told(capsys, "figures", "--database", evening, "main", code=1)
    assert "together 0.01" in told(capsys, "trial-balance", "--database", evening, code=1)


def test_in_meter_is_the_sum_of_the_bets_that_counted(place: Place) -> None:
    """Whatever the rates were when each was taken; bets that went back are not in it."""
    play = played(place, 220, seed=5)
    units = {"Contributed": 0, "ContributionReversed": 0}
    for record in play.store.read("link/main"):
        if record.type in units:
            moved = json.loads(record.data)
            units[record.type] += moved["units"] + moved["overflow"]
    counted, returned = units.values()
    accepted = sum(
        bet["amount"]
        for stream in play.store.streams()
        if stream.startswith("table/")
        for record in play.store.read(stream)
        if record.type == "BetsClosed"
        for bet in json.loads(record.data).get("jackpot_bets", ())
    )
    assert accepted > 0
    assert figures(play.store, "main").in_meter == exactly(Fraction(accepted * (counted - returned), counted))
    play.store.close()


def test_the_trial_balance_sums_to_nothing(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """At any time, in groups that are all there is."""
    play = played(place, 120)
    found = trial_balance(play.store)
    assert found.balances
    assert found.sum == "0.00"
    groups = (found.players, found.layouts, found.banks, found.links, found.house, found.cash)
    assert sum(round(float(amount) * 100) for amount in groups) == 0
    play.store.close()
    assert "together 0.00" in told(capsys, "trial-balance", "--database", place.url)


@pytest.mark.parametrize(
    ("cents", "says"),
    [(Fraction(12345), "123.45"), (Fraction(1, 3), "0.00 + 1/3 c"), (Fraction(-1, 2), "-0.01 + 1/2 c")],
)
def test_parts_of_a_cent_are_written_exactly(cents: Fraction, says: str) -> None:
    """Cents, and what is left below one."""
    assert exactly(cents) == says
