"""Compare the plain solver with the quick one: `python -m croupier.lab.verify.plain_solver`."""

from __future__ import annotations

import sys
from time import perf_counter

import click

from croupier.lab.kernels.check import plain_boards
from croupier.lab.kernels.runtime.compiler import Ints
from croupier.lab.model.game import Game, Structure, game
from croupier.lab.solve import holdem
from croupier.lab.solve.enumeration import Counted
from croupier.rulebooks.terms import table_terms


def differences(known: Game, found: Ints, quick: Counted) -> list[str]:
    """List what the two solvers disagree about, starting hand by starting hand."""
    asked, _ = holdem.counts_of(known)
    wrong = []
    for hand in holdem.STARTING_HANDS:
        gain, *wins = (int(each) for each in quick.sums.total[hand.number])
        ante = sum(int(amount) * won for amount, won in zip(asked.paid, wins, strict=True)) - (sum(wins) - gain)
        flop, river = quick.sums.flop_bets[hand.number], quick.sums.river_bets[hand.number]
        mine = (gain, ante, int(flop[0]), int(river[0]), int(flop[-1]), int(river[-1]))
        plain = tuple(int(each) for each in found[hand.number])
        if mine != plain:
            wrong.append(f"{hand.name}: {mine} quickly, {plain} plainly")
    return wrong


def compare(name: str = "rws-multilink-holdem") -> list[str]:
    """Run both solvers on a game with decisions by streets, whole amounts on the Ante, and no qualification."""
    known = game(table_terms(name))
    assert known.structure is Structure.STREETS
    assert not known.qualifies_from
    found = plain_boards.solve_plainly([int(amount) for amount in known.ante_on_win])
    _, quick = holdem.counts_of(known)
    return differences(known, found, quick)


def main() -> None:
    """Print the differences; exit code 1 where there are any."""
    started = perf_counter()
    wrong = compare()
    for line in wrong:
        click.echo(line)
    click.echo(f"{len(wrong)} of 169 starting hands differ; {perf_counter() - started:.1f} seconds.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
