"""What the house tells its fronts of the committed state: after a commit what has changed, and at first everything."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from croupier.floor.fronts.protocol import ClockNews, News, PeopleNews, Standing, TableNews, TermsNews
from croupier.floor.fronts.round_changes import changes_between
from croupier.floor.live.floor import Floor
from croupier.floor.people.people import People, Person, Session
from croupier.floor.records.streams import HOUSE, PEOPLE, PLAYERS
from croupier.floor.records.tables import Table
from croupier.jackpots.link import NO_CONTRIBUTIONS, NO_ROUNDS, Link
from croupier.journal.store import NameRow
from croupier.ledger import accounts
from croupier.money import Money
from croupier.structs import extended

K = TypeVar("K")
V = TypeVar("V")

_PLAYERS_ACCOUNTS = accounts.player("")
_SET = "set"
"""In place of the sealed secret of a second factor."""


class StateNews:
    """What the fronts of one house have been told. They are all told the same, so one memory is enough."""

    def __init__(self, floor: Floor) -> None:
        self._floor, self._house = floor, floor.house
        self._people = People()
        self._names: Mapping[str, NameRow] = {}
        self._house.booked = deque()
        self._people_since()
        self._tables = dict(self._house.shown)
        """As the fronts know them."""

    def whole(self) -> News:
        """Return everything, for a front that begins: tables as the other fronts know them, so that their next changes
        fit. Any other part of the next news may be in it already.
        """
        house, people = self._house, self._house.shown_people
        streams = (
            *(f"table/{name}" for name in self._tables),
            *(f"link/{name}" for name in house.shown_links),
            PEOPLE,
            PLAYERS,
        )
        return News(
            at=self._floor.now(),
            streams=streams,
            tables=[self._table_news(table, None) for table in self._tables.values()],
            links={name: _link_news(link) for name, link in house.shown_links.items()},
            balances={name: held for name, held in house.shown_balances.copy().items() if _is_a_players(name)},
            people=_people_news(People(), people, {}, house.directory.names),
            bars=self._bars(),
            is_whole=True,
        )

    def since(self, streams: Iterable[str]) -> News:
        """Return what has changed on these streams since the last time."""
        house = self._house
        tables: list[TableNews] = []
        links: dict[str, Link] = {}
        people: PeopleNews | None = None
        told = tuple(streams)
        names = {stream.partition("/")[2]: None for stream in told if stream.startswith("table/")}
        if HOUSE in told:
            names |= dict.fromkeys(name for name, table in house.shown.items() if self._is_new(table))
        for name in names:
            if (table := house.shown.get(name)) is not None:
                tables.append(self._table_news(table, self._tables.get(name)))
                self._tables[name] = table
        for stream in told:
            kind, _, name = stream.partition("/")
            if kind == "link":
                links[name] = _link_news(house.shown_links[name])
            elif stream == PEOPLE:
                people = self._people_since()
        return News(
            at=self._floor.now(),
            streams=told,
            tables=tables,
            links=links,
            balances=self._balances_since(),
            people=people,
            bars=self._bars() if PLAYERS in told else None,
        )

    def _is_new(self, table: Table) -> bool:
        before = self._tables.get(table.name)
        return before is None or not _stands(before, table)

    def _table_news(self, table: Table, before: Table | None) -> TableNews:
        """Return a table, or what has changed in it since `before`, which the fronts know."""
        clock = self._floor.clocks.clock(table.name)
        changes = None if before is None else changes_between(before.round, table.round)
        return TableNews(
            name=table.name,
            seq=table.seq,
            round=table.round if changes is None else None,
            changes=changes,
            commitment=table.commitment,
            since=self._floor.phases.since(table.name),
            restarted=self._floor.phases.restarted(table),
            clock=None if clock is None else ClockNews(clock.phase.name, clock.phase.seconds, clock.ends),
            standing=_standing(table) if before is None or not _stands(before, table) else None,
        )

    def _balances_since(self) -> dict[str, Money]:
        house, changed = self._house, dict[str, Money]()
        booked = house.booked
        assert booked is not None, "balances are taken here"
        while booked:
            for account in booked.popleft():
                if _is_a_players(account):
                    changed[account] = house.shown_balances[account]
        return changed

    def _people_since(self) -> PeopleNews:
        people, names = self._house.shown_people, self._house.directory.names
        told = _people_news(self._people, people, self._names, names)
        self._people, self._names = people, names
        return told

    def _bars(self) -> list[tuple[str, str, frozenset[str]]]:
        return [(*known, at) for known, at in self._house.shown_memory.bars.items()]


def _is_a_players(account: str) -> bool:
    return account.startswith(_PLAYERS_ACCOUNTS)


def _stands(before: Table, now: Table) -> bool:
    """Return whether the parts of a table that seldom change are as before; each is replaced where it does."""
    return (
        before.terms is now.terms
        and before.config is now.config
        and before.ours is now.ours
        and before.closed is now.closed
        and before.changes is now.changes
        and before.archived is now.archived
        and before.editions is now.editions
    )


def _standing(table: Table) -> Standing:
    changes = tuple(TermsNews(change.after, change.config, change.terms.pin) for change in table.changes)
    return extended(Standing, table, pin=table.terms.pin, changes=changes)


def _link_news(link: Link) -> Link:
    """Return a link without what only its own judgement needs: that grows with the tables, and no view shows it.

    What an open award waits for, and what may be done about it, depends on the Rounds that were dealt before.
    """
    dealt = link.dealt if link.open_cases else NO_ROUNDS
    return replace(link, contributions=NO_CONTRIBUTIONS, dealt=dealt, deals=NO_ROUNDS)


def _people_news(
    before: People, now: People, names: Mapping[str, NameRow], names_now: Mapping[str, NameRow]
) -> PeopleNews:
    persons = _changed(before.persons, now.persons)
    sessions = _changed(before.sessions, now.sessions)
    rows = _changed(names, names_now)
    return PeopleNews(
        persons={key: None if person is None else _without_secrets(person) for key, person in persons.items()},
        sessions={key: None if session is None else _without_csrf(session) for key, session in sessions.items()},
        names={key: None if row is None else replace(row, salt=b"") for key, row in rows.items()},
        play=_changed(before.play, now.play),
        consents=None if before.consents is now.consents else now.consents,
    )


def _without_secrets(person: Person) -> Person:
    """Return a person as fronts know them: passwords and codes are tried by the house."""
    return replace(person, secret="", factor=_SET if person.factor else "", recovery=())


def _without_csrf(session: Session) -> Session:
    return replace(session, csrf="", came_from="", browser="")


def _changed(before: Mapping[K, V], now: Mapping[K, V]) -> dict[K, V | None]:
    """Return what is new or another now; None for what is gone."""
    if before is now:
        return {}
    changed: dict[K, V | None] = {key: value for key, value in now.items() if before.get(key) is not value}
    if len(before) + sum(key not in before for key in changed) != len(now):
        changed |= dict.fromkeys(key for key in before if key not in now)
    return changed
