"""The supervisor of a house with fronts: it starts the processes, and starts again the ones that end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from croupier.floor.server.process.http_server import STOPS_WITHIN, listen
from croupier.floor.server.process.serve_front import serve_front
from croupier.floor.server.settings import BadSettings, Settings
from croupier.floor.server.telemetry.logs import set_up_logs

_LOG = logging.getLogger("croupier.server")

FIRST_WAIT, LONGEST_WAIT, LONGEST_WAIT_AFTER_SERVICE = 0.05, 10.0, 1.0
"""Seconds before a process that ended is started again; after short lives each wait is twice the one before."""
STEADY = 10.0
"""Seconds from which on a life is not short."""
TRIES = 8
"""Times in a row that a house may end before it has served, until the supervisor gives up."""

RunHouse = Callable[["HouseDoor", bool], int]
"""Runs a house until it ends and returns the exit code; True at the first start."""


class HouseDoor:
    """Where the fronts of a house come in; in the process of the house."""

    def __init__(self, listening: socket.socket, ready: int, supervisor: int) -> None:
        """`ready` is a pipe to write to once fronts are served; `supervisor` one that ends with the supervisor."""
        self.listening = listening
        self._ready, self._supervisor = ready, supervisor
        self.closing = asyncio.Event()

    def opened(self) -> None:
        """Tell the supervisor that fronts are served, and close when it says so or is gone."""
        closes_with(self._supervisor, self.closing)
        os.write(self._ready, b"1")


def closes_with(supervisor: int, closing: asyncio.Event) -> None:
    """Set an event when this process gets the signal to end, or when its supervisor is gone."""
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, closing.set)

    def close() -> None:
        loop.remove_reader(supervisor)
        closing.set()

    loop.add_reader(supervisor, close)


class _Child:
    """A process that is to run all the time."""

    def __init__(self, what: str, run: Callable[[int], int]) -> None:
        """`run` gets a pipe to write to when the process serves, and returns the exit code."""
        self.what, self._run = what, run
        self.pid = 0
        self.code = 0
        self.starts_at = 0.0
        """When it is started again, by the monotonic clock."""
        self.failures = 0
        """Times in a row that it ended before it served."""
        self._short_lives = 0
        """Times in a row that it ended soon after its start."""
        self._started = 0.0
        self._ready = -1
        self.has_served = False

    def start(self) -> None:
        """Start the process."""
        ready, tells = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            _be(self.what, lambda: self._run(tells))
        os.close(tells)
        os.set_blocking(ready, False)
        self.pid, self._ready, self._started = pid, ready, time.monotonic()

    def ended(self, status: int) -> None:
        """Take note that the process has ended, and set when it starts again."""
        self.code, self.pid = os.waitstatus_to_exitcode(status), 0
        served = self._was_ready()
        self.has_served = self.has_served or served
        self.failures = 0 if served else self.failures + 1
        now = time.monotonic()
        self._short_lives = 0 if now - self._started > STEADY else self._short_lives + 1
        longest = LONGEST_WAIT_AFTER_SERVICE if served else LONGEST_WAIT
        self.starts_at = now + min(FIRST_WAIT * 2 ** max(self._short_lives - 1, 0), longest)

    def _was_ready(self) -> bool:
        try:
            return bool(os.read(self._ready, 1))
        except BlockingIOError:
            return False
        finally:
            os.close(self._ready)

    def end(self) -> None:
        """Ask the process to end."""
        if self.pid:
            os.kill(self.pid, signal.SIGTERM)


def _be(what: str, run: Callable[[], int]) -> None:
    """Run a child process to its end; it never returns to what the supervisor was doing."""
    code = 70
    try:
        with contextlib.suppress(OSError):
            Path("/proc/self/comm").write_text(f"croupier-{what}", "ascii")  # as `ps` and `top` show it
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        # Ctrl-C reaches every process of a terminal; the supervisor says in which order they end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = run()
    except Exception as wrong:  # noqa: BLE001  its words may hold anything, and there is nobody above to say its kind
        _LOG.error("a process ended by an error", extra={"kind": type(wrong).__name__})
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


class Supervisor:
    """The processes of one house: the house itself, and its fronts."""

    def __init__(self, settings: Settings, run_house: RunHouse) -> None:
        """Take the address, and make the socket at which fronts find the house; raises CannotListen or BadSettings."""
        if not settings.database.startswith("sqlite"):
            raise BadSettings("fronts: a house on PostgreSQL has several servers instead; start one more of them.")
        self._settings, self._run_house = settings, run_house
        self._listening = listen(settings)
        # The folder is this user's alone, and so is the socket in it.
        self._folder = Path(tempfile.mkdtemp(prefix="croupier-"))
        self.path = self._folder / "house"
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._door.bind(str(self.path))
        self.path.chmod(0o600)
        self._door.listen(128)
        self._door.setblocking(False)
        self._alive, self._held = os.pipe()
        """Ends for the children when this process has ended, however that came."""
        self._is_first = True
        self._stopping = False
        self.house = _Child("house", self._be_the_house)
        self.fronts = [_Child("front", self._be_a_front) for _ in range(settings.fronts)]

    def run(self) -> int:
        """Run until asked to stop, and return the exit code of the house."""
        set_up_logs(json_wanted=self._settings.log_json)
        with self._woken() as woken:
            try:
                for child in self._children:
                    child.start()
                while not self._stopping:
                    self._wait(woken)
                    self._take_ended()
                    self._start_again()
                return self._stop(woken)
            finally:
                self.close()

    def close(self) -> None:
        """End what still runs, and give back the address and the socket."""
        for child in self._children:
            if child.pid:
                os.kill(child.pid, signal.SIGKILL)
        self._door.close()
        self._listening.close()
        os.close(self._alive)
        os.close(self._held)
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _children(self) -> tuple[_Child, ...]:
        return self.house, *self.fronts

    # ---------------------------------------------------------------- in the children

    def _be_the_house(self, ready: int) -> int:
        os.close(self._held)
        self._listening.close()
        return self._run_house(HouseDoor(self._door, ready, self._alive), self._is_first)

    def _be_a_front(self, ready: int) -> int:
        os.close(self._held)
        self._door.close()

        async def run() -> int:
            closing = asyncio.Event()
            closes_with(self._alive, closing)
            return await serve_front(self._settings, self._listening, self.path, closing, lambda: os.write(ready, b"1"))

        return asyncio.run(run())

    # ---------------------------------------------------------------- in the supervisor

    @contextlib.contextmanager
    def _woken(self) -> Iterator[int]:
        """Yield a pipe that can be read from after each signal."""

        def stop(_: int, __: FrameType | None) -> None:
            self._stopping = True

        wakes, woken = os.pipe()
        os.set_blocking(wakes, False)
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _, __: None)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        yield wakes

    def _wait(self, woken: int, longest: float = 3600.0) -> None:
        """Wait for a signal, or until a process is to be started."""
        due = min((child.starts_at for child in self._children if not child.pid), default=time.monotonic() + longest)
        ready, _, _ = select.select([woken], [], [], min(max(due - time.monotonic(), 0.0), longest))
        if ready:
            with contextlib.suppress(BlockingIOError):
                os.read(woken, 4096)

    def _take_ended(self) -> None:
        for child in self._children:
            if not child.pid:
                continue
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if not pid:
                continue
            child.ended(status)
            if self._stopping:
                continue
            if child is self.house and (not child.has_served or child.failures >= TRIES):
                self._stopping = True  # it says itself why it cannot be opened
            else:
                _LOG.warning("a process ended and is started again", extra={"kind": child.what, "code": child.code})

    def _start_again(self) -> None:
        for child in self._children:
            if not self._stopping and not child.pid and child.starts_at <= time.monotonic():
                self._is_first = self._is_first and not self.house.has_served
                child.start()

    def _stop(self, woken: int) -> int:
        """End the fronts, which finish what was asked, and then the house."""
        for children in (self.fronts, [self.house]):
            for child in children:
                child.end()
            until = time.monotonic() + STOPS_WITHIN + 0.3
            while any(child.pid for child in children) and time.monotonic() < until:
                self._wait(woken, 0.2)
                self._take_ended()
        return self.house.code if self.house.code >= 0 else 1
