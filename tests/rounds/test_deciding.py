"""Decisions and leaving the table at every moment, as both RWS Hold'em documents have them."""

from __future__ import annotations

import pytest

from tests.scripting import award, bet, close_bets, decide, decides, jackpot, line, open_round, replay, table, walk_away

GAMES = ("rws-multilink-holdem", "rws-progressive-holdem")
WINS = {"box_1": "Ah 4h", "community": "9h 7h 2h Tc Jd", "dealer": "As Kd"}
"""A flush: the Ante wins too."""

both_games = pytest.mark.parametrize("game", GAMES)


# ---------------------------------------------------------------- 3.11, 3.12: decisions


@both_games
def test_boxes_decide_in_any_order_and_the_street_waits_for_all(game: str) -> None:
    """rws-multilink-holdem 3.11.2, 3.11.3; rws-progressive-holdem 3.11.2, 3.11.3: cards are turned after the last."""
    start = [*(bet(box, "ante", "10.00") for box in (1, 2, 3)), close_bets(), decide(3, "flop"), decide(1, "flop")]
    waiting = replay(table(game), start)
    assert waiting.round().cards == {}
    assert waiting.awaiting()[0]["boxes"] == [2]
    turned = replay(table(game), start, decide(2, "fold"))
    assert len(turned.round().cards["community"]) == 3
    assert turned.awaiting()[0]["boxes"] == [1, 3]


@both_games
@pytest.mark.parametrize(
    ("choices", "code"),
    [
        (("check",), "not_a_choice"),
        (("turn",), "not_a_choice"),
        (("flop", "river"), "not_a_choice"),
        (("flop", "fold"), "not_a_choice"),
        (("flop", "check", "fold"), "not_a_choice"),
        (("flop", "check", "turn"), "not_a_choice"),
        (("flop", "play"), "not_a_choice"),
        (("flop", "check", "check", "check"), "no_round"),
    ],
)
def test_a_choice_that_is_not_open_is_refused(game: str, choices: tuple[str, ...], code: str) -> None:
    """rws-multilink-holdem 3.11.2–3.11.4, 1.17, late-fold; rws-progressive-holdem 3.11.2–3.11.4, 1.17: after the Flop
    only bet or check."""
    result = replay(
        table(game),
        [bet(1, "ante", "10.00"), close_bets()],
        decides(1, *choices),
    )
    assert result.codes == [code]
    if choices[-1] == "fold":
        assert "1.17" in result.refusals[0].rules


@both_games
@pytest.mark.parametrize("choice", ["flop", "fold"])
def test_a_choice_is_made_once(game: str, choice: str) -> None:
    """rws-multilink-holdem 3.11.2; rws-progressive-holdem 3.11.2: a second one is refused."""
    result = replay(
        table(game),
        [bet(1, "ante", "10.00"), bet(2, "ante", "10.00"), close_bets(), decide(1, choice), decide(1, "flop")],
    )
    assert result.codes == ["already_decided"]


@both_games
def test_the_river_needs_no_turn(game: str) -> None:
    """rws-multilink-holdem 1.3.c, 3.11.4, river-after-check; rws-progressive-holdem 1.3.c, 3.11.4."""
    steps = [bet(1, "ante", "50.00"), close_bets(), *decides(1, "flop", "check", "river")]
    result = replay(table(game, cards=WINS), steps)
    assert result.codes == []
    assert result.line(1, "river") == line("win", staked="50.00")
    strict = replay(table(game, cards=WINS, rulings={"river-after-check": "a"}), steps, decide(1, "check"))
    assert strict.codes == ["not_a_choice"]
    assert strict.line(1, "river") is None
    assert strict.status() == "settled"


@both_games
def test_a_late_fold_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 1.17, late-fold (a); rws-progressive-holdem 1.17: all that lies there is lost."""
    result = replay(
        table(game, cards=WINS, rulings={"late-fold": "a"}),
        [bet(1, "ante", "10.00"), bet(1, "bonus", "5.00"), close_bets(), *decides(1, "flop", "turn", "fold")],
    )
    assert result.codes == []
    for kind in ("ante", "bonus", "flop", "turn"):
        assert result.line(1, kind) == line("lose", returned="0.00", rules="late-fold")


# ---------------------------------------------------------------- 5.5, 5.6: walking away


@both_games
def test_leaving_before_closing_folds_at_the_first_decision(game: str) -> None:
    """rws-multilink-holdem 5.5; rws-progressive-holdem 5.5: the Bets stay and the Hand is dealt, then folded."""
    result = replay(
        table(game), [bet(1, "ante", "10.00"), bet(2, "ante", "10.00"), walk_away("ana"), close_bets()],
        bet(1, "ante", "10.00"), decide(2, "flop"),
    )  # fmt: skip
    assert "1" in result.dealt()
    assert result.awaiting()[0]["boxes"] == [2]
    done = replay(table(game), [bet(1, "ante", "10.00"), bet(1, "bonus", "5.00"), walk_away("ana"), close_bets()])
    assert done.status() == "settled"
    assert done.line(1, "ante") == line("lose", returned="0.00", rules="5.5 3.11.2.a")
    assert done.line(1, "bonus") == line("lose", returned="0.00", rules="5.5")


@both_games
@pytest.mark.parametrize(
    ("made", "lost"),
    [
        ((), "-15.00"),
        (("flop",), "-35.00"),
        (("flop", "turn"), "-45.00"),
        (("flop", "check"), "-35.00"),
    ],
    ids=["before the Flop choice", "before the Turn choice", "before the River choice", "after a check"],
)
def test_leaving_with_choices_open_folds_what_lies_there(game: str, made: tuple[str, ...], lost: str) -> None:
    """rws-multilink-holdem 5.5, walk-away-after-flop; rws-progressive-holdem 5.5: a winning Hand is lost with it."""
    result = replay(
        table(game, cards=WINS),
        [bet(1, "ante", "10.00"), bet(1, "bonus", "5.00"), close_bets(), *decides(1, *made), walk_away("ana")],
    )
    assert result.status() == "settled"
    for found in result.lines(1).values():
        assert found == line("lose", returned="0.00", rules="5.5")
    assert result.net("ana") == lost


@both_games
def test_leaving_without_choices_open_changes_nothing(game: str) -> None:
    """rws-multilink-holdem 5.6; rws-progressive-holdem 5.6: the House settles the Bets."""
    result = replay(
        table(game, cards=WINS | {"box_2": "5c 4s"}),
        [bet(1, "ante", "10.00"), bet(2, "ante", "10.00"), close_bets()],
        [decide(box, choice) for choice in ("flop", "check") for box in (1, 2)],
        [decide(1, "river"), walk_away("ana"), decide(2, "check")],
    )
    assert result.line(1, "ante") == line("win", won="10.00", rules="3.13")
    assert result.line(1, "river") == line("win", won="10.00")


@both_games
def test_each_box_of_a_player_who_leaves_goes_by_its_own_state(game: str) -> None:
    """rws-multilink-holdem 5.5, 5.6; rws-progressive-holdem 5.5, 5.6: one is settled, the other folded."""
    result = replay(
        table(game, cards=WINS | {"box_2": "Jc Js"}),
        [bet(box, "ante", "10.00", player="ana") for box in (1, 2)],
        [close_bets(), *(decide(box, choice) for choice in ("flop", "check") for box in (1, 2))],
        [decide(1, "river"), walk_away("ana")],
    )
    assert result.status() == "settled"
    assert result.line(1, "river") == line("win", won="10.00", rules="3.13")
    assert result.line(2, "flop") == line("lose", returned="0.00", rules="5.5")


@both_games
def test_who_left_sits_down_again_in_the_next_round(game: str) -> None:
    """rws-multilink-holdem 5.5; rws-progressive-holdem 5.5: leaving is for one Round; nobody bets while away."""
    result = replay(
        table(game),
        [bet(1, "ante", "10.00"), walk_away("ana"), bet(2, "ante", "10.00", player="ana"), close_bets()],
        [open_round(), bet(1, "ante", "10.00"), close_bets(), decide(1, "fold")],
    )
    assert result.codes == ["player_away"]
    assert result.line(1, "ante", number=2) == line("lose", rules="3.11.2.a")


@both_games
def test_an_absent_winners_award_is_held_for_him(game: str) -> None:
    """rws-multilink-holdem 5.6, walk-away-after-flop; rws-progressive-holdem 5.6: it is won, not lost."""
    result = replay(
        table(game, box_1="9h 9d", box_2="8c 4s", community="9c 9s Th 2c 3d", dealer="As Kd"),
        jackpot(),
        [bet(1, "ante", "10.00"), bet(1, "jackpot", "5.00"), bet(2, "ante", "10.00"), close_bets()],
        [decide(box, choice) for choice in ("flop", "check") for box in (1, 2)],
        [decide(1, "check"), walk_away("ana"), decide(2, "check")],
    )
    assert result.awards() == [award("four_of_a_kind", box=1, player="ana")]
    assert any("held for them" in notice for notice in result.notices())
