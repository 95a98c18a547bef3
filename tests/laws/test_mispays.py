"""Laws of the settlement's acts: whatever a Dealer's hands do, every difference is found and none is invented."""

from __future__ import annotations

from collections import Counter

from tests.laws.mispays import PROCEDURES, sittings


def test_every_physical_error_is_found_and_none_is_invented() -> None:
    """Over every game and procedure; afterwards ledger, chips and lines agree. More of it: tests.laws.mispays."""
    total: Counter[str] = Counter()
    for counts in sittings(7, 6 * len(PROCEDURES), rounds=2):
        total.update(counts)
    assert total["settlements"] == 6 * len(PROCEDURES)
    assert total["errors"] == total["found"] > 10
    assert total["stood"]
    assert total["confirmed at once"]
