"""Rounds that have been played: found again, shown step by step, exported, and checked by a file that stands alone."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from croupier import verify
from croupier.cli import run
from croupier.floor.duties.permissions import Post
from croupier.floor.live.bots import Bot
from croupier.floor.live.clocks import on_expiry
from croupier.floor.records.commands import AtTable, BuyIn
from croupier.journal.records import GENESIS, Record, chain_hash
from croupier.journal.store import Batch, LedgerRow, Wanted
from croupier.money import money
from croupier.rounds.commands import OpenRound
from croupier.rounds.state import Stage
from croupier.rulebooks.documents.editions import GAMES
from tests.floor.forgeries import first, forged
from tests.floor.serving import Served, quiet
from tests.stores import Place, PostgresPlace, SqlitePlace

ROUNDS = 3
TABLES = {f"T{number}": quiet(game, staffed=False) for number, game in enumerate(GAMES, 1)}


def play(served: Served, table: str, random: Random) -> None:
    """One round of two bots, to its end."""
    bots = [Bot(f"bot-{box}", box, random) for box in (1, 2)]
    served.ask(AtTable(table=table, command=OpenRound()))
    held = served.floor.house.tables[table]
    for _ in range(40):
        for bot in bots:
            for command in list(bot.acts(held, 0)):
                served.ask(AtTable(table=table, command=command))
        if held.round.stage is Stage.BETTING:
            for command in on_expiry(held):
                served.ask(AtTable(table=table, command=command))
        if held.round.stage in (Stage.SETTLED, Stage.VOID):
            return
    raise AssertionError("the round has ended")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("past"), TABLES) as served:
        random = Random(5)
        for box in (1, 2):
            served.ask(BuyIn(player=f"bot-{box}", amount=money("100000.00")))
        for _ in range(ROUNDS):
            for table in TABLES:
                play(served, table, random)
        yield served


def record_of(served: Served, table: str = "T1", number: int = 1) -> verify.Json:
    with served.http(Post.AUDITOR) as client:
        told = client.get(f"/api/tables/{table}/rounds/{number}/record").json()
    assert isinstance(told, dict)
    return told


# ---------------------------------------------------------------- looking back


def test_rounds_come_newest_first_in_pages(served: Served) -> None:
    """Each in one line: when, who, what was staked, won and returned."""
    with served.http(Post.DEALER) as client:
        assert [line["round"] for line in client.get("/api/tables/T1/rounds").json()] == [3, 2, 1]
        page = client.get("/api/tables/T1/rounds", params={"skip": 1, "limit": 1}).json()
        assert [line["round"] for line in page] == [2]
        assert page[0]["players"] == ["bot-1", "bot-2"]


def test_an_auditor_finds_rounds_by_time_player_game_and_bet(served: Served) -> None:
    """Over all tables; nobody else searches for other people."""
    with served.http(Post.AUDITOR) as client:
        every = client.get("/api/rounds", params={"limit": 100}).json()
        assert len(every) == ROUNDS * len(TABLES)
        assert [line["at"] for line in every] == sorted((line["at"] for line in every), reverse=True)
        by_game = client.get("/api/rounds", params={"game": GAMES[1]}).json()
        assert {line["table"] for line in by_game} == {"T2"}
        assert client.get("/api/rounds", params={"player": "nobody"}).json() == []
        assert len(client.get("/api/rounds", params={"player": "bot-1", "limit": 100}).json()) == len(every)
        last = client.get(f"/api/tables/{every[0]['table']}/rounds/{every[0]['round']}").json()["steps"][-1]["at"]
        in_play = client.get("/api/rounds", params={"since": last, "limit": 100}).json()
        assert [line["at"] for line in in_play] == [every[0]["at"]], "a round is found by the time it was in play"
        middle = every[len(every) // 2]["at"]
        before = client.get("/api/rounds", params={"until": middle, "limit": 100}).json()
        after = client.get("/api/rounds", params={"since": middle, "limit": 100}).json()
        whole = [(line["table"], line["round"]) for line in every]
        assert {(line["table"], line["round"]) for line in before + after} == set(whole)
        both = [line["at"] for line in before if line in after]
        assert all(at <= middle for at in both), "a round that began before was still in play then"
        assert len(both) < len(before) < len(every)
        with_bonus = [line for line in every if "bonus" in line["bets"]]
        found = client.get("/api/rounds", params={"bet": "bonus", "limit": 100}).json()
        assert found == with_bonus
        assert client.get("/api/rounds", params={"since": "yesterday"}).status_code == 400
    with served.http(Post.PLAYER) as client:
        assert client.get("/api/tables/T1/rounds", params={"player": "bot-1"}).status_code == 403
        assert client.get("/api/tables/T1/rounds", params={"player": "player"}).json() == []


@pytest.mark.parametrize("table", TABLES)
def test_a_round_is_shown_step_by_step_as_the_asker_could_see_it(served: Served, table: str) -> None:
    """What another player looked at stays hidden until it lies face up; an auditor may take a player's eyes."""
    with served.http(Post.DEALER) as dealer, served.http(Post.AUDITOR) as auditor:
        seen = dealer.get(f"/api/tables/{table}/rounds/2").json()
        assert seen["steps"][0]["event"]["type"] == "RoundOpened"
        assert seen["lines"] == seen["steps"][-1]["view"]["lines"]
        for step in seen["steps"]:
            if step["event"]["type"] == "HandExamined":
                assert "cards" not in step["event"]
                assert set(step["view"]["boxes"][step["event"]["box"] - 1]["cards"]) == {"??"}
        own = auditor.get(f"/api/tables/{table}/rounds/2", params={"as_player": "bot-1"}).json()
        looks = [step for step in own["steps"] if step["event"]["type"] == "HandExamined"]
        for step in looks:
            mine = step["event"]["player"] == "bot-1"
            assert ("cards" in step["event"]) == mine
            assert ("??" not in step["view"]["boxes"][step["event"]["box"] - 1]["cards"]) == mine
        assert looks
        assert dealer.get(f"/api/tables/{table}/rounds/2", params={"as_player": "bot-1"}).status_code == 403


def test_a_round_that_was_not_played_is_not_found(served: Served) -> None:
    with served.http(Post.AUDITOR) as client:
        for number in ("0", "4", "999999999999"):
            for what in ("", "/record"):
                answer = client.get(f"/api/tables/T1/rounds/{number}{what}")
                assert (answer.status_code, answer.json()["code"]) == (404, "unknown_round")


def test_a_round_in_play_shows_no_deck_and_has_no_record(tmp_path: Path) -> None:
    """The commitment is there from the start; the deck only when the round is over."""
    with Served(tmp_path) as served:
        served.step(Post.DEALER, "open")
        with served.http(Post.AUDITOR) as client:
            deck = client.get("/api/tables/T1/rounds/1").json()["decks"][0]
            assert len(deck["commitment"]) == 64
            assert (deck["deck"], deck["salt"]) == (None, None)
            answer = client.get("/api/tables/T1/rounds/1/record")
            assert (answer.status_code, answer.json()["code"]) == (409, "round_in_play")


def test_whoever_comes_back_hears_what_he_missed(served: Served) -> None:
    """From the event after the last one he saw, as he may see it; then the table as it is."""
    with served.live(Post.PLAYER) as live:
        live.send({"type": "watch_table", "table": "T1", "after": 10})
        missed, now = live.receive(), live.receive()
        assert (missed["type"], missed["all"], now["type"]) == ("missed", True, "table")
        events = missed["events"]
        assert isinstance(events, list)
        assert [event["seq"] for event in events] == list(range(11, msgspec.convert(now["seq"], int) + 1))
        assert all("cards" not in event["event"] for event in events if event["event"]["type"] == "HandExamined")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_both_stores_find_rounds_alike(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """By time, by account, in pages."""
    place: Place = SqlitePlace(tmp_path) if kind == "sqlite" else PostgresPlace(request.getfixturevalue("postgres"))
    store = place.open()
    records, entries, before = [], [], GENESIS
    for seq in range(1, 13):
        opens = seq % 3 == 1
        data = msgspec.json.encode({"type": "RoundOpened", "number": seq // 3 + 1} if opens else {"type": "Other"})
        name = "RoundOpened" if opens else "Other"
        before = chain_hash(before, "table/T", seq, name, 1, seq * 10, "c", data)
        records.append(Record("table/T", seq, name, 1, seq * 10, "c", data, before))
    for seq, account in ((2, "player/ana"), (8, "player/ana"), (9, "player/ben")):
        entries.append(LedgerRow("table/T", seq, ((account, -5), ("bank/T", 5))))
    opened = {"player/ana": True, "player/ben": True, "bank/T": True}
    if store.is_shared:
        store.begin(["table/T"], [])
    store.write(Batch(records=records, entries=entries, opened_accounts=opened))

    def found(**wanted: object) -> list[int]:
        return [record.seq for record in store.rounds("table/T", msgspec.convert(wanted, Wanted))]

    assert found() == [10, 7, 4, 1]
    assert found(limit=2, skip=1) == [7, 4]
    assert found(since=40, until=100) == [7, 4]
    assert found(account="player/ana") == [7, 1]
    assert found(account="player/ben") == [7]
    assert found(account="player/nobody") == []
    store.close()


# ---------------------------------------------------------------- the verifier


@pytest.mark.parametrize("table", TABLES)
def test_every_record_holds(served: Served, table: str) -> None:
    """All five games, every round of them."""
    for number in range(1, ROUNDS + 1):
        checks = verify.check(record_of(served, table, number))
        assert checks.problems == []
        assert checks.looked_at["decks"] == 1
        assert checks.looked_at["bets settled"] > 1
        assert checks.looked_at["cards seen"] > 4


def test_the_verifier_runs_alone(served: Served, tmp_path: Path) -> None:
    """With Python and nothing else: no environment, no site packages, in an empty folder."""
    (tmp_path / "verify.py").write_bytes(Path(verify.__file__).read_bytes())
    (tmp_path / "round.json").write_text(json.dumps(record_of(served)))
    command = [sys.executable, "-I", "-S", "verify.py", "round.json"]
    done = subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Everything holds." in done.stdout
    (tmp_path / "round.json").write_text("{}")
    done = subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_the_command_line_runs_it(served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 where it holds, 1 where it does not, 2 where it is none."""
    file = tmp_path / "round.json"
    file.write_text(json.dumps(record_of(served)))
    assert run(["verify", str(file)]) == 0
    assert "Everything holds" in capsys.readouterr().out
    broken = record_of(served)
    broken["records"][3]["at"] += 1
    file.write_text(json.dumps(broken))
    assert run(["verify", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["problems"]
    file.write_text("no json")
    assert run(["verify", str(file)]) == 2
    assert run(["verify", str(tmp_path / "nothing.json")]) == 2


@pytest.mark.parametrize("table", TABLES)
def test_a_forged_deck_fails(served: Served, table: str) -> None:
    """Another order of the cards, or a card twice, although that deck is then the one committed to."""
    record = record_of(served, table)
    deck = record["decks"][0]
    cards = deck["deck"].split(" ")
    deck["deck"] = " ".join((*cards[:-2], cards[-1], cards[-2]))
    assert any("is not the one committed to" in problem for problem in verify.check(record).problems)
    deck["deck"] = " ".join((*cards[:-1], cards[0]))
    anew = verify.commitment_of(deck["deck"].split(" "), deck["salt"])
    recommitted = forged(record, lambda events: first(events, "DeckCommitted").update(commitment=anew))
    assert any("is not 52 different cards" in problem for problem in verify.check(recommitted).problems)


def another_card_turned(events: list[dict[str, object]]) -> None:
    turned = first(events, "CardsTurned")["cards"]
    assert isinstance(turned, dict)
    place = next(iter(turned))
    turned[place] = list(reversed(turned[place]))


def dealt_elsewhere(events: list[dict[str, object]]) -> None:
    for event in events:
        to = event.get("to")
        if event["type"] == "CardsDealt" and isinstance(to, list) and len(set(to)) > 1:
            other = next(index for index, place in enumerate(to) if place != to[0])
            to[0], to[other] = to[other], to[0]
            return


def committed_late(events: list[dict[str, object]]) -> None:
    committed = first(events, "DeckCommitted")
    events.remove(committed)
    events.insert(4, committed)


def paid_more(events: list[dict[str, object]]) -> None:
    line = first(events, "BetSettled")
    line["returned"] = msgspec.convert(line["staked"], int) + 1


def won_while_lost(events: list[dict[str, object]]) -> None:
    line = next(event for event in events if event["type"] == "BetSettled" and event["outcome"] == "lose")
    line["won"] = 100


def settled_twice(events: list[dict[str, object]]) -> None:
    events.insert(-3, dict(first(events, "BetSettled")))


def never_settled(events: list[dict[str, object]]) -> None:
    events.remove(first(events, "BetSettled"))


def no_paragraph(events: list[dict[str, object]]) -> None:
    first(events, "BetSettled")["rules"] = []


def never_opened(events: list[dict[str, object]]) -> None:
    events.remove(first(events, "DeckOpened"))


def opened_early(events: list[dict[str, object]]) -> None:
    opened = first(events, "DeckOpened")
    events.remove(opened)
    events.insert(5, opened)


FORGERIES = (
    another_card_turned, dealt_elsewhere, committed_late, paid_more, won_while_lost,
    settled_twice, never_settled, no_paragraph, never_opened, opened_early,
)  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.__name__)
@pytest.mark.parametrize("table", TABLES)
def test_a_forged_record_fails_although_its_chain_is_whole(
    served: Served, table: str, forgery: Callable[[list[dict[str, object]]], None]
) -> None:
    """Somebody who writes every hash anew still cannot change the deck, the deal or the money."""
    caught = 0
    for number in range(1, ROUNDS + 1):
        record = record_of(served, table, number)
        if forgery is another_card_turned and not any(entry["type"] == "CardsTurned" for entry in record["records"]):
            continue  # every hand was folded, and nothing had to be turned
        if forgery is won_while_lost and not any('"outcome":"lose"' in entry["data"] for entry in record["records"]):
            continue
        assert verify.check(forged(record, forgery)).problems, f"{forgery.__name__} in round {number}"
        caught += 1
    assert caught
    assert verify.check(forged(record_of(served, table), lambda events: None)).problems == []


def test_a_changed_byte_breaks_the_chain(served: Served) -> None:
    """In every record, in every field that is hashed."""
    record = record_of(served)
    for index, entry in enumerate(record["records"]):
        for field, other in (("at", entry["at"] + 1), ("command", "x"), ("version", 9), ("data", entry["data"] + " ")):
            changed = copy.deepcopy(record)
            changed["records"][index][field] = other
            assert verify.check(changed).problems, (index, field)
    missing = copy.deepcopy(record)
    del missing["records"][4]
    assert verify.check(missing).problems
