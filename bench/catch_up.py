"""How fast a follower of the feed catches up: `python -m bench.catch_up --events 1000000`."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from croupier.floor.feed.events import PAGE_MOST, START, Feed, FeedPage
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store_address import open_store
from croupier.testing.load import BusyFloor


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how fast a follower reads a long journal.")
    parser.add_argument("--events", type=int, default=1_000_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/house.db"
        _fill(url, Path(folder) / "house.db", asked.events)
        for what, take in (("read and encoded", _encoded), ("and read back", _read_back)):
            feed = Feed(lambda: open_store(url, create=False, read_only=True))
            began, busy = time.perf_counter(), time.process_time()
            events = _walk(feed, take)
            seconds, cpu = time.perf_counter() - began, time.process_time() - busy
            feed.close()
            print(
                f"{what:18} {events:>10,} events {events / seconds:>10,.0f} /s  {events / cpu:>10,.0f} /s of processor"
            )
    return 0


def _fill(url: str, file: Path, events: int) -> None:
    """Play some rounds, then repeat their records as tables of their own until there are enough."""
    store = SqliteStore(url)
    floor = BusyFloor(store)
    while len(store.feed(0, 5000)) < 5000:
        floor.house.process(floor.next_commands())
    store.close()
    db = sqlite3.connect(file)
    columns = "type, version, at, command, data, hash FROM records WHERE stream LIKE 'table/%'"
    (count,) = db.execute(f"SELECT count(*) FROM (SELECT {columns})").fetchone()  # noqa: S608  ours
    for number in range(events // count + 1):
        db.execute(f"INSERT INTO records SELECT 'table/copy{number}', row_number() OVER (), {columns} ", ())
        if number == 0:
            columns = columns.replace("'table/%'", "'table/copy0'")
    db.commit()
    db.close()


def _walk(feed: Feed, take: Callable[[FeedPage], object]) -> int:
    cursor, events = START, 0
    while True:
        page = feed.page(cursor, PAGE_MOST)
        take(page)
        events += len(page.events)
        if page.cursor == cursor:
            return events
        cursor = page.cursor


def _encoded(page: FeedPage) -> object:
    return msgspec.json.encode(page)


def _read_back(page: FeedPage) -> object:
    return json.loads(msgspec.json.encode(page))


if __name__ == "__main__":
    sys.exit(main())
