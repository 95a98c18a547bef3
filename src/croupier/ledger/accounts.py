"""The accounts: players, each table's bank and layout, each link's pool and reserve, the cashier, House top-ups."""

from __future__ import annotations

from typing import TypeAlias

AccountName: TypeAlias = str

CASH = "cashier/cash"
"""Money that came over the cashier's counter; what players hold and what lies on layouts is owed out of it."""


def player(name: str) -> AccountName:
    """What a player may bet or cash out."""
    return f"player/{name}"


def layout(table: str) -> AccountName:
    """Chips that lie on a table's layout."""
    return f"table/{table}/layout"


def bank(table: str) -> AccountName:
    """What a table has won for the House, or lost."""
    return f"table/{table}/bank"


def pool(link: str) -> AccountName:
    """The jackpot as its display shows it, in whole cents."""
    return f"link/{link}/pool"


def reserve(link: str) -> AccountName:
    """The hidden part of contributions that pays for the next reset value."""
    return f"link/{link}/reserve"


def overflow(link: str) -> AccountName:
    """Contributions beyond the cap, kept for the meter after its next reset."""
    return f"link/{link}/overflow"


def payable(link: str) -> AccountName:
    """Locked for awards that are not paid yet."""
    return f"link/{link}/payable"


def top_ups(link: str) -> AccountName:
    """What the House has put into a link: its seed, reset values, floors of shares."""
    return f"house/top-ups/{link}"


def of_link(link: str) -> tuple[AccountName, ...]:
    """Every account of a link."""
    return pool(link), reserve(link), overflow(link), payable(link), top_ups(link)


def may_be_overdrawn(account: AccountName) -> bool:
    """The House's own accounts may stand below nothing; a player's, a layout, a pool never."""
    if account.startswith("table/"):
        return account.endswith("/bank")
    return account == CASH or account.startswith("house/")
