"""How many random cases the long tests try."""

from __future__ import annotations

import os

EFFORT = float(os.environ.get("CROUPIER_TEST_EFFORT", "1"))


def effort(cases: int) -> int:
    """So many, or as many times more as `CROUPIER_TEST_EFFORT` says."""
    return max(1, round(cases * EFFORT))
