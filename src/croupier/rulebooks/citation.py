"""Citing the rule documents: a paragraph can be named only if its document has it, a reading only if it is listed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NewType

import msgspec

from croupier.rulebooks.documents.document_text import Paragraph
from croupier.rulebooks.documents.editions import Edition, edition, edition_name

Para = NewType("Para", str)
"""The number of a paragraph as its document prints it, such as "3.13", or the id of a reading cited like one."""


class UnknownParagraph(ValueError):
    """A citation of something that the document does not have."""


class Document(msgspec.Struct, frozen=True):
    """A rule document of an operator, whose paragraphs a rulebook cites."""

    id: str
    title: str
    operator: str
    version: int | None = None
    effective: date | None = None
    revision: int = 0

    @property
    def edition(self) -> str:
        """Its name among the installed editions; a document that states no version is its first."""
        return edition_name(self.id, 1 if self.version is None else self.version, self.revision)

    def para(self, number: str) -> Para:
        """Return the citation of a paragraph; raises UnknownParagraph."""
        if number not in paragraphs(self.edition):
            raise UnknownParagraph(f"The document {self.id} has no paragraph {number!r}.")
        return Para(number)

    def reading(self, name: str) -> Para:
        """Return the citation of a reading; raises UnknownParagraph."""
        if name not in edition(self.edition).text.readings:
            raise UnknownParagraph(f"No reading {name!r} is listed for the document {self.id}.")
        return Para(name)


def document_of(found: Edition) -> Document:
    """Return the document of an edition from outside, as its folder describes it."""
    return Document(found.game, found.title, found.operator, found.version, found.effective, found.revision)


def document(name: str) -> Document:
    """Return the document of an installed edition from outside, for the module that declares it."""
    return document_of(edition(name))


def paragraphs(name: str) -> Mapping[str, Paragraph]:
    """Return every paragraph of a game or edition by its number, in the document's order; raises UnknownGame."""
    return edition(name).text.paragraphs
