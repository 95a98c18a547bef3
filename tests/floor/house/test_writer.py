"""The writer and what it shows: nobody waits for ever, and nobody is shown or known by what is not on disk."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.house.writer import LONGEST_SHARE, HouseStopped, Reply, Writer
from croupier.floor.records.commands import BuyIn, EnrolPerson, Request
from croupier.journal.store import Batch, Head, Store, StoreConflict
from tests.floor.house_builder import do, house, open_link, open_table
from tests.patience import PATIENCE
from tests.stores import SqlitePlace


def buy_in(number: int) -> Request:
    return Request(f"buy-{number}", BuyIn(player="ana", amount=1000), 1_700_000_000_000_000)


def a_house(folder: Path) -> House:
    floor = house(SqlitePlace(folder).open())
    open_link(floor)
    open_table(floor, "T1")
    do(floor, EnrolPerson(name="mia", post=Post.DEALER, secret="x"))
    return floor


def test_whoever_cannot_be_told_of_a_commit_stops_the_house(tmp_path: Path) -> None:
    """Answers that are not delivered are not passed over: the server hears why, and takes nothing more."""
    floor, failures = a_house(tmp_path), queue.SimpleQueue[BaseException]()

    def lost(_: Sequence[Reply]) -> None:
        raise RuntimeError("nobody there")

    writer = Writer(floor, deliver=lost, failed=failures.put)
    writer.submit(buy_in(1))
    assert str(failures.get(timeout=PATIENCE)) == "nobody there"
    with pytest.raises(HouseStopped, match="nobody there"):
        writer.submit(buy_in(2))
    floor.store.close()


def test_a_lone_command_waits_for_no_other_and_a_busy_house_gathers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After commands that came together, fewer wait once, at most as long as the last commit took."""
    floor, waits = a_house(tmp_path), list[float]()
    written, hold, gate = floor.store.write, threading.Event(), threading.Event()

    def write(batch: Batch) -> None:
        hold.set()
        assert gate.wait(PATIENCE)
        written(batch)

    class Ending(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            assert timeout is not None
            waits.append(timeout)
            return self.is_set()

    writer = Writer(floor)
    monkeypatch.setattr(writer, "_ending", Ending())
    writer.submit(buy_in(1)).result(timeout=PATIENCE)
    writer.submit(buy_in(2)).result(timeout=PATIENCE)
    assert waits == []
    monkeypatch.setattr(floor.store, "write", write)
    first = writer.submit(buy_in(3))
    assert hold.wait(PATIENCE)
    later = [writer.submit(buy_in(number)) for number in (4, 5, 6)]
    gate.set()
    for answer in (first, *later):
        assert answer.result(timeout=PATIENCE).accepted
    assert waits == []
    writer.submit(buy_in(7)).result(timeout=PATIENCE)
    assert len(waits) == 1
    assert 0 <= waits[0] <= LONGEST_SHARE
    writer.close()
    floor.store.close()


def test_a_command_that_comes_as_the_house_closes_is_turned_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between asking whether the house is open and standing in the queue it may have closed."""
    floor = a_house(tmp_path)
    writer = Writer(floor)
    waiting: queue.SimpleQueue[object] = writer.__dict__["_queue"]

    class Slow:
        """A queue in which one stands only after everybody has gone home."""

        def put(self, item: object) -> None:
            closing.start()
            closing.join(PATIENCE)
            waiting.put(item)

        def get_nowait(self) -> object:
            return waiting.get_nowait()

    def close() -> None:
        waiting.put(None)
        writer.__dict__["_thread"].join(PATIENCE)

    closing = threading.Thread(target=close)
    monkeypatch.setattr(writer, "_queue", Slow())
    with pytest.raises(HouseStopped, match="closed"):
        writer.submit(buy_in(1)).result(timeout=PATIENCE)
    floor.store.close()


def test_people_and_chains_are_known_as_they_are_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody whose enrolment is being written is nobody yet, and no chain is said to be longer than it is."""
    floor = a_house(tmp_path)
    write, met = floor.store.write, list[tuple[set[str], Head, Head]]()

    def watched(batch: Batch) -> None:
        met.append((set(floor.shown_people.persons), floor.shown_heads["people"], floor.store.head("people")))
        write(batch)

    monkeypatch.setattr(floor.store, "write", watched)
    do(floor, EnrolPerson(name="noa", post=Post.DEALER, secret="x"))
    ((known, shown, on_disk),) = met
    assert known == {"mia"}
    assert shown == on_disk
    assert set(floor.shown_people.persons) == {"mia", "noa"}
    assert floor.shown_heads == floor.heads
    floor.store.close()


def test_while_everything_is_read_anew_people_and_tables_stay_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server was first: nobody is signed out and no table is missing while this one reads what it did."""
    floor = a_house(tmp_path)
    known: list[tuple[set[str], set[str]]] = []
    _first_conflicts(floor.store, monkeypatch)
    snapshot = floor.store.snapshot

    def looked(stream: str) -> object:
        known.append((set(floor.shown_people.persons), set(floor.shown)))
        return snapshot(stream)

    monkeypatch.setattr(floor.store, "snapshot", looked)
    do(floor, BuyIn(player="ana", amount=1000))
    assert known
    assert all(seen == ({"mia"}, {"T1"}) for seen in known)
    floor.store.close()


def _first_conflicts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write, tries = store.write, iter((True,))

    def first(batch: Batch) -> None:
        if next(tries, False):
            raise StoreConflict("another server was first")
        write(batch)

    monkeypatch.setattr(store, "write", first)
