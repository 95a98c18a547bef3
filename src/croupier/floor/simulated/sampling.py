"""Rounds of a simulated floor, played again by the real house: the same cards and choices, through the same door.

Every settlement is compared to the cent, every contribution and award to the unit of the meter. What the house writes
is a journal like any other: `croupier audit` and `croupier figures` read it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count

import msgspec

from croupier.cards import DECK, Card, arrange
from croupier.floor.decks import Chance
from croupier.floor.facts import TableFact
from croupier.floor.house import House
from croupier.floor.requests import AtTable, BuyIn, HouseCommand, OpenLink, OpenTable, Request, TableConfig
from croupier.floor.simulated.living import MOST_HITS, Meter, Scene, claim, room
from croupier.floor.tables import table_stream
from croupier.journal.store import Store
from croupier.lab.kernels import floors
from croupier.lab.kernels.compiling import zeros
from croupier.lab.simulating import tables
from croupier.lab.simulating.outcomes import Shape
from croupier.money import Money
from croupier.rounds.commands import CloseBets, DecideHand, OpenRound, PlaceBet, RoundCommand
from croupier.rounds.dealing import decision_due, still_to_deal
from croupier.rounds.decide import decide
from croupier.rounds.events import AwardPaid, BetSettled
from croupier.rounds.evolve import evolve_all
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import new_table
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, BetKind

LINK = "simulated"
CHIPS = 10**11
_FACTS = msgspec.json.Decoder(TableFact)


class Differs(Exception):
    """The house and the simulation disagree; the message says about which round, and how."""


class Place(msgspec.Struct, frozen=True, order=True):
    """A Round of a simulated floor, in the order in which bets are closed."""

    day: int
    moment: int
    table: int
    at: int


class Seat(msgspec.Struct, frozen=True):
    """Somebody in a Round: his box, his Bets and what he chooses."""

    box: int
    cards: tuple[Card, ...]
    stakes: dict[str, Money]
    chosen: dict[str, bool]


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


class Sampled(msgspec.Struct, frozen=True):
    """What the comparison came to."""

    rounds: int
    lines: int
    awards: int
    """Awards paid from the meter among them."""
    meter_units: int


def chosen_rounds(scene: Scene, life: int, wanted: int) -> list[Place]:
    """Some Rounds of the first days of a life: those that the meter paid, and others at random distances."""
    own = room()
    paid: list[Place] = []
    others: list[Place] = []
    days = scene.floor.config.days
    for day in range(min(days, 3)):
        for table in range(len(scene.group_of)):
            played = scene.play(life, table, day, own)
            hit = {each[0] for each in played.hits}
            paid += [_place(scene, day, table, at) for at in sorted(hit)]
            step = max(1, scene.rounds[table] * len(scene.group_of) * min(days, 3) // max(1, wanted))
            others += [_place(scene, day, table, at) for at in range(table % step, scene.rounds[table], step)]
    picked = paid[: wanted // 2]
    left = [place for place in others if place not in set(paid)]
    return sorted([*picked, *left[:: max(1, len(left) // max(1, wanted - len(picked)))]][:wanted])


def _place(scene: Scene, day: int, table: int, at: int) -> Place:
    return Place(day, scene.offset[table] + at * scene.interval[table], table, at)


def look(scene: Scene, life: int, place: Place) -> Seen | None:
    """One Round; None where nobody sits, or the Dealer's error makes it void."""
    felt, known = scene.felts[scene.group_of[place.table]]
    group, own = scene.group(place.table), room()
    first, hour = scene.numbers(life, place.table, place.day)
    number, hour = first + place.at, hour + place.at // group.each_hour
    seed = scene.floor.config.seed
    seated = floors.look_at(seed, number, hour, felt, tables.common(), own.eight, own.deck, own.cards, own.seats)
    if not seated or floors.is_void(seed, number, felt):
        return None
    each = 3 if felt.kind == floors.THREE else 2
    dealt = [DECK[card] for card in own.cards[:, 0]]
    shape = Shape(group.game)
    seats = []
    for at in range(seated):
        box, _, jackpot, side, how = (int(row[at]) for row in own.seats)
        stakes = {ANTE_BET: group.ante}
        if side:
            stakes |= {bet.name: group.side_stake for bet in group.terms.book.bets if bet.kind is BetKind.SIDE}
        if jackpot:
            stakes[JACKPOT_BET] = group.terms.jackpot_bet or 0
        chosen = dict(zip((choice.bet for choice in group.game.choices), shape.chosen(how), strict=True))
        seats.append(Seat(box, tuple(dealt[each * at : each * at + each]), stakes, chosen))
    dealer = each * seated
    shown = 2 if each == 3 else 5
    sums, bets, hits = zeros(floors.DAY), zeros(1), zeros((MOST_HITS, floors.HIT))
    found = floors.play_day(
        seed, number, hour, 1, 1, felt, known, tables.common(), own.eight, own.deck, own.cards, own.seats, own.made,
        sums, bets, hits,
    )  # fmt: skip
    return Seen(
        seats=tuple(seats),
        dealer=tuple(dealt[dealer : dealer + each]),
        community=tuple(dealt[dealer + each : dealer + each + shown]),
        net=int(sums[floors.TABLE_NET] + sums[floors.SIDE_NET]),
        fixed=int(sums[floors.FIXED_AWARDS]),
        claims=tuple((box, mask, bool(folded)) for _, box, mask, folded in hits[:found].tolist()),
    )


class Arranged:
    """Chance that gives the decks it is told to, and salts that are told apart by number alone."""

    def __init__(self) -> None:
        self._picks: list[int] = []
        self._salts = count(1)
        self.chance = Chance(self._below, lambda size: next(self._salts).to_bytes(size, "big"))

    def next_deck(self, wanted: tuple[Card, ...]) -> None:
        """What a shuffle has to draw so that this order comes out."""
        order, picks = list(DECK), []
        for last in range(len(order) - 1, 0, -1):
            pick = order.index(wanted[last])
            picks.append(pick)
            order[last], order[pick] = order[pick], order[last]
        self._picks = picks[::-1]

    def _below(self, number: int) -> int:
        return self._picks.pop() if self._picks else number - 1


class Playing:
    """The real house, playing Rounds of a simulated floor into a journal."""

    def __init__(self, scene: Scene, store: Store) -> None:
        self.scene, self.floor = scene, scene.floor
        self.arranged = Arranged()
        self.house = House(store, self.arranged.chance)
        self.meter = Meter(scene)
        self._ids = count(1)
        self._known: set[str] = set()
        self._clock = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp() * 1_000_000)
        self._rounds: dict[int, int] = {}
        self._ask(OpenLink(link=LINK, meter=self.floor.meter, parameters=self.floor.parameters))

    def compare(self, life: int, places: list[Place]) -> Sampled:
        """Every Round in turn. Raises Differs."""
        rounds = compared = awards = 0
        for place in places:
            seen = look(self.scene, life, place)
            if seen is None:
                continue
            lines, paid = self._play(place, seen)
            rounds, compared, awards = rounds + 1, compared + lines, awards + paid
        link = self.house.links[LINK]
        ours = self.meter.link
        if (link.meter, link.reserve, link.overflow) != (ours.meter, ours.reserve, ours.overflow):
            raise Differs(f"The house's meter stands at {link.meter} units, the simulation's at {ours.meter}.")
        return Sampled(rounds, compared, awards, link.meter)

    def _play(self, place: Place, seen: Seen) -> tuple[int, int]:
        group, name = self.scene.group(place.table), f"S{place.table + 1}"
        self._open(name, place.table, seen)
        self.arranged.next_deck(self._deck(group.terms, seen))
        before = self.house.heads[table_stream(name)].seq if table_stream(name) in self.house.heads else 0
        placed = [
            PlaceBet(player=_player(name, seat.box), box=seat.box + 1, bet=bet, amount=amount)
            for seat in seen.seats
            for bet, amount in seat.stakes.items()
        ]
        commands: tuple[RoundCommand, ...] = (OpenRound(), *placed, CloseBets())
        self._ask(*(AtTable(table=name, command=command) for command in commands))
        chosen = {seat.box + 1: seat.chosen for seat in seen.seats}
        while (due := decision_due(group.terms, self.house.tables[name].round)) is not None:
            decision, boxes = due
            bets = chosen[boxes[0]][decision.bet]
            choice = DecideHand(box=boxes[0], choice=decision.bet if bets else decision.otherwise)
            self._ask(AtTable(table=name, command=choice))
        return self._held_against(place, name, seen, before)

    def _held_against(self, place: Place, name: str, seen: Seen, before: int) -> tuple[int, int]:
        """What the house wrote of the Round, against the simulation."""
        number = self._rounds[place.table] = self._rounds.get(place.table, 0) + 1
        facts = [_FACTS.decode(record.data) for record in self.house.store.read(table_stream(name), before)]
        settled = [fact for fact in facts if isinstance(fact, BetSettled)]
        net = sum(fact.won + fact.returned - fact.staked for fact in settled if fact.bet != JACKPOT_BET)
        paid = [fact for fact in facts if isinstance(fact, AwardPaid)]
        if net != seen.net:
            raise Differs(f"{place}: the house pays {net} cents, the simulation {seen.net}.")
        group = self.scene.group(place.table)
        bets = sum(JACKPOT_BET in seat.stakes for seat in seen.seats)
        at = self.scene.group_of[place.table]
        self.meter.contribute(bets * self.meter.units[at], bets * self.meter.reserve[at])
        claims = tuple(claim(group, number, box, mask, folded=folded) for box, mask, folded in seen.claims)
        ours = self.meter.pay(place.table, number, claims) if claims else []
        theirs = sorted((fact.box, fact.hand, fact.amount) for fact in paid)
        boxes = {box for box, _, _ in seen.claims}
        from_meter = [each for each in theirs if each[0] - 1 in boxes]
        if from_meter != sorted((won.box, hand, amount) for won, hand, amount in ours):
            raise Differs(f"{place}: the house's link pays {from_meter}, the simulation's {ours}.")
        fixed = sum(amount for box, _, amount in theirs if box - 1 not in boxes)
        if fixed != seen.fixed:
            raise Differs(f"{place}: the house pays fixed awards of {fixed} cents, the simulation of {seen.fixed}.")
        return len(settled), len(ours)

    def _deck(self, terms: Terms, seen: Seen) -> tuple[Card, ...]:
        """The deck that puts every card where the simulation dealt it, whatever the order of this procedure."""
        state = new_table(terms.boxes)
        commands: list[RoundCommand] = [OpenRound()]
        commands += [
            PlaceBet(player=str(seat.box), box=seat.box + 1, bet=bet, amount=amount)
            for seat in seen.seats
            for bet, amount in seat.stakes.items()
        ]
        for command in (*commands, CloseBets()):
            verdict = decide(terms, state, command)
            assert not isinstance(verdict, Refusal), verdict
            state = evolve_all(state, verdict)
        left = {str(seat.box + 1): list(seat.cards) for seat in seen.seats}
        left |= {"dealer": list(seen.dealer), "community": list(seen.community)}
        places: dict[int, Card] = {}
        for ordinal, where in enumerate((*state.dealt, *still_to_deal(terms.dealing, state))):
            if left.get(where):
                places[ordinal] = left[where].pop(0)
        return tuple(arrange(places))

    def _open(self, name: str, table: int, seen: Seen) -> None:
        group = self.scene.group(table)
        if name not in self._known:
            self._known.add(name)
            config = TableConfig(
                game=group.config.game, link=LINK, jackpot_bet=group.terms.jackpot_bet, rulings=group.config.rulings
            )
            self._ask(OpenTable(table=name, config=config))
        new = dict.fromkeys(_player(name, seat.box) for seat in seen.seats)
        self._ask(*(BuyIn(player=player, amount=CHIPS) for player in new if player not in self._known))
        self._known |= new.keys()

    def _ask(self, *commands: HouseCommand) -> None:
        """In one transaction."""
        requests = []
        for command in commands:
            self._clock += 1_000_000
            requests.append(Request(id=f"simulated-{next(self._ids)}", at=self._clock, command=command))
        for answer in self.house.process(requests):
            if not answer.accepted:
                raise Differs(f"The house refuses what the simulation does: {answer.message}")


def _player(table: str, box: int) -> str:
    return f"{table} box {box + 1}"


def play_again(scene: Scene, store: Store, wanted: int) -> Sampled:
    """So many Rounds of the floor's first life, in the real house. Raises Differs."""
    return Playing(scene, store).compare(0, chosen_rounds(scene, 0, wanted))
