"""`make test-fast` runs at least nine tenths of all tests."""

from pathlib import Path

import pytest

from tests.slow import SELECTION

TESTS = Path(__file__).resolve().parents[1]


def test_nine_tenths_of_the_tests_are_fast(request: pytest.FixtureRequest) -> None:
    """Counted before slow ones are deselected; every line of slow.txt names a test."""
    if [Path(asked).resolve() for asked in request.config.args] != [TESTS]:
        pytest.skip("Only a run of the whole folder knows how many tests there are.")
    found = request.config.stash[SELECTION]
    assert found.unmatched == frozenset()
    assert found.slow <= found.tests / 10
