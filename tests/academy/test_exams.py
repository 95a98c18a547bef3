"""Exams, records by clause and certificates: the same paper for everybody, weak clauses first, nothing forged."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.academy.certificate import certificate, command
from croupier.academy.exams import BadExam, Exam, Reply, checked, graded, paper
from croupier.academy.learner_record import DAY, next_question, recorded, weakest
from croupier.academy.questions import (
    DEALER_TOPICS,
    SUPERVISOR_TOPICS,
    BadAnswer,
    Form,
    Question,
    Topic,
    is_right,
    score,
)
from croupier.rulebooks.catalogue.fingerprint import edition_hash

EXAM = checked(
    Exam(
        editions=("sun-casino-holdem", "mbs-megalink-holdem"),
        topics=(*DEALER_TOPICS, *SUPERVISOR_TOPICS),
        count=12,
        seed=4,
    )
)


def wrong(asked: Question) -> Reply:
    """An answer in the right form that is not right."""
    if isinstance(asked.right, int):
        return Reply(asked.right + 1)
    return Reply(tuple((index + 1) % len(asked.options) for index in asked.right))


def test_the_same_exam_is_the_same_paper() -> None:
    """Games in turn; another seed is another paper."""
    questions = paper(EXAM)
    assert questions == paper(EXAM)
    assert questions != paper(replace(EXAM, seed=5))
    assert [each.edition for each in questions[:3]] == [
        "sun-casino-holdem@1",
        "mbs-megalink-holdem@9",
        "sun-casino-holdem@1",
    ]
    assert len({(each.edition, each.asks, each.situation, str(each.cards)) for each in questions}) == len(questions)


def test_an_exam_about_clauses_asks_about_them() -> None:
    """mbs-megalink-holdem 5.4 and 5.2: every question cites one of them."""
    exam = checked(Exam(editions=("mbs-megalink-holdem",), topics=SUPERVISOR_TOPICS, clauses=("5.4", "5.2"), count=6))
    assert [("5.4", "5.2")[number % 2] in each.rules for number, each in enumerate(paper(exam))] == [True] * 6


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"count": 0}, "An exam has 1 to 200 questions, not 0."),
        ({"minutes": 999}, "An exam lasts 1 to 240 minutes, not 999."),
        ({"pass_mark": 0}, "The pass mark is a percentage from 1 to 100, not 0."),
        ({"topics": ()}, "An exam needs at least one game and one topic."),
        (
            {"editions": ("rws-multilink-three-card",), "topics": (Topic.FIVE_CARDS,)},
            "rws-multilink-three-card@4 has no questions of these topics.",
        ),
    ],
)
def test_an_exam_that_cannot_be_set_says_why(changed: dict[str, object], says: str) -> None:
    with pytest.raises(BadExam) as refused:
        checked(replace(EXAM, **changed))
    assert str(refused.value) == says


def test_a_clause_that_no_question_is_about_is_named() -> None:
    with pytest.raises(BadExam, match=r"sun-casino-holdem@1 has no question about 9\.9"):
        paper(checked(Exam(editions=("sun-casino-holdem",), topics=(Topic.PROCEDURE,), clauses=("9.9",), count=1)))


def test_all_right_passes_and_all_wrong_does_not() -> None:
    questions = paper(EXAM)
    best = graded(EXAM, questions, [Reply(each.right, 1.0) for each in questions])
    assert (best.right, best.points, best.passed) == (12, 100, True)
    worst = graded(EXAM, questions, [wrong(each) for each in questions])
    assert (worst.right, worst.points, worst.passed) == (0, 0, False)
    late = graded(EXAM, questions, [Reply(None)] * 12)
    assert late.marks == (False,) * 12


def test_the_pass_mark_is_reached_exactly() -> None:
    """Eight of ten is eighty per cent; seven is not."""
    exam = replace(EXAM, count=10)
    questions = paper(exam)
    replies = [Reply(each.right) if number < 8 else wrong(each) for number, each in enumerate(questions)]
    assert graded(exam, questions, replies).passed
    replies[0] = wrong(questions[0])
    result = graded(exam, questions, replies)
    assert not result.passed
    assert result.clauses[0].right < result.clauses[0].asked


@pytest.mark.parametrize(
    ("right", "seconds", "points"), [(True, 2, 100), (True, 10, 100), (True, 20, 75), (True, 500, 50), (False, 1, 0)]
)
def test_a_right_answer_is_worth_more_than_a_fast_one(right: bool, seconds: float, points: int) -> None:
    """Ten seconds are expected: nothing is deducted before, half at the most after."""
    assert score(right, seconds, 10) == points


def test_an_answer_in_another_form_is_refused() -> None:
    questions = paper(replace(EXAM, count=40))
    amount = next(each for each in questions if each.form is Form.AMOUNT)
    five = next(each for each in questions if each.form is Form.SEVERAL)
    for asked, answer, says in (
        (amount, (0,), "This question is answered with an amount."),
        (five, 100, "This question is answered by choosing from its options."),
        (five, (0, 1), "Choose 5 of the options."),
        (five, (0, 0, 1, 2, 3), "Choose 5 of the options."),
        (five, (0, 1, 2, 3, 99), "Choose between 1 and 7."),
    ):
        with pytest.raises(BadAnswer) as refused:
            is_right(asked, answer)
        assert str(refused.value) == says


def test_a_weak_clause_comes_again_and_a_known_one_waits() -> None:
    """Wrong: at once. Right: after a day, then three, seven and twenty-one."""
    first = paper(EXAM)[1]
    record = recorded({}, first, False, at=1000)
    key = f"{first.edition} {first.rules[0]}"
    assert (record[key].due, weakest(record)[0][0].partition(" ")[0]) == (1000, first.edition)
    again = next_question(record, first.edition, (first.topic,), seed=9, at=1000)
    assert set(again.rules) & set(first.rules)
    waits = []
    for _ in range(5):
        record = recorded(record, first, True, at=1000)
        waits.append((record[key].due - 1000) // DAY)
    assert waits == [1, 3, 7, 21, 21]
    assert record[key].asked == 6


def test_a_certificate_says_what_it_takes_to_run_the_exam_again() -> None:
    """Score, seed, clauses, editions with the hashes of their rulebooks; a name cannot break the page."""
    questions = paper(EXAM)
    result = graded(EXAM, questions, [Reply(each.right) for each in questions])
    page = certificate(EXAM, result, name="Ana <b>", date="2026-11-18", examiner="Ben")
    for text in (
        "Ana &lt;b&gt;",
        "has passed",
        "12 of 12 right, 100 of 100 points. Pass mark: 80 %.",
        edition_hash("mbs-megalink-holdem@9"),
        "--seed 4",
        "Examiner: Ben",
    ):
        assert text in page
    assert "<b>" not in page
    assert command(EXAM).startswith("croupier academy sun-casino-holdem@1 mbs-megalink-holdem@9 --count 12 --seed 4")
