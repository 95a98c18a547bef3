"""The witness: a thread that signs checkpoints of the journal and keeps them outside it, and the proofs that follow.

It reads what is committed over a connection of its own; it knows nothing of rounds, people or money.
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.floor.records.streams import is_answer_chain
from croupier.journal.checkpoint import (
    SALT_BYTES,
    Anchor,
    BadCheckpoint,
    Checkpoint,
    Heads,
    Kind,
    Statement,
    blinded_leaf,
    blinding,
    by_server,
    check_signature,
    checkpoints_in,
    key_text,
    line_of,
    private_key,
    public_hex,
    signed,
    signed_text,
)
from croupier.journal.merkle import path_to, root_of
from croupier.journal.records import StreamName
from croupier.journal.sqlite import PRIVATE, sqlite_path
from croupier.journal.store import Store, StoreError
from croupier.journal.store_address import open_store

_LOG = logging.getLogger("croupier.witness")

POLL = 1.0
"""Seconds between two looks at the heads of the journal."""
HTTP_SECONDS = 2.0
"""Seconds that an outside address has to take a checkpoint."""
BACKLOG = 1000
"""Checkpoints that wait for an address that does not answer; older ones are in the files."""

Above0 = Annotated[int, msgspec.Meta(ge=1, le=86_400)]


class WitnessSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where checkpoints go, and how often."""

    files: tuple[str, ...] | None = None
    """None means one beside an SQLite database, and none for PostgreSQL. An empty list turns files off."""
    addresses: tuple[str, ...] = ()
    """HTTP addresses that take each checkpoint by POST."""
    key: str = ""
    """The file of the signing key; empty means beside the first file. The first start makes it."""
    seconds: Above0 = 15
    """Seconds from a new record to its checkpoint, at most."""
    events: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1000
    """New records that make a checkpoint at once."""


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The proof that a record stands in the tree of a checkpoint."""

    stream: StreamName
    seq: int
    blinding: str
    index: int
    path: tuple[str, ...]


class Inclusion(msgspec.Struct, frozen=True, kw_only=True):
    """A published checkpoint, and the proofs of records that it covers."""

    checkpoint: Checkpoint
    proofs: tuple[Proof, ...]


class JournalDiffers(StoreError):
    """The journal is not what the last checkpoint says it was."""


class Witness:
    """Makes the checkpoints of one server, one after another."""

    def __init__(self, url: str, server: str, settings: WitnessSettings, clock: Callable[[], int]) -> None:
        """Read the key and the last checkpoint; raises StoreError where a file cannot be used."""
        self._url, self._server, self._settings, self._clock = url, server, settings, clock
        self._files = [_CheckpointFile(Path(name), server) for name in _files(url, settings)]
        self._addresses = [_Address(address) for address in settings.addresses]
        self._key = signing_key(_key_path(url, settings))
        self.key = public_hex(self._key.public_key())
        self.last = max((last for file in self._files if (last := file.last)), key=_number, default=None)
        self._made = time.monotonic()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="croupier-witness", daemon=True)

    @property
    def failures(self) -> int:
        """The number of times that a checkpoint could not be written or sent."""
        return sum(file.failures for file in self._files) + sum(address.failures for address in self._addresses)

    def sign(self, statement: str) -> Checkpoint:
        """Sign another statement of the house; its format tells it from a checkpoint."""
        return signed_text(statement, self._key)

    # ---------------------------------------------------------------- at start and stop

    def open(self, accepted: str = "") -> str:
        """Compare the journal with the last checkpoint, then make the first one of this run.

        Raises JournalDiffers where records are missing or changed and no reason was given to go on. Returns a warning
        where records were added after the last server had stopped, else an empty text.
        """
        with self._reading() as store:
            lost, added = self._compared(store)
            if lost and not accepted:
                assert self.last is not None
                raise JournalDiffers(
                    f"The journal does not agree with checkpoint {_number(self.last)} of {moment_of(self.last)}: "
                    f"{'; '.join(lost[:3])}{f'; and {len(lost) - 3} more' if len(lost) > 3 else ''}. Restore a backup, "
                    "or start with --accept-journal and the reason why to go on without."
                )
            warning = ""
            if added and self.last is not None and self.last.says().kind is Kind.CLOSED and not store.is_shared:
                warning = f"{added} records were added after the house was closed at {moment_of(self.last)}: audit it."
                _LOG.warning("records were added while no server ran", extra={"records": added})
            self._make(store, Kind.OPENED, accepted if lost or warning else "")
            return warning

    def start(self) -> None:
        """Make checkpoints from now on, until `stop`."""
        self._thread.start()

    def stop(self) -> None:
        """Make the last one; nothing may be written after it."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()
        try:
            with self._reading() as store:
                self._make(store, Kind.CLOSED)
        except StoreError as wrong:
            _LOG.warning("no checkpoint at the end", extra={"why": str(wrong)})

    def _compared(self, store: Store) -> tuple[list[str], int]:
        """Say what is missing or changed since the last checkpoint, and how many records were added."""
        if self.last is None:
            return [], 0
        check_signature(self.last, self._key.public_key())
        stood, stands = self.last.stood().streams, _heads(store)
        lost = []
        for stream, (seq, head) in stood.items():
            now = stands.get(stream, (0, ""))
            if now[0] < seq:
                lost.append(f"{stream} ends at {now[0]} and stood at {seq}")
            elif _hash_at(store, stream, seq, now) not in (head, ""):
                lost.append(f"{stream} has another record {seq}")
        added = sum(now[0] - stood.get(stream, (0, ""))[0] for stream, now in stands.items())
        return lost, max(0, added)

    # ---------------------------------------------------------------- while it runs

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._reading() as store:
                    while not self._stopping.wait(POLL):
                        self._look(store)
            except StoreError as wrong:
                # A database that was away is asked again over a new connection.
                _LOG.warning("no checkpoint", extra={"why": str(wrong)})
                self._stopping.wait(POLL)

    def _look(self, store: Store) -> None:
        """Make a checkpoint where enough has moved, or where it is time."""
        stands = _heads(store)
        assert self.last is not None, "opened first"
        stood = self.last.stood().streams
        moved = sum(now[0] - stood.get(stream, (0, ""))[0] for stream, now in stands.items())
        is_due = time.monotonic() - self._made >= self._settings.seconds
        if moved >= self._settings.events or (moved and is_due):
            self._make(store, Kind.RUNNING)
        for address in self._addresses:
            address.send()

    def _make(self, store: Store, kind: Kind, accepted: str = "") -> None:
        """Make one checkpoint of what is committed, and keep it at every place."""
        before = None if self.last is None else self.last.stood().streams
        salt = secrets.token_hex(SALT_BYTES)
        with store.reading():
            stands = _heads(store)
            leaves = list(leaves_of(store, before or {}, stands, salt))
        checkpoint = signed(
            Statement(
                server=self._server,
                number=1 if self.last is None else _number(self.last) + 1,
                kind=kind,
                at=self._clock(),
                seconds=self._settings.seconds,
                records=sum(seq for stream, (seq, _) in stands.items() if not is_answer_chain(stream)),
                size=len(leaves),
                root=root_of([leaf for _, _, leaf in leaves]).hex(),
                heads="",
                before="" if self.last is None else self.last.hash,
                accepted=accepted,
            ),
            Heads(salt=salt, streams=stands),
            self._key,
        )
        for file in self._files:
            file.append(checkpoint)
        for address in self._addresses:
            address.put(checkpoint)
        self.last, self._made = checkpoint, time.monotonic()

    # ---------------------------------------------------------------- proofs

    def inclusion(self, store: Store, records: Sequence[tuple[StreamName, int]]) -> list[Inclusion]:
        """Prove records against the checkpoints that cover them; those that no kept checkpoint covers are left out."""
        file = next((file for file in self._files if file), None)
        return [] if file is None else _inclusion(file, store, records)

    def _reading(self) -> closing[Store]:
        return closing(open_store(self._url, create=False, read_only=True))


def inclusion_in(path: Path, store: Store, records: Sequence[tuple[StreamName, int]]) -> list[Inclusion]:
    """Prove records against the checkpoints in a file; of several servers, those of the first that covers them."""
    try:
        servers = by_server(checkpoints_in(path.read_bytes()))
    except OSError as wrong:
        raise StoreError(f"The witness's file {path} cannot be read: {wrong.strerror}.") from None
    except BadCheckpoint as wrong:
        raise StoreError(f"{path}: {wrong}") from None
    found = (_inclusion(_CheckpointFile(path, server), store, records) for server in servers)
    return next((proofs for proofs in found if proofs), [])


def signed_beside(path: Path, statement: str) -> Checkpoint:
    """Sign a statement with the key that lies beside a witness's file; raises StoreError."""
    key = Path(f"{path}-key")
    if not key.exists():
        raise StoreError(f"There is no key of the witness at {key}, so nothing can be signed.")
    return signed_text(statement, signing_key(key))


def _inclusion(file: _CheckpointFile, store: Store, records: Sequence[tuple[StreamName, int]]) -> list[Inclusion]:
    covering: dict[int, list[tuple[StreamName, int]]] = {}
    for stream, seq in records:
        index = file.covering(stream, seq)
        if index is not None:
            covering.setdefault(index, []).append((stream, seq))
    return [proof for index, wanted in sorted(covering.items()) for proof in _proofs(store, file, index, wanted)]


def _proofs(
    store: Store, file: _CheckpointFile, index: int, wanted: Sequence[tuple[StreamName, int]]
) -> Iterator[Inclusion]:
    """Return the proofs against one checkpoint; none where records of its tree were archived or changed."""
    checkpoint = file[index]
    said, stood = checkpoint.says(), checkpoint.stood()
    before = file[index - 1].stood().streams if index else {}
    leaves = list(leaves_of(store, before, stood.streams, stood.salt))
    places = {(stream, seq): place for place, (stream, seq, _) in enumerate(leaves)}
    hashes = [leaf for _, _, leaf in leaves]
    if root_of(hashes).hex() == said.root:
        yield Inclusion(
            checkpoint=checkpoint.published,
            proofs=tuple(
                Proof(
                    stream=stream,
                    seq=seq,
                    blinding=blinding(stood.salt, stream, seq).hex(),
                    index=places[stream, seq],
                    path=tuple(node.hex() for node in path_to(hashes, places[stream, seq])),
                )
                for stream, seq in wanted
            ),
        )


def is_wanted(url: str, settings: WitnessSettings) -> bool:
    """Return whether there is a place for checkpoints."""
    return bool(_files(url, settings) or settings.addresses)


# ---------------------------------------------------------------- the journal's heads and leaves


def _heads(store: Store) -> dict[StreamName, Anchor]:
    heads = {}
    for stream, seq, head in store.rows("heads"):
        assert isinstance(seq, int)
        assert isinstance(head, bytes)
        if seq:  # a shared store reserves a head before its first record
            heads[str(stream)] = (seq, head.hex())
    return heads


def _hash_at(store: Store, stream: StreamName, seq: int, head: Anchor) -> str:
    """Return the hash of a record; empty where it is an answer before the last, which the audit compares."""
    if head[0] == seq:
        return head[1]
    if is_answer_chain(stream):
        return ""
    record = next(iter(store.read(stream, seq - 1, 1)), None)
    return "missing" if record is None or record.seq != seq else record.hash.hex()


def leaves_of(
    store: Store, before: Mapping[StreamName, Anchor], stands: Mapping[StreamName, Anchor], salt: str
) -> Iterator[tuple[StreamName, int, bytes]]:
    """Return the blinded leaves of all records between two checkpoints, by stream and number."""
    for stream in sorted(stands):
        first, last = before.get(stream, (0, ""))[0], stands[stream][0]
        if not is_answer_chain(stream) and last > first:
            for record in store.read(stream, first, last - first):
                yield stream, record.seq, blinded_leaf(salt, stream, record.seq, record.hash)


def _number(checkpoint: Checkpoint) -> int:
    return checkpoint.says().number


def moment_of(checkpoint: Checkpoint) -> str:
    """Say when a checkpoint was made."""
    return datetime.fromtimestamp(checkpoint.says().at / 1e6, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


# ---------------------------------------------------------------- places


def _files(url: str, settings: WitnessSettings) -> tuple[str, ...]:
    if settings.files is not None:
        return settings.files
    return (f"{sqlite_path(url)}.witness",) if url.startswith("sqlite:") else ()


def _key_path(url: str, settings: WitnessSettings) -> Path:
    if settings.key:
        return Path(settings.key)
    files = _files(url, settings)
    if files:
        return Path(f"{files[0]}-key")
    raise StoreError("The witness has addresses and no key: name a file for it as witness.key.")


def signing_key(path: Path) -> Ed25519PrivateKey:
    """Read the signing key, or make one that only its owner may read."""
    try:
        return private_key(path.read_bytes())
    except FileNotFoundError:
        key = Ed25519PrivateKey.generate()
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as out:
                out.write(key_text(key))
        except OSError as wrong:
            raise StoreError(f"The signing key {path} cannot be made: {wrong.strerror}.") from None
        return key
    except OSError as wrong:
        raise StoreError(f"The signing key {path} cannot be read: {wrong.strerror}.") from None
    except BadCheckpoint as wrong:
        raise StoreError(f"{path}: {wrong}") from None


class _CheckpointFile:
    """A file of checkpoints, one line each, found by stream and record without reading all of it."""

    def __init__(self, path: Path, server: str) -> None:
        self._path, self.failures = path, 0
        self._offsets: list[tuple[int, int]] = []
        """Where each checkpoint of this server begins, and how long it is."""
        at = 0
        try:
            lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        except OSError as wrong:
            raise StoreError(f"The witness's file {path} cannot be read: {wrong.strerror}.") from None
        for line in lines:
            found = checkpoints_in(line)
            if found and found[0].says().server == server:
                self._offsets.append((at, len(line)))
            at += len(line)

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, index: int) -> Checkpoint:
        at, length = self._offsets[index]
        with self._path.open("rb") as file:
            file.seek(at)
            return checkpoints_in(file.read(length))[0]

    @property
    def last(self) -> Checkpoint | None:
        return self[-1] if self._offsets else None

    def covering(self, stream: StreamName, seq: int) -> int | None:
        """Return the index of the first checkpoint that a record stands in; None where there is none."""
        index = bisect_left(self, seq, key=lambda one: one.stood().streams.get(stream, (0, ""))[0])
        return index if index < len(self) else None

    def append(self, checkpoint: Checkpoint) -> None:
        """Add a line, durable when this returns; a failure is counted and logged."""
        line = line_of(checkpoint)
        try:
            with os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, PRIVATE), "r+b") as file:
                at = file.seek(0, os.SEEK_END)
                if at and os.pread(file.fileno(), 1, at - 1) != b"\n":
                    at += file.write(b"\n")  # a crash has torn the line before
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as wrong:
            self.failures += 1
            _LOG.error("a checkpoint could not be written", extra={"file": str(self._path), "why": wrong.strerror})
        else:
            self._offsets.append((at, len(line)))


class _Address:
    """An HTTP address that takes checkpoints; while it does not answer, they wait."""

    def __init__(self, address: str) -> None:
        if not address.startswith(("http://", "https://")):
            raise StoreError(f"witness.addresses: {address[:60]!r} is not an http:// or https:// address.")
        self._address, self.failures, self._is_away = address, 0, False
        self._waiting: deque[bytes] = deque(maxlen=BACKLOG)

    def put(self, checkpoint: Checkpoint) -> None:
        self._waiting.append(line_of(checkpoint))
        self.send()

    def send(self) -> None:
        """Send what waits, in order."""
        from urllib.request import Request, urlopen  # noqa: PLC0415  an audit imports this module and sends nothing

        while self._waiting:
            request = Request(  # noqa: S310  the scheme was checked
                self._address, self._waiting[0], {"content-type": "application/json"}, method="POST"
            )
            try:
                with urlopen(request, timeout=HTTP_SECONDS):  # noqa: S310  as above
                    pass
            except (OSError, ValueError) as wrong:
                self.failures += 1
                if not self._is_away:
                    _LOG.warning("a checkpoint could not be sent", extra={"address": self._address, "why": str(wrong)})
                self._is_away = True
                return
            self._waiting.popleft()
            self._is_away = False
