"""Outcomes: what the kernel has counted, read back, and priced Bet by Bet with the rulebook's terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm, sqrt

import msgspec

from croupier.cards import Rank, ThreeCardRank, slug
from croupier.lab.bets import jackpot as awards
from croupier.lab.kernels.random.rounds import BEATEN, FATES, FOLDED, RANKS, STOOD_OFF, UNQUALIFIED
from croupier.lab.kernels.runtime.compiler import Ints
from croupier.lab.model.game import Game, Structure, Units
from croupier.lab.simulator.decision_tables import SideLines, side_lines, ways
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, BetName, Fate

BASE = "base"
"""The Ante with the Bets that decisions add to it, and payouts on it: what the lab solves."""


class Outcome(msgspec.Struct, frozen=True):
    """One way a round can end."""

    chosen: tuple[bool, ...]
    """For each decision whether its Bet was placed; after a fold, False for all."""
    fate: int | None
    """What became of a Hand that was played; None where it was folded."""
    rank: int
    lines: SideLines
    mask: int
    """The lines of the jackpot table that the cards made, paid or not."""

    @property
    def folded(self) -> bool:
        return self.fate is None


class Shape:
    """The number of outcomes of a game, and which number is which."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.lines = side_lines(game)[2]
        self.ways = ways(game)
        self.awards = len(game.terms.book.jackpot.awards)

    @property
    def ranks(self) -> int:
        return len(ThreeCardRank) if self.game.structure is Structure.THREE_CARDS else RANKS

    @property
    def outcomes(self) -> int:
        return (1 << self.awards) * self.ways * FATES * RANKS * len(self.lines)

    @property
    def hands(self) -> int:
        """Return starting hands, or ranks of three cards, times ways through the decisions."""
        return (self.ranks if self.game.structure is Structure.THREE_CARDS else 169) * self.ways

    def side_lines(self, number: int, rank: int) -> SideLines:
        """Return the lines of side Bets by their number; those of three cards by the rank of the Hand."""
        if self.game.structure is Structure.THREE_CARDS:
            return (slug(ThreeCardRank(rank)),) * len(self.game.sides)
        return self.lines[number]

    def outcome(self, number: int) -> Outcome:
        """Return the outcome of a number, as the kernel makes it."""
        rest, side = divmod(number, len(self.lines))
        rest, rank = divmod(rest, RANKS)
        rest, fate = divmod(rest, FATES)
        mask, how = divmod(rest, self.ways)
        fate_of = None if how == FOLDED else fate
        return Outcome(self.chosen(how), fate_of, rank, self.side_lines(side, rank), mask)

    def chosen(self, how: int) -> tuple[bool, ...]:
        """Return which Bets one way through the decisions places."""
        if self.game.structure is Structure.STREETS:
            return how > 0, how in (2, 4), how in (3, 4)
        return (how > 0,)


_FATES = {None: Fate.FOLDED, BEATEN: Fate.BEATEN, STOOD_OFF: Fate.STOOD_OFF}
"""What becomes of a Hand, by the kernel's number; a Hand that wins has none, as side Bets ask for it."""


class Priced(msgspec.Struct, frozen=True):
    """The Bets of a game, each in units of its own stake (decision Bets and payouts: of the Ante)."""

    game: Game
    meter: Fraction
    """The jackpot meter in cents; it prices the lines that pay a share of it."""

    @property
    def bets(self) -> tuple[BetName, ...]:
        """Return the columns of every table of figures."""
        game = self.game
        found = [ANTE_BET, *(choice.bet for choice in game.choices), *(side.name for side in game.sides)]
        return (*found, JACKPOT_BET) if game.terms.jackpot_bet is not None else tuple(found)

    def nets(self, outcome: Outcome) -> dict[BetName, Units]:
        """Return what each Bet comes to; 0 where a decision did not place it."""
        game = self.game
        fate = _FATES.get(outcome.fate)
        ante, later = game.bets_after(fate, outcome.rank, qualified=outcome.fate != UNQUALIFIED)
        net: dict[BetName, Units] = {ANTE_BET: ante}
        for choice, placed in zip(game.choices, outcome.chosen, strict=True):
            net[choice.bet] = choice.times * later if placed else Fraction(0)
        for side, line in zip(game.sides, outcome.lines, strict=True):
            net[side.name] = side.net(line, fate)
        if game.terms.jackpot_bet is not None:
            net[JACKPOT_BET] = self.jackpot(outcome)
        return net

    def base(self, nets: Mapping[BetName, Units]) -> Units:
        """Return the result of what the lab solves."""
        game = self.game
        found = nets[ANTE_BET] + sum((nets[choice.bet] for choice in game.choices), Fraction(0))
        return found + sum((nets[side.name] for side in game.sides if side.on_ante), Fraction(0))

    def jackpot(self, outcome: Outcome) -> Units:
        """Return the jackpot Bet, in units of its stake."""
        stake = self.stake
        mask = awards.claimable(self.game.terms.book.jackpot, outcome.mask, folded=outcome.folded)
        return (awards.pays(self.game, int(stake))(mask).at(self.meter) - stake) / stake if mask else Fraction(-1)

    def awards(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the lines of the jackpot table that are paid."""
        jackpot = self.game.terms.book.jackpot
        mask = awards.claimable(jackpot, outcome.mask, folded=outcome.folded)
        return awards.lines_paid(jackpot, mask, self.amounts, self.meter) if mask else ()

    @property
    def stake(self) -> Fraction:
        assert self.game.terms.jackpot_bet is not None
        return Fraction(self.game.terms.jackpot_bet)

    @property
    def amounts(self) -> dict[str, Fraction]:
        return awards.amounts(self.game.terms.book.jackpot, self.stake, 1)


# ---------------------------------------------------------------- figures


class Moments:
    """Sums of every Bet and of every product of two, exact: integers over one denominator each."""

    def __init__(self, columns: tuple[str, ...], rows: Iterator[tuple[int, tuple[Units, ...]]]) -> None:
        self.columns = columns
        listed = list(rows)
        self.rounds = sum(count for count, _ in listed)
        self.scale = [lcm(*(row[at].denominator for _, row in listed)) for at in range(len(columns))]
        whole = [(count, [int(net * by) for net, by in zip(row, self.scale, strict=True)]) for count, row in listed]
        size = range(len(columns))
        self.sums = [sum(count * row[at] for count, row in whole) for at in size]
        self.products = [[sum(count * row[a] * row[b] for count, row in whole) for b in size] for a in size]

    def mean(self, at: int) -> Fraction:
        return Fraction(self.sums[at], self.scale[at] * self.rounds)

    def covariance(self, a: int, b: int) -> Fraction:
        """Return the covariance in one round, with the sample's own means."""
        if self.rounds < 2:
            return Fraction(0)
        raw = Fraction(self.products[a][b], self.scale[a] * self.scale[b])
        return (raw - self.rounds * self.mean(a) * self.mean(b)) / (self.rounds - 1)

    def deviation(self, at: int) -> float:
        return sqrt(self.covariance(at, at))

    def error(self, at: int) -> float:
        """Return the standard error of a mean."""
        return self.deviation(at) / sqrt(self.rounds)


class OutcomeSummary:
    """What the rounds of a run came to."""

    def __init__(self, game: Game, counts: Ints, meter: Fraction = Fraction(0)) -> None:
        self.game = game
        self.shape = Shape(game)
        self.priced = Priced(game, meter)
        outcomes, hands = counts[: self.shape.outcomes], counts[self.shape.outcomes :]
        self.outcomes = [(self.shape.outcome(int(at)), int(outcomes[at])) for at in outcomes.nonzero()[0]]
        self.hands = hands.reshape(-1, self.shape.ways)
        """[starting hand, or rank of three cards; way through the decisions]"""
        self._nets = [self.priced.nets(outcome) for outcome, _ in self.outcomes]
        self.columns = (BASE, *self.priced.bets)
        self.moments = Moments(self.columns, self._rows())

    def _rows(self) -> Iterator[tuple[int, tuple[Units, ...]]]:
        for (_, count), nets in zip(self.outcomes, self._nets, strict=True):
            yield count, (self.priced.base(nets), *(nets[bet] for bet in self.priced.bets))

    @property
    def rounds(self) -> int:
        return self.moments.rounds

    def histogram(self, column: str = BASE) -> dict[Units, int]:
        """Return how often each result came, lowest first."""
        found: Counter[Units] = Counter()
        at = self.columns.index(column)
        for count, row in self._rows():
            found[row[at]] += count
        return dict(sorted(found.items()))

    @property
    def decisions(self) -> dict[str, int]:
        """Return the rounds in which each choice was made: folding, and every Bet."""
        game = self.game
        first = game.choices[0]
        found: Counter[str] = Counter({first.otherwise: 0})
        for outcome, count in self.outcomes:
            if outcome.folded:
                found[first.otherwise] += count
            for choice, placed in zip(game.choices, outcome.chosen, strict=True):
                found[choice.bet] += count * placed
        return dict(found)

    @property
    def side_rows(self) -> dict[BetName, dict[str, int]]:
        """Return each side Bet's rows, and how often each was paid."""
        found: dict[BetName, dict[str, int]] = {side.name: dict.fromkeys(side.pays, 0) for side in self.game.sides}
        for (outcome, count), nets in zip(self.outcomes, self._nets, strict=True):
            for side, line in zip(self.game.sides, outcome.lines, strict=True):
                if nets[side.name] > 0:
                    assert line is not None
                    found[side.name][line] += count
        return found

    @property
    def award_rows(self) -> dict[str, int]:
        """Return each line of the jackpot table, and how often it was paid."""
        found = {award.hand: 0 for award in self.game.terms.book.jackpot.awards}
        if self.game.terms.jackpot_bet is not None:
            for outcome, count in self.outcomes:
                for hand in self.priced.awards(outcome) if outcome.mask else ():
                    found[hand] += count
        return found

    @property
    def ranks(self) -> dict[str, int]:
        """Return ranks of Hands that were played to the comparison (3 Card Poker: of every Hand)."""
        found: Counter[str] = Counter()
        three = self.game.structure is Structure.THREE_CARDS
        for outcome, count in self.outcomes:
            if three:
                found[slug(ThreeCardRank(outcome.rank))] += count
            elif not outcome.folded:
                found[slug(Rank(outcome.rank))] += count
        return dict(found)
