"""docs/command-line.md: every command's JSON has the fields that stand there, and every exit code has its line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from croupier.cli import COMMANDS
from croupier.cli.terminal.errors import BAD_INPUT, INTERNAL_ERROR, READER_GONE, STOPPED
from croupier.money import money
from tests.calling import ROOT, Call
from tests.floor.played_house import Play
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
        ("version", ("version",)),
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


AMOUNTS = {
    "ante", "bet", "stakes", "meter", "break_even_meter", "round_break_even_meter", "staked", "daily_result",
    "yearly_result", "errors_a_day", "meter_at_reset", "topped_up_a_year", "reserve", "amount", "daily_bands",
    "bands_so_far",
}  # fmt: skip
"""Fields of the lab and the simulator that hold money, themselves or in what stands in them."""
FLOOR = """
days = 2
hours = 1
lives = {lives}
seed = 1
[link]
meter = "150000.00"
reset = "150000.00"
contribution = "0.25"
reserve = "0.05"
currency = "SGD"
[[tables]]
game = "rws-multilink-three-card"
count = 2
ante = "25.00"
rounds_per_hour = 10
seats = 3
jackpot = 1.0
players = {{ optimal = 1.0, simple = 0.0, careless = 0.0 }}
"""


def amounts(found: object, *, inside: bool = False) -> list[object]:
    """Whatever stands in a field of money; what the lab says of the game itself is in Antes."""
    if isinstance(found, dict):
        parts = {name: value for name, value in found.items() if name != "base"}
        return [each for name, value in parts.items() for each in amounts(value, inside=inside or name in AMOUNTS)]
    if isinstance(found, list):
        return [each for value in found for each in amounts(value, inside=inside)]
    return [found] if inside and found is not None else []


@pytest.mark.parametrize(
    ("arguments", "least"),
    [
        (
            (
                "analyze",
                "mbs-megalink-holdem",
                "--jackpot-bet",
                "15",
                "--meter",
                "1200000",
                "--ante",
                "20",
                "--exploits",
            ),
            5,
        ),
        (("analyze", GAME, "--stake", "pair_plus=10.00", "--meter", "300000.50"), 7),
        (("strategy", GAME, "--stake", "pair_plus=10.00"), 3),
        (("simulate", "floor", "FLOOR"), 30),
    ],
)
def test_money_is_a_text_with_two_decimals(
    arguments: tuple[str, ...], least: int, croupier: Call, tmp_path: Path
) -> None:
    """As the page says, in the lab's and the simulator's figures too."""
    config = tmp_path / "floor.toml"
    config.write_text(FLOOR.format(lives=2), encoding="utf-8")
    done = croupier(*(str(config) if each == "FLOOR" else each for each in arguments), "--json")
    assert (done.code, done.err) == (0, "")
    found = amounts(json.loads(done.out))
    assert len(found) >= least
    for each in found:
        assert isinstance(each, str)
        assert re.fullmatch(r"-?\d+\.\d\d", each)


def test_one_life_of_a_floor_has_no_band(croupier: Call, tmp_path: Path) -> None:
    """A band of one value says nothing: it is left out for people, for programs and on the page."""
    config, page = tmp_path / "floor.toml", tmp_path / "floor.html"
    config.write_text(FLOOR.format(lives=1), encoding="utf-8")
    done = croupier("simulate", "floor", str(config), "--output", str(page))
    assert done.code == 0
    row = next(line.strip() for line in done.out.splitlines() if "House's result of 2 days" in line)
    assert re.fullmatch(r"House's result of 2 days +│ +-?[\d,]+\.\d\d", row)
    assert re.search(r"House's result of a day \(90% of days\) +│ +-?[\d,.]+ \(-?[\d,.]+ to -?[\d,.]+\)", done.out)
    assert "1 life of 2 days" in done.out
    assert "1 life of 2 days" in page.read_text(encoding="utf-8")
    found = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    assert list(found) == documented("simulate floor")[0]
    assert (found["daily_bands"], found["bands_so_far"], found["yearly_result"]["quantiles"]) == ({}, {}, {})
    assert found["daily_result"]["quantiles"].keys() == {"0.05", "0.25", "0.5", "0.75", "0.95"}
    config.write_text(FLOOR.format(lives=2), encoding="utf-8")
    several = json.loads(croupier("simulate", "floor", str(config), "--json").out)
    assert len(several["daily_bands"]["0.5"]) == 2
    assert several["yearly_result"]["quantiles"]


def test_every_command_has_its_line() -> None:
    """Of the page's table of JSON."""
    listed = {line.split()[0] for line in re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)}
    assert set(COMMANDS) <= listed


def test_every_exit_code_has_its_line() -> None:
    """And no other."""
    listed = [int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)]
    assert listed == [0, 1, BAD_INPUT, INTERNAL_ERROR, STOPPED, READER_GONE]


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "", "9999-12-31"])
def test_a_day_that_is_none_is_one_line(evening: str, croupier: Call, day: str) -> None:
    """The last day of the calendar has no morning after it."""
    done = croupier("figures", "--database", evening, "--day", day)
    assert (done.code, done.err) == (2, f"croupier: {day!r} is not a day: write it as in 2026-11-15.\n")
