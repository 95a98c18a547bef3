"""Decks of a file, for journeys that name their cards: a deck a line; after the last of them, chance is the program's
own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from secrets import token_bytes

from croupier.cards import DECK, Card, parse_cards, shuffled
from croupier.floor.records.committed_decks import Chance, Drawn
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet
from croupier.rounds.dealing import decision_due
from tests.floor.house_builder import ChosenDecks
from tests.laws import driving


def places(game: str, boxes: Collection[int]) -> tuple[str, ...]:
    """Where each card goes when these boxes have bet and play on to the end."""
    pure = driving.House(driving.linked({"T": game}), iter(repeat(DECK)))
    assert pure.do("T", OpenRound()) is None
    for box in boxes:
        assert pure.do("T", PlaceBet(player=f"p{box}", box=box, bet="ante", amount=2500)) is None
    assert pure.do("T", CloseBets()) is None
    while (due := decision_due(pure.terms("T"), pure.state("T"))) is not None:
        for box in due[1]:
            assert pure.do("T", DecideHand(box=box, choice=due[0].bet)) is None
    return pure.state("T").dealt


def deck(game: str, boxes: Collection[int], cards: Mapping[str, str]) -> str:
    """A deck that deals these cards to these places when these boxes play."""
    wanted = {place: list(parse_cards(named)) for place, named in cards.items()}
    named = {card for place in wanted.values() for card in place}
    rest = iter([card for card in DECK if card not in named])
    dealt = [wanted[place].pop(0) if wanted.get(place) else next(rest) for place in places(game, boxes)]
    return " ".join((*dealt, *rest))


def given(file: Path) -> Chance:
    """Chance that gives the decks of a file first."""

    def orders() -> Iterator[tuple[Card, ...]]:
        for line in file.read_text().splitlines():
            yield tuple(parse_cards(line))
        while True:
            yield tuple(shuffled(Drawn(token_bytes).below))

    return Chance(ChosenDecks(orders()).below, token_bytes)
