"""Kill a server and a follower of its feed again and again, and hold what the follower has against the journal.

The follower keeps events and cursor in one transaction of a file of its own, as docs/feed.md advises. In the end it has
every event of the journal once, in the order of each stream.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException
from pathlib import Path

from croupier.floor.feed.event_names import event_name
from croupier.floor.feed.events import START
from croupier.floor.people.passwords import PUBLIC_PASSWORD
from croupier.journal.store_address import open_store
from croupier.testing.crowd import seeded
from croupier.testing.private_postgres import PrivatePostgres

_PATIENCE = 120.0
"""Seconds that a start, or the last catching up, may take."""


# ---------------------------------------------------------------- the follower


def follow(address: str, file: Path) -> None:
    """Follow the feed into a file until killed."""
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("CREATE TABLE IF NOT EXISTS taken (stream TEXT NOT NULL, seq INTEGER NOT NULL)")
    db.execute("CREATE TABLE IF NOT EXISTS place (only INTEGER PRIMARY KEY CHECK (only = 1), cursor TEXT NOT NULL)")
    db.execute("INSERT OR IGNORE INTO place VALUES (1, ?)", (START,))
    token = ""
    while True:
        try:
            token = token or str(
                _asked(address, "/api/login", "", {"name": "auditor", "password": PUBLIC_PASSWORD})["token"]
            )
            (cursor,) = db.execute("SELECT cursor FROM place").fetchone()
            page = _asked(address, f"/api/feed?wait=5&limit=200&cursor={cursor}", token)
        except urllib.error.HTTPError as wrong:
            token = "" if wrong.code == 401 else token
            time.sleep(0.1)
            continue
        except (OSError, HTTPException, ValueError):
            time.sleep(0.1)  # the server is away
            continue
        events = page["events"]
        assert isinstance(events, list)
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO taken VALUES (?, ?)", [(event["stream"], event["seq"]) for event in events])
        db.execute("UPDATE place SET cursor = ?", (page["cursor"],))
        db.execute("COMMIT")


def _asked(address: str, path: str, token: str, body: object = None) -> dict[str, object]:
    asked = urllib.request.Request(f"http://{address}{path}", None if body is None else json.dumps(body).encode())
    asked.add_header("Content-Type", "application/json")
    if token:
        asked.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(asked, timeout=20) as answer:  # noqa: S310  as above
        found: dict[str, object] = json.load(answer)
        return found


# ---------------------------------------------------------------- the rig


class Restless(threading.Thread):
    """A pit supervisor who opens one dispute after another, as fast as the house answers, whatever the tables do."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._address = address
        self.stopped = threading.Event()

    def run(self) -> None:
        token, table = "", ""
        while not self.stopped.is_set():
            try:
                if not token:
                    body = {"name": "supervisor", "password": PUBLIC_PASSWORD}
                    token = str(_asked(self._address, "/api/login", "", body)["token"])
                    shown = _asked(self._address, "/api/lobby", "")["tables"]
                    assert isinstance(shown, list)
                    table = str(next(each["table"] for each in shown if each["round"]))
                asked = {"id": secrets.token_hex(8), "table": table, "round": 1, "words": "Is this told once?"}
                _asked(self._address, "/api/disputes", token, asked)
            except urllib.error.HTTPError as wrong:
                token = "" if wrong.code == 401 else token
                time.sleep(0.05)
            except (OSError, HTTPException, ValueError, StopIteration):
                token = ""  # the server is away, or no table has begun yet
                time.sleep(0.05)


class Rig:
    """A served demonstration house with bots, and its follower, both killed at random moments."""

    def __init__(self, url: str, folder: Path, seed: int) -> None:
        self._url, self._folder, self._random = url, folder, seeded(seed)
        self._port = _free_port()
        self.address = f"127.0.0.1:{self._port}"
        self.taken = folder / "taken.db"
        self._server = self._serve()
        self._follower = self._follow()
        self.restless = Restless(self.address)
        self.restless.start()

    def _serve(self) -> subprocess.Popen[bytes]:
        log = (self._folder / "server.log").open("ab")
        options = ["--demo", "--port", str(self._port), "--database", self._url]
        command = [sys.executable, "-m", "croupier", "serve", *options]
        server = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)  # noqa: S603  ours
        log.close()
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"http://{self.address}/ready", timeout=2):
                    return server
            except (OSError, HTTPException):
                time.sleep(0.05)
        raise TimeoutError("the server does not start")

    def _follow(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "croupier.testing.feed_test", "--follow", self.address, str(self.taken)]
        return subprocess.Popen(command, start_new_session=True)  # noqa: S603  ours

    def kill(self) -> str:
        """Kill one of the two, or both, and start it again."""
        time.sleep(self._random.random())
        which = self._random.choice(("server", "follower", "both"))
        for process in ([self._server] if which != "follower" else []) + (
            [self._follower] if which != "server" else []
        ):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if which != "server":
            self._follower = self._follow()
        if which != "follower":
            self._server = self._serve()
        return which

    def end(self) -> tuple[int, int, int]:
        """Stop the house, let the follower catch up, and count what it has, lacks and has twice."""
        self.restless.stopped.set()
        os.killpg(self._server.pid, signal.SIGSTOP)  # nothing more is played while it is counted what there is
        wanted = self._wanted()
        os.killpg(self._server.pid, signal.SIGCONT)
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until and wanted - set(self._has()):
            time.sleep(0.2)
        for process in (self._server, self._follower):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        has = self._has()
        every = self._wanted()
        strange = set(has) - every
        ordered = all(seqs == sorted(seqs) for seqs in _by_stream(has).values())
        return len(has), len(wanted - set(has)) + len(strange) + (not ordered), len(has) - len(set(has))

    def _wanted(self) -> set[tuple[str, int]]:
        store = open_store(self._url, create=False, read_only=True)
        try:
            rows = store.rows("records")
            return {(str(r[0]), int(str(r[1]))) for r in rows if event_name(str(r[0]), str(r[2])) is not None}
        finally:
            store.close()

    def _has(self) -> list[tuple[str, int]]:
        db = sqlite3.connect(self.taken, timeout=10)
        try:
            return list(db.execute("SELECT stream, seq FROM taken ORDER BY rowid"))
        finally:
            db.close()


def _by_stream(taken: Sequence[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for stream, seq in taken:
        found.setdefault(stream, []).append(seq)
    return found


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def run(url: str, folder: Path, kills: int, seed: int, say: Callable[[str], object]) -> int:
    """Kill that many times and report; 1 where an event was lost or doubled."""
    began, counts = time.monotonic(), {"server": 0, "follower": 0, "both": 0}
    rig = Rig(url, folder, seed)
    for _ in range(kills):
        counts[rig.kill()] += 1
    has, lost, doubled = rig.end()
    say(
        f"{kills} kills ({', '.join(f'{count} {what}' for what, count in counts.items())}) in "
        f"{time.monotonic() - began:.0f} s: {has} events taken, {lost} lost, {doubled} doubled.\n"
    )
    return 1 if lost or doubled else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Kill a server and a follower of its feed; nothing is lost or doubled."
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="On a private PostgreSQL instead of SQLite.")
    parser.add_argument("--follow", nargs=2, metavar=("ADDRESS", "FILE"), help="Be the follower.")
    asked = parser.parse_args(arguments)
    if asked.follow:
        follow(asked.follow[0], Path(asked.follow[1]))
    with tempfile.TemporaryDirectory(prefix="croupier-feed-") as folder:
        if not asked.postgres:
            return run(f"sqlite:///{folder}/house.db", Path(folder), asked.kills, asked.seed, sys.stdout.write)
        with PrivatePostgres() as postgres:
            return run(postgres.url(), Path(folder), asked.kills, asked.seed, sys.stdout.write)


if __name__ == "__main__":
    sys.exit(main())
