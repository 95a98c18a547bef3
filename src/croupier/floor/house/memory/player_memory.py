"""What the house remembers of Players from table to table: Bets under the minimum on a gaming day, and bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias, TypeVar, assert_never

import msgspec
from msgspec.structs import replace

from croupier.floor.records.facts import BarLifted, NoteTakenBack, PlayerBarred, PlayerFact, PlayerNoted
from croupier.rounds.commands import GiveRuling, PlaceBet, PlayerName, RoundCommand
from croupier.rounds.events import PlayerReadmitted, PlayerStopped, RoundEvent, RoundReopened, UnderMinimumNoted
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms

T = TypeVar("T")
Known: TypeAlias = tuple[str, PlayerName]
"""A Player at the tables of one operator."""


NOTED_EVENTS = (UnderMinimumNoted, RoundReopened, PlayerStopped, PlayerReadmitted)
"""Events that the other tables of the house must know of."""


_ABOUT_PLAYERS = ("prohibit", "allow", "stop")


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """Notes of today and yesterday on Players, and the Players who are barred."""

    notes: dict[Known, frozenset[tuple[int, str, int]]] = {}
    """Gaming day, table and Round of Bets under the minimum."""
    bars: dict[Known, frozenset[str]] = {}
    """The tables at which a Player was barred."""

    def noted(self, operator: str, player: PlayerName, day: int) -> bool:
        """Return whether the Player has had their one Round of Bets under the minimum on this gaming day."""
        return any(note[0] == day for note in self.notes.get((operator, player), ()))

    def barred(self, operator: str, player: PlayerName) -> bool:
        return bool(self.bars.get((operator, player)))


def evolve_memory(memory: Memory, fact: PlayerFact) -> Memory:
    """Fold a fact into the memory."""
    known = (fact.operator, fact.player)
    notes, bars = memory.notes.get(known, frozenset()), memory.bars.get(known, frozenset())
    match fact:
        case PlayerNoted(day=day, table=table, round=number):
            # A Round that began before midnight may end after it: what lies two days back is over for certain.
            recent = {
                who: frozenset(note for note in noted if note[0] >= day - 1) for who, noted in memory.notes.items()
            }
            noted_now = recent.get(known, frozenset()) | {(day, table, number)}
            return replace(memory, notes={who: left for who, left in recent.items() if left} | {known: noted_now})
        case NoteTakenBack(day=day, table=table, round=number):
            return replace(memory, notes=_with(memory.notes, known, notes - {(day, table, number)}))
        case PlayerBarred(table=table):
            return replace(memory, bars=_with(memory.bars, known, bars | {table}))
        case BarLifted(table=table):
            return replace(memory, bars=_with(memory.bars, known, bars - {table}))
        case _:
            assert_never(fact)


def _with(held: Mapping[Known, frozenset[T]], known: Known, what: frozenset[T]) -> dict[Known, frozenset[T]]:
    """Return what is remembered with one Player's part replaced; a Player without any is forgotten."""
    others = {who: kept for who, kept in held.items() if who != known}
    return {**others, known: what} if what else others


def may_note(command: RoundCommand) -> bool:
    """Return whether a command may lead to a note for the other tables, whatever the state of its own."""
    match command:
        case PlaceBet(noticed=noticed):
            return not noticed
        case GiveRuling(decision=decision):
            return decision in _ABOUT_PLAYERS
        case _:
            return False


def facts_from(terms: Terms, table: str, state: Round, event: RoundEvent) -> Iterator[PlayerFact]:
    """Return what the other tables must know of an event, in the state that it meets."""
    operator, number, day = terms.book.document.operator, state.number, state.standing.day
    match event:
        case UnderMinimumNoted(player=player):
            yield PlayerNoted(operator=operator, player=player, day=day, table=table, round=number)
        case RoundReopened():
            for player in state.noted_now:
                yield NoteTakenBack(operator=operator, player=player, day=day, table=table, round=number)
        case PlayerStopped(player=player) if terms.book.authority.bars_in_the_house:
            yield PlayerBarred(operator=operator, player=player, table=table, round=number)
        case PlayerReadmitted(player=player) if terms.book.authority.bars_in_the_house:
            yield BarLifted(operator=operator, player=player, table=table, round=number)
        case _:
            pass
