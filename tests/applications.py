"""Applications whose routes are built once: building them takes longer than most tests that ask one something."""

from __future__ import annotations

from unittest.mock import patch

from litestar import Litestar
from litestar.utils import ensure_async_callable

from croupier.floor.live.floor import Floor
from croupier.floor.people.passwords import COST
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.server import app
from croupier.floor.server.settings import Settings
from croupier.floor.server.telemetry.logs import RequestFigures

IDLE: list[Litestar] = []
"""Applications that no house uses now."""


def make_app(
    floor: Floor, settings: Settings, *, keys: Keys = NO_KEYS, cost: int = COST, requests: RequestFigures | None = None
) -> Litestar:
    """What the server's `make_app` makes, with the routes of an application that was used before.

    What belongs to one house lies in the application's state and hooks; the routes are those of every house.
    """
    with patch("croupier.floor.server.app.Litestar") as asked:
        app.make_app(floor, settings, keys=keys, cost=cost, requests=requests)
    given = asked.call_args.kwargs
    made = IDLE.pop() if IDLE else Litestar(**given)
    made.state, made.on_startup, made.on_shutdown = given["state"], given["on_startup"], given["on_shutdown"]
    made.before_send = [ensure_async_callable(hook) for hook in given["before_send"]]
    return made
