"""The unit of work of one command: it reads the house, collects changes, and changes nothing itself."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.floor.house.memory.changes import Changes, SeldomChanges
from croupier.floor.house.memory.player_memory import Memory
from croupier.floor.house.memory.state import HouseState
from croupier.floor.people.people import People, evolve_people
from croupier.floor.records.codec import encode
from croupier.floor.records.commands import Request
from croupier.floor.records.people_facts import PeopleFact
from croupier.floor.records.refusals import Code, Refused, shortage
from croupier.floor.records.streams import PEOPLE, link_stream
from croupier.floor.records.tables import Table
from croupier.floor.records.upcasters import VERSIONS
from croupier.jackpots.decide import TermsOf
from croupier.jackpots.events import AnyLinkEvent
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link
from croupier.journal.records import GENESIS, Record, chain_hash
from croupier.journal.store import Head, LedgerRow
from croupier.ledger import accounts
from croupier.ledger.entries import Entry, link_entry
from croupier.money import MOST, Money, show
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms

_BEGINNING = Head(0, GENESIS)


class Transaction:
    """One command while it is judged. What it changes is in `changes`; the house applies them unless it is refused."""

    __slots__ = ("changes", "house", "request")

    def __init__(self, house: HouseState, request: Request) -> None:
        self.house, self.request = house, request
        self.changes = Changes()

    # ---------------------------------------------------------------- what the command finds

    def table(self, name: str) -> Table:
        """Return a table that this server runs; raises Refused."""
        table = self.house.tables.get(name)
        if table is None:
            known = ", ".join(self.house.tables) or "none"
            raise Refused(Code.UNKNOWN_TABLE, f'There is no table "{name}": the tables are {known}.')
        if not table.ours:
            raise Refused(Code.TABLE_ELSEWHERE, f"Table {name} is run by another server.")
        return table

    def round(self, table: Table) -> Round:
        """Return the Round of a table as this command has left it so far."""
        return self.changes.rounds.get(table.name, table.round)

    def link(self, name: str) -> Link:
        """Return a link as this command has left it so far; raises Refused."""
        link = self.changes.links.get(name) or self.house.links.get(name)
        if link is None:
            known = ", ".join(self.house.links) or "none"
            raise Refused(Code.UNKNOWN_LINK, f'There is no link "{name}": the links are {known}.')
        return link

    @property
    def memory(self) -> Memory:
        """What the house remembers of players, as this command has left it so far."""
        return self.changes.memory or self.house.memory

    def terms_on(self, link: str | None, acting: Table | None = None) -> TermsOf:
        """Return a function from tables of a link to their terms; the acting table's are of the Round it begins."""

        def find(name: str) -> Terms | None:
            if acting is not None and name == acting.name:
                return acting.terms
            table = self.house.tables.get(name)
            if table is None or link is None or table.config.link != link or table.terms.missing:
                return None
            return table.terms

        return find

    # ---------------------------------------------------------------- what the command changes

    @property
    def seldom(self) -> SeldomChanges:
        """The changes that few commands make."""
        if self.changes.seldom is None:
            self.changes.seldom = SeldomChanges()
        return self.changes.seldom

    def enter_link(self, name: str, events: Iterable[AnyLinkEvent]) -> None:
        """Record events of a link with their entries."""
        for event in events:
            self.enter_on_link(name, event, evolve_link(self.link(name), event))

    def enter_on_link(self, name: str, event: AnyLinkEvent, after: Link) -> None:
        """Record an event of a link, which leaves the link so, with its entry."""
        self.record(link_stream(name), event, link_entry(name, self.link(name), after, event))
        self.changes.links[name] = after

    @property
    def people(self) -> People:
        """The people of the house, as this command has left them so far."""
        return self.changes.people or self.house.people

    def enter_people(self, fact: PeopleFact, moved: Entry | None = None) -> None:
        """Record a fact about people, with its entry where it moves chips."""
        self.changes.people = evolve_people(self.people, fact)
        self.record(PEOPLE, fact, moved)

    def held(self, player: str) -> Money:
        """Return what a player holds in chips, as this command has left it so far."""
        account = accounts.player(player)
        return self.house.balances.get(account, 0) + self.changes.moved.get(account, 0)

    def touch(self, stream: str) -> None:
        """Have the answer say where this stream stands, though nothing is written to it."""
        self.changes.stood.setdefault(stream, (self.house.heads.get(stream) or _BEGINNING).seq)

    def record(self, stream: str, fact: msgspec.Struct, moved: Entry | None = None) -> None:
        """Add a record to a stream, and its entry to the ledger."""
        changes, request = self.changes, self.request
        head = changes.heads.get(stream) or self.house.heads.get(stream) or _BEGINNING
        kind = type(fact).__name__
        data = encode(fact)
        seq, version, at, command = head.seq + 1, VERSIONS.current.get(kind, 1), request.at, request.id
        chained = chain_hash(head.hash, stream, seq, kind, version, at, command, data)
        changes.records.append(Record(stream, seq, kind, version, at, command, data, chained))
        changes.heads[stream] = Head(seq, chained)
        if moved is not None:
            changes.entries.append(LedgerRow(stream, seq, moved.postings))
            sums = changes.moved
            for account, amount in moved.postings:
                sums[account] = sums.get(account, 0) + amount

    def check_readers(self, what: str) -> None:
        """Refuse to write what a server of an earlier release, which runs on the same database, could not read."""
        if self.house.store.has_older_servers():
            says = f"A server of an earlier release still runs and cannot read {what}: upgrade it first."
            raise Refused(Code.OLDER_SERVER, says)

    def check_funds(self) -> None:
        """Refuse a command that takes more from an account than it holds; the database would refuse it as well."""
        balances = self.house.balances
        for account, amount in self.changes.moved.items():
            held = balances.get(account, 0)
            if 0 <= held + amount <= MOST:
                continue
            if abs(held + amount) > MOST:
                raise Refused(Code.TOO_MUCH, f"{account} cannot hold more than {show(MOST)}.")
            if held + amount < 0 and not accounts.may_be_overdrawn(account):
                player = account.removeprefix(accounts.player(""))
                raise Refused(Code.INSUFFICIENT_FUNDS, shortage(player, held, -amount))
