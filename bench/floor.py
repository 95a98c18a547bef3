"""Measures a floor under load: `python -m bench.floor [--tables 1000] [--seconds 300] [--displays 1000] [--find]`.

Virtual tables that run by themselves with three bots each, about a round a minute a table, every command durable on
SQLite before it is answered; displays follow the meter over real sockets, from a process of their own. What must hold:
no clock more than a second late, 99 of 100 commands answered within 250 ms, 99 of 100 displays told within a second,
memory flat.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import resource
import secrets
import socket
import sys
import tempfile
import time
from array import array
from asyncio.subprocess import PIPE
from pathlib import Path
from random import Random

import msgspec
import uvicorn
from websockets.asyncio.client import connect

from croupier.floor.house.writer import HouseStopped
from croupier.floor.live.bots import Bot
from croupier.floor.live.clocks import APART
from croupier.floor.live.floor import Floor
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    BuyIn,
    CameFrom,
    HouseCommand,
    Named,
    OpenLink,
    OpenTable,
    Request,
    TableConfig,
)
from croupier.floor.server.app import make_app
from croupier.floor.server.http_limits import listening_config
from croupier.floor.server.settings import Settings
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.store_address import open_store
from croupier.money import money
from croupier.rulebooks.editions import GAMES

COMMAND_MOST, CLOCK_MOST, DISPLAY_MOST = 0.250, 1.0, 1.0
"""Seconds: p99 of a command, the latest clock, p99 of a display's lag."""

AGAIN = 5.0
"""Seconds after which a meter that stands where it stood before has moved there again."""

FLAT = 1.1
"""Memory at the end against memory when every table has played a round."""

BOXES = (1, 2, 5)


class Times:
    """Durations, counted by tenths of a millisecond: a long measurement takes no more memory than a short one."""

    def __init__(self) -> None:
        self.count, self.worst = 0, 0.0
        self.clear()

    def add(self, seconds: float) -> None:
        self._counts[min(int(seconds * 10_000), len(self._counts) - 1)] += 1
        self.count += 1
        self.worst = max(self.worst, seconds)

    def clear(self) -> None:
        self._counts = array("Q", bytes(8 * 200_000))
        self.count, self.worst = 0, 0.0

    def quantile(self, share: float) -> float:
        """Return the seconds within which this share of all was done."""
        left = share * self.count
        for tenths, count in enumerate(self._counts):
            left -= count
            if left <= 0:
                return (tenths + 1) / 10_000
        return self.worst


class MeasuredFloor(Floor):
    """A floor that notes how long every command took, and when the meter moved."""

    def __init__(self, url: str) -> None:
        super().__init__(open_store(url))
        self.took = Times()
        self.moved: dict[int, float] = {}

    async def ask(
        self, command: HouseCommand, command_id: str | None = None, personal: Named | CameFrom | None = None
    ) -> Answer:
        started = time.perf_counter()
        answer = await super().ask(command, command_id, personal)
        self.took.add(time.perf_counter() - started)
        return answer

    def _publish_link(self, topic: str) -> None:
        now, cents = time.perf_counter(), self.house.shown_links["main"].cents
        if now - self.moved.get(cents, 0.0) > AGAIN:
            self.moved[cents] = now
        super()._publish_link(topic)


class Measured(msgspec.Struct):
    """What came of one run."""

    tables: int
    seconds: float
    commands: int
    rounds: int
    command_p50: float
    command_p99: float
    command_worst: float
    clock_latest: float
    displays: int
    display_p99: float
    memory_mb: list[float]
    """In five samples, the first when every table has played a round where there is time for it."""

    @property
    def holds(self) -> bool:
        return (
            self.command_p99 <= COMMAND_MOST
            and self.clock_latest <= CLOCK_MOST
            and (not self.displays or self.display_p99 <= DISPLAY_MOST)
            and self.memory_mb[-1] <= FLAT * self.memory_mb[0]
        )


def config(number: int) -> TableConfig:
    """Configure about a round a minute: 25 seconds to bet, a pause of 10, and the time that bots need to decide."""
    return TableConfig(
        game=GAMES[number % len(GAMES)], link="main", betting_seconds=25, deciding_seconds=20, pause_seconds=10
    )


async def measure(tables: int, seconds: float, displays: int, folder: Path) -> Measured:
    """Run once: open everything, let it settle in over its first round, then measure."""
    floor = MeasuredFloor(f"sqlite:///{folder / f'floor-{secrets.token_hex(4)}.db'}")
    _furnish(floor, tables)
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(
        listening_config(make_app(floor, Settings(requests_per_second=1e9, sockets_per_address=10**6)))
    )
    running = [asyncio.create_task(server.serve(sockets=[listening])), asyncio.create_task(_bots(floor))]
    while not server.started:  # noqa: ASYNC110  uvicorn sets a flag
        await asyncio.sleep(0.05)
    address = f"ws://127.0.0.1:{listening.getsockname()[1]}/api/live"
    seen = folder / "seen"
    command = [
        sys.executable,
        "-m",
        "bench.floor",
        "--watch",
        address,
        "--displays",
        str(displays),
        "--seen",
        str(seen),
    ]
    street = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    assert street.stdin is not None
    assert street.stdout is not None
    await street.stdout.readline()
    clocks = asyncio.create_task(floor.clocks.run())
    await asyncio.sleep(min(20.0 + APART * tables, max(seconds, 60.0)))
    floor.took.clear()
    floor.clocks.late = 0.0
    rounds, memory = _rounds(floor), []
    started = time.perf_counter()
    for _ in range(5):
        await asyncio.sleep(seconds / 5)
        memory.append(_memory())
    street.stdin.write(b"enough\n")
    await street.wait()
    lags = await asyncio.to_thread(_lags, seen, floor.moved, started)
    took, spent = floor.took, time.perf_counter() - started
    measured = Measured(
        tables=tables,
        seconds=round(spent, 1),
        commands=took.count,
        rounds=_rounds(floor) - rounds,
        command_p50=round(took.quantile(0.5), 4),
        command_p99=round(took.quantile(0.99), 4),
        command_worst=round(took.worst, 4),
        clock_latest=round(floor.clocks.late, 3),
        displays=displays,
        display_p99=round(lags.quantile(0.99), 4),
        memory_mb=memory,
    )
    server.should_exit = True
    for task in (clocks, *running[1:]):
        task.cancel()
    await asyncio.gather(clocks, *running, return_exceptions=True)
    await floor.stop()
    return measured


def _furnish(floor: Floor, tables: int) -> None:
    parameters = Parameters(reset=money("1000.00"), contribution=Rate(1, 5))
    commands: list[HouseCommand] = [OpenLink(link="main", meter=money("5000.00"), parameters=parameters)]
    for number in range(tables):
        commands.append(OpenTable(table=f"T{number}", config=config(number)))
        commands += [BuyIn(player=f"bot-{number}-{box}", amount=money("1000000.00")) for box in BOXES]
    for start in range(0, len(commands), 500):
        some = commands[start : start + 500]
        floor.house.process([Request(f"open-{start + i}", command, 1) for i, command in enumerate(some)])


async def _bots(floor: Floor) -> None:
    """Run three bots a table; each thinks a moment before it acts."""
    moved: asyncio.Queue[str] = asyncio.Queue()
    floor.on_table_moved(moved.put_nowait)
    random = Random(1)
    bots = {
        name: [Bot(f"bot-{name[1:]}-{box}", box, random) for box in BOXES if box <= table.terms.boxes]
        for name, table in floor.house.tables.items()
    }
    thinking: set[asyncio.Task[None]] = set()
    while True:
        name = await moved.get()
        for bot in bots[name]:
            task = asyncio.create_task(_act(floor, name, bot, 1 + 9 * random.random()))
            thinking.add(task)
            task.add_done_callback(thinking.discard)


async def _act(floor: Floor, name: str, bot: Bot, seconds: float) -> None:
    await asyncio.sleep(seconds)
    with contextlib.suppress(HouseStopped):
        for command in list(bot.acts(floor.house.tables[name])):
            await floor.ask(AtTable(table=name, command=command))


def _watch(address: str, displays: int, seen: Path) -> None:
    """Run displays in a process of their own, and note when each of them showed which meter."""
    meters, times = array("q"), array("d")

    async def display() -> None:
        async with connect(address, max_queue=64, open_timeout=120) as line:
            await line.send('{"type":"watch_link","link":"main"}')
            shown: int | None = None
            async for message in line:
                meter = int(json.loads(message)["meter"].replace(".", ""))
                if shown is not None and meter != shown:  # a link also moves where its meter does not
                    meters.append(meter)
                    times.append(time.perf_counter())
                shown = meter

    async def all_of_them() -> None:
        watching = [asyncio.create_task(display()) for _ in range(displays)]
        print("watching", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)

    asyncio.run(all_of_them())
    with seen.open("wb") as file:
        meters.tofile(file)
        times.tofile(file)


def _lags(seen: Path, moved: dict[int, float], since: float) -> Times:
    """Compute how long after a meter had moved each display showed it."""
    shown = array("q")
    shown.frombytes(seen.read_bytes())
    half = len(shown) // 2
    times = array("d", shown[half:].tobytes())
    lags = Times()
    for meter, at in zip(shown[:half], times, strict=True):
        if at >= since and meter in moved:
            lags.add(max(at - moved[meter], 0.0))  # a snapshot may show it before its message arrives
    return lags


def _rounds(floor: Floor) -> int:
    return sum(table.round.number for table in floor.house.tables.values())


def _memory() -> float:
    """Return the megabytes in use now, or the most so far where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return round(pages * resource.getpagesize() / 1e6, 1)
    except OSError:
        return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, 1)


def main() -> int:
    """Print what was measured; 1 where it does not hold."""
    parser = argparse.ArgumentParser(description="A floor under load.")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--displays", type=int, default=1000)
    parser.add_argument("--find", action="store_true", help="Half as many tables more until it no longer holds.")
    parser.add_argument("--watch", help=argparse.SUPPRESS)
    parser.add_argument("--seen", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.watch:
        _watch(asked.watch, asked.displays, asked.seen)
        return 0
    tables = asked.tables
    with tempfile.TemporaryDirectory() as folder:
        while True:
            measured = asyncio.run(measure(tables, asked.seconds, asked.displays, Path(folder)))
            print(json.dumps({**msgspec.structs.asdict(measured), "holds": measured.holds}))
            if not asked.find or not measured.holds:
                return 0 if measured.holds or asked.find else 1
            tables += tables // 2


if __name__ == "__main__":
    sys.exit(main())
