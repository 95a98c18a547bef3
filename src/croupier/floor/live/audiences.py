"""Audiences of a table: the followers who see the same of it, and the view that they have."""

from __future__ import annotations

from collections.abc import Collection

from croupier.floor.duties.permissions import Post
from croupier.floor.live.watcher import Watcher
from croupier.floor.people.directory import is_id
from croupier.floor.people.people import Person, sees_names
from croupier.floor.views.table_views import Memory, TableView, viewer_key
from croupier.ledger import accounts
from croupier.money import Money


def audience_key(person: Person | None, signers: Collection[str] = ()) -> str:
    """Return a key; two people with the same key are sent the same bytes about a table."""
    key = viewer_key(person, signers)
    if person is None:
        return key
    if sees_names(person):
        return f"{key} and names"
    return f"{key} and {person.name}" if is_id(person.name) else key


def link_key(person: Person | None, signers: Collection[str] = ()) -> str:
    """Return a key; two people with the same key see the same of a link, and all players see what a display shows."""
    return audience_key(None if person is not None and person.post is Post.PLAYER else person, signers)


class Audience:
    """Followers of a table who see the same of it. `version` counts the views that they were sent."""

    def __init__(self, person: Person | None, memory: Memory, view: TableView, ends: float | None) -> None:
        """`ends` is when the table's clock runs out, as the followers know it."""
        self.person, self.memory, self.view, self.ends = person, memory, view, ends
        self.version = 1
        self.watchers: dict[Watcher, None] = {}
        self.account = accounts.player(person.name) if person is not None and person.post is Post.PLAYER else None
        """A player's own, whose chips move with the table."""
        self.balance: Money = 0
        """As the player knows it."""


class Following:
    """The followers of one table, by what they see."""

    def __init__(self, signers: frozenset[str]) -> None:
        self.signers = signers
        """People who have signed for open awards: what they may do differs from others of their post."""
        self.memory = Memory()
        """What all audiences see alike."""
        self.audiences: dict[str, Audience] = {}
        self.keys: dict[Watcher, str] = {}

    def of(self, watcher: Watcher) -> Audience | None:
        """Return the audience to which a watcher belongs."""
        key = self.keys.get(watcher)
        return None if key is None else self.audiences[key]

    def remove(self, watcher: Watcher) -> None:
        """Take a watcher out, and its audience where it was the last one there."""
        key = self.keys.pop(watcher, None)
        if key is None:
            return
        audience = self.audiences[key]
        audience.watchers.pop(watcher, None)
        if not audience.watchers:
            del self.audiences[key]
