"""The durable house: a command acts once, all of it or nothing, and after a stop the floor is where its last answer
left it, rounds in flight included.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.house.memory import state as states
from croupier.floor.house.memory.player_memory import Memory
from croupier.floor.house.memory.snapshots import SNAPSHOT_AFTER
from croupier.floor.house.writer import Writer
from croupier.floor.people.people import People
from croupier.floor.records.codec import encode, table_fact
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    BuyIn,
    CloseSession,
    EnrolPerson,
    OpenLink,
    OpenSession,
    OpenTable,
    Request,
    TableConfig,
)
from croupier.floor.records.committed_decks import Deck
from croupier.floor.records.facts import DeckCommitted, DeckOpened
from croupier.floor.records.refusals import Code
from croupier.jackpots import linked_tables as linked
from croupier.jackpots.link import Link
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.records import Record
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Batch, Head, Store
from croupier.ledger import accounts
from croupier.money import money
from croupier.rounds.commands import CloseBets, DecideHand, ExamineHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.decide import Verdict, decide
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms
from tests.floor.house_builder import at, bets, buy_in, house, open_link, open_table
from tests.floor.played_house import NOW, Play


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = SqliteStore(url)
    yield opened
    opened.close()


class Known(NamedTuple):
    """All that a house knows."""

    rounds: dict[str, Round]
    links: dict[str, Link]
    people: People
    memory: Memory
    heads: dict[str, Head]
    balances: dict[str, int]
    overdrawable: dict[str, bool]


def everything(house: House) -> Known:
    return Known(
        {name: table.round for name, table in house.tables.items()},
        dict(house.links),
        house.people,
        house.memory,
        {name: head for name, head in house.heads.items() if head.seq and name != "answers"},
        dict(house.balances),
        dict(house.overdrawable),
    )


# ---------------------------------------------------------------- a command acts once


def test_the_same_id_again_gives_the_same_answer_and_does_nothing(store: Store) -> None:
    """Accepted or refused, at once, in one batch, and after others have come between."""
    play = Play(store)
    play.play(80)
    before = everything(play.house)
    written = [store.head(stream) for stream in store.streams()]
    for request, answer in play.asked:
        assert play.house.process([request, request]) == [answer, answer]
    assert everything(play.house) == before
    assert [store.head(stream) for stream in store.streams()] == written


def test_the_same_id_in_one_batch_acts_once(store: Store) -> None:
    """Whoever sends twice before the first answer comes is answered twice the same."""
    play = Play(store)
    bought = Request("twice", BuyIn(player="p1", amount=100), NOW)
    before = play.house.balances[accounts.player("p1")]
    first, second = play.house.process([bought, bought])
    assert first == second
    assert play.house.balances[accounts.player("p1")] == before + 100


def test_the_same_id_with_another_body_is_refused(store: Store) -> None:
    """And the first answer stands."""
    play = Play(store)
    one, other = (Request("mine", BuyIn(player="p1", amount=amount), NOW) for amount in (100, 101))
    answer = play.house.process([one])[0]
    refused = play.house.process([other])[0]
    assert (refused.accepted, refused.code) == (False, "id_reused")
    assert play.house.process([one])[0] == answer


def test_ids_are_remembered_over_a_restart(url: str) -> None:
    """A client that lost its answer asks the new server, and nothing happens twice."""
    first = Play(SqliteStore(url))
    first.play(60)
    first.store.close()
    again = Play(SqliteStore(url))
    for request, answer in first.asked:
        assert again.house.process([request]) == [answer]
    assert everything(again.house) == everything(first.house)
    again.store.close()


# ---------------------------------------------------------------- all of it or nothing


def test_a_refused_command_leaves_nothing_but_its_answer(store: Store) -> None:
    """Whatever a command had begun when it was refused is dropped: events, entries, decks, chips."""
    play = Play(store, seed=9)
    play.crowd.trouble = 0.5
    refused = 0
    for _ in range(250):
        before = everything(play.house)
        if not play.do(play.some())[0].accepted:
            refused += 1
            assert everything(play.house) == before
    assert refused > 40


def test_a_fault_of_ours_stops_one_command_and_no_other(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others of its batch are done; the one is answered as a fault, and may be asked again under another id."""
    play = Play(store)

    def broken(terms: Terms, state: Round, command: RoundCommand) -> Verdict:
        if isinstance(command, OpenRound):
            raise ZeroDivisionError("on purpose")
        return decide(terms, state, command)

    monkeypatch.setattr(linked, "decide", broken)
    opened = AtTable(table="T1", command=OpenRound())
    answers = play.do(BuyIn(player="p1", amount=100), opened, BuyIn(player="p2", amount=100))
    assert [answer.code for answer in answers] == ["", Code.FAULT, ""]
    assert answers[1].message == "ZeroDivisionError: on purpose"
    monkeypatch.undo()
    assert play.do(opened)[0].accepted


def test_a_balance_is_shown_when_it_is_on_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a commit is under way everybody is shown what the last one left."""
    play = Play(store)
    seen: list[tuple[int, int]] = []
    write = store.write

    def watched(batch: Batch) -> None:
        seen.append((play.house.balances["player/p1"], play.house.shown_balances["player/p1"]))
        write(batch)

    before = play.house.shown_balances["player/p1"]
    monkeypatch.setattr(store, "write", watched)
    play.do(BuyIn(player="p1", amount=100))
    assert seen == [(before + 100, before)]
    assert play.house.shown_balances["player/p1"] == before + 100


# ---------------------------------------------------------------- recovery


def test_after_any_command_a_new_house_is_where_the_old_one_was(url: str) -> None:
    """Stopped and started again after every command of a busy evening: rounds in flight, meters, people, balances."""
    play = Play(SqliteStore(url), seed=11)
    for _ in range(150):
        play.do(play.some())
        reader = SqliteStore(url, read_only=True)
        assert everything(House(reader, play.chance)) == everything(play.house)
        reader.close()
    play.store.close()


def test_a_round_in_flight_goes_on_with_the_same_deck(url: str) -> None:
    """The cards that were sealed before the stop are the ones that are dealt and turned after it."""
    store = SqliteStore(url)
    h = house(store, {"1": "9h 8h", "community": "7h 6h 5h 2c 3d", "dealer": "As Ad"})
    open_link(h)
    open_table(h, "T1")
    buy_in(h, "ana")
    at(h, "T1", *bets("ana"), ExamineHand(player="ana", box=1))
    commitment = h.tables["T1"].commitment
    for choice in ("flop", "turn", "river"):
        store.close()
        store = SqliteStore(url)
        h = house(store)  # this one would shuffle another deck
        assert h.tables["T1"].commitment == commitment
        at(h, "T1", DecideHand(box=1, choice=choice))
    state = h.tables["T1"].round
    assert (state.box(1).cards, state.community) == (("9h", "8h"), ("7h", "6h", "5h", "2c", "3d"))
    assert state.dealer == ("As", "Ad")
    facts = [table_fact(record) for record in store.read("table/T1")]
    committed = [fact.commitment for fact in facts if isinstance(fact, DeckCommitted)]
    opened = [fact for fact in facts if isinstance(fact, DeckOpened)]
    assert committed == [commitment]
    assert len(opened) == 1
    store.close()


@pytest.mark.parametrize("name", ["", ".", "..", " . ", "a/b", "a\n", "x" * 41])
def test_what_nobody_and_nothing_can_be_called(url: str, name: str) -> None:
    """People, tables and links alike: their names stand in streams, accounts and addresses."""
    store = SqliteStore(url)
    play = Play(store)
    sun, link = TableConfig(game="sun-casino-holdem"), Parameters(reset=0, contribution=Rate(0))
    answers = play.do(
        EnrolPerson(name=name, post=Post.DEALER, secret="x"),
        OpenTable(table=name, config=sun),
        OpenLink(link=name, meter=0, parameters=link),
    )
    assert [answer.code for answer in answers] == ["bad_name"] * 3
    store.close()


def test_a_start_reads_only_what_came_after_the_last_snapshots(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often people have logged in, and however much was played."""
    store = SqliteStore(url)
    play = Play(store)
    play.do(EnrolPerson(name="mia", post=Post.DEALER, secret="x"))
    for number in range(1000):
        play.do(OpenSession(person="mia", token_hash=f"{number}", csrf=""), CloseSession(token_hash=f"{number - 3}"))
    play.play(1500)
    left = everything(play.house)
    store.close()
    again = SqliteStore(url)
    reads: dict[str, int] = {}
    read = again.read

    def counted(stream: str, after: int = 0, limit: int | None = None) -> Iterator[Record]:
        for record in read(stream, after, limit):
            reads[stream] = reads.get(stream, 0) + 1
            yield record

    monkeypatch.setattr(again, "read", counted)
    assert everything(House(again, play.chance)) == left
    assert len(left.people.sessions) == 3
    assert again.head("people").seq > 2000
    assert all(count < SNAPSHOT_AFTER for count in reads.values()), reads
    assert audit(again).is_clean
    again.close()


def test_a_damaged_snapshot_is_passed_over(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The records hold everything that it held; the audit will name it."""
    monkeypatch.setattr(states, "SNAPSHOT_AFTER", 20)
    play = Play(SqliteStore(url))
    play.play(120)
    before = everything(play.house)
    store = play.store
    assert isinstance(store, SqliteStore)
    snapshots = store._db.execute("SELECT stream, data FROM snapshots").fetchall()
    assert len(snapshots) > 3
    for stream, data in snapshots:
        damaged = data.replace(b'"', b"'", 1)
        store._db.execute("UPDATE snapshots SET data = ? WHERE stream = ?", (damaged, stream))
    store.close()
    again = SqliteStore(url)
    assert everything(House(again, play.chance)) == before
    again.close()


def test_a_deck_shows_nothing_of_itself_in_a_log(store: Store) -> None:
    """Neither the deck nor the shoe in it."""
    play = Play(store)
    play.do(AtTable(table="T1", command=OpenRound()))
    deck = next(iter(play.house.tables["T1"].decks.values()))
    assert isinstance(deck, Deck)
    assert deck.cards[:2] not in f"{deck!r} {deck.shoe!r}"
    assert deck.salt not in f"{deck!r}"


# ---------------------------------------------------------------- many at once, and for a long time


def test_commands_that_come_together_share_a_commit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one commit is on its way the next commands gather; everybody gets his own answer."""
    play = Play(store)
    commits: list[int] = []
    write = store.write

    def slow(batch: Batch) -> None:
        commits.append(len(batch.answers))
        time.sleep(0.02)
        write(batch)

    monkeypatch.setattr(store, "write", slow)
    writer = Writer(play.house)
    answers: dict[str, Answer] = {}

    def client(number: int) -> None:
        for turn in range(5):
            name = f"{number}-{turn}"
            answers[name] = writer.submit(Request(name, BuyIn(player=f"p{number}", amount=1 + turn), NOW)).result()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    assert len(answers) == sum(commits) == 60
    assert all(answer.accepted for answer in answers.values())
    assert len(commits) < 30
    assert sorted(answer.heads["cashier"] for answer in answers.values()) == list(range(13, 73))


def test_a_table_takes_as_much_room_after_many_rounds_as_after_a_few(store: Store) -> None:
    """State and memory are constant: of the table, of its link, of what the house keeps for them."""
    play = Play(store, seed=21, tables=5)
    play.crowd.trouble = 0.0
    for name in list(play.house.tables):
        play.do(OpenTable(table=f"{name}0", config=TableConfig(game=play.house.tables[name].config.game, link="main")))

    def largest(commands: int) -> tuple[int, int, int]:
        state = link = decks = 0
        for _ in range(commands):
            play.do(play.some() if play.random.random() < 0.99 else BuyIn(player="p1", amount=100))
            tables = play.house.tables.values()
            state = max(state, *(len(msgspec.json.encode(table.round)) for table in tables))
            link = max(link, len(encode(play.house.links["main"])))
            decks = max(decks, *(len(table.decks) for table in tables))
        return state, link, decks

    early = largest(400)
    play.play(2_000)
    late = largest(400)
    assert min(table.round.number for table in play.house.tables.values()) > 12
    assert late[0] <= early[0] * 1.5
    assert late[1] <= early[1] * 1.5 + 25 * 120  # and the last 25 hits
    assert late[2] <= 3


def test_the_house_remembers_a_wager_under_the_minimum_at_every_table(store: Store) -> None:
    """mbs-megalink-holdem 5.13: what the first table settled once, the second gives back, and the audit agrees."""
    floor = house(store, game="mbs-megalink-holdem")
    open_link(floor)
    buy_in(floor, "ana")
    for name in ("T1", "T2"):
        open_table(floor, name, "mbs-megalink-holdem")
        small = PlaceBet(player="ana", box=1, bet="ante", amount=money("5.00"), noticed=False)
        at(floor, name, OpenRound(), small, CloseBets(), DecideHand(box=1, choice="fold"))
    outcomes = [floor.tables[name].round.lines[0].outcome.value for name in ("T1", "T2")]
    assert outcomes == ["lose", "returned"]
    assert audit(store).is_clean


def test_the_house_forgets_a_wager_under_the_minimum_when_the_gaming_day_is_over(store: Store) -> None:
    """mbs-megalink-holdem 5.13, reading under-min-memory b: once a gaming day, at any table, and the audit agrees."""
    floor = house(store, game="mbs-megalink-holdem")
    open_link(floor)
    buy_in(floor, "ana")
    for name in ("T1", "T2"):
        open_table(floor, name, "mbs-megalink-holdem")
    day, number, outcomes = 86_400_000_000, count(1), []
    for name, moment in (("T1", 0), ("T2", 1), ("T2", day), ("T1", day + 1), ("T1", 3 * day)):
        small = PlaceBet(player="ana", box=1, bet="ante", amount=money("5.00"), noticed=False)
        for command in (OpenRound(), small, CloseBets(), DecideHand(box=1, choice="fold")):
            asked = AtTable(table=name, command=command)
            (answer,) = floor.process([Request(f"day-{next(number)}", asked, 1_700_000_000_000_000 + moment)])
            assert answer.accepted
        outcomes.append(floor.tables[name].round.lines[0].outcome.value)
    assert outcomes == ["lose", "returned", "lose", "returned", "lose"]
    assert audit(store).is_clean
