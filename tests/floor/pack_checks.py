"""The checks of a dispute pack, run by Node: `python -m tests.floor.pack_checks PAGE --changes 1000 --seed 1`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

import playwright

import croupier.floor.disputes
from croupier.floor.disputes.pack import CHECKS
from croupier.verify import Json

HERE = Path(__file__).parent


def node() -> Path:
    """The Node that comes with Playwright."""
    return Path(playwright.__file__).parent / "driver" / "node"


def judged(mode: str, *arguments: object) -> Iterator[Json]:
    """What the scripts of a pack say, one answer for each record or page."""
    assets = files(croupier.floor.disputes) / "assets"
    scripts = ":".join(str(assets / name) for name in CHECKS)
    command = [str(node()), str(HERE / "judging.js"), scripts, mode, *map(str, arguments)]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    yield from map(json.loads, said.stdout.splitlines())


def changes(page: Path, count: int, seed: int) -> Json:
    """How many pages with one letter of their data changed still hold."""
    (found,) = judged("changes", page, count, seed)
    return found


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Change one thing in a dispute pack, many times, and judge it.")
    parser.add_argument("page", type=Path)
    parser.add_argument("--changes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    (whole,) = judged("pages", asked.page)
    found = changes(asked.page, asked.changes, asked.seed)
    wrong = len(found["held"])
    sys.stdout.write(
        f"{asked.page}: {'holds' if whole['holds'] else 'does not hold'}. {found['changes']} changes: {wrong} still "
        f"hold; {found['bySealAlone']} are found by the seal alone.\n"
    )
    return 1 if wrong or not whole["holds"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
