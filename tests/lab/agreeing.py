"""Random rounds, paid by the engine and by the lab's payoff tables: `python -m tests.lab.agreeing --rounds 1000000`.

The lab may not see the engine, so this is where the two meet: the same cards and choices go to both, and every line of
every box has to come out the same.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import click

from croupier.cards import DECK, Card, Shoe
from croupier.jackpots.events import CasePaid
from croupier.jackpots.link import new_link
from croupier.jackpots.linked_tables import Happened, Tables, act
from croupier.jackpots.parameters import Parameters, Rate
from croupier.lab.bets import jackpot as lab_jackpot
from croupier.lab.model.game import Game, game
from croupier.money import ShareOfMeter, money
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet, RoundCommand, TurnCards
from croupier.rounds.dealing import CardsToTurn, dealers_work, decision_due
from croupier.rounds.events import AwardPaid, BetSettled, RoundEvent
from croupier.rounds.state import Round, new_table
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.pay_lines import meets
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import BetKind

METER = money("40000000.00")
TABLE = "one"

VARIANTS: tuple[tuple[str, dict[str, str]], ...] = (
    *((each, {}) for each in GAMES),
    ("mbs-megalink-holdem", {"bonus-on-loss": "a", "bonus-on-stand-off": "a"}),
    ("rws-progressive-holdem", {"bonus-on-stand-off": "a", "v6-jackpot-hand": "a+c", "v6-quads-kicker": "a"}),
    ("rws-progressive-holdem", {"v6-street": "b", "bonus-dealer-only": "a"}),
    ("rws-multilink-three-card", {"fold-pair-plus": "a", "fold-ante-bonus": "a", "ante-bonus-stand-off": "a"}),
    ("sun-casino-holdem", {"sun-pay-tables": "a", "sun-tie-unqualified": "a"}),
)
"""The five games as they stand, and readings that change what is paid."""


class Played:
    """One table with a fresh link for each round, so that every award finds the same meter."""

    def __init__(self, terms: Terms, random: Random) -> None:
        self.terms = terms
        self.game: Game = game(terms)
        self.random = random

    def compare(self) -> int:
        """One round; returns how many lines were compared. Raises AssertionError where one differs."""
        shoe = Shoe(self._deck())
        link = new_link(METER, Parameters(reset=money("50000.00"), contribution=Rate(0, 1)))
        tables = Tables(terms={TABLE: self.terms}, rounds={TABLE: new_table(self.terms.boxes)}, link=link)
        events: list[RoundEvent] = []
        stakes: dict[int, dict[str, int]] = {}
        choices: dict[int, dict[str, bool]] = {}
        state = tables.rounds[TABLE]

        def do(command: RoundCommand) -> None:
            nonlocal tables, state
            todo: RoundCommand | CardsToTurn | None = command
            while todo is not None:
                if isinstance(todo, CardsToTurn):
                    todo = TurnCards(cards={p: tuple(shoe[i] for i in o) for p, o in todo.places.items()})
                answer = act(tables, TABLE, todo)
                assert isinstance(answer, Happened), answer
                tables = answer.tables
                events.extend(event for _, event in answer.events)
                for paid in answer.link_events:
                    if isinstance(paid, CasePaid):
                        events.extend((*paid.awards, paid.line))
                state = tables.rounds[TABLE]
                todo = dealers_work(self.terms, state)

        do(OpenRound())
        for box in range(1, self.random.randint(1, self.terms.boxes) + 1):
            stakes[box] = self._stakes()
            for bet, amount in stakes[box].items():
                do(PlaceBet(player=f"p{box}", box=box, bet=bet, amount=amount))
        do(CloseBets())
        while (due := decision_due(self.terms, state)) is not None:
            decision, boxes = due
            box = boxes[0]
            chosen = self.random.random() < 0.8
            choices.setdefault(box, {})[decision.bet] = chosen
            do(DecideHand(box=box, choice=decision.bet if chosen else decision.otherwise))
        return self._compare_lines(shoe, state, events, stakes, choices)

    def _deck(self) -> tuple[Card, ...]:
        """Every other deal is rich in one suit and in high cards, so that rare lines are met."""
        deck = list(DECK)
        self.random.shuffle(deck)
        if self.random.random() < 0.5:
            suit = self.random.choice("cdhs")
            deck.sort(
                key=lambda card: (card[1] == suit or card[0] in "AKQJT") and self.random.random() < 0.8, reverse=True
            )
        return tuple(deck)

    def _stakes(self) -> dict[str, int]:
        found = {"ante": 100 * self.random.randint(10, 500)}
        for bet in self.terms.book.bets:
            if bet.kind is BetKind.SIDE and self.random.random() < 0.7:
                # No more than the Bonus is paid without its cap.
                found[bet.name] = 100 * self.random.randint(5, 100)
            elif bet.kind is BetKind.JACKPOT and self.random.random() < 0.7:
                assert self.terms.jackpot_bet is not None
                found[bet.name] = self.terms.jackpot_bet * self.random.randint(1, self.terms.book.jackpot.multiples)
        return found

    def _compare_lines(
        self,
        shoe: Shoe,
        state: Round,
        events: list[RoundEvent],
        stakes: dict[int, dict[str, int]],
        choices: dict[int, dict[str, bool]],
    ) -> int:
        community = tuple(shoe[at] for at in state.ordinals("community"))
        dealer = tuple(shoe[at] for at in state.ordinals("dealer"))
        lines: dict[tuple[int, str], int] = {}
        awards: dict[int, list[AwardPaid]] = {}
        for event in events:
            if isinstance(event, BetSettled):
                lines[event.box, event.bet] = event.won + event.returned - event.staked
            elif isinstance(event, AwardPaid):
                awards.setdefault(event.box, []).append(event)
        compared = 0
        for box, staked in stakes.items():
            own = tuple(shoe[at] for at in state.ordinals(str(box)))
            chosen = {choice.bet: choices.get(box, {}).get(choice.bet, False) for choice in self.game.choices}
            folded = any(choice.otherwise == "fold" and not chosen[choice.bet] for choice in self.game.choices)
            mine = dict(self._mine(own, dealer, community, chosen, staked))
            his = {bet: net for (at, bet), net in lines.items() if at == box and bet != "jackpot"}
            assert {bet: net for bet, net in mine.items() if net or bet in his} == his, (own, dealer, community, chosen)
            compared += len(his)
            if "jackpot" in staked:
                self._compare_awards(own, community, staked["jackpot"], awards.get(box, []), folded=folded)
                compared += 1
        return compared

    def _mine(
        self,
        own: tuple[Card, ...],
        dealer: tuple[Card, ...],
        community: tuple[Card, ...],
        chosen: dict[str, bool],
        staked: dict[str, int],
    ) -> Iterator[tuple[str, Fraction]]:
        """The lab's lines in cents, for what was staked."""
        sides = {side.name: side for side in self.game.sides}
        for bet, net in self.game.settle(own, dealer, community, chosen).items():
            if bet in sides and not sides[bet].on_ante:
                if bet in staked:
                    yield bet, net * staked[bet]
            else:
                yield bet, net * staked["ante"]

    def _compare_awards(
        self, own: tuple[Card, ...], community: tuple[Card, ...], staked: int, paid: list[AwardPaid], *, folded: bool
    ) -> None:
        """The lines the lab would pay: the same ones, and the same amounts where they do not depend on the meter."""
        table = self.terms.book.jackpot
        assert self.terms.jackpot_bet is not None
        mask = sum(1 << at for at, award in enumerate(table.awards) if meets(award, own, community))
        mask = lab_jackpot.claimable(table, mask, folded=folded)
        units = staked // self.terms.jackpot_bet
        amounts = {award.hand: lab_jackpot.amount(award, table, Fraction(staked), units) for award in table.awards}
        mine = lab_jackpot.lines_paid(table, mask, amounts, Fraction(METER))
        assert sorted(mine) == sorted(award.hand for award in paid), (own, community, folded)
        by_hand = {award.hand: award for award in table.awards}
        for award in paid:
            if not isinstance(by_hand[award.hand].pays, ShareOfMeter):
                assert award.amount == amounts[award.hand]


def agree(seed: int, rounds: int) -> int:
    """So many rounds over all variants; returns how many lines were compared."""
    compared = 0
    for at, (name, rulings) in enumerate(VARIANTS):
        table = Played(table_terms(name, rulings=rulings), Random(f"{seed} {at}"))
        for _ in range(-(-rounds // len(VARIANTS))):
            compared += table.compare()
    return compared


def _share(arguments: tuple[int, int]) -> int:
    return agree(*arguments)


def main() -> None:
    """The whole million takes half an hour on two cores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    shards = 100
    work = [(asked.seed * shards + shard, -(-asked.rounds // shards)) for shard in range(shards)]
    with multiprocessing.Pool() as pool:
        lines = 0
        for done, compared in enumerate(pool.imap_unordered(_share, work), start=1):
            lines += compared
            click.echo(f"\r{done}% of the rounds, {lines:,} lines, no difference", nl=False)
    click.echo()


if __name__ == "__main__":
    main()
