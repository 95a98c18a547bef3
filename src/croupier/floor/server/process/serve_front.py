"""A front: one process that serves people for a house in another one."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path

from croupier.floor.fronts.front import Front
from croupier.floor.records.keys import load_keys
from croupier.floor.server.front_app import make_front_app
from croupier.floor.server.http_limits import HeadAsGet, PromptRequests, listening_config, room_for_connections
from croupier.floor.server.process.http_server import HttpServer, collect_seldom
from croupier.floor.server.relay import HouseRelay
from croupier.floor.server.settings import Settings
from croupier.floor.server.telemetry.logs import Logged, RequestFigures, set_up_logs
from croupier.journal.store_address import open_store


async def serve_front(
    settings: Settings, listening: socket.socket, door: Path, closing: asyncio.Event, opened: Callable[[], object]
) -> int:
    """Serve people until it is to close, once the house has told everything; return the exit code.

    `door` is the Unix socket of the house; `opened` is called when people are served.
    """
    set_up_logs(json_wanted=settings.log_json)
    open_reader = partial(open_store, settings.database, create=False, read_only=True)
    front = Front(settings.name, door, open_reader)
    following = asyncio.create_task(front.follow(), name="follow the house")
    ends = asyncio.create_task(closing.wait())
    meets = asyncio.create_task(front.met.wait())
    try:
        await asyncio.wait((ends, meets), return_when=asyncio.FIRST_COMPLETED)
        if not closing.is_set():
            opened()
            await _serve(front, settings, listening, ends)
    finally:
        for task in (following, ends, meets):
            task.cancel()
        await asyncio.gather(following, ends, meets, return_exceptions=True)
        front.stop()
    return 0


async def _serve(front: Front, settings: Settings, listening: socket.socket, ends: asyncio.Task[bool]) -> None:
    # The house has made its keys by now; with them a player who comes back sees the cards of their own looks.
    front.house.keys = load_keys(settings.database, key=os.environ.get("CROUPIER_KEY", ""), key_file=settings.key_file)
    PromptRequests.room = room_for_connections()
    open_reader = partial(open_store, settings.database, create=False, read_only=True)
    served = Logged(HeadAsGet(make_front_app(front, settings, open_reader)), RequestFigures())
    server = HttpServer(listening_config(HouseRelay(served, front), settings.trusted_proxies))
    ends.add_done_callback(lambda _: server.leave())
    collect_seldom()
    await server.serve(sockets=[listening])
