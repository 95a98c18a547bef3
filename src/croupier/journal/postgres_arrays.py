"""Columns of rows as PostgreSQL's binary arrays: a statement takes any number of rows, one array for each column.

psycopg's own arrays look at every value again to find its type; here the column says it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from struct import Struct, pack
from typing import Any, ClassVar

import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format

_EMPTY, _HEADER, _LENGTH = Struct(">iii"), Struct(">iiiii"), Struct(">i")
_LENGTHS = tuple(_LENGTH.pack(length) for length in range(1024))
"""Lengths of most texts, packed."""


class Column(bytes):
    """An array in binary format."""

    __slots__ = ()
    element: ClassVar[int]
    """PostgreSQL's number for the type of its values."""


class Texts(Column):
    """An array of texts."""

    __slots__ = ()
    element = 25


class Bytes(Column):
    """An array of bytes."""

    __slots__ = ()
    element = 17


class BigIntegers(Column):
    """An array of integers of eight bytes."""

    __slots__ = ()
    element = 20


class Integers(Column):
    """An array of integers of four bytes."""

    __slots__ = ()
    element = 23


class SmallIntegers(Column):
    """An array of integers of two bytes."""

    __slots__ = ()
    element = 21


def texts(values: Sequence[str]) -> Texts:
    """Pack texts."""
    return Texts(_joined(Texts.element, [value.encode() for value in values]))


def byte_strings(values: Sequence[bytes]) -> Bytes:
    """Pack bytes."""
    return Bytes(_joined(Bytes.element, values))


def big_integers(values: Sequence[int]) -> BigIntegers:
    """Pack integers of eight bytes."""
    return BigIntegers(_packed(BigIntegers.element, "q", 8, values))


def integers(values: Sequence[int]) -> Integers:
    """Pack integers of four bytes."""
    return Integers(_packed(Integers.element, "i", 4, values))


def small_integers(values: Sequence[int]) -> SmallIntegers:
    """Pack integers of two bytes."""
    return SmallIntegers(_packed(SmallIntegers.element, "h", 2, values))


PACKED: Mapping[str, Callable[[Sequence[Any]], Column]] = {
    "text": texts, "bytea": byte_strings, "int8": big_integers, "int4": integers, "int2": small_integers,
}  # fmt: skip
"""By the name of a type: how its values are packed."""


def _joined(element: int, values: Sequence[bytes]) -> bytes:
    if not values:
        return _EMPTY.pack(0, 0, element)
    parts = [_HEADER.pack(1, 0, element, len(values), 1)]
    for value in values:
        size = len(value)
        parts.append(_LENGTHS[size] if size < len(_LENGTHS) else _LENGTH.pack(size))
        parts.append(value)
    return b"".join(parts)


def _packed(element: int, code: str, size: int, values: Sequence[int]) -> bytes:
    if not values:
        return _EMPTY.pack(0, 0, element)
    each = chain.from_iterable(zip(repeat(size), values, strict=False))
    return _HEADER.pack(1, 0, element, len(values), 1) + pack(f">{f'i{code}' * len(values)}", *each)


class _AsItIs(Dumper):
    """Hands a column to PostgreSQL as it is."""

    format = Format.BINARY

    def dump(self, obj: Column) -> bytes:
        return obj


def register(db: psycopg.Connection) -> None:
    """Have a connection take columns."""
    for kind in Column.__subclasses__():
        array = psycopg.postgres.types[kind.element].array_oid
        db.adapters.register_dumper(kind, type(f"_{kind.__name__}", (_AsItIs,), {"oid": array}))
