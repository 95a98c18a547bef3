"""Frames of live connections: short texts are read and written here, all else by the websockets library.

A message to a client goes straight to its connection: it is the same bytes for many, and a client that does not read is
told so at once instead of having a queue of its own. Messages of one turn of the loop go out together, because a third
of the time of a busy server is the kernel's for each packet: the news of a commit and the answer to it are one.
"""

from __future__ import annotations

import asyncio
from asyncio import BaseTransport
from collections.abc import Callable

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

LINE = "live_line"
"""Where the application finds the connection in the state of its scope."""

UNSENT = 262_144
"""Bytes that may wait for a client that pings and does not read."""

TOGETHER = 65_536
"""Bytes of messages that wait for the turn to end; with more they go out at once."""

UNHEARD = 8
"""Messages of one client that wait for the application before the server stops reading from it."""

_TEXT = 0x81
"""The first byte of a text in one frame, not compressed."""
_CONTROL = 0x08
_MASKED = 0x80


class LiveSocket(WebSocketsSansIOProtocol):
    """Live connections: a client that does not read is disconnected, and closing waits for no delivery."""

    _held = b""
    """The beginning of a frame whose rest has not arrived."""
    _in_library = False
    """A message came in parts: from now on the library reads everything."""
    takes_again: Callable[[], None] | None = None
    """Called when the client has read enough to be sent more."""
    _heard: Callable[[str], None]
    _over: asyncio.Future[None]
    _is_free = False
    """Nothing is being answered: the next message is handed out at once."""
    _is_handing_out = False

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._unsent: list[bytes] = []
        self._waits = 0
        """Bytes of what is not sent yet."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["state"][LINE] = self

    # ---------------------------------------------------------------- to the client

    def send_message(self, message: bytes) -> bool:
        """Send a text now; False, and nothing is sent, while the client has too much to read."""
        if not self.writable.is_set():
            return False
        length = len(message)
        if length < 126:
            head = bytes((_TEXT, length))
        elif length < 65_536:
            head = b"\x81\x7e" + length.to_bytes(2)
        else:
            head = b"\x81\x7f" + length.to_bytes(8)
        if not self._unsent:
            self.loop.call_soon(self._send_unsent)
        self._unsent += (head, message)
        self._waits += length
        if self._waits > TOGETHER:
            self._send_unsent()
        return True

    def _send_unsent(self) -> None:
        """Send what waits, unless the connection is ending."""
        unsent, self._unsent, self._waits = b"".join(self._unsent), [], 0
        if unsent and not self.disconnected and not self.close_sent and self.conn.state is State.OPEN:
            self.transport.write(unsent)

    async def send(self, message: ASGISendEvent) -> None:
        """Send what the application says, after the messages before it."""
        self._send_unsent()
        await super().send(message)
        self._look()

    def shutdown(self) -> None:
        self._send_unsent()
        super().shutdown()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.takes_again is not None:
            self.takes_again()

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > UNSENT:
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        # Closing waits until everything is sent, which may be never.
        self.transport.abort()

    # ---------------------------------------------------------------- from the client

    def data_received(self, data: bytes) -> None:
        if self._is_in_library() or not self.handshake_complete:
            self._in_library = self._in_library or self.handshake_initiated  # the client did not wait for its answer
            super().data_received(data)
            return
        data = self._held + data if self._held else data
        at = 0
        while (end := self._end_of_frame(data, at)) is not None:
            self._take(data, at, end)
            at = end
        self._held = data[at:]
        if self._held and self._is_in_library():
            rest, self._held = self._held, b""
            super().data_received(rest)

    def _is_in_library(self) -> bool:
        return self._in_library

    def _end_of_frame(self, data: bytes, at: int) -> int | None:
        """Return where the frame ends that begins here; None where its rest has not arrived or the library reads it."""
        arrived = len(data) - at
        if arrived < 2 or self._is_in_library():
            return None
        length, head = data[at + 1] & 0x7F, 2
        if length >= 126:
            head = 4 if length == 126 else 10
            if arrived < head:
                return None
            length = int.from_bytes(data[at + 2 : at + head])
            if length > self.config.ws_max_size:
                self._in_library = True  # which says so, and closes the connection
                return None
        head += 4 if data[at + 1] & _MASKED else 0
        return None if arrived < head + length else at + head + length

    def _take(self, data: bytes, at: int, end: int) -> None:
        """Hand a whole frame to the application, or to the library where it is not a text of one frame."""
        first, second = data[at], data[at + 1]
        if first == _TEXT and second & _MASKED and self.conn.state is State.OPEN:
            start = at + (2 if second & 0x7F < 126 else 4 if second & 0x7F == 126 else 10)
            text = apply_mask(data[start + 4 : end], data[start : start + 4])
            self.handle_text(Frame(Opcode.TEXT, text))
            return
        self._in_library = not first & _CONTROL
        super().data_received(data[at:end])

    def listen(self, heard: Callable[[str], None], over: asyncio.Future[None]) -> None:
        """Give each message of the client to `heard`, as an empty text where it is bytes, and the next one when `go_on`
        is called. `over` is done when the connection is.
        """
        self._heard, self._over = heard, over
        self.go_on()

    def go_on(self) -> None:
        """Hand out the next message, now or when it arrives: the last one is answered."""
        self._is_free = True
        if self._is_handing_out:
            return  # the loop below goes on
        self._is_handing_out = True
        try:
            while self._is_free and not self.queue.empty():
                self._is_free = False
                message = self.queue.get_nowait()
                if self.read_paused and self.queue.empty():
                    self.read_paused = False
                    self.transport.resume_reading()
                if message["type"] == "websocket.receive":
                    self._heard(message.get("text") or "")
                elif not self._over.done():
                    self._over.set_result(None)
        finally:
            self._is_handing_out = False

    def _look(self) -> None:
        """Hand out what has come to the queue, where the application waits for it."""
        if self._is_free:
            self.go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._look()

    def send_receive_event_to_app(self) -> None:
        was_paused, self.read_paused = self.read_paused, True  # reading goes on while few messages wait
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        self._look()
        if not self.read_paused and self.queue.qsize() >= UNHEARD:
            self.read_paused = True
            self.transport.pause_reading()
