"""Names of people: nobody is enrolled under a name that would be taken for another person's."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.people.directory import Directory
from croupier.floor.people.names import canonical, clash, skeleton, unfit_name
from croupier.floor.people.people import Person
from croupier.floor.records.commands import EnrolPerson
from croupier.journal.store_address import open_store
from tests.floor.house_builder import buy_in, do, house
from tests.floor.serving import Served


@pytest.mark.parametrize(
    ("taken", "asked"),
    [
        ("ana", "Ana"),
        ("Ana Maria", "ana  maria"),
        ("Ana Maria", "AnaMaria"),
        ("ana", "аnа"),
        ("ana", "аna"),
        ("aca", "аса"),
        ("paul", "pau1"),
        ("oto", "0t0"),
        ("lana", "Iana"),
        ("maria", "rnaria"),
        ("tom", "tοm"),
        ("Straße", "STRASSE"),
        ("file", "ﬁle"),
        ("ana", "ａｎａ"),
    ],
)
def test_names_that_differ_only_in_looks_clash(taken: str, asked: str) -> None:
    """By case, by spaces, or by letters that look alike; whichever of the two came first."""
    assert clash(asked, ["ben", taken]) == taken
    assert clash(taken, [asked]) == asked


@pytest.mark.parametrize(
    "name", ["ana", "José", "O'Brien", "Ана", "Ελένη", "陳 小明", "たなか", "guest-0a1b2c", "p.1_x-y"]
)
def test_ordinary_names_can_be_given(name: str) -> None:
    """Of one script, with the usual marks; two of them do not clash."""
    assert unfit_name(name) == ""
    assert clash(name, ["somebody else", "Jose"]) is None


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("аna", "of one script"),
        ("Ελena", "of one script"),
        (" ana", "no space at its ends"),
        ("ana  maria", "no two spaces in a row"),
        ("ana\u00a0maria", "plain letters"),
        ("ﬁle", "plain letters"),
        ("ana\u200bb", "letters, the figures 0 to 9"),
        ("ana<b>", "letters, the figures 0 to 9"),
        ("ana★", "letters, the figures 0 to 9"),
        ("ana٣", "letters, the figures 0 to 9"),
    ],
)
def test_odd_names_are_refused_in_one_sentence(name: str, why: str) -> None:
    """Mixed scripts, hidden characters and signs."""
    assert why in unfit_name(name)


def test_canonical_names_and_skeletons_do_not_change_when_taken_twice() -> None:
    """What is stored once may be compared with itself."""
    for name in ("Straße", "ＡＮＡ", "Iana", "rnaria", "Ελένη", "İstanbul"):
        assert canonical(canonical(name)) == canonical(name)
        assert skeleton(skeleton(name)) == skeleton(name)


def test_a_person_is_found_by_another_spelling_unless_two_have_it() -> None:
    """A journal of an earlier release may hold both: then only the exact name is meant."""
    ana, other = (Person(name, Post.PLAYER, "") for name in ("ana", "Ana"))
    assert Directory({}, {"ana": ana}).id_of(" ANA ") == "ana"
    assert Directory({}, {"ana": ana, "Ana": other}).id_of("ana") == "ana"
    assert Directory({}, {"ana": ana, "Ana": other}).id_of("ANA") is None
    assert Directory({}, {"ana": ana}).id_of("аna") is None


def test_the_directory_is_made_anew_only_for_other_names(tmp_path: Path) -> None:
    """Its lists by spelling take time for every person, so a commit that concerns no name keeps them."""
    shown = house(open_store(f"sqlite:///{tmp_path / 'house.db'}"))
    do(shown, EnrolPerson(name="ana", post=Post.PLAYER, secret=""))
    before = shown.directory
    buy_in(shown, "ana")
    assert shown.directory is before
    do(shown, EnrolPerson(name="ben", post=Post.PLAYER, secret=""))
    assert shown.directory is not before
    shown.store.close()


def test_a_clash_is_refused_at_every_door(tmp_path: Path) -> None:
    """At enrolment, with the name that it would be taken for; and the person logs in however the name is typed."""
    with Served(tmp_path) as served:
        served.enrol("Ana Maria", Post.DEALER, "blue kettle under stairs")
        with served.http(Post.ADMINISTRATOR) as client:
            new = {"post": "dealer", "password": "green lamp over water"}
            for name in ("ana maria", "АNА MАRIА", "Ana Μaria", "AnaMaria"):
                answer = client.post("/api/people", json={**new, "name": name})
                assert answer.status_code == 409
                assert answer.json()["code"] in ("name_clash", "bad_name")
            answer = client.post("/api/people", json={**new, "name": "ana maria"})
            assert answer.json()["message"] == (
                "ana maria would be taken for Ana Maria, who is enrolled: choose another name."
            )
        with served.http() as client:
            proof = {"password": "blue kettle under stairs"}
            assert client.post("/api/login", json={"name": " ana  MARIA", **proof}).json()["name"] == "Ana Maria"
            assert client.post("/api/login", json={"name": "аna maria", **proof}).status_code == 401


def test_a_journal_with_clashing_names_still_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An earlier release let them in: they stay, log in by their exact names, and the audit finds nothing."""
    url = f"sqlite:///{tmp_path / 'house.db'}"
    store = open_store(url)
    with monkeypatch.context() as earlier:
        earlier.setattr("croupier.floor.house.handlers.people.clash", lambda *_: None)
        earlier.setattr("croupier.floor.house.handlers.people.unfit_name", lambda _: "")
        running = house(store)
        for name in ("ana", "Ana", "аna "):
            do(running, EnrolPerson(name=name, post=Post.DEALER, secret="aa:bb"))
    store.close()
    store = open_store(url)
    assert house(store).people.persons.keys() == {"ana", "Ana", "аna "}
    assert audit(store).differences == ()
    store.close()
