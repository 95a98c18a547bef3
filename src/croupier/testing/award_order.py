"""Who may be locked and paid next on a link, by rules written for this alone: an oracle for houses that several servers
share.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from croupier.floor.house.house import House
from croupier.floor.records.facts import LinkFact
from croupier.jackpots import events
from croupier.rulebooks.vocabulary import AcrossTables


class _Claim:
    """One award as the oracle follows it."""

    def __init__(self, key: events.RoundKey, unsigned: int) -> None:
        self.key, self.unsigned = key, unsigned
        self.signers: set[str] = set()
        self.locked: int | None = None
        self.paid = self.denied = False


class Order:
    """Who was dealt first, who has claimed, whose turn it is: followed event by event on the link."""

    def __init__(self, waits: Mapping[str, bool], by_entry: Collection[str] = ()) -> None:
        self.waits, self.by_entry = waits, by_entry
        """By table: whether its rulebook pays in the order of deals; which tables' claims go in the order of entry."""
        self.dealt: list[events.RoundKey] = []
        self.deals: list[events.RoundKey] = []
        self.claims: dict[int, _Claim] = {}
        self.count = 0
        self.released: set[events.RoundKey] = set()
        self.faults: dict[int, set[str]] = {}
        self.paid: dict[int, int] = {}
        """What the meter paid, by case."""
        self.wrong: list[str] = []
        self.most_pending = self.waited = self.signed = self.denied = 0

    def follow(self, event: LinkFact) -> None:
        match event:
            case events.HandsDealt(table=table, round=number):
                for order in (self.dealt, self.deals):
                    _remove(order, (table, number))
                    order.append((table, number))
            case events.DealRestored(table=table, round=number):
                again = {*self.dealt, (table, number)}
                self.dealt = [key for key in self.deals if key in again]
            case events.RoundDecided(table=table, round=number):
                _remove(self.dealt, (table, number))
            case events.AwardReleased(table=table):
                self.released.update(key for key in self._waiting() if key[0] == table)
            case events.DealOrderRuled(tables=tables):
                self.dealt, self.deals = _ruled(self.dealt, tables), _ruled(self.deals, tables)
            case events.RoundForgotten(table=table):
                waiting = self._waiting()
                self.deals = [key for key in self.deals if key[0] != table or key in waiting]
            case events.FaultReported(fault=fault, tables=tables):
                self.faults[fault] = set(tables)
            case events.FaultCarriedOut(fault=fault, table=table):
                self.faults[fault].discard(table)
            case _:
                self._follow_award(event)

    def _follow_award(self, event: LinkFact) -> None:
        match event:
            case events.ClaimsEntered(table=table, round=number, claims=claims, signatures=signatures):
                for _ in claims:
                    self.count += 1
                    self.claims[self.count] = _Claim((table, number), signatures)
                self.most_pending = max(self.most_pending, len(self._open()))
            case events.AwardsLocked():
                self._lock(event)
            case events.AwardSigned(case=number, by=by):
                self._sign(number, by)
            case events.CasePaid(case=number, awards=awards):
                self._pay(number, sum(award.amount for award in awards if award.from_meter))
            case events.CaseDenied(case=number):
                claim = self.claims[number]
                if claim.paid or claim.denied:
                    self.wrong.append(f"case {number} of {claim.key} was denied and had ended.")
                claim.denied = True
                self.denied += 1
                self._leave(claim.key)
            case events.AwardsReversed(table=table, round=number):
                for case in [case for case, claim in self.claims.items() if claim.key == (table, number)]:
                    del self.claims[case]
                    self.paid.pop(case, None)
            case _:
                pass

    def _open(self) -> list[_Claim]:
        return [claim for claim in self.claims.values() if not claim.paid and not claim.denied]

    def _waiting(self) -> list[events.RoundKey]:
        """Rounds with claims whose turn has not come, in the order of entry."""
        return list(dict.fromkeys(claim.key for claim in self._open() if claim.locked is None))

    def _leave(self, key: events.RoundKey) -> None:
        if key not in self._waiting():
            _remove(self.dealt, key)

    def _sign(self, number: int, by: str) -> None:
        claim = self.claims[number]
        if claim.paid or claim.denied or not claim.unsigned or by in claim.signers:
            self.wrong.append(f"{by} has signed for case {number} of {claim.key}, which did not wait for it.")
            return
        claim.signers.add(by)
        claim.unsigned -= 1

    def _lock(self, event: events.AwardsLocked) -> None:
        key = event.key
        if any(self.faults.values()):
            self.wrong.append(f"{key} was locked before every table had met the fault.")
        if self._waits(key):
            self.wrong.append(f"{key} was locked before Rounds that go before it.")
        for other in self._waiting():
            if other == key:
                break
            if not self._waits(other):
                self.wrong.append(f"{key} was locked before {other}, which had claimed earlier.")
        self.waited += len({claim.key for claim in self._open()}) > 1
        for award in event.awards:
            claim = self.claims[award.case]
            if claim.locked is not None or claim.denied or claim.key != key:
                self.wrong.append(f"case {award.case} of {claim.key} was locked and did not wait for it.")
            claim.locked = award.from_meter
        self._leave(key)

    def _pay(self, number: int, amount: int) -> None:
        claim = self.claims[number]
        if claim.locked is None or claim.paid or claim.denied:
            self.wrong.append(f"case {number} of {claim.key} was paid and was not locked.")
        if claim.unsigned:
            self.wrong.append(f"case {number} of {claim.key} was paid and {claim.unsigned} people had yet to sign.")
        if amount != claim.locked:
            self.wrong.append(f"case {number} of {claim.key} was paid {amount} and locked at {claim.locked}.")
        self.signed += bool(claim.signers)
        claim.paid = True
        self.paid[number] = amount

    def _waits(self, key: events.RoundKey) -> bool:
        if key[0] in self.by_entry or key in self.released:
            return False
        return self.waits[key[0]] and key in self.dealt and self.dealt[0] != key


def order_at(house: House) -> Order:
    """Return the order in which the tables of a house are paid, each by its own rulebook."""
    jackpots = {name: table.terms.book.jackpot for name, table in house.tables.items()}
    by_entry = {name for name, jackpot in jackpots.items() if jackpot.across_tables is AcrossTables.BY_ENTRY}
    return Order({name: jackpot.waits_for_earlier_deals for name, jackpot in jackpots.items()}, by_entry)


def _remove(keys: list[events.RoundKey], key: events.RoundKey) -> None:
    if key in keys:
        keys.remove(key)


def _ruled(keys: list[events.RoundKey], tables: Sequence[str]) -> list[events.RoundKey]:
    named = iter(sorted((key for key in keys if key[0] in tables), key=lambda key: tables.index(key[0])))
    return [next(named) if key[0] in tables else key for key in keys]
