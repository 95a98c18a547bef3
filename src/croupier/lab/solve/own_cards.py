"""Games of one decision on the own cards alone, solved.

On three cards 1,755 classes of Hands play against 18,424 of the Dealer's each, on five 134,459 against 1,533,939.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from croupier.cards import DECK
from croupier.lab import cache
from croupier.lab.kernels.cards.ranking import hands_of_three, three_strength
from croupier.lab.kernels.enumerate import five_card, three_card
from croupier.lab.kernels.enumerate.three_card import LOSSES, TIES, UNQUALIFIED, UNQUALIFIED_TIES, WINS
from croupier.lab.kernels.runtime.compiler import Ints, zeros
from croupier.lab.model.game import Game, Side, Structure, Units, rank_name
from croupier.lab.solve.solution import EvenDecision, HandValue, Solution
from croupier.rulebooks.vocabulary import Fate

DEALT: Mapping[Structure, tuple[int, int]] = {
    Structure.THREE_CARDS: (three_card.HANDS, three_card.DEALERS),
    Structure.FIVE_CARDS: (five_card.HANDS, five_card.DEALERS),
}
"""How many Hands a Player may be dealt, and how many the Dealer beside each of them."""


@lru_cache(maxsize=4)
def counts_of(structure: Structure, qualifies_from: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return classes of Hands, their sizes, strengths, and the Dealer's Hands by outcome."""
    count_all = five_card.count_all if structure is Structure.FIVE_CARDS else three_card.count_all

    def make() -> cache.Arrays:
        cards, ways, strengths, counts = count_all(qualifies_from)
        return {"cards": cards, "ways": ways, "strengths": strengths, "counts": counts}

    found = cache.counts(structure.value.replace("_", "-"), qualifies_from, make)
    return found["cards"], found["ways"], found["strengths"], found["counts"]


_EVERY_COLUMN = tuple(range(5))


def outcomes(
    game: Game, strength: int, counts: Ints | Sequence[int]
) -> Iterator[tuple[int, Fate | None, Units, Units]]:
    """Yield ways of the Dealer's Hands, what becomes of a played Hand, and what Ante and Play bring, a unit each."""
    won = game.ante_on_win[strength >> 20]
    zero, one = Fraction(0), Fraction(1)
    yield int(counts[WINS]), None, won, one
    yield int(counts[TIES]), Fate.STOOD_OFF, zero, zero
    yield int(counts[LOSSES]), Fate.BEATEN, -one, -one
    yield int(counts[UNQUALIFIED]), None, won, zero
    if game.tie_first:
        yield int(counts[UNQUALIFIED_TIES]), Fate.STOOD_OFF, zero, zero
    else:
        yield int(counts[UNQUALIFIED_TIES]), None, won, zero


class _Line(NamedTuple):
    """What Hands of one rank come to: by the column of the Dealer's Hands where they are played, and if folded."""

    name: str
    nets: tuple[Units, ...]
    """Results of Ante, decision Bet and payouts on the Ante."""
    worth: tuple[Units, ...]
    """The same with the side Bets that weigh in the choice."""
    folded: Units
    fold: Units
    """A fold, without and with those side Bets."""


def _line(game: Game, strength: int, beside: Mapping[str, Units]) -> _Line:
    (choice,) = game.choices
    payouts = [side for side in game.sides if side.on_ante]
    weighing = [(game.side(name), stake) for name, stake in beside.items()]
    name = rank_name(game.structure, strength)

    def sides(fate: Fate | None) -> Units:
        return sum((stake * side.net(name, fate) for side, stake in weighing), Fraction(0))

    nets, worth = [], []
    for _, fate, ante, later in outcomes(game, strength, _EVERY_COLUMN):
        nets.append(ante + choice.times * later + _paid(payouts, name, fate))
        worth.append(nets[-1] + sides(fate))
    folded = Fraction(-1) + _paid(payouts, name, Fate.FOLDED)
    return _Line(name, tuple(nets), tuple(worth), folded, folded + sides(Fate.FOLDED))


def solve(game: Game, beside: Mapping[str, Units] | None = None) -> Solution:
    """Find the best play; `beside` are side Bets, in units of Ante, that a fold may lose and that weigh in the choice.

    Results are those of Ante, its decision Bet and the payouts on the Ante; the side Bets only decide.
    """
    (choice,) = game.choices
    hands, every_dealer = DEALT[game.structure]
    cards, ways, strengths, counts = counts_of(game.structure, game.qualifies_from)
    lines: dict[int, _Line] = {}
    values: list[HandValue] = []
    results: Counter[Units] = Counter()
    even_ways = 0
    rows = zip(cards.tolist(), strengths.tolist(), ways.tolist(), counts.tolist(), strict=True)
    for hand, strength, way, against in rows:
        line = lines.get(strength >> 20) or lines.setdefault(strength >> 20, _line(game, strength, beside or {}))
        value = _judge(line, hand, way, against)
        values.append(value)
        if value.play == value.fold:
            even_ways += way
        if value.played:
            for net, dealers in zip(line.nets, against, strict=True):
                results[net] += way * dealers
        else:
            results[line.folded] += way * every_dealer
    chances = {net: Fraction(count, hands * every_dealer) for net, count in sorted(results.items())}
    played = Fraction(sum(each.ways for each in values if each.played), hands)
    return Solution(
        game,
        find_results=lambda: chances,
        ev=sum((net * chance for net, chance in chances.items()), Fraction(0)),
        square=sum((net**2 * chance for net, chance in chances.items()), Fraction(0)),
        decisions={choice.otherwise: 1 - played, choice.bet: played},
        hands=tuple(values),
        indifferent=(EvenDecision(choice.bet, even_ways, Fraction(even_ways, hands)),),
    )


def _judge(line: _Line, cards: Sequence[int], ways: int, against: Sequence[int]) -> HandValue:
    """Return what playing and folding one Hand are worth."""
    # Whole numbers until the end: a hundred thousand Hands take seconds where each sum is of fractions.
    scale = lcm(*(each.denominator for each in line.worth))
    play = sum(
        dealers * (each.numerator * scale // each.denominator)
        for dealers, each in zip(against, line.worth, strict=True)
    )
    return HandValue(
        line.name, tuple(DECK[each] for each in cards), ways, Fraction(play, scale * sum(against)), line.fold
    )


def hand_value(game: Game, cards: tuple[int, ...], beside: Mapping[str, Units] | None = None) -> HandValue:
    """Return one Hand, counted by itself; `beside` as in `solve`."""
    own, against = zeros((1, game.own_cards), 8), zeros((1, 5))
    own[0] = sorted(cards)
    if game.structure is Structure.FIVE_CARDS:
        strengths, against = five_card.count_hands(own, game.qualifies_from)
        strength = int(strengths[0])
    else:
        three_card.count_dealers(own, *hands_of_three(), game.qualifies_from, against)
        strength = three_strength(*cards)
    return _judge(_line(game, strength, beside or {}), cards, 1, against[0].tolist())


def _paid(payouts: list[Side], line: str, fate: Fate | None) -> Units:
    return sum((side.net(line, fate) for side in payouts), Fraction(0))
