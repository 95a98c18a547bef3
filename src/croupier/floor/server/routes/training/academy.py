"""The academy: drills, records, exams, sittings, certificates, and results of a class.

Questions are made and graded here, away from the thread that writes; the house keeps them on record by their seeds.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter
from typing import Annotated

from litestar import MediaType, Response, get, post
from litestar.params import Body, FromPath

from croupier.academy.catalogue import topics_of
from croupier.academy.certificate import certificate as certificate_page
from croupier.academy.exams import BadExam, Exam, paper
from croupier.academy.learner_record import next_question
from croupier.academy.questions import MAKER, Answer, BadAnswer, Form, Question, Topic, is_right
from croupier.floor.duties.permissions import Action
from croupier.floor.live.floor import Floor
from croupier.floor.people.learners import SECOND, Academy, Sitting, deadline, exam_of, paper_of, question_of, result_of
from croupier.floor.people.people import Person
from croupier.floor.records import commands
from croupier.floor.records.people_facts import DrillAsked, ExamSet
from croupier.floor.server.dependencies import TheFloor, ThePerson
from croupier.floor.server.errors import ApiError, require_found
from croupier.floor.server.wire import academy as wire
from croupier.floor.views.moments import moment_text
from croupier.money import BadMoney, money
from croupier.money import show as show_money
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.documents.editions import UnknownGame, editions
from croupier.rulebooks.readings import readings_of
from croupier.structs import extended

SEEDS = 1 << 48
"""Seeds are drawn below this, so that nobody guesses the next question."""
_WEAK_MOST = 20


@get("/api/academy", opt={"action": Action.TRAIN})
async def academy(floor: TheFloor, person: ThePerson) -> wire.AcademyView:
    """Show the games to train, the person's own record, exams and sittings."""
    known = academy_of(floor)
    record = sorted(
        known.records.get(person.name, {}).items(), key=lambda item: (item[1].right / item[1].asked, -item[1].asked)
    )
    own = [sitting for sitting in known.sittings.values() if sitting.person == person.name]
    return wire.AcademyView(
        games=_games(),
        record=[_known(key, each.asked, each.right, each.due) for key, each in record],
        exams=[_exam_line(known, exam) for exam in known.exams.values()],
        sittings=[_sitting_line(floor, each) for each in reversed(own)],
        may_set=person.may(Action.SET_EXAMS),
    )


# ---------------------------------------------------------------- drills


@post("/api/academy/drills", opt={"action": Action.TRAIN, "refuses": (404,)}, status_code=200)
async def ask_drill(floor: TheFloor, person: ThePerson, data: Annotated[wire.AskedDrill, Body()]) -> wire.DrillView:
    """Ask the question that helps most: about a weak clause that is due, else about anything of the topics."""
    edition = declare(data.game).edition
    key = number_of(person, data.id)
    known = academy_of(floor).drills.get(person.name)
    if known is not None and known.drill == key:
        return wire.DrillView(drill=key, question=question_view(await _again(known)))
    topics = data.topics or list(Topic)
    record = academy_of(floor).records.get(person.name, {})
    seed, now = secrets.randbelow(SEEDS), floor.now() // SECOND
    try:
        made = await asyncio.to_thread(next_question, record, edition, topics, seed, now)
    except BadExam as wrong:
        raise ApiError(404, "bad_exam", str(wrong)) from None
    command = extended(commands.AskDrill, made, drill=key, person=person.name)
    require_found(await floor.ask(command, f"{person.name}:{data.id}"))
    return wire.DrillView(drill=key, question=question_view(made))


@post("/api/academy/drills/{key:str}/answer", opt={"action": Action.TRAIN, "refuses": (404,)}, status_code=200)
async def answer_drill(
    floor: TheFloor, person: ThePerson, key: FromPath[str], data: Annotated[wire.GivenAnswer, Body()]
) -> wire.GradedView:
    """Grade an answer, explain it by its paragraphs, and keep it in the person's record."""
    waits = academy_of(floor).drills.get(person.name)
    done = academy_of(floor).done.get(person.name)
    if done is not None and done.asked.drill == key:
        question = await _again(done.asked)
        if _answer(question, data) == done.answered.answer:
            return _graded(question, right=done.answered.right)
    if waits is None or waits.drill != key:
        raise ApiError(404, "unknown_drill", "This question was answered already, or another one was asked since.")
    question = await _again(waits)
    answer = _answer(question, data)
    right = is_right(question, answer)
    command = commands.AnswerDrill(
        drill=key, person=person.name, answer=answer, right=right, clauses=tuple(question.rules)
    )
    require_found(await floor.ask(command, f"{person.name}:{data.id}"))
    return _graded(question, right=right)


# ---------------------------------------------------------------- exams


@post("/api/academy/exams", opt={"action": Action.SET_EXAMS, "refuses": (404,)}, status_code=201)
async def set_exam(floor: TheFloor, person: ThePerson, data: Annotated[wire.NewExam, Body()]) -> wire.ExamLine:
    """Set an exam; each sitting of it has a paper of its own."""
    key = number_of(person, data.id)
    command = extended(
        commands.SetExam,
        data,
        exam=key,
        by=person.name,
        editions=tuple(declare(game).edition for game in data.games),
        topics=tuple(data.topics),
        clauses=tuple(data.clauses),
    )
    require_found(await floor.ask(command, f"{person.name}:{data.id}"))
    known = academy_of(floor)
    return _exam_line(known, known.exams[key])


@post("/api/academy/exams/{key:str}/withdraw", opt={"action": Action.SET_EXAMS, "refuses": (404,)}, status_code=200)
async def withdraw_exam(
    floor: TheFloor, person: ThePerson, key: FromPath[str], data: Annotated[wire.AcademyCommand, Body()]
) -> wire.ExamLine:
    """Let no further sitting of an exam begin."""
    require_found(await floor.ask(commands.WithdrawExam(exam=key, by=person.name), f"{person.name}:{data.id}"))
    known = academy_of(floor)
    return _exam_line(known, known.exams[key])


@get("/api/academy/exams/{key:str}/results", opt={"action": Action.SET_EXAMS, "refuses": (404,)})
async def results(floor: TheFloor, key: FromPath[str]) -> wire.ClassView:
    """Show what the learners of an exam came to, and the clauses that they got wrong."""
    exam = academy_of(floor).exams.get(key)
    if exam is None:
        raise ApiError(404, "unknown_exam", "There is no exam of that number.")
    for sitting in list(academy_of(floor).sittings.values()):
        if sitting.exam == key:
            await _ended_in_time(floor, sitting)
    known = academy_of(floor)
    sat = [each for each in known.sittings.values() if each.exam == key]
    wrong = Counter(clause for each in sat if each.ended for clause in each.ended.weak)
    weak = []
    for name, count in wrong.most_common(_WEAK_MOST):
        edition, _, clause = name.partition(" ")
        text = _clause_text(edition, clause)
        weak.append(wire.WeakClause(edition=edition, clause=clause, text=text, sittings=count))
    return wire.ClassView(
        exam=_exam_line(known, exam), sittings=[_sitting_line(floor, each) for each in reversed(sat)], weak=weak
    )


# ---------------------------------------------------------------- sittings


@post("/api/academy/exams/{key:str}/sittings", opt={"action": Action.TRAIN, "refuses": (404,)}, status_code=201)
async def begin_sitting(
    floor: TheFloor, person: ThePerson, key: FromPath[str], data: Annotated[wire.AcademyCommand, Body()]
) -> wire.SittingView:
    """Begin an exam; the time runs from now on, and a page that is loaded again goes on with it."""
    sitting = number_of(person, data.id)
    if sitting in academy_of(floor).sittings:
        return await _sitting_view(floor, _own_sitting(floor, person, sitting))
    seed = secrets.randbelow(SEEDS)
    command = commands.BeginSitting(sitting=sitting, exam=key, person=person.name, seed=seed, maker=MAKER)
    known = academy_of(floor)
    if key in known.exams:
        try:  # a paper that cannot be made is not begun
            await asyncio.to_thread(paper, extended(Exam, known.exams[key], seed=command.seed))
        except (BadExam, UnknownGame) as wrong:
            raise ApiError(409, "bad_exam", str(wrong)) from None
    require_found(await floor.ask(command, f"{person.name}:{data.id}"))
    return await _sitting_view(floor, _own_sitting(floor, person, sitting))


@get("/api/academy/sittings/{key:str}", opt={"action": Action.TRAIN, "refuses": (404,)})
async def sitting(floor: TheFloor, person: ThePerson, key: FromPath[str]) -> wire.SittingView:
    """Show the next question of a sitting, or its result."""
    await _ended_in_time(floor, _own_sitting(floor, person, key))
    return await _sitting_view(floor, _own_sitting(floor, person, key))


@post("/api/academy/sittings/{key:str}/answers", opt={"action": Action.TRAIN, "refuses": (404,)}, status_code=200)
async def answer_sitting(
    floor: TheFloor, person: ThePerson, key: FromPath[str], data: Annotated[wire.SittingAnswer, Body()]
) -> wire.SittingView:
    """Answer the next question of a sitting; what was right is shown when the sitting is over."""
    found = _own_sitting(floor, person, key)
    questions = await asyncio.to_thread(paper_of, academy_of(floor), found)
    if data.number >= len(questions):
        raise ApiError(409, "out_of_turn", "This exam has no such question.")
    answer = _answer(questions[data.number], data)
    command = commands.AnswerSitting(
        sitting=key,
        person=person.name,
        number=data.number,
        answer=answer,
        right=is_right(questions[data.number], answer),
    )
    require_found(await floor.ask(command, f"{person.name}:{data.id}"))
    await _ended_in_time(floor, _own_sitting(floor, person, key))
    return await _sitting_view(floor, _own_sitting(floor, person, key))


@post("/api/academy/sittings/{key:str}/end", opt={"action": Action.TRAIN, "refuses": (404,)}, status_code=200)
async def end_sitting(
    floor: TheFloor, person: ThePerson, key: FromPath[str], data: Annotated[wire.AcademyCommand, Body()]
) -> wire.SittingView:
    """End a sitting before its time."""
    found = _own_sitting(floor, person, key)
    if found.ended is None:
        require_found(await _end(floor, found, f"{person.name}:{data.id}"))
    return await _sitting_view(floor, _own_sitting(floor, person, key))


@get(
    "/api/academy/sittings/{key:str}/certificate",
    opt={"action": Action.TRAIN, "refuses": (404,)},
    media_type=MediaType.HTML,
)
async def certificate(floor: TheFloor, person: ThePerson, key: FromPath[str]) -> Response[str]:
    """Return the certificate of a sitting that is over, as a page to print."""
    known = academy_of(floor)
    found = known.sittings.get(key)
    if found is None or (found.person != person.name and not person.may(Action.SET_EXAMS)):
        raise ApiError(404, "unknown_sitting", "There is no sitting of that number.")
    if found.ended is None:
        raise ApiError(409, "sitting_open", "The sitting is not over yet.")
    result = await asyncio.to_thread(result_of, known, found)
    names = floor.house.directory
    page = certificate_page(
        exam_of(known, found),
        result,
        name=names.name_of(found.person),
        date=moment_text(found.ended.at)[:10],
        examiner=names.name_of(known.exams[found.exam].by),
    )
    return Response(page, media_type=MediaType.HTML)


# ---------------------------------------------------------------- parts


def academy_of(floor: Floor) -> Academy:
    """Return what the house remembers of its learners."""
    return floor.house.shown_people.academy


def _own_sitting(floor: Floor, person: Person, key: str) -> Sitting:
    found = academy_of(floor).sittings.get(key)
    if found is None or found.person != person.name:
        raise ApiError(404, "unknown_sitting", "There is no sitting of that number.")
    return found


def number_of(person: Person, command: str) -> str:
    """Return the number of a new thing: sent again under the same id, it is the same."""
    return hashlib.sha256(f"academy:{person.name}:{command}".encode()).hexdigest()[:12]


async def _again(asked: DrillAsked) -> Question:
    made = await asyncio.to_thread(question_of, asked)
    assert made is not None, "the question was made before"
    return made


async def _ended_in_time(floor: Floor, found: Sitting) -> None:
    """End a sitting whose questions are all answered, or whose time is over."""
    known = academy_of(floor)
    answered = len(found.answers) >= known.exams[found.exam].count
    if found.ended is None and (answered or floor.now() > deadline(known, found)):
        await _end(floor, found, f"academy:end:{found.id}")


async def _end(floor: Floor, found: Sitting, command: str) -> commands.Answer:
    result = await asyncio.to_thread(result_of, academy_of(floor), found)
    weak = tuple(f"{each.edition} {each.clause}" for each in result.clauses if each.right < each.asked)
    return await floor.ask(extended(commands.EndSitting, result, sitting=found.id, weak=weak), command)


def _answer(question: Question, given: wire.GivenAnswer) -> Answer:
    """Read an answer in the form of its question; raises ApiError."""
    try:
        answer: Answer = money(given.amount) if question.form is Form.AMOUNT else tuple(given.options)
        is_right(question, answer)
    except (BadMoney, BadAnswer) as wrong:
        raise ApiError(400, "bad_request", str(wrong)) from None
    return answer


def _games() -> list[wire.TrainedGame]:
    books = [declare(each.name) for each in editions()]
    return [
        extended(wire.TrainedGame, book.document, edition=book.edition, topics=list(topics_of(book))) for book in books
    ]


def question_view(question: Question) -> wire.QuestionView:
    """Return a question without its seed and its answer."""
    return extended(wire.QuestionView, question)


def _graded(question: Question, *, right: bool) -> wire.GradedView:
    answer = question.right
    return wire.GradedView(
        right=right,
        options=[] if isinstance(answer, int) else list(answer),
        amount=show_money(answer) if isinstance(answer, int) else "",
        because=question.because,
        clauses=[wire.ClauseView(clause=rule, text=_clause_text(question.edition, rule)) for rule in question.rules],
    )


def _clause_text(edition: str, clause: str) -> str:
    try:
        known = paragraphs(edition).get(clause)
        return known.text if known is not None else readings_of(edition)[clause].question
    except (UnknownGame, KeyError):
        return ""


def _known(key: str, asked: int, right: int, due: int) -> wire.KnownClause:
    edition, _, clause = key.partition(" ")
    return wire.KnownClause(edition=edition, clause=clause, asked=asked, right=right, due=moment_text(due * SECOND))


def _exam_line(known: Academy, exam: ExamSet) -> wire.ExamLine:
    return extended(wire.ExamLine, exam, withdrawn=exam.exam in known.withdrawn)


def _sitting_line(floor: Floor, found: Sitting) -> wire.SittingLine:
    known, ended = academy_of(floor), found.ended
    return wire.SittingLine(
        sitting=found.id,
        exam=found.exam,
        title=known.exams[found.exam].title,
        person=found.person,
        begun=moment_text(found.begun),
        over=ended is not None,
        right=ended.right if ended else 0,
        asked=ended.asked if ended else known.exams[found.exam].count,
        points=ended.points if ended else 0,
        passed=ended is not None and ended.passed,
    )


async def _sitting_view(floor: Floor, found: Sitting) -> wire.SittingView:
    known = academy_of(floor)
    questions = await asyncio.to_thread(paper_of, known, found)
    over = found.ended is not None
    mistakes = [
        wire.MistakeView(number=number, question=question_view(each), graded=_graded(each, right=False))
        for number, each in enumerate(questions)
        if over and not (number < len(found.answers) and found.answers[number].right)
    ]
    left = max(0, deadline(known, found) - floor.now()) // SECOND
    return wire.SittingView(
        sitting=found.id,
        title=known.exams[found.exam].title,
        number=len(found.answers),
        count=len(questions),
        seconds_left=0 if over else left,
        question=None if over or len(found.answers) >= len(questions) else question_view(questions[len(found.answers)]),
        result=_sitting_line(floor, found) if over else None,
        mistakes=mistakes,
    )
