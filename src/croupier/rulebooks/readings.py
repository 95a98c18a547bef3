"""The answers in force at one table, where its rule document is silent or says two things."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

import msgspec

from croupier.rulebooks.documents.document_text import BadReading, Reading, built_in_readings, listed
from croupier.rulebooks.documents.editions import edition

T = TypeVar("T")


def readings_of(name: str) -> Mapping[str, Reading]:
    """Return the readings that the document of a game or edition asks for, by id; raises UnknownGame."""
    return edition(name).text.readings


class Readings(msgspec.Struct, frozen=True):
    """The answers in force at one table: the defaults of its edition, and what its house has chosen otherwise."""

    edition: str
    choices: tuple[tuple[str, str], ...] = ()  # id and full answer, only where it is not the default

    @classmethod
    def of(cls, name: str, choices: Mapping[str, str] = MappingProxyType({})) -> Readings:
        """Return the defaults of a game or edition with these choices: `{"bonus-on-loss": "a"}`, `{…: "a+d"}`."""
        found = edition(name)
        changed = {}
        for reading, choice in choices.items():
            asked = _reading(name, reading)
            if (answer := asked.choose(found.game, choice)) != asked.default_for(found.game):
                changed[reading] = answer
        return cls(found.name, tuple(sorted(changed.items())))

    @property
    def changed(self) -> Mapping[str, str]:
        """What this table's house reads otherwise than the default, by id."""
        return MappingProxyType(dict(self.choices))

    @property
    def in_force(self) -> Mapping[str, str]:
        """The answer to every reading of the edition, by id."""
        return {name: self.chosen(name) for name in readings_of(self.edition)}

    def chosen(self, name: str) -> str:
        """Return the letter in force, or the letters joined by a plus where the entry asks several questions."""
        default = _reading(self.edition, name).default_for(edition(self.edition).game)
        return next((answer for changed, answer in self.choices if changed == name), default)

    def pick(self, name: str, /, **meanings: T) -> T:
        """Return the meaning of the letter in force; the letters passed all answer one question."""
        reading = _reading(self.edition, name)
        unknown = meanings.keys() - reading.options.keys()
        if unknown or not meanings:
            raise BadReading(f"Reading {name} has the options {listed(reading.options)}, not {listed(unknown)}.")
        dimensions = {reading.dimension_of(letter) for letter in meanings}
        if len(dimensions) > 1:
            raise BadReading(f"Reading {name} asks several questions, and {listed(meanings)} do not answer one.")
        (dimension,) = dimensions
        in_force = next(letter for letter in self.chosen(name).split("+") if letter in dimension)
        if in_force not in meanings:
            raise BadReading(f"Reading {name} is {in_force!r} here, which nothing carries out: {listed(meanings)} are.")
        return meanings[in_force]


def _reading(name: str, reading: str) -> Reading:
    """Return the reading of that id if the document of this game or edition asks for it."""
    known = readings_of(name)
    if reading in known:
        return known[reading]
    if reading in built_in_readings():
        of = listed(built_in_readings()[reading].games)
        raise BadReading(f"Reading {reading} is not one of {name}: it belongs to {of}.")
    near = difflib.get_close_matches(reading, list(known), n=1)
    raise BadReading(f"There is no reading {reading!r}{f'; did you mean {near[0]}?' if near else '.'}")
