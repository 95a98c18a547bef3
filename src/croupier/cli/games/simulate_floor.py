"""croupier simulate floor: a whole floor with its jackpot link, from a configuration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count as count_from
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

import click

from croupier.cli.games.lab import file_option, plain_refusals
from croupier.cli.terminal.errors import Stopped, Wrong
from croupier.cli.terminal.numbers import WholeNumber
from croupier.cli.terminal.output import as_json, console, print_json, table_of
from croupier.cli.terminal.progress import watched
from croupier.rulebooks.description.phrases import words

if TYPE_CHECKING:
    from croupier.floor.simulated.floor_figures import FloorFigures
    from croupier.floor.simulated.journal_days import Journal
    from croupier.floor.simulated.lifetime import Life, Scene
    from croupier.floor.simulated.samples import Sampled
    from croupier.journal.store import Store


@click.command()
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path), metavar="CONFIG.toml")
@click.option("--days", type=WholeNumber(1), help="Days of each life, instead of the configuration's.")
@click.option("--lives", "count", type=WholeNumber(1), help="How many lives, instead of the configuration's.")
@click.option("--seed", type=WholeNumber(0), help="Same seed, same lives.")
@click.option("--workers", type=WholeNumber(1, 4096), help="How many lives to simulate at once.")
@click.option("--sample", type=WholeNumber(0), default=20, show_default=True, help="Rounds played again by the house.")
@click.option(
    "--journal",
    metavar="URL",
    help="Write every round of the first life into this empty journal, by the real house: sqlite:///days.db.",
)
@file_option("--output", "Write a report: HTML, and JSON beside it.")
@as_json
def floor(
    *,
    config: Path,
    days: int | None,
    count: int | None,
    seed: int | None,
    workers: int | None,
    sample: int,
    journal: str | None,
    output: Path | None,
    json_wanted: bool,
) -> None:
    """Simulate tables of several games on one link: the meter's life, its hits, the House's days."""
    with plain_refusals():
        from croupier.floor.simulated import floor_figures, lifetime  # noqa: PLC0415 - they load the kernels
        from croupier.floor.simulated.config import changed, read  # noqa: PLC0415
        from croupier.lab.kernels.runtime.compiler import workers as cores  # noqa: PLC0415

        asked = changed(read(config), days=days, lives=count, seed=seed)
    with ExitStack() as held:
        store = None if journal is None else held.enter_context(_empty(journal))
        with watched("days", quiet=json_wanted) as watching:
            lived_days, total = count_from(1), asked.config.lives * asked.config.days
            scene = lifetime.Scene(asked)
            # A journal holds every round, and is compared whole.
            compared = _sampled(scene, sample) if sample and store is None else None
            even = floor_figures.break_even(asked)  # counted now, so that a user who stops does not wait for it
            lifetime.live(scene, 0, 1)  # compiled before the clock runs
            started = monotonic()
            lived, stopped = lifetime.lived(
                scene, workers or cores(), lambda _life, _day: watching(next(lived_days), total)
            )
            seconds = monotonic() - started
        if not lived or not lived[0].days:
            raise Wrong("Stopped before the first day was over: there are no figures to show.")
        written = None
        if store is not None and not stopped:
            written = _written(scene, store, lived[0], quiet=json_wanted)
    found = floor_figures.figures(asked, lived, seconds, compared, written, even)
    if output is not None:
        from croupier.floor.simulated.report import write  # noqa: PLC0415

        write(output, asked, lived, found)
    if json_wanted:
        print_json(floor_figures.figures_json(found))
    else:
        _show(found, output)
    if stopped:
        wanted = floor_figures.span(asked.config.lives, asked.config.days)
        raise Stopped(f"Stopped: {floor_figures.span(len(lived), len(lived[0].days))} simulated, of {wanted}.")


@contextmanager
def _empty(url: str) -> Iterator[Store]:
    """Open a journal that must have no records."""
    from croupier.journal.store import StoreError  # noqa: PLC0415
    from croupier.journal.store_address import open_store  # noqa: PLC0415

    try:
        store = open_store(url)
    except StoreError as wrong:
        raise Wrong(str(wrong)) from None
    try:
        if any(True for _ in store.streams()):
            raise Wrong(f"{url} has records already: a simulated house begins with an empty journal.")
        yield store
    except StoreError as wrong:
        raise Wrong(str(wrong)) from None
    finally:
        store.close()


def _sampled(scene: Scene, wanted: int) -> Sampled:
    from croupier.floor.simulated.patrons import Differs  # noqa: PLC0415
    from croupier.floor.simulated.samples import play_again  # noqa: PLC0415

    with TemporaryDirectory() as folder, _empty(f"sqlite:///{Path(folder).absolute() / 'house.db'}") as store:
        try:
            return play_again(scene, store, wanted)
        except Differs as wrong:
            raise Wrong(f"The real house plays a sampled round otherwise: {wrong}") from None


def _written(scene: Scene, store: Store, life: Life, *, quiet: bool) -> Journal:
    """Write the days of a life into a journal, every round by the real house."""
    from croupier.floor.simulated.journal_days import Writer, compared  # noqa: PLC0415
    from croupier.floor.simulated.patrons import Differs  # noqa: PLC0415

    rounds, total = count_from(1), len(life.days) * sum(scene.rounds)
    with watched("rounds written", quiet=quiet) as watching:
        writer = Writer(scene, store, life.number, lambda: watching(next(rounds), total))
        try:
            writer.write(len(life.days))
        except Differs as wrong:
            raise Wrong(f"The real house plays a round otherwise: {wrong}") from None
        except KeyboardInterrupt:
            raise Stopped(
                f"Stopped: {writer.asking.rounds_on_disk:,} rounds are in {store.url}, and croupier audit reads them."
            ) from None
        try:
            return compared(writer, life)
        except Differs as wrong:
            raise Wrong(f"The journal is not what the simulation has: {wrong}") from None


def _show(found: FloorFigures, output: Path | None) -> None:
    from croupier.floor.simulated.floor_figures import span  # noqa: PLC0415
    from croupier.floor.simulated.report import rows  # noqa: PLC0415

    title = f"{found.tables} tables, {span(found.lives, found.days)}, seed {found.seed}; in {found.currency}"
    table = table_of(title, "", "")
    for name, value in rows(found):
        table.add_row(name, value)
    hits = table_of("Awards from the meter", "hand", "paid", "days between", "mean amount")
    for each in found.hits:
        hits.add_row(words(each.hand), f"{each.count:,}", f"{each.days_between or 0:,.2f}", f"{each.amount.mean:,.2f}")
    screen = console()
    screen.print(table)
    screen.print()
    screen.print(hits)
    if found.sampled is not None:
        screen.print(
            f"\n{found.sampled.rounds:,} rounds played again by the real house: {found.sampled.lines:,} bets and "
            f"{found.sampled.awards:,} awards of the meter came to the same cent."
        )
    if found.journal is not None:
        kept = found.journal
        days = "one day" if kept.days == 1 else f"{kept.days:,} days"
        screen.print(
            f"\n{kept.url} holds {days} of the first life: {kept.rounds:,} rounds and {kept.events:,} events "
            f"by the real house, {kept.rounds_a_second:,.0f} rounds a second.\nRead back, they come to the "
            "simulation's own days: meter, stakes, results and awards, to the cent."
        )
    screen.print(f"{found.seconds:.1f} seconds: {found.times_real:,.0f} times as fast as the floor itself.")
    if output is not None:
        screen.print(f"Wrote {output} and {output.with_suffix('.json')}.")
