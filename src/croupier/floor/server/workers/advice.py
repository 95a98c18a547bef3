"""The coach: a process of its own that counts positions out with the lab. It reads questions from its input, a line
each, answers in the same order, and leaves when its floor does.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from croupier.cards import DECK, parse_cards
from croupier.floor.records.commands import TableConfig
from croupier.floor.records.tables import terms_of
from croupier.money import Money
from croupier.rulebooks.vocabulary import BetName, Fate

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.lab.model.game import Game

POSITION = "Ks Qs", "Js 3h 2d 7c"
"""Any cards: counting them out once brings the machine code in."""


class Question(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What each choice is worth with these cards; without a hand, what the game takes on average."""

    config: TableConfig
    hand: str = ""
    board: str = ""
    ante: Money = 0
    stakes: Mapping[BetName, Money] = {}
    """The Player's own bets on the box, the Ante and earlier decisions among them."""


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """One choice, in units of Ante: what the round is worth with it, and how much less that is than the best."""

    choice: str
    value: float
    exact: str
    cost: float


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What the House keeps on average, with the best play: of the Ante, of all that is staked, of each side bet."""

    edge: float
    risk: float
    sides: Mapping[BetName, float]


class Told(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An answer: the choices, the best first, with the bets that their values count; or the figures of the game."""

    options: tuple[Worth, ...] = ()
    counted: tuple[BetName, ...] = ()
    figures: Figures | None = None
    wrong: str = ""


def answer(question: Question) -> Told:
    """Answer one question; the first loads the lab."""
    from croupier.lab.model.game import Unsolvable  # noqa: PLC0415
    from croupier.lab.play.advice import BadPosition  # noqa: PLC0415  numba loads with it, and only here

    try:
        return _options(question) if question.hand else Told(figures=_figures(question.config))
    except (BadPosition, Unsolvable) as wrong:
        return Told(wrong=str(wrong))


def _options(question: Question) -> Told:
    from croupier.lab.model.game import Structure  # noqa: PLC0415
    from croupier.lab.play.advice import advise  # noqa: PLC0415

    game = _game(msgspec.json.encode(question.config))
    hand, board = parse_cards(question.hand), parse_cards(question.board)
    names = {choice.bet for choice in game.choices}
    found = advise(game, hand, board, [bet for bet in question.stakes if bet in names])
    values = {option.choice: option.value for option in found.options}
    first = game.choices[0]
    sides: list[BetName] = []
    if game.structure is Structure.STREETS and not board and question.ante:
        # Only a fold takes a Bonus with it, so only the first choice decides over it.
        sides = [bet for bet in question.stakes if any(side.name == bet for side in game.sides)]
        beside = {bet: _beside(game, bet, question) for bet in sides}
        values[first.bet] += sum(played for played, _ in beside.values())
        values[first.otherwise] += sum(folded for _, folded in beside.values())
    best = max(values.values())
    order = sorted(values, key=lambda name: (-values[name], name in names))
    return Told(
        options=tuple(
            Worth(choice=name, value=float(values[name]), exact=str(values[name]), cost=float(best - values[name]))
            for name in order
        ),
        counted=("ante", *(choice.bet for choice in game.choices), *sides),
    )


def _beside(game: Game, bet: BetName, question: Question) -> tuple[Fraction, Fraction]:
    """Return the worth of a side bet on these Hole Cards if they are played on and if folded, in units of Ante."""
    from fractions import Fraction  # noqa: PLC0415

    from croupier.lab.bets import side_bets  # noqa: PLC0415
    from croupier.lab.solve import holdem  # noqa: PLC0415

    side, stake = game.side(bet), Fraction(question.stakes[bet], question.ante)
    first, second = (DECK.index(each) for each in parse_cards(question.hand))
    hand = holdem.STARTING_HANDS[holdem.starting_hand(first, second)]
    played = sum((part * side.net(line, fate) for part, line, fate in side_bets.played(side, game, hand)), Fraction(0))
    return stake * played, stake * side.net(side_bets.own_line(side, hand), Fate.FOLDED)


def _figures(config: TableConfig) -> Figures:
    from croupier.lab.bets import side_bets  # noqa: PLC0415
    from croupier.lab.play.advice import advise  # noqa: PLC0415
    from croupier.lab.solve.solution import solve  # noqa: PLC0415

    game = _game(msgspec.json.encode(config))
    solved = solve(game)
    for choice in game.choices:
        if choice.community:
            advise(game, parse_cards(POSITION[0]), parse_cards(POSITION[1])[: choice.community])
    sides = [side for side in game.sides if not side.on_ante]
    return Figures(
        edge=solved.house_edge,
        risk=solved.element_of_risk,
        sides={side.name: float(-side_bets.figures(side, solved).ev) for side in sides},
    )


@lru_cache(maxsize=64)
def _game(config: bytes) -> Game:
    from croupier.lab.model.game import game  # noqa: PLC0415

    return game(terms_of(msgspec.json.decode(config, type=TableConfig)))


def main(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the questions end."""
    decode = msgspec.json.Decoder(Question).decode
    for line in questions:
        answers.write(msgspec.json.encode(answer(decode(line))) + b"\n")
        answers.flush()


if __name__ == "__main__":
    with contextlib.suppress(OSError, AttributeError):
        # The tables come first.
        os.nice(5)
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        main(sys.stdin.buffer, sys.stdout.buffer)
