"""Cards that were entered wrongly: what the round itself asks of a correction, whoever lets it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from croupier.cards import parse_cards
from croupier.rounds.commands import (
    CloseBets,
    CorrectCards,
    DealCards,
    DecideHand,
    ExamineHand,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    SettleBets,
    TurnCards,
)
from croupier.rounds.decide import decide
from croupier.rounds.evolve import evolve_all
from croupier.rounds.refusal import Code, Refusal
from croupier.rounds.state import Round, Stage, new_table
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import Incident, Role

TERMS = table_terms("rws-multilink-holdem")
FLOP_TURNED: Sequence[RoundCommand] = (
    *(OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=5000), CloseBets(), DealCards()),
    *(ExamineHand(player="ana", box=1, cards=parse_cards("Ah Kh")), DecideHand(box=1, choice="flop"), DealCards()),
    TurnCards(cards={"community": parse_cards("2c 3c 4c")}),
)


def after(*commands: RoundCommand) -> Round:
    """A table with the flop turned, and then these commands, all of them accepted."""
    state = new_table(TERMS.boxes)
    for command in (*FLOP_TURNED, *commands):
        verdict = decide(TERMS, state, command)
        assert not isinstance(verdict, Refusal), verdict
        state = evolve_all(state, verdict)
    return state


def correction(cards: Mapping[str, str], who: str = "maria", second: str = "omar") -> CorrectCards:
    entered = {place: parse_cards(named) for place, named in cards.items()}
    return CorrectCards(cards=entered, by=Role.PIT_SUPERVISOR, who=who, second=second)


def test_two_people_put_an_entry_right() -> None:
    """rws-multilink-holdem 3.11.3: the flop is what lies on the felt, and nothing else of the Round changes."""
    state = after(correction({"community": "2c 3c 5c"}))
    assert state.community == parse_cards("2c 3c 5c")
    assert state.box(1) == after().box(1)


@pytest.mark.parametrize(("who", "second"), [("maria", "maria"), ("maria", ""), ("", "omar")])
def test_one_person_alone_corrects_nothing(who: str, second: str) -> None:
    """rws-multilink-holdem 3.11.3: two people, both by name, answer for other cards than those that were entered."""
    refused = decide(TERMS, after(), correction({"community": "2c 3c 5c"}, who, second))
    assert isinstance(refused, Refusal)
    assert refused.code is Code.NOT_AUTHORISED


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param({"1": "Ah Qh"}, id="a Hand that only its Player has seen"),
        pytest.param({"dealer": "Js Jd"}, id="cards that nobody has turned"),
        pytest.param({"community": "2c 3c"}, id="too few"),
        pytest.param({"community": "2c 3c 4c"}, id="the same cards"),
        pytest.param({}, id="no cards"),
    ],
)
def test_only_what_lies_face_up_is_corrected(cards: Mapping[str, str]) -> None:
    """rws-multilink-holdem 3.11.3, 3.11.6: a card is on record when it is turned, and only then can it be wrong."""
    refused = decide(TERMS, after(), correction(cards))
    assert isinstance(refused, Refusal)
    assert refused.code is Code.WRONG_CARDS


def test_a_round_that_waits_for_a_ruling_is_not_corrected_meanwhile() -> None:
    """rws-multilink-holdem 5.23: whoever rules does so on the cards as they were entered."""
    held = after(ReportIncident(incident=Incident.UNCOVERED))
    refused = decide(TERMS, held, correction({"community": "2c 3c 5c"}))
    assert isinstance(refused, Refusal)
    assert refused.code is Code.ROUND_HELD


# ---------------------------------------------------------------- after the settlement


def settled(*, rulings: Mapping[str, str] | None = None) -> tuple[Terms, Round]:
    """A settled Round in which box 1 was paid 100.00 for its flush."""
    terms = table_terms("rws-multilink-holdem", rulings=rulings)
    state = new_table(terms.boxes)
    for command in (
        *(OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=5000)),
        *(PlaceBet(player="ana", box=1, bet="jackpot", amount=500), CloseBets(), DealCards()),
        *(DecideHand(box=1, choice="flop"), DealCards(), TurnCards(cards={"community": parse_cards("2h 5h 9h")})),
        *(DecideHand(box=1, choice="check"), DealCards(), TurnCards(cards={"community": parse_cards("Tc")})),
        *(DecideHand(box=1, choice="check"), DealCards(), TurnCards(cards={"community": parse_cards("Jd")})),
        *(DealCards(), TurnCards(cards={"dealer": parse_cards("As Kd")})),
        *(TurnCards(cards={"1": parse_cards("Ah 4h")}), SettleBets()),
    ):
        verdict = decide(terms, state, command)
        if isinstance(verdict, Refusal):
            assert verdict.code is Code.NOTHING_TO_DEAL, verdict
            continue
        state = evolve_all(state, verdict)
    assert state.stage is Stage.SETTLED
    return terms, state


CORRECTED = correction({"1": "Ah 3h"})


def test_cards_of_a_round_with_a_paid_award_are_corrected_by_the_shift_manager() -> None:
    """rws-multilink-holdem 4.2, reading post-settlement-window (b and c): the award of 100.00 would be unwound."""
    terms, state = settled()
    refused = decide(terms, state, CORRECTED)
    assert isinstance(refused, Refusal)
    assert refused.code is Code.NOT_AUTHORISED
    assert "post-settlement-window" in refused.rules
    assert not isinstance(decide(terms, state, replace(CORRECTED, by=Role.SHIFT_MANAGER)), Refusal)
    terms, state = settled(rulings={"post-settlement-window": "c"})
    assert not isinstance(decide(terms, state, CORRECTED), Refusal)


def test_an_award_that_the_link_has_paid_is_not_unwound_by_a_lower_role() -> None:
    """rws-multilink-holdem 5.8.7, 4.2, reading post-settlement-window (b and c): the Round itself may not know of it,
    and the caller who knows the link says so."""
    terms, state = settled(rulings={"post-settlement-window": "c"})
    refused = decide(terms, state, replace(CORRECTED, award_paid=True))
    assert isinstance(refused, Refusal)
    third_card = ReportIncident(
        incident=Incident.WRONG_DEALER_COUNT, by=Role.PIT_SUPERVISOR, reconstructible=False, award_paid=True
    )
    held = decide(terms, state, third_card)
    assert not isinstance(held, Refusal)
    assert evolve_all(state, held).awaiting[0].decisions == ("reopen", "stand")
    at_once = decide(terms, state, replace(third_card, award_paid=False))
    assert not isinstance(at_once, Refusal)
    assert evolve_all(state, at_once).stage is Stage.VOID
