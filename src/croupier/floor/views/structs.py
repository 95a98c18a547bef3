"""Build one view from another."""

from __future__ import annotations

from typing import TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def extended(kind: type[S], view: msgspec.Struct, **more: object) -> S:
    """Build a struct from the fields that it has in common with `view`, and these besides."""
    same = [field for field in kind.__struct_fields__ if field in view.__struct_fields__ and field not in more]
    return kind(**{field: getattr(view, field) for field in same}, **more)
