"""Progress callbacks of long computations."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, float], None]
"""Called with what is being done, and the share of the whole that is done."""


def no_progress(_doing: str, _done: float) -> None:
    """Ignore the progress."""


def sub_progress(progress: Progress, start: float, end: float) -> Progress:
    """Return the progress of a part of the work between these shares of the whole."""
    return lambda doing, done: progress(doing, start + (end - start) * done)
