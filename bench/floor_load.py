"""The people of a floor under load, in a process of their own: players, followers and displays over real connections.

Each table has six boxes. The player of box 1 follows the table and plays over a connection of their own; the commands
of the other boxes come over the connection of the table's console: a server answers a connection's messages one after
the other, so one console for many tables would wait for itself. `bench.floor` starts it, tells it on its standard input
when to begin and to end, and reads what it says as lines of JSON.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import msgspec

from bench.live_line import LiveLine, live_line

AT_ONCE = 50
"""Connections that are being opened at a time."""

SAID_EVERY = 5.0
"""Seconds between two lines about how far it is."""


class LoadedTable(msgspec.Struct, frozen=True):
    """A table to play at: who sits there, and what each box bets."""

    name: str
    token: str
    """Of the player at the first box."""
    players: list[str]
    bets: list[tuple[str, str, float]]
    """Name, amount, and the share of boxes that place it."""


class Load(msgspec.Struct, frozen=True):
    """What the process plays and follows."""

    port: int
    tables: list[LoadedTable]
    console: str
    """Token of the person at the consoles."""
    displays: int
    followers: list[str]
    """Tokens of people who follow the first table and do nothing else; an empty one is not used."""
    pace: int = 1
    """Times faster than people are."""
    seed: int = 1


class Told(msgspec.Struct):
    """One line about the load, since it began to count."""

    said: str
    connections: int = 0
    commands: int = 0
    refused: int = 0
    answered_p50: float = 0.0
    answered_p99: float = 0.0
    answered_worst: float = 0.0
    messages: int = 0
    megabytes: float = 0.0
    cpu: float = 0.0
    """Seconds of this process."""
    why: dict[str, int] = {}
    """Refusals by their code."""


class Times:
    """Durations, counted by tenths of a millisecond: a long measurement takes no more memory than a short one."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._counts = array("Q", bytes(8 * 200_000))
        self.count, self.worst = 0, 0.0

    def add(self, seconds: float) -> None:
        self._counts[min(int(seconds * 10_000), len(self._counts) - 1)] += 1
        self.count += 1
        self.worst = max(self.worst, seconds)

    def quantile(self, share: float) -> float:
        """Return the seconds within which this share of all was done."""
        left = share * self.count
        for tenths, count in enumerate(self._counts):
            left -= count
            if left <= 0:
                return (tenths + 1) / 10_000
        return self.worst


class Choice(msgspec.Struct):
    """A decision that the player of the first box may make."""

    choice: str
    bet: str | None = None


class Box(msgspec.Struct):
    """What a patch or a view says of a box."""

    box: int
    stands: str | None = None
    choices: list[str] | None = None


class Heard(msgspec.Struct):
    """The part of a message that the load reads: of a table's view or patch, an answer, a link."""

    type: str
    id: str | None = None
    accepted: bool = True
    code: str = ""
    message: str = ""
    stage: str | None = None
    round: int | None = None
    choices: list[Choice] | None = None
    boxes: list[Box] | None = None
    meter: str | None = None


_DECODER = msgspec.json.Decoder(Heard)


class Crowd:
    """Everybody in this process, and what came of their commands."""

    def __init__(self, load: Load) -> None:
        self.load, self.random = load, Random(load.seed)
        self.loop = asyncio.get_running_loop()
        self.took = Times()
        self.lines: list[LiveLine] = []
        self.refused = 0
        self.why: dict[str, int] = {}
        self._asked: dict[str, float] = {}
        self._count = 0
        self.meters, self.times = array("q"), array("d")
        self._cpu = self._frames = self._bytes = 0.0

    def ask(self, line: LiveLine, table: str, step: dict[str, object]) -> None:
        """Send a step at a table, and note when."""
        self._count += 1
        reference = f"load-{self._count}"
        self._asked[reference] = time.perf_counter()
        line.send(msgspec.json.encode({"type": "command", "id": reference, "table": table, "command": step}))

    def heard(self, message: bytes) -> Heard:
        """Read a message; an answer is counted here."""
        told = _DECODER.decode(message)
        if told.type == "answer":
            asked = self._asked.pop(told.id or "", None)
            if asked is not None:
                self.took.add(time.perf_counter() - asked)
            if not told.accepted:
                self.refused += 1
                self.why[told.code] = self.why.get(told.code, 0) + 1
        return told

    def begin(self) -> None:
        """Count from now on."""
        self.took.clear()
        self.refused, self.why = 0, {}
        self.meters, self.times = array("q"), array("d")
        self._cpu, self._frames, self._bytes = time.process_time(), self._sum("frames"), self._sum("bytes")

    def _sum(self, what: str) -> int:
        return sum(getattr(line, what) for line in self.lines)

    def told(self, said: str) -> Told:
        """Say how far it is."""
        return Told(
            said,
            connections=sum(not line.closed for line in self.lines),
            commands=self.took.count,
            refused=self.refused,
            answered_p50=self.took.quantile(0.5),
            answered_p99=self.took.quantile(0.99),
            answered_worst=self.took.worst,
            messages=int(self._sum("frames") - self._frames),
            megabytes=round((self._sum("bytes") - self._bytes) / 1e6, 2),
            cpu=time.process_time() - self._cpu,
            why=self.why,
        )

    async def open_all(self) -> None:
        """Connect consoles, players, displays and followers."""
        room, load = asyncio.Semaphore(AT_ONCE), self.load

        async def opened(heard: Callable[[bytes], None], token: str, *messages: Mapping[str, object]) -> LiveLine:
            async with room:
                line = await live_line(load.port, heard, token)
            self.lines.append(line)
            for message in messages:
                line.send(msgspec.json.encode(message))
            return line

        players = [_Player(self, table) for table in load.tables]

        async def seated(player: _Player) -> None:
            player.console = await opened(self._answered, load.console)
            player.line = await opened(player.hear, player.table.token)
            player.line.send(msgspec.json.encode({"type": "watch_table", "table": player.table.name}))

        first = {"type": "watch_table", "table": load.tables[0].name}
        link = {"type": "watch_link", "link": "main"}
        await asyncio.gather(
            *(seated(player) for player in players),
            *(opened(self._display(), "", link) for _ in range(load.displays)),
            *(opened(lambda _: None, token, first) for token in load.followers),
        )

    def _answered(self, message: bytes) -> None:
        self.heard(message)

    def _display(self) -> Callable[[bytes], None]:
        shown: int | None = None

        def hear(message: bytes) -> None:
            nonlocal shown
            meter = int((_DECODER.decode(message).meter or "0").replace(".", ""))
            if shown is not None and meter != shown:  # a link also moves where its meter does not
                self.meters.append(meter)
                self.times.append(time.perf_counter())
            shown = meter

        return hear


class _Player:
    """The player of the first box, who also tells the console when the other boxes act."""

    def __init__(self, crowd: Crowd, table: LoadedTable) -> None:
        self._crowd, self.table = crowd, table
        self.line: LiveLine | None = None
        self.console: LiveLine | None = None
        self._stage, self._round = "", -1
        self._bet_in = self._decided = 0
        self._decides = (0, -1)
        """Round and decision that the boxes have begun to think about."""
        self._in_play: set[int] = set()
        self._seen: set[int] = set()

    def hear(self, message: bytes) -> None:
        """Follow the table; bet in every new round, and decide whenever a decision is due."""
        told = self._crowd.heard(message)
        if told.type not in ("table", "patch"):
            return
        self._stage = told.stage or self._stage
        self._round = self._round if told.round is None else told.round
        for box in told.boxes or ():
            if box.stands == "folded":
                self._in_play.discard(box.box)
            if box.box == 1 and box.choices is not None:
                self._decided = len(box.choices)
        if self._stage == "betting" and self._bet_in != self._round:
            self._bet_in = self._round
            self._in_play = set(range(1, len(self.table.players) + 1))
            self._seen = set()
            for number in self._in_play:
                self._bet(number)
        if self._stage == "playing" and told.choices and self._decides != (self._round, self._decided):
            self._decides = (self._round, self._decided)
            for number in self._in_play:
                self._decide(number, told.choices)

    def _later(self, seconds: float, box: int, step: dict[str, object]) -> None:
        line = self.line if box == 1 else self.console
        assert line is not None
        seconds /= self._crowd.load.pace
        self._crowd.loop.call_later(seconds, self._crowd.ask, line, self.table.name, {**step, "round": self._round})

    def _bet(self, box: int) -> None:
        random, player = self._crowd.random, self.table.players[box - 1]
        at = 1 + 14 * random.random()
        for bet, amount, share in self.table.bets:
            if random.random() < share:
                self._later(at, box, {"do": "bet", "box": box, "bet": bet, "amount": amount, "player": player})
                at += 0.5 + random.random()

    def _decide(self, box: int, choices: list[Choice]) -> None:
        random = self._crowd.random
        at = 1 + 3 * random.random()
        if box not in self._seen:
            self._seen.add(box)
            self._later(at, box, {"do": "examine", "box": box, "player": self.table.players[box - 1]})
            at += 0.5 + random.random()
        # The first box always goes on, so that it sees every decision of the round.
        bets = [choice.choice for choice in choices if choice.bet is not None]
        others = [choice.choice for choice in choices if choice.bet is None]
        goes_on = bool(bets) and ((box == 1 and not self._decided) or random.random() < 0.6)
        checks = [choice for choice in others if choice != "fold"]
        chosen = bets if goes_on or (box == 1 and not checks) else others
        self._later(at, box, {"do": "decide", "box": box, "choice": chosen[0]})


async def _run() -> None:
    gc.disable()  # a look at all connections takes longer than most answers, and would be counted as the server's time
    load = msgspec.json.decode(await asyncio.to_thread(sys.stdin.readline), type=Load)
    crowd = Crowd(load)
    await crowd.open_all()
    _say(crowd.told("connected"))
    saying = asyncio.create_task(_keep_saying(crowd))
    while (line := (await asyncio.to_thread(sys.stdin.readline)).split())[:1] == ["begin"]:
        crowd.begin()
    _say(crowd.told("counted"))
    saying.cancel()
    if len(line) > 1:
        with Path(line[1]).open("wb") as file:  # noqa: ASYNC230  nothing else is left to do
            crowd.meters.tofile(file)
            crowd.times.tofile(file)


async def _keep_saying(crowd: Crowd) -> None:
    while True:
        await asyncio.sleep(SAID_EVERY)
        _say(crowd.told("running"))


def _say(told: Told) -> None:
    sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_run())
