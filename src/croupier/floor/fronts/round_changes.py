"""What of a Round has changed between two moments, as a house tells its fronts, and a Round with these changes."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import astuple, fields, replace

from croupier.rounds.state import Box, Round

_ENCODER = msgspec.msgpack.Encoder()
_DECODERS: dict[str, msgspec.msgpack.Decoder[object]] = {
    field.name: msgspec.msgpack.Decoder(field.type) for field in fields(Round)
}
_PARTS = tuple(_DECODERS)


class RoundChanges(msgspec.Struct, frozen=True, array_like=True):
    """What has changed in a Round; the rest is as it was."""

    boxes: tuple[Box, ...]
    """The boxes that have changed, each with its number."""
    parts: dict[str, msgspec.Raw]
    """All other parts, by the names of their fields, each encoded for itself."""


def changes_between(before: Round, now: Round) -> RoundChanges | None:
    """Return what has changed; None where the Round has another number of boxes."""
    if len(before.boxes) != len(now.boxes):
        return None
    return RoundChanges(
        tuple([new for old, new in zip(before.boxes, now.boxes, strict=True) if new is not old and new != old]),
        {
            part: msgspec.Raw(_ENCODER.encode(new))
            for part, old, new in zip(_PARTS, astuple(before), astuple(now), strict=True)
            if new is not old and part != "boxes" and new != old
        },
    )


def changed_round(before: Round, changes: RoundChanges) -> Round:
    """Return a Round with changes. It shares what is as before: views that were made from that are used again."""
    parts: Mapping[str, object] = {part: _DECODERS[part].decode(told) for part, told in changes.parts.items()}
    boxes = before.boxes
    if changes.boxes:
        changed = {box.number: box for box in changes.boxes}
        boxes = tuple([changed.get(box.number, box) for box in boxes])
    return replace(before, boxes=boxes, **parts)
