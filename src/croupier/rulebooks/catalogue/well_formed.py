"""Whether a rulebook is made of the right words; one from outside is written by hand, without a type checker."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from types import UnionType
from typing import Literal, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

from croupier.rulebooks.vocabulary import Compare, Irregularity, Rulebook


def misfits(book: Rulebook) -> Iterator[str]:
    """Yield where a rulebook holds something that is not a word of its place, and what may stand there."""
    found = False
    for says in _struct(book, ""):
        found = True
        yield says
    if found:
        return  # what follows reads the words
    for procedure in book.dealings:
        if [at for at, step in enumerate(procedure.steps, 1) if isinstance(step, Compare)] != [len(procedure.steps)]:
            yield f"dealings[{procedure.name}] must end with its one Compare."


def _struct(value: msgspec.Struct, where: str) -> Iterator[str]:
    for field, hint in hints_of(type(value)).items():
        yield from _misfits(getattr(value, field), hint, f"{where}.{field}" if where else field)


def _misfits(value: object, hint: object, where: str) -> Iterator[str]:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        fitting = [each for each in inner if not any(_misfits(value, each, where))]
        same = [each for each in inner if isinstance(each, type) and type(value) is each]
        if not fitting:
            yield from _misfits(value, same[0], where) if same else [_says(value, inner, where)]
    elif origin is Literal:
        if value not in inner:
            yield f"{where} is {value!r}; it is one of {', '.join(map(str, inner))}."
    elif origin is tuple:
        yield from _tuple(value, inner, where)
    elif isinstance(hint, NewType):
        yield from _misfits(value, hint.__supertype__, where)
    elif isinstance(hint, type) and not isinstance(value, hint):
        yield _says(value, (hint,), where)
    elif isinstance(value, msgspec.Struct):
        yield from _struct(value, where)


def _tuple(value: object, inner: tuple[object, ...], where: str) -> Iterator[str]:
    if not isinstance(value, tuple):
        yield f"{where} is {_short(value)}, not a list in brackets. A list of one ends with a comma: (this,)."
    elif len(inner) == 2 and inner[1] is Ellipsis:
        for index, each in enumerate(value):
            yield from _misfits(each, inner[0], f"{where}[{label_of(each, index)}]")
    elif len(value) != len(inner):
        yield f"{where} has {len(value)} parts, and {len(inner)} belong there."
    else:
        for each, hint in zip(value, inner, strict=True):
            yield from _misfits(each, hint, where)


def _says(value: object, kinds: tuple[object, ...], where: str) -> str:
    """Say what stands there and what could."""
    allowed = [name for kind in kinds if isinstance(kind, type) for name in _names(kind)]
    return f"{where} is {_short(value)}; it is one of {', '.join(allowed)}."


def _names(kind: type) -> list[str]:
    if issubclass(kind, Enum):
        return [f"{kind.__name__}.{member.name}" for member in kind]
    if issubclass(kind, msgspec.Struct):
        return [f"{kind.__name__}(…)"]
    return ["None" if kind is type(None) else f"a {kind.__name__}"]


def _short(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__} without its brackets ()"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


@cache
def hints_of(kind: type) -> dict[str, object]:
    """Return the types of a struct's fields."""
    return get_type_hints(kind)


def label_of(entry: object, index: int) -> str:
    """Return the label of an entry in a list: its own name, where it has one."""
    if isinstance(entry, Irregularity):
        conditions = f" when {', '.join(entry.when)}" if entry.when else ""
        return f"{entry.incident}{conditions}"
    if isinstance(entry, tuple) and entry and isinstance(entry[0], str):
        return entry[0]
    for name in ("name", "hand", "bet"):
        if isinstance(called := getattr(entry, name, None), str):
            return called
    return f"{type(entry).__name__.lower()} {index + 1}" if isinstance(entry, msgspec.Struct) else str(index + 1)
