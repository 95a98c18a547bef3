"""Disputes of rounds: their cases, notes, deadlines and outcomes, as the record has them."""

from __future__ import annotations

from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from croupier.floor.records import people_facts as facts
from croupier.floor.records.commands import DisputeOutcome
from croupier.structs import extended

WORDS_MOST = 2000
"""Characters of one note."""
NOTES_MOST = 200
"""Notes of one case."""


class DisputeNote(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a case: who wrote what, when."""

    at: int
    """Microseconds since 1970, UTC."""
    by: facts.PersonName
    words: str
    what: str
    """opened, noted, decided or closed."""


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """The case of one dispute."""

    id: str
    table: str
    round: int
    player: facts.PersonName
    until: int
    notes: tuple[DisputeNote, ...]
    outcome: DisputeOutcome | None = None
    closed: bool = False

    @property
    def status(self) -> Literal["open", "decided", "closed"]:
        """How far the case is."""
        return "closed" if self.closed else "open" if self.outcome is None else "decided"


def evolve_dispute(case: Dispute | None, fact: facts.DisputeFact) -> Dispute:
    """Fold a fact into the case of a dispute."""
    if isinstance(fact, facts.DisputeOpened):
        opened = DisputeNote(at=fact.at, by=fact.by, words=fact.words, what="opened")
        return extended(Dispute, fact, id=fact.dispute, notes=(opened,))
    assert case is not None, "a dispute is opened before anything else is said of it"
    match fact:
        case facts.DisputeNoted(by=by, words=words, at=at):
            return replace(case, notes=(*case.notes, DisputeNote(at=at, by=by, words=words, what="noted")))
        case facts.DisputeDecided(by=by, words=words, at=at, outcome=outcome):
            note = DisputeNote(at=at, by=by, words=words, what="decided")
            return replace(case, notes=(*case.notes, note), outcome=outcome)
        case facts.DisputeClosed(by=by, words=words, at=at):
            note = DisputeNote(at=at, by=by, words=words, what="closed")
            return replace(case, notes=(*case.notes, note), closed=True)
        case _:
            assert_never(fact)
