"""Journals and exports whose looks hold their cards open, play on, audit and verify as those of today."""

from __future__ import annotations

import copy
import gzip
import hashlib
import itertools
import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from croupier import verify
from croupier.cards import DECK
from croupier.floor.audit.audit import audit
from croupier.floor.backups.archive import archive, audit_with_archives
from croupier.floor.history.export import exported
from croupier.floor.records.codec import table_fact
from croupier.floor.records.keys import NO_KEYS, key_id, keys_of
from croupier.floor.records.streams import table_stream
from croupier.journal.store import Store
from croupier.journal.store_address import open_store
from croupier.rounds.events import HandExamined
from croupier.rounds.state import Stage
from tests.floor.forgeries import chained
from tests.floor.played_house import NOW, Play

FOLDER = Path(__file__).parent / "looks-with-cards"
KEY = bytes(range(32))
KEYS = keys_of(KEY)
IN_PLAY = ("T2", "T3")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    file = tmp_path / "house.db"
    file.write_bytes(gzip.decompress((FOLDER / "house.db.gz").read_bytes()))
    with closing(open_store(f"sqlite:///{file}")) as opened:
        yield opened


def read(name: str) -> verify.Json:
    record: verify.Json = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return record


def versions_of_looks(store: Store, table: str) -> set[int]:
    return {r.version for r in store.read(table_stream(table)) if r.type == "HandExamined"}


def test_the_audit_is_clean_with_the_key_and_without(store: Store) -> None:
    """The looks can be read, so their salts stand for the deck that cannot."""
    without, with_it = audit(store), audit(store, keys=KEYS)
    assert (without.differences, without.unseen) == ((), 0)
    assert without.sealed >= len(IN_PLAY)
    assert (with_it.differences, with_it.sealed, with_it.unseen) == ((), 0, 0)


def test_rounds_in_play_go_on_with_looks_of_both_kinds(store: Store) -> None:
    """The hands are there after the start; the round ends, and the audit needs no key."""
    play = Play(store, 40, keys=KEYS, ids="n", rich=0.0)
    for name in IN_PLAY:
        looked = [box for box in play.house.tables[name].round.boxes if box.seen_by and not box.face_up]
        assert looked
        facts = [table_fact(record) for record in store.read(table_stream(name))]
        for box in looked:
            assert box.cards in {fact.cards for fact in facts if isinstance(fact, HandExamined)}
    began = {name: play.house.tables[name].round.number for name in IN_PLAY}
    while any(play.house.tables[name].round.number < number + 2 for name, number in began.items()):
        play.play(20)
    assert {2, 3} <= set().union(*(versions_of_looks(store, name) for name in IN_PLAY))
    assert audit(store).differences == ()
    assert audit(store, keys=KEYS).differences == ()


def test_without_its_key_the_round_is_refused(store: Store) -> None:
    lost = Play(store, 40, keys=NO_KEYS, ids="n").house
    assert set(IN_PLAY) <= set(lost.unopened)
    assert all(key_id(KEY) in why for why in lost.unopened.values())


def test_rounds_are_exported_and_verified(store: Store) -> None:
    """Every round that is over, as an auditor gets it."""
    house = Play(store, 40, keys=KEYS, ids="n").house
    over = 0
    for name, table in house.tables.items():
        for number in range(1, table.round.number + (table.round.stage in (Stage.SETTLED, Stage.VOID))):
            record = json.loads(json.dumps(exported(store, [(name, number)])))
            assert verify.check(record).problems == []
            over += 1
    assert over > 10


def test_it_is_archived_and_followed(store: Store, tmp_path: Path) -> None:
    play = Play(store, 40, keys=KEYS, ids="n", rich=0.0)
    while any(play.house.tables[name].round.stage not in (Stage.SETTLED, Stage.VOID) for name in IN_PLAY):
        play.play(5)
    folder = tmp_path / "archives"
    folder.mkdir()
    ids = (f"archive-{n}" for n in itertools.count())
    day = datetime.fromtimestamp(NOW // 1_000_000, UTC).date() + timedelta(days=1)
    made = archive(play.house, day, folder, by="eva", at=lambda: NOW, command_id=lambda: next(ids))
    assert made
    assert audit(store).differences == ()
    assert audit_with_archives(store, folder).differences == ()


# ---------------------------------------------------------------- copies of a round


@pytest.mark.parametrize("name", ["whole", "guest", "player"])
def test_a_copy_holds(name: str) -> None:
    record = read(name)
    checks = verify.check(record)
    assert checks.problems == []
    left_out = [entry for entry in record["records"] if "data" not in entry]
    assert len(left_out) == {"whole": 0, "guest": 2, "player": 1}[name]
    assert all((entry["type"], entry["version"]) == verify.PRIVATE for entry in left_out)


def test_a_hand_cannot_be_guessed_from_the_digest_of_a_look() -> None:
    """Trying all 2,652 hands with everything else that a guest knows finds none: the event is salted."""
    entry = next(each for each in read("guest")["records"] if each["type"] == "HandExamined")
    whole = next(each for each in read("whole")["records"] if each["type"] == "HandExamined")
    event = json.loads(whole["data"])
    assert len(event.pop("salt")) == 64
    for hand in itertools.permutations(DECK, 2):
        guess = json.dumps({**event, "cards": hand}, separators=(",", ":")).encode()
        assert hashlib.sha256(guess).hexdigest() != entry["digest"]
    assert hashlib.sha256(whole["data"].encode()).hexdigest() == entry["digest"]


def test_the_chain_holds_across_what_is_left_out() -> None:
    """A change before a record that is left out is found at it: its hash needs the hash before it."""
    whole, guest = read("whole"), read("guest")
    index = next(at for at, entry in enumerate(guest["records"]) if "data" not in entry)
    for entry in whole["records"][:index]:
        entry["data"] = entry["data"].replace('"ana"', '"eve"')
    forged = copy.deepcopy(guest)
    forged["records"][:index] = chained(whole)["records"][:index]
    problems = verify.check(forged).problems
    seq = guest["records"][index]["seq"]
    assert f"record {seq} (HandExamined) does not carry the hash of its content" in problems
