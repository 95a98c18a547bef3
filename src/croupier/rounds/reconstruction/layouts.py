"""Which layouts the facts allow: what each place was to receive, whether that is determined, and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, permutations, product
from typing import TypeAlias

import msgspec

from croupier.cards import BadCard, Card, card
from croupier.rounds.commands import FACE_DOWN, FeltFacts
from croupier.rounds.reconstruction.sequences import BURN, SLIPS, Sequence, intended, sequences
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import BoxNo, Dealing, Incident, Place, Turn

Lying: TypeAlias = tuple[str, int]
"""A card on the felt: the place where it lies, and which one there, from 0."""
COMMUNITY = Place.COMMUNITY.value
MOST_WORK = 20_000
"""Orders that are looked at before the answer is that they are too many."""
MOST_LISTED = 12
MOST_SLIPS = 2


class BadFacts(ValueError):
    """Facts that no felt can show; one sentence."""


class Layout(msgspec.Struct, frozen=True):
    """What each place was to receive: in no order, but Community Cards that are turned later come after the others."""

    places: tuple[tuple[str, tuple[Lying, ...]], ...]

    def at(self, place: str) -> tuple[Lying, ...]:
        """Return the cards that this place was to receive."""
        return dict(self.places).get(place, ())


class Reconstruction(msgspec.Struct, frozen=True, kw_only=True):
    """The layouts that are consistent with the facts."""

    layouts: tuple[Layout, ...]
    """At most twelve; `count` says of how many."""
    count: int
    complete: bool
    """Every order was looked at; otherwise there were too many, and nothing is determined."""
    whole_hands: bool
    """The one layout is reached by moving complete Hands from place to place."""

    @property
    def determined(self) -> bool:
        """Whether exactly one layout is consistent."""
        return self.complete and self.count == 1


def check_facts(terms: Terms, boxes: tuple[BoxNo, ...], facts: FeltFacts) -> None:
    """Refuse facts that no felt of this table can show; raises BadFacts."""
    known = {*map(str, boxes), *(place.value for place in Place if place is not Place.BOXES)}
    if facts.incident not in SLIPS:
        raise BadFacts(f"No document asks whether {facts.incident.replace('_', ' ')} can be reconstructed.")
    if not 1 <= facts.slips <= MOST_SLIPS:
        raise BadFacts(f"slips: from 1 to {MOST_SLIPS}.")
    faces: set[str] = set()
    for place, pile in facts.piles.items():
        if place not in known:
            raise BadFacts(f"piles.{place[:20]}: the places are {', '.join(sorted(known))}.")
        for face in pile.cards:
            if face == FACE_DOWN:
                continue
            try:
                card(face)
            except BadCard as wrong:
                raise BadFacts(f"piles.{place}: {wrong}") from None
            if face in faces:
                raise BadFacts(f"piles.{place}: {face} lies on the table already.")
            faces.add(face)
    whole = intended(terms.dealing, boxes)
    out = sum(len(pile.cards) for pile in facts.piles.values())
    if not 0 < out <= len(whole) + MOST_SLIPS:
        raise BadFacts(f"piles: from 1 to {len(whole) + MOST_SLIPS} cards lie on the felt.")
    if facts.at is not None and not 0 <= facts.at < len(whole):
        raise BadFacts(f"at: the cards of this deal are 0 to {len(whole) - 1}.")
    drawn = [one for group in facts.together for one in group]
    if len(set(drawn)) != len(drawn) or any(
        place not in facts.piles or not 0 <= nth < len(facts.piles[place].cards) for place, nth in drawn
    ):
        raise BadFacts("together: each card once, by its place and its number there from 0.")


def reconstruct(
    terms: Terms, boxes: tuple[BoxNo, ...], facts: FeltFacts, *, one_by_one: bool = False
) -> Reconstruction:
    """Return every layout that the procedure intended and the facts allow; raises BadFacts.

    With `one_by_one` Community Cards that are turned together have an order too, though no Hand and no decision does.
    """
    check_facts(terms, boxes, facts)
    right = intended(terms.dealing, boxes)
    turns = tuple(range(right.count(COMMUNITY))) if one_by_one else _turns(terms.dealing, right.count(COMMUNITY))
    counts = {place: len(pile.cards) for place, pile in facts.piles.items()}
    found: dict[Layout, None] = {}
    work = _orders(right, turns, facts, sequences(right, counts, SLIPS[facts.incident], facts.slips, facts.at))
    looked = 0
    for order in islice(work, MOST_WORK):
        looked += 1
        found.setdefault(_layout(right, turns, order))
    complete = looked < MOST_WORK or next(work, None) is None
    layouts = tuple(found)
    return Reconstruction(
        layouts=layouts[:MOST_LISTED],
        count=len(layouts),
        complete=complete,
        whole_hands=complete and len(layouts) == 1 and _moves_whole_hands(layouts[0], counts),
    )


def answers(facts: FeltFacts, found: Reconstruction) -> bool | None:
    """Return whether the cards can be reconstructed by the document's measure; None where the facts do not tell.

    A distribution to wrong places is put right by moving complete Hands alone.
    """
    if not found.count:
        return None
    if facts.incident == Incident.MISDEALT:
        return found.determined and found.whole_hands
    return found.determined


def _turns(dealing: Dealing, count: int) -> tuple[int, ...]:
    """Return with which turn each Community Card comes; one that no step turns comes by itself."""
    turns: list[int] = []
    for number, step in enumerate(dealing.steps):
        if isinstance(step, Turn):
            turns += [number] * (step.community - len(turns))
    return tuple([*turns, *range(-1, -1 - count, -1)][:count])


def _orders(
    right: Sequence, turns: tuple[int, ...], facts: FeltFacts, possible: Iterator[Sequence]
) -> Iterator[tuple[Lying, ...]]:
    """Yield every order of drawing, the card of each ordinal; orders that mean the same layout once."""
    for sequence in possible:
        ordinals = {place: [i for i, to in enumerate(sequence) if to == place] for place in facts.piles}
        ways = [_arrivals(right, turns, facts, place, at) for place, at in ordinals.items()]
        for arrived in product(*ways):
            order: dict[int, Lying] = {}
            for at, lying in zip(ordinals.values(), arrived, strict=True):
                order.update(zip(at, lying, strict=True))
            yield from _drawn_together(facts, tuple(order[i] for i in range(len(sequence))))


def _arrivals(
    right: Sequence, turns: tuple[int, ...], facts: FeltFacts, place: str, ordinals: list[int]
) -> list[tuple[Lying, ...]]:
    """Return the orders in which the cards of one place may have come there."""
    lying = tuple((place, nth) for nth in range(len(ordinals)))
    if facts.piles[place].ordered:
        return [lying]
    ways = islice(permutations(lying), MOST_WORK)
    if facts.together:
        return list(ways)  # which card came next to which matters
    meant = [_meant_for(right, turns, i) for i in ordinals]
    distinct = {frozenset(zip(way, meant, strict=True)): way for way in ways}
    return list(distinct.values())


def _meant_for(right: Sequence, turns: tuple[int, ...], ordinal: int) -> tuple[str, int]:
    """Return where the procedure wanted this card: Community Cards by their turn, elsewhere any of the place."""
    place = right[ordinal] if ordinal < len(right) else ""
    return place, turns[right[:ordinal].count(COMMUNITY)] if place == COMMUNITY else 0


def _drawn_together(facts: FeltFacts, order: tuple[Lying, ...]) -> Iterator[tuple[Lying, ...]]:
    """Yield the order with cards that were drawn together in every order; they left the shoe side by side."""
    groups = [sorted(order.index(one) for one in group) for group in facts.together if group]
    if any(group != list(range(group[0], group[0] + len(group))) for group in groups):
        return
    for mixed in product(*(permutations(group) for group in groups)):
        drawn = list(order)
        for group, new in zip(groups, mixed, strict=True):
            for old, at in zip(group, new, strict=True):
                drawn[at] = order[old]
        yield tuple(drawn)


def _layout(right: Sequence, turns: tuple[int, ...], order: tuple[Lying, ...]) -> Layout:
    """Return what each place was to receive, had the cards come in this order."""
    places: dict[str, list[Lying]] = {}
    for to, lying in zip(right, order, strict=False):
        if to != BURN:
            places.setdefault(to, []).append(lying)
    return Layout(
        tuple(
            (place, _by_turn(turns, lying) if place == COMMUNITY else tuple(sorted(lying)))
            for place, lying in sorted(places.items())
        )
    )


def _by_turn(turns: tuple[int, ...], lying: list[Lying]) -> tuple[Lying, ...]:
    """Put cards that are turned together into one order: each that lies right stays, the others follow in the gaps."""
    told = list(lying)
    for turn in dict.fromkeys(turns[: len(lying)]):
        places = [nth for nth, each in enumerate(turns[: len(lying)]) if each == turn]
        cards = [lying[nth] for nth in places]
        stay = {nth for nth in places if (COMMUNITY, nth) in cards}
        others = iter(sorted(card for card in cards if card[0] != COMMUNITY or card[1] not in stay))
        for nth in places:
            told[nth] = (COMMUNITY, nth) if nth in stay else next(others)
    return tuple(told)


def _moves_whole_hands(layout: Layout, counts: Mapping[str, int]) -> bool:
    """Return whether each place receives all the cards that lie at one place, in their order."""
    for _, lying in layout.places:
        (first, _), *_ = lying
        if lying != tuple((first, nth) for nth in range(counts[first])):
            return False
    return True


def faces_of(facts: FeltFacts, lying: tuple[Lying, ...]) -> tuple[Card | str, ...]:
    """Return the faces of cards on the felt, as far as people have seen them."""
    return tuple(facts.piles[place].cards[nth] for place, nth in lying)
