"""Practice at the door: exact values of one's own examined hand and nothing else, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.cards import parse_cards
from croupier.floor.duties.permissions import Post
from croupier.floor.records.commands import TableConfig
from croupier.floor.records.tables import terms_of
from croupier.floor.server.routes.play.advice import counted_terms
from croupier.floor.server.workers.advice import Question, answer
from croupier.lab.model.game import game
from croupier.lab.play.advice import advise
from tests.floor.serving import Served, quiet
from tests.patience import COMPILING


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, {"T1": quiet("sun-casino-holdem")}) as served:
        yield served


def asked(served: Served, post: Post, path: str) -> dict[str, object]:
    with served.http(post) as client:
        told = client.get(f"/api/tables/T1/{path}")
    assert told.status_code == 200, told.text
    found = told.json()
    assert isinstance(found, dict)
    return found


def loaded(served: Served) -> dict[str, object]:
    """The house edge, once it has been counted."""
    until = time.monotonic() + COMPILING
    while (told := asked(served, Post.PLAYER, "edge"))["state"] == "loading":
        assert time.monotonic() < until
        time.sleep(0.2)
    return told


def step(served: Served, post: Post, do: str, **fields: object) -> None:
    told = served.step(post, do, "T1", **fields)
    assert told["accepted"], told


def test_values_are_the_labs_and_of_an_examined_hand_only(served: Served) -> None:
    """Nothing is said before the hand was looked at; then exactly what the lab says of these cards and this board."""
    told = loaded(served)
    assert told["state"] == "ready"
    assert str(told["edge"]).startswith("0.02157")
    step(served, Post.DEALER, "open")
    step(served, Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")
    step(served, Post.DEALER, "close_bets")
    assert asked(served, Post.PLAYER, "practice")["boxes"] == []
    step(served, Post.PLAYER, "examine", box=1)
    boxes = asked(served, Post.PLAYER, "practice")["boxes"]
    assert isinstance(boxes, list)
    (position,) = boxes
    table = served.floor.house.tables["T1"]
    hand, board = table.round.box(1).cards, table.round.community
    exact = advise(game(table.terms), hand, board)
    assert {o["choice"]: Fraction(o["exact"]) for o in position["options"]} == {
        option.choice: option.value for option in exact.options
    }
    assert position["options"][0]["choice"] == exact.best
    assert position["counted"] == ["ante", "call"]


def test_serving_loads_no_lab_until_somebody_asks() -> None:
    """The server's own process never imports numba: importing the server, the doors of practice with it, does not."""
    watched = ("numba", "croupier.lab.play.advice")
    asks = f"import croupier.floor.server.process.serve, sys; print(*(name in sys.modules for name in {watched}))"
    said = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True).stdout.split()
    assert said == ["False", "False"]


def test_a_bonus_weighs_in_the_choice_that_decides_over_it() -> None:
    """rws-multilink-holdem 3.11.2.a: a fold takes the Bonus with it, so it counts at the first choice and not later."""
    config = counted_terms(TableConfig(game="rws-multilink-holdem"))
    stakes = {"ante": 2500, "bonus": 1000}
    plain = answer(Question(config=config, hand="7c 2d", ante=2500, stakes={"ante": 2500}))
    with_bonus = answer(Question(config=config, hand="7c 2d", ante=2500, stakes=stakes))
    value = {told.choice: Fraction(told.exact) for told in with_bonus.options}
    base = {told.choice: Fraction(told.exact) for told in plain.options}
    assert value["fold"] == base["fold"] - Fraction(2, 5)
    assert value["flop"] == base["flop"] - Fraction(2, 5), "a Seven and a Two win no Bonus"
    assert "bonus" in with_bonus.counted
    later = answer(Question(config=config, hand="7c 2d", board="7d 2c Kh", ante=2500, stakes=stakes))
    exact = advise(game(terms_of(config)), parse_cards("7c 2d"), parse_cards("7d 2c Kh"))
    assert [Fraction(told.exact) for told in later.options] == [option.value for option in exact.options]
    assert "bonus" not in later.counted
