"""The link: one meter in integers finer than a cent, and everything that raises or lowers it, each with its cause."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TypeAlias

import msgspec

from croupier.money import Money
from croupier.rounds.commands import PaidLine, ReportIncident
from croupier.rounds.events import AwardClaimed
from croupier.rulebooks.vocabulary import AcrossTables, BoxNo, Jackpot, Rules

TableName: TypeAlias = str
RoundKey: TypeAlias = tuple[TableName, int]


# ---------------------------------------------------------------- how the jackpot grows


class Rate(msgspec.Struct, frozen=True, array_like=True):
    """A share of every jackpot Bet, exact."""

    numerator: int
    denominator: int = 1

    def units(self, amount: Money, scale: int) -> int:
        """This share of an amount, in meter units; exact because the scale is a multiple of every denominator."""
        units, rest = divmod(amount * self.numerator * scale, self.denominator)
        assert not rest, "the scale is a multiple of the denominator"
        return units


NOTHING = Rate(0)


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """What the House sets: the base value, the visible and the hidden share of every Bet, and a cap of the display."""

    reset: Money
    contribution: Rate
    reserve: Rate = NOTHING
    cap: Money | None = None
    currency: str = "SGD"
    """Every table of the link takes it, whatever its own game's money is."""


def rate(share: Fraction) -> Rate:
    """A share from its fraction."""
    return Rate(share.numerator, share.denominator)


# ---------------------------------------------------------------- what happened on the link


class LinkEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something that happened on the link, in meter units (a cent is `scale` units)."""


class Contributed(LinkEvent, frozen=True):
    """An accepted jackpot Bet has raised the meter, the hidden reserve, and past the cap the overflow."""

    table: TableName
    round: int
    box: BoxNo
    units: int
    reserve: int = 0
    overflow: int = 0


class ContributionReversed(LinkEvent, frozen=True):
    """A returned jackpot Bet has taken its contribution back."""

    table: TableName
    round: int
    box: BoxNo
    units: int
    reserve: int = 0
    overflow: int = 0


class HandsDealt(LinkEvent, frozen=True):
    """A Round with jackpot Bets has been dealt: from now on it stands in the order of deals."""

    table: TableName
    round: int


class DealRestored(LinkEvent, frozen=True):
    """A settled Round was reopened: it stands in the order of deals again, at its old place."""

    table: TableName
    round: int


class RoundDecided(LinkEvent, frozen=True):
    """A Round can no longer win a major award, or has claimed what it won."""

    table: TableName
    round: int


class ClaimsEntered(LinkEvent, frozen=True, omit_defaults=True):
    """A Round has won major awards; they are locked until their turn."""

    table: TableName
    round: int
    claims: tuple[AwardClaimed, ...]
    signatures: int = 0
    """So many different people have to verify them first: two at a staffed table."""


class ClaimsVerified(LinkEvent, frozen=True):
    """Somebody of the pit has seen the cards and signed for the awards of a Round."""

    table: TableName
    round: int
    by: str


class Payment(msgspec.Struct, frozen=True):
    """What one claim is paid, line by line."""

    claim: AwardClaimed
    lines: tuple[PaidLine, ...]
    rules: Rules = ()
    """What put it in its place among the winners of its Round."""


class AwardsPaid(LinkEvent, frozen=True):
    """A Round's claims are paid: the meter falls by `taken`, the House adds `topped_up`."""

    table: TableName
    round: int
    payments: tuple[Payment, ...]
    taken: int
    topped_up: int
    """Units that the House adds: a reset value, or what a floor of shares costs beyond the meter."""
    from_frozen: int
    """What the frozen value falls by on paper; 0 where the live meter paid."""
    from_reserve: int = 0
    """What of a reset value the hidden reserve bears."""
    from_overflow: int = 0
    """Contributions past the cap that come onto the meter after its reset."""


class AwardsHandedOver(LinkEvent, frozen=True):
    """The winners' table has handed over what the link paid."""

    table: TableName
    round: int


class AwardsReversed(LinkEvent, frozen=True):
    """A Round was reopened: what it was paid is as if it had not been."""

    table: TableName
    round: int


class MeterFrozenFor(LinkEvent, frozen=True):
    """A Round goes on after a fault: it is paid from the meter as registered when the fault happened. The Rounds of
    one fault share that value, one after the other.
    """

    table: TableName
    round: int
    fault: int
    units: int


class FaultReported(LinkEvent, frozen=True):
    """The jackpot system is out of order, and these tables are run by other servers: each carries the fault out, with
    the meter as registered now, before anything else happens there. Until all have, nobody is paid.
    """

    fault: int
    units: int
    report: ReportIncident
    tables: tuple[TableName, ...]


class FaultCarriedOut(LinkEvent, frozen=True):
    """A table of another server has met the fault, by its own state."""

    fault: int
    table: TableName


class AwardReleased(LinkEvent, frozen=True):
    """The shift manager lets an award be paid without waiting for earlier-dealt Rounds."""

    table: TableName


class DealOrderRuled(LinkEvent, frozen=True):
    """Whose Hands were dealt first is determined: the open Rounds of these tables, in this order."""

    tables: tuple[TableName, ...]


class LinkClosed(LinkEvent, frozen=True):
    """The link takes no jackpot Bets: only now may its parameters change."""

    by: str


class LinkReopened(LinkEvent, frozen=True):
    """The link takes jackpot Bets again."""

    by: str


class ParametersChanged(LinkEvent, frozen=True):
    """Two people have changed how the jackpot grows, or what it starts from."""

    by: str
    second: str
    parameters: Parameters


class MeterAdjusted(LinkEvent, frozen=True):
    """Two people have corrected the meter, with the cause in their words."""

    by: str
    second: str
    units: int
    cause: str


class RoundForgotten(LinkEvent, frozen=True):
    """The table has opened a new Round: the one before can no longer be unwound."""

    table: TableName
    round: int


AnyLinkEvent: TypeAlias = (
    Contributed
    | ContributionReversed
    | HandsDealt
    | DealRestored
    | RoundDecided
    | ClaimsEntered
    | ClaimsVerified
    | AwardsPaid
    | AwardsHandedOver
    | AwardsReversed
    | MeterFrozenFor
    | FaultReported
    | FaultCarriedOut
    | AwardReleased
    | DealOrderRuled
    | LinkClosed
    | LinkReopened
    | ParametersChanged
    | MeterAdjusted
    | RoundForgotten
)


# ---------------------------------------------------------------- where it stands


class Contribution(msgspec.Struct, frozen=True):
    """What one jackpot Bet added, kept while it can still be taken back."""

    round: RoundKey
    box: BoxNo
    units: int
    reserve: int
    overflow: int
    taken_by: tuple[RoundKey, ...] = ()
    """Rounds that have been paid from the meter since: what they took cannot be taken back again."""


class Paid(msgspec.Struct, frozen=True):
    """What one Round was paid, kept while it can still be unwound."""

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


class Pending(msgspec.Struct, frozen=True):
    """Claims of one Round, locked until their turn."""

    round: RoundKey
    claims: tuple[AwardClaimed, ...]
    released: bool = False
    signatures: int = 0
    """So many people have to sign before anything is paid."""
    signed: tuple[str, ...] = ()
    after_another: bool = False
    """A winner at another table was paid while these claims were locked."""

    @property
    def is_verified(self) -> bool:
        return len(self.signed) >= self.signatures


class Hit(msgspec.Struct, frozen=True, array_like=True):
    """A major award, for the record that every regulator asks for."""

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
    seeded: int
    contributed: int = 0
    topped_up: int = 0
    paid: int = 0
    awards: int = 0
    """How many Rounds have been paid from the meter."""
    closed: bool = False
    contributions: tuple[Contribution, ...] = ()
    payments: tuple[Paid, ...] = ()
    dealt: tuple[RoundKey, ...] = ()
    """Rounds that may still win a major award, or wait to be paid one, in the order in which they were dealt."""
    deals: tuple[RoundKey, ...] = ()
    """Every Round dealt with jackpot Bets, in the order of dealing, while it can still be unwound."""
    pending: tuple[Pending, ...] = ()
    freezes: tuple[Freeze, ...] = ()
    faults: tuple[OpenFault, ...] = ()
    handovers: tuple[AwardsPaid, ...] = ()
    """Paid by the link, and not yet handed over by the winners' table (which another server may run)."""
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
    def balances(self) -> bool:
        """Conservation: seed + contributions + top-ups = meter + reserve + overflow + paid."""
        come = self.seeded + self.contributed + self.topped_up
        return come == self.meter + self.reserve + self.overflow + self.paid

    def frozen_for(self, key: RoundKey) -> Freeze | None:
        """The value on paper that this Round is paid from, after a fault."""
        return next((freeze for freeze in self.freezes if key in freeze.rounds), None)


def new_link(meter: Money, parameters: Parameters) -> Link:
    """A link whose meter starts at this value."""
    scale = lcm(parameters.contribution.denominator, parameters.reserve.denominator)
    return Link(parameters=parameters, scale=scale, meter=meter * scale, seeded=meter * scale)


def contribution_of(link: Link, table: TableName, number: int, box: BoxNo, amount: Money) -> Contributed:
    """What an accepted jackpot Bet of this amount adds: exact, never rounded; past the cap it overflows."""
    units = link.parameters.contribution.units(amount, link.scale)
    over = 0
    if link.parameters.cap is not None:
        over = min(units, max(link.meter + units - link.parameters.cap * link.scale, 0))
    reserve = link.parameters.reserve.units(amount, link.scale)
    return Contributed(table=table, round=number, box=box, units=units - over, reserve=reserve, overflow=over)


def waits_for(link: Link, pending: Pending, rules: Jackpot) -> tuple[RoundKey, ...]:
    """The Rounds that could still be paid before this one: dealt earlier, or where the order is that of entry, entered
    earlier and not verified yet, since whoever signs faster must not be paid more.
    """
    if pending.released:
        return ()
    if rules.across_tables is AcrossTables.BY_ENTRY:
        earlier = link.pending[: link.pending.index(pending)]
        return tuple(other.round for other in earlier if not other.is_verified)
    if not rules.waits_for_earlier_deals or pending.round not in link.dealt:
        return ()
    return link.dealt[: link.dealt.index(pending.round)]
