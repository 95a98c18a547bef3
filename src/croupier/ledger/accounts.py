"""The accounts: players, each table's bank, layout and mispays, each link's pool and reserve, cashier, top-ups."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

AccountName: TypeAlias = str

CASH = "cashier/cash"
"""Money that came over the cashier's counter; what players hold and what lies on layouts is owed out of it."""

DEMO_CHIPS = "house/demo-chips"
"""What a demonstration house has given away beside the first buy-in of each guest."""

_NAMES = 16384
"""Names that are kept: every entry asks for some, and a text that is kept is hashed once."""


@lru_cache(maxsize=_NAMES)
def player(name: str) -> AccountName:
    """Name the account of what a player may bet or cash out."""
    return f"player/{name}"


@lru_cache(maxsize=_NAMES)
def layout(table: str) -> AccountName:
    """Name the account of the chips on a table's layout."""
    return f"table/{table}/layout"


@lru_cache(maxsize=_NAMES)
def bank(table: str) -> AccountName:
    """Name the account of what a table has won for the House, or lost."""
    return f"table/{table}/bank"


def mispays(table: str) -> AccountName:
    """Name the account of chips that a table has paid too much and not got back; below zero it owes them."""
    return f"table/{table}/mispays"


@lru_cache(maxsize=_NAMES)
def of_table(table: str) -> tuple[AccountName, ...]:
    """Return every account of a table."""
    return layout(table), bank(table), mispays(table)


@lru_cache(maxsize=_NAMES)
def pool(link: str) -> AccountName:
    """Name the account of the jackpot as its display shows it, in whole cents."""
    return f"link/{link}/pool"


@lru_cache(maxsize=_NAMES)
def reserve(link: str) -> AccountName:
    """Name the account of the hidden contributions that pay for the next reset value."""
    return f"link/{link}/reserve"


@lru_cache(maxsize=_NAMES)
def overflow(link: str) -> AccountName:
    """Name the account of contributions beyond the cap, kept until the next reset."""
    return f"link/{link}/overflow"


def payable(link: str) -> AccountName:
    """Name the account of locked awards that are not paid yet."""
    return f"link/{link}/payable"


def top_ups(link: str) -> AccountName:
    """Name the account of what the House has put into a link: seed, reset values, floors of shares."""
    return f"house/top-ups/{link}"


def of_link(link: str) -> tuple[AccountName, ...]:
    """Return every account of a link."""
    return pool(link), reserve(link), overflow(link), payable(link), top_ups(link)


def may_be_overdrawn(account: AccountName) -> bool:
    """Return whether the balance may be below zero, as only the House's own accounts may."""
    if account.startswith("table/"):
        return account.endswith(("/bank", "/mispays"))
    return account == CASH or account.startswith("house/")
