"""Testimony: what the checkpoints of a house's witnesses say, held against its journal by an audit.

Without checkpoints a journal proves only that it agrees with itself. With them a cut tail, a changed record whose
hashes were redone and records that were added while no server ran are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.floor.house.witness import leaves_of, moment_of
from croupier.floor.records.streams import is_answer_chain
from croupier.journal.checkpoint import (
    BadCheckpoint,
    Checkpoint,
    Kind,
    by_server,
    check_chain,
    check_signature,
    public_key,
)
from croupier.journal.merkle import root_of
from croupier.journal.records import StreamName
from croupier.journal.store import Store

GRACE = 60
"""Seconds past the promised time within which a busy server's checkpoint may still come."""

Finding: TypeAlias = tuple[str, int, str]


class _Gap(msgspec.Struct):
    """Records of a stream that no running server vouches for."""

    stream: StreamName
    after: int
    last: int | None
    """None where it has not ended."""
    latest: int | None
    """Until this moment the server may have written it before it crashed; None where it had stopped."""
    since: str
    found: list[int] = msgspec.field(default_factory=list)


class Testimony:
    """Checkpoints of all servers of a house, in the order in which they were made."""

    def __init__(self, checkpoints: Sequence[Checkpoint], keys: Iterable[Ed25519PublicKey] = ()) -> None:
        """`keys` are trusted; where none is given, the key that signed a server's first checkpoint."""
        self.checkpoints, self.trusted = tuple(checkpoints), tuple(keys)
        self.marks: dict[StreamName, dict[int, str]] = {}
        """The hash that a record had, for each record at which a stream stood."""
        self._problems: list[str] = []
        self._gaps: dict[StreamName, list[_Gap]] = {}
        self._last: tuple[Checkpoint, bool] | None = None
        """The last checkpoint of all, and whether every server had stopped by then."""
        self._accepted = 0
        """When the operator last went on with another journal: what was said before is not asked of this one."""
        self._chains: dict[str, list[Checkpoint]] = {}
        try:
            chains = by_server(checkpoints)
        except BadCheckpoint as wrong:
            self._problems.append(str(wrong))
            chains = {}
        for server, chain in chains.items():
            self._chains[server] = list(self._sound(chain, self.trusted))
        self._read()

    def mark(self, stream: StreamName, seq: int, head: str) -> None:
        """Note where a stream stood; two notes that disagree are a problem."""
        if self.marks.setdefault(stream, {}).setdefault(seq, head) != head:
            self._problems.append(f"{stream} stood at {seq} with two different hashes.")

    def stood(self, stream: StreamName) -> int:
        """Return the furthest that a stream is known to have come."""
        return max(self.marks.get(stream, ()), default=0)

    def watches(self, stream: StreamName) -> bool:
        """Return whether anything was written down that records of this stream can be held against."""
        return self._last is not None or stream in self.marks or stream in self._gaps

    def see(self, stream: StreamName, seq: int, at: int | None = None) -> None:
        """Take note of a record of the journal; an answer has no time of its own."""
        if stream not in self._gaps and self._last is not None:
            before, stopped = self._last
            self._gap(stream, before, None, stopped=stopped)
        for gap in self._gaps.get(stream, ()):
            is_within = seq > gap.after and (gap.last is None or seq <= gap.last)
            if is_within and (gap.latest is None or (at is not None and at > gap.latest)):
                gap.found.append(seq)

    def findings(self, store: Store, archived: Mapping[StreamName, int] = MappingProxyType({})) -> Iterator[Finding]:
        """Say what differs, once the whole journal has been seen; `archived` records of a stream are not in it."""
        for problem in self._problems:
            yield "witness", 0, problem
        yield from self.unvouched()
        yield from self._check_roots(store, archived)

    def unvouched(self) -> Iterator[Finding]:
        """Say which records were written while no server ran."""
        if len(self._chains) >= sum(is_answer_chain(stream) for stream in self.marks):
            for gap in (gap for gaps in self._gaps.values() for gap in gaps if gap.found):
                many = f"records up to {gap.found[-1]} were" if len(gap.found) > 1 else "it was"
                yield gap.stream, gap.found[0], f"{many} written while no server ran, after {gap.since}."

    # ---------------------------------------------------------------- what the checkpoints say of themselves

    def _sound(self, chain: Sequence[Checkpoint], keys: Sequence[Ed25519PublicKey]) -> Iterator[Checkpoint]:
        """Return those that are signed and whose heads are there; what is wrong with the others is a problem."""
        trusted = keys or [public_key(chain[0].key)]
        try:
            check_chain(chain)
        except BadCheckpoint as wrong:
            self._problems.append(str(wrong))
        for checkpoint in chain:
            try:
                key = next((key for key in trusted if _has_signed(key, checkpoint)), trusted[0])
                check_signature(checkpoint, key)
                checkpoint.stood()
            except BadCheckpoint as wrong:
                self._problems.append(str(wrong))
            else:
                yield checkpoint

    def _read(self) -> None:
        """Mark where streams stood; find where a server started and no other ran, and what follows the last of all."""
        made = sorted((one for chain in self._chains.values() for one in chain), key=lambda one: one.says().at)
        latest: dict[str, Checkpoint] = {}
        for checkpoint in made:
            said, stood = checkpoint.says(), checkpoint.stood().streams
            if said.accepted:
                self.marks.clear()
                self._gaps.clear()
                self._accepted = said.at
                what = f"went on with a journal that did not agree with the checkpoint before: {said.accepted}"
                self._problems.append(f"At {moment_of(checkpoint)} the operator {what}")
            elif said.kind is Kind.OPENED and latest:
                before = max(latest.values(), key=lambda one: one.says().at)
                if not any(_runs_at(one, said.at) for server, one in latest.items() if server != said.server):
                    for stream in {*stood, *before.stood().streams}:
                        self._gap(stream, before, checkpoint, stopped=before.says().kind is Kind.CLOSED)
            for stream, (seq, head) in stood.items():
                self.mark(stream, seq, head)
            latest[said.server] = checkpoint
        if latest:
            self._last = made[-1], all(one.says().kind is Kind.CLOSED for one in latest.values())
            for stream in self.marks:
                self._gap(stream, self._last[0], None, stopped=self._last[1])

    def _gap(self, stream: StreamName, before: Checkpoint, after: Checkpoint | None, *, stopped: bool) -> None:
        said = before.says()
        last = None if after is None else after.stood().streams.get(stream, (0, ""))[0]
        gap = _Gap(
            stream=stream,
            after=before.stood().streams.get(stream, (0, ""))[0],
            last=last,
            latest=None if stopped else said.at + (said.seconds + GRACE) * 1_000_000,
            since=moment_of(before),
        )
        if last is None or last > gap.after:
            self._gaps.setdefault(stream, []).append(gap)

    def _check_roots(self, store: Store, archived: Mapping[StreamName, int]) -> Iterator[Finding]:
        """Compute each tree again, as far as the checkpoint before it is known and its records are here."""
        for chain in self._chains.values():
            for before, checkpoint in pairwise(chain):
                said, stood = checkpoint.says(), checkpoint.stood()
                follows = before.stood().streams
                if said.number != before.says().number + 1 or said.at < self._accepted:
                    continue
                if any(follows.get(stream, (0, ""))[0] < gone for stream, gone in archived.items()):
                    continue
                leaves = [leaf for _, _, leaf in leaves_of(store, follows, stood.streams, stood.salt)]
                if (len(leaves), root_of(leaves).hex()) != (said.size, said.root):
                    what = f"the tree of checkpoint {said.number} of server {said.server} is not that of the records."
                    yield "witness", 0, what


def _has_signed(key: Ed25519PublicKey, checkpoint: Checkpoint) -> bool:
    try:
        check_signature(checkpoint, key)
    except BadCheckpoint:
        return False
    return True


def _runs_at(checkpoint: Checkpoint, at: int) -> bool:
    """Return whether the server of this checkpoint may have been running at a moment."""
    said = checkpoint.says()
    return said.kind is not Kind.CLOSED and said.at + (said.seconds + GRACE) * 1_000_000 >= at
