"""Tables on one link: a command at one of them, with everything it sets off on the meter and at the others. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.jackpots.awards import pay
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import (
    AnyLinkEvent,
    AwardReleased,
    AwardsHandedOver,
    AwardsPaid,
    AwardsReversed,
    ClaimsEntered,
    ContributionReversed,
    DealOrderRuled,
    DealRestored,
    HandsDealt,
    Link,
    MeterFrozenFor,
    RoundDecided,
    RoundForgotten,
    RoundKey,
    TableName,
    contribution_of,
    waits_for,
)
from croupier.rounds.commands import PayAward, PlaceBet, ReportIncident, RoundCommand
from croupier.rounds.decide import decide
from croupier.rounds.events import (
    AwardClaimed,
    BetsClosed,
    BetSettled,
    CardsDealt,
    HandDecided,
    HandInvalidated,
    MeterFrozen,
    Outcome,
    RoundEvent,
    RoundOpened,
    RoundReopened,
)
from croupier.rounds.evolve import evolve, evolve_all
from croupier.rounds.refusal import Code, Refusal, not_authorised
from croupier.rounds.state import Box, HandStands, Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import JACKPOT_BET, BoxNo, Incident, Role

TableEvent: TypeAlias = tuple[TableName, RoundEvent]


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of a house (or of one script), and the link they share."""

    terms: Mapping[TableName, Terms]
    rounds: Mapping[TableName, Round]
    link: Link | None = None

    def with_round(self, table: TableName, state: Round) -> Tables:
        return replace(self, rounds={**self.rounds, table: state})


class Happened(msgspec.Struct, frozen=True):
    """What one command set off: at the tables, in order, and on the link."""

    tables: Tables
    events: tuple[TableEvent, ...]
    link_events: tuple[AnyLinkEvent, ...] = ()


def act(tables: Tables, table: TableName, command: RoundCommand) -> Happened | Refusal:
    """A command at one table, and all that follows from it on the link."""
    terms, state = tables.terms[table], tables.rounds[table]
    if spreads(terms, command):
        return act_everywhere(tables, command)
    if isinstance(command, PlaceBet):
        command = _known(tables, table, command)
    verdict = decide(terms, state, command)
    if isinstance(verdict, Refusal):
        return verdict
    return _pay_what_is_due(_entered(tables, table, verdict))


def act_everywhere(tables: Tables, command: RoundCommand) -> Happened | Refusal:
    """A fault of the whole link is reported at every table, each by its own state."""
    happened = Happened(tables, ())
    fault = None if tables.link is None else next_fault(tables.link)
    for table in tables.terms:
        now = happened.tables
        verdict = decide(now.terms[table], now.rounds[table], command)
        if isinstance(verdict, Refusal):
            return verdict
        here = _entered(now, table, verdict, fault)
        happened = Happened(here.tables, (*happened.events, *here.events), (*happened.link_events, *here.link_events))
    return _pay_what_is_due(happened)


def _known(tables: Tables, table: TableName, command: PlaceBet) -> PlaceBet:
    """Readings `under-min-memory` and `bar-scope`: what the other tables of the same house know of the Player."""
    operator = tables.terms[table].book.document.operator
    books = {name: terms.book for name, terms in tables.terms.items() if name != table}
    house = {name: book for name, book in books.items() if book.document.operator == operator}
    barred = any(
        command.player in tables.rounds[name].standing.prohibited
        for name, book in house.items()
        if book.authority.bars_in_the_house
    )
    remembered = any(command.player in tables.rounds[name].standing.under_minimum for name in house)
    return replace(command, barred=barred, remembered=remembered) if barred or remembered else command


def spreads(terms: Terms, command: RoundCommand) -> bool:
    """Reading `jackpot-fault` a: a fault at one table is one of every table of the link."""
    fault = isinstance(command, ReportIncident) and command.incident is Incident.JACKPOT_MALFUNCTION
    return fault and terms.book.jackpot.fault_spreads


def _entered(tables: Tables, table: TableName, events: Iterable[RoundEvent], fault: Fault | None = None) -> Happened:
    events = tuple(events)
    entered = enter(tables.terms[table], table, tables.rounds[table], tables.link, events, fault)
    after = replace(tables.with_round(table, entered.state), link=entered.link)
    return Happened(after, tuple((table, event) for event in events), entered.link_events)


def _pay_what_is_due(happened: Happened) -> Happened:
    """Pay every Round whose turn it is, until none is left whose turn it is."""
    while happened.tables.link is not None:
        tables = happened.tables
        paid = next_payment(tables.terms, happened.tables.link)
        if paid is None:
            return happened
        state = tables.rounds[paid.table]
        events = hand_over(tables.terms[paid.table], state, paid)
        given = AwardsHandedOver(table=paid.table, round=paid.round)
        link = evolve_link(evolve_link(happened.tables.link, paid), given)
        after = replace(tables.with_round(paid.table, evolve_all(state, events)), link=link)
        at_table = tuple((paid.table, event) for event in events)
        happened = Happened(after, (*happened.events, *at_table), (*happened.link_events, paid, given))
    return happened


# ---------------------------------------------------------------- one table and its link


class Fault(msgspec.Struct, frozen=True):
    """A fault of the jackpot system, and the meter as registered when it happened."""

    number: int
    units: int


def next_fault(link: Link) -> Fault:
    """The fault that is being reported now."""
    earlier = (*(freeze.fault for freeze in link.freezes), *(fault.number for fault in link.faults))
    return Fault(1 + max(earlier, default=0), link.meter)


class Entered(msgspec.Struct, frozen=True):
    """A table and its link after events of the table."""

    state: Round
    link: Link | None
    link_events: tuple[AnyLinkEvent, ...] = ()


def enter(
    terms: Terms,
    table: TableName,
    state: Round,
    link: Link | None,
    events: Iterable[RoundEvent],
    fault: Fault | None = None,
    signatures: int = 0,
) -> Entered:
    """The events of a table, and what each does to the link at its moment; `signatures` is how many people verify a
    major award of this table before it is paid.
    """
    if link is None:
        return Entered(evolve_all(state, events), None)
    events = tuple(events)
    if fault is None and any(isinstance(event, MeterFrozen) for event in events):
        fault = next_fault(link)
    on_link: list[AnyLinkEvent] = []
    for event in events:
        before, state = state, evolve(state, event)
        for consequence in _on_link(terms, table, link, before, state, event, fault):
            link = evolve_link(link, consequence)
            on_link.append(consequence)
    for consequence in _resolved(terms, table, link, state, signatures):
        link = evolve_link(link, consequence)
        on_link.append(consequence)
    return Entered(state, link, tuple(on_link))


def _on_link(
    terms: Terms, table: TableName, link: Link, before: Round, state: Round, event: RoundEvent, fault: Fault | None
) -> Iterable[AnyLinkEvent]:
    """What one event of a table means for the link."""
    number = state.number
    match event:
        case BetsClosed(jackpot_bets=bets):
            for bet in bets:
                added = contribution_of(link, table, number, bet.box, bet.amount)
                link = evolve_link(link, added)  # the next one sees how near the cap it is by then
                yield added
        case CardsDealt(to=to):
            if before.jackpot_bets and any(place.isdigit() for place in to) and wins_majors(terms):
                yield HandsDealt(table=table, round=number)
        case BetSettled(bet=bet_name, outcome=Outcome.RETURNED) if bet_name == JACKPOT_BET:
            yield from _contribution_taken_back(link, (table, event.round), event.box)
        case HandInvalidated(box=box) if _has_its_jackpot_bet_back(state.box(box)):
            yield from _contribution_taken_back(link, (table, number), box)
        case HandDecided(box=box) if _has_its_jackpot_bet_back(before.box(box)):
            yield from _contributed_again(link, table, state, {box})
        case MeterFrozen():
            assert fault is not None, "whoever enters a frozen meter has named the fault"
            yield MeterFrozenFor(table=table, round=number, fault=fault.number, units=fault.units)
        case RoundReopened():
            yield AwardsReversed(table=table, round=number)
            # A Bet that the settlement gave back is in play again, and its contribution with it.
            in_play = {box.number for box in state.boxes if not _has_its_jackpot_bet_back(box)}
            yield from _contributed_again(link, table, state, in_play)
            if before.jackpot_bets and wins_majors(terms):
                yield DealRestored(table=table, round=number)
        case RoundOpened() if before.number:
            yield RoundForgotten(table=table, round=before.number)
        case _:
            pass


def _has_its_jackpot_bet_back(box: Box) -> bool:
    """The Hand is out of the Round, and its jackpot Bet went back with it."""
    return box.stands is HandStands.INVALID and JACKPOT_BET not in (*box.lost, *box.settled)


def _contribution_taken_back(link: Link, key: RoundKey, box: BoxNo) -> Iterable[AnyLinkEvent]:
    for made in link.contributions:
        # An award paid since has taken the contribution with it: there is nothing left to take back.
        if (made.round, made.box) == (key, box) and not made.taken_by:
            yield ContributionReversed(
                table=key[0],
                round=key[1],
                box=box,
                units=made.units,
                reserve=made.reserve,
                overflow=made.overflow,
            )


def _contributed_again(link: Link, table: TableName, state: Round, boxes: Set[BoxNo]) -> Iterable[AnyLinkEvent]:
    counted = {made.box for made in link.contributions if made.round == (table, state.number)}
    for bet in state.jackpot_bets:
        if bet.box in boxes and bet.box not in counted:
            added = contribution_of(link, table, state.number, bet.box, bet.amount)
            link = evolve_link(link, added)
            yield added


def _resolved(terms: Terms, table: TableName, link: Link, state: Round, signatures: int) -> Iterable[AnyLinkEvent]:
    """Claims are entered when the Round is settled; a Round that can win no more leaves the order of deals."""
    key = (table, state.number)
    if state.stage is Stage.SETTLED and all(pending.round != key for pending in link.pending):
        claims = tuple(claim for claim in state.claims if claim.round == state.number)
        if claims:
            yield ClaimsEntered(table=table, round=state.number, claims=claims, signatures=signatures)
            return
    if key in link.dealt and not may_win_major(terms, state) and all(p.round != key for p in link.pending):
        yield RoundDecided(table=table, round=state.number)


def wins_majors(terms: Terms) -> bool:
    return any(award.is_major for award in terms.book.jackpot.awards)


def may_win_major(terms: Terms, state: Round) -> bool:
    """A live jackpot Bet and no result yet."""
    if state.stage is not Stage.PLAYING:
        return False
    standing = [state.box(bet.box).stands for bet in state.jackpot_bets]
    alive = {HandStands.LIVE} if terms.book.jackpot.folded_community_only else {HandStands.LIVE, HandStands.FOLDED}
    return any(stands in alive for stands in standing)


def next_payment(terms: Mapping[TableName, Terms], link: Link) -> AwardsPaid | None:
    """The Round whose turn it is to be paid, with what each of its winners gets; none while a fault is not carried out
    at every table, since it decides what they are paid from.
    """
    for pending in () if link.faults else link.pending:
        if pending.is_verified and not waits_for(link, pending, terms[pending.round[0]].book.jackpot):
            return pay(terms[pending.round[0]], link, pending)
    return None


def hand_over(terms: Terms, state: Round, paid: AwardsPaid) -> tuple[RoundEvent, ...]:
    """The winners' table hands over what the link has paid."""
    events: list[RoundEvent] = []
    for payment in paid.payments:
        command = PayAward(round=paid.round, box=payment.claim.box, lines=payment.lines, rules=payment.rules)
        verdict = decide(terms, state, command)
        assert not isinstance(verdict, Refusal), "a claim of the link is a claim of its Round"
        state = evolve_all(state, verdict)
        events.extend(verdict)
    return tuple(events)


# ---------------------------------------------------------------- rulings about the order of payment


def release_award(tables: Tables, table: TableName, by: Role) -> Happened | Refusal:
    """An award that waits for another table is paid now."""
    authority = tables.terms[table].book.authority
    if tables.link is None or all(pending.round[0] != table for pending in tables.link.pending):
        return Refusal(Code.NOTHING_AWAITED, f"No award of table {table} waits to be paid.", authority.payment_order)
    if by < authority.payment_order_by:
        return not_authorised(by, authority.payment_order_by, "release an award", authority.payment_order)
    return _link_ruled(tables, AwardReleased(table=table))


def rule_deal_order(tables: Tables, table: TableName, by: Role, order: tuple[TableName, ...]) -> Happened | Refusal:
    """The House determines conclusively whose Hands were dealt first."""
    authority = tables.terms[table].book.authority
    unknown = [name for name in order if name not in tables.terms]
    if tables.link is None or unknown or len(set(order)) != len(order):
        what = (
            f"There is no table {unknown[0]} on the link."
            if unknown
            else "The order of deals names tables of the link."
        )
        return Refusal(Code.FACT_MISSING, what, authority.payment_order)
    if by < authority.payment_order_by:
        return not_authorised(by, authority.payment_order_by, "determine the order of deals", authority.payment_order)
    return _link_ruled(tables, DealOrderRuled(tables=order))


def _link_ruled(tables: Tables, event: AnyLinkEvent) -> Happened:
    assert tables.link is not None
    ruled = replace(tables, link=evolve_link(tables.link, event))
    return _pay_what_is_due(Happened(ruled, (), (event,)))


def claims_waiting(tables: Tables) -> tuple[tuple[TableName, AwardClaimed], ...]:
    """Awards that are locked and not paid yet."""
    if tables.link is None:
        return ()
    return tuple((p.round[0], claim) for p in tables.link.pending for claim in p.claims)
