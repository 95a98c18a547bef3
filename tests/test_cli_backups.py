"""`backup`, `restore`, `drill`, `verify` and `archive`, encrypted and plain, on the command line."""

from __future__ import annotations

import json
import stat
import sys
import tempfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from croupier.floor.backups import encryption
from croupier.journal.store_address import open_store
from tests.calling import Call, is_one_line
from tests.floor.backups.test_archive import FIRST, Days
from tests.floor.played_house import Play
from tests.landed.reading import FIRST_RELEASE
from tests.stores import SqlitePlace
from tests.test_cli_json import documented


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A house that has played; the address of its journal."""
    place = SqlitePlace(tmp_path_factory.mktemp("evening"))
    play = Play(place.open(), 15, rich=1.0)
    play.play(60)
    play.store.close()
    return place.url


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encryption, "_COST", 2)


@pytest.fixture
def passphrase(tmp_path: Path) -> str:
    file = tmp_path / "passphrase"
    file.write_text("correct horse battery\n")
    return str(file)


def test_a_backup_is_encrypted_with_a_passphrase_and_restored(
    evening: str, croupier: Call, passphrase: str, tmp_path: Path
) -> None:
    """For its owner alone; without the passphrase, or with another, one sentence and no database."""
    file = tmp_path / "house.backup"
    done = croupier("backup", "--database", evening, "--passphrase-file", passphrase, str(file))
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("house.backup, encrypted.\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_bytes().startswith(encryption.MAGIC)
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    other = tmp_path / "other"
    other.write_text("another horse battery")
    for key, says in (
        ((), "it is encrypted and opens with a passphrase"),
        (("--passphrase-file", str(other)), "does not"),
    ):
        done = croupier("restore", "--database", copy, *key, str(file))
        assert done.code == 2
        assert is_one_line(done.err)
        assert says in done.err
        assert not (tmp_path / "copy.db").exists()
    done = croupier("restore", "--database", copy, "--passphrase-file", passphrase, str(file))
    assert (done.code, done.err) == (0, "")
    assert croupier("audit", "--database", copy).code == 0


def test_the_machine_that_makes_backups_cannot_read_them(evening: str, croupier: Call, tmp_path: Path) -> None:
    """A key pair: the public half encrypts, the private half opens with every command that reads a backup."""
    key, file = str(tmp_path / "key"), str(tmp_path / "house.backup")
    done = croupier("backup-key", key, "--json")
    assert json.loads(done.out) == {"identity": key, "recipient": f"{key}.pub"}
    assert stat.S_IMODE(Path(key).stat().st_mode) == 0o600
    assert croupier("backup", "--database", evening, "--recipient", f"{key}.pub", file).code == 0
    assert is_one_line(croupier("verify", file, "--identity", f"{key}.pub").err)
    assert croupier("verify", file, "--identity", key).out.startswith(f"{file} is complete")
    done = croupier("audit", "--backup", file, "--identity", key)
    assert done.code == 0
    assert "No difference" in done.out
    assert croupier("drill", file, "--identity", key).code == 0
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    assert croupier("restore", "--database", copy, "--identity", key, file).code == 0
    done = croupier("backup-key", key)
    assert done.code == 2
    assert "already exists" in done.err


def test_a_passphrase_is_asked_for_at_a_terminal(
    evening: str, croupier: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice where it encrypts, once where it opens; in a pipe it must be named."""
    file = str(tmp_path / "house.backup")
    done = croupier("backup", "--database", evening, "--encrypt", file)
    assert done.code == 2
    assert "--passphrase-file or --recipient" in done.err
    asked = []

    def prompt(text: str, **how: object) -> str:
        asked.append((text, how.get("confirmation_prompt", False)))
        return "correct horse battery"

    monkeypatch.setattr("croupier.cli.operations.backup_keys.click.prompt", prompt)
    stdin = type("In", (), {"isatty": lambda _: True})()
    monkeypatch.setattr("croupier.cli.operations.backup_keys.sys", type("Terminal", (), {"stdin": stdin}))
    assert croupier("backup", "--database", evening, "--encrypt", file).code == 0
    assert croupier("verify", file).code == 0
    assert asked == [("Passphrase", True), (f"Passphrase of {file}", False)]
    assert sys.stdin is not None


def test_a_plain_backup_still_restores_and_is_private(evening: str, croupier: Call, tmp_path: Path) -> None:
    """So do those of the first release."""
    file = tmp_path / "house.backup"
    assert croupier("backup", "--database", evening, str(file)).code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert croupier("restore", "--database", f"sqlite:///{tmp_path / 'copy.db'}", str(file)).code == 0
    assert croupier("verify", str(FIRST_RELEASE / "backup.jsonl.gz")).code == 0
    assert croupier("drill", str(FIRST_RELEASE / "backup.jsonl.gz")).code == 0


def test_a_drill_reports_and_leaves_nothing(
    evening: str, croupier: Call, passphrase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every count, head and balance against the manifest; the temporary folder is empty afterwards."""
    file, aside = tmp_path / "house.backup", tmp_path / "aside"
    aside.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(aside))
    croupier("backup", "--database", evening, "--passphrase-file", passphrase, str(file))
    done = croupier("drill", str(file), "--passphrase-file", passphrase, "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert list(told) == documented("drill")[0]
    assert (told["sound"], told["problems"], told["encrypted"]) == (True, [], True)
    heads = json.loads(croupier("audit", "--database", evening, "--json").out)["heads"]
    assert told["streams"] == len(heads)
    assert told["rows"]["records"] == sum(seq for name, (seq, _) in heads.items() if not name.startswith("answers"))
    assert list(aside.iterdir()) == []


@pytest.mark.parametrize("where", ["middle", "end", "cut"])
@pytest.mark.parametrize("encrypted", [True, False])
def test_a_drill_of_a_damaged_backup_is_1_and_says_why(
    evening: str, croupier: Call, passphrase: str, tmp_path: Path, where: str, encrypted: bool
) -> None:
    """Whatever byte it is."""
    file = tmp_path / "house.backup"
    keys = ("--passphrase-file", passphrase) if encrypted else ()
    croupier("backup", "--database", evening, *keys, str(file))
    data = bytearray(file.read_bytes())
    if where == "cut":
        del data[-1:]
    else:
        data[len(data) // 2 if where == "middle" else -5] ^= 1
    file.write_bytes(data)
    done = croupier("drill", str(file), *keys)
    assert done.code == 1
    assert "THE BACKUP IS NOT USABLE." in done.out
    assert "house.backup" in done.out.partition("DIFFERS")[2]


def test_a_drill_of_a_forged_journal_is_1(evening: str, croupier: Call, tmp_path: Path) -> None:
    """A backup that is whole may hold a journal that is not sound."""
    place = SqlitePlace(tmp_path)
    croupier("backup", "--database", evening, str(tmp_path / "sound.backup"))
    croupier("restore", "--database", place.url, str(tmp_path / "sound.backup"))
    place.raw("UPDATE accounts SET balance = balance + 1 WHERE account = (SELECT min(account) FROM accounts)")
    assert croupier("backup", "--database", place.url, str(tmp_path / "forged.backup")).code == 0
    done = croupier("drill", str(tmp_path / "forged.backup"), "--json")
    assert done.code == 1
    assert any("accounts" in problem for problem in json.loads(done.out)["problems"])


def test_the_fields_of_the_new_commands_are_on_their_page(evening: str, croupier: Call, tmp_path: Path) -> None:
    key, file = str(tmp_path / "key"), str(tmp_path / "house.backup")
    assert list(json.loads(croupier("backup-key", key, "--json").out)) == documented("backup-key")[0]
    told = json.loads(croupier("backup", "--database", evening, "--recipient", f"{key}.pub", file, "--json").out)
    assert list(told) == documented("backup")[0]
    told = json.loads(croupier("verify", file, "--identity", key, "--json").out)
    assert list(told) == documented("verify BACKUP")[0]


# ---------------------------------------------------------------- archive


@pytest.fixture
def days(tmp_path: Path) -> str:
    """A house that has played for three days."""
    place = SqlitePlace(tmp_path)
    play = Days(place.open())
    play.days(3)
    play.store.close()
    return place.url


def test_archive_moves_closed_days_and_the_audit_says_what_it_sees(days: str, croupier: Call, tmp_path: Path) -> None:
    """With the folder everything; without it what is left, and that there is more."""
    folder = tmp_path / "archives"
    folder.mkdir()
    before = json.loads(croupier("audit", "--database", days, "--json").out)
    until = (FIRST + timedelta(days=2)).isoformat()
    done = croupier("archive", "--database", days, "--before", until, "--to", str(folder), "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert list(told) == documented("archive")[0]
    assert sorted(each["file"] for each in told["files"]) == sorted(file.name for file in folder.iterdir())
    left = croupier("audit", "--database", days)
    assert left.code == 0
    moved = sum(each["records"] for each in told["files"])
    assert f"Not seen: {moved:,} events of {len(told['files'])} tables that are in archives" in left.out
    assert "No difference" in left.out
    whole = json.loads(croupier("audit", "--database", days, "--archive", str(folder), "--json").out)
    assert (whole["clean"], whole["archived"]) == (True, {})
    assert whole["events"] == before["events"] + len(told["files"])
    assert whole["rounds"] == before["rounds"]
    done = croupier("archive", "--database", days, "--before", until, "--to", str(folder))
    assert (done.code, done.out) == (0, f"No table has a round to archive that began before {until}.\n")
    each = told["files"][0]
    export = ("audit", "--database", days, "--export", str(tmp_path / "x.json"), "--rounds", f"{each['table']}:1")
    assert croupier(*export).err.endswith(f"is archived, in {each['file']}.\n")
    file = str(folder / each["file"])
    assert f"is complete: rounds 1 to {each['last_round']} of {each['table']}" in croupier("verify", file).out
    assert list(json.loads(croupier("verify", file, "--json").out)) == documented("verify ARCHIVE")[0]


def test_an_archived_round_is_exported_from_the_folder_as_it_was(days: str, croupier: Call, tmp_path: Path) -> None:
    """Byte for byte the record that it had before; without the archive one line."""
    folder, key = tmp_path / "archives", str(tmp_path / "key")
    folder.mkdir()
    croupier("backup-key", key)
    export = ("audit", "--database", days, "--rounds", "T1:1-2")
    assert croupier(*export, "--export", str(tmp_path / "before.json")).code == 0
    until = (FIRST + timedelta(days=2)).isoformat()
    archive = ("archive", "--database", days, "--before", until, "--to", str(folder), "--recipient", f"{key}.pub")
    assert croupier(*archive).code == 0
    from_folder = (*export, "--archive", str(folder), "--identity", key)
    assert croupier(*from_folder, "--export", str(tmp_path / "after.json")).code == 0
    assert (tmp_path / "after.json").read_bytes() == (tmp_path / "before.json").read_bytes()
    assert croupier("verify", str(tmp_path / "after.json")).code == 0
    next(folder.glob("T1-*")).unlink()
    done = croupier(*from_folder, "--export", str(tmp_path / "missing.json"))
    assert done.code == 2
    assert is_one_line(done.err)
    assert "it is not in" in done.err


def test_archives_are_encrypted_and_a_lost_one_is_a_difference(days: str, croupier: Call, tmp_path: Path) -> None:
    """The audit takes the key as restore does."""
    folder, key = tmp_path / "archives", str(tmp_path / "key")
    folder.mkdir()
    croupier("backup-key", key)
    until = (FIRST + timedelta(days=2)).isoformat()
    archive = ("archive", "--database", days, "--before", until, "--to", str(folder), "--recipient", f"{key}.pub")
    assert croupier(*archive).out.endswith("archives, encrypted.\n")
    audit = ("audit", "--database", days, "--archive", str(folder))
    assert croupier(*audit, "--identity", key).code == 0
    assert croupier(*audit).code == 1
    next(folder.iterdir()).unlink()
    done = croupier(*audit, "--identity", key)
    assert done.code == 1
    assert "it is not in" in done.out


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--before", "soon"), "is not a day"),
        (("--before", "2026-11-15", "--to", "nowhere"), "nowhere"),
        (("--before", "2026-11-15", "--encrypt"), "--passphrase-file or --recipient"),
    ],
)
def test_what_cannot_be_archived_is_one_line(
    days: str, croupier: Call, tmp_path: Path, more: tuple[str, ...], says: str
) -> None:
    done = croupier("archive", "--database", days, "--to", str(tmp_path), *more)
    assert done.code == 2
    assert is_one_line(done.err)
    assert says in done.err


def test_a_house_that_runs_is_not_archived(days: str, croupier: Call, tmp_path: Path) -> None:
    """Its file is in use."""
    with closing(open_store(days)):
        done = croupier("archive", "--database", days, "--before", "2030-01-01", "--to", str(tmp_path))
    assert done.code == 2
    assert "in use by another server" in done.err
