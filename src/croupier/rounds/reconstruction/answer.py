"""The answer to "can it be reconstructed?": the layouts in words and money, as a supervisor reads them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.money import show
from croupier.rounds.commands import FACE_DOWN, FeltFacts
from croupier.rounds.reconstruction.layouts import (
    COMMUNITY,
    MOST_LISTED,
    BadFacts,
    Layout,
    Lying,
    Reconstruction,
    answers,
    reconstruct,
)
from croupier.rounds.reconstruction.sequences import BURN, intended
from croupier.rounds.reconstruction.values import money_of_layout
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms


class PossibleLayout(msgspec.Struct, frozen=True, kw_only=True):
    """One layout that the facts allow."""

    places: Mapping[str, tuple[str, ...]]
    """By place the cards that it was to receive: the face, or where the card lies now."""
    moves: tuple[str, ...]
    """What the Dealer does to put the cards there."""
    money: Mapping[str, str] | None
    """By box what its bets win or lose as they lie; null where a card that decides it was not seen."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What follows from the facts of the felt. It decides nothing: a person rules."""

    says: str
    determined: bool
    """Exactly one layout is consistent."""
    reconstructible: bool | None
    """By the measure of the document; null where the facts contradict each other."""
    count: int
    layouts: tuple[PossibleLayout, ...]
    """At most twelve."""


def find(terms: Terms, state: Round, facts: FeltFacts, *, one_by_one: bool = False) -> Finding:
    """Compute the layouts of a Round's deal from what lies on the felt, as `reconstruct` does; raises BadFacts."""
    if not state.hands:
        raise BadFacts("No hand is dealt in this round.")
    found = reconstruct(terms, state.hands, facts, one_by_one=one_by_one)
    return Finding(
        says=_says(facts, found),
        determined=found.determined,
        reconstructible=answers(facts, found),
        count=found.count,
        layouts=tuple(_layout(terms, state, facts, layout) for layout in found.layouts),
    )


def _says(facts: FeltFacts, found: Reconstruction) -> str:
    if not found.count:
        return "No way of dealing that this report allows leaves these cards on the felt. Check the facts."
    if not found.complete:
        return "Too many orders are possible, so the order is not determined."
    if not found.determined:
        listed = f"; {MOST_LISTED} are listed" if found.count > MOST_LISTED else ""
        return f"{found.count} layouts are consistent, so the order is not determined{listed}."
    if answers(facts, found):
        return "One layout alone is consistent: the order is determined."
    return "One layout alone is consistent, but moving complete hands does not reach it."


def _layout(terms: Terms, state: Round, facts: FeltFacts, layout: Layout) -> PossibleLayout:
    money = money_of_layout(terms, state, facts, layout)
    placed = {one for _, lying in layout.places for one in lying}
    lie = [(place, nth) for place, pile in facts.piles.items() for nth in range(len(pile.cards))]
    aside = [f"{_named(facts, one)} is out of play" for one in lie if one not in placed and one[0] != BURN]
    whole = intended(terms.dealing, state.hands)
    follows = [f"The next card of the shoe goes to {place_in_words(whole[len(lie)])}"] if len(lie) < len(whole) else []
    return PossibleLayout(
        places={place: tuple(_card(facts, one) for one in lying) for place, lying in layout.places},
        moves=(
            *aside,
            *(
                f"{_named(facts, one)} goes to {_target(place, nth)}"
                for place, lying in layout.places
                for nth, one in enumerate(lying)
                if one[0] != place or (place == COMMUNITY and one[1] != nth)
            ),
            *follows,
        ),
        money=None if money is None else {str(box): show(amount) for box, amount in money.items()},
    )


def _card(facts: FeltFacts, lying: Lying) -> str:
    face = facts.piles[lying[0]].cards[lying[1]]
    return _where(lying) if face == FACE_DOWN else face


def _named(facts: FeltFacts, lying: Lying) -> str:
    face = facts.piles[lying[0]].cards[lying[1]]
    where = _where(lying)
    return f"{where[:1].upper()}{where[1:]}" if face == FACE_DOWN else f"{face}, {where},"


def _where(lying: Lying) -> str:
    place, nth = lying
    return f"card {nth + 1} of {place_in_words(place)}"


def _target(place: str, nth: int) -> str:
    return f"place {nth + 1} of the community" if place == COMMUNITY else place_in_words(place)


def place_in_words(place: str) -> str:
    """Return a place of the felt for a sentence: "box 2", "the Dealer"."""
    return {"dealer": "the Dealer", "community": "the community", "burn": "the burnt cards"}.get(place, f"box {place}")
