"""What a view says that its viewer may do is what the server accepts from them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.floor.duties.permissions import Post
from croupier.floor.people.people import Person
from croupier.floor.views.table_views import viewer_key
from tests.floor.people.test_four_eyes import ROYAL, play, propose, step
from tests.floor.serving import Served, quiet

STAFF = (Post.DEALER, Post.PIT_SUPERVISOR, Post.PIT_MANAGER, Post.SHIFT_MANAGER)
OTHERS = (Post.PLAYER, Post.CAGE, Post.SURVEILLANCE, Post.AUDITOR, Post.DISPLAY, Post.ADMINISTRATOR)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Two staffed tables with real cards."""
    with Served(tmp_path, {"T1": quiet(physical=True), "T2": quiet(physical=True)}) as served:
        yield served


def read(served: Served, post: Post, path: str) -> Any:  # noqa: ANN401  # JSON
    with served.http(post) as client:
        return client.get(path).json()


def test_a_ruling_is_offered_to_the_role_that_may_give_it(served: Served) -> None:
    """rws-multilink-holdem 5.16: what no paragraph covers; a lower role is refused, other posts are not offered it."""
    step(served, Post.DEALER, "open")
    step(served, Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")
    step(served, Post.DEALER, "close_bets")
    step(served, Post.DEALER, "report", incident="uncovered", text="a glass fell over")
    for post in (*STAFF, *OTHERS):
        waiting = read(served, post, "/api/tables/T1")["awaiting"]
        offered = {answer["answer"] for answer in waiting if answer["may"]}
        assert bool(offered) is (post is Post.SHIFT_MANAGER), post
    for post in STAFF[:-1]:
        assert served.step(post, "rule", "T1", decision="void")["code"] == "not_authorised"
    step(served, Post.SHIFT_MANAGER, "rule", decision="void")


def test_an_award_says_what_its_viewer_may_do(served: Served) -> None:
    """A person who has signed is not asked again; only the shift manager denies; nobody else is offered anything."""
    play(served, ROYAL)

    def may(post: Post) -> list[str]:
        (award,) = read(served, post, "/api/links/main")["awards"]
        shown = read(served, post, "/api/tables/T1")
        assert [case["may"] for case in (*shown["awards"], *shown["earlier_awards"])] == [award["may"]]
        found: list[str] = award["may"]
        return found

    assert may(Post.PIT_SUPERVISOR) == ["verify"]
    assert may(Post.SHIFT_MANAGER) == ["verify", "deny"]
    assert [may(post) for post in (Post.DEALER, *OTHERS)] == [[]] * (1 + len(OTHERS))
    step(served, Post.PIT_SUPERVISOR, "verify_award", award=1)
    assert may(Post.PIT_SUPERVISOR) == []
    assert may(Post.PIT_MANAGER) == ["verify"]


def test_measures_after_a_jackpot_fault_are_offered_to_those_who_may_take_them(served: Served) -> None:
    """The role is the rulebook's to say; the step of the same person is accepted."""
    for post in (*STAFF, *OTHERS):
        offered = "jackpot_mode" in read(served, post, "/api/tables/T1")["may"]
        with served.http(post) as client:
            sent = {"id": f"measure-{post}", "do": "jackpot_mode", "mode": "restore"}
            taken = client.post("/api/tables/T1/commands", json=sent).json()
        assert offered is taken["accepted"], (post, taken)


def test_a_person_who_is_assigned_elsewhere_is_offered_nothing(served: Served) -> None:
    """The assignment counts as it does for the command."""
    assert "deal" in read(served, Post.PIT_MANAGER, "/api/tables/T1")["may"]
    with served.http(Post.ADMINISTRATOR) as client:
        assigned = client.post("/api/people/pit_manager/assign", json={"pits": [], "tables": ["T2"]})
        assert assigned.is_success
    assert read(served, Post.PIT_MANAGER, "/api/tables/T1")["may"] == []
    assert "deal" in read(served, Post.PIT_MANAGER, "/api/tables/T2")["may"]
    assert served.step(Post.PIT_MANAGER, "open", "T1")["code"] == "not_assigned"


def test_a_proposal_is_signed_by_another_person(served: Served) -> None:
    """The list says it for each reader."""
    body = {"id": "new-link", "name": "gold", "meter": "1000.00", "reset": "1000.00", "contribution": "0.1"}
    propose(served, Post.PIT_MANAGER, "/api/links", body)
    for post, may_sign in ((Post.PIT_MANAGER, False), (Post.SHIFT_MANAGER, True)):
        (waits,) = read(served, post, "/api/proposals")
        assert waits["may_sign"] is may_sign


def test_the_administrator_is_told_what_is_not_for_oneself(served: Served) -> None:
    """Nor is a post that does not act at tables assigned to any."""
    known = {person["name"]: person for person in read(served, Post.ADMINISTRATOR, "/api/people")}
    assert known["administrator"]["may"] == []
    assert known["dealer"]["may"] == ["remove", "reset_password", "remove_second_factor"]
    assert {name for name, person in known.items() if person["assignable"]} >= {post.value for post in STAFF}
    assert not known["auditor"]["assignable"]
    posts = {line["post"]: line["signed_by"] for line in read(served, Post.ADMINISTRATOR, "/api/posts")}
    assert set(posts) == {post.value for post in Post}
    assert posts["player"] == []


def test_only_those_who_may_audit_take_the_eyes_of_others(served: Served) -> None:
    """Once the round is over."""
    play(served, ROYAL)
    path = "/api/tables/T1/rounds/1"
    viewers = read(served, Post.AUDITOR, path)["viewers"]
    assert {"kind": "player", "name": "player"} in viewers
    assert {"kind": "post", "name": "dealer"} in viewers
    assert read(served, Post.PLAYER, path)["viewers"] == read(served, Post.DEALER, path)["viewers"] == []
    assert all(not step["view"]["may"] for step in read(served, Post.PIT_MANAGER, path)["steps"])


def test_people_who_may_do_different_things_get_messages_of_their_own() -> None:
    """Live messages are encoded once for equal views: role, assignment and an own signature make another."""
    one, two = (Person(name, Post.PIT_SUPERVISOR, "") for name in ("ana", "ben"))
    assert viewer_key(one) == viewer_key(two)
    assert viewer_key(one, {"ana"}) != viewer_key(two, {"ana"})
    assert viewer_key(one) != viewer_key(Person("cai", Post.SHIFT_MANAGER, ""))
    assert viewer_key(one) != viewer_key(Person("dan", Post.PIT_SUPERVISOR, "", tables=("T2",)))
