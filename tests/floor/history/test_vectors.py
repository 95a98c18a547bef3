"""The golden vectors in docs/verify: current, passed by our verifier, and right by our own ranking as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier import verify
from croupier.cards import Card, best_five, five_card, rank, slug, three_card, three_card_rank
from tests.floor.vectors import FOLDER, text_of, vectors

FILES = sorted(FOLDER.glob("*.json"))
ROUNDS = [file for file in FILES if file.stem not in ("hands", "commitment")]


def test_the_vectors_are_current() -> None:
    """`python -m tests.floor.vectors` writes them anew; a change of theirs is a change for every other verifier."""
    assert {file.stem: file.read_text(encoding="utf-8") for file in FILES} == {
        name: text_of(vector) for name, vector in vectors().items()
    }


@pytest.mark.parametrize("file", ROUNDS, ids=lambda file: file.stem)
def test_the_verifier_comes_to_the_verdict(file: Path) -> None:
    """Each round holds, or does not, as the file says."""
    vector = json.loads(file.read_text(encoding="utf-8"))
    expected, checks = vector["expected"], verify.check(vector["record"])
    assert expected["holds"] is not file.stem.endswith(("-changed", "-bad-salt"))
    assert expected["holds"] is (not checks.problems)
    assert (checks.problems, checks.net) == (expected["problems"], expected["net"])
    if expected["holds"]:
        assert (checks.settled, checks.rests) == (expected["settled"], expected["rests_on_record"])


def test_our_own_ranking_agrees_with_the_hands() -> None:
    """Written apart from the verifier: the names, and the order of all hands of a list."""
    hands = json.loads((FOLDER / "hands.json").read_text(encoding="utf-8"))
    for entry in hands["five"]:
        assert slug(rank(five_card([Card(card) for card in entry["cards"]]))) == entry["rank"]
    for entry in hands["three"]:
        assert slug(three_card_rank(three_card([Card(card) for card in entry["cards"]]))) == entry["rank"]
    for entry in hands["best_of_seven"]:
        assert slug(rank(best_five([Card(card) for card in entry["cards"]]))) == entry["rank"]
    by_key = sorted(hands["five"], key=lambda entry: entry["key"])
    strengths = [five_card([Card(card) for card in entry["cards"]]) for entry in by_key]
    assert strengths == sorted(strengths)


def test_every_game_and_every_kind_of_copy_has_a_vector() -> None:
    """Whole, for a guest, for a player; forged in its money and in its proof."""
    kinds = {file.stem.rpartition("-")[2] for file in ROUNDS}
    assert kinds == {"whole", "guest", "changed", "player", "salt"}
    games = {json.loads(file.read_text(encoding="utf-8"))["record"]["game"] for file in ROUNDS}
    assert games == set(verify.DOCUMENTS)
