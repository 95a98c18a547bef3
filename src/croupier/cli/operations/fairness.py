"""`fairness`: the house's own shuffle, tested by counts."""

from __future__ import annotations

import click
from rich.table import Table

from croupier.cli.terminal.numbers import WholeNumber
from croupier.cli.terminal.output import as_json, console, print_json
from croupier.cli.terminal.progress import watched
from croupier.floor.history.shuffle_test import SUSPICIOUS, judged
from croupier.floor.live.floor import os_chance
from croupier.floor.records.committed_decks import new_deck


@click.command()
@click.option(
    "--shuffles", type=WholeNumber(1000, 100_000_000), default=1_000_000, show_default=True, help="How many decks."
)
@as_json
@click.pass_context
def fairness(context: click.Context, shuffles: int, json_wanted: bool) -> None:
    """Shuffle decks as the house does and count: each card at each place, pairs, runs, repetitions.

    Each count is compared with its exact expectation; beyond six standard deviations it is not chance.
    """
    chance = os_chance()
    with watched("shuffles", quiet=json_wanted, first="shuffling") as watching:
        results = judged(lambda: tuple(new_deck(chance).shoe), shuffles, lambda done: watching(done, shuffles))
    if json_wanted:
        found = [{"test": r.name, "deviations": round(r.deviations, 3), "fair": r.is_fair} for r in results]
        print_json({"shuffles": shuffles, "limit": SUSPICIOUS, "tests": found})
    else:
        table = Table("test", "standard deviations", "", title=f"{shuffles:,} shuffles", title_justify="left")
        for result in results:
            table.add_row(result.name, f"{result.deviations:+.2f}", "fair" if result.is_fair else "NOT FAIR")
        console().print(table)
    context.exit(0 if all(result.is_fair for result in results) else 1)
