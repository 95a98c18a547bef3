"""What the pit reads from across the room: win, handle and pace of every table and of the house over the last hours."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from croupier.floor.history.played_rounds import PAGE_MOST, Found, Past, Search
from croupier.floor.records.tables import Table
from croupier.floor.views.dealer_steps import AwardPayment
from croupier.floor.views.moments import moment_text
from croupier.money import Money, show
from croupier.rounds.state import Stage
from croupier.structs import extended

SECOND = 1_000_000
WINDOW = 4 * 3600 * SECOND
"""Microseconds that the figures cover."""
STEP = 300 * SECOND
"""Microseconds of one point of a line."""
POINTS = WINDOW // STEP
READ_AGAIN = 3
"""The newest rounds of a table that are read again each time: they may not be over, or were reopened."""
FRESH = 5 * SECOND
"""Microseconds for which all readers get the same figures."""
PACE_ROUNDS = 20
"""The newest rounds of a table that its pace is counted from."""


class TableFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The last hours of one table."""

    table: str
    rounds: int
    handle: str
    """All that was staked in rounds that were not void."""
    win: str
    """What of it the House kept; what a meter paid was not the House's."""
    pace: float
    """Rounds an hour, over the newest rounds; 0 where there are too few."""
    wins: tuple[str, ...]
    """The win of each step, the oldest first."""
    dealer: str = ""
    """Who deals the round in play; empty between rounds, and where no dealer runs the table."""
    payments: tuple[AwardPayment, ...] = ()
    """Awards that are signed for: those to be paid, and the last ones that are."""


class VoidedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round of the last hours without a result: every bet went back."""

    table: str
    edition: str
    round: int
    at: str
    by: str
    """Who reported or ruled what made it void; empty where the journal does not say."""
    because: str
    rules: tuple[str, ...]
    returned: str


class FloorFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The last hours of all tables of this server, with one point for each step."""

    since: str
    step: int
    """Seconds of one point."""
    rounds: int
    handle: str
    win: str
    pace: float
    """Rounds an hour, all tables together."""
    wins: tuple[str, ...]
    handles: tuple[str, ...]
    paces: tuple[int, ...]
    """Rounds of each step."""
    meters: Mapping[str, tuple[str | None, ...]]
    """By link: the meter at the end of each step; null before this server had started."""
    tables: tuple[TableFigures, ...]
    voided: tuple[VoidedRound, ...] = ()
    """The newest first."""


class _Counted(msgspec.Struct, frozen=True):
    """One round as the figures count it."""

    at: int
    handle: Money
    win: Money
    voided: VoidedRound | None = None


class FloorTally:
    """Reads each round once, over the connection that looks back."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._lock = threading.Lock()
        self._rounds: dict[str, dict[int, _Counted]] = {}
        self._meters: dict[str, dict[int, Money]] = {}
        self._known: FloorFigures | None = None
        self._known_at = 0

    def note_meter(self, link: str, cents: Money, now: int) -> None:
        """Keep the meter of a link for the line that the pit sees."""
        kept = self._meters.setdefault(link, {})
        kept[now // STEP] = cents
        for old in [step for step in kept if step < now // STEP - POINTS]:
            del kept[old]

    def figures(self, tables: Sequence[Table], now: int) -> FloorFigures:
        """Return the figures of these tables; all who ask within a few seconds get the same."""
        with self._lock:
            if self._known is None or not 0 <= now - self._known_at < FRESH:
                self._known, self._known_at = self._read(tables, now), now
            return self._known

    def _read(self, tables: Sequence[Table], now: int) -> FloorFigures:
        last = now // STEP
        first = last - POINTS + 1
        lines = [self._table(table, first) for table in tables]
        counted = [each for table in tables for each in self._rounds[table.name].values()]
        return FloorFigures(
            since=moment_text(first * STEP),
            step=STEP // SECOND,
            rounds=len(counted),
            handle=show(sum(each.handle for each in counted)),
            win=show(sum(each.win for each in counted)),
            pace=round(sum(line.pace for line in lines), 1),
            wins=_line([(each.at, each.win) for each in counted], first),
            handles=_line([(each.at, each.handle) for each in counted], first),
            paces=tuple(_sums([(each.at, 1) for each in counted], first)),
            meters={link: self._meter(kept, first) for link, kept in sorted(self._meters.items())},
            tables=tuple(lines),
            voided=tuple(
                sorted((each.voided for each in counted if each.voided), key=lambda each: each.at, reverse=True)
            ),
        )

    def _table(self, table: Table, first: int) -> TableFigures:
        kept = self._rounds.setdefault(table.name, {})
        again = sorted(kept)[-READ_AGAIN:]
        since = kept[again[0]].at if again else first * STEP
        for line in self._past.found(table, Search(since=since, limit=PAGE_MOST)):
            if line.staked:
                handle = 0 if line.stage is Stage.VOID else line.staked
                kept[line.round] = _Counted(line.began, handle, line.house_win, _voided(line))
        for number in [number for number, each in kept.items() if each.at < first * STEP]:
            del kept[number]
        return TableFigures(
            table=table.name,
            rounds=len(kept),
            handle=show(sum(each.handle for each in kept.values())),
            win=show(sum(each.win for each in kept.values())),
            pace=_pace(sorted(each.at for each in kept.values())),
            wins=_line([(each.at, each.win) for each in kept.values()], first),
        )

    def _meter(self, kept: Mapping[int, Money], first: int) -> tuple[str | None, ...]:
        points: list[str | None] = []
        for step in range(first, first + POINTS):
            points.append(show(kept[step]) if step in kept else points[-1] if points else None)
        return tuple(points)


def _voided(line: Found) -> VoidedRound | None:
    if line.voided is None:
        return None
    return extended(
        VoidedRound, line.voided, table=line.table, edition=line.edition, round=line.round, returned=show(line.returned)
    )


def _sums(amounts: Iterable[tuple[int, int]], first: int) -> list[int]:
    sums = [0] * POINTS
    for at, amount in amounts:
        if 0 <= (step := at // STEP - first) < POINTS:
            sums[step] += amount
    return sums


def _line(amounts: Iterable[tuple[int, Money]], first: int) -> tuple[str, ...]:
    return tuple(map(show, _sums(amounts, first)))


def _pace(moments: Sequence[int]) -> float:
    newest = moments[-PACE_ROUNDS:]
    span = newest[-1] - newest[0] if newest else 0
    return round((len(newest) - 1) * 3600 * SECOND / span, 1) if span else 0.0
