"""RWS Multi-Link 3 Card Poker 5.8 to 5.15: what is wrong with the cards or the deal, each with its opposite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tests.scripting import (
    Played,
    Step,
    bet,
    choose,
    close_bets,
    decide,
    examine,
    handle,
    jackpot,
    line,
    open_round,
    replay,
    report,
    rule,
    table,
    walk_away,
)

GAME = "rws-multilink-three-card"
CARDS = {"community": "9c 8c", "dealer": "Qs Qh 3c", "box_1": "Qc Jc Tc", "box_2": "Ac Kd 4s", "box_3": "9d 9h 2s"}
UNCHANGED = "100000.00"


def dealt(*steps: Step | Sequence[Step], rulings: Mapping[str, str] | None = None) -> Played:
    """ana on box 1 (Ante, Pair Plus, jackpot), ben on box 2 (Ante), cai on box 3 (Ante, jackpot); cards are dealt."""
    return replay(
        jackpot(UNCHANGED, contribution="0.20"),
        table(GAME, rulings=rulings, cards=CARDS),
        [bet(box, "ante", "50.00") for box in (1, 2, 3)],
        bet(1, "pair_plus", "10.00"),
        bet(1, "jackpot", "5.00"),
        bet(3, "jackpot", "5.00"),
        close_bets(),
        *steps,
    )


ALL_PLAY = [decide(box, "play") for box in (1, 2, 3)]


def assert_void(result: Played, *rules: str, number: int = 1) -> None:
    """Every Bet is back, no award is paid and the meter is as if the round had not been."""
    assert result.status(number=number) == "void"
    lines = result.round(number).lines
    assert lines
    assert all(found.outcome.value == "returned" and found.returned == found.staked for found in lines)
    assert all({*rules, "5.21"} <= set(found.rules) for found in lines)
    assert all(found.won == 0 for found in lines)
    assert result.awards(number=number) == []
    assert result.meter == UNCHANGED


def options_of(result: Played) -> list[tuple[object, object]]:
    """The boxes that are asked and what they may choose."""
    return [(waits["boxes"], waits["options"]) for waits in result.awaiting() if waits["what"] == "options"]


# ---------------------------------------------------------------- 5.8.1, 5.8.3 to 5.8.5


VOIDS = [
    pytest.param("foreign_card", "5.8.1", id="5.8.1 a card that is not of the deck"),
    pytest.param("deck_count", "5.8.3", id="5.8.3 too few or too many cards"),
    pytest.param("shoe_exhausted", "5.8.4", id="5.8.4 the cards run out"),
    pytest.param("unshuffled", "5.8.5", id="5.8.5 the cards were not shuffled"),
]


@pytest.mark.parametrize(("incident", "paragraph"), VOIDS)
@pytest.mark.parametrize(
    "before",
    [
        pytest.param([], id="nobody has looked"),
        pytest.param([examine(1)], id="a player has looked"),
        pytest.param([decide(1, "fold"), decide(2, "play")], id="after a fold and a Play Bet"),
    ],
)
def test_the_cards_themselves_are_wrong(incident: str, paragraph: str, before: list[Step]) -> None:
    """rws-multilink-three-card 5.8, 5.8.1, 5.8.3, 5.8.4, 5.8.5, 5.21, reading void-and-folded b: void, and every Bet of
    the round goes back, a folded Ante too."""
    assert_void(dealt(before, report(incident)), "5.8", paragraph)


def test_a_count_that_proves_right_changes_nothing() -> None:
    """rws-multilink-three-card 5.8.3: only a shortage or excess voids."""
    result = dealt(report("deck_count", correct=True), ALL_PLAY)
    assert result.status() == "settled"
    assert result.line(2, "ante") == line("lose")


def test_earlier_rounds_stand() -> None:
    """rws-multilink-three-card 5.8 (closing), 5.8.1: only the current round is void."""
    result = dealt(ALL_PLAY, open_round(cards=CARDS), bet(2, "ante", "50.00"), close_bets(), report("foreign_card"))
    assert result.status(number=1) == "settled"
    assert result.line(2, "ante", number=1) == line("lose")
    assert result.status(number=2) == "void"


def test_a_void_before_closing_returns_what_lies_there() -> None:
    """rws-multilink-three-card 5.8.1, 5.21, 1.24: found while Bets are open."""
    result = replay(table(GAME), bet(1, "ante", "50.00"), report("foreign_card"), bet(2, "ante", "10.00"))
    assert result.status() == "void"
    assert result.line(1, "ante") == line("returned", returned="50.00", rules="5.8.1 5.21")
    assert result.codes == ["bets_not_open"]


# ---------------------------------------------------------------- 5.8.2 and 5.12: exposed cards


def test_two_cards_exposed_before_anybody_has_looked_void_the_round() -> None:
    """rws-multilink-three-card 5.8.2, reading three-card-exposure."""
    assert_void(dealt(report("cards_exposed", count=2, boxes=[2])), "5.8.2")
    assert_void(dealt(report("cards_exposed", boxes=[1, 2])), "5.8.2")
    assert_void(dealt(report("cards_exposed", count=3, dealer=True)), "5.8.2")


@pytest.mark.parametrize("count", [1, 2, 5])
def test_once_a_player_has_looked_an_exposed_card_changes_nothing(count: int) -> None:
    """rws-multilink-three-card 5.12, reading during-the-deal b: the round goes on, one card or several."""
    result = dealt(examine(2), report("cards_exposed", count=count, boxes=[1]), ALL_PLAY)
    assert result.status() == "settled"
    assert any("5.12" in notice.rules for notice in result.round().notices)


def test_one_card_exposed_before_anybody_has_looked_gives_the_box_its_options() -> None:
    """rws-multilink-three-card 5.12, 5.10, reading three-card-exposure: the affected Player alone is asked."""
    waiting = dealt(report("cards_exposed", count=1, boxes=[3]))
    assert options_of(waiting) == [([3], ["continue", "return"])]
    result = dealt(
        report("cards_exposed", count=1, boxes=[3]), choose(3, "return"), decide(1, "play"), decide(2, "play")
    )
    assert result.line(3, "ante") == line("returned", returned="50.00", rules="5.10.3")
    assert result.line(1, "ante") == line("win")


def test_cards_exposed_one_after_the_other_add_up_while_nobody_has_looked() -> None:
    """rws-multilink-three-card 5.8.2, 5.12, exposures-add-up (a and b): one card of box 1, whose Player continues, then
    one of box 3 are two; under (a) box 3 chooses; once a Player has looked the round goes on."""
    first = [report("cards_exposed", count=1, boxes=[1]), choose(1, "continue")]
    second = report("cards_exposed", count=1, boxes=[3])
    assert_void(dealt(first, second), "5.8.2", "exposures-add-up")
    community = report("cards_exposed", count=1, community=True)
    assert_void(dealt(first, community), "5.8.2", "exposures-add-up")
    alone = dealt(first, second, rulings={"exposures-add-up": "a"})
    assert options_of(alone) == [([3], ["continue", "return"])]
    assert dealt(first, examine(2), second, ALL_PLAY).status() == "settled"


def test_a_fault_after_a_card_was_exposed_does_not_void() -> None:
    """rws-multilink-three-card 5.16, 5.17.1, jackpot-fault (g and h): the card lies face up; under (h) that is not
    seen."""
    exposed = [report("cards_exposed", count=1, boxes=[1]), choose(1, "continue"), report("jackpot_malfunction")]
    assert dealt(exposed, ALL_PLAY).status() == "settled"
    assert_void(dealt(exposed, rulings={"jackpot-fault": "h"}), "5.16")


@pytest.mark.parametrize("card", ["dealer", "community"])
def test_one_card_of_the_dealer_or_the_community_concerns_every_box(card: str) -> None:
    """rws-multilink-three-card 5.12, 5.10: everyone plays against it or for it."""
    waiting = dealt(report("cards_exposed", count=1, dealer=card == "dealer", community=card == "community"))
    assert options_of(waiting) == [([1, 2, 3], ["continue", "return"])]


def test_a_community_card_concerns_the_jackpot_bets_alone_where_the_house_reads_it_so() -> None:
    """rws-multilink-three-card 5.12, 1.17, exposed-community-3cp (b): box 2 has no jackpot Bet; a card of the Dealer,
    or one that may be his, still concerns every box."""
    house = {"exposed-community-3cp": "b"}
    waiting = dealt(report("cards_exposed", count=1, community=True), rulings=house)
    assert options_of(waiting) == [([1, 3], ["continue", "return"])]
    for card in ({"dealer": True}, {"dealer": True, "community": True}):
        other = dealt(report("cards_exposed", count=1, facts=card), rulings=house)
        assert options_of(other) == [([1, 2, 3], ["continue", "return"])]


# ---------------------------------------------------------------- 5.8.6: cards at wrong places


def misdealt(*, reconstructible: bool | None = None, by: str = "pit_supervisor") -> Step:
    """Cards of boxes 2 and 3 went to wrong places."""
    return report("misdealt", boxes=[2, 3], reconstructible=reconstructible, by=by)


def test_a_misdeal_that_cannot_be_put_right_unseen_voids_the_round() -> None:
    """rws-multilink-three-card 5.8.6."""
    assert_void(dealt(misdealt(reconstructible=False)), "5.8.6")


def test_whole_hands_are_moved_and_their_boxes_choose() -> None:
    """rws-multilink-three-card 5.8.6, 1.19, 5.10.2, 5.10.3, reading whole-hands-moved b: boxes 2 and 3 may play the
    corrected Hand or take their Bets back."""
    waiting = dealt(misdealt(reconstructible=True))
    assert options_of(waiting) == [([2, 3], ["reconstructed", "return"])]
    result = dealt(
        misdealt(reconstructible=True),
        choose(2, "reconstructed"),
        choose(3, "return"),
        decide(1, "play"),
        decide(2, "play"),
    )
    assert result.line(2, "ante") == line("lose")
    assert result.line(3, "jackpot") == line("returned", returned="5.00", rules="5.10.3")


def test_a_house_may_move_whole_hands_without_a_choice() -> None:
    """rws-multilink-three-card 5.8.6, reading whole-hands-moved a."""
    result = dealt(misdealt(reconstructible=True), ALL_PLAY, rulings={"whole-hands-moved": "a"})
    assert result.status() == "settled"


@pytest.mark.parametrize(("possible", "first"), [(True, "reconstructed"), (False, "continue")])
def test_a_misdeal_after_a_look_gives_options(possible: bool, first: str) -> None:
    """rws-multilink-three-card 5.10, 5.8.6: no void once a Player has seen his cards."""
    waiting = dealt(examine(1), misdealt(reconstructible=possible))
    assert options_of(waiting) == [([2, 3], [first, "return"])]


def test_touching_cards_is_not_seeing_them() -> None:
    """rws-multilink-three-card 5.8.6, reading handled-or-seen: (b) touched unseen is still void, (a) it is not."""
    assert_void(dealt(handle(1), misdealt(reconstructible=False)), "5.8.6")
    other = dealt(handle(1), misdealt(reconstructible=False), rulings={"handled-or-seen": "a"})
    assert options_of(other) == [([2, 3], ["continue", "return"])]


def test_whether_cards_can_be_put_right_is_the_word_of_a_pit_supervisor() -> None:
    """rws-multilink-three-card 5.8.6, 1.14: the Dealer may report it but not say so; the round waits for the ruling."""
    waiting = dealt(misdealt(reconstructible=True, by="dealer"))
    assert [(waits["what"], waits["from"]) for waits in waiting.awaiting()] == [("ruling", "pit_supervisor")]
    ruled = dealt(
        misdealt(by="dealer"),
        decide(1, "play"),
        rule("not_reconstructible", by="dealer"),
        rule("not_reconstructible", by="pit_supervisor"),
    )
    assert ruled.codes == ["round_held", "not_authorised"]
    assert_void(ruled, "5.8.6")
    put_right = dealt(misdealt(by="dealer"), rule("reconstructible", by="shift_manager"))
    assert options_of(put_right) == [([2, 3], ["reconstructed", "return"])]


# ---------------------------------------------------------------- 5.8.7: the Dealer's cards; the Community Cards


def test_a_wrong_number_of_dealers_cards_voids_the_round() -> None:
    """rws-multilink-three-card 5.8.7: seen or not."""
    wrong = report("wrong_dealer_count", reconstructible=False, by="pit_supervisor")
    assert_void(dealt(wrong), "5.8.7")
    assert_void(dealt(examine(1), decide(2, "fold"), wrong), "5.8.7")


def test_dealers_cards_that_can_be_put_right_give_everyone_options() -> None:
    """rws-multilink-three-card 5.10, 5.10.2: outside 5.8.7."""
    waiting = dealt(report("wrong_dealer_count", reconstructible=True, by="pit_supervisor"))
    assert options_of(waiting) == [([1, 2, 3], ["reconstructed", "return"])]


@pytest.mark.parametrize(("possible", "first"), [(True, "reconstructed"), (False, "continue")])
def test_a_wrong_number_of_community_cards_concerns_jackpot_bets_alone(possible: bool, first: str) -> None:
    """rws-multilink-three-card 5.10, 5.8.7, reading community-count-3cp b: boxes 1 and 3 have a jackpot Bet."""
    waiting = dealt(report("wrong_community_count", reconstructible=possible, by="pit_supervisor"))
    assert options_of(waiting) == [([1, 3], [first, "return"])]


def test_a_folded_hand_with_a_jackpot_bet_chooses_too() -> None:
    """rws-multilink-three-card 5.10, reading community-count-3cp b: its jackpot Bet may go back, its Ante stays
    lost."""
    result = dealt(
        decide(1, "fold"),
        report("wrong_community_count", reconstructible=False, by="pit_supervisor"),
        choose(1, "return"),
        choose(3, "continue"),
        decide(2, "play"),
        decide(3, "play"),
    )
    assert result.line(1, "jackpot") == line("returned", returned="5.00")
    assert result.line(1, "ante") == line("lose", rules="3.12.1")


def test_a_house_may_void_on_a_wrong_number_of_community_cards() -> None:
    """rws-multilink-three-card 5.8.7, reading community-count-3cp a."""
    result = dealt(
        report("wrong_community_count", reconstructible=False, by="pit_supervisor"),
        rulings={"community-count-3cp": "a"},
    )
    assert result.status() == "void"


# ---------------------------------------------------------------- 5.9: the burn


def burn(*, reconstructible: bool | None = None, by: str = "pit_manager") -> Step:
    return report("burn_missed", reconstructible=reconstructible, by=by)


def test_a_missed_burn_after_a_look_voids_the_round() -> None:
    """rws-multilink-three-card 5.9, 5.21, reading missed-burn a: whoever can put it right, and nobody has to say so; a
    folded Ante is back."""
    assert_void(dealt(examine(1), burn(reconstructible=True)), "5.9")
    assert_void(dealt(examine(1), decide(1, "fold"), burn(by="dealer")), "5.9")


def test_a_missed_burn_that_cannot_be_put_right_voids_the_round() -> None:
    """rws-multilink-three-card 5.9: unseen, at the House's discretion."""
    assert_void(dealt(burn(reconstructible=False)), "5.9")


def test_a_missed_burn_that_is_put_right_gives_everyone_options() -> None:
    """rws-multilink-three-card 5.9, 5.10.2: unseen and reconstructed."""
    assert options_of(dealt(burn(reconstructible=True))) == [([1, 2, 3], ["reconstructed", "return"])]


def test_the_house_is_a_pit_manager_or_above() -> None:
    """rws-multilink-three-card 5.9, reading house-level: the word of a Pit Supervisor does not do."""
    waiting = dealt(burn(reconstructible=True, by="pit_supervisor"))
    assert [(waits["what"], waits["from"]) for waits in waiting.awaiting()] == [("ruling", "pit_manager")]
    ruled = dealt(
        burn(by="dealer"), rule("reconstructible", by="pit_supervisor"), rule("reconstructible", by="pit_manager")
    )
    assert ruled.codes == ["not_authorised"]
    assert "5.9" in ruled.refusals[0].rules
    assert options_of(ruled) == [([1, 2, 3], ["reconstructed", "return"])]


# ---------------------------------------------------------------- 5.10: any other dealing error


@pytest.mark.parametrize(("possible", "first"), [(True, "reconstructed"), (False, "continue")])
def test_a_dealing_error_gives_the_affected_players_a_choice(possible: bool, first: str) -> None:
    """rws-multilink-three-card 5.10, 5.10.1, 5.10.2, 5.10.3."""
    error = report("dealing_error", boxes=[2], reconstructible=possible, by="pit_supervisor")
    assert options_of(dealt(error)) == [([2], [first, "return"])]
    other = "continue" if possible else "reconstructed"
    refused = dealt(error, choose(2, other), choose(2, "withdraw"), choose(1, first))
    assert refused.codes == ["not_an_option", "not_an_option", "nothing_awaited"]
    assert "5.10" in refused.refusals[0].rules
    played = dealt(error, choose(2, first), ALL_PLAY)
    assert played.line(2, "ante") == line("lose", rules="3.15.2")


def test_who_takes_his_bets_back_takes_all_of_the_hand() -> None:
    """rws-multilink-three-card 5.10.3, reading option-return-scope b: Ante, Pair Plus and jackpot; no award, and the
    contribution of the jackpot Bet leaves the meter again."""
    error = report("dealing_error", boxes=[1], reconstructible=False, by="pit_supervisor")
    result = dealt(error, choose(1, "return"), decide(2, "play"), decide(3, "play"))
    for kind in ("ante", "pair_plus", "jackpot"):
        assert result.line(1, kind) == line("returned", won="0.00", rules="5.10.3")
    assert result.net("ana") == "0.00"
    assert result.awards() == []
    assert result.meter == "100001.00"


def test_who_plays_on_is_bound() -> None:
    """rws-multilink-three-card 5.10 (closing): the choice is made once."""
    error = report("dealing_error", boxes=[2], reconstructible=False, by="pit_supervisor")
    result = dealt(error, choose(2, "continue"), choose(2, "return"), ALL_PLAY)
    assert result.codes == ["nothing_awaited"]
    assert result.line(2, "ante") == line("lose")


def test_the_round_waits_for_every_answer() -> None:
    """rws-multilink-three-card 5.10, reading options-default: decisions are refused meanwhile."""
    error = report("dealing_error", boxes=[1, 2], reconstructible=False, by="pit_supervisor")
    result = dealt(error, choose(1, "continue"), decide(1, "play"))
    assert result.codes == ["round_held"]
    assert options_of(result) == [([2], ["continue", "return"])]


def test_an_absent_player_s_bets_are_returned() -> None:
    """rws-multilink-three-card 5.10, reading options-default: box 2 has left after its Play Bet."""
    error = report("dealing_error", boxes=[2, 3], reconstructible=False, by="pit_supervisor")
    result = dealt(
        decide(2, "play"), walk_away("ben"), error, choose(3, "continue"), decide(1, "play"), decide(3, "play")
    )
    assert result.line(2, "ante") == line("returned", rules="5.10")
    assert result.line(2, "play") == line("returned", returned="50.00")
    assert result.line(3, "ante") == line("lose")


# ---------------------------------------------------------------- 5.13, 5.14


def test_a_card_face_up_in_the_shoe_is_the_next_card() -> None:
    """rws-multilink-three-card 5.13: the round goes on, looked or not."""
    for before in ([], [examine(1)]):
        result = dealt(before, report("face_up_in_shoe"), ALL_PLAY)
        assert result.status() == "settled"
        assert any("5.13" in notice.rules for notice in result.round().notices)


def test_the_order_of_cards_drawn_together_is_ruled_and_everyone_chooses() -> None:
    """rws-multilink-three-card 5.14, 5.14.1, reading joint-draw-all a: a Dealer may not rule it."""
    draw = report("simultaneous_draw", boxes=[2, 3])
    waiting = dealt(draw)
    assert [(waits["what"], waits["from"], waits["decisions"]) for waits in waiting.awaiting()] == [
        ("ruling", "pit_supervisor", ["card_order"])
    ]
    ruled = dealt(
        draw, rule("card_order", by="dealer"), rule("void", by="shift_manager"), rule("card_order", by="pit_supervisor")
    )
    assert ruled.codes == ["not_authorised", "not_an_answer"]
    assert "5.14" in ruled.refusals[0].rules
    assert options_of(ruled) == [([1, 2, 3], ["continue", "return"])]


def test_a_house_may_ask_only_the_players_affected_by_a_joint_draw() -> None:
    """rws-multilink-three-card 5.14.1, reading joint-draw-all b."""
    ruled = dealt(
        report("simultaneous_draw", boxes=[2, 3]), rule("card_order", by="pit_manager"), rulings={"joint-draw-all": "b"}
    )
    assert options_of(ruled) == [([2, 3], ["continue", "return"])]


# ---------------------------------------------------------------- 5.15: a Player's Hand


def box_count(
    *, reconstructible: bool | None = False, affected: list[int] | None = None, by: str = "pit_supervisor"
) -> Step:
    """Box 2 has a wrong number of cards."""
    return report("wrong_box_count", box=2, reconstructible=reconstructible, affected=affected, by=by)


def test_a_hand_with_a_wrong_number_of_cards_is_invalidated() -> None:
    """rws-multilink-three-card 5.15: its Bets go back and the others play on unasked."""
    result = dealt(box_count(), decide(2, "play"), decide(1, "play"), decide(3, "play"))
    assert result.codes == ["no_hand"]
    assert result.line(2, "ante") == line("returned", returned="50.00", rules="5.15")
    assert result.line(1, "ante") == line("win")


def test_others_who_are_affected_choose() -> None:
    """rws-multilink-three-card 5.15, 5.10."""
    waiting = dealt(box_count(affected=[3]))
    assert options_of(waiting) == [([3], ["continue", "return"])]
    result = dealt(box_count(affected=[3]), choose(3, "return"), decide(1, "play"))
    assert result.line(3, "ante") == line("returned", rules="5.10.3")
    assert result.line(3, "jackpot") == line("returned")
    assert result.status() == "settled"


def test_a_hand_that_can_be_put_right_stays_in() -> None:
    """rws-multilink-three-card 5.15, 5.10.2: only the box itself chooses."""
    assert options_of(dealt(box_count(reconstructible=True))) == [([2], ["reconstructed", "return"])]


def test_the_dealer_alone_cannot_invalidate_a_hand() -> None:
    """rws-multilink-three-card 5.15: whether the cards can be reconstructed is not his word."""
    waiting = dealt(box_count(by="dealer"))
    assert [(waits["what"], waits["from"]) for waits in waiting.awaiting()] == [("ruling", "pit_supervisor")]
    ruled = dealt(
        box_count(by="dealer"), rule("not_reconstructible", by="pit_supervisor"), decide(1, "play"), decide(3, "play")
    )
    assert ruled.line(2, "ante") == line("returned", rules="5.15")


# ---------------------------------------------------------------- between the settlement and the next round


def test_a_wrong_dealer_count_noticed_after_the_settlement_unwinds_the_round() -> None:
    """rws-multilink-three-card 5.8.7, 1.20, reading post-settlement-window: noticed before the next call; the jackpot
    was paid from the meter, so the shift manager is asked first."""
    wrong = report("wrong_dealer_count", reconstructible=False, by="pit_supervisor")
    waiting = dealt(ALL_PLAY, wrong)
    assert [(waits["what"], waits["from"], waits["decisions"]) for waits in waiting.awaiting()] == [
        ("ruling", "shift_manager", ["reopen", "stand"])
    ]
    undone = dealt(ALL_PLAY, wrong, rule("reopen", by="pit_manager"), rule("reopen", by="shift_manager"))
    assert undone.codes == ["not_authorised"]
    assert_void(undone, "5.8.7")
    stands = dealt(ALL_PLAY, wrong, rule("stand", by="shift_manager"))
    assert stands.status() == "settled"
    assert stands.line(1, "jackpot") == line("win")


def test_without_an_award_from_the_meter_the_round_is_unwound_at_once() -> None:
    """rws-multilink-three-card 5.8.7, reading post-settlement-window."""
    result = replay(
        table(GAME, cards=CARDS),
        bet(2, "ante", "50.00"),
        close_bets(),
        decide(2, "play"),
        report("wrong_dealer_count", reconstructible=False, by="pit_supervisor"),
    )
    assert result.status() == "void"
    assert result.line(2, "play") == line("returned", returned="50.00", rules="5.8.7 5.21")
    assert result.net("ben") == "0.00"


def test_a_wrong_box_count_noticed_after_the_settlement_returns_that_hand() -> None:
    """rws-multilink-three-card 5.15, reading post-settlement-window: box 2's loss is undone, box 3's stands."""
    late = [bet(2, "ante", "50.00"), bet(3, "ante", "50.00"), close_bets(), decide(2, "play"), decide(3, "play")]
    result = replay(table(GAME, cards=CARDS), late, box_count())
    assert result.status() == "settled"
    assert result.line(2, "ante") == line("returned", returned="50.00", rules="5.15")
    assert result.line(2, "play") == line("returned", returned="50.00")
    assert result.line(3, "ante") == line("lose")


def test_a_reopened_round_counts_its_jackpot_bets_once() -> None:
    """rws-multilink-three-card 5.15, 1.16, reading contribution-time c: after the unwinding the meter has box 1's
    contribution, and not box 2's."""
    result = replay(
        jackpot(UNCHANGED, contribution="0.20"),
        table(GAME, cards={**CARDS, "community": "5d 6h"}),
        [bet(box, kind, amount) for box in (1, 2) for kind, amount in (("ante", "50.00"), ("jackpot", "5.00"))],
        close_bets(),
        decide(1, "play"),
        decide(2, "play"),
        box_count(),
    )
    assert result.line(2, "jackpot") == line("returned")
    assert result.line(1, "jackpot") == line("lose")
    assert result.meter == "100001.00"


def test_after_the_next_call_nothing_is_unwound() -> None:
    """rws-multilink-three-card 5.8.7, 5.15, 5.19, reading late-own-round b: the report then has no cards to concern,
    and a late error is only noted."""
    result = dealt(
        ALL_PLAY,
        open_round(),
        report("wrong_dealer_count", reconstructible=False, by="pit_supervisor"),
        box_count(),
        report("late_error", text="box 2 was overpaid"),
    )
    assert result.codes == ["not_dealt_yet", "not_dealt_yet"]
    assert result.status(number=1) == "settled"
    assert any("5.19" in notice.rules and "overpaid" in notice.text for notice in result.round(2).notices)
