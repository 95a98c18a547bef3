"""A floor's life: day after day every table plays, and the link pays what its Hands win of the meter."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from heapq import heapify, heappop, heappush
from threading import Event

import msgspec
import numpy as np
from msgspec.structs import replace

from croupier.floor.simulated import table_kinds
from croupier.floor.simulated.config import Floor, Group
from croupier.jackpots.decide import due
from croupier.jackpots.events import AwardsLocked, CasePaid, ClaimsEntered, RoundForgotten, RoundKey
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, RoundKeys, new_link
from croupier.lab.bets import jackpot as lines
from croupier.lab.kernels.random import table_day
from croupier.lab.kernels.random.rounds import Table
from croupier.lab.kernels.random.table_day import Felt, Room, room
from croupier.lab.kernels.runtime.compiler import Ints, zeros
from croupier.lab.simulator import decision_tables
from croupier.lab.simulator.outcome_counts import Shape
from croupier.money import Money
from croupier.rounds.events import AwardClaimed, AwardPaid

HOUR = 3_600_000
"""Milliseconds."""
MOST_HITS = 256
"""More Hands of one table cannot win a share of the meter in a day, but for a miracle."""


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


def summed_day(before: Link, after: Link, **of_tables: int) -> Day:
    """Return a day from what its tables came to, and from the link before and after it."""
    contributed = after.contributed - before.contributed
    return Day(
        **of_tables,
        contributed=contributed,
        set_aside=contributed // after.scale,
        topped_up=-(-(after.topped_up - before.topped_up) // after.scale),
        meter=after.cents,
        reserve=after.reserve_cents,
    )


class Life(msgspec.Struct, frozen=True):
    """One floor from its first day to its last."""

    number: int
    days: tuple[Day, ...]
    hits: tuple[Hit, ...]
    link: Link


class Played(msgspec.Struct, frozen=True):
    """A day of one table, or a part of it, before the link has paid."""

    seated: int
    """Players in the last hour of it."""
    sums: Ints
    so_far: Ints
    """Jackpot Bets up to and with each Round."""
    hits: list[list[int]]


class Scene:
    """A floor made ready: felts for the kernel, and when each table's Rounds begin."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.felts: list[tuple[Felt, Table]] = [table_kinds.felt(group) for group in floor.groups]
        self.shapes = [Shape(group.game) for group in floor.groups]
        self.group_of = [at for at, group in enumerate(floor.groups) for _ in range(group.config.count)]
        hours = floor.config.hours
        self.rounds = [floor.groups[at].each_hour * hours for at in self.group_of]
        self.interval = [hours * HOUR // (rounds + 1) for rounds in self.rounds]
        count = len(self.group_of)
        self.offset = [interval * at // count for at, interval in enumerate(self.interval)]
        """Tables do not deal in step; and the last Round of a day is settled before the day is over."""
        self.terms = {str(table): floor.groups[at].terms for table, at in enumerate(self.group_of)}

    def group(self, table: int) -> Group:
        return self.floor.groups[self.group_of[table]]

    def numbers(self, life: int, table: int, day: int) -> tuple[int, int]:
        """Number a table's first Round and first hour of a day, so that no two tables or days share a number."""
        config = self.floor.config
        days = (life * len(self.group_of) + table) * config.days + day
        return days * 600 * 24, days * 24

    def play(self, life: int, table: int, day: int, own: Room, at: int = 0, rounds: int | None = None) -> Played:
        """Play a day of one table, or some Rounds of it from the number `at` on."""
        count = self.rounds[table] if rounds is None else rounds
        felt, known = self.felts[self.group_of[table]]
        sums, bets, hits = zeros(table_day.DAY), zeros(count), zeros((MOST_HITS, table_day.HIT))
        first, hour = self.numbers(life, table, day)
        each_hour = self.group(table).each_hour
        numbers = (self.floor.config.seed, first + at, hour + at // each_hour, count, each_hour)
        seated, found = table_day.play_day(*numbers, felt, known, decision_tables.common(), own, sums, bets, hits)
        assert found < MOST_HITS
        return Played(seated, sums, np.cumsum(np.maximum(bets, 0)), hits[:found].tolist())

    def closed(self, table: int, number: int) -> int:
        """Return when the bets of a Round of a day are closed and its cards dealt, in milliseconds."""
        return self.offset[table] + self.interval[table] * number

    def begun(self, table: int, at: int) -> int:
        """Count the Rounds of a day whose bets the table has closed at this moment, in milliseconds."""
        since = at - self.offset[table]
        return 0 if since < 0 else min(self.rounds[table], since // self.interval[table] + 1)

    def settled(self, table: int, number: int) -> int:
        """Return when a Round of a day is settled, in milliseconds: nine tenths of its time after its bets closed."""
        return self.closed(table, number) + self.interval[table] * 9 // 10


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
        """Add what accepted jackpot Bets contribute together; past the cap it overflows, as for each Bet alone."""
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

    def enter(self, table: int, number: int, claims: tuple[AwardClaimed, ...]) -> None:
        """Enter the claims of a Round that has won a share of the meter."""
        self.link = evolve_link(self.link, ClaimsEntered(table=str(table), round=number, claims=claims))

    def pay(self, dealt: tuple[RoundKey, ...] = ()) -> list[tuple[Money, CasePaid]]:
        """Pay every award whose turn it is; return each with the meter that it was locked from.

        `dealt` are the Rounds that may still come before one that waits.
        """
        self.link = replace(self.link, dealt=RoundKeys(dealt))
        every: list[tuple[Money, CasePaid]] = []
        value = 0
        for event in due(self.scene.terms.get, self.link):
            if isinstance(event, AwardsLocked):
                value = self.link.cents
            elif isinstance(event, CasePaid):
                every.append((value, event))
            self.link = evolve_link(self.link, event)
            assert self.link.balances, "what came in is there, locked or paid"
        for key in {(paid.table, paid.round) for _, paid in every}:
            # Nobody unwinds a simulated Round, so nothing of it is kept.
            self.link = evolve_link(self.link, RoundForgotten(table=key[0], round=key[1]))
        self.link = replace(self.link, last_hits=())
        return every


def claim(group: Group, number: int, box: int, mask: int, *, folded: bool) -> AwardClaimed:
    """Make the claim that the engine enters for a Hand that wins a share of the meter."""
    book, bet = group.terms.book.jackpot, group.terms.jackpot_bet
    assert bet is not None
    left = lines.claimable(book, mask, folded=folded)
    met = tuple(award for at, award in enumerate(book.awards) if left >> at & 1)
    return AwardClaimed(
        round=number,
        box=box + 1,
        player=str(box + 1),
        staked=bet,
        counts=bet,
        units=1,
        awards=met,
        named=met[0].hand,
        collected=True,
    )


def live(
    scene: Scene,
    number: int,
    until: int,
    watching: Callable[[int], None] = lambda _day: None,
    enough: Callable[[], bool] = lambda: False,
) -> Life:
    """Simulate the first days of a life, the same in any thread; where it is `enough`, leave out the begun day."""
    meter, own = Meter(scene), room()
    days: list[Day] = []
    hits: list[Hit] = []
    for day in range(until):
        played = []
        for table in range(len(scene.group_of)):
            if enough():
                return Life(number, tuple(days), tuple(hits), meter.link)
            played.append(scene.play(number, table, day, own))
        before, evening = meter.link, _Evening(scene, meter, day, played)
        evening.live()
        days.append(_summed(scene, played, before, meter.link, evening))
        hits += evening.hits
        watching(day)
    return Life(number, tuple(days), tuple(hits), meter.link)


class _Evening:
    """The awards of one day: which Rounds won, which of them wait for others, and what the link has paid."""

    def __init__(self, scene: Scene, meter: Meter, day: int, played: list[Played]) -> None:
        self.scene, self.meter, self.day, self.played = scene, meter, day, played
        self.counted = [0] * len(scene.floor.groups)
        self.won = {(table, hit[0]) for table, each in enumerate(played) for hit in each.hits}
        self.coming = [(scene.settled(table, at), table, at) for table, at in self.won]
        heapify(self.coming)
        self.open: set[tuple[int, int]] = set()
        """Rounds that an award waits for, and those that wait themselves."""
        self.hits: list[Hit] = []
        self.fixed = 0
        """Fixed awards that came with a share of the meter."""

    def live(self) -> None:
        """Play the settlements that win a share of the meter, and those that such a one waits for, in order."""
        while self.coming:
            moment, table, at = heappop(self.coming)
            self._contribute(_bets(self.scene, self.played, moment))
            self.open.discard((table, at))
            if (table, at) in self.won:
                self._claim(moment, table, at)
            self._pay(moment)
        last = [int(sum(self.played[t].so_far[-1] for t in _of(self.scene, at))) for at in range(len(self.counted))]
        self._contribute(last)

    def _claim(self, moment: int, table: int, at: int) -> None:
        group, number = self.scene.group(table), self._number(table, at)
        claims = tuple(
            claim(group, number, box, mask, folded=bool(folded))
            for of, box, mask, folded in self.played[table].hits
            if of == at
        )
        self.open.add((table, at))
        if group.terms.book.jackpot.waits_for_earlier_deals:
            for other in self._dealt_before(moment, table, at) - self.open:
                self.open.add(other)
                if other not in self.won:
                    heappush(self.coming, (self.scene.settled(*other), *other))
        self.meter.enter(table, number, claims)

    def _dealt_before(self, moment: int, table: int, at: int) -> set[tuple[int, int]]:
        """Rounds of other tables with jackpot Bets that were dealt before this one and are not settled yet."""
        scene, found = self.scene, set()
        for other, each in enumerate(self.played):
            last = scene.begun(other, moment) - 1
            if other == table or last < 0 or (scene.settled(other, last), other) < (moment, table):
                continue
            bets = int(each.so_far[last]) - (int(each.so_far[last - 1]) if last else 0)
            if bets and (scene.closed(other, last), other) < (scene.closed(table, at), table):
                found.add((other, last))
        return found

    def _pay(self, moment: int) -> None:
        order = sorted(self.open, key=lambda key: (self.scene.closed(*key), key[0]))
        dealt = tuple((str(table), self._number(table, at)) for table, at in order)
        for value, paid in self.meter.pay(dealt):
            table = int(paid.table)
            self.open.discard((table, paid.round - 1 - self.day * self.scene.rounds[table]))
            for award in paid.awards:
                if award.from_meter:
                    self.hits.append(self._hit(moment, table, award, value))
                else:
                    self.fixed += award.amount

    def _hit(self, moment: int, table: int, paid: AwardPaid, value: Money) -> Hit:
        group = self.scene.group(table)
        award = next(award for award in group.terms.book.jackpot.awards if award.hand == paid.hand)
        return Hit(
            day=self.day,
            seconds=moment // 1000,
            table=table,
            game=group.config.game,
            round=paid.round,
            box=paid.box,
            hand=paid.hand,
            amount=paid.amount,
            meter=value,
            is_all=lines.share_of(award) == 1,
        )

    def _number(self, table: int, at: int) -> int:
        return self.day * self.scene.rounds[table] + at + 1

    def _contribute(self, by_group: list[int]) -> None:
        """Add the contributions since the last call, group by group."""
        new = [now - then for now, then in zip(by_group, self.counted, strict=True)]
        meter = self.meter
        units = sum(count * units for count, units in zip(new, meter.units, strict=True))
        meter.contribute(units, sum(count * units for count, units in zip(new, meter.reserve, strict=True)))
        self.counted = by_group


def _of(scene: Scene, group: int) -> range:
    first = scene.floor.groups[group].first
    return range(first, first + scene.floor.groups[group].config.count)


def _bets(scene: Scene, played: list[Played], moment: int) -> list[int]:
    """Count the jackpot Bets accepted by then, group by group."""
    found = [0] * len(scene.floor.groups)
    for table, each in enumerate(played):
        begun = scene.begun(table, moment)
        if begun:
            found[scene.group_of[table]] += int(each.so_far[begun - 1])
    return found


def _summed(scene: Scene, played: list[Played], before: Link, after: Link, evening: _Evening) -> Day:
    sums = sum((each.sums for each in played), start=zeros(table_day.DAY))
    staked = sum(
        int(each.sums[table_day.JACKPOT_BETS]) * (scene.group(table).terms.jackpot_bet or 0)
        for table, each in enumerate(played)
    )
    return summed_day(
        before,
        after,
        rounds=int(sums[table_day.ROUNDS]),
        voids=int(sums[table_day.VOIDS]),
        hands=int(sums[table_day.HANDS]),
        staked=int(sums[table_day.STAKED]),
        table_win=-int(sums[table_day.TABLE_NET] + sums[table_day.SIDE_NET]),
        errors=int(sums[table_day.MISPAID_COST]),
        jackpot_bets=int(sums[table_day.JACKPOT_BETS]),
        jackpot_staked=staked,
        fixed_awards=int(sums[table_day.FIXED_AWARDS]) + evening.fixed,
        from_meter=sum(hit.amount for hit in evening.hits),
    )


def lived(
    scene: Scene, workers: int, watching: Callable[[int, int], None] = lambda _life, _day: None
) -> tuple[tuple[Life, ...], bool]:
    """Simulate every life; return them, whatever the number of workers, and whether Ctrl-C stopped the run.

    After a stop, the finished lives are returned or, where there is none, the days that all begun lives have.
    """
    config, stopped = scene.floor.config, Event()

    def one(number: int) -> Life | None:
        if stopped.is_set():
            return None
        return live(scene, number, config.days, partial(watching, number), stopped.is_set)

    with ThreadPoolExecutor(workers, thread_name_prefix="life") as pool:
        futures = [pool.submit(one, number) for number in range(config.lives)]
        try:
            wait(futures)
        except KeyboardInterrupt:
            stopped.set()
        begun = [life for future in futures if (life := future.result()) is not None and life.days]
    if not stopped.is_set():
        return tuple(begun), False
    whole = tuple(life for life in begun if len(life.days) == config.days)
    return whole or _as_far_as_all(begun), True


def _as_far_as_all(begun: list[Life]) -> tuple[Life, ...]:
    """Cut lives to the days that all of them have."""
    days = min((len(life.days) for life in begun), default=0)
    return tuple(
        Life(life.number, life.days[:days], tuple(hit for hit in life.hits if hit.day < days), life.link)
        for life in begun
    )
