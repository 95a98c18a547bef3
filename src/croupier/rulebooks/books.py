"""The five rulebooks by name; a module is loaded when its game is first asked for."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from typing import cast

import msgspec

from croupier.rulebooks.readings import Readings, readings_of
from croupier.rulebooks.vocabulary import Rulebook

GAMES = (
    "rws-multilink-holdem",
    "rws-multilink-three-card",
    "mbs-megalink-holdem",
    "rws-progressive-holdem",
    "sun-casino-holdem",
)


class UnknownGame(ValueError):
    """No rulebook has this name."""


def module_of(game: str) -> str:
    """Return the module that declares this game."""
    if game not in GAMES:
        raise UnknownGame(f'There is no game "{game}": the games are {", ".join(GAMES)}.')
    return f"croupier.rulebooks.{game.replace('-', '_')}"


@cache
def declare(game: str, readings: Readings | None = None) -> Rulebook:
    """Return the rulebook of this game under these readings; without any, under the defaults."""
    module = import_module(module_of(game))
    return cast(Rulebook, module.rulebook(readings or Readings.of(game, {})))


def rulebook_hash(book: Rulebook) -> str:
    """Return a SHA-256 that changes with anything the rulebook declares, readings in force included."""
    return hashlib.sha256(msgspec.json.encode(book, order="deterministic")).hexdigest()


def readings_hash(game: str) -> str:
    """Return the SHA-256 over every reading of the game: questions, answers and defaults."""
    return hashlib.sha256(msgspec.json.encode(dict(readings_of(game)), order="deterministic")).hexdigest()
