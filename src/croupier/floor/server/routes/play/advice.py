"""Practice: the exact value of each choice for a player's own examined Hand, and what a game takes on average.

The lab computes both in a process of its own, so that the tables do not wait for it. A position is taken from what the
player may see and from nothing else: their own cards that they have looked at, and the turned Community Cards.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TypeAlias

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation
from msgspec import UNSET

from croupier.floor.duties.permissions import Action
from croupier.floor.history.decided_hands import DecidedHand, stakes_of
from croupier.floor.records.commands import TableConfig
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheTable
from croupier.floor.server.errors import ApiError
from croupier.floor.server.wire.advice import DecisionValue, Edge, Position, Practice, RoundValues
from croupier.floor.server.workers.advice import Question, Told
from croupier.money import Money, show
from croupier.rounds.commands import FACE_DOWN
from croupier.rounds.views import Viewer, view
from croupier.rulebooks.vocabulary import ANTE_BET, BetName, Choice
from croupier.structs import extended

NEEDS = ("numpy", "numba")
KEPT = 2_000
"""Answers that are remembered: a position comes again when its player looks again."""
WAITING_MOST = 100
FAILED = "The lab has stopped in the middle of a position; the next question starts it again."


class Coach:
    """The lab's process: started by the first question, asked one question after the other."""

    def __init__(self) -> None:
        self.missing = next((name for name in NEEDS if find_spec(name) is None), "")
        self._process: subprocess.Popen[bytes] | None = None
        self._asking = ThreadPoolExecutor(1, thread_name_prefix="coach")
        self._waiting = 0
        self._figures: dict[bytes, asyncio.Task[Told]] = {}
        self._told: OrderedDict[bytes, Told] = OrderedDict()

    async def close(self) -> None:
        """End the process with the server."""
        for task in self._figures.values():
            task.cancel()
        if self._process is not None:
            self._process.kill()
        await asyncio.to_thread(self._asking.shutdown, cancel_futures=True)
        self._end()

    def figures(self, config: TableConfig) -> Told | None:
        """Return what the game takes on average; None while it is computed, which the first request begins."""
        key = _encode(config)
        task = self._figures.get(key)
        if task is None:
            task = self._figures[key] = asyncio.create_task(self.ask(Question(config=config)))
        if not task.done():
            return None
        told = Told(wrong=FAILED) if task.cancelled() or task.exception() is not None else task.result()
        if told.wrong == FAILED:
            # The next request starts it again.
            del self._figures[key]
        return told

    async def ask(self, question: Question) -> Told:
        """Return the lab's answer to one question; raises ApiError where too many wait."""
        key = _encode(question)
        if key in self._told:
            self._told.move_to_end(key)
            return self._told[key]
        if self._waiting >= WAITING_MOST:
            raise ApiError(503, "busy", "Too many positions wait to be counted out: ask again in a moment.")
        self._waiting += 1
        try:
            told = await asyncio.get_running_loop().run_in_executor(self._asking, self._put, key)
        finally:
            self._waiting -= 1
        if not told.wrong:
            self._told[key] = told
            if len(self._told) > KEPT:
                self._told.popitem(last=False)
        return told

    def _put(self, question: bytes) -> Told:
        """Send a question to the lab's process and read its answer, on the coach's own thread."""
        if self._process is None or self._process.poll() is not None:
            self._end()
            command = [sys.executable, "-m", "croupier.floor.server.workers.advice"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  ours
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        try:
            into.write(question + b"\n")
            into.flush()
            line = out.readline()
        except OSError:
            line = b""
        return msgspec.json.decode(line, type=Told) if line else Told(wrong=FAILED)

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                # What was written to a process that has gone cannot be flushed any more.
                try:
                    pipe.close()
                except OSError:
                    continue


def _encode(asked: TableConfig | Question) -> bytes:
    return msgspec.json.encode(asked, order="deterministic")


def counted_terms(config: TableConfig) -> TableConfig:
    """Keep the terms that the mathematics depends on, so that tables of one game share their figures."""
    return TableConfig(game=config.game, dealing=config.dealing, pay_tables=config.pay_tables, rulings=config.rulings)


TheCoach: TypeAlias = SkipValidation[NamedDependency[Coach]]


@get("/api/tables/{name:str}/edge", opt={"action": Action.WATCH})
async def edge(table: TheTable, coach: TheCoach) -> Edge:
    """Return what the House keeps on average here with the best play; computed at the first request."""
    if (why_not := _not_yet(coach, table)) is not None:
        return why_not
    told = coach.figures(counted_terms(table.config))
    assert told is not None
    assert told.figures is not None
    return extended(Edge, told.figures, state="ready")


@get("/api/tables/{name:str}/practice", opt={"action": Action.PLAY})
async def practice(table: TheTable, person: ThePerson, coach: TheCoach) -> Practice:
    """Return the value of each choice that the player has to make now, for every Hand that they have looked at."""
    if (why_not := _not_yet(coach, table)) is not None:
        return Practice(state=why_not.state, message=why_not.message, boxes=[])
    config = counted_terms(table.config)
    seen = view(table.terms, table.round, Viewer.PLAYER, person.name)
    due = {choice.box for choice in seen.choices}
    board = [card for card in seen.community if card != FACE_DOWN]
    boxes = []
    for box in seen.boxes:
        if box.box not in due or not box.cards or FACE_DOWN in box.cards:
            continue
        stakes = stakes_of(person.name, box.stakes)
        told = await coach.ask(_question(config, box.cards, board, stakes))
        told = _of_the_lawful(told, {c.choice for c in seen.choices if c.box == box.box})
        boxes.append(
            Position(
                box=box.box,
                board=len(board),
                uncounted=[bet for bet in stakes if bet not in told.counted],
                options=told.options or UNSET,
                counted=told.counted or UNSET,
                wrong=told.wrong or UNSET,
            )
        )
    return Practice(state="ready", round=seen.number, boxes=boxes)


@get("/api/tables/{name:str}/rounds/{number:int}/values", opt={"action": Action.WATCH})
async def decision_values(
    floor: TheFloor, table: TheTable, person: ThePerson, number: FromPath[int], coach: TheCoach
) -> RoundValues:
    """Return what each choice was worth at every decision of a finished round whose hand the person may know."""
    was, decided = await asyncio.to_thread(floor.past.decisions, table, number, person)
    if was.terms.missing:
        return RoundValues(state="missing", message=was.terms.missing, decisions=[])
    if (why_not := _not_yet(coach, was)) is not None:
        return RoundValues(state=why_not.state, message=why_not.message, decisions=[])
    config = counted_terms(was.config)
    return RoundValues(state="ready", decisions=[await _valued(coach, config, each) for each in decided if each.hand])


async def _valued(coach: Coach, config: TableConfig, made: DecidedHand) -> DecisionValue:
    question = _question(config, made.hand, made.board, made.stakes)
    told = await coach.ask(question)
    cost = next((option.cost for option in told.options if option.choice == made.choice), None)
    return extended(DecisionValue, made, ante=show(question.ante), options=told.options, cost=cost)


def _question(
    config: TableConfig, hand: Iterable[str], board: Iterable[str], stakes: Mapping[BetName, Money]
) -> Question:
    ante = stakes.get(ANTE_BET, 0)
    return Question(config=config, hand=" ".join(hand), board=" ".join(board), ante=ante, stakes=stakes)


def _of_the_lawful(told: Told, choices: Set[Choice]) -> Told:
    """Keep the choices that are open to the box; the best of these costs zero."""
    options = [option for option in told.options if option.choice in choices]
    least = min((option.cost for option in options), default=0.0)
    worth = tuple(msgspec.structs.replace(option, cost=option.cost - least) for option in options)
    return msgspec.structs.replace(told, options=worth)


def _not_yet(coach: Coach, table: Table) -> Edge | None:
    """Return why the lab has no figures of this table yet, or never will; None where it has them."""
    if coach.missing:
        says = f"Practice needs {coach.missing}, which is not installed here: install croupier with its extra [lab]."
        return Edge(state="missing", message=says)
    told = coach.figures(counted_terms(table.config))
    if told is None:
        return Edge(state="loading")
    return Edge(state="missing", message=told.wrong) if told.wrong else None
