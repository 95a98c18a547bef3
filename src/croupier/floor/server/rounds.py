"""The doors to rounds that have been played."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, TypeAlias

from litestar import Request, get
from litestar.datastructures import State
from litestar.params import FromPath, QueryParameter
from msgspec.structs import replace

from croupier.floor.past import PAGE_MOST, NoSuchRound, Search, StillInPlay
from croupier.floor.people import Person
from croupier.floor.posts import Action, Post
from croupier.floor.running import Floor
from croupier.floor.server.doors import Refused, refuse
from croupier.floor.showing import Json
from croupier.floor.tables import Table
from croupier.money import BadMoney, Money, money

HttpRequest: TypeAlias = Request[Person | None, object, State]
Moment: TypeAlias = Annotated[str, QueryParameter(max_length=40, description="ISO 8601, as in 2024-05-01T21:00")]
Text: TypeAlias = Annotated[str, QueryParameter(max_length=60)]
Skip: TypeAlias = Annotated[int, QueryParameter(ge=0, le=10**9)]
Limit: TypeAlias = Annotated[int, QueryParameter(ge=1, le=PAGE_MOST)]
OLDEST, NEWEST = 0, 2**62
AT_ONCE, OF_ONE_PERSON = 6, 3
"""Searches; one for what is rare reads everything there is."""


class Searches:
    """Looking for rounds, on threads of their own, so that nobody who comes back after a break waits behind it; and a
    few at a time of each person, so that nobody else who looks for something does.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="searches")
        self._running: Counter[str] = Counter()

    async def find(self, person: Person, look: Callable[[], list[Json]]) -> list[Json]:
        """What is found. Raises Refused where he looks for too much at once."""
        if self._running[person.name] >= OF_ONE_PERSON:
            raise Refused(429, "too_fast", f"You look for {OF_ONE_PERSON} things already: wait until one is found.")
        self._running[person.name] += 1
        looking = asyncio.get_running_loop().run_in_executor(self._threads, look)
        # When it has ended, not when somebody has lost interest.
        looking.add_done_callback(lambda _: self._ended(person.name))
        return await asyncio.shield(looking)

    def _ended(self, name: str) -> None:
        self._running[name] -= 1
        if not self._running[name]:
            del self._running[name]

    async def close(self) -> None:
        """A house that closes waits for nobody who is looking."""
        self._threads.shutdown(wait=False, cancel_futures=True)


@get("/api/tables/{name:str}/rounds", opt={"action": Action.WATCH})
async def rounds(
    state: State,
    request: HttpRequest,
    name: FromPath[str],
    since: Moment = "",
    until: Moment = "",
    player: Text = "",
    bet: Text = "",
    hand: Text = "",
    won: Text = "",
    lost: Text = "",
    skip: Skip = 0,
    limit: Limit = 20,
) -> list[Json]:
    """The rounds of a table, the newest first; another player's by those who may audit."""
    floor, person = _floor(state), _person(request)
    if player and player != person.name and not person.may(Action.AUDIT):
        await refuse(floor, person, Action.AUDIT, f"rounds of {player[:40]}")
    search = replace(_search(since, until, won, lost), player=player, bet=bet, hand=hand, skip=skip, limit=limit)
    return await _searches(state).find(person, partial(floor.past.rounds, _table(floor, name), search))


@get("/api/rounds", opt={"action": Action.AUDIT})
async def search_rounds(
    state: State,
    request: HttpRequest,
    since: Moment = "",
    until: Moment = "",
    player: Text = "",
    game: Text = "",
    bet: Text = "",
    hand: Text = "",
    won: Text = "",
    lost: Text = "",
    limit: Limit = 20,
) -> list[Json]:
    """Rounds of every table of this server by time, player, game, bet, hand and amount, the newest first."""
    floor = _floor(state)
    tables = [t for t in floor.house.shown.values() if t.ours and game in ("", t.terms.book.game)]
    search = replace(_search(since, until, won, lost), player=player, bet=bet, hand=hand, limit=limit)
    return await _searches(state).find(_person(request), partial(floor.past.search, tables, search))


@get("/api/tables/{name:str}/rounds/{number:int}", opt={"action": Action.WATCH})
async def one_round(
    state: State,
    request: HttpRequest,
    name: FromPath[str],
    number: FromPath[int],
    as_player: Text = "",
    as_post: Text = "",
) -> Json:
    """A round step by step, as one may see it; whoever may audit may ask for the eyes of a player, or of a post as in
    `dealer`, when it is over.
    """
    floor, person = _floor(state), _person(request)
    if (as_player or as_post) and not person.may(Action.AUDIT):
        await refuse(floor, person, Action.AUDIT, f"round {number} as {(as_player or as_post)[:40]}")
    if as_post and as_post not in [post.value for post in Post]:
        raise Refused(400, "bad_request", f"as_post: there is no post {as_post[:40]}.")
    eyes = Person(as_player, Post.PLAYER, "") if as_player else Person("", Post(as_post), "") if as_post else None
    try:
        return await asyncio.to_thread(floor.past.round, _table(floor, name), number, person, eyes)
    except NoSuchRound as wrong:
        raise Refused(404, "unknown_round", str(wrong)) from None


@get("/api/tables/{name:str}/rounds/{number:int}/record", opt={"action": Action.WATCH})
async def round_record(state: State, name: FromPath[str], number: FromPath[int]) -> Json:
    """A round that is over, as a file that `verify.py` checks with Python alone."""
    floor = _floor(state)
    try:
        return await asyncio.to_thread(floor.past.record, _table(floor, name), number)
    except NoSuchRound as wrong:
        raise Refused(404, "unknown_round", str(wrong)) from None
    except StillInPlay as wrong:
        raise Refused(409, "round_in_play", str(wrong)) from None


ROUND_ROUTES = (rounds, search_rounds, one_round, round_record)


def _floor(state: State) -> Floor:
    floor = state.floor
    assert isinstance(floor, Floor)
    return floor


def _searches(state: State) -> Searches:
    searches = state.searches
    assert isinstance(searches, Searches)
    return searches


def _person(request: HttpRequest) -> Person:
    person = request.scope["user"]
    assert isinstance(person, Person)
    return person


def _table(floor: Floor, name: str) -> Table:
    table = floor.table(name)
    if table is None:
        raise Refused(404, "unknown_table", f"There is no table {name[:40]}.")
    return table


def _search(since: str, until: str, won: str, lost: str) -> Search:
    """Moments and amounts as they were written."""
    return Search(
        since=_moment(since, OLDEST),
        until=_moment(until, NEWEST),
        won=_amount(won, "won"),
        lost=_amount(lost, "lost"),
    )


def _moment(text: str, otherwise: int) -> int:
    """Microseconds since 1970; a time without a zone is UTC."""
    if not text:
        return otherwise
    try:
        at = datetime.fromisoformat(text)
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        return int(at.timestamp() * 1_000_000)
    except (ValueError, OverflowError):
        raise Refused(400, "bad_request", f'"{text}" is no moment: write it as in 2024-05-01T21:00.') from None


def _amount(text: str, name: str) -> Money | None:
    """An amount to look for; None where none is asked for."""
    if not text:
        return None
    try:
        return money(text if "." in text else f"{text}.00")
    except BadMoney as wrong:
        raise Refused(400, "bad_request", f"{name}: {wrong}") from None
