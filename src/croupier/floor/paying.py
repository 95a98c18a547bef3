"""Who may be paid next on a link, by rules written for this alone: an oracle for houses that several servers share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from croupier.floor.facts import LinkFact
from croupier.floor.house import House
from croupier.jackpots.link import (
    AwardReleased,
    AwardsPaid,
    AwardsReversed,
    ClaimsEntered,
    ClaimsVerified,
    DealOrderRuled,
    DealRestored,
    FaultCarriedOut,
    FaultReported,
    HandsDealt,
    RoundDecided,
    RoundForgotten,
    RoundKey,
)
from croupier.rulebooks.vocabulary import AcrossTables


class Order:
    """Who was dealt first, who has claimed, who may be paid: followed event by event on the link."""

    def __init__(self, waits: Mapping[str, bool], by_entry: Collection[str] = ()) -> None:
        self.waits, self.by_entry = waits, by_entry
        """By table: whether its rulebook pays in the order of deals; which tables' claims go in the order of entry."""
        self.dealt: list[RoundKey] = []
        self.deals: list[RoundKey] = []
        self.pending: list[RoundKey] = []
        self.unsigned: dict[RoundKey, int] = {}
        """How many people have yet to sign for a claim."""
        self.signers: dict[RoundKey, set[str]] = {}
        self.released: set[RoundKey] = set()
        self.faults: dict[int, set[str]] = {}
        self.paid: dict[RoundKey, int] = {}
        self.wrong: list[str] = []
        self.most_pending = 0
        self.waited = 0
        self.signed = 0

    def follow(self, event: LinkFact) -> None:
        match event:
            case HandsDealt(table=table, round=number):
                for order in (self.dealt, self.deals):
                    _remove(order, (table, number))
                    order.append((table, number))
            case DealRestored(table=table, round=number):
                again = {*self.dealt, (table, number)}
                self.dealt = [key for key in self.deals if key in again]
            case RoundDecided(table=table, round=number):
                _remove(self.dealt, (table, number))
            case ClaimsEntered(table=table, round=number, signatures=signatures):
                self.pending.append((table, number))
                self.unsigned[table, number], self.signers[table, number] = signatures, set()
                self.most_pending = max(self.most_pending, len(self.pending))
            case ClaimsVerified(table=table, round=number, by=by):
                self._sign((table, number), by)
            case AwardReleased(table=table):
                self.released.update(key for key in self.pending if key[0] == table)
            case DealOrderRuled(tables=tables):
                self.dealt, self.deals = _ruled(self.dealt, tables), _ruled(self.deals, tables)
            case AwardsReversed(table=table, round=number):
                _remove(self.pending, (table, number))
                self.paid.pop((table, number), None)
            case RoundForgotten(table=table):
                self.deals = [key for key in self.deals if key[0] != table or key in self.pending]
            case FaultReported(fault=fault, tables=tables):
                self.faults[fault] = set(tables)
            case FaultCarriedOut(fault=fault, table=table):
                self.faults[fault].discard(table)
            case AwardsPaid():
                self._pay(event)
            case _:
                pass

    def _sign(self, key: RoundKey, by: str) -> None:
        if key not in self.pending or not self.unsigned[key] or by in self.signers[key]:
            self.wrong.append(f"{by} has signed for {key}, which did not wait for it.")
            return
        self.signers[key].add(by)
        self.unsigned[key] -= 1

    def _pay(self, event: AwardsPaid) -> None:
        key = (event.table, event.round)
        if any(self.faults.values()):
            self.wrong.append(f"{key} was paid before every table had met the fault.")
        if key not in self.pending:
            self.wrong.append(f"{key} was paid and had no claim.")
            return
        if self.unsigned[key]:
            self.wrong.append(f"{key} was paid and {self.unsigned[key]} people had yet to sign.")
        self.signed += bool(self.signers[key])
        if self._waits(key):
            self.wrong.append(f"{key} was paid before Rounds that go before it.")
        for other in self.pending[: self.pending.index(key)]:
            if not self._waits(other) and not self.unsigned[other]:
                self.wrong.append(f"{key} was paid before {other}, which had claimed earlier.")
        self.waited += len(self.pending) > 1
        lines = [line for payment in event.payments for line in payment.lines]
        self.paid[key] = sum(line.amount for line in lines if line.from_meter)
        for order in (self.pending, self.dealt):
            _remove(order, key)

    def _waits(self, key: RoundKey) -> bool:
        if key[0] in self.by_entry and key not in self.released:
            return any(self.unsigned[other] for other in self.pending[: self.pending.index(key)])
        return self.waits[key[0]] and key not in self.released and key in self.dealt and self.dealt[0] != key


def order_at(house: House) -> Order:
    """The order in which the tables of a house are paid, each by its own rulebook."""
    jackpots = {name: table.terms.book.jackpot for name, table in house.tables.items()}
    by_entry = {name for name, jackpot in jackpots.items() if jackpot.across_tables is AcrossTables.BY_ENTRY}
    return Order({name: jackpot.waits_for_earlier_deals for name, jackpot in jackpots.items()}, by_entry)


def _remove(keys: list[RoundKey], key: RoundKey) -> None:
    if key in keys:
        keys.remove(key)


def _ruled(keys: list[RoundKey], tables: Sequence[str]) -> list[RoundKey]:
    named = iter(sorted((key for key in keys if key[0] in tables), key=lambda key: tables.index(key[0])))
    return [next(named) if key[0] in tables else key for key in keys]
