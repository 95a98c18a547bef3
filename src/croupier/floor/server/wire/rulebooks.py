"""Games and their rulebooks."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class GameLine(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a game's rule document that is installed."""

    game: str
    edition: str
    """The game with its version, as in `mbs-megalink-holdem@9`; every address of a game accepts it."""
    version: int | None
    effective: str | None
    """The day from which the document is approved, where it says one."""
    title: str
    operator: str


class IncidentWords(msgspec.Struct, frozen=True, kw_only=True):
    """What may go wrong in a round: its name in a search, and the words for it."""

    incident: str
    says: str


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One statement of a rulebook: in which dimension, about what, what it says, and by which paragraphs."""

    dimension: str
    about: str
    says: str
    rules: tuple[str, ...]


class ParagraphText(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph in our words."""

    text: str
    kind: str


class Game(GameLine, frozen=True, kw_only=True):
    """A rulebook, dimension by dimension, and every paragraph."""

    sha256: str
    """Of everything that the rulebook declares, its paragraphs, and its readings in force."""
    facts: list[Fact]
    paragraphs: Mapping[str, ParagraphText]


class ReadingText(msgspec.Struct, frozen=True, kw_only=True):
    """Where the document is silent: the question, and the answer in force."""

    question: str
    meaning: str


class FactDifference(msgspec.Struct, frozen=True, kw_only=True):
    """A statement on which two rulebooks differ; null where one of them has none."""

    dimension: str
    about: str
    first: Fact | None
    second: Fact | None


class ParagraphChange(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph in two versions of a document; null where one of them does not have it."""

    paragraph: str
    first: str | None
    second: str | None


class ReadingChange(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a reading."""

    reading: str
    says: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two rulebooks side by side."""

    games: tuple[str, str]
    paragraphs: list[ParagraphChange]
    """Of two versions of one document: paragraphs that are new, changed or gone."""
    readings: list[ReadingChange]
    """Of two versions of one document: readings that are lost, new or changed."""
    differences: list[FactDifference]
    same: list[Fact]


class PrintedRow(msgspec.Struct, frozen=True, kw_only=True):
    """What one hand pays."""

    hand: str
    pays: str


class PrintedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A pay table as it is printed on the felt."""

    of: str
    rows: list[PrintedRow]
    rules: tuple[str, ...]
