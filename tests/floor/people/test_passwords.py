"""Passwords: how they are kept, at which cost, and which are not taken."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.people.passwords import (
    COST,
    SHORTEST,
    is_below,
    password_fits,
    sealed_password,
    unknown_secret,
    weakness,
)
from croupier.floor.people.people import token_hash
from croupier.floor.records.commands import ChangeSecret, EnrolPerson, ResealSecret
from croupier.floor.server.errors import ApiError
from croupier.floor.server.login.auth import HASHES_MOST, Sessions
from croupier.journal.store_address import open_store
from tests.floor.serving import CHEAP, Served

FIRST_RELEASE = (
    "000102030405060708090a0b0c0d0e0f:"
    "25b376840366f4d3b0e21e414476676e3cd0e89af4430356a234ce0b65a021b5"
    "6233e7b0b24f07bc9340195f19c90a1da7562514ed0762a6dae3c27ff5b07d62"
)
"""As an earlier release sealed "correct horse": salt and digest, n of 16384."""
PASSWORD = "blue kettle under stairs"


def test_a_secret_of_an_earlier_release_fits_for_ever() -> None:
    """It does not name its cost, which was 2^14 with blocks of 8."""
    assert password_fits("correct horse", FIRST_RELEASE)
    assert not password_fits("correct horsf", FIRST_RELEASE)
    assert is_below(FIRST_RELEASE, COST)
    assert not is_below("", COST)


def test_a_password_is_sealed_at_the_cost_that_is_advised_today() -> None:
    """OWASP: N of 2^17, r of 8, p of 1; the secret says so, and the digest is what scrypt makes of it."""
    salt = bytes(range(16))
    sealed = sealed_password("correct horse", salt)
    digest = hashlib.scrypt(b"correct horse", salt=salt, n=2**17, r=8, p=1, maxmem=2**28)
    assert sealed == f"scrypt:131072:8:1:{salt.hex()}:{digest.hex()}"
    assert not is_below(sealed, COST)


def test_a_password_fits_its_own_secret_and_no_other() -> None:
    """An empty secret, a broken one, or one that asks for too much memory fits nothing."""
    sealed = sealed_password("correct horse", bytes(16), CHEAP)
    assert password_fits("correct horse", sealed)
    assert not password_fits("correct horsf", sealed)
    assert not password_fits("correct horse", unknown_secret(bytes(16), bytes(64), CHEAP))
    for broken in ("", ":", "00", "zz:00", "scrypt:16:8:1:00", "scrypt:1:8:1:00:00", "scrypt:16:9:1:00:00",
                   f"scrypt:{2**30}:8:1:00:00", "scrypt:x:8:1:00:00"):  # fmt: skip
        assert not password_fits("", broken)
        assert not is_below(broken, COST)
    assert token_hash("token") == "3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0"


def test_a_log_in_seals_an_old_secret_again(tmp_path: Path) -> None:
    """Once, without ending a session; a password that was changed meanwhile stays changed."""
    url = f"sqlite:///{tmp_path / 'house.db'}"
    with Served(tmp_path) as served:
        served.ask(EnrolPerson(name="eve", post=Post.DEALER, secret=FIRST_RELEASE))
        doors = served.run(_doors(served, 2**15))
        _, token, _ = served.run(doors.log_in("eve", "correct horse", "here"))
        secret = served.floor.house.people.persons["eve"].secret
        assert secret.startswith("scrypt:32768:8:1:")
        served.run(doors.log_in("eve", "correct horse", "here"))
        assert served.floor.house.people.persons["eve"].secret == secret
        assert doors.session_of(token) is not None
        served.ask(ChangeSecret(name="eve", secret=sealed_password(PASSWORD, bytes(16), CHEAP), by="eve"))
        late = served.ask(ResealSecret(name="eve", before="of another secret", secret=secret))
        assert (late.accepted, late.code) == (False, "secret_changed")
        served.run(doors.close())
    store = open_store(url)
    assert audit(store).differences == ()
    store.close()


async def _doors(served: Served, cost: int) -> Sessions:
    return Sessions(served.floor, cost=cost)


def test_passwords_that_wait_to_be_tried_have_a_limit(tmp_path: Path) -> None:
    """Each takes 128 MiB, two at a time: a crowd of log-ins is told to come back, and holds no memory."""
    with Served(tmp_path) as served:
        doors = served.run(_doors(served, CHEAP))
        doors._hashing = HASHES_MOST
        with pytest.raises(ApiError) as refused:
            served.run(doors.log_in("player", "x", "here"))
        assert (refused.value.status_code, refused.value.code) == (429, "too_fast")
        served.run(doors.close())


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("x" * (SHORTEST - 1), "at least 12 characters"),
        ("password1234", "too easy to guess"),
        ("qwertyuiop12", "too easy to guess"),
        ("aaaaaaaaaaaaaaaa", "too easy to guess"),
        ("marjolein2024", "too easy to guess"),
        ("croupiercroupier", "too easy to guess"),
        ("x" * 201, "at most 200"),
        (PASSWORD, ""),
        ("tLq8-Wz2rVb0", ""),
    ],
)
def test_common_passwords_are_not_taken(password: str, why: str) -> None:
    """With the person's name and the words of the house among the first guesses."""
    said = weakness(password, ("marjolein", "Orchid"))
    assert why in said
    assert bool(why) == bool(said)


def test_the_name_of_the_person_is_what_makes_a_password_weak() -> None:
    """The same password is taken for another person."""
    assert weakness("marjolein2024", ("ana",)) == ""
    assert weakness("marjolein2024", ("marjolein",)) != ""


def test_a_weak_password_is_refused_at_the_door(tmp_path: Path) -> None:
    """Where an administrator enrols somebody; the words of the house and the name count."""
    with Served(tmp_path) as served, served.http(Post.ADMINISTRATOR) as client:
        new = {"name": "marjolein", "post": "player"}
        for weak in ("short", "password1234", "marjolein2024"):
            answer = client.post("/api/people", json={**new, "password": weak})
            assert (answer.status_code, answer.json()["code"]) == (400, "weak_password")
        assert client.post("/api/people", json={**new, "password": PASSWORD}).status_code == 201
