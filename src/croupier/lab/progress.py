"""How whoever waits is told how far something has come."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, float], None]
"""Told what is being done, and which part of the whole is behind us."""


def no_progress(_doing: str, _done: float) -> None:
    """Nobody watches."""


def sub_progress(progress: Progress, start: float, end: float) -> Progress:
    """For a piece of the work that begins and ends there."""
    return lambda doing, done: progress(doing, start + (end - start) * done)
