"""The replay of a script and a house that is asked the same come to the same: one path judges both."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from croupier.cards import DECK, Card, Shoe
from croupier.floor.house.house import House
from croupier.floor.records.commands import (
    AtTable,
    BuyIn,
    HouseCommand,
    OnLink,
    OpenLink,
    OpenTable,
    Request,
    TableConfig,
)
from croupier.floor.records.examined_hands import TableReader
from croupier.floor.records.facts import DeckCommitted, DeckOpened
from croupier.floor.records.streams import link_stream, table_stream
from croupier.jackpots.commands import ReleaseAward, RuleDealOrder
from croupier.jackpots.events import AnyLinkEvent
from croupier.jackpots.link import new_link
from croupier.jackpots.linked_tables import Happened
from croupier.journal.store_address import open_store
from croupier.money import money
from croupier.rounds.commands import ReportIncident
from croupier.rounds.dealing import still_to_deal
from croupier.rounds.events import HandExamined, RoundEvent, RoundOpened
from croupier.rounds.state import Stage
from croupier.rulebooks.terms import table_terms
from croupier.rulebooks.vocabulary import Incident, Role
from croupier.scripts.parse import LinkRuling, Script, ScriptCards, Step
from croupier.scripts.replay import ScriptPlayer
from croupier.testing.crowd import LINK, PARAMETERS, Crowd, names
from tests.floor.house_builder import ChosenDecks

GAME_OF = {
    "T1": ("rws-multilink-holdem", "electronic_shuffler"),
    "T2": ("rws-multilink-holdem", "electronic_shuffler"),
    "T3": ("rws-multilink-three-card", "shuffler_community_first"),
    "T4": ("mbs-megalink-holdem", "method_a"),
    "T5": ("mbs-megalink-holdem", "method_b"),
    "T6": ("rws-progressive-holdem", "electronic_shuffler"),
    "T7": ("sun-casino-holdem", "standard"),
}
"""Procedures that deal the community first, so that a deck can hold awards for whoever is dealt in."""
RUNS = ("QJTAK98", "987JT65", "543A267")
"""Three Flop Cards, then two Hands that make a royal or a straight flush with them."""
SEEDS = int(os.environ.get("CROUPIER_PARITY", "4"))
COMMANDS = 450
NOW = 1_790_000_000_000_000
_LINK_FACTS = msgspec.json.Decoder(AnyLinkEvent)


class Both:
    """A house that random people are in, and the script of what they asked."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = Random(seed)
        self.opening = ""
        chance = ChosenDecks(iter(self._deck, None), seed).chance
        self.house = House(open_store(f"sqlite:///{folder}/house.db"), chance)
        self.crowd = Crowd(self.random, 40, trouble=0.08)
        self.steps: list[Step] = []
        self.cards: dict[int, ScriptCards] = {}
        """The cards of the deal that began with a step."""
        self.deals: dict[tuple[str, int, int], int] = {}
        self.refused: dict[int, str] = {}
        self.asked = 0
        self.ask(OpenLink(link=LINK, meter=money("123456.78"), parameters=PARAMETERS[0]))
        for name, (game, dealing) in GAME_OF.items():
            self.ask(OpenTable(table=name, config=TableConfig(game=game, dealing=dealing, link=LINK)))
        for player in names(40):
            self.ask(BuyIn(player=player, amount=money("9000000.00")))

    def ask(self, command: HouseCommand) -> str:
        self.asked += 1
        answer = self.house.process([Request(f"c{self.asked}", command, NOW)])[0]
        return "" if answer.accepted else answer.code

    def step(self) -> None:
        """Somebody asks something, of a table or of the link."""
        asked = self._next()
        index = len(self.steps)
        match asked:
            case AtTable(table=table, command=command):
                step = Step(index, table, command)
            case OnLink(report=report):
                step = Step(index, "T1", report, every_table=True)
            case ReleaseAward(table=table, by=by):
                step = Step(index, table, LinkRuling(by, "release_award"))
            case RuleDealOrder(table=table, by=by, tables=tables):
                step = Step(index, table, LinkRuling(by, "deal_order", tables))
            case _:
                raise AssertionError(asked)
        self.steps.append(step)
        code = self.ask(asked)
        if code:
            self.refused[index] = code
        for name, held in self.house.tables.items():
            state = held.round
            deal = (name, state.number, state.deals)
            if state.number and deal not in self.deals:
                self.deals[deal] = index
            self.cards[self.deals.get(deal, index)] = self._dealt(name)

    def _deck(self) -> tuple[Card, ...]:
        """Any order, or one in which the first Hands make something of the Flop."""
        order = self.random.sample(DECK, 52)
        if self.random.random() < 0.5:
            suit, run = self.random.choice("cdhs"), self.random.choice(RUNS)
            named = [Card(face + suit) for face in run]
            rest = [card for card in order if card not in named]
            if GAME_OF[self.opening][0] == "rws-multilink-three-card":
                order = [*named[:2], *named[3:5], named[2], *rest, *named[5:]]
            else:
                order = [*named[:3], *rest[:2], *named[3:], *rest[2:]]
        return tuple(order)

    def _next(self) -> HouseCommand:
        asked = self._drawn()
        if isinstance(asked, AtTable):
            self.opening = asked.table
        return asked

    def _drawn(self) -> HouseCommand:
        random, tables = self.random, list(GAME_OF)
        kind = random.random()
        if kind < 0.02:
            by = random.choice((Role.DEALER, Role.PIT_MANAGER, Role.SHIFT_MANAGER))
            return ReleaseAward(table=random.choice(tables), by=by)
        if kind < 0.04:
            order = tuple(random.choices(tables, k=random.randint(1, 3)))
            return RuleDealOrder(table=random.choice(tables), by=random.choice(list(Role)), tables=order)
        if kind < 0.045:
            fault = ReportIncident(incident=Incident.JACKPOT_MALFUNCTION, by=Role.SHIFT_MANAGER)
            return OnLink(link=LINK, report=fault)
        table = self.house.tables[random.choice(tables)]
        if table.round.stage is Stage.SETTLED and random.random() < 0.15:
            by = random.choice((Role.PIT_SUPERVISOR, Role.SHIFT_MANAGER))
            wrong = ReportIncident(incident=Incident.WRONG_DEALER_COUNT, by=by, reconstructible=False)
            return AtTable(table=table.name, command=wrong)
        return self.crowd.hopefully(table.name, table.terms, table.round)

    def _dealt(self, name: str) -> dict[str, tuple[Card, ...]]:
        """Where the cards of the present deal went or will go."""
        table = self.house.tables[name]
        state = table.round
        deck = table.decks.get((state.number, state.deals))
        if deck is None:
            return {}
        shoe: Shoe = deck.shoe
        places: dict[str, list[Card]] = {}
        for ordinal, place in enumerate((*state.dealt, *still_to_deal(table.terms.dealing, state))):
            places.setdefault(place, []).append(shoe[ordinal])
        return {place: tuple(cards) for place, cards in places.items()}

    def script(self) -> Script:
        terms = {
            name: table_terms(game, dealing=dealing, linked=True, currency_code="SGD")
            for name, (game, dealing) in GAME_OF.items()
        }
        steps = tuple(replace(step, cards=self.cards.get(step.index)) for step in self.steps)
        return Script(terms, new_link(money("123456.78"), PARAMETERS[0]), steps)

    def events(self, table: str) -> list[RoundEvent]:
        reader = TableReader(self.house.store, table)
        facts = [reader.fact(record) for record in self.house.store.read(table_stream(table))]
        return [_undated(fact) for fact in facts if not isinstance(fact, DeckCommitted | DeckOpened)]

    def link_events(self) -> list[AnyLinkEvent]:
        return [_LINK_FACTS.decode(record.data) for record in self.house.store.read(link_stream(LINK), 1)]


def _undated(event: RoundEvent) -> RoundEvent:
    """Only a house has a calendar, and decks with places that are on record."""
    if isinstance(event, HandExamined):
        return replace(event, round=0, deal=0, at=())
    return replace(event, day=0) if isinstance(event, RoundOpened) else event


class Replayed(ScriptPlayer):
    """A replay that keeps every event."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self.events: dict[str, list[RoundEvent]] = {name: [] for name in script.terms}
        self.link_events: list[AnyLinkEvent] = []

    def _enter(self, happened: Happened) -> None:
        super()._enter(happened)
        for table, event in happened.events:
            self.events[table].append(_undated(event))
        self.link_events.extend(happened.link_events)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_script_comes_to_the_same_in_a_house_and_in_the_replay(tmp_path: Path, seed: int) -> None:
    """Seven tables of all five games on one link: the same events, refusal codes, meter and awards."""
    both = Both(tmp_path, seed)
    for _ in range(COMMANDS):
        both.step()
    script = both.script()
    replayed = Replayed(script)
    for step in script.steps:
        replayed.take(step)
    refusals = {refusal.step: refusal.code for refusal in replayed.refusals}
    assert refusals == both.refused
    for table in GAME_OF:
        assert replayed.events[table] == both.events(table), table
    assert replayed.link_events == both.link_events()
    link = both.house.links[LINK]
    assert replayed.tables.link == link
    paid = [award for round_ in replayed.result().rounds for award in round_.awards if award.from_meter]
    assert sum(award.amount for award in paid) * link.scale == link.paid
    assert paid, "somebody wins a share of the meter"
    both.house.store.close()
