"""A server's process, forked from one that has everything ready: `croupier serve` starts in a tenth of the time."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from unittest.mock import patch

from croupier.cli import run
from croupier.floor.live import floor
from tests.applications import make_app
from tests.web.arranged import given

READY = "tests.web.forked_server"
SERVE = "croupier.floor.server.process.serve"
CHEAP = 2**4
"""scrypt's cost here: many people log in, and all their passwords are public."""


def start_server(arguments: Sequence[str], log: Path, decks: Path) -> BaseProcess:
    """Start `croupier` with these arguments; the decks are those of a file, where it holds any."""
    context = get_context("forkserver")
    context.set_forkserver_preload([READY])
    process = context.Process(target=_serve, args=(list(arguments), log, decks, dict(os.environ)), daemon=True)
    process.start()
    return process


def _serve(arguments: Sequence[str], log: Path, decks: Path, environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    to = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(to, sys.stdout.fileno())
    os.dup2(to, sys.stderr.fileno())
    if decks.stat().st_size:
        floor.os_chance = lambda: given(decks)
    with patch(f"{SERVE}.make_app", make_app), patch(f"{SERVE}.PUBLIC_COST", CHEAP):
        code = run(arguments)
    sys.exit(code)
