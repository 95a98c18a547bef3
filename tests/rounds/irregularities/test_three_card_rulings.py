"""RWS Multi-Link 3 Card Poker 5.7 and 5.16 to 5.23: interruptions, jackpot faults, extra looks, and what people
rule."""

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
    handle,
    jackpot,
    jackpot_mode,
    line,
    open_round,
    refuse_reveal,
    replay,
    report,
    rule,
    table,
)

GAME = "rws-multilink-three-card"
CARDS = {"community": "9c 8c", "dealer": "Qs Qh 3c", "box_1": "Qc Jc Tc", "box_2": "7c 6c 5c", "box_3": "9d 9h 2s"}
UNCHANGED = "1000000.00"


def dealt(*steps: Step | Sequence[Step], rulings: Mapping[str, str] | None = None, bets: bool = True) -> Played:
    """Straight flushes on boxes 1 and 2 (Ante and jackpot), nothing on box 3 (Ante); J = 1,000,000."""
    return replay(
        jackpot(UNCHANGED, reset="200000.00", contribution="0.20"),
        table(GAME, rulings=rulings, cards=CARDS),
        [bet(box, "ante", "50.00") for box in (1, 2, 3)],
        [bet(box, "jackpot", "5.00") for box in (1, 2)] if bets else [],
        close_bets(),
        *steps,
    )


ALL_PLAY = [decide(box, "play") for box in (1, 2, 3)]


def is_void(result: Played) -> bool:
    """Void, with every Bet back and the meter as before."""
    lines = result.round().lines
    back = all(found.outcome.value == "returned" and found.returned == found.staked for found in lines)
    return result.status() == "void" and bool(lines) and back and result.meter == UNCHANGED


# ---------------------------------------------------------------- 5.7: a technical interruption


@pytest.mark.parametrize(
    "before",
    [
        pytest.param([], id="dealt"),
        pytest.param([examine(1), examine(2), examine(3)], id="everybody has looked"),
        pytest.param([decide(1, "play"), decide(2, "play")], id="Play Bets lie"),
    ],
)
def test_an_interruption_without_an_outcome_voids_the_round(before: list[Step]) -> None:
    """rws-multilink-three-card 5.7.2, 5.21, reading outcome-established a: nothing is face up and nobody has folded."""
    result = dealt(before, report("technical_interruption"))
    assert is_void(result)
    assert result.line(1, "ante") == line("returned", rules="5.7 5.7.2 5.21")


@pytest.mark.parametrize(
    "announced",
    [
        pytest.param(decide(3, "fold"), id="one fold: its Ante is lost"),
        pytest.param(refuse_reveal(3), id="one refusal to show: it counts as folded"),
    ],
)
def test_an_interruption_with_an_outcome_is_played_out(announced: Step) -> None:
    """rws-multilink-three-card 5.7.1, reading outcome-established a: one Bet that is conclusively lost keeps the whole
    round alive, and 5.17.1 fixes the meter."""
    rest = [decide(box, "play") for box in (1, 2)]
    if announced["do"] == "refuse_reveal":
        rest.append(decide(3, "play"))
    result = dealt(announced, report("technical_interruption"), rest)
    assert result.status() == "settled"
    assert result.line(3, "ante") == line("lose")
    assert any("5.7.1" in notice.rules for notice in result.round().notices)
    assert [found.amount for found in result.awards()] == ["100000.20", "90000.18"]


# ---------------------------------------------------------------- 5.16 and 5.17: the jackpot does not work


@pytest.mark.parametrize("before", [[], [handle(1)]], ids=["nobody has looked", "touched unseen"])
def test_a_fault_before_anybody_has_seen_cards_voids_the_round(before: list[Step]) -> None:
    """rws-multilink-three-card 5.16, reading jackpot-fault c."""
    result = dealt(before, report("jackpot_malfunction"))
    assert is_void(result)
    assert result.line(1, "jackpot") == line("returned", rules="5.16 5.21")


def test_a_fault_voids_even_a_round_without_jackpot_bets() -> None:
    """rws-multilink-three-card 5.16, reading jackpot-fault c; (d) spares it."""
    assert is_void(dealt(report("jackpot_malfunction"), bets=False))
    spared = dealt(report("jackpot_malfunction"), ALL_PLAY, bets=False, rulings={"jackpot-fault": "d"})
    assert spared.status() == "settled"
    assert is_void(dealt(report("jackpot_malfunction"), rulings={"jackpot-fault": "d"}))


def test_a_fault_after_a_look_freezes_the_meter() -> None:
    """rws-multilink-three-card 5.17, 5.17.1, reading jackpot-fault: the round goes on at the value registered before,
    run down on paper for two winners: 100,000 then 90,000 of a frozen 1,000,000 with its two contributions."""
    result = dealt(examine(3), report("jackpot_malfunction"), ALL_PLAY)
    assert result.awards() == [
        award("straight_flush", "100000.20", box=1, rules="4.4"),
        award("straight_flush", "90000.18", box=2, rules="4.4"),
    ]
    assert any("5.17.1" in notice.rules for notice in result.round().notices)


def test_a_fault_of_the_link_goes_by_the_state_of_each_table() -> None:
    """rws-multilink-three-card 5.16, 5.17.1, reading jackpot-fault b: T1 has only dealt and is void, T2 has looked and
    plays on, 100,000 then 90,000."""
    bets = [
        bet(box, kind, amount, at=at)
        for at in ("T1", "T2")
        for box in (1, 2)
        for kind, amount in (("ante", "50.00"), ("jackpot", "5.00"))
    ]
    result = replay(
        jackpot(UNCHANGED, reset="200000.00", contribution="0.00"),
        table(GAME, cards=CARDS),
        table(GAME, cards=CARDS),
        bets,
        close_bets(at="T1"),
        close_bets(at="T2"),
        examine(1, at="T2"),
        report("jackpot_malfunction", link=True),
        decide(1, "play", at="T2"),
        decide(2, "play", at="T2"),
    )
    assert result.status(at="T1") == "void"
    assert [found.amount for found in result.awards(at="T2")] == ["100000.00", "90000.00"]


@pytest.mark.parametrize(("scope", "status"), [("b", "open"), ("a", "void")])
def test_how_far_a_fault_of_one_table_reaches(scope: str, status: str) -> None:
    """rws-multilink-three-card 5.16, reading jackpot-fault: reported at T1 alone, (b) T2 plays on, (a) it is every
    table's."""
    rulings = {"jackpot-fault": scope}
    result = replay(
        jackpot(UNCHANGED, contribution="0.00"),
        table(GAME, rulings=rulings),
        table(GAME, rulings=rulings),
        [bet(1, "ante", "50.00", at=at) for at in ("T1", "T2")],
        close_bets(at="T1"),
        close_bets(at="T2"),
        report("jackpot_malfunction", at="T1"),
    )
    assert result.status(at="T1") == "void"
    assert result.status(at="T2") == status


@pytest.mark.parametrize(("seen", "void"), [("f", False), ("e", True)])
def test_blind_hands_count_as_seen_once_they_are_turned(seen: str, void: bool) -> None:
    """rws-multilink-three-card 5.16, 5.17.1, reading jackpot-fault: nobody has looked, but the settlement, unwound for
    box 3 and waiting for box 1, has turned every card; (f) that is seen, (e) it is not."""
    count = report("wrong_box_count", box=3, affected=[1], reconstructible=False, by="pit_supervisor")
    reading = {"jackpot-fault": seen}
    result = dealt(ALL_PLAY, count, report("jackpot_malfunction"), bets=False, rulings=reading)
    assert is_void(result) is void


def test_no_jackpot_bet_is_taken_after_a_fault_until_it_is_restored() -> None:
    """rws-multilink-three-card 5.17.2, 5.17.2.c: the other Bets go on."""
    result = dealt(
        report("jackpot_malfunction"),
        open_round(),
        bet(1, "ante", "50.00"),
        bet(1, "jackpot", "5.00"),
        jackpot_mode("restore"),
        bet(1, "jackpot", "5.00"),
    )
    assert result.codes == ["jackpot_bets_suspended"]
    assert "5.17.2.c" in result.refusals[0].rules


def test_the_measures_after_a_fault_are_the_shift_manager_s() -> None:
    """rws-multilink-three-card 5.17.2, reading house-level: a Pit Manager may not choose."""
    result = dealt(
        report("jackpot_malfunction"), [jackpot_mode(mode, by="pit_manager") for mode in ("close_table", "restore")]
    )
    assert result.codes == ["not_authorised", "not_authorised"]
    assert "5.17.2" in result.refusals[0].rules


def test_the_house_may_close_the_table() -> None:
    """rws-multilink-three-card 5.17.2.a: no round is opened until the measure is lifted."""
    result = dealt(
        report("jackpot_malfunction"), jackpot_mode("close_table"), open_round(), jackpot_mode("restore"), open_round()
    )
    assert result.codes == ["table_closed"]
    assert "5.17.2.a" in result.refusals[0].rules


def test_the_house_may_bar_a_box() -> None:
    """rws-multilink-three-card 5.17.2.b: box 2 takes no Bets, box 1 does."""
    result = dealt(
        report("jackpot_malfunction"),
        jackpot_mode("disallow_box"),
        jackpot_mode("disallow_box", box=2),
        open_round(),
        bet(2, "ante", "50.00"),
        bet(1, "ante", "50.00"),
    )
    assert result.codes == ["fact_missing", "box_disallowed"]
    assert "5.17.2.b" in result.refusals[1].rules


def test_the_house_may_play_on_without_jackpot_bets_and_says_so() -> None:
    """rws-multilink-three-card 5.17.2.c: a notice at the table, in every later round too."""
    result = dealt(
        report("jackpot_malfunction"), jackpot_mode("no_jackpot_bets"), open_round(), bet(1, "ante", "50.00"),
        bet(1, "jackpot", "5.00"),
    )  # fmt: skip
    assert result.codes == ["jackpot_bets_suspended"]
    assert any("5.17.2.c" in notice.rules for notice in result.round(2).notices)


# ---------------------------------------------------------------- 5.18: a further Hand examined


def peeked(*steps: Step | Sequence[Step]) -> Played:
    """ana on boxes 1 and 2; she has looked at box 1 and then at box 2."""
    return replay(
        jackpot(UNCHANGED, reset="200000.00", contribution="0.20"),
        table(GAME, community="Jd Td", dealer="Qs Qh 3c", box_1="Kc Kh 4s", box_2="Ad Kd Qd"),
        bet(1, "ante", "50.00"),
        bet(2, "ante", "50.00", player="ana"),
        bet(2, "jackpot", "5.00", player="ana"),
        close_bets(),
        examine(1),
        examine(2, player="ana", noticed=False),
        *steps,
    )


LOOK = report("extra_hand_examined", box=2)


def test_intent_is_ruled_by_a_pit_supervisor() -> None:
    """rws-multilink-three-card 5.18: the round waits; the Dealer may not rule it."""
    waiting = peeked(LOOK)
    assert [(waits["what"], waits["from"], waits["decisions"]) for waits in waiting.awaiting()] == [
        ("ruling", "pit_supervisor", ["intentional", "unintentional"])
    ]
    refused = peeked(LOOK, decide(1, "play"), rule("intentional", by="dealer"))
    assert refused.codes == ["round_held", "not_authorised"]
    assert "5.18" in refused.refusals[1].rules


def test_a_hand_looked_at_on_purpose_is_invalidated() -> None:
    """rws-multilink-three-card 5.18, reading extra-look-freeroll: a peeked royal flush earns 5 back only, and the Hand
    first viewed stays."""
    result = peeked(LOOK, rule("intentional", by="pit_supervisor"), decide(1, "play"))
    assert result.line(2, "ante") == line("returned", returned="50.00", rules="5.18")
    assert result.line(2, "jackpot") == line("returned", won="0.00", returned="5.00", rules="5.18")
    assert result.awards() == []
    assert result.meter == UNCHANGED
    assert result.line(1, "ante") == line("win")


def test_a_hand_looked_at_without_intent_plays_on() -> None:
    """rws-multilink-three-card 5.18, reading unintended-look: it stays valid and may be decided."""
    result = peeked(LOOK, rule("unintentional", by="pit_manager"), decide(1, "play"), decide(2, "play"))
    assert result.line(2, "ante") == line("win")
    assert result.awards() == [award("royal_flush", "1000001.00")]


def test_a_look_at_a_hand_with_pair_plus_alone_is_one_too_many_even_as_the_first() -> None:
    """rws-multilink-three-card 3.14, 5.18: nobody may look at it, so the Pit Supervisor rules on intent."""
    result = replay(
        table(GAME, cards=CARDS),
        bet(3, "pair_plus", "10.00"),
        bet(1, "ante", "50.00"),
        close_bets(),
        examine(3, noticed=False),
        report("extra_hand_examined", box=3),
        rule("intentional", by="pit_supervisor"),
        decide(1, "fold"),
    )
    assert result.codes == []
    assert result.line(3, "pair_plus") == line("returned", returned="10.00", rules="5.18")
    notice = next(said for said in result.round().notices if "the Dealer's to turn" in said.text)
    assert "3.14" in notice.rules


def test_the_hand_first_viewed_is_no_further_hand() -> None:
    """rws-multilink-three-card 5.18, 3.7: box 1 was looked at first and stays valid, so reporting it is refused."""
    result = peeked(
        report("extra_hand_examined", box=1), LOOK, rule("intentional", by="pit_supervisor"), decide(1, "play")
    )
    assert result.codes == ["not_a_further_hand"]
    assert "3.7" in result.refusals[0].rules
    assert result.line(1, "ante") == line("win")


# ---------------------------------------------------------------- 5.19 and 5.23


def test_a_late_error_is_noted_and_changes_nothing() -> None:
    """rws-multilink-three-card 5.19, reading late-own-round b: in the next round as before it."""
    result = dealt(
        ALL_PLAY, report("late_error"), open_round(cards=CARDS), bet(3, "ante", "50.00"), close_bets(),
        report("late_error"), decide(3, "play"),
    )  # fmt: skip
    assert result.codes == []
    assert result.line(3, "ante", number=1) == line("lose")
    assert result.line(3, "ante", number=2) == line("lose")
    assert any("5.19" in notice.rules for notice in result.round(2).notices)


UNKNOWN_HERE = [
    pytest.param(report("uncovered", text="a glass fell on the layout"), id="uncovered"),
    pytest.param(report("controls_multiple_hands", player="ana"), id="controls_multiple_hands"),
    pytest.param(report("not_confidential", player="ana"), id="not_confidential"),
    pytest.param(report("rules_breach", player="ana"), id="rules_breach"),
]


@pytest.mark.parametrize("incident", UNKNOWN_HERE)
def test_what_no_paragraph_covers_is_the_shift_manager_s(incident: Step) -> None:
    """rws-multilink-three-card 5.23: the round waits for void, stand or return; a Pit Manager may not rule."""
    waiting = dealt(incident, decide(1, "play"), rule("void", by="pit_manager"))
    assert waiting.codes == ["round_held", "not_authorised"]
    assert "5.23" in waiting.refusals[1].rules
    (awaited,) = waiting.awaiting()
    assert (awaited["from"], awaited["decisions"]) == ("shift_manager", ["void", "stand", "return"])
    assert is_void(dealt(incident, rule("void", by="shift_manager")))
    stands = dealt(incident, rule("stand", by="shift_manager"), ALL_PLAY)
    assert stands.status() == "settled"
    assert stands.line(1, "ante") == line("win")
    back = dealt(incident, rule("return", by="shift_manager", boxes=[1]), decide(2, "play"), decide(3, "play"))
    assert back.line(1, "ante") == line("returned", rules="5.23")
    assert back.line(3, "ante") == line("lose")


def test_a_ruling_is_recorded_in_the_words_of_who_gave_it() -> None:
    """rws-multilink-three-card 5.23."""
    result = dealt(report("uncovered"), rule("stand", by="shift_manager", text="the glass did no harm"), ALL_PLAY)
    assert any("the glass did no harm" in text for text in result.notices())


def test_nothing_waits_for_a_ruling_that_nobody_asked_for() -> None:
    """rws-multilink-three-card 5.23: rulings and options come after a report."""
    result = dealt(rule("void", by="shift_manager"), choose(1, "return"), rule("fold", by="shift_manager", box=1))
    assert result.codes == ["nothing_awaited", "nothing_awaited", "not_in_this_game"]


def test_after_the_settlement_the_shift_manager_may_still_rule() -> None:
    """rws-multilink-three-card 5.23, reading post-settlement-window: void unwinds the round, stand leaves it."""
    late = report("uncovered", text="found on camera")
    assert is_void(dealt(ALL_PLAY, late, rule("void", by="shift_manager")))
    stands = dealt(ALL_PLAY, late, open_round(), rule("stand", by="shift_manager"))
    assert stands.codes == ["round_held"]
    assert stands.status() == "settled"
