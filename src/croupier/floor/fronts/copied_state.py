"""The copy of the committed state in a front: what the house has told it, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from croupier.floor.fronts.protocol import ClockNews, News, PeopleNews, Standing, TableNews
from croupier.floor.fronts.round_changes import changed_round
from croupier.floor.house.memory.player_memory import Memory
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.live.clocks import Clock, Phase, TableClocks
from croupier.floor.live.phases import PhaseMoments
from croupier.floor.people.people import People
from croupier.floor.records.commands import TableConfig
from croupier.floor.records.tables import Table, TermsFrom, pinned_terms
from croupier.journal.store import NameRow
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Pin, Terms
from croupier.structs import extended

K = TypeVar("K")
V = TypeVar("V")


class CopiedClocks(TableClocks):
    """Clocks that run in the house."""

    def note(self, name: str, told: ClockNews | None) -> None:
        """Show the clock of a table as the house has it."""
        if told is None:
            self._clocks.pop(name, None)
        else:
            self._clocks[name] = Clock(Phase((), told.seconds, told.phase), told.ends)

    def clear(self) -> None:
        self._clocks.clear()


class CopiedPhases(PhaseMoments):
    """Moments that the house has noted."""

    def note(self, told: TableNews, number: int) -> None:
        """Show since when a table has been in its phase, and whether its server began again in this round."""
        self._since[told.name] = (None, told.since)
        self._restarts[told.name] = (number, told.restarted)


class CopiedState(CommittedState):
    """The house as it is on disk, in another process."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead = 0
        """Microseconds from this machine's uptime to the time of the house."""
        self.clocks, self.phases = CopiedClocks(), CopiedPhases(self.now)
        self._terms: dict[tuple[bytes, Pin], Terms] = {}
        self._names: Mapping[str, NameRow] = {}

    def now(self) -> int:
        """Return the time of the house: what it last said, and what has passed since."""
        return self._ahead + time.monotonic_ns() // 1000

    def apply(self, news: News) -> None:
        """Take over what the house has told; of a whole state, also what is gone."""
        self._ahead = news.at - time.monotonic_ns() // 1000
        if news.is_whole:
            self.clocks.clear()
            told_of = {told.name for told in news.tables}
            self.shown = {name: table for name, table in self.shown.items() if name in told_of}
            self.shown_people, self._names = People(), {}
            self.shown_balances = {}
        for told in news.tables:
            self._apply_table(told)
        for name, link in news.links.items():
            self.show_link(name, link)
        if news.balances:
            self.show_balances(news.balances)
        if news.people is not None or news.bars is not None:
            self._apply_people(news)

    def _apply_table(self, told: TableNews) -> None:
        self.clocks.note(told.name, told.clock)
        before = self.shown.get(told.name)
        state = told.round
        if state is None:
            assert before is not None, "only a table that the front knows has changes"
            assert told.changes is not None, "a table has a round or its changes"
            state = changed_round(before.round, told.changes)
        self.phases.note(told, state.number)
        if told.standing is not None:
            self.show_table(self._table(told, state, told.standing))
        elif before is not None:
            self.show_table(msgspec.structs.replace(before, seq=told.seq, round=state, commitment=told.commitment))

    def _table(self, told: TableNews, state: Round, standing: Standing) -> Table:
        return extended(
            Table,
            standing,
            name=told.name,
            terms=self._terms_of(standing.config, standing.pin),
            round=state,
            commitment=told.commitment,
            changes=tuple(
                TermsFrom(change.after, change.config, self._terms_of(change.config, change.pin))
                for change in standing.changes
            ),
            seq=told.seq,
        )

    def _terms_of(self, config: TableConfig, pin: Pin) -> Terms:
        """Return terms by the rulebook that the house plays by; built once for all tables that are configured alike."""
        key = (msgspec.msgpack.encode(config), pin)
        if key not in self._terms:
            self._terms[key] = pinned_terms(config, pin)
        return self._terms[key]

    def _apply_people(self, news: News) -> None:
        people, memory = self.shown_people, self.shown_memory
        if news.people is not None:
            people = self._people_after(news.people)
            self._names = _after(self._names, news.people.names)
        if news.bars is not None:
            memory = Memory(bars={(operator, player): at for operator, player, at in news.bars})
        self.show_people(people, self._names, memory, {})

    def _people_after(self, told: PeopleNews) -> People:
        before = self.shown_people
        return msgspec.structs.replace(
            before,
            persons=_after(before.persons, told.persons),
            sessions=_after(before.sessions, told.sessions),
            play=_after(before.play, told.play),
            consents=before.consents if told.consents is None else told.consents,
        )


def _after(before: Mapping[K, V], changed: Mapping[K, V | None]) -> dict[K, V]:
    """Return a dictionary with what has changed; the one before stays as it was."""
    if not changed and isinstance(before, dict):
        return before
    gone = {key for key, value in changed.items() if value is None}
    after = {key: value for key, value in before.items() if key not in gone}
    after |= {key: value for key, value in changed.items() if value is not None}
    return after
