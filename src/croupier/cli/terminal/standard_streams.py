"""Standard output and error, which may be closed, full, or a terminal without suit symbols."""

from __future__ import annotations

import codecs
import os
import sys
from pathlib import Path
from typing import TextIO

_PLAIN = dict(zip("♣♦♥♠–—−·×“”’", 'cdhs----x""\'', strict=True)) | {"…": "...", "→": "->", "¶": ""}
"""What an old terminal shows instead: cards and headings as users type them."""

_HANDLER = "croupier.plain"


def make_ready() -> None:
    """Make printing safe: for characters that a terminal lacks, and for closed streams."""
    codecs.register_error(_HANDLER, _plain)
    sys.stdout, sys.stderr = _writable(sys.stdout), _writable(sys.stderr)


def _writable(stream: TextIO | None) -> TextIO:
    if stream is None:
        # It was closed on purpose.
        return Path(os.devnull).open("w", encoding="utf-8")
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=_HANDLER)
    return stream


def _plain(wrong: UnicodeError) -> tuple[str, int]:
    if not isinstance(wrong, UnicodeEncodeError):
        raise wrong
    return "".join(_PLAIN.get(char, "?") for char in wrong.object[wrong.start : wrong.end]), wrong.end


def say(line: str) -> None:
    """Write a line to standard error, if possible."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return
