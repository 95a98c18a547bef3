"""Errors as one line, and the exit codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

BAD_INPUT, INTERNAL_ERROR, STOPPED, READER_GONE = 2, 70, 130, 141
"""Exit codes besides 0, and 1 where a check found something: `audit`, `verify`, `figures`, `trial-balance`, `fairness`,
`restore`, `drill`, `version` and `rules --coverage`. The last two are a shell's codes for Ctrl-C and for a closed
pipe.
"""

_LONGEST_LINE = 400


class Wrong(Exception):
    """The command cannot do what the user asked; the message is one line."""

    code = BAD_INPUT


class Failed(Wrong):
    """The store failed while a house was being opened; nothing was written."""

    code = 1


class Stopped(Wrong):
    """The user pressed Ctrl-C; the message says what is done so far."""

    code = STOPPED


@contextmanager
def reported(*kinds: type[Exception]) -> Iterator[None]:
    """Report these errors of the packages below as one line."""
    try:
        yield
    except kinds as wrong:
        raise Wrong(str(wrong)) from None


def one_line(message: str) -> str:
    """Return a message without line breaks and control characters, shortened for a terminal."""
    # A run of line breaks and the like becomes one space.
    runs = groupby(message, key=str.isprintable)
    plain = "".join("".join(run) if is_printed else " " for is_printed, run in runs)
    return plain if len(plain) <= _LONGEST_LINE else f"{plain[: _LONGEST_LINE - 1]}…"


def fault_in_words(fault: BaseException) -> str:
    """Describe an internal error, and where it happened."""
    place = fault.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f" at {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
    return f"internal error, please report it: {type(fault).__name__}{where}: {fault}"
