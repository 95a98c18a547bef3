"""3 Card Poker with one of the Dealer's cards in sight: the best play against it, and what a round is worth."""

from __future__ import annotations

from fractions import Fraction
from math import comb, lcm

import msgspec
import numpy as np

from croupier.cards import ThreeCardRank, slug
from croupier.lab.kernels.cards.ranking import hands_of_three
from croupier.lab.kernels.enumerate import three_card
from croupier.lab.kernels.runtime.compiler import Ints, in_threads, zeros
from croupier.lab.model.game import Game, Units
from croupier.rulebooks.vocabulary import Fate

OWN, OTHERS = 20_825, 1_275
"""Own Hands beside a known card of the Dealer's; pairs that may lie with it before own cards are taken out."""
DEALERS = 1_128
SUITS = 4


class ExposedCard(msgspec.Struct, frozen=True):
    """Values of a round in units of Ante, by the face of the Dealer's card that is seen."""

    by_face: tuple[Units, ...]
    """Value of the played round, every Hand at its best against this card; the Two first."""
    played_by_face: tuple[Ints, ...]
    """For each face, by the number of the own Hand, whether it is played."""

    def plays(self, face: int, own: tuple[int, ...]) -> bool:
        """Return whether a Hand, its places in the deck ascending, is played against this face in the first suit."""
        first, second, third = own
        return bool(self.played_by_face[face][comb(third, 3) + comb(second, 2) + first])

    @property
    def played(self) -> Units:
        """Return a round's worth where it goes on whatever the card is."""
        return sum(self.by_face, Fraction(0)) / len(self.by_face)

    @property
    def left(self) -> Units:
        """Return a round's worth where the Player takes the Bets back against a bad card, before looking."""
        return sum((max(value, Fraction(0)) for value in self.by_face), Fraction(0)) / len(self.by_face)


def exposed_card(game: Game) -> ExposedCard:
    """Return what the round is worth with one of the Dealer's cards in sight."""
    hands, strengths = hands_of_three()
    scale, play, fold = _payoffs(game)

    def value(face: int) -> Units:
        card = SUITS * face
        holds = (hands == card).any(axis=1)
        own, his, his_strengths = hands[~holds], hands[holds], strengths[holds]
        assert (len(own), len(his)) == (OWN, OTHERS)
        counts = zeros((OWN, 5))
        three_card.count_dealers(own, his, his_strengths, game.qualifies_from, counts)
        ranks = strengths[~holds] >> 20
        played = (counts * play[ranks]).sum(axis=1)
        best = np.maximum(played, DEALERS * fold[ranks])
        chosen[face][~holds] = played > DEALERS * fold[ranks]
        return Fraction(int(best.sum()), scale * OWN * DEALERS)

    found, chosen = zeros(13).tolist(), [zeros(len(hands), 8) for _ in range(13)]

    def work(_: None, face: int) -> None:
        found[face] = value(face)

    in_threads(lambda: None, work, range(13))
    return ExposedCard(tuple(found), tuple(chosen))


def _payoffs(game: Game) -> tuple[int, Ints, Ints]:
    """Return, scaled to whole numbers, what a Hand of each rank comes to by outcome if played, and if folded."""
    (choice,) = game.choices
    payouts = [side for side in game.sides if side.on_ante]
    amounts = [*game.ante_on_win, *(pays for side in payouts for pays in side.pays.values())]
    scale = lcm(*(amount.denominator for amount in amounts))
    play, fold = zeros((len(ThreeCardRank), 5)), zeros(len(ThreeCardRank))
    for rank in ThreeCardRank:

        def net(value: Units, fate: Fate | None, line: str = slug(rank)) -> int:
            return int(scale * (value + sum((side.net(line, fate) for side in payouts), Fraction(0))))

        won = game.ante_on_win[rank]
        play[rank, three_card.WINS] = net(won + choice.times, None)
        play[rank, three_card.TIES] = net(Fraction(0), Fate.STOOD_OFF)
        play[rank, three_card.LOSSES] = net(Fraction(-1 - choice.times), Fate.BEATEN)
        play[rank, three_card.UNQUALIFIED] = net(won, None)
        play[rank, three_card.UNQUALIFIED_TIES] = net(Fraction(0), Fate.STOOD_OFF) if game.tie_first else net(won, None)
        fold[rank] = net(Fraction(-1), Fate.FOLDED)
    return scale, play, fold
