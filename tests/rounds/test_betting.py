"""Bets before the deal and by decision, as both RWS Hold'em documents have them: limits, sizes, boxes, blind Hands."""

from __future__ import annotations

import pytest

from croupier.scripts import BadScript
from tests.scripting import (
    Played,
    bet,
    close_bets,
    decide,
    decides,
    examine,
    jackpot,
    line,
    open_round,
    replay,
    table,
    withdraw,
)

GAMES = ("rws-multilink-holdem", "rws-progressive-holdem")
WINS = {"box_1": "Ah 4h", "community": "9h 7h 2h Tc Jd", "dealer": "As Kd"}
"""A flush: the Ante wins too."""
LOSES = {"box_1": "5c 4s", "community": "9h 7h 2h Tc Jd", "dealer": "As Kd"}
LIMITS = {"ante": ["10.00", "500.00"], "bonus": ["5.00", "100.00"]}

both_games = pytest.mark.parametrize("game", GAMES)


# ---------------------------------------------------------------- 5.1, 5.2: limits


@both_games
@pytest.mark.parametrize(
    ("kind", "amount", "code", "rule", "may"),
    [
        ("ante", "500.01", "over_maximum", "5.1", "at most 500.00"),
        ("ante", "9.99", "under_minimum", "5.2", "at least 10.00"),
        ("bonus", "100.01", "over_maximum", "5.1", "at most 100.00"),
        ("bonus", "4.99", "under_minimum", "5.2", "at least 5.00"),
    ],
)
def test_a_bet_outside_the_limits_is_refused_whole(
    game: str, kind: str, amount: str, code: str, rule: str, may: str
) -> None:
    """rws-multilink-holdem 5.1, 5.2, 3.4; rws-progressive-holdem 5.1, 5.2, 3.4: and the Player is told what may lie."""
    first = [bet(1, "ante", "10.00")] if kind == "bonus" else []
    result = replay(table(game, limits=LIMITS), first, bet(1, kind, amount), close_bets())
    assert result.codes[0] == code
    assert rule in result.refusals[0].rules
    assert may in result.refusals[0].message
    assert result.line(1, kind) is None


@both_games
@pytest.mark.parametrize("amount", ["10.00", "500.00"])
def test_a_bet_on_the_limit_is_accepted(game: str, amount: str) -> None:
    """rws-multilink-holdem 5.1, 5.2; rws-progressive-holdem 5.1, 5.2: the limits themselves are permissible."""
    result = replay(table(game, limits=LIMITS), bet(1, "ante", amount), close_bets(), decide(1, "fold"))
    assert result.codes == []
    assert result.line(1, "ante") == line("lose", staked=amount, returned="0.00")


@both_games
def test_the_limits_hold_for_what_lies_there_in_the_end(game: str) -> None:
    """rws-multilink-holdem 5.1, 5.2; rws-progressive-holdem 5.1, 5.2: an addition is judged by the sum."""
    result = replay(
        table(game, limits=LIMITS),
        [bet(1, "ante", "300.00"), bet(1, "ante", "200.01"), bet(1, "ante", "200.00"), close_bets(), decide(1, "fold")],
    )
    assert result.codes == ["over_maximum"]
    assert "at most 200.00" in result.refusals[0].message
    assert result.line(1, "ante") == line("lose", staked="500.00")


@both_games
def test_the_limits_hold_for_each_kind_of_bet(game: str) -> None:
    """rws-multilink-holdem 5.1, limits-per-bet; rws-progressive-holdem 5.1: Ante 500 and Bonus 100 are fine."""
    result = replay(
        table(game, limits=LIMITS),
        [bet(1, "ante", "500.00"), bet(1, "bonus", "100.00"), close_bets(), decide(1, "flop")],
    )
    assert result.codes == []
    assert result.awaiting()[0]["what"] == "decision"


@both_games
@pytest.mark.parametrize(("cards", "net"), [(WINS, "1500.00"), (LOSES, "-1500.00")], ids=["wins", "loses"])
def test_an_ante_over_the_maximum_that_nobody_noticed_counts_at_the_maximum(
    game: str, cards: dict[str, str], net: str
) -> None:
    """rws-multilink-holdem 5.1.1, wrong-size-and-limit (b+d); rws-progressive-holdem 5.1.1: Ante 600 counts 500, Flop
    1,200 counts 1,000, and 300 come back win or lose."""
    result = replay(
        table(game, limits=LIMITS, cards=cards),
        [bet(1, "ante", "600.00", noticed=False), close_bets()],
        decides(1, "flop", "check", "check"),
    )
    won = cards is WINS
    outcome = "win" if won else "lose"
    assert result.line(1, "ante") == line(
        outcome,
        staked="600.00",
        won="500.00" if won else "0.00",
        returned="600.00" if won else "100.00",
        rules="5.1.1",
    )
    assert result.line(1, "flop") == line(
        outcome,
        staked="1200.00",
        won="1000.00" if won else "0.00",
        returned="1200.00" if won else "200.00",
        rules="5.1.1",
    )
    assert result.net("ana") == net


@both_games
@pytest.mark.parametrize(("cards", "net"), [(WINS, "15.00"), (LOSES, "-15.00")], ids=["wins", "loses"])
def test_an_ante_under_the_minimum_that_nobody_noticed_counts_as_it_lies(
    game: str, cards: dict[str, str], net: str
) -> None:
    """rws-multilink-holdem 5.2.1; rws-progressive-holdem 5.2.1: it wins or loses accordingly, time after time."""
    steps = [bet(1, "ante", "5.00", noticed=False), close_bets(), *decides(1, "flop", "check", "check")]
    result = replay(table(game, limits=LIMITS, cards=cards), steps, open_round(cards=cards), steps)
    for number in (1, 2):
        outcome = "win" if cards is WINS else "lose"
        assert result.line(1, "ante", number=number) == line(outcome, staked="5.00", rules="5.2.1")
        assert result.line(1, "flop", number=number) == line(outcome, staked="10.00")
    assert result.net("ana") == f"{float(net) * 2:.2f}"


@both_games
def test_a_bonus_over_the_maximum_that_nobody_noticed_is_paid_at_the_maximum(game: str) -> None:
    """rws-multilink-holdem 5.1.1; rws-progressive-holdem 5.1.1: 130 lie, 100 count, 30 come back."""
    result = replay(
        table(game, limits=LIMITS, box_1="9h 9s", community="Kd Qc 4h 2s 3d", dealer="Ac Ks"),
        [bet(1, "ante", "10.00"), bet(1, "bonus", "130.00", noticed=False), close_bets()],
        decides(1, "flop", "check", "check"),
    )
    assert result.line(1, "bonus") == line("win", staked="130.00", won="300.00", returned="130.00", rules="5.1.1 4.1")


# ---------------------------------------------------------------- 5.3: decision Bets of the wrong size


def sized(game: str, cards: dict[str, str], kind: str, amount: str, rulings: dict[str, str] | None = None) -> Played:
    """Ante 50; one decision Bet of another amount lies there unnoticed."""
    choices = [decide(1, name, amount=amount, noticed=False) if name == kind else decide(1, name) for name in
               ("flop", "turn", "river")]  # fmt: skip
    return replay(
        table(game, limits=LIMITS, rulings=rulings, cards=cards), bet(1, "ante", "50.00"), close_bets(), choices
    )


@both_games
@pytest.mark.parametrize("cards", [WINS, LOSES], ids=["wins", "loses"])
@pytest.mark.parametrize(
    ("kind", "amount", "counts", "rule"),
    [
        pytest.param("flop", "120.00", "100.00", "5.3.1", id="Flop above twice the Ante"),
        pytest.param("flop", "80.00", "80.00", "5.3.2", id="Flop below twice the Ante"),
        pytest.param("turn", "70.00", "50.00", "5.3.1", id="Turn above the Ante"),
        pytest.param("turn", "30.00", "30.00", "5.3.2", id="Turn below the Ante"),
        pytest.param("river", "50.01", "50.00", "5.3.1", id="River above the Ante"),
        pytest.param("river", "0.01", "0.01", "5.3.2", id="River below the Ante"),
    ],
)
def test_a_decision_bet_of_the_wrong_size(
    game: str, cards: dict[str, str], kind: str, amount: str, counts: str, rule: str
) -> None:
    """rws-multilink-holdem 5.3.1, 5.3.2; rws-progressive-holdem 5.3.1, 5.3.2: a surplus comes back win or lose, less
    than the exact amount counts as it lies."""
    found = sized(game, cards, kind, amount).line(1, kind)
    surplus = f"{float(amount) - float(counts):.2f}"
    if cards is WINS:
        assert found == line("win", staked=amount, won=counts, returned=amount, rules=rule)
    else:
        assert found == line("lose", staked=amount, won="0.00", returned=surplus, rules=rule)


@both_games
@pytest.mark.parametrize("kind", ["flop", "turn", "river"])
def test_a_decision_bet_of_the_exact_size_is_not_touched(game: str, kind: str) -> None:
    """rws-multilink-holdem 5.3; rws-progressive-holdem 5.3: nothing is wrong, and nothing of 5.3 is cited."""
    found = sized(game, WINS, kind, "100.00" if kind == "flop" else "50.00").line(1, kind)
    assert found == line("win", rules="3.13 4.1")
    assert found is not None
    assert not [rule for rule in found.rules if rule.startswith("5.")]


@both_games
def test_a_wrong_size_that_is_noticed_is_refused(game: str) -> None:
    """rws-multilink-holdem 1.11, 3.7; rws-progressive-holdem 1.11, 3.7: the Flop is exactly twice the Ante."""
    result = replay(
        table(game), bet(1, "ante", "50.00"), close_bets(), decide(1, "flop", amount="80.00"), decide(1, "flop")
    )
    assert result.codes == ["wrong_amount"]
    assert "100.00" in result.refusals[0].message
    assert "1.11" in result.refusals[0].rules


@both_games
@pytest.mark.parametrize(("letter", "counts"), [("c", "500.00"), ("d", "600.00")])
def test_the_limit_of_the_flop(game: str, letter: str, counts: str) -> None:
    """rws-multilink-holdem 5.1.1, 5.3, wrong-size-and-limit (c, d); rws-progressive-holdem 5.1.1, 5.3: Ante 300, Flop
    600 and a maximum of 500 for the Ante: (c) the Flop's limit is the same, (d) twice as much."""
    result = replay(
        table(game, limits=LIMITS, rulings={"wrong-size-and-limit": letter}, cards=WINS),
        [bet(1, "ante", "300.00"), close_bets()],
        decides(1, "flop", "check", "check"),
    )
    assert result.line(1, "flop") == line("win", staked="600.00", won=counts, returned="600.00")


@both_games
@pytest.mark.parametrize(("letter", "rule"), [("a", "5.3.2"), ("b", "5.3.1")])
def test_the_ante_that_a_flop_is_measured_against(game: str, letter: str, rule: str) -> None:
    """rws-multilink-holdem 5.3.1, 5.3.2, wrong-size-and-limit (a, b); rws-progressive-holdem 5.3.1, 5.3.2: Ante 600 of
    500, Flop 1,100: against the Ante as it lies too small, against the Ante that counts too large; 1,000 count."""
    result = replay(
        table(game, limits=LIMITS, rulings={"wrong-size-and-limit": letter}, cards=WINS),
        [bet(1, "ante", "600.00", noticed=False), close_bets(), decide(1, "flop", amount="1100.00", noticed=False)],
        decides(1, "check", "check"),
    )
    assert result.line(1, "flop") == line("win", staked="1100.00", won="1000.00", returned="1100.00", rules=rule)


@both_games
def test_a_flop_of_twice_the_ante_that_counts_is_of_the_right_size(game: str) -> None:
    """rws-multilink-holdem 5.1.1, 5.3, wrong-size-and-limit (b); rws-progressive-holdem likewise: Ante 600 of 500, Flop
    1,000: the Ante's surplus goes back, and nothing is said of the Flop."""
    result = replay(
        table(game, limits=LIMITS, cards=WINS),
        [bet(1, "ante", "600.00", noticed=False), close_bets(), decide(1, "flop", amount="1000.00", noticed=False)],
        decides(1, "check", "check"),
    )
    assert result.line(1, "ante") == line("win", won="500.00", returned="600.00", rules="5.1.1")
    flop = result.line(1, "flop")
    assert flop is not None
    assert flop == line("win", won="1000.00", returned="1000.00")
    assert not {"5.1.1", "5.3", "5.3.1", "5.3.2"} & set(flop.rules)


# ---------------------------------------------------------------- 3.8, 3.9, 5.4: side Bets and their Ante


@both_games
@pytest.mark.parametrize(("kind", "amount", "rule"), [("bonus", "10.00", "3.9"), ("jackpot", "5.00", "5.4")])
def test_a_side_bet_without_an_ante_is_refused(game: str, kind: str, amount: str, rule: str) -> None:
    """rws-multilink-holdem 3.8, 3.9, 5.4, orphan-bonus, orphan-jackpot-time; rws-progressive-holdem 3.8, 3.9, 5.4."""
    result = replay(table(game), jackpot(), bet(1, kind, amount))
    assert result.codes == ["ante_required"]
    assert rule in result.refusals[0].rules
    assert {"bonus": "orphan-bonus", "jackpot": "orphan-jackpot-time"}[kind] in result.refusals[0].rules


@both_games
@pytest.mark.parametrize(("kind", "amount", "rule"), [("bonus", "10.00", "orphan-bonus"), ("jackpot", "5.00", "5.4")])
def test_a_side_bet_without_an_ante_that_is_found_late_goes_back(game: str, kind: str, amount: str, rule: str) -> None:
    """rws-multilink-holdem 5.4, orphan-bonus, orphan-jackpot-time; rws-progressive-holdem 5.4: no Hand, no award, and
    nothing for the meter."""
    result = replay(
        table(game, box_1="Ah Kh", box_2="8c 4s", community="Qh Jh Th 2c 3d", dealer="As Kd"),
        jackpot(),
        [bet(1, kind, amount, noticed=False), bet(2, "ante", "10.00"), close_bets()],
        decides(2, "flop", "check", "check"),
    )
    assert result.line(1, kind) == line("returned", staked=amount, won="0.00", returned=amount, rules=rule)
    assert result.awards() == []
    assert "1" not in result.dealt()
    assert result.meter == "100000.00"


@both_games
def test_only_orphans_on_the_table_are_handed_back_without_a_deal(game: str) -> None:
    """rws-multilink-holdem 5.4, 3.6; rws-progressive-holdem 5.4, 3.6: nobody takes part, so no card is dealt."""
    result = replay(table(game), jackpot(), bet(1, "jackpot", "5.00", noticed=False), close_bets())
    assert result.status() == "settled"
    assert result.dealt() == []
    assert result.net("ana") == "0.00"


@both_games
@pytest.mark.parametrize("amount", ["8.00", "3.00", "10.00"])
def test_a_jackpot_bet_of_another_amount_is_refused(game: str, amount: str) -> None:
    """rws-multilink-holdem 3.4, jackpot-amount-wrong; rws-progressive-holdem 3.4: exactly the prescribed amount."""
    result = replay(table(game), jackpot(), bet(1, "ante", "10.00"), bet(1, "jackpot", amount))
    assert result.codes == ["wrong_jackpot_amount"]
    assert "3.4" in result.refusals[0].rules


@both_games
@pytest.mark.parametrize(
    ("amount", "won", "returned", "meter"),
    [("8.00", "paid", "3.00", "100001.00"), ("3.00", "0.00", "3.00", "100000.00")],
    ids=["surplus", "short"],
)
def test_a_jackpot_bet_of_another_amount_that_is_found_late(
    game: str, amount: str, won: str, returned: str, meter: str
) -> None:
    """rws-multilink-holdem 3.4, jackpot-amount-wrong; rws-progressive-holdem 3.4: a surplus comes back and the
    prescribed amount plays; a short Bet is returned whole, earns nothing and adds nothing to the meter."""
    quads = "2000.00" if game == "rws-multilink-holdem" else "300.00"
    result = replay(
        table(game, box_1="9h 9d", community="9c 9s Th 2c 3d", dealer="As Kd"),
        jackpot(),
        [bet(1, "ante", "10.00"), bet(1, "jackpot", amount, noticed=False), close_bets()],
        decides(1, "flop", "check", "check"),
    )
    outcome = "win" if won == "paid" else "returned"
    won = quads if won == "paid" else won
    assert result.line(1, "jackpot") == line(outcome, staked=amount, won=won, returned=returned)
    assert result.meter == meter


@both_games
def test_an_ante_stays_while_a_bet_that_needs_it_lies_there(game: str) -> None:
    """rws-multilink-holdem 3.8, 3.9; rws-progressive-holdem 3.8, 3.9: side Bets first, then the Ante."""
    result = replay(
        table(game),
        jackpot(),
        [bet(1, "ante", "10.00"), bet(1, "bonus", "5.00"), bet(1, "jackpot", "5.00")],
        [withdraw(1, "ante"), withdraw(1, "bonus"), withdraw(1, "ante"), withdraw(1, "jackpot"), withdraw(1, "ante")],
        close_bets(),
    )
    assert result.codes == ["ante_needed_by_other_bets", "ante_needed_by_other_bets", "no_bets"]
    assert result.awaiting()[0]["what"] == "bets"


@both_games
def test_a_bet_withdrawn_before_closing_leaves_no_line(game: str) -> None:
    """rws-multilink-holdem 5.2, 5.20; rws-progressive-holdem 5.2, 5.20: what lies there at closing is settled."""
    result = replay(
        table(game), [bet(1, "ante", "10.00"), bet(1, "bonus", "5.00"), withdraw(1, "bonus")], close_bets(),
        decide(1, "fold"),
    )  # fmt: skip
    assert result.line(1, "bonus") is None
    assert result.net("ana") == "-10.00"


# ---------------------------------------------------------------- 3.10, 5.11: after "No more Bets"


@both_games
def test_nothing_is_placed_raised_or_withdrawn_after_closing(game: str) -> None:
    """rws-multilink-holdem 5.11, 3.10; rws-progressive-holdem 5.11, 3.10: the Dealer refuses all such Bets."""
    result = replay(
        table(game),
        jackpot(),
        [bet(1, "ante", "10.00"), close_bets()],
        [bet(2, "ante", "10.00"), bet(1, "ante", "10.00"), bet(1, "jackpot", "5.00"), withdraw(1, "ante")],
        decide(1, "fold"),
    )
    assert result.codes == ["bets_closed"] * 4
    assert all("5.11" in refusal.rules for refusal in result.refusals)
    assert result.net("ana") == "-10.00"


@both_games
def test_closing_bars_no_decision(game: str) -> None:
    """rws-multilink-holdem 3.10, closing-vs-decisions; rws-progressive-holdem 3.10: the Flop comes after closing."""
    result = replay(table(game), bet(1, "ante", "10.00"), close_bets(), decide(1, "flop"))
    assert result.codes == []


# ---------------------------------------------------------------- 3.5, 3.7: boxes, blind Hands


@both_games
def test_nobody_bets_on_another_players_box(game: str) -> None:
    """rws-multilink-holdem 3.5, 3.7; rws-progressive-holdem 3.5, 3.7: no Standing Players."""
    result = replay(table(game), bet(1, "ante", "10.00"), bet(1, "ante", "10.00", player="ben"))
    assert result.codes == ["box_taken"]
    assert "3.5" in result.refusals[0].rules


@both_games
def test_a_player_of_several_boxes_looks_at_any_one_of_them(game: str) -> None:
    """rws-multilink-holdem 3.7, which-hand-seen; rws-progressive-holdem 3.7: the first look fixes it."""
    result = replay(
        table(game),
        [bet(box, "ante", "10.00", player="ana") for box in (1, 2, 3)],
        close_bets(),
        [examine(2, player="ana"), examine(1, player="ana"), examine(2, player="ana"), examine(3, player="ana")],
    )
    assert result.codes == ["one_hand_only", "one_hand_only"]
    assert "3.7" in result.refusals[0].rules
    assert any("one hand only" in notice for notice in result.notices())


@both_games
def test_blind_hands_choose_like_any_other(game: str) -> None:
    """rws-multilink-holdem 3.7, blind-turn-river, blind-no-bet; rws-progressive-holdem 3.7: Flop, Turn and River, or a
    fold, without a look."""
    result = replay(
        table(game, cards=WINS | {"box_2": "5c 4s"}),
        [bet(box, "ante", "10.00", player="ana") for box in (1, 2)],
        [close_bets(), examine(2, player="ana"), decide(2, "fold"), *decides(1, "flop", "turn", "river")],
    )
    assert result.codes == []
    assert result.line(1, "river") == line("win", won="10.00")
    assert result.line(2, "ante") == line("lose", rules="3.11.2.a")


@both_games
def test_blind_hands_bet_the_flop_only_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 3.7, blind-turn-river (a); rws-progressive-holdem 3.7: the examined Hand bets on."""
    result = replay(
        table(game, rulings={"blind-turn-river": "a"}),
        [bet(box, "ante", "10.00", player="ana") for box in (1, 2)],
        [close_bets(), examine(2, player="ana"), decide(1, "flop"), decide(2, "flop")],
        [decide(2, "turn"), decide(1, "turn"), decide(1, "check")],
    )
    assert result.codes == ["not_a_choice"]
    assert result.awaiting()[0] == {
        "what": "decision",
        "boxes": [1, 2],
        "choices": ["check", "river"],
        "rules": ["3.11.4", "1.3.c", "river-after-check", "1.17", "late-fold"],
    }


@both_games
def test_one_box_is_never_blind(game: str) -> None:
    """rws-multilink-holdem 3.7, blind-turn-river (a); rws-progressive-holdem 3.7: it is about several boxes."""
    result = replay(
        table(game, rulings={"blind-turn-river": "a"}),
        [bet(1, "ante", "10.00"), close_bets(), *decides(1, "flop", "turn", "river")],
    )
    assert result.codes == []


@both_games
def test_a_table_has_seven_boxes_unless_its_layout_has_fewer(game: str) -> None:
    """rws-multilink-holdem 2.1.1.a, boxes-unknown; rws-progressive-holdem 2.1.1.a."""
    result = replay(table(game), bet(7, "ante", "10.00"), bet(8, "ante", "10.00"), bet(0, "ante", "10.00"))
    assert result.codes == ["unknown_box", "unknown_box"]
    assert "2.1.1.a" in result.refusals[0].rules
    assert replay(table(game, boxes=5), bet(6, "ante", "10.00")).codes == ["unknown_box"]
    with pytest.raises(BadScript, match=r"tables\.T1\.boxes: .* so 8 boxes are refused"):
        replay(table(game, boxes=8))


@both_games
def test_staff_may_place_a_bet_at_the_players_risk(game: str) -> None:
    """rws-multilink-holdem 5.22, 1.18; rws-progressive-holdem 5.22: it is the Player's Bet, and the record says so."""
    result = replay(table(game), bet(1, "ante", "10.00", by="pit_supervisor"), close_bets(), decide(1, "fold"))
    assert result.line(1, "ante") == line("lose", player="ana")
    assert [n.rules[0] for n in result.round().notices if "at the player's risk" in n.text] == ["5.22"]
