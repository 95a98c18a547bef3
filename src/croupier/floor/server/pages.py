"""What the browser's pages ask for besides play: read only, and nothing that the rules have not turned."""

from __future__ import annotations

from typing import TypeAlias

from litestar import get
from litestar.datastructures import State
from litestar.params import FromPath

from croupier.floor.running import Floor
from croupier.floor.server.doors import Refused
from croupier.floor.showing import Json, public_lobby
from croupier.rulebooks.books import UnknownGame, declare
from croupier.rulebooks.readings import readings_of

Readings: TypeAlias = dict[str, Json]


def _floor(state: State) -> Floor:
    floor = state.floor
    assert isinstance(floor, Floor)
    return floor


@get("/api/lobby", opt={"public": True})
async def public_tables(state: State) -> Json:
    """What stands at the door: the tables, their limits, how many boxes are taken."""
    return {"demo": state.settings.demo, "tables": public_lobby(_floor(state).house)}


@get("/api/games/{game:str}/readings", opt={"public": True}, sync_to_thread=False)
def readings(game: FromPath[str]) -> Readings:
    """Where the document is silent: the question, and the answer in force."""
    try:
        book = declare(game)
    except UnknownGame as wrong:
        raise Refused(404, "unknown_game", str(wrong)) from None
    found: Readings = {}
    for name, reading in readings_of(game).items():
        letters = book.readings.chosen(name).split("+")
        found[name] = {
            "question": reading.question,
            "meaning": " ".join(reading.options[letter] for letter in letters if letter in reading.options),
        }
    return found


PAGE_ROUTES = (public_tables, readings)
