"""A plain client of the live connection: frames by hand, so that a load of thousands costs its own process little."""

from __future__ import annotations

import asyncio
import base64
import secrets
import zlib
from collections.abc import Callable, Iterator

_ENDS = b"\x00\x00\xff\xff"
"""What a sender of compressed frames leaves away at the end of each."""
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10


class LiveLine(asyncio.Protocol):
    """One connection. It offers compression as a browser does, and masks with zeros as a browser does not."""

    def __init__(self, heard: Callable[[bytes], None], path: str, token: str = "") -> None:
        self._heard, self._held = heard, b""
        self._inflate: Callable[[bytes], bytes] | None = None
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = False
        self.frames = self.bytes = 0
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self._hello = (
            f"GET {path} HTTP/1.1\r\nHost: floor\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{bearer}"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._hello.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("The server did not open the connection."))

    def data_received(self, data: bytes) -> None:
        self._held += data
        if not self.opened.done():
            head, found, rest = self._held.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head.decode("latin-1").partition("\r\n")[0]))
                return
            if b"permessage-deflate" in head:
                self._inflate = zlib.decompressobj(-15).decompress
            self._held = rest
            self.opened.set_result(None)
        self.bytes += len(data)
        for first, payload in self._taken():
            self._frame(first, payload)

    def _taken(self) -> Iterator[tuple[int, bytes]]:
        """Take the whole frames that have arrived."""
        held, at = self._held, 0
        while len(held) >= at + 2:
            length, start = held[at + 1] & 0x7F, at + 2
            if length >= 126:
                start = at + (4 if length == 126 else 10)
                length = int.from_bytes(held[at + 2 : start])
            if len(held) < start + length:
                break
            yield held[at], held[start : start + length]
            at = start + length
        self._held = held[at:]

    def _frame(self, first: int, payload: bytes) -> None:
        kind = first & 0x0F
        if kind == _TEXT:
            self.frames += 1
            self._heard(self._inflate(payload + _ENDS) if first & 0x40 and self._inflate is not None else payload)
        elif kind == _PING:
            self._write(_PONG, payload)
        elif kind == _CLOSE:
            self.close()

    def send(self, message: bytes) -> None:
        """Send one message."""
        self._write(_TEXT, message)

    def _write(self, kind: int, payload: bytes) -> None:
        if self._transport is None or self.closed:
            return
        count = len(payload)
        length = bytes((0x80 | count,)) if count < 126 else b"\xfe" + count.to_bytes(2)
        self._transport.write(bytes((0x80 | kind,)) + length + b"\x00\x00\x00\x00" + payload)

    def close(self) -> None:
        """Drop the connection."""
        self.closed = True
        if self._transport is not None:
            self._transport.close()


async def live_line(port: int, heard: Callable[[bytes], None], token: str = "") -> LiveLine:
    """Open a live connection to a server on this machine."""
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(lambda: LiveLine(heard, "/api/live", token), "127.0.0.1", port)
    await line.opened
    return line
