"""Decks in which the hands of a pay table come up as often as a drill needs them, and not as rarely as at a table."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from croupier.cards import DECK, Card, Rank, card, five_card, rank
from croupier.cards.cards import FACES, SUITS
from croupier.rulebooks.vocabulary import HandKind, Rulebook


def planted_deck(book: Rulebook, rng: Random, sizes: Mapping[str, int]) -> dict[str, tuple[Card, ...]]:
    """Deal a deck to these places; in half of the decks one box is close to a hand of the pay tables."""
    boxes = [place for place in sizes if place.isdigit()]
    placed: dict[str, list[Card]] = {place: [] for place in sizes}
    if rng.random() < 0.5:
        lucky = rng.choice(boxes)
        if rng.random() < 0.4:
            placed[lucky].extend(map(card, _own_cards(book, rng, sizes[lucky])))
        else:
            _spread(placed, sizes, lucky, made_hand(rng, rng.choice(list(Rank)[1:])), rng)
    rest = [card for card in DECK if not any(card in cards for cards in placed.values())]
    rng.shuffle(rest)
    for place, size in sizes.items():
        while len(placed[place]) < size:
            placed[place].append(rest.pop())
        rng.shuffle(placed[place])
    return {place: tuple(cards) for place, cards in placed.items()}


def _own_cards(book: Rulebook, rng: Random, size: int) -> list[str]:
    """Return cards of one hand: a pair, two high cards or cards of one suit, which side bets pay."""
    if book.showdown.hand is HandKind.BEST_FIVE:
        face = rng.choice(FACES if rng.random() < 0.4 else "TJQKA")
        other = rng.choice(FACES[8:])
        first, second = rng.sample(SUITS, 2)
        if face == other or rng.random() < 0.4:
            return [face + first, face + second]
        return [face + first, other + (first if rng.random() < 0.5 else second)]
    if size == 3:
        return _three_cards(rng)
    return [*made_hand(rng, rng.choice(list(Rank)[1:]))[:size]]


def _three_cards(rng: Random) -> list[str]:
    high = rng.randrange(2, 13)
    run = [FACES[high], FACES[high - 1], FACES[high - 2]]
    match rng.randrange(5):
        case 0:
            suit = rng.choice(SUITS)
            return [face + suit for face in run]
        case 1:
            return [run[0] + suit for suit in rng.sample(SUITS, 3)]
        case 2:
            return [face + suit for face, suit in zip(run, (*rng.sample(SUITS, 2), rng.choice(SUITS)), strict=True)]
        case 3:
            suit = rng.choice(SUITS)
            return [face + suit for face in rng.sample(FACES, 3)]
        case _:
            first, second = rng.sample(SUITS, 2)
            return [run[0] + first, run[0] + second, rng.choice(FACES[: high - 2] or FACES[high + 1 :]) + first]


def _spread(placed: dict[str, list[Card]], sizes: Mapping[str, int], lucky: str, hand: list[Card], rng: Random) -> None:
    """Put a made hand on one box and the community, where there is one."""
    own = min(sizes[lucky], rng.randint(1, sizes[lucky]))
    rng.shuffle(hand)
    placed[lucky].extend(hand[:own])
    placed["community"].extend(hand[own : own + sizes.get("community", 0)])


def made_hand(rng: Random, wanted: Rank) -> list[Card]:
    """Return five cards of exactly this rank."""
    while True:
        cards = list(map(card, _attempt(rng, wanted)))
        if len(set(cards)) == 5 and rank(five_card(cards)) is wanted:
            return cards


def _attempt(rng: Random, wanted: Rank) -> list[str]:
    faces, suits = rng.sample(FACES, 5), [rng.choice(SUITS) for _ in range(5)]
    match wanted:
        case Rank.ROYAL_FLUSH:
            return [face + suits[0] for face in "TJQKA"]
        case Rank.STRAIGHT_FLUSH:
            return [face + suits[0] for face in _run(rng)]
        case Rank.STRAIGHT:
            return [face + suit for face, suit in zip(_run(rng), suits, strict=True)]
        case Rank.FLUSH:
            return [face + suits[0] for face in faces]
        case Rank.FOUR_OF_A_KIND:
            return [*(faces[0] + suit for suit in SUITS), faces[1] + suits[0]]
        case Rank.FULL_HOUSE:
            return [*_of(rng, faces[0], 3), *_of(rng, faces[1], 2)]
        case Rank.THREE_OF_A_KIND:
            return [*_of(rng, faces[0], 3), faces[1] + suits[0], faces[2] + suits[1]]
        case Rank.TWO_PAIRS:
            return [*_of(rng, faces[0], 2), *_of(rng, faces[1], 2), faces[2] + suits[0]]
        case Rank.PAIR:
            return [*_of(rng, faces[0], 2), *(face + suit for face, suit in zip(faces[1:4], suits, strict=False))]
        case Rank.ODD_CARDS:
            return [face + suit for face, suit in zip(faces, suits, strict=True)]


def _run(rng: Random) -> str:
    low = rng.randrange(-1, 9)
    return "A2345" if low < 0 else FACES[low : low + 5]


def _of(rng: Random, face: str, count: int) -> list[str]:
    return [face + suit for suit in rng.sample(SUITS, count)]
