"""Every command judged again: its facts are recovered from the events, and everything that follows from them must be
what stands in the journal, at the tables and on their links.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product

from msgspec.structs import replace

from croupier.cards import Card
from croupier.floor.decks import Deck, unsealed
from croupier.floor.facts import DeckCommitted, DeckOpened, TableOpened
from croupier.floor.findings import Differs, Findings
from croupier.floor.following import (
    ENCODE,
    HOUSE_FACTS,
    TABLE_FACTS,
    Cursor,
    Judged,
    LinkTrial,
    Run,
    TableTrial,
    Told,
    as_finding,
    expect,
)
from croupier.floor.histories import History
from croupier.floor.recalling import Recalling
from croupier.floor.recovering import asked_plainly, recovered, was_awaited
from croupier.floor.requests import (
    AtTable,
    CollectAwards,
    HouseCommand,
    OnLink,
)
from croupier.floor.tables import CASHIER, HOUSE, PEOPLE, VERSIONS, gaming_day, link_stream, signatures_at, table_stream
from croupier.jackpots.link import (
    AnyLinkEvent,
    AwardsHandedOver,
    Link,
)
from croupier.jackpots.tables import Fault, enter, hand_over, next_fault, next_payment
from croupier.journal.records import Record
from croupier.journal.store import Store
from croupier.rounds.commands import (
    DealCards,
    DecideHand,
    ExamineHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    TurnCards,
)
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.decide import decide
from croupier.rounds.events import (
    AwardPaid,
    CardsRedealt,
    RoundEvent,
    RoundOpened,
    RoundSettled,
    RoundVoided,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round


class Rejudging:
    """All streams side by side. A command that touched several of them is judged when each has come to it."""

    def __init__(
        self,
        store: Store,
        tables: Mapping[str, History],
        links: Iterable[str],
        findings: Findings,
        step: Callable[[int], None],
    ) -> None:
        self.store, self.findings, self.step = store, findings, step
        self.tables = {
            name: TableTrial(history, name, Cursor(store, table_stream(name), step)) for name, history in tables.items()
        }
        self.links = {name: LinkTrial(name, Cursor(store, link_stream(name), step)) for name in links}
        self.terms = {name: history.terms for name, history in tables.items()}
        self.memory = Recalling(store, step)

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
        for table in self.tables.values():
            if not table.lost:
                self._changed_when(table)
        if not any(table.lost for table in self.tables.values()):
            self.memory.finish(self.findings)

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
                if self._run(table.cursor).moved(link.cursor.stream):
                    return  # its turn comes when the link has come to it
                judged = self._judged(table)
                if judged.used < len(self._run(table.cursor).records):
                    return
                if any(self._on_link(table, judged, link.link, None)):
                    return
            except Differs as wrong:
                self._lose(wrong, None, [table])
                return
            except Exception as fault:  # noqa: BLE001  whatever a changed event makes of our own code is a finding
                self._lose(as_finding(table.cursor, fault), None, [table])
                return
            self._guarded(None, [table])

    def _guarded(self, link: LinkTrial | None, tables: Sequence[TableTrial]) -> None:
        cursor = link.cursor if link is not None else tables[0].cursor
        try:
            self._together(link, tables)
        except Differs as wrong:
            self._lose(wrong, link, tables)
        except Exception as fault:  # noqa: BLE001  whatever a changed event makes of our own code is a finding
            self._lose(as_finding(cursor, fault), link, tables)

    def _lose(self, wrong: Differs, link: LinkTrial | None, tables: Iterable[TableTrial]) -> None:
        self.findings.add(wrong.where, wrong.seq, wrong.what)
        if link is not None:
            link.lost = True
        for table in tables:
            table.lost = True

    # ---------------------------------------------------------------- one command

    def _together(self, link: LinkTrial | None, tables: Sequence[TableTrial]) -> None:
        """One command wherever it did something: at tables, on their link, or both."""
        told = Told(link)
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

    def _nothing_left(self, told: Told, tables: Sequence[TableTrial], used: Mapping[str, int]) -> None:
        told.nothing_left()
        for table in tables:
            records = self._run(table.cursor).records
            if used[table.name] < len(records):
                extra = records[used[table.name]]
                raise Differs(extra.stream, extra.seq, f"nothing of what was asked leads to {extra.type}.")

    def _at_table(
        self, told: Told, table: TableTrial, left: dict[str, int], fault: Fault | None
    ) -> RoundCommand | None:
        """What was asked at one table, with all that follows there and on the link."""
        judged = self._judged(table, left[table.name])
        self.memory.check(table, self._run(table.cursor), judged)
        table.state_before, table.state = table.state, judged.state
        for event in self._on_link(table, judged, told.link, fault):
            told.expect(event)
        left[table.name] = judged.used
        return judged.command

    def _faults(self, told: Told, tables: Sequence[TableTrial], left: dict[str, int]) -> list[HouseCommand] | None:
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

    def _hand_overs(self, told: Told, tables: Sequence[TableTrial], used: dict[str, int]) -> None:
        """What the link had paid and its tables now hand over; `used` counts the records that this explains."""
        by_name = {table.name: table for table in tables}
        while (paid := told.handed_over_next()) is not None:
            table = by_name.get(paid.table)
            if table is None:
                raise Differs(told.stream, told.seq, f"table {paid.table} has handed nothing over.")
            records = self._run(table.cursor).records
            for event in hand_over(table.terms, table.state, paid):
                expect(records, used[table.name], event)
                table.state = evolve(table.state, event)
                used[table.name] += 1
            told.expect(AwardsHandedOver(table=paid.table, round=paid.round))

    # ---------------------------------------------------------------- at one table

    def _judged(self, table: TableTrial, start: int = 0) -> Judged:
        if table.held is not None and not start:
            return table.held
        records = self._run(table.cursor).records
        facts = [TABLE_FACTS.decode(VERSIONS.raised(record)) for record in records[start:]]
        judged = Judged(None, [], table.state, start)
        if facts and not isinstance(facts[0], AwardPaid):
            command = recovered(facts, virtual=not table.config.physical)
            if command is None:
                first = records[start]
                raise Differs(first.stream, first.seq, f"no command begins with {first.type}.")
            judged.command = command
            if isinstance(command, OpenRound):
                self._begin(table, records[start], command)
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

    def _begin(self, table: TableTrial, first: Record, command: OpenRound) -> None:
        """A Round begins on the terms that the pit has set for it, at a table that is open, on the day that it is."""
        number = table.state.number + 1
        if command.day not in (0, gaming_day(first.at)):
            raise Differs(first.stream, first.seq, f"round {number} says another gaming day than that of its moment.")
        self._changed_when(table, first.seq)
        if not table.history.may_begin(number):
            raise Differs(first.stream, first.seq, f"round {number} begins at a table that is closed.")
        _, table.terms = table.history.on_which(number)

    def _act(self, table: TableTrial, judged: Judged, records: Sequence[Record], command: RoundCommand) -> None:
        if isinstance(command, ExamineHand) and not table.config.physical:
            seen = self._cards(table, judged.state, judged.state.ordinals(str(command.box)))
            command = replace(command, cards=seen)
        verdict = decide(table.terms, judged.state, command)
        if isinstance(verdict, Refusal):
            seq = records[min(judged.used, len(records) - 1)].seq
            raise Differs(table.cursor.stream, seq, f"{type(command).__name__} is refused: {verdict.message}")
        judged.acts.append((judged.state, verdict))
        for event in verdict:
            expect(records, judged.used, event)
            judged.used += 1
            judged.state = evolve(judged.state, event)
            if not table.config.physical:
                self._deck_facts(table, judged, records, event)

    def _deck_facts(self, table: TableTrial, judged: Judged, records: Sequence[Record], event: RoundEvent) -> None:
        number, deals = judged.state.number, judged.state.deals
        if isinstance(event, RoundOpened | CardsRedealt):
            deck = self._deck(table, number, deals)
            expect(records, judged.used, DeckCommitted(round=number, deal=deals, commitment=deck.commitment))
            judged.used += 1
        elif isinstance(event, RoundSettled | RoundVoided):
            for deal in range(deals + 1):
                deck = self._deck(table, number, deal)
                expect(records, judged.used, DeckOpened(round=number, deal=deal, deck=deck.cards, salt=deck.salt))
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
        self, table: TableTrial, judged: Judged, link: Link | None, fault: Fault | None
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
            case GiveRuling() if not was_awaited(table.state_before, command):
                return None  # a ruling that nobody asked for keeps only what it needs
            case OpenRound():
                return [AtTable(table=table.name, command=OpenRound())]  # which day it is, the house adds itself
            case PlaceBet():
                return [AtTable(table=table.name, command=replace(command, remembered=False))]
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
                self._answer(cursor, run, asked_plainly(stream, run.records[0]))
                if stream == HOUSE:
                    self._note_change(run)
            except Differs as wrong:
                self.findings.add(wrong.where, wrong.seq, wrong.what)
            except Exception as fault:  # noqa: BLE001  whatever a changed event makes of our own code is a finding
                self.findings.add(stream, run.records[0].seq, as_finding(cursor, fault).what)
            cursor.advance()

    def _note_change(self, run: Run) -> None:
        """Where a table stood when the pit changed something is in the answer; it is looked at when it gets there."""
        record = run.records[0]
        fact = HOUSE_FACTS.decode(VERSIONS.raised(record))
        if isinstance(fact, TableOpened) or run.said is None:
            return
        stood = run.said.stood.get(table_stream(fact.table))
        if stood is None or fact.table not in self.tables:
            raise Differs(HOUSE, record.seq, f"the answer to {run.command} does not say where the table stood.")
        self.tables[fact.table].changed.append((stood, fact.after, record.seq))

    def _changed_when(self, table: TableTrial, before: int | None = None) -> None:
        """What was changed up to here was changed after the Round that it names."""
        while table.changed and (before is None or table.changed[0][0] < before):
            _, after, seq = table.changed.pop(0)
            if after != table.state.number:
                played = f"table {table.name} was changed after round {table.state.number}, not after round {after}."
                self.findings.add(HOUSE, seq, played)

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
        answer = run.said
        if answer is None or not answer.accepted or answer.heads.get(cursor.stream) != last.seq:
            raise Differs(cursor.stream, last.seq, f"the answer to {run.command} does not say that it went so far.")
        if commands and all(hashlib.sha256(ENCODE(command)).digest() != run.answer.body for command in commands):
            asked = type(commands[0]).__name__
            raise Differs(cursor.stream, run.records[0].seq, f"{asked} of {run.command} is not what was asked.")
