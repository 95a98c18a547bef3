"""What a server prints when it has started: every address, for people and for programs."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import quote

import msgspec

from croupier.floor.server.settings import Settings


class LogIns(msgspec.Struct, frozen=True):
    """Who can log in, with which password; said only where the server has made them itself."""

    names: tuple[str, ...]
    password: str


class Started(msgspec.Struct, frozen=True, omit_defaults=True):
    """A server that listens."""

    address: str
    """Also the page of the tables to play at."""
    pit: str
    rounds: str
    audit: str
    rules: str
    api: str
    live: str
    health: str
    ready: str
    metrics: str
    dealers: dict[str, str] = {}
    """The console of each staffed table."""
    displays: dict[str, str] = {}
    """The jackpot display of each link."""
    demo: LogIns | None = None
    first: LogIns | None = None
    """On the first start: the administrator."""
    client_built: bool = True
    network: str = ""
    """Where a phone in the same network finds the tables; only of a server that listens everywhere."""


def started(settings: Settings, *, demo: LogIns | None, first: LogIns | None, client_built: bool) -> Started:
    """Collect the addresses of a server with these settings."""
    # A server that listens everywhere is reached at its own address, too.
    everywhere = settings.host in ("0.0.0.0", "::", "")  # noqa: S104  said, not bound
    host = "127.0.0.1" if everywhere else settings.host
    outside = _own_address() if everywhere else ""
    address = f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
    staffed = [table.table for table in settings.tables if table.config.staffed]
    return Started(
        address=f"{address}/",
        pit=f"{address}/#/pit",
        rounds=f"{address}/#/rounds",
        audit=f"{address}/#/audit",
        rules=f"{address}/#/rules",
        api=f"{address}/api/schema",
        live=f"{address.replace('http', 'ws', 1)}/api/live",
        health=f"{address}/health",
        ready=f"{address}/ready",
        metrics=f"{address}/metrics",
        dealers={table: f"{address}/#/dealer/{quote(table)}" for table in staffed},
        displays={link.link: f"{address}/#/display/{quote(link.link)}" for link in settings.links},
        demo=demo,
        first=first,
        client_built=client_built,
        network=f"http://{outside}:{settings.port}/" if outside else "",
    )


def _own_address() -> str:
    """Return this machine's address in its network; an empty text where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only chooses the way, to an address that is kept for examples.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def in_words(start: Started) -> Iterator[str]:
    """Yield the lines that a person reads at the start."""
    if start.first is not None:
        yield f"First start: log in as {', '.join(start.first.names)} with the password {start.first.password}"
    yield f"Croupier runs at {start.address.removesuffix('/')}"
    if start.demo is not None:
        *names, last = start.demo.names
        people = f"{', '.join(names)} or {last}"
        yield f"  Demonstration house: log in as {people} with the password {start.demo.password}, or as a guest."
    if not start.client_built:
        yield "  The browser client is not built, so its pages are not there: run python web/build.py, and start again."
    yield f"  Tables to play   {start.address}"
    if start.network:
        yield f"  From a phone     {start.network}"
    for table, page in start.dealers.items():
        yield f"  Dealer at {table:<6} {page}"
    yield f"  Pit              {start.pit}   rounds {start.rounds}   audit {start.audit}"
    for page in start.displays.values():
        yield f"  Jackpot display  {page}"
    yield f"  Rules            {start.rules}"
    yield f"  API description  {start.api}   live play {start.live}"
    yield f"  Health           {start.health}   readiness {start.ready}   metrics {start.metrics}"
    yield "  Stop with Ctrl-C."
