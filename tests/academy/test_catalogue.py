"""Questions of the academy: each has one right answer by the engine, and every clause that matters comes up."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from croupier.academy.catalogue import NotAsked, asks_a_person, entries, question, topics_of
from croupier.academy.document_drill import readings_to_ask
from croupier.academy.questions import MAKER, Topic
from croupier.academy.reconstruction_drill import asked_entries
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import When
from tests.academy.question_check import every_question, faults
from tests.editions import HARBOUR_1, MBS_10, installed

OF_RULINGS = (Topic.CONSEQUENCE, Topic.RULING_MONEY)


def test_every_question_has_exactly_one_right_answer() -> None:
    """A sample of what `python -m tests.academy.question_check` checks a hundred thousand times."""
    for made in every_question(600, seed=7):
        assert list(faults(made)) == [], made


@pytest.mark.parametrize("game", GAMES)
def test_every_irregularity_comes_up(game: str, record_property: Callable[[str, object], None]) -> None:
    """Each entry of section 5 has a question about what follows, the money, and who decides where it is left open."""
    asked = 0
    for index, entry in enumerate(entries(game)):
        for topic in (*OF_RULINGS, *((Topic.AUTHORITY,) if asks_a_person(entry) else ())):
            made = question(game, topic, 3, entry=index)
            assert (made.entry, made.incident, made.rules) == (index, entry.incident, entry.rules)
            assert list(faults(made)) == [], made
            asked += 1
    record_property("irregularities asked about", asked)
    assert asked >= 2 * len(entries(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_reconstruction_that_a_document_asks_for_comes_up(
    game: str, record_property: Callable[[str, object], None]
) -> None:
    """Each entry that turns on it is asked about with the answer by which it applies; Sun has none, and redeals."""
    book = declare(game)
    of_the_cards = {When.RECONSTRUCTIBLE, When.NOT_RECONSTRUCTIBLE}
    turning = {i for i, entry in enumerate(entries(game)) if of_the_cards & set(entry.when)}
    never = {i for i in turning if (game, entries(game)[i].incident) == NEVER_WHOLE and When.RECONSTRUCTIBLE in
             entries(game)[i].when}  # fmt: skip
    assert set(asked_entries(book)) == turning - never
    assert (Topic.RECONSTRUCTION in topics_of(book)) == bool(turning) == (game != "sun-casino-holdem")
    for index in asked_entries(book):
        made = question(game, Topic.RECONSTRUCTION, 3, entry=index)
        assert (made.entry, made.rules, len(made.options)) == (index, entries(game)[index].rules, 4)
        assert list(faults(made)) == [], made
    record_property("reconstructions asked about", len(asked_entries(book)))


NEVER_WHOLE = ("rws-multilink-three-card", "misdealt")
"""Three cards in the place of two look like one card that went astray, so moving complete hands is never determined."""


@pytest.mark.parametrize("game", GAMES)
def test_every_reading_comes_up(game: str) -> None:
    """A reading is asked by its question, and the answer in force is the right one."""
    book = declare(game)
    assert readings_to_ask(book)
    for name in readings_to_ask(book):
        made = question(game, Topic.READING, 1, reading=name)
        assert made.rules == (name,)
        assert list(faults(made)) == [], made


@pytest.mark.parametrize("topic", list(Topic))
def test_the_same_seed_makes_the_same_question(topic: Topic) -> None:
    """An examiner makes the same paper again; another seed makes another one."""
    game = "mbs-megalink-holdem"
    assert question(game, topic, 11) == question("mbs-megalink-holdem@9", topic, 11)
    assert any(question(game, topic, 11) != question(game, topic, seed) for seed in range(12, 16))


def test_a_game_without_the_topic_says_so() -> None:
    """Every card of a three-card hand plays, so that there is nothing to pick."""
    game = "rws-multilink-three-card"
    assert Topic.FIVE_CARDS not in topics_of(declare(game))
    with pytest.raises(NotAsked, match="rws-multilink-three-card@4 has no questions of the topic five_cards"):
        question(game, Topic.FIVE_CARDS, 1)


def test_an_incident_that_a_rulebook_declares_comes_up_too() -> None:
    """mbs-megalink-holdem@10 5.17: the dropped card of the example's own version, and Harbour Stud as a whole."""
    with installed(MBS_10), installed(HARBOUR_1):
        edition = "mbs-megalink-holdem@10"
        own = [i for i, entry in enumerate(entries(edition)) if "5.17" in entry.rules]
        assert own
        for index in own:
            assert "A card fell on the floor" in question(edition, Topic.CONSEQUENCE, 1, entry=index).situation[-1]
        for topic in topics_of(declare("harbour-stud")):
            assert list(faults(question("harbour-stud", topic, 5))) == []


def test_a_question_of_an_earlier_generation_is_made_again_as_it_was() -> None:
    """The order of two community cards that are turned together counted then, so its answer was another one; other
    topics are the same in both generations.
    """
    game = "rws-multilink-three-card"
    before, now = (question(game, Topic.RECONSTRUCTION, 2, maker=maker) for maker in (0, MAKER))
    assert (before.maker, now.maker) == (0, MAKER)
    assert msgspec.structs.replace(now, maker=0) != before
    same = {maker: msgspec.structs.replace(question(game, Topic.PAYOUT, 2, maker=maker), maker=0) for maker in (0, 1)}
    assert same[0] == same[1]
