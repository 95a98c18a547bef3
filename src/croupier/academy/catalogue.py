"""The catalogue: one question for an edition, a topic and a seed, the same on every machine; and what it can cover."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from croupier.academy.document_drill import name_the_difference, name_the_reading
from croupier.academy.hand_drill import name_the_hand, name_the_winner, pick_the_five
from croupier.academy.procedure_drill import name_the_next_step
from croupier.academy.questions import DEALER_TOPICS, SUPERVISOR_TOPICS, Question, Topic
from croupier.academy.ruling_drill import case_of, name_the_authority, name_the_consequence, name_the_money
from croupier.academy.settlement_drill import name_the_outcome, name_the_payout, put_in_order
from croupier.rulebooks.books import declare
from croupier.rulebooks.vocabulary import AskRuling, HandKind, Irregularity, Rulebook, When


class NotAsked(LookupError):
    """A topic that this game has no question of; the message is one sentence."""


def topics_of(book: Rulebook) -> tuple[Topic, ...]:
    """Return the topics that a game has questions of."""
    none = () if book.showdown.hand is HandKind.BEST_FIVE else (Topic.FIVE_CARDS,)
    return tuple(topic for topic in (*DEALER_TOPICS, *SUPERVISOR_TOPICS) if topic not in none)


def question(
    edition: str, topic: Topic, seed: int, *, entry: int | None = None, reading: str | None = None
) -> Question:
    """Make the question of an edition, a topic and a seed; of one irregularity or reading where it is named."""
    book = declare(edition)
    rng = Random(f"{book.edition} {topic.value} {seed} {entry} {reading}")  # noqa: S311  a drill, to be made again
    found = _made(book, topic, seed, rng, entry, reading)
    if found is None:
        raise NotAsked(f"{book.edition} has no questions of the topic {topic.value}.")
    return found


def _made(
    book: Rulebook, topic: Topic, seed: int, rng: Random, entry: int | None, reading: str | None
) -> Question | None:
    match topic:
        case Topic.HAND:
            return name_the_hand(book, rng, seed)
        case Topic.FIVE_CARDS:
            return pick_the_five(book, rng, seed)
        case Topic.WINNER:
            return name_the_winner(book, rng, seed)
        case Topic.PROCEDURE:
            return name_the_next_step(book, rng, seed)
        case Topic.OUTCOME:
            return name_the_outcome(book, rng, seed)
        case Topic.PAYOUT:
            return name_the_payout(book, rng, seed)
        case Topic.ACTS:
            return put_in_order(book, rng, seed)
        case Topic.READING:
            return name_the_reading(book, rng, seed, reading)
        case Topic.OTHER_HOUSE:
            return name_the_difference(book, rng, seed)
        case Topic.CONSEQUENCE:
            return name_the_consequence(case_of(book, rng, _entry(book, rng, entry)), rng, seed)
        case Topic.RULING_MONEY:
            return name_the_money(case_of(book, rng, _entry(book, rng, entry)), rng, seed)
        case Topic.AUTHORITY:
            asked = [i for i, each in enumerate(book.irregularities) if asks_a_person(each)]
            return name_the_authority(case_of(book, rng, rng.choice(asked) if entry is None else entry), seed)


def _entry(book: Rulebook, rng: Random, entry: int | None) -> int:
    return rng.randrange(len(book.irregularities)) if entry is None else entry


def asks_a_person(entry: Irregularity) -> bool:
    """Return whether an irregularity leaves something to a person."""
    of_the_cards = {When.RECONSTRUCTIBLE, When.NOT_RECONSTRUCTIBLE}
    return isinstance(entry.then, AskRuling) or bool(of_the_cards & set(entry.when))


def entries(edition: str) -> Sequence[Irregularity]:
    """Return the irregularities of an edition, as questions number them."""
    return declare(edition).irregularities
