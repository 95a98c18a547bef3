"""Analysis, advice, strategy, exploits, reports and the commands that show them."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cards import BadCard, parse_cards
from croupier.cli import cli
from croupier.lab.analysis import analyze
from croupier.lab.bets import side_bets
from croupier.lab.model.game import Unsolvable, game
from croupier.lab.model.variants import BadChange, changed_terms
from croupier.lab.play.advice import BadPosition, advise
from croupier.lab.play.exploits import exploits
from croupier.lab.play.strategy import strategy
from croupier.lab.play.strategy_card import card_text
from croupier.lab.report.plots import bands
from croupier.lab.report.sheet import make_sheet, write_sheet
from croupier.lab.solve.solution import solve
from croupier.lab.verify import hand_checks, sheet_checks
from croupier.lab.verify.simulation import simulate
from croupier.rulebooks.catalogue.fingerprint import rulebook_hash
from croupier.rulebooks.terms import BadTerms, table_terms
from tests.patience import COMPILING


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


# ---------------------------------------------------------------- analyze


def test_analyze_prints_the_figures_as_promised() -> None:
    """Exact figures are fractions in text, the others numbers."""
    found = json.loads(run("analyze", "rws-multilink-holdem", "--json", "--meter", "1000000.00").output)
    assert found["game"] == "rws-multilink-holdem"
    base = found["base"]
    assert base["ev"] == "-578107733/28381438800"
    assert base["decisions"] == {
        "fold": "10/221",
        "flop": "211/221",
        "turn": "144863/324870",
        "river": "70647667/152688900",
    }
    for name in ("house_edge", "average_wager", "element_of_risk", "standard_deviation"):
        assert isinstance(base[name], float)
    bonus = found["side_bets"]["bonus"]
    assert bonus["ev"] == "-13873/162435"
    assert bonus["hit_rate"] == "21/221"
    assert bonus["rows"][0] == {
        "row": "aces_both",
        "probability": "1/270725",
        "pays": "1000 to 1",
        "return": "40/10829",
    }
    jackpots = found["jackpot"]
    assert jackpots["fixed_return"] == "6269/32487"
    assert jackpots["meter_share"] == "19/6497400"
    assert jackpots["break_even_meter"] == "1379894.74"
    assert jackpots["awards"][0]["probability"] == "1/649740"
    assert jackpots["return_at_meter"] == pytest.approx(0.777819, abs=1e-6)
    assert found["seconds"] > 0


@pytest.mark.parametrize("columns", [80, 40])
def test_an_exact_fraction_is_never_cut_short(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands whole in a usual terminal, and goes on in the next line of a narrow one."""
    monkeypatch.setenv("COLUMNS", str(columns))
    told = run("analyze", "mbs-megalink-holdem").output
    assert "…" not in told
    assert ("-578107733/28381438800" in told) == (columns == 80)


def test_analyze_for_people() -> None:
    done = run("analyze", "rws-multilink-three-card")
    assert done.exit_code == 0
    assert "3.3730%" in done.output
    assert "Pair Plus" in done.output


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("nonsense", "write PATH=VALUE"),
        ("nothing.like.that=1", "cannot be changed"),
        ("pay_tables.bonus.kings=5 to 1", "no line"),
        ("pay_tables.bonus.aces=much", "pay_tables.bonus.aces: 'much' is not a way to pay"),
        ("bets.flop.times_ante=0", "from 1 to 100"),
        ("bets.play.times_ante=2", "no decision bet"),
        ("showdown.ante_pays_from=wheel", "cannot be paid from"),
        ("showdown.qualification=a good hand", "is not a hand to qualify with"),
        ("rulings.no-such-reading=a", "no reading"),
        ("pay_tables.bonus.kings=none", "has no row"),
        ("pay_tables.ante.flush=2 to 1", "no pay table"),
        ("jackpot_bet=much", "jackpot_bet: 'much' is not an amount"),
        ("pay_tables.nope.flush=2 to 1", "it has bonus, jackpot"),
    ],
)
def test_a_change_that_the_game_does_not_have_is_refused_in_one_line(change: str, says: str) -> None:
    """Exit code 2, as for any bad input."""
    done = run("analyze", "rws-multilink-holdem", "--set", change)
    assert done.exit_code == 2
    assert says in done.output
    with pytest.raises((BadChange, BadTerms)):
        changed_terms("rws-multilink-holdem", [change])


def test_a_changed_game_is_another_game() -> None:
    """A multiple, a qualification, a pay table and a reading."""
    plain = solve(game(changed_terms("sun-casino-holdem")))
    paid_less = solve(game(changed_terms("sun-casino-holdem", ["pay_tables.ante.flush=1 to 1"])))
    assert paid_less.ev < plain.ev
    qualifying = solve(game(changed_terms("sun-casino-holdem", ["qualification=none"])))
    assert qualifying.ev > plain.ev
    higher = solve(game(changed_terms("sun-casino-holdem", ["showdown.qualification=pair of 8s"])))
    assert higher.ev != plain.ev
    tripled = solve(game(changed_terms("rws-multilink-holdem", ["bets.flop.times_ante=3"])))
    assert tripled.average_wager > 4
    ties = solve(game(changed_terms("sun-casino-holdem", ["rulings.sun-tie-unqualified=a"])))
    assert ties.ev < plain.ev
    queen = solve(game(changed_terms("rws-multilink-three-card", ["qualification=king high"])))
    assert queen.ev != solve(game(changed_terms("rws-multilink-three-card"))).ev


def test_a_changed_side_bet_leaves_the_base_game_alone() -> None:
    terms = changed_terms("rws-multilink-holdem", ["pay_tables.bonus.aces=60 to 1"])
    found = analyze(terms)
    assert found.solved.ev == Fraction(-578107733, 28381438800)
    assert found.sides["bonus"].ev > Fraction(-13873, 162435)


def test_all_bets_together() -> None:
    """rws-progressive-holdem 3.11.2.a: with a jackpot high enough the folded hands are played for it."""
    terms = changed_terms("rws-progressive-holdem")
    low = analyze(terms, meter=100_000_00, ante=1_000, stakes={"jackpot": 500})
    assert low.combined is not None
    assert low.combined.gain >= 0
    high = analyze(terms, meter=5_000_000_00, ante=1_000, stakes={"jackpot": 500})
    assert high.combined is not None
    assert high.combined.changed
    assert high.combined.gain > 0
    assert high.combined.ev > low.combined.ev


def test_a_bonus_lost_on_folding_weighs_in_the_first_decision() -> None:
    """A Bonus that pays 7-2 would have it played; the play of the Ante alone folds it."""
    terms = changed_terms("mbs-megalink-holdem")
    found = analyze(terms, ante=1_000, stakes={"bonus": 50_000})
    assert found.combined is not None
    assert found.combined.gain >= 0
    assert found.sides["bonus"].ev == Fraction(-13873, 162435)


def test_two_readings_that_look_at_the_dealer_together_are_not_covered() -> None:
    terms = changed_terms("rws-progressive-holdem", ["rulings.bonus-on-stand-off=a", "rulings.bonus-dealer-only=a"])
    known = game(terms)
    with pytest.raises(Unsolvable):
        side_bets.figures(known.side("bonus"), solve(known))


# ---------------------------------------------------------------- advise


@pytest.mark.parametrize(
    ("name", "hand", "board", "best"),
    [
        ("rws-multilink-three-card", "Qs 6d 4c", "", "play"),
        ("rws-multilink-three-card", "Qs 6d 3c", "", "fold"),
        ("rws-multilink-holdem", "7c 2d", "", "fold"),
        ("rws-multilink-holdem", "7c 2c", "", "flop"),
        ("rws-multilink-holdem", "7c 2d", "7h 3s 9s", "turn"),
        ("rws-multilink-holdem", "7c 2d", "Ah Ks 9s", "check"),
        ("rws-multilink-holdem", "Ks Qs", "Js 3h 2d 9s", "river"),
        ("rws-multilink-holdem", "3c 2d", "As Kh Qd 9s", "check"),
        ("sun-casino-holdem", "5c 2d", "Ah Kd 9s", "fold"),
        ("sun-casino-holdem", "Ac 2d", "Kh 7d 9s", "call"),
    ],
)
def test_the_best_choice(name: str, hand: str, board: str, best: str) -> None:
    found = advise(game(table_terms(name)), parse_cards(hand), parse_cards(board))
    assert found.best == best
    assert found.options[0].cost == 0
    assert found.options[1].cost == found.options[0].value - found.options[1].value > 0


def test_advice_adds_up_along_the_streets() -> None:
    """What the turn is worth, averaged over its cards, is what checking on the flop is worth."""
    known = game(table_terms("rws-multilink-holdem"))
    own, flop = parse_cards("Kc 8d"), parse_cards("8h 5s Qs")
    on_flop = {option.choice: option.value for option in advise(known, own, flop).options}
    later = Fraction(0)
    turns = 0
    for card in ("Ah", "2c", "Td", "Ks", "9s"):
        values = advise(known, own, (*flop, *parse_cards(card))).options
        later += values[0].value
        turns += 1
    assert turns == 5
    assert on_flop["turn"] > on_flop["check"]
    placed = advise(known, own, (*flop, *parse_cards("2c")), placed=["turn"])
    without = advise(known, own, (*flop, *parse_cards("2c")))
    assert placed.best == without.best
    assert placed.options[0].cost == without.options[0].cost == 0
    assert placed.options[1].cost == without.options[1].cost


def test_positions_without_a_decision_are_refused() -> None:
    known = game(table_terms("rws-multilink-holdem"))
    with pytest.raises(BadPosition, match="0 or 3 or 4"):
        advise(known, parse_cards("As Kd"), parse_cards("2c 3c 4c 5c 7h"))
    with pytest.raises(BadPosition, match="2 cards"):
        advise(known, parse_cards("As Kd Qd"))
    with pytest.raises(BadPosition, match="no bet"):
        advise(known, parse_cards("As Kd"), parse_cards("2c 3c 4c"), placed=["call"])
    with pytest.raises(BadCard):
        advise(known, parse_cards("As Kd"), parse_cards("As 3c 4c"))


def test_advise_as_a_command() -> None:
    found = json.loads(run("advise", "rws-multilink-three-card", "--hand", "Qs 6d 4c", "--json").output)
    assert found["best"] == "play"
    assert {choice["choice"] for choice in found["choices"]} == {"play", "fold"}
    assert run("advise", "rws-multilink-three-card", "--hand", "Qs 6d").exit_code == 2
    assert run("advise", "rws-multilink-three-card", "--hand", "Qs 6d 1c").exit_code == 2
    too_early = run("advise", "rws-multilink-holdem", "--hand", "As Kd", "--board", "2c 3c 4c", "--placed", "turn")
    assert too_early.exit_code == 2
    assert "cannot lie there yet" in too_early.output
    assert run("advise", "no-such-game", "--hand", "Qs 6d 4c").exit_code == 2
    assert "best" in run("advise", "rws-multilink-three-card", "--hand", "Qs 6d 4c").output


# ---------------------------------------------------------------- strategy, exploits, reports


def test_the_strategy_of_three_card_poker_is_one_sentence() -> None:
    """Q-6-4 or better, at no cost at all."""
    found = strategy(game(table_terms("rws-multilink-three-card")))
    assert (found.lowest_played, found.highest_folded) == ("Q-6-4", "Q-6-3")
    assert found.cost == 0
    assert "Q-6-4" in card_text(found)


def test_rules_of_thumb_cost_what_they_say() -> None:
    """Less than a two-hundredth of an Ante with eight lines a decision at most; folding five hands costs nothing."""
    found = strategy(game(table_terms("rws-multilink-holdem")))
    assert found.mistakes[0] == ("flop", Fraction(0))
    assert 0 < found.cost < Fraction(1, 200)
    assert max(Counter(rule.decision for rule in found.rules).values()) <= 8
    assert found.cost == sum((cost for _, cost in found.mistakes), Fraction(0))
    assert len(found.chart) == 13
    assert found.chart[0][0].hand == "AA"
    assert found.chart[0][1].hand == "AKs"
    assert found.chart[1][0].hand == "AKo"
    assert (found.lowest_played, found.highest_folded) == ("43o", "52o")


def test_the_chart_of_casino_hold_em_says_how_often_a_hand_is_called() -> None:
    known = game(table_terms("sun-casino-holdem"))
    found = strategy(known)
    assert 0 < found.cost < Fraction(1, 200)
    assert len(found.rules) <= 8
    ways = {"s": 4, "o": 12}
    called = sum(
        (
            cell.played * ways.get(cell.hand[-1] if len(cell.hand) == 3 else "", 6)
            for row in found.chart
            for cell in row
        ),
        Fraction(0),
    )
    assert called / 1326 == solve(known).decisions["call"]


def test_what_rules_give_away() -> None:
    """mbs-megalink-holdem 5.11, 5.16.1, 3.5.3; rws 5.3.2; 3 Card Poker's Pair Plus after a fold."""
    found = {each.name: each for each in exploits(solve(game(table_terms("mbs-megalink-holdem"))))}
    walking = found["walking away instead of folding"]
    assert "5.11" in walking.rules
    assert walking.ev is not None
    assert walking.ev > 0 > walking.ev - walking.value
    on_turn = found["withdrawing after a power failure on the turn"]
    on_flop = found["withdrawing after a power failure on the flop"]
    assert on_turn.value > on_flop.value > walking.value
    assert found["5 units of the jackpot Bet"].value < found["2 units of the jackpot Bet"].value < 0
    three = {each.name: each for each in exploits(solve(game(table_terms("rws-multilink-three-card"))))}
    assert three["Pair Plus after folding, best play"].value == 0
    assert three["Pair Plus after folding, a box never looked at"].value == Fraction(5217, 5525)
    assert three["the smallest chip as a decision Bet"].value > 0
    (kept,) = exploits(solve(game(table_terms("sun-casino-holdem"))))
    assert kept.name == "the jackpot Bet after folding"
    assert 0 < kept.value < 1


def test_a_report_is_one_file_with_everything_in_it(tmp_path: Path) -> None:
    """Nothing is fetched from anywhere, and every second opinion agrees."""
    page = tmp_path / "sheet.html"
    terms = changed_terms("rws-multilink-three-card")
    written = write_sheet(make_sheet(terms, meter=1_000_000_00, rounds=100_000, sampled=1_000), page)
    text = page.read_text(encoding="utf-8")
    assert "http" not in text.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    ).replace("https://matplotlib.org", "")
    assert text.count("<svg") == 3
    assert rulebook_hash(terms.book) in text
    assert "fold-pair-plus" in text
    figures = json.loads(written.read_text(encoding="utf-8"))
    assert figures["rulebook"]["version"] == 4
    assert figures["strategy"]["lowest_played"] == "Q-6-4"
    assert figures["checks"]
    assert all(check["agrees"] for check in figures["checks"])


def test_the_hash_of_a_rulebook_changes_with_a_reading() -> None:
    one = changed_terms("mbs-megalink-holdem").book
    other = changed_terms("mbs-megalink-holdem", ["bonus-on-loss=a"]).book
    assert rulebook_hash(one) != rulebook_hash(other)
    assert rulebook_hash(one) == rulebook_hash(changed_terms("mbs-megalink-holdem").book)


def test_second_opinions_of_the_hold_em_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bonus rows dealt out card by card, awards counted on paper, the value by simulation."""
    monkeypatch.setattr(hand_checks, "COUNTED_OUT", 300)
    sheet = make_sheet(changed_terms("rws-multilink-holdem"), rounds=100_000, sampled=1_000)
    assert {"base.ev", "side.bonus.aces_both", "jackpot.royal_flush", "result.4", "thumb.river"} <= sheet.checks.keys()
    assert {"bet.turn.ev", "exploit.the smallest chip as a decision Bet", "exploit.looking at a second hand"} <= (
        sheet.checks.keys()
    )
    assert [check for check in sheet.checks.values() if not check.agrees] == []


def test_simulated_rounds_are_the_same_whoever_deals_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = solve(game(table_terms("rws-multilink-three-card")))
    together = simulate(found, 120_000, seed=3)
    monkeypatch.setenv("CROUPIER_WORKERS", "1")
    assert simulate(found, 120_000, seed=3) == together
    assert simulate(found, 120_000, seed=4) != together


def test_bands_of_a_session() -> None:
    """A coin for one unit: after four tosses the middle is 0 and one in sixteen loses all."""
    found = bands({Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}, rounds=4)
    assert found[0.5] == [-1, 0, -1, 0]
    assert found[0.05][3] == -4


def test_reports_and_strategies_as_commands(tmp_path: Path) -> None:
    page = tmp_path / "three.html"
    done = run("report", "rws-multilink-three-card", "--output", str(page), "--rounds", "0", "--settled", "0", "--json")
    assert json.loads(done.output)["html"] == str(page)
    assert page.with_suffix(".json").exists()
    found = json.loads(run("strategy", "rws-multilink-three-card", "--json").output)
    assert found["cost"] == "0"
    told = json.loads(run("analyze", "rws-multilink-three-card", "--exploits", "--json").output)
    assert {each["per"] for each in told["exploits"]} == {"ante", "pair_plus", "jackpot"}
    assert "smallest chip" in run("analyze", "rws-multilink-three-card", "--exploits").output


def test_checks_notice_a_wrong_figure() -> None:
    """A second opinion that cannot differ would be none."""
    found = solve(game(table_terms("rws-multilink-three-card")))
    figures = side_bets.figures(found.game.side("pair_plus"), found)
    wrong = side_bets.SideFigures(figures.side, {**figures.paid, "pair": Fraction(1, 2)}, figures.results)
    assert not all(check.agrees for check in sheet_checks.check_side(wrong, found).values())


# ---------------------------------------------------------------- loading


def test_nothing_of_the_lab_is_loaded_before_it_is_asked_for() -> None:
    """Importing croupier, the command line, the floor with all its entries, or the lab's own front loads no kernel."""
    code = (
        "import sys, croupier, croupier.cli.games.lab, croupier.cli.operations.serve, croupier.floor.server.app\n"
        "import croupier.lab, croupier.lab.model.game, croupier.lab.analysis, croupier.lab.model.variants\n"
        "print([name for name in ('numba', 'numpy', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=COMPILING)
    assert done.stdout.strip() == "[]"


def test_without_the_extra_one_sentence_says_what_is_missing(tmp_path: Path) -> None:
    """Exit code 2, no traceback; whatever needs no kernel works."""
    for name in ("numba", "numpy", "matplotlib"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError('gone', name={name!r})\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "croupier", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=COMPILING, env=environment)

    for arguments in (
        ("analyze", "rws-multilink-three-card"),
        ("advise", "rws-multilink-three-card", "--hand", "Qs 6d 4c"),
        ("strategy", "sun-casino-holdem"),
        ("report", "mbs-megalink-holdem", "--output", str(tmp_path / "page.html")),
    ):
        done = call(*arguments)
        assert done.returncode == 2, done.stderr
        assert "install croupier with its extra [lab]" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert call("games").returncode == 0


def test_the_cache_notices_changed_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of compiled kernels is named after every source behind them; what they do not draw on is left alone."""
    from croupier.lab.kernels.runtime import compiler  # noqa: PLC0415

    before = {name: compiler.fingerprint(name) for name in ("enumerate.rivers", "enumerate.three_card")}
    assert compiler.cache_folder("enumerate.rivers").name == f"enumerate.rivers-{before['enumerate.rivers']}"
    shutil.copytree(compiler._KERNELS, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(compiler, "_KERNELS", tmp_path)

    def again(name: str) -> bool:
        compiler._source.cache_clear()
        return compiler.fingerprint(name) == before[name]

    try:
        assert again("enumerate.rivers")
        # rivers draws on flushes, that on flush_sweep; hands of three cards draw on neither.
        with (tmp_path / "enumerate" / "flush_sweep.py").open("a", encoding="utf-8") as changed:
            changed.write("# changed\n")
        assert not again("enumerate.rivers")
        assert again("enumerate.three_card")
    finally:
        compiler._source.cache_clear()


def test_every_import_of_a_kernel_is_known_to_the_cache() -> None:
    """As the parser sees them, so that no way of writing an import hides a source."""
    from croupier.lab.kernels.runtime import compiler  # noqa: PLC0415

    for source in compiler._KERNELS.glob("*/*.py"):
        drawn = set()
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(compiler.PACKAGE):
                module = (node.module or "").removeprefix(compiler.PACKAGE).removeprefix(".")
                drawn |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
        known = {name for name in drawn if compiler._file(name).is_file()}
        assert set(compiler._source(f"{source.parent.name}.{source.stem}")[1]) == known
