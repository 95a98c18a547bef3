"""How the cards may have left the shoe: every way of dealing that the reported error, and no other, explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import combinations
from typing import TypeAlias

from croupier.rounds.dealing import places_of
from croupier.rulebooks.vocabulary import BoxNo, Deal, Dealing, Incident, IncidentName, Place

Sequence: TypeAlias = tuple[str, ...]
"""The place of each card, in the order in which the cards left the shoe."""
BURN = Place.BURN.value


class Slip(StrEnum):
    """What the Dealer's hand may have done wrong with one card, or with two Hands."""

    BURN_MISSED = "burn_missed"
    SKIPPED = "skipped"
    """A place was passed over; what followed came one place early."""
    EXTRA = "extra"
    """A place got a second card at once; what followed came one place late."""
    WRONG_PLACE = "wrong_place"
    """A card went to another place; what followed came right."""
    SWAPPED = "swapped"
    """Two places have each other's cards."""


_COUNT = (Slip.SKIPPED, Slip.EXTRA, Slip.WRONG_PLACE)
_ANY = tuple(Slip)
SLIPS: Mapping[IncidentName, tuple[Slip, ...]] = {
    Incident.BURN_MISSED: (Slip.BURN_MISSED,),
    Incident.MISDEALT: (Slip.SWAPPED, *_COUNT),
    Incident.WRONG_BOX_COUNT: _COUNT,
    Incident.WRONG_DEALER_COUNT: _COUNT,
    Incident.WRONG_COMMUNITY_COUNT: _COUNT,
    Incident.DEALING_ERROR: _ANY,
    Incident.SIMULTANEOUS_DRAW: (),
}
"""By incident that a document lets be reconstructed: what may have gone wrong. A joint draw is a right deal in an
unknown order.
"""


def intended(dealing: Dealing, boxes: tuple[BoxNo, ...]) -> Sequence:
    """Return the place of every card of a whole Round, in the order of the procedure."""
    steps = (step for step in dealing.steps if isinstance(step, Deal))
    return tuple(place for step in steps for place in places_of(step, boxes))


def sequences(
    right: Sequence, counts: Mapping[str, int], kinds: tuple[Slip, ...], slips: int, at: int | None = None
) -> Iterator[Sequence]:
    """Yield every sequence with at most this number of slips that leaves these counts on the felt.

    `at` is the card with which it went wrong first. A Dealer who has slipped goes on by the procedure until the cards
    that lie there are out.
    """
    out = sum(counts.values())
    wanted = Counter({place: count for place, count in counts.items() if count})
    places = tuple(dict.fromkeys(right))
    seen: set[Sequence] = set()
    reached = {right, *(slipped(right, kinds, places, at, out) if kinds else ())}
    for _ in range(1, slips if kinds else 0):
        reached |= {further for each in reached for further in slipped(each, kinds, places, None, out)}
    for each in reached:
        dealt = each[:out]
        if len(dealt) == out and dealt not in seen and Counter(dealt) == wanted:
            seen.add(dealt)
            yield dealt


def slipped(
    right: Sequence, kinds: tuple[Slip, ...], places: tuple[str, ...], at: int | None, out: int
) -> Iterator[Sequence]:
    """Yield every sequence with one slip of these kinds among the cards that are out; at one card where it is known."""
    ordinals = range(min(out + 1, len(right))) if at is None else (at,)
    for i in ordinals:
        if i >= len(right):
            continue
        if Slip.BURN_MISSED in kinds and right[i] == BURN:
            yield right[:i] + right[i + 1 :]
        if Slip.SKIPPED in kinds and right[i] != BURN:
            yield right[:i] + right[i + 1 :]
        if Slip.EXTRA in kinds:
            yield (*right[: i + 1], right[i], *right[i + 1 :])
        if Slip.WRONG_PLACE in kinds:
            for place in places:
                if place != right[i]:
                    yield (*right[:i], place, *right[i + 1 :])
    if Slip.SWAPPED in kinds:
        for one, other in combinations([place for place in places if place != BURN], 2):
            swap = {one: other, other: one}
            yield tuple(swap.get(place, place) for place in right)
