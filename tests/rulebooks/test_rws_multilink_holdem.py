"""RWS Multi-Link Texas Hold'em: what every line of sections 3 and 4 comes to, row by row."""

from __future__ import annotations

import pytest

from croupier.cards import best_five, parse_cards, rank, slug
from croupier.rulebooks.terms import BadTerms, table_terms
from croupier.scripts import BadScript
from tests.scripting import (
    Played,
    Step,
    award,
    bet,
    close_bets,
    decide,
    decides,
    examine,
    jackpot,
    line,
    prove,
    refuse_reveal,
    replay,
    table,
    walk_away,
)

GAME = "rws-multilink-holdem"
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
    dealing: str | None = None,
    rulings: dict[str, str] | None = None,
    before_the_last: Step | None = None,
    cards: dict[str, str] | None = None,
    **places: str,
) -> Played:
    """ana alone on box 1 with an Ante of 100; `side` adds the jackpot Bet of 5."""
    steps = [bet(1, "ante", "100.00")]
    if bonus is not None:
        steps.append(bet(1, "bonus", bonus))
    if side:
        steps.append(bet(1, "jackpot", "5.00"))
    decisions = decides(1, *choices)
    if before_the_last is not None:
        decisions.insert(len(decisions) - 1, before_the_last)
    limits = {"ante": ["10.00", "500.00"], "bonus": ["5.00", "500.00"]}
    return replay(
        table(GAME, dealing=dealing, rulings=rulings, limits=limits, cards={**(cards or {}), **places}),
        jackpot(),
        steps,
        close_bets(),
        decisions,
    )


# ---------------------------------------------------------------- 3.11 and 3.12: the deal


def test_a_card_shoe_burns_before_the_hole_cards_and_before_each_street() -> None:
    """rws-multilink-holdem 3.11.1–3.11.6, 1.4: burn, one card each twice round, burn, flop, burn, turn, burn, river,
    then the Dealer's two without a burn."""
    result = replay(
        table(GAME),
        [bet(box, "ante", "10.00") for box in (2, 5, 3)],
        close_bets(),
        [decide(box, choice) for choice in ("flop", "turn", "river") for box in (2, 3, 5)],
    )
    assert " ".join(result.dealt()) == (
        "burn 2 3 5 2 3 5 burn community community community burn community burn community dealer dealer"
    )
    assert result.status() == "settled"


def test_a_shuffler_deals_the_board_first_and_burns_nothing() -> None:
    """rws-multilink-holdem 3.12.1, 3.12.2: five Community Cards, two to each box clockwise, two to the Dealer."""
    result = replay(
        table(GAME, dealing="electronic_shuffler"),
        [bet(box, "ante", "10.00") for box in (6, 1)],
        close_bets(),
        [decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 6)],
    )
    assert " ".join(result.dealt()) == "community community community community community 1 1 6 6 dealer dealer"
    assert result.status() == "settled"


@pytest.mark.parametrize(
    ("dealing", "dealt"),
    [
        ("card_shoe", "burn 1 1"),
        ("electronic_shuffler", "community community community community community 1 1 dealer dealer"),
    ],
)
def test_nothing_is_dealt_on_once_the_last_hand_without_a_jackpot_bet_is_folded(dealing: str, dealt: str) -> None:
    """rws-multilink-holdem 3.11.3, all-folded: no Bet is left that needs a card."""
    result = play("fold", dealing=dealing)
    assert " ".join(result.dealt()) == dealt
    assert result.round().cards == {}
    assert result.line(1, "ante") == line(
        "lose", returned="0.00", rules="3.11.2.a" if dealt == "burn 1 1" else "3.12.3.a"
    )


@pytest.mark.parametrize("dealing", ["card_shoe", "electronic_shuffler"])
def test_the_flop_is_shown_for_the_jackpot_bet_of_the_last_folded_hand(dealing: str) -> None:
    """rws-multilink-holdem 3.11.2.a, 3.12.3.a, all-folded: the flop and the folded Hand are turned, nothing more."""
    result = play("fold", side=True, dealing=dealing, community="7d 7c 2s 3h 4h", box_1="7s 7h", dealer="As Ad")
    assert result.round().cards == {"community": ("7d", "7c", "2s"), "1": ("7s", "7h")}
    assert result.line(1, "jackpot") == line("win", won="2000.00", returned="0.00", rules="3.16 4.2")
    if dealing == "card_shoe":
        assert " ".join(result.dealt()) == "burn 1 1 burn community community community"


def test_one_deck_is_in_play() -> None:
    """rws-multilink-holdem 2.2.1, 3.1.2, 3.17, example-typos: a card that is named twice is no card of the deck."""
    with pytest.raises(BadScript, match=r"^step 0, cards\.1: Qs is named twice, here and for dealer\.$"):
        play("fold", dealer="Qs Qh", box_1="Qs 8h")


# ---------------------------------------------------------------- 3.13 to 3.15: the comparison


@pytest.mark.parametrize("rank", RANKS)
def test_a_winning_hand_is_paid_and_its_ante_from_a_straight_on(rank: str) -> None:
    """rws-multilink-holdem 3.13, 3.1.2, 4.1: Flop, Turn and River pay 1 to 1, the Ante only from a straight on."""
    own, community, dealer = RANKS[rank]
    result = play("flop", "turn", "river", box_1=own, community=community, dealer=dealer)
    assert result.line(1, "flop") == line("win", staked="200.00", won="200.00", returned="200.00", rules="3.13 4.1")
    assert result.line(1, "turn") == line("win", staked="100.00", won="100.00", returned="100.00", rules="3.13 4.1")
    assert result.line(1, "river") == line("win", staked="100.00", won="100.00", returned="100.00", rules="3.13 4.1")
    if rank in STRAIGHT_OR_BETTER:
        assert result.line(1, "ante") == line("win", won="100.00", returned="100.00", rules="3.13 4.1")
        assert result.net("ana") == "500.00"
    else:
        assert result.line(1, "ante") == line("stand_off", won="0.00", returned="100.00", rules="3.13")
        assert result.net("ana") == "400.00"


@pytest.mark.parametrize(("above", "below"), list(zip(list(RANKS), list(RANKS)[1:], strict=False)))
def test_each_rank_beats_the_next_on_the_list(above: str, below: str) -> None:
    """rws-multilink-holdem 3.1.2, 3.13, 3.14: the ranking list in its order, seen from both sides."""
    five = {
        "royal_flush": ("Ah Kh", "Qh Jh Th 2c 3d", "9h 8h"),
        "straight_flush": ("9h 8h", "Qh Jh Th Td Tc", "Ts 2d"),
        "four_of_a_kind": ("9h 9d", "9c 9s Kh Kc 3d", "Ks 2d"),
        "full_house": ("9h 9d", "9c Ts Th 4h 3h", "Ah 2h"),
        "flush": ("Ah 4h", "9h 7h 2h Tc Jd", "Kd Qs"),
        "straight": ("9h 8d", "7c 6s 5h Kc Kd", "Ks 2d"),
        "three_of_a_kind": ("9h 9d", "9c 6s 5h Kc Qd", "Ks Qs"),
        "two_pairs": ("9h 6d", "9c 6s 5h Kc Qd", "As Ad"),
        "pair": ("2h 2d", "9c 6s 5h Kc Jd", "As Qd"),
    }
    first, community, second = five[above]
    winner = play("flop", "check", "check", box_1=first, community=community, dealer=second)
    loser = play("flop", "check", "check", box_1=second, community=community, dealer=first)
    assert winner.line(1, "flop") == line("win", rules="3.13")
    assert loser.line(1, "flop") == line("lose", returned="0.00", rules="3.14")
    ranks = [slug(rank(best_five(parse_cards(f"{hand} {community}")))) for hand in (first, second)]
    assert ranks == [above, below]


@pytest.mark.parametrize(
    ("own", "dealer", "community"),
    [
        pytest.param("Kh Qd", "8h 7d", "Jc Ts 9h 2c 3d", id="3.1.3.a a King-high straight beats a Jack-high one"),
        pytest.param("5h Kd", "5d Qs", "5c Tc 2s 8h 7d", id="3.1.3.b the King decides between two pairs of 5"),
        pytest.param("Jh 5d", "Th 6d", "Ac Ks 2h 9c 3s", id="3.1.3.c the Jack decides after Ace and King"),
        pytest.param("6h 2d", "Ah Kd", "5c 4s 3h 9c Jd", id="3.1.1 an Ace-low straight is the lowest"),
    ],
)
def test_card_values_decide_inside_a_category(own: str, dealer: str, community: str) -> None:
    """rws-multilink-holdem 3.1.3, 3.1.1, stand-off-by-category: equal categories are not yet a Stand Off."""
    result = play("flop", "check", "check", box_1=own, dealer=dealer, community=community)
    assert result.line(1, "flop") == line("win", rules="3.13")
    mirrored = play("flop", "check", "check", box_1=dealer, dealer=own, community=community)
    assert mirrored.line(1, "flop") == line("lose", rules="3.14")


def test_a_losing_hand_loses_its_four_bets() -> None:
    """rws-multilink-holdem 3.14: Ante, Flop, Turn and River are collected; a Bonus is settled on its own."""
    result = play("flop", "turn", "river", bonus="10.00", box_1="As Ks", community="9h 7d 4c 2s Jd", dealer="9d 9c")
    for kind in ("ante", "flop", "turn", "river"):
        assert result.line(1, kind) == line("lose", won="0.00", returned="0.00", rules="3.14")
    assert result.line(1, "bonus") == line("win", won="250.00", returned="10.00", rules="3.9 4.1")
    assert result.net("ana") == "-250.00"


def test_equal_hands_stand_off_but_bonus_and_jackpot_are_settled() -> None:
    """rws-multilink-holdem 3.15, 1.28: Ante, Flop, Turn and River go back; Bonus and jackpot Bet come to their end."""
    result = play(
        "flop", "turn", "river", bonus="5.00", side=True, box_1="As Ah", dealer="Ad Ac", community="Kd Qh 8c 5s 2d"
    )
    for kind in ("ante", "flop", "turn", "river"):
        assert result.line(1, kind) == line("stand_off", won="0.00", rules="3.15 1.28")
    assert result.line(1, "bonus") == line("win", won="5000.00", returned="5.00", rules="4.1")
    assert result.line(1, "jackpot") == line("lose", returned="0.00", rules="4.2.1 3.17")
    assert result.net("ana") == "4995.00"


def test_an_unlisted_bonus_is_lost_on_a_stand_off_and_on_a_win() -> None:
    """rws-multilink-holdem 3.9, 4.1, bonus-unlisted-loses: only the Hole Cards count."""
    tie = play("flop", "check", "check", bonus="5.00", box_1="Qc 7d", dealer="Qd 7h", community="As Kh Jd 9c 2s")
    assert tie.line(1, "ante") == line("stand_off", returned="100.00", rules="3.15")
    assert tie.line(1, "bonus") == line("lose", returned="0.00", rules="3.9 bonus-unlisted-loses")
    win = play("flop", "check", "check", bonus="5.00", box_1="Js Ts", dealer="4d 2h", community="Jd Th 9c 3s 5d")
    assert win.line(1, "flop") == line("win")
    assert win.line(1, "bonus") == line("lose", returned="0.00")


def test_the_dealer_needs_no_qualifying_hand() -> None:
    """rws-multilink-holdem 4.4, qualifying-hand-ml-h: seven high is compared like any other Hand."""
    result = play("flop", "check", "check", box_1="9h 8d", dealer="7h 5d", community="2c 3s 4h Tc Kd")
    assert result.line(1, "flop") == line("win", won="200.00", rules="3.13 4.1")


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
        pytest.param("7s 7h", "2d 3c", "15.00", id="7-7 3 to 1"),
        pytest.param("2s 2h", "4d 3c", "15.00", id="2-2 3 to 1"),
    ],
)
def test_every_line_of_the_bonus_table(own: str, dealer: str, won: str) -> None:
    """rws-multilink-holdem 4.1, 3.9: the Bonus pays odds to 1 on the two Hole Cards."""
    result = play("flop", "check", "check", bonus="5.00", box_1=own, dealer=dealer, community="4s 9h 8c 5h 6c")
    assert result.line(1, "bonus") == line("win", staked="5.00", won=won, returned="5.00", rules="3.9 4.1")


@pytest.mark.parametrize("own", ["As Th", "As Ts", "Ks Qs", "Ks 7d", "Js Ts", "3s 2h"])
def test_hole_cards_beside_the_bonus_table_lose(own: str) -> None:
    """rws-multilink-holdem 4.1, bonus-unlisted-loses: just below or beside a line is no line."""
    result = play("flop", "check", "check", bonus="5.00", box_1=own, dealer="9d 9c", community="4s 9h 8c 5h 6c")
    assert result.line(1, "bonus") == line("lose", won="0.00", returned="0.00", rules="bonus-unlisted-loses")


def test_a_stakeboard_lists_no_bonus_that_two_hole_cards_cannot_make() -> None:
    """rws-multilink-holdem 3.9, 4.1: the Bonus looks at Hole Cards alone, so a row for a flush would never be paid."""
    with pytest.raises(BadTerms, match='There is no line "flush": the lines are aces_both, aces'):
        table_terms(GAME, pay_tables={"bonus": {"flush": "5 to 1"}})


def test_the_dealers_aces_alone_pay_no_bonus_unless_the_house_reads_it_so() -> None:
    """rws-multilink-holdem 3.9, 4.1, bonus-dealer-only: never by default; (a) pays the Dealer's A-A 30 to 1."""
    cards = {"box_1": "Ks 7d", "dealer": "As Ah", "community": "4s 9h 8c 5h 6c"}
    assert play("flop", "check", "check", bonus="5.00", cards=cards).line(1, "bonus") == line("lose", returned="0.00")
    other = play("flop", "check", "check", bonus="5.00", rulings={"bonus-dealer-only": "a"}, cards=cards)
    assert other.line(1, "bonus") == line("win", won="150.00", returned="5.00")


@pytest.mark.parametrize(
    ("stake", "letter", "won", "returned"),
    [
        ("100.00", "b", "100000.00", "100.00"),
        ("100.01", "b", "100000.00", "100.01"),
        ("150.00", "b", "100000.00", "150.00"),
        ("150.00", "a", "99850.00", "150.00"),
        ("99.90", "a", "99900.00", "99.90"),
    ],
)
def test_the_bonus_pays_at_most_100000(stake: str, letter: str, won: str, returned: str) -> None:
    """rws-multilink-holdem 4.1.1, bonus-cap: (b) caps the winnings, the stake comes on top; (a) caps both together."""
    result = play(
        "flop",
        "check",
        "check",
        bonus=stake,
        rulings={"bonus-cap": letter},
        box_1="As Ah",
        dealer="Ad Ac",
        community="Kd Qh 8c 5s 2d",
    )
    capped = stake not in ("100.00", "99.90")
    assert result.line(1, "bonus") == line("win", won=won, returned=returned, rules="4.1.1" if capped else "4.1")
    found = result.line(1, "bonus")
    assert found is not None
    assert ("4.1.1" in found.rules) == capped


def test_the_bonus_cap_holds_for_each_box() -> None:
    """rws-multilink-holdem 4.1.1: two boxes of one player are capped one by one."""
    result = replay(
        table(
            GAME,
            box_1="Ks Kh",
            box_2="As Ah",
            dealer="Ad Ac",
            community="9d Qh 8c 5s 2d",
            pay_tables={"bonus": {"high_pair": "1000 to 1"}},
        ),
        [
            bet(box, kind, amount, player="ana")
            for box in (1, 2)
            for kind, amount in (("ante", "10.00"), ("bonus", "200.00"))
        ],
        close_bets(),
        [decide(box, choice) for choice in ("flop", "check", "check") for box in (1, 2)],
    )
    for box in (1, 2):
        assert result.line(box, "bonus") == line("win", won="100000.00", returned="200.00", rules="4.1.1")


# ---------------------------------------------------------------- 3.11.2.a: folding


@pytest.mark.parametrize(("dealing", "rule"), [("card_shoe", "3.11.2.a"), ("electronic_shuffler", "3.12.3.a")])
def test_a_fold_loses_ante_and_bonus(dealing: str, rule: str) -> None:
    """rws-multilink-holdem 3.11.2.a, 3.12.3.a, bonus-1000-folded: even A-A against the Dealer's A-A."""
    result = play("fold", bonus="5.00", dealing=dealing, box_1="Ac Ad", dealer="As Ah")
    assert result.line(1, "ante") == line("lose", returned="0.00", rules=rule)
    assert result.line(1, "bonus") == line("lose", returned="0.00", rules=rule)
    assert result.net("ana") == "-105.00"


def test_a_folded_hand_keeps_the_whole_jackpot_table() -> None:
    """rws-multilink-holdem 3.11.2.a, folded-cards-kept: a folded royal flush wins the meter."""
    result = play("fold", side=True, box_1="Ah Kh", community="Qh Jh Th 2c 3d")
    assert result.awards() == [award("royal_flush", "100001.00", box=1, pays="100%", rules="4.2")]
    assert result.line(1, "jackpot") == line("win", won="100001.00", returned="0.00", rules="3.16 4.2 3.11.2.a")
    assert result.meter == "50000.00"


# ---------------------------------------------------------------- 4.2: the jackpot table


@pytest.mark.parametrize(
    ("own", "community", "hand", "pays", "won"),
    [
        pytest.param("Ah Kh", "Qh Jh Th 2c 3d", "royal_flush", "100%", "100001.00", id="Royal Flush 100%"),
        pytest.param("9h 8h", "Qh Jh Th 2c 3d", "straight_flush", "10%", "10000.10", id="Straight Flush 10%"),
        pytest.param("5c 4c", "3c 2c Ac 2h 3d", "straight_flush", "10%", "10000.10", id="steel wheel 10%"),
        pytest.param("9h 9d", "9c 9s Th 2c 3d", "four_of_a_kind", "2000.00", "2000.00", id="Four of a Kind $2,000"),
        pytest.param("9h 9d", "9c Ts Th 2c 3d", "full_house", "200.00", "200.00", id="Full House $200"),
        pytest.param("Ah 4h", "9h 7h 2h Tc Jd", "flush", "100.00", "100.00", id="Flush $100"),
    ],
)
def test_every_line_of_the_jackpot_table(own: str, community: str, hand: str, pays: str, won: str) -> None:
    """rws-multilink-holdem 4.2, 4.2.1, 3.16, 3.17, steel-wheel, jackpot-silence: Hole Cards and Flop Cards together;
    the Bet itself is collected, and nobody has to claim."""
    result = play("flop", "check", "check", side=True, box_1=own, community=community, dealer="Ks Qd")
    assert result.awards() == [award(hand, won, box=1, player="ana", pays=pays, rules="4.2")]
    assert result.line(1, "jackpot") == line("win", staked="5.00", won=won, returned="0.00", rules="3.16 4.2.1 4.2")


@pytest.mark.parametrize(
    ("own", "community"),
    [
        pytest.param("9h 8d", "7c 6s 5h Kc Kd", id="a straight"),
        pytest.param("9h 9d", "9c 6s 5h Kc Jd", id="three of a kind"),
        pytest.param("Ah Kh", "Qh Jh 2c Th 3d", id="a royal flush that needs the Turn Card"),
        pytest.param("9h 9d", "9c 2s 3h 4c 9s", id="four of a kind that needs the River Card"),
        pytest.param("2d 3c", "Ah Kh Qh Jh Th", id="a royal flush on the board"),
    ],
)
def test_what_is_no_line_of_the_jackpot_table_loses(own: str, community: str) -> None:
    """rws-multilink-holdem 4.2.1, 1.21, 3.17: exactly the Hole Cards and the Flop Cards count."""
    result = play("flop", "check", "check", side=True, box_1=own, community=community, dealer="As Qd")
    assert result.line(1, "jackpot") == line("lose", won="0.00", returned="0.00", rules="4.2.1 3.17")
    assert result.awards() == []
    assert result.meter == "100001.00"


def test_the_jackpot_is_paid_whatever_the_dealer_holds() -> None:
    """rws-multilink-holdem 3.16: four of a kind beaten by the Dealer's straight flush is paid all the same."""
    result = play("flop", "check", "check", side=True, box_1="9d 9s", community="9h 9c Th Jh 2d", dealer="Qh 8h")
    assert result.line(1, "flop") == line("lose", rules="3.14")
    assert result.line(1, "jackpot") == line("win", won="2000.00", rules="3.16 4.2")


@pytest.mark.parametrize(
    ("meter", "paid", "left"), [("100000.00", "100001.00", "50000.00"), ("123456.78", "123457.78", "50000.00")]
)
def test_a_royal_flush_takes_the_meter_with_its_own_bets_contribution(meter: str, paid: str, left: str) -> None:
    """rws-multilink-holdem 4.2, 1.20, contribution-time: the winner's own Bet is in, then the meter is reset."""
    result = replay(
        table(GAME, box_1="Ah Kh", community="Qh Jh Th 2c 3d"),
        jackpot(meter),
        [bet(1, "ante", "50.00"), bet(1, "jackpot", "5.00"), close_bets()],
        decides(1, "flop", "check", "river"),
    )
    assert result.awards() == [award("royal_flush", paid)]
    assert result.meter == left


@pytest.mark.parametrize(("hand", "won"), [("four_of_a_kind", "2000.00"), ("flush", "100.00")])
def test_fixed_awards_leave_the_meter_alone(hand: str, won: str) -> None:
    """rws-multilink-holdem 4.2, minor-funding: they are House money."""
    own, community, _ = RANKS[hand]
    result = play("fold", side=True, box_1=own, community=community)
    assert result.awards() == [award(hand, won)]
    assert result.meter == "100001.00"


# ---------------------------------------------------------------- 4.3: refusing to show


def test_a_hand_that_is_not_shown_counts_as_folded_and_loses_everything() -> None:
    """rws-multilink-holdem 4.3, refusal-later-bets: the later Bets are lost too, though the Hand would have won."""
    result = play(
        "flop",
        "turn",
        "river",
        bonus="10.00",
        side=True,
        before_the_last=refuse_reveal(1),
        box_1="As Ah",
        community="Ad Ac 7s 2h 3h",
        dealer="Kd Qs",
    )
    for kind in ("ante", "flop", "turn", "river", "bonus", "jackpot"):
        assert result.line(1, kind) == line("lose", won="0.00", returned="0.00", rules="4.3")
    assert result.net("ana") == "-515.00"
    assert "1" not in result.round().cards


def test_a_shown_hand_is_compared() -> None:
    """rws-multilink-holdem 4.3: the same Hand, not refused, wins."""
    result = play("flop", "turn", "river", box_1="As Ah", community="Ad Ac 7s 2h 3h", dealer="Kd Qs")
    assert result.line(1, "river") == line("win", won="100.00", rules="3.13")


@pytest.mark.parametrize(
    ("letter", "outcome", "returned", "net"), [("a", "returned", "200.00", "-100.00"), ("b", "lose", "0.00", "-500.00")]
)
def test_what_a_refusal_costs_beyond_the_ante(letter: str, outcome: str, returned: str, net: str) -> None:
    """rws-multilink-holdem 4.3, refusal-later-bets: (a) gives Flop, Turn and River back, (b) takes them."""
    result = play(
        "flop",
        "turn",
        "river",
        rulings={"refusal-later-bets": letter},
        before_the_last=refuse_reveal(1),
        box_1="9s 4h",
        community="Ad Kc 7s 2h 3h",
        dealer="Kd Qs",
    )
    assert result.line(1, "flop") == line(outcome, returned=returned, rules="4.3")
    assert result.line(1, "ante") == line("lose", returned="0.00", rules="4.3")
    assert result.net("ana") == net


@pytest.mark.parametrize(("letter", "outcome", "won"), [("a", "win", "300.00"), ("b", "lose", "0.00")])
def test_a_refuser_may_prove_his_jackpot_hand_but_not_his_bonus(letter: str, outcome: str, won: str) -> None:
    """rws-multilink-holdem 4.3, refusal-bonus: (b) the jackpot alone can be proved, (a) the Bonus as well."""
    result = replay(
        table(GAME, rulings={"refusal-bonus": letter}, box_1="As Ah", community="Ad Ac 7s 2h 3h", dealer="Kd Qs"),
        jackpot(),
        [bet(1, "ante", "50.00"), bet(1, "bonus", "10.00"), bet(1, "jackpot", "5.00"), close_bets()],
        decides(1, "flop", "check"),
        [refuse_reveal(1), prove(1), decide(1, "check")],
    )
    assert result.codes == []
    assert result.line(1, "jackpot") == line("win", won="2000.00", rules="4.2")
    assert result.line(1, "bonus") == line(outcome, won=won)
    assert result.line(1, "flop") == line("lose", returned="0.00", rules="4.3")
    assert result.line(1, "ante") == line("lose", returned="0.00", rules="4.3")


def test_a_folded_hand_that_will_not_be_shown_wins_no_jackpot() -> None:
    """rws-multilink-holdem 4.3, 3.11.2.a: it is the Player's own business to establish the rank."""
    cards = {"box_1": "7s 7h", "box_2": "Ks 4d", "community": "7d 7c 2s Jh 9h", "dealer": "Ad Qs"}
    steps = [
        bet(1, "ante", "50.00"),
        bet(1, "jackpot", "5.00"),
        bet(2, "ante", "50.00"),
        close_bets(),
        decide(1, "fold"),
    ]
    rest = decides(2, "flop", "check", "check")
    hidden = replay(table(GAME, cards=cards), jackpot(), steps, refuse_reveal(1), rest)
    assert hidden.line(1, "jackpot") == line("lose", won="0.00", rules="4.3")
    proved = replay(table(GAME, cards=cards), jackpot(), steps, refuse_reveal(1), prove(1), rest)
    assert proved.line(1, "jackpot") == line("win", won="2000.00")
    assert proved.line(1, "ante") == line("lose", rules="3.11.2.a")


# ---------------------------------------------------------------- 5.5, 5.6: walking away


def test_leaving_after_the_flop_bet_folds_the_hand() -> None:
    """rws-multilink-holdem 5.5, walk-away-after-flop: Ante, Flop and Bonus are lost, the jackpot Bet is settled."""
    result = replay(
        table(GAME, box_1="As Ah", community="Ad Ac 7s 2h 3h", dealer="Kd Qs"),
        jackpot(),
        [bet(1, "ante", "50.00"), bet(1, "bonus", "10.00"), bet(1, "jackpot", "5.00"), close_bets(), examine(1)],
        [decide(1, "flop"), walk_away("ana")],
    )
    assert result.status() == "settled"
    for kind in ("ante", "bonus", "flop"):
        assert result.line(1, kind) == line("lose", returned="0.00", rules="5.5")
    assert result.line(1, "jackpot") == line("win", won="2000.00")
    assert any("held for them" in notice for notice in result.notices())
    assert result.net("ana") == "1835.00"


def test_leaving_after_the_flop_bet_deems_checks_where_the_house_reads_it_so() -> None:
    """rws-multilink-holdem 5.5, 1.17, walk-away-after-flop (b): the Hand stays In For The Finish."""
    result = replay(
        table(
            GAME,
            rulings={"walk-away-after-flop": "b"},
            box_1="As Ah",
            community="Ad Ac 7s 2h 3h",
            dealer="Kd Qs",
        ),
        [bet(1, "ante", "50.00"), bet(1, "bonus", "10.00"), close_bets(), decide(1, "flop"), walk_away("ana")],
    )
    assert result.line(1, "ante") == line("win", won="50.00", rules="3.13")
    assert result.line(1, "flop") == line("win", won="100.00")
    assert result.line(1, "bonus") == line("win", won="300.00")
    assert result.line(1, "turn") is None
