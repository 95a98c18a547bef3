"""Encrypted files: AES-256-GCM in authenticated chunks, opened by a passphrase or by a private key kept elsewhere.

A file begins with one line of JSON, the header: how each of its keys opens the file's own random key. The rest is the
content in chunks of 64 KiB, each sealed with its number and with whether it is the last, so that a chunk that is
changed, cut off, repeated or moved is found; the header's hash goes into the key of the content, so that a changed
header is found too. Reader and writer hold one chunk in memory.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

import msgspec
from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

FORMAT = "croupier-encrypted-1"
MAGIC = b'{"format":"croupier-encrypted-'
CHUNK = 65_536
"""Bytes of content in a chunk."""
SHORTEST_PASSPHRASE = 12
"""Characters."""
_TAG = 16
_KEY = 32
_LONGEST_HEADER = 65_536
_COST, _BLOCK, _PARALLEL = 2**17, 8, 1
"""scrypt as it is written today: 128 MiB and about half a second."""
_MOST_COST, _MOST_BLOCK, _MOST_PARALLEL = 2**20, 8, 4
"""What a header may ask of a reader: 1 GiB."""
_ONCE = bytes(12)
"""The nonce of a key that seals one thing only."""


class BadKey(Exception):
    """A key that cannot be used, or does not open the file; one sentence."""


class BadSeal(Exception):
    """The file is not what was written; one sentence without its name."""


# ---------------------------------------------------------------- keys


class Passphrase(msgspec.Struct, frozen=True):
    """What a person types, or keeps in a file."""

    text: str

    def __repr__(self) -> str:
        return "Passphrase(…)"

    def __post_init__(self) -> None:
        if len(self.text) < SHORTEST_PASSPHRASE:
            raise BadKey(f"A passphrase needs at least {SHORTEST_PASSPHRASE} characters.")


class Recipient(msgspec.Struct, frozen=True):
    """A public key: what is encrypted for it, only its private key opens."""

    raw: bytes


class Identity(msgspec.Struct, frozen=True):
    """A private key."""

    raw: bytes

    def __repr__(self) -> str:
        return "Identity(…)"

    @property
    def recipient(self) -> Recipient:
        return Recipient(X25519PrivateKey.from_private_bytes(self.raw).public_key().public_bytes_raw())


class FileKey(msgspec.Struct, frozen=True):
    """The random key of one file, known while it is being written: by it the writer reads the file again."""

    raw: bytes

    def __repr__(self) -> str:
        return "FileKey(…)"


Opener: TypeAlias = Passphrase | Identity | FileKey
Openers: TypeAlias = Sequence[Opener]
"""What a reader tries on a file."""
Lockers: TypeAlias = Sequence[Passphrase | Recipient]
"""What will open a file that is written."""


def new_identity() -> Identity:
    """Make a new key pair."""
    return Identity(X25519PrivateKey.generate().private_bytes_raw())


def identity_pem(identity: Identity) -> bytes:
    """Return the private key as PEM, which OpenSSL reads too."""
    key = X25519PrivateKey.from_private_bytes(identity.raw)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def recipient_pem(recipient: Recipient) -> bytes:
    """Return the public key as PEM."""
    key = X25519PublicKey.from_public_bytes(recipient.raw)
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def read_identity(file: Path) -> Identity:
    """Read the private key in this file; raises BadKey."""
    try:
        key = load_pem_private_key(_text(file), password=None)
    except TypeError:
        raise BadKey(f"{file}: this private key is itself encrypted; decrypt it first.") from None
    except (ValueError, UnsupportedAlgorithm):
        raise BadKey(f"{file} is not a private key made by croupier backup-key.") from None
    if not isinstance(key, X25519PrivateKey):
        raise BadKey(f"{file} is a private key of another kind; X25519 is needed.")
    return Identity(key.private_bytes_raw())


def read_recipient(file: Path) -> Recipient:
    """Read the public key in this file; raises BadKey."""
    text = _text(file)
    if b"PRIVATE KEY" in text:
        raise BadKey(f"{file} is a private key; name the public one, which ends in .pub.")
    try:
        key = load_pem_public_key(text)
    except (ValueError, UnsupportedAlgorithm):
        raise BadKey(f"{file} is not a public key made by croupier backup-key.") from None
    if not isinstance(key, X25519PublicKey):
        raise BadKey(f"{file} is a public key of another kind; X25519 is needed.")
    return Recipient(key.public_bytes_raw())


def _text(file: Path) -> bytes:
    try:
        return file.read_bytes()[:_LONGEST_HEADER]
    except OSError as wrong:
        raise BadKey(f"{file}: {wrong.strerror}.") from None


# ---------------------------------------------------------------- the header


class _ForPassphrase(msgspec.Struct, frozen=True, tag="scrypt", kw_only=True):
    salt: bytes
    n: int
    r: int
    p: int
    key: bytes
    """The file's key, sealed."""


class _ForRecipient(msgspec.Struct, frozen=True, tag="x25519", kw_only=True):
    recipient: bytes
    ephemeral: bytes
    """Public half of a key pair that was used for this file alone."""
    key: bytes


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    cipher: str
    chunk: int
    salt: bytes
    keys: tuple[_ForPassphrase | _ForRecipient, ...]


_HEADER = msgspec.json.Decoder(_Header)


def _stretched(passphrase: Passphrase, salt: bytes, n: int, r: int, p: int) -> bytes:
    return Scrypt(salt=salt, length=_KEY, n=n, r=r, p=p).derive(passphrase.text.encode())


def _agreed(shared: bytes, ephemeral: bytes, recipient: bytes) -> bytes:
    return HKDF(SHA256(), _KEY, salt=ephemeral + recipient, info=b"croupier x25519").derive(shared)


def _content_key(key: bytes, salt: bytes, header: bytes) -> AESGCM:
    """Derive the key of the content, bound to every byte of the header."""
    info = b"croupier content " + hashlib.sha256(header).digest()
    return AESGCM(HKDF(SHA256(), _KEY, salt=salt, info=info).derive(key))


def _nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes((is_last,))


def _sealed_for(key: bytes, opener: Passphrase | Recipient) -> _ForPassphrase | _ForRecipient:
    if isinstance(opener, Passphrase):
        salt = os.urandom(16)
        wrapping = AESGCM(_stretched(opener, salt, _COST, _BLOCK, _PARALLEL))
        sealed = wrapping.encrypt(_ONCE, key, None)
        return _ForPassphrase(salt=salt, n=_COST, r=_BLOCK, p=_PARALLEL, key=sealed)
    ephemeral = X25519PrivateKey.generate()
    public = ephemeral.public_key().public_bytes_raw()
    shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(opener.raw))
    sealed = AESGCM(_agreed(shared, public, opener.raw)).encrypt(_ONCE, key, None)
    return _ForRecipient(recipient=opener.raw, ephemeral=public, key=sealed)


def _opened_by(header: _Header, opener: Opener) -> bytes | None:
    """Decrypt the file's key with this opener; return None where it does not open the file."""
    if isinstance(opener, FileKey):
        return opener.raw
    for entry in header.keys:
        try:
            if isinstance(opener, Passphrase) and isinstance(entry, _ForPassphrase):
                fair = 0 < entry.n <= _MOST_COST and 0 < entry.r <= _MOST_BLOCK and 0 < entry.p <= _MOST_PARALLEL
                if not fair or entry.n & (entry.n - 1) or entry.n < 2:
                    raise BadSeal("its header asks for a key derivation that no release of Croupier uses.")
                wrapping = AESGCM(_stretched(opener, entry.salt, entry.n, entry.r, entry.p))
                return wrapping.decrypt(_ONCE, entry.key, None)
            if isinstance(opener, Identity) and isinstance(entry, _ForRecipient):
                if entry.recipient != opener.recipient.raw:
                    continue
                shared = X25519PrivateKey.from_private_bytes(opener.raw).exchange(
                    X25519PublicKey.from_public_bytes(entry.ephemeral)
                )
                return AESGCM(_agreed(shared, entry.ephemeral, entry.recipient)).decrypt(_ONCE, entry.key, None)
        except (InvalidTag, ValueError):
            continue
    return None


# ---------------------------------------------------------------- writing and reading


class EncryptedWriter(io.RawIOBase):
    """Encrypts what is written to it, until `finish`; `out` itself is left open."""

    def __init__(self, out: IO[bytes], openers: Lockers) -> None:
        assert openers, "at least one key must open the file"
        super().__init__()
        key, salt = os.urandom(_KEY), os.urandom(16)
        entries = tuple(_sealed_for(key, opener) for opener in openers)
        header = _Header(format=FORMAT, cipher="AES-256-GCM", chunk=CHUNK, salt=salt, keys=entries)
        line = msgspec.json.encode(header) + b"\n"
        assert line.startswith(MAGIC)
        out.write(line)
        self.key = FileKey(key)
        self._out, self._key = out, _content_key(key, salt, line)
        self._held, self._number = bytearray(), 0

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Encrypt full chunks; hold the latest back until more comes, because the last one is marked."""
        with memoryview(data) as seen:
            self._held += seen
            count = seen.nbytes
        while len(self._held) > CHUNK:
            self._seal(bytes(self._held[:CHUNK]), is_last=False)
            del self._held[:CHUNK]
        return count

    def finish(self) -> None:
        """Write the last chunk: a file without it is found to be cut."""
        self._seal(bytes(self._held), is_last=True)
        self._held.clear()

    def _seal(self, content: bytes, *, is_last: bool) -> None:
        self._out.write(self._key.encrypt(_nonce(self._number, is_last=is_last), content, None))
        self._number += 1


class EncryptedReader(io.RawIOBase):
    """The content of an encrypted file, every chunk checked before a byte of it is given out."""

    def __init__(self, source: IO[bytes], openers: Openers) -> None:
        super().__init__()
        line = source.readline(_LONGEST_HEADER)
        try:
            header = _HEADER.decode(line)
        except (msgspec.MsgspecError, UnicodeError):
            raise BadSeal("its header cannot be read.") from None
        if header.format != FORMAT or header.cipher != "AES-256-GCM" or not 0 < header.chunk <= 2**24:
            raise BadSeal(f"a newer program encrypted it ({header.format[:40]}, {header.cipher[:40]}).")
        key = next((found for opener in openers if (found := _opened_by(header, opener)) is not None), None)
        if key is None:
            raise BadKey(_does_not_open(header, openers))
        self._source, self._size = source, header.chunk + _TAG
        self._key = _content_key(key, header.salt, line)
        self._next = source.read(self._size)
        self._number, self._ended = 0, False
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, into: WriteableBuffer, /) -> int:
        """Read what is left of the present chunk, as far as it fits; return the bytes read, 0 at the end."""
        while not self._left and not self._ended:
            self._open_chunk()
        with memoryview(into) as target:
            count = min(len(target), len(self._left))
            target[:count] = self._left[:count]
        self._left = self._left[count:]
        return count

    def _open_chunk(self) -> None:
        sealed, self._next = self._next, self._source.read(self._size)
        is_last = not self._next
        try:
            content = self._key.decrypt(_nonce(self._number, is_last=is_last), sealed, None)
        except (InvalidTag, ValueError):
            if is_last:
                raise BadSeal("it ends too early, or its last part was changed.") from None
            raise BadSeal(f"part {self._number + 1} was changed.") from None
        self._number += 1
        self._ended = is_last
        self._left = memoryview(content)


def _does_not_open(header: _Header, openers: Openers) -> str:
    """Say which kind of key was tried and which kinds open the file."""
    wanted = []
    if any(isinstance(entry, _ForPassphrase) for entry in header.keys):
        wanted.append("a passphrase")
    if any(isinstance(entry, _ForRecipient) for entry in header.keys):
        wanted.append("the private key of a recipient")
    kinds = " or ".join(wanted) or "no key"
    if not openers:
        return f"it is encrypted and opens with {kinds}: name --passphrase-file or --identity."
    tried = "passphrase" if isinstance(openers[0], Passphrase) else "private key"
    return f"this {tried} does not open it; it opens with {kinds}."


def is_encrypted(file: Path) -> bool:
    """Return whether the file begins as an encrypted one does."""
    try:
        with file.open("rb") as opened:
            return opened.read(len(MAGIC)) == MAGIC
    except OSError:
        return False
