"""Every command judged again: its facts are recovered from the events, and everything that follows from them must be
what stands in the journal, at the tables and on their links.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.floor.decks import Deck, unsealed
from croupier.floor.facts import (
    BoughtIn,
    CashedOut,
    DeckCommitted,
    DeckOpened,
    LinkFact,
    LinkOpened,
    TableFact,
    TableOpened,
)
from croupier.floor.findings import Differs, Findings, compared
from croupier.floor.people import (
    AccessRefused,
    PeopleFact,
    PersonEnrolled,
    PersonRemoved,
    SessionClosed,
    SessionOpened,
)
from croupier.floor.requests import (
    AdjustMeter,
    Answer,
    AtTable,
    BuyIn,
    CashOut,
    ChangeParameters,
    CloseLink,
    CloseSession,
    CollectAwards,
    EnrolPerson,
    HouseCommand,
    NoteRefusal,
    OnLink,
    OpenLink,
    OpenSession,
    OpenTable,
    RemovePerson,
    ReopenLink,
    TableConfig,
    VerifyAward,
)
from croupier.floor.tables import CASHIER, HOUSE, PEOPLE, VERSIONS, link_stream, signatures_at, table_stream
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
from croupier.jackpots.tables import Fault, enter, hand_over, next_fault, next_payment
from croupier.journal.records import Record
from croupier.journal.store import Answered, Store
from croupier.money import SGD, ZAR
from croupier.rounds.commands import (
    ChooseOption,
    CloseBets,
    CorrectCards,
    DealCards,
    DecideHand,
    ExamineHand,
    GiveRuling,
    HandleHand,
    OpenRound,
    PlaceBet,
    ProveHand,
    RefuseReveal,
    ReportIncident,
    RestrictPlayer,
    RoundCommand,
    SetJackpotMode,
    TurnCards,
    ViewHand,
    WalkAway,
    WithdrawBet,
)
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.decide import decide
from croupier.rounds.events import (
    AwardPaid,
    BetPlaced,
    BetsClosed,
    BetWithdrawn,
    CardsCorrected,
    CardsDealt,
    CardsRedealt,
    CardsTurned,
    HandDecided,
    HandExamined,
    HandHandled,
    HandProved,
    HandViewed,
    IncidentReported,
    JackpotModeSet,
    OptionChosen,
    PlayerRestricted,
    RevealRefused,
    RoundEvent,
    RoundOpened,
    RoundReopened,
    RoundSettled,
    RoundVoided,
    RulingGiven,
    WalkedAway,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round, new_table
from croupier.rulebooks.terms import Terms

ENCODE = msgspec.json.Encoder().encode
TABLE_FACTS = msgspec.json.Decoder(TableFact)
LINK_FACTS = msgspec.json.Decoder(LinkFact)
HOUSE_FACTS = msgspec.json.Decoder(TableOpened)
CASHIER_FACTS = msgspec.json.Decoder(BoughtIn | CashedOut)
PEOPLE_FACTS = msgspec.json.Decoder(PeopleFact)
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

    def __init__(self, config: TableConfig, terms: Terms, name: str, cursor: Cursor) -> None:
        self.name, self.config, self.terms, self.cursor = name, config, terms, cursor
        self.state = self.state_before = new_table(terms.boxes)
        self.decks: dict[tuple[int, int], Deck] = {}
        self.held: _Judged | None = None
        self.alone: dict[str, ReportIncident] = {}
        """Reports that were judged before the link had come as far, by command."""
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


class _Judged(msgspec.Struct):
    """What one command did at one table, judged again; nothing of it depends on the link."""

    command: RoundCommand | None
    acts: list[Act]
    state: Round
    used: int
    """How many of the command's records that explains; the rest are awards handed over."""


class Rejudging:
    """All streams side by side. A command that touched several of them is judged when each has come to it."""

    def __init__(
        self,
        store: Store,
        tables: Mapping[str, tuple[TableConfig, Terms]],
        links: Iterable[str],
        findings: Findings,
        step: Callable[[int], None],
    ) -> None:
        self.store, self.findings, self.step = store, findings, step
        self.tables = {
            name: TableTrial(config, terms, name, Cursor(store, table_stream(name), step))
            for name, (config, terms) in tables.items()
        }
        self.links = {name: LinkTrial(name, Cursor(store, link_stream(name), step)) for name in links}
        self.terms = {name: terms for name, (_, terms) in tables.items()}

    def run(self) -> None:
        """Everything, as far as it can be followed."""
        self._plain(HOUSE)
        self._plain(CASHIER)
        self._plain(PEOPLE)
        for name, link in self.links.items():
            on_it = [table for table in self.tables.values() if table.config.link == name]
            self._follow(link, on_it)
        for table in self.tables.values():
            if table.config.link is None:
                while table.at is not None:
                    self._guarded(None, [table])

    def _follow(self, link: LinkTrial, tables: Sequence[TableTrial]) -> None:
        """A link and its tables: a table goes on by itself as long as its commands leave the link alone."""
        self._guarded(link, [])
        while True:
            for table in tables:
                self._alone(link, table)
            if link.at is None:
                break
            together = [table for table in tables if table.at == link.at]
            self._guarded(link, together)
        if link.lost:
            return  # what the tables did on it can no longer be followed, and that is said already
        for table in tables:
            if table.at is not None and table.cursor.run is not None:
                first = table.cursor.run.records[0]
                self.findings.add(table.cursor.stream, first.seq, f"what follows of it is not on the link {link.name}.")

    def _alone(self, link: LinkTrial, table: TableTrial) -> None:
        while table.at is not None and link.link is not None:
            if table.at == link.at:
                return
            try:
                judged = self._judged(table)
                if judged.used < len(self._run(table.cursor).records):
                    return
                if any(self._on_link(table, judged, link.link, None)):
                    return
            except Differs as wrong:
                self._lose(wrong, None, [table])
                return
            except Exception as fault:  # noqa: BLE001  whatever a changed event makes of our own code is a finding
                self._lose(_fault(table.cursor, fault), None, [table])
                return
            self._guarded(None, [table])

    def _guarded(self, link: LinkTrial | None, tables: Sequence[TableTrial]) -> None:
        cursor = link.cursor if link is not None else tables[0].cursor
        try:
            self._together(link, tables)
        except Differs as wrong:
            self._lose(wrong, link, tables)
        except Exception as fault:  # noqa: BLE001  whatever a changed event makes of our own code is a finding
            self._lose(_fault(cursor, fault), link, tables)

    def _lose(self, wrong: Differs, link: LinkTrial | None, tables: Iterable[TableTrial]) -> None:
        self.findings.add(wrong.where, wrong.seq, wrong.what)
        if link is not None:
            link.lost = True
        for table in tables:
            table.lost = True

    # ---------------------------------------------------------------- one command

    def _together(self, link: LinkTrial | None, tables: Sequence[TableTrial]) -> None:
        """One command wherever it did something: at tables, on their link, or both."""
        told = _Told(link)
        commands: list[HouseCommand] | None = None
        if link is not None and link.link is None:
            commands = told.opened()
        elif link is not None:
            commands = told.own_fact(self.tables)
        left = {table.name: 0 for table in tables}
        self._hand_overs(told, tables, left)
        if (collected := self._faults(told, tables, left)) is not None:
            commands = collected
        fault = None if told.link is None else next_fault(told.link)
        report: RoundCommand | None = told.reported()
        asked_at: TableTrial | None = None
        for table in tables:
            asked = self._at_table(told, table, left, fault)
            if asked is not None:
                report, asked_at = asked, table
        if link is not None and told.link is not None:
            while (paid := next_payment(self.terms, told.link)) is not None:
                told.expect(paid)
            self._hand_overs(told, tables, left)
            if told.link.handovers and not self.store.is_shared:
                owed = told.link.handovers[0]
                raise Differs(told.stream, told.seq, f"what table {owed.table} won was not handed over.")
        self._nothing_left(told, tables, left)
        if link is None and isinstance(report, ReportIncident):
            # Where this was the fault of a link, the link says so later, when it has come as far.
            tables[0].alone[self._run(tables[0].cursor).command] = report
        if commands is None and report is not None:
            commands = self._askable(report, asked_at, told.name)
        self._answers(link, tables, commands)
        for table in tables:
            table.held = None
            table.cursor.advance()
        if link is not None:
            link.link = told.link
            link.cursor.advance()

    def _nothing_left(self, told: _Told, tables: Sequence[TableTrial], used: Mapping[str, int]) -> None:
        told.nothing_left()
        for table in tables:
            records = self._run(table.cursor).records
            if used[table.name] < len(records):
                extra = records[used[table.name]]
                raise Differs(extra.stream, extra.seq, f"nothing of what was asked leads to {extra.type}.")

    def _at_table(
        self, told: _Told, table: TableTrial, left: dict[str, int], fault: Fault | None
    ) -> RoundCommand | None:
        """What was asked at one table, with all that follows there and on the link."""
        judged = self._judged(table, left[table.name])
        table.state_before, table.state = table.state, judged.state
        for event in self._on_link(table, judged, told.link, fault):
            told.expect(event)
        left[table.name] = judged.used
        return judged.command

    def _faults(self, told: _Told, tables: Sequence[TableTrial], left: dict[str, int]) -> list[HouseCommand] | None:
        """Faults of the link that another server reported, carried out at this one's tables."""
        by_name = {table.name: table for table in tables}
        commands: list[HouseCommand] | None = None
        while (carried := told.carried_out_next()) is not None:
            name, fault, report = carried
            commands = [CollectAwards(link=told.name)]
            table = by_name.get(name)
            met: RoundCommand | None = None
            if table is not None:
                met = self._at_table(told, table, left, fault)
            elif name in self.tables:
                met = self.tables[name].alone.pop(told.command, None)
            if met != report:
                raise Differs(told.stream, told.seq, f"table {name} has not carried out the fault that was reported.")
        return commands

    def _hand_overs(self, told: _Told, tables: Sequence[TableTrial], used: dict[str, int]) -> None:
        """What the link had paid and its tables now hand over; `used` counts the records that this explains."""
        by_name = {table.name: table for table in tables}
        while (paid := told.handed_over_next()) is not None:
            table = by_name.get(paid.table)
            if table is None:
                raise Differs(told.stream, told.seq, f"table {paid.table} has handed nothing over.")
            records = self._run(table.cursor).records
            for event in hand_over(table.terms, table.state, paid):
                _expect(records, used[table.name], event)
                table.state = evolve(table.state, event)
                used[table.name] += 1
            told.expect(AwardsHandedOver(table=paid.table, round=paid.round))

    # ---------------------------------------------------------------- at one table

    def _judged(self, table: TableTrial, start: int = 0) -> _Judged:
        if table.held is not None and not start:
            return table.held
        records = self._run(table.cursor).records
        facts = [TABLE_FACTS.decode(VERSIONS.raised(record)) for record in records[start:]]
        judged = _Judged(None, [], table.state, start)
        if facts and not isinstance(facts[0], AwardPaid):
            command = recovered(facts, virtual=not table.config.physical)
            if command is None:
                first = records[start]
                raise Differs(first.stream, first.seq, f"no command begins with {first.type}.")
            judged.command = command
            self._act(table, judged, records, command)
            while (work := dealers_work(table.terms, judged.state)) is not None:
                if table.config.physical and isinstance(work, CardsToTurn | DealCards):
                    break
                todo: RoundCommand
                if isinstance(work, CardsToTurn):
                    todo = TurnCards(cards={p: self._cards(table, judged.state, o) for p, o in work.places.items()})
                else:
                    todo = work
                self._act(table, judged, records, todo)
        if not start:
            table.held = judged
        return judged

    def _act(self, table: TableTrial, judged: _Judged, records: Sequence[Record], command: RoundCommand) -> None:
        if isinstance(command, ExamineHand) and not table.config.physical:
            seen = self._cards(table, judged.state, judged.state.ordinals(str(command.box)))
            command = replace(command, cards=seen)
        verdict = decide(table.terms, judged.state, command)
        if isinstance(verdict, Refusal):
            seq = records[min(judged.used, len(records) - 1)].seq
            raise Differs(table.cursor.stream, seq, f"{type(command).__name__} is refused: {verdict.message}")
        judged.acts.append((judged.state, verdict))
        for event in verdict:
            _expect(records, judged.used, event)
            judged.used += 1
            judged.state = evolve(judged.state, event)
            if not table.config.physical:
                self._deck_facts(table, judged, records, event)

    def _deck_facts(self, table: TableTrial, judged: _Judged, records: Sequence[Record], event: RoundEvent) -> None:
        number, deals = judged.state.number, judged.state.deals
        if isinstance(event, RoundOpened | CardsRedealt):
            deck = self._deck(table, number, deals)
            _expect(records, judged.used, DeckCommitted(round=number, deal=deals, commitment=deck.commitment))
            judged.used += 1
        elif isinstance(event, RoundSettled | RoundVoided):
            for deal in range(deals + 1):
                deck = self._deck(table, number, deal)
                _expect(records, judged.used, DeckOpened(round=number, deal=deal, deck=deck.cards, salt=deck.salt))
                judged.used += 1

    def _deck(self, table: TableTrial, number: int, deal: int) -> Deck:
        if (number, deal) not in table.decks:
            if not deal:
                table.decks.clear()
            sealed = self.store.deck(table.name, number, deal)
            if sealed is None:
                first = self._run(table.cursor).records[0]
                raise Differs(first.stream, first.seq, f"there is no deck of round {number}, deal {deal}.")
            table.decks[number, deal] = unsealed(sealed)
        return table.decks[number, deal]

    def _cards(self, table: TableTrial, state: Round, ordinals: tuple[int, ...]) -> tuple[Card, ...]:
        shoe = self._deck(table, state.number, state.deals).shoe
        return tuple(shoe[i] for i in ordinals)

    def _on_link(
        self, table: TableTrial, judged: _Judged, link: Link | None, fault: Fault | None
    ) -> Iterator[AnyLinkEvent]:
        """What a command at a table means for its link."""
        for number, (state, verdict) in enumerate(judged.acts):
            signatures = signatures_at(table.config)
            entered = enter(table.terms, table.name, state, link, verdict, None if number else fault, signatures)
            link = entered.link
            yield from entered.link_events

    def _run(self, cursor: Cursor) -> Run:
        assert cursor.run is not None, "somebody stands before this command"
        return cursor.run

    def _askable(self, command: RoundCommand, table: TableTrial | None, link: str) -> list[HouseCommand] | None:
        """All the ways in which what was judged may have been asked; None where events do not keep all of it."""
        match command:
            case ReportIncident() if link := link or (table is not None and table.config.link) or "":
                reached = [other.name for other in self.tables.values() if other.config.link == link]
                at_one = [AtTable(table=name, command=command) for name in reached]
                return [OnLink(link=link, report=command), *at_one, CollectAwards(link=link)]
            case _ if table is None:
                return None
            case GiveRuling() if not _was_awaited(table.state_before, command):
                return None  # a ruling that nobody asked for keeps only what it needs
            case ExamineHand():
                looks = [replace(command, cards=()), command]
                return [AtTable(table=table.name, command=look) for look in looks]
            case DecideHand(box=box, choice=choice, amount=amount):
                ways = product((None, amount), (True, False))
                decided = [DecideHand(box=box, choice=choice, amount=a, noticed=noticed) for a, noticed in ways]
                return [AtTable(table=table.name, command=way) for way in decided]
            case _:
                return [AtTable(table=table.name, command=command)]

    # ---------------------------------------------------------------- streams that stand for themselves

    def _plain(self, stream: str) -> None:
        cursor = Cursor(self.store, stream, self.step)
        while (run := cursor.run) is not None:
            try:
                self._answer(cursor, run, _asked_plainly(stream, run.records[0]))
            except Differs as wrong:
                self.findings.add(wrong.where, wrong.seq, wrong.what)
            except Exception as fault:  # noqa: BLE001  whatever a changed event makes of our own code is a finding
                self.findings.add(stream, run.records[0].seq, _fault(cursor, fault).what)
            cursor.advance()

    # ---------------------------------------------------------------- answers

    def _answers(
        self, link: LinkTrial | None, tables: Iterable[TableTrial], commands: Sequence[HouseCommand] | None
    ) -> None:
        for cursor in (*(table.cursor for table in tables), *((link.cursor,) if link is not None else ())):
            self._answer(cursor, self._run(cursor), commands)

    def _answer(self, cursor: Cursor, run: Run, commands: Sequence[HouseCommand] | None) -> None:
        """The command was answered as accepted, with this stream where it left it, and was asked as it was judged."""
        last = run.records[-1]
        if run.answer is None:
            raise Differs(cursor.stream, last.seq, f"its command {run.command} was never answered.")
        answer = _ANSWER.decode(run.answer.answer)
        if not answer.accepted or answer.heads.get(cursor.stream) != last.seq:
            raise Differs(cursor.stream, last.seq, f"the answer to {run.command} does not say that it went so far.")
        if commands and all(hashlib.sha256(ENCODE(command)).digest() != run.answer.body for command in commands):
            asked = type(commands[0]).__name__
            raise Differs(cursor.stream, run.records[0].seq, f"{asked} of {run.command} is not what was asked.")


class _Told:
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
        _expect(self.records, self.at, event)
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


def _fault(cursor: Cursor, fault: Exception) -> Differs:
    seq = cursor.run.records[0].seq if cursor.run is not None else 0
    return Differs(cursor.stream, seq, f"it cannot be judged again: {type(fault).__name__}: {fault}.")


def _expect(records: Sequence[Record], index: int, event: msgspec.Struct) -> None:
    """The record at this place is this event, byte for byte."""
    if index >= len(records):
        stream, seq = (records[-1].stream, records[-1].seq) if records else ("", 0)
        raise Differs(stream, seq, f"{type(event).__name__} should follow in the same command, and does not.")
    record = records[index]
    if record.data != ENCODE(event) and VERSIONS.raised(record) != ENCODE(event):
        raise Differs(record.stream, record.seq, compared(record.data, event))


# ---------------------------------------------------------------- from events back to what was asked


def recovered(facts: Sequence[TableFact], *, virtual: bool) -> RoundCommand | None:  # noqa: C901, PLR0912  one match
    """The command that began with these events; None where none does."""
    corrected = next((fact for fact in facts[:2] if isinstance(fact, CardsCorrected)), None)
    if corrected is not None and (facts[0] is corrected or isinstance(facts[0], RoundReopened)):
        c = corrected
        return CorrectCards(by=c.by, who=c.who, second=c.second, cards=c.cards)
    match facts[0]:
        case RoundOpened():
            return OpenRound()
        case BetPlaced(player=player, box=box, bet=bet, amount=amount, noticed=noticed, by=by):
            return PlaceBet(player=player, box=box, bet=bet, amount=amount, noticed=noticed, by=by)
        case BetWithdrawn(player=player, box=box, bet=bet):
            return WithdrawBet(player=player, box=box, bet=bet)
        case BetsClosed():
            return CloseBets()
        case HandDecided(box=box, choice=choice, parts=parts, deemed=False):
            # Whether a wrong amount was noticed is not on record: noticed, it would have been refused.
            amount_or_none = sum(part.amount for part in parts) or None
            return DecideHand(box=box, choice=choice, amount=amount_or_none, noticed=False)
        case HandExamined(box=box, player=player, noticed=noticed, cards=cards):
            return ExamineHand(player=player, box=box, noticed=noticed, cards=cards)
        case HandHandled(box=box, player=player):
            return HandleHand(player=player, box=box)
        case WalkedAway(player=player):
            return WalkAway(player=player)
        case RevealRefused(box=box):
            return RefuseReveal(box=box)
        case HandProved(box=box):
            return ProveHand(box=box)
        case HandViewed(box=box, by=by_role):
            return ViewHand(by=by_role, box=box)
        case PlayerRestricted(player=player, by=by_role):
            return RestrictPlayer(by=by_role, player=player)
        case IncidentReported(report=report):
            return report
        case OptionChosen(box=box, option=option):
            return ChooseOption(box=box, option=option)
        case RulingGiven() as given:
            return _ruling(given)
        case RoundReopened() if len(facts) > 1 and isinstance(facts[1], RulingGiven):
            return _ruling(facts[1])
        case JackpotModeSet(by=by_role, mode=mode, box=box_or_none):
            return SetJackpotMode(by=by_role, mode=mode, box=box_or_none)
        case CardsDealt() if not virtual:
            return DealCards()
        case CardsTurned(cards=turned) if not virtual:
            return TurnCards(cards=turned)
        case _:
            return None


def _ruling(given: RulingGiven) -> GiveRuling:
    return GiveRuling(
        by=given.by,
        decision=given.decision,
        boxes=given.boxes,
        player=given.player,
        who=given.who,
        text=given.text,
    )


def _was_awaited(state: Round, ruling: GiveRuling) -> bool:
    return any(asked.role is not None and ruling.decision in asked.decisions for asked in state.awaiting)


def _asked_plainly(stream: str, record: Record) -> list[HouseCommand]:
    data = VERSIONS.raised(record)
    if stream == HOUSE:
        opened = HOUSE_FACTS.decode(data)
        # A table on a link takes the link's currency, whatever was asked.
        asked = [replace(opened.config, currency=code) for code in (opened.config.currency, None, SGD.code, ZAR.code)]
        return [OpenTable(table=opened.table, config=config) for config in asked]
    if stream == CASHIER:
        fact = CASHIER_FACTS.decode(data)
        kind = BuyIn if isinstance(fact, BoughtIn) else CashOut
        return [kind(player=fact.player, amount=fact.amount)]
    known = PEOPLE_FACTS.decode(data)
    match known:
        case PersonEnrolled(name=name, post=post, secret=secret):
            return [EnrolPerson(name=name, post=post, secret=secret)]
        case PersonRemoved(name=name):
            return [RemovePerson(name=name)]
        case SessionOpened(person=person, token_hash=token_hash, csrf=csrf):
            return [OpenSession(person=person, token_hash=token_hash, csrf=csrf)]
        case SessionClosed(token_hash=token_hash):
            return [CloseSession(token_hash=token_hash)]
        case AccessRefused(person=person, action=action, what=what):
            return [NoteRefusal(person=person, action=action, what=what)]
        case _:
            assert_never(known)
