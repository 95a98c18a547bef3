"""What a table and its link owe each other: awards in their order, faults, and the House's own measures on a link."""

from __future__ import annotations

from typing import assert_never

from croupier.floor.requests import (
    AdjustMeter,
    AtTable,
    ChangeParameters,
    CloseLink,
    OnLink,
    ReleaseAward,
    ReopenLink,
    RuleDealOrder,
    VerifyAward,
)
from croupier.floor.tables import MOST
from croupier.floor.working import Refused, Work
from croupier.jackpots.link import (
    AnyLinkEvent,
    AwardReleased,
    AwardsHandedOver,
    ClaimsVerified,
    DealOrderRuled,
    FaultCarriedOut,
    FaultReported,
    Link,
    LinkClosed,
    LinkReopened,
    MeterAdjusted,
    Parameters,
    ParametersChanged,
)
from croupier.jackpots.tables import Fault, hand_over, next_fault, next_payment, spreads
from croupier.money import show
from croupier.rounds.commands import CorrectCards, DealCards, PayAward, ReportIncident, TurnCards
from croupier.rounds.decide import decide
from croupier.rounds.refusal import Refusal, not_authorised
from croupier.rulebooks.vocabulary import Incident


def at_table(work: Work, asked: AtTable) -> None:
    table = work.table(asked.table)
    command = asked.command
    if isinstance(command, PayAward):
        raise Refused("not_a_persons", "Awards are paid by the link alone.", table.terms.book.jackpot.rules)
    if isinstance(command, TurnCards | DealCards | CorrectCards) and not table.config.physical:
        raise Refused("not_a_persons", "At this table the program deals: nobody enters or corrects cards.")
    if isinstance(command, ReportIncident) and spreads(table.terms, command) and table.config.link is not None:
        everywhere(work, table.config.link, command)
        return
    if table.config.link is not None:
        hand_over_awards(work, table.config.link)
    work.ask(table, command)
    pay_on(work, table.config.link)


def pay_on(work: Work, name: str | None) -> None:
    """Every award of the link whose turn it is; the winners' tables hand it over."""
    if name is None:
        return
    if work.link(name).pending:
        terms = {table.name: table.terms for table in work.house.tables.values() if table.config.link == name}
        while (paid := next_payment(terms, work.link(name))) is not None:
            work.enter_link(name, (paid,))
    hand_over_awards(work, name)


def hand_over_awards(work: Work, name: str) -> None:
    """What the link has paid to tables of ours; another server's tables hand over their own."""
    for paid in work.link(name).handovers:
        table = work.house.tables[paid.table]
        if table.ours:
            state = work.state(table)
            work.enter_round(table, state, hand_over(table.terms, state, paid))
            work.enter_link(name, (AwardsHandedOver(table=paid.table, round=paid.round),))


def everywhere(work: Work, name: str, command: ReportIncident) -> None:
    """A fault at every table of the link; tables of other servers find it on the link before anything else."""
    hand_over_awards(work, name)
    fault = next_fault(work.link(name))
    on_it = [table for table in work.house.tables.values() if table.config.link == name]
    elsewhere = [table for table in on_it if not table.ours]
    for table in elsewhere:
        # What a table refuses here does not depend on its Round, so its server will not refuse it either.
        refusal = decide(table.terms, table.round, command)
        if isinstance(refusal, Refusal):
            raise Refused(refusal.code.value, refusal.message, refusal.rules)
    if elsewhere:
        names = tuple(table.name for table in elsewhere)
        reported = FaultReported(fault=fault.number, units=fault.units, report=command, tables=names)
        work.enter_link(name, (reported,))
    for table in on_it:
        if table.ours:
            work.ask(table, command, fault)
    pay_on(work, name)


def on_link(work: Work, asked: OnLink) -> None:
    work.link(asked.link)
    if asked.report.incident is not Incident.JACKPOT_MALFUNCTION:
        raise Refused("not_of_the_link", "Only a fault of the jackpot system is reported on a whole link.")
    everywhere(work, asked.link, asked.report)


def collect(work: Work, name: str) -> None:
    """In the order in which it came about: awards paid before a fault, the fault, and what is paid after it. One
    fault at a time.
    """
    hand_over_awards(work, name)
    owed = ((f, [t for t in f.tables if work.house.tables[t].ours]) for f in work.link(name).faults)
    fault, ours = next(((fault, ours) for fault, ours in owed if ours), (None, ()))
    if fault is not None:
        for table in ours:
            work.enter_link(name, (FaultCarriedOut(fault=fault.number, table=table),))
            work.ask(work.house.tables[table], fault.report, Fault(fault.number, fault.units))
    pay_on(work, name)


def take_table(work: Work, name: str) -> None:
    table = work.house.tables.get(name)
    if table is not None and not table.ours:
        work.house.take_over(table)
    work.table(name)


def rule_payment(work: Work, asked: ReleaseAward | RuleDealOrder) -> None:
    table = work.table(asked.table)
    authority, name = table.terms.book.authority, table.config.link
    if name is None:
        raise Refused("no_jackpot", f"Table {table.name} is on no link.", authority.payment_order)
    if asked.by < authority.payment_order_by:
        refusal = not_authorised(
            asked.by, authority.payment_order_by, "rule on the order of payment", authority.payment_order
        )
        raise Refused(refusal.code.value, refusal.message, refusal.rules)
    event: AnyLinkEvent
    if isinstance(asked, ReleaseAward):
        if all(pending.round[0] != table.name for pending in work.link(name).pending):
            message = f"No award of table {table.name} waits to be paid."
            raise Refused("nothing_awaited", message, authority.payment_order)
        event = AwardReleased(table=table.name)
    else:
        for other in asked.tables:
            known = work.house.tables.get(other)
            if known is None or known.config.link != name:
                raise Refused("unknown_table", f"Table {other} is not on the link {name}.")
        event = DealOrderRuled(tables=asked.tables)
    work.enter_link(name, (event,))
    pay_on(work, name)


def verify_award(work: Work, asked: VerifyAward) -> None:
    """One of the two signatures that a major award of a staffed table takes; the second one lets it be paid."""
    table = work.table(asked.table)
    name, rules = table.config.link, table.terms.book.jackpot.rules
    key = (asked.table, asked.round)
    pending = () if name is None else work.link(name).pending
    waits = next((p for p in pending if p.round == key and not p.is_verified), None)
    if name is None or waits is None:
        raise Refused("nothing_awaited", f"No award of round {asked.round} waits to be verified.", rules)
    if not asked.by or asked.by in waits.signed:
        raise Refused("two_people", f"{asked.by} has signed already: it takes two different people.", rules)
    work.enter_link(name, (ClaimsVerified(table=asked.table, round=asked.round, by=asked.by),))
    pay_on(work, name)


def run_link(work: Work, asked: CloseLink | ReopenLink | ChangeParameters | AdjustMeter) -> None:
    """The House's own measures; a change takes two people and a closed link."""
    link = work.link(asked.link)
    event: AnyLinkEvent
    match asked:
        case CloseLink(by=by):
            event = LinkClosed(by=by)
        case ReopenLink(by=by):
            event = LinkReopened(by=by)
        case ChangeParameters(by=by, second=second, parameters=parameters):
            two_people_and_closed(link, by, second)
            parameters_make_sense(parameters)
            if parameters.currency != link.parameters.currency:
                raise Refused(
                    "bad_parameters", f"The link keeps its money, {link.parameters.currency}: tables play in it."
                )
            event = ParametersChanged(by=by, second=second, parameters=parameters)
        case AdjustMeter(by=by, second=second, amount=amount, cause=cause):
            two_people_and_closed(link, by, second)
            if not cause:
                raise Refused("no_cause", "A meter is corrected only with a cause in words.")
            if link.cents + amount < 0:
                raise Refused("no_amount", f"The meter holds {show(link.cents)} and cannot fall by {show(-amount)}.")
            event = MeterAdjusted(by=by, second=second, units=amount * link.scale, cause=cause)
        case _:
            assert_never(asked)
    work.enter_link(asked.link, (event,))


def parameters_make_sense(parameters: Parameters) -> None:
    """Shares of a Bet that are shares, a reset value and a cap that the meter can stand at."""
    for share in (parameters.contribution, parameters.reserve):
        if share.denominator < 1 or share.numerator < 0:
            raise Refused("bad_parameters", "A rate is a fraction of at least 0 with a denominator of at least 1.")
    c, r = parameters.contribution, parameters.reserve
    if c.numerator * r.denominator + r.numerator * c.denominator > c.denominator * r.denominator:
        raise Refused("bad_parameters", "The rates together take more than the whole bet.")
    if not 0 <= parameters.reset <= MOST or not (parameters.cap is None or parameters.reset <= parameters.cap):
        raise Refused("bad_parameters", "The reset value is at least 0.00 and at most the cap.")


def two_people_and_closed(link: Link, by: str, second: str) -> None:
    if not by or not second or by == second:
        raise Refused("two_people", "It takes two different people.")
    if not link.closed:
        raise Refused("link_open", "The link must be closed before its parameters or its meter are changed.")
    if link.dealt or link.pending or link.handovers:
        raise Refused("rounds_in_play", "Rounds of the link are still in play or wait to be paid.")
