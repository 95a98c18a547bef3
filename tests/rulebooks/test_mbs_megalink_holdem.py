"""MBS Megalink Texas Hold'em: every settlement line, pay-table row and worked example."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from croupier.scripts.parse import BadScript
from tests.rulebooks.mbs_box import GAME, play
from tests.scripting import (
    Played,
    award,
    bet,
    close_bets,
    decide,
    decides,
    examine,
    jackpot,
    line,
    prove,
    refuse_reveal,
    replay,
    table,
    view_hand,
    withdraw,
)

# ---------------------------------------------------------------- 3.10: the comparison


def test_a_win_with_a_straight_or_better_pays_every_wager() -> None:
    """mbs-megalink-holdem 3.10.2, 4.1, 4.1.1: Flop, Turn, River and Ante 1 to 1."""
    result = play("6h 5s", "Kd Kc", "9c 8d 7c Kh 2s")
    for kind, amount in (("ante", "10.00"), ("flop", "20.00"), ("turn", "10.00"), ("river", "10.00")):
        assert result.line(1, kind) == line("win", staked=amount, won=amount, returned=amount, rules="3.10.2 4.1.1")
    assert result.net("ana") == "50.00"


def test_a_win_below_a_straight_leaves_the_ante_on_a_stand_off() -> None:
    """mbs-megalink-holdem 3.10.2: three of a kind wins Flop, Turn and River; the Ante comes back."""
    result = play("Th Tc", "Qs 6h", "Ts Qh 6c 3d 2s")
    assert result.line(1, "ante") == line("stand_off", won="0.00", returned="10.00", rules="3.10.2")
    assert result.line(1, "flop") == line("win", won="20.00", returned="20.00", rules="3.10.2 4.1.1")
    assert result.net("ana") == "40.00"


def test_a_lower_hand_loses_every_wager_on_it() -> None:
    """mbs-megalink-holdem 3.10.3: Ante, Flop, Turn and River are collected."""
    result = play("Qs 6h", "Th Tc", "Ts Qh 6c 3d 2s")
    for kind in ("ante", "flop", "turn", "river"):
        assert result.line(1, kind) == line("lose", returned="0.00", rules="3.10.3")
    assert result.net("ana") == "-50.00"


def test_equal_hands_stand_off() -> None:
    """mbs-megalink-holdem 3.10.4, 1.1.14: neither hand wins."""
    result = play("Qc 3d", "Qs 3c", "Ah Kd 9c 5s 2h")
    for kind in ("ante", "flop", "turn", "river"):
        assert result.line(1, kind) == line("stand_off", won="0.00", rules="3.10.4 1.1.14")
    assert result.net("ana") == "0.00"


@pytest.mark.parametrize(
    ("choices", "bets"),
    [
        (("flop", "check", "check"), ["ante", "flop"]),
        (("flop", "turn", "check"), ["ante", "flop", "turn"]),
        (("flop", "check", "river"), ["ante", "flop", "river"]),
        (("flop", "turn", "river"), ["ante", "flop", "turn", "river"]),
    ],
)
def test_turn_and_river_are_free_choices(choices: tuple[str, ...], bets: list[str]) -> None:
    """mbs-megalink-holdem 3.9.2, 1.1.4, 1.1.11, 1.1.15: a wager of once the Ante or a check, each time."""
    result = play("6h 5s", "Kd Kc", "9c 8d 7c Kh 2s", *choices)
    assert list(result.lines(1)) == bets


# ---------------------------------------------------------------- 3.11 and 3.12: the order of hands


ORDER = [
    pytest.param("Ad Kd", "8d 3c", "Qd Jd Td 9d 2s", "win", id="3.11.1 royal flush above straight flush"),
    pytest.param("8c 7c", "Ac Ad", "Jc Tc 9c As Ah", "win", id="3.11.2 straight flush above four of a kind"),
    pytest.param("Ac Ad", "Jc 3s", "As Ah Jh Jd 2c", "win", id="3.11.3 four of a kind above full house"),
    pytest.param("Kd Ad", "Jc 2c", "Kc Kh Ac 8c 3d", "win", id="3.11.4 full house above flush"),
    pytest.param("2h 3h", "7c 9c", "Jh 8h 6h 5s 4d", "win", id="3.11.5 flush above straight"),
    pytest.param("6h 5s", "Kd Kc", "9c 8d 7c Kh 2s", "win", id="3.11.6 straight above three of a kind"),
    pytest.param("Th Tc", "Qs 6h", "Ts Qh 6c 3d 2s", "win", id="3.11.7 three of a kind above two pairs"),
    pytest.param("Qs 6h", "Ac Ad", "Qh 6c 3d 9s 2s", "win", id="3.11.8 two pairs above one pair"),
    pytest.param("2c 3s", "Ac Kd", "Qh Tc 6d 5s 2h", "win", id="3.11.9 one pair above odd cards"),
    pytest.param("Ac 3d", "Kc Jd", "Qh Tc 6d 5s 2h", "win", id="3.11.10 odd cards by the highest"),
    pytest.param("Ah 3h", "Kh Qh", "Jh 8h 6h 5s 4d", "win", id="3.12 flushes by their cards"),
    pytest.param("Ac 3d", "Ad 4c", "Qh Tc 8d 5s 2h", "stand_off", id="3.12.1 the same five cards"),
    pytest.param("Kd 3c", "6c Ah", "Kc 6d 9s 2h 2s", "win", id="3.12.2 the higher pair"),
    pytest.param("9d 3c", "6c Ac", "Ks Kd 9c 6h 2s", "win", id="3.12.2 the second pair"),
    pytest.param("Ad 3c", "Qc Jc", "Ks Kd 9c 9h 2s", "win", id="3.12.2 the unpaired card"),
    pytest.param("Qd 3c", "Jc 4c", "Ks Kd 9c 9h As", "stand_off", id="3.12.2 two pairs and the fifth card equal"),
    pytest.param("Td 3s", "6c 3c", "Qh Tc 6d 5s 2h", "win", id="3.12.3 the higher pair"),
    pytest.param("Qd As", "Qc Ks", "Qh Tc 6d 5s 2h", "win", id="3.12.3 the three unpaired cards"),
    pytest.param("Qd 3s", "Qc 4c", "Qh Tc 6d 5s 2h", "stand_off", id="3.12.3 equal pairs and cards"),
    pytest.param("2s Ad", "7c 6d", "5c 4d 3h Ks 9c", "lose", id="3.12.4 5-4-3-2-A below a straight with a 6"),
    pytest.param("6s 2c", "2d Ah", "5c 4d 3h Ks 9c", "win", id="3.12.4 6-5-4-3-2 above 5-4-3-2-A"),
    pytest.param("2c Ac", "7c 6c", "5c 4c 3c Ks 9d", "lose", id="3.12.4 5-4-3-2-A of one suit is the lowest"),
    pytest.param("2c Ac", "Kd Kh", "5c 4c 3c Ks 9d", "win", id="3.3.1.2 5-4-3-2-A of one suit is a straight flush"),
    pytest.param("Kd Ks", "7c Ac", "Kc 7d 7h 2s 2d", "win", id="3.12.5 the higher three of a kind"),
    pytest.param("Ac As", "Qc Qs", "Kc Kd Kh 7s 2d", "win", id="3.12.5 three on the board, the higher pair"),
    pytest.param("Ac As", "Ad Ah", "Kc Kd Kh 7s 2d", "stand_off", id="3.12.5 three on the board, equal pairs"),
    pytest.param("Kh Qs", "Kc 5s", "Ks Kd 5c Qd 2h", "win", id="full-house-shared-trips K-K-K-Q-Q above K-K-K-5-5"),
    pytest.param("Qd 3h", "Qs 4h", "8c 9d Th Js 2c", "stand_off", id="3.12.6 equal straights"),
    pytest.param("Qc 3h", "Qd 4h", "8c 9c Tc Jc 2d", "win", id="3.12.6 a straight flush is no equal of a straight"),
]


@pytest.mark.parametrize(("own", "dealer", "community", "outcome"), ORDER)
def test_the_higher_five_cards_win(own: str, dealer: str, community: str, outcome: str) -> None:
    """mbs-megalink-holdem 3.3, 3.10, 3.11, 3.12: any five of the Hole cards and the Community cards."""
    assert play(own, dealer, community).line(1, "flop") == line(outcome)


def test_one_deck_holds_every_card_once() -> None:
    """mbs-megalink-holdem 2.1, 3.11.3, reading example-typos b: a script that names a card twice is no script."""
    with pytest.raises(BadScript, match="Ac is named twice"):
        play("Ac Ah", "Ad Ac", "Jh 3c 8s 5d 2h")


# ---------------------------------------------------------------- 4.1.1: the Bonus


LOSING = "9h 9d 4c 9c 4h"
"""A board on which the Dealer's 9 or 4 beats every hand without one."""

BONUS_ROWS = [
    pytest.param("Ac Ad", "30", id="A-A in the player's hand only 30 to 1"),
    pytest.param("As Ks", "25", id="A-K suited 25 to 1"),
    pytest.param("As Qs", "20", id="A-Q suited 20 to 1"),
    pytest.param("As Js", "20", id="A-J suited 20 to 1"),
    pytest.param("As Kd", "15", id="A-K unsuited 15 to 1"),
    pytest.param("Ks Kd", "10", id="K-K 10 to 1"),
    pytest.param("Qs Qd", "10", id="Q-Q 10 to 1"),
    pytest.param("Js Jd", "10", id="J-J 10 to 1"),
    pytest.param("As Qd", "5", id="A-Q unsuited 5 to 1"),
    pytest.param("As Jd", "5", id="A-J unsuited 5 to 1"),
    pytest.param("Ts Td", "3", id="10-10 3 to 1"),
    pytest.param("7s 7d", "3", id="7-7 3 to 1"),
    pytest.param("2s 2d", "3", id="2-2 3 to 1"),
]


@pytest.mark.parametrize(("own", "odds"), BONUS_ROWS)
def test_the_bonus_pays_by_its_table_even_on_a_loss(own: str, odds: str) -> None:
    """mbs-megalink-holdem 4.1.1, 1.1.3, reading bonus-on-loss b: the Hole cards alone, whatever the comparison says."""
    result = play(own, "9s 5c", LOSING, bonus="10.00")
    assert result.line(1, "ante") == line("lose", rules="3.10.3")
    assert result.line(1, "bonus") == line(
        "win", won=f"{odds}0.00", returned="10.00", rules="4.1.1 1.1.3 bonus-on-loss"
    )


def test_aces_in_both_hands_pay_the_top_line() -> None:
    """mbs-megalink-holdem 4.1.1, reading bonus-on-stand-off b: A-A against A-A is a tie, Bonus 5 is paid 1000 to 1."""
    result = play("As Ah", "Ad Ac", "Kd Qh 8c 5s 2d", bonus="5.00")
    for kind in ("ante", "flop", "turn", "river"):
        assert result.line(1, kind) == line("stand_off")
    assert result.line(1, "bonus") == line("win", won="5000.00", returned="5.00", rules="4.1.1 bonus-on-stand-off")


def test_a_house_may_let_the_bonus_stand_off_with_the_hand() -> None:
    """mbs-megalink-holdem 3.10.4, reading bonus-on-stand-off a: on a tie the Bonus only comes back."""
    reading = {"bonus-on-stand-off": "a"}
    listed = play("As Ah", "Ad Ac", "Kd Qh 8c 5s 2d", bonus="5.00", rulings=reading)
    assert listed.line(1, "bonus") == line("stand_off", won="0.00", returned="5.00", rules="3.10.4 bonus-on-stand-off")
    unlisted = play("Qc 7d", "Qd 7h", "As Kh Jd 9c 2s", bonus="5.00", rulings=reading)
    assert unlisted.line(1, "bonus") == line("stand_off", returned="5.00")


def test_an_unlisted_bonus_loses_even_on_a_tie() -> None:
    """mbs-megalink-holdem 1.1.3, 4.1.1, reading bonus-on-stand-off b: Q-7 against Q-7, Bonus 5 lost."""
    result = play("Qc 7d", "Qd 7h", "As Kh Jd 9c 2s", bonus="5.00")
    assert result.line(1, "ante") == line("stand_off")
    assert result.line(1, "bonus") == line("lose", returned="0.00", rules="4.1.1 bonus-unlisted-loses")


@pytest.mark.parametrize("own", ["Js Ts", "As Ts", "Ks Qs", "Ad 9c"], ids=["J-10 suited", "A-10", "K-Q", "A-9"])
def test_an_unlisted_bonus_loses_even_where_the_hand_wins(own: str) -> None:
    """mbs-megalink-holdem 1.1.3, reading bonus-unlisted-loses."""
    result = play(own, "3c 2d", "As Ks Qs 9h 4c" if own == "Js Ts" else "Ah Kd Tc 9s 4c", bonus="5.00")
    assert result.line(1, "flop") == line("win")
    assert result.line(1, "bonus") == line("lose", returned="0.00", rules="1.1.3 bonus-unlisted-loses")


@pytest.mark.parametrize(("choice", "bonus", "net"), [("b", "win", "95.00"), ("a", "lose", "-35.00")])
def test_a_listed_bonus_beside_a_losing_hand(choice: str, bonus: str, net: str) -> None:
    """mbs-megalink-holdem 3.10.3, 1.1.3, reading bonus-on-loss: A-K suited loses Ante 10 and Flop 20 to three 9s; (b)
    the Bonus of 5 is paid 25 to 1, (a) it goes with the hand."""
    result = play(
        "As Ks", "9d 9c", "9h 7d 4c 2s Jd", "flop", "check", "check", bonus="5.00", rulings={"bonus-on-loss": choice}
    )
    assert result.line(1, "ante") == line("lose")
    assert result.line(1, "bonus") == line(bonus, rules="bonus-on-loss")
    assert result.net("ana") == net


def test_the_dealers_aces_alone_pay_nothing() -> None:
    """mbs-megalink-holdem 4.1.1: every line needs the Player's own Hole cards."""
    assert play("Kh 7c", "Ad Ac", "Kd Qh 8c 5s 2d", bonus="5.00").line(1, "bonus") == line("lose")


def test_there_is_no_cap_on_the_bonus() -> None:
    """mbs-megalink-holdem 4.1.1, reading bonus-cap of the sibling documents: 150 at 1000 to 1 is 150,000."""
    result = play("As Ah", "Ad Ac", "Kd Qh 8c 5s 2d", bonus="150.00")
    assert result.line(1, "bonus") == line("win", won="150000.00", returned="150.00")


# ---------------------------------------------------------------- 3.9.1: folding


def test_a_fold_loses_ante_and_bonus() -> None:
    """mbs-megalink-holdem 3.9.1, reading bonus-1000-folded b: blind A-A folded against A-A costs the Bonus too."""
    result = play("Ac Ad", "As Ah", "Kd Qh 8c 5s 2d", "fold", bonus="5.00")
    assert result.line(1, "ante") == line("lose", rules="3.9.1")
    assert result.line(1, "bonus") == line("lose", returned="0.00", rules="3.9.1 bonus-1000-folded")
    assert result.net("ana") == "-15.00"


def test_a_folded_hand_keeps_the_full_jackpot_table() -> None:
    """mbs-megalink-holdem 3.9.1, 4.2, readings folded-cards-kept b and all-folded b: 7-7 folded, flop 7-7-2: 400 for 1;
    the flop is shown, and nothing beyond it."""
    result = play("7s 7h", "As Ah", "7d 7c 2s 5s 2d", "fold", progressive="5.00")
    assert result.awards() == [award("four_of_a_kind", "2000.00", pays="400 for 1")]
    assert result.line(1, "jackpot") == line("win", won="2000.00", returned="0.00", rules="4.2 3.9.1 folded-cards-kept")
    assert result.round().cards == {"community": ("7d", "7c", "2s"), "1": ("7s", "7h")}


def test_a_hand_is_not_folded_after_the_flop_wager() -> None:
    """mbs-megalink-holdem 3.9, 3.9.2, reading late-fold b: only bet or check."""
    result = play("7s 7h", "As Ah", "7d 7c 2s 5s 2d", "flop", "fold", "check", "check")
    assert result.codes == ["not_a_choice"]
    assert {"3.9.2", "late-fold"} <= set(result.refusals[0].rules)


def test_a_house_may_allow_a_late_fold() -> None:
    """mbs-megalink-holdem 3.9.1, reading late-fold a: Ante, Flop and Bonus are lost, the jackpot plays on."""
    result = play(
        "7s 7h", "As Ah", "7d 7c 2s 5s 2d", "flop", "fold", bonus="5.00", progressive="5.00", rulings={"late-fold": "a"}
    )
    for kind in ("ante", "bonus", "flop"):
        assert result.line(1, kind) == line("lose", rules="3.9.1")
    assert result.line(1, "jackpot") == line("win", won="2000.00")


# ---------------------------------------------------------------- 3.10.1: a hand that is not shown


def test_a_hand_not_shown_ranks_below_the_dealers_and_wins_no_jackpot() -> None:
    """mbs-megalink-holdem 3.10.1, reading refusal-later-bets b: everything loses, the winning hand, Bonus and jackpot
    included."""
    result = play(
        "Ad Kd", "3c 3h", "Qd Jd Td 7s 2c", bonus="5.00", progressive="5.00", before=[refuse_reveal(1)]
    )  # fmt: skip
    for kind in ("ante", "bonus", "jackpot", "flop", "turn", "river"):
        assert result.line(1, kind) == line("lose", returned="0.00", rules="3.10.1")
    assert result.awards() == []
    assert result.meter == "100000.00"
    assert "1" not in result.round().cards


def test_a_house_may_return_the_later_wagers_of_a_hand_not_shown() -> None:
    """mbs-megalink-holdem 3.10.1, reading refusal-later-bets a: Flop, Turn and River go back."""
    result = play("7c 2d", "3c 3h", "Qd Jd Td 7s 2c", before=[refuse_reveal(1)], rulings={"refusal-later-bets": "a"})
    assert result.line(1, "ante") == line("lose", rules="3.10.1")
    for kind in ("flop", "turn", "river"):
        assert result.line(1, kind) == line("returned", rules="3.10.1 refusal-later-bets")


def test_a_hand_not_shown_cannot_be_proved_later() -> None:
    """mbs-megalink-holdem 3.10.1: such a hand does not return to play."""
    result = play("Ad Kd", "3c 3h", "Qd Jd Td 7s 2c", progressive="5.00", before=[refuse_reveal(1), prove(1)])
    assert result.codes == ["nothing_to_prove"]
    assert "3.10.1" in result.refusals[0].rules


def test_a_pit_supervisor_may_view_a_hand_that_was_not_shown() -> None:
    """mbs-megalink-holdem 3.10.1, 6.2: the Dealer may not, a Pit Manager may; it changes nothing but the record."""
    refused = refuse_reveal(1)
    result = play(
        "Ad Kd", "3c 3h", "Qd Jd Td 7s 2c", before=[refused, view_hand(1, by="dealer"), view_hand(1, by="pit_manager")]
    )
    assert result.codes == ["not_authorised"]
    assert "3.10.1" in result.refusals[0].rules
    assert any("looked at the hand of box 1" in text for text in result.notices())
    assert result.line(1, "ante") == line("lose", rules="3.10.1")


def test_the_last_position_is_one_like_any_other() -> None:
    """mbs-megalink-holdem 2.2.2, 3.10.1: of seven, the seventh is bet on, withdrawn from, decided and viewed."""
    bets = [bet(7, "ante", "10.00"), withdraw(7, "ante"), bet(7, "ante", "10.00"), close_bets(), examine(7)]
    shown = [refuse_reveal(7), view_hand(7, by="pit_supervisor"), view_hand(8, by="pit_supervisor")]
    result = replay(table(GAME), bets, decide(7, "flop"), shown, decides(7, "check", "check"))
    assert result.codes == ["not_refused"]
    assert result.line(7, "ante") == line("lose", rules="3.10.1")


def test_only_a_hand_that_was_not_shown_is_viewed() -> None:
    """mbs-megalink-holdem 3.10.1."""
    result = play("Ad Kd", "3c 3h", "Qd Jd Td 7s 2c", before=[view_hand(1, by="shift_manager")])
    assert result.codes == ["not_refused"]


def test_a_folder_declines_no_comparison() -> None:
    """mbs-megalink-holdem 3.9.1, 3.10.1, reading folded-cards-kept b: refusing to show a folded hand is refused."""
    result = replay(
        jackpot(),
        table(GAME, community="7d 7c 2s 5s 2d", box_1="7s 7h", box_2="Ac Kd"),
        [bet(1, "ante", "10.00"), bet(1, "jackpot", "5.00"), bet(2, "ante", "10.00"), close_bets()],
        decide(1, "fold"),
        refuse_reveal(1),
        decides(2, "flop", "check", "check"),
    )
    assert result.codes == ["no_hand"]
    assert result.line(1, "jackpot") == line("win", won="2000.00")


# ---------------------------------------------------------------- 4.2: the jackpot


JACKPOT_ROWS = [
    pytest.param("Ad Kd", "Qd Jd Td", "royal_flush", "100%", "100000.00", id="royal flush 100%"),
    pytest.param("Jc Tc", "9c 8c 7c", "straight_flush", "10%", "10000.00", id="straight flush 10%"),
    pytest.param("2c Ac", "5c 4c 3c", "straight_flush", "10%", "10000.00", id="5-4-3-2-A of one suit 10%"),
    pytest.param("7s 7h", "7d 7c 2s", "four_of_a_kind", "400 for 1", "2000.00", id="four of a kind 400 for 1"),
    pytest.param("Ks Kh", "Kd Jc Js", "full_house", "80 for 1", "400.00", id="full house 80 for 1"),
    pytest.param("Kh Jh", "9h 5h 2h", "flush", "40 for 1", "200.00", id="flush 40 for 1"),
    pytest.param("9c 8d", "7c 6h 5s", "straight", "20 for 1", "100.00", id="straight 20 for 1"),
    pytest.param("Ac 2d", "3c 4h 5s", "straight", "20 for 1", "100.00", id="straight 5-4-3-2-A 20 for 1"),
]


@pytest.mark.parametrize(("own", "flop", "hand", "pays", "amount"), JACKPOT_ROWS)
@pytest.mark.parametrize("choices", [("fold",), ("flop", "check", "check")], ids=["folded", "played"])
def test_the_jackpot_pays_by_its_table(
    own: str, flop: str, hand: str, pays: str, amount: str, choices: tuple[str, ...]
) -> None:
    """mbs-megalink-holdem 4.2, 1.1.10, 3.9.1, 3.13: Hole cards and Flop cards; the wager itself is collected."""
    result = play(own, "Qc Qs", f"{flop} 8s 6d", *choices, progressive="5.00")
    assert result.awards() == [award(hand, amount, box=1, player="ana", pays=pays, rules="4.2")]
    assert result.line(1, "jackpot") == line("win", staked="5.00", won=amount, returned="0.00", rules="4.2 3.13")


@pytest.mark.parametrize(
    ("own", "community"),
    [
        pytest.param("Kh Jh", "9h 5h 2s Th 3h", id="a flush that the Turn card makes"),
        pytest.param("9c 8d", "7c 6h Ks 5s 2h", id="a straight that the Turn card makes"),
        pytest.param("Ks Kh", "Kd Jc 7s Js Kc", id="three of a kind on the flop"),
        pytest.param("Ad 2c", "Qd Jd Td Kd 3s", id="a royal flush that the Turn card makes"),
    ],
)
def test_later_community_cards_make_no_jackpot_hand(own: str, community: str) -> None:
    """mbs-megalink-holdem 4.2, reading bonus-unlisted-loses: exactly two Hole cards and the first three."""
    result = play(own, "6c 4s", community, progressive="5.00")
    assert result.awards() == []
    assert result.line(1, "jackpot") == line("lose", returned="0.00", rules="4.2 bonus-unlisted-loses")
    assert "3.13" not in getattr(result.line(1, "jackpot"), "rules", ("3.13",))


def test_the_jackpot_is_paid_beside_a_beaten_hand() -> None:
    """mbs-megalink-holdem 3.10.3, 3.13: a losing hand loses all but its qualifying jackpot wager."""
    result = play("Kh Jh", "Ac Ad", "9h 5h 2h As Ah", progressive="5.00")
    assert result.line(1, "river") == line("lose", rules="3.10.3")
    assert result.line(1, "jackpot") == line("win", won="200.00")


@pytest.mark.parametrize("times", [1, 2, 3, 4, 5])
def test_a_wager_of_one_to_five_times_scales_the_fixed_odds(times: int) -> None:
    """mbs-megalink-holdem 3.5.3, 3.5.3.1, 4.2, reading for-1-multiple a: flush 40 for 1 on the whole wager."""
    result = play("Kh Jh", "Qc Qs", "9h 5h 2h 3d 3s", "fold", progressive=f"{5 * times}.00")
    assert result.line(1, "jackpot") == line("win", staked=f"{5 * times}.00", won=f"{200 * times}.00", returned="0.00")
    if times > 1:
        assert result.line(1, "jackpot") == line("win", rules="3.5.3.1 for-1-multiple")


def test_three_times_the_minimum_on_a_flush_nets_585() -> None:
    """mbs-megalink-holdem 3.5.3.1, reading for-1-multiple: 15 at 40 for 1 is 600, net +585, less the
    folded Ante of 10; (b) is 1,800."""
    cards = ("Kh Jh", "Qc Qs", "9h 5h 2h 3d 3s", "fold")
    assert play(*cards, progressive="15.00").net("ana") == "575.00"
    squared = play(*cards, progressive="15.00", rulings={"for-1-multiple": "b"})
    assert squared.line(1, "jackpot") == line("win", won="1800.00")


@pytest.mark.parametrize(
    ("own", "flop", "amount"), [("Jc Tc", "9c 8c 7c", "10000.00"), ("Ad Kd", "Qd Jd Td", "100000.00")]
)
def test_percentage_awards_are_never_multiplied(own: str, flop: str, amount: str) -> None:
    """mbs-megalink-holdem 3.5.3.1, reading for-1-multiple: five times the minimum, 10% or 100% once."""
    result = play(own, "Qc Qs", f"{flop} 3s 2h", "fold", progressive="25.00")
    assert result.line(1, "jackpot") == line("win", staked="25.00", won=amount, returned="0.00")


@pytest.mark.parametrize("amount", ["3.00", "8.00", "30.00"])
def test_a_jackpot_wager_is_one_to_five_times_the_minimum(amount: str) -> None:
    """mbs-megalink-holdem 3.5.3, reading jackpot-amount-wrong b: anything else is refused."""
    result = replay(jackpot(), table(GAME), bet(1, "ante", "10.00"), bet(1, "jackpot", amount))
    assert result.codes == ["wrong_jackpot_amount"]
    assert "3.5.3" in result.refusals[0].rules


@pytest.mark.parametrize(
    ("placed", "outcome", "won", "returned"),
    [("8.00", "win", "200.00", "3.00"), ("33.00", "win", "1000.00", "8.00"), ("3.00", "returned", "0.00", "3.00")],
)
def test_a_jackpot_wager_of_the_wrong_amount_found_late(placed: str, outcome: str, won: str, returned: str) -> None:
    """mbs-megalink-holdem 3.5.3, reading jackpot-amount-wrong b: the surplus goes back, a short wager is returned."""
    result = replay(
        jackpot(),
        table(GAME, community="9h 5h 2h 3d 3s", box_1="Kh Jh"),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", placed, noticed=False),
        close_bets(),
        decide(1, "fold"),
    )
    assert result.line(1, "jackpot") == line(outcome, staked=placed, won=won, returned=returned)


@pytest.mark.parametrize(
    ("letter", "meter"),
    [("a", "100003.00"), ("b", "100001.00")],
    ids=["the whole wager, 20% of 15", "the prescribed amount alone, 20% of 5"],
)
def test_a_jackpot_wager_of_several_units_contributes(letter: str, meter: str) -> None:
    """mbs-megalink-holdem 3.5.3, 3.5.3.1, readings contribution-time c and contribution-multiple: at closing."""
    rulings = {"contribution-multiple": letter}
    result = play("7h 2c", "Qc Qs", "9h 5d 3h 3d 8s", "fold", progressive="15.00", contribution="0.20", rulings=rulings)
    assert result.meter == meter
    if letter == "a":
        in_force = play("7h 2c", "Qc Qs", "9h 5d 3h 3d 8s", "fold", progressive="15.00", contribution="0.20")
        assert in_force.meter == meter


@pytest.mark.parametrize(("placed", "meter"), [("33.00", "100005.00"), ("8.00", "100001.00"), ("3.00", "100000.00")])
def test_only_what_counts_of_a_wrong_amount_contributes(placed: str, meter: str) -> None:
    """mbs-megalink-holdem 3.5.3, readings contribution-multiple a and jackpot-amount-wrong b: 25 of 33, 5 of 8, and
    nothing of a short wager, which goes back."""
    result = replay(
        jackpot(contribution="0.20"),
        table(GAME, community="9h 5d 3h 3d 8s", box_1="7h 2c"),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", placed, noticed=False),
        close_bets(),
        decide(1, "fold"),
    )
    assert result.meter == meter


def test_the_winners_own_contribution_is_in_the_meter() -> None:
    """mbs-megalink-holdem 4.2, readings contribution-time c and partial-award-reset b: 100,001.00, then reset."""
    result = play("Ad Kd", "Qc Qs", "Qd Jd Td 3s 2h", "fold", progressive="5.00", contribution="0.20")
    assert result.awards() == [award("royal_flush", "100001.00")]
    assert result.meter == "50000.00"


def test_fixed_odds_are_house_money() -> None:
    """mbs-megalink-holdem 4.2, reading minor-funding b: the meter does not move."""
    assert play("Ks Kh", "Qc Qs", "Kd Jc Js 3s 2h", "fold", progressive="5.00").meter == "100000.00"


@pytest.mark.parametrize(
    ("choice", "start", "left"),
    [
        ("b", "500000.00", "450000.00"),
        ("b", "200000.00", "180000.00"),
        ("c", "200000.00", "200000.00"),
        ("a", "500000.00", "200000.00"),
    ],
)
def test_what_a_ten_per_cent_award_does_to_the_meter(choice: str, start: str, left: str) -> None:
    """mbs-megalink-holdem 3.15.1, 4.2, reading partial-award-reset a, b, c."""
    result = play(
        "Jc Tc", "Qc Qs", "9c 8c 7c 3s 2h", "fold", progressive="5.00", meter=start, reset="200000.00",
        rulings={"partial-award-reset": choice},
    )  # fmt: skip
    assert result.meter == left


def test_an_award_is_rounded_down_to_the_cent() -> None:
    """mbs-megalink-holdem 4.2, reading award-rounding: 10% of 123,456.78 is 12,345.67, the rest stays."""
    result = play("Jc Tc", "Qc Qs", "9c 8c 7c 3s 2h", "fold", progressive="5.00", meter="123456.78")
    assert result.awards() == [award("straight_flush", "12345.67")]
    assert result.meter == "111111.11"


def test_a_pool_that_does_not_divide_leaves_its_rest_on_the_meter() -> None:
    """mbs-megalink-holdem 3.15.1, readings award-rounding and sf-pool-arithmetic a: of 1.00 the pool is 0.10 and 0.09,
    so each has 0.09 and a cent stays."""
    result = replay(
        jackpot("1.00", reset="0.50", contribution="0.00"),
        table(GAME, community="9c 8c 7c 3s 2h", box_2="Jc Tc", box_5="6c 5c"),
        [bet(box, kind, amount) for box in (2, 5) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        close_bets(),
        decide(5, "fold"),
        decide(2, "fold"),
    )
    assert [found.amount for found in result.awards()] == ["0.09", "0.09"]
    assert result.meter == "0.82"


def two_winners(first: str, second: str, flop: str, *, rulings: Mapping[str, str] | None = None) -> Played:
    """Jackpot hands on boxes 2 and 5, J = 1,000,000 and S = 200,000."""
    return replay(
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        table(GAME, rulings=rulings, community=f"{flop} 3s 2h", box_2=first, box_5=second),
        [bet(box, kind, amount) for box in (2, 5) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        close_bets(),
        decide(5, "fold"),
        decide(2, "fold"),
    )


@pytest.mark.parametrize(
    ("choice", "each", "left"),
    [("a", "95000.00", "810000.00"), ("b", "60000.00", "880000.00"), ("c", "50000.00", "900000.00")],
)
def test_straight_flushes_of_one_table_are_pooled_and_shared(choice: str, each: str, left: str) -> None:
    """mbs-megalink-holdem 3.15, 3.15.1, reading sf-pool-arithmetic a, b, c: J-10 and 6-5 of clubs on 9-8-7."""
    result = two_winners("Jc Tc", "6c 5c", "9c 8c 7c", rulings={"sf-pool-arithmetic": choice})
    cited = "4.2 3.15 3.15.1 sf-pool-arithmetic"
    assert result.awards() == [award("straight_flush", each, box=box, rules=cited) for box in (2, 5)]
    assert result.line(2, "jackpot") == line("win", won=each, rules=cited)
    assert "3.15.2" not in result.awards()[0].rules
    assert result.meter == left


@pytest.mark.parametrize(("first", "second", "royal"), [("9d 8d", "Ad Kd", 5), ("Ad Kd", "9d 8d", 2)])
def test_the_royal_flush_is_paid_after_the_lower_hands(first: str, second: str, royal: int) -> None:
    """mbs-megalink-holdem 3.15.2, reading major-order b: 100,000 and 900,000 in both seatings."""
    result = two_winners(first, second, "Qd Jd Td")
    assert [found.hand for found in result.awards()] == ["straight_flush", "royal_flush"]
    paid = {found.box: found for found in result.awards()}
    assert paid[royal] == award("royal_flush", "900000.00", rules="4.2 3.15 3.15.2")
    assert paid[7 - royal] == award("straight_flush", "100000.00", rules="3.15.2")
    assert "3.15.1" not in paid[royal].rules
    assert result.meter == "200000.00"


def test_straight_flushes_are_pooled_with_straight_flushes_alone() -> None:
    """mbs-megalink-holdem 3.15.1: where a stakeboard gives the flush a share of the meter too, each has its own."""
    result = replay(
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        table(
            GAME,
            pay_tables={"jackpot": {"flush": "1%"}},
            cards={"community": "9c 8c 7c 2d 3h", "dealer": "2h 3s", "box_1": "Jc Tc", "box_2": "Ac 2c"},
        ),
        [bet(box, kind, amount) for box in (1, 2) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        close_bets(),
        [decide(box, "fold") for box in (1, 2)],
    )
    assert result.awards() == [award("straight_flush", "100000.00", box=1), award("flush", "9000.00", box=2)]
    assert result.meter == "891000.00"


def test_a_player_with_two_winning_boxes_is_two_winners() -> None:
    """mbs-megalink-holdem 3.15.1, reading major-order: both boxes share the pool."""
    result = replay(
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        table(GAME, community="9c 8c 7c 3s 2h", box_1="Jc Tc", box_2="6c 5c"),
        [
            bet(box, kind, amount, player="ana")
            for box in (1, 2)
            for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))
        ],
        close_bets(),
        decide(1, "fold"),
        decide(2, "fold"),
    )
    assert [found.amount for found in result.awards()] == ["95000.00", "95000.00"]


def test_winners_of_different_tables_are_paid_in_the_order_of_entry() -> None:
    """mbs-megalink-holdem 3.14, readings simultaneous-tables c, displayed-value b and link-scope b: T2 is dealt later
    and entered first, so it gets 1,000,000 at once, and T1 what the meter shows then."""
    cards = {"community": "Qd Jd Td 3s 2h", "box_1": "Ad Kd"}
    result = replay(
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        table(GAME, cards=cards),
        table(GAME, cards=cards),
        [
            bet(1, kind, amount, at=at)
            for at in ("T1", "T2")
            for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))
        ],
        close_bets(at="T1"),
        close_bets(at="T2"),
        decide(1, "fold", at="T2"),
        decide(1, "fold", at="T1"),
    )
    assert result.awards(at="T2") == [award("royal_flush", "1000000.00")]
    assert result.awards(at="T1") == [award("royal_flush", "200000.00")]
