"""RWS Multi-Link Progressive 3 Card Poker: hands not shown, the deal, betting, wrong bets and players who leave."""

from __future__ import annotations

import pytest

from croupier.rulebooks.terms import BadTerms, table_terms
from croupier.scripts import BadScript
from tests.rulebooks.three_card_box import GAME, play
from tests.scripting import (
    award,
    bet,
    close_bets,
    decide,
    examine,
    jackpot,
    line,
    prove,
    refuse_reveal,
    replay,
    table,
    walk_away,
    withdraw,
)

# ---------------------------------------------------------------- 4.5: a hand that is not shown


def test_a_hand_not_shown_loses_ante_and_play() -> None:
    """rws-multilink-three-card 4.5, reading refusal-later-bets b: J-9-4 against A-K-Q costs 20 either way."""
    shown = play("Js 9d 4c", "Ah Kc Qd")
    refused = play("Js 9d 4c", "Ah Kc Qd", refuse_reveal(1))
    assert shown.net("ana") == refused.net("ana") == "-20.00"
    assert refused.line(1, "ante") == line("lose", rules="4.5")
    assert refused.line(1, "play") == line("lose", rules="4.5")


def test_a_house_may_give_play_back_to_a_player_who_will_not_show() -> None:
    """rws-multilink-three-card 4.5, reading refusal-later-bets a: he counts as folded, which takes the Ante alone."""
    result = play("Js 9d 4c", "Ah Kc Qd", refuse_reveal(1), rulings={"refusal-later-bets": "a"})
    assert result.line(1, "ante") == line("lose", rules="4.5")
    assert result.line(1, "play") == line("returned", returned="10.00", rules="4.5")
    assert result.net("ana") == "-10.00"


def test_a_hand_not_shown_loses_even_where_the_dealer_does_not_qualify() -> None:
    """rws-multilink-three-card 4.5, 3.13, reading refusal-later-bets b: folded, so 3.13 is not reached."""
    result = play("Js 9d 4c", "Jh Tc 8d", refuse_reveal(1))
    assert result.line(1, "ante") == line("lose", rules="4.5")
    assert result.line(1, "play") == line("lose", rules="4.5")


def test_pair_plus_and_jackpot_of_a_hand_not_shown_are_lost_unless_proved() -> None:
    """rws-multilink-three-card 4.5: the Player must establish the ranking himself; the Ante Bonus cannot be proved."""
    unproved = play("Kc Kh Kd", "As Ac Ad", refuse_reveal(1), pair_plus="5.00", progressive="5.00", community="Js Jh")
    assert unproved.line(1, "pair_plus") == line("lose", rules="4.5")
    assert unproved.line(1, "jackpot") == line("lose", rules="4.5")
    assert unproved.awards() == []
    proved = play(
        "Kc Kh Kd", "As Ac Ad", refuse_reveal(1), prove(1), pair_plus="5.00", progressive="5.00", community="Js Jh"
    )
    assert proved.line(1, "ante") == line("lose", rules="4.5")
    assert proved.line(1, "play") == line("lose", rules="4.5")
    assert proved.line(1, "pair_plus") == line("win", won="150.00", rules="4.2 3.16")
    assert proved.line(1, "jackpot") == line("win", won="400.00", rules="4.4")
    assert proved.line(1, "ante_bonus") is None


def test_where_pair_plus_goes_with_a_fold_it_cannot_be_proved() -> None:
    """rws-multilink-three-card 4.5, reading fold-pair-plus a: a deemed fold is no better than a fold."""
    result = play(
        "Kc Kh Kd",
        "As Ac Ad",
        refuse_reveal(1),
        prove(1),
        pair_plus="5.00",
        progressive="5.00",
        community="Js Jh",
        rulings={"fold-pair-plus": "a"},
    )
    assert result.line(1, "pair_plus") == line("lose", rules="4.5")
    assert result.line(1, "jackpot") == line("win", won="400.00")


def test_a_folded_hand_may_be_withheld_and_proved() -> None:
    """rws-multilink-three-card 4.5, 3.12.1: folded cards that are not shown earn nothing until they are proved."""
    steps = (decide(1, "fold"), refuse_reveal(1))
    two = {"box_1": "6h 5h 4h", "box_2": "Ac Kd 8s", "dealer": "Ks Qd Jc"}
    bets = [bet(1, "ante", "10.00"), bet(1, "pair_plus", "5.00"), bet(2, "ante", "10.00"), close_bets()]
    withheld = replay(table(GAME, cards=two), bets, steps, decide(2, "play"))
    proved = replay(table(GAME, cards=two), bets, steps, prove(1), decide(2, "play"))
    assert withheld.line(1, "pair_plus") == line("lose", rules="4.5")
    assert proved.line(1, "pair_plus") == line("win", won="200.00")


def test_there_must_be_something_to_prove() -> None:
    """rws-multilink-three-card 4.5: only the jackpot and Pair Plus Bets are proved, and only after a refusal."""
    assert play("Js 9d 4c", "Ah Kc Qd", refuse_reveal(1), prove(1)).codes == ["nothing_to_prove"]
    assert play("Js 9d 4c", "Ah Kc Qd", prove(1), pair_plus="5.00").codes == ["not_refused"]


# ---------------------------------------------------------------- 3.10 and 3.11: the deal


@pytest.mark.parametrize(
    ("dealing", "order"),
    [
        ("card_shoe", "burn 2 4 dealer 2 4 dealer 2 4 dealer community community"),
        ("shuffler_community_last", "2 2 2 4 4 4 dealer dealer dealer community community burn"),
        ("shuffler_community_first", "community community 2 2 2 4 4 4 dealer dealer dealer"),
    ],
)
def test_cards_go_out_in_the_order_of_the_procedure(dealing: str, order: str) -> None:
    """rws-multilink-three-card 3.10, 3.10.1, 1.4, 3.11.1, 3.11.2, reading discarded-community b: every card is dealt
    before the decision, the one burn comes first in a shoe, and the third card of the packet is thrown away."""
    result = replay(
        table(GAME, dealing=dealing),
        bet(2, "ante", "10.00"),
        bet(4, "pair_plus", "10.00"),
        close_bets(),
    )
    assert result.dealt() == order.split()
    assert [waits["what"] for waits in result.awaiting()] == ["decision"]
    played = replay(
        table(GAME, dealing=dealing),
        bet(2, "ante", "10.00"),
        bet(4, "pair_plus", "10.00"),
        close_bets(),
        decide(2, "play"),
    )
    assert played.dealt() == order.split()
    assert played.status() == "settled"


def test_the_third_card_of_a_named_packet_is_out() -> None:
    """rws-multilink-three-card 3.11.1, discarded-community b: with the third King it would be four of a kind."""
    result = replay(
        jackpot(contribution="0.00"),
        table(GAME, dealing="shuffler_community_last", community="Kc Kd Ks", dealer="Qs Qh 3c", box_1="Kh 2c 2d"),
        [bet(1, "ante", "10.00"), bet(1, "jackpot", "5.00"), close_bets()],
        decide(1, "fold"),
    )
    assert result.awards() == [award("full_house", "400.00", box=1)]
    assert result.round().cards["community"] == ("Kc", "Kd")
    with pytest.raises(BadScript, match="3 cards are named where 2 are dealt"):
        replay(table(GAME, community="Kc Kd Ks"))


@pytest.mark.parametrize("dealing", ["card_shoe", "shuffler_community_last", "shuffler_community_first"])
def test_every_procedure_brings_the_same_settlement(dealing: str) -> None:
    """rws-multilink-three-card 3.10, 3.11: the named cards reach their places whatever the procedure."""
    result = replay(
        jackpot(contribution="0.00"),
        table(GAME, dealing=dealing, community="9c 8c", dealer="Qs Qh 3c", box_1="Qc Jc Tc", box_3="Ac Kd 4s"),
        [bet(1, "ante", "10.00"), bet(1, "jackpot", "5.00"), bet(3, "ante", "20.00"), close_bets()],
        decide(3, "play"),
        decide(1, "play"),
    )
    assert result.awards() == [award("straight_flush", "10000.00", box=1)]
    assert result.line(3, "ante") == line("lose", rules="3.15.2")
    assert result.round().cards["community"] == ("9c", "8c")


@pytest.mark.parametrize(
    ("dealing", "told"), [("card_shoe", False), ("shuffler_community_last", True), ("shuffler_community_first", True)]
)
def test_players_are_told_of_the_shuffler_method(dealing: str, told: bool) -> None:
    """rws-multilink-three-card 3.11.3: before each round, where a shuffler is used."""
    result = replay(table(GAME, dealing=dealing))
    assert any("3.11.3" in notice.rules for notice in result.round().notices) is told


def test_the_dealers_hand_is_turned_before_a_box_with_pair_plus_alone() -> None:
    """rws-multilink-three-card 3.13, 3.14: the Dealer's Hand and the Community Cards first, then the boxes."""
    result = replay(table(GAME, dealer="Qs Qh 9d", box_1="Kc Jc 9c"), bet(1, "pair_plus", "10.00"), close_bets())
    assert list(result.round().cards) == ["community", "dealer", "1"]


# ---------------------------------------------------------------- 3.4 to 3.9: betting


def test_an_ante_or_pair_plus_or_both_take_part() -> None:
    """rws-multilink-three-card 3.6: each of the three is dealt a Hand."""
    result = replay(
        table(GAME),
        [bet(1, "ante", "10.00"), bet(2, "pair_plus", "5.00"), bet(3, "ante", "10.00"), bet(3, "pair_plus", "5.00")],
        close_bets(),
    )
    assert result.codes == []
    assert set(result.dealt()) == {"burn", "1", "2", "3", "dealer", "community"}


def test_a_jackpot_bet_needs_an_ante() -> None:
    """rws-multilink-three-card 3.8, 3.8.1, 5.4, reading jackpot-pair-plus-only b: Pair Plus does not suffice, nor does
    an Ante on another box."""
    result = replay(
        jackpot(),
        table(GAME),
        bet(1, "pair_plus", "10.00"),
        bet(1, "jackpot", "5.00"),
        bet(2, "ante", "10.00", player="ana"),
        bet(1, "jackpot", "5.00"),
        bet(2, "jackpot", "5.00", player="ana"),
    )
    assert result.codes == ["ante_required", "ante_required"]
    assert {"3.8", "5.4", "jackpot-pair-plus-only"} <= set(result.refusals[0].rules)


def test_a_house_may_let_pair_plus_carry_a_jackpot_bet() -> None:
    """rws-multilink-three-card 3.8, reading jackpot-pair-plus-only a: beside Pair Plus it is taken and paid; on an
    empty box it is refused all the same, and Pair Plus stays while it lies there."""
    reading = {"jackpot-pair-plus-only": "a"}
    result = replay(
        jackpot(contribution="0.00"),
        table(GAME, rulings=reading, community="5h 2h", dealer="As Ac Ad", box_1="Kh Jh 9h"),
        bet(2, "jackpot", "5.00"),
        bet(1, "pair_plus", "10.00"),
        bet(1, "jackpot", "5.00"),
        withdraw(1, "pair_plus"),
        close_bets(),
    )
    assert result.codes == ["ante_required", "ante_needed_by_other_bets"]
    assert result.awards() == [award("flush", "200.00", box=1)]
    orphan = replay(
        jackpot(), table(GAME, rulings=reading), bet(1, "ante", "10.00"), bet(2, "jackpot", "5.00", noticed=False),
        close_bets(), decide(1, "fold"),
    )  # fmt: skip
    assert orphan.line(2, "jackpot") == line("returned", returned="5.00", rules="5.4")


def test_an_orphan_jackpot_bet_goes_back_and_wins_nothing() -> None:
    """rws-multilink-three-card 5.4, reading orphan-jackpot-time c: found late beside Pair Plus, a royal flush earns 5
    back only, and the meter is as before."""
    result = replay(
        jackpot("100000.00", contribution="0.20"),
        table(GAME, community="Jd Td", dealer="2s 2h 3c", box_1="Ad Kd Qd"),
        bet(1, "pair_plus", "10.00"),
        bet(1, "jackpot", "5.00", noticed=False),
        close_bets(),
    )
    assert result.line(1, "jackpot") == line("returned", won="0.00", returned="5.00", rules="5.4")
    assert result.awards() == []
    assert result.meter == "100000.00"


def test_a_jackpot_bet_is_the_prescribed_amount() -> None:
    """rws-multilink-three-card 3.4, reading jackpot-amount-wrong b: 8 and 3 and a second 5 are refused."""
    result = replay(
        jackpot(),
        table(GAME),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", "8.00"),
        bet(1, "jackpot", "3.00"),
        bet(1, "jackpot", "5.00"),
        bet(1, "jackpot", "5.00"),
    )
    assert result.codes == ["wrong_jackpot_amount"] * 3
    assert all("3.4" in refusal.rules for refusal in result.refusals)


def test_a_jackpot_bet_too_large_counts_at_the_prescribed_amount() -> None:
    """rws-multilink-three-card 3.4, reading jackpot-amount-wrong b: of 8 placed 3 come back and 5 play."""
    result = replay(
        jackpot(contribution="0.20"),
        table(GAME, community="5h 2h", dealer="As Ac Ad", box_1="Kh Jh 9h"),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", "8.00", noticed=False),
        close_bets(),
        decide(1, "play"),
    )
    assert result.line(1, "jackpot") == line("win", staked="8.00", won="200.00", returned="3.00")
    assert result.meter == "100001.00"


def test_a_jackpot_bet_too_small_goes_back() -> None:
    """rws-multilink-three-card 3.4, reading jackpot-amount-wrong b: 3 placed, 3 back, no award, no contribution."""
    result = replay(
        jackpot(contribution="0.20"),
        table(GAME, community="Jd Td", dealer="2s 2h 3c", box_1="Ad Kd Qd"),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", "3.00", noticed=False),
        close_bets(),
        decide(1, "play"),
    )
    assert result.line(1, "jackpot") == line("returned", returned="3.00", rules="jackpot-amount-wrong")
    assert result.awards() == []
    assert result.meter == "100000.00"


def test_a_box_belongs_to_one_player() -> None:
    """rws-multilink-three-card 3.5: no standing players."""
    result = replay(table(GAME), bet(1, "ante", "10.00"), bet(1, "pair_plus", "10.00", player="ben"))
    assert result.codes == ["box_taken"]
    assert "3.5" in result.refusals[0].rules


def test_a_player_on_several_boxes_looks_at_one_hand() -> None:
    """rws-multilink-three-card 3.7, reading which-hand-seen b: any one, the first look fixes it; the other is blind and
    may still be played."""
    result = replay(
        table(GAME, box_1="Kc Kd 4s", box_2="9c 9d 2s", dealer="Qs Qh 9h"),
        bet(1, "ante", "10.00"),
        bet(2, "ante", "10.00", player="ana"),
        close_bets(),
        examine(2, player="ana"),
        examine(1),
        decide(1, "play"),
        decide(2, "play"),
    )
    assert result.codes == ["one_hand_only"]
    assert "3.7" in result.refusals[0].rules
    assert any("3.7" in notice.rules for notice in result.round().notices)
    assert result.line(1, "play") == line("win", won="10.00")
    assert result.line(2, "play") == line("lose")


def test_an_unseen_hand_without_play_is_a_fold() -> None:
    """rws-multilink-three-card 3.7, 3.12.1, reading blind-no-bet: the Ante is lost and Pair Plus settled."""
    result = play("Tc Td Ks", "As Ad Ac", choice="fold", pair_plus="5.00")
    assert result.line(1, "ante") == line("lose", rules="3.12.1")
    assert result.line(1, "pair_plus") == line("win", won="5.00")


def test_play_is_exactly_the_ante() -> None:
    """rws-multilink-three-card 1.13, 3.12.2, reading closing-vs-decisions b: accepted after closing, in that amount."""
    result = replay(
        table(GAME, dealer="Jh Tc 8d"),
        bet(1, "ante", "30.00"),
        close_bets(),
        decide(1, "play", amount="20.00"),
        decide(1, "check"),
        decide(1, "play"),
    )
    assert result.codes == ["wrong_amount", "not_a_choice"]
    assert result.line(1, "play") == line("stand_off", staked="30.00")


def test_nothing_is_placed_raised_or_withdrawn_after_closing() -> None:
    """rws-multilink-three-card 5.11, 3.9."""
    result = replay(
        table(GAME),
        bet(1, "ante", "10.00"),
        close_bets(),
        bet(1, "ante", "10.00"),
        bet(2, "pair_plus", "10.00"),
        withdraw(1, "ante"),
    )
    assert result.codes == ["bets_closed"] * 3
    assert all("5.11" in refusal.rules for refusal in result.refusals)


def test_an_ante_stays_while_a_jackpot_bet_needs_it() -> None:
    """rws-multilink-three-card 3.8: Pair Plus does not need it; the jackpot Bet does."""
    result = replay(
        jackpot(),
        table(GAME),
        [bet(1, "ante", "10.00"), bet(1, "pair_plus", "5.00"), bet(1, "jackpot", "5.00")],
        withdraw(1, "ante"),
        withdraw(1, "jackpot"),
        withdraw(1, "ante"),
        close_bets(),
    )
    assert result.codes == ["ante_needed_by_other_bets"]
    assert list(result.lines(1)) == ["pair_plus"]


def test_eight_boxes_are_refused_by_default() -> None:
    """rws-multilink-three-card 2.1.1.a, reading boxes-unknown: seven at most."""
    with pytest.raises(BadTerms, match="1 to 7 boxes, so 8 boxes are refused"):
        table_terms(GAME, boxes=8)
    result = replay(table(GAME, boxes=7), bet(7, "ante", "10.00"), bet(8, "ante", "10.00"))
    assert result.codes == ["unknown_box"]


# ---------------------------------------------------------------- 5.1 to 5.6: wrong bets, players who leave


def test_bets_outside_the_limits_are_refused_and_told_what_may_be_placed() -> None:
    """rws-multilink-three-card 5.1, 5.2, 3.4, reading limits-per-bet b: each kind of Bet has its own limits."""
    result = replay(
        table(GAME, limits={"ante": ["10.00", "500.00"], "pair_plus": ["5.00", "100.00"]}),
        bet(1, "ante", "501.00"),
        bet(1, "ante", "9.00"),
        bet(1, "ante", "500.00"),
        bet(1, "ante", "10.00"),
        bet(1, "pair_plus", "100.00"),
    )
    assert result.codes == ["over_maximum", "under_minimum", "over_maximum"]
    assert "at most 500.00 may be placed" in result.refusals[0].message
    assert "at least 10.00 must be placed" in result.refusals[1].message
    assert "5.1" in result.refusals[0].rules
    assert "5.2" in result.refusals[1].rules


@pytest.mark.parametrize(
    ("dealer", "ante", "bonus"),
    [
        pytest.param("Qs 3h 2d", line("win", won="500.00", returned="600.00", rules="5.1.1"), "500.00", id="win"),
        pytest.param("As Ac Ad", line("lose", won="0.00", returned="100.00", rules="5.1.1"), "500.00", id="loss"),
    ],
)  # fmt: skip
def test_an_ante_over_the_maximum_counts_at_the_maximum(dealer: str, ante: object, bonus: str) -> None:
    """rws-multilink-three-card 5.1.1, reading wrong-size-and-limit b: Ante, Play and Ante Bonus are measured on 500."""
    result = replay(
        table(GAME, dealer=dealer, box_1="9c 8d 7s"),
        bet(1, "ante", "600.00", noticed=False),
        close_bets(),
        decide(1, "play"),
    )
    assert result.line(1, "ante") == ante
    assert result.line(1, "ante_bonus") == line("win", won=bonus)
    kept = "600.00" if dealer.startswith("Q") else "100.00"
    assert result.line(1, "play") == line("win" if dealer.startswith("Q") else "lose", returned=kept)


def test_a_bet_under_the_minimum_counts_as_it_lies() -> None:
    """rws-multilink-three-card 5.2.1: unnoticed, it wins or loses accordingly."""
    result = replay(
        table(GAME, dealer="Qs 3h 2d", box_1="9c 9d 7s"),
        bet(1, "ante", "4.00", noticed=False),
        close_bets(),
        decide(1, "play"),
    )
    assert result.line(1, "ante") == line("win", won="4.00", returned="4.00", rules="3.15.1 5.2.1")
    assert result.line(1, "play") == line("win", staked="4.00", won="4.00")


@pytest.mark.parametrize(
    ("placed", "won", "returned", "rules"),
    [
        pytest.param("70.00", "50.00", "70.00", "5.3 5.3.1", id="70 on an Ante of 50: 20 back, settled at 50"),
        pytest.param("30.00", "30.00", "30.00", "5.3 5.3.2", id="30 on an Ante of 50: settled at 30"),
    ],
)
def test_a_play_bet_of_the_wrong_size_on_a_win(placed: str, won: str, returned: str, rules: str) -> None:
    """rws-multilink-three-card 5.3.1, 5.3.2, reading wrong-size-and-limit b+d."""
    result = replay(
        table(GAME, dealer="Qs 3h 2d", box_1="9c 9d 7s"),
        bet(1, "ante", "50.00"),
        close_bets(),
        decide(1, "play", amount=placed, noticed=False),
    )
    assert result.line(1, "play") == line("win", staked=placed, won=won, returned=returned, rules=rules)


@pytest.mark.parametrize(("placed", "returned"), [("70.00", "20.00"), ("30.00", "0.00")])
def test_a_play_bet_of_the_wrong_size_on_a_loss(placed: str, returned: str) -> None:
    """rws-multilink-three-card 5.3.1, 5.3.2: the surplus goes back win or lose, a small one is lost as it lies."""
    result = replay(
        table(GAME, dealer="As Ac Ad", box_1="9c 9d 7s"),
        bet(1, "ante", "50.00"),
        close_bets(),
        decide(1, "play", amount=placed, noticed=False),
    )
    assert result.line(1, "play") == line("lose", staked=placed, returned=returned)


def test_staff_may_bet_for_a_player_at_his_risk() -> None:
    """rws-multilink-three-card 5.22, 1.14."""
    result = replay(table(GAME), bet(1, "ante", "10.00", by="pit_supervisor"))
    assert result.codes == []
    assert any("5.22" in notice.rules for notice in result.round().notices)


def test_a_player_who_leaves_before_his_decision_has_folded() -> None:
    """rws-multilink-three-card 5.5, reading walk-away-after-flop: the Ante is lost, Pair Plus and jackpot play on."""
    result = play(
        "Kc Kh Kd", "As Ac Ad", walk_away("ana"), pair_plus="5.00", progressive="5.00", community="Js Jh", choice=None
    )
    assert result.line(1, "ante") == line("lose", rules="5.5")
    assert result.line(1, "play") is None
    assert result.line(1, "pair_plus") == line("win", won="150.00")
    assert result.line(1, "jackpot") == line("win", won="400.00")
    assert any("held for them" in text for text in result.notices())


def test_a_player_who_leaves_before_closing_has_folded_at_his_decision() -> None:
    """rws-multilink-three-card 5.5: his box is dealt and folded; box 2 plays on."""
    result = replay(
        table(GAME, box_1="Kc Kh Kd", box_2="9c 9d 7s", dealer="Qs 3h 2d"),
        bet(1, "ante", "10.00"),
        bet(2, "ante", "10.00"),
        walk_away("ana"),
        close_bets(),
        decide(2, "play"),
    )
    assert result.line(1, "ante") == line("lose", rules="5.5")
    assert result.line(2, "ante") == line("win")


def test_a_player_who_leaves_with_nothing_to_decide_is_settled() -> None:
    """rws-multilink-three-card 5.6: after Play, and with Pair Plus alone, the House settles."""
    result = replay(
        table(GAME, box_1="Kc Kh Kd", box_2="9c 9d 7s", box_3="Tc Td 4h", dealer="Qs 3h 2d"),
        [bet(1, "ante", "10.00"), bet(2, "pair_plus", "10.00"), bet(3, "ante", "10.00"), close_bets()],
        decide(1, "play"),
        walk_away("ana"),
        walk_away("ben"),
        decide(3, "play"),
    )
    assert result.line(1, "ante") == line("win", won="10.00")
    assert result.line(1, "play") == line("win", won="10.00")
    assert result.line(2, "pair_plus") == line("win", won="10.00")
