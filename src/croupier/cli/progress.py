"""The progress bar of every command that takes longer than a moment, where somebody sits at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

_EVERY = 0.1
"""Seconds between two drawings."""


class Watching(Protocol):
    """Told how many are done and how many there will be, where that is known; and what is being done, where that says
    more than how fast it goes.
    """

    def __call__(self, done: int, wanted: int | None, doing: str = "") -> None: ...


def _nobody(done: int, wanted: int | None, doing: str = "") -> None:
    """Nobody watches."""


@contextmanager
def watched(what: str, *, quiet: bool, first: str = "preparing; the first run compiles") -> Iterator[Watching]:
    """`what` is counted, such as rounds; the clock runs from the first that are done. `first` is shown until then."""
    if quiet or not sys.stderr.isatty():
        yield _nobody
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
        begun: tuple[float, int] | None = None
        shown = 0.0

        def watching(done: int, wanted: int | None, doing: str = "") -> None:
            nonlocal begun, shown
            now = monotonic()
            if not doing and (not done or now - shown < _EVERY):
                return
            begun, shown = begun or (now, done), now
            rate = (done - begun[1]) / (now - begun[0]) if now > begun[0] else 0.0
            says = doing or f"{done:,} {what}" + (f", {rate:,.0f} a second" if rate else "")
            bar.update(task, description=says, completed=done, total=wanted)

        yield watching
