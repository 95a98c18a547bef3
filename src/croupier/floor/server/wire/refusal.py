"""The body of every refusal."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

No: TypeAlias = Annotated[bool, msgspec.Meta(extra_json_schema={"const": False})]


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing was changed: a stable code, one sentence, and the paragraphs that say so."""

    accepted: No
    code: str
    message: str
    rules: tuple[str, ...] = ()
    """Left out where the house itself refuses and no paragraph says so."""
