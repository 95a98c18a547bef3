"""Rejudgement: every command is judged again by the functions of the house, and its events must be those in the
journal, at the tables and on their links.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from croupier.cards import BadCard, Card
from croupier.floor.audit.cursors import Cursor, Judged, LinkRun, LinkTrial, Run, TableTrial, as_finding, expect
from croupier.floor.audit.duty_check import DutyCheck
from croupier.floor.audit.findings import Differs, Findings
from croupier.floor.audit.first_release import FirstRelease, VerifyAward
from croupier.floor.audit.limit_check import OF_OTHER_COMMANDS, was_asked
from croupier.floor.audit.memory_check import MemoryCheck
from croupier.floor.audit.recovered_commands import possible_commands
from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.records.codec import ANSWER, encode, house_fact, people_fact, table_fact
from croupier.floor.records.commands import AtTable, CollectAwards, HouseCommand, OnLink, OpenLink, OpenTable
from croupier.floor.records.committed_decks import Deck, DeckPlace, ShownDeck, is_sealed, opened_deck
from croupier.floor.records.examined_hands import TableReader, as_recorded
from croupier.floor.records.facts import (
    DeckCommitted,
    DeckOpened,
    EditionCancelled,
    EditionScheduled,
    LinkOpened,
    TableArchived,
    TableFact,
    TableOpened,
)
from croupier.floor.records.keys import NO_KEYS, BadKeys, Keys
from croupier.floor.records.streams import CASHIER, HOUSE, PEOPLE, link_stream, table_stream
from croupier.floor.records.tables import gaming_day, signatures_at
from croupier.floor.records.upcasters import VERSIONS
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, LinkAsked, ReopenLink
from croupier.jackpots.decide import decide_link, due
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.jackpots.linked_tables import AtLink, Fault, judge, next_fault, spreads
from croupier.journal.records import Record
from croupier.journal.store import Store, Wanted
from croupier.rounds.commands import (
    Confirming,
    DealCards,
    ExamineHand,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    TurnCards,
)
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.events import (
    BetPlaced,
    CardsDealt,
    CardsRedealt,
    CardsTurned,
    HandExamined,
    RoundEvent,
    RoundOpened,
    RoundSettled,
    RoundVoided,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import Place

_OF_THE_LINK_ALONE = (OpenLink, CloseLink, ReopenLink, ChangeParameters, AdjustMeter)
"""Commands that concern a link and no table."""

_LOOKS_BY_PLACE = 3
"""The version since which a look names places of the deck; earlier ones held cards and a salt."""


class NotAlone(Exception):
    """A command that left its link alone would do something there as the link stands now: an award that was locked in
    between may have taken what it would take back.
    """


class Rejudgement:
    """Follows all streams side by side; a command that touched several is judged when each has reached it."""

    def __init__(
        self,
        store: Store,
        tables: Mapping[str, TermsHistory],
        links: Mapping[str, Link | None],
        findings: Findings,
        step: Callable[[int], None],
        starts: Mapping[str, TableArchived],
        keys: Keys = NO_KEYS,
    ) -> None:
        """`starts` are the tables whose first records are in archives that nobody has given, `keys` open decks in
        play.
        """
        self.store, self.findings, self.step, self.keys = store, findings, step, keys
        self.tables: dict[str, TableTrial] = {}
        for name, history in tables.items():
            start = starts.get(name)
            cursor = Cursor(store, table_stream(name), step, 0 if start is None else start.seq)
            self.tables[name] = TableTrial(history, name, cursor, start)
        self.links = {name: LinkTrial(name, Cursor(store, link_stream(name), step)) for name in links}
        self.currencies = {name: link.parameters.currency for name, link in links.items() if link is not None}
        self.memory = MemoryCheck(store, step)
        self.duties = DutyCheck(store)
        self.unjudged: dict[tuple[str, str], list[int]] = {}
        """Rounds whose rulebook is not installed as it was, by table and reason."""
        self._first_release = FirstRelease(self)

    def run(self) -> None:
        """Judge every command again, as far as the streams can be followed."""
        self._plain(HOUSE)
        self._plain(CASHIER)
        self._plain(PEOPLE)
        for name, link in self.links.items():
            self._follow(link, self.tables_on(name))
        for table in self.tables.values():
            if table.config.link is None:
                while table.at is not None:
                    self._guarded(None, [table])
        for table in self.tables.values():
            if not table.lost:
                self._changed_when(table)
        self._say_unjudged()
        if not any(table.lost for table in self.tables.values()):
            self.memory.finish(self.findings, self._has_left)

    def _has_left(self, command: str) -> bool:
        """Return whether the records of this command at a table are in an archive that was not given."""
        starts = {table.cursor.stream: table.start.seq for table in self.tables.values() if table.start is not None}
        answered = self.store.answers([command]).get(command) if starts else None
        if answered is None:
            return False
        heads = ANSWER.decode(answered.answer).heads
        return any(heads.get(stream, seq + 1) <= seq for stream, seq in starts.items())

    def tables_on(self, link: str) -> list[TableTrial]:
        return [table for table in self.tables.values() if table.config.link == link]

    def terms_of(self, link: str, name: str) -> Terms | None:
        """Return the terms of a table of this link."""
        table = self.tables.get(name)
        return table.terms if table is not None and table.config.link == link else None

    def _follow(self, link: LinkTrial, tables: Sequence[TableTrial]) -> None:
        """Follow a link and its tables; a table goes on by itself while its commands leave the link alone."""
        link.unjudged = max((table.start.link_seq for table in tables if table.start is not None), default=0)
        self._guarded(link, [])
        place = {table.name: at for at, table in enumerate(tables)}
        asked: Sequence[TableTrial] = tables
        held: dict[str, list[TableTrial]] = {}  # by command: tables that the link has yet to come to
        while True:
            free = []
            for table in asked:
                self._alone(link, table)
                if table.at is not None and self._awaits(link, table):
                    held.setdefault(table.at, []).append(table)
                elif table.at is not None:
                    free.append(table)  # it may go on when the link has
            if link.at is None:
                break
            together = sorted(held.pop(link.at, ()), key=lambda table: place[table.name])
            self._guarded(link, together)
            asked = sorted((*free, *together), key=lambda table: place[table.name])
        if link.lost:
            return  # what the tables did on it can no longer be followed, and that is said already
        for table in tables:
            if table.at is not None and table.cursor.run is not None:
                first = table.cursor.run.records[0]
                self.findings.add(table.cursor.stream, first.seq, f"what follows of it is not on the link {link.name}.")

    def _awaits(self, link: LinkTrial, table: TableTrial) -> bool:
        """Return whether a table stands before a command that it can only judge together with the link."""
        return table.at == link.at or run_of(table.cursor).moved(link.cursor.stream)

    def _alone(self, link: LinkTrial, table: TableTrial) -> None:
        """Judge commands that leave the link alone; one that read it waits until the link has come as far."""
        while table.at is not None and link.link is not None and table.at != link.at:
            run = run_of(table.cursor)
            stood = None if run.said is None else run.said.stood.get(link.cursor.stream)
            if run.moved(link.cursor.stream) or (stood is not None and stood > link.seq):
                return
            try:
                self._guarded(None, [table], beside=link)
            except NotAlone:
                return  # the link has still to come to where this command left it alone

    def _guarded(self, link: LinkTrial | None, tables: Sequence[TableTrial], beside: LinkTrial | None = None) -> None:
        cursor = link.cursor if link is not None else tables[0].cursor
        try:
            self._together(link, tables, beside)
        except NotAlone:
            raise
        except Differs as wrong:
            self.lose(wrong, link, tables)
        except Exception as fault:  # noqa: BLE001  whatever a changed event makes of our own code is a finding
            self.lose(as_finding(cursor, fault), link, tables)

    def lose(self, wrong: Differs, link: LinkTrial | None, tables: Iterable[TableTrial]) -> None:
        """Report a difference, and stop following these streams."""
        self.findings.add(wrong.where, wrong.seq, wrong.what)
        if link is not None:
            link.lost = True
        for table in tables:
            table.lost = True

    # ---------------------------------------------------------------- one command

    def _together(self, link: LinkTrial | None, tables: Sequence[TableTrial], beside: LinkTrial | None) -> None:
        """Judge one command at its tables, on their link, or both."""
        if (link is not None and self._is_unjudged(link)) or self._lacks_rulebook(link, tables):
            self._follow_only(link, tables)
            return
        told, used = LinkRun(link), {table.name: 0 for table in tables}
        cursors = [*(table.cursor for table in tables), *((link.cursor,) if link is not None else ())]
        asked = run_of(cursors[0]).asked
        commands: Sequence[HouseCommand | VerifyAward] | None = None
        if asked is None:
            commands = self._first_release.judge(told, tables, used, None if beside is None else beside.link)
        else:
            self._asked(told, tables, used, asked, None if beside is None else beside.link)
        told.nothing_left()
        for table in tables:
            records = run_of(table.cursor).records
            if used[table.name] < len(records):
                extra = records[used[table.name]]
                raise Differs(extra.stream, extra.seq, f"nothing of what was asked leads to {extra.type}.")
        for table in tables:
            self._note_link(table)
        for cursor in cursors:
            self._answer(cursor, run_of(cursor), commands)
            cursor.advance()
        if link is not None:
            link.link = told.link

    def _is_unjudged(self, link: LinkTrial) -> bool:
        """Return whether a command is from before the first records of the link's tables and concerns them."""
        run = run_of(link.cursor)
        return run.records[0].seq <= link.unjudged and not isinstance(run.asked, _OF_THE_LINK_ALONE)

    def _lacks_rulebook(self, link: LinkTrial | None, tables: Sequence[TableTrial]) -> bool:
        """Return whether a command concerns a Round whose rulebook is not installed as it was; note such Rounds."""
        for table in tables:
            first = run_of(table.cursor).records[0]
            terms, number = table.terms, table.state.number + 1
            begins = first.type == RoundOpened.__name__
            if begins:
                _, terms = table.history.on_which(number, first.at)
            if terms.missing:
                if begins:
                    self.unjudged.setdefault((table.name, terms.missing), []).append(number)
                return True
        cases = () if link is None or link.link is None or tables else link.link.open_cases
        return any(case.table in self.tables and self.tables[case.table].terms.missing for case in cases)

    def _say_unjudged(self) -> None:
        for (name, why), rounds in self.unjudged.items():
            which = f"round {rounds[0]}" if len(rounds) == 1 else f"{len(rounds)} rounds, {rounds[0]} to {rounds[-1]},"
            self.findings.add(table_stream(name), 0, f"{which} could not be judged again. {why}")

    def _note_link(self, table: TableTrial) -> None:
        """Check the position of the link that was written down when records of this table left."""
        if table.config.link is None or not table.history.archived:
            return
        run, stream = run_of(table.cursor), link_stream(table.config.link)
        last = run.records[-1]
        heads, stood = ({}, {}) if run.said is None else (run.said.heads, run.said.stood)
        if table.start is not None and (
            heads.get(stream, table.start.link_seq + 1) <= table.start.link_seq
            or stood.get(stream, table.start.link_seq) < table.start.link_seq
        ):
            said = f"when records before it were archived, the link had come to {table.start.link_seq}."
            raise Differs(table.cursor.stream, last.seq, said)
        table.link_seen = max(table.link_seen, heads.get(stream, 0), stood.get(stream, 0))
        for cut in table.history.archived:
            if cut.seq == last.seq:
                if cut.link_seq != table.link_seen:
                    said = f"when it was archived, the link had come to {table.link_seen}, not to {cut.link_seq}."
                    raise Differs(table.cursor.stream, last.seq, said)
                table.link_seen = 0

    def _follow_only(self, link: LinkTrial | None, tables: Sequence[TableTrial]) -> None:
        """Enter a command without judging it: its tables' records are in an archive, or their rulebook is not here."""
        for table in tables:
            run, reader = run_of(table.cursor), TableReader(self.store, table.name, self.keys)
            for record in run.records:
                if record.type == RoundOpened.__name__:
                    self._begin(table, record)
                fact = reader.fact(record)
                if not isinstance(fact, DeckCommitted | DeckOpened):
                    table.state = evolve(table.state, fact)
            table.state_before = table.state
            self.memory.pass_over(run.command)
            self._note_link(table)
        cursors = [table.cursor for table in tables]
        if link is not None:
            for told in LinkRun(link).facts:
                if isinstance(told, LinkOpened):
                    link.link = new_link(told.meter, told.parameters)
                elif link.link is not None:
                    link.link = evolve_link(link.link, told)
            cursors.append(link.cursor)
        for cursor in cursors:
            self._answer(cursor, run_of(cursor), None)
            cursor.advance()

    def _asked(
        self,
        told: LinkRun,
        tables: Sequence[TableTrial],
        used: dict[str, int],
        asked: HouseCommand,
        beside: Link | None,
    ) -> None:
        by_name = {table.name: table for table in tables}
        match asked:
            case AtTable(table=name, command=command) if name in by_name and not self._spreads(by_name[name], command):
                self.at_table(told, by_name[name], used, command, beside=beside)
            case AtTable(command=ReportIncident() as report) | OnLink(report=report):
                self._everywhere(told, by_name, used, report, beside)
            case CollectAwards():
                while (carried := told.carried_out_next()) is not None:
                    name, fault, report = carried
                    self.at_table(told, self._met(told, by_name, name), used, report, fault)
                self._due(told)
            case OpenLink():
                if told.opened() != asked:
                    raise Differs(told.stream, told.seq, "the link is not opened as was asked.")
                opened = LinkOpened(meter=asked.meter, parameters=asked.parameters, by=asked.by, second=asked.second)
                if why := self.duties.link(opened, told.records[0].at):
                    raise Differs(told.stream, told.seq, why)
            case LinkAsked() if told.link is not None:
                verdict = decide_link(lambda name: self.terms_of(told.name, name), told.link, asked)
                if isinstance(verdict, Refusal):
                    raise Differs(told.stream, told.seq, f"{type(asked).__name__} is refused: {verdict.message}")
                told.expect(*verdict)
            case _:
                pass  # no record here follows from it, and the caller reports that next

    def _spreads(self, table: TableTrial, command: RoundCommand) -> bool:
        return table.config.link is not None and spreads(table.terms, command)

    def _everywhere(
        self,
        told: LinkRun,
        by_name: Mapping[str, TableTrial],
        used: dict[str, int],
        report: ReportIncident,
        beside: Link | None,
    ) -> None:
        """Judge a fault of the whole link at every table of the server that took the report."""
        link = told.link or beside
        fault = None if link is None else next_fault(link)
        if told.link is None:
            for table in by_name.values():
                self.at_table(told, table, used, report, fault, beside=beside)
            return
        reported = told.reported()
        if reported is not None and reported.report != report:
            raise Differs(told.stream, told.seq, "the other tables received another fault than the one reported.")
        for table in self.tables_on(told.name):
            if reported is None or table.name not in reported.tables:
                self.at_table(told, self._met(told, by_name, table.name), used, report, fault)
        self._due(told)

    def _met(self, told: LinkRun, by_name: Mapping[str, TableTrial], name: str) -> TableTrial:
        if name not in by_name:
            raise Differs(told.stream, told.seq, f"table {name} has not carried out the fault that was reported.")
        return by_name[name]

    def _due(self, told: LinkRun) -> None:
        if told.link is not None:
            told.expect(*due(lambda name: self.terms_of(told.name, name), told.link))

    # ---------------------------------------------------------------- at one table

    def at_table(
        self,
        told: LinkRun,
        table: TableTrial,
        used: dict[str, int],
        command: RoundCommand,
        fault: Fault | None = None,
        *,
        beside: Link | None = None,
        first_release: bool = False,
    ) -> Judged:
        """Judge a command at one table, with the Dealer's own work and all that follows there and on the link."""
        run = run_of(table.cursor)
        judged = Judged(command, [], table.state, used[table.name])
        judged.command = self._completed(table, run, judged, command)
        self._act(told, table, judged, judged.command, fault, beside=beside, first_release=first_release)
        while (work := dealers_work(table.terms, judged.state)) is not None:
            if table.config.physical and isinstance(work, CardsToTurn | DealCards):
                break
            todo: RoundCommand
            if isinstance(work, CardsToTurn):
                todo = TurnCards(cards={p: self._cards(table, judged.state, o) for p, o in work.places.items()})
            else:
                todo = work
            follows = fault is None
            self._act(told, table, judged, todo, beside=beside, follows=follows, first_release=first_release)
        self.memory.check(table, run, judged)
        table.state_before, table.state = table.state, judged.state
        used[table.name] = judged.used
        return judged

    def _completed(self, table: TableTrial, run: Run, judged: Judged, command: RoundCommand) -> RoundCommand:
        """Add to a command what the house adds: the gaming day, the cards that a player sees, what it remembers."""
        first = run.records[min(judged.used, len(run.records) - 1)]
        match command:
            case OpenRound():
                confirms = self._begin(table, first)
                day = gaming_day(first.at) if table.terms.book.limiting.under_once else 0
                return OpenRound(day=day, confirms=confirms)
            case ExamineHand() if judged.state.dealt and not table.config.physical:
                return self._looked(table, judged.state, command, first)
            case PlaceBet():
                fact = table_fact(first)
                known = isinstance(fact, BetPlaced) and fact.remembered
                most = table.history.box_limits_of(judged.state.number).get(str(command.box))
                return replace(command, remembered=known, ante_most=most)
            case _:
                return command

    def _looked(self, table: TableTrial, state: Round, command: ExamineHand, first: Record) -> ExamineHand:
        """Add the cards that a Player has looked at, where the deck can be opened."""
        deck = self._deck(table, state.number, state.deals)
        seen = tuple(deck.shoe[i] for i in state.ordinals(str(command.box)))
        if first.type == HandExamined.__name__ and first.version < _LOOKS_BY_PLACE:
            return replace(command, cards=seen, salt=deck.look_salt(command.box))
        return replace(command, cards=() if isinstance(deck, ShownDeck) else seen, from_deck=True)

    def _begin(self, table: TableTrial, first: Record) -> Confirming:
        """Begin a Round on the terms that the pit has set for it, and return how its settlement is confirmed; the
        table must be open.
        """
        number = table.state.number + 1
        self._changed_when(table, first.seq)
        if not table.history.may_begin(number):
            raise Differs(first.stream, first.seq, f"round {number} begins at a table that is closed.")
        config, table.terms = table.history.on_which(number, first.at)
        return config.confirms

    def _act(
        self,
        told: LinkRun,
        table: TableTrial,
        judged: Judged,
        command: RoundCommand,
        fault: Fault | None = None,
        *,
        beside: Link | None,
        follows: bool = True,
        first_release: bool,
    ) -> None:
        records, link = run_of(table.cursor).records, table.config.link
        at = AtLink(
            told.link if told.records else beside,
            lambda name: table.terms if name == table.name else self.terms_of(link or "", name),
            signatures_at(table.config),
            informs=not first_release,
            # A command that left the link alone met it when nothing was due, wherever the link stands here.
            follows=follows and bool(told.records) and not first_release,
        )
        verdict = judge(at, table.name, judged.state, command, fault)
        if isinstance(verdict, Refusal):
            seq = records[min(judged.used, len(records) - 1)].seq
            raise Differs(table.cursor.stream, seq, f"{type(command).__name__} is refused: {verdict.message}")
        judged.acts.append((judged.state, verdict.events))
        for event in verdict.events:
            record = expect(records, judged.used, as_recorded(event))
            judged.used += 1
            judged.state = evolve(judged.state, _as_written(record, event))
            if not table.config.physical:
                self._deck_facts(table, judged, records, event)
        if verdict.link_events and not told.records:
            raise NotAlone
        told.expect(*verdict.link_events)

    def _deck_facts(self, table: TableTrial, judged: Judged, records: Sequence[Record], event: RoundEvent) -> None:
        number, deals = judged.state.number, judged.state.deals
        if isinstance(event, RoundOpened | CardsRedealt):
            deck = self._deck(table, number, deals)
            expect(records, judged.used, DeckCommitted.of(number, deals, deck))
            judged.used += 1
        elif isinstance(event, RoundSettled | RoundVoided):
            for deal in range(deals + 1):
                deck = self._deck(table, number, deal)
                expect(records, judged.used, DeckOpened.of(number, deal, deck))
                judged.used += 1

    def _deck(self, table: TableTrial, number: int, deal: int) -> Deck:
        if (number, deal) not in table.decks:
            if not deal:
                table.decks.clear()
            sealed = self.store.deck(table.name, number, deal)
            if sealed is None:
                first = run_of(table.cursor).records[0]
                raise Differs(first.stream, first.seq, f"there is no deck of round {number}, deal {deal}.")
            table.decks[number, deal] = self._opened(table, (table.name, number, deal), sealed)
        return table.decks[number, deal]

    def _opened(self, table: TableTrial, place: DeckPlace, sealed: bytes) -> Deck:
        """Open a deck; of a deck in play without a key, return what its Round has shown."""
        first = run_of(table.cursor).records[0]
        try:
            if is_sealed(sealed, self.keys):
                # The Round in play is the last one; its opening may have been followed and not judged.
                (opening,) = self.store.rounds(first.stream, Wanted(limit=1))
                facts = (table_fact(record) for record in self.store.read(first.stream, opening.seq - 1))
                return shown_deck(facts, place)
            return opened_deck(self.keys, place, sealed)
        except (BadCard, BadKeys) as wrong:
            raise Differs(first.stream, first.seq, str(wrong)) from None

    def _cards(self, table: TableTrial, state: Round, ordinals: tuple[int, ...]) -> tuple[Card, ...]:
        shoe = self._deck(table, state.number, state.deals).shoe
        return tuple(shoe[i] for i in ordinals)

    # ---------------------------------------------------------------- streams that stand for themselves

    def _plain(self, stream: str) -> None:
        cursor = Cursor(self.store, stream, self.step)
        while (run := cursor.run) is not None:
            try:
                self._answer(cursor, run, self._commands(stream, run))
                for record in run.records:
                    self.duties.check(record)
                if stream == HOUSE:
                    self._note_change(run)
            except Differs as wrong:
                self.findings.add(wrong.where, wrong.seq, wrong.what)
            except Exception as fault:  # noqa: BLE001  whatever a changed event makes of our own code is a finding
                self.findings.add(stream, run.records[0].seq, as_finding(cursor, fault).what)
            cursor.advance()

    def _commands(self, stream: str, run: Run) -> Sequence[HouseCommand]:
        """Return the commands that lead to these records; none where a Bet or a payment noted its player's session."""
        fact = people_fact(run.records[0]) if stream == PEOPLE else None
        if not isinstance(fact, OF_OTHER_COMMANDS):
            return possible_commands(stream, run.records[0], self._currency(run))
        if not was_asked(fact, run.asked):
            raise Differs(stream, run.records[0].seq, f"no bet or payment of {fact.person} leads to it.")
        return ()

    def _currency(self, run: Run) -> str | None:
        """Return the currency that was asked for with a table; the table takes its link's or the house's."""
        asked = run.asked
        if not isinstance(asked, OpenTable):
            return None
        fact = house_fact(run.records[0])
        link = asked.config.link
        lawful = {asked.config.currency if link is None else self.currencies.get(link)}
        if link is None and asked.config.currency is None:
            lawful |= {trial.history.terms.currency for trial in self.tables.values()} | {*self.currencies.values()}
        if isinstance(fact, TableOpened) and fact.config.currency not in lawful:
            what = f"table {asked.table} does not play in the money of its link or its house."
            raise Differs(HOUSE, run.records[0].seq, what)
        return asked.config.currency

    def _note_change(self, run: Run) -> None:
        """Note where a table stood when the pit changed something; it is checked when the table gets there."""
        record = run.records[0]
        fact = house_fact(record)
        if isinstance(fact, TableOpened | TableArchived) or run.said is None:
            return
        stood = run.said.stood.get(table_stream(fact.table))
        if stood is None or fact.table not in self.tables:
            raise Differs(HOUSE, record.seq, f"the answer to {run.command} does not say where the table stood.")
        table = self.tables[fact.table]
        if isinstance(fact, EditionScheduled | EditionCancelled):
            return  # a moment decides, not a Round
        if table.start is None or stood >= table.start.seq:
            table.changed.append((stood, fact.after, record.seq))

    def _changed_when(self, table: TableTrial, before: int | None = None) -> None:
        """Check that each change so far came after the Round that it names."""
        while table.changed and (before is None or table.changed[0][0] < before):
            _, after, seq = table.changed.pop(0)
            if after != table.state.number:
                played = f"table {table.name} was changed after round {table.state.number}, not after round {after}."
                self.findings.add(HOUSE, seq, played)

    # ---------------------------------------------------------------- answers

    def _answer(self, cursor: Cursor, run: Run, commands: Sequence[HouseCommand | VerifyAward] | None) -> None:
        """Check the answer: accepted, with the head of this stream, to the command that was judged."""
        last = run.records[-1]
        if run.answer is None:
            raise Differs(cursor.stream, last.seq, f"its command {run.command} was never answered.")
        answer = run.said
        if answer is None or not answer.accepted or answer.heads.get(cursor.stream) != last.seq:
            raise Differs(cursor.stream, last.seq, f"the answer to {run.command} does not say that it went so far.")
        if commands and not any(run.answer.body in _bodies(command) for command in commands):
            asked = type(commands[0]).__name__
            raise Differs(cursor.stream, run.records[0].seq, f"{asked} of {run.command} is not what was asked.")


def shown_deck(facts: Iterable[TableFact], place: DeckPlace) -> ShownDeck:
    """Return what a Round in play has shown of a deck: cards by position, and the salts of players' looks."""
    cards: dict[int, Card] = {}
    salts: dict[int, str] = {}
    dealt: list[str] = []
    commitment, turned = "", 0
    for fact in facts:
        match fact:
            case DeckCommitted(round=number, deal=deal, commitment=told) if (number, deal) == place[1:]:
                commitment = told
            case RoundOpened() | CardsRedealt() if commitment:
                break
            case CardsDealt(to=to) if commitment:
                dealt += to
            case HandExamined(box=box, cards=seen, salt=salt) if commitment:
                cards.update(zip((i for i, to in enumerate(dealt) if to == str(box)), seen, strict=False))
                salts[box] = salt
            case CardsTurned(cards=shown) if commitment:
                for where, seen in shown.items():
                    first = turned if where == Place.COMMUNITY else 0
                    turned += len(seen) if where == Place.COMMUNITY else 0
                    cards.update(zip([i for i, to in enumerate(dealt) if to == where][first:], seen, strict=False))
            case _:
                pass
    return ShownDeck(cards, salts, commitment)


def run_of(cursor: Cursor) -> Run:
    """Return the command that a stream stands before."""
    assert cursor.run is not None, "the stream stands before a command"
    return cursor.run


def _bodies(command: HouseCommand | VerifyAward) -> tuple[bytes, bytes]:
    """Return the forms in which a command is kept: as it was asked, and as the first release's hash."""
    encoded = encode(command)
    return encoded, hashlib.sha256(encoded).digest()


def _as_written(record: Record, event: RoundEvent) -> RoundEvent:
    """Return the event as its record has it: an earlier release may have known less."""
    if record.version == VERSIONS.of(record.type):
        return event
    fact: TableFact = table_fact(record)
    assert not isinstance(fact, DeckCommitted | DeckOpened)
    return fact
