"""The line between a house and its fronts: what they say, as MessagePack in frames with their length before them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

import msgspec

from croupier.floor.fronts.round_changes import RoundChanges
from croupier.floor.people.own_limits import Play
from croupier.floor.people.people import Asking, Person, Session
from croupier.floor.records.commands import Answer, HouseCommand, TableConfig
from croupier.floor.records.facts import TableArchived
from croupier.floor.records.people_facts import PersonName
from croupier.floor.records.tables import EditionFrom
from croupier.jackpots.link import Link, indexed, plain
from croupier.journal.store import NameRow
from croupier.money import Money
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Pin

M = TypeVar("M")
Header: TypeAlias = tuple[bytes, bytes]

_LENGTH = 4
"""Bytes before each frame that hold its length."""


class _Frame(msgspec.Struct, frozen=True, array_like=True):
    """One message."""


# ---------------------------------------------------------------- from a front


class Ask(_Frame, frozen=True, array_like=True, tag="ask"):
    """A command in the name of a person who may give it; `number` tells its answer from the others."""

    number: int
    id: str
    command: HouseCommand


class Call(_Frame, frozen=True, array_like=True, tag="call"):
    """A request over HTTP that the house answers."""

    number: int
    method: str
    scheme: str
    path: str
    raw_path: bytes
    query: bytes
    headers: list[Header]
    body: bytes
    client: tuple[str, int] | None = None
    server: tuple[str, int | None] | None = None


class Used(_Frame, frozen=True, array_like=True, tag="used"):
    """A person has used a session on a live connection."""

    session: str


class Watching(_Frame, frozen=True, array_like=True, tag="watching"):
    """How many live connections the front has."""

    connections: int


FromFront: TypeAlias = Ask | Call | Used | Watching

# ---------------------------------------------------------------- from the house


class TermsNews(_Frame, frozen=True, array_like=True):
    """Terms from the Round after `after` on; a front builds them from its own rulebooks."""

    after: int
    config: TableConfig
    pin: Pin


class Standing(_Frame, frozen=True, array_like=True):
    """What of a table seldom changes."""

    config: TableConfig
    pin: Pin
    ours: bool
    closed: bool
    changes: tuple[TermsNews, ...]
    archived: tuple[TableArchived, ...]
    editions: tuple[EditionFrom, ...]


class ClockNews(_Frame, frozen=True, array_like=True):
    """What the clock of a table counts down to, by the monotonic clock of the machine."""

    phase: str
    seconds: float
    ends: float


class TableNews(_Frame, frozen=True, array_like=True):
    """A table that has moved. Of its deck a front gets the commitment alone."""

    name: str
    seq: int
    round: Round | None
    """None where the front knows the Round before these changes."""
    changes: RoundChanges | None
    """Since the last news of the table."""
    commitment: str
    since: int
    """When it entered its phase."""
    restarted: int
    """When the server began again in the middle of the round in play; 0 where it did not."""
    clock: ClockNews | None = None
    standing: Standing | None = None
    """None where it is as before."""


class PeopleNews(_Frame, frozen=True, array_like=True):
    """People, sessions, names and limits of play that have changed; None for one that is gone, and no secret."""

    persons: dict[PersonName, Person | None]
    sessions: dict[str, Session | None]
    names: dict[PersonName, NameRow | None]
    play: dict[PersonName, Play | None]
    consents: dict[str, Asking] | None = None
    """None where they are as before."""


class News(_Frame, frozen=True, array_like=True, tag="news"):
    """What commits have changed. `is_whole` begins a copy anew."""

    at: int
    """The time of the house."""
    streams: tuple[str, ...]
    tables: list[TableNews]
    links: dict[str, Link]
    balances: dict[str, Money]
    """Of players."""
    people: PeopleNews | None = None
    bars: list[tuple[str, str, frozenset[str]]] | None = None
    """Operator, player and tables; None where they are as before."""
    is_whole: bool = False


class Answered(_Frame, frozen=True, array_like=True, tag="answered"):
    """The answer to a command; None where the house has stopped or cannot reach its disk."""

    number: int
    answer: Answer | None


class Replied(_Frame, frozen=True, array_like=True, tag="replied"):
    """The answer to a request over HTTP; `status` is 0 where there is none."""

    number: int
    status: int
    headers: list[Header]
    body: bytes


FromHouse: TypeAlias = News | Answered | Replied

FROM_FRONT: msgspec.msgpack.Decoder[FromFront] = msgspec.msgpack.Decoder(FromFront)
FROM_HOUSE: msgspec.msgpack.Decoder[FromHouse] = msgspec.msgpack.Decoder(FromHouse, dec_hook=indexed)

_ENCODER = msgspec.msgpack.Encoder(enc_hook=plain)


def framed(message: FromFront | FromHouse) -> bytes:
    """Encode a message as a frame."""
    buffer = bytearray(_LENGTH)
    _ENCODER.encode_into(message, buffer, _LENGTH)
    buffer[:_LENGTH] = (len(buffer) - _LENGTH).to_bytes(_LENGTH)
    return bytes(buffer)


class Line(asyncio.Protocol, Generic[M]):
    """A connection between house and front. What is sent within one turn of the loop goes out together."""

    def __init__(
        self, decoder: msgspec.msgpack.Decoder[M], take: Callable[[M], None], lost: Callable[[], None]
    ) -> None:
        """`take` gets each message, `lost` is called once when the connection has ended."""
        self._decoder, self._take, self._lost = decoder, take, lost
        self._loop = asyncio.get_running_loop()
        self._held = bytearray()
        self._unsent: list[bytes] = []
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  asyncio's signature
        self.transport = None
        self._lost()

    def data_received(self, data: bytes) -> None:
        held = self._held
        held += data
        at, length = 0, len(held)
        while length - at >= _LENGTH:
            end = at + _LENGTH + int.from_bytes(held[at : at + _LENGTH])
            if end > length:
                break
            self._take(self._decoder.decode(memoryview(held)[at + _LENGTH : end]))
            at = end
        if at:
            self._held = held[at:]

    @property
    def unread(self) -> int:
        """Return the bytes that the other side has not taken yet."""
        return 0 if self.transport is None else self.transport.get_write_buffer_size()

    def send(self, frame: bytes) -> None:
        """Send a frame at the end of this turn of the loop; nothing where the connection has ended."""
        if self.transport is None:
            return
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(frame)

    def _flush(self) -> None:
        if self.transport is not None:
            self.transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def close(self) -> None:
        """End the connection; what was sent still goes out."""
        if self.transport is not None:
            self._flush()
            self.transport.close()

    def abort(self) -> None:
        """End the connection at once."""
        if self.transport is not None:
            self.transport.abort()
