"""The order of tests on several workers: waiting for browsers beside computing, and each kernel compiled once.

`--dist worksteal` hands each worker an equal run of the list; a worker with nothing left steals from the end of
another's run. Half of the workers begin with the browser. One of the others has all slow tests of the lab and of the
simulator: they share kernels and counts that each process loads or makes anew. Quick tests fill every run, and are
what is stolen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

BROWSER = ("tests/web/",)
KERNELS = ("tests/lab/", "tests/simulating/")


def is_in_browser(item: pytest.Item) -> bool:
    return item.nodeid.startswith(BROWSER)


def arrange(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """All items, in the order in which this many workers are to take them."""
    slow = [item for item in items if item.get_closest_marker("slow") and not is_in_browser(item)]
    lab = [item for item in slow if item.nodeid.startswith(KERNELS)]
    other = [item for item in slow if not item.nodeid.startswith(KERNELS)]
    browser = [item for item in items if is_in_browser(item)]
    quick = [item for item in items if not item.get_closest_marker("slow") and not is_in_browser(item)]

    watching = workers // 2
    computing = workers - watching
    first = share(browser, watching)
    first += [lab, *share(other, computing - 1)] if computing > 1 else [slow]
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
