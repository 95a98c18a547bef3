"""What kind of house a database is, who may log in to it, and on whose word: settled once and on record."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.people.passwords import password_fits, sealed_password
from croupier.floor.people.people import People, Person
from croupier.floor.records.commands import EnrolPerson, FoundHouse, RemovePerson
from croupier.floor.server.process.serve import DEMO_PASSWORD, check_kind
from croupier.journal.store import Store, StoreError
from croupier.journal.store_address import open_store
from tests.calling import Call
from tests.floor.house_builder import ask, do, house
from tests.floor.server.test_client import free_port
from tests.floor.serving import Served
from tests.patience import PATIENCE
from tests.stores import SqlitePlace

LANDED = Path(__file__).resolve().parents[2] / "landed" / "first-release"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return SqlitePlace(tmp_path).open()


def test_a_house_is_a_demonstration_or_not_for_good(store: Store) -> None:
    """The kind is an event, and a second one is refused."""
    running = house(store)
    do(running, FoundHouse(demonstration=True))
    assert running.people.demonstration is True
    assert ask(running, FoundHouse(demonstration=False)).code == "house_founded"
    assert House(store, running.chance).people.demonstration is True
    assert audit(store).differences == ()
    store.close()


@pytest.mark.parametrize(("was", "demo"), [(True, False), (False, True)])
def test_the_other_kind_of_start_is_refused_with_one_sentence(was: bool, demo: bool) -> None:
    """Public passwords never come into a real house, and a real start never keeps them."""
    with pytest.raises(StoreError, match=r"sqlite:///a\.db is (not )?a demonstration house.*name another database\.$"):
        check_kind(People(demonstration=was), "sqlite:///a.db", demo=demo)
    check_kind(People(demonstration=was), "sqlite:///a.db", demo=was)
    check_kind(People(), "sqlite:///new.db", demo=demo)
    with pytest.raises(StoreError, match="^The database is"):
        check_kind(People(demonstration=was), "postgresql://ana:secret@host/house", demo=demo)


def test_a_house_that_an_earlier_release_began_is_known_by_its_people() -> None:
    """It did not say which kind it is: the public password of the demonstration does."""
    public = Person("dealer", Post.DEALER, sealed_password(DEMO_PASSWORD, b"salt"))
    own = Person("admin", Post.ADMINISTRATOR, sealed_password("a word of its own", b"salt"))
    demonstration, real = People(persons={"dealer": public}), People(persons={"admin": own})
    check_kind(demonstration, "sqlite:///a.db", demo=True)
    check_kind(real, "sqlite:///a.db", demo=False)
    with pytest.raises(StoreError):
        check_kind(demonstration, "sqlite:///a.db", demo=False)
    with pytest.raises(StoreError):
        check_kind(real, "sqlite:///a.db", demo=True)


@pytest.mark.parametrize("name", ["house", "pending", "bar-lifted"])
def test_a_file_of_the_first_release_is_not_a_demonstration_house(name: str, tmp_path: Path) -> None:
    """Also where nobody was enrolled in it: players hold chips there, and nobody gets in with a public password."""
    file = tmp_path / "house.db"
    file.write_bytes(gzip.decompress((LANDED / f"{name}.db.gz").read_bytes()))
    command = [sys.executable, "-m", "croupier", "serve", "--demo", "--database", f"sqlite:///{file}"]
    done = subprocess.run(
        [*command, "--port", str(free_port())], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, "is not a demonstration house" in done.stderr) == (2, True), done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_an_administrator_does_is_on_record_with_a_name(tmp_path: Path) -> None:
    """Enrolling, signing out and removing: by whom."""
    with Served(tmp_path) as served:
        with served.http(Post.ADMINISTRATOR) as client:
            new = {"name": "mia", "post": "player", "password": "a long password"}
            assert client.post("/api/people", json=new).status_code == 201
            mia = served.floor.house.directory.id_of("mia")
            assert client.post("/api/login", json={"name": "mia", "password": "a long password"}).status_code == 200
            assert client.post("/api/people/mia/sign-out").status_code == 200
            assert client.delete("/api/people/mia").status_code == 200
        facts = [msgspec.json.decode(record.data) for record in served.records("people")]
    acts = [fact for fact in facts if fact.get("name") == mia or (fact["type"] == "SessionClosed" and fact.get("by"))]
    assert {(fact["type"], fact.get("by")) for fact in acts} == {
        ("PersonEnrolled", "administrator"), ("SessionClosed", "administrator"), ("PersonRemoved", "administrator"),
    }  # fmt: skip


def test_the_operator_with_the_file_at_hand_lets_an_administrator_in_again(tmp_path: Path, croupier: Call) -> None:
    """A lost first password, a removed administrator: `croupier people`, and everything of it is on record."""
    url = f"sqlite:///{tmp_path / 'house.db'}"
    store = open_store(url)
    running = house(store)
    do(running, EnrolPerson(name="admin", post=Post.ADMINISTRATOR, secret="aa:bb"))
    do(running, RemovePerson(name="admin"))
    store.close()
    made = croupier("people", "enrol", "admin", "administrator", "--database", url, "--json")
    password = json.loads(made.out)["password"]
    assert made.code == 0
    assert len(password) >= 12
    again = croupier("people", "reset", "admin", "--password-stdin", "--database", url, stdin=b"another long one\n")
    assert (again.code, again.out) == (0, "admin has another password.\n")
    listed = croupier("people", "list", "--database", url, "--json")
    (admin,) = json.loads(listed.out)
    person = admin.pop("id")
    assert admin == {"name": "admin", "post": "administrator", "sessions": 0, "works": "everywhere"}
    store = open_store(url)
    secret = house(store).people.persons[person].secret
    assert password_fits("another long one", secret)
    assert not password_fits(password, secret)
    by = {msgspec.json.decode(record.data).get("by") for record in store.read("people", 2)}
    assert len(by) == 1
    assert str(by.pop()).startswith("operator ")
    assert audit(store).differences == ()
    store.close()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("reset", "nobody"), "There is no person nobody."),
        (("remove", "nobody"), "There is no person nobody."),
        (("enrol", "a:b", "dealer"), "may not contain a colon"),
        (("enrol", "mia", "emperor"), "emperor"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], says: str, croupier: Call
) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    open_store(url).close()
    told = croupier("people", *arguments, "--database", url)
    assert told.code == 2
    assert says in told.err
    assert croupier("people", *arguments, "--database", f"sqlite:///{tmp_path / 'none.db'}").code == 2
