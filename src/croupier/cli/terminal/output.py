"""Output of every command: JSON for programs, a console for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

as_json = click.option("--json", "json_wanted", is_flag=True, help="Print JSON for programs.")


def console() -> Console:
    """Return a console: colours on a terminal, plain text in a pipe, no markup."""
    from rich.console import Console  # noqa: PLC0415 - JSON for programs does not need it

    class PipedConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return PipedConsole(highlight=False, markup=False, emoji=False)


def table_of(title: str, *columns: str) -> Table:
    """Return an empty table whose columns after the first are of numbers."""
    from rich.table import Table  # noqa: PLC0415 - likewise

    table = Table(title=title, title_justify="left", show_edge=False, show_header=any(columns))
    for at, column in enumerate(columns):
        # A fraction that is longer than its column goes on below: cut short it would not be exact.
        table.add_column(column, justify="right" if at else "left", overflow="fold")
    return table


def counted(number: int, what: str) -> str:
    """Return a number with its noun: `1 entry`, `2,000 entries`."""
    many = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{number:,} {what if number == 1 else many}"


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2))
