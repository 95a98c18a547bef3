"""An audit in a process of its own, so that a house that is being checked plays on: the journal's address comes in by
its input, how far it is goes out line by line, and at last what was found.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from datetime import UTC, datetime

import msgspec

from croupier.floor.audit.audit import Audited, audit
from croupier.floor.history.link_figures import Figures, TrialBalance, day_of, figures, trial_balance
from croupier.floor.records.keys import keys_at_hand
from croupier.floor.records.streams import link_stream
from croupier.journal.store import StoreError
from croupier.journal.store_address import open_store

LINKS = link_stream("")
PAUSE = 0.3
"""Seconds between two words about how far it is."""


class Told(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far the audit is, or what it found."""

    done: int = 0
    total: int = 0
    report: Audited | None = None
    balance: TrialBalance | None = None
    links: tuple[Figures, ...] = ()
    """Each with today reconciled."""
    failed: str = ""
    """Why nothing was found out: the journal cannot be read."""


def main() -> None:
    """Audit the journal that the input names."""
    url = sys.stdin.readline().strip()
    said = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() >= said + PAUSE:
            said = time.monotonic()
            _tell(Told(done=done, total=total))

    store = open_store(url, create=False, read_only=True)
    try:
        with store.reading():  # one moment for all of it, so that balance and links agree
            report = audit(store, progress=progress, keys=keys_at_hand(url, os.environ))
            today = day_of(datetime.now(UTC).date())
            names = [stream.removeprefix(LINKS) for stream in store.streams() if stream.startswith(LINKS)]
            links = tuple(figures(store, name, today) for name in names)
            balance = trial_balance(store)
        _tell(Told(report=report, balance=balance, links=links))
    finally:
        store.close()


def _tell(told: Told) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    with contextlib.suppress(OSError, AttributeError):
        # The tables come first.
        os.nice(5)
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        try:
            main()
        except StoreError as wrong:
            _tell(Told(failed=str(wrong)))
