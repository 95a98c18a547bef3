"""Learners: the question that each was asked last, a record by clause, exams and their sittings."""

from __future__ import annotations

from typing import assert_never

import msgspec
from msgspec.structs import replace

from croupier.academy.exams import Exam, Reply, Result, about, graded, paper
from croupier.academy.learner_record import Clause, known_after
from croupier.academy.questions import Answer, Question
from croupier.academy.training_round import training_round
from croupier.floor.records import people_facts as facts
from croupier.structs import extended

SECOND = 1_000_000
"""Microseconds."""
SITTINGS_KEPT = 2_000
"""Sittings that the house keeps in mind; all are on record."""


class Given(msgspec.Struct, frozen=True):
    """An answer of a sitting, and when it came (microseconds since 1970, UTC)."""

    answer: Answer
    right: bool
    at: int


class Sitting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A learner's sitting of an exam."""

    id: str
    exam: str
    person: facts.PersonName
    seed: int
    begun: int
    maker: int = 0
    answers: tuple[Given, ...] = ()
    ended: facts.SittingEnded | None = None


class Done(msgspec.Struct, frozen=True):
    """A question with its answer."""

    asked: facts.DrillAsked
    answered: facts.DrillAnswered


class Tally(msgspec.Struct, frozen=True):
    """How a training round has gone so far."""

    edition: str
    seed: int
    answered: int = 0
    right: int = 0


class Academy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that a house remembers of its learners."""

    drills: dict[facts.PersonName, facts.DrillAsked] = {}
    """The question that waits for an answer, by learner."""
    done: dict[facts.PersonName, Done] = {}
    """The last question that each learner has answered: the same answer sent again is graded again."""
    records: dict[facts.PersonName, dict[str, Clause]] = {}
    rounds: dict[facts.PersonName, Tally] = {}
    """The training round that each learner deals or has dealt last."""
    exams: dict[str, facts.ExamSet] = {}
    withdrawn: tuple[str, ...] = ()
    """Exams of which no further sitting begins."""
    sittings: dict[str, Sitting] = {}


def evolve_academy(academy: Academy, fact: facts.AcademyFact) -> Academy:
    """Fold a fact into what the house remembers of its learners."""
    match fact:
        case facts.DrillAsked(person=person):
            first = {person: Tally(fact.edition, fact.seed)} if fact.step == 0 else {}
            drills = {**academy.drills, person: fact}
            return replace(academy, drills=drills, rounds={**academy.rounds, **first})
        case facts.DrillAnswered(person=person):
            return _after_answer(academy, fact, academy.drills[person])
        case facts.ExamSet(exam=key):
            return replace(academy, exams={**academy.exams, key: fact})
        case facts.ExamWithdrawn(exam=key):
            return replace(academy, withdrawn=(*academy.withdrawn, key))
        case facts.SittingBegun(sitting=key, exam=exam, person=person, seed=seed, at=at, maker=maker):
            kept = list(academy.sittings.items())[-SITTINGS_KEPT + 1 :]
            begun = Sitting(id=key, exam=exam, person=person, seed=seed, begun=at, maker=maker)
            return replace(academy, sittings={**dict(kept), key: begun})
        case facts.SittingAnswered(sitting=key, answer=answer, right=right, at=at):
            sitting = academy.sittings[key]
            return _with_sitting(academy, replace(sitting, answers=(*sitting.answers, Given(answer, right, at))))
        case facts.SittingEnded(sitting=key):
            return _with_sitting(academy, replace(academy.sittings[key], ended=fact))
        case _:
            assert_never(fact)


def _after_answer(academy: Academy, fact: facts.DrillAnswered, asked: facts.DrillAsked) -> Academy:
    waiting = {person: drill for person, drill in academy.drills.items() if person != fact.person}
    record = known_after(
        academy.records.get(fact.person, {}),
        asked.edition,
        fact.clauses,
        topic=asked.topic,
        right=fact.right,
        at=fact.at // SECOND,
    )
    return replace(
        academy,
        drills=waiting,
        done={**academy.done, fact.person: Done(asked, fact)},
        records={**academy.records, fact.person: record},
        rounds=academy.rounds if asked.step is None else _after_step(academy, fact),
    )


def _after_step(academy: Academy, fact: facts.DrillAnswered) -> dict[facts.PersonName, Tally]:
    tally = academy.rounds[fact.person]
    counted = replace(tally, answered=tally.answered + 1, right=tally.right + fact.right)
    return {**academy.rounds, fact.person: counted}


def _with_sitting(academy: Academy, sitting: Sitting) -> Academy:
    return replace(academy, sittings={**academy.sittings, sitting.id: sitting})


# ---------------------------------------------------------------- what follows from it


def question_of(asked: facts.DrillAsked) -> Question | None:
    """Make the question that a learner was asked again; None where no question has this seed."""
    if asked.step is None:
        return about(asked.edition, asked.topic, asked.seed, asked.clause or None, asked.maker)
    moments = training_round(asked.edition, asked.seed)
    return moments[asked.step].question if 0 <= asked.step < len(moments) else None


def exam_of(academy: Academy, sitting: Sitting) -> Exam:
    """Return the exam of a sitting, with the seed of its own paper."""
    return extended(Exam, academy.exams[sitting.exam], seed=sitting.seed, maker=sitting.maker)


def deadline(academy: Academy, sitting: Sitting) -> int:
    """Return when the time of a sitting is over (microseconds since 1970, UTC)."""
    return sitting.begun + academy.exams[sitting.exam].minutes * 60 * SECOND


def paper_of(academy: Academy, sitting: Sitting) -> tuple[Question, ...]:
    """Make the questions of a sitting."""
    return paper(exam_of(academy, sitting))


def result_of(academy: Academy, sitting: Sitting) -> Result:
    """Grade a sitting from its paper; a question that was not reached is not right."""
    questions = paper_of(academy, sitting)
    replies, before = [], sitting.begun
    for given in sitting.answers:
        replies.append(Reply(given.answer, (given.at - before) / SECOND))
        before = given.at
    replies += [Reply(None)] * (len(questions) - len(replies))
    return graded(exam_of(academy, sitting), questions, replies)
