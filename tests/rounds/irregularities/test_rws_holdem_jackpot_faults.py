"""RWS Hold'em 5.16 and 5.17: the jackpot system fails before or after a look, and what the House may do then."""

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
    jackpot_mode,
    line,
    open_round,
    replay,
    report,
    table,
)

GAMES = ("rws-multilink-holdem", "rws-progressive-holdem")
both_games = pytest.mark.parametrize("game", GAMES)
CARDS = {"box_1": "9h 9d", "box_2": "5c 4s", "community": "9c 9s Th 2c 3d", "dealer": "As Kd"}
QUADS = {"rws-multilink-holdem": "2000.00", "rws-progressive-holdem": "300.00"}

BETS = [bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00"), bet(2, "ante", "50.00")]
DEALT = [*BETS, close_bets()]
FAULT = report("jackpot_malfunction")


def played(game: str, *steps: Step, rulings: dict[str, str] | None = None) -> Played:
    return replay(table(game, rulings=rulings, cards=CARDS), jackpot(), steps)


# ---------------------------------------------------------------- 5.16: before a look


@both_games
@pytest.mark.parametrize("start", [BETS, DEALT, [*DEALT, handle(1)], [*DEALT, decide(1, "flop")]],
                         ids=["betting", "dealt", "touched", "decided blind"])  # fmt: skip
def test_a_fault_before_anybody_has_seen_cards_voids(game: str, start: list[Step]) -> None:
    """rws-multilink-holdem 5.16, 5.21; rws-progressive-holdem 5.16, 5.21: every Bet goes back."""
    result = played(game, *start, FAULT)
    assert result.status() == "void"
    for found in result.round().lines:
        assert found.returned == found.staked
        assert {"5.16", "5.21"} <= set(found.rules)
    assert result.meter == "100000.00"


@both_games
@pytest.mark.parametrize(("letter", "status"), [("c", "void"), ("d", "open")])
def test_a_fault_at_a_table_without_jackpot_bets(game: str, letter: str, status: str) -> None:
    """rws-multilink-holdem 5.16, jackpot-fault (c, d); rws-progressive-holdem 5.16: (c) literally void, (d) only where
    a jackpot Bet lies."""
    steps = [bet(1, "ante", "50.00"), close_bets(), FAULT]
    assert played(game, *steps, rulings={"jackpot-fault": letter}).status() == status
    assert played(game, *DEALT, FAULT, rulings={"jackpot-fault": letter}).status() == "void"


# ---------------------------------------------------------------- 5.17.1: after a look


@both_games
def test_a_fault_after_a_look_changes_no_settlement(game: str) -> None:
    """rws-multilink-holdem 5.17.1; rws-progressive-holdem 5.17.1: all Bets, the jackpot Bet included, are paid."""
    result = played(game, *DEALT, examine(1), FAULT, decide(2, "fold"), *decides(1, "flop", "check", "check"))
    assert result.line(1, "flop") == line("win", won="100.00")
    assert result.line(1, "jackpot") == line("win", won=QUADS[game])
    assert result.line(2, "ante") == line("lose")
    assert any("5.17.1" in notice.rules for notice in result.round().notices)


@both_games
@pytest.mark.parametrize(("letter", "status"), [("f", "open"), ("e", "void")])
def test_a_table_of_blind_hands_has_seen_once_cards_lie_face_up(game: str, letter: str, status: str) -> None:
    """rws-multilink-holdem 5.16, 5.17.1, jackpot-fault (e, f); rws-progressive-holdem likewise: nobody looked, but the
    Flop Cards are turned."""
    steps = [*DEALT, decide(1, "flop"), decide(2, "fold"), FAULT]
    assert played(game, *steps, rulings={"jackpot-fault": letter}).status() == status


@both_games
@pytest.mark.parametrize(("letter", "status"), [("g", "open"), ("h", "void"), ("f", "open"), ("e", "void")])
def test_a_card_exposed_by_accident_lies_face_up(game: str, letter: str, status: str) -> None:
    """rws-multilink-holdem 5.16, 5.17.1, jackpot-fault (e to h); rws-progressive-holdem likewise: nobody looked, but a
    card of box 1 lies open; under (h) only what the Dealer has turned counts."""
    exposed = [report("cards_exposed", count=1, boxes=[1]), choose(1, "continue")]
    assert played(game, *DEALT, *exposed, FAULT, rulings={"jackpot-fault": letter}).status() == status


@both_games
def test_a_card_exposed_in_an_earlier_round_is_not_seen_in_this_one(game: str) -> None:
    """rws-multilink-holdem 5.16, jackpot-fault (g); rws-progressive-holdem 5.16: the next deal lies face down."""
    first = [*DEALT, report("cards_exposed", count=1, boxes=[1]), choose(1, "return"), decide(2, "fold")]
    assert played(game, *first, open_round(), *DEALT, FAULT).status(number=2) == "void"


# ---------------------------------------------------------------- 5.17.2: what the House does then


def after_a_fault(game: str, *steps: Step) -> Played:
    return played(game, *DEALT, FAULT, *steps)


@both_games
def test_no_jackpot_bet_is_accepted_until_restored(game: str) -> None:
    """rws-multilink-holdem 5.17.2; rws-progressive-holdem 5.17.2: the other Bets are."""
    result = after_a_fault(
        game,
        *[open_round(), bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00")],
        *[jackpot_mode("restore"), bet(1, "jackpot", "5.00"), close_bets(), decide(1, "fold")],
    )
    assert result.codes == ["jackpot_bets_suspended"]
    assert "5.17.2.c" in result.refusals[0].rules
    assert result.line(1, "jackpot", number=2) is not None


@both_games
def test_after_a_look_too_no_jackpot_bet_is_accepted_until_restored(game: str) -> None:
    """rws-multilink-holdem 5.17.1, 5.17.2; rws-progressive-holdem likewise: the Round goes on, the next has none."""
    result = played(
        game,
        *[*DEALT, examine(1), FAULT, decide(1, "fold"), decide(2, "fold"), open_round()],
        *[bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00")],
    )
    assert result.codes == ["jackpot_bets_suspended"]


@both_games
def test_the_house_closes_the_table(game: str) -> None:
    """rws-multilink-holdem 5.17.2.a; rws-progressive-holdem 5.17.2.a: no further Round opens until it is restored."""
    result = after_a_fault(game, jackpot_mode("close_table"), open_round(), jackpot_mode("restore"), open_round())
    assert result.codes == ["table_closed"]
    assert "5.17.2.a" in result.refusals[0].rules
    assert result.status(number=2) == "open"


@both_games
def test_the_house_bars_a_box(game: str) -> None:
    """rws-multilink-holdem 5.17.2.b; rws-progressive-holdem 5.17.2.b: no Bet on the affected box, any on the others."""
    result = after_a_fault(
        game,
        *[jackpot_mode("disallow_box", box=1), open_round(), bet(1, "ante", "50.00"), bet(2, "ante", "50.00")],
        *[jackpot_mode("restore"), bet(1, "ante", "50.00")],
    )
    assert result.codes == ["box_disallowed"]
    assert "5.17.2.b" in result.refusals[0].rules


@both_games
def test_every_box_that_the_house_bars_stays_barred(game: str) -> None:
    """rws-multilink-holdem 5.17.2.b; rws-progressive-holdem 5.17.2.b: a second affected box frees not the first."""
    result = after_a_fault(
        game,
        *[jackpot_mode("disallow_box", box=1), jackpot_mode("disallow_box", box=2), open_round()],
        *[bet(box, "ante", "50.00") for box in (1, 2, 3)],
    )
    assert result.codes == ["box_disallowed", "box_disallowed"]


@both_games
def test_the_house_plays_on_without_jackpot_bets_and_says_so(game: str) -> None:
    """rws-multilink-holdem 5.17.2.c; rws-progressive-holdem 5.17.2.c: a notice at the table, Round after Round."""
    result = after_a_fault(
        game,
        *[jackpot_mode("no_jackpot_bets"), open_round(), bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00")],
        *[close_bets(), decide(1, "fold"), open_round(), bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00")],
    )
    assert result.codes == ["jackpot_bets_suspended", "jackpot_bets_suspended"]
    for number in (2, 3):
        assert [n.rules for n in result.round(number).notices if "No jackpot bets" in n.text] == [("5.17.2.c",)]


@both_games
def test_restored_the_notice_is_gone(game: str) -> None:
    """rws-multilink-holdem 5.17.2.c; rws-progressive-holdem 5.17.2.c: the opposite."""
    result = after_a_fault(game, jackpot_mode("no_jackpot_bets"), jackpot_mode("restore"), open_round())
    assert result.notices(number=2) == []


@both_games
@pytest.mark.parametrize("by", ["dealer", "pit_supervisor", "pit_manager"])
@pytest.mark.parametrize("mode", ["close_table", "disallow_box", "no_jackpot_bets", "restore"])
def test_the_measures_are_the_shift_managers(game: str, by: str, mode: str) -> None:
    """rws-multilink-holdem 5.17.2, house-level; rws-progressive-holdem 5.17.2: a lower role is refused."""
    box = 1 if mode == "disallow_box" else None
    result = after_a_fault(game, jackpot_mode(mode, by=by, box=box))
    assert result.codes == ["not_authorised"]
    assert {"5.17.2", "house-level"} <= set(result.refusals[0].rules)


@both_games
def test_a_fault_between_rounds_leaves_the_settled_round_alone(game: str) -> None:
    """rws-multilink-holdem 5.16, 5.17.2; rws-progressive-holdem likewise: only the following Rounds are touched."""
    settled = [*DEALT, decide(1, "fold"), decide(2, "fold")]
    result = played(game, *settled, FAULT, open_round(), bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00"))
    assert result.status() == "settled"
    assert result.line(1, "ante") == line("lose")
    assert result.codes == ["jackpot_bets_suspended"]
