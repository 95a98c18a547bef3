"""Three cards against three: how many of the Dealer's Hands each Hand of a Player beats."""

from __future__ import annotations

from croupier.lab.kernels.cards.ranking import HANDS_OF_THREE, hands_of_three, three_strength
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.runtime.compiler import Ints, in_chunks, kernel, workers, zeros

HANDS, DEALERS = HANDS_OF_THREE, 18_424
WINS, TIES, LOSSES, UNQUALIFIED, UNQUALIFIED_TIES = range(5)


@kernel
def count_dealers(own: Ints, dealt: Ints, strengths: Ints, qualifies_from: int, counts: Ints) -> None:
    """Count for each own Hand the `dealt` Hands it wins, ties and loses against, and those that do not qualify.

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


def count_all(qualifies_from: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return every class of Hands: cards, size, strength, and the Dealer's Hands by outcome."""
    own, ways = canonical(3)
    dealers, strengths = hands_of_three()
    counts = zeros((len(own), 5))

    def count(first: int, last: int) -> None:
        count_dealers(own[first:last], dealers, strengths, qualifies_from, counts[first:last])

    in_chunks(len(own), 4 * workers(), count)
    mine = zeros(len(own), 32)
    mine[:] = [three_strength(*hand) for hand in own.tolist()]
    return own, ways, mine, counts
