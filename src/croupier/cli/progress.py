"""A progress bar with the rate and the time left, where somebody sits at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

Watching = Callable[[int, int | None], None]
"""Told how many are done, and how many there will be where that is known."""


@contextmanager
def watched(what: str, *, quiet: bool) -> Iterator[Watching]:
    """`what` is counted, such as rounds; the clock runs from the first that are done."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _wanted: None
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
        task = bar.add_task("preparing; the first run compiles", total=None)
        first: tuple[float, int] | None = None
        shown = 0.0

        def watching(done: int, wanted: int | None) -> None:
            nonlocal first, shown
            now = monotonic()
            if not done or now - shown < 0.1:
                return
            first, shown = first or (now, done), now
            rate = (done - first[1]) / (now - first[0]) if now > first[0] else 0.0
            says = f"{done:,} {what}" + (f", {rate:,.0f} a second" if rate else "")
            bar.update(task, description=says, completed=done, total=wanted)

        yield watching
