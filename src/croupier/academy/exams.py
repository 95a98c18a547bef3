"""An exam: a paper of questions from a seed, which anyone can make again; a sitting of it, and its result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import msgspec

from croupier.academy.catalogue import NotAsked, question, topics_of
from croupier.academy.questions import MAKER, Answer, Question, Topic, is_right, score
from croupier.academy.reconstruction_drill import asked_entries
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.catalogue.fingerprint import edition_hash

MOST_QUESTIONS = 200
_TRIES = 300
"""How many questions are made for one that is about a wanted clause."""


class BadExam(ValueError):
    """An exam that cannot be set; the message is one sentence."""


class Exam(msgspec.Struct, frozen=True, kw_only=True):
    """What an examiner sets. The same exam always makes the same paper."""

    editions: tuple[str, ...]
    topics: tuple[Topic, ...]
    clauses: tuple[str, ...] = ()
    """Paragraphs and readings that the questions must be about; empty for any."""
    count: int = 20
    minutes: int = 20
    pass_mark: int = 80
    """The percentage of right answers that passes."""
    seed: int = 1
    maker: int = MAKER
    """By which generation of drills its questions are made."""


class Reply(msgspec.Struct, frozen=True):
    """An answer, and how long it took; None where the time ran out first."""

    answer: Answer | None
    seconds: float = 0.0


class ClauseResult(msgspec.Struct, frozen=True):
    """How often one clause of an edition was asked, and how often answered right."""

    edition: str
    clause: str
    asked: int
    right: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a sitting came to."""

    right: int
    asked: int
    points: int
    """Of 100: the mean of what each answer scored by accuracy and time."""
    passed: bool
    marks: tuple[bool, ...]
    clauses: tuple[ClauseResult, ...]
    """The weakest first."""


def checked(exam: Exam) -> Exam:
    """Return the exam with the full names of its editions; raises BadExam where it cannot be set."""
    if not exam.editions or not exam.topics:
        raise BadExam("An exam needs at least one game and one topic.")
    if not 1 <= exam.count <= MOST_QUESTIONS:
        raise BadExam(f"An exam has 1 to {MOST_QUESTIONS} questions, not {exam.count}.")
    if not 1 <= exam.minutes <= 240:
        raise BadExam(f"An exam lasts 1 to 240 minutes, not {exam.minutes}.")
    if not 1 <= exam.pass_mark <= 100:
        raise BadExam(f"The pass mark is a percentage from 1 to 100, not {exam.pass_mark}.")
    named = msgspec.structs.replace(exam, editions=tuple(declare(each).edition for each in exam.editions))
    for edition in named.editions:
        if not set(topics_of(declare(edition))) & set(named.topics):
            raise BadExam(f"{edition} has no questions of these topics.")
    return named


def paper(exam: Exam) -> tuple[Question, ...]:
    """Make the questions of an exam; raises BadExam where none is about a wanted clause."""
    rng = Random(f"exam {exam.seed}")  # noqa: S311  a paper, to be made again
    questions: list[Question] = []
    asked: set[tuple[str, int | None, str]] = set()
    for number in range(exam.count):
        book = declare(exam.editions[number % len(exam.editions)])
        topics = [topic for topic in exam.topics if topic in topics_of(book)]
        clause = exam.clauses[number % len(exam.clauses)] if exam.clauses else None
        for attempt, candidate in enumerate(_candidates(book.edition, topics, clause, rng, exam.maker)):
            key = (candidate.edition, candidate.entry, candidate.asks)
            # A clause may have fewer questions than the exam asks for.
            if key not in asked or attempt > _TRIES // 2:
                asked.add(key)
                questions.append(candidate)
                break
        else:
            raise BadExam(f"{book.edition} has no question about {clause} in these topics.")
    return tuple(questions)


def _candidates(
    edition: str, topics: Sequence[Topic], clause: str | None, rng: Random, maker: int
) -> Iterator[Question]:
    """Yield questions of these topics, about this clause where one is wanted."""
    for _ in range(_TRIES):
        made = about(edition, rng.choice(topics), rng.randrange(1 << 32), clause, maker)
        if made is not None:
            yield made


def about(edition: str, topic: Topic, seed: int, clause: str | None, maker: int = MAKER) -> Question | None:
    """Make a question about a clause; None where this seed makes one about something else."""
    book = declare(edition)
    entry, reading = None, None
    if clause is not None:
        rng = Random(f"about {seed}")  # noqa: S311  a question, to be made again
        citing = [index for index, each in enumerate(book.irregularities) if clause in each.rules]
        if topic is Topic.RECONSTRUCTION:
            citing = [index for index in citing if index in asked_entries(book)]
        if citing and topic in (Topic.CONSEQUENCE, Topic.AUTHORITY, Topic.RECONSTRUCTION, Topic.RULING_MONEY):
            entry = rng.choice(citing)
        if topic is Topic.READING:
            reading = clause if clause in book.readings.in_force else None
    try:
        made = question(edition, topic, seed, entry=entry, reading=reading, maker=maker)
    except NotAsked:
        return None
    if clause is None:
        return made
    return msgspec.structs.replace(made, clause=clause) if clause in made.rules else None


def graded(exam: Exam, questions: Sequence[Question], replies: Sequence[Reply]) -> Result:
    """Grade a sitting; raises BadAnswer where a reply does not have the form of its question."""
    marks, points = [], 0
    asked: dict[tuple[str, str], list[bool]] = {}
    for each, reply in zip(questions, replies, strict=True):
        right = reply.answer is not None and is_right(each, reply.answer)
        marks.append(right)
        points += score(right, reply.seconds, each.seconds)
        for rule in each.rules:
            asked.setdefault((each.edition, rule), []).append(right)
    by_clause = (ClauseResult(edition, rule, len(found), sum(found)) for (edition, rule), found in asked.items())
    return Result(
        right=sum(marks),
        asked=len(marks),
        points=round(points / len(marks)),
        passed=100 * sum(marks) >= exam.pass_mark * len(marks),
        marks=tuple(marks),
        clauses=tuple(sorted(by_clause, key=lambda each: (each.right / each.asked, each.edition, each.clause))),
    )


def rulebook_hashes(exam: Exam) -> tuple[tuple[str, str], ...]:
    """Return each edition of an exam with the content hash of its rulebook."""
    return tuple((edition, edition_hash(edition, ())) for edition in exam.editions)
