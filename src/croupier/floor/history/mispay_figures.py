"""What dealers' errors at the settlement cost: each mispay, and sums by dealer, table, bet and shift."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum

import msgspec

from croupier.floor.records.codec import table_fact
from croupier.floor.records.streams import table_stream
from croupier.floor.records.tables import Table
from croupier.floor.views.moments import moment_text
from croupier.journal.records import Record
from croupier.journal.store import Store, Wanted
from croupier.money import Money, show
from croupier.rounds import events
from croupier.structs import extended

SHIFT_HOURS = 8
"""Hours of a shift: three a gaming day, from 00:00 UTC on."""


class MispayState(StrEnum):
    """What became of a mispay."""

    OPEN = "open"
    PUT_RIGHT = "put_right"
    STANDS = "stands"
    """By a ruling, while its round was the last one."""
    LATE = "late"
    """Noticed after the next round had begun."""
    UNWOUND = "unwound"
    """Its settlement was unwound before it was put right."""


class MispayLine(msgspec.Struct, frozen=True, kw_only=True):
    """One mispay."""

    at: str
    table: str
    game: str
    round: int
    box: int
    player: str
    bet: str
    over: str
    """What the player was overpaid; below zero what they were underpaid."""
    dealer: str
    """Who settled the round; empty where the journal does not say."""
    found_by: str
    state: MispayState
    by: str
    """Who put it right or let it stand."""
    text: str
    rules: tuple[str, ...]
    shift: str


class MispaySum(msgspec.Struct, frozen=True, kw_only=True):
    """Mispays of one dealer, table, bet or shift."""

    of: str
    count: int
    overpaid: str
    underpaid: str
    cost: str
    """What the House has lost by those that were not put right; below zero what it has kept."""


class MispayFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The mispays of some hours, the newest first, and their sums, the dearest first."""

    since: str
    until: str
    mispays: list[MispayLine]
    total: MispaySum
    by_dealer: list[MispaySum]
    by_table: list[MispaySum]
    by_bet: list[MispaySum]
    by_shift: list[MispaySum]


class _Mispay(msgspec.Struct):
    line: MispayLine
    over: Money
    at: int


def mispay_figures(store: Store, tables: Sequence[Table], since: int, until: int) -> MispayFigures:
    """Count the mispays that were found in these microseconds at these tables."""
    found = [each for table in tables for each in _at_table(store, table, since, until)]
    found.sort(key=lambda each: each.at, reverse=True)
    return MispayFigures(
        since=moment_text(since),
        until=moment_text(until),
        mispays=[each.line for each in found],
        total=_sum("all", found),
        by_dealer=_sums(found, lambda line: line.dealer),
        by_table=_sums(found, lambda line: line.table),
        by_bet=_sums(found, lambda line: line.bet),
        by_shift=_sums(found, lambda line: line.shift),
    )


def shift_of(at: int) -> str:
    """Name the shift of a moment, as in "2026-11-18 08:00"."""
    moment = datetime.fromtimestamp(at / 1_000_000, UTC)
    return f"{moment.date()} {moment.hour // SHIFT_HOURS * SHIFT_HOURS:02}:00"


def _at_table(store: Store, table: Table, since: int, until: int) -> list[_Mispay]:
    stream = table_stream(table.name)
    before = store.rounds(stream, Wanted(until=since, limit=1))
    found: list[_Mispay] = []
    dealers: dict[int, str] = {}
    for record in store.read(stream, before[0].seq - 1 if before else 0):
        if record.at >= until:
            break
        fact = table_fact(record)
        match fact:
            case (
                events.RoundOpened(number=number)
                | events.RoundSettled(number=number)
                | events.RoundVoided(number=number)
            ):
                dealers[number] = _person(record)
            case events.MispayFound(round=number) if record.at >= since:
                line = _line(table, record, fact, dealers.get(number, ""))
                found.append(_Mispay(line, fact.over, record.at))
            case events.MispayNoted(round=number) if record.at >= since:
                dealer = dealers.get(number) or _settler(store, stream, number)
                found.append(_Mispay(_line(table, record, fact, dealer), fact.over, record.at))
            case events.MispayResolved():
                state = MispayState.PUT_RIGHT if fact.put_right else MispayState.STANDS
                _end(found, state, fact)
            case events.RoundReopened():
                _end(found, MispayState.UNWOUND, None)
            case _:
                pass
    return found


def _line(table: Table, record: Record, fact: events.MispayFound | events.MispayNoted, dealer: str) -> MispayLine:
    late = isinstance(fact, events.MispayNoted)
    return extended(
        MispayLine,
        fact,
        at=moment_text(record.at),
        table=table.name,
        game=table.terms.book.game,
        over=show(fact.over),
        dealer=dealer,
        found_by=fact.who,
        state=MispayState.LATE if late else MispayState.OPEN,
        by=fact.who if late else "",
        text=fact.text if isinstance(fact, events.MispayNoted) else "",
        shift=shift_of(record.at),
    )


def _end(found: list[_Mispay], state: MispayState, resolved: events.MispayResolved | None) -> None:
    """Say what became of the mispay that is open, where it was found in these hours."""
    last = next((each for each in reversed(found) if each.line.state is not MispayState.LATE), None)
    if last is None or last.line.state is not MispayState.OPEN:
        return
    by, text = ("", "") if resolved is None else (resolved.who, resolved.text)
    rules = last.line.rules if resolved is None else resolved.rules
    last.line = msgspec.structs.replace(last.line, state=state, by=by, text=text, rules=rules)


def _person(record: Record) -> str:
    """Return who sent the command of a record: the ids of commands begin with their person."""
    person, colon, _ = record.command.partition(":")
    return person if colon else ""


def _settler(store: Store, stream: str, number: int) -> str:
    """Return who settled an earlier Round."""
    newest = store.rounds(stream, Wanted(limit=1))
    last = table_fact(newest[0]) if newest else None
    if not isinstance(last, events.RoundOpened) or number >= last.number:
        return ""
    for opening in store.rounds(stream, Wanted(skip=last.number - number, limit=1)):
        for record in store.read(stream, opening.seq):
            if record.type in (events.RoundSettled.__name__, events.RoundVoided.__name__):
                return _person(record)
    return ""


def _sums(found: Iterable[_Mispay], of: Callable[[MispayLine], str]) -> list[MispaySum]:
    groups: dict[str, list[_Mispay]] = {}
    for each in found:
        groups.setdefault(of(each.line), []).append(each)
    costly = sorted(groups.items(), key=lambda group: sum(abs(each.over) for each in group[1]), reverse=True)
    return [_sum(name, group) for name, group in costly]


def _sum(of: str, found: Sequence[_Mispay]) -> MispaySum:
    left = (MispayState.STANDS, MispayState.LATE, MispayState.OPEN)
    return MispaySum(
        of=of,
        count=len(found),
        overpaid=show(sum(each.over for each in found if each.over > 0)),
        underpaid=show(-sum(each.over for each in found if each.over < 0)),
        cost=show(sum(each.over for each in found if each.line.state in left)),
    )
