"""A house chooses a reading to get another game: an answer that changes nothing is not on offer."""

from __future__ import annotations

import msgspec
import pytest

from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.readings import Readings, readings_of
from croupier.rulebooks.terms import table_terms
from croupier.rulebooks.vocabulary import Rulebook

OFFERED = [
    pytest.param(game, name, letter, id=f"{game} {name} {letter}")
    for game in GAMES
    for name, reading in readings_of(game).items()
    for letter in reading.options
    if reading.offers(game, letter) and letter not in reading.default_for(game).split("+")
]


@pytest.mark.parametrize(("game", "name", "letter"), OFFERED)
def test_every_answer_on_offer_changes_the_book(game: str, name: str, letter: str) -> None:
    """All five documents: no reading is offered for show."""
    assert content(game, {name: letter}) != content(game, {})


def content(game: str, rulings: dict[str, str]) -> Rulebook:
    """The book without the note of which readings made it."""
    return msgspec.structs.replace(table_terms(game, rulings=rulings).book, readings=Readings(game))
