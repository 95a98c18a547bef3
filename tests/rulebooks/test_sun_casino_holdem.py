"""Sun International Casino Hold'Em: every settlement line, pay-table row, the deal, the stakeboard, the examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from croupier.rulebooks.terms import BadTerms, table_terms
from tests.scripting import (
    Expected,
    Played,
    Step,
    award,
    bet,
    close_bets,
    decide,
    examine,
    jackpot,
    line,
    replay,
    restrict,
    table,
    view_hand,
    withdraw,
)

GAME = "sun-casino-holdem"
WIN, LOSS, TIE = ("Payouts ¶1.a",), ("Payouts ¶1.c",), ("Payouts ¶1.b", "Stand Off ¶1")
UNQUALIFIED = ("How to Play ¶5", "Payouts ¶2", "How to Play ¶4.c")


def play(
    own: str,
    dealer: str,
    community: str,
    choice: str = "call",
    *,
    before: Sequence[Step] = (),
    progressive: str | None = None,
    meter: str = "100000.00",
    pay_tables: Mapping[str, Mapping[str, str]] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Played:
    """One box with an Ante of 10, called unless told otherwise."""
    return replay(
        jackpot(meter, reset="50000.00", contribution="0.00"),
        table(GAME, pay_tables=pay_tables, rulings=rulings, community=community, dealer=dealer, box_1=own),
        bet(1, "ante", "10.00"),
        [bet(1, "jackpot", progressive)] if progressive is not None else [],
        close_bets(),
        before,
        decide(1, choice),
    )


# ---------------------------------------------------------------- Payouts ¶1: the Dealer qualifies


ANTE_ROWS = [
    pytest.param("Ad Kd", "2h 3c", "Qd Jd Td 4s 4c", "100", "Ante Winning Paytable ¶1", id="royal flush 100 to 1"),
    pytest.param("9d 8d", "2h 3c", "Jd Td 7d 4s 4c", "20", "Ante Winning Paytable ¶2", id="straight flush 20 to 1"),
    pytest.param("Kc Kd", "4h 3c", "Ks Kh 7d 4s 2c", "10", "Ante Winning Paytable ¶3", id="four of a kind 10 to 1"),
    pytest.param("Kc Kd", "4h 3c", "Ks 7h 7d 4s 2c", "3", "Ante Winning Paytable ¶4", id="full house 3 to 1"),
    pytest.param("Ah 3h", "9c Jd", "Kh 9h 6h 4s 2c", "2", "Ante Winning Paytable ¶5", id="flush 2 to 1"),
    pytest.param("8c 7d", "Ks Jc", "6h 5s 4d Kc 2h", "1", "sun-pay-tables", id="straight 1 to 1"),
    pytest.param("9c 9d", "Kd Jc", "9h Ks 5d 2c 3h", "1", "sun-pay-tables", id="three of a kind 1 to 1"),
    pytest.param("9c 5s", "Kd Jc", "9h Ks 5d 2c 3h", "1", "sun-pay-tables", id="two pairs 1 to 1"),
    pytest.param("Ac Ad", "Kd Jc", "9h Ks 5d 2c 3h", "1", "sun-pay-tables", id="pair 1 to 1"),
]


@pytest.mark.parametrize(("own", "dealer", "community", "odds", "row"), ANTE_ROWS)
def test_a_win_pays_the_ante_by_its_table_and_the_call_even_money(
    own: str, dealer: str, community: str, odds: str, row: str
) -> None:
    """sun-casino-holdem Payouts ¶1.a, How to Play ¶4.d, Ante Winning Paytable ¶1 to ¶5, reading sun-pay-tables b."""
    result = play(own, dealer, community)
    won = f"{10 * int(odds)}.00"
    assert result.line(1, "ante") == line("win", won=won, returned="10.00", rules=(*WIN, row, "sun-pay-tables"))
    assert result.line(1, "call") == line("win", staked="20.00", won="20.00", returned="20.00", rules=WIN)


@pytest.mark.parametrize(("own", "dealer", "community", "odds", "row"), ANTE_ROWS)
def test_a_line_cites_only_its_own_row(own: str, dealer: str, community: str, odds: str, row: str) -> None:
    """sun-casino-holdem Ante Winning Paytable: the row that decides, and no other."""
    found = play(own, dealer, community).line(1, "ante")
    assert found is not None
    rows = [cited for cited in found.rules if cited.startswith("Ante Winning Paytable")]
    assert rows == ([row] if row != "sun-pay-tables" else [])


def test_the_worked_example_of_a_flush() -> None:
    """sun-casino-holdem Payouts ¶1.a, reading sun-pay-tables b: Ante 10 and Call 20 with a flush against 9s, +40."""
    assert play("Ah 3h", "9c Jd", "Kh 9h 6h 4s 2c").net("ana") == "40.00"


@pytest.mark.parametrize(("own", "dealer", "community", "odds", "row"), ANTE_ROWS)
def test_a_house_may_leave_lower_hands_unpaid(own: str, dealer: str, community: str, odds: str, row: str) -> None:
    """sun-casino-holdem Ante Winning Paytable ¶5, reading sun-pay-tables a: below a flush the Ante only comes back."""
    result = play(own, dealer, community, rulings={"sun-pay-tables": "a"})
    listed = row != "sun-pay-tables"
    expected = line("win", won=f"{10 * int(odds)}.00") if listed else line("stand_off", won="0.00", returned="10.00")
    assert result.line(1, "ante") == expected
    assert result.line(1, "call") == line("win", won="20.00")


def test_a_loss_takes_ante_and_call() -> None:
    """sun-casino-holdem Payouts ¶1.c."""
    result = play("Kd Jc", "Ac Ad", "9h Ks 5d 2c 3h")
    assert result.line(1, "ante") == line("lose", returned="0.00", rules=LOSS)
    assert result.line(1, "call") == line("lose", returned="0.00", rules=LOSS)
    assert result.net("ana") == "-30.00"


def test_equal_hands_stand_off() -> None:
    """sun-casino-holdem Payouts ¶1.b, Stand Off ¶1: exactly the same five cards against a qualifying Dealer."""
    result = play("5c 2d", "5h 3d", "As Kd Jh Jc 9s")
    assert result.line(1, "ante") == line("stand_off", won="0.00", returned="10.00", rules=TIE)
    assert result.line(1, "call") == line("stand_off", won="0.00", returned="20.00", rules=TIE)


@pytest.mark.parametrize(
    ("own", "dealer", "community", "outcome"),
    [
        pytest.param("Ah 3h", "Qh Jh", "Kh 9h 6h 4s 2c", "win", id="flush by the highest card"),
        pytest.param("Jh 3h", "Th 8h", "Kh 9h 6h 4s 2c", "win", id="flush by the second card"),
        pytest.param("Ad Qs", "Ac Jd", "Ah 9s 6d 4s 2c", "win", id="pair by the next card"),
        pytest.param("5d 6c", "5h 2d", "9s 8d 7h 6s 5c", "stand_off", id="the board's straight plays for both"),
        pytest.param("Td 3c", "2h 3d", "9s 8d 7h 6s 5c", "win", id="one Hole card is enough"),
    ],
)
def test_any_five_of_seven_are_compared_from_the_highest_card(
    own: str, dealer: str, community: str, outcome: str
) -> None:
    """sun-casino-holdem Count Down ¶1, How to Play ¶4.b, Casino Hold'Em Poker ¶2, reading sun-both-hole b."""
    assert play(own, dealer, community).line(1, "call") == line(outcome)


# ---------------------------------------------------------------- How to Play ¶5: the Dealer does not qualify


@pytest.mark.parametrize(
    ("dealer", "community", "qualifies"),
    [
        pytest.param("4h 3c", "Ks Jh 7d 4s 2c", True, id="a pair of 4s"),
        pytest.param("2h 3c", "Ks Jh 4d 4s 7c", True, id="a pair of 4s on the board"),
        pytest.param("3h 9c", "Ks Jh 7d 3s 2c", False, id="a pair of 3s"),
        pytest.param("Ah 9c", "Ks Jh 7d 3s 2c", False, id="Ace high"),
        pytest.param("3h 2d", "Ks Jh 7d 3s 2c", True, id="two pairs of 3s and 2s"),
    ],
)
def test_the_dealer_qualifies_from_a_pair_of_4s(dealer: str, community: str, qualifies: bool) -> None:
    """sun-casino-holdem How to Play ¶4.c: the Call is paid only against a qualifying hand."""
    result = play("Kc Kd", dealer, community)
    assert result.line(1, "call") == line("win" if qualifies else "stand_off", won="20.00" if qualifies else "0.00")


@pytest.mark.parametrize(
    ("own", "community", "won"),
    [
        pytest.param("Kc 8d", "Qs Jh 7d 3s 2c", "10.00", id="King high against a pair of 3s"),
        pytest.param("Qc Qd", "Qs Jh 7d 3s 2c", "10.00", id="three of a kind"),
        pytest.param("Ks 9s", "Qs Js 7d 3s 2c", "20.00", id="a flush"),
        pytest.param("Ts 9s", "Qs Js 8s 3d 2c", "200.00", id="a straight flush"),
    ],
)
def test_against_an_unqualified_dealer_the_ante_is_paid_and_the_call_comes_back(
    own: str, community: str, won: str
) -> None:
    """sun-casino-holdem How to Play ¶5, Payouts ¶2, reading sun-pay-tables b: whatever the hands are."""
    result = play(own, "3h 4c", community)
    assert result.line(1, "ante") == line("win", won=won, returned="10.00", rules=UNQUALIFIED)
    assert result.line(1, "call") == line("stand_off", won="0.00", returned="20.00", rules=UNQUALIFIED)


@pytest.mark.parametrize(
    ("choice", "ante"), [("b", line("win", won="10.00", returned="10.00")), ("a", line("stand_off", won="0.00"))]
)
def test_a_tie_against_an_unqualified_dealer(choice: str, ante: Expected) -> None:
    """sun-casino-holdem How to Play ¶5, Payouts ¶1, Stand Off ¶1, reading sun-tie-unqualified: both play the board of
    A-K-J-9-7; (b) the Ante wins once and the Call comes back, (a) both stand off."""
    result = play("5c 2d", "4h 3d", "As Kd Jh 9c 7s", rulings={"sun-tie-unqualified": choice})
    assert result.line(1, "ante") == ante
    assert result.line(1, "call") == line("stand_off", returned="20.00")


# ---------------------------------------------------------------- How to Play ¶3: folding and calling


def test_a_fold_loses_the_ante_alone() -> None:
    """sun-casino-holdem How to Play ¶3.b: the Progressive bet stays in play, and the board is dealt out for it."""
    result = play("7c 2d", "Ac Ad", "9h Ks 5d 2c 3h", "fold", progressive="5.00")
    assert result.line(1, "ante") == line("lose", returned="0.00", rules=("How to Play ¶3.b",))
    assert result.line(1, "call") is None
    assert result.line(1, "jackpot") == line("lose", rules=("Progressive Jackpot ¶2.b", "Progressive Jackpot ¶1.b"))
    assert len(result.round().cards["community"]) == 5
    assert "dealer" not in result.round().cards


def test_a_fold_without_a_progressive_bet_ends_the_round() -> None:
    """sun-casino-holdem How to Play ¶3, reading all-folded b: no card comes that nobody needs."""
    assert len(play("7c 2d", "Ac Ad", "9h Ks 5d 2c 3h", "fold").round().cards["community"]) == 3


def test_a_call_is_exactly_twice_the_ante() -> None:
    """sun-casino-holdem How to Play ¶3.a."""
    result = replay(
        table(GAME),
        bet(1, "ante", "30.00"),
        close_bets(),
        decide(1, "call", amount="30.00"),
        decide(1, "check"),
        decide(1, "call"),
    )
    assert result.codes == ["wrong_amount", "not_a_choice"]
    assert "How to Play ¶3.a" in result.refusals[0].rules
    assert getattr(result.line(1, "call"), "staked", None) == "60.00"


# ---------------------------------------------------------------- the deal


def test_cards_go_out_one_at_a_time_with_the_flop_face_up() -> None:
    """sun-casino-holdem Casino Hold'Em Poker ¶1, How to Play ¶2, ¶3.c, reading sun-deal-order b: twice round with the
    Dealer last, three face up before the decision, two more after it, no burns."""
    start = [bet(2, "ante", "10.00"), bet(4, "ante", "10.00"), close_bets()]
    first = ["2", "4", "dealer", "2", "4", "dealer", "community", "community", "community"]
    waiting = replay(table(GAME), start)
    assert waiting.dealt() == first
    assert len(waiting.round().cards["community"]) == 3
    assert replay(table(GAME), start, decide(2, "call")).dealt() == first
    done = replay(table(GAME), start, decide(2, "call"), decide(4, "fold"))
    assert done.dealt() == [*first, "community", "community"]
    assert len(done.round().cards["community"]) == 5


def test_a_house_may_deal_five_community_cards_first() -> None:
    """sun-casino-holdem Casino Hold'Em Poker ¶1, reading sun-deal-order a: five face down, three turned at once."""
    rulings = {"sun-deal-order": "a"}
    start = [bet(2, "ante", "10.00"), close_bets()]
    waiting = replay(table(GAME, rulings=rulings), start)
    assert waiting.dealt() == ["community"] * 5 + ["2", "dealer", "2", "dealer"]
    assert len(waiting.round().cards["community"]) == 3
    assert replay(table(GAME, rulings=rulings), start, decide(2, "call")).dealt() == waiting.dealt()


# ---------------------------------------------------------------- betting


def test_one_box_for_each_seated_player() -> None:
    """sun-casino-holdem Rules ¶4: no second box, and no second player on a box."""
    result = replay(
        table(GAME),
        bet(1, "ante", "10.00"),
        bet(2, "ante", "10.00", player="ana"),
        bet(1, "ante", "10.00", player="ben"),
    )
    assert result.codes == ["one_box_only", "box_taken"]
    assert all("Rules ¶4" in refusal.rules for refusal in result.refusals)


def test_the_progressive_bet_goes_with_an_ante() -> None:
    """sun-casino-holdem How to Play ¶1, Progressive Jackpot ¶1.a: refused alone, and the Ante stays while it lies
    there; found alone later it goes back and wins nothing."""
    result = replay(
        jackpot(),
        table(GAME),
        bet(1, "jackpot", "5.00"),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", "5.00"),
        withdraw(1, "ante"),
    )
    assert result.codes == ["ante_required", "ante_needed_by_other_bets"]
    assert all("Progressive Jackpot ¶1.a" in refusal.rules for refusal in result.refusals)
    late = replay(
        jackpot(contribution="0.20"),
        table(GAME, community="Ah Kh Qh Jh Th"),
        bet(1, "jackpot", "5.00", noticed=False),
        bet(2, "ante", "10.00"),
        bet(2, "jackpot", "5.00"),
        close_bets(),
        decide(2, "fold"),
    )
    assert late.line(1, "jackpot") == line("returned", returned="5.00", rules=("Progressive Jackpot ¶1.a",))
    assert late.awards() == [award("board_royal_flush", "100001.00", box=2)]


def test_bets_close_before_any_card() -> None:
    """sun-casino-holdem How to Play ¶1: nothing is placed, raised or withdrawn after closing."""
    result = replay(
        table(GAME),
        bet(1, "ante", "10.00"),
        close_bets(),
        bet(1, "ante", "10.00"),
        bet(2, "ante", "10.00"),
        withdraw(1, "ante"),
    )
    assert result.codes == ["bets_closed"] * 3


def test_nobody_looks_at_another_hand() -> None:
    """sun-casino-holdem How to Play ¶2: the players view their own cards."""
    result = replay(
        table(GAME),
        bet(1, "ante", "10.00"),
        bet(2, "ante", "10.00"),
        close_bets(),
        examine(1, player="ben"),
        examine(1),
    )
    assert result.codes == ["not_your_hand"]


def test_powers_of_other_documents_are_not_sun_s() -> None:
    """sun-casino-holdem Rules ¶5: restricting a player and viewing a hand are not in this game."""
    result = replay(
        table(GAME), bet(1, "ante", "10.00"), restrict("ana", by="shift_manager"), view_hand(1, by="shift_manager")
    )
    assert result.codes == ["not_in_this_game", "not_in_this_game"]


def test_eight_boxes_are_refused_by_default() -> None:
    """sun-casino-holdem Rules ¶4, reading boxes-unknown."""
    with pytest.raises(BadTerms, match="1 to 7 boxes, so 8 boxes are refused"):
        table_terms(GAME, boxes=8)


# ---------------------------------------------------------------- Progressive Jackpot: hands on the board


BOARD_ROYAL = "Ah Kh Qh Jh Th"
BOARD_STRAIGHT_FLUSH = "9c 8c 7c 6c 5c"


def board(
    community: str, bets: int, *, others: int = 0, folds: Sequence[int] = (), rulings: Mapping[str, str] | None = None
) -> Played:
    """J = 500,000, base 100,000; `bets` boxes with a Progressive bet, `others` without; all call but `folds`."""
    boxes = range(1, bets + others + 1)
    return replay(
        jackpot("500000.00", reset="100000.00", contribution="0.00"),
        table(GAME, rulings=rulings, community=community, dealer="2d 3d"),
        [bet(box, "ante", "10.00") for box in boxes],
        [bet(box, "jackpot", "5.00") for box in range(1, bets + 1)],
        close_bets(),
        [decide(box, "fold" if box in folds else "call") for box in boxes],
    )


@pytest.mark.parametrize(
    ("hand", "bets", "each", "left"),
    [
        pytest.param("board_royal_flush", 6, "100000.00", "100000.00", id="royal flush, 6 at the base value"),
        pytest.param("board_royal_flush", 3, "166666.66", "100000.02", id="royal flush, 3 equal shares"),
        pytest.param("board_royal_flush", 1, "500000.00", "100000.00", id="royal flush, 1 takes all"),
        pytest.param("board_straight_flush", 6, "10000.00", "450000.00", id="straight flush, 6 at 10% of base"),
        pytest.param("board_straight_flush", 3, "16666.66", "450000.02", id="straight flush, 3 equal shares"),
        pytest.param("board_straight_flush", 5, "10000.00", "450000.00", id="straight flush, 5 just at the floor"),
    ],
)
def test_a_hand_on_the_board_is_shared_equally_with_the_base_value_as_floor(
    hand: str, bets: int, each: str, left: str
) -> None:
    """sun-casino-holdem Progressive Jackpot ¶1.c, ¶2.a, reading sun-board-share a+e: the House adds what the floor
    costs; rest cents stay on the meter."""
    royal = hand == "board_royal_flush"
    result = board(BOARD_ROYAL if royal else BOARD_STRAIGHT_FLUSH, bets)
    rule = "Progressive Jackpot ¶1.c" if royal else "Progressive Jackpot ¶2.a"
    cited = (rule, "sun-board-share")
    assert result.awards() == [award(hand, each, box=box, rules=cited) for box in range(1, bets + 1)]
    assert result.line(1, "jackpot") == line("win", staked="5.00", won=each, returned="0.00", rules=cited)
    assert result.awards()[0].rules == cited
    assert result.meter == left


def test_the_contribution_of_every_bet_is_in_the_jackpot_that_is_shared() -> None:
    """sun-casino-holdem Progressive Jackpot ¶1.c, readings contribution-time c, displayed-value b and award-rounding:
    two bets of 5 at 20% lift 100,000.01 by 2.00; each of the two gets 50,001.00 and a cent stays above the base
    value."""
    result = replay(
        jackpot("100000.01", reset="10000.00", contribution="0.20"),
        table(GAME, community=BOARD_ROYAL),
        [bet(box, kind, amount) for box in (1, 2) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        close_bets(),
        decide(1, "call"),
        decide(2, "fold"),
    )
    assert [found.amount for found in result.awards()] == ["50001.00", "50001.00"]
    assert result.meter == "10000.01"


def test_tables_of_different_operators_may_share_a_link() -> None:
    """sun-casino-holdem Progressive Jackpot ¶1, reading link-scope b: the House configures the set of tables, and each
    pays by its own document."""
    result = replay(
        jackpot("100000.00", reset="10000.00", contribution="0.20"),
        table(GAME, community=BOARD_ROYAL),
        table("mbs-megalink-holdem", community="Qd Jd Td 3s 2h", box_1="Ad Kd"),
        [
            bet(1, kind, amount, at=at)
            for at in ("T1", "T2")
            for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))
        ],
        close_bets(at="T1"),
        close_bets(at="T2"),
        decide(1, "fold", at="T1"),
        decide(1, "fold", at="T2"),
    )
    assert result.awards(at="T1") == [award("board_royal_flush", "100002.00")]
    assert result.awards(at="T2") == [award("royal_flush", "10000.00")]


def test_a_folded_hand_shares_and_one_without_a_bet_does_not() -> None:
    """sun-casino-holdem Progressive Jackpot ¶1.b, ¶1.c, reading sun-board-share a: three bets, one of them folded."""
    result = board(BOARD_STRAIGHT_FLUSH, 3, others=2, folds=(2,))
    assert [(found.box, found.amount) for found in result.awards()] == [
        (1, "16666.66"),
        (2, "16666.66"),
        (3, "16666.66"),
    ]
    assert result.line(2, "ante") == line("lose")
    assert result.line(2, "jackpot") == line("win", rules=("How to Play ¶3.b", "Progressive Jackpot ¶1.b"))


def test_all_folded_and_the_board_is_dealt_out_for_the_progressive() -> None:
    """sun-casino-holdem How to Play ¶3.b, reading all-folded b."""
    result = board(BOARD_ROYAL, 2, folds=(1, 2))
    assert [found.amount for found in result.awards()] == ["250000.00", "250000.00"]


def test_a_house_may_share_among_called_hands_only() -> None:
    """sun-casino-holdem Progressive Jackpot ¶1.c, reading sun-board-share b: the folded bet is lost."""
    result = board(BOARD_STRAIGHT_FLUSH, 3, folds=(2,), rulings={"sun-board-share": "b"})
    left_out = result.line(2, "jackpot")
    assert left_out == line("lose", rules=("Progressive Jackpot ¶2.a", "sun-board-share", "How to Play ¶3.b"))
    assert left_out is not None
    assert left_out.because.startswith("Only hands that were called share")
    assert [(found.box, found.amount) for found in result.awards()] == [(1, "25000.00"), (3, "25000.00")]
    assert result.line(2, "jackpot") == line("lose")


@pytest.mark.parametrize(
    ("community", "each", "left"),
    [(BOARD_STRAIGHT_FLUSH, "10000.00", "440000.00"), (BOARD_ROYAL, "100000.00", "100000.00")],
)
def test_a_house_may_take_the_floor_from_the_meter(community: str, each: str, left: str) -> None:
    """sun-casino-holdem Progressive Jackpot ¶1.c, ¶2.a, reading sun-board-share d: six at the floor cost the meter all
    of it, and after a royal flush it starts again from the base value."""
    result = board(community, 6, rulings={"sun-board-share": "d"})
    assert [found.amount for found in result.awards()] == [each] * 6
    assert result.meter == left


def test_four_of_a_board_and_a_hole_card_are_no_hand_on_the_board() -> None:
    """sun-casino-holdem Progressive Jackpot ¶1.c: the royal flush must lie on the board whole."""
    result = play("Ah 2c", "3d 3s", "Kh Qh Jh Th 5d", progressive="5.00")
    assert result.awards() == []
    assert result.line(1, "jackpot") == line("lose", rules=("Progressive Jackpot ¶2.b", "sun-pay-tables"))


# ---------------------------------------------------------------- the stakeboard


STAKEBOARD = {
    "royal_flush": "100%",
    "straight_flush": "10%",
    "four_of_a_kind": "300 for 1",
    "full_house": "80 for 1",
    "flush": "100.00",
}


@pytest.mark.parametrize(
    ("own", "community", "hand", "amount", "left"),
    [
        pytest.param("Ad Kd", "Qd Jd Td 7s 2c", "royal_flush", "100000.00", "50000.00", id="royal flush 100%"),
        pytest.param("9d 8d", "Qd Jd Td 7s 2c", "straight_flush", "10000.00", "90000.00", id="straight flush 10%"),
        pytest.param(
            "9d 9s", "9c 9h Td 7s 2c", "four_of_a_kind", "1500.00", "100000.00", id="four of a kind 300 for 1"
        ),
        pytest.param("9d 9s", "9c Th Td 7s 2c", "full_house", "400.00", "100000.00", id="full house 80 for 1"),
        pytest.param("9d 3d", "Qd Jd 2d 7s 2c", "flush", "100.00", "100000.00", id="flush 100.00"),
    ],
)
@pytest.mark.parametrize("choice", ["call", "fold"])
def test_own_hands_pay_where_the_stakeboard_lists_them(
    own: str, community: str, hand: str, amount: str, left: str, choice: str
) -> None:
    """sun-casino-holdem Progressive Jackpot ¶2.b, ¶1.b, reading sun-pay-tables d: best five of seven, folded or not."""
    result = play(own, "Ac Ks", community, choice, progressive="5.00", pay_tables={"jackpot": STAKEBOARD})
    assert result.awards() == [award(hand, amount, rules=("Progressive Jackpot ¶2.b", "sun-pay-tables"))]
    assert result.line(1, "jackpot") == line("win", won=amount, returned="0.00")
    assert result.meter == left


def test_own_hands_pay_nothing_by_default() -> None:
    """sun-casino-holdem Progressive Jackpot ¶2.b, reading sun-pay-tables: only what the stakeboard lists."""
    assert play("Ad Kd", "Ac Ks", "Qd Jd Td 7s 2c", progressive="5.00").awards() == []


def test_a_house_may_read_own_hands_on_the_flop() -> None:
    """sun-casino-holdem Progressive Jackpot ¶2.b, reading sun-pay-tables c: Hole cards and flop alone."""
    late = ("9d 3d", "Ac Ks", "Qd Jd 7s 2c 2d")
    early = ("9d 3d", "Ac Ks", "Qd Jd 2d 7s 2c")
    tables = {"jackpot": STAKEBOARD}
    on_flop = {"sun-pay-tables": "c"}
    assert play(*late, progressive="5.00", pay_tables=tables).awards() == [award("flush", "100.00")]
    assert play(*late, progressive="5.00", pay_tables=tables, rulings=on_flop).awards() == []
    assert play(*early, progressive="5.00", pay_tables=tables, rulings=on_flop).awards() == [award("flush", "100.00")]


def test_a_straight_flush_on_the_board_is_the_board_s_and_no_own_hand() -> None:
    """sun-casino-holdem Progressive Jackpot ¶2.a, ¶2.b: shared, not paid again to each as his own."""
    result = play("2d 3h", "Ac Ks", BOARD_STRAIGHT_FLUSH, progressive="5.00", pay_tables={"jackpot": STAKEBOARD})
    assert result.awards() == [award("board_straight_flush", "10000.00")]


def test_the_stakeboard_changes_the_ante_odds() -> None:
    """sun-casino-holdem Ante Winning Paytable ¶5, reading sun-pay-tables: what the House enters replaces the sample."""
    result = play("Ah 3h", "9c Jd", "Kh 9h 6h 4s 2c", pay_tables={"ante": {"flush": "4 to 1"}})
    assert result.line(1, "ante") == line("win", won="40.00", rules=("Ante Winning Paytable ¶5",))


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({"ante": {"flush": "80 for 1"}}, 'This table pays odds "to 1"'),
        ({"jackpot": {"flush": "2 to 1"}}, "The jackpot bet is always collected"),
        ({"jackpot": {"five_aces": "2 for 1"}}, 'has no jackpot hand "five_aces"'),
        ({"bonus": {"aces": "30 to 1"}}, 'has no pay table "bonus"'),
        ({"ante": {"flush": "lots"}}, "is not a way to pay"),
    ],
)
def test_a_stakeboard_that_makes_no_sense_is_refused(tables: dict[str, dict[str, str]], sentence: str) -> None:
    """sun-casino-holdem Progressive Jackpot ¶2.b: rows are odds to 1 for the Ante, anything else for the jackpot."""
    with pytest.raises(BadTerms, match=sentence):
        table_terms(GAME, pay_tables=tables)


def test_the_house_may_list_a_hand_that_the_ante_table_leaves_out() -> None:
    """sun-casino-holdem Ante Winning Paytable ¶5, reading sun-pay-tables a: unlisted hands are unpaid until the House
    lists them."""
    straight, rulings = ("8c 7d", "Ks Jc", "6h 5s 4d Kc 2h"), {"sun-pay-tables": "a"}
    assert play(*straight, rulings=rulings).line(1, "ante") == line("stand_off", won="0.00")
    listed = play(*straight, rulings=rulings, pay_tables={"ante": {"straight": "3 to 2"}})
    assert listed.line(1, "ante") == line("win", won="15.00")


def test_the_progressive_pays_whatever_becomes_of_the_hand() -> None:
    """sun-casino-holdem Payouts ¶1.c, Stand Off ¶1, Progressive Jackpot ¶1.b: beaten, tied or won."""
    tables = {"jackpot": {"full_house": "80 for 1"}}
    beaten = play("9d 9s", "Th Ts", "9c Tc Td 7s 2c", progressive="5.00", pay_tables=tables)
    assert beaten.line(1, "ante") == line("lose")
    assert beaten.line(1, "jackpot") == line("win", won="400.00")
    tied = play("2d 3s", "4h 5s", "9c 9d 9h Tc Td", progressive="5.00", pay_tables=tables)
    assert tied.line(1, "ante") == line("stand_off")
    assert tied.line(1, "jackpot") == line("win", won="400.00")
