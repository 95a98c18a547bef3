"""An audit from a signed milestone: only what is new is judged, and a change of what is old is still found."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.cli import run
from croupier.floor.audit.audit import Audited, audit
from croupier.floor.audit.judgement.cursors import Judged, Run, TableTrial
from croupier.floor.audit.judgement.memory_check import MemoryCheck
from croupier.floor.audit.milestone import Milestone, read_milestone, signed_milestone
from croupier.journal.checkpoint import BadCheckpoint
from croupier.journal.sqlite import sqlite_path
from croupier.journal.store import Store
from croupier.testing.crowd import Crowd
from tests.floor.played_house import Play
from tests.floor.tamperer import change, small_snapshots
from tests.stores import SqlitePlace


def made(store: Store, milestone: Milestone | None = None, processes: int = 1) -> tuple[Audited, Milestone]:
    kept: list[Milestone] = []
    report = audit(store, milestone=milestone, keep=kept.append, processes=processes)
    assert report.is_clean, report.differences
    # As it comes back from its file.
    key = Ed25519PrivateKey.generate()
    return report, read_milestone(signed_milestone(kept[0], key), key)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that were judged at tables."""
    found: list[str] = []
    check = MemoryCheck.check

    def noting(self: MemoryCheck, table: TableTrial, run: Run, judged: Judged) -> None:
        found.append(run.command)
        check(self, table, run, judged)

    monkeypatch.setattr(MemoryCheck, "check", noting)
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_audit_goes_on_from_its_milestones(tmp_path: Path, seed: int, judged: list[str]) -> None:
    """Whatever people did, in the middle of rounds: the same report, and nothing old is judged again."""
    play = Play(SqlitePlace(tmp_path).open(), seed, rich=0.8)
    play.crowd = Crowd(play.random, 12, boxes=4, trouble=0.2)
    milestone: Milestone | None = None
    before: set[str] = set()
    for _ in range(4):
        play.play(130)
        whole = audit(play.store)
        judged.clear()
        report, milestone = made(play.store, milestone)
        assert report == whole
        assert before.isdisjoint(judged)
        before.update(judged)
    assert made(play.store, milestone)[1].boundaries == milestone.boundaries if milestone else False
    play.store.close()


def test_milestones_and_shares_go_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes make a milestone, and go on from it."""
    play = Play(SqlitePlace(tmp_path).open(), 4)
    play.play(80)
    _, alone = made(play.store)
    play.play(60)
    whole = audit(play.store)
    monkeypatch.setattr("croupier.floor.audit.audit._Audit.run", lambda _: pytest.fail("one process did it"))
    report, milestone = made(play.store, alone, processes=2)
    assert report == whole
    assert made(play.store, milestone, processes=2)[0] == whole
    play.store.close()


OLD = {
    "a record": "UPDATE records SET data = replace(data, '00', '01') WHERE stream = 'table/T1' AND type = 'BetPlaced'",
    "an entry": "UPDATE postings SET amount = -amount WHERE stream = 'table/T1' AND seq < 40",
    "a deck": "UPDATE decks SET deck = replace(deck, 'salt', 'sale') WHERE \"table\" = 'T1' AND round = 1",
    "an answer": "DELETE FROM answers WHERE seq = 30",
    "a snapshot": "DELETE FROM snapshots",
    "a contribution": "UPDATE records SET at = at + 1 WHERE stream = 'link/main' AND seq = 3",
    "a balance": "UPDATE accounts SET balance = balance + 1 WHERE account = 'player/p1'",
}


@pytest.mark.parametrize("statement", OLD.values(), ids=OLD)
def test_a_change_of_what_was_audited_is_found(statement: str, tmp_path: Path) -> None:
    """With the words of an audit of everything."""
    place = SqlitePlace(tmp_path)
    with small_snapshots():
        play = Play(place.open(), 5, rich=1.0)
        play.play(150)
        _, milestone = made(play.store)
        play.play(30)
        play.store.close()
        change(sqlite_path(place.url), statement)
        store = place.open(read_only=True)
        whole = audit(store, anchors=milestone.heads)
        assert not whole.is_clean
        assert audit(store, milestone=milestone) == whole
        store.close()


def test_only_its_own_key_opens_a_milestone() -> None:
    """A changed file, or one that another key has signed, is not taken."""
    key = Ed25519PrivateKey.generate()
    line = signed_milestone(Milestone(at=1, events=2, heads={}), key)
    assert read_milestone(line, key).events == 2
    for changed, opener in ((line, Ed25519PrivateKey.generate()), (line.replace(b"2", b"3", 1), key), (b"{}", key)):
        with pytest.raises(BadCheckpoint):
            read_milestone(changed, opener)


def test_the_command_line_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first audit makes the file and its key; the next one says what was audited before."""
    place, file = SqlitePlace(tmp_path), tmp_path / "audit.milestone"
    play = Play(place.open(), 5)
    play.play(60)
    asked = ("audit", "--database", place.url, "--resume", str(file))
    assert run(asked) == 0
    assert "Audited before" not in capsys.readouterr().out
    assert (tmp_path / "audit.milestone-key").stat().st_mode & 0o077 == 0
    play.play(20)
    assert run(asked) == 0
    assert "Audited before: " in capsys.readouterr().out
    file.write_bytes(file.read_bytes().replace(b"events", b"evens"))
    assert run(asked) == 2
    assert "Move it away" in capsys.readouterr().err
    assert run((*asked, "--backup", str(file))) == 2
    assert "leave out" in capsys.readouterr().err
    play.store.close()
