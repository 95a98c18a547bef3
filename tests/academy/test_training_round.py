"""Training rounds: whole Rounds that a learner deals, each step with one right answer, the same from the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from croupier.academy.questions import Topic
from croupier.academy.training_round import CLOSE, OPEN, Moment, training_round
from croupier.rounds.state import Stage
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import Incident
from tests.academy.question_check import faults_of_form

ROUNDS = 20


def chosen(moment: Moment) -> str:
    asked = moment.question
    return "" if isinstance(asked.right, int) else asked.options[asked.right[0]]


@pytest.mark.parametrize("game", GAMES)
def test_a_round_goes_from_the_call_for_bets_to_the_last_chip(
    game: str, record_property: Callable[[str, object], None]
) -> None:
    """Every step has a right answer and a paragraph; Players err before the deal, after the call, with their hands."""
    seen = Counter[str]()
    for seed in range(ROUNDS):
        moments = training_round(game, seed)
        assert chosen(moments[0]) == OPEN
        assert moments[-1].question.topic in (Topic.ACTS, Topic.PAYOUT)
        for moment in moments:
            assert list(faults_of_form(moment.question)) == [], (seed, moment.question)
            assert moment.state.stage in (Stage.IDLE, Stage.BETTING, Stage.PLAYING), "nothing shows how bets came out"
            assert not moment.state.lines
        answers = [chosen(moment) for moment in moments]
        closed = answers.index(CLOSE)
        seen["bets refused"] += any(each.startswith("Refuse") for each in answers[:closed])
        seen["chips moved late"] += moments[closed + 1].question.topic is Topic.BETS
        seen["wrong sizes"] += any("more put down" in each or each.endswith("0 back") for each in answers[closed:])
        incidents = {moment.question.incident for moment in moments} - {""}
        seen["irregularities"] += bool(incidents)
        seen["walked away"] += Incident.WALKED_AWAY in incidents
        seen["further hands"] += bool(incidents & {Incident.EXTRA_HAND_EXAMINED, Incident.CONTROLS_MULTIPLE_HANDS})
        assert len(incidents) <= 1
    for what, count in seen.items():
        record_property(what, count)
        assert count or (what, game) == ("walked away", "sun-casino-holdem"), what


def test_the_same_seed_deals_the_same_round() -> None:
    """Of an edition by its short name too; another seed deals another one."""
    game = "sun-casino-holdem"
    first = training_round(game, 7)
    training_round.cache_clear()
    assert training_round("sun-casino-holdem@1", 7) == first != training_round(game, 8)


def test_the_dealer_pays_what_the_engine_settles() -> None:
    """mbs-megalink-holdem 3.13 and its siblings: of every act the chips move once, and payments are asked by amount."""
    for seed in range(ROUNDS):
        moments = training_round("mbs-megalink-holdem", seed)
        asked = [chosen(moment) for moment in moments if moment.question.topic is Topic.ACTS]
        assert len(set(asked)) == len(asked)
        pays = [each for each in asked if each.endswith(": pay")]
        amounts = [moment for moment in moments if moment.question.topic is Topic.PAYOUT]
        assert len(pays) == len(amounts)
        for act, moment in zip(pays, amounts, strict=True):
            box, _, bet = act.removeprefix("Box ").removesuffix(": pay").partition(" ")
            assert moment.question.asks.startswith(f"Box {box}, {bet} ")
