"""Journals of the first release, judged by its own law. It kept a hash of every command, so that what was asked is
recovered from what happened; it read an award when its signatures were complete, and its tables paid it out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from msgspec.structs import replace

from croupier.floor.audit.findings import Differs
from croupier.floor.audit.judgement.cursors import LinkRun, TableTrial, expect
from croupier.floor.audit.judgement.recovered_commands import round_command, was_awaited
from croupier.floor.audit.judgement.table_judgement import TableJudgement
from croupier.floor.records.codec import table_fact
from croupier.floor.records.commands import AtTable, CollectAwards, HouseCommand, OnLink
from croupier.floor.records.facts import LinkOpened
from croupier.jackpots import events as link_events
from croupier.jackpots.awards import Purse, in_order, take_turn, topped_up
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, LinkAsked, ReopenLink
from croupier.jackpots.evolve import paid_at_table
from croupier.jackpots.link import Link, waits_for
from croupier.jackpots.linked_tables import Fault, next_fault
from croupier.rounds import commands as round_commands
from croupier.rounds.events import AwardPaid, RoundEvent
from croupier.rounds.evolve import evolve
from croupier.rounds.settlement import claim_paid
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import AcrossTables


class VerifyAward(LinkAsked, frozen=True):
    """How the first release was asked to sign for all awards of a Round."""

    table: str
    round: int
    by: str


class FirstRelease:
    """Judges again what the first release has judged."""

    def __init__(
        self, judge: TableJudgement, tables: Mapping[str, TableTrial], terms_of: Callable[[str, str], Terms | None]
    ) -> None:
        self._judge, self._tables, self._terms_of = judge, tables, terms_of

    def judge(
        self, told: LinkRun, tables: Sequence[TableTrial], used: dict[str, int], beside: Link | None
    ) -> Sequence[HouseCommand | VerifyAward] | None:
        """Judge one command at tables and on their link; return the possible commands, None where not known."""
        commands: Sequence[HouseCommand | VerifyAward] | None = None
        if told.records and told.link is None:
            commands = [told.opened()]
        elif told.records:
            commands = self._of_the_link(told)
        self._hand_over(told, tables, used)
        if (collected := self._faults(told, tables, used)) is not None:
            commands = collected
        fault = None if told.link is None else next_fault(told.link)
        reported = told.reported()
        asked: round_commands.RoundCommand | None = None if reported is None else reported.report
        asked_at: TableTrial | None = None
        for table in tables:
            found = self._at_table(told, table, used, fault, beside)
            if found is not None:
                asked, asked_at = found, table
        if told.records and told.link is not None:
            while (paid := self._next_payment(told)) is not None:
                told.expect(paid)
            self._hand_over(told, tables, used)
        if not told.records and isinstance(asked, round_commands.ReportIncident) and tables[0].cursor.run is not None:
            # Where this was the fault of a link, the link says so later, when it has come as far.
            tables[0].alone[tables[0].cursor.run.command] = asked
        if commands is None and asked is not None:
            commands = self._askable(asked, asked_at, told.name)
        return commands

    def _at_table(
        self, told: LinkRun, table: TableTrial, used: dict[str, int], fault: Fault | None, beside: Link | None
    ) -> round_commands.RoundCommand | None:
        """Recover the command at one table from its events; return None where it only handed an award over."""
        assert table.cursor.run is not None, "the table stands before this command"
        records = table.cursor.run.records[used[table.name] :]
        facts = [table_fact(record) for record in records]
        if not facts or isinstance(facts[0], AwardPaid):
            return None
        command = round_command(facts, virtual=not table.config.physical)
        if command is None:
            raise Differs(records[0].stream, records[0].seq, f"no command begins with {records[0].type}.")
        return self._judge.at_table(told, table, used, command, fault, beside=beside, first_release=True).command

    def _faults(self, told: LinkRun, tables: Sequence[TableTrial], used: dict[str, int]) -> list[HouseCommand] | None:
        """Judge faults of the link that another server reported and this one's tables carried out."""
        by_name = {table.name: table for table in tables}
        commands: list[HouseCommand] | None = None
        while (carried := told.carried_out_next()) is not None:
            name, fault, report = carried
            commands = [CollectAwards(link=told.name)]
            table = by_name.get(name)
            met: round_commands.RoundCommand | None = None
            if table is not None:
                met = self._at_table(told, table, used, fault, None)
            elif name in self._tables:
                met = self._tables[name].alone.pop(told.command, None)
            if met != report:
                raise Differs(told.stream, told.seq, f"table {name} has not carried out the fault that was reported.")
        return commands

    # ---------------------------------------------------------------- awards

    def _next_payment(self, told: LinkRun) -> link_events.AwardsPaid | None:
        """Find the payment that is due: of a signed Round that waits for no other. None where there is none."""
        assert told.link is not None
        for key in () if told.link.faults else told.link.waiting:
            terms = self._terms_of(told.name, key[0])
            cases = told.link.cases_of(key)
            if terms is not None and all(case.is_verified for case in cases) and not _waits(told.link, key, terms):
                return _payment(terms, told.link, key)
        return None

    def _hand_over(self, told: LinkRun, tables: Sequence[TableTrial], used: dict[str, int]) -> None:
        """Check the awards that the link had paid and its tables now hand over; `used` counts the explained records."""
        by_name = {table.name: table for table in tables}
        while isinstance(fact := told.next, link_events.AwardsHandedOver):
            key, table = fact.key, by_name.get(fact.table)
            paid = () if told.link is None else paid_at_table(told.link, key)
            if table is None or table.cursor.run is None or not paid:
                raise Differs(told.stream, told.seq, f"table {fact.table} has handed nothing over.")
            for case in paid:
                assert case.locked is not None
                awards, line = claim_paid(table.terms, case.claim, case.locked.lines, case.locked.rules)
                events: tuple[RoundEvent, ...] = (*awards, line)
                for event in events:
                    expect(table.cursor.run.records, used[table.name], event)
                    table.state = evolve(table.state, event)
                    used[table.name] += 1
            told.expect(link_events.AwardsHandedOver(table=fact.table, round=fact.round))

    # ---------------------------------------------------------------- what was asked

    def _of_the_link(self, told: LinkRun) -> list[HouseCommand | VerifyAward] | None:
        """Recover the commands behind a ruling or a measure of the House."""
        link, name, fact = told.link, told.name, told.next
        assert link is not None
        commands: list[HouseCommand | VerifyAward] | None = None
        wrong = ""
        match fact:
            case LinkOpened():
                wrong = "a link is opened once."
            case link_events.LinkClosed(by=by):
                commands = [CloseLink(link=name, by=by)]
            case link_events.LinkReopened(by=by):
                commands = [ReopenLink(link=name, by=by)]
            case link_events.ParametersChanged(by=by, second=second, parameters=parameters):
                wrong = _two_people(link, by, second)
                commands = [ChangeParameters(link=name, by=by, second=second, parameters=parameters)]
            case link_events.MeterAdjusted(by=by, second=second, units=units, cause=cause):
                wrong = _two_people(link, by, second)
                if units % link.scale or link.meter + units < 0 or not cause:
                    wrong = "a meter is corrected by whole cents, with a cause, and not below zero."
                cents = units // link.scale
                commands = [AdjustMeter(link=name, by=by, second=second, amount=cents, cause=cause)]
            case link_events.ClaimsVerified(table=table, round=number, by=by):
                waits = [case for case in link.cases_of((table, number)) if case.is_open and not case.is_verified]
                if not by or not waits or by in waits[0].signed:
                    wrong = f"no award of table {table} waited for the signature of {by}."
                commands = [VerifyAward(table=table, round=number, by=by)]
            case link_events.AwardReleased(table=table):
                if all(key[0] != table for key in link.waiting):
                    wrong = f"no award of table {table} waited to be paid."
            case link_events.DealOrderRuled(tables=ruled):
                if any(self._terms_of(name, table) is None for table in ruled):
                    wrong = "the order of deals names a table that is not on the link."
            case _:
                return None
        if wrong:
            raise Differs(told.stream, told.seq, wrong)
        assert fact is not None
        assert not isinstance(fact, LinkOpened)
        told.expect(fact)
        return commands

    def _askable(
        self, command: round_commands.RoundCommand, table: TableTrial | None, link: str
    ) -> list[HouseCommand] | None:
        """List the commands that may have led to this judgement; None where events do not keep all of it."""
        match command:
            case round_commands.ReportIncident() if link := link or (table is not None and table.config.link) or "":
                reached = [other.name for other in self._tables.values() if other.config.link == link]
                at_one = [AtTable(table=name, command=command) for name in reached]
                return [OnLink(link=link, report=command), *at_one, CollectAwards(link=link)]
            case _ if table is None:
                return None
            case round_commands.GiveRuling() if not was_awaited(table.state_before, command):
                return None  # a ruling that nobody asked for keeps only what it needs
            case round_commands.OpenRound():
                return [
                    AtTable(table=table.name, command=round_commands.OpenRound())
                ]  # which day it is, the house adds itself
            case round_commands.PlaceBet():
                return [AtTable(table=table.name, command=replace(command, remembered=False))]
            case round_commands.ExamineHand():
                looks = [replace(command, cards=(), salt=""), command]
                return [AtTable(table=table.name, command=look) for look in looks]
            case round_commands.DecideHand(box=box, choice=choice, amount=amount):
                ways = product((None, amount), (True, False))
                decided = [
                    round_commands.DecideHand(box=box, choice=choice, amount=a, noticed=noticed) for a, noticed in ways
                ]
                return [AtTable(table=table.name, command=way) for way in decided]
            case _:
                return [AtTable(table=table.name, command=command)]


def _two_people(link: Link, by: str, second: str) -> str:
    if not by or not second or by == second:
        return "it takes two different people."
    if not link.closed or link.dealt or link.waiting:
        return "the link was open, or Rounds of it were in play."
    return ""


def _waits(link: Link, key: link_events.RoundKey, terms: Terms) -> bool:
    """Return whether a claim waits: by order of entry, for the signatures of those entered before it."""
    if any(case.released for case in link.cases_of(key)):
        return False
    if terms.book.jackpot.across_tables is AcrossTables.BY_ENTRY:
        earlier = link.waiting[: link.waiting.index(key)]
        return any(not case.is_verified for other in earlier for case in link.cases_of(other))
    return bool(waits_for(link, key, terms.book.jackpot))


def _payment(terms: Terms, link: Link, key: link_events.RoundKey) -> link_events.AwardsPaid:
    """Pay all claims of a Round from one purse."""
    jackpot, cases = terms.book.jackpot, list(link.cases_of(key))
    freeze = link.frozen_for(key)
    start = freeze.units if freeze is not None else link.meter
    purse = Purse(start, link.scale, link.reset * link.scale)
    paid = []
    for group in in_order(jackpot, cases):
        lines, order = take_turn(terms, purse, group, cases)
        paid += [(case.claim, line, order) for case, line in zip(group, lines, strict=True)]
    before = {lock.round[0] for lock in link.locks if lock.taken} - {key[0]}
    simultaneous = (
        cases[0].after_another
        or any(other != key for other in link.waiting)
        or (jackpot.across_tables is AcrossTables.BY_ENTRY and bool(before))
    )
    across = jackpot.across_tables_rules if simultaneous and purse.taken else ()
    from_paper = jackpot.frozen_rules if freeze is not None else ()
    added = topped_up(link, purse, frozen=freeze is not None)
    from_reserve = min(link.reserve, added) if purse.was_reset else 0
    return link_events.AwardsPaid(
        table=key[0],
        round=key[1],
        payments=tuple(
            link_events.Payment(claim, lines, (*order, *across, *from_paper)) for claim, lines, order in paid
        ),
        taken=purse.taken,
        topped_up=added - from_reserve,
        from_frozen=start - purse.value if freeze is not None else 0,
        from_reserve=from_reserve,
        from_overflow=link.overflow if purse.was_reset else 0,
    )
