"""Build one struct from another: an event from its command, a view from what it shows."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def extended(kind: type[S], other: msgspec.Struct, /, **more: object) -> S:
    """Build a struct from the fields that it has in common with `other`, and these besides."""
    return kind(**{field: getattr(other, field) for field in _shared(kind, type(other)) if field not in more}, **more)


@cache
def _shared(kind: type[msgspec.Struct], other: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(field for field in kind.__struct_fields__ if field in other.__struct_fields__)
