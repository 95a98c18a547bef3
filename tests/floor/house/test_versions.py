"""Events of other releases: old ones are raised when they are read, those of a newer program are refused by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.history.link_figures import figures
from croupier.floor.house.house import House
from croupier.floor.records.upcasters import VERSIONS
from croupier.journal.records import ChainBroken
from tests.floor.played_house import Play
from tests.patience import PATIENCE
from tests.stores import Place, PostgresPlace, SqlitePlace


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("postgres"))


TYPES = ("TableOpened", "BetPlaced", "LinkOpened", "Contributed", "BoughtIn")


@pytest.fixture
def raised(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A next release, in which some events are at a next version: which of them were raised."""
    seen: list[str] = []

    def upcaster(fields: dict[str, object]) -> dict[str, object]:
        seen.append(str(fields["type"]))
        return fields

    newer = {name: VERSIONS.of(name) + 1 for name in TYPES}
    raises = {(name, VERSIONS.of(name)): upcaster for name in TYPES}
    monkeypatch.setattr(VERSIONS, "current", {**VERSIONS.current, **newer})
    monkeypatch.setattr(VERSIONS, "upcasters", {**VERSIONS.upcasters, **raises})
    return seen


def test_a_journal_of_an_older_release_is_read_on(place: Place, request: pytest.FixtureRequest) -> None:
    """The next release starts on it, plays on with events of its own version, and the audit follows both."""
    old = Play(place.open())
    old.play(80)
    left = {name: table.round for name, table in old.house.tables.items()}
    old.store.close()
    seen: list[str] = request.getfixturevalue("raised")
    newer = Play(place.open())
    assert {name: table.round for name, table in newer.house.tables.items()} == left
    assert set(seen) == {"TableOpened", "BetPlaced", "LinkOpened", "Contributed"}
    newer.asked = old.asked
    newer.play(80)
    versions = {
        (record.type, record.version)
        for stream in newer.store.streams()
        for record in newer.store.read(stream)
        if record.type in TYPES
    }
    assert {("BetPlaced", 1), ("BetPlaced", 2), ("TableOpened", 3)} <= versions
    seen.clear()
    report = audit(newer.store)
    assert report.differences == ()
    assert set(seen) == set(TYPES)
    assert figures(newer.store, "main").conserved
    newer.store.close()


def test_a_journal_of_a_newer_release_is_refused_by_name(
    place: Place, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is guessed: one line that says which event, and that a newer program wrote it."""
    request.getfixturevalue("raised")
    newer = Play(place.open())
    newer.play(30)
    newer.store.close()
    monkeypatch.undo()
    store = place.open()
    with pytest.raises(ChainBroken, match="is TableOpened version 4; this program knows up to 3, so a newer one wrote"):
        House(store, newer.chance)
    assert not audit(store).is_clean
    store.close()
    command = [sys.executable, "-m", "croupier", "serve", "--database", place.url, "--port", "1"]
    environment = {**os.environ, "CROUPIER_KEY": "5e" * 32}
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, env=environment)
    assert said.returncode == 2
    assert said.stderr.count("\n") == 1
    assert "a newer one wrote it" in said.stderr
