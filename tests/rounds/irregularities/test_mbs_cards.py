"""MBS Megalink Hold'em 5.1 to 5.4, 5.7, 5.8 and 5.16: what is wrong with the cards, the deal or the power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tests.scripting import (
    Played,
    Step,
    award,
    bet,
    choose,
    close_bets,
    decide,
    decides,
    examine,
    handle,
    jackpot,
    line,
    open_round,
    refuse_reveal,
    replay,
    report,
    rule,
    table,
    walk_away,
)

GAME = "mbs-megalink-holdem"
CARDS = {"community": "9c 8c 7d Kh 2s", "dealer": "Kd Kc", "box_1": "Jc Tc", "box_2": "As Ad", "box_3": "4d 3h"}
UNCHANGED = "100000.00"


def dealt(
    *steps: Step | Sequence[Step],
    dealing: str | None = None,
    rulings: Mapping[str, str] | None = None,
    community: str = CARDS["community"],
) -> Played:
    """ana on box 1 (Ante, jackpot), ben on box 2 (Ante, Bonus), cai on box 3 (Ante); the cards are dealt."""
    return replay(
        jackpot(UNCHANGED, contribution="0.20"),
        table(GAME, dealing=dealing, rulings=rulings, cards={**CARDS, "community": community}),
        [bet(box, "ante", "50.00") for box in (1, 2, 3)],
        bet(1, "jackpot", "5.00"),
        bet(2, "bonus", "10.00"),
        close_bets(),
        *steps,
    )


def all_choose(*choices: str) -> list[Step]:
    """Every box, one betting round after the other."""
    return [decide(box, choice) for choice in choices for box in (1, 2, 3)]


TO_THE_END = all_choose("flop", "check", "check")


def assert_void(result: Played, *rules: str) -> None:
    """Every wager is back and the meter is as if the round had not been."""
    lines = result.round().lines
    assert result.status() == "void"
    assert lines
    assert all(found.outcome.value == "returned" and found.returned == found.staked for found in lines)
    assert all(set(rules) <= set(found.rules) for found in lines)
    assert result.awards() == []
    assert result.meter == UNCHANGED


def waits_for(result: Played) -> list[tuple[object, object]]:
    """Options: the boxes and what they may choose; rulings: the role and what it may decide."""
    return [
        (waits["boxes"], waits["options"]) if waits["what"] == "options" else (waits["from"], waits["decisions"])
        for waits in result.awaiting()
        if waits["what"] in ("options", "ruling")
    ]


SHIFT_MANAGER = [("shift_manager", ["void", "stand", "return"])]


# ---------------------------------------------------------------- 5.1 and 5.8: the deck


@pytest.mark.parametrize(
    ("incident", "rules"),
    [
        pytest.param("foreign_card", ("5.1", "5.1.1"), id="5.1 a foreign card"),
        pytest.param("unshuffled", ("5.1", "5.1.1"), id="5.1 unshuffled cards"),
        pytest.param("deck_count", ("5.8",), id="5.8 a wrong count"),
    ],
)
@pytest.mark.parametrize(
    "before",
    [
        pytest.param([], id="dealt"),
        pytest.param([examine(1), decide(1, "fold")], id="after a fold"),
        pytest.param(all_choose("flop"), id="flop turned"),
    ],
)
def test_the_cards_themselves_are_wrong(incident: str, rules: tuple[str, ...], before: list[Step]) -> None:
    """mbs-megalink-holdem 5.1, 5.1.1, 5.8, reading void-and-folded b: void, a folded Ante is back as well."""
    assert_void(dealt(before, report(incident)), *rules)


def test_a_manual_count_that_proves_right_changes_nothing() -> None:
    """mbs-megalink-holdem 5.8."""
    result = dealt(report("deck_count", correct=True), TO_THE_END)
    assert result.status() == "settled"
    assert any("5.8" in notice.rules for notice in result.round().notices)


def test_previous_rounds_stand() -> None:
    """mbs-megalink-holdem 5.1.2, 5.15: a foreign card voids the round in progress alone; a late error is noted."""
    result = dealt(
        TO_THE_END, open_round(cards=CARDS), bet(1, "ante", "50.00"), close_bets(), report("late_error"),
        report("foreign_card"),
    )  # fmt: skip
    assert result.status(number=1) == "settled"
    assert result.line(3, "ante", number=1) == line("lose")
    assert result.status(number=2) == "void"
    assert any("5.1.2" in notice.rules for notice in result.round(2).notices)


def test_a_foreign_card_found_after_the_settlement_is_the_shift_manager_s() -> None:
    """mbs-megalink-holdem 5.1, 6.1: the paragraph speaks of the course of a round."""
    waiting = dealt(TO_THE_END, report("foreign_card"))
    assert waits_for(waiting) == SHIFT_MANAGER
    assert dealt(TO_THE_END, report("foreign_card"), rule("stand", by="shift_manager")).status() == "settled"


# ---------------------------------------------------------------- 5.2: cards at wrong places


def misdealt(*, reconstructible: bool | None = None, by: str = "pit_supervisor") -> Step:
    return report("misdealt", boxes=[2, 3], reconstructible=reconstructible, by=by)


def test_a_misdeal_before_cards_are_handled_voids_the_round() -> None:
    """mbs-megalink-holdem 5.2: unless whole hands can be moved."""
    assert_void(dealt(misdealt(reconstructible=False)), "5.2")


def test_whole_hands_are_moved_and_play_goes_on_without_a_choice() -> None:
    """mbs-megalink-holdem 5.2: there are no options in this document."""
    result = dealt(misdealt(reconstructible=True), TO_THE_END)
    assert result.status() == "settled"
    assert any("5.2" in notice.rules for notice in result.round().notices)


@pytest.mark.parametrize("touch", [handle(1), examine(1)], ids=["touched", "looked at"])
@pytest.mark.parametrize("possible", [True, False])
def test_a_misdeal_after_cards_were_handled_is_uncovered(touch: Step, possible: bool) -> None:
    """mbs-megalink-holdem 5.2, 6.1, readings mbs-misdeal-handled and handled-or-seen b: touched is enough."""
    assert waits_for(dealt(touch, misdealt(reconstructible=possible))) == SHIFT_MANAGER


def test_a_house_may_read_handling_as_seeing() -> None:
    """mbs-megalink-holdem 5.2, reading handled-or-seen a: touched unseen is then still void."""
    rulings = {"handled-or-seen": "a"}
    assert_void(dealt(handle(1), misdealt(reconstructible=False), rulings=rulings), "5.2")
    assert waits_for(dealt(examine(1), misdealt(reconstructible=False), rulings=rulings)) == SHIFT_MANAGER


def test_whether_hands_can_be_moved_is_the_word_of_a_pit_supervisor() -> None:
    """mbs-megalink-holdem 5.2, 6.2: the Dealer's report waits for it."""
    waiting = dealt(misdealt(by="dealer"), rule("not_reconstructible", by="dealer"))
    assert waiting.codes == ["not_authorised"]
    assert waits_for(waiting) == [("pit_supervisor", ["reconstructible", "not_reconstructible"])]
    assert_void(dealt(misdealt(by="dealer"), rule("not_reconstructible", by="pit_manager")), "5.2")


# ---------------------------------------------------------------- 5.3: Community cards and Dealer's cards


COUNTS = ["wrong_community_count", "wrong_dealer_count"]


@pytest.mark.parametrize("incident", COUNTS)
@pytest.mark.parametrize("before", [[], [examine(1)], all_choose("flop")], ids=["dealt", "looked", "flop turned"])
def test_a_wrong_count_that_cannot_be_put_right_voids_the_round(incident: str, before: list[Step]) -> None:
    """mbs-megalink-holdem 5.3: the Community cards as well as the Dealer's."""
    assert_void(dealt(before, report(incident, reconstructible=False, by="pit_supervisor")), "5.3")


@pytest.mark.parametrize("incident", COUNTS)
def test_a_wrong_count_that_is_put_right_changes_nothing(incident: str) -> None:
    """mbs-megalink-holdem 5.3: no options, play goes on."""
    result = dealt(report(incident, reconstructible=True, by="pit_supervisor"), TO_THE_END)
    assert result.status() == "settled"


@pytest.mark.parametrize("incident", COUNTS)
def test_a_wrong_count_noticed_before_the_next_round_unwinds_the_settlement(incident: str) -> None:
    """mbs-megalink-holdem 5.3, reading post-settlement-window: void after the settlement, not after the next call."""
    late = report(incident, reconstructible=False, by="shift_manager")
    assert_void(dealt(TO_THE_END, late), "5.3")
    too_late = dealt(TO_THE_END, open_round(), late)
    assert too_late.codes == ["not_dealt_yet"]
    assert too_late.status(number=1) == "settled"


def test_an_award_paid_from_the_meter_is_unwound_by_the_shift_manager() -> None:
    """mbs-megalink-holdem 5.3, reading post-settlement-window: the meter is as it was before the round."""
    straight_flush = "9c 8c 7c Kh 2s"
    late = report("wrong_dealer_count", reconstructible=False, by="pit_supervisor")
    waiting = dealt(TO_THE_END, late, community=straight_flush)
    assert waits_for(waiting) == [("shift_manager", ["reopen", "stand"])]
    assert waiting.awards() == [award("straight_flush", "10000.10", box=1)]
    for word in ("reopen", "void"):
        undone = dealt(TO_THE_END, late, rule(word, by="shift_manager"), community=straight_flush)
        assert_void(undone, "5.3")
        assert all(len(set(notice.rules)) == len(notice.rules) for notice in undone.round().notices)
    refused = dealt(TO_THE_END, late, rule("return", by="shift_manager"), community=straight_flush)
    assert refused.codes == ["not_an_answer"]
    stands = dealt(TO_THE_END, late, rule("stand", by="shift_manager"), community=straight_flush)
    assert stands.awards() == [award("straight_flush", "10000.10", box=1)]


def test_a_box_paid_from_the_meter_is_returned_by_the_shift_manager() -> None:
    """mbs-megalink-holdem 5.7, reading post-settlement-window: to return its bets is to reopen the round."""
    late = report("wrong_box_count", box=1, reconstructible=False, by="pit_supervisor")
    undone = dealt(TO_THE_END, late, rule("return", by="shift_manager"), community="9c 8c 7c Kh 2s")
    assert undone.line(1, "jackpot") == line("returned", rules="5.7")
    assert undone.line(2, "ante") == line("lose", rules="3.10.3")
    assert undone.meter == UNCHANGED


# ---------------------------------------------------------------- 5.4: exposed cards


@pytest.mark.parametrize("before", [[], [examine(1)], all_choose("flop")], ids=["dealt", "looked", "flop turned"])
def test_two_exposed_cards_void_the_round_whoever_has_looked(before: list[Step]) -> None:
    """mbs-megalink-holdem 5.4: always."""
    assert_void(dealt(before, report("cards_exposed", count=2, boxes=[2])), "5.4")


def test_the_dealers_pair_flashed_late_voids_the_round() -> None:
    """mbs-megalink-holdem 5.4, 3.7.2.1, reading during-the-deal b: in method B it is dealt after the decisions."""
    result = dealt(all_choose("flop"), report("cards_exposed", count=2, dealer=True), dealing="method_b")
    assert_void(result, "5.4", "during-the-deal")


def test_one_exposed_card_is_the_shift_manager_s() -> None:
    """mbs-megalink-holdem 5.4, 6.1, reading exposed-mbs-one: uncovered, looked or not."""
    for before in ([], [examine(1)]):
        assert waits_for(dealt(before, report("cards_exposed", count=1, boxes=[2]))) == SHIFT_MANAGER
    back = dealt(
        report("cards_exposed", count=1, boxes=[2]),
        rule("return", by="shift_manager"),
        [decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 3)],
    )
    assert back.line(2, "bonus") == line("returned", returned="10.00", rules="6.1 exposed-mbs-one")
    assert back.line(3, "ante") == line("lose")


def test_cards_exposed_one_after_the_other_add_up_while_nobody_has_looked() -> None:
    """mbs-megalink-holdem 5.4, 6.1, exposures-add-up (a and b): the shift manager lets the first stand, the second
    makes two and voids; under (a), or once a player has looked, it is the shift manager's again."""
    first = [report("cards_exposed", count=1, boxes=[1]), rule("stand", by="shift_manager")]
    second = report("cards_exposed", count=1, boxes=[3])
    assert_void(dealt(first, second), "5.4", "exposures-add-up")
    assert_void(dealt(report("cards_exposed", count=1, boxes=[1]), second), "5.4", "exposures-add-up")
    assert waits_for(dealt(first, second, rulings={"exposures-add-up": "a"})) == SHIFT_MANAGER
    assert waits_for(dealt(first, examine(2), second)) == SHIFT_MANAGER
    looked = dealt(first, examine(2), second, rule("return", by="shift_manager"), all_choose("flop", "check", "check"))
    assert looked.line(3, "ante") == line("returned", rules="6.1 exposed-mbs-one")


@pytest.mark.parametrize("decision", ["void", "stand", "return"])
def test_the_ruling_on_one_exposed_card_does_not_count_it_twice(decision: str) -> None:
    """mbs-megalink-holdem 5.4, 6.1, exposures-add-up (b): the card that is ruled on is the only one."""
    result = dealt(report("cards_exposed", count=1, boxes=[2]), rule(decision, by="shift_manager"))
    assert result.codes == []
    assert result.status() == ("void" if decision == "void" else "open")


# ---------------------------------------------------------------- 5.7: a player's hand


def box_count(
    *, reconstructible: bool | None = False, affected: list[int] | None = None, by: str = "pit_supervisor"
) -> Step:
    """Box 2 was dealt a wrong number of cards."""
    return report("wrong_box_count", box=2, reconstructible=reconstructible, affected=affected, by=by)


def test_a_hand_with_a_wrong_number_of_cards_is_removed() -> None:
    """mbs-megalink-holdem 5.7, reading option-return-scope b: all its wagers go back, the others play on."""
    result = dealt(box_count(), [decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 3)])
    assert result.line(2, "ante") == line("returned", returned="50.00", rules="5.7 option-return-scope")
    assert result.line(2, "bonus") == line("returned", returned="10.00", rules="5.7")
    assert result.line(1, "flop") == line("win")


def test_others_may_be_permitted_to_withdraw() -> None:
    """mbs-megalink-holdem 5.7.1: those whom staff mark; who stays plays on."""
    waiting = dealt(box_count(affected=[1, 3]))
    assert waits_for(waiting) == [([1, 3], ["continue", "withdraw"])]
    result = dealt(
        box_count(affected=[1, 3]), choose(1, "withdraw"), choose(3, "continue"), decides(3, "flop", "check", "check")
    )
    assert result.line(1, "ante") == line("returned", rules="5.7.1")
    assert result.line(1, "jackpot") == line("returned", returned="5.00", rules="5.7.1")
    assert result.line(3, "flop") == line("lose")
    assert result.meter == UNCHANGED


def test_a_hand_that_is_put_right_stays_in() -> None:
    """mbs-megalink-holdem 5.7: no removal, no options."""
    result = dealt(box_count(reconstructible=True), TO_THE_END)
    assert result.line(2, "flop") == line("lose")


def test_a_wrong_hand_noticed_before_the_next_round_is_removed_after_all() -> None:
    """mbs-megalink-holdem 5.7, reading post-settlement-window: its loss is undone, the others' results stand."""
    result = dealt(TO_THE_END, box_count(by="shift_manager"))
    assert result.status() == "settled"
    assert result.line(2, "flop") == line("returned", returned="100.00", rules="5.7")
    assert result.line(2, "bonus") == line("returned", won="0.00")
    assert result.line(1, "flop") == line("win", won="100.00")
    assert dealt(TO_THE_END, open_round(), box_count()).codes == ["not_dealt_yet"]


def test_unwinding_a_round_keeps_its_one_time_under_the_minimum() -> None:
    """mbs-megalink-holdem 5.7, 5.13: settled again, the Ante of 5 on box 1 is still in its one round."""
    result = replay(
        table(GAME, cards=CARDS),
        bet(1, "ante", "5.00", noticed=False),
        bet(2, "ante", "50.00"),
        close_bets(),
        [decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 2)],
        box_count(),
        open_round(cards=CARDS),
        bet(1, "ante", "5.00", noticed=False),
        close_bets(),
        decides(1, "flop", "check", "check"),
    )
    assert result.line(1, "ante", number=1) == line("win", won="5.00", rules="5.13")
    assert result.line(1, "ante", number=2) == line("returned", rules="5.13")


# ---------------------------------------------------------------- 5.16: a power failure


POWER = report("technical_interruption")


def test_without_an_outcome_players_may_withdraw() -> None:
    """mbs-megalink-holdem 5.16.1, reading power-withdraw b: everybody is asked, and the round is played out for those
    who stay: box 1 leaves with 55, boxes 2 and 3 play."""
    waiting = dealt(examine(1), POWER)
    assert waits_for(waiting) == [([1, 2, 3], ["continue", "withdraw"])]
    result = dealt(
        examine(1),
        POWER,
        choose(1, "withdraw"),
        choose(2, "continue"),
        choose(3, "continue"),
        [decide(box, choice) for choice in ("flop", "check", "check") for box in (2, 3)],
    )
    assert result.line(1, "ante") == line("returned", returned="50.00", rules="5.16.1 power-withdraw")
    assert result.line(1, "jackpot") == line("returned", returned="5.00", rules="5.16.1")
    assert result.line(2, "bonus") == line("win", won="300.00")
    assert result.line(3, "flop") == line("lose")


def test_who_withdraws_takes_back_all_his_wagers() -> None:
    """mbs-megalink-holdem 5.16.1: on both of his positions, and is not asked again for the other."""
    result = replay(
        table(GAME, cards=CARDS),
        bet(1, "ante", "50.00"),
        bet(2, "ante", "50.00", player="ana"),
        bet(3, "ante", "50.00"),
        close_bets(),
        POWER,
        choose(2, "withdraw"),
        choose(1, "continue"),
        choose(3, "continue"),
        decides(3, "flop", "check", "check"),
    )
    assert result.codes == ["nothing_awaited"]
    assert result.line(1, "ante") == line("returned", rules="5.16.1")
    assert result.line(2, "ante") == line("returned", rules="5.16.1")
    assert result.line(3, "ante") == line("lose")


def test_who_withdraws_takes_back_what_he_put_on_another_position_too() -> None:
    """mbs-megalink-holdem 5.16.1, 3.4, reading backer-returned b: his part of a shared area is one of his wagers, with
    a line of its own; its seated player plays on."""
    result = replay(
        table(GAME, cards=CARDS),
        [bet(box, "ante", "50.00") for box in (1, 2)],
        bet(2, "ante", "20.00", player="ana"),
        close_bets(),
        POWER,
        choose(1, "withdraw"),
        choose(2, "continue"),
        decides(2, "flop", "check", "check"),
    )
    assert result.line(1, "ante") == line("returned", player="ana", rules="5.16.1")
    assert result.line(2, "flop", player="ben") == line("lose", staked="100.00")
    assert result.line(2, "ante", player="ana") == line(
        "returned", staked="20.00", returned="20.00", rules="5.16.1 backer-returned"
    )
    assert result.net("ana") == "0.00"


@pytest.mark.parametrize(
    "announced",
    [pytest.param(decide(3, "fold"), id="a fold"), pytest.param(refuse_reveal(3), id="a refusal to show")],
)
def test_with_an_outcome_play_goes_on(announced: Step) -> None:
    """mbs-megalink-holdem 5.16.2, reading outcome-established a: a wager is conclusively lost, so nobody withdraws."""
    result = dealt(announced, POWER, choose(1, "withdraw"))
    assert result.codes == ["nothing_awaited"]
    assert any("5.16.2" in notice.rules for notice in result.round().notices)


def test_a_jackpot_wager_that_the_flop_has_lost_is_an_outcome() -> None:
    """mbs-megalink-holdem 5.16.2, 4.2, reading outcome-established a: on K-7-2 of three suits no two Hole cards make a
    straight or better; on 9-8-7 they may."""
    open_still = dealt(all_choose("flop"), POWER)
    assert waits_for(open_still) == [([1, 2, 3], ["continue", "withdraw"])]
    lost = dealt(all_choose("flop"), POWER, community="Ks 7d 2c 9h 8s")
    assert waits_for(lost) == []


def test_an_absent_player_s_wagers_are_returned_at_a_power_failure() -> None:
    """mbs-megalink-holdem 5.16.1: he cannot be asked."""
    result = dealt(
        decide(3, "flop"), walk_away("cai"), POWER, choose(1, "continue"), choose(2, "continue"),
        [decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 2)],
    )  # fmt: skip
    assert result.line(3, "flop") == line("returned", returned="100.00", rules="5.16.1")
    assert result.line(1, "flop") == line("win")
