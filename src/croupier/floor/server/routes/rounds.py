"""The doors to rounds that have been played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, TypeAlias

from litestar import Request, get
from litestar.datastructures import State
from litestar.params import FromPath, QueryParameter
from msgspec.structs import replace

from croupier.floor.duties.permissions import Action, Post
from croupier.floor.history.played_rounds import PAGE_MOST, NoSuchRound, NotTheirs, Search, StillInPlay
from croupier.floor.live.floor import Floor
from croupier.floor.people.people import Person
from croupier.floor.server.auth import Refused, address_of, note, refuse, table_of
from croupier.floor.server.displayed_names import AS_RECORDED
from croupier.floor.server.quotas import AtOnce
from croupier.floor.views.table_views import Json
from croupier.money import BadMoney, Money, money

HttpRequest: TypeAlias = Request[Person | None, object, State]
Moment: TypeAlias = Annotated[str, QueryParameter(max_length=40, description="ISO 8601, as in 2024-05-01T21:00")]
Text: TypeAlias = Annotated[str, QueryParameter(max_length=60)]
Skip: TypeAlias = Annotated[int, QueryParameter(ge=0, le=10**9)]
Limit: TypeAlias = Annotated[int, QueryParameter(ge=1, le=PAGE_MOST)]
OLDEST, NEWEST = 0, 2**62
AT_ONCE = 6
"""Searches; one for what is rare reads everything there is."""


class Searches:
    """Looking for rounds, on threads of their own, so that nobody who comes back after a break waits behind it; and a
    few at a time of each person, so that nobody else who looks for something does.
    """

    def __init__(self, *, of_one_person: int = 3, of_one_address: int = 6) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="searches")
        self._persons, self._addresses = AtOnce(of_one_person), AtOnce(of_one_address)

    async def find(self, person: str, address: str, look: Callable[[], list[Json]]) -> list[Json]:
        """What is found. Raises Refused where the person or the address searches for too much at once."""
        if not self._persons.enter(person):
            most = self._persons.most
            raise Refused(429, "too_fast", f"You already have {most} searches running. Wait for one to finish.")
        if not self._addresses.enter(address):
            self._persons.leave(person)
            most = self._addresses.most
            raise Refused(429, "too_fast", f"Your address already has {most} searches running. Wait for one to finish.")
        looking = asyncio.get_running_loop().run_in_executor(self._threads, look)
        # When it has ended, not when somebody has lost interest.
        looking.add_done_callback(lambda _: self._ended(person, address))
        return await asyncio.shield(looking)

    def _ended(self, person: str, address: str) -> None:
        self._persons.leave(person)
        self._addresses.leave(address)

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
    player = _id(floor, player)
    if player and player != person.name and not person.may(Action.AUDIT):
        await refuse(floor, person, Action.AUDIT, "rounds of another player")
    search = replace(_search(since, until, won, lost), player=player, bet=bet, hand=hand, skip=skip, limit=limit)
    look = partial(floor.past.rounds, table_of(floor, name), search, person)
    return await _searches(state).find(person.name, address_of(request), look)


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
    player = _id(floor, player)
    search = replace(_search(since, until, won, lost), player=player, bet=bet, hand=hand, limit=limit)
    look = partial(floor.past.search, tables, search, _person(request))
    return await _searches(state).find(_person(request).name, address_of(request), look)


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
        await refuse(floor, person, Action.AUDIT, f"round {number} as another person")
    if as_post and as_post not in [post.value for post in Post]:
        raise Refused(400, "bad_request", f"as_post: there is no post {as_post[:40]}.")
    as_player = _id(floor, as_player)
    eyes = Person(as_player, Post.PLAYER, "") if as_player else Person("", Post(as_post), "") if as_post else None
    try:
        return await asyncio.to_thread(floor.past.round, table_of(floor, name), number, person, eyes)
    except NoSuchRound as wrong:
        raise Refused(404, "unknown_round", str(wrong)) from None


@get("/api/tables/{name:str}/rounds/{number:int}/record", opt={"action": Action.WATCH, AS_RECORDED: True})
async def round_record(state: State, request: HttpRequest, name: FromPath[str], number: FromPath[int]) -> Json:
    """A round that is over, as a file that `verify.py` checks with Python alone; for those who played in it, and for
    staff and auditors. Of the cards it holds those that the person has seen, for people who may audit the whole deck.
    Where the house has a witness, it carries proofs against signed checkpoints.
    """
    floor, person = _floor(state), _person(request)
    try:
        return await asyncio.to_thread(floor.proved_record, person, table_of(floor, name), number)
    except NotTheirs as wrong:
        await note(floor, person, Action.AUDIT.value, f"record of round {number} at {name[:40]}")
        raise Refused(403, "not_allowed", str(wrong)) from None
    except NoSuchRound as wrong:
        raise Refused(404, "unknown_round", str(wrong)) from None
    except StillInPlay as wrong:
        raise Refused(409, "round_in_play", str(wrong)) from None


ROUND_ROUTES = (rounds, search_rounds, one_round, round_record)


def _floor(state: State) -> Floor:
    floor = state.floor
    assert isinstance(floor, Floor)
    return floor


def _id(floor: Floor, typed: str) -> str:
    """The id of a player who is looked for; bots and players of earlier releases are known by their names."""
    return floor.house.directory.id_of(typed) or typed if typed else ""


def _searches(state: State) -> Searches:
    searches = state.searches
    assert isinstance(searches, Searches)
    return searches


def _person(request: HttpRequest) -> Person:
    person = request.scope["user"]
    assert isinstance(person, Person)
    return person


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
