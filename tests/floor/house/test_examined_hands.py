"""Hands that players have looked at cannot be read in the database while the round is in play."""

from __future__ import annotations

import base64
import gzip
import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import count, permutations
from pathlib import Path
from random import Random

import msgspec
import psycopg
import pytest

from croupier.cards import Card
from croupier.floor.audit import stream_check
from croupier.floor.audit.audit import audit
from croupier.floor.backups.archive import archive, audit_with_archives
from croupier.floor.backups.backup import back_up, restore
from croupier.floor.backups.encryption import new_identity
from croupier.floor.duties.permissions import Post
from croupier.floor.history.played_rounds import Past
from croupier.floor.house.house import House
from croupier.floor.house.memory import state as house_state
from croupier.floor.house.memory.snapshots import round_in
from croupier.floor.people.people import Person
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    BuyIn,
    HouseCommand,
    OpenTable,
    Request,
    TableConfig,
    TakeTable,
)
from croupier.floor.records.committed_decks import Chance
from croupier.floor.records.keys import NO_KEYS, Keys, keys_of
from croupier.journal.records import GENESIS, chain_hash
from croupier.journal.sqlite import sqlite_path
from croupier.journal.store import Store
from croupier.money import money
from croupier.rounds.commands import CloseBets, DecideHand, ExamineHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.dealing import decision_due
from croupier.rounds.events import HandExamined
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.documents.editions import GAMES
from croupier.testing.private_postgres import PrivatePostgres
from tests.calling import Call
from tests.floor.house.test_sealed_decks import FIRST, KEYS, SECOND, closed_in_the_end, playing
from tests.floor.house_builder import eventually
from tests.floor.played_house import NOW, Play
from tests.stores import Place, PostgresPlace, SqlitePlace

Hand = tuple[Card, ...]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    found: Place = SqlitePlace(tmp_path)
    if request.param == "postgresql":
        found = PostgresPlace(request.getfixturevalue("postgres"))
    with closed_in_the_end(found):
        yield found


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Iterator[Place]:
    found = SqlitePlace(tmp_path)
    with closed_in_the_end(found):
        yield found


@pytest.fixture
def eager_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot after every command that may have one."""
    monkeypatch.setattr(house_state, "SNAPSHOT_AFTER", 1)


class OneTable:
    """A house with one table, so that a card of its first deck stands nowhere else in the database."""

    def __init__(self, store: Store, game: str = GAMES[0], *, keys: Keys = KEYS, ids: str = "l") -> None:
        random = Random(7)
        self.store, self.ids, self._numbers = store, ids, count(1)
        self.house = House(store, Chance(random.randrange, random.randbytes), keys=keys)
        if not self.house.tables:
            self.do(OpenTable(table="T1", config=TableConfig(game=game)))
            self.do(*(BuyIn(player=name, amount=money("10000.00")) for name in ("ana", "ben")))

    def do(self, *commands: HouseCommand) -> list[Answer]:
        requests = [Request(f"{self.ids}{next(self._numbers)}", command, NOW) for command in commands]
        answers = self.house.process(requests)
        assert all(answer.accepted for answer in answers), answers
        # A sender who has lost the answer asks for it again.
        assert self.house.process(requests) == answers
        return answers

    def at(self, *commands: RoundCommand) -> None:
        for command in commands:
            self.do(AtTable(table="T1", command=command))

    @property
    def round(self) -> Round:
        return self.house.tables["T1"].round

    def look(self) -> list[Hand]:
        """Deal a round, let both players look at their hands, and return these."""
        self.at(OpenRound(), *(PlaceBet(player=name, box=box, bet="ante", amount=money("25.00"))
                               for box, name in ((1, "ana"), (2, "ben"))), CloseBets())  # fmt: skip
        self.at(ExamineHand(player="ana", box=1), ExamineHand(player="ben", box=2))
        hands = [box.cards for box in self.round.boxes[:2]]
        assert all(hands)
        return hands

    def decide(self) -> None:
        """Ana plays on and Ben folds."""
        due = decision_due(self.house.tables["T1"].terms, self.round)
        assert due is not None
        decision, boxes = due
        self.at(DecideHand(box=boxes[0], choice=decision.otherwise if boxes[0] == 2 else decision.bet))

    def finish(self) -> None:
        while self.round.stage is Stage.PLAYING:
            self.decide()


# ---------------------------------------------------------------- every byte


def cells(place: Place) -> Iterator[tuple[str, bytes]]:
    """Every cell of every table of the database, by table and column."""
    if place.kind == "sqlite":
        with closing(sqlite3.connect(sqlite_path(place.url))) as db:
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                found = db.execute(f'SELECT * FROM "{table}"')
                yield from _cells(table, [column[0] for column in found.description], found.fetchall())
        return
    with psycopg.connect(place.url, autocommit=True) as pg:
        tables = pg.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
        for (table,) in tables:
            rows = pg.execute(psycopg.sql.SQL("SELECT * FROM {}").format(psycopg.sql.Identifier(table)))
            yield from _cells(table, [column.name for column in rows.description or ()], rows.fetchall())


def _cells(table: str, columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> Iterator[tuple[str, bytes]]:
    for row in rows:
        for column, cell in zip(columns, row, strict=True):
            data = bytes(cell) if isinstance(cell, bytes | memoryview) else str(cell).encode()
            yield f"{table}.{column}", data


def files(place: Place) -> Iterator[tuple[str, bytes]]:
    """The raw files of a SQLite database."""
    if place.kind == "sqlite":
        path = Path(sqlite_path(place.url))
        for file in path.parent.glob(f"{path.name}*"):
            yield file.name.removeprefix(path.name) or "file", file.read_bytes()


def written_forms(hand: Hand) -> Iterator[bytes]:
    """A card as JSON has it; cards of a hand beside each other, as texts and as binary encoders have them."""
    for card in hand:
        yield f'"{card}"'.encode()
    for pair in permutations(hand, 2):
        for between in (" ", "", ",", ", ", '","', "','"):
            yield between.join(pair).encode()
        yield msgspec.msgpack.encode(pair)[1:]


def found_in(hand: Hand, where: Iterator[tuple[str, bytes]]) -> set[str]:
    """Where a hand can be read, in any form; a card that stands by itself counts in a text, not in random bytes."""
    forms, words = list(written_forms(hand)), [re.compile(rb"\b%s\b" % card.encode()) for card in hand]
    found = set()
    for name, data in where:
        is_text = data.isascii() and not name.startswith(("file", "-"))
        if any(form in data for form in forms) or (is_text and any(word.search(data) for word in words)):
            found.add(name)
    return found


@pytest.mark.usefixtures("eager_snapshots")
@pytest.mark.parametrize("game", GAMES)
def test_a_hand_that_was_looked_at_stands_nowhere_while_its_round_is_in_play(place: Place, game: str) -> None:
    """Not in records, commands, answers, decks, snapshots or raw files; the players themselves see it."""
    table = OneTable(place.open(), game)
    hands = table.look()
    for step in range(2):
        hidden = [hand for hand, box in zip(hands, table.round.boxes, strict=False) if not box.face_up]
        assert hidden
        for hand in hidden:
            assert found_in(hand, cells(place)) == set()
            assert found_in(hand, files(place)) == set()
        if step == 0:
            table.decide()
            if table.round.stage is not Stage.PLAYING:
                break
    table.finish()
    # It is found where it may be read: the search itself works.
    assert all("decks.deck" in found_in(hand, cells(place)) for hand in hands)


def test_a_house_without_a_key_is_no_proof(place: Place) -> None:
    """The same search finds the hands where the deck lies open."""
    table = OneTable(place.open(), keys=NO_KEYS)
    assert all("decks.deck" in found_in(hand, cells(place)) for hand in table.look())


@pytest.mark.parametrize("seed", range(3))
def test_no_record_of_a_round_in_play_holds_a_hand_that_was_looked_at(on_sqlite: Place, seed: int) -> None:
    """Whatever a crowd does at all games, irregularities and redeals included."""
    play = Play(on_sqlite.open(), 50 + seed, keys=KEYS, rich=0.0)
    looked = 0
    for _ in range(60):
        play.play(10)
        for table in playing(play.house):
            deal = f'"deal":{table.round.deals},'.encode()
            records = list(play.store.read(f"table/{table.name}"))
            begins = max(r.seq for r in records if r.type == "DeckCommitted" and deal in r.data)
            told = [(r.type, r.data) for r in records if r.seq > begins]
            for box in table.round.boxes:
                looked += bool(box.cards) and not box.face_up
                assert box.face_up or found_in(box.cards, iter(told)) == set()
    assert looked > 20


# ---------------------------------------------------------------- what must still work


def test_a_house_that_stops_in_the_round_has_the_hands_again(place: Place) -> None:
    """The cards come from the sealed deck; the round goes on as if nothing had happened."""
    table = OneTable(place.open())
    hands, before = table.look(), table.round
    table.store.close()
    again = OneTable(place.open(), ids="m")
    assert again.round == before
    assert [box.cards for box in again.round.boxes[:2]] == hands
    again.finish()
    assert audit(again.store).differences == ()


def test_the_key_may_change_in_the_round(place: Place) -> None:
    """The old key behind the new one opens the deck, and with it the looks; afterwards nobody needs it."""
    table = OneTable(place.open())
    hands = table.look()
    table.store.close()
    both = keys_of(SECOND, FIRST)
    again = OneTable(place.open(), keys=both, ids="m")
    assert [box.cards for box in again.round.boxes[:2]] == hands
    again.finish()
    second = again.look()
    assert all(found_in(hand, records_from(again.store, "RoundOpened")) == set() for hand in second)
    assert (audit(again.store, keys=keys_of(SECOND)).differences, audit(again.store).unseen) == ((), 2)
    again.store.close()
    last = OneTable(place.open(), keys=keys_of(SECOND), ids="n")
    last.finish()
    assert audit(last.store).differences == ()


def records_from(store: Store, kind: str) -> Iterator[tuple[str, bytes]]:
    """The records of T1 since the last one of this kind."""
    records = list(store.read("table/T1"))
    last = max(record.seq for record in records if record.type == kind)
    return ((record.type, record.data) for record in records if record.seq >= last)


def test_without_the_key_the_table_waits_and_nothing_is_guessed(place: Place) -> None:
    """No command is judged in a round whose hands cannot be read, not even one that needs no card."""
    table = OneTable(place.open())
    table.look()
    before = table.round
    table.store.close()
    lost = House(place.open(), Chance(Random(1).randrange, Random(1).randbytes), keys=keys_of(SECOND))
    asked: list[RoundCommand] = [DecideHand(box=2, choice="fold"), ExamineHand(player="ana", box=1), OpenRound()]
    requests = [Request(f"w{n}", AtTable(table="T1", command=command), NOW) for n, command in enumerate(asked)]
    assert {answer.code for answer in lost.process(requests)} == {"no_key"}
    lost.store.close()
    assert OneTable(place.open(), ids="m").round == before


def test_the_audit_says_what_it_could_not_judge(place: Place) -> None:
    """Without the key: the looks of rounds in play. With it, or when the rounds are over: nothing."""
    table = OneTable(place.open())
    table.look()
    without, with_it = audit(table.store), audit(table.store, keys=KEYS)
    assert (without.differences, without.sealed, without.unseen) == ((), 1, 2)
    assert (with_it.differences, with_it.sealed, with_it.unseen) == ((), 0, 0)
    table.finish()
    after = audit(table.store)
    assert (after.differences, after.sealed, after.unseen) == ((), 0, 0)


def test_the_command_line_says_it_in_words(on_sqlite: Place, croupier: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit code is 0: what could not be judged does not differ."""
    table = OneTable(on_sqlite.open())
    table.look()
    table.store.close()
    monkeypatch.delenv("CROUPIER_KEY", raising=False)
    done = croupier("audit", "--database", on_sqlite.url)
    assert done.code == 0
    assert "Not judged: the cards of 2 hands of rounds in play" in done.out
    monkeypatch.setenv("CROUPIER_KEY", FIRST.hex())
    assert "Not judged" not in croupier("audit", "--database", on_sqlite.url).out


@pytest.mark.parametrize("seed", range(4))
def test_a_crowd_is_audited_without_the_key_at_every_moment(on_sqlite: Place, seed: int) -> None:
    """Irregularities, rulings, redeals and reopened rounds are judged alike with and without the looks."""
    play, unseen = Play(on_sqlite.open(), 70 + seed, keys=KEYS, rich=0.0), 0
    for _ in range(12):
        play.play(50)
        without = audit(play.store)
        assert without.differences == ()
        unseen += without.unseen
    assert unseen > 3
    assert audit(play.store, keys=KEYS).differences == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"at": [0, 1]}, "is not at the place that it names"),
        ({"round": 2}, "is not at the place that it names"),
        ({"cards": ["2c", "2d"]}, "HandExamined: cards is"),
        ({"player": "eve"}, "HandExamined: player is"),
    ],
)
def test_a_changed_look_is_found(on_sqlite: Place, change: dict[str, object], says: str) -> None:
    """With every hash made anew, with the key and without, in play and afterwards."""
    table = OneTable(on_sqlite.open())
    table.look()
    table.store.close()
    for is_over in (False, True):
        if is_over:
            honest = OneTable(on_sqlite.open(), ids="m")
            honest.finish()
            honest.store.close()
        with forged(on_sqlite, change):
            for keys in (NO_KEYS, KEYS):
                found = audit(on_sqlite.open(read_only=True), keys=keys).differences
                assert any(says in str(difference) for difference in found), found


@contextmanager
def forged(place: Place, change: dict[str, object]) -> Iterator[None]:
    """A journal whose first look is changed, with every hash of the table's chain made anew; then as it was."""
    path = Path(sqlite_path(place.url))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{trigger}"')
        rows = db.execute("SELECT * FROM records WHERE stream = 'table/T1' ORDER BY seq").fetchall()
        before, is_changed = GENESIS, False
        for stream, seq, kind, version, at, command, data, _ in rows:
            event = json.loads(data)
            if kind == "HandExamined" and not is_changed:
                event, is_changed = {**event, **change}, True
            text = json.dumps(event, separators=(",", ":")).encode() if event != json.loads(data) else data
            before = chain_hash(before, stream, seq, kind, version, at, command, text)
            db.execute(
                "UPDATE records SET data = ?, hash = ? WHERE stream = ? AND seq = ?", (text, before, stream, seq)
            )
        db.execute("UPDATE heads SET hash = ? WHERE stream = 'table/T1'", (before,))
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    yield
    path.write_bytes(whole)


# ---------------------------------------------------------------- copies and other servers


@pytest.mark.parametrize("nameless", [False, True])
def test_a_backup_in_the_round_holds_no_hand_and_is_played_on(place: Place, tmp_path: Path, nameless: bool) -> None:
    """Plain, encrypted, without names; restored into SQLite, with the key that is kept elsewhere."""
    table = OneTable(place.open())
    hands = table.look()
    plain, secret, identity = tmp_path / "plain.backup", tmp_path / "secret.backup", new_identity()
    back_up(table.store, plain, NOW, nameless=nameless)
    back_up(table.store, secret, NOW, openers=(identity.recipient,), nameless=nameless)
    text = gzip.decompress(plain.read_bytes())
    cells_of = [(str(index), cell) for index, cell in enumerate(_decoded(text))]
    assert all(found_in(hand, iter(cells_of)) == set() for hand in hands)
    for file, openers in ((plain, ()), (secret, (identity,))):
        copied = SqlitePlace(tmp_path)
        with closing(copied.open()) as store:
            restore(file, store, openers)
            assert audit(store, nameless=nameless).differences == ()
            again = OneTable(store, ids="m")
            assert [box.cards for box in again.round.boxes[:2]] == hands
            again.finish()
            assert audit(store, nameless=nameless).differences == ()


def _decoded(text: bytes) -> Iterator[bytes]:
    """Every line of a backup, and every cell of it: columns of bytes are written in base 64."""
    for line in text.splitlines():
        yield line
        for cell in json.loads(line) if line.startswith(b"[") else ():
            with suppress(ValueError):
                yield base64.b64decode(str(cell), validate=True)


def test_an_archive_in_the_round_leaves_no_hand_behind(place: Place, tmp_path: Path) -> None:
    """Rounds that are over leave; the snapshot that stays is of the cut, and the house starts from it."""
    table = OneTable(place.open())
    for _ in range(2):
        table.look()
        table.finish()
    hands, before = table.look(), table.round
    day = datetime.fromtimestamp(NOW // 1_000_000, UTC).date() + timedelta(days=1)
    ids = count(1)
    (made,) = archive(table.house, day, tmp_path, by="eva", at=lambda: NOW, command_id=lambda: f"a{next(ids)}")
    assert made.last_round == 2
    snapshot = table.store.snapshot("table/T1")
    assert snapshot is not None
    assert round_in(snapshot).number == made.last_round
    assert all(found_in(hand, records_from(table.store, "RoundOpened")) == set() for hand in hands)
    assert [str(each) for each in audit(table.store).differences] == []
    assert audit_with_archives(table.store, tmp_path, keys=KEYS).differences == ()
    table.store.close()
    again = OneTable(place.open(), ids="m")
    assert again.round == before
    again.finish()
    assert audit(again.store).differences == ()
    assert audit_with_archives(again.store, tmp_path).differences == ()


def test_another_server_takes_the_table_over_in_the_round(postgres: PrivatePostgres) -> None:
    """Servers of one house have the same key, so the hands are there."""
    place = PostgresPlace(postgres)
    with closed_in_the_end(place):
        table = OneTable(place.open())
        hands, before = table.look(), table.round
        chance = Chance(Random(3).randrange, Random(3).randbytes)
        other = House(place.open(), chance, runs=lambda _: False, keys=KEYS)
        table.store.close()
        ids = count(1)
        take = TakeTable(table="T1")
        assert eventually(lambda: other.process([Request(f"take{next(ids)}", take, NOW)])[0].accepted)
        assert other.tables["T1"].round == before
        assert [box.cards for box in other.tables["T1"].round.boxes[:2]] == hands


def test_a_player_who_comes_back_sees_the_own_hand_and_nobody_elses(place: Place) -> None:
    """In the replay of the round in play, and in what the player missed; staff and auditors see no hand."""
    table = OneTable(place.open())
    hands = table.look()
    past, shown = Past(table.house, lambda: table.store), table.house.tables["T1"]
    for person, own in ((Person("ana", Post.PLAYER, ""), 0), (Person("ben", Post.PLAYER, ""), 1),
                        (Person("eva", Post.AUDITOR, ""), None), (Person("dan", Post.DEALER, ""), None)):  # fmt: skip
        missed = past.since(shown, 0, person, 1000)
        assert missed is not None
        events = [step.event for step in missed if isinstance(step.event, HandExamined)]
        played = past.round(shown, 1, person)
        steps = [step.event for step in played.steps if isinstance(step.event, HandExamined)]
        for looks in (events, steps):
            assert [look.cards for look in looks] == [hand if box == own else () for box, hand in enumerate(hands)]


def test_snapshots_wait_for_the_end_of_the_round_and_are_taken_then(
    on_sqlite: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start after the round reads few records; the audit asks for the snapshot."""
    monkeypatch.setattr(house_state, "SNAPSHOT_AFTER", 5)
    monkeypatch.setattr(stream_check, "SNAPSHOT_AFTER", 5)
    table = OneTable(on_sqlite.open())
    table.look()
    assert table.house.heads["table/T1"].seq - table.house.snapshotted["table/T1"] >= 2
    assert audit(table.store).differences == ()
    table.finish()
    head = table.house.heads["table/T1"].seq
    assert table.house.snapshotted["table/T1"] == head
    assert audit(table.store).differences == ()
    table.store.close()
    on_sqlite.raw("DELETE FROM snapshots WHERE stream = 'table/T1'")
    found = audit(on_sqlite.open(read_only=True)).differences
    assert any("has none of its last 5 records" in str(difference) for difference in found)
