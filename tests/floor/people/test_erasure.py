"""Names apart from records: no record holds a name or an address, and a name can be erased while every chain holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Self

import httpx
import msgspec
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.backups.backup import back_up, restore
from croupier.floor.backups.restore_drill import drill
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import exported
from croupier.floor.house.house import House
from croupier.floor.live.floor import os_chance
from croupier.floor.people.directory import Directory, enrolment, is_id, new_id
from croupier.floor.records.commands import (
    Answer,
    CashOut,
    EnrolPerson,
    ErasePerson,
    HouseCommand,
    Named,
    RemovePerson,
    Request,
)
from croupier.floor.records.committed_decks import Chance
from croupier.journal.sqlite import sqlite_path
from croupier.journal.store import NAMES, TABLES, Batch, Store
from croupier.journal.store_address import open_store
from croupier.testing.private_postgres import PrivatePostgres
from tests.calling import Call
from tests.floor.house_builder import buy_in
from tests.floor.serving import Served
from tests.stores import Place, PostgresPlace, SqlitePlace

NOW = 1_700_000_000_000_000
PASSWORD = "a-long-enough-1-password"
PLAYER, DEALER, STRANGER = "Rosalind Quartermain", "Ferdinand Brackwater", "Zebulon Nobody"
BROWSER = "Quaintbrowser/9.9"
PERSONAL = (PLAYER, DEALER, STRANGER, BROWSER, "127.0.0.1", "quartermain", "brackwater", "zebulon")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    server: PrivatePostgres = request.getfixturevalue("postgres")
    return PostgresPlace(server)


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with closing(place.open()) as opened:
        yield opened


def house(store: Store, chance: Chance | None = None) -> House:
    return House(store, chance or os_chance())


def ask(floor: House, command: HouseCommand, named: Named | None = None, at: int = NOW) -> Answer:
    return floor.process([Request(f"test-{new_id()}", command, at, named)])[0]


def enrolled(floor: House, name: str, post: Post = Post.PLAYER) -> str:
    """The id of a new person."""
    command, named = enrolment(name, post, "", "operator test")
    answer = ask(floor, command, named)
    assert answer.accepted, answer.message
    return command.name


def everything(store: Store) -> bytes:
    """Every row of the journal, beside the names."""
    tables = [table for table in TABLES if table != NAMES]
    return b"\n".join(repr(row).encode() for table in tables for row in store.rows(table)).lower()


def clean(store: Store) -> bool:
    return audit(store).difference_count == 0


# ---------------------------------------------------------------- nothing personal in records


class Visitor:
    """Somebody at the front door."""

    def __init__(self, served: Served, name: str) -> None:
        self.client = served.client({"user-agent": BROWSER})
        came = self.client.post("/api/login", json={"name": name, "password": PASSWORD})
        assert came.status_code == 200, came.text
        assert came.json()["name"].casefold() == name.casefold()
        self.client.headers["authorization"] = f"Bearer {came.json()['token']}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def step(self, do: str, number: int, **fields: object) -> httpx.Response:
        return self.client.post("/api/tables/T1/commands", json={"do": do, "id": f"{do}-{number}", **fields})


def enrol_by_page(served: Served, name: str, post: Post) -> None:
    """By the administrator, with the shift manager's signature where it takes one."""
    with served.http(Post.ADMINISTRATOR) as admin, served.http(Post.SHIFT_MANAGER) as second:
        said = admin.post("/api/people", json={"name": name, "post": post.value, "password": PASSWORD})
        if said.status_code == 202:
            assert name in said.json()["words"]
            (waits,) = second.get("/api/proposals").json()
            assert name in waits["words"]
            said = second.post(f"/api/proposals/{waits['id']}/sign")
        assert said.status_code in (200, 201), said.text


def lively(served: Served) -> None:
    """People come, play, are looked for, mistyped and refused."""
    enrol_by_page(served, PLAYER, Post.PLAYER)
    enrol_by_page(served, DEALER, Post.DEALER)
    with served.http(Post.ADMINISTRATOR) as admin:
        twice = admin.post("/api/people", json={"name": PLAYER.upper(), "post": "player", "password": PASSWORD})
        assert twice.status_code == 409
    with served.http() as stranger:
        for name, password in ((PLAYER, "wrong"), (STRANGER, "wrong")):
            assert stranger.post("/api/login", json={"name": name, "password": password}).status_code == 401
    assert served.pay("buy-in", PLAYER, "500.00").json()["accepted"]
    with Visitor(served, PLAYER) as player, Visitor(served, DEALER.lower()) as dealer:
        play(served, player, dealer)


def play(served: Served, player: Visitor, dealer: Visitor) -> None:
    assert player.client.get("/api/me").json()["name"] == PLAYER
    paid = served.pay("buy-in", PLAYER, "100.00")
    assert (paid.status_code, paid.json()["player"]) == (202, PLAYER)
    assert player.client.post(f"/api/consents/{paid.json()['consent']}/confirm").json()["accepted"]
    assert dealer.step("open", 1).json()["accepted"]
    assert player.step("bet", 1, box=1, bet="ante", amount="10.00").json()["accepted"]
    assert dealer.step("bet", 2, player=PLAYER, box=2, bet="ante", amount="10.00").json()["accepted"]
    assert served.step(Post.PLAYER, "bet", box=3, bet="ante", amount="10.00")["accepted"]
    assert dealer.step("bet", 3, player=STRANGER, box=4, bet="ante", amount="10.00").status_code == 404
    assert dealer.step("close_bets", 1).json()["accepted"]
    assert not player.step("bet", 4, box=1, bet="ante", amount="99999.00").json()["accepted"]
    seen = dealer.client.get("/api/tables/T1").json()
    assert {stake["player"] for stake in seen["boxes"][0]["stakes"]} == {PLAYER}
    with served.http(Post.PLAYER) as other:
        hidden = other.get("/api/tables/T1").text
        assert PLAYER not in hidden
        assert str(served.floor.house.directory.id_of(PLAYER)) not in hidden
        other.get(f"/api/tables/T1/rounds?player={PLAYER}")
        other.post(f"/api/people/{PLAYER}/sign-out")
        other.post(f"/api/people/{STRANGER}/reset")
    assert [box["player"] for box in player.client.get("/api/tables/T1").json()["boxes"][0]["stakes"]] == [PLAYER]
    for box in (1, 2, 3):
        number = 10 * box
        while dealer.step("decide", number, box=box, choice="fold").json()["accepted"]:
            number += 1
    for who in (Post.AUDITOR, Post.CAGE, Post.ADMINISTRATOR):
        with served.http(who) as staff:
            staff.get("/api/cashier", params={"name": "rosalind"})
            staff.get("/api/rounds", params={"player": PLAYER})
            staff.get("/api/tables/T1/rounds/1", params={"as_player": PLAYER})
            staff.get(f"/api/people/{PLAYER}/sessions")
            staff.post(f"/api/people/{PLAYER}/assign", json={})
    with served.http(Post.AUDITOR) as auditor:
        (found,) = auditor.get("/api/rounds", params={"player": PLAYER}).json()
        assert PLAYER in found["players"]
    with served.http(Post.ADMINISTRATOR) as admin:
        (session,) = admin.get(f"/api/people/{PLAYER}/sessions").json()
        assert (session["address"], session["browser"]) == ("127.0.0.1", BROWSER)


def test_no_record_answer_account_or_export_holds_a_name_or_an_address(place: Place, tmp_path: Path) -> None:
    """After people were enrolled, logged in, mistyped, paid, seated, searched for and refused."""
    with Served(tmp_path, url=place.url) as served:
        lively(served)
        balance = served.floor.house.shown_balances[f"player/{served.floor.house.directory.id_of(PLAYER)}"]
        with served.http(Post.AUDITOR) as auditor:
            record = auditor.get("/api/tables/T1/rounds/1/record")
            seen = auditor.get("/api/tables/T1/rounds/1")
    assert balance < 60_000
    assert record.status_code == 200
    assert PLAYER in seen.text
    with closing(place.open()) as store:
        rounds = msgspec.json.encode(exported(store, [("T1", 1)]))
        kept = everything(store) + rounds.lower() + record.content.lower()
        for word in PERSONAL:
            assert word.lower().encode() not in kept, word
        assert {row.name for row in store.names()} == {PLAYER, DEALER}
        assert clean(store)


# ---------------------------------------------------------------- erasing


def test_an_erased_name_is_gone_from_the_file_and_everything_holds(place: Place, store: Store) -> None:
    """Row, log and unused parts of pages; the chain and the sums are as they were."""
    floor = house(store)
    others = [enrolled(floor, f"Somebody {letter}{more}") for letter in "bcdefgh" for more in "ijkmnpqr"]
    person = enrolled(floor, PLAYER)
    buy_in(floor, person, "5.00")
    assert ask(floor, ErasePerson(name=person, by="admin")).code == "not_removed"
    assert ask(floor, RemovePerson(name=person, by="admin")).code == "holds_chips"
    assert ask(floor, CashOut(player=person, amount=500)).accepted
    assert ask(floor, RemovePerson(name=person, by="admin")).accepted
    assert floor.directory.name_of(person) == PLAYER
    assert ask(floor, ErasePerson(name=person, by="admin")).accepted
    assert ask(floor, ErasePerson(name=person, by="admin")).code == "unknown_person"
    assert floor.directory.name_of(person) == person
    assert floor.directory.id_of(PLAYER) is None
    assert {row.person for row in store.names()} == set(others)
    assert clean(store)
    if place.kind == "sqlite":
        file = Path(sqlite_path(place.url))
        for part in (file, file.with_name(f"{file.name}-wal")):
            if part.exists():
                assert b"uartermain" not in part.read_bytes()
    again = enrolled(floor, PLAYER)
    assert again != person
    assert floor.directory.id_of(PLAYER.lower()) == again


def test_a_name_is_free_again_when_its_person_was_removed(store: Store) -> None:
    """The one who was removed is shown with the id, so that nobody mistakes one for the other."""
    floor = house(store)
    first = enrolled(floor, PLAYER)
    assert ask(floor, RemovePerson(name=first, by="admin")).accepted
    assert floor.directory.id_of(PLAYER) == first
    second = enrolled(floor, PLAYER)
    assert floor.directory.id_of(PLAYER) == second
    assert floor.directory.name_of(second) == PLAYER
    assert floor.directory.name_of(first) == f"{PLAYER} ({first})"
    assert floor.directory.id_of(f"{PLAYER} ({first})") == first
    assert clean(store)


def test_two_servers_do_not_enrol_clashing_names(postgres: PrivatePostgres) -> None:
    """Each sees what the other has enrolled, removed and erased."""
    place = PostgresPlace(postgres)
    with closing(place.open()) as first, closing(place.open()) as second:
        one, other = house(first), house(second)
        person = enrolled(one, PLAYER)
        command, named = enrolment("rosalind  quartermain".replace("  ", " "), Post.PLAYER, "", "operator test")
        assert ask(other, command, named).code == "name_clash"
        assert other.directory.name_of(person) == PLAYER
        assert ask(other, RemovePerson(name=person, by="admin")).accepted
        assert ask(one, ErasePerson(name=person, by="admin")).accepted
        assert ask(other, command, named).accepted
        assert other.directory.name_of(person) == person
        assert clean(first)


def test_an_enrolment_says_the_name_that_it_commits_to(store: Store) -> None:
    """Otherwise nobody could log in by it, or by another name than was signed for."""
    floor = house(store)
    command, named = enrolment(PLAYER, Post.PLAYER, "", "operator test")
    assert ask(floor, command).code == "no_name"
    assert ask(floor, command, Named(DEALER, named.salt)).code == "no_name"
    assert ask(floor, EnrolPerson(name=new_id(), post=Post.PLAYER, secret="")).code == "bad_name"
    short, named_so = enrolment(new_id(), Post.PLAYER, "", "operator test")
    assert ask(floor, short, named_so).code == "bad_name"
    assert store.names() == []


def test_a_start_finishes_what_a_crash_has_left(place: Place, store: Store) -> None:
    """A row of an erased person, and the origin of a session that is over."""
    floor = house(store)
    person = enrolled(floor, PLAYER)
    row = floor.names[person]
    for command in (RemovePerson(name=person, by="admin"), ErasePerson(name=person, by="admin")):
        assert ask(floor, command).accepted
    place.raw("INSERT INTO origins VALUES ('gone', '10.0.0.1', 'a browser')")
    store.write(Batch(names={person: row}))
    assert "was erased, and is still there" in str(audit(store).differences[0])
    again = house(store)
    again.forget_leftovers(NOW)
    assert (store.names(), dict(store.origins())) == ([], {})
    assert clean(store)


# ---------------------------------------------------------------- audit, backups, files of earlier releases


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE names SET name = 'Somebody Else'", "is not the one that was enrolled"),
        ("UPDATE names SET canonical = 'somebody'", "are not those of the name"),
        ("DELETE FROM names", "is missing, and no record erases it"),
        ("INSERT INTO names VALUES ('p-2222222222222222', 'Eve', 'salt', 'eve', 'eve')", ""),
    ],
    ids=["changed", "form", "missing", "extra"],
)
def test_the_audit_tells_a_name_that_was_changed(tmp_path: Path, statement: str, says: str) -> None:
    """From the commitment that the enrolment holds."""
    place = SqlitePlace(tmp_path)
    with closing(place.open()) as store:
        enrolled(house(store), PLAYER)
        assert clean(store)
    db = sqlite3.connect(sqlite_path(place.url), isolation_level=None)
    db.execute(statement)
    db.close()
    with closing(place.open(read_only=True)) as store:
        (difference,) = audit(store).differences
        assert difference.where == NAMES
        assert says in str(difference)


def test_a_backup_carries_names_or_leaves_them_out(store: Store, tmp_path: Path) -> None:
    """In a section of its own; restored, both audit."""
    floor = house(store)
    person = enrolled(floor, PLAYER)
    for nameless in (False, True):
        file, url = tmp_path / f"{nameless}.backup", f"sqlite:///{tmp_path / f'{nameless}.db'}"
        back_up(store, file, NOW, nameless=nameless)
        assert drill(file).problems == ()
        with closing(open_store(url)) as copy:
            assert restore(file, copy).nameless == nameless
            assert [row.name for row in copy.names()] == ([] if nameless else [PLAYER])
            assert audit(copy, nameless=nameless).is_clean
            assert house(copy).directory.name_of(person) == (person if nameless else PLAYER)


def test_an_operator_enrols_by_name_and_erases(croupier: Call, tmp_path: Path) -> None:
    """The command line asks for names, and says what it could not erase."""
    url = f"sqlite:///{tmp_path / 'house.db'}"
    with closing(open_store(url)) as store:
        assert ask(house(store), EnrolPerson(name="ana", post=Post.PLAYER, secret="")).accepted
    assert croupier("people", "enrol", PLAYER, "player", "--database", url).code == 0
    listed = croupier("people", "list", "--database", url, "--json").out
    (person,) = (p["id"] for p in msgspec.json.decode(listed) if p["name"] == PLAYER)
    assert is_id(person)
    assert croupier("people", "reset", PLAYER.upper(), "--database", url).code == 0
    assert f"There is no person {STRANGER}" in croupier("people", "erase", STRANGER, "--database", url).err
    done = croupier("people", "erase", PLAYER, "--database", url)
    assert (done.code, person in done.out) == (0, True)
    old = croupier("people", "erase", "ana", "--database", url)
    assert "stays there" in old.out
    assert croupier("people", "list", "--database", url, "--json").out == "[]\n"
    with closing(open_store(url)) as store:
        assert (store.names(), clean(store)) == ([], True)
        assert b"quartermain" not in everything(store)


def test_ids_do_not_look_like_names() -> None:
    """Nobody is called like an id, and an id in a sentence is found."""
    person = new_id()
    assert is_id(person)
    assert not is_id(PLAYER)
    assert Directory().told(None, person.encode()) == person.encode()
