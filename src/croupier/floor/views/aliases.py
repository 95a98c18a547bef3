"""Other players as a player, a guest or a display sees them: by their box, never by their name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TypeAlias, TypeVar

import msgspec

from croupier.floor.duties.permissions import Post
from croupier.floor.people.people import Person, sees_names
from croupier.rounds.commands import PlayerName
from croupier.rounds.state import Box, Round
from croupier.rulebooks.vocabulary import BoxNo

Seat: TypeAlias = tuple[BoxNo, PlayerName]
S = TypeVar("S", bound=msgspec.Struct)

SOMEBODY = "A player"
"""Shown for a player whose box is not known."""

_NAMES = ("player", "players", "examined_by")
_TEXTS = ("text", "because", "notice")
"""What staff or rules say in words, which may name a player."""


class Aliases:
    """The names of one table or Round as one person may see them."""

    def __init__(self, person: Person | None, seats: Iterable[Seat]) -> None:
        self._hides = not sees_names(person)
        self._own = person.name if person is not None and person.post is Post.PLAYER else None
        self._names: dict[PlayerName, str] = {}
        for box, player in seats if self._hides else ():
            if player not in self._names and player != self._own:
                self._names[player] = self._alias(box)

    @cached_property
    def _in_words(self) -> re.Pattern[str] | None:
        known = sorted(map(re.escape, self._names), key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(known)})(?!\w)") if known else None

    def _alias(self, box: BoxNo) -> str:
        """Name the next player of a box; where several bet, the later ones are numbered."""
        taken = sum(alias.startswith(f"Box {box}") and alias[len(f"Box {box}") :][:1] in ("", ",")
                    for alias in self._names.values())  # fmt: skip
        return f"Box {box}" if not taken else f"Box {box}, player {taken + 1}"

    def name(self, player: PlayerName) -> str:
        """Return the name or alias under which this person sees a player."""
        if not self._hides or player == self._own or not player:
            return player
        return self._names.get(player, SOMEBODY)

    def names(self, players: Iterable[PlayerName]) -> tuple[str, ...]:
        """Return the names or aliases of several players."""
        return tuple(map(self.name, players))

    def words(self, text: str) -> str:
        """Replace names that this person may not know in a text."""
        for name in self._names:
            if name in text:
                break
        else:
            return text  # most texts name nobody, and the pattern takes long to compile
        return text if self._in_words is None else self._in_words.sub(lambda found: self.name(found.group()), text)

    def hide(self, told: S) -> S:
        """Replace names that this person may not know in a struct of any kind."""
        if not self._hides:
            return told
        hidden = {field: self._hidden(field, getattr(told, field)) for field in told.__struct_fields__}
        return msgspec.structs.replace(told, **hidden)

    def _hidden(self, field: str, value: object) -> object:
        if isinstance(value, str):
            if field in _NAMES:
                return self.name(value)
            return self.words(value) if field in _TEXTS else value
        if isinstance(value, msgspec.Struct):
            return self.hide(value)
        if isinstance(value, Mapping):
            return {key: self._hidden(key, each) for key, each in value.items()}
        if isinstance(value, tuple):
            return tuple(self._hidden(field, each) for each in value)
        return value


def seats_of(state: Round) -> list[Seat]:
    """List who bets on which box of a Round, as far as its state tells."""
    at_boxes = [seat for box in state.boxes for seat in seats_at(box)]
    return [*at_boxes, *((line.box, line.player) for line in state.lines)]


def seats_at(box: Box) -> list[Seat]:
    """List who bets on a box or has looked at its Hand."""
    if not (box.stakes or box.returned or box.seen_by):
        return []
    return [(box.number, player) for player in (*box.players, *box.seen_by)]


def seats_in(facts: Iterable[msgspec.Struct]) -> list[Seat]:
    """List who bets on which box, as events tell."""
    found = []
    for fact in facts:
        box, player = getattr(fact, "box", None), getattr(fact, "player", None)
        if isinstance(box, int) and isinstance(player, str):
            found.append((box, player))
    return found
