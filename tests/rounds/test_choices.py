"""What a Player's own view offers, moment by moment; the law that it is what the judge accepts stands in tests/laws."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from croupier.money import money
from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    ExamineHand,
    OpenRound,
    PlaceBet,
    RefuseReveal,
    ReportIncident,
    RoundCommand,
    SetJackpotMode,
    WalkAway,
)
from croupier.rounds.views import RoundView, Viewer, view
from croupier.rulebooks.vocabulary import Incident, Role
from tests.laws.acting import decks
from tests.laws.driving import House, linked

T = "T1"
HOLDEM, THREE_CARD, MBS = "rws-multilink-holdem", "rws-multilink-three-card", "mbs-megalink-holdem"
VERSION_6, SUN = "rws-progressive-holdem", "sun-casino-holdem"
holdem_games = pytest.mark.parametrize("game", [HOLDEM, MBS, VERSION_6])


def ante(box: int = 1, player: str = "ana", amount: str = "50.00") -> PlaceBet:
    return PlaceBet(player=player, box=box, bet="ante", amount=money(amount))


def after(game: str, *commands: RoundCommand, rulings: Mapping[str, str] | None = None) -> House:
    """A table of the game with an open Round, and then these commands, all of them accepted."""
    house = House(linked({T: game}, rulings=rulings, boxes=3), decks(Random(7)))
    for command in (OpenRound(), *commands):
        assert house.do(T, command) is None, command
    return house


def seen(house: House, player: str = "ana") -> RoundView:
    return view(house.terms(T), house.state(T), Viewer.PLAYER, player)


def choices(house: House, player: str = "ana") -> list[tuple[int, str, int]]:
    return [(choice.box, choice.choice, choice.costs) for choice in seen(house, player).choices]


def moves(house: House, player: str = "ana") -> list[tuple[str, int | None, str | None]]:
    return [(move.do, move.box, move.option) for move in seen(house, player).moves]


# ---------------------------------------------------------------- decisions


@pytest.mark.parametrize("game", [HOLDEM, VERSION_6])
def test_a_river_bet_is_offered_only_where_it_would_be_accepted(game: str) -> None:
    """rws-multilink-holdem 1.3.c, 3.11.4, river-after-check (a and b); rws-progressive-holdem 1.3.c, 3.11.4: after a
    check on the flop."""
    checked = (ante(), CloseBets(), DecideHand(box=1, choice="flop"), DecideHand(box=1, choice="check"))
    assert choices(after(game, *checked)) == [(1, "check", 0), (1, "river", 5000)]
    assert choices(after(game, *checked, rulings={"river-after-check": "a"})) == [(1, "check", 0)]


@holdem_games
def test_a_late_fold_is_offered_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 1.17, late-fold (a); mbs-megalink-holdem 3.9, late-fold; rws-progressive-holdem 1.17."""
    played = (ante(), CloseBets(), DecideHand(box=1, choice="flop"))
    assert choices(after(game, *played)) == [(1, "check", 0), (1, "turn", 5000)]
    late = after(game, *played, rulings={"late-fold": "a"})
    assert choices(late) == [(1, "check", 0), (1, "turn", 5000), (1, "fold", 0)]
    assert [choice.bet for choice in seen(late).choices] == [None, "turn", None]
    assert "late-fold" in seen(late).choices[-1].rules


@holdem_games
def test_a_blind_hand_is_offered_the_check_alone_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 3.7, blind-turn-river (a); mbs-megalink-holdem 1.1.2; rws-progressive-holdem 3.7."""
    looked = ExamineHand(player="ana", box=1)
    house = after(game, ante(), ante(2), CloseBets(), looked, rulings={"blind-turn-river": "a"})
    assert [house.do(T, DecideHand(box=box, choice="flop")) for box in (1, 2)] == [None, None]
    assert choices(house) == [(1, "check", 0), (1, "turn", 5000), (2, "check", 0)]


def test_choices_are_those_of_the_seated_player() -> None:
    """mbs-megalink-holdem 3.4.2, reading shared-area b: who backs an area decides nothing; its whole cost is told."""
    house = after(MBS, ante(), ante(player="ben", amount="20.00"), CloseBets())
    assert choices(house) == [(1, "fold", 0), (1, "flop", 14000)]
    assert choices(house, "ben") == []


def test_nobody_but_a_player_is_offered_anything() -> None:
    """rws-multilink-holdem 3.11.2: the box decides; staff see the same Round without its choices."""
    house = after(HOLDEM, ante(), CloseBets())
    for viewer in Viewer:
        staff = view(house.terms(T), house.state(T), viewer)
        assert (staff.choices, staff.bets, staff.withdrawals, staff.moves) == ((), (), (), ())


# ---------------------------------------------------------------- looking


def test_a_look_is_offered_only_while_the_round_can_take_one() -> None:
    """rws-multilink-holdem 3.7, 5.23: at one hand, once; not while a ruling is awaited, nor when the Round is over."""
    dealt = after(HOLDEM, ante(), ante(2), ante(3, "ben"), CloseBets())
    assert [box.may_examine for box in seen(dealt).boxes] == [True, True, False]
    assert dealt.do(T, ReportIncident(incident=Incident.UNCOVERED)) is None
    assert not any(box.may_examine for box in seen(dealt).boxes)
    looked = after(HOLDEM, ante(), ante(2), CloseBets(), ExamineHand(player="ana", box=2))
    assert not any(box.may_examine for box in seen(looked).boxes)
    over = after(HOLDEM, ante(), CloseBets(), DecideHand(box=1, choice="fold"))
    assert not any(box.may_examine for box in seen(over).boxes)


def test_a_box_with_pair_plus_alone_is_not_offered_for_a_look() -> None:
    """rws-multilink-three-card 3.14: the Dealer turns it."""
    pair_plus = PlaceBet(player="ana", box=1, bet="pair_plus", amount=1000)
    house = after(THREE_CARD, pair_plus, ante(2, "ben"), CloseBets())
    assert not seen(house).boxes[0].may_examine
    assert seen(house, "ben").boxes[1].may_examine


# ---------------------------------------------------------------- Bets and withdrawals


def bets(house: House, player: str = "ana") -> dict[tuple[int, str], tuple[int, int, tuple[int, ...]]]:
    return {(bet.box, bet.bet): (bet.least, bet.most, bet.amounts) for bet in seen(house, player).bets}


def test_bets_are_offered_with_what_may_still_be_placed() -> None:
    """rws-multilink-holdem 5.1, 5.2, 3.8, 3.9: on free boxes an Ante within the limits, beside one's Ante the rest."""
    assert bets(after(HOLDEM)) == {(box, "ante"): (1000, 50000, ()) for box in (1, 2, 3)}
    house = after(HOLDEM, ante(), ante(2, "ben"))
    assert bets(house) == {
        (1, "ante"): (1, 45000, ()),
        (1, "bonus"): (500, 50000, ()),
        (1, "jackpot"): (500, 500, (500,)),
        (3, "ante"): (1000, 50000, ()),
    }
    full = after(HOLDEM, ante(amount="500.00"), PlaceBet(player="ana", box=1, bet="jackpot", amount=500))
    assert {bet for box, bet in bets(full) if box == 1} == {"bonus"}


def test_a_jackpot_wager_is_offered_in_its_multiples() -> None:
    """mbs-megalink-holdem 3.5.3, 3.5.4: one to five times the minimum, less what lies there; to the seated player."""
    house = after(MBS, ante(), ante(player="ben", amount="20.00"))
    assert bets(house)[1, "jackpot"] == (500, 2500, (500, 1000, 1500, 2000, 2500))
    assert (1, "jackpot") not in bets(house, "ben")
    assert house.do(T, PlaceBet(player="ana", box=1, bet="jackpot", amount=1500)) is None
    assert bets(house)[1, "jackpot"] == (500, 1000, (500, 1000))


def test_a_suspended_jackpot_bet_is_not_offered() -> None:
    """rws-multilink-holdem 5.17.2.c, 5.17.2.b: nor is a bet on a box that the House has disallowed."""
    house = after(
        HOLDEM,
        ante(),
        SetJackpotMode(by=Role.SHIFT_MANAGER, mode="no_jackpot_bets"),
        SetJackpotMode(by=Role.SHIFT_MANAGER, mode="disallow_box", box=3),
    )
    assert {bet for _, bet in bets(house)} == {"ante", "bonus"}
    assert {box for box, _ in bets(house)} == {1, 2}


def test_one_box_for_each_player() -> None:
    """sun-casino-holdem Rules ¶4: who has bet on a box is offered no other."""
    assert {box for box, _ in bets(after(SUN, ante()))} == {1}


def withdrawals(house: House, player: str = "ana") -> list[tuple[str, bool]]:
    return [(taken.bet, taken.stays_live) for taken in seen(house, player).withdrawals]


def test_an_ante_is_not_offered_for_withdrawal_while_another_bet_needs_it() -> None:
    """rws-multilink-holdem 3.8, 3.9, 5.11: the Bonus first; after closing nothing."""
    bonus = PlaceBet(player="ana", box=1, bet="bonus", amount=1000)
    assert withdrawals(after(HOLDEM, ante(), bonus)) == [("bonus", False)]
    assert withdrawals(after(HOLDEM, ante(), bonus, CloseBets())) == []


def test_a_wager_taken_off_too_late_is_offered_as_what_it_is() -> None:
    """mbs-megalink-holdem 5.6, reading withdrawn-late-mbs (a and b): won or lost all the same; under a refused."""
    assert withdrawals(after(MBS, ante(), CloseBets())) == [("ante", True)]
    assert withdrawals(after(MBS, ante(), CloseBets(), rulings={"withdrawn-late-mbs": "a"})) == []


# ---------------------------------------------------------------- leaving, showing, options


def test_leaving_refusing_and_proving_are_moves_of_their_moment() -> None:
    """rws-multilink-holdem 5.5, 4.3: with a bet on the table he may leave; a refusal may be followed by a proof where a
    bet can still be proved."""
    jackpot = PlaceBet(player="ana", box=1, bet="jackpot", amount=500)
    assert moves(after(HOLDEM)) == []
    assert moves(after(HOLDEM, ante())) == [("walk_away", None, None)]
    house = after(HOLDEM, ante(), jackpot, CloseBets())
    assert moves(house) == [("walk_away", None, None), ("refuse_reveal", 1, None)]
    assert house.do(T, RefuseReveal(box=1)) is None
    assert moves(house) == [("walk_away", None, None), ("prove", 1, None)]
    assert house.do(T, WalkAway(player="ana")) is None
    assert moves(house) == []


def test_options_are_moves_of_the_player_whose_box_is_asked() -> None:
    """rws-multilink-holdem 5.10, 5.12, reading one-exposed: box 2 is ben's to answer; all see what is awaited."""
    house = after(HOLDEM, ante(), ante(2, "ben"), CloseBets())
    assert house.do(T, ReportIncident(incident=Incident.CARDS_EXPOSED, count=1, boxes=(2,))) is None
    chosen = [move for move in moves(house, "ben") if move[0] == "choose"]
    assert chosen == [("choose", 2, "continue"), ("choose", 2, "return")]
    assert not [move for move in moves(house) if move[0] == "choose"]
    assert {answer.box for answer in seen(house).awaiting} == {2}
