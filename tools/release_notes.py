"""Print the part of the changelog about one release: `python tools/release_notes.py v0.1.0`."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class NoRelease(ValueError):
    """The tag does not fit the tree; one sentence."""


def version() -> str:
    """Return the version of the tree."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def notes(tag: str) -> str:
    """Return what the changelog says of the release with this tag; raises NoRelease."""
    ours = version()
    if tag != f"v{ours}":
        raise NoRelease(f"The tag {tag} is not that of this version, v{ours}.")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[?{re.escape(ours)}\]?.*?\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise NoRelease(f"CHANGELOG.md says nothing about {ours}.")
    return found[1].strip() + "\n"


def main(arguments: list[str]) -> int:
    """Print the notes."""
    if len(arguments) != 1:
        print("usage: python tools/release_notes.py TAG", file=sys.stderr)
        return 2
    try:
        print(notes(arguments[0]), end="")
    except NoRelease as wrong:
        print(f"release notes: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
