"""Measures a floor under load: `python -m bench.floor [--tables 500] [--seconds 60] [--fronts 1]
[--find | --followers 10 1000]`.

Virtual tables that run by themselves, six boxes and about a round a minute each, every command durable on SQLite before
it is answered. Players, a follower a table, consoles and displays come over real connections from a process of their
own (`bench.floor_load`). It prints where the processor's time went: event loop, writer, other threads, fronts, load.
What must hold: no clock more than half a second late, 99 of 100 commands answered within 250 ms, 99 of 100 displays
told within a second, memory flat.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import secrets
import signal
import socket
import sys
import tempfile
import threading
import time
from array import array
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import uvicorn

from bench.floor_load import Load, LoadedTable, Times, Told
from croupier.floor.duties.permissions import Post
from croupier.floor.fronts.gateway import FrontDoor
from croupier.floor.live import clocks as table_clocks
from croupier.floor.live.floor import Floor
from croupier.floor.people.people import token_hash
from croupier.floor.records.commands import (
    Answer,
    BuyIn,
    EnrolPerson,
    HouseCommand,
    OpenLink,
    OpenSession,
    OpenTable,
    Request,
    TableConfig,
)
from croupier.floor.records.tables import Table
from croupier.floor.server.app import make_app
from croupier.floor.server.http_limits import PromptRequests, listening_config, room_for_connections
from croupier.floor.server.process.http_server import collect_seldom
from croupier.floor.server.process.serve_front import serve_front
from croupier.floor.server.relay import RelayedCalls
from croupier.floor.server.settings import Settings
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.store_address import open_store
from croupier.money import money, show
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import ANTE_BET, BetKind

COMMAND_MOST, CLOCK_MOST, DISPLAY_MOST = 0.250, 0.5, 1.0
"""Seconds: p99 of a command, the latest clock, p99 of a display's lag."""

AGAIN = 5.0
"""Seconds after which a meter that stands where it stood before has moved there again."""

FLAT = 1.1
"""Memory at the end against memory after a fifth of the time."""

BOXES = 6
TABLES_A_DISPLAY = 10
ROUND = 60
"""Seconds from one round to the next, about."""
BETTING, DECIDING, A_DECISION = 20, 30, 6
"""Seconds to bet, to decide at most, and that a table takes for one decision."""
SETTLES_IN = 15.0
"""Seconds before counting begins, beside two rounds of each table: tables begin one after the other, and keep what they
show of the round before.
"""


class MeasuredFloor(Floor):
    """A floor that notes when the meter moved."""

    def __init__(self, url: str) -> None:
        super().__init__(open_store(url))
        self.moved: dict[int, float] = {}
        self.commits = 0

    def _answered(self, requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        self.commits += 1
        super()._answered(requests, answers)

    def _tell(self, heads: Mapping[str, int], accepted: int, refused: int) -> None:
        if "link/main" in heads:
            now, cents = time.perf_counter(), self.house.shown_links["main"].cents
            if now - self.moved.get(cents, 0.0) > AGAIN:
                self.moved[cents] = now
        super()._tell(heads, accepted, refused)


class Spent(msgspec.Struct, frozen=True):
    """Seconds of processor time of this process, by thread."""

    loop: float
    writer: float
    other: float

    def since(self, before: Spent) -> Spent:
        return Spent(self.loop - before.loop, self.writer - before.writer, self.other - before.other)


class Measured(msgspec.Struct):
    """What came of one run."""

    tables: int
    pace: int
    followers: int
    displays: int
    fronts: int
    seconds: float
    commands: int
    """All, those of the tables' clocks too."""
    commits: int
    rounds_an_hour: float
    """A table."""
    commands_a_round: float
    answered_p50: float
    answered_p99: float
    answered_worst: float
    refused: int
    clock_latest: float
    display_p99: float
    messages: int
    """To all connections."""
    bytes_a_message: int
    loop_us: float
    """Microseconds of processor time for each command: of the event loop, the writer's thread, all other threads, all
    of them together, and of the load's own process.
    """
    writer_us: float
    other_us: float
    server_us: float
    fronts_us: float
    """Likewise of the front processes, where there are any."""
    load_us: float
    yardstick_us: float
    """Microseconds of processor time for 10,000 additions meanwhile: a shared machine takes longer for everything."""
    memory_mb: list[float]

    @property
    def tables_on_two_cores(self) -> int:
        """Return how many tables two cores would carry at this pace, were they the server's alone.

        The writer and the loop share one interpreter, which runs one of them at a time: without fronts they have one
        core together, and what SQLite writes outside its lock is counted to it too. Fronts have the other core.
        """
        house, fronts = self.server_us, self.fronts_us
        slower = max(house, fronts) if self.fronts else house
        return int(self.tables * 1e6 * self.seconds / max(self.commands * slower, 1.0))

    @property
    def holds(self) -> bool:
        return (
            self.answered_p99 <= COMMAND_MOST
            and self.clock_latest <= CLOCK_MOST
            and (not self.displays or self.display_p99 <= DISPLAY_MOST)
            and self.memory_mb[-1] <= FLAT * self.memory_mb[1]
        )


def config(number: int, pace: int) -> TableConfig:
    """Configure about `pace` rounds a minute."""
    game = GAMES[number % len(GAMES)]
    pause = ROUND - BETTING - A_DECISION * (1 if "three" in game else 2)
    seconds = [max(each // pace, 1) for each in (BETTING, DECIDING, pause)]
    return TableConfig(
        game=game, link="main", betting_seconds=seconds[0], deciding_seconds=seconds[1], pause_seconds=seconds[2]
    )


class FloorRun:
    """One floor with its load."""

    def __init__(self, tables: int, followers: int, pace: int, folder: Path, fronts: Fronts | None) -> None:
        """With `fronts`, their processes serve all connections."""
        self._fronts = fronts
        settings = server_settings(folder) if fronts is None else fronts.settings
        self._settings, self._floor = settings, MeasuredFloor(settings.database)
        self._followers, self._pace = followers, pace
        self._displays = tables * pace // TABLES_A_DISPLAY
        self._seen = folder / "seen"
        self._tables = tables
        opened = int(time.time())
        self._console = f"{opened}.console"
        self._tokens = [f"{opened}.player-{number}" for number in range(tables)]
        self._following = [f"{opened}.follower-{number}" for number in range(followers)]

    async def measure(self, seconds: float, settling: float) -> Measured:
        """Open everything, let it settle in, then count."""
        self._furnish()
        floor, fronts = self._floor, self._fronts
        app = make_app(floor, self._settings)
        listening = listens_at() if fronts is None else fronts.listening
        PromptRequests.room = room_for_connections()
        collect_seldom()
        server = uvicorn.Server(listening_config(app))
        if fronts is None:
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started:  # noqa: ASYNC110  uvicorn sets a flag
                await asyncio.sleep(0.05)
        else:
            door = FrontDoor(floor, RelayedCalls(app), lambda _: None)
            serving = asyncio.create_task(door.open(fronts.door))
        load = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bench.floor_load", stdin=PIPE, stdout=PIPE, limit=2**20
        )
        clocks: asyncio.Task[None] | None = None
        try:
            self._send(load, msgspec.json.encode(self._load(listening.getsockname()[1])))
            _say(f"{(await self._until(load, 'connected')).connections} connections are open.")
            # Tables of a running house stand anywhere in their rounds.
            table_clocks.APART = ROUND / self._pace / self._tables
            clocks = asyncio.create_task(floor.clocks.run())
            await self._follow(load, settling)
            measured = await self._count(load, seconds)
            _say(_summary(measured))
            carries = {"tables_on_two_cores": measured.tables_on_two_cores, "holds": measured.holds}
            print(json.dumps({**msgspec.structs.asdict(measured), **carries}), flush=True)
            return measured
        finally:
            if load.returncode is None:
                load.kill()
            await load.wait()
            server.should_exit = True
            if clocks is not None:
                clocks.cancel()
            await asyncio.gather(serving, *([] if clocks is None else [clocks]), return_exceptions=True)
            await floor.stop()

    async def _count(self, load: Process, seconds: float) -> Measured:
        floor = self._floor
        self._send(load, b"begin")
        floor.clocks.late = 0.0
        rounds, before, done, commits = self._rounds(), _spent(), dict(floor.counts), floor.commits
        of_fronts = 0.0 if self._fronts is None else self._fronts.spent()
        started, memory, yards = time.perf_counter(), [_memory()], [_yardstick()]
        for _ in range(5):
            await self._follow(load, seconds / 5)
            memory.append(_memory())
            yards.append(_yardstick())
        spent, counts = _spent().since(before), floor.counts
        of_fronts = 0.0 if self._fronts is None else self._fronts.spent() - of_fronts
        took = time.perf_counter() - started
        commands = counts["accepted"] + counts["refused"] - done["accepted"] - done["refused"]
        played = self._rounds() - rounds
        self._send(load, b"enough " + os.fsencode(self._seen))
        told = await self._until(load, "counted")
        await load.wait()
        lags = await asyncio.to_thread(_lags, self._seen, floor.moved, started)
        each = 1e6 / max(commands, 1)
        return Measured(
            tables=self._tables,
            pace=self._pace,
            followers=self._followers,
            displays=self._displays,
            fronts=0 if self._fronts is None else len(self._fronts.pids),
            seconds=round(took, 1),
            commands=commands,
            commits=floor.commits - commits,
            rounds_an_hour=round(played / self._tables * 3600 / took, 1),
            commands_a_round=round(commands / max(played, 1), 1),
            answered_p50=told.answered_p50,
            answered_p99=told.answered_p99,
            answered_worst=round(told.answered_worst, 4),
            refused=told.refused,
            clock_latest=round(floor.clocks.late, 3),
            display_p99=round(lags.quantile(0.99), 4),
            messages=told.messages,
            bytes_a_message=int(told.megabytes * 1e6 / max(told.messages, 1)),
            loop_us=round(spent.loop * each, 1),
            writer_us=round(spent.writer * each, 1),
            other_us=round(spent.other * each, 1),
            server_us=round((spent.loop + spent.writer + spent.other) * each, 1),
            fronts_us=round(of_fronts * each, 1),
            load_us=round(told.cpu * each, 1),
            yardstick_us=round(sum(yards) / len(yards), 1),
            memory_mb=memory,
        )

    def _furnish(self) -> None:
        parameters = Parameters(reset=money("1000.00"), contribution=Rate(1, 5))
        commands: list[HouseCommand] = [OpenLink(link="main", meter=money("5000.00"), parameters=parameters)]
        people = [("console", Post.DEALER, self._console)]
        people += [(f"player-{number}", Post.PLAYER, token) for number, token in enumerate(self._tokens)]
        people += [(f"follower-{number}", Post.PLAYER, token) for number, token in enumerate(self._following)]
        for name, post, token in people:
            commands.append(EnrolPerson(name=name, post=post, secret=""))
            commands.append(OpenSession(person=name, token_hash=token_hash(token), csrf=""))
        for number in range(self._tables):
            commands.append(OpenTable(table=f"T{number}", config=config(number, self._pace)))
            commands += [BuyIn(player=name, amount=money("1000000.00")) for name in _players(number)]
        for start in range(0, len(commands), 500):
            some = commands[start : start + 500]
            answers = self._floor.house.process([Request(f"open-{start + i}", each, 1) for i, each in enumerate(some)])
            assert all(answer.accepted for answer in answers)

    def _load(self, port: int) -> Load:
        tables = [
            LoadedTable(f"T{number}", token, _players(number), _bets(self._floor.house.tables[f"T{number}"]))
            for number, token in enumerate(self._tokens)
        ]
        return Load(
            port=port,
            tables=tables,
            console=self._console,
            displays=self._displays,
            followers=self._following,
            pace=self._pace,
        )

    @staticmethod
    def _send(load: Process, line: bytes) -> None:
        assert load.stdin is not None
        load.stdin.write(line + b"\n")

    @staticmethod
    async def _until(load: Process, said: str) -> Told:
        assert load.stdout is not None
        while True:
            line = await load.stdout.readline()
            if not line:
                raise RuntimeError("The load has ended before its time.")
            told = msgspec.json.decode(line, type=Told)
            if told.said == said:
                return told

    async def _follow(self, load: Process, seconds: float) -> None:
        """Print what the load says, for this number of seconds."""
        assert load.stdout is not None
        ends = time.perf_counter() + seconds
        while (left := ends - time.perf_counter()) > 0:
            try:
                async with asyncio.timeout(left):
                    line = await load.stdout.readline()
            except TimeoutError:
                return
            if not line:
                raise RuntimeError("The load has ended before its time.")
            told = msgspec.json.decode(line, type=Told)
            _say(
                f"{told.commands:,} commands answered, half within {told.answered_p50 * 1000:.1f} ms, 99 of 100 within "
                f"{told.answered_p99 * 1000:.0f} ms, {told.refused} refused {told.why or ''}; "
                f"latest clock {self._floor.clocks.late:.2f} s"
            )

    def _rounds(self) -> int:
        return sum(table.round.number for table in self._floor.house.tables.values())


def _players(number: int) -> list[str]:
    return [f"player-{number}", *(f"guest-{number}-{box}" for box in range(2, BOXES + 1))]


def _bets(table: Table) -> list[tuple[str, str, float]]:
    """List what boxes bet: all the Ante, two of three the jackpot, half of them each side bet."""
    terms = table.terms
    bets = [(ANTE_BET, show(terms.limits[ANTE_BET].minimum), 1.0)]
    for bet in terms.book.bets:
        if bet.kind is BetKind.SIDE:
            bets.append((bet.name, show(terms.limits[bet.name].minimum), 0.5))
        if bet.kind is BetKind.JACKPOT and terms.jackpot_bet is not None:
            bets.append((bet.name, show(terms.jackpot_bet), 0.67))
    return bets


def _spent() -> Spent:
    """Read the processor time of the event loop's thread, the writer's and all others."""
    writer = 0.0
    for thread in threading.enumerate():
        if thread.name == "croupier-writer" and thread.ident is not None:
            writer = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    loop = time.thread_time()
    return Spent(loop, writer, time.process_time() - loop - writer)


def _yardstick() -> float:
    """Measure the processor time of a fixed piece of work, in microseconds."""
    started, total = time.thread_time(), 0
    for number in range(10_000):
        total += number
    return (time.thread_time() - started) * 1e6


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


def _memory() -> float:
    """Return the megabytes in use now, or the most so far where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return round(pages * resource.getpagesize() / 1e6, 1)
    except OSError:
        return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, 1)


def _summary(measured: Measured) -> str:
    """Say what a command costs the server, and how many tables two cores would carry where the load has its own."""
    return (
        f"{measured.commands / measured.seconds:,.0f} commands a second; each takes the server "
        f"{measured.server_us + measured.fronts_us:,.0f} µs of processor time (event loop {measured.loop_us:,.0f}, "
        f"writer {measured.writer_us:,.0f}, fronts {measured.fronts_us:,.0f}), the load {measured.load_us:,.0f}. "
        f"With two cores to itself the server would carry {measured.tables_on_two_cores:,} such tables at this pace."
    )


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def server_settings(folder: Path) -> Settings:
    """Return settings without limits, with a new database."""
    return Settings(
        database=f"sqlite:///{folder / f'floor-{secrets.token_hex(4)}.db'}",
        requests_per_second=1e9,
        sockets_per_address=10**6,
        sockets_per_person=10**6,
    )


def listens_at() -> socket.socket:
    """Take a free port."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(2048)
    listening.setblocking(False)
    return listening


class Fronts:
    """Front processes; they are forked before a loop or a thread runs here."""

    def __init__(self, number: int, folder: Path) -> None:
        self.settings, self.listening = server_settings(folder), listens_at()
        self.door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path = folder / f"door-{secrets.token_hex(4)}"
        self.door.bind(str(path))
        self.door.listen()
        self.door.setblocking(False)
        self.pids = [self._forked(path) for _ in range(number)]

    def _forked(self, path: Path) -> int:
        pid = os.fork()
        if pid == 0:
            try:
                asyncio.run(serve_front(self.settings, self.listening, path, asyncio.Event(), lambda: None))
            finally:
                os._exit(0)
        return pid

    def spent(self) -> float:
        """Return the seconds of processor time of all fronts."""
        ticks = 0
        for pid in self.pids:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        for pid in self.pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _measured(tables: int, followers: int, pace: int, seconds: float, folder: Path, number: int) -> Measured:
    fronts = Fronts(number, folder) if number else None
    settling = (SETTLES_IN + 2 * ROUND) / pace
    _say(f"{tables:,} tables, {followers:,} more followers: {settling:.0f} s to settle in, then {seconds:.0f} s.")

    async def run() -> Measured:
        return await FloorRun(tables, followers, pace, folder, fronts).measure(seconds, settling)

    try:
        return asyncio.run(run())
    finally:
        if fronts is not None:
            fronts.end()


def main() -> int:
    """Print what was measured; 1 where it does not hold."""
    parser = argparse.ArgumentParser(description="A floor under load.")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60.0, help="Seconds to count, after it has settled in.")
    parser.add_argument("--pace", type=int, default=1, help="Times faster than a real table, with as many displays.")
    parser.add_argument("--find", action="store_true", help="Half as many tables more until it no longer holds.")
    parser.add_argument("--followers", type=int, nargs="+", default=[0], help="More followers of the first table.")
    parser.add_argument("--fronts", type=int, default=0, help="Front processes; 0 for one process.")
    asked = parser.parse_args()
    tables, fronts = asked.tables, asked.fronts
    with tempfile.TemporaryDirectory() as folder:
        runs = [
            _measured(tables, followers, asked.pace, asked.seconds, Path(folder), fronts)
            for followers in asked.followers
        ]
        while asked.find and runs[-1].holds:
            tables += tables // 2
            runs.append(_measured(tables, asked.followers[-1], asked.pace, asked.seconds, Path(folder), fronts))
    return 0 if asked.find or all(run.holds for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
