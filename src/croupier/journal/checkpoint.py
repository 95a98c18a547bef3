"""Checkpoints: signed statements of where every stream of a journal stood, kept where the journal is not.

A statement says how many records there were, the Merkle root over those that are new since the one before, and a hash
of all heads. It may be published. The heads themselves and the salt of the tree are for auditors: a head is a hash over
content that can be guessed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import TypeAlias

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.journal.merkle import leaf_hash
from croupier.journal.records import StreamName

FORMAT = "croupier-checkpoint-1"
SALT_BYTES = 32

Anchor: TypeAlias = tuple[int, str]
"""Where a stream stood: the record, and its hash in hexadecimal."""


class BadCheckpoint(ValueError):
    """A checkpoint that cannot be read or does not hold; the message is one sentence."""


class Kind(StrEnum):
    """What the server was doing."""

    OPENED = "opened"
    """It has just started, and has written nothing yet."""
    RUNNING = "running"
    CLOSED = "closed"
    """It has stopped, and writes nothing more."""


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What is signed, and may be published."""

    format: str = FORMAT
    server: str
    number: int
    """Counted from 1 for each server."""
    kind: Kind
    at: int
    """Microseconds since 1970, UTC."""
    seconds: int
    """Most seconds from a new record to the next checkpoint, while the server runs."""
    records: int
    """In all streams."""
    size: int
    """New records since the checkpoint before, which are the leaves of the tree."""
    root: str
    """The Merkle root over them, by stream and number."""
    heads: str
    """SHA-256 of the heads as they are kept."""
    before: str
    """SHA-256 of the statement before; empty in the first."""
    accepted: str = ""
    """The operator's reason for going on with a journal that does not agree with the checkpoint before."""


class Heads(msgspec.Struct, frozen=True, kw_only=True):
    """Where every stream and every chain of answers stood: kept beside the statement, not published."""

    salt: str
    streams: Mapping[StreamName, Anchor]


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A signed statement with its heads, as text: what is signed are the bytes of `statement`."""

    statement: str
    signature: str
    key: str
    """The public key, in hexadecimal."""
    heads: str = ""
    """Empty in what is published."""

    @property
    def hash(self) -> str:
        """What the next statement names as the one before it."""
        return hashlib.sha256(self.statement.encode()).hexdigest()

    @property
    def published(self) -> Checkpoint:
        """Return the part that may be published."""
        return msgspec.structs.replace(self, heads="")

    def says(self) -> Statement:
        """Decode the statement; raises BadCheckpoint."""
        try:
            said = msgspec.json.decode(self.statement, type=Statement)
        except msgspec.MsgspecError:
            raise BadCheckpoint("The statement of a checkpoint cannot be read.") from None
        if said.format != FORMAT:
            raise BadCheckpoint(f"A checkpoint has the format {said.format[:40]!r}, which this program does not know.")
        return said

    def stood(self) -> Heads:
        """Decode the heads; raises BadCheckpoint where they are missing or are not those of the statement."""
        if hashlib.sha256(self.heads.encode()).hexdigest() != self.says().heads:
            raise BadCheckpoint(f"The heads of checkpoint {self.says().number} are not those that were signed.")
        try:
            return msgspec.json.decode(self.heads, type=Heads)
        except msgspec.MsgspecError:
            raise BadCheckpoint("The heads of a checkpoint cannot be read.") from None


def signed(statement: Statement, heads: Heads, key: Ed25519PrivateKey) -> Checkpoint:
    """Sign a statement; its hash of the heads is filled in here."""
    kept = msgspec.json.encode(heads, order="sorted")
    said = msgspec.structs.replace(statement, heads=hashlib.sha256(kept).hexdigest())
    text = msgspec.json.encode(said)
    return Checkpoint(
        statement=text.decode(), signature=key.sign(text).hex(), key=public_hex(key.public_key()), heads=kept.decode()
    )


def signed_text(text: str, key: Ed25519PrivateKey) -> Checkpoint:
    """Sign any statement of the house in the form of a published checkpoint."""
    return Checkpoint(statement=text, signature=key.sign(text.encode()).hex(), key=public_hex(key.public_key()))


def check_signature(checkpoint: Checkpoint, key: Ed25519PublicKey) -> None:
    """Raise BadCheckpoint where this key has not signed the statement."""
    try:
        key.verify(bytes.fromhex(checkpoint.signature), checkpoint.statement.encode())
    except (InvalidSignature, ValueError):
        number = checkpoint.says().number
        raise BadCheckpoint(f"The signature of checkpoint {number} is not one of the key that is trusted.") from None


def blinded_leaf(salt: str, stream: StreamName, seq: int, record_hash: bytes) -> bytes:
    """Return the leaf of a record in its checkpoint's tree."""
    return leaf_hash(blinding(salt, stream, seq), record_hash)


def blinding(salt: str, stream: StreamName, seq: int) -> bytes:
    """Derive the blinding of one leaf, which a proof discloses for its own leaf alone."""
    return hmac.digest(bytes.fromhex(salt), f"{seq} {stream}".encode(), "sha256")


# ---------------------------------------------------------------- text


def line_of(checkpoint: Checkpoint) -> bytes:
    """Encode a checkpoint as one line of a file."""
    return msgspec.json.encode(checkpoint) + b"\n"


def checkpoints_in(text: bytes) -> list[Checkpoint]:
    """Read the lines of a file. A torn line, which a crash leaves, is passed over: the chain shows what is missing."""
    found = []
    for line in text.splitlines():
        try:
            found.append(msgspec.json.decode(line, type=Checkpoint))
        except (msgspec.MsgspecError, UnicodeError):
            continue
    return found


def by_server(checkpoints: Iterable[Checkpoint]) -> dict[str, list[Checkpoint]]:
    """Return each server's checkpoints in order, one for each number; raises BadCheckpoint where two disagree."""
    numbered: dict[str, dict[int, Checkpoint]] = {}
    for checkpoint in checkpoints:
        said = checkpoint.says()
        known = numbered.setdefault(said.server, {})
        twin = known.get(said.number)
        if twin is not None and twin.statement != checkpoint.statement:
            raise BadCheckpoint(f"There are two different checkpoints {said.number} of server {said.server}.")
        if twin is None or not twin.heads:
            known[said.number] = checkpoint
    return {server: [known[number] for number in sorted(known)] for server, known in sorted(numbered.items())}


def check_chain(checkpoints: Sequence[Checkpoint]) -> None:
    """Raise BadCheckpoint where one of a server's checkpoints does not name the one before it."""
    for before, checkpoint in pairwise(checkpoints):
        said = checkpoint.says()
        if said.number == before.says().number + 1 and said.before != before.hash:
            raise BadCheckpoint(f"Checkpoint {said.number} of server {said.server} does not follow the one before it.")


# ---------------------------------------------------------------- keys


def public_hex(key: Ed25519PublicKey) -> str:
    """Write a public key in hexadecimal."""
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw).hex()


def public_key(text: str) -> Ed25519PublicKey:
    """Read a public key from hexadecimal; raises BadCheckpoint."""
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text.strip()))
    except ValueError:
        raise BadCheckpoint("A public key is 64 hexadecimal digits.") from None


def key_text(key: Ed25519PrivateKey) -> bytes:
    """Write a private key as PEM."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def private_key(text: bytes) -> Ed25519PrivateKey:
    """Read a private key from PEM; raises BadCheckpoint."""
    try:
        key = serialization.load_pem_private_key(text, None)
    except (ValueError, TypeError):
        raise BadCheckpoint("The file does not hold an unencrypted private key in PEM form.") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadCheckpoint("The key is not an Ed25519 key.")
    return key
