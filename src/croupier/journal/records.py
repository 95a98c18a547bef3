"""A record: one event of one stream, chained to the one before it by its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

import msgspec

StreamName: TypeAlias = str
"""`table/T1`, `link/main`, `cashier`, `house`."""

GENESIS = bytes(32)
"""What the first record of a stream is chained to."""

_SHA256 = hashlib.sha256()
"""A hash that has taken nothing in yet: copying it takes less time than making a new one."""


BY_DIGEST = frozenset({("HandExamined", 2)})
"""Types and versions of events with a private part, which earlier releases wrote. Their data enter the hash as a
SHA-256 digest, so that a copy of the stream which leaves the private part out can still be checked from end to end.
"""


class Record(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One event as it lies on disk."""

    stream: StreamName
    seq: int
    """Counted from 1 within the stream, without a gap."""
    type: str
    version: int
    at: int
    """Microseconds since 1970, UTC: when the command was taken."""
    command: str
    """The id of the command that caused it."""
    data: bytes
    """The event as JSON."""
    hash: bytes


class ChainBroken(Exception):
    """A stream that is not what was written; the message says which record and how."""


def chain_hash(
    before: bytes, stream: StreamName, seq: int, kind: str, version: int, at: int, command: str, data: bytes
) -> bytes:
    """Return the hash of a record: over its predecessor's hash and every field, each led by its length."""
    if (kind, version) in BY_DIGEST:
        data = hashlib.sha256(data).digest()
    head = f"{len(stream)}:{stream}{seq}:{len(kind)}:{kind}{version}:{at}:{len(command)}:{command}{len(data)}:"
    hashed = _SHA256.copy()
    hashed.update(before + head.encode() + data)
    return hashed.digest()


def expected_hash(before: bytes, record: Record) -> bytes:
    """Return the hash that this record must have after that predecessor."""
    r = record
    return chain_hash(before, r.stream, r.seq, r.type, r.version, r.at, r.command, r.data)


def answer_hash(before: bytes, chain: StreamName, seq: int, command: str, body: bytes, answer: bytes) -> bytes:
    """Return the hash of an answer: over the one before it in its chain and every field, each led by its length."""
    head = f"{len(chain)}:{chain}{seq}:{len(command)}:{command}{len(body)}:{len(answer)}:"
    hashed = _SHA256.copy()
    hashed.update(before + head.encode() + body + answer)
    return hashed.digest()


def checked(records: Iterable[Record], *, before: bytes = GENESIS, seq: int = 0) -> Iterator[Record]:
    """Yield the records of one stream, each checked against the one before it; raises ChainBroken."""
    for record in records:
        seq += 1
        if record.seq != seq:
            raise ChainBroken(f"{record.stream}: record {seq} is missing, the next one found is {record.seq}.")
        if record.hash != expected_hash(before, record):
            raise ChainBroken(f"{record.stream}: record {seq} ({record.type}) does not carry the hash of its content.")
        before = record.hash
        yield record


# ---------------------------------------------------------------- snapshots


SEAL = 32
"""Bytes of the hash before the state."""


def sealed_state(after: bytes, state: bytes) -> bytes:
    """Return the data of a snapshot: the state, led by a hash over it and over the record that it stands after."""
    return hashlib.sha256(after + state).digest() + state


def state_in(after: bytes, data: bytes) -> bytes:
    """Return the state that a snapshot holds; raises ChainBroken where it is not what was written."""
    seal, state = data[:SEAL], data[SEAL:]
    if hashlib.sha256(after + state).digest() != seal:
        raise ChainBroken("The snapshot does not carry the hash of its content.")
    return state


# ---------------------------------------------------------------- versions of event types

Upcaster: TypeAlias = Callable[[dict[str, object]], dict[str, object]]
"""From one version of an event to the next."""
Downcaster: TypeAlias = Callable[[dict[str, object]], dict[str, object]]
"""From the next version of an event back to this one."""


class Versions:
    """The version of each event type, and how an older one becomes the next."""

    def __init__(
        self,
        current: Mapping[str, int] | None = None,
        upcasters: Mapping[tuple[str, int], Upcaster] | None = None,
        downcasters: Mapping[tuple[str, int], Downcaster] | None = None,
    ) -> None:
        self.current = dict(current or {})
        self.upcasters = dict(upcasters or {})
        self.downcasters = dict(downcasters or {})

    def of(self, kind: str) -> int:
        return self.current.get(kind, 1)

    def raised(self, record: Record) -> bytes:
        """Return the data of a record in today's form; raises ChainBroken."""
        wanted = self.of(record.type)
        if record.version == wanted:
            return record.data
        if record.version > wanted:
            raise ChainBroken(
                f"{record.stream}: record {record.seq} is {record.type} version {record.version}; this program knows "
                f"up to {wanted}, so a newer one wrote it."
            )
        fields: dict[str, object] = msgspec.json.decode(record.data)
        for version in range(record.version, wanted):
            upcaster = self.upcasters.get((record.type, version))
            if upcaster is None:
                raise ChainBroken(
                    f"{record.stream}: record {record.seq} is {record.type} version {record.version}, which no release "
                    "of this program wrote."
                )
            fields = upcaster(fields)
        return msgspec.json.encode(fields)

    def lowered(self, kind: str, version: int, data: bytes) -> bytes:
        """Return today's form of an event as this older version was written."""
        if version >= self.of(kind):
            return data
        fields: dict[str, object] = msgspec.json.decode(data)
        for older in range(self.of(kind) - 1, version - 1, -1):
            lower = self.downcasters.get((kind, older))
            fields = fields if lower is None else lower(fields)
        return msgspec.json.encode(fields)
