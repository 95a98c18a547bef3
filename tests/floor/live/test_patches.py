"""A view and all its patches are the view: for every audience, over random play, slow lines and breaks."""

from __future__ import annotations

import asyncio
import sqlite3
from random import Random

import msgspec
import pytest

from croupier.client import State, _patched
from croupier.floor.duties.permissions import Post
from croupier.floor.live.floor import Floor
from croupier.floor.live.follower_groups import audience_key
from croupier.floor.live.watcher import Watcher
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Request
from croupier.floor.views.live_messages import TableMessage
from croupier.floor.views.table_patches import TablePatch
from croupier.floor.views.table_views import live_view
from croupier.journal.sqlite import SqliteStore
from croupier.money import show
from croupier.testing.crowd import Crowd, opening, rich_chance, seeded
from tests.floor.serving import HeldLine

TABLES = ("T2", "T4")
"""Staffed ones, where people sign for awards."""
STAFF = ("ines", "jon", "kim")
"""They sign for awards, and so become audiences of their own."""
PEOPLE = (
    None,
    *(Person(f"p{number}", Post.PLAYER, "") for number in range(9)),
    *(Person(post.value, post, "") for post in Post if post is not Post.PLAYER),
    *(Person(name, Post.PIT_SUPERVISOR, "") for name in STAFF),
    Person("dan", Post.DEALER, "", tables=("T2",)),
)
WIDE = 10**9


class Follower:
    """A client that follows every table over one line, and may be slow."""

    def __init__(self, floor: Floor, person: Person | None) -> None:
        self._floor, self.person = floor, person
        self.views: dict[str, State] = {}
        self.balance = ""
        self.patches = self.wholes = 0
        self.connect()

    def connect(self) -> None:
        self.line = HeldLine(WIDE)
        self.watcher = Watcher(self.person, self.line)
        self._floor.broadcast.join(self.watcher)
        for table in TABLES:
            self.watch(table)

    def watch(self, table: str) -> None:
        self._floor.broadcast.follow(self.watcher, f"table/{table}")

    def reconnect(self) -> None:
        self.hear()
        self._floor.broadcast.leave(self.watcher)
        self.connect()

    def hear(self) -> None:
        """Put together what has come; every patch must follow the view before it."""
        for message in self.line.sent:
            told = msgspec.json.decode(message, type=State)
            if told["type"] == "account":
                self.balance = str(told["balance"])
            elif told["type"] == "table":
                self.wholes += 1
                self.views[str(told["table"])] = told
            elif told["type"] == "patch":
                self.patches += 1
                before = self.views[str(told["table"])]
                assert told["after"] == before["version"]
                self.views[str(told["table"])] = _patched(before, told)
        self.line.sent.clear()

    def expected(self, table: str) -> State:
        house = self._floor.house
        whole = msgspec.json.encode(live_view(house, house.shown[table], self.person))
        return plain(msgspec.json.decode(whole, type=State))


def plain(view: State) -> State:
    """A view without what only messages carry."""
    return {field: value for field, value in view.items() if field not in ("type", "version", "clock", "phase")}


def test_a_view_and_its_patches_are_the_view() -> None:
    """Also where a follower was slow, has watched again or has come back after a break."""
    runs = [asyncio.run(played(seeded(seed), 120)) for seed in range(2)]
    assert sum(patches for patches, _, _ in runs) > sum(wholes for _, wholes, _ in runs)
    assert all(told for _, _, told in runs), "players were told their balances"


async def played(random: Random, commands: int) -> tuple[int, int, bool]:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    floor = Floor(SqliteStore("sqlite:///memory", connection=connection), chance=rich_chance(random, 0.9))
    crowd = Crowd(random, 6, trouble=0.06)
    floor.house.process([Request(f"open-{n}", command, 1) for n, command in enumerate(opening(4, 6))])
    followers = [Follower(floor, person) for person in PEOPLE]
    for _ in range(commands):
        name = random.choice(TABLES)
        table, link = floor.house.tables[name], floor.house.links["main"]
        waiting = [case for case in link.open_cases if not case.is_verified]
        if waiting and random.random() < 0.3:
            command = crowd.about_award(waiting[0].table, waiting[0].number)
        elif random.random() < 0.05:
            command = crowd.elsewhere(list(TABLES), linked=True)
        else:
            command = crowd.hopefully(name, table.terms, table.round)
        await floor.ask(command)
        disturb(random.choice(followers), random)
        for follower in random.sample(followers, 5):
            if follower.line.room > WIDE // 2:
                check(follower, name, random.choice(TABLES))
    for follower in followers:
        follower.line.room = WIDE
        follower.watcher.catch_up()
        check(follower, *TABLES)
    await floor.stop()
    players = [one for one in followers if one.person is not None and one.person.post is Post.PLAYER]
    for player in players:
        assert player.person is not None
        balance = show(floor.house.shown_balances.get(f"player/{player.person.name}", 0))
        assert player.balance in ("", balance)
    count = (sum(one.patches for one in followers), sum(one.wholes for one in followers))
    return *count, any(player.balance for player in players)


def disturb(follower: Follower, random: Random) -> None:
    """Let a line get stuck, go on, be watched again or break."""
    match random.randrange(6):
        case 0:
            follower.line.room = random.randrange(3)
        case 1 | 2:
            follower.line.room = WIDE
            follower.watcher.catch_up()
        case 3:
            follower.watch(random.choice(TABLES))
        case 4:
            follower.reconnect()
        case _:
            pass


def check(follower: Follower, *tables: str) -> None:
    follower.hear()
    for table in tables:
        assert plain(follower.views[table]) == follower.expected(table), (follower.person, table)


def test_who_has_signed_for_an_award_is_an_audience_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """They get the whole view once, when they sign and a round after it is over; the others go on with patches."""

    async def play() -> None:
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        floor = Floor(SqliteStore("sqlite:///memory", connection=connection))
        floor.house.process([Request(f"open-{n}", command, 1) for n, command in enumerate(opening(4, 6))])
        ines, jon = (Follower(floor, Person(name, Post.PIT_SUPERVISOR, "")) for name in ("ines", "jon"))
        crowd, random = Crowd(seeded(1), 6), seeded(2)
        signers: frozenset[str] = frozenset()
        monkeypatch.setattr(floor.broadcast, "_signers_on", lambda _: signers)
        for wholes, signers, commands in (  # noqa: B007  read above
            (2, frozenset(), 30), (4, frozenset(("ines",)), 30), (6, frozenset(), 120),
        ):  # fmt: skip
            for _ in range(commands):
                name = random.choice(TABLES)
                table = floor.house.tables[name]
                await floor.ask(crowd.at_table(name, table.terms, table.round))
                check(ines, name)
                check(jon, name)
            assert (ines.wholes, jon.wholes) == (wholes, 2)
        await floor.stop()

    asyncio.run(play())


def test_a_patch_has_the_fields_of_a_view() -> None:
    """A field that a view gets and a patch does not have would never be sent again."""
    of_the_answer_alone, of_the_patch = {"terms"}, {"after"}
    fields = set(TableMessage.__struct_fields__) - of_the_answer_alone
    assert set(TablePatch.__struct_fields__) - of_the_patch == fields


def test_who_may_know_less_is_another_audience() -> None:
    """A display is not sent the names that the cage sees, nor an administrator the signatures that an auditor sees."""
    cage, display = Person("c", Post.CAGE, ""), Person("d", Post.DISPLAY, "")
    assert audience_key(cage) != audience_key(display)
    assert audience_key(display) == audience_key(None)
    assert audience_key(Person("a", Post.AUDITOR, "")) != audience_key(Person("b", Post.ADMINISTRATOR, ""))
    ana, ben = (Person(name, Post.PLAYER, "") for name in ("ana", "ben"))
    assert audience_key(ana) == audience_key(ben), "both only look on"
    assert audience_key(ana, {"ana"}) != audience_key(ben, {"ana"})
    own = [audience_key(Person(name, Post.DISPLAY, "")) for name in ("p-2222222222222222", "p-3333333333333333")]
    assert own[0] != own[1]


def test_a_table_that_nobody_follows_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """No view is built and nothing is encoded."""

    async def play() -> None:
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        floor = Floor(SqliteStore("sqlite:///memory", connection=connection))
        floor.house.process([Request(f"open-{n}", command, 1) for n, command in enumerate(opening(1, 3))])
        monkeypatch.setattr("croupier.floor.live.broadcast.live_view", None)
        monkeypatch.setattr("croupier.floor.live.broadcast.link_view", None)
        monkeypatch.setattr("croupier.floor.live.broadcast.floor_table", None)
        crowd = Crowd(seeded(1), 3)
        for _ in range(20):
            table = floor.house.tables["T1"]
            await floor.ask(crowd.at_table("T1", table.terms, table.round))
        await floor.stop()

    asyncio.run(play())
