"""People, their sessions and what waits for a second signature, fact by fact; and the secrets that prove who one is."""

from __future__ import annotations

from functools import reduce

import pytest

from croupier.floor.duties.permissions import Action, Post
from croupier.floor.people.people import STANDS_FOR, People, Person, Session, evolve_people
from croupier.floor.people.second_signature import signed, waiting
from croupier.floor.records.commands import AtTable, Measure
from croupier.floor.records.people_facts import (
    AccessRefused,
    MeasureProposed,
    MeasureSettled,
    PeopleFact,
    PersonEnrolled,
    PersonRemoved,
    SessionClosed,
    SessionOpened,
)
from croupier.floor.records.refusals import Refused
from croupier.jackpots.commands import AdjustMeter, ChangeParameters
from croupier.jackpots.parameters import Parameters, Rate
from croupier.rounds.commands import CorrectCards, OpenRound
from croupier.rulebooks.vocabulary import Role

ADJUST = AdjustMeter(link="main", by="ana", second="", amount=1, cause="A test.")
ANA, BEN = (PersonEnrolled(name=name, post=Post.PIT_MANAGER, secret=f"secret of {name}") for name in ("ana", "ben"))


def session(token: str, person: str) -> SessionOpened:
    return SessionOpened(token_hash=token, person=person, csrf=f"csrf of {token}")


def proposal(key: str, until: int, measure: Measure = ADJUST) -> MeasureProposed:
    return MeasureProposed(proposal=key, by="ana", words="", second=Action.SIGN, measure=measure, until=until)


def after(*facts: PeopleFact) -> People:
    return reduce(evolve_people, facts, People())


def test_a_person_who_is_removed_takes_his_sessions_with_him_and_nobody_elses() -> None:
    """He may have logged in more than once."""
    people = after(ANA, BEN, session("a1", "ana"), session("b", "ben"), session("a2", "ana"))
    assert people.persons["ana"] == Person("ana", Post.PIT_MANAGER, "secret of ana")
    assert people.sessions["a2"] == Session("ana", "csrf of a2")
    left = evolve_people(people, PersonRemoved(name="ana"))
    assert left.persons.keys() == {"ben"}
    assert left.sessions.keys() == {"b"}


def test_a_session_that_is_closed_is_the_only_one_closed() -> None:
    people = after(ANA, session("a1", "ana"), session("a2", "ana"))
    assert evolve_people(people, SessionClosed(token_hash="a1")).sessions.keys() == {"a2"}
    assert evolve_people(people, SessionClosed(token_hash="none")) == people


def test_a_refusal_on_record_changes_nobody() -> None:
    people = after(ANA, session("a1", "ana"))
    assert evolve_people(people, AccessRefused(person="ana", action="deal", what="open at T1")) == people


def test_a_proposal_waits_until_it_is_settled_or_its_time_is_over() -> None:
    """What was over when another came is forgotten then; until then it only no longer waits."""
    people = after(proposal("p1", 100), proposal("p2", 101), proposal("p3", 102))
    assert [p.proposal for p in waiting(people, 100)] == ["p2", "p3"]
    assert people.proposals.keys() == {"p1", "p2", "p3"}
    assert evolve_people(people, MeasureSettled(proposal="p2", by="ben")).proposals.keys() == {"p1", "p3"}
    assert evolve_people(people, proposal("p4", 101 + STANDS_FOR)).proposals.keys() == {"p3", "p4"}


@pytest.mark.parametrize(
    ("post", "role"), [(Post.DEALER, Role.PIT_SUPERVISOR), (Post.SHIFT_MANAGER, Role.SHIFT_MANAGER)]
)
def test_cards_are_corrected_with_the_higher_role_of_the_two(post: Post, role: Role) -> None:
    """Both names are on the measure."""
    wrong = CorrectCards(by=Role.PIT_SUPERVISOR, who="ana", second="", cards={"1": ()})
    done = signed(proposal("p", 1, AtTable(table="T1", command=wrong)), Person("ben", post, ""), People(), 0)
    assert done == AtTable(table="T1", command=CorrectCards(by=role, who="ana", second="ben", cards={"1": ()}))


def test_the_second_signature_is_another_persons() -> None:
    """Whatever the measure; and only a measure is signed for."""
    change = ChangeParameters(link="main", by="ana", second="", parameters=Parameters(reset=0, contribution=Rate(0)))
    ben = Person("ben", Post.SHIFT_MANAGER, "")
    for measure in (ADJUST, change):
        done = signed(proposal("p", 1, measure), ben, People(), 0)
        assert isinstance(done, AdjustMeter | ChangeParameters)
        assert (type(done), done.by, done.second) == (type(measure), "ana", "ben")
        with pytest.raises(Refused) as said:
            signed(proposal("p", 1, measure), Person("ana", Post.SHIFT_MANAGER, ""), People(), 0)
        assert said.value.code == "two_people"
    with pytest.raises(Refused) as said:
        signed(proposal("p", 1, AtTable(table="T1", command=OpenRound())), ben, People(), 0)
    assert said.value.code == "not_a_measure"
