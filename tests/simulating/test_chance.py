"""Chance: Philox by its published answers, deals without bias, and the same round wherever it is dealt."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from croupier.lab.kernels import chance
from croupier.lab.kernels.chance import deal_many, words
from croupier.lab.kernels.compiling import natural, plain


def signed(word: int) -> int:
    """Sixty-four bits as the kernel takes them."""
    return word - 2**64 if word >= 2**63 else word


@pytest.mark.parametrize(
    ("counter", "key", "found"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_the_published_answers(
    counter: tuple[int, int, int, int], key: tuple[int, int], found: tuple[int, int, int, int]
) -> None:
    """The known-answer vectors of Random123 for Philox4x32 with ten rounds."""
    a, b, c, d = counter
    one, two = words(signed(key[1] << 32 | key[0]), signed(b << 32 | a), d, c)
    assert (int(one), int(two)) == (found[0] << 32 | found[1], found[2] << 32 | found[3])


def dealt(seed: int, rounds: int, count: int) -> list[list[int]]:
    eight, cards = natural(8), natural(52, 8)
    deck = eight.view("u1")
    found = []
    for number in range(rounds):
        deal_many(seed, number, 0, count, deck, eight, cards)
        found.append(cards[:count].tolist())
    return found


def test_many_boxes_are_dealt_from_one_deck() -> None:
    """No card twice, the whole deck when asked for, and the same cards again for the same number."""
    every = dealt(1, 50, 52)
    assert all(sorted(each) == list(range(52)) for each in every)
    assert len({tuple(each) for each in every}) == 50
    assert dealt(1, 50, 26) == [each[:26] for each in dealt(1, 50, 26)]
    assert dealt(2, 1, 26) != dealt(1, 1, 26)


def test_every_card_is_as_likely_at_every_place() -> None:
    """Chi squared over 20,000 deals: each place, and each card after each other."""
    deals = np.array(dealt(5, 20_000, 12))
    for place in range(12):
        seen = np.bincount(deals[:, place], minlength=52)
        assert ((seen - 20_000 / 52) ** 2 / (20_000 / 52)).sum() < 110  # 51 degrees: one in 400,000 is beyond it
    pairs = np.zeros((52, 52))
    for one, two in pairwise(range(12)):
        np.add.at(pairs, (deals[:, one], deals[:, two]), 1)
    expected = 11 * 20_000 / (52 * 51)
    off = pairs[~np.eye(52, dtype=bool)]
    assert pairs.trace() == 0
    assert ((off - expected) ** 2 / expected).sum() < 2652 + 6 * (2 * 2652) ** 0.5


def test_words_beyond_the_last_whole_multiple_are_thrown_away() -> None:
    """What is kept is a multiple of the number of deals, and nothing more could be."""
    for deals in (52 * 51 * 50 * 49, 48 * 47 * 46 * 45 * 44, 52 * 51 * 50, 49 * 48 * 47 * 46 * 45):
        limit = int(plain(chance._limit)(deals))
        assert limit % deals == 0
        assert 2**64 - deals < limit <= 2**64
