"""croupier simulate floor: a whole floor with its jackpot link, from a configuration."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

import click

from croupier.cli.errors import Wrong
from croupier.cli.output import as_json, console, print_json

if TYPE_CHECKING:
    from croupier.floor.simulated.living import Scene
    from croupier.floor.simulated.results import FloorFigures
    from croupier.floor.simulated.sampling import Sampled


@click.command()
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path), metavar="CONFIG.toml")
@click.option("--days", type=click.IntRange(1), help="Days of each life, instead of the configuration's.")
@click.option("--lives", "count", type=click.IntRange(1), help="How many lives, instead of the configuration's.")
@click.option("--seed", type=click.IntRange(0), help="Same seed, same lives.")
@click.option("--workers", type=click.IntRange(1, 4096), help="How many lives are lived at once.")
@click.option(
    "--sample", type=click.IntRange(0), default=20, show_default=True, help="Rounds played again by the house."
)
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the sampled rounds here, a house like any other: croupier audit reads it.",
)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write a report: HTML, and JSON beside it."
)
@as_json
def floor(
    *,
    config: Path,
    days: int | None,
    count: int | None,
    seed: int | None,
    workers: int | None,
    sample: int,
    journal: Path | None,
    output: Path | None,
    json_wanted: bool,
) -> None:
    """Tables of several games on one link: the meter's life, its hits, the House's days."""
    try:
        from croupier.floor.simulated import living, results  # noqa: PLC0415 - they load the kernels
        from croupier.floor.simulated.config import BadFloor, changed, read  # noqa: PLC0415
        from croupier.lab.kernels.compiling import workers as cores  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        if missing.name not in ("numba", "numpy"):
            raise
        raise Wrong(f"The simulator needs {missing.name}: install croupier with its extra [lab].") from None
    try:
        asked = changed(read(config), days=days, lives=count, seed=seed)
    except BadFloor as wrong:
        raise Wrong(str(wrong)) from None
    if journal is not None and journal.exists():
        raise Wrong(f"{journal} is there already: a simulated house begins with an empty journal.")
    with _watched(asked.config.lives * asked.config.days, quiet=json_wanted) as watching:
        scene = living.Scene(asked)
        compared = _sampled(scene, sample, journal) if sample else None
        living.live_days(scene, 0, 1)  # compiled before the clock runs
        started = monotonic()
        lived = living.lives(scene, workers or cores(), watching)
        seconds = monotonic() - started
    found = results.figures(asked, lived, seconds, compared)
    if output is not None:
        from croupier.floor.simulated.report import write  # noqa: PLC0415

        write(output, asked, lived, found)
    if json_wanted:
        print_json(found)
    else:
        _show(found, output)


def _sampled(scene: Scene, wanted: int, journal: Path | None) -> Sampled:
    from croupier.floor.simulated.sampling import Differs, play_again  # noqa: PLC0415
    from croupier.journal.opening import open_store  # noqa: PLC0415

    with TemporaryDirectory() as folder:
        path = (journal or Path(folder) / "house.db").absolute()
        store = open_store(f"sqlite:///{path}")
        try:
            return play_again(scene, store, wanted)
        except Differs as wrong:
            raise Wrong(f"The real house plays a sampled round otherwise: {wrong}") from None
        finally:
            store.close()


@contextmanager
def _watched(days: int, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar with rate and time left, where somebody sits at a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda _life, _day: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("preparing; the first run compiles", total=days)
        began: list[float] = []
        done: list[int] = []

        def watching(_life: int, _day: int) -> None:
            began.append(monotonic())
            done.append(1)
            rate = len(done) / (began[-1] - began[0]) if len(done) > 1 else 0.0
            bar.update(task, description=f"{len(done):,} days, {rate:,.0f} a second", completed=len(done))

        yield watching


def _show(found: FloorFigures, output: Path | None) -> None:
    from rich.table import Table  # noqa: PLC0415

    from croupier.floor.simulated.report import rows  # noqa: PLC0415

    title = f"{found.tables} tables, {found.lives} lives of {found.days} days, seed {found.seed}; in {found.currency}"
    table = Table(title=title, title_justify="left", show_edge=False, show_header=False)
    table.add_column("")
    table.add_column("", justify="right")
    for name, value in rows(found):
        table.add_row(name, value)
    hits = Table(title="Awards from the meter", title_justify="left", show_edge=False)
    for at, column in enumerate(("hand", "paid", "days between", "mean amount")):
        hits.add_column(column, justify="right" if at else "left")
    for each in found.hits:
        hits.add_row(
            each.hand.replace("_", " "), f"{each.count:,}", f"{each.days_between or 0:,.2f}", f"{each.amount.mean:,.2f}"
        )
    screen = console()
    screen.print(table)
    screen.print()
    screen.print(hits)
    if found.sampled is not None:
        screen.print(
            f"\n{found.sampled.rounds:,} rounds played again by the real house: {found.sampled.lines:,} bets and "
            f"{found.sampled.awards:,} awards of the meter came to the same cent."
        )
    screen.print(f"{found.seconds:.1f} seconds: {found.times_real:,.0f} times as fast as the floor itself.")
    if output is not None:
        screen.print(f"Wrote {output} and {output.with_suffix('.json')}.")
