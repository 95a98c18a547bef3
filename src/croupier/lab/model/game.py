"""A game as mathematics sees it: what each Bet comes to, in units of its stake, and what is chosen.

Everything is read from the rulebook. The kernels get these figures as coefficients, the reference reads them as they
are, and a test settles the same rounds with the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import TypeVar

import msgspec

from croupier.cards import Card, Rank, Strength, ThreeCardRank, best_five, rank, slug, three_card, three_card_rank
from croupier.money import ToOne
from croupier.rulebooks.description.phrases import HANDS
from croupier.rulebooks.pay_lines import side_line
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    ANTE_BET,
    BetKind,
    BetName,
    Decision,
    Fate,
    HandKind,
    PayTable,
    Place,
    SideBet,
    Turn,
)

__all__ = ["Choice", "Game", "LabError", "Side", "Structure", "Unsolvable", "game"]

Units = Fraction
ZERO, LOST = Fraction(0), Fraction(-1)
R = TypeVar("R", Rank, ThreeCardRank)


class LabError(ValueError):
    """The lab cannot do what was asked; the message is one sentence for the user."""


class Unsolvable(LabError):
    """The lab cannot solve a game of this shape; the message says which shapes it can."""


class Structure(Enum):
    """The shapes of play that have a kernel family."""

    THREE_CARDS = "three_cards"
    """Three cards each; fold or Play on them."""
    FIVE_CARDS = "five_cards"
    """Five cards each and no Community Cards; fold or Call on them."""
    STREETS = "streets"
    """Two Hole Cards; fold or bet on them, then bet or check on the flop and on the turn."""
    FLOP_FIRST = "flop_first"
    """Two Hole Cards and the flop; fold or Call on them."""


class Choice(msgspec.Struct, frozen=True):
    """One decision: the Bet it may place, its multiple of the Ante, and the other choice."""

    bet: BetName
    times: int
    otherwise: str
    community: int
    """Community Cards in sight when it is made."""


class Side(msgspec.Struct, frozen=True):
    """A Bet, or a payout on the Ante, that is settled on the Player's own cards."""

    name: BetName
    declared: SideBet
    on_ante: bool
    """A payout without a stake of its own: what is not paid is not lost."""
    pays: Mapping[str, Units]
    lost: frozenset[Fate]
    returned: frozenset[Fate]

    def net(self, line: str | None, fate: Fate | None) -> Units:
        """Return what is won or lost for each unit staked: on its own chips, or on the Ante's where it is a payout."""
        unpaid = ZERO if self.on_ante else LOST
        if fate in self.lost:
            return unpaid
        if fate in self.returned:
            return ZERO
        return self.pays.get(line or "", unpaid)


class Game(msgspec.Struct, frozen=True):
    """The Bets of one table's terms in units of their stakes."""

    terms: Terms
    structure: Structure
    choices: tuple[Choice, ...]
    ante_on_win: tuple[Units, ...]
    """What the Ante pays on a win by the Player's rank, lowest first; 0 where it only comes back."""
    qualifies_from: int
    """The least strength of a Dealer's Hand that plays; 0 where every Hand plays."""
    tie_first: bool
    sides: tuple[Side, ...]

    @property
    def name(self) -> str:
        return self.terms.book.game

    @property
    def own_cards(self) -> int:
        """How many cards a Player's Hand has."""
        return self.terms.dealing.cards_to(Place.BOXES)

    @property
    def decides_on_own_cards(self) -> bool:
        """Whether the one decision is made on the own cards alone, and the comparison needs no others."""
        return self.structure in (Structure.THREE_CARDS, Structure.FIVE_CARDS)

    def side(self, name: BetName) -> Side:
        return next(side for side in self.sides if side.name == name)

    def strength(self, own: tuple[Card, ...], community: tuple[Card, ...]) -> Strength:
        """Return the strength that is compared with the Dealer's."""
        return three_card(own) if self.structure is Structure.THREE_CARDS else best_five((*own, *community))

    def fate(self, own: int, dealer: int) -> Fate | None:
        """Return what becomes of a Hand that was played; None where it wins or the Dealer does not qualify."""
        if dealer < self.qualifies_from and not (self.tie_first and own == dealer):
            return None
        if own < dealer:
            return Fate.BEATEN
        return Fate.STOOD_OFF if own == dealer else None

    def bets_after(self, fate: Fate | None, rank: int, *, qualified: bool) -> tuple[Units, Units]:
        """Return what one unit of Ante, and of any Bet that a decision placed, wins or loses."""
        match fate:
            case Fate.FOLDED:
                return LOST, ZERO
            case Fate.BEATEN:
                return LOST, LOST
            case Fate.STOOD_OFF:
                return ZERO, ZERO
            case None:
                return self.ante_on_win[rank], Fraction(qualified)
            case _:
                raise AssertionError(f"{fate}: in the lab every Hand is shown")

    def compare(self, own: int, dealer: int) -> tuple[Fate | None, Units, Units]:
        """Return what becomes of a Hand that was played, of its Ante, and of one unit of a later Bet."""
        fate = self.fate(own, dealer)
        return fate, *self.bets_after(fate, own >> 20, qualified=dealer >= self.qualifies_from)

    def settle(
        self,
        own: tuple[Card, ...],
        dealer: tuple[Card, ...],
        community: tuple[Card, ...],
        chosen: Mapping[BetName, bool],
    ) -> dict[BetName, Units]:
        """Settle every Bet of one box, for one unit of Ante and of each side Bet; decision Bets in units of Ante."""
        folded = any(choice.otherwise == "fold" and not chosen[choice.bet] for choice in self.choices)
        net: dict[BetName, Units] = {ANTE_BET: LOST}
        fate: Fate | None = Fate.FOLDED
        if not folded:
            mine, his = self.strength(own, community), self.strength(dealer, community)
            fate, net[ANTE_BET], later = self.compare(mine, his)
            net |= {choice.bet: choice.times * later for choice in self.choices if chosen[choice.bet]}
        for side in self.sides:
            net[side.name] = side.net(side_line(side.declared, own, dealer), fate)
        return net


def game(terms: Terms) -> Game:
    """Return the mathematics of these terms. Raises Unsolvable."""
    book = terms.book
    showdown = book.showdown
    choices = _choices(terms)
    three = showdown.hand is HandKind.THREE_CARDS
    qualification = showdown.qualification
    if showdown.hand is HandKind.FIVE_CARDS and book.side_bets:
        raise Unsolvable("On five cards the Ante, its decision Bet and the jackpot Bet are solved, but no side Bet.")
    if three and (showdown.ante_table is not None or showdown.ante_pays_from is not None):
        raise Unsolvable("On three cards the Ante is paid even money; a table for it is not covered.")
    return Game(
        terms=terms,
        structure=_structure(showdown.hand, choices),
        choices=choices,
        ante_on_win=(Fraction(1),) * len(ThreeCardRank) if three else _ante_on_win(terms),
        qualifies_from=0 if qualification is None else qualification.at_least.strength,
        tie_first=qualification is not None and qualification.tie_first,
        sides=tuple(_side(terms, side) for side in book.side_bets),
    )


def odds(pays: object) -> Units:
    """Return "3 to 2" as 3/2, without rounding to the cent."""
    assert isinstance(pays, ToOne), pays
    return Fraction(pays.odds, pays.per)


def _choices(terms: Terms) -> tuple[Choice, ...]:
    found: list[Choice] = []
    seen = 0
    for step in terms.dealing.steps:
        if isinstance(step, Turn) and not step.dealer:
            seen = step.community
        elif isinstance(step, Decision):
            found.append(Choice(step.bet, terms.bets[step.bet].times_ante, step.otherwise, seen))
    return tuple(found)


_SHAPES = {
    (HandKind.THREE_CARDS, ((0, "fold"),)): Structure.THREE_CARDS,
    (HandKind.FIVE_CARDS, ((0, "fold"),)): Structure.FIVE_CARDS,
    (HandKind.BEST_FIVE, ((0, "fold"), (3, "check"), (4, "check"))): Structure.STREETS,
    (HandKind.BEST_FIVE, ((3, "fold"),)): Structure.FLOP_FIRST,
}


def _structure(hand: HandKind, choices: tuple[Choice, ...]) -> Structure:
    shape = tuple((choice.community, choice.otherwise) for choice in choices)
    found = _SHAPES.get((hand, shape))
    if found is None:
        raise Unsolvable(
            f"No kernel solves {HANDS[hand]} with decisions of the shape {shape}: one fold or bet on three or on five "
            "own cards, one on the flop, and three from the Hole Cards to the turn are covered."
        )
    return found


def refuse_unsimulated(game: Game) -> None:
    """Raise Unsolvable where the simulator and the second checks of a sheet have no kernel for the shape."""
    if game.structure is Structure.FIVE_CARDS:
        raise Unsolvable(
            f"{game.name} is solved exactly, but neither simulated nor checked a second time: five own cards have no "
            "kernel for that."
        )


def _ante_on_win(terms: Terms) -> tuple[Units, ...]:
    showdown = terms.book.showdown
    if showdown.ante_table is not None:
        return tuple(_pays(showdown.ante_table, each) for each in Rank)
    if showdown.ante_pays_from is not None:
        return tuple(Fraction(each >= showdown.ante_pays_from) for each in Rank)
    return (Fraction(1),) * len(Rank)


def _pays(table: PayTable, line: Rank) -> Units:
    pays = table.pays(slug(line))
    return ZERO if pays is None else odds(pays)


def _side(terms: Terms, side: SideBet) -> Side:
    kind = terms.bets[side.bet].kind
    assert kind in (BetKind.SIDE, BetKind.PAYOUT), kind
    return Side(
        name=side.bet,
        declared=side,
        on_ante=kind is BetKind.PAYOUT,
        pays={line: odds(pays) for line, pays in side.table.rows},
        lost=frozenset(fate for fate, _ in side.lost_when),
        returned=frozenset(fate for fate, _ in side.returned_when),
    )


def rank_name(structure: Structure, strength: int) -> str:
    """Return the stable word of a strength's line in its ranking list."""
    if structure is Structure.THREE_CARDS:
        return slug(three_card_rank(Strength(strength)))
    return slug(rank(Strength(strength)))
