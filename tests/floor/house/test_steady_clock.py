"""The house's time runs on evenly while the machine's clock steps, and every step is on record."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from croupier.floor.duties.permissions import Action
from croupier.floor.history.link_figures import figures
from croupier.floor.house.steady_clock import FOLLOWED_FROM, SECOND, SLEW, HouseClock, Step, evenly, latest_record
from croupier.floor.live.floor import Floor
from croupier.floor.people.people import STANDS_FOR
from croupier.floor.people.second_signature import waiting
from croupier.floor.records.commands import BuyIn, OpenLink, ProposeMeasure, Request
from croupier.floor.records.people_facts import ClockStepped
from croupier.jackpots.commands import AdjustMeter, CloseLink
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.records import Record
from croupier.journal.store import Store
from tests.floor.house_builder import house
from tests.patience import PATIENCE
from tests.stores import SqlitePlace

HOUR = 3600 * SECOND


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(SqlitePlace(tmp_path).open()) as store:
        yield store


NOON = 1_790_000_000_000_000


class Machine:
    """A machine whose clock can be set."""

    def __init__(self) -> None:
        self.day, self.up = NOON, 0

    def clock(self, last: int = 0) -> HouseClock:
        return HouseClock(lambda: self.day, lambda: self.up, last)

    def pass_(self, time: int) -> None:
        self.day += time
        self.up += time


def test_without_a_step_it_is_the_machines_clock() -> None:
    machine = Machine()
    clock = machine.clock()
    for _ in range(1000):
        machine.pass_(SECOND)
        assert clock() == machine.day
    assert clock.take_steps() == []


@pytest.mark.parametrize("by", [HOUR, -HOUR, 3 * SECOND, -3 * SECOND])
def test_a_step_is_approached_slowly(by: int) -> None:
    """Never back, never by more than a twentieth of the time that has passed, until the two agree again."""
    machine = Machine()
    clock = machine.clock()
    machine.pass_(SECOND)
    before = clock()
    machine.day += by
    assert clock() == before
    assert clock.take_steps() == [Step(by, is_followed=False)]
    for _ in range(SLEW * abs(by) // SECOND + 1):
        machine.pass_(SECOND)
        now = clock()
        assert SECOND - SECOND // SLEW <= now - before <= SECOND + SECOND // SLEW
        before = now
    assert clock() == machine.day
    assert clock.take_steps() == []


@pytest.mark.parametrize("by", [FOLLOWED_FROM + HOUR, -FOLLOWED_FROM - HOUR])
def test_a_great_step_is_followed_at_once(by: int) -> None:
    machine = Machine()
    clock = machine.clock()
    machine.day += by
    assert clock() == machine.day
    assert clock.take_steps() == [Step(by, is_followed=True)]


def test_a_machine_that_slept_has_not_stepped_back() -> None:
    """Random steps and pauses: whatever happens, time does not run back by itself."""
    random = Random(8)
    machine = Machine()
    clock = machine.clock()
    before = clock()
    for _ in range(5000):
        machine.pass_(random.randrange(3 * SECOND))
        if random.random() < 0.05:
            machine.day += random.randrange(-HOUR, HOUR)
        now = clock()
        assert now >= before
        before = now


def test_a_house_does_not_begin_before_it_ended(store: Store) -> None:
    """A clock that was set back while no server ran: the next record is not older than the last."""
    floor = house(store)
    floor.process([Request("one", BuyIn(player="ana", amount=100), NOON + HOUR)])
    assert latest_record(store) == NOON + HOUR
    clock = Machine().clock(latest_record(store))
    assert clock() == NOON + HOUR
    assert clock.take_steps() == [Step(-HOUR, is_followed=False)]


def test_a_step_is_on_record(store: Store) -> None:
    machine = Machine()

    async def run() -> None:
        floor = Floor(store, clock=machine.clock())
        watching = asyncio.create_task(floor.watch_clock())
        await floor.ask(BuyIn(player="ana", amount=100))
        machine.day -= HOUR
        await floor.ask(BuyIn(player="ana", amount=100))
        for _ in range(int(PATIENCE * 20)):
            if store.head("people").seq:
                break
            await asyncio.sleep(0.05)
        watching.cancel()
        times = [record.at for record in store.read("cashier")]
        assert times == sorted(times)
        await asyncio.to_thread(floor.writer.close)
        floor.past.close()

    asyncio.run(run())
    (record,) = [record for record in store.read("people") if record.type == ClockStepped.__name__]
    assert record.data == b'{"type":"ClockStepped","server":"croupier","by":-3600000000}'


@pytest.mark.parametrize("by", [HOUR, -HOUR])
def test_a_proposal_waits_as_long_as_it_should(store: Store, by: int) -> None:
    """A quarter of an hour, whatever the machine's clock does meanwhile."""
    machine = Machine()
    clock = machine.clock()
    floor = house(store)
    floor.process([Request("link", OpenLink(link="main", meter=0, parameters=_PARAMETERS), clock())])
    adjust = AdjustMeter(link="main", by="max", second="", amount=100, cause="test")
    proposed = ProposeMeasure(proposal="p1", by="max", words="", second=Action.RUN_LINKS, measure=adjust)
    floor.process([Request("propose", proposed, clock())])
    machine.day += by
    for _ in range(14 * 60):
        machine.pass_(SECOND)
        clock()
    assert waiting(floor.people, clock())
    machine.pass_(STANDS_FOR)
    assert not waiting(floor.people, clock())


_PARAMETERS = Parameters(reset=100, contribution=Rate(1, 5))


def test_a_day_adds_up_although_the_clock_was_set_back_over_midnight(store: Store) -> None:
    """A journal of a release whose time ran back: each act of the link belongs to one day, in the order of the acts."""
    floor = house(store)
    midnight = NOON - NOON % (24 * HOUR) + 24 * HOUR
    floor.process([Request("link", OpenLink(link="main", meter=0, parameters=_PARAMETERS), midnight - HOUR)])
    floor.process([Request("close", CloseLink(link="main", by="max"), midnight - HOUR)])
    times = (midnight - 2 * SECOND, midnight + 3 * SECOND, midnight - HOUR + 5 * SECOND, midnight + 9 * SECOND)
    for number, at in enumerate(times):
        adjust = AdjustMeter(link="main", by="max", second="ines", amount=100 + number, cause="test")
        (answer,) = floor.process([Request(f"adjust-{number}", adjust, at)])
        assert answer.accepted, answer.message
    days = [figures(store, "main", (midnight + n * 24 * HOUR, midnight + (n + 1) * 24 * HOUR)).day for n in (-1, 0)]
    assert all(day is not None and day.adds_up for day in days)
    assert [len(day.adjustments) for day in days if day is not None] == [1, 3]


def test_times_run_evenly_in_an_old_stream() -> None:
    def at(time: int) -> Record:
        return Record("s", 1, "t", 1, time, "", b"", b"")

    times = [NOON, NOON + 5, NOON + 3, NOON + 7, NOON - FOLLOWED_FROM]
    assert [time for _, time in evenly(map(at, times))] == [
        NOON, NOON + 5, NOON + 5, NOON + 7, NOON - FOLLOWED_FROM,
    ]  # fmt: skip
