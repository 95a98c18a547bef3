"""The writer thread: it takes all commands that have arrived, commits them together, then answers."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Protocol, TypeAlias

from croupier.floor.house.bookings import Bookings
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.house.timings import SIZES, Timings
from croupier.floor.records.commands import Answer, Request
from croupier.floor.records.streams import CASHIER, HOUSE, PEOPLE
from croupier.journal.store import StoreError, StoreFailed, StoreLost

_LOG = logging.getLogger("croupier.floor")

GROUP = 512
"""Commands that share one commit, at most."""

ENOUGH = 32
"""Commands that share a commit well: a group of so many waits for no more."""

LONGEST_SHARE = 0.01
"""Seconds that a group waits for more commands, at most."""

TICK = 1.0
"""Seconds without a command after which a server of several reads what the others have done."""

LISTEN = 0.25
"""Seconds between stop checks in the listener thread."""

AT_MOST_EVERY = 0.1
"""Seconds between two looks at other servers' commits, at least; this server's own commands see everything anyway."""

_OF_INTEREST = (CASHIER, HOUSE, PEOPLE)
"""Streams, beside those of links, on which a commit of another server concerns people of this server."""


class Promise(Protocol):
    """Where an answer goes: a future, or what passes it on at once."""

    def done(self) -> bool: ...

    def set_result(self, result: Answer, /) -> None: ...

    def set_exception(self, exception: HouseStopped, /) -> None: ...


_Asked: TypeAlias = tuple[Request, Promise]
_Moved: TypeAlias = frozenset[str]


FIRST_WAIT, LONGEST_WAIT = 0.05, 2.0
"""Seconds between two attempts to reach a database that is away; each wait is twice the one before."""

IN_DOUBT = 3.0
"""Seconds that a command with an uncertain commit waits; then its sender is asked to send it again."""

SAID_AGAIN = 30.0
"""Seconds between two log lines about a database that is still away."""


class HouseStopped(Exception):
    """The house has stopped: what is on disk is uncertain, or the house was closed."""


class HouseAway(HouseStopped):
    """The database cannot be reached; the house comes back by itself. The same command id tells then what was done."""


Reply: TypeAlias = tuple[Promise, Answer | HouseStopped]

_NOT_DONE = "The database was away and the command was not done. Send it again with the same id."


def give(replies: Sequence[Reply]) -> None:
    """Resolve every promise that was not cancelled."""
    for promise, reply in replies:
        if promise.done():
            continue
        if isinstance(reply, HouseStopped):
            promise.set_exception(reply)
        else:
            promise.set_result(reply)


class Writer:
    """The only user of a house. A failed commit stops it for good."""

    def __init__(
        self,
        house: House,
        *,
        deliver: Callable[[Sequence[Reply]], None] = give,
        answered: Callable[[Sequence[Request], Sequence[Answer]], None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
        moved: Callable[[frozenset[str]], None] | None = None,
        lost: Callable[[StoreLost], None] | None = None,
        back: Callable[[], None] | None = None,
        clock: Callable[[], int] = microseconds,
    ) -> None:
        """`deliver` gets the answers of a commit all at once, on the writer's thread: one wake-up for all is cheaper
        than one for each. `moved` gets the streams that another server has changed, and the accounts of players for
        whom a cashier has booked. `lost` is called when the database is away, `back` when everything was read anew.
        """
        self.house = house
        self._queue: queue.SimpleQueue[_Asked | _Moved | None] = queue.SimpleQueue()
        self._deliver, self._answered, self._failed, self._on_moved = deliver, answered, failed, moved
        self._on_lost, self._on_back, self._clock = lost, back, clock
        self._stopped: BaseException | None = None
        self.away: StoreLost | None = None
        """Why the database cannot be reached just now."""
        self.commits, self.groups = Timings(), Timings(SIZES)
        """Seconds to judge and commit a group of commands, and how many commands shared a commit."""
        self._ending = threading.Event()
        self._moved: set[str] = set()
        self._looked = 0.0
        self._last_group = 0
        self._waiting_pays = False
        self._bookings, self._people = Bookings(house), house.people
        self._thread = threading.Thread(target=self._run, name="croupier-writer", daemon=True)
        self._thread.start()
        self._listener = threading.Thread(target=self._listen, name="croupier-listener", daemon=True)
        if house.store.is_shared:
            self._listener.start()

    def submit(self, request: Request) -> Future[Answer]:
        """Queue a request; the answer comes after the commit."""
        future: Future[Answer] = Future()
        future.set_running_or_notify_cancel()  # the command is done even if its sender no longer waits
        self.promise(request, future)
        return future

    def promise(self, request: Request, answer: Promise) -> None:
        """Queue a request whose answer goes to the caller's own promise, by way of `deliver`."""
        if self._stopped is not None:
            raise HouseStopped(str(self._stopped)) from self._stopped
        if self.away is not None:
            raise HouseAway(str(self.away)) from self.away
        self._queue.put((request, answer))
        self._turn_away()  # the writer may have stopped since, and have emptied its queue for the last time

    @property
    def waiting(self) -> int:
        """Return how many commands wait to be judged."""
        return self._queue.qsize()

    @property
    def is_alive(self) -> bool:
        """Whether commands are still written."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Stop after everything that was submitted before is answered."""
        self._ending.set()
        self._queue.put(None)
        self._thread.join()
        if self._listener.is_alive():
            self._listener.join()

    # ---------------------------------------------------------------- commands

    def _run(self) -> None:
        try:
            self._work()
        except BaseException as wrong:  # noqa: BLE001  a callback may fail, and that must be reported
            self._fail(wrong)

    def _work(self) -> None:
        last = False
        while not last:
            group, last = self._next_group()
            if group and not self._process(group):
                return
            if self.house.store.is_shared and not last and not self._look():
                return
        with contextlib.suppress(StoreLost):
            self.house.count_refusals(self._clock())
        self._stop(HouseStopped("The house is closed."))

    def _next_group(self) -> tuple[list[_Asked], bool]:
        """Return the commands that have arrived, and whether to stop; on a shared store, none after a while.

        Under load a group waits as long as the last commit took, so that more commands share the next one: it does so
        where more than one came last time, and fewer are here now or the last wait has brought more. A lone command
        never waits, nor do clients who all wait for their answers already.
        """
        group: list[_Asked] = []
        last = self._take(group, self._patience())
        came, under_load = len(group), self._last_group > 1
        if not last and under_load and 0 < came < ENOUGH and (came < self._last_group or self._waiting_pays):
            self._ending.wait(min(self.house.commit_took, LONGEST_SHARE))
            last = self._take(group, 0.0)
            self._waiting_pays = len(group) > came
        self._last_group = len(group)
        return group, last

    def _take(self, group: list[_Asked], wait: float | None) -> bool:
        """Add what is queued to a group; the first may take `wait` seconds. Return whether to stop."""
        while len(group) < GROUP:
            try:
                item = self._queue.get(block=wait is None or wait > 0, timeout=wait)
            except queue.Empty:
                break
            if item is None:
                return True
            if isinstance(item, frozenset):
                self._moved.update(item)
            else:
                group.append(item)
            wait = 0.0
        return False

    def _patience(self) -> float | None:
        if not self.house.store.is_shared:
            return None
        return AT_MOST_EVERY if self._moved or self.house.collected else TICK

    def _process(self, group: Sequence[_Asked]) -> bool:
        requests = [request for request, _ in group]
        started = time.perf_counter()
        try:
            answers = self.house.process(requests)
        except StoreLost as lost:
            return self._come_back(lost, group)
        except BaseException as wrong:  # noqa: BLE001  whatever it was, memory may now be ahead of the disk
            self._deliver([(promise, HouseStopped(str(wrong))) for _, promise in group])
            self._fail(wrong)
            return False
        self.commits.observe(time.perf_counter() - started)
        self.groups.observe(len(group))
        try:
            if self._answered is not None:
                self._answered(requests, answers)
        except Exception as wrong:  # noqa: BLE001  a server that cannot tell what happened must stop
            self._fail(wrong)
            return False
        finally:
            # Watchers get their messages before the sender gets the answer.
            self._deliver([(promise, answer) for (_, promise), answer in zip(group, answers, strict=True)])
        return True

    def _fail(self, wrong: BaseException) -> None:
        try:
            self._stop(wrong)
        finally:
            if self._failed is not None:
                self._failed(wrong)

    def _has_stopped(self) -> bool:
        return self._stopped is not None

    def _stop(self, why: BaseException) -> None:
        self._stopped = why
        self._turn_away()

    def _turn_away(self) -> None:
        """Answer every command that is still queued, once the writer has stopped."""
        while self._stopped is not None:
            try:
                waiting = self._queue.get_nowait()
            except queue.Empty:
                return
            if isinstance(waiting, tuple):
                self._deliver([(waiting[1], HouseStopped(str(self._stopped)))])

    # ---------------------------------------------------------------- other servers

    def _look(self) -> bool:
        """Read what other servers have done, and do what they have left to tables of this server."""
        now = time.monotonic()
        if now - self._looked < (AT_MOST_EVERY if self._moved or self.house.collected else TICK):
            return True
        self._looked = now
        try:
            self.house.collect(self._clock())
            # Without notifications the listener may have lost its connection.
            booked = self._bookings.players() if CASHIER in self._moved or not self._moved else ()
        except StoreLost as lost:
            return self._come_back(lost, ())
        except BaseException as wrong:  # noqa: BLE001  as with commands
            self._fail(wrong)
            return False
        if self.house.people is not self._people:
            self._people = self.house.people
            self._moved.add(PEOPLE)
        moved = frozenset(self._moved | self.house.collected | {f"account/{player}" for player in booked})
        self._moved.clear()
        self.house.collected.clear()
        if self._on_moved is not None and moved:
            self._on_moved(moved)
        return True

    def _listen(self) -> None:
        """Listen to the commits of all servers; without this connection the house still looks every second."""
        while not self._has_stopped():
            try:
                for moved in self.house.store.listen(LISTEN):
                    if self._has_stopped():
                        return
                    of_interest = frozenset(name for name in moved if name.startswith("link/") or name in _OF_INTEREST)
                    if of_interest:
                        self._queue.put(of_interest)
            except StoreError:
                self._ending.wait(LISTEN)

    # ---------------------------------------------------------------- a database that is away

    def _come_back(self, lost: StoreLost, group: Sequence[_Asked]) -> bool:
        """Wait until the database can be reached again, then go on from what it holds. Commands that were being written
        get the answers that it kept; of what it did not keep, nothing was done. False where the house is to end.
        """
        self.away, since = lost, time.monotonic()
        if self._on_lost is not None:
            self._on_lost(lost)
        _LOG.warning("the database is away, and the house waits for it: %s", lost)
        wait, said, waiting = FIRST_WAIT, since, list(group)
        while True:
            if self._ending.is_set():
                self._turn_away_from(waiting, HouseStopped("The house is closed."))
                self._stop(HouseStopped("The house is closed."))
                return False
            try:
                self.house.come_back(self._clock())
                self._settle_doubts(waiting)
                break
            except StoreFailed as wrong:
                if not isinstance(wrong, StoreLost):
                    return self._give_up(waiting, wrong)
                why: StoreError = wrong
            except StoreError as wrong:
                why = wrong
            except BaseException as wrong:  # noqa: BLE001  what was read is not what was written
                return self._give_up(waiting, wrong)
            self._turn_away_the_queue()
            now = time.monotonic()
            if now - since > IN_DOUBT:
                self._turn_away_from(waiting, HouseAway(str(why)))
                waiting = []
            if now - said > SAID_AGAIN:
                said = now
                _LOG.error("the database has been away for %d seconds; still trying: %s", now - since, why)
            self._ending.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT)
        self._turn_away_the_queue()
        self.away = None
        _LOG.warning("the database is back after %.1f seconds", time.monotonic() - since)
        if self._on_back is not None:
            self._on_back()
        return True

    def _settle_doubts(self, waiting: Sequence[_Asked]) -> None:
        """Answer commands whose commit was lost from sight."""
        kept = self.house.answers_to([request for request, _ in waiting])
        found = [(asked, answer) for asked, answer in zip(waiting, kept, strict=True) if answer is not None]
        if found and self._answered is not None:
            self._answered([request for (request, _), _ in found], [answer for _, answer in found])
        self._deliver([(promise, answer) for (_, promise), answer in found])
        lost = [asked for asked, answer in zip(waiting, kept, strict=True) if answer is None]
        self._turn_away_from(lost, HouseAway(_NOT_DONE))

    def _turn_away_from(self, waiting: Sequence[_Asked], why: HouseStopped) -> None:
        self._deliver([(promise, why) for _, promise in waiting])

    def _turn_away_the_queue(self) -> None:
        """Answer commands that arrived while the database was away: they may be sent again."""
        held: list[_Asked | _Moved | None] = []
        while True:
            try:
                held.append(self._queue.get_nowait())
            except queue.Empty:
                break
        self._turn_away_from([item for item in held if isinstance(item, tuple)], HouseAway(_NOT_DONE))
        for item in held:
            if not isinstance(item, tuple):
                self._queue.put(item)

    def _give_up(self, waiting: Sequence[_Asked], wrong: BaseException) -> bool:
        self._turn_away_from(waiting, HouseStopped(str(wrong)))
        self._fail(wrong)
        return False
