"""What cannot be done, said in one line, and the exit codes that go with it."""

from __future__ import annotations

from pathlib import Path

BAD_INPUT, OUR_FAULT, STOPPED = 2, 70, 130
"""Exit codes besides 0, and 1 for `rules --coverage` that found something missing."""

_LONGEST_LINE = 400


class Wrong(Exception):
    """What the user asked for cannot be done; the message is one line for him."""

    code = BAD_INPUT


class Stopped(Wrong):
    """The user pressed Ctrl-C; the message says what is there all the same."""

    code = STOPPED


def one_line(message: str) -> str:
    """A message without line breaks and control characters, cut to what a terminal can bear."""
    plain = "".join(char if char.isprintable() else " " for char in message)
    return plain if len(plain) <= _LONGEST_LINE else f"{plain[: _LONGEST_LINE - 1]}…"


def fault_in_words(fault: BaseException) -> str:
    """What went wrong in our own code, and where."""
    place = fault.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f" at {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
    return f"a fault of ours, please report it: {type(fault).__name__}{where}: {fault}"
