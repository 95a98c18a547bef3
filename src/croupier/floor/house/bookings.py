"""Payments that the cashiers of other servers have booked."""

from __future__ import annotations

from croupier.floor.house.house import House
from croupier.floor.records.codec import cashier_fact
from croupier.floor.records.streams import CASHIER
from croupier.ledger import accounts


class Bookings:
    """Follows the cashier's stream of a shared store. The writer's thread uses it between two commands."""

    def __init__(self, house: House) -> None:
        self._house = house
        head = house.heads.get(CASHIER)
        self._seen = 0 if head is None else head.seq

    def players(self) -> frozenset[str]:
        """Return the players with a payment since the last call, after their balances were read anew."""
        records = list(self._house.store.read(CASHIER, self._seen))
        if not records:
            return frozenset()
        self._seen = records[-1].seq
        players = frozenset(cashier_fact(record).player for record in records)
        shared = self._house.store.begin((), sorted(accounts.player(name) for name in players))
        self._house.store.abandon()
        self._house.set_balances(shared.balances)
        return players
