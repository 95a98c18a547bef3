"""Laws of play: whatever people do, lawful or not, chips are conserved, events replay, and no view leaks."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import table_terms
from tests.laws.acting import anything, decks
from tests.laws.driving import House, linked

PROCEDURES = [(game, dealing.name) for game in GAMES for dealing in table_terms(game).book.dealings]


@pytest.mark.parametrize(("game", "dealing"), PROCEDURES, ids=[f"{g}-{d}" for g, d in PROCEDURES])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), trouble=st.sampled_from((0.0, 0.05, 0.3)))
def test_no_chip_is_made_or_lost_whatever_people_do(game: str, dealing: str, seed: int, trouble: float) -> None:
    """Over any sequence of acts at two linked tables: chips, meter, replay and views hold."""
    random = Random(seed)
    house = House(linked({"T1": game, "T2": random.choice(GAMES)}, {"T1": dealing}), decks(random))
    for _ in range(120):
        table = random.choice(("T1", "T1", "T2"))
        house.do(table, anything(random, house.terms(table), house.state(table), trouble=trouble))
    house.check_all()


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_rounds_without_trouble_always_come_to_their_settlement(game: str, seed: int) -> None:
    """A table where nobody errs settles round after round and refuses nothing it invited."""
    random = Random(seed)
    house = House(linked({"T1": game}), decks(random))
    for _ in range(300):
        house.do("T1", anything(random, house.terms("T1"), house.state("T1"), trouble=0.0))
    house.check_all()
    assert house.state("T1").number >= 3
