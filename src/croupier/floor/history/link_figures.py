"""The figures that every regulator asks of a link, and a day of it that adds up to the cent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction

import msgspec

from croupier.floor.house.steady_clock import evenly
from croupier.floor.records.codec import link_fact
from croupier.floor.records.facts import LinkOpened
from croupier.floor.records.streams import link_stream
from croupier.floor.views.moments import moment_text
from croupier.jackpots import events
from croupier.jackpots.evolve import evolve_link, paid_at_table, paid_lines
from croupier.jackpots.link import LAST_HITS, Link, new_link
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.records import checked
from croupier.journal.store import Store, StoreError
from croupier.ledger import accounts
from croupier.money import Money, show
from croupier.rounds.events import AwardPaid


class HitFigure(msgspec.Struct, frozen=True):
    """One major award."""

    at: str
    table: str
    round: int
    box: int
    player: str
    hand: str
    amount: str


class HitTime(msgspec.Struct, frozen=True, kw_only=True):
    """When a major award was paid."""

    at: str
    table: str
    round: int
    box: int
    hand: str


class Cause(msgspec.Struct, frozen=True):
    """Why a meter was corrected by hand, and the people who did it."""

    at: str
    by: str
    second: str
    amount: str
    cause: str


class Values(msgspec.Struct, frozen=True, kw_only=True):
    """What a link holds at a moment, in cents and exact parts of a cent."""

    meter: str
    reserve: str
    overflow: str
    locked: str


class Reconciled(msgspec.Struct, frozen=True, kw_only=True):
    """A day, to the last part of a cent: opening + what came + corrections − paid − set aside = closing."""

    since: str
    until: str
    opening: Values
    seeded: str
    contributions: str
    contributions_returned: str
    top_ups: str
    corrections: str
    """What two people have added to the meter or taken from it; below zero where they took more."""
    paid: str
    aside: str
    """What went into reserve, overflow and locked awards; below zero where more came out of them."""
    adjustments: tuple[Cause, ...]
    closing: Values
    adds_up: bool


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """A link as it stands."""

    link: str
    closed: bool
    display: str
    in_meter: str
    """Jackpot Bets that counted, all together."""
    contributed: str
    seeded: str
    top_ups: str
    corrections: str
    reserve: str
    overflow: str
    locked: str
    """Set aside for awards whose turn has come and that are not paid yet."""
    paid: str
    hits: int
    wins: str
    """All major awards together."""
    pending: int
    base: str
    increment: str
    reserve_rate: str
    cap: str | None
    last_hits: tuple[HitFigure, ...]
    adjustments: tuple[Cause, ...]
    pool_account: str
    ledger_agrees: bool
    conserved: bool
    day: Reconciled | None = None


def day_of(day: date) -> tuple[int, int]:
    """Return the start and the end of a UTC day, in microseconds since 1970."""
    start = datetime.combine(day, time(), UTC)
    first = int(start.timestamp()) * 1_000_000
    return first, first + int(timedelta(days=1).total_seconds()) * 1_000_000


def hit_times(store: Store, link: str) -> list[HitTime]:
    """Return when the last major awards of a link were paid, the newest first; a Round that was unwound has none."""
    paid: list[tuple[int, events.CasePaid]] = []
    for record in store.awards(link_stream(link)):
        fact = link_fact(record)
        if isinstance(fact, events.CasePaid):
            paid = [*paid, (record.at, fact)][-LAST_HITS:]
        elif isinstance(fact, events.AwardsReversed):
            paid = [each for each in paid if (each[1].table, each[1].round) != fact.key]
    return [
        HitTime(at=moment_text(at), table=fact.table, round=fact.round, box=fact.line.box, hand=award.hand)
        for at, fact in reversed(paid)
        for award in fact.awards
        if award.from_meter
    ]


class _Count:
    """What passes while a link's records are read."""

    def __init__(self) -> None:
        self.seeded = self.contributed = self.returned = self.topped_up = self.corrected = self.paid = Fraction(0)
        self.bets: dict[tuple[str, int, int], Fraction] = {}
        """Jackpot Bets that counted, by table, Round and box, as long as they may be taken back."""
        self.in_meter = Fraction(0)
        self.hits: list[HitFigure] = []
        self.wins: dict[tuple[str, int], list[int]] = {}
        self.adjustments: list[Cause] = []

    def enter(self, at: str, before: Link, after: Link, event: events.AnyLinkEvent) -> None:
        """Add what an event changed in the link's sums, in cents, so that a change of units does not matter."""
        self.paid += _cents(after, after.paid) - _cents(before, before.paid)
        # The link itself sums both as what the house has added.
        added = _cents(after, after.topped_up) - _cents(before, before.topped_up)
        if isinstance(event, events.MeterAdjusted):
            self.corrected += added
        else:
            self.topped_up += added
        moved = _cents(after, after.contributed) - _cents(before, before.contributed)
        match event:
            case events.Contributed(
                table=table, round=number, box=box, units=units, overflow=overflow, reserve=reserve
            ):
                self.contributed += moved
                bet = self.bets[table, number, box] = _bet(before.parameters, before.scale, units + overflow, reserve)
                self.in_meter += bet
            case events.ContributionReversed(table=table, round=number, box=box):
                # What the Bet was is known from when it counted: the rates may have changed since.
                self.returned -= moved
                self.in_meter -= self.bets.pop((table, number, box), 0)
            case events.RoundForgotten(table=table):
                self.bets = {key: bet for key, bet in self.bets.items() if key[0] != table}
            case events.CasePaid(table=table, round=number, awards=awards):
                self._paid(at, table, number, awards)
            case events.AwardsHandedOver(table=table, round=number):
                for case in paid_at_table(before, (table, number)):
                    self._paid(at, table, number, paid_lines(case))
            case events.AwardsReversed(table=table, round=number):
                self.hits = [hit for hit in self.hits if (hit.table, hit.round) != (table, number)]
                self.wins.pop((table, number), None)
            case events.MeterAdjusted(by=by, second=second, units=units, cause=cause):
                self.adjustments.append(Cause(at, by, second, show(units // before.scale), cause))
            case _:
                pass

    def _paid(self, at: str, table: str, number: int, awards: Iterable[AwardPaid]) -> None:
        for award in awards:
            if award.from_meter:
                amount = show(award.amount)
                self.hits.append(HitFigure(at, table, number, award.box, award.player, award.hand, amount))
                self.wins.setdefault((table, number), []).append(award.amount)


def figures(store: Store, name: str, day: tuple[int, int] | None = None) -> Figures:
    """Everything from the link's own records; `day` adds the reconciliation of a span of time."""
    whole, that_day = _Count(), _Count()
    link: Link | None = None
    opening: Link | None = None
    closing: Link | None = None
    with store.reading():
        for record, time in evenly(checked(store.read(link_stream(name)))):
            fact = link_fact(record)
            at = moment_text(record.at)
            in_day = day is not None and day[0] <= time < day[1]
            if isinstance(fact, LinkOpened):
                link = new_link(fact.meter, fact.parameters)
                whole.seeded += fact.meter
                that_day.seeded += fact.meter if in_day else 0
            else:
                assert link is not None, "a link begins with its opening"
                before, link = link, evolve_link(link, fact)
                whole.enter(at, before, link, fact)
                if in_day:
                    that_day.enter(at, before, link, fact)
            if day is not None and time < day[0]:
                opening = link
            if day is not None and time < day[1]:
                closing = link
        balances = store.balances()
    if link is None:
        raise StoreError(f'There is no link "{name}" in {store.url}.')
    reconciled = None if day is None else _reconciled(day, opening, that_day, closing)
    return _figures(name, link, whole, balances, reconciled)


def _figures(name: str, link: Link, count: _Count, balances: Mapping[str, Money], day: Reconciled | None) -> Figures:
    kinds = (accounts.pool, accounts.reserve, accounts.overflow, accounts.payable)
    held = [balances.get(account(name), 0) for account in kinds]
    parameters = link.parameters
    return Figures(
        link=name,
        closed=link.closed,
        display=show(link.cents),
        in_meter=exactly(count.in_meter),
        contributed=exactly(count.contributed - count.returned),
        seeded=exactly(count.seeded),
        top_ups=exactly(count.topped_up),
        corrections=exactly(count.corrected),
        reserve=exactly(_cents(link, link.reserve)),
        overflow=exactly(_cents(link, link.overflow)),
        locked=exactly(_cents(link, link.locked)),
        paid=exactly(count.paid),
        hits=link.hits,
        wins=show(sum(amount for won in count.wins.values() for amount in won)),
        pending=len(link.open_cases),
        base=show(link.reset),
        increment=_rate(parameters.contribution),
        reserve_rate=_rate(parameters.reserve),
        cap=None if parameters.cap is None else show(parameters.cap),
        last_hits=tuple(reversed(count.hits[-LAST_HITS:])),
        adjustments=tuple(count.adjustments),
        pool_account=show(held[0]),
        ledger_agrees=held == [link.cents, link.reserve_cents, link.overflow_cents, link.locked_cents],
        conserved=link.balances,
        day=day,
    )


def _reconciled(day: tuple[int, int], opening: Link | None, count: _Count, closing: Link | None) -> Reconciled:
    came = count.seeded + count.contributed - count.returned + count.topped_up + count.corrected
    return Reconciled(
        since=moment_text(day[0]),
        until=moment_text(day[1]),
        opening=_values(opening),
        seeded=exactly(count.seeded),
        contributions=exactly(count.contributed),
        contributions_returned=exactly(count.returned),
        top_ups=exactly(count.topped_up),
        corrections=exactly(count.corrected),
        paid=exactly(count.paid),
        aside=exactly(_aside(closing) - _aside(opening)),
        adjustments=tuple(count.adjustments),
        closing=_values(closing),
        adds_up=_held(opening) + came - count.paid == _held(closing),
    )


def _held(link: Link | None) -> Fraction:
    return Fraction(0) if link is None else _cents(link, link.meter + link.reserve + link.overflow + link.locked)


def _aside(link: Link | None) -> Fraction:
    return Fraction(0) if link is None else _cents(link, link.reserve + link.overflow + link.locked)


def _values(link: Link | None) -> Values:
    if link is None:
        return Values(meter=show(0), reserve=show(0), overflow=show(0), locked=show(0))
    return Values(
        meter=exactly(_cents(link, link.meter)),
        reserve=exactly(_cents(link, link.reserve)),
        overflow=exactly(_cents(link, link.overflow)),
        locked=exactly(_cents(link, link.locked)),
    )


def _cents(link: Link, units: int) -> Fraction:
    return Fraction(units, link.scale)


def _bet(parameters: Parameters, scale: int, units: int, reserve: int) -> Fraction:
    """Compute the Bet that a contribution came from."""
    for rate, share in ((parameters.contribution, units), (parameters.reserve, reserve)):
        if rate.numerator:
            return Fraction(share * rate.denominator, scale * rate.numerator)
    return Fraction(0)


def _rate(rate: Rate) -> str:
    return f"{rate.numerator}/{rate.denominator}" if rate.numerator else "0"


def exactly(cents: Fraction) -> str:
    """Format an amount with what is left below a cent as a fraction of one: `123.45 + 7/33 c`."""
    whole, rest = divmod(cents, 1)
    return f"{show(whole)} + {rest} c" if rest else show(whole)


# ---------------------------------------------------------------- the trial balance


class LedgerSums(msgspec.Struct, frozen=True, kw_only=True):
    """The ledger by kinds of account."""

    players: str
    layouts: str
    banks: str
    """With what tables have paid wrongly and not put right yet."""
    links: str
    house: str
    cash: str
    sum: str
    balances: bool


class TrialBalance(LedgerSums, frozen=True, kw_only=True):
    """Every account at one moment; together they are zero."""

    accounts: Mapping[str, str]


def trial_balance(store: Store) -> TrialBalance:
    """Sum the whole ledger, by account and by kind of account."""
    with store.reading():
        held = dict(sorted(store.balances().items()))
    groups = dict.fromkeys(("player/", "/layout", "/bank", "link/", "house/"), 0)
    for account, amount in held.items():
        kind = account.removesuffix("/mispays") + "/bank" if account.endswith("/mispays") else account
        for mark in groups:
            if kind.startswith(mark) or (mark.startswith("/") and kind.endswith(mark)):
                groups[mark] += amount
                break
    players, layouts, banks, links, house = (show(amount) for amount in groups.values())
    total = sum(held.values())
    return TrialBalance(
        accounts={account: show(amount) for account, amount in held.items()},
        players=players,
        layouts=layouts,
        banks=banks,
        links=links,
        house=house,
        cash=show(held.get(accounts.CASH, 0)),
        sum=show(total),
        balances=total == 0,
    )
