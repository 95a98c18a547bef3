"""Links: opened, commanded, and faults that concern all tables of one."""

from __future__ import annotations

from croupier.floor.house.handlers.currency import check_currency
from croupier.floor.house.round_play import play
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.names import check_name
from croupier.floor.people.people import award_key
from croupier.floor.people.second_signature import check_enough_people
from croupier.floor.records.commands import CollectAwards, ConfirmAwardPaid, OnLink, OpenLink
from croupier.floor.records.facts import LinkOpened
from croupier.floor.records.people_facts import AwardPaidOut
from croupier.floor.records.refusals import Code, Refused
from croupier.floor.records.streams import link_stream
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, LinkCommand, ReopenLink
from croupier.jackpots.decide import decide_link, due, unfit
from croupier.jackpots.events import FaultCarriedOut, FaultReported
from croupier.jackpots.link import new_link
from croupier.jackpots.linked_tables import Fault, next_fault
from croupier.ledger.entries import seed_entry
from croupier.money import MOST, show
from croupier.rounds.commands import ReportIncident
from croupier.rounds.decide import decide
from croupier.rounds.refusal import Refusal
from croupier.rulebooks.vocabulary import Incident
from croupier.structs import extended


def open_link(transaction: Transaction, asked: OpenLink) -> None:
    """Start a link with its meter, which the House pays."""
    check_new_link(transaction, asked)
    check_enough_people(transaction.house.people, asked, transaction.request.at)
    transaction.changes.links[asked.link] = new_link(asked.meter, asked.parameters)
    transaction.record(link_stream(asked.link), extended(LinkOpened, asked), seed_entry(asked.link, asked.meter))


def check_new_link(transaction: Transaction, asked: OpenLink) -> None:
    """Refuse a link that cannot be opened, however many people sign for it."""
    if asked.link in transaction.house.links:
        raise Refused(Code.LINK_EXISTS, f"There is already a link {asked.link}.")
    check_name(asked.link)
    refusal = unfit(asked.parameters)
    if refusal is not None:
        raise Refused.by_rules(refusal)
    if not 0 <= asked.meter <= MOST:
        raise Refused(Code.NO_AMOUNT, f"A meter starts between {show(0)} and {show(MOST)}.")
    check_currency(transaction.house, asked.parameters.currency, f"Link {asked.link}")


def command_link(transaction: Transaction, asked: LinkCommand) -> None:
    """Carry out a ruling about awards, given at a table, or a measure of the House on a link."""
    if isinstance(asked, CloseLink | ReopenLink | ChangeParameters | AdjustMeter):
        name: str | None = asked.link
        terms_on = transaction.terms_on(name)
    else:
        table = transaction.table(asked.table)
        name = table.config.link
        terms_on = transaction.terms_on(name, table)
    verdict = decide_link(terms_on, None if name is None else transaction.link(name), asked)
    if isinstance(verdict, Refusal):
        raise Refused.by_rules(verdict)
    assert name is not None, "without a link every command about it is refused"
    transaction.enter_link(name, verdict)


def confirm_award_paid(transaction: Transaction, asked: ConfirmAwardPaid) -> None:
    """Record once that an award which is signed for has been paid out to its player."""
    people, table = transaction.house.people, transaction.house.tables.get(asked.table)
    what = f"The award of box {asked.box} in round {asked.round} of {asked.table[:40]}"
    link = None if table is None else transaction.house.links.get(table.config.link or "")
    place = (asked.table, asked.round, asked.box)
    if link is None or place not in {(hit.table, hit.round, hit.box) for hit in link.last_hits}:
        raise Refused(Code.AWARD_NOT_DUE, f"{what} is not signed for: there is nothing to pay.")
    said = people.paid_out.get(award_key(asked.table, asked.award))
    if said is not None:
        raise Refused(Code.AWARD_PAID_OUT, f"{what} is paid already: {said.by} confirmed it.")
    transaction.check_readers("awards that are paid out")
    transaction.enter_people(extended(AwardPaidOut, asked, at=transaction.request.at))


# ---------------------------------------------------------------- faults of a whole link


def report_fault(transaction: Transaction, asked: OnLink) -> None:
    """Report a fault of the jackpot system on a link."""
    transaction.link(asked.link)
    if asked.report.incident != Incident.JACKPOT_MALFUNCTION:
        raise Refused(Code.NOT_OF_THE_LINK, "Only a fault of the jackpot system is reported on a whole link.")
    report_everywhere(transaction, asked.link, asked.report)


def report_everywhere(transaction: Transaction, name: str, command: ReportIncident) -> None:
    """Report a fault at every table of a link; other servers find it on the link before they do anything else."""
    fault = next_fault(transaction.link(name))
    on_it = [table for table in transaction.house.tables.values() if table.config.link == name]
    elsewhere = [table for table in on_it if not table.ours]
    for table in elsewhere:
        # What a table refuses here does not depend on its Round, so its server will not refuse it either.
        refusal = decide(table.terms, table.round, command)
        if isinstance(refusal, Refusal):
            raise Refused.by_rules(refusal)
    if elsewhere:
        names = tuple(table.name for table in elsewhere)
        reported = FaultReported(fault=fault.number, units=fault.units, report=command, tables=names)
        transaction.enter_link(name, (reported,))
    for table in on_it:
        if table.ours:
            play(transaction, table, command, fault)
    _pay_due(transaction, name)


def collect_awards(transaction: Transaction, asked: CollectAwards) -> None:
    """Carry out at this server's tables one fault that another server reported, then what is due on the link."""
    name, tables = asked.link, transaction.house.tables
    owed = ((f, [t for t in f.tables if tables[t].ours]) for f in transaction.link(name).faults)
    fault, ours = next(((fault, ours) for fault, ours in owed if ours), (None, ()))
    if fault is not None:
        for table in ours:
            transaction.enter_link(name, (FaultCarriedOut(fault=fault.number, table=table),))
            play(transaction, tables[table], fault.report, Fault(fault.number, fault.units))
    _pay_due(transaction, name)


def _pay_due(transaction: Transaction, name: str) -> None:
    """Do what is due on the link, after every table has met a fault."""
    transaction.enter_link(name, tuple(due(transaction.terms_on(name), transaction.link(name))))
