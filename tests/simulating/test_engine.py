"""The kernel pays what the engine pays: random rounds of every game, dealt by the kernel, played by the real engine."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest

from croupier.cards import DECK, Card, Shoe, arrange
from croupier.jackpots.events import CasePaid
from croupier.jackpots.link import new_link
from croupier.jackpots.linked_tables import Happened, Tables, act
from croupier.jackpots.parameters import Parameters, Rate
from croupier.lab.kernels.random import philox
from croupier.lab.kernels.random.rounds import Table
from croupier.lab.kernels.runtime.compiler import unsigned_zeros, zeros
from croupier.lab.model.game import Game, Structure, game
from croupier.lab.simulator import decision_tables, jobs
from croupier.lab.simulator.outcome_counts import Outcome, OutcomeSummary
from croupier.lab.simulator.strategies import named, strategy
from croupier.money import money
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet, RoundCommand, TurnCards
from croupier.rounds.dealing import CardsToTurn, dealers_work, decision_due, still_to_deal
from croupier.rounds.events import BetSettled, RoundEvent
from croupier.rounds.state import new_table
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import table_terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, BetKind
from tests.effort import effort

TABLE = "one"
METER = money("40000000.00")
ANTE = money("100.00")
SIDE = money("10.00")


def cards_of(known: Game, seed: int, number: int) -> dict[str, list[Card]]:
    cards = unsigned_zeros((9, 1), 8)
    three = known.structure is Structure.THREE_CARDS
    philox.deal(seed, number, 1, philox.DEALING, 8 if three else 9, unsigned_zeros(1), unsigned_zeros(1), cards)
    found = [DECK[card] for card in cards[:, 0]]
    own = 3 if three else 2
    return {"1": found[:own], "dealer": found[own : 2 * own], "community": found[2 * own : 8 if three else 9]}


def by_engine(known: Game, cards: dict[str, list[Card]], chosen: dict[str, bool]) -> dict[str, int]:
    """Every Bet of one box in cents."""
    terms = known.terms
    link = new_link(METER, Parameters(reset=money("50000.00"), contribution=Rate(0, 1)))
    now = Tables(terms={TABLE: terms}, rounds={TABLE: new_table(terms.boxes)}, link=link)
    events: list[RoundEvent] = []
    shoe: Shoe | None = None

    def do(command: RoundCommand) -> None:
        nonlocal now, shoe
        todo: RoundCommand | CardsToTurn | None = command
        while todo is not None:
            if isinstance(todo, CardsToTurn):
                assert shoe is not None
                todo = TurnCards(cards={place: tuple(shoe[at] for at in at_) for place, at_ in todo.places.items()})
            answer = act(now, TABLE, todo)
            assert isinstance(answer, Happened), answer
            now = answer.tables
            events.extend(event for _, event in answer.events)
            for paid in answer.link_events:
                if isinstance(paid, CasePaid):
                    events.extend((*paid.awards, paid.line))
            state = now.rounds[TABLE]
            if shoe is None and isinstance(todo, CloseBets):
                left = {place: list(named_) for place, named_ in cards.items()}
                order = (*state.dealt, *still_to_deal(terms.dealing, state))
                shoe = arrange({at: left[place].pop(0) for at, place in enumerate(order) if left.get(place)})
            todo = dealers_work(terms, state)

    do(OpenRound())
    for bet in terms.book.bets:
        amount = {BetKind.ENTRY: ANTE, BetKind.SIDE: SIDE, BetKind.JACKPOT: terms.jackpot_bet}.get(bet.kind)
        if amount:
            do(PlaceBet(player="p", box=1, bet=bet.name, amount=amount))
    do(CloseBets())
    while (due := decision_due(terms, now.rounds[TABLE])) is not None:
        do(DecideHand(box=1, choice=due[0].bet if chosen[due[0].bet] else due[0].otherwise))
    found: dict[str, int] = {}
    for event in events:
        if isinstance(event, BetSettled):
            found[event.bet] = found.get(event.bet, 0) + event.won + event.returned - event.staked
    return found


def by_kernel(known: Game, outcome: Outcome, seen: OutcomeSummary) -> dict[str, Fraction]:
    """The same from the kernel's outcome."""
    stakes = {side.name: SIDE for side in known.sides if not side.on_ante}
    stakes[JACKPOT_BET] = known.terms.jackpot_bet or 0
    return {bet: net * stakes.get(bet, ANTE) for bet, net in seen.priced.nets(outcome).items()}


@pytest.mark.parametrize("name", GAMES)
def test_random_rounds_come_to_the_same_cent(name: str) -> None:
    """Every Bet of a round and every award, with careless decisions so that every way of play is met."""
    known = game(table_terms(name))
    table = decision_tables.table(known, strategy(known, "simple", 0.3))
    for number in range(effort(150)):
        counts = zeros(jobs.size(known))
        jobs.play_rounds(known, table, 77, number, number + 1, counts)
        seen = OutcomeSummary(known, counts, Fraction(METER))
        ((outcome, count),) = seen.outcomes
        assert count == 1
        chosen = dict(zip((choice.bet for choice in known.choices), outcome.chosen, strict=True))
        engine = by_engine(known, cards_of(known, 77, number), chosen)
        kernels = by_kernel(known, outcome, seen)
        assert {bet: net for bet, net in kernels.items() if net or bet in engine} == engine, (number, outcome)
        assert ANTE_BET in engine


@pytest.mark.parametrize("name", [name for name in GAMES if name != "sun-casino-holdem"])
def test_rounds_with_awards_come_to_the_same_cent(name: str) -> None:
    """Rounds that were looked for because their cards make a line of the jackpot table."""
    known = game(table_terms(name))
    table = decision_tables.table(known, named(known, "optimal"))
    for number in islice(with_awards(known, table), 12):
        counts = zeros(jobs.size(known))
        jobs.play_rounds(known, table, 5, number, number + 1, counts)
        seen = OutcomeSummary(known, counts, Fraction(METER))
        ((outcome, _),) = seen.outcomes
        assert outcome.mask
        chosen = dict(zip((choice.bet for choice in known.choices), outcome.chosen, strict=True))
        engine = by_engine(known, cards_of(known, 5, number), chosen)
        assert by_kernel(known, outcome, seen)[JACKPOT_BET] == engine[JACKPOT_BET], (number, outcome)


def with_awards(known: Game, table: Table) -> Iterator[int]:
    """Rounds whose cards make a line, found by halving runs of rounds that hold one."""
    waiting = [(first, first + 64) for first in range(64 * 1000, -1, -64)]
    while waiting:
        first, last = waiting.pop()
        counts = zeros(jobs.size(known))
        jobs.play_rounds(known, table, 5, first, last, counts)
        if any(outcome.mask for outcome, _ in OutcomeSummary(known, counts).outcomes):
            middle = (first + last) // 2
            if middle == first:
                yield first
            else:
                waiting += [(middle, last), (first, middle)]
