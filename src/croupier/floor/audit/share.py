"""A share of an audit: some tables, whose records are checked, judged again and entered in one reading.

In a process of its own the order comes in by its input, how far it is goes out line by line, and at last what the
records come to. A share only proves that nothing differs: at the first difference it stops, and the whole journal is
audited once more, which says what differs and where.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
import time
from collections.abc import Callable, Mapping
from typing import IO, NoReturn

import msgspec

from croupier.floor.audit.checkpoint_check import Testimony
from croupier.floor.audit.findings import Findings
from croupier.floor.audit.head_check import HeadCheck
from croupier.floor.audit.judgement.rejudgement import Rejudgement, Share
from croupier.floor.audit.milestone import Boundary, Milestone, TrialAt
from croupier.floor.audit.stream_check import StreamCheck, Sums
from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.records.keys import Keys
from croupier.floor.records.streams import HOUSE, link_stream
from croupier.journal.checkpoint import Anchor, Checkpoint, public_key
from croupier.journal.store import Span, Store
from croupier.journal.store_address import open_store
from croupier.ledger.accounts import AccountName

PAUSE = 0.2
"""Seconds between two words about how far it is."""

AGAIN, GO = "again", "go"
"""What the audit answers when a share has begun to read: at another moment than the others, or at the same one."""

_LINKS = link_stream("")


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What a share is to do."""

    url: str
    keys: Keys
    checkpoints: tuple[Checkpoint, ...] = ()
    trusted: tuple[str, ...] = ()
    """Public keys in hexadecimal."""
    anchors: Mapping[str, Anchor] = {}
    milestone: Milestone | None = None
    """What was audited before."""
    notes_boundaries: bool = False
    """Whether the next milestone is wanted."""

    def testimony(self) -> Testimony:
        """Return what was written down elsewhere."""
        testimony = Testimony(self.checkpoints, [public_key(text) for text in self.trusted])
        before = {} if self.milestone is None else self.milestone.heads
        for stream, (seq, head) in (*self.anchors.items(), *before.items()):
            testimony.mark(stream, seq, head)
        return testimony


class Told(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a share says: where the journal stands as it reads it, how far it is, or what its records come to."""

    moment: str = ""
    done: int = 0
    differs: bool = False
    came_to: CameTo | None = None


class CameTo(msgspec.Struct, frozen=True, kw_only=True):
    """What the records of a share come to."""

    sums: Sums
    found: tuple[str, ...]
    """Its streams."""
    held: Mapping[AccountName, int]
    unexplained: tuple[str, ...]
    """Commands whose notes on Players no table of this share explains."""
    boundaries: Mapping[str, Boundary] = {}
    trials: Mapping[str, TrialAt] = {}


class Differed(BaseException):
    """Something differs, so that no share is of use any more."""


class Alarm(Findings):
    """Stops at the first difference."""

    def add(self, where: str, seq: int, what: str) -> NoReturn:
        raise Differed(f"{where} {seq}: {what}")


def moment_of(store: Store) -> str:
    """Return a hash over all heads, which every commit moves."""
    return hashlib.sha256(repr(list(store.rows("heads"))).encode()).hexdigest()


def do_share(
    store: Store,
    order: Order,
    share: Share,
    step: Callable[[int], None],
    histories: Mapping[str, TermsHistory] | None = None,
) -> CameTo:
    """Check and judge the tables of a share, and return what their streams come to; raises Differed.

    `histories` are those of all tables, where the stream of the house has been read.
    """
    findings, testimony = Alarm(), order.testimony()
    heads = HeadCheck(testimony, findings)
    heads.read(store)
    streams = StreamCheck(
        store, heads, findings, order.keys, step, order.milestone, notes_boundaries=order.notes_boundaries
    )
    streams.tables = dict(histories or _histories(store, heads, order.keys))
    streams.links = {name.removeprefix(_LINKS): None for name in heads.heads if name.startswith(_LINKS)}
    if share.leads:
        streams.check_between(heads.tables)
    try:
        streams.open_tables(share.tables)
        streams.find_starts()
        judged = Rejudgement(store, streams, findings, step, order.keys, share)
        judged.judge_share()
        streams.finish_tables()
    finally:
        streams.close_tables()
    for where, seq, what in testimony.unvouched():
        findings.add(where, seq, what)
    return CameTo(
        sums=streams.sums,
        found=tuple(streams.found),
        held=streams.held,
        unexplained=tuple(judged.memory.unexplained),
        boundaries=streams.noted(),
        trials=judged.trials(),
    )


def _histories(store: Store, heads: HeadCheck, keys: Keys) -> dict[str, TermsHistory]:
    """Read the stream of the house, which says what tables there are; it is checked by another process."""
    house = StreamCheck(store, heads, Findings(), keys, lambda _: None)
    house.read(Span(HOUSE, f"{HOUSE} "))
    return house.tables


def main() -> None:
    """Do the share that the input orders."""
    lines, out = sys.stdin.buffer, sys.stdout.buffer
    order = msgspec.json.decode(lines.readline(), type=Order)
    with contextlib.closing(open_store(order.url, create=False, read_only=True)) as store:
        while True:
            with store.reading():
                _tell(out, Told(moment=moment_of(store)))
                if msgspec.json.decode(lines.readline(), type=str) != GO:
                    continue
                share = msgspec.json.decode(lines.readline(), type=Share)
                _tell(out, Told(came_to=do_share(store, order, share, _steps(out))))
                return


def _steps(out: IO[bytes]) -> Callable[[int], None]:
    """Return a function that counts, and tells now and then how far it has come."""
    done, said = 0, time.monotonic()

    def step(count: int) -> None:
        nonlocal done, said
        done += count
        if time.monotonic() >= said + PAUSE:
            said = time.monotonic()
            _tell(out, Told(done=done))

    return step


def _tell(out: IO[bytes], told: Told) -> None:
    out.write(msgspec.json.encode(told) + b"\n")
    out.flush()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        try:
            main()
        except Differed:
            _tell(sys.stdout.buffer, Told(differs=True))
        except Exception:  # noqa: BLE001  any exception that a changed row causes; one process then says what it is
            _tell(sys.stdout.buffer, Told(differs=True))
