"""A player's own rounds: the ledger's sums over all tables, sessions apart, and a receipt for each round."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from croupier.floor.duties.permissions import Post
from croupier.floor.history.own_rounds import OwnSearch, own_rounds
from croupier.floor.records.commands import AtTable, BuyIn, Request
from croupier.money import money
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet
from tests.floor.house_builder import buy_in, house, open_table
from tests.floor.serving import Served, quiet
from tests.stores import Place, PostgresPlace, SqlitePlace, opened_at

NOON = 1_700_000_000_000_000
HOUR = 3600 * 1_000_000


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Two tables; the player folds three times at T1, wins or loses once at T2, and has a round in play at T2."""
    tables = {"T1": quiet(), "T2": quiet("sun-casino-holdem")}
    with Served(tmp_path_factory.mktemp("own-rounds"), tables) as served:
        served.enrol("olga", Post.PLAYER, "")
        assert served.ask(BuyIn(player="olga", amount=money("1000.00"))).accepted
        for number in range(3):
            play(served, "T1", "player", f"{10 * (number + 1)}.00", "fold")
        play(served, "T1", "olga", "50.00", "fold")
        play(served, "T2", "player", "25.00", "call")
        for command in (OpenRound(), PlaceBet(player="player", box=1, bet="ante", amount=money("25.00"))):
            assert served.ask(AtTable(table="T2", command=command)).accepted
        yield served


def play(served: Served, table: str, player: str, ante: str, choice: str) -> None:
    """One Round with one box."""
    for command in (
        OpenRound(),
        PlaceBet(player=player, box=1, bet="ante", amount=money(ante)),
        CloseBets(),
        DecideHand(box=1, choice=choice),
    ):
        answer = served.ask(AtTable(table=table, command=command))
        assert answer.accepted, answer.message


def cents(text: str) -> int:
    """Amounts on the wire may be below zero."""
    return -money(text[1:]) if text.startswith("-") else money(text)


def asked(served: Served, path: str, post: Post = Post.PLAYER, **query: str) -> httpx.Response:
    with served.http(post) as client:
        return client.get(path, params=query)


def test_rounds_of_all_tables_come_newest_first_with_their_sums(served: Served) -> None:
    """The round in play is listed and counts in no sum; another player's rounds are not there."""
    told = asked(served, "/api/play/rounds").json()
    assert [(line["table"], line["round"], line["in_play"]) for line in told["rounds"]] == [
        ("T2", 2, True), ("T2", 1, False), ("T1", 3, False), ("T1", 2, False), ("T1", 1, False),
    ]  # fmt: skip
    won = cents(told["rounds"][1]["net"])
    assert told["total"]["rounds"] == 4
    assert money(told["total"]["staked"]) == money("60.00") + money(told["rounds"][1]["staked"])
    assert cents(told["total"]["net"]) == won - money("60.00")
    folds = {"rounds": 3, "staked": "60.00", "returned": "0.00", "net": "-60.00"}
    assert {line["game"]: line["sums"] for line in told["games"]}["rws-multilink-holdem"] == folds
    (session,) = told["sessions"]
    assert session["sums"] == told["total"]


def test_the_sums_are_those_of_the_ledger(served: Served) -> None:
    """What the player has, less what they bought, is their net and what lies in the round in play."""
    told = asked(served, "/api/play/rounds").json()
    with served.http(Post.PLAYER) as client:
        held = money(client.get("/api/me").json()["account"]["balance"])
    assert held == money("100000.00") + cents(told["total"]["net"]) - money("25.00")


def test_a_page_a_game_and_a_time_are_chosen(served: Served) -> None:
    """The sums are of the whole search, whatever page of it is shown."""
    page = asked(served, "/api/play/rounds", game="rws-multilink-holdem", skip="1", limit="1").json()
    assert [(line["table"], line["round"]) for line in page["rounds"]] == [("T1", 2)]
    assert (page["more"], page["total"]["rounds"]) == (1, 3)
    assert asked(served, "/api/play/rounds", until="2020-01-01T00:00").json()["rounds"] == []


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_sessions_lie_six_hours_apart(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    """Rounds of one evening are one session, that of the next morning another."""
    place: Place = SqlitePlace(tmp_path) if kind == "sqlite" else PostgresPlace(request.getfixturevalue("postgres"))
    with opened_at(place) as opened:
        floor = house(opened())
        open_table(floor, "T1", link=None)
        buy_in(floor, "ana")
        for number, hour in enumerate((0, 5, 10, 16)):
            ante = PlaceBet(player="ana", box=1, bet="ante", amount=money("10.00"))
            fold = DecideHand(box=1, choice="fold")
            for command in (OpenRound(), ante, CloseBets(), fold):
                asked_at = Request(f"{number}-{command}", AtTable(table="T1", command=command), NOON + hour * HOUR)
                assert floor.process([asked_at])[0].accepted
        search = OwnSearch(player="ana", since=0, until=2 * NOON)
        told = own_rounds(floor.store, floor.tables, search)
    assert [(session.sums.rounds, session.sums.net) for session in told.sessions] == [(1, "-10.00"), (3, "-30.00")]


def test_a_receipt_has_the_lines_and_the_place_in_the_journal(served: Served) -> None:
    """Its hash is that of the round's last record."""
    told = asked(served, "/api/tables/T1/rounds/1/receipt").json()
    assert [(line["bet"], line["outcome"], line["staked"]) for line in told["lines"]] == [("ante", "lose", "10.00")]
    assert (told["net"], told["edition"], told["player"]) == ("-10.00", "rws-multilink-holdem@2", "player")
    stream, _, seq = told["record"].partition(" ")
    assert served.records(stream)[int(seq) - 1].hash.hex() == told["hash"]


def test_a_receipt_is_for_its_own_player(served: Served) -> None:
    """Another player's round is refused and on record; a round in play has none yet."""
    assert asked(served, "/api/tables/T1/rounds/4/receipt").status_code == 403
    assert asked(served, "/api/tables/T2/rounds/2/receipt").json()["code"] == "round_in_play"
    assert asked(served, "/api/tables/T1/rounds/1/receipt", Post.AUDITOR).status_code == 403
