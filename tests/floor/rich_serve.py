"""`croupier` whose decks often give box 1 a straight flush, so that a link has awards to pay:
`python -m tests.floor.rich_serve serve ...`. Everything else is the program as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from itertools import repeat
from random import SystemRandom
from secrets import token_bytes

from croupier.cards import DECK, Card
from croupier.cli import run
from croupier.floor.live import floor
from croupier.floor.records.committed_decks import Chance
from croupier.floor.server.process.serve import BOTS_AT
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.dealing import decision_due
from tests.floor.house_builder import HOLDEM, ChosenDecks
from tests.laws import driving

SHARE = 0.8
_RANDOM = SystemRandom()


@cache
def places() -> tuple[str, ...]:
    """Where each card goes when the bots of a demonstration have bet."""
    pure = driving.House(driving.linked({"T1": HOLDEM}), iter(repeat(DECK)))
    bets: list[RoundCommand] = [PlaceBet(player=f"p{box}", box=box, bet="ante", amount=2500) for box in BOTS_AT]
    bets = [OpenRound(), *bets, CloseBets()]
    for command in bets:
        assert pure.do("T1", command) is None
    while (due := decision_due(pure.terms("T1"), pure.state("T1"))) is not None:
        for box in due[1]:
            assert pure.do("T1", DecideHand(box=box, choice=due[0].bet)) is None
    return pure.state("T1").dealt


def decks() -> Iterator[tuple[Card, ...]]:
    """Shuffled; and most of them have five in a row of one suit in the hand of box 1 and the flop."""
    while True:
        suit, lowest = _RANDOM.choice("cdhs"), _RANDOM.choice((0, 1, 2, 3, 4, 8))
        run = [card for card in DECK if card[1] == suit][lowest : lowest + 5] if _RANDOM.random() < SHARE else []
        rest = [card for card in DECK if card not in run]
        _RANDOM.shuffle(rest)
        cards, in_a_row = iter(rest), iter(run)
        wins = ("1", "community")
        dealt = [next(in_a_row, None) or next(cards) if place in wins else next(cards) for place in places()]
        yield (*dealt, *cards)


def rich() -> Chance:
    """A new house's chance."""
    return Chance(ChosenDecks(decks()).below, token_bytes)


if __name__ == "__main__":
    floor.os_chance = rich
    sys.exit(run(sys.argv[1:]))
