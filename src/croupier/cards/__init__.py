"""Owns cards, the order in which they come, and the ranking of Hands of three, five and seven cards.

It must not know bets, players, tables or a rulebook.
"""

from croupier.cards.cards import DECK, BadCard, Card, card, face, face_name, face_names, parse_cards, show, suit
from croupier.cards.deck import Shoe, ShoeExhausted, arrange, shuffled
from croupier.cards.ranking import (
    Rank,
    Strength,
    ThreeCardRank,
    best_five,
    cards_of_best,
    five_card,
    five_card_name,
    holds,
    rank,
    slug,
    strength,
    three_card,
    three_card_name,
    three_card_rank,
)

__all__ = [
    "DECK",
    "BadCard",
    "Card",
    "Rank",
    "Shoe",
    "ShoeExhausted",
    "Strength",
    "ThreeCardRank",
    "arrange",
    "best_five",
    "card",
    "cards_of_best",
    "face",
    "face_name",
    "face_names",
    "five_card",
    "five_card_name",
    "holds",
    "parse_cards",
    "rank",
    "show",
    "shuffled",
    "slug",
    "strength",
    "suit",
    "three_card",
    "three_card_name",
    "three_card_rank",
]
