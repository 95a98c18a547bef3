"""Saying no: every refusal code is provoked by a command, and a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from croupier.cards import parse_cards
from croupier.rounds.commands import (
    ActForAbsent,
    CloseBets,
    DealCards,
    DecideHand,
    ExamineHand,
    OpenRound,
    PlaceBet,
    RoundCommand,
    SetJackpotMode,
    SettleBets,
    TurnCards,
)
from croupier.rounds.decide import decide as ask
from croupier.rounds.evolve import evolve_all
from croupier.rounds.refusal import Code, Refusal
from croupier.rounds.state import Round, new_table
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import Role
from tests.jackpots.test_cases import REFUSED as BY_THE_LINK
from tests.scripting import (
    Step,
    Table,
    bet,
    choose,
    close_bets,
    decide,
    examine,
    jackpot,
    jackpot_mode,
    open_round,
    prove,
    refuse_reveal,
    replay,
    report,
    restrict,
    rule,
    table,
    view_hand,
    walk_away,
    withdraw,
)

HOLDEM, THREE_CARD = "rws-multilink-holdem", "rws-multilink-three-card"
MBS, SUN = "mbs-megalink-holdem", "sun-casino-holdem"

HERE = table(HOLDEM)
ANTE = bet(1, "ante", "50.00")
TWO = [ANTE, bet(2, "ante", "50.00"), close_bets()]
PAIR_PLUS_ALONE = [bet(1, "pair_plus", "10.00"), bet(2, "ante", "50.00"), close_bets()]
OPTIONS = [*TWO, report("dealing_error", by="pit_supervisor", boxes=[1], reconstructible=False)]

# Each row: the code, the paragraph that forbids (where one does), a table, what happened before, and the refused step.
REFUSED: list[tuple[Code, str, Table, Sequence[Step], Step]] = [
    (Code.TABLE_CLOSED, "5.17.2.a", table(HOLDEM, opened=False), [jackpot_mode("close_table")], open_round()),
    (Code.ROUND_IS_OPEN, "3.2", HERE, [ANTE], open_round()),
    (Code.NO_ROUND, "3.2", table(HOLDEM, opened=False), [], close_bets()),
    (Code.NO_ROUND, "3.2", table(HOLDEM, opened=False), [], report("foreign_card")),
    (Code.BETS_NOT_OPEN, "3.2", table(HOLDEM, opened=False), [], ANTE),
    (Code.BETS_CLOSED, "5.11", HERE, TWO, bet(3, "ante", "50.00")),
    (Code.UNKNOWN_BOX, "2.1.1.a", HERE, [], bet(8, "ante", "50.00")),
    (Code.BOX_DISALLOWED, "5.17.2.b", HERE, [jackpot_mode("disallow_box", box=1)], ANTE),
    (Code.UNKNOWN_BET, "", HERE, [], bet(1, "pair_plus", "50.00")),
    (Code.NOT_PLACED_BEFORE_THE_DEAL, "1.11", HERE, [ANTE], bet(1, "flop", "100.00")),
    (Code.NO_JACKPOT, "3.8", HERE, [ANTE], bet(1, "jackpot", "5.00")),
    (Code.PLAYER_AWAY, "", HERE, [*TWO, walk_away("ana")], walk_away("ana")),
    (Code.BOX_TAKEN, "3.5", HERE, [ANTE], bet(1, "ante", "50.00", player="ben")),
    (Code.ONE_BOX_ONLY, "Rules ¶4", table(SUN), [bet(1, "ante", "50.00")], bet(2, "ante", "50.00", player="ana")),
    (
        Code.ONE_POSITION_ONLY,
        "3.4.3",
        table(MBS),
        [ANTE, restrict("ana", by="pit_manager")],
        bet(2, "ante", "50.00", player="ana"),
    ),
    (
        Code.PLAYER_PROHIBITED,
        "5.10.3",
        table(MBS),
        [*TWO, rule("stop", by="shift_manager", player="ana"), decide(2, "fold"), open_round()],
        ANTE,
    ),
    (Code.ANTE_REQUIRED, "3.9", HERE, [], bet(1, "bonus", "10.00")),
    (Code.OVER_MAXIMUM, "5.1", HERE, [], bet(1, "ante", "500.01")),
    (Code.UNDER_MINIMUM, "5.2", HERE, [], bet(1, "ante", "9.99")),
    (Code.NO_AMOUNT, "3.6", HERE, [], bet(1, "ante", "0.00", noticed=False)),
    (Code.NO_SUCH_BET, "", HERE, [ANTE], withdraw(1, "bonus")),
    (Code.ANTE_NEEDED_BY_OTHER_BETS, "3.9", HERE, [ANTE, bet(1, "bonus", "10.00")], withdraw(1, "ante")),
    (Code.NO_BETS, "3.2", HERE, [], close_bets()),
    (Code.NO_HAND, "", HERE, TWO, decide(3, "fold")),
    (Code.NOT_YOUR_HAND, "3.7", HERE, TWO, examine(1, player="ben")),
    (
        Code.ONE_HAND_ONLY,
        "3.7",
        HERE,
        [ANTE, bet(2, "ante", "50.00", player="ana"), close_bets(), examine(2, player="ana")],
        examine(1, player="ana"),
    ),
    (
        Code.NOT_A_FURTHER_HAND,
        "3.7",
        HERE,
        [ANTE, bet(2, "ante", "50.00", player="ana"), close_bets(), examine(2, player="ana")],
        report("extra_hand_examined", box=2),
    ),
    (Code.NOT_SEVERAL_HANDS, "5.10", table(MBS), TWO, report("controls_multiple_hands", player="ana")),
    (Code.NOT_TO_BE_EXAMINED, "3.14", table(THREE_CARD), PAIR_PLUS_ALONE, examine(1)),
    (Code.NOT_DEALT_YET, "3.2", HERE, [ANTE], examine(1)),
    (Code.NO_DECISION_DUE, "", table(THREE_CARD), PAIR_PLUS_ALONE, decide(1, "play")),
    (Code.ALREADY_DECIDED, "", HERE, [*TWO, decide(1, "flop")], decide(1, "flop")),
    (Code.NOT_A_CHOICE, "3.11.2", HERE, TWO, decide(1, "check")),
    (Code.WRONG_AMOUNT, "1.11", HERE, TWO, decide(1, "flop", amount="99.99")),
    (Code.ROUND_HELD, "5.10", HERE, OPTIONS, decide(2, "flop")),
    (Code.NOT_AT_THE_TABLE, "", HERE, TWO, walk_away("zoe")),
    (Code.ALREADY_SHOWN, "4.3", HERE, [*TWO, refuse_reveal(1)], refuse_reveal(1)),
    (Code.NOT_REFUSED, "", HERE, TWO, prove(1)),
    (Code.NOTHING_TO_PROVE, "4.3", HERE, [*TWO, refuse_reveal(1)], prove(1)),
    (Code.NOT_IN_THIS_GAME, "", HERE, [*TWO, refuse_reveal(1)], view_hand(1, by="pit_supervisor")),
    (Code.NOT_AUTHORISED, "5.17.2", HERE, TWO, jackpot_mode("close_table", by="pit_manager")),
    (Code.NOTHING_AWAITED, "", HERE, TWO, choose(1, "return")),
    (Code.NOT_AN_ANSWER, "5.14", HERE, [*TWO, report("simultaneous_draw")], rule("intentional", by="shift_manager")),
    (Code.NOT_AN_OPTION, "5.10", HERE, OPTIONS, choose(1, "reconstructed")),
    (Code.FACT_MISSING, "5.17.2.b", HERE, TWO, jackpot_mode("disallow_box")),
]  # fmt: skip

# The same for tables on a link.
REFUSED_ON_A_LINK: list[tuple[Code, str, Table, Sequence[Step], Step]] = [
    (
        Code.JACKPOT_BETS_SUSPENDED,
        "5.17.2.c",
        HERE,
        [jackpot_mode("no_jackpot_bets"), ANTE],
        bet(1, "jackpot", "5.00"),
    ),
    (Code.WRONG_JACKPOT_AMOUNT, "3.4", HERE, [ANTE], bet(1, "jackpot", "5.01")),
    (
        Code.NOT_SEATED,
        "3.5.4",
        table(MBS),
        [ANTE, bet(1, "ante", "50.00", player="ben")],
        bet(1, "jackpot", "5.00", player="ben"),
    ),
    (Code.NO_HAND, "5.15", HERE, [*TWO, report("wrong_box_count", by="pit_supervisor", box=1, reconstructible=False)],
     decide(1, "flop")),
    (Code.NOT_AUTHORISED, "5.17.2", HERE, TWO, jackpot_mode("restore", by="dealer")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "paragraph", "where", "before", "step"),
    [*REFUSED, *REFUSED_ON_A_LINK],
    ids=[f"{i} {row[0].value}" for i, row in enumerate([*REFUSED, *REFUSED_ON_A_LINK])],
)
def test_a_step_that_the_rules_forbid_is_refused_and_changes_nothing(
    code: Code, paragraph: str, where: Table, before: Sequence[Step], step: Step
) -> None:
    """rws-multilink-holdem, and where only they have it rws-multilink-three-card, mbs-megalink-holdem and
    sun-casino-holdem: one code, one sentence, the paragraph, and the Round as it was."""
    linked = [jackpot()] if (code, paragraph, where, before, step) in REFUSED_ON_A_LINK else []
    result = replay(where, *linked, before, step)
    assert result.codes == [code.value]
    refusal = result.refusals[0]
    assert refusal.step == len(before) + int(where.opened)
    assert refusal.message.endswith(".")
    assert "\n" not in refusal.message
    if paragraph:
        assert paragraph in refusal.rules
    without = replay(where, *linked, before)
    assert result.result.rounds == without.result.rounds
    assert result.result.meter == without.result.meter
    assert result.result.net == without.result.net


# ---------------------------------------------------------------- the Dealer's own commands


TERMS = table_terms(HOLDEM)
OPENED: Sequence[RoundCommand] = (OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=5000))
CLOSED: Sequence[RoundCommand] = (*OPENED, CloseBets())
DEALT: Sequence[RoundCommand] = (*CLOSED, DealCards())
FLOP_LIES: Sequence[RoundCommand] = (*DEALT, DecideHand(box=1, choice="flop"), DealCards())


def turned(cards: str) -> TurnCards:
    return TurnCards(cards={"community": parse_cards(cards)})


FLOP_TURNED: Sequence[RoundCommand] = (*FLOP_LIES, turned("2c 3c 4c"), DecideHand(box=1, choice="check"), DealCards())

DEALERS: list[tuple[Code, Sequence[RoundCommand], RoundCommand]] = [
    (Code.NOTHING_TO_DEAL, DEALT, DealCards()),
    (Code.NOTHING_TO_TURN, DEALT, turned("2c 3c 4c")),
    (Code.WRONG_CARDS, FLOP_LIES, turned("2c 3c")),
    (Code.CARD_REPEATED, FLOP_TURNED, turned("2c")),
    (Code.NOT_READY_TO_SETTLE, DEALT, SettleBets()),
    (Code.UNKNOWN_MODE, OPENED, SetJackpotMode(by=Role.SHIFT_MANAGER, mode="shout")),
    (Code.NO_DECISION_DUE, DEALT, ActForAbsent(box=1)),
    (Code.NO_DECISION_DUE, CLOSED, DecideHand(box=1, choice="flop")),
]


def played(terms: Terms, commands: Sequence[RoundCommand]) -> Round:
    """A table after commands that are all accepted."""
    state = new_table(terms.boxes)
    for command in commands:
        verdict = ask(terms, state, command)
        assert not isinstance(verdict, Refusal), verdict
        state = evolve_all(state, verdict)
    return state


@pytest.mark.parametrize(
    ("code", "before", "command"), DEALERS, ids=[f"{i} {row[0].value}" for i, row in enumerate(DEALERS)]
)
def test_the_dealer_is_refused_too(code: Code, before: Sequence[RoundCommand], command: RoundCommand) -> None:
    """rws-multilink-holdem 3.11: what the procedure does not do now, nobody does; impossible cards are not taken."""
    verdict = ask(TERMS, played(TERMS, before), command)
    assert isinstance(verdict, Refusal)
    assert verdict.code is code
    assert verdict.message.endswith(".")


def test_cards_entered_against_what_was_seen_are_refused() -> None:
    """rws-multilink-holdem 3.11.6: the Hand that its Player has examined is the Hand that is turned."""
    to_the_river: Sequence[RoundCommand] = (
        *(*DEALT, ExamineHand(player="ana", box=1, cards=parse_cards("Ah Kh")), DecideHand(box=1, choice="flop")),
        *(DealCards(), turned("2c 3c 4c"), DecideHand(box=1, choice="check")),
        *(DealCards(), turned("5d"), DecideHand(box=1, choice="check")),
        *(DealCards(), turned("7s"), DealCards(), TurnCards(cards={"dealer": parse_cards("Js Jd")})),
    )
    state = played(TERMS, to_the_river)
    wrong = ask(TERMS, state, TurnCards(cards={"1": parse_cards("Ah Qh")}))
    assert isinstance(wrong, Refusal)
    assert wrong.code is Code.WRONG_CARDS
    assert not isinstance(ask(TERMS, state, TurnCards(cards={"1": parse_cards("Kh Ah")})), Refusal)


def test_every_code_has_its_refusal_here() -> None:
    """A code that no command provokes is no code."""
    provoked = {row[0] for row in (*REFUSED, *REFUSED_ON_A_LINK, *BY_THE_LINK)} | {row[0] for row in DEALERS}
    provoked.add(Code.ROUNDS_IN_PLAY)  # tests/jackpots/test_cases.py
    provoked.add(Code.LINK_CLOSED)  # tests/floor/live/test_choices.py
    provoked |= {Code.ACTS_OPEN, Code.MISPAY_OPEN, Code.NO_ACT_OPEN, Code.NOT_THE_NEXT_ACT}  # test_settlement_acts.py
    provoked |= {Code.ONE_ACT_AT_A_TIME, Code.NOT_AN_EARLIER_ROUND}
    provoked.add(Code.TOO_LATE)  # irregularities/test_own_incidents.py
    assert provoked == set(Code)
