"""Whole days of a simulated floor in a journal: the house's own rounds, and the simulation's own sums, to the cent."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from croupier.cli import run
from croupier.floor.audit.audit import audit
from croupier.floor.history.link_figures import day_of, figures, trial_balance
from croupier.floor.records.commands import Answer, Request
from croupier.floor.simulated import config, journal_days, lifetime, patrons
from croupier.floor.simulated.config import FloorConfig, TablesConfig, understand
from croupier.floor.simulated.journal_days import Writer, compare, compared
from croupier.floor.simulated.journal_reader import days_of
from croupier.floor.simulated.lifetime import Life, Scene, live, lived
from croupier.floor.simulated.patrons import FIRST_DAY, LINK, Differs, ways_to_void
from croupier.journal.store import Store
from croupier.journal.store_address import open_store
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import table_terms

PEOPLE = config.PeopleConfig(optimal=0.3, simple=0.3, careless=0.4)
ERRORS = config.ErrorsConfig(void_rounds=0.08, mispaid=0.1)
LIVES = 20_000
"""So many lives are looked through for one in which something rare happens."""


def floor_of(games: tuple[str, ...], *, cap: str | None, days: int = 1, hours: int = 1) -> Scene:
    """A table of each game, fast and full, with dealers who err."""
    link = config.LinkConfig(meter="30000.00", reset="20000.00", contribution="7/33", reserve="1/7", cap=cap)
    tables = [
        TablesConfig(
            game=name,
            count=1,
            ante="20.00",
            seats=5,
            jackpot=0.9,
            side=0.0 if name == "sun-casino-holdem" else 0.5,
            rounds_per_hour=22 + 9 * at,
            players=PEOPLE,
            errors=ERRORS,
        )
        for at, name in enumerate(games)
    ]
    return Scene(understand(FloorConfig(link=link, tables=tables, days=days, hours=hours, lives=LIVES, seed=5)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'days.db'}")
    yield opened
    opened.close()


def first(scene: Scene, wanted: Callable[[Life], bool]) -> Life:
    """The first life in which it happens."""
    return next(life for number in range(LIVES) if wanted(life := live(scene, number, scene.floor.config.days)))


def written(scene: Scene, store: Store, life: Life) -> journal_days.Journal:
    writer = Writer(scene, store, life.number)
    writer.write(len(life.days))
    return compared(writer, life)


@pytest.mark.parametrize("game", GAMES)
def test_every_round_of_a_game_is_in_the_journal_and_comes_to_the_same_cent(game: str, store: Store) -> None:
    """Two days of one table: meter, stakes, results, awards, voids and mispays; and the audit finds no difference."""
    scene = floor_of((game,), cap="30200.00", days=2)
    life = first(scene, lambda life: all(day.voids and day.errors for day in life.days))
    found = written(scene, store, life)
    assert found.rounds == sum(day.rounds + day.voids for day in life.days)
    assert life.link.overflow > 0
    judged = audit(store)
    assert judged.difference_count == 0
    assert judged.rounds == found.rounds
    assert judged.meters[LINK] == life.link.cents


def test_mixed_tables_share_a_meter_that_pays_in_its_order(store: Store) -> None:
    """An award that waits for a round dealt earlier at another table is paid when that one is settled, in both."""

    def waited(life: Life) -> bool:
        return any(hit.seconds > scene.settled(hit.table, hit.round - 1) // 1000 for hit in life.hits)

    scene = floor_of(tuple(GAMES), cap=None)
    life = first(scene, waited)
    found = written(scene, store, life)
    assert found.awards == len(life.hits) > 0
    assert audit(store).difference_count == 0
    shown = figures(store, LINK, day_of(FIRST_DAY.date()))
    assert shown.hits == len(life.hits)
    assert shown.day is not None
    assert shown.day.adds_up
    assert shown.ledger_agrees
    assert shown.conserved
    assert trial_balance(store).balances


def test_a_whole_meter_is_won_and_topped_up_alike(store: Store) -> None:
    """The reserve first, then the House; and the day's closing values are the simulation's."""
    scene = floor_of(tuple(GAMES), cap="30200.00")
    life = first(scene, lambda life: any(hit.is_all for hit in life.hits))
    written(scene, store, life)
    assert life.days[0].topped_up > 0
    assert audit(store).difference_count == 0


def test_the_books_carry_simulated_times(store: Store) -> None:
    scene = floor_of(("sun-casino-holdem",), cap=None, days=2)
    life = live(scene, 0, 2)
    written(scene, store, life)
    seconds = int(FIRST_DAY.timestamp())
    every = [record.at / 1_000_000 - seconds for record in store.read("table/S1")]
    assert every == sorted(every)
    assert 0 < every[0] < 3600
    assert timedelta(days=1).total_seconds() < every[-1] < timedelta(days=1, hours=1).total_seconds()


def test_a_journal_that_differs_would_be_noticed(store: Store) -> None:
    """A cent more in the simulation's day, one award less, or a unit on its meter."""
    scene = floor_of(tuple(GAMES), cap=None)
    life = first(scene, lambda life: bool(life.hits))
    written(scene, store, life)
    replace = msgspec.structs.replace
    dearer = replace(life.days[0], table_win=life.days[0].table_win + 1)
    wrongs = (
        (replace(life, days=(dearer,)), "table_win"),
        (replace(life, hits=life.hits[1:]), "awards"),
        (replace(life, link=replace(life.link, meter=life.link.meter + 1)), "meter"),
    )
    for wrong, says in wrongs:
        with pytest.raises(Differs, match=says):
            compare(store, wrong)
    assert days_of(store, LINK, 1).days == life.days


@pytest.mark.parametrize("game", GAMES)
def test_every_game_knows_a_way_to_void_a_round(game: str) -> None:
    """By a report alone, or by a report and the ruling it waits for; what no paragraph covers is always among them."""
    ways = ways_to_void(table_terms(game))
    assert ways[-1] == patrons._MISDEALS[-1]
    assert len(ways) == (1 if game == "sun-casino-holdem" else len(patrons._MISDEALS))


CONFIG = """
days = 1
hours = 1
lives = 2
[link]
meter = "30000.00"
reset = "20000.00"
contribution = "0.25"
[[tables]]
game = "rws-multilink-three-card"
count = 2
ante = "10.00"
rounds_per_hour = 20
errors = { void_rounds = 0.1, mispaid = 0.1 }
"""


def test_a_journal_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Written, audited, read by figures; and not written twice into one file."""
    path, url = tmp_path / "floor.toml", f"sqlite:///{tmp_path / 'days.db'}"
    path.write_text(CONFIG, encoding="utf-8")
    arguments = ["simulate", "floor", str(path), "--journal", url]
    assert run([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["journal"]
    assert found["rounds"] == 40
    assert found["rounds_a_second"] > 0
    assert run(["audit", "--database", url]) == 0
    assert run(["figures", LINK, "--database", url]) == 0
    capsys.readouterr()
    assert run(arguments) == 2
    assert "has records already" in capsys.readouterr().err
    assert run(["simulate", "floor", str(path), "--journal", "days.db"]) == 2
    assert "is not a database address" in capsys.readouterr().err


def test_whoever_stops_the_writing_is_told_what_is_on_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of a transaction: its rounds are not there, and are not counted either."""
    monkeypatch.setattr(patrons, "AT_ONCE", 100)
    writer = Writer(floor_of(("sun-casino-holdem",), cap=None), store)
    whole = writer.asking.house.process

    def pressed(asked: list[Request]) -> list[Answer]:
        if writer.rounds > 10:
            raise KeyboardInterrupt
        return whole(asked)

    monkeypatch.setattr(writer.asking.house, "process", pressed)
    with pytest.raises(KeyboardInterrupt):
        writer.write(1)
    monkeypatch.undo()
    assert 0 < writer.asking.rounds_on_disk == audit(store).rounds < writer.rounds


def test_whoever_stops_a_floor_gets_the_days_that_were_lived(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while lives are waited for: the days that were over are the last ones, and every life is shown as long."""
    scene = floor_of(("rws-multilink-three-card",), cap=None)
    long = Scene(understand(msgspec.structs.replace(scene.floor.config, lives=2, days=36_500)))
    begun = threading.Event()

    def pressed(_futures: object) -> None:
        begun.wait()
        raise KeyboardInterrupt

    monkeypatch.setattr(lifetime, "wait", pressed)
    found, stopped = lived(long, 2, lambda _life, day: begun.set() if day == 2 else None)
    assert stopped
    assert 0 < len(found[0].days) < 36_500
    assert {len(life.days) for life in found} == {len(found[0].days)}
    assert found[0].days[:1] == live(long, found[0].number, 1).days


def test_a_life_ends_within_a_day_where_that_is_enough() -> None:
    """The day that was begun is left out, so nobody waits for it; the days before it are what they always are."""
    scene = floor_of(("rws-multilink-three-card",), cap=None, days=9)
    over: list[int] = []
    found = live(scene, 0, 9, over.append, lambda: len(over) == 4)
    assert over == [0, 1, 2, 3]
    assert found.days == live(scene, 0, 4).days
    assert lifetime.MOST_HITS > 0
