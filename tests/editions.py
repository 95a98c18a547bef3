"""Rulebooks from outside, installed for one test and forgotten after it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.rulebooks.documents.editions import Edition, uninstall
from croupier.rulebooks.documents.folders import install

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "rulebooks"
MBS_10 = EXAMPLES / "mbs-megalink-holdem-10"
HARBOUR = "harbour-stud"
HARBOUR_1 = EXAMPLES / f"{HARBOUR}-1"


@contextmanager
def installed(folder: Path) -> Iterator[Edition]:
    """The edition of this folder, while the block runs."""
    (found,) = install(folder)
    try:
        yield found
    finally:
        uninstall(found.name)


def copied(folder: Path, to: Path, *changes: tuple[str, str, str]) -> Path:
    """A copy of a rulebook folder with texts of its files replaced: file, before, after."""
    shutil.copytree(folder, to)
    for name, before, after in changes:
        text = (to / name).read_text(encoding="utf-8")
        assert before in text
        (to / name).write_text(text.replace(before, after), encoding="utf-8")
    return to
