"""A simulated floor: its rounds are the house's, its meter the link's, its days add up, and it is the same for all."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path

import msgspec
import pytest

from croupier.cli import run
from croupier.floor.audit.audit import audit
from croupier.floor.simulated import config, floor_figures, lifetime, patrons, samples
from croupier.floor.simulated.config import BadFloor, Floor, FloorConfig, TablesConfig, changed, read, understand
from croupier.floor.simulated.lifetime import Life, Meter, Scene
from croupier.floor.simulated.report import page
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Contributions, contribution_of, new_link
from croupier.journal.store_address import open_store
from croupier.lab.solve.solution import solve

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "floor.toml"
PURE = config.PeopleConfig(optimal=1.0, simple=0.0)


def small(**changes: object) -> Floor:
    """One table of each kind of game, a week."""
    link = config.LinkConfig(
        meter="30000.00", reset="20000.00", contribution="7/33", reserve="1/7", cap="60000.00", currency="SGD"
    )
    games = ("rws-multilink-holdem", "rws-multilink-three-card", "sun-casino-holdem")
    tables = [
        TablesConfig(game=name, count=2, ante="20.00", seats=5, jackpot=0.8, players=PURE, rounds_per_hour=60)
        for name in games
    ]
    told = {"link": link, "tables": tables, "days": 4, "lives": 3, "seed": 5, **changes}
    return understand(FloorConfig(**told))  # type: ignore[arg-type]  # what is changed is of its type


def lives(scene: Scene, workers: int) -> tuple[Life, ...]:
    return lifetime.lived(scene, workers)[0]


@pytest.fixture(scope="module")
def lived() -> tuple[Scene, tuple[Life, ...]]:
    scene = Scene(small())
    return scene, lives(scene, 2)


def test_any_number_of_workers_lives_the_same_lives(lived: tuple[Scene, tuple[Life, ...]]) -> None:
    scene, found = lived
    assert lives(scene, 1) == found
    assert lives(scene, 3) == found
    assert len({life.days for life in found}) == 3


def test_days_add_up(lived: tuple[Scene, tuple[Life, ...]]) -> None:
    """Conservation on the link, contributions by the number of bets, and every hit in its day."""
    scene, found = lived
    for life in found:
        link = life.link
        assert link.balances
        assert sum(day.contributed for day in life.days) == link.contributed
        each = Meter(scene)
        bets = sum(day.jackpot_bets for day in life.days)
        assert link.contributed == bets * (each.units[0] + each.reserve[0])
        for number, day in enumerate(life.days):
            assert day.from_meter == sum(hit.amount for hit in life.hits if hit.day == number)
        assert life.days[-1].meter == link.cents


def test_the_house_wins_what_the_lab_says() -> None:
    """Best players at three card poker: the House's win for each hand is the house edge, within four errors."""
    tables = [TablesConfig(game="rws-multilink-three-card", count=3, ante="10.00", seats=6, jackpot=0.0, players=PURE)]
    floor = small(tables=tables, days=20, lives=1)
    (life,) = lives(Scene(floor), 1)
    hands = sum(day.hands for day in life.days)
    win = sum(day.table_win for day in life.days) / 1000 / hands
    solved = solve(floor.groups[0].game)
    # Hands of one Round share the Dealer's, so they are worth fewer than as many single ones.
    assert abs(win - solved.house_edge) < 4 * 2 * solved.standard_deviation / sqrt(hands)


def test_the_meter_is_the_links_own() -> None:
    """Contributions added by their number come to what the link adds Bet by Bet, past the cap too."""
    scene = Scene(small())
    meter = Meter(scene)
    link = new_link(scene.floor.meter, scene.floor.parameters)
    bet = scene.floor.groups[0].terms.jackpot_bet
    assert bet is not None
    for times in (1, 7, 400, 3, 30_000, 11):
        for _ in range(times):
            link = evolve_link(link, contribution_of(link, "T", 1, 1, bet))
            link = msgspec.structs.replace(link, contributions=Contributions())
        meter.contribute(times * meter.units[0], times * meter.reserve[0])
        ours = meter.link
        assert (ours.meter, ours.reserve, ours.overflow) == (link.meter, link.reserve, link.overflow)
    assert link.overflow > 0


def test_sampled_rounds_are_played_alike_by_the_real_house(tmp_path: Path) -> None:
    """Bets to the cent, awards and meter to the unit; and the journal is one that the audit finds nothing in."""
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    try:
        found = samples.play_again(Scene(small()), store, 24)
        assert found.rounds >= 20
        assert found.lines > 150
        judged = audit(store)
        assert judged.difference_count == 0
        assert judged.rounds == found.rounds
        assert judged.meters[patrons.LINK] == found.meter_units // new_link(0, small().parameters).scale
    finally:
        store.close()


def test_a_difference_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulation that pays a cent more than the house is told so."""
    scene = Scene(small())
    real = patrons.look

    def off_by_a_cent(*arguments: object) -> patrons.Seen | None:
        seen = real(*arguments)  # type: ignore[arg-type]  # passed through
        return None if seen is None else msgspec.structs.replace(seen, net=seen.net + 1)

    monkeypatch.setattr(samples, "look", off_by_a_cent)
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    try:
        with pytest.raises(patrons.Differs, match="the house pays"):
            samples.play_again(scene, store, 3)
    finally:
        store.close()


def test_errors_and_void_rounds_come_as_often_as_said() -> None:
    errors = config.ErrorsConfig(void_rounds=0.02, mispaid=0.05)
    tables = [
        TablesConfig(game="rws-multilink-three-card", count=2, ante="10.00", seats=7, players=PURE, errors=errors)
    ]
    (life,) = lives(Scene(small(tables=tables, days=10, lives=1)), 1)
    voids, rounds = sum(day.voids for day in life.days), sum(day.rounds for day in life.days)
    share = voids / (voids + rounds)
    assert abs(share - 0.02) < 4 * sqrt(0.02 * 0.98 / (voids + rounds))
    assert sum(day.errors for day in life.days) > 0


def test_the_report_shows_what_was_found(lived: tuple[Scene, tuple[Life, ...]]) -> None:
    scene, found = lived
    figures = floor_figures.figures(scene.floor, found, 1.0)
    shown = page(scene.floor, found, figures)
    assert shown.count("<svg") == 4
    for name in ("The meter, day by day", "What the meter paid", "Single days", "fair from: rws-multilink-holdem"):
        assert name in shown
    assert figures.hands == sum(day.hands for life in found for day in life.days)
    assert len(figures.daily_bands["0.5"]) == 4
    assert {each.game: each.meter is not None for each in figures.break_even}["rws-multilink-holdem"]


def test_the_example_is_understood() -> None:
    floor = read(EXAMPLE)
    assert floor.tables == 100
    assert changed(floor, days=3, lives=None, seed=9).config.days == 3


def test_a_floor_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two days of the example, some of its rounds played again by the house, with a page and its figures."""
    out = tmp_path / "floor.html"
    arguments = ["simulate", "floor", str(EXAMPLE), "--days", "2", "--lives", "1", "--sample", "6"]
    assert run([*arguments, "--output", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sampled"]["rounds"] > 0
    assert found["days"] == 2
    assert out.exists()
    assert json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))["hands"] == found["hands"]


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('game = "rws-multilink-holdem"', 'game = "roulette"', "there is no game roulette"),
        ("days = 365", "days = 0", "days: must be from 1 to"),
        ("jackpot = 0.65", "jackpot = 1.65", "a share must be between 0 and 1"),
        ("seats = 4.5", "seats = 9", "seats: must be more than 0 and at most 7"),
        ('ante = "25.00"', 'ante = "1.00"', "ante: must be from 10.00 to 500.00"),
        ('contribution = "0.25"', 'contribution = "a quarter"', "a share is written"),
        ('reserve = "0.05"', 'reserve = "0.85"', "more than the whole jackpot bet"),
        ("optimal = 0.1, simple = 0.6", "optimal = 0.5, simple = 0.6", "sum to 1"),
        ('meter = "150000.00"', "meter = 150000", "link.meter"),
        ("seed = 1", "seed = 1\ncolour = 3", "colour"),
        ("[link]", "[link", "floor.toml"),
    ],
)
def test_a_bad_floor_is_refused_with_its_place(before: str, after: str, says: str, tmp_path: Path) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert before in text
    path = tmp_path / "floor.toml"
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(BadFloor, match=says):
        read(path)


def test_no_day_is_played_twice() -> None:
    """Rounds of different lives, tables and days have numbers of their own."""
    scene = Scene(small())
    seen = {scene.numbers(life, table, day) for life in range(3) for table in range(6) for day in range(4)}
    assert len(seen) == 72
    assert all(first % (600 * 24) == 0 for first, _ in seen)
    assert lifetime.MOST_HITS > 0
