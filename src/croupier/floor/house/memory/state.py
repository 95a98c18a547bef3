"""The state of a house in memory. While a batch is judged it is ahead of the disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.floor.house.memory.changes import Changes, SeldomChanges
from croupier.floor.house.memory.cuts import cut_snapshot
from croupier.floor.house.memory.player_memory import Memory
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.house.memory.snapshots import SNAPSHOT_AFTER, snapshot_of
from croupier.floor.people.people import People
from croupier.floor.records.committed_decks import Chance
from croupier.floor.records.examined_hands import hides_cards
from croupier.floor.records.facts import TableArchived
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.streams import PEOPLE, link_stream, table_stream
from croupier.floor.records.tables import Table
from croupier.jackpots.link import Link
from croupier.journal.store import Batch, Cut, Head, NameRow, Snapshot, Store
from croupier.ledger import accounts
from croupier.money import Money
from croupier.rounds.state import Round


class HouseState(CommittedState):
    """Tables, links, people and balances. One thread changes them: by `apply`, or by reading the journal."""

    def __init__(
        self, store: Store, chance: Chance, *, runs: Callable[[str], bool] | None = None, keys: Keys = NO_KEYS
    ) -> None:
        """`runs` chooses the tables that this server takes at its start; None takes all. `keys` seal decks in play."""
        super().__init__(keys)
        self.store, self.chance = store, chance
        self._runs = runs
        self.taken: set[str] = set()
        """Tables that this server opened or took over."""
        self.left_alone: frozenset[str] = frozenset()
        """Tables left to the servers that ran them before a lost connection."""
        self.clear()

    def clear(self) -> None:
        """Forget everything that the journal holds."""
        self.tables: dict[str, Table] = {}
        self.links: dict[str, Link] = {}
        self.unlocked: Mapping[str, Link] = {}
        """Links of a shared store that this batch has read and not locked, as they were; `links` is ahead of them."""
        self.people = People()
        self.memory = Memory()
        self.names: Mapping[str, NameRow] = {}
        self.heads: dict[str, Head] = {}
        self.snapshotted: dict[str, int] = {}
        """By stream: the last record that its snapshot covers."""
        self.balances: dict[str, Money] = {}
        self.overdrawable: dict[str, bool] = {}
        self.unopened: dict[str, str] = {}
        """By table: why the deck of its Round cannot be opened."""
        self.moved: set[str] = set()
        """Streams of tables and links that changed since they were last shown."""
        self.moved_accounts: set[str] = set()

    def is_to_run(self, table: str) -> bool:
        """Return whether this server takes a table that no other server runs."""
        if table in self.left_alone:
            return False
        return self._runs is None or self._runs(table) or table in self.taken

    # ---------------------------------------------------------------- changes

    def apply(self, changes: Changes, batch: Batch) -> None:
        """Put an accepted command into effect: in memory now, on disk with the batch."""
        seldom = changes.seldom
        if seldom is not None:
            self._apply_to_terms(seldom)
        for name, state in changes.rounds.items():
            self.tables[name].round = state
            self.moved.add(table_stream(name))
        for name, decks in changes.decks_in_play.items():
            table = self.tables[name]
            table.decks = decks
            deal = (table.round.number, table.round.deals)
            if deal in decks:
                table.commitment = decks[deal].commitment
        for name, link in changes.links.items():
            self.links[name] = link
            self.moved.add(link_stream(name))
            batch.links[name] = b""
        if seldom is not None:
            self._apply_to_names(seldom, batch)
        if changes.people is not None:
            self._apply_to_people(changes.people, batch)
        if changes.memory is not None:
            self.memory = changes.memory
        self.heads.update(changes.heads)
        self._apply_to_accounts(changes.moved, batch)
        batch.records.extend(changes.records)
        batch.entries.extend(changes.entries)
        batch.decks.extend(changes.sealed_decks)
        batch.opened_decks.extend(changes.opened_decks)
        for fact, cut in () if seldom is None else seldom.archived:
            self._apply_archive(fact, cut, batch)
        self._snapshot_due(changes.heads, batch)

    def _apply_to_terms(self, seldom: SeldomChanges) -> None:
        """Open and close tables, and change their terms."""
        for table in seldom.opened:
            self.tables[table.name] = table
            self.taken.add(table.name)
            self.moved.add(table_stream(table.name))
        for name, closed in seldom.closed.items():
            self.tables[name].closed = closed
            self.moved.add(table_stream(name))
        for name, change in seldom.terms.items():
            table = self.tables[name]
            table.changes = (*(other for other in table.changes if other.after < change.after), change)
            self.moved.add(table_stream(name))
        for name, editions in seldom.editions.items():
            self.tables[name].editions = editions
            self.moved.add(table_stream(name))
        for name, change in seldom.begun.items():
            self.tables[name].play_on(change)

    def _apply_archive(self, fact: TableArchived, cut: Cut, batch: Batch) -> None:
        batch.archived.append(cut)
        table = self.tables[fact.table]
        table.archived = (*table.archived, fact)
        # The next start goes on from here, since the records before have left.
        stream = table_stream(fact.table)
        state = self._state_to_keep(stream)
        self._keep(cut_snapshot(fact) if state is None else snapshot_of(stream, self.heads[stream], state), batch)
        self.moved.add(stream)

    def _apply_to_names(self, seldom: SeldomChanges, batch: Batch) -> None:
        """Change names and the origins of sessions. What comes and goes within one batch is not written."""
        if seldom.names or seldom.erased:
            self.names = {k: r for k, r in self.names.items() if k not in seldom.erased} | seldom.names
            batch.erased.extend(seldom.erased)
            batch.names = {k: r for k, r in batch.names.items() if k not in seldom.erased} | seldom.names
        if seldom.origin is not None:
            batch.origins[seldom.origin.session] = seldom.origin

    def _apply_to_people(self, people: People, batch: Batch) -> None:
        """Change people, and drop the origins of sessions that have ended."""
        before, after = self.people.sessions, people.sessions
        if before is not after and len(after) <= len(before):
            ended = before.keys() - after.keys()
            batch.ended.extend(ended)
            batch.origins = {session: o for session, o in batch.origins.items() if session not in ended}
        self.people = people

    def _apply_to_accounts(self, moved: Mapping[str, Money], batch: Batch) -> None:
        self.moved_accounts.update(moved)
        for account, amount in moved.items():
            if account not in self.balances:
                self.balances[account] = 0
                self.overdrawable[account] = batch.opened_accounts[account] = accounts.may_be_overdrawn(account)
            self.balances[account] += amount

    def _snapshot_due(self, heads: Mapping[str, Head], batch: Batch) -> None:
        """Add to the batch a snapshot of every stream that has moved far enough since its last one."""
        for stream, head in heads.items():
            if head.seq - self.snapshotted.get(stream, 0) >= SNAPSHOT_AFTER:
                state = self._state_to_keep(stream)
                if state is not None:
                    self._keep(snapshot_of(stream, head, state), batch)

    def _state_to_keep(self, stream: str) -> Round | Link | People | None:
        """Return what a snapshot of a stream holds; None where there is none, or not as long as a Round hides cards
        that a Player has looked at.
        """
        kind, _, name = stream.partition("/")
        if kind == "table":
            state = self.tables[name].round
            return None if hides_cards(state) else state
        if kind == "link":
            return self.links[name]
        return self.people if stream == PEOPLE else None

    def _keep(self, snapshot: Snapshot, batch: Batch) -> None:
        batch.snapshots = [other for other in batch.snapshots if other.stream != snapshot.stream]
        batch.snapshots.append(snapshot)
        self.snapshotted[snapshot.stream] = snapshot.seq

    # ---------------------------------------------------------------- what is on disk

    def show_moved(self) -> None:
        """Show what the batch changed, after it is on disk."""
        moved = [stream.partition("/") for stream in self.moved]
        self.show_tables([self.tables[name] for kind, _, name in moved if kind == "table"], self.heads)
        for kind, _, name in moved:
            if kind == "link":
                self.show_link(name, self.links[name])
        self.show_house()
        self.show_balances({account: self.balances[account] for account in self.moved_accounts})
        self.moved.clear()
        self.moved_accounts.clear()

    def show_house(self) -> None:
        """Show people, memory and heads as they are on disk."""
        self.show_people(self.people, self.names, self.memory, self.heads)

    def set_balances(self, held: Mapping[str, Money]) -> None:
        """Take balances from the disk, where other servers may have changed them."""
        self.balances.update(held)
        self.show_balances(held)
