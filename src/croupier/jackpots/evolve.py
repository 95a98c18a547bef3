"""What each event makes of the link: (state, event) -> state, with nothing judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import lcm
from typing import assert_never

from msgspec.structs import replace

from croupier.jackpots import events
from croupier.jackpots.link import (
    LAST_HITS,
    Case,
    CaseState,
    Contribution,
    Contributions,
    Freeze,
    Hit,
    Link,
    Lock,
    OpenFault,
    RoundKeys,
    undone,
)
from croupier.jackpots.parameters import Parameters
from croupier.rounds.events import AwardPaid
from croupier.structs import extended


def evolve_link(link: Link, event: events.AnyLinkEvent) -> Link:
    """Apply an event to a link; nothing is judged here."""
    # The most frequent come first, compared by type as in `rounds.evolve`.
    if type(event) is events.Contributed:
        made = Contribution(event.key, event.box, event.units, event.reserve, event.overflow)
        return replace(
            link,
            meter=link.meter + event.units,
            reserve=link.reserve + event.reserve,
            overflow=link.overflow + event.overflow,
            contributed=link.contributed + event.units + event.reserve + event.overflow,
            contributions=link.contributions.adding(made),
        )
    if type(event) is events.HandsDealt:
        return replace(link, dealt=_last(link.dealt, event.key), deals=_last(link.deals, event.key))
    if type(event) is events.RoundDecided:
        return replace(link, dealt=_without_round(link.dealt, event.key))
    if type(event) is events.RoundForgotten:
        return _forgotten(link, event.key)
    match event:
        case events.ContributionReversed(
            table=table, key=key, box=box, units=units, reserve=reserve, overflow=overflow
        ):
            return replace(
                link,
                meter=link.meter - units,
                reserve=link.reserve - reserve,
                overflow=link.overflow - overflow,
                contributed=link.contributed - units - reserve - overflow,
                contributions=link.contributions.keeping(table, lambda c: (c.round, c.box) != (key, box)),
            )
        case events.DealRestored(key=key):
            open_rounds = {*link.dealt, key}
            return replace(link, dealt=RoundKeys(k for k in link.deals if k in open_rounds))
        case events.ClaimsEntered():
            return _claimed(link, event)
        case events.AwardsLocked():
            return _locked(link, event)
        case events.AwardSigned(case=number, by=by):
            return _with_case(link, number, lambda case: replace(case, signed=(*case.signed, by)))
        case events.CasePaid():
            return _case_paid(link, event)
        case events.CaseDenied():
            return _denied(link, event)
        case events.AwardsReversed(key=key):
            return _reversed(link, key)
        case events.MeterFrozenFor(key=key, fault=fault, units=units):
            known = next((f for f in link.freezes if f.fault == fault), Freeze(fault, (), units))
            widened = replace(known, rounds=(*known.rounds, key))
            return replace(link, freezes=(*(f for f in link.freezes if f.fault != fault), widened))
        case events.FaultReported(fault=fault, units=units, report=report, tables=tables):
            return replace(link, faults=(*link.faults, OpenFault(fault, units, report, tables)))
        case events.FaultCarriedOut(fault=fault, table=table):
            return replace(link, faults=_carried_out(link.faults, fault, table))
        case events.AwardReleased(table=table):
            return _with_cases(link, lambda case: replace(case, released=True) if case.table == table else case)
        case events.DealOrderRuled(tables=tables):
            return replace(link, dealt=_ordered(link.dealt, tables), deals=_ordered(link.deals, tables))
        case events.LinkClosed():
            return replace(link, closed=True)
        case events.LinkReopened():
            return replace(link, closed=False)
        case events.ParametersChanged(parameters=parameters):
            return _with_parameters(link, parameters)
        case events.MeterAdjusted(units=units):
            return replace(link, meter=link.meter + units, topped_up=link.topped_up + units)
        case events.ClaimsVerified() | events.AwardsPaid() | events.AwardsHandedOver():
            return _of_the_first_release(link, event)
        case _:
            assert_never(event)


def _without_round(keys: RoundKeys, key: events.RoundKey) -> RoundKeys:
    return keys.keeping(key[0], lambda k: k != key)


def _last(keys: RoundKeys, key: events.RoundKey) -> RoundKeys:
    return _without_round(keys, key).adding(key)


def _ordered(keys: RoundKeys, tables: tuple[events.TableName, ...]) -> RoundKeys:
    """Assign the places of these tables' Rounds again, in the order of the tables."""
    order = iter(sorted((k for k in keys if k[0] in tables), key=lambda key: tables.index(key[0])))
    return RoundKeys(next(order) if k[0] in tables else k for k in keys)


def _carried_out(faults: tuple[OpenFault, ...], number: int, table: events.TableName) -> tuple[OpenFault, ...]:
    left = (
        replace(fault, tables=tuple(t for t in fault.tables if t != table)) if fault.number == number else fault
        for fault in faults
    )
    return tuple(fault for fault in left if fault.tables)


# ---------------------------------------------------------------- award cases


def _claimed(link: Link, event: events.ClaimsEntered) -> Link:
    new = tuple(
        Case(number=number, table=event.table, claim=claim, signatures=event.signatures)
        for number, claim in enumerate(event.claims, link.claimed + 1)
    )
    return replace(link, claimed=link.claimed + len(new), cases=(*link.cases, *new))


def _locked(link: Link, event: events.AwardsLocked) -> Link:
    key = event.key
    locked = {award.case: award for award in event.awards}
    lock = extended(Lock, event, cases=tuple(locked), round=key)
    contributions = link.contributions
    if event.taken:
        contributions = Contributions(replace(made, taken_by=(*made.taken_by, lock.cases[0])) for made in contributions)

    def met(case: Case) -> Case:
        if case.number in locked:
            return replace(case, state=CaseState.LOCKED, locked=locked[case.number])
        waits = case.state is CaseState.CLAIMED and case.round != key
        return replace(case, after_another=True) if waits and event.taken else case

    after = replace(
        _with_cases(link, met),
        meter=link.meter - event.taken + event.topped_up + event.from_reserve + event.from_overflow,
        reserve=link.reserve - event.from_reserve,
        overflow=link.overflow - event.from_overflow,
        locked=link.locked + event.taken,
        topped_up=link.topped_up + event.topped_up,
        contributions=contributions,
        locks=(*link.locks, lock),
        freezes=_frozen_by(link, key, -event.from_frozen),
    )
    return _out_of_the_order(after, key)


def _out_of_the_order(link: Link, key: events.RoundKey) -> Link:
    """Remove a Round from the order of deals once all its claims have had their turn."""
    if key in link.waiting:
        return link
    return replace(link, dealt=_without_round(link.dealt, key))


def _case_paid(link: Link, event: events.CasePaid) -> Link:
    case = link.case(event.case)
    assert case is not None, "a case is paid while the link knows it"
    units = case.from_meter * link.scale
    paid = replace(case, state=CaseState.PAID, line=event.line)
    after = replace(_with_case(link, case.number, lambda _: paid), locked=link.locked - units, paid=link.paid + units)
    return _without_past(_with_hits(after, case, event.awards))


def _with_hits(link: Link, case: Case, awards: Iterable[AwardPaid]) -> Link:
    claim = case.claim
    hits = tuple(
        Hit(case.table, claim.round, claim.box, claim.player, award.hand, award.amount)
        for award in awards
        if award.from_meter
    )
    return replace(link, hits=link.hits + len(hits), last_hits=(*link.last_hits, *hits)[-LAST_HITS:])


def _denied(link: Link, event: events.CaseDenied) -> Link:
    case = link.case(event.case)
    assert case is not None, "a case is denied while the link knows it"
    units = case.from_meter * link.scale
    closed = replace(case, state=CaseState.DENIED, line=event.line)
    locks: list[Lock] = []
    contributions = link.contributions
    for lock in link.locks:
        if case.number not in lock.cases:
            locks.append(lock)
        elif len(lock.cases) > 1:
            left = tuple(number for number in lock.cases if number != case.number)
            locks.append(replace(lock, cases=left, taken=lock.taken - units))
            contributions = _taken_by(contributions, lock.cases[0], left[0])
        else:
            contributions = _taken_by(contributions, lock.cases[0], None)
    after = replace(
        _with_case(link, case.number, lambda _: closed),
        meter=link.meter + event.to_meter,
        reserve=link.reserve + event.to_reserve,
        overflow=link.overflow + event.to_overflow,
        topped_up=link.topped_up - event.to_house,
        locked=link.locked - units,
        locks=tuple(locks),
        contributions=contributions,
        freezes=_frozen_by(link, case.round, event.to_frozen),
    )
    return _without_past(_out_of_the_order(after, case.round))


def _taken_by(made: Contributions, lock: int, now: int | None) -> Contributions:
    """Update the contributions of a lock that has another first case now, or is undone."""
    return Contributions(
        replace(c, taken_by=tuple(now if n == lock else n for n in c.taken_by if n != lock or now is not None))
        for c in made
    )


def _reversed(link: Link, key: events.RoundKey) -> Link:
    """Undo what was claimed, locked or paid for a Round."""
    for lock in (lock for lock in link.locks if lock.round == key):
        back = undone(lock, link.meter)
        held = sum(
            case.from_meter * link.scale
            for case in link.cases
            if case.number in lock.cases and case.state is CaseState.LOCKED
        )
        link = replace(
            link,
            meter=link.meter + back.to_meter,
            reserve=link.reserve + back.to_reserve,
            overflow=link.overflow + back.to_overflow,
            topped_up=link.topped_up - back.to_house,
            locked=link.locked - held,
            paid=link.paid - (lock.taken - held),
            contributions=_taken_by(link.contributions, lock.cases[0], None),
            freezes=_frozen_by(link, key, back.to_frozen),
        )
    hits = tuple(hit for hit in link.last_hits if (hit.table, hit.round) != key)
    return replace(
        link,
        cases=tuple(case for case in link.cases if case.round != key),
        locks=tuple(lock for lock in link.locks if lock.round != key),
        hits=link.hits - (len(link.last_hits) - len(hits)),
        last_hits=hits,
    )


def _forgotten(link: Link, key: events.RoundKey) -> Link:
    """Drop what is closed of a Round that can no longer be unwound; open cases stay."""
    table = key[0]
    waiting = set(link.waiting)
    past = replace(
        link,
        contributions=link.contributions.keeping(table, lambda c: c.round != key),
        deals=link.deals.keeping(table, lambda k: k in waiting),
    )
    if not link.cases and not link.freezes:
        return past
    freezes = (
        replace(freeze, rounds=tuple(k for k in freeze.rounds if k[0] != table or k in waiting))
        for freeze in link.freezes
    )
    past = replace(past, freezes=tuple(freeze for freeze in freezes if freeze.rounds))
    return _without_past(_with_cases(past, lambda case: replace(case, past=True) if case.round == key else case))


def _without_past(link: Link) -> Link:
    """Drop closed cases whose Round can no longer be unwound, and locks without a case."""
    if not any(case.past and not case.is_open for case in link.cases):
        return link
    cases = tuple(case for case in link.cases if case.is_open or not case.past)
    left = {case.number for case in cases}
    return replace(link, cases=cases, locks=tuple(lock for lock in link.locks if left.intersection(lock.cases)))


def _with_case(link: Link, number: int, change: Callable[[Case], Case]) -> Link:
    return _with_cases(link, lambda case: change(case) if case.number == number else case)


def _with_cases(link: Link, change: Callable[[Case], Case]) -> Link:
    return replace(link, cases=tuple(change(case) for case in link.cases))


def _frozen_by(link: Link, key: events.RoundKey, units: int) -> tuple[Freeze, ...]:
    """Add units to the frozen value that this Round is paid from."""
    return tuple(
        replace(freeze, units=freeze.units + units) if key in freeze.rounds else freeze for freeze in link.freezes
    )


# ---------------------------------------------------------------- journals of the first release


def _of_the_first_release(
    link: Link, event: events.ClaimsVerified | events.AwardsPaid | events.AwardsHandedOver
) -> Link:
    """Apply an event of the first release, which concerns all claims of a Round at once."""
    key = event.key
    match event:
        case events.ClaimsVerified(by=by):
            return _with_cases(
                link, lambda case: replace(case, signed=(*case.signed, by)) if case.round == key else case
            )
        case events.AwardsPaid():
            numbers = {case.claim.box: case.number for case in link.cases_of(key)}
            awards = tuple(events.AwardLocked(numbers[p.claim.box], p.lines, p.rules) for p in event.payments)
            return _locked(link, extended(events.AwardsLocked, event, awards=awards))
        case events.AwardsHandedOver():
            for case in paid_at_table(link, key):
                units = case.from_meter * link.scale
                link = _with_case(link, case.number, lambda case: replace(case, state=CaseState.PAID))
                link = _with_hits(
                    replace(link, locked=link.locked - units, paid=link.paid + units), case, paid_lines(case)
                )
            return _without_past(link)
        case _:
            assert_never(event)


def paid_at_table(link: Link, key: events.RoundKey) -> tuple[Case, ...]:
    """Return the cases that the first release paid at their table, in the order of payment."""
    numbers = [number for lock in link.locks if lock.round == key for number in lock.cases]
    cases = {case.number: case for case in link.cases_of(key)}
    return tuple(cases[number] for number in numbers if number in cases)


def paid_lines(case: Case) -> tuple[AwardPaid, ...]:
    """Return the awards that the first release paid on a case, without their paragraphs."""
    assert case.locked is not None, "the first release handed over what it had paid"
    claim = case.claim
    return tuple(
        extended(AwardPaid, line, round=claim.round, box=claim.box, player=claim.player, rules=())
        for line in case.locked.lines
    )


# ---------------------------------------------------------------- parameters


def _with_parameters(link: Link, parameters: Parameters) -> Link:
    """Change the parameters, and convert every value exactly into the finer units that new rates may need."""
    scale = lcm(link.scale, parameters.contribution.denominator, parameters.reserve.denominator)
    finer = scale // link.scale
    return replace(
        link,
        parameters=parameters,
        scale=scale,
        meter=link.meter * finer,
        reserve=link.reserve * finer,
        overflow=link.overflow * finer,
        locked=link.locked * finer,
        seeded=link.seeded * finer,
        contributed=link.contributed * finer,
        topped_up=link.topped_up * finer,
        paid=link.paid * finer,
        # A Round that is settled may still be reopened: what it gave and got must be there to be taken back.
        contributions=Contributions(
            replace(c, units=c.units * finer, reserve=c.reserve * finer, overflow=c.overflow * finer)
            for c in link.contributions
        ),
        locks=tuple(
            replace(
                lock,
                taken=lock.taken * finer,
                topped_up=lock.topped_up * finer,
                from_reserve=lock.from_reserve * finer,
                from_overflow=lock.from_overflow * finer,
                from_frozen=lock.from_frozen * finer,
            )
            for lock in link.locks
        ),
        freezes=tuple(replace(freeze, units=freeze.units * finer) for freeze in link.freezes),
        faults=tuple(replace(fault, units=fault.units * finer) for fault in link.faults),
    )


def evolve_link_all(link: Link, happened: Iterable[events.AnyLinkEvent]) -> Link:
    for event in happened:
        link = evolve_link(link, event)
    return link
