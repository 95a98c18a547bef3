"""`croupier serve`: a running house, from settings to the last answer."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
from collections.abc import Callable
from random import Random
from typing import Protocol

import uvicorn
from litestar import Litestar
from litestar.types import ASGIApp

from croupier.floor.duties.permissions import Post
from croupier.floor.fronts.gateway import FrontDoor
from croupier.floor.house.steady_clock import HouseClock, latest_record
from croupier.floor.house.witness import Witness, is_wanted
from croupier.floor.house.writer import HouseAway, HouseStopped
from croupier.floor.live.bots import Bot
from croupier.floor.live.floor import Floor
from croupier.floor.people.passwords import COST, PUBLIC_COST, PUBLIC_PASSWORD, password_fits
from croupier.floor.people.people import People
from croupier.floor.records.commands import AtTable, BuyIn, FoundHouse, MarkBreakGlass, OpenLink, OpenTable, SetDuties
from croupier.floor.records.keys import BadKeys, Keys, load_keys
from croupier.floor.server.app import is_client_built, make_app
from croupier.floor.server.errors import ApiError
from croupier.floor.server.http_limits import HeadAsGet, PromptRequests, listening_config, room_for_connections
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.process.http_server import STOPS_WITHIN, HttpServer, collect_seldom, leave_within, listen
from croupier.floor.server.process.self_check import log_installation
from croupier.floor.server.process.startup import LogIns, Started, started
from croupier.floor.server.relay import RelayedCalls
from croupier.floor.server.settings import Settings
from croupier.floor.server.telemetry.logs import Logged, RequestFigures, set_up_logs
from croupier.floor.server.telemetry.traces import start_traces
from croupier.journal.store import Store, StoreError
from croupier.ledger import accounts
from croupier.money import money

_LOG = logging.getLogger("croupier.server")
Say = Callable[[str], None]

DEMO_PASSWORD = PUBLIC_PASSWORD
DEMO_PEOPLE = (
    ("ana", Post.PLAYER),
    ("dealer", Post.DEALER),
    ("supervisor", Post.PIT_SUPERVISOR),
    ("manager", Post.PIT_MANAGER),
    ("shift", Post.SHIFT_MANAGER),
    ("cage", Post.CAGE),
    ("surveillance", Post.SURVEILLANCE),
    ("examiner", Post.EXAMINER),
    ("learner", Post.LEARNER),
    ("auditor", Post.AUDITOR),
    ("display", Post.DISPLAY),
)
BOTS_AT = (1, 2, 5)
"""Boxes that bots take at every table of a demonstration."""


async def serve(
    settings: Settings,
    store: Store,
    tell: Callable[[Started], None],
    say: Say,
    accepted: str = "",
    door: Door | None = None,
) -> int:
    """Serve until asked to stop, and return the exit code: 1 after a failed commit.

    `tell` gets the addresses when it begins, `say` what ended it. `accepted` is the operator's reason for going on with
    a journal that does not agree with its witness. With a `door` it serves fronts there, and they serve people. Raises
    CannotListen, and HouseStopped where it cannot even be opened.
    """
    listening = listen(settings) if door is None else None
    set_up_logs(json_wanted=settings.log_json)
    traces = start_traces(settings.name) if settings.traces else None
    keys = house_keys(settings)
    clock = HouseClock(last=latest_record(store))
    witness = await asyncio.to_thread(_witness, settings, clock, say, accepted)
    cost = PUBLIC_COST if settings.demo else COST
    log_installation()
    named = {table.table for table in settings.tables}
    # Where servers share a store, each runs the tables of its own settings and leaves the others to theirs.
    runs = named.__contains__ if store.is_shared and named else None
    floor = Floor(store, name=settings.name, runs=runs, clock=clock, witness=witness, keys=keys)
    if traces is not None:
        floor.figures.on_answer = traces.command
    sessions = Sessions(floor, cost=cost)
    try:
        has_players = any(account.startswith(accounts.player("")) for account in floor.house.shown_balances)
        check_kind(floor.house.shown_people, settings.database, demo=bool(settings.demo), has_players=has_players)
        for table, why in floor.house.unopened.items():
            raise StoreError(
                f"The round at {table} cannot go on: {why} Give the server that key as well, after its own."
            )
        await open_house(floor, settings)
        password = await _people(floor, sessions, settings)
        await _mark_break_glass(floor, settings)
    except (HouseStopped, StoreError):
        # The writer is waited for: what it still has to say of its end, it says to this loop.
        with contextlib.suppress(StoreError):
            await floor.stop()
        raise
    tasks = [
        asyncio.create_task(floor.clocks.run(), name="clocks"),
        asyncio.create_task(floor.watch_clock(), name="clock"),
    ]
    if settings.demo:
        tasks.append(asyncio.create_task(_bots(floor), name="bots"))
    PromptRequests.room = room_for_connections()
    requests = RequestFigures()
    served = make_app(floor, settings, keys=keys, cost=cost, requests=requests)
    app = Logged(HeadAsGet(served), requests, None if traces is None else traces.request)
    collect_seldom()
    tell(_started(settings, password))
    try:
        if door is not None:
            await _serve_fronts(floor, served, app, door)
        elif listening is not None:
            await _serve_people(floor, listening_config(app, settings.trusted_proxies), listening)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(StoreError):
            await floor.stop()
        if traces is not None:
            await asyncio.to_thread(traces.close)
    if floor.failure is not None:
        say(f"The server stopped: {floor.failure}")
        return 1
    return 0


class Door(Protocol):
    """Where fronts come in, and when the house is to close."""

    listening: socket.socket
    """A Unix socket."""
    closing: asyncio.Event

    def opened(self) -> None:
        """Take note that fronts are served from now on."""


async def _serve_people(floor: Floor, config: uvicorn.Config, listening: socket.socket) -> None:
    """Serve people until asked to stop, or until a commit has failed: the server does not guess."""
    server = HttpServer(config, lambda: floor.failure is not None)

    async def stop_on_failure() -> None:
        await floor.stopped.wait()
        server.leave()

    stopping = asyncio.create_task(stop_on_failure())
    try:
        # A Ctrl-C that came while all this was made is answered here, and not in the middle of the server's own start.
        await asyncio.sleep(0)
        await server.serve(sockets=[listening])
    finally:
        stopping.cancel()


def used_sessions(floor: Floor, sessions: Sessions) -> Callable[[str], None]:
    """Return what notes that a session was used at a front."""

    def used(key: str) -> None:
        people = floor.house.shown_people
        session = people.sessions.get(key)
        person = None if session is None else people.persons.get(session.person)
        if session is not None and person is not None and not session.locked:
            sessions.idle.use(key, person, session)

    return used


async def _serve_fronts(floor: Floor, served: Litestar, app: ASGIApp, door: Door) -> None:
    """Serve fronts until the house is to close or has failed."""
    fronts = FrontDoor(floor, RelayedCalls(app), used_sessions(floor, served.state.sessions))
    async with served.lifespan():
        await fronts.open(door.listening)
        door.opened()
        ended = [asyncio.create_task(door.closing.wait()), asyncio.create_task(floor.stopped.wait())]
        await asyncio.wait(ended, return_when=asyncio.FIRST_COMPLETED)
        leave_within(STOPS_WITHIN, lambda: int(floor.failure is not None))
        for task in ended:
            task.cancel()
        await fronts.close()


def house_keys(settings: Settings) -> Keys:
    """Load the keys of this house; a SQLite house gets its own at its first start. Raises BadKeys."""
    keys = load_keys(settings.database, key=os.environ.get("CROUPIER_KEY", ""), key_file=settings.key_file, create=True)
    if not keys.current and (settings.security.second_factor or not settings.demo):
        raise BadKeys("The server has no key to seal decks and second factors with: set CROUPIER_KEY, or key_file.")
    return keys


async def _mark_break_glass(floor: Floor, settings: Settings) -> None:
    """Mark the accounts that the settings name; they stay marked until `croupier people break-glass --off`."""
    for name in settings.security.break_glass:
        person = floor.house.shown_people.persons.get(floor.house.directory.id_of(name) or "")
        if person is None:
            _LOG.warning("a break-glass account of the settings is not enrolled", extra={"account": name})
        elif not person.break_glass:
            await floor.ask(MarkBreakGlass(name=person.name, marked=True, by="settings"))


def _witness(settings: Settings, clock: Callable[[], int], say: Say, accepted: str) -> Witness | None:
    """Compare the journal with its last checkpoint before anything is written, and begin to make new ones."""
    if not is_wanted(settings.database, settings.witness):
        return None
    witness = Witness(settings.database, settings.name, settings.witness, clock)
    if warning := witness.open(accepted):
        say(warning)
    witness.start()
    return witness


async def open_house(floor: Floor, settings: Settings) -> None:
    """Open links and tables of the settings that do not exist yet; set bounds of duties where they differ."""
    if settings.duties != floor.house.people.duties:
        await floor.ask(SetDuties(duties=settings.duties, by=f"server {settings.name}"))
    for link in settings.links:
        if link.link not in floor.house.links:
            await _must(floor, OpenLink(link=link.link, meter=link.meter, parameters=link.parameters))
    for table in settings.tables:
        if table.table not in floor.house.tables:
            await _must(floor, OpenTable(table=table.table, config=table.config))


async def _must(floor: Floor, command: OpenLink | OpenTable) -> None:
    answer = await floor.ask(command)
    # Another server that starts at the same moment may have been first.
    if not answer.accepted and answer.code not in ("link_exists", "table_exists"):
        raise StoreError(answer.message)


def check_kind(people: People, database: str, *, demo: bool, has_players: bool = False) -> None:
    """Refuse to start a demonstration as a production house, or the other way round.

    The kind of a database is fixed at its first start. `has_players` says whether players have accounts in the ledger.
    """
    is_demo = people.demonstration
    if is_demo is None and (people.persons or has_players):
        # An earlier release began it and did not say: people with the public password tell.
        ready_made = (people.persons.get(name) for name in ("admin", *dict(DEMO_PEOPLE)))
        is_demo = any(person is not None and password_fits(DEMO_PASSWORD, person.secret) for person in ready_made)
    if is_demo is None or is_demo == demo:
        return
    if is_demo:
        what = "is a demonstration house, whose passwords are public: start it with --demo"
    else:
        what = "is not a demonstration house: start it without --demo"
    # An address of PostgreSQL may hold a password.
    where = database if database.startswith("sqlite") else "The database"
    raise StoreError(f"{where} {what}, or name another database.")


async def _people(floor: Floor, sessions: Sessions, settings: Settings) -> str | None:
    """Enrol an administrator at the first start and return their password; a demonstration has ready-made people.

    No account is made again later: `croupier people` is for that.
    """
    people = floor.house.shown_people
    if people.demonstration is not None:
        return None
    password = None
    if not people.persons:
        password = DEMO_PASSWORD if settings.demo else secrets.token_urlsafe(12)
        is_first = await _enrolled(floor, sessions, "admin", Post.ADMINISTRATOR, password)
        for name, post in DEMO_PEOPLE if settings.demo else ():
            if await _enrolled(floor, sessions, name, post, DEMO_PASSWORD) and post is Post.PLAYER:
                await floor.ask(BuyIn(player=name, amount=money("5000.00")))
        password = password if is_first else None
    # Another server that starts at the same moment may be first.
    await floor.ask(FoundHouse(demonstration=bool(settings.demo)))
    return password


async def _enrolled(floor: Floor, sessions: Sessions, name: str, post: Post, password: str) -> bool:
    """Enrol a person, and return whether this server did; another that starts at the same moment may be first."""
    if name in floor.house.shown_people.persons:
        return False
    try:
        await sessions.enrol(name, post, password)
    except ApiError as refused:
        if refused.code != "person_exists":
            raise
        return False
    return True


def _started(settings: Settings, password: str | None) -> Started:
    """Collect what to print at the start; `password` is the administrator's, where this start has made one."""
    demo = LogIns((*(name for name, _ in DEMO_PEOPLE), "admin"), DEMO_PASSWORD) if settings.demo else None
    first = None if password is None or settings.demo else LogIns(("admin",), password)
    return started(settings, demo=demo, first=first, client_built=is_client_built())


# ---------------------------------------------------------------- bots


async def _bots(floor: Floor) -> None:
    """Seat bots at some boxes of every table that runs by itself; they act when their table moves."""
    moved: asyncio.Queue[str] = asyncio.Queue()
    floor.on_table_moved(moved.put_nowait)
    random = Random()  # noqa: S311  a bot's choices need not be secret
    seated: dict[str, list[Bot]] = {}
    for name, table in floor.house.shown.items():
        if not table.config.staffed and table.ours:
            seated[name] = [
                Bot(f"bot-{name.lower()}-{box}", box, random) for box in BOTS_AT if box <= table.terms.boxes
            ]
            floor.clocks.always_ready.update(bot.name for bot in seated[name])
            moved.put_nowait(name)
    for bots in seated.values():
        for bot in bots:
            while floor.house.shown_balances.get(f"player/{bot.name}", 0) < money("5000.00"):
                with contextlib.suppress(HouseAway):
                    await floor.ask(BuyIn(player=bot.name, amount=money("100000.00")))
                    break
                await asyncio.sleep(1.0)
    thinking: set[asyncio.Task[None]] = set()
    try:
        while True:
            name = await moved.get()
            for bot in seated.get(name, ()):
                task = asyncio.create_task(_act(floor, name, bot, random))
                thinking.add(task)
                task.add_done_callback(thinking.discard)
    finally:
        for task in thinking:
            task.cancel()


async def _act(floor: Floor, name: str, bot: Bot, random: Random) -> None:
    """Wait a moment, then do what the table asks of the bot."""
    await asyncio.sleep(0.4 + 1.8 * random.random())
    with contextlib.suppress(HouseStopped):  # the server itself says, once, why it has stopped
        table = floor.house.shown[name]
        for command in list(bot.acts(table, floor.phases.of(table).seconds)):
            await floor.ask(AtTable(table=name, command=command))
