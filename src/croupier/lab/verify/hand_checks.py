"""Single Hands and single positions found a second time: played at random, or dealt out card by card."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random

from croupier.cards import Card, three_card, three_card_rank
from croupier.cards.ranking import ThreeCardRank
from croupier.lab.kernels.check import hand_rounds
from croupier.lab.kernels.runtime.compiler import Ints, add_up, in_threads, zeros
from croupier.lab.model.card_places import suit_pattern
from croupier.lab.model.game import Choice, Structure
from croupier.lab.play.advice import position_values
from croupier.lab.play.strategy import Strategy
from croupier.lab.solve import holdem
from croupier.lab.solve.holdem import STARTING_HANDS
from croupier.lab.solve.solution import EvenDecision, Solution
from croupier.lab.verify.card_reader import folded_hands
from croupier.lab.verify.check import Check, Checks, exact_check
from croupier.lab.verify.random_rounds import SIGMAS
from croupier.lab.verify.starting_hands import HandSamples, holds, shown
from croupier.lab.verify.thumb_cost import Hand

FACES, FLOP = "23456789TJQKA", 3
COUNTED_OUT = 1_500
"""Random positions in which choices are compared."""


# ---------------------------------------------------------------- starting hands


def check_hands(solved: Solution, play: Strategy, played: HandSamples) -> Checks:
    """Check every starting hand of the chart."""
    found: Checks = {}
    by_streets = solved.game.structure is Structure.STREETS
    cells = {cell.hand: cell for row in play.chart for cell in row}
    for hand, value in zip(STARTING_HANDS, solved.hands, strict=True):
        cell = cells[hand.name]
        if by_streets:
            seen = played.mean(hand, hand_rounds.BEST)
            agrees, says = holds(value.play, seen), shown(seen)
            right = cell.margin == value.play - value.fold and cell.value == max(value.play, value.fold)
            right = right and cell.played == (1 if cell.margin > 0 else 0)
        else:
            best, called = played.mean(hand, hand_rounds.BEST), played.mean(hand, hand_rounds.BET_ON_FLOP)
            always = played.mean(hand, hand_rounds.PLAYED)
            agrees = holds(cell.value, best) and holds(cell.margin - 1, always)
            # What is hardly ever, or nearly always, called has too small a spread for an interval of its own.
            near = 12 / played.rounds
            right = holds(cell.played, called) or abs(float(cell.played) - called[0]) <= near
            says = f"{shown(best)}; called {100 * called[0]:.1f}%; always called {shown(always)}"
        exact = cell.margin + value.fold if by_streets else cell.value
        check = Check(hand.name, f"{float(exact):.6f}", says, played.how, agrees and right)
        found[f"chart.{hand.name}"] = check
    return found


def check_edges(solved: Solution, play: Strategy, played: HandSamples) -> Checks:
    """Check the starting hands at the edge, from many more rounds of each."""
    values = {hand.name: (hand, value) for hand, value in zip(STARTING_HANDS, solved.hands, strict=True)}
    found: Checks = {}
    for each in play.edges:
        hand, value = values[each.hand]
        mean, error = played.mean(hand, hand_rounds.BEST)
        seen = (mean - float(value.fold), error)
        how = f"{played.rounds:,} rounds dealt and ranked, seed {played.seed}"
        found[f"edge.{each.hand}"] = Check(
            each.hand, f"{float(each.margin):.6f}", shown(seen), how, holds(each.margin, seen)
        )
    return found


def check_first_rule(solved: Solution, play: Strategy) -> Checks:
    """Check what the first decision's rule loses, from the sentence on the card, Hand by Hand."""
    first = solved.game.choices[0]
    says = next((rule.says for rule in play.rules if rule.decision == first.bet), "")
    hands = solved.hands
    if solved.game.structure is Structure.STREETS:
        folded = folded_hands(says)
        taken = [hand.play if hand.name not in folded else hand.fold for hand in hands]
    elif solved.game.structure is Structure.THREE_CARDS:
        least = least_played(says)
        taken = [hand.play if is_at_least(hand.cards, least) else hand.fold for hand in hands]
    else:
        return {}
    lost = sum((hand.ways * (hand.value - value) for hand, value in zip(hands, taken, strict=True)), Fraction(0))
    lost /= sum(hand.ways for hand in hands)
    cost = dict(play.mistakes)[first.bet]
    return {
        f"thumb.{first.bet}": exact_check(f"rules for {first.bet}", cost, lost, "the sentence read back, hand by hand")
    }


def least_played(says: str) -> tuple[int, ...]:
    """Read the faces of "Bet with Q-6-4 or anything higher; fold everything else."."""
    name = says.removeprefix("Bet with ").partition(" or ")[0].replace("10", "T")
    return tuple(FACES.index(face) for face in name.split("-"))


def is_at_least(cards: tuple[Card, ...], least: tuple[int, ...]) -> bool:
    """Return whether three cards are these faces or anything higher."""
    if three_card_rank(three_card(cards)) > ThreeCardRank.ODD_CARDS:
        return True
    return tuple(sorted((FACES.index(card[0]) for card in cards), reverse=True)) >= least


def check_three_card_edges(play: Strategy, hands: tuple[Hand, ...]) -> Checks:
    """Check every Hand at the edge against every Dealer's."""
    how = "every Dealer's hand, one by one in plain Python"
    worth = {suit_pattern(hand.cards): hand.play for hand in hands}
    return {
        f"edge.{each.hand}": exact_check(each.hand, each.margin, worth[suit_pattern(each.cards)] + 1, how)
        for each in play.edges
    }


# ---------------------------------------------------------------- decisions that are exactly even


def check_even(solved: Solution) -> Checks:
    """Check how often choices are worth the same in random positions.

    On the turn each is dealt out to the end; on the flop the sums of every Turn Card are added up.
    """
    game = solved.game
    found: Checks = {}
    for choice, even in zip(game.choices, solved.indifferent, strict=True):
        if choice.community:
            found[f"even.{choice.bet}"] = _dealt_out(solved, choice, even)
        else:
            positions = sum(hand.ways for hand in solved.hands if hand.play - hand.fold == 0)
            how = "the chart's hands with a margin of nothing, added up"
            check = Check(f"even: {choice.bet}", str(even.positions), str(positions), how, positions == even.positions)
            found[f"even.{choice.bet}"] = check
    return found


def _dealt_out(solved: Solution, choice: Choice, even: EvenDecision) -> Check:
    game = solved.game
    random = Random(3)  # noqa: S311 - a sample
    lookup = holdem.Lookup(game)
    at_stake = 0 if game.structure is Structure.STREETS else lookup.layout.fold

    def over_turns(own: tuple[int, ...], board: tuple[int, ...]) -> int:
        """Add up what decides on a flop from the sums of every board of four that may follow."""
        return sum(lookup.value(own, (*board, card)) for card in range(52) if card not in (*own, *board))

    size = COUNTED_OUT
    live = {hand.name for hand in solved.hands if hand.played or game.structure is Structure.FLOP_FIRST}
    dealt = [random.sample(range(52), 2 + choice.community) for _ in range(size)]
    positions = [
        (tuple(cards[:2]), tuple(cards[2:]))
        for cards in dealt
        if STARTING_HANDS[holdem.starting_hand(cards[0], cards[1])].name in live
    ]

    def count_out(found: Ints, at: int) -> None:
        bet, otherwise = position_values(game, choice, *positions[at])
        found[0] += bet == otherwise

    if choice.community == FLOP:
        seen = sum(over_turns(own, board) == at_stake for own, board in positions)
    else:
        seen = int(add_up(in_threads(lambda: zeros(1), count_out, range(len(positions))))[0])
    exact = float(even.probability)
    half = SIGMAS * sqrt(exact * (1 - exact) / size) + SIGMAS**2 / size
    agrees = abs(seen / size - exact) <= half
    how = f"{size:,} random positions, " + ("every turn card" if choice.community == FLOP else "dealt out to the end")
    return Check(f"even: {choice.bet}", f"{exact:.6f}", f"{seen / size:.6f} ± {half:.6f}", how, agrees)
