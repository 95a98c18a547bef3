"""Three cards against three: for every Hand a Player can hold, how many of the Dealer's it beats."""

from __future__ import annotations

from functools import cache

from croupier.lab.kernels.cards.ranking import three_strength
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.runtime.compiler import Ints, kernel, share, workers, zeros

HANDS, DEALERS = 22_100, 18_424
WINS, TIES, LOSSES, UNQUALIFIED, UNQUALIFIED_TIES = range(5)


@kernel
def deal_three(cards: Ints, strengths: Ints) -> None:
    """Every Hand of three cards with its strength."""
    at = 0
    for third in range(2, 52):
        for second in range(1, third):
            for first in range(second):
                cards[at, 0], cards[at, 1], cards[at, 2] = first, second, third
                strengths[at] = three_strength(first, second, third)
                at += 1


@kernel
def count_dealers(own: Ints, dealt: Ints, strengths: Ints, qualifies_from: int, counts: Ints) -> None:
    """For each own Hand those of the `dealt` Hands it wins, ties and loses against, and those that do not qualify.

    Those that do not qualify and equal the own Hand are counted apart.
    """
    for at in range(own.shape[0]):
        x, y, z = own[at, 0], own[at, 1], own[at, 2]
        mine = three_strength(x, y, z)
        wins = ties = losses = unqualified = unqualified_ties = 0
        for his in range(strengths.shape[0]):
            a, b, c = dealt[his, 0], dealt[his, 1], dealt[his, 2]
            if a in (x, y, z) or b in (x, y, z) or c in (x, y, z):
                continue
            strength = strengths[his]
            if strength < qualifies_from:
                if strength == mine:
                    unqualified_ties += 1
                else:
                    unqualified += 1
            elif strength < mine:
                wins += 1
            elif strength == mine:
                ties += 1
            else:
                losses += 1
        counts[at, 0], counts[at, 1], counts[at, 2] = wins, ties, losses
        counts[at, 3], counts[at, 4] = unqualified, unqualified_ties


@cache
def dealt() -> tuple[Ints, Ints]:
    """Every Hand of three cards, and its strength."""
    cards, strengths = zeros((HANDS, 3), 8), zeros(HANDS, 32)
    deal_three(cards, strengths)
    return cards, strengths


def count_all(qualifies_from: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Every class of Hands: its cards, how many Hands it has, its strength, and the Dealer's Hands by outcome."""
    own, ways = canonical(3)
    dealers, strengths = dealt()
    counts = zeros((len(own), 5))
    step = -(-len(own) // (4 * workers()))

    def count(_: None, start: int) -> None:
        some = slice(start, start + step)
        count_dealers(own[some], dealers, strengths, qualifies_from, counts[some])

    share(lambda: None, count, range(0, len(own), step))
    mine = zeros(len(own), 32)
    mine[:] = [three_strength(*hand) for hand in own.tolist()]
    return own, ways, mine, counts
