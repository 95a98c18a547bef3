"""Rules of thumb that fit on a card, searched exactly.

A Hand with a pair or more is judged by how many board cards are higher than its pair. A Hand without one is judged by
its two faces, from a least two on that depend on what else is seen; the first line that fits decides. The search weighs
every choice and order of lines exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import msgspec
import numpy as np

from croupier.lab.kernels.cards.shapes import FACES
from croupier.lab.kernels.decide import rules_of_thumb as thumb
from croupier.lab.kernels.decide.rules_of_thumb import (
    FLUSH_DRAW,
    HIGHER,
    LOW,
    OPEN,
    PAIRED,
    SIGHTS,
    STRAIGHT_DRAW,
    THREAT,
)
from croupier.lab.kernels.runtime.compiler import Ints, zeros

LINES = 8
"""Lines that a decision may have on the card."""
WORTH = 1 / 20_000
"""A line must save this part of what betting at best gains."""
TWO_FACES = FACES * FACES
ACE = FACES - 1
NOTES = (
    "The first line that fits decides.",
    "Of your own: your cards lift the hand above the rank of the board alone.",
    "A board threatens with three of a suit of which you hold none, or with four to a straight.",
    "Of two cards the higher one counts, then the lower: A-2 is higher than K-Q.",
)
"""Meaning of the words of the rules."""


class RuleSet(msgspec.Struct, frozen=True):
    """The rules of one decision: their lines, what they lose in all deals, and the patterns they bet."""

    lines: tuple[str, ...]
    cost: int
    bets: tuple[bool, ...]


class _Sight(msgspec.Struct, frozen=True):
    """Something to be seen where the Hand has made no pair."""

    says: str
    fits: Callable[[int], bool]


_SIGHTS = (
    _Sight("four to a flush", lambda seen: bool(seen & FLUSH_DRAW)),
    _Sight("an open straight draw", lambda seen: bool(seen & OPEN)),
    _Sight("any straight draw", lambda seen: bool(seen & STRAIGHT_DRAW)),
    _Sight("a pair on the board", lambda seen: bool(seen & PAIRED)),
    _Sight("a threatening board", lambda seen: bool(seen & THREAT)),
    _Sight("a card below every board card", lambda seen: bool(seen & LOW)),
)


def rules_of_thumb(bet: str, otherwise: str, sums: Ints) -> RuleSet:
    """Find the best rules of this shape; `sums` are those of `kernels.decide.rules_of_thumb`, by pattern."""
    gains = sums[:, thumb.GAIN]
    best = int(sums[:, thumb.BEST].sum())
    bets = zeros(thumb.PATTERNS)
    lines = _made(bet, otherwise, sums, bets)
    lines += _unpaired(bet, otherwise, sums, bets, LINES - len(lines), int(best * WORTH))
    won = int((gains * bets).sum())
    return RuleSet(tuple(lines), best - won, tuple(bool(each) for each in bets.tolist()))


def _from(gains: Ints) -> tuple[int, int]:
    """Return from which place on to bet, and what that gains; the later place where two gain alike."""
    behind = np.append(np.cumsum(gains[::-1])[::-1], 0)
    place = len(gains) - int(np.argmax(behind[::-1]))
    return place, int(behind[place])


# ---------------------------------------------------------------- Hands that have made something


def _made(bet: str, otherwise: str, sums: Ints, bets: Ints) -> list[str]:
    """Write the lines for Hands with two pairs or better, which are bet, and for pairs, by higher board cards."""
    assert int(sums[thumb.MORE_FROM :, thumb.GAIN].sum()) > 0
    bets[thumb.MORE_FROM :] = 1
    pairs = sums[thumb.PAIRS_FROM : thumb.MORE_FROM].reshape(2, HIGHER, FACES * 4, 3).sum(axis=2)
    betting = bets[thumb.PAIRS_FROM : thumb.MORE_FROM].reshape(2, HIGHER, FACES * 4)
    most: list[int] = []
    for threat in range(2):
        # The fewer board cards are higher the better.
        place, _ = _from(pairs[threat, ::-1, thumb.GAIN])
        betting[threat, : HIGHER - place] = 1
        seen = np.flatnonzero(pairs[threat, :, thumb.COUNT])
        most.append(HIGHER if HIGHER - place > seen[-1] else HIGHER - 1 - place)
    plain, threatened = most
    if plain == threatened == HIGHER:
        return [f"{_verb(bet)} with a pair of your own or better."]
    says = _higher(bet, otherwise, plain)
    if threatened != plain:
        says += f"; on a threatening board {_higher(bet, otherwise, threatened)}"
    return [f"{_verb(bet)} with two pairs or better of your own.", f"With a pair of your own: {says}."]


def _higher(bet: str, otherwise: str, most: int) -> str:
    """Say up to how many higher board cards a pair is bet."""
    if most < 0:
        return otherwise
    if most == HIGHER:
        return f"always {bet_word(bet)}"
    words = ("no board card is higher", "at most one board card is higher")
    return f"{bet_word(bet)} if {words[most] if most < len(words) else f'at most {most} board cards are higher'}"


# ---------------------------------------------------------------- Hands that have made no pair


def _unpaired(bet: str, otherwise: str, sums: Ints, bets: Ints, room: int, worth: int) -> list[str]:
    """Write the lines for Hands that have made no pair, in the best order."""
    table = sums[: thumb.PAIRS_FROM].reshape(SIGHTS, TWO_FACES, 3)
    betting = bets[: thumb.PAIRS_FROM].reshape(SIGHTS, TWO_FACES)
    gains = table[:, :, thumb.GAIN]
    fits = np.array([[sight.fits(seen) for seen in range(SIGHTS)] for sight in _SIGHTS])
    chosen: tuple[int, ...] = ()
    won = _weigh((), gains, fits)
    for size in range(1, min(room - 1, len(_SIGHTS)) + 1):
        found, order = max((_weigh(order, gains, fits), order) for order in permutations(range(len(_SIGHTS)), size))
        if found - won > worth * (size - len(chosen)):
            chosen, won = order, found
    lines: list[str] = []
    left = np.ones(SIGHTS, bool)
    always: list[str] = []
    for at in (*chosen, None):
        here = left if at is None else left & fits[at]
        left = left & ~here
        place, _ = _from(gains[here].sum(axis=0))
        betting[here, place:] = 1
        present = np.flatnonzero(table[here][:, :, thumb.COUNT].sum(axis=0))
        says = "Otherwise" if at is None else f"With {_SIGHTS[at].says}"
        if len(present) and place <= present[0]:
            always.append(_SIGHTS[at].says if at is not None else "everything else")
            continue
        if always:
            lines.append(f"{_verb(bet)} with {_listed(always)}.")
            always = []
        if not len(present) or place > present[-1]:
            lines.append(f"{says}: {otherwise}.")
        else:
            lines.append(f"{says}: {bet_word(bet)} with {_from_two(place)}.")
    if always:
        lines.append(f"{_verb(bet)} with {_listed(always)}.")
    return lines


def _weigh(order: tuple[int, ...], gains: Ints, fits: Ints) -> int:
    """Return what these lines gain, each from its best two faces on."""
    left = np.ones(SIGHTS, bool)
    won = 0
    for at in order:
        here = left & fits[at]
        left = left & ~here
        won += _from(gains[here].sum(axis=0))[1]
    return won + _from(gains[left].sum(axis=0))[1]


# ---------------------------------------------------------------- words


def bet_word(bet: str) -> str:
    """Return the verb of a rule: a Call is called, every other Bet is bet."""
    return "call" if bet == "call" else "bet"


def _verb(bet: str) -> str:
    return bet_word(bet).capitalize()


def _from_two(place: int) -> str:
    """Say the two faces of this place and everything above them, the higher face first: "K-7 or higher".

    Two faces alike lift the hand above the board only beside two pairs on it; above K-K are also unpaired Aces, so "K-K
    or higher" would be wrong.
    """
    high, low = divmod(place, FACES)
    if low < high:
        return "any ace" if place == ACE * FACES else f"{_two(high, low)} or higher"
    pair = f"{_two(high, high)} beside two pairs on the board"
    return pair if high == ACE else f"{_from_two((high + 1) * FACES)}, or with {pair}"


def _two(high: int, low: int) -> str:
    """Return "K-7" or "10-8"."""
    name = "23456789TJQKA"
    return f"{name[high]}-{name[low]}".replace("T", "10")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
