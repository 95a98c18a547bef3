"""The lab's tests count everything themselves: what an earlier run has kept is not believed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.lab import cache


@pytest.fixture(autouse=True)
def _counted_afresh() -> Iterator[None]:
    with cache.fresh(keeping=False):
        yield
