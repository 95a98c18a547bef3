"""Every kernel counts what its slow twin counts, on random sub-problems."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from croupier.cards import DECK, Card, best_five, three_card
from croupier.lab import reference
from croupier.lab.bets.jackpot import award_key, award_lines
from croupier.lab.kernels.cards import shapes, suit_classes
from croupier.lab.kernels.cards.ranking import cards_strength, hands_of_three, rank_tables, three_strength
from croupier.lab.kernels.check import plain_boards
from croupier.lab.kernels.decide import rules_of_thumb, withdrawal
from croupier.lab.kernels.enumerate import awards, flush_sweep, flushes, positions, rank_patterns
from croupier.lab.kernels.enumerate import three_card as threes
from croupier.lab.kernels.runtime.compiler import Ints, zeros
from croupier.lab.model.game import Game, game
from croupier.lab.model.variants import changed_terms
from croupier.lab.play import advice
from croupier.lab.solve import holdem
from croupier.lab.solve.enumeration import Counted, order
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.pay_lines import meets
from croupier.rulebooks.terms import table_terms


def hold_em(*changes: str) -> Game:
    return game(changed_terms("rws-multilink-holdem", changes))


def masks_of(cards: list[int]) -> tuple[int, int, int, int]:
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card % 4] |= 1 << card // 4
    a, b, c, d = masks
    return a, b, c, d


def ints(values: Sequence[int]) -> Ints:
    found = zeros(len(values))
    found[:] = values
    return found


def rich(random: Random, count: int) -> list[int]:
    """Cards in which suits and faces repeat more often than in a shuffled deck."""
    suits = random.sample(range(4), random.randint(1, 4))
    low = random.randint(0, 6)
    deck = [card for card in range(52) if (card % 4 in suits and card // 4 >= low) or random.random() < 0.25]
    return random.sample(deck, count) if len(deck) >= count else random.sample(range(52), count)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_ranking_of_masks_is_the_ranking_of_cards(size: int) -> None:
    """Twin: cards.ranking.best_five."""
    random, tables = Random(size), rank_tables()
    for _ in range(1_500):
        cards = rich(random, size)
        assert cards_strength(*masks_of(cards), tables) == best_five([DECK[card] for card in cards])


def test_the_ranking_of_three_cards() -> None:
    """Twin: cards.ranking.three_card."""
    random = Random(3)
    for _ in range(3_000):
        cards = random.sample(range(52), 3)
        assert three_strength(*cards) == three_card([DECK[card] for card in cards])


@pytest.mark.parametrize(
    ("size", "classes", "sets"), [(2, 169, 1_326), (3, 1_755, 22_100), (4, 16_432, 270_725), (5, 134_459, 2_598_960)]
)
def test_boards_that_differ_in_more_than_names_of_suits(size: int, classes: int, sets: int) -> None:
    """Each class counts for all its members, and together they are all boards."""
    cards, ways = suit_classes.canonical(size)
    assert len(cards) == classes
    assert ways.sum() == sets


def test_hole_cards_with_flops() -> None:
    """1,286,792 classes of two Hole Cards with a flop, standing for all of them."""
    assert suit_classes.count_holes_with_flops() == (1_286_792, 1_326 * 19_600)


def test_the_reference_counts_the_same_classes() -> None:
    assert reference.starting_hands() == 169
    assert reference.flops() == 1_755


def test_boards_by_faces_and_suits_are_all_boards() -> None:
    """26,026, 9,295 and 1,287 boards with three, four and five of a suit; 6,175 by faces alone."""
    known = shapes.shapes().boards
    assert len(known.triples) * shapes.PAIRS == 26_026
    assert len(known.quads) * shapes.FACES == 9_295
    assert len(known.quints) == 1_287
    assert int((order().valid > 0).sum()) == 6_175


CHANNELS = {
    "no qualification": (0, False),
    "a pair of 4s": (1 << 20 | 4 << 16, False),
    "a pair of 4s, ties first": (1 << 20 | 4 << 16, True),
    "ace high": (14 << 16, False),
    "a straight": (4 << 20, True),
}


@pytest.mark.parametrize("rule", CHANNELS)
def test_a_board_with_a_flush_in_sight_is_counted_the_quick_way_as_in_one_sweep(rule: str) -> None:
    """Twin: count_any_board, which itself is held against plain Python below."""
    least, tie_first = CHANNELS[rule]
    random = Random(rule)
    known, tables, ordered = shapes.shapes(), rank_tables(), order()
    win, off = np.array([[1] * 10, range(3, 13)], np.int64), np.array([[0] * 10, range(10)], np.int64)
    channels = shapes.Channels(win, off, np.array([-1, 7], np.int64), least, tie_first)
    plain_sums, short_of = zeros((shapes.BY_FACES, 2, shapes.PAIRS), 32), zeros((shapes.BY_FACES, shapes.PAIRS), 32)
    rank_patterns.count_by_faces(
        0,
        shapes.BY_FACES,
        known.boards.faces5,
        known.pairs,
        ordered.keys,
        ordered.valid,
        channels,
        plain_sums,
        short_of,
    )
    s, quick, swept = flush_sweep.scratch(2), zeros((2, shapes.TYPES), 32), zeros((2, shapes.TYPES), 32)
    rest = (zeros((1, 1, 1, 1), 32), zeros((1, 1, 1), 32))
    work = flush_sweep.FlushWork(known, tables, ordered, plain_sums, short_of, channels, s, swept, *rest)
    for _ in range(400):
        size = random.choice((3, 4))
        suited = sorted(random.sample(range(13), size))
        others = [random.randrange(13) for _ in range(5 - size)]
        s.left[:] = 3
        for face in others:
            s.left[face] -= 1
        mask = sum(1 << face for face in suited)
        a, b, c, d, e = sorted(suited + others)
        add = known.boards
        at = add.add4[add.add3[add.add2[known.pairs.at[a, b], c], d], e]
        flush_sweep.count_any_board(mask, size, at, work)
        if size == 3:
            flushes.count_three_board(mask, at, work._replace(extra=quick))
        else:
            flushes.count_four_board(mask, at, work._replace(extra=quick))
        assert np.array_equal(quick, swept)


def looked_up(counted: Counted, own: list[int], four: list[int]) -> list[int]:
    one, two = own
    return [
        positions.position_value(ch, 4, one, two, ints(four), counted.tables, zeros(8))
        for ch in range(len(counted.channels.lose))
    ]


@pytest.mark.parametrize("name", ["rws-multilink-holdem", "sun-casino-holdem"])
def test_sums_over_the_river_are_those_of_plain_python(name: str) -> None:
    """Twin: reference.turn_values, every river and every Dealer's Hand one by one."""
    known = game(table_terms(name))
    asked, counted = holdem.counts_of(known)
    random = Random(name)
    for _ in range(6):
        own, four = (cards := rich(random, 6))[:2], cards[2:]
        ante, later = reference.turn_values(known, [DECK[card] for card in own], [DECK[card] for card in four])
        found = looked_up(counted, own, four)
        if name == "sun-casino-holdem":
            assert found[0] == asked.scale * (ante + known.choices[0].times * later)
        else:
            gain, *wins = found
            assert gain == later
            paid = sum(amount * won for amount, won in zip(asked.paid, wins, strict=True))
            assert paid - (sum(wins) - gain) == ante


@pytest.mark.parametrize("name", ["rws-multilink-holdem", "sun-casino-holdem"])
def test_sums_over_turn_and_river_are_those_counted_out(name: str) -> None:
    """Twin: count_out_flop, which deals every card; that one is held against plain Python on the turn."""
    known = game(table_terms(name))
    asked, counted = holdem.counts_of(known)
    random = Random(name)
    for _ in range(5):
        own, flop = (cards := rich(random, 5))[:2], cards[2:]
        left = [card for card in range(52) if card not in cards]
        target, masks = zeros((47, len(asked.channels.lose))), ints(masks_of(flop))
        one, two = own
        positions.count_out_flop(0, 1, one, two, masks, ints(left), rank_tables(), asked.channels, target)
        for ch in range(len(asked.channels.lose)):
            found = positions.position_value(ch, 3, one, two, ints(flop), counted.tables, zeros(8))
            assert found == target[:, ch].sum()


def test_counting_out_the_river_is_plain_python() -> None:
    """Twin: reference.turn_values, with a Dealer who has to qualify."""
    known = game(table_terms("sun-casino-holdem"))
    asked, _ = holdem.counts_of(known)
    random = Random(11)
    for _ in range(3):
        own, four = (cards := rich(random, 6))[:2], cards[2:]
        left = ints([card for card in range(52) if card not in cards])
        target = zeros(2)
        one, two = own
        positions.count_out_turn(one, two, ints(masks_of(four)), left, rank_tables(), asked.channels, zeros(45), target)
        ante, later = reference.turn_values(known, [DECK[card] for card in own], [DECK[card] for card in four])
        assert target[0] == asked.scale * (ante + known.choices[0].times * later)


def test_the_plain_solver_ranks_boards_as_plain_python_does() -> None:
    """Twin: reference.count_dealers; the whole comparison is `python -m croupier.lab.verify.plain_solver`."""
    five, _ = suit_classes.canonical(5)
    random = Random(5)
    gains = zeros((len(five), plain_boards.HOLES), 16)
    for _ in range(4):
        at = random.randrange(len(five))
        plain_boards.rank_boards(at, at + 1, five, zeros(len(five)), zeros(10), rank_tables(), gains, zeros((169, 6)))
        community = [DECK[card] for card in five[at]]
        one, two = sorted(random.sample([card for card in range(52) if card not in five[at]], 2))
        outcomes = reference.count_dealers((DECK[one], DECK[two]), community)
        assert gains[at, two * (two - 1) // 2 + one] == outcomes.wins - outcomes.losses


def test_two_hands_on_every_board() -> None:
    """Aces against the other Aces: only a flush decides, and as often for the one as for the other."""
    one, two = ints([48, 49]), ints([50, 51])
    left, counts = ints(list(range(48))), zeros(7)
    positions.compare_hands(one, two, left, rank_tables(), counts)
    wins, ties, losses = (int(each) for each in counts[:3])
    assert wins == losses
    assert wins + ties + losses == 1_712_304


@pytest.mark.parametrize("rule", [0, 12 << 16])
def test_three_card_dealers(rule: int) -> None:
    """Twin: reference.count_three_card_dealers."""
    random = Random(rule)
    dealt, strengths = hands_of_three()
    for _ in range(3):
        cards = sorted(random.sample(range(52), 3))
        own, counts = zeros((1, 3), 8), zeros((1, 5))
        own[0] = cards
        threes.count_dealers(own, dealt, strengths, rule, counts)
        found = reference.count_three_card_dealers([DECK[card] for card in cards], rule)
        short = int(counts[0, threes.UNQUALIFIED] + counts[0, threes.UNQUALIFIED_TIES])
        assert short == found.unqualified
        assert counts[0].sum() == found.wins + found.ties + found.losses == threes.DEALERS
        if not rule:
            assert [int(each) for each in counts[0, :3]] == [found.wins, found.ties, found.losses]


def dealt_for_awards(random: Random, count: int) -> list[int]:
    """Now and then with five in sequence and suit, or four of a face, wherever they fall."""
    cards = rich(random, count)
    drawn = random.random()
    if drawn < 0.5:
        low, suit = random.randint(0, 8), random.randrange(4)
        wanted = [4 * (low + step) + suit for step in range(5)] if drawn < 0.3 else [4 * low + at for at in range(4)]
        cards = [*wanted, *(card for card in cards if card not in wanted)][:count]
        if drawn < 0.25:
            # The run lies on the board whole.
            cards = cards[::-1]
        elif drawn >= 0.28:
            random.shuffle(cards)
    return cards


@pytest.mark.parametrize("name", GAMES)
def test_lines_of_a_jackpot_table_are_those_of_the_rulebook(name: str) -> None:
    """Twin: rulebooks.pay_lines.meets, street by street."""
    known = game(table_terms(name, rulings={"v6-quads-kicker": "a"} if name == "rws-progressive-holdem" else {}))
    size, _ = award_key(known)
    lines, random, met = award_lines(award_key(known)), Random(name), 0
    for _ in range(2_000):
        cards = dealt_for_awards(random, size + (2 if size == 3 else 5))
        own: tuple[Card, ...] = tuple(DECK[card] for card in cards[:size])
        community = tuple(DECK[card] for card in cards[size:])
        found = awards.lines_made(ints(cards[:size]), ints(cards[size:]), lines, rank_tables(), zeros(8))
        table = known.terms.book.jackpot.awards
        assert found == sum(1 << at for at, award in enumerate(table) if meets(award, own, community))
        met += found > 0
    assert met > 20


def test_any_qualification_is_solved_by_the_other_way_too() -> None:
    """A Dealer who qualifies with a flush is beyond the quick way; the sums still are those of plain Python."""
    known = game(changed_terms("sun-casino-holdem", ["qualification=flush"]))
    asked, counted = holdem.counts_of(known)
    random = Random(2)
    for _ in range(3):
        own, four = (cards := rich(random, 6))[:2], cards[2:]
        ante, later = reference.turn_values(known, [DECK[card] for card in own], [DECK[card] for card in four])
        assert looked_up(counted, own, four)[0] == asked.scale * (ante + known.choices[0].times * later)


def test_odds_that_are_no_whole_numbers_stay_exact() -> None:
    """3 to 2 on a flush: the kernels count in halves, and nothing is rounded."""
    known = game(changed_terms("sun-casino-holdem", ["pay_tables.ante.flush=3 to 2"]))
    asked, counted = holdem.counts_of(known)
    assert asked.scale == 2
    own, four = (
        [DECK.index(Card(card)) for card in ("As", "Ks")],
        [DECK.index(Card(card)) for card in ("2s", "7s", "9d", "4c")],
    )
    ante, later = reference.turn_values(known, [DECK[card] for card in own], [DECK[card] for card in four])
    assert looked_up(counted, own, four)[0] == 2 * (ante + 2 * later)
    assert ante.denominator in (1, 2)
    assert later == Fraction(int(later))


def test_leaving_in_the_middle_is_worth_what_counting_out_says() -> None:
    """One starting hand on some flops: every Turn Card counted out card by card, and left where that is bad."""
    known = game(table_terms("rws-multilink-holdem"))
    asked, counted = holdem.counts_of(known)
    flops, ways = suit_classes.canonical(3)
    random = Random(12)
    unit = asked.unit
    ante, times, live = zeros(len(asked.channels.lose)), zeros(3), zeros((52, 52))
    ante[:] = [unit, *(int(unit * (amount - 1)) for amount in asked.paid)]
    times[:] = [unit * choice.times for choice in known.choices]
    held = (DECK.index(Card("Kc")), DECK.index(Card("Jd")))
    for hand in combinations(range(52), 2):
        # All Hole Cards of these faces in two suits, so that the deals of one name of suits stand for the others.
        live[hand] = holdem.starting_hand(*hand) == holdem.starting_hand(*held)
    for at in random.sample(range(len(flops)), 2):
        sums = zeros(4)
        withdrawal.count_withdrawals(at, at + 1, flops, ante, times, live, counted.tables, sums)
        plain_sums = [0, 0, 0, 0]
        flop = tuple(flops[at].tolist())
        for own in combinations(range(52), 2):
            if live[own] and not set(own) & set(flop):
                for place, value in enumerate(_left(known, own, flop)):
                    plain_sums[place] += int(ways[at]) * value
        assert sums.tolist() == plain_sums


def _left(known: Game, own: tuple[int, ...], flop: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Playing on, and leaving where that is bad: on the flop, and after every Turn Card."""
    first, second, third = (choice.times for choice in known.choices)
    after = [advice._after_turn(known, own, (*flop, turn)) for turn in range(52) if turn not in (*own, *flop)]
    gain = sum((later for _, later in after), Fraction(0))
    # A pair of a Turn and a River Card is counted once for each that comes first, as on the flop.
    staked = first + (second if gain > 0 else 0)
    worths = [ante + staked * later + third * max(later, Fraction(0)) for ante, later in after]
    on_flop = sum(worths, Fraction(0))
    return (
        int(on_flop),
        int(max(on_flop, Fraction(0))),
        int(on_flop),
        int(sum((max(worth, Fraction(0)) for worth in worths), Fraction(0))),
    )


def test_sorts_are_what_a_person_sees() -> None:
    """Made of the own cards, four to a flush, open to a straight, the card that counts, and what else there is."""
    draw, either, one_face = (
        rules_of_thumb.FLUSH_DRAW,
        rules_of_thumb.OPEN | rules_of_thumb.STRAIGHT_DRAW,
        rules_of_thumb.STRAIGHT_DRAW,
    )
    cases = {
        ("Ac Kd", "7h 3s 9s"): (0, 0, 0, "A", 0),
        ("Ac 2d", "7h 3s 9s"): (0, 0, 0, "A", rules_of_thumb.LOW),
        ("Ac Kd", "Qh 3s Js"): (0, 0, 0, "A", one_face),
        ("As 2s", "7h 3s 9s"): (0, 1, 0, "A", draw | rules_of_thumb.LOW),
        ("8c Td", "7h 3s 9s"): (0, 0, 1, "T", either),
        ("8s Ts", "7s 3h 9s"): (0, 1, 1, "T", draw | either),
        ("Ac Kd", "7h 7s 9s"): (0, 0, 0, "A", rules_of_thumb.PAIRED),
        ("Ac 2d", "7h 7s 9s"): (0, 0, 0, "A", rules_of_thumb.PAIRED | rules_of_thumb.LOW),
        ("Ac 7d", "8h 8s 9s Td"): (0, 0, 1, "A", rules_of_thumb.PAIRED | rules_of_thumb.LOW | either),
        ("Ac Kd", "7s 3s 9s"): (0, 0, 0, "A", rules_of_thumb.THREAT),
        ("As Kd", "7s 3s 9s"): (0, 1, 0, "A", draw),
        ("Ac Kd", "7h 8s 9s Th"): (0, 0, 0, "A", rules_of_thumb.THREAT),
        ("9c Kd", "7h 3s 9s"): (1, 0, 0, "9", 0),
        ("3c Kd", "7h 3s 9s"): (1, 0, 0, "3", 2),
        ("4c 4d", "7h 3s 9s"): (1, 0, 0, "4", 2),
        ("3c Kd", "7h 3h 9h"): (1, 0, 0, "3", rules_of_thumb.HIGHER + 2),
        ("9c 7d", "7h 3s 9s"): (2, 0, 0, "9", 0),
    }
    for (own, board), (made, flush, straight, face, seen) in cases.items():
        lying = zeros(4)
        cards = [DECK.index(Card(card)) for card in board.split()]
        lying[: len(cards)] = cards
        first, second = (DECK.index(Card(card)) for card in own.split())
        sort = rules_of_thumb.pattern_of(first, second, lying, len(cards), rank_tables(), zeros(8))
        assert rules_of_thumb.describe_pattern(sort) == (made, flush, straight, "23456789TJQKA".index(face)), (
            own,
            board,
        )
        if made == 0:
            assert sort // 169 == seen, (own, board)
        elif made == 1:
            assert (sort - rules_of_thumb.PAIRS_FROM) // (13 * 4) == seen, (own, board)
        assert 0 <= sort < rules_of_thumb.PATTERNS
