"""A kind of table as the kernel reads it: decisions of each kind of player, and what outcomes are worth in cents."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, product

import numpy as np

from croupier.floor.simulated.config import CARELESS, STRATEGIES, Group
from croupier.lab.bets import jackpot as awards
from croupier.lab.kernels.random import table_day
from croupier.lab.kernels.random.rounds import FATES, RANKS, Table
from croupier.lab.kernels.random.table_day import Felt
from croupier.lab.kernels.runtime.compiler import Ints, zeros
from croupier.lab.model.game import Structure
from croupier.lab.simulator import decision_tables
from croupier.lab.simulator.outcome_counts import Outcome, Priced, Shape
from croupier.lab.simulator.strategies import SIMPLE, Strategy, named
from croupier.money import Money

KINDS = {
    Structure.THREE_CARDS: table_day.THREE,
    Structure.STREETS: table_day.STREETS,
    Structure.FLOP_FIRST: table_day.FLOP_FIRST,
}


def strategies_of(group: Group) -> list[Strategy]:
    """List the strategies of this group's players, in the order of `STRATEGIES`."""
    mistakes = group.config.players.mistakes
    return [
        named(group.game, SIMPLE if name == CARELESS else name, mistakes if name == CARELESS else 0.0)
        for name in STRATEGIES
    ]


def felt(group: Group) -> tuple[Felt, Table]:
    """Build what the kernel needs to know of these tables."""
    priced = Priced(group.game, Fraction(0))
    shape = Shape(group.game)
    every = [decision_tables.table(group.game, strategy) for strategy in strategies_of(group)]
    config = group.config
    mix = zeros(len(STRATEGIES))
    mix[:] = [_of_all(so_far) for so_far in accumulate(group.shares[name] for name in STRATEGIES)]
    return Felt(
        kind=KINDS[group.game.structure],
        boxes=group.terms.boxes,
        hole=np.stack([each.hole for each in every]),
        flop=np.stack([each.flop for each in every]),
        turn=np.stack([each.turn for each in every]),
        careless=np.stack([each.careless for each in every]),
        mix=mix,
        occupied=_of_all(config.seats / group.terms.boxes),
        takes_jackpot=_of_all(config.jackpot),
        takes_side=_of_all(config.side),
        void=_of_all(config.errors.void_rounds),
        mispaid=_of_all(config.errors.mispaid),
        base=_base(priced, shape, group.ante),
        side=_side(priced, shape, group.side_stake),
        award=award_table(group),
        ante=group.ante,
        staked=_staked(priced, shape, group.ante),
        side_stake=group.side_stake,
    ), every[0]


def _of_all(share: float) -> int:
    """Convert a share to a number out of 2**32."""
    return round(share * 2**32)


def _cents(units: Fraction, stake: Money) -> int:
    """Round a win down to whole cents; the five games' pay tables leave no remainder on a dollar."""
    return (units * stake).__floor__()


def _base(priced: Priced, shape: Shape, ante: Money) -> Ints:
    table = zeros(shape.ways * FATES * RANKS)
    for how, fate, rank in product(range(shape.ways), range(FATES), range(shape.ranks)):
        outcome = Outcome(shape.chosen(how), None if how == 0 else fate, rank, shape.side_lines(0, rank), 0)
        table[(how * FATES + fate) * RANKS + rank] = _cents(priced.base(priced.nets(outcome)), ante)
    return table


def _side(priced: Priced, shape: Shape, stake: Money) -> Ints:
    """Side Bets in cents, by their lines or the rank of three cards; then where folded, and by fate."""
    rows = shape.ranks if shape.game.structure is Structure.THREE_CARDS else len(shape.lines)
    table = zeros((rows, FATES + 1))
    for row, at in product(range(rows), range(FATES + 1)):
        lines = shape.side_lines(row, row)
        nets = priced.nets(Outcome(shape.chosen(min(at, 1)), None if at == 0 else at - 1, 0, lines, 0))
        units = sum((nets[side.name] for side in priced.game.sides if not side.on_ante), Fraction(0))
        table[row, at] = _cents(units, stake)
    return table


def award_table(group: Group) -> Ints:
    """List fixed awards in cents, by the lines made and whether the Hand folded; -1 where the meter pays."""
    book, bet = group.terms.book.jackpot, group.terms.jackpot_bet
    assert bet is not None
    amounts = awards.amounts(book, Fraction(bet), 1)
    table = zeros((1 << len(book.awards), 2))
    for mask in range(1 << len(book.awards)):
        for folded in (False, True):
            left = awards.claimable(book, mask, folded=folded)
            met = [award for at, award in enumerate(book.awards) if left >> at & 1]
            if any(award.is_major for award in met):
                table[mask, int(folded)] = -1
            else:
                paid = awards.lines_paid(book, left, amounts, Fraction(0))
                table[mask, int(folded)] = sum((amounts[hand] for hand in paid), Fraction(0)).__floor__()
    return table


def _staked(priced: Priced, shape: Shape, ante: Money) -> Ints:
    table = zeros(shape.ways)
    for how in range(shape.ways):
        placed = zip(priced.game.choices, shape.chosen(how), strict=True)
        table[how] = ante * (1 + sum(choice.times for choice, is_placed in placed if is_placed))
    return table
