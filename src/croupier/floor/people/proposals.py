"""Four eyes: what takes two people, and who may be the second. One person proposes, another signs, and only then is it
asked of the house, with both names. The first signature is on the record, so that it outlives the server that took it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from croupier.floor.duties.bounds import HOUR, Duties
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.people.people import People, Person
from croupier.floor.records.commands import (
    AtTable,
    BuyIn,
    CashOut,
    ChangeTerms,
    EnrolPerson,
    Measure,
    OpenLink,
    OpenTable,
)
from croupier.floor.records.people_facts import MeasureProposed, PersonName
from croupier.jackpots.commands import AdjustMeter, ChangeParameters
from croupier.money import Money, show
from croupier.rounds.commands import CorrectCards
from croupier.rulebooks.vocabulary import Role

AT_MOST = 200
"""So many measures may wait for a signature."""

Bounded: TypeAlias = OpenLink | OpenTable | ChangeTerms | EnrolPerson | BuyIn | CashOut
"""Commands that one or two people ask for, by what they are about."""


class CannotSign(Exception):
    """A code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def waiting(people: People, now: int) -> list[MeasureProposed]:
    """What waits for a second signature, the oldest first."""
    return [proposal for proposal in people.proposals.values() if proposal.until > now]


def why_two(people: People, asked: Bounded, now: int) -> str:
    """Why this takes two people, in one sentence; empty where one is enough."""
    duties = people.duties
    if duties is None or asked.by not in people.persons:
        return ""  # the operator's own settings and commands, with the file at hand
    match asked:
        case OpenLink():
            return "A new link takes two people: one proposes it, another signs."
        case OpenTable(config=config):
            return above_limits(duties, config.limits, config.jackpot_bet)
        case ChangeTerms(limits=limits, jackpot_bet=jackpot_bet):
            return above_limits(duties, limits, jackpot_bet)
        case BuyIn(amount=amount) | CashOut(amount=amount):
            most = duties.payments
            return f"A payment above {show(most)} takes two people." if amount > most else ""
        case EnrolPerson(post=post, by=by):
            if post is Post.PLAYER or _is_founding(people, duties, by, now):
                return ""
            return "A new person of the staff takes two people: one proposes, another signs."
        case _:
            assert_never(asked)


def above_limits(duties: Duties, limits: Mapping[str, tuple[Money, Money]], jackpot_bet: Money | None) -> str:
    """Why these limits take two people; empty where one is enough."""
    highest = max([*(amount for pair in limits.values() for amount in pair), jackpot_bet or 0])
    return f"A limit above {show(duties.limits)} takes two people." if highest > duties.limits else ""


def _is_founding(people: People, duties: Duties, by: PersonName, now: int) -> bool:
    """Whether nobody could sign for the administrator of a house that begins, and nobody ever could."""
    able = (p for p in people.persons.values() if p.name != by and p.may(Action.SIGN_ENROLMENTS))
    return not people.paired and all(_is_own(duties, p, by, now) for p in able)


def _is_own(duties: Duties, person: Person, by: PersonName, now: int) -> bool:
    """Whether an account was enrolled, or given its password, by somebody who might still have that."""
    return person.made_by == by and now < person.made_at + duties.own_account_hours * HOUR


def why_not_together(people: People, first: PersonName, second: PersonName, now: int) -> tuple[str, str] | None:
    """Why these are not two people, as a code and a sentence."""
    if not second or first == second:
        return "two_people", "It takes two different people."
    duties = people.duties or Duties()
    for one, other in ((first, second), (second, first)):
        person = people.persons.get(one)
        if person is not None and _is_own(duties, person, other, now):
            hours = duties.own_account_hours
            says = f"{other} enrolled {one} less than {hours} hours ago, so they cannot be the two people of a measure."
            return "own_account", says
    return None


def signed(proposal: MeasureProposed, person: Person, people: People, now: int) -> Measure:
    """The second signature: what is now asked of the house; raises CannotSign."""
    refused = why_not_together(people, proposal.by, person.name, now)
    if refused is not None:
        raise CannotSign(*refused)
    measure = proposal.measure
    match measure:
        case AtTable(command=CorrectCards() as correction):
            role = max(correction.by, person.post.role or Role.DEALER)
            return replace(measure, command=replace(correction, by=role, second=person.name))
        case AtTable():
            raise CannotSign("not_a_measure", "That is nothing which takes two people.")
        case AdjustMeter() | ChangeParameters():
            return replace(measure, second=person.name)
        case OpenLink() | OpenTable() | ChangeTerms() | EnrolPerson() | BuyIn() | CashOut():
            return replace(measure, second=person.name)
        case _:
            assert_never(measure)
