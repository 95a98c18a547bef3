"""What handlers ask for by name: the floor, the person, the table, and what the server keeps beside the house."""

from __future__ import annotations

from typing import TypeAlias

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, SkipValidation

from croupier.floor.live.floor import Floor
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.people.people import Person
from croupier.floor.records.tables import Table
from croupier.floor.server.errors import ApiError
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.settings import Settings
from croupier.jackpots.link import Link

HttpRequest: TypeAlias = Request[Person | None, object, State]
TheFloor: TypeAlias = SkipValidation[NamedDependency[Floor]]
TheLiveFloor: TypeAlias = SkipValidation[NamedDependency[LiveFloor]]
"""The floor, for routes that fronts serve too."""
TheSessions: TypeAlias = SkipValidation[NamedDependency[Sessions]]
TheSettings: TypeAlias = SkipValidation[NamedDependency[Settings]]
ThePerson: TypeAlias = SkipValidation[NamedDependency[Person]]
"""Who is logged in; only for routes that are not public."""
TheTable: TypeAlias = SkipValidation[NamedDependency[Table]]
"""The table that the address names."""


def _kept(name: str) -> Provide:
    """Provide what the application's state keeps under this name."""

    def give(state: State) -> object:
        return state[name]

    return Provide(give, sync_to_thread=False)


def _person(request: HttpRequest) -> Person:
    person = request.scope["user"]
    assert isinstance(person, Person), "the guard requires a session"
    return person


def table_named(floor: LiveFloor, name: str) -> Table:
    """Return a table that this server runs; raises ApiError where another server runs it, or where there is none."""
    table = floor.table(name)
    if table is not None:
        return table
    if name in floor.house.shown:
        raise ApiError(409, "table_elsewhere", f"Table {name} is run by another server.")
    raise ApiError(404, "unknown_table", f"There is no table {name[:40]}.")


def link_named(floor: LiveFloor, name: str) -> Link:
    """Return a link; raises ApiError where there is none."""
    link = floor.house.shown_links.get(name)
    if link is None:
        raise ApiError(404, "unknown_link", f"There is no link {name[:40]}.")
    return link


def _table(floor: TheLiveFloor, name: FromPath[str]) -> Table:
    return table_named(floor, name)


KEPT = ("floor", "sessions", "settings", "coach", "recount", "searches", "feed", "open_calls", "lapsed", "requests")
DEPENDENCIES = {
    **{name: _kept(name) for name in KEPT},
    "person": Provide(_person, sync_to_thread=False),
    "table": Provide(_table, sync_to_thread=False),
}
