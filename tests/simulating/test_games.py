"""The simulator and the lab: ten million rounds over the five games, every figure within four standard errors."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from croupier.lab.kernels.runtime.compiler import zeros
from croupier.lab.model.game import game
from croupier.lab.play import strategy as thumb
from croupier.lab.simulator import decision_tables, figures, jobs, runner, strategies
from croupier.lab.simulator.jobs import SHARD, Job
from croupier.lab.simulator.outcome_counts import BASE, OutcomeSummary
from croupier.lab.simulator.runner import BadCheckpoint, Run, run, threads
from croupier.lab.simulator.strategies import BadStrategy, Strategy, named, strategy
from croupier.lab.solve.holdem import STARTING_HANDS
from croupier.lab.solve.solution import solve
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import table_terms

SIGMAS = 4
ROUNDS = 2_000_000


def job(name: str, said: str = "optimal", seed: int = 11, careless: float = 0.0) -> Job:
    known = game(table_terms(name))
    return Job(name, strategy(known, said, careless), seed)


def played(of: Job, rounds: int = ROUNDS, workers: int = 2) -> Run:
    with threads(workers) as hands:
        return run(of, hands, rounds=rounds)


@pytest.mark.parametrize("name", GAMES)
def test_ten_million_rounds_agree_with_the_exact_lab(name: str) -> None:
    """Means of every bet that is solved, each decision, each row of each side bet and of the jackpot, the marginals."""
    found = figures.figures(played(job(name)))
    assert found.rounds == ROUNDS
    compared = [each for each in (*found.means, *found.shares) if each.exact is not None]
    assert {BASE, "jackpot"} <= {each.name for each in compared}
    assert {"dealt a pair", "dealt suited"} <= {each.name for each in compared} or "dealt pair" in {
        each.name for each in compared
    }
    for each in compared:
        if each.exact is not None and each.exact * ROUNDS < 30 and each not in found.means:
            continue  # too rare for an error to be of any use; the billion rounds look at them
        assert each.sigmas is not None
        assert abs(each.sigmas) < SIGMAS, each
    solved = solve(game(table_terms(name)))
    assert found.deviations[BASE] == pytest.approx(solved.standard_deviation, rel=0.005)


@pytest.mark.parametrize("name", ["rws-multilink-three-card", "rws-multilink-holdem", "sun-casino-holdem"])
def test_the_rules_of_thumb_cost_what_the_lab_says(name: str) -> None:
    """The mean of the simple strategy is the exact value less the exact cost of the rules."""
    known = game(table_terms(name))
    solved = solve(known)
    rules = thumb.strategy(known, solved)
    seen = played(job(name, "simple")).seen()
    exact = float(solved.ev - rules.cost)
    assert abs(float(seen.moments.mean(0)) - exact) < SIGMAS * seen.moments.error(0)


def test_the_cost_of_the_rules_shows_in_the_same_rounds() -> None:
    """Played by both strategies on the same cards, the difference is known far more closely than either."""
    known = game(table_terms("sun-casino-holdem"))
    cost = float(thumb.strategy(known).cost)
    best, simple = (played(job("sun-casino-holdem", said), SHARD * 4).seen() for said in ("optimal", "simple"))
    difference = float(best.moments.mean(0) - simple.moments.mean(0))
    assert difference == pytest.approx(cost, abs=0.3 * cost)


@pytest.mark.parametrize("name", ["rws-multilink-three-card", "mbs-megalink-holdem", "sun-casino-holdem"])
def test_any_number_of_workers_counts_alike(name: str) -> None:
    rounds = SHARD * 3 + 17
    one = played(job(name), rounds, workers=1)
    five = played(job(name), rounds, workers=5)
    assert np.array_equal(one.counts, five.counts)
    assert one.done == five.done == rounds
    assert not np.array_equal(one.counts, played(job(name, seed=12), rounds).counts)


def test_shards_of_any_size_count_alike() -> None:
    """A round is the same in whatever shard and batch it is played."""
    known = game(table_terms("rws-progressive-holdem"))
    table = decision_tables.table(known, named(known, "optimal"))
    whole, cut = zeros(jobs.size(known)), zeros(jobs.size(known))
    jobs.play_rounds(known, table, 3, 0, 40_000, whole)
    for first, last in ((0, 1), (1, 777), (777, 20_000), (20_000, 40_000)):
        jobs.play_rounds(known, table, 3, first, last, cut)
    assert np.array_equal(whole, cut)


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped after any shard and resumed, it comes to the same counts."""
    of, kept = job("rws-multilink-three-card"), tmp_path / "kept"
    rounds = SHARD * 5 + 3
    undisturbed = played(of, rounds)
    monkeypatch.setattr(runner, "KEEP_EVERY", 1)
    stopped = Run(of, rounds=rounds, checkpoint=kept, report=_stop_after(SHARD * 2))
    with threads(2) as hands, pytest.raises(KeyboardInterrupt):
        stopped.play(hands)
    resumed = Run(of, rounds=rounds, checkpoint=kept)
    assert SHARD * 2 <= resumed.done < rounds
    with threads(2) as hands:
        resumed.play(hands)
    assert np.array_equal(resumed.counts, undisturbed.counts)
    again = Run(of, rounds=rounds, checkpoint=kept)
    assert again.done == rounds


def _stop_after(rounds: int) -> runner.Report:
    def watching(done: int, _wanted: int | None) -> None:
        if done >= rounds:
            raise KeyboardInterrupt

    return watching


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    with threads(1) as hands:
        run(job("rws-multilink-three-card"), hands, rounds=100, checkpoint=kept)
    with pytest.raises(BadCheckpoint, match="another simulation"):
        Run(job("rws-multilink-three-card", seed=99), rounds=100, checkpoint=kept)
    with pytest.raises(BadCheckpoint, match="cannot continue"):
        Run(job("rws-multilink-three-card"), rounds=200, checkpoint=kept)
    kept.write_bytes(b"nonsense")
    with pytest.raises(BadCheckpoint, match="not a checkpoint"):
        Run(job("rws-multilink-three-card"), rounds=100, checkpoint=kept)


def test_a_run_stops_at_the_wanted_precision_wherever_it_is_played() -> None:
    of = job("rws-multilink-three-card")
    found = []
    for workers in (1, 4):
        with threads(workers) as hands:
            found.append(run(of, hands, rounds=None, until=0.0007))
    one, four = found
    assert one.done == four.done
    assert np.array_equal(one.counts, four.counts)
    assert one.seen().moments.error(0) <= 0.0007
    assert one.done % SHARD == 0


def test_careless_players_err_as_often_as_said() -> None:
    """Every tenth first decision is taken the other way, and the mean falls."""
    name = "rws-multilink-three-card"
    careful, careless = played(job(name)).seen(), played(job(name, careless=0.1)).seen()
    folds = careful.decisions["fold"] / ROUNDS
    expected = folds * 0.9 + (1 - folds) * 0.1
    error = sqrt(expected * (1 - expected) / ROUNDS)
    assert abs(careless.decisions["fold"] / ROUNDS - expected) < SIGMAS * error
    assert careless.moments.mean(0) < careful.moments.mean(0)


# ---------------------------------------------------------------- strategies from files


def test_a_strategy_file_plays_what_it_says(tmp_path: Path) -> None:
    """Q-6-4 in a file is the best play of 3 Card Poker, and is played alike."""
    path = tmp_path / "play.toml"
    path.write_text('game = "rws-multilink-three-card"\n[play]\nat_least = "Q-6-4"\n', encoding="utf-8")
    name = "rws-multilink-three-card"
    best, file = played(job(name), SHARD), played(job(name, str(path)), SHARD)
    assert np.array_equal(best.counts, file.counts)


def test_a_file_for_hold_em(tmp_path: Path) -> None:
    """Starting hands that are folded, and from which card on is bet later; what is left out is never bet."""
    path = tmp_path / "tight.toml"
    path.write_text(
        '[flop]\nfold = ["72o", "82o", "32o"]\n[turn]\n"a pair of your own" = "T"\n'
        '"two pairs or better of your own" = "always"\n',
        encoding="utf-8",
    )
    known = game(table_terms("rws-multilink-holdem"))
    seen = played(job("rws-multilink-holdem", str(path)), SHARD).seen()
    folded = {hand.name for hand in STARTING_HANDS if seen.hands[hand.number, 0]}
    assert folded == {"72o", "82o", "32o"}
    assert 0 < seen.decisions["turn"] < 0.5 * SHARD
    exact = solve(known).decisions["river"]
    # The river is not in the file, so it is played as is best.
    share = seen.decisions["river"] / SHARD
    assert share == pytest.approx(float(exact), abs=0.02)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[play", "is not TOML"),
        ('game = "sun-casino-holdem"', "is a strategy for sun-casino-holdem"),
        ("[call]", "has no decision call"),
        ("[play]\nat_least = 5", "write at_least"),
        ('[play]\nat_least = "Q-Q-4"', "is not three falling faces"),
        ("play = 3", "write optimal, simple, or a table"),
        ("careless = 2", "careless is a share"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadStrategy, match=says):
        strategy(game(table_terms("rws-multilink-three-card")), str(path))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[flop]\nfold = 3", "write fold"),
        ('[flop]\nfold = ["73x"]', "73x is not a starting hand"),
        ('[turn]\n"a hunch" = "always"', "is not one of"),
        ('[turn]\n"nothing" = "sometimes"', "is always, never, or the card"),
    ],
)
def test_a_bad_file_for_hold_em_is_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadStrategy, match=says):
        strategy(game(table_terms("mbs-megalink-holdem")), str(path))


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadStrategy, match="optimal, simple or a readable file"):
        strategy(game(table_terms("sun-casino-holdem")), "nowhere.toml")


# ---------------------------------------------------------------- what is built once


def test_decision_tables_are_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time they come from disk, bit for bit; a damaged file is built again."""
    known = game(table_terms("rws-multilink-three-card"))
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))

    def bits() -> decision_tables.Bits:
        monkeypatch.setattr(decision_tables, "_BITS", {})
        return decision_tables.bits(known, named(known, "optimal"))

    first = bits()
    (kept,) = tmp_path.glob("croupier/counts/*/decisions-*")
    build = decision_tables._build
    monkeypatch.setattr(decision_tables, "_build", lambda *_: pytest.fail("built again"))
    assert all(np.array_equal(a, b) for a, b in zip(first, bits(), strict=True))
    kept.write_bytes(b"torn")
    monkeypatch.setattr(decision_tables, "_build", build)
    assert np.array_equal(first[0], bits()[0])


def test_other_terms_have_other_tables() -> None:
    """The name of a table's file changes with a rule that its decisions depend on, and with the strategy."""
    known = game(table_terms("sun-casino-holdem"))
    other = Job("sun-casino-holdem", Strategy("", {}), 1, ("multiples.call=3",)).solvable()
    keys = {
        decision_tables.bits_key(known, named(known, "optimal")),
        decision_tables.bits_key(known, named(known, "simple")),
        decision_tables.bits_key(other, named(other, "optimal")),
    }
    assert len(keys) == 3
    careless = strategies.strategy(known, "optimal", 0.2)
    assert decision_tables.bits_key(known, careless) in keys


def test_figures_are_exact_sums() -> None:
    """Means, covariances and histogram of a handful of rounds, added up by hand from their outcomes."""
    known = game(table_terms("rws-multilink-holdem"))
    counts = zeros(jobs.size(known))
    table = decision_tables.table(known, named(known, "optimal"))
    jobs.play_rounds(known, table, 1, 0, 500, counts)
    seen = OutcomeSummary(known, counts, Fraction(100_000_00))
    nets = [(seen.priced.nets(outcome), count) for outcome, count in seen.outcomes]
    rounds = sum(count for _, count in nets)
    mean = {bet: sum(net[bet] * count for net, count in nets) / rounds for bet in seen.priced.bets}
    for at, bet in enumerate(seen.columns):
        if bet != BASE:
            assert seen.moments.mean(at) == mean[bet]
    ante, bonus = seen.columns.index("ante"), seen.columns.index("bonus")
    product = sum((net["ante"] - mean["ante"]) * (net["bonus"] - mean["bonus"]) * count for net, count in nets)
    assert seen.moments.covariance(ante, bonus) == product / (rounds - 1)
    assert sum(seen.histogram().values()) == rounds
    assert sum(net * count for net, count in seen.histogram("bonus").items()) == rounds * mean["bonus"]
