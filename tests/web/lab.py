"""The lab made ready: its machine code compiled and kept before a page waits for it."""

from __future__ import annotations

import subprocess
import sys

import msgspec

from croupier.floor.records.commands import TableConfig
from croupier.floor.server.workers.advice import Question, Told
from tests.patience import COMPILING


def warmed(*games: str) -> list[Told]:
    """What the coach's own process says of these games; when it has, everything it needs is on the disk."""
    asked = b"".join(msgspec.json.encode(Question(config=TableConfig(game=game))) + b"\n" for game in games)
    command = [sys.executable, "-m", "croupier.floor.server.workers.advice"]
    done = subprocess.run(command, input=asked, capture_output=True, check=True, timeout=COMPILING)
    return [msgspec.json.decode(line, type=Told) for line in done.stdout.splitlines()]
