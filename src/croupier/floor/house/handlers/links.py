"""Commands at tables that meet a link: faults of the whole link, and what is asked of the link itself."""

from __future__ import annotations

from croupier.floor.house.transaction import Refused, Work
from croupier.floor.records.commands import AtTable, OnLink
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, LinkCommand, ReopenLink
from croupier.jackpots.decide import decide_link, due
from croupier.jackpots.events import FaultCarriedOut, FaultReported
from croupier.jackpots.linked_tables import Fault, next_fault, spreads
from croupier.rounds.commands import CorrectCards, DealCards, DecideHand, ReportIncident, TurnCards
from croupier.rounds.decide import decide
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round
from croupier.rulebooks.vocabulary import Incident


def at_table(work: Work, asked: AtTable) -> None:
    table = work.table(asked.table)
    command = asked.command
    _is_meant_for_now(work.state(table), asked)
    if isinstance(command, TurnCards | DealCards | CorrectCards) and not table.config.physical:
        raise Refused("not_a_persons", "At this table the program deals: nobody enters or corrects cards.")
    if isinstance(command, ReportIncident) and spreads(table.terms, command) and table.config.link is not None:
        everywhere(work, table.config.link, command)
        return
    work.ask(table, command)


def _is_meant_for_now(state: Round, asked: AtTable) -> None:
    """A command that comes late never hits the next Round or the next decision."""
    if asked.round is not None and asked.round != state.number:
        what = f"The command is for round {asked.round}, and table {asked.table} is at round {state.number}."
        raise Refused("another_round", what)
    command = asked.command
    if asked.decided is None or not isinstance(command, DecideHand) or not 1 <= command.box <= len(state.boxes):
        return
    made = len(state.box(command.box).choices)
    if made != asked.decided:
        what = f"The command is for decision {asked.decided + 1} of box {command.box}, which is at {made + 1}."
        raise Refused("another_decision", what)


def everywhere(work: Work, name: str, command: ReportIncident) -> None:
    """A fault at every table of the link; tables of other servers find it on the link before anything else."""
    fault = next_fault(work.link(name))
    on_it = [table for table in work.house.tables.values() if table.config.link == name]
    elsewhere = [table for table in on_it if not table.ours]
    for table in elsewhere:
        # What a table refuses here does not depend on its Round, so its server will not refuse it either.
        refusal = decide(table.terms, table.round, command)
        if isinstance(refusal, Refusal):
            raise Refused.by(refusal)
    if elsewhere:
        names = tuple(table.name for table in elsewhere)
        reported = FaultReported(fault=fault.number, units=fault.units, report=command, tables=names)
        work.enter_link(name, (reported,))
    for table in on_it:
        if table.ours:
            work.ask(table, command, fault)
    _follow(work, name)


def _follow(work: Work, name: str) -> None:
    """Every table has met the fault: what happens on the link by itself goes on."""
    work.enter_link(name, tuple(due(work.terms_of(name), work.link(name))))


def on_link(work: Work, asked: OnLink) -> None:
    work.link(asked.link)
    if asked.report.incident is not Incident.JACKPOT_MALFUNCTION:
        raise Refused("not_of_the_link", "Only a fault of the jackpot system is reported on a whole link.")
    everywhere(work, asked.link, asked.report)


def collect(work: Work, name: str) -> None:
    """One fault that another server has reported, met at this one's tables; then what follows on the link."""
    owed = ((f, [t for t in f.tables if work.house.tables[t].ours]) for f in work.link(name).faults)
    fault, ours = next(((fault, ours) for fault, ours in owed if ours), (None, ()))
    if fault is not None:
        for table in ours:
            work.enter_link(name, (FaultCarriedOut(fault=fault.number, table=table),))
            work.ask(work.house.tables[table], fault.report, Fault(fault.number, fault.units))
    _follow(work, name)


def take_table(work: Work, name: str) -> None:
    table = work.house.tables.get(name)
    if table is not None and not table.ours:
        work.house.take_over(table)
    work.table(name)


def about_link(work: Work, asked: LinkCommand) -> None:
    """Rulings about awards, given at a table; measures of the House on a link."""
    if isinstance(asked, CloseLink | ReopenLink | ChangeParameters | AdjustMeter):
        name: str | None = asked.link
        terms_of = work.terms_of(name)
    else:
        table = work.table(asked.table)
        name = table.config.link
        terms_of = work.terms_of(name, table)
    verdict = decide_link(terms_of, None if name is None else work.link(name), asked)
    if isinstance(verdict, Refusal):
        raise Refused.by(verdict)
    assert name is not None, "without a link every command about it is refused"
    work.enter_link(name, verdict)
