"""3 Card Poker, solved: 1,755 classes of Hands against 18,424 of the Dealer's each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from croupier.cards import DECK
from croupier.lab import cache
from croupier.lab.kernels.cards.ranking import hands_of_three, three_strength
from croupier.lab.kernels.enumerate.three_card import (
    DEALERS,
    HANDS,
    LOSSES,
    TIES,
    UNQUALIFIED,
    UNQUALIFIED_TIES,
    WINS,
    count_all,
    count_dealers,
)
from croupier.lab.kernels.runtime.compiler import Ints, zeros
from croupier.lab.model.game import Game, Side, Units, rank_name
from croupier.lab.solve.solution import EvenDecision, HandValue, Solution
from croupier.rulebooks.vocabulary import Fate


@lru_cache(maxsize=4)
def counts_of(qualifies_from: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return classes of Hands, their sizes, strengths, and the Dealer's Hands by outcome."""

    def make() -> cache.Arrays:
        cards, ways, strengths, counts = count_all(qualifies_from)
        return {"cards": cards, "ways": ways, "strengths": strengths, "counts": counts}

    found = cache.counts("three-cards", qualifies_from, make)
    return found["cards"], found["ways"], found["strengths"], found["counts"]


def outcomes(game: Game, strength: int, counts: Ints) -> Iterator[tuple[int, Fate | None, Units, Units]]:
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


def solve(game: Game, beside: Mapping[str, Units] | None = None) -> Solution:
    """Find the best play; `beside` are side Bets, in units of Ante, that a fold may lose and that weigh in the choice.

    Results are those of Ante, Play and the payouts on the Ante; the side Bets only decide.
    """
    (choice,) = game.choices
    cards, ways, strengths, counts = counts_of(game.qualifies_from)
    values: list[HandValue] = []
    results: Counter[Units] = Counter()
    even_ways = 0
    for hand, strength, way, against in zip(cards.tolist(), strengths.tolist(), ways.tolist(), counts, strict=True):
        value, drawn, folded = _judge(game, hand, strength, way, against, beside or {})
        values.append(value)
        if value.play == value.fold:
            even_ways += way
        if value.played:
            for net, dealers in drawn.items():
                results[net] += way * dealers
        else:
            results[folded] += way * DEALERS
    chances = {net: Fraction(count, HANDS * DEALERS) for net, count in sorted(results.items())}
    played = Fraction(sum(each.ways for each in values if each.played), HANDS)
    return Solution(
        game,
        find_results=lambda: chances,
        ev=sum((net * chance for net, chance in chances.items()), Fraction(0)),
        square=sum((net**2 * chance for net, chance in chances.items()), Fraction(0)),
        decisions={choice.otherwise: 1 - played, choice.bet: played},
        hands=tuple(values),
        indifferent=(EvenDecision(choice.bet, even_ways, Fraction(even_ways, HANDS)),),
    )


def _judge(
    game: Game, cards: list[int], strength: int, ways: int, against: Ints, beside: Mapping[str, Units]
) -> tuple[HandValue, Mapping[Units, int], Units]:
    """Return what playing and folding one Hand are worth, the results of playing it, and that of folding it."""
    (choice,) = game.choices
    payouts = [side for side in game.sides if side.on_ante]
    weighing = [(game.side(name), stake) for name, stake in beside.items()]
    line = rank_name(game.structure, strength)
    drawn: Counter[Units] = Counter()
    play = Fraction(0)
    for dealers, fate, ante, later in outcomes(game, strength, against):
        net = ante + choice.times * later + _paid(payouts, line, fate)
        drawn[net] += dealers
        play += dealers * (net + sum((stake * side.net(line, fate) for side, stake in weighing), Fraction(0)))
    folded = Fraction(-1) + _paid(payouts, line, Fate.FOLDED)
    fold = folded + sum((stake * side.net(line, Fate.FOLDED) for side, stake in weighing), Fraction(0))
    value = HandValue(line, tuple(DECK[each] for each in cards), ways, play / DEALERS, fold)
    return value, drawn, folded


def hand_value(game: Game, cards: tuple[int, ...], beside: Mapping[str, Units] | None = None) -> HandValue:
    """Return one Hand, counted by itself; `beside` as in `solve`."""
    own, against = zeros((1, 3), 8), zeros((1, 5))
    own[0] = sorted(cards)
    count_dealers(own, *hands_of_three(), game.qualifies_from, against)
    value, _, _ = _judge(game, list(cards), three_strength(*cards), 1, against[0], beside or {})
    return value


def _paid(payouts: list[Side], line: str, fate: Fate | None) -> Units:
    return sum((side.net(line, fate) for side in payouts), Fraction(0))
