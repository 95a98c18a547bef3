"""Five cards against five: how many of the Dealer's Hands each Hand of a Player beats.

The Dealer's Hands are first counted by their faces, as if no five cards had one suit: of each of 6,175 patterns of
faces there are as many as the own Hand leaves of every face, chosen apart and multiplied. Then each flush that may
still be dealt, of 1,287 sets of faces in each suit, is moved from the strength of its faces to its own.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np

from croupier.lab.kernels.cards.ranking import RANKS, RankTables, cards_strength, faces_strength, rank_tables
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.enumerate.three_card import LOSSES, TIES, UNQUALIFIED, UNQUALIFIED_TIES, WINS
from croupier.lab.kernels.runtime.compiler import Ints, in_chunks, kernel, workers, zeros

HANDS, DEALERS = 2_598_960, 1_533_939
SIZE = 5


@kernel
def outcome_of(his: int, mine: int, qualifies_from: int) -> int:
    """Return the column in which a Hand of the Dealer's is counted."""
    if his < qualifies_from:
        return UNQUALIFIED_TIES if his == mine else UNQUALIFIED
    if his < mine:
        return WINS
    return TIES if his == mine else LOSSES


@kernel
def rank_hands(own: Ints, t: RankTables, mine: Ints) -> None:
    """Write the strength of each Hand."""
    masks = np.zeros(4, np.int64)
    for at in range(own.shape[0]):
        masks[:] = 0
        for place in range(SIZE):
            card = own[at, place]
            masks[card & 3] |= 1 << (card >> 2)
        mine[at] = cards_strength(masks[0], masks[1], masks[2], masks[3], t)


@kernel
def count_by_faces(own: Ints, mine: Ints, faces: Ints, strengths: Ints, qualifies_from: int, counts: Ints) -> None:
    """Add the Dealer's Hands by outcome for each own Hand, every Hand at the strength of its faces alone."""
    left = np.zeros(RANKS, np.int64)
    for at in range(own.shape[0]):
        left[:] = 4
        for place in range(SIZE):
            left[own[at, place] >> 2] -= 1
        for his in range(faces.shape[0]):
            ways, before, again = 1, -1, 0
            for place in range(SIZE):
                face = faces[his, place]
                again = again + 1 if face == before else 0
                before = face
                # After the second card of a face the product is that of its pairs, after the third of its triples.
                ways = ways * (left[face] - again) // (again + 1)
            counts[at, outcome_of(strengths[his], mine[at], qualifies_from)] += ways


@kernel
def move_flushes(own: Ints, mine: Ints, sets: Ints, mixed: Ints, t: RankTables, least: int, counts: Ints) -> None:
    """Count every flush that may still be dealt at its own strength, and no longer at that of its faces."""
    masks = np.zeros(4, np.int64)
    for at in range(own.shape[0]):
        masks[:] = 0
        for place in range(SIZE):
            card = own[at, place]
            masks[card & 3] |= 1 << (card >> 2)
        for suit in range(4):
            for each in range(sets.shape[0]):
                if sets[each] & masks[suit] == 0:
                    counts[at, outcome_of(mixed[each], mine[at], least)] -= 1
                    counts[at, outcome_of(t.flush[sets[each]], mine[at], least)] += 1


@cache
def patterns() -> tuple[Ints, Ints]:
    """Return every pattern of five faces, the lowest first, and its strength without a flush."""
    found = [each for each in combinations_with_replacement(range(RANKS), SIZE) if each[0] != each[-1]]
    faces, strengths = zeros((len(found), SIZE), 8), zeros(len(found), 32)
    faces[:] = found
    strengths[:] = [_strength(each) for each in found]
    return faces, strengths


@cache
def suited() -> tuple[Ints, Ints]:
    """Return every set of five faces as a mask, and its strength without a flush."""
    found = list(combinations(range(RANKS), SIZE))
    masks, strengths = zeros(len(found), 32), zeros(len(found), 32)
    masks[:] = [sum(1 << face for face in each) for each in found]
    strengths[:] = [_strength(each) for each in found]
    return masks, strengths


def _strength(faces: tuple[int, ...]) -> int:
    once, twice, thrice, four = (
        sum(1 << face for face in set(faces) if faces.count(face) >= least) for least in (1, 2, 3, 4)
    )
    return faces_strength(once, twice, thrice, four, rank_tables())


def count_hands(own: Ints, qualifies_from: int) -> tuple[Ints, Ints]:
    """Return the strength of each own Hand, its cards ascending, and the Dealer's Hands against it by outcome."""
    t = rank_tables()
    mine = zeros(len(own), 32)
    rank_hands(own, t, mine)
    # Hands of the same faces and strength leave the same faces to the Dealer: each such case is counted once.
    keys = mine.astype(np.int64)
    for place in range(SIZE):
        keys = keys * RANKS + (own[:, place] >> 2)
    _, first_of, case_of = np.unique(keys, return_index=True, return_inverse=True)
    cases, strengths, by_faces = own[first_of], mine[first_of], zeros((len(first_of), 5))

    def count(first: int, last: int) -> None:
        some = slice(first, last)
        count_by_faces(cases[some], strengths[some], *patterns(), qualifies_from, by_faces[some])

    in_chunks(len(cases), 4 * workers(), count)
    counts: Ints = by_faces[case_of]

    def move(first: int, last: int) -> None:
        some = slice(first, last)
        move_flushes(own[some], mine[some], *suited(), t, qualifies_from, counts[some])

    in_chunks(len(own), 4 * workers(), move)
    return mine, counts


def count_all(qualifies_from: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return every class of Hands: cards, size, strength, and the Dealer's Hands by outcome."""
    own, ways = canonical(SIZE)
    return own, ways, *count_hands(own, qualifies_from)
