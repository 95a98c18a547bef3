"""Numbers for cards, boards and Hole Cards, and the channels that are counted of a deal.

On a complete board at most one suit can make a flush. So a board is worth what its faces are worth, plus a correction
for that suit; and a Hole Card is its face and whether it is of that suit. The value of a *channel* (any count kept of a
deal) on a board is `plain[faces] + sum over suits of extra[suit]`, where `extra` is zero unless three or more cards of
the board are of the suit. Both parts are summed over rivers and turns by themselves.

Sizes: 13 faces; 91 pairs of faces; 338 types of Hole Cards seen from one suit (78 both of it, 169 one, 91 none); 754
seen from two suits. With respect to one suit a complete board is three, four or five faces of the suit and the faces of
the others: 26,026 + 9,295 + 1,287 boards; by faces alone there are 6,175.

A channel is a sum over the Dealer's 990 Hands: `win[rank]` for each that the Player beats, `off[rank]` for each that
does not qualify, `lose` for each that beats the Player; a stand-off counts zero. Channel 0 decides.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial
from typing import NamedTuple, cast

import numpy as np

from croupier.lab.kernels.runtime.compiler import Ints, kernel, part

FACES, PAIRS, TYPES, JOINT, HOLES, CLASSES = 13, 91, 338, 754, 1326, 169
SO, OO = 78, 247  # where the types with one card of the suit begin, and those with none
DEALERS = 990
TWOS, TRIPLES, QUADS = 78, 286, 715
BY_FACES = 6188


class Pairs(NamedTuple):
    """The 91 pairs of faces."""

    high: Ints
    low: Ints
    at: Ints
    """[13, 13] -> the number of a pair of faces, in either order."""
    of_type: Ints
    """[338] -> the pair of faces of a type of Hole Cards."""


class Boards(NamedTuple):
    """The numbers of boards: by faces alone, and of the faces of one suit."""

    add2: Ints
    add3: Ints
    add4: Ints
    """[n cards by faces, face] -> the number of the n + 1 cards by faces."""
    faces5: Ints
    faces4: Ints
    faces3: Ints
    twos: Ints
    triples: Ints
    quads: Ints
    quints: Ints
    """Faces of one suit, ascending."""
    ways4: Ints
    ways3: Ints
    """How many boards of all different suits have these faces."""


class Joint(NamedTuple):
    """Hole Cards as two suits see them."""

    type_of: Ints
    """[2, 754] -> the type as one suit sees it, and as the other does."""
    pair: Ints
    first: Ints
    second: Ints
    """[754] -> card types 0-12 of one suit, 13-25 of the other, 26-38 of neither."""


class Holes(NamedTuple):
    """The 1,326 pairs of Hole Cards."""

    type_of: Ints
    """[4, 1326] -> their type as each suit sees them."""
    pair: Ints
    hand: Ints
    cards: Ints


class Shapes(NamedTuple):
    """Which number stands for which cards; the same for every game."""

    pairs: Pairs
    boards: Boards
    joint: Joint
    holes: Holes


def _multisets(size: int) -> list[tuple[int, ...]]:
    """Return faces in ascending order, in the order of their numbers."""
    return sorted(combinations_with_replacement(range(FACES), size), key=lambda faces: faces[::-1])


def _subsets(size: int) -> list[tuple[int, ...]]:
    return sorted(combinations(range(FACES), size), key=lambda faces: faces[::-1])


def _added(size: int) -> Ints:
    numbers = {faces: at for at, faces in enumerate(_multisets(size + 1))}
    table = [[numbers[tuple(sorted((*faces, more)))] for more in range(FACES)] for faces in _multisets(size)]
    return _ints(table)


def _ways(size: int) -> Ints:
    def ways(faces: tuple[int, ...]) -> int:
        same = 1
        for face in set(faces):
            same *= factorial(faces.count(face))
        return factorial(4) // factorial(4 - size) // same

    return _ints([ways(faces) for faces in _multisets(size)])


def hand_class(high: int, low: int, suited: bool) -> int:
    """Return the number of a starting hand: above the diagonal of the chart suited, below it not, pairs on it."""
    return high * FACES + low if suited else low * FACES + high


def _type(first: tuple[int, bool], second: tuple[int, bool]) -> int:
    """Return the type of two Hole Cards, each its face and whether it is of the suit."""
    (x, of_suit), (y, also) = first, second
    if of_suit and also:
        high, low = max(x, y), min(x, y)
        assert high > low
        return high * (high - 1) // 2 + low
    if of_suit:
        return SO + FACES * x + y
    if also:
        return SO + FACES * y + x
    high, low = max(x, y), min(x, y)
    return OO + high * (high + 1) // 2 + low


@cache
def shapes() -> Shapes:
    """Return the tables; made once in a process."""
    pairs = [(high, low) for high in range(FACES) for low in range(high + 1)]
    number = {pair: at for at, pair in enumerate(pairs)}
    pair = [[number[max(x, y), min(x, y)] for y in range(FACES)] for x in range(FACES)]

    types = [pair[high][low] for high, low in combinations_descending(FACES)]
    types += [pair[x][y] for x in range(FACES) for y in range(FACES)]
    types += list(range(PAIRS))

    joint = [(x, y) for x, y in combinations_descending(FACES)]
    joint += [(13 + x, 13 + y) for x, y in combinations_descending(FACES)]
    joint += [(x, 13 + y) for x in range(FACES) for y in range(FACES)]
    joint += [(x, 26 + y) for x in range(FACES) for y in range(FACES)]
    joint += [(13 + x, 26 + y) for x in range(FACES) for y in range(FACES)]
    joint += [(26 + x, 26 + y) for x, y in pairs]

    def seen(card: int, suit: int) -> tuple[int, bool]:
        return card % 13, card // 13 == suit

    holes = list(combinations(range(52), 2))
    return Shapes(
        Pairs(
            high=_ints([high for high, _ in pairs]),
            low=_ints([low for _, low in pairs]),
            at=_places(pair),
            of_type=_places(types),
        ),
        Boards(
            add2=_added(2),
            add3=_added(3),
            add4=_added(4),
            faces5=_ints(_multisets(5)),
            faces4=_ints(_multisets(4)),
            faces3=_ints(_multisets(3)),
            twos=_ints(_subsets(2)),
            triples=_ints(_subsets(3)),
            quads=_ints(_subsets(4)),
            quints=_ints(_subsets(5)),
            ways4=_ways(4),
            ways3=_ways(3),
        ),
        Joint(
            type_of=_places([[_type(seen(a, suit), seen(b, suit)) for a, b in joint] for suit in range(2)]),
            pair=_places([pair[a % FACES][b % FACES] for a, b in joint]),
            first=_ints([a for a, _ in joint]),
            second=_ints([b for _, b in joint]),
        ),
        Holes(
            type_of=_places(
                [[_type((a // 4, a % 4 == suit), (b // 4, b % 4 == suit)) for a, b in holes] for suit in range(4)]
            ),
            pair=_places([pair[a // 4][b // 4] for a, b in holes]),
            hand=_ints([hand_class(b // 4, a // 4, a % 4 == b % 4) for a, b in holes]),
            cards=_ints(holes),
        ),
    )


def combinations_descending(faces: int) -> list[tuple[int, int]]:
    """Return two different faces, the higher first, in the order of their numbers."""
    return [(high, low) for high in range(faces) for low in range(high)]


def _ints(values: object) -> Ints:
    return cast(Ints, np.ascontiguousarray(np.array(values, np.int32)))


def _places(values: object) -> Ints:
    """Return places in arrays, without a sign, so that compiled code need not check for negative ones."""
    return cast(Ints, np.ascontiguousarray(np.array(values, np.uint16)))


@kernel
def two_at(low: int, high: int) -> int:
    """Return the number of two faces of one suit."""
    return high * (high - 1) // 2 + low


@kernel
def three_at(low: int, mid: int, high: int) -> int:
    return high * (high - 1) * (high - 2) // 6 + mid * (mid - 1) // 2 + low


@kernel
def four_at(a: int, b: int, c: int, d: int) -> int:
    return d * (d - 1) * (d - 2) * (d - 3) // 24 + three_at(a, b, c)


# ---------------------------------------------------------------- what a channel counts


class Channels(NamedTuple):
    """What is summed over the Dealer's Hands, and from which strength a Dealer's Hand plays."""

    win: Ints
    """[channel, rank of the Player's Hand]"""
    off: Ints
    """[channel, rank of the Player's Hand], for each Dealer's Hand that does not qualify."""
    lose: Ints
    qualifies_from: int
    tie_first: bool


@part
def channel_value(ch: int, strength: int, wins: int, at_most: int, unqualified: int, channels: Channels) -> int:
    """Return one channel for a Hand that beats `wins` of the Dealer's, and beats or equals `at_most` of them."""
    rank = strength >> 20
    if channels.qualifies_from == 0:
        return int(channels.win[ch, rank] * wins + channels.lose[ch] * (DEALERS - at_most))
    if strength < channels.qualifies_from:
        shown = unqualified - (at_most - wins) if channels.tie_first else unqualified
        return int(channels.off[ch, rank] * shown + channels.lose[ch] * (DEALERS - unqualified))
    paid = channels.win[ch, rank] * (wins - unqualified) + channels.off[ch, rank] * unqualified
    return int(paid + channels.lose[ch] * (DEALERS - at_most))
