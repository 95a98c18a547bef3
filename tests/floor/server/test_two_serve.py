"""Two `croupier serve` on one PostgreSQL: tables of both on one link; either is killed, and the other plays on."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.house.house import House
from croupier.floor.live.floor import os_chance
from croupier.floor.records.codec import link_fact, table_fact
from croupier.floor.records.streams import link_stream, table_stream
from croupier.jackpots.events import CasePaid
from croupier.journal.store import Store
from croupier.rounds.events import AwardClaimed
from croupier.rulebooks.documents.editions import GAMES
from croupier.testing.award_order import order_at
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.house_builder import checked_books
from tests.floor.server.test_client import free_port
from tests.patience import PATIENCE
from tests.stores import PostgresPlace

ROOT = Path(__file__).parents[3]

"""Seconds that anything may take on a busy machine."""


def config(folder: Path, name: str, tables: dict[str, str]) -> Path:
    """A server's settings: its own tables, and the link that both have."""
    path = folder / f"{name}.toml"
    path.write_text(
        f'demo = true\nname = "{name}"\n[[links]]\nname = "main"\nmeter = "50000.00"\nreset = "10000.00"\n'
        'contribution = "0.20"\nreserve = "0.02"\n'
        + "".join(
            f'[[tables]]\nname = "{table}"\ngame = "{game}"\nlink = "main"\nbetting_seconds = 1\n'
            "deciding_seconds = 1\npause_seconds = 1\n"
            for table, game in tables.items()
        )
    )
    return path


class Serving:
    """One server process, and how to start it again."""

    def __init__(self, folder: Path, name: str, tables: dict[str, str], url: str) -> None:
        self.tables = list(tables)
        self._errors = folder / f"{name}.errors"
        path = config(folder, name, tables)
        self._command = [
            sys.executable, "-m", "tests.floor.rich_serve", "serve", "--config", str(path), "--database", url,
            "--port", str(free_port()),
        ]  # fmt: skip
        self.start()

    def start(self) -> None:
        with self._errors.open("ab") as errors:
            self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=errors, cwd=ROOT)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def said(self) -> str:
        return self._errors.read_text()


def rounds(store: Store, tables: list[str]) -> dict[str, int]:
    """How many rounds each table has begun, by what lies on disk."""
    return {table: sum(record.type == "RoundOpened" for record in store.read(table_stream(table))) for table in tables}


def until(holds: Callable[[], bool], servers: list[Serving], what: str) -> None:
    """Wait for something, as long as the servers that should be alive are."""
    for _ in range(4 * int(PATIENCE)):
        if holds():
            return
        for server in servers:
            assert server.process.poll() is None, server.said()
        time.sleep(0.25)
    raise AssertionError(f"{what}: {[server.said()[-2000:] for server in servers]}")


def awards(store: Store) -> int:
    return sum(record.type == "CasePaid" for record in store.read(link_stream("main")))


@pytest.fixture
def place(postgres: PrivatePostgres) -> PostgresPlace:
    return PostgresPlace(postgres)


def test_either_server_is_killed_and_the_other_plays_on(tmp_path: Path, place: PostgresPlace) -> None:
    """Started at the same moment on an empty database; each killed once in the middle and started again. At the end the
    audit finds nothing, every award was paid once, in the order of the rulebooks, and handed over to the cent.
    """
    place.open().close()
    names = [
        {f"{side}{number}": game for number, game in enumerate((GAMES[0], GAMES[2], GAMES[3]), 1)} for side in "AB"
    ]
    servers = [Serving(tmp_path, f"server{n}", tables, place.url) for n, tables in enumerate(names)]
    store = place.open(read_only=True)
    try:
        everybody = [table for server in servers for table in server.tables]
        until(lambda: min(rounds(store, everybody).values()) >= 2, servers, "every table plays")
        until(lambda: awards(store) >= 2, servers, "awards are paid")
        for victim, other in (servers, servers[::-1]):
            victim.kill()
            theirs, ours = rounds(store, other.tables), rounds(store, victim.tables)
            goes_on(store, other, theirs, [other])
            assert rounds(store, victim.tables) == ours
            victim.start()
            goes_on(store, victim, ours, servers)
        for server in servers:
            server.process.terminate()
        for server in servers:
            assert server.process.wait(PATIENCE) == 0, server.said()
            assert "Traceback" not in server.said()
        report = audit(store)
        assert report.differences == ()
        checked_books(store)
        paid_once_in_order(store)
    finally:
        for server in servers:
            server.process.kill()
            server.process.wait()
        store.close()


def goes_on(store: Store, server: Serving, before: dict[str, int], alive: list[Serving]) -> None:
    """Every table of this server has begun two more rounds."""
    more = {table: number + 2 for table, number in before.items()}
    until(
        lambda: all(number >= more[table] for table, number in rounds(store, server.tables).items()),
        alive,
        f"the tables {', '.join(server.tables)} play on",
    )


def paid_once_in_order(store: Store) -> None:
    """Every claim on the link was locked and paid once and in its turn, for the Round that had claimed it."""
    house = House(store, os_chance(), runs=lambda _: False)
    order = order_at(house)
    paid: Counter[tuple[str, int, int]] = Counter()
    for record in store.read(link_stream("main")):
        fact = link_fact(record)
        order.follow(fact)
        if isinstance(fact, CasePaid):
            paid[fact.table, fact.round, fact.line.box] += 1
    claimed: set[tuple[str, int, int]] = set()
    for table in house.tables:
        for record in store.read(table_stream(table)):
            fact_there = table_fact(record)
            if isinstance(fact_there, AwardClaimed):
                claimed.add((table, fact_there.round, fact_there.box))
    assert order.wrong == []
    assert paid
    assert set(paid.values()) == {1}
    assert set(paid) <= claimed
