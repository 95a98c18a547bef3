"""From events to balanced entries."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.jackpots import events as link_events
from croupier.jackpots.link import Case, CaseState, Link
from croupier.ledger import accounts
from croupier.ledger.accounts import AccountName
from croupier.money import Money
from croupier.rounds.events import (
    AwardClaimed,
    AwardPaid,
    BetPlaced,
    BetSettled,
    BetWithdrawn,
    CardsRedealt,
    HandDecided,
    MispayFound,
    MispayNoted,
    MispayResolved,
    RoundEvent,
    RoundReopened,
)
from croupier.rounds.state import Round
from croupier.rulebooks.vocabulary import JACKPOT_BET


class Entry(msgspec.Struct, frozen=True, gc=False):
    """Money that changes accounts. Postings that do not sum to zero are refused on construction."""

    postings: tuple[tuple[AccountName, Money], ...]

    def __post_init__(self) -> None:
        total = 0
        for _, amount in self.postings:
            total += amount
        assert total == 0, f"an entry balances, and this one is off by {total}: {self.postings}"


def entry(postings: Mapping[AccountName, Money]) -> Entry | None:
    """Return the entry of these postings; None where no money moves."""
    moved = tuple(postings.items())
    if 0 in postings.values():
        moved = tuple([posting for posting in moved if posting[1]])
    return Entry(moved) if moved else None


def cashier_entry(player: str, amount: Money) -> Entry | None:
    """Book money that a player pays in for chips; a negative amount is paid out."""
    return entry({accounts.CASH: -amount, accounts.player(player): amount})


def demo_entry(player: str, amount: Money) -> Entry | None:
    """Book chips that a demonstration house gives to a player."""
    return entry({accounts.DEMO_CHIPS: -amount, accounts.player(player): amount})


def seed_entry(link: str, meter: Money) -> Entry | None:
    """Book what the House pays for a new link's starting meter."""
    return entry({accounts.pool(link): meter, accounts.top_ups(link): -meter})


_MOVES_MONEY = frozenset(
    (BetPlaced, BetWithdrawn, HandDecided, CardsRedealt, BetSettled, AwardClaimed, AwardPaid, RoundReopened,
     MispayFound, MispayResolved, MispayNoted)
)  # fmt: skip
"""Events with an entry; most have none."""


class TableAccounts(msgspec.Struct, frozen=True, gc=False):
    """The accounts that a table's events touch."""

    table: str
    link: str | None

    def round_entry(self, before: Round, event: RoundEvent) -> Entry | None:
        """Book one event of a Round; `before` is the state it met."""
        if type(event) not in _MOVES_MONEY:
            return None
        layout = accounts.layout(self.table)
        # The events of every Round come first, compared by type as in `rounds.evolve`.
        if type(event) is BetSettled:
            return entry(self._settled(event))
        if type(event) is BetPlaced:
            return entry({accounts.player(event.player): -event.amount, layout: event.amount})
        if type(event) is HandDecided:
            return self._decided(event)
        match event:
            case BetWithdrawn(player=name, amount=amount, live=False):
                return entry({layout: -amount, accounts.player(name): amount})
            case CardsRedealt(returned=returned) if returned:
                moved = {layout: -sum(part.amount for _, _, part in returned)}
                for _, _, part in returned:
                    _add(moved, accounts.player(part.player), part.amount)
                return entry(moved)
            case AwardClaimed(collected=True):
                return entry(self._collected(event))
            case AwardPaid():
                return entry(self._award(event))
            case MispayFound() | MispayResolved() | MispayNoted():
                return entry(self._mispay(event))
            case RoundReopened(number=number):
                return entry(self._undone(before, number))
        return None

    def _decided(self, event: HandDecided) -> Entry | None:
        """Book the Bet that a decision places, with each Player's part; a decision without one moves no money."""
        if not event.parts:
            return None
        layout = accounts.layout(self.table)
        moved = {layout: 0}
        for part in event.parts:
            moved[layout] += part.amount
            _add(moved, accounts.player(part.player), -part.amount)
        return entry(moved)

    def _settled(self, line: BetSettled) -> dict[AccountName, Money]:
        """Book a settled Bet: the stake leaves the layout; a jackpot award has its own event."""
        won = 0 if line.bet == JACKPOT_BET else line.won
        return {
            accounts.layout(self.table): -line.staked,
            accounts.player(line.player): won + line.returned,
            accounts.bank(self.table): line.staked - won - line.returned,
        }

    def _collected(self, claim: AwardClaimed) -> dict[AccountName, Money]:
        """Book the jackpot Bet of a claim, collected at once; its award is booked when the link pays it."""
        return {
            accounts.layout(self.table): -claim.staked,
            accounts.player(claim.player): claim.staked - claim.counts,
            accounts.bank(self.table): claim.counts,
        }

    def _mispay(self, event: MispayFound | MispayResolved | MispayNoted) -> dict[AccountName, Money]:
        """Book a mispay: found, put right or let stand, or noticed too late."""
        match event:
            case MispayFound(over=over):
                return self._mispaid(over)
            case MispayResolved(over=over, put_right=True):
                return self._mispaid(-over)
            case MispayResolved(player=name, over=over):
                return {accounts.mispays(self.table): -over, accounts.player(name): over}
            case MispayNoted(player=name, over=over):
                return {accounts.bank(self.table): -over, accounts.player(name): over}

    def _mispaid(self, over: Money) -> dict[AccountName, Money]:
        """Book chips that left the bank, or stayed there, against the settlement: a player's account is not touched
        before it is decided that they keep or lose them.
        """
        return {accounts.bank(self.table): -over, accounts.mispays(self.table): over}

    def _undone(self, before: Round, number: int) -> dict[AccountName, Money]:
        """Book what a reopened Round takes back of its settlement."""
        undone: dict[AccountName, Money] = {}
        mispaid = {} if before.mispay is None else self._mispaid(before.mispay.over)
        settled = [self._settled(line) for line in before.lines if line.round == number]
        claimed = [self._collected(claim) for claim in before.claims if claim.round == number and claim.collected]
        for moved in (mispaid, *settled, *claimed, *(self._award(award) for award in before.awards)):
            for account, amount in moved.items():
                _add(undone, account, -amount)
        return undone

    def _award(self, award: AwardPaid) -> dict[AccountName, Money]:
        assert self.link is not None or not award.from_meter
        source = accounts.payable(self.link or "") if award.from_meter else accounts.bank(self.table)
        return {source: -award.amount, accounts.player(award.player): award.amount}


_OF_ORDER_ONLY = frozenset((link_events.HandsDealt, link_events.RoundDecided, link_events.RoundForgotten))
"""The most frequent events of a link without money: which Rounds are in play."""


def link_entry(name: str, before: Link, after: Link, event: link_events.AnyLinkEvent) -> Entry | None:
    """Book one event of a link.

    The pool is the meter in whole cents: a fraction of a cent stays with the table's bank until it makes a whole one.
    """
    if type(event) in _OF_ORDER_ONLY:
        return None
    moved = {
        accounts.pool(name): after.cents - before.cents,
        accounts.reserve(name): after.reserve_cents - before.reserve_cents,
        accounts.overflow(name): after.overflow_cents - before.overflow_cents,
    }
    if type(event) is link_events.Contributed or type(event) is link_events.ContributionReversed:
        moved[accounts.bank(event.table)] = -sum(moved.values())
        return entry(moved)
    payable = after.locked_cents - before.locked_cents
    match event:
        case link_events.CasePaid(case=number, line=line) | link_events.CaseDenied(case=number, line=line):
            _close_case(moved, before.case(number), line)
        case link_events.AwardsReversed(table=table, round=of):
            for case in before.cases_of((table, of)):
                if case.state is CaseState.PAID and case.line is None:
                    payable -= case.from_meter  # the first release paid at the table, whose records take it back
                elif case.state is CaseState.PAID and case.line is not None:
                    _add(moved, accounts.player(case.claim.player), -case.line.won)
                    _add(moved, accounts.bank(table), case.line.won - case.from_meter)
        case link_events.AwardsHandedOver():
            return None  # booked by the records of the winners' table
        case _:
            pass
    moved[accounts.payable(name)] = payable
    moved[accounts.top_ups(name)] = -sum(moved.values())
    return entry(moved)


def _close_case(moved: dict[AccountName, Money], case: Case | None, line: BetSettled) -> None:
    """Pay the player; fixed lines are the table's. Collect a Bet that the first release left on the layout."""
    assert case is not None, "a case is closed while the link knows it"
    claim = case.claim
    if line.won:
        _add(moved, accounts.player(claim.player), line.won)
        _add(moved, accounts.bank(case.table), case.from_meter - line.won)
    if not claim.collected:
        _add(moved, accounts.layout(case.table), -claim.staked)
        _add(moved, accounts.player(claim.player), claim.staked - claim.counts)
        _add(moved, accounts.bank(case.table), claim.counts)


def _add(moved: dict[AccountName, Money], account: AccountName, amount: Money) -> None:
    moved[account] = moved.get(account, 0) + amount
