"""A link's state as the first release wrote it, compared by its sums."""

from __future__ import annotations

import msgspec

from croupier.jackpots.link import Link


class _FirstLink(msgspec.Struct, kw_only=True):
    """What the state of a link held in the first release and holds today."""

    scale: int
    meter: int
    reserve: int
    overflow: int
    seeded: int
    contributed: int
    topped_up: int
    closed: bool
    hits: int
    pending: list[object]
    """Its claims were not numbered, so that today's state cannot be made of them."""


def is_first_link(state: bytes) -> bool:
    """Return whether the kept state of a link is one of the first release; a house reads the records instead."""
    try:
        return "locked" not in msgspec.json.decode(state, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return False


def first_link_agrees(state: bytes, link: Link) -> bool:
    """Return whether the sums of such a state are those of the link; raises MsgspecError where it is not a state."""
    first = msgspec.json.decode(state, type=_FirstLink)
    same = ("scale", "meter", "reserve", "overflow", "seeded", "contributed", "topped_up", "closed")
    return all(getattr(first, name) == getattr(link, name) for name in same)
