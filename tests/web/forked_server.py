"""What every server's process is forked from: all modules are loaded here, and an application is built."""

from __future__ import annotations

import gc
from importlib import import_module
from types import SimpleNamespace
from typing import cast

from croupier.floor.live.floor import Floor
from croupier.floor.server.settings import Settings
from croupier.rulebooks.documents.editions import GAMES
from tests import applications

LATER = (
    *("croupier.cli.operations.serve", "croupier.floor.server.process.serve"),
    *(f"croupier.rulebooks.{game.replace('-', '_')}" for game in GAMES),
    *("anyio._backends._asyncio", "brotli", "litestar.plugins.attrs", "uvicorn.lifespan.on"),
    "tests.web.server_process",
)
"""What a server loads only when it starts."""
NO_FLOOR = cast("Floor", SimpleNamespace(house=SimpleNamespace(store=SimpleNamespace(url=""))))

for _module in LATER:
    import_module(_module)
applications.IDLE.append(applications.make_app(NO_FLOOR, Settings()))
gc.collect()
gc.freeze()
