"""Laws of order and of sight: independent acts may come in any order, and hidden cards change no view until turned."""

from __future__ import annotations

from itertools import cycle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import DECK, Card
from croupier.rounds.commands import CloseBets, DecideHand, ExamineHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.dealing import decision_due
from croupier.rounds.events import BetSettled, CardsTurned, HandExamined
from croupier.rounds.views import RoundView, Viewer, view
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import BetKind
from tests.laws.driving import House, linked

T = "T1"
PLAYERS = ("ana", "ben", "cho")


def bets(game: str, random: Random) -> list[list[RoundCommand]]:
    """For each of three players on his own box: the bets, in the order in which he must place them."""
    placed = []
    for box, player in enumerate(PLAYERS, 1):
        own: list[RoundCommand] = []
        for bet in declare(game).bets:
            if bet.kind is BetKind.ENTRY or (bet.kind is BetKind.SIDE and random.random() < 0.7):
                own.append(PlaceBet(player=player, box=box, bet=bet.name, amount=random.choice((1000, 2500, 3333))))
            elif bet.kind is BetKind.JACKPOT and random.random() < 0.7:
                own.append(PlaceBet(player=player, box=box, bet=bet.name, amount=500))
        placed.append(own)
    return placed


def interleaved(random: Random, acts: list[list[RoundCommand]]) -> list[RoundCommand]:
    """One order of everybody's acts in which each keeps his own."""
    left = [list(own) for own in acts]
    order = []
    while any(left):
        own = random.choice([own for own in left if own])
        order.append(own.pop(0))
    return order


def played(game: str, dealing: str, deck: tuple[Card, ...], seed: int, order_seed: int) -> list[BetSettled]:
    """The lines of a round in which `seed` says what everybody wants, and `order_seed` who comes first."""
    wants, order = Random(seed), Random(order_seed)
    house = House(linked({T: game}, {T: dealing}), cycle([deck]))
    house.do(T, OpenRound())
    for bet in interleaved(order, bets(game, wants)):
        assert house.do(T, bet) is None
    house.do(T, CloseBets())
    while (due := decision_due(house.terms(T), house.state(T))) is not None:
        decision, boxes = due
        choices = {box: wants.choice(decision.choices) for box in boxes}
        shuffled = list(boxes)
        order.shuffle(shuffled)
        for box in shuffled:
            if order.random() < 0.5:
                house.do(T, ExamineHand(player=PLAYERS[box - 1], box=box))
            assert house.do(T, DecideHand(box=box, choice=choices[box])) is None
    lines = [event for event in house.events[T] if isinstance(event, BetSettled)]
    return sorted(lines, key=lambda line: (line.box, line.bet, line.player))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), one=st.integers(0, 2**32), other=st.integers(0, 2**32))
def test_the_order_of_independent_acts_does_not_matter(game: str, seed: int, one: int, other: int) -> None:
    """Who bets, looks or decides first changes no line of the settlement."""
    random = Random(seed)
    deck = list(DECK)
    random.shuffle(deck)
    dealing = random.choice(declare(game).dealings).name
    first = played(game, dealing, tuple(deck), seed, one)
    assert first
    assert first == played(game, dealing, tuple(deck), seed, other)


# ---------------------------------------------------------------- sight


def watched(game: str, dealing: str, deck: tuple[Card, ...], steps: int) -> list[tuple[RoundView, ...]]:
    """What everybody sees after each of the first steps of a fixed course of play; box 1 is looked at by ana."""
    house = House(linked({T: game}, {T: dealing}), cycle([deck]))
    seen = []
    course: list[RoundCommand] = [OpenRound()]
    course += [PlaceBet(player=player, box=box, bet="ante", amount=1000) for box, player in enumerate(PLAYERS, 1)]
    course += [CloseBets(), ExamineHand(player="ana", box=1)]
    for step in course[:steps]:
        house.do(T, step)
        seen.append(everything(house))
    return seen


def everything(house: House) -> tuple[RoundView, ...]:
    terms, state = house.terms(T), house.state(T)
    staff = tuple(view(terms, state, viewer) for viewer in Viewer if viewer is not Viewer.PLAYER)
    return (*staff, *(view(terms, state, Viewer.PLAYER, player) for player in PLAYERS))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_hidden_cards_change_no_view_until_they_are_turned(game: str, seed: int) -> None:
    """Two decks that differ only in cards nobody may see yet give the same views, to every role."""
    random = Random(seed)
    dealing = random.choice(declare(game).dealings)
    deck = list(DECK)
    random.shuffle(deck)
    house = House(linked({T: game}, {T: dealing.name}), cycle([tuple(deck)]))
    house.do(T, OpenRound())
    for box, player in enumerate(PLAYERS, 1):
        house.do(T, PlaceBet(player=player, box=box, bet="ante", amount=1000))
    house.do(T, CloseBets())
    house.do(T, ExamineHand(player="ana", box=1))
    known = {
        card
        for event in house.events[T]
        for card in (
            [c for hand in event.cards.values() for c in hand]
            if isinstance(event, CardsTurned)
            else event.cards
            if isinstance(event, HandExamined)
            else ()
        )
    }
    assert any(deck[i] not in known for i in range(len(house.state(T).dealt))), "some dealt card is hidden"
    unseen = [card for card in deck if card not in known]
    random.shuffle(unseen)
    other = [card if card in known else unseen.pop() for card in deck]
    assert watched(game, dealing.name, tuple(deck), 6) == watched(game, dealing.name, tuple(other), 6)
