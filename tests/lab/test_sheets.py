"""PAR sheets: beside every figure of every game stands the same figure found a second way, and the two agree."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import msgspec
import pytest

from croupier.lab.analysis import Json, JsonValue
from croupier.lab.model.game import game
from croupier.lab.model.variants import changed_terms
from croupier.lab.play.exploits import exploits
from croupier.lab.play.strategy import strategy
from croupier.lab.report.page import html
from croupier.lab.report.sheet import Sheet, make_sheet
from croupier.lab.solve.solution import solve
from croupier.lab.verify import exploit_checks, hand_checks
from croupier.lab.verify.starting_hands import sample_hands
from croupier.rulebooks.documents.editions import GAMES
from tests.lab.figure_names import figures

FIGURE = re.compile(r"-?\d+(/\d+)?")
NO_FINDINGS = ("published", "readings", "seconds", "compiling_seconds", "checks", "rulebook", "changes", "croupier")
"""What others have found, what was asked for, how long it took, and where it came from."""


def test_no_figure_is_without_a_check_that_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """All five games, walked leaf by leaf through the JSON."""
    monkeypatch.setattr(hand_checks, "COUNTED_OUT", 300)
    for name in GAMES:
        sheet = make_sheet(changed_terms(name), meter=1_000_000_00, rounds=60_000, sampled=1_000)
        found = json.loads(json.dumps(sheet.json()))
        assert [check for check in found["checks"] if not check["agrees"]] == [], name
        checked = {check["of"] for check in found["checks"]}
        known = dict(figures(found))
        assert {path: place for path, place in known.items() if place not in checked} == {}, name
        strange = [path for path in leaves(found) if path not in known and not asked_for(path)]
        assert strange == [], name
        _page_has_a_check_in_every_row(sheet)


def _page_has_a_check_in_every_row(sheet: Sheet) -> None:
    text = html(sheet)
    assert "<td></td><td></td>" not in text
    assert "differs</span>" not in text
    assert text.count("agrees</span>") > 50


def leaves(value: JsonValue, path: str = "") -> list[str]:
    """The path of every number and fraction; rows are named by what they are of, as in `places`."""
    if isinstance(value, dict):
        found = []
        for name, each in value.items():
            if path or name not in NO_FINDINGS:
                found += leaves(each, f"{path}.{name}" if path else name)
        return found
    if isinstance(value, list):
        found = []
        for each in value:
            found += leaves(each, f"{path}.{row_name(each)}" if isinstance(each, dict) else path)
        return found
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return [path] if number or (isinstance(value, str) and FIGURE.fullmatch(value)) else []


def row_name(row: Json) -> str:
    return str(next(row[name] for name in ("row", "hand", "decision", "name", "net", "of") if name in row))


def asked_for(path: str) -> bool:
    """The amounts of bets and meters, names that look like numbers, and rows whose one figure stands for the row."""
    if path in ("jackpot.bet", "jackpot.ante", "jackpot.meter") or path.endswith(".hand"):
        return True
    return bool(re.fullmatch(r"(base\.bets\.\w+\.rows\.\w+|results\.[-\d/]+|strategy\.edges\.[^.]+)\.\w+", path))


def test_the_walk_finds_a_figure_that_nobody_checks() -> None:
    """A leaf that no place knows is strange; so the walk above cannot pass by what is added tomorrow."""
    assert leaves({"base": {"ev": "-1/2", "new": 3, "rows": [{"row": "flush", "probability": "1/3"}]}}) == [
        "base.ev",
        "base.new",
        "base.rows.flush.probability",
    ]
    assert not asked_for("base.new")


def test_a_wrong_exploit_is_noticed() -> None:
    """Each kind of second check differs where the value is another one."""
    for name, few in (("mbs-megalink-holdem", 400), ("rws-multilink-three-card", 0)):
        solved = solve(game(changed_terms(name)))
        given = exploits(solved)
        even = Fraction(0)
        left = sample_hands(solved, few, leaving=True) if few else None
        wrong = tuple(
            msgspec.structs.replace(
                each, value=each.value + Fraction(1, 2), ev=None if each.ev is None else each.ev + Fraction(1, 2)
            )
            for each in given
        )
        checks = exploit_checks.check_exploits(solved, wrong, 2_000, left, even)
        assert checks
        assert [check for check in checks.values() if check.agrees] == []


def test_units_of_the_jackpot_bet_agree_whatever_the_table_pays() -> None:
    """mbs-megalink-holdem for-1-multiple b: odds by the square of the bet, a share, an amount."""
    changes = ("rulings.for-1-multiple=b", "pay_tables.jackpot.flush=2%", "pay_tables.jackpot.straight=60.00")
    solved = solve(game(changed_terms("mbs-megalink-holdem", changes)))
    meter = 1_000_000_00
    given = tuple(each for each in exploits(solved, meter) if each.seen_as == "units")
    assert len(given) == 4
    checks = exploit_checks.check_exploits(solved, given, 0, None, Fraction(meter))
    assert [check for check in checks.values() if not check.agrees] == []


def test_own_hands_on_the_stakeboard_leave_the_other_exploits_told() -> None:
    """sun-casino-holdem: with an award on own cards a sheet is still written."""
    solved = solve(game(changed_terms("sun-casino-holdem", ["pay_tables.jackpot.full_house=50 for 1"])))
    plain = exploits(solve(game(changed_terms("sun-casino-holdem"))))
    told = {each.name for each in exploits(solved)}
    assert told == {each.name for each in plain} - {"the jackpot Bet after folding"}


def test_a_wrong_hand_is_noticed() -> None:
    """A chart that says another value, another margin, or another choice."""
    known = game(changed_terms("sun-casino-holdem"))
    solved = solve(known)
    play = strategy(known, solved)
    played = sample_hands(solved, 400)
    assert all(check.agrees for check in hand_checks.check_hands(solved, play, played).values())
    cell = play.chart[0][0]
    for other in (
        msgspec.structs.replace(cell, value=cell.value + 1),
        msgspec.structs.replace(cell, margin=cell.margin + 1),
        msgspec.structs.replace(cell, played=Fraction(1, 2)),
    ):
        chart = ((other, *play.chart[0][1:]), *play.chart[1:])
        checks = hand_checks.check_hands(solved, msgspec.structs.replace(play, chart=chart), played)
        assert not checks["chart.AA"].agrees
        assert checks["chart.AKs"].agrees


def test_rounds_of_each_hand_are_the_same_on_any_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = solve(game(changed_terms("rws-multilink-holdem")))
    together = sample_hands(solved, 50)
    monkeypatch.setenv("CROUPIER_WORKERS", "1")
    assert (sample_hands(solved, 50)._sums == together._sums).all()
    assert (sample_hands(solved, 50, seed=2)._sums != together._sums).any()


def test_sentences_are_read_back_as_they_stand() -> None:
    """A sentence that folds one hand too many costs what that hand is worth."""
    known = game(changed_terms("rws-multilink-holdem"))
    solved = solve(known)
    play = strategy(known, solved)
    (check,) = hand_checks.check_first_rule(solved, play).values()
    assert check.agrees
    first = msgspec.structs.replace(play.rules[0], says=play.rules[0].says.replace("32o,", "32o, 43o,"))
    (check,) = hand_checks.check_first_rule(
        solved, msgspec.structs.replace(play, rules=(first, *play.rules[1:]))
    ).values()
    assert not check.agrees
    assert Fraction(check.again) > 0
