"""The documents: how the house reads what one leaves open, and what differs at another operator's table."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from croupier.academy.hand_drill import shuffled_options
from croupier.academy.questions import Form, Question, Topic
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.citation import Para
from croupier.rulebooks.description.comparison import Difference, compare
from croupier.rulebooks.description.phrases import NOTHING
from croupier.rulebooks.documents.editions import GAMES, edition
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.vocabulary import Rulebook, Rules

_LONGEST = 160
"""Statements longer than this make no option that can be read at a glance."""
_OTHERWISE_ASKED = ("Document", "Readings", "Said or shown at the table")
"""What differs between any two documents, or has a topic of its own."""


def name_the_reading(book: Rulebook, rng: Random, seed: int, reading: str | None = None) -> Question:
    """Ask for the answer in force to a question that the document leaves open."""
    asked = readings_of(book.edition)[rng.choice(readings_to_ask(book)) if reading is None else reading]
    in_force = book.readings.chosen(asked.id).split("+")
    dimension = rng.choice([each for each in asked.dimensions if len(each) > 1])
    letter = next(each for each in in_force if each in dimension)
    right = asked.options[letter]
    options = shuffled_options(rng, right, [asked.options[each] for each in dimension if each != letter])
    return Question(
        edition=book.edition,
        topic=Topic.READING,
        seed=seed,
        asks=f"The document leaves this open: {asked.question} How does this house read it?",
        form=Form.ONE,
        options=options,
        right=(options.index(right),),
        because=f"{asked.why} {asked.example}",
        rules=(Para(asked.id),),
        seconds=20,
    )


def answers_in_force(book: Rulebook, rules: Rules) -> Iterator[str]:
    """Yield how the house reads what the document leaves open, for each reading among these citations."""
    known = readings_of(book.edition)
    for rule in rules:
        if rule in known:
            letters = book.readings.chosen(rule).split("+")
            answer = " ".join(known[rule].options[each] for each in letters if each in known[rule].options)
            yield f"As this house reads {rule}: {answer}"


def readings_to_ask(book: Rulebook) -> list[str]:
    """Return the readings with more than one answer to a question."""
    return [name for name, each in readings_of(book.edition).items() if any(len(part) > 1 for part in each.dimensions)]


def name_the_difference(book: Rulebook, rng: Random, seed: int) -> Question | None:
    """Ask what holds in this game where another operator's document says otherwise; None where none can be asked."""
    others = [game for game in GAMES if game != book.game]
    rng.shuffle(others)
    for game in others:
        other = declare(game)
        found = [each for each in compare(book, other).differences if _can_be_asked(each)]
        if found:
            return _asked(book, other, rng.choice(found), rng, seed)
    return None


def _can_be_asked(found: Difference) -> bool:
    sides = (found.first, found.second)
    return found.dimension not in _OTHERWISE_ASKED and all(
        side is not None and side.rules and NOTHING not in side.says and len(side.says) <= _LONGEST for side in sides
    )


def _asked(book: Rulebook, other: Rulebook, found: Difference, rng: Random, seed: int) -> Question:
    assert found.first is not None, "both documents speak of it"
    assert found.second is not None, "both documents speak of it"
    right = found.first.says
    elsewhere = {found.second.says}
    for game in GAMES:
        if game not in (book.game, other.game):
            third = compare(declare(game), other).differences
            elsewhere |= {
                each.first.says
                for each in third
                if each.first is not None
                and (each.dimension, each.about) == (found.dimension, found.about)
                and len(each.first.says) <= _LONGEST
            }
    options = shuffled_options(rng, right, rng.sample(sorted(elsewhere - {right}), min(3, len(elsewhere - {right}))))
    title = edition(other.edition)
    there = f"{other.document.operator} {other.document.title}" if other.document.title else title.name
    return Question(
        edition=book.edition,
        topic=Topic.OTHER_HOUSE,
        seed=seed,
        asks=f"{found.dimension}, {found.about}: what holds in this game?",
        situation=(f"At {there}: {_sentence(found.second.says)}",),
        form=Form.ONE,
        options=options,
        right=(options.index(right),),
        because=f"Here: {_sentence(right)} There: {_sentence(found.second.says)}",
        rules=found.first.rules,
        seconds=15,
    )


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
