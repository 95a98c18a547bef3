"""Kill a served house, its fronts, or both, again and again under load, and hold the journal against what clients saw.

The rig runs `croupier serve --fronts N` as an operator does. Dealers play over live connections; each connects again
after a break and sends what was not answered again, with the same id. The clients' own log is the oracle: nothing that
was answered may be lost or done twice, and nothing may be shown that is not on disk afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.live.floor import os_chance
from croupier.floor.people.people import token_hash
from croupier.floor.records import commands as house_commands
from croupier.floor.records.codec import table_fact
from croupier.floor.records.facts import DeckCommitted, DeckOpened
from croupier.floor.records.keys import load_keys
from croupier.floor.records.streams import table_stream
from croupier.floor.records.tables import terms_of
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.store import Store, StoreError
from croupier.journal.store_address import open_store
from croupier.money import money
from croupier.rounds.evolve import evolve
from croupier.rounds.state import new_table
from croupier.rulebooks.documents.editions import GAMES
from croupier.testing.crowd import seeded
from croupier.testing.verdict import Torn, Verdict, conclude

BOXES = 3
QUIET = 3600
"""Seconds on every clock: only the rig's dealers act."""
ANSWERED_WITHIN = 30.0
"""Seconds that a client waits for an answer before it connects again."""
COMES_BACK_WITHIN = 60.0
"""Seconds within which a killed house must serve again."""
HOUSE, FRONT = "croupier-house", "croupier-front"
"""Names of the processes, as the system lists them."""


class Report(Verdict):
    """What came of it."""

    house_kills: int = 0
    front_kills: int = 0
    both_kills: int = 0
    commands: int = 0
    """Answered."""
    accepted: int = 0
    sent_again: int = 0
    """After a break, with the same id."""
    asked_once_more: int = 0
    """At the end: every command whose answer was kept once more, to get the same answer."""
    turned_away: int = 0
    """Told that the house is being started again."""
    breaks: int = 0
    """Connections that ended."""
    views: int = 0
    """Messages that showed a table."""
    rounds: int = 0
    longest_silence_ms: int = 0
    """From a kill to the next answer."""
    lost: int = 0
    doubled: int = 0
    changed: int = 0
    """Answers that were another the second time."""
    uncommitted: int = 0
    """Views of what was not on disk afterwards."""
    differences: int = 0
    """Of the audit."""
    seconds: float = 0.0

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.changed or self.uncommitted or self.differences)


class Heard(msgspec.Struct):
    """The part of a message that the rig reads."""

    type: str
    id: str | None = None
    accepted: bool = True
    code: str = ""
    kept: bool = True
    seq: int | None = None
    stage: str | None = None
    round: int | None = None


class Asked(msgspec.Struct):
    """A command, and what the house said."""

    step: dict[str, object]
    sent: int = 0
    accepted: bool | None = None
    code: str = ""
    kept: bool = True
    """False for a refusal beyond those that the house keeps; the same id may be judged again."""


_HEARD = msgspec.json.Decoder(Heard)
_BEFORE_THE_HOUSE = "bad_request"
"""The code of a step that cannot be read: no command came of it, so the journal has no answer."""
_NOT_THE_HOUSE = ("away", "too_fast", "stopped")
"""Codes that say that the command was not judged."""


class Dealer:
    """One client at one table: it deals rounds with random bets and decisions, one command at a time."""

    def __init__(self, table: str, token: str, address: str, random: Random, report: Report) -> None:
        self.table, self.random, self.report = table, random, report
        self._url, self._headers = f"ws://{address}/api/live", {"Authorization": f"Bearer {token}"}
        self.log: dict[str, Asked] = {}
        self.shown: dict[int, tuple[str, int]] = {}
        """By record: stage and round, as a message showed them."""
        self._seq, self._stage, self._round = 0, "idle", 0
        self._count = 0
        self._waiting: str | None = None
        self.answered = 0.0
        """When the last answer came."""

    async def play(self, until: asyncio.Event) -> None:
        """Play until told to stop, across every break; what was not answered is sent again first."""
        while not until.is_set() or self._waiting is not None:
            try:
                async with connect(self._url, additional_headers=self._headers, open_timeout=10) as connection:
                    await connection.send(msgspec.json.encode({"type": "watch_table", "table": self.table}).decode())
                    await self._play(connection, until)
            except (OSError, TimeoutError, WebSocketException, InvalidHandshake):
                self.report.breaks += 1
                await asyncio.sleep(0.02)

    async def _play(self, connection: ClientConnection, until: asyncio.Event) -> None:
        while not until.is_set() or self._waiting is not None:
            if self._waiting is None:
                self._count += 1
                self._waiting = f"{self.table}-{self._count}"
                self.log[self._waiting] = Asked(self._next())
            asked = self.log[self._waiting]
            self.report.sent_again += asked.sent > 0
            asked.sent += 1
            told = await self._answer(connection, self._waiting, asked)
            if told.code in _NOT_THE_HOUSE:
                self.report.turned_away += 1
                await asyncio.sleep(0.02)
                continue
            asked.accepted, asked.code, asked.kept = told.accepted, told.code, told.kept
            self._waiting = None
            self.report.commands += 1
            self.report.accepted += told.accepted
            self.answered = time.monotonic()

    async def _answer(self, connection: ClientConnection, reference: str, asked: Asked) -> Heard:
        """Send a command, and hear everything up to its answer."""
        sent = {"type": "command", "id": reference, "table": self.table, "command": asked.step}
        await connection.send(msgspec.json.encode(sent).decode())
        async with asyncio.timeout(ANSWERED_WITHIN):
            while True:
                told = _HEARD.decode(await connection.recv())
                if told.type in ("table", "patch"):
                    self._see(told)
                elif told.type == "answer" and told.id == reference:
                    return told

    def _see(self, told: Heard) -> None:
        self.report.views += 1
        self._seq = self._seq if told.seq is None else told.seq
        self._stage = told.stage or self._stage
        self._round = self._round if told.round is None else told.round
        self.shown[self._seq] = (self._stage, self._round)

    def _next(self) -> dict[str, object]:
        random, box = self.random, self.random.randint(1, BOXES)
        player = f"{self.table.lower()}-{box}"
        if self._stage not in ("betting", "playing"):
            return {"do": "open"}
        if self._stage == "betting":
            if random.random() < 0.3:
                return {"do": "close_bets", "round": self._round}
            amount = f"{random.choice((25, 50, 100))}.00"
            return {
                "do": "bet", "player": player, "box": box, "bet": "ante", "amount": amount, "round": self._round,
            }  # fmt: skip
        choice = random.choice(("flop", "check", "turn", "river", "play", "call", "fold", "fold", "bet"))
        if random.random() < 0.15:
            return {"do": "examine", "player": player, "box": box}
        return {"do": "decide", "box": box, "choice": choice}

    async def ask_once_more(self) -> None:
        """Send every command once more, whose answer was kept: it must be the same."""
        async with connect(self._url, additional_headers=self._headers, open_timeout=10) as connection:
            for reference, asked in self.log.items():
                if not asked.kept:
                    continue
                told = await self._answer(connection, reference, asked)
                self.report.asked_once_more += 1
                self.report.changed += (told.accepted, told.code) != (asked.accepted, asked.code)


class ServedHouse:
    """`croupier serve --fronts N` in processes of its own."""

    def __init__(self, folder: Path, tables: int, fronts: int) -> None:
        self.url = f"sqlite:///{folder / 'house.db'}"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.tokens = {f"T{number}": f"{int(time.time())}.dealer-{number}" for number in range(1, tables + 1)}
        self.configs = {
            table: house_commands.TableConfig(
                game=GAMES[number % len(GAMES)], link="main", staffed=True,
                betting_seconds=QUIET, deciding_seconds=QUIET, pause_seconds=QUIET,
            )
            for number, table in enumerate(self.tokens)
        }  # fmt: skip
        self._fronts = fronts
        self._log = folder / "log.txt"
        self.pid = 0

    def furnish(self) -> None:
        """Open the link, the tables and the people's accounts, and log the dealers in."""
        keys = load_keys(self.url, key="", key_file="", create=True)
        house = House(open_store(self.url), os_chance(), keys=keys)
        parameters = Parameters(reset=money("1000.00"), contribution=Rate(1, 5))
        commands: list[house_commands.HouseCommand] = [
            house_commands.OpenLink(link="main", meter=money("5000.00"), parameters=parameters),
            house_commands.EnrolPerson(name="admin", post=Post.ADMINISTRATOR, secret=""),
            house_commands.FoundHouse(demonstration=False),
        ]
        for table, token in self.tokens.items():
            dealer = f"dealer-{table.lower()}"
            commands.append(house_commands.OpenTable(table=table, config=self.configs[table]))
            commands.append(house_commands.EnrolPerson(name=dealer, post=Post.DEALER, secret=""))
            commands.append(house_commands.OpenSession(person=dealer, token_hash=token_hash(token), csrf=""))
            commands += [
                house_commands.BuyIn(player=f"{table.lower()}-{box}", amount=money("1000000.00"))
                for box in range(1, BOXES + 1)
            ]
        requests = [
            house_commands.Request(f"open-{number}", command, microseconds()) for number, command in enumerate(commands)
        ]
        assert all(answer.accepted for answer in house.process(requests)), "the house is furnished"
        house.store.close()

    def start(self) -> None:
        """Start the supervisor."""
        arguments = [
            sys.executable, "-m", "croupier", "serve", "--database", self.url, "--port", str(self.port),
            "--fronts", str(self._fronts),
        ]  # fmt: skip
        log = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        files = [(os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)]
        unlimited = {**os.environ, "CROUPIER_REQUESTS_PER_SECOND": "1000000"}
        self.pid = os.posix_spawn(sys.executable, arguments, unlimited, file_actions=files)
        os.close(log)

    def processes(self, name: str) -> list[int]:
        """Return the processes of this name that the supervisor runs now."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        found = []
        for child in map(int, children):
            with contextlib.suppress(OSError):
                if Path(f"/proc/{child}/comm").read_text().strip() == name:
                    found.append(child)
        return found

    def kill(self, name: str) -> None:
        """Kill a process of this name."""
        for process in self.processes(name)[:1]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def stop(self) -> int:
        """Ask the supervisor to stop, and return its exit code."""
        os.kill(self.pid, signal.SIGTERM)
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)

    def said(self) -> str:
        """Return the last that the processes have said."""
        return self._log.read_text()[-800:] if self._log.exists() else ""


class Torture:
    """Run a number of kills under load, and check everything at the end."""

    def __init__(self, folder: Path, seed: int, tables: int, fronts: int) -> None:
        self.random, self.report = seeded(seed), Report()
        self.house = ServedHouse(folder, tables, fronts)
        address = f"127.0.0.1:{self.house.port}"
        self.dealers = [
            Dealer(table, token, address, seeded(f"{seed} {table}"), self.report)
            for table, token in self.house.tokens.items()
        ]

    async def run(self, kills: int) -> None:
        """Kill, wait until every client was answered again, and so on; then check."""
        started = time.monotonic()
        self.house.furnish()
        self.house.start()
        until = asyncio.Event()
        playing = [asyncio.create_task(dealer.play(until)) for dealer in self.dealers]
        try:
            await self._all_answered(time.monotonic())
            for _ in range(kills):
                await asyncio.sleep(self.random.uniform(0.0, 0.15))
                await self._kill()
            until.set()
            async with asyncio.timeout(COMES_BACK_WITHIN):
                await asyncio.gather(*playing)
            for dealer in self.dealers:
                await dealer.ask_once_more()
        finally:
            for task in playing:
                task.cancel()
            code = await asyncio.to_thread(self.house.stop)
        if code:
            raise Torn(f"the supervisor ended with code {code}: {self.house.said()}")
        self.report.seconds = round(time.monotonic() - started, 1)
        store = open_store(self.house.url, read_only=True)
        try:
            self._check(store)
        finally:
            store.close()

    async def _kill(self) -> None:
        names = self.random.choice(((HOUSE,), (FRONT,), (HOUSE, FRONT)))
        await self._until(lambda: all(self.house.processes(name) for name in names))
        for name in names:
            self.house.kill(name)
        self.report.both_kills += len(names) == 2
        self.report.house_kills += names == (HOUSE,)
        self.report.front_kills += names == (FRONT,)
        at = time.monotonic()
        await self._all_answered(at)
        self.report.longest_silence_ms = max(self.report.longest_silence_ms, int((time.monotonic() - at) * 1000))

    async def _all_answered(self, since: float) -> None:
        """Wait until every client has had an answer after this moment."""
        await self._until(lambda: all(dealer.answered > since for dealer in self.dealers))

    async def _until(self, holds: Callable[[], bool]) -> None:
        ends = time.monotonic() + COMES_BACK_WITHIN
        while not holds():
            if time.monotonic() > ends:
                raise Torn(f"the house did not come back: {self.house.said()}")
            await asyncio.sleep(0.005)

    # ---------------------------------------------------------------- what is on disk

    def _check(self, store: Store) -> None:
        done: Counter[str] = Counter()
        for row in store.rows("records"):
            done[str(row[5])] += 1
        for dealer in self.dealers:
            names = {f"dealer-{dealer.table.lower()}:{reference}": asked for reference, asked in dealer.log.items()}
            kept = store.answers(list(names))
            for name, asked in names.items():
                self.report.lost += asked.kept and asked.code != _BEFORE_THE_HOUSE and name not in kept
                self.report.doubled += asked.accepted is False and done[name] > 0
            self._check_shown(store, dealer)
        audited = audit(store)
        self.report.differences += audited.difference_count

    def _check_shown(self, store: Store, dealer: Dealer) -> None:
        """Play the table's records again: each message showed the table as it was after one of them."""
        state, stood = new_table(terms_of(self.house.configs[dealer.table]).boxes), {0: ("idle", 0)}
        commands: Counter[str] = Counter()
        last = ""
        for record in store.read(table_stream(dealer.table)):
            fact = table_fact(record)
            if not isinstance(fact, DeckCommitted | DeckOpened):
                state = evolve(state, fact)
            stood[record.seq] = (state.stage.value, state.number)
            commands[record.command] += record.command != last
            last = record.command
        self.report.doubled += sum(count - 1 for count in commands.values())
        self.report.uncommitted += sum(stood.get(seq) != seen for seq, seen in dealer.shown.items())
        self.report.rounds += state.number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and say what came of it; 1 where the house broke its word."""
    parser = argparse.ArgumentParser(prog="python -m croupier.testing.front_test", description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--fronts", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    broken = ""
    with tempfile.TemporaryDirectory(prefix="croupier-fronts-") as folder:
        torture = Torture(Path(folder), asked.seed, asked.tables, asked.fronts)
        try:
            asyncio.run(torture.run(asked.kills))
        except (Torn, StoreError, TimeoutError) as wrong:
            broken = str(wrong) or type(wrong).__name__
    return conclude(torture.report, broken, as_json=asked.json)


if __name__ == "__main__":
    sys.exit(main())
