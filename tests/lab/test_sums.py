"""Sums of a PAR sheet, found a second time: every kind of wrong sum shows, and nothing but the rulebook is shared."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import msgspec
import numpy as np
import pytest

from croupier.cards import DECK, Rank, best_five, parse_cards, rank
from croupier.lab.analysis import Analysis, analyze
from croupier.lab.bets import jackpot
from croupier.lab.kernels.cards.ranking import rank_tables
from croupier.lab.kernels.decide import rules_of_thumb as thumb
from croupier.lab.kernels.runtime.compiler import zeros
from croupier.lab.model.variants import changed_terms
from croupier.lab.play import rules_of_thumb
from croupier.lab.play.strategy import Rule, Strategy, strategy
from croupier.lab.play.strategy_card import card_text
from croupier.lab.verify import card_reader, sum_checks, thumb_cost
from croupier.lab.verify.award_patterns import AwardChances, award_chances, card_patterns, high_boards
from croupier.lab.verify.check import Checks
from croupier.lab.verify.simulation import simulate
from croupier.rounds.events import AwardClaimed
from croupier.rounds.settlement import fixed_amount
from croupier.rulebooks.documents.editions import GAMES
from tests.effort import EFFORT

MULTI, V6, MBS = "rws-multilink-holdem", "rws-progressive-holdem", "mbs-megalink-holdem"
SUN, THREE = "sun-casino-holdem", "rws-multilink-three-card"
METER = 1_400_000_00
OWN = "pair" if EFFORT > 1 else "three_of_a_kind"
"""The least hand of one's own that is paid; to count pairs takes three times as long."""
CHANGED = (
    (MULTI,),
    (MULTI, "pay_tables.jackpot.flush=none", "pay_tables.jackpot.full_house=1%", "jackpot_bet=10.00"),
    (MBS, "pay_tables.jackpot.straight=7.50"),
    (THREE,),
    (V6,),
    (V6, "rulings.v6-jackpot-hand=a+c", "rulings.v6-quads-kicker=b"),
    (V6, "rulings.v6-street=b", "pay_tables.jackpot.straight_flush=1%", "showdown.ante_pays_from=flush"),
    (SUN,),
    (SUN, "rulings.sun-board-share=b+d"),
    (SUN, "rulings.sun-board-share=b+e", "pay_tables.jackpot.flush=50.00", "pay_tables.jackpot.straight_flush=1%"),
    (
        SUN,
        "rulings.sun-pay-tables=a+d",
        "pay_tables.jackpot.royal_flush=50%",
        f"pay_tables.jackpot.{OWN}=1 for 1",
    ),
)
"""Tables and readings that decide what is counted: five cards, streets, folds, boards that Bets share, own hands."""


@cache
def analysis(name: str, *changes: str, meter: int | None = METER, participants: int = 1) -> Analysis:
    return analyze(changed_terms(name, changes), meter=meter, participants=participants)


@cache
def met(name: str, *changes: str) -> AwardChances:
    return award_chances(analysis(name, *changes).solved)


def awards_checked(found: Analysis, figures: jackpot.JackpotFigures | None = None) -> Checks:
    figures = figures or found.jackpot
    assert figures is not None
    ev = found.solved.ev
    known = met(found.game.name)
    return sum_checks.check_awards(found, figures, known) | sum_checks.check_round(found, figures, known, ev, 0.0, "")


def differing(checks: Checks) -> set[str]:
    return {place for place, check in checks.items() if not check.agrees}


def always(value: Fraction) -> property:
    """A figure that is this one, whatever it should be."""
    return property(lambda _: value)


# ---------------------------------------------------------------- deals counted again


@pytest.mark.parametrize("changed", CHANGED, ids=" ".join)
def test_both_counts_find_the_same_awards(changed: tuple[str, ...]) -> None:
    """Set by set: what a deal makes together, and what a fold leaves of it."""
    found = analysis(*changed)
    figures = found.jackpot
    assert figures is not None
    by_name: defaultdict[frozenset[str], Fraction] = defaultdict(Fraction)
    for mask, chance in figures.chances.items():
        made = (award.hand for at, award in enumerate(figures.jackpot.awards) if mask >> at & 1)
        by_name[frozenset(made)] += chance
    again = met(*changed)
    assert {lines: chance for lines, chance in by_name.items() if chance} == dict(again)
    checks = sum_checks.check_awards(found, figures, again)
    assert checks.keys() == {"jackpot_fixed", "jackpot_share", "jackpot_even", "jackpot_at"}
    assert differing(checks | sum_checks.check_lines(figures, again)) == set()


def test_sorts_of_cards_hold_every_hand() -> None:
    """The published counts of five and of seven cards, rank by rank."""
    for size, counts in (
        (5, (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4)),
        (7, (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324)),
    ):
        found: Counter[Rank] = Counter()
        for ways, cards in card_patterns(size):
            assert len(set(cards)) == size
            found[rank(best_five(cards))] += ways
        assert tuple(found[each] for each in Rank) == counts


def test_sorts_of_boards_hold_every_great_hand() -> None:
    """Over all 1,326 Hole Cards: each seven cards 21 times."""
    found: Counter[Rank] = Counter()
    for hand in analysis(MULTI).solved.hands:
        for ways, board in high_boards(hand.cards):
            assert len({*hand.cards, *board}) == 7
            found[rank(best_five((*hand.cards, *board)))] += hand.ways * ways
    great = {Rank.FOUR_OF_A_KIND: 224_848, Rank.STRAIGHT_FLUSH: 37_260, Rank.ROYAL_FLUSH: 4_324}
    assert found == {each: comb(7, 2) * count for each, count in great.items()}


# ---------------------------------------------------------------- wrong sums of the jackpot


@pytest.mark.parametrize("name", [MULTI, MBS, THREE, V6])
def test_a_row_that_pays_another_amount_is_noticed(name: str) -> None:
    """By a cent, in every sum that it enters."""
    found = analysis(name)
    assert differing(awards_checked(found)) == set()
    figures = found.jackpot
    assert figures is not None
    amounts = {**figures.amounts, "four_of_a_kind": figures.amounts["four_of_a_kind"] + 1}
    checks = awards_checked(found, msgspec.structs.replace(figures, amounts=amounts))
    assert {"jackpot_fixed", "jackpot_even", "jackpot_at"} <= differing(checks)


@pytest.mark.parametrize("name", [MULTI, MBS, THREE, V6, SUN])
def test_a_row_left_out_is_noticed(name: str) -> None:
    found = analysis(name)
    figures = found.jackpot
    assert figures is not None
    for award in figures.jackpot.awards:
        bit = 1 << figures.jackpot.awards.index(award)
        chances: defaultdict[int, Fraction] = defaultdict(Fraction)
        for mask, chance in figures.chances.items():
            chances[mask & ~bit] += chance
        left_out = msgspec.structs.replace(figures, chances=chances)
        checks = awards_checked(found, left_out)
        assert f"jackpot.{award.hand}" in differing(sum_checks.check_lines(left_out, met(name)))
        sums = "jackpot_share" if award.is_major else "jackpot_fixed"
        assert {sums, "jackpot_even", "jackpot_at"} <= differing(checks), award.hand


def test_a_shared_award_that_is_not_divided_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """sun-board-share: three Bets share what the board makes."""
    found = analysis(SUN, participants=3)
    assert differing(awards_checked(found)) == set()
    paid = jackpot._paid
    monkeypatch.setattr(jackpot, "_paid", lambda book, mask, amounts, _bets: paid(book, mask, amounts, 1))
    assert differing(awards_checked(found)) == {"jackpot_share", "jackpot_even", "jackpot_at", "jackpot_round"}


@pytest.mark.parametrize("name", [MULTI, MBS, THREE, V6, SUN])
def test_a_wrong_break_even_meter_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cent beside it; of the bet, and of a whole round."""
    found = analysis(name)
    assert found.jackpot is not None
    even, whole = found.jackpot.break_even_meter, found.round_break_even
    assert even is not None
    assert whole is not None
    for wrong in (1, -1):
        monkeypatch.setattr(jackpot.JackpotFigures, "break_even_meter", always(even + wrong))
        monkeypatch.setattr(Analysis, "round_break_even", always(whole + wrong))
        assert differing(awards_checked(found)) == {"jackpot_even", "jackpot_round"}


@pytest.mark.parametrize("units", [2, 3, 4, 5])
def test_units_of_the_mbs_bet_are_checked_too(units: int) -> None:
    """mbs-megalink-holdem 3.5.3.1: fixed awards grow with the bet, shares of the meter do not."""
    found = analysis(MBS)
    figures = jackpot.figures(found.solved, units=units, meter=Fraction(METER))
    assert differing(sum_checks.check_awards(found, figures, met(MBS))) == set()
    one = jackpot.figures(found.solved, meter=Fraction(METER))
    wrong = msgspec.structs.replace(figures, amounts=one.amounts)
    assert "jackpot_fixed" in differing(sum_checks.check_awards(found, wrong, met(MBS)))


def test_an_amount_grows_with_the_units_as_the_table_pays_it() -> None:
    """mbs-megalink-holdem 3.5.3.1, for-1-multiple: the engine's amount of each line is the lab's."""
    for changes in ((), ("rulings.for-1-multiple=b",), ("pay_tables.jackpot.flush=75.00",)):
        found = analysis(MBS, *changes)
        terms = found.game.terms
        figures = jackpot.figures(found.solved, units=3)
        bet = int(figures.bet)
        for award in (each for each in terms.book.jackpot.awards if not each.is_major):
            claim = AwardClaimed(
                round=1, box=1, player="ana", staked=bet, counts=bet, units=3, awards=(award,), named=award.hand
            )
            assert fixed_amount(terms, award, claim) == figures.amounts[award.hand]


def test_where_no_meter_is_high_enough_both_say_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a break-even meter that somebody names all the same differs."""
    found = analysis(MULTI, "pay_tables.jackpot.royal_flush=1000.00", "pay_tables.jackpot.straight_flush=900.00")
    figures = found.jackpot
    assert figures is not None
    again = award_chances(found.solved)

    def checked() -> Checks:
        of_round = sum_checks.check_round(found, figures, again, found.solved.ev, 0.0, "")
        return sum_checks.check_awards(found, figures, again) | of_round

    checks = checked()
    assert checks["jackpot_even"].again == checks["jackpot_round"].again == "none"
    assert differing(checks) == set()
    monkeypatch.setattr(jackpot.JackpotFigures, "break_even_meter", always(Fraction(METER)))
    monkeypatch.setattr(Analysis, "round_break_even", always(Fraction(METER)))
    assert differing(checked()) == {"jackpot_even", "jackpot_round"}


def test_a_simulated_round_has_an_interval_that_is_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the rounds of a report one and a half per cent of the meter is found out."""
    found = analysis(SUN)
    play = strategy(found.game, found.solved)
    whole = found.round_break_even
    assert whole is not None
    monkeypatch.setattr(sum_checks, "check_thumb", lambda *_: {})
    rounds = simulate(found.solved, sum_checks.MORE * 2_000_000, seed=4)
    monkeypatch.setattr(sum_checks, "simulate", lambda *_, **_seed: rounds)  # the same rounds each time
    assert sum_checks.check_sums(found, play, 2_000_000)["jackpot_round"].agrees
    for wrong in (Fraction(985, 1000), Fraction(1015, 1000)):
        monkeypatch.setattr(Analysis, "round_break_even", always(whole * wrong))
        assert not sum_checks.check_sums(found, play, 2_000_000)["jackpot_round"].agrees


# ---------------------------------------------------------------- rules of thumb


@cache
def played(name: str, *changes: str) -> tuple[Analysis, Strategy]:
    found = analysis(name, *changes)
    return found, strategy(found.game, found.solved)


@pytest.mark.parametrize(
    "changed",
    [
        (MULTI,),
        (MULTI, "showdown.ante_pays_from=flush"),
        (MULTI, "bets.turn.times_ante=3"),
        (SUN,),
        (SUN, "showdown.qualification=none"),
        (SUN, "pay_tables.ante.flush=9 to 1"),
    ],
    ids=" ".join,
)
def test_sentences_bet_where_the_rules_do_whose_cost_is_told(changed: tuple[str, ...]) -> None:
    """Read back from the words alone, position by position; the tables are those that the cost was counted with."""
    found, play = played(*changed)
    cards = thumb_cost._dealt(3_000, seed=7)
    room, lying = zeros(8), zeros(4)
    for choice in found.game.choices:
        if not choice.community:
            continue
        says = [rule.says for rule in play.rules if rule.decision == choice.bet]
        read = card_reader.bets(says, cards[:, :2], cards[:, 2 : 2 + choice.community])
        table = dict(play.bets_with)[choice.bet]
        for deal, bets in zip(cards.tolist(), read.tolist(), strict=True):
            lying[:] = deal[2:]
            sort = int(thumb.pattern_of(deal[0], deal[1], lying, choice.community, rank_tables(), room))
            assert bets == table[sort], (says, [DECK[card] for card in deal])


@pytest.mark.parametrize("name", GAMES)
def test_no_pair_is_said_to_be_a_least_two_cards(name: str) -> None:
    """ "K-K or higher" would be read as K-K and A-A; the rule bets every Ace. How two cards compare is in the notes."""
    _, play = played(name)
    for rule in play.rules:
        for high, low in re.findall(r"(\w+)-(\w+) or higher", rule.says):
            assert high != low, rule.says
    text = card_text(play)
    if any("or higher" in rule.says for rule in play.rules):
        assert "A-2 is higher than K-Q." in text


@pytest.mark.parametrize(
    ("own", "board", "says_bet"),
    [
        ("Kh Kd", "9c 9d 4s 4h", True),
        ("Qh Qd", "9c 9d 4s 4h", False),
        ("Ah Ad", "9c 9d 4s 4h", True),
        ("Ah 2d", "9c 9d 4s 4h", True),
        ("Ah 2d", "9c 9d 7s 4h", True),
        ("Kh Qd", "9c 9d 7s 4h", False),
        ("Kh Kd", "9c 9d 7s 4h", True),
        ("Kh Qd", "9c 9d 4s 4h", False),
    ],
)
def test_a_pair_or_two_on_the_board_are_read_as_they_are_said(own: str, board: str, says_bet: bool) -> None:
    """The River bet: any ace, K-K beside two pairs, two pairs of one's own; and the table that was counted agrees."""
    _, play = played(MULTI)
    says = [rule.says for rule in play.rules if rule.decision == "river"]
    assert "With a pair on the board: bet with any ace, or with K-K beside two pairs on the board." in says
    cards = np.array([[DECK.index(card) for card in parse_cards(f"{own} {board}")]])
    assert card_reader.bets(says, cards[:, :2], cards[:, 2:]).tolist() == [says_bet]
    lying = zeros(4)
    lying[:] = cards[0, 2:]
    sort = int(thumb.pattern_of(int(cards[0, 0]), int(cards[0, 1]), lying, 4, rank_tables(), zeros(8)))
    assert dict(play.bets_with)["river"][sort] is says_bet


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ((11, 5), "K-7 or higher"),
        ((12, 0), "any ace"),
        ((12, 8), "A-10 or higher"),
        ((11, 11), "any ace, or with K-K beside two pairs on the board"),
        ((8, 8), "J-2 or higher, or with 10-10 beside two pairs on the board"),
        ((12, 12), "A-A beside two pairs on the board"),
    ],
)
def test_from_which_two_cards_on_is_said_and_read_alike(place: tuple[int, int], says: str) -> None:
    """For every two cards beside two pairs on the board, by their faces alone."""
    high, low = place
    assert rules_of_thumb._from_two(high * 13 + low) == says
    lying = [DECK.index(card) for card in parse_cards("9c 9d 4s 4h")]
    free = [at for at in range(52) if at not in lying]
    own = np.array(list(combinations(free, 2)))
    board = np.array([lying] * len(own))
    faces = np.sort(own // 4, axis=1)[:, ::-1]
    expected = faces[:, 0] * 13 + faces[:, 1] >= high * 13 + low
    assert card_reader.bets([f"Otherwise: bet with {says}."], own, board).tolist() == expected.tolist()


def test_a_sentence_nobody_can_read_is_refused() -> None:
    cards = thumb_cost._dealt(10, seed=1)
    for says in ("Bet on Sundays.", "With a full moon: check.", "Otherwise: bet boldly.", "Whatever: check."):
        with pytest.raises(card_reader.UnreadableRule):
            card_reader.bets([says], cards[:, :2], cards[:, 2:5])
    with pytest.raises(card_reader.UnreadableRule):
        card_reader.folded_hands("Fold now and then.")
    assert card_reader.folded_hands("Fold nothing; bet with every other hand.") == frozenset()


@pytest.mark.parametrize("name", [MULTI, SUN])
def test_a_wrong_cost_of_the_rules_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight per cent of it with the deals of a report, its rows adding up or not."""
    found, play = played(name)
    lost = thumb_cost.rule_cost(found.solved, play, 400_000)
    monkeypatch.setattr(sum_checks, "rule_cost", lambda _solved, _play, _deals: lost)  # the same sentences each time
    assert sum_checks.check_thumb(found, play, (), 400_000)["thumb"].agrees
    for times in (Fraction(92, 100), Fraction(108, 100)):
        wrong = msgspec.structs.replace(
            play, cost=play.cost * times, mistakes=tuple((bet, cost * times) for bet, cost in play.mistakes)
        )
        assert not sum_checks.check_thumb(found, wrong, (), 400_000)["thumb"].agrees
    apart = msgspec.structs.replace(play, cost=play.cost + Fraction(1, 10**9))
    assert not sum_checks.check_thumb(found, apart, (), 400_000)["thumb"].agrees


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (MULTI, "Fold 32o,", "Fold AKo, 32o,"),
        (MULTI, "With a threatening board: check.", "With a threatening board: bet with A-2 or higher."),
        (SUN, "a pair of your own or better", "two pairs or better of your own"),
    ],
)
def test_a_sentence_that_says_something_else_costs_something_else(name: str, before: str, after: str) -> None:
    found, play = played(name)
    rules = tuple(Rule(rule.decision, rule.says.replace(before, after)) for rule in play.rules)
    assert rules != play.rules
    check = sum_checks.check_thumb(found, msgspec.structs.replace(play, rules=rules), (), 100_000)["thumb"]
    assert not check.agrees


def test_three_cards_are_counted_against_every_dealer() -> None:
    """Exactly: the best play, and the sentence one step off on either side."""
    found, play = played(THREE)
    hands = thumb_cost.every_hand(found.game)
    assert len(hands) == 1_755
    assert sorted((hand.ways, hand.play) for hand in hands) == sorted((h.ways, h.play) for h in found.solved.hands)
    ev, half, _ = sum_checks._loses_exactly(hands)
    assert (ev, half) == (found.solved.ev, 0.0)
    assert sum_checks.check_thumb(found, play, hands, 0)["thumb"].agrees
    for other in ("Q-6-3", "Q-6-5"):
        rules = tuple(Rule(rule.decision, rule.says.replace("Q-6-4", other)) for rule in play.rules)
        check = sum_checks.check_thumb(found, msgspec.structs.replace(play, rules=rules), hands, 0)["thumb"]
        assert not check.agrees
        assert Fraction(check.again) > 0


def test_deals_are_as_likely_as_each_other() -> None:
    """No card twice, and every card as often in every place."""
    cards = thumb_cost._dealt(52_000, seed=3)
    assert all(len(set(deal)) == len(deal) for deal in cards[:2_000].tolist())
    for place in cards.T:
        assert abs(np.bincount(place, minlength=52) - 1_000).max() < 5 * 1_000**0.5


def test_ranks_of_few_cards_are_those_of_the_ranking_list() -> None:
    """Six cards as a person names them; the two highest lines are one here."""
    cards = np.array([deal for deal in combinations(range(0, 52, 3), 6)])  # noqa: C416 - rows, not tuples
    found = card_reader._ranks(np.asarray(cards.T, np.int64))
    for deal, made in zip(cards.tolist(), found.tolist(), strict=True):
        assert made == min(rank(best_five([DECK[card] for card in deal])), Rank.STRAIGHT_FLUSH)


# ---------------------------------------------------------------- without rounds


def test_without_rounds_exact_ways_still_stand() -> None:
    """As for the other figures: what needs dealing is absent, what is counted is not."""
    counted = {"jackpot_fixed", "jackpot_share", "jackpot_even", "jackpot_at"}
    for name, more in ((MULTI, set()), (SUN, set()), (THREE, {"jackpot_round", "thumb"})):
        found, play = played(name)
        checks = sum_checks.check_sums(found, play, 0)
        lines = {place for place in checks if place.startswith(("jackpot.", "jackpot_paid.", "edge."))}
        assert found.jackpot is not None
        assert {f"jackpot.{hand}" for hand in found.jackpot.made} <= lines
        assert checks.keys() - lines == counted | more
        assert differing(checks) == set()
