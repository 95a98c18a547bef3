"""Four eyes: what one person proposes, another signs; only then is it asked of the house, with both their names. The
first signature is on the record, so that it outlives the server that took it.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from croupier.floor.people import MeasureProposed, People, Person
from croupier.floor.requests import AdjustMeter, AtTable, ChangeParameters, Measure
from croupier.rounds.commands import CorrectCards
from croupier.rulebooks.vocabulary import Role

AT_MOST = 200
"""So many measures may wait for a signature."""


class CannotSign(Exception):
    """A code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def waiting(people: People, now: int) -> list[MeasureProposed]:
    """What waits for a second signature, the oldest first."""
    return [proposal for proposal in people.proposals.values() if proposal.until > now]


def signed(proposal: MeasureProposed, person: Person) -> Measure:
    """The second signature: what is now asked of the house; raises CannotSign."""
    if person.name == proposal.by:
        raise CannotSign("two_people", "It takes two different people.")
    measure = proposal.measure
    match measure:
        case AdjustMeter() | ChangeParameters():
            return replace(measure, second=person.name)
        case AtTable(command=CorrectCards() as correction):
            role = max(correction.by, person.post.role or Role.DEALER)
            return replace(measure, command=replace(correction, by=role, second=person.name))
        case AtTable():
            raise CannotSign("not_a_measure", "That is nothing which takes two people.")
        case _:
            assert_never(measure)
