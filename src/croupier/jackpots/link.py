"""The link: one meter in integers finer than a cent, and everything that raises or lowers it, each with its cause."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from croupier.money import Money
from croupier.rounds.commands import PaidLine
from croupier.rounds.events import AwardClaimed
from croupier.rulebooks.vocabulary import BoxNo, Jackpot

TableName: TypeAlias = str
RoundKey: TypeAlias = tuple[TableName, int]


# ---------------------------------------------------------------- what happened on the link


class LinkEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something that happened on the link, in meter units (a cent is `scale` units)."""


class Contributed(LinkEvent, frozen=True):
    """An accepted jackpot Bet has raised the meter."""

    table: TableName
    round: int
    box: BoxNo
    units: int


class ContributionReversed(LinkEvent, frozen=True):
    """A returned jackpot Bet has taken its contribution back."""

    table: TableName
    round: int
    box: BoxNo
    units: int


class HandsDealt(LinkEvent, frozen=True):
    """A Round with jackpot Bets has been dealt: from now on it stands in the order of deals."""

    table: TableName
    round: int


class RoundDecided(LinkEvent, frozen=True):
    """A Round can no longer win a major award, or has claimed what it won."""

    table: TableName
    round: int


class ClaimsEntered(LinkEvent, frozen=True):
    """A Round has won major awards; they are locked until their turn."""

    table: TableName
    round: int
    claims: tuple[AwardClaimed, ...]


class Payment(msgspec.Struct, frozen=True):
    """What one claim is paid, line by line."""

    claim: AwardClaimed
    lines: tuple[PaidLine, ...]


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


class AwardReleased(LinkEvent, frozen=True):
    """The shift manager lets an award be paid without waiting for earlier-dealt Rounds."""

    table: TableName


class DealOrderRuled(LinkEvent, frozen=True):
    """Whose Hands were dealt first is determined: the open Rounds of these tables, in this order."""

    tables: tuple[TableName, ...]


class RoundForgotten(LinkEvent, frozen=True):
    """The table has opened a new Round: the one before can no longer be unwound."""

    table: TableName
    round: int


AnyLinkEvent: TypeAlias = (
    Contributed
    | ContributionReversed
    | HandsDealt
    | RoundDecided
    | ClaimsEntered
    | AwardsPaid
    | AwardsReversed
    | MeterFrozenFor
    | AwardReleased
    | DealOrderRuled
    | RoundForgotten
)


# ---------------------------------------------------------------- where it stands


class Contribution(msgspec.Struct, frozen=True):
    """What one jackpot Bet added, kept while it can still be taken back."""

    round: RoundKey
    box: BoxNo
    units: int
    awards_before: int
    """How many awards had been paid from the meter before it."""


class Paid(msgspec.Struct, frozen=True):
    """What one Round was paid, kept while it can still be unwound."""

    round: RoundKey
    taken: int
    topped_up: int


class Freeze(msgspec.Struct, frozen=True):
    """A value on paper that the Rounds of one fault are paid from."""

    fault: int
    rounds: tuple[RoundKey, ...]
    units: int


class Pending(msgspec.Struct, frozen=True):
    """Claims of one Round, locked until their turn."""

    round: RoundKey
    claims: tuple[AwardClaimed, ...]
    released: bool = False


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """The jackpot that every table of the link shares."""

    meter: int
    reset: Money
    contribution: Fraction
    scale: int
    """Meter units in a cent: the denominator of the contribution, so that no contribution is ever rounded."""
    seeded: int
    contributed: int = 0
    topped_up: int = 0
    paid: int = 0
    awards: int = 0
    contributions: tuple[Contribution, ...] = ()
    payments: tuple[Paid, ...] = ()
    dealt: tuple[RoundKey, ...] = ()
    """Rounds that may still win a major award, or wait to be paid one, in the order in which they were dealt."""
    pending: tuple[Pending, ...] = ()
    freezes: tuple[Freeze, ...] = ()

    @property
    def cents(self) -> Money:
        """The meter as people see it: whole cents, rounded down."""
        return self.meter // self.scale

    @property
    def balances(self) -> bool:
        """Conservation: seed + contributions + top-ups = meter + paid."""
        return self.seeded + self.contributed + self.topped_up == self.meter + self.paid

    def frozen_for(self, key: RoundKey) -> Freeze | None:
        return next((freeze for freeze in self.freezes if key in freeze.rounds), None)


def new_link(meter: Money, reset: Money, contribution: Fraction) -> Link:
    """A link whose meter starts at this value."""
    scale = contribution.denominator
    return Link(meter=meter * scale, reset=reset, contribution=contribution, scale=scale, seeded=meter * scale)


def units_of(link: Link, amount: Money) -> int:
    """What a jackpot Bet of this amount adds to the meter: exact, never rounded."""
    units = amount * link.contribution * link.scale
    assert units.denominator == 1, "the scale is the contribution's denominator"
    return units.numerator


def evolve_link(link: Link, event: AnyLinkEvent) -> Link:
    match event:
        case Contributed(table=table, round=number, box=box, units=units):
            made = Contribution((table, number), box, units, link.awards)
            return replace(
                link,
                meter=link.meter + units,
                contributed=link.contributed + units,
                contributions=(*link.contributions, made),
            )
        case ContributionReversed(table=table, round=number, box=box, units=units):
            kept = tuple(c for c in link.contributions if (c.round, c.box) != ((table, number), box))
            return replace(link, meter=link.meter - units, contributed=link.contributed - units, contributions=kept)
        case HandsDealt(table=table, round=number):
            key = (table, number)
            return replace(link, dealt=(*(k for k in link.dealt if k != key), key))
        case RoundDecided(table=table, round=number):
            return replace(link, dealt=tuple(k for k in link.dealt if k != (table, number)))
        case ClaimsEntered(table=table, round=number, claims=claims):
            return replace(link, pending=(*link.pending, Pending((table, number), claims)))
        case AwardsPaid():
            return _paid(link, event)
        case AwardsReversed(table=table, round=number):
            key = (table, number)
            undone = [paid for paid in link.payments if paid.round == key]
            taken, topped_up = sum(p.taken for p in undone), sum(p.topped_up for p in undone)
            return replace(
                link,
                meter=link.meter + taken - topped_up,
                paid=link.paid - taken,
                topped_up=link.topped_up - topped_up,
                awards=link.awards - sum(1 for p in undone if p.taken),
                payments=tuple(p for p in link.payments if p.round != key),
                pending=tuple(p for p in link.pending if p.round != key),
            )
        case MeterFrozenFor(table=table, round=number, fault=fault, units=units):
            known = next((f for f in link.freezes if f.fault == fault), Freeze(fault, (), units))
            widened = replace(known, rounds=(*known.rounds, (table, number)))
            return replace(link, freezes=(*(f for f in link.freezes if f.fault != fault), widened))
        case AwardReleased(table=table):
            return replace(
                link, pending=tuple(replace(p, released=True) if p.round[0] == table else p for p in link.pending)
            )
        case DealOrderRuled(tables=tables):
            named = sorted((k for k in link.dealt if k[0] in tables), key=lambda key: tables.index(key[0]))
            order = iter(named)
            return replace(link, dealt=tuple(next(order) if k[0] in tables else k for k in link.dealt))
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
                freezes=tuple(freeze for freeze in kept_rounds if freeze.rounds),
            )
        case _:
            assert_never(event)


def _paid(link: Link, event: AwardsPaid) -> Link:
    key = (event.table, event.round)
    freezes = tuple(
        replace(freeze, units=freeze.units - event.from_frozen) if key in freeze.rounds else freeze
        for freeze in link.freezes
    )
    return replace(
        link,
        meter=link.meter - event.taken + event.topped_up,
        paid=link.paid + event.taken,
        topped_up=link.topped_up + event.topped_up,
        awards=link.awards + (1 if event.taken else 0),
        payments=(*link.payments, Paid(key, event.taken, event.topped_up)),
        pending=tuple(p for p in link.pending if p.round != key),
        dealt=tuple(k for k in link.dealt if k != key),
        freezes=freezes,
    )


def evolve_link_all(link: Link, events: Iterable[AnyLinkEvent]) -> Link:
    for event in events:
        link = evolve_link(link, event)
    return link


def waits_for(link: Link, pending: Pending, rules: Jackpot) -> tuple[RoundKey, ...]:
    """The earlier-dealt Rounds that could still be paid before this one."""
    if not rules.waits_for_earlier_deals or pending.released or pending.round not in link.dealt:
        return ()
    return link.dealt[: link.dealt.index(pending.round)]
