"""A connection that follows tables and links, and what it has not yet taken."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

from croupier.floor.people.people import Person

WATCHES_MOST = 1000
"""Tables and links that one connection follows, where nothing else is set."""

UNREAD = 1000
"""Answers that may wait for a watcher; past that it is disconnected."""


class Line(Protocol):
    """The way to a client."""

    takes_again: Callable[[], None] | None
    """Called when the client has read enough to be sent more."""

    def send_message(self, message: bytes) -> bool:
        """Send a message now; False, and nothing is sent, while the client has too much to read."""


class Watcher:
    """A connection that follows tables and links. What it does not take is not queued: later it gets the state."""

    def __init__(self, person: Person | None, line: Line, session: str = "") -> None:
        """`session` is the hash of the token of the connection."""
        self.person, self.session, self._line = person, session, line
        self.follows: set[str] = set()
        """Tables and links by their topics, and the whole floor."""
        self.follows_most = WATCHES_MOST
        self._answers: deque[bytes] = deque()
        self._behind: dict[str, None] = {}
        """Topics of which it has missed something."""
        self.fresh: Callable[[str], bytes | None] = lambda _: None
        """Makes the present state of a topic; None where the watcher does not follow it any more."""
        self.closed = False
        self.locked = False
        """It was closed because its session was locked, not because that is over."""
        self.ended = asyncio.Event()
        line.takes_again = self.catch_up

    def answer(self, message: bytes) -> None:
        """Send an answer, however slow the watcher is; one that asks and never reads is disconnected."""
        if self._answers or not self._line.send_message(message):
            self._answers.append(message)
            if len(self._answers) > UNREAD:
                self.close()

    def put(self, topic: str, message: bytes) -> None:
        """Send news of a topic; a watcher that takes none now gets the topic's state when it does."""
        if topic in self._behind or not self._line.send_message(message):
            self._behind[topic] = None

    def catch_up(self) -> None:
        """Send what waits, now that the line takes messages again: answers, then the state of each missed topic."""
        while self._answers:
            if not self._line.send_message(self._answers[0]):
                return
            self._answers.popleft()
        for topic in tuple(self._behind):
            message = self.fresh(topic)
            if message is not None and not self._line.send_message(message):
                return
            del self._behind[topic]

    def close(self) -> None:
        self.closed = True
        self.ended.set()
