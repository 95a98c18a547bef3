"""The one currency of a house: a player's one account would hold chips of two."""

from __future__ import annotations

from croupier.floor.house.memory.state import HouseState
from croupier.floor.records.refusals import Code, Refused


def house_currency(house: HouseState) -> str | None:
    """Return the currency that the house began with; None where it has no table and no link yet."""
    for table in house.tables.values():
        return table.terms.currency
    for link in house.links.values():
        return link.parameters.currency
    return None


def check_currency(house: HouseState, currency: str, what: str) -> None:
    """Refuse a second currency."""
    begun = house_currency(house)
    if begun not in (None, currency):
        raise Refused(Code.OTHER_CURRENCY, f"{what} is in {currency}, and the money of this house is {begun}.")
