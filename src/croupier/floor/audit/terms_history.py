"""What the pit has changed at a table since it opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import msgspec

from croupier.floor.records import facts, tables
from croupier.floor.records.commands import TableConfig
from croupier.floor.records.refusals import Refused
from croupier.money import Money
from croupier.rounds.state import Round
from croupier.rulebooks.terms import BadTerms, Terms


class TermsHistory(msgspec.Struct):
    """A table's terms from its opening on, and whether it is open."""

    config: TableConfig
    terms: Terms
    """Those that it opened with."""
    opened: int = 0
    """When: microseconds since 1970, UTC; 0 where that does not matter."""
    changes: tuple[tables.TermsFrom, ...] = ()
    closed: bool = False
    after: int = 0
    """The Round after which something was last changed."""
    archived: tuple[facts.TableArchived, ...] = ()
    """What has left the database, the oldest first."""
    editions: tuple[tables.EditionFrom, ...] = ()
    """Versions of the rulebook that came after the one it opened with."""

    def see(self, fact: facts.TableChange, at: int) -> str:
        """Enter a change of this moment, and say what is wrong with it; empty where it is right."""
        if isinstance(fact, facts.TableArchived):
            return self._archive(fact)
        if isinstance(fact, facts.EditionScheduled | facts.EditionCancelled):
            return self._schedule(fact, at)
        before, self.after = self.after, fact.after
        if fact.after < before:
            return f"what is changed after round {fact.after} comes after a change of round {before}."
        if not fact.by:
            return "it does not say who changed it."
        match fact:
            case facts.TermsChanged():
                return self._change(fact)
            case facts.TableClosed():
                was_closed, self.closed = self.closed, True
                return "the table was already closed." if was_closed else ""
            case facts.TableReopened():
                was_closed, self.closed = self.closed, False
                if not was_closed:
                    return "the table was already open."
                return "" if fact.after == before else f"round {fact.after} began while the table was closed."
            case _:
                assert_never(fact)

    def _archive(self, fact: facts.TableArchived) -> str:
        before = self.archived[-1] if self.archived else None
        self.archived = (*self.archived, fact)
        if before is not None and (fact.seq <= before.seq or fact.after <= before.after):
            return f"the records up to {fact.seq} were already archived."
        return "" if fact.by and fact.file else "an archive names its file and the person who made it."

    def _schedule(self, fact: facts.EditionScheduled | facts.EditionCancelled, at: int) -> str:
        waits = self.editions[-1] if self.editions and self.editions[-1].at > at else None
        self.editions = tables.scheduled(self.editions, fact)
        if isinstance(fact, facts.EditionCancelled):
            return "" if waits is not None and waits.edition == fact.edition else f"{fact.edition} did not wait there."
        if waits is not None:
            return f"{waits.edition} already waited at the table."
        return "" if fact.at >= at else f"{fact.edition} was put in force for Rounds that had begun."

    def _change(self, fact: facts.TermsChanged) -> str:
        latest = self.changes[-1].config if self.changes else self.config
        try:
            tables.check_change(latest, fact)
            self.changes = (*self.changes, tables.changed_terms(latest, fact))
        except (Refused, BadTerms) as wrong:
            return str(wrong)
        return ""

    def on_which(self, number: int, at: int) -> tuple[TableConfig, Terms]:
        """Return the terms of a Round that began at this moment, as they were written and as they are applied."""
        change = tables.terms_for(self.changes, number) or tables.TermsFrom(0, self.config, self.terms)
        found = tables.by_edition(change, self.editions, at)
        return found.config, found.terms

    def of_round(self, state: Round) -> Terms:
        """Return the terms of a Round that is in play or has just ended."""
        change = tables.terms_for(self.changes, state.number) or tables.TermsFrom(0, self.config, self.terms)
        return tables.as_begun(change, state.rulebook).terms

    def box_limits_of(self, number: int) -> Mapping[str, Money]:
        """Return the boxes that the pit had limited in a Round."""
        change = tables.terms_for(self.changes, number)
        return (self.config if change is None else change.config).box_limits

    def may_begin(self, number: int) -> bool:
        """Return whether a Round may begin: the table is open, or was closed only later."""
        return not self.closed or number <= self.after
