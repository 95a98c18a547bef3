"""Encrypted files: what opens them, what does not, and that no chunk can be changed, cut, repeated or moved."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path
from typing import IO, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.backups import encryption
from croupier.floor.backups.encryption import (
    CHUNK,
    BadKey,
    BadSeal,
    EncryptedReader,
    EncryptedWriter,
    Identity,
    Passphrase,
    Recipient,
    identity_pem,
    new_identity,
    read_identity,
    read_recipient,
    recipient_pem,
)

PASSPHRASE = Passphrase("correct horse battery")
IDENTITY = new_identity()
SEALED = CHUNK + 16


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A passphrase is stretched in a moment; one test below holds the figures of a real one."""
    monkeypatch.setattr(encryption, "_COST", 2)


def sealed(content: bytes, *openers: Passphrase | Recipient, pieces: int = 10_000) -> bytes:
    out = io.BytesIO()
    writer = EncryptedWriter(out, openers or (IDENTITY.recipient,))
    for start in range(0, len(content), pieces):
        writer.write(content[start : start + pieces])
    writer.finish()
    return out.getvalue()


def opened(data: bytes, *openers: Passphrase | Identity) -> bytes:
    return EncryptedReader(io.BytesIO(data), openers or (IDENTITY,)).readall() or b""


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5])
@pytest.mark.parametrize("pieces", [7_000, CHUNK, 1_000_000])
def test_what_was_written_is_read(size: int, pieces: int) -> None:
    """Whatever the size, and however it is written."""
    content = bytes(i % 251 for i in range(size))
    data = sealed(content, pieces=pieces)
    assert opened(data) == content
    assert size < CHUNK or content[:40] not in data


@given(content=st.binary(max_size=200), first=st.integers(1, 50))
def test_it_may_be_read_in_pieces(content: bytes, first: int) -> None:
    """A reader gives what is asked for."""
    reader = io.BufferedReader(EncryptedReader(io.BytesIO(sealed(content)), (IDENTITY,)))
    assert reader.read(first) + reader.read() == content


def test_a_passphrase_and_each_recipient_open_it() -> None:
    """One file, several keys."""
    other = new_identity()
    data = sealed(b"cards", PASSPHRASE, IDENTITY.recipient, other.recipient)
    for opener in (PASSPHRASE, IDENTITY, other):
        assert opened(data, opener) == b"cards"
    assert opened(data, new_identity(), PASSPHRASE) == b"cards"


@pytest.mark.parametrize(
    ("keys", "tried", "says"),
    [
        ((PASSPHRASE,), (Passphrase("wrong horse battery"),), "this passphrase does not open it; it opens with a pass"),
        ((PASSPHRASE,), (IDENTITY,), "this private key does not open it; it opens with a passphrase."),
        ((IDENTITY.recipient,), (new_identity(),), "this private key does not open it; it opens with the private key"),
        ((IDENTITY.recipient,), (), "it is encrypted and opens with the private key of a recipient: name --pass"),
        ((PASSPHRASE, IDENTITY.recipient), (new_identity(),), "with a passphrase or the private key of a recipient."),
    ],
)
def test_a_wrong_key_is_one_sentence(
    keys: tuple[Passphrase | Recipient, ...], tried: tuple[Passphrase | Identity, ...], says: str
) -> None:
    """Which key was tried, and which would do."""
    data = sealed(b"cards", *keys)
    with pytest.raises(BadKey) as wrong:
        EncryptedReader(io.BytesIO(data), tried)
    assert says in str(wrong.value)
    assert str(wrong.value).count(".") == 1


def chunks(data: bytes) -> tuple[bytes, list[bytes]]:
    header, _, rest = data.partition(b"\n")
    return header + b"\n", [rest[i : i + SEALED] for i in range(0, len(rest), SEALED)]


CONTENT = bytes(range(256)) * (CHUNK // 256) * 3 + b"the end"


@pytest.mark.parametrize(
    "change",
    [
        lambda parts: parts[:-1],
        lambda parts: parts[:1],
        lambda parts: [],
        lambda parts: [*parts[:-1], parts[-1][:-1]],
        lambda parts: [parts[1], parts[0], *parts[2:]],
        lambda parts: [parts[0], *parts],
        lambda parts: [parts[0], *parts[2:]],
        lambda parts: [*parts, parts[-1]],
        lambda parts: [*parts, b"more"],
        lambda parts: [parts[0][:-1] + bytes((parts[0][-1] ^ 1,)), *parts[1:]],
        lambda parts: [*parts[:-1], bytes((parts[-1][0] ^ 1,)) + parts[-1][1:]],
    ],
    ids=[
        "last chunk cut", "all but one cut", "all cut", "last byte cut", "two swapped", "first twice",
        "second left out", "last twice", "more behind", "first changed", "last changed",
    ],
)  # fmt: skip
def test_a_chunk_cannot_be_changed_cut_repeated_or_moved(change: object) -> None:
    """Found before the byte that is wrong is given out."""
    header, parts = chunks(sealed(CONTENT))
    assert len(parts) == 4
    assert callable(change)
    with pytest.raises(BadSeal):
        opened(header + b"".join(change(parts)))


def test_chunks_of_two_files_do_not_mix() -> None:
    """Each file has a key of its own."""
    header, parts = chunks(sealed(CONTENT))
    _, others = chunks(sealed(CONTENT))
    with pytest.raises(BadSeal, match="part 2 was changed"):
        opened(header + parts[0] + others[1] + b"".join(parts[2:]))


@pytest.mark.parametrize("field", ["salt", "chunk", "keys"])
def test_a_changed_header_opens_nothing(field: str) -> None:
    """It goes into the key of the content: even what no reader would look at, such as a second recipient."""
    header, parts = chunks(sealed(b"cards" * 40_000))
    told = msgspec.json.decode(header, type=dict[str, object])
    if field == "salt":
        told[field] = "AAAAAAAAAAAAAAAAAAAAAA=="
    elif field == "chunk":
        told[field] = CHUNK // 2
    else:
        keys = cast(list[object], told[field])
        told[field] = [*keys, keys[0]]
    with pytest.raises(BadSeal):
        opened(msgspec.json.encode(told) + b"\n" + b"".join(parts))


def test_a_header_cannot_ask_for_all_memory() -> None:
    """Of scrypt, a thousand times what is written today."""
    header, parts = chunks(sealed(b"cards", PASSPHRASE))
    told = msgspec.json.decode(header, type=dict[str, object])
    cast(list[dict[str, object]], told["keys"])[0]["n"] = 2**30
    with pytest.raises(BadSeal, match="key derivation"):
        opened(msgspec.json.encode(told) + b"\n" + b"".join(parts), PASSPHRASE)


def test_memory_stays_bounded() -> None:
    """Thirty-two megabytes pass through less than two."""

    class Nowhere:
        def write(self, data: bytes) -> int:
            return len(data)

    piece = bytes(1 << 20)
    tracemalloc.start()
    writer = EncryptedWriter(cast(IO[bytes], Nowhere()), (IDENTITY.recipient,))
    for _ in range(32):
        for start in range(0, len(piece), 8192):
            writer.write(piece[start : start + 8192])
    writer.finish()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 << 20


def test_a_real_passphrase_is_stretched(monkeypatch: pytest.MonkeyPatch) -> None:
    """By scrypt with 128 MiB, and opened with what the header says."""
    monkeypatch.undo()
    data = sealed(b"cards", PASSPHRASE)
    header = msgspec.json.decode(data.partition(b"\n")[0], type=dict[str, object])
    (key,) = cast(list[dict[str, object]], header["keys"])
    assert (key["type"], key["n"], key["r"], key["p"]) == ("scrypt", 131_072, 8, 1)
    assert opened(data, PASSPHRASE) == b"cards"


def test_a_short_passphrase_is_refused() -> None:
    with pytest.raises(BadKey, match="at least 12 characters"):
        Passphrase("short")
    assert "horse" not in repr(PASSPHRASE)


def test_keys_are_read_as_they_are_written(tmp_path: Path) -> None:
    """As PEM; each file that is not the right key is said in one sentence."""
    (tmp_path / "key").write_bytes(identity_pem(IDENTITY))
    (tmp_path / "key.pub").write_bytes(recipient_pem(IDENTITY.recipient))
    (tmp_path / "text").write_text("no key")
    assert read_identity(tmp_path / "key") == IDENTITY
    assert read_recipient(tmp_path / "key.pub") == IDENTITY.recipient
    for read, name, says in (
        (read_recipient, "key", "is a private key; name the public one"),
        (read_identity, "key.pub", "is not a private key"),
        (read_identity, "text", "is not a private key"),
        (read_recipient, "text", "is not a public key"),
        (read_identity, "none", "No such file"),
    ):
        with pytest.raises(BadKey, match=says):
            read(tmp_path / name)
