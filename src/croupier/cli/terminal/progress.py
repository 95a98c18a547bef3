"""The progress bar of long commands, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

_EVERY = 0.1
"""Seconds between two drawings."""


class Watching(Protocol):
    """Progress callback: how many (or which share) are done, how many there will be, optionally the present task."""

    def __call__(self, done: float, wanted: float | None, doing: str = "") -> None: ...


def _silent(done: float, wanted: float | None, doing: str = "") -> None:
    """Do nothing: there is no terminal."""


@contextmanager
def watched(what: str, *, quiet: bool, first: str = "preparing; the first run compiles") -> Iterator[Watching]:
    """Show a progress bar on a terminal; `what` names the counted things, `first` stands until the first are done."""
    if quiet or not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(first, total=None)
        begun: tuple[float, float] | None = None
        shown = 0.0

        def watching(done: float, wanted: float | None, doing: str = "") -> None:
            nonlocal begun, shown
            now = monotonic()
            if not doing and (not done or now - shown < _EVERY):
                return
            begun, shown = begun or (now, done), now
            rate = (done - begun[1]) / (now - begun[0]) if now > begun[0] else 0.0
            says = doing or f"{done:,} {what}" + (f", {rate:,.0f} a second" if rate else "")
            bar.update(task, description=says, completed=done, total=wanted)

        yield watching
