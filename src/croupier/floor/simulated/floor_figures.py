"""What the lives of a floor came to: the meter, its hits, the House's days, as figures and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from statistics import mean

import msgspec

from croupier.floor.simulated.config import Floor
from croupier.floor.simulated.journal_days import Journal
from croupier.floor.simulated.lifetime import Life
from croupier.floor.simulated.samples import Sampled
from croupier.money import Money, show

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
YEAR = 365


class Spread(msgspec.Struct, frozen=True):
    """How a figure is spread: its mean and five quantiles, or no quantiles where there is one value alone."""

    mean: float
    quantiles: dict[str, float]

    @property
    def band(self) -> tuple[float, float] | None:
        """Nine tenths of the values lie in it; None where there is one value alone."""
        return (self.quantiles["0.05"], self.quantiles["0.95"]) if self.quantiles else None


class HitFigures(msgspec.Struct, frozen=True):
    """Awards of one hand that the meter paid."""

    hand: str
    count: int
    days_between: float | None
    """From one to the next, on average over all lives."""
    amount: Spread
    """What one Player got, in money."""


class EvenAt(msgspec.Struct, frozen=True):
    """From which meter on a game's jackpot Bet gives more than it takes, to a single Player."""

    game: str
    meter: float | None


class FloorFigures(msgspec.Struct, frozen=True):
    """Everything that the lives of a floor have shown; money in whole units of its currency."""

    currency: str
    tables: int
    days: int
    lives: int
    seed: int
    rounds: int
    hands: int
    voids: int
    staked: float
    hold: float
    """What the House keeps of every unit staked on the games."""
    seconds: float
    times_real: float
    """Days lived against days of computing."""
    daily_result: Spread
    yearly_result: Spread
    """Of 365 days in a row, or of a whole life where that is shorter."""
    losing_days: float
    errors_a_day: float
    jackpot_share: float
    """Jackpot Bets for each Hand."""
    meter: Spread
    """At the end of days."""
    meter_at_reset: Spread | None
    """Just before an award took all of it; None where no award did."""
    days_between_resets: float | None
    top_ups_a_year: float
    topped_up_a_year: float
    reserve: Spread
    hits: list[HitFigures]
    break_even: list[EvenAt]
    sampled: Sampled | None
    journal: Journal | None
    daily_bands: dict[str, list[float]]
    """For each day the quantiles over lives of the House's result of that day; empty where there is one life."""
    bands_so_far: dict[str, list[float]]
    """The same of its result since the first day."""


def span(lives: int, days: int) -> str:
    """ "2 lives of 30 days"."""
    return f"{lives:,} {'life' if lives == 1 else 'lives'} of {days_in_words(days)}"


def days_in_words(days: int) -> str:
    """ "1 day", "30 days"."""
    return f"{days:,} {'day' if days == 1 else 'days'}"


def spread(values: Sequence[float]) -> Spread:
    """Compute the mean and the quantiles by the nearest rank."""
    ordered = sorted(values)
    return Spread(mean(ordered), {f"{q:g}": quantile(ordered, q) for q in QUANTILES} if len(ordered) > 1 else {})


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which this share of sorted values lies."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def figures(
    floor: Floor,
    lives: Sequence[Life],
    seconds: float,
    sampled: Sampled | None = None,
    journal: Journal | None = None,
    even: list[EvenAt] | None = None,
) -> FloorFigures:
    """Compute the figures of all lives together; `even` where the break-even meters were counted before."""
    days = [day for life in lives for day in life.days]
    lived = len(days)
    hits = [hit for life in lives for hit in life.hits]
    resets = {(life.number, hit.day, hit.table, hit.round): hit for life in lives for hit in life.hits if hit.is_all}
    staked = sum(day.staked for day in days)
    length = min(len(life.days) for life in lives)
    year = min(YEAR, length)
    years = [
        sum(day.result for day in life.days[first : first + year]) / 100
        for life in lives
        for first in range(0, len(life.days) - year + 1, year)
    ]
    return FloorFigures(
        currency=floor.parameters.currency,
        tables=floor.tables,
        days=length,
        lives=len(lives),
        seed=floor.config.seed,
        rounds=sum(day.rounds for day in days),
        hands=sum(day.hands for day in days),
        voids=sum(day.voids for day in days),
        staked=staked / 100,
        hold=sum(day.table_win for day in days) / staked if staked else 0.0,
        seconds=round(seconds, 3),
        times_real=round(lived * 86_400 / seconds) if seconds else 0.0,
        daily_result=spread([day.result / 100 for day in days]),
        yearly_result=spread(years),
        losing_days=sum(day.result < 0 for day in days) / lived,
        errors_a_day=sum(day.errors for day in days) / 100 / lived,
        jackpot_share=sum(day.jackpot_bets for day in days) / max(1, sum(day.hands for day in days)),
        meter=spread([day.meter / 100 for day in days]),
        meter_at_reset=spread([hit.meter / 100 for hit in resets.values()]) if resets else None,
        days_between_resets=lived / len(resets) if resets else None,
        top_ups_a_year=YEAR * sum(day.topped_up > 0 for day in days) / lived,
        topped_up_a_year=YEAR * sum(day.topped_up for day in days) / 100 / lived,
        reserve=spread([day.reserve / 100 for day in days]),
        hits=_hits([(hit.hand, hit.amount) for hit in hits], lived),
        break_even=break_even(floor) if even is None else even,
        sampled=sampled,
        journal=journal,
        daily_bands=_bands([[day.result for day in life.days] for life in lives]),
        bands_so_far=_bands([list(accumulate(day.result for day in life.days)) for life in lives]),
    )


def _hits(paid: list[tuple[str, int]], lived: int) -> list[HitFigures]:
    counts = Counter(hand for hand, _ in paid)
    return [
        HitFigures(hand, count, lived / count, spread([amount / 100 for each, amount in paid if each == hand]))
        for hand, count in counts.most_common()
    ]


def _bands(lives: Sequence[Sequence[Money]]) -> dict[str, list[float]]:
    """Compute quantiles over lives, day by day; one life has none."""
    if len(lives) == 1:
        return {}
    ordered = [sorted(each / 100 for each in day) for day in zip(*lives, strict=True)]
    return {f"{q:g}": [quantile(day, q) for day in ordered] for q in QUANTILES}


_MONEY = frozenset(
    {
        "staked",
        "daily_result",
        "yearly_result",
        "errors_a_day",
        "meter",
        "meter_at_reset",
        "topped_up_a_year",
        "reserve",
        "amount",
        "daily_bands",
        "bands_so_far",
    }
)
"""Fields that hold money, at any depth; a spread and a band hold nothing else."""


def figures_json(found: FloorFigures) -> dict[str, object]:
    """Return the figures as data, with money as text with two decimals."""
    told = _told(msgspec.to_builtins(found))
    assert isinstance(told, dict)
    return told


def _told(value: object, *, is_money: bool = False) -> object:
    match value:
        case dict():
            return {name: _told(each, is_money=is_money or name in _MONEY) for name, each in value.items()}
        case list():
            return [_told(each, is_money=is_money) for each in value]
        case float() if is_money:
            return show(round(100 * value))
        case _:
            return value


def break_even(floor: Floor) -> list[EvenAt]:
    """Compute the break-even meter for every game of the floor, exactly, with the lab."""
    from croupier.lab.bets import jackpot  # noqa: PLC0415 - they count for a second or two
    from croupier.lab.solve.solution import solve  # noqa: PLC0415

    found = {}
    for group in floor.groups:
        if group.config.game not in found:
            even = jackpot.figures(solve(group.game)).break_even_meter
            found[group.config.game] = None if even is None else float(even) / 100
    return [EvenAt(game, meter) for game, meter in found.items()]
