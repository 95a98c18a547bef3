"""The academy: questions asked and answered, exams set, sittings begun, answered and ended."""

from __future__ import annotations

from croupier.academy.exams import BadExam, Exam, checked
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.learners import Academy, Sitting, deadline
from croupier.floor.records import commands, people_facts
from croupier.floor.records.refusals import Code, Refused
from croupier.rulebooks.documents.editions import UnknownGame
from croupier.structs import extended

LONGEST_TITLE = 80
EXAMS_MOST = 500


def ask_drill(transaction: Transaction, asked: commands.AskDrill) -> None:
    """Note which question a learner was asked."""
    transaction.enter_people(extended(people_facts.DrillAsked, asked))


def answer_drill(transaction: Transaction, asked: commands.AnswerDrill) -> None:
    """Enter an answer into the learner's record."""
    waits = _academy(transaction).drills.get(asked.person)
    if waits is None or waits.drill != asked.drill:
        raise Refused(Code.UNKNOWN_DRILL, "This question was answered already, or another one was asked since.")
    transaction.enter_people(extended(people_facts.DrillAnswered, asked, at=transaction.request.at))


def set_exam(transaction: Transaction, asked: commands.SetExam) -> None:
    """Set an exam that can be sat from now on."""
    if not asked.title.strip() or len(asked.title) > LONGEST_TITLE:
        raise Refused(Code.BAD_EXAM, f"The title of an exam has between 1 and {LONGEST_TITLE} characters.")
    if len(_academy(transaction).exams) >= EXAMS_MOST:
        raise Refused(Code.TOO_MANY, f"The house has {EXAMS_MOST} exams already.")
    try:
        checked(extended(Exam, asked))
    except (BadExam, UnknownGame) as wrong:
        raise Refused(Code.BAD_EXAM, str(wrong)) from None
    transaction.enter_people(extended(people_facts.ExamSet, asked, at=transaction.request.at))


def withdraw_exam(transaction: Transaction, asked: commands.WithdrawExam) -> None:
    """Let no further sitting of an exam begin."""
    _exam(transaction, asked.exam)
    transaction.enter_people(extended(people_facts.ExamWithdrawn, asked))


def begin_sitting(transaction: Transaction, asked: commands.BeginSitting) -> None:
    """Begin a sitting; a learner has one open sitting of an exam at a time."""
    academy, now = _academy(transaction), transaction.request.at
    _exam(transaction, asked.exam)
    for other in academy.sittings.values():
        mine = (other.exam, other.person) == (asked.exam, asked.person)
        if mine and other.ended is None and now < deadline(academy, other):
            raise Refused(Code.SITTING_OPEN, "You have already begun this exam: go on with it.")
    transaction.enter_people(extended(people_facts.SittingBegun, asked, at=now))


def answer_sitting(transaction: Transaction, asked: commands.AnswerSitting) -> None:
    """Enter the answer to the next question of a sitting, within its time."""
    academy, now = _academy(transaction), transaction.request.at
    sitting = _sitting(academy, asked.sitting)
    if sitting.person != asked.person:
        raise Refused(Code.UNKNOWN_SITTING, "There is no sitting of that number.")
    if sitting.ended is not None or now > deadline(academy, sitting):
        raise Refused(Code.SITTING_OVER, "The sitting is over.")
    if asked.number != len(sitting.answers):
        raise Refused(Code.OUT_OF_TURN, f"Question {len(sitting.answers) + 1} is the next to be answered.")
    transaction.enter_people(extended(people_facts.SittingAnswered, asked, at=now))


def end_sitting(transaction: Transaction, asked: commands.EndSitting) -> None:
    """End a sitting with its result, once."""
    sitting = _sitting(_academy(transaction), asked.sitting)
    if sitting.ended is not None:
        raise Refused(Code.SITTING_OVER, "The sitting is over.")
    transaction.enter_people(extended(people_facts.SittingEnded, asked, at=transaction.request.at))


def _academy(transaction: Transaction) -> Academy:
    return transaction.house.people.academy


def _exam(transaction: Transaction, key: str) -> people_facts.ExamSet:
    academy = _academy(transaction)
    exam = academy.exams.get(key)
    if exam is None:
        raise Refused(Code.UNKNOWN_EXAM, "There is no exam of that number.")
    if key in academy.withdrawn:
        raise Refused(Code.EXAM_WITHDRAWN, f'The exam "{exam.title}" was withdrawn.')
    return exam


def _sitting(academy: Academy, key: str) -> Sitting:
    found = academy.sittings.get(key)
    if found is None:
        raise Refused(Code.UNKNOWN_SITTING, "There is no sitting of that number.")
    return found
