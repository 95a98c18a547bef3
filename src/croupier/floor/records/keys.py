"""Keys that the server holds: what is sealed with them cannot be read from the database, a backup or an export.

A key is 32 random bytes, written as 64 hexadecimal digits. `CROUPIER_KEY` holds them, the current one first, or a key
file with one key a line. Rotation: put a new key first and leave the earlier ones behind it. New things are sealed with
the first key; what an earlier key has sealed still opens.

What is sealed says with which key (its id is derived from the key), and opens only for the purpose it was sealed for.
Name the thing itself in the purpose, as in `totp/ana` or `deck/T1/217/0`: what is moved to another place does not open
there, and each purpose has a key of its own, so that no number of sealed things is too many for one key.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

_KEY_BYTES = 32
_ID_BYTES = 4
_NONCE_BYTES = 12
_TAG_BYTES = 16
_SQLITE = "sqlite:///"


class BadKeys(ValueError):
    """Keys that cannot be used, or something that does not open with them; one sentence."""


class Keys(msgspec.Struct, frozen=True):
    """Keys by their id, and the one that seals from now on."""

    known: Mapping[str, bytes]
    current: str
    """Empty where the server has no key: then it seals nothing."""

    def __repr__(self) -> str:
        """Name the keys without their bytes, because this may stand in a log."""
        return f"Keys({', '.join(self.known)})"


NO_KEYS = Keys({}, "")


def key_id(key: bytes) -> str:
    """Return eight hexadecimal digits that identify a key and tell nothing of it."""
    return hashlib.sha256(b"croupier key id" + key).digest()[:_ID_BYTES].hex()


def keys_of(*keys: bytes) -> Keys:
    """Return these keys, the first one current."""
    named = {key_id(key): key for key in keys}
    return Keys(named, key_id(keys[0])) if keys else NO_KEYS


def load_keys(database: str, *, key: str = "", key_file: str = "", create: bool = False) -> Keys:
    """Load the server's keys: from `key` (`CROUPIER_KEY`), else from the key file.

    Without `key_file` a SQLite house has its key beside its database, as `FILE.key`; `create` makes it, readable by its
    owner alone. A house on PostgreSQL has no such place: without either setting the server has no key.
    """
    if key:
        return keys_of(*_parsed(key, "CROUPIER_KEY"))
    path = Path(key_file) if key_file else _beside(database)
    if path is None:
        return NO_KEYS
    if create and not path.exists():
        _make(path)
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        if key_file:
            raise BadKeys(f"{path}: there is no such key file.") from None
        return NO_KEYS
    except (OSError, UnicodeDecodeError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) else "it is not a key file"
        raise BadKeys(f"{path}: {why}.") from None
    if mode & 0o077:
        raise BadKeys(f"{path}: other users of this machine can read this key file; use chmod 600.")
    return keys_of(*_parsed(text, str(path)))


def keys_at_hand(database: str, environment: Mapping[str, str]) -> Keys:
    """Load the keys that a server would use; none where the reader may not read them."""
    key, key_file = environment.get("CROUPIER_KEY", ""), environment.get("CROUPIER_KEY_FILE", "")
    try:
        return load_keys(database, key=key, key_file=key_file)
    except BadKeys:
        return NO_KEYS


def seal(keys: Keys, purpose: str, data: bytes) -> bytes:
    """Encrypt data for a purpose: key id, nonce and ciphertext (AES-256-GCM)."""
    if not keys.current:
        raise BadKeys("The server has no key to seal with: set CROUPIER_KEY, or key_file.")
    nonce = secrets.token_bytes(_NONCE_BYTES)
    sealed = AESGCM(_derived(keys.known[keys.current], purpose)).encrypt(nonce, data, None)
    return bytes.fromhex(keys.current) + nonce + sealed


def open_sealed(keys: Keys, purpose: str, data: bytes) -> bytes:
    """Decrypt data of a purpose; raises BadKeys where the key is missing or the data was changed."""
    if len(data) < _ID_BYTES + _NONCE_BYTES + _TAG_BYTES:
        raise BadKeys(f"{purpose}: the sealed data is too short.")
    name, nonce = sealed_with(data), data[_ID_BYTES : _ID_BYTES + _NONCE_BYTES]
    key = keys.known.get(name)
    if key is None:
        raise BadKeys(f"{purpose}: it is sealed with the key {name}, which this server does not have.")
    try:
        return AESGCM(_derived(key, purpose)).decrypt(nonce, data[_ID_BYTES + _NONCE_BYTES :], None)
    except InvalidTag:
        raise BadKeys(f"{purpose}: the sealed data was changed, or was sealed for another purpose.") from None


def sealed_with(data: bytes) -> str:
    """Return the id of the key that sealed this."""
    return data[:_ID_BYTES].hex()


def _derived(key: bytes, purpose: str) -> bytes:
    return HKDFExpand(SHA256(), _KEY_BYTES, b"croupier/" + purpose.encode()).derive(key)


def _parsed(text: str, where: str) -> list[bytes]:
    lines = (line.partition("#")[0] for line in text.splitlines())
    words = [word for line in lines for word in re.split(r"[\s,]+", line) if word]
    for word in words:
        if not re.fullmatch(rf"[0-9a-fA-F]{{{2 * _KEY_BYTES}}}", word):
            raise BadKeys(f"{where}: a key has {2 * _KEY_BYTES} hexadecimal digits.")
    if not words:
        raise BadKeys(f"{where}: it holds no key.")
    return [bytes.fromhex(word) for word in words]


def _beside(database: str) -> Path | None:
    if not database.startswith(_SQLITE):
        return None
    return Path(f"{database.removeprefix(_SQLITE)}.key")


def _make(path: Path) -> None:
    """Make a key file, whole or not at all; of two servers that make one at once, the first wins."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(_KEY_BYTES)}\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    except OSError as wrong:
        raise BadKeys(f"{path}: the key file cannot be made: {wrong.strerror}.") from None
