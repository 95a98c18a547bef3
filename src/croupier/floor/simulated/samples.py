"""Rounds of a simulated floor, played again by the real house: the same cards and choices, through the same door.

Every settlement is compared to the cent, every contribution and award to the unit of the meter.
"""

from __future__ import annotations

import msgspec

from croupier.floor.records.codec import link_fact, table_fact
from croupier.floor.records.streams import link_stream, table_stream
from croupier.floor.simulated.lifetime import Meter, Scene, claim
from croupier.floor.simulated.patrons import LINK, Asking, Differs, Place, Seen, look, name_of
from croupier.jackpots.events import CasePaid
from croupier.journal.store import Store
from croupier.lab.kernels.random.table_day import room
from croupier.rounds.events import AwardPaid, BetSettled
from croupier.rulebooks.vocabulary import JACKPOT_BET


class Sampled(msgspec.Struct, frozen=True):
    """What the comparison came to."""

    rounds: int
    lines: int
    awards: int
    """Awards paid from the meter among them."""
    meter_units: int


def chosen_rounds(scene: Scene, life: int, wanted: int) -> list[Place]:
    """Choose Rounds of the first days of a life: those that the meter paid, and others at random distances."""
    own = room()
    paid: list[Place] = []
    others: list[Place] = []
    days = scene.floor.config.days
    for day in range(min(days, 3)):
        for table in range(len(scene.group_of)):
            played = scene.play(life, table, day, own)
            hit = sorted({each[0] for each in played.hits})
            step = max(1, scene.rounds[table] * len(scene.group_of) * min(days, 3) // max(1, wanted))
            for chosen, rounds in ((paid, hit), (others, range(table % step, scene.rounds[table], step))):
                chosen += [Place(day, scene.closed(table, at), table, at) for at in rounds]
    picked = paid[: wanted // 2]
    left = [place for place in others if place not in set(paid)]
    return sorted([*picked, *left[:: max(1, len(left) // max(1, wanted - len(picked)))]][:wanted])


class Playing:
    """The real house, playing Rounds of a simulated floor one after the other."""

    def __init__(self, scene: Scene, store: Store) -> None:
        self.scene = scene
        self.asking = Asking(scene, store)
        self.house = self.asking.house
        self.meter = Meter(scene)
        self._rounds: dict[int, int] = {}

    def compare(self, life: int, places: list[Place]) -> Sampled:
        """Play every Round in turn and compare the meters at the end. Raises Differs."""
        rounds = compared = awards = 0
        own = room()
        for place in places:
            seen = look(self.scene, life, place, own)
            if seen is None or seen.void:
                continue
            lines, paid = self._play(place, seen)
            rounds, compared, awards = rounds + 1, compared + lines, awards + paid
        link = self.house.links[LINK]
        ours = self.meter.link
        if (link.meter, link.reserve, link.overflow) != (ours.meter, ours.reserve, ours.overflow):
            raise Differs(f"The house's meter stands at {link.meter} units, the simulation's at {ours.meter}.")
        return Sampled(rounds, compared, awards, link.meter)

    def _play(self, place: Place, seen: Seen) -> tuple[int, int]:
        asking, table = self.asking, place.table
        stream = table_stream(name_of(table))
        before = self.house.heads[stream].seq if stream in self.house.heads else 0
        asking.at(place.day, place.moment)
        asking.sit_down(table, [seat.box for seat in seen.seats])
        asking.open_round(table, seen)
        asking.place_bets(table, seen)
        asking.play(table, seen)
        asking.flush()
        return self._held_against(place, name_of(table), seen, before)

    def _held_against(self, place: Place, name: str, seen: Seen, before: int) -> tuple[int, int]:
        """Compare what the house wrote of the Round with the simulation. Raises Differs."""
        number = self._rounds[place.table] = self._rounds.get(place.table, 0) + 1
        facts = [table_fact(record) for record in self.house.store.read(table_stream(name), before)]
        settled = [fact for fact in facts if isinstance(fact, BetSettled)]
        cases = self._cases(name, number)
        settled += [case.line for case in cases]
        net = sum(fact.won + fact.returned - fact.staked for fact in settled if fact.bet != JACKPOT_BET)
        paid = [fact for fact in facts if isinstance(fact, AwardPaid)]
        paid += [award for case in cases for award in case.awards]
        if net != seen.net:
            raise Differs(f"{place}: the house pays {net} cents, the simulation {seen.net}.")
        group = self.scene.group(place.table)
        bets = sum(JACKPOT_BET in seat.stakes for seat in seen.seats)
        at = self.scene.group_of[place.table]
        self.meter.contribute(bets * self.meter.units[at], bets * self.meter.reserve[at])
        claims = tuple(claim(group, number, box, mask, folded=folded) for box, mask, folded in seen.claims)
        if claims:
            self.meter.enter(place.table, number, claims)
        ours = sorted(
            (award.box, award.hand, award.amount) for _, paid_out in self.meter.pay() for award in paid_out.awards
        )
        theirs = sorted((fact.box, fact.hand, fact.amount) for fact in paid)
        boxes = {box for box, _, _ in seen.claims}
        from_meter = [each for each in theirs if each[0] - 1 in boxes]
        if from_meter != ours:
            raise Differs(f"{place}: the house's link pays {from_meter}, the simulation's {ours}.")
        fixed = sum(amount for box, _, amount in theirs if box - 1 not in boxes)
        if fixed != seen.fixed:
            raise Differs(f"{place}: the house pays fixed awards of {fixed} cents, the simulation of {seen.fixed}.")
        return len(settled), len(ours)

    def _cases(self, table: str, number: int) -> list[CasePaid]:
        """Read the awards of a Round that the house's link has paid."""
        facts = (link_fact(record) for record in self.house.store.awards(link_stream(LINK)))
        of = (fact for fact in facts if isinstance(fact, CasePaid))
        return [case for case in of if (case.table, case.round) == (table, number)]


def play_again(scene: Scene, store: Store, wanted: int) -> Sampled:
    """Play a number of Rounds of the floor's first life in the real house; raises Differs."""
    return Playing(scene, store).compare(0, chosen_rounds(scene, 0, wanted))
