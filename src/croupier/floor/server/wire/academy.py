"""The academy: questions as a learner sees them, answers, records, exams, sittings and results of a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec

from croupier.academy.exams import MOST_QUESTIONS
from croupier.academy.introduction import Chapter
from croupier.academy.questions import Form, Topic
from croupier.floor.server.wire.rulebooks import PrintedTable
from croupier.floor.server.wire.texts import CommandId
from croupier.floor.views.table_views import TableView
from croupier.floor.views.terms_views import Terms

Edition: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
ClauseText: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Topics: TypeAlias = Annotated[list[Topic], msgspec.Meta(max_length=len(Topic))]


class AskedDrill(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a learner wants to train: a game, and topics of it; all where none is named."""

    id: CommandId
    game: Edition
    topics: Topics = []


class GivenAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer: the numbers of the options from 0, or an amount."""

    id: CommandId
    options: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=100)]], msgspec.Meta(max_length=20)] = []
    amount: Annotated[str, msgspec.Meta(max_length=20)] = ""


class SittingAnswer(GivenAnswer, frozen=True):
    """An answer to a question of a sitting."""

    number: Annotated[int, msgspec.Meta(ge=0, le=MOST_QUESTIONS)]
    """Of the question, from 0."""


class NewExam(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an examiner sets."""

    id: CommandId
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    games: Annotated[list[Edition], msgspec.Meta(min_length=1, max_length=20)]
    topics: Annotated[list[Topic], msgspec.Meta(min_length=1, max_length=len(Topic))]
    clauses: Annotated[list[ClauseText], msgspec.Meta(max_length=40)] = []
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_QUESTIONS)] = 20
    minutes: Annotated[int, msgspec.Meta(ge=1, le=240)] = 20
    pass_mark: Annotated[int, msgspec.Meta(ge=1, le=100)] = 80


class AcademyCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command of the academy that says no more than its id."""

    id: CommandId


class QuestionView(msgspec.Struct, frozen=True, kw_only=True):
    """A question as the learner sees it before the answer."""

    edition: str
    topic: Topic
    asks: str
    situation: list[str]
    cards: Mapping[str, list[str]]
    """Cards that lie face up, by place."""
    form: Form
    options: list[str]
    picks: int


class DrillView(msgspec.Struct, frozen=True, kw_only=True):
    """A question that waits for its answer."""

    drill: str
    question: QuestionView


class IntroductionView(msgspec.Struct, frozen=True, kw_only=True):
    """A game for someone who does not know it."""

    edition: str
    title: str
    operator: str
    chapters: tuple[Chapter, ...]


class AskedRound(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A training round that a learner wants to deal."""

    id: CommandId
    game: Edition
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**48)] | None = None
    """To deal the same round again; drawn where it is null."""


class TrainingView(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a training round, with the table as it lies; or its end."""

    edition: str
    seed: int
    number: int
    """Of the step, from 0."""
    count: int
    right: int
    """Steps that were answered right so far."""
    drill: str
    """To answer by; empty at the end."""
    question: QuestionView | None
    """Null at the end."""
    terms: Terms
    table: TableView
    printed: list[PrintedTable]


class ClauseView(msgspec.Struct, frozen=True, kw_only=True):
    """A clause that decides a question, in our words."""

    clause: str
    text: str


class GradedView(msgspec.Struct, frozen=True, kw_only=True):
    """What was right, and why."""

    right: bool
    options: list[int]
    """The right options; empty where an amount is asked for."""
    amount: str
    """The right amount; empty where options are."""
    because: str
    clauses: list[ClauseView]


class KnownClause(msgspec.Struct, frozen=True, kw_only=True):
    """How well a learner knows a clause."""

    edition: str
    clause: str
    asked: int
    right: int
    due: str
    """When it is asked again."""


class TrainedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game of which the academy asks, and its topics."""

    edition: str
    title: str
    operator: str
    topics: list[Topic]


class SittingLine(msgspec.Struct, frozen=True, kw_only=True):
    """One sitting in a list."""

    sitting: str
    exam: str
    title: str
    person: str
    begun: str
    over: bool
    right: int
    asked: int
    points: int
    passed: bool


class ExamLine(msgspec.Struct, frozen=True, kw_only=True):
    """An exam that can be sat."""

    exam: str
    title: str
    by: str
    editions: list[str]
    topics: list[Topic]
    clauses: list[str]
    count: int
    minutes: int
    pass_mark: int
    withdrawn: bool


class AcademyView(msgspec.Struct, frozen=True, kw_only=True):
    """The academy as a person finds it."""

    games: list[TrainedGame]
    record: list[KnownClause]
    """The weakest first."""
    exams: list[ExamLine]
    sittings: list[SittingLine]
    """Of this person, the latest first."""
    may_set: bool
    """Whether the person may set exams."""


class SittingView(msgspec.Struct, frozen=True, kw_only=True):
    """A sitting as its learner sees it: the next question, or the result."""

    sitting: str
    title: str
    number: int
    """Of the next question, from 0."""
    count: int
    seconds_left: int
    question: QuestionView | None
    """Null where the sitting is over."""
    result: SittingLine | None
    """Null before it is over."""
    mistakes: list[MistakeView]
    """What was wrong, after it is over."""


class MistakeView(msgspec.Struct, frozen=True, kw_only=True):
    """A question that was not answered right, with its answer."""

    number: int
    question: QuestionView
    graded: GradedView


class WeakClause(msgspec.Struct, frozen=True, kw_only=True):
    """A clause that learners of a class got wrong."""

    edition: str
    clause: str
    text: str
    sittings: int
    """In how many sittings."""


class ClassView(msgspec.Struct, frozen=True, kw_only=True):
    """What the learners of an exam came to."""

    exam: ExamLine
    sittings: list[SittingLine]
    weak: list[WeakClause]
    """The clause that most sittings got wrong first."""
