"""The text of a rule document in our words: its paragraphs, and our readings where it is silent or says two things."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

import msgspec

_CHOICE = re.compile(r"[a-z](?:\s*[+,]?\s*[a-z])*")


class BadReading(ValueError):
    """A choice between readings that is not possible; the message is one sentence."""


class Paragraph(msgspec.Struct, frozen=True):
    """One paragraph of a rule document, in our own words."""

    number: str
    kind: str  # definition, betting, dealing, decision, settlement, jackpot, irregularity, authority, …
    enforced_by: str  # engine, staff, notice, or none where it commands nothing
    text: str


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One question that a text leaves open, with every answer considered and the reason for the one in force."""

    id: str
    games: tuple[str, ...]
    texts: tuple[str, ...]  # "<game> <paragraph>", as many as speak to the question
    question: str
    options: Mapping[str, str]  # letter -> what it means, in one sentence
    default: str
    why: str
    example: str
    dimensions: tuple[str, ...]  # the letters that exclude each other: one group for each question the entry asks
    default_in: Mapping[str, str] = {}  # games whose own document answers differently
    not_offered: tuple[str, ...] = ()
    not_offered_in: Mapping[str, tuple[str, ...]] = {}
    not_offered_because: str = ""

    def default_for(self, game: str) -> str:
        """Return the answer in force in a game unless its house chooses another."""
        return self.default_in.get(game, self.default)

    def offers(self, game: str, letter: str) -> bool:
        """Return whether a house that runs this game may choose this answer."""
        return letter not in self.not_offered and letter not in self.not_offered_in.get(game, ())

    def choose(self, game: str, choice: str) -> str:
        """Return the full answer after a house's choice: a dimension that it does not mention keeps its default."""
        if not _CHOICE.fullmatch(choice.strip().lower()):
            raise BadReading(f"Reading {self.id} is chosen by its letter ({listed(self.options)}), not by {choice!r}.")
        letters = re.findall("[a-z]", choice.lower())
        answer = dict(zip(self.dimensions, self.default_for(game).split("+"), strict=True))
        decided: set[str] = set()
        for letter in letters:
            if letter not in self.options:
                raise BadReading(f"Reading {self.id} has no option {letter!r}: it has {listed(self.options)}.")
            if not self.offers(game, letter):
                raise BadReading(f"Reading {self.id} cannot be {letter!r} in {game}: {self.not_offered_because}")
            dimension = self.dimension_of(letter)
            if dimension in decided:
                raise BadReading(f"Reading {self.id} takes only one of {listed(dimension)}, not {choice!r}.")
            decided.add(dimension)
            answer[dimension] = letter
        return "+".join(answer[dimension] for dimension in self.dimensions)

    def dimension_of(self, letter: str) -> str:
        """Return the letters among which this one is chosen."""
        return next(dimension for dimension in self.dimensions if letter in dimension)


class DocumentText(msgspec.Struct, frozen=True):
    """Everything that a rulebook may cite, in the document's order."""

    paragraphs: Mapping[str, Paragraph]
    readings: Mapping[str, Reading]


@cache
def built_in_readings() -> Mapping[str, Reading]:
    """Return every reading of the built-in documents by its id, in the order of the list."""
    text = resources.files("croupier.rulebooks").joinpath("readings.toml").read_text(encoding="utf-8")
    return MappingProxyType({name: read_reading(name, entry) for name, entry in tomllib.loads(text).items()})


def read_reading(name: str, entry: Mapping[str, object]) -> Reading:
    """Return a reading from its entry in a list; one that does not say otherwise asks one question."""
    options = entry.get("options")
    one_question = ["".join(options)] if isinstance(options, dict) else []
    return msgspec.convert({"id": name, "dimensions": one_question, **entry}, Reading)


@cache
def built_in_text(game: str) -> DocumentText:
    """Return the text of a built-in document."""
    file = resources.files("croupier.rulebooks").joinpath("paragraphs", f"{game}.csv")
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    paragraphs = (Paragraph(row["paragraph"], row["kind"], row["enforced_by"], row["paraphrase"]) for row in rows)
    readings = {name: reading for name, reading in built_in_readings().items() if game in reading.games}
    return DocumentText(
        MappingProxyType({paragraph.number: paragraph for paragraph in paragraphs}), MappingProxyType(readings)
    )


def listed(words: Iterable[str]) -> str:
    """Return words in order, for a sentence."""
    return ", ".join(sorted(words)) or "none"
