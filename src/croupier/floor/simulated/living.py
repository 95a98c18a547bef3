"""A floor's life: day after day every table plays, and the link pays what its Hands win of the meter."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import msgspec
import numpy as np
from msgspec.structs import replace

from croupier.floor.simulated import felts
from croupier.floor.simulated.config import Floor, Group
from croupier.jackpots.awards import pay
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import ClaimsEntered, Link, Pending, RoundForgotten, new_link
from croupier.lab import jackpot as lines
from croupier.lab.kernels import floors
from croupier.lab.kernels.compiling import Ints, natural, zeros
from croupier.lab.kernels.floors import Felt
from croupier.lab.kernels.playing import Table
from croupier.lab.simulating import tables
from croupier.money import Money
from croupier.rounds.events import AwardClaimed

HOUR = 3_600_000
"""Milliseconds."""
MOST_HITS = 256
"""More Hands of one table cannot win a share of the meter in a day, but for a miracle."""
MOST_BOXES = 16


class Hit(msgspec.Struct, frozen=True):
    """A Hand that was paid from the meter."""

    day: int
    seconds: int
    table: int
    game: str
    round: int
    box: int
    hand: str
    amount: Money
    meter: Money
    """What the meter stood at just before."""
    is_all: bool
    """It took the whole meter."""


class Day(msgspec.Struct, frozen=True):
    """What one day came to, in cents."""

    rounds: int
    voids: int
    hands: int
    staked: Money
    """Antes, later Bets and side Bets."""
    table_win: Money
    """Won by the House on them."""
    errors: Money
    """Lost by paying wrongly."""
    jackpot_bets: int
    jackpot_staked: Money
    fixed_awards: Money
    from_meter: Money
    """Paid from the meter."""
    contributed: int
    """Meter, reserve and overflow together, in units of the link."""
    topped_up: Money
    """What the House put into the meter beyond the reserve."""
    meter: Money
    reserve: Money
    """At the end of the day."""

    @property
    def result(self) -> Money:
        """What the House keeps of the day: contributions belong to the players, and top-ups come out of its pocket."""
        return self.table_win - self.errors + self.jackpot_staked - self.fixed_awards - self.topped_up - self.set_aside

    set_aside: Money = 0
    """Contributions of the day in whole cents."""


class Life(msgspec.Struct, frozen=True):
    """One floor from its first day to its last."""

    number: int
    days: tuple[Day, ...]
    hits: tuple[Hit, ...]
    link: Link


class Room(msgspec.Struct):
    """Room for one thread to play in."""

    eight: Ints
    deck: Ints
    cards: Ints
    seats: Ints
    made: Ints


def room() -> Room:
    eight = natural(8)
    return Room(eight, eight.view("u1"), natural((52, 1), 8), zeros((5, MOST_BOXES)), zeros(8))


class Played(msgspec.Struct, frozen=True):
    """A day of one table, before the link has paid."""

    sums: Ints
    so_far: Ints
    """Jackpot Bets up to and with each Round."""
    hits: list[list[int]]


class Scene:
    """A floor made ready: felts for the kernel, and when each table's Rounds begin."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.felts: list[tuple[Felt, Table]] = [felts.felt(group) for group in floor.groups]
        self.group_of = [at for at, group in enumerate(floor.groups) for _ in range(group.config.count)]
        hours = floor.config.hours
        self.rounds = [floor.groups[at].each_hour * hours for at in self.group_of]
        self.interval = [HOUR // floor.groups[at].each_hour for at in self.group_of]
        count = len(self.group_of)
        self.offset = [interval * at // count for at, interval in enumerate(self.interval)]
        """Tables do not deal in step."""

    def group(self, table: int) -> Group:
        return self.floor.groups[self.group_of[table]]

    def numbers(self, life: int, table: int, day: int) -> tuple[int, int]:
        """The numbers of a table's first Round and first hour of a day: no two anywhere are the same."""
        config = self.floor.config
        days = (life * len(self.group_of) + table) * config.days + day
        return days * 600 * 24, days * 24

    def play(self, life: int, table: int, day: int, own: Room) -> Played:
        """A day of one table."""
        felt, known = self.felts[self.group_of[table]]
        rounds = self.rounds[table]
        sums, bets, hits = zeros(floors.DAY), zeros(rounds), zeros((MOST_HITS, floors.HIT))
        first, hour = self.numbers(life, table, day)
        found = floors.play_day(
            self.floor.config.seed,
            first,
            hour,
            rounds,
            self.group(table).each_hour,
            felt,
            known,
            tables.common(),
            own.eight,
            own.deck,
            own.cards,
            own.seats,
            own.made,
            sums,
            bets,
            hits,
        )
        assert found < MOST_HITS
        return Played(sums, np.cumsum(bets), hits[:found].tolist())

    def begun(self, table: int, at: int) -> int:
        """How many Rounds of a day the table has closed the bets of by then, in milliseconds."""
        since = at - self.offset[table]
        return 0 if since < 0 else min(self.rounds[table], since // self.interval[table] + 1)

    def settled(self, table: int, number: int) -> int:
        """When a Round of a day is settled, in milliseconds: nine tenths of its time after its bets were closed."""
        return self.offset[table] + self.interval[table] * number + self.interval[table] * 9 // 10


class Meter:
    """The link through one life: contributions are added by the number of Bets, awards are paid by the link itself."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        floor = scene.floor
        self.link = new_link(floor.meter, floor.parameters)
        rates = floor.parameters
        bets = [group.terms.jackpot_bet or 0 for group in floor.groups]
        self.units = [rates.contribution.units(bet, self.link.scale) for bet in bets]
        self.reserve = [rates.reserve.units(bet, self.link.scale) for bet in bets]

    def contribute(self, units: int, reserve: int) -> None:
        """What accepted jackpot Bets add together; past the cap it overflows, as each by itself would."""
        link, cap = self.link, self.link.parameters.cap
        over = 0
        if cap is not None:
            over = min(units, max(link.meter + units - cap * link.scale, 0))
        self.link = replace(
            link,
            meter=link.meter + units - over,
            reserve=link.reserve + reserve,
            overflow=link.overflow + over,
            contributed=link.contributed + units + reserve,
        )

    def pay(self, table: int, number: int, claims: tuple[AwardClaimed, ...]) -> list[tuple[AwardClaimed, str, Money]]:
        """One Round's claims; returns who was paid what for which hand."""
        terms, key = self.scene.group(table).terms, (str(table), number)
        link = evolve_link(self.link, ClaimsEntered(table=key[0], round=number, claims=claims))
        paid = pay(terms, link, Pending(key, claims))
        link = evolve_link(link, paid)
        assert link.balances, "what came in is there or was paid"
        # Nobody unwinds a simulated Round, so nothing of it is kept.
        self.link = replace(evolve_link(link, RoundForgotten(table=key[0], round=number)), handovers=())
        return [(each.claim, line.hand, line.amount) for each in paid.payments for line in each.lines]


def claim(group: Group, number: int, box: int, mask: int, *, folded: bool) -> AwardClaimed:
    """What the engine enters for a Hand that wins a share of the meter."""
    book, bet = group.terms.book.jackpot, group.terms.jackpot_bet
    assert bet is not None
    left = lines.claimable(book, mask, folded=folded)
    met = tuple(award for at, award in enumerate(book.awards) if left >> at & 1)
    return AwardClaimed(
        round=number, box=box + 1, player=str(box + 1), staked=bet, counts=bet, units=1, awards=met, named=met[0].hand
    )


def live(scene: Scene, number: int, watching: Callable[[int], None] = lambda _day: None) -> Life:
    """One life; the same whoever lives it."""
    return live_days(scene, number, scene.floor.config.days, watching)


def live_days(scene: Scene, number: int, until: int, watching: Callable[[int], None] = lambda _day: None) -> Life:
    """The first days of a life."""
    meter, own = Meter(scene), room()
    days: list[Day] = []
    hits: list[Hit] = []
    for day in range(until):
        played = [scene.play(number, table, day, own) for table in range(len(scene.group_of))]
        summed, paid = _day(scene, meter, day, played)
        days.append(summed)
        hits += paid
        watching(day)
    return Life(number, tuple(days), tuple(hits), meter.link)


def _day(scene: Scene, meter: Meter, day: int, played: list[Played]) -> tuple[Day, list[Hit]]:
    before = meter.link
    counted = [0] * len(scene.floor.groups)

    def contribute(by_group: list[int]) -> None:
        new = [now - then for now, then in zip(by_group, counted, strict=True)]
        units = sum(count * units for count, units in zip(new, meter.units, strict=True))
        meter.contribute(units, sum(count * units for count, units in zip(new, meter.reserve, strict=True)))
        counted[:] = by_group

    hits: list[Hit] = []
    waiting = sorted(
        (scene.settled(table, at), table, at)
        for table, each in enumerate(played)
        for at in {hit[0] for hit in each.hits}
    )
    for moment, table, at in waiting:
        contribute(_bets(scene, played, moment))
        group, value = scene.group(table), meter.link.cents
        number = day * scene.rounds[table] + at + 1
        claims = tuple(
            claim(group, number, box, mask, folded=bool(folded))
            for of, box, mask, folded in played[table].hits
            if of == at
        )
        for won, hand, amount in meter.pay(table, number, claims):
            award = next(award for award in won.awards if award.hand == hand)
            is_all = award.is_major and lines.share_of(award) == 1
            if award.is_major:
                hits.append(
                    Hit(day, moment // 1000, table, group.config.game, number, won.box, hand, amount, value, is_all)
                )
    contribute([int(sum(played[t].so_far[-1] for t in _of(scene, at))) for at in range(len(counted))])
    return _summed(scene, played, before, meter.link, hits), hits


def _of(scene: Scene, group: int) -> range:
    first = scene.floor.groups[group].first
    return range(first, first + scene.floor.groups[group].config.count)


def _bets(scene: Scene, played: list[Played], moment: int) -> list[int]:
    """Jackpot Bets accepted by then, group by group."""
    found = [0] * len(scene.floor.groups)
    for table, each in enumerate(played):
        begun = scene.begun(table, moment)
        if begun:
            found[scene.group_of[table]] += int(each.so_far[begun - 1])
    return found


def _summed(scene: Scene, played: list[Played], before: Link, after: Link, hits: list[Hit]) -> Day:
    sums = sum((each.sums for each in played), start=zeros(floors.DAY))
    staked = sum(
        int(each.sums[floors.JACKPOT_BETS]) * (scene.group(table).terms.jackpot_bet or 0)
        for table, each in enumerate(played)
    )
    contributed = after.contributed - before.contributed
    return Day(
        rounds=int(sums[floors.ROUNDS]),
        voids=int(sums[floors.VOIDS]),
        hands=int(sums[floors.HANDS]),
        staked=int(sums[floors.STAKED]),
        table_win=-int(sums[floors.TABLE_NET] + sums[floors.SIDE_NET]),
        errors=int(sums[floors.MISPAID_COST]),
        jackpot_bets=int(sums[floors.JACKPOT_BETS]),
        jackpot_staked=staked,
        fixed_awards=int(sums[floors.FIXED_AWARDS]),
        from_meter=sum(hit.amount for hit in hits),
        contributed=contributed,
        set_aside=contributed // after.scale,
        topped_up=-(-(after.topped_up - before.topped_up) // after.scale),
        meter=after.cents,
        reserve=after.reserve_cents,
    )


def lives(
    scene: Scene, workers: int, watching: Callable[[int, int], None] = lambda _life, _day: None
) -> tuple[Life, ...]:
    """Every life of a floor, shared out among so many workers; the same for any number of them."""
    with ThreadPoolExecutor(workers, thread_name_prefix="life") as pool:
        count = scene.floor.config.lives
        futures = [pool.submit(live, scene, number, partial(watching, number)) for number in range(count)]
        return tuple(future.result() for future in futures)
