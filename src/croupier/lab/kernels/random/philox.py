"""Chance: a counter that is stirred by Philox4x32-10, and cards dealt from what comes out.

The words of round `n` of a seed are the same wherever and in whatever order the round is played, so that one worker
and a hundred add up to the same sums. Five cards come out of each word: the word is a place in the unit interval, cut
into as many equal parts as there are cards left, and the part it lies in says which of them is dealt. No draw is
biased: a word that lies where the parts of two deals meet is thrown away, and another one taken.

Rounds are dealt many at a time, one step for all of them before the next, in loops that a machine works off several
rounds at once: there is no branch and no division in them.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.runtime.compiler import Ints, kernel, part, whole

DEALING, ERRING, SEATING, HANDLING = range(4)
"""What words are drawn for: cards, mistakes of Players, who sits and bets, errors of the Dealer."""
DEALT_OF_A_WORD = 5
ANOTHER = 1 << 16
"""So much later in the count of attempts lies the word that is taken instead of one that is thrown away."""

_FIRST, _SECOND = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEP_ONE, _STEP_TWO = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


@kernel
def words(seed: int, number: int, purpose: int, attempt: int) -> tuple[int, int]:
    """Two words of 64 bits: Philox4x32-10 of the counter (number, attempt, purpose) under the key `seed`."""
    a, b = np.uint64(number) & _LOW, np.uint64(number) >> _HALF
    c, d = np.uint64(attempt) & _LOW, np.uint64(purpose) & _LOW
    one, two = np.uint64(seed) & _LOW, np.uint64(seed) >> _HALF
    for _ in range(10):
        x, y = _FIRST * a, _SECOND * c
        a, b, c, d = (y >> _HALF) ^ b ^ one, y & _LOW, (x >> _HALF) ^ d ^ two, x & _LOW
        one, two = (one + _STEP_ONE) & _LOW, (two + _STEP_TWO) & _LOW
    return a << _HALF | b, c << _HALF | d  # type: ignore[return-value]  # compiled, words of 64 bits


@kernel
def words_of(seed: int, first: int, size: int, purpose: int, attempt: int, ones: Ints, twos: Ints) -> None:
    """The words of so many rounds from the number `first` on."""
    for at in range(size):
        ones[at], twos[at] = words(seed, first + at, purpose, attempt)


@kernel
def left_over(deals: int) -> int:
    """2**64 divided into equal parts leaves this over: a product whose low half is less belongs to no deal alone."""
    return (np.uint64(0) - np.uint64(deals)) % np.uint64(deals)  # type: ignore[return-value]  # compiled, it wraps


@part
def _digits(drawn: Ints, size: int, left: int, count: int, cards: Ints, row: int) -> None:
    """The parts in which words lie, with one card less each time; what is left of each word is its place there."""
    for each in range(count):
        parts = np.uint64(left - each)
        for at in range(size):
            high = (drawn[at] >> _HALF) * parts
            low = (drawn[at] & _LOW) * parts
            cards[row + each, at] = (high + (low >> _HALF)) >> _HALF
            drawn[at] = (high << _HALF) + low


@part
def _draw_again(
    seed: int, first: int, size: int, purpose: int, word: int, drawn: Ints, left: int, count: int, cards: Ints, row: int
) -> None:
    """What lies where two deals meet is drawn again, until it does not."""
    deals = 1
    for each in range(count):
        deals *= left - each
    rest = np.uint64(left_over(deals))
    again = False
    for at in range(size):
        again |= drawn[at] < rest
    if not again:
        return
    for at in range(size):
        attempt = word >> 1
        while drawn[at] < rest:
            attempt += ANOTHER
            one, two = words(seed, first + at, purpose, attempt)
            drawn[at] = two if word & 1 else one
            _digits(drawn[at : at + 1], 1, left, count, cards[:, at : at + 1], row)


@kernel
def deal(seed: int, first: int, size: int, purpose: int, count: int, ones: Ints, twos: Ints, cards: Ints) -> None:
    """The first `count` cards of the shuffled decks of so many rounds: `cards` by their place in the deal, then round.

    First every card is a number among those that are left, then those before it are counted in, the last ones first.
    """
    for word in range((count + DEALT_OF_A_WORD - 1) // DEALT_OF_A_WORD):
        row = word * DEALT_OF_A_WORD
        several, left = min(DEALT_OF_A_WORD, count - row), 52 - row
        if word & 1 == 0:
            words_of(seed, first, size, purpose, word >> 1, ones, twos)
        drawn = twos if word & 1 else ones
        _digits(drawn, size, left, several, cards, row)
        _draw_again(seed, first, size, purpose, word, drawn, left, several, cards, row)
    for early in range(count - 2, -1, -1):
        for late in range(early + 1, count):
            for at in range(size):
                cards[late, at] += cards[late, at] >= cards[early, at]


@part
def high_half(word: int) -> int:
    """The upper 32 bits of a word."""
    return whole(np.uint64(word) >> _HALF)


@part
def low_half(word: int) -> int:
    """The lower 32 bits of a word."""
    return whole(np.uint64(word) & _LOW)
