"""Bulk export: rounds, bets, awards, ledger entries, events and meters of a journal as tables for other systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

import msgspec

from croupier.floor.feed.event_names import event_name
from croupier.floor.records.codec import house_fact, link_fact, table_fact
from croupier.floor.records.facts import DeckCommitted, DeckOpened, TableOpened, TermsChanged
from croupier.jackpots.events import AwardsReversed, CaseDenied, CasePaid
from croupier.journal.records import Record
from croupier.journal.store import Row, Store
from croupier.money import Money
from croupier.rounds.events import AwardPaid, BetSettled, RoundOpened, RoundReopened, RoundSettled, RoundVoided

FORMAT = "croupier-export-1"
DAY = 86_400_000_000
"""Microseconds."""

Value: TypeAlias = str | int | None
ExportRow: TypeAlias = tuple[Value, ...]


class Kind(StrEnum):
    """The type of a column."""

    TEXT = "text"
    WHOLE = "whole"
    """A whole number."""
    CENTS = "cents"
    """Money in whole cents."""
    MOMENT = "moment"
    """Microseconds since 1970, UTC."""


class Column(msgspec.Struct, frozen=True):
    """One column of an exported table."""

    name: str
    kind: Kind
    says: str


_TEXT, _WHOLE, _CENTS, _MOMENT = Kind.TEXT, Kind.WHOLE, Kind.CENTS, Kind.MOMENT
_TABLE = Column("table", _TEXT, "The name of the table")
_ROUND = Column("round", _WHOLE, "The number of the round at its table, from 1")
_AT = Column("at", _MOMENT, "When the command was taken")

TABLES: Mapping[str, tuple[Column, ...]] = {
    "rounds": (
        _TABLE,
        _ROUND,
        Column("edition", _TEXT, "The edition of the rule document by which it was played"),
        Column("opened_at", _MOMENT, "When bets were opened"),
        Column("ended_at", _MOMENT, "When it was settled or voided; empty while it is in play"),
        Column("result", _TEXT, "settled, void, or open"),
    ),
    "bets": (
        _TABLE,
        _ROUND,
        Column("box", _WHOLE, "The betting box"),
        Column("player", _TEXT, "The id of the player"),
        Column("bet", _TEXT, "The name of the bet"),
        Column("outcome", _TEXT, "win, lose, stand_off or returned"),
        Column("staked", _CENTS, "The chips that lay there"),
        Column("won", _CENTS, "Paid on top of the stake"),
        Column("returned", _CENTS, "What of the stake went back"),
        Column("rules", _TEXT, "The paragraphs, separated by semicolons"),
        _AT,
    ),
    "awards": (
        _TABLE,
        _ROUND,
        Column("box", _WHOLE, "The betting box"),
        Column("player", _TEXT, "The id of the player"),
        Column("hand", _TEXT, "The line of the jackpot table"),
        Column("amount", _CENTS, "What was paid"),
        Column("from_meter", _CENTS, "What of it the meter paid"),
        _AT,
    ),
    "entries": (
        Column("stream", _TEXT, "The stream of the record that moved the money"),
        Column("seq", _WHOLE, "The number of the record in its stream"),
        _AT,
        Column("account", _TEXT, "The account of the ledger"),
        Column("amount", _CENTS, "What came to the account, or below zero what left it"),
    ),
    "events": (
        Column("stream", _TEXT, "The stream of the record"),
        Column("seq", _WHOLE, "The number of the record in its stream"),
        _AT,
        Column("name", _TEXT, "The name in the vocabulary of the feed"),
        Column("type", _TEXT, "The type of the event on record"),
        Column("command", _TEXT, "The id of the command that caused it"),
    ),
    "meters": (
        _TABLE,
        Column("day", _WHOLE, "The day of UTC, counted from 1970-01-01, on which the rounds ended"),
        Column("games_played", _WHOLE, "Rounds that were settled"),
        Column("games_voided", _WHOLE, "Rounds that were void"),
        Column("wagered", _CENTS, "Stakes of bets that won, lost or stood off: the wagered amount"),
        Column("wagers_returned", _CENTS, "Stakes of bets that were not in play"),
        Column("paid", _CENTS, "Winnings and stakes that went back to players on bets in play"),
        Column("paid_by_meter", _CENTS, "What of it the progressive meter paid"),
        Column("net", _CENTS, "What the house won, without what the meter paid"),
    ),
}
"""Every exported table and its columns, in order. New columns come at the end."""

Write: TypeAlias = Callable[[str, Sequence[Value]], None]


def export_tables(store: Store, write: Write) -> dict[str, int]:
    """Read a journal at one moment and give every row to `write`; return the number of rows of each table."""
    counts = dict.fromkeys(TABLES, 0)

    def put(table: str, row: Sequence[Value]) -> None:
        counts[table] += 1
        write(table, row)

    with store.reading():
        editions = _editions(store)
        meters = _Meters()
        for stream in store.streams():
            _export_stream(store, stream, editions, meters, put)
        _export_entries(store, put)
        for row in meters.rows():
            put("meters", row)
    return counts


def _editions(store: Store) -> dict[str, str]:
    """Return the edition by which a table opened; a round names its own since there are several."""
    found = {}
    for record in store.read("house"):
        fact = house_fact(record)
        if isinstance(fact, TableOpened):
            found[fact.table] = fact.config.game
        elif isinstance(fact, TermsChanged) and fact.rulebook is not None:
            found[fact.table] = fact.rulebook.edition
    return found


def _export_stream(store: Store, stream: str, editions: Mapping[str, str], meters: _Meters, put: Write) -> None:
    kind, _, name = stream.partition("/")
    table = _TableRows(name, editions.get(name, ""), meters) if kind == "table" else None
    link = _LinkRows(meters) if kind == "link" else None
    for record in store.read(stream):
        told = event_name(stream, record.type)
        if told is not None:
            put("events", (stream, record.seq, record.at, told, record.type, record.command))
        if table is not None:
            for of, row in table.see(record):
                put(of, row)
        elif link is not None:
            link.see(record)
    rest = table.end() if table is not None else link.end() if link is not None else ()
    for of, row in rest:
        put(of, row)


class _TableRows:
    """One table's rounds: the lines of a round that is reopened are as if they had not been."""

    def __init__(self, table: str, edition: str, meters: _Meters) -> None:
        self._table, self._edition, self._meters = table, edition, meters
        self._opened: tuple[int, int, str] | None = None
        self._ended: tuple[int, str] | None = None
        self._lines: list[tuple[BetSettled, int]] = []
        self._awards: list[tuple[AwardPaid, int]] = []

    def see(self, record: Record) -> Iterator[tuple[str, ExportRow]]:
        fact = table_fact(record)
        match fact:
            case DeckCommitted() | DeckOpened():
                return
            case RoundOpened(number=number, rulebook=rulebook):
                yield from self.end()
                self._opened = (number, record.at, self._edition if rulebook is None else rulebook.edition)
            case BetSettled():
                self._lines.append((fact, record.at))
            case AwardPaid():
                self._awards.append((fact, record.at))
            case RoundSettled():
                self._ended = (record.at, "settled")
            case RoundVoided():
                self._ended = (record.at, "void")
            case RoundReopened(number=number):
                self._ended = None
                self._lines = [each for each in self._lines if each[0].round != number]
                self._awards = [each for each in self._awards if each[0].round != number]
            case _:
                return

    def end(self) -> Iterator[tuple[str, ExportRow]]:
        """Yield the rows of the round, which nothing can change any more."""
        if self._opened is not None:
            number, at, edition = self._opened
            ended, result = self._ended or (None, "open")
            yield "rounds", (self._table, number, edition, at, ended, result)
            if ended is not None:
                self._meters.ended(self._table, ended, result)
        for line, at in self._lines:
            yield "bets", bet_row(self._table, line, at)
            self._meters.line(self._table, line, at)
        for award, at in self._awards:
            yield "awards", self._meters.award(self._table, award, at)
        self._opened = self._ended = None
        self._lines, self._awards = [], []


class _LinkRows:
    """The award cases of a link: their lines belong to the rounds that won them."""

    def __init__(self, meters: _Meters) -> None:
        self._meters = meters
        self._cases: dict[int, tuple[CasePaid | CaseDenied, int]] = {}

    def see(self, record: Record) -> None:
        fact = link_fact(record)
        if isinstance(fact, CasePaid | CaseDenied):
            self._cases[fact.case] = (fact, record.at)
        elif isinstance(fact, AwardsReversed):
            self._cases = {n: each for n, each in self._cases.items() if (each[0].table, each[0].round) != fact.key}

    def end(self) -> Iterator[tuple[str, ExportRow]]:
        for fact, at in self._cases.values():
            yield "bets", bet_row(fact.table, fact.line, at)
            self._meters.line(fact.table, fact.line, at)
            for award in fact.awards if isinstance(fact, CasePaid) else ():
                yield "awards", self._meters.award(fact.table, award, at)


def bet_row(table: str, line: BetSettled, at: int) -> ExportRow:
    """Return the row of a settled bet."""
    outcome, rules = line.outcome.value, "; ".join(line.rules)
    return (
        table, line.round, line.box, line.player, line.bet, outcome, line.staked, line.won, line.returned, rules, at,
    )  # fmt: skip


class _Meters:
    """Sums by table and day."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, int], dict[str, Money]] = {}

    def _add(self, table: str, at: int, **amounts: Money) -> None:
        sums = self._sums.setdefault((table, at // DAY), {})
        for name, amount in amounts.items():
            sums[name] = sums.get(name, 0) + amount

    def ended(self, table: str, at: int, result: str) -> None:
        self._add(table, at, played=int(result == "settled"), voided=int(result == "void"))

    def line(self, table: str, line: BetSettled, at: int) -> None:
        if line.outcome.value == "returned":
            self._add(table, at, returned=line.staked)
        else:
            self._add(table, at, wagered=line.staked, paid=line.won + line.returned)

    def award(self, table: str, award: AwardPaid, at: int) -> ExportRow:
        """Count an award that was paid, and return its row."""
        taken = award.amount if award.from_meter else 0
        self._add(table, at, by_meter=taken)
        return table, award.round, award.box, award.player, award.hand, award.amount, taken, at

    def rows(self) -> Iterator[ExportRow]:
        for (table, day), sums in sorted(self._sums.items()):
            names = ("played", "voided", "wagered", "returned", "paid", "by_meter")
            played, voided, wagered, returned, paid, by_meter = (sums.get(name, 0) for name in names)
            yield table, day, played, voided, wagered, returned, paid, by_meter, wagered - paid + by_meter


def _export_entries(store: Store, put: Write) -> None:
    """Give every posting with the moment of its record; both come sorted by stream and number."""
    stream, moments = "", iter(())  # type: str, Iterator[Record]
    record: Record | None = None
    for row in store.rows("postings"):
        name, seq = str(row[0]), _whole(row, 1)
        if name != stream:
            stream, moments, record = name, store.read(name), None
        while record is None or record.seq < seq:
            record = next(moments)
        put("entries", (stream, seq, record.at, str(row[2]), _whole(row, 3)))


def _whole(row: Row, at: int) -> int:
    value = row[at]
    assert isinstance(value, int)
    return value
