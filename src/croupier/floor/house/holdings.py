"""What a name still holds: chips, bets on a layout, awards that are not paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.ledger import accounts
from croupier.money import show

if TYPE_CHECKING:
    from croupier.floor.house.house import House


def holdings(house: House, name: str) -> str:
    """What stands under a name, as the middle of a sentence; empty where nothing does."""
    held = house.balances.get(accounts.player(name), 0)
    if held:
        return f"holds {show(held)} in chips"
    # Of tables that other servers run this one knows neither the layout nor the Round: both are read from the store.
    is_alone = all(table.ours for table in house.tables.values())
    lying = house.balances if is_alone else house.store.balances()
    for table in house.tables.values():
        if lying.get(accounts.layout(table.name), 0):
            state = table.round if table.ours else house.round_elsewhere(table)
            if any(name in box.players for box in state.boxes):
                return f"has bets at table {table.name}"
    if any(case.claim.player == name for link in house.links.values() for case in link.open_cases):
        return "has claimed an award that is not paid"
    return ""
