"""Build a larger view from a smaller one."""

from __future__ import annotations

from typing import TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def extended(kind: type[S], view: msgspec.Struct, **more: object) -> S:
    """Build a struct of a subclass from the fields of `view` and these besides."""
    return kind(**{field: getattr(view, field) for field in view.__struct_fields__}, **more)
