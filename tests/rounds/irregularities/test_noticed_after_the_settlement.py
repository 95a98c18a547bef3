"""RWS 5.8 and 5.9, MBS 5.3, noticed between the settlement and the next Round: what voids a Round in play unwinds a
settled one (reading post-settlement-window)."""

from __future__ import annotations

from collections.abc import Sequence

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

HOLDEM, THREE_CARD, VERSION_6 = "rws-multilink-holdem", "rws-multilink-three-card", "rws-progressive-holdem"
MBS = "mbs-megalink-holdem"
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


# ---------------------------------------------------------------- an award that has been paid


MINOR = {
    HOLDEM: ({"box_1": "Ah 4h", "community": "9h 7h 2h Tc Jd", "dealer": "As Kd"}, "100.00", "5.8.7"),
    THREE_CARD: ({"box_1": "7h 7d 7c", "community": "7s 2c", "dealer": "As Kd 4c"}, "2000.00", "5.8.7"),
    VERSION_6: ({"box_1": "9h 9d", "community": "9c 9s Th 2c 3d", "dealer": "As Kd"}, "300.00", "5.8.7"),
    MBS: ({"box_1": "Ah 4h", "community": "9h 7h 2h Tc Jd", "dealer": "As Kd"}, "200.00", "5.3"),
}
"""Cards of a fixed award, or of one "for 1" on 5.00; what it pays; the paragraph on a third card of the Dealer's."""
games_with_minor_awards = pytest.mark.parametrize("game", list(MINOR))


def minor_award_paid(game: str, *steps: Step, rulings: dict[str, str] | None = None) -> Played:
    cards, _, _ = MINOR[game]
    start = [ANTE, bet(1, "jackpot", "5.00"), close_bets(), *played_out(game)]
    return replay(table(game, cards=cards, rulings=rulings), jackpot(), start, steps)


def third_card(by: str) -> Step:
    return report("wrong_dealer_count", by=by, reconstructible=False)


@games_with_minor_awards
def test_a_paid_minor_award_is_unwound_by_the_shift_manager_only(game: str) -> None:
    """rws-multilink-holdem 5.8.7, 4.2, rws-multilink-three-card 5.8.7, 4.4, rws-progressive-holdem 5.8.7, 4.2 and
    mbs-megalink-holdem 5.3, 4.2, reading post-settlement-window (b): a lower role's report waits for the shift
    manager, whose own report needs nobody else."""
    _, amount, paragraph = MINOR[game]
    waiting = minor_award_paid(game, third_card("pit_manager"), rule("reopen", by="pit_manager"))
    assert waiting.codes == ["not_authorised"]
    assert waiting.awaiting()[0]["decisions"] == ["reopen", "stand"]
    assert waiting.line(1, "jackpot") == line("win", won=amount)
    stands = minor_award_paid(game, third_card("pit_manager"), rule("stand", by="shift_manager"))
    assert stands.line(1, "jackpot") == line("win", won=amount)
    for unwound in (
        minor_award_paid(game, third_card("pit_manager"), rule("reopen", by="shift_manager")),
        minor_award_paid(game, third_card("shift_manager")),
    ):
        assert unwound.status() == "void"
        assert unwound.line(1, "jackpot") == line("returned", rules=paragraph)
        assert unwound.meter == "100000.00"


@games_with_minor_awards
def test_a_paid_minor_award_is_unwound_at_once_where_the_house_reads_it_so(game: str) -> None:
    """rws-multilink-holdem 5.8.7, rws-multilink-three-card 5.8.7, rws-progressive-holdem 5.8.7 and mbs-megalink-holdem
    5.3, reading post-settlement-window (c): only an award of the meter waits."""
    unwound = minor_award_paid(game, third_card("pit_supervisor"), rulings={"post-settlement-window": "c"})
    assert unwound.status() == "void"


@games_with_minor_awards
def test_the_word_on_the_cards_does_not_unwind_a_paid_award(game: str) -> None:
    """rws-multilink-holdem 5.8.7, rws-multilink-three-card 5.8.7, rws-progressive-holdem 5.8.7 and mbs-megalink-holdem
    5.3, reading post-settlement-window (b): a pit supervisor says that the cards cannot be put right, and the shift
    manager whether the round is reopened."""
    dealers_report = report("wrong_dealer_count")
    told = minor_award_paid(game, dealers_report, rule("not_reconstructible", by="pit_supervisor"))
    assert [waits["from"] for waits in told.awaiting()] == ["shift_manager"]
    assert told.awaiting()[0]["decisions"] == ["reopen", "stand"]


def test_an_award_that_was_paid_after_the_report_is_unwound_by_the_shift_manager_only() -> None:
    """rws-multilink-holdem 5.8.7, 4.5.2, reading post-settlement-window (b): T2's royal flush waits for T1 when a third
    card of the Dealer's is reported, and is paid before the pit supervisor's word on the cards."""
    played = replay(
        table(HOLDEM, community="Qh Jd 2s 3c 3d", box_1="9h 4c", dealer="As Kd"),
        table(HOLDEM, community="Qh Jh Th 2c 3d", box_1="Ah Kh", dealer="4s 5d"),
        jackpot("100000.00", contribution="0.00"),
        [step for at in ("T1", "T2") for step in
         (bet(1, "ante", "50.00", at=at), bet(1, "jackpot", "5.00", at=at), close_bets(at=at))],
        decides(1, "flop", "check", "check", at="T2"),
        report("wrong_dealer_count", at="T2"),
        decide(1, "fold", at="T1"),
        rule("not_reconstructible", by="pit_supervisor", at="T2"),
    )  # fmt: skip
    assert played.meter == "50000.00"
    assert [waits["from"] for waits in played.awaiting(at="T2")] == ["shift_manager"]
    assert played.awaiting(at="T2")[0]["decisions"] == ["reopen", "stand"]
