"""Reading hands: name the hand, pick the five cards that play, say which hand is higher."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from croupier.academy.planted_hands import planted_deck
from croupier.academy.questions import Form, Question, Topic
from croupier.cards import (
    Card,
    Rank,
    Strength,
    ThreeCardRank,
    best_five,
    five_card,
    five_card_name,
    rank,
    show,
    three_card,
    three_card_name,
    three_card_rank,
)
from croupier.rulebooks.vocabulary import HandKind, Place, Rulebook

_TRIES = 40
"""How many deals are looked at for the one that is hardest to read."""


class _Deal:
    """A player's hand, the Dealer's and the community cards of one deal."""

    def __init__(self, book: Rulebook, rng: Random) -> None:
        dealing = book.dealings[0]
        sizes = {
            "community": dealing.cards_to(Place.COMMUNITY) if book.showdown.hand is HandKind.BEST_FIVE else 0,
            "dealer": dealing.cards_to(Place.DEALER),
            "1": dealing.cards_to(Place.BOXES),
        }
        deck = planted_deck(book, rng, sizes)
        self.kind = book.showdown.hand
        self.own, self.dealer, self.community = deck["1"], deck["dealer"], deck["community"]

    @property
    def strengths(self) -> tuple[Strength, Strength]:
        return self.worth(self.own), self.worth(self.dealer)

    def worth(self, cards: tuple[Card, ...]) -> Strength:
        match self.kind:
            case HandKind.BEST_FIVE:
                return best_five((*cards, *self.community))
            case HandKind.THREE_CARDS:
                return three_card(cards)
            case HandKind.FIVE_CARDS:
                return five_card(cards)

    def name(self, strength: Strength) -> str:
        return three_card_name(strength) if self.kind is HandKind.THREE_CARDS else five_card_name(strength)

    @property
    def shown(self) -> dict[str, tuple[Card, ...]]:
        return {"community": self.community} if self.community else {}


def name_the_hand(book: Rulebook, rng: Random, seed: int) -> Question:
    """Ask what a hand is."""
    deal = _Deal(book, rng)
    worth = deal.worth(deal.own)
    ranks: Sequence[Rank | ThreeCardRank] = list(ThreeCardRank if deal.kind is HandKind.THREE_CARDS else Rank)
    found = three_card_rank(worth) if deal.kind is HandKind.THREE_CARDS else rank(worth)
    right = _in_words(found)
    options = [_in_words(each) for each in ranks if each is not found]
    chosen = shuffled_options(rng, right, rng.sample(options, 3))
    return Question(
        edition=book.edition,
        topic=Topic.HAND,
        seed=seed,
        asks="What is the player's hand?",
        cards={**deal.shown, "1": deal.own},
        form=Form.ONE,
        options=chosen,
        right=(chosen.index(right),),
        because=f"{show((*deal.own, *deal.community))} is {deal.name(worth)}.",
        rules=book.ranking[:1],
        seconds=4,
    )


def pick_the_five(book: Rulebook, rng: Random, seed: int) -> Question | None:
    """Ask for the five of seven cards that play; None in a game where every card of a hand plays."""
    if book.showdown.hand is not HandKind.BEST_FIVE:
        return None
    while True:
        deal = _Deal(book, rng)
        cards = (*deal.own, *deal.community)
        best = [
            five
            for five in combinations(range(len(cards)), 5)
            if five_card([cards[i] for i in five]) == deal.worth(deal.own)
        ]
        if len(best) == 1:
            break
    return Question(
        edition=book.edition,
        topic=Topic.FIVE_CARDS,
        seed=seed,
        asks="Which five cards play?",
        form=Form.SEVERAL,
        options=tuple(cards),
        picks=5,
        right=best[0],
        because=f"{show(cards[i] for i in best[0])}: {deal.name(deal.worth(deal.own))}; no other five are as high.",
        rules=book.ranking[:1],
        seconds=7,
    )


def name_the_winner(book: Rulebook, rng: Random, seed: int) -> Question:
    """Ask which hand is higher, in a deal where that is not plain at first sight."""
    deal = min((_Deal(book, rng) for _ in range(_TRIES)), key=lambda each: abs(each.strengths[0] - each.strengths[1]))
    if rng.random() < 0.5:
        deal = _Deal(book, rng)
    own, dealer = deal.strengths
    options = ("The player's hand is higher", "The Dealer's hand is higher", "The hands are equal")
    showdown = book.showdown
    right, rules = (
        (0, showdown.higher) if own > dealer else (1, showdown.lower) if own < dealer else (2, showdown.equal)
    )
    return Question(
        edition=book.edition,
        topic=Topic.WINNER,
        seed=seed,
        asks="Which hand is higher?",
        cards={**deal.shown, "dealer": deal.dealer, "1": deal.own},
        form=Form.ONE,
        options=options,
        right=(right,),
        because=f"The player has {deal.name(own)}, the Dealer {deal.name(dealer)}{_by(own, dealer)}.",
        rules=(*rules, *book.ranking[:1]),
        seconds=6,
    )


def _by(own: Strength, dealer: Strength) -> str:
    if own == dealer:
        return "; every card that counts is equal"
    return "" if own >> 20 != dealer >> 20 else "; within one rank the first card that differs decides"


def _in_words(found: Rank | ThreeCardRank) -> str:
    return found.name.replace("_", " ").capitalize()


def shuffled_options(rng: Random, right: str, wrong: Sequence[str]) -> tuple[str, ...]:
    """Return the right option among the wrong ones, in a random order."""
    options = [right, *wrong]
    rng.shuffle(options)
    return tuple(options)
