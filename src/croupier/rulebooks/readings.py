"""Our readings, where a rule document is silent or says two things: the question, the answers, the one in force."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import TypeVar

import msgspec

T = TypeVar("T")

_CHOICE = re.compile(r"[a-z](?:\s*[+,]?\s*[a-z])*")


class BadReading(ValueError):
    """A choice between readings that is not possible; the message is one sentence."""


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
            raise BadReading(f"Reading {self.id} is chosen by its letter ({_listed(self.options)}), not by {choice!r}.")
        letters = re.findall("[a-z]", choice.lower())
        answer = dict(zip(self.dimensions, self.default_for(game).split("+"), strict=True))
        decided: set[str] = set()
        for letter in letters:
            if letter not in self.options:
                raise BadReading(f"Reading {self.id} has no option {letter!r}: it has {_listed(self.options)}.")
            if not self.offers(game, letter):
                raise BadReading(f"Reading {self.id} cannot be {letter!r} in {game}: {self.not_offered_because}")
            dimension = self.dimension_of(letter)
            if dimension in decided:
                raise BadReading(f"Reading {self.id} takes only one of {_listed(dimension)}, not {choice!r}.")
            decided.add(dimension)
            answer[dimension] = letter
        return "+".join(answer[dimension] for dimension in self.dimensions)

    def dimension_of(self, letter: str) -> str:
        """Return the letters among which this one is chosen."""
        return next(dimension for dimension in self.dimensions if letter in dimension)


@cache
def all_readings() -> Mapping[str, Reading]:
    """Return every reading by its id, in the order of the list."""
    text = resources.files("croupier.rulebooks").joinpath("readings.toml").read_text(encoding="utf-8")
    listed: dict[str, Reading] = {}
    for name, entry in tomllib.loads(text).items():
        one_question = ["".join(entry["options"])]
        listed[name] = msgspec.convert({"id": name, "dimensions": one_question, **entry}, Reading)
    return MappingProxyType(listed)


@cache
def readings_of(game: str) -> Mapping[str, Reading]:
    """Return the readings that a game's document asks for, by id; none for a game that is not known."""
    return MappingProxyType({name: reading for name, reading in all_readings().items() if game in reading.games})


class Readings(msgspec.Struct, frozen=True):
    """The answers in force at one table: the defaults of its game, and what its house has chosen otherwise."""

    game: str
    choices: tuple[tuple[str, str], ...] = ()  # id and full answer, only where it is not the default

    @classmethod
    def of(cls, game: str, choices: Mapping[str, str] = MappingProxyType({})) -> Readings:
        """Return the game's defaults with these choices: `{"bonus-on-loss": "a"}`, `{"jackpot-fault": "a+d"}`."""
        _refuse_unknown(game)
        answers = {name: _reading(game, name).choose(game, choice) for name, choice in choices.items()}
        changed = {name: full for name, full in answers.items() if full != _reading(game, name).default_for(game)}
        return cls(game, tuple(sorted(changed.items())))

    @property
    def changed(self) -> Mapping[str, str]:
        """What this table's house reads otherwise than the default, by id."""
        return MappingProxyType(dict(self.choices))

    def chosen(self, name: str) -> str:
        """Return the letter in force, or the letters joined by a plus where the entry asks several questions."""
        default = _reading(self.game, name).default_for(self.game)
        return next((answer for changed, answer in self.choices if changed == name), default)

    def pick(self, name: str, /, **meanings: T) -> T:
        """Return the meaning of the letter in force; the letters passed all answer one question."""
        reading = _reading(self.game, name)
        unknown = meanings.keys() - reading.options.keys()
        if unknown or not meanings:
            raise BadReading(f"Reading {name} has the options {_listed(reading.options)}, not {_listed(unknown)}.")
        dimensions = {reading.dimension_of(letter) for letter in meanings}
        if len(dimensions) > 1:
            raise BadReading(f"Reading {name} asks several questions, and {_listed(meanings)} do not answer one.")
        (dimension,) = dimensions
        in_force = next(letter for letter in self.chosen(name).split("+") if letter in dimension)
        if in_force not in meanings:
            raise BadReading(
                f"Reading {name} is {in_force!r} here, which nothing carries out: {_listed(meanings)} are."
            )
        return meanings[in_force]


def _reading(game: str, name: str) -> Reading:
    """Return the reading of that id if the game's document asks for it."""
    _refuse_unknown(game)
    if name not in all_readings():
        raise BadReading(f"There is no reading {name!r}{_meant(name, readings_of(game))}")
    if name not in readings_of(game):
        raise BadReading(f"Reading {name} is not one of {game}: it belongs to {_listed(all_readings()[name].games)}.")
    return all_readings()[name]


def _refuse_unknown(game: str) -> None:
    if not readings_of(game):
        games = {game for reading in all_readings().values() for game in reading.games}
        raise BadReading(f"There is no game {game!r}{_meant(game, games)}")


def _meant(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else "."


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words)) or "none"
