"""The JSON of `croupier analyze`, for every game, and what stands in it beside each other."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from click.testing import CliRunner

from croupier.cli import cli
from croupier.money import money
from croupier.rulebooks.documents.editions import GAMES
from tests.calling import Call

FRACTION = re.compile(r"-?\d+(/\d+)?")


def analyzed(*arguments: str) -> dict[str, object]:
    done = CliRunner().invoke(cli, ("analyze", *arguments, "--json"))
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert isinstance(found, dict)
    return found


def table(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value


def fraction(value: object) -> Fraction:
    assert isinstance(value, str)
    assert FRACTION.fullmatch(value), value
    found = Fraction(value)
    assert str(found) == value, "in lowest terms"
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_answer_has_the_promised_shape(game: str) -> None:
    """Exact figures are fractions in text, the others numbers; what is exact adds up."""
    found = analyzed(game)
    assert list(found)[:4] == ["game", "base", "side_bets", "jackpot"]
    assert found["game"] == game
    assert isinstance(found["seconds"], float)
    base = table(found["base"])
    assert list(base)[:6] == [
        "ev",
        "house_edge",
        "average_wager",
        "element_of_risk",
        "standard_deviation",
        "decisions",
    ]
    ev = fraction(base["ev"])
    for name in ("house_edge", "average_wager", "element_of_risk", "standard_deviation"):
        assert isinstance(base[name], float)
    assert base["house_edge"] == float(-ev)
    decisions = {name: fraction(value) for name, value in table(base["decisions"]).items()}
    first_bet = list(decisions)[1]
    assert decisions["fold"] + decisions[first_bet] == 1
    for each in table(found["side_bets"]).values():
        side = table(each)
        assert list(side) == ["ev", "hit_rate", "standard_deviation", "rows"]
        rows = side["rows"]
        assert isinstance(rows, list)
        assert sum(fraction(row["probability"]) for row in rows) == fraction(side["hit_rate"])
        assert all({"row", "probability", "pays"} <= row.keys() for row in rows)
        assert isinstance(side["standard_deviation"], float)
    jackpot = table(found["jackpot"])
    awards = jackpot["awards"]
    assert isinstance(awards, list)
    for award in awards:
        assert {"hand", "probability", "pays"} <= award.keys()
        assert fraction(award["probability"]) <= fraction(award["made"])
    assert isinstance(jackpot["break_even_meter"], str)
    returned = fraction(jackpot["fixed_return"]) + fraction(jackpot["meter_share"]) * Fraction(
        money(jackpot["break_even_meter"]), 500
    )
    assert float(returned) == pytest.approx(1)
    assert all(each["agrees"] or each["figure"] == "standard deviation" for each in found["published"])  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", GAMES)
def test_the_bets_add_up_to_the_game(game: str) -> None:
    """Every Bet by itself, times how often and how high it is placed, is the value of a round."""
    found = analyzed(game)
    times = {"turn": 1, "river": 1, "play": 1, "ante": 1, "flop": 2, "call": 2}
    whole = Fraction(0)
    for name, each in table(table(found["base"])["bets"]).items():
        bet = table(each)
        whole += times[name] * fraction(bet["placed"]) * fraction(bet["ev"])
        rows = bet["rows"]
        assert isinstance(rows, list)
        paid = sum(fraction(row["probability"]) for row in rows)
        assert paid == fraction(bet["hit_rate"]) * fraction(bet["placed"])
    # What is paid on the Ante of 3 Card Poker has no stake of its own.
    payouts = [table(each)["ev"] for name, each in table(found["side_bets"]).items() if name == "ante_bonus"]
    assert whole + sum(fraction(each) for each in payouts) == fraction(table(found["base"])["ev"])


def test_the_same_question_has_the_same_answer() -> None:
    """All but the seconds."""
    timed = {"seconds": 0, "compiling_seconds": 0}
    one, two = (analyzed("rws-multilink-three-card", "--fresh") | timed for _ in range(2))
    assert one == two


def test_a_changed_rule_changes_what_is_published() -> None:
    """mbs-megalink-holdem with its Ante paid from a flush has a published edge of its own."""
    found = analyzed("mbs-megalink-holdem", "--set", "showdown.ante_pays_from=flush")
    published = {each["figure"]: each["published"] for each in found["published"]}  # type: ignore[attr-defined]
    assert published["house edge"] == "5.5935%"
    assert "standard deviation" not in published
    nowhere = analyzed("mbs-megalink-holdem", "--set", "bets.flop.times_ante=3", "--set", "pay_tables.bonus.aces=none")
    assert "published" not in nowhere


def test_the_break_even_meter_of_a_round_follows_the_ante() -> None:
    """Twice the Ante loses twice as much, which a higher meter has to make good; the jackpot bet is as before."""
    least, twice = analyzed("mbs-megalink-holdem"), analyzed("mbs-megalink-holdem", "--ante", "20.00")
    one, two = table(least["jackpot"]), table(twice["jackpot"])
    assert (one["ante"], two["ante"]) == ("10.00", "20.00")
    assert one["break_even_meter"] == two["break_even_meter"]
    lost = -fraction(table(least["base"])["ev"]) / fraction(one["meter_share"])
    meters = (one["break_even_meter"], one["round_break_even_meter"], two["round_break_even_meter"])
    even, at_least, at_twice = (Fraction(money(str(each)), 100) for each in meters)
    assert float(at_least - even) == pytest.approx(float(10 * lost), abs=0.01)
    assert float(at_twice - even) == pytest.approx(float(20 * lost), abs=0.01)


def test_an_ante_of_nothing_is_refused(croupier: Call) -> None:
    """Also where nothing lies beside it."""
    done = croupier("analyze", "mbs-megalink-holdem", "--ante", "0")
    assert done.code == 2
    assert done.err.strip() == "croupier: The Ante must be more than 0.00."
