"""What each event makes of the link: (state, event) -> state, with nothing judged."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from typing import assert_never

from msgspec.structs import replace

from croupier.jackpots.link import (
    LAST_HITS,
    AnyLinkEvent,
    AwardReleased,
    AwardsHandedOver,
    AwardsPaid,
    AwardsReversed,
    ClaimsEntered,
    ClaimsVerified,
    Contributed,
    Contribution,
    ContributionReversed,
    DealOrderRuled,
    DealRestored,
    FaultCarriedOut,
    FaultReported,
    Freeze,
    HandsDealt,
    Hit,
    Link,
    LinkClosed,
    LinkReopened,
    MeterAdjusted,
    MeterFrozenFor,
    OpenFault,
    Paid,
    Parameters,
    ParametersChanged,
    Pending,
    RoundDecided,
    RoundForgotten,
    RoundKey,
    TableName,
)


def evolve_link(link: Link, event: AnyLinkEvent) -> Link:
    """(state, event) -> state; nothing is judged here."""
    match event:
        case Contributed(table=table, round=number, box=box, units=units, reserve=reserve, overflow=overflow):
            made = Contribution((table, number), box, units, reserve, overflow)
            return replace(
                link,
                meter=link.meter + units,
                reserve=link.reserve + reserve,
                overflow=link.overflow + overflow,
                contributed=link.contributed + units + reserve + overflow,
                contributions=(*link.contributions, made),
            )
        case ContributionReversed(table=table, round=number, box=box, units=units, reserve=reserve, overflow=overflow):
            return replace(
                link,
                meter=link.meter - units,
                reserve=link.reserve - reserve,
                overflow=link.overflow - overflow,
                contributed=link.contributed - units - reserve - overflow,
                contributions=tuple(c for c in link.contributions if (c.round, c.box) != ((table, number), box)),
            )
        case HandsDealt(table=table, round=number):
            key = (table, number)
            return replace(link, dealt=_last(link.dealt, key), deals=_last(link.deals, key))
        case DealRestored(table=table, round=number):
            open_rounds = {*link.dealt, (table, number)}
            return replace(link, dealt=tuple(k for k in link.deals if k in open_rounds))
        case RoundDecided(table=table, round=number):
            return replace(link, dealt=tuple(k for k in link.dealt if k != (table, number)))
        case ClaimsEntered(table=table, round=number, claims=claims, signatures=signatures):
            return replace(link, pending=(*link.pending, Pending((table, number), claims, signatures=signatures)))
        case ClaimsVerified(table=table, round=number, by=by):
            return replace(
                link,
                pending=tuple(
                    replace(p, signed=(*p.signed, by)) if p.round == (table, number) else p for p in link.pending
                ),
            )
        case AwardsPaid():
            return _paid(link, event)
        case AwardsHandedOver(table=table, round=number):
            left = tuple(paid for paid in link.handovers if (paid.table, paid.round) != (table, number))
            return replace(link, handovers=left)
        case AwardsReversed(table=table, round=number):
            return _reversed(link, (table, number))
        case MeterFrozenFor(table=table, round=number, fault=fault, units=units):
            known = next((f for f in link.freezes if f.fault == fault), Freeze(fault, (), units))
            widened = replace(known, rounds=(*known.rounds, (table, number)))
            return replace(link, freezes=(*(f for f in link.freezes if f.fault != fault), widened))
        case FaultReported(fault=fault, units=units, report=report, tables=tables):
            return replace(link, faults=(*link.faults, OpenFault(fault, units, report, tables)))
        case FaultCarriedOut(fault=fault, table=table):
            return replace(link, faults=_carried_out(link.faults, fault, table))
        case AwardReleased(table=table):
            return replace(
                link, pending=tuple(replace(p, released=True) if p.round[0] == table else p for p in link.pending)
            )
        case DealOrderRuled(tables=tables):
            return replace(link, dealt=_ordered(link.dealt, tables), deals=_ordered(link.deals, tables))
        case LinkClosed():
            return replace(link, closed=True)
        case LinkReopened():
            return replace(link, closed=False)
        case ParametersChanged(parameters=parameters):
            return _with_parameters(link, parameters)
        case MeterAdjusted(units=units):
            return replace(link, meter=link.meter + units, topped_up=link.topped_up + units)
        case RoundForgotten(table=table, round=number):
            key = (table, number)
            waiting = {p.round for p in link.pending}
            kept_rounds = (
                replace(f, rounds=tuple(k for k in f.rounds if k[0] != table or k in waiting)) for f in link.freezes
            )
            return replace(
                link,
                contributions=tuple(c for c in link.contributions if c.round != key),
                payments=tuple(p for p in link.payments if p.round != key),
                deals=tuple(k for k in link.deals if k[0] != table or k in waiting),
                freezes=tuple(freeze for freeze in kept_rounds if freeze.rounds),
            )
        case _:
            assert_never(event)


def _last(keys: tuple[RoundKey, ...], key: RoundKey) -> tuple[RoundKey, ...]:
    return (*(k for k in keys if k != key), key)


def _ordered(keys: tuple[RoundKey, ...], tables: tuple[TableName, ...]) -> tuple[RoundKey, ...]:
    """The places that these tables' Rounds hold, given out again in the order of the tables."""
    order = iter(sorted((k for k in keys if k[0] in tables), key=lambda key: tables.index(key[0])))
    return tuple(next(order) if k[0] in tables else k for k in keys)


def _carried_out(faults: tuple[OpenFault, ...], number: int, table: TableName) -> tuple[OpenFault, ...]:
    left = (
        replace(fault, tables=tuple(t for t in fault.tables if t != table)) if fault.number == number else fault
        for fault in faults
    )
    return tuple(fault for fault in left if fault.tables)


def _paid(link: Link, event: AwardsPaid) -> Link:
    key = (event.table, event.round)
    freezes = tuple(
        replace(freeze, units=freeze.units - event.from_frozen) if key in freeze.rounds else freeze
        for freeze in link.freezes
    )
    hits = tuple(
        Hit(event.table, event.round, payment.claim.box, payment.claim.player, line.hand, line.amount)
        for payment in event.payments
        for line in payment.lines
        if line.from_meter
    )
    paid = Paid(key, event.taken, event.topped_up, event.from_reserve, event.from_overflow, event.from_frozen)
    contributions = link.contributions
    if event.taken:
        contributions = tuple(replace(made, taken_by=(*made.taken_by, key)) for made in contributions)
    return replace(
        link,
        meter=link.meter - event.taken + event.topped_up + event.from_reserve + event.from_overflow,
        reserve=link.reserve - event.from_reserve,
        overflow=link.overflow - event.from_overflow,
        paid=link.paid + event.taken,
        topped_up=link.topped_up + event.topped_up,
        awards=link.awards + (1 if event.taken else 0),
        contributions=contributions,
        payments=(*link.payments, paid),
        pending=tuple(
            replace(p, after_another=p.after_another or bool(event.taken)) for p in link.pending if p.round != key
        ),
        dealt=tuple(k for k in link.dealt if k != key),
        freezes=freezes,
        handovers=(*link.handovers, event),
        hits=link.hits + len(hits),
        last_hits=(*link.last_hits, *hits)[-LAST_HITS:],
    )


def _reversed(link: Link, key: RoundKey) -> Link:
    """A Round's payments are as if they had not been."""
    undone = [paid for paid in link.payments if paid.round == key]
    taken = sum(paid.taken for paid in undone)
    topped_up = sum(paid.topped_up for paid in undone)
    from_reserve = sum(paid.from_reserve for paid in undone)
    from_overflow = sum(paid.from_overflow for paid in undone)
    from_frozen = sum(paid.from_frozen for paid in undone)
    hits = tuple(hit for hit in link.last_hits if (hit.table, hit.round) != key)
    return replace(
        link,
        meter=link.meter + taken - topped_up - from_reserve - from_overflow,
        reserve=link.reserve + from_reserve,
        overflow=link.overflow + from_overflow,
        paid=link.paid - taken,
        topped_up=link.topped_up - topped_up,
        awards=link.awards - sum(1 for paid in undone if paid.taken),
        contributions=tuple(
            replace(made, taken_by=tuple(k for k in made.taken_by if k != key)) for made in link.contributions
        ),
        freezes=tuple(
            replace(freeze, units=freeze.units + from_frozen) if key in freeze.rounds else freeze
            for freeze in link.freezes
        ),
        payments=tuple(paid for paid in link.payments if paid.round != key),
        pending=tuple(p for p in link.pending if p.round != key),
        hits=link.hits - (len(link.last_hits) - len(hits)),
        last_hits=hits,
    )


def _with_parameters(link: Link, parameters: Parameters) -> Link:
    """New rates may need finer units: everything is carried over exactly."""
    scale = lcm(link.scale, parameters.contribution.denominator, parameters.reserve.denominator)
    finer = scale // link.scale
    return replace(
        link,
        parameters=parameters,
        scale=scale,
        meter=link.meter * finer,
        reserve=link.reserve * finer,
        overflow=link.overflow * finer,
        seeded=link.seeded * finer,
        contributed=link.contributed * finer,
        topped_up=link.topped_up * finer,
        paid=link.paid * finer,
        # A Round that is settled may still be reopened: what it gave and got must be there to be taken back.
        contributions=tuple(
            replace(c, units=c.units * finer, reserve=c.reserve * finer, overflow=c.overflow * finer)
            for c in link.contributions
        ),
        payments=tuple(
            replace(
                p,
                taken=p.taken * finer,
                topped_up=p.topped_up * finer,
                from_reserve=p.from_reserve * finer,
                from_overflow=p.from_overflow * finer,
                from_frozen=p.from_frozen * finer,
            )
            for p in link.payments
        ),
        freezes=tuple(replace(freeze, units=freeze.units * finer) for freeze in link.freezes),
        faults=tuple(replace(fault, units=fault.units * finer) for fault in link.faults),
    )


def evolve_link_all(link: Link, events: Iterable[AnyLinkEvent]) -> Link:
    for event in events:
        link = evolve_link(link, event)
    return link
