"""MBS Megalink Texas Hold'em: the deal, betting and its limits, and players who are not there."""

from __future__ import annotations

import pytest

from croupier.rulebooks.terms import BadTerms, table_terms
from tests.rulebooks.mbs_box import GAME, play
from tests.scripting import (
    Played,
    Step,
    bet,
    close_bets,
    decide,
    decides,
    examine,
    jackpot,
    line,
    open_round,
    replay,
    restrict,
    table,
    walk_away,
    withdraw,
)

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
    assert {"1.1.2", "blind-turn-river"} <= set(result.refusals[0].rules)


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


def test_a_second_restriction_leaves_the_first_in_force() -> None:
    """mbs-megalink-holdem 3.4.3: each Player who was restricted keeps to one position."""
    result = replay(
        table(GAME),
        *[restrict("ana", by="pit_manager"), restrict("ben", by="pit_manager")],
        *[bet(1, "ante", "10.00", player="ana"), bet(2, "ante", "10.00", player="ben")],
        *[bet(3, "ante", "10.00", player="ana"), bet(4, "ante", "10.00", player="ben")],
    )
    assert result.codes == ["one_position_only", "one_position_only"]


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
    assert any("held for them" in text for text in result.notices())


# ---------------------------------------------------------------- rules that are cited


def test_the_deciding_paragraph_comes_first() -> None:
    """mbs-megalink-holdem 3.10.2, 4.1.1, 4.2: a line opens with the paragraph that decides it, and a reading that plays
    no part is not named."""
    result = play("As Ks", "3c 3h", "Qs Js Ts 7d 2c", bonus="5.00", progressive="5.00")
    found = {kind: cited.rules for kind, cited in result.lines(1).items() if cited is not None}
    assert found["ante"][0] == found["flop"][0] == "3.10.2"
    assert found["bonus"] == ("4.1.1", "1.1.3")
    assert found["jackpot"] == ("4.2", "3.13")
