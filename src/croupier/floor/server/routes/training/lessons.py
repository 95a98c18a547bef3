"""Training: an introduction to each game, and rounds that a learner deals. Nothing of it is a table of the house."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated

from litestar import get, post
from litestar.params import Body, FromPath
from msgspec.structs import replace

from croupier.academy.introduction import introduction
from croupier.academy.training_round import Moment, training_round
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.live.floor import Floor
from croupier.floor.people.learners import Tally
from croupier.floor.people.people import Person
from croupier.floor.records import commands
from croupier.floor.records.commands import TableConfig
from croupier.floor.records.tables import Table
from croupier.floor.server.dependencies import TheFloor, ThePerson
from croupier.floor.server.errors import ApiError, require_found
from croupier.floor.server.routes.play.tables import printed_tables
from croupier.floor.server.routes.training.academy import SEEDS, academy_of, number_of, question_view
from croupier.floor.server.wire.academy import AcademyCommand, AskedRound, IntroductionView, TrainingView
from croupier.floor.views.table_views import table_view
from croupier.floor.views.terms_views import terms_view
from croupier.rulebooks.catalogue.books import declare
from croupier.structs import extended

NAME = "Training"
"""The table that stands nowhere."""
_DEALER = Person(name="", post=Post.DEALER, secret="")
"""The learner sees what the Dealer of such a table sees."""


@get("/api/academy/introductions/{game:str}", opt={"action": Action.TRAIN, "refuses": (404,)})
async def game_introduction(game: FromPath[str]) -> IntroductionView:
    """Introduce a game: a round step by step, the hands, the bets, what may go wrong."""
    book = declare(game)
    chapters = await asyncio.to_thread(introduction, book.edition)
    return extended(IntroductionView, book.document, edition=book.edition, chapters=chapters)


@post("/api/academy/rounds", opt={"action": Action.TRAIN, "refuses": (404,)}, status_code=201)
async def begin_round(floor: TheFloor, person: ThePerson, data: Annotated[AskedRound, Body()]) -> TrainingView:
    """Begin a training round; the one before it, if it was not dealt to its end, is dropped."""
    edition, key = declare(data.game).edition, number_of(person, data.id)
    known = academy_of(floor).drills.get(person.name)
    if known is None or known.drill != key:
        seed = secrets.randbelow(SEEDS) if data.seed is None else data.seed
        await _ask(floor, person, data.id, Tally(edition, seed))
    return await _shown(floor, person)


@get("/api/academy/rounds/current", opt={"action": Action.TRAIN, "refuses": (404,)})
async def current_round(floor: TheFloor, person: ThePerson) -> TrainingView:
    """Show the step of the training round that waits for the learner; a page that is loaded again goes on with it."""
    return await _shown(floor, person)


@post("/api/academy/rounds/next", opt={"action": Action.TRAIN, "refuses": (404,)}, status_code=200)
async def next_step(floor: TheFloor, person: ThePerson, data: Annotated[AcademyCommand, Body()]) -> TrainingView:
    """Go on with the next step of the training round, or to its end; a step that was not answered waits."""
    tally = _tally(floor, person)
    waits = academy_of(floor).drills.get(person.name)
    moments = await asyncio.to_thread(training_round, tally.edition, tally.seed)
    if (waits is None or waits.step is None) and tally.answered < len(moments):
        await _ask(floor, person, data.id, tally)
    return await _shown(floor, person)


async def _ask(floor: Floor, person: Person, command: str, tally: Tally) -> None:
    """Ask the step after those that were answered."""
    moments = await asyncio.to_thread(training_round, tally.edition, tally.seed)
    asked = commands.AskDrill(
        drill=number_of(person, command),
        person=person.name,
        edition=tally.edition,
        topic=moments[tally.answered].question.topic,
        seed=tally.seed,
        step=tally.answered,
    )
    require_found(await floor.ask(asked, f"{person.name}:{command}"))


async def _shown(floor: Floor, person: Person) -> TrainingView:
    tally = _tally(floor, person)
    moments = await asyncio.to_thread(training_round, tally.edition, tally.seed)
    waits = academy_of(floor).drills.get(person.name)
    drill = waits.drill if waits is not None and waits.step is not None else ""
    moment = moments[min(tally.answered, len(moments) - 1)]
    table = _table(moment)
    asked = replace(question_view(moment.question), situation=list(moment.says), cards={})
    return extended(
        TrainingView,
        tally,
        number=tally.answered,
        count=len(moments),
        drill=drill,
        question=asked if drill else None,
        terms=terms_view(table),
        table=table_view(table, _DEALER),
        printed=printed_tables(table.terms.book),
    )


def _tally(floor: Floor, person: Person) -> Tally:
    found = academy_of(floor).rounds.get(person.name)
    if found is None:
        raise ApiError(404, "unknown_drill", "You have not begun a training round.")
    return found


def _table(moment: Moment) -> Table:
    terms = moment.terms
    config = TableConfig(game=terms.book.edition, dealing=terms.dealing.name, physical=True, staffed=True)
    return Table(NAME, terms, config, moment.state)
