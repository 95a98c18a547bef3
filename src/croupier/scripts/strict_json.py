"""Decode JSON strictly: a field that stands twice in one object is an error that names its place."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeAlias

import msgspec

Json: TypeAlias = object
_Place: TypeAlias = tuple[str | int, ...]
_LONGEST = 120


class BadJson(ValueError):
    """The text is not a JSON document, or gives a field twice; the message says where."""


def decode(text: bytes | str) -> Json:
    """Decode a JSON text; raises BadJson."""
    try:
        document: Json = msgspec.json.decode(text)
        if not isinstance(document, dict):
            return document
        # The decoder keeps the last of two equal fields and is silent. Where the document, written again, is the text
        # without its spaces, no field stood twice; otherwise the standard library hands over every pair.
        if msgspec.json.encode(document) == msgspec.json.format(text, indent=-1):
            return document
        doubled = False

        def fields(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
            nonlocal doubled
            held = dict(pairs)
            if len(held) == len(pairs):
                return held
            doubled = True
            names = [name for name, _ in pairs]
            return _Doubled(held, next(name for at, name in enumerate(names) if name in names[:at]))

        pairs = json.loads(text, object_pairs_hook=fields, parse_int=str, parse_float=str)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise BadJson(f"The script is not a JSON document: {wrong}.") from None
    if doubled:
        place = _given_twice(pairs)
        raise BadJson(f"{_shown(place)}: this field stands twice in one object; remove one of them.")
    return document


class _Doubled(dict[str, Json]):
    """An object that gives a field more than once."""

    def __init__(self, fields: dict[str, Json], field: str) -> None:
        super().__init__(fields)
        self.field = field


def _given_twice(document: Json) -> _Place:
    """Return the path to the first field that an object gives twice."""
    left: list[tuple[_Place, Json]] = [((), document)]
    while left:
        place, value = left.pop()
        if isinstance(value, _Doubled):
            return (*place, value.field)
        inner: list[tuple[str | int, Json]] = []
        if isinstance(value, dict):
            inner = list(value.items())
        elif isinstance(value, list):
            inner = list(enumerate(value))
        left.extend(((*place, name), each) for name, each in reversed(inner))
    raise AssertionError("an object with a doubled field is in the document")


def _shown(place: _Place) -> str:
    """Return a place as messages about scripts write it: `step 3, cards.dealer`, `tables.T1.limits`."""
    match place:
        case ("steps", int(index), *inside):
            return f"step {index}, {_joined(inside)}"
        case _:
            return _joined(place)


def _joined(names: Iterable[str | int]) -> str:
    """Join the names with points, shortened to their end where they are too long for one line."""
    text = ".".join(map(str, names))
    return text if len(text) <= _LONGEST else f"…{text[-_LONGEST:]}"
