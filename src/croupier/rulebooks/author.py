"""Everything that a rulebook outside the package imports: the words of a rulebook, and how to change an earlier one."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.cards import Rank, ThreeCardRank
from croupier.money import fixed, for_one, money, percent_of_meter, to_one
from croupier.rulebooks import vocabulary
from croupier.rulebooks.catalogue.books import earlier
from croupier.rulebooks.citation import document
from croupier.rulebooks.readings import Readings
from croupier.rulebooks.terms import with_pay_tables
from croupier.rulebooks.vocabulary import *  # noqa: F403  every word

__all__ = [
    "Rank",
    "Readings",
    "ThreeCardRank",
    "document",
    "earlier",
    "fixed",
    "for_one",
    "money",
    "percent_of_meter",
    "replace",
    "to_one",
    "with_pay_tables",
]
__all__ += vocabulary.__all__
