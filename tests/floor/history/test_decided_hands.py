"""Looking back at decisions: whose hand a reader may know, and rounds found by card, dealer and incident."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.floor.duties.permissions import Post
from croupier.floor.history.played_rounds import Search
from tests.floor.serving import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A round in which the player folds a hand that they have looked at, opened by the dealer."""
    with Served(tmp_path_factory.mktemp("decided")) as served:
        assert served.step(Post.DEALER, "open")["accepted"]
        assert served.step(Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")["accepted"]
        assert served.step(Post.DEALER, "close_bets")["accepted"]
        assert served.step(Post.PLAYER, "examine", box=1)["accepted"]
        assert served.step(Post.PLAYER, "decide", box=1, choice="fold")["accepted"]
        assert served.step(Post.DEALER, "open")["accepted"]
        assert served.step(Post.DEALER, "report", incident="technical_interruption")["accepted"]
        yield served


def hands(served: Served, post: Post) -> list[int]:
    """How many cards of each decision's hand this post may know."""
    _, decided = served.floor.past.decisions(served.floor.house.shown["T1"], 1, served.person(post))
    return [len(each.hand) for each in decided]


def test_a_decision_is_valued_for_those_who_may_know_its_hand(served: Served) -> None:
    """The player who looked and the auditor know the folded hand; the dealer and a display never saw it."""
    assert hands(served, Post.PLAYER) == hands(served, Post.AUDITOR) == [2]
    assert hands(served, Post.DEALER) == hands(served, Post.DISPLAY) == [0]


def test_a_decision_carries_what_its_player_had_staked(served: Served) -> None:
    """The Ante, before the choice itself moved any chips."""
    _, (decided,) = served.floor.past.decisions(served.floor.house.shown["T1"], 1, served.person(Post.AUDITOR))
    assert (decided.box, decided.choice, dict(decided.stakes)) == (1, "fold", {"ante": 2500})


@pytest.mark.parametrize(
    ("search", "rounds"),
    [
        (Search(dealer="dealer"), [2, 1]),
        (Search(dealer="shift_manager"), []),
        (Search(incident="technical_interruption"), [2]),
        (Search(incident="late_bet"), []),
    ],
)
def test_rounds_are_found_by_dealer_and_incident(served: Served, search: Search, rounds: list[int]) -> None:
    """Who opened and closed the bets, and what was reported."""
    found = served.floor.past.found(served.floor.house.shown["T1"], search)
    assert [line.round for line in found] == rounds


def test_rounds_are_found_by_a_card_that_lay_face_up(served: Served) -> None:
    """A folded hand was never shown, so none of its cards finds the round; a card that was turned does."""
    table = served.floor.house.shown["T1"]
    _, (decided,) = served.floor.past.decisions(table, 1, served.person(Post.AUDITOR))
    assert [line.round for line in served.floor.past.found(table, Search(card=decided.hand[0]))] == []
    for line in served.floor.past.found(table, Search()):
        for card in line.cards:
            assert line.round in [found.round for found in served.floor.past.found(table, Search(card=card.upper()))]


def test_only_people_who_may_audit_search_by_dealer(served: Served) -> None:
    """A player is refused; the auditor finds the rounds."""
    for post, status in ((Post.PLAYER, 403), (Post.AUDITOR, 200)):
        with served.http(post) as client:
            assert client.get("/api/tables/T1/rounds", params={"dealer": "dealer"}).status_code == status
