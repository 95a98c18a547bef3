"""Kernels compiled ahead of their first call, in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

import pytest

from croupier.lab import cache
from croupier.lab.kernels.runtime import compiler, precompile
from croupier.lab.kernels.runtime.compiler import Ints, Kernel, kernel, part, unsigned_zeros, zeros
from croupier.lab.kernels.runtime.precompile import compile_ahead
from croupier.lab.kernels.runtime.signatures import ENTRY_POINTS, EntryPoint, Job, Purpose, signature
from croupier.lab.model.variants import changed_terms
from croupier.lab.report.sheet import make_sheet
from croupier.lab.verify import hand_checks

ROOT = Path(__file__).parents[2]

SMALL = next(entry for entry in ENTRY_POINTS if entry.name == "enumerate.streets.tally_types")
OTHER = next(entry for entry in ENTRY_POINTS if entry.name == "cards.ranking._fill")
NEEDS = (Purpose.COUNT_STREETS,)


class Told:
    """Whoever watches."""

    def __init__(self) -> None:
        self.parts: list[float] = []

    def __call__(self, _doing: str, done: float) -> None:
        self.parts.append(done)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nothing was ever compiled, and two kernels that are quick to compile."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    monkeypatch.setattr(precompile, "JOBS", (Job(NEEDS, (SMALL,)), Job(NEEDS, (OTHER,))))
    monkeypatch.setattr(precompile, "_WORTH", 0)
    return tmp_path


def kernel_of(entry: EntryPoint) -> Kernel:
    module, _, name = entry.name.rpartition(".")
    found = getattr(import_module(f"croupier.lab.kernels.{module}"), name)
    assert isinstance(found, Kernel)
    return found


def call_as_said() -> None:
    """A game of each structure, everything counted anew: every kernel that is compiled ahead is called, with exactly
    what it is said to take.
    """
    hand_checks.COUNTED_OUT = 60
    with cache.fresh(keeping=False):
        for game in ("rws-multilink-holdem", "rws-multilink-three-card", "sun-casino-holdem"):
            make_sheet(changed_terms(game), meter=1_000_000_00, rounds=20_000, sampled=100)
    for entry in ENTRY_POINTS:
        called = [tuple(each.args) for each in getattr(kernel_of(entry).entry(), "nopython_signatures")]  # noqa: B009
        assert signature(entry) in called, f"{entry.name} takes {called}"


def test_kernels_are_called_with_what_they_are_compiled_for() -> None:
    """In a process of its own, since what this one has asked before is remembered and called no more."""
    asked = [sys.executable, "-c", "from tests.lab.test_precompile import call_as_said; call_as_said()"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_missing_is_compiled_by_others_and_the_rest_of_the_work_told_after_it(empty: Path) -> None:
    """Both kernels end up in the cache, none in this process; a fifth of the work is left, and told as that."""
    told = Told()
    waiting = precompile._STARTING + (SMALL.seconds + OTHER.seconds) / min(2, compiler.workers())
    rest = compile_ahead(NEEDS, waiting / 4, told)
    assert not SMALL.missing
    assert not OTHER.missing
    assert list(empty.rglob("*.nbc"))
    assert told.parts == sorted(told.parts)
    assert told.parts[0] == 0
    assert told.parts[-1] == pytest.approx(0.8)
    rest("solving", 0.5)
    assert told.parts[-1] == pytest.approx(0.9)


def test_where_nothing_is_missing_nothing_is_started(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del empty
    compile_ahead(NEEDS, 1.0, Told())
    monkeypatch.setattr(precompile, "_helper", lambda: pytest.fail("started a process"))
    told = Told()
    assert compile_ahead(NEEDS, 1.0, told) is told
    assert told.parts == []


def test_for_other_purposes_nothing_is_compiled(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompile, "_helper", lambda: pytest.fail("started a process"))
    told = Told()
    assert compile_ahead((Purpose.SHEET_THREE_CARDS,), 1.0, told) is told
    assert list(empty.iterdir()) == []


def test_where_nothing_can_be_kept_nothing_is_compiled_ahead(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be compiled in vain, each time anew."""
    (empty / "file").write_bytes(b"")
    monkeypatch.setenv("CROUPIER_CACHE", str(empty / "file"))
    monkeypatch.setattr(precompile, "_helper", lambda: pytest.fail("started a process"))
    told = Told()
    assert compile_ahead(NEEDS, 1.0, told) is told


def test_a_folder_that_may_not_be_written_to_gets_nothing_compiled_for_it(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda folder, _way: Path(folder) != empty / "croupier")
    monkeypatch.setattr(precompile, "_helper", lambda: pytest.fail("started a process"))
    told = Told()
    assert compile_ahead(NEEDS, 1.0, told) is told


def test_a_process_that_ends_before_its_time_leaves_the_work_to_the_first_call(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dying() -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, "-c", "input()"], stdin=pipe, stdout=pipe, text=True)

    monkeypatch.setattr(precompile, "_helper", dying)
    told = Told()
    compile_ahead(NEEDS, 1.0, told)("solving", 1.0)
    assert told.parts == [0, 1]
    assert list(empty.rglob("*.nbi")) == []


@part
def _twice(value: int) -> int:
    return 2 * value


@kernel
def _added(small: Ints, wide: Ints) -> int:
    return _twice(3) + _twice(small[0]) + _twice(wide[0])


def test_a_piece_is_compiled_once_whatever_integers_it_is_called_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A known number, one of 8 bits without a sign and one of 64: one version of the piece, and what Python adds."""
    monkeypatch.setattr(compiler, "cache_folder", lambda _: tmp_path)
    small, wide = unsigned_zeros(1, 8), zeros(1)
    small[0], wide[0] = 200, -(2**40)
    assert _added(small, wide) == 6 + 400 - 2**41
    assert isinstance(_twice, Kernel)
    assert len(getattr(_twice.inner(), "nopython_signatures")) == 1  # noqa: B009


def test_a_piece_has_no_door() -> None:
    assert isinstance(_twice, Kernel)
    with pytest.raises(AssertionError, match="_twice is called by kernels only"):
        _twice.entry()


def add_as_each_type() -> None:
    """The same operators of integers, floats and both, by numba with its memory on and by Python."""
    import numba  # noqa: PLC0415 - it takes long to load

    from croupier.lab.kernels.runtime.operator_types import remember_operator_types  # noqa: PLC0415 - likewise

    remember_operator_types()

    def reckon(a: float, b: float) -> float:
        return a * b + a - b + (1 if a < b else 2)

    for _ in range(2):
        compiled = cast(Callable[[float, float], float], numba.njit(reckon))
        for a, b in ((7, 3), (7.5, 3), (7, 3.25), (0.5, 0.25)):
            assert compiled(a, b) == reckon(a, b)
            assert type(compiled(a, b)) is type(reckon(a, b))


def test_remembered_operators_keep_their_types() -> None:
    """In a process of its own, since numba remembers until its end."""
    asked = [sys.executable, "-c", "from tests.lab.test_precompile import add_as_each_type; add_as_each_type()"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
