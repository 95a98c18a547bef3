"""What each winner of a Round is locked from the meter, in the order of the winner's own rulebook."""

from __future__ import annotations

from typing import assert_never

import msgspec

from croupier.jackpots.events import AwardLocked, AwardsLocked, RoundKey
from croupier.jackpots.link import Case, CaseState, Link
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


class Purse(msgspec.Struct):
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
        """Return a share of the value now, rounded down to the cent."""
        return self.value * pays.numerator // (pays.denominator * self.scale)

    def take(self, cents: Money, pays: ShareOfMeter, jackpot: Jackpot) -> None:
        """Lower the meter; a win of all of it, or a reading that says so, sets it to its reset value."""
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
        """Let the House raise the value to at least this."""
        self._add(max(least - self.value, 0))

    def _add(self, units: int) -> None:
        self.value += units
        self.seeded += units


def lock(terms: Terms, link: Link, key: RoundKey) -> AwardsLocked:
    """Lock the next cases of a Round whose turn has come: one winner, or those who share one award."""
    jackpot = terms.book.jackpot
    every = [case for case in link.cases_of(key) if case.state is not CaseState.DENIED]
    group = next(group for group in in_order(jackpot, every) if group[0].state is CaseState.CLAIMED)
    freeze = link.frozen_for(key)
    start = freeze.units if freeze is not None else link.meter
    purse = Purse(start, link.scale, link.reset * link.scale)
    lines, order = take_turn(terms, purse, group, every)
    across = jackpot.across_tables_rules if purse.taken and _beside_other_tables(jackpot, link, group[0]) else ()
    from_paper = jackpot.frozen_rules if freeze is not None else ()
    rules = (*order, *across, *from_paper)
    added = topped_up(link, purse, frozen=freeze is not None)
    from_reserve = min(link.reserve, added) if purse.was_reset else 0
    return AwardsLocked(
        table=key[0],
        round=key[1],
        awards=tuple(AwardLocked(case.number, paid, rules) for case, paid in zip(group, lines, strict=True)),
        taken=purse.taken,
        topped_up=added - from_reserve,
        from_frozen=start - purse.value if freeze is not None else 0,
        from_reserve=from_reserve,
        from_overflow=link.overflow if purse.was_reset else 0,
    )


def take_turn(
    terms: Terms, purse: Purse, group: list[Case], every: list[Case]
) -> tuple[list[tuple[PaidLine, ...]], Rules]:
    """Return what each of a group takes from the purse, and the rules for the group's place among all winners."""
    jackpot, sharing = terms.book.jackpot, sharing_in(every)
    if group == sharing:
        return [(line,) for line in _equal_shares(jackpot, purse, group)], ()
    if len(group) > 1:
        return [(line,) for line in _pool(jackpot, purse, group)], jackpot.pool_rules
    lines = _one_winner(terms, purse, group[0].claim)
    return [lines], jackpot.same_table_rules if len(every) - len(sharing) > 1 else ()


def _beside_other_tables(jackpot: Jackpot, link: Link, case: Case) -> bool:
    """Return whether winners of other tables compete with this one, so that the order between tables decides."""
    if case.after_another or any(other.is_open and other.round != case.round for other in link.cases):
        return True
    # Where the order is that of entry: a Round of another table, which has begun no new one yet, went before.
    before = {lock.round[0] for lock in link.locks if lock.taken} - {case.table}
    return jackpot.across_tables is AcrossTables.BY_ENTRY and bool(before)


def topped_up(link: Link, purse: Purse, *, frozen: bool) -> int:
    """Return what the House adds; where a frozen value exceeds the live meter, it bears the difference."""
    if not frozen:
        return purse.seeded
    return purse.seeded + max(purse.taken - link.meter, 0)


def in_order(jackpot: Jackpot, cases: list[Case]) -> list[list[Case]]:
    """Return the winners of one Round in groups that are locked together.

    A shared board award comes first; then clockwise, or lower hands first and the royal flush last, straight flushes
    pooled.
    """
    sharing = sharing_in(cases)
    groups = [sharing] if sharing else []
    rest = [case for case in cases if case not in sharing]
    if jackpot.same_table in (SameTable.CLOCKWISE, SameTable.NONE_NEEDED):
        return [*groups, *([case] for case in rest)]
    royal = [case for case in rest if _wins_all(case.claim)]
    lower = [case for case in rest if not _wins_all(case.claim)]
    if jackpot.same_table is SameTable.POOLED_ROYAL_LAST:
        hands = dict.fromkeys(_major_hand(case.claim) for case in lower)
        pools = [[case for case in lower if _major_hand(case.claim) == hand] for hand in hands]
        return [*groups, *pools, *([case] for case in royal)]
    return [*groups, *([case] for case in lower), *([case] for case in royal)]


def sharing_in(cases: list[Case]) -> list[Case]:
    """Return the cases that share a board award equally; the royal flush ranks above the straight flush."""
    award = _shared_award(cases)
    return [] if award is None else [case for case in cases if award in case.claim.awards]


def _shared_award(cases: list[Case]) -> Award | None:
    return next((award for case in cases for award in case.claim.awards if award.shared), None)


def _major_hand(claim: AwardClaimed) -> str:
    return next(award.hand for award in claim.awards if award.is_major)


def _wins_all(claim: AwardClaimed) -> bool:
    return any(isinstance(award.pays, ShareOfMeter) and award.pays.is_all for award in claim.awards)


def _one_winner(terms: Terms, purse: Purse, claim: AwardClaimed) -> tuple[PaidLine, ...]:
    """Return the greatest amount alone, or every line where the reading says so."""
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
    """Keep one major line: a royal flush made on the flop is still one on the river."""
    majors = [pair for pair in amounts if pair[1].is_major]
    return [*majors[:1], *(pair for pair in amounts if not pair[1].is_major)]


def _amount(terms: Terms, purse: Purse, award: Award, claim: AwardClaimed) -> Money:
    if isinstance(award.pays, ShareOfMeter):
        return purse.share(award.pays)
    return fixed_amount(terms, award, claim)


def _pool(jackpot: Jackpot, purse: Purse, winners: list[Case]) -> list[PaidLine]:
    """Add a share for each straight flush of one Round and divide the sum equally."""
    award = next(award for award in winners[0].claim.awards if award.is_major)
    assert isinstance(award.pays, ShareOfMeter)
    count = len(winners)
    match jackpot.pool_of:
        case PoolOf.RUNNING_METER:
            running, pool = Purse(purse.value, purse.scale, purse.reset), 0
            for _ in winners:
                share = running.share(award.pays)
                pool += share
                running.value -= share * purse.scale
        case PoolOf.RESET_VALUE:
            at_reset = Purse(purse.reset, purse.scale, purse.reset)
            pool = purse.share(award.pays) + (count - 1) * at_reset.share(award.pays)
        case PoolOf.ONCE:
            pool = purse.share(award.pays)
        case _:
            assert_never(jackpot.pool_of)
    each = pool // count
    purse.take(each * count, award.pays, jackpot)
    return [PaidLine(award.hand, str(award.pays), each, from_meter=True) for _ in winners]


def _equal_shares(jackpot: Jackpot, purse: Purse, sharing: list[Case]) -> list[PaidLine]:
    """Divide an award equally; no share is less than the same part of the base value."""
    award, count = _shared_award(sharing), len(sharing)
    assert award is not None
    assert isinstance(award.pays, ShareOfMeter)
    whole = purse.share(award.pays)
    least = Purse(purse.reset, purse.scale, purse.reset).share(award.pays)
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
