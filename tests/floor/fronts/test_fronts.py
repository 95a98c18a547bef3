"""Fronts: a copy of the committed state in another process, commands forwarded, answers only after their commit."""

from __future__ import annotations

import socket
import stat
import threading
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.floor.duties.permissions import Post
from croupier.floor.fronts.front import HouseGone
from croupier.floor.fronts.protocol import FROM_HOUSE, News, PeopleNews, framed
from croupier.floor.fronts.state_news import StateNews
from croupier.floor.people.directory import enrolment
from croupier.floor.people.people import People, token_hash
from croupier.floor.records.commands import (
    AtTable,
    BuyIn,
    ChangeTerms,
    CloseSession,
    CloseTable,
    EnrolPerson,
    ErasePerson,
    HouseCommand,
    OpenTable,
    RemovePerson,
    SetLimits,
)
from croupier.floor.server.errors import GONE_MESSAGE
from croupier.floor.server.live_connection import SIGNED_OUT
from croupier.floor.server.process.serve import used_sessions
from croupier.floor.server.process.supervisor import Supervisor
from croupier.floor.server.relay import is_served_here
from croupier.floor.server.settings import BadSettings, Settings
from croupier.floor.views.account_views import account_view
from croupier.floor.views.award_views import link_view
from croupier.floor.views.table_views import live_view
from croupier.floor.views.terms_views import lobby, terms_view
from croupier.journal.store import Batch
from croupier.money import money
from croupier.rounds.commands import CloseBets, DecideHand, ExamineHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.state import Stage
from croupier.testing.crowd import Crowd, seeded
from tests.floor.house_builder import NOTHING, ROYAL, ChosenDecks, bets, deck, eventually
from tests.floor.serving import Served, quiet
from tests.patience import PATIENCE

PLAYER = Post.PLAYER.value


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, settings=Settings(requests_per_second=10_000), fronts=True) as served:
        yield served


def at_table(command: RoundCommand, table: str = "T1") -> AtTable:
    return AtTable(table=table, command=command)


def bet(box: int, amount: str = "100.00", player: str = PLAYER) -> AtTable:
    return at_table(PlaceBet(player=player, box=box, bet="ante", amount=money(amount)))


def same_views(served: Served) -> bool:
    """Whether everybody sees the same at the front as the house would show them."""
    house, copy = served.floor.house, served.front.house
    people = [None, *house.shown_people.persons.values()]
    return (
        lobby(house, demo=False) == lobby(copy, demo=False)
        and all(
            live_view(house, table, person) == live_view(copy, copy.shown[name], person)
            and terms_view(table) == terms_view(copy.shown[name])
            for name, table in house.shown.items()
            for person in people
        )
        and all(
            link_view(house, name, who) == link_view(copy, name, who) for name in house.shown_links for who in people
        )
        and all(account_view(house, who) == account_view(copy, who) for who in people if who is not None)
        and dict(house.directory.names).keys() == dict(copy.directory.names).keys()
    )


def test_a_command_is_forwarded_and_answered_after_its_news(served: Served) -> None:
    """Over HTTP and over a live connection; a follower has the state before the sender has the answer."""
    assert served.step(Post.DEALER, "open")["accepted"]
    with served.live(Post.PLAYER) as live:
        live.send({"type": "watch_table", "table": "T1"})
        assert live.receive()["stage"] == "betting"
        step = {"do": "bet", "box": 1, "bet": "ante", "amount": "100.00"}
        live.send({"type": "command", "id": "one", "table": "T1", "command": step})
        heard = [live.receive()]
        while heard[-1]["type"] != "answer":
            heard.append(live.receive())
        assert heard[-1]["accepted"]
        assert [told["type"] for told in heard[:-1]] == ["table", "account"]
    (stake,) = served.floor.house.shown["T1"].round.box(1).stakes
    assert (stake.player, stake.amount) == (PLAYER, money("100.00"))
    with served.http(Post.PLAYER) as client:
        assert client.get("/api/tables/T1").json()["boxes"][0]["stakes"][0]["amount"] == "100.00"
        assert client.get("/api/tables/T1/rounds").json()[0]["round"] == 1


def test_a_repeated_id_gets_its_answer_also_after_the_house_was_away(served: Served) -> None:
    """The bet lies there once, whichever connection asks and whatever has broken in between."""
    assert served.step(Post.DEALER, "open")["accepted"]
    message = {
        "type": "command", "id": "twice", "table": "T1",
        "command": {"do": "bet", "box": 1, "bet": "ante", "amount": "100.00"},
    }  # fmt: skip
    with served.live(Post.PLAYER) as live:
        first = live.ask(message)
        assert first["accepted"]
        served.break_line()
        while (again := live.ask(message)).get("code") == "away":
            assert again["message"] == GONE_MESSAGE
    with served.live(Post.PLAYER) as live:
        assert live.ask(message) == again == first
    assert len(served.floor.house.shown["T1"].round.box(1).stakes) == 1


def test_without_its_house_a_front_says_so_and_resumes(served: Served) -> None:
    """503 with one sentence for what only the house can do; pages and searches go on; then everything goes on."""
    with served.http(Post.DEALER) as client, served.live(Post.DEALER) as live:
        live.send({"type": "watch_table", "table": "T1"})
        assert live.receive()["stage"] == "idle"
        served.close_door()
        refused = client.post("/api/tables/T1/commands", json={"do": "open", "id": "gone"})
        assert (refused.status_code, refused.json()["message"]) == (503, GONE_MESSAGE)
        assert refused.headers["retry-after"] == "1"
        assert client.get("/ready").json() == {"status": "away", "problem": "the house is being started again"}
        assert client.get("/ready").status_code == 503
        assert client.get("/health").status_code == 200
        assert client.get("/api/tables/T1/rounds").json() == []
        step = {"type": "command", "id": "live-gone", "table": "T1", "command": {"do": "open"}}
        assert live.ask(step)["message"] == GONE_MESSAGE
        # What the house does meanwhile is told when it is back.
        assert served.ask(at_table(OpenRound())).accepted
        served.open_door()
        while (told := live.receive())["type"] != "patch":
            pass
        assert told["stage"] == "betting"
        assert client.get("/ready").status_code == 200
        assert not live.ask(step)["accepted"]


def test_nothing_uncommitted_is_shown(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the disk has not taken a round, no front shows it, and nobody has an answer."""
    written, may_write = served.floor.house.store.write, threading.Event()

    def slow(batch: Batch) -> None:
        assert may_write.wait(PATIENCE)
        written(batch)

    with served.live(Post.DEALER) as live:
        live.send({"type": "watch_table", "table": "T1"})
        assert live.receive()["stage"] == "idle"
        monkeypatch.setattr(served.floor.house.store, "write", slow)
        live.send({"type": "command", "id": "slow", "table": "T1", "command": {"do": "open"}})
        assert eventually(lambda: served.floor.house.tables["T1"].round.number == 1)
        with pytest.raises(TimeoutError):
            live.receive(0.2)
        assert served.front.house.shown["T1"].round.number == 0
        may_write.set()
        assert live.receive()["stage"] == "betting"
        assert live.receive()["accepted"]


def test_everything_that_changes_reaches_the_copy(served: Served) -> None:
    """Rounds, a new table, terms, closings, chips, people and their sessions: every view is that of the house."""
    commands: Sequence[HouseCommand] = (
        at_table(OpenRound()),
        bet(1),
        bet(2, "50.00"),
        at_table(CloseBets()),
        at_table(ExamineHand(player=PLAYER, box=1)),
        at_table(DecideHand(box=1, choice="flop")),
        OpenTable(table="T2", config=quiet("mbs-megalink-holdem")),
        ChangeTerms(table="T1", limits={"ante": (money("20.00"), money("700.00"))}, by="manager"),
        EnrolPerson(name="newcomer", post=Post.PLAYER, secret="x"),
        BuyIn(player="newcomer", amount=money("55.00")),
        SetLimits(person=PLAYER, loss=money("400.00"), minutes=90, check=30),
        CloseTable(table="T2", by="manager"),
    )
    for command in commands:
        answer = served.ask(command)
        assert answer.accepted, answer.message
        assert eventually(lambda: same_views(served))
    assert served.front.house.shown["T1"].changes
    assert served.front.house.shown["T2"].closed
    assert served.front.house.shown["T1"].seq == served.floor.house.shown["T1"].seq


def test_an_award_and_a_crowd_look_the_same_at_a_front(tmp_path: Path) -> None:
    """A Royal Flush whose award waits for signatures, then random people: after each command every view is the same."""
    tables = {"T1": quiet(), "T2": quiet("rws-multilink-three-card")}
    orders = ChosenDecks(chain([deck(ROYAL)], repeat(deck(NOTHING))))
    with Served(tmp_path, tables, chance=orders.chance, fronts=True) as served:
        table = served.floor.house.tables["T1"]
        playing = [*bets(PLAYER, ante="25.00"), *(DecideHand(box=1, choice=c) for c in ("flop", "turn", "river"))]
        for command in playing:
            assert served.ask(at_table(command)).accepted
            assert eventually(lambda: same_views(served))
        (case,) = served.front.house.shown_links["main"].open_cases
        assert (case.table, case.claim.player) == ("T1", PLAYER)
        assert table.round.stage is Stage.SETTLED
        random = seeded(11)
        crowd = Crowd(random, people=3)
        for name in crowd.people:
            served.ask(BuyIn(player=name, amount=money("50000.00")))
        for _ in range(30):
            shown = served.floor.house.shown[random.choice(list(tables))]
            served.ask(crowd.at_table(shown.name, shown.terms, shown.round))
        assert eventually(lambda: same_views(served))


def test_each_part_of_the_people_is_sent_or_stays_in_the_house() -> None:
    """A new part must be put on one side: what a view or a session needs at a front has to be in its news."""
    sent = set(PeopleNews.__struct_fields__) - {"names"}
    of_the_house_alone = {"proposals", "declined", "duties", "paired", "erased", "demonstration"}
    of_the_house_alone |= {"academy", "disputes", "paid_out"}
    assert sent | of_the_house_alone == set(People.__struct_fields__)


def test_limits_set_over_http_are_shown_on_live_connections(served: Served) -> None:
    """The house answers the request; the front shows the player's account anew."""
    with served.live(Post.PLAYER) as live, served.http(Post.PLAYER) as client:
        live.ask({"type": "ping", "id": "1"})
        assert client.post("/api/play/limits", json={"loss": "400.00", "minutes": 90, "check": 30}).status_code == 200
        while (told := live.receive())["type"] != "account":
            pass
        assert told["limits"]


def test_no_secret_leaves_the_house(served: Served) -> None:
    """No password hash, second factor, CSRF secret, salt of a name, origin or deck is in what fronts are told."""
    person, named = enrolment("Wei Ling", Post.DEALER, "scrypt-of-a-password", "admin")
    assert served.run(served.floor.ask(person, personal=named)).accepted
    served.ask(at_table(OpenRound()))
    served.ask(bet(1))
    served.ask(at_table(CloseBets()))

    async def told() -> bytes:
        return framed(StateNews(served.floor).whole())

    frame = served.run(told())
    house = served.floor.house
    news = FROM_HOUSE.decode(frame[4:])
    assert isinstance(news, News)
    for session in house.shown_people.sessions.values():
        assert session.csrf.encode() not in frame
    for hidden in (b"scrypt-of-a-password", named.salt):
        assert hidden not in frame
    (table,) = news.tables
    assert table.round == house.shown["T1"].round
    assert not any(box.cards for box in table.round.boxes)
    assert served.front.house.shown["T1"].decks == {}
    assert house.tables["T1"].decks, "the house itself has the deck"


def test_a_name_is_known_at_the_front_until_it_is_erased(served: Served) -> None:
    """Enrolled, removed, erased: the front finds the person by name as long as the house does."""
    person, named = enrolment("Wei Ling", Post.PLAYER, "", "admin")
    copy = served.front.house
    assert served.run(served.floor.ask(person, personal=named)).accepted
    assert eventually(lambda: copy.directory.id_of("wei ling") == person.name)
    assert copy.shown_people.persons.keys() == served.floor.house.shown_people.persons.keys()
    assert served.ask(RemovePerson(name=person.name, by="admin")).accepted
    assert eventually(lambda: person.name not in copy.shown_people.persons)
    assert served.ask(ErasePerson(name=person.name, by="admin")).accepted
    assert eventually(lambda: person.name not in copy.directory.names)
    assert copy.directory.id_of("wei ling") is None


def test_a_revoked_session_ends_at_the_front_too(served: Served) -> None:
    """The house ends it; the live connection at the front closes, and the token opens nothing there any more."""
    token = served.tokens[Post.PLAYER]
    with served.live(Post.PLAYER) as live:
        assert live.ask({"type": "ping", "id": "1"})["type"] == "pong"
        assert served.ask(CloseSession(token_hash=token_hash(token), by="")).accepted
        with pytest.raises(ConnectionClosed) as closed:
            live.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == SIGNED_OUT
    with served.http(Post.PLAYER) as client:
        assert client.get("/api/tables/T1/rounds").status_code == 401


def test_use_at_a_front_keeps_a_session_open(served: Served) -> None:
    """The house looks after unused sessions, and hears of those that are used on live connections."""
    noted: list[str] = []
    served.door._used = noted.append
    with served.live(Post.DEALER) as live:
        live.ask({"type": "ping", "id": "1"})
    assert eventually(lambda: noted == [token_hash(served.tokens[Post.DEALER])])
    sessions = served.sessions
    used_sessions(served.floor, sessions)(noted[0])
    assert noted[0] in sessions.idle.known


def test_the_house_counts_the_connections_of_its_fronts(served: Served) -> None:
    """The figure for operators is of the whole house."""
    with served.live(Post.DEALER), served.live(Post.PLAYER), served.http() as client:
        assert eventually(lambda: "croupier_watchers 2.0" in client.get("/metrics").text)


def test_a_command_in_flight_is_done_although_its_front_is_gone(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A front that dies takes nothing with it: the same id gets the answer that was given."""
    written, begun, may_write = served.floor.house.store.write, threading.Event(), threading.Event()

    def slow(batch: Batch) -> None:
        begun.set()
        assert may_write.wait(PATIENCE)
        written(batch)

    monkeypatch.setattr(served.floor.house.store, "write", slow)
    message = {"type": "command", "id": "lost", "table": "T1", "command": {"do": "open"}}
    with served.live(Post.DEALER) as live:
        live.send(message)
        assert begun.wait(PATIENCE)
        served.break_line()
        told = live.receive()
        assert (told["code"], told["message"]) == ("away", GONE_MESSAGE)
        may_write.set()
        while (again := live.ask(message)).get("code") == "away":
            pass
    assert again["accepted"]
    assert served.floor.house.shown["T1"].round.number == 1
    assert [record.type for record in served.records("table/T1")].count("RoundOpened") == 1


def test_what_a_front_reads_by_itself() -> None:
    """Pages, its health and searches; what changes something, and what needs the house's memory, goes to the house."""
    here = ("/", "/assets/app.js", "/health", "/api/rounds", "/api/tables/T1/rounds", "/api/tables/T1/rounds/7")
    there = ("/ready", "/metrics", "/api/tables/T1", "/api/tables/T1/rounds/7/record", "/api/login", "/api/schema")
    assert all(is_served_here("GET", path) for path in here)
    assert not any(is_served_here("GET", path) for path in there)
    assert not any(is_served_here("POST", path) for path in (*here, *there))


def test_asking_without_a_house_is_refused_at_once(served: Served) -> None:
    """A front does not hold commands back for a house that may never come."""
    served.close_door()
    with pytest.raises(HouseGone):
        served.run(served.front.ask(at_table(OpenRound())))


def test_the_socket_of_a_house_is_its_users_alone(tmp_path: Path) -> None:
    """No other account of the machine can connect to it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    supervisor = Supervisor(Settings(database=f"sqlite:///{tmp_path / 'x.db'}", port=port, fronts=1), no_house)
    try:
        assert stat.S_IMODE(supervisor.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(supervisor.path.parent.stat().st_mode) == 0o700
    finally:
        supervisor.close()
    assert not supervisor.path.parent.exists()


def test_a_house_on_postgresql_takes_servers_instead_of_fronts() -> None:
    """Several servers share it already: there is one way, and the message names it."""
    with pytest.raises(BadSettings, match="several servers instead"):
        Supervisor(Settings(database="postgresql://nobody@nowhere/none", fronts=1), no_house)


def no_house(_: object, __: bool) -> int:
    raise AssertionError("no house is started")
