"""Cards that were entered wrongly: what the round itself asks of a correction, whoever lets it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

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
    TurnCards,
)
from croupier.rounds.decide import decide
from croupier.rounds.evolve import evolve_all
from croupier.rounds.refusal import Code, Refusal
from croupier.rounds.state import Round, new_table
from croupier.rulebooks.terms import table_terms
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
