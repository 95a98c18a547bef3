"""Is an outcome established? Computed, not guessed: a Bet is conclusive when its result is the same for every
assignment of the cards that do not lie face up (reading outcome-established a), in each game by its own jackpot
table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import pytest

from croupier.cards import DECK, parse_cards
from croupier.rounds.commands import CloseBets, DealCards, DecideHand, OpenRound, PlaceBet, RoundCommand, TurnCards
from croupier.rounds.decide import decide as ask
from croupier.rounds.evolve import evolve_all
from croupier.rounds.outcomes import outcome_established
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import new_table
from croupier.rulebooks.pay_lines import meets
from croupier.rulebooks.terms import table_terms
from tests.scripting import (
    Played,
    Step,
    bet,
    close_bets,
    decide,
    decides,
    examine,
    jackpot,
    refuse_reveal,
    replay,
    report,
    rule,
    table,
)

MULTI_LINK, THREE_CARD, MBS, VERSION_6, SUN = (
    "rws-multilink-holdem",
    "rws-multilink-three-card",
    "mbs-megalink-holdem",
    "rws-progressive-holdem",
    "sun-casino-holdem",
)
WITH_FLOP = (MULTI_LINK, MBS, VERSION_6)


def interrupted(
    game: str,
    *steps: Step | Sequence[Step],
    community: str | None = None,
    progressive: Sequence[int] = (),
    boxes: Sequence[int] = (1, 2),
    dealing: str | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Played:
    """Antes on the boxes, jackpot Bets on some, these steps, and then the power fails."""
    cards = {} if community is None else {"community": community}
    return replay(
        jackpot(),
        table(game, dealing=dealing, rulings=rulings, cards=cards),
        [bet(box, "ante", "50.00") for box in boxes],
        [bet(box, "jackpot", "5.00") for box in progressive],
        close_bets(),
        *steps,
        report("technical_interruption"),
    )


def is_established(result: Played) -> bool:
    """The round goes on unasked; otherwise RWS voids it and MBS lets Players withdraw."""
    asked = any(waits["what"] == "options" for waits in result.awaiting())
    return result.status() != "void" and not asked


def streets(*choices: str) -> list[Step]:
    return [decide(box, choice) for choice in choices for box in (1, 2)]


FLOP_TURNED = streets("flop")


# ---------------------------------------------------------------- announced choices


@pytest.mark.parametrize("game", [MULTI_LINK, THREE_CARD, MBS, VERSION_6])
def test_looking_alone_establishes_nothing(game: str) -> None:
    """rws-multilink-holdem 5.7.2, rws-multilink-three-card 5.7.2, mbs-megalink-holdem 5.16.1, rws-progressive-holdem
    5.7.2, reading outcome-established a: what Players have seen in private does not count."""
    assert not is_established(interrupted(game))
    assert not is_established(interrupted(game, examine(1), examine(2), progressive=(1, 2)))


@pytest.mark.parametrize("game", [MULTI_LINK, THREE_CARD, MBS, VERSION_6])
def test_one_fold_keeps_the_whole_round_alive(game: str) -> None:
    """rws-multilink-holdem 5.7.1, rws-multilink-three-card 5.7.1, mbs-megalink-holdem 5.16.2, rws-progressive-holdem
    5.7.1, reading outcome-established a: its Ante is conclusively lost."""
    assert is_established(interrupted(game, examine(1), decide(1, "fold")))


@pytest.mark.parametrize("game", [MULTI_LINK, THREE_CARD, MBS, VERSION_6])
def test_an_announced_refusal_to_show_has_lost_its_ante(game: str) -> None:
    """rws-multilink-holdem 4.3, rws-multilink-three-card 4.5, mbs-megalink-holdem 3.10.1, rws-progressive-holdem 4.3,
    readings outcome-established a and v6-proof b: such a hand counts as folded, or ranks below the Dealer's whatever
    comes."""
    assert is_established(interrupted(game, refuse_reveal(1)))


def test_where_a_proof_restores_the_hand_a_refusal_establishes_nothing() -> None:
    """rws-progressive-holdem 4.3, readings outcome-established a and v6-proof a: the hand may be proved, so nothing is
    lost yet."""
    assert not is_established(interrupted(VERSION_6, refuse_reveal(1), rulings={"v6-proof": "a"}))


@pytest.mark.parametrize("game", [MULTI_LINK, THREE_CARD, MBS, VERSION_6])
def test_bets_on_the_layout_establish_nothing(game: str) -> None:
    """rws-multilink-holdem 5.7.2, rws-multilink-three-card 5.7.2, mbs-megalink-holdem 5.16.1, rws-progressive-holdem
    5.7.2: a Flop or Play Bet is not yet won or lost."""
    bets = "play" if game == THREE_CARD else "flop"
    assert not is_established(interrupted(game, decide(1, bets)))


@pytest.mark.parametrize("dealing", ["card_shoe", "shuffler_community_last", "shuffler_community_first"])
def test_in_three_card_poker_nothing_is_face_up_before_the_settlement(dealing: str) -> None:
    """rws-multilink-three-card 5.7.2, 3.13: so only a fold establishes an outcome, jackpot Bets or not."""
    assert not is_established(interrupted(THREE_CARD, decide(1, "play"), progressive=(1, 2), dealing=dealing))
    assert is_established(interrupted(THREE_CARD, decide(1, "fold"), progressive=(1, 2), dealing=dealing))


def test_before_closing_nothing_has_an_outcome() -> None:
    """rws-multilink-three-card 5.7.2, mbs-megalink-holdem 5.16.1: RWS voids; at MBS every wager may be withdrawn
    anyway, so nobody is asked."""
    rws = replay(table(THREE_CARD), bet(1, "ante", "50.00"), report("technical_interruption"))
    assert rws.status() == "void"
    mbs = replay(table(MBS), bet(1, "ante", "50.00"), report("technical_interruption"))
    assert [waits["what"] for waits in mbs.awaiting()] == ["bets"]


def test_after_the_settlement_every_outcome_is_established() -> None:
    """rws-multilink-three-card 5.7.1, mbs-megalink-holdem 5.16.2: the settlement stands."""
    for game, choices in ((THREE_CARD, ["play"]), (MBS, ["flop", "check", "check"])):
        assert interrupted(game, streets(*choices)).status() == "settled"


# ---------------------------------------------------------------- the jackpot Bet and the cards face up


FLOPS = [
    # flop, then: is a jackpot Bet decided in Multi-Link, at MBS, in version 6?
    pytest.param("Ks 7d 2c", (True, True, False), id="K-7-2 of three suits"),
    pytest.param("Ks Kd 2c", (False, False, False), id="K-K-2: K-K, K-2 and 2-2 would pay"),
    pytest.param("9s 8d 7c", (True, False, False), id="9-8-7 of three suits: a straight pays at MBS alone"),
    pytest.param("Js 8d 7c", (True, False, False), id="J-8-7: 10-9 makes a straight"),
    pytest.param("Qs 8d 7c", (True, True, False), id="Q-8-7: no straight holds all three"),
    pytest.param("As 4d 2c", (True, False, False), id="A-4-2: 5-3 makes a straight with the Ace low"),
    pytest.param("As Kd 5c", (True, True, False), id="A-K-5: no straight"),
    pytest.param("Ks 7s 2d", (True, True, False), id="two of a suit make no flush of five"),
    pytest.param("Ks 7s 2s", (False, False, False), id="three of a suit"),
    pytest.param("Ks Qs 2d", (True, True, False), id="K-Q of spades beside a diamond"),
    pytest.param("5s 5d 5c", (False, False, False), id="5-5-5: the fourth, or any pair"),
]


@pytest.mark.parametrize(("flop", "expected"), FLOPS)
def test_a_jackpot_bet_is_decided_when_no_hole_cards_could_change_it(
    flop: str, expected: tuple[bool, bool, bool]
) -> None:
    """rws-multilink-holdem 5.7, 4.2, mbs-megalink-holdem 5.16, 4.2, rws-progressive-holdem 5.7, 4.2, reading
    outcome-established a: Multi-Link pays from a flush, MBS from a straight, version 6 on cards still to come."""
    found = tuple(
        is_established(interrupted(game, FLOP_TURNED, community=f"{flop} 9h 3h", progressive=(1,)))
        for game in WITH_FLOP
    )
    assert found == expected


@pytest.mark.parametrize(("flop", "expected"), FLOPS)
def test_the_answer_is_the_one_of_enumeration(flop: str, expected: tuple[bool, bool, bool]) -> None:
    """rws-multilink-holdem 4.2, mbs-megalink-holdem 4.2, reading outcome-established a: checked against every pair of
    Hole Cards that the deck still has."""
    shown = parse_cards(flop)
    rest = [card for card in DECK if card not in shown]
    for game, decided in zip((MULTI_LINK, MBS), expected[:2], strict=True):
        awards = table_terms(game).book.jackpot.awards
        results = {any(meets(award, own, shown) for award in awards) for own in combinations(rest, 2)}
        assert (len(results) == 1) is decided


@pytest.mark.parametrize("game", [MULTI_LINK, MBS])
def test_without_a_jackpot_bet_a_dead_flop_establishes_nothing(game: str) -> None:
    """rws-multilink-holdem 5.7.2, mbs-megalink-holdem 5.16.1: no Bet on the table depends on it."""
    assert not is_established(interrupted(game, FLOP_TURNED, community="Ks 7d 2c 9h 3h"))


@pytest.mark.parametrize("game", [MULTI_LINK, MBS])
def test_before_the_flop_is_turned_a_jackpot_bet_is_open(game: str) -> None:
    """rws-multilink-holdem 5.7.2, mbs-megalink-holdem 5.16.1, reading outcome-established a: not (b), the cards already
    dealt do not count."""
    dealing = "electronic_shuffler" if game == MULTI_LINK else "method_a"
    result = interrupted(game, decide(1, "flop"), community="Ks 7d 2c 9h 3h", progressive=(1,), dealing=dealing)
    assert not is_established(result)


@pytest.mark.parametrize("game", [MULTI_LINK, MBS])
def test_later_streets_do_not_reopen_a_decided_jackpot_bet(game: str) -> None:
    """rws-multilink-holdem 4.2.1, mbs-megalink-holdem 4.2: only the flop makes the jackpot hand."""
    steps = streets("flop", "check")
    assert is_established(interrupted(game, steps, community="Ks 7d 2c Kh Kd", progressive=(1,)))
    assert not is_established(interrupted(game, steps, community="Ks Kd 2c 7h 9d", progressive=(1,)))


@pytest.mark.parametrize(
    ("flop", "decided"),
    [
        pytest.param("9s 7d 2c", True, id="three suits, no ten or above: nothing can come"),
        pytest.param("9s 8s 7s", False, id="9-8-7 suited: a straight flush can"),
        pytest.param("9s 8s 3s", True, id="9-8-3 suited: no straight holds all three"),
        pytest.param("4s 3s 2s", False, id="4-3-2 suited: upwards, or with the Ace low"),
        pytest.param("Ts 7d 2c", False, id="a ten: a royal flush on the river can"),
        pytest.param("9s 9d 2c", False, id="a pair: four of a kind can"),
    ],
)
def test_version_6_on_hole_cards_and_flop(flop: str, decided: bool) -> None:
    """rws-progressive-holdem 5.7, 4.2, readings outcome-established a and v6-jackpot-hand a: where only the flop counts
    for the hands beneath the royal flush, a flop can leave a jackpot Bet without a line that it could still meet."""
    rulings = {"v6-jackpot-hand": "a"}
    result = interrupted(VERSION_6, FLOP_TURNED, community=f"{flop} 5h 3h", progressive=(1,), rulings=rulings)
    assert is_established(result) is decided


def test_version_6_has_won_when_four_of_a_kind_lie_on_the_board() -> None:
    """rws-progressive-holdem 5.7.1, 4.2, readings outcome-established a and v6-quads-kicker b: 9-9-9-9 after the turn
    pays whatever comes; three of them do not yet."""
    steps = streets("flop", "check")
    assert is_established(interrupted(VERSION_6, steps, community="9c 9d 9h 9s Kd", progressive=(1,)))
    assert not is_established(interrupted(VERSION_6, steps, community="9c 9d 9h 8s Kd", progressive=(1,)))
    assert not is_established(interrupted(VERSION_6, steps, community="9c 9d 9h 9s Kd"))


# ---------------------------------------------------------------- the comparison


def test_with_every_card_turned_the_comparison_is_decided() -> None:
    """mbs-megalink-holdem 5.16.2, 6.1: the settlement waits for a ruling on a wrong-sized Flop, all Hands are turned,
    and a power failure then finds its outcome."""
    held = [decide(1, "flop", amount="30.00", noticed=False), decide(2, "flop"), *streets("check", "check")]
    cards = {"community": "9c 8c 7d Kh 2s", "dealer": "Kd Kc", "box_1": "Jc Tc", "box_2": "7s 4h"}
    result = replay(
        table(MBS, cards=cards),
        [bet(1, "ante", "50.00"), bet(2, "ante", "50.00"), close_bets()],
        held,
        report("technical_interruption"),
        rule("stand", by="shift_manager"),
    )
    assert result.status() == "settled"
    assert any("5.16.2" in notice.rules for notice in result.round().notices)


@pytest.mark.parametrize(
    ("own", "dealer", "decided"),
    [
        pytest.param("Qc 3s", "2d 3c", True, id="won with a higher straight"),
        pytest.param("2c 3s", "Qd 3c", True, id="lost to a higher straight"),
        pytest.param("2c 3s", "2d 3c", False, id="a stand-off, both with the board's straight"),
    ],
)
def test_a_comparison_that_ends_in_a_stand_off_is_no_outcome(own: str, dealer: str, decided: bool) -> None:
    """mbs-megalink-holdem 5.16.1, 5.16.2, 1.1.14, reading outcome-established a: all Hands are turned and a ruling on
    the Flop is awaited; only where no wager is won or lost may Players still withdraw."""
    result = replay(
        table(MBS, community="9c 8c 7d Jh Ts", dealer=dealer, box_1=own),
        [bet(1, "ante", "50.00"), close_bets(), decide(1, "flop", amount="30.00", noticed=False)],
        decides(1, "check", "check"),
        report("technical_interruption"),
    )
    assert [waits["what"] for waits in result.awaiting()] == (["ruling"] if decided else ["ruling", "options"])


@pytest.mark.parametrize(
    ("board", "dealer", "decided"),
    [
        pytest.param("2c 3c 4c 5d 7s", "Js Jd", False, id="a pair of Jacks: some Hands win, others lose"),
        pytest.param("Ac Ah Kd Qs 2c", "As Ad", True, id="four Aces: nothing beats them"),
        pytest.param("Ac Kc Qc Jc Tc", "2s 3d", False, id="a royal flush on the board: all stand off"),
    ],
)
def test_with_the_dealers_cards_turned_every_possible_hand_is_compared(board: str, dealer: str, decided: bool) -> None:
    """rws-multilink-holdem 5.7, reading outcome-established a: the Player's two cards still lie face down."""
    terms, cards = table_terms(MULTI_LINK), parse_cards(board)
    commands: list[RoundCommand] = [OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=5000), CloseBets()]
    for choice, street in zip(("flop", "check", "check"), (cards[:3], cards[3:4], cards[4:]), strict=True):
        commands += [DecideHand(box=1, choice=choice), DealCards(), TurnCards(cards={"community": street})]
    commands[3:3] = [DealCards()]
    state = new_table(terms.boxes)
    for command in (*commands, DealCards(), TurnCards(cards={"dealer": parse_cards(dealer)})):
        verdict = ask(terms, state, command)
        assert not isinstance(verdict, Refusal)
        state = evolve_all(state, verdict)
    assert outcome_established(terms, state) is decided


def test_sun_has_no_such_rule() -> None:
    """sun-casino-holdem Rules ¶5, reading sun-silent: fold or not, an interruption is management's."""
    for steps in ([], [decide(1, "fold")]):
        result = interrupted(SUN, steps)
        assert [waits["what"] for waits in result.awaiting()] == ["ruling"]
