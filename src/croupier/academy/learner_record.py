"""A learner's record by clause, and the clause to train next: weak ones soon, well known ones later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

import msgspec

from croupier.academy.catalogue import topics_of
from croupier.academy.exams import about
from croupier.academy.questions import Question, Topic
from croupier.rulebooks.catalogue.books import declare

DAY = 86_400
WAITS = (0, DAY, 3 * DAY, 7 * DAY, 21 * DAY)
"""Seconds until a clause is asked again, by how well it is known: five steps, as with Leitner's boxes of cards."""
_TRIES = 60
"""How many questions are made for one about the clause that is due."""


class Clause(msgspec.Struct, frozen=True):
    """How well one clause is known."""

    asked: int = 0
    right: int = 0
    step: int = 0
    """The index into WAITS: one up for a right answer, back to the first for a wrong one."""
    due: int = 0
    """Seconds since the epoch from which it is asked again."""
    topic: Topic = Topic.CONSEQUENCE
    """The topic of the last question about it."""


Record = Mapping[str, Clause]
"""By edition and clause, such as `mbs-megalink-holdem@9 5.4`."""


def recorded(record: Record, asked: Question, right: bool, at: int) -> dict[str, Clause]:
    """Return the record after an answer that was given at this time."""
    return known_after(record, asked.edition, asked.rules, topic=asked.topic, right=right, at=at)


def known_after(
    record: Record, edition: str, clauses: Iterable[str], *, topic: Topic, right: bool, at: int
) -> dict[str, Clause]:
    """Return the record after a question about these clauses was answered at this time."""
    after = dict(record)
    for clause in clauses:
        key = f"{edition} {clause}"
        known = after.get(key, Clause())
        step = min(known.step + 1, len(WAITS) - 1) if right else 0
        after[key] = Clause(known.asked + 1, known.right + right, step, at + WAITS[step], topic)
    return after


def next_question(record: Record, edition: str, topics: Sequence[Topic], seed: int, at: int) -> Question:
    """Make the question that helps most: about the weakest clause that is due, else about anything of the topics."""
    book = declare(edition)
    asked = [topic for topic in topics if topic in topics_of(book)] or list(topics_of(book))
    rng = Random(f"next {seed}")  # noqa: S311  a drill
    due = sorted(
        (known.step, known.right / known.asked, key)
        for key, known in record.items()
        if key.startswith(f"{book.edition} ") and known.due <= at and known.topic in asked
    )
    for _, _, key in due[:3]:
        for _ in range(_TRIES):
            made = about(book.edition, record[key].topic, rng.randrange(1 << 32), key.partition(" ")[2])
            if made is not None:
                return made
    while True:
        made = about(book.edition, rng.choice(asked), rng.randrange(1 << 32), None)
        if made is not None:
            return made


def weakest(record: Record, most: int = 10) -> tuple[tuple[str, Clause], ...]:
    """Return the clauses with the smallest share of right answers, the most often asked first among equals."""
    ranked = sorted(record.items(), key=lambda item: (item[1].right / item[1].asked, -item[1].asked, item[0]))
    return tuple((key, known) for key, known in ranked[:most] if known.right < known.asked)
