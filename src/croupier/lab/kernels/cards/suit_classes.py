"""Sets of cards up to the names of suits: of all sets that differ only in them, one stands for the class.

A card is four times its face's place plus its suit. In the set that stands for its class no suit's mask of faces is
below the next one's.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from croupier.lab.kernels.runtime.compiler import Ints, kernel, zeros


@kernel
def share_of_suits(a: int, b: int, c: int, d: int) -> int:
    """Return how many sets are of the class of these four suits' masks, given in descending order."""
    ways = 24
    if a == b == c == d:
        ways //= 24
    elif a == b == c or b == c == d:
        ways //= 6
    else:
        if a == b:
            ways //= 2
        if b == c:
            ways //= 2
        if c == d:
            ways //= 2
    return ways


@kernel
def _canonical(size: int, cards: Ints, ways: Ints) -> int:
    """Write every set of that size that stands for its class, and the class's size; return how many there are."""
    at = np.arange(size)
    masks = np.zeros(4, np.int64)
    found = 0
    while True:
        masks[:] = 0
        for each in at:
            masks[each & 3] |= 1 << (each >> 2)
        if masks[0] >= masks[1] >= masks[2] >= masks[3]:
            if found < cards.shape[0]:
                for place in range(size):
                    cards[found, place] = at[place]
                ways[found] = share_of_suits(masks[0], masks[1], masks[2], masks[3])
            found += 1
        place = size - 1
        while place >= 0 and at[place] == 52 - size + place:
            place -= 1
        if place < 0:
            return found
        at[place] += 1
        for later in range(place + 1, size):
            at[later] = at[later - 1] + 1


_CLASSES = {2: 169, 3: 1_755, 4: 16_432, 5: 134_459}


@cache
def canonical(size: int) -> tuple[Ints, Ints]:
    """Return one set of cards of each class, and how many sets the class has."""
    expected = _CLASSES[size]
    cards, ways = zeros((expected, size), 8), zeros(expected)
    found = _canonical(size, cards, ways)
    assert found == expected, found
    return cards, ways


@kernel
def count_holes_with_flops() -> tuple[int, int]:
    """Count classes of two Hole Cards with three Flop Cards, and the deals they stand for."""
    hole, flop, keys = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    classes = deals = 0
    for h2 in range(1, 52):
        for h1 in range(h2):
            hole[:] = 0
            hole[h1 & 3] |= 1 << (h1 >> 2)
            hole[h2 & 3] |= 1 << (h2 >> 2)
            if not hole[0] >= hole[1] >= hole[2] >= hole[3]:
                continue
            for f3 in range(2, 52):
                if f3 in (h1, h2):
                    continue
                for f2 in range(1, f3):
                    if f2 in (h1, h2):
                        continue
                    for f1 in range(f2):
                        if f1 in (h1, h2):
                            continue
                        flop[:] = 0
                        flop[f1 & 3] |= 1 << (f1 >> 2)
                        flop[f2 & 3] |= 1 << (f2 >> 2)
                        flop[f3 & 3] |= 1 << (f3 >> 2)
                        for suit in range(4):
                            keys[suit] = hole[suit] << 13 | flop[suit]
                        if keys[0] >= keys[1] >= keys[2] >= keys[3]:
                            classes += 1
                            deals += share_of_suits(keys[0], keys[1], keys[2], keys[3])
    return classes, deals
