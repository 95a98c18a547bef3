"""Standard output and error as they are found: closed, full, or of a terminal that knows no suits."""

from __future__ import annotations

import codecs
import os
import sys
from pathlib import Path
from typing import TextIO

_PLAIN = {
    "♣": "c",
    "♦": "d",
    "♥": "h",
    "♠": "s",
    "–": "-",
    "—": "-",
    "−": "-",
    "·": "-",
    "×": "x",
    "“": '"',
    "”": '"',
    "’": "'",
    "…": "...",
    "→": "->",
    "¶": "",
}
"""What an old terminal shows instead: a card as people type it, a heading as it may be asked for."""

_HANDLER = "croupier.plain"


def make_ready() -> None:
    """Nothing that is printed fails for its characters, nor for a stream that was closed before we came."""
    codecs.register_error(_HANDLER, _plain)
    sys.stdout, sys.stderr = _writable(sys.stdout), _writable(sys.stderr)


def _writable(stream: TextIO | None) -> TextIO:
    if stream is None:
        # Whoever closed it wants nothing to be said there.
        return Path(os.devnull).open("w", encoding="utf-8")
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=_HANDLER)
    return stream


def _plain(wrong: UnicodeError) -> tuple[str, int]:
    if not isinstance(wrong, UnicodeEncodeError):
        raise wrong
    return "".join(_PLAIN.get(char, "?") for char in wrong.object[wrong.start : wrong.end]), wrong.end


def say(line: str) -> None:
    """A line on standard error; where that takes nothing either, the exit code has to do."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return
