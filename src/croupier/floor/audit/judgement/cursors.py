"""Cursors over streams, command by command, and comparison with the events that must be there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias

import msgspec

from croupier.floor.audit.findings import Differs, compared
from croupier.floor.audit.milestone import TrialAt
from croupier.floor.audit.stream_check import A_PIECE, StreamReading
from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.house.memory.cuts import unpack_round
from croupier.floor.records.codec import ANSWER, COMMAND, encode, link_fact
from croupier.floor.records.commands import Answer, HouseCommand, OpenLink
from croupier.floor.records.committed_decks import Deck
from croupier.floor.records.facts import LinkFact, LinkOpened, TableArchived
from croupier.floor.records.upcasters import VERSIONS
from croupier.jackpots.events import AnyLinkEvent, FaultCarriedOut, FaultReported
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.jackpots.linked_tables import Fault, next_fault
from croupier.journal.records import Record
from croupier.journal.store import Answered, Store
from croupier.rounds.commands import ReportIncident, RoundCommand
from croupier.rounds.events import RoundEvent
from croupier.rounds.state import Round, new_table
from croupier.structs import extended

_A_COMMAND = b'{"type":'
"""The beginning of a command on record; a hash does not begin so."""

_COMMAND_OF = attrgetter("command")

Act: TypeAlias = tuple[Round, tuple[RoundEvent, ...]]
"""The state that a command met at a table, and what it made of it."""


class Run(msgspec.Struct):
    """The records of one command in one stream."""

    command: str
    records: list[Record]
    answer: Answered | None
    answered: Answer | None = None
    """The answer once it has been looked at."""

    @property
    def said(self) -> Answer | None:
        """The answer that was given."""
        if self.answered is None and self.answer is not None:
            self.answered = ANSWER.decode(self.answer.answer)
        return self.answered

    def moved(self, stream: str) -> bool:
        """Return whether the answer says that this command went on in that stream too."""
        return self.said is not None and stream in self.said.heads

    @property
    def asked(self) -> HouseCommand | None:
        """The command as it is on record; None where the first release took it, which kept a hash alone."""
        if self.answer is None or not self.answer.body.startswith(_A_COMMAND):
            return None
        asked: HouseCommand = COMMAND.decode(self.answer.body)
        return asked


class Cursor:
    """A stream, command by command, with the answers that were given."""

    def __init__(
        self,
        store: Store,
        stream: str,
        step: Callable[[int], None],
        after: int = 0,
        reading: StreamReading | None = None,
    ) -> None:
        """`reading` gives the records where they are checked by themselves as they are judged."""
        self.stream, self._reading = stream, reading
        self._store, self._step = store, step
        self._runs: list[Run] = []
        self._left: list[Record] = []
        """The records of the last command of a piece, which may go on in the next piece."""
        self._at, self._last = 0, after
        self._ended = False
        self.before = after
        """The record that the present command comes after."""
        self.run: Run | None = None
        self.advance()

    def advance(self) -> None:
        """Go on to the next command; `run` is None at the end."""
        if self.run is not None:
            self.before = self.run.records[-1].seq
        while self._at == len(self._runs) and not self._ended:
            self._read()
        if self._at < len(self._runs):
            self.run = self._runs[self._at]
            self._at += 1
        else:
            self.run = None

    def _read(self) -> None:
        """Read the commands of the next records, and their answers."""
        if self._reading is not None:
            records = self._reading.piece(A_PIECE) or []
            self._ended = not records
        else:
            records = list(self._store.read(self.stream, self._last, A_PIECE))
            self._ended = len(records) < A_PIECE
        if records:
            self._last = records[-1].seq
        commands = [list(some) for _, some in groupby((*self._left, *records), key=_COMMAND_OF)]
        self._left = commands.pop() if commands and not self._ended else []
        answers = self._store.answers(list({some[0].command: None for some in commands}))
        self._runs = [Run(some[0].command, some, answers.get(some[0].command)) for some in commands]
        self._at = 0
        self._step(sum(map(len, commands)))


class TableTrial:
    """A table as the audit follows it."""

    def __init__(
        self,
        history: TermsHistory,
        name: str,
        cursor: Cursor,
        start: TableArchived | None = None,
        reading: StreamReading | None = None,
    ) -> None:
        self.history, self.name, self.config, self.cursor = history, name, history.config, cursor
        self.reading = reading
        """Where its records are entered as they are judged."""
        self.start = start
        """Where the records before have left for archives that were not given."""
        if start is None:
            self.terms = history.terms
            self.state = self.state_before = new_table(self.terms.boxes)
        else:
            self.state = self.state_before = unpack_round(start.state)
            self.terms = history.of_round(self.state)
        self.decks: dict[tuple[int, int], Deck] = {}
        self.alone: dict[str, ReportIncident] = {}
        """Reports that were judged before the link had come as far, by command."""
        self.changed: list[tuple[int, int, int]] = []
        """What the pit changed: where the table stood, after which Round, and the record of the house."""
        self.recalled = 0
        """How far it has said that the house's memory of Players went."""
        self.link_seen = 0
        """How far its answers say that the link had come since its last cut."""
        self.has_recalled = start is None
        """Whether it has said so here; what it said before is in an archive."""
        self.judged_before = 0
        """The record up to which an earlier audit has judged it."""
        self.lost = False

    def take_up(self, state: Round, seq: int, noted: TrialAt) -> None:
        """Go on from where an earlier audit has judged."""
        self.state = self.state_before = state
        self.terms = self.history.of_round(state) if state.number else self.terms
        self.judged_before = seq
        self.recalled, self.has_recalled, self.link_seen = noted.recalled, noted.has_recalled, noted.link_seen

    @property
    def noted(self) -> TrialAt:
        """What a later audit must know."""
        return TrialAt(recalled=self.recalled, has_recalled=self.has_recalled, link_seen=self.link_seen)

    @property
    def at(self) -> str | None:
        """The command that it stands before."""
        return None if self.lost or self.cursor.run is None else self.cursor.run.command


class LinkTrial:
    """A link as the audit follows it."""

    def __init__(self, name: str, cursor: Cursor) -> None:
        self.name, self.cursor = name, cursor
        self.link: Link | None = None
        self.unjudged = 0
        """Up to this record its tables' own are in archives that were not given."""
        self.lost = False

    @property
    def at(self) -> str | None:
        return None if self.lost or self.cursor.run is None else self.cursor.run.command

    @property
    def seq(self) -> int:
        """The last record that was followed."""
        return self.cursor.before


class Judged(msgspec.Struct):
    """What one command did at one table, judged again."""

    command: RoundCommand | None
    acts: list[Act]
    state: Round
    used: int
    """The number of the command's records that this explains; the rest are awards handed over."""


class LinkRun:
    """The records of one command in the link's stream, compared while the command is judged again."""

    def __init__(self, trial: LinkTrial | None) -> None:
        self.trial = trial
        self.stream, self.name = ("", "") if trial is None else (trial.cursor.stream, trial.name)
        self.link = None if trial is None else trial.link
        self.records = [] if trial is None or trial.cursor.run is None else trial.cursor.run.records
        self._facts: list[LinkFact] | None = None
        self.at = 0

    @property
    def facts(self) -> list[LinkFact]:
        """What the records say."""
        if self._facts is None:
            self._facts = [link_fact(record) for record in self.records]
        return self._facts

    @property
    def command(self) -> str:
        return self.records[0].command if self.records else ""

    @property
    def seq(self) -> int:
        return self.records[min(self.at, len(self.records) - 1)].seq if self.records else 0

    @property
    def next(self) -> LinkFact | None:
        """The event that stands next in the stream."""
        return self.facts[self.at] if self.at < len(self.facts) else None

    def expect(self, *events: AnyLinkEvent, states: Sequence[Link] = ()) -> None:
        """Compare the next records of the stream with these events; raises Differs.

        `states` are those that the events lead to, where they are known.
        """
        for number, event in enumerate(events):
            if self.link is None or not self.records:
                raise Differs(self.stream, self.seq, f"{type(event).__name__} is not on the link.")
            is_current = expect(self.records, self.at, event)
            if is_current and states:
                self.link = states[number]
            else:
                told = self.facts[self.at]  # as it was written: an earlier release may have known less
                assert not isinstance(told, LinkOpened)
                self.link, states = evolve_link(self.link, told), ()
            self.at += 1

    def opened(self) -> OpenLink:
        """Enter the first record of a link, and return the command behind it."""
        first = self.next
        if not isinstance(first, LinkOpened):
            raise Differs(self.stream, 1, "a link begins with its opening.")
        self.link = new_link(first.meter, first.parameters)
        self.at = 1
        return extended(OpenLink, first, link=self.name)

    def carried_out_next(self) -> tuple[str, Fault, ReportIncident] | None:
        """Return the fault that the next record says was carried out: the table, the fault and its report."""
        fact = self.next
        if self.link is None or not isinstance(fact, FaultCarriedOut):
            return None
        for fault in self.link.faults:
            if fault.number == fact.fault and fact.table in fault.tables:
                self.expect(fact)
                return fact.table, Fault(fault.number, fault.units), fault.report
        raise Differs(self.stream, self.seq, f"table {fact.table} had no fault {fact.fault} to carry out.")

    def reported(self) -> FaultReported | None:
        """Return the fault that the next record reports to tables of other servers."""
        fact = self.next
        if self.link is None or not isinstance(fact, FaultReported):
            return None
        fault = next_fault(self.link)
        if (fact.fault, fact.units) != (fault.number, fault.units):
            raise Differs(self.stream, self.seq, f"the fault is number {fault.number} at {fault.units} units.")
        self.expect(fact)
        return fact

    def nothing_left(self) -> None:
        if self.at < len(self.records):
            extra = self.records[self.at]
            raise Differs(extra.stream, extra.seq, f"nothing of what was asked leads to {extra.type}.")


NO_LINK = LinkRun(None)
"""A command that leaves the link alone."""


def run_of(cursor: Cursor) -> Run:
    """Return the command that a stream stands before."""
    assert cursor.run is not None, "the stream stands before a command"
    return cursor.run


def as_finding(cursor: Cursor, fault: Exception) -> Differs:
    seq = cursor.run.records[0].seq if cursor.run is not None else 0
    return Differs(cursor.stream, seq, f"it cannot be judged again: {type(fault).__name__}: {fault}.")


class _Forms(dict[type, tuple[str, int]]):
    """The name and the version of every type of event."""

    def __missing__(self, kind: type) -> tuple[str, int]:
        form = self[kind] = (kind.__name__, VERSIONS.of(kind.__name__))
        return form


FORMS = _Forms()


def expect(records: Sequence[Record], index: int, event: msgspec.Struct) -> bool:
    """Compare a record with an event, byte for byte as the release of the record would have written it.

    Return whether the record has today's form.
    """
    if index >= len(records):
        stream, seq = (records[-1].stream, records[-1].seq) if records else ("", 0)
        raise Differs(stream, seq, f"{type(event).__name__} should follow in the same command, and does not.")
    record, (kind, version) = records[index], FORMS[type(event)]
    as_written = encode(event)
    if record.type == kind and record.version < version:
        as_written = VERSIONS.lowered(kind, record.version, as_written)
    if record.data != as_written:
        raise Differs(record.stream, record.seq, compared(record.data, event))
    return record.type == kind and record.version == version
