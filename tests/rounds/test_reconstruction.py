"""Reconstruction as computation: which layouts a dealing error allows, whether the order is determined, the money."""

from __future__ import annotations

import json
from itertools import repeat

import msgspec
import pytest
from click.testing import CliRunner

from croupier.cards import DECK
from croupier.cli import cli
from croupier.rounds.commands import CloseBets, FeltFacts, GiveRuling, OpenRound, Pile, PlaceBet, ReportIncident
from croupier.rounds.events import RulingGiven
from croupier.rounds.irregularities.ruling_desk import incidents_of
from croupier.rounds.reconstruction.answer import find
from croupier.rounds.reconstruction.layouts import BadFacts, reconstruct
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import Role
from tests.laws.dealing_errors import errors
from tests.laws.driving import House, linked

HOLDEM, THREE_CARD, SUN = "rws-multilink-holdem", "rws-multilink-three-card", "sun-casino-holdem"


def pile(cards: str, *, ordered: bool = True) -> Pile:
    return Pile(tuple(cards.split()), ordered)


def dealt(game: str = HOLDEM, dealing: str = "card_shoe", *boxes: int) -> tuple[Terms, Round, House]:
    """Bets of 50.00 on these boxes, and the first cards dealt."""
    house = House(linked({"T1": game}, {"T1": dealing}), repeat(DECK))
    assert house.do("T1", OpenRound()) is None
    for box in boxes or (1, 2):
        assert house.do("T1", PlaceBet(player="ana", box=box, bet="ante", amount=5000)) is None
    assert house.do("T1", CloseBets()) is None
    return house.terms("T1"), house.state("T1"), house


def test_random_errors_never_have_a_wrong_layout_that_is_called_determined() -> None:
    """Against an arranged shoe, every game and procedure; more of it: tests.laws.dealing_errors."""
    found, longest = errors(5, 120)
    assert found["determined"] > 20
    assert found["several"] > 20
    assert longest < 2


def test_a_missed_burn_is_put_right_card_by_card() -> None:
    """rws-multilink-holdem 5.9, 1.22: every card goes one place back, the first one is the burnt card."""
    terms, state, _ = dealt()
    facts = FeltFacts(incident="burn_missed", piles={"1": pile("As Kd"), "2": pile("?? 7c")})
    found = find(terms, state, facts)
    assert (found.determined, found.reconstructible, found.count) == (True, True, 1)
    assert found.layouts[0].places == {"1": ("card 1 of box 2", "7c"), "2": ("Kd",)}
    assert found.layouts[0].moves == (
        "As, card 1 of box 1, is out of play",
        "Card 1 of box 2 goes to box 1",
        "7c, card 2 of box 2, goes to box 1",
        "Kd, card 2 of box 1, goes to box 2",
        "The next card of the shoe goes to box 2",
    )


def test_community_cards_that_are_turned_together_have_no_order() -> None:
    """rws-multilink-three-card 1.19, 3.13: both are turned at once, so which came first changes no hand; the flop and
    the turn card of rws-multilink-holdem 3.12 are turned one after the other, so there the order counts.
    """
    terms, state, _ = dealt(THREE_CARD, "shuffler_community_last")
    hands = {place: pile("?? ?? ??") for place in ("1", "2", "dealer")}
    facts = FeltFacts(incident="simultaneous_draw", piles={**hands, "community": pile("?? ??", ordered=False)})
    found = find(terms, state, facts)
    assert (found.determined, found.count) == (True, 1)
    assert found.layouts[0].moves == ("The next card of the shoe goes to the burnt cards",)
    terms, state, _ = dealt(HOLDEM, "electronic_shuffler")
    hands = {place: pile("?? ??") for place in ("1", "2", "dealer")}
    mixed = FeltFacts(incident="simultaneous_draw", piles={**hands, "community": pile("?? ?? ?? ?? ??", ordered=False)})
    assert find(terms, state, mixed).count == 20
    flop = tuple(("community", nth) for nth in (0, 1, 2))
    drawn = FeltFacts(
        incident="simultaneous_draw", piles={**hands, "community": pile("?? ?? ?? ?? ??")}, together=(flop,)
    )
    assert find(terms, state, drawn).determined
    late = msgspec.structs.replace(drawn, together=((*flop[1:], ("community", 3)),))
    assert find(terms, state, late).count == 3


def test_cards_that_were_mixed_leave_the_order_open() -> None:
    """rws-multilink-holdem 5.9: the same error, but nobody knows in which order the cards of box 1 came."""
    terms, state, _ = dealt()
    facts = FeltFacts(incident="burn_missed", piles={"1": pile("As Kd", ordered=False), "2": pile("?? 7c")})
    found = find(terms, state, facts)
    assert (found.determined, found.reconstructible, found.count) == (False, False, 2)
    assert found.says == "2 layouts are consistent, so the order is not determined."


def test_whole_hands_that_changed_places_are_moved_back() -> None:
    """rws-multilink-holdem 5.8.6, mbs-megalink-holdem 5.2: by complete hands alone."""
    terms, state, _ = dealt(HOLDEM, "card_shoe", 1, 2, 3)
    piles = {"burn": pile("??"), "1": pile("?? ??"), "2": pile("?? ?? ??"), "3": pile("??")}
    moved = reconstruct(terms, state.hands, FeltFacts(incident="misdealt", piles=piles, at=5))
    assert moved.determined
    assert not moved.whole_hands
    found = find(terms, state, FeltFacts(incident="misdealt", piles=piles, at=5))
    assert found.reconstructible is False
    assert found.says == "One layout alone is consistent, but moving complete hands does not reach it."


def test_two_cards_drawn_together_for_one_hand_leave_nothing_open() -> None:
    """rws-multilink-holdem 5.14: the order matters only where the cards were for different places."""
    terms, state, _ = dealt(HOLDEM, "electronic_shuffler")
    piles = {"community": pile("?? ?? ?? ?? ??"), "1": pile("?? ??"), "2": pile("?? ??"), "dealer": pile("?? ??")}
    one_hand = FeltFacts(incident="simultaneous_draw", piles=piles, together=((("1", 0), ("1", 1)),))
    assert find(terms, state, one_hand).determined
    two_hands = FeltFacts(incident="simultaneous_draw", piles=piles, together=((("1", 1), ("2", 0)),))
    found = find(terms, state, two_hands)
    assert found.count == 2
    apart = FeltFacts(incident="simultaneous_draw", piles=piles, together=((("1", 0), ("2", 1)),))
    assert find(terms, state, apart).reconstructible is None, "they did not leave the shoe side by side"


def test_each_layout_has_its_money_where_every_card_is_known() -> None:
    """rws-multilink-three-card 3.13, 3.15.1: through the engine's own settlement."""
    terms, state, _ = dealt(THREE_CARD, "shuffler_community_first")
    piles = {
        "community": pile("2c 3d"),
        "1": pile("Ah Kh Qh"),
        "2": pile("4s 4d 9c"),
        "dealer": pile("Qs 7d 5c"),
    }
    facts = FeltFacts(incident="simultaneous_draw", piles=piles, together=((("1", 2), ("2", 0)),))
    found = find(terms, state, facts)
    nets = [(layout.money or {}) for layout in found.layouts]
    assert sorted(net["1"] for net in nets) == ["300.00", "50.00"], "a straight flush, or an Ace high"
    assert {net["2"] for net in nets} == {"50.00"}


@pytest.mark.parametrize(
    ("facts", "what"),
    [
        (FeltFacts(incident="foreign_card", piles={"1": pile("??")}), "No document asks"),
        (FeltFacts(incident="misdealt", piles={"9": pile("??")}), "the places are"),
        (FeltFacts(incident="misdealt", piles={"1": pile("Zz")}), "piles.1"),
        (FeltFacts(incident="misdealt", piles={"1": pile("As As")}), "lies on the table already"),
        (FeltFacts(incident="misdealt", piles={}), "cards lie on the felt"),
        (FeltFacts(incident="misdealt", piles={"1": pile("??")}, at=99), "the cards of this deal are"),
        (FeltFacts(incident="misdealt", piles={"1": pile("??")}, slips=3), "slips"),
        (FeltFacts(incident="misdealt", piles={"1": pile("??")}, together=((("1", 4),),)), "together"),
    ],
)
def test_facts_that_no_felt_can_show_are_refused_in_one_sentence(facts: FeltFacts, what: str) -> None:
    """The message names the field."""
    terms, state, _ = dealt()
    with pytest.raises(BadFacts, match=what):
        find(terms, state, facts)
    with pytest.raises(BadFacts, match="No hand is dealt"):
        find(terms, Round(boxes=state.boxes), facts)


def test_the_ruling_is_recorded_with_the_facts() -> None:
    """rws-multilink-holdem 5.9: the Pit Manager rules, and what was in front of them is in the event."""
    _, _, house = dealt()
    facts = FeltFacts(incident="burn_missed", piles={"1": pile("As Kd"), "2": pile("?? 7c")})
    assert house.do("T1", ReportIncident(incident="burn_missed")) is None
    ruled = GiveRuling(by=Role.PIT_MANAGER, decision="reconstructible", who="manager", facts=facts)
    assert house.do("T1", ruled) is None
    (given,) = [event for event in house.events["T1"] if isinstance(event, RulingGiven)]
    assert given.facts == facts


def test_the_desk_computes_it_without_a_system() -> None:
    """`croupier advise-ruling` with the cards on the felt."""
    felt = {"dealing": "card_shoe", "piles": {"1": "As Kd", "2": {"cards": "?? 7c", "ordered": True}}}
    told = {"incident": "burn_missed", "facts": {"player_has_seen": False, "reconstructible": True}, "felt": felt}
    shown = CliRunner().invoke(cli, ["advise-ruling", HOLDEM, "-"], input=json.dumps(told))
    assert "the order is determined" in shown.output
    assert "Kd, card 2 of box 1, goes to box 2" in shown.output
    as_json = CliRunner().invoke(cli, ["advise-ruling", HOLDEM, "-", "--json"], input=json.dumps(told))
    assert json.loads(as_json.output)["felt"]["determined"] is True
    bad = CliRunner().invoke(cli, ["advise-ruling", HOLDEM, "-"], input=json.dumps({**told, "felt": {"piles": 3}}))
    assert str(bad.exception).startswith("felt:")


def test_the_desk_asks_for_the_cards_where_they_decide() -> None:
    """The supervisor types what lies at each place, and rules with the answer in front of them."""
    number = [incident.name for incident in incidents_of(table_terms(HOLDEM).book)].index("burn_missed") + 1
    typed = f"{number}\nn\n1 As Kd\n2 ?? 7c\n\ny\n\n\n"
    shown = CliRunner().invoke(cli, ["advise-ruling", HOLDEM], input=typed)
    assert "the order is determined" in shown.output
