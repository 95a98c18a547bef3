"""RWS Hold'em 5.10 and 5.12 to 5.15: dealing errors that give Players a choice, and those that do not."""

from __future__ import annotations

import pytest

from croupier.rounds.events import OptionChosen
from tests.scripting import (
    Played,
    Step,
    bet,
    choose,
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
    walk_away,
)

GAMES = ("rws-multilink-holdem", "rws-progressive-holdem")
both_games = pytest.mark.parametrize("game", GAMES)
CARDS = {"box_1": "Ah 4h", "box_2": "5c 4s", "box_3": "Qc Qd", "community": "9h 7h 2h Tc Jd", "dealer": "As Kd"}
OFFER = {"5.10", "5.10.1", "5.10.2", "5.10.3", "5.10 (closing)"}

DEALT = [
    bet(1, "ante", "50.00"),
    bet(1, "bonus", "10.00"),
    bet(1, "jackpot", "5.00"),
    bet(2, "ante", "50.00"),
    bet(3, "ante", "50.00"),
    close_bets(),
]
LOOKED = [*DEALT, examine(1)]


def played(game: str, *steps: Step, rulings: dict[str, str] | None = None) -> Played:
    return replay(table(game, rulings=rulings, cards=CARDS), jackpot(), steps)


def offered(result: Played) -> tuple[object, object]:
    """The boxes that choose, and between what."""
    waits = result.awaiting()[0]
    assert waits["what"] == "options"
    assert isinstance(waits["rules"], list)
    assert set(waits["rules"]) >= OFFER
    return waits["boxes"], waits["options"]


def on(*boxes: int) -> list[Step]:
    """These boxes play to the end."""
    return [decide(box, choice) for choice in ("flop", "check", "check") for box in boxes]


# ---------------------------------------------------------------- 5.10: the options


@both_games
@pytest.mark.parametrize(("reconstructible", "option"), [(True, "reconstructed"), (False, "continue")])
def test_a_dealing_error_gives_options_to_the_affected(game: str, reconstructible: bool, option: str) -> None:
    """rws-multilink-holdem 5.10.1, 5.10.2, 5.10.3; rws-progressive-holdem likewise: play on as it lies or as put right,
    or take the Bets back."""
    error = report("dealing_error", by="pit_supervisor", boxes=[2], reconstructible=reconstructible)
    assert offered(played(game, *DEALT, error)) == ([2], [option, "return"])


@both_games
def test_who_takes_his_bets_back_takes_all_of_them(game: str) -> None:
    """rws-multilink-holdem 5.10.3, option-return-scope; rws-progressive-holdem 5.10.3: Ante, Bonus, jackpot Bet and
    what was decided, and the contribution with them; the record says that it was his choice."""
    error = report("dealing_error", by="pit_supervisor", boxes=[1], reconstructible=False)
    result = played(
        game, *LOOKED, *(decide(box, "flop") for box in (1, 2, 3)), error, choose(1, "return"),
        *(decide(box, "check") for _ in range(2) for box in (2, 3)),
    )  # fmt: skip
    assert result.status() == "settled"
    for kind, amount in (("ante", "50.00"), ("bonus", "10.00"), ("jackpot", "5.00"), ("flop", "100.00")):
        assert result.line(1, kind) == line("returned", won="0.00", returned=amount, rules="5.10.3")
    assert result.net("ana") == "0.00"
    assert result.meter == "100000.00"
    chosen = [event for _, event in result.events if isinstance(event, OptionChosen)]
    assert [(event.box, event.option) for event in chosen] == [(1, "return")]


@both_games
@pytest.mark.parametrize(("reconstructible", "option"), [(True, "reconstructed"), (False, "continue")])
def test_who_plays_on_is_bound_by_what_comes(game: str, reconstructible: bool, option: str) -> None:
    """rws-multilink-holdem 5.10 (closing); rws-progressive-holdem 5.10 (closing): no second choice."""
    error = report("dealing_error", by="pit_supervisor", boxes=[1], reconstructible=reconstructible)
    result = played(game, *DEALT, error, choose(1, option), choose(1, "return"), *on(1, 2, 3))
    assert result.codes == ["nothing_awaited"]
    assert result.line(1, "flop") == line("win", won="100.00")


@both_games
def test_the_round_waits_for_every_answer(game: str) -> None:
    """rws-multilink-holdem 5.10, options-default; rws-progressive-holdem 5.10: no decision meanwhile, and only offered
    answers."""
    error = report("dealing_error", by="pit_supervisor", boxes=[1, 3], reconstructible=False)
    result = played(
        game, *DEALT, error, decide(2, "flop"), choose(1, "reconstructed"), choose(1, "withdraw"), choose(2, "return"),
        choose(1, "continue"),
    )  # fmt: skip
    assert result.codes == ["round_held", "not_an_option", "not_an_option", "nothing_awaited"]
    assert offered(result) == ([3], ["continue", "return"])


@both_games
def test_an_absent_players_bets_are_returned(game: str) -> None:
    """rws-multilink-holdem 5.10, options-default; rws-progressive-holdem 5.10: nobody chooses for him."""
    error = report("dealing_error", by="pit_supervisor", boxes=[1, 2], reconstructible=False)
    result = played(game, *DEALT, decide(1, "flop"), walk_away("ana"), error, choose(2, "continue"), *on(2, 3))
    assert result.line(1, "ante") == line("returned", rules="5.10.3")
    assert result.line(1, "flop") == line("returned", returned="100.00")


@both_games
def test_who_leaves_without_a_choice_of_his_own_takes_nobodys_away(game: str) -> None:
    """rws-multilink-holdem 5.10, 5.5; rws-progressive-holdem likewise: ben chooses, ana is not asked; she leaves, which
    folds her Hand at its turn and leaves ben's choice to him."""
    error = report("dealing_error", by="pit_supervisor", boxes=[2], reconstructible=False)
    waiting = played(game, *DEALT, error, walk_away("ana"))
    assert offered(waiting) == ([2], ["continue", "return"])
    result = played(game, *DEALT, error, walk_away("ana"), choose(2, "continue"), *on(2, 3))
    assert result.line(1, "ante") == line("lose", rules="5.5")
    assert result.line(2, "flop") == line("lose", staked="100.00")


@both_games
def test_a_player_who_leaves_instead_of_answering_gets_his_bets_back(game: str) -> None:
    """rws-multilink-holdem 5.10, options-default; rws-progressive-holdem 5.10: the Round is not stuck on him."""
    error = report("dealing_error", by="pit_supervisor", boxes=[1, 2], reconstructible=False)
    result = played(game, *DEALT, error, walk_away("ana"), choose(2, "continue"), *on(2, 3))
    assert result.status() == "settled"
    assert result.line(1, "ante") == line("returned", rules="5.10.3")
    assert result.meter == "100000.00"


@both_games
def test_a_folded_hand_has_nothing_to_continue(game: str) -> None:
    """rws-multilink-holdem 5.10; rws-progressive-holdem 5.10: its Ante is lost already; the live Hands choose."""
    error = report("wrong_community_count", by="pit_supervisor", reconstructible=True)
    result = played(game, *DEALT, decide(2, "fold"), error)
    assert offered(result) == ([1, 3], ["reconstructed", "return"])


@both_games
def test_a_round_in_which_everybody_took_his_bets_back_is_settled(game: str) -> None:
    """rws-multilink-holdem 5.10.3; rws-progressive-holdem 5.10.3: only the Round itself can be void."""
    error = report("dealing_error", by="pit_supervisor", boxes=[1, 2, 3], reconstructible=False)
    result = played(game, *DEALT, error, *(choose(box, "return") for box in (1, 2, 3)))
    assert result.status() == "settled"
    assert [found.outcome.value for found in result.round().lines] == ["returned"] * 5


# ---------------------------------------------------------------- 5.12: exposed cards


@both_games
@pytest.mark.parametrize("facts", [{"count": 1, "boxes": [2]}, {"count": 3}, {"dealer": True}])
def test_an_exposed_card_after_a_look_changes_nothing(game: str, facts: dict[str, object]) -> None:
    """rws-multilink-holdem 5.12; rws-progressive-holdem 5.12: whatever the number, the Round goes on."""
    result = played(game, *LOOKED, report("cards_exposed", facts=facts), *on(1, 2, 3))
    assert result.status() == "settled"
    assert any("5.12" in notice.rules for notice in result.round().notices)


@both_games
def test_one_card_of_a_box_exposed_before_a_look_gives_that_box_options(game: str) -> None:
    """rws-multilink-holdem 5.10, 5.12, one-exposed; rws-progressive-holdem likewise: two would void, a look would go
    on."""
    result = played(game, *DEALT, report("cards_exposed", count=1, boxes=[3]))
    assert offered(result) == ([3], ["continue", "return"])
    assert "one-exposed" in result.round().awaiting[0]["rules"]  # type: ignore[operator]  # a list, checked above


@both_games
@pytest.mark.parametrize("where", ["dealer", "community"])
def test_one_card_of_the_dealer_or_the_board_gives_everybody_options(game: str, where: str) -> None:
    """rws-multilink-holdem 5.10, one-exposed; rws-progressive-holdem 5.10: it touches all boxes."""
    result = played(game, *DEALT, report("cards_exposed", count=1, facts={where: True}))
    assert offered(result) == ([1, 2, 3], ["continue", "return"])


# ---------------------------------------------------------------- 5.13: a card face up in the shoe


@both_games
@pytest.mark.parametrize("start", [DEALT, LOOKED], ids=["unseen", "seen"])
def test_a_face_up_card_is_the_next_card(game: str, start: list[Step]) -> None:
    """rws-multilink-holdem 5.13; rws-progressive-holdem 5.13: used as if nothing were; the result is the same."""
    with_it = played(game, *start, report("face_up_in_shoe"), *on(1, 2, 3))
    without = played(game, *start, *on(1, 2, 3))
    assert with_it.round().lines == without.round().lines
    assert any("5.13" in notice.rules for notice in with_it.round().notices)


# ---------------------------------------------------------------- 5.14: cards drawn together


@both_games
def test_the_order_of_cards_drawn_together_is_ruled_then_everybody_chooses(game: str) -> None:
    """rws-multilink-holdem 5.14, 5.14.1, joint-draw-all (a); rws-progressive-holdem likewise."""
    drawn = report("simultaneous_draw", boxes=[1, 2])
    waiting = played(game, *DEALT, drawn, decide(1, "flop"), rule("card_order", by="dealer"))
    assert waiting.codes == ["round_held", "not_authorised"]
    assert "5.14" in waiting.refusals[1].rules
    assert waiting.awaiting()[0]["from"] == "pit_supervisor"
    ruled = played(game, *DEALT, drawn, rule("card_order", by="pit_supervisor"))
    assert offered(ruled) == ([1, 2, 3], ["continue", "return"])
    assert "5.14.1" in ruled.awaiting()[0]["rules"]  # type: ignore[operator]  # a list, checked above
    higher = played(game, *DEALT, drawn, rule("card_order", by="shift_manager"))
    assert offered(higher) == ([1, 2, 3], ["continue", "return"])


@both_games
def test_only_the_affected_choose_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 5.14.1, joint-draw-all (b); rws-progressive-holdem 5.14.1."""
    result = played(
        game,
        *[*DEALT, report("simultaneous_draw", boxes=[1, 2]), rule("card_order", by="pit_supervisor")],
        rulings={"joint-draw-all": "b"},
    )
    assert offered(result) == ([1, 2], ["continue", "return"])


@both_games
def test_another_answer_than_the_order_is_refused(game: str) -> None:
    """rws-multilink-holdem 5.14; rws-progressive-holdem 5.14: the paragraph asks for one thing."""
    result = played(game, *DEALT, report("simultaneous_draw"), rule("void", by="shift_manager"))
    assert result.codes == ["not_an_answer"]


# ---------------------------------------------------------------- 5.15: a Hand with the wrong number of cards


@both_games
@pytest.mark.parametrize("start", [DEALT, LOOKED], ids=["unseen", "seen"])
def test_a_hand_with_a_wrong_count_is_invalid_and_the_others_play(game: str, start: list[Step]) -> None:
    """rws-multilink-holdem 5.15; rws-progressive-holdem 5.15: its Bets go back, the Round goes on."""
    wrong = report("wrong_box_count", by="pit_supervisor", box=1, reconstructible=False)
    result = played(game, *start, wrong, decide(1, "flop"), *on(2, 3))
    assert result.codes == ["no_hand"]
    for kind in ("ante", "bonus", "jackpot"):
        assert result.line(1, kind) == line("returned", won="0.00", rules="5.15")
    assert result.line(2, "ante") == line("lose")
    assert result.meter == "100000.00"


@both_games
def test_a_hand_that_can_be_put_right_has_options(game: str) -> None:
    """rws-multilink-holdem 5.15, 5.10.2; rws-progressive-holdem 5.15, 5.10.2: then it is a dealing error."""
    wrong = report("wrong_box_count", by="pit_supervisor", box=1, reconstructible=True)
    assert offered(played(game, *DEALT, wrong)) == ([1], ["reconstructed", "return"])


@both_games
def test_others_choose_where_staff_mark_them_affected(game: str) -> None:
    """rws-multilink-holdem 5.15, 5.10, others-wrong-count (b); rws-progressive-holdem likewise."""
    wrong = report("wrong_box_count", by="pit_supervisor", box=1, reconstructible=False, affected=[2, 3])
    assert offered(played(game, *DEALT, wrong)) == ([2, 3], ["continue", "return"])
    stands = played(game, *DEALT, wrong, rulings={"others-wrong-count": "a"})
    assert stands.awaiting()[0]["what"] == "decision"


@both_games
def test_a_wrong_count_noticed_before_the_next_round_takes_the_hand_out_again(game: str) -> None:
    """rws-multilink-holdem 5.15, post-settlement-window; rws-progressive-holdem 5.15: the other Hands keep theirs."""
    wrong = report("wrong_box_count", by="shift_manager", box=1, reconstructible=False)
    before = played(game, *DEALT, *on(1, 2, 3))
    assert before.line(1, "flop") == line("win")
    result = played(game, *DEALT, *on(1, 2, 3), wrong)
    assert result.status() == "settled"
    assert result.line(1, "flop") == line("returned", won="0.00", returned="100.00", rules="5.15")
    for box in (2, 3):
        assert result.lines(box) == before.lines(box)
    assert any("unwound" in notice for notice in result.notices())


@both_games
def test_a_wrong_count_noticed_after_the_next_call_is_late(game: str) -> None:
    """rws-multilink-holdem 5.15, 5.19; rws-progressive-holdem 5.15, 5.19: nothing is dealt in the new Round yet."""
    wrong = report("wrong_box_count", by="pit_supervisor", box=1, reconstructible=False)
    result = played(game, *DEALT, *on(1, 2, 3), open_round(), wrong, report("late_error"))
    assert result.codes == ["not_dealt_yet"]
    assert result.line(1, "flop") == line("win")


@both_games
def test_a_round_that_waits_after_its_settlement_holds_the_next_call(game: str) -> None:
    """rws-multilink-holdem 5.15, post-settlement-window; rws-progressive-holdem 5.15: the answer comes first."""
    wrong = report("wrong_box_count", box=1)
    result = played(game, *DEALT, *on(1, 2, 3), wrong, open_round(), rule("not_reconstructible", by="shift_manager"))
    assert result.codes == ["round_held"]
    assert result.line(1, "flop") == line("returned", rules="5.15")


@both_games
def test_a_box_without_a_hand_has_no_wrong_count(game: str) -> None:
    """rws-multilink-holdem 5.15; rws-progressive-holdem 5.15: the report must name a Hand that was dealt."""
    result = played(
        game, *DEALT, report("wrong_box_count", box=7), report("wrong_box_count"), report("wrong_box_count", box=9)
    )
    assert result.codes == ["no_hand", "fact_missing", "unknown_box"]


@both_games
def test_a_decision_made_before_the_error_stands(game: str) -> None:
    """rws-multilink-holdem 5.10; rws-progressive-holdem 5.10: who continues goes on from where he was."""
    error = report("dealing_error", by="pit_supervisor", boxes=[1], reconstructible=False)
    result = played(game, *DEALT, decide(1, "flop"), error, choose(1, "continue"), decide(1, "flop"))
    assert result.codes == ["already_decided"]
    done = played(
        game, *DEALT, decide(1, "flop"), error, choose(1, "continue"), *decides(2, "fold"), *decides(3, "fold")
    )
    assert done.awaiting()[0]["boxes"] == [1]
