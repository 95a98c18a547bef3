"""Bonus, Pair Plus and Ante Bonus: what each row is worth under a given play of the Hands they belong to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt

import msgspec

from croupier.cards import DECK, Card
from croupier.lab import cache as cached
from croupier.lab.kernels.cards.ranking import rank_tables
from croupier.lab.kernels.enumerate.positions import compare_hands
from croupier.lab.kernels.runtime.compiler import zeros
from croupier.lab.model.game import Game, Side, Structure, Units, Unsolvable, rank_name
from croupier.lab.solve import holdem, own_cards
from croupier.lab.solve.enumeration import HOLE_CARDS
from croupier.lab.solve.holdem import STARTING_HANDS, StartingHand
from croupier.lab.solve.solution import Solution
from croupier.rulebooks.pay_lines import side_line
from croupier.rulebooks.vocabulary import Fate, HoleCards, SideHand

DEALER_PAIRS = 1_225
COMPARED = frozenset({Fate.BEATEN, Fate.STOOD_OFF})

Case = tuple[Fraction, str | None, Fate | None]
"""Probability, the line the cards meet, and what becomes of the Hand."""


class SideFigures(msgspec.Struct, frozen=True):
    """What one side Bet comes to, for each unit staked (a payout on the Ante: for each unit of Ante)."""

    side: Side
    paid: Mapping[str, Fraction]
    """Row -> the share of rounds in which it is paid."""
    results: Mapping[Units, Fraction]

    @property
    def ev(self) -> Units:
        return sum((net * chance for net, chance in self.results.items()), Fraction(0))

    @property
    def hit_rate(self) -> Fraction:
        return sum(self.paid.values(), Fraction(0))

    @property
    def standard_deviation(self) -> float:
        mean = self.ev
        return sqrt(sum(chance * (net - mean) ** 2 for net, chance in self.results.items()))


def figures(side: Side, solved: Solution) -> SideFigures:
    """Return the side Bet's figures beside this play."""
    paid = {row: Fraction(0) for row in side.pays}
    results: defaultdict[Units, Fraction] = defaultdict(Fraction)
    for chance, line, fate in cases(side, solved):
        net = side.net(line, fate)
        results[net] += chance
        if net > 0:
            assert line is not None
            paid[line] += chance
    assert sum(results.values()) == 1
    return SideFigures(side, paid, results)


def cases(side: Side, solved: Solution) -> Iterator[Case]:
    """Yield every way in which the side Bet may end."""
    if side.declared.on is SideHand.THREE_CARDS:
        yield from _three_cards(solved)
        return
    if solved.game.structure is not Structure.STREETS and Fate.FOLDED in side.lost:
        raise Unsolvable("A side Bet on Hole Cards that a fold after the flop loses is not covered.")
    for hand, value in zip(STARTING_HANDS, solved.hands, strict=True):
        chance = Fraction(hand.ways, HOLE_CARDS)
        if not value.played:
            yield chance, own_line(side, hand), Fate.FOLDED
        else:
            for part, line, fate in played(side, solved.game, hand):
                yield chance * part, line, fate


def own_line(side: Side, hand: StartingHand) -> str | None:
    """Return the line a starting hand meets without the Dealer's cards."""
    return side_line(side.declared, hand.cards)


def played(side: Side, game: Game, hand: StartingHand) -> Iterator[Case]:
    """Yield the cases of a starting hand that is played."""
    fates = holdem.fates(game, hand) if COMPARED & (side.lost | side.returned) else {}
    if fates and (side.declared.dealer_alone_pays or game.qualifies_from):
        raise Unsolvable(f"{side.name} that depends on the comparison is solved only on the Player's own cards.")
    for chance, line, both_aces in _lines(side, hand):
        if not fates:
            yield chance, line, None
        else:
            # Only Aces look at the Dealer's cards, and against Aces they stand off far more often than otherwise.
            of_line = aces_against_aces() if both_aces else fates
            for fate, share in of_line.items():
                yield chance * share, line, fate
            yield chance * (1 - sum(of_line.values(), Fraction(0))), line, None


def _lines(side: Side, hand: StartingHand) -> Iterator[tuple[Fraction, str | None, bool]]:
    """Yield the lines a starting hand may meet, over the Dealer's cards, and whether both hold Aces."""
    line = own_line(side, hand)
    if line == HoleCards.ACES:
        chance = Fraction(1, DEALER_PAIRS)
        both = side_line(side.declared, hand.cards, _other_aces(hand))
        yield chance, both, True
        yield 1 - chance, line, False
    elif line is None and side.declared.dealer_alone_pays:
        drawn: Counter[str | None] = Counter()
        for dealer in combinations([card for card in DECK if card not in hand.cards], 2):
            drawn[side_line(side.declared, hand.cards, dealer)] += 1
        for met, ways in drawn.items():
            yield Fraction(ways, DEALER_PAIRS), met, False
    else:
        yield Fraction(1), line, False


def _other_aces(hand: StartingHand) -> tuple[Card, ...]:
    return tuple(card for card in DECK if card[0] == "A" and card not in hand.cards)


@cache
def aces_against_aces() -> Mapping[Fate, Fraction]:
    """Return how often Aces lose to the other two Aces, and how often they stand off, over all boards."""

    def make() -> cached.Arrays:
        aces = [at for at, card in enumerate(DECK) if card[0] == "A"]
        one, two, left, counts = zeros(2), zeros(2), zeros(48), zeros(7)
        one[:], two[:] = aces[2:], aces[:2]
        left[:] = [at for at in range(52) if at not in aces]
        compare_hands(one, two, left, rank_tables(), counts)
        return {"counts": counts}

    counts = cached.counts("aces", (), make)["counts"]
    boards = int(counts[:3].sum())
    return {Fate.BEATEN: Fraction(int(counts[2]), boards), Fate.STOOD_OFF: Fraction(int(counts[1]), boards)}


def _three_cards(solved: Solution) -> Iterator[Case]:
    game = solved.game
    cards, _, strengths, counts = own_cards.counts_of(game.structure, game.qualifies_from)
    hands, every_dealer = own_cards.DEALT[game.structure]
    assert len(cards) == len(solved.hands)
    for value, strength, against in zip(solved.hands, strengths.tolist(), counts, strict=True):
        line = rank_name(game.structure, strength)
        if not value.played:
            yield Fraction(value.ways, hands), line, Fate.FOLDED
        else:
            for dealers, fate, _, _ in own_cards.outcomes(game, strength, against):
                yield Fraction(value.ways * dealers, hands * every_dealer), line, fate
