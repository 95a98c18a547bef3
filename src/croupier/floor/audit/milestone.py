"""A milestone: what a clean audit came to, signed, so that the next one judges only what is new.

What was audited before is still read from end to end: records, answers, entries and decks must be those that were
audited. They are not derived and not judged a second time. Where anything differs, the whole journal is audited.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal.checkpoint import Anchor, BadCheckpoint, Checkpoint, check_signature, signed_text
from croupier.journal.store import Row

FORMAT = "croupier-audit-milestone-1"


class Boundary(msgspec.Struct, frozen=True, kw_only=True):
    """Where a stream can be taken up again: a table before the Round in play, a link at its end."""

    seq: int
    hash: str
    digest: str
    """Over the entries and decks of the records up to here."""
    state: bytes
    entries: int
    snapshot: str
    """A hash of the snapshot, where it stands at this record or before; else empty."""
    after: int = 0
    """Records up to this one were in archives."""


class TrialAt(msgspec.Struct, frozen=True, kw_only=True):
    """What the judgement of a table knew at its last record."""

    recalled: int
    has_recalled: bool
    link_seen: int


class Milestone(msgspec.Struct, frozen=True, kw_only=True):
    """What is signed after an audit that found no difference."""

    format: str = FORMAT
    at: int
    """Microseconds since 1970, UTC: when the audit ended."""
    events: int
    heads: Mapping[str, Anchor]
    boundaries: Mapping[str, Boundary] = {}
    trials: Mapping[str, TrialAt] = {}
    """By table."""


class Digest:
    """A running hash over the entries and decks of a stream."""

    __slots__ = ("_hash",)

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, rows: list[Row]) -> None:
        """Add the rows that belong to one record."""
        for row in rows:
            self._hash.update(msgspec.msgpack.encode(row))

    def text(self) -> str:
        """Return the hash so far."""
        return self._hash.hexdigest()


def row_hash(row: msgspec.Struct | None) -> str:
    """Return a hash of one row; empty where there is none."""
    return "" if row is None else hashlib.sha256(msgspec.msgpack.encode(row)).hexdigest()


def signed_milestone(milestone: Milestone, key: Ed25519PrivateKey) -> bytes:
    """Write a milestone as a signed line."""
    return msgspec.json.encode(signed_text(msgspec.json.encode(milestone).decode(), key)) + b"\n"


def read_milestone(text: bytes, key: Ed25519PrivateKey) -> Milestone:
    """Read a milestone that this key has signed; raises BadCheckpoint."""
    try:
        line = msgspec.json.decode(text, type=Checkpoint)
        milestone = msgspec.json.decode(line.statement, type=Milestone)
    except (msgspec.MsgspecError, UnicodeError):
        raise BadCheckpoint("It is not the milestone of an audit.") from None
    if milestone.format != FORMAT:
        raise BadCheckpoint(f"Its format {milestone.format[:40]!r} is not one that this program knows.")
    check_signature(line, key.public_key())
    return milestone
