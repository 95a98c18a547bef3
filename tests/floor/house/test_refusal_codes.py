"""Refusals of the house that no other test meets, each by its code."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from croupier.floor.duties.bounds import Consent, Duties
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.people.directory import enrolment
from croupier.floor.people.names import LONGEST_NAME
from croupier.floor.records.commands import (
    Answer,
    AskConsent,
    AssignPerson,
    BuyIn,
    EnrolPerson,
    ErasePerson,
    HouseCommand,
    Named,
    RemovePerson,
    Request,
    SetDuties,
)
from croupier.floor.records.refusals import Code, Refused
from tests.floor.house_builder import house
from tests.stores import SqlitePlace

_IDS = count(1)
DUTIES = SetDuties(duties=Duties(), by="operator")
CAGE = EnrolPerson(name="cage", post=Post.CAGE, secret="", by="operator")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[House]:
    """A house with its bounds in force and a person at the cage."""
    running = house(SqlitePlace(tmp_path).open())
    assert ask(running, CAGE).accepted
    assert ask(running, DUTIES).accepted
    yield running
    running.store.close()


def ask(running: House, command: HouseCommand, personal: Named | None = None) -> Answer:
    """Each command under an id of its own."""
    (answer,) = running.process([Request(f"id-{next(_IDS)}", command, 1_000_000, personal)])
    return answer


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (SetDuties(duties=Duties(consent_seconds=0), by="operator"), Code.BAD_DUTIES),
        (SetDuties(duties=Duties(payments=-1), by="operator"), Code.BAD_DUTIES),
        (AssignPerson(name="cage", by="operator", pits=("nowhere",)), Code.UNKNOWN_PIT),
        (AssignPerson(name="cage", by="operator", tables=("T9" * LONGEST_NAME,)), Code.UNKNOWN_TABLE),
        (EnrolPerson(name="ana", post=Post.PLAYER, secret="", commitment="ff"), Code.BAD_ID),
    ],
)
def test_the_house_refuses(running: House, command: HouseCommand, code: Code) -> None:
    """Nothing is recorded, and the answer is one sentence."""
    before = running.heads["people"]
    answer = ask(running, command)
    assert (answer.accepted, answer.code) == (False, code)
    assert answer.message.endswith(".")
    assert running.heads["people"] == before


def test_a_name_is_not_erased_while_a_payment_waits_for_its_player(running: House) -> None:
    """The record of the payment would lose its player."""
    command, named = enrolment("ana", Post.PLAYER, "", "operator")
    assert ask(running, command, named).accepted
    payment = BuyIn(player=command.name, amount=100, by="cage", consent=Consent.GIVEN, asked="k")
    assert ask(running, AskConsent(consent="k", payment=payment)).accepted
    assert ask(running, RemovePerson(name=command.name, by="operator")).accepted
    assert ask(running, ErasePerson(name=command.name, by="operator")).code == Code.PAYMENT_WAITS


def test_a_refusal_is_an_answer_with_the_plain_code() -> None:
    """So that it is written and compared as text."""
    answer = Refused(Code.NO_KEY, "The deck is sealed.", ("5.8",)).answer
    assert (answer.accepted, answer.code, type(answer.code)) == (False, "no_key", str)
    assert (answer.message, answer.rules) == ("The deck is sealed.", ("5.8",))
