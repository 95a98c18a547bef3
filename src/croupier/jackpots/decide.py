"""(link, command) -> events or a Refusal, and what follows on the link. House, replay and audit judge by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, assert_never

from croupier.jackpots import commands, events
from croupier.jackpots.awards import lock
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Case, CaseState, Link, Undone, undone, waits_for
from croupier.jackpots.parameters import Parameters
from croupier.money import MOST, show
from croupier.rounds.refusal import Code, Refusal, not_authorised
from croupier.rounds.settlement import claim_denied, claim_paid
from croupier.rulebooks.terms import Terms
from croupier.structs import extended

TermsOf: TypeAlias = Callable[[events.TableName], Terms | None]
"""The terms of a table of the link; None where there is no such table on it."""
Verdict: TypeAlias = tuple[events.AnyLinkEvent, ...] | Refusal


def decide_link(terms_of: TermsOf, link: Link | None, command: commands.LinkCommand) -> Verdict:
    """Judge a command about the link, and add what follows from it."""
    verdict = _decide(terms_of, link, command)
    if isinstance(verdict, Refusal):
        return verdict
    assert link is not None, "without a link every command about it is refused"
    return (verdict, *due(terms_of, evolve_link(link, verdict)))


def due(terms_of: TermsOf, link: Link) -> Iterator[events.AnyLinkEvent]:
    """Yield what follows without a command: lock awards whose turn has come, pay those with all signatures."""
    while link.cases and (event := _next(terms_of, link)) is not None:
        yield event
        link = evolve_link(link, event)


def _next(terms_of: TermsOf, link: Link) -> events.AnyLinkEvent | None:
    for case in link.cases:
        if case.state is CaseState.LOCKED and case.is_verified and case.locked is not None:
            awards, line = claim_paid(_terms(terms_of, case), case.claim, case.locked.lines, case.locked.rules)
            table, number = case.round
            return events.CasePaid(case=case.number, table=table, round=number, awards=awards, line=line)
    if link.faults:
        return None  # until every table has met a fault, its effect on awards is not known
    for key in link.waiting:
        terms = terms_of(key[0])
        assert terms is not None, "a claim comes from a table of the link"
        if not waits_for(link, key, terms.book.jackpot):
            return lock(terms, link, key)
    return None


def _terms(terms_of: TermsOf, case: Case) -> Terms:
    terms = terms_of(case.table)
    assert terms is not None, "a case comes from a table of the link"
    return terms


# ---------------------------------------------------------------- commands


def _decide(terms_of: TermsOf, link: Link | None, command: commands.LinkCommand) -> events.AnyLinkEvent | Refusal:
    match command:
        case commands.ReleaseAward():
            return _release(terms_of, link, command)
        case commands.RuleDealOrder():
            return _order(terms_of, link, command)
        case commands.SignAward():
            return _sign(terms_of, link, command)
        case commands.DenyAward():
            return _deny(terms_of, link, command)
    assert link is not None, "a measure names a link that there is"
    match command:
        case commands.CloseLink(by=by):
            return events.LinkClosed(by=by)
        case commands.ReopenLink(by=by):
            return events.LinkReopened(by=by)
        case commands.ChangeParameters(by=by, second=second, parameters=parameters):
            refusal = _two_people_and_closed(link, by, second) or unfit(parameters)
            if refusal is None and parameters.currency != link.parameters.currency:
                message = f"The link keeps its money, {link.parameters.currency}: tables play in it."
                refusal = Refusal(Code.BAD_PARAMETERS, message)
            return refusal or events.ParametersChanged(by=by, second=second, parameters=parameters)
        case commands.AdjustMeter():
            return _adjust(link, command)
        case _:
            assert_never(command)


def _release(terms_of: TermsOf, link: Link | None, c: commands.ReleaseAward) -> events.AnyLinkEvent | Refusal:
    """Let an award that waits for another table have its turn now."""
    terms = terms_of(c.table)
    assert terms is not None, "a ruling is given at a table"
    authority = terms.book.authority
    if link is None or all(key[0] != c.table for key in link.waiting):
        return Refusal(
            Code.NOTHING_AWAITED, f"No award of table {c.table} waits for its turn.", authority.payment_order
        )
    if c.by < authority.payment_order_by:
        return not_authorised(c.by, authority.payment_order_by, "release an award", authority.payment_order)
    return events.AwardReleased(table=c.table)


def _order(terms_of: TermsOf, link: Link | None, c: commands.RuleDealOrder) -> events.AnyLinkEvent | Refusal:
    """Determine conclusively whose Hands were dealt first."""
    terms = terms_of(c.table)
    assert terms is not None, "a ruling is given at a table"
    authority = terms.book.authority
    unknown = [name for name in c.tables if terms_of(name) is None]
    if link is None or unknown or not c.tables or len(set(c.tables)) != len(c.tables):
        what = "The order of deals must name tables of the link, each once."
        if unknown:
            what = f"There is no table {unknown[0][:40]} on the link."
        return Refusal(Code.FACT_MISSING, what, authority.payment_order)
    if c.by < authority.payment_order_by:
        return not_authorised(c.by, authority.payment_order_by, "determine the order of deals", authority.payment_order)
    return events.DealOrderRuled(tables=c.tables)


def _sign(terms_of: TermsOf, link: Link | None, c: commands.SignAward) -> events.AnyLinkEvent | Refusal:
    """Add one of the two signatures that a major award of a staffed table takes."""
    terms = terms_of(c.table)
    assert terms is not None, "an award is signed for at its table"
    rules = terms.book.jackpot.rules
    case = None if link is None else link.case(c.award)
    if case is None or case.table != c.table or not case.is_open or case.is_verified:
        return Refusal(Code.NOTHING_AWAITED, f"No award {c.award} of table {c.table} waits for a signature.", rules)
    if not c.by or c.by in case.signed:
        message = f"{c.by} has signed already: award {c.award} needs two different people."
        return Refusal(Code.TWO_PEOPLE, message, rules)
    return events.AwardSigned(case=case.number, table=case.table, round=case.claim.round, by=c.by)


def _deny(terms_of: TermsOf, link: Link | None, c: commands.DenyAward) -> events.AnyLinkEvent | Refusal:
    """Deny a claim that did not prove right, so that its Bet has lost (reading `denied-claim`)."""
    terms = terms_of(c.table)
    assert terms is not None, "an award is denied at its table"
    authority, rules = terms.book.authority, terms.book.jackpot.denied
    case = None if link is None else link.case(c.award)
    if link is None or case is None or case.table != c.table or not case.is_open:
        return Refusal(Code.NOTHING_AWAITED, f"No award {c.award} of table {c.table} is open.", rules)
    if c.by < authority.uncovered_by:
        return not_authorised(c.by, authority.uncovered_by, "deny an award", rules)
    if not c.text:
        return Refusal(Code.FACT_MISSING, "A denial must say in words why the claim does not prove right.", rules)
    back = _back(link, case)
    return extended(
        events.CaseDenied,
        back,
        case=case.number,
        table=case.table,
        round=case.claim.round,
        by=c.by,
        who=c.who,
        text=c.text,
        line=claim_denied(terms, case.claim, c.text),
    )


def _back(link: Link, case: Case) -> Undone:
    """Return where the units that were locked for a case go.

    Units locked for several cases stay locked for the others; only the last case takes a reset of the meter back.
    """
    held = next((lock for lock in link.locks if case.number in lock.cases), None)
    if held is None:
        return Undone(0, 0, 0, 0, 0)
    if len(held.cases) > 1:
        return Undone(case.from_meter * link.scale, 0, 0, 0, 0)
    return undone(held, link.meter)


def _adjust(link: Link, c: commands.AdjustMeter) -> events.AnyLinkEvent | Refusal:
    refusal = _two_people_and_closed(link, c.by, c.second)
    if refusal is not None:
        return refusal
    if not c.cause:
        return Refusal(Code.NO_CAUSE, "A correction of the meter must give its cause in words.")
    if link.cents + c.amount < 0:
        what = f"The meter holds {show(link.cents)} and cannot fall by {show(-c.amount)}."
        return Refusal(Code.NO_AMOUNT, what)
    if link.cents + c.amount > MOST:
        return Refusal(Code.NO_AMOUNT, f"No meter rises beyond {show(MOST)}.")
    return events.MeterAdjusted(by=c.by, second=c.second, units=c.amount * link.scale, cause=c.cause)


def unfit(parameters: Parameters) -> Refusal | None:
    """Return why these parameters cannot run a link: impossible rates, or values that the meter cannot have."""
    for share in (parameters.contribution, parameters.reserve):
        if share.denominator < 1 or share.numerator < 0:
            what = "A rate is a fraction of at least 0 with a denominator of at least 1."
            return Refusal(Code.BAD_PARAMETERS, what)
    c, r = parameters.contribution, parameters.reserve
    if c.numerator * r.denominator + r.numerator * c.denominator > c.denominator * r.denominator:
        return Refusal(Code.BAD_PARAMETERS, "The rates together take more than the whole bet.")
    if not 0 <= parameters.reset <= MOST or not (parameters.cap is None or parameters.reset <= parameters.cap <= MOST):
        return Refusal(Code.BAD_PARAMETERS, "The reset value is at least 0.00 and at most the cap.")
    return None


def _two_people_and_closed(link: Link, by: str, second: str) -> Refusal | None:
    if not by or not second or by == second:
        return Refusal(Code.TWO_PEOPLE, "This takes two different people.")
    if not link.closed:
        return Refusal(Code.LINK_OPEN, "The link must be closed before its parameters or its meter are changed.")
    if link.dealt or link.open_cases:
        return Refusal(Code.ROUNDS_IN_PLAY, "Rounds of the link are still in play, or awards are not paid yet.")
    return None
