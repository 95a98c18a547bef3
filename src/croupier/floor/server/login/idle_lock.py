"""The idle lock: a session that is not used for a while asks for the password again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Mapping

from croupier.floor.house.writer import HouseStopped
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.people.people import Person, Session
from croupier.floor.records.commands import LockSession, UseSession
from croupier.floor.server.login.time_source import TimeSource
from croupier.floor.server.security import Security

NOTED_EVERY = 1 / 3
"""Of the time after which a session is locked: so often its use is put on record, for the other servers of a house."""
LOOKS_EVERY = 2.0
"""Seconds between two looks at all sessions, at most."""


class IdleLock:
    """When each session was last used, as this server knows it. Time is what has passed, whatever the clock says."""

    def __init__(self, floor: LiveFloor, security: Security, time: TimeSource) -> None:
        self._floor, self._security, self._time = floor, security, time
        self._used: dict[str, tuple[int, float]] = {}
        """By session: the use on record when this server last looked, and the moment of the last use known here."""
        self._noted: dict[str, float] = {}
        self._noting: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[None] | None = None
        self._sessions: Mapping[str, Session] = {}
        """As they were when those that have ended were forgotten last."""

    def begin(self) -> None:
        """Look after the sessions from now on."""
        self._looking = asyncio.create_task(self._look(), name="idle lock")

    async def close(self) -> None:
        for task in (*self._noting, *((self._looking,) if self._looking is not None else ())):
            task.cancel()

    @property
    def known(self) -> Collection[str]:
        """Sessions whose last use this server knows."""
        return self._used.keys()

    def use(self, key: str, person: Person, session: Session) -> None:
        """Note that the person uses this session now."""
        now = self._time.elapsed()
        self._used[key] = (session.used, now)
        limit = self._security.idle_seconds(person)
        if limit is not None and now - self._noted.setdefault(key, now) >= limit * NOTED_EVERY:
            self._noted[key] = now
            task = asyncio.create_task(self._note(key))
            self._noting.add(task)
            task.add_done_callback(self._noting.discard)

    def unused_seconds(self, key: str, session: Session) -> float:
        """Return the seconds since the last use of a session on any server; a restart of this server begins at zero."""
        now = self._time.elapsed()
        on_record, last = self._used.get(key, (-1, now))
        if on_record != session.used:
            last = now
            self._used[key] = (session.used, now)
        return now - last

    def is_over(self, key: str, person: Person, session: Session) -> bool:
        """Return whether a session was left unused for too long."""
        limit = self._security.idle_seconds(person)
        return limit is not None and not session.locked and self.unused_seconds(key, session) > limit

    async def lock(self, key: str) -> None:
        """Lock a session; its live connections are closed when that is on record."""
        await self._floor.ask(LockSession(token_hash=key))

    async def _note(self, key: str) -> None:
        with contextlib.suppress(HouseStopped):
            await self._floor.ask(UseSession(token_hash=key))

    async def _look(self) -> None:
        every = min(LOOKS_EVERY, 60 * self._security.idle_minutes / 4) or LOOKS_EVERY
        with contextlib.suppress(HouseStopped):
            while True:
                await asyncio.sleep(every)
                people = self._floor.house.shown_people
                unused = [
                    key
                    for key, session in people.sessions.items()
                    if (person := people.persons.get(session.person)) and self.is_over(key, person, session)
                ]
                for key in unused:
                    await self.lock(key)
                self._forget()

    def _forget(self) -> None:
        """Forget sessions that have ended; they are looked for only where any session has changed."""
        sessions = self._floor.house.shown_people.sessions
        if sessions is self._sessions:
            return
        self._sessions = sessions
        for memory in (self._used, self._noted):
            for key in memory.keys() - sessions.keys():
                del memory[key]
