"""The web server of one process: where it listens, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from croupier.floor.server.settings import Settings

_LOG = logging.getLogger("croupier.server")

STOPS_WITHIN = 4.5
"""Seconds from a signal to the end of the process, at most."""


COLLECTED = (100_000, 10, 10)
"""Objects that make Python look for cycles among the youngest, and looks before it takes in older ones, then all."""


class CannotListen(Exception):
    """The address is taken, or is none; one sentence."""


def listen(settings: Settings) -> socket.socket:
    """Take the address first, before anything is opened or written; raises CannotListen."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        # With its protocol named, so that asyncio sends small answers at once.
        listening = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(address)
            listening.listen(2048)
        except OSError:
            listening.close()
            raise
    except OSError as wrong:
        why = wrong.strerror or str(wrong)
        raise CannotListen(f"Cannot listen at {settings.host}:{settings.port}: {why}.") from None
    listening.setblocking(False)
    return listening


def collect_seldom() -> None:
    """Look for cycles of garbage seldom, and never among the modules; called once, before people are served.

    Every live connection is some 250 objects that stay, and so is what was last shown to it. By default Python looks at
    all of them whenever a quarter as many have come and gone, and nobody is answered meanwhile.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED)


def leave_within(seconds: float, code: Callable[[], int]) -> None:
    """End the process after these seconds, even if a thread or a connection still holds it.

    What was answered is on disk, and what was not may be asked again with its id.
    """

    def leave() -> None:
        _LOG.warning("left without waiting any longer", extra={"seconds": seconds})
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code())

    timer = threading.Timer(seconds, leave)
    timer.daemon = True
    timer.start()


class HttpServer(uvicorn.Server):
    """Told to stop, it stops; the signal is not raised again, since the house still has to close its books."""

    def __init__(self, config: uvicorn.Config, has_failed: Callable[[], bool] = lambda: False) -> None:
        super().__init__(config)
        self._has_failed = has_failed
        self._leaving = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - uvicorn's signature
        # Not uvicorn's own: once it is leaving it takes a Ctrl-C for the second one, and drops what was asked.
        self.leave()

    def leave(self) -> None:
        """Stop taking requests; a few seconds later the process has ended."""
        self.should_exit = True
        if not self._leaving:
            self._leaving = True
            leave_within(STOPS_WITHIN, lambda: int(self._has_failed()))

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
