"""RWS Hold'em 5.7 to 5.9 and 5.21: what voids a Round of play, and what just does not."""

from __future__ import annotations

import pytest

from tests.scripting import (
    Played,
    Step,
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
    replay,
    report,
    rule,
    table,
    walk_away,
)

GAMES = ("rws-multilink-holdem", "rws-progressive-holdem")
HOLDEM, VERSION_6 = GAMES
both_games = pytest.mark.parametrize("game", GAMES)
CARDS = {"box_1": "Ah 4h", "box_2": "5c 4s", "community": "9h 7h 2h Tc Jd", "dealer": "As Kd"}

BETS = [
    bet(1, "ante", "50.00"),
    bet(1, "bonus", "10.00"),
    bet(1, "jackpot", "5.00"),
    bet(2, "ante", "50.00"),
]
DEALT = [*BETS, close_bets()]
LOOKED = [*DEALT, examine(1)]


def played(game: str, *steps: Step, rulings: dict[str, str] | None = None, **cards: str) -> Played:
    return replay(table(game, rulings=rulings, cards=CARDS | cards), jackpot(), steps)


def all_back(result: Played, rule_of_it: str) -> None:
    """Every Bet of the Round is returned, the meter is as before, and each line says why."""
    assert result.status() == "void"
    for found in result.round().lines:
        assert (found.outcome.value, found.won, found.returned) == ("returned", 0, found.staked)
        assert {rule_of_it, "5.21"} <= set(found.rules)
    assert {player: net for player, net in result.result.net.items() if net} == {}
    assert result.meter == "100000.00"


def goes_on(result: Played) -> None:
    """The Round waits for decisions as if nothing had happened."""
    assert result.status() == "open"
    assert result.awaiting()[0]["what"] == "decision"


# ---------------------------------------------------------------- 5.7: technical interruption


@both_games
def test_an_interruption_without_an_outcome_voids(game: str) -> None:
    """rws-multilink-holdem 5.7.2, 5.21, outcome-established; rws-progressive-holdem 5.7.2: all have looked, nobody has
    folded."""
    all_back(played(game, *LOOKED, examine(2), report("technical_interruption")), "5.7.2")


@both_games
def test_an_interruption_before_closing_voids(game: str) -> None:
    """rws-multilink-holdem 5.7.2; rws-progressive-holdem 5.7.2: no card, no outcome."""
    all_back(played(game, *BETS, report("technical_interruption")), "5.7.2")


@both_games
def test_one_fold_is_an_outcome_and_the_round_goes_on(game: str) -> None:
    """rws-multilink-holdem 5.7.1, outcome-established; rws-progressive-holdem 5.7.1: its Ante is lost for good."""
    result = played(game, *LOOKED, decide(2, "fold"), report("technical_interruption"))
    goes_on(result)
    assert any("5.7.1" in notice.rules for notice in result.round().notices)


@both_games
def test_an_interruption_fixes_the_meter_of_a_round_that_goes_on(game: str) -> None:
    """rws-multilink-holdem 5.7.1, 5.17.1, jackpot-fault; rws-progressive-holdem 5.7.1, 5.17.1: what another table bets
    since is not in this Round's award; jackpot Bets are still accepted afterwards."""
    royal = {"box_1": "Ah Kh", "box_2": "5c 4s", "community": "Qh Jh Th 2c 3d"}
    result = replay(
        table(game, cards=royal),
        table(game, box_1="9c 4c"),
        jackpot(),
        LOOKED,
        [decide(2, "fold"), report("technical_interruption")],
        [bet(1, "ante", "10.00", at="T2"), bet(1, "jackpot", "5.00", at="T2"), close_bets(at="T2")],
        decide(1, "fold", at="T2"),
        decides(1, "flop", "check", "check"),
        [open_round(at="T1"), bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00")],
    )
    assert result.awards()[0].amount == "100001.00"
    assert result.codes == []


@pytest.mark.parametrize(
    ("flop", "established"),
    [("Ks 7d 2c", True), ("Ks Kd 2c", False), ("Ks 9s 2s", False), ("9h 8h 7h", False), ("2c 7d 7h", False)],
)
def test_a_jackpot_bet_that_no_hole_cards_could_win_is_an_outcome(flop: str, established: bool) -> None:
    """rws-multilink-holdem 5.7, outcome-established: K-7-2 of three suits makes no flush or better with any two cards;
    a pair, or three of a suit, still could."""
    result = played(
        HOLDEM, *LOOKED, decide(1, "flop"), decide(2, "flop"), report("technical_interruption"),
        community=f"{flop} Jc 3s", box_1="Ah 4d", dealer="8c 8d",
    )  # fmt: skip
    if established:
        goes_on(result)
    else:
        all_back(result, "5.7.2")


def test_the_same_flop_without_a_jackpot_bet_is_no_outcome() -> None:
    """rws-multilink-holdem 5.7.2, outcome-established: nothing else is decided by the flop."""
    result = replay(
        table(HOLDEM, community="Ks 7d 2c Jc 3s"),
        [bet(1, "ante", "50.00"), close_bets(), decide(1, "flop"), report("technical_interruption")],
    )
    assert result.status() == "void"


@pytest.mark.parametrize(("turn", "established"), [("9s", True), ("8s", False)])
def test_four_of_a_kind_on_the_board_has_won_for_every_jackpot_bet(turn: str, established: bool) -> None:
    """rws-progressive-holdem 5.7, 4.2, outcome-established: whatever comes, at least $300 are won; three of a kind
    leaves everything open."""
    result = played(
        VERSION_6, *DEALT, decide(1, "flop"), decide(2, "flop"), decide(1, "check"), decide(2, "check"),
        report("technical_interruption"), community=f"9c 9d 9h {turn} 3s", box_1="Ah 4d",
    )  # fmt: skip
    if established:
        goes_on(result)
    else:
        all_back(result, "5.7.2")


def test_a_flop_decides_nothing_where_seven_cards_count() -> None:
    """rws-progressive-holdem 5.7.2, outcome-established: K-7-2 may still become four of a kind by the river."""
    result = played(
        VERSION_6, *DEALT, decide(1, "flop"), decide(2, "flop"), report("technical_interruption"),
        community="Ks 7d 2c Jc 3s", box_1="Ah 4d",
    )  # fmt: skip
    all_back(result, "5.7.2")


# ---------------------------------------------------------------- 5.8.1, 5.8.3 to 5.8.5: the cards themselves


@both_games
@pytest.mark.parametrize(
    ("incident", "rule_of_it"),
    [("foreign_card", "5.8.1"), ("deck_count", "5.8.3"), ("shoe_exhausted", "5.8.4"), ("unshuffled", "5.8.5")],
)
@pytest.mark.parametrize("moment", ["betting", "dealt", "looked", "folded", "flop"])
def test_wrong_cards_void_the_round_at_any_moment(game: str, incident: str, rule_of_it: str, moment: str) -> None:
    """rws-multilink-holdem 5.8.1, 5.8.3, 5.8.4, 5.8.5, 5.21, void-and-folded; rws-progressive-holdem likewise: folded
    Antes come back too."""
    moments = {
        "betting": BETS,
        "dealt": DEALT,
        "looked": LOOKED,
        "folded": [*LOOKED, decide(2, "fold")],
        "flop": [*LOOKED, decide(2, "fold"), decide(1, "flop")],
    }
    all_back(played(game, *moments[moment], report(incident)), rule_of_it)


@both_games
def test_a_count_that_proves_right_changes_nothing(game: str) -> None:
    """rws-multilink-holdem 5.8.3; rws-progressive-holdem 5.8.3: neither shortage nor excess."""
    goes_on(played(game, *LOOKED, report("deck_count", correct=True)))


@both_games
def test_earlier_rounds_stand(game: str) -> None:
    """rws-multilink-holdem 5.8 (closing); rws-progressive-holdem 5.8 (closing): only the current Round is void."""
    result = played(
        game,
        *[bet(1, "ante", "50.00"), close_bets(), decide(1, "fold"), open_round(), bet(1, "ante", "50.00")],
        report("foreign_card"),
    )
    assert [result.status(number=1), result.status(number=2)] == ["settled", "void"]
    assert result.line(1, "ante", number=1) == line("lose")
    assert result.net("ana") == "-50.00"


# ---------------------------------------------------------------- 5.8.2: cards exposed


@both_games
@pytest.mark.parametrize("facts", [{"count": 2}, {"boxes": [1, 2]}, {"boxes": [1], "community": True}, {"count": 3}])
def test_two_cards_exposed_before_anybody_looked_void(game: str, facts: dict[str, object]) -> None:
    """rws-multilink-holdem 5.8.2; rws-progressive-holdem 5.8.2."""
    all_back(played(game, *DEALT, report("cards_exposed", facts=facts)), "5.8.2")


FIRST, SECOND = report("cards_exposed", count=1, boxes=[1]), report("cards_exposed", count=1, boxes=[2])


@both_games
@pytest.mark.parametrize("second", [SECOND, FIRST, report("cards_exposed", count=1, dealer=True)],
                         ids=["of another box", "of the same box", "of the Dealer"])  # fmt: skip
def test_cards_exposed_one_after_the_other_add_up_while_nobody_has_looked(game: str, second: Step) -> None:
    """rws-multilink-holdem 5.8.2, 5.12, exposures-add-up (b); rws-progressive-holdem 5.8.2: box 1 continues after the
    first, and the second makes two."""
    result = played(game, *DEALT, FIRST, choose(1, "continue"), second)
    all_back(result, "5.8.2")
    assert all("exposures-add-up" in found.rules for found in result.round().lines)
    held = played(game, *DEALT, FIRST, second)
    all_back(held, "5.8.2")


@both_games
def test_a_look_between_two_exposed_cards_ends_the_adding_up(game: str) -> None:
    """rws-multilink-holdem 5.12, exposures-add-up (b); rws-progressive-holdem 5.12: the Round goes on."""
    goes_on(played(game, *DEALT, FIRST, choose(1, "continue"), examine(1), SECOND))


@both_games
def test_exposed_cards_of_an_earlier_round_do_not_count(game: str) -> None:
    """rws-multilink-holdem 5.8.2, exposures-add-up (b); rws-progressive-holdem 5.8.2: each deal begins at zero."""
    first = [*DEALT, FIRST, choose(1, "continue"), decide(1, "fold"), decide(2, "fold")]
    result = played(game, *first, open_round(), *DEALT, SECOND)
    assert result.status(number=2) == "open"
    assert result.awaiting(number=2)[0]["what"] == "options"


@both_games
def test_each_exposed_card_is_judged_alone_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 5.12, 5.10, exposures-add-up (a); rws-progressive-holdem 5.12: box 2 chooses too."""
    alone = {"exposures-add-up": "a"}
    result = played(game, *DEALT, FIRST, choose(1, "continue"), SECOND, rulings=alone)
    assert result.awaiting()[0]["boxes"] == [2]
    goes_on(played(game, *DEALT, FIRST, choose(1, "continue"), SECOND, choose(2, "continue"), rulings=alone))


@both_games
def test_a_blind_hand_has_seen_nothing(game: str) -> None:
    """rws-multilink-holdem 5.8.2, 3.7, handled-or-seen; rws-progressive-holdem 5.8.2: touching and deciding
    blind is not seeing."""
    all_back(played(game, *DEALT, handle(1), decide(1, "flop"), report("cards_exposed", count=2)), "5.8.2")


# ---------------------------------------------------------------- 5.8.6: dealt to wrong places


@both_games
def test_a_misdeal_before_anybody_looked_voids(game: str) -> None:
    """rws-multilink-holdem 5.8.6; rws-progressive-holdem 5.8.6: where whole Hands cannot be moved."""
    wrong = report("misdealt", by="pit_supervisor", boxes=[1, 2], reconstructible=False)
    all_back(played(game, *DEALT, wrong), "5.8.6")


@both_games
def test_hands_that_can_be_moved_whole_are_moved_and_their_boxes_choose(game: str) -> None:
    """rws-multilink-holdem 5.8.6, 5.10.2, 5.10.3, whole-hands-moved (b); rws-progressive-holdem 5.8.6, 5.10."""
    wrong = report("misdealt", by="pit_supervisor", boxes=[1, 2], reconstructible=True)
    waiting = played(game, *DEALT, wrong)
    assert waiting.awaiting()[0]["options"] == ["reconstructed", "return"]
    assert waiting.awaiting()[0]["boxes"] == [1, 2]
    goes_on(played(game, *DEALT, wrong, choose(1, "reconstructed"), choose(2, "return")))


@both_games
def test_hands_are_moved_without_a_choice_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 5.8.6, whole-hands-moved (a); rws-progressive-holdem 5.8.6."""
    wrong = report("misdealt", by="pit_supervisor", boxes=[1, 2], reconstructible=True)
    goes_on(played(game, *DEALT, wrong, rulings={"whole-hands-moved": "a"}))


@both_games
@pytest.mark.parametrize(("reconstructible", "option"), [(True, "reconstructed"), (False, "continue")])
def test_a_misdeal_after_a_look_gives_options(game: str, reconstructible: bool, option: str) -> None:
    """rws-multilink-holdem 5.10, 5.8.6; rws-progressive-holdem 5.10, 5.8.6: somebody has seen, so it is no void."""
    wrong = report("misdealt", by="pit_supervisor", boxes=[2], reconstructible=reconstructible)
    result = played(game, *LOOKED, wrong)
    assert result.awaiting()[0]["boxes"] == [2]
    assert result.awaiting()[0]["options"] == [option, "return"]


@both_games
@pytest.mark.parametrize(("letter", "void"), [("b", True), ("a", False)])
def test_touching_is_not_seeing(game: str, letter: str, void: bool) -> None:
    """rws-multilink-holdem 5.8.6, handled-or-seen; rws-progressive-holdem 5.8.6: (b) touched cards are unseen, (a) they
    count as seen."""
    wrong = report("misdealt", by="pit_supervisor", boxes=[1], reconstructible=False)
    result = played(game, *DEALT, handle(1), wrong, rulings={"handled-or-seen": letter})
    assert (result.status() == "void") == void


# ---------------------------------------------------------------- 5.8.7: wrong number of Community or Dealer's cards


@both_games
@pytest.mark.parametrize("incident", ["wrong_community_count", "wrong_dealer_count"])
def test_a_wrong_count_that_cannot_be_reconstructed_voids(game: str, incident: str) -> None:
    """rws-multilink-holdem 5.8.7; rws-progressive-holdem 5.8.7: looked at or not."""
    all_back(played(game, *LOOKED, report(incident, by="pit_supervisor", reconstructible=False)), "5.8.7")
    all_back(played(game, *DEALT, report(incident, by="pit_supervisor", reconstructible=False)), "5.8.7")


@both_games
@pytest.mark.parametrize("incident", ["wrong_community_count", "wrong_dealer_count"])
def test_a_wrong_count_that_can_be_reconstructed_gives_options_to_all(game: str, incident: str) -> None:
    """rws-multilink-holdem 5.8.7, 5.10.2; rws-progressive-holdem 5.8.7, 5.10.2."""
    result = played(game, *LOOKED, report(incident, by="pit_supervisor", reconstructible=True))
    assert result.awaiting()[0]["boxes"] == [1, 2]
    assert result.awaiting()[0]["options"] == ["reconstructed", "return"]


@both_games
@pytest.mark.parametrize("incident", ["wrong_community_count", "wrong_dealer_count"])
def test_a_wrong_count_noticed_before_the_next_round_unwinds_the_settlement(game: str, incident: str) -> None:
    """rws-multilink-holdem 5.8.7, 1.25, post-settlement-window; rws-progressive-holdem 5.8.7, 1.24: void after all."""
    settled = [*DEALT, decide(2, "fold"), *decides(1, "flop", "check", "check")]
    assert played(game, *settled).status() == "settled"
    all_back(played(game, *settled, report(incident, by="shift_manager", reconstructible=False)), "5.8.7")


@both_games
def test_a_wrong_count_noticed_after_the_next_call_changes_nothing(game: str) -> None:
    """rws-multilink-holdem 5.8.7, 5.19; rws-progressive-holdem 5.8.7, 5.19: then only a late error is left."""
    settled = [*DEALT, decide(2, "fold"), *decides(1, "flop", "check", "check"), open_round()]
    result = played(game, *settled, report("late_error"), report("wrong_dealer_count", by="pit_supervisor"))
    assert result.codes == ["not_dealt_yet"]
    assert result.status(number=1) == "settled"
    assert result.line(2, "ante") == line("lose")


# ---------------------------------------------------------------- 5.9: a missed burn


@both_games
def test_a_burn_missed_after_a_look_voids(game: str) -> None:
    """rws-multilink-holdem 5.9, missed-burn (a); rws-progressive-holdem 5.9: nobody has to say whether it can be put
    right."""
    all_back(played(game, *LOOKED, report("burn_missed")), "5.9")


@both_games
def test_a_missed_burn_voids_even_a_flopped_straight_flush(game: str) -> None:
    """rws-multilink-holdem 5.9, 5.21, missed-burn (a); rws-progressive-holdem 5.9: before the Turn Card, one folder and
    one live Hand: 200 and both jackpot Bets back, no award."""
    result = replay(
        table(game, box_1="9h 8h", box_2="5c 4s", community="Qh Jh Th 2c 3d"),
        jackpot(),
        [bet(box, kind, amount) for box in (1, 2) for kind, amount in (("ante", "50.00"), ("jackpot", "5.00"))],
        [close_bets(), examine(1), decide(2, "fold"), decide(1, "flop"), report("burn_missed")],
    )
    all_back(result, "5.9")
    assert sum(found.returned for found in result.round().lines) == 21000
    assert result.awards() == []


@both_games
def test_after_the_flop_options_only_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 5.9, 5.10, missed-burn (b); rws-progressive-holdem 5.9, 5.10."""
    steps = [*LOOKED, decide(2, "fold"), decide(1, "flop"), report("burn_missed")]
    result = played(game, *steps, rulings={"missed-burn": "b"})
    assert result.awaiting()[0]["what"] == "options"
    assert result.awaiting()[0]["boxes"] == [1]
    before = played(game, *LOOKED, report("burn_missed"), rulings={"missed-burn": "b"})
    all_back(before, "5.9")


@both_games
def test_an_unseen_missed_burn_is_put_right_and_everybody_chooses(game: str) -> None:
    """rws-multilink-holdem 5.9, 5.10; rws-progressive-holdem 5.9, 5.10: by the word of a Pit Manager or above."""
    result = played(game, *DEALT, report("burn_missed", by="pit_manager", reconstructible=True))
    assert result.awaiting()[0]["boxes"] == [1, 2]
    assert result.awaiting()[0]["options"] == ["reconstructed", "return"]
    chosen = [choose(1, "reconstructed"), choose(2, "return")]
    goes_on(played(game, *DEALT, report("burn_missed", by="pit_manager", reconstructible=True), *chosen))


@both_games
def test_an_unseen_missed_burn_that_cannot_be_put_right_voids(game: str) -> None:
    """rws-multilink-holdem 5.9; rws-progressive-holdem 5.9."""
    all_back(played(game, *DEALT, report("burn_missed", by="pit_manager", reconstructible=False)), "5.9")


@both_games
@pytest.mark.parametrize("by", ["dealer", "pit_supervisor"])
def test_whether_a_burn_can_be_put_right_is_the_houses_word(game: str, by: str) -> None:
    """rws-multilink-holdem 5.9, house-level; rws-progressive-holdem 5.9: a lower role's word is not taken, and the
    Round waits for a Pit Manager or above."""
    told = report("burn_missed", by=by, reconstructible=True)
    result = played(game, *DEALT, told, rule("not_reconstructible", by=by))
    assert result.codes == ["not_authorised"]
    assert "5.9" in result.refusals[0].rules
    assert result.awaiting()[0]["from"] == "pit_manager"
    assert result.awaiting()[0]["decisions"] == ["reconstructible", "not_reconstructible"]
    all_back(played(game, *DEALT, told, rule("not_reconstructible", by="pit_manager")), "5.9")


@both_games
def test_a_shuffler_has_no_burn_to_miss(game: str) -> None:
    """rws-multilink-holdem 5.9, 3.12, 5.23; rws-progressive-holdem likewise: nothing is burnt there, so no paragraph
    covers the report and the shift manager rules."""
    result = replay(
        table(game, dealing="electronic_shuffler", cards=CARDS), jackpot(), [*LOOKED, report("burn_missed")]
    )
    assert result.awaiting()[0]["from"] == "shift_manager"
    assert result.awaiting()[0]["rules"] == ["5.23"]


# ---------------------------------------------------------------- who says whether cards can be put right


@both_games
@pytest.mark.parametrize(
    ("incident", "facts"),
    [
        ("misdealt", {"boxes": [1, 2]}),
        ("wrong_community_count", {}),
        ("wrong_dealer_count", {}),
        ("wrong_box_count", {"box": 1}),
        ("dealing_error", {"boxes": [1]}),
    ],
)
def test_a_dealer_reports_and_a_pit_supervisor_says_what_can_be_put_right(
    game: str, incident: str, facts: dict[str, object]
) -> None:
    """rws-multilink-holdem 5.8.6, 5.8.7, 5.10, 5.15; rws-progressive-holdem likewise: the Round is held until then."""
    held = played(game, *DEALT, report(incident, facts=facts), decide(2, "flop"), rule("reconstructible", by="dealer"))
    assert held.codes == ["round_held", "not_authorised"]
    assert held.awaiting()[0]["from"] == "pit_supervisor"
    told = played(game, *DEALT, report(incident, facts=facts), rule("reconstructible", by="pit_supervisor"))
    assert told.awaiting()[0]["what"] == "options"


@both_games
def test_a_misdeal_after_a_look_is_asked_about_by_the_paragraph_on_options(game: str) -> None:
    """rws-multilink-holdem 5.10, 5.8.6; rws-progressive-holdem likewise: 5.8.6 ends with the first look, so whoever
    asks whether the cards can be put right asks for 5.10."""
    steps = (report("misdealt", facts={"boxes": [1, 2]}), rule("reconstructible", by="dealer"))
    before, after = played(game, *DEALT, *steps), played(game, *LOOKED, *steps)
    assert before.awaiting()[0]["rules"] == ["5.8", "5.8.6"]
    asked = after.awaiting()[0]["rules"]
    assert isinstance(asked, list)
    assert asked[0] == "5.10"
    assert "5.8.6" not in asked


@both_games
def test_after_the_settlement_only_what_can_unwind_it_is_asked(game: str) -> None:
    """rws-multilink-holdem 5.23, 5.8.7, post-settlement-window; rws-progressive-holdem likewise: whether misdealt cards
    could be put right decides nothing any more, so the shift manager is asked at once; a wrong count still unwinds."""
    settled = [*DEALT, decide(1, "fold"), decide(2, "fold")]
    ruled = played(game, *settled, report("misdealt", facts={"boxes": [1]}))
    assert ruled.awaiting()[0]["from"] == "shift_manager"
    counted = played(game, *settled, report("wrong_dealer_count"))
    assert counted.awaiting()[0]["from"] == "pit_supervisor"


@both_games
def test_a_void_round_is_over(game: str) -> None:
    """rws-multilink-holdem 1.31, 5.21; rws-progressive-holdem 1.30, 5.21: nothing more happens in it, and the next one
    opens."""
    result = played(
        game, *DEALT, report("foreign_card"), decide(1, "flop"), walk_away("ana"), report("unshuffled"), open_round()
    )
    assert result.codes == ["no_round", "not_at_the_table"]
    assert result.status(number=2) == "open"
