"""A house and its fronts as processes: what ends is started again, and nothing that was answered is lost."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx

from tests.effort import effort
from tests.floor.house_builder import eventually
from tests.patience import PATIENCE

KILLS = effort(6)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_house_and_fronts_are_killed_and_nothing_is_lost() -> None:
    """Clients come back and send again with the same ids; docs/measurements.md has the long runs."""
    command = [
        sys.executable, "-m", "croupier.testing.front_test", "--json",
        "--kills", str(KILLS), "--tables", "2", "--seed", "5",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    report = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert report["house_kills"] + report["front_kills"] + report["both_kills"] == KILLS
    assert report["commands"] >= report["asked_once_more"] > KILLS
    assert (report["lost"], report["doubled"], report["changed"], report["uncommitted"]) == (0, 0, 0, 0)
    assert report["differences"] == 0
    assert report["views"]


def test_processes_end_with_their_supervisor(tmp_path: Path) -> None:
    """However it ends: neither a house nor a front is left behind, and the database is free."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        serving = subprocess.Popen(
            [sys.executable, "-m", "croupier", "serve", "--demo", "--fronts", "1", "--port", str(port)],
            cwd=tmp_path, env={**os.environ, "TMPDIR": folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        with serving, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, verify=False) as client:
            assert eventually(lambda: _status(client, "/ready") == 200)
            children = [
                int(pid) for pid in Path(f"/proc/{serving.pid}/task/{serving.pid}/children").read_text().split()
            ]
            assert len(children) == 2
            serving.send_signal(signal.SIGKILL)
            serving.wait(PATIENCE)
            assert eventually(lambda: not any(map(is_running, children)))


def _status(client: httpx.Client, path: str) -> int:
    try:
        return client.get(path).status_code
    except httpx.TransportError:
        return 0


def test_a_house_that_cannot_be_opened_ends_the_supervisor(tmp_path: Path) -> None:
    """One line with the reason, and the exit code of a wrong setting."""
    (tmp_path / "notes.db").write_text("These are notes, not a database. " * 50)
    done = subprocess.run(
        [
            sys.executable, "-m", "croupier", "serve", "--database", "sqlite:///notes.db",
            "--fronts", "2", "--port", str(free_port()),
        ],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("croupier: ")
    assert "notes.db" in done.stderr
    assert len(done.stderr.splitlines()) == 1
