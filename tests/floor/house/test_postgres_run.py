"""A private PostgreSQL for as long as a command runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.testing.postgres_run import main
from tests.patience import PATIENCE

OPENS_A_HOUSE = """
import os, sys
from croupier.journal.store_address import open_store
url = os.environ["CROUPIER_DATABASE"]
store = open_store(url)
print(url, store.is_shared, flush=True)
sys.stdin.readline()
sys.exit(7)
"""


def started() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "croupier.testing.postgres_run", sys.executable, "-c", OPENS_A_HOUSE]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def folder_in(line: str) -> Path:
    return Path(line.rpartition("host=")[2].split(maxsplit=1)[0].replace("%2F", "/"))


def test_a_command_runs_on_a_postgresql_of_its_own() -> None:
    """Its exit code is ours, and the server is gone with it; another terminal is told how to look into it."""
    with started() as trying:
        assert trying.stdout is not None
        line = trying.stdout.readline()
        assert line.startswith("postgresql://")
        assert line.rstrip().endswith("True")
        assert folder_in(line).exists()
        _, told = trying.communicate("\n")
    assert trying.returncode == 7
    assert f"export CROUPIER_DATABASE='{line.split()[0]}'" in told
    assert "keeps nothing" in told
    assert not folder_in(line).exists()


def test_who_ends_it_ends_both() -> None:
    """A supervisor's SIGTERM reaches the command, and the server goes with it."""
    with started() as trying:
        assert trying.stdout is not None
        line = trying.stdout.readline()
        os.kill(trying.pid, signal.SIGTERM)
        assert trying.wait(PATIENCE) == 128 + signal.SIGTERM
    assert not folder_in(line).exists()


def test_what_cannot_be_run_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """No command, and one that is not there."""
    assert main([]) == 2
    assert main(["/no/such/command"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "No such file" in said[1]
