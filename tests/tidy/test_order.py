"""How tests are spread over the workers of a run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from tests.order import arrange

NAMES = (
    *(f"tests/web/test_{n}.py" for n in range(7)),
    *(f"tests/lab/test_{n}.py slow" for n in range(4)),
    *(f"tests/lab/test_quick_{n}.py" for n in range(3)),
    *(f"tests/floor/test_{n}.py slow" for n in range(9)),
    *(f"tests/rounds/test_{n}.py" for n in range(97)),
)


def named(name: str) -> pytest.Item:
    """A test of this name, which is slow if its name says so."""
    return cast(
        "pytest.Item",
        SimpleNamespace(nodeid=name, get_closest_marker=lambda marker: marker if marker in name else None),
    )


@pytest.mark.parametrize("workers", [2, 3, 6, 12, 64])
def test_every_test_runs_once(workers: int) -> None:
    """However few tests a worker has room for."""
    assert sorted(item.nodeid for item in arrange([named(name) for name in NAMES], workers)) == sorted(NAMES)


def test_browsers_wait_beside_computing() -> None:
    """Of six workers, each with a run of twenty, three begin in the browser and one has all tests of the lab."""
    arranged = [item.nodeid for item in arrange([named(name) for name in NAMES], 6)]
    begun = [arranged[start].split("/")[1] for start in range(0, len(arranged), 20)]
    assert begun == ["web", "web", "web", "lab", "floor", "floor"]
    assert all(name in arranged[60:80] for name in NAMES if "lab" in name)
