"""Rounds that have been played: lists, one round step by step, and its record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, TypeAlias, TypeVar

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter, SkipValidation
from msgspec.structs import replace

from croupier.floor.duties.permissions import Action, Post
from croupier.floor.history.link_figures import day_of
from croupier.floor.history.mispay_figures import MispayFigures
from croupier.floor.history.played_rounds import PAGE_MOST, NotTheirs, Search, may_take_eyes
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.people.assignments import refusal
from croupier.floor.people.authorization import amount_in
from croupier.floor.people.people import Person
from croupier.floor.server.dependencies import HttpRequest, TheFloor, TheLiveFloor, ThePerson, TheTable
from croupier.floor.server.displayed_names import AS_RECORDED
from croupier.floor.server.errors import ApiError
from croupier.floor.server.guard import address_of, note, refuse
from croupier.floor.server.quotas import AtOnce
from croupier.floor.views.round_views import PlayedRound, RoundLine, RoundRecord
from croupier.money import Money

Moment: TypeAlias = Annotated[str, QueryParameter(max_length=40, description="ISO 8601, as in 2024-05-01T21:00")]
Text: TypeAlias = Annotated[str, QueryParameter(max_length=60)]
Skip: TypeAlias = Annotated[int, QueryParameter(ge=0, le=10**9)]
Limit: TypeAlias = Annotated[int, QueryParameter(ge=1, le=PAGE_MOST)]
T = TypeVar("T")
OLDEST, NEWEST = 0, 2**62
AT_ONCE = 6
"""Searches at the same time; a search for a rare hand reads the whole journal."""


class Searches:
    """Searches for rounds, on threads of their own so that other readers do not wait, and a few at a time for each
    person and address.
    """

    def __init__(self, *, of_one_person: int = 3, of_one_address: int = 6) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="searches")
        self._persons, self._addresses = AtOnce(of_one_person), AtOnce(of_one_address)

    async def find(self, person: str, address: str, look: Callable[[], T]) -> T:
        """Run a search; raises ApiError where the person or the address has too many running."""
        if not self._persons.enter(person):
            most = self._persons.most
            raise ApiError(429, "too_fast", f"You already have {most} searches running. Wait for one to finish.")
        if not self._addresses.enter(address):
            self._persons.leave(person)
            most = self._addresses.most
            what = f"Your address already has {most} searches running. Wait for one to finish."
            raise ApiError(429, "too_fast", what)
        looking = asyncio.get_running_loop().run_in_executor(self._threads, look)
        # When it has ended, not when its client has gone.
        looking.add_done_callback(lambda _: self._ended(person, address))
        return await asyncio.shield(looking)

    def _ended(self, person: str, address: str) -> None:
        self._persons.leave(person)
        self._addresses.leave(address)

    async def close(self) -> None:
        """Stop without waiting for searches."""
        self._threads.shutdown(wait=False, cancel_futures=True)


TheSearches: TypeAlias = SkipValidation[NamedDependency[Searches]]


@get("/api/tables/{name:str}/rounds", opt={"action": Action.WATCH})
async def rounds(
    floor: TheLiveFloor,
    table: TheTable,
    person: ThePerson,
    searches: TheSearches,
    request: HttpRequest,
    since: Moment = "",
    until: Moment = "",
    player: Text = "",
    bet: Text = "",
    hand: Text = "",
    won: Text = "",
    lost: Text = "",
    card: Text = "",
    dealer: Text = "",
    incident: Text = "",
    skip: Skip = 0,
    limit: Limit = 20,
) -> list[RoundLine]:
    """List the rounds of a table, the newest first; only people who may audit can ask for another player's or a
    dealer's.
    """
    player = _id(floor, player)
    if player and player != person.name and not person.may(Action.AUDIT):
        await refuse(floor, person, Action.AUDIT, "rounds of another player")
    if dealer and not person.may(Action.AUDIT):
        await refuse(floor, person, Action.AUDIT, "rounds of a dealer")
    dealer = _id(floor, dealer)
    search = Search(
        player=player, bet=bet, hand=hand, card=card, dealer=dealer, incident=incident, skip=skip, limit=limit
    )
    look = partial(floor.past.rounds, table, _within(search, since, until, won, lost), person)
    return await searches.find(person.name, address_of(request), look)


@get("/api/rounds", opt={"action": Action.AUDIT})
async def search_rounds(
    floor: TheLiveFloor,
    person: ThePerson,
    searches: TheSearches,
    request: HttpRequest,
    since: Moment = "",
    until: Moment = "",
    player: Text = "",
    game: Text = "",
    bet: Text = "",
    hand: Text = "",
    won: Text = "",
    lost: Text = "",
    card: Text = "",
    dealer: Text = "",
    incident: Text = "",
    limit: Limit = 20,
) -> list[RoundLine]:
    """Search the rounds of all tables of this server, the newest first.

    By time, player, game, bet, hand, amount, a card that lay face up, dealer and incident.
    """
    tables = [t for t in floor.house.shown.values() if t.ours and game in ("", t.terms.book.game)]
    player, dealer = _id(floor, player), _id(floor, dealer)
    search = Search(player=player, bet=bet, hand=hand, card=card, dealer=dealer, incident=incident, limit=limit)
    look = partial(floor.past.search, tables, _within(search, since, until, won, lost), person)
    return await searches.find(person.name, address_of(request), look)


@get("/api/tables/{name:str}/rounds/{number:int}", opt={"action": Action.WATCH})
async def one_round(
    floor: TheLiveFloor,
    table: TheTable,
    person: ThePerson,
    number: FromPath[int],
    as_player: Text = "",
    as_post: Text = "",
) -> PlayedRound:
    """Return a round step by step, as the person may see it.

    When it is over, people who may audit can ask for the view of a player, or of a post as in `dealer`.
    """
    if (as_player or as_post) and not may_take_eyes(person):
        await refuse(floor, person, Action.AUDIT, f"round {number} as another person")
    if as_post and as_post not in [post.value for post in Post]:
        raise ApiError(400, "bad_request", f"as_post: there is no post {as_post[:40]}.")
    as_player = _id(floor, as_player)
    eyes = Person(as_player, Post.PLAYER, "") if as_player else Person("", Post(as_post), "") if as_post else None
    return await asyncio.to_thread(floor.past.round, table, number, person, eyes)


@get("/api/tables/{name:str}/rounds/{number:int}/record", opt={"action": Action.WATCH, AS_RECORDED: True})
async def round_record(floor: TheFloor, table: TheTable, person: ThePerson, number: FromPath[int]) -> RoundRecord:
    """Return a round that is over as a file that `verify.py` checks with Python alone.

    It is for those who played in it, and for staff and auditors. It holds the cards that the person has seen; for
    people who may audit, the whole deck. Where the house has a witness, it carries proofs against signed checkpoints.
    """
    try:
        return await asyncio.to_thread(floor.proved_record, person, table, number)
    except NotTheirs as wrong:
        await note(floor, person, Action.AUDIT.value, f"record of round {number} at {table.name[:40]}")
        raise ApiError(403, "not_allowed", str(wrong)) from None


@get("/api/figures/mispays", opt={"action": Action.SEE_FIGURES})
async def mispays(floor: TheLiveFloor, person: ThePerson, since: Moment = "", until: Moment = "") -> MispayFigures:
    """Return the mispays at this server's tables by dealer, table, bet and shift; without `since`, of this day.

    A person with assigned pits or tables gets those alone.
    """
    now = floor.now()
    begin = moment_in(since, day_of(datetime.fromtimestamp(now / 1_000_000, UTC).date())[0])
    tables = [t for t in floor.house.shown.values() if t.ours and not refusal(person, t.name, t.config)]
    return await asyncio.to_thread(floor.past.mispays, tables, begin, moment_in(until, now + 1))


SEARCH_ROUTES = (rounds, search_rounds, one_round, mispays)
"""What a front reads from the journal by itself."""


def _id(floor: LiveFloor, typed: str) -> str:
    """Return the id of a player who is looked for; bots and players of earlier releases are known by their names."""
    return floor.house.directory.id_of(typed) or typed if typed else ""


def _within(search: Search, since: str, until: str, won: str, lost: str) -> Search:
    """Add the moments and amounts of a search, as they were typed."""
    return replace(
        search,
        since=moment_in(since, OLDEST),
        until=moment_in(until, NEWEST),
        won=_amount(won, "won"),
        lost=_amount(lost, "lost"),
    )


def moment_in(text: str, otherwise: int) -> int:
    """Read a moment as microseconds since 1970; a time without a zone is UTC."""
    if not text:
        return otherwise
    try:
        at = datetime.fromisoformat(text)
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        return int(at.timestamp() * 1_000_000)
    except (ValueError, OverflowError):
        raise ApiError(400, "bad_request", f'"{text}" is not a moment: write it as in 2024-05-01T21:00.') from None


def _amount(text: str, name: str) -> Money | None:
    """Read an amount to look for; None where the client asks for none."""
    return amount_in(name, text if "." in text else f"{text}.00") if text else None
