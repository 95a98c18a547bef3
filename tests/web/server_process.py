"""A server's process, forked from one that has loaded all modules: `croupier serve` starts in a third of the time."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from croupier.cli import run
from croupier.floor.live import floor
from croupier.rulebooks.documents.editions import GAMES
from tests.web.arranged import given

LATER = (
    *("croupier.cli.operations.serve", "croupier.floor.server.process.serve"),
    *(f"croupier.rulebooks.{game.replace('-', '_')}" for game in GAMES),
    *("anyio._backends._asyncio", "brotli", "litestar.plugins.attrs", "uvicorn.lifespan.on"),
)
"""What a server loads only when it starts."""
for _module in LATER:
    import_module(_module)


def start_server(arguments: Sequence[str], log: Path, decks: Path) -> BaseProcess:
    """Start `croupier` with these arguments; the decks are those of a file, where it holds any."""
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
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
    sys.exit(run(arguments))
