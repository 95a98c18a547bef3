"""Shuffles as they have been written, and must not be: each in its glass case."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from random import Random

from croupier.cards import DECK, Card
from croupier.floor.history.shuffle_test import Shuffle

Piece = Callable[[int], Shuffle]
"""A bad shuffle, from a seed, so that a run can be repeated."""


def modulo_bias(seed: int) -> Shuffle:
    """A byte, and what remains when it is divided: small remainders come more often."""
    random = Random(seed)

    def shuffle() -> list[Card]:
        order = list(DECK)
        for last in range(51, 0, -1):
            pick = random.getrandbits(8) % (last + 1)
            order[last], order[pick] = order[pick], order[last]
        return order

    return shuffle


def naive_swap(seed: int) -> Shuffle:
    """Every card is swapped with any card: 52 to the 52nd ways do not divide evenly among 52! orders."""
    random = Random(seed)

    def shuffle() -> list[Card]:
        order = list(DECK)
        for place in range(52):
            pick = random.randrange(52)
            order[place], order[pick] = order[pick], order[place]
        return order

    return shuffle


def seed_of_32_bits(seed: int) -> Shuffle:
    """A good generator that starts from one of four thousand million seeds: so many decks there are, and no more."""
    random = Random(seed)

    def shuffle() -> list[Card]:
        return Random(random.getrandbits(32)).sample(DECK, 52)

    return shuffle


def seed_of_the_clock(_: int) -> Shuffle:
    """Whoever knows the time of day to the millisecond knows the deck."""

    def shuffle() -> list[Card]:
        return Random(time.time_ns() // 1_000_000).sample(DECK, 52)

    return shuffle


def never_itself(seed: int) -> Shuffle:
    """One off in the draw: no card ever keeps its place."""
    random = Random(seed)

    def shuffle() -> list[Card]:
        order = list(DECK)
        for last in range(51, 0, -1):
            pick = random.randrange(last)
            order[last], order[pick] = order[pick], order[last]
        return order

    return shuffle


def one_too_short(seed: int) -> Shuffle:
    """One off in the loop: the first two cards are not shuffled with each other."""
    random = Random(seed)

    def shuffle() -> list[Card]:
        order = list(DECK)
        for last in range(51, 1, -1):
            pick = random.randrange(last + 1)
            order[last], order[pick] = order[pick], order[last]
        return order

    return shuffle


def sorted_by_a_coin(seed: int) -> Shuffle:
    """A sort that is told at random which of two cards comes first."""
    random = Random(seed)

    def shuffle() -> list[Card]:
        order: list[Card] = []
        for card in DECK:
            place = len(order)
            while place and random.random() < 0.5:
                place -= 1
            order.insert(place, card)
        return order

    return shuffle


def yesterdays_deck(seed: int) -> Shuffle:
    """The deck of last time, with a few swaps."""
    random = Random(seed)
    order = list(DECK)
    random.shuffle(order)

    def shuffle() -> list[Card]:
        for _ in range(60):
            one, other = random.randrange(52), random.randrange(52)
            order[one], order[other] = order[other], order[one]
        return list(order)

    return shuffle


def the_same_again(seed: int) -> Shuffle:
    """A generator that is started anew after every thousand decks."""
    random, numbers = Random(seed), count()

    def shuffle() -> list[Card]:
        if next(numbers) % 1000 == 0:
            random.seed(seed)
        return random.sample(DECK, 52)

    return shuffle


MUSEUM: dict[str, tuple[Piece, int]] = {
    "modulo bias": (modulo_bias, 20_000),
    "naive swap": (naive_swap, 20_000),
    "seed of 32 bits": (seed_of_32_bits, 200_000),
    "seed of the clock": (seed_of_the_clock, 20_000),
    "never itself": (never_itself, 20_000),
    "one too short": (one_too_short, 20_000),
    "sorted by a coin": (sorted_by_a_coin, 20_000),
    "yesterday's deck": (yesterdays_deck, 20_000),
    "the same again": (the_same_again, 20_000),
}
"""Each piece, and after how many shuffles it must have been caught."""
