"""Audiences of a table: the followers who see the same of it, and the view that they have."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from croupier.floor.duties.permissions import Post
from croupier.floor.live.watcher import Watcher
from croupier.floor.people.directory import is_id
from croupier.floor.people.people import Person, sees_names
from croupier.floor.views.aliases import Seat
from croupier.floor.views.table_views import Memory, TableView, viewer_key
from croupier.money import Money
from croupier.rounds.state import Round

ONLOOKERS = "onlookers"
"""Players who take no part in a Round: they all see the same of it."""


def audience_key(person: Person | None, apart: Collection[str] = ()) -> str:
    """Return a key; two people with the same key are sent the same bytes about a table.

    `apart` names people who see, or may do, something else there than others of their post.
    """
    if person is not None and person.post is Post.PLAYER and person.name not in apart:
        return ONLOOKERS
    key = viewer_key(person, apart)
    if person is None:
        return key
    if sees_names(person):
        return f"{key} and names"
    return f"{key} and {person.name}" if is_id(person.name) else key


def link_key(person: Person | None, signers: Collection[str] = ()) -> str:
    """Return a key; two people with the same key see the same of a link, and all players see what a display shows."""
    return audience_key(None if person is not None and person.post is Post.PLAYER else person, signers)


def named_in(state: Round, seats: Iterable[Seat]) -> frozenset[str]:
    """Return the players whose name is anywhere in a Round, at its seats or in what its table remembers of them."""
    standing = state.standing
    named = {*state.absent, *state.noted_now, *standing.restricted, *standing.prohibited, *standing.under_minimum}
    named.update([player for _, player in seats])
    named.update(claim.player for claim in state.claims)
    named.update(waits.report.player for waits in state.awaiting if waits.report.player)
    named.update(bet.player for bet in state.jackpot_bets)
    return frozenset(named)


class Audience:
    """Followers of a table who see the same of it. `version` counts the views that they were sent."""

    def __init__(
        self, person: Person | None, memory: Memory, view: TableView, ends: float | None, entered: object
    ) -> None:
        """`ends` is when the table's clock runs out, `entered` when its phase began, as the followers know them."""
        self.person, self.memory, self.view, self.ends, self.entered = person, memory, view, ends, entered
        self.version = 1
        self.watchers: dict[Watcher, None] = {}
        self.account: str | None = None
        """A player's own, whose chips move with the table."""
        self.balance: Money = 0
        """As the player knows it."""


class Following:
    """The followers of one table, by what they see."""

    def __init__(self) -> None:
        self.apart: frozenset[str] = frozenset()
        """People who see something of their own: players in the Round, and staff who have signed for open awards."""
        self._round = 0
        self._named: frozenset[str] = frozenset()
        self._named_before: frozenset[str] = frozenset()
        """Who was named in the round in play, and in the one before it."""
        self.memory = Memory()
        """What all audiences see alike."""
        self.audiences: dict[str, Audience] = {}
        self.keys: dict[Watcher, str] = {}
        self.of_person: dict[str, dict[Watcher, None]] = {}

    def named(self, state: Round) -> frozenset[str]:
        """Return the players who are named in a Round; worked out where a part that names any has changed."""
        seats, now = self.memory.seats(state), state
        named_by = (seats, now.standing, now.absent, now.noted_now, now.claims, now.awaiting, now.jackpot_bets)
        return self.memory.part("named", named_by, lambda _: named_in(state, seats))

    def seen_apart(self, number: int, named: frozenset[str]) -> frozenset[str]:
        """Return who of the followers sees something of their own, given the people who are named in a round now.

        One who plays round after round is not named until their first Bet, and is not sent the whole view each time.
        """
        if number != self._round:
            self._round, self._named_before, self._named = number, self._named, frozenset()
        if not named <= self._named:
            self._named |= named
        return frozenset((self._named | self._named_before) & self.of_person.keys())

    def of(self, watcher: Watcher) -> Audience | None:
        """Return the audience to which a watcher belongs."""
        key = self.keys.get(watcher)
        return None if key is None else self.audiences[key]

    def add(self, watcher: Watcher, key: str, audience: Audience) -> None:
        """Put a watcher into an audience."""
        audience.watchers[watcher] = None
        self.audiences[key] = audience
        self.keys[watcher] = key
        if watcher.person is not None:
            self.of_person.setdefault(watcher.person.name, {})[watcher] = None

    def remove(self, watcher: Watcher) -> None:
        """Take a watcher out, and its audience where it was the last one there."""
        key = self.keys.pop(watcher, None)
        if key is None:
            return
        if watcher.person is not None:
            own = self.of_person[watcher.person.name]
            del own[watcher]
            if not own:
                del self.of_person[watcher.person.name]
        audience = self.audiences[key]
        del audience.watchers[watcher]
        if not audience.watchers:
            del self.audiences[key]
        else:
            # The view is of a person who is still among those who see it.
            audience.person = next(iter(audience.watchers)).person
