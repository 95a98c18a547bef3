"""Strategies: the best decisions, the rules of thumb, or those of a file, for every decision of a game."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import msgspec

from croupier.lab.model.game import Game, LabError, Structure
from croupier.rulebooks.vocabulary import BetName

OPTIMAL, SIMPLE = "optimal", "simple"
ALWAYS, NEVER = "always", "never"
FACES = "23456789TJQKA"
NO_FACE = len(FACES)

SEEN: tuple[tuple[str, Callable[[int, int, int], object]], ...] = (
    ("two pairs or better of your own", lambda made, _flush, _straight: made == 2),
    ("a pair of your own and a draw", lambda made, flush, straight: made == 1 and (flush or straight)),
    ("a pair of your own", lambda made, _flush, _straight: made == 1),
    ("four to a flush", lambda _made, flush, _straight: flush),
    ("an open straight draw", lambda _made, _flush, straight: straight),
    ("nothing", lambda _made, _flush, _straight: True),
)
"""What a person sees, the first that fits: made of the own cards, four to a flush, an open straight draw."""

Rule: TypeAlias = "str | Mapping[str, str | tuple[str, ...]]"
"""How one decision is made: the word optimal or simple, or what a file says about it."""


class BadStrategy(LabError):
    """A strategy that cannot be played; the message says where and why."""


class Strategy(msgspec.Struct, frozen=True):
    """How every decision of a game is made, and the share of mistakes."""

    name: str
    rules: dict[BetName, str | dict[str, str | tuple[str, ...]]]
    careless: float = 0.0
    """Share of all decisions that are taken the other way."""

    @property
    def is_optimal(self) -> bool:
        return not self.careless and all(rule == OPTIMAL for rule in self.rules.values())


def named(game: Game, name: str, careless: float = 0.0) -> Strategy:
    """Return the best decisions or the rules of thumb, for every decision of a game."""
    return Strategy(name, {choice.bet: name for choice in game.choices}, careless)


def strategy(game: Game, said: str, careless: float = 0.0) -> Strategy:
    """Return `optimal`, `simple`, or the strategy of a file. Raises BadStrategy."""
    if not 0 <= careless < 1:
        raise BadStrategy(f"The share of careless decisions must be at least 0 and below 1, not {careless:g}.")
    if said in (OPTIMAL, SIMPLE):
        return named(game, said, careless)
    path = Path(said)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadStrategy(f"{said} is not a strategy: write optimal, simple or a readable file.") from None
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise BadStrategy(f"{said} is not TOML: {wrong}.") from None
    return _read(game, path.name, found, careless)


def _read(game: Game, where: str, found: dict[str, object], careless: float) -> Strategy:
    for_game = found.pop("game", game.name)
    if for_game != game.name:
        raise BadStrategy(f"{where} is a strategy for {for_game}, not for {game.name}.")
    erring = found.pop("careless", 0.0)
    if not isinstance(erring, int | float) or isinstance(erring, bool) or not 0 <= erring < 1:
        raise BadStrategy(f"{where}: careless is a share, at least 0 and below 1.")
    bets = [choice.bet for choice in game.choices]
    unknown = [name for name in found if name not in bets]
    if unknown:
        raise BadStrategy(f"{where}: {game.name} has no decision {unknown[0]}; it has {', '.join(bets)}.")
    rules = {bet: _rule(game, f"{where}, {bet}", bet, found.get(bet, OPTIMAL)) for bet in bets}
    return Strategy(where, rules, careless or float(erring))


def _rule(game: Game, where: str, bet: BetName, said: object) -> str | dict[str, str | tuple[str, ...]]:
    if said in (OPTIMAL, SIMPLE):
        assert isinstance(said, str)
        return said
    if not isinstance(said, dict):
        raise BadStrategy(f"{where}: write optimal, simple, or a table of what is bet.")
    first = bet == game.choices[0].bet
    if game.structure is Structure.THREE_CARDS:
        return {"at_least": _at_least(where, said)}
    if game.structure is Structure.STREETS and first:
        return {"fold": _hands(where, said)}
    return {seen: _card(where, seen, card) for seen, card in _seen(where, said)}


def _at_least(where: str, said: dict[str, object]) -> str:
    text = said.get("at_least")
    if list(said) != ["at_least"] or not isinstance(text, str):
        raise BadStrategy(f'{where}: write at_least = "Q-6-4".')
    faces(where, text)
    return text


def faces(where: str, text: str) -> tuple[int, int, int]:
    """Read "Q-6-4" as places of faces, the highest first; three different faces."""
    places = [FACES.find(part.replace("10", "T")) if part else -1 for part in text.split("-")]
    if len(places) != 3 or -1 in places or not places[0] > places[1] > places[2]:
        raise BadStrategy(f"{where}: {text} is not three falling faces such as Q-6-4.")
    return places[0], places[1], places[2]


def _hands(where: str, said: dict[str, object]) -> tuple[str, ...]:
    from croupier.lab.solve.holdem import by_name  # noqa: PLC0415 - it loads the kernels

    hands = said.get("fold")
    if list(said) != ["fold"] or not isinstance(hands, list):
        raise BadStrategy(f'{where}: write fold = ["72o", "32o"].')
    for hand in hands:
        if hand not in by_name():
            raise BadStrategy(f"{where}: {hand} is not a starting hand such as AKs, 72o or TT.")
    return tuple(hands)


def _seen(where: str, said: dict[str, object]) -> list[tuple[str, object]]:
    for name in said:
        if name not in dict(SEEN):
            raise BadStrategy(f'{where}: "{name}" is not one of {", ".join(dict(SEEN))}.')
    return [(seen, said.get(seen, NEVER)) for seen, _ in SEEN]


def _card(where: str, seen: str, card: object) -> str:
    if card in (ALWAYS, NEVER) or (isinstance(card, str) and len(card) == 1 and card in FACES):
        return str(card)
    raise BadStrategy(f'{where}: "{seen}" is always, never, or the card from which on it is bet, such as T.')


def bets_with(rule: Mapping[str, str | tuple[str, ...]]) -> list[bool]:
    """Return for each pattern whether a file's rule bets."""
    from croupier.lab.kernels.decide.rules_of_thumb import PATTERNS, describe_pattern  # noqa: PLC0415 - it loads numpy

    bet: list[bool] = []
    for made, flush, straight, face in map(describe_pattern, range(PATTERNS)):
        seen = next(name for name, looks_so in SEEN if looks_so(made, flush, straight))
        card = str(rule[seen])
        first = 0 if card == ALWAYS else NO_FACE if card == NEVER else FACES.index(card)
        bet.append(face >= first)
    return bet
