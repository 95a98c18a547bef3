"""The streams of the journal that a house writes, by name."""

from __future__ import annotations

from functools import lru_cache

HOUSE = "house"
"""Tables opened, changed, closed and archived."""
CASHIER = "cashier"
"""Buy-ins and cash-outs."""
PEOPLE = "people"
"""Accounts, sessions, proposals, refusals, disputes, drills and exams."""
PLAYERS = "players"
"""What one table must know of a player at another."""
ANSWERS = "answers"
"""Answers to commands. Where several servers share a house, each writes `answers/1`, `answers/2`, …"""
_NAMES = 8192
"""Names that are kept: every record asks for one, and a text that is kept is hashed once."""


@lru_cache(maxsize=_NAMES)
def table_stream(table: str) -> str:
    """Name the stream of a table's events."""
    return f"table/{table}"


@lru_cache(maxsize=_NAMES)
def link_stream(link: str) -> str:
    """Name the stream of a link's events."""
    return f"link/{link}"


def is_answer_chain(stream: str) -> bool:
    """Tell a server's chain of answers from a stream of records."""
    return stream == ANSWERS or stream.startswith(f"{ANSWERS}/")
