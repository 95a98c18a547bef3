"""The house's memory of Players: each note follows from a Round, and each Round from earlier notes."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from croupier.floor.audit.findings import Differs, Findings
from croupier.floor.audit.judgement.cursors import Judged, Run, TableTrial
from croupier.floor.house.memory.player_memory import NOTED_EVENTS, Memory, evolve_memory, facts_from
from croupier.floor.records.codec import encode, player_fact
from croupier.floor.records.facts import PlayerFact
from croupier.floor.records.streams import PLAYERS
from croupier.journal.records import ChainBroken
from croupier.journal.store import Store
from croupier.rounds.commands import PlaceBet
from croupier.rounds.counted_stakes import stays_under_minimum
from croupier.rounds.evolve import evolve


class MemoryCheck:
    """Checks what each command could know of Players, and what it noted of them."""

    def __init__(self, store: Store, step: Callable[[int], None], judged_before: int = 0) -> None:
        """Up to the record `judged_before` an earlier audit has explained the notes."""
        self._states = [Memory()]
        """The memory after each record, the beginning first."""
        self._written: dict[str, list[tuple[int, PlayerFact]]] = {}
        """What each command wrote and no table has explained yet."""
        self._readable = True
        for record in store.read(PLAYERS):
            step(1)
            try:
                fact = player_fact(record)
            except (msgspec.MsgspecError, ChainBroken):
                self._readable = False  # it is said where the stream itself is checked
                return
            self._states.append(evolve_memory(self._states[-1], fact))
            if record.seq > judged_before:
                self._written.setdefault(record.command, []).append((record.seq, fact))

    def check(self, table: TableTrial, run: Run, judged: Judged) -> None:
        """Check one command at a table: what it knew of Players, and what it told the house of them."""
        if not self._readable:
            return
        self._knew(table, run, judged)
        self._told(table, run, judged)

    def pass_over(self, command: str) -> None:
        """Skip a command that is entered and not judged."""
        self._written.pop(command, None)

    @property
    def unexplained(self) -> frozenset[str]:
        """Commands whose notes no table has explained yet."""
        return frozenset(self._written)

    def keep_only(self, commands: Collection[str]) -> None:
        """Forget the notes of other commands, which were explained elsewhere."""
        self._written = {command: told for command, told in self._written.items() if command in commands}

    def finish(self, findings: Findings, has_left: Callable[[str], bool]) -> None:
        """Report notes that no command explains; `has_left` tells whether what a command did is in an archive."""
        for command, written in self._written.items() if self._readable else ():
            if has_left(command):
                continue
            seq, fact = written[0]
            findings.add(PLAYERS, seq, f"nothing of what was asked leads to {type(fact).__name__}.")

    def _knew(self, table: TableTrial, run: Run, judged: Judged) -> None:
        """Check a Bet against the notes and bars at the position that its answer names."""
        bet, book = judged.command, table.terms.book
        if type(bet) is not PlaceBet:
            return
        where, first = table.cursor.stream, run.records[0].seq
        stood = None if run.said is None else run.said.stood.get(PLAYERS)
        if stood is not None:
            if not table.recalled <= stood < len(self._states):
                raise Differs(where, first, "its answer says that the house remembered less than before, or more.")
            table.recalled, table.has_recalled = stood, True
        elif not table.has_recalled:
            return
        elif bet.noticed:
            table.recalled = self._nobody_barred(table.recalled)
        memory, operator, state = self._states[table.recalled], book.document.operator, judged.acts[0][0]
        if book.authority.prohibited and memory.barred(operator, bet.player):
            raise Differs(where, first, f"{bet.player} bets although the house has barred them.")
        known = bet.player in state.standing.under_minimum
        noted = not known and memory.noted(operator, bet.player, state.standing.day)
        if bet.remembered != (noted and stays_under_minimum(table.terms, state, bet)):
            raise Differs(where, first, f"what the house remembered of {bet.player} is not what this table says.")

    def _nobody_barred(self, recalled: int) -> int:
        """Find the first memory in which nobody is barred, for a table that does not say where the memory stood."""
        states = enumerate(self._states[recalled:], recalled)
        return next((place for place, memory in states if not memory.bars), recalled)

    def _told(self, table: TableTrial, run: Run, judged: Judged) -> None:
        written = self._written.get(run.command, [])
        if not written and not run.moved(PLAYERS):
            return  # told nothing; or the house did not keep such a record yet
        facts: list[PlayerFact] = []
        for state, verdict in judged.acts:
            if not any(isinstance(event, NOTED_EVENTS) for event in verdict):
                continue
            for event in verdict:
                facts += facts_from(table.terms, table.name, state, event)
                state = evolve(state, event)  # noqa: PLW2901  each event meets what the one before has left
        for fact in facts:
            seq, found = written.pop(0) if written else (0, None)
            if found is None or encode(found) != encode(fact):
                raise Differs(PLAYERS, seq, f"{type(fact).__name__} of {fact.player} at {table.name} is missing.")
            table.recalled = seq
        if not written:
            self._written.pop(run.command, None)
            if run.said is not None and facts and run.said.heads.get(PLAYERS) != table.recalled:
                raise Differs(PLAYERS, table.recalled, f"the answer to {run.command} does not say that it went so far.")
