"""What cannot be done, said in one line, and the exit codes that go with it."""

from __future__ import annotations

from pathlib import Path

BAD_INPUT, OUR_FAULT, STOPPED, READER_GONE = 2, 70, 130, 141
"""Exit codes besides 0, and 1 where a check found something: `audit`, `verify`, `figures`, `trial-balance`, `fairness`,
`restore`, `drill`, `version` and `rules --coverage`. The last two are what a shell makes of Ctrl-C and of a reader who
has gone.
"""

_LONGEST_LINE = 400


class Wrong(Exception):
    """What the user asked for cannot be done; the message is one line for him."""

    code = BAD_INPUT


class Failed(Wrong):
    """The store failed while a house was being opened; nothing of what failed is there."""

    code = 1


class Stopped(Wrong):
    """The user pressed Ctrl-C; the message says what is there all the same."""

    code = STOPPED


def one_line(message: str) -> str:
    """A message without line breaks and control characters, cut to what a terminal can bear."""
    plain = "".join(map(_printed, (" ", *message), message))
    return plain if len(plain) <= _LONGEST_LINE else f"{plain[: _LONGEST_LINE - 1]}…"


def _printed(before: str, char: str) -> str:
    """A run of line breaks and the like is one space."""
    if char.isprintable():
        return char
    return " " if before.isprintable() else ""


def fault_in_words(fault: BaseException) -> str:
    """What went wrong in our own code, and where."""
    place = fault.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f" at {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
    return f"a fault of ours, please report it: {type(fault).__name__}{where}: {fault}"
