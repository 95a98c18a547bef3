"""What the pit has changed at a table since it opened."""

from __future__ import annotations

from typing import assert_never

import msgspec

from croupier.floor.records.commands import TableConfig
from croupier.floor.records.facts import TableArchived, TableClosed, TableReopened, TermsChanged
from croupier.floor.records.refusals import Refused
from croupier.floor.records.tables import TermsFrom, changed_terms, check_change, terms_for
from croupier.rulebooks.terms import BadTerms, Terms


class TermsHistory(msgspec.Struct):
    """A table's terms from its opening on, and whether it is open."""

    config: TableConfig
    terms: Terms
    """Those that it opened with."""
    changes: tuple[TermsFrom, ...] = ()
    closed: bool = False
    after: int = 0
    """The Round after which something was last changed."""
    archived: tuple[TableArchived, ...] = ()
    """What has left the database, the oldest first."""

    def see(self, fact: TermsChanged | TableClosed | TableReopened | TableArchived) -> str:
        """Enter a change, and say what is wrong with it; empty where it is right."""
        if isinstance(fact, TableArchived):
            return self._archive(fact)
        before, self.after = self.after, fact.after
        if fact.after < before:
            return f"what is changed after round {fact.after} comes after a change of round {before}."
        if not fact.by:
            return "it does not say who changed it."
        match fact:
            case TermsChanged():
                return self._change(fact)
            case TableClosed():
                was_closed, self.closed = self.closed, True
                return "the table was already closed." if was_closed else ""
            case TableReopened():
                was_closed, self.closed = self.closed, False
                if not was_closed:
                    return "the table was already open."
                return "" if fact.after == before else f"round {fact.after} began while the table was closed."
            case _:
                assert_never(fact)

    def _archive(self, fact: TableArchived) -> str:
        before = self.archived[-1] if self.archived else None
        self.archived = (*self.archived, fact)
        if before is not None and (fact.seq <= before.seq or fact.after <= before.after):
            return f"the records up to {fact.seq} were already archived."
        return "" if fact.by and fact.file else "an archive names its file and the person who made it."

    def _change(self, fact: TermsChanged) -> str:
        latest = self.changes[-1].config if self.changes else self.config
        try:
            check_change(latest, fact)
            self.changes = (*self.changes, changed_terms(latest, fact))
        except (Refused, BadTerms) as wrong:
            return str(wrong)
        return ""

    def on_which(self, number: int) -> tuple[TableConfig, Terms]:
        """Return the terms of a Round, as they were written and as they are applied."""
        change = terms_for(self.changes, number)
        return (self.config, self.terms) if change is None else (change.config, change.terms)

    def may_begin(self, number: int) -> bool:
        """Return whether a Round may begin: the table is open, or was closed only later."""
        return not self.closed or number <= self.after
