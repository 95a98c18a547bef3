"""What each winner of a Round is paid from the meter, in the order of his own rulebook."""

from __future__ import annotations

from typing import assert_never

import msgspec

from croupier.jackpots.link import AwardsPaid, Link, Payment, Pending
from croupier.money import Money, ShareOfMeter
from croupier.rounds.commands import PaidLine
from croupier.rounds.events import AwardClaimed
from croupier.rounds.settlement import fixed_amount
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    AcrossTables,
    Award,
    Jackpot,
    PartialAward,
    PoolOf,
    Rules,
    SameTable,
    ShareFloor,
)


class _Purse(msgspec.Struct):
    """The value that is run down while one Round is paid; on paper where the meter is frozen."""

    value: int
    scale: int
    reset: int
    taken: int = 0
    """Units paid out of the meter."""
    was_reset: bool = False
    seeded: int = 0
    """Units the House puts in again: reset values and what a floor of shares costs."""

    def share(self, pays: ShareOfMeter) -> Money:
        """A share of the value now, rounded down to the cent."""
        return self.value * pays.numerator // (pays.denominator * self.scale)

    def take(self, cents: Money, pays: ShareOfMeter, jackpot: Jackpot) -> None:
        """The meter falls; a win of the whole of it, or a reading that says so, sets it back to its reset value."""
        units = cents * self.scale
        self.taken += units
        self.value -= units
        floor = jackpot.partial_award is PartialAward.LOWERS_TO_RESET_VALUE
        if pays.is_all:
            self.was_reset = True
            self._add(self.reset)
        elif jackpot.partial_award is PartialAward.RESETS or (floor and self.value < self.reset):
            self._add(self.reset - self.value)

    def fill_up_to(self, least: int) -> None:
        """The House does not let the value end below this."""
        self._add(max(least - self.value, 0))

    def _add(self, units: int) -> None:
        self.value += units
        self.seeded += units


def pay(terms: Terms, link: Link, pending: Pending) -> AwardsPaid:
    """One Round's claims, paid."""
    jackpot = terms.book.jackpot
    freeze = link.frozen_for(pending.round)
    start = freeze.units if freeze is not None else link.meter
    purse = _Purse(start, link.scale, link.reset * link.scale)
    paid: dict[int, tuple[PaidLine, ...]] = {}
    order: dict[int, Rules] = {}
    claims = list(pending.claims)
    shared = _shared_award(claims)
    if shared is not None:
        sharing = [claim for claim in claims if shared in claim.awards]
        for claim, line in zip(sharing, _equal_shares(jackpot, purse, shared, len(sharing)), strict=True):
            paid[claim.box] = (line,)
        claims = [claim for claim in claims if claim.box not in paid]
    for group in _in_order(jackpot, claims):
        if len(group) > 1:
            for claim, line in zip(group, _pool(jackpot, purse, group), strict=True):
                paid[claim.box] = (line,)
                order[claim.box] = jackpot.pool_rules
        else:
            paid[group[0].box] = _pay_one(terms, purse, group[0])
            order[group[0].box] = jackpot.same_table_rules if len(claims) > 1 else ()
    simultaneous = (
        pending.after_another
        or any(other.round != pending.round for other in link.pending)
        or _entered_after(jackpot, link, pending)
    )
    across = jackpot.across_tables_rules if simultaneous and purse.taken else ()
    from_paper = jackpot.frozen_rules if freeze is not None else ()
    number = pending.round[1]
    claims_of = {claim.box: claim for claim in pending.claims}
    added = _top_up(link, purse, frozen=freeze is not None)
    from_reserve = min(link.reserve, added) if purse.was_reset else 0
    return AwardsPaid(
        table=pending.round[0],
        round=number,
        payments=tuple(
            Payment(claims_of[box], lines, (*order.get(box, ()), *across, *from_paper)) for box, lines in paid.items()
        ),
        taken=purse.taken,
        topped_up=added - from_reserve,
        from_frozen=start - purse.value if freeze is not None else 0,
        from_reserve=from_reserve,
        from_overflow=link.overflow if purse.was_reset else 0,
    )


def _entered_after(jackpot: Jackpot, link: Link, pending: Pending) -> bool:
    """Where the order is that of entry: a Round of another table, which has begun no new one yet, was paid before."""
    before = {paid.round[0] for paid in link.payments if paid.taken} - {pending.round[0]}
    return jackpot.across_tables is AcrossTables.BY_ENTRY and bool(before)


def _top_up(link: Link, purse: _Purse, *, frozen: bool) -> int:
    """What the House adds. A frozen value may exceed the live meter by then: the House bears the difference."""
    if not frozen:
        return purse.seeded
    return purse.seeded + max(purse.taken - link.meter, 0)


def _in_order(jackpot: Jackpot, claims: list[AwardClaimed]) -> list[list[AwardClaimed]]:
    """Winners of one table: clockwise, or lower hands first and the royal flush last, straight flushes pooled."""
    if jackpot.same_table in (SameTable.CLOCKWISE, SameTable.NONE_NEEDED):
        return [[claim] for claim in claims]
    royal = [claim for claim in claims if _wins_all(claim)]
    lower = [claim for claim in claims if not _wins_all(claim)]
    if jackpot.same_table is SameTable.POOLED_ROYAL_LAST:
        hands = dict.fromkeys(_major_hand(claim) for claim in lower)
        pools = [[claim for claim in lower if _major_hand(claim) == hand] for hand in hands]
        return [*pools, *([claim] for claim in royal)]
    return [*([claim] for claim in lower), *([claim] for claim in royal)]


def _major_hand(claim: AwardClaimed) -> str:
    return next(award.hand for award in claim.awards if award.is_major)


def _wins_all(claim: AwardClaimed) -> bool:
    return any(isinstance(award.pays, ShareOfMeter) and award.pays.is_all for award in claim.awards)


def _pay_one(terms: Terms, purse: _Purse, claim: AwardClaimed) -> tuple[PaidLine, ...]:
    """The greatest amount alone, or every line where the reading says so."""
    amounts = [(_amount(terms, purse, award, claim), award) for award in claim.awards]
    if not terms.book.jackpot.every_line:
        amounts = [max(amounts, key=lambda pair: pair[0])]
    else:
        amounts = _first_major_and_all_fixed(amounts)
    lines = []
    for amount, award in amounts:
        lines.append(PaidLine(award.hand, str(award.pays), amount, award.is_major))
        if isinstance(award.pays, ShareOfMeter):
            purse.take(amount, award.pays, terms.book.jackpot)
    return tuple(lines)


def _first_major_and_all_fixed(amounts: list[tuple[Money, Award]]) -> list[tuple[Money, Award]]:
    """A royal flush made on the flop is still one on the river: only its first street is a line of its own."""
    majors = [pair for pair in amounts if pair[1].is_major]
    return [*majors[:1], *(pair for pair in amounts if not pair[1].is_major)]


def _amount(terms: Terms, purse: _Purse, award: Award, claim: AwardClaimed) -> Money:
    if isinstance(award.pays, ShareOfMeter):
        return purse.share(award.pays)
    return fixed_amount(terms, award, claim)


def _pool(jackpot: Jackpot, purse: _Purse, winners: list[AwardClaimed]) -> list[PaidLine]:
    """Straight flushes of one Round: a share for each winner, added and divided equally."""
    award = next(award for award in winners[0].awards if award.is_major)
    assert isinstance(award.pays, ShareOfMeter)
    count = len(winners)
    match jackpot.pool_of:
        case PoolOf.RUNNING_METER:
            running, pool = _Purse(purse.value, purse.scale, purse.reset), 0
            for _ in winners:
                share = running.share(award.pays)
                pool += share
                running.value -= share * purse.scale
        case PoolOf.RESET_VALUE:
            at_reset = _Purse(purse.reset, purse.scale, purse.reset)
            pool = purse.share(award.pays) + (count - 1) * at_reset.share(award.pays)
        case PoolOf.ONCE:
            pool = purse.share(award.pays)
        case _:
            assert_never(jackpot.pool_of)
    each = pool // count
    purse.take(each * count, award.pays, jackpot)
    return [PaidLine(award.hand, str(award.pays), each, from_meter=True) for _ in winners]


def _shared_award(claims: list[AwardClaimed]) -> Award | None:
    """The board award that every participating Bet shares; the royal flush stands above the straight flush."""
    return next((award for claim in claims for award in claim.awards if award.shared), None)


def _equal_shares(jackpot: Jackpot, purse: _Purse, award: Award, count: int) -> list[PaidLine]:
    """Each participant gets an equal share, and never less than the same part of the base value."""
    assert isinstance(award.pays, ShareOfMeter)
    whole = purse.share(award.pays)
    least = _Purse(purse.reset, purse.scale, purse.reset).share(award.pays)
    each = max(whole // count, least)
    total = each * count
    from_meter = total if jackpot.share_floor is ShareFloor.METER else min(total, whole)
    purse.take(from_meter, award.pays, jackpot)
    if jackpot.share_floor is ShareFloor.METER:
        purse.fill_up_to(purse.reset if award.pays.is_all else 0)
    extra = (total - from_meter) * purse.scale
    purse.taken += extra
    purse.seeded += extra
    return [PaidLine(award.hand, str(award.pays), each, from_meter=True) for _ in range(count)]
