"""Frames of a live connection, by hand: whole, in pieces, several at once, and those that are not texts."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator

import pytest
from websockets.protocol import State
from websockets.server import ServerProtocol

from croupier.floor.server.websocket_frames import TOGETHER, LiveSocket
from tests.floor.server.test_operation import say_hello
from tests.floor.serving import Served
from tests.patience import PATIENCE

MASK = b"\x11\x22\x33\x44"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("frames")) as served:
        yield served


@pytest.fixture
def line(served: Served) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as line:
        say_hello(line, served.address, "")
        yield line


def frame(first: int, payload: bytes) -> bytes:
    """One masked frame."""
    count = len(payload)
    length = bytes((0x80 | count,)) if count < 126 else b"\xff" + count.to_bytes(8)
    if 126 <= count < 65_536:
        length = b"\xfe" + count.to_bytes(2)
    return bytes((first,)) + length + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(payload))


def ping(name: str, room: int = 0) -> bytes:
    return json.dumps({"type": "ping", "id": name + " " * room}).encode()


def read(line: socket.socket) -> tuple[int, bytes]:
    """The next frame of the server: its kind and what it holds."""
    first, length = exactly(line, 2)
    if length >= 126:
        length = int.from_bytes(exactly(line, 2 if length == 126 else 8))
    return first & 0x0F, exactly(line, length)


def exactly(line: socket.socket, count: int) -> bytes:
    got = b""
    while len(got) < count:
        more = line.recv(count - len(got))
        assert more, "the server has closed the connection"
        got += more
    return got


def pong(line: socket.socket) -> str:
    kind, payload = read(line)
    told = json.loads(payload)
    assert (kind, told["type"]) == (1, "pong")
    return str(told["id"]).strip()


@pytest.mark.parametrize("room", [0, 80, 250])
def test_a_message_may_come_byte_by_byte_or_with_others(line: socket.socket, room: int) -> None:
    """Short ones and those whose length takes two more bytes."""
    for byte in frame(0x81, ping("slow", room)):
        line.sendall(bytes((byte,)))
    assert pong(line) == "slow"
    three = b"".join(frame(0x81, ping(name, room)) for name in ("one", "two", "three"))
    line.sendall(three[:-5])
    line.sendall(three[-5:] + frame(0x81, ping("four")))
    assert [pong(line) for _ in range(4)] == ["one", "two", "three", "four"]


def test_a_message_may_come_in_parts_with_a_ping_between_them(line: socket.socket) -> None:
    """And whole messages after it are read as before it."""
    text = ping("parts")
    line.sendall(frame(0x81, ping("before")))
    assert pong(line) == "before"
    line.sendall(frame(0x01, text[:7]) + frame(0x89, b"here?") + frame(0x00, text[7:12]))
    assert read(line) == (10, b"here?")
    line.sendall(frame(0x80, text[12:]) + frame(0x81, ping("after")))
    assert [pong(line), pong(line)] == ["parts", "after"]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(0x81, b"\xff\xfe"), 1007),
        (frame(0x81, b" " * 70_000), 1009),
        (frame(0xC1, b"compressed"), 1002),
        (b"\x81\x04text", 1002),
        (frame(0x88, (1000).to_bytes(2)), 1000),
    ],
)
def test_what_is_not_a_text_ends_the_connection_with_its_code(line: socket.socket, sent: bytes, code: int) -> None:
    """Not UTF-8, too long, compressed where nothing was agreed, not masked; and a client that says goodbye."""
    line.sendall(frame(0x81, ping("well")))
    assert pong(line) == "well"
    line.sendall(sent)
    kind, payload = read(line)
    assert (kind, int.from_bytes(payload[:2])) == (8, code)


def test_nothing_is_compressed(served: Served) -> None:
    """The length of a compressed message could tell the secrets in it."""
    with served.live() as live:
        assert live.connection.protocol.extensions == []


class Packets(asyncio.Transport):
    """What goes out, packet by packet."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent.append(bytes(data))


def open_socket(packets: Packets) -> LiveSocket:
    """A connection after its handshake, without a server."""
    live = LiveSocket.__new__(LiveSocket)
    live.loop, live.writable = asyncio.get_running_loop(), asyncio.Event()
    live.writable.set()
    live.disconnected = live.close_sent = False
    live.conn = ServerProtocol(state=State.OPEN)
    live.transport, live._unsent, live._waits = packets, [], 0
    return live


def test_news_of_a_commit_and_its_answer_are_one_packet() -> None:
    """An answer is given in the turn of the loop that tells the news."""

    async def play() -> list[bytes]:
        packets = Packets()
        live = open_socket(packets)
        assert live.send_message(b"news")
        assert live.send_message(b"answer")
        assert packets.sent == []
        await asyncio.sleep(0)
        return packets.sent

    assert asyncio.run(play()) == [b"\x81\x04news\x81\x06answer"]


def test_much_is_sent_at_once() -> None:
    """So that the connection learns that its client does not read before more is made for it."""

    async def play() -> list[bytes]:
        packets = Packets()
        live = open_socket(packets)
        live.send_message(b"x" * (TOGETHER + 1))
        assert len(packets.sent) == 1
        for _ in range(3):
            await asyncio.sleep(0)
        return packets.sent

    assert len(asyncio.run(play())) == 1


def test_many_messages_at_once_are_answered_one_after_the_other(line: socket.socket) -> None:
    """More than Python may nest calls; most of them are too fast, and told so."""
    line.sendall(b"".join(frame(0x81, ping(str(number))) for number in range(1500)))
    assert [json.loads(read(line)[1])["id"] for _ in range(1500)] == [str(number) for number in range(1500)]
