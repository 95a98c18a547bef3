"""Nonsense at every door is answered: no fault of ours, no traceback, no silence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.effort import effort
from tests.floor.fuzzer import Fuzzed, faults, fuzz_http, fuzz_roles, fuzz_socket, fuzzed_house

REQUESTS = effort(200)


def test_nonsense_over_http_is_answered(tmp_path: Path) -> None:
    """Made from the API's own description, at every operation, by all kinds of people."""
    found = Fuzzed()
    with fuzzed_house(tmp_path) as served, faults(found):
        fuzz_http(served, effort(6), found)
    assert found.wrong == []
    assert found.sent > 300


def test_every_answer_to_every_role_is_described(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Requests that follow each other, by every role: no 5xx, and no status or body that the API does not describe."""
    found = Fuzzed()
    with fuzzed_house(tmp_path) as served, faults(found):
        fuzz_roles(served, REQUESTS, found)
    assert found.wrong == []
    assert found.sent >= REQUESTS
    record_property("requests in scenarios by every role", found.sent)
    record_property("undescribed answers", 0)


def test_nonsense_on_the_socket_is_answered(tmp_path: Path) -> None:
    """Sound, nearly sound and noise; and the house still adds up."""
    found = Fuzzed()
    with fuzzed_house(tmp_path) as served, faults(found):
        fuzz_socket(served, effort(1000), found)
        assert sum(served.floor.house.balances.values()) == 0
    assert found.wrong == []
    assert found.answers["True"] > 5
