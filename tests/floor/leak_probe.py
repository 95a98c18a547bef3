"""Nobody sees a card before the rules turn it. Pairs of rounds, equal in everything public and different in every card
that is still hidden: whatever the server sends to anybody, over any door, is the same in both, byte for byte.

`python -m tests.floor.leak_probe --pairs 10000` is the report; the tests run some hundreds of pairs.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import logging
import re
import sqlite3
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import TypeAlias

import msgspec
from litestar import Litestar

from croupier.cards import DECK, Card
from croupier.floor.duties.permissions import MAY, Action, Post
from croupier.floor.history.played_rounds import Past
from croupier.floor.house.writer import Promise
from croupier.floor.live.floor import Floor
from croupier.floor.people.people import token_hash
from croupier.floor.records.commands import BuyIn, EnrolPerson, HouseCommand, OpenLink, OpenSession, OpenTable, Request
from croupier.floor.records.committed_decks import Chance, Deck
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.settings import Settings
from croupier.floor.server.websocket_frames import LINE
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.sqlite import SqliteStore
from croupier.money import money
from croupier.rounds.dealing import decision_due
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import BetKind
from croupier.verify import card_salt
from tests.applications import IDLE, make_app
from tests.floor.serving import quiet

Step: TypeAlias = tuple[str, dict[str, object]]
"""Who asks, and what."""
Deals: TypeAlias = list[tuple[Card, ...]]

Doorways: TypeAlias = Sequence[tuple[str, str]]
"""Who knocks where."""

EVERY_DOOR_ONCE_IN = 10
"""Everybody tries every door in one pair of so many, and a dozen of them in the others."""

SEED = (b"\x07" * 32).hex().encode()
"""Of every deck in these worlds, so that only the cards differ; nobody may learn it but those who audit."""
HASHES = re.compile(rb"[0-9a-f]{64}")
TIMED = re.compile(rb"\(b'content-length', b'\d+'\)|^(process|\w+_(seconds|bytes|commit))\S*[ {].*$", re.MULTILINE)
"""Of the metrics: their length, durations, sizes, and which commands shared a commit, which differ with the machine."""
AUDITORS = tuple(post.value for post in MAY[Action.AUDIT])

OPENED = int(time.time())
"""Seconds since 1970 when the sessions of these worlds began: they end a day later."""
PLAYERS = ("ana", "ben")
STAFF_NAMES = tuple(post.value for post in Post if post is not Post.PLAYER)
EVERYBODY = (*PLAYERS, *STAFF_NAMES, "")
"""The last is whoever stands in the street."""

DOORS = (
    "/api/me", "/api/tables", "/api/lobby", "/api/tables/T", "/api/tables/T/rounds", "/api/tables/T/rounds/1",
    "/api/tables/T/rounds/2", "/api/tables/T/rounds/1/record", "/api/rounds", "/api/links/main", "/api/people",
    "/api/audit",
    "/api/games", "/metrics", "/ready", "/health", "/nowhere",
)  # fmt: skip
INCIDENTS = (
    "cards_exposed",
    "misdealt",
    "burn_missed",
    "dealing_error",
    "simultaneous_draw",
    "uncovered",
    "deck_count",
)


class Given:
    """Chance that gives these decks, one after the other."""

    def __init__(self, decks: Deals) -> None:
        self._picks = [pick for deck in decks for pick in _picks(deck)]

    def below(self, _: int) -> int:
        return self._picks.pop(0)

    def token(self, count: int) -> bytes:
        return b"\x07" * count


def _picks(deck: Sequence[Card]) -> Iterator[int]:
    """The draws by which a Fisher–Yates shuffle comes to this deck."""
    order = list(DECK)
    for last in range(len(order) - 1, 0, -1):
        pick = order.index(deck[last])
        order[last], order[pick] = order[pick], order[last]
        yield pick


_IDEAL: dict[str, str] = {}
"""The commitment of each deck of the world that plays now."""


@contextmanager
def ideal_commitments(decks: Deals) -> Iterator[None]:
    """Commitments that tell nothing at all: the first deck of every world has the same, and so has the second. So
    hashes over them are compared as they are, and differ only where something hidden has come into one.
    """
    _IDEAL.clear()
    _IDEAL.update((" ".join(deck), hashlib.sha256(b"%d" % number).hexdigest()) for number, deck in enumerate(decks))
    honest = Deck.commitment
    Deck.commitment = property(lambda deck: _IDEAL[deck.cards])  # type: ignore[method-assign, assignment]  # for a while
    try:
        yield
    finally:
        Deck.commitment = honest  # type: ignore[method-assign]  # as it was


class World:
    """A house in memory with one table and everybody connected to it, and all that is sent to each of them."""

    def __init__(self, app: Litestar, game: str, decks: Deals) -> None:
        given = Given(decks)
        self._now = 1_700_000_000_000_000
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._store = SqliteStore("sqlite:///memory", connection=connection)
        self.floor = Floor(self._store, chance=Chance(given.below, given.token), clock=self._clock)
        self.floor.broadcast.link_pause = 0.0
        # The server's own ids are equal in all worlds, so that hashes over them are.
        self.floor.__dict__["_boot"] = "world"
        self.floor.past = Past(self.floor.house, lambda: self._store)
        self.app = app
        app.state.floor = self.floor
        app.state.sessions = Sessions(self.floor, Settings(requests_per_second=1e9, log_ins_per_minute=1e9))
        self._furnish(game)
        self._lines: dict[str, _Line] = {}
        self._asked = 0
        promise = self.floor.writer.promise

        def counted(request: Request, answer: Promise) -> None:
            self._asked += 1
            promise(request, answer)

        self.floor.writer.promise = counted  # type: ignore[method-assign]  # to know when everybody has been told

    def _clock(self) -> int:
        self._now += 1000
        return self._now

    def _furnish(self, game: str) -> None:
        parameters = Parameters(reset=money("1000.00"), contribution=Rate(1, 5))
        commands: list[HouseCommand] = [
            OpenLink(link="main", meter=money("5000.00"), parameters=parameters),
            OpenTable(table="T", config=quiet(game)),
        ]
        posts = dict.fromkeys(PLAYERS, Post.PLAYER) | {post.value: post for post in Post}
        for name, post in posts.items():
            commands.append(EnrolPerson(name=name, post=post, secret=""))
            commands.append(OpenSession(person=name, token_hash=token_hash(f"{OPENED}.{name}"), csrf=f"csrf-{name}"))
        commands += [BuyIn(player=name, amount=money("100000.00")) for name in PLAYERS]
        requests = [Request(f"set-up-{index}", command, 1) for index, command in enumerate(commands)]
        assert all(answer.accepted for answer in self.floor.house.process(requests))

    async def connect(self) -> None:
        for name in EVERYBODY:
            line = self._lines[name] = _Line(self.app, name)
            line.send({"type": "watch_link", "link": "main"})
            line.send({"type": "watch_table", "table": "T", "after": 0, "id": "w"})
            line.send({"type": "watch_pit", "id": "w"})
            # One after the other: refusals go on record, and threads that look back would shuffle their order.
            while line.count < (4 if name else 3):
                await line.wait()
            await self._told()

    async def step(self, step: Step) -> None:
        """One message, and everything that comes of it."""
        who, message = step
        line = self._lines[who]
        answers = line.answers
        line.send({"type": "command", "table": "T", **message})
        while line.answers == answers:
            await line.wait()
        await self._told()

    async def _told(self) -> None:
        """Until everything that was asked has been told to everybody."""
        while sum(self.floor.counts.values()) < self._asked:  # noqa: ASYNC110  counted in another thread
            await asyncio.sleep(0)
        for _ in range(4):
            await asyncio.sleep(0)

    def taken(self) -> dict[str, list[bytes]]:
        """What has been sent to each since the last time."""
        return {name: line.taken() for name, line in self._lines.items()}

    async def sweep(self, doors: Sequence[tuple[str, str]]) -> list[bytes]:
        """These doors, by these people."""
        answers = []
        for name, path in doors:
            answers.append(await get(self.app, path, name))
            await self._told()
        return answers

    async def close(self) -> None:
        for line in self._lines.values():
            await line.close()
        await asyncio.to_thread(self.floor.writer.close)
        self._store.close()

    @property
    def round(self) -> Round:
        return self.floor.house.tables["T"].round


class _Line:
    """One live connection, spoken to in the server's own protocol."""

    def __init__(self, app: Litestar, name: str) -> None:
        self._inbox: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self._sent: list[bytes] = []
        self._is_free = False
        self.answers = self.count = 0
        self.takes_again: Callable[[], None] | None = None
        headers = [(b"authorization", f"Bearer {OPENED}.{name}".encode())] if name else []
        scope = {
            "type": "websocket", "path": "/api/live", "raw_path": b"/api/live", "query_string": b"", "headers": headers,
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2), "subprotocols": [], "scheme": "ws", "root_path": "",
            "asgi": {"version": "3.0", "spec_version": "2.4"}, "state": {LINE: self}, "extensions": {},
        }  # fmt: skip
        self._task = asyncio.create_task(app(scope, self._inbox.get, self._send))  # type: ignore[arg-type]  # plain ASGI

    async def _send(self, message: Mapping[str, object]) -> None:
        assert message["type"] != "websocket.send", "every message goes straight to the line"

    def send_message(self, message: bytes) -> bool:
        self._sent.append(message)
        self.count += 1
        self.answers += message.startswith(b'{"type":"answer"')
        return True

    def listen(self, heard: Callable[[str], None], over: asyncio.Future[None]) -> None:
        self._heard, self._over = heard, over
        self.go_on()

    def go_on(self) -> None:
        self._is_free = True
        while self._is_free and not self._inbox.empty():
            self._is_free = False
            message = self._inbox.get_nowait()
            if message["type"] == "websocket.receive":
                self._heard(str(message["text"]))
            else:
                self._over.set_result(None)

    def _come(self, message: dict[str, object]) -> None:
        self._inbox.put_nowait(message)
        if self._is_free:
            self.go_on()

    async def wait(self) -> None:
        """Let the server work; a connection that it has ended brings nothing more."""
        if self._task.done():
            await self._task
            raise AssertionError("The server has closed a connection of this world.")
        await asyncio.sleep(0)

    def send(self, message: object) -> None:
        self._come({"type": "websocket.receive", "text": msgspec.json.encode(message).decode()})

    def taken(self) -> list[bytes]:
        # Whether an answer overtakes the news of what it did is a race of threads, and says nothing of cards.
        sent, self._sent = sorted(self._sent), []
        return sent

    async def close(self) -> None:
        self._come({"type": "websocket.disconnect", "code": 1000})
        await self._task


async def get(app: Litestar, path: str, name: str) -> bytes:
    """Everything that one request is answered with: status, headers, body."""
    sent: list[bytes] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Mapping[str, object]) -> None:
        if message["type"] == "http.response.start":
            headers = message["headers"]
            assert isinstance(headers, list | tuple)
            sent.append(str((message["status"], sorted(headers))).encode())
        else:
            body = message.get("body", b"")
            assert isinstance(body, bytes)
            sent.append(body)

    headers = [(b"authorization", f"Bearer {OPENED}.{name}".encode())] if name else []
    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": headers, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2), "scheme": "http",
        "http_version": "1.1", "root_path": "", "asgi": {"version": "3.0", "spec_version": "2.4"}, "state": {},
        "extensions": {},
    }  # fmt: skip
    await app(scope, receive, send)  # type: ignore[arg-type]  # plain ASGI
    return b"\n".join(sent)


# ---------------------------------------------------------------- what people do, without looking at a card


def next_steps(world: World, random: Random, number: int) -> Iterator[Step]:  # noqa: C901  one case a stage
    """Something that can happen now, lawful or not; chosen from what is public."""
    state, table = world.round, world.floor.house.tables["T"]

    def step(who: str, do: str, **fields: object) -> Step:
        return who, {"id": f"c{number}-{do}-{who}-{len(str(fields))}", "command": {"do": do, **fields}}

    if random.random() < 0.06:
        yield step(random.choice(EVERYBODY[:-1]), random.choice(("deal", "prove", "decide")), box=random.randint(0, 9))
    if state.awaiting:
        waits = state.awaiting[0]
        if waits.role is None:
            yield step("dealer", "choose", box=waits.boxes[0], option=random.choice(waits.options))
        else:
            boxes = {"boxes": list(waits.report.boxes)} if waits.report.boxes else {}
            yield step("shift_manager", "rule", decision=random.choice(waits.decisions), text="So be it.", **boxes)
        return
    match state.stage:
        case Stage.BETTING:
            free = [box.number for box in state.boxes if not box.stakes][: random.randint(1, 3)]
            for box in free:
                who = random.choice(PLAYERS)
                yield step(who, "bet", box=box, bet="ante", amount="25.00")
                for bet in table.terms.book.bets:
                    if bet.kind is BetKind.SIDE and random.random() < 0.5:
                        yield step(who, "bet", box=box, bet=bet.name, amount="25.00")
                    if bet.kind is BetKind.JACKPOT and table.terms.jackpot_bet is not None and random.random() < 0.6:
                        amount = f"{table.terms.jackpot_bet // 100}.{table.terms.jackpot_bet % 100:02}"
                        yield step(who, "bet", box=box, bet=bet.name, amount=amount)
            yield step("dealer", "close_bets")
        case Stage.PLAYING:
            if random.random() < 0.12:
                incident = random.choice(INCIDENTS)
                facts: dict[str, object] = {"incident": incident, "count": random.randint(1, 3), "text": "Seen."}
                if random.random() < 0.5 and state.hands:
                    facts["boxes"] = [random.choice(state.hands)]
                yield step("dealer", "report", **facts)
                return
            due = decision_due(table.terms, state)
            if due is None:
                yield step("dealer", "deal")
                return
            box = random.choice(due[1])
            who = state.box(box).seated or "ana"
            if who not in state.box(box).seen_by and random.random() < 0.6:
                yield step(who, "examine", box=box)
            else:
                yield step(who, "decide", box=box, choice=random.choice((due[0].bet, due[0].bet, due[0].otherwise)))
        case _:
            yield step("dealer", "open")


# ---------------------------------------------------------------- a pair


class Played:
    """One world's round up to the cut."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.sent: list[dict[str, list[bytes]]] = []
        self.sweep: list[bytes] = []
        self.turned: dict[int, set[int]] = defaultdict(set)
        """The cards that lie face up, by deal."""
        self.looked: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        """The cards that each has looked at, by deal."""
        self.logs: list[str] = []
        self.stage = Stage.IDLE
        self.deals = 0


async def first_world(app: Litestar, game: str, random: Random, decks: Deals, doors: Doorways) -> Played:
    """Play at random, until a moment chosen beforehand or the end of the round."""
    played, cut = Played(), random.randint(1, 40)
    world = World(app, game, decks)
    with logs(played.logs):
        await world.connect()
        played.sent.append(world.taken())
        ended = False
        while len(played.steps) < cut and not ended:
            for step in next_steps(world, random, len(played.steps)):
                await world.step(step)
                played.steps.append(step)
                played.sent.append(world.taken())
                if len(played.steps) >= cut:
                    break
            ended = world.round.stage in (Stage.SETTLED, Stage.VOID)
        played.sweep = await world.sweep(doors)
    note_cards(world, played)
    played.deals = world.round.deals
    played.stage = world.round.stage
    await world.close()
    return played


async def second_world(app: Litestar, game: str, decks: Deals, doors: Doorways, steps: Sequence[Step]) -> Played:
    """The same steps over other cards."""
    played = Played()
    world = World(app, game, decks)
    with logs(played.logs):
        await world.connect()
        played.sent.append(world.taken())
        for step in steps:
            await world.step(step)
            played.sent.append(world.taken())
        played.sweep = await world.sweep(doors)
    played.stage = world.round.stage
    await world.close()
    return played


def note_cards(world: World, played: Played) -> None:
    """Which cards of which deck lie face up, or were looked at, by the record."""
    dealt: list[str] = []
    deal = community = 0
    for record in world.floor.house.store.read("table/T"):
        event = msgspec.json.decode(record.data)
        match event["type"]:
            case "CardsRedealt":
                deal, dealt, community = deal + 1, [], 0
            case "CardsDealt":
                dealt += event["to"]
            case "CardsTurned":
                for place, cards in event["cards"].items():
                    ordinals = [index for index, to in enumerate(dealt) if to == place]
                    first = community if place == "community" else 0
                    played.turned[deal].update(ordinals[first : first + len(cards)])
                    community += len(cards) if place == "community" else 0
            case "HandExamined":
                ordinals = [index for index, to in enumerate(dealt) if to == str(event["box"])]
                played.looked[event["player"]][deal].update(ordinals)


def other_decks(decks: Deals, played: Played, shared: Sequence[str], random: Random) -> Deals:
    """The same cards where they lie face up or were looked at by those who are compared; all others reshuffled."""
    found = []
    for deal, deck in enumerate(decks):
        kept = set(played.turned[deal]).union(*(played.looked[name][deal] for name in shared))
        hidden = [index for index in range(len(deck)) if index not in kept]
        cards = [deck[index] for index in hidden]
        random.shuffle(cards)
        other = list(deck)
        for index, card in zip(hidden, cards, strict=True):
            other[index] = card
        found.append(tuple(other))
    return found


async def pair(app: Litestar, game: str, seed: int, seen: Counter[str]) -> list[str]:
    """The differences of one pair: none; `seen` counts what the pairs were about."""
    random = Random(seed)
    decks: Deals = [tuple(random.sample(DECK, len(DECK))) for _ in range(6)]
    every = [(name, path) for name in EVERYBODY for path in DOORS]
    doors = every if seed % EVERY_DOOR_ONCE_IN == 0 else random.sample(every, 12)
    with ideal_commitments(decks):
        first = await first_world(app, game, random, decks, doors)
    shared = [name for name in PLAYERS if random.random() < 0.5]
    others = other_decks(decks, first, shared, random)
    with ideal_commitments(others):
        second = await second_world(app, game, others, doors, first.steps)
    compared = [name for name in EVERYBODY if name not in PLAYERS or name in shared or not first.looked[name]]
    seen.update((game, first.stage.value))
    seen["looked"] += any(cards for deals in first.looked.values() for cards in deals.values())
    seen["redealt"] += first.deals > 0
    seen["steps"] += len(first.steps)
    seen["bytes"] += sum(len(m) for sent in first.sent for name in compared for m in sent[name])
    found = []
    mask, other_mask = Mask(decks), Mask(others)
    for name in compared:
        for index, (one, two) in enumerate(zip(first.sent, second.sent, strict=True)):
            if list(map(mask, one[name])) != list(map(other_mask, two[name])):
                found.append(f"{game} seed {seed}: {name or 'street'} at step {index} of {len(first.steps)}")
    over = first.stage in (Stage.SETTLED, Stage.VOID)
    for (name, path), answer, other in zip(doors, first.sweep, second.sweep, strict=True):
        audits = name in AUDITORS
        if over and path.endswith("/audit"):
            same = True  # hashes over a deck that was opened are those of another deck
        elif over and path.endswith("/record"):
            seen["copies"] += not audits and answer.startswith(b"(200")
            # Hashes differ, since they cover the commitment; what they cover is salted. The rest of a copy is the same.
            same = audits or HASHES.sub(b"*", answer) == HASHES.sub(b"*", other)
        elif path == "/metrics":
            same = TIMED.sub(b"", answer) == TIMED.sub(b"", other)
        elif over and not audits and "/rounds/" in path:
            same = HASHES.sub(b"*", answer) == HASHES.sub(b"*", other)
        else:
            same = mask(answer) == other_mask(other)
        if name in compared and not same:
            where = apart(mask(answer), other_mask(other))
            found.append(f"{game} seed {seed}: {name or 'street'} at {path}: {where}")
        if not audits and any(secret in answer for secret in (SEED, *unseen_salts(first, name))):
            found.append(f"{game} seed {seed}: {name or 'street'} gets the salt of an unseen card at {path}")
    if first.logs != second.logs:
        found.append(f"{game} seed {seed}: the logs")
    return found


def apart(one: bytes, two: bytes) -> str:
    """Both texts around the first byte in which they differ."""
    at = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    around = slice(max(at - 60, 0), at + 60)
    return f"{one[around]!r} against {two[around]!r}"


def unseen_salts(played: Played, name: str) -> list[bytes]:
    """The salts of the cards that this person has not seen in any deal: one of them would open its card."""
    seen = set().union(*played.turned.values(), *played.looked[name].values())
    return [card_salt(SEED.decode(), position).encode() for position in range(len(DECK)) if position not in seen]


class Mask:
    """Without a deck that was opened; commitments and hashes are compared as they are."""

    def __init__(self, decks: Deals) -> None:
        self._hidden: list[tuple[bytes, bytes]] = []
        for deck in decks:
            cards = " ".join(deck)
            self._hidden.append((cards.encode(), b"-" * len(cards)))

    def __call__(self, sent: bytes) -> bytes:
        for hidden, shown in self._hidden:
            sent = sent.replace(hidden, shown)
        return sent


@contextmanager
def logs(kept: list[str]) -> Iterator[None]:
    """Whatever our code logs meanwhile."""

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            kept.append(f"{record.levelname} {record.name} {record.getMessage()}")

    handler, root = Keep(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


async def pairs(
    count: int, seed: int, *, sought: str | None = None, say: bool = False
) -> tuple[Counter[str], list[str]]:
    """So many pairs over all games: what they were about, and every difference; none after one with the sought text."""
    floor = Floor(SqliteStore("sqlite:///memory", connection=sqlite3.connect(":memory:", isolation_level=None)))
    app = make_app(floor, Settings())
    floor.writer.close()
    done: Counter[str] = Counter()
    found: list[str] = []
    started = time.monotonic()
    for index in range(count):
        game = GAMES[index % len(GAMES)]
        found += await pair(app, game, seed + index, done)
        if sought is not None and any(sought in line for line in found):
            break
        if say and index % 100 == 99:
            left = (time.monotonic() - started) / (index + 1) * (count - index - 1)
            sys.stderr.write(f"\r{index + 1:,} of {count:,} pairs, {len(found)} differences, {left:.0f} s left ")
    IDLE.append(app)
    return done, found


def main() -> int:
    parser = argparse.ArgumentParser(description="Pairs of rounds that differ in hidden cards only.")
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    done, found = asyncio.run(pairs(asked.pairs, asked.seed, say=True))
    sys.stdout.write(f"\n{dict(done)}\n{len(found)} differences\n" + "".join(f"  {what}\n" for what in found[:50]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
