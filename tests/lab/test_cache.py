"""Counts that are kept on disk: read again, never believed where something differs, the same figures either way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from croupier.lab import cache
from croupier.lab.kernels.runtime.compiler import Ints
from croupier.lab.model.game import Game, game
from croupier.lab.model.variants import changed_terms
from croupier.lab.solve import holdem, own_cards
from croupier.lab.solve.solution import Solution, solve
from tests.patience import COMPILING


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of counts, believed again; what this process holds is forgotten before and after."""
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path)
    monkeypatch.setattr(cache._State, "fresh", False)
    monkeypatch.setattr(cache._State, "keeping", True)
    holdem.clear_counts()
    own_cards.counts_of.cache_clear()
    yield tmp_path
    holdem.clear_counts()
    own_cards.counts_of.cache_clear()


def some() -> dict[str, Ints]:
    return {"one": np.arange(12).reshape(3, 4), "small": np.arange(3, dtype=np.int32)}


def never() -> dict[str, Ints]:
    raise AssertionError("counted a second time")


def test_counts_come_back_as_they_were(folder: Path) -> None:
    with cache.record_use() as seen:
        made = cache.counts("some", ("key", 1), some)
        again = cache.counts("some", ("key", 1), never)
    assert (seen.now, seen.earlier) == (1, 1)
    for name, values in made.items():
        assert again[name].dtype == values.dtype
        assert (again[name] == values).all()
    assert cache.has_counts("some", ("key", 1))
    assert not cache.has_counts("some", ("key", 2))
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("harm", ["changed", "cut", "empty"])
def test_a_file_that_is_not_whole_is_counted_again(folder: Path, harm: str) -> None:
    cache.counts("some", 1, some)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    changed = bytearray(whole)
    changed[len(changed) // 2] ^= 1
    file.write_bytes({"changed": bytes(changed), "cut": whole[:-5], "empty": b""}[harm])
    with cache.record_use() as seen:
        found = cache.counts("some", 1, some)
    assert seen.now == 1
    assert (found["one"] == some()["one"]).all()
    assert file.read_bytes() == whole


def test_afresh_nothing_is_believed(folder: Path) -> None:
    cache.counts("some", 1, lambda: {"one": np.zeros(1, np.int64)})
    with cache.fresh():
        assert not cache.has_counts("some", 1)
        assert cache.counts("some", 1, some)["one"].shape == (3, 4)
    assert cache.counts("some", 1, never)["one"].shape == (3, 4)
    with cache.fresh(keeping=False):
        assert cache.counts("some", 1, lambda: {"one": np.zeros(1, np.int64)})["one"].shape == (1,)
    assert cache.counts("some", 1, never)["one"].shape == (3, 4)
    assert len(list(folder.iterdir())) == 1


def test_where_nothing_can_be_written_nothing_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_bytes(b"")
    monkeypatch.setattr(cache, "_folder", lambda: folder / "file" / "below")
    assert cache.counts("some", 1, some).keys() == some().keys()
    assert cache.counts("some", 1, some).keys() == some().keys()


def test_the_folder_is_named_after_the_sources() -> None:
    """One level below the cache's home, by a hash; a source more or less makes it another one."""
    ours = cache._folder()
    assert ours.parent.name == "counts"
    before = cache._SOURCES
    try:
        cache._SOURCES = before[:-1]
        cache._digest.cache_clear()
        assert cache._folder() != ours
    finally:
        cache._SOURCES = before
        cache._digest.cache_clear()


def told(solved: Solution) -> tuple[object, ...]:
    return (
        solved.ev,
        solved.square,
        dict(solved.decisions),
        dict(solved.results),
        [(hand.name, hand.play, hand.played) for hand in solved.hands],
        [(each.positions, each.probability) for each in solved.indifferent],
    )


def solved_of(name: str, *changes: str) -> tuple[Game, tuple[object, ...]]:
    known = game(changed_terms(name, changes))
    return known, told(solve(known))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "changes",
    [
        ("showdown.ante_pays_from=flush",),
        ("showdown.ante_pays_from=none", "bets.flop.times_ante=3", "bets.river.times_ante=2"),
    ],
)
def test_a_changed_pay_table_solved_from_counts_by_rank_is_what_counting_gives(changes: tuple[str, ...]) -> None:
    """No kernel runs for the changed game: the sums by rank of the game as it stands hold all that it needs."""
    name = "mbs-megalink-holdem"
    known, counted = solved_of(name, *changes)
    holdem.count_ahead(known)
    holdem.clear_counts()
    with cache.record_use() as seen:
        assert solved_of(name, *changes)[1] == counted
    assert (seen.earlier, seen.now) == (1, 0)


@pytest.mark.usefixtures("folder")
def test_a_qualification_that_no_document_has_is_not_counted_ahead() -> None:
    known = game(changed_terms("mbs-megalink-holdem", ["showdown.qualification=pair of 4s"]))
    holdem.count_ahead(known)
    assert not cache.has_counts("by-rank", (known.qualifies_from, known.tie_first))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["sun-casino-holdem", "rws-multilink-three-card"])
def test_a_game_solved_from_kept_counts_is_the_game_counted(name: str) -> None:
    _, counted = solved_of(name)
    holdem.clear_counts()
    own_cards.counts_of.cache_clear()
    with cache.record_use() as seen:
        assert solved_of(name)[1] == counted
    assert seen.earlier
    assert not seen.now


def test_casino_hold_em_is_the_same_solved_from_few_sums_or_from_every_outcome() -> None:
    holdem.clear_counts()
    few = solved_of("sun-casino-holdem")[1]
    holdem.clear_counts()
    holdem.sums_of(game(changed_terms("sun-casino-holdem")), whole=True)
    assert solved_of("sun-casino-holdem")[1] == few
    holdem.clear_counts()


def test_an_answer_from_kept_counts_loads_no_numba(tmp_path: Path) -> None:
    """The second time the command says so, in words and in JSON, and --fresh counts again; all to the same figures."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    environment.pop("CROUPIER_CACHE", None)
    code = (
        "import sys\nfrom croupier.__main__ import main\n"
        "sys.argv[1:1] = ['analyze', 'rws-multilink-three-card', '--json']\n"
        "try:\n    main()\nfinally:\n    print('numba' in sys.modules, file=sys.stderr)\n"
    )

    def call(*more: str) -> tuple[dict[str, object], bool]:
        ours = [sys.executable, "-c", code, *more]
        done = subprocess.run(ours, capture_output=True, text=True, check=True, timeout=COMPILING, env=environment)
        found = json.loads(done.stdout)
        assert isinstance(found, dict)
        return found, done.stderr.split()[-1] == "True"

    first, compiled = call()
    assert (first["counted"], compiled) == ("now", True)
    again, compiled = call()
    assert (again["counted"], compiled) == ("earlier", False)
    fresh, _ = call("--fresh")
    assert fresh["counted"] == "now"
    apart = {"seconds", "compiling_seconds", "counted"}
    for found in (again, fresh):
        assert {name: value for name, value in found.items() if name not in apart} == {
            name: value for name, value in first.items() if name not in apart
        }
    assert again["compiling_seconds"] == 0
    seconds = first["compiling_seconds"]
    assert isinstance(seconds, float)
    assert seconds > 0
