"""Late signatures, denials and unwinding: an award is in exactly one round, whoever looks and however."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest

from croupier import verify
from croupier.cards import DECK, Card
from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import AUDITOR, exported
from croupier.floor.history.played_rounds import NoRecord, Past, Search
from croupier.floor.house.house import House
from croupier.floor.people.people import Person
from croupier.floor.records.codec import link_fact
from croupier.floor.records.commands import AtTable, BuyIn, HouseCommand, OpenLink, OpenTable, Request, TableConfig
from croupier.floor.records.facts import LinkOpened
from croupier.floor.records.streams import link_stream
from croupier.floor.views.award_timelines import AwardHistory
from croupier.floor.views.award_views import link_view
from croupier.floor.views.table_views import live_view
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import new_link
from croupier.journal.store_address import open_store
from croupier.money import money, show
from croupier.rounds.commands import ReportIncident
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import JACKPOT_BET, Incident, Role
from croupier.testing.crowd import LINK, PARAMETERS, Crowd, names
from tests.floor.house_builder import ChosenDecks

GAME_OF = {
    "T1": ("rws-multilink-holdem", "electronic_shuffler"),
    "T2": ("mbs-megalink-holdem", "method_a"),
    "T3": ("rws-progressive-holdem", "electronic_shuffler"),
    "T4": ("rws-multilink-holdem", "electronic_shuffler"),
    "T5": ("mbs-megalink-holdem", "method_a"),
    "T6": ("sun-casino-holdem", "standard"),
    "T7": ("rws-multilink-three-card", "shuffler_community_first"),
}
SEEDS = int(os.environ.get("CROUPIER_AWARDS", "2"))
COMMANDS = 500
NOW = 1_790_000_000_000_000
POSTS = (Post.AUDITOR, Post.DEALER, Post.PIT_SUPERVISOR, Post.SURVEILLANCE, Post.DISPLAY)


class Running:
    """A house whose first hands often win, whose pit is slow to sign, and whose rounds are sometimes unwound."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = Random(seed)
        self.store = open_store(f"sqlite:///{folder}/house.db")
        self.house = House(self.store, ChosenDecks(iter(self._deck, None), seed).chance)
        self.crowd = Crowd(self.random, 20, trouble=0.02)
        self.asked = 0
        self.ask(OpenLink(link=LINK, meter=money("123456.78"), parameters=PARAMETERS[0]))
        for number, (name, (game, dealing)) in enumerate(GAME_OF.items()):
            config = TableConfig(game=game, dealing=dealing, link=LINK, staffed=number % 3 != 2)
            self.ask(OpenTable(table=name, config=config))
        for player in names(20):
            self.ask(BuyIn(player=player, amount=money("9000000.00")))

    def _deck(self) -> tuple[Card, ...]:
        """Any order, one in which the first hands make something of the flop, or one with it on the board of T6."""
        order = self.random.sample(DECK, 52)
        if self.random.random() < 0.3:
            return tuple(order)
        suit, run = self.random.choice("cdhs"), self.random.choice(("QJTAK98", "987JT65"))
        named = [Card(face + suit) for face in run]
        rest = [card for card in order if card not in named]
        if self.random.random() < 0.3:
            before = 2 * self.random.randint(2, 4)
            return (*rest[:before], *named[:5], *rest[before:], *named[5:])
        return (*named[:3], *rest[:2], *named[3:], *rest[2:])

    def ask(self, command: HouseCommand) -> None:
        self.asked += 1
        self.house.process([Request(f"c{self.asked}", command, NOW + self.asked)])

    def step(self) -> None:
        random, link = self.random, self.house.links[LINK]
        if link.open_cases and random.random() < 0.06:
            case = random.choice(link.open_cases)
            self.ask(self.crowd.about_award(case.table, case.number))
            return
        table = random.choice(list(self.house.tables.values()))
        if table.round.stage is Stage.SETTLED and random.random() < 0.12:
            wrong = ReportIncident(incident=Incident.WRONG_DEALER_COUNT, by=Role.SHIFT_MANAGER, reconstructible=False)
            self.ask(AtTable(table=table.name, command=wrong))
            return
        self.ask(self.crowd.hopefully(table.name, table.terms, table.round))


def shown_awards(running: Running, person: Person) -> dict[int, list[tuple[str, int]]]:
    """Where this person finds each award case: table and round."""
    past = Past(running.house, lambda: running.store)
    found: dict[int, list[tuple[str, int]]] = {}
    for name, table in running.house.tables.items():
        for number in range(1, table.round.number + 1):
            told = past.round(table, number, person)
            for case in told.cases:
                found.setdefault(case.award, []).append((name, number))
            won = {line.box: line.won for line in told.lines if line.bet == JACKPOT_BET}
            for case in told.cases:
                if case.state == "paid":
                    assert won[case.box] == case.amount
                if case.state == "denied":
                    assert won[case.box] == "0.00"
    return found


@pytest.mark.parametrize("seed", range(SEEDS))
def test_an_award_is_in_one_round_whoever_looks(tmp_path: Path, seed: int) -> None:
    """In every view, replay, search and export; verify says its true state; the link adds up after every event."""
    running = Running(tmp_path, seed)
    for _ in range(COMMANDS):
        running.step()
        for table in running.house.shown.values():
            view = live_view(running.house, table, Person("oto", Post.AUDITOR, ""))
            for told in view.awards or ():
                assert (told.table, told.round) == (table.name, table.round.number)
            for told in view.earlier_awards or ():
                assert told.table == table.name
                assert told.round < table.round.number
    link = running.house.links[LINK]
    assert link.claimed > 5
    history = AwardHistory(LINK)
    for person in (*(Person("oto", post, "") for post in POSTS), Person("p1", Post.PLAYER, "")):
        found = shown_awards(running, person)
        assert all(len(places) == 1 for places in found.values())
        assert set(found) == set(range(1, link.claimed + 1))

    # Searching: what the meter paid is found once, in the rounds that won it.
    past = Past(running.house, lambda: running.store)
    lines = past.search(list(running.house.tables.values()), Search(limit=200), Person("oto", Post.AUDITOR, ""))
    from_meter = sum(money(line.from_meter) for line in lines)
    assert from_meter * link.scale == link.paid

    # Exports: each holds, and says of each award how far it is.
    states: Counter[str] = Counter()
    for name, table in running.house.tables.items():
        for number in range(1, table.round.number + 1):
            try:
                past.record(table, number, AUDITOR)
            except NoRecord:
                continue
            checked = verify.check(msgspec.json.decode(msgspec.json.encode(exported(running.store, [(name, number)]))))
            assert checked.problems == [], (name, number)
            cases = history.of(running.store, (name, number))
            for case, words in zip(cases, checked.awards, strict=True):
                states[case.state] += 1
                assert f"Award {case.number}, " in words
                paid = f"paid {show(case.amount or 0)}"
                says = {"claimed": "waits for its turn", "locked": "locked at", "paid": paid, "denied": "denied",
                        "unwound": "unwound"}  # fmt: skip
                assert says[case.state] in words
    assert states["paid"]
    assert {case.state.value for case in link.open_cases} <= set(states)

    # The link, event by event.
    rebuilt = None
    for record in running.store.read(link_stream(LINK)):
        fact = link_fact(record)
        if isinstance(fact, LinkOpened):
            rebuilt = new_link(fact.meter, fact.parameters)
        else:
            assert rebuilt is not None
            rebuilt = evolve_link(rebuilt, fact)
        assert rebuilt.balances
        assert min(rebuilt.meter, rebuilt.reserve, rebuilt.overflow, rebuilt.locked) >= 0
    assert rebuilt == link
    assert link_view(running.house, LINK, None).locked == show(link.locked_cents)
    assert audit(running.store).differences == ()
    running.store.close()
