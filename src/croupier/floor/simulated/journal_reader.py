"""A journal's days as the simulation counts its own, from the records alone: rounds, stakes, results, the meter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec
from msgspec.structs import asdict

from croupier.floor.records.codec import link_fact, table_fact
from croupier.floor.records.facts import LinkOpened
from croupier.floor.records.streams import link_stream
from croupier.floor.simulated.lifetime import Day, summed_day
from croupier.floor.simulated.patrons import DAY, FIRST_DAY
from croupier.jackpots.events import CasePaid
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.journal.records import checked
from croupier.journal.store import Store
from croupier.money import Money
from croupier.rounds.events import AwardClaimed, AwardPaid, BetSettled, IncidentReported, RoundSettled, RoundVoided
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, Incident

Hit = tuple[int, str, int, str, Money]
"""Day, table, box, hand and amount of an award that the meter paid."""


class Read(msgspec.Struct, frozen=True):
    """What a journal says of its first days."""

    days: tuple[Day, ...]
    hits: list[Hit]
    link: Link


class _Sums(msgspec.Struct):
    """What tables say of one day."""

    rounds: int = 0
    voids: int = 0
    hands: int = 0
    staked: Money = 0
    table_win: Money = 0
    errors: Money = 0
    jackpot_bets: int = 0
    jackpot_staked: Money = 0
    fixed_awards: Money = 0
    from_meter: Money = 0


def day_at(at: int) -> int:
    """Return the simulated day of a moment."""
    return (at - int(FIRST_DAY.timestamp() * 1_000_000)) // DAY


def days_of(store: Store, link: str, days: int) -> Read:
    """Read a number of days from the first on."""
    sums = [_Sums() for _ in range(days)]
    with store.reading():
        for stream in store.streams():
            if stream.startswith("table/"):
                _add_table(store, stream, sums)
        hits: list[Hit] = []
        ends = list(_days_of_link(store, link, hits, days, sums))
    every = zip(sums, pairwise(ends), strict=True)
    found = tuple(summed_day(before, after, **asdict(each)) for each, (before, after) in every)
    return Read(found, hits, ends[-1])


def _add_table(store: Store, stream: str, sums: list[_Sums]) -> None:
    lines: list[BetSettled] = []
    antes: dict[int, Money] = {}
    for record in checked(store.read(stream)):
        fact, day = table_fact(record), sums[day_at(record.at)]
        match fact:
            case BetSettled():
                lines.append(fact)
            case AwardClaimed(staked=staked):
                day.jackpot_bets += 1
                day.jackpot_staked += staked
            case RoundVoided():
                day.voids += 1
                lines = []
            case RoundSettled():
                day.rounds += 1
                antes = {line.box: line.staked for line in lines if line.bet == ANTE_BET}
                _add_lines(lines, day)
                lines = []
            case AwardPaid(amount=amount):
                day.fixed_awards += amount
            case IncidentReported(report=report) if report.incident == Incident.LATE_ERROR:
                # An Ante that was paid and not collected: the House is short of both.
                day.errors += sum(2 * antes[box] for box in report.boxes)
            case _:
                pass


def _add_lines(lines: list[BetSettled], day: _Sums) -> None:
    for line in lines:
        if line.bet == JACKPOT_BET:
            day.jackpot_bets += 1
            day.jackpot_staked += line.staked
        else:
            day.hands += line.bet == ANTE_BET
            day.staked += line.staked
            day.table_win += line.staked - line.won - line.returned


def _days_of_link(store: Store, name: str, hits: list[Hit], days: int, sums: list[_Sums]) -> Iterator[Link]:
    """Yield the link as it was opened, and at the end of each day."""
    link: Link | None = None
    day = -1
    for record in checked(store.read(link_stream(name))):
        fact = link_fact(record)
        if isinstance(fact, LinkOpened):
            link = new_link(fact.meter, fact.parameters)
            yield link
            day = 0
            continue
        assert link is not None, "a link begins with its opening"
        while day_at(record.at) > day:
            yield link
            day += 1
        link = evolve_link(link, fact)
        if not isinstance(fact, CasePaid):
            continue
        for award in fact.awards:
            if award.from_meter:
                sums[day].from_meter += award.amount
                hits.append((day, fact.table, award.box, award.hand, award.amount))
            else:
                sums[day].fixed_awards += award.amount
    assert link is not None, "a link begins with its opening"
    while day < days:
        yield link
        day += 1
