"""The order of tests on several workers: waiting for browsers beside computing, and each kernel compiled once.

`--dist worksteal` hands each worker an equal run of the list; a worker with nothing left steals from the end of
another's run. Half of the workers begin with the browser. One of the others has all tests of the lab and of the
simulator, the slow ones first: they share kernels and counts that each process loads or makes anew. Other quick tests
fill every run, and are what is stolen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

BROWSER = ("tests/web/",)
KERNELS = ("tests/lab/", "tests/simulating/")


def is_in_browser(item: pytest.Item) -> bool:
    return item.nodeid.startswith(BROWSER)


def is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None


def arrange(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """All items, in the order in which this many workers are to take them."""
    browser = [item for item in items if is_in_browser(item)]
    lab = sorted((item for item in items if item.nodeid.startswith(KERNELS)), key=lambda item: not is_slow(item))
    others = [item for item in items if not item.nodeid.startswith((*BROWSER, *KERNELS))]
    slow = [item for item in others if is_slow(item)]
    quick = [item for item in others if not is_slow(item)]

    watching = workers // 2
    computing = workers - watching
    first = share(browser, watching)
    first += [lab, *share(slow, computing - 1)] if computing > 1 else [[*lab, *slow]]
    ends = [len(items) * number // workers for number in range(workers + 1)]
    arranged: list[pytest.Item] = []
    for number, begun in enumerate(first):
        room = ends[number + 1] - ends[number] - len(begun)
        arranged += [*begun, *quick[: max(0, room)]]
        del quick[: max(0, room)]
    return [*arranged, *quick]


def share(items: Sequence[pytest.Item], among: int) -> list[list[pytest.Item]]:
    """Equal runs of neighbours, because tests of one file share what is slow to make."""
    ends = [len(items) * number // among for number in range(among + 1)]
    return [list(items[start:end]) for start, end in pairwise(ends)]
