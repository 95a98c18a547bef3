"""RWS Hold'em 5.18 to 5.20 and 5.23: extra looks, late errors, reopening, and what no paragraph covers."""

from __future__ import annotations

import pytest

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
    report,
    rule,
    table,
)

GAMES = ("rws-multilink-holdem", "rws-progressive-holdem")
both_games = pytest.mark.parametrize("game", GAMES)
ROYAL = {"box_1": "5c 4s", "box_2": "Ah Kh", "community": "Qh Jh Th 2c 3d", "dealer": "As Kd"}
LOWER = ["dealer", "pit_supervisor", "pit_manager"]

TWO_BOXES = [
    *(
        bet(box, kind, amount, player="ana")
        for box in (1, 2)
        for kind, amount in (("ante", "50.00"), ("jackpot", "5.00"))
    ),
    close_bets(),
    examine(1, player="ana"),
    examine(2, player="ana", noticed=False),
]
EXTRA = report("extra_hand_examined", box=2)


def played(game: str, *steps: Step) -> Played:
    return replay(table(game, cards=ROYAL), jackpot(), steps)


def on(*boxes: int) -> list[Step]:
    return [decide(box, choice) for choice in ("flop", "check", "check") for box in boxes]


# ---------------------------------------------------------------- 5.18: an extra look


@both_games
def test_a_deliberate_extra_look_takes_that_hand_out(game: str) -> None:
    """rws-multilink-holdem 5.18, extra-look-freeroll; rws-progressive-holdem 5.18: even a royal flush; the Hand first
    looked at stays."""
    result = played(game, *TWO_BOXES, EXTRA, rule("intentional", by="pit_supervisor"), *on(1))
    assert result.line(2, "ante") == line("returned", returned="50.00", rules="5.18")
    assert result.line(2, "jackpot") == line("returned", won="0.00", returned="5.00", rules="5.18")
    assert result.line(1, "flop") == line("lose", rules="3.14")
    assert result.awards() == []
    assert result.meter == "100001.00"


@both_games
def test_a_deliberate_look_at_a_folded_hand_wins_nothing_back(game: str) -> None:
    """rws-multilink-holdem 5.18, 3.11.2.a; rws-progressive-holdem likewise: the folded Ante stays lost, only the
    jackpot Bet goes back; otherwise every folder would look."""
    peeked = [*TWO_BOXES[:-1], decide(2, "fold"), examine(2, player="ana", noticed=False), EXTRA]
    result = played(game, *peeked, rule("intentional", by="pit_supervisor"), *on(1))
    assert result.line(2, "ante") == line("lose", returned="0.00", rules="5.18 3.11.2.a")
    assert result.line(2, "jackpot") == line("returned", won="0.00", returned="5.00", rules="5.18")


@both_games
def test_an_extra_look_by_mistake_changes_nothing(game: str) -> None:
    """rws-multilink-holdem 5.18, unintended-look; rws-progressive-holdem 5.18: the Hand stays valid and decides."""
    result = played(game, *TWO_BOXES, EXTRA, rule("unintentional", by="pit_supervisor"), *on(1, 2))
    assert result.line(2, "flop") == line("win", won="100.00")
    assert result.line(2, "jackpot") == line("win", won="100002.00")


@both_games
def test_intent_is_for_a_pit_supervisor_or_above(game: str) -> None:
    """rws-multilink-holdem 5.18; rws-progressive-holdem 5.18: the Dealer waits, a shift manager may."""
    result = played(game, *TWO_BOXES, EXTRA, decide(1, "flop"), rule("intentional", by="dealer"))
    assert result.codes == ["round_held", "not_authorised"]
    assert "5.18" in result.refusals[1].rules
    assert result.awaiting()[0]["decisions"] == ["intentional", "unintentional"]
    higher = played(game, *TWO_BOXES, EXTRA, rule("intentional", by="shift_manager"), decide(1, "fold"))
    assert higher.line(2, "ante") == line("returned")


@both_games
def test_an_extra_look_that_is_noticed_in_time_is_refused(game: str) -> None:
    """rws-multilink-holdem 3.7, 5.18; rws-progressive-holdem 3.7, 5.18: then there is nothing to rule on."""
    result = played(game, *TWO_BOXES[:-1], examine(2, player="ana"), rule("intentional", by="pit_supervisor"))
    assert result.codes == ["one_hand_only", "nothing_awaited"]


@both_games
def test_the_only_hand_of_a_round_is_no_further_one(game: str) -> None:
    """rws-multilink-holdem 5.18, 3.7; rws-progressive-holdem likewise: nobody rules on a look that is his right."""
    result = played(game, bet(2, "ante", "50.00"), close_bets(), report("extra_hand_examined", box=2), *on(2))
    assert result.codes == ["not_a_further_hand"]
    assert result.status() == "settled"


@both_games
def test_a_look_at_somebody_elses_hand_is_ruled_on(game: str) -> None:
    """rws-multilink-holdem 5.18; rws-progressive-holdem 5.18: whoever looked plays another box."""
    steps = [bet(1, "ante", "50.00"), bet(2, "ante", "50.00"), close_bets(), report("extra_hand_examined", box=2)]
    result = played(game, *steps, rule("intentional", by="pit_supervisor"), decide(1, "fold"))
    assert result.codes == []
    assert result.line(2, "ante") == line("returned")


# ---------------------------------------------------------------- 5.19: late errors


@both_games
def test_a_late_error_is_noted_and_changes_nothing(game: str) -> None:
    """rws-multilink-holdem 5.19, late-own-round; rws-progressive-holdem 5.19: neither its own Round nor a later one."""
    first = [bet(1, "ante", "50.00"), close_bets(), decide(1, "fold"), open_round(), bet(1, "ante", "50.00")]
    result = played(game, *first, report("late_error", text="box 1 was overpaid"), close_bets(), decide(1, "fold"))
    assert result.codes == []
    for number in (1, 2):
        assert result.line(1, "ante", number=number) == line("lose")
    noted = [notice for notice in result.round(2).notices if "overpaid" in notice.text]
    assert "5.19" in noted[0].rules


# ---------------------------------------------------------------- reopening


SETTLED = [bet(1, "ante", "50.00"), bet(2, "ante", "50.00"), bet(2, "jackpot", "5.00"), close_bets(), *on(1, 2)]


@both_games
@pytest.mark.parametrize("by", ["pit_supervisor", "pit_manager"])
def test_a_paid_jackpot_is_unwound_by_the_shift_manager_only(game: str, by: str) -> None:
    """rws-multilink-holdem 5.8.7, post-settlement-window; rws-progressive-holdem 5.8.7: the Round waits for him."""
    wrong = report("wrong_dealer_count", by=by, reconstructible=False)
    result = played(game, *SETTLED, wrong, rule("reopen", by=by))
    assert result.codes == ["not_authorised"]
    assert result.awaiting()[0]["from"] == "shift_manager"
    assert result.line(2, "jackpot") == line("win", won="100001.00")
    stands = played(game, *SETTLED, wrong, rule("stand", by="shift_manager"))
    assert stands.status() == "settled"
    assert stands.meter == "50000.00"
    unwound = played(game, *SETTLED, wrong, rule("reopen", by="shift_manager"))
    assert unwound.status() == "void"
    assert unwound.meter == "100000.00"


@both_games
def test_without_a_paid_jackpot_a_pit_supervisor_reopens(game: str) -> None:
    """rws-multilink-holdem 5.8.7, post-settlement-window; rws-progressive-holdem 5.8.7: the opposite."""
    steps = [bet(1, "ante", "50.00"), close_bets(), *on(1)]
    result = played(game, *steps, report("wrong_dealer_count", by="pit_supervisor", reconstructible=False))
    assert result.status() == "void"
    told = result.notices()
    assert told.index("The number of the Dealer's cards is wrong.") < told.index("The settlement is unwound.")


# ---------------------------------------------------------------- 5.23: what no paragraph covers


UNCOVERED = report("uncovered", text="a drink on the layout")
OPEN = [bet(1, "ante", "50.00"), bet(2, "ante", "50.00"), close_bets()]


@both_games
def test_what_no_paragraph_covers_waits_for_the_shift_manager(game: str) -> None:
    """rws-multilink-holdem 5.23; rws-progressive-holdem 5.23: the Round is held until he has ruled."""
    result = played(game, *OPEN, UNCOVERED, decide(1, "flop"))
    assert result.codes == ["round_held"]
    assert result.awaiting()[0]["from"] == "shift_manager"
    assert result.awaiting()[0]["decisions"] == ["void", "stand", "return"]
    assert result.awaiting()[0]["rules"] == ["5.23"]


@both_games
@pytest.mark.parametrize("by", LOWER)
@pytest.mark.parametrize("decision", ["void", "stand", "return"])
def test_a_lower_role_may_not_rule(game: str, by: str, decision: str) -> None:
    """rws-multilink-holdem 5.23; rws-progressive-holdem 5.23: Table Game Shift Manager or above."""
    result = played(game, *OPEN, UNCOVERED, rule(decision, by=by))
    assert result.codes == ["not_authorised"]
    assert "5.23" in result.refusals[0].rules


@both_games
def test_the_shift_managers_ruling_is_carried_out_and_recorded(game: str) -> None:
    """rws-multilink-holdem 5.23; rws-progressive-holdem 5.23: void, stand, or return with boxes, in his words."""
    void = played(game, *OPEN, UNCOVERED, rule("void", by="shift_manager", text="cards were wet"))
    assert void.status() == "void"
    assert void.line(1, "ante") == line("returned", rules="5.23 5.21")
    assert any("cards were wet" in notice for notice in void.notices())
    stand = played(game, *OPEN, UNCOVERED, rule("stand", by="shift_manager"), decide(1, "fold"), decide(2, "fold"))
    assert stand.line(1, "ante") == line("lose")
    back = played(game, *OPEN, UNCOVERED, rule("return", by="shift_manager", boxes=[2]), decide(1, "fold"))
    assert back.line(1, "ante") == line("lose")
    assert back.line(2, "ante") == line("returned", rules="5.23")


@both_games
def test_a_settled_round_may_be_ruled_on_until_the_next_call(game: str) -> None:
    """rws-multilink-holdem 5.23, post-settlement-window; rws-progressive-holdem 5.23: the settlement is unwound for
    the box named."""
    steps = [*OPEN, *decides(1, "fold"), *decides(2, "fold"), UNCOVERED]
    back = played(game, *steps, rule("return", by="shift_manager", boxes=[2]))
    assert back.status() == "settled"
    assert back.line(1, "ante") == line("lose")
    assert back.line(2, "ante") == line("returned", rules="5.23")
    stand = played(game, *steps, rule("stand", by="shift_manager"))
    assert stand.line(2, "ante") == line("lose")


@both_games
def test_two_questions_are_answered_one_by_one(game: str) -> None:
    """rws-multilink-holdem 5.18, 5.23; rws-progressive-holdem likewise: whoever rules on one leaves the other open, and
    the Round is held until both are answered."""
    steps = [*TWO_BOXES, EXTRA, UNCOVERED]
    asked = played(game, *steps)
    assert [waits["from"] for waits in asked.awaiting()] == ["pit_supervisor", "shift_manager"]
    one_left = played(game, *steps, rule("stand", by="shift_manager"), decide(1, "flop"))
    assert one_left.codes == ["round_held"]
    both = played(
        game, *steps, rule("stand", by="shift_manager"), rule("unintentional", by="pit_supervisor"), *on(1, 2)
    )
    assert both.codes == []
    assert both.line(2, "flop") == line("win", won="100.00")


@both_games
@pytest.mark.parametrize("incident", ["controls_multiple_hands", "not_confidential", "rules_breach"])
def test_incidents_of_other_documents_are_uncovered_here(game: str, incident: str) -> None:
    """rws-multilink-holdem 5.23; rws-progressive-holdem 5.23: neither document mentions them."""
    result = played(game, *OPEN, report(incident, player="ana"))
    assert result.awaiting()[0]["from"] == "shift_manager"
    assert result.awaiting()[0]["rules"] == ["5.23"]


@both_games
@pytest.mark.parametrize("decision", ["fold", "stop"])
def test_rulings_of_other_documents_do_not_exist_here(game: str, decision: str) -> None:
    """rws-multilink-holdem 5.5, 5.23; rws-progressive-holdem likewise: leaving is a fold, and nobody is stopped."""
    result = played(game, *OPEN, rule(decision, by="shift_manager", box=1, player="ana"))
    assert result.codes == ["not_in_this_game"]


# ---------------------------------------------------------------- 5.20: where the chips lie


@both_games
def test_bets_are_settled_where_they_lie_at_closing(game: str) -> None:
    """rws-multilink-holdem 5.20; rws-progressive-holdem 5.20: a Bet on the wrong box plays there."""
    result = played(
        game, bet(1, "ante", "50.00", by="dealer"), bet(1, "ante", "20.00"), close_bets(), decide(1, "fold")
    )
    assert result.line(1, "ante") == line("lose", staked="70.00", returned="0.00")
