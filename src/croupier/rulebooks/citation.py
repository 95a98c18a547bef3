"""Citing the rule documents: a paragraph can be named only if its document has it, a reading only if it is listed."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import NewType

import msgspec

from croupier.rulebooks.readings import readings_of

Para = NewType("Para", str)
"""The number of a paragraph as its document prints it, such as "3.13", or the id of a reading cited like one."""


class UnknownParagraph(ValueError):
    """A citation of something that the document does not have."""


class Paragraph(msgspec.Struct, frozen=True):
    """One paragraph of a rule document, in our own words."""

    number: str
    kind: str  # definition, betting, dealing, decision, settlement, jackpot, irregularity, authority, …
    enforced_by: str  # engine, staff, notice, or none where it commands nothing
    text: str


class Document(msgspec.Struct, frozen=True):
    """A rule document of an operator, whose paragraphs a rulebook cites."""

    id: str
    title: str
    operator: str
    version: int | None = None
    effective: date | None = None

    def para(self, number: str) -> Para:
        """Return the citation of a paragraph; raises UnknownParagraph."""
        if number not in paragraphs(self.id):
            raise UnknownParagraph(f"The document {self.id} has no paragraph {number!r}.")
        return Para(number)

    def reading(self, name: str) -> Para:
        """Return the citation of a reading; raises UnknownParagraph."""
        if name not in readings_of(self.id):
            raise UnknownParagraph(f"No reading {name!r} is listed for the document {self.id}.")
        return Para(name)


@cache
def paragraphs(game: str) -> Mapping[str, Paragraph]:
    """Return every paragraph of a game's document by its number, in the document's order."""
    file = resources.files("croupier.rulebooks").joinpath("paragraphs", f"{game}.csv")
    if not file.is_file():
        raise UnknownParagraph(f"There is no rule document {game!r}.")
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    listed = (Paragraph(row["paragraph"], row["kind"], row["enforced_by"], row["paraphrase"]) for row in rows)
    return MappingProxyType({paragraph.number: paragraph for paragraph in listed})
