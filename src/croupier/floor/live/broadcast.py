"""Who follows what, and news of it: each view is built and encoded once for all who see the same, and then patched."""

from __future__ import annotations

import asyncio
from functools import partial

import msgspec

from croupier.floor.duties.permissions import Post
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.live.clocks import TableClocks
from croupier.floor.live.follower_groups import ONLOOKERS, Audience, Following, audience_key, link_key
from croupier.floor.live.phases import PhaseMoments
from croupier.floor.live.watcher import Watcher
from croupier.floor.people.directory import Directory
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer
from croupier.floor.records.tables import Table
from croupier.floor.views import live_messages as messages
from croupier.floor.views.account_views import account_view
from croupier.floor.views.award_views import link_view
from croupier.floor.views.table_patches import changed_fields, table_patch
from croupier.floor.views.table_views import Memory, live_view
from croupier.floor.views.terms_views import FloorTable, floor_table
from croupier.jackpots.link import Case
from croupier.ledger import accounts
from croupier.structs import extended

PIT = "pit"
"""Who follows this follows every table's line in the lobby."""

_NOBODY: frozenset[str] = frozenset()


class Broadcast:
    """The watchers of one server. A topic that nobody follows costs nothing."""

    def __init__(self, house: CommittedState, clocks: TableClocks, phases: PhaseMoments) -> None:
        self._house, self._clocks, self._phases = house, clocks, phases
        self._loop = asyncio.get_running_loop()
        self.watchers: set[Watcher] = set()
        self._of_person: dict[str, dict[Watcher, None]] = {}
        self._tables: dict[str, Following] = {}
        self._followers: dict[str, dict[Watcher, None]] = {}
        """Who follows a link, or the floor."""
        self.link_pause = 0.5
        """Seconds between two messages about one meter."""
        self._links_told: dict[str, float] = {}
        self._links_waiting: dict[str, asyncio.TimerHandle] = {}
        self._lines_told: dict[str, tuple[FloorTable, float | None]] = {}
        """Of the floor, as those who follow it know them."""
        self._signers: dict[str, tuple[tuple[Case, ...], frozenset[str]]] = {}
        """By link: its cases, and who has signed for the open ones."""
        self._directory = house.directory
        self._persons = house.shown_people.persons
        """As the watchers were shown what they may do."""

    # ---------------------------------------------------------------- watchers

    def join(self, watcher: Watcher) -> None:
        watcher.fresh = partial(self._fresh, watcher)
        self.watchers.add(watcher)
        if watcher.person is not None:
            self._of_person.setdefault(watcher.person.name, {})[watcher] = None

    def leave(self, watcher: Watcher) -> None:
        watcher.close()
        self.watchers.discard(watcher)
        for topic in tuple(watcher.follows):
            self.unfollow(watcher, topic)
        if watcher.person is not None and (own := self._of_person.get(watcher.person.name)) is not None:
            own.pop(watcher, None)
            if not own:
                del self._of_person[watcher.person.name]

    def follow(self, watcher: Watcher, topic: str) -> None:
        """Follow a topic from now on, unless the watcher has left; its state is sent at once."""
        if watcher not in self.watchers:
            return
        watcher.follows.add(topic)
        kind, _, name = topic.partition("/")
        if kind == "table":
            self._enter(watcher, name)
        else:
            if topic == PIT and topic not in self._followers:
                self._lines_told = {table.name: self._line(table) for table in self._house.shown.values()}
            self._followers.setdefault(topic, {})[watcher] = None
            for part in self._parts(topic):
                watcher.put(part, self._encoded(part, watcher.person))

    def _parts(self, topic: str) -> list[str]:
        """Return the topics behind one that is followed: of the floor, the line of every table of this server."""
        if topic != PIT:
            return [topic]
        return [f"pit/{table.name}" for table in self._house.shown.values() if table.ours]

    def unfollow(self, watcher: Watcher, topic: str) -> None:
        watcher.follows.discard(topic)
        kind, _, name = topic.partition("/")
        if kind == "table" and (following := self._tables.get(name)) is not None:
            following.remove(watcher)
            if not following.keys:
                del self._tables[name]
        followers = self._followers.get(topic)
        if followers is not None:
            followers.pop(watcher, None)
            if not followers:
                del self._followers[topic]
                if topic == PIT:
                    self._lines_told.clear()

    def answer(self, watcher: Watcher, message: messages.ServerMessage) -> None:
        """Send an answer, with the names that the watcher may know."""
        watcher.answer(self._told(watcher.person, message))

    # ---------------------------------------------------------------- tables

    def _enter(self, watcher: Watcher, name: str) -> None:
        """Add a follower of a table and send the whole view; others of the audience get what they do not have yet."""
        self._publish_table(name)
        table = self._house.shown[name]
        following = self._tables.setdefault(name, Following())
        following.remove(watcher)
        if watcher.person is not None and watcher.person.name in self._named_at(table, following):
            following.apart |= {watcher.person.name}
        self._admit(following, watcher, table)

    def _admit(self, following: Following, watcher: Watcher, table: Table) -> None:
        person, key = watcher.person, audience_key(watcher.person, following.apart)
        audience = following.audiences.get(key)
        if audience is None:
            memory = Memory(following.memory)
            view, ends = live_view(self._house, table, person, memory), self._clocks.ends(table.name)
            audience = Audience(person, memory, view, ends, self._phases.entered(table))
            if person is not None and person.post is Post.PLAYER and key != ONLOOKERS:
                audience.account = accounts.player(person.name)
                audience.balance = self._house.shown_balances.get(audience.account, 0)
        following.add(watcher, key, audience)
        watcher.put(f"table/{table.name}", self._whole(audience))

    def _publish_table(self, name: str) -> None:
        """Send each audience of a table what has changed for it."""
        following = self._tables.get(name)
        table = self._house.shown.get(name)
        if following is None or table is None:
            return
        named = self._named_at(table, following)
        apart = following.seen_apart(table.round.number, named)
        moved, following.apart = apart ^ following.apart, apart
        for person in moved:
            self._regroup(following, person, table)
        ends = self._clocks.ends(name)
        for audience in following.audiences.values():
            self._move(audience, table, ends)

    def _regroup(self, following: Following, name: str, table: Table) -> None:
        """Move the connections of a person to the audience that they belong to now."""
        moved = [watcher for watcher in following.of_person.get(name, ()) if watcher.person is not None]
        for watcher in moved:
            if audience_key(watcher.person, following.apart) != following.keys[watcher]:
                following.remove(watcher)
                self._admit(following, watcher, table)
        if moved and moved[0].person is not None and moved[0].person.post is Post.PLAYER:
            self.tell_account(name)

    def _named_at(self, table: Table, following: Following) -> frozenset[str]:
        """Return the people who see something of their own at a table."""
        named = following.named(table.round)
        if table.config.link is not None and (signers := self._signers_on(table.config.link)):
            named |= signers
        if bars := self._house.shown_memory.bars:
            operator = table.terms.book.document.operator
            named = named.union(player for by, player in bars if by == operator)
        return named

    def _move(self, audience: Audience, table: Table, ends: float | None) -> None:
        before, view = audience.view, live_view(self._house, table, audience.person, audience.memory)
        audience.view = view
        message: bytes | None = None
        if len(view.boxes) != len(before.boxes):
            audience.version, audience.ends, audience.entered = audience.version + 1, ends, self._phases.entered(table)
            message = self._whole(audience)
        else:
            changed = changed_fields(before, view)
            if ends != audience.ends:
                audience.ends = ends
                changed["clock"] = self._clocks.left(table.name)
            if (entered := self._phases.entered(table)) != audience.entered:
                audience.entered = entered
                changed["phase"] = self._phases.of(table)
            if changed:
                patch = table_patch(table.name, audience.version, changed)
                audience.version += 1
                message = self._told(audience.person, patch)
        if message is not None:
            topic = f"table/{table.name}"
            for watcher in audience.watchers:
                watcher.put(topic, message)
        if audience.account is not None and audience.person is not None:
            balance = self._house.shown_balances.get(audience.account, 0)
            if balance != audience.balance:
                audience.balance = balance
                self.tell_account(audience.person.name)

    def _whole(self, audience: Audience) -> bytes:
        """Encode the view that an audience has, with its clock as it stands now."""
        name = audience.view.table
        clock, phase = self._clocks.left(name), self._phases.of(self._house.shown[name])
        whole = extended(messages.TableMessage, audience.view, clock=clock, phase=phase, version=audience.version)
        return self._told(audience.person, whole)

    def _signers_on(self, name: str) -> frozenset[str]:
        """Return the people who have signed for open awards of a link."""
        link = self._house.shown_links.get(name)
        if link is None or not link.cases:
            return _NOBODY
        known = self._signers.get(name)
        if known is None or known[0] is not link.cases:
            signers = frozenset(person for case in link.open_cases for person in case.signed)
            known = self._signers[name] = (link.cases, signers)
        return known[1]

    def let_go(self, ours: set[str]) -> None:
        """Tell the followers of tables that another server runs now, and end their subscriptions."""
        for name in [name for name in self._tables if name not in ours]:
            told = Answer(accepted=False, code="table_elsewhere", message=f"Table {name} is run by another server.")
            for watcher in tuple(self._tables[name].keys):
                self.answer(watcher, messages.answer_message(None, told, name))
                self.unfollow(watcher, f"table/{name}")

    def names_changed(self) -> None:
        """Send all views anew where a name that was known was erased or changed."""
        before, self._directory = self._directory, self._house.directory
        if before.names is self._directory.names or _still_known(before, self._directory):
            return
        for name, following in self._tables.items():
            for audience in following.audiences.values():
                message = self._whole(audience)
                for watcher in audience.watchers:
                    watcher.put(f"table/{name}", message)

    def people_changed(self) -> None:
        """Show everybody who follows a table what they may do there now: they may have handed it over, or taken it."""
        persons = self._house.shown_people.persons
        if persons is self._persons:
            return
        self._persons = persons
        for name, watchers in self._of_person.items():
            person = persons.get(name)
            if person is None or all(watcher.person is person for watcher in watchers):
                continue
            for watcher in watchers:
                watcher.person = person
            for table, following in self._tables.items():
                if name in following.of_person:
                    self._regroup(following, name, self._house.shown[table])

    # ---------------------------------------------------------------- news

    def publish(self, topic: str) -> None:
        """Send news of a topic to its followers, each as they may see it."""
        kind, _, name = topic.partition("/")
        if kind == "table":
            self._publish_table(name)
        elif kind == "link":
            self._publish_link(topic, name)
        elif kind == "pit":
            self._publish_line(topic, name)

    def _publish_link(self, topic: str, name: str) -> None:
        encoded: dict[str, bytes] = {}
        followers = self._followers.get(topic)
        signers = self._signers_on(name) if followers else _NOBODY
        for watcher in followers or ():
            key = link_key(watcher.person, signers)
            if key not in encoded:
                encoded[key] = self._encoded(topic, watcher.person)
            watcher.put(topic, encoded[key])

    def _publish_line(self, topic: str, name: str) -> None:
        followers = self._followers.get(PIT)
        if not followers:
            return
        line = self._line(self._house.shown[name])
        if self._lines_told.get(name) == line:
            return
        self._lines_told[name] = line
        encoded: dict[str, bytes] = {}
        for watcher in followers:
            key = audience_key(watcher.person)
            if key not in encoded:
                encoded[key] = self._encoded(topic, watcher.person)
            watcher.put(topic, encoded[key])

    def _line(self, table: Table) -> tuple[FloorTable, float | None]:
        """Return the line of a table, and when its clock runs out."""
        return floor_table(table), self._clocks.ends(table.name)

    def publish_meter(self, topic: str) -> None:
        """Publish a link at once, then at most once per `link_pause` however fast its meter moves."""
        if topic not in self._followers:
            return
        now = self._loop.time()
        due = self._links_told.get(topic, -self.link_pause) + self.link_pause
        if now < due and topic not in self._links_waiting:
            self._links_waiting[topic] = self._loop.call_at(due, self._link_due, topic)
        elif now >= due:
            self._links_told[topic] = now
            self.publish(topic)

    def _link_due(self, topic: str) -> None:
        self._links_waiting.pop(topic, None)
        self._links_told[topic] = self._loop.time()
        self.publish(topic)

    def tell_account(self, player: str) -> None:
        """Show a player, on their own screens only, what has just been booked."""
        topic = f"account/{player}"
        for watcher in self._of_person.get(player, ()):
            watcher.put(topic, self._encoded(topic, watcher.person))

    def tell_accounts(self) -> None:
        """Show every player who watches their account."""
        for watcher in self.watchers:
            if watcher.person is not None and watcher.person.post is Post.PLAYER:
                watcher.put(f"account/{watcher.person.name}", self._account(watcher.person))

    def _account(self, person: Person) -> bytes:
        return self._encoded(f"account/{person.name}", person)

    # ---------------------------------------------------------------- messages

    def _fresh(self, watcher: Watcher, topic: str) -> bytes | None:
        """Make the present state of a topic for a watcher who has missed something of it."""
        kind, _, name = topic.partition("/")
        if kind == "table":
            following = self._tables.get(name)
            audience = None if following is None else following.of(watcher)
            return None if audience is None else self._whole(audience)
        if kind != "account" and (PIT if kind == "pit" else topic) not in watcher.follows:
            return None
        return self._encoded(topic, watcher.person)

    def _encoded(self, topic: str, person: Person | None) -> bytes:
        """Encode the state of a link, an account or a line of the floor."""
        kind, _, name = topic.partition("/")
        if kind == "link":
            return self._told(person, extended(messages.LinkMessage, link_view(self._house, name, person)))
        if kind == "account":
            assert person is not None, "a person sees only their own account"
            return self._told(person, extended(messages.AccountMessage, account_view(self._house, person)))
        line = extended(messages.PitMessage, floor_table(self._house.shown[name]), clock=self._clocks.left(name))
        return self._told(person, line)

    def _told(self, person: Person | None, message: messages.ServerMessage) -> bytes:
        """Encode a message with the names that its reader may know."""
        return self._house.directory.told(person, msgspec.json.encode(message))


def _still_known(before: Directory, now: Directory) -> bool:
    """Return whether every name that was known is known as before."""
    return all(now.names.get(person) == row for person, row in before.names.items())
