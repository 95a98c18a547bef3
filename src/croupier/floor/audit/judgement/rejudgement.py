"""Rejudgement: every command is judged again by the functions of the house, and its events must be those in the
journal, at the tables and on their links.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import msgspec

from croupier.floor.audit.findings import Differs, Findings
from croupier.floor.audit.judgement.answered_run import check_answer
from croupier.floor.audit.judgement.cursors import (
    NO_LINK,
    Cursor,
    LinkRun,
    LinkTrial,
    Run,
    TableTrial,
    as_finding,
    run_of,
)
from croupier.floor.audit.judgement.duty_check import DutyCheck
from croupier.floor.audit.judgement.first_release import FirstRelease, VerifyAward
from croupier.floor.audit.judgement.memory_check import MemoryCheck
from croupier.floor.audit.judgement.recovered_commands import possible_commands
from croupier.floor.audit.judgement.table_judgement import NotAlone, TableJudgement
from croupier.floor.audit.milestone import Milestone, TrialAt
from croupier.floor.audit.own_limit_check import OF_OTHER_COMMANDS, was_asked
from croupier.floor.audit.stream_check import TABLES_FROM, StreamCheck
from croupier.floor.records import facts
from croupier.floor.records.codec import ANSWER, LINK_STATE, house_fact, people_fact
from croupier.floor.records.commands import AtTable, CollectAwards, HouseCommand, OnLink, OpenLink, OpenTable
from croupier.floor.records.examined_hands import TableReader
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.streams import CASHIER, HOUSE, PEOPLE, PLAYERS, link_stream, table_stream
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, LinkAsked, ReopenLink
from croupier.jackpots.decide import decide_link, due
from croupier.jackpots.events import HandsDealt, RoundForgotten
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.jackpots.linked_tables import next_fault, spreads
from croupier.journal.store import Store
from croupier.rounds.commands import ReportIncident, RoundCommand
from croupier.rounds.events import RoundOpened
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Refusal
from croupier.rulebooks.terms import Terms
from croupier.structs import extended

_OF_THE_LINK_ALONE = (OpenLink, CloseLink, ReopenLink, ChangeParameters, AdjustMeter)
"""Commands that concern a link and no table."""


class Share(msgspec.Struct, frozen=True):
    """A part of the tables whose commands are judged together, while other processes judge the others."""

    tables: frozenset[str]
    leads: bool = False
    """Commands of a link that concern no table are judged here."""


class Rejudgement:
    """Follows all streams side by side; a command that touched several is judged when each has reached it."""

    def __init__(
        self,
        store: Store,
        streams: StreamCheck,
        findings: Findings,
        step: Callable[[int], None],
        keys: Keys = NO_KEYS,
        share: Share | None = None,
    ) -> None:
        """`streams` is what the records come to by themselves, `keys` open decks in play. Of a `share`, the commands at
        its tables are judged, and those at other tables only followed on the link.
        """
        self.store, self.findings, self.step, self.keys = store, findings, step, keys
        self.share, self.histories, self._starts = share, streams.tables, streams.starts
        self.tables: dict[str, TableTrial] = {}
        self._elsewhere: dict[str, Terms] = {}
        """Terms of tables that are not of this share, as of the Round that their link has come to."""
        for name, history in streams.tables.items():
            if share is not None and name not in share.tables:
                _, self._elsewhere[name] = history.on_which(1, 0)
                if self._stood(table_stream(name), streams.milestone) and (history.changes or history.editions):
                    raise Differs(table_stream(name), 0, "on which terms it played then is not known in this share.")
                continue
            start, reading = streams.starts.get(name), streams.readings.get(name)
            stood = self._stood(table_stream(name), streams.milestone)
            taken_up = reading.enter_until(stood).round if reading is not None and stood else None
            cursor = Cursor(store, table_stream(name), step, 0 if start is None else start.seq, reading)
            self.tables[name] = TableTrial(history, name, cursor, start, reading)
            if taken_up is not None and streams.milestone is not None:
                self.tables[name].take_up(taken_up, stood, streams.milestone.trials[name])
        counted = step if share is None or share.leads else _uncounted  # each share follows every link
        self.links: dict[str, LinkTrial] = {}
        for name in streams.links:
            stood = self._stood(link_stream(name), streams.milestone)
            self.links[name] = LinkTrial(name, Cursor(store, link_stream(name), counted, stood))
            if stood and streams.milestone is not None:
                self.links[name].link = LINK_STATE.decode(streams.milestone.boundaries[link_stream(name)].state)
        links = streams.links.items()
        self.currencies = {name: link.parameters.currency for name, link in links if link is not None}
        self.memory = MemoryCheck(store, counted, self._stood(PLAYERS, streams.milestone))
        self.duties = DutyCheck(store)
        self.unjudged: dict[tuple[str, str], list[int]] = {}
        """Rounds whose rulebook is not installed as it was, by table and reason."""
        self._judge = TableJudgement(store, keys, self.memory, findings, self.terms_of)
        self._first_release = FirstRelease(self._judge, self.tables, self.terms_of)

    def _stood(self, stream: str, milestone: Milestone | None) -> int:
        """Return the record up to which a stream was judged before."""
        return 0 if milestone is None else milestone.heads.get(stream, (0, ""))[0]

    def trials(self) -> dict[str, TrialAt]:
        """Return what a later audit must know of each table."""
        return {name: table.noted for name, table in self.tables.items()}

    def run(self) -> None:
        """Judge every command again, as far as the streams can be followed."""
        self.judge_alone()
        self.judge_tables()
        if not any(table.lost for table in self.tables.values()):
            self.memory.finish(self.findings, self._has_left)

    def judge_alone(self) -> None:
        """Judge the streams that stand for themselves: house, cashier and people."""
        self._plain(HOUSE)
        self._plain(CASHIER)
        self._plain(PEOPLE)

    def judge_share(self) -> None:
        """Judge the tables of a share; the streams that stand for themselves are judged elsewhere."""
        cursor = Cursor(self.store, HOUSE, _uncounted)
        while (run := cursor.run) is not None:
            self._note_change(run)
            cursor.advance()
        self.judge_tables()

    def judge_tables(self) -> None:
        """Judge the tables, each with its link."""
        for name, link in self.links.items():
            self._follow(link, self.tables_on(name))
        for table in self.tables.values():
            if table.config.link is None:
                while table.at is not None:
                    self._guarded(None, [table])
        for table in self.tables.values():
            if not table.lost:
                self._judge.changed_when(table)
        self._say_unjudged()

    def explain_memory(self, unexplained: Collection[str]) -> None:
        """Report what the house noted of Players in commands that no share has explained."""
        self.memory.keep_only(unexplained)
        self.memory.finish(self.findings, self._has_left)

    def _has_left(self, command: str) -> bool:
        """Return whether the records of this command at a table are in an archive that was not given."""
        starts = {table_stream(name): start.seq for name, start in self._starts.items()}
        answered = self.store.answers([command]).get(command) if starts else None
        if answered is None:
            return False
        heads = ANSWER.decode(answered.answer).heads
        return any(heads.get(stream, seq + 1) <= seq for stream, seq in starts.items())

    def tables_on(self, link: str) -> list[TableTrial]:
        return [table for table in self.tables.values() if table.config.link == link]

    def terms_of(self, link: str, name: str) -> Terms | None:
        """Return the terms of a table of this link."""
        history = self.histories.get(name)
        if history is None or history.config.link != link:
            return None
        return self._elsewhere[name] if name in self._elsewhere else self.tables[name].terms

    def _follow(self, link: LinkTrial, tables: Sequence[TableTrial]) -> None:
        """Follow a link and its tables; a table goes on by itself while its commands leave the link alone."""
        starts = [start for name, start in self._starts.items() if self.histories[name].config.link == link.name]
        link.unjudged = max((start.link_seq for start in starts), default=0)
        if link.link is None:
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
        stream, at = link.cursor.stream, link.at
        while link.link is not None and not table.lost and (run := table.cursor.run) is not None and run.command != at:
            said = run.said
            if said is not None and (stream in said.heads or said.stood.get(stream, 0) > link.seq):
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
        if link is not None and not tables and self._is_elsewhere(link):
            self._follow_only(link, ())
            return
        if (link is not None and self._is_unjudged(link)) or self._lacks_rulebook(link, tables):
            self._follow_only(link, tables)
            return
        told, used = NO_LINK if link is None else LinkRun(link), {table.name: 0 for table in tables}
        cursors = [table.cursor for table in tables]
        if link is not None:
            cursors.append(link.cursor)
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
            if table.history.archived:
                self._note_link(table)
        self._advance(cursors, tables, commands)
        if link is not None:
            link.link = told.link

    def _advance(
        self,
        cursors: Iterable[Cursor],
        tables: Iterable[TableTrial],
        commands: Sequence[HouseCommand | VerifyAward] | None = None,
    ) -> None:
        """Check the answer to a command, enter what is left of its records, and go on to the next."""
        for table in tables:
            if table.reading is not None:
                table.reading.enter_all(run_of(table.cursor).records)
        for cursor in cursors:
            check_answer(cursor, run_of(cursor), commands)
            cursor.advance()

    def _is_elsewhere(self, link: LinkTrial) -> bool:
        """Return whether a command of the link is judged in another share: where its tables are, or in the leading one.

        A command without an answer is judged in every share.
        """
        if self.share is None or (said := run_of(link.cursor).said) is None:
            return False
        named = {stream.removeprefix(TABLES_FROM) for stream in said.heads if stream.startswith(TABLES_FROM)}
        named = {name for name in named if name in self.histories}
        return self.share.tables.isdisjoint(named) if named else not self.share.leads

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
        if link is None or link.link is None or tables:
            return False
        of_cases = [self.terms_of(link.name, case.table) for case in link.link.open_cases]
        return any(terms is not None and terms.missing for terms in of_cases)

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
                    self._judge.begin(table, record)
                fact = reader.fact(record)
                if not isinstance(fact, facts.DeckCommitted | facts.DeckOpened):
                    table.state = evolve(table.state, fact)
            table.state_before = table.state
            self.memory.pass_over(run.command)
            self._note_link(table)
        cursors = [table.cursor for table in tables]
        if link is not None:
            for told in LinkRun(link).facts:
                if self._elsewhere:
                    self._note_elsewhere(told, run_of(link.cursor).records[0].at)
                if isinstance(told, facts.LinkOpened):
                    link.link = new_link(told.meter, told.parameters)
                elif link.link is not None:
                    link.link = evolve_link(link.link, told)
            cursors.append(link.cursor)
        self._advance(cursors, tables)

    def _note_elsewhere(self, fact: facts.LinkFact, at: int) -> None:
        """Note the terms of the Round that a table of another share has begun.

        The link does not say when a first Round began, so a rulebook that came into force meanwhile leaves it open.
        """
        if isinstance(fact, RoundForgotten) and fact.table in self._elsewhere:
            _, self._elsewhere[fact.table] = self.histories[fact.table].on_which(fact.round + 1, at)
        elif (
            isinstance(fact, HandsDealt)
            and fact.round == 1
            and fact.table in self._elsewhere
            and any(edition.at <= at for edition in self.histories[fact.table].editions)
        ):
            raise Differs(table_stream(fact.table), 0, "its first round is judged together with the other tables.")

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
                self._judge.at_table(told, by_name[name], used, command, beside=beside)
            case AtTable(command=ReportIncident() as report) | OnLink(report=report):
                self._everywhere(told, by_name, used, report, beside)
            case CollectAwards():
                while (carried := told.carried_out_next()) is not None:
                    name, fault, report = carried
                    self._judge.at_table(told, self._met(told, by_name, name), used, report, fault)
                self._due(told)
            case OpenLink():
                if told.opened() != asked:
                    raise Differs(told.stream, told.seq, "the link is not opened as was asked.")
                if why := self.duties.link(extended(facts.LinkOpened, asked), told.records[0].at):
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
                self._judge.at_table(told, table, used, report, fault, beside=beside)
            return
        reported = told.reported()
        if reported is not None and reported.report != report:
            raise Differs(told.stream, told.seq, "the other tables received another fault than the one reported.")
        for table in self.tables_on(told.name):
            if table.name not in by_name and table.history.opened > told.records[0].at:
                continue  # it was not there yet
            if reported is None or table.name not in reported.tables:
                self._judge.at_table(told, self._met(told, by_name, table.name), used, report, fault)
        self._due(told)

    def _met(self, told: LinkRun, by_name: Mapping[str, TableTrial], name: str) -> TableTrial:
        if name not in by_name:
            raise Differs(told.stream, told.seq, f"table {name} has not carried out the fault that was reported.")
        return by_name[name]

    def _due(self, told: LinkRun) -> None:
        if told.link is not None:
            told.expect(*due(lambda name: self.terms_of(told.name, name), told.link))

    # ---------------------------------------------------------------- streams that stand for themselves

    def _plain(self, stream: str) -> None:
        cursor = Cursor(self.store, stream, self.step)
        while (run := cursor.run) is not None:
            try:
                check_answer(cursor, run, self._commands(stream, run))
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
            lawful |= {history.terms.currency for history in self.histories.values()} | {*self.currencies.values()}
        if isinstance(fact, facts.TableOpened) and fact.config.currency not in lawful:
            what = f"table {asked.table} does not play in the money of its link or its house."
            raise Differs(HOUSE, run.records[0].seq, what)
        return asked.config.currency

    def _note_change(self, run: Run) -> None:
        """Note where a table stood when the pit changed something; it is checked when the table gets there."""
        record = run.records[0]
        fact = house_fact(record)
        if isinstance(fact, facts.TableOpened | facts.TableArchived) or run.said is None:
            return
        stood = run.said.stood.get(table_stream(fact.table))
        if stood is None or fact.table not in self.histories:
            raise Differs(HOUSE, record.seq, f"the answer to {run.command} does not say where the table stood.")
        table = self.tables.get(fact.table)
        if table is None or isinstance(fact, facts.EditionScheduled | facts.EditionCancelled):
            return  # it is of another share, or a moment decides, not a Round
        if stood < table.judged_before:
            return  # it was checked then
        if table.start is None or stood >= table.start.seq:
            table.changed.append((stood, fact.after, record.seq))


def _uncounted(count: int) -> None:
    """Take no note of a step that another process counts."""
