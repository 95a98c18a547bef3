"""What a name still holds: chips, bets on a layout, awards that are not paid."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.floor.house.memory.snapshots import table_snapshot
from croupier.floor.house.memory.state import HouseState
from croupier.floor.house.recovery import recover_round
from croupier.ledger import accounts
from croupier.money import Money, show
from croupier.rounds.state import Round


def holdings(house: HouseState, name: str) -> str:
    """Say what a name holds, as the predicate of a sentence; empty where it holds nothing."""
    held = house.balances.get(accounts.player(name), 0)
    if held:
        return f"holds {show(held)} in chips"
    for table, state in _rounds_with_chips(house):
        if any(name in box.players for box in state.boxes):
            return f"has bets at table {table}"
    if any(case.claim.player == name for link in house.links.values() for case in link.open_cases):
        return "has claimed an award that is not paid"
    return ""


def chips_on_layouts(house: HouseState, name: str) -> Money:
    """Return what lies on layouts for a name."""
    stakes = [
        stake
        for _, state in _rounds_with_chips(house)
        for box in state.boxes
        for stake in (*box.stakes, *(part.stake for part in box.returned))
    ]
    return sum(stake.amount for stake in stakes if stake.player == name)


def _rounds_with_chips(house: HouseState) -> Iterator[tuple[str, Round]]:
    """Yield tables with chips on their layout, each with its Round.

    This server knows neither layout nor Round of a table that another one runs: it reads both from the store.
    """
    is_alone = all(table.ours for table in house.tables.values())
    lying = house.balances if is_alone else house.store.balances()
    for table in house.tables.values():
        if lying.get(accounts.layout(table.name), 0):
            own = table.round if table.ours else recover_round(house.store, table, table_snapshot(house.store, table))
            yield table.name, own
