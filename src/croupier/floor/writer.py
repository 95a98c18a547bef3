"""One thread writes: it takes every command that has come in meanwhile, makes them durable together, then answers."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from croupier.floor.house import House
from croupier.floor.requests import Answer, Request

GROUP = 512
"""At most so many commands share one commit."""


class HouseStopped(Exception):
    """The house has stopped, because what is on disk is no longer certain or because it was told to."""


class Writer:
    """The only user of a house. A failed commit stops it for good: it does not guess."""

    def __init__(
        self,
        house: House,
        *,
        answered: Callable[[Sequence[Request], Sequence[Answer]], None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
    ) -> None:
        self.house = house
        self._queue: queue.SimpleQueue[tuple[Request, Future[Answer]] | None] = queue.SimpleQueue()
        self._answered, self._failed = answered, failed
        self._stopped: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="croupier-writer", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> Future[Answer]:
        """The answer comes after the commit."""
        if self._stopped is not None:
            raise HouseStopped(str(self._stopped)) from self._stopped
        future: Future[Answer] = Future()
        self._queue.put((request, future))
        return future

    def close(self) -> None:
        """Everything that was submitted before is answered first."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            first = self._queue.get()
            if first is None:
                self._stop(HouseStopped("The house is closed."))
                return
            group = [first]
            last = False
            while len(group) < GROUP:
                try:
                    more = self._queue.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    last = True
                    break
                group.append(more)
            if not self._process(group):
                return
            if last:
                self._stop(HouseStopped("The house is closed."))
                return

    def _process(self, group: Sequence[tuple[Request, Future[Answer]]]) -> bool:
        requests = [request for request, _ in group]
        try:
            answers = self.house.process(requests)
        except BaseException as wrong:  # noqa: BLE001  whatever it was, memory may now be ahead of the disk
            for _, future in group:
                future.set_exception(HouseStopped(str(wrong)))
            self._stop(wrong)
            if self._failed is not None:
                self._failed(wrong)
            return False
        for (_, future), answer in zip(group, answers, strict=True):
            future.set_result(answer)
        if self._answered is not None:
            self._answered(requests, answers)
        return True

    def _stop(self, why: BaseException) -> None:
        self._stopped = why
        while True:
            try:
                waiting = self._queue.get_nowait()
            except queue.Empty:
                return
            if waiting is not None:
                waiting[1].set_exception(HouseStopped(str(why)))
