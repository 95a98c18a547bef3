"""The real house, and simulated people who ask things of it: the same cards and choices, through the same door.

A patron who sits down buys chips for their hour and cashes them in when they leave. Decks are arranged so that the
game's own procedure deals what the simulation has dealt. Everything bears the simulated time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import count

import msgspec
from msgspec.structs import replace

from croupier.cards import DECK, Card, arrange
from croupier.floor.house.house import House
from croupier.floor.records import commands as house_commands
from croupier.floor.records.committed_decks import Chance
from croupier.floor.simulated.config import Group
from croupier.floor.simulated.lifetime import Scene
from croupier.journal.store import Store
from croupier.lab.kernels.random import table_day
from croupier.lab.kernels.random.table_day import Room
from croupier.lab.model.game import Structure
from croupier.lab.simulator.outcome_counts import Shape
from croupier.ledger import accounts
from croupier.money import Money, show
from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    TurnCards,
)
from croupier.rounds.dealing import CardsToTurn, dealers_work, still_to_deal
from croupier.rounds.decide import decide
from croupier.rounds.evolve import evolve_all
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round, Stage, new_table
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, BetKind, Incident, Role

LINK = "simulated"
FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)
DAY = 86_400_000_000
"""Microseconds."""
AT_ONCE = 400
"""Commands in one transaction."""


class Differs(Exception):
    """The house and the simulation disagree; the message says about which round, and how."""


class Place(msgspec.Struct, frozen=True, order=True):
    """A Round of a simulated floor, in the order in which bets are closed."""

    day: int
    moment: int
    table: int
    at: int


class Seat(msgspec.Struct, frozen=True):
    """A patron in a Round: their box, their Bets and their choices."""

    box: int
    cards: tuple[Card, ...]
    stakes: dict[str, Money]
    chosen: dict[str, bool]
    mispaid: bool
    """His Ante is beaten, and paid by mistake."""


class Seen(msgspec.Struct, frozen=True):
    """A Round as the simulation has it."""

    seats: tuple[Seat, ...]
    dealer: tuple[Card, ...]
    community: tuple[Card, ...]
    net: Money
    """Won by all Players together on Antes, later Bets and side Bets."""
    fixed: Money
    claims: tuple[tuple[int, int, bool], ...]
    """Boxes that win a share of the meter: box from 0, lines, folded."""
    void: bool
    """The Dealer's error makes it void; then nobody chooses and nothing is won."""


def look(scene: Scene, life: int, place: Place, own: Room) -> Seen | None:
    """Play one Round and return what is seen of it; None where nobody sits."""
    group = scene.group(place.table)
    played = scene.play(life, place.table, place.day, own, place.at, 1)
    sums, seated = played.sums, played.seated
    if not seated:
        return None
    each, shown = (3, 2) if group.game.structure is Structure.THREE_CARDS else (2, 5)
    dealt = [DECK[card] for card in own.cards[: each * (seated + 1) + shown, 0].tolist()]
    shape = scene.shapes[scene.group_of[place.table]]
    dealer = each * seated
    return Seen(
        seats=tuple(_seat(group, shape, own, at, dealt[each * at : each * at + each]) for at in range(seated)),
        dealer=tuple(dealt[dealer : dealer + each]),
        community=tuple(dealt[dealer + each :]),
        net=int(sums[table_day.TABLE_NET] + sums[table_day.SIDE_NET]),
        fixed=int(sums[table_day.FIXED_AWARDS]),
        claims=tuple((box, mask, bool(folded)) for _, box, mask, folded in played.hits),
        void=bool(sums[table_day.VOIDS]),
    )


def _seat(group: Group, shape: Shape, own: Room, at: int, cards: list[Card]) -> Seat:
    stakes = {ANTE_BET: group.ante}
    if own.seats[table_day.TAKES_SIDE, at]:
        stakes |= {bet.name: group.side_stake for bet in group.terms.book.bets if bet.kind is BetKind.SIDE}
    if own.seats[table_day.TAKES_JACKPOT, at]:
        stakes[JACKPOT_BET] = group.terms.jackpot_bet or 0
    chosen = zip((choice.bet for choice in group.game.choices), shape.chosen(int(own.chose[at, 0])), strict=True)
    return Seat(int(own.seats[table_day.SITS, at]), tuple(cards), stakes, dict(chosen), bool(own.paid[at, 0]))


class Arranged:
    """Chance that gives the decks queued before, and salts that count up from one."""

    def __init__(self) -> None:
        self._picks: deque[int] = deque()
        self._salts = count(1)
        self.chance = Chance(self._below, lambda size: next(self._salts).to_bytes(size, "big"))

    def next_deck(self, wanted: Iterable[Card]) -> None:
        """Queue the numbers that make the next shuffle give this order."""
        order, at = list(wanted), {card: place for place, card in enumerate(DECK)}
        now = list(DECK)
        for last in range(len(now) - 1, 0, -1):
            pick = at[order[last]]
            self._picks.append(pick)
            now[last], now[pick] = now[pick], now[last]
            at[now[pick]] = pick

    def _below(self, number: int) -> int:
        return self._picks.popleft() if self._picks else number - 1


def name_of(table: int) -> str:
    """Return the house's name for a simulated table."""
    return f"S{table + 1}"


def player_at(table: int, box: int) -> str:
    """Name the patron at a box."""
    return f"{name_of(table)} box {box + 1}"


class Asking:
    """People who ask things of a house; what they ask is gathered, and done in few transactions."""

    def __init__(self, scene: Scene, store: Store) -> None:
        self.scene = scene
        self.arranged = Arranged()
        self.house = House(store, self.arranged.chance)
        self.moment = int(FIRST_DAY.timestamp() * 1_000_000)
        self.rounds_on_disk = 0
        self._ids = count(1)
        self._asked: list[house_commands.Request] = []
        self._orders: dict[tuple[int, tuple[int, ...]], tuple[str, ...]] = {}
        self._ways = [ways_to_void(group.terms) for group in scene.floor.groups]
        floor = scene.floor
        self.ask(house_commands.OpenLink(link=LINK, meter=floor.meter, parameters=floor.parameters))
        for table in range(len(scene.group_of)):
            group = scene.group(table)
            config = house_commands.TableConfig(
                game=group.config.game, link=LINK, jackpot_bet=group.terms.jackpot_bet, rulings=group.config.rulings
            )
            self.ask(house_commands.OpenTable(table=name_of(table), config=config))
        self.flush()

    def at(self, day: int, moment: int) -> None:
        """Set the time: milliseconds after a day began."""
        self.moment = int(FIRST_DAY.timestamp() * 1_000_000) + day * DAY + moment * 1000

    def ask(self, *commands: house_commands.HouseCommand) -> None:
        """Queue commands in this order, a microsecond after each other."""
        for command in commands:
            self._asked.append(
                house_commands.Request(id=f"simulated-{next(self._ids)}", at=self.moment, command=command)
            )
            self.moment += 1
        if len(self._asked) >= AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Send what was queued and wait until it is on disk. Raises Differs."""
        asked, self._asked = self._asked, []
        for request, answer in zip(asked, self.house.process(asked), strict=True):
            if not answer.accepted:
                raise Differs(f"The house refuses {request.command}: {answer.message}")
            command = request.command
            self.rounds_on_disk += isinstance(command, house_commands.AtTable) and isinstance(
                command.command, OpenRound
            )

    def sit_down(self, table: int, seats: Iterable[int]) -> None:
        """Let the people of these boxes buy all the chips that they can stake in an hour."""
        group = self.scene.group(table)
        sides = sum(bet.kind is BetKind.SIDE for bet in group.terms.book.bets)
        most = group.ante * (1 + sum(choice.times for choice in group.game.choices)) + sides * group.side_stake
        chips = group.each_hour * (most + (group.terms.jackpot_bet or 0))
        self.ask(*(house_commands.BuyIn(player=player_at(table, box), amount=chips) for box in seats))

    def get_up(self, table: int, seats: Iterable[int]) -> None:
        """Let the people of these boxes cash in what they have."""
        self.flush()
        held = {
            name: self.house.balances.get(accounts.player(name), 0) for name in (player_at(table, b) for b in seats)
        }
        self.ask(*(house_commands.CashOut(player=name, amount=amount) for name, amount in held.items() if amount))

    def open_round(self, table: int, seen: Seen) -> None:
        """Place your bets, please."""
        self.arranged.next_deck(self._deck(table, seen))
        self._at(table, OpenRound())

    def place_bets(self, table: int, seen: Seen) -> None:
        """Place all Bets and close betting; the Dealer's own work follows."""
        for seat in seen.seats:
            for bet, amount in seat.stakes.items():
                self._at(table, PlaceBet(player=player_at(table, seat.box), box=seat.box + 1, bet=bet, amount=amount))
        self._at(table, CloseBets())

    def play(self, table: int, seen: Seen) -> None:
        """Send all decisions, one betting round after the other, clockwise; the last one settles the Round."""
        live = list(seen.seats)
        for choice in self.scene.group(table).game.choices:
            for seat in tuple(live):
                bets = seat.chosen[choice.bet]
                self._at(table, DecideHand(box=seat.box + 1, choice=choice.bet if bets else choice.otherwise))
                if not bets and choice.otherwise == "fold":
                    live.remove(seat)

    def void(self, table: int, number: int, box: int) -> None:
        """Report an error in the deal to a box, one of those that make a Round of this game void."""
        ways = self._ways[self.scene.group_of[table]]
        for command in ways[number % len(ways)]:
            self._at(table, _of_box(command, box + 1))

    def note_mispaid(self, table: int, box: int) -> None:
        """Report that a payment of an earlier Round was wrong, noticed too late to be corrected."""
        ante = show(self.scene.group(table).ante)
        text = f"The Ante of {ante} was paid on a beaten hand of an earlier round, and not collected."
        self._at(
            table, ReportIncident(incident=Incident.LATE_ERROR, by=Role.PIT_SUPERVISOR, boxes=(box + 1,), text=text)
        )

    def _at(self, table: int, command: RoundCommand) -> None:
        self.ask(house_commands.AtTable(table=name_of(table), command=command))

    def _deck(self, table: int, seen: Seen) -> Iterable[Card]:
        """Arrange the deck that puts every card where the simulation dealt it, whatever the dealing procedure."""
        boxes = tuple(seat.box for seat in seen.seats)
        key = (self.scene.group_of[table], boxes)
        if key not in self._orders:
            self._orders[key] = dealing_order(self.scene.group(table).terms, boxes)
        left = {str(seat.box + 1): list(seat.cards) for seat in seen.seats}
        left |= {"dealer": list(seen.dealer), "community": list(seen.community)}
        places: dict[int, Card] = {}
        for ordinal, where in enumerate(self._orders[key]):
            if left.get(where):
                places[ordinal] = left[where].pop(0)
        return arrange(places)


def _closed(terms: Terms, boxes: Iterable[int]) -> Round:
    """Make a Round on these terms with an Ante and a jackpot Bet on each box, bets closed."""
    state = new_table(terms.boxes)
    commands: list[RoundCommand] = [OpenRound()]
    for box in boxes:
        name = str(box)
        commands.append(PlaceBet(player=name, box=box + 1, bet=ANTE_BET, amount=terms.limits[ANTE_BET].minimum))
        if terms.jackpot_bet:
            commands.append(PlaceBet(player=name, box=box + 1, bet=JACKPOT_BET, amount=terms.jackpot_bet))
    for command in (*commands, CloseBets()):
        state = _done(terms, state, command)
    return state


def _done(terms: Terms, state: Round, command: RoundCommand) -> Round:
    verdict = decide(terms, state, command)
    assert not isinstance(verdict, Refusal), verdict
    return evolve_all(state, verdict)


def dealing_order(terms: Terms, boxes: Iterable[int]) -> tuple[str, ...]:
    """Return the place of each card of the shoe, where these boxes have Bets."""
    state = _closed(terms, boxes)
    return (*state.dealt, *still_to_deal(terms.dealing, state))


_MISDEALS: tuple[tuple[RoundCommand, ...], ...] = (
    (ReportIncident(incident=Incident.FOREIGN_CARD),),
    (ReportIncident(incident=Incident.CARDS_EXPOSED, boxes=(1,), count=2),),
    (
        ReportIncident(incident=Incident.MISDEALT, boxes=(1,)),
        GiveRuling(by=Role.PIT_SUPERVISOR, decision="not_reconstructible"),
    ),
    (
        ReportIncident(incident=Incident.WRONG_DEALER_COUNT),
        GiveRuling(by=Role.PIT_SUPERVISOR, decision="not_reconstructible"),
    ),
    (
        ReportIncident(incident=Incident.UNCOVERED, text="The dealer mixed the discards with the shoe."),
        GiveRuling(by=Role.SHIFT_MANAGER, decision="void", text="The round is void."),
    ),
)


def ways_to_void(terms: Terms) -> tuple[tuple[RoundCommand, ...], ...]:
    """List the errors with cards that make a Round of this game void: the reports, and the rulings they wait for."""
    found = tuple(way for way in _MISDEALS if _is_void_by(terms, way))
    assert found, "what no paragraph covers goes to the shift manager, who may declare a round void"
    return found


def _of_box(command: RoundCommand, box: int) -> RoundCommand:
    return replace(command, boxes=(box,)) if isinstance(command, ReportIncident) and command.boxes else command


def _is_void_by(terms: Terms, way: Iterable[RoundCommand]) -> bool:
    state = _closed(terms, range(terms.boxes))
    while (work := dealers_work(terms, state)) is not None:
        command: RoundCommand
        if isinstance(work, CardsToTurn):
            command = TurnCards(cards={place: tuple(DECK[at] for at in every) for place, every in work.places.items()})
        else:
            command = work
        state = _done(terms, state, command)
    for command in way:
        verdict = decide(terms, state, command)
        if isinstance(verdict, Refusal):
            return False
        state = evolve_all(state, verdict)
    return state.stage is Stage.VOID
