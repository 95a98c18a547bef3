"""Laws of what a Player may do: everything that a view offers is accepted, and everything else is refused.

`CROUPIER_CHOICE_ACTS=5000 pytest tests/laws/test_choices.py` looks at so many moments of each answer.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from random import Random

import pytest

from croupier.rounds.commands import (
    ChooseOption,
    DecideHand,
    ExamineHand,
    PlaceBet,
    ProveHand,
    RefuseReveal,
    RoundCommand,
    WalkAway,
    WithdrawBet,
)
from croupier.rounds.decide import decide
from croupier.rounds.evolve import evolve_all
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round, Stage
from croupier.rounds.views import RoundView, Viewer, view
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import BetKind
from tests.laws.acting import PLAYERS, anything, decks
from tests.laws.driving import House, linked

T = "T1"
BOXES = 3
ACTS = int(os.environ.get("CROUPIER_CHOICE_ACTS", "50"))
"""Moments of a table that are looked at, for each dealing procedure and each answer of a reading."""
READINGS = (
    "river-after-check",
    "late-fold",
    "blind-turn-river",
    "withdrawn-late-mbs",
    "shared-area",
    "jackpot-pair-plus-only",
    "walk-away-after-flop",
    "walk-away-bonus",
    "refusal-bonus",
    "v6-proof",
    "backer-returned",
    "exposures-add-up",
    "options-after-fold",
    "joint-draw-all",
    "others-wrong-count",
    "dealer-time-b",
    "sun-deal-order",
)
"""What concerns deciding, looking, betting, taking back, leaving, showing and choosing options."""
WORDS = ("fold", "check", "flop", "turn", "river", "play", "call", "ante")
OPTIONS = ("continue", "reconstructed", "return", "withdraw")


def rulings_of(game: str) -> Iterator[dict[str, str]]:
    """The readings in force, and then each other answer that a house may choose."""
    yield {}
    for name, reading in readings_of(game).items():
        for letter in reading.options if name in READINGS else ():
            if reading.offers(game, letter) and letter not in reading.default_for(game).split("+"):
                yield {name: letter}


def everything(terms: Terms, state: Round) -> Iterator[RoundCommand]:
    """The finite universe of what three Players might do."""
    boxes = range(1, terms.boxes + 1)
    yield from (DecideHand(box=box, choice=choice) for box, choice in product(boxes, WORDS))
    yield from (ChooseOption(box=box, option=option) for box, option in product(boxes, OPTIONS))
    for box in boxes:
        yield RefuseReveal(box=box)
        yield ProveHand(box=box)
    for player in PLAYERS:
        yield WalkAway(player=player)
        for box in boxes:
            yield ExamineHand(player=player, box=box)
            for bet in terms.book.bets:
                yield WithdrawBet(player=player, box=box, bet=bet.name)
                for amount in amounts(terms, bet.name) if state.stage is Stage.BETTING else (1000,):
                    yield PlaceBet(player=player, box=box, bet=bet.name, amount=amount)


def amounts(terms: Terms, bet: str) -> set[int]:
    """Amounts at and beside every bound that may matter."""
    if terms.bets[bet].kind is BetKind.JACKPOT and terms.jackpot_bet is not None:
        return {1, *(times * terms.jackpot_bet for times in range(7))}
    if bet not in terms.limits:
        return {1000}
    least, most = terms.limits[bet].minimum, terms.limits[bet].maximum
    return {0, 1, least - 1, least, most, most + 1}


def offered(seen: RoundView, player: str) -> Iterator[RoundCommand]:
    """What this Player's own view offers, with the least and the most of each Bet."""
    yield from (DecideHand(box=c.box, choice=c.choice) for c in seen.choices)
    yield from (ExamineHand(player=player, box=box.box) for box in seen.boxes if box.may_examine)
    yield from (WithdrawBet(player=player, box=w.box, bet=w.bet) for w in seen.withdrawals)
    for bet in seen.bets:
        for amount in {bet.least, bet.most, *bet.amounts}:
            yield PlaceBet(player=player, box=bet.box, bet=bet.bet, amount=amount)
    for move in seen.moves:
        match move.do:
            case "walk_away":
                yield WalkAway(player=player)
            case "refuse_reveal":
                yield RefuseReveal(box=move.box or 0)
            case "prove":
                yield ProveHand(box=move.box or 0)
            case "choose":
                yield ChooseOption(box=move.box or 0, option=move.option or "")
            case other:
                raise AssertionError(other)


def is_offered(seen: RoundView, command: RoundCommand) -> bool:
    """Whether the bounds of some Bet that the view offers hold this one."""
    if not isinstance(command, PlaceBet):
        return False
    return any(
        (bet.box, bet.bet) == (command.box, command.bet)
        and (command.amount in bet.amounts if bet.amounts else bet.least <= command.amount <= bet.most)
        for bet in seen.bets
    )


def changes(terms: Terms, state: Round, command: RoundCommand) -> bool:
    """The judge accepts it, and it is not merely what has been done already."""
    verdict = decide(terms, state, command)
    return not isinstance(verdict, Refusal) and evolve_all(state, verdict) != state


def look_at(terms: Terms, state: Round, counted: Counter[str]) -> list[RoundCommand]:
    """Hold every view against the judge at this moment; what may be done now."""
    for viewer in Viewer:
        staff = view(terms, state, viewer)
        assert (staff.choices, staff.bets, staff.withdrawals, staff.moves) == ((), (), (), ())
        assert not any(box.may_examine for box in staff.boxes)
    views = {player: view(terms, state, Viewer.PLAYER, player) for player in PLAYERS}
    lawful: list[RoundCommand] = []
    for player, seen in views.items():
        own = {box.number for box in state.boxes if box.seated == player}
        for command in offered(seen, player):
            assert changes(terms, state, command), f"{player} is offered {command}: {decide(terms, state, command)}"
            if isinstance(command, DecideHand | RefuseReveal | ProveHand | ChooseOption):
                assert command.box in own, f"{player} is offered {command} of another player's box"
            lawful.append(command)
        for choice in seen.choices:
            paid = DecideHand(box=choice.box, choice=choice.choice, amount=choice.costs or None)
            assert decide(terms, state, paid) == decide(terms, state, DecideHand(box=choice.box, choice=choice.choice))
    known = set(lawful)
    for command in everything(terms, state):
        if command in known or (isinstance(command, PlaceBet) and is_offered(views[command.player], command)):
            assert changes(terms, state, command), f"offered and refused: {command}"
            counted["accepted"] += 1
        else:
            assert not changes(terms, state, command), f"accepted and not offered: {command}"
            counted["refused"] += 1
    return lawful


@pytest.mark.parametrize("game", GAMES)
def test_a_view_offers_what_the_judge_accepts_and_nothing_else(
    game: str, record_property: Callable[[str, object], None]
) -> None:
    """All five documents, under every answer of a reading on what a Player may do: an offer is accepted, anything else
    is refused or changes nothing."""
    counted: Counter[str] = Counter()
    for rulings in rulings_of(game):
        counted["answers"] += 1
        random = Random(f"{game} {rulings}")
        for dealing in declare(game).dealings:
            house = House(linked({T: game}, {T: dealing.name}, rulings=rulings, boxes=BOXES), decks(random))
            play(random, house, rulings, counted)
    for name, number in counted.items():
        record_property(name, number)
    assert counted["rounds"] > counted["answers"]
    assert counted["accepted"] > counted["moments"]


def play(random: Random, house: House, rulings: dict[str, str], counted: Counter[str]) -> None:
    """Lawful acts and trouble in turn, with a look at every moment."""
    for _ in range(ACTS):
        terms, state = house.terms(T), house.state(T)
        try:
            lawful = look_at(terms, state, counted)
        except AssertionError as wrong:
            raise AssertionError(f"Readings {rulings or 'in force'}, {terms.dealing.name}: {wrong}") from wrong
        counted["moments"] += 1
        closing = state.stage is Stage.BETTING and random.random() < 0.3
        if lawful and not closing and random.random() < 0.7:
            house.do(T, random.choice(lawful))
        else:
            house.do(T, anything(random, terms, state, trouble=0.2))
    counted["rounds"] += house.state(T).number
