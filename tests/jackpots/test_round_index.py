"""The index of a link: it is a tuple to everyone who reads it, and a change leaves the one before as it was."""

from __future__ import annotations

import random

import pytest

from croupier.floor.records.codec import LINK_STATE, encode
from croupier.jackpots.events import RoundKey
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import RoundKeys, contribution_of, new_link
from croupier.jackpots.parameters import Parameters, Rate


@pytest.mark.parametrize("seed", range(5))
def test_it_holds_what_a_tuple_would_hold(seed: int) -> None:
    """Adding and removing at many tables, against a plain tuple; every index before a change is unchanged."""
    chance = random.Random(seed)
    index, plain = RoundKeys(), tuple[RoundKey, ...]()
    for number in range(300):
        earlier, before = index, plain
        table = f"T{chance.randrange(90)}"
        if chance.random() < 0.6:
            index, plain = index.adding((table, number)), (*plain, (table, number))
        else:
            index = index.keeping(table, lambda key: key[1] % 2 == 0)
            plain = tuple(key for key in plain if key[0] != table or key[1] % 2 == 0)
        assert (tuple(index), len(index), bool(index)) == (plain, len(plain), bool(plain))
        assert tuple(earlier) == before
        assert index.of_table(table) == tuple(key for key in plain if key[0] == table)
        assert all((key in index) == (key in plain) for key in ((table, number), (table, number - 1)))
    assert RoundKeys(plain) == index
    assert RoundKeys(plain[:-1]) != index
    assert index[1:3] == plain[1:3]


def test_a_link_is_read_back_in_the_same_order() -> None:
    """A snapshot holds plain lists, as it did before there was an index."""
    link = new_link(100, Parameters(reset=100, contribution=Rate(1, 5)))
    for number in range(1, 20):
        link = evolve_link(link, contribution_of(link, f"T{number * 7 % 10}", number, 1, 500))
    written = encode(link)
    assert LINK_STATE.decode(written) == link
    assert encode(LINK_STATE.decode(written)) == written
    assert b'"contributions":[{"round":["T7",1],"box":1' in written
