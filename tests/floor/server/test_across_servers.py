"""People of one house at two of its servers: what one of them is told, the other knows at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from croupier.client import Client, Place
from croupier.floor.duties.permissions import Post
from croupier.floor.server.live_connection import SIGNED_OUT
from croupier.money import money, show
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.house_builder import eventually
from tests.floor.serving import Live, Served, quiet
from tests.patience import PATIENCE
from tests.stores import PostgresPlace

Two: TypeAlias = tuple[Served, Served]


@pytest.fixture
def two(tmp_path: Path, postgres: PrivatePostgres) -> Iterator[Two]:
    place = PostgresPlace(postgres)
    with (
        Served(tmp_path, {"A1": quiet()}, url=place.url) as first,
        Served(tmp_path, {"B1": quiet()}, url=place.url) as second,
    ):
        assert eventually(lambda: _lobby(first) == {"A1", "B1"}), "the first server has not heard of the second's table"
        yield first, second


def _lobby(served: Served) -> set[str]:
    with served.http() as visitor:
        return {line["table"] for line in visitor.get("/api/lobby").json()["tables"]}


def test_a_table_of_another_server_is_in_the_lobby_and_says_who_runs_it(two: Two) -> None:
    """Whatever is asked of it here: one sentence, and no other is told that there is no such table."""
    here, _ = two
    says = "Table B1 is run by another server."
    with here.http(Post.SHIFT_MANAGER) as client, here.http() as stranger:
        for lines in (client.get("/api/tables").json(), stranger.get("/api/lobby").json()["tables"]):
            assert {line["table"]: line["elsewhere"] for line in lines} == {"A1": False, "B1": True}
        for path in ("", "/layout", "/rounds", "/rounds/1", "/rounds/1/record", "/procedure", "/edge"):
            answer = client.get(f"/api/tables/B1{path}")
            assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (
                409,
                "table_elsewhere",
                says,
            )
            assert client.get(f"/api/tables/C1{path}").json()["code"] == "unknown_table"
        for path, body in (("commands", {"id": "b", "do": "open"}), ("call", {}), ("close", {"id": "c"})):
            answer = client.post(f"/api/tables/B1/{path}", json=body)
            assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (
                409,
                "table_elsewhere",
                says,
            )
    with here.live(Post.DEALER) as live:
        told = live.ask({"type": "watch_table", "table": "B1", "id": "w"})
        assert (told["code"], told["message"]) == ("table_elsewhere", says)
        told = live.ask({"type": "command", "table": "B1", "id": "x", "command": {"do": "open"}})
        assert (told["code"], told["message"]) == ("table_elsewhere", says)

    async def places() -> list[Place]:
        async with Client(f"http://{here.address}", here.tokens[Post.PLAYER]) as client:
            return await client.tables()

    assert {place.table: (place.elsewhere, place.stage) for place in asyncio.run(places())} == {
        "A1": (False, "idle"),
        "B1": (True, None),
    }


def test_what_a_cashier_of_another_server_books_shows_at_once_on_the_players_own_screen(two: Two) -> None:
    """Before he does anything; and on nobody else's screen."""
    here, there = two
    name = here.person(Post.PLAYER).name
    held = money("100000.00")
    with there.live(Post.PLAYER) as own, there.live(Post.DEALER) as other:
        for live in (own, other):
            assert live.ask({"type": "ping", "id": "here"})["type"] == "pong"
        for kind, amount in (("buy-in", "25.00"), ("buy-in", "75.00"), ("cash-out", "50.00")):
            paid = here.pay(kind, name, amount)
            while not (told := own.receive(PATIENCE)).get("consents"):
                pass  # the player is asked at whichever server they are
            assert told["balance"] == show(held)
            assert there.confirm(paid).json()["accepted"]
            held += money(amount) * (1 if kind == "buy-in" else -1)
            said = {"type": "account", "player": name, "balance": show(held), "consents": []}
            while not said.items() <= own.receive(PATIENCE).items():
                pass
        with there.http(Post.PLAYER) as client:
            assert client.get("/api/me").json()["account"]["balance"] == show(held)
        assert other.ask({"type": "ping", "id": "after"}) == {"type": "pong", "id": "after"}
        with pytest.raises(TimeoutError):
            other.receive(0.1)


def _read_on(live: Live) -> None:
    """Read until the connection is closed; what was on its way comes first."""
    while True:
        live.receive(PATIENCE)


def test_bookings_and_revoked_sessions_are_not_missed_where_nobody_listens(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the connection that hears of others' commits, a server still looks by itself."""
    here, there = two
    monkeypatch.setattr("croupier.floor.house.writer._OF_INTEREST", ())
    name = here.person(Post.PLAYER).name
    with there.live(Post.PLAYER) as own:
        assert own.ask({"type": "ping", "id": "here"})["type"] == "pong"
        sold = here.pay("buy-in", name, "25.00")
        assert here.confirm(sold).json()["accepted"]
        while own.receive(PATIENCE)["balance"] != "100025.00":
            pass
        with here.http(Post.ADMINISTRATOR) as office:
            office.post(f"/api/people/{name}/sign-out")
        with pytest.raises(ConnectionClosed):
            _read_on(own)


def test_a_session_that_one_server_ends_is_over_on_the_others(two: Two) -> None:
    """Its live connections too: nobody plays on with it anywhere."""
    here, there = two
    with there.live(Post.DEALER) as live, there.live() as anybody:
        assert live.ask({"type": "ping", "id": "here"})["type"] == "pong"
        with here.http(Post.ADMINISTRATOR) as office:
            assert office.post("/api/people/dealer/sign-out").json()["sessions"] == 2
        with pytest.raises(ConnectionClosed) as closed:
            live.receive(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == SIGNED_OUT
        assert anybody.ask({"type": "ping", "id": "p"}) == {"type": "pong", "id": "p"}
    with there.http(Post.DEALER) as client:
        assert client.get("/api/me").status_code == 401


def test_a_session_that_one_server_opens_is_good_on_the_others_at_once(two: Two) -> None:
    """Whoever stands before both sends the next request to either."""
    here, there = two
    here.enrol("eve", Post.DEALER, "a long password")
    for _ in range(5):
        with here.http() as client:
            token = client.post("/api/login", json={"name": "eve", "password": "a long password"}).json()["token"]
        bearer = {"authorization": f"Bearer {token}"}
        with Live(there.address, bearer) as live:
            live.send({"type": "watch_table", "table": "B1"})
            assert live.receive(PATIENCE)["type"] == "table"
        assert httpx.get(f"http://{there.address}/api/me", headers=bearer, verify=False).json()["name"] == "eve"


def test_a_token_that_was_never_given_is_refused_on_a_shared_house_too(two: Two) -> None:
    """After a moment in which it could have become known."""
    _, there = two
    made_up = {"authorization": f"Bearer {int(time.time())}.{'x' * 43}"}
    assert (
        httpx.get(f"http://{there.address}/api/tables", headers=made_up, timeout=PATIENCE, verify=False).status_code
        == 401
    )


@pytest.mark.parametrize("text", ["a%00b", "%ED%A0%80", "%FF"])
def test_text_that_the_database_cannot_keep_is_nobodys_name(two: Two, text: str) -> None:
    """In a question, an address, a log-in or a command's id: it is answered, and both servers serve on."""
    here, _ = two
    with here.http(Post.AUDITOR) as client:
        assert client.get(f"/api/tables/A1/rounds?player={text}").status_code in (200, 400)
        assert client.get(f"/api/rounds?player={text}&bet={text}&hand={text}").status_code in (200, 400)
        assert client.get(f"/api/tables/{text}").status_code == 404
        assert client.post("/api/login", json={"name": "a\0b", "password": "\0"}).status_code in (400, 401)
    with here.http(Post.CAGE) as client:
        for player in ("player", "a\0b"):
            sold = {"player": player, "amount": "25.00", "id": "a\0b"}
            assert client.post("/api/cashier/buy-in", json=sold).status_code in (202, 400, 404, 409)
    for server in two:
        with server.http() as client:
            assert client.get("/ready").status_code == 200
