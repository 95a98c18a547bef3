"""Second opinions for a report: every figure once more, by a way that shares only the rulebook with the first."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import msgspec

from croupier.cards import DECK, Rank
from croupier.lab.games import Side, Structure
from croupier.lab.jackpot import JackpotFigures
from croupier.lab.side_bets import SideFigures
from croupier.lab.simulation import simulate
from croupier.lab.solving import Solved
from croupier.rulebooks.lines import side_line
from croupier.rulebooks.vocabulary import Fate, HoleCards, SideHand

FIVE_CARDS = comb(52, 5)
HANDS_OF_FIVE = {
    Rank.ROYAL_FLUSH: 4,
    Rank.STRAIGHT_FLUSH: 4 * 9,
    Rank.FOUR_OF_A_KIND: 13 * 48,
    Rank.FULL_HOUSE: 13 * comb(4, 3) * 12 * comb(4, 2),
    Rank.FLUSH: 4 * (comb(13, 5) - 10),
    Rank.STRAIGHT: 10 * (4**5 - 4),
    Rank.THREE_OF_A_KIND: 13 * comb(4, 3) * comb(12, 2) * 4**2,
    Rank.TWO_PAIRS: comb(13, 2) * comb(4, 2) ** 2 * 44,
    Rank.PAIR: 13 * comb(4, 2) * comb(12, 3) * 4**3,
}
"""How many of all five-card Hands are of each rank, by counting on paper."""


class Check(msgspec.Struct, frozen=True):
    """One figure, found a second time."""

    figure: str
    found: str
    again: str
    how: str
    agrees: bool


def check_base(solved: Solved, rounds: int) -> tuple[Check, ...]:
    """The base game against rounds dealt at random."""
    if not rounds:
        return ()
    seen = simulate(solved, rounds)
    how = f"{rounds:,} rounds dealt at random (seed {seen.seed}), 99.9% interval"
    found = [
        Check(
            "won per Ante",
            f"{float(solved.ev):.6f}",
            f"{seen.ev:.6f} ± {seen.ev_error:.6f}",
            how,
            seen.holds(solved.ev),
        )
    ]
    # Half a per cent is far more than the error of these at any number of rounds worth the name.
    near = 0.005 + 3 / rounds**0.5
    pairs = [
        ("standard deviation", solved.standard_deviation, seen.standard_deviation),
        ("average wager", float(solved.average_wager), seen.average_wager),
        *((f"rounds with {bet}", float(solved.decisions[bet]), often) for bet, often in seen.bets),
    ]
    for name, exact, again in pairs:
        agrees = abs(again - exact) <= near * max(1.0, exact)
        found.append(Check(name, f"{exact:.6f}", f"{again:.6f}", f"{rounds:,} rounds dealt at random", agrees))
    return tuple(found)


def check_side(figures: SideFigures, solved: Solved) -> tuple[Check, ...]:
    """A side Bet against every deal of the cards it looks at, one by one, where the play does not touch it."""
    side = figures.side
    if not _untouched(figures, solved):
        return ()
    paid = _dealt_out(side)
    found = []
    for row, chance in figures.paid.items():
        again = paid.get(row, Fraction(0))
        how = "every deal, card by card"
        found.append(Check(f"{side.name}: {row}", str(chance), str(again), how, chance == again))
    return tuple(found)


def _untouched(figures: SideFigures, solved: Solved) -> bool:
    """Whether no fold, and no comparison, ever takes a row away."""
    compared = {Fate.BEATEN, Fate.STOOD_OFF} & (figures.side.lost | figures.side.returned)
    if compared or figures.side.declared.dealer_alone_pays:
        return False
    folded = [hand for hand in solved.hands if not hand.played]
    lines = {side_line(figures.side.declared, hand.cards) for hand in folded}
    return not lines & set(figures.side.pays)


def _dealt_out(side: Side) -> dict[str, Fraction]:
    """How often own cards meet each row, whatever becomes of the Hand."""
    met: Counter[str] = Counter()
    if side.declared.on is SideHand.THREE_CARDS:
        for three in combinations(DECK, 3):
            met[side_line(side.declared, three) or ""] += 1
        return {row: Fraction(count, comb(52, 3)) for row, count in met.items()}
    dealers = comb(50, 2)
    for own in combinations(DECK, 2):
        line = side_line(side.declared, own)
        if line == HoleCards.ACES:
            left = [card for card in DECK if card not in own]
            for dealer in combinations(left, 2):
                met[side_line(side.declared, own, dealer) or ""] += 1
        else:
            met[line or ""] += dealers
    return {row: Fraction(count, comb(52, 2) * dealers) for row, count in met.items()}


def check_jackpot(figures: JackpotFigures, solved: Solved) -> tuple[Check, ...]:
    """Awards on five certain cards against the count of all five-card Hands on paper."""
    cards = 3 if solved.game.structure is Structure.THREE_CARDS else 2
    made = figures.made
    found = []
    for award in figures.jackpot.awards:
        size = award.community + (cards if award.own else 0)
        if size != 5 or award.rank not in HANDS_OF_FIVE:
            continue
        again = Fraction(HANDS_OF_FIVE[award.rank], FIVE_CARDS)
        how = "all five-card hands, counted on paper"
        found.append(Check(f"jackpot: {award.hand}", str(made[award.hand]), str(again), how, made[award.hand] == again))
    return tuple(found)
