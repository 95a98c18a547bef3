"""The witness: checkpoints outside the journal, what an audit finds with them, and what a start says without a person.

Each of these changes leaves a journal that agrees with itself: without a checkpoint no audit could find it.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier import verify
from croupier.cli import run
from croupier.floor.audit import checkpoint_check
from croupier.floor.audit.audit import Audited, audit
from croupier.floor.history.export import exported
from croupier.floor.history.qr_code import qr_text
from croupier.floor.house.witness import JournalDiffers, Witness, WitnessSettings
from croupier.floor.records.commands import BuyIn, NoteRefusal, Request
from croupier.floor.records.people_facts import AccessRefused
from croupier.journal.checkpoint import BadCheckpoint, Kind, check_signature, checkpoints_in, public_hex, public_key
from croupier.journal.records import GENESIS, chain_hash
from croupier.journal.sqlite import sqlite_path
from croupier.journal.store import StoreError
from croupier.journal.store_address import open_store
from croupier.money import money
from tests.floor.played_house import NOW, Play
from tests.stores import Place, PostgresPlace, SqlitePlace

SECOND = 1_000_000


class Watched:
    """A house with a witness, which plays and stops."""

    def __init__(self, place: Place, folder: Path, seed: int = 38) -> None:
        self.place, self.seed, self.now, self.runs = place, seed, NOW, 0
        self.file = folder / "outside" / "house.witness"
        self.file.parent.mkdir(exist_ok=True)
        self.settings = WitnessSettings(files=(str(self.file),))

    def witness(self) -> Witness:
        self.now += SECOND
        return Witness(self.place.url, "one", self.settings, lambda: self.now)

    def play(self, commands: int, *, closed: bool = True) -> Witness:
        """Run a server for so many commands, with a checkpoint in the middle and, where it is closed, at its end."""
        store = self.place.open()
        witness = self.witness()
        witness.open()
        self.runs += 1
        play = Play(store, self.seed + self.runs, rich=1.0, ids=f"run-{self.runs}-")
        play.play(commands // 2)
        with witness._reading() as reader:
            witness._make(reader, Kind.RUNNING)
        play.play(commands - commands // 2)
        store.close()
        if closed:
            witness.stop()
        return witness

    def audited(self) -> Audited:
        store = self.place.open(read_only=True)
        try:
            return audit(store, testimony=checkpoint_check.Testimony(checkpoints_in(self.file.read_bytes())))
        finally:
            store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Watched:
    if request.param == "sqlite":
        return Watched(SqlitePlace(tmp_path), tmp_path)
    return Watched(PostgresPlace(request.getfixturevalue("postgres")), tmp_path)


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Watched:
    return Watched(SqlitePlace(tmp_path), tmp_path)


def whats(report: Audited) -> str:
    return "\n".join(map(str, report.differences))


# ---------------------------------------------------------------- honest houses


def test_an_honest_house_agrees_with_its_witness(watched: Watched) -> None:
    """Two runs, each with its checkpoints: opened, running, closed; the trees cover every record once."""
    watched.play(60)
    watched.play(40)
    assert whats(watched.audited()) == ""
    made = checkpoints_in(watched.file.read_bytes())
    said = [checkpoint.says() for checkpoint in made]
    assert [one.kind for one in said] == [Kind.OPENED, Kind.RUNNING, Kind.CLOSED] * 2
    assert [one.number for one in said] == [1, 2, 3, 4, 5, 6]
    assert [one.before for one in said] == ["", *(checkpoint.hash for checkpoint in made[:-1])]
    assert sum(one.size for one in said) == said[-1].records > 100


def test_a_crashed_house_agrees_with_its_witness(watched: Watched) -> None:
    """What was written between the last checkpoint and the crash is the server's own."""
    watched.play(60, closed=False)
    assert whats(watched.audited()) == ""
    watched.play(20)
    assert whats(watched.audited()) == ""


def test_a_published_checkpoint_shows_no_head(on_sqlite: Watched) -> None:
    """A head is a hash over content that can be guessed, and the salt of the tree opens its leaves."""
    witness = on_sqlite.play(30)
    assert witness.last is not None
    heads = witness.last.stood()
    published = json.dumps([witness.last.published.statement, witness.last.published.heads])
    assert heads.salt not in published
    assert not [head for _, head in heads.streams.values() if head in published]


def test_a_record_is_proved_against_a_published_checkpoint(watched: Watched) -> None:
    witness = watched.play(60)
    store = watched.place.open(read_only=True)
    wanted = [("cashier", 1), ("link/main", 3), ("table/T1", store.head("table/T1").seq)]
    found = witness.inclusion(store, [*wanted, ("table/T1", 10**6)])
    proved = []
    for inclusion in found:
        check_signature(inclusion.checkpoint, public_key(witness.key))
        assert not inclusion.checkpoint.heads
        said = inclusion.checkpoint.says()
        for proof in inclusion.proofs:
            record = next(iter(store.read(proof.stream, proof.seq - 1, 1)))
            assert verify.tree_root(record.hash.hex(), msgspec.to_builtins(proof), said.size) == said.root
            proved.append((proof.stream, proof.seq))
    assert sorted(proved) == sorted(wanted)
    store.close()


def exported_round(watched: Watched) -> dict[str, Any]:
    """The record of a round, with its proofs."""
    store = watched.place.open(read_only=True)
    try:
        # As it comes to a player: through JSON.
        found = json.loads(msgspec.json.encode(exported(store, [("T1", 2)], witness=watched.file)))
    finally:
        store.close()
    assert isinstance(found, dict)
    return found


def published(watched: Watched) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(one.published) for one in checkpoints_in(watched.file.read_bytes())]


def test_the_verifier_proves_a_round_against_a_published_checkpoint(watched: Watched) -> None:
    """The last event of the round, and each that it set off on the link, by a file that shares no code with us."""
    watched.play(200)
    record = exported_round(watched)
    assert all("heads" not in told["checkpoint"] or not told["checkpoint"]["heads"] for told in record["witness"])
    for shown in ([], published(watched), published(watched)[-1:]):
        checks = verify.check(record, shown)
        assert checks.problems == []
        assert checks.looked_at["proofs against a checkpoint"] == 1 + len(record["on_the_link"])
    assert any("compare it with what was published" in note for note in verify.check(record).notes)


def test_the_verifier_finds_a_proof_that_does_not_hold(on_sqlite: Watched) -> None:
    """Another record, another path, another signature, another key, another statement; and no proof at all."""
    on_sqlite.play(200)
    shown = published(on_sqlite)

    def problems(change: Callable[[dict[str, Any]], object]) -> str:
        record = exported_round(on_sqlite)
        change(record)
        return "\n".join(verify.check(record, shown).problems)

    def proof(record: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = record["witness"][0]["proofs"][0]
        return found

    def checkpoint(record: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = record["witness"][0]["checkpoint"]
        return found

    other = Ed25519PrivateKey.generate()

    def resign(record: dict[str, Any]) -> None:
        told = checkpoint(record)
        told["key"], told["signature"] = public_hex(other.public_key()), other.sign(told["statement"].encode()).hex()

    def restate(record: dict[str, Any]) -> None:
        told = checkpoint(record)
        told["statement"] = told["statement"].replace('"size":', '"size":1')

    assert "does not stand in checkpoint" in problems(lambda record: proof(record).update(index=0, path=[]))
    assert "does not stand in checkpoint" in problems(lambda record: proof(record).update(seq=1))
    assert "does not stand in checkpoint" in problems(lambda record: proof(record).update(blinding="00" * 32))
    assert "is not signed" in problems(lambda record: checkpoint(record).update(signature="00" * 64))
    assert "a key that was not published" in problems(resign)
    assert "is not signed" in problems(restate)
    assert "no proof against a checkpoint" in problems(lambda record: record.update(witness=[]))


def test_the_verifier_knows_a_signature_of_ed25519() -> None:
    """RFC 8032, section 7.1, test 3; and as a library signs and checks."""
    key = bytes.fromhex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
    signature = bytes.fromhex(
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    )
    assert verify.has_signed(key, bytes.fromhex("af82"), signature)
    assert not verify.has_signed(key, bytes.fromhex("af83"), signature)
    for size in range(0, 200, 40):
        made = Ed25519PrivateKey.generate()
        public, message = bytes.fromhex(public_hex(made.public_key())), bytes(range(size))
        assert verify.has_signed(public, message, made.sign(message))
        assert not verify.has_signed(public, message + b"x", made.sign(message))
        assert not verify.has_signed(public, message, bytes(64))
        assert not verify.has_signed(bytes(31), message, made.sign(message))


def test_an_export_from_the_command_line_is_proved(
    on_sqlite: Watched, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`audit --export --witness`, then `verify --checkpoint`; and the file alone with the same two."""
    on_sqlite.play(200)
    target, seen = tmp_path / "round.json", tmp_path / "published.json"
    seen.write_text(json.dumps(published(on_sqlite)[-1], indent=1), encoding="utf-8")
    arguments = ["audit", "--database", on_sqlite.place.url, "--export", str(target), "--rounds", "T1:2"]
    assert run([*arguments, "--for", "p1", "--witness", str(on_sqlite.file)]) == 0
    assert run(["verify", str(target), "--checkpoint", str(seen)]) == 0
    assert "proofs against a checkpoint" in capsys.readouterr().out
    assert verify.main([str(target), str(seen)]) == 0
    assert verify.main([str(target), str(target)]) == 2


def test_the_report_of_a_day_carries_its_last_checkpoint(
    on_sqlite: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a QR code that holds the whole signed statement, and as JSON; a day before has none."""
    on_sqlite.play(60)
    last = checkpoints_in(on_sqlite.file.read_bytes())[-1]
    day = datetime.fromtimestamp(on_sqlite.now / SECOND, UTC).date()
    figures = ["figures", "--database", on_sqlite.place.url, "--witness", str(on_sqlite.file), "--day"]
    assert run([*figures, day.isoformat()]) == 0
    printed = capsys.readouterr().out
    assert last.key in printed
    assert last.hash in printed
    assert qr_text(msgspec.json.encode(last.published).decode()) in printed
    assert run([*figures, day.isoformat(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["checkpoint"] == msgspec.to_builtins(last.published)
    assert run([*figures, "2020-01-01", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["checkpoint"] is None


# ---------------------------------------------------------------- what only a checkpoint finds


def test_a_cut_tail_is_found(on_sqlite: Watched) -> None:
    """The journal as it once was is whole and true; the checkpoint says that it went on."""
    on_sqlite.play(40)
    path = sqlite_path(on_sqlite.place.url)
    early = Path(path).read_bytes()
    on_sqlite.play(40)
    Path(path).write_bytes(early)
    report = on_sqlite.audited()
    assert "once stood at" in whats(report)


def test_a_rewritten_time_is_found(on_sqlite: Watched) -> None:
    """Every hash after it redone, heads and snapshots with it."""
    on_sqlite.play(40)
    _rewrite_cashier(sqlite_path(on_sqlite.place.url))
    store = on_sqlite.place.open(read_only=True)
    assert audit(store).is_clean
    store.close()
    assert "cashier" in whats(on_sqlite.audited())


def _rewrite_cashier(path: str) -> None:
    """An hour earlier for the first act of the cashier."""
    db = sqlite3.connect(path, isolation_level=None)
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    before = GENESIS
    of = "SELECT seq, type, version, at, command, data FROM records WHERE stream = 'cashier' ORDER BY seq"
    for seq, kind, version, was, command, data in db.execute(of).fetchall():
        at = was - 3600 * SECOND if seq == 1 else was
        before = chain_hash(before, "cashier", seq, kind, version, at, command, data)
        db.execute("UPDATE records SET at = ?, hash = ? WHERE stream = 'cashier' AND seq = ?", (at, before, seq))
    db.execute("UPDATE heads SET hash = ? WHERE stream = 'cashier'", (before,))
    for _, declared in triggers:
        db.execute(declared)
    db.close()


def test_an_erased_refusal_is_found(on_sqlite: Watched) -> None:
    """The last word about a person who asked for what they may not, gone with its answer."""
    on_sqlite.play(40)
    store = on_sqlite.place.open()
    path = Path(sqlite_path(on_sqlite.place.url))
    store.close()
    clean = path.read_bytes()
    witness = on_sqlite.witness()
    witness.open()
    store = on_sqlite.place.open()
    Play(store, 3, ids="late-").do(NoteRefusal(person="ines", action="rule", what="T1"))
    assert any(record.type == AccessRefused.__name__ for record in store.read("people"))
    store.close()
    witness.stop()
    path.write_bytes(clean)
    assert "people" in whats(on_sqlite.audited())


@pytest.mark.parametrize("closed", [True, False])
def test_a_forged_append_is_found(watched: Watched, closed: bool) -> None:
    """A script that calls the house while no server runs: after a clean stop at once, after a crash by its time."""
    watched.play(40, closed=closed)
    store = watched.place.open()
    play = Play(store, 5)
    play.house.process([_forged(watched.now + 3600 * SECOND)])
    store.close()
    report = watched.audited()
    assert "while no server ran" in whats(report)
    assert {one.where for one in report.differences} <= {"cashier", "answers", "answers/1"}


def _forged(at: int) -> Request:
    return Request("forged", BuyIn(player="p1", amount=money("1000000.00")), at)


def test_a_forged_append_is_found_after_the_next_start_too(watched: Watched) -> None:
    """The next server says so when it starts, and its first checkpoint shows it for good."""
    watched.play(40)
    store = watched.place.open()
    Play(store, 5).house.process([_forged(watched.now + SECOND)])
    shared = store.is_shared
    store.close()
    watched.now += 7200 * SECOND
    witness = watched.witness()
    assert bool(witness.open()) is not shared
    witness.stop()
    assert "while no server ran" in whats(watched.audited())


def test_a_checkpoint_of_another_key_is_found(on_sqlite: Watched, tmp_path: Path) -> None:
    """Somebody who rewrites both the journal and the checkpoints has another key."""
    witness = on_sqlite.play(20)
    (on_sqlite.file.parent / "house.witness-key").unlink()
    forger = Watched(SqlitePlace(tmp_path), tmp_path, seed=9)
    forger.file.unlink()
    forger.play(20)
    report = run(["audit", "--database", forger.place.url, "--witness", str(forger.file), "--witness-key", witness.key])
    assert report == 1
    report = run(["audit", "--database", forger.place.url, "--witness", str(forger.file)])
    assert report == 0


def test_changed_heads_and_statements_are_found(on_sqlite: Watched) -> None:
    on_sqlite.play(20)
    lines = on_sqlite.file.read_text().splitlines()
    for what in ("statement", "heads", "signature"):
        changed = json.loads(lines[1])
        changed[what] = changed[what].replace("1", "2") if what != "statement" else changed[what].replace("e", "f", 1)
        on_sqlite.file.write_text("\n".join([lines[0], json.dumps(changed), lines[2]]) + "\n")
        try:
            found = whats(on_sqlite.audited())
        except BadCheckpoint as wrong:
            found = str(wrong)
        assert "heckpoint" in found, what


def test_a_removed_checkpoint_breaks_nothing_that_is_true(on_sqlite: Watched) -> None:
    """A file that lost a line in the middle still says what the others say."""
    on_sqlite.play(20)
    lines = on_sqlite.file.read_text().splitlines()
    on_sqlite.file.write_text("\n".join([lines[0], "half a li", lines[2]]) + "\n")
    assert whats(on_sqlite.audited()) == ""


# ---------------------------------------------------------------- a start


def test_a_start_says_what_a_damaged_log_has_dropped(on_sqlite: Watched) -> None:
    """Answered commands that are not in the file any more; with a reason the house goes on, and that is signed."""
    on_sqlite.play(40)
    path = Path(sqlite_path(on_sqlite.place.url))
    early = path.read_bytes()
    on_sqlite.play(40)
    path.write_bytes(early)
    with pytest.raises(
        JournalDiffers, match=r"does not agree with checkpoint 6 of .*: .* ends at \d+ and stood at \d+"
    ):
        on_sqlite.witness().open()
    witness = on_sqlite.witness()
    witness.open("The disk was replaced.")
    witness.stop()
    found = on_sqlite.audited()
    went_on = "the operator went on with a journal that did not agree with the checkpoint before"
    assert [str(one).partition(" UTC ")[2] for one in found.differences] == [f"{went_on}: The disk was replaced."]


def test_a_start_says_that_a_record_was_changed(on_sqlite: Watched) -> None:
    on_sqlite.play(40)
    _rewrite_cashier(sqlite_path(on_sqlite.place.url))
    with pytest.raises(JournalDiffers, match="cashier has another record"):
        on_sqlite.witness().open()


def test_a_key_that_cannot_be_read_is_one_sentence(on_sqlite: Watched) -> None:
    on_sqlite.play(10)
    key = on_sqlite.file.parent / "house.witness-key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert on_sqlite.file.stat().st_mode & 0o777 == 0o600
    key.write_text("something else")
    with pytest.raises(StoreError, match="house.witness-key: The file does not hold an unencrypted private key"):
        on_sqlite.witness()


# ---------------------------------------------------------------- places


@pytest.fixture
def endpoint() -> Iterator[tuple[str, list[bytes]]]:
    taken: list[bytes] = []

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Taking)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", taken
    server.shutdown()
    server.server_close()


def test_checkpoints_go_to_an_address_and_wait_while_it_is_away(
    on_sqlite: Watched, endpoint: tuple[str, list[bytes]]
) -> None:
    address, taken = endpoint
    on_sqlite.settings = WitnessSettings(files=(str(on_sqlite.file),), addresses=(address, "http://127.0.0.1:1/"))
    witness = on_sqlite.play(20)
    assert checkpoints_in(b"".join(taken)) == checkpoints_in(on_sqlite.file.read_bytes())
    assert witness.failures == 3


def test_a_running_witness_makes_checkpoints_by_itself(on_sqlite: Watched) -> None:
    """After so many events at once, and after so many seconds of a single one."""
    on_sqlite.settings = WitnessSettings(files=(str(on_sqlite.file),), seconds=1, events=50)
    store = on_sqlite.place.open()
    witness = on_sqlite.witness()
    witness.open()
    witness.start()
    play = Play(store, 38)
    play.play(30)
    waited = threading.Event()
    for _ in range(300):
        if witness.last is not None and witness.last.says().records == sum(
            head.seq for name, head in play.house.heads.items() if not name.startswith("answers")
        ):
            break
        waited.wait(0.1)
    else:
        pytest.fail("there was never a checkpoint of everything")
    store.close()
    witness.stop()
    assert len(checkpoints_in(on_sqlite.file.read_bytes())) >= 3
    assert whats(on_sqlite.audited()) == ""


def test_a_file_that_cannot_be_written_is_counted(on_sqlite: Watched) -> None:
    """The house goes on, and its figures say so."""
    witness = on_sqlite.play(10)
    on_sqlite.file.unlink()
    on_sqlite.file.mkdir()
    store = open_store(on_sqlite.place.url, create=False, read_only=True)
    witness._make(store, Kind.RUNNING)
    store.close()
    assert witness.failures == 1
