"""The catalogue: one question for an edition, a topic and a seed, the same on every machine; and what it can cover."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from msgspec.structs import replace

from croupier.academy.bet_drill import judge_a_bet
from croupier.academy.document_drill import answers_in_force, name_the_difference, name_the_reading
from croupier.academy.hand_drill import name_the_hand, name_the_winner, pick_the_five
from croupier.academy.procedure_drill import name_the_next_step
from croupier.academy.questions import DEALER_TOPICS, MAKER, SUPERVISOR_TOPICS, Question, Topic
from croupier.academy.reconstruction_drill import NoError, asked_entries, error_of, name_the_order
from croupier.academy.ruling_drill import case_of, name_the_authority, name_the_consequence, name_the_money
from croupier.academy.settlement_drill import name_the_outcome, name_the_payout, put_in_order
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.vocabulary import AskRuling, HandKind, Irregularity, Rulebook, When


class NotAsked(LookupError):
    """A topic that this game has no question of; the message is one sentence."""


def topics_of(book: Rulebook) -> tuple[Topic, ...]:
    """Return the topics that a game has questions of."""
    none = {
        Topic.FIVE_CARDS: book.showdown.hand is not HandKind.BEST_FIVE,
        Topic.RECONSTRUCTION: not asked_entries(book),
    }
    return tuple(topic for topic in (*DEALER_TOPICS, *SUPERVISOR_TOPICS) if not none.get(topic, False))


def question(
    edition: str, topic: Topic, seed: int, *, entry: int | None = None, reading: str | None = None, maker: int = MAKER
) -> Question:
    """Make the question of an edition, a topic and a seed; of one irregularity or reading where it is named."""
    book = declare(edition)
    rng = Random(f"{book.edition} {topic.value} {seed} {entry} {reading}")  # noqa: S311  a drill, to be made again
    found = _made(book, topic, seed, rng, entry, reading, maker)
    if found is None:
        raise NotAsked(f"{book.edition} has no questions of the topic {topic.value}.")
    if topic is Topic.READING:
        return replace(found, maker=maker)  # the answer is what it asks for
    return replace(found, maker=maker, because=" ".join((found.because, *answers_in_force(book, found.rules))))


_DRILLS: Mapping[Topic, Callable[[Rulebook, Random, int], Question | None]] = {
    Topic.HAND: name_the_hand,
    Topic.FIVE_CARDS: pick_the_five,
    Topic.WINNER: name_the_winner,
    Topic.PROCEDURE: name_the_next_step,
    Topic.BETS: judge_a_bet,
    Topic.OUTCOME: name_the_outcome,
    Topic.PAYOUT: name_the_payout,
    Topic.ACTS: put_in_order,
    Topic.OTHER_HOUSE: name_the_difference,
}


def _made(
    book: Rulebook, topic: Topic, seed: int, rng: Random, entry: int | None, reading: str | None, maker: int
) -> Question | None:
    if topic in _DRILLS:
        return _DRILLS[topic](book, rng, seed)
    if topic is Topic.READING:
        return name_the_reading(book, rng, seed, reading)
    if topic is Topic.RECONSTRUCTION:
        return _of_an_error(book, seed, rng, entry, maker)
    return _of_a_ruling(book, topic, seed, rng, entry)


def _of_an_error(book: Rulebook, seed: int, rng: Random, entry: int | None, maker: int) -> Question | None:
    index = _entry(rng, entry, asked_entries(book))
    try:
        return None if index is None else name_the_order(error_of(book, rng, index, maker), rng, seed)
    except NoError:
        return None


def _of_a_ruling(book: Rulebook, topic: Topic, seed: int, rng: Random, entry: int | None) -> Question | None:
    every = range(len(book.irregularities))
    if topic is Topic.AUTHORITY:
        every_asked = [index for index in every if asks_a_person(book.irregularities[index])]
        index = _entry(rng, entry, every_asked)
        return None if index is None else name_the_authority(case_of(book, rng, index), seed)
    index = _entry(rng, entry, every)
    if index is None:
        return None
    case = case_of(book, rng, index)
    return name_the_consequence(case, rng, seed) if topic is Topic.CONSEQUENCE else name_the_money(case, rng, seed)


def _entry(rng: Random, entry: int | None, possible: Sequence[int]) -> int | None:
    """Return the irregularity to ask about: the one that is named, else one of those that can be asked."""
    if entry is not None:
        return entry
    return rng.choice(possible) if possible else None


def asks_a_person(entry: Irregularity) -> bool:
    """Return whether an irregularity leaves something to a person."""
    of_the_cards = {When.RECONSTRUCTIBLE, When.NOT_RECONSTRUCTIBLE}
    return isinstance(entry.then, AskRuling) or bool(of_the_cards & set(entry.when))


def entries(edition: str) -> Sequence[Irregularity]:
    """Return the irregularities of an edition, as questions number them."""
    return declare(edition).irregularities
