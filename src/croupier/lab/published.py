"""Published figures of these games beside ours, to the last published digit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from croupier.cards import DECK, Rank, three_card
from croupier.lab.model.game import Game, Side, Structure, Units
from croupier.rulebooks.vocabulary import Fate, HoleCards

if TYPE_CHECKING:
    from croupier.lab.bets.side_bets import SideFigures
    from croupier.lab.solve.solution import Solution

NOTE = "squares a fold as if it cost nothing, and bets where betting and checking are even"


class Published(msgspec.Struct, frozen=True):
    """One published figure with ours, rounded to as many digits."""

    figure: str
    says: str
    ours: str
    note: str = ""
    """Why the published figure differs, where it does."""

    @property
    def agrees(self) -> bool:
        return self.says == self.ours


def published(solved: Solution, sides: Mapping[str, SideFigures]) -> tuple[Published, ...]:
    """Return the published figures of a game with exactly these rules."""
    found: list[Published] = []
    game = solved.game
    if _is_texas(game, Rank.STRAIGHT):
        found += [
            _percent("house edge", "2.037%", solved.house_edge),
            _number("average wager", "3.8181", solved.average_wager),
            _percent("element of risk", "0.5335%", solved.element_of_risk),
            _number("standard deviation", "3.500839", solved.standard_deviation, NOTE),
        ]
    elif _is_texas(game, Rank.FLUSH):
        found.append(_percent("house edge", "5.5935%", solved.house_edge))
    elif _is_casino(game):
        found += [
            _percent("house edge", "2.16%", solved.house_edge),
            _percent("rounds with call", "82%", solved.decisions["call"]),
        ]
    elif _is_three_card(game):
        found += [
            _percent("house edge", "3.37%", solved.house_edge),
            Published("weakest hand played", "Q-6-4", _cut_off(solved)),
        ]
    for name, figures in sides.items():
        if not _on_own_cards(figures.side):
            continue
        if figures.side.pays == BONUS:
            found.append(_percent(f"return of {name}", "91.46%", 1 + figures.ev))
        elif figures.side.pays == PAIR_PLUS:
            found.append(_percent(f"house edge of {name}", "5.57%", -figures.ev))
    return tuple(found)


# fmt: off
BONUS: Mapping[str, Units] = {
    HoleCards.ACES_BOTH:                Fraction(1000),
    HoleCards.ACES:                     Fraction(30),
    HoleCards.ACE_KING_SUITED:          Fraction(25),
    HoleCards.ACE_QUEEN_OR_JACK_SUITED: Fraction(20),
    HoleCards.ACE_KING:                 Fraction(15),
    HoleCards.HIGH_PAIR:                Fraction(10),
    HoleCards.ACE_QUEEN_OR_JACK:        Fraction(5),
    HoleCards.LOW_PAIR:                 Fraction(3),
}
PAIR_PLUS: Mapping[str, Units] = {
    "straight_flush":  Fraction(40),
    "three_of_a_kind": Fraction(30),
    "straight":        Fraction(5),
    "flush":           Fraction(4),
    "pair":            Fraction(1),
}
# fmt: on
CASINO_ANTE = tuple(map(Fraction, (1, 1, 1, 1, 1, 2, 3, 10, 20, 100)))
"""By rank, the lowest first."""


def _times(game: Game) -> tuple[int, ...]:
    return tuple(choice.times for choice in game.choices)


def _is_texas(game: Game, pays_from: Rank) -> bool:
    paid = tuple(Fraction(rank >= pays_from) for rank in Rank)
    same = game.ante_on_win == paid and not game.qualifies_from
    return game.structure is Structure.STREETS and _times(game) == (2, 1, 1) and same


def _is_casino(game: Game) -> bool:
    same = game.ante_on_win == CASINO_ANTE and game.qualifies_from == Rank.PAIR << 20 | 4 << 16
    return game.structure is Structure.FLOP_FIRST and _times(game) == (2,) and same and not game.tie_first


def _is_three_card(game: Game) -> bool:
    bonus = [side for side in game.sides if side.on_ante]
    return (
        game.structure is Structure.THREE_CARDS
        and _times(game) == (1,)
        and game.qualifies_from == 12 << 16
        and len(bonus) == 1
        and dict(bonus[0].pays) == {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1}
        and _on_own_cards(bonus[0])
    )


def _on_own_cards(side: Side) -> bool:
    """Return whether the comparison with the Dealer's Hand has no part in it."""
    return not {Fate.BEATEN, Fate.STOOD_OFF} & (side.lost | side.returned) and not side.declared.dealer_alone_pays


def _cut_off(solved: Solution) -> str:
    """Return the weakest Hand of three cards that is played, as in "Q-6-4"."""
    played = (hand.cards for hand in solved.hands if hand.played)
    weakest = min(played, key=three_card, default=())
    return "-".join(card[0].replace("T", "10") for card in sorted(weakest, key=DECK.index, reverse=True))


def _places(says: str) -> int:
    return len(says.rstrip("%").partition(".")[2])


def _percent(figure: str, says: str, value: Fraction | float) -> Published:
    return Published(figure, says, f"{100 * float(value):.{_places(says)}f}%")


def _number(figure: str, says: str, value: Fraction | float, note: str = "") -> Published:
    return Published(figure, says, f"{float(value):.{_places(says)}f}", note)
