"""Whole days of a simulated floor in a journal: every Round of every table through the real house, and read back.

What the house writes is a journal like any other: `croupier audit`, `croupier figures`, the browser's replay and the
trial balance read it as they read a live floor's. Its days, counted from its records alone, are the simulation's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from time import monotonic

import msgspec

from croupier.floor.records.streams import ANSWERS
from croupier.floor.simulated.journal_reader import days_of
from croupier.floor.simulated.lifetime import Day, Life, Scene
from croupier.floor.simulated.patrons import LINK, Asking, Differs, Place, Seen, look
from croupier.jackpots.link import Link
from croupier.journal.store import Store
from croupier.lab.kernels.random.table_day import room

_CLOSED, _SETTLED = 0, 1
Watching = Callable[[], None]
"""Called after each Round, also where nobody sat."""


class Journal(msgspec.Struct, frozen=True):
    """What was written, and that it is what the simulation has."""

    url: str
    days: int
    rounds: int
    """In the journal; nobody opens a Round where nobody sits."""
    events: int
    awards: int
    seconds: float
    rounds_a_second: float


class _Table(msgspec.Struct):
    """One table on its day."""

    sitting: tuple[int, ...] = ()
    hour: int = -1
    seen: Seen | None = None
    mispaid: list[int] = []
    """Boxes whose beaten Ante was paid, until the error is noticed."""


class Writer:
    """A life of a floor, day after day into a journal."""

    def __init__(self, scene: Scene, store: Store, life: int = 0, watching: Watching = lambda: None) -> None:
        self.scene, self.store, self.life, self.watching = scene, store, life, watching
        self.asking = Asking(scene, store)
        self.tables = [_Table(mispaid=[]) for _ in scene.group_of]
        self.room = room()
        self.rounds, self.seconds = 0, 1e-9

    def write(self, days: int) -> None:
        """Play a number of days; raises Differs. Interrupted, it leaves a journal of what was done."""
        began = monotonic()
        try:
            for day in range(days):
                for moment, what, table, at in self._moments():
                    if what == _CLOSED:
                        self._closed(Place(day, moment, table, at))
                    else:
                        self._settled(day, moment, table, at)
                self._day_over(day)
        finally:
            self.asking.flush()
            self.seconds += monotonic() - began

    def _moments(self) -> Iterator[tuple[int, int, int, int]]:
        """Everything that happens on a day, in its order: bets are closed before Rounds of that moment are settled."""
        scene = self.scene
        every = [
            moment
            for table, rounds in enumerate(scene.rounds)
            for at in range(rounds)
            for moment in (
                (scene.closed(table, at), _CLOSED, table, at),
                (scene.settled(table, at), _SETTLED, table, at),
            )
        ]
        return iter(sorted(every, key=itemgetter(0, 1, 2)))

    def _closed(self, place: Place) -> None:
        table, asking = self.tables[place.table], self.asking
        seen = look(self.scene, self.life, place, self.room)
        asking.at(place.day, place.moment)
        self._change_places(place, seen)
        if seen is None:
            self.watching()
            return
        asking.open_round(place.table, seen)
        self._notice(place.table)
        asking.place_bets(place.table, seen)
        if seen.void:
            asking.void(place.table, place.at, seen.seats[0].box)
            self.watching()
        else:
            table.seen = seen
        self.rounds += 1

    def _change_places(self, place: Place, seen: Seen | None) -> None:
        """Let the players of the last hour leave and those of this hour sit down, where the hour is new."""
        table, hour = self.tables[place.table], place.at // self.scene.group(place.table).each_hour
        if hour == table.hour:
            return
        self._leave(place.table)
        table.hour = hour
        table.sitting = () if seen is None else tuple(seat.box for seat in seen.seats)
        self.asking.sit_down(place.table, table.sitting)

    def _leave(self, number: int) -> None:
        table = self.tables[number]
        if table.sitting:
            self.asking.get_up(number, table.sitting)
        table.sitting, table.hour = (), -1

    def _settled(self, day: int, moment: int, number: int, at: int) -> None:
        table = self.tables[number]
        if table.seen is None:
            return
        self.asking.at(day, moment)
        self.asking.play(number, table.seen)
        table.mispaid += [seat.box for seat in table.seen.seats if seat.mispaid]
        table.seen = None
        if at == self.scene.rounds[number] - 1:
            self._notice(number)
        self.watching()

    def _notice(self, number: int) -> None:
        for box in self.tables[number].mispaid:
            self.asking.note_mispaid(number, box)
        self.tables[number].mispaid = []

    def _day_over(self, day: int) -> None:
        """Close the day: report errors not noticed before, and let all players leave."""
        self.asking.at(day, max(self.scene.settled(t, rounds - 1) for t, rounds in enumerate(self.scene.rounds)) + 1)
        for number in range(len(self.tables)):
            self._notice(number)
            self._leave(number)
        self.asking.flush()


def compare(store: Store, life: Life) -> int:
    """Compare the journal's days and link with the simulation; return the number of awards paid. Raises Differs."""
    found = days_of(store, LINK, len(life.days))
    for number, (theirs, ours) in enumerate(zip(found.days, life.days, strict=True)):
        _refuse_differing(f"Day {number + 1}:", ours.__struct_fields__, theirs, ours)
    ours_paid = [(hit.day, f"S{hit.table + 1}", hit.box, hit.hand, hit.amount) for hit in life.hits]
    if found.hits != ours_paid:
        off = next((pair for pair in zip(found.hits, ours_paid, strict=False) if pair[0] != pair[1]), None)
        raise Differs(
            f"The journal has {len(found.hits)} awards, the simulation {len(ours_paid)}; the first that differ: {off}."
        )
    of_link = ("meter", "reserve", "overflow", "seeded", "contributed", "topped_up", "paid", "hits")
    _refuse_differing("The link's", of_link, found.link, life.link)
    return len(found.hits)


def _refuse_differing(where: str, names: Iterable[str], theirs: Day | Link, ours: Day | Link) -> None:
    for name in names:
        one, other = getattr(theirs, name), getattr(ours, name)
        if one != other:
            raise Differs(f"{where} {name} is {one} in the journal and {other} in the simulation.")


def compared(writer: Writer, life: Life) -> Journal:
    """Read the journal back, compare it with the life it was written from, and sum it up. Raises Differs."""
    awards = compare(writer.store, life)
    heads = writer.asking.house.heads
    return Journal(
        url=writer.store.url,
        days=len(life.days),
        rounds=writer.rounds,
        events=sum(head.seq for stream, head in heads.items() if stream != ANSWERS),
        awards=awards,
        seconds=round(writer.seconds, 3),
        rounds_a_second=round(writer.rounds / writer.seconds, 1),
    )
