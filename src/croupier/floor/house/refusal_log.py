"""Which refusals are kept: the first of each person, action and minute. The others are answered and counted in one
record a minute, so that refusals cannot fill the journal.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import msgspec

from croupier.floor.people.people import People
from croupier.floor.records.commands import Answer, AtTable, CountRefusals, NoteRefusal, Request
from croupier.floor.records.people_facts import PersonName

KEPT_A_MINUTE = 20
"""Refusals of one person and action that are kept in a minute."""

A_MINUTE = 60_000_000
"""A minute in microseconds."""

REMEMBERED = 20_000
"""Answers outside the journal that are given again, the latest."""

COMMAND = "command"
"""The action under which commands at tables are counted."""

Key = tuple[PersonName, str]


class Window(msgspec.Struct):
    """The refusals of one person and action since a moment."""

    since: int
    kept: int = 0
    counted: int = 0


class _Staged(msgspec.Struct, frozen=True):
    """One refusal of a batch that is not on disk yet."""

    key: Key
    at: int
    kept: bool


class RefusalLog:
    """The counts of one house. A batch stages what it refuses, and it counts when the batch is on disk."""

    def __init__(self) -> None:
        self._windows: dict[Key, Window] = {}
        self._answers: OrderedDict[str, tuple[bytes, Answer]] = OrderedDict()
        self._staged: list[_Staged] = []
        self._unkept: list[tuple[str, bytes, Answer]] = []

    # ---------------------------------------------------------------- one batch

    def begin(self) -> None:
        """Begin a batch, or judge it again."""
        self._staged.clear()
        self._unkept.clear()

    def keeps(self, request: Request, people: People) -> bool:
        """Count a refusal, and return whether it is kept."""
        key = _key(request, people)
        if key is None:
            return True
        window = self._windows.get(key)
        before = 0 if window is None or request.at >= window.since + A_MINUTE else window.kept
        kept = before + sum(staged.kept for staged in self._staged if staged.key == key) < KEPT_A_MINUTE
        self._staged.append(_Staged(key, request.at, kept))
        return kept

    def set_aside(self, command: str, body: bytes, answer: Answer) -> None:
        """Remember an answer that is not kept, so that the same id gets it again."""
        self._unkept.append((command, body, answer))

    def end(self) -> None:
        """Count what the batch refused: it is on disk."""
        for refused in self._staged:
            window = self._windows.get(refused.key)
            if window is None or refused.at >= window.since + A_MINUTE:
                window = self._windows[refused.key] = Window(refused.at)
            window.kept += refused.kept
            window.counted += not refused.kept
        for command, body, answer in self._unkept:
            self.remember(command, body, answer)
        self.begin()

    # ---------------------------------------------------------------- what comes of it

    def remember(self, command: str, body: bytes, answer: Answer) -> None:
        self._answers[command] = (body, answer)
        if len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)

    def answered(self, command: str) -> tuple[bytes, Answer] | None:
        """Return an answer that was not kept; None where it is no longer remembered."""
        return self._answers.get(command)

    def due(self, at: int, *, all_of_them: bool = False) -> Iterator[CountRefusals]:
        """Return the counts of minutes that are over; `told` drops them."""
        for (person, action), window in self._windows.items():
            until = min(at, window.since + A_MINUTE)
            if window.counted and (all_of_them or at >= window.since + A_MINUTE):
                yield CountRefusals(person=person, action=action, count=window.counted, since=window.since, until=until)

    def told(self, counts: list[CountRefusals], at: int) -> None:
        """Drop counts that are on disk, and minutes that are over."""
        for count in counts:
            self._windows.pop((count.person, count.action), None)
        for key in [key for key, window in self._windows.items() if at >= window.since + A_MINUTE]:
            if not self._windows[key].counted:
                del self._windows[key]


def _key(request: Request, people: People) -> Key | None:
    """Return the person and action of a refusal; None for commands of the server itself, which are always kept.

    A person's command ids begin with their name and a colon. Unknown names are counted together.
    """
    match request.command:
        case NoteRefusal(person=person, action=action):
            return person if person in people.persons else "", action
        case AtTable():
            person, colon, _ = request.id.partition(":")
            return (person, COMMAND) if colon and person in people.persons else None
        case _:
            return None
