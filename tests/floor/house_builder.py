"""Houses for tests: decks that are chosen, players with chips, and rounds played out in few words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain, count, repeat
from random import Random
from time import monotonic, sleep

from croupier.cards import DECK, Card, parse_cards
from croupier.floor.house.house import House
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    BuyIn,
    HouseCommand,
    OpenLink,
    OpenTable,
    Request,
    TableConfig,
)
from croupier.floor.records.committed_decks import Chance
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.store import Store
from croupier.money import Money, money
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.dealing import decision_due
from croupier.rounds.state import Stage
from tests.laws import driving
from tests.patience import PATIENCE
from tests.stores import Opened

HOLDEM = "rws-multilink-holdem"
ROYAL = {"1": "Ah Kh", "community": "Qh Jh Th 2c 3d"}
STRAIGHT_FLUSH = {"1": "9h 8h", "community": "7h 6h 5h 2c 3d"}
NOTHING = {"1": "9h 4c", "community": "Qh Jd 2s 3c 3d"}

_IDS = count(1)


class ChosenDecks:
    """Chance that shuffles every deck into the next of the orders it is given."""

    def __init__(self, orders: Iterator[tuple[Card, ...]], seed: int = 0) -> None:
        self._orders, self._random = orders, Random(seed)
        self._order: list[Card] = []
        self._target: tuple[Card, ...] = ()

    def below(self, number: int) -> int:
        """What the shuffle must draw so that its deck comes out as the next order."""
        if number == len(DECK):
            self._order, self._target = list(DECK), next(self._orders)
        last = number - 1
        pick = self._order.index(self._target[last])
        self._order[last], self._order[pick] = self._order[pick], self._order[last]
        return pick

    @property
    def chance(self) -> Chance:
        return Chance(self.below, self._random.randbytes)


@cache
def where_cards_go(game: str) -> tuple[str, ...]:
    """The places of a deal with one box in play, card by card."""
    pure = driving.House(driving.linked({"T1": game}), iter(repeat(DECK)))
    for command in (OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=1000), CloseBets()):
        assert pure.do("T1", command) is None
    while (due := decision_due(pure.terms("T1"), pure.state("T1"))) is not None:
        assert pure.do("T1", DecideHand(box=1, choice=due[0].bet)) is None
    return pure.state("T1").dealt


def deck(cards: Mapping[str, str], game: str = HOLDEM) -> tuple[Card, ...]:
    """A deck that deals these cards to these places, with one box in play."""
    wanted = {place: list(parse_cards(named)) for place, named in cards.items()}
    named = {card for place in wanted.values() for card in place}
    rest = iter([card for card in reversed(DECK) if card not in named])
    dealt = [wanted[place].pop(0) if wanted.get(place) else next(rest) for place in where_cards_go(game)]
    return (*dealt, *rest)


def house(store: Store, *decks: Mapping[str, str], game: str = HOLDEM, seed: int = 0, **options: object) -> House:
    """A house whose decks are these, then one that wins nothing."""
    orders = chain((deck(cards, game) for cards in decks), repeat(deck(NOTHING, game)))
    runs = options.get("runs")
    return House(store, ChosenDecks(orders, seed).chance, runs=runs if callable(runs) else None)


def two_servers(
    opened: Opened,
    first: Mapping[str, str] = NOTHING,
    second: Mapping[str, str] = NOTHING,
    *,
    game: str = HOLDEM,
    contribution: Rate | None = None,
) -> tuple[House, House]:
    """Two servers of one house: the first runs T1, the second T2, on one link; ana and ben have chips."""
    one = house(opened(), first, game=game, runs=lambda name: name == "T1")
    open_link(one, contribution=contribution)
    other = house(opened(), second, game=game, seed=1, runs=lambda name: name == "T2")
    open_table(one, "T1", game)
    open_table(other, "T2", game)
    for player in ("ana", "ben"):
        buy_in(one, player)
    return one, other


def ask(house: House, command: HouseCommand, name: str | None = None) -> Answer:
    return house.process([Request(name or f"test-{next(_IDS)}", command, 1_700_000_000_000_000)])[0]


def do(house: House, command: HouseCommand, name: str | None = None) -> Answer:
    """A command that must be accepted."""
    answer = ask(house, command, name)
    assert answer.accepted, f"{command} is refused: {answer.message}"
    return answer


def at(house: House, table: str, *commands: RoundCommand) -> None:
    for command in commands:
        do(house, AtTable(table=table, command=command))


def open_link(house: House, meter: str = "1000000.00", *, contribution: Rate | None = None) -> None:
    parameters = Parameters(reset=money("200000.00"), contribution=contribution or Rate(0))
    do(house, OpenLink(link="main", meter=money(meter), parameters=parameters))


def open_table(house: House, table: str, game: str = HOLDEM, *, link: str | None = "main") -> None:
    do(house, OpenTable(table=table, config=TableConfig(game=game, link=link)))


def buy_in(house: House, player: str, amount: str = "10000.00") -> None:
    do(house, BuyIn(player=player, amount=money(amount)))


def bets(player: str, *, ante: str = "10.00", jackpot: str = "5.00") -> tuple[RoundCommand, ...]:
    """A new Round with one player's Ante and jackpot Bet, dealt."""
    return (
        OpenRound(),
        PlaceBet(player=player, box=1, bet="ante", amount=money(ante)),
        PlaceBet(player=player, box=1, bet="jackpot", amount=money(jackpot)),
        CloseBets(),
    )


def play_out(house: House, table: str) -> None:
    """The box bets on to the end."""
    playing = house.tables[table]
    while playing.round.stage is Stage.PLAYING:
        due = decision_due(playing.terms, playing.round)
        assert due is not None
        at(house, table, DecideHand(box=due[1][0], choice=due[0].bet))


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether it comes to hold, sooner or later."""
    until = monotonic() + PATIENCE
    while monotonic() < until:
        if holds():
            return True
        sleep(0.05)
    return False


def balance(house: House, account: str) -> Money:
    return house.store.balances()[account]


def checked_books(store: Store) -> None:
    """The ledger sums to nothing, and every balance is the sum of its postings."""
    held = store.balances()
    assert sum(held.values()) == 0
    posted: dict[str, int] = dict.fromkeys(held, 0)
    for _, _, account, amount in store.rows("postings"):
        posted[str(account)] += int(amount)
    assert posted == dict(held)
