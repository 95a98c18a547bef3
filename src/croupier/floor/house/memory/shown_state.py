"""What people are shown: the house as it is on disk, while the next commands are judged."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from croupier.floor.house.memory.player_memory import Memory
from croupier.floor.people.directory import Directory
from croupier.floor.people.people import People
from croupier.floor.records.examined_hands import NOTHING_HIDDEN
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.streams import table_stream
from croupier.floor.records.tables import Table
from croupier.jackpots.link import Link
from croupier.journal.store import Head, NameRow
from croupier.money import Money

T = TypeVar("T")


class CommittedState:
    """Committed tables, links, people and balances. Other threads read them, so a dictionary that they may be walking
    never grows: it is replaced.
    """

    def __init__(self, keys: Keys = NO_KEYS) -> None:
        """`keys` open decks in play."""
        self.keys = keys
        self.shown: dict[str, Table] = {}
        self.shown_links: dict[str, Link] = {}
        self.shown_people = People()
        self.shown_memory = Memory()
        self.shown_heads: Mapping[str, Head] = {}
        self.shown_balances: dict[str, Money] = {}
        self.booked: deque[Collection[str]] | None = None
        """Accounts whose balances were shown anew, for a reader that takes them; None where there is none."""
        self.directory = Directory()
        self._settled_heads: dict[str, Head] = {}
        """By stream: where a table of this server stood when its last Round was over."""

    def show_tables(self, tables: Iterable[Table], heads: Mapping[str, Head]) -> None:
        """Show tables that are on disk."""
        for table in tables:
            stream = table_stream(table.name)
            head = heads.get(stream)
            if head is not None and table.ours and table.round.stage in NOTHING_HIDDEN:
                self._settled_heads = _with(self._settled_heads, stream, head)
            self.shown = _with(self.shown, table.name, replace(table, seq=0 if head is None else head.seq))

    def show_table(self, table: Table) -> None:
        """Show a table that is on disk, with its last record."""
        self.shown = _with(self.shown, table.name, table)

    def show_link(self, name: str, link: Link) -> None:
        """Show a link that is on disk."""
        self.shown_links = _with(self.shown_links, name, link)

    def show_balances(self, held: Mapping[str, Money]) -> None:
        """Show balances that are on disk."""
        self.shown_balances.update(held)
        if self.booked is not None:
            self.booked.append(held.keys())

    def show_people(
        self, people: People, names: Mapping[str, NameRow], memory: Memory, heads: Mapping[str, Head]
    ) -> None:
        """Show people, what the house remembers of players, and where every stream stands."""
        self.shown_people, self.shown_memory, self.shown_heads = people, memory, dict(heads)
        if self.directory.names is not names or self.directory.persons is not people.persons:
            self.directory = Directory(names, people.persons)

    def public_heads(self) -> dict[str, Head]:
        """Return the heads that may be published: of a table, that of its last Round that is over.

        No record of a Round in play holds a hand that one player alone has seen, except looks of earlier releases. The
        hash over such a hand could be opened by trying every hand, since the ids of commands can be guessed.
        """
        tables = table_stream("")
        chains = {stream: head for stream, head in self.shown_heads.items() if not stream.startswith(tables)}
        return {**chains, **self._settled_heads}


def _with(held: dict[str, T], name: str, value: T) -> dict[str, T]:
    """Replace a value in place, or return a larger dictionary where the name is new."""
    if name not in held:
        return {**held, name: value}
    held[name] = value
    return held
