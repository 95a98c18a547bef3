"""From events to balanced entries."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.jackpots.link import AnyLinkEvent, AwardsPaid, AwardsReversed, Contributed, ContributionReversed, Link
from croupier.ledger import accounts
from croupier.ledger.accounts import AccountName
from croupier.money import Money
from croupier.rounds.events import (
    AwardPaid,
    BetPlaced,
    BetSettled,
    BetWithdrawn,
    CardsRedealt,
    HandDecided,
    RoundEvent,
    RoundReopened,
)
from croupier.rounds.state import Round
from croupier.rulebooks.vocabulary import JACKPOT_BET


class Entry(msgspec.Struct, frozen=True):
    """Money that changes accounts. It balances by construction: postings that do not sum to zero are no entry."""

    postings: tuple[tuple[AccountName, Money], ...]

    def __post_init__(self) -> None:
        total = sum(amount for _, amount in self.postings)
        assert total == 0, f"an entry balances, and this one is off by {total}: {self.postings}"


def entry(postings: Mapping[AccountName, Money]) -> Entry | None:
    """The entry of these postings; None where no money moves."""
    moved = tuple((account, amount) for account, amount in postings.items() if amount)
    return Entry(moved) if moved else None


def cashier_entry(player: str, amount: Money) -> Entry | None:
    """Money that comes over the counter for chips; below nothing, chips that go back for money."""
    return entry({accounts.CASH: -amount, accounts.player(player): amount})


def seed_entry(link: str, meter: Money) -> Entry | None:
    """The House pays what a new link's meter starts from."""
    return entry({accounts.pool(link): meter, accounts.top_ups(link): -meter})


class TableAccounts(msgspec.Struct, frozen=True):
    """The accounts that a table's events touch."""

    table: str
    link: str | None

    def round_entry(self, before: Round, event: RoundEvent) -> Entry | None:
        """What one event of a Round does to the accounts; `before` is the state it met."""
        layout = accounts.layout(self.table)
        match event:
            case BetPlaced(player=name, amount=amount):
                return entry({accounts.player(name): -amount, layout: amount})
            case BetWithdrawn(player=name, amount=amount, live=False):
                return entry({layout: -amount, accounts.player(name): amount})
            case HandDecided(parts=parts) if parts:
                moved = {layout: sum(part.amount for part in parts)}
                for part in parts:
                    _add(moved, accounts.player(part.player), -part.amount)
                return entry(moved)
            case CardsRedealt(returned=returned) if returned:
                moved = {layout: -sum(part.amount for _, _, part in returned)}
                for _, _, part in returned:
                    _add(moved, accounts.player(part.player), part.amount)
                return entry(moved)
            case BetSettled():
                return entry(self._settled(event))
            case AwardPaid():
                return entry(self._award(event))
            case RoundReopened(number=number):
                return entry(self._undone(before, number))
            case _:
                return None

    def _settled(self, line: BetSettled) -> dict[AccountName, Money]:
        """The stake leaves the layout; a jackpot award is paid by its own event."""
        won = 0 if line.bet == JACKPOT_BET else line.won
        return {
            accounts.layout(self.table): -line.staked,
            accounts.player(line.player): won + line.returned,
            accounts.bank(self.table): line.staked - won - line.returned,
        }

    def _undone(self, before: Round, number: int) -> dict[AccountName, Money]:
        """A reopened Round takes back what it has paid; an award of an earlier one, paid meanwhile, stays paid."""
        undone: dict[AccountName, Money] = {}
        settled = [self._settled(line) for line in before.lines if line.round == number]
        for moved in (*settled, *(self._award(award) for award in before.awards)):
            for account, amount in moved.items():
                _add(undone, account, -amount)
        return undone

    def _award(self, award: AwardPaid) -> dict[AccountName, Money]:
        assert self.link is not None or not award.from_meter
        source = accounts.payable(self.link or "") if award.from_meter else accounts.bank(self.table)
        return {source: -award.amount, accounts.player(award.player): award.amount}


def link_entry(name: str, before: Link, after: Link, event: AnyLinkEvent) -> Entry | None:
    """What one event of a link does to the accounts. The pool is the meter in whole cents: what a contribution adds
    below a cent stays with the table's bank until it makes one.
    """
    moved = {
        accounts.pool(name): after.cents - before.cents,
        accounts.reserve(name): after.reserve_cents - before.reserve_cents,
        accounts.overflow(name): after.overflow_cents - before.overflow_cents,
    }
    match event:
        case Contributed(table=table) | ContributionReversed(table=table):
            moved[accounts.bank(table)] = -sum(moved.values())
        case AwardsPaid() | AwardsReversed():
            moved[accounts.payable(name)] = (after.paid - before.paid) // after.scale
            moved[accounts.top_ups(name)] = -sum(moved.values())
        case _:
            moved[accounts.top_ups(name)] = -sum(moved.values())
    return entry(moved)


def _add(moved: dict[AccountName, Money], account: AccountName, amount: Money) -> None:
    moved[account] = moved.get(account, 0) + amount
