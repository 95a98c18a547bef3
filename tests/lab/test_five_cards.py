"""Five cards each, one decision, no Community Cards: counted by faces and flushes, and by plain Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.cards import DECK, Rank, parse_cards, slug
from croupier.cards import strength as strength_of
from croupier.lab import reference
from croupier.lab.analysis import Analysis, analyze
from croupier.lab.kernels.enumerate import five_card
from croupier.lab.kernels.enumerate.three_card import LOSSES, UNQUALIFIED, UNQUALIFIED_TIES, WINS
from croupier.lab.kernels.runtime.compiler import zeros
from croupier.lab.model.card_places import PLACE
from croupier.lab.model.game import Structure, Unsolvable, game, refuse_unsimulated
from croupier.lab.play.advice import advise
from croupier.lab.play.strategy import strategy
from croupier.lab.solve import own_cards
from croupier.rulebooks.terms import table_terms
from tests.calling import Call
from tests.editions import EXAMPLES, HARBOUR, HARBOUR_1, installed

ACE_KING = 14 << 16 | 13 << 12


@pytest.fixture(scope="module", autouse=True)
def harbour() -> Iterator[None]:
    """The game is installed for these tests alone."""
    with installed(HARBOUR_1):
        yield


@pytest.fixture(scope="module")
def solved() -> Analysis:
    """The game as its document has it."""
    return analyze(table_terms(HARBOUR))


@pytest.mark.parametrize("hand", ["Ah Kh Jd 8c 3s", "9c 9d 9h Ks 2c", "Ks Ts 8s 4s 2s"])
def test_the_dealers_hands_are_those_of_plain_python(hand: str) -> None:
    """Twin: reference.count_five_card_dealers, all 1,533,939 of them one by one."""
    own = zeros((1, 5), 8)
    own[0] = sorted(PLACE[card] for card in parse_cards(hand))
    _, (counts,) = five_card.count_hands(own, ACE_KING)
    found = reference.count_five_card_dealers(parse_cards(hand), ACE_KING)
    assert counts[UNQUALIFIED] + counts[UNQUALIFIED_TIES] == found.unqualified
    _, (every,) = five_card.count_hands(own, 0)
    assert every[:3].tolist() == [found.wins, found.ties, found.losses]
    assert counts.sum() == every.sum() == five_card.DEALERS


def test_what_one_hand_wins_another_loses() -> None:
    """Over all 134,459 classes without a qualification; and each rank has as many hands as combinatorics says."""
    _, ways, strengths, counts = own_cards.counts_of(Structure.FIVE_CARDS, 0)
    assert int(ways.sum()) == five_card.HANDS
    assert (counts.sum(axis=1) == five_card.DEALERS).all()
    assert (ways * counts[:, WINS]).sum() == (ways * counts[:, LOSSES]).sum()
    by_rank = [int(ways[strengths >> 20 == rank].sum()) for rank in Rank]
    assert by_rank == [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]


@pytest.mark.parametrize(
    ("plays_from", "lost"),
    [
        pytest.param(strength_of(Rank.ODD_CARDS), 3_310_360_338_060, id="every hand"),
        pytest.param(strength_of(Rank.ODD_CARDS, 14, 13), 1_132_600_203_540, id="ace and king"),
        pytest.param(strength_of(Rank.ODD_CARDS, 14, 13, 11, 8, 3), 1_059_715_400_580, id="A-K-J-8-3"),
        pytest.param(strength_of(Rank.PAIR), 1_090_272_101_460, id="a pair"),
    ],
)
def test_the_counts_give_the_published_losses_of_a_known_game(plays_from: int, lost: int) -> None:
    """Caribbean Stud, whose Call is paid by a table: what the Wizard of Odds has each border lose, to the last unit.

    He counts every deal five times, once for each card that the Dealer may show.
    """
    pays = (1, 1, 2, 3, 4, 5, 7, 20, 50, 100)
    _, ways, strengths, counts = own_cards.counts_of(Structure.FIVE_CARDS, ACE_KING)
    total = 0
    for way, strength, against in zip(ways.tolist(), strengths.tolist(), counts.tolist(), strict=True):
        short = against[UNQUALIFIED] + against[UNQUALIFIED_TIES]
        call = short + against[WINS] * (1 + 2 * pays[strength >> 20]) - 3 * against[LOSSES]
        total += way * (call if strength >= plays_from else -five_card.DEALERS)
    assert 5 * total == -lost


def test_the_game_is_solved_exactly(solved: Analysis) -> None:
    """harbour-stud 4.1 to 4.7: the house edge, what each Bet comes to, and that both add up."""
    assert solved.solved.ev == Fraction(-974893421, 14444369940)
    call, ante = solved.bets["call"], solved.bets["ante"]
    assert (
        ante.ev + 2 * call.placed * call.ev
        == solved.solved.ev
        == sum(net * chance for net, chance in solved.solved.results.items())
    )
    assert call.placed == solved.solved.decisions["call"] == 1 - solved.solved.decisions["fold"]


def test_each_award_of_the_jackpot_is_made_as_often_as_combinatorics_has_it(solved: Analysis) -> None:
    """harbour-stud 4.8, 4.8.1: on the own five cards."""
    assert solved.jackpot is not None
    made = {"royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3_744, "flush": 5_108}
    assert solved.jackpot.probabilities == {hand: Fraction(ways, 2_598_960) for hand, ways in made.items()}


def test_a_jackpot_bet_that_a_fold_loses_is_not_weighed(solved: Analysis) -> None:
    """harbour-stud, reading fold-jackpot b: the best play folds no award, so the awards are paid as often."""
    terms = table_terms(HARBOUR, rulings={"fold-jackpot": "b"})
    found = analyze(terms)
    assert found.jackpot is not None
    assert solved.jackpot is not None
    assert found.jackpot.probabilities == solved.jackpot.probabilities
    with pytest.raises(Unsolvable, match="a fold loses is not weighed"):
        analyze(terms, stakes={"jackpot": 500})


def test_advice_is_the_value_of_the_whole_solution(solved: Analysis) -> None:
    """One hand counted by itself, and by plain settlement of every Dealer's hand."""
    known = solved.game
    hand = parse_cards("Ah Kh Jd 8c 3s")
    told = {option.choice: option.value for option in advise(known, hand).options}
    assert told["fold"] == -1
    total = Fraction(0)
    mine = known.strength(hand, ())
    for his in (known.strength(cards, ()) for cards in reference.hands_beside(hand, 5)):
        _, ante, later = known.compare(mine, his)
        total += ante + 2 * later
    assert told["call"] == total / five_card.DEALERS
    # The same faces with the suits renamed, as they stand for their class.
    (same,) = [each for each in solved.solved.hands if each.cards == tuple(parse_cards("3s 8h Jd Kc Ac"))]
    assert same.play == told["call"]


def test_the_rule_of_one_border_costs_what_it_says(solved: Analysis) -> None:
    """Hands of one strength differ by what they take from the Dealer, so one border costs a little."""
    found = strategy(solved.game, solved.solved)
    _, _, strengths, _ = own_cards.counts_of(solved.game.structure, solved.game.qualifies_from)
    by_cards = {value.cards: strength for value, strength in zip(solved.solved.hands, strengths.tolist(), strict=True)}
    edge = min(by_cards[value.cards] for value in solved.solved.hands if found.lowest_played in _faces(value.cards))
    lost = sum(
        value.ways * (value.value - (value.play if by_cards[value.cards] >= edge else value.fold))
        for value in solved.solved.hands
    )
    assert 0 < found.cost == lost / five_card.HANDS < Fraction(1, 1000)
    assert found.lowest_played.startswith("A-K-")
    assert {each.choice for each in found.edges} == {"fold", "call"}


def _faces(cards: tuple[str, ...]) -> str:
    return "-".join(card[0].replace("T", "10") for card in sorted(cards, key=DECK.index, reverse=True))


def test_what_is_not_solved_says_so_in_one_sentence() -> None:
    """The simulator and the second checks of a sheet have no kernel for the shape."""
    with pytest.raises(Unsolvable, match="solved exactly, but neither simulated nor checked a second time"):
        refuse_unsimulated(game(table_terms(HARBOUR)))


def test_the_command_prints_it(croupier: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`croupier --rulebooks … analyze harbour-stud --json`; a report is refused in one line."""
    monkeypatch.setenv("CROUPIER_RULEBOOKS", "")
    done = croupier("--rulebooks", str(EXAMPLES / f"{HARBOUR}-1"), "analyze", HARBOUR, "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["base"]["ev"] == "-974893421/14444369940"
    assert told["jackpot"]["awards"][0]["hand"] == slug(Rank.ROYAL_FLUSH)
    refused = croupier("report", HARBOUR, "--output", str(tmp_path / "sheet.html"))
    assert refused.code == 2
    assert "neither simulated nor checked a second time" in " ".join(refused.err.split())
