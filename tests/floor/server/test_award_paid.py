"""A major award is paid out once: who said so and when is on record, and every console and the pit know it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.records.upcasters import VERSIONS
from croupier.journal.store_address import open_store
from croupier.money import money, show
from tests.floor.people.test_four_eyes import PLAIN, ROYAL, play, step
from tests.floor.serving import Served, quiet

TABLES = {"T1": quiet(physical=True)}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, TABLES) as served:
        served.enrol("eve", Post.DEALER, "a long password")
        yield served
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", read_only=True)
    audited = audit(store)
    store.close()
    assert audited.differences == ()


def payments(served: Served, post: Post = Post.DEALER) -> list[dict[str, object]]:
    with served.http(post) as client:
        told: list[dict[str, object]] = client.get("/api/tables/T1/procedure").json()["payments"]
        return told


def confirm(served: Served, command: str, award: int = 1, post: Post = Post.DEALER) -> dict[str, object]:
    with served.http(post) as client:
        told: dict[str, object] = client.post("/api/tables/T1/award-paid", json={"id": command, "award": award}).json()
        return told


def sign(served: Served) -> None:
    step(served, Post.PIT_MANAGER, "verify_award", award=1)
    step(served, Post.SHIFT_MANAGER, "verify_award", award=1)


def test_an_award_is_to_be_paid_until_one_person_has_said_that_it_is(served: Served) -> None:
    """Three rounds later still; then for nobody any more, and a second confirmation is refused with the first name."""
    play(served, ROYAL)
    assert payments(served) == []
    assert confirm(served, "early")["code"] == "award_not_due"
    sign(served)
    for _ in range(2):
        play(served, PLAIN)
    (due,) = payments(served)
    assert (due["award"], due["round"], due["box"], due["hand"], due["paid_out"]) == (1, 1, 1, "royal_flush", None)
    assert confirm(served, "paid")["accepted"]
    assert confirm(served, "paid")["accepted"], "the same id gets the same answer"
    again = confirm(served, "again", post=Post.PIT_SUPERVISOR)
    assert (again["code"], "dealer confirmed it" in str(again["message"])) == ("award_paid_out", True)
    for post in (Post.DEALER, Post.PIT_SUPERVISOR):
        (told,) = payments(served, post)
        assert isinstance(told["paid_out"], dict)
        assert told["paid_out"]["by"] == "dealer"
    (record,) = [record for record in served.records("people") if record.type == "AwardPaidOut"]
    for said in ('"award":1', '"round":1', '"box":1', '"by":"dealer"'):
        assert said in record.data.decode()
    with served.http(Post.PIT_SUPERVISOR) as pit:
        (line,) = pit.get("/api/figures").json()["tables"]
        assert line["payments"] == payments(served)


def test_the_tray_is_expected_to_lack_an_award_that_was_paid_from_it(served: Served) -> None:
    """An award that the cage has paid leaves the tray as it is."""
    play(served, ROYAL)
    play(served, ROYAL)
    with served.http(Post.DEALER) as dealer:
        for award, from_tray in ((1, False), (2, True)):
            step(served, Post.PIT_MANAGER, "verify_award", award=award)
            step(served, Post.SHIFT_MANAGER, "verify_award", award=award)
            assert dealer.post("/api/tables/T1/tray-count", json={"id": f"c{award}", "count": "900000.00"}).json()
            paid = {"id": f"p{award}", "award": award, "from_tray": from_tray}
            assert dealer.post("/api/tables/T1/award-paid", json=paid).json()["accepted"]
            amount = next(money(str(due["amount"])) for due in payments(served) if due["award"] == award)
            dealer.post("/api/tables/T1/hand-over", json={"to": "eve", "count": f"{award}.00"})
            told = dealer.get("/api/tables/T1/procedure").json()["hand_overs"][-1]
            assert told["expected"] == show(money("900000.00") - amount * from_tray)


def test_what_is_paid_outlives_the_server(tmp_path: Path) -> None:
    """A fresh server knows who said it, and does not ask again."""
    with Served(tmp_path, TABLES) as served:
        play(served, ROYAL)
        sign(served)
        assert confirm(served, "paid")["accepted"]
        before = payments(served)
    with Served(tmp_path, TABLES) as served:
        assert payments(served) == before
        assert confirm(served, "later")["code"] == "award_paid_out"


def test_an_award_that_an_earlier_release_paid_is_not_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That release kept no record of payments: its awards have another version, and the console does not ask."""
    current = {kind: version for kind, version in VERSIONS.current.items() if kind != "CasePaid"}
    with monkeypatch.context() as earlier, Served(tmp_path, TABLES) as served:
        earlier.setattr(VERSIONS, "current", current)
        play(served, ROYAL)
        sign(served)
        assert payments(served) == []
    with Served(tmp_path, TABLES) as served:
        play(served, PLAIN)
        assert payments(served) == []
        assert confirm(served, "paid")["code"] == "award_not_due"
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", read_only=True)
    audited = audit(store)
    store.close()
    assert audited.differences == ()
