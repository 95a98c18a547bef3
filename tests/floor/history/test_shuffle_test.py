"""Chance: the shuffle of the house is fair, comes from the operating system, and every bad one is caught."""

from __future__ import annotations

import io
import secrets
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random

import pytest

from croupier.cards import DECK, Card, shuffled
from croupier.floor.history.shuffle_test import Shuffle, fixed_expected, judged, runs_expected
from croupier.floor.live.floor import os_chance
from croupier.floor.records import committed_decks
from croupier.floor.records.committed_decks import Chance, Drawn, new_deck
from tests.floor.bad_shuffles import MUSEUM
from tests.floor.leak_probe import Given


def deck() -> Sequence[Card]:
    return list(new_deck(os_chance()).shoe)


def test_the_shuffle_of_the_house_is_fair() -> None:
    """Each card at each place, pairs, runs, fixed cards, repetitions; the report does it a million times."""
    results = judged(deck, 20_000)
    assert [result for result in results if not result.is_fair] == []
    assert len(results) == 9


def repeated(shuffle: Shuffle, count: int) -> int:
    """Count decks that occurred before: of 52! orders none does, of four thousand million some do."""
    return count - len({hash(tuple(shuffle())) for _ in range(count)})


@pytest.mark.parametrize("piece", MUSEUM)
def test_every_bad_shuffle_is_caught(piece: str) -> None:
    """By one test at least."""
    make, enough = MUSEUM[piece]
    unfair = [result for result in judged(make(7), min(enough, 20_000)) if not result.is_fair]
    assert unfair or repeated(make(7), enough), f"{piece} passes for fair"


def test_a_fair_generator_is_not_called_bad() -> None:
    """The tests do not cry wolf: many runs of a good generator, each with its own seed."""
    for seed in range(20):
        draw = partial(Random(seed).sample, DECK, 52)
        assert all(result.is_fair for result in judged(draw, 2000))


def test_the_expectations_are_shares_of_a_whole() -> None:
    """Euler's numbers and derangements."""
    assert sum(runs_expected(runs) for runs in range(1, 53)) == pytest.approx(1)
    assert sum(fixed_expected(fixed) for fixed in range(53)) == pytest.approx(1)
    assert fixed_expected(51) == 0


def test_chance_is_the_operating_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a generator of ours, and no seed: salts are its bytes, and numbers are drawn from its bytes alone."""
    assert os_chance().token is secrets.token_bytes
    asked: list[int] = []

    def token(count: int) -> bytes:
        asked.append(count)
        return bytes(range(count))

    monkeypatch.setattr(secrets, "token_bytes", token)
    chance = os_chance()
    assert [chance.below(52), chance.below(51), chance.below(2)] == [0x0001 % 52, 0x0203 % 51, 0x0405 % 2]
    assert len(asked) == 1


def next_of(given: Iterator[bytes], _: int) -> bytes:
    return next(given)


def test_every_number_is_drawn_from_as_many_words_as_any_other() -> None:
    """All 65,536 words of two bytes, for every size that a shuffle asks for: those past the last whole multiple of it
    are drawn again.
    """
    words = b"".join(word.to_bytes(2) for word in range(2**16))
    for number in range(2, 53):
        drawn = Drawn(io.BytesIO(words).read)
        counts: Counter[int] = Counter()
        with suppress(struct.error):  # when the last word is used up
            while True:
                drawn._last = number + 1  # as within a shuffle, which asks for ever smaller numbers
                counts[drawn.below(number)] += 1
        assert counts == dict.fromkeys(range(number), 2**16 // number)


def test_nothing_of_the_next_deck_lies_in_memory() -> None:
    """Every shuffle begins with bytes of its own."""
    asked: list[bytes] = []

    def token(count: int) -> bytes:
        asked.append(secrets.token_bytes(count))
        return asked[-1]

    drawn = Drawn(token)
    shuffled(drawn.below)
    before = len(asked)
    assert before in (1, 2)
    second = shuffled(drawn.below)
    again = Drawn(partial(next_of, iter(asked[before:])))
    assert tuple(shuffled(again.below)) == tuple(second)


def test_every_order_can_come_and_each_by_one_way_only() -> None:
    """Fisher and Yates: for any order there are draws that give it, and other draws give another."""
    random = Random(3)
    for _ in range(200):
        order = tuple(random.sample(DECK, 52))
        assert tuple(shuffled(Given([order]).below)) == order


def test_a_shuffle_asks_for_all_the_chance_that_it_needs() -> None:
    """One draw a card, among exactly the cards that are left: 52 factorial ways, 225 bits."""
    asked: list[int] = []

    def below(count: int) -> int:
        asked.append(count)
        return 0

    new_deck(Chance(below, bytes))
    assert asked == list(range(52, 1, -1))


def test_a_deck_does_not_print_its_cards() -> None:
    """Whatever logs it."""
    one = new_deck(os_chance())
    for text in (repr(one), str(one), repr(one.shoe), f"{one.shoe}"):
        assert not any(card in text for card in ("Ah", "Kd", "2c"))


def test_two_decks_have_two_salts() -> None:
    """So that equal decks have different commitments, and nobody can guess one from the other."""
    assert len({new_deck(os_chance()).salt for _ in range(100)}) == 100
    assert committed_decks.SALT_BYTES >= 16
