"""MBS Megalink Hold'em 5.9 to 5.11 and 6: players who err or leave, and what the Gaming Shift Manager rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

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
    jackpot_mode,
    line,
    open_round,
    replay,
    report,
    rule,
    table,
    walk_away,
    withdraw,
)

GAME = "mbs-megalink-holdem"
CARDS = {"community": "9c 8c 7d Kh 2s", "dealer": "Kd Kc", "box_1": "Jc Tc", "box_2": "7s 7h", "box_3": "4d 3h"}
UNCHANGED = "100000.00"
SHIFT = "shift_manager"
SHIFT_MANAGER = ("shift_manager", ["void", "stand", "return"])


def dealt(*steps: Step | Sequence[Step], mine: Sequence[int] = (1,), dealing: str | None = None) -> Played:
    """Antes and jackpot wagers on boxes 1 to 3; the boxes in `mine` are ana's, the others have their usual players."""
    who = {1: "dee", **dict.fromkeys(mine, "ana")}
    return replay(
        jackpot(UNCHANGED, contribution="0.20"),
        table(GAME, dealing=dealing, cards=CARDS),
        [bet(box, kind, amount, player=who.get(box)) for box in (1, 2, 3) for kind, amount in STAKES.items()],
        close_bets(),
        *steps,
    )


STAKES = {"ante": "50.00", "bonus": "10.00", "jackpot": "5.00"}


def to_the_end(*boxes: int) -> list[Step]:
    return [decide(box, choice) for choice in ("flop", "check", "check") for box in boxes]


def returned(result: Played, box: int, *rules: str) -> bool:
    """Every wager of the box is back."""
    lines = result.lines(box).values()
    return bool(lines) and all(found == line("returned", won="0.00", rules=rules) for found in lines)


def rulings_awaited(result: Played) -> list[tuple[object, object]]:
    return [(waits["from"], waits["decisions"]) for waits in result.awaiting() if waits["what"] == "ruling"]


# ---------------------------------------------------------------- 5.9: a hand that is not kept confidential


TOLD = report("not_confidential", player="ana")


def test_the_shift_manager_may_bar_a_player_who_shows_his_hand() -> None:
    """mbs-megalink-holdem 5.9: his wagers on every position go back, and he bets no more, in the next round either."""
    assert rulings_awaited(dealt(TOLD)) == [("shift_manager", ["prohibit", "allow"])]
    result = dealt(
        TOLD,
        rule("prohibit", by="pit_manager"),
        rule("prohibit", by="shift_manager"),
        to_the_end(2),
        open_round(),
        bet(1, "ante", "50.00"),
        bet(2, "ante", "50.00"),
        mine=(1, 3),
    )
    assert result.codes == ["not_authorised", "player_prohibited"]
    assert all("5.9" in refusal.rules for refusal in result.refusals)
    assert returned(result, 1, "5.9")
    assert returned(result, 3, "5.9")
    assert result.line(2, "flop") == line("lose")


def test_the_shift_manager_may_let_him_play_on() -> None:
    """mbs-megalink-holdem 5.9: it is at his discretion."""
    result = dealt(TOLD, rule("allow", by="shift_manager"), to_the_end(1, 2, 3))
    assert result.line(1, "flop") == line("win")


def barred_at_t1(*steps: Step | Sequence[Step], rulings: Mapping[str, str] | None = None, other: str = GAME) -> Played:
    """ana is barred at T1; ben has an Ante at T2, and the steps follow there."""
    return replay(
        table(GAME, name="T1", rulings=rulings),
        table(other, name="T2"),
        [bet(1, "ante", "50.00", at="T1"), close_bets(at="T1"), {**TOLD, "table": "T1"}],
        rule("prohibit", by="shift_manager", at="T1"),
        bet(2, "ante", "50.00", at="T2"),
        *steps,
    )


AT_THE_NEXT_TABLE = bet(1, "ante", "50.00", at="T2")


def test_a_barred_player_does_not_play_on_at_the_next_table() -> None:
    """mbs-megalink-holdem 5.9, reading bar-scope b: the words name no table; another operator's are not meant."""
    result = barred_at_t1(AT_THE_NEXT_TABLE)
    assert result.codes == ["player_prohibited"]
    assert {"5.9", "bar-scope"} <= set(result.refusals[0].rules)
    assert barred_at_t1(AT_THE_NEXT_TABLE, other="rws-multilink-holdem").codes == []


def test_a_house_may_bar_at_one_table_alone() -> None:
    """mbs-megalink-holdem 5.9, reading bar-scope a."""
    assert barred_at_t1(AT_THE_NEXT_TABLE, rulings={"bar-scope": "a"}).codes == []


@pytest.mark.parametrize(("by", "codes"), [("pit_manager", ["not_authorised", "player_prohibited"]), (SHIFT, [])])
def test_who_may_bar_may_lift_it(by: str, codes: list[str]) -> None:
    """mbs-megalink-holdem 5.9: at his discretion, so it ends when he says so, at the table where he ruled it."""
    lifted = rule("allow", by=by, player="ana", at="T1")
    result = barred_at_t1(lifted, AT_THE_NEXT_TABLE)
    assert result.codes == codes
    assert all("5.9" in refusal.rules for refusal in result.refusals)
    assert barred_at_t1({**lifted, "table": "T2"}, AT_THE_NEXT_TABLE).codes[-1] == "player_prohibited"


@pytest.mark.parametrize("over", [to_the_end(1, 2, 3), [report("foreign_card")]], ids=["settled", "void"])
def test_whether_a_player_plays_on_is_ruled_after_the_round_too(over: list[Step]) -> None:
    """mbs-megalink-holdem 5.9: no wager of his is left to return, so the lines stand and he is barred."""
    result = dealt(over, TOLD, rule("prohibit", by="shift_manager"), open_round(), bet(1, "ante", "50.00"))
    assert result.codes == ["player_prohibited"]
    assert "5.9" in result.refusals[0].rules
    assert result.round().lines == dealt(over).round().lines


@pytest.mark.parametrize(
    ("act", "cited"),
    [
        pytest.param([TOLD, rule("prohibit", by="shift_manager")], "5.9", id="5.9 barred"),
        pytest.param([report("controls_multiple_hands", player="ana")], "5.10.1", id="5.10.1 unseen hands out"),
        pytest.param([rule("stop", by="shift_manager", player="ana")], "5.10.3", id="5.10.3 stopped"),
    ],
)
def test_what_a_fold_has_lost_stays_lost(act: list[Step], cited: str) -> None:
    """mbs-megalink-holdem 5.9, 5.10.1, 5.10.3, 3.9.1: existing wagers go back; nobody undoes his own fold by showing
    his cards or by controlling several hands. Only the jackpot wager of the folded box 3 goes back."""
    result = dealt(
        examine(1), decide(3, "fold"), act, to_the_end(1, 2) if cited == "5.10.1" else to_the_end(2), mine=(1, 3)
    )
    assert result.line(3, "ante") == line("lose", rules="3.9.1")
    assert result.line(3, "bonus") == line("lose")
    assert result.line(3, "jackpot") == line("returned", rules=cited)


BARRED = [report("not_confidential", player="ben"), rule("prohibit", by="shift_manager")]


def backed(*steps: Step | Sequence[Step], rulings: Mapping[str, str] | None = None) -> Played:
    """ana's Ante of 30 on box 1, which ben backs with 20; bets are closed."""
    ante = [bet(1, "ante", "30.00"), bet(1, "ante", "20.00", player="ben")]
    return replay(table(GAME, cards=CARDS, rulings=rulings), ante, close_bets(), *steps)


def test_the_part_of_a_barred_player_in_another_s_area_has_its_own_line() -> None:
    """mbs-megalink-holdem 5.9, 3.4, 3.4.2, readings shared-area b and backer-returned b: ben backs ana's position; his
    20 go back at the settlement, and she plays on with her 30."""
    result = backed(BARRED, decides(1, "flop", "check", "check"))
    assert result.line(1, "ante") == line("win", player="ana", staked="30.00", won="30.00")
    assert result.line(1, "flop") == line("win", player="ana", staked="60.00", won="60.00")
    assert result.line(1, "ante", player="ben") == line(
        "returned", staked="20.00", won="0.00", returned="20.00", rules="5.9 backer-returned"
    )
    assert result.line(1, "flop", player="ben") is None
    assert [result.net("ana"), result.net("ben")] == ["90.00", "0.00"]


def test_the_decision_wagers_that_a_barred_backer_has_funded_go_back_too() -> None:
    """mbs-megalink-holdem 5.9, 3.4.2, reading backer-returned b: his 40 of the Flop; the Turn is ana's alone."""
    result = backed(decide(1, "flop"), BARRED, decides(1, "turn", "check"))
    assert result.line(1, "flop", player="ana") == line("win", staked="60.00", won="60.00")
    assert result.line(1, "flop", player="ben") == line("returned", staked="40.00", returned="40.00", rules="5.9")
    assert result.line(1, "turn", player="ana") == line("win", staked="30.00")
    assert result.line(1, "turn", player="ben") is None
    assert result.net("ben") == "0.00"


@pytest.mark.parametrize(
    ("then", "outcome"),
    [
        pytest.param([decide(1, "fold")], "lose", id="the seated player folds"),
        pytest.param([walk_away("ana")], "returned", id="the seated player leaves"),
        pytest.param([report("foreign_card")], "returned", id="the round is void"),
    ],
)
def test_what_goes_back_to_a_backer_does_not_depend_on_the_hand(then: Sequence[Step], outcome: str) -> None:
    """mbs-megalink-holdem 5.9, 3.9.1, 5.11, 5.1.1, reading backer-returned b: his part is out of the round already."""
    result = backed(BARRED, then)
    assert result.line(1, "ante", player="ana") == line(outcome, staked="30.00")
    assert result.line(1, "ante", player="ben") == line("returned", staked="20.00", returned="20.00")


def test_what_lies_there_for_a_backer_is_not_counted() -> None:
    """mbs-megalink-holdem 5.9, 5.14, 3.4.2, reading backer-returned b: 400 of ana and 200 of ben are over the maximum
    of 500; without his part hers counts whole."""
    over = [bet(1, "ante", "400.00"), bet(1, "ante", "200.00", player="ben", noticed=False), close_bets()]
    result = replay(table(GAME, cards=CARDS), over, BARRED, decides(1, "flop", "check", "check"))
    assert result.line(1, "ante", player="ana") == line("win", staked="400.00", won="400.00", returned="400.00")
    assert result.line(1, "ante", player="ben") == line("returned", returned="200.00")


def test_a_wager_that_a_backer_took_off_too_late_goes_back_with_his_part() -> None:
    """mbs-megalink-holdem 5.9, 5.6, reading backer-returned b: any existing wager is returned."""
    result = backed(withdraw(1, "ante", player="ben"), BARRED, decide(1, "fold"))
    assert result.line(1, "ante", player="ben") == line("returned", returned="20.00", rules="5.9")


def test_a_stopped_player_s_backing_goes_back_and_a_reopened_round_settles_it_again() -> None:
    """mbs-megalink-holdem 5.10.3, 5.7, readings backer-returned b and post-settlement-window: the part stays out."""
    stopped = rule("stop", by="shift_manager", player="ben")
    wrong = report("wrong_box_count", box=1, reconstructible=False, by="pit_supervisor")
    result = backed(stopped, decide(1, "fold"), wrong)
    assert result.line(1, "ante", player="ana") == line("returned", rules="5.7")
    assert result.line(1, "ante", player="ben") == line("returned", returned="20.00", rules="5.10.3 backer-returned")


def test_a_house_may_give_a_backer_his_part_back_at_once() -> None:
    """mbs-megalink-holdem 5.9, 3.4, reading backer-returned a: it leaves no line."""
    result = backed(BARRED, decides(1, "flop", "check", "check"), rulings={"backer-returned": "a"})
    assert result.line(1, "flop") == line("win", staked="60.00", won="60.00")
    assert result.line(1, "ante", player="ben") is None
    assert result.result.net.get("ben", 0) == 0


def test_the_part_of_a_player_who_is_barred_before_closing_goes_back_too() -> None:
    """mbs-megalink-holdem 5.9, 3.4, readings shared-area b and backer-returned b: while bets are open his part goes
    back at once and leaves no line."""
    result = replay(
        table(GAME, cards=CARDS),
        bet(1, "ante", "30.00"),
        bet(1, "ante", "20.00", player="ben"),
        report("not_confidential", player="ben"),
        rule("prohibit", by="shift_manager"),
        close_bets(),
        decides(1, "flop", "check", "check"),
    )
    assert result.line(1, "flop") == line("win", staked="60.00", won="60.00")
    assert result.line(1, "ante", player="ben") is None


# ---------------------------------------------------------------- 5.10: several hands by error


MULTIPLE = report("controls_multiple_hands", player="ana")


def test_viewed_hands_play_on_and_unviewed_ones_are_invalidated() -> None:
    """mbs-megalink-holdem 5.10, 5.10.1, reading multi-error: box 2 was viewed, so boxes 1 and 3 go back."""
    result = dealt(examine(2, player="ana"), MULTIPLE, decides(2, "flop", "check", "check"), mine=(1, 2, 3))
    assert returned(result, 1, "5.10", "5.10.1")
    assert returned(result, 3, "5.10.1")
    assert result.line(2, "flop") == line("lose")


def test_two_viewed_hands_both_play() -> None:
    """mbs-megalink-holdem 5.10.1, reading two-seen-mbs b: the third, unseen, goes back."""
    result = dealt(
        examine(1), examine(2, player="ana", noticed=False), MULTIPLE, to_the_end(1, 2), mine=(1, 2, 3)
    )  # fmt: skip
    assert result.line(1, "flop") == line("win")
    assert result.line(2, "flop") == line("lose")
    assert returned(result, 3, "5.10.1")


@pytest.mark.parametrize("dealing", ["method_a", "method_b", "method_c", "manual"])
def test_with_no_hand_viewed_the_first_dealt_is_played(dealing: str) -> None:
    """mbs-megalink-holdem 5.10.2, reading first-dealt-method-c: the lowest box clockwise, in method C too."""
    result = dealt(MULTIPLE, to_the_end(1, 2), mine=(2, 3), dealing=dealing)
    assert result.line(2, "flop") == line("lose")
    assert returned(result, 3, "5.10", "5.10.2")
    assert result.line(1, "flop") == line("win")


def test_betting_several_positions_is_no_error_unless_reported() -> None:
    """mbs-megalink-holdem 5.10, 3.4.1, reading multi-error: nothing is invalidated by itself."""
    result = dealt(to_the_end(1, 2, 3), mine=(1, 2, 3))
    assert result.line(3, "flop") == line("lose")


def test_the_shift_manager_may_stop_a_player_who_controls_several_hands() -> None:
    """mbs-megalink-holdem 5.10.3: no lower role; his hands go back and he bets no more."""
    result = dealt(
        rule("stop", by="pit_manager", player="ana"),
        rule("stop", by="shift_manager"),
        rule("stop", by="shift_manager", player="ana"),
        to_the_end(3),
        open_round(),
        bet(1, "ante", "50.00"),
        mine=(1, 2),
    )
    assert result.codes == ["not_authorised", "not_at_the_table", "player_prohibited"]
    assert "5.10.3" in result.refusals[0].rules
    assert returned(result, 1, "5.10.3")
    assert returned(result, 2, "5.10.3")


def test_who_plays_one_hand_does_not_control_several() -> None:
    """mbs-megalink-holdem 5.10: the report is refused, and says why."""
    result = dealt(report("controls_multiple_hands", player="ana"), to_the_end(1, 2, 3))
    assert result.codes == ["not_several_hands"]
    assert result.refusals[0].rules[0] == "5.10"
    assert result.status() == "settled"


# ---------------------------------------------------------------- 5.11 and the ruling that it was a fold


def test_the_shift_manager_may_rule_that_leaving_was_a_fold() -> None:
    """mbs-megalink-holdem 5.11, 6.1, reading walk-away-bonus: Ante and Bonus are lost instead of returned, the jackpot
    wager stays eligible and its contribution stays."""
    result = dealt(
        walk_away("ben"),
        rule("fold", by="pit_manager", box=2),
        rule("fold", by="shift_manager", box=1),
        rule("fold", by="shift_manager", box=2),
        to_the_end(1, 3),
    )
    assert result.codes == ["not_authorised", "nothing_awaited"]
    assert "6.1" in result.refusals[0].rules
    assert result.line(2, "ante") == line("lose", rules="6.1 walk-away-bonus 3.9.1")
    assert result.line(2, "bonus") == line("lose", rules="6.1 3.9.1")
    assert result.line(2, "jackpot") == line("lose", rules="4.2 3.9.1")
    assert result.meter == "100003.00"


def alone(*steps: Step) -> Played:
    """ben alone leaves before his decision with 7-7; the flop is 7-7-2."""
    return replay(
        jackpot(UNCHANGED, contribution="0.20"),
        table(GAME, community="7d 7c 2s Kh 3s", dealer="Kd Kc", box_2="7s 7h"),
        [bet(2, kind, amount) for kind, amount in STAKES.items()],
        close_bets(),
        walk_away("ben"),
        steps,
    )


def test_the_ruling_may_come_after_the_round_has_settled_by_itself() -> None:
    """mbs-megalink-holdem 5.11, 6.1, 3.9.1, reading walk-away-bonus: 65 came back; ruled a fold it costs 60, and the
    jackpot wager, in play again with its contribution, wins on the flop that is now shown."""
    settled = alone()
    assert settled.status() == "settled"
    assert settled.net("ben") == "0.00"
    assert settled.meter == UNCHANGED
    ruled = alone(rule("fold", by="shift_manager", box=2))
    assert ruled.status() == "settled"
    assert ruled.line(2, "ante") == line("lose", rules="6.1 walk-away-bonus")
    assert ruled.line(2, "bonus") == line("lose", returned="0.00")
    assert ruled.awards() == [award("four_of_a_kind", "2000.00", box=2)]
    assert ruled.meter == "100001.00"


def test_a_fold_is_ruled_only_where_somebody_left_before_his_decision() -> None:
    """mbs-megalink-holdem 5.11, 6.1: not where he chose, nor where he is present, nor without a box, nor after the next
    call."""
    chosen = dealt(decide(2, "flop"), walk_away("ben"), rule("fold", by="shift_manager", box=2))
    assert chosen.codes == ["nothing_awaited"]
    assert dealt(rule("fold", by="shift_manager", box=2)).codes == ["nothing_awaited"]
    assert dealt(walk_away("ben"), rule("fold", by="shift_manager")).codes == ["fact_missing"]
    assert alone(open_round(), rule("fold", by="shift_manager", box=2)).codes == ["nothing_awaited"]


def test_each_box_of_a_player_who_leaves_goes_by_its_own_state() -> None:
    """mbs-megalink-holdem 5.11: box 1 has its Flop wager and is deemed to check, box 3 has not and is invalid."""
    result = dealt(decide(1, "flop"), walk_away("ana"), to_the_end(2), mine=(1, 3))
    assert result.line(1, "flop") == line("win", won="100.00")
    assert returned(result, 3, "5.11")


# ---------------------------------------------------------------- 6.1: what the document does not cover


UNCOVERED = [
    pytest.param(report("uncovered", text="a glass fell"), id="uncovered"),
    pytest.param(report("uncovered", text="the shuffler jams"), id="other-interruption-mbs, a shuffler jam"),
    pytest.param(report("shoe_exhausted"), id="shoe_exhausted"),
    pytest.param(report("face_up_in_shoe"), id="face_up_in_shoe"),
    pytest.param(report("simultaneous_draw", boxes=[1, 2]), id="simultaneous_draw"),
    pytest.param(report("burn_missed"), id="burn_missed, where nothing is burnt"),
    pytest.param(report("dealing_error", boxes=[1]), id="dealing_error"),
    pytest.param(report("extra_hand_examined", box=1), id="extra_hand_examined"),
    pytest.param(report("rules_breach", player="ana"), id="rules_breach"),
    pytest.param(report("jackpot_malfunction"), id="jackpot_malfunction"),
]


@pytest.mark.parametrize("incident", UNCOVERED)
def test_what_the_document_does_not_cover_is_the_gaming_shift_manager_s(incident: Step) -> None:
    """mbs-megalink-holdem 6.1, 6.2, readings mbs-silent, interpretation-mbs and other-interruption-mbs: void, stand, or
    return of boxes."""
    waiting = dealt(incident, decide(1, "flop"), rule("stand", by="pit_manager"))
    assert waiting.codes == ["round_held", "not_authorised"]
    assert "6.1" in waiting.refusals[1].rules
    assert rulings_awaited(waiting) == [SHIFT_MANAGER]
    void = dealt(incident, rule("void", by="shift_manager"))
    assert void.status() == "void"
    assert void.meter == UNCHANGED
    stands = dealt(incident, rule("stand", by="shift_manager"), to_the_end(1, 2, 3))
    assert stands.line(1, "flop") == line("win")
    back = dealt(incident, rule("return", by="shift_manager", boxes=[2]), to_the_end(1, 3))
    assert returned(back, 2, "6.1")
    assert back.line(3, "flop") == line("lose")


@pytest.mark.parametrize("placed", ["80.00", "120.00"], ids=["too small", "too large"])
def test_a_flop_wager_of_the_wrong_size_is_ruled_at_the_settlement(placed: str) -> None:
    """mbs-megalink-holdem 6.1, readings mbs-silent and wrong-size-and-limit of the siblings: no rule; the shift manager
    lets it stand as it lies, returns the hand, or voids."""
    wrong = [decide(1, "flop", amount=placed, noticed=False), decide(2, "flop"), decide(3, "flop")]
    rest = [decide(box, "check") for _ in range(2) for box in (1, 2, 3)]
    waiting = dealt(wrong, rest, rule("stand", by="pit_supervisor"))
    assert waiting.codes == ["not_authorised"]
    assert rulings_awaited(waiting) == [SHIFT_MANAGER]
    stands = dealt(wrong, rest, rule("stand", by="shift_manager"))
    assert stands.line(1, "flop") == line("win", staked=placed, won=placed, returned=placed)
    assert stands.line(3, "flop") == line("lose")
    back = dealt(wrong, rest, rule("return", by="shift_manager"))
    assert returned(back, 1, "6.1")
    assert back.line(2, "flop") == line("lose")
    assert dealt(wrong, rest, rule("void", by="shift_manager")).status() == "void"


def test_the_jackpot_modes_at_mbs_are_the_shift_manager_s() -> None:
    """mbs-megalink-holdem 6.1, reading mbs-silent: a fault suspends jackpot wagers until they are restored, and the
    measures of the sibling documents are his to choose."""
    result = dealt(
        report("jackpot_malfunction"),
        rule("void", by="shift_manager"),
        jackpot_mode("close_table", by="pit_manager"),
        jackpot_mode("close_table"),
        open_round(),
        jackpot_mode("restore"),
        open_round(),
        bet(1, "ante", "50.00"),
        bet(1, "jackpot", "5.00"),
        jackpot_mode("disallow_box", box=2),
        bet(2, "ante", "50.00"),
        jackpot_mode("no_jackpot_bets"),
        bet(1, "jackpot", "5.00"),
    )
    assert result.codes == ["not_authorised", "table_closed", "box_disallowed", "jackpot_bets_suspended"]
    assert all("6.1" in refusal.rules for refusal in result.refusals)


def test_a_fault_suspends_jackpot_wagers() -> None:
    """mbs-megalink-holdem 6.1: none is accepted in the next round until it is restored."""
    result = dealt(
        report("jackpot_malfunction"),
        rule("stand", by="shift_manager"),
        to_the_end(1, 2, 3),
        open_round(),
        bet(1, "ante", "50.00"),
        bet(1, "jackpot", "5.00"),
        jackpot_mode("restore"),
        bet(1, "jackpot", "5.00"),
    )
    assert result.codes == ["jackpot_bets_suspended"]


def test_a_higher_position_may_act_for_a_lower_one() -> None:
    """mbs-megalink-holdem 6.2: the shift manager's word on reconstruction does as well as a Pit Supervisor's."""
    count = report("wrong_box_count", box=2, reconstructible=False, by="shift_manager")
    assert returned(dealt(count, to_the_end(1, 3)), 2, "5.7")
