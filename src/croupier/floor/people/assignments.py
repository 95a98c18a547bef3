"""Where staff work: a person with assigned pits or tables acts there, and is refused elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.floor.duties.permissions import Post
from croupier.floor.people.people import Person
from croupier.floor.records.commands import TableConfig


def is_assignable(person: Person) -> bool:
    """Return whether a person can be assigned to tables: only a post with a role in the rules is."""
    return person.post.role is not None


def is_assigned(person: Person, table: str, pit: str) -> bool:
    """Return whether a person works at a table; a post without a role in the rules is not assigned to tables."""
    if not is_assignable(person) or not (person.pits or person.tables):
        return True
    return table in person.tables or pit in person.pits


def left_table(person: Person, table: str) -> str:
    """Say that a dealer has handed a table over; empty where they have not."""
    if person.post is not Post.DEALER or table not in person.handed_over:
        return ""
    return f"{person.name} has handed table {table} over: a hand-over back comes before any further step there."


def refusal(person: Person, table: str, config: TableConfig) -> str:
    """Say why a person may not act at a table; empty where they may.

    A dealer who has handed it over has left it; a supervisor or manager keeps the authority of the post.
    """
    if left := left_table(person, table):
        return left
    if is_assigned(person, table, config.pit):
        return ""
    return f"{person.name} works {where(person)}: table {table} is in pit {config.pit}."


def refusal_on(person: Person, link: str, tables: Iterable[tuple[str, TableConfig]]) -> str:
    """Say why a person may not act on a link, which concerns all its tables; empty where they may."""
    for name, config in tables:
        if config.link == link and (why := refusal(person, name, config)):
            return f"A command to the link {link} concerns all its tables. {why}"
    return ""


def where(person: Person) -> str:
    """Say where a person works."""
    pits = [f"in pit {pit}" for pit in person.pits]
    tables = [f"at table {table}" for table in person.tables]
    return " and ".join([*pits, *tables]) or "everywhere"
