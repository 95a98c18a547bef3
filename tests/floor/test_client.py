"""The client in the package: it plays, and it comes back by itself."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from croupier.client import Client, Refused, SignedOut, Table
from croupier.floor.posts import Post
from croupier.floor.server.doors import Doors
from croupier.rulebooks.books import GAMES
from tests.floor.serving import Served

BOTS = 20


def test_it_logs_in_watches_and_plays(tmp_path: Path) -> None:
    """Types all the way; a refusal is an answer with its code."""
    with Served(tmp_path) as served:
        served.run(Doors(served.floor).enrol("dora", Post.DEALER, "a long password"))

        async def play() -> None:
            address = f"http://{served.address}"
            with pytest.raises(Refused) as refused:
                await Client.log_in(address, "dora", "wrong")
            assert refused.value.code == "wrong_password"
            async with await Client.log_in(address, "dora", "a long password") as client:
                assert [table["table"] for table in await client.tables()] == ["T1"]
                states = client.watch("T1")
                assert (await anext(states)).stage == "idle"
                assert (await client.command("T1", "open")).accepted
                table = await anext(states)
                assert (table.stage, table.round) == ("betting", 1)
                again = await client.command("T1", "open")
                assert (again.accepted, again.code) == (False, "round_is_open")
                async for meter in client.watch_link("main"):
                    assert meter.meter == "5000.00"
                    break
                await asyncio.to_thread(served.run, Doors(served.floor).sign_out("dora"))
                served.floor.publish("table/T1")
                with pytest.raises(SignedOut):
                    await client.command("T1", "open")

        asyncio.run(play())


CONFIG = """
demo = true
log_ins_per_minute = 10000
requests_per_second = 10000

[[links]]
name = "main"
meter = "5000.00"
reset = "1000.00"
contribution = "0.20"
""" + "".join(
    f"""
[[tables]]
name = "T{number}"
game = "{game}"
link = "main"
betting_seconds = 2
deciding_seconds = 3
pause_seconds = 1
"""
    for number, game in enumerate(GAMES, 1)
)


class Bot:
    """Bets, looks and bets on, at its own box."""

    def __init__(self, client: Client, table: str, box: int) -> None:
        self.client, self.table, self.box = client, table, box
        self.settled: set[int] = set()
        """Rounds in which it was paid or lost."""

    async def play(self) -> None:
        async with self.client:
            async for state in self.client.watch(self.table):
                await self._act(state)

    async def _act(self, state: Table) -> None:
        box, name = state.box(self.box), self.client.name
        if any(line.player == name for line in state.lines):
            self.settled.add(state.round)
        if state.stage == "betting" and not box.stakes:
            await self.client.command(self.table, "bet", box=self.box, bet="ante", amount="25.00")
        mine = [choice for choice in state.choices if choice.box == self.box]
        if mine and box.may_examine:
            await self.client.command(self.table, "examine", box=self.box)
        elif mine:
            await self.client.command(self.table, "decide", box=self.box, choice=mine[-1].choice)


def serve(folder: Path, port: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "croupier", "serve", "--config", str(folder / "house.toml"), "--port", str(port),
        "--database", f"sqlite:///{folder / 'house.db'}",
    ]  # fmt: skip
    with (folder / "errors").open("ab") as errors:
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
    for _ in range(600):
        assert server.poll() is None, (folder / "errors").read_text()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=5):
                return server
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server is ready")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        assert isinstance(port, int)
        return port


def test_twenty_bots_go_on_by_themselves_when_the_server_is_killed(tmp_path: Path) -> None:
    """Killed in the middle, without warning, and started again: everybody plays on where he was."""
    (tmp_path / "house.toml").write_text(CONFIG)
    port = free_port()
    server = serve(tmp_path, port)

    async def watch() -> None:
        nonlocal server
        address = f"http://127.0.0.1:{port}"
        bots = [
            Bot(await Client.as_guest(address), f"T{1 + index % len(GAMES)}", (3, 4, 6, 7)[index // len(GAMES)])
            for index in range(BOTS)
        ]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        for _ in range(2):
            await each_has_played(bots, playing, 1)
            server.send_signal(signal.SIGKILL)
            server.wait()
            before = [set(bot.settled) for bot in bots]
            server = await asyncio.to_thread(serve, tmp_path, port)
            await each_has_played(bots, playing, 1, before)
        assert all(bot.client.breaks for bot in bots)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    try:
        asyncio.run(watch())
    finally:
        server.terminate()
        assert server.wait(15) is not None
    assert b"Traceback" not in (tmp_path / "errors").read_bytes()


async def each_has_played(
    bots: list[Bot], playing: list[asyncio.Task[None]], rounds: int, before: list[set[int]] | None = None
) -> None:
    """Every bot has seen the end of so many rounds of its own."""
    earlier = before or [set() for _ in bots]
    for _ in range(1200):
        for task in playing:
            if task.done():
                task.result()
        if all(len(bot.settled - seen) >= rounds for bot, seen in zip(bots, earlier, strict=True)):
            return
        await asyncio.sleep(0.1)
    idle = [bot.client.name for bot, seen in zip(bots, earlier, strict=True) if not bot.settled - seen]
    raise AssertionError(f"all play: {idle} do not")


def test_the_client_knows_nothing_of_the_house() -> None:
    """It imports none of our packages, so it can be copied into any program."""
    check = "import sys, croupier.client; assert not any(m.startswith('croupier.floor') for m in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], env=os.environ, check=False).returncode == 0
