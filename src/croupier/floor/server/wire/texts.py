"""Texts with bounds, as requests carry them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from croupier.floor.people.passwords import LONGEST

PersonText: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Password: TypeAlias = Annotated[str, msgspec.Meta(max_length=LONGEST)]
Code: TypeAlias = Annotated[str, msgspec.Meta(max_length=40)]
CommandId: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
NewName: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[^/\x00-\x1f]*[^/. \x00-\x1f][^/\x00-\x1f]*$")
]
"""The name of a table or a link that is opened."""
Amount: TypeAlias = Annotated[str, msgspec.Meta(max_length=30)]
"""Money as text with two decimals."""
