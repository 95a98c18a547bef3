"""The application of a front: pages, live connections, and searches in the journal."""

from __future__ import annotations

from collections.abc import Callable

from litestar import Litestar

from croupier.floor.feed.events import Feed
from croupier.floor.fronts.front import Front
from croupier.floor.people.people import Person, Session
from croupier.floor.server.app import built_app, page_routes
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.login.idle_lock import IdleLock
from croupier.floor.server.routes.play.live import live
from croupier.floor.server.routes.records.feed import feed_live
from croupier.floor.server.routes.records.operation import health
from croupier.floor.server.routes.records.rounds import SEARCH_ROUTES, Searches
from croupier.floor.server.settings import Settings
from croupier.journal.store import Store

NOTED_AGAIN = 1.0
"""Seconds after which a front tells the house again that a session is in use."""


class ForwardedUse(IdleLock):
    """The house looks after unused sessions; a front tells it which ones are in use here."""

    def begin(self) -> None:
        """Leave the sessions to the house."""

    def use(self, key: str, person: Person, session: Session) -> None:  # noqa: ARG002  as the lock of a house
        assert isinstance(self._floor, Front)
        now = self._time.elapsed()
        if now - self._noted.get(key, -NOTED_AGAIN) >= NOTED_AGAIN:
            self._noted[key] = now
            self._forget()
            self._floor.use(key)

    def is_over(self, key: str, person: Person, session: Session) -> bool:  # noqa: ARG002  as the lock of a house
        return False


def make_front_app(front: Front, settings: Settings, open_reader: Callable[[], Store]) -> Litestar:
    """Build the application of a front."""
    sessions = Sessions(front, settings, idle=ForwardedUse)
    feed = Feed(open_reader)
    searches = Searches(of_one_person=settings.searches_per_person, of_one_address=settings.searches_per_address)
    return built_app(
        front,
        settings,
        [*SEARCH_ROUTES, health, live, feed_live, *page_routes()],
        {"sessions": sessions, "searches": searches, "feed": feed},
        start=[],
        stop=[searches.close, sessions.close, feed.close],
    )
