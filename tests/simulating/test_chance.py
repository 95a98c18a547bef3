"""Chance: Philox by its published answers, deals without bias, and the same round wherever it is dealt."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from croupier.lab.kernels.random.philox import DEALT_OF_A_WORD, deal, rejected_below, words
from croupier.lab.kernels.runtime.compiler import unsigned_zeros


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
    cards = unsigned_zeros((52, rounds), 8)
    deal(seed, 0, rounds, 0, count, unsigned_zeros(rounds), unsigned_zeros(rounds), cards)
    return [list(each) for each in zip(*cards[:count].tolist(), strict=True)]


def by_hand(seed: int, number: int, count: int) -> list[int]:
    """The same with numbers as long as they need to be: cards are taken out of a deck, one after the other."""
    deck, found = list(range(52)), []
    every = [int(word) for attempt in range(6) for word in words(seed, number, 0, attempt)]
    for at in range(count):
        word, rest = divmod(every[at // DEALT_OF_A_WORD] * len(deck), 2**64)
        every[at // DEALT_OF_A_WORD] = rest
        found.append(deck.pop(word))
    return found


def test_a_card_is_the_part_of_the_deck_in_which_its_word_lies() -> None:
    """Exact, for whole decks and for some cards of each; and a round is the same wherever in a row it is dealt."""
    for seed, number in ((1, 0), (7, 99), (2**40 + 3, 511)):
        assert dealt(seed, 512, 52)[number] == by_hand(seed, number, 52)
    for count in (8, 9, 17):
        assert dealt(3, 700, count) == [by_hand(3, number, count) for number in range(700)]


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


def test_what_is_thrown_away_leaves_every_deal_as_many_words() -> None:
    """A word is a place in the unit interval: without those that are thrown away, every part holds as many places."""
    for first in (52, 47, 42, 7):
        deals = 1
        for card in range(first, first - DEALT_OF_A_WORD, -1):
            deals *= card
        assert int(rejected_below(deals)) == 2**64 % deals
    # The same with words of eight bits, where all of them can be counted.
    for parts in (3, 5, 6, 52, 100):
        kept = [word * parts // 256 for word in range(256) if word * parts % 256 >= 256 % parts]
        assert {kept.count(part) for part in range(parts)} == {256 // parts}
