"""docs/command-line.md: every command's JSON has the fields that stand there, and every exit code has its line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from croupier.cli import COMMANDS
from croupier.cli.errors import BAD_INPUT, OUR_FAULT, READER_GONE, STOPPED
from croupier.money import money
from tests.calling import ROOT, Call
from tests.floor.playing import Play
from tests.stores import SqlitePlace

PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
GAME = "rws-multilink-three-card"


def documented(command: str) -> tuple[list[str], bool]:
    """The fields of a command on the page, and whether it prints a list."""
    (row,) = re.findall(rf"^\| `{re.escape(command)}` \| (.+) \|$", PAGE, re.MULTILINE)
    return re.findall(r"`([^`]+)`", row)[0].split(), row.startswith("[")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A house that has played; the address of its journal."""
    place = SqlitePlace(tmp_path_factory.mktemp("evening"))
    play = Play(place.open(), 38, rich=1.0)
    play.play(120)
    play.store.close()
    return place.url


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("advise", ("advise", GAME, "--hand", "Qh 6d 4c")),
        ("analyze", ("analyze", GAME)),
        ("bench", ("bench", "--only", "rounds", "--seconds", "0.01")),
        ("demo", ("demo",)),
        ("fairness", ("fairness", "--shuffles", "1000")),
        ("games", ("games",)),
        ("readings", ("readings",)),
        ("replay", ("replay", str(ROOT / "src/croupier/demo/1-rws-multilink-holdem.json"))),
        ("rules GAME", ("rules", GAME)),
        ("rules --coverage", ("rules", "--coverage")),
        ("rules --diff", ("rules", "--diff", GAME, "sun-casino-holdem")),
        ("simulate GAME", ("simulate", GAME, "--rounds", "1000")),
        ("strategy", ("strategy", GAME)),
    ],
)
def test_a_command_prints_the_fields_of_its_page(command: str, arguments: tuple[str, ...], croupier: Call) -> None:
    """One document, and nothing else."""
    done = croupier(*arguments, "--json")
    assert (done.code, done.err) == (0, "")
    fields, is_list = documented(command)
    found = json.loads(done.out)
    assert isinstance(found, list) is is_list
    assert list(found[0] if is_list else found) == fields


def test_a_journals_commands_print_the_fields_of_their_page(evening: str, croupier: Call, tmp_path: Path) -> None:
    """audit, its export, verify, backup, restore, figures and trial-balance; money is a text, as everywhere."""
    record, backup = str(tmp_path / "round.json"), str(tmp_path / "house.backup")
    asked = {
        "audit": ("audit", "--database", evening),
        "audit --export": ("audit", "--database", evening, "--export", record, "--rounds", "T1:1"),
        "verify": ("verify", record),
        "backup": ("backup", "--database", evening, backup),
        "restore": ("restore", "--database", f"sqlite:///{tmp_path / 'copy.db'}", backup),
        "figures": ("figures", "--database", evening, "--day", "today"),
        "trial-balance": ("trial-balance", "--database", evening),
    }
    found = {}
    for command, arguments in asked.items():
        done = croupier(*arguments, "--json")
        assert (done.code, done.err) == (0, ""), command
        found[command] = json.loads(done.out)
        assert list(found[command]) == documented(command)[0]
    assert all(money(meter) > 0 for meter in found["audit"]["meters"].values())
    assert all(re.fullmatch(r"-?\d+\.\d\d", net) for net in found["verify"]["net"].values())
    assert found["verify"]["net"]


def test_every_command_has_its_line() -> None:
    """Of the page's table of JSON."""
    listed = {line.split()[0] for line in re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)}
    assert set(COMMANDS) <= listed


def test_every_exit_code_has_its_line() -> None:
    """And no other."""
    listed = [int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)]
    assert listed == [0, 1, BAD_INPUT, OUR_FAULT, STOPPED, READER_GONE]


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "", "9999-12-31"])
def test_a_day_that_is_none_is_one_line(evening: str, croupier: Call, day: str) -> None:
    """The last day of the calendar has no morning after it."""
    done = croupier("figures", "--database", evening, "--day", day)
    assert (done.code, done.err) == (2, f"croupier: {day!r} is no day: write it as in 2026-11-15.\n")
