"""A small house that has played: every game, a link with awards paid, refusals, irregularities and rulings."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from croupier.floor.house.house import House
from croupier.floor.records.commands import Answer, HouseCommand, Request
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.journal.store import Store
from croupier.testing.crowd import LINK, Crowd, opening, rich_chance

NOW = 1_790_000_000_000_000


class Play:
    """A house and the crowd in it; every command has its own id, which begins with `ids`."""

    def __init__(
        self,
        store: Store,
        seed: int = 1,
        *,
        tables: int = 5,
        people: int = 12,
        rich: float = 0.7,
        ids: str = "c",
        keys: Keys = NO_KEYS,
    ) -> None:
        self.ids = ids
        self.random = Random(seed)
        self.store = store
        self.chance = rich_chance(self.random, rich)
        self.house = House(store, self.chance, keys=keys)
        self.crowd = Crowd(self.random, people, trouble=0.03)
        self.asked: list[tuple[Request, Answer]] = []
        if not self.house.tables:
            self.do(*opening(tables, people))

    def do(self, *commands: HouseCommand) -> list[Answer]:
        """All of them in one commit."""
        requests = [
            Request(f"{self.ids}{len(self.asked) + n}", command, NOW + n) for n, command in enumerate(commands, 1)
        ]
        answers = self.house.process(requests)
        self.asked.extend(zip(requests, answers, strict=True))
        return answers

    def some(self) -> HouseCommand:
        """What somebody does next."""
        if self.random.random() < 0.05:
            return self.crowd.elsewhere(list(self.house.tables), linked=LINK in self.house.links)
        table = self.random.choice(list(self.house.tables.values()))
        return self.crowd.at_table(table.name, table.terms, table.round)

    def play(self, commands: int) -> None:
        """So many commands, one after the other."""
        for _ in range(commands):
            self.do(self.some())

    def accepted(self) -> Iterable[Request]:
        return (request for request, answer in self.asked if answer.accepted)
