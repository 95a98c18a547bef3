"""Limits of one address and of one person: forged tokens, live connections, what they watch, searches, proxies."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.floor.duties.permissions import Post
from croupier.floor.server.errors import ApiError
from croupier.floor.server.live_connection import TOO_MANY
from croupier.floor.server.login.auth import WAITING_MOST
from croupier.floor.server.quotas import AtOnce, address_key
from croupier.floor.server.routes.records.rounds import Searches
from croupier.floor.server.settings import BadSettings, Settings, read_settings
from croupier.floor.views.round_views import RoundLine
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.serving import Live, Served
from tests.patience import PATIENCE
from tests.stores import PostgresPlace

# ---------------------------------------------------------------- forged tokens


def forged(number: int = 0) -> dict[str, str]:
    """A token of this very second that no server has given out."""
    return {"authorization": f"Bearer {int(time.time())}.forged-{number}"}


@pytest.fixture
def shared(tmp_path: Path, postgres: PrivatePostgres) -> Iterator[Served]:
    with Served(tmp_path, settings=Settings(requests_per_second=8), url=PostgresPlace(postgres).url) as served:
        yield served


def test_a_forged_token_waits_only_within_the_limit_of_its_address(shared: Served) -> None:
    """Forty at once are the burst of the address; the others are told so at once, and few of the forty wait."""
    with shared.http() as client:

        def knock(number: int) -> tuple[int, float]:
            began = time.monotonic()
            status = client.get("/api/tables", headers=forged(number)).status_code
            return status, time.monotonic() - began

        with ThreadPoolExecutor(60) as pool:
            answers = list(pool.map(knock, range(60)))
    assert {status for status, _ in answers} == {401, 429}
    waited = [took for status, took in answers if took > 1.2]
    assert len(waited) <= WAITING_MOST
    assert sum(status == 401 for status, _ in answers) <= 45


def test_a_token_of_yesterday_is_not_waited_for(shared: Served) -> None:
    """Only a session that another server opened a moment ago may be on its way."""
    old = {"authorization": f"Bearer {int(time.time()) - 60}.forged"}
    began = time.monotonic()
    with shared.http() as client:
        assert client.get("/api/tables", headers=old).status_code == 401
    assert time.monotonic() - began < 1.0


# ---------------------------------------------------------------- live connections


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    settings = Settings(
        sockets_per_person=2, sockets_per_address=4, watches_per_socket=2, searches_per_person=2, searches_per_address=3
    )
    with Served(tmp_path, settings=settings) as served:
        yield served


def is_turned_away(live: Live) -> str:
    """Why a live connection was closed at once."""
    with live, pytest.raises(ConnectionClosed) as closed:
        live.receive()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == TOO_MANY
    return closed.value.rcvd.reason


def opens(live: Live) -> None:
    assert live.ask({"type": "ping"})["type"] == "pong"


def test_a_person_has_so_many_live_connections(served: Served) -> None:
    """The next is closed with one sentence; when one has ended there is room again."""
    with served.live(Post.PLAYER) as first:
        opens(first)
        with served.live(Post.PLAYER) as second:
            opens(second)
            assert is_turned_away(served.live(Post.PLAYER)) == "You already have 2 live connections. Close one first."
            with served.live(Post.DEALER) as another:
                opens(another)
        room_again(served, Post.PLAYER)


def room_again(served: Served, post: Post) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with served.live(post) as live:
                opens(live)
                return
        except ConnectionClosed:
            time.sleep(0.05)
    raise AssertionError("there is no room again")


def test_an_address_has_so_many_live_connections(served: Served) -> None:
    """Displays without a session count too."""
    with served.live() as a, served.live() as b, served.live() as c, served.live(Post.DEALER) as d:
        for live in (a, b, c, d):
            opens(live)
        said = is_turned_away(served.live(Post.AUDITOR))
        assert said == "Your address already has 4 live connections. Close one first."
        assert is_turned_away(served.live()) == said
    room_again(served, Post.AUDITOR)


def test_a_live_connection_watches_so_many_things(served: Served) -> None:
    """The third is refused in one sentence; what is watched already may be asked for again."""
    with served.live(Post.PIT_SUPERVISOR) as live:
        live.send({"type": "watch_table", "table": "T1"})
        live.send({"type": "watch_pit", "id": "p"})
        refused = live.ask({"type": "watch_link", "link": "main", "id": "l"})
        assert (refused["id"], refused["code"]) == ("l", "too_many")
        assert refused["message"] == "This connection already watches 2 tables and links. Unwatch one first."
        live.send({"type": "watch_table", "table": "T1", "id": "again"})
        live.send({"type": "unwatch_pit"})
        live.send({"type": "watch_link", "link": "main"})
        while live.receive()["type"] != "link":
            pass


# ---------------------------------------------------------------- searches


def test_a_person_and_an_address_search_for_so_many_things_at_once() -> None:
    """Whoever comes too much is told so, by the one or by the other; when one search has ended there is room."""
    going = threading.Event()

    def look() -> list[RoundLine]:
        going.wait(PATIENCE)
        return []

    async def run() -> list[str]:
        searches = Searches(of_one_person=2, of_one_address=3)

        async def find(person: str, address: str) -> str:
            try:
                await searches.find(person, address, look)
            except ApiError as refused:
                return refused.detail
            return "found"

        asked = [("ana", "a"), ("ana", "a"), ("ana", "b"), ("bob", "a"), ("cas", "a"), ("cas", "b")]
        finding = [asyncio.create_task(find(*each)) for each in asked]
        await asyncio.sleep(0.1)
        going.set()
        told = [await task for task in finding]
        told.append(await find("ana", "a"))
        await searches.close()
        return told

    mine = "You already have 2 searches running. Wait for one to finish."
    ours = "Your address already has 3 searches running. Wait for one to finish."
    assert asyncio.run(run()) == ["found", "found", mine, "found", ours, "found", "found"]


def test_what_has_left_is_forgotten() -> None:
    """Nobody fills the memory by coming and going."""
    at_once = AtOnce(1)
    for number in range(10):
        assert at_once.enter(str(number))
        assert not at_once.enter(str(number))
        at_once.leave(str(number))
    assert at_once.held == {}


# ---------------------------------------------------------------- addresses and proxies


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_addresses_of_one_household_count_as_one(address: str, key: str) -> None:
    """Whoever has one address of IPv6 has 2 to the power of 64 of them."""
    assert address_key(address) == key


def log_ins(served: Served, *forwarded: str) -> list[int]:
    """Guests, each with what a proxy or the guest says of the address."""
    told = []
    for each in forwarded:
        with served.http() as client:
            told.append(client.post("/api/guest", headers={"x-forwarded-for": each}).status_code)
    return told


def test_a_forwarded_address_is_believed_of_nobody_unless_configured(tmp_path: Path) -> None:
    """A stranger who says another address each time is still the same stranger."""
    settings = Settings(demo=True, log_ins_per_minute=2)
    with Served(tmp_path, settings=settings) as served:
        assert log_ins(served, "192.0.2.1", "192.0.2.2", "192.0.2.3") == [200, 200, 429]


def test_a_forwarded_address_is_believed_of_a_configured_proxy(tmp_path: Path) -> None:
    """The last hop that is not a proxy of ours counts; what stands left of it, anybody may have written."""
    settings = Settings(demo=True, log_ins_per_minute=2, trusted_proxies=("127.0.0.0/8", "10.0.0.0/8"))
    with Served(tmp_path, settings=settings) as served:
        assert log_ins(served, "192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2") == [200, 200, 429, 200]
        assert log_ins(served, "1.1.1.1, 192.0.2.3, 10.1.2.3", "2.2.2.2, 192.0.2.3", "192.0.2.3") == [200, 200, 429]


def test_proxies_are_read_from_file_and_environment_and_named_where_they_are_wrong(tmp_path: Path) -> None:
    """Addresses or networks; every address there is is not a proxy."""
    path = tmp_path / "c.toml"
    path.write_text('trusted_proxies = ["10.0.0.0/8", "::1"]\nsockets_per_address = 7\n')
    assert read_settings(path, {}).trusted_proxies == ("10.0.0.0/8", "::1")
    assert read_settings(path, {}).sockets_per_address == 7
    told = read_settings(None, {"CROUPIER_TRUSTED_PROXIES": "10.0.0.0/8, ::1"})
    assert told.trusted_proxies == ("10.0.0.0/8", "::1")
    for wrong in ('trusted_proxies = ["*"]', 'trusted_proxies = ["10.0.0.1/8"]', "sockets_per_person = 0"):
        path.write_text(wrong)
        with pytest.raises(BadSettings, match=r"is not (a list of addresses|a whole number above 0)"):
            read_settings(path, {})
