"""Killed again and again: nothing answered is lost, done twice or made up (docs/measurements.md has the long runs)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping

from tests.effort import effort


def tortured(*arguments: str) -> tuple[int, Mapping[str, int], str]:
    command = [sys.executable, "-m", "croupier.testing.crash_test", "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    return done.returncode, json.loads(done.stdout), done.stderr


KILLS = effort(60)


def test_many_kills_of_a_server_on_sqlite() -> None:
    """SIGKILL at random moments under load of all five games; the driver's own log of answers is the oracle."""
    code, report, said = tortured("--kills", str(KILLS), "--seed", "11", "--audit-every", str(KILLS // 2))
    assert code == 0, said
    assert (report["kills"], report["lost"], report["doubled"], report["invented_cents"]) == (KILLS, 0, 0, 0)
    assert report["differences"] == 0
    assert report["commands"] > 10 * KILLS
    assert report["were_done"] > KILLS // 10
    assert report["asked_again"] > report["commands"]


def test_a_few_immediate_stops_of_postgresql() -> None:
    """The database itself goes at once; the server stops, and both come back to the last answer."""
    code, report, said = tortured("--kills", "6", "--seed", "12", "--postgres", "--audit-every", "6")
    assert code == 0, said
    assert (report["kills"], report["lost"], report["doubled"], report["invented_cents"]) == (6, 0, 0, 0)
    assert report["differences"] == 0
    assert report["commands"] > 50
