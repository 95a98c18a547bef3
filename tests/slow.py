"""Which tests `make test-fast` leaves out: those that slow.txt lists."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

LIST = Path(__file__).with_name("slow.txt")


class Selection(NamedTuple):
    """What was collected, before anything was deselected."""

    tests: int
    slow: int
    unmatched: frozenset[str]
    """Lines of the list that name no test of these."""


SELECTION = pytest.StashKey[Selection]()


def listed() -> frozenset[str]:
    """Folders that end with a slash, files, and functions with all their cases."""
    lines = (line.partition("#")[0].strip() for line in LIST.read_text(encoding="utf-8").splitlines())
    return frozenset(line for line in lines if line)


def mark_slow(items: Iterable[pytest.Item]) -> Selection:
    """Mark every test that is listed by its function, its file or a folder around it."""
    slow, tests, marked, used = listed(), 0, 0, set[str]()
    for item in items:
        tests += 1
        names = slow.intersection(_names(item.nodeid))
        if names:
            item.add_marker(pytest.mark.slow)
            marked += 1
            used |= names
    return Selection(tests, marked, slow - used)


def _names(nodeid: str) -> list[str]:
    return [nodeid.partition("[")[0], *_places(nodeid.partition("::")[0])]


@cache
def _places(file: str) -> tuple[str, ...]:
    return (file, *(f"{folder.as_posix()}/" for folder in Path(file).parents))
