"""croupier simulate at the command line: figures, JSON, and one clear sentence for bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from croupier.cli import run


def simulate(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["simulate", *arguments])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_figures_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Means, errors, covariances, shares and histogram, the same for any number of workers."""
    arguments = ("rws-multilink-three-card", "--rounds", "600000", "--seed", "7", "--json")
    code, one, _ = simulate(capsys, *arguments, "--workers", "1")
    assert code == 0
    _, three, _ = simulate(capsys, *arguments, "--workers", "3")
    assert one == three
    found = json.loads(one)
    assert found["rounds"] == 600_000
    assert found["covariances"]["ante"]["play"] == found["covariances"]["play"]["ante"]
    assert found["covariances"]["base"]["base"] == pytest.approx(found["deviations"]["base"] ** 2)
    assert sum(found["histogram"].values()) == 600_000
    assert {each["name"] for each in found["means"]} == {"base", "ante", "play", "pair_plus", "ante_bonus", "jackpot"}


def test_figures_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    code, told, _ = simulate(capsys, "rws-multilink-three-card", "--rounds", "1000", "--strategy", "simple")
    assert code == 0
    assert "1,000 rounds, strategy simple" in told
    assert "rounds a second" in told


def test_people_are_told_how_far_the_farthest_figure_is(capsys: pytest.CaptureFixture[str]) -> None:
    _, told, _ = simulate(capsys, "rws-multilink-three-card", "--rounds", "1000")
    away = max(float(each) for each in re.findall(r"[+-](\d+\.\d\d) s\.e\.", told))
    assert f"The farthest of these figures is {away:.2f} standard errors" in " ".join(told.split())


def test_a_checkpoint_is_gone_on_from(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    arguments = ("rws-multilink-three-card", "--seed", "3", "--json", "--checkpoint", kept)
    simulate(capsys, *arguments, "--rounds", str(1 << 19))
    _, resumed, _ = simulate(capsys, *arguments, "--rounds", "700000")
    _, whole, _ = simulate(capsys, "rws-multilink-three-card", "--seed", "3", "--json", "--rounds", "700000")
    assert resumed == whole


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "needs a game or floor"),
        (("roulette",), 'There is no game "roulette"'),
        (("sun-casino-holdem", "--strategy", "lucky"), "optimal, simple or a readable file"),
        (("sun-casino-holdem", "--careless", "1.5"), "at least 0 and below 1"),
        (("sun-casino-holdem", "--rounds", "0"), "0 is not in the range"),
        (("sun-casino-holdem", "--until", "0"), "0.0 is not in the range"),
        (("sun-casino-holdem", "--until", "nan"), "is not a number"),
        (("sun-casino-holdem", "--rounds", "9" * 20), "is not in the range"),
        (("sun-casino-holdem", "--set", "nonsense"), "is not a change"),
        (("sun-casino-holdem", "--meter", "much"), "much"),
        (("floor", "nowhere.toml"), "cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, told, wrong = simulate(capsys, *arguments)
    assert code == 2
    assert not told
    assert says in wrong
    assert wrong.count("\n") == 1
