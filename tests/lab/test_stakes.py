"""Side Bets and the jackpot Bet beside the Ante: where they change what is best, and what a fold loses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.lab import cache
from croupier.lab.bets import jackpot, results
from croupier.lab.bets.stakes import BadStake, SideStakes, combine, flop_award_worth, starting_hand_worth
from croupier.lab.model.game import Game, game
from croupier.lab.model.variants import changed_terms
from croupier.lab.play.advice import advise, prepare
from croupier.lab.play.exposed_card import exposed_card
from croupier.lab.reference import unseen
from croupier.lab.solve import called_boards, enumeration, holdem
from croupier.lab.solve.solution import solve
from croupier.rulebooks.terms import table_terms


def known(name: str, *changes: str) -> Game:
    return game(changed_terms(name, changes))


def test_a_high_meter_has_folded_hands_played() -> None:
    """rws-progressive-holdem 3.11.2.a: advice, analysis and strategy weigh what a fold would lose."""
    played = SideStakes(1_000, {"jackpot": 500}, meter=5_000_000_00)
    texas = known("rws-progressive-holdem")
    hand = parse_cards("7c 2d")
    assert advise(texas, hand).best == "fold"
    with_jackpot = advise(texas, hand, beside=played)
    assert with_jackpot.best == "flop"
    assert with_jackpot.counted[-1] == "jackpot"
    both = combine(solve(texas), played)
    assert "72o" in both.changed
    assert both.gain > 0
    by_hand = next(each for each in both.best.hands if each.name == "72o")
    assert {option.choice: option.value for option in with_jackpot.options} == {
        "flop": by_hand.play,
        "fold": by_hand.fold,
    }


def test_a_bonus_is_lost_with_a_fold() -> None:
    """mbs-megalink-holdem 3.9.1: half a unit on a low pair wins three times that, or is lost."""
    texas = known("mbs-megalink-holdem")
    hand = next(each for each in holdem.STARTING_HANDS if each.name == "22")
    play, fold = starting_hand_worth(texas, SideStakes(1_000, {"bonus": 500}), hand)
    assert (play, fold) == (Fraction(3, 2), Fraction(-1, 2))


def test_pair_plus_weighs_where_a_fold_loses_it() -> None:
    """rws-multilink-three-card, reading fold-pair-plus a: what it does not pay is lost either way."""
    kept, lost = known("rws-multilink-three-card"), known("rws-multilink-three-card", "rulings.fold-pair-plus=a")
    beside = SideStakes(1_000, {"pair_plus": 1_000})
    hand = parse_cards("Qs 6d 3c")
    assert advise(kept, hand, beside=beside).options[0].value == advise(kept, hand).options[0].value - 1
    assert advise(lost, hand, beside=beside).best == "fold"
    assert combine(solve(lost), beside).ev < combine(solve(kept), beside).ev + Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("stakes", "ante", "says"),
    [
        ({"flop": 500}, 1_000, "bonus, jackpot may be"),
        ({"bonus": 0}, 1_000, "more than 0.00"),
        ({"bonus": 500}, 0, "Ante must be more"),
        ({"jackpot": 700}, 1_000, "1 to 5 times 5.00"),
        ({"jackpot": 3_000}, 1_000, "1 to 5 times 5.00"),
    ],
)
def test_stakes_that_the_game_does_not_take(stakes: dict[str, int], ante: int, says: str) -> None:
    with pytest.raises(BadStake, match=says):
        combine(solve(known("mbs-megalink-holdem")), SideStakes(ante, stakes))


# ---------------------------------------------------------------- Casino Hold'em's awards of the board


def test_flops_that_may_become_a_straight_flush() -> None:
    """By trying every two cards that may follow."""
    for text in ("2c 3c 4c", "Ac 2c 5c", "Tc Jc Ac", "9c Kc Qc", "2c 3c 9c", "2c 3c 4d"):
        flop = parse_cards(text)
        made = []
        for pair in combinations(unseen(flop), 2):
            faces = frozenset("23456789TJQKA".index(card[0]) for card in (*flop, *pair))
            if len({card[1] for card in (*flop, *pair)}) == 1 and faces in called_boards.STRAIGHTS:
                made.append(tuple(sorted(DECK.index(card) for card in pair)))
        assert sorted(called_boards.finished([DECK.index(card) for card in flop])) == sorted(made)


def test_only_called_hands_share_the_board() -> None:
    """sun-casino-holdem Progressive Jackpot ¶1, reading sun-board-share b: a fold loses its share of the award."""
    every, called = known("sun-casino-holdem"), known("sun-casino-holdem", "rulings.sun-board-share=b")
    assert not called_boards.matters(every)
    assert called_boards.matters(called)
    one, other = jackpot.figures(solve(every)), jackpot.figures(solve(called))
    assert one.made["board_royal_flush"] == Fraction(1, 649_740)
    folded = jackpot.folded_chances(solve(every))
    lost = {hand: one.made[hand] - other.made[hand] for hand in one.made}
    assert lost == {"board_royal_flush": folded[1], "board_straight_flush": folded[2]}
    assert all(value > 0 for value in lost.values())


def test_a_high_meter_has_hopeless_hands_called() -> None:
    """On a suited flop next to a straight flush, the award alone is worth a Call."""
    called = known("sun-casino-holdem", "rulings.sun-board-share=b")
    own, flop = parse_cards("2d 7h"), parse_cards("Js Qs Ks")
    beside = SideStakes(1_000, {"jackpot": 500}, meter=10_000_000_00)
    assert advise(called, own, flop).best == "fold"
    assert advise(called, own, flop, beside=beside).best == "call"
    # Ten and Ace make the royal flush, Nine and Ten the straight flush, each one of 1,081.
    boards = [(*flop, *parse_cards(pair)) for pair in ("Ts As", "9s Ts")]
    worth = Fraction(10_000_000_00 + 1_000_000_00, 1_081 * 1_000)
    assert flop_award_worth(called, beside, own, boards) == worth


# ---------------------------------------------------------------- a Dealer's card in sight


def test_a_dealers_card_in_sight_is_worth_what_counting_says() -> None:
    """rws-multilink-three-card 5.12: some own Hands against every Dealer's Hand with the Ace of clubs, plainly."""
    three = known("rws-multilink-three-card")
    found = exposed_card(three)
    assert len(found.by_face) == 13
    # A low card of the Dealer's is good for the Player, an Ace is bad.
    assert found.by_face[0] > 0 > found.by_face[-1]
    assert found.left >= found.played > solve(three).ev
    ace = Card("Ac")
    random = Random(5)
    plain = Fraction(0)
    hands = [tuple(random.sample(unseen([ace]), 3)) for _ in range(3)]
    for own in hands:
        total = Fraction(0)
        for pair in combinations(unseen(own, [ace]), 2):
            net = three.settle(own, (ace, *pair), (), {"play": True})
            total += net["ante"] + net["play"] + net["ante_bonus"]
        plain += max(total / 1_128, Fraction(-1))
    # The kernel's way on the same Hands.
    from croupier.lab.kernels.cards.ranking import hands_of_three  # noqa: PLC0415
    from croupier.lab.kernels.enumerate.three_card import count_dealers  # noqa: PLC0415
    from croupier.lab.kernels.runtime.compiler import zeros  # noqa: PLC0415
    from croupier.lab.play import exposed_card as module  # noqa: PLC0415

    cards, strengths = hands_of_three()
    holds = (cards == DECK.index(ace)).any(axis=1)
    rows, counts = zeros((3, 3), 8), zeros((3, 5))
    rows[:] = [sorted(DECK.index(card) for card in own) for own in hands]
    count_dealers(rows, cards[holds], strengths[holds], three.qualifies_from, counts)
    scale, play, fold = module._payoffs(three)
    ranks = [three.strength(own, ()) >> 20 for own in hands]
    quick = sum(
        max(Fraction(int((counts[at] * play[rank]).sum()), scale * 1_128), Fraction(int(fold[rank]), scale))
        for at, rank in enumerate(ranks)
    )
    assert quick == plain


# ---------------------------------------------------------------- as a library


def test_advice_may_be_asked_for_by_many_threads() -> None:
    """The same answers as one after the other, from a game that is not counted yet."""
    games = [known("rws-multilink-holdem"), known("sun-casino-holdem"), known("rws-multilink-three-card")]
    random = Random(9)
    questions = []
    for each in games * 4:
        own = 3 if each.name == "rws-multilink-three-card" else 2
        choice = random.choice(each.choices)
        cards = random.sample(DECK, own + choice.community)
        questions.append((each, cards[:own], cards[own:]))
    holdem.clear_counts()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda question: advise(*question), questions))
    assert together == [advise(*question) for question in questions]


def test_advice_is_prepared_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """No later question counts the whole game: it is counted once, while preparing."""
    times = 0
    count = enumeration.count

    def counted(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever the kernel takes
        nonlocal times
        times += 1
        return count(*arguments, **options)

    monkeypatch.setattr(holdem, "count", counted)
    holdem.clear_counts()
    known_game = game(table_terms("rws-multilink-holdem"))
    with cache.fresh(keeping=False):
        prepare(known_game)
    assert times >= 1
    prepared = times
    for choice in known_game.choices:
        advise(known_game, DECK[3:5], DECK[20 : 20 + choice.community])
    assert times == prepared


def test_rows_of_the_ante() -> None:
    """sun-casino-holdem Ante Winning Paytable: as on the paper, everything below a flush is one line."""
    ante = results.figures(solve(known("sun-casino-holdem")))["ante"]
    assert [(row.row, int(row.pays)) for row in ante.rows] == [
        ("royal_flush", 100),
        ("straight_flush", 20),
        ("four_of_a_kind", 10),
        ("full_house", 3),
        ("flush", 2),
        ("straight_or_lower", 1),
    ]
