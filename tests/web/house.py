"""A demonstration house for the browser: a real server process with a database of its own. Its clocks leave a slow
machine time to bet and to decide; whoever plays has the bets closed as soon as they lie (`playing.close_bets`).
"""

from __future__ import annotations

import json
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE
from tests.web.server_process import start_server

GAMES = {
    "Orchid": "rws-multilink-holdem",
    "Trishaw": "rws-multilink-three-card",
    "Marina": "mbs-megalink-holdem",
    "Merlion": "rws-progressive-holdem",
    "Baobab": "sun-casino-holdem",
}
LINK = """
[[links]]
name = "main"
meter = "184250.00"
reset = "50000.00"
contribution = "0.20"
reserve = "0.02"
"""
TABLE = """
[[tables]]
name = "{name}"
game = "{game}"
link = "main"
betting_seconds = 60
deciding_seconds = 75
pause_seconds = 6
"""


def patient(name: str, seconds: int = 3600) -> str:
    """A table whose players have an hour to decide, so that no clock ends what a test is about; or so many seconds, for
    a test that waits for that clock.
    """
    return TABLE.format(name=name, game=GAMES[name]).replace("deciding_seconds = 75", f"deciding_seconds = {seconds}")


def staffed(name: str, game: str = "rws-multilink-holdem", *, physical: bool = False) -> str:
    """A table that a dealer runs."""
    return f"""
[[tables]]
name = "{name}"
game = "{game}"
link = "main"
staffed = true
physical = {str(physical).lower()}
"""


STAFFED = staffed("Felt", physical=True) + staffed("Desk")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class House:
    """`croupier serve --demo` on a free port, to be started, killed and started again: the usual tables and chance, or
    those that a test names.
    """

    def __init__(
        self, folder: Path, tables: str | None = None, decks: Sequence[str] = (), database: str | None = None
    ) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.database = database or f"sqlite:///{folder / 'house.db'}"
        self._config, self._decks = folder / "house.toml", folder / "decks"
        if tables is None:
            tables = "".join(TABLE.format(name=name, game=game) for name, game in GAMES.items()) + STAFFED
        self._config.write_text(f'database = "{self.database}"\n{LINK}{tables}')
        self._decks.write_text("\n".join(decks))
        self._log = folder / "house.log"
        self._process: BaseProcess | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    def start(self) -> None:
        """Start it, and wait until it takes commands."""
        arguments = ["serve", "--demo", "--config", str(self._config), "--port", str(self.port)]
        self._process = start_server(arguments, self._log, self._decks)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{self.address}/ready", timeout=30):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.03)
        raise AssertionError(f"The server does not come up:\n{self._log.read_text()}")

    def lobby(self, table: str) -> dict[str, object]:
        """A table as everybody at the door sees it."""
        with urllib.request.urlopen(f"{self.address}/api/lobby", timeout=PATIENCE) as answer:
            said = json.load(answer)
        return next(line for line in said["tables"] if line["table"] == table)

    def kill(self) -> None:
        """Pull the plug."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
