"""Answers of learners graded again: from the seeds on record the same questions, and the same marks."""

from __future__ import annotations

from croupier.academy.questions import Answer, BadAnswer, Question, is_right
from croupier.floor.people.learners import Academy, paper_of, question_of, result_of
from croupier.floor.records.people_facts import DrillAnswered, PeopleFact, SittingAnswered, SittingEnded
from croupier.rulebooks.documents.editions import UnknownGame


def grading_differs(academy: Academy, fact: PeopleFact) -> str:
    """Say how a grade on record differs from that of the rulebook; empty where it agrees or the rulebook is gone."""
    try:
        match fact:
            case DrillAnswered():
                return _drill(academy, fact)
            case SittingAnswered():
                questions = paper_of(academy, academy.sittings[fact.sitting])
                return _mark(questions[fact.number], fact.answer, right=fact.right)
            case SittingEnded():
                return _result(academy, fact)
            case _:
                return ""
    except UnknownGame:
        return ""  # its rulebook is not installed: the rounds of that edition are not judged again either


def _drill(academy: Academy, fact: DrillAnswered) -> str:
    asked = academy.drills.get(fact.person)
    if asked is None or asked.drill != fact.drill:
        return "the question that was answered was not asked."
    question = question_of(asked)
    if question is None:
        return f"no question of {asked.edition} has the seed {asked.seed}."
    if fact.clauses != question.rules:
        return f"the question is about {', '.join(question.rules)}, not {', '.join(fact.clauses)}."
    return _mark(question, fact.answer, right=fact.right)


def _mark(question: Question, answer: Answer, *, right: bool) -> str:
    try:
        judged = is_right(question, answer)
    except BadAnswer as wrong:
        return f"the answer does not fit its question: {wrong}"
    return (
        "" if judged == right else f"the answer is marked {'right' if right else 'wrong'}, and graded again it is not."
    )


def _result(academy: Academy, fact: SittingEnded) -> str:
    result = result_of(academy, academy.sittings[fact.sitting])
    judged = (result.right, result.asked, result.points, result.passed)
    marked = (fact.right, fact.asked, fact.points, fact.passed)
    return "" if judged == marked else f"the sitting is graded {marked}, and again {judged}."
