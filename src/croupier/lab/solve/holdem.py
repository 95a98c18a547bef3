"""The games on two Hole Cards and five Community Cards, solved: from the kernels' sums to exact values.

With decisions by streets, what a Bet on the flop or turn brings does not depend on the other one, so each is placed
where it gains by itself; only the first decision weighs everything that comes later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from threading import Lock

import msgspec
import numpy as np

from croupier.cards import DECK
from croupier.cards.cards import FACES
from croupier.lab import cache
from croupier.lab.kernels.cards.shapes import CLASSES, Channels
from croupier.lab.kernels.enumerate.positions import position_value
from croupier.lab.kernels.runtime.compiler import Ints, zeros
from croupier.lab.kernels.runtime.precompile import compile_ahead
from croupier.lab.kernels.runtime.signatures import Purpose
from croupier.lab.model.game import Game, Structure, Units, Unsolvable, game
from croupier.lab.progress import Progress, no_progress
from croupier.lab.solve.enumeration import DEALERS, DEALS, FLOPS, HOLE_CARDS, RIVERS, TURNS, Counted, Sums, count
from croupier.lab.solve.solution import EvenDecision, HandValue, Solution
from croupier.rulebooks.terms import table_terms
from croupier.rulebooks.vocabulary import Fate

_SECONDS = 1.0
"""Seconds that counting takes with its kernels compiled."""
RANKS = 10
SQUARE_PART = 4096


class StartingHand:
    """One of the 169 starting hands: above the diagonal of the chart suited, below it not, pairs on it."""

    __slots__ = ("cards", "name", "number", "ways")

    def __init__(self, number: int) -> None:
        row, column = divmod(number, 13)
        high, low = max(row, column), min(row, column)
        self.number = number
        kind = "" if row == column else "s" if row > column else "o"
        self.name = FACES[high] + FACES[low] + kind
        self.ways = {"": 6, "s": 4, "o": 12}[kind]
        self.cards = (DECK[4 * high + 3], DECK[4 * low + (3 if kind == "s" else 2)])


STARTING_HANDS = tuple(StartingHand(number) for number in range(CLASSES))


def starting_hand(first: int, second: int) -> int:
    """Return the number of the starting hand of two cards, given by their places in the deck."""
    high, low = max(first, second) // 4, min(first, second) // 4
    return high * 13 + low if first % 4 == second % 4 else low * 13 + high


# ---------------------------------------------------------------- the channels of a game


class Layout(msgspec.Struct, frozen=True):
    """The channels counted of a game: how they are scaled to integers, and which is which."""

    channels: Channels
    scale: int
    """Channel 0 is what decides, times this."""
    paid: tuple[Units, ...]
    """The different amounts the Ante pays. A channel counts the wins at each; where the Dealer must qualify, another
    one counts the Dealer's failures at each."""

    @property
    def unit(self) -> int:
        """Return the parts of an Ante in which every amount is a whole number."""
        return lcm(*(amount.denominator for amount in self.paid))

    @property
    def fold(self) -> int:
        """Return what a fold on the flop loses over all deals, as channel 0 counts it."""
        return -self.scale * DEALERS * RIVERS * TURNS


def _channels(rows: Iterable[tuple[Iterable[int], Iterable[int], int]], game: Game) -> Channels:
    win, off, lose = zip(*((list(win), list(off), lose) for win, off, lose in rows), strict=True)
    return Channels(
        np.array(win, np.int64), np.array(off, np.int64), np.array(lose, np.int64), game.qualifies_from, game.tie_first
    )


def _outcome_rows(game: Game) -> tuple[tuple[Units, ...], list[tuple[list[int], list[int], int]]]:
    """Return a channel for the wins at each amount of the Ante and, where the Dealer must qualify, for failures."""
    paid = tuple(sorted(set(game.ante_on_win)))
    at = [[int(each == amount) for each in game.ante_on_win] for amount in paid]
    rows = [(row, [0] * RANKS, 0) for row in at]
    if game.qualifies_from:
        rows += [([0] * RANKS, row, 0) for row in at]
    return paid, rows


def _streets(game: Game) -> Layout:
    """Return channel 0 for a unit of a later Bet, then the outcomes."""
    paid, rows = _outcome_rows(game)
    later = ([1] * RANKS, [0] * RANKS, -1)
    return Layout(_channels([later, *rows], game), 1, paid)


def _flop_first(game: Game, *, whole: bool) -> Layout:
    """Return channel 0 for a Call with its Ante; then its square in two parts, or with `whole` the outcomes."""
    (choice,) = game.choices
    scale = lcm(*(amount.denominator for amount in game.ante_on_win))
    won = [int(scale * (amount + choice.times)) for amount in game.ante_on_win]
    off = [int(scale * amount) for amount in game.ante_on_win]
    lost = -scale * (1 + choice.times)
    result = (won, off, lost)
    if whole:
        paid, rows = _outcome_rows(game)
        return Layout(_channels([result, *rows], game), scale, paid)
    # In two parts, so that the sums of either fit the same integers whatever the odds.
    squares = [[each**2 for each in won], [each**2 for each in off], [lost**2]]
    low = [[each % SQUARE_PART for each in part] for part in squares]
    high = [[each // SQUARE_PART for each in part] for part in squares]
    parts = [(win, without, lose) for win, without, (lose,) in (low, high)]
    return Layout(_channels([result, *parts], game), scale, ())


Key = tuple[Structure, tuple[tuple[str, int], ...], tuple[Units, ...], int, bool]


def key(game: Game) -> Key:
    """Return what of a game decides its sums: games that agree in it are counted once."""
    times = tuple((choice.bet, choice.times) for choice in game.choices)
    return game.structure, times, game.ante_on_win, game.qualifies_from, game.tie_first


class _Cache:
    """The last sums counted, by what decides them; a hundred megabytes each, so few are kept."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: dict[tuple[Key, bool], tuple[Layout, Counted]] = {}
        # A thread that asks for what another is counting waits for it.
        self._lock = Lock()

    def get(self, game: Game, whole: bool, make: Callable[[], tuple[Layout, Counted]]) -> tuple[Layout, Counted]:
        wanted = (key(game), whole)
        with self._lock:
            found = self._kept.pop(wanted, None) or make()
            self._kept[wanted] = found
            while len(self._kept) > self._size:
                self._kept.pop(next(iter(self._kept)))
        return found

    def has(self, game: Game, whole: bool) -> bool:
        with self._lock:
            return (key(game), whole) in self._kept

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


_CACHE = _Cache(2)
_VALUES: dict[Key, tuple[HandValue, ...]] = {}
"""The 169 starting hands of every game asked about."""
_SUMS: dict[tuple[Key, bool], tuple[Layout, Sums]] = {}
"""The sums of every game asked about."""


def clear_counts() -> None:
    """Drop what was counted in this process: the next question reads or counts again."""
    _CACHE.clear()
    _VALUES.clear()
    _SUMS.clear()


def counts_of(game: Game, progress: Progress = no_progress, *, whole: bool = False) -> tuple[Layout, Counted]:
    """Return the sums of a game for any position; `whole` asks for every outcome also where solving does without."""
    if game.structure is Structure.STREETS:
        whole = False  # its channels are the outcomes

    def make() -> tuple[Layout, Counted]:
        if game.structure is Structure.STREETS:
            asked = _streets(game)
            return asked, _count_streets(asked, progress)
        asked = _flop_first(game, whole=whole)
        told = compile_ahead((Purpose.COUNT_FLOP_FIRST,), _SECONDS, progress)
        return asked, count(asked.channels, at_stake=asked.fold, streets_later=False, progress=told)

    return _CACHE.get(game, whole, make)


def _count_streets(asked: Layout, progress: Progress) -> Counted:
    told = compile_ahead((Purpose.COUNT_STREETS,), _SECONDS, progress)
    return count(asked.channels, streets_later=True, progress=told)


def ante_parts(game: Game, asked: Layout, scale: int) -> Ints:
    """Return the part of each channel in the Ante's result with decisions by streets, times `scale`.

    The Ante brings what is paid at each win and failure, less the losses: wins less what a later Bet gains.
    """
    parts = np.zeros(len(asked.channels.lose), np.int64)
    parts[0] = scale
    for at, amount in enumerate(asked.paid):
        parts[1 + at] = int(scale * (amount - 1))
        if game.qualifies_from:
            parts[1 + len(asked.paid) + at] = int(scale * amount)
    return parts


def any_counts_of(game: Game) -> tuple[Layout, Counted]:
    """Count a game, or reuse the sums of every outcome where this process holds them: they answer the same."""
    return counts_of(game, whole=_CACHE.has(game, whole=True))


class Lookup:
    """Looks up what decides in single positions of one game; for one thread."""

    def __init__(self, game: Game) -> None:
        self.layout, self.counted = any_counts_of(game)
        self._lying, self._room = zeros(4), zeros(8)

    def value(self, own: Sequence[int], board: Sequence[int]) -> int:
        """Return channel 0 summed over all cards to come after three or four Community Cards."""
        size = len(board)
        self._lying[:size] = board
        first, second = own
        return int(position_value(0, size, first, second, self._lying, self.counted.tables, self._room))


def live_hands(solved: Solution) -> Ints:
    """Return `[lower card, higher card]`: 1 where the best play does not fold the Hole Cards at once."""
    live = zeros((52, 52))
    for two in range(52):
        for one in range(two):
            live[one, two] = int(solved.hands[starting_hand(one, two)].played)
    return live


# ---------------------------------------------------------------- sums that were counted before


def sums_of(game: Game, progress: Progress = no_progress, *, whole: bool = False) -> tuple[Layout, Sums]:
    """Return the sums of a game by starting hand: of this process, kept by an earlier one, or counted now."""
    whole = whole and game.structure is not Structure.STREETS
    wanted = (key(game), whole)
    found = _SUMS.get(wanted)
    if found is None:
        found = _SUMS[wanted] = _summed(game, progress, whole=whole)
    return found


def _summed(game: Game, progress: Progress, *, whole: bool) -> tuple[Layout, Sums]:
    if _CACHE.has(game, whole):
        asked, found = counts_of(game, whole=whole)
        return asked, found.sums
    if game.structure is Structure.STREETS:
        asked = _streets(game)
        if cache.has_counts("by-rank", _by_rank_key(game)):
            return asked, _of_amounts(game, asked, sums_by_rank(game))
    else:
        asked = _flop_first(game, whole=whole)

    def make() -> cache.Arrays:
        return msgspec.structs.asdict(counts_of(game, progress, whole=whole)[1].sums)

    return asked, Sums(**cache.counts("sums", (key(game), whole), make))


def _by_rank_key(game: Game) -> tuple[int, bool]:
    return game.qualifies_from, game.tie_first


def sums_by_rank(game: Game, progress: Progress = no_progress) -> Sums:
    """Return what is won with each rank of the Player's Hand, with decisions by streets.

    No pay table of the Ante and no multiple of a Bet changes these sums, so such a changed game needs no counting.
    """
    assert game.structure is Structure.STREETS
    each_rank = tuple(Fraction(rank) for rank in range(RANKS))

    def make() -> cache.Arrays:
        asked = _streets(msgspec.structs.replace(game, ante_on_win=each_rank))
        return msgspec.structs.asdict(_count_streets(asked, progress).sums)

    return Sums(**cache.counts("by-rank", _by_rank_key(game), make))


def count_ahead(known: Game, progress: Progress = no_progress) -> None:
    """Count by rank, and keep, what changed pay tables will ask for: once for each document's qualification."""
    if known.structure is Structure.STREETS and not cache.has_counts("by-rank", _by_rank_key(known)):
        own = game(table_terms(known.name))
        if _by_rank_key(own) == _by_rank_key(known):
            sums_by_rank(known, progress)


def _of_amounts(game: Game, asked: Layout, ranks: Sums) -> Sums:
    """Turn sums by rank into those by what the Ante pays."""
    groups = [[at for at, amount in enumerate(game.ante_on_win) if amount == paid] for paid in asked.paid]
    columns = [[0], *([1 + rank for rank in group] for group in groups)]
    if game.qualifies_from:
        columns += [[1 + RANKS + rank for rank in group] for group in groups]

    def added(table: Ints) -> Ints:
        # The last column of most tables counts decisions.
        last = [[table.shape[1] - 1]] if table.shape[1] > len(ranks.total[0]) else []
        return np.stack([table[:, each].sum(axis=1) for each in (*columns, *last)], axis=1)

    return msgspec.structs.replace(
        ranks,
        total=added(ranks.total),
        flop_bets=added(ranks.flop_bets),
        river_bets=added(ranks.river_bets),
        both_bets=added(ranks.both_bets),
    )


def solve(
    game: Game, progress: Progress = no_progress, beside: Callable[[StartingHand], tuple[Units, Units]] | None = None
) -> Solution:
    """Find the best play; `beside` gives what side Bets bring with a starting hand if played, and if folded."""
    if game.structure is Structure.STREETS:
        return _solve_streets(game, progress, beside or (lambda _: (Fraction(0), Fraction(0))))
    return _solve_flop_first(game, progress)


# ---------------------------------------------------------------- decisions by streets


def _solve_streets(game: Game, progress: Progress, beside: Callable[[StartingHand], tuple[Units, Units]]) -> Solution:
    asked, sums = sums_of(game, progress)
    flop, turn, river = game.choices
    values: list[HandValue] = []
    results: Counter[int] = Counter()
    turns = rivers = 0
    for hand in STARTING_HANDS:
        drawn = _drawn(game, asked, sums, hand)
        value = _value(hand, drawn, asked.unit, *beside(hand))
        values.append(value)
        if value.played:
            results.update(drawn)
            turns += int(sums.flop_bets[hand.number, -1]) * TURNS * RIVERS * DEALERS
            rivers += int(sums.river_bets[hand.number, -1]) * RIVERS * DEALERS
        else:
            results[-asked.unit] += hand.ways * DEALS
    everything = HOLE_CARDS * DEALS
    chances = _chances(results, asked.unit, everything)
    played = Fraction(sum(each.ways for each in values if each.played), HOLE_CARDS)
    live = np.array([each.played for each in values])
    even_flops, even_rivers = int(sums.even_flops[live].sum()), int(sums.even_rivers[live].sum()) // 4
    even_hands = sum(each.ways for each in values if each.play == each.fold)
    return Solution(
        game,
        find_results=lambda: chances,
        ev=sum((net * chance for net, chance in chances.items()), Fraction(0)),
        square=sum((net**2 * chance for net, chance in chances.items()), Fraction(0)),
        decisions={
            flop.otherwise: 1 - played,
            flop.bet: played,
            turn.bet: Fraction(turns, everything),
            river.bet: Fraction(rivers, everything),
        },
        hands=tuple(values),
        indifferent=(
            EvenDecision(flop.bet, even_hands, Fraction(even_hands, HOLE_CARDS)),
            EvenDecision(turn.bet, even_flops, Fraction(even_flops, HOLE_CARDS * FLOPS)),
            EvenDecision(river.bet, even_rivers, Fraction(4 * even_rivers, HOLE_CARDS * FLOPS * TURNS)),
        ),
    )


def hand_value(game: Game, number: int) -> HandValue:
    """Return one starting hand, from the sums of its game."""
    values = _VALUES.get(key(game))
    if values is None:
        known = sums_of(game)
        nothing = Fraction(0)
        unit = known[0].unit
        values = tuple(_value(hand, _drawn(game, *known, hand), unit, nothing, nothing) for hand in STARTING_HANDS)
        _VALUES[key(game)] = values
    return values[number]


def _drawn(game: Game, asked: Layout, sums: Sums, hand: StartingHand) -> Counter[int]:
    """Return the results of a starting hand that is played, as parts of an Ante, with how many deals have each."""
    flop, turn, river = game.choices
    drawn: Counter[int] = Counter()
    for (on_turn, on_river), outcome in deal_kinds(sums, hand).items():
        staked = flop.times + turn.times * on_turn + river.times * on_river
        _draw(drawn, outcome, asked, staked, bool(game.qualifies_from))
    return drawn


def _value(hand: StartingHand, drawn: Counter[int], unit: int, if_played: Units, if_folded: Units) -> HandValue:
    play = Fraction(sum(net * ways for net, ways in drawn.items()), unit * hand.ways * DEALS)
    return HandValue(hand.name, hand.cards, hand.ways, play + if_played, if_folded - 1)


def _chances(drawn: Counter[int], unit: int, everything: int) -> Mapping[Units, Fraction]:
    return {Fraction(net, unit): Fraction(ways, everything) for net, ways in sorted(drawn.items()) if ways}


Cell = tuple[int, list[int]]
"""Deals, and the channels summed over them."""


def deal_kinds(sums: Sums, hand: StartingHand) -> dict[tuple[bool, bool], Cell]:
    """Return the deals of a played starting hand by whether there is a Bet on the flop and on the turn."""
    total, bet, late, both = (
        [int(each) for each in table[hand.number]]
        for table in (sums.total, sums.flop_bets, sums.river_bets, sums.both_bets)
    )
    deals = hand.ways * DEALS
    with_flop, with_river, with_both = (
        bet[-1] * TURNS * RIVERS * DEALERS,
        late[-1] * RIVERS * DEALERS,
        both[-1] * RIVERS * DEALERS,
    )
    neither = [t - b - r + x for t, b, r, x in zip(total, bet, late, both, strict=False)]
    return {
        (True, True): (with_both, both[:-1]),
        (True, False): (with_flop - with_both, [b - x for b, x in zip(bet[:-1], both, strict=False)]),
        (False, True): (with_river - with_both, [r - x for r, x in zip(late[:-1], both, strict=False)]),
        (False, False): (deals - with_flop - with_river + with_both, neither),
    }


def _draw(drawn: Counter[int], cell: Cell, asked: Layout, staked: int, qualifying: bool) -> None:
    """Add the results of one kind of deal, from its channels: later Bets, wins at each amount, failures at each."""
    deals, (gained, *counts) = cell
    size, unit = len(asked.paid), asked.unit
    wins, failures = counts[:size], counts[size:] if qualifying else [0] * size
    losses = sum(wins) - gained
    for amount, won, failed in zip(asked.paid, wins, failures, strict=True):
        drawn[int(unit * amount) + unit * staked] += won
        drawn[int(unit * amount)] += failed
    drawn[-unit * (1 + staked)] += losses
    drawn[0] += deals - losses - sum(wins) - sum(failures)


# ---------------------------------------------------------------- the flop first


def _solve_flop_first(game: Game, progress: Progress) -> Solution:
    # With every outcome at hand the square of the result follows from them, and nothing more is counted.
    whole = (key(game), True) in _SUMS or cache.has_counts("sums", (key(game), True))
    asked, sums = sums_of(game, progress, whole=whole)
    (call,) = game.choices
    deals_after = TURNS * RIVERS * DEALERS
    everything = HOLE_CARDS * FLOPS * deals_after
    called = int(sums.flop_bets[:, -1].sum())
    folded = HOLE_CARDS * FLOPS - called
    scale = asked.scale
    won = Fraction(int(sums.flop_bets[:, 0].sum()), scale)
    if whole:
        square = sum((net**2 * chance for net, chance in _flop_first_results(game).items()), Fraction(0))
    else:
        low, high = (int(sums.flop_bets[:, ch].sum()) for ch in (1, 2))
        square = (Fraction(low + SQUARE_PART * high, scale**2) + folded * deals_after) / everything
    values = []
    for hand in STARTING_HANDS:
        play = Fraction(int(sums.total[hand.number, 0]), scale * hand.ways * DEALS)
        values.append(HandValue(hand.name, hand.cards, hand.ways, play, Fraction(-1)))
    even = int(sums.even_flops.sum())
    return Solution(
        game,
        find_results=lambda: _flop_first_results(game),
        ev=(won - folded * deals_after) / everything,
        square=square,
        decisions={
            call.otherwise: Fraction(folded, HOLE_CARDS * FLOPS),
            call.bet: Fraction(called, HOLE_CARDS * FLOPS),
        },
        hands=tuple(values),
        indifferent=(EvenDecision(call.bet, even, Fraction(even, HOLE_CARDS * FLOPS)),),
    )


class CalledOutcomes(msgspec.Struct, frozen=True):
    """Deals that are called: all, those lost, and by what the Ante pays those won and those without a qualifying
    Dealer.
    """

    deals: int
    lost: int
    paid: tuple[Units, ...]
    won: tuple[int, ...]
    failed: tuple[int, ...]


def called_outcomes(game: Game) -> CalledOutcomes:
    """Return what becomes of the deals that the best play calls."""
    asked, sums = sums_of(game, whole=True)
    (call,) = game.choices
    channels = [int(each) for each in sums.flop_bets.sum(axis=0)]
    # What decides is the result itself here; a later Bet alone gains its wins less its losses.
    result = Fraction(channels[0], asked.scale)
    size = len(asked.paid)
    wins = channels[1 : 1 + size]
    failures = channels[1 + size : -1] if game.qualifies_from else [0] * size
    at_win = sum(
        (amount * (won + failed) for amount, won, failed in zip(asked.paid, wins, failures, strict=True)), Fraction(0)
    )
    losses = (at_win + call.times * sum(wins) - result) / (1 + call.times)
    assert losses.denominator == 1
    deals = channels[-1] * TURNS * RIVERS * DEALERS
    return CalledOutcomes(deals, int(losses), asked.paid, tuple(wins), tuple(failures))


def _flop_first_results(game: Game) -> Mapping[Units, Fraction]:
    called = called_outcomes(game)
    asked, _ = sums_of(game, whole=True)
    (call,) = game.choices
    drawn: Counter[int] = Counter()
    outcome = (called.deals, [sum(called.won) - called.lost, *called.won, *called.failed])
    _draw(drawn, outcome, asked, call.times, bool(game.qualifies_from))
    everything = HOLE_CARDS * FLOPS * TURNS * RIVERS * DEALERS
    drawn[-asked.unit] += everything - called.deals
    return _chances(drawn, asked.unit, everything)


def fates(game: Game, hand: StartingHand) -> dict[Fate, Fraction]:
    """Return how often a starting hand that is played is beaten, and how often it stands off."""
    if game.structure is not Structure.STREETS:
        raise Unsolvable("What becomes of a Hand is counted by its starting hand only where that is played or folded.")
    asked, sums = sums_of(game)
    gained, *counts = (int(each) for each in sums.total[hand.number])
    wins = sum(counts[: len(asked.paid)])
    failures = sum(counts[len(asked.paid) :])
    deals = hand.ways * DEALS
    losses = wins - gained
    stood_off = deals - wins - losses - failures
    return {Fate.BEATEN: Fraction(losses, deals), Fate.STOOD_OFF: Fraction(stood_off, deals)}


@lru_cache(maxsize=1)
def by_name() -> Mapping[str, StartingHand]:
    """Return the 169 starting hands by name: AKs, 72o, TT."""
    return {hand.name: hand for hand in STARTING_HANDS}
