"""The feed: every event of the house that other systems receive, in the order in which they were committed."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence

import msgspec

from croupier.floor.feed.event_names import event_name
from croupier.journal.records import BY_DIGEST, Record
from croupier.journal.store import Placed, Store
from croupier.structs import extended

FORMAT = "croupier-feed-1"
PAGE_MOST = 5000
"""Events of one page."""
START = "0"
"""The cursor before the first event."""
_CURSOR = re.compile(r"(?P<position>[0-9]{1,18})(?:\.(?P<hash>[0-9a-f]{16}))?")
_PRIVATE_PARTS = frozenset({"cards", "salt"})


class BadCursor(ValueError):
    """A cursor from which the feed cannot go on; the message is one sentence."""


class FeedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event. `stream` and `seq` name it for good; a consumer that sees them again has seen it before."""

    cursor: str
    """Go on after this event by sending it."""
    stream: str
    seq: int
    name: str
    """What it is called in the vocabulary of the feed, as in `game.settled`."""
    type: str
    version: int
    at: int
    """Microseconds since 1970, UTC."""
    command: str
    data: str
    """The event as JSON text, as it is on record."""


class FeedPage(msgspec.Struct, frozen=True, kw_only=True):
    """Events in order, and where to go on."""

    format: str = FORMAT
    cursor: str
    events: list[FeedEvent]
    more: bool
    """Further events are there already."""


class Feed:
    """Reads pages of the feed over a connection of its own; several threads may ask."""

    def __init__(self, open_reader: Callable[[], Store]) -> None:
        self._open = open_reader
        self._reader: Store | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            if self._reader is not None:
                self._reader.close()
                self._reader = None

    def newest(self) -> str:
        """Return the cursor after the last event."""
        with self._lock:
            last = self._store().newest()
        return START if last is None else _cursor(last)

    def page(self, cursor: str, limit: int = 500) -> FeedPage:
        """Return the events after a cursor; raises BadCursor."""
        after, known = parse_cursor(cursor)
        with self._lock:
            store = self._store()
            if known:
                _check(store, after, known)
            found = store.feed(after, limit)
        return FeedPage(
            cursor=_cursor(found[-1]) if found else cursor, events=list(_events(found)), more=len(found) == limit
        )

    def _store(self) -> Store:
        if self._reader is not None and self._reader.is_lost:
            self._reader.close()
            self._reader = None
        if self._reader is None:
            self._reader = self._open()
        return self._reader


def parse_cursor(text: str) -> tuple[int, str]:
    """Return the position and the hash that a cursor names; raises BadCursor."""
    found = _CURSOR.fullmatch(text)
    if found is None or (int(found["position"]) > 0) != bool(found["hash"]):
        raise BadCursor(f"{text[:40]!r} is not a cursor of the feed: send 0, or the cursor of the last event.")
    return int(found["position"]), found["hash"] or ""


def _check(store: Store, position: int, known: str) -> None:
    """Raise BadCursor where the record at a cursor is gone or another one."""
    here = store.feed(position - 1, 1)
    if not here or here[0].position != position or not here[0].record.hash.hex().startswith(known):
        raise BadCursor(
            "The event at this cursor is not in the database: it was archived, or the journal was restored. "
            "Export what you missed and begin anew."
        )


def _cursor(placed: Placed) -> str:
    return f"{placed.position}.{placed.record.hash.hex()[:16]}"


def _events(found: Sequence[Placed]) -> Iterator[FeedEvent]:
    for placed in found:
        record = placed.record
        name = event_name(record.stream, record.type)
        if name is not None:
            yield extended(FeedEvent, record, cursor=_cursor(placed), name=name, data=_data(record))


def _data(record: Record) -> str:
    """Return the event without the cards that one player alone has seen, which earlier releases wrote into it."""
    if (record.type, record.version) not in BY_DIGEST and (record.type, record.version) != ("HandExamined", 1):
        return record.data.decode()
    fields: dict[str, object] = msgspec.json.decode(record.data)
    return msgspec.json.encode({k: v for k, v in fields.items() if k not in _PRIVATE_PARTS}).decode()
