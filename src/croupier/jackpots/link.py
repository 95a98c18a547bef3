"""Where a link stands: one meter in integers finer than a cent, award cases, and the order of deals."""

from __future__ import annotations

from enum import StrEnum
from math import lcm

import msgspec

from croupier.jackpots.events import AwardLocked, Contributed, RoundKey, TableName
from croupier.jackpots.parameters import Parameters
from croupier.jackpots.round_index import RoundIndex
from croupier.money import Money
from croupier.rounds.commands import ReportIncident
from croupier.rounds.events import AwardClaimed, BetSettled
from croupier.rulebooks.vocabulary import AcrossTables, BoxNo, Jackpot


class Contribution(msgspec.Struct, frozen=True, gc=False):
    """What one jackpot Bet added, kept while it can still be taken back."""

    round: RoundKey
    box: BoxNo
    units: int
    reserve: int
    overflow: int
    taken_by: tuple[int, ...] = ()
    """Locks made from the meter since, by their first case: what they took cannot be taken back again."""


class Contributions(RoundIndex[Contribution]):
    """What jackpot Bets added, in order."""

    __slots__ = ()

    @staticmethod
    def table_of(value: Contribution) -> TableName:
        return value.round[0]

    def of_round(self, key: RoundKey) -> tuple[Contribution, ...]:
        """Return what the jackpot Bets of one Round added."""
        return tuple([made for made in self.of_table(key[0]) if made.round == key])


class RoundKeys(RoundIndex[RoundKey]):
    """Rounds, in order."""

    __slots__ = ()

    @staticmethod
    def table_of(value: RoundKey) -> TableName:
        return value[0]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and key in self.of_table(key[0])


NO_CONTRIBUTIONS, NO_ROUNDS = Contributions(), RoundKeys()


def plain(value: object) -> object:
    """Return what an encoder writes for an index of a link (`enc_hook`)."""
    if isinstance(value, RoundIndex):
        return tuple(value) if value else ()
    raise NotImplementedError(f"{type(value).__name__} is not part of a link")


def indexed(kind: type, value: object) -> object:
    """Return the index of a link that a decoder has read as a list (`dec_hook`)."""
    if kind is Contributions:
        return Contributions(msgspec.convert(value, tuple[Contribution, ...])) if value else NO_CONTRIBUTIONS
    if kind is RoundKeys:
        return RoundKeys(msgspec.convert(value, tuple[RoundKey, ...])) if value else NO_ROUNDS
    raise NotImplementedError(f"{kind.__name__} is not part of a link")


class CaseState(StrEnum):
    """How far an award has come."""

    CLAIMED = "claimed"
    """Its turn has not come: other Rounds may still go before it."""
    LOCKED = "locked"
    """Its value is set aside; it waits for signatures."""
    PAID = "paid"
    DENIED = "denied"


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One major award, from the claim to its end. It belongs to the Round that won it and to no other."""

    number: int
    table: TableName
    claim: AwardClaimed
    state: CaseState = CaseState.CLAIMED
    signatures: int = 0
    """How many different people have to sign before it is paid."""
    signed: tuple[str, ...] = ()
    released: bool = False
    after_another: bool = False
    """A winner at another table was locked while this claim waited."""
    locked: AwardLocked | None = None
    line: BetSettled | None = None
    """The line of its jackpot Bet once it is paid or denied; None where the first release paid it at the table."""
    past: bool = False
    """Its table has opened a new Round: the case can no longer be unwound."""

    @property
    def round(self) -> RoundKey:
        return self.table, self.claim.round

    @property
    def is_open(self) -> bool:
        return self.state in (CaseState.CLAIMED, CaseState.LOCKED)

    @property
    def is_verified(self) -> bool:
        return len(self.signed) >= self.signatures

    @property
    def amount(self) -> Money | None:
        """All that is paid on it, once that is known."""
        return None if self.locked is None else sum(line.amount for line in self.locked.lines)

    @property
    def from_meter(self) -> Money:
        """What the meter pays of it."""
        return 0 if self.locked is None else self.locked.from_meter


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    """What cases locked together have done to the link, kept while it can still be undone."""

    cases: tuple[int, ...]
    round: RoundKey
    taken: int
    topped_up: int
    from_reserve: int
    from_overflow: int
    from_frozen: int


class Freeze(msgspec.Struct, frozen=True):
    """A value on paper that the Rounds of one fault are paid from."""

    fault: int
    rounds: tuple[RoundKey, ...]
    units: int


class OpenFault(msgspec.Struct, frozen=True):
    """A fault that tables of other servers have yet to carry out."""

    number: int
    units: int
    report: ReportIncident
    tables: tuple[TableName, ...]


class Hit(msgspec.Struct, frozen=True, array_like=True):
    """A major award that was paid, for the record that every regulator asks for."""

    table: TableName
    round: int
    box: BoxNo
    player: str
    hand: str
    amount: Money


LAST_HITS = 25


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """The jackpot that every table of the link shares. All values are in units: a cent is `scale` of them."""

    parameters: Parameters
    scale: int
    """Meter units in a cent: a multiple of every rate's denominator, so that no contribution is ever rounded."""
    meter: int
    reserve: int = 0
    overflow: int = 0
    locked: int
    """Set aside for awards whose turn has come and that are not paid yet."""
    seeded: int
    contributed: int = 0
    topped_up: int = 0
    paid: int = 0
    closed: bool = False
    contributions: Contributions = NO_CONTRIBUTIONS
    claimed: int = 0
    """How many cases there have been."""
    cases: tuple[Case, ...] = ()
    """Every open case, and those that are closed as long as their Round can still be unwound."""
    locks: tuple[Lock, ...] = ()
    dealt: RoundKeys = NO_ROUNDS
    """Rounds that may still win a major award, or wait for their turn, in the order in which they were dealt."""
    deals: RoundKeys = NO_ROUNDS
    """Every Round dealt with jackpot Bets, in the order of dealing, while it can still be unwound."""
    freezes: tuple[Freeze, ...] = ()
    faults: tuple[OpenFault, ...] = ()
    hits: int = 0
    last_hits: tuple[Hit, ...] = ()

    @property
    def reset(self) -> Money:
        return self.parameters.reset

    @property
    def cents(self) -> Money:
        """The meter as people see it: whole cents, rounded down."""
        return self.meter // self.scale

    @property
    def reserve_cents(self) -> Money:
        return self.reserve // self.scale

    @property
    def overflow_cents(self) -> Money:
        return self.overflow // self.scale

    @property
    def locked_cents(self) -> Money:
        return self.locked // self.scale

    @property
    def balances(self) -> bool:
        """Conservation: seed + contributions + top-ups = meter + reserve + overflow + locked + paid."""
        come = self.seeded + self.contributed + self.topped_up
        return come == self.meter + self.reserve + self.overflow + self.locked + self.paid

    def case(self, number: int) -> Case | None:
        return next((case for case in self.cases if case.number == number), None)

    def cases_of(self, key: RoundKey) -> tuple[Case, ...]:
        """Return the awards of one Round."""
        return tuple(case for case in self.cases if case.round == key)

    @property
    def open_cases(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.is_open)

    @property
    def waiting(self) -> tuple[RoundKey, ...]:
        """Rounds with claims whose turn has not come, in the order in which they were entered."""
        return tuple(dict.fromkeys(case.round for case in self.cases if case.state is CaseState.CLAIMED))

    def frozen_for(self, key: RoundKey) -> Freeze | None:
        """Return the frozen value that this Round is paid from after a fault."""
        return next((freeze for freeze in self.freezes if key in freeze.rounds), None)


def new_link(meter: Money, parameters: Parameters) -> Link:
    """Return a link whose meter starts at this value."""
    scale = lcm(parameters.contribution.denominator, parameters.reserve.denominator)
    return Link(parameters=parameters, scale=scale, meter=meter * scale, locked=0, seeded=meter * scale)


def contribution_of(link: Link, table: TableName, number: int, box: BoxNo, amount: Money) -> Contributed:
    """Return what an accepted jackpot Bet adds: exact, never rounded; past the cap it overflows."""
    units = link.parameters.contribution.units(amount, link.scale)
    over = 0
    if link.parameters.cap is not None:
        over = min(units, max(link.meter + units - link.parameters.cap * link.scale, 0))
    reserve = link.parameters.reserve.units(amount, link.scale)
    return Contributed(table=table, round=number, box=box, units=units - over, reserve=reserve, overflow=over)


def waits_for(link: Link, key: RoundKey, rules: Jackpot) -> tuple[RoundKey, ...]:
    """Return the earlier-dealt Rounds that could still go before this one's claims."""
    if rules.across_tables is AcrossTables.BY_ENTRY or not rules.waits_for_earlier_deals:
        return ()
    if key not in link.dealt or any(case.released for case in link.cases_of(key)):
        return ()
    order = tuple(link.dealt)
    return order[: order.index(key)]


class Undone(msgspec.Struct, frozen=True):
    """Where the units of a lock go when it is undone."""

    to_meter: int
    to_house: int
    to_reserve: int
    to_overflow: int
    to_frozen: int


def undone(lock: Lock, meter: int) -> Undone:
    """Return where the units of a lock go when it is undone.

    What later locks took stays taken: the meter does not fall below zero, and the House leaves the missing part in it.
    """
    back = lock.taken - lock.topped_up - lock.from_reserve - lock.from_overflow
    missing = max(-(meter + back), 0)
    return Undone(back + missing, lock.topped_up - missing, lock.from_reserve, lock.from_overflow, lock.from_frozen)
