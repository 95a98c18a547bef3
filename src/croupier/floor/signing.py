"""Four eyes: what one person proposes, another signs; only then is it asked of the house, with both their names."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

import msgspec

from croupier.floor.people import Person
from croupier.floor.posts import Action
from croupier.floor.requests import HouseCommand

STANDS_FOR = 900.0
"""Seconds that a proposal waits for its second signature."""

AT_MOST = 200


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A measure with one signature."""

    id: str
    by: str
    words: str
    """What it is, for whoever signs."""
    second: Action
    """What the second person must be allowed to do."""
    command: Callable[[Person], HouseCommand]
    """What is asked of the house when this person has signed."""
    until: float


class CannotSign(Exception):
    """A code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Proposals:
    """What waits for a second signature. A restart forgets it: then it is proposed again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting: dict[str, Proposal] = {}

    def waiting(self) -> list[Proposal]:
        """The oldest first."""
        now = self._clock()
        self._waiting = {key: proposal for key, proposal in self._waiting.items() if proposal.until > now}
        return list(self._waiting.values())

    def propose(self, by: Person, words: str, second: Action, command: Callable[[Person], HouseCommand]) -> Proposal:
        """The first signature."""
        if len(self.waiting()) >= AT_MOST:
            raise CannotSign("too_many", "Too many measures wait for a signature already.")
        until = self._clock() + STANDS_FOR
        key = secrets.token_hex(8)
        proposal = Proposal(id=key, by=by.name, words=words, second=second, command=command, until=until)
        self._waiting[key] = proposal
        return proposal

    def find(self, key: str) -> Proposal | None:
        """A measure that still waits."""
        return next((proposal for proposal in self.waiting() if proposal.id == key), None)

    def signed(self, proposal: Proposal, person: Person) -> HouseCommand:
        """The second signature: what is now asked of the house."""
        if person.name == proposal.by:
            raise CannotSign("two_people", "It takes two different people.")
        self._waiting.pop(proposal.id, None)
        return proposal.command(person)
