"""The people at a table, read from the journal: who sits at each box, who took the table over and deals it now, and
what its dealers have said to be counted and carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from croupier.floor.records.codec import cashier_fact, people_fact, table_fact
from croupier.floor.records.facts import BoughtIn, CashedOut
from croupier.floor.records.people_facts import (
    AwardPaidOut,
    PersonName,
    RulingCarriedOut,
    TableHandedOver,
    TrayCounted,
)
from croupier.floor.records.streams import CASHIER, PEOPLE, table_stream
from croupier.floor.records.tables import Table
from croupier.floor.views.dealer_steps import HandedOver
from croupier.floor.views.moments import moment_text
from croupier.journal.records import Record, StreamName
from croupier.journal.store import Store, Wanted
from croupier.ledger import accounts
from croupier.money import Money, show
from croupier.rounds.commands import PlayerName
from croupier.rounds.events import BetPlaced
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import BoxNo

ROUNDS = 10
"""Rounds that are looked at; a box where nobody bet for longer has no player."""
_OF_TABLES = {fact.__name__ for fact in (TableHandedOver, TrayCounted, RulingCarriedOut, AwardPaidOut)}
FIRST_LOOK = 5000
"""Records of the cashier, and of the people, that are read when a server looks for the first time."""


def patron(table: str, box: BoxNo) -> PlayerName:
    """Return the account of a patron whom the house knows by table and box alone."""
    return f"{table} box {box}"


class Seated(NamedTuple):
    """The player of a box from a moment on."""

    at: int
    player: PlayerName
    took_chips: bool = False
    """They took chips away: with none left they no longer sit there."""


class HandOver(NamedTuple):
    """A hand-over that was signed."""

    at: int
    fact: TableHandedOver


class TrayCount(NamedTuple):
    """The chips in a tray, as counted."""

    at: int
    chips: Money


class TablePeople:
    """Reads each record of the cashier and of the people once, over the connection that looks back."""

    def __init__(self) -> None:
        self._read: dict[StreamName, int] = {}
        self._seats: dict[str, dict[BoxNo, Seated]] = {}
        self._handed_over: dict[str, HandOver] = {}
        """The last one of each table."""
        self._counts: dict[str, tuple[TrayCount, ...]] = {}
        """The last two of each table, at a hand-over or at the beginning of a shift."""
        self._carried_out: dict[str, dict[int, PersonName]] = {}
        """Who has carried out each ruling of a table, by the number of its event."""
        self._sold: dict[str, list[tuple[int, Money]]] = {}
        """When chips were given out of the tray of a table for money, and how many."""
        self._awarded: dict[str, list[tuple[int, Money]]] = {}
        """When an award was paid in chips of the tray of a table, and how much."""
        self._known_since: dict[StreamName, int] = {}
        """The moment from which on a stream was read, where that is not its beginning."""

    def seats(self, store: Store, table: str) -> dict[BoxNo, Seated]:
        """Return who bet or bought in last at each box, also where the bet was taken back."""
        self._catch_up(store, CASHIER, self._note_payment)
        found = dict(self._seats.get(table, {}))
        stream = table_stream(table)
        openings = store.rounds(stream, Wanted(limit=ROUNDS))
        for record in store.read(stream, openings[-1].seq - 1) if openings else ():
            if record.type != BetPlaced.__name__:
                continue
            fact = table_fact(record)
            assert isinstance(fact, BetPlaced)
            before = found.get(fact.box)
            if before is None or before.at < record.at:
                found[fact.box] = Seated(record.at, fact.player)
        return found

    def handed_over(self, store: Store, table: str) -> HandedOver | None:
        """Return the last hand-over of a table that was signed."""
        self._catch_up(store, PEOPLE, self._note_people)
        if table not in self._handed_over:
            return None
        at, fact = self._handed_over[table]
        before = [count for count in self._counts[table] if count.at < at]
        expected = self._tray(store, table, before[-1], at) if before else None
        return HandedOver(
            by=fact.by, to=fact.to, second=fact.second, at=moment_text(at), count=show(fact.count), expected=expected
        )

    def expected(self, store: Store, table: str, now: int) -> str | None:
        """Return what the tray of a table should hold now; None where it was never counted."""
        self._catch_up(store, PEOPLE, self._note_people)
        known = self._counts.get(table)
        return None if known is None else self._tray(store, table, known[-1], now)

    def carried_out(self, store: Store, table: str) -> Mapping[int, PersonName]:
        """Return who has said that a ruling is carried out, by the number of its event at the table."""
        self._catch_up(store, PEOPLE, self._note_people)
        return self._carried_out.get(table, {})

    def _tray(self, store: Store, table: str, counted: TrayCount, until: int) -> str | None:
        """Return the last count, with what the table has won and without the chips that it has sold since.

        Awards count where they were paid in chips of this tray; else the cage pays them, or the pit brings the chips.
        """
        self._catch_up(store, CASHIER, self._note_payment)
        if counted.at < self._known_since.get(CASHIER, 0):
            return None
        won = store.moved_in_stream(table_stream(table), accounts.bank(table), counted.at, until)
        gone = (*self._sold.get(table, ()), *self._awarded.get(table, ()))
        return show(counted.chips + won - sum(amount for at, amount in gone if counted.at < at <= until))

    def dealers(self, store: Store, tables: Iterable[Table]) -> dict[str, PersonName]:
        """Return who deals each table whose round is in play: who opened it, or has taken the table over since."""
        self._catch_up(store, PEOPLE, self._note_people)
        found: dict[str, PersonName] = {}
        for table in tables:
            if not table.config.staffed or table.round.stage not in (Stage.BETTING, Stage.PLAYING):
                continue
            for opening in store.rounds(table_stream(table.name), Wanted(limit=1)):
                person, colon, _ = opening.command.partition(":")  # the id of a command begins with who sent it
                known = self._handed_over.get(table.name)
                if known is not None and known.at > opening.at:
                    found[table.name] = known.fact.to
                elif colon:
                    found[table.name] = person
        return found

    def _catch_up(self, store: Store, stream: StreamName, note: Callable[[Record], None]) -> None:
        after = self._read.get(stream)
        first = max(store.head(stream).seq - FIRST_LOOK, 0) if after is None else after
        for record in store.read(stream, first):
            if after is None and first:
                self._known_since[stream] = record.at
            note(record)
            after = record.seq
        self._read[stream] = after or 0

    def _note_payment(self, record: Record) -> None:
        fact = cashier_fact(record)
        if isinstance(fact, BoughtIn | CashedOut) and fact.table and fact.box:
            seated = Seated(record.at, fact.player, isinstance(fact, CashedOut))
            self._seats.setdefault(fact.table, {})[fact.box] = seated
        if isinstance(fact, BoughtIn) and fact.table:
            self._sold.setdefault(fact.table, []).append((record.at, fact.amount))

    def _note_people(self, record: Record) -> None:
        if record.type not in _OF_TABLES:
            return
        match fact := people_fact(record):
            case TableHandedOver():
                self._handed_over[fact.table] = HandOver(record.at, fact)
                self._note_count(fact.table, TrayCount(record.at, fact.count))
            case TrayCounted():
                self._note_count(fact.table, TrayCount(record.at, fact.count))
            case AwardPaidOut():
                if fact.from_tray:
                    self._awarded.setdefault(fact.table, []).append((record.at, fact.amount))
            case RulingCarriedOut():
                self._carried_out.setdefault(fact.table, {}).setdefault(fact.ruling, fact.by)
            case _:
                raise AssertionError(f"{record.type} is not about a table")

    def _note_count(self, table: str, count: TrayCount) -> None:
        self._counts[table] = (*self._counts.get(table, ()), count)[-2:]
