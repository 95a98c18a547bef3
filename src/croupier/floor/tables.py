"""A table as the house holds it, and the streams of the journal that the house writes."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from croupier.floor.decks import Deck
from croupier.floor.requests import TableConfig
from croupier.journal.records import Versions
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import Limits

HOUSE, CASHIER, PEOPLE, ANSWERS = "house", "cashier", "people", "answers"

MOST = 10**15
"""No account and no single amount goes beyond this many cents: sums of them still fit a database's 64 bits."""

VERSIONS = Versions()
"""Every event type is at its first version."""

ENCODE = msgspec.json.Encoder().encode

DealKey: TypeAlias = tuple[int, int]


def table_stream(table: str) -> str:
    """The stream of a table's events."""
    return f"table/{table}"


def link_stream(link: str) -> str:
    """The stream of a link's events."""
    return f"link/{link}"


class Table(msgspec.Struct):
    """A table as the house holds it: constant size however many Rounds it has played."""

    name: str
    terms: Terms
    config: TableConfig
    round: Round
    ours: bool = False
    """This server runs it; the others know only its terms."""
    commitment: str = ""
    """Of the deck in play: published before bets, checked by anybody after the settlement."""
    decks: dict[DealKey, Deck] = {}
    """The decks of the Round in play, by round and deal."""


def terms_of(config: TableConfig) -> Terms:
    """A table's terms from its configuration; raises BadTerms or UnknownGame."""
    return table_terms(
        config.game,
        dealing=config.dealing,
        boxes=config.boxes,
        limits={bet: Limits(least, most) for bet, (least, most) in config.limits.items()},
        jackpot_bet=config.jackpot_bet,
        linked=config.link is not None,
        pay_tables=config.pay_tables,
        rulings=config.rulings,
        currency_code=config.currency,
    )


def signatures_at(config: TableConfig) -> int:
    """How many people verify a major award of a table before it is paid."""
    return 2 if config.staffed else 0
