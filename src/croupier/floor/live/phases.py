"""How long each table has been in its present phase. The house keeps the moments, so a page that is loaded again, or
another screen of the pit, shows the same wait.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.floor.house.house import House
from croupier.floor.records.codec import house_fact
from croupier.floor.records.facts import TableClosed
from croupier.floor.records.streams import HOUSE, table_stream
from croupier.floor.records.tables import Table
from croupier.floor.views.moments import moment_text
from croupier.floor.views.table_views import PhaseTime
from croupier.floor.views.terms_views import is_closed
from croupier.journal.store import Store
from croupier.rounds.state import Stage

RULING_ALARM = 60
"""Seconds that a table may wait for a ruling or for players' options."""
PLAY_ALARM = 180
"""Seconds that one step of a round in play may take."""
BETTING_ALARM = 300
"""Seconds that bets may stay open at a table that a dealer runs."""

_IN_PLAY = (Stage.BETTING, Stage.PLAYING)


class PhaseMoments:
    """The moment at which each table entered its phase, for all who look at it."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._since: dict[str, tuple[object, int]] = {}
        self._restarts: dict[str, tuple[int, int]] = {}
        """By table: the round that was in play when its server began, and when that was."""

    def since(self, name: str) -> int:
        """Return the moment at which a table entered its phase."""
        return self._since.get(name, (None, 0))[1]

    def restarted(self, table: Table) -> int:
        """Return when the server began again in the middle of the round in play; 0 where it did not."""
        of_round, at = self._restarts.get(table.name, (0, 0))
        return at if of_round == table.round.number and table.round.stage in _IN_PLAY else 0

    def entered(self, table: Table) -> tuple[int, int | None, int]:
        """Return when a table entered its phase, after how long the pit looks at it, and when its server began."""
        return self.since(table.name), _alarm_after(table), self.restarted(table)

    def of(self, table: Table) -> PhaseTime:
        """Return how long a table has been in its phase, and from when on the pit looks at it."""
        _, since = self._since.get(table.name, (None, self._now()))
        began = self.restarted(table)
        return PhaseTime(
            seconds=round(max(self._now() - since, 0) / 1e6, 1),
            alarm_after=_alarm_after(table),
            restarted=moment_text(began) if began else None,
        )


class Phases(PhaseMoments):
    """The moments of the tables of this server, noted when they move."""

    def __init__(self, house: House, now: Callable[[], int]) -> None:
        """Begin with the last record of every table: a restart does not hide how long a table has waited."""
        super().__init__(now)
        self._house = house
        self._elsewhere = {name for name, table in house.shown.items() if not table.ours}
        closed = _closings(house.store) if any(table.closed for table in house.shown.values()) else {}
        for name, table in house.shown.items():
            last = next(house.store.read(table_stream(name), table.seq - 1, 1), None) if table.seq else None
            moved = max(0 if last is None else last.at, closed.get(name, 0) if table.closed else 0)
            self._since[name] = (_key(table), moved or now())
            self._began(table)

    def look(self, name: str) -> None:
        """Note the moment where a table that has moved is in another phase now."""
        table = self._house.shown.get(name)
        if table is None:
            return
        if not table.ours:
            self._elsewhere.add(name)
        elif name in self._elsewhere:  # taken over from a server that is gone
            self._elsewhere.remove(name)
            self._began(table)
        key = _key(table)
        if name not in self._since or self._since[name][0] != key:
            self._since[name] = (key, self._now())

    def _began(self, table: Table) -> None:
        if table.ours and table.round.stage in _IN_PLAY:
            self._restarts[table.name] = (table.round.number, self._now())


def _closings(store: Store) -> dict[str, int]:
    """Return when each table was closed last."""
    closings = (record for record in store.read(HOUSE) if record.type == TableClosed.__name__)
    return {fact.table: record.at for record in closings if isinstance(fact := house_fact(record), TableClosed)}


def _key(table: Table) -> object:
    state = table.round
    if state.stage not in _IN_PLAY and is_closed(table):
        return state.number, "closed"
    return state.number, state.stage, state.step, state.deals, len(state.community), len(state.awaiting)


def _alarm_after(table: Table) -> int | None:
    """Return the seconds after which a phase is too long; None where a table may rest."""
    if table.round.awaiting:
        return RULING_ALARM
    match table.round.stage:
        case Stage.PLAYING:
            return max(PLAY_ALARM, round(2 * table.config.deciding_seconds))
        case Stage.BETTING if table.config.staffed:
            return BETTING_ALARM
        case _:
            return None
