"""Chance: a counter that is stirred by Philox4x32-10, and cards dealt from what comes out.

The words of round `n` of a seed are the same wherever and in whatever order the round is played, so that one worker
and a hundred add up to the same sums. No draw is biased: a word beyond the last whole multiple of the number of deals
is thrown away, and the next one taken.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.kernels.compiling import Ints, kernel, part, whole

DEALING, ERRING, SEATING, HANDLING = range(4)
"""What words are drawn for: cards, mistakes of Players, who sits and bets, errors of the Dealer."""

_FIRST, _SECOND = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEP_ONE, _STEP_TWO = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)

_FOUR, _FIVE, _THREE, _LAST_FIVE = 52 * 51 * 50 * 49, 48 * 47 * 46 * 45 * 44, 52 * 51 * 50, 49 * 48 * 47 * 46 * 45


def _limit(deals: int) -> np.uint64:
    """The words below this are a whole multiple of the deals."""
    return np.uint64(2**64 - 2**64 % deals)


_DEALS_OF_FOUR, _DEALS_OF_FIVE = np.uint64(_FOUR), np.uint64(_FIVE)
_BELOW_FOUR, _BELOW_FIVE = _limit(_FOUR), _limit(_FIVE)
_DEALS_OF_THREE, _DEALS_OF_LAST_FIVE = np.uint64(_THREE), np.uint64(_LAST_FIVE)
_BELOW_THREE, _BELOW_LAST_FIVE = _limit(_THREE), _limit(_LAST_FIVE)


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


@part
def _in_order(eight: Ints) -> None:
    """The deck as it comes from the box, eight cards at a time."""
    card = np.uint64(0x0706050403020100)
    for at in range(7):
        eight[at] = card
        card += np.uint64(0x0808080808080808)


@part
def _draw(deck: Ints, at: int, pick: int) -> int:
    """The card at the pick; the one whose turn it would have been takes its place."""
    card = deck[pick]
    deck[pick] = deck[at]
    return whole(card)


@kernel
def deal_nine(seed: int, number: int, deck: Ints, eight: Ints, cards: Ints, to: int) -> None:
    """Two Hole Cards, the Dealer's two and five Community Cards of one round, into a column of cards."""
    attempt = 0
    one, two = words(seed, number, DEALING, attempt)
    while one >= _BELOW_FOUR or two >= _BELOW_FIVE:
        attempt += 1
        one, two = words(seed, number, DEALING, attempt)
    r = np.uint32(one % _DEALS_OF_FOUR)
    s = np.uint32(two % _DEALS_OF_FIVE)
    _in_order(eight)
    for at in range(4):
        left = np.uint32(52 - at)
        cards[at, to] = _draw(deck, at, at + whole(r % left))
        r //= left
    for at in range(4, 9):
        left = np.uint32(52 - at)
        cards[at, to] = _draw(deck, at, at + whole(s % left))
        s //= left


@kernel
def deal_eight(seed: int, number: int, deck: Ints, eight: Ints, cards: Ints, to: int) -> None:
    """Three own cards, the Dealer's three and two Community Cards."""
    attempt = 0
    one, two = words(seed, number, DEALING, attempt)
    while one >= _BELOW_THREE or two >= _BELOW_LAST_FIVE:
        attempt += 1
        one, two = words(seed, number, DEALING, attempt)
    r = np.uint32(one % _DEALS_OF_THREE)
    s = np.uint32(two % _DEALS_OF_LAST_FIVE)
    _in_order(eight)
    for at in range(3):
        left = np.uint32(52 - at)
        cards[at, to] = _draw(deck, at, at + whole(r % left))
        r //= left
    for at in range(3, 8):
        left = np.uint32(52 - at)
        cards[at, to] = _draw(deck, at, at + whole(s % left))
        s //= left


@kernel
def deal_many(seed: int, number: int, purpose: int, count: int, deck: Ints, eight: Ints, cards: Ints) -> None:
    """The first `count` cards of the shuffled deck of a round with many boxes: five from each word."""
    _in_order(eight)
    at = attempt = 0
    while at < count:
        one, two = words(seed, number, purpose, attempt)
        attempt += 1
        for word in (one, two):
            size = min(5, count - at)
            deals = np.uint64(1)
            for each in range(size):
                deals *= np.uint64(52 - at - each)
            # 2**64 less what is left over of it; the subtraction wraps around, as it should.
            rest = (np.uint64(0) - deals) % deals
            if size <= 0 or word > np.uint64(0xFFFFFFFFFFFFFFFF) - rest:
                continue
            r = np.uint32(word % deals)
            for _ in range(size):
                left = np.uint32(52 - at)
                cards[at] = _draw(deck, at, at + whole(r % left))
                r //= left
                at += 1
