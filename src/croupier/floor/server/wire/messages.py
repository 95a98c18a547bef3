"""Messages of the live connection: each has one type, its fields, and the action that it takes."""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_args

import msgspec

from croupier.floor.duties.permissions import Action
from croupier.floor.server.wire.steps import Step

Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Reference: TypeAlias = Annotated[str, msgspec.Meta(max_length=300)]
EventNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Something that a client sends; its answer carries the same `id`."""

    id: Reference | None = None


class WatchTable(Message, frozen=True, tag="watch_table"):
    """Follow a table: its state comes at once, then whenever it moves. `after` is the last event that was seen."""

    table: Name
    after: EventNumber | None = None


class WatchPit(Message, frozen=True, tag="watch_pit"):
    """Follow every table of the floor, one line each."""


class WatchLink(Message, frozen=True, tag="watch_link"):
    """Follow a link: its meter and its awards."""

    link: Name


class UnwatchTable(Message, frozen=True, tag="unwatch_table"):
    """Follow a table no longer."""

    table: Name


class UnwatchPit(Message, frozen=True, tag="unwatch_pit"):
    """Follow the floor no longer."""


class UnwatchLink(Message, frozen=True, tag="unwatch_link"):
    """Follow a link no longer."""

    link: Name


class GiveCommand(Message, frozen=True, tag="command"):
    """A step at a table, as over HTTP; what it takes depends on the step."""

    id: Reference
    table: Name
    command: Step


class Ping(Message, frozen=True, tag="ping"):
    """Ask whether the server is there."""


AnyMessage: TypeAlias = WatchTable | WatchPit | WatchLink | UnwatchTable | UnwatchPit | UnwatchLink | GiveCommand | Ping

PUBLIC_MESSAGES = (WatchLink, UnwatchLink, UnwatchTable, UnwatchPit, Ping)
"""Messages that need no session: a meter hangs on the wall for everybody."""
TAKES: dict[type[Message], Action] = {
    WatchTable: Action.WATCH,
    WatchPit: Action.WATCH_FLOOR,
    GiveCommand: Action.WATCH,
}
"""What every other message takes; a message that is in neither list is refused."""

MESSAGES = tuple(str(kind.__struct_config__.tag) for kind in get_args(AnyMessage))
