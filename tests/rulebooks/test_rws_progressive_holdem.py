"""RWS Progressive Texas Hold'em, version 6: what every line of sections 3 and 4 comes to, row by row."""

from __future__ import annotations

import pytest

from tests.scripting import (
    Played,
    Step,
    award,
    bet,
    close_bets,
    decide,
    decides,
    jackpot,
    line,
    prove,
    refuse_reveal,
    replay,
    table,
    walk_away,
)

GAME = "rws-progressive-holdem"
ON = ("flop", "check", "check")
RANKS = {
    "royal_flush": ("Ah Kh", "Qh Jh Th 2c 3d", "2s 2d"),
    "straight_flush": ("9h 8h", "Qh Jh Th 2c 3d", "2s 2d"),
    "four_of_a_kind": ("9h 9d", "9c 9s Th 2c 3d", "2s 2d"),
    "full_house": ("9h 9d", "9c Ts Th 2c 3d", "As Kd"),
    "flush": ("Ah 4h", "9h 7h 2h Tc Jd", "As Kd"),
    "straight": ("9h 8d", "7c 6s 5h Kc Kd", "As Ad"),
    "three_of_a_kind": ("9h 9d", "9c 6s 5h Kc Qd", "As Ad"),
    "two_pairs": ("9h 6d", "9c 6s 5h Kc Qd", "As Ad"),
    "pair": ("Ah Ad", "9c 6s 5h Kc Jd", "Qs Qd"),
    "odd_cards": ("Ah 3d", "9c 6s 5h Kc Jd", "Qs 4d"),
}
STRAIGHT_OR_BETTER = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight")


def play(
    *choices: str,
    bonus: str | None = None,
    side: bool = False,
    meter: str = "100000.00",
    dealing: str | None = None,
    rulings: dict[str, str] | None = None,
    before_the_last: Step | None = None,
    cards: dict[str, str] | None = None,
    **places: str,
) -> Played:
    """ana alone on box 1 with an Ante of 100; `side` adds the jackpot Bet of 5, of which the meter gets nothing."""
    steps = [bet(1, "ante", "100.00")]
    if bonus is not None:
        steps.append(bet(1, "bonus", bonus))
    if side:
        steps.append(bet(1, "jackpot", "5.00"))
    decisions = decides(1, *choices)
    if before_the_last is not None:
        decisions.insert(len(decisions) - 1, before_the_last)
    return replay(
        table(GAME, dealing=dealing, rulings=rulings, cards={**(cards or {}), **places}),
        jackpot(meter, contribution="0.00"),
        steps,
        close_bets(),
        decisions,
    )


# ---------------------------------------------------------------- 3.11 and 3.12: the deal


def test_a_card_shoe_burns_before_the_hole_cards_and_before_each_street() -> None:
    """rws-progressive-holdem 3.11.1–3.11.6, 1.4: four burns, the Dealer's two cards last and without one."""
    result = replay(
        table(GAME),
        [bet(box, "ante", "10.00") for box in (7, 1)],
        close_bets(),
        [decide(box, choice) for choice in ("flop", "turn", "river") for box in (1, 7)],
    )
    assert " ".join(result.dealt()) == (
        "burn 1 7 1 7 burn community community community burn community burn community dealer dealer"
    )


def test_a_shuffler_deals_the_board_first_and_burns_nothing() -> None:
    """rws-progressive-holdem 3.12.1, 3.12.2: five Community Cards, two to each box, two to the Dealer."""
    result = replay(
        table(GAME, dealing="electronic_shuffler"),
        [bet(box, "ante", "10.00") for box in (3, 2)],
        close_bets(),
        [decide(box, choice) for choice in ON for box in (2, 3)],
    )
    assert " ".join(result.dealt()) == "community community community community community 2 2 3 3 dealer dealer"


@pytest.mark.parametrize("dealing", ["card_shoe", "electronic_shuffler"])
def test_the_whole_board_is_shown_for_the_jackpot_bet_of_the_last_folded_hand(dealing: str) -> None:
    """rws-progressive-holdem 3.11.2.a, 3.12.3.a, all-folded: community awards need five cards, the Hand stays down."""
    board = "9c 9d 9h 9s Kd"
    result = play("fold", side=True, dealing=dealing, community=board, box_1="As Ah", dealer="2s 3d")
    assert result.round().cards == {"community": tuple(board.split())}
    assert result.awards() == [award("community_four_of_a_kind", "300.00")]
    if dealing == "card_shoe":
        assert " ".join(result.dealt()) == "burn 1 1 burn community community community burn community burn community"


def test_nothing_is_dealt_on_once_the_last_hand_without_a_jackpot_bet_is_folded() -> None:
    """rws-progressive-holdem 3.11.3, all-folded: no Bet is left that needs a card."""
    result = play("fold")
    assert " ".join(result.dealt()) == "burn 1 1"
    assert result.line(1, "ante") == line("lose", returned="0.00", rules="3.11.2.a")


# ---------------------------------------------------------------- 3.13 to 3.15: the comparison


@pytest.mark.parametrize("rank", RANKS)
def test_a_winning_hand_is_paid_and_its_ante_from_a_straight_on(rank: str) -> None:
    """rws-progressive-holdem 3.13, 3.1.2, 4.1: Flop, Turn and River pay 1 to 1, the Ante only from a straight on."""
    own, community, dealer = RANKS[rank]
    result = play("flop", "turn", "river", box_1=own, community=community, dealer=dealer)
    assert result.line(1, "flop") == line("win", staked="200.00", won="200.00", returned="200.00", rules="3.13 4.1")
    assert result.line(1, "turn") == line("win", staked="100.00", won="100.00", returned="100.00", rules="3.13 4.1")
    assert result.line(1, "river") == line("win", staked="100.00", won="100.00", returned="100.00", rules="3.13 4.1")
    if rank in STRAIGHT_OR_BETTER:
        assert result.line(1, "ante") == line("win", won="100.00", returned="100.00", rules="3.13 4.1")
    else:
        assert result.line(1, "ante") == line("stand_off", won="0.00", returned="100.00", rules="3.13")


@pytest.mark.parametrize("rank", RANKS)
def test_a_beaten_hand_loses_its_four_bets(rank: str) -> None:
    """rws-progressive-holdem 3.14: the same Hands with their places exchanged."""
    dealer, community, own = RANKS[rank]
    result = play("flop", "turn", "river", box_1=own, community=community, dealer=dealer)
    for kind in ("ante", "flop", "turn", "river"):
        assert result.line(1, kind) == line("lose", won="0.00", returned="0.00", rules="3.14")
    assert result.net("ana") == "-500.00"


@pytest.mark.parametrize(
    ("own", "dealer", "community"),
    [
        pytest.param("Kh Qd", "8h 7d", "Jc Ts 9h 2c 3d", id="3.1.3.a a King-high straight beats a Jack-high one"),
        pytest.param("5h Kd", "5d Qs", "5c Tc 2s 8h 7d", id="3.1.3.b the King decides between two pairs of 5"),
        pytest.param("Jh 5d", "Th 6d", "Ac Ks 2h 9c 3s", id="3.1.3.c the Jack decides after Ace and King"),
        pytest.param("6h 2d", "Ah Kd", "5c 4s 3h 2c Jd", id="3.1.1 an Ace-low straight is the lowest"),
    ],
)
def test_card_values_decide_inside_a_category(own: str, dealer: str, community: str) -> None:
    """rws-progressive-holdem 3.1.3, 3.1.1, stand-off-by-category: equal categories are not yet a Stand Off."""
    assert play(*ON, box_1=own, dealer=dealer, community=community).line(1, "flop") == line("win", rules="3.13")
    assert play(*ON, box_1=dealer, dealer=own, community=community).line(1, "flop") == line("lose", rules="3.14")


@pytest.mark.parametrize(("letter", "outcome", "won"), [("b", "win", "5000.00"), ("a", "stand_off", "0.00")])
def test_equal_hands_stand_off_and_the_bonus_by_its_reading(letter: str, outcome: str, won: str) -> None:
    """rws-progressive-holdem 3.15, 1.27, bonus-on-stand-off: (b) settles the Bonus on the Hole Cards, (a) not."""
    result = play(
        "flop",
        "turn",
        "river",
        bonus="5.00",
        rulings={"bonus-on-stand-off": letter},
        box_1="As Ah",
        dealer="Ad Ac",
        community="Kd Qh 8c 5s 2d",
    )
    for kind in ("ante", "flop", "turn", "river"):
        assert result.line(1, kind) == line("stand_off", won="0.00", rules="3.15")
    assert result.line(1, "bonus") == line(outcome, won=won, returned="5.00", rules="bonus-on-stand-off")


@pytest.mark.parametrize(("letter", "outcome", "returned"), [("b", "lose", "0.00"), ("a", "stand_off", "5.00")])
def test_an_unlisted_bonus_on_a_stand_off(letter: str, outcome: str, returned: str) -> None:
    """rws-progressive-holdem 3.15, bonus-on-stand-off: (b) an unlisted pair of cards loses even on a tie."""
    result = play(
        *ON,
        bonus="5.00",
        rulings={"bonus-on-stand-off": letter},
        box_1="Qc 7d",
        dealer="Qd 7h",
        community="As Kh Jd 9c 2s",
    )
    assert result.line(1, "ante") == line("stand_off", returned="100.00")
    assert result.line(1, "bonus") == line(outcome, returned=returned, rules="bonus-on-stand-off")


# ---------------------------------------------------------------- 4.1: the Bonus table


@pytest.mark.parametrize(
    ("own", "dealer", "won"),
    [
        pytest.param("As Ah", "Ad Ac", "5000.00", id="A-A in both Hands 1000 to 1"),
        pytest.param("As Ah", "Ad Kc", "150.00", id="A-A in the Player's Hand only 30 to 1"),
        pytest.param("Ks As", "2d 3c", "125.00", id="A-K suited 25 to 1"),
        pytest.param("As Qs", "2d 3c", "100.00", id="A-Q suited 20 to 1"),
        pytest.param("Js As", "2d 3c", "100.00", id="A-J suited 20 to 1"),
        pytest.param("As Kh", "2d 3c", "75.00", id="A-K unsuited 15 to 1"),
        pytest.param("Ks Kh", "2d 3c", "50.00", id="K-K 10 to 1"),
        pytest.param("Qs Qh", "2d 3c", "50.00", id="Q-Q 10 to 1"),
        pytest.param("Js Jh", "2d 3c", "50.00", id="J-J 10 to 1"),
        pytest.param("As Qh", "2d 3c", "25.00", id="A-Q unsuited 5 to 1"),
        pytest.param("Jh As", "2d 3c", "25.00", id="A-J unsuited 5 to 1"),
        pytest.param("Ts Th", "2d 3c", "15.00", id="10-10 3 to 1"),
        pytest.param("2s 2h", "4d 3c", "15.00", id="2-2 3 to 1"),
    ],
)
def test_every_line_of_the_bonus_table(own: str, dealer: str, won: str) -> None:
    """rws-progressive-holdem 4.1, 3.9: the Bonus pays odds to 1 on the two Hole Cards."""
    result = play(*ON, bonus="5.00", box_1=own, dealer=dealer, community="4s 9h 8c 5h 6c")
    assert result.line(1, "bonus") == line("win", staked="5.00", won=won, returned="5.00", rules="3.9 4.1")


@pytest.mark.parametrize("own", ["As Ts", "Ks Qs", "Js Ts", "3s 2h"])
def test_hole_cards_beside_the_bonus_table_lose(own: str) -> None:
    """rws-progressive-holdem 4.1, bonus-unlisted-loses: just below or beside a line is no line."""
    result = play(*ON, bonus="5.00", box_1=own, dealer="9d 9c", community="4s 9h 8c 5h 6c")
    assert result.line(1, "bonus") == line("lose", won="0.00", returned="0.00", rules="bonus-unlisted-loses")


@pytest.mark.parametrize(("letter", "outcome", "won"), [("b", "lose", "0.00"), ("a", "win", "150.00")])
def test_the_dealers_aces_alone_and_the_bonus(letter: str, outcome: str, won: str) -> None:
    """rws-progressive-holdem 3.9, 4.1, bonus-dealer-only: never by default."""
    result = play(
        *ON,
        bonus="5.00",
        rulings={"bonus-dealer-only": letter},
        box_1="Ks 7d",
        dealer="As Ah",
        community="4s 9h 8c 5h 6c",
    )
    assert result.line(1, "bonus") == line(outcome, won=won)


@pytest.mark.parametrize(("letter", "won"), [("b", "100000.00"), ("a", "99850.00")])
def test_the_bonus_pays_at_most_100000(letter: str, won: str) -> None:
    """rws-progressive-holdem 4.1.1, bonus-cap: (b) caps the winnings, (a) winnings and stake together."""
    result = play(
        *ON,
        bonus="150.00",
        rulings={"bonus-cap": letter},
        box_1="As Ah",
        dealer="Ad Ac",
        community="Kd Qh 8c 5s 2d",
    )
    assert result.line(1, "bonus") == line("win", won=won, returned="150.00", rules="4.1.1")


# ---------------------------------------------------------------- 3.11.2.a: folding


@pytest.mark.parametrize(("dealing", "rule"), [("card_shoe", "3.11.2.a"), ("electronic_shuffler", "3.12.3.a")])
def test_a_fold_loses_ante_and_bonus(dealing: str, rule: str) -> None:
    """rws-progressive-holdem 3.11.2.a, 3.12.3.a, bonus-1000-folded."""
    result = play("fold", bonus="5.00", dealing=dealing, box_1="Ac Ad", dealer="As Ah")
    assert result.line(1, "ante") == line("lose", returned="0.00", rules=rule)
    assert result.line(1, "bonus") == line("lose", returned="0.00", rules=rule)


@pytest.mark.parametrize(
    ("own", "community"),
    [
        pytest.param("Ad Kd", "Qd Jd Td 2c 3s", id="royal flush on the flop"),
        pytest.param("Ad 4c", "Kd Qd Jd Td 2s", id="royal flush on the turn"),
        pytest.param("9d 8d", "Qd Jd Td 2c 3s", id="straight flush"),
        pytest.param("9d 9c", "9h 9s Td 2c 3s", id="four of a kind"),
    ],
)
def test_a_folded_hand_wins_nothing_with_its_own_cards(own: str, community: str) -> None:
    """rws-progressive-holdem 3.11.2.a, v6-royal-folded: a fold keeps the community awards only."""
    result = play("fold", side=True, box_1=own, community=community)
    assert result.line(1, "jackpot") == line("lose", won="0.00", returned="0.00", rules="3.11.2.a")
    assert result.awards() == []


# ---------------------------------------------------------------- 4.2: the jackpot table


@pytest.mark.parametrize(
    ("own", "community", "hand", "pays", "won"),
    [
        pytest.param(
            "Ad Kd", "Qd Jd Td 2c 3s", "royal_flush_on_flop", "100%", "100000.00", id="royal on the flop 100%"
        ),
        pytest.param("Ad 4c", "Kd Qd Jd Td 2s", "royal_flush_on_turn", "25%", "25000.00", id="royal on the turn 25%"),
        pytest.param("Ad Kd", "Qd Jd 2c Td 3s", "royal_flush_on_turn", "25%", "25000.00", id="both Hole Cards, turn"),
        pytest.param("Ad 4c", "Kd Qd Jd 2s Td", "royal_flush_on_river", "5%", "5000.00", id="royal on the river 5%"),
        pytest.param(
            "9d 8d", "Qd Jd Td 2c 3s", "straight_flush", "1500.00", "1500.00", id="straight flush on the flop"
        ),
        pytest.param(
            "9d 2c", "Qd Jd Td 8d 3s", "straight_flush", "1500.00", "1500.00", id="straight flush on the turn"
        ),
        pytest.param("9d 8d", "Qd Jd 2c 3s Td", "straight_flush", "1500.00", "1500.00", id="straight flush, river"),
        pytest.param("5c 4c", "3c 2c Ac 2h 3d", "straight_flush", "1500.00", "1500.00", id="steel wheel $1,500"),
        pytest.param("9d 9c", "9h 9s Td 2c 3s", "four_of_a_kind", "300.00", "300.00", id="four of a kind on the flop"),
        pytest.param("9d 9c", "9h 2s Td 3c 9s", "four_of_a_kind", "300.00", "300.00", id="four of a kind on the river"),
    ],
)
def test_every_line_of_the_hands_with_hole_cards(own: str, community: str, hand: str, pays: str, won: str) -> None:
    """rws-progressive-holdem 4.2, v6-street, v6-jackpot-hand: royal flushes by street, the two hands beneath from all
    seven cards; the Bet itself is collected."""
    result = play(*ON, side=True, box_1=own, community=community, dealer="Ks Qs")
    assert result.awards() == [award(hand, won, box=1, pays=pays, rules="4.2")]
    assert result.line(1, "jackpot") == line("win", staked="5.00", won=won, returned="0.00", rules="4.2")


@pytest.mark.parametrize(
    ("community", "hand", "won"),
    [
        pytest.param("Ad Kd Qd Jd Td", "community_royal_flush", "10000.00", id="Community Royal Flush $10,000"),
        pytest.param("9d Kd Qd Jd Td", "community_straight_flush", "1500.00", id="Community Straight Flush $1,500"),
        pytest.param("9c 9d 9h 9s Kd", "community_four_of_a_kind", "300.00", id="Community Four of a Kind $300"),
    ],
)
@pytest.mark.parametrize("choices", [ON, ("fold",)], ids=["live", "folded"])
def test_every_line_of_the_community_hands(choices: tuple[str, ...], community: str, hand: str, won: str) -> None:
    """rws-progressive-holdem 4.2, 3.11.2.a, v6-quads-kicker: paid to live and folded Hands alike, once."""
    result = play(*choices, side=True, community=community, box_1="2s 3c", dealer="4s 5c")
    assert len(result.awards()) == 1
    assert result.line(1, "jackpot") == line("win", won=won, returned="0.00", rules="4.2")
    if choices == ("fold",):
        assert result.awards() == [award(hand, won, pays=won)]
    assert result.meter == "100000.00"


@pytest.mark.parametrize(
    ("own", "community"),
    [
        pytest.param("9h 9d", "9c Ts Th 2c 3d", id="full house"),
        pytest.param("Ah 4h", "9h 7h 2h Tc Jd", id="flush"),
        pytest.param("9h 8d", "7c 6s 5h Kc Kd", id="straight"),
    ],
)
def test_what_is_no_line_of_the_jackpot_table_loses(own: str, community: str) -> None:
    """rws-progressive-holdem 4.2, bonus-unlisted-loses: this table ends with four of a kind."""
    result = play(*ON, side=True, box_1=own, community=community, dealer="As Qd")
    assert result.line(1, "jackpot") == line("lose", won="0.00", returned="0.00", rules="4.2")


def test_a_royal_flush_on_the_board_is_not_the_five_per_cent_line() -> None:
    """rws-progressive-holdem 4.2 (note **), v6-jackpot-hand: without a Hole Card it is the community award."""
    result = play(*ON, side=True, meter="900000.00", community="Ad Kd Qd Jd Td", box_1="2s 3c", dealer="4s 5c")
    assert result.awards() == [award("community_royal_flush", "10000.00")]
    assert result.meter == "900000.00"


def test_a_hole_card_that_doubles_the_board_is_not_part_of_the_hand() -> None:
    """rws-progressive-holdem 4.2 (note **): the King of hearts makes no other royal flush than the board's."""
    result = play(*ON, side=True, meter="900000.00", community="Ad Kd Qd Jd Td", box_1="Kh As", dealer="4s 5c")
    assert result.awards() == [award("community_royal_flush", "10000.00")]


@pytest.mark.parametrize(
    ("meter", "choices", "hand", "won", "left"),
    [
        ("100000.00", ON, "royal_flush_on_river", "5000.00", "95000.00"),
        ("20000.00", ON, "straight_flush", "1500.00", "20000.00"),
        ("100000.00", ("fold",), "community_straight_flush", "1500.00", "100000.00"),
    ],
    ids=["5% is greater", "$1,500 is greater", "folded"],
)
def test_one_bet_earns_one_award_the_greatest_amount(
    meter: str, choices: tuple[str, ...], hand: str, won: str, left: str
) -> None:
    """rws-progressive-holdem 4.2, v6-jackpot-hand (d): a royal flush on the river, a straight flush on the board."""
    result = play(*choices, side=True, meter=meter, box_1="Ad 4c", community="Kd Qd Jd 9d Td", dealer="2s 3c")
    assert result.awards() == [award(hand, won)]
    assert result.meter == left


def test_every_line_is_paid_where_the_house_reads_it_so() -> None:
    """rws-progressive-holdem 4.2, v6-jackpot-hand (c): the royal flush on the river and both straight flushes."""
    result = play(
        *ON,
        side=True,
        rulings={"v6-jackpot-hand": "c"},
        box_1="Ad 4c",
        community="Kd Qd Jd 9d Td",
        dealer="2s 3c",
    )
    assert result.awards() == [
        award("royal_flush_on_river", "5000.00"),
        award("straight_flush", "1500.00"),
        award("community_straight_flush", "1500.00"),
    ]
    assert result.line(1, "jackpot") == line("win", won="8000.00", returned="0.00")
    assert result.meter == "95000.00"


@pytest.mark.parametrize(("letter", "outcome"), [("a", "lose"), ("b", "win")])
def test_hole_cards_and_flop_cards_only_where_the_house_reads_it_so(letter: str, outcome: str) -> None:
    """rws-progressive-holdem 4.2, v6-jackpot-hand (a): four of a kind that needs the River Card is none."""
    result = play(
        *ON,
        side=True,
        rulings={"v6-jackpot-hand": letter},
        box_1="9d 9c",
        community="9h 2s Td 3c 9s",
        dealer="As Kc",
    )
    assert result.line(1, "jackpot") == line(outcome)


@pytest.mark.parametrize(
    ("letter", "hand", "won"), [("a", "royal_flush_on_flop", "100000.00"), ("b", "royal_flush_on_river", "5000.00")]
)
def test_the_street_of_a_royal_flush(letter: str, hand: str, won: str) -> None:
    """rws-progressive-holdem 4.2, v6-street: (a) the first street on which it exists, (b) the one on which it is shown,
    which is the river."""
    result = play(
        *ON,
        side=True,
        rulings={"v6-street": letter},
        box_1="Ad Kd",
        community="Qd Jd Td 2c 3s",
        dealer="4s 5c",
    )
    assert result.awards() == [award(hand, won)]


@pytest.mark.parametrize(("letter", "outcome"), [("a", "lose"), ("b", "win")])
def test_four_of_a_kind_and_the_hole_card(letter: str, outcome: str) -> None:
    """rws-progressive-holdem 4.2 (note **), v6-quads-kicker: (a) asks a Hole Card of the four of a kind line, and the
    board's own is then paid by the community table alone."""
    cards = {"community": "9c 9d 9h 9s Kd", "dealer": "4s 5c"}
    low = play(*ON, side=True, rulings={"v6-quads-kicker": letter}, box_1="2s 3c", cards=cards)
    assert low.awards()[0].hand == ("community_four_of_a_kind" if outcome == "lose" else "four_of_a_kind")
    assert low.line(1, "jackpot") == line("win", won="300.00")


def test_the_jackpot_is_paid_whatever_the_dealer_holds() -> None:
    """rws-progressive-holdem 3.16, 5.17.1, v6-lost-3.16: four of a kind that loses to a straight flush is paid."""
    result = play(*ON, side=True, box_1="9d 9s", community="9h 9c Th Jh 2d", dealer="Qh 8h")
    assert result.line(1, "flop") == line("lose", rules="3.14")
    assert result.line(1, "jackpot") == line("win", won="300.00", rules="4.2")


def test_a_royal_flush_on_the_board_pays_every_jackpot_bet() -> None:
    """rws-progressive-holdem 4.2, v6-same-table, major-label-v6: fixed amounts need no order of payment."""
    result = replay(
        table(GAME, community="Ad Kd Qd Jd Td"),
        jackpot(contribution="0.00"),
        [bet(box, kind, amount) for box in (1, 2, 3) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        [close_bets(), decide(1, "flop"), decide(2, "fold"), decide(3, "flop")],
        [decide(box, "check") for _ in range(2) for box in (1, 3)],
    )
    assert result.awards() == [award("community_royal_flush", "10000.00", box=box) for box in (1, 2, 3)]
    assert result.meter == "100000.00"


# ---------------------------------------------------------------- 4.3: refusing to show


def test_an_unproved_hand_loses_but_keeps_the_community_awards() -> None:
    """rws-progressive-holdem 4.3, refusal-later-bets: no fold is deemed, but what is not proved cannot outrank."""
    result = play(
        "flop",
        "turn",
        "river",
        bonus="10.00",
        side=True,
        before_the_last=refuse_reveal(1),
        box_1="As Ah",
        community="9c 9d 9h 9s Kd",
        dealer="Qs Qd",
    )
    for kind in ("ante", "flop", "turn", "river", "bonus"):
        assert result.line(1, kind) == line("lose", won="0.00", returned="0.00", rules="4.3")
    assert result.awards() == [award("community_four_of_a_kind", "300.00")]


def proved(**rulings: str) -> Played:
    """Four Aces with a flop of two; refused before the last decision, then proved."""
    return replay(
        table(GAME, rulings=rulings, box_1="As Ah", community="Ad Ac 7s 2h 3h", dealer="Kd Qs"),
        jackpot(),
        [bet(1, "ante", "50.00"), bet(1, "bonus", "10.00"), bet(1, "jackpot", "5.00"), close_bets()],
        decides(1, "flop", "check"),
        [refuse_reveal(1), prove(1), decide(1, "check")],
    )


def test_a_proof_saves_the_jackpot_bet_alone() -> None:
    """rws-progressive-holdem 4.3, readings v6-proof b and refusal-later-bets b: the Hand was not revealed for the
    comparison, so the other Bets are lost; the award is paid on what was proved."""
    result = proved()
    for kind in ("ante", "flop"):
        assert result.line(1, kind) == line("lose", returned="0.00", rules="4.3 v6-proof refusal-later-bets")
    assert result.line(1, "bonus") == line("lose", rules="4.3")
    assert result.line(1, "jackpot") == line("win", won="300.00", rules="4.3 4.2")


def test_a_proved_hand_plays_on_where_the_house_reads_it_so() -> None:
    """rws-progressive-holdem 4.3, reading v6-proof a: whoever establishes the rank of his Hand is compared like any
    other."""
    result = proved(**{"v6-proof": "a"})
    assert result.line(1, "ante") == line("win", won="50.00", rules="3.13")
    assert result.line(1, "bonus") == line("win", won="300.00")
    assert result.line(1, "jackpot") == line("win", won="300.00")


@pytest.mark.parametrize(("letter", "codes"), [("b", ["nothing_to_prove"]), ("a", [])])
def test_without_a_jackpot_bet_a_proof_saves_nothing(letter: str, codes: list[str]) -> None:
    """rws-progressive-holdem 4.3, reading v6-proof (a and b): so it is refused; under (a) the Ante could be saved."""
    result = replay(
        table(GAME, rulings={"v6-proof": letter}, box_1="As Ah", community="Ad Ac 7s 2h 3h", dealer="Kd Qs"),
        [bet(1, "ante", "50.00"), close_bets(), *decides(1, "flop", "check")],
        [refuse_reveal(1), prove(1), decide(1, "check")],
    )
    assert result.codes == codes
    assert result.line(1, "ante") == line("lose" if letter == "b" else "win")


def test_an_unproved_hand_wins_no_award_with_its_own_cards() -> None:
    """rws-progressive-holdem 4.3: a royal flush on the flop that nobody sees is no royal flush."""
    result = play(
        *ON, side=True, before_the_last=refuse_reveal(1), box_1="Ad Kd", community="Qd Jd Td 2c 3s", dealer="4s 5c"
    )
    assert result.line(1, "jackpot") == line("lose", won="0.00", rules="4.3")
    assert result.meter == "100000.00"


@pytest.mark.parametrize(("letter", "outcome", "returned"), [("a", "returned", "200.00"), ("b", "lose", "0.00")])
def test_what_a_refusal_costs_beyond_the_ante(letter: str, outcome: str, returned: str) -> None:
    """rws-progressive-holdem 4.3, refusal-later-bets: (a) gives the Flop back, (b) takes it."""
    result = play(
        *ON,
        rulings={"refusal-later-bets": letter},
        before_the_last=refuse_reveal(1),
        box_1="9s 4h",
        community="Ad Kc 7s 2h 3h",
        dealer="Kd Qs",
    )
    assert result.line(1, "flop") == line(outcome, returned=returned, rules="4.3")
    assert result.line(1, "ante") == line("lose", returned="0.00", rules="4.3")


# ---------------------------------------------------------------- 5.5: walking away


def test_leaving_with_a_royal_flush_leaves_the_community_table_only() -> None:
    """rws-progressive-holdem 5.5, 3.11.2.a, walk-away-after-flop: the Hand is folded, its royal flush with it."""
    result = replay(
        table(GAME, box_1="Ad Kd", community="Qd Jd Td 2c 3s", dealer="4s 5c"),
        jackpot(contribution="0.00"),
        [bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00"), close_bets(), decide(1, "flop"), walk_away("ana")],
    )
    assert result.line(1, "flop") == line("lose", returned="0.00", rules="5.5")
    assert result.line(1, "jackpot") == line("lose", won="0.00")
    assert result.meter == "100000.00"
    told = [notice for notice in result.round().notices if "shift manager is informed" in notice.text]
    assert {"5.5", "walk-away-after-flop"} <= set(told[0].rules)


def test_leaving_before_the_flop_bet_is_a_fold_like_any_other() -> None:
    """rws-progressive-holdem 5.5: nothing was won yet, so nobody has to be told."""
    result = replay(
        table(GAME, box_1="Ad Kd", community="Qd Jd Td 2c 3s", dealer="4s 5c"),
        jackpot(contribution="0.00"),
        [bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00"), close_bets(), walk_away("ana")],
    )
    assert result.line(1, "jackpot") == line("lose", won="0.00", rules="5.5")
    assert not [notice for notice in result.notices() if "shift manager" in notice]


def test_leaving_deems_checks_where_the_house_reads_it_so() -> None:
    """rws-progressive-holdem 5.5, 1.17, walk-away-after-flop (b): the royal flush stays in the Round."""
    result = replay(
        table(GAME, rulings={"walk-away-after-flop": "b"}, box_1="Ad Kd", community="Qd Jd Td 2c 3s", dealer="4s 5c"),
        jackpot(contribution="0.00"),
        [bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00"), close_bets(), decide(1, "flop"), walk_away("ana")],
    )
    assert result.line(1, "flop") == line("win", won="100.00")
    assert result.awards() == [award("royal_flush_on_flop", "100000.00")]
