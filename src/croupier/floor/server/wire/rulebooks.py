"""Games and their rulebooks."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class GameLine(msgspec.Struct, frozen=True, kw_only=True):
    """A game of the house."""

    game: str
    title: str
    operator: str


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


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two rulebooks side by side."""

    games: tuple[str, str]
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
