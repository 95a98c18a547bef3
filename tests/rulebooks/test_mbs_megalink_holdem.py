"""MBS Megalink Texas Hold'em: every settlement line, pay-table row, procedure and worked example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from croupier.rulebooks.terms import BadTerms, table_terms
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
    open_round,
    prove,
    refuse_reveal,
    replay,
    restrict,
    table,
    view_hand,
    walk_away,
    withdraw,
)

GAME = "mbs-megalink-holdem"
TO_THE_RIVER = ("flop", "turn", "river")


def play(
    own: str,
    dealer: str,
    community: str,
    *choices: str,
    before: Sequence[Step] = (),
    ante: str = "10.00",
    bonus: str | None = None,
    progressive: str | None = None,
    meter: str = "100000.00",
    reset: str = "50000.00",
    contribution: str = "0.00",
    rulings: Mapping[str, str] | None = None,
) -> Played:
    """One box, played to its end (by Flop, Turn and River unless told); `before` comes ahead of the last choice."""
    stakes = {"ante": ante, "bonus": bonus, "jackpot": progressive}
    *first, last = decides(1, *(choices or TO_THE_RIVER))
    return replay(
        jackpot(meter, reset=reset, contribution=contribution),
        table(GAME, rulings=rulings, community=community, dealer=dealer, box_1=own),
        [bet(1, kind, amount) for kind, amount in stakes.items() if amount is not None],
        close_bets(),
        first,
        before,
        last,
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


def test_a_jackpot_wager_of_several_units_contributes_the_prescribed_amount_alone() -> None:
    """mbs-megalink-holdem 3.5.3, readings contribution-time c and contribution-multiple b: 20% of 5, at closing."""
    result = play("7h 2c", "Qc Qs", "9h 5d 3h 3d 8s", "fold", progressive="15.00", contribution="0.20")
    assert result.meter == "100001.00"


def test_a_house_may_count_every_unit() -> None:
    """mbs-megalink-holdem 3.5.3, reading contribution-multiple a: 20% of an accepted 15."""
    rulings = {"contribution-multiple": "a"}
    result = play("7h 2c", "Qc Qs", "9h 5d 3h 3d 8s", "fold", progressive="15.00", contribution="0.20", rulings=rulings)
    assert result.meter == "100003.00"


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
    paid = {found.box: found for found in result.awards()}
    assert paid[royal] == award("royal_flush", "900000.00", rules="4.2 3.15 3.15.2")
    assert paid[7 - royal] == award("straight_flush", "100000.00", rules="3.15.2")
    assert "3.15.1" not in paid[royal].rules
    assert result.meter == "200000.00"


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


# ---------------------------------------------------------------- 3.7 and 3.8: the deal


FIVE = "community community community community community"


@pytest.mark.parametrize(
    ("dealing", "before", "after"),
    [
        pytest.param("method_a", f"{FIVE} 2 2 4 4 dealer dealer", "", id="method A"),
        pytest.param("method_b", f"{FIVE} 2 2 4 4", "dealer dealer", id="method B"),
        pytest.param("method_c", f"{FIVE} dealer dealer 2 2 4 4", "", id="method C"),
        pytest.param("manual", f"2 4 2 4 {FIVE}", "dealer dealer", id="manual"),
    ],
)
def test_cards_go_out_in_the_order_of_the_method(dealing: str, before: str, after: str) -> None:
    """mbs-megalink-holdem 3.7.1.1, 3.7.2.1, 3.7.3.1, 3.8, readings dealer-time-b a and security-card b: no burns, no
    card but the 52, and in method B and by hand the Dealer's two follow the choice between fold and Flop."""
    start = [bet(2, "ante", "10.00"), bet(4, "ante", "10.00"), close_bets()]
    waiting = replay(table(GAME, dealing=dealing), start)
    assert waiting.dealt() == before.split()
    one_left = replay(table(GAME, dealing=dealing), start, decide(2, "flop"))
    assert one_left.dealt() == before.split()
    chosen = replay(table(GAME, dealing=dealing), start, decide(2, "flop"), decide(4, "fold"))
    assert chosen.dealt() == f"{before} {after}".split()
    assert chosen.round().cards.keys() == {"community"}


@pytest.mark.parametrize("dealing", ["method_b", "manual"])
def test_a_house_may_deal_the_dealers_cards_after_the_river_choice(dealing: str) -> None:
    """mbs-megalink-holdem 3.7.2.1, 3.8, reading dealer-time-b b: the same cards, later."""
    rulings = {"dealer-time-b": "b"}
    start = [bet(2, "ante", "10.00"), close_bets(), decide(2, "flop"), decide(2, "check")]
    waiting = replay(table(GAME, dealing=dealing, rulings=rulings), start)
    assert "dealer" not in waiting.dealt()
    assert (
        replay(table(GAME, dealing=dealing, rulings=rulings), start, decide(2, "check")).dealt()[-2:] == ["dealer"] * 2
    )


@pytest.mark.parametrize("dealing", ["method_a", "method_b", "method_c", "manual"])
def test_every_method_brings_the_same_settlement(dealing: str) -> None:
    """mbs-megalink-holdem 3.7, 3.8: the named cards reach their places, and the streets turn three, one and one."""
    result = replay(
        table(GAME, dealing=dealing, community="9c 8d 7c Kh 2s", dealer="Kd Kc", box_1="6h 5s", box_3="Ad 4c"),
        [bet(1, "ante", "10.00"), bet(3, "ante", "10.00"), close_bets()],
        decide(3, "flop"),
        decide(1, "flop"),
        decide(1, "check"),
        decide(3, "check"),
        decide(3, "river"),
        decide(1, "river"),
    )
    assert result.line(1, "ante") == line("win")
    assert result.line(3, "river") == line("lose")
    assert result.round().cards["dealer"] == ("Kd", "Kc")


def test_cards_are_turned_street_by_street() -> None:
    """mbs-megalink-holdem 3.9.2: three after the Flop wager, the fourth after Turn, the fifth after River."""
    cards = {"community": "9c 8d 7c Kh 2s"}
    start = [bet(1, "ante", "10.00"), close_bets()]
    shown = [
        replay(table(GAME, cards=cards), start, decides(1, *choices)).round().cards.get("community", ())
        for choices in ((), ("flop",), ("flop", "turn"), ("flop", "turn", "check"))
    ]
    assert [len(found) for found in shown] == [0, 3, 4, 5]


# ---------------------------------------------------------------- 3.4 to 3.6: betting


def test_an_area_may_be_backed_by_several_players_in_proportion() -> None:
    """mbs-megalink-holdem 3.4, 3.4.2, reading shared-area b: A 30 and B 20 make one Ante of 50 and one Flop of 100; on
    a win A gets 60 and B 40 on the Flop."""
    result = replay(
        table(GAME, community="9c 8d 7c Kh 2s", dealer="Kd Kc", box_1="6h 5s"),
        bet(1, "ante", "30.00"),
        bet(1, "ante", "20.00", player="ben"),
        close_bets(),
        decides(1, "flop", "check", "river"),
    )
    assert result.line(1, "ante", player="ana") == line("win", staked="30.00", won="30.00")
    assert result.line(1, "ante", player="ben") == line("win", staked="20.00", won="20.00")
    assert result.line(1, "flop", player="ana") == line("win", staked="60.00", won="60.00", returned="60.00")
    assert result.line(1, "flop", player="ben") == line("win", staked="40.00", won="40.00", returned="40.00")
    assert result.line(1, "river", player="ben") == line("win", staked="20.00", won="20.00")
    assert result.net("ana") == "120.00"
    assert result.net("ben") == "80.00"


def test_the_seated_player_of_a_shared_area_decides_and_looks() -> None:
    """mbs-megalink-holdem 3.4, 3.5.1, 3.5.4, reading shared-area b: the other may not look, nor bet the jackpot; a fold
    takes both Antes."""
    result = replay(
        jackpot(),
        table(GAME),
        bet(1, "ante", "30.00"),
        bet(1, "ante", "20.00", player="ben"),
        bet(1, "jackpot", "5.00", player="ben"),
        bet(1, "bonus", "10.00", player="ben"),
        close_bets(),
        examine(1, player="ben"),
        examine(1),
        decide(1, "fold"),
    )
    assert result.codes == ["not_seated", "not_your_hand"]
    assert {"3.5.1", "3.5.4"} <= set(result.refusals[0].rules)
    assert result.net("ana") == "-30.00"
    assert result.net("ben") == "-30.00"


def test_the_limits_hold_for_the_whole_area() -> None:
    """mbs-megalink-holdem 3.4: 300 and 201 go over 500; 300 and 5 are fine together."""
    result = replay(
        table(GAME),
        bet(1, "ante", "300.00"),
        bet(1, "ante", "201.00", player="ben"),
        bet(1, "ante", "5.00", player="ben"),
    )
    assert result.codes == ["over_maximum"]
    assert "at most 200.00 may be placed" in result.refusals[0].message
    assert "3.4" in result.refusals[0].rules


def test_an_area_over_the_maximum_is_cut_in_proportion() -> None:
    """mbs-megalink-holdem 5.14, 3.4.2, reading shared-area b: 400 and 200 count as 500, the surplus goes back."""
    result = replay(
        table(GAME, community="9c 8d 7c Kh 2s", dealer="Kd Kc", box_1="6h 5s"),
        bet(1, "ante", "400.00"),
        bet(1, "ante", "200.00", player="ben", noticed=False),
        close_bets(),
        decides(1, "flop", "check", "check"),
    )
    ana, ben = (result.line(1, "ante", player=name) for name in ("ana", "ben"))
    assert ana == line("win", won="333.33", returned="400.00", rules="5.14")
    assert ben == line("win", won="166.67", returned="200.00", rules="5.14")
    assert result.line(1, "flop", player="ana") == line("win", staked="800.00", won="666.66")
    assert result.line(1, "flop", player="ben") == line("win", staked="400.00", won="333.34")


def test_a_house_may_leave_every_area_to_one_bettor() -> None:
    """mbs-megalink-holdem 3.4, reading shared-area a."""
    result = replay(
        table(GAME, rulings={"shared-area": "a"}), bet(1, "ante", "30.00"), bet(1, "ante", "20.00", player="ben")
    )
    assert result.codes == ["box_taken"]


def test_bonus_and_jackpot_need_an_ante_of_the_same_player() -> None:
    """mbs-megalink-holdem 3.5, 5.12.1, reading orphan-bonus: refused until the Ante lies there."""
    result = replay(
        jackpot(),
        table(GAME),
        bet(1, "bonus", "10.00"),
        bet(1, "jackpot", "5.00"),
        bet(1, "ante", "10.00"),
        bet(1, "bonus", "10.00"),
        bet(1, "jackpot", "5.00"),
        withdraw(1, "ante"),
    )
    assert result.codes == ["ante_required", "ante_required", "ante_needed_by_other_bets"]
    assert "3.5" in result.refusals[0].rules
    assert "5.12.1" in result.refusals[1].rules


def test_side_wagers_without_an_ante_found_late_go_back() -> None:
    """mbs-megalink-holdem 5.12, 5.12.2, 3.5, reading orphan-bonus: returned when the hand ends, no award, no
    contribution."""
    result = replay(
        jackpot("100000.00", contribution="0.20"),
        table(GAME, community="Qd Jd Td 3s 2h", box_1="Ad Kd"),
        bet(1, "jackpot", "5.00", noticed=False),
        bet(1, "bonus", "10.00", noticed=False),
        bet(2, "ante", "10.00"),
        close_bets(),
        decide(2, "fold"),
    )
    assert result.line(1, "jackpot") == line("returned", returned="5.00", rules="5.12.2")
    assert result.line(1, "bonus") == line("returned", returned="10.00", rules="3.5 orphan-bonus")
    assert result.awards() == []
    assert result.meter == "100000.00"
    assert "1" not in result.dealt()


def test_a_player_on_several_positions_looks_at_one_hand_and_plays_the_rest_blind() -> None:
    """mbs-megalink-holdem 1.1.2, 3.4.1, 3.5.2, readings which-hand-seen b and blind-turn-river b: the blind hand may
    bet every street and the jackpot."""
    result = replay(
        jackpot(),
        table(GAME, community="9c 8d 7c Kh 2s", dealer="Kd Kc", box_1="6h 5s", box_2="As 4d"),
        bet(1, "ante", "10.00"),
        bet(2, "ante", "10.00", player="ana"),
        bet(1, "jackpot", "5.00"),
        close_bets(),
        examine(2, player="ana"),
        examine(1),
        decide(2, "fold"),
        decides(1, "flop", "turn", "river"),
    )
    assert result.codes == ["one_hand_only"]
    assert "3.4.1" in result.refusals[0].rules
    assert any("one hand only" in text for text in result.notices())
    assert result.line(1, "river") == line("win")
    assert result.line(1, "jackpot") == line("win", won="100.00")


def test_a_house_may_bar_blind_hands_from_turn_and_river() -> None:
    """mbs-megalink-holdem 1.1.2, reading blind-turn-river a: the blind hand checks, the seen one bets."""
    result = replay(
        table(GAME, rulings={"blind-turn-river": "a"}),
        bet(1, "ante", "10.00"),
        bet(2, "ante", "10.00", player="ana"),
        close_bets(),
        examine(2, player="ana"),
        decide(1, "flop"),
        decide(2, "flop"),
        decide(1, "turn"),
        decide(2, "turn"),
        decide(1, "check"),
    )
    assert result.codes == ["not_a_choice"]
    assert "1.1.2" in result.refusals[0].rules


def test_a_pit_manager_may_restrict_a_player_to_one_position() -> None:
    """mbs-megalink-holdem 3.4.3: a Pit Supervisor may not; the restriction holds in the next round too."""
    result = replay(
        table(GAME),
        bet(1, "ante", "10.00"),
        restrict("ana", by="pit_supervisor"),
        bet(2, "ante", "10.00", player="ana"),
        withdraw(2, "ante", player="ana"),
        restrict("ana", by="pit_manager"),
        bet(2, "ante", "10.00", player="ana"),
        close_bets(),
        decide(1, "fold"),
        open_round(),
        bet(3, "ante", "10.00", player="ana"),
        bet(1, "ante", "10.00", player="ana"),
    )
    assert result.codes == ["not_authorised", "one_position_only", "one_position_only"]
    assert all("3.4.3" in refusal.rules for refusal in result.refusals)


def test_staff_may_bet_for_a_player_at_his_risk() -> None:
    """mbs-megalink-holdem 3.6."""
    result = replay(table(GAME), bet(1, "ante", "10.00", by="dealer"))
    assert any("3.6" in notice.rules for notice in result.round().notices)


def test_the_layouts_have_up_to_seven_positions() -> None:
    """mbs-megalink-holdem 2.2, Appendix C, Appendix D."""
    with pytest.raises(BadTerms, match="1 to 7 boxes, so 8 boxes are refused"):
        table_terms(GAME, boxes=8)
    assert table_terms(GAME, boxes=7).boxes == 7


def test_flop_turn_and_river_are_exact_multiples_of_the_ante() -> None:
    """mbs-megalink-holdem 3.9.2, 1.1.6: twice, once and once; another amount is refused on placing."""
    result = replay(
        table(GAME),
        bet(1, "ante", "30.00"),
        close_bets(),
        decide(1, "flop", amount="30.00"),
        decide(1, "flop", amount="60.00"),
        decide(1, "turn", amount="60.00"),
        decides(1, "turn", "river"),
    )
    assert result.codes == ["wrong_amount", "wrong_amount"]
    assert "3.9.2" in result.refusals[0].rules
    staked = {kind: found.staked for kind, found in result.lines(1).items() if found is not None}
    assert staked == {"ante": "30.00", "flop": "60.00", "turn": "30.00", "river": "30.00"}


# ---------------------------------------------------------------- 5.5, 5.6: after closing


def test_nothing_is_placed_or_raised_after_closing() -> None:
    """mbs-megalink-holdem 5.5, 3.2."""
    result = replay(
        table(GAME), bet(1, "ante", "10.00"), close_bets(), bet(1, "ante", "10.00"), bet(2, "ante", "10.00")
    )
    assert result.codes == ["bets_closed", "bets_closed"]
    assert all("5.5" in refusal.rules for refusal in result.refusals)


@pytest.mark.parametrize(
    ("dealer", "outcome", "net"), [("Kd Kc", "win", "150.00"), ("Td 6d", "lose", "-150.00")], ids=["wins", "loses"]
)
def test_a_wager_withdrawn_after_closing_is_won_or_lost_all_the_same(dealer: str, outcome: str, net: str) -> None:
    """mbs-megalink-holdem 5.6, reading withdrawn-late-mbs b: the Ante of 50 pulled back is collected or paid."""
    result = replay(
        table(GAME, community="9c 8d 7c Kh 2s", dealer=dealer, box_1="6h 5s"),
        bet(1, "ante", "50.00"),
        close_bets(),
        withdraw(1, "ante"),
        withdraw(1, "ante"),
        decides(1, "flop", "check", "check"),
    )
    assert result.codes == ["no_such_bet"]
    assert result.line(1, "ante") == line(outcome, staked="50.00")
    assert result.net("ana") == net
    assert any("5.6" in notice.rules for notice in result.round().notices)


def test_a_wager_may_be_withdrawn_before_closing() -> None:
    """mbs-megalink-holdem 5.6: it leaves no line."""
    result = replay(
        table(GAME),
        bet(1, "ante", "50.00"),
        bet(2, "ante", "50.00"),
        withdraw(1, "ante"),
        close_bets(),
        decide(2, "fold"),
    )
    assert result.lines(1) == {}


def test_a_house_may_refuse_a_late_withdrawal() -> None:
    """mbs-megalink-holdem 5.6, reading withdrawn-late-mbs a."""
    result = replay(
        table(GAME, rulings={"withdrawn-late-mbs": "a"}), bet(1, "ante", "50.00"), close_bets(), withdraw(1, "ante")
    )
    assert result.codes == ["bets_closed"]
    assert "5.6" in result.refusals[0].rules


# ---------------------------------------------------------------- 5.13 to 5.15: wagers outside the limits


def under_minimum(*later: Step, first: str = "flop", dealer: str = "Kd Kc") -> Played:
    """A round with an Ante of 5 that nobody noticed (minimum 10), and what comes after it."""
    return replay(
        table(GAME, community="9c 8d 7c Kh 2s", dealer=dealer, box_1="6h 5s"),
        bet(1, "ante", "5.00", noticed=False),
        close_bets(),
        decides(1, *((first, "check", "check") if first == "flop" else (first,))),
        later,
    )


AGAIN = (
    open_round(community="9c 8d 7c Kh 2s", dealer="Kd Kc", box_1="6h 5s"),
    bet(1, "ante", "5.00", noticed=False),
    bet(1, "bonus", "10.00"),
    close_bets(),
    *decides(1, "flop", "check", "check"),
)


def test_wagers_under_the_minimum_are_settled_one_time() -> None:
    """mbs-megalink-holdem 5.13: the first time they are paid as they lie."""
    result = under_minimum()
    assert result.line(1, "ante") == line("win", won="5.00", returned="5.00", rules="3.10.2 5.13")
    assert result.line(1, "flop") == line("win", staked="10.00", won="10.00")


@pytest.mark.parametrize(
    ("first", "dealer"), [("flop", "Kd Kc"), ("fold", "Kd Kc"), ("flop", "Td 6d")], ids=["won", "folded", "lost"]
)
def test_later_wagers_under_the_minimum_go_back_whatever_the_outcome(first: str, dealer: str) -> None:
    """mbs-megalink-holdem 5.13, reading under-min-memory b: the second Ante of 5 is returned, and takes the other bets
    of its hand with it."""
    result = under_minimum(*AGAIN, first=first, dealer=dealer)
    for kind in ("ante", "bonus", "flop"):
        assert result.line(1, kind, number=2) == line("returned", won="0.00", rules="5.13 under-min-memory")


def test_another_player_has_his_own_one_time() -> None:
    """mbs-megalink-holdem 5.13, reading under-min-memory b: the memory is of the Player, not of the position."""
    result = under_minimum(
        open_round(community="9c 8d 7c Kh 2s", dealer="Kd Kc", box_1="6h 5s"),
        bet(1, "ante", "5.00", player="ben", noticed=False),
        close_bets(),
        *decides(1, "flop", "check", "check"),
    )
    assert result.line(1, "ante", number=2) == line("win", won="5.00", rules="5.13")


def test_a_proper_wager_of_the_same_player_is_settled() -> None:
    """mbs-megalink-holdem 5.13: only wagers under the minimum go back; a Bonus under it does so alone."""
    result = under_minimum(
        open_round(community="9c 8d 7c Kh 2s", dealer="Kd Kc", box_1="6h 5s"),
        bet(1, "ante", "10.00"),
        bet(1, "bonus", "2.00", noticed=False),
        close_bets(),
        *decides(1, "flop", "check", "check"),
    )
    assert result.line(1, "ante", number=2) == line("win", won="10.00")
    assert result.line(1, "bonus", number=2) == line("returned", returned="2.00", rules="5.13")


def test_all_wagers_of_the_one_round_are_settled() -> None:
    """mbs-megalink-holdem 5.13: the one time is the round, on every position of the Player, a stand-off included."""
    result = replay(
        table(GAME, community="Ah Kd 9c 5s 2h", dealer="Qs 3c", box_1="Qc 3d", box_2="As Ac"),
        bet(1, "ante", "5.00", noticed=False),
        bet(2, "ante", "4.00", player="ana", noticed=False),
        close_bets(),
        [decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 2)],
        AGAIN,
    )
    assert result.line(1, "ante") == line("stand_off", returned="5.00", rules="5.13")
    assert result.line(2, "flop") == line("win", won="8.00")
    assert result.line(1, "ante", number=2) == line("returned")


@pytest.mark.parametrize(
    ("dealer", "ante", "flop"),
    [
        pytest.param(
            "Kd Kc",
            line("win", won="500.00", returned="600.00", rules="5.14"),
            line("win", won="1000.00", returned="1200.00", rules="5.14"),
            id="wins",
        ),
        pytest.param(
            "Td 6d",
            line("lose", won="0.00", returned="100.00", rules="5.14"),
            line("lose", won="0.00", returned="200.00", rules="5.14"),
            id="loses",
        ),
    ],
)
def test_a_wager_over_the_maximum_counts_at_the_maximum(dealer: str, ante: object, flop: object) -> None:
    """mbs-megalink-holdem 5.14: paid or collected to the maximum only; the Flop on it follows."""
    result = replay(
        table(GAME, community="9c 8d 7c Kh 2s", dealer=dealer, box_1="6h 5s"),
        bet(1, "ante", "600.00", noticed=False),
        close_bets(),
        decides(1, "flop", "check", "check"),
    )
    assert result.line(1, "ante") == ante
    assert result.line(1, "flop") == flop


# ---------------------------------------------------------------- 5.11: a player who is not there


def test_a_player_absent_at_the_flop_choice_has_an_invalid_hand() -> None:
    """mbs-megalink-holdem 5.11, reading walk-away-bonus b: Ante 50, Bonus 10 and jackpot 5 go back."""
    result = play(
        "Ac Ad", "Kd Kc", "9c 8d 7c Kh 2s", "fold", before=[walk_away("ana")], ante="50.00", bonus="10.00",
        progressive="5.00", contribution="0.20",
    )  # fmt: skip
    for kind in ("ante", "bonus", "jackpot"):
        assert result.line(1, kind) == line("returned", won="0.00", rules="5.11")
    assert result.net("ana") == "0.00"
    assert result.meter == "100000.00"
    assert result.status() == "settled"


@pytest.mark.parametrize(
    ("choice", "bonus"),
    [
        ("a", line("lose", returned="0.00", rules="5.11 walk-away-bonus")),
        ("b", line("returned", returned="10.00", rules="5.11 walk-away-bonus")),
        ("c", line("win", won="300.00", returned="10.00", rules="4.1.1")),
    ],
)
def test_what_becomes_of_the_bonus_of_an_absent_player(choice: str, bonus: object) -> None:
    """mbs-megalink-holdem 5.11, reading walk-away-bonus a, b, c: A-A with a Bonus of 10."""
    result = play(
        "Ac Ad", "Kd Kc", "9c 8d 7c Kh 2s", "fold", before=[walk_away("ana")], bonus="10.00",
        rulings={"walk-away-bonus": choice},
    )  # fmt: skip
    assert result.line(1, "ante") == line("returned", rules="5.11")
    assert result.line(1, "bonus") == bonus


def test_a_player_absent_later_is_deemed_to_check() -> None:
    """mbs-megalink-holdem 5.11, reading walk-away-after-flop of the sibling documents: hand and Bonus play on; A-A with
    Ante 50, Bonus 10 and Flop 100 is paid 300 on the Bonus."""
    result = replay(
        table(GAME, community="9c 8d 7c Kh 2s", dealer="Qd Jc", box_1="As Ah"),
        [bet(1, "ante", "50.00"), bet(1, "bonus", "10.00"), close_bets()],
        decide(1, "flop"),
        walk_away("ana"),
    )
    assert result.line(1, "bonus") == line("win", won="300.00")
    assert result.line(1, "flop") == line("win", won="100.00")
    assert list(result.lines(1)) == ["ante", "bonus", "flop"]


def test_a_player_absent_with_nothing_to_decide_is_settled() -> None:
    """mbs-megalink-holdem 5.11: after the River choice the comparison takes its course, and an award is held."""
    result = replay(
        jackpot(),
        table(GAME, community="9c 8d 7c Kh 2s", dealer="Qd Jc", box_1="6s 5h", box_2="Ac Kd"),
        [bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00"), bet(2, "ante", "50.00"), close_bets()],
        [decide(box, choice) for choice in ("flop", "check") for box in (1, 2)],
        decide(1, "river"),
        walk_away("ana"),
        decide(2, "check"),
    )
    assert result.line(1, "river") == line("win", won="50.00")
    assert result.line(1, "jackpot") == line("win", won="100.00")
    assert any("held for him" in text for text in result.notices())


# ---------------------------------------------------------------- rules that are cited


def test_the_deciding_paragraph_comes_first() -> None:
    """mbs-megalink-holdem 3.10.2, 4.1.1, 4.2: a line opens with the paragraph that decides it, and a reading that plays
    no part is not named."""
    result = play("As Ks", "3c 3h", "Qs Js Ts 7d 2c", bonus="5.00", progressive="5.00")
    found = {kind: cited.rules for kind, cited in result.lines(1).items() if cited is not None}
    assert found["ante"][0] == found["flop"][0] == "3.10.2"
    assert found["bonus"] == ("4.1.1", "1.1.3")
    assert found["jackpot"] == ("4.2", "3.13")
