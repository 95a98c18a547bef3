"""Tables that run by themselves: the server's clock opens, closes and, when time is up, does what the game's rules say
of an absent player. An outage of the server never costs a player a decision: after a start every clock begins anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator

import msgspec

from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.house.timings import Timings
from croupier.floor.house.writer import HouseStopped
from croupier.floor.records.commands import AtTable, CloseTable
from croupier.floor.records.tables import Table
from croupier.floor.views.table_views import ServerClock
from croupier.rounds.choices import cannot_walk_away, lawful_choices
from croupier.rounds.commands import ChooseOption, CloseBets, DecideHand, GiveRuling, OpenRound, RoundCommand, WalkAway
from croupier.rounds.dealing import decision_due
from croupier.rounds.events import HandInvalidated
from croupier.rounds.irregularities.reports import when_absent, when_late
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import BoxNo, Incident, Role

_LOG = logging.getLogger("croupier.floor")

Ask = Callable[[AtTable | CloseTable], Awaitable[object]]
Moment = tuple[object, ...]
APART, APART_AT_MOST = 0.025, 60.0
"""Seconds between the clocks of two tables when a server starts: players have more time then, never less."""


class Phase(msgspec.Struct, frozen=True):
    """What a table's clock counts down to."""

    key: Moment
    seconds: float
    name: str


class Clock(msgspec.Struct):
    """One table's clock."""

    phase: Phase
    ends: float


class TableClocks:
    """What the clocks of tables count down to, for all who look at them."""

    def __init__(self) -> None:
        self._clocks: dict[str, Clock] = {}

    def clock(self, name: str) -> Clock | None:
        """Return the clock of a table; None where nothing is counted down."""
        return self._clocks.get(name)

    def ends(self, name: str) -> float | None:
        """Return when the table's clock runs out, by the monotonic clock; None where nothing is counted down."""
        clock = self._clocks.get(name)
        return None if clock is None else clock.ends

    def left(self, name: str) -> ServerClock | None:
        """Return the seconds left, for the ring on the felt."""
        clock = self._clocks.get(name)
        if clock is None:
            return None
        left = min(max(clock.ends - time.monotonic(), 0.0), clock.phase.seconds)
        return ServerClock(phase=clock.phase.name, left=round(left, 2), of=clock.phase.seconds)


class Clocks(TableClocks):
    """The clocks of every table of this server that nobody deals. They go by what is on disk: tables in memory are the
    writer's, which may be judging the next commands or, where another server was first, reading everything anew.
    """

    def __init__(self, house: CommittedState, ask: Ask, moved: Callable[[str], None]) -> None:
        super().__init__()
        self._house, self._ask, self._moved = house, ask, moved
        self._order: list[tuple[float, int, str]] = []
        self._count = itertools.count()
        self._wake = asyncio.Event()
        self._asking: set[asyncio.Task[None]] = set()
        self.late = 0.0
        """The worst delay between the end of a phase and what followed, in seconds."""
        self.lateness = Timings()
        """Those delays, of every phase."""
        self.failed: dict[str, str] = {}
        """Tables that were taken out of play because their clock failed, and why."""
        self.ended = False
        self.always_ready: set[str] = set()
        """Players whom no deal waits for: bots."""
        self._ready: dict[str, tuple[int, set[str]]] = {}
        """By table: the round, and the players who need no more time to bet."""

    def begin_anew(self) -> None:
        """Give every table its full time again, after an outage."""
        self._clocks.clear()
        for number, name in enumerate(self._house.shown):
            # A thousand tables that start in one moment do not all close their bets in one moment.
            self.look(name, min(number * APART, APART_AT_MOST))

    def look(self, name: str, grace: float = 0.0) -> None:
        """Restart the clock of a table that has moved, where it now counts to something else; add `grace` seconds."""
        table = self._house.shown.get(name)
        if table is None or not table.ours or table.config.staffed or name in self.failed:
            return
        try:
            self._look(name, table, grace)
        except Exception as wrong:  # noqa: BLE001  one table's clock never stops the others
            self._fail(name, wrong)

    def _look(self, name: str, table: Table, grace: float) -> None:
        phase = phase_of(table)
        clock = self._clocks.get(name)
        if phase is None:
            self._clocks.pop(name, None)
        elif clock is None or clock.phase.key != phase.key:
            self._start(name, phase, grace)

    def _fail(self, name: str, wrong: Exception) -> None:
        """Take the table out of play: no further round begins there until a person has checked it."""
        self.failed[name] = f"{type(wrong).__name__}: {wrong}"
        self._clocks.pop(name, None)
        _LOG.error("a table's clock failed", extra={"table": name, "kind": type(wrong).__name__})
        self._spawn(self._take_out(name))

    async def _take_out(self, name: str) -> None:
        with contextlib.suppress(HouseStopped):
            await self._ask(CloseTable(table=name, by="clock"))

    def _spawn(self, doing: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(doing)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    def _start(self, name: str, phase: Phase, grace: float = 0.0) -> None:
        ends = time.monotonic() + phase.seconds + grace
        self._clocks[name] = Clock(phase, ends)
        heapq.heappush(self._order, (ends, next(self._count), name))
        self._wake.set()

    def ready(self, name: str, player: str) -> int:
        """Note that this player needs no more time to bet, and deal once every player with a bet has said so.

        Return how many players the deal still waits for.
        """
        table, clock = self._house.shown[name], self._clocks.get(name)
        state = table.round
        if clock is None or clock.phase.name != "betting":
            return 0
        number, said = self._ready.get(name, (state.number, set()))
        said = {*said, player} if number == state.number else {player}
        self._ready[name] = (state.number, said)
        betting = {stake.player for box in state.boxes for stake in box.stakes}
        waiting = betting - said - self.always_ready
        if player in betting and not waiting:
            self._spawn(self._time_is_up(name, clock.phase))
        return len(waiting)

    async def run(self) -> None:
        """Act when time is up, until cancelled."""
        try:
            await self._run()
        finally:
            self.ended = True
            for task in self._asking:
                task.cancel()

    async def _run(self) -> None:
        self.begin_anew()
        while True:
            wait = self._order[0][0] - time.monotonic() if self._order else 3600.0
            if wait > 0:
                self._wake.clear()
                # Not `wait_for`: in Python 3.11 it loses a cancellation that comes together with a wake-up.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._wake.wait()
                continue
            ends, _, name = heapq.heappop(self._order)
            clock = self._clocks.get(name)
            if clock is not None and clock.ends == ends:
                late = time.monotonic() - ends
                self.late = max(self.late, late)
                self.lateness.observe(late)
                self._spawn(self._time_is_up(name, clock.phase))

    async def _time_is_up(self, name: str, phase: Phase) -> None:
        try:
            await self._act(name, phase)
        except HouseStopped:
            return  # the server itself says, once, why it has stopped
        except Exception as wrong:  # noqa: BLE001  one table's clock never stops the others
            self._fail(name, wrong)

    async def _act(self, name: str, phase: Phase) -> None:
        for commands in (on_expiry, standing_orders):
            for command in commands(self._house.shown[name]):
                await self._ask(AtTable(table=name, command=command))
        now = phase_of(self._house.shown[name])
        if now is not None and now.key == phase.key:
            # Nothing followed (nobody has bet yet): the same phase once more.
            self._start(name, now)
            self._moved(name)


def phase_of(table: Table) -> Phase | None:
    """Return what the clock of this table counts down to now; None while it waits for staff or for its rulebook."""
    state, config = table.round, table.config
    if state.standing.closed or table.terms.missing:
        return None
    if state.awaiting:
        options = tuple(waits.boxes for waits in state.awaiting if waits.role is None)
        automatic = all(waits.role is None or waits.report.incident == Incident.WALKED_AWAY for waits in state.awaiting)
        if not automatic:
            return None
        return Phase((state.number, "options", options), config.deciding_seconds, "options")
    match state.stage:
        case Stage.BETTING:
            return Phase((state.number, "betting"), config.betting_seconds, "betting")
        case Stage.PLAYING:
            due = decision_due(table.terms, state)
            return None if due is None else Phase((state.number, due[0].bet), config.deciding_seconds, "deciding")
        case _ if table.closed:
            return None
        case _:
            return Phase((state.number, state.stage.value), config.pause_seconds if state.number else 0.2, "pause")


def on_expiry(table: Table) -> Iterator[RoundCommand]:
    """Yield the commands for when time is up: the rules of an absent player, never a rule of our own."""
    state = table.round
    if state.awaiting:
        for waits in state.awaiting:
            if waits.role is None:
                back = next(option for option in waits.options if option in ("return", "withdraw"))
                yield from (ChooseOption(box=number, option=back) for number in waits.boxes)
        return
    match state.stage:
        case Stage.BETTING:
            if any(box.stakes for box in state.boxes):
                yield CloseBets()
        case Stage.PLAYING:
            boxes = dict.fromkeys(lawful.box for lawful in lawful_choices(table.terms, state))
            present = [box for box in boxes if _is_folded_as_present(table, box)]
            yield from (DecideHand(box=box, choice="fold") for box in present)
            seated = dict.fromkeys(state.box(box).seated for box in boxes if box not in present)
            leaving = [WalkAway(player=player) for player in seated if player is not None]
            yield from (command for command in leaving if cannot_walk_away(state, command) is None)
        case _ if not table.closed:
            yield OpenRound()
        case _:
            return


def _is_folded_as_present(table: Table, box: BoxNo) -> bool:
    """Return whether the player has looked where the rule of an absent player gives the wagers back."""
    events = when_absent(table.terms, table.round, box)
    leaves = any(isinstance(event, HandInvalidated) for event in events)
    return leaves and when_late(table.terms, table.round, box) == "fold"


def standing_orders(table: Table) -> Iterator[RoundCommand]:
    """Yield the rulings on absent players of a game that leaves them to management: a table without staff folds."""
    for waits in table.round.awaiting:
        if waits.role is not None and waits.report.incident == Incident.WALKED_AWAY and "fold" in waits.decisions:
            yield GiveRuling(
                by=Role.SHIFT_MANAGER,
                decision="fold",
                boxes=waits.report.boxes,
                who="standing order",
                text="The time to decide is up.",
            )
