"""An incident that one rulebook declares itself, in round scripts."""

from __future__ import annotations

import pytest

from croupier.scripts import BadScript, RoundScript
from tests.own_incidents import GAME, installed
from tests.scripting import bet, close_bets, examine, replay, report, rule, table

BETS = (bet(1, "ante", "50.00"), close_bets())
WORDS = "A card was dropped on the floor"


@pytest.fixture(autouse=True)
def _declared(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "croupier.rulebooks.terms")


def test_a_script_reports_it_and_the_result_says_its_words() -> None:
    """Where no player has looked, the round is void."""
    played = replay(table(GAME), *BETS, report("card_dropped", boxes=[1], text="under the chair")).round()
    assert played.status == "void"
    assert [notice.text for notice in played.notices][-2:] == [
        f"{WORDS}: under the chair.",
        f"{WORDS}: the round is void.",
    ]


def test_a_script_waits_for_its_ruling_and_takes_the_answers_of_its_entry() -> None:
    """A player has looked: the result names what it waits for, and then the declared answer is ruled."""
    steps = (*BETS, examine(1), report("card_dropped", boxes=[1]))
    (waits,) = replay(table(GAME), *steps).round().awaiting
    assert (waits["incident"], waits["decisions"]) == ("card_dropped", ["card_replaced", "hand_out"])
    ruled = replay(table(GAME), *steps, rule("hand_out", by="pit_supervisor")).round()
    assert [(line.outcome, line.returned) for line in ruled.lines] == [("returned", 5000)]


def test_the_script_of_another_game_has_neither_the_incident_nor_its_answers() -> None:
    """One sentence with the step, the field and what the game has."""
    step = len(BETS) + 1  # the table is opened first
    with pytest.raises(BadScript) as wrong:
        replay(table("mbs-megalink-holdem"), *BETS, report("card_dropped", boxes=[1]))
    told = str(wrong.value)
    assert told.startswith(f'step {step}, incident: "card_dropped" is not one of foreign_card, deck_count, ')
    assert told.endswith(", rules_breach, late_error, uncovered.")
    with pytest.raises(
        BadScript, match=rf'^step {step}, decision: "hand_out" is not one of card_order, .*deal_order\.$'
    ):
        replay(table("mbs-megalink-holdem"), *BETS, rule("hand_out", by="pit_supervisor"))


def test_the_builder_takes_it_where_the_rulebook_declares_it() -> None:
    """And says at once where it does not."""
    hand = RoundScript(GAME).open().bet("ana", 1, "ante", "50.00").close_bets()
    assert hand.report("card_dropped", box=1).play().rounds[0].status == "void"
    with pytest.raises(BadScript, match=r'^step 0, incident: "card_dropped" is not one of '):
        RoundScript("mbs-megalink-holdem").report("card_dropped", box=1)
