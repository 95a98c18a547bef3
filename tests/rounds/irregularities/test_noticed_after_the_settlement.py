"""RWS 5.8 and 5.9, noticed between the settlement and the next Round: what voids a Round in play unwinds a settled one
(reading post-settlement-window)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.scripting import Step, bet, close_bets, decide, decides, examine, line, open_round, replay, report, table

HOLDEM, THREE_CARD, VERSION_6 = "rws-multilink-holdem", "rws-multilink-three-card", "rws-progressive-holdem"
every_rws_game = pytest.mark.parametrize("game", [HOLDEM, THREE_CARD, VERSION_6])
ANTE = bet(1, "ante", "50.00")


def played_out(game: str) -> list[Step]:
    return decides(1, "play") if game == THREE_CARD else decides(1, "flop", "check", "check")


@every_rws_game
@pytest.mark.parametrize(
    ("noticed", "rule"),
    [
        pytest.param(report("foreign_card"), "5.8.1", id="a foreign card"),
        pytest.param(report("deck_count"), "5.8.3", id="a wrong count"),
        pytest.param(report("unshuffled"), "5.8.5", id="cards that were not shuffled"),
        pytest.param(
            report("wrong_dealer_count", by="pit_supervisor", reconstructible=False),
            "5.8.7",
            id="a third Dealer's card",
        ),
        pytest.param(report("burn_missed"), "5.9", id="a missed burn"),
    ],
)
def test_a_settled_round_is_unwound_until_the_next_one_opens(game: str, noticed: Step, rule: str) -> None:
    """rws-multilink-holdem 5.8, 5.9, 5.19, rws-multilink-three-card 5.8, 5.9, 5.19, rws-progressive-holdem 5.8, 5.9,
    5.19: every Bet goes back; once bets are called for the next Round, the settlement stands."""
    settled = [ANTE, close_bets(), *played_out(game)]
    unwound = replay(table(game, dealing="card_shoe"), settled, noticed)
    assert unwound.status() == "void"
    assert unwound.line(1, "ante") == line("returned", returned="50.00", rules=(rule, "5.21"))
    assert any("unwound" in notice for notice in unwound.notices())
    later = replay(table(game, dealing="card_shoe"), settled, [open_round(), ANTE, close_bets(), noticed])
    assert later.status() == "settled"


@every_rws_game
@pytest.mark.parametrize(
    ("looked", "noticed"),
    [
        pytest.param([examine(1)], report("burn_missed"), id="somebody has looked"),
        pytest.param([], report("burn_missed", by="pit_manager", reconstructible=False), id="it cannot be put right"),
    ],
)
def test_a_missed_burn_unwinds_a_round_that_was_folded(game: str, looked: Sequence[Step], noticed: Step) -> None:
    """rws-multilink-holdem 5.9, 5.21, rws-multilink-three-card 5.9, 5.21, rws-progressive-holdem 5.9, 5.21, readings
    missed-burn a and void-and-folded: no flop was ever turned, and the folded Ante comes back."""
    folded = [ANTE, close_bets(), *looked, decide(1, "fold")]
    result = replay(table(game, dealing="card_shoe"), folded, noticed)
    assert result.status() == "void"
    assert result.line(1, "ante") == line("returned", returned="50.00", rules="5.9 5.21")
