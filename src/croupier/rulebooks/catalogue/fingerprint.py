"""The content hash of a rulebook: the same on every machine, and another one after any change of what it says.

The canonical form names every declared value by its class and fields, and leaves out fields that have their default,
so that a word may gain a field without changing the hash of a book that does not use it. Renaming a class or a field of
the vocabulary would change hashes that journals hold: a test keeps those of the built-in editions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import date
from enum import Enum, IntEnum
from functools import cache
from typing import TypeAlias

import msgspec

from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.documents.editions import Edition, edition
from croupier.rulebooks.readings import Readings, readings_of
from croupier.rulebooks.vocabulary import Rulebook

Canonical: TypeAlias = "str | int | bool | list[Canonical] | dict[str, Canonical] | None"


def rulebook_hash(book: Rulebook) -> str:
    """Return a SHA-256 over what a rulebook declares, its paragraphs, and its readings with the answers in force."""
    name, readings = book.document.edition, book.readings
    asked: dict[str, Canonical] = {
        each.id: [each.question, dict(each.options), readings.chosen(each.id)] for each in readings_of(name).values()
    }
    declared = _fields(msgspec.structs.replace(book, readings=Readings(name)))
    said = [_canonical(paragraph) for paragraph in paragraphs(name).values()]
    return digest({"declared": declared, "paragraphs": said, "readings": asked})


def readings_hash(name: str) -> str:
    """Return the SHA-256 over every reading of a game or edition: questions, answers, defaults and reasons."""
    return digest(dict(readings_of(name)))


def edition_hash(name: str, choices: tuple[tuple[str, str], ...] = ()) -> str:
    """Return the hash of an installed edition under a house's choices of readings."""
    return _hashed(edition(name), choices)


@cache
def _hashed(found: Edition, choices: tuple[tuple[str, str], ...]) -> str:
    return rulebook_hash(declare(found.name, Readings.of(found.name, dict(choices))))


def digest(value: object) -> str:
    """Return the SHA-256 of a declared value in its canonical form."""
    text = json.dumps(_canonical(value), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _canonical(value: object) -> Canonical:
    match value:
        case None | bool() | str() if not isinstance(value, Enum):
            return value
        case IntEnum():
            return value.name
        case Enum():
            return str(value.value)
        case int():
            return value
        case date():
            return value.isoformat()
        case msgspec.Struct():
            return {"is": type(value).__name__, **_fields(value)}
        case Mapping():
            return {str(_canonical(key)): _canonical(inner) for key, inner in value.items()}
        case tuple() | list():
            return [_canonical(each) for each in value]
        case _:
            raise TypeError(f"{type(value).__name__} is not a word of a rulebook")


def _fields(value: msgspec.Struct) -> dict[str, Canonical]:
    found = {}
    for field in msgspec.structs.fields(value):
        held, makes = getattr(value, field.name), field.default_factory
        if held != (field.default if makes is msgspec.NODEFAULT else makes()):
            found[field.name] = _canonical(held)
    return found
