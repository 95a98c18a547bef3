"""The client in the package: it plays, and it comes back by itself."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Self

import pyotp
import pytest
from examples.client_bots import Bot

from croupier.client import Client, HeldBack, Refused, SignedOut
from croupier.floor.duties.permissions import Post
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.security import Security
from croupier.floor.server.settings import Settings
from croupier.rulebooks.documents.editions import GAMES
from tests.floor.serving import Served
from tests.patience import PATIENCE

BOTS = 20


def test_it_logs_in_watches_and_plays(tmp_path: Path) -> None:
    """Types all the way; a refusal is an answer with its code."""
    with Served(tmp_path) as served:
        served.enrol("dora", Post.DEALER, "a long password")

        async def play() -> None:
            address = f"http://{served.address}"
            with pytest.raises(Refused) as refused:
                await Client.log_in(address, "dora", "wrong")
            assert refused.value.code == "wrong_password"
            async with await Client.log_in(address, "dora", "a long password") as client:
                assert [(place.table, place.staffed) for place in await client.tables()] == [("T1", True)]
                assert (await client.me()).post == "dealer"
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
                await asyncio.to_thread(served.run, Sessions(served.floor).sign_out("dora", "administrator"))
                served.floor.broadcast.publish("table/T1")
                with pytest.raises(SignedOut):
                    await client.command("T1", "open")

        asyncio.run(play())


def test_what_is_not_there_is_not_waited_for(tmp_path: Path) -> None:
    """A table or a link that the house does not have is refused, the same name again too; and a client that was never
    opened says so instead of waiting for ever.
    """
    with Served(tmp_path) as served:

        async def look() -> None:
            client = Client(f"http://{served.address}", served.tokens[Post.PLAYER])
            with pytest.raises(RuntimeError, match="async with"):
                await anext(client.watch("T1"))
            with pytest.raises(RuntimeError, match="async with"):
                await client.command("T1", "bet")
            async with asyncio.timeout(PATIENCE), client:
                for _ in range(2):
                    with pytest.raises(Refused) as refused:
                        await anext(client.watch("Atlantis"))
                    assert refused.value.code == "unknown_topic"
                with pytest.raises(Refused):
                    await anext(client.watch_link("Atlantis"))
                table = await anext(client.watch("T1"))
                assert table.box(1).box == 1
                with pytest.raises(IndexError, match="no box 0"):
                    table.box(0)
                me = await client.me()
                assert me.account is not None
                assert (me.name, me.account.balance) == ("player", "100000.00")

        asyncio.run(look())


def test_whoever_was_signed_out_while_he_was_away_is_told_so(tmp_path: Path) -> None:
    """He does not wait for a table that is no longer his to see."""
    with Served(tmp_path) as served:

        async def look() -> None:
            async with asyncio.timeout(PATIENCE), Client(f"http://{served.address}", "1.worth-nothing") as client:
                with pytest.raises(SignedOut):
                    await anext(client.watch("T1"))
                with pytest.raises(SignedOut):
                    await client.command("T1", "bet", box=1)

        asyncio.run(look())


class Wire:
    """Between a client and a server, and it can be cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._ends: set[asyncio.StreamWriter] = set()
        self.whole = True

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._joined, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut()
        self._server.close()

    def cut(self) -> None:
        """Both ends hear nothing more, and nobody gets through."""
        self.whole = False
        for end in self._ends:
            end.transport.abort()
        self._ends.clear()

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.whole:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._ends.update((writer, back))
        with contextlib.suppress(OSError):
            await asyncio.gather(self._carry(reader, back), self._carry(there, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4096):
            writer.write(data)
            await writer.drain()
        writer.close()  # whoever waits for the other end to hang up hears of it


def test_a_table_that_is_not_there_yet_after_a_break_is_asked_for_again(tmp_path: Path) -> None:
    """A house that has come back may get its tables a moment later, from a server that has just ended."""

    async def look(served: Served) -> None:
        async with (
            asyncio.timeout(PATIENCE),
            Wire(served.port) as wire,
            Client(f"http://127.0.0.1:{wire.port}", served.tokens[Post.DEALER]) as client,
        ):
            states = client.watch("T1")
            await anext(states)
            served.floor.house.shown["T1"].ours = False
            wire.cut()
            wire.whole = True
            waiting = asyncio.ensure_future(anext(states))
            # It is back, has asked, and was refused.
            while not client._asking_again:  # noqa: ASYNC110  nothing tells
                await asyncio.sleep(0.05)
            assert not waiting.done()
            served.floor.house.shown["T1"].ours = True
            assert (await waiting).table == "T1"

    with Served(tmp_path) as served:
        asyncio.run(look(served))


def test_after_a_break_it_is_told_what_it_missed_and_what_was_in_doubt_is_done_once(tmp_path: Path) -> None:
    """It says which event it saw last; a command that was sent into a cut wire is sent again under its own id."""

    async def play(served: Served) -> None:
        async with Wire(served.port) as wire:
            client = Client(f"http://127.0.0.1:{wire.port}", served.tokens[Post.PLAYER], "player")
            async with client:
                states = client.watch("T1")
                first = await anext(states)
                assert first.missed == ()
                wire.cut()
                for step in (
                    {"do": "open"},
                    {"do": "bet", "player": "player", "box": 2, "bet": "ante", "amount": "25.00"},
                ):
                    told = await asyncio.to_thread(served.step, Post.DEALER, **step)
                    assert told["accepted"], told
                doubtful = asyncio.create_task(
                    client.command("T1", "bet", "in doubt", round=1, box=3, bet="ante", amount="25.00")
                )
                await asyncio.sleep(0.2)
                assert not doubtful.done()
                wire.whole = True
                state = await anext(states)
                assert (await doubtful).accepted
                assert (
                    await client.command("T1", "bet", "in doubt", round=1, box=3, bet="ante", amount="25.00")
                ).accepted
            assert client.breaks
            seqs = [event.seq for event in state.missed]
            assert seqs == list(range(first.seq + 1, first.seq + 1 + len(seqs)))
            kinds = [event.event["type"] for event in state.missed]
            assert kinds[:3] == ["RoundOpened", "DeckCommitted", "BetPlaced"]
            assert state.missed_all

    with Served(tmp_path) as served:
        asyncio.run(play(served))
        placed = [record for record in served.records("table/T1") if record.type == "BetPlaced"]
        assert len(placed) == 2


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


def serve(folder: Path, port: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "croupier", "serve", "--config", str(folder / "house.toml"), "--port", str(port),
        "--database", f"sqlite:///{folder / 'house.db'}",
    ]  # fmt: skip
    with (folder / "errors").open("ab") as errors:
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert server.poll() is None, (folder / "errors").read_text()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=30):
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
        bots = [Bot(await Client.as_guest(address), f"T{1 + index % len(GAMES)}") for index in range(BOTS)]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        for _ in range(2):
            await each_has_played(bots, playing, 1)
            server.send_signal(signal.SIGKILL)
            server.wait()
            before = [set(bot.rounds) for bot in bots]
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
        assert server.wait(PATIENCE) is not None
    assert b"Traceback" not in (tmp_path / "errors").read_bytes()


def test_where_no_server_is_the_client_says_so() -> None:
    """In one sentence with the address."""
    with pytest.raises(ConnectionError, match="cannot be reached"):
        asyncio.run(Client.as_guest(f"http://127.0.0.1:{free_port()}"))


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:8000", "ftp://127.0.0.1", "http://", "http://[", ""])
def test_what_is_no_address_is_said_to_be_none(address: str) -> None:
    """Before anybody is asked for anything."""
    with pytest.raises(ConnectionError, match="is not an address of a server: write it as in http://127.0.0.1:8000"):
        asyncio.run(Client.log_in(address, "ana", "secret"))


@pytest.mark.parametrize(("status", "wrong"), [(200, ConnectionError), (404, Refused)])
def test_a_server_of_somebody_else_is_told_from_a_house(status: int, wrong: type[Exception]) -> None:
    """A page that is no JSON: the address in one sentence, or the refusal, and no complaint of a parser."""

    class Page(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b"<!doctype html>")

        def log_message(self, *_said: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        with pytest.raises(wrong, match="is not a Croupier server" if status == 200 else "Not Found"):
            asyncio.run(Client.as_guest(f"http://127.0.0.1:{server.server_port}/"))


async def each_has_played(
    bots: list[Bot], playing: list[asyncio.Task[None]], rounds: int, before: list[set[int]] | None = None
) -> None:
    """Every bot has seen the end of so many rounds of its own."""
    earlier = before or [set() for _ in bots]
    for _ in range(1200):
        for task in playing:
            if task.done():
                task.result()
        if all(len(bot.rounds - seen) >= rounds for bot, seen in zip(bots, earlier, strict=True)):
            return
        await asyncio.sleep(0.1)
    idle = [bot.client.name for bot, seen in zip(bots, earlier, strict=True) if not bot.rounds - seen]
    raise AssertionError(f"all play: {idle} do not")


def test_the_client_knows_nothing_of_the_house() -> None:
    """It imports none of our packages, so it can be copied into any program."""
    check = "import sys, croupier.client; assert not any(m.startswith('croupier.floor') for m in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], env=os.environ, check=False).returncode == 0


def test_a_program_manages_its_own_account(tmp_path: Path) -> None:
    """Password, second factor and sessions; a locked session is unlocked and goes on."""
    first, second = "blue kettle under stairs", "green lamp over water"
    settings = Settings(security=Security(idle_minutes=0.025))

    async def manage(served: Served) -> None:
        address = f"http://{served.address}"
        client = await Client.log_in(address, "dora", first)
        await client.change_password(first, second)
        other = await Client.log_in(address, "dora", second)
        held = {session.this: session for session in await client.sessions()}
        await client.end_session(held[False].id)
        with pytest.raises(Refused):
            await other.tables()
        factor = await client.propose_factor(second)
        totp = pyotp.TOTP(factor.secret)
        recovery = await client.confirm_factor(totp.now())
        assert (await client.me()).second_factor
        with pytest.raises(Refused) as refused:
            await Client.log_in(address, "dora", second)
        assert refused.value.code == "code_needed"
        await Client.log_in(address, "dora", second, recovery[0])
        await client.remove_factor(second, recovery[1])
        async with client:
            with pytest.raises(HeldBack, match="locked"):
                async for _ in client.watch("T1"):
                    pass
        assert (await client.me()).held == "session_locked"
        await client.unlock(second)
        async with client:
            async for table in client.watch("T1"):
                assert table.table == "T1"
                break

    with Served(tmp_path, settings=settings) as served:
        served.enrol("dora", Post.DEALER, first)
        asyncio.run(manage(served))


def test_an_administrators_program_resets_a_password(tmp_path: Path) -> None:
    """It has to be changed first: until then the session is held back, and the client says why."""

    async def reset(served: Served) -> None:
        address = f"http://{served.address}"
        password = await Client(address, served.tokens[Post.ADMINISTRATOR]).reset_password("dora")
        async with await Client.log_in(address, "dora", password) as client:
            with pytest.raises(HeldBack, match="choose your own first"):
                await client.command("T1", "open")
            await client.change_password(password, "green lamp over water")
            assert (await client.me()).held is None

    with Served(tmp_path) as served:
        served.enrol("dora", Post.DEALER, "blue kettle under stairs")
        asyncio.run(reset(served))
