"""croupier simulate: random rounds of one game, or a whole floor with its jackpot link."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from croupier.cli.games.lab import JACKPOT_BET, SET, amount, file_option, plain_refusals
from croupier.cli.terminal.errors import Wrong
from croupier.cli.terminal.numbers import Number, WholeNumber
from croupier.cli.terminal.output import as_json, console, print_json, table_of
from croupier.cli.terminal.progress import watched
from croupier.money import Money
from croupier.rulebooks.description.phrases import words
from croupier.rulebooks.documents.editions import GAMES

if TYPE_CHECKING:
    from croupier.lab.simulator.figures import Figures
    from croupier.lab.simulator.runner import Workers

FLOOR = "floor"
MOST_ROUNDS = 10**18
"""Rounds at most: counts are whole numbers of 64 bits."""


class _Simulations(click.Group):
    """One command for each game, and one for a floor; a module is loaded when its command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [*GAMES, FLOOR]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name == FLOOR:
            from croupier.cli.games.simulate_floor import floor  # noqa: PLC0415

            return floor
        return _of_game(cmd_name) if cmd_name in GAMES else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.list_commands(ctx):
            raise Wrong(f'There is no game "{args[0]}": simulate {", ".join(GAMES)} or {FLOOR}.')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("What is simulated"):
            says = {FLOOR: "Tables of several games on one jackpot link, for as long as you like."}
            formatter.write_dl([(name, says.get(name, "Rounds of this game.")) for name in self.list_commands(ctx)])


@click.group(cls=_Simulations, invoke_without_command=True)
@click.pass_context
def simulate(context: click.Context) -> None:
    """Play random rounds: of one game by a strategy, or of a floor with its jackpot."""
    if context.invoked_subcommand is None:
        raise Wrong(f"simulate needs a game or {FLOOR}: {', '.join(GAMES)}, {FLOOR}.")


def _finite(_context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse nan, for which the simulation would never end."""
    if value is not None and not isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number.", param=parameter)
    return value


def _of_game(name: str) -> click.Command:
    """Return the command of one game."""

    @click.command(name=name)
    @click.option("--rounds", type=WholeNumber(1, MOST_ROUNDS), help="How many rounds; 1,000,000 without --until.")
    @click.option(
        "--until",
        type=Number(0, min_open=True),
        callback=_finite,
        metavar="E",
        help="Stop when the standard error of the base result is this small, as in 0.0001.",
    )
    @click.option(
        "--strategy",
        "said",
        default="optimal",
        show_default=True,
        metavar="S",
        help="optimal, simple (the rules of thumb) or a TOML file.",
    )
    @click.option(
        "--careless", type=Number(), default=0.0, metavar="P", help="The share of decisions that are mistakes."
    )
    @click.option(
        "--seed", type=WholeNumber(0, 2**63 - 1), default=1, show_default=True, help="Same seed, same rounds."
    )
    @click.option("--workers", type=WholeNumber(1, 4096), help="Threads, or with --cluster local processes.")
    @click.option("--cluster", metavar="C", help="local, or the address of a Dask scheduler: tcp://host:8786.")
    @file_option("--checkpoint", "Keep the state here, and go on from it when it is there.")
    @click.option("--meter", callback=amount, metavar="M", help="The jackpot's meter; 0.00 leaves its share out.")
    @JACKPOT_BET
    @SET
    @as_json
    def command(
        *,
        rounds: int | None,
        until: float | None,
        said: str,
        careless: float,
        seed: int,
        workers: int | None,
        cluster: str | None,
        checkpoint: Path | None,
        meter: Money | None,
        jackpot_bet: str | None,
        changes: tuple[str, ...],
        json_wanted: bool,
    ) -> None:
        with plain_refusals():
            from croupier.lab.simulator import figures, jobs, strategies  # noqa: PLC0415 - they load the kernels
            from croupier.lab.simulator.runner import run  # noqa: PLC0415

            anything = strategies.Strategy(said, {})
            known = jobs.Job(name, anything, seed, changes, jackpot_bet).solvable()
            job = jobs.Job(name, strategies.strategy(known, said, careless), seed, changes, jackpot_bet)
            wanted = rounds if rounds is not None or until is not None else 1_000_000
            with watched("rounds", quiet=json_wanted) as watching, _workers(cluster, workers) as hands:
                if cluster is None:
                    watching(0, wanted)
                    jobs.prepare(jobs.encode(job))
                started = monotonic()
                done = run(job, hands, rounds=wanted, until=until, checkpoint=checkpoint, report=watching)
                seconds = monotonic() - started
            found = figures.figures(done, Fraction(meter or 0))
        if json_wanted:
            print_json(found)
        else:
            _show(found, seconds)

    command.help = f"Play random rounds of {name}, beside the exact values where the strategy is optimal."
    return command


@contextmanager
def _workers(address: str | None, count: int | None) -> Iterator[Workers]:
    if address is not None:
        from croupier.lab.simulator.dask_cluster import cluster  # noqa: PLC0415

        with cluster(address, count) as elsewhere:
            yield elsewhere
        return
    from croupier.lab.kernels.runtime.compiler import workers  # noqa: PLC0415
    from croupier.lab.simulator.runner import threads  # noqa: PLC0415

    with threads(count or workers()) as here:
        yield here


def _show(found: Figures, seconds: float) -> None:
    erring = f", {found.careless:.2%} careless" if found.careless else ""
    title = f"{found.game}: {found.rounds:,} rounds, strategy {found.strategy}{erring}, seed {found.seed}"
    means = table_of(title, "won for each unit", "mean", "standard error", "deviation", "exact", "apart")
    for each in found.means:
        known = ("", "") if each.exact is None else (f"{each.exact:.6f}", f"{each.sigmas:+.2f} s.e.")
        deviation = f"{found.deviations[each.name]:.4f}"
        means.add_row(words(each.name), f"{each.value:.6f}", f"{each.error:.6f}", deviation, *known)
    shares = table_of("Shares of all rounds", "", "seen", "exact", "apart")
    for each in found.shares:
        known = ("", "") if each.exact is None else (f"{each.exact:.7%}", f"{each.sigmas:+.2f} s.e.")
        shares.add_row(words(each.name), f"{each.value:.7%}", *known)
    screen = console()
    screen.print(means)
    screen.print()
    screen.print(shares)
    screen.print(f"\nThe farthest of these figures is {found.farthest:.2f} standard errors from its exact value.")
    rate = found.rounds / seconds if seconds else 0
    screen.print(f"\n{seconds:.1f} seconds, {rate:,.0f} rounds a second.")
