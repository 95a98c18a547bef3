"""RWS Multi-Link Progressive 3 Card Poker: every settlement line, pay-table row and worked example."""

from __future__ import annotations

import pytest

from croupier.rulebooks.terms import BadTerms, table_terms
from tests.rulebooks.three_card_box import GAME, play
from tests.scripting import (
    Played,
    Step,
    award,
    bet,
    close_bets,
    decide,
    examine,
    jackpot,
    line,
    refuse_reveal,
    replay,
    table,
)

# ---------------------------------------------------------------- 3.13 and 3.15: Ante and Play


def test_a_higher_hand_wins_ante_and_play_at_even_money() -> None:
    """rws-multilink-three-card 3.15.1, 4.1: both Bets pay 1 to 1."""
    result = play("Kc Kd 4s", "Qs Qh 9d")
    assert result.line(1, "ante") == line("win", won="10.00", returned="10.00", rules="3.15.1 4.1")
    assert result.line(1, "play") == line("win", staked="10.00", won="10.00", returned="10.00", rules="3.15.1 4.1")
    assert result.net("ana") == "20.00"


def test_a_lower_hand_loses_ante_and_play() -> None:
    """rws-multilink-three-card 3.15.2: Ante and Play are collected."""
    result = play("Jc Jd 4s", "Qs Qh 9d")
    assert result.line(1, "ante") == line("lose", won="0.00", returned="0.00", rules="3.15.2")
    assert result.line(1, "play") == line("lose", won="0.00", returned="0.00", rules="3.15.2")


def test_equal_hands_stand_off() -> None:
    """rws-multilink-three-card 3.15.3, 1.23: Ante and Play come back, neither paid nor collected."""
    result = play("Ac 9d 4s", "As 9h 4d")
    assert result.line(1, "ante") == line("stand_off", won="0.00", returned="10.00", rules="3.15.3 1.23")
    assert result.line(1, "play") == line("stand_off", won="0.00", returned="10.00", rules="3.15.3 1.23")
    assert result.net("ana") == "0.00"


@pytest.mark.parametrize(
    "dealer",
    [
        pytest.param("Qs 3h 2d", id="Q-3-2, the lowest that qualifies"),
        pytest.param("Ks 4h 2d", id="K-4-2"),
        pytest.param("Js Th 9d", id="J-10-9, a straight"),
        pytest.param("2s 2h 3d", id="2-2-3, a pair"),
        pytest.param("Js 8s 3s", id="J-8-3 of one suit, a flush"),
        pytest.param("3s 2h Ad", id="3-2-A, the lowest straight"),
    ],
)
def test_the_dealer_qualifies_from_queen_high(dealer: str) -> None:
    """rws-multilink-three-card 1.18, 3.15, reading queen-high b: such a Hand is compared, so a Play Bet is paid."""
    result = play("Kc Kd Kh" if "Ad" in dealer else "Ac Ad Ah", dealer)
    assert result.line(1, "play") == line("win", won="10.00", rules="3.15.1 4.1")


@pytest.mark.parametrize(
    ("own", "ante"),
    [("9c 5d 2s", "10.00"), ("Ac Kd 3s", "10.00"), ("Jc Td 8s", "10.00")],
    ids=["a worse hand", "a better hand", "the same cards"],
)
def test_against_an_unqualified_dealer_the_ante_wins_and_play_comes_back(own: str, ante: str) -> None:
    """rws-multilink-three-card 3.13, 1.18, 4.1, readings queen-high b and unqualified-worse-hand: J-10-8 offsuit does
    not qualify, so the Ante wins whatever the Player holds."""
    result = play(own, "Jh Tc 8d")
    assert result.line(1, "ante") == line(
        "win", won=ante, returned="10.00", rules="3.13 4.1 1.18 unqualified-worse-hand"
    )
    assert result.line(1, "play") == line("stand_off", won="0.00", returned="10.00", rules="3.13 1.18")


def test_the_deciding_paragraph_comes_first() -> None:
    """rws-multilink-three-card 3.13, 4.1, 4.2, 4.4: a line opens with the paragraph that decides it."""
    unqualified = play("9c 9d 9s", "Jh Tc 8d", pair_plus="5.00", progressive="5.00", community="9h 2c")
    first = {kind: found.rules[0] for kind, found in unqualified.lines(1).items() if found is not None}
    assert first == {"ante": "3.13", "play": "3.13", "pair_plus": "4.2", "jackpot": "4.4", "ante_bonus": "4.3"}


# ---------------------------------------------------------------- 3.1: which Hand is higher


@pytest.mark.parametrize(
    ("own", "dealer", "outcome"),
    [
        pytest.param("3h 2h Ah", "Qs Qh Qc", "win", id="3.1.2 straight flush above three of a kind"),
        pytest.param("2h 2d 2s", "As Kh Qc", "win", id="3.1.2 three of a kind above straight"),
        pytest.param("3c 2h Ad", "Ac Jc 9c", "win", id="3.1.2 straight above flush"),
        pytest.param("4c 3c 2c", "Ah As Ac", "win", id="3.1.2 straight flush 4-3-2 above three Aces"),
        pytest.param("6c 4c 2c", "Ah As Kd", "win", id="3.1.2 flush above pair"),
        pytest.param("2h 2d 3s", "As Kh Jc", "win", id="3.1.2 pair above odd cards"),
        pytest.param("Kc Qd Js", "Jh Td 9c", "win", id="3.1.3.a K-Q-J above J-10-9"),
        pytest.param("5c 5d Ks", "5h 5s Qd", "win", id="3.1.3.b 5-5-K above 5-5-Q"),
        pytest.param("Ac Kd Js", "Ah Ks Td", "win", id="3.1.3.c A-K-J above A-K-10"),
        pytest.param("3c 2d As", "4h 3s 2s", "lose", id="3.1.1 3-2-A is the lowest straight"),
        pytest.param("Ac Kd Qs", "Kh Qh Jd", "win", id="3.1.1 A-K-Q is the highest straight"),
        pytest.param("3c 2c Ac", "4h 3h 2h", "lose", id="3.1.1 3-2-A of one suit is the lowest straight flush"),
        pytest.param("2c Ad Ks", "As Kh 3d", "lose", id="3.1.1 2-A-K is no straight"),
        pytest.param("9c 8c 7c", "9d 8d 7d", "stand_off", id="3.1.1 suits are equal"),
    ],
)
def test_hands_are_ranked_as_three_cards(own: str, dealer: str, outcome: str) -> None:
    """rws-multilink-three-card 3.1, 3.1.1, 3.1.2, 3.1.3, reading stand-off-by-category b."""
    result = play(own, dealer)
    assert result.line(1, "play") == line(outcome)


# ---------------------------------------------------------------- 4.2: Pair Plus


PAIR_PLUS_ROWS = [
    pytest.param("6h 5h 4h", "200.00", id="straight flush 40 to 1"),
    pytest.param("Ah Kh Qh", "200.00", id="straight flush A-K-Q 40 to 1"),
    pytest.param("9c 9d 9s", "150.00", id="three of a kind 30 to 1"),
    pytest.param("9c 8d 7s", "25.00", id="straight 5 to 1"),
    pytest.param("3c 2d As", "25.00", id="straight 3-2-A 5 to 1"),
    pytest.param("Kc Jc 9c", "20.00", id="flush 4 to 1"),
    pytest.param("Tc Td Ks", "5.00", id="pair 1 to 1"),
]


@pytest.mark.parametrize(("own", "won"), PAIR_PLUS_ROWS)
@pytest.mark.parametrize(
    "dealer", [pytest.param("As Ad Ac", id="beaten"), pytest.param("Jh Ts 6d", id="dealer does not qualify")]
)
def test_pair_plus_pays_by_its_table(own: str, won: str, dealer: str) -> None:
    """rws-multilink-three-card 4.2, 3.16, 1.12: on the Player's Hand alone, whatever the Dealer has."""
    if own == "3c 2d As":
        dealer = dealer.replace("As", "Ah")
    if own == "Ah Kh Qh":
        dealer = dealer.replace("Ac", "9c").replace("Ad", "9d").replace("As", "9s")
    result = play(own, dealer, pair_plus="5.00")
    assert result.line(1, "pair_plus") == line("win", staked="5.00", won=won, returned="5.00", rules="4.2 3.16")


def test_pair_plus_loses_without_a_pair() -> None:
    """rws-multilink-three-card 1.12, 4.2: odd cards lose it even where the hand wins."""
    result = play("Ac Kd 9s", "Qs Jh 9d", pair_plus="5.00")
    assert result.line(1, "pair_plus") == line("lose", returned="0.00", rules="1.12 4.2")
    assert result.line(1, "ante") == line("win")


def test_a_box_with_pair_plus_alone_takes_part_without_a_decision() -> None:
    """rws-multilink-three-card 3.6, 3.6.2, 3.14, reading pair-plus-only-moves b: the Dealer turns it, nobody looks."""
    result = play("Kc Jc 9c", "As Ad Ac", examine(1), ante=None, pair_plus="10.00", choice=None)
    assert result.status() == "settled"
    assert result.line(1, "pair_plus") == line("win", won="40.00", returned="10.00", rules="4.2 3.16")
    assert list(result.lines(1)) == ["pair_plus"]


def test_a_box_with_pair_plus_alone_may_not_be_examined_decided_or_withheld() -> None:
    """rws-multilink-three-card 3.14, 3.12.2, reading pair-plus-only-moves b: examining it, playing it and refusing to
    show it are all refused while another box decides."""
    result = replay(
        table(GAME, dealer="Qs Qh 9d", box_1="Kc Jc 9c", box_2="Ac Kd 8s"),
        bet(1, "pair_plus", "10.00"),
        bet(2, "ante", "10.00"),
        close_bets(),
        examine(1),
        refuse_reveal(1),
        decide(1, "play"),
        decide(2, "play"),
    )
    assert result.codes == ["not_to_be_examined", "not_to_be_examined", "no_decision_due"]
    assert "3.14" in result.refusals[0].rules
    assert "3.14" in result.refusals[1].rules
    assert result.line(1, "pair_plus") == line("win", won="40.00")


# ---------------------------------------------------------------- 4.3: Ante Bonus


ANTE_BONUS_ROWS = [
    pytest.param("6h 5h 4h", "50.00", id="straight flush 5 to 1"),
    pytest.param("9c 9d 9s", "40.00", id="three of a kind 4 to 1"),
    pytest.param("9c 8d 7s", "10.00", id="straight 1 to 1"),
]


@pytest.mark.parametrize(("own", "won"), ANTE_BONUS_ROWS)
@pytest.mark.parametrize(
    "dealer",
    [
        pytest.param("As Ad Ac", id="against three Aces"),
        pytest.param("Jh Ts 8c", id="dealer does not qualify"),
        pytest.param("Qs 3h 2d", id="on a win"),
    ],
)
def test_the_ante_bonus_pays_by_its_table(own: str, won: str, dealer: str) -> None:
    """rws-multilink-three-card 4.3, 3.16, 1.2: a payment on the Ante without a stake, whatever the Dealer has."""
    result = play(own, dealer)
    assert result.line(1, "ante_bonus") == line("win", staked="0.00", won=won, returned="0.00", rules="4.3 3.16 1.2")


def test_a_stakeboard_lists_hands_of_three_cards_and_no_other() -> None:
    """rws-multilink-three-card 3.1.2, 4.2: the House may pay a flush less; four of a kind takes four cards."""
    terms = table_terms(GAME, pay_tables={"pair_plus": {"flush": "3 to 1"}})
    assert str(dict(terms.book.side_bets[0].table.rows)["flush"]) == "3 to 1"
    with pytest.raises(BadTerms, match='There is no line "four_of_a_kind": the lines are straight_flush'):
        table_terms(GAME, pay_tables={"pair_plus": {"four_of_a_kind": "50 to 1"}})


def test_a_flush_or_less_earns_no_ante_bonus_and_leaves_no_line() -> None:
    """rws-multilink-three-card 1.2, 4.3: below a straight nothing is paid and nothing is shown."""
    assert play("Kc Jc 9c", "Qs 3h 2d").line(1, "ante_bonus") is None
    assert play("Kc Kd 9c", "Qs 3h 2d").line(1, "ante_bonus") is None


def test_the_ante_bonus_is_paid_on_a_loss() -> None:
    """rws-multilink-three-card 3.15.2, 3.16, reading ante-bonus-stand-off: 5-4-3 against K-Q-J is −20 and +10."""
    result = play("5c 4d 3h", "Ks Qh Jd")
    assert result.line(1, "ante_bonus") == line("win", won="10.00", rules="4.3 3.15.2")
    assert result.net("ana") == "-10.00"


def test_the_ante_bonus_is_paid_on_a_stand_off() -> None:
    """rws-multilink-three-card 1.23, 3.16, reading ante-bonus-stand-off b: 9-8-7 against 9-8-7 is +10."""
    result = play("9c 8d 7h", "9s 8h 7d", community="2c 4d")
    assert result.line(1, "ante") == line("stand_off", returned="10.00")
    assert result.line(1, "ante_bonus") == line("win", won="10.00", rules="4.3 1.23 ante-bonus-stand-off")
    assert result.net("ana") == "10.00"


def test_a_house_may_withhold_the_ante_bonus_on_a_stand_off() -> None:
    """rws-multilink-three-card 3.15.3, reading ante-bonus-stand-off a: both Bets come back and nothing is paid."""
    result = play("9c 8d 7h", "9s 8h 7d", community="2c 4d", rulings={"ante-bonus-stand-off": "a"})
    assert result.line(1, "ante_bonus") is None
    assert result.net("ana") == "0.00"


# ---------------------------------------------------------------- 3.12.1: folding


def test_a_fold_loses_the_ante_and_keeps_pair_plus() -> None:
    """rws-multilink-three-card 3.12.1, 3.16, readings fold-pair-plus b and fold-ante-bonus b: a blind 6-5-4 of hearts
    folded loses the Ante, is paid 40 to 1 on Pair Plus, and earns no Ante Bonus."""
    result = play("6h 5h 4h", "Ks Qd Jc", pair_plus="5.00", choice="fold")
    assert result.line(1, "ante") == line("lose", returned="0.00", rules="3.12.1")
    assert result.line(1, "pair_plus") == line("win", won="200.00", returned="5.00", rules="4.2 3.16 fold-pair-plus")
    assert result.line(1, "ante_bonus") is None
    assert result.line(1, "play") is None
    assert result.net("ana") == "190.00"


def test_a_house_may_take_pair_plus_with_the_fold() -> None:
    """rws-multilink-three-card 3.12.1, reading fold-pair-plus a."""
    result = play("6h 5h 4h", "Ks Qd Jc", pair_plus="5.00", choice="fold", rulings={"fold-pair-plus": "a"})
    assert result.line(1, "pair_plus") == line("lose", returned="0.00", rules="3.12.1 fold-pair-plus")


def test_a_house_may_pay_the_ante_bonus_on_a_folded_hand() -> None:
    """rws-multilink-three-card 3.16, reading fold-ante-bonus a: 50 on an Ante of 10."""
    result = play("6h 5h 4h", "Ks Qd Jc", choice="fold", rulings={"fold-ante-bonus": "a"})
    assert result.line(1, "ante_bonus") == line("win", staked="0.00", won="50.00", rules="4.3 fold-ante-bonus")
    assert result.net("ana") == "40.00"


@pytest.mark.parametrize(
    ("own", "community", "hand", "won"),
    [
        ("Kc Kd Ks", "Jh Jd", "full_house", "400.00"),
        ("Kc Kd 4s", "Kh Ks", "four_of_a_kind", "2000.00"),
    ],
)
def test_a_folded_hand_keeps_the_full_jackpot_table(own: str, community: str, hand: str, won: str) -> None:
    """rws-multilink-three-card 3.12.1, 4.4, readings folded-cards-kept b and all-folded b: the sole Player folds, the
    Community Cards are shown all the same, and his cards at the box earn the award."""
    result = play(own, "Qs Qd Tc", progressive="5.00", community=community, choice="fold")
    assert result.line(1, "ante") == line("lose")
    assert result.awards() == [award(hand, won, box=1, rules="4.4")]
    assert result.line(1, "jackpot") == line("win", won=won, returned="0.00", rules="4.4 4.4.1 3.12.1")
    assert result.round().cards["community"] == tuple(community.split())
    assert "dealer" not in result.round().cards


def test_a_folded_hand_without_a_live_bet_ends_the_round() -> None:
    """rws-multilink-three-card 3.12.1, reading all-folded b: nothing is turned that no Bet needs."""
    result = play("Kc Kd 4s", "Qs Qd Tc", choice="fold")
    assert result.status() == "settled"
    assert result.round().cards == {}


# ---------------------------------------------------------------- 4.4: the jackpot


JACKPOT_ROWS = [
    pytest.param("Ad Kd Qd", "Jd Td", "royal_flush", "100%", "100000.00", id="royal flush 100%"),
    pytest.param("Qc Jc Tc", "9c 8c", "straight_flush", "10%", "10000.00", id="straight flush 10%"),
    pytest.param("5c 4c 3c", "2c Ac", "straight_flush", "10%", "10000.00", id="steel wheel 10%"),
    pytest.param("Kc Kh Kd", "Ks Jh", "four_of_a_kind", "400 for 1", "2000.00", id="four of a kind 400 for 1"),
    pytest.param("Kc Kh Kd", "Js Jh", "full_house", "80 for 1", "400.00", id="full house 80 for 1"),
    pytest.param("Kh Jh 9h", "5h 2h", "flush", "40 for 1", "200.00", id="flush 40 for 1"),
    pytest.param("5c 4d 3c", "2h As", "straight", "20 for 1", "100.00", id="straight 5-4-3-2-A 20 for 1"),
    pytest.param("Ac Kd Qc", "Jh Ts", "straight", "20 for 1", "100.00", id="straight A-K-Q-J-10 20 for 1"),
]


@pytest.mark.parametrize(("own", "community", "hand", "pays", "amount"), JACKPOT_ROWS)
def test_the_jackpot_pays_by_its_table(own: str, community: str, hand: str, pays: str, amount: str) -> None:
    """rws-multilink-three-card 4.4, 4.4.1, 3.17, 1.17, readings steel-wheel and for-1-multiple: the Player's three
    cards with the two Community Cards; the jackpot Bet itself is collected."""
    result = play(own, "7s 7d 6c", progressive="5.00", community=community)
    assert result.awards() == [award(hand, amount, box=1, player="ana", pays=pays, rules="4.4")]
    assert result.line(1, "jackpot") == line("win", staked="5.00", won=amount, returned="0.00", rules="4.4 4.4.1")


@pytest.mark.parametrize(
    ("own", "community"),
    [
        pytest.param("Kc Kh Kd", "7s 2h", id="three of a kind"),
        pytest.param("Kc Kh 7d", "7s 2h", id="two pairs"),
        pytest.param("6h 5h 4h", "Kd 2s", id="a three-card straight flush"),
        pytest.param("Ac Kd Qs", "4h 3d", id="a three-card straight"),
    ],
)
def test_what_is_no_line_of_the_jackpot_table_loses(own: str, community: str) -> None:
    """rws-multilink-three-card 4.4.1, 1.17, reading bonus-unlisted-loses: all five cards must make a listed Hand."""
    result = play(own, "Js Td 8c", progressive="5.00", community=community)
    assert result.awards() == []
    assert result.line(1, "jackpot") == line("lose", won="0.00", returned="0.00", rules="4.4.1 bonus-unlisted-loses")


def test_both_community_cards_must_be_used() -> None:
    """rws-multilink-three-card 1.17, 4.4.1: exactly three and two; a hand cannot leave a Community Card out."""
    result = play("Kc Kh Kd", "Js Td 8c", progressive="5.00", community="Ks 2h")
    assert result.awards() == [award("four_of_a_kind", "2000.00")]
    assert play("Ad Kd Qd", "9s 9c 8c", progressive="5.00", community="Jd 2h").awards() == []


def test_the_jackpot_is_paid_whatever_becomes_of_the_hand() -> None:
    """rws-multilink-three-card 3.15.2, 4.4.1, reading jackpot-silence b: beaten and unclaimed, the flush is paid."""
    result = play("Kh Jh 9h", "As Ac Ad", progressive="5.00", community="5h 2h")
    assert result.line(1, "ante") == line("lose")
    assert result.line(1, "jackpot") == line("win", won="200.00")


def test_fixed_odds_are_house_money() -> None:
    """rws-multilink-three-card 4.4, readings minor-funding b and for-1-multiple a: four of a kind on 5 is 2,000, net
    +1,995 beside the rest, and the meter does not move."""
    result = play("Kc Kh Kd", "As Ac Ad", progressive="5.00", community="Ks Jh")
    assert result.meter == "100000.00"
    jackpot_line = result.line(1, "jackpot")
    assert jackpot_line == line("win", staked="5.00", won="2000.00", returned="0.00")


def test_the_winners_own_contribution_is_in_the_meter() -> None:
    """rws-multilink-three-card 1.16, reading contribution-time c: 100,000 and 20% of 5 pay 100,001.00, then reset."""
    result = play("Ad Kd Qd", "7s 7d 6c", progressive="5.00", community="Jd Td", contribution="0.20")
    assert result.awards() == [award("royal_flush", "100001.00", pays="100%")]
    assert result.meter == "50000.00"


def test_an_award_is_rounded_down_to_the_cent() -> None:
    """rws-multilink-three-card 4.4, reading award-rounding: 10% of 123,456.78 is 12,345.67, the rest stays."""
    result = play("Qc Jc Tc", "7s 7d 6c", progressive="5.00", community="9c 8c", meter="123456.78")
    assert result.awards() == [award("straight_flush", "12345.67")]
    assert result.meter == "111111.11"


@pytest.mark.parametrize(
    ("choice", "start", "left"),
    [
        pytest.param("b", "500000.00", "450000.00", id="b lowers the meter"),
        pytest.param("b", "200000.00", "180000.00", id="b knows no floor"),
        pytest.param("c", "200000.00", "200000.00", id="c keeps the reset value"),
        pytest.param("c", "500000.00", "450000.00", id="c lowers a higher meter"),
        pytest.param("a", "500000.00", "200000.00", id="a resets"),
    ],
)
def test_what_a_ten_per_cent_award_does_to_the_meter(choice: str, start: str, left: str) -> None:
    """rws-multilink-three-card 1.16, 4.4, reading partial-award-reset a, b, c."""
    result = play(
        "Qc Jc Tc",
        "7s 7d 6c",
        progressive="5.00",
        community="9c 8c",
        meter=start,
        reset="200000.00",
        rulings={"partial-award-reset": choice},
    )
    assert result.meter == left


@pytest.mark.parametrize(
    ("royal", "low", "order", "royal_pays", "low_pays", "left"),
    [
        pytest.param(5, 2, "a", "900000.00", "100000.00", "200000.00", id="a, the straight flush sits first"),
        pytest.param(2, 5, "a", "1000000.00", "20000.00", "180000.00", id="a, the royal flush sits first"),
        pytest.param(2, 5, "b", "900000.00", "100000.00", "200000.00", id="b, the royal flush is paid last"),
    ],
)
def test_winners_of_one_table_are_paid_clockwise(
    royal: int, low: int, order: str, royal_pays: str, low_pays: str, left: str
) -> None:
    """rws-multilink-three-card 4.7, 4.7.1, reading major-order: each from the meter after the payment before his."""
    hands = {f"box_{royal}": "Ad Kd Qd", f"box_{low}": "9d 8d 7d"}
    result = replay(
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        table(GAME, rulings={"major-order": order}, community="Jd Td", dealer="2s 2h 3c", cards=hands),
        [bet(box, kind, amount) for box in (2, 5) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        close_bets(),
        decide(2, "play"),
        decide(5, "fold"),
    )
    paid = {found.box: found for found in result.awards()}
    assert paid[royal] == award("royal_flush", royal_pays, rules="4.4 4.7.1")
    assert paid[low] == award("straight_flush", low_pays, rules="4.4 4.7.1")
    assert result.meter == left


def test_two_straight_flushes_are_paid_one_after_the_other() -> None:
    """rws-multilink-three-card 4.7.1, reading displayed-value b: 10% of the meter, then 10% of what is left; no pool as
    at MBS."""
    result = replay(
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        table(GAME, community="9c 8c", dealer="2s 2h 3c", box_1="Qc Jc Tc", box_2="7c 6c 5c"),
        [bet(box, kind, amount) for box in (1, 2) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        close_bets(),
        decide(2, "play"),
        decide(1, "play"),
    )
    assert result.awards() == [
        award("straight_flush", "100000.00", box=1),
        award("straight_flush", "90000.00", box=2),
    ]
    assert result.meter == "810000.00"


def two_royals(*steps: Step, order: str = "b") -> Played:
    """Two tables with a royal flush each, T1 dealt first; J = 1,000,000 and S = 200,000."""
    rulings = {"simultaneous-tables": order}
    hands = {"community": "Jd Td", "dealer": "2s 2h 3c"}
    return replay(
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        table(GAME, rulings=rulings, box_1="Ad Kd Qd", cards=hands),
        table(GAME, rulings=rulings, box_3="Ad Kd Qd", cards=hands),
        bet(1, "ante", "10.00", at="T1"),
        bet(1, "jackpot", "5.00", at="T1"),
        bet(3, "ante", "10.00", at="T2"),
        bet(3, "jackpot", "5.00", at="T2"),
        close_bets(at="T1"),
        close_bets(at="T2"),
        steps,
    )


def test_a_royal_flush_waits_for_the_table_dealt_before_it() -> None:
    """rws-multilink-three-card 4.7.2, reading simultaneous-tables b: T2 reveals first and waits, T1 gets 1,000,000."""
    waiting = two_royals(decide(3, "play", at="T2"))
    assert waiting.status(at="T2") == "open"
    assert [waits["what"] for waits in waiting.awaiting(at="T2")] == ["award"]
    assert waiting.line(3, "ante", at="T2") == line("win")
    result = two_royals(decide(3, "play", at="T2"), decide(1, "play", at="T1"))
    assert result.awards(at="T1") == [award("royal_flush", "1000000.00")]
    assert result.awards(at="T2") == [award("royal_flush", "200000.00")]


@pytest.mark.parametrize("order", ["a", "c"])
def test_a_house_may_pay_whoever_reveals_first(order: str) -> None:
    """rws-multilink-three-card 4.7.2, reading simultaneous-tables a and c: nothing waits, so T2 gets 1,000,000."""
    result = two_royals(decide(3, "play", at="T2"), decide(1, "play", at="T1"), order=order)
    assert result.awards(at="T2") == [award("royal_flush", "1000000.00")]
    assert result.awards(at="T1") == [award("royal_flush", "200000.00")]


def test_hold_em_and_three_card_tables_share_a_meter_where_the_house_links_them() -> None:
    """rws-multilink-three-card 4.7.2, reading link-scope b: one meter for the tables that the House joins."""
    result = replay(
        jackpot("100000.00", contribution="0.20"),
        table(GAME, community="Jd Td", dealer="2s 2h 3c", box_1="Ad Kd Qd"),
        table("rws-multilink-holdem"),
        bet(1, "ante", "10.00", at="T2"),
        bet(1, "jackpot", "5.00", at="T2"),
        close_bets(at="T2"),
        decide(1, "fold", at="T2"),
        bet(1, "ante", "10.00", at="T1"),
        bet(1, "jackpot", "5.00", at="T1"),
        close_bets(at="T1"),
        decide(1, "play", at="T1"),
    )
    assert result.awards(at="T1") == [award("royal_flush", "100002.00")]
