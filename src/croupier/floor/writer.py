"""One thread writes: it takes every command that has come in meanwhile, makes them durable together, then answers."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeAlias

from croupier.floor.house import House
from croupier.floor.requests import Answer, Request
from croupier.floor.tables import HOUSE, PEOPLE
from croupier.journal.store import StoreError

GROUP = 512
"""At most so many commands share one commit."""

TICK = 1.0
"""Where other servers write too, so many seconds without a command and this one looks at what they have done."""

LISTEN = 0.25
"""So many seconds the listening thread waits before it looks whether the house has stopped."""

AT_MOST_EVERY = 0.1
"""However often others commit, this server does not look more often; its own commands see everything anyway."""

_Asked: TypeAlias = tuple[Request, Future[Answer]]
_Moved: TypeAlias = frozenset[str]


class HouseStopped(Exception):
    """The house has stopped, because what is on disk is no longer certain or because it was told to."""


def microseconds() -> int:
    """Now, since 1970, UTC."""
    return time.time_ns() // 1000


class Writer:
    """The only user of a house. A failed commit stops it for good: it does not guess."""

    def __init__(
        self,
        house: House,
        *,
        answered: Callable[[Sequence[Request], Sequence[Answer]], None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
        moved: Callable[[frozenset[str]], None] | None = None,
        clock: Callable[[], int] = microseconds,
    ) -> None:
        """`moved` is told which links and streams of the house some server has moved on, and which tables of this one
        have moved because of another.
        """
        self.house = house
        self._queue: queue.SimpleQueue[_Asked | _Moved | None] = queue.SimpleQueue()
        self._answered, self._failed, self._on_moved, self._clock = answered, failed, moved, clock
        self._stopped: BaseException | None = None
        self._moved: set[str] = set()
        self._looked = 0.0
        self._thread = threading.Thread(target=self._run, name="croupier-writer", daemon=True)
        self._thread.start()
        self._listener = threading.Thread(target=self._listen, name="croupier-listener", daemon=True)
        if house.store.is_shared:
            self._listener.start()

    def submit(self, request: Request) -> Future[Answer]:
        """The answer comes after the commit."""
        if self._stopped is not None:
            raise HouseStopped(str(self._stopped)) from self._stopped
        future: Future[Answer] = Future()
        future.set_running_or_notify_cancel()  # whoever asked may lose interest; the command is done all the same
        self._queue.put((request, future))
        return future

    def close(self) -> None:
        """Everything that was submitted before is answered first."""
        self._queue.put(None)
        self._thread.join()
        if self._listener.is_alive():
            self._listener.join()

    # ---------------------------------------------------------------- commands

    def _run(self) -> None:
        last = False
        while not last:
            group, last = self._next_group()
            if group and not self._process(group):
                return
            if self.house.store.is_shared and not last and not self._look():
                return
        self._stop(HouseStopped("The house is closed."))

    def _next_group(self) -> tuple[list[_Asked], bool]:
        """Whatever has come in, and whether that was the last; on a shared store also nothing, after a while."""
        group: list[_Asked] = []
        wait: float | None = self._patience()
        while len(group) < GROUP:
            try:
                item = self._queue.get(block=wait is None or wait > 0, timeout=wait)
            except queue.Empty:
                break
            if item is None:
                return group, True
            if isinstance(item, frozenset):
                self._moved.update(item)
            else:
                group.append(item)
            wait = 0.0
        return group, False

    def _patience(self) -> float | None:
        if not self.house.store.is_shared:
            return None
        return AT_MOST_EVERY if self._moved or self.house.collected else TICK

    def _process(self, group: Sequence[_Asked]) -> bool:
        requests = [request for request, _ in group]
        try:
            answers = self.house.process(requests)
        except BaseException as wrong:  # noqa: BLE001  whatever it was, memory may now be ahead of the disk
            for _, future in group:
                future.set_exception(HouseStopped(str(wrong)))
            self._fail(wrong)
            return False
        for (_, future), answer in zip(group, answers, strict=True):
            future.set_result(answer)
        if self._answered is not None:
            try:
                self._answered(requests, answers)
            except Exception as wrong:  # noqa: BLE001  a server that cannot tell what happened is of no use any more
                self._fail(wrong)
                return False
        return True

    def _fail(self, wrong: BaseException) -> None:
        self._stop(wrong)
        if self._failed is not None:
            self._failed(wrong)

    def _stop(self, why: BaseException) -> None:
        self._stopped = why
        while True:
            try:
                waiting = self._queue.get_nowait()
            except queue.Empty:
                return
            if isinstance(waiting, tuple):
                waiting[1].set_exception(HouseStopped(str(why)))

    # ---------------------------------------------------------------- other servers

    def _look(self) -> bool:
        """What other servers have left to tables of this one, at once where a commit of theirs says so."""
        now = time.monotonic()
        if now - self._looked < (AT_MOST_EVERY if self._moved or self.house.collected else TICK):
            return True
        self._looked = now
        try:
            self.house.collect(self._clock())
        except BaseException as wrong:  # noqa: BLE001  as with commands
            self._fail(wrong)
            return False
        moved = frozenset(self._moved | self.house.collected)
        self._moved.clear()
        self.house.collected.clear()
        if self._on_moved is not None and moved:
            self._on_moved(moved)
        return True

    def _listen(self) -> None:
        """The commits of all servers; without this connection the house still looks by itself every second."""
        try:
            for moved in self.house.store.listen(LISTEN):
                if self._stopped is not None:
                    return
                of_interest = frozenset(name for name in moved if name.startswith("link/") or name in (HOUSE, PEOPLE))
                if of_interest:
                    self._queue.put(of_interest)
        except StoreError:
            return
