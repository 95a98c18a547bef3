"""A running server whose disk is full: it stops by itself, says why in one line, and has lost nothing it answered."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.house.house import House
from croupier.floor.live.floor import os_chance
from croupier.journal.sqlite import SqliteStore
from tests.floor.played_house import Play
from tests.floor.server.test_client import free_port

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


@pytest.mark.parametrize("size", [60_000, 120_000, 180_000, 240_000])
def test_a_house_that_cannot_be_opened_for_want_of_room_is_one_line(tmp_path: Path, size: int) -> None:
    """Wherever in its first moments the disk is full: it is the disk's fault, and not called ours."""
    (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")
    command = [sys.executable, "-m", "croupier", "serve", "--config", str(tmp_path / "house.toml")]
    command += ["--database", f"sqlite:///{tmp_path / 'house.db'}", "--port", str(free_port())]
    with files_of_at_most(size):
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said, errors = server.communicate(timeout=600)
    finally:
        server.kill()
    assert server.returncode in (1, 2)
    last = (errors or said.splitlines()[-1]).strip()
    assert "\n" not in last
    assert "disk" in last
    assert "internal error" not in last


def test_an_export_that_does_not_fit_leaves_no_half_of_it(tmp_path: Path) -> None:
    """The name is free for the next try, on a disk with room."""
    url = f"sqlite:///{tmp_path / 'house.db'}"
    play = Play(SqliteStore(url), 38, rich=1.0)
    play.play(240)
    play.store.close()
    file = tmp_path / "round.json"
    command = [
        sys.executable,
        "-m",
        "croupier",
        "audit",
        "--database",
        url,
        "--export",
        str(file),
        "--rounds",
        "T1:1-3",
    ]
    with files_of_at_most(33_000):  # room for what SQLite itself needs to read
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"croupier: {file}: File too large.\n")
    assert not file.exists()
    assert subprocess.run(command, capture_output=True, timeout=600, check=False).returncode == 0
