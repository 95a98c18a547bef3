"""Random numbers from Philox4x32-10, a counter-based generator, and cards dealt from them.

The words of round `n` of a seed are the same wherever and in whatever order the round is played, so one worker and a
hundred add up to the same sums. Each word gives five cards: the word is a place in the unit interval, cut into as many
equal parts as cards are left. A word on the border of two deals is rejected and drawn again, so no draw is biased.

Many rounds are dealt at a time, one step for all of them before the next, in loops without branch or division.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.runtime.compiler import Ints, as_int64, kernel, part

DEALING, ERRING, SEATING, HANDLING = range(4)
"""Purposes of words: cards, mistakes of Players, who sits and bets, errors of the Dealer."""
DEALT_OF_A_WORD = 5
RETRY_STEP = 1 << 16
"""Attempts between a rejected word and the one that replaces it."""

_FIRST, _SECOND = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEP_ONE, _STEP_TWO = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


@kernel
def words(seed: int, number: int, purpose: int, attempt: int) -> tuple[int, int]:
    """Return two words of 64 bits: Philox4x32-10 of the counter (number, attempt, purpose) under the key `seed`."""
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
    """Write the words of `size` rounds from the number `first` on."""
    for at in range(size):
        ones[at], twos[at] = words(seed, first + at, purpose, attempt)


@kernel
def rejected_below(deals: int) -> int:
    """Return 2**64 modulo `deals`: a product whose low half is less belongs to no deal alone."""
    return (np.uint64(0) - np.uint64(deals)) % np.uint64(deals)  # type: ignore[return-value]  # compiled, it wraps


@part
def _digits(drawn: Ints, size: int, left: int, count: int, cards: Ints, row: int) -> None:
    """Write the parts in which words lie, with one card less each time; keep each word's place in its part."""
    for each in range(count):
        parts = np.uint64(left - each)
        for at in range(size):
            high = (drawn[at] >> _HALF) * parts
            low = (drawn[at] & _LOW) * parts
            cards[row + each, at] = (high + (low >> _HALF)) >> _HALF
            drawn[at] = (high << _HALF) + low


@part
def _redraw(
    seed: int, first: int, size: int, purpose: int, word: int, drawn: Ints, left: int, count: int, cards: Ints, row: int
) -> None:
    """Draw rejected words again."""
    deals = 1
    for each in range(count):
        deals *= left - each
    rest = np.uint64(rejected_below(deals))
    again = False
    for at in range(size):
        again |= drawn[at] < rest
    if not again:
        return
    for at in range(size):
        attempt = word >> 1
        while drawn[at] < rest:
            attempt += RETRY_STEP
            one, two = words(seed, first + at, purpose, attempt)
            drawn[at] = two if word & 1 else one
            _digits(drawn[at : at + 1], 1, left, count, cards[:, at : at + 1], row)


@kernel
def deal(seed: int, first: int, size: int, purpose: int, count: int, ones: Ints, twos: Ints, cards: Ints) -> None:
    """Deal the first `count` cards of the shuffled decks of `size` rounds: `cards` by place in the deal, then round.

    Each card is first a number among those that are left; then the cards before it are counted in, the last first.
    """
    for word in range((count + DEALT_OF_A_WORD - 1) // DEALT_OF_A_WORD):
        row = word * DEALT_OF_A_WORD
        several, left = min(DEALT_OF_A_WORD, count - row), 52 - row
        if word & 1 == 0:
            words_of(seed, first, size, purpose, word >> 1, ones, twos)
        drawn = twos if word & 1 else ones
        _digits(drawn, size, left, several, cards, row)
        _redraw(seed, first, size, purpose, word, drawn, left, several, cards, row)
    for early in range(count - 2, -1, -1):
        for late in range(early + 1, count):
            for at in range(size):
                cards[late, at] += cards[late, at] >= cards[early, at]


@part
def high_half(word: int) -> int:
    """Return the upper 32 bits of a word."""
    return as_int64(np.uint64(word) >> _HALF)


@part
def low_half(word: int) -> int:
    """Return the lower 32 bits of a word."""
    return as_int64(np.uint64(word) & _LOW)
