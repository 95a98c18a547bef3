"""What every document takes for granted: layout, deck, the call for bets, periods, who decides, what is compared."""

from __future__ import annotations

import pytest

from croupier.cards import DECK
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import BadTerms, table_terms
from croupier.rulebooks.vocabulary import Deal
from croupier.scripts.parse import BadScript
from tests.scripting import (
    Played,
    Step,
    award,
    bet,
    close_bets,
    decide,
    decides,
    examine,
    jackpot,
    line,
    replay,
    report,
    rule,
    table,
)

RWS_HOLDEM = ("rws-multilink-holdem", "rws-progressive-holdem")
HOLDEM = (*RWS_HOLDEM, "mbs-megalink-holdem")
RWS = (*RWS_HOLDEM, "rws-multilink-three-card")


def alone(game: str, *steps: Step | list[Step], dealing: str | None = None, **cards: str) -> Played:
    """ana on box 1 with an Ante of 20 and a jackpot bet of 5, up to the first decision, and what then follows."""
    start = [bet(1, "ante", "20.00"), bet(1, "jackpot", "5.00"), close_bets()]
    return replay(table(game, dealing=dealing, cards=cards), jackpot(), start, *steps)


# ---------------------------------------------------------------- layout and deck


@pytest.mark.parametrize("game", GAMES)
def test_a_table_has_no_more_boxes_than_its_layout(game: str) -> None:
    """rws-multilink-holdem 2.1.1; rws-multilink-three-card 2.1.1; rws-progressive-holdem 2.1.1; mbs-megalink-holdem
    Appendix A, Appendix B, Appendix C and Appendix D: six positions are a layout, seven are the largest, eight none."""
    for boxes in (6, 7):
        assert replay(table(game, boxes=boxes)).status() == "open"
    with pytest.raises(BadScript, match=r"boxes: .* 8 boxes are refused"):
        replay(table(game, boxes=8))


@pytest.mark.parametrize("game", HOLDEM)
def test_every_box_has_an_area_for_each_bet_of_the_game(game: str) -> None:
    """mbs-megalink-holdem 2.2.1, 2.2.2; rws-multilink-holdem 2.1.1.b; rws-progressive-holdem 2.1.1.b: six areas, and
    the jackpot's own holds nothing but the jackpot bet."""
    for box in (1, 7):
        steps = [bet(box, "ante", "20.00"), bet(box, "bonus", "5.00"), bet(box, "jackpot", "5.00"), close_bets()]
        played = replay(table(game), jackpot(), steps, decides(box, "flop", "turn", "river"))
        assert list(played.lines(box)) == ["ante", "bonus", "jackpot", "flop", "turn", "river"]
    assert replay(table(game), jackpot(), bet(1, "ante", "20.00"), bet(1, "jackpot", "20.01")).codes == [
        "wrong_jackpot_amount"
    ]


def test_the_jackpot_spot_of_a_three_card_box_takes_the_jackpot_bet_alone() -> None:
    """rws-multilink-three-card 2.1.1.b: one prescribed amount, for the hand of that box."""
    placed = replay(table("rws-multilink-three-card"), jackpot(), bet(1, "ante", "20.00"), bet(1, "jackpot", "10.00"))
    assert placed.codes == ["wrong_jackpot_amount"]


@pytest.mark.parametrize("game", GAMES)
def test_a_full_table_is_dealt_from_one_deck(game: str) -> None:
    """rws-multilink-three-card 2.2.1; rws-progressive-holdem 2.2.1; rws-multilink-holdem 2.2.1: 52 cards are enough for
    every procedure with every box betted, and no card comes twice."""
    for procedure in declare(game).dealings:
        boxes = declare(game).layout.boxes
        first = [step for step in procedure.steps if isinstance(step, Deal)]
        assert sum(s.each * s.times * sum(boxes if p == "boxes" else 1 for p in s.order) for s in first) <= len(DECK)
        bets = [bet(box, "ante", "20.00") for box in range(1, boxes + 1)]
        choices = {"rws-multilink-three-card": ("play",), "sun-casino-holdem": ("call",)}.get(
            game, ("flop", "check", "check")
        )
        decisions = [decide(box, choice) for choice in choices for box in range(1, boxes + 1)]
        played = replay(table(game, dealing=procedure.name), bets, close_bets(), decisions)
        shown = [card for cards in played.round().cards.values() for card in cards]
        assert played.status() == "settled"
        assert len(shown) == len(set(shown)) > 2 * boxes


# ---------------------------------------------------------------- the call for bets


@pytest.mark.parametrize("game", GAMES)
def test_bets_wait_for_the_dealers_call_and_the_round_ends_with_the_settlement(game: str) -> None:
    """rws-multilink-three-card 3.2; rws-progressive-holdem 3.2; rws-multilink-holdem 3.2; mbs-megalink-holdem 3.1,
    1.1.13: nothing is placed before the call, nor after the round has been settled."""
    early = replay(table(game, opened=False), bet(1, "ante", "20.00"))
    assert early.codes == ["bets_not_open"]
    over = replay(table(game), bet(1, "ante", "20.00"), close_bets(), decide(1, "fold"), bet(1, "ante", "20.00"))
    assert over.status() == "settled"
    assert over.codes == ["bets_not_open"]


@pytest.mark.parametrize("game", RWS)
def test_limits_and_jackpot_amount_are_shown_at_the_table(game: str) -> None:
    """rws-multilink-holdem 3.3; rws-multilink-three-card 3.3; rws-progressive-holdem 3.3: a notice of the rulebook."""
    notices = {text for text, rules in declare(game).announcements if "3.3" in rules}
    assert notices == {"The limits and the jackpot bet are shown at the table."}


@pytest.mark.parametrize("game", RWS)
def test_bets_count_where_they_lay_at_closing(game: str) -> None:
    """rws-multilink-three-card 5.20; rws-multilink-holdem 5.20; rws-progressive-holdem 5.20: what was put on box 2 by
    mistake is the bet of box 2."""
    played = replay(table(game), bet(1, "ante", "20.00"), bet(2, "ante", "20.00", player="ana"), close_bets(),
                    bet(1, "ante", "20.00"), decide(2, "fold"))  # fmt: skip
    assert played.codes == ["bets_closed"]
    assert {waits["what"] for waits in played.awaiting()} == {"decision"}


@pytest.mark.parametrize("game", RWS_HOLDEM)
def test_a_jackpot_bet_on_a_further_box_needs_the_players_own_ante_there(game: str) -> None:
    """rws-progressive-holdem 3.8.1; rws-multilink-holdem 3.8.1: his Ante on box 1 is none on box 2."""
    placed = replay(table(game), jackpot(), bet(1, "ante", "20.00"), bet(2, "jackpot", "5.00", player="ana"))
    assert placed.codes == ["ante_required"]
    both = [bet(1, "ante", "20.00"), bet(2, "ante", "20.00", player="ana"), bet(2, "jackpot", "5.00", player="ana")]
    assert replay(table(game), jackpot(), both).codes == []


@pytest.mark.parametrize("game", RWS)
def test_whoever_bets_on_an_empty_box_is_seated_there(game: str) -> None:
    """rws-multilink-holdem 1.26; rws-progressive-holdem 1.25; rws-multilink-three-card 1.21: the box is his, nobody
    else bets on it, and he alone looks at its hand."""
    start = [bet(1, "ante", "20.00", player="ana"), bet(1, "ante", "20.00", player="ben"), close_bets()]
    played = replay(table(game), start, examine(1, player="ben"), examine(1, player="ana"))
    assert played.codes == ["box_taken", "not_your_hand"]


# ---------------------------------------------------------------- periods and decisions


@pytest.mark.parametrize("game", RWS_HOLDEM)
@pytest.mark.parametrize("dealing", ["card_shoe", "electronic_shuffler"])
def test_each_betting_period_ends_with_the_next_community_cards(game: str, dealing: str) -> None:
    """rws-multilink-holdem 1.3, 1.3.a, 1.3.b, 1.3.c, 3.11, 3.12, 3.12.3, 3.12.3.b, 3.12.4, 3.12.5, 3.12.6, 1.23, 1.29;
    rws-progressive-holdem 1.3, 1.3.a, 1.3.b, 1.3.c, 3.11, 3.12, 3.12.3, 3.12.3.b, 3.12.4, 3.12.5, 3.12.6, 1.22, 1.28:
    fold or Flop with no card up, Turn or check with three, River or check with four, then five and the Dealer's."""
    board = "9c 8d 4h 3s 2d"
    choices = ("flop", "turn", "river")
    cards = {"community": board, "dealer": "Qs Jh", "box_1": "Kc Kd"}
    rounds = [alone(game, decides(1, *choices[:made]), dealing=dealing, **cards) for made in range(4)]
    waited = []
    for played in rounds:
        up = len(played.round().cards.get("community", ()))
        waited.append((up, [waits.get("choices") for waits in played.awaiting()]))
    assert waited == [(0, [["fold", "flop"]]), (3, [["check", "turn"]]), (4, [["check", "river"]]), (5, [])]
    assert rounds[-1].round().cards["dealer"] == ("Qs", "Jh")
    assert rounds[-1].line(1, "flop") == line("win", staked="40.00")
    assert rounds[-1].line(1, "turn") == line("win", staked="20.00")
    assert rounds[-1].line(1, "river") == line("win", staked="20.00")


@pytest.mark.parametrize("game", HOLDEM)
def test_a_check_keeps_the_hand_live_and_adds_no_stake(game: str) -> None:
    """rws-multilink-holdem 1.6; rws-progressive-holdem 1.6; mbs-megalink-holdem 1.1.4: the hand is compared at the end,
    on Ante and Flop alone."""
    played = alone(
        game, decides(1, "flop", "check", "check"), community="9c 8d 4h 3s 2d", dealer="Qs Jh", box_1="Kc Kd"
    )
    assert list(played.lines(1)) == ["ante", "jackpot", "flop"]
    assert played.line(1, "flop") == line("win", staked="40.00", won="40.00")


def test_a_three_card_hand_with_an_ante_folds_or_plays_against_the_dealer() -> None:
    """rws-multilink-three-card 3.12, 3.6.1: one decision; the Ante wins or loses by the comparison."""
    game = "rws-multilink-three-card"
    assert [waits["choices"] for waits in alone(game).awaiting()] == [["fold", "play"]]
    for own, outcome in (("Kc Kd 4h", "win"), ("5c 7d 9h", "lose")):
        played = alone(game, decide(1, "play"), dealer="Qs Qh 2c", box_1=own)
        assert played.line(1, "ante") == line(outcome)


def test_a_play_bet_of_the_wrong_size_is_put_right_at_the_settlement() -> None:
    """rws-multilink-three-card 5.3, 5.3.1, 5.3.2: what is too much goes back, what is too little stands."""
    for amount, returned in (("30.00", "10.00"), ("15.00", "0.00")):
        lost = alone("rws-multilink-three-card", decide(1, "play", amount=amount, noticed=False),
                     dealer="Qs Qh 2c", box_1="5c 7d 9h")  # fmt: skip
        assert lost.line(1, "play") == line("lose", staked=amount, returned=returned)


@pytest.mark.parametrize(
    ("method", "first", "dealer_last"),
    [("method_a", "1", False), ("method_b", "1", True), ("method_c", "dealer", False)],
)
def test_each_method_of_the_dealing_device_has_its_own_order(method: str, first: str, dealer_last: bool) -> None:
    """mbs-megalink-holdem 3.7.1, 3.7.2, 3.7.3: Methods A, B and C begin with the board, and differ in the Dealer's."""
    played = alone("mbs-megalink-holdem", decides(1, "flop", "check", "check"), dealing=method)
    dealt = played.dealt()
    assert dealt[:5] == ["community"] * 5
    assert dealt[5] == first
    assert (dealt[-1] == "dealer") == (method != "method_c")
    before = alone("mbs-megalink-holdem", dealing=method).dealt()
    assert ("dealer" not in before) == dealer_last


# ---------------------------------------------------------------- what is compared


def compared(game: str, community: str, own: str, dealer: str) -> str:
    """How the Flop bet (or the Play) of a hand comes out."""
    choices = ("play",) if game == "rws-multilink-three-card" else ("flop", "check", "check")
    played = alone(game, decides(1, *choices), community=community, dealer=dealer, box_1=own)
    found = played.line(1, choices[0])
    assert found is not None
    return found.outcome


@pytest.mark.parametrize("game", RWS_HOLDEM)
@pytest.mark.parametrize(
    ("community", "higher", "lower"),
    [
        pytest.param("Jc Td 9h 2s 3d", "Ks Qh", "8s 7h", id="a straight to the King above one to the Jack"),
        pytest.param("5c 5d Th 2s 3d", "Ks 7h", "Qs Jh", id="equal pairs, the higher side card"),
        pytest.param("Ac 5d 2h 7s 8d", "Ks Jh", "Kd Th", id="odd cards from the top down"),
        pytest.param("Ac Kd Qh Js 2d", "Tc 3h", "9s 9h", id="any five of the seven"),
    ],
)
def test_the_higher_five_of_seven_wins(game: str, community: str, higher: str, lower: str) -> None:
    """rws-progressive-holdem 3.1, 3.1.3.a, 3.1.3.b, 3.1.3.c, 1.10; rws-multilink-holdem 3.1, 3.1.3.a, 3.1.3.b, 3.1.3.c,
    1.10: seen from both sides."""
    assert compared(game, community, higher, lower) == "win"
    assert compared(game, community, lower, higher) == "lose"


@pytest.mark.parametrize(
    ("higher", "lower"),
    [pytest.param("5c 5d Kh", "5s 5h Qd", id="side card"), pytest.param("Ac Kd Jh", "As Kh Td", id="from the top")],
)
def test_three_card_hands_of_one_rank_are_separated_by_their_cards(higher: str, lower: str) -> None:
    """rws-multilink-three-card 3.1.3.b, 3.1.3.c: equal pairs by the side card, odd cards from the top down."""
    assert compared("rws-multilink-three-card", "2c 3d", higher, lower) == "win"
    assert compared("rws-multilink-three-card", "2c 3d", lower, higher) == "lose"


@pytest.mark.parametrize(
    ("community", "own", "dealer", "outcome"),
    [
        pytest.param("Kc Qd 7h 4s 2d", "Ac 3h", "Jc Th", "win", id="an Ace above a Jack"),
        pytest.param("5c 4d 3h Ks Qd", "Ac 2h", "6c 7d", "lose", id="the Ace is 1 under a Two, the lowest straight"),
        pytest.param("Kc Qd 7h 4s 2d", "Ac 3h", "As 3d", "stand_off", id="the same cards of other suits"),
    ],
)
def test_ranks_run_from_the_ace_and_suits_do_not_count(community: str, own: str, dealer: str, outcome: str) -> None:
    """mbs-megalink-holdem 3.3.1.1, 3.3.1.2, 3.3.1.3: Ace to Two, the Ace as 1 in a straight to the Five, no suits."""
    assert compared("mbs-megalink-holdem", community, own, dealer) == outcome


@pytest.mark.parametrize(
    ("own", "dealer", "outcome"),
    [("Ac 4h", "Kc Kh", "lose"), ("Ac Ah", "Kc Kh", "win"), ("Ac 4h", "As 4d", "stand_off"), ("Ac 6h", "Kc 3h", "win")],
)
def test_the_dealer_shows_his_cards_and_the_best_five_win_tie_or_lose(own: str, dealer: str, outcome: str) -> None:
    """sun-casino-holdem How to Play ¶4, ¶4.a: the Dealer's two are turned, the board counts for both, and he plays with
    a pair of 4s or better."""
    played = alone("sun-casino-holdem", decide(1, "call"), community="Js 9d 8h 4s 2d", dealer=dealer, box_1=own)
    assert " ".join(played.round().cards["dealer"]) == dealer
    assert played.line(1, "ante") == line(outcome)


def test_the_progressive_bet_survives_a_fold_and_ignores_the_hand() -> None:
    """sun-casino-holdem Progressive Jackpot ¶1, ¶2: a royal flush on the board is won by a folded and a beaten hand
    alike, a straight flush on the board shares a tenth."""
    start = [bet(box, kind, amount) for box in (1, 2) for kind, amount in (("ante", "20.00"), ("jackpot", "5.00"))]
    for community, hand, amount in (
        ("Ah Kh Qh Jh Th", "board_royal_flush", "50001.00"),
        ("9h Kh Qh Jh Th", "board_straight_flush", "5000.10"),
    ):
        played = replay(table("sun-casino-holdem", community=community, box_1="2c 3d", box_2="4c 5d", dealer="As Ad"),
                        jackpot(), start, close_bets(), decide(1, "fold"), decide(2, "call"))  # fmt: skip
        assert played.awards() == [award(hand, amount, box=1), award(hand, amount, box=2)]


@pytest.mark.parametrize(
    ("game", "paragraph"), [("rws-progressive-holdem", "4.4"), ("rws-multilink-three-card", "4.6")]
)
def test_a_folded_hand_whose_jackpot_bet_may_win_is_shown(game: str, paragraph: str) -> None:
    """rws-progressive-holdem 4.4, rws-multilink-three-card 4.6: the cards of a jackpot hand lie face up whatever the
    Dealer has."""
    assert paragraph in declare(game).other
    own = "Ah Kh" if game in RWS_HOLDEM else "9h 9c 9d"
    community = "Qh Jh Th 7d 2s" if game in RWS_HOLDEM else "Qh Jh"
    choices = ("flop", "check", "check") if game in RWS_HOLDEM else ("play",)
    played = alone(game, decides(1, *choices), community=community, dealer="As Ad 2d"[: len(own)], box_1=own)
    assert " ".join(played.round().cards["1"]) == own


# ---------------------------------------------------------------- staff


@pytest.mark.parametrize("game", RWS_HOLDEM)
def test_a_higher_post_acts_for_a_lower_one(game: str) -> None:
    """rws-progressive-holdem 1.18; rws-multilink-holdem 1.18: what takes a Pit Supervisor, a Dealer may not and a Pit
    Manager may."""
    for by, codes in (("dealer", ["not_authorised"]), ("pit_supervisor", []), ("pit_manager", [])):
        assert alone(game, report("simultaneous_draw", boxes=[1]), rule("card_order", by=by)).codes == codes


@pytest.mark.parametrize("game", RWS_HOLDEM)
def test_cards_that_can_be_put_back_in_their_order_are_reconstructed(game: str) -> None:
    """rws-multilink-holdem 1.22, 5.10.2; rws-progressive-holdem 1.21, 5.10.2: the player is offered the hand as it
    should have come; where it cannot be, rws-progressive-holdem 5.10.1, the hand as it lies."""
    for reconstructible, first in ((True, "reconstructed"), (False, "continue")):
        error = report("dealing_error", by="pit_supervisor", boxes=[1], reconstructible=reconstructible)
        (waits,) = alone(game, error).awaiting()
        assert waits["options"] == [first, "return"]


@pytest.mark.parametrize("game", RWS_HOLDEM)
@pytest.mark.parametrize("incident", ["foreign_card", "shoe_exhausted", "unshuffled"])
def test_each_of_the_listed_events_voids_the_round(game: str, incident: str) -> None:
    """rws-multilink-holdem 5.8, 5.8.1, 5.8.4, 5.8.5; rws-progressive-holdem 5.8, 5.8.1, 5.8.4, 5.8.5: bets back."""
    played = alone(game, report(incident))
    assert played.status() == "void"
    assert played.line(1, "ante") == line("returned", returned="20.00", rules="5.8")


@pytest.mark.parametrize("game", RWS_HOLDEM)
def test_a_fault_of_the_jackpot_after_a_look_leaves_the_round_in_play(game: str) -> None:
    """rws-multilink-holdem 5.17, 5.17.1; rws-progressive-holdem 5.17, 5.17.1: the round goes on, and no further jackpot
    bet is accepted."""
    played = alone(game, examine(1), report("jackpot_malfunction"), decide(1, "fold"))
    assert played.line(1, "ante") == line("lose")
    assert played.status() == "settled"


def test_a_table_deals_by_a_procedure_of_its_document() -> None:
    """mbs-megalink-holdem 3.7: methods A, B and C or by hand; any other is refused, and the refusal lists them."""
    with pytest.raises(BadTerms, match="it has method_a, method_b, method_c, manual"):
        table_terms("mbs-megalink-holdem", dealing="card_shoe")
