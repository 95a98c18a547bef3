"""Chips in and out at a table: patrons without an account are known by table and box, and large sums go to the cage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import httpx
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.journal.store_address import open_store
from tests.floor.serving import Served, quiet

_IDS = count(1)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    tables = {"T1": quiet(), "Alone": quiet(staffed=False)}
    with Served(tmp_path_factory.mktemp("buy-in"), tables) as served:
        yield served


def buy_in(served: Served, post: Post = Post.DEALER, table: str = "T1", **body: object) -> httpx.Response:
    with served.http(post) as client:
        asked = {"id": f"b{next(_IDS)}", "box": 4, "amount": "100.00", **body}
        return client.post(f"/api/tables/{table}/buy-in", json=asked)


def test_a_patron_without_an_account_plays_as_table_and_box(served: Served) -> None:
    """The dealer takes 100.00 and enters an Ante; the record names the table and the dealer, and the audit agrees."""
    told = buy_in(served)
    assert told.json() == {"player": "T1 box 4", "balance": "100.00"}
    assert served.step(Post.DEALER, "open")["accepted"]
    assert served.step(Post.DEALER, "bet", player="T1 box 4", box=4, bet="ante", amount="25.00")["accepted"]
    record = served.records("cashier")[-1].data.decode()
    assert '"table":"T1"' in record
    assert '"by":"dealer"' in record
    store = open_store(served.floor.house.store.url, create=False, read_only=True)
    try:
        assert [str(difference) for difference in audit(store).differences] == []
    finally:
        store.close()


def out(served: Served, kind: str, post: Post = Post.DEALER, table: str = "T1", **body: object) -> httpx.Response:
    with served.http(post) as client:
        return client.post(f"/api/tables/{table}/{kind}", json={"id": f"o{next(_IDS)}", **body})


def test_a_patron_changes_colour_and_takes_the_chips_away(served: Served) -> None:
    """The change is on record and moves no account; what is taken away leaves the account, and the audit agrees."""
    buy_in(served, box=2)
    changed = out(served, "colour-change", player="T1 box 2", amount="75.00", chip="25.00")
    assert changed.json() == {"player": "T1 box 2", "balance": "100.00"}
    assert served.records("cashier")[-1].type == "ColourChanged"
    gone = out(served, "chips-out", player="T1 box 2", amount="100.00")
    assert gone.json() == {"player": "T1 box 2", "balance": "0.00"}
    assert '"table":"T1"' in served.records("cashier")[-1].data.decode()
    store = open_store(served.floor.house.store.url, create=False, read_only=True)
    try:
        assert [str(difference) for difference in audit(store).differences] == []
    finally:
        store.close()


@pytest.mark.parametrize(
    ("kind", "post", "table", "body", "code"),
    [
        ("chips-out", Post.PLAYER, "T1", {}, "not_allowed"),
        ("chips-out", Post.DEALER, "Alone", {}, "not_the_cage"),
        ("chips-out", Post.DEALER, "T1", {"amount": "900000.00"}, "two_people"),
        ("chips-out", Post.DEALER, "T1", {"player": "nobody"}, "unknown_person"),
        ("chips-out", Post.DEALER, "T1", {"amount": "500.00"}, "insufficient_funds"),
        ("colour-change", Post.DEALER, "Alone", {"chip": "5.00"}, "not_the_cage"),
        ("colour-change", Post.DEALER, "T1", {"chip": "30.00"}, "no_amount"),
        ("colour-change", Post.DEALER, "T1", {"amount": "500.00", "chip": "5.00"}, "insufficient_funds"),
    ],
)
def test_chips_that_are_not_there_do_not_change_hands(
    served: Served, kind: str, post: Post, table: str, body: dict[str, object], code: str
) -> None:
    """Only staff at their own tables, within the bound for one person, and no more than the player holds."""
    buy_in(served, box=5, id="box-5")
    asked = {"player": "T1 box 5", "amount": "100.00", **body}
    assert out(served, kind, post, table, **asked).json()["code"] == code


def test_the_same_id_takes_the_money_once(served: Served) -> None:
    """A tap that is sent again after a break gives no second stack of chips."""
    first, again = (buy_in(served, id="once", box=6) for _ in range(2))
    assert first.json() == again.json() == {"player": "T1 box 6", "balance": "100.00"}


@pytest.mark.parametrize(
    ("post", "table", "body", "code"),
    [
        (Post.PLAYER, "T1", {}, "not_allowed"),
        (Post.CAGE, "T1", {}, "not_allowed"),
        (Post.DEALER, "Alone", {}, "not_the_cage"),
        (Post.DEALER, "T1", {"amount": "900000.00"}, "two_people"),
        (Post.DEALER, "T1", {"amount": "0.00"}, "no_amount"),
        (Post.DEALER, "T1", {"box": 9}, "bad_request"),
        (Post.DEALER, "T1", {"player": "nobody"}, "unknown_person"),
    ],
)
def test_what_is_not_for_a_dealer_is_refused(
    served: Served, post: Post, table: str, body: dict[str, object], code: str
) -> None:
    """Only staff at their own tables, within the bound for one person, for a player or a box that exists."""
    assert buy_in(served, post, table, **body).json()["code"] == code
