"""The three RWS documents: what a line cites is what decided it, and no more; the reason names the card that won."""

from __future__ import annotations

import pytest

from croupier.rulebooks.terms import table_terms
from tests.scripting import (
    Played,
    Step,
    award,
    bet,
    choose,
    close_bets,
    decide,
    decides,
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
)

HOLDEM, THREE_CARD, VERSION_6 = "rws-multilink-holdem", "rws-multilink-three-card", "rws-progressive-holdem"
RWS = (HOLDEM, THREE_CARD, VERSION_6)
FIRST_BET = {HOLDEM: "flop", THREE_CARD: "play", VERSION_6: "flop"}


def cited(result: Played, box: int, kind: str) -> tuple[str, ...]:
    """Every rule that a line names, in its order."""
    found = result.line(box, kind)
    assert found is not None
    return found.rules


def two_boxes(game: str, *steps: Step, rulings: dict[str, str] | None = None, dealing: str | None = None) -> Played:
    """Ante and jackpot bet on boxes 1 and 2, cards that make nothing, bets closed."""
    return replay(
        jackpot(),
        table(game, rulings=rulings, dealing=dealing),
        [bet(box, kind, amount) for box in (1, 2) for kind, amount in (("ante", "50.00"), ("jackpot", "5.00"))],
        close_bets(),
        list(steps),
    )


# ---------------------------------------------------------------- 3.4: the prescribed amount


@pytest.mark.parametrize(
    ("game", "paragraphs"), [(HOLDEM, "4.2.1 1.21 3.17"), (THREE_CARD, "4.4.1 1.17"), (VERSION_6, "4.2")]
)
def test_a_jackpot_bet_of_the_prescribed_amount_says_nothing_of_amounts(game: str, paragraphs: str) -> None:
    """rws-multilink-holdem 3.4, 4.2.1; rws-multilink-three-card 3.4, 4.4.1; rws-progressive-holdem 3.4, 4.2: it loses
    for its cards alone."""
    first = FIRST_BET[game]
    rest = [] if game == THREE_CARD else [decide(box, "check") for _ in range(2) for box in (1, 2)]
    result = two_boxes(game, decide(1, first), decide(2, first), *rest)
    found = result.line(1, "jackpot")
    assert found is not None
    assert found == line("lose", rules=paragraphs)
    assert "3.4" not in found.rules
    assert found.because == "The cards make no jackpot hand."


# ---------------------------------------------------------------- 4.3: a Bonus that is proved


def test_a_bonus_proved_after_a_refusal_says_so() -> None:
    """rws-multilink-holdem 4.3, refusal-bonus (a): a pair of Aces that was not shown and then proved is paid for both
    reasons; shown at once it is paid for its cards alone."""
    bets = [bet(1, "ante", "50.00"), bet(1, "bonus", "10.00"), close_bets()]
    aces = table(HOLDEM, rulings={"refusal-bonus": "a"}, box_1="As Ah", community="Qs Js 4h 3c 2d", dealer="Kc Qd")
    proved = replay(aces, bets, refuse_reveal(1), prove(1), decides(1, "flop", "check", "check"))
    assert cited(proved, 1, "bonus") == ("4.1", "3.9", "4.3", "refusal-bonus")
    shown = replay(aces, bets, decides(1, "flop", "check", "check"))
    assert cited(shown, 1, "bonus") == ("4.1", "3.9")


# ---------------------------------------------------------------- 5.10: the option that was taken


@pytest.mark.parametrize("game", RWS)
def test_a_hand_given_back_cites_the_option_taken_and_not_the_others(game: str) -> None:
    """rws-multilink-holdem 5.10, 5.10.3; rws-multilink-three-card 5.10, 5.10.3; rws-progressive-holdem 5.10, 5.10.3."""
    error = report("dealing_error", boxes=[1], reconstructible=False, by="pit_supervisor")
    result = two_boxes(game, error, choose(1, "return"), decide(2, "fold"))
    assert cited(result, 1, "ante") == ("5.10", "5.10.3", "option-return-scope")
    assert cited(result, 1, "jackpot") == ("5.10", "5.10.3", "option-return-scope")


@pytest.mark.parametrize("game", RWS)
@pytest.mark.parametrize("leaves_first", [True, False])
def test_bets_of_a_player_who_is_not_there_to_choose_cite_that(game: str, leaves_first: bool) -> None:
    """rws-multilink-holdem 5.10.3; rws-multilink-three-card 5.10.3; rws-progressive-holdem 5.10.3, with the reading
    options-default."""
    error = report("dealing_error", boxes=[1], reconstructible=True, by="pit_supervisor")
    leaves = [walk_away("ana"), error] if leaves_first else [error, walk_away("ana")]
    result = two_boxes(game, decide(1, FIRST_BET[game]), *leaves, decide(2, "fold"))
    assert cited(result, 1, "ante") == ("5.10", "5.10.3", "option-return-scope", "options-default")


@pytest.mark.parametrize(("game", "fold"), [(HOLDEM, "3.11.2.a"), (THREE_CARD, "3.12.1"), (VERSION_6, "3.11.2.a")])
@pytest.mark.parametrize(("reading", "asked", "outcome"), [("a", [1, 2], "returned"), ("b", [2], "lose")])
def test_a_folded_hand_whose_jackpot_bet_is_in_play_is_asked_too(
    game: str, fold: str, reading: str, asked: list[int], outcome: str
) -> None:
    """rws-multilink-holdem 5.9, 5.10, 1.19; rws-multilink-three-card 5.9, 5.10, 1.15; rws-progressive-holdem 5.9, 5.10,
    1.19: he has a bet at the table; the Ante that he folded stays lost."""
    rulings = {"options-after-fold": reading}
    missed = [decide(1, "fold"), report("burn_missed", reconstructible=True, by="pit_manager")]
    assert two_boxes(game, *missed, rulings=rulings).awaiting()[0]["boxes"] == asked
    answers = [choose(box, "return") for box in asked]
    result = two_boxes(game, *missed, *answers, rulings=rulings)
    ante, staked = result.line(1, "ante"), result.line(1, "jackpot")
    assert ante is not None
    assert staked is not None
    assert (ante.outcome, staked.outcome) == ("lose", outcome)
    assert fold in ante.rules
    assert ("options-after-fold" in staked.rules) is (reading == "a")
    assert result.codes == []


@pytest.mark.parametrize("game", RWS)
def test_a_folded_hand_without_a_jackpot_bet_has_nothing_to_choose(game: str) -> None:
    """rws-multilink-holdem 5.10, rws-multilink-three-card 5.10, rws-progressive-holdem 5.10."""
    result = replay(
        table(game),
        [bet(box, "ante", "50.00") for box in (1, 2)],
        close_bets(),
        decide(1, "fold"),
        report("simultaneous_draw"),
        rule("card_order", by="pit_supervisor"),
    )
    assert result.awaiting()[0]["boxes"] == [2]


# ---------------------------------------------------------------- a hand that is not shown


@pytest.mark.parametrize(("game", "paragraph"), [(HOLDEM, "4.3"), (THREE_CARD, "4.5")])
@pytest.mark.parametrize(("reading", "outcome"), [("b", "lose"), ("a", "returned")])
def test_the_later_bet_of_a_hand_not_shown_cites_the_reading(
    game: str, paragraph: str, reading: str, outcome: str
) -> None:
    """rws-multilink-holdem 4.3, rws-multilink-three-card 4.5: the Ante goes by the text, the rest by a reading."""
    first = FIRST_BET[game]
    result = two_boxes(
        game,
        decide(1, first),
        refuse_reveal(1),
        decide(2, "fold"),
        *(decides(1, "check", "check") if game == HOLDEM else []),
        rulings={"refusal-later-bets": reading},
    )
    assert cited(result, 1, "ante") == (paragraph,)
    assert cited(result, 1, first) == (paragraph, "refusal-later-bets")
    later = result.line(1, first)
    assert later is not None
    assert later.outcome == outcome


def test_what_is_proved_after_a_refusal_cites_it() -> None:
    """rws-multilink-three-card 4.5: Pair Plus and jackpot are his to prove."""
    result = replay(
        jackpot(),
        table(THREE_CARD, community="9c 8c", dealer="Kh 4d 2s", box_1="Jc Tc Qc"),
        bet(1, "ante", "10.00"),
        bet(1, "pair_plus", "10.00"),
        bet(1, "jackpot", "5.00"),
        bet(2, "ante", "10.00"),
        close_bets(),
        decide(1, "play"),
        refuse_reveal(1),
        prove(1),
        decide(2, "fold"),
    )
    assert cited(result, 1, "pair_plus") == ("4.2", "3.16", "4.5")
    assert cited(result, 1, "jackpot") == ("4.4", "4.4.1", "4.5")
    assert result.awards() == [award("straight_flush", "10000.10")]


@pytest.mark.parametrize("game", [HOLDEM, VERSION_6])
def test_a_bonus_lost_by_folding_stays_lost_by_it(game: str) -> None:
    """rws-multilink-holdem 3.11.2.a, rws-progressive-holdem 3.11.2.a: whoever folds and then hides the cards has lost
    the Bonus before."""
    result = replay(
        table(game),
        bet(1, "ante", "10.00"),
        bet(1, "bonus", "10.00"),
        bet(2, "ante", "10.00"),
        close_bets(),
        decide(1, "fold"),
        refuse_reveal(1),
        decide(2, "fold"),
    )
    assert cited(result, 1, "bonus") == ("3.11.2.a", "bonus-1000-folded")


# ---------------------------------------------------------------- the jackpot bet


@pytest.mark.parametrize("game", RWS)
def test_a_jackpot_bet_short_of_the_prescribed_amount_cites_the_paragraph_that_prescribes_it(game: str) -> None:
    """rws-multilink-holdem 3.4, rws-multilink-three-card 3.4, rws-progressive-holdem 3.4."""
    result = replay(
        jackpot(),
        table(game, jackpot_bet="5.00"),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", "3.00", noticed=False),
        close_bets(),
        decide(1, "fold"),
    )
    assert cited(result, 1, "jackpot") == ("3.4", "jackpot-amount-wrong")
    assert result.meter == "100000.00"


@pytest.mark.parametrize(("dealing", "fold"), [("card_shoe", "3.11.2.a"), ("electronic_shuffler", "3.12.3.a")])
def test_a_folded_jackpot_bet_cites_the_fold_of_the_procedure_in_use(dealing: str, fold: str) -> None:
    """rws-progressive-holdem 3.11.2.a, 3.12.3.a: each procedure has its own paragraph, and a table uses one of them."""
    result = replay(
        jackpot(),
        table(VERSION_6, dealing=dealing, community="9c 9d 9h 9s Kd"),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", "5.00"),
        close_bets(),
        decide(1, "fold"),
    )
    assert result.awards() == [award("community_four_of_a_kind", "300.00")]
    assert {"3.11.2.a", "3.12.3.a"} & set(cited(result, 1, "jackpot")) == {fold}


@pytest.mark.parametrize("game", [HOLDEM, THREE_CARD])
def test_an_award_after_a_fault_cites_what_freezes_the_meter(game: str) -> None:
    """rws-multilink-holdem 5.17.1, rws-multilink-three-card 5.17.1."""
    cards = {"community": "9c 8c 7c 2s 3d", "box_1": "Jc Tc"} if game == HOLDEM else {"community": "9c 8c"}
    result = replay(
        jackpot(contribution="0.00"),
        table(game, cards={"box_1": "Qc Jc Tc", **cards}),
        bet(1, "ante", "10.00"),
        bet(1, "jackpot", "5.00"),
        close_bets(),
        examine(1),
        report("jackpot_malfunction"),
        decide(1, "fold"),
    )
    assert result.awards() == [award("straight_flush", "10000.00", rules="5.17.1 jackpot-fault")]
    assert {"5.17.1", "jackpot-fault"} <= set(cited(result, 1, "jackpot"))


@pytest.mark.parametrize(
    ("game", "cards", "paragraph"),
    [
        (HOLDEM, {"community": "Qd Jd Td 2s 3c", "box_1": "Ad Kd"}, "4.5.2"),
        (THREE_CARD, {"community": "Jd Td", "box_1": "Ad Kd Qd"}, "4.7.2"),
        (VERSION_6, {"community": "Qd Jd Td 2s 3c", "box_1": "Ad Kd"}, "4.5"),
    ],
)
def test_awards_of_two_tables_cite_what_puts_one_before_the_other(
    game: str, cards: dict[str, str], paragraph: str
) -> None:
    """rws-multilink-holdem 4.5.2, rws-multilink-three-card 4.7.2, rws-progressive-holdem 4.5: the hand dealt first is
    paid first, and both amounts follow from that."""
    finish = ["play"] if game == THREE_CARD else ["flop", "check", "check"]
    result = replay(
        jackpot("1000000.00", reset="200000.00", contribution="0.00"),
        table(game, cards=cards),
        table(game, cards=cards),
        [
            bet(1, kind, amount, at=at)
            for at in ("T1", "T2")
            for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))
        ],
        [close_bets(at=at) for at in ("T1", "T2")],
        decides(1, *finish, at="T2"),
        decides(1, *finish, at="T1"),
    )
    first, second = result.awards(at="T1"), result.awards(at="T2")
    assert [(paid.amount, paragraph in paid.rules) for paid in (*first, *second)] == [
        ("1000000.00", True),
        ("200000.00", True),
    ]
    alone = replay(jackpot(), table(game, cards=cards), bet(1, "ante", "10.00"), bet(1, "jackpot", "5.00"),
                   close_bets(), decides(1, *finish))  # fmt: skip
    assert paragraph not in alone.awards()[0].rules


@pytest.mark.parametrize(("game", "paragraph"), [(HOLDEM, "1.20"), (THREE_CARD, "1.16"), (VERSION_6, "1.20")])
def test_a_jackpot_bet_given_back_takes_its_contribution_with_it_at_once(game: str, paragraph: str) -> None:
    """rws-multilink-holdem 1.20, 5.15; rws-multilink-three-card 1.16, 5.15; rws-progressive-holdem 1.20, 5.15: the next
    award, at whatever table, is not paid from a bet that is no longer in play."""
    royal = {"community": "Jd Td", "box_1": "Ad Kd Qd"}
    royal = royal if game == THREE_CARD else {"community": "Qd Jd Td 2s 3c", "box_1": "Ad Kd"}
    finish = ["play"] if game == THREE_CARD else ["flop", "check", "check"]
    count = report("wrong_box_count", box=1, reconstructible=False, by="pit_supervisor", at="T2")
    result = replay(
        jackpot("1000000.00", reset="200000.00", contribution="0.20"),
        table(game, cards=royal),
        table(game),
        [
            bet(1, kind, amount, at=at)
            for at in ("T1", "T2")
            for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))
        ],
        bet(2, "ante", "10.00", at="T2"),
        [close_bets(at=at) for at in ("T1", "T2")],
        count,
        decides(1, *finish, at="T1"),
    )
    assert result.status(at="T2") == "open"
    assert [paid.amount for paid in result.awards(at="T1")] == ["1000001.00"]
    assert result.meter == "200000.00"
    assert paragraph in table_terms(game).book.jackpot.contribution_rules


@pytest.mark.parametrize("game", RWS)
def test_no_jackpot_bet_is_awaited_where_none_is_taken(game: str) -> None:
    """rws-multilink-holdem 5.17.2.c, rws-multilink-three-card 5.17.2.c, rws-progressive-holdem 5.17.2.c."""
    fault = [bet(1, "ante", "10.00"), close_bets(), report("jackpot_malfunction"), open_round()]
    out_of_order = replay(jackpot(), table(game), fault)
    assert "jackpot" not in str(out_of_order.awaiting(number=2)[0]["bets"])
    restored = replay(jackpot(), table(game), fault, jackpot_mode("restore"))
    assert "jackpot" in str(restored.awaiting(number=2)[0]["bets"])
    assert "jackpot" not in str(replay(table(game)).awaiting()[0]["bets"])


# ---------------------------------------------------------------- 5.9: the missed burn


@pytest.mark.parametrize("game", RWS)
def test_a_burn_missed_voids_a_settled_round_that_everybody_played_blind(game: str) -> None:
    """rws-multilink-holdem 5.9, rws-multilink-three-card 5.9, rws-progressive-holdem 5.9: the hands have been turned by
    then, so their players have seen them."""
    result = replay(
        table(game),
        bet(1, "ante", "10.00"),
        close_bets(),
        decides(1, *(["play"] if game == THREE_CARD else ["flop", "check", "check"])),
        report("burn_missed", reconstructible=True, by="pit_manager"),
    )
    assert result.status() == "void"
    assert "5.9" in cited(result, 1, "ante")
    assert result.net("ana") == "0.00"


@pytest.mark.parametrize("dealing", ["shuffler_community_last", "shuffler_community_first"])
def test_a_shuffler_has_no_burn_to_miss(dealing: str) -> None:
    """rws-multilink-three-card 3.11.1, 3.11.2, 5.9, 5.23: the third community card that is thrown away is none."""
    result = two_boxes(THREE_CARD, report("burn_missed", reconstructible=True, by="pit_manager"), dealing=dealing)
    waits = result.awaiting()[0]
    assert (waits["from"], waits["rules"]) == ("shift_manager", ["5.23"])


# ---------------------------------------------------------------- 3.1.3: which card won


@pytest.mark.parametrize(
    ("community", "box", "dealer", "because"),
    [
        ("Th 9d 7s 4c 3h", "5c 5d", "5h 5s", "Both have Pair of Fives: a stand-off."),
        ("5h 9d 7s 3c 2d", "Kc 5d", "Qh 5c", "Pair of Fives beats the Dealer's Pair of Fives, King against Queen."),
        ("5h 9d 7s 3c 2d", "Jc 5d", "Qh 5c", "The Dealer's Pair of Fives beats Pair of Fives, Queen against Jack."),
        ("6h 9d 7s 3c 2d", "Ac 6d", "5h 5s", "Pair of Sixes beats the Dealer's Pair of Fives."),
        ("9c 9d 9h 9s 3c", "Ac 6d", "Kh 6s", "Four Nines beats the Dealer's Four Nines, Ace against King."),
        (
            "Kh Jh 9h 5h 2s",
            "3h 4c",
            "2h 4d",
            "Flush, King high beats the Dealer's Flush, King high, Three against Two.",
        ),
    ],
)
@pytest.mark.parametrize("game", [HOLDEM, VERSION_6])
def test_hands_of_one_name_say_which_card_told_them_apart(
    game: str, community: str, box: str, dealer: str, because: str
) -> None:
    """rws-multilink-holdem 3.1.3.b, rws-progressive-holdem 3.1.3.b: the highest side card decides."""
    result = replay(
        table(game, community=community, dealer=dealer, box_1=box),
        bet(1, "ante", "10.00"),
        close_bets(),
        decides(1, "flop", "check", "check"),
    )
    found = result.line(1, "flop")
    assert found is not None
    assert found.because.startswith(because)


def test_three_cards_of_one_name_say_which_card_told_them_apart() -> None:
    """rws-multilink-three-card 3.1.3.c: A-K-J over A-K-10."""
    result = replay(
        table(THREE_CARD, dealer="Ah Kd Tc", box_1="As Kh Jc"),
        bet(1, "ante", "10.00"),
        close_bets(),
        decide(1, "play"),
    )
    found = result.line(1, "ante")
    assert found is not None
    assert found.because == "Ace high beats the Dealer's Ace high, Jack against Ten. It pays 1 to 1."


# ---------------------------------------------------------------- 5.6: leaving with nothing to decide


@pytest.mark.parametrize("game", RWS)
def test_leaving_with_nothing_to_decide_is_noted_and_changes_nothing(game: str) -> None:
    """rws-multilink-holdem 5.6, rws-multilink-three-card 5.6, rws-progressive-holdem 5.6."""
    choices = ["play"] if game == THREE_CARD else ["flop", "check", "river"]
    before_the_last = [decide(box, choice) for choice in choices[:-1] for box in (1, 2)]
    last = [decide(1, choices[-1]), decide(2, "fold" if game == THREE_CARD else "check")]
    stays = two_boxes(game, *before_the_last, *last)
    leaves = two_boxes(game, *before_the_last, last[0], walk_away("ana"), last[1])
    assert leaves.lines(1) == stays.lines(1)
    told = [said.rules for said in leaves.round().notices if "nothing to decide" in said.text]
    assert told == [("5.6",)]


# ---------------------------------------------------------------- decisions without a bet


@pytest.mark.parametrize("game", RWS)
def test_chips_put_down_with_a_choice_that_places_no_bet_are_refused(game: str) -> None:
    """rws-multilink-holdem 1.6, 3.11.2.a; rws-multilink-three-card 3.12.1; rws-progressive-holdem 1.6, 3.11.2.a."""
    result = two_boxes(game, decide(1, "fold", amount="10.00", noticed=False), decide(1, "fold"), decide(2, "fold"))
    assert result.codes == ["wrong_amount"]
    assert result.refusals[0].message == "Box 1: fold places no bet, so 10.00 is refused."
