"""The cards in the order in which they come: shuffled, or arranged so that a script's cards fall where it says."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from croupier.cards.cards import DECK, BadCard, Card, refuse_repeats

_ALL = frozenset(DECK)


class ShoeExhausted(IndexError):
    """The dealing procedure asks for more cards than there are."""


class Shoe:
    """Cards by their ordinal in the dealing order, from 0. The Shoe itself never changes."""

    __slots__ = ("_cards",)

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = tuple(cards)
        distinct = frozenset(self._cards)
        if not distinct <= _ALL:
            strange = next(card for card in self._cards if card not in _ALL)
            raise BadCard(f"{strange[:40]!r} is not a card of the deck, so it cannot be in the shoe.")
        if len(distinct) != len(self._cards):
            refuse_repeats(self._cards)
        if not self._cards:
            raise BadCard("A shoe needs at least one card.")

    def __getitem__(self, ordinal: int) -> Card:
        if ordinal < 0:
            raise IndexError(f"The dealing order starts at 0, so there is no card {ordinal}.")
        if ordinal >= len(self._cards):
            raise ShoeExhausted(f"The shoe holds {len(self._cards)} cards, so it has no card number {ordinal + 1}.")
        return self._cards[ordinal]

    def __iter__(self) -> Iterator[Card]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    def __repr__(self) -> str:
        # Logs and error messages print it, which must not show cards that are not turned.
        return f"<Shoe of {len(self._cards)} cards>"


def arrange(places: Mapping[int, Card], size: int = len(DECK), rest: Sequence[Card] = DECK) -> Shoe:
    """Return a Shoe with the given cards at the given ordinals, filled up from `rest` in its order."""
    placed = frozenset(places.values())
    if len(placed) != len(places):
        refuse_repeats(places.values())
    for ordinal, card in places.items():
        if not 0 <= ordinal < size:
            raise BadCard(f"{card} cannot be card number {ordinal + 1}: the shoe holds {size} cards.")
    others = [card for card in rest if card not in placed]
    if len(places) + len(others) < size:
        raise BadCard(f"{len(places) + len(others)} different cards cannot fill a shoe of {size}.")
    fill = iter(others)
    return Shoe([places[ordinal] if ordinal in places else next(fill) for ordinal in range(size)])


def shuffled(random_below: Callable[[int], int], cards: Sequence[Card] = DECK) -> Shoe:
    """Return a shuffled Shoe; every order is equally likely if `random_below(n)` is uniform on 0 to n-1."""
    # Fisher-Yates: each place, from the last, draws among the cards without a place.
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        pick = random_below(last + 1)
        order[last], order[pick] = order[pick], order[last]
    return Shoe(order)
