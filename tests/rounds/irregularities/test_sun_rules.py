"""Sun Casino Hold'Em, Rules ¶1 to ¶5: forfeits, the misdeal that is dealt again, and what management decides."""

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
    examine,
    jackpot,
    jackpot_mode,
    line,
    open_round,
    prove,
    refuse_reveal,
    replay,
    report,
    rule,
    table,
    walk_away,
    withdraw,
)

GAME = "sun-casino-holdem"
CARDS = {"community": "Kh 9h 6h 4s 2c", "dealer": "9c Jd", "box_1": "Ah 3h", "box_2": "7c 8d", "box_3": "Kc 5d"}
AGAIN = {"community": "Qs Jh 7d 3s 2c", "dealer": "Qd 4c", "1": "Th 5c", "2": "Qc Kd", "3": "8s 6s"}
UNCHANGED = "100000.00"
MANAGEMENT = ("shift_manager", ["void", "stand", "return"])


def dealt(
    *steps: Step | Sequence[Step],
    rulings: Mapping[str, str] | None = None,
    pay_tables: Mapping[str, Mapping[str, str]] | None = None,
) -> Played:
    """Three boxes with an Ante of 10 and a Progressive bet of 5; the flop lies face up."""
    return replay(
        jackpot(UNCHANGED, contribution="0.20"),
        table(GAME, rulings=rulings, pay_tables=pay_tables, cards=CARDS),
        [bet(box, kind, amount) for box in (1, 2, 3) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        close_bets(),
        *steps,
    )


def all_call(*boxes: int) -> list[Step]:
    return [decide(box, "call") for box in boxes or (1, 2, 3)]


def rulings_awaited(result: Played) -> list[tuple[object, object]]:
    return [(waits["from"], waits["decisions"]) for waits in result.awaiting() if waits["what"] == "ruling"]


# ---------------------------------------------------------------- Rules ¶1 and ¶2: a breach of the rules


BREACHES = [
    pytest.param(report("not_confidential", player="ben"), ("Rules ¶1", "Rules ¶2"), id="told his cards"),
    pytest.param(report("rules_breach", player="ben"), ("Rules ¶2",), id="broke a rule"),
    pytest.param(report("extra_hand_examined", box=2), ("Rules ¶2",), id="looked at a further hand"),
]


@pytest.mark.parametrize(("breach", "rules"), BREACHES)
def test_a_breach_forfeits_every_bet_of_the_player(breach: Step, rules: tuple[str, ...]) -> None:
    """sun-casino-holdem Rules ¶1, ¶2, reading sun-forfeit b: Ante, Call and Progressive are lost; the others play
    on."""
    result = dealt(decide(2, "call"), breach, all_call(1, 3))
    for kind, amount in (("ante", "10.00"), ("call", "20.00"), ("jackpot", "5.00")):
        assert result.line(2, kind) == line("lose", staked=amount, returned="0.00", rules=(*rules, "sun-forfeit"))
    assert result.net("ben") == "-35.00"
    assert result.line(1, "ante") == line("win")


def test_a_forfeited_progressive_bet_wins_nothing() -> None:
    """sun-casino-holdem Rules ¶2, Progressive Jackpot ¶1.c, readings sun-forfeit b and sun-board-share a: two share the
    board's royal flush, not three; the contribution of the forfeited bet stays."""
    result = replay(
        jackpot(UNCHANGED, reset="10000.00", contribution="0.20"),
        table(GAME, community="Ah Kh Qh Jh Th"),
        [bet(box, kind, amount) for box in (1, 2, 3) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        close_bets(),
        report("not_confidential", player="ben"),
        all_call(1, 3),
    )
    assert result.awards() == [award("board_royal_flush", "50001.50", box=box) for box in (1, 3)]
    assert result.line(2, "jackpot") == line("lose", won="0.00")


def test_a_house_may_return_the_bets_of_a_breach() -> None:
    """sun-casino-holdem Rules ¶2, reading sun-forfeit a: the cancelled bets go back."""
    result = dealt(
        decide(2, "call"), report("rules_breach", player="ben"), all_call(1, 3), rulings={"sun-forfeit": "a"}
    )
    for kind in ("ante", "call", "jackpot"):
        assert result.line(2, kind) == line("returned", rules=("Rules ¶2",))


def test_a_breach_names_a_player_at_the_table() -> None:
    """sun-casino-holdem Rules ¶2: nobody else can forfeit."""
    result = dealt(report("rules_breach"), report("rules_breach", player="zoe"), all_call())
    assert result.codes == ["fact_missing", "not_at_the_table"]
    assert result.line(2, "ante") == line("lose", rules=("Payouts ¶1.c",))


# ---------------------------------------------------------------- Rules ¶3: the cards are dealt again


MISDEALS = [
    pytest.param(report("wrong_box_count", box=2, cards=AGAIN), id="a wrong number of cards to a player"),
    pytest.param(report("wrong_dealer_count", cards=AGAIN), id="a wrong number of cards to the Dealer"),
    pytest.param(report("cards_exposed", count=1, boxes=[2], cards=AGAIN), id="one card face up to a player"),
    pytest.param(report("cards_exposed", count=1, dealer=True, cards=AGAIN), id="one card face up to the Dealer"),
    pytest.param(report("cards_exposed", count=3, boxes=[1, 2], cards=AGAIN), id="several cards face up"),
]


@pytest.mark.parametrize("misdeal", MISDEALS)
@pytest.mark.parametrize("before", [[], [examine(1)]], ids=["nobody has looked", "a player has looked"])
def test_a_misdeal_is_dealt_again_in_total(misdeal: Step, before: list[Step]) -> None:
    """sun-casino-holdem Rules ¶3, reading sun-redeal b: the same round goes on with the new cards, no void and no
    options, whoever has looked."""
    result = dealt(before, misdeal, all_call())
    assert result.status() == "settled"
    assert result.round().cards["dealer"] == ("Qd", "4c")
    assert result.round().cards["1"] == ("Th", "5c")
    assert result.line(2, "call") == line("win", won="20.00")
    assert result.line(1, "ante") == line("lose")
    assert len(result.result.rounds) == 1
    assert any({"Rules ¶3", "sun-redeal"} <= set(notice.rules) for notice in result.round().notices)


def test_a_redeal_gives_calls_back_and_undoes_folds() -> None:
    """sun-casino-holdem Rules ¶3, reading sun-redeal b: noticed after a Call of 20 and a fold; Ante and Progressive
    stay, the Call given back leaves no line, the folded hand decides again."""
    misdeal = report("wrong_dealer_count", cards=AGAIN)
    waiting = dealt(decide(1, "call"), decide(2, "fold"), misdeal)
    assert [(waits["what"], waits["boxes"]) for waits in waiting.awaiting()] == [("decision", [1, 2, 3])]
    assert waiting.round().cards == {"community": ("Qs", "Jh", "7d")}
    result = dealt(
        decide(1, "call"), decide(2, "fold"), misdeal, decide(1, "fold"), decide(2, "call"), decide(3, "fold")
    )
    assert result.line(1, "call") is None
    assert result.line(1, "ante") == line("lose", rules=("How to Play ¶3.b",))
    assert result.line(2, "call") == line("win", staked="20.00", won="20.00")
    assert result.line(1, "jackpot") == line("lose", staked="5.00")
    assert result.meter == "100003.00"


def test_a_hand_dealt_again_is_no_longer_out_for_its_fold() -> None:
    """sun-casino-holdem Rules ¶3, How to Play ¶3.b, reading sun-redeal b: refused a second decision on the new hand,
    its player is not told of the fold that was undone."""
    again = [decide(1, "fold"), report("wrong_dealer_count", cards=AGAIN), decide(1, "call"), decide(1, "fold")]
    result = dealt(again)
    assert result.codes == ["already_decided"]
    assert "How to Play ¶3.b" not in result.refusals[0].rules


def test_a_redeal_lets_everybody_look_again() -> None:
    """sun-casino-holdem Rules ¶3, reading sun-redeal b: a new shuffle, a new hand."""
    result = dealt(examine(1), report("wrong_box_count", box=1, cards=AGAIN), examine(1), all_call())
    assert result.codes == []


def test_bets_stay_closed_at_a_redeal() -> None:
    """sun-casino-holdem Rules ¶3, reading sun-redeal b."""
    result = dealt(report("wrong_box_count", box=1, cards=AGAIN), bet(1, "ante", "10.00"), bet(4, "ante", "10.00"))
    assert result.codes == ["bets_closed", "bets_closed"]


def test_a_forfeited_hand_stays_out_of_the_redeal() -> None:
    """sun-casino-holdem Rules ¶2, ¶3: it is dealt no cards again."""
    result = dealt(report("rules_breach", player="ben"), report("wrong_dealer_count", cards=AGAIN), all_call(1, 3))
    assert result.line(2, "ante") == line("lose", rules=("Rules ¶2",))
    assert result.dealt().count("2") == 2
    assert result.dealt().count("1") == 4


def test_a_wrong_board_is_dealt_again_by_management() -> None:
    """sun-casino-holdem Rules ¶3, ¶5, reading sun-redeal b: the paragraph names hands; the board is treated the
    same."""
    result = dealt(report("wrong_community_count", cards=AGAIN), all_call())
    assert result.line(2, "call") == line("win")
    assert any({"Rules ¶3", "Rules ¶5"} <= set(notice.rules) for notice in result.round().notices)


def test_a_community_card_that_shows_too_soon_is_dealt_again() -> None:
    """sun-casino-holdem Rules ¶3, ¶5, reading sun-board-exposed a: as a board with a wrong number of cards is."""
    early = report("cards_exposed", count=1, community=True, cards=AGAIN)
    result = dealt(early, all_call())
    assert result.line(2, "call") == line("win")
    assert any({"Rules ¶3", "Rules ¶5"} <= set(notice.rules) for notice in result.round().notices)


def test_a_house_may_leave_a_board_that_shows_too_soon_to_management() -> None:
    """sun-casino-holdem Rules ¶5, reading sun-board-exposed b: the paragraph names hands, so management lets it
    stand or voids the round."""
    early = report("cards_exposed", count=1, community=True, cards=AGAIN)
    chosen = {"sun-board-exposed": "b"}
    waiting = dealt(early, all_call(), rulings=chosen)
    assert rulings_awaited(waiting) == [MANAGEMENT]
    assert waiting.codes == ["round_held"] * 3
    stands = dealt(early, rule("stand", by="shift_manager"), all_call(), rulings=chosen)
    assert stands.dealt().count("1") == 2
    assert stands.status() == "settled"
    assert dealt(early, rule("void", by="shift_manager"), rulings=chosen).status() == "void"
    assert dealt(early, rule("void", by="pit_manager"), rulings=chosen).codes == ["not_authorised"]


def test_a_hand_card_exposed_beside_a_community_card_is_a_misdeal() -> None:
    """sun-casino-holdem Rules ¶3: any card face up to a hand, whatever else shows; management is not asked."""
    for more in ({"boxes": [2]}, {"dealer": True}):
        result = dealt(report("cards_exposed", count=2, community=True, cards=AGAIN, facts=more), all_call())
        assert result.line(2, "call") == line("win")
        assert all("Rules ¶5" not in notice.rules for notice in result.round().notices)


def test_a_misdeal_needs_cards_on_the_table() -> None:
    """sun-casino-holdem Rules ¶3: nothing to deal again before the deal."""
    result = replay(
        table(GAME), bet(1, "ante", "10.00"), report("wrong_dealer_count"), report("cards_exposed", boxes=[1])
    )
    assert result.codes == ["not_dealt_yet", "not_dealt_yet"]


def test_a_misdeal_noticed_after_the_settlement_is_management_s() -> None:
    """sun-casino-holdem Rules ¶3, ¶5, reading sun-silent: nothing is dealt again once the round is settled."""
    late = report("wrong_dealer_count", cards=AGAIN)
    waiting = dealt(all_call(), late)
    assert rulings_awaited(waiting) == [MANAGEMENT]
    assert dealt(all_call(), late, rule("void", by="shift_manager")).status() == "void"
    stands = dealt(all_call(), late, rule("stand", by="shift_manager"))
    assert stands.line(1, "ante") == line("win", won="20.00")


# ---------------------------------------------------------------- Rules ¶5: management decides


UNCOVERED = [
    pytest.param(report("uncovered", text="a glass fell"), id="uncovered"),
    pytest.param(report("technical_interruption"), id="technical_interruption"),
    pytest.param(report("foreign_card"), id="foreign_card"),
    pytest.param(report("deck_count"), id="deck_count"),
    pytest.param(report("shoe_exhausted"), id="shoe_exhausted"),
    pytest.param(report("unshuffled"), id="unshuffled"),
    pytest.param(report("misdealt", boxes=[1, 2]), id="misdealt"),
    pytest.param(report("dealing_error", boxes=[1]), id="dealing_error"),
    pytest.param(report("burn_missed"), id="burn_missed"),
    pytest.param(report("face_up_in_shoe"), id="face_up_in_shoe"),
    pytest.param(report("simultaneous_draw", boxes=[1, 2]), id="simultaneous_draw"),
    pytest.param(report("controls_multiple_hands", player="ana"), id="controls_multiple_hands"),
    pytest.param(report("jackpot_malfunction"), id="jackpot_malfunction"),
]


@pytest.mark.parametrize("incident", UNCOVERED)
def test_what_the_document_does_not_cover_is_management_s(incident: Step) -> None:
    """sun-casino-holdem Rules ¶5, reading sun-silent: void, stand, or return of boxes; a Pit Manager may not rule."""
    waiting = dealt(incident, decide(1, "call"), rule("void", by="pit_manager"))
    assert waiting.codes == ["round_held", "not_authorised"]
    assert "Rules ¶5" in waiting.refusals[1].rules
    assert rulings_awaited(waiting) == [MANAGEMENT]
    void = dealt(incident, rule("void", by="shift_manager"))
    assert void.status() == "void"
    assert void.line(1, "ante") == line("returned", returned="10.00", rules=("Rules ¶5",))
    assert void.meter == UNCHANGED
    stands = dealt(incident, rule("stand", by="shift_manager"), all_call())
    assert stands.line(1, "ante") == line("win")
    back = dealt(incident, rule("return", by="shift_manager", boxes=[2]), all_call(1, 3))
    assert back.line(2, "ante") == line("returned", rules=("Rules ¶5",))
    assert back.line(2, "jackpot") == line("returned", returned="5.00")
    assert back.line(3, "call") == line("win")


def test_there_are_no_options_in_this_game() -> None:
    """sun-casino-holdem Rules ¶5: nobody is asked to choose."""
    assert dealt(choose(1, "return")).codes == ["nothing_awaited"]


def test_a_late_error_is_noted_and_changes_nothing() -> None:
    """sun-casino-holdem Rules ¶5."""
    result = dealt(all_call(), open_round(), report("late_error", text="overpaid"))
    assert result.status(number=1) == "settled"
    assert any("overpaid" in notice.text for notice in result.round(2).notices)


# ---------------------------------------------------------------- limits, sizes, absence, refusal: all silent


@pytest.mark.parametrize(
    ("placed", "code"), [("600.00", "over_maximum"), ("5.00", "under_minimum")], ids=["over", "under"]
)
def test_an_ante_outside_the_limits(placed: str, code: str) -> None:
    """sun-casino-holdem Rules ¶5, reading sun-silent: refused when placed; found at the settlement, management
    decides."""
    refused = replay(table(GAME), bet(1, "ante", placed))
    assert refused.codes == [code]
    assert "Rules ¶5" in refused.refusals[0].rules
    start: list[Step] = [bet(1, "ante", placed, noticed=False), close_bets(), decide(1, "call")]
    waiting = replay(table(GAME, cards=CARDS), start, rule("stand", by="pit_manager"))
    assert rulings_awaited(waiting) == [MANAGEMENT]
    assert waiting.awaiting()[0]["incident"] == "outside_limits"
    assert waiting.codes == ["not_authorised"]
    stands = replay(table(GAME, cards=CARDS), start, rule("stand", by="shift_manager"))
    assert stands.line(1, "ante") == line("win", staked=placed, returned=placed)
    back = replay(table(GAME, cards=CARDS), start, rule("return", by="shift_manager"))
    assert back.line(1, "call") == line("returned", rules=("Rules ¶5",))
    assert replay(table(GAME, cards=CARDS), start, rule("void", by="shift_manager")).status() == "void"


@pytest.mark.parametrize("placed", ["10.00", "500.00"])
def test_an_ante_on_the_limit_needs_no_ruling(placed: str) -> None:
    """sun-casino-holdem Rules ¶5, reading sun-silent: the limits themselves are within the limits."""
    result = replay(
        table(GAME, limits={"ante": ["10.00", "500.00"]}, cards=CARDS),
        [bet(1, "ante", placed), close_bets(), decide(1, "call")],
    )
    assert result.line(1, "ante") == line("win", staked=placed, returned=placed)


@pytest.mark.parametrize("placed", ["15.00", "30.00"], ids=["too small", "too large"])
def test_a_call_of_the_wrong_size(placed: str) -> None:
    """sun-casino-holdem How to Play ¶3.a, Rules ¶5, reading sun-silent: found at the settlement, management decides."""
    wrong = decide(1, "call", amount=placed, noticed=False)
    waiting = dealt(wrong, all_call(2, 3))
    assert rulings_awaited(waiting) == [MANAGEMENT]
    assert waiting.awaiting()[0]["incident"] == "wrong_size"
    stands = dealt(wrong, all_call(2, 3), rule("stand", by="shift_manager"))
    assert stands.line(1, "call") == line("win", staked=placed, won=placed, returned=placed)
    back = dealt(wrong, all_call(2, 3), rule("return", by="shift_manager"))
    assert back.line(1, "ante") == line("returned", rules=("Rules ¶5",))
    assert back.line(2, "ante") == line("lose")


@pytest.mark.parametrize(
    ("placed", "returned", "outcome"), [("8.00", "3.00", "lose"), ("3.00", "3.00", "returned")], ids=["8", "3"]
)
def test_a_progressive_bet_of_the_wrong_amount(placed: str, returned: str, outcome: str) -> None:
    """sun-casino-holdem Rules ¶5, reading sun-silent: refused when placed; found late, management decides, and where it
    stands the prescribed amount counts."""
    refused = replay(jackpot(), table(GAME), bet(1, "ante", "10.00"), bet(1, "jackpot", placed))
    assert refused.codes == ["wrong_jackpot_amount"]
    start: list[Step] = [
        bet(1, "ante", "10.00"), bet(1, "jackpot", placed, noticed=False), close_bets(), decide(1, "call"),
    ]  # fmt: skip
    assert rulings_awaited(replay(jackpot(), table(GAME, cards=CARDS), start)) == [MANAGEMENT]
    stands = replay(jackpot(), table(GAME, cards=CARDS), start, rule("stand", by="shift_manager"))
    found = stands.line(1, "jackpot")
    assert found == line(outcome, staked=placed, returned=returned)
    assert found is not None
    assert found.rules


def test_a_player_who_leaves_before_his_decision_waits_for_management() -> None:
    """sun-casino-holdem Rules ¶5, reading sun-silent: fold, void, stand or return; stand lets the decision wait."""
    gone = walk_away("ana")
    waiting = dealt(gone, decide(2, "call"), rule("fold", by="pit_manager"))
    assert waiting.codes == ["round_held", "not_authorised"]
    assert rulings_awaited(waiting) == [("shift_manager", ["fold", "void", "stand", "return"])]
    folded = dealt(gone, rule("fold", by="shift_manager"), all_call(2, 3))
    assert folded.line(1, "ante") == line("lose", rules=("Rules ¶5", "How to Play ¶3.b"))
    assert folded.line(1, "jackpot") == line("lose")
    back = dealt(gone, rule("return", by="shift_manager"), all_call(2, 3))
    assert back.line(1, "ante") == line("returned", rules=("Rules ¶5",))
    assert back.line(2, "ante") == line("lose")
    assert dealt(gone, rule("void", by="shift_manager")).status() == "void"
    excused = dealt(gone, rule("stand", by="shift_manager"), all_call())
    assert excused.line(1, "call") == line("win")


def test_management_may_end_the_wait_with_a_fold() -> None:
    """sun-casino-holdem Rules ¶5, reading sun-silent: the decision was let wait, and the player does not come back."""
    waited = [walk_away("ana"), rule("stand", by="shift_manager"), *all_call(2, 3)]
    result = dealt(waited, rule("fold", by="pit_manager", box=1), rule("fold", by="shift_manager", box=1))
    assert result.codes == ["not_authorised"]
    assert result.line(1, "ante") == line("lose", rules=("Rules ¶5", "How to Play ¶3.b"))
    assert result.status() == "settled"


def test_a_bet_taken_back_after_closing_is_for_management() -> None:
    """sun-casino-holdem Rules ¶5, How to Play ¶1, reading sun-silent: no paragraph lets a player do so."""
    result = dealt(withdraw(1, "ante"))
    assert result.codes == ["bets_closed"]
    assert "Rules ¶5" in result.refusals[0].rules


def test_a_player_who_leaves_after_his_call_is_settled() -> None:
    """sun-casino-holdem How to Play ¶4.d: nothing is left to decide."""
    result = dealt(decide(1, "call"), walk_away("ana"), all_call(2, 3))
    assert result.line(1, "call") == line("win")


def test_a_hand_that_is_not_shown_waits_for_management() -> None:
    """sun-casino-holdem Rules ¶5, reading sun-silent: where it stands the hand loses and earns no award of its own; a
    hand that is shown after all is settled like any other."""
    hidden = [decide(1, "call"), refuse_reveal(1)]
    board = {"jackpot": {"flush": "100.00"}}
    waiting = dealt(examine(1), hidden, all_call(2, 3), pay_tables=board)
    assert rulings_awaited(waiting) == [MANAGEMENT]
    assert waiting.awaiting()[0]["incident"] == "not_revealed"
    stands = dealt(examine(1), hidden, all_call(2, 3), rule("stand", by="shift_manager"), pay_tables=board)
    assert stands.line(1, "ante") == line("lose", rules=("Rules ¶5",))
    assert stands.line(1, "jackpot") == line("lose", won="0.00")
    assert stands.line(2, "ante") == line("lose", rules=("Payouts ¶1.c",))
    shown = dealt(examine(1), hidden, prove(1), all_call(2, 3), pay_tables=board)
    assert shown.line(1, "ante") == line("win", won="20.00")
    assert shown.line(1, "jackpot") == line("win", won="100.00")


def test_the_jackpot_modes_at_sun_are_management_s() -> None:
    """sun-casino-holdem Rules ¶5, reading sun-silent: a fault suspends Progressive bets until they are restored."""
    result = dealt(
        report("jackpot_malfunction"),
        rule("stand", by="shift_manager"),
        all_call(),
        open_round(),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", "5.00"),
        jackpot_mode("restore", by="pit_supervisor"),
        jackpot_mode("restore"),
        bet(1, "jackpot", "5.00"),
        jackpot_mode("disallow_box", box=2),
        bet(2, "ante", "10.00"),
        jackpot_mode("close_table"),
        close_bets(),
        decide(1, "fold"),
        open_round(),
    )
    assert result.codes == ["jackpot_bets_suspended", "not_authorised", "box_disallowed", "table_closed"]
    assert "Rules ¶5" in result.refusals[1].rules
