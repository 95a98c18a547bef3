"""Who else plays is not for players, guests and displays to know: no door and no message names another player."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from croupier.floor.duties.permissions import Post
from croupier.floor.people.people import Person
from croupier.floor.records.commands import AtTable, BuyIn
from croupier.floor.server.login.auth import Sessions
from croupier.floor.views.aliases import SOMEBODY, Aliases
from croupier.money import money
from croupier.rounds.commands import CloseBets, OpenRound, PlaceBet, WalkAway
from tests.floor.serving import Served, quiet

OTHERS = ("beatrice", "konstantin")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Round 1 is of the two others, round 2 of all three, and round 3 is open for bets of the two others."""
    folder = tmp_path_factory.mktemp("names")
    with Served(folder, {"T1": quiet("rws-progressive-holdem")}) as served:
        for name in OTHERS:
            served.run(Sessions(served.floor).enrol(name, Post.PLAYER, ""))
            assert served.ask(BuyIn(player=name, amount=money("1000.00"))).accepted
        for players in (OTHERS, ("player", *OTHERS)):
            play(served, players)
        bet(served, OTHERS)
        yield served


def bet(served: Served, players: tuple[str, ...]) -> None:
    at(served, OpenRound())
    for box, player in enumerate(players, 2):
        at(served, PlaceBet(player=player, box=box, bet="ante", amount=money("25.00")))


def play(served: Served, players: tuple[str, ...]) -> None:
    bet(served, players)
    at(served, CloseBets())
    for player in players:
        at(served, WalkAway(player=player))


def at(served: Served, command: OpenRound | PlaceBet | CloseBets | WalkAway) -> None:
    answer = served.ask(AtTable(table="T1", command=command))
    assert answer.accepted, answer.message


DOORS = (
    "/api/tables",
    "/api/tables/T1",
    "/api/tables/T1/rounds",
    "/api/tables/T1/rounds/1",
    "/api/tables/T1/rounds/2",
    "/api/tables/T1/rounds/3",
    "/api/links/main",
)


@pytest.mark.parametrize("path", DOORS)
@pytest.mark.parametrize("post", [Post.PLAYER, Post.DISPLAY])
def test_no_door_tells_a_player_or_a_display_who_else_plays(served: Served, post: Post, path: str) -> None:
    """And the dealer and the auditor see the names there."""
    with served.http(post) as client, served.http(Post.AUDITOR) as auditor:
        told, whole = client.get(path).text, auditor.get(path).text
    for name in OTHERS:
        assert name not in told
    if "links" not in path:
        assert OTHERS[0] in whole


def test_one_s_own_name_stays_and_the_others_are_boxes(served: Served) -> None:
    """In the list of rounds, and in every line, step and view of one."""
    with served.http(Post.PLAYER) as client:
        lines = {line["round"]: line for line in client.get("/api/tables/T1/rounds").json()}
        assert sorted(lines[2]["players"]) == ["Box 3", "Box 4", "player"]
        assert sorted(lines[1]["players"]) == ["Box 2", "Box 3"]
        seen = client.get("/api/tables/T1/rounds/2").json()
    assert {line["player"] for line in seen["lines"]} == {"player", "Box 3", "Box 4"}
    placed = [step["event"]["player"] for step in seen["steps"] if step["event"]["type"] == "BetPlaced"]
    assert placed == ["player", "Box 3", "Box 4"]
    walked = [step["event"]["player"] for step in seen["steps"] if step["event"]["type"] == "WalkedAway"]
    assert walked == placed


def test_live_messages_tell_no_names(served: Served) -> None:
    """The table as it is, what was missed, and what is refused."""
    with served.live(Post.PLAYER) as live:
        live.send({"type": "watch_table", "table": "T1", "after": 0})
        told = [live.receive(), live.receive()]
        assert [message["type"] for message in told] == ["missed", "table"]
        command = {"do": "bet", "box": 2, "bet": "ante", "amount": "25.00"}
        refused = live.ask({"type": "command", "id": "taken", "table": "T1", "command": command})
    assert (refused["code"], refused["message"]) == ("box_taken", "Box 2 is another player's.")
    for message in (*told, refused):
        assert not any(name in msgspec.json.encode(message).decode() for name in OTHERS)


def test_a_record_is_for_those_who_played_and_for_those_who_may_know(served: Served) -> None:
    """Its hashes cover the names, so that none can be left out."""
    with served.http(Post.PLAYER) as client:
        refused = client.get("/api/tables/T1/rounds/1/record")
        assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
        assert refused.json()["message"] == "Only its players may have the record of round 1 at T1."
        assert client.get("/api/tables/T1/rounds/2/record").status_code == 200
        assert [client.get(f"/api/tables/T1/rounds/{n}").json()["may_export"] for n in (1, 2, 3)] == [
            False,
            True,
            False,
        ]
    for post, status in ((Post.DISPLAY, 403), (Post.DEALER, 200), (Post.AUDITOR, 200)):
        with served.http(post) as client:
            assert client.get("/api/tables/T1/rounds/1/record").status_code == status


class Said(msgspec.Struct, frozen=True):
    """Part of what is told."""

    player: str | None
    text: str = ""
    because: str = ""


class Told(msgspec.Struct, frozen=True):
    """A view of any kind."""

    player: str
    bet: str
    players: tuple[str, ...]
    report: Said
    lines: tuple[Said, ...]
    by_name: dict[str, str]


def test_names_are_replaced_where_they_stand_and_nowhere_else() -> None:
    """A player may be called like a bet; several may bet on one box; what staff wrote may name somebody."""
    aliases = Aliases(Person("ana", Post.PLAYER, ""), [(1, "ante"), (1, "bob"), (10, "cy"), (2, "ana"), (2, "bob")])
    told = Told(
        player="ante",
        bet="ante",
        players=("ana", "bob", "cy", "who"),
        report=Said(player=None, text="bob touched the cards of ana, bobby did not."),
        lines=(Said(player="cy", because="cy's pair"),),
        by_name={"player": "bob"},
    )
    assert aliases.hide(told) == Told(
        player="Box 1",
        bet="ante",
        players=("ana", "Box 1, player 2", "Box 10", SOMEBODY),
        report=Said(player=None, text="Box 1, player 2 touched the cards of ana, bobby did not."),
        lines=(Said(player="Box 10", because="Box 10's pair"),),
        by_name={"player": "Box 1, player 2"},
    )
    assert Aliases(Person("oto", Post.AUDITOR, ""), [(1, "bob")]).hide(told) is told
