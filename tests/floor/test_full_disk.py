"""A running server whose disk is full: it stops by itself, says why in one line, and has lost nothing it answered."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.floor.audit import audit
from croupier.floor.house import House
from croupier.floor.running import os_chance
from croupier.journal.sqlite import SqliteStore
from tests.floor.test_client import free_port

HOUSE = """
demo = true
[[tables]]
name = "T1"
game = "sun-casino-holdem"
betting_seconds = 1
deciding_seconds = 1
pause_seconds = 1
"""


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Whatever is started meanwhile is refused by the operating system when it writes a file beyond this size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_server_whose_disk_is_full_stops_with_one_line_and_loses_nothing(tmp_path: Path) -> None:
    """Bots play until the file cannot grow; with room again, the house goes on from its last answer."""
    (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")
    url = f"sqlite:///{tmp_path / 'house.db'}"
    command = [sys.executable, "-m", "croupier", "serve", "--config", str(tmp_path / "house.toml")]
    command += ["--database", url, "--port", str(free_port())]
    with files_of_at_most(1_500_000):
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said, errors = server.communicate(timeout=600)
    finally:
        server.kill()
    assert server.returncode == 1
    last = said.splitlines()[-1]
    assert last.startswith(f"The server stopped: {url}: ")
    assert "so the server stops: disk I/O error" in last or "database or disk is full" in last
    assert errors == ""
    store = SqliteStore(url)
    assert audit(store).is_clean
    assert House(store, os_chance()).tables["T1"].round.number > 0
    store.close()
