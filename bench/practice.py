"""Measures how long a player waits for the coach: `python -m bench.practice [--rounds 20]`.

A house of its own with a table of each game. A player asks for the exact value of each choice at every decision of
every round, over HTTP as the page does; the clock runs from the question to the last byte of the answer. Before that
the house edge has been asked for, which loads the lab's kernels; no position comes twice.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import defaultdict
from http.client import HTTPConnection
from itertools import count
from pathlib import Path

import msgspec

from tests.web.house import GAMES, House, staffed

_IDS = count(1)


class Choice(msgspec.Struct):
    """A choice that the player has."""

    choice: str
    costs: str


class Position(msgspec.Struct):
    """A hand whose choices have been counted out."""

    board: int


class Said(msgspec.Struct):
    """What this bench reads of the server's answers."""

    csrf: str = ""
    accepted: bool = False
    state: str = ""
    choices: list[Choice] = []
    boxes: list[msgspec.Raw] = []


class Visitor:
    """Somebody with a session, on one connection that is kept."""

    def __init__(self, port: int, name: str | None = None) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=120)
        self._headers = {"content-type": "application/json"}
        if name is None:
            self.ask("POST", "/api/guest")
        else:
            self.ask("POST", "/api/login", {"name": name, "password": "croupier-demo"})
        self._headers["x-csrf"] = self.ask("GET", "/api/me").csrf

    def ask(self, method: str, path: str, body: object = None) -> Said:
        """Send a request and return the server's answer; keep the session's cookie."""
        self._connection.request(method, path, None if body is None else json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise SystemExit(f"{method} {path}: {text.decode()}")
        if cookie := answer.getheader("set-cookie"):
            self._headers["cookie"] = cookie.split(";")[0]
        return msgspec.json.decode(text, type=Said)

    def do(self, table: str, **command: object) -> None:
        """Send a command that must be accepted."""
        said = self.ask("POST", f"/api/tables/{table}/commands", {"id": f"bench-{next(_IDS)}", **command})
        assert said.accepted, (table, command)


def one_round(dealer: Visitor, player: Visitor, table: str) -> list[tuple[int, float]]:
    """Play a round; return for each decision the community cards in sight and the seconds that its values took."""
    taken = []
    dealer.do(table, do="open")
    player.do(table, do="bet", box=3, bet="ante", amount="25.00")
    dealer.do(table, do="close_bets")
    player.do(table, do="examine", box=3)
    while choices := player.ask("GET", f"/api/tables/{table}").choices:
        start = time.perf_counter()
        said = player.ask("GET", f"/api/tables/{table}/practice")
        seconds = time.perf_counter() - start
        taken.append((msgspec.json.decode(said.boxes[0], type=Position).board, seconds))
        player.do(table, do="decide", box=3, choice=max(choices, key=lambda c: float(c.costs)).choice)
    return taken


def main() -> None:
    """Print, game by game and by the number of community cards, what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    tables = "".join(staffed(name, game) for name, game in GAMES.items())
    with tempfile.TemporaryDirectory() as folder, House(Path(folder), tables) as house:
        for table, game in GAMES.items():
            player = Visitor(house.port)
            while player.ask("GET", f"/api/tables/{table}/edge").state != "ready":
                time.sleep(0.2)
            dealer = Visitor(house.port, "dealer")
            waited: dict[int, list[float]] = defaultdict(list)
            for _ in range(rounds):
                for board, seconds in one_round(dealer, player, table):
                    waited[board].append(seconds * 1000)
            for board, times in sorted(waited.items()):
                times.sort()
                print(
                    f"{game:<26} {board} community cards, {len(times):>3} positions: "
                    f"median {times[len(times) // 2]:5.1f} ms, longest {times[-1]:5.1f} ms"
                )


if __name__ == "__main__":
    main()
