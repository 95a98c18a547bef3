"""A table handed from one dealer to another: the count of the tray and the names of two people go on record."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.journal.store_address import open_store
from tests.floor.serving import Served, quiet

PASSWORD = "a long password"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    tables = {"T1": quiet(), "Alone": quiet(staffed=False)}
    with Served(tmp_path_factory.mktemp("hand-over"), tables) as served:
        served.enrol("eve", Post.DEALER, PASSWORD)
        yield served


def hand_over(served: Served, to: str, count: str = "1250.00", table: str = "T1") -> dict[str, object]:
    with served.http(Post.DEALER) as client:
        told: dict[str, object] = client.post(f"/api/tables/{table}/hand-over", json={"to": to, "count": count}).json()
        return told


def test_a_shift_is_handed_over_with_its_count_and_two_names(served: Served) -> None:
    """The dealer counts 1,250.00 and names eve; the supervisor signs; the record holds all of it and is audited."""
    proposal = hand_over(served, "eve")
    with served.http(Post.PIT_SUPERVISOR) as supervisor:
        assert supervisor.post(f"/api/proposals/{proposal['id']}/sign", json={}).json()["accepted"]
    record = served.records("people")[-2]
    assert record.type == "TableHandedOver"
    for said in ('"count":125000', '"table":"T1"', '"by":"dealer"', '"second":"pit_supervisor"'):
        assert said in record.data.decode()
    store = open_store(served.floor.house.store.url, create=False, read_only=True)
    try:
        assert [str(difference) for difference in audit(store).differences] == []
    finally:
        store.close()


@pytest.mark.parametrize("to", ["dealer", "player", "nobody"])
def test_a_table_is_handed_to_another_dealer(served: Served, to: str) -> None:
    """Not to oneself, not to a player, not to a stranger."""
    assert hand_over(served, to)["code"] == "unknown_person"


def test_a_table_without_a_dealer_has_no_shift(served: Served) -> None:
    """It runs by itself: the house refuses what was signed for."""
    proposal = hand_over(served, "eve", table="Alone")
    with served.http(Post.PIT_SUPERVISOR) as supervisor:
        assert supervisor.post(f"/api/proposals/{proposal['id']}/sign", json={}).json()["code"] == "no_hand_over"
