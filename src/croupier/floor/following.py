"""The streams as an audit follows them, command by command, and what must stand in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from croupier.floor.decks import Deck
from croupier.floor.facts import BoughtIn, CashedOut, HouseFact, LinkFact, LinkOpened, TableFact
from croupier.floor.findings import Differs, compared
from croupier.floor.histories import History
from croupier.floor.people import PeopleFact
from croupier.floor.players import PlayerFact
from croupier.floor.requests import (
    AdjustMeter,
    Answer,
    ChangeParameters,
    CloseLink,
    HouseCommand,
    OpenLink,
    ReopenLink,
    VerifyAward,
)
from croupier.floor.tables import VERSIONS
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import (
    AnyLinkEvent,
    AwardReleased,
    AwardsHandedOver,
    AwardsPaid,
    ClaimsVerified,
    DealOrderRuled,
    FaultCarriedOut,
    FaultReported,
    Link,
    LinkClosed,
    LinkReopened,
    MeterAdjusted,
    ParametersChanged,
    new_link,
)
from croupier.jackpots.tables import Fault, next_fault
from croupier.journal.records import Record
from croupier.journal.store import Answered, Store
from croupier.rounds.commands import (
    ReportIncident,
    RoundCommand,
)
from croupier.rounds.events import (
    RoundEvent,
)
from croupier.rounds.state import Round, new_table

ENCODE = msgspec.json.Encoder().encode
TABLE_FACTS = msgspec.json.Decoder(TableFact)
LINK_FACTS = msgspec.json.Decoder(LinkFact)
HOUSE_FACTS = msgspec.json.Decoder(HouseFact)
CASHIER_FACTS = msgspec.json.Decoder(BoughtIn | CashedOut)
PEOPLE_FACTS = msgspec.json.Decoder(PeopleFact)
PLAYER_FACTS = msgspec.json.Decoder(PlayerFact)

_ANSWER = msgspec.json.Decoder(Answer)

A_PIECE = 512
"""So many records of a stream are read at a time."""

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
            self.answered = _ANSWER.decode(self.answer.answer)
        return self.answered

    def moved(self, stream: str) -> bool:
        """Whether the answer says that this command went on in that stream too."""
        return self.said is not None and stream in self.said.heads


class Cursor:
    """A stream, command by command, with the answers that were given."""

    def __init__(self, store: Store, stream: str, step: Callable[[int], None]) -> None:
        self.stream = stream
        self._store, self._step = store, step
        self._records: list[Record] = []
        self._answers: Mapping[str, Answered] = {}
        self._at, self._last = 0, 0
        self._ended = False
        self.run: Run | None = None
        self.advance()

    def advance(self) -> None:
        """On to the next command; None at the end."""
        first = self._peek()
        if first is None:
            self.run = None
            return
        answer = self._answers.get(first.command)
        records = []
        while (record := self._peek()) is not None and record.command == first.command:
            records.append(record)
            self._at += 1
        self.run = Run(first.command, records, answer)
        self._step(len(records))

    def _peek(self) -> Record | None:
        if self._at == len(self._records) and not self._ended:
            self._records = list(self._store.read(self.stream, self._last, A_PIECE))
            self._at = 0
            self._ended = len(self._records) < A_PIECE
            if self._records:
                self._last = self._records[-1].seq
                self._answers = self._store.answers(list({record.command for record in self._records}))
        return self._records[self._at] if self._at < len(self._records) else None


class TableTrial:
    """A table as the audit follows it."""

    def __init__(self, history: History, name: str, cursor: Cursor) -> None:
        self.history, self.name, self.config, self.cursor = history, name, history.config, cursor
        self.terms = history.terms
        self.state = self.state_before = new_table(self.terms.boxes)
        self.decks: dict[tuple[int, int], Deck] = {}
        self.held: Judged | None = None
        self.alone: dict[str, ReportIncident] = {}
        """Reports that were judged before the link had come as far, by command."""
        self.changed: list[tuple[int, int, int]] = []
        """What the pit changed: where the table stood, after which Round, and the record of the house."""
        self.recalled = 0
        """How far it has said that the house's memory of Players went."""
        self.lost = False

    @property
    def at(self) -> str | None:
        """The command that it stands before."""
        return None if self.lost or self.cursor.run is None else self.cursor.run.command


class LinkTrial:
    """A link as the audit follows it."""

    def __init__(self, name: str, cursor: Cursor) -> None:
        self.name, self.cursor = name, cursor
        self.link: Link | None = None
        self.lost = False

    @property
    def at(self) -> str | None:
        return None if self.lost or self.cursor.run is None else self.cursor.run.command


class Judged(msgspec.Struct):
    """What one command did at one table, judged again; nothing of it depends on the link."""

    command: RoundCommand | None
    acts: list[Act]
    state: Round
    used: int
    """How many of the command's records that explains; the rest are awards handed over."""


class Told:
    """What the link's own stream says of one command, read along while it is judged again."""

    def __init__(self, trial: LinkTrial | None) -> None:
        self.trial = trial
        self.stream, self.name = ("", "") if trial is None else (trial.cursor.stream, trial.name)
        self.link = None if trial is None else trial.link
        self.records = [] if trial is None or trial.cursor.run is None else trial.cursor.run.records
        self.facts = [LINK_FACTS.decode(VERSIONS.raised(record)) for record in self.records]
        self.at = 0

    @property
    def command(self) -> str:
        return self.records[0].command if self.records else ""

    @property
    def seq(self) -> int:
        return self.records[min(self.at, len(self.records) - 1)].seq if self.records else 0

    def expect(self, event: AnyLinkEvent) -> None:
        assert self.link is not None
        expect(self.records, self.at, event)
        self.link = evolve_link(self.link, event)
        self.at += 1

    def opened(self) -> list[HouseCommand]:
        """The first record of a link."""
        assert self.trial is not None
        first = self.facts[0] if self.facts else None
        if not isinstance(first, LinkOpened):
            raise Differs(self.stream, 1, "a link begins with its opening.")
        self.link = new_link(first.meter, first.parameters)
        self.at = 1
        return [OpenLink(link=self.trial.name, meter=first.meter, parameters=first.parameters)]

    def own_fact(self, tables: Mapping[str, TableTrial]) -> list[HouseCommand] | None:
        """A ruling or a measure of the House: a fact of its own, with what it takes."""
        assert self.trial is not None
        assert self.link is not None
        link, name = self.link, self.trial.name
        fact = self.facts[0]
        commands: list[HouseCommand] | None = None
        wrong = ""
        match fact:
            case LinkOpened():
                wrong = "a link is opened once."
            case LinkClosed(by=by):
                commands = [CloseLink(link=name, by=by)]
            case LinkReopened(by=by):
                commands = [ReopenLink(link=name, by=by)]
            case ParametersChanged(by=by, second=second, parameters=parameters):
                wrong = _two_people(link, by, second)
                commands = [ChangeParameters(link=name, by=by, second=second, parameters=parameters)]
            case MeterAdjusted(by=by, second=second, units=units, cause=cause):
                wrong = _two_people(link, by, second)
                if units % link.scale or link.meter + units < 0 or not cause:
                    wrong = "a meter is corrected by whole cents, with a cause, and not below nothing."
                cents = units // link.scale
                commands = [AdjustMeter(link=name, by=by, second=second, amount=cents, cause=cause)]
            case ClaimsVerified(table=table, round=number, by=by):
                waits = [p for p in link.pending if p.round == (table, number) and not p.is_verified]
                if not by or not waits or by in waits[0].signed:
                    wrong = f"no award of table {table} waited for the signature of {by}."
                commands = [VerifyAward(table=table, round=number, by=by)]
            case AwardReleased(table=table):
                if all(pending.round[0] != table for pending in link.pending):
                    wrong = f"no award of table {table} waited to be paid."
            case DealOrderRuled(tables=ruled):
                if any(t not in tables or tables[t].config.link != name for t in ruled):
                    wrong = "the order of deals names a table that is not on the link."
            case _:
                return None
        if wrong:
            raise Differs(self.stream, self.seq, wrong)
        assert not isinstance(fact, LinkOpened)
        self.link = evolve_link(link, fact)
        self.at = 1
        return commands

    def handed_over_next(self) -> AwardsPaid | None:
        """The payment that the next record says was handed over."""
        fact = self.facts[self.at] if self.at < len(self.facts) else None
        if self.link is None or not isinstance(fact, AwardsHandedOver):
            return None
        for paid in self.link.handovers:
            if (paid.table, paid.round) == (fact.table, fact.round):
                return paid
        raise Differs(self.stream, self.seq, f"table {fact.table} had nothing to hand over.")

    def carried_out_next(self) -> tuple[str, Fault, ReportIncident] | None:
        """The table that meets a fault next, by the next record; which fault, and how it was reported."""
        fact = self.facts[self.at] if self.at < len(self.facts) else None
        if self.link is None or not isinstance(fact, FaultCarriedOut):
            return None
        for fault in self.link.faults:
            if fault.number == fact.fault and fact.table in fault.tables:
                self.expect(fact)
                return fact.table, Fault(fault.number, fault.units), fault.report
        raise Differs(self.stream, self.seq, f"table {fact.table} had no fault {fact.fault} to carry out.")

    def reported(self) -> ReportIncident | None:
        """A fault that tables of other servers are told of, before this one's tables meet it."""
        fact = self.facts[self.at] if self.at < len(self.facts) else None
        if self.link is None or not isinstance(fact, FaultReported):
            return None
        fault = next_fault(self.link)
        if (fact.fault, fact.units) != (fault.number, fault.units):
            raise Differs(self.stream, self.seq, f"the fault is number {fault.number} at {fault.units} units.")
        self.expect(fact)
        return fact.report

    def nothing_left(self) -> None:
        if self.at < len(self.records):
            extra = self.records[self.at]
            raise Differs(extra.stream, extra.seq, f"nothing of what was asked leads to {extra.type}.")


def _two_people(link: Link, by: str, second: str) -> str:
    if not by or not second or by == second:
        return "it takes two different people."
    if not link.closed or link.dealt or link.pending:
        return "the link was open, or Rounds of it were in play."
    return ""


def as_finding(cursor: Cursor, fault: Exception) -> Differs:
    seq = cursor.run.records[0].seq if cursor.run is not None else 0
    return Differs(cursor.stream, seq, f"it cannot be judged again: {type(fault).__name__}: {fault}.")


def expect(records: Sequence[Record], index: int, event: msgspec.Struct) -> None:
    """The record at this place is this event, byte for byte."""
    if index >= len(records):
        stream, seq = (records[-1].stream, records[-1].seq) if records else ("", 0)
        raise Differs(stream, seq, f"{type(event).__name__} should follow in the same command, and does not.")
    record = records[index]
    if record.data != ENCODE(event) and VERSIONS.raised(record) != ENCODE(event):
        raise Differs(record.stream, record.seq, compared(record.data, event))
